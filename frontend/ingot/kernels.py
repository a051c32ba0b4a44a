"""Native kernels: parts of programs that Ingot itself compiles to machine code, for the CPU.

`ingot._native` contains LLVM, so it is imported only when a kernel is compiled.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from typing import TYPE_CHECKING, NamedTuple

from ingot_runtime import kernels, processors
from ingot_runtime.interrupts import interruptible

if TYPE_CHECKING:
    from ingot.compiled import Compiled
    from ingot_runtime.kernels import Library
    from ingot_runtime.manifest import KernelCall


def enabled() -> bool:
    """Whether programs have native kernels unless `jit` says otherwise; `INGOT_NATIVE=0`: no."""
    return os.environ.get("INGOT_NATIVE") != "0" and compiler() is not None


@functools.cache
def compiler() -> str | None:
    """The path of the module that compiles kernels, if this installation has it."""
    found = importlib.util.find_spec("ingot._native")
    return found.origin if found else None


def load(texts: dict[str, str]) -> tuple[Library, ...]:
    """Compile and load kernels, which stay loaded as long as something refers to them.

    Args:
        texts: the kernels' IR by name; the name tells the text.
    """
    return tuple(kernels.find(name) or _compiled(name, text) for name, text in texts.items())


def _compiled(name: str, text: str) -> Library:
    from ingot import _native

    code = interruptible(_native.compile, text, processors.target(), abandoned=lambda: None)
    return kernels.load(name, code)


def explained(texts: dict[str, str], processor: str | None) -> dict[str, dict[str, str]]:
    """The text of each kernel after each step of its compilation.

    Args:
        texts: see `load`.
        processor: a name of LLVM's for the processor; None for what programs are compiled for.
    """
    if not texts:
        return {}
    from ingot import _native

    target = processors.target() if processor is None else processor
    return {name: {"ingot": text, **_native.explain(text, target)} for name, text in texts.items()}


class MachineCode(NamedTuple):
    """A program as the disk cache and artifacts keep it; `kernels.load_program` loads it.

    Attributes:
        call: how it calls its kernel, if it does nothing else.
        libraries: the shared libraries of its kernels by name.
        code: XLA's executable; empty if there is a `call`.
    """

    call: KernelCall | None
    libraries: dict[str, bytes]
    code: bytes


def machine_code(compiled: Compiled) -> MachineCode:
    """The machine code of a program."""
    libraries = {each.name: each.data for each in compiled.libraries}
    executable = compiled.executable
    if isinstance(executable, kernels.KernelExecutable):
        return MachineCode(executable.call, libraries, b"")
    return MachineCode(None, libraries, executable.serialize())
