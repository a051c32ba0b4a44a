"""Lists stored as rows of arrays: reading, appending and storing one item.

The number of rows in use may be known only at run time.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeGuard

from ingot._core import Value
from ingot.syntax import spans
from ingot.syntax.cells import Cell, Storage
from ingot.syntax.dynamic import Grown
from ingot.syntax.joins import join_rows
from ingot.syntax.leaves import converted_rows, enlarged, flatten, rebuild
from ingot.syntax.lengths import exceeded
from ingot.syntax.ops import at_most
from ingot.syntax.state import State, arrays_in
from ingot.syntax.types import JoinError, type_of
from ingot.syntax.values import List, Scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def is_open(contents: Any) -> TypeGuard[Grown]:
    """Whether the length of a list is known only at run time."""
    return isinstance(contents, Grown) and not isinstance(contents.length, int)


def row(ev: Any, cell: Cell | None, grown: Grown, index: Any) -> Any:
    """One item. An array in it is a copy of the list's, so stores to it are refused.

    Args:
        cell: the list; None for numbers that are not in one.
    """
    start = ev.index_value(index)
    leaves = []
    for data in grown.data:
        shape = data.shape[1:]
        ones = [1] * len(data.shape)
        if isinstance(start, int):
            starts = [start] + [0] * len(shape)
            made = ev.ops.create("slice", [data], starts=starts, sizes=[1, *shape], strides=ones)
        else:
            zeros = [ev.ops.index(0)] * len(shape)
            operands = [data, start, *zeros]
            made = ev.ops.create("dynamic_slice", operands, sizes=[1, *shape], strides=ones)
        leaves.append(ev.ops.reshape(made, shape))
    item = rebuild(grown.item, iter(leaves), ev.location)
    if cell is not None:
        for array in arrays_in(item):
            array.storage.maybe = {cell: None}
    return item


def check_bound(ev: Any, owner: List, length: Any, most: int, added: int = 0) -> int:
    """Check that a list stays within its `ingot.bound` when items are added.

    Args:
        owner: the list.
        length: its length before, a number known at compile time or at run time.
        most: an upper bound of that length.
        added: the number of added items.

    Returns:
        an upper bound of the length before that the check implies.

    Raises:
        ValueError: the list gets longer than its bound; at run time if the length is known then.
    """
    bound = owner.cell.extra
    if bound is None or at_most(most, bound - added):
        return most
    if isinstance(length, int):
        ev.raise_now(ValueError, exceeded(bound))
    ev.check_nearly(spans.compare(ev, "le", length, bound - added), "ValueError", exceeded(bound))
    return int(bound - added)


def append(ev: Any, owner: List, grown: Grown, item: Any) -> bool:
    """Append to a list of rows; False if the item does not fit a row, or no row is free."""
    is_full = not is_open(grown) and grown.length >= grown.capacity
    try:
        type_: Any = None if is_full else join_rows(grown.item, type_of(item))
    except JoinError:
        type_ = None
    if type_ is None or (type_ != grown.item and not is_open(grown)):
        if is_open(grown):
            _refuse_item(ev)
        return False
    grown = as_item(ev, grown, type_)
    most = check_bound(ev, owner, grown.length, grown.most, added=1)
    room = max(grown.capacity, most + 1) if is_open(grown) else grown.capacity
    appended = kept(ev, owner, grown, [item])
    data = tuple(enlarged(ev.ops, each, (room, *each.shape[1:])) for each in grown.data)
    data = _with_row(ev, data, grown.length, flatten(ev, item, type_))
    length = ev.binary(ast.Add, grown.length, 1)
    if isinstance(length, Scalar):
        length.low, length.high = 1, most + 1
    ev.change_cell(owner.cell, Grown(type_, data, length, appended, grown.first))
    return True


def kept(ev: State, owner: List, grown: Grown, items: Sequence[Any]) -> frozenset[Cell]:
    """What `appended` is once a list has these items too; their arrays become aliases of the list.

    Raises:
        StaticRequired: an array is an item already, of this list or of another one, or is older
            than a loop that carries the list. A store to it, or to one of the rows, would have to
            reach the other.
    """
    arrays = [array.storage for item in items for array in arrays_in(item)]
    begun = [loop.first for loop in ev.loops if loop.first > owner.cell.number]
    for storage in arrays:
        is_held = any(other.kind is list for other in storage.maybe)
        is_old = any(storage.number < first for first in begun)
        if is_old or is_held or arrays.count(storage) > 1 or storage in grown.appended:
            ev.fail_static(
                "a list that grows in a loop gets an array that is an item already, or older than "
                "the loop",
                "add a copy: items.append(a.copy())",
                "alias",
            )
    if any(storage.maybe for storage in arrays):
        ev.sharing.add(owner.cell)
    for storage in {each: None for one in arrays for each in storages_of(one)}:
        ev.regions[-1].related.setdefault(storage, storage.maybe)
        ev.regions[-1].set_aliases(storage, {**storage.maybe, owner.cell: None})
    return grown.appended.union(arrays)


def storages_of(storage: Storage) -> list[Storage]:
    """A storage and those that it may be."""
    return [storage, *(other for other in storage.maybe if isinstance(other, Storage))]


def store(ev: Any, owner: List, grown: Grown, index: Any, item: Any) -> None:
    """`owner[index] = item`, where the length is known only at run time."""
    index = ev._in_bounds(index, grown.length, "list assignment")
    type_ = joined_item(ev, grown.item, type_of(item))
    grown = as_item(ev, grown, type_)
    data = _with_row(ev, grown.data, index, flatten(ev, item, type_))
    appended = kept(ev, owner, grown, [item])
    ev.change(owner, replace(grown, data=data, appended=appended, first=()))


def _with_row(
    ev: Evaluator, data: tuple[Value, ...], index: Any, leaves: list[Value]
) -> tuple[Value, ...]:
    start = ev.ops.index(ev.index_value(index))
    made = []
    for old, leaf in zip(data, leaves, strict=True):
        update = ev.ops.reshape(leaf, (1, *old.shape[1:]))
        zeros = [ev.ops.index(0)] * (len(old.shape) - 1)
        operands = [old, update, start, *zeros]
        made.append(ev.ops.create("update_slice", operands, strides=[1] * len(old.shape)))
    return tuple(made)


def joined_item(ev: State, one: Any, other: Any) -> Any:
    """The join of two item types; items that have none are refused."""
    try:
        return join_rows(one, other)
    except JoinError:
        _refuse_item(ev)


def _refuse_item(ev: State) -> NoReturn:
    ev.fail(
        "a list of a length known only at run time holds items of one type",
        "convert the item, or use a list for each type",
        page="types-on-paths",
    )


def as_item(ev: Evaluator, grown: Grown, type_: Any) -> Grown:
    """The rows converted to another item type."""
    if type_ == grown.item:
        return grown
    return replace(grown, item=type_, data=converted_rows(ev.ops, grown, type_))
