"""The kinds of programs, each with what writes and what judges it; what workers run."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass

from generator import batches, derivatives, judge, mutants, strict, tries, ways, wholes
from generator.environment import Spoiled
from generator.judge import Outcome
from generator.shrink import shrunk
from generator.vet import is_ordinary, vetted
from generator.workers import LIMIT, Lost, Worker
from generator.writer import Writer, write

#: Programs that are no programs after repairs are written anew.
ATTEMPTS = 30


@dataclass
class Kind:
    writer: type[Writer]
    judge: Callable[[str], Outcome]
    may_raise: bool = True
    is_valid: Callable[[str], bool] = lambda text: True
    #: Of one program, in seconds.
    limit: float = LIMIT

    def write(self, seed: int) -> str | None:
        """A program, unless what was written is none after repairs."""
        try:
            text = write(seed, self.writer)
        except Spoiled:
            return None
        found = vetted(text, random.Random(seed), self.may_raise)
        return found if found and self.is_valid(found) else None

    def is_program(self, text: str) -> bool:
        return is_ordinary(text) and self.is_valid(text)


class Strict:
    """Programs of floats of any size, infinities and NaN, which others must not have."""

    limit = LIMIT

    write = staticmethod(strict.write)
    judge = staticmethod(strict.judge)

    @staticmethod
    def is_program(text: str) -> bool:
        return strict.is_program(text)


KINDS: dict[str, Kind | Strict | mutants.Mutants] = {
    "values": Kind(Writer, judge.judge),
    "derivatives": Kind(derivatives.LossWriter, derivatives.judge, False, derivatives.is_valid),
    "vmap": Kind(batches.ItemWriter, batches.judge, False, batches.is_valid),
    "strict": Strict(),
    "tries": Kind(tries.TryingWriter, judge.judge),
    "wholes": Kind(wholes.WholeWriter, judge.judge),
    "ways": Kind(Writer, ways.judge, limit=LIMIT * len(ways.WAYS)),
    "mutants": mutants.Mutants(),
}


def written(task: tuple[str, int]) -> str:
    """The program of a kind and a seed."""
    kind, seed = task
    for attempt in range(ATTEMPTS):
        found = KINDS[kind].write(seed * ATTEMPTS + attempt)
        if found:
            return found
    raise RuntimeError(f"seed {seed} gives no program")


def smaller(task: tuple[str, Outcome, float]) -> Outcome:
    """The smallest program found that fails as another one does.

    Args:
        task: the kind, the outcome of the program, and for how many seconds to search.
    """
    kind, outcome, seconds = task
    best = outcome

    def fails(text: str) -> bool:
        nonlocal best
        found = ask((kind, text))
        if (found.verdict, found.sort) != (outcome.verdict, outcome.sort):
            return False
        best = found
        return True

    ask = Processes() if outcome.lost else run
    text = shrunk(outcome.text, fails, seconds)
    return Outcome(best.verdict, best.detail, text)


class Processes:
    """Judges in a process that may be lost."""

    worker: Worker | None = None

    def __call__(self, task: tuple[str, str]) -> Outcome:
        self.worker = self.worker or Worker(run, KINDS[task[0]].limit)
        self.worker.start(task)
        try:
            return self.worker.result()
        except Lost as lost:
            self.worker = None
            return Outcome("crashed", str(lost), task[1], lost=True)


def run(task: tuple[str, int | str]) -> Outcome:
    """Judges the program of a seed, or the text of one.

    A text is a candidate of the shrinker, so it need not be an ordinary program: that agrees.
    """
    kind, which = task
    sys.setrecursionlimit(3000)
    if isinstance(which, int):
        return KINDS[kind].judge(written((kind, which)))
    if not KINDS[kind].is_program(which):
        return Outcome("agreed", "not an ordinary program", which)
    return KINDS[kind].judge(which)
