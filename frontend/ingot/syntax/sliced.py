"""`a[i:j]` as a value where run time knows `i` and `j`: all of `a`, and which stretches count.

Such a value is an array of static shape and a `Span` for each axis whose length run time knows.
Elementwise functions, products, reductions, indices and stores need no more than this. What
does not is handed to `masked`, for which a stretch is a mask, or asks for the length at compile
time: then a loop around is unrolled.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ingot._core import Value
from ingot.dimensions import depends
from ingot.dtypes import BOOL, INT
from ingot.numpy.ufuncs import store_out
from ingot.syntax import masked, spans, views
from ingot.syntax.masked import Masked, checks_exponent
from ingot.syntax.ops import affine_of, at_least, bounds_of, fresh
from ingot.syntax.spans import Number
from ingot.syntax.state import State
from ingot.syntax.values import Array, List, Part, Scalar, Sliced, Span, Spans, is_number
from ingot_runtime.errors import ShapeError


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


def live(ev: Any, value: Sliced, axes: list[int]) -> Array:
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


# Indices.


def opens(ev: Any, array: Array, items: list[Any]) -> bool:
    """Whether a basic index has slices whose length run time knows."""
    bounds = [end for each in items if type(each) is slice for end in (each.start, each.stop)]
    # Most have none: these lines run for every index.
    if not any(isinstance(bound, Scalar) for bound in bounds) or not ev.opens_slices:
        return False
    if any(isinstance(item, Array) for item in items):
        return False
    return any(
        isinstance(item, slice) and _is_open(ev, item, extent)
        for item, extent in _along(array, items)
    )


def _along(array: Array, items: list[Any]) -> list[tuple[Any, Any]]:
    """The items of an index with the extents of their axes; without those of None."""
    items = views.filled(items, array.ndim - views.named(items))
    return list(zip([item for item in items if item is not None], array.shape, strict=True))


def _is_open(ev: Any, item: slice, extent: Any) -> bool:
    """Whether run time knows the length; not if it follows from arguments, to specialise on."""
    found = [bound for bound in (item.start, item.stop) if isinstance(bound, Scalar)]
    if not found or depends(extent) or any(bound.parameter is not None for bound in found):
        return False
    if not (item.step is None or (isinstance(item.step, int) and item.step in (1, -1))):
        return False
    if item.step == -1:
        return True
    start = 0 if item.start is None else item.start
    stop = extent if item.stop is None else item.stop
    length = affine_of(stop).plus(affine_of(start), -1)
    # Another length than the bounds say is sure if that is none, or does not fit.
    return bool(length.terms) or not 0 < length.constant <= extent


def view(ev: Any, array: Array, items: list[Any]) -> Any:
    """`array[items]`, a view: basic indices of which some slices have lengths at run time."""
    ev.has_open_slices = True
    return item(ev, Sliced(array, (None,) * array.ndim), tuple(items))


def item(ev: Any, value: Sliced, index: Any) -> Any:
    """`value[index]`."""
    if isinstance(index, (Array, Part)) and index.dtype == BOOL:
        return _under_mask(ev, value, index)
    items = list(index) if isinstance(index, tuple) else [index]
    items = [ev.as_indices(each) if isinstance(each, (list, List)) else each for each in items]
    used = views.named(items)
    if used > value.ndim:
        ev.fail(
            f"too many indices for array: array is {value.ndim}-dimensional, "
            f"but {used} were indexed",
            kind=ShapeError,
        )
    found: list[Span | None] = []
    dense: list[Any] = []
    axis = 0
    for each in views.filled(items, value.ndim - used):
        if each is None:
            dense.append(None)
            found.append(None)
            continue
        span, extent = value.spans[axis], value.dense.shape[axis]
        axis += 1
        one, inner = _item_along(ev, value, each, span, extent)
        dense.append(one)
        found += [inner] if isinstance(one, slice) else []
        if isinstance(one, Array):
            found += [None] * one.ndim
    selecting = [each for each in dense if each is not None and not isinstance(each, slice)]
    if len(selecting) > 1 and any(isinstance(each, Array) for each in selecting):
        # NumPy may bring the axes of these to the front.
        refuse(ev, [value])
    if all(not isinstance(each, Array) for each in dense):
        dense.append(Ellipsis)
    made = ev.subscript(value.dense, tuple(dense))
    if not found:
        return made if isinstance(made, Scalar) else ev.subscript(made, ())
    return with_spans(made, tuple(found))


def _mask_of(ev: Any, value: Sliced, index: Any) -> Array | Sliced:
    """A mask of one axis, of which run time checks that it is as long as the value's first."""
    index = ev.packed(index) if isinstance(index, Part) else index
    length = shape_of(index)[0] if isinstance(index, Sliced) else index.shape[0]
    if not spans.same(length, shape_of(value)[0]):
        message = "boolean index did not match indexed array along axis 0: their lengths differ"
        ev.check(spans.compare(ev, "eq", length, shape_of(value)[0]), "IndexError", message)
    return index


