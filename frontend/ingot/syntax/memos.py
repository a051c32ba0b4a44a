"""What attempts at a loop have found out, for those that follow (see `carried`)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ingot.syntax.choices import Choices
from ingot.syntax.links import Known
from ingot.syntax.rooms import Key
from ingot.syntax.types import JoinError, Type, escaping
from ingot.syntax.values import Raisable


@dataclass
class Memo:
    """What earlier attempts at a loop have found out.

    Attributes:
        types: the types of the carried names and cells, by their keys.
        lost: the names and cells whose values have no common type, and why.
        wanted: the names that an iteration reads before it assigns them.
        links: which objects may be one object.
        parameter: the parameter of the function that determines the trip count, or None.
        exchanges: whether to look for names that exchange their arrays in each iteration.
        exchanged: the names that seem to, by the syntax of the body.
        chooses: whether to look for names that refer to one of several objects.
        choices: those names and objects.
        kept: the names that seem to have the same array before and after each iteration.
        opens_lists: whether the loop needs lists of dynamic length.
        rotate: whether the condition is evaluated before the loop and at the end of the body.
        unroll: whether the body needs the induction variable at compile time.
        peeled: how many iterations are evaluated before the loop, since they begin with arrays of
            other dtypes.
        latest: the number of the first cell that the latest attempt made.
        growths: how often attempts have found that an array of dynamic length needs more room.
        most: an upper bound of the trip count of a `while`, or None.
        extensions: how often attempts at one entry of the loop have found a larger one.
        left_by: the exceptions by which iterations leave the loop for a handler.
        gains: the most items that an iteration adds to each list.
    """

    types: dict[Key, Type] = field(default_factory=dict)
    lost: dict[Key, str] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    links: Known = field(default_factory=Known)
    parameter: Any = None
    exchanges: bool = True
    exchanged: tuple[str, ...] = ()
    chooses: bool = False
    choices: Choices | None = None
    kept: set[str] = field(default_factory=set)
    opens_lists: bool = False
    rotate: bool = False
    unroll: bool = False
    peeled: int = 0
    latest: int = 0
    growths: Counter[Key] = field(default_factory=Counter)
    most: int | None = None
    extensions: int = 0
    left_by: list[Raisable] = field(default_factory=list)
    gains: dict[Key, int] = field(default_factory=dict)

    def forget(self, first: int) -> None:
        """Forget objects with this number or a higher one: the attempt that made them is undone."""
        if self.latest <= first:
            return
        for key, type_ in list(self.types.items()):
            try:
                self.types[key] = escaping(type_, first)
            except JoinError:
                del self.types[key]

    def lose(self, key: Key, reason: str) -> bool:
        """Note that the values of different iterations have no common type; returns True."""
        self.lost[key] = reason
        self.types.pop(key, None)
        return True

    def leave_by(self, error: Raisable) -> int:
        """The number of an exception in `left_by`."""
        same = (error.kind, error.message, error.args)
        for number, each in enumerate(self.left_by):
            if (each.kind, each.message, each.args) == same:
                return number
        self.left_by.append(error)
        return len(self.left_by) - 1

    def keep(self, names: set[str]) -> None:
        """Take names to have the same array before and after each iteration."""
        self.kept |= names
        for name in names:
            self.types.pop(name, None)

    def look_for_choices(self) -> None:
        """Treat the names as references to one of several arrays: they do not exchange them."""
        self.exchanges, self.exchanged, self.chooses = False, (), True
