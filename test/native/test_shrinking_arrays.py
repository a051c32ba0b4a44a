"""Arrays that masks shrink in loops: kernels compute only the elements that count."""

import re

import numpy as np
import pytest

import ingot
from oracle import assert_same

RNG = np.random.default_rng(8)


def collatz(x, steps):
    where = np.arange(len(x))
    taken = np.zeros(len(x), np.int64)
    for i in range(steps):
        done = x == 1
        taken[where[done]] = i
        x, where = x[~done], where[~done]
        x = np.where(x % 2 == 0, x // 2, 3 * x + 1)
    return taken, where.sum()


def escapes(x, steps):
    z = np.zeros(len(x), np.complex128)
    c = x / 8 * 1j - 0.5
    index = np.arange(len(x))
    found = np.full(len(x), steps)
    for i in range(steps):
        np.multiply(z, z, z)
        np.add(z, c, z)
        far = abs(z) > 2
        found[index[far]] = i
        near = ~far
        z, c, index = z[near], c[near], index[near]
    return found, z.sum()


def sums_of_rest(x, steps):
    total = 0.0
    y = x * 2.0
    for i in range(steps):
        if len(x) == 0:
            break
        keep = x % (i + 2) != 0
        total += y[keep].sum() * (i + 1)
        y = y[keep] + 1
        x = x[keep]
    return total, x, y


def two_counts(x, steps):
    # The masks of the two arrays differ, and so do their lengths.
    a, b = x, x[::-1] + 1
    for i in range(steps):
        a = a[a > i]
        b = b[b % 7 != i % 7]
    return a, b, a.sum() - b.sum()


def exchanged(x, steps):
    a, b = x * 1.0, -x * 1.0
    for _ in range(steps):
        keep = a > b
        a, b = b[keep] + 0.5, a[keep] * 0.75
    return a, b


def kept_before(x, steps):
    # What was there before the mask is needed as well.
    before = x
    for i in range(steps):
        before = x
        x = x[x > 2 * i]
    return before, x


def rows_left(x, steps):
    rows = np.stack([x, x * 2, -x], axis=1)
    names = np.arange(len(x))
    for i in range(steps):
        if len(rows) == 0:
            break
        rows += 1
        keep = rows[:, 1] > 3 * i
        names, rows = names[keep], rows[keep]
    return names.sum(), rows.sum()


def in_each_others_place(x, steps):
    # What one array gives up is what the other one gets.
    a, b = x * 1.0, np.arange(len(x)) - 0.5
    for i in range(steps):
        if len(a) == 0:
            break
        keep = (a + b) % 3 > 0.5 * i / steps
        a, b = b[keep], a[keep]
    return a, b


FUNCTIONS = [collatz, escapes, sums_of_rest, two_counts, exchanged, kept_before]
FUNCTIONS += [rows_left, in_each_others_place]
ARGUMENTS = {
    "random": RNG.integers(1, 60, 300),
    "all end at once": np.full(64, 1),
    "none ends": np.full(64, 59),
    "one": np.array([7]),
}


@pytest.mark.parametrize("name", ARGUMENTS)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_values(f, name):
    compiled = ingot.jit(f)
    for steps in (0, 1, 9):
        expected, actual = f(ARGUMENTS[name], steps), compiled(ARGUMENTS[name], steps)
        for one, other in zip(actual, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)
            assert np.asarray(one).dtype == np.asarray(other).dtype
            assert np.shape(one) == np.shape(other)


@pytest.mark.parametrize("f", [collatz, escapes], ids=lambda f: f.__name__)
def test_no_loop_runs_over_what_does_not_count(f):
    (kernel,) = ingot.jit(f).lower(np.arange(1, 3001), 5).native().values()
    body = kernel["linalg"].split("scf.for", 1)[1]
    whole = re.findall(r"linalg\.(?:generic|copy).*outs\([^)]*tensor<3000x", body)
    # Before the loop, and the result.
    assert len(whole) <= 2, whole


def test_what_is_kept_moves_in_place():
    def f(x, steps):
        names = np.arange(len(x))
        for i in range(steps):
            if len(x) == 0:
                break
            keep = x > i
            names, x = names[keep], x[keep]
        return names.sum(), x.sum()

    kernels = ingot.jit(f).lower(np.arange(1, 3001), 5).native()
    text = "".join(kernel["linalg"] for kernel in kernels.values())
    array = "tensor<3000xi64>"
    moved = rf"tensor.extract (%\w+)\[%\w+\] : {array}\s+%\w+ = tensor.insert %\w+ into \1\["
    assert re.search(moved, text)


def test_derivatives():
    def f(x):
        y = x
        for i in range(4):
            y = y[y > 0.3 * i] * 1.5
        return (y * y).sum()

    x = RNG.uniform(0, 2, 50)
    step = 1e-6
    expected = [(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(50)]
    np.testing.assert_allclose(ingot.grad(f)(x), expected, rtol=1e-6, atol=1e-8)
    assert_same(ingot.jit(f)(x), f(x))


def test_memory_of_results():
    """A large result stays where it was computed, unless that would keep much more memory."""
    x = np.linspace(0.0, 1.0, 1 << 17)
    select = ingot.jit(lambda x, least: x[x > least], native=True)
    for least, is_copy in [(0.1, False), (0.9, True), (0.5, False), (1.0, True), (-1.0, False)]:
        found, other = select(x, least), select(x, least)
        found[:] = 7
        assert_same(other, x[x > least])
        assert other.flags.c_contiguous and other.flags.writeable
        assert (other.base is None) is is_copy


def stacked(x, n):
    found = []
    for i in range(n):
        found.append(x * i)
    return found


def test_lists_that_grow():
    x = RNG.normal(size=400)
    for n in (0, 1, 400):
        assert_same(ingot.jit(stacked)(x, n), stacked(x, n))
