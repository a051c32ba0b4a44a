"""How much room the lists need to which a loop appends.

That is what they hold before the loop, and for each iteration what one adds at most. An attempt at
the loop finds out how much that is, the next one has the room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ingot.syntax.ops import affine_of
from ingot.syntax.paths import Path
from ingot.syntax.scopes import Name
from ingot.syntax.slots import Slot
from ingot.syntax.state import GROWS
from ingot.syntax.types import (
    ArrayType,
    GrownType,
    JoinError,
    MaybeType,
    ObjectType,
    ScalarType,
    SlicedType,
    StaticType,
    TupleType,
    Type,
    escaping,
    join,
    most_of,
    type_of,
)
from ingot.syntax.values import Array, Broken, Cell, Grown, List

#: How a carried list is found.
Key = Name | Path


class Rooms:
    """The lists of one attempt at a loop, by the name that is carried or the path of the cell.

    Args:
        gains: how many items each iteration adds to a list at most, as far as is known.
        iterations: how many there are at most, if that is known.
        entry: what names hold before the loop.
    """

    def __init__(
        self, gains: dict[Key, int], iterations: int | None, entry: Mapping[Name, Any]
    ) -> None:
        self._gains, self._iterations = gains, iterations
        lists = {name: each for name, each in entry.items() if isinstance(each, List)}
        self._before: dict[Key, int] = {
            name: most_in(each.cell.value)
            for name, each in lists.items()
            if not isinstance(each.cell.value, Broken)
        }

    def enter(self, key: Key, type_: Type) -> None:
        """Note what a list holds before the loop."""
        self._before[key] = most_of(type_)

    def widened(self, key: Key, start: int, end: Type, joined: Type) -> Type:
        """A list's type with room for what all iterations add.

        Args:
            start: how many items it has at most when an iteration starts.
            end: its type when that ends.

        Raises:
            JoinError: nothing says how much it grows.
        """
        if isinstance(joined, GrownType) and joined.extra is None:
            self._gains[key] = max(most_of(end) - start, self._gains.get(key, 0))
        return self.filled(key, joined)

    def filled(self, key: Key, type_: Type) -> Type:
        """A list's type with the room that is known to be needed; other types as they are."""
        if not isinstance(type_, GrownType):
            return type_
        gain = self._gains.get(key, 0)
        if type_.extra is not None:
            most = type_.extra
        elif not gain:
            return type_
        elif self._iterations is None:
            raise JoinError(GROWS)
        else:
            most = self._before.get(key, 0) + gain * self._iterations
        return replace(type_, capacity=max(type_.capacity, most), most=most, length=None)

    def at_start(self, key: Key, type_: Type) -> Type:
        """A type at the start of an iteration: there is room for what it adds to a list."""
        if not isinstance(type_, GrownType) or type_.extra is not None:
            return type_
        return replace(type_, most=type_.most - self._gains.get(key, 0))


def most_in(contents: Any) -> int:
    """How many items a list has at most."""
    return contents.most if isinstance(contents, Grown) else len(contents)


def most_at_start(value: Any, known: Type, written: Mapping[Cell, Any]) -> int:
    """How many items a name's list has at most when an iteration starts.

    Args:
        value: what the name holds then.
        written: what cells held then that have changed since.
    """
    if not isinstance(known, StaticType) or not isinstance(value, List):
        return most_of(known)
    contents = written.get(value.cell, value.cell.value)
    return 0 if isinstance(contents, Broken) else most_in(contents)


def as_rows(
    cell: Cell, known: Type, first: int, may_differ: Callable[[], bool]
) -> GrownType | None:
    """The type of a list of arrays to whose end an iteration has appended, as rows.

    Args:
        known: the type of the list when the iteration started.
        first: the number of the first cell that the iteration made.
        may_differ: whether lists may have lengths that run time knows only.
    """
    now = cell.value
    if not (isinstance(known, ObjectType) and known.kind is list and isinstance(now, tuple)):
        return None
    added = now[len(known.items) :]
    # Its rows are copies: what was an object before must stay that.
    is_old = any(isinstance(x, Array) and x.storage.number < first for x in added)
    if is_old or not added or not may_differ():
        return None
    item = type_of(now[-1], runtime=True)
    for each in now:
        item = join(item, type_of(each, runtime=True))
    item = escaping(item, 0)
    count = len(now)
    return GrownType(item, count, count, count, cell.extra) if _is_plain(item) else None


def _is_plain(type_: Type) -> bool:
    """Whether a value of the type is numbers and arrays, so that many of it can be stacked."""
    if isinstance(type_, (ScalarType, ArrayType)):
        return True
    return isinstance(type_, TupleType) and type_.kind is tuple and all(map(_is_plain, type_.items))


def length_after(slot: Slot, iterations: int) -> int | None:
    """The length of a list after a loop, if each iteration has appended as many items."""
    before = _length(slot.init)
    gained = affine_of(_length(slot.end)).plus(affine_of(_length(slot.value)), -1)
    is_known = isinstance(before, int) and not gained.terms
    return before + gained.constant * iterations if is_known else None


def _length(contents: Any) -> Any:
    return contents.length if isinstance(contents, Grown) else len(contents)


def room_of(type_: Any) -> int:
    """The elements that arrays of run-time lengths in it have at most."""
    if isinstance(type_, SlicedType):
        return math.prod(type_.dense.shape)
    if isinstance(type_, MaybeType):
        return room_of(type_.inner)
    if isinstance(type_, GrownType):
        return type_.capacity
    return sum(map(room_of, getattr(type_, "items", ())))
