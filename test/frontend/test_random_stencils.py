"""Gradients of random stencils that sweep over arrays in place, in loops.

Their adjoints add padded parts of cotangents, in arrays large enough for loops over rows and for
borders of their own.
"""

import random

import numpy as np
import pytest

import ingot
from level import pick
from oracle import central, quiet
from programs import function_of

#: How far the stencils reach.
REACH = 2


class Stencils:
    """The source of a random program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = "abc"[: self.random.randint(1, 3)]
        self.shape = self.random.choice([(9, 11), (34, 35), (40, 33), (64, 70)])

    def part(self, *offsets: int) -> str:
        ranges = [
            f"{REACH + offset}:{length - REACH + offset}"
            for offset, length in zip(offsets, self.shape, strict=True)
        ]
        return f"{self.random.choice(self.names)}[{', '.join(ranges)}]"

    def offset(self) -> int:
        return self.random.randint(-REACH, REACH)

    def term(self) -> str:
        part, other = (self.part(self.offset(), self.offset()) for _ in range(2))
        factor = self.random.choice(["0.3", "-0.2", "0.25", "w", "-w"])
        return self.random.choice(
            [
                *[f"{factor} * {part}"] * 4,
                f"-({part}) / 3.0",
                f"np.sin({part})",
                f"np.where({part} > 0.1, {part}, 0.0)",
                f"{part} * {factor} * {other}",
            ]  # fmt: skip
        )

    def statement(self) -> str:
        sign = self.random.choice(["+", "-"])
        value = f" {sign} ".join(self.term() for _ in range(self.random.randint(1, 5)))
        name, other = self.random.choice(self.names), self.random.choice(self.names)
        return self.random.choice(
            [
                *[f"{self.part(0, 0)} = 0.3 * ({value})"] * 4,
                f"{self.part(self.offset(), 0)} += 0.1 * ({value})",
                f"{self.part(0, self.offset())} -= 0.1 * ({value})",
                f"{name}[0, :] = {other}[-2, :]",
                f"{name}[:, -1] = {self.random.choice(['0.0', 'w'])}",
            ]  # fmt: skip
        )

    def program(self) -> str:
        lines = [f"def f({', '.join(self.names)}, w):"]
        lines += [f"    {name} = {name}.copy()" for name in self.names]
        lines += [f"    for t in range({self.random.choice([1, 3, 9, 12])}):"]
        lines += [f"        {self.statement()}" for _ in range(self.random.randint(1, 4))]
        total = " + ".join(f"np.sum({name} * np.cos({name}))" for name in self.names)
        return "\n".join(["import numpy as np", "", *lines, f"    return {total}", ""])


@pytest.mark.slow
@pytest.mark.floor(0.9)
def test_random_stencils(tmp_path, sweep):
    for seed in range(pick(6, 30, 400)):
        stencils = Stencils(seed)
        source = stencils.program()
        f = function_of(source, tmp_path)
        rng = np.random.default_rng(seed)
        shapes = [*[stencils.shape] * len(stencils.names), ()]
        args = [rng.uniform(-0.6, 0.6, shape) for shape in shapes]
        tangents = [rng.normal(size=shape) for shape in shapes]
        with quiet():
            expected, finer = (central(f, args, tangents, step) for step in (1e-6, 2.5e-7))
        gradients = ingot.grad(f, tuple(range(len(args))))(*args)
        slope = ingot.jvp(f, tuple(args), tuple(tangents))[1]
        found = sum(np.sum(g * t) for g, t in zip(gradients, tangents, strict=True))
        np.testing.assert_allclose(found, slope, rtol=1e-7, atol=1e-9, err_msg=source)
        # Within the steps, a selection jumps, or the loss bends.
        if not np.isclose(expected, finer, rtol=1e-4, atol=1e-4):
            sweep.skipped()
            continue
        np.testing.assert_allclose(slope, expected, rtol=1e-3, atol=1e-3, err_msg=source)
        sweep.agreed()
