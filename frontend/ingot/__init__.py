"""Ingot compiles the NumPy you already wrote."""

from ingot.export import Artifact, export, spec
from ingot.jit import jit
from ingot.lowering import Compiled, Lowered
from ingot_runtime import Loaded, load
from ingot_runtime.errors import (
    ArtifactError,
    CompileError,
    DTypeError,
    IngotError,
    ShapeError,
    UnsupportedError,
)

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
    "jit",
    "load",
    "spec",
]
