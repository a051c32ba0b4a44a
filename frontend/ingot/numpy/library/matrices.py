"""scipy.linalg: triangular, banded and factored systems, and matrix functions."""

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import linalg


def _finite(a, check):
    a = np.asarray(a)
    if a.dtype.kind in "biu" or a.dtype == np.float16:
        a = a.astype(np.float64 if a.dtype.kind in "biu" else np.float32)
    if check:
        prim.require(np.all(np.isfinite(a)), "ValueError", "array must not contain infs or NaNs")
    return a


def _square(a, check=True):
    a = _finite(a, check)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"expected square matrix, but got {a.shape}")
    return a


def _columns(a, b):
    """A matrix and right-hand sides in their common dtype, the latter as columns."""
    if a.ndim != 2 or b.ndim not in (1, 2):
        raise NotImplementedError("stacks of matrices are not supported here; use ingot.vmap")
    if a.shape[0] != b.shape[0]:
        raise ValueError(f"shapes of a {a.shape} and b {b.shape} are incompatible")
    dtype = np.result_type(a, b)
    return a.astype(dtype), (b[:, None] if b.ndim == 1 else b).astype(dtype)


def _as_given(x, b):
    return x[:, 0].copy() if b.ndim == 1 else _as_lapack(x)


def _as_lapack(a):
    """A matrix in Fortran order, as LAPACK returns it."""
    return a.copy(order="F") if a.ndim == 2 else a


def _as_factor(a):
    """A Cholesky factor, which SciPy gives in C order from 1.18 on."""
    return _as_lapack(a) if prim.scipy_is_before(1, 18) else a.copy()


def solve_triangular(
    a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True
):
    a, b = _square(a, check_finite), _finite(b, check_finite)
    matrix, columns = _columns(a, b)
    if not unit_diagonal:
        is_regular = np.all(np.diagonal(matrix) != 0)
        prim.require(is_regular, "LinAlgError", "singular matrix: a diagonal element is zero")
    if trans in (1, 2, "T", "C"):
        matrix, lower = matrix.T, not lower
        matrix = np.conj(matrix) if trans in (2, "C") else matrix
    elif trans not in (0, "N"):
        raise ValueError(f"trans must be 0, 1, 2, 'N', 'T' or 'C', not {trans!r}")
    return _as_given(prim.triangular_solve(matrix, columns, bool(lower), bool(unit_diagonal)), b)


def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    lower, upper = l_and_u
    ab, b = _finite(ab, check_finite), _finite(b, check_finite)
    n = ab.shape[-1]
    if n != b.shape[0]:
        raise ValueError("shapes of ab and b are not compatible.")
    if lower + upper + 1 != ab.shape[0]:
        raise ValueError(
            f"invalid values for the number of lower and upper diagonals: l+u+1 ({lower + upper + 1}) "
            f"does not equal ab.shape[0] ({ab.shape[0]})"
        )
    # Element (i, j) lies in row upper + i - j.
    row = upper + np.arange(n)[:, None] - np.arange(n)
    inside = (row >= 0) & (row < ab.shape[0])
    full = np.take_along_axis(ab, np.where(inside, row, 0), 0)
    return _as_lapack(np.linalg.solve(np.where(inside, full, 0), b))


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    return _as_factor(np.linalg.cholesky(_square(a, check_finite), upper=not lower))


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    a = _square(a, check_finite)
    factor = np.linalg.cholesky(a, upper=not lower)
    if prim.scipy_is_before(1, 18):
        # It leaves the elements of the input in the other triangle.
        is_part = np.tril(np.ones(a.shape[-2:], bool))
        factor = np.where(is_part if lower else is_part.T, factor, a)
    return _as_factor(factor), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    c, lower = c_and_lower
    c, b = _square(c, check_finite), _finite(b, check_finite)
    matrix, columns = _columns(c, b)
    adjoint = linalg._adjoint(matrix)
    first, second = (matrix, adjoint) if lower else (adjoint, matrix)
    half = prim.triangular_solve(first, columns, True, False)
    return _as_given(prim.triangular_solve(second, half, False, False), b)


def inv(a, overwrite_a=False, check_finite=True):
    return np.linalg.inv(_square(a, check_finite))


def det(a, overwrite_a=False, check_finite=True):
    return np.linalg.det(_square(a, check_finite))


#: Coefficients of the Padé approximant of exp of degree 13, and the norm up to which it is accurate
#: (Higham, 2005).
_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
    129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0,
    960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
_EXACT = 4.25


def expm(A):
    a = np.asarray(A)
    if a.dtype.kind in "biu":
        a = a.astype(np.float64)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError("Last 2 dimensions of the array must be square")
    if a.size == 0:
        return a.copy()
    size = np.max(np.sum(np.abs(a), axis=-2))
    is_fine = np.isfinite(size) & (size > 0)
    halvings = np.ceil(np.log2(np.where(is_fine, size, 1.0) / _EXACT))
    halvings = int(np.maximum(halvings, 0.0))
    found = _exp_of_small(a / np.exp2(halvings).astype(a.real.dtype))
    for _ in range(halvings):
        found = found @ found
    return found


def _exp_of_small(a):
    one = np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)
    b = [a.real.dtype.type(each) for each in _PADE]
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    odd = a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2
    odd = a @ (odd + b[1] * one)
    even = a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2
    even = even + b[0] * one
    return np.linalg.solve(even - odd, even + odd)


def sqrtm(A):
    a = _square(A, False)
    if a.size == 0:
        return a.copy()
    one = np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)
    root, product = a, a
    # The product form of the Denman-Beavers iteration (Higham, 2008).
    for _ in range(40):
        inverse = linalg._solve(product, one, checked=False)
        root = 0.5 * (root @ (one + inverse))
        product = 0.5 * (one + 0.5 * (product + inverse))
    gap = np.max(np.abs(root @ root - a))
    prim.require(
        gap <= 1e4 * np.finfo(a.dtype).eps * np.max(np.abs(a)) * a.shape[-1],
        "NotImplementedError",
        "the square root of a matrix with an eigenvalue that is 0 or negative is not supported",
    )
    return root


def block_diag(*arrs):
    parts = [np.atleast_2d(np.asarray(each)) for each in arrs]
    dtype = np.result_type(*parts)
    made = np.zeros((sum([a.shape[0] for a in parts]), sum([a.shape[1] for a in parts])), dtype)
    row, column = 0, 0
    for a in prim.static_items(parts):
        made[row : row + a.shape[0], column : column + a.shape[1]] = a
        row, column = row + a.shape[0], column + a.shape[1]
    return made


def toeplitz(c, r=None):
    if np.ndim(c) > 1 or np.ndim(r) > 1:
        # Of several axes SciPy makes one matrix or a batch of them, depending on its version.
        raise NotImplementedError("scipy.linalg.toeplitz of arrays with several axes")
    c = np.ravel(c)
    r = np.conj(c) if r is None else np.ravel(r)
    values = np.concatenate((c[::-1], r[1:]))
    index = len(c) - 1 - np.arange(len(c))[:, None] + np.arange(len(r))
    return values[index]
