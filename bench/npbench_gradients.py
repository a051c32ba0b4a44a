"""Differentiate NPBench's NumPy sources, unmodified, and compare with finite differences.

Bring a checkout of NPBench: `python bench/npbench_gradients.py --npbench DIR [KERNEL ...]`. For
each kernel that has a floating input: the gradient of the sum of its floating outputs by the
first floating input, real and imaginary parts alike, against central differences of the NumPy
source in random directions; and the time of value and gradient as a multiple of the compiled
kernel's own. Exits with 1 if a gradient is wrong.
"""

from __future__ import annotations

import argparse
import copy
import importlib.util
import itertools
import json
import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import ingot

_spec = importlib.util.spec_from_file_location("kernels", Path(__file__).with_name("npbench.py"))
assert _spec is not None and _spec.loader is not None
kernels = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(kernels)


def total(values):
    """The sum of the floating arrays and numbers of a tree."""
    if isinstance(values, (tuple, list)):
        result = 0.0
        for value in values:
            result = result + total(value)
        return result
    if values is None:
        return 0.0
    if np.asarray(values).dtype.kind == "c":
        return np.sum(np.real(values)) + np.sum(np.imag(values))
    if np.asarray(values).dtype.kind == "f":
        return np.sum(values)
    return 0.0


def loss_of(kernel: Callable[..., Any], outputs: list[int]) -> Callable[..., Any]:
    """The kernel as a function to differentiate; `outputs` are the arguments that it changes."""

    def loss(*args):
        result = total(kernel(*args))
        for i in outputs:
            result = result + total(args[i])
        return result

    return loss


WIDE = {np.dtype(np.float32): np.float64, np.dtype(np.complex64): np.complex128}


def widened(arg: Any) -> Any:
    """Differences of single precision would say nothing."""
    dtype = getattr(arg, "dtype", None)
    return arg.astype(WIDE[dtype]) if dtype in WIDE else arg


def slopes(
    loss: Callable[..., Any], args: list[Any], by: int, direction: Any
) -> tuple[float, float]:
    """The derivative in a direction, by central differences, and what is uncertain of it.

    Of several steps, those two next to each other count that agree best.
    """
    args = [widened(arg) for arg in args]
    x = args[by]
    scale = max(1.0, float(np.max(np.abs(x), initial=0.0)))

    def slope(step: float) -> float:
        ends = []
        for distance in (step, -step):
            moved = copy.deepcopy(args)
            moved[by] = x + distance * direction
            try:
                ends.append(float(loss(*moved)))
            except np.linalg.LinAlgError:
                # The step leaves the matrices for which there is a result.
                return math.inf
        return (ends[0] - ends[1]) / (2 * step)

    found = [slope(scale * 10.0**-power) for power in range(1, 9)]
    gaps = [abs(a - b) if a < math.inf else math.inf for a, b in itertools.pairwise(found)]
    best = gaps.index(min(gaps))
    return found[best + 1], gaps[best]


def directions(x: Any, count: int) -> list[Any]:
    rng = np.random.default_rng(0)
    found = []
    for _ in range(count):
        direction = rng.standard_normal(x.shape)
        if x.dtype.kind == "c":
            direction = direction + 1j * rng.standard_normal(x.shape)
        found.append(direction / np.linalg.norm(direction))
    return found


def median_time(function: Callable[..., Any], args: list[Any], repeat: int) -> float:
    times = []
    for _ in range(repeat):
        given = copy.deepcopy(args)
        start = time.perf_counter()
        function(*given)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def run(name: str, checkout: Path, preset: str, repeat: int) -> dict[str, Any]:
    kernel, args, names = kernels.load(checkout, name, preset)
    info = json.loads((checkout / "bench_info" / f"{name}.json").read_text())["benchmark"]
    changed = [names.index(n) for n in info.get("output_args", []) if n in names]
    floating = [i for i, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype.kind in "fc"]
    if not floating:
        return {"kernel": name, "status": "none", "detail": "no floating input"}
    by = floating[0]
    loss = loss_of(kernel, changed)
    gradient = ingot.value_and_grad(loss, by)
    try:
        start = time.perf_counter()
        value, slope = gradient(*copy.deepcopy(args))
        first = time.perf_counter() - start
    except ingot.IngotError as error:
        return {"kernel": name, "status": "refused", "detail": str(error).splitlines()[0]}
    except Exception as error:
        return {"kernel": name, "status": "failed", "detail": f"{type(error).__name__}: {error}"}
    is_single = args[by].dtype in WIDE
    errors = []
    for direction in directions(args[by], 3):
        expected, noise = slopes(loss, args, by, direction)
        found = float(np.sum(np.real(slope * direction)))
        # A loss that does not change has no slope to compare with.
        rounding = 100 * np.finfo(args[by].dtype).eps * abs(float(value))
        least = 1e-3 * float(np.linalg.norm(slope.ravel())) + 10 * noise + rounding
        errors.append(abs(expected - found) / max(abs(expected), abs(found), least))
    # Kernels may round to single precision by themselves.
    is_right = max(errors) < (2e-2 if is_single else 1e-4)
    plain = median_time(ingot.jit(loss), args, repeat)
    return {
        "kernel": name,
        "status": "right" if is_right else "wrong",
        "by": names[by],
        "error": max(errors),
        "is_finite": bool(np.all(np.isfinite(slope))),
        "first_s": first,
        "gradient_ms": median_time(gradient, args, repeat) * 1e3,
        "cost": median_time(gradient, args, repeat) / plain,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npbench", type=Path, required=True, help="a checkout of NPBench")
    parser.add_argument("--preset", default="S")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("kernels", nargs="*", help="all, if none is named")
    options = parser.parse_args()
    # This file's own folder would make its name hide the checkout's package.
    sys.path[0] = str(options.npbench)
    listed = sorted(path.stem for path in (options.npbench / "bench_info").glob("*.json"))
    counts: dict[str, int] = {}
    for name in options.kernels or listed:
        row = run(name, options.npbench, options.preset, options.repeat)
        counts[row["status"]] = counts.get(row["status"], 0) + 1
        if "cost" in row:
            print(
                f"{name:24} {row['status']}   by {row['by']:8} error {row['error']:8.1e}   "
                f"{row['gradient_ms']:10.3f} ms, {row['cost']:6.2f} times the kernel   "
                f"first call {row['first_s']:.2f} s",
                flush=True,
            )
        else:
            print(f"{name:24} {row['status']}   {row['detail']}", flush=True)
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    return int(counts.get("wrong", 0) + counts.get("failed", 0) > 0)


if __name__ == "__main__":
    sys.exit(main())
