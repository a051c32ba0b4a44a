"""The time from Python to StableHLO text, compared with `jax.jit(g).lower(...)` and its text.

Four programs, the same source for both: a chain of 200 elementwise statements, the gradient of a
network of 8 layers, 20 steps of a stencil that is stored in place (JAX's has `.at[...].set`), and
a transformer of 4 blocks. The two take turns in one run, each time with new functions; the claim
is the ratio of the medians.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("INGOT_PLATFORM", "cpu")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["INGOT_CACHE_DIR"] = ""

import jax
import numpy as np

import ingot

ROUNDS, UNCOUNTED = 15, 2
RNG = np.random.default_rng(0)


def chain(statements: int = 200) -> str:
    """A function whose every statement uses the previous values."""
    calls = ("sin", "cos", "tanh", "exp", "sqrt")
    lines = ["def f(x, y):"]
    for i in range(statements):
        call = calls[i % len(calls)]
        lines.append(
            f"    x, y = y, np.{call}(x * y + {i}.5)" if i % 2 else f"    x = x - y * {i}.25"
        )
    return "\n".join([*lines, "    return x + y", ""])


NETWORK = """
def f(weights, x, y):
    for w, b in weights:
        x = np.tanh(x @ w + b)
    return np.mean((x - y) ** 2)
"""

STENCIL = """
def f(a, b):
    for _ in range(20):
        b[1:-1, 1:-1] = 0.25 * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
        a[1:-1, 1:-1] = 0.25 * (b[1:-1, :-2] + b[1:-1, 2:] + b[:-2, 1:-1] + b[2:, 1:-1])
    return a
"""
#: JAX's arrays can't be stored to; its loop is unrolled by its user, too.
STENCIL_OF_JAX = (
    STENCIL.replace("b[1:-1, 1:-1] =", "b = b.at[1:-1, 1:-1].set(")
    .replace("a[1:-1, 1:-1] =", "a = a.at[1:-1, 1:-1].set(")
    .replace(" + a[2:, 1:-1])", " + a[2:, 1:-1]))")
    .replace(" + b[2:, 1:-1])", " + b[2:, 1:-1]))")
)

TRANSFORMER = """
def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def normalized(x, scale, shift):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * scale + shift


def attention(x, p, heads):
    n, width = x.shape
    q, k, v = [
        (x @ p[name]).reshape(n, heads, width // heads).transpose(1, 0, 2) for name in "qkv"
    ]
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(width // heads)
    mask = np.tril(np.ones((n, n), dtype=bool))
    mixed = softmax(np.where(mask, scores, -1e9)) @ v
    return mixed.transpose(1, 0, 2).reshape(n, width) @ p["o"]


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def f(blocks, x):
    for p in blocks:
        x = x + attention(normalized(x, p["g1"], p["b1"]), p, 4)
        x = x + gelu(normalized(x, p["g2"], p["b2"]) @ p["up"]) @ p["down"]
    return x
"""


def numbers(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


def block(width: int) -> dict[str, np.ndarray]:
    made = {name: numbers(width, width) for name in "qkvo"}
    made |= {"up": numbers(width, 4 * width), "down": numbers(4 * width, width)}
    return made | {name: numbers(width) for name in ("g1", "b1", "g2", "b2")}


#: The source for NumPy, the source for JAX, the arguments, and whether the gradient is lowered.
PROGRAMS: dict[str, tuple[str, str, tuple[Any, ...], bool]] = {
    "chain": (chain(), chain(), (numbers(8), numbers(8)), False),
    "gradient": (
        NETWORK, NETWORK,
        ([(numbers(16, 16), numbers(16)) for _ in range(8)], numbers(4, 16), numbers(4, 16)), True,
    ),
    "stencil": (STENCIL, STENCIL_OF_JAX, (numbers(32, 32), numbers(32, 32)), False),
    "transformer": (
        TRANSFORMER, TRANSFORMER, ([block(32) for _ in range(4)], numbers(8, 32)), False,
    ),
}  # fmt: skip


def load(folder: Path, name: str, text: str) -> Any:
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def seconds(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def milliseconds(folder: Path, name: str) -> tuple[float, float]:
    """What a program takes by Ingot and by JAX."""
    text, text_of_jax, args, is_gradient = PROGRAMS[name]
    rows = []
    for i in range(ROUNDS):
        # New functions each time: neither side may reuse anything.
        ours = load(folder, f"{name}_{i}", "import numpy as np\n" + text)
        theirs = load(folder, f"{name}_jax_{i}", "import jax.numpy as np\n" + text_of_jax)
        mine = ingot.grad(ours) if is_gradient else ingot.jit(ours)
        jaxs = jax.jit(jax.grad(theirs) if is_gradient else theirs)
        rows.append(
            (
                seconds(lambda mine=mine: mine.lower(*args).stablehlo()),
                seconds(lambda jaxs=jaxs: jaxs.lower(*args).as_text()),
            )
        )
    mine, theirs = (statistics.median(times) * 1e3 for times in zip(*rows[UNCOUNTED:], strict=True))
    return mine, theirs


def main() -> None:
    jax.config.update("jax_enable_x64", True)
    row: dict[str, Any] = {"benchmark": "lowering_time"}
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            mine, theirs = milliseconds(Path(folder), name)
            ratios.append(mine / theirs)
            times = {"ingot_ms": round(mine, 2), "jax_ms": round(theirs, 2)}
            row[name] = {**times, "ratio": round(ratios[-1], 3)}
    row["ratio"] = round(math.exp(statistics.fmean(map(math.log, ratios))), 3)
    print(json.dumps(row))


if __name__ == "__main__":
    main()
