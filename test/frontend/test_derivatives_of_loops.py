"""Derivatives of loops: reverse mode through counted ones, and what is compiled for each count."""

import numpy as np
import pytest

import ingot
from oracle import central, directions

RNG = np.random.default_rng(0)
X = RNG.uniform(0.2, 0.8, (3, 4))
ROW = RNG.uniform(0.5, 1.5, 4)
SQUARE = RNG.normal(size=(4, 4))


# Reverse through counted loops.


def recurrence(x, n):
    y = x
    for _ in range(n):
        y = np.cos(y) * x + 0.1
    return y.sum()


def seidel(x, n):
    a = x.copy()
    for _ in range(n):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = (a[i - 1, j] + a[i, j - 1] * a[i, j] + np.sin(a[i, j + 1])) / 3
    return np.sum(a * a)


def downwards(x, n):
    total, scale = 0.0, 1.0
    for i in range(n, 0, -2):
        if x[i % 3, 0] > 0.5:
            total += scale * x[i % 3, 1] * i
        else:
            scale = scale * 1.1 + x[0, 0]
        scale = scale * x[1, 2]
    return total * scale


def weights_in_loop(x, n):
    y = x
    for i in range(n):
        y = np.tanh(y @ SQUARE) * ROW[i % 4]
    return np.sum(y)


def counts(x, n):
    k, flag, y = 0, False, x
    for i in range(n):
        flag = not flag
        k += i
        if flag:
            y = y * (1 + 0.1 * k)
    return np.sum(y * y)


def prefix_sums(x, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i % 3, i % 4]
        if i > 0:
            out[i] += out[i - 1] * 0.5
    return np.sum(out**2)


def no_rounds(x, n):
    for _ in range(n - n):
        x = x * x
    return np.sum(x * 3)


def of_rows(x, n):
    total = 0.0
    for row in x:
        for value in row:
            total = total * 0.5 + np.sin(value * n)
    return total


def ode(x, n):
    position, speed = x[0], x[1]
    for _ in range(n):
        force = -np.sin(position)
        speed = speed + 0.05 * force
        position = position + 0.05 * speed
    return np.sum(position**2) + speed[0]


LOOPS = [recurrence, seidel, downwards, weights_in_loop, counts, prefix_sums, no_rounds, 
         of_rows, ode]  # fmt: skip


@pytest.mark.parametrize("f", LOOPS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [1, 13])
def test_backward_through_loops(f, n):
    t = directions((X,))[0]
    value, gradient = ingot.value_and_grad(f)(X, n)
    np.testing.assert_allclose(value, f(X.copy(), n), rtol=1e-12)
    slope = ingot.jvp(f, (X, n), (t, 0))[1]
    np.testing.assert_allclose(np.sum(gradient * t), slope, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(slope, central(f, (X, n), (t, 0)), rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize("f", [recurrence, seidel, ode], ids=lambda f: f.__name__)
def test_second_order_through_loops(f):
    first = ingot.grad(f)
    t = directions((X,), 5)[0]
    forward_over_backward = ingot.jvp(first, (X, 3), (t, 0))[1]
    numeric = central(first, (X, 3), (t, 0), 1e-5)
    np.testing.assert_allclose(forward_over_backward, numeric, rtol=1e-5, atol=1e-7)


def test_counts_are_compiled_for_each_value_and_others_are_not(compilations):
    by_count = ingot.grad(recurrence)
    for n, times in [(30, 1), (30, 1), (31, 2), (30, 2)]:
        by_count(X, n)
        assert len(compilations) == times
    compilations.clear()

    def scaled(x, k):
        return np.sum(x * x) * k

    by_number = ingot.grad(scaled)
    for k in (2, 3, 4):
        np.testing.assert_allclose(by_number(X, k), 2 * X * k)
    assert len(compilations) == 1
