"""`ufunc.reduce` and `ufunc.accumulate`, from the first element to the last."""

import numpy as np

from ingot.numpy import primitives as prim


def reduce(ufunc, array, axis=0, dtype=None, out=None, keepdims=False, initial=None):
    a = np.asarray(array)
    axes = prim.axes(axis, a.ndim)
    if len(axes) != 1:
        raise NotImplementedError("several axes here are not supported; reduce one after another")
    to, item = prim.folded_dtypes(ufunc, a.dtype, dtype)
    moved = np.moveaxis(a, axes[0], 0)
    n = moved.shape[0]
    if initial is not None:
        total = np.zeros(moved.shape[1:], to) + np.asarray(initial).astype(to)
    elif n == 0:
        raise NotImplementedError(f"{ufunc.__name__}.reduce of no elements is not supported")
    else:
        total = np.asarray(moved[0]).astype(to)
    for i in range(0 if initial is not None else 1, n):
        total = np.asarray(ufunc(total, moved[i].astype(item))).astype(to)
    return prim.finish(total, a, axes, keepdims, out)


def accumulate(ufunc, array, axis=0, dtype=None, out=None):
    a = np.asarray(array)
    axis = prim.axis(axis, a.ndim)
    to, item = prim.folded_dtypes(ufunc, a.dtype, dtype)
    moved = np.moveaxis(a, axis, 0)
    found = moved.astype(to)
    for i in range(1, moved.shape[0]):
        found[i] = ufunc(found[i - 1], moved[i].astype(item))
    return prim.into(np.moveaxis(found, 0, axis).copy(), out)
