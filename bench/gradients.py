"""Gradients of NumPy kernels, compared in one run with JAX's of hand-written JAX ports.

Values and gradients of both must agree. Times are medians of alternated runs; shown are those of
value and gradient, their ratio, and the cost of ours as a multiple of the compiled kernel's.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)

import gradient_kernels as kernels  # noqa: E402

import ingot  # noqa: E402

#: How often each way runs: this often, and on until so many seconds are over.
REPEAT, SECONDS = 7, 3.0


def timed(function: Callable[..., Any], args: tuple) -> float:
    # The one before has had the caches, and more so the more memory it takes.
    jax.block_until_ready(function(*args))
    start = time.perf_counter()
    jax.block_until_ready(function(*args))
    return time.perf_counter() - start


def medians(ways: tuple[Callable[..., Any], ...], args: tuple) -> list[float]:
    """The milliseconds that each takes, run in turns."""
    times: list[list[float]] = []
    start = time.perf_counter()
    while len(times) < REPEAT or time.perf_counter() < start + SECONDS:
        times.append([timed(way, args) for way in ways])
    return [statistics.median(column) * 1e3 for column in zip(*times, strict=True)]


def compare(name: str) -> tuple[float, float]:
    """How many times faster than JAX we are, and the gradient's cost."""
    args = kernels.arguments(name)
    kernel = ingot.jit(getattr(kernels, name))
    ours, theirs = ingot.value_and_grad(kernel), kernels.jax_gradient(name, args)
    value, gradient = ours(*args)
    expected, slope = theirs(*args)
    np.testing.assert_allclose(value, expected, rtol=1e-9)
    scale = float(np.max(np.abs(slope)))
    np.testing.assert_allclose(gradient, slope, rtol=1e-7, atol=1e-9 * scale)
    kernel(*args)
    plain, mine, other = medians((kernel, ours, theirs), args)
    print(
        f"{name:16} ingot {mine:9.3f} ms   jax {other:10.3f} ms   {other / mine:8.2f} times faster"
        f"   {mine / plain:6.2f} times the kernel",
        flush=True,
    )
    return other / mine, mine / plain


def main() -> int:
    chosen = sys.argv[1:] or [*kernels.UPDATES, *kernels.OTHERS]
    found = {name: compare(name) for name in chosen}
    updates = [found[name][0] for name in kernels.UPDATES if name in found]
    if updates:
        mean = math.exp(statistics.fmean(map(math.log, updates)))
        print(f"loops over updated arrays: {mean:.1f} times faster than JAX (geometric mean)")
    worst = min(found, key=lambda name: found[name][0])
    print(f"the slowest against JAX: {worst}, {found[worst][0]:.2f} times faster")
    return 0


if __name__ == "__main__":
    sys.exit(main())
