"""NumPy source called in JAX (`to_jax`), and JAX in NumPy source (`from_jax`), beside JAX alone.

Each row is a function, a direction and a transformation; the calls take turns in one process. For
`to_jax` arguments and results are JAX's arrays, both functions are in `jax.jit`, and ours has no
run-time checks, as JAX has none; for `from_jax` they are NumPy's, and JAX's results are taken with
`np.asarray`.
"""

from __future__ import annotations

import functools
import json
import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("INGOT_PLATFORM", "cpu")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["INGOT_CACHE_DIR"] = ""

import jax
import jax.numpy as jnp
import numpy as np

import ingot

jax.config.update("jax_enable_x64", True)

ROUNDS = 40
#: The least seconds of a measurement.
LEAST = 0.002


def add(x: Any, y: Any) -> Any:
    return np.sum(x + y)


def add_jax(x: Any, y: Any) -> Any:
    return jnp.sum(x + y)


def network(w: Any, x: Any) -> Any:
    for _ in range(3):
        x = np.tanh(x @ w)
    return np.sum(x**2)


def network_jax(w: Any, x: Any) -> Any:
    for _ in range(3):
        x = jnp.tanh(x @ w)
    return jnp.sum(x**2)


def heat(u: Any, k: Any) -> Any:
    u = u.copy()
    for _ in range(100):
        u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def heat_jax(u: Any, k: Any) -> Any:
    def step(u: Any, _: Any) -> tuple[Any, None]:
        return u.at[1:-1].add(k * (u[2:] - 2 * u[1:-1] + u[:-2])), None

    return jnp.sum(jax.lax.scan(step, u, None, length=100)[0] ** 2)


def solve(a: Any, b: Any) -> Any:
    return np.sum(np.linalg.solve(a, b))


def solve_jax(a: Any, b: Any) -> Any:
    return jnp.sum(jnp.linalg.solve(a, b))


RNG = np.random.default_rng(0)
CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple]] = {
    "x + y, 8 numbers": (add, add_jax, (np.arange(8.0), np.ones(8))),
    "x + y, 1e5 numbers": (add, add_jax, (np.arange(1e5), np.ones(100_000))),
    "network": (network, network_jax, (RNG.random((64, 64)), RNG.random((32, 64)))),
    "stencil": (heat, heat_jax, (RNG.random(1000), np.float64(0.1))),
    "solve": (solve, solve_jax, (RNG.random((32, 32)) + 32 * np.eye(32), RNG.random(32))),
}
LANES = 8


def lanes(args: tuple) -> tuple:
    return tuple(np.stack([arg * (1 + i / LANES) for i in range(LANES)]) for arg in args)


def in_jax(f: Any, g: Any, args: tuple) -> dict[str, tuple[Any, Any, tuple]]:
    ours = ingot.to_jax(ingot.jit(f, checks=False))
    given, stacked = (jax.tree.map(jnp.asarray, each) for each in (args, lanes(args)))
    return {
        "value": (jax.jit(ours), jax.jit(g), given),
        "gradient": (jax.jit(jax.grad(ours)), jax.jit(jax.grad(g)), given),
        "value and gradient": (
            jax.jit(jax.value_and_grad(ours)), jax.jit(jax.value_and_grad(g)), given
        ),
        "vmap": (jax.jit(jax.vmap(ours)), jax.jit(jax.vmap(g)), stacked),
    }  # fmt: skip


def in_ingot(g: Any, args: tuple) -> dict[str, tuple[Any, Any, tuple]]:
    ours = ingot.from_jax(g)

    def plain(f: Any) -> Any:
        compiled = jax.jit(f)
        return lambda *args: jax.tree.map(np.asarray, compiled(*args))

    return {
        "value": (ingot.jit(lambda *args: ours(*args)), plain(g), args),
        "gradient": (ingot.grad(lambda *args: ours(*args)), plain(jax.grad(g)), args),
        "vmap": (ingot.vmap(lambda *args: ours(*args)), plain(jax.vmap(g)), lanes(args)),
    }


def seconds(call: Callable[[], Any]) -> float:
    count, taken = 0, 0.0
    start = time.perf_counter()
    while taken < LEAST:
        jax.block_until_ready(call())
        count += 1
        taken = time.perf_counter() - start
    return taken / count


def row(name: str, direction: str, what: str, ours: Any, theirs: Any, args: tuple) -> dict:
    calls = functools.partial(ours, *args), functools.partial(theirs, *args)
    found, expected = (jax.tree.leaves(call()) for call in calls)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-8)
    # They take turns, and the least counts: calls of a few microseconds are disturbed upwards only.
    rounds = [[seconds(call) for call in calls] for _ in range(ROUNDS)]
    ours_us, theirs_us = (min(column) * 1e6 for column in zip(*rounds, strict=True))
    return {
        "case": f"{direction}, {name}, {what}",
        "ingot_us": round(ours_us, 1),
        "jax_us": round(theirs_us, 1),
        "times": round(ours_us / theirs_us, 2),
    }


def main() -> None:
    for name, (f, g, args) in CASES.items():
        for direction, made in {
            "to_jax": in_jax(f, g, args),
            "from_jax": in_ingot(g, args),
        }.items():
            for what, (ours, theirs, given) in made.items():
                print(json.dumps(row(name, direction, what, ours, theirs, given)), flush=True)


if __name__ == "__main__":
    main()
