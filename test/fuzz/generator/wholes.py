"""Whole programs: classes with inheritance and special methods, generators, `try`, containers in containers,
exchanges, and `while` loops of many iterations, all in one."""

from __future__ import annotations

import random
from typing import Any

from generator import classes
from generator.blocks import indented
from generator.environment import Stuck
from generator.expressions import Table
from generator.samples import signature
from generator.tries import FUNCTIONS as RAISING
from generator.tries import TryingBlocks
from generator.writer import Writer

SOURCE = """

class Shape:
    sides = 0

    def __init__(self, a, name="s"):
        self.a = a
        self.name = name

    def area(self):
        return 0.0

    def twice(self):
        return 2 * self.area()

    def __len__(self):
        return self.sides

    def __bool__(self):
        return True


class Square(Shape):
    sides = 4

    def area(self):
        return self.a * self.a

    def grow(self, by=1.0):
        self.a += by
        return self


class Box(Square):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b

    def area(self):
        return super().area() + self.b

    @classmethod
    def of(cls, a):
        return cls(a, a + 1)

    @staticmethod
    def least(a, b):
        return a if a < b else b


class Window:
    def __init__(self, data, at=0):
        self.data = data
        self.at = at

    def __getitem__(self, i):
        return self.data[i]

    def __setitem__(self, i, v):
        self.data[i] = v

    def __iter__(self):
        for i in range(len(self.data)):
            yield self.data[i] * 2

    def __call__(self, v):
        self.at += 1
        return self.data.sum() + v

    def __enter__(self):
        self.at += 10
        return self

    def __exit__(self, *rest):
        self.at -= 10
        return False

    @property
    def first(self):
        return self.data[0]

    @first.setter
    def first(self, v):
        self.data[0] = v


class Grid:
    def __init__(self, rows):
        self.rows = rows
        self.best = None

    def swap(self, i, j):
        self.rows[i], self.rows[j] = self.rows[j], self.rows[i]

    def look(self, v):
        if self.best is None or v > self.best:
            self.best = v
        return self.best


def pairs(values, k=1):
    last = 0.0
    for v in values:
        yield last, v * k
        last = v


def while_below(values, most):
    i = 0
    while i < len(values) and values[i] < most:
        yield values[i]
        i += 1


def chained(first, second):
    yield from first
    for v in second:
        if v == 2:
            continue
        yield v


def steps(start, n):
    state = {"x": start, "log": []}
    for i in range(n):
        state["x"] = state["x"] * 0.5 + i
        state["log"].append(state["x"])
        yield state["x"]

"""
#: Calls of methods, `{o}` the instance.
TEMPLATES = {
    "Shape": ["{o}.area()", "{o}.twice()", "len({o})", "{o}.a", "{o}.name == 's'"],
    "Square": ["{o}.area()", "{o}.grow()", "{o}.grow({lit}).twice()", "{o}.twice()", "len({o})", "isinstance({o}, Shape)"],
    "Box": ["{o}.area()", "{o}.grow().area()", "{o}.least({num}, {o}.b)", "{o}.b", "{o}.twice()", "Box.of({o}.b).area()"],
    "Window": ["{o}[0]", "{o}[-1]", "{o}({num})", "{o}.first", "sum({o})", "max([q for q in {o}])", "{o}.at", "{o}.data.copy()"],
    "Grid": ["{o}.swap(0, -1)", "{o}.look({num})", "len({o}.rows)", "{o}.rows[0].sum()", "{o}.best"],
}  # fmt: skip
CONSTRUCTORS = [
    "Shape({float})", "Square({float})", "Box({float}, {float})", "Box.of({float})", "Window({goal} * 1.0)", "Window({vec})",
    "Grid([{vec}, {vec}])", "Grid([{goal} + 1, {goal} * 2.0])",
]  # fmt: skip
#: Statements on what these have, and on containers in containers.
WHOLE: Table = [
    (1, "{new} = [{v}1 + {v}2 for {v}1, {v}2 in pairs({vec})]"), (1, "for {v}, {w} in pairs({numbers}, {lit}):\n    {arr_place}[0] += {v} - {w}"),
    (1, "{new} = list(while_below({vec}, {num}))"), (1, "{new} = sum(while_below({numbers}, {num}))"), (1, "{new} = list(steps({num}, {pos}))"),
    (0.7, "{new} = next(while_below({vec}, {num}), {num})"), (0.7, "{new} = list(chained({numbers}, [{num}, {num}]))"),
    (0.7, "{new} = max(steps({num}, {pos}))"), (0.5, "{new}, *{new} = steps({num}, 3)"), (0.7, "{new} = dict(zip('ab', steps({num}, 2)))"),
    (1, "{new} = <<'m': [{num}, {num}], 'd': <<'k': {vec}>>>>"), (1, "{new} = [[{num}], [{num}, {num}]]"), (1, "{new} = (<<'x': {num}>>, [{vec}])"),
    (1, "{new} = [<<'x': {num}, 'v': {vec}>>, <<'x': {num}, 'v': {vec}>>]"), (0.7, "{new} = <<(0, 1): {num}, (1, 0): {num}>>"),
    (0.7, "{new} = <<q: q * {lit} for q in range({pos})>>"), (0.7, "{new} = [[q * r for q in range(2)] for r in {numbers}]"),
    (0.7, "{new} = <<k: v for k, v in {dict}.items()>>"), (0.5, "{new} = list(zip(*[{numbers}, {numbers}]))"),
    (1, "with Window({vec}) as {v}:\n    {v}.first = {num}\n    {arr_place}[-1] += {v}({lit})"), (0.7, "{new} = sorted([({num}, 1), ({num}, 2)])"),
    (0.7, "{new} = [Square({num}), Box({num}, {num})]"), (0.7, "{new} = sum(q.area() for q in [Square({num}), Box.of({num})])"),
]  # fmt: skip
#: Steps of loops with many iterations: numbers stay small.
STEPS: Table = [
    (2, "{t} = {t} * 0.5 + {c} % 3"), (1, "{a}[{c} % len({a})] = {a}[({c} + 1) % len({a})]"), (1, "{a}[0] += {c} % 2 - 0.5"),
    (1, "if {c} % 7 == {n}:\n    {t} -= 1"), (1, "if {t} > 2:\n    {t} = 0.0"), (1, "{a}[-1], {a}[0] = {a}[0], {a}[-1]"), (1, "{t} = max({t} - 1, {a}[0] * 0.5)"),
    (0.7, "if {c} % 5 == 4:\n    continue"), (0.7, "if {t} > {n} and {c} > 20:\n    break"), (0.7, "for {v} in range(2):\n    {t} = {t} * 0.5 + {v}"),
]  # fmt: skip


