"""The options of a program, and additions that hold for the whole process: rewrite rules, passes of
plugins and NaN traps. The order of passes is in `passes/Pipeline.cpp`."""

from __future__ import annotations

import dataclasses
import functools
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ingot import kernels
from ingot_runtime import _native
from ingot_runtime.linking import LINALG, ufuncs_of

if TYPE_CHECKING:
    from ingot.placement import Placement


def _left_out() -> tuple[str, ...]:
    return tuple(filter(None, os.environ.get("INGOT_WITHOUT", "").split(",")))


@dataclass(frozen=True)
class Additions:
    """What compilations in this process add to the default pipeline.

    Attributes:
        rules: rewrite rules, as IR for the pass `apply-rewrites`.
        passes: pass pipelines on the ingot dialect.
        plugins: hashes of the shared libraries of these passes.
        traps_nans: whether each operation is checked for NaN and infinity.
        without: passes that are left out, of those that only make programs faster: the names in
            the environment variable `INGOT_WITHOUT`, separated by commas.
    """

    rules: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    traps_nans: bool = False
    without: tuple[str, ...] = field(default_factory=_left_out)


@dataclass(frozen=True)
class Options:
    """What a program depends on besides the function and its arguments.

    The precise form of a program, which may be compiled much later, when a check fails, has the
    same options as its fast form.

    Attributes:
        checks: whether the program has run-time checks.
        strict_fp: whether each floating-point operation rounds separately.
        device: the name of the device, as for `clients.device_named`, or "".
        donate: the parameters whose memory the results may reuse.
        native: whether parts of programs for the CPU become native kernels.
        placement: the mesh that the program is for, and where arguments and results lie.
        one_form: whether the result has one form on every path, as an artifact declares it: a
            number has one type, and what may be one of several objects is a new one.
        dropped: the names of the assumptions that the program does without, sorted.
        additions: the additions of the process when the program was lowered.
    """

    checks: bool = True
    strict_fp: bool = False
    device: str = ""
    donate: tuple[str, ...] = ()
    native: bool = field(default_factory=kernels.enabled)
    placement: Placement | None = None
    one_form: bool = False
    dropped: tuple[str, ...] = ()
    additions: Additions = Additions()

    def pipeline(self, *, is_precise: bool, target: str = "", has_kernels: bool = False) -> str:
        """The registered pipeline for IR whose transformations are expanded, as text.

        Args:
            is_precise: whether checks stop the program in the order of the source, so that the
                first failing one is the exception that the source raises.
            target: where it runs: "here", on the CPU of this process with all that the runtime
                provides; "cpu", in any process with jaxlib, so with LAPACK; "accelerator"; or
                anywhere.
            has_kernels: whether parts of it become native kernels, also for the CPU.
        """
        flags = {
            "precise": is_precise,
            "strict-fp": self.strict_fp,
            "trap-nans": self.additions.traps_nans,
            "rules": self.additions.rules,
            "call-libraries": target == "here",
            "call-lapack": target == "cpu",
            "accelerator": target == "accelerator",
            "native": has_kernels,
            "donate": self.donate,
        }
        options = [name for name, is_set in flags.items() if is_set]
        if self.additions.passes:
            options.append(f"extra={{{','.join(self.additions.passes)}}}")
        if self.additions.without:
            options.append(f"without={','.join(self.additions.without)}")
        if target == "here":
            options.append(f"functions={linalg_functions()}")
        if target == "here" and vectorised():
            options.append(f"vectorised={vectorised()}")
        return f"ingot-to-stablehlo{{{' '.join(options)}}}"


#: Elementwise functions for which NumPy's vector instructions beat the polynomials of XLA, with the
#: dtype letters for which they do. `exp` and `tanh` are missing: XLA's are short, and faster when
#: fused.
FUNCTIONS = {
    "sin": "f", "cos": "f", **dict.fromkeys((
        "expm1", "log", "log1p", "cbrt", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh",
        "arcsinh", "arccosh", "arctanh", "power", "arctan2",
    ), "fd"),
}  # fmt: skip


@functools.cache
def vectorised() -> str:
    """The `FUNCTIONS` that NumPy vectorises on this processor, as an option of the pipeline."""
    try:
        from numpy.lib import introspect
    except ImportError:
        # NumPy 2.0 does not have this module.
        return ""
    found = []
    for name, letters in FUNCTIONS.items():
        (loops,) = introspect.opt_func_info(func_name=f"^{name}$").values()
        for letter in letters:
            loop = next((how for types, how in loops.items() if set(types) == {letter}), None)
            if loop and not loop["current"].startswith("baseline"):
                found.append(f"{name}/{'f32' if letter == 'f' else 'f64'}")
    return ",".join(found)


@functools.cache
def linalg_functions() -> str:
    """The functions of np.linalg that NumPy has as ufuncs, as an option of the pipeline."""
    return ",".join(ufuncs_of(LINALG))


_current = Additions()


def additions() -> Additions:
    """The additions that hold for new compilations."""
    return _current


def change(**fields: Any) -> Additions:
    """Change the additions for later compilations, and return the previous ones."""
    global _current
    before, _current = _current, dataclasses.replace(_current, **fields)
    _native.forget()
    return before
