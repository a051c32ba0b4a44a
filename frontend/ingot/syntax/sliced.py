"""`a[i:j]` as a value where `i` or `j` is known only at run time.

Such a value is the whole array `a`, which has a static shape, and a `Span` for each axis whose
length is known only at run time (an open axis). The positions inside the spans are live. This is
enough for elementwise functions, products, reductions, indexing and stores. Other functions take
the version of `masked`, with the span as a mask, or ask for the length at compile time, so that an
enclosing loop is unrolled.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ingot._core import Value
from ingot.dtypes import BOOL
from ingot.numpy.shape import axes_of
from ingot.numpy.ufuncs import store_out
from ingot.syntax import masked, spans, storing, views
from ingot.syntax.dynamic import Sliced, Span, Spans
from ingot.syntax.masked import Masked, checks_exponent, each_result
from ingot.syntax.ops import fresh
from ingot.syntax.spans import Number
from ingot.syntax.state import State
from ingot.syntax.values import Array, List, Scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def refuse(ev: State, values: Any) -> NoReturn:
    """Ask for lengths at compile time, which may be known if an enclosing loop is unrolled."""
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
    """`dense` with these spans; an ordinary value if no axis is open."""
    is_whole = all(span is None for span in found)
    return dense if is_whole or not isinstance(dense, Array) else Sliced(dense, found)


def live(ev: Evaluator, value: Sliced, axes: Iterable[int]) -> Array:
    """The mask of the live positions along some axes; it broadcasts with `value.dense`."""
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


# Broadcasting.


def with_static_axes(ev: Evaluator, value: Any) -> Any:
    """The value with those open axes cut to their length whose length is static after all."""
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
    """Operands for broadcasting, with their live elements at the same positions.

    Live elements stay where they are if all operands have the same span along an axis. Otherwise
    they are moved to the start of the axis.

    Returns:
        the operands as dense arrays and numbers, and the spans of their result.

    Raises:
        ValueError: lengths differ; at run time.
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
                own_axis = len(data.shape) + axis
                dense[i] = fresh(spans.shifted(ev, data, own_axis, here, 0, extent))
        found.append(span)
    return dense, tuple(found)


def _lie_alike(ends: list[tuple[int, Span | None]]) -> bool:
    """Whether the open axes have the same extent and span."""
    open_ones = [(extent, span) for extent, span in ends if span is not None]
    first = open_ones[0]
    return all(e == first[0] and spans.same_span(first[1], span) for e, span in open_ones)


def elementwise(ev: Evaluator, function: Callable[..., Any], operands: tuple) -> Any:
    """Apply an elementwise function."""
    plain = [each if type(each) is Sliced else ev.as_array(each) for each in operands]
    dense, found = aligned(ev, plain)
    if function is np.power and checks_exponent(dense):
        refuse(ev, operands)
    made = ev.call(function, tuple(dense), {})
    return each_result(made, lambda one: with_spans(one, found))


# Stores.


def aligned_to(ev: Evaluator, value: Any, target: Sliced) -> Any:
    """A stored value with its elements at the positions of the target's live elements."""
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
        goal, size = target.spans[axis - extra], target.dense.shape[axis - extra]
        extent = dense.shape[axis]
        if span is None and (goal is None or extent == 1):
            continue
        given = extent if span is None else span.count
        wanted = size if goal is None else goal.count
        message = "could not broadcast input array into a slice of another length"
        spans.check_lengths(ev, given, wanted, (given,), message)
        start = 0 if goal is None else goal.start
        source = span or Span(0, extent)
        dense = fresh(spans.shifted(ev, ev.read(dense), axis, source, start, size))
    return dense


def store(ev: Any, target: Sliced, value: Any) -> None:
    """`target[...] = value`."""
    if isinstance(value, (list, tuple, List)):
        storing.refuse_deep(ev, ev.call(np.array, (value, target.dtype), {}), target.ndim)
    new = aligned_to(ev, value, target)
    fitted = ev.fitted(new, target.dense.shape, target.dtype, is_item=True)
    _store_live(ev, target, fitted)


def _store_live(ev: Evaluator, target: Sliced, new: Value) -> None:
    if not target.open_axes or _drops_rest(ev, target):
        ev.store(target.dense, new)
        return
    mask = ev.read(live(ev, target, target.open_axes))
    wide = ev.ops.broadcast(mask, target.dense.shape)
    ev.store(target.dense, ev.ops.select(wide, new, ev.read(target.dense)))


def _drops_rest(ev: Evaluator, target: Sliced) -> bool:
    """Whether stores to elements that are not live have no effect."""
    last = target.dense.views[-1] if target.dense.views else None
    if not isinstance(last, views.Every) or target.open_axes != [last.axis]:
        return False
    span = target.spans[last.axis]
    if span is None or not spans.same(span.start, 0):
        return False
    return ev.ops.builder.same(ev.ops.index(ev.index_value(span.count)), last.count)


def update(ev: Evaluator, old: Sliced, new: Any) -> Sliced:
    """`old op= ...`: store the result of the operation."""
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
    """The operands of a product, with zeros at positions of the summed axis that are not live."""
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
    axes = set(axes_of(ev, axis, value.ndim))
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
            if isinstance(found, int) and found == 1
            else ev.call(int, (ev.call(np.multiply, (found, each), {}),), {})
        )
    return found


def as_masked(ev: Evaluator, value: Sliced) -> Masked:
    """The same value as a `Masked` one; it must have just one open axis."""
    axes = value.open_axes
    if len(axes) != 1:
        refuse(ev, [value])
    (axis,) = axes
    mask = spans.live(ev, value.spans[axis], value.dense.shape[axis], 0)  # type: ignore[arg-type]
    return Masked(value.dense, mask, axis)
