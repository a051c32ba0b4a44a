"""Random loops that exchange arrays, store to them by these and other names, and read them in conditions."""

from __future__ import annotations

import re

from generator.environment import Stuck
from generator.expressions import Table
from generator.samples import signature
from generator.statements import Statements

#: `a` and `b` are what is exchanged, `c` is one of these, `t` a new name, `i` and `j` are indices.
SWAPS: Table = [
    (3, "{a}, {b} = {b}, {a}"), (1.5, "{t} = {a}\n{a} = {b}\n{b} = {t}"), (0.5, "{a}, {b}, {c} = {b}, {c}, {a}"),
    (0.5, "if {test}:\n    {a}, {b} = {b}, {a}"),
]  # fmt: skip
STORES: Table = [
    (3, "{a}[{i}] {op} {lit}"), (2, "{b}[{i}] {op} {lit}"), (2, "{c}[{i}] {op} {lit}"), (1, "{a}[{i}] = {b}[{j}]"), (1, "{a}[1:] = {b}[:-1]"),
    (1, "{b}[...] = {a}"), (1, "{c} {op} {lit}"), (0.5, "{a}[{c} > {lit}] {op} {lit}"), (0.5, "{a} = {a} - {lit}"), (0.3, "{a} = {b}.copy()"),
]  # fmt: skip
TESTS: Table = [
    (2, "{a}[{i}] {order} {b}[{j}]"), (2, "{a}[{i}] {order} {lit}"), (1, "{c}[{i}] {order} {a}[{j}]"), (1, "{a}.sum() {order} {b}.sum()"),
    (1, "np.abs({a} - {b}).max() > {lit}"), (0.5, "np.argmax({a}) <= {small}"), (0.5, "({a} > {lit}).any()"), (0.3, "{c} is {a}"),
]  # fmt: skip
#: In inexact programs.
ROBUST_TESTS: Table = [(2, "{a}[{i}] > {odd}"), (1, "{c}[{j}] < {odd}"), (1, "({b} > {odd}).any()"), (0.3, "{c} is {a}")]  # fmt: skip


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines] or ["    pass"]


class Exchanges(Statements):
    def exchanging(self, outer: set[str], depth: int) -> list[str]:
        """A loop that exchanges arrays, mostly within another loop."""
        before = list(self.names)
        lines, given = self._exchanged(outer)
        loop = self._loop_of(outer, given)
        if self.chance(0.7):
            loop += self._run([self.holes(self.weighted(STORES), **given)], outer)
            loop = [f"for {self.new()} in range({self.pick([2, 3, 12])}):", *indented(loop)]
        self.names = [n for n in self.names if n in before or n in given.values()]
        return lines + loop

    def _exchanged(self, outer: set[str]) -> tuple[list[str], dict[str, object]]:
        """The places that are exchanged, as what fills holes, and the statement that shares one."""
        free = {p for p in self.places("real") if re.split(r"\W", p)[0] not in self.fixed}
        first = self.pick(sorted(free))
        wanted = signature(self.value(first))
        places = {each for each in free if signature(self.value(each)) == wanted}
        lines: list[str] = []
        if len(places) < 2:
            other = self.new()
            lines += self._run([f"{other} = {first}[::-1].copy()"], outer)
            places.add(other)
        a, b = self.rng.sample(sorted(places), 2)
        c = self.pick(sorted(places))
        if self.chance(0.5):
            c = self.new()
            lines += self._run([f"{c} = {self.pick([a, b])}"], outer)
        index = lambda: ", ".join(self.index(n) for n in wanted[2])  # noqa: E731
        return lines, {"a": a, "b": b, "c": c, "i": index, "j": index}

    def _loop_of(self, outer: set[str], given: dict[str, object]) -> list[str]:
        tests = TESTS if self.exact else ROBUST_TESTS
        test = lambda: f"({self.holes(self.weighted(tests), **given)})"  # noqa: E731
        swap = self.holes(self.weighted(SWAPS), **given, t=self.new(), test=test)
        stores = [self.holes(self.weighted(STORES), **given) for _ in range(self.pick([1, 1, 2]))]
        body = self._run(self.pick([[swap, *stores], [*stores, swap]]), outer)
        count, limit = self.new(), self.pick([2, 3, 5])
        leave = [f"if {test()}:", "    break"]
        forms = [
            [f"{count} = 0", f"while {count} < {limit} and {test()}:", f"    {count} += 1", *indented(body)],
            [f"{count} = 0", "while True:", f"    {count} += 1", f"    if {count} > {limit} or {test()}:", "        break", *indented(body)],
            [f"for {count} in range({limit}):", *indented(self.pick([[*leave, *body], [*body, *leave]]))],
            [f"for {count} in range({self.make_int(1)} % {limit}):", *indented(body)],
        ]  # fmt: skip
        return self.pick([forms[0], *forms])

    def _run(self, statements: list[str], outer: set[str]) -> list[str]:
        """The lines of statements, which must run on the samples."""
        for each in statements:
            if not self.run(each, outer):
                raise Stuck
        return [line for each in statements for line in each.split("\n")]
