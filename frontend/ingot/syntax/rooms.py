"""How much room the lists need to which a loop appends.

That is what they hold before the loop, and for each iteration what one adds at most. An attempt at
the loop finds out how much that is, the next one has the room.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ingot.syntax.paths import Path
from ingot.syntax.state import GROWS
from ingot.syntax.types import GrownType, JoinError, StaticType, Type, most_of
from ingot.syntax.values import Broken, Cell, Grown, List

Owner = str | Path


class Rooms:
    """The lists of one attempt at a loop, by the name that is carried or the path of the cell.

    Args:
        gains: how many items each iteration adds to a list at most, as far as is known.
        iterations: how many there are at most, if that is known.
        entry: what names hold before the loop.
    """

    def __init__(
        self, gains: dict[Owner, int], iterations: int | None, entry: Mapping[str, Any]
    ) -> None:
        self._gains, self._iterations = gains, iterations
        lists = {name: each for name, each in entry.items() if isinstance(each, List)}
        self._before: dict[Owner, int] = {
            name: most_in(each.cell.value)
            for name, each in lists.items()
            if not isinstance(each.cell.value, Broken)
        }

    def enter(self, owner: Owner, type_: Type) -> None:
        """Note what a list holds before the loop."""
        self._before[owner] = most_of(type_)

    def widened(self, owner: Owner, start: int, end: Type, joined: Type) -> Type:
        """A list's type with room for what all iterations add.

        Args:
            start: how many items it has at most when an iteration starts.
            end: its type when that ends.

        Raises:
            JoinError: nothing says how much it grows.
        """
        if isinstance(joined, GrownType) and joined.extra is None:
            self._gains[owner] = max(most_of(end) - start, self._gains.get(owner, 0))
        return self.filled(owner, joined)

    def filled(self, owner: Owner, type_: Type) -> Type:
        """A list's type with the room that is known to be needed; other types as they are."""
        if not isinstance(type_, GrownType):
            return type_
        gain = self._gains.get(owner, 0)
        if type_.extra is not None:
            most = type_.extra
        elif not gain:
            return type_
        elif self._iterations is None:
            raise JoinError(GROWS)
        else:
            most = self._before.get(owner, 0) + gain * self._iterations
        return replace(type_, capacity=max(type_.capacity, most), most=most, length=None)

    def started(self, owner: Owner, type_: Type) -> Type:
        """A type at the start of an iteration: there is room for what it adds to a list."""
        if not isinstance(type_, GrownType) or type_.extra is not None:
            return type_
        return replace(type_, most=type_.most - self._gains.get(owner, 0))


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
