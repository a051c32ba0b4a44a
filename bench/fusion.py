"""The cost of several operations on large arrays, compared with NumPy and with XLA.

A kernel computes such operations part by part, so that what one of them makes is in the cache when
the next one reads it. One JSON line for each function and for the gradient of the sum of its
squares, with medians in milliseconds. The ways are those of `libraries.py`, and take turns.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from libraries import RNG, alternated, row

import ingot

ROWS = RNG.random((4096, 512))
LINE = RNG.random(1_000_000) + 1
POINTS = RNG.random((1_000_000, 3))


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    most = np.max(x, axis=-1, keepdims=True)
    return most[:, 0] + np.log(np.sum(np.exp(x - most), axis=-1))


def layer_norm(x: np.ndarray) -> np.ndarray:
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5)


def standard_scores(x: np.ndarray) -> np.ndarray:
    return (x - np.mean(x, axis=0)) / np.std(x, axis=0)


def unit_vectors(x: np.ndarray) -> np.ndarray:
    return x / np.sqrt(np.sum(x * x, axis=1, keepdims=True))


def option_values(s: np.ndarray) -> np.ndarray:
    d = (np.log(s) + 0.045) / 0.3
    above, below = 1 + np.tanh(0.8 * d), 1 + np.tanh(0.8 * (d - 0.3))
    return np.maximum(s * above - 1.9 * below, 1.9 * (2 - below) - s * (2 - above))


def moments(x: np.ndarray) -> np.ndarray:
    return np.array([np.sum(x), np.sum(x * x), np.max(x), np.min(x)])


CASES: dict[str, tuple[Callable[..., Any], np.ndarray]] = {
    "softmax": (softmax, ROWS),
    "softmax, float32": (softmax, ROWS.astype(np.float32)),
    "log-sum-exp": (log_sum_exp, ROWS),
    "layer norm": (layer_norm, ROWS),
    "standard scores of columns": (standard_scores, ROWS),
    "unit vectors": (unit_vectors, POINTS),
    "option values": (option_values, LINE),
    "moments": (moments, LINE),
}


def gradient_of(function: Callable[..., Any]) -> Any:
    def loss(x: np.ndarray) -> Any:
        result = function(x)
        return np.sum(result * result)

    return ingot.grad(loss)


def main() -> None:
    for name, (function, x) in CASES.items():
        found = {
            name: row(function, (x,)),
            f"{name}, gradient": alternated(gradient_of(function), (x,), {}),
        }
        for case, times in found.items():
            print(json.dumps({"benchmark": "fusion", "case": case, **times}), flush=True)


if __name__ == "__main__":
    main()
