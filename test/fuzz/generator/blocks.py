"""Random control flow: branches, loops with their else, jumps out of them."""

from __future__ import annotations

from generator.environment import Stuck
from generator.exchanges import Exchanges, indented
from generator.expressions import FUEL, Table

TRIES = 25
LINES_OF_BODIES = [1, 1, 2, 2, 3, 4]

#: What a `for` runs over: the targets (v and w are new names) and the iterable.
LOOPS: Table = [
    (3, "{v} in range({pos})"), (3, "{v} in range(len({vec}))"), (2, "{v} in range({n})"),
    (1, "{v} in range({n} + 1)"), (1, "{v} in range(1, {pos})"), (1, "{v} in range({pos}, -1, -1)"),
    (2, "{v} in {vec}"), (1, "{v} in {arr_place}"), (2, "{v} in {some}"), (1, "{v} in {arrays}"),
    (1.5, "{v}, {w} in enumerate({some})"), (1, "{v}, {w} in enumerate({vec})"), (0.7, "{v}, {w} in enumerate({some}, 1)"),
    (1.5, "{v}, {w} in zip({some}, {vec})"), (0.7, "{v}, {w} in zip({vec}, {some})"), (1, "{v}, {w} in {dict}.items()"),
    (0.5, "{v} in {dict}.values()"), (0.4, "{v} in {dict}"), (0.7, "{v} in reversed({some})"), (0.3, "{v} in sorted({numbers})"),
    (0.4, "{v} in {some}[1:]"), (0.4, "{v} in list({some})"), (0.3, "{v}, ({w}, {x}) in enumerate(zip({some}, {some}))"),
    (0.3, "{v} in range({n}, len({vec}))"), (0.3, "{v} in [{num}, {num}]"), (0.3, "{v} in ({int}, {int})"),
    (0.3, "{v} in range(0, len({vec}), 2)"), (0.2, "{v} in np.arange({pos})"),
    # Items are made when the loop comes to them: its body may have changed what they are made of.
    (0.5, "{v} in map(lambda q: q + {num}, {numbers})"), (0.5, "{v} in (q * {num} for q in {numbers})"),
    (0.3, "{v} in filter(lambda q: {n} > 0, {numbers})"), (0.2, "{v}, {w} in zip({some}, (q + {num} for q in {numbers}))"),
]  # fmt: skip


