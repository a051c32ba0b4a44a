"""Aliases at control flow joins: which cells may be one object, and predicates that decide it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ingot._core import Value
from ingot.dtypes import BOOL
from ingot.syntax.cells import Cell
from ingot.syntax.dynamic import Part, Sliced
from ingot.syntax.paths import Path
from ingot.syntax.scopes import Name
from ingot.syntax.slots import Owner
from ingot.syntax.types import View
from ingot.syntax.values import NOTHING, Array, Maybe, OneOf, Reference

if TYPE_CHECKING:
    from ingot.syntax.state import State

#: The cell of a value at the end of a path, and whether the value is the whole cell, no view of it.
End = tuple[Cell | None, bool]
#: The name or the container that holds an object, and the path of the object in it.
Holder = tuple[Owner, Path]
#: What an object may be: a cell from before the paths, or another object of the joined values.
Other = Cell | Holder
#: For names and changed containers: by the path of an object in them and what it may be, the
#: predicate whether it is that.
KnownLinks = dict[Owner, dict[tuple[Path, Other], Value]]


class Relations:
    """Which cells made at a join may be which cells of the joined paths.

    Args:
        first: the number of the first cell made on the paths.
        state: the evaluator.
        taken: for each path, a function that gives the predicate whether it was taken.
        known: what is known of the joined objects.
    """

    def __init__(
        self,
        first: int,
        state: State,
        taken: list[Callable[[], Value]],
        known: KnownLinks,
    ) -> None:
        self._first, self._taken = first, taken
        self._relate, self._ops = state.relate, state.ops
        self._known = known
        self._made: list[tuple[Cell, list[End]]] = []
        self._links: dict[tuple[Cell, Cell], Value | None] = {}
        others = (other for links in known.values() for _, other in links)
        #: The joined objects that others may be, once they are noted.
        self._others: dict[Holder, Cell | None] = {
            each: None for each in others if not isinstance(each, Cell)
        }
        self._between: list[tuple[Cell, Holder, Value]] = []

    def note(self, name: Name, made: Any, ends: Sequence[tuple[Any, View | None]]) -> None:
        """Note what the value of a name may be; it is joined from the values at the path ends."""
        self._walk(made, ends, set())
        self._take_known(name, made)

    def _take_known(self, owner: Owner, made: Any) -> None:
        """Take the known predicates for the objects in a joined value or joined contents."""
        known = self._known.get(owner, {})
        is_other = any(each == owner for each, _ in self._others)
        objects = objects_in(made, None) if known or is_other else {}
        for path, value in objects.items() if is_other else ():
            if (owner, path) in self._others:
                self._others[owner, path] = value.cell
        for (path, other), link in known.items():
            if path not in objects:
                continue
            if isinstance(other, Cell):
                self._links[objects[path].cell, other] = link
            else:
                self._between.append((objects[path].cell, other, link))

    def _walk(self, made: Any, ends: Sequence[tuple[Any, View | None]], seen: set[Cell]) -> None:
        if isinstance(made, Maybe):
            made = made.value
        ends = [(e.value, v) if isinstance(e, Maybe) else (e, v) for e, v in ends]
        if isinstance(made, (Array, Reference)):
            cell = made.cell
            if cell in seen or cell.number < self._first:
                return
            seen.add(cell)
            self._made.append((cell, [_end(each, made) for each, _ in ends]))
        if isinstance(made, Part):
            self._walk(made.held, [(_memory(each), view) for each, view in ends], seen)
        if isinstance(made, (tuple, dict, Reference, OneOf)):
            self._walk_contents(_held(made, None), [(_held(e, v), v) for e, v in ends], seen)

    def note_contents(self, cell: Cell, made: Any, ends: Sequence[tuple[Any, View | None]]) -> None:
        """The same as `note` for the contents of a changed container."""
        self._walk_contents(made, ends, set())
        self._take_known(cell, made)

    def _walk_contents(
        self, made: Any, ends: Sequence[tuple[Any, View | None]], seen: set[Cell]
    ) -> None:
        held = [(dict(_entries(contents)), view) for contents, view in ends]
        for key, item in _entries(made):
            self._walk(item, [(each.get(key, NOTHING), view) for each, view in held], seen)

    def apply(self) -> None:
        """Record in the cells what was noted."""
        for cell, holder, link in self._between:
            other = self._others[holder]
            if other is None or other is cell:
                continue
            # A name that refers to an object from before refers to it wherever it is bound, and
            # the predicate tells whether it is.
            if min(cell.number, other.number) >= self._first:
                self._links[cell, other] = self._links[other, cell] = link
        for i, (cell, ends) in enumerate(self._made):
            if all(end is not None and end.number < self._first and is_all for end, is_all in ends):
                pairs = zip(ends, self._taken, strict=True)
                cell.chosen = tuple((end, taken) for (end, _), taken in pairs)
            others = {
                other
                for end, _ in ends
                if end is not None
                for other in (end, *end.maybe)
                if other.number < self._first
            }
            for other in sorted(others, key=lambda each: each.number):
                self._enter(cell, ends, other, [(other, True)] * len(ends))
            for other, their_ends in self._made[:i]:
                self._enter(cell, ends, other, their_ends)

    def _enter(self, cell: Cell, ends: list[End], other: Cell, their_ends: list[End]) -> None:
        """Relate two cells that may be one: they are if their ends on the path taken are one."""
        if (cell, other) in self._links:
            self._relate(cell, other, self._links[cell, other])
            return
        links: list[Value | None] = []
        for (mine, is_mine), (theirs, is_theirs), taken in zip(
            ends, their_ends, self._taken, strict=True
        ):
            if mine is None or theirs is None:
                continue
            if mine is theirs:
                links.append(taken() if is_mine and is_theirs else None)
            elif theirs in mine.maybe or mine in theirs.maybe:
                # A predicate about an object made on a path does not hold after the path; there,
                # only the object that was made still knows of one from before.
                is_old = max(mine.number, theirs.number) < self._first
                inner = mine.maybe.get(theirs) if is_mine and is_theirs and is_old else None
                links.append(None if inner is None else self._both(taken(), inner))
        if links:
            self._relate(cell, other, self._either(links))

    def _both(self, a: Value, b: Value) -> Value:
        return self._ops.elementwise("and", [a, b], [BOOL, BOOL])

    def _either(self, links: list[Value | None]) -> Value | None:
        found = links[0]
        for link in links[1:]:
            if found is None or link is None:
                return None
            found = self._ops.elementwise("or", [found, link], [BOOL, BOOL])
        return found


def _end(value: Any, made: Any) -> End:
    if not isinstance(value, Array if isinstance(made, Array) else Reference):
        # This path has no object here.
        return None, False
    if isinstance(value, Reference):
        return value.cell, True
    is_same = value.shape == made.shape and value.dtype == made.dtype
    return value.storage, value.is_whole and is_same


def _memory(value: Any) -> Any:
    """The array with the memory of a part; other values as they are."""
    if not isinstance(value, Part):
        return value
    if isinstance(value, Sliced):
        return value.dense
    # A join copies what a mask selects, so the result has other memory.
    dense = value.held
    return Array(dense.storage, dense.shape, dense.views, dense.writable, is_view=True)


def _held(value: Any, view: View | None) -> Any:
    if isinstance(value, Reference):
        value = view.contents(value.cell) if view else value.cell.value
    return value.values if isinstance(value, OneOf) else value


def _entries(contents: Any) -> list[tuple[Any, Any]]:
    if isinstance(contents, OneOf):
        contents = contents.values
    if isinstance(contents, dict):
        return list(contents.items())
    if isinstance(contents, Part):
        return [("held", contents.held)]
    return list(enumerate(contents)) if isinstance(contents, tuple) else []


def _objects(
    path: Path, value: Any, view: View | None, around: tuple[Cell, ...]
) -> Iterator[tuple[Path, Array | Reference]]:
    """The objects in a value at a path, in the containers `around` it, which it may contain."""
    if isinstance(value, Maybe):
        value = value.value
    if isinstance(value, (Array, Reference)):
        yield path, value
    if isinstance(value, Reference):
        if value.cell in around:
            return
        around = (*around, value.cell)
        value = _held(value, view)
    for key, item in _entries(value):
        yield from _objects((*path, key), item, view, around)


def objects_in(value: Any, view: View | None) -> dict[Path, Array | Reference]:
    """The arrays and containers in a value, or in the contents of a container, by their paths.

    Args:
        value: the value or the contents.
        view: the contents of containers at the end of a path; None for their contents now.
    """
    return dict(_objects((), value, view, ()))
