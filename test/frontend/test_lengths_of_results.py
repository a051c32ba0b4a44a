"""Results of dynamic length: what masks select, what slices cut, np.unique."""

import numpy as np
import pytest

import ingot
from expressions import split
from sources import namespace_of

A = np.array([[3.0, 0, -1, 3], [0, 0, 2, 5], [-1, 4, 0, 0]])
V = np.array([0, 3, 1, 3, 0, -2, 7, 1, 0])
W = np.array([3, 7, 7, 8, -2])
NANS = np.array([np.nan, 2.0, np.nan, -0.0, 0.0, 2.0])
EXPRESSIONS = split("""
a[a > 0] ;; a[a > 9] ;; a[a > -9] ;; a[a[:, 0] > 0] ;; a[:, a[0] > 0] * 2 ;; a[a > 0] + 1 ;; v[v > 0], v[v < 0]
a[a[:, 0] > 0].T ;; (v[v > 0] * 2, 5) ;; {'k': v[v != 3]} ;; [v[v == 1]] ;; v[: int(v[1])] ;; a[int(v[2]) :, : int(v[1])]
a[: int(v[0])] ;; a[::-1, int(v[1])::-1] ;; v[int(v[6]) :: -1] ;; v[v > 0][::1] ;; np.sqrt(np.abs(v[v > 0]))
np.nonzero(v) ;; np.nonzero(a) ;; v.nonzero() ;; a.nonzero() ;; np.where(v > 1) ;; np.where(a) ;; np.flatnonzero(a) ;; np.argwhere(a) ;; np.argwhere(v)
np.compress(v > 0, v) ;; np.compress(a[0] > 0, a, axis=1) ;; np.compress([True, False], a, axis=0) ;; a.compress(a[:, 0] != 0, axis=0) ;; np.extract(a > 0, a)
np.unique(v) ;; np.unique(a) ;; np.unique(v, return_index=True) ;; np.unique(v, return_inverse=True) ;; np.unique(a, return_inverse=True)
np.unique(v, return_counts=True) ;; np.unique(a, True, True, True) ;; np.unique(x) ;; np.unique(x, return_counts=True) ;; np.unique(v[:0]) ;; np.unique(v > 0)
np.unique(a > 0, axis=0) ;; np.unique(np.abs(a) % 2, axis=1) ;; np.unique(np.stack([v, v % 2, v])[:, :5] % 3, axis=0, return_index=True) ;; np.unique(x.reshape(3, 2) * 0, axis=0)
np.unique(np.outer(v, [1, 2]) % 2, True, True, True, axis=0) ;; np.unique(np.stack([x, x + 1j, -x])[:, ::2], axis=-1) ;; np.unique(v[:8].reshape(2, 2, 2) > 0, axis=1, return_counts=True)
np.union1d(v, w) ;; np.intersect1d(v, w) ;; np.setdiff1d(v, w) ;; np.setxor1d(v, w) ;; np.setdiff1d(v, w, assume_unique=True)
np.trim_zeros(v) ;; np.trim_zeros(v, 'f') ;; np.trim_zeros(v, 'b') ;; np.trim_zeros(v * 0)
a[np.nonzero(a[:, 0])[0]] ;; v[np.where(v > 0)[0]] ;; v[np.flatnonzero(v)].sum() ;; len(np.unique(v)) ;; np.unique(v).sum() ;; np.nonzero(v)[0].size
np.unique_all(v) ;; np.unique_counts(a) ;; np.unique_inverse(v) ;; np.unique_counts(x) ;; np.unique(x, equal_nan=False)
np.sort(v[v > 0]) ;; np.sort(x[x != 2]) ;; np.argsort(v[v != 3], kind='stable') ;; np.sort(v[: int(v[1])]) ;; np.sort(v > 0)[v > 0] ;; v[v > 0].cumsum()
np.cumsum(a[a > 0]) ;; np.cumprod(v[v > 0]) ;; np.cumsum(v[int(v[2]) :]) ;; np.sort(a[a > 0])[::-1] ;; np.sort((v > 0)[v > 1]) ;; v[v > 0].argsort(kind='stable')
a[:0][a[:0, 0] > 0] ;; a[:0][:, a[0] > 0] ;; a[:, :0][a[:, 0] > 0] ;; [each for each in np.unique(v[:0])] ;; [each * 2 for each in v[:0][v[:0] > 0]] ;; sum(each for each in np.unique(v[:0]))
np.unique(v).shape[0] ;; np.nonzero(a)[0].max() ;; np.where(v > 1)[0] + 1 ;; w[np.unique(np.abs(v) % 5)] ;; a[1][a[0] > 0] ;; np.unique(a).mean()
""")

