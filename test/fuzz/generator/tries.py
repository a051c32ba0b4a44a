"""Programs that catch what their statements, and functions that they call, raise."""

from __future__ import annotations

from generator.blocks import Blocks, indented
from generator.expressions import Table
from generator.writer import Writer

FUNCTIONS = """

def checked(x, most):
    if x > most:
        raise ValueError("beyond")


def positive(x):
    checked(-x, 0)
    return True


def part(values, i):
    values[i]
    return 1.0

"""
RISKS: Table = [
    (3, "checked({num}, {num})"), (1, "positive({num})"), (2, "part({vec}, {int})"), (1, "{vec}[{int}]"),
    (1, "{int} // {int}"), (1, "assert {cond}"), (1, "if {cond}:\n    raise KeyError('here')"), (1, "{some}[{int}]"),
]  # fmt: skip
HANDLERS = ["ValueError", "IndexError", "(ValueError, LookupError, ArithmeticError)", "Exception"]


class TryingBlocks(Blocks):
    def attempt(self, outer: set[str], depth: int) -> list[str]:
        risks = [self.holes(self.weighted(RISKS)).split("\n") for _ in range(self.pick([1, 1, 2]))]
        lines = [*risks[0], *self.body(depth), *(risks[1] if len(risks) > 1 else [])]
        lines = ["try:", *indented(lines)]
        if self.chance(0.2):
            lines += ["except KeyError:", *indented(self.body(depth))]
        lines += [f"except {self.pick(HANDLERS)}:", *indented(self.body(depth))]
        lines += ["else:", *indented(self.body(depth))] if self.chance(0.2) else []
        # What a finally raises in place of another exception is a known difference.
        return lines + (["finally:", f"    {self.counted()}"] if self.chance(0.2) else [])

    def counted(self) -> str:
        """A statement that raises nothing."""
        names = [n for n in self.assignable("num") if type(self.values[n]) in (int, float)]
        return f"{self.pick(names)} += 1" if names else "pass"

    COMPOUND = [*Blocks.COMPOUND, (6, attempt)]


class TryingWriter(Writer):
    """Writes programs with `try`."""

    functions = FUNCTIONS
    makes = TryingBlocks
