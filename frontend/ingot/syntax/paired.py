"""Masks in an index as arrays of the places where they hold, beside arrays of integers."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ingot.dtypes import BOOL, INT
from ingot.numpy.library import selection
from ingot.syntax.ops import fresh
from ingot.syntax.state import State
from ingot.syntax.values import Array, List
from ingot_runtime.errors import ShapeError


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
        found += ev.inline(selection.places_of_mask, (item, max(lengths)), {}, ev.node)
    return tuple(found)


def _joined_masks(ev: Any, array: Array, items: tuple) -> tuple:
    """An index with one mask in place of several that are side by side."""
    found: list[Any] = []
    for item in items:
        if found and ev.is_mask(array, item) and ev.is_mask(array, found[-1]):
            item = ev.inline(selection.paired_mask, (found.pop(), item), {}, ev.node)
        found.append(item)
    return tuple(found)


def refuse(ev: State, array: Array, shape: tuple[int, ...]) -> NoReturn:
    ev.fail(
        f"boolean index of shape {shape} does not match the indexed axes of an array of shape "
        f"{array.shape}",
        kind=ShapeError,
    )


def _is_integers(item: Any) -> bool:
    return isinstance(item, Array) and item.dtype != BOOL and item.ndim > 0


def _without_static_masks(ev: Any, array: Array, index: Any) -> Any:
    """An index with lists of True and False as the indices of what they select."""
    items = index if isinstance(index, tuple) else (index,)
    if not any(isinstance(item, (list, List)) for item in items):
        return index
    found: list[Any] = []
    for i, item in enumerate(items):
        plain = ev.plain(item) if isinstance(item, (list, List)) else None
        if not _is_static_mask(plain):
            found.append(item)
            continue
        mask = np.array(plain)
        axis = _axis_of_item(array, items, i)
        if array.shape[axis : axis + mask.ndim] != mask.shape:
            refuse(ev, array, mask.shape)
        found += [fresh(ev.ops.constant(each, INT)) for each in np.nonzero(mask)]
    return tuple(found) if isinstance(index, tuple) or len(found) > 1 else found[0]


def _axis_of_item(array: Array, items: tuple, number: int) -> int:
    """The axis of an array at which an item of an index begins."""

    def width(item: Any) -> int:
        if item is None or item is Ellipsis:
            return 0
        is_mask = isinstance(item, Array) and item.dtype == BOOL
        return item.ndim if is_mask else 1

    if any(item is Ellipsis for item in items[:number]):
        return array.ndim - sum(map(width, items[number:]))
    return sum(map(width, items[:number]))


def _is_static_mask(value: Any) -> bool:
    """Whether nested lists are of True and False."""
    if isinstance(value, list):
        return bool(value) and all(map(_is_static_mask, value))
    return isinstance(value, (bool, np.bool_))
