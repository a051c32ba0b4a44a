"""Mutants: programs that agree with NumPy, changed so that NumPy still says what is right."""

from __future__ import annotations

import functools
import random
import re
from dataclasses import dataclass, replace
from typing import Any

from generator import batches, judge, ways
from generator.judge import Outcome, loaded
from generator.mutations import mutated
from generator.vet import is_ordinary
from generator.workers import LIMIT

#: Verdicts of programs that do what NumPy does.
AGREED = ("agreed", "raised")
#: Mutations that are tried for one program.
ATTEMPTS = 4


@dataclass(frozen=True)
class Task:
    """A mutant: the program that it is made of, and what decides how."""

    text: str
    seed: int


@dataclass
class Found:
    """The outcome of a mutant, the mutation that made it, and what became of the program itself."""

    outcome: Outcome
    mutation: str = ""


def judge_of(text: str) -> Any:
    """What judges a program, by its name `JUDGE`."""
    found = re.search(r"^JUDGE = '(\w+)'", text, re.MULTILINE)
    how = {"batch": batches.judge, "artifact": _by(ways.artifact), "disk": _by(ways.disk)}
    return how[found[1]] if found else judge.judge


def _by(way: ways.Way) -> Any:
    return lambda text: way(text, loaded(text))


def is_program(text: str) -> bool:
    if judge_of(text) is batches.judge and not batches.is_valid(text):
        return False
    return is_ordinary(text)


@functools.lru_cache(maxsize=32)
def agrees(text: str) -> bool:
    """Whether a program itself compiles and agrees, with a plain run of its own that raises nothing."""
    try:
        return is_ordinary(text) and judge.judge(text).verdict in AGREED
    except Exception:
        return False


def written(task: Task) -> tuple[str, str] | None:
    """The mutation and the mutant, which is a program; None if some that were tried are none."""
    rng = random.Random(task.seed)
    for _ in range(ATTEMPTS):
        found = mutated(task.text, rng)
        if found and _is_plain(found[1]):
            return found
    return None


def _is_plain(text: str) -> bool:
    try:
        return is_program(text)
    except Exception:
        return False


def run(task: Task) -> Found | None:
    """Judges a mutant; None if no mutation can be made, or what fails or is refused is no fault of
    the mutation, since its program itself does not agree."""
    made = written(task)
    if made is None:
        return None
    mutation, text = made
    outcome = replace(judge_of(text)(text), text=text)
    # Looked at afterwards: most mutants agree, and then to compile their programs, too, says nothing.
    if outcome.verdict not in AGREED and not agrees(task.text):
        return None
    return Found(outcome, mutation)


class Mutants:
    """The kind of programs that mutants are; they are made of others, not written from nothing."""

    limit = LIMIT

    @staticmethod
    def judge(text: str) -> Outcome:
        return judge_of(text)(text)

    is_program = staticmethod(is_program)

    @staticmethod
    def write(seed: int) -> str | None:
        raise NotImplementedError("mutants are made of programs: test/fuzz/mutants.py")
