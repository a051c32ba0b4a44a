"""Masks in an index together with integer arrays, or with other masks.

Where the number of true elements is known, a mask becomes the arrays of its indices.
"""

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
from ingot.syntax.values import Array, Joined, List, Scalar, of_all_kinds
from ingot_runtime.errors import ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def without_masks(ev: Any, array: Array, index: Any) -> Any:
    """Replace masks in an index by the indices of their true elements if the count is known.

    Integer arrays in the same index say the count, which is checked at run time. An integer array
    with one element counts as a number, as in NumPy.
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
        axis = axis_of_item(array, items, i)
        check_extents(ev, array, axis, item.shape)
        found += ev.inline(selection.indices_of_mask, (item, max(lengths)), {}, ev.node)
    return tuple(found)


def with_axis_of_truth(ev: Any, array: Array, index: Any) -> tuple[Array, Any]:
    """An array and its index, with an axis of length 1 for a mask without axes, as NumPy has it."""
    item = index[0] if type(index) is tuple and len(index) == 1 else index
    if not _is_truth(item):
        return array, index
    mask = item if isinstance(item, Array) else ev.as_array(item)
    return ev.subscript(array, None), ev.call(np.reshape, (mask, (1,)), {})


def _is_truth(item: Any) -> bool:
    if isinstance(item, (Array, Scalar)):
        return not item.shape and kind_of(item) == "b"
    return isinstance(item, (bool, np.bool_))


def kind_of(item: Array | Scalar) -> str:
    """The kind of an index's dtype, where integers of several dtypes are of one kind."""
    if not isinstance(item, Joined):
        return item.dtype.kind
    return of_all_kinds(item, lambda kind: np.dtype(kind).kind.replace("u", "i"))


def _joined_masks(ev: Evaluator, array: Array, items: tuple) -> tuple:
    """Replace adjacent masks in an index by one mask."""
    found: list[Any] = []
    for item in items:
        if found and ev.is_mask(array, item) and ev.is_mask(array, found[-1]):
            item = ev.inline(selection.paired_mask, (found.pop(), item), {}, ev.node)
        found.append(item)
    return tuple(found)


def masks_first(ev: Any, array: Array, items: list[Any]) -> tuple[Array, tuple]:
    """A view with the masked axes first, and the index of that view.

    NumPy, too, puts the selected axis first if the indices are not adjacent.
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
    """Whether an index has one mask, and integer arrays that broadcast with its indices."""
    items = index if type(index) is tuple else ()
    masks = [each for each in items if isinstance(each, Array) and each.dtype == BOOL]
    return len(masks) == 1 and any(_is_integers(each) for each in items)


def mask_with_arrays(ev: Any, array: Array, index: tuple) -> tuple[Masked, tuple]:
    """Select by one mask and integer arrays.

    Returns:
        the selected value, and the index with all positions of the mask, true or not, in place of
        the mask.
    """
    at = next(i for i, item in enumerate(index) if ev.is_mask(array, item))
    mask = index[at]
    axis = axis_of_item(array, index, at)
    check_extents(ev, array, axis, mask.shape)
    size = math.prod(mask.shape)
    indices = ev.call(np.unravel_index, (ev.call(np.arange, (size,), {}), mask.shape), {})
    items = (*index[:at], *ev.static_items(indices), *index[at + 1 :])
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
    """The number of axes of the result that an index item other than an array gives."""
    if item is Ellipsis:
        return array.ndim - sum(map(_width, items))
    return 1


def check_extents(ev: State, array: Array, axis: int, extents: tuple[int, ...]) -> None:
    """IndexError unless a mask of these extents fits the axes of an array from `axis` on."""
    if axis + len(extents) > array.ndim:
        ev.fail_as(
            IndexError,
            f"too many indices for array: array is {array.ndim}-dimensional, but "
            f"{axis + len(extents)} were indexed",
            kind=ShapeError,
        )
    for i, extent in enumerate(extents, axis):
        if array.shape[i] != extent:
            refuse(ev, i, array.shape[i], extent)


def refuse(ev: State, axis: int, length: int, extent: int) -> NoReturn:
    ev.fail_as(
        IndexError,
        f"boolean index did not match indexed array along axis {axis}; size of axis is {length} "
        f"but size of corresponding boolean axis is {extent}",
        kind=ShapeError,
    )


def _is_integers(item: Any) -> bool:
    return isinstance(item, Array) and item.dtype != BOOL and item.ndim > 0


def _without_static_masks(ev: Evaluator, array: Array, index: Any) -> Any:
    """Replace masks that are known at compile time by the indices of their true elements."""
    items = index if isinstance(index, tuple) else (index,)
    known = [_static_mask(ev, item) for item in items]
    if all(each is None for each in known):
        return index
    found: list[Any] = []
    for i, (item, mask) in enumerate(zip(items, known, strict=True)):
        if mask is None:
            found.append(item)
            continue
        axis = axis_of_item(array, items, i)
        check_extents(ev, array, axis, mask.shape)
        found += [fresh(ev.ops.constant(each, INT)) for each in np.nonzero(mask)]
    return tuple(found) if isinstance(index, tuple) or len(found) > 1 else found[0]


def axis_of_item(array: Array, items: tuple, position: int) -> int:
    """The first axis of an array that the index item at a position is for."""
    if any(item is Ellipsis for item in items[:position]):
        return array.ndim - sum(map(_width, items[position:]))
    return sum(map(_width, items[:position]))


def _width(item: Any) -> int:
    """The number of axes of an array that an index item is for."""
    if item is None or item is Ellipsis:
        return 0
    is_mask = isinstance(item, Array) and item.dtype == BOOL
    return item.ndim if is_mask else 1


def _static_mask(ev: Evaluator, item: Any) -> np.ndarray | None:
    """The mask that a list of booleans, or a constant array, is; None for other items."""
    if isinstance(item, Array) and item.dtype == BOOL and not item.views:
        return ev.ops.known_elements(ev.read(item))
    plain = ev.plain(item) if isinstance(item, (list, List)) else None
    return np.array(plain) if _is_static_mask(plain) else None


def _is_static_mask(value: Any) -> bool:
    """Whether a value is a boolean, or nested lists of booleans without empty ones."""
    if isinstance(value, list):
        return bool(value) and all(map(_is_static_mask, value))
    return isinstance(value, (bool, np.bool_))
