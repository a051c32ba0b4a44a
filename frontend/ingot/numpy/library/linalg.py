"""np.linalg, by the factorisations that are operations of the dialect."""

import functools
import math

import numpy as np
from numpy.linalg import LinAlgError
from numpy.linalg._linalg import EighResult, EigResult, QRResult, SVDResult

from ingot.numpy import primitives as prim


def _factorable(a):
    a = np.asarray(a)
    if a.dtype == np.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    return a


def _matrices(a):
    """A stack of matrices of floats; raises what NumPy raises for other arguments."""
    a = _factorable(a)
    if a.ndim < 2:
        raise LinAlgError(
            f"{a.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    return a.astype(np.float64) if a.dtype.kind in "biu" else a


def _square(a):
    a = _matrices(a)
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return a


def _adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def _double(a):
    """A copy in double precision, in which NumPy factorises before it rounds the results."""
    return a.astype(np.result_type(a, np.float64))


def _rounded(x, a):
    return x.astype(a.dtype if x.dtype.kind == "c" else a.real.dtype)


def _succeeded(failed, message):
    prim.require(np.all(failed == 0), "LinAlgError", message)


def cholesky(a, /, *, upper=False):
    a = _square(a)
    if a.size == 0:
        return a.copy()
    lower = prim.cholesky(_double(_adjoint(a) if upper else a))
    diagonal = np.diagonal(lower, axis1=-2, axis2=-1)
    prim.require(~np.any(np.isnan(diagonal)), "LinAlgError", "Matrix is not positive definite")
    lower = _rounded(lower, a)
    return _adjoint(lower).copy() if upper else lower


def _permutation(pivots, n):
    """The order of the n rows after the row exchanges of an LU factorisation."""
    rows = np.zeros(pivots.shape[:-1] + (n,), np.int64) + np.arange(n)
    pivots = prim.bounded(pivots.astype(np.int64), n - 1)
    for i in range(pivots.shape[-1]):
        other = pivots[..., i : i + 1]
        mine, theirs = rows[..., i : i + 1].copy(), np.take_along_axis(rows, other, -1)
        np.put_along_axis(rows, other, mine, -1)
        rows[..., i : i + 1] = theirs
    return prim.bounded(rows, n - 1)


def _solve(a, b, checked=True):
    """The solution x of a x = b, for stacks of matrices with equal dtypes and batch shapes."""
    if a.size == 0 or b.size == 0:
        return np.zeros(b.shape, b.dtype)
    if a.shape[-1] <= _FEW:
        x, failed = prim.custom_jvp(_called_solve, _tangent_by_inverse, _double(a), _double(b))
    else:
        x, failed = _called_solve(_double(a), _double(b))
    if checked:
        _succeeded(failed, "Singular matrix")
    return _rounded(x, a)


#: The most equations for which derivatives take the inverse of the matrix. It is a call of NumPy's
#: in a kernel, where LU factors, which take less work, would be XLA's.
_FEW = 32


def _called_solve(a, b):
    return prim.numpy_function("solve", _solved, a, b)


def _tangent_by_inverse(primals, tangents):
    a, b = primals
    x, failed = _called_solve(a, b)
    return (x, failed), (_inverse(a)[0] @ (tangents[1] - tangents[0] @ x), None)


def _solved(a, b):
    lu, pivots = prim.lu(a)
    return _solution(a, b, lu, _permutation(pivots, a.shape[-1])), _is_singular(lu)


def _is_singular(lu):
    return np.any(np.diagonal(lu, axis1=-2, axis2=-1) == 0, axis=-1).astype(np.int32)


def _solution(a, b, lu, rows):
    """The solution x of a x = b, by the factors of a, which its derivative uses again."""
    return prim.custom_jvp(_substituted, _tangent_of_solution, a, b, lu, rows)


def _substituted(a, b, lu, rows):
    y = prim.triangular_solve(lu, np.take_along_axis(b, rows[..., None], -2), True, True)
    return prim.triangular_solve(lu, y, False, False)


def _tangent_of_solution(primals, tangents):
    a, b, lu, rows = primals
    x = _solution(a, b, lu, rows)
    return x, _solution(a, tangents[1] - tangents[0] @ x, lu, rows)


def _stacked(*arrays):
    """Arrays with their batch axes broadcast, in their common dtype."""
    dtype = np.result_type(*arrays)
    stack = np.broadcast_shapes(*[a.shape[:-2] for a in arrays])
    return [np.broadcast_to(a, stack + a.shape[-2:]).astype(dtype) for a in arrays]


def solve(a, b):
    a, b = _square(a), _factorable(b)
    if b.dtype.kind in "biu":
        b = b.astype(np.float64)
    is_vector = b.ndim == 1
    if is_vector:
        b = b[:, None]
    if b.ndim < 2 or b.shape[-2] != a.shape[-1]:
        raise ValueError(
            "solve: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
            f"signature (m,m),(m,n)->(m,n) (size {b.shape[0]} is different from {a.shape[-1]})"
        )
    a, b = _stacked(a, b)
    x = _solve(a, b)
    return x[..., 0].copy() if is_vector else x


def inv(a):
    a = _square(a)
    if a.size == 0:
        return a.copy()
    x, failed = _inverse(_double(a))
    _succeeded(failed, "Singular matrix")
    return _rounded(x, a)


def _inverse(a):
    return prim.custom_jvp(_called_inverse, _inverse_tangent, a)


def _called_inverse(a):
    return prim.numpy_function("inv", _inverted, a)


def _inverted(a):
    return _solved(a, np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape).copy())


