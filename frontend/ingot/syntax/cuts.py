"""Indexing that takes or makes arrays of dynamic length, such as `a[i:j, k]`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dimensions import depends
from ingot.dtypes import BOOL
from ingot.syntax import advanced, late_reads, sliced, spans, stepped
from ingot.syntax.dynamic import Part, Sliced, Span
from ingot.syntax.masked import Masked
from ingot.syntax.ops import affine_of, fresh
from ingot.syntax.values import Array, Scalar, is_number

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

# Which indices make arrays of dynamic length.


def opens(ev: Any, array: Array, index: Any) -> bool:
    """Whether an index has slices of dynamic length."""
    items = index if type(index) is tuple else (index,)
    cuts = [each for each in items if type(each) is slice]
    parts = [part for each in cuts for part in (each.start, each.stop, each.step)]
    # Most indices have none, and this check runs for every index.
    if not any(isinstance(part, Scalar) for part in parts) or not ev.opens_slices:
        return False
    if sum(map(advanced.width, items)) > array.ndim:
        return False
    return any(
        type(item) is slice and _is_open(ev, item, array.shape[axis])
        for item, axis in advanced.along(array.ndim, items)
    )


def _is_open(ev: Evaluator, item: slice, extent: Any) -> bool:
    """Whether a slice has a dynamic length.

    It has none if a parameter decides that: the program is then specialised on the parameter.
    """
    parts = (item.start, item.stop, item.step)
    found = [part for part in parts if isinstance(part, Scalar)]
    if not found:
        return False
    has_parameter = any(part.is_parameter for part in found)
    if isinstance(item.step, Scalar) or item.step not in (None, 1, -1):
        return not (has_parameter or depends(extent))
    if item.step == -1:
        return not has_parameter
    start = 0 if item.start is None else item.start
    stop = extent if item.stop is None else item.stop
    length = affine_of(stop).plus(affine_of(start), -1)
    if length.terms:
        return not has_parameter
    if depends((length.constant, extent)):
        return False
    # The bounds differ by a static number. The slice is taken to lie inside the axis unless that
    # is impossible, or an earlier evaluation or call has found that it does not.
    return ev.opens_windows or not (has_parameter or 0 < length.constant <= extent)


def view(ev: Any, array: Array, index: Any) -> Any:
    """`array[index]`, where slices have dynamic lengths; a view if all items are slices and
    numbers."""
    ev.has_open_slices = True
    return item(ev, whole(array), index)


def whole(array: Array) -> Sliced:
    """A dense array in the form of one of dynamic length."""
    return Sliced(array, (None,) * array.ndim)


# Items.


@dataclass(frozen=True, slots=True)
class _Selected:
    """What an index selects.

    Attributes:
        base, items: an array, and an index of static shape that selects all elements needed.
        made: `base[items]`.
        value: the elements of `made` that the original index selects.
        drops_rest: whether stores to the other elements of `made` have no effect on `base`.
    """

    base: Array
    items: tuple
    made: Any
    value: Any
    drops_rest: bool = False


def item(ev: Evaluator, value: Sliced, index: Any) -> Any:
    """`value[index]`."""
    if _is_mask_of_line(value, index):
        return _under_mask(ev, value, index)
    return _selected(ev, value, index).value


def _is_mask_of_line(value: Sliced, index: Any) -> bool:
    """Whether an index is a mask along the first axis, which is the only open axis."""
    is_mask = isinstance(index, (Array, Part)) and index.dtype == BOOL
    return is_mask and index.ndim == 1 and value.open_axes == [0]


def _selected(ev: Evaluator, value: Sliced, index: Any) -> _Selected:
    items = advanced.filled(ev, value, index)
    value, items, counted = advanced.padded(ev, value, items)
    kept: list[Span | None] = []
    dense: list[Any] = []
    steps: dict[int, slice] = {}
    axis = 0
    for each in items:
        if each is None:
            dense.append(None)
            kept.append(None)
            continue
        span, extent = value.spans[axis], value.dense.shape[axis]
        axis += 1
        if isinstance(each, slice) and _has_step(ev, each, span, extent):
            steps[len(kept)] = each
            each = _contiguous(each)
            span = span or Span(0, extent)
        one, inner = _item_along(ev, each, span, extent)
        dense.append(one)
        kept += [inner] if isinstance(one, slice) else []
    first, rank = advanced.array_axes(dense)
    found = [*kept[:first], *(counted or (None,) * rank), *kept[first:]]
    if not any(isinstance(each, Array) for each in dense):
        dense.append(Ellipsis)
    made = ev.subscript(value.dense, tuple(dense))
    if not found:
        made = made if isinstance(made, Scalar) else ev.subscript(made, ())
        return _Selected(value.dense, tuple(dense), made, made)
    target = made
    for number, each in steps.items():
        axis = number if number < first else number + rank
        target, found[axis] = stepped.along(ev, target, axis, each, found[axis])
    is_by_arrays = sum(map(bool, found)) == sum(map(bool, counted))
    drops_rest = any(counted) and is_by_arrays
    chosen = sliced.with_spans(target, tuple(found))
    return _Selected(value.dense, tuple(dense), made, chosen, drops_rest)


def _has_step(ev: Evaluator, item: slice, span: Span | None, extent: int) -> bool:
    """Whether a slice of dynamic length has a step that is not 1 or -1."""
    if span is None and not _is_open(ev, item, extent):
        return False
    return isinstance(item.step, Scalar) or item.step not in (None, 1, -1)


def _contiguous(item: slice) -> slice:
    """A slice without its step: it includes the elements between; all, if the step is dynamic."""
    if isinstance(item.step, Scalar):
        return slice(None)
    return slice(item.start, item.stop, 1 if item.step > 0 else -1)


def _item_along(ev: Evaluator, each: Any, span: Span | None, extent: int) -> Any:
    """An index item for one axis as one for the dense array, and the span that it selects of it."""
    if isinstance(each, slice):
        if span is None:
            if _is_open(ev, each, extent):
                of = spans.span_backwards if each.step == -1 else spans.span_of
                return slice(None, None, each.step), of(ev, each, extent)
            return each, None
        return _slice_along(ev, each, span, extent)
    if span is None:
        return each, None
    if isinstance(each, Array):
        return advanced.positions(ev, each, span, extent), None
    return advanced.position(ev, each, span), None


def _slice_along(ev: Evaluator, each: slice, span: Span, extent: int) -> tuple[slice, Span]:
    """A slice of an open axis, as a slice of the dense axis and the span of the result."""
    bounds = (each.start, each.stop)
    if any(isinstance(bound, Scalar) and bound.is_parameter for bound in bounds):
        ev.static(bounds, "the length of a slice")
    if each.step in (None, 1):
        inner = spans.span_of(ev, each, span.count)
        return slice(None), Span(spans.total(ev, span.start, inner.start), inner.count)
    inner = spans.span_backwards(ev, each, span.count)
    turned = spans.flipped(ev, span, extent)
    return slice(None, None, -1), Span(spans.total(ev, turned.start, inner.start), inner.count)


# Masks along the first axis.


def _mask_of(ev: Evaluator, value: Sliced, index: Any) -> Array | Sliced:
    """A mask of one axis, with a check that it is as long as the value's first axis."""
    index = ev.packed(index) if isinstance(index, Part) else index
    length = sliced.shape_of(index)[0] if isinstance(index, Sliced) else index.shape[0]
    if not spans.same(length, sliced.shape_of(value)[0]):
        message = "boolean index did not match indexed array along axis 0: their lengths differ"
        ev.check(
            spans.compare(ev, "eq", length, sliced.shape_of(value)[0]),
            "IndexError",
            message,
        )
    return index


