"""Sets in the order that Python gives their elements.

That order depends on all that was done to a set: a copy may have another one. A set that a cell
holds is never changed. A change makes the set anew: it does again what was done before.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

#: What was done to a set: the function that made it, then methods, each with its other arguments.
Steps = tuple[tuple[Callable[..., Any], tuple], ...]
#: Of sets with a longer history, and of older ones, a change makes a copy.
MOST_STEPS, MOST_SETS = 1000, 4096


class Sets:
    """The sets of an evaluation, and what was done to them."""

    def __init__(self) -> None:
        #: By identity, the set, so that no other one gets its identity, and its history.
        self._known: collections.OrderedDict[int, tuple[set, Steps]] = collections.OrderedDict()
        #: By identity, arguments whose elements are in another order than here, and that order.
        self._given: dict[int, tuple[set, tuple]] = {}

    def given(self, elements: tuple) -> set:
        """An argument, by its elements in their order."""
        made = set(elements)
        self._given[id(made)] = made, elements
        return made

    def items(self, value: set) -> list[Any]:
        """The elements of a set in their order."""
        return list(self._given.get(id(value), (value, value))[1])

    def made(self, function: Callable[..., Any], *args: Any) -> set:
        """The set that a function gives, whose arguments never change."""
        return self._noted(((function, args),))[0]

    def changed(self, old: set, method: Callable[..., Any], *args: Any) -> tuple[set, Any]:
        """The set after a method was called, and what the method gives."""
        steps = self._known.get(id(old), (old, ()))[1]
        if not steps or len(steps) > MOST_STEPS:
            steps = (_alike(old),)
        return self._noted((*steps, (method, args)))

    def _noted(self, steps: Steps) -> tuple[set, Any]:
        (function, args), *rest = steps
        made, result = function(*args), None
        for method, given in rest:
            self._given.pop(id(made), None)
            result = method(made, *given)
        self._known[id(made)] = made, steps
        if len(self._known) > MOST_SETS:
            self._known.popitem(last=False)
        return made, result


def _alike(old: set) -> tuple[Callable[..., Any], tuple]:
    """How a copy is made that has its elements in the same places, if one of two ways does."""
    for given in (old, tuple(old)):
        made = set(given)
        if made.__sizeof__() == old.__sizeof__() and tuple(made) == tuple(old):
            return set, (given,)
    return set, (old,)
