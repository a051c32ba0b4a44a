"""The options of generalized ufuncs: the axes of their core dimensions, and the dtype."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.numpy.promotion import kind_of, resolve
from ingot.numpy.shape import array_of, axis_of, expand_dims, moveaxis
from ingot.numpy.ufuncs import store_out
from ingot.syntax.values import Array
from ingot_runtime.errors import AxisError, DTypeError, ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def generalized(ufunc: np.ufunc, function: Callable[..., Any]) -> Callable[..., Any]:
    """A handler with these options, made from a function whose core dimensions are the last axes."""

    def call(
        ev: Evaluator, x1: Any, x2: Any, /, out: Any = None, *, axes: Any = None, axis: Any = np._NoValue,
        keepdims: Any = False, dtype: Any = None,
    ) -> Any:  # fmt: skip
        is_plain = axes is None and axis is np._NoValue and keepdims is False and dtype is None
        if is_plain and out is None:
            return function(ev, x1, x2)
        if isinstance(out, tuple):
            (out,) = out
        arrays = [array_of(ev, each) for each in _converted(ev, ufunc, (x1, x2), dtype)]
        counts = _core_dimensions(ufunc, arrays)
        keepdims = ev.static(keepdims, "keepdims")
        core_axes = _core_axes(ev, ufunc, counts, axes, axis, keepdims)
        if keepdims and not _has_one_dimension(ufunc):
            ev.fail(f"{ufunc.__name__} does not support keepdims", kind=DTypeError)
        moved = [_moved_last(ev, *each) for each in zip(arrays, core_axes, strict=False)]
        made = function(ev, *moved)
        if keepdims:
            made = expand_dims(ev, made, -1)
        if isinstance(made, Array):
            made = _moved_back(ev, made, core_axes[2])
        if out is None:
            return made
        _require_core(ev, ufunc, out, made, core_axes[2])
        return store_out(ev, out, ev.read(made), made.dtype)

    return call


def _converted(ev: Evaluator, ufunc: np.ufunc, operands: tuple, dtype: Any) -> tuple:
    if dtype is None:
        return operands
    wanted = np.dtype(ev.static(dtype, "a dtype"))
    kinds = tuple(kind_of(ev.as_array(each)) for each in operands)
    try:
        *inputs, _ = resolve(ufunc, kinds, wanted)
    except TypeError as error:
        ev.fail_as(TypeError, str(error))
    return tuple(
        ev.call(np.astype, (array_of(ev, each), to), {})
        for each, to in zip(operands, inputs, strict=True)
    )


def _core_dimensions(ufunc: np.ufunc, arrays: list[Array]) -> list[int]:
    """The number of core dimensions of each operand and of the result.

    Dimensions that end in "?" in the signature are optional: np.matmul takes vectors, too.
    """
    sides = re.findall(r"\(([^()]*)\)", ufunc.signature or "")
    names = [[each for each in side.split(",") if each] for side in sides]
    gone = {
        name
        for side, a in zip(names, arrays, strict=False)
        if a.ndim < len(side)
        for name in side
        if name.endswith("?")
    }
    return [len([name for name in side if name not in gone]) for side in names]


def _has_one_dimension(ufunc: np.ufunc) -> bool:
    """Whether the operands share their only core dimension, and the result has none."""
    return ufunc is np.vecdot


def _core_axes(
    ev: Evaluator, ufunc: np.ufunc, counts: list[int], axes: Any, axis: Any, keepdims: bool
) -> list[tuple]:
    """The axes of the core dimensions of each operand and of the result."""
    kept = [*counts[:2], 1] if keepdims else counts
    if axes is None and axis is np._NoValue:
        return [tuple(range(-count, 0)) for count in kept]
    if axes is not None and axis is not np._NoValue:
        ev.fail("cannot specify both 'axis' and 'axes'", kind=DTypeError)
    if axis is not np._NoValue:
        if not _has_one_dimension(ufunc):
            message = f"{ufunc.__name__}: axis can only be used with a single shared core dimension"
            ev.fail(message, kind=DTypeError)
        axis = ev.static(axis, "an axis")
        return [(axis,), (axis,), (axis,) if keepdims else ()]
    given = ev.static(axes, "the axes")
    if not isinstance(given, list):
        ev.fail("axes should be a list", kind=DTypeError)
    given = [*given, ()] if len(given) == 2 and kept[2] == 0 else given
    if len(given) != 3:
        ev.fail("axes should be a list with an entry for all 3 inputs and outputs", kind=ShapeError)
    found = [each if isinstance(each, tuple) else (each,) for each in given]
    for each, count in zip(found, kept, strict=True):
        if len(each) != count:
            message = f"{ufunc.__name__}: an operand has {count} core dimensions, but {len(each)}"
            ev.fail(f"{message} dimensions are specified by the axes tuple", kind=AxisError)
    return found


def _require_core(ev: Evaluator, ufunc: np.ufunc, out: Any, made: Any, axes: tuple) -> None:
    """Refuse an `out=` whose core dimensions differ from the result's, also by broadcasting."""
    for axis in axes if isinstance(out, Array) else ():
        back = axis - made.ndim if axis >= 0 else axis
        if out.ndim < -back or out.shape[back] != made.shape[back]:
            ev.fail(
                f"{ufunc.__name__}: Output operand 0 has a mismatch in its core dimensions: shape "
                f"{out.shape} for a result of shape {made.shape}",
                kind=ShapeError,
            )


def _moved_last(ev: Evaluator, a: Array, axes: tuple) -> Array:
    return moveaxis(ev, a, axes, tuple(range(-len(axes), 0))) if axes else a


def _moved_back(ev: Evaluator, made: Array, axes: tuple) -> Array:
    """The result with its core dimensions, which are the last axes, moved to the given axes."""
    axes = tuple(axis_of(ev, each, made.ndim) for each in axes)
    return moveaxis(ev, made, tuple(range(-len(axes), 0)), axes) if axes else made
