"""scipy.special: factorials and combinations, exact where doubles hold them."""

import math

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import special

#: The factorials that are finite doubles.
_FACTORIALS = tuple(float(math.factorial(n)) for n in range(171))
#: Combinations of fewer items are products, as in SciPy.
_SHORT = 20


def factorial(n, exact=False, extend="zero"):
    if extend != "zero":
        raise NotImplementedError("extend= of factorial is not supported; use gamma(n + 1)")
    if exact:
        return math.factorial(prim.static(n, "an argument of factorial with exact=True"))
    x = np.asarray(n)
    if x.dtype.kind not in "iuf":
        raise ValueError("Unsupported data type for `n` in factorial")
    if x.dtype.kind == "f" and x.dtype != np.float64:
        raise NotImplementedError(f"factorial of {x.dtype} is not supported; use float64")
    if x.dtype.kind == "f":
        found = np.where(x < 0, 0.0, special.gamma(np.where(x < 0, 0.0, x) + 1))
    else:
        # As a float, since a negative number has no place in the table.
        table = np.array((*_FACTORIALS, np.inf))
        found = np.where(x < 0, 0.0, table[np.clip(x, 0, len(table) - 1)])
    return found if isinstance(n, np.ndarray) and not n.shape else found[()]


def comb(N, k, *, exact=False, repetition=False):
    if exact:
        N = prim.static(N, "an argument of comb with exact=True")
        k = prim.static(k, "an argument of comb with exact=True")
        if repetition:
            return 1 if k == 0 and N >= 0 else comb(N + k - 1, k, exact=True)
        if int(N) != N or int(k) != k:
            raise ValueError("Non-integer `N` and `k` with `exact=True` is not supported.")
        return math.comb(int(N), int(k)) if N >= 0 and k >= 0 else 0
    dtype = np.result_type(N, k)
    n, k = np.asarray(N), np.asarray(k)
    if n.dtype.kind not in "iu" or k.dtype.kind not in "iu":
        raise NotImplementedError("comb takes integers only; use gamma or betaln for floats")
    if dtype.itemsize < 4:
        raise NotImplementedError("comb of short integers is not supported; use int64")
    n, k = np.broadcast_arrays(n.astype(np.int64), k.astype(np.int64))
    if repetition:
        return np.where((k == 0) & (n >= 0), 1.0, _combinations(n + k - 1, k))[()]
    return _combinations(n, k)[()]


def _combinations(n, k):
    is_possible = (k <= n) & (n >= 0) & (k >= 0)
    n, k = np.where(is_possible, n, 0), np.where(is_possible, k, 0)
    k = np.minimum(k, n - k)
    above, below = np.ones(n.shape), np.ones(n.shape)
    for i in range(1, _SHORT):
        above = np.where(i <= k, above * (i + n - k), above)
        below = np.where(i <= k, below * i, below)
        is_large = above > 1e50
        above, below = np.where(is_large, above / below, above), np.where(is_large, 1.0, below)
    long = np.exp(-special.betaln(1.0 + n - k, 1.0 + k)) / (n + 1)
    return np.where(is_possible, np.where(k < _SHORT, above / below, long), 0.0)