def _under_mask(ev: Any, value: Sliced, index: Any) -> Masked:
    """What a mask selects along the first axis."""
    if index.ndim != 1 or value.open_axes != [0]:
        refuse(ev, [value])
    index = _mask_of(ev, value, index)
    wide = ev.subscript(index, (slice(None), *(None,) * (value.ndim - 1)))
    # By the mask's own span, so that arrays under one mask have the same positions in it.
    (mask, dense), found = met(ev, [wide, value])
    if found[0] is not None:
        alive = live(ev, Sliced(dense, found), [0])
        mask = ev.call(np.logical_and, (alive, mask), {})
    line = ev.call(np.ravel, (mask,), {})
    return Masked(fresh(ev.read(dense), ev.place), ev.read(line))


def _item_along(ev: Any, value: Sliced, each: Any, span: Span | None, extent: int) -> Any:
    """An item of an index to one axis, as one of the dense array, and what counts of it."""
    if isinstance(each, (Masked, Sliced)) or (isinstance(each, Array) and each.dtype.kind == "b"):
        refuse(ev, [value])
    if isinstance(each, slice):
        if span is None:
            if _is_open(ev, each, extent):
                of = spans.span_backwards if each.step == -1 else spans.span_of
                return slice(None, None, each.step), of(ev, each, extent)
            return each, None
        return _slice_along(ev, value, each, span, extent)
    if span is None:
        return each, None
    if isinstance(each, Array):
        return positions(ev, each, span), None
    return _position(ev, each, span), None


def _slice_along(
    ev: Any, value: Sliced, each: slice, span: Span, extent: int
) -> tuple[slice, Span]:
    """A slice of what counts."""
    bounds = (each.start, each.stop)
    if any(isinstance(bound, Scalar) and bound.parameter is not None for bound in bounds):
        ev.static(bounds, "the length of a slice")
    step = 1 if each.step is None else ev.static(each.step, "a slice's step")
    if step == 1:
        inner = spans.span_of(ev, each, span.count)
        return slice(None), Span(spans.total(ev, span.start, inner.start), inner.count)
    if step != -1:
        refuse(ev, [value])
    inner = spans.span_backwards(ev, each, span.count)
    turned = _turned(ev, span, extent)
    return slice(None, None, -1), Span(spans.total(ev, turned.start, inner.start), inner.count)


def _turned(ev: Any, span: Span, extent: int) -> Span:
    """A span on its axis turned round."""
    end = spans.total(ev, span.start, span.count)
    return Span(spans.difference(ev, extent, end), span.count)


OUTSIDE = "index is out of bounds for an axis whose length only run time knows"


def _position(ev: Any, each: Any, span: Span) -> Any:
    """An integer index as a position on the whole axis."""
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
    place = spans.total(ev, span.start, index)
    if isinstance(place, Scalar):
        # Where the check has failed, it may be anything.
        place = Scalar(place.value, INT, int, place.affine, 0, place.high)
    return place


