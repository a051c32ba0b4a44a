"""What programs are lowered with: options of their own, and what this process adds, which are
rules, passes of plugins and traps. The order of passes is in `passes/Pipeline.cpp`."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any

from ingot_runtime import _native


@dataclass(frozen=True)
class Additions:
    """What programs are compiled with besides the default.

    Attributes:
        rules: functions of IR that are rules for `apply-rewrites`.
        passes: pipelines of passes on the dialect.
        plugins: identifies the shared libraries that these passes are from.
        traps_nans: checks where values cease to be finite.
    """

    rules: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    traps_nans: bool = False


@dataclass(frozen=True)
class Options:
    """What, besides the function and its arguments, a program depends on.

    It is made once for each program, and handed on to the precise one, which runs where a check of
    the program fails, however much later.

    Attributes:
        checks: run-time checks are part of the program.
        strict_fp: each operation on floats rounds by itself.
        device: the one that programs are compiled for, as `clients.device_named` takes it, or "".
        donate: the parameters whose arrays' memory results may take.
        additions: what the process compiled with when the program was lowered.
    """

    checks: bool = True
    strict_fp: bool = False
    device: str = ""
    donate: tuple[str, ...] = ()
    additions: Additions = Additions()

    def pipeline(self, *, is_precise: bool, calls_libraries: bool = False) -> str:
        """The registered pipeline that lowers code without transformations.

        Args:
            is_precise: each check where the source has it: what fails first is what the source
                raises.
            calls_libraries: for this process's CPU.
        """
        flags = {
            "precise": is_precise,
            "strict-fp": self.strict_fp,
            "trap-nans": self.additions.traps_nans,
            "rules": self.additions.rules,
            "call-libraries": calls_libraries,
            "donate": self.donate,
        }
        options = [name for name, is_set in flags.items() if is_set]
        if self.additions.passes:
            options.append(f"extra={{{','.join(self.additions.passes)}}}")
        if calls_libraries and vectorised():
            options.append(f"vectorised={vectorised()}")
        return f"ingot-to-stablehlo{{{' '.join(options)}}}"


#: NumPy's functions of elements that XLA computes by long formulas, and the letters of the dtypes
#: for which that takes longer than NumPy does by vector instructions. XLA has short ones for `exp`
#: and `tanh`, which are faster among other operations.
FUNCTIONS = {
    "sin": "f", "cos": "f", **dict.fromkeys((
        "expm1", "log", "log1p", "cbrt", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh",
        "arcsinh", "arccosh", "arctanh", "power", "arctan2",
    ), "fd"),
}  # fmt: skip


@functools.cache
def vectorised() -> str:
    """Those that have vector instructions on this processor, as `call-libraries` takes them."""
    try:
        from numpy.lib import introspect
    except ImportError:
        # NumPy 2.0 does not say.
        return ""
    found = []
    for name, letters in FUNCTIONS.items():
        (loops,) = introspect.opt_func_info(func_name=f"^{name}$").values()
        for letter in letters:
            loop = next((how for types, how in loops.items() if set(types) == {letter}), None)
            if loop and not loop["current"].startswith("baseline"):
                found.append(f"{name}/{'f32' if letter == 'f' else 'f64'}")
    return ",".join(found)


_current = Additions()


def additions() -> Additions:
    """What programs are compiled with from now on."""
    return _current


def change(**fields: Any) -> Additions:
    """Compile with other additions from now on; gives those before."""
    global _current
    before, _current = _current, dataclasses.replace(_current, **fields)
    _native.forget()
    return before