#: Those whose results have the strides of NumPy's, too.
IN_ORDER = split("""
np.argwhere(a) ;; np.stack(np.nonzero(a)).T ;; np.stack(np.nonzero(a)) ;; np.stack([v[v > 0], v[v > 0]], axis=-1)
a.T[a.T[:, 0] > 0] ;; a[a[:, 0] > 0].T ;; np.array(a.T)[:, a[:, 1] == 0] ;; a.T[:, a[:, 1] == 0]
""")
EXPRESSIONS += [each for each in IN_ORDER if each not in EXPRESSIONS]


def leaves(value):
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        return [x for each in value for x in leaves(each)]
    return [value]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_against_numpy(expression, tmp_path):
    function = namespace_of(f"def f(a, v, w, x):\n    return {expression}\n", tmp_path)["f"]
    args = A, V, W, NANS
    found, expected = leaves(ingot.jit(function)(*args)), leaves(function(*args))
    for mine, theirs in zip(found, expected, strict=True):
        assert type(mine) is type(theirs)
        np.testing.assert_array_equal(mine, theirs, strict=True)
        if expression in IN_ORDER:
            assert mine.strides == theirs.strides


def test_results_are_arrays_of_their_own():
    function = ingot.jit(lambda v: v[v > 0])
    found = function(V)
    found[0] = 99
    np.testing.assert_array_equal(function(V), V[V > 0])
    np.testing.assert_array_equal(function(-V), -V[V < 0])
    assert found.flags.owndata


def test_what_trim_zeros_gives_is_a_view():
    def f(x):
        y = np.trim_zeros(x)
        y[0] += 5
        return y.sum()

    ours, theirs = np.array([0, 3.0, 0, 1, 0]), np.array([0, 3.0, 0, 1, 0])
    assert ingot.jit(f)(ours) == f(theirs)
    np.testing.assert_array_equal(ours, theirs)


B = np.array([[1, 200], [3, 3]], np.uint8)
COUNTED = split("""
np.bincount(b.ravel()) ;; np.bincount(b.ravel(), b.ravel() / 2) ;; np.bincount(b.ravel() // 50) / 4 ;; np.bincount(v % 5).argmax() ;; np.bincount((v > 1).astype(int), v * 0.5) ;; np.bincount(v > 9) ;; np.bincount(np.digitize(v, [0, 2]))
[np.bincount(i) for i in [np.unique(v, return_inverse=True)[1]]] ;; [np.bincount(i, v) / c for _, i, c in [np.unique(v, False, True, True)]] ;; [np.bincount(i, minlength=len(u)) for u, i in [np.unique(v, return_inverse=True)]] ;; [np.bincount(i.ravel()) for _, i in [np.unique(a, return_inverse=True)]]
np.bincount(np.argmin(a, 1)) ;; np.bincount(v[:0]) ;; np.bincount(v[:0], a[0, :0]) ;; np.bincount(v[:0], a[0, :0], 3) ;; np.bincount(v[:0], a[0], minlength=3) ;; np.zeros(int(np.max(v % 5)) + 1) ;; np.ones((b % 3).max()) ;; np.zeros(np.clip(v, 2, 4).min())
""")


@pytest.mark.parametrize("expression", COUNTED)
def test_lengths_by_greatest_elements(expression, tmp_path):
    function = namespace_of(f"def f(a, v, b):\n    return {expression}\n", tmp_path)["f"]
    compiled = ingot.jit(function)
    for args in [(A, V, B), (-A, np.abs(V) - 3, B[::-1] // 3), (0 * A, 0 * V, 0 * B)]:
        for mine, theirs in zip(leaves(compiled(*args)), leaves(function(*args)), strict=True):
            assert type(mine) is type(theirs)
            np.testing.assert_array_equal(mine, theirs, strict=True)


def test_counts_of_what_may_be_negative():
    compiled = ingot.jit(lambda v: np.bincount(np.clip(v, -1, 7)))
    np.testing.assert_array_equal(compiled(np.abs(V)), np.bincount(np.abs(V)))
    with pytest.raises(ValueError, match="must have no negative elements"):
        compiled(V)
    with pytest.raises(ingot.UnsupportedError, match="without minlength="):
        ingot.jit(np.bincount)(np.abs(V))
