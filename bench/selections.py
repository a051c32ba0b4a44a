"""The cost of positions, of what masks select and of stores by them, compared with NumPy.

Arrays of 1,000,000 elements, half of which the masks select; one JSON line for each program, with
medians in milliseconds. NumPy and the compiled function take turns.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from libraries import RNG, medians

import ingot

COUNT = 1_000_000
X = RNG.random(COUNT)
MASK = RNG.random(COUNT) < 0.5
TABLE = MASK.reshape(1000, 1000)


def store_at_positions(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    x = x.copy()
    x[np.nonzero(mask)[0]] = 1.5
    return x


def shrink(x: np.ndarray) -> float:
    total = 0.0
    for _ in range(8):
        x = x[x > 0.3] * 1.1
        x = x[x < 2.0]
        total += x[0]
    return total


def sieve(n: int) -> np.ndarray:
    prime = np.ones(COUNT, bool)
    prime[:2] = False
    for i in range(2, n):
        if prime[i]:
            prime[i * i :: i] = False
    return prime


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "nonzero": (np.nonzero, (MASK,)),
    "flatnonzero": (np.flatnonzero, (X - 0.5 * MASK,)),
    "where": (lambda x: np.where(x > 0.5)[0], (X,)),
    "nonzero of two axes": (np.nonzero, (TABLE,)),
    "argwhere of two axes": (np.argwhere, (TABLE,)),
    "x[mask]": (lambda x, mask: x[mask], (X, MASK)),
    "x[mask], every second": (lambda x, mask: x[mask][::2].sum(), (X, MASK)),
    "x[nonzero(mask)[0]]": (lambda x, mask: x[np.nonzero(mask)[0]], (X, MASK)),
    "x[nonzero(mask)[0]] = number": (store_at_positions, (X, MASK)),
    "a loop of masks": (shrink, (X,)),
    "a sieve": (sieve, (1000,)),
    "unique": (np.unique, ((X * 1000).astype(np.int64),)),
}


def row(function: Callable[..., Any], args: tuple[Any, ...]) -> dict[str, float]:
    compiled = ingot.jit(function)
    return medians({"numpy_ms": lambda: function(*args), "ingot_ms": lambda: compiled(*args)})


def main() -> None:
    for name, (function, args) in CASES.items():
        found = {"benchmark": "selections", "program": name, **row(function, args)}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
