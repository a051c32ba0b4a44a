"""Norms of vectors and matrices, and condition numbers."""

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library.linalg import _factorable, _matrices, _singular_values


def _is_zero_of_none():
    """Whether the largest of no sizes is zero: it was an error before NumPy 2.4."""
    try:
        return np.linalg.norm(np.zeros(0), np.inf) == 0
    except ValueError:
        return False


_IS_ZERO_OF_NONE = _is_zero_of_none()


def norm(x, ord=None, axis=None, keepdims=False):
    x = np.asarray(x)
    if x.dtype.kind not in "fc":
        x = x.astype(np.float64)
    if axis is None:
        if ord is None or (ord in ("f", "fro") and x.ndim == 2) or (ord == 2 and x.ndim == 1):
            flat = x.ravel()
            found = np.sqrt(np.sum((flat * np.conj(flat)).real))
            return found.reshape((1,) * x.ndim) if keepdims and x.ndim else found
        axis = tuple(range(x.ndim))
    if isinstance(axis, list):
        raise TypeError("'axis' must be None, an integer or a tuple of integers")
    axes = prim.axes(axis, x.ndim)
    if len(axes) == 1:
        return _vector_norm(x, 2 if ord is None else ord, axes, keepdims)
    if len(axes) == 2:
        return _matrix_norm(x, "fro" if ord is None else ord, axes, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def _largest(sizes, axis, keepdims):
    if sizes.size == 0 and _IS_ZERO_OF_NONE:
        return np.max(sizes, axis, keepdims=keepdims, initial=0)
    return np.max(sizes, axis, keepdims=keepdims)


def _vector_norm(x, ord, axis, keepdims):
    size = np.abs(x)
    if ord == 2:
        return np.sqrt(np.sum((x * np.conj(x)).real, axis, keepdims=keepdims))
    if ord == np.inf:
        return _largest(size, axis, keepdims)
    if ord == -np.inf:
        return np.min(size, axis, keepdims=keepdims)
    if ord == 0:
        return np.sum((x != 0).astype(size.dtype), axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(size, axis, keepdims=keepdims)
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    total = np.sum(size ** size.dtype.type(ord), axis, keepdims=keepdims)
    return total ** size.dtype.type(1 / ord)


def _matrix_norm(x, ord, axes, keepdims):
    row, column = axes
    if ord in ("fro", "f"):
        found = np.sqrt(np.sum((x * np.conj(x)).real, axes))
    elif ord in (2, -2, "nuc"):
        s = _singular_values(np.moveaxis(_factorable(x), axes, (-2, -1)))
        found = np.sum(s, -1) if ord == "nuc" else np.max(s, -1) if ord == 2 else np.min(s, -1)
    elif ord in (1, -1, np.inf, -np.inf):
        along, other = (row, column) if ord in (1, -1) else (column, row)
        sums = np.sum(np.abs(x), along, keepdims=True)
        found = _largest(sums, axes, False) if ord > 0 else np.min(sums, axes)
    else:
        raise ValueError("Invalid norm order for matrices.")
    if not keepdims:
        return found
    return found.reshape(tuple(1 if i in axes else n for i, n in enumerate(x.shape)))


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    x = np.asarray(x)
    if x.dtype.kind not in "fc":
        x = x.astype(np.float64)
    if axis is None:
        found = _vector_norm(x.ravel(), ord, (0,), False)
        return found.reshape((1,) * x.ndim) if keepdims and x.ndim else found
    return _vector_norm(x, ord, prim.axes(axis, x.ndim), keepdims)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    x = _matrices(x)
    return _matrix_norm(x, ord, (x.ndim - 2, x.ndim - 1), keepdims)


def cond(x, p=None):
    x = _matrices(x)
    if p is None or p in (2, -2):
        s = _singular_values(x)
        found = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        found = norm(x, p, (-2, -1)) * norm(np.linalg.inv(x), p, (-2, -1))
    is_given = np.any(np.isnan(x), axis=(-2, -1))
    return np.where(np.isnan(found) & ~is_given, found.dtype.type(np.inf), found)[()]
