"""Loads and runs artifacts that Ingot compiled; needs NumPy and jaxlib, but not ingot or jax."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ingot_runtime.errors import ArtifactError

if TYPE_CHECKING:
    from ingot_runtime.entry_points import EntryPoint
    from ingot_runtime.loader import Loaded, load
    from ingot_runtime.predicting import BatchPredictor

__all__ = ["ArtifactError", "BatchPredictor", "EntryPoint", "Loaded", "load"]

#: The modules that define the names, imported at their first use: `ingot` imports this package,
#: too, and may never load an artifact.
_MODULES = {
    "BatchPredictor": "predicting",
    "EntryPoint": "entry_points",
    "Loaded": "loader",
    "load": "loader",
}


# Type checkers would take any name for one of the module's.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return getattr(importlib.import_module(f"ingot_runtime.{_MODULES[name]}"), name)
        raise AttributeError(f"module 'ingot_runtime' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