def _under_mask(ev: Evaluator, value: Sliced, index: Any) -> Masked:
    """The elements that a mask selects along the first axis."""
    index = _mask_of(ev, value, index)
    wide = ev.subscript(index, (slice(None), *(None,) * (value.ndim - 1)))
    # The mask's own span comes first, so that arrays under one mask have the same positions in it.
    (mask, dense), found = sliced.aligned(ev, [wide, value])
    if found[0] is not None:
        alive = sliced.live(ev, Sliced(dense, found), [0])
        mask = ev.call(np.logical_and, (alive, mask), {})
    line = ev.call(np.ravel, (mask,), {})
    return Masked(fresh(ev.read(dense), ev.location), ev.read(line))


# Stores.


def store_item(ev: Any, base: Sliced, index: Any, value: Any) -> None:
    """`base[index] = value`."""
    if _is_mask_of_line(base, index) and base.ndim == 1 and is_number(value):
        _store_under_mask(ev, base, index, value)
        return
    found = _selected(ev, base, index)
    target = found.value
    late_reads.refuse_slices(ev, target, value)
    if isinstance(target, Array) and target.storage is base.dense.storage:
        target = whole(target)
    if not isinstance(target, Sliced):
        ev.store_item(found.base, found.items, value)
        return
    if found.drops_rest:
        ev.store_item(found.base, found.items, sliced.aligned_to(ev, value, target))
        return
    sliced.store(ev, target, value)
    if target.dense.storage is not base.dense.storage:
        # `made` is a copy: write it back, with the other elements unchanged.
        ev.store_item(found.base, found.items, found.made)


def _store_under_mask(ev: Evaluator, base: Sliced, index: Any, value: Any) -> None:
    """`base[mask] = number`."""
    index = _mask_of(ev, base, index)
    mask = ev.call(
        np.logical_and, (sliced.live(ev, base, [0]), sliced.aligned_to(ev, index, base)), {}
    )
    fitted = ev.fitted(value, base.dense.shape, base.dtype)
    ev.store(base.dense, ev.ops.select(ev.read(mask), fitted, ev.read(base.dense)))