def _inverse_tangent(primals, tangents):
    x, failed = _called_inverse(primals[0])
    return (x, failed), (-(x @ tangents[0] @ x), None)


def qr(a, mode="reduced"):
    a = _matrices(a)
    if mode not in ("reduced", "complete", "r"):
        raise NotImplementedError(f"mode={mode!r} of qr is not supported; use 'reduced'")
    rows, columns = a.shape[-2:]
    if a.size == 0:
        inner = rows if mode == "complete" else min(rows, columns)
        q = np.broadcast_to(np.eye(rows, inner, dtype=a.dtype), a.shape[:-2] + (rows, inner)).copy()
        r = np.zeros(a.shape[:-2] + (inner, columns), a.dtype)
    else:
        q, r = prim.qr(_double(a), mode == "complete")
        q, r = _rounded(q, a), _rounded(r, a)
    return np.triu(r) if mode == "r" else QRResult(q, np.triu(r))


def _singular_values(a):
    """The singular values alone, for which NumPy returns NaN instead of raising."""
    if a.size == 0:
        raise NotImplementedError("the svd of an empty matrix is not supported")
    finite = np.isfinite(a)
    s = _rounded(prim.svd(_double(np.where(finite, a, 0)), False)[1], a)
    return np.where(np.all(finite, axis=(-2, -1))[..., None], s, s.dtype.type(np.nan))


def _svd(a, full_matrices):
    if a.size == 0:
        raise NotImplementedError("the svd of an empty matrix is not supported")
    finite = np.isfinite(a)
    prim.require(np.all(finite), "LinAlgError", "SVD did not converge")
    u, s, vh, info = prim.svd(_double(np.where(finite, a, 0)), full_matrices)
    _succeeded(info, "SVD did not converge")
    return _rounded(u, a), _rounded(s, a), _rounded(vh, a)


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    a = _matrices(a)
    if hermitian:
        return _svd_of_hermitian(a) if compute_uv else _magnitudes(a)
    if not compute_uv:
        return _singular_values(a)
    u, s, vh = _svd(a, bool(full_matrices))
    return SVDResult(u, s, vh)


def _svd_of_hermitian(a):
    """The SVD from the eigenvalues, which depends on the lower triangle only, as NumPy's does."""
    values, vectors = eigh(a)
    order = np.argsort(np.abs(values), axis=-1)[..., ::-1]
    values = np.take_along_axis(values, order, -1)
    u = np.take_along_axis(vectors, order[..., None, :], -1)
    return SVDResult(u, np.abs(values), _adjoint(u * np.sign(values)[..., None, :]))


def _magnitudes(a):
    """The magnitudes of the eigenvalues of Hermitian matrices, in descending order."""
    return np.sort(np.abs(eigvalsh(a)))[..., ::-1]


def _mirrored(a):
    """The Hermitian matrices with these lower triangles."""
    lower = np.tril(a, -1)
    diagonal = np.real(np.diagonal(a, axis1=-2, axis2=-1))[..., None] * np.eye(a.shape[-1])
    return (lower + _adjoint(lower) + diagonal).astype(a.dtype)


def svdvals(x, /):
    return _singular_values(_matrices(x))