def positions(ev: Any, each: Any, span: Span) -> Any:
    """Integers as positions on the whole axis."""
    count = span.count
    for how, bound in (("less", count), ("greater_equal", ev.call(np.negative, (count,), {}))):
        test = ev.call(getattr(np, how), (each, bound), {})
        ev.check(ev.truth(ev.call(np.all, (test,), {})), "IndexError", OUTSIDE)
    wrapped = ev.call(np.where, (ev.call(np.less, (each, 0), {}), _plus(ev, each, count), each), {})
    return _plus(ev, wrapped, span.start)


def _plus(ev: Any, array: Any, by: Number) -> Any:
    return ev.call(np.astype, (ev.call(np.add, (array, by), {}), INT), {})


# Operands that meet.


def met(ev: Any, operands: list[Any]) -> tuple[list[Any], Spans]:
    """Operands that broadcast, with what counts of them at the same positions, and where.

    What counts of different operands is moved to the beginning of the axis if it does not begin
    and end alike. Raises ValueError at run time where lengths differ.
    """
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
                dense[i] = fresh(spans.moved(ev, data, place, here, 0, extent))
        found.append(span)
    return dense, tuple(found)


def _lie_alike(ends: list[tuple[int, Span | None]]) -> bool:
    """Whether what counts lies at the same positions of axes of one extent."""
    counted = [(extent, span) for extent, span in ends if span is not None]
    first = counted[0]
    return all(e == first[0] and spans.same_span(first[1], span) for e, span in counted)


def elementwise(ev: Any, function: Callable[..., Any], operands: tuple) -> Any:
    """A ufunc, or what is like one."""
    plain = [each if type(each) is Sliced else ev.as_array(each) for each in operands]
    dense, found = met(ev, plain)
    if function is np.power and checks_exponent(dense):
        refuse(ev, operands)
    return with_spans(ev.call(function, tuple(dense), {}), found)


# Stores.


def placed(ev: Any, value: Any, target: Sliced) -> Any:
    """What is stored, at the positions of the dense array where it goes."""
    value = ev.packed(value) if isinstance(value, (Masked, Sliced)) else ev.as_array(value)
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
        dense = fresh(spans.moved(ev, ev.read(dense), axis, source, start, place))
    return dense


def store(ev: Any, target: Sliced, value: Any) -> None:
    """`target[...] = value`."""
    new = placed(ev, value, target)
    fitted = ev.fitted(new, target.dense.shape, target.dtype)
    _store_live(ev, target, fitted)


def _store_live(ev: Any, target: Sliced, new: Value) -> None:
    if not target.open_axes:
        ev.store(target.dense, new)
        return
    mask = ev.read(live(ev, target, target.open_axes))
    wide = ev.ops.broadcast(mask, target.dense.shape)
    ev.store(target.dense, ev.ops.select(wide, new, ev.read(target.dense)))


def update(ev: Any, old: Sliced, new: Any) -> Sliced:
    """`old op= ...`, which stores what the operation gives."""
    dense = placed(ev, new, old)
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


def store_item(ev: Any, base: Sliced, index: Any, value: Any) -> None:
    """`base[index] = value`."""
    if isinstance(index, (Array, Part)) and index.dtype == BOOL:
        _store_under_mask(ev, base, index, value)
        return
    target = item(ev, base, index)
    if isinstance(target, Array):
        target = Sliced(target, (None,) * target.ndim)
    if isinstance(target, Sliced) and target.dense.storage is base.dense.storage:
        store(ev, target, value)
        return
    if not isinstance(target, (Scalar, Sliced)):
        refuse(ev, [base])
    # One element, or those at indices: no view of the memory.
    given = list(index) if isinstance(index, tuple) else [index]
    given = [ev.as_indices(each) if isinstance(each, (list, List)) else each for each in given]
    filled = views.filled(given, base.ndim - views.named(given))
    if any(each is None for each in filled) or any(
        isinstance(filled[axis], slice) for axis in base.open_axes
    ):
        refuse(ev, [base])
    along = zip(filled, base.spans, base.dense.shape, strict=True)
    items = tuple(_item_along(ev, base, *each)[0] for each in along)
    ev.store_item(base.dense, items, value)


