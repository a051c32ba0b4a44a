"""np.delete, np.insert, and np.roll of arrays of dynamic length."""

import numpy as np

from ingot.numpy import primitives as prim


def _numbers_of(obj):
    return (obj.start, obj.stop, obj.step) if isinstance(obj, slice) else (obj,)


def _static_positions(obj, n):
    """The positions that a static index along an axis of size n selects; they may be negative."""
    obj = prim.static(obj, "the positions of np.delete and np.insert")
    if isinstance(obj, slice):
        return list(range(*obj.indices(n)))
    if isinstance(obj, (int, np.integer)):
        return [obj]
    if not any([isinstance(each, (bool, np.bool_)) for each in obj]):
        return list(obj)
    if len(obj) != n:
        raise ValueError(f"a boolean array of length {len(obj)} for an axis of length {n}")
    return [i for i, chosen in enumerate(obj) if chosen]


def delete(arr, obj, axis=None):
    arr = np.asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    axis = prim.axis(axis, arr.ndim)
    n = arr.shape[axis]
    if isinstance(obj, (float, np.floating)):
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if not prim.is_static((n, *_numbers_of(obj))):
        return _deleted(arr, obj, axis, n)
    positions = _static_positions(obj, n)
    for position in prim.static_items(positions):
        if not -n <= position < n:
            raise IndexError(f"index {position} is out of bounds for axis {axis} with size {n}")
    gone = [position % n for position in positions]
    kept = [i for i in range(n) if i not in gone]
    return np.take(arr, np.array(kept, np.int64), axis=axis)


def insert(arr, obj, values, axis=None):
    arr = np.asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    axis = prim.axis(axis, arr.ndim)
    n = arr.shape[axis]
    is_number = isinstance(obj, (int, np.integer))
    if is_number and not prim.is_static((n, obj)):
        return _inserted(arr, obj, values, axis, n)
    positions = (obj,) if is_number else _static_positions(obj, n)
    for position in prim.static_items(positions):
        if not -n <= position <= n:
            raise IndexError(f"index {position} is out of bounds for axis {axis} with size {n}")
    positions = [position + n if position < 0 else position for position in positions]
    values = np.array(values, dtype=arr.dtype)
    if len(positions) == 1:
        values = values.reshape((1,) * max(arr.ndim - values.ndim, 0) + values.shape)
        values = np.moveaxis(values, 0, axis) if is_number else values
        positions = positions * values.shape[axis]
    # Every insertion before it moves an element on by one.
    targets = [
        p + sum([other < p or (other == p and k < i) for k, other in enumerate(positions)])
        for i, p in enumerate(positions)
    ]
    size = n + len(positions)
    kept = [i for i in range(size) if i not in targets]
    head = (slice(None),) * axis
    made = np.zeros((*arr.shape[:axis], size, *arr.shape[axis + 1 :]), arr.dtype)
    made[(*head, kept)] = arr
    made[(*head, targets)] = values
    return made


# Dynamic positions or lengths.


def _position(obj, n, last, axis):
    """A dynamic position, checked and counted from the beginning."""
    if isinstance(obj, (bool, np.bool_)):
        raise NotImplementedError("a boolean as a position is not supported")
    message = f"index is out of bounds for axis {axis}"
    prim.require((obj >= -n) & (obj <= last), "IndexError", message)
    return prim.bounded(np.where(obj < 0, obj + n, obj)[()], last)


def _along(axis, item):
    return item if axis == 0 else (slice(None),) * axis + (item,)


def _deleted(arr, obj, axis, n):
    if not isinstance(obj, slice) and np.ndim(obj) == 0:
        position = _position(obj, n, n - 1, axis)
        before, after = arr[_along(axis, slice(None, -1))], arr[_along(axis, slice(1, None))]
        positions = np.arange(before.shape[axis])[(slice(None),) + (None,) * (arr.ndim - axis - 1)]
        return np.where(positions < position, before, after)
    if not isinstance(obj, slice):
        obj = np.asarray(obj)
        if obj.ndim != 1 and obj.dtype.kind == "b":
            raise ValueError("boolean array argument obj to delete must be one dimensional")
        obj = obj.ravel()
        obj = obj if obj.dtype.kind in "biu" or obj.size != 0 else obj.astype(np.int64)
    if not isinstance(obj, slice) and obj.dtype.kind == "b":
        prim.require(obj.size == n, "ValueError", "the mask of np.delete has another length")
        return arr[_along(axis, ~obj)]
    keep = np.ones(n, bool)
    keep[obj] = False
    return arr[_along(axis, keep)]


def _inserted(arr, obj, values, axis, n):
    position = _position(obj, n, n, axis)
    values = np.asarray(values).astype(arr.dtype)
    values = values[(None,) * (arr.ndim - values.ndim)]
    if arr.ndim > 1:
        values = np.moveaxis(values, 0, axis)
        shape = [*arr.shape[:axis], values.shape[axis], *arr.shape[axis + 1 :]]
        values = np.broadcast_to(values, tuple(shape))
    head, tail = arr[_along(axis, slice(None, position))], arr[_along(axis, slice(position, None))]
    return np.concatenate([head, values, tail], axis=axis)


def rolled(a, shift, axis=None):
    """np.roll of a one-dimensional array of dynamic length."""
    if a.ndim != 1:
        raise NotImplementedError("np.roll of a run-time length takes arrays of one axis")
    if axis is not None:
        prim.axes(axis, a.ndim)
    n = a.shape[0]
    cut = n - shift % max(n, 1)
    return np.concatenate([a[cut:], a[:cut]])
