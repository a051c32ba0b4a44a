"""Ingot compiles the NumPy you already wrote."""

from __future__ import annotations

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
    from ingot.artifacts import Artifact, export, spec
    from ingot.autodiff import (
        grad,
        hessian,
        jacfwd,
        jacrev,
        jvp,
        stop_gradient,
        value_and_grad,
        vjp,
    )
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
    "export",
    "grad",
    "hessian",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "load",
    "spec",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]


AUTODIFF = (
    "grad", "hessian", "jacfwd", "jacrev", "jvp", "stop_gradient", "value_and_grad", "vjp",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    # What only those need who export and load is imported for them alone.
    if name in ("Artifact", "export", "spec"):
        from ingot import artifacts

        return getattr(artifacts, name)
    if name in AUTODIFF:
        from ingot import autodiff

        return getattr(autodiff, name)
    if name in ("Loaded", "load"):
        from ingot_runtime import loader

        return getattr(loader, name)
    raise AttributeError(f"module 'ingot' has no attribute {name!r}")
