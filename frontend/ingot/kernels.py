"""Native kernels: parts of programs that Ingot itself compiles to machine code, for the CPU.

`ingot._native` contains LLVM, so it is imported only when a kernel is compiled.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Iterable

from ingot_runtime import kernels


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

            _compiled[name] = _native.compile(text)
        kernels.load(name, _compiled[name])


def explained(texts: dict[str, str]) -> dict[str, dict[str, str]]:
    """The text of each kernel after each step of its compilation; `load` has the arguments."""
    if not texts:
        return {}
    from ingot import _native

    return {name: {"ingot": text, **_native.explain(text)} for name, text in texts.items()}


def libraries(names: tuple[str, ...]) -> dict[str, bytes]:
    """The shared libraries of kernels that this process has compiled or loaded from the cache."""
    return {name: _compiled[name] for name in names}


def register(names: Iterable[str]) -> None:
    """Let XLA's programs call kernels that are loaded."""
    for name in names:
        kernels.register(name)


def adopt(name: str, library: bytes) -> None:
    """Load a kernel that another process has compiled."""
    _compiled.setdefault(name, library)
    kernels.load(name, _compiled[name])
