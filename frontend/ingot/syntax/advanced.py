"""Advanced indexing of arrays with dynamic lengths, and by arrays with dynamic lengths.

A mask is replaced by the positions where it is true. An index array of dynamic length is padded:
its unused items point to one extra element behind the axis, which reads as zero and whose stores
are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dtypes import BOOL, INT
from ingot.syntax import intervals, paired, pieces, sliced, spans, stepped, views
from ingot.syntax.dynamic import Part, Sliced, Span, Spans
from ingot.syntax.masked import Masked
from ingot.syntax.ops import at_least, at_most, bounds_of, fresh
from ingot.syntax.values import Array, List, Scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

OUTSIDE = "index is out of bounds for an axis whose length is known only at run time"


def width(item: Any) -> int:
    """How many axes of an array an item of an index consumes."""
    if item is None or item is Ellipsis:
        return 0
    if not isinstance(item, (Array, Part)) or item.dtype != BOOL:
        return 1
    return item.ndim


def along(rank: int, items: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """The items of an index, each with its first axis; that is None for `np.newaxis`."""
    axis = 0
    for item in views.filled(items, rank - sum(map(width, items))):
        yield item, None if item is None else axis
        axis += width(item)


def filled(ev: Evaluator, value: Sliced, index: Any) -> list[Any]:
    """An index as a list of one item for each axis, and `None`s; masks become their positions."""
    items = list(index) if isinstance(index, tuple) else [index]
    items = [ev.as_indices(each) if isinstance(each, (list, List)) else each for each in items]
    used = sum(map(width, items))
    if used > value.ndim:
        ev.raise_now(
            IndexError,
            f"too many indices for array: array is {value.ndim}-dimensional, "
            f"but {used} were indexed",
        )
    found: list[Any] = []
    for item, axis in along(value.ndim, items):
        if isinstance(item, (Array, Part)) and item.dtype.kind not in "iu":
            if item.dtype != BOOL or not item.ndim:
                ev.bad_index()
            _check_mask(ev, value, axis, item)
            found += _where(ev, item)
        else:
            found.append(item)
    return found


def _check_mask(ev: Evaluator, value: Sliced, axis: Any, mask: Any) -> None:
    """ShapeError, or IndexError at run time, unless a mask has the shape of the axes it selects."""
    mask = ev.packed(mask) if isinstance(mask, Part) else mask
    ends = mask.spans if isinstance(mask, Sliced) else (None,) * mask.ndim
    for i, (extent, end) in enumerate(zip(_dense(mask).shape, ends, strict=True), axis):
        given = extent if end is None else end.count
        span, wanted = value.spans[i], value.dense.shape[i]
        length = wanted if span is None else span.count
        if isinstance(given, int) and isinstance(length, int) and given != length:
            paired.refuse(ev, i, length, given)
        if not spans.same(given, length):
            message = f"boolean index did not match indexed array along axis {i}"
            ev.check(spans.compare(ev, "eq", given, length), "IndexError", message)


def _where(ev: Evaluator, mask: Any) -> list[Any]:
    """The positions where a mask is true, one array for each of its axes."""
    if isinstance(mask, Array):
        return ev.static_items(ev.call(np.nonzero, (mask,), {}))
    if mask.ndim != 1:
        ev.refuse_part(mask)
    line = pieces.left_aligned(ev, ev.packed(mask))
    counts = sliced.live(ev, line, [0])
    holds = ev.call(np.logical_and, (line.dense, counts), {})
    positions = ev.ops.iota(line.dense.shape, 0)
    return [Masked(fresh(positions), ev.read(holds))]


def _dense(value: Any) -> Any:
    return value.dense if isinstance(value, Part) else value


def padded(ev: Evaluator, value: Sliced, items: list[Any]) -> tuple[Sliced, list[Any], Spans]:
    """An index whose arrays of dynamic length are replaced by padded arrays of static length.

    Returns:
        The value, with one extra element behind each axis indexed by such an array; the items; and
        the spans of the axes that index arrays make, without any if none has a dynamic length.
    """
    if not any(isinstance(each, Part) for each in items):
        return value, items, ()
    axes = [axis for _, axis in along(value.ndim, items)]
    chosen = [i for i, each in enumerate(items) if isinstance(each, (Array, Part))]
    lines = [items[i] for i in chosen]
    lines = [ev.packed(each) if isinstance(each, Part) else each for each in lines]
    moved, counted = sliced.aligned(ev, lines)
    made, found, ends = value.dense, list(items), list(value.spans)
    for i, line, given in zip(chosen, moved, lines, strict=True):
        axis: Any = axes[i]
        extent = value.dense.shape[axis]
        own = _spans_within(given, counted)
        found[i] = _positions(ev, line, own, ends[axis], extent)
        made, ends[axis] = stepped.padded(made, axis, extent + 1), None
    return Sliced(made, tuple(ends)), found, counted


def _spans_within(line: Array | Sliced, counted: Spans) -> Spans:
    """The spans of an index array's axes, after it was aligned with others."""
    if isinstance(line, Array):
        return (None,) * line.ndim
    ends = counted[len(counted) - line.ndim :]
    return tuple(None if own is None else end for own, end in zip(line.spans, ends, strict=True))


