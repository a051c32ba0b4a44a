"""Joining and repeating arrays of dynamic length.

The result's extent follows from the bounds of the operands' lengths. Its elements begin at the
start of the axis; those behind its dynamic length are unused.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import DTYPES, INT
from ingot.syntax import lengths, spans
from ingot.syntax.dynamic import (
    Part,
    Sliced,
    Span,
    Spans,
)
from ingot.syntax.ops import bounds_of, fresh
from ingot.syntax.spans import Number
from ingot.syntax.values import Array, Scalar
from ingot_runtime.errors import ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def has_parts(values: Any) -> bool:
    return any(isinstance(each, Part) for each in values)


def along(ev: Evaluator, data: Value, axis: int, span: Span | None) -> tuple[Value, Number]:
    """An array whose used elements are at the start of an axis, and how many they are.

    The extent is cut to the bound of the length, if that is known.
    """
    extent = data.shape[axis]
    if span is None:
        return data, extent
    most = bounds_of(span.count)[1]
    if most is not None and most < extent and spans.same(span.start, 0):
        data = _cut(ev, data, axis, max(most, 0))
    return spans.shifted(ev, data, axis, span, 0, data.shape[axis]), span.count


def _cut(ev: Evaluator, data: Value, axis: int, size: int) -> Value:
    index = (*[slice(None)] * axis, slice(0, size))
    return ev.read(ev.subscript(fresh(data), index))


def joined(
    ev: Evaluator,
    values: list[Value],
    found: list[Spans],
    axis: int,
    message: str = "all the input array dimensions except for the concatenation axis must match "
    "exactly: their lengths differ",
) -> Any:
    """The concatenation of arrays of one dtype along an axis.

    Args:
        ev: the evaluator.
        values: the dense arrays.
        found: the spans of each array.
        axis: the axis to join along, not negative.
        message: the error where lengths along another axis differ: a `ShapeError` of the compiler,
            or a ValueError at run time.
    """
    rank = len(values[0].shape)
    if any(len(value.shape) != rank for value in values):
        ev.fail("all the input arrays must have same number of dimensions", kind=ShapeError)
    made: list[Span | None] = []
    for other in range(rank):
        if other == axis:
            made.append(None)
            continue
        ends = [each[other] for each in found]
        values, span = _met(ev, values, ends, other, message)
        made.append(span)
    if all(each[axis] is None for each in found):
        return lengths.counted(ev, ev.ops.create("concatenate", values, axis=axis), tuple(made))
    pairs = [along(ev, v, axis, each[axis]) for v, each in zip(values, found, strict=True)]
    data, made[axis] = _behind(ev, pairs, axis)
    return lengths.counted(ev, data, tuple(made))


def _met(
    ev: Evaluator, values: list[Value], ends: list[Span | None], axis: int, message: str
) -> tuple[list[Value], Span | None]:
    """The arrays with one extent along an axis, where their lengths must be equal, and the span."""
    counts = [v.shape[axis] if e is None else e.count for v, e in zip(values, ends, strict=True)]
    fixed = [count for count, end in zip(counts, ends, strict=True) if end is None]
    if len(set(fixed)) > 1:
        ev.fail(message, kind=ShapeError)
    for count in counts[1:]:
        spans.check_lengths(ev, counts[0], count, (), message)
    extent: int = fixed[0] if fixed else max(value.shape[axis] for value in values)  # type: ignore[assignment]
    moved = [
        value if end is None else spans.shifted(ev, value, axis, end, 0, extent)
        for value, end in zip(values, ends, strict=True)
    ]
    return moved, None if fixed else Span(0, counts[0])


def _behind(ev: Evaluator, pairs: list[tuple[Value, Number]], axis: int) -> tuple[Value, Span]:
    """The arrays one behind another: each overwrites the unused elements of those before it."""
    ops = ev.ops
    first, end = pairs[0]
    rank, high = len(first.shape), [0] * len(first.shape)
    high[axis] = sum(data.shape[axis] for data, _ in pairs[1:])
    nothing, zeros = ops.constant(0, DTYPES[first.dtype]), [0] * rank
    base = ops.create("pad", [first, nothing], low=zeros, high=high, interior=zeros)
    for data, count in pairs[1:]:
        starts = [ops.index(0)] * rank
        starts[axis] = ops.index(ev.index_value(end))
        base = ops.create("update_slice", [base, data, *starts], strides=[1] * rank)
        end = spans.total(ev, end, count)
    return base, Span(0, end)


def product(ev: Evaluator, a: Number, b: Number) -> Number:
    made = ev.binary(ast.Mult, spans.number(ev, a), spans.number(ev, b))
    return made if isinstance(made, Scalar) else int(made)


def parted(value: Any) -> tuple[Any, Spans]:
    """The dense array of a value and its spans."""
    if isinstance(value, Sliced):
        return value.dense, value.spans
    return value, (None,) * getattr(value, "ndim", 0)


def repeated(ev: Evaluator, value: Array | Sliced, times: Number, axis: int) -> Array | Sliced:
    """`np.repeat`: each item along an axis, `times` times."""
    dense, found = parted(value)
    data, count = along(ev, ev.read(dense), axis, found[axis])
    extent, _ = lengths.span_of(ev, times)
    size = data.shape[axis] * extent
    positions = ev.ops.iota((size,), 0)
    divisor = ev.ops.index(ev.index_value(spans.greatest(ev, times, 1)))
    indices = ev.ops.elementwise("floor_div", [positions, divisor], (INT, INT))
    return taken(ev, data, indices, found, axis, product(ev, count, times))


def tiled(ev: Evaluator, value: Array | Sliced, times: Number) -> Array | Sliced:
    """`np.tile` of an array of one axis."""
    dense, found = parted(value)
    data, count = along(ev, ev.read(dense), 0, found[0])
    extent, _ = lengths.span_of(ev, times)
    positions = ev.ops.iota((data.shape[0] * extent,), 0)
    divisor = ev.ops.index(ev.index_value(spans.greatest(ev, count, 1)))
    indices = ev.ops.elementwise("mod", [positions, divisor], (INT, INT))
    return taken(ev, data, indices, found, 0, product(ev, count, times))


def taken(
    ev: Evaluator, data: Value, indices: Value, found: Spans, axis: int, count: Number
) -> Array | Sliced:
    """The items at indices along an axis, of which the first `count` are used."""
    last = max(data.shape[axis] - 1, 0)
    limit = ev.ops.constant(last, INT)
    indices = ev.ops.elementwise("minimum", [indices, limit], (INT, INT))
    with lengths.unchecked(ev):
        made = ev.call(np.take, (fresh(data), fresh(indices)), {"axis": axis})
    span = None if isinstance(count, int) else Span(0, count)
    return lengths.counted(ev, ev.read(made), (*found[:axis], span, *found[axis + 1 :]))
