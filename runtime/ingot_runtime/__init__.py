"""Runs what Ingot compiled: NumPy and jaxlib, neither ingot nor jax."""
