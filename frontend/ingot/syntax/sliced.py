"""`a[i:j]` as a value where run time knows `i` and `j`: all of `a`, and which stretches count.

Such a value is an array of static shape and a `Span` for each axis whose length run time knows.
Elementwise functions, products, reductions, indices and stores need no more than this. What
does not is handed to `masked`, for which a stretch is a mask, or asks for the length at compile
time: then a loop around is unrolled.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ingot._core import Value
from ingot.dtypes import BOOL
from ingot.numpy.ufuncs import store_out
from ingot.syntax import masked, spans
from ingot.syntax.masked import Masked, checks_exponent
from ingot.syntax.ops import fresh
from ingot.syntax.spans import Number
from ingot.syntax.state import State
from ingot.syntax.values import Array, Scalar, Sliced, Span, Spans

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def refuse(ev: State, values: Any) -> NoReturn:
    """Ask for lengths at compile time, which a loop around may know if it is unrolled."""
    if not ev.has_open_slices:
        masked.refuse(ev)
    for each in values:
        if type(each) is Sliced:
            for span in filter(None, each.spans):
                ev.static(span.count, "the length of a slice")
    ev.fail_static(
        "the length of this array is known only at run time",
        "reduce it, or store it in a slice of that length",
        page="slice-length",
    )


def shape_of(value: Sliced) -> tuple[Number, ...]:
    pairs = zip(value.dense.shape, value.spans, strict=True)
    return tuple(extent if span is None else span.count for extent, span in pairs)


def with_spans(dense: Any, found: Spans) -> Any:
    """A value, which is an ordinary one if all of its axes count."""
    is_whole = all(span is None for span in found)
    return dense if is_whole or not isinstance(dense, Array) else Sliced(dense, found)


def live(ev: Evaluator, value: Sliced, axes: list[int]) -> Array:
    """Which positions count along some axes, as an array that broadcasts with all."""
    found: Value | None = None
    for axis in axes:
        span = value.spans[axis]
        if span is None:
            continue
        one = spans.live(ev, span, value.dense.shape[axis], value.ndim - axis - 1)
        if found is None:
            found = one
            continue
        shape = np.broadcast_shapes(found.shape, one.shape)
        both = [ev.ops.broadcast(each, shape) for each in (found, one)]
        found = ev.ops.elementwise("and", both, (BOOL, BOOL))
    assert found is not None
    return fresh(found)


# Operands that meet.


def with_static_axes(ev: Evaluator, value: Any) -> Any:
    """The same with axes as long as they are where the bounds of a slice say how long that is."""
    if type(value) is not Sliced:
        return value
    known = [axis for axis, span in value.open_spans if isinstance(span.count, int)]
    if not known:
        return value
    data, found = ev.read(value.dense), list(value.spans)
    for axis in known:
        span = found[axis]
        data = spans.shifted(ev, data, axis, span, 0, span.count)  # type: ignore[union-attr,arg-type]
        found[axis] = None
    return with_spans(fresh(data), tuple(found))


def aligned(ev: Evaluator, operands: list[Any]) -> tuple[list[Any], Spans]:
    """Operands that broadcast, with what counts of them at the same positions, and where.

    What counts of different operands is moved to the beginning of the axis if it does not begin
    and end alike. Raises ValueError at run time where lengths differ.
    """
    operands = [with_static_axes(ev, each) for each in operands]
    ndim = max(getattr(each, "ndim", 0) for each in operands)
    dense = [each.dense if type(each) is Sliced else each for each in operands]
    found: list[Span | None] = []
    for axis in range(-ndim, 0):
        ends = [
            (each.dense.shape[axis], each.spans[axis]) if type(each) is Sliced
            else (each.shape[axis], None)
            for each in operands
            if getattr(each, "ndim", 0) >= -axis
        ]  # fmt: skip
        open_ones = [span for _, span in ends if span is not None]
        fixed = [extent for extent, span in ends if span is None and extent != 1]
        if not open_ones:
            found.append(None)
            continue
        for one, other in itertools.pairwise(open_ones):
            spans.check_lengths(ev, one.count, other.count, (one.count, other.count))
        if fixed:
            spans.check_lengths(ev, open_ones[0].count, fixed[0], (open_ones[0].count,))
            extent, span = fixed[0], None
        elif _lie_alike(ends):
            found.append(open_ones[0])
            continue
        else:
            extent = max(e for e, each in ends if each is not None)
            span = Span(0, open_ones[0].count)
        for i, each in enumerate(operands):
            here = each.spans[axis] if type(each) is Sliced and each.ndim >= -axis else None
            if here is not None:
                data = ev.read(dense[i])
                place = len(data.shape) + axis
                dense[i] = fresh(spans.shifted(ev, data, place, here, 0, extent))
        found.append(span)
    return dense, tuple(found)


def _lie_alike(ends: list[tuple[int, Span | None]]) -> bool:
    """Whether what counts lies at the same positions of axes of one extent."""
    counted = [(extent, span) for extent, span in ends if span is not None]
    first = counted[0]
    return all(e == first[0] and spans.same_span(first[1], span) for e, span in counted)


def elementwise(ev: Evaluator, function: Callable[..., Any], operands: tuple) -> Any:
    """A ufunc, or what is like one."""
    plain = [each if type(each) is Sliced else ev.as_array(each) for each in operands]
    dense, found = aligned(ev, plain)
    if function is np.power and checks_exponent(dense):
        refuse(ev, operands)
    return with_spans(ev.call(function, tuple(dense), {}), found)


# Stores.


def aligned_to(ev: Evaluator, value: Any, target: Sliced) -> Any:
    """What is stored, at the positions of the dense array where it goes."""
    value = ev.packed(value) if isinstance(value, (Masked, Sliced)) else ev.as_array(value)
    value = with_static_axes(ev, value)
    if not isinstance(value, (Array, Sliced)):
        return value
    dense: Array = value.dense if isinstance(value, Sliced) else value
    found: Spans = value.spans if isinstance(value, Sliced) else (None,) * value.ndim
    extra = value.ndim - target.ndim
    if extra > 0:
        if any(found[:extra]) or set(dense.shape[:extra]) != {1}:
            refuse(ev, [value, target])
        dense = ev.call(np.reshape, (dense, dense.shape[extra:]), {})
        found, extra = found[extra:], 0
    for axis, span in enumerate(found):
        goal, place = target.spans[axis - extra], target.dense.shape[axis - extra]
        extent = dense.shape[axis]
        if span is None and (goal is None or extent == 1):
            continue
        given = extent if span is None else span.count
        wanted = place if goal is None else goal.count
        message = "could not broadcast input array into a slice of another length"
        spans.check_lengths(ev, given, wanted, (given,), message)
        start = 0 if goal is None else goal.start
        source = span or Span(0, extent)
        dense = fresh(spans.shifted(ev, ev.read(dense), axis, source, start, place))
    return dense


def store(ev: Any, target: Sliced, value: Any) -> None:
    """`target[...] = value`."""
    new = aligned_to(ev, value, target)
    fitted = ev.fitted(new, target.dense.shape, target.dtype)
    _store_live(ev, target, fitted)


def _store_live(ev: Evaluator, target: Sliced, new: Value) -> None:
    if not target.open_axes:
        ev.store(target.dense, new)
        return
    mask = ev.read(live(ev, target, target.open_axes))
    wide = ev.ops.broadcast(mask, target.dense.shape)
    ev.store(target.dense, ev.ops.select(wide, new, ev.read(target.dense)))


def update(ev: Evaluator, old: Sliced, new: Any) -> Sliced:
    """`old op= ...`, which stores what the operation gives."""
    dense = aligned_to(ev, new, old)
    kind = dense.dtype if isinstance(dense, (Array, Scalar)) else np.asarray(dense).dtype
    mask = live(ev, old, old.open_axes)
    made = ev.as_array(dense)
    store_out(
        ev,
        old.dense,
        ev.read(made),
        kind,
        where=ev.call(np.broadcast_to, (mask, old.dense.shape), {}),
    )
    return old


# Products.


def matmul(ev: Evaluator, left: Any, right: Any) -> Any:
    """`left @ right` of vectors and matrices."""
    left, right = (each if type(each) is Sliced else ev.as_array(each) for each in (left, right))
    ranks = [getattr(each, "ndim", 0) for each in (left, right)]
    if not all(0 < rank <= 2 for rank in ranks):
        refuse(ev, [left, right])
    one, other = _spans(left), _spans(right)
    inner, below = ranks[0] - 1, max(ranks[1] - 2, 0)
    dense = [each.dense if type(each) is Sliced else each for each in (left, right)]
    if one[inner] is not None or other[below] is not None:
        dense = _summed(ev, dense, (one[inner], other[below]), (inner, below))
    found = [span for axis, span in enumerate(one) if axis != inner]
    found += [span for axis, span in enumerate(other) if axis != below]
    return with_spans(ev.call(np.matmul, tuple(dense), {}), tuple(found))


def _spans(value: Any) -> Spans:
    return value.spans if type(value) is Sliced else (None,) * value.ndim


def _summed(
    ev: Evaluator, dense: list[Array], ends: tuple[Span | None, Span | None], axes: tuple[int, int]
) -> list[Array]:
    """The operands of a product with zeros where the axis that is summed does not count."""
    extents = [each.shape[axis] for each, axis in zip(dense, axes, strict=True)]
    one, other = (end or Span(0, extent) for end, extent in zip(ends, extents, strict=True))
    message = "matmul: the lengths of the axes that are summed differ"
    spans.check_lengths(ev, one.count, other.count, (), message)
    if extents[0] != extents[1] or not spans.same(one.start, other.start):
        extent = min(extents)
        moved = zip(dense, (one, other), axes, strict=True)
        dense = [
            fresh(spans.shifted(ev, ev.read(x), axis, span, 0, extent)) for x, span, axis in moved
        ]
        one = Span(0, one.count if ends[0] is not None else other.count)
    filled = []
    for each, axis in zip(dense, axes, strict=True):
        mask = fresh(spans.live(ev, one, each.shape[axis], each.ndim - axis - 1))
        filled.append(ev.call(np.where, (mask, each, each.dtype.type(0)), {}))
    return filled


# Attributes.


def copied(ev: Evaluator, value: Sliced) -> Sliced:
    return Sliced(fresh(ev.read(value.dense), ev.location), value.spans)


def astype(ev: Evaluator, value: Sliced, dtype: Any) -> Sliced:
    return Sliced(ev.call(np.astype, (value.dense, dtype), {}), value.spans)


def transposed(ev: Evaluator, value: Sliced, *axes: Any) -> Sliced:
    given = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
    order = ev.static(given, "the axes") or range(value.ndim)[::-1]
    dense = ev.call(np.transpose, (value.dense, tuple(order)), {})
    return Sliced(dense, tuple(value.spans[axis] for axis in order))


def flipped(ev: Evaluator, value: Sliced, axis: Any = None) -> Sliced:
    axis = ev.static(axis, "an axis")
    given = range(value.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = {each % value.ndim for each in given}
    found = tuple(
        spans.flipped(ev, span, value.dense.shape[i]) if span is not None and i in axes else span
        for i, span in enumerate(value.spans)
    )
    return Sliced(ev.call(np.flip, (value.dense, tuple(axes)), {}), found)


def size(ev: Evaluator, value: Sliced) -> Number:
    found: Any = 1
    for each in shape_of(value):
        found = (
            each
            if found == 1 and isinstance(found, int)
            else ev.call(int, (ev.call(np.multiply, (found, each), {}),), {})
        )
    return found


def as_masked(ev: Evaluator, value: Sliced) -> Masked:
    """The same of a value of which one axis has a length at run time."""
    axes = value.open_axes
    if len(axes) != 1:
        refuse(ev, [value])
    (axis,) = axes
    mask = spans.live(ev, value.spans[axis], value.dense.shape[axis], 0)  # type: ignore[arg-type]
    return Masked(value.dense, mask, axis)
