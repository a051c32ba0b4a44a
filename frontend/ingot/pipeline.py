"""The order of passes, and what programs are lowered with: options of their own, and what this
process adds: rules, passes of plugins, traps."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any

from ingot_runtime import _native

#: The default order of passes, as `ingot-to-stablehlo` of ingot-opt has it. Regions have one
#: block, so there is nothing to simplify among blocks.
PIPELINE = (
    "func.func(inline-rules),canonicalize{region-simplify=disabled},cse,func.func(relax-products),"
    "func.func(scale-products),func.func(sink-updates),func.func(forward-updates),"
    "func.func(prune-carried),loop-invariant-code-motion,func.func(hoist-checks),"
    "func.func(order-reads),func.func(separate-updates),lower-effects,lower-to-stablehlo"
)
#: What comes before it where there are derivatives, which had better not repeat what is simple.
EXPANSION = (
    "canonicalize{region-simplify=disabled},cse,func.func(sink-updates),expand-transformations"
)
#: Where additions stand: the code is simple, and all of it is there.
PLACE = "func.func(relax-products),"
#: Before it, loops that only a CPU runs well are made.
READS = "func.func(order-reads),"
#: What leaves the dialect.
LAST = "lower-to-stablehlo"


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

    def pipeline(
        self, *, is_precise: bool, has_transformations: bool, calls_libraries: bool = False
    ) -> str:
        """The order of passes.

        Args:
            is_precise: each check where the source has it: what fails first is what the source
                raises.
            calls_libraries: for this process's CPU.
        """
        added = "".join(f"{each}," for each in self.additions.passes)
        if self.additions.rules:
            simple = "canonicalize{region-simplify=disabled},cse,"
            added = f"apply-rewrites,{simple}{added}"
        if self.additions.traps_nans:
            added += "func.func(trap-nans),"
        whole = PIPELINE.replace(PLACE, added + PLACE)
        if is_precise:
            whole = whole.replace("func.func(hoist-checks),", "")
        if calls_libraries:
            calls = f"call-libraries{{vectorised={vectorised()}}}"
            # Arrays that are donated are results, which are aligned, and have a result's type.
            align = "" if self.donate else "align-arguments,"
            whole = whole.replace(LAST, f"func.func({calls}),{align}{LAST}")
            whole = whole.replace(READS, f"func.func(chunk-reductions),{READS}")
        if self.strict_fp:
            whole = whole.replace("func.func(scale-products),", "") + ",strict-fp"
        return f"{EXPANSION},{whole}" if has_transformations else whole


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
