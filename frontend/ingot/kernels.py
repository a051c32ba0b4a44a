"""Native kernels: parts of programs that Ingot itself compiles to machine code, for the CPU.

`ingot._native` contains LLVM, so it is imported only when a kernel is compiled.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ingot_runtime import kernels
from ingot_runtime.interrupts import interruptible

if TYPE_CHECKING:
    from ingot.compiled import Compiled
    from ingot_runtime.manifest import KernelCall
    from ingot_runtime.program import Executable


def enabled() -> bool:
    """Whether programs have native kernels unless `jit` says otherwise; `INGOT_NATIVE=0`: no."""
    return os.environ.get("INGOT_NATIVE") != "0" and compiler() is not None


@functools.cache
def compiler() -> str | None:
    """The path of the module that compiles kernels, if this installation has it."""
    found = importlib.util.find_spec("ingot._native")
    return found.origin if found else None


#: The shared libraries of the kernels that this process has compiled, by name.
_compiled: dict[str, bytes] = {}


def load(texts: dict[str, str]) -> None:
    """Compile and load kernels.

    Args:
        texts: the kernels' IR by name; the name tells the text.
    """
    for name, text in texts.items():
        if name not in _compiled:
            from ingot import _native

            _compiled[name] = interruptible(_native.compile, text, abandoned=lambda: None)
        kernels.load(name, _compiled[name])


def explained(texts: dict[str, str]) -> dict[str, dict[str, str]]:
    """The text of each kernel after each step of its compilation; `load` has the arguments."""
    if not texts:
        return {}
    from ingot import _native

    return {name: {"ingot": text, **_native.explain(text)} for name, text in texts.items()}


def register(names: Iterable[str]) -> None:
    """Let XLA's programs call kernels that are loaded."""
    for name in names:
        kernels.register(name)


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
    """The machine code of a program whose kernels this process has compiled."""
    libraries = {name: _compiled[name] for name in compiled.kernels}
    executable = compiled.executable
    if isinstance(executable, kernels.KernelExecutable):
        return MachineCode(executable.call, libraries, b"")
    return MachineCode(None, libraries, executable.serialize())


def load_program(made: MachineCode, device: Any) -> Executable:
    """Load a program that another process has compiled with this build of Ingot.

    Args:
        made: the program.
        device: the device to load it for; None for the default device.

    Raises:
        RuntimeError: this system can't load it.
    """
    for name, library in made.libraries.items():
        _compiled.setdefault(name, library)
    return kernels.load_program(*made, device)