class WholeBlocks(TryingBlocks):
    def whole(self, outer: set[str]) -> str:
        """A statement with generators, containers in containers, or instances of all kinds."""
        return self.holes(self.weighted(WHOLE), v=self.new(), w=self.new())

    def swapped(self, outer: set[str]) -> str:
        """Arrays, lists or numbers exchanged: names, items and attributes."""
        kind = self.pick(["arr", "real", "some", "num"])
        places = [
            p
            for p in self.places(kind)
            if p not in self.fixed and p.split("[")[0] not in self.fixed
        ]
        a = self.pick(places)
        like = [
            p for p in places if p != a and signature(self.value(p)) == signature(self.value(a))
        ]
        b = self.pick(like)
        return self.pick(
            [f"{a}, {b} = {b}, {a}", f"{a}, {b} = {b}, {a}", f"t_ = {a}\n{a} = {b}\n{b} = t_"]
        )

    def long(self, outer: set[str], depth: int) -> list[str]:
        """A `while` of many iterations, with a counter of its own."""
        counter, total, array = self.new(), self.new(), self.new()
        before = [
            f"{counter} = 0",
            f"{total} = {self.make_num(1)} * 1.0",
            f"{array} = {self.place('vec')} * 1.0",
        ]
        if not self.run("\n".join(before), outer):
            raise Stuck
        self.fixed.add(counter)
        given = {"t": total, "a": array, "c": counter}
        body = [f"{counter} += 1"]
        for _ in range(self.pick([1, 2, 3])):
            body += self.holes(
                self.weighted(STEPS), n=self.make_pos(), v=self.new(), **given
            ).split("\n")
        most = self.pick([30, 50, 100, 200])
        test = self.pick(
            [
                f"{counter} < {most}",
                f"{counter} < {most} and {total} < 50",
                f"{counter} < {most} and {array}[0] > -40",
            ]
        )
        return [*before, f"while {test}:", *indented(body), *self.otherwise(depth)]

    SIMPLE = [*TryingBlocks.SIMPLE, (5, whole), (2, swapped)]
    COMPOUND = [*TryingBlocks.COMPOUND, (2, long)]


class WholeWriter(Writer):
    """Writes programs of all of these."""

    functions = RAISING + SOURCE
    makes = WholeBlocks

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, exact=True)
        for name, templates in TEMPLATES.items():
            self.values[name].templates = templates
        self.values["__constructors__"] = CONSTRUCTORS + (
            classes.CONSTRUCTORS if self.objects else []
        )

    def may_result(self, value: Any) -> bool:
        return super().may_result(value) and not hasattr(value, "__next__")
