"""Ingot compiles the NumPy you already wrote."""

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

__version__ = "0.1.0"

__all__ = [
    "ArtifactError",
    "CompileError",
    "Compiled",
    "DTypeError",
    "IngotError",
    "Lowered",
    "ShapeError",
    "UnsupportedError",
    "jit",
]
