"""np.delete and np.insert, and what moves the elements of an array of run-time length."""

import numpy as np

from ingot.numpy import primitives as prim


def _numbers_of(obj):
    return (obj.start, obj.stop, obj.step) if isinstance(obj, slice) else (obj,)


def _given_places(obj, n):
    """The positions that an index along an axis of n names, as they are written."""
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
    if not prim.is_static((n, *_numbers_of(obj))):
        return _deleted(arr, obj, axis, n)
    places = _given_places(obj, n)
    for place in prim.static_items(places):
        if not -n <= place < n:
            raise IndexError(f"index {place} is out of bounds for axis {axis} with size {n}")
    gone = [place % n for place in places]
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
    places = (obj,) if is_number else _given_places(obj, n)
    for place in prim.static_items(places):
        if not -n <= place <= n:
            raise IndexError(f"index {place} is out of bounds for axis {axis} with size {n}")
    places = [place + n if place < 0 else place for place in places]
    values = np.array(values, dtype=arr.dtype)
    if len(places) == 1:
        values = values.reshape((1,) * max(arr.ndim - values.ndim, 0) + values.shape)
        values = np.moveaxis(values, 0, axis) if is_number else values
        places = places * values.shape[axis]
    # Each comes after those inserted before it.
    targets = [
        place + sum([other < place or (other == place and k < i) for k, other in enumerate(places)])
        for i, place in enumerate(places)
    ]
    size = n + len(places)
    kept = [i for i in range(size) if i not in targets]
    head = (slice(None),) * axis
    made = np.zeros((*arr.shape[:axis], size, *arr.shape[axis + 1 :]), arr.dtype)
    made[(*head, kept)] = arr
    made[(*head, targets)] = values
    return made


# Where run time knows the positions, or the length.


def _place(obj, n, last, axis):
    """A position from the beginning, which is checked."""
    if isinstance(obj, (bool, np.bool_)):
        raise NotImplementedError("a boolean in place of a position is not supported")
    message = f"index is out of bounds for axis {axis}"
    prim.require((obj >= -n) & (obj <= last), "IndexError", message)
    return prim.bounded(np.where(obj < 0, obj + n, obj)[()], last)


def _along(axis, item):
    return item if axis == 0 else (slice(None),) * axis + (item,)


def _deleted(arr, obj, axis, n):
    if not isinstance(obj, slice) and np.ndim(obj) == 0:
        place = _place(obj, n, n - 1, axis)
        before, after = arr[_along(axis, slice(None, -1))], arr[_along(axis, slice(1, None))]
        places = np.arange(before.shape[axis])[(slice(None),) + (None,) * (arr.ndim - axis - 1)]
        return np.where(places < place, before, after)
    if not isinstance(obj, slice):
        obj = np.asarray(obj)
        if obj.ndim != 1:
            raise NotImplementedError("np.delete takes positions of one axis")
        obj = obj if obj.dtype.kind in "biu" or obj.size != 0 else obj.astype(np.int64)
    if not isinstance(obj, slice) and obj.dtype.kind == "b":
        prim.require(obj.size == n, "ValueError", "the mask of np.delete has another length")
        return arr[_along(axis, ~obj)]
    keep = np.ones(n, bool)
    keep[obj] = False
    return arr[_along(axis, keep)]


def _inserted(arr, obj, values, axis, n):
    place = _place(obj, n, n, axis)
    values = np.asarray(values).astype(arr.dtype)
    values = values[(None,) * (arr.ndim - values.ndim)]
    if arr.ndim > 1:
        values = np.moveaxis(values, 0, axis)
        shape = [*arr.shape[:axis], values.shape[axis], *arr.shape[axis + 1 :]]
        values = np.broadcast_to(values, tuple(shape))
    head, tail = arr[_along(axis, slice(None, place))], arr[_along(axis, slice(place, None))]
    return np.concatenate([head, values, tail], axis=axis)


def rolled(a, shift, axis=None):
    """np.roll of an array of one axis, whose length run time knows."""
    if a.ndim != 1:
        raise NotImplementedError("np.roll of a run-time length takes arrays of one axis")
    n = a.shape[0]
    cut = n - shift % max(n, 1)
    return np.concatenate([a[cut:], a[:cut]])
