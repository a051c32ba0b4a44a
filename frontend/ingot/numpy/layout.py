"""The order of arrays in memory: where NumPy copies, and what it gives as a view.

`strides` of a storage are in elements, None for C order, () where they are not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ingot.syntax import views
from ingot.syntax.values import Array


def keeps_order(a: Array) -> bool:
    """Whether functions that keep the order of axes in memory give C order for this array."""
    if a.storage.strides == ():
        return False
    if a.ndim < 2 or (a.storage.strides is None and not a.views):
        return True
    # An axis of open size counts: without it the rest are in order, too.
    steps = [abs(s) for s, n in zip(model(a).strides, a.shape, strict=True) if n != 1]
    return steps == sorted(steps, reverse=True)


def ordered_as(made: Any, *sources: Any) -> Any:
    """Note of a new array that its order in memory is not known, if that of a source is not C."""
    arrays = [each for each in sources if isinstance(each, Array)]
    if isinstance(made, Array) and made.ndim > 1 and not all(map(keeps_order, arrays)):
        made.storage.strides = ()
    return made


def must_copy(a: Array, sizes: Sequence[int]) -> bool:
    """Whether NumPy's reshape of this view copies."""
    try:
        model(a).reshape(tuple(sizes), copy=False)
    except ValueError:
        return True
    return False


def model(a: Array) -> np.ndarray:
    """An array of NumPy's with the strides that the view has there; it has no data."""
    strides = a.storage.strides
    steps = _strides(a.storage.shape) if strides is None else tuple(8 * step for step in strides)
    model = np.lib.stride_tricks.as_strided(np.empty(1), shape=a.storage.shape, strides=steps)
    for step in a.views:
        if isinstance(step, views.Slice):
            key = tuple(
                0 if gone else slice(0, (n - 1) * s + 1 if n else 0, s)
                for n, s, gone in zip(step.sizes, step.strides, step.dropped, strict=True)
            )
            model = model[key]
        elif isinstance(step, views.Permute):
            model = model.transpose(step.axes)
        elif isinstance(step, views.Flip):
            model = np.flip(model, step.axes)
        elif isinstance(step, views.Broadcast):
            model = np.broadcast_to(model, step.shape)
        elif isinstance(step, views.Diagonal):
            model = np.moveaxis(np.diagonal(model, step.offset), -1, 0)
        else:
            model = model.reshape(step.shape, copy=False)
    return model


def _strides(shape: Sequence[int]) -> tuple[int, ...]:
    strides, step = [], 8
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def is_contiguous(a: Array, order: str = "C") -> bool:
    """Whether a view of known strides is contiguous in C or Fortran ("F") order."""
    flags = model(a).flags
    return flags.f_contiguous if order == "F" else flags.c_contiguous


def fortran_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides, in elements, of an array in Fortran order."""
    return tuple(reversed([step // 8 for step in _strides(shape[::-1])]))
