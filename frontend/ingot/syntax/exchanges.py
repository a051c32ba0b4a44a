"""Names that exchange their arrays by the same permutation in each iteration: `a, b = b, a`.

For each name the loop carries the contents of its array, and the index of the array among those
from before the loop. After the loop the contents are written to the arrays, so that aliases see
them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ingot._core import Value
from ingot.dtypes import INT
from ingot.syntax.cells import Cell, Storage
from ingot.syntax.contents import held_by
from ingot.syntax.functions import LocalFunction, Memoised
from ingot.syntax.scopes import Frame, Name
from ingot.syntax.slots import INDEX_TYPE
from ingot.syntax.types import type_of
from ingot.syntax.values import Array, Reference, same_object

if TYPE_CHECKING:
    from ingot.syntax.carried import Carried
    from ingot.syntax.heap import Heap


def exchangeable(state: Heap, names: Iterable[str]) -> tuple[str, ...]:
    """Those of these names of the active frame that hold whole arrays of one type, which the code
    of the frame can reach by no other way."""
    held = state.frame.names
    arrays = {name: held[name] for name in sorted(names) if isinstance(held.get(name), Array)}
    if len(arrays) < 2:
        return ()
    users = _users(state)
    found = [
        name
        for name, array in arrays.items()
        if not array.views and array.writable and _is_only(array.storage, users)
    ]
    kinds = {type_of(held[name]) for name in found}
    return tuple(found) if len(found) > 1 and len(kinds) == 1 else ()


def _is_only(cell: Storage, users: Counter[Cell]) -> bool:
    """Whether an array has no user but one name, and only objects without users may be the same."""
    if users[cell] != 1:
        return False
    return all(
        isinstance(other, Storage) and link is not None and not users[other]
        for other, link in cell.maybe.items()
    )


def _users(state: Heap) -> Counter[Cell]:
    """How often the names and containers that the code of the active frame can reach, and what is
    read by names from outside, refer to each object."""
    found: Counter[Cell] = Counter()
    stack = [array for _, array in (*state.captured.values(), *state.outside.values())]
    frames: list[Frame | None] = [state.frame]
    seen: set[int] = set()
    while stack or frames:
        if frames:
            frame = frames.pop()
            if frame is not None and id(frame) not in seen:
                seen.add(id(frame))
                stack += frame.names.values()
                frames.append(frame.parent)
            continue
        value = stack.pop()
        if isinstance(value, Memoised):
            value = value.function
        if isinstance(value, LocalFunction):
            frames.append(value.frame)
            stack += [*value.defaults, *value.keyword_defaults.values()]
        if isinstance(value, (Array, Reference)):
            found[value.cell] += 1
            if found[value.cell] > 1:
                continue
        stack += held_by(value)
    return found


class Exchange:
    """The exchange of one attempt at a loop.

    Args:
        loop: the attempt.
        names: the names that seem to exchange their arrays, by the syntax of the body.
    """

    def __init__(self, loop: Carried, names: tuple[str, ...]) -> None:
        self._loop, self._names = loop, names
        #: The index of the array that each name has.
        self._which = {name: loop.carry(i, INDEX_TYPE) for i, name in enumerate(names)}
        #: For each name, the one that had its array when the iteration started.
        self._sources: dict[str, str] = {}

    def end(self, ends: dict[Name, Any]) -> bool:
        """Note the array that each name has at the end; False if they are not exchanged.

        They are not, either, where the loop leaves one of the arrays in another place, too: which
        array that is then depends on the iteration.
        """
        for name in self._names:
            for source in self._names:
                if same_object(self._loop.start[source], ends.get(name)):
                    self._sources[name] = source
        if set(self._sources.values()) != set(self._names) or self._is_kept_elsewhere():
            return False
        for name, source in self._sources.items():
            self._which[name].ends = (self._which[source].value,)
        return True

    def _is_kept_elsewhere(self) -> bool:
        starts = {self._loop.start[name].storage for name in self._names}
        parts = self._loop.parts("end").values() if starts else ()
        return any(not starts.isdisjoint((cell, *cell.maybe)) for cell in parts)

    def settle(self, names: dict[Name, Any]) -> None:
        """Write the contents of the arrays after the loop, and bind the names to their arrays."""
        loop, state = self._loop, self._loop.state
        arrays = [loop.entry[name] for name in self._names]
        for i, array in enumerate(arrays):
            value = state.read(names[self._names[0]])
            for name in self._names[1:]:
                value = state.ops.select(self._has(name, i), state.read(names[name]), value)
            state.change_cell(array.storage, value)
        for name in self._names:
            if loop.length is not None and not loop.may_end_early():
                names[name] = loop.entry[self._source_after(name, loop.length)]
                continue
            found = [(array.storage, self._has(name, i)) for i, array in enumerate(arrays)]
            loop.links.relate_to_older([(names[name].storage, *each) for each in found])

    def _has(self, name: str, i: int) -> Value:
        """The predicate that a name has the array with index `i` after the loop."""
        ops = self._loop.state.ops
        return ops.compare("eq", self._which[name].value.value, ops.constant(i, INT), INT)

    def _source_after(self, name: str, length: int) -> str:
        """The name that has, before the loop, the array of `name` after `length` iterations."""
        # The order of a permutation of n names divides n!.
        for _ in range(length % math.factorial(len(self._names))):
            name = self._sources[name]
        return name
