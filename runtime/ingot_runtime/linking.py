"""Custom calls of programs on the CPU: LAPACK, NumPy's loops, and the start of strict programs."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from ingot_runtime.clients import jaxlib

#: The prefixes of the custom calls of LAPACK and of NumPy, the name of a print, and the name of the
#: call that begins a program with strict_fp.
LAPACK, NUMPY, PRINT, STRICT = "lapack_", "ingot.numpy.", "ingot.print", "ingot.strict_fp"
#: A callback of a function in JAX, which is in no order with prints; it has their name as a prefix.
UNORDERED = "ingot.print.unordered"
#: Where NumPy has the functions of np.linalg and np.fft.
LINALG = "numpy.linalg._umath_linalg"
GUFUNCS = (LINALG, "numpy.fft._pocketfft_umath")


@functools.cache
def _register_lapack() -> None:
    """Register jaxlib's LAPACK calls with XLA's CPU backend."""
    from jaxlib import lapack

    for platform, targets in lapack.registrations().items():
        for name, target, api_version in targets:
            jaxlib().register_custom_call_target(name, target, platform, api_version)
    lapack._lapack.initialize()


@functools.cache
def _register_strict() -> None:
    """Register the call that begins strict programs with XLA's CPU backend.

    Raises:
        RuntimeError: this installation has no native module.
    """
    handler = native_module("a program with strict_fp").begin_strict_fp()
    jaxlib().register_custom_call_target(STRICT, handler, "cpu", 1)


@functools.cache
def _register_numpy() -> None:
    """Register calls of NumPy's loops with XLA's CPU backend.

    Raises:
        RuntimeError: this installation has no native module.
    """
    native = native_module("a program that calls NumPy")
    handlers = native.numpy_calls(ufuncs_of("numpy", *GUFUNCS))
    for name, handler in handlers.items():
        jaxlib().register_custom_call_target(NUMPY + name, handler, "cpu", 1)


def ufuncs_of(*modules: str) -> dict[str, np.ufunc]:
    """The ufuncs of modules by name."""
    found = [vars(importlib.import_module(module)) for module in modules]
    return {
        name: each for names in found for name, each in names.items() if isinstance(each, np.ufunc)
    }


def native_module(what: str) -> Any:
    try:
        return importlib.import_module("ingot_runtime._native")
    except ImportError as error:
        raise RuntimeError(
            f"{what} needs the native module of ingot_runtime, which can't be imported ({error}); "
            "install Ingot's wheel for this platform and Python"
        ) from None


def calls(module: str | bytes, name: str) -> bool:
    """Whether a module, as text or as a portable artifact, has custom calls with this prefix."""
    if isinstance(module, bytes):
        return name.encode() in module
    return f"stablehlo.custom_call @{name}" in module


_REGISTER = {LAPACK: _register_lapack, NUMPY: _register_numpy, STRICT: _register_strict}


def link(module: str | bytes) -> None:
    """Register the custom calls of a module, or of an executable, with XLA's CPU backend.

    Raises:
        RuntimeError: this installation has no native module.
    """
    for name, register in _REGISTER.items():
        if calls(module, name):
            register()
