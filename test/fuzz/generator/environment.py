"""What a program under construction knows: its names, and one sample value of each.

The writer runs each statement as it writes it, whether or not the program would come to it. So the
types, dtypes and shapes of all expressions are known without rules of our own, and what raises is
left out at once.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from generator.running import PATH, watched
from generator.samples import KINDS, is_instance, is_small, signature

DEPTH_OF_PLACES = 2
#: The share of templates that a program does without.
MUTED = 0.4


class Stuck(Exception):
    """There is nothing of the kind that was asked for."""


class Spoiled(Exception):
    """A statement that may not stand in the program changed the samples for good."""


class Environment:
    """Names in scope and their samples.

    Args:
        rng: decides everything.
        values: the globals that statements run in; helpers and classes are there.
        exact: whether all floats are multiples of small powers of two, so that comparisons of them
            do not depend on rounding.
    """

    def __init__(self, rng: random.Random, values: dict[str, Any], exact: bool) -> None:
        self.rng, self.values, self.exact = rng, values, exact
        self.names: list[str] = []
        #: Names of numbers that may be None, which are not among the others.
        self.optionals: list[str] = []
        self.fixed: set[str] = set()
        self.steady: set[str] = set()
        self.counter = 0
        self.banned: list[str] = []
        self.muted: dict[Any, bool] = {}
        self.goal: tuple[int, ...] = (3,)

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def pick(self, items: Any) -> Any:
        items = list(items)
        if not items:
            raise Stuck
        return self.rng.choice(items)

    def weighted(self, table: list[tuple[float, Any]]) -> Any:
        """An entry of a table, by weight. Each program does without many: so what one of them
        needs stays rare, and combinations of the others become frequent."""
        for _ in range(20):
            entry = self.rng.choices([t for _, t in table], [w for w, _ in table])[0]
            if entry not in self.muted:
                banned = isinstance(entry, str) and any(part in entry for part in self.banned)
                self.muted[entry] = banned or self.rng.random() < MUTED
            if not self.muted[entry]:
                break
        return entry

    def without(self, *parts: str) -> None:
        """Leaves out all templates that contain one of some texts."""
        self.banned += parts

    def new(self) -> str:
        self.counter += 1
        return f"{self.pick('uvwxyz')}{self.counter}"

    def value(self, text: str) -> Any:
        with np.errstate(all="raise"):
            return eval(text, self.values)

    def places(self, kind: str) -> list[str]:
        """Names, elements and attributes whose samples are of a kind."""
        check = KINDS[kind]
        found = []
        for name in self.names:
            if name in self.values:
                for text, value in self._inside(name, self.values[name], DEPTH_OF_PLACES):
                    if check(value):
                        found.append(text)
        return found

    def _inside(self, text: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
        yield text, value
        if depth == 0:
            return
        if type(value) in (list, tuple) and value:
            i = self.rng.choice([0, -1, self.rng.randrange(len(value))])
            yield from self._inside(f"{text}[{i}]", value[i], depth - 1)
        elif type(value) is dict:
            for key, item in value.items():
                yield from self._inside(f"{text}[{key!r}]", item, depth - 1)
        elif is_instance(value):
            for key, item in vars(value).items():
                yield from self._inside(f"{text}.{key}", item, depth - 1)

    def place(self, kind: str) -> str:
        return self.pick(self.places(kind))

    def assignable(self, kind: str = "any") -> list[str]:
        check = KINDS[kind]
        return [n for n in self.names if n not in self.fixed and check(self.values[n])]

    def run(self, text: str, outer: set[str]) -> bool:
        """Runs a statement on the samples; says whether it may stand in the program.

        Args:
            text: the statement.
            outer: the names that keep their signatures: those from outside of the block.
        """
        before = dict(self.values)
        kept = {n: signature(before[n]) for n in outer | self.steady if n in before}
        try:
            code = compile(text.replace("nonlocal ", "global "), PATH, "exec", dont_inherit=True)
            watched(lambda: exec(code, self.values))
            names = [*self.names, *assigned(text)]
            fine = all(is_small(self.values[n]) for n in names if n in self.values)
            fine = fine and all(signature(self.values[n]) == s for n, s in kept.items())
        except Exception:
            fine = False
        if not fine:
            self.values.clear()
            self.values.update(before)
            if not all(is_small(self.values[n]) for n in self.names if n in self.values):
                raise Spoiled
            return False
        for name in assigned(text):
            known = self.optionals if name.startswith("o") else self.names
            if name not in known and name in self.values:
                known.append(name)
        return True


def assigned(text: str) -> list[str]:
    """The names that a statement binds in the function it stands in."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.append(node.id)
    inner = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)]
    return [n.name for n in inner] or _without_comprehensions(text, found)


def _without_comprehensions(text: str, names: list[str]) -> list[str]:
    hidden = {
        target.id
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.comprehension)
        for target in ast.walk(node.target)
        if isinstance(target, ast.Name)
    }
    return [n for n in names if n not in hidden]
