"""The overhead of a call with NumPy arrays of 8 numbers, compared with jax.jit.

The functions alternate in one process. Also measured: a call that is not direct, but made by
Python; the cost of 20 guards, which each call of a function that reads 20 globals checks; and calls
of native kernels beside those of XLA's programs.
"""

from __future__ import annotations

import functools
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("INGOT_PLATFORM", "cpu")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["INGOT_CACHE_DIR"] = ""

import jax
import numpy as np

import ingot

ROUNDS = 200
CALLS = 200
GLOBALS = 20


def add(x: Any, y: Any) -> Any:
    return x + y


def stencil(a: Any) -> None:
    for _ in range(10):
        a[1:-1] = (a[:-2] + a[2:]) * 0.5


#: Functions that are one native kernel, and their arguments.
KERNELS: dict[str, tuple[Callable[..., Any], Any]] = {
    "8_numbers": (add, (np.arange(8.0), np.ones(8))),
    "1e5_numbers": (add, (np.arange(1e5), np.ones(100_000))),
    "stencil": (stencil, (np.arange(1e4),)),
}


def microseconds(call: Callable[[], Any], calls: int = CALLS) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls * 1e6


def medians(calls: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The median time of a call of each; they take turns."""
    for call in calls.values():
        call()
    rows = [[microseconds(call) for call in calls.values()] for _ in range(ROUNDS)]
    return dict(zip(calls, map(statistics.median, zip(*rows, strict=True)), strict=True))


def by_kernels() -> dict[str, float]:
    """The times of calls with and without native kernels."""
    calls = {}
    for name, (f, arguments) in KERNELS.items():
        for way, native in {"native": True, "xla": False}.items():
            calls[f"{name}_{way}_us"] = functools.partial(ingot.jit(f, native=native), *arguments)
    return {name: round(time_, 2) for name, time_ in medians(calls).items()}


def reading(count: int) -> Any:
    """A function that reads so many globals, compiled, and the guards of its program."""
    name = "<overhead>"
    text = "def f(x, y):\n    return x + y" + "".join(f" + g{i}" for i in range(count)) + "\n"
    import linecache

    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {f"g{i}": float(i) for i in range(count)}
    exec(compile(text, name, "exec"), namespace)
    return ingot.jit(namespace["f"])


def main() -> None:
    x, y = np.arange(8.0, dtype=np.float32), np.ones(8, np.float32)
    ours, theirs, guarded = ingot.jit(add), jax.jit(add), reading(GLOBALS)
    found = medians(
        {
            "ingot": lambda: ours(x, y),
            "jax": lambda: np.asarray(theirs(x, y)),
            "by_python": lambda: ours._call((x, y), {}),
            "globals": lambda: guarded(x, y),
        }
    )
    program = guarded.lower(x, y)
    guards = program.reads.guards()
    check = statistics.median(microseconds(guards.failed, 2000) for _ in range(ROUNDS))
    row = {
        "benchmark": "overhead",
        "ingot_us": round(found["ingot"], 2),
        "jax_us": round(found["jax"], 2),
        "by_python_us": round(found["by_python"], 2),
        "times_jax": round(found["ingot"] / found["jax"], 2),
        f"with_{GLOBALS}_globals_us": round(found["globals"], 2),
        "guards": len(guards.listed),
        "guards_us": round(check, 3),
        **by_kernels(),
    }
    json.dump(row, sys.stdout)
    print()


if __name__ == "__main__":
    main()
