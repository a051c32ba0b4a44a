"""What programs call besides XLA: LAPACK, loops of NumPy, and what begins strict programs."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from ingot_runtime.clients import jaxlib

#: What the names of calls of LAPACK and of NumPy start with, the name of a print, and that of what
#: begins a program whose operations on floats round one by one.
LAPACK, NUMPY, PRINT, STRICT = "lapack_", "ingot.numpy.", "ingot.print", "ingot.strict_fp"


@functools.cache
def _register_lapack() -> None:
    """Make jaxlib's LAPACK calls known to XLA's CPU backend."""
    from jaxlib import lapack

    for platform, targets in lapack.registrations().items():
        for name, target, api_version in targets:
            jaxlib().register_custom_call_target(name, target, platform, api_version)
    lapack._lapack.initialize()


@functools.cache
def _register_strict() -> None:
    """Make what begins strict programs known to XLA's CPU backend.

    Raises:
        RuntimeError: this installation has no native module.
    """
    handler = native_module("a program with strict_fp").begin_strict_fp()
    jaxlib().register_custom_call_target(STRICT, handler, "cpu", 1)


@functools.cache
def _register_numpy() -> None:
    """Make calls of NumPy's loops known to XLA's CPU backend.

    Raises:
        RuntimeError: this installation has no native module.
    """
    ufuncs = {name: each for name, each in vars(np).items() if isinstance(each, np.ufunc)}
    ufuncs["cholesky"] = np.linalg._umath_linalg.cholesky_lo
    handlers = native_module("a program that calls NumPy").numpy_calls(ufuncs)
    for name, handler in handlers.items():
        jaxlib().register_custom_call_target(NUMPY + name, handler, "cpu", 1)


def native_module(what: str) -> Any:
    try:
        return importlib.import_module("ingot_runtime._native")
    except ImportError as error:
        raise RuntimeError(
            f"{what} needs the native module of ingot_runtime, which can't be imported ({error}); "
            "install Ingot's wheel for this platform and Python"
        ) from None


def calls(module: str | bytes, name: str) -> bool:
    """Whether a module, as text or as a portable artifact, has custom calls of that name."""
    if isinstance(module, bytes):
        return name.encode() in module
    return f"stablehlo.custom_call @{name}" in module


_REGISTER = {LAPACK: _register_lapack, NUMPY: _register_numpy, STRICT: _register_strict}


def link(module: str | bytes) -> None:
    """Make known to XLA's CPU backend what a module, or the machine code of one, calls.

    Raises:
        RuntimeError: this installation has no native module.
    """
    for name, register in _REGISTER.items():
        if calls(module, name):
            register()
