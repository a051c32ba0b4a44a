"""scipy.linalg: norms, solutions and eigenvalues, which np.linalg has under other conventions."""

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library.matrices import _as_lapack, _finite, _square


def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    given = np.asarray(a)
    found = np.linalg.norm(_finite(a, check_finite), ord, axis, keepdims)
    of_blas = given.dtype.kind in "fc" and given.dtype != np.float16 and given.size > 0
    if not of_blas or axis is not None or keepdims:
        return found
    # BLAS and LAPACK give numbers of Python's.
    is_euclidean = given.ndim == 1 and ord in (None, 2)
    is_of_lapack = given.ndim == 2 and ord in (1, np.inf) and prim.is_in_one_order(given)
    return float(found) if is_euclidean or is_of_lapack else found


def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True,
          assume_a=None, transposed=False):  # fmt: skip
    if assume_a not in (None, "gen", "general"):
        raise NotImplementedError(f"assume_a={assume_a!r} is not supported; leave it out")
    a, b = _square(a, check_finite), _finite(b, check_finite)
    if a.ndim != 2 or b.ndim not in (1, 2):
        raise NotImplementedError("stacks of matrices are not supported here; use ingot.vmap")
    if a.shape[0] != b.shape[0]:
        raise ValueError("Input b has to have same number of rows as input a")
    found = np.linalg.solve(a.T if transposed else a, b)
    return _as_lapack(found) if prim.scipy_is_before(1, 17) else found


def _of_problem(a, b, lower, type, check_finite):
    """The matrix c of the problem c y = w y that a x = w b x becomes, and the factor that makes
    x of y; None if there is no b."""
    a = _square(a, check_finite)
    if a.ndim != 2:
        raise NotImplementedError("stacks of matrices are not supported here; use ingot.vmap")
    below = np.tril(a, -1) if lower else np.conj(np.triu(a, 1).T)
    a = below + np.conj(below.T) + np.diag(np.diagonal(a).real)
    if b is None:
        return a, None
    if type != 1:
        raise NotImplementedError("type= is not supported; write the problem as a x = w b x")
    b = _square(b, check_finite)
    if a.shape != b.shape:
        raise ValueError(f"wrong b dimensions {b.shape}, should be {a.shape}")
    factor = np.linalg.cholesky(b if lower else np.conj(b.T))
    dtype = np.result_type(a, factor)
    factor = factor.astype(dtype)
    half = prim.triangular_solve(factor, a.astype(dtype), True, False)
    return prim.triangular_solve(factor, np.conj(half.T), True, False), factor


def _refuse_subsets(by_index, by_value):
    if by_index is not None or by_value is not None:
        raise NotImplementedError("subset_by_index= and subset_by_value= are not supported")


def eigh(a, b=None, *, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False,
         type=1, check_finite=True, subset_by_index=None, subset_by_value=None, driver=None):  # fmt: skip
    _refuse_subsets(subset_by_index, subset_by_value)
    matrix, factor = _of_problem(a, b, lower, type, check_finite)
    if eigvals_only:
        return np.linalg.eigvalsh(matrix)
    values, vectors = np.linalg.eigh(matrix)
    if factor is not None:
        vectors = prim.triangular_solve(np.conj(factor.T), vectors, False, False)
    return values, _as_lapack(vectors)


def eigvalsh(a, b=None, *, lower=True, overwrite_a=False, overwrite_b=False, type=1,
             check_finite=True, subset_by_index=None, subset_by_value=None, driver=None):  # fmt: skip
    _refuse_subsets(subset_by_index, subset_by_value)
    return np.linalg.eigvalsh(_of_problem(a, b, lower, type, check_finite)[0])


def eigvals(a, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False):
    if b is not None or homogeneous_eigvals:
        raise NotImplementedError("generalized problems are not supported; use eigvals(inv(b) @ a)")
    return np.linalg.eigvals(_square(a, check_finite))


def eig(a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False,
        check_finite=True, homogeneous_eigvals=False):  # fmt: skip
    if b is not None or homogeneous_eigvals or left:
        raise NotImplementedError("generalized problems and left= are not supported")
    if not right:
        return np.linalg.eigvals(_square(a, check_finite))
    values, vectors = np.linalg.eig(_square(a, check_finite))
    return values, _as_lapack(vectors)


def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True,
        lapack_driver="gesdd"):  # fmt: skip
    a = _finite(a, check_finite)
    if not compute_uv:
        return np.linalg.svd(a, full_matrices, False)
    u, s, vh = np.linalg.svd(a, full_matrices)
    return _as_lapack(u), s, _as_lapack(vh)


def svdvals(a, overwrite_a=False, check_finite=True):
    return np.linalg.svd(_finite(a, check_finite), compute_uv=False)
