"""np.r_[...] and np.c_[...]."""

import numpy as np

from ingot.numpy import primitives as prim


def joined(key, axis, ndmin, trans1d):
    """The parts of an index, joined along an axis.

    Args:
        key: the index: slices for ranges, arrays and numbers, perhaps after a directive such as
            "0,2,1", which replaces the other arguments.
        axis: the axis along which the parts are joined.
        ndmin: the least number of axes of each part.
        trans1d: the position among the axes of the result at which the axes of a part with fewer
            axes begin.
    """
    parts = key if isinstance(key, tuple) else (key,)
    if len(parts) and isinstance(parts[0], str):
        axis, ndmin, trans1d = _directive(parts[0], axis, ndmin, trans1d)
        parts = parts[1:]
    made = []
    for part in prim.static_items(parts):
        if isinstance(part, str):
            raise ValueError("special directives must be the first entry.")
        if isinstance(part, slice):
            made.append(_deep(_range(part), ndmin, trans1d, True))
        elif isinstance(part, (list, tuple)) or np.ndim(part) > 0:
            made.append(_deep(np.asarray(part), ndmin, trans1d, False))
        else:
            made.append(part)
    dtype = np.result_type(*made)
    wide = [np.asarray(part, dtype) for part in made]
    return np.concatenate([_deep(part, ndmin, -1, False) for part in wide], axis)


def _directive(text, axis, ndmin, trans1d):
    if text in ("r", "c"):
        raise NotImplementedError("np.matrix is not supported; join arrays of two axes")
    numbers = [int(each) for each in text.split(",")]
    if len(numbers) == 1:
        return numbers[0], ndmin, trans1d
    return numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else trans1d


def _range(part):
    start = 0 if part.start is None else part.start
    step = 1 if part.step is None else part.step
    if isinstance(step, (complex, np.complexfloating)):
        return np.linspace(start, part.stop, num=int(abs(step)))
    return np.arange(start, part.stop, step)


def _deep(a, ndmin, trans1d, is_range):
    """An array with at least `ndmin` axes."""
    missing = ndmin - a.ndim
    if missing <= 0:
        return a
    wide = a[(None,) * missing]
    if trans1d == -1:
        return wide
    if is_range:
        return np.swapaxes(wide, -1, trans1d)
    first = trans1d + missing + 1 if trans1d < 0 else trans1d
    axes = list(range(ndmin))
    return np.transpose(wide, axes[:first] + axes[missing:] + axes[first:missing])
