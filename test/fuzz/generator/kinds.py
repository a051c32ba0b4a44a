"""The kinds of programs, each with what writes and what judges it; what workers run."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass

from generator import batches, derivatives, judge
from generator.environment import Spoiled
from generator.judge import Outcome
from generator.shrink import shrunk
from generator.vet import is_ordinary, vetted
from generator.workers import Lost, Worker
from generator.writer import Writer, write

#: Programs that are no programs after repairs are written anew.
ATTEMPTS = 30


@dataclass
class Kind:
    writer: type[Writer]
    judge: Callable[[str], Outcome]
    may_raise: bool = True
    is_valid: Callable[[str], bool] = lambda text: True


KINDS = {
    "values": Kind(Writer, judge.judge),
    "derivatives": Kind(derivatives.LossWriter, derivatives.judge, False, derivatives.is_valid),
    "vmap": Kind(batches.ItemWriter, batches.judge, False, batches.is_valid),
}


def written(task: tuple[str, int]) -> str:
    """The program of a kind and a seed."""
    kind, seed = task
    k = KINDS[kind]
    for attempt in range(ATTEMPTS):
        number = seed * ATTEMPTS + attempt
        try:
            text = write(number, k.writer)
        except Spoiled:
            continue
        found = vetted(text, random.Random(number), k.may_raise)
        if found and k.is_valid(found):
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
        self.worker = self.worker or Worker(run)
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
    if not (is_ordinary(which) and KINDS[kind].is_valid(which)):
        return Outcome("agreed", "not an ordinary program", which)
    return KINDS[kind].judge(which)
