"""`ingot.vmap` of NumPy code, compared in one run with `jax.vmap` of hand-written JAX ports.

Values must agree. Times are medians of alternated runs; each JSON line has both and their ratio.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)

from gradients import medians  # noqa: E402

import ingot  # noqa: E402


def loss(w, v, x, y):
    return np.sum((np.tanh(x @ w) @ v - y) ** 2)


def loss_jax(w, v, x, y):
    return jnp.sum((jnp.tanh(x @ w) @ v - y) ** 2)


def log_likelihood(means, log_scales, weights, x):
    """The log likelihood of points under a mixture of diagonal Gaussians."""
    z = (x[:, None, :] - means) * np.exp(-log_scales)
    logs = -0.5 * np.sum(z * z, axis=2) - np.sum(log_scales, axis=1) + weights
    top = np.max(logs, axis=1, keepdims=True)
    each = np.log(np.sum(np.exp(logs - top), axis=1)) + top[:, 0]
    return np.sum(each) - x.shape[0] * np.log(np.sum(np.exp(weights)))


def log_likelihood_jax(means, log_scales, weights, x):
    z = (x[:, None, :] - means) * jnp.exp(-log_scales)
    logs = -0.5 * jnp.sum(z * z, axis=2) - jnp.sum(log_scales, axis=1) + weights
    top = jnp.max(logs, axis=1, keepdims=True)
    each = jnp.log(jnp.sum(jnp.exp(logs - top), axis=1)) + top[:, 0]
    return jnp.sum(each) - x.shape[0] * jnp.log(jnp.sum(jnp.exp(weights)))


def escape(c):
    """The escape time of a point of the complex plane, at most 200 steps."""
    z = 0j
    n = 0
    while n < 200 and z.real * z.real + z.imag * z.imag < 4:
        z = z * z + c
        n += 1
    return n


def escape_jax(c):
    def goes_on(state):
        z, n = state
        return (n < 200) & (z.real * z.real + z.imag * z.imag < 4)

    def step(state):
        z, n = state
        return z * z + c, n + 1

    return lax.while_loop(goes_on, step, (jnp.zeros((), complex), 0))[1]


def ways() -> dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple]]:
    """For each comparison: our function, JAX's function, and the arguments."""
    rng = np.random.default_rng(0)
    w, v = rng.normal(size=(64, 64)) / 8, rng.normal(size=(64, 10)) / 8
    x, y = rng.normal(size=(256, 64)), rng.normal(size=(256, 10))
    means, scales = rng.normal(size=(4, 6)), 0.1 * rng.normal(size=(4, 6))
    points, weights = rng.normal(size=(1000, 6)), rng.normal(size=4)
    plane = (np.linspace(-2, 0.6, 200) + 1j * np.linspace(-1.2, 1.2, 200)[:, None]).ravel()
    axes = (None, None, 0, 0)
    return {
        "per-example gradients of an MLP": (
            ingot.vmap(ingot.grad(loss, (0, 1)), axes),
            jax.jit(jax.vmap(jax.grad(loss_jax, (0, 1)), axes)),
            (w, v, x, y),
        ),
        "Hessian of a GMM log-likelihood": (
            ingot.hessian(log_likelihood),
            jax.jit(jax.hessian(log_likelihood_jax)),
            (means, scales, weights, points),
        ),
        "while loop of a batch": (ingot.vmap(escape), jax.jit(jax.vmap(escape_jax)), (plane,)),
    }


def compare(name: str, ours: Any, theirs: Any, args: tuple) -> dict[str, Any]:
    for mine, other in zip(jax.tree.leaves(ours(*args)), jax.tree.leaves(theirs(*args)),
                           strict=True):  # fmt: skip
        np.testing.assert_allclose(mine, other, rtol=1e-8, atol=1e-9)
    mine, other = medians((ours, theirs), args)
    return {
        "benchmark": "batching",
        "case": name,
        "ingot_ms": round(mine, 4),
        "jax_ms": round(other, 4),
        "times_faster": round(other / mine, 3),
    }


def main() -> None:
    for name, way in ways().items():
        print(json.dumps(compare(name, *way)), flush=True)


if __name__ == "__main__":
    main()