def _positions(
    ev: Evaluator, line: Array, counts: Spans, within: Span | None, extent: int
) -> Array:
    """Indices as positions on the dense axis; items outside `counts` get the one behind it."""
    length = extent if within is None else within.count
    low, high = intervals.of_elements(ev.ops, line)
    line = ev.call(np.astype, (line, INT), {})
    is_open = any(counts)
    is_live = sliced.live(ev, Sliced(line, counts), range(line.ndim)) if is_open else None
    found = line
    if not (at_least(low, 0) and isinstance(length, int) and at_most(high, length - 1)):
        inside = ev.call(np.less, (line, length), {})
        above = ev.call(np.greater_equal, (line, ev.call(np.negative, (length,), {})), {})
        inside = ev.call(np.logical_and, (inside, above), {})
        test = inside if is_live is None else ev.call(np.where, (is_live, inside, True), {})
        ev.check(ev.truth(ev.call(np.all, (test,), {})), "IndexError", OUTSIDE)
        is_negative = ev.call(np.less, (line, 0), {})
        found = ev.call(np.where, (is_negative, ev.call(np.add, (line, length), {}), line), {})
        found = found if within is None else ev.call(np.add, (found, within.start), {})
        # If the check fails, the positions must still be inside; their values do not matter.
        found = ev.call(np.clip, (found, 0, extent), {})
    elif within is not None:
        found = ev.call(np.add, (found, within.start), {})
    return found if is_live is None else ev.call(np.where, (is_live, found, extent), {})


def array_axes(items: list[Any]) -> tuple[int, int]:
    """The first result axis that index arrays make, and how many they make; else (0, 0)."""
    arrays = [each.ndim for each in items if isinstance(each, Array)]
    if not arrays:
        return 0, 0
    where = [i for i, each in enumerate(items) if each is not None and not isinstance(each, slice)]
    together = where == list(range(where[0], where[-1] + 1))
    return where[0] if together else 0, max(arrays)


def position(ev: Evaluator, each: Any, span: Span) -> Any:
    """An integer index as a position on the dense axis."""
    if not isinstance(each, (int, np.integer, Scalar)) or isinstance(each, (bool, np.bool_)):
        ev.bad_index()
    index = spans.number(ev, each)
    low, _ = bounds_of(index)
    lower = spans.difference(ev, 0, span.count)
    ev.check(spans.compare(ev, "lt", index, span.count), "IndexError", OUTSIDE)
    if not at_least(low, 0):
        ev.check(spans.compare(ev, "ge", index, lower), "IndexError", OUTSIDE)
        from_end = spans.total(ev, index, span.count)
        if isinstance(index, int):
            index = from_end
        else:
            operands = [ev.ops.index(ev.index_value(each)) for each in (from_end, index)]
            is_negative = spans.compare(ev, "lt", index, 0).value
            index = Scalar(ev.ops.select(is_negative, *operands), INT, int)
    found = spans.total(ev, span.start, index)
    if isinstance(found, Scalar):
        # The checks ensure that it is not negative.
        found = Scalar(found.value, INT, int, found.affine, 0, found.high)
    return found


def positions(ev: Evaluator, each: Array, span: Span, extent: int) -> Array:
    """Integers as positions on the dense axis."""
    return _positions(ev, each, (None,) * each.ndim, span, extent)
