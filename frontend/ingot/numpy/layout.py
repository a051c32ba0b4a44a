"""The memory layout of arrays, which decides where NumPy returns a view and where a copy.

The `strides` of a storage are in elements. None stands for C order, and () for an unknown order,
after a control flow join of arrays with different orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from ingot.syntax import views
from ingot.syntax.values import Array

Strides: TypeAlias = tuple[int, ...] | None

#: One element, from which arrays of any shape and strides are made that are never read.
NOTHING = np.empty(1, np.int8)


def model(a: Array, strides: Strides = None) -> np.ndarray:
    """A NumPy array with the shape and the strides of a view, in elements, but without its data.

    Args:
        a: the view.
        strides: those of its storage, if not the known ones.
    """
    shape, strides = a.storage.shape, strides or a.storage.strides
    made = np.lib.stride_tricks.as_strided(NOTHING, shape, strides or c_strides(shape))
    for step in a.views:
        if isinstance(step, views.Slice):
            key = tuple(
                0 if gone else slice(0, (n - 1) * s + 1 if n else 0, s)
                for n, s, gone in zip(step.sizes, step.strides, step.dropped, strict=True)
            )
            made = made[key]
        elif isinstance(step, views.Permute):
            made = made.transpose(step.axes)
        elif isinstance(step, views.Flip):
            made = np.flip(made, step.axes)
        elif isinstance(step, views.Broadcast):
            made = np.broadcast_to(made, step.shape)
        elif isinstance(step, (views.Pad, views.Every)):
            # The step is known only at run time; twice the stride says that there are gaps.
            apart = [
                2 * stride if axis == getattr(step, "axis", None) else stride
                for axis, stride in enumerate(made.strides)
            ]
            made = np.lib.stride_tricks.as_strided(made, step.shape, apart)
        elif isinstance(step, views.Part):
            doubled = [2 * stride for stride in made.strides]
            made = np.lib.stride_tricks.as_strided(made, made.shape, doubled)
        elif isinstance(step, views.Diagonal):
            made = np.moveaxis(np.diagonal(made, step.offset), -1, 0)
        else:
            made = made.reshape(step.shape, copy=False)
    return made


def strides_of(a: Array) -> Strides:
    """The strides that an array has in NumPy, in the form of `Storage.strides`."""
    if not a.views or a.storage.strides == ():
        return a.storage.strides
    made = model(a)
    return None if made.flags.c_contiguous else made.strides


def strides_of_item(a: Array, axis: int) -> Strides:
    """The strides of `a[..., 0, ...]`, with the index at an axis that is not empty."""
    if not is_known(a):
        return ()
    item = np.moveaxis(model(a), axis, 0)[0]
    return None if item.flags.c_contiguous else item.strides


def c_strides(shape: Sequence[int]) -> tuple[int, ...]:
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def as_view(ev: Any, made: Array, source: Array, strides: Strides) -> Array:
    """Make a new array stand for a view of another one, with these strides in elements."""
    made.is_view = True
    made.storage.strides = None if strides == c_strides(made.shape) else strides
    ev.relate_copy(made.storage, source.storage)
    return made


def fortran_strides(shape: Sequence[int]) -> Strides:
    """The strides of an array in Fortran order."""
    return packed(shape, range(len(shape) - 1, -1, -1))


def packed(shape: Sequence[int], axes: Sequence[int]) -> Strides:
    """The strides of an array without gaps, given its axes from the outermost to the innermost."""
    long = [axis for axis in axes if not (type(shape[axis]) is int and shape[axis] == 1)]
    if long == sorted(long) or any(type(size) is int and size == 0 for size in shape):
        return None
    steps = c_strides([shape[axis] for axis in axes])
    return tuple(step for _, step in sorted(zip(axes, steps, strict=True)))


def must_copy(a: Array, sizes: Sequence[int]) -> bool:
    """Whether NumPy's reshape of this view copies."""
    try:
        model(a).reshape(tuple(sizes), copy=False)
    except ValueError:
        return True
    return False


def is_contiguous(a: Array, order: str = "C") -> bool:
    """Whether a view of known strides is contiguous in C or Fortran ("F") order."""
    flags = model(a).flags
    return flags.f_contiguous if order == "F" else flags.c_contiguous


def is_known(a: Array) -> bool:
    """Whether the memory order of an array is known."""
    return a.storage.strides != ()


def require_known(ev: Any, a: Array, hint: str = "") -> None:
    """Refuse an array whose memory order a path decides."""
    if not is_known(a):
        ev.fail("the memory order of this array is known only at run time", hint)


def shares_elements(shape: Sequence[int], strides: Strides) -> bool:
    """Whether two elements of an array may have the same address, as after a broadcast."""
    extent, steps = 1, strides or ()
    for axis in reversed(axes_by(steps)):
        if shape[axis] != 1 and abs(steps[axis]) < extent:
            return True
        extent = max(extent, abs(steps[axis]) * shape[axis])
    return False


def axes_by(strides: Sequence[int]) -> tuple[int, ...]:
    """The axes by decreasing stride: the outermost first."""
    return tuple(sorted(range(len(strides)), key=lambda axis: -abs(strides[axis])))


def is_packed(shape: Sequence[int], strides: Sequence[int], axes: Sequence[int]) -> bool:
    """Whether an array has no gaps, given its axes from the outermost to the innermost."""
    steps = c_strides([shape[axis] for axis in axes])
    pairs = zip(axes, steps, strict=True)
    return all(shape[axis] == 1 or abs(strides[axis]) == step for axis, step in pairs)
