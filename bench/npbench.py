"""Run NPBench's NumPy sources, unmodified, through Ingot and compare with NumPy.

Bring a checkout of NPBench: `python bench/npbench.py --npbench DIR [KERNEL ...]`. Scalars are
traced. For each kernel: whether every output and every mutated array agrees, within 1e-9 (1e-4 for
single precision) of the largest element, or as closely as NumPy's own do if the arguments move by
their last digit; the time of the compiled call as a ratio of NumPy's (alternated, the median of the
runs), the time of the first call, which compiles, and what the run-time checks cost against
`checks=False`. Exits with 1 if a named kernel does not agree.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import ingot


def load(checkout: Path, name: str, preset: str) -> tuple[Any, list[Any], list[str]]:
    """The kernel, its arguments and their names, from the benchmark's own description."""
    info = json.loads((checkout / "bench_info" / f"{name}.json").read_text())["benchmark"]
    package = "npbench.benchmarks." + info["relative_path"].replace("/", ".")
    module = f"{package}.{info['module_name']}"
    data: dict[str, Any] = dict(info["parameters"][preset])
    if info.get("init"):
        init = info["init"]
        initialize = getattr(importlib.import_module(module), init["func_name"])
        made = initialize(*(data[arg] for arg in init["input_args"]))
        made = made if isinstance(made, tuple) else (made,)
        data.update(zip(init["output_args"], made, strict=True))
    kernel = getattr(importlib.import_module(module + "_numpy"), info["func_name"])
    return kernel, [data[arg] for arg in info["input_args"]], info["input_args"]


def agree(expected: Any, actual: Any, tolerance: float) -> bool:
    if isinstance(expected, (tuple, list)):
        same_length = len(expected) == len(actual)
        return same_length and all(
            agree(e, a, tolerance) for e, a in zip(expected, actual, strict=True)
        )
    if expected is None:
        return actual is None
    e, a = np.asarray(expected), np.asarray(actual)
    if e.dtype != a.dtype or e.shape != a.shape:
        return False
    if e.dtype.kind in "biu":
        return bool(np.array_equal(e, a))
    scale = np.max(np.abs(e), initial=0.0)
    return bool(np.allclose(e, a, rtol=tolerance, atol=tolerance * scale, equal_nan=True))


def spread(kernel: Any, args: list[Any], expected: Any) -> float:
    """How far NumPy's own results move, relative to their largest element, if the floats of the
    arguments move by their last digit."""
    moved = [
        np.nextafter(a, np.inf) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a
        for a in args
    ]
    _, result, changed = timed(kernel, moved)
    return max(_distance(e, r) for e, r in zip(expected, [result, *changed], strict=True))


def _distance(expected: Any, actual: Any) -> float:
    if isinstance(expected, (tuple, list)):
        return max(map(_distance, expected, actual), default=0.0)
    if expected is None or np.asarray(expected).dtype.kind not in "fc":
        return 0.0
    scale = np.max(np.abs(expected), initial=0.0)
    return float(np.max(np.abs(expected - actual), initial=0.0) / scale) if scale else 0.0


def timed(function: Any, args: list[Any]) -> tuple[float, Any, list[Any]]:
    args = copy.deepcopy(args)
    start = time.perf_counter()
    result = function(*args)
    return time.perf_counter() - start, result, args


def differing(
    names: list[str],
    expected: Any,
    expected_args: list[Any],
    actual: Any,
    actual_args: list[Any],
    tolerance: float,
) -> list[str]:
    """The names of the results that do not agree."""
    found = [] if agree(expected, actual, tolerance) else ["the result"]
    return found + [
        n for n, e, a in zip(names, expected_args, actual_args, strict=True)
        if isinstance(e, np.ndarray) and not agree(e, a, tolerance)
    ]  # fmt: skip


def run(name: str, checkout: Path, preset: str, repeat: int) -> dict[str, Any]:
    kernel, args, names = load(checkout, name, preset)
    compiled = ingot.jit(kernel)
    _, expected, expected_args = timed(kernel, args)
    try:
        first, actual, actual_args = timed(compiled, args)
    except ingot.IngotError as error:
        return {"kernel": name, "status": "refused", "detail": str(error).splitlines()[0]}
    except Exception as error:
        return {"kernel": name, "status": "failed", "detail": f"{type(error).__name__}: {error}"}
    floats = [a for a in args if isinstance(a, np.ndarray) and a.dtype.kind in "fc"]
    is_single = any(a.dtype in (np.float32, np.complex64) for a in floats)
    tolerance = 1e-4 if is_single else 1e-9
    wrong = differing(names, expected, expected_args, actual, actual_args, tolerance)
    if wrong:
        tolerance = max(tolerance, spread(kernel, args, [expected, *expected_args]))
        wrong = differing(names, expected, expected_args, actual, actual_args, tolerance)
    if wrong:
        return {"kernel": name, "status": "wrong", "detail": ", ".join(wrong)}
    unchecked = ingot.jit(kernel, checks=False)
    timed(unchecked, args)
    ways = (kernel, compiled, unchecked)
    times = [[timed(way, args)[0] for way in ways] for _ in range(repeat)]
    plain, ours, without = (statistics.median(column) for column in zip(*times, strict=True))
    if compiled.lower(*args).checks:
        # Alone and in both orders: NumPy's run before cools the caches.
        pairs = [[timed(way, args)[0] for way in ways[1:]] for _ in range(repeat)]
        pairs += [[timed(way, args)[0] for way in ways[:0:-1]][::-1] for _ in range(repeat)]
        checked, without = (statistics.median(column) for column in zip(*pairs, strict=True))
    else:
        checked = without
    return {
        "checks_cost": checked / without - 1,
        "kernel": name,
        "status": "agrees",
        "first_s": first,
        "numpy_ms": plain * 1e3,
        "ingot_ms": ours * 1e3,
        "speedup": plain / ours,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npbench", type=Path, required=True, help="a checkout of NPBench")
    parser.add_argument("--preset", default="S")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("kernels", nargs="*", help="all, if none is named")
    options = parser.parse_args()
    # This file's own folder would make its name hide the checkout's package.
    sys.path[0] = str(options.npbench)
    listed = sorted(path.stem for path in (options.npbench / "bench_info").glob("*.json"))
    bad = total = 0
    ratios: list[float] = []
    for name in options.kernels or listed:
        row = run(name, options.npbench, options.preset, options.repeat)
        bad += row["status"] != "agrees"
        total += 1
        ratios += [1 + row["checks_cost"]] if "checks_cost" in row else []
        if options.json:
            print(json.dumps(row), flush=True)
        elif row["status"] == "agrees":
            print(
                f"{name:20} agrees   numpy {row['numpy_ms']:10.3f} ms   "
                f"ingot {row['ingot_ms']:10.3f} ms   {row['speedup']:8.2f}x   "
                f"checks {row['checks_cost']:+6.1%}   "
                f"first call {row['first_s']:.2f} s",
                flush=True,
            )
        else:
            print(f"{name:20} {row['status']}  {row['detail']}", flush=True)
    if not options.json:
        print(f"{total - bad} of {total} agree")
        if ratios:
            print(f"checks cost {statistics.geometric_mean(ratios) - 1:+.1%} (geometric mean)")
    return int(bool(options.kernels) and bad > 0)


if __name__ == "__main__":
    sys.exit(main())
