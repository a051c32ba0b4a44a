"""The room (capacity) that lists need if a loop appends to them.

It is the length before the loop, plus the trip count times what one iteration appends at most. One
attempt at the loop finds out what an iteration appends; the next attempt has the room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ingot.syntax.cells import Cell
from ingot.syntax.dynamic import Grown
from ingot.syntax.joins import is_stackable, join, most_of
from ingot.syntax.ops import affine_of
from ingot.syntax.paths import Path
from ingot.syntax.scopes import Name
from ingot.syntax.slots import Slot
from ingot.syntax.state import GROWS, arrays_in
from ingot.syntax.types import (
    GrownType,
    JoinError,
    MaybeType,
    ObjectType,
    SlicedType,
    StaticType,
    Type,
    escaping,
    type_of,
)
from ingot.syntax.values import Broken, List, OneOf

#: The name of a carried list, or the path of its cell.
Key = Name | Path


class Rooms:
    """The capacities of carried lists in one attempt at a loop.

    Args:
        gains: the most items that one iteration appends to each list, as far as is known.
        iterations: an upper bound of the trip count, or None.
        entry: the values of names before the loop.
    """

    def __init__(
        self, gains: dict[Key, int], iterations: int | None, entry: Mapping[Name, Any]
    ) -> None:
        self._gains, self.iterations = gains, iterations
        lists = {name: each for name, each in entry.items() if isinstance(each, List)}
        self._before: dict[Key, int] = {
            name: most_in(each.cell.value)
            for name, each in lists.items()
            if not isinstance(each.cell.value, Broken)
        }

    def enter(self, key: Key, type_: Type) -> None:
        """Note the type of a list before the loop."""
        self._before[key] = most_of(type_)

    def widened(self, key: Key, start: int, end: Type, joined: Type) -> Type:
        """The type of a list with room for what all iterations append.

        Args:
            key: the list.
            start: the most items that it has at the start of an iteration.
            end: its type at the end of the iteration.
            joined: the join of its types at the start and at the end.

        Raises:
            JoinError: the trip count has no known bound.
        """
        if isinstance(joined, GrownType) and joined.extra is None:
            self._gains[key] = max(most_of(end) - start, self._gains.get(key, 0))
        return self.filled(key, joined)

    def filled(self, key: Key, type_: Type) -> Type:
        """The type of a list with the room known to be needed; other types as they are."""
        if not isinstance(type_, GrownType):
            return type_
        gain = self._gains.get(key, 0)
        if type_.extra is not None:
            most = type_.extra
        elif not gain:
            return type_
        elif self.iterations is None:
            raise JoinError(GROWS)
        else:
            most = self._before.get(key, 0) + gain * self.iterations
        return replace(type_, capacity=max(type_.capacity, most), most=most, length=None)

    def at_start(self, key: Key, type_: Type) -> Type:
        """The type of a list at the start of an iteration, which has room to append to it."""
        if not isinstance(type_, GrownType) or type_.extra is not None:
            return type_
        return replace(type_, most=type_.most - self._gains.get(key, 0))


def most_in(contents: Any) -> int:
    """The most items that a list with these contents has."""
    if isinstance(contents, OneOf):
        return max(map(most_in, contents.values))
    return contents.most if isinstance(contents, Grown) else len(contents)


def most_at_start(value: Any, known: Type, written: Mapping[Cell, Any]) -> int:
    """The most items that a list has at the start of an iteration.

    Args:
        value: the list at the start.
        known: its type at the start.
        written: the contents at the start of the cells that have changed since.
    """
    if not isinstance(known, StaticType) or not isinstance(value, List):
        return most_of(known)
    contents = written.get(value.cell, value.cell.value)
    return 0 if isinstance(contents, Broken) else most_in(contents)


def as_rows(
    cell: Cell, known: Type, first: int, may_differ: Callable[[], bool]
) -> GrownType | None:
    """The type, as rows, of a list of arrays to which an iteration has appended; else None.

    Args:
        cell: the list.
        known: its type at the start of the iteration.
        first: the number of the first cell that the iteration made.
        may_differ: whether lists may have run-time lengths.
    """
    now = cell.value
    if not (isinstance(known, ObjectType) and known.kind is list and isinstance(now, tuple)):
        return None
    added = now[len(known.items) :]
    arrays = [array.storage for each in added for array in arrays_in(each)]
    # Rows are copies, so arrays from before the iteration, or that occur twice, would lose their
    # identity.
    loses = any(each.number < first for each in arrays) or len({*arrays}) < len(arrays)
    if loses or not added or not may_differ():
        return None
    item = type_of(now[-1], runtime=True)
    for each in now:
        item = join(item, type_of(each, runtime=True))
    item = escaping(item, 0)
    count = len(now)
    return GrownType(item, count, count, count, cell.extra) if is_stackable(item) else None


def first_of(contents: Any) -> tuple[Any, ...]:
    """The items that a list had before a loop appended to it, if there are arrays among them."""
    items = contents.first if isinstance(contents, Grown) else contents
    has_arrays = isinstance(items, tuple) and any(True for _ in arrays_in(items))
    return items if has_arrays else ()


def length_after(slot: Slot, iterations: int) -> int | None:
    """The length of a list after a loop; None unless all iterations append equally many items."""
    before = _length(slot.init)
    gained = affine_of(_length(slot.end)).plus(affine_of(_length(slot.value)), -1)
    is_known = isinstance(before, int) and not gained.terms
    return before + gained.constant * iterations if is_known else None


def _length(contents: Any) -> Any:
    return contents.length if isinstance(contents, Grown) else len(contents)


def most_elements(type_: Any) -> int:
    """An upper bound of the number of elements with run-time lengths in values of a type."""
    if isinstance(type_, SlicedType):
        return math.prod(type_.dense.shape)
    if isinstance(type_, MaybeType):
        return most_elements(type_.inner)
    if isinstance(type_, GrownType):
        return type_.capacity
    return sum(map(most_elements, getattr(type_, "items", ())))
