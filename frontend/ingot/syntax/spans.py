"""Spans of axes whose bounds are known only at run time, and arithmetic on these bounds.

A `Span` says which positions of an axis of static extent are live: `count` of them, from `start`
on. Reductions and stores use `live`, a mask made of two comparisons with the positions. Later
passes can read the bounds of a loop from these comparisons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ingot._core import Value
from ingot.dimensions import Undecided, as_int, decided
from ingot.dtypes import BOOL, DTYPES, INT
from ingot.syntax.dynamic import Span
from ingot.syntax.ops import affine_of, at_least, at_most, bounds_of, predicate
from ingot.syntax.values import (
    Affine,
    Scalar,
    is_index,
    is_integer,
    of_all_kinds,
)

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: An integer, known at compile time or at run time.
Number: TypeAlias = int | Scalar


def number(ev: Evaluator, value: Any) -> Number:
    """An index as an int, or as an int64 that keeps its affine form and bounds."""
    if not (of_all_kinds(value, is_index) if isinstance(value, Scalar) else is_integer(value)):
        ev.bad_slice()
    if not isinstance(value, Scalar):
        return as_int(value)
    if value.held == INT and value.weak is int:
        return value
    low, high = value.low, value.high
    if low is None and value.held.kind == "u" and value.held.itemsize < INT.itemsize:
        low = 0
    return Scalar(ev.index_value(value), INT, int, value.affine, low, high)


def _scalar(value: Value, affine: Affine | None, low: int | None, high: int | None) -> Number:
    return Scalar(value, INT, int, affine, low, high)


def total(ev: Evaluator, a: Number, b: Number, sign: int = 1) -> Number:
    """`a + b`, or `a - b` for a sign of -1; emits an operation only if one is needed."""
    affine = affine_of(a).plus(affine_of(b), sign)
    if not affine.terms:
        return affine.constant
    (low, high), ends = bounds_of(a), bounds_of(b)
    least, most = ends if sign > 0 else tuple(None if e is None else -e for e in reversed(ends))
    low = None if low is None or least is None else low + least
    high = None if high is None or most is None else high + most
    is_one = len(affine.terms) == 1 and affine.terms[0][1] == 1
    if is_one and decided(lambda: affine.constant == 0):
        value = ev.ops.convert(affine.terms[0][0], INT)
    else:
        operands = [ev.ops.index(ev.index_value(each)) for each in (a, b)]
        value = ev.ops.elementwise("add" if sign > 0 else "sub", operands, (INT, INT))
    return _scalar(value, affine, low, high)


def difference(ev: Evaluator, a: Number, b: Number) -> Number:
    return total(ev, a, b, -1)


def least(ev: Evaluator, a: Number, b: Number) -> Number:
    return _extreme(ev, "minimum", a, b)


def greatest(ev: Evaluator, a: Number, b: Number) -> Number:
    return _extreme(ev, "maximum", a, b)


def _extreme(ev: Evaluator, name: str, a: Number, b: Number) -> Number:
    """The lesser or the greater number; emits no operation if the bounds decide which it is."""
    gap = affine_of(a).plus(affine_of(b), -1)
    if not gap.terms and decided(lambda: gap.constant <= 0):
        return a if name == "minimum" else b
    if not gap.terms and decided(lambda: gap.constant >= 0):
        return b if name == "minimum" else a
    (low, high), (least_b, most_b) = bounds_of(a), bounds_of(b)
    a_first = high is not None and at_least(least_b, high)
    b_first = most_b is not None and at_least(low, most_b)
    if a_first or b_first:
        return a if a_first == (name == "minimum") else b
    value = ev.ops.elementwise(name, [ev.ops.index(ev.index_value(x)) for x in (a, b)], (INT, INT))
    choose = min if name == "minimum" else max
    lows, highs = (low, least_b), (high, most_b)
    # One known bound limits the extreme on one side.
    one_sided = lows if name == "maximum" else highs
    known = [each for each in one_sided if each is not None]
    bound = _chosen(choose, known)
    if bound is None and known:
        # Each of them is a bound. Open sizes decide which is the tighter one, so take either.
        bound = known[-1]
    if name == "minimum":
        return _scalar(value, None, _chosen(min, lows), bound)
    return _scalar(value, None, bound, _chosen(max, highs))


def _chosen(choose: Callable[..., int], bounds: Sequence[int | None]) -> int | None:
    """The least or the greatest bound; None if a bound is unknown, or open sizes decide."""
    if not bounds or None in bounds:
        return None
    try:
        return choose(bounds)
    except Undecided:
        return None


def same(a: Number, b: Number) -> bool:
    """Whether two numbers are known to be equal."""
    gap = affine_of(a).plus(affine_of(b), -1)
    return not gap.terms and decided(lambda: gap.constant == 0)


def same_span(a: Span, b: Span) -> bool:
    return same(a.start, b.start) and same(a.count, b.count)


def compare(ev: Evaluator, how: str, a: Number, b: Number) -> Scalar:
    left, right = (ev.ops.index(ev.index_value(each)) for each in (a, b))
    return predicate(ev.ops.compare(how, left, right, INT))


def either(ev: Evaluator, *tests: Scalar) -> Scalar:
    found = tests[0].value
    for each in tests[1:]:
        found = ev.ops.elementwise("or", [found, each.value], (BOOL, BOOL))
    return predicate(found)


# Checks of lengths.


REPEATED = "a slice of length 1 at run time would have to be broadcast, which is not supported"


def check_lengths(
    ev: Evaluator,
    one: Number,
    other: Number,
    repeated: tuple[Number, ...],
    message: str = "operands could not be broadcast together: their lengths differ",
) -> None:
    """Check that two lengths are equal.

    Args:
        repeated: those of the lengths that NumPy would broadcast if they are 1 at run time, which
            is not supported.

    Raises:
        ValueError: they differ; at run time.
        NotImplementedError: NumPy would broadcast one of them; at run time.
    """
    if same(one, other):
        return
    equal = compare(ev, "eq", one, other)
    ones = [
        compare(ev, "eq", each, 1)
        for each in repeated
        if isinstance(each, Scalar) and not at_least(bounds_of(each)[0], 2)
    ]
    ev.check(either(ev, equal, *ones), "ValueError", message)
    if ones:
        ev.limit(equal, REPEATED)


# Slices.


def _wrapped(ev: Evaluator, bound: Number, extent: Number, floor: int) -> Number:
    """A bound of a slice as a position, at least `floor`: negative bounds count from the end."""
    low, _ = bounds_of(bound)
    if at_least(low, 0):
        return bound
    if isinstance(bound, int):
        return greatest(ev, total(ev, extent, bound), floor)
    is_negative = compare(ev, "lt", bound, 0).value
    from_end = ev.ops.index(ev.index_value(total(ev, bound, extent)))
    value = ev.ops.select(is_negative, from_end, ev.ops.index(ev.index_value(bound)))
    most = bounds_of(extent)[1]
    ends = bounds_of(bound)[1], None if most is None else most - 1
    return greatest(ev, _scalar(value, None, None, _chosen(max, ends)), floor)


def span_of(ev: Evaluator, item: slice, extent: Number) -> Span:
    """The span that a slice of step 1 selects from an axis."""
    bounds = []
    for bound, default in ((item.start, 0), (item.stop, extent)):
        found = default if bound is None else _wrapped(ev, number(ev, bound), extent, 0)
        bounds.append(least(ev, found, extent))
    start, stop = bounds
    count = greatest(ev, difference(ev, stop, start), 0)
    return Span(start, count)


def span_backwards(ev: Evaluator, item: slice, extent: Number) -> Span:
    """The span that a slice of step -1 selects, as a span of the flipped axis."""
    last = difference(ev, extent, 1)
    bounds: list[Number] = []
    for bound, default in ((item.start, last), (item.stop, -1)):
        found = default if bound is None else _wrapped(ev, number(ev, bound), extent, -1)
        bounds.append(least(ev, found, last))
    start, stop = bounds
    count = greatest(ev, difference(ev, start, stop), 0)
    return Span(difference(ev, last, start), count)


def flipped(ev: Evaluator, span: Span, extent: int) -> Span:
    """The same span on the flipped axis."""
    end = total(ev, span.start, span.count)
    return Span(difference(ev, extent, end), span.count)


# Live positions.


def live(ev: Evaluator, span: Span, extent: int, after: int) -> Value:
    """The mask of the live positions of an axis, of shape `(extent, 1, ...)` with `after` ones."""
    ops = ev.ops
    position = ops.reshape(ops.iota((extent,), 0), (extent, *(1,) * after))
    tests = []
    if not at_most(bounds_of(span.start)[1], 0):
        start = ops.index(ev.index_value(span.start))
        tests.append(ops.compare("ge", position, start, INT))
    end = total(ev, span.start, span.count)
    if not at_least(bounds_of(end)[0], extent):
        tests.append(ops.compare("lt", position, ops.index(ev.index_value(end)), INT))
    if not tests:
        return ops.broadcast(ops.scalar(True), position.shape)
    return tests[0] if len(tests) == 1 else ops.elementwise("and", tests, (BOOL, BOOL))


def shifted(ev: Evaluator, data: Value, axis: int, span: Span, start: Number, extent: int) -> Value:
    """Shift an array along an axis so that the span begins at `start`; the axis gets `extent`.

    Positions outside the span may hold any value.
    """
    ops, rank = ev.ops, len(data.shape)
    here = data.shape[axis]
    if same(span.start, start) and here == extent:
        return data
    zero = ops.constant(0, INT)
    pads = [[0] * rank for _ in range(3)]
    # Element j of the result is element j + first of the array padded by `before` zeros in front.
    before = 0 if at_most(bounds_of(start)[1], 0) else extent
    pads[0][axis] = before
    pads[1][axis] = extent
    nothing = ops.constant(0, DTYPES[data.dtype])
    wide = ops.create("pad", [data, nothing], low=pads[0], high=pads[1], interior=pads[2])
    first = total(ev, difference(ev, span.start, start), before)
    starts = [zero] * rank
    starts[axis] = ops.index(ev.index_value(first))
    sizes = [*data.shape]
    sizes[axis] = extent
    return ops.create("dynamic_slice", [wide, *starts], sizes=sizes, strides=[1] * rank)
