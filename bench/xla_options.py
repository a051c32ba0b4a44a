"""The effect of XLA's CPU options on compile and run time, compared with the defaults.

Each program is compiled once for each option and round, in turns, and then all ways of a program
are called in turns. One JSON line for each option: the geometric means of its times over the
defaults', and the programs where they are best and worst. Options are named as in XLA_FLAGS.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("INGOT_PLATFORM", "cpu")
os.environ["INGOT_CACHE_DIR"] = ""

import numpy as np

import ingot
from ingot_runtime import clients, pjrt, stablehlo

#: An option of XLA's and its value.
Option = tuple[str, Any]

OPTIONS: list[Option] = [
    ("xla_cpu_experimental_ynn_fusion_type", ""),
    ("xla_cpu_prefer_vector_width", 512),
    ("xla_cpu_parallel_codegen_split_count", 1),
    ("xla_cpu_parallel_codegen_split_count", 4),
    ("xla_cpu_enable_concurrency_optimized_scheduler", False),
    ("xla_cpu_copy_insertion_use_region_analysis", False),
    ("xla_cpu_emitter_verification_level", 0),
    ("xla_llvm_disable_expensive_passes", True),
    ("xla_backend_optimization_level", 1),
    ("xla_backend_optimization_level", 2),
]
COMPILATIONS, CALLS = 3, 15
RNG = np.random.default_rng(0)


def chain(x):
    y = x
    for _ in range(6):
        y = np.sin(y) * x + np.exp(-y)
    return y


def stencil(a):
    b = a.copy()
    for _ in range(20):
        b[1:-1, 1:-1] = 0.25 * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
        a[1:-1, 1:-1] = 0.25 * (b[1:-1, :-2] + b[1:-1, 2:] + b[:-2, 1:-1] + b[2:, 1:-1])


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layers(x, w, v):
    return softmax(np.maximum(np.maximum(x @ w, 0) @ w, 0) @ v)


def loss(x, w, v):
    return -np.log(layers(x, w, v)[:, 0]).sum()


def orbit(x, n):
    c = 0
    while c < n and x * x < 4.0:
        x = x * x - 0.7
        c += 1
    return c, x


def escapes(c):
    z, n = np.zeros_like(c), np.zeros(c.shape, np.int64)
    for i in range(30):
        inside = np.abs(z) < 2.0
        n[inside] = i
        z[inside] = z[inside] ** 2 + c[inside]
    return n


def filtered(x, a, b):
    y = np.zeros_like(x)
    for i in range(2, len(x)):
        y[i] = a * x[i] + b * y[i - 1] - 0.1 * y[i - 2]
    return y


LINE = RNG.standard_normal(500_000)
PLANE = RNG.standard_normal((600, 600))
GRID = RNG.standard_normal((300, 300)) + 1j * RNG.standard_normal((300, 300))
WEIGHTS = RNG.standard_normal((600, 600)) / 25, RNG.standard_normal((600, 10)) / 25
PROGRAMS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "chain": (chain, (LINE,)),
    "stencil": (stencil, (PLANE,)),
    "softmax": (softmax, (PLANE,)),
    "layers": (layers, (PLANE, *WEIGHTS)),
    "gradient": (ingot.grad(loss, (1, 2)), (PLANE, *WEIGHTS)),
    "orbit": (orbit, (0.1, 20_000)),
    "escapes": (escapes, (GRID,)),
    "filter": (filtered, (LINE[:20_000], 0.3, 0.6)),
}


def compiled(module: str, options: list[Option]) -> tuple[float, Any]:
    """The seconds of a compilation, and what it gives."""
    xla, device = pjrt.jaxlib(), clients.default_device()
    settings = xla.CompileOptions()
    settings.env_option_overrides = options
    start = time.perf_counter()
    loaded = device.client.compile_and_load(
        stablehlo.parse(module), xla.DeviceList((device,)), settings, []
    )
    return time.perf_counter() - start, pjrt.Executable(loaded, device)


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def calling(executable: Any, inputs: list[Any]) -> Callable[[], Any]:
    return lambda: [np.asarray(each) for each in executable.run(inputs)]


def times(function: Any, args: tuple[Any, ...], options: list[Option]) -> list[tuple[float, float]]:
    """The seconds to compile and to call a program, by default and for each option."""
    lowered = (function if hasattr(function, "lower") else ingot.jit(function)).lower(*args)
    # NumPy's loops for products are known to XLA from the first compilation on.
    lowered.compile()
    module = lowered.stablehlo()
    ways: list[list[Option]] = [[], *([each] for each in options)]
    rounds = [[compiled(module, way) for way in ways] for _ in range(COMPILATIONS)]
    compiling = [min(seconds for seconds, _ in way) for way in zip(*rounds, strict=True)]
    calls = [calling(executable, list(args)) for _, executable in rounds[-1]]
    for call in calls:
        call()
    running = zip(*([seconds(call) for call in calls] for _ in range(CALLS)), strict=True)
    return list(zip(compiling, map(statistics.median, running), strict=True))


def mean(ratios: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def report() -> None:
    """Print the line of each option."""
    rows = {name: times(*program, OPTIONS) for name, program in PROGRAMS.items()}
    for number, (option, value) in enumerate(OPTIONS, 1):
        ratios = {
            name: (row[number][0] / row[0][0], row[number][1] / row[0][1])
            for name, row in rows.items()
        }
        order = sorted(ratios, key=lambda name: ratios[name][1])
        line = {
            "option": f"{option}={value}",
            "compile": round(mean([each for each, _ in ratios.values()]), 2),
            "run": round(mean([each for _, each in ratios.values()]), 2),
            "best": {order[0]: round(ratios[order[0]][1], 2)},
            "worst": {order[-1]: round(ratios[order[-1]][1], 2)},
        }
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    report()
