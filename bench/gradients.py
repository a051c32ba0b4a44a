"""Gradients of NumPy kernels, compared in one run with `jax.grad` of hand-written JAX ports.

Values and gradients of both must agree. Times are medians of alternated runs. One JSON line for
each kernel: the times of value and gradient, their ratio, and the cost of ours as a multiple of
the compiled kernel's; `is_update` says that it loops over arrays which it updates in place.
`python bench/gradients.py [KERNEL ...]`
"""

from __future__ import annotations

import json
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

#: The least number of runs of each function, and the seconds for which runs go on after that.
REPEAT, SECONDS = 7, 3.0


def timed(function: Callable[..., Any], args: tuple) -> float:
    # Warm the caches again: the previous function has evicted its data.
    jax.block_until_ready(function(*args))
    start = time.perf_counter()
    jax.block_until_ready(function(*args))
    return time.perf_counter() - start


def medians(ways: tuple[Callable[..., Any], ...], args: tuple) -> list[float]:
    """The median milliseconds of each function; they alternate."""
    times: list[list[float]] = []
    start = time.perf_counter()
    while len(times) < REPEAT or time.perf_counter() < start + SECONDS:
        times.append([timed(way, args) for way in ways])
    return [statistics.median(column) * 1e3 for column in zip(*times, strict=True)]


def compare(name: str) -> dict[str, Any]:
    args = kernels.arguments(name)
    kernel = ingot.jit(getattr(kernels, name))
    ours, theirs = ingot.value_and_grad(kernel), kernels.jax_gradient(name, args)
    value, gradient = ours(*args)
    expected, expected_gradient = theirs(*args)
    np.testing.assert_allclose(value, expected, rtol=1e-9)
    scale = float(np.max(np.abs(expected_gradient)))
    np.testing.assert_allclose(gradient, expected_gradient, rtol=1e-7, atol=1e-9 * scale)
    kernel(*args)
    plain, mine, other = medians((kernel, ours, theirs), args)
    return {
        "benchmark": "gradients",
        "kernel": name,
        "is_update": name in kernels.UPDATES,
        "ingot_ms": round(mine, 4),
        "jax_ms": round(other, 4),
        "times_faster": round(other / mine, 3),
        "times_the_kernel": round(mine / plain, 3),
    }


def main() -> None:
    for name in sys.argv[1:] or [*kernels.UPDATES, *kernels.OTHERS]:
        print(json.dumps(compare(name)), flush=True)


if __name__ == "__main__":
    main()