def _store_under_mask(ev: Any, base: Sliced, index: Any, value: Any) -> None:
    """`base[mask] = number`."""
    if base.ndim != 1 or index.ndim != 1 or not is_number(value):
        refuse(ev, [base])
    index = _mask_of(ev, base, index)
    mask = ev.call(np.logical_and, (live(ev, base, [0]), placed(ev, index, base)), {})
    fitted = ev.fitted(value, base.dense.shape, base.dtype)
    ev.store(base.dense, ev.ops.select(ev.read(mask), fitted, ev.read(base.dense)))


# Products.


def matmul(ev: Any, left: Any, right: Any) -> Any:
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
    ev: Any, dense: list[Array], ends: tuple[Span | None, Span | None], axes: tuple[int, int]
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
            fresh(spans.moved(ev, ev.read(x), axis, span, 0, extent)) for x, span, axis in moved
        ]
        one = Span(0, one.count if ends[0] is not None else other.count)
    filled = []
    for each, axis in zip(dense, axes, strict=True):
        mask = fresh(spans.live(ev, one, each.shape[axis], each.ndim - axis - 1))
        filled.append(ev.call(np.where, (mask, each, each.dtype.type(0)), {}))
    return filled


# Attributes.


def copied(ev: Any, value: Sliced) -> Sliced:
    return Sliced(fresh(ev.read(value.dense), ev.place), value.spans)


def astype(ev: Any, value: Sliced, dtype: Any) -> Sliced:
    return Sliced(ev.call(np.astype, (value.dense, dtype), {}), value.spans)


def transposed(ev: Any, value: Sliced, *axes: Any) -> Sliced:
    given = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
    order = ev.static(given, "the axes") or range(value.ndim)[::-1]
    dense = ev.call(np.transpose, (value.dense, tuple(order)), {})
    return Sliced(dense, tuple(value.spans[axis] for axis in order))


def flipped(ev: Any, value: Sliced, axis: Any = None) -> Sliced:
    axis = ev.static(axis, "an axis")
    given = range(value.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = {each % value.ndim for each in given}
    found = tuple(
        _turned(ev, span, value.dense.shape[i]) if span is not None and i in axes else span
        for i, span in enumerate(value.spans)
    )
    return Sliced(ev.call(np.flip, (value.dense, tuple(axes)), {}), found)


def size(ev: Any, value: Sliced) -> Number:
    found: Any = 1
    for each in shape_of(value):
        found = (
            each
            if found == 1 and isinstance(found, int)
            else ev.call(int, (ev.call(np.multiply, (found, each), {}),), {})
        )
    return found


def begun(ev: Any, value: Sliced) -> Sliced:
    """The same with what counts at the beginning of each axis."""
    if all(spans.same(span.start, 0) for _, span in value.open_spans):
        return value
    data = ev.read(value.dense)
    for axis, span in value.open_spans:
        data = spans.moved(ev, data, axis, span, 0, data.shape[axis])
    found = tuple(None if span is None else Span(0, span.count) for span in value.spans)
    return Sliced(fresh(data, ev.place), found)


def as_masked(ev: Any, value: Sliced) -> Masked:
    """The same of a value of which one axis has a length at run time."""
    axes = value.open_axes
    if len(axes) != 1:
        refuse(ev, [value])
    (axis,) = axes
    mask = spans.live(ev, value.spans[axis], value.dense.shape[axis], 0)  # type: ignore[arg-type]
    return Masked(value.dense, mask, axis)
