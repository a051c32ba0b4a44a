"""Loops whose iterations store rows of their own, which threads share."""

import numpy as np
import pytest

import ingot

RNG = np.random.default_rng(0)


def rows_of_sums(x):
    out = np.empty((300, 3))
    for i in range(300):
        part = np.abs(x - x[i])
        out[i, :] = np.array([np.sum(part), np.max(part), np.sum(np.cos(part * i))])
    return out


def some_rows(x):
    out = np.ones((400, 50))
    for i in range(300):
        work = np.zeros(50)
        for j in range(50):
            work[j] = np.sum(np.sin(x[: j + 1] + i))
        out[i + 7] = work * out[0, 0]
    return out


def of_the_row_before(x):
    out = np.zeros((300, 400))
    out[0] = x
    for i in range(1, 300):
        out[i] = np.cos(out[i - 1]) * x + np.sum(x * out[i - 1])
    return out


def in_place(x):
    for i in range(300):
        x[i] = np.sum(np.cos(x)) / 400
    return x


@pytest.mark.parametrize("f", [rows_of_sums, some_rows, of_the_row_before, in_place])
def test_it_is_numpys(f):
    x = RNG.normal(size=400) * 1e-2
    expected, found = f(x.copy()), ingot.jit(f, native=True)(x.copy())
    np.testing.assert_allclose(found, expected, 1e-10, 1e-10)


def test_threads_share_them():
    lowered = ingot.jit(rows_of_sums, native=True).lower(np.ones(400))
    steps = [step for steps in lowered.native().values() for step in steps.values()]
    assert any("ingot.shared" in step for step in steps)
