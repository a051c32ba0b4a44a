"""The compiled programs of one function."""

from __future__ import annotations

import threading
from typing import Any

from ingot.compiled import Compiled
from ingot.syntax.places import Place

#: Programs that one function keeps, and those of them that differ only in what guards say.
MOST_PROGRAMS = 256
MOST_OF_A_SIGNATURE = 8


class Programs:
    """Programs by their keys; of those with one key the guards decide.

    Beyond a number of programs, those that were not called for longest go.
    """

    def __init__(self) -> None:
        #: Replaced and never changed, for the threads that are looking.
        self._by_key: dict[Any, tuple[Compiled, ...]] = {}
        self._lock = threading.Lock()
        self._clock = 0

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))

    def find(self, key: Any) -> Compiled | None:
        """The program of this key whose guards hold."""
        for program in self._by_key.get(key, ()):
            if program.guards.failed() < 0:
                self._clock = program.last_call = self._clock + 1
                return program
        return None

    def of(self, key: Any) -> tuple[Compiled, ...]:
        """All programs of a key, the newest first."""
        return self._by_key.get(key, ())

    def add(self, key: Any, program: Compiled) -> None:
        self._clock = program.last_call = self._clock + 1
        with self._lock:
            kept = sorted(self.of(key), key=lambda each: -each.last_call)
            self._by_key[key] = (program, *kept[: MOST_OF_A_SIGNATURE - 1])
            if len(self) > MOST_PROGRAMS:
                self._drop_oldest()

    def has_signature(self, abstract: Any) -> bool:
        """Whether a program of this abstract signature is kept."""
        return any(key[0] == abstract for key in self._by_key)

    def varying(self, key: Any) -> tuple[frozenset[Place], frozenset[Place]]:
        """The numbers and arrays outside of the arguments that the next program for a key should
        read at each call, and those that it must know when it is compiled.

        What has been replaced once is likely to be replaced again.
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
