"""Ingot compiles the NumPy you already wrote."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ingot.jit import jit
from ingot.lowering import Compiled, Lowered
from ingot_runtime.errors import (
    ArtifactError,
    CompileError,
    DTypeError,
    IngotError,
    ShapeError,
    UnsupportedError,
)

if TYPE_CHECKING:
    from ingot import random
    from ingot.artifacts import Artifact, export, spec
    from ingot.autodiff import (
        checkpoint,
        custom_jvp,
        custom_vjp,
        grad,
        hessian,
        jacfwd,
        jacrev,
        jvp,
        stop_gradient,
        value_and_grad,
        vjp,
    )
    from ingot.batching import vmap
    from ingot.checking import check_grads
    from ingot_runtime.loader import Loaded, load

__version__ = "0.1.0"

__all__ = [
    "Artifact",
    "ArtifactError",
    "CompileError",
    "Compiled",
    "DTypeError",
    "IngotError",
    "Loaded",
    "Lowered",
    "ShapeError",
    "UnsupportedError",
    "check_grads",
    "checkpoint",
    "custom_jvp",
    "custom_vjp",
    "export",
    "grad",
    "hessian",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "load",
    "random",
    "spec",
    "stop_gradient",
    "value_and_grad",
    "vjp",
    "vmap",
]


AUTODIFF = (
    "checkpoint", "custom_jvp", "custom_vjp", "grad", "hessian", "jacfwd", "jacrev", "jvp",
    "stop_gradient", "value_and_grad", "vjp",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    # What only those need who export and load is imported for them alone.
    if name in ("Artifact", "export", "spec"):
        from ingot import artifacts

        return getattr(artifacts, name)
    if name in AUTODIFF:
        from ingot import autodiff

        return getattr(autodiff, name)
    if name == "random":
        return importlib.import_module("ingot.random")
    if name == "vmap":
        from ingot.batching import vmap

        return vmap
    if name == "check_grads":
        from ingot.checking import check_grads

        return check_grads
    if name in ("Loaded", "load"):
        from ingot_runtime import loader

        return getattr(loader, name)
    raise AttributeError(f"module 'ingot' has no attribute {name!r}")
