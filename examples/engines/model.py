"""What the examples of engines map over rows: a small network, exported for any number of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import ingot

FEATURES = 16
_RNG = np.random.default_rng(0)
_W1 = _RNG.normal(size=(FEATURES, 64)) / 4
_W2 = _RNG.normal(size=64) / 8


def score(x):
    return np.tanh(np.tanh(x @ _W1) @ _W2)


def export(folder: Path) -> Path:
    """Write the artifact, and return its path."""
    path = folder / "score.ingot"
    ingot.export(score, ingot.spec(f"n,{FEATURES}")).save(path)
    return path


def rows(count: int) -> np.ndarray:
    """Features of so many rows."""
    return np.random.default_rng(1).normal(size=(count, FEATURES))
