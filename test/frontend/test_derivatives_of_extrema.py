"""Derivatives of extrema of computed values, which are found by comparing a value with its
extremum: neither XLA nor a reverse pass may round the two in different ways."""

import numpy as np
import pytest

import ingot

VALUES = {
    "linear": lambda p: p * 1.1 + 0.3,
    "sine": np.sin,
    "means": lambda p: p.reshape(3, -1, p.shape[1]).mean(axis=0),
    "running sums": lambda p: np.cumsum(p, axis=1),
    "products": lambda p: p @ p.T,
    "quotients": lambda p: p / (1 + p * p),
}
EXTREMA = {
    "all": lambda q: q.max(),
    "columns": lambda q: np.sin(q.max(axis=0)).sum(),
    "rows": lambda q: np.sin(q.min(axis=1)).sum(),
    "running": lambda q: np.sin(np.maximum.accumulate(q, axis=0)).sum(),
    "range": lambda q: np.ptp(q, axis=1).sum(),
    "pairs": lambda q: np.maximum(q, q * 0.9 + 0.1).sum() + np.minimum(q[1:], q[:-1]).sum(),
    "norm": lambda q: np.linalg.norm(q, np.inf),
}


def straight(value, extremum):
    def f(x, y, n):
        p = x * y + x
        q = value(p)
        return extremum(q) + (q * p[: q.shape[0], :1]).sum()

    return f


def unrolled(value, extremum):
    def f(x, y, n):
        s = 0.0
        for i in range(3):
            p = x * y + i * x
            q = value(p)
            s = s * 0.5 + extremum(q) + (q * p[: q.shape[0], :1]).sum()
        return s

    return f


def looped(value, extremum):
    def f(x, y, n):
        s = 0.0
        for i in range(n):
            p = x * y + i * x
            q = value(p)
            s = s * 0.5 + extremum(q) + (q * p[: q.shape[0], :1]).sum()
        return s

    return f


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("around", [straight, unrolled, looped])
@pytest.mark.parametrize("extremum", EXTREMA)
@pytest.mark.parametrize("value", VALUES)
def test_against_differences(value, extremum, around, native):
    f = around(VALUES[value], EXTREMA[extremum])
    gradient = ingot.jit(ingot.grad(f), native=native)
    for seed in range(2):
        rng = np.random.default_rng(seed)
        x, y, direction = (rng.normal(size=(21, 37)) for _ in range(3))
        step = 1e-6 * direction
        expected = (f(x + step, y, 3) - f(x - step, y, 3)) / 2e-6
        found = np.sum(gradient(x.copy(), y, 3) * direction)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
