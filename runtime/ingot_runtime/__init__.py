"""Runs what Ingot compiled: NumPy and jaxlib, neither ingot nor jax."""

from ingot_runtime.errors import ArtifactError
from ingot_runtime.loader import EntryPoint, Loaded, load

__all__ = ["ArtifactError", "EntryPoint", "Loaded", "load"]
