"""Gradients through loops: what they cost, and loops of unknown length."""

import time

import numpy as np
import pytest

import ingot
from oracle import central

RNG = np.random.default_rng(3)


def check_gradient(f, x, *others, rtol=2e-6):
    """The gradient against forward mode and against differences."""
    t = RNG.normal(size=x.shape)
    value, gradient = ingot.value_and_grad(f)(x, *others)
    np.testing.assert_allclose(value, f(x, *others), rtol=1e-12)
    zeros = [0 if isinstance(each, int) else np.zeros_like(each) for each in others]
    slope = ingot.jvp(f, (x, *others), (t, *zeros))[1]
    np.testing.assert_allclose(np.sum(gradient * t), slope, rtol=1e-9, atol=1e-12)
    numeric = central(f, (x, *others), (t, *zeros))
    np.testing.assert_allclose(slope, numeric, rtol=rtol, atol=1e-6)


def stencil(x):
    a = x.copy()
    for _ in range(3):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = (a[i - 1, j - 1] + a[i - 1, j] * a[i, j - 1] + a[i + 1, j] * a[i, j]) / 3
    return np.sum(a * a)


def triangular(x):
    a, total = x.copy(), 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] = np.sin(a[j, i]) * a[i, j]
            total += a[i, j] * a[j, j]
        a[i, i] = total + a[i, i]
    return np.sum(a)


def two_sided(x):
    a = x[0].copy()
    for i in range(1, a.shape[0]):
        if a[i] > 0.5:
            a[i] = a[i] * a[i - 1]
        else:
            a[i - 1] = a[i - 1] * a[i] + a[i] ** 2
    return np.sum(a**2)


def one_sided(x):
    a, seen = x[0].copy(), 0.0
    for i in range(1, a.shape[0]):
        if a[i] > 0.3:
            a[i] += a[i - 1] * a[i]
            a[i - 1] = a[i] * 0.5
            seen = a[i - 1] * a[0]
        a[i] = a[i] * 1.5 + seen
    return np.sum(a**2)


