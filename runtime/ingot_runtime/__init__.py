"""Loads and runs artifacts that Ingot compiled; needs NumPy and jaxlib, but not ingot or jax."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ingot_runtime.errors import ArtifactError

if TYPE_CHECKING:
    from ingot_runtime.loader import EntryPoint, Loaded, load

__all__ = ["ArtifactError", "EntryPoint", "Loaded", "load"]


# Type checkers would take any name for one of the module's.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        # Imported late: `ingot` imports this package, too, and may never load an artifact.
        if name in ("EntryPoint", "Loaded", "load"):
            from ingot_runtime import loader

            return getattr(loader, name)
        raise AttributeError(f"module 'ingot_runtime' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
