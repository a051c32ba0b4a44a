"""`a[i:j:2]` and `a[i:j:k]` where a bound or the step is known only at run time.

Such a slice is a view that starts at its first element and has as many elements as the slice can
have; the first `count` of them are live. The view may read past the end of the axis. There it reads
zeros, and stores have no effect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ingot.dtypes import INT
from ingot.syntax import spans, views
from ingot.syntax.dynamic import Span
from ingot.syntax.ops import at_least, at_most, bounds_of
from ingot.syntax.spans import Number
from ingot.syntax.values import Array, Scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def _quotient(ev: Evaluator, number: Number, by: Number) -> Number:
    """`number / by` rounded up, for a positive `by`; never negative."""
    if isinstance(number, int) and isinstance(by, int):
        return -(-number // by)
    upward = spans.total(ev, spans.total(ev, number, by), -1)
    operands = [ev.ops.index(ev.index_value(each)) for each in (upward, by)]
    value = ev.ops.elementwise("floor_div", operands, (INT, INT))
    most, least = bounds_of(number)[1], bounds_of(by)[0] or 1
    return Scalar(value, INT, int, None, 0, None if most is None else -(-most // max(least, 1)))


def along(
    ev: Evaluator, array: Array, axis: int, item: slice, within: Span | None
) -> tuple[Array, Span]:
    """The view that a slice with a step selects along an axis, and its live positions.

    Args:
        within: if the step is static, the span between the ends of the slice; otherwise the live
            positions of the axis, None for all.
    """
    if isinstance(item.step, Scalar):
        return _by_run_time(ev, array, axis, item, within)
    if item.step == 0:
        ev.raise_now(ValueError, "slice step cannot be zero")
    assert within is not None
    return _every(ev, array, axis, within, abs(item.step))


def _every(ev: Evaluator, array: Array, axis: int, span: Span, step: int) -> tuple[Array, Span]:
    """The view of every `step`th element of a span, and its live positions."""
    extent = array.shape[axis]
    most, last = (bounds_of(each)[1] for each in (span.count, span.start))
    most = -(-(extent if most is None else min(most, extent)) // step)
    last = extent if last is None else min(last, extent)
    longer = padded(array, axis, max(last + (most - 1) * step + 1, extent))
    rank = array.ndim
    starts: list[Any] = [0] * rank
    sizes, strides = list(longer.shape), [1] * rank
    start = span.start if isinstance(span.start, int) else ev.index_value(span.start)
    starts[axis], sizes[axis], strides[axis] = start, most, step
    cut = views.Slice(tuple(starts), tuple(sizes), tuple(strides), (False,) * rank)
    chain = views.extend(ev.ops, longer.views, cut)
    found = Array(array.storage, tuple(sizes), chain, array.writable, True)
    return found, Span(0, _quotient(ev, span.count, step))


def padded(array: Array, axis: int, extent: int) -> Array:
    """A view with zeros appended to an axis, which then has `extent`."""
    if extent == array.shape[axis]:
        return array
    shape = (*array.shape[:axis], extent, *array.shape[axis + 1 :])
    return Array(array.storage, shape, (*array.views, views.Pad(shape)), array.writable, True)


def _by_run_time(
    ev: Evaluator, array: Array, axis: int, item: slice, within: Span | None
) -> tuple[Array, Span]:
    """The same for a run-time step, along an axis or along the span `within` of it."""
    extent = array.shape[axis]
    length = extent if within is None else within.count
    step = spans.number(ev, item.step)
    start, count, size = _ends(ev, item, step, length)
    if within is not None:
        start = spans.total(ev, within.start, start)
    least = bounds_of(size)[0] or 1
    most = -(-extent // max(least, 1))
    shape = (*array.shape[:axis], most, *array.shape[axis + 1 :])
    counted = _quotient(ev, count, size)
    if isinstance(counted, Scalar):
        counted.high = most if counted.high is None else min(counted.high, most)
    first, by, number = (ev.ops.index(ev.index_value(each)) for each in (start, step, counted))
    cut = views.Every(axis, first, by, number, shape)
    found = Array(array.storage, shape, (*array.views, cut), array.writable, True)
    return found, Span(0, counted)


def _ends(
    ev: Evaluator, item: slice, step: Number, length: Number
) -> tuple[Number, Number, Number]:
    """The first position, the number of positions up to the other end, and `abs(step)`."""
    low, high = bounds_of(step)
    ends = slice(item.start, item.stop)
    if at_least(low, 1):
        ahead = spans.span_of(ev, ends, length)
        return ahead.start, ahead.count, step
    behind = spans.span_backwards(ev, ends, length)
    first = spans.difference(ev, spans.difference(ev, length, 1), behind.start)
    size = spans.difference(ev, 0, step)
    if at_most(high, -1):
        return first, behind.count, size
    ev.check(spans.compare(ev, "ne", step, 0), "ValueError", "slice step cannot be zero")
    ahead = spans.span_of(ev, ends, length)
    is_ahead = spans.compare(ev, "gt", step, 0).value

    def chosen(a: Number, b: Number, least: int) -> Number:
        operands = [ev.ops.index(ev.index_value(each)) for each in (a, b)]
        highs = [bounds_of(each)[1] for each in (a, b)]
        most = None if None in highs else max(highs)  # type: ignore[type-var]
        return Scalar(ev.ops.select(is_ahead, *operands), INT, int, None, least, most)

    # The size must not be 0 even where the check fails, since it is a divisor.
    size = spans.greatest(ev, chosen(step, size, 0), 1)
    return chosen(ahead.start, first, -1), chosen(ahead.count, behind.count, 0), size
