"""Names that exchange their arrays by the same permutation in each iteration: `a, b = b, a`.

For each name the loop carries the contents of its array, and the index of the array among those
from before the loop. After the loop the contents are written to the arrays, so that aliases see
them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ingot._core import Value
from ingot.dtypes import INT
from ingot.syntax.scopes import Name
from ingot.syntax.slots import INDEX_TYPE
from ingot.syntax.values import same_object

if TYPE_CHECKING:
    from ingot.syntax.carried import Carried


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
            state.write(array.storage, value)
        for name in self._names:
            if loop.length is not None:
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
