"""The cost of strict_fp: run and compile times of a few programs, compared with the default.

Both take turns in one process; `strict_times` is the ratio of the least times of a call,
`compile_times` that of the first call. `python bench/strict_fp.py [PROGRAM ...]`
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("INGOT_PLATFORM", "cpu")
os.environ["INGOT_CACHE_DIR"] = ""

import numpy as np

import ingot

#: The least of so many calls counts, or of those that fit in so many seconds.
CALLS, SECONDS = 300, 8.0


def chain(x: Any, y: Any) -> Any:
    for _ in range(8):
        x = x * y + 0.5 * x - y / 3.0
    return x


def stencil(a: Any) -> Any:
    for _ in range(50):
        a[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
        )
    return a


def bodies(position: Any, velocity: Any, mass: Any) -> Any:
    for _ in range(10):
        d = position[None, :, :] - position[:, None, :]
        r2 = (d * d).sum(2) + 1e-4
        force = d * (mass[None, :] / (r2 * np.sqrt(r2)))[:, :, None]
        velocity = velocity + 0.01 * force.sum(1)
        position = position + 0.01 * velocity
    return position, velocity


def moments(x: Any) -> Any:
    m = x.mean()
    return m, ((x - m) ** 2).mean(), (x * x).sum(), np.abs(x).max()


def layers(x: Any, w: Any, v: Any) -> Any:
    h = np.tanh(x @ w)
    z = h @ v
    z = np.exp(z - z.max(1, keepdims=True))
    return z / z.sum(1, keepdims=True)


def logistic(x: Any, y: Any, w: Any) -> Any:
    def loss(w: Any) -> Any:
        z = x @ w
        return np.mean(np.log1p(np.exp(-np.abs(z))) + np.maximum(z, 0.0) - y * z)

    for _ in range(10):
        w = w - 0.1 * ingot.grad(loss)(w)
    return w


def recurrence(x: Any) -> Any:
    y = np.zeros_like(x)
    for i in range(1, x.shape[0]):
        y[i] = 0.9 * y[i - 1] + 0.1 * x[i] * x[i - 1]
    return y


def programs() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    rng = np.random.default_rng(0)
    return {
        "chain": (chain, (rng.random(1_000_000), rng.random(1_000_000))),
        "chain_small": (chain, (rng.random(100), rng.random(100))),
        "stencil": (stencil, (rng.random((500, 500)),)),
        "bodies": (bodies, (rng.random((200, 3)), rng.random((200, 3)), rng.random(200))),
        "moments": (moments, (rng.random(2_000_000),)),
        "layers": (layers, tuple(rng.random(s) - 0.5 for s in ((256, 128), (128, 256), (256, 10)))),
        "logistic": (
            logistic,
            (rng.random((2000, 20)) - 0.5, (rng.random(2000) < 0.5) * 1.0, np.zeros(20)),
        ),
        "recurrence": (recurrence, (rng.random(100_000),)),
    }


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def least(calls: list[Callable[[], Any]]) -> list[float]:
    """The least seconds of a call of each; they take turns."""
    rows, end = [], time.perf_counter() + SECONDS
    while len(rows) < CALLS and (len(rows) < 3 or time.perf_counter() < end):
        rows.append([seconds(call) for call in calls])
    return [min(column) for column in zip(*rows, strict=True)]


def main() -> None:
    for name, (f, args) in programs().items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        calls = [functools.partial(ingot.jit(f, strict_fp=s), *args) for s in (False, True)]
        plain_compile, strict_compile = map(seconds, calls)
        plain, strict = least(calls)
        row = {
            "benchmark": "strict_fp",
            "program": name,
            "plain_ms": round(plain * 1e3, 4),
            "strict_times": round(strict / plain, 2),
            "compile_times": round(strict_compile / plain_compile, 2),
        }
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
