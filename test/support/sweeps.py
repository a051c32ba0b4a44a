"""Floors: a sweep counts what it tried, and fails when too little of it agreed.

A refusal is no difference, so a sweep over a compiler that refuses everything would pass. A test
with the fixture `sweep` counts its cases, and its marker `floor` says which part of those that
were not skipped must agree. The cases are summed over all tests of a name and all workers.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import ingot

#: What refuses, at run time what depends on values. ShapeError and DTypeError say that NumPy raises.
REFUSALS = (ingot.UnsupportedError, NotImplementedError)
#: Of fewer cases, chosen by hand with -k, nothing is asked.
FEWEST = 20


@dataclass
class Sweep:
    """What became of the cases of one test, by part."""

    floor: float
    counts: dict[str, Counter] = field(default_factory=dict)

    def _count(self, outcome: str, part: str) -> None:
        self.counts.setdefault(part, Counter())[outcome] += 1

    def agreed(self, part: str = "") -> None:
        self._count("agreed", part)

    def refused(self, error: BaseException, part: str = "") -> None:
        """Ingot refuses what NumPy does; an error that is no refusal is raised."""
        if not isinstance(error, REFUSALS):
            raise error
        self._count("refused", part)

    def skipped(self, part: str = "") -> None:
        """There is nothing to compare: NumPy raises, or a difference says nothing."""
        self._count("skipped", part)


@dataclass
class Total:
    """The counts of all tests of one name."""

    name: str
    floor: float
    counts: Counter = field(default_factory=Counter)

    @property
    def is_too_low(self) -> bool:
        decided = self.counts["agreed"] + self.counts["refused"]
        tried = decided + self.counts["skipped"]
        if tried < FEWEST:
            return False
        return decided == 0 or self.counts["agreed"] < self.floor * decided

    def __str__(self) -> str:
        found = ", ".join(
            f"{self.counts[each]} {each}" for each in ("agreed", "refused", "skipped")
        )
        text = f"{self.name}: {self.counts.total()} tried, {found}"
        return f"{text}; at least {self.floor:.0%} must agree" if self.is_too_low else text


def summed(sweeps: Iterable[tuple[str, float, dict[str, dict[str, int]]]]) -> list[Total]:
    """The totals of (name, floor, counts by part)."""
    totals: dict[str, Total] = {}
    for name, floor, parts in sweeps:
        for part, counts in parts.items():
            key = f"{name} {part}".rstrip()
            totals.setdefault(key, Total(key, floor)).counts.update(counts)
    return [totals[key] for key in sorted(totals)]
