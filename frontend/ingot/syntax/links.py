"""Links: the pairs of objects in a loop that may be one object, and the predicates that tell.

There is a link between two carried objects, or a carried one and one from before the loop, if they
may be the same object after an iteration. The loop carries a boolean for each link. If an iteration
ends without a value that tells whether two objects are the same, stores to them are refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from ingot._core import Value
from ingot.dtypes import BOOL
from ingot.syntax.cells import Cell
from ingot.syntax.dynamic import Grown
from ingot.syntax.ops import predicate
from ingot.syntax.paths import Path, cells_by_path
from ingot.syntax.rooms import first_of
from ingot.syntax.rows import storages_of
from ingot.syntax.slots import LINK_TYPE, Slot
from ingot.syntax.state import arrays_in
from ingot.syntax.values import Array, Reference

if TYPE_CHECKING:
    from ingot.syntax.carried import Carried

#: Whether two objects are the same: static, an SSA value that tells, or None if nothing tells.
Link: TypeAlias = bool | Value | None
#: A carried object, the object that it may be, and whether that is one from before the loop.
LinkKey: TypeAlias = tuple[Path, Path, bool]


@dataclass
class Known:
    """The links of a loop that earlier attempts have found.

    Attributes:
        pairs: carried objects that may be the same object after an iteration.
        older: for each carried object, the objects from before the loop that it may be.
        kept: arrays that an iteration has appended to a list, with that list.
        unknown: the links without a value that tells.
    """

    pairs: set[tuple[Path, Path]] = field(default_factory=set)
    older: dict[Path, set[Path]] = field(default_factory=dict)
    kept: set[tuple[Path, Path]] = field(default_factory=set)
    unknown: set[LinkKey] = field(default_factory=set)

    def size(self) -> int:
        return len(self.pairs) + len(self.kept) + sum(map(len, self.older.values()))


class Links:
    """The links of one attempt at a loop."""

    def __init__(self, loop: Carried, known: Known) -> None:
        self.loop, self.state, self.known = loop, loop.state, known
        #: For each carried link its slot and the second object: a cell from before the loop, or the
        #: path of a carried object.
        self._carried: dict[LinkKey, tuple[Slot, Cell | Path]] = {}
        found = cells_by_path(self.state) if known.older else {}
        self.older = {
            path: {each: found[each] for each in sorted(older, key=str) if each in found}
            for path, older in known.older.items()
        }

    # Before an iteration.

    def enter(self) -> None:
        """Carry the links, with their values before the loop."""
        parts, whole = self.loop.parts("init"), self.loop.parts("init", whole=True)
        for path, cell in self._seen_by_others().items():
            self._carry(path, path, cell, True)
        for path, older in self.older.items():
            for each, cell in older.items():
                self._carry(path, each, cell, _link(parts, whole, path, cell))
        self.known.pairs |= _pairs(parts)
        for one, other in sorted(self.known.pairs, key=str):
            self._carry(one, other, other, _link(parts, whole, one, other))

    def _carry(self, path: Path, other: Path, target: Cell | Path, link: Link) -> None:
        key = path, other, isinstance(target, Cell)
        if link is None:
            self.known.unknown.add(key)
        if key not in self.known.unknown and key not in self._carried:
            self._carried[key] = self.loop.carry(_predicate(link), LINK_TYPE), target

    def _seen_by_others(self) -> dict[Path, Cell]:
        """The carried objects that have other aliases: stores and results depend on identity."""
        loop = self.loop
        users: dict[Cell, int] = {}
        for frame in self.state.frames:
            names = loop.entry if frame is loop.frame else frame.names
            for value in names.values():
                if isinstance(value, (Array, Reference)):
                    users[value.cell] = users.get(value.cell, 0) + 1
        return {
            path: cell
            for path, cell in loop.parts("init", whole=True).items()
            if _is_seen(cell) or users.get(cell, 0) > 1
        }

    def relate(self) -> None:
        """Note the links of the objects at the start of an iteration, or after the loop."""
        made = self.loop.parts("value")
        found: list[tuple[Cell, Cell, Value | None]] = []
        for path, cell in made.items():
            older = self.older.get(path, {})
            entry = self.loop.entry_parts.get(path)
            for source, old in older.items() if entry is None else ((path, entry), *older.items()):
                found.append((cell, old, self._told((path, source, True))))
        self.relate_to_older(found)
        for one, other in self.known.pairs:
            if one in made and other in made:
                self.state.relate(made[one], made[other], self._told((one, other, False)))
        for cell, contents in self.loop.before.items():
            # The rows are copies of the items that the list had before the loop, too.
            for array in arrays_in(first_of(contents)) if isinstance(cell.value, Grown) else ():
                for storage in storages_of(array.storage):
                    self.state.relate(storage, cell)
        lists = {path: cell for cell, path in self.loop.paths.items()}
        for path, owner in self.known.kept:
            if path in made and owner in lists:
                self.state.relate(made[path], lists[owner])

    def _told(self, key: LinkKey) -> Value | None:
        """The predicate that two objects are the same, or None if there is none."""
        if key not in self._carried:
            return None
        slot, _ = self._carried[key]
        return slot.value.value

    def relate_to_older(self, found: list[tuple[Cell, Cell, Value | None]]) -> None:
        """Note that carried objects may be ones from before the loop, or may be what those may be.

        Args:
            found: the carried objects, the ones from before, and the predicates, if there are any.
        """
        inherited: dict[tuple[Cell, Cell], list[tuple[Value | None, Value | None]]] = {}
        for cell, old, flag in found:
            for each, link in old.maybe.items():
                if each.number < self.loop.first:
                    inherited.setdefault((cell, each), []).append((flag, link))
        for cell, old, flag in found:
            self.state.relate(cell, old, flag)
        for (cell, each), ways in inherited.items():
            if each not in cell.maybe:
                self.state.relate(cell, each, self._one_of(ways))

    def _one_of(self, ways: list[tuple[Value | None, Value | None]]) -> Value | None:
        """Whether both values of any pair hold; None if a value is missing."""
        made: Value | None = None
        for flag, link in ways:
            if flag is None or link is None:
                return None
            both = self.state.ops.elementwise("and", [flag, link], [BOOL, BOOL])
            made = (
                both if made is None else self.state.ops.elementwise("or", [made, both], [BOOL] * 2)
            )
        return made

    # After an iteration.

    def end(self) -> bool:
        """Set the value of each link after an iteration; False if there is no value for one."""
        found, whole = self.loop.parts("end"), self.loop.parts("end", whole=True)
        for key, (slot, target) in self._carried.items():
            link = _link(found, whole, key[0], target)
            if link is None:
                self.known.unknown.add(key)
                return False
            slot.ends = (_predicate(link),)
        return True

    def note(self) -> bool:
        """Record the links after an iteration; returns whether there are new ones."""
        known, loop = self.known, self.loop
        before = known.size()
        grown = [
            (loop.paths[owner], slot.end.appended)
            for owner, slot in loop.slots.items()
            if isinstance(owner, Cell) and isinstance(slot.end, Grown)
        ]
        found = loop.parts("end")
        known.pairs |= _pairs(found)
        for path, cell in found.items():
            for each in (cell, *cell.maybe):
                if each.number < loop.first and each is not self.loop.entry_parts.get(path):
                    old = loop.path_to(each)
                    known.older.setdefault(path, set()).update([] if old is None else [old])
            known.kept |= {(path, owner) for owner, appended in grown if cell in appended}
        if known.size() == before:
            return False
        # A link that had no value may have one by the new links.
        known.unknown.clear()
        return True


def _predicate(link: Link) -> Any:
    return predicate(link) if isinstance(link, Value) else link


def _link(
    parts: dict[Path, Cell], whole: dict[Path, Cell], path: Path, target: Cell | Path
) -> Link:
    """Whether a carried object is another one, or one from before the loop. Nothing tells of views:
    one that shares the memory of an object is not the object.

    Args:
        parts: the carried objects, those behind views too.
        whole: those that are no views of parts.
        path: the path of the object.
        target: the path of the other one, or the one from before the loop.
    """
    one, other = parts.get(path), target if isinstance(target, Cell) else parts.get(target)
    if one is None or other is None:
        return False
    link = one is other or one.maybe.get(other, False)
    is_whole = path in whole and (isinstance(target, Cell) or target in whole)
    return link if is_whole or link is False else None


def _is_seen(cell: Cell) -> bool:
    """Whether the caller may see a change of a cell."""
    return any(each.source is not None for each in (cell, *cell.maybe))


def _pairs(parts: dict[Path, Cell]) -> set[tuple[Path, Path]]:
    """The pairs of parts that are, or may be, the same object."""
    paths: dict[Cell, list[Path]] = {}
    for path, cell in parts.items():
        paths.setdefault(cell, []).append(path)
    return {
        (path, other) if str(path) < str(other) else (other, path)
        for path, cell in parts.items()
        for each in (cell, *cell.maybe)
        for other in paths.get(each, ())
        if other != path
    }
