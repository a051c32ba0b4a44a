"""Elementwise programs on floats, special values among them, whose results must agree bit for bit.

What NumPy computes by libm, and what sums, is left out: there NumPy and XLA round differently.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import ingot
from generator import judge as judges
from generator.judge import Comparison, Difference, Outcome

#: What simplifications that hold for real numbers get wrong.
CONSTANTS = (
    "0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "0.1", "3.0", "7.0", "1e16", "1e200", "1e-200",
    "1e300", "1e-300", "2e-308", "5e-324", "np.inf", "-np.inf", "np.nan",
)  # fmt: skip
NARROW = (
    "0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "0.1", "3.0", "7.0", "1e8", "1e30", "1e-30",
    "3e38", "1e-38", "1e-45", "np.inf", "-np.inf", "np.nan",
)  # fmt: skip
OPERATORS = ("+", "+", "+", "-", "-", "-", "*", "*", "*", "*", "/", "/")
UNARY = (
    "-{0}", "np.abs({0})", "np.sqrt({0})", "np.floor({0})", "np.ceil({0})", "np.trunc({0})",
    "np.rint({0})", "np.square({0})", "np.reciprocal({0})", "np.positive({0})", "({0}) ** 2",
    "np.sqrt(np.abs({0}))",
)  # fmt: skip
BINARY = (
    "np.maximum({0}, {1})", "np.minimum({0}, {1})", "np.fmod({0}, {1})",
    "({0}) // ({1})", "({0}) % ({1})", "np.clip({0}, -2.0, {1})", "np.hypot({0}, 0.0)"
)[:-1]  # fmt: skip
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Writer:
    """Writes one program: statements on arrays of one shape and dtype, and on numbers."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.is_narrow = rng.random() < 0.3
        self.arrays = [f"x{i}" for i in range(rng.randint(1, 3))]
        self.numbers = [f"s{i}" for i in range(rng.randint(0, 2))]
        self.lines: list[str] = []

    def text(self) -> str:
        arguments = [*self.arrays, *self.numbers, "n"]
        self.block(1, self.rng.randint(3, 9))
        result = ", ".join([*self.arrays, *self.numbers])
        shape = self.rng.choice(("(3,)", "(8,)", "(17,)", "(2, 5)"))
        cases = "\n".join(f"    lambda: {self.case(shape)}," for _ in range(4))
        body = "\n".join(self.lines)
        return (
            f"import numpy as np\n\n\ndef f({', '.join(arguments)}):\n{body}\n"
            f"    return {result},\n\n\nCASES = [\n{cases}\n]\n"
        )

    def case(self, shape: str) -> str:
        dtype = "np.float32" if self.is_narrow else "np.float64"
        size = int(np.prod(eval(shape)))
        values = []
        for _ in self.arrays:
            picked = ", ".join(self.value() for _ in range(size))
            values.append(f"np.array([{picked}], {dtype}).reshape({shape})")
        values += [f"{dtype}({self.value()})" for _ in self.numbers]
        return f"({', '.join([*values, str(self.rng.randint(0, 4))])})"

    def value(self) -> str:
        if self.rng.random() < 0.4:
            return self.constant()
        scale = 10.0 ** self.rng.choice(
            (0, 0, 0, 1, 3, -3, 7, -7, 18, -18, -39 if self.is_narrow else -310)
        )
        return repr(self.rng.uniform(-4, 4) * scale)

    def constant(self) -> str:
        return self.rng.choice(NARROW if self.is_narrow else CONSTANTS)

    # Statements.

    def block(self, depth: int, count: int) -> None:
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        kind = self.rng.random()
        pad = "    " * depth
        if kind < 0.12 and depth < 3:
            self.lines.append(f"{pad}for i in range(n):")
            self.block(depth + 1, self.rng.randint(1, 3))
        elif kind < 0.2 and depth < 3 and self.numbers:
            test = (
                f"{self.rng.choice(self.numbers)} {self.rng.choice(COMPARISONS)} {self.constant()}"
            )
            self.lines.append(f"{pad}if {test}:")
            self.block(depth + 1, self.rng.randint(1, 2))
            self.lines.append(f"{pad}else:")
            self.block(depth + 1, self.rng.randint(1, 2))
        elif kind < 0.35 and self.numbers:
            name = self.rng.choice(self.numbers)
            self.lines.append(f"{pad}{name} = {self.expression(self.numbers, 2)}")
        elif kind < 0.42:
            name = self.rng.choice(self.arrays)
            self.lines.append(
                f"{pad}{name}[...] = {self.expression([*self.arrays, *self.numbers], 2)}"
            )
        else:
            name = self.rng.choice(self.arrays)
            value = self.expression([*self.arrays, *self.numbers], self.rng.randint(1, 3))
            # It stays an array, of this dtype.
            self.lines.append(
                f"{pad}{name} = {value} + {self.rng.choice(self.arrays)} * {self.constant()}"
            )

    def expression(self, names: list[str], depth: int) -> str:
        """Of these names, at least one of which occurs."""
        if depth == 0:
            return self.rng.choice(names)
        left = self.expression(names, depth - 1)
        right = self.expression(names, depth - 1) if self.rng.random() < 0.6 else self.constant()
        if self.rng.random() < 0.3:
            left, right = right, left
        kind = self.rng.random()
        if kind < 0.6:
            return f"({left} {self.rng.choice(OPERATORS)} {right})"
        if kind < 0.75:
            return self.rng.choice(UNARY).format(self.expression(names, depth - 1))
        if kind < 0.9:
            return self.rng.choice(BINARY).format(left, right)
        test = f"{left} {self.rng.choice(COMPARISONS)} {right}"
        one, other = (self.expression(names, depth - 1) for _ in range(2))
        return f"np.where({test}, {one}, {other})"


def write(seed: int) -> str:
    return Writer(random.Random(seed)).text()


def is_program(text: str) -> bool:
    """Whether it runs; plain and compiled code may raise for other reasons otherwise."""
    namespace = judges.loaded(text)
    cases = namespace["CASES"]
    # Made smaller, it may be no list any more.
    return isinstance(cases, list) and all(
        judges.outcome(lambda c=c: namespace["f"](*c()))[0] == "value" for c in cases
    )


class Bits(Comparison):
    """Floats agree if all of their bits do; NaNs agree with each other."""

    def numbers(self, actual: Any, expected: Any, path: str) -> None:
        a, e = np.asarray(actual), np.asarray(expected)
        if a.dtype.kind != "f" or a.dtype != e.dtype or a.shape != e.shape:
            return super().numbers(actual, expected, path)
        same = (a == e) & (np.signbit(a) == np.signbit(e)) | (np.isnan(a) & np.isnan(e))
        if not same.all():
            at = np.argwhere(~same)[0]
            raise Difference(f"bits: {path}{at.tolist()} is {a[tuple(at)]!r}, not {e[tuple(at)]!r}")


def judge(text: str) -> Outcome:
    """Runs a program plain and compiled with strict_fp; the worst of the verdicts of its cases."""
    namespace = judges.loaded(text)
    return judges.worst(text, namespace, ingot.jit(namespace["f"], strict_fp=True), Bits)
