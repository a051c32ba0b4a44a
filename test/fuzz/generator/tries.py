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
    # Functions that look at values.
    (0.7, "np.linalg.inv({mat}[:1, :1])"), (0.4, "np.linalg.solve(np.diag({vec}), {vec})"), (0.4, "np.linalg.svd({mat})"),
    (0.7, "{vec}[0] += np.quantile({vec}, {num}, method='lower')"), (0.5, "np.average({vec}, weights={vec})"),
    (0.5, "np.choose({vec}.astype(int), (1, 2, 3))"), (0.7, "{numbers}.index({num})"), (0.5, "int(float({num}) * 1e200 * 1e200)"),
    (0.5, "math.sqrt({num})"), (0.4, "math.log({num})"), (0.5, "max([q for q in {numbers} if q > {num}])"),
    # What depends on a length, and what compiled code takes for granted.
    (0.7, "np.max({vec}[{int}:])"), (0.5, "{vec}[0] += {vec}[:{int}].argmin()"), (0.5, "{vec}[{int}:][{int}]"), (0.5, "{vec}[{i} : {i} + 2] += 1"),
    (0.5, "2 ** {int}"), (0.4, "float({num}) ** 0.5"), (0.4, "np.repeat({vec}, {int})"), (0.3, "np.zeros({int})"), (0.3, "{vec} + {vec}[{int}:]"),
]  # fmt: skip
HANDLERS = [
    "ValueError", "IndexError", "(ValueError, LookupError, ArithmeticError)", "Exception",
    "np.linalg.LinAlgError", "OverflowError",
]  # fmt: skip


class TryingBlocks(Blocks):
    def attempt(self, outer: set[str], depth: int) -> list[str]:
        given = {name: lambda k=name: self.place(k) for name in ("vec", "mat", "some", "numbers")}
        given["i"] = self.pick([n for n in self.names if type(self.values[n]) is int] or ["1"])
        risks = [
            self.holes(self.weighted(RISKS), **given).split("\n")
            for _ in range(self.pick([1, 1, 2]))
        ]
        # Names that the body binds first may be unbound in a finally.
        counted = self.counted()
        lines = [*risks[0], *self.body(depth), *(risks[1] if len(risks) > 1 else [])]
        lines = ["try:", *indented(lines)]
        if self.chance(0.2):
            lines += ["except KeyError:", *indented(self.body(depth))]
        lines += [f"except {self.pick(HANDLERS)}:", *indented(self.body(depth))]
        lines += ["else:", *indented(self.body(depth))] if self.chance(0.2) else []
        # What a finally raises in place of another exception is a known difference.
        return lines + (["finally:", f"    {counted}"] if self.chance(0.2) else [])

    def counted(self) -> str:
        """A statement that raises nothing."""
        names = [n for n in self.assignable("num") if type(self.values[n]) in (int, float)]
        return f"{self.pick(names)} += 1" if names else "pass"

    COMPOUND = [*Blocks.COMPOUND, (6, attempt)]


class TryingWriter(Writer):
    """Writes programs with `try`."""

    functions = FUNCTIONS
    makes = TryingBlocks
