"""Functions of NumPy and their equals in JAX, for tests of `to_jax` and `from_jax`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import ingot

RNG = np.random.default_rng(3)


@dataclass(frozen=True)
class Pair:
    """A function in both languages, and arguments.

    Attributes:
        name: what it shows.
        ours: NumPy source.
        theirs: the same for JAX.
        args: the arguments; the ones with floats are differentiated and batched.
        has_reverse: whether JAX has its reverse mode.
    """

    name: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    args: tuple
    has_reverse: bool = True

    @property
    def argnums(self) -> tuple[int, ...]:
        """The arguments whose leaves are floats."""
        return tuple(
            i
            for i, arg in enumerate(self.args)
            if all(np.asarray(x).dtype.kind == "f" for x in jax.tree.leaves(arg))
        )

    @property
    def axes(self) -> tuple[int | None, ...]:
        return tuple(0 if i in self.argnums else None for i in range(len(self.args)))

    def lanes(self) -> tuple:
        """The arguments of three lanes, along the first axis of those with floats."""

        def stacked(leaf: Any) -> np.ndarray:
            array = np.asarray(leaf)
            return np.stack([array, array * 1.25, array * 0.5])

        return tuple(
            arg if axis is None else jax.tree.map(stacked, arg)
            for arg, axis in zip(self.args, self.axes, strict=True)
        )


def our_loss(out: Any) -> Any:
    """A number that depends on each element of a result, in NumPy."""
    total = 0.0
    for leaf in ingot.tree.leaves(out):
        total += np.sum(np.cos(leaf * 1.0))
    return total


def their_loss(out: Any) -> Any:
    return sum(jnp.sum(jnp.cos(leaf * 1.0)) for leaf in jax.tree.leaves(out))


def array(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


def positive(n: int) -> np.ndarray:
    half = array(n, n)
    return half @ half.T + n * np.eye(n)


X, Y, A = array(6), array(6), array(4, 3)
IDS = np.array([2, 0, 2, 5, 1, 1])
PARAMS = {"w": array(3, 5), "b": array(5), "out": (array(5, 2), [array(2)])}


def recurrence(x):
    y = 0.0
    for i in range(len(x)):
        y = np.sin(y) + x[i] * y
    return y + x


def recurrence_jax(x):
    return jax.lax.fori_loop(0, len(x), lambda i, y: jnp.sin(y) + x[i] * y, 0.0) + x


def newton(a):
    x = a
    while np.abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def newton_jax(a):
    def goes_on(x):
        return jnp.abs(x * x - a) > 1e-12 * a

    return jax.lax.while_loop(goes_on, lambda x: 0.5 * (x + a / x), a)


def masked_store(x):
    y = x.copy()
    y[y < 0] = 0.0
    y[x > 1] *= 2.0
    return y


def masked_store_jax(x):
    y = jnp.where(x < 0, 0.0, x)
    return jnp.where(x > 1, 2 * y, y)


def histogram(x, ids):
    out = np.zeros(7)
    np.add.at(out, ids, x)
    return out


def branch(x, y):
    if np.sum(x) > np.sum(y):
        return np.sin(x) * y
    return x - y**2


def branch_jax(x, y):
    def yes(x, y):
        return jnp.sin(x) * y

    return jax.lax.cond(jnp.sum(x) > jnp.sum(y), yes, lambda x, y: x - y**2, x, y)


def network(params, x):
    hidden = np.tanh(x @ params["w"] + params["b"])
    weights, (bias,) = params["out"]
    return {"logits": hidden @ weights + bias, "norm": [np.sqrt(np.sum(hidden**2))]}


def network_jax(params, x):
    hidden = jnp.tanh(x @ params["w"] + params["b"])
    weights, (bias,) = params["out"]
    return {"logits": hidden @ weights + bias, "norm": [jnp.sqrt(jnp.sum(hidden**2))]}


def heat(u):
    u = u.copy()
    for _ in range(20):
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def heat_jax(u):
    def step(u, _):
        return u.at[1:-1].add(0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])), None

    return jax.lax.scan(step, u, None, length=20)[0]


def powers(x, n):
    total = np.zeros_like(x)
    for i in range(5):
        if i < n:
            total += x**i
    return total, n * 2


def powers_jax(x, n):
    return sum(jnp.where(i < n, x**i, 0.0) for i in range(5)), n * 2


def counted(x):
    return np.argmax(x), np.max(x), np.sum(x > 0)


def triangle(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(i + 1):
            if j < a.shape[1]:
                total += a[i, j] ** 2 * (i + 1)
    return total


def triangle_jax(a):
    rows = jnp.arange(1, a.shape[0] + 1)
    return jnp.sum(jnp.tril(a) ** 2 * rows[:, None])


def swapped(pair, scale):
    (a, b), rest = pair
    return {"b": (b * scale, a), "rest": [x + 1 for x in rest]}


PAIRS = [
    Pair("elementwise", lambda x: np.tanh(x) * np.exp(-(x**2)),
         lambda x: jnp.tanh(x) * jnp.exp(-(x**2)), (X,)),
    Pair("broadcasting", lambda a, x: a / (1 + x[:, None] ** 2),
         lambda a, x: a / (1 + x[:, None] ** 2), (A, X[:4])),
    Pair("for", recurrence, recurrence_jax, (X,)),
    Pair("while", newton, newton_jax, (np.float64(3.0),), has_reverse=False),
    Pair("where", lambda x: np.where(x > 0, np.log1p(np.abs(x)), 0.1 * x),
         lambda x: jnp.where(x > 0, jnp.log1p(jnp.abs(x)), 0.1 * x), (X,)),
    Pair("masked store", masked_store, masked_store_jax, (2 * X,)),
    Pair("scatter", histogram, lambda x, ids: jnp.zeros(7).at[ids].add(x), (X, IDS)),
    Pair("gather", lambda x, ids: x[ids] * x, lambda x, ids: x[ids] * x, (X, IDS)),
    Pair("if", branch, branch_jax, (X, Y)),
    Pair("tree", network, network_jax, (PARAMS, array(4, 3))),
    Pair("tuples and lists", swapped, swapped, (((X, Y), [array(2), array(3)]), np.float64(2.0))),
    Pair("stencil", heat, heat_jax, (X,)),
    Pair("integer", powers, powers_jax, (X, np.int64(3))),
    Pair("integer results", counted, lambda x: (jnp.argmax(x), jnp.max(x), jnp.sum(x > 0)), (X,)),
    Pair("nested loops", triangle, triangle_jax, (A,)),
    Pair("solve", lambda a, b: np.linalg.solve(a, b), lambda a, b: jnp.linalg.solve(a, b),
         (positive(3), array(3))),
    Pair("determinant", lambda a: np.linalg.det(a), lambda a: jnp.linalg.det(a), (positive(3),)),
    Pair("inverse", lambda a: np.linalg.inv(a), lambda a: jnp.linalg.inv(a), (positive(3),)),
    Pair("cholesky", lambda a: np.linalg.cholesky((a + a.T) / 2),
         lambda a: jnp.linalg.cholesky((a + a.T) / 2), (positive(3),)),
    Pair("eigenvalues", lambda a: np.linalg.eigvalsh((a + a.T) / 2),
         lambda a: jnp.linalg.eigvalsh((a + a.T) / 2), (positive(3),)),
    Pair("singular values", lambda a: np.linalg.svd(a, compute_uv=False),
         lambda a: jnp.linalg.svd(a, compute_uv=False), (A,)),
    Pair("moments", lambda a: (np.mean(a, axis=0), np.var(a, axis=1), np.std(a)),
         lambda a: (jnp.mean(a, axis=0), jnp.var(a, axis=1), jnp.std(a)), (A,)),
    Pair("softmax", lambda a: np.exp(a) / np.sum(np.exp(a), axis=1, keepdims=True),
         lambda a: jax.nn.softmax(a, axis=1), (A,)),
    Pair("running sums", lambda x: np.cumsum(np.cumprod(x)),
         lambda x: jnp.cumsum(jnp.cumprod(x)), (X,)),
    Pair("sort", lambda x: np.sort(x)[1:] - np.sort(x)[:-1],
         lambda x: jnp.sort(x)[1:] - jnp.sort(x)[:-1], (X,)),
    Pair("convolution", lambda x, y: np.convolve(x, y[:3]), lambda x, y: jnp.convolve(x, y[:3]),
         (X, Y)),
    Pair("einsum", lambda a, b: np.einsum("ij,kj->ik", a, b),
         lambda a, b: jnp.einsum("ij,kj->ik", a, b), (A, array(2, 3))),
    Pair("fourier", lambda x: np.abs(np.fft.fft(x)) ** 2,
         lambda x: jnp.abs(jnp.fft.fft(x)) ** 2, (X,)),
    Pair("clip and norm", lambda x: np.clip(x, -0.5, 0.5) / np.linalg.norm(x),
         lambda x: jnp.clip(x, -0.5, 0.5) / jnp.linalg.norm(x), (X,)),
    Pair("shapes", lambda a: np.concatenate([a.T.reshape(2, -1), np.ones((2, 1))], axis=1)[::-1],
         lambda a: jnp.concatenate([a.T.reshape(2, -1), jnp.ones((2, 1))], axis=1)[::-1], (A,)),
]  # fmt: skip


def check(given: Any, expected: Any, rtol: float = 1e-9) -> None:
    """Compare two trees: structures, shapes, dtypes and values."""
    ours, theirs = jax.tree.flatten(given), jax.tree.flatten(expected)
    assert ours[1] == theirs[1]
    for a, b in zip(ours[0], theirs[0], strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-11)
