"""Masks in an index as arrays of the places where they hold, beside arrays of integers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ingot.dtypes import BOOL, INT
from ingot.numpy.library import selection
from ingot.syntax import views
from ingot.syntax.masked import Masked
from ingot.syntax.ops import fresh
from ingot.syntax.state import State
from ingot.syntax.values import Array, List, Scalar
from ingot_runtime.errors import ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def without_masks(ev: Any, array: Array, index: Any) -> Any:
    """An index with the places of masks where their number is known.

    It is that of the integer arrays beside a mask, which run time checks. One element of an array
    is a number to NumPy, too.
    """
    index = _without_static_masks(ev, array, index)
    if not (type(index) is tuple and ev.is_mask(array, index)):
        return index
    items = tuple(ev.as_indices(i) if isinstance(i, (list, List)) else i for i in index)
    lengths = {each.shape[-1] for each in items if _is_integers(each)} - {1}
    if not lengths:
        is_number = [_is_integers(each) and each.ndim == 1 for each in items]
        pairs = zip(items, is_number, strict=True)
        items = tuple(ev.subscript(item, 0) if one else item for item, one in pairs)
        return _joined_masks(ev, array, items)
    found: list[Any] = []
    for i, item in enumerate(items):
        if not ev.is_mask(array, item):
            found.append(item)
            continue
        axis = _axis_of_item(array, items, i)
        if array.shape[axis : axis + item.ndim] != item.shape:
            refuse(ev, array, item.shape)
        found += ev.inline(selection.indices_of_mask, (item, max(lengths)), {}, ev.node)
    return tuple(found)


def _joined_masks(ev: Evaluator, array: Array, items: tuple) -> tuple:
    """An index with one mask in place of several that are side by side."""
    found: list[Any] = []
    for item in items:
        if found and ev.is_mask(array, item) and ev.is_mask(array, found[-1]):
            item = ev.inline(selection.paired_mask, (found.pop(), item), {}, ev.node)
        found.append(item)
    return tuple(found)


def masks_first(ev: Any, array: Array, items: list[Any]) -> tuple[Array, tuple]:
    """A view whose first axes are those of the masks in an index, and the index to it.

    NumPy, too, puts first what indices apart from each other select.
    """
    used = sum(_width(item) for item in items)
    chosen: list[tuple[Any, list[int]]] = []
    axis = 0
    for item in views.filled(items, array.ndim - used):
        chosen.append((item, list(range(axis, axis + _width(item)))))
        axis += _width(item)
    ordered = sorted(chosen, key=lambda each: not ev.is_mask(array, each[0]))
    axes = [axis for _, along in ordered for axis in along]
    return ev.call(np.transpose, (array, tuple(axes)), {}), tuple(item for item, _ in ordered)


def is_mask_with_arrays(index: Any) -> bool:
    """Whether beside one mask there are arrays of indices that broadcast with what it selects."""
    items = index if type(index) is tuple else ()
    masks = [each for each in items if isinstance(each, Array) and each.dtype == BOOL]
    return len(masks) == 1 and any(_is_integers(each) for each in items)


def mask_with_arrays(ev: Any, array: Array, index: tuple) -> tuple[Masked, tuple]:
    """What such an index selects, and the index with all places in place of the mask's."""
    number = next(i for i, item in enumerate(index) if ev.is_mask(array, item))
    mask = index[number]
    axis = _axis_of_item(array, index, number)
    if array.shape[axis : axis + mask.ndim] != mask.shape:
        refuse(ev, array, mask.shape)
    size = math.prod(mask.shape)
    places = ev.call(np.unravel_index, (ev.call(np.arange, (size,), {}), mask.shape), {})
    items = (*index[:number], *ev.static_items(places), *index[number + 1 :])
    selected = ev.subscript(array, items)
    rank = max(each.ndim for each in items if _is_integers(each))
    given = [
        i for i, item in enumerate(items) if isinstance(item, (int, np.integer, Scalar, Array))
    ]
    together = given == list(range(given[0], given[0] + len(given)))
    first = sum(_kept(array, items, item) for item in items[: given[0]]) if together else 0
    flat = ev.read(ev.call(np.ravel, (mask,), {}))
    return Masked(selected, flat, first + rank - 1), items


def _kept(array: Array, items: tuple, item: Any) -> int:
    """How many axes of the result an item of an index is that is no array."""
    if item is Ellipsis:
        return array.ndim - sum(map(_width, items))
    return 1


def refuse(ev: State, array: Array, shape: tuple[int, ...]) -> NoReturn:
    ev.fail(
        f"boolean index of shape {shape} does not match the indexed axes of an array of shape "
        f"{array.shape}",
        kind=ShapeError,
    )


def _is_integers(item: Any) -> bool:
    return isinstance(item, Array) and item.dtype != BOOL and item.ndim > 0


def _without_static_masks(ev: Evaluator, array: Array, index: Any) -> Any:
    """An index with masks that are known as the indices of what they select."""
    items = index if isinstance(index, tuple) else (index,)
    known = [_static_mask(ev, item) for item in items]
    if all(each is None for each in known):
        return index
    found: list[Any] = []
    for i, (item, mask) in enumerate(zip(items, known, strict=True)):
        if mask is None:
            found.append(item)
            continue
        axis = _axis_of_item(array, items, i)
        if array.shape[axis : axis + mask.ndim] != mask.shape:
            refuse(ev, array, mask.shape)
        found += [fresh(ev.ops.constant(each, INT)) for each in np.nonzero(mask)]
    return tuple(found) if isinstance(index, tuple) or len(found) > 1 else found[0]


def _axis_of_item(array: Array, items: tuple, number: int) -> int:
    """The axis of an array at which an item of an index begins."""

    if any(item is Ellipsis for item in items[:number]):
        return array.ndim - sum(map(_width, items[number:]))
    return sum(map(_width, items[:number]))


def _width(item: Any) -> int:
    """How many axes of an array an item of an index is for."""
    if item is None or item is Ellipsis:
        return 0
    is_mask = isinstance(item, Array) and item.dtype == BOOL
    return item.ndim if is_mask else 1


def _static_mask(ev: Evaluator, item: Any) -> np.ndarray | None:
    """A list of True and False, or an array made of one."""
    if isinstance(item, Array) and item.dtype == BOOL and not item.views:
        return ev.ops.known_elements(ev.read(item))
    plain = ev.plain(item) if isinstance(item, (list, List)) else None
    return np.array(plain) if _is_static_mask(plain) else None


def _is_static_mask(value: Any) -> bool:
    """Whether nested lists are of True and False."""
    if isinstance(value, list):
        return bool(value) and all(map(_is_static_mask, value))
    return isinstance(value, (bool, np.bool_))