def _eigh(a, UPLO):
    a = _square(a)
    if UPLO not in ("L", "U", "l", "u"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    if a.size == 0:
        return np.zeros(a.shape[:-1], a.real.dtype), a.copy()
    w, v, info = prim.eigh(_double(a), UPLO in ("L", "l"))
    _succeeded(info, "Eigenvalues did not converge")
    return _rounded(w, a), _rounded(v, a)


def eigh(a, UPLO="L"):
    w, v = _eigh(a, UPLO)
    return EighResult(w, v)


def eigvalsh(a, UPLO="L"):
    return _eigh(a, UPLO)[0]


def _eig_arguments(a):
    """A stack of square matrices in double precision, and one for the dtype of the results."""
    a = _square(a)
    like = a.astype(np.result_type(a, np.complex64))
    if a.size == 0:
        return a, like
    finite = np.isfinite(a)
    prim.require(np.all(finite), "LinAlgError", "Array must not contain infs or NaNs")
    # LAPACK prints a message about others before it returns.
    return _double(np.where(finite, a, 0)), like


# NumPy takes real matrices as such, and finds their eigenvalues in another order.


def _eig_of_real(a):
    return prim.eig(a.astype(np.complex128))


def _eigvals_of_real(a):
    w, _, failed = _eig_of_real(a)
    return w, failed


def eig(a):
    a, like = _eig_arguments(a)
    if a.size == 0:
        return EigResult(np.zeros(a.shape[:-1], like.dtype), like)
    if a.dtype.kind == "c":
        w, v, failed = prim.eig(a)
    else:
        w, v, failed = prim.numpy_function("eig", _eig_of_real, a)
    _succeeded(failed, "Eigenvalues did not converge")
    return EigResult(_rounded(w, like), _rounded(v, like))


def eigvals(a):
    a, like = _eig_arguments(a)
    if a.size == 0:
        return np.zeros(a.shape[:-1], like.dtype)
    if a.dtype.kind == "c":
        w, _, failed = prim.eig(a)
    else:
        w, failed = prim.numpy_function("eigvals", _eigvals_of_real, a)
    _succeeded(failed, "Eigenvalues did not converge")
    return _rounded(w, like)


def _largest(s):
    return np.max(s, axis=-1, keepdims=True)


def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    if np.size(a) == 0 and np.ndim(a) > 1:
        return np.zeros(np.shape(a)[:-2] + np.shape(a)[:-3:-1], np.asarray(a).dtype)
    a = _matrices(a)
    if hermitian and a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    a = _mirrored(a) if hermitian else a
    if rcond is None:
        rcond = 1e-15 if rtol is None else rtol
    u, s, vh = _svd(np.conj(a), False)
    large = s > np.asarray(rcond)[..., None] * _largest(s)
    s = np.where(large, 1 / np.where(large, s, 1), 0).astype(s.dtype)
    found = np.matmul(np.swapaxes(vh, -1, -2), s[..., None] * np.swapaxes(u, -1, -2))
    return prim.custom_jvp(_first, functools.partial(_pinv_tangent, rcond), found, a)


# The singular vectors of equal singular values have no derivatives, but these functions of them have.


def _first(found, *_):
    return found


def _pinv_tangent(rcond, primals, tangents):
    """The tangent of a pseudo-inverse where the rank stays the same (Golub and Pereyra, 1973)."""
    a, da = primals[1], tangents[1]
    p = pinv(a, rcond)
    left = np.eye(a.shape[-1], dtype=a.dtype) - p @ a
    right = np.eye(a.shape[-2], dtype=a.dtype) - a @ p
    made = p @ _adjoint(p) @ _adjoint(da) @ right + left @ _adjoint(da) @ _adjoint(p) @ p
    return None, made - p @ da @ p


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    A = np.asarray(A)
    if A.ndim < 2:
        return int(np.any(A != 0))
    A = _matrices(A)
    if hermitian and A.shape[-1] != A.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    s = _magnitudes(A) if hermitian else _singular_values(A)
    if tol is None:
        if rtol is None:
            rtol = max(A.shape[-2:]) * np.finfo(s.dtype).eps
        tol = _largest(s) * np.asarray(rtol)[..., None]
    else:
        tol = np.asarray(tol)[..., None]
    return np.count_nonzero(s > tol, axis=-1)


def _least_squares(a, b, rcond):
    """The least squares solution x of a x = b, the mask of the singular values greater than rcond
    times the largest one, and the singular values."""
    u, s, vh = _svd(a, False)
    large = s > rcond * s[0]
    weights = np.where(large, 1 / np.where(large, s, 1), 0).astype(s.dtype)
    x = _adjoint(vh) @ (weights[:, None] * (_adjoint(u) @ b))
    rule = functools.partial(_least_squares_tangent, rcond)
    return prim.custom_jvp(_first, rule, x, a, b), large, s


def _least_squares_tangent(rcond, primals, tangents):
    a, b, da, db = *primals[1:], *tangents[1:]
    p, x = pinv(a, rcond), _least_squares(a, b, rcond)[0]
    left = np.eye(a.shape[-1], dtype=a.dtype) - p @ a
    made = p @ (_adjoint(p) @ (_adjoint(da) @ (b - a @ x))) + left @ (
        _adjoint(da) @ (_adjoint(p) @ x)
    )
    return None, made + p @ (db - da @ x)


def lstsq(a, b, rcond=None):
    a, b = _matrices(a), _factorable(b)
    if b.dtype.kind in "biu":
        b = b.astype(np.float64)
    if a.ndim != 2 or b.ndim > 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if a.shape[0] != b.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    is_vector = b.ndim == 1
    if is_vector:
        b = b[:, None]
    a, b = _stacked(a, b)
    rows, columns = a.shape
    if rcond is None:
        rcond = np.finfo(a.dtype).eps * max(rows, columns)
    elif rcond == -1:
        rcond = np.finfo(a.dtype).eps
    x, residuals, rank, s, *_ = _solved_with_residuals(_double(a), _double(b), rcond)
    x, residuals, s = [_rounded(each, a) for each in (x, residuals, s)]
    if rows > columns:
        # NumPy returns no residuals unless the rank is full, which is known only at run time.
        prim.require(
            rank == columns,
            "NotImplementedError",
            "the residuals of a least squares problem without full rank have no known length",
        )
    else:
        residuals = np.zeros(0, s.dtype)
    return x[:, 0].copy() if is_vector else x, residuals, rank, s


def _solved_with_residuals(a, b, rcond):
    """What np.linalg.lstsq returns, with residuals in any case."""

    def definition(a, b, _):
        x, large, s = _least_squares(a, b, rcond)
        residuals = np.sum(np.abs(b - a @ x) ** 2, axis=0)
        return x, residuals, np.sum(large).astype(np.int32), s, np.zeros((), np.int32)

    if a.dtype.kind == "c" or a.size == 0 or b.size == 0:
        return definition(a, b, None)
    found = prim.numpy_function("lstsq", definition, a, b, np.array(rcond, np.float64))
    _succeeded(found[-1], "SVD did not converge in Linear Least Squares")
    return found


def matrix_power(a, n):
    a = np.asarray(a)
    _square(a)
    if not isinstance(n, (int, np.integer)):
        raise TypeError("exponent must be an integer")
    n = prim.static(n, "the exponent of matrix_power")
    if n < 0:
        a, n = inv(a), -n
    if n == 0:
        return np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape).copy()
    result = None
    for bit in prim.static_items(bin(n)[:1:-1]):
        if bit == "1":
            result = a if result is None else result @ a
        if bit != "b":
            a = a @ a
    return result


