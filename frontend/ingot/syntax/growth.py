"""Joining and repeating arrays of run-time lengths.

The result is as large as the bounds of the operands add up to, and what counts of it lies at the
beginning.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import DTYPES, INT
from ingot.syntax import lengths, spans
from ingot.syntax.ops import bounds_of, fresh
from ingot.syntax.spans import Number
from ingot.syntax.values import Array, Part, Scalar, Sliced, Span, Spans
from ingot_runtime.errors import ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def has_parts(values: Any) -> bool:
    return any(isinstance(each, Part) for each in values)


def along(ev: Evaluator, data: Value, axis: int, span: Span | None) -> tuple[Value, Number]:
    """An array with what counts at the beginning of an axis, no longer than its bound, and how
    many count."""
    extent = data.shape[axis]
    if span is None:
        return data, extent
    most = bounds_of(span.count)[1]
    if most is not None and most < extent and spans.same(span.start, 0):
        data = _cut(ev, data, axis, max(most, 0))
    return spans.moved(ev, data, axis, span, 0, data.shape[axis]), span.count


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
    """Arrays of one dtype behind one another along an axis.

    Raises:
        ValueError: at run time, where lengths along another axis differ.
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
    """Arrays whose lengths along an axis are to be equal, all of one extent there."""
    counts = [v.shape[axis] if e is None else e.count for v, e in zip(values, ends, strict=True)]
    fixed = [count for count, end in zip(counts, ends, strict=True) if end is None]
    if len(set(fixed)) > 1:
        ev.fail(message, kind=ShapeError)
    for count in counts[1:]:
        spans.check_lengths(ev, counts[0], count, (), message)
    extent: int = fixed[0] if fixed else max(value.shape[axis] for value in values)  # type: ignore[assignment]
    moved = [
        value if end is None else spans.moved(ev, value, axis, end, 0, extent)
        for value, end in zip(values, ends, strict=True)
    ]
    return moved, None if fixed else Span(0, counts[0])


def _behind(ev: Evaluator, pairs: list[tuple[Value, Number]], axis: int) -> tuple[Value, Span]:
    """Each written where the one before ends, over what does not count of that."""
    ops = ev.ops
    first, place = pairs[0]
    rank, high = len(first.shape), [0] * len(first.shape)
    high[axis] = sum(data.shape[axis] for data, _ in pairs[1:])
    nothing, zeros = ops.constant(0, DTYPES[first.dtype]), [0] * rank
    base = ops.create("pad", [first, nothing], low=zeros, high=high, interior=zeros)
    for data, count in pairs[1:]:
        starts = [ops.index(0)] * rank
        starts[axis] = ops.index(ev.index_value(place))
        base = ops.create("update_slice", [base, data, *starts], strides=[1] * rank)
        place = spans.total(ev, place, count)
    return base, Span(0, place)


def product(ev: Evaluator, a: Number, b: Number) -> Number:
    made = ev.binary(ast.Mult, spans.number(ev, a), spans.number(ev, b))
    return made if isinstance(made, Scalar) else int(made)


def parted(value: Any) -> tuple[Any, Spans]:
    """An array that holds all of another one, and what counts of it."""
    if isinstance(value, Sliced):
        return value.dense, value.spans
    return value, (None,) * getattr(value, "ndim", 0)


def repeated(ev: Evaluator, value: Array | Sliced, times: Number, axis: int) -> Array | Sliced:
    """Each item along an axis several times: what np.repeat gives."""
    dense, found = parted(value)
    data, count = along(ev, ev.read(dense), axis, found[axis])
    extent, _ = lengths.span_of(ev, times)
    size = data.shape[axis] * extent
    places = ev.ops.iota((size,), 0)
    divisor = ev.ops.index(ev.index_value(spans.greatest(ev, times, 1)))
    places = ev.ops.elementwise("floor_div", [places, divisor], (INT, INT))
    return taken(ev, data, places, found, axis, product(ev, count, times))


def tiled(ev: Evaluator, value: Array | Sliced, times: Number) -> Array | Sliced:
    """An array of one axis several times: what np.tile gives."""
    dense, found = parted(value)
    data, count = along(ev, ev.read(dense), 0, found[0])
    extent, _ = lengths.span_of(ev, times)
    places = ev.ops.iota((data.shape[0] * extent,), 0)
    divisor = ev.ops.index(ev.index_value(spans.greatest(ev, count, 1)))
    places = ev.ops.elementwise("mod", [places, divisor], (INT, INT))
    return taken(ev, data, places, found, 0, product(ev, count, times))


def taken(
    ev: Evaluator, data: Value, places: Value, found: Spans, axis: int, count: Number
) -> Array | Sliced:
    """What lies at places along an axis, of which some count."""
    last = max(data.shape[axis] - 1, 0)
    limit = ev.ops.constant(last, INT)
    places = ev.ops.elementwise("minimum", [places, limit], (INT, INT))
    with lengths.unchecked(ev):
        made = ev.call(np.take, (fresh(data), fresh(places)), {"axis": axis})
    span = None if isinstance(count, int) else Span(0, count)
    return lengths.counted(ev, ev.read(made), (*found[:axis], span, *found[axis + 1 :]))
