"""`ufunc.reduce`, `accumulate`, `reduceat` and `at` as loops over the elements, in order."""

import math

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library.edges import edge


def reduce(
    ufunc, array, axis=0, dtype=None, out=None, keepdims=False, initial=np._NoValue, where=True
):
    a = np.asarray(array)
    along, items = prim.reduced_last(a, prim.fold_axes(ufunc, axis, a.ndim))
    to, item = prim.fold_dtypes(ufunc, "reduce", a.dtype, dtype, out)
    masks = None
    if where is not True:
        masks = prim.reduced_last(np.broadcast_to(np.asarray(where, bool), a.shape), along)[1]
    start = ufunc.identity if initial is np._NoValue else initial
    if ufunc is np.hypot and initial is np._NoValue and to.itemsize > 2:
        sides = items if masks is None else np.where(masks, items, 0)
        return prim.finish(_root_of_squares(sides.astype(to)), a, along, keepdims, out)
    if start is None:
        if masks is not None:
            raise ValueError(
                f"reduction operation '{ufunc.__name__}' does not have an identity, so to use a "
                "where mask one has to specify 'initial'"
            )
        if items.shape[-1] == 0:
            raise ValueError(
                f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
            )
        total, rest = items[..., 0].astype(to), items[..., 1:]
    else:
        total, rest = np.full(items.shape[:-1], np.asarray(start).astype(to)), items
    for i in range(rest.shape[-1]):
        following = np.asarray(ufunc(total, rest[..., i].astype(item))).astype(to)
        total = following if masks is None else np.where(masks[..., i], following, total)
    return prim.finish(total, a, along, keepdims, out)


def _root_of_squares(x):
    """What `hypot` reduces the last axis to. All elements are squared at once: of steps from one to
    the next those of zeros would have no second derivatives."""
    size = np.max(np.abs(x), -1, keepdims=True, initial=0)
    scale = np.where(np.isfinite(size) & (size > 0), size, 1)
    scale = np.asarray(prim.unary("stop_gradient", scale))
    total = scale[..., 0] * np.sqrt(np.sum((x / scale) ** 2, -1))
    # It is infinite beside NaN, too.
    return np.where(np.any(np.isinf(x), -1), edge(x.dtype.type(np.inf), total), total)


def accumulate(ufunc, array, axis=0, dtype=None, out=None):
    a = np.asarray(array)
    axis = prim.fold_axis("accumulate", axis, a.ndim)
    to, item = prim.fold_dtypes(ufunc, "accumulate", a.dtype, dtype, out)
    moved = np.moveaxis(a, axis, 0)
    found = moved.astype(to)
    for i in range(1, moved.shape[0]):
        found[i] = ufunc(found[i - 1], moved[i].astype(item))
    return prim.into(np.moveaxis(found, 0, axis).copy(), out, "unsafe")


def accumulate_any(ufunc, array, axis, dtype):
    """`accumulate` along an axis of open size that may be empty: an extra element makes the axis
    nonempty, and is cut off."""
    one = np.zeros((*array.shape[:axis], 1, *array.shape[axis + 1 :]), array.dtype)
    found = accumulate(ufunc, np.concatenate([array, one], axis), axis, dtype)
    return found[(slice(None),) * axis + (slice(array.shape[axis]),)].copy()


def of_halves(ufunc, a, along, start):
    """A sum or product of float16, rounded as NumPy rounds it.

    NumPy computes in float32 along the reduced axes that are innermost in memory, and rounds to
    float16 after each step along the others.
    """
    outer, inner = prim.split_by_memory_order(a, along)
    kept = [i for i in range(a.ndim) if i not in along]
    sizes = [a.shape[i] for i in kept]
    steps, width = (math.prod([a.shape[i] for i in axes]) for axes in (outer, inner))
    moved = np.transpose(a, (*outer, *kept, *inner)).astype(np.float32)
    parts = ufunc.reduce(moved.reshape((steps, *sizes, width)), axis=-1)
    total = np.full(sizes, start)
    for i in range(steps):
        total = np.asarray(ufunc(total.astype(np.float32), parts[i])).astype(np.float16)
    return total


def from_negative_zero(a, along, total):
    """`np.sum(a, along, initial=-0.0)`, given the sum that begins with 0.0."""
    return np.where(np.all((a == 0) & np.signbit(a), along), -0.0, total).astype(total.dtype)


def reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):
    a, starts = np.asarray(array), np.asarray(indices)
    axis = prim.fold_axis("reduceat", axis, a.ndim)
    if starts.ndim != 1:
        raise ValueError("the indices of ufunc.reduceat have one axis")
    to, _ = prim.fold_dtypes(ufunc, "reduceat", a.dtype, dtype, out)
    items = np.moveaxis(a, axis, -1).astype(to)
    n = items.shape[-1]
    starts = starts.astype(np.int64)
    inside = np.all((starts >= 0) & (starts < n))
    prim.require(inside, "IndexError", f"index out-of-bounds in {ufunc.__name__}.reduceat [0, {n})")
    ends = np.append(starts[1:], n)
    total = np.take(items, starts, -1)
    # In each step all segments that are long enough take in their next element.
    for step in range(1, n if starts.size > 0 else 0):
        positions = starts + step
        following = ufunc(total, np.take(items, np.minimum(positions, n - 1), -1)).astype(to)
        total = np.where(positions < ends, following, total)
    return prim.into(np.moveaxis(total, -1, axis).copy(), out, "unsafe")


def at(ufunc, a, indices, values):
    line = prim.flat(a)
    found = np.asarray(np.arange(a.size).reshape(a.shape)[indices])
    positions = found.ravel()
    given = [np.broadcast_to(each, found.shape).ravel() for each in values]
    for i in range(positions.size):
        new = ufunc(line[positions[i]], *[each[i] for each in given])
        line[positions[i]] = np.asarray(new).astype(a.dtype)


def copy_in_order(target, value, where, order):
    """`target[...] = value` along one axis, the first element first, or the last one if `order` is
    -1; only where a mask is true, if there is one."""
    for k in range(target.size):
        i = k if order > 0 else target.size - 1 - k
        if where is True or where[i]:
            target[i] = value[i]
