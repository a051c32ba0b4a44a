"""Supplies: the lazy sources of an iterator's items.

A supply is immutable: `pull` returns an item and the supply of the following items. So both arms of
a run-time branch, and each attempt at a loop, continue from the same position.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ingot.syntax.functions import LocalFunction
from ingot.syntax.scopes import Name
from ingot.syntax.values import Dict, Items, Iterator, List, Set, Supply

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: Stands for an item after the last one.
END = object()
#: The assumed number of items where no bound is known.
MANY = 4000
#: An item, or END, and the supply of what follows.
Step = tuple[Any, Supply]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OfItems(Supply):
    """The items of an immutable sequence."""

    items: Sequence[Any]
    done: int = 0

    def pull(self, ev: Evaluator) -> Step:
        if self.done == len(self.items):
            return END, NOTHING_MORE
        return ev.lift(self.items[self.done]), OfItems(self.items, self.done + 1)

    def most(self, ev: Evaluator) -> float:
        return len(self.items) - self.done


NOTHING_MORE = OfItems(())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OfIndex(Supply):
    """Items computed from their positions."""

    length: float
    item: Callable[[Any], Any]
    done: int = 0

    def pull(self, ev: Evaluator) -> Step:
        if self.done >= self.length:
            return END, NOTHING_MORE
        return self.item(self.done), OfIndex(self.length, self.item, self.done + 1)

    def most(self, ev: Evaluator) -> float:
        return self.length - self.done


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OfList(Supply):
    """The items of a list, read when they are pulled."""

    owner: List
    done: int = 0

    def pull(self, ev: Evaluator) -> Step:
        if self.done >= ev.static(ev.length_of(self.owner), "the length of a list"):
            return END, NOTHING_MORE
        return ev.subscript(self.owner, self.done), OfList(self.owner, self.done + 1)

    def most(self, ev: Evaluator) -> float:
        return ev.static(ev.length_of(self.owner), "the length of a list") - self.done


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OfListReversed(Supply):
    owner: List
    position: int

    def pull(self, ev: Evaluator) -> Step:
        if not 0 <= self.position < ev.static(ev.length_of(self.owner), "the length of a list"):
            return END, NOTHING_MORE
        return ev.subscript(self.owner, self.position), OfListReversed(
            self.owner, self.position - 1
        )

    def most(self, ev: Evaluator) -> float:
        return self.position + 1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OfView(Supply):
    """The keys, values or items of a dict, or the elements of a set."""

    owner: Dict | Set | Items
    length: int
    done: int = 0

    def pull(self, ev: Evaluator) -> Step:
        owner = self.owner.owner if isinstance(self.owner, Items) else self.owner
        if ev.length_of(owner) != self.length:
            kind = "Set" if isinstance(owner, Set) else "dictionary"
            ev.raise_now(RuntimeError, f"{kind} changed size during iteration")
        if self.done == self.length:
            return END, NOTHING_MORE
        return ev.view_items(self.owner)[self.done], replace(self, done=self.done + 1)

    def most(self, ev: Evaluator) -> float:
        return self.length - self.done


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Shared(Supply):
    """An iterator object, which other code may advance, too."""

    iterator: Iterator

    def pull(self, ev: Evaluator) -> Step:
        item, after = ev.contents(self.iterator).pull(ev)
        ev.change(self.iterator, after)
        return item, self

    def most(self, ev: Evaluator) -> float:
        return ev.contents(self.iterator).most(ev)


def pull_row(ev: Evaluator, parts: Sequence[Supply]) -> tuple[list[Any], list[Supply]]:
    """One item of each part, up to the first exhausted part, and the parts that follow."""
    row: list[Any] = []
    after = list(parts)
    for i, part in enumerate(parts):
        item, after[i] = part.pull(ev)
        if item is END:
            break
        row.append(item)
    return row, after


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Zipped(Supply):
    parts: tuple[Supply, ...]
    is_strict: bool

    def pull(self, ev: Evaluator) -> Step:
        row, after = pull_row(ev, self.parts)
        if len(row) == len(self.parts) and row:
            return tuple(row), Zipped(tuple(after), self.is_strict)
        if self.is_strict:
            self._check(ev, len(row), after)
        return END, NOTHING_MORE

    def _check(self, ev: Evaluator, count: int, after: list[Supply]) -> None:
        if count:
            refuse_lengths(ev, count, "shorter")
        for i in range(1, len(after)):
            if after[i].pull(ev)[0] is not END:
                refuse_lengths(ev, i, "longer")

    def most(self, ev: Evaluator) -> float:
        return min((part.most(ev) for part in self.parts), default=0)


def refuse_lengths(ev: Evaluator, number: int, how: str) -> None:
    """Raise the error of a strict zip() for argument `number + 1`."""
    others = "argument 1" if number == 1 else f"arguments 1-{number}"
    ev.raise_now(ValueError, f"zip() argument {number + 1} is {how} than {others}")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ZippedLongest(Supply):
    parts: tuple[Supply, ...]
    fill: Any

    def pull(self, ev: Evaluator) -> Step:
        steps = [part.pull(ev) for part in self.parts]
        if all(item is END for item, _ in steps):
            return END, NOTHING_MORE
        row = tuple(self.fill if item is END else item for item, _ in steps)
        return row, replace(self, parts=tuple(after for _, after in steps))

    def most(self, ev: Evaluator) -> float:
        return max((part.most(ev) for part in self.parts), default=0)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OfPart(Supply):
    """Items made from those of another supply, at most one from each."""

    part: Supply

    def most(self, ev: Evaluator) -> float:
        return self.part.most(ev)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Enumerated(OfPart):
    number: Any

    def pull(self, ev: Evaluator) -> Step:
        item, after = self.part.pull(ev)
        if item is END:
            return END, NOTHING_MORE
        return (self.number, item), Enumerated(after, ev.binary(ast.Add, self.number, 1))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Mapped(Supply):
    function: Any
    parts: tuple[Supply, ...]

    def pull(self, ev: Evaluator) -> Step:
        row, after = pull_row(ev, self.parts)
        if len(row) < len(self.parts):
            return END, NOTHING_MORE
        return ev.call(self.function, tuple(row), {}), Mapped(self.function, tuple(after))

    def most(self, ev: Evaluator) -> float:
        return min(part.most(ev) for part in self.parts)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MappedRows(OfPart):
    """itertools.starmap."""

    function: Any

    def pull(self, ev: Evaluator) -> Step:
        row, after = self.part.pull(ev)
        if row is END:
            return END, NOTHING_MORE
        return ev.call(self.function, tuple(ev.static_items(row)), {}), replace(self, part=after)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Filtered(OfPart):
    function: Any

    def pull(self, ev: Evaluator) -> Step:
        part = self.part
        while True:
            item, part = part.pull(ev)
            if item is END:
                return END, NOTHING_MORE
            found = item if self.function is None else ev.call(self.function, (item,), {})
            test = ev.truth(found)
            # A list filled by a loop supports run-time filters; pulling one by one does not.
            ev.lists.wanted |= not isinstance(test, bool)
            if ev.static(test, "a filter"):
                return item, Filtered(part, self.function)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TakenWhile(OfPart):
    """itertools.takewhile."""

    function: Any

    def pull(self, ev: Evaluator) -> Step:
        item, after = self.part.pull(ev)
        if item is END or not _holds(ev, self.function, item):
            return END, NOTHING_MORE
        return item, TakenWhile(after, self.function)

    def most(self, ev: Evaluator) -> float:
        return min(self.part.most(ev), MANY)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DroppedWhile(OfPart):
    """itertools.dropwhile."""

    function: Any

    def pull(self, ev: Evaluator) -> Step:
        item, after = self.part.pull(ev)
        while item is not END and _holds(ev, self.function, item):
            item, after = after.pull(ev)
        return item, after


def _holds(ev: Evaluator, function: Any, item: Any) -> bool:
    return bool(ev.static(ev.truth(ev.call(function, (item,), {})), "a condition of an iterator"))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cycled(OfPart):
    """itertools.cycle: `items` are those that came so far, which begin anew after the last one."""

    items: tuple[Any, ...] = ()

    def pull(self, ev: Evaluator) -> Step:
        item, after = self.part.pull(ev)
        if item is not END:
            return item, Cycled(after, (*self.items, item))
        if not self.items:
            return END, NOTHING_MORE
        return self.items[0], OfIndex(math.inf, lambda i: self.items[i % len(self.items)], 1)

    def most(self, ev: Evaluator) -> float:
        return math.inf if self.items or self.part.most(ev) else 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Chained(Supply):
    """itertools.chain: the items of each item of `rows`."""

    rows: Supply
    part: Supply = NOTHING_MORE

    def pull(self, ev: Evaluator) -> Step:
        rows, part = self.rows, self.part
        while True:
            item, part = part.pull(ev)
            if item is not END:
                return item, Chained(rows, part)
            row, rows = rows.pull(ev)
            if row is END:
                return END, NOTHING_MORE
            part = ev.supply(row)

    def most(self, ev: Evaluator) -> float:
        return MANY


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Accumulated(OfPart):
    """itertools.accumulate; `total` is END before the first item."""

    function: Any
    total: Any = END

    def pull(self, ev: Evaluator) -> Step:
        item, after = self.part.pull(ev)
        if item is END:
            return END, NOTHING_MORE
        if self.total is END:
            made = item
        elif self.function is None:
            made = ev.binary(ast.Add, self.total, item)
        else:
            made = ev.call(self.function, (self.total, item), {})
        return made, Accumulated(after, self.function, made)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SlicedItems(Supply):
    """itertools.islice.

    Attributes:
        part: the items that are left.
        wait: how many of them to skip before the next item.
        left: how many of them may be consumed.
        step: the step of the slice.
    """

    part: Supply
    wait: int
    left: float
    step: int

    def pull(self, ev: Evaluator) -> Step:
        item, part = None, self.part
        for _ in range(self.wait + (self.wait < self.left)):
            item, part = part.pull(ev)
            if item is END:
                return END, NOTHING_MORE
        left = self.left - self.wait - 1
        if left < 0:
            return END, NOTHING_MORE
        return item, SlicedItems(part, int(min(self.step - 1, left)), left, self.step)

    def most(self, ev: Evaluator) -> float:
        return min(self.left, self.part.most(ev))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Paired(OfPart):
    """itertools.pairwise; `before` is END before the first pair."""

    before: Any = END

    def pull(self, ev: Evaluator) -> Step:
        before, part = self.before, self.part
        if before is END:
            before, part = part.pull(ev)
        if before is END:
            return END, NOTHING_MORE
        item, part = part.pull(ev)
        if item is END:
            return END, NOTHING_MORE
        return (before, item), Paired(part, item)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Generated(Supply):
    """A generator expression, or the loops of a comprehension.

    Attributes:
        scope: the expression and its frame.
        names: the values of its variables.
        levels: the supplies of its active loops, outermost first.
        element: evaluates the next item.
    """

    scope: LocalFunction
    names: dict[Name, Any]
    levels: tuple[Supply, ...]
    element: Callable[[], Any]

    def pull(self, ev: Evaluator) -> Step:
        frame = self.scope.frame
        frame.names = dict(self.names)
        outer, location = ev.frame, ev.location
        ev.frame = frame
        ev.frames.append(frame)
        try:
            return self._advance(ev, list(self.levels))
        finally:
            ev.frames.pop()
            ev.frame = outer
            ev.filename, ev.node = location

    def _advance(self, ev: Evaluator, levels: list[Supply]) -> Step:
        loops = self.scope.node.generators
        while levels:
            loop = loops[len(levels) - 1]
            item, levels[-1] = levels[-1].pull(ev)
            if item is END:
                levels.pop()
                continue
            ev.assign(loop.target, item)
            if not all(ev.static(ev.condition(each), "a filter") for each in loop.ifs):
                continue
            if len(levels) == len(loops):
                made = self.element()
                return made, replace(self, names=ev.frame.names, levels=tuple(levels))
            levels.append(ev.supply(ev.expr(loops[len(levels)].iter)))
        return END, NOTHING_MORE

    def most(self, ev: Evaluator) -> float:
        return self.levels[0].most(ev) if len(self.scope.node.generators) == 1 else MANY