def exchange(x):
    a = x.ravel().copy()
    n = a.shape[0]
    for i in range(n // 2):
        t = a[i] * a[i + 1]
        a[i] = a[n - 1 - i] * a[i]
        a[n - 1 - i] = t * a[i]
    return np.sum(a**2)


def places_from_data(x):
    a, places = x[0].copy(), np.arange(x.shape[1])
    for i in range(a.shape[0] - 1):
        places[i] = (places[i] * 3 + 1) % a.shape[0]
        k = places[i]
        a[k] = a[k] * a[i] + a[places[i + 1]]
    return np.sum(a**2)


def whole_and_parts(x):
    v, b = x[0].copy(), x.copy()
    for i in range(x.shape[0]):
        v = np.tanh(b @ v)
        b[i] = v * b[i]
        b = b * 0.9
        for j in range(3):
            b[j, 0] = b[j, 1] * b[j, 0]
    return np.sum(v) + np.sum(b)


def older_state(x):
    a = x[0].copy()
    for i in range(1, a.shape[0]):
        before = a.copy()
        a[i] = a[i - 1] * a[i]
        a[i - 1] = before[i] * before @ a
    return np.sum(a)


def orthogonal(x):
    a, q = x.copy(), np.zeros_like(x)
    for k in range(a.shape[1]):
        norm = np.sqrt(a[:, k] @ a[:, k])
        q[:, k] = a[:, k] / norm
        for j in range(k + 1, a.shape[1]):
            a[:, j] -= q[:, k] * (q[:, k] @ a[:, j])
    return np.sum(np.sin(q))


def newton(x):
    y = x.copy()
    while np.max(np.abs(y * y - x)) > 1e-9:
        y = 0.5 * (y + x / y)
    return np.sum(y)


def many_steps(x):
    y, n = x.copy(), 0
    while n < 5000:
        y = y + 0.001 * np.sin(y) * x
        n += 1
    return np.sum(y)


def nested_unknown(x):
    a, i = 0.5 * x[0].copy(), 0
    while a[i] < 0.9 and i < a.shape[0] - 2:
        a[i + 1] = a[i + 1] * a[i] + a[i]
        j = 0
        while j < i + 1:
            a[j] = a[j] * a[j + 1]
            j += 1
        i += 1
    return np.sum(a**2)


def unknown_in_counted(x):
    total = 0.0
    for i in range(x.shape[0]):
        value, rounds = x[i, 0], 0
        while value < 3.0:
            value = value * (1.2 + 0.1 * x[i, 1])
            rounds += 1
        total += value * rounds
    return total


def early_exits(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > 0.95:
                break
            if (i + j) % 2:
                continue
            total += x[i, j] ** 2 * total + x[i, j]
        if total > 1e6:
            return total * 2
    return total


def never(x):
    while x[0, 0] > 100:
        x = x * x
    return np.sum(x * 3)


PROGRAMS = [stencil, triangular, two_sided, one_sided, exchange, places_from_data, whole_and_parts,
            older_state, orthogonal, newton, many_steps, nested_unknown, unknown_in_counted,
            early_exits, never]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradient(f):
    check_gradient(f, RNG.uniform(0.1, 1, (5, 5)))


@pytest.mark.parametrize(
    "f", [stencil, two_sided, exchange, newton, nested_unknown], ids=lambda f: f.__name__
)
def test_second_order(f):
    x, t = RNG.uniform(0.2, 0.9, (5, 5)), RNG.normal(size=(5, 5))
    first = ingot.grad(f)
    numeric = central(first, (x,), (t,))
    np.testing.assert_allclose(ingot.jvp(first, (x,), (t,))[1], numeric, rtol=1e-5, atol=1e-5)


def count_of_array(x, n):
    for _ in range(int(n[0])):
        x = x * x
    return np.sum(x)


def test_a_count_that_is_data():
    check_gradient(count_of_array, RNG.uniform(0.5, 1, (2, 3)), np.array([3]))


# The adjoint of an update of one element is one of one element.


def recurrence(x, m):
    x = x.copy()
    for k in range(1, m):
        i = k % 50 + 1
        x[i] = x[i - 1] * x[i] + 0.1 * x[i + 1]
    return np.sum(x[:100])


def exchanges(x, m):
    x = x.copy()
    for k in range(1, m):
        i = k % 50 + 1
        t = x[i]
        x[i] = np.sin(x[i + 1])
        x[i + 1] = t * x[i]
    return np.sum(x[:100])


def nest(x, m):
    x = x.copy()
    for k in range(1, m // 20):
        for j in range(k % 20):
            i = k % 50 + j + 1
            x[i] = x[i - 1] * x[i] + 0.1 * x[i + 1]
    return np.sum(x[:100])


def branches(x, m):
    x = x.copy()
    for k in range(1, m):
        i = k % 50 + 1
        if x[i] > 0.5:
            x[i] = x[i - 1] * x[i] + 0.1 * x[i + 1]
        else:
            x[i] = x[i] * x[i]
    return np.sum(x[:100])


@pytest.mark.parametrize("f", [recurrence, exchanges, nest, branches], ids=lambda f: f.__name__)
def test_an_update_costs_no_more_in_a_large_array(f):
    function = ingot.jit(f, static=("m",))
    for way in (function, ingot.grad(function)):
        times = []
        for size in (1_000, 200_000):
            x = RNG.uniform(size=size)
            way(x, 400_000)
            runs = []
            for _ in range(5):
                start = time.perf_counter()
                way(x, 400_000)
                runs.append(time.perf_counter() - start)
            times.append(min(runs))
        # Copying 200,000 numbers in each of the iterations would take thousands of times longer.
        assert times[1] < 20 * times[0], times


def passed_on(x, n, m):
    for i in range(n + 1):
        if n and m > 0:
            break
        for _ in x:
            m += i
        x[0] = np.sin(x[0]) * x[1]
    return np.sum(np.sin(x))


@pytest.mark.parametrize("n, m", [(3, -1), (3, 1), (0, -1), (2, -4)])
def test_a_loop_that_passes_an_array_on_in_a_branch(n, m):
    check_gradient(lambda x, n, m: passed_on(x.copy(), n, m), RNG.normal(size=5), n, m)
    check_gradient(from_seed, RNG.normal(size=5), n)


def from_seed(x, n):
    for _ in range(n + 1):
        if n and x.size > 0.5:
            break
        for _ in x:

            def unused():
                x[0] += 1

    return np.sum(np.sin(x))