def multi_dot(arrays, *, out=None):
    arrays = [np.asarray(a) for a in arrays]
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(arrays) > 2:
        for i, a in enumerate(arrays):
            if a.ndim != 2 and not (a.ndim == 1 and i in (0, len(arrays) - 1)):
                raise LinAlgError(f"{a.ndim}-dimensional array given: it must be two-dimensional")
    result = arrays[0]
    for a in prim.static_items(arrays[1:]):
        result = np.dot(result, a)
    return prim.into(result, out)


def tensorinv(a, ind=2):
    a = np.asarray(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    if a.ndim == 0:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    shape = a.shape[ind:] + a.shape[:ind]
    rows = math.prod(a.shape[ind:])
    return inv(a.reshape(rows if rows == 0 else -1, rows)).reshape(shape)


def tensorsolve(a, b, axes=None):
    a, b = np.asarray(a), np.asarray(b)
    if axes is not None:
        last = prim.axes(tuple(axes), a.ndim)
        a = np.transpose(a, (*[i for i in range(a.ndim) if i not in last], *last))
    shape = a.shape[-(a.ndim - b.ndim) :]
    size = math.prod(shape)
    return solve(a.reshape(b.size, size), b.ravel()).reshape(shape)


def outer(x1, x2, /):
    x1, x2 = np.asarray(x1), np.asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            "Input arrays must be one-dimensional, but they are "
            f"x1.ndim={x1.ndim} and x2.ndim={x2.ndim}."
        )
    return np.outer(x1, x2)


def diagonal(x, /, *, offset=0):
    return np.diagonal(x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    return np.trace(x, offset, -2, -1, dtype=dtype)


def cross(x1, x2, /, *, axis=-1):
    x1, x2 = np.asarray(x1), np.asarray(x2)
    axis = prim.static(axis, "an axis")
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
            f"{x1.shape[axis]} and {x2.shape[axis]} dimensional instead."
        )
    return np.cross(x1, x2, axis=axis)


def tensordot(x1, x2, /, *, axes=2):
    return np.tensordot(x1, x2, axes=axes)


def matrix_transpose(x, /):
    return np.matrix_transpose(x)


def vecdot(x1, x2, /, *, axis=-1):
    return np.vecdot(x1, x2, axis=axis)
