"""np.pad."""

import numpy as np

from ingot.numpy import primitives as prim

#: The keyword argument that each mode accepts.
_OPTIONS = {
    "constant": "constant_values", "empty": "", "edge": "", "wrap": "", "linear_ramp": "end_values",
    "maximum": "stat_length", "minimum": "stat_length", "mean": "stat_length",
    "median": "stat_length", "reflect": "reflect_type", "symmetric": "reflect_type",
}  # fmt: skip


def pad(array, pad_width, mode="constant", **kwargs):
    array = np.asarray(array)
    if isinstance(pad_width, dict):
        pad_width = prim.pairs_of_axes(pad_width, array.ndim)
    widths = prim.pairs(prim.static(pad_width, "the widths of np.pad"), array.ndim)
    if callable(mode):
        raise NotImplementedError("a function as mode= of np.pad is not supported")
    if mode not in _OPTIONS:
        raise ValueError(f"mode '{mode}' is not supported")
    for name in kwargs:
        if name != _OPTIONS[mode]:
            raise ValueError(f"unsupported keyword arguments for mode '{mode}': {name}")
    for before, after in prim.static_items(widths):
        if before < 0 or after < 0:
            raise ValueError("index can't contain negative values")
    value = kwargs.get("constant_values", 0)
    if mode in ("constant", "empty") and np.ndim(value) == 0 and array.ndim:
        return prim.padded(array, widths, np.array([value], array.dtype)[0])
    for axis, (before, after) in prim.static_items(tuple(enumerate(widths))):
        if before + after:
            array = _padded(array, axis, before, after, mode, **kwargs)
    return array.copy()


def _padded(
    a, axis, before, after, mode, constant_values=0, end_values=0, stat_length=None,
    reflect_type="even",
):  # fmt: skip
    n = a.shape[axis]
    if mode in ("constant", "empty"):
        ends = prim.pairs(constant_values, a.ndim)[axis]
        left, right = [
            np.full(_resized(a.shape, axis, width), np.array([end], a.dtype), a.dtype)
            for end, width in zip(ends, (before, after))
        ]
        return np.concatenate((left, a, right), axis)
    if n == 0:
        raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant'")
    if reflect_type == "odd" and n > 1:
        return _mirrored(a, axis, before, after, mode == "symmetric")
    if mode in ("edge", "wrap", "reflect", "symmetric"):
        left, right = prim.pad_runs(n, before, after, mode)
        return np.concatenate((*_copied(a, axis, left), a, *_copied(a, axis, right)), axis)
    if mode == "linear_ramp":
        return _ramps(a, axis, before, after, end_values)
    reduce = {"maximum": np.max, "minimum": np.min, "mean": np.mean, "median": np.median}[mode]
    lengths = (n, n)
    if stat_length is not None:
        given = prim.static(stat_length, "stat_length")
        lengths = [_length(each, n, mode) for each in prim.pairs(given, a.ndim)[axis]]
    left = _statistic(reduce, _part(a, axis, 0, lengths[0]), axis, before)
    right = _statistic(reduce, _part(a, axis, n - lengths[1], n), axis, after)
    return np.concatenate((left, a, right), axis)


def _copied(a, axis, runs):
    """The parts of an axis that np.pad repeats."""
    parts = ()
    for first, count, step in prim.static_items(runs):
        last = first + (count - 1) * step
        part = _part(a, axis, min(first, last), max(first, last) + 1)
        if step < 0:
            part = np.flip(part, axis)
        parts = (*parts, part if step else np.repeat(part, count, axis))
    return parts


def _resized(shape, axis, n):
    return shape[:axis] + (n,) + shape[axis + 1 :]


def _part(a, axis, start, stop):
    return a[(slice(None),) * axis + (slice(start, stop),)]


def _length(given, n, mode):
    if given < 0:
        raise ValueError("index can't contain negative values")
    if given == 0 and mode in ("maximum", "minimum"):
        raise ValueError("stat_length of 0 yields no value for padding")
    if given == 0:
        raise NotImplementedError("stat_length=0 is not supported")
    return min(given, n)


def _statistic(reduce, part, axis, width):
    value = reduce(part, axis=axis, keepdims=True)
    if part.dtype.kind in "iu":
        value = np.round(value)
    return np.broadcast_to(value.astype(part.dtype), _resized(part.shape, axis, width))


def _mirrored(a, axis, before, after, has_edge):
    """Odd reflections at both ends; each pass reflects as much of the array as there is."""
    n, skipped = a.shape[axis], 0 if has_edge else 1
    while before or after:
        size = a.shape[axis]
        period = n - skipped
        length = (size - skipped) // period * period
        left, right = min(length, before), min(length, after)
        low = np.flip(_part(a, axis, skipped, skipped + left), axis)
        high = np.flip(_part(a, axis, size - skipped - right, size - skipped), axis)
        low = (2 * _part(a, axis, 0, 1) - low).astype(a.dtype)
        high = (2 * _part(a, axis, size - 1, size) - high).astype(a.dtype)
        a = np.concatenate((low, a, high), axis)
        before, after = before - left, after - right
    return a


def _ramps(a, axis, before, after, end_values):
    moved = np.moveaxis(a, axis, 0)
    ends = prim.pairs(end_values, a.ndim)[axis]
    low, high = [
        np.linspace(end, edge, width, endpoint=False, dtype=a.dtype)
        for end, edge, width in ((ends[0], moved[0], before), (ends[1], moved[-1], after))
    ]
    return np.moveaxis(np.concatenate((low, moved, np.flip(high, 0))), 0, axis)
