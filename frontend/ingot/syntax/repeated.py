"""np.repeat with counts that are known only at run time.

The capacity of the result is the sum of the upper bounds of the counts. If they have no bounds, the
result is `Unbounded`, and needs an `ingot.bound` around the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dimensions import depends
from ingot.dtypes import INT
from ingot.numpy.library import repeating
from ingot.syntax import growth, intervals, lengths, spans
from ingot.syntax.dynamic import (
    Part,
    Sliced,
    Span,
    Spans,
)
from ingot.syntax.lengths import Unbounded
from ingot.syntax.ops import Bounds, at_least, at_most, bounds_of, fresh, predicate
from ingot.syntax.spans import Number
from ingot.syntax.values import Array, Scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

_NEGATIVE = "repeats may not contain negative values."


def by_number(ev: Evaluator, a: Array | Sliced, times: Number, axis: int) -> Any:
    """Repeat each item along an axis `times` times."""
    is_known = isinstance(times, int) or bounds_of(times)[1] is not None
    # In a loop the number may become known when the loop is unrolled.
    if is_known or axis or ev.loops:
        return growth.repeated(ev, a, times, axis)
    message = "negative dimensions are not allowed"
    ev.check(spans.compare(ev, "ge", times, 0), "ValueError", message)
    data, found, length = _lined(ev, a, axis)
    counts = ev.ops.broadcast(ev.index_value(times), data.shape[:1])
    return _unbounded(ev, data, _live(ev, counts, length), found)


def by_counts(ev: Evaluator, a: Array | Sliced, repeats: Any, axis: int) -> Any:
    """Repeat each item along an axis by its count; a single count is that of all items.

    Raises:
        ValueError: the number of counts is not that of the items (at run time if a length is known
            only then), or a count is negative (at run time).
    """
    _check_type(ev, repeats)
    if not repeats.ndim or (isinstance(repeats, Array) and repeats.shape == (1,)):
        one = ev.ops.reshape(ev.read(repeats), ())
        number = Scalar(ev.ops.convert(one, INT), INT, int)
        bounds = intervals.of_elements(ev.ops, repeats)
        return by_number(ev, a, intervals.note(number, bounds), axis)
    data, found, length = _lined(ev, a, axis)
    counts, (low, high) = _counts(ev, repeats, length, data.shape[axis])
    if not at_least(low, 0):
        holds = ev.ops.compare("ge", counts, ev.ops.constant(0, INT), INT)
        ev.check(predicate(ev.ops.reduce("and", holds, [0])), "ValueError", _NEGATIVE)
    extent = data.shape[axis]
    most = 0 if at_most(extent, 0) else None if high is None else extent * max(high, 0)
    if most is not None and (depends(most) or at_most(most, lengths.MOST)):
        return _taken(ev, data, counts, found, axis, most)
    if axis:
        ev.fail_static(
            "np.repeat gives an array whose length nothing bounds",
            "bound the counts, as with np.minimum(counts, 5), or repeat along the first axis: "
            "ingot.bound(np.repeat(a.T, counts, axis=0), 100).T",
            page="known-at-compile-time",
        )
    return _unbounded(ev, data, counts, found)


def _unbounded(ev: Evaluator, data: Value, counts: Value, found: Spans) -> Unbounded:
    def bounded(n: int) -> Any:
        # Greater counts exceed the bound, too; their sum could overflow.
        most = ev.ops.constant(n + 1, INT)
        fitting = ev.ops.elementwise("minimum", [counts, most], (INT, INT))
        return _taken(ev, data, fitting, found, 0, n, lengths.exceeded(n))

    return Unbounded(ev, bounded, [])


def _lined(ev: Evaluator, a: Array | Sliced, axis: int) -> tuple[Value, Spans, Number]:
    """An array left-aligned along an axis, its spans, and its length along the axis."""
    dense, found = growth.parted(a)
    data, length = growth.along(ev, ev.read(dense), axis, found[axis])
    return data, found, length


def _check_type(ev: Evaluator, repeats: Any) -> None:
    if not np.can_cast(repeats.dtype, INT, "safe"):
        what = f"data from {repeats.dtype!r} to {INT!r} according to the rule 'safe'"
        ev.fail_as(TypeError, f"Cannot cast array {what}", "np.repeat takes integers")
    if repeats.ndim > 1:
        ev.raise_now(ValueError, "object too deep for desired array")


def _counts(ev: Evaluator, repeats: Any, length: Number, extent: int) -> tuple[Value, Bounds]:
    """The counts padded with zeros to the extent of an axis, and their bounds."""
    whole = repeats.dense if isinstance(repeats, Part) else repeats
    bounds = intervals.of_elements(ev.ops, whole)
    dense, (span,) = growth.parted(ev.packed(repeats) if isinstance(repeats, Part) else repeats)
    given = dense.shape[0] if span is None else span.count
    _check_lengths(ev, length, given)
    value = ev.ops.convert(ev.read(dense), INT)
    value = spans.shifted(ev, value, 0, span or Span(0, given), 0, extent)
    if isinstance(length, int):
        return value, bounds
    return _live(ev, value, length), intervals.union(bounds, (0, 0))


def _live(ev: Evaluator, counts: Value, length: Number) -> Value:
    """The counts with zeros for elements that are not live."""
    if isinstance(length, int):
        return counts
    mask = spans.live(ev, Span(0, length), counts.shape[0], 0)
    return ev.ops.select(mask, counts, ev.ops.zeros(counts.shape, INT))


def _check_lengths(ev: Evaluator, length: Number, given: Number) -> None:
    shapes = [(each,) if isinstance(each, int) else "" for each in (length, given)]
    message = "operands could not be broadcast together with shape {} {}".format(*shapes).strip()
    if isinstance(length, int) and isinstance(given, int):
        if length != given:
            ev.raise_now(ValueError, message)
        return
    spans.check_lengths(ev, length, given, (given,), message)


def _taken(
    ev: Evaluator, data: Value, counts: Value, found: Spans, axis: int, size: int, message: str = ""
) -> Array | Sliced:
    """The items repeated by their counts.

    Args:
        size: the capacity of the result.
        message: if not empty, that of the ValueError at run time if there are more items.
    """
    size = size if data.shape[axis] else 0
    with lengths.unchecked(ev):
        # These indices are inside.
        indices, total = ev.inline(repeating.repeated_indices, (fresh(counts), size), {}, ev.node)
    if message:
        limit = spans.compare(ev, "le", total, size)
        ev.check_nearly(limit, "ValueError", message)
    count = Scalar(ev.index_value(total), INT, int, None, 0, size)
    return growth.taken(ev, data, ev.read(indices), found, axis, count)
