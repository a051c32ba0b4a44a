"""The compiled programs of one function."""

from __future__ import annotations

import threading
from typing import Any

from ingot.compiled import Compiled
from ingot.syntax.places import Place

#: The most programs of a function, and of one key; the latter differ only in their guards.
MOST_PROGRAMS = 256
MOST_OF_A_SIGNATURE = 8


class Programs:
    """The programs of a function by key; guards select among those with the same key.

    The least recently called programs are dropped beyond a limit.
    """

    def __init__(self) -> None:
        #: The tuples are replaced, never modified, since other threads may iterate over them.
        self._by_key: dict[Any, tuple[Compiled, ...]] = {}
        self._lock = threading.Lock()
        self._clock = 0

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))

    def find(self, key: Any) -> Compiled | None:
        """The program with this key whose guards hold, or None."""
        for program in self._by_key.get(key, ()):
            if program.guards.failed() < 0:
                self._clock = program.last_call = self._clock + 1
                return program
        return None

    def of(self, key: Any) -> tuple[Compiled, ...]:
        """All programs with a key, the newest first."""
        return self._by_key.get(key, ())

    def add(self, key: Any, program: Compiled) -> None:
        self._clock = program.last_call = self._clock + 1
        with self._lock:
            kept = sorted(self.of(key), key=lambda each: -each.last_call)
            self._by_key[key] = (program, *kept[: MOST_OF_A_SIGNATURE - 1])
            if len(self) > MOST_PROGRAMS:
                self._drop_oldest()

    def has_signature(self, abstract: Any) -> bool:
        """Whether there is a program for this abstract signature."""
        return any(key[0] == abstract for key in self._by_key)

    def varying(self, key: Any) -> tuple[frozenset[Place], frozenset[Place]]:
        """Which values besides its arguments the next program for a key takes as inputs, and which
        ones it needs as constants.

        A value that has been replaced once is likely to be replaced again, so it becomes an input.
        """
        programs = [program for each in self._by_key.values() for program in each]
        fixed = frozenset().union(*(program.guards.fixed for program in programs))
        varying = set().union(*(program.guards.varying for program in programs))
        for program in self.of(key)[:1]:
            varying |= program.guards.replaced()
        return frozenset(varying) - fixed, fixed

    def _drop_oldest(self) -> None:
        calls = {key: min(p.last_call for p in each) for key, each in self._by_key.items()}
        key = min(calls, key=calls.__getitem__)
        kept = tuple(p for p in self._by_key[key] if p.last_call != calls[key])
        if kept:
            self._by_key[key] = kept
        else:
            del self._by_key[key]