class Blocks(Exchanges):
    """Makers of compound statements, and of bodies."""

    #: The result of the function, of one signature, if it may return early.
    result: str = ""
    loops = 0

    def statement(self, outer: set[str], depth: int) -> list[str]:
        for _ in range(TRIES):
            self.fuel, names, loops = FUEL, list(self.names), self.loops
            try:
                if depth > 0 and self.chance(0.3):
                    return self.weighted(self.COMPOUND)(self, outer, depth)
                text = self.weighted(self.SIMPLE)(self, outer)
            except (Stuck, ArithmeticError):
                self.names, self.loops = names, loops
                continue
            if self.run(text, outer):
                return text.split("\n")
        return []

    def condition(self, depth: int) -> str:
        self.fuel = FUEL
        return self.make_cond(depth)

    def body(self, depth: int, looped: bool = False) -> list[str]:
        """A block; names that are first bound in it are forgotten after it, but for a few."""
        outer, optionals = set(self.names), list(self.optionals)
        self.loops += looped
        lines: list[str] = []
        for _ in range(self.pick(LINES_OF_BODIES)):
            lines += self.statement(outer, depth - 1)
        if self.loops and self.chance(0.25):
            lines += self.jump()
        self.loops -= looped
        if not self.chance(0.08):
            self.names = [n for n in self.names if n in outer]
            self.optionals = optionals
        return lines or ["pass"]

    def jump(self) -> list[str]:
        try:
            condition = self.condition(2)
        except Stuck:
            return []
        forms = ["break", "break", "continue"]
        if self.result:
            forms += ["return", "return"]
        jump = self.pick(forms)
        if jump == "return":
            jump = self.early()
        return [f"if {condition}:", f"    {jump}"]

    def early(self) -> str:
        try:
            value = self.value(self.result)
        except Exception:
            raise Stuck from None
        if self.chance(0.5):
            return f"return {self.result}"
        return f"return {self.like(value)}"

    def branch(self, outer: set[str], depth: int) -> list[str]:
        lines = [f"if {self.condition(2)}:", *indented(self.body(depth))]
        if self.result and self.chance(0.1):
            lines += ["    " + self.early()]
        if self.chance(0.3):
            lines += [f"elif {self.condition(2)}:", *indented(self.body(depth))]
        if self.chance(0.5):
            lines += ["else:", *indented(self.body(depth))]
        return lines

    def loop(self, outer: set[str], depth: int) -> list[str]:
        v, w, x = self.new(), self.new(), self.new()
        numbers = [n for n in self.names if self.is_count(n)]
        n = lambda: self.pick(numbers)  # noqa: E731
        arrays = lambda: self.place("arrays")  # noqa: E731
        header = self.holes(self.weighted(LOOPS), v=v, w=w, x=x, n=n, arrays=arrays)
        target, iterable = header.split(" in ", 1)
        before = list(self.names)
        if not self.run(f"{target} = next(iter({iterable}))", outer):
            raise Stuck
        bound = [name for name in self.names if name not in before]
        self.fixed |= set(bound) if self.chance(0.9) else set()
        lines = [f"for {header}:", *indented(self.body(depth, looped=True))]
        self.names = [name for name in self.names if name not in bound or self.chance(0.15)]
        return lines + self.otherwise(depth)

    def is_count(self, name: str) -> bool:
        value = self.values.get(name)
        return type(value) is int and 0 <= value < 6

    def otherwise(self, depth: int) -> list[str]:
        if not self.chance(0.25):
            return []
        lines = ["else:", *indented(self.body(depth))]
        if self.result and self.chance(0.25):
            lines += ["    " + self.early()]
        return lines

    def bounded(self, outer: set[str], depth: int) -> list[str]:
        """A `while` that ends, with a counter of its own."""
        counter = self.new()
        start = self.pick(["0", "0", "1", "-1"])
        self.run(f"{counter} = {start}", outer)
        self.fixed.add(counter)
        vec = self.place("vec")
        limit = self.pick([self.make_pos(), self.make_pos(), f"len({vec})"])
        test = f"{counter} < {limit}"
        if self.chance(0.6):
            forms = [
                f"{test} and {self.condition(2)}",
                f"{test} and ({vec}[{counter}] < {self.make_num(0)} or {self.condition(1)})",
                f"{test} and not ({self.condition(1)} and {vec}[{counter}] > 0)",
                f"0 <= {counter} + 1 < {limit} and {vec}[{counter}] > -9",
            ]
            test = self.pick(forms)
        body = self.body(depth, looped=True)
        step = f"{counter} += 1"
        if self.chance(0.3) or any("continue" in line for line in body):
            body = [step, *body]
        else:
            body = [*body, step]
        lines = [f"{counter} = {start}", f"while {test}:", *indented(body)]
        return lines + self.otherwise(depth)

    def accumulate(self, outer: set[str], depth: int) -> list[str]:
        """The loop that most programs have: a number or list that grows with each item."""
        total, v = self.new(), self.new()
        numbers = self.place("numbers") if self.chance(0.4) else self.place("vec")
        self.run(f"{v} = {numbers}[0]", outer)
        start = self.pick(["0.0", "0.0", "1.0", "[]", "0"])
        change = f"{total}.append({self.make_num(1)})" if start == "[]" else f"{total} += {v} * 0.5"
        self.run(f"{total} = {start}", outer)
        if not self.run(change, outer):
            raise Stuck
        inner = [change]
        if self.chance(0.4):
            inner = [f"if {self.condition(1)}:", *indented([change])]
        self.names = [n for n in self.names if n != v]
        return [f"{total} = {start}", f"for {v} in {numbers}:", *indented(inner)]

    COMPOUND = [(3, branch), (4, loop), (1.5, bounded), (1, accumulate), (1, Exchanges.exchanging)]
