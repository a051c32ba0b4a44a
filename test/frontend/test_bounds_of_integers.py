"""Bounds of Python's integers, by which checks of indices are left out: they hold where 64 bits wrap around, too."""

import numpy as np
import pytest

import ingot

X = np.arange(3.0)
#: What wraps around when a little is added to it, or when it is multiplied by itself.
LARGE = [2**63 - 1, 2**63 - 3, 2**62, 3037000500]


def larger(x, n):
    return x[max(n, 0) + 5]


def magnitude(x, n):
    return x[abs(-n - 1) // 2]


def square(x, n):
    m = max(n, 4)
    return x[m * m - 13]


def negated(x, n):
    return x[-min(-n, -5) - (-6)]


def stored(x, n):
    for i in range(3):
        x[max(n, 0) + 3 + i] = 0.0
    return x


def from_a_large_start(x, n):
    total = 0.0
    for i in range(max(n, 4), max(n, 4) - 3, -1):
        total += x[i + 7]
    return total


@pytest.mark.quick
@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(
    "f", [larger, magnitude, square, negated, stored, from_a_large_start], ids=lambda f: f.__name__
)
def test_an_index_that_wraps_around_is_checked(f, native):
    compiled = ingot.jit(f, native=native)
    for n in LARGE:
        with pytest.raises((IndexError, OverflowError)):
            f(X.copy(), n)
        with pytest.raises(IndexError):
            compiled(X.copy(), n)


def neighbours(x):
    total = 0.0
    for i in range(len(x) - 2):
        total += x[i + 1] * x[i + 2] - x[2 * i // 2]
    return total


def backwards(x, k):
    total = 0.0
    for i in range(2, -1, -1):
        for j in range(i, 3):
            total += x[j - i] * k
    return total


@pytest.mark.parametrize("f", [neighbours, backwards])
def test_indices_that_loops_bound_have_no_check(f, check):
    arguments = (np.arange(7.0), 2.0)[: f.__code__.co_argcount]
    check(f, *arguments)
    assert "assert" not in ingot.jit(f).lower(*arguments).ir()


def far(x, n):
    i = 0
    while i < 5:
        i += 2**62
        if n > 1:
            i += 2**62
            return x[i + 3]
    return x[0]


def from_far(x, n):
    i = max(n, 0)
    while n > 0:
        i += 3
        if i < n or i > 9:
            return x[i]
    return x[0]


def near(x, n):
    i = 0
    total = 0.0
    while i < len(x) and x[i] < n:
        total += x[i]
        i += 1
    return total


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("f", [far, from_far, near])
def test_counters_that_wrap_around(f, native):
    compiled = ingot.jit(f, native=native)
    for n in (0, 1, 2, *LARGE):
        try:
            expected = f(X.copy(), n)
        except (IndexError, OverflowError):
            with pytest.raises(IndexError):
                compiled(X.copy(), n)
        else:
            assert compiled(X.copy(), n) == expected
