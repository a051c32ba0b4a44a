"""The cost of calls of NumPy's loops and of LAPACK, compared with NumPy and with XLA's operations.

Plain NumPy and the compiled function alternate in one process; then the function runs as compiled
from its StableHLO, which calls no libraries. One JSON line each, with medians in milliseconds.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("INGOT_PLATFORM", "cpu")
os.environ["INGOT_CACHE_DIR"] = ""

import numpy as np

import ingot
from ingot_runtime import clients, pjrt

ROUNDS = 15
RNG = np.random.default_rng(0)
LINE = RNG.standard_normal(1_000_000)
MATRIX = RNG.standard_normal((300, 300))
POSITIVE = MATRIX @ MATRIX.T + 300 * np.eye(300)


def kalman(y: Any, f: Any, h: Any, q: Any, r: Any) -> Any:
    """The states that a Kalman filter finds: small matrices in a loop."""
    x, p = np.zeros(len(f)), np.eye(len(f))
    found = np.empty((len(y), len(f)))
    for t in range(len(y)):
        x, p = f @ x, f @ p @ f.T + q
        gain = p @ h.T @ np.linalg.inv(h @ p @ h.T + r)
        x, p = x + gain @ (y[t] - h @ x), p - gain @ h @ p
        found[t] = x
    return found


def split_steps(wave: Any, potential: Any) -> Any:
    """A wave in a potential, by the split-step method: Fourier transforms in a loop."""
    k = 2 * np.pi * np.fft.fftfreq(len(wave))
    half, kinetic = np.exp(-0.05j * potential), np.exp(-0.05j * k * k)
    for _ in range(100):
        wave = half * np.fft.ifft(kinetic * np.fft.fft(half * wave))
    return wave


CASES: dict[str, tuple[Callable[..., Any], tuple[np.ndarray, ...]]] = {
    "matrix_product": (lambda a: a @ a, (MATRIX,)),
    "matrix_vector": (lambda a, v: a @ v, (MATRIX, MATRIX[0].copy())),
    "cholesky": (np.linalg.cholesky, (POSITIVE,)),
    "solve": (np.linalg.solve, (POSITIVE, MATRIX)),
    "inverse": (np.linalg.inv, (MATRIX,)),
    "determinant": (np.linalg.det, (MATRIX,)),
    "eigenvalues": (np.linalg.eigvalsh, (POSITIVE,)),
    "least_squares": (lambda a: np.linalg.lstsq(a[:, :60], a[:, 0])[0], (MATRIX,)),
    "kalman_filter": (
        kalman,
        (
            LINE[:2000].reshape(-1, 2),
            np.eye(4) + 0.1 * np.eye(4, k=2),
            np.eye(2, 4),
            0.01 * np.eye(4),
            0.1 * np.eye(2),
        ),
    ),
    "fourier_transform": (np.fft.fft, (LINE[:65536],)),
    "split_steps": (split_steps, (LINE[:512] + 0j, LINE[512:1024])),
    "cumsum": (np.cumsum, (LINE,)),
    "cumsum_rows": (lambda a: np.cumsum(a, axis=0), (MATRIX,)),
    "sort": (np.sort, (LINE,)),
    "argsort": (np.argsort, (LINE,)),
    "stable_argsort": (lambda x: np.argsort(x, kind="stable"), (LINE,)),
}


def milliseconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def row(function: Callable[..., Any], args: tuple[np.ndarray, ...]) -> dict[str, float]:
    return alternated(ingot.jit(function), args, {"numpy_ms": lambda: function(*args)})


def alternated(
    compiled: Any, args: tuple[np.ndarray, ...], others: dict[str, Callable[[], Any]]
) -> dict[str, float]:
    """The medians of a compiled function, of its StableHLO without libraries, and of other ways."""
    return medians(others | {"ingot_ms": lambda: compiled(*args), "xla_ms": by_xla(compiled, args)})


def by_xla(compiled: Any, args: tuple[np.ndarray, ...]) -> Callable[[], Any]:
    """A call of a compiled function's StableHLO without libraries."""
    text = compiled.lower(*args).stablehlo()
    alone = pjrt.compile_stablehlo(text, clients.default_device())
    return lambda: [np.asarray(each) for each in alone.run([*args])]


def one_after_the_other(function: Callable[..., Any], args: tuple[np.ndarray, ...]) -> Any:
    """As `row`, with XLA by itself: the threads of its LAPACK, SciPy's, spin for milliseconds after
    a call, and NumPy's wait for the same cores."""
    compiled = ingot.jit(function)
    found = medians({"numpy_ms": lambda: function(*args), "ingot_ms": lambda: compiled(*args)})
    time.sleep(0.2)
    return found | medians({"xla_ms": by_xla(compiled, args)})


def medians(ways: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The median milliseconds of each way, after a first call; they take turns."""
    for way in ways.values():
        way()
    rows = [[milliseconds(way) for way in ways.values()] for _ in range(ROUNDS)]
    found = map(statistics.median, zip(*rows, strict=True))
    return {way: round(each, 3) for way, each in zip(ways, found, strict=True)}


def main() -> None:
    for name, (function, args) in CASES.items():
        found = one_after_the_other(function, args)
        print(json.dumps({"benchmark": "libraries", "case": name, **found}), flush=True)


if __name__ == "__main__":
    main()
