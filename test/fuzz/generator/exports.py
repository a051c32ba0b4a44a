"""Artifacts of all that programs consist of: the good ones that hostile ones are made of."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import ingot

W = np.arange(12.0).reshape(4, 3)


def dense(x):
    return np.tanh(x @ W), x.sum(axis=0)


def stepped(x, state, n):
    """Containers, a store, checks, numbers, a message of run-time values."""
    x[0] += state["w"][n]
    if n > 5:
        raise ValueError(f"n is {n}, of {x.sum():>10.3f}")
    return {"x": x, "pair": (state["w"] * 2, n + 1), "kind": "both", "none": None}


def printed(x, k):
    print(f"{x!r} has a sum of {x.sum():.2f}")
    for i in range(k):
        print(i, x[i])
    return x + k


def matrices(a, b):
    q, r = np.linalg.qr(a)
    values, vectors = np.linalg.eigh(a @ a.T)
    u, s, vh = np.linalg.svd(a)
    return q @ r, values, u * s @ vh, np.linalg.solve(a, b), np.linalg.det(a), np.linalg.inv(a)


def eigen(a):
    return np.linalg.eigvals(a), np.linalg.cholesky(a @ a.T)


def selected(x, w):
    return x[x > 1], np.outer(w, x)[:, x > 1].T, np.unique(w)


def ordered(x, i):
    return np.sort(x, axis=0), np.argsort(x, axis=1), np.cumsum(x), x[i], np.searchsorted(x[0], 0.5)


def looped(x, n):
    a = np.zeros(8)
    i = 0
    while i < n and a.sum() < 100:
        a[i % 8] += x[i % 3]
        i += 1
    return a, i


def spectra(x):
    return np.fft.fft(x), np.fft.irfft(x), np.convolve(x, x), np.pad(x, 2)


def trailing(x, y):
    return np.concatenate([x, 2 * y]), len(x), x.sum(), 1 + 2j, x[::-1], np.where(x > 0, x, 0.0)


def integers(x):
    return x << 2, x // 3, x % 5, (x > 1).any(), x.astype(np.uint8)


def loss(x, y):
    return ((x @ W - y) ** 2).mean()


def strict(x):
    return x * x + x, np.exp(x)


def laid(x):
    y = x * 2
    return y.T, (x + 1)[::-1, 1:3], np.broadcast_to(y[0], (2, 4)), (x * 3)[:, ::2]


def _of_jax(x):
    import jax

    return jax.scipy.linalg.expm(x), jax.numpy.linalg.lstsq(x, x)[0], jax.nn.softmax(x)


#: By name, the function, its specs and the options of its export.
MADE: dict[str, tuple[Callable[..., Any], list[Any], dict[str, Any]]] = {
    "dense": (dense, [ingot.spec("n,4")], {}),
    "stepped": (stepped, [np.ones(3), {"w": np.arange(4.0)}, 2], {}),
    "printed": (printed, [np.ones(4), 3], {}),
    "matrices": (matrices, [np.eye(3) + 1, np.ones((3, 2))], {}),
    "eigen": (eigen, [np.eye(3) + 1], {}),
    "selected": (selected, [ingot.spec("n"), np.ones(3)], {}),
    "ordered": (ordered, [np.ones((5, 4)), np.arange(3)], {}),
    "looped": (looped, [np.ones(3), 9], {}),
    "spectra": (spectra, [np.ones(8)], {}),
    "trailing": (trailing, [ingot.spec("n"), ingot.spec("m")], {}),
    "integers": (integers, [np.arange(6)], {}),
    "gradient": (ingot.grad(loss), [ingot.spec("5,4"), ingot.spec("5,3")], {}),
    "strict": (strict, [np.ones(5)], {"strict_fp": True}),
    "laid": (laid, [np.ones((3, 4))], {}),
}


def export_all(folder: Path) -> None:
    for name, (f, specs, options) in MADE.items():
        ingot.export(f, *specs, name=name, **options).save(folder / f"{name}.ingot")
    of_jax = ingot.from_jax(_of_jax)
    ingot.export(lambda x: of_jax(x), np.eye(3), name="of_jax").save(folder / "of_jax.ingot")
    mesh = ingot.mesh(i=4)
    for name, spec in ("split", ingot.P("i")), ("whole", None):
        f = ingot.jit(dense, mesh=mesh, in_shardings=spec)
        ingot.export(f, ingot.spec("8,4"), name=name).save(folder / f"{name}.ingot")


@contextlib.contextmanager
def exported() -> Iterator[str]:
    """A folder with the artifacts."""
    with tempfile.TemporaryDirectory(prefix="ingot-artifacts-") as folder:
        export_all(Path(folder))
        yield folder
