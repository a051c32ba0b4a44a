"""The kernels of an NPBench checkout, their arguments, and the comparison of their results."""

from __future__ import annotations

import copy
import dataclasses
import functools
import importlib
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

#: Rounds go on for so many seconds at least, since five rounds of short calls say little on a
#: machine with other work, and for so many at most, if three were made.
LEAST, MOST = 2.0, 8.0


@dataclasses.dataclass(eq=False)
class Kernel:
    """A program of NPBench's, and a list of arguments made for it.

    `outputs` are the indices of the arguments in which it stores results; `module` is the name
    of the ports' modules without their suffix, `file` the path that belongs to it.
    """

    name: str
    function: Callable[..., Any]
    args: list[Any]
    names: list[str]
    outputs: list[int]
    module: str
    file: Path
    entry: str
    norm_error: float

    def port(self, suffix: str) -> Callable[..., Any]:
        """The function of another module, such as `_jax`; ImportError where there is none."""
        return getattr(importlib.import_module(self.module + suffix), self.entry)


def listed(checkout: Path) -> list[str]:
    return sorted(path.stem for path in (checkout / "bench_info").glob("*.json"))


def load(checkout: Path, name: str, preset: str) -> Kernel:
    """The kernel as the benchmark's own description says; the checkout must be importable."""
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
    names = info["input_args"]
    return Kernel(
        name=name,
        function=getattr(importlib.import_module(module + "_numpy"), info["func_name"]),
        args=[data[arg] for arg in names],
        names=names,
        outputs=[names.index(n) for n in info.get("output_args", []) if n in names],
        module=module,
        file=checkout.joinpath(*module.split(".")),
        entry=info["func_name"],
        norm_error=float(info.get("norm_error", 1e-5)),
    )


def timed(function: Callable[..., Any], args: list[Any]) -> tuple[float, Any, list[Any]]:
    """The seconds of a call on copies of the arguments, its result, and the copies after it."""
    args = copy.deepcopy(args)
    start = time.perf_counter()
    result = function(*args)
    return time.perf_counter() - start, result, args


@functools.cache
def stored(kernel: Kernel) -> list[int]:
    """The indices of arguments with results: those of the description, or those that a run changes
    if it changes others only."""
    _, _, after = timed(kernel.function, kernel.args)
    arrays = [i for i, arg in enumerate(kernel.args) if isinstance(arg, np.ndarray)]
    changed = [i for i in arrays if not agree(kernel.args[i], after[i], 0.0)]
    return kernel.outputs if not changed or set(changed) & set(kernel.outputs) else changed


def medians(ways: list[Callable[..., Any]], args: list[Any], repeat: int) -> list[float]:
    """The seconds of a call of each in at least `repeat` rounds, if time allows.

    The ways alternate, every second round in reverse order.
    """
    rows: list[list[float]] = []
    start = time.perf_counter()
    while len(rows) < 3 or time.perf_counter() < start + (LEAST if len(rows) >= repeat else MOST):
        step = -1 if len(rows) % 2 else 1
        rows.append([timed(way, args)[0] for way in ways[::step]][::step])
    return [statistics.median(column) for column in zip(*rows, strict=True)]


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


def spread(kernel: Kernel, expected: Any) -> float:
    """How far NumPy's own results move, relative to their largest element, if the floats of the
    arguments move by their last digit."""
    moved = [
        np.nextafter(a, np.inf) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a
        for a in kernel.args
    ]
    _, result, changed = timed(kernel.function, moved)
    return max(_distance(e, r) for e, r in zip(expected, [result, *changed], strict=True))


def _distance(expected: Any, actual: Any) -> float:
    if isinstance(expected, (tuple, list)):
        return max(map(_distance, expected, actual), default=0.0)
    if expected is None or np.asarray(expected).dtype.kind not in "fc":
        return 0.0
    scale = np.max(np.abs(expected), initial=0.0)
    return float(np.max(np.abs(expected - actual), initial=0.0) / scale) if scale else 0.0


def leaves(values: Any) -> list[np.ndarray]:
    """The arrays and numbers in nested tuples and lists."""
    if values is None:
        return []
    if isinstance(values, (tuple, list)):
        return [leaf for value in values for leaf in leaves(value)]
    return [np.asarray(values)]


def validated(kernel: Kernel, expected: list[Any], actual: list[Any]) -> bool:
    """Whether a port gives what NumPy gives, by NPBench's own measure.

    Both lists are a result and the arguments after the call. Each of NumPy's results must be among
    the port's, since a port that does not store in its arguments returns them. dtypes may differ.
    """
    result, *changed = expected
    needed = leaves(result) + [changed[i] for i in stored(kernel)]
    found = leaves(actual)
    return all(any(is_near(e, a, kernel.norm_error) for a in found) for e in needed)


def is_near(expected: Any, actual: np.ndarray, most: float) -> bool:
    """Whether two arrays agree by NPBench's own measure."""
    e, a = np.asarray(expected), actual
    if e.dtype.kind not in "biufc" or a.dtype.kind not in "biufc" or e.shape != a.shape:
        return False
    is_nan = np.isnan(e)
    if not np.array_equal(is_nan, np.isnan(a)):
        return False
    with np.errstate(all="ignore"):
        e, a = np.where(is_nan, 0, e), np.where(is_nan, 0, a)
        gap = np.where(e == a, 0, e - a).ravel()
        return bool(np.linalg.norm(gap) <= most * np.linalg.norm(e.ravel()))
