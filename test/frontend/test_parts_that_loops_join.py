"""Loops that leave an array of a run-time length or a whole one: stores see that they may be one memory."""

import numpy as np
import pytest

import ingot

X = np.arange(6.0) * 7 % 11


def stored_after(x, n):
    w = x[x > 3]
    for _ in range(n):
        w = x
    x[1] = 50
    return w.sum()


def added_after(x, n):
    w = x[x > 3]
    for _ in range(n):
        w = x
    x += 1
    return w.sum()


def row_stored_after(x, n):
    q = np.outer(x, x)
    w = x[x > 3]
    for _ in range(n):
        w = q[1]
    w[0] = 50
    return q


def unique_or_reversed(x, n):
    y = x * 2
    w = np.unique(x)
    for _ in range(n):
        w = y[::-1]
    y += 1
    return w.sum()


def whole_first(x, n):
    w = x[1:]
    for c in range(n):
        w = x[x > c]
    x[1] = 50
    return w.sum()


def stored_within(x, n):
    w = x[x > 3]
    for _ in range(n):
        x[0] += w.sum()
        w = x
    return x


@pytest.mark.parametrize(
    "f",
    [stored_after, added_after, row_stored_after, unique_or_reversed, whole_first, stored_within],
)
@pytest.mark.parametrize("n", [0, 1, 2])
def test_stores_are_seen_or_refused(f, n):
    plain, given = X.copy(), X.copy()
    expected = f(plain, n)
    try:
        found = ingot.jit(f)(given, n)
    except (ingot.UnsupportedError, NotImplementedError):
        return
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(given, plain)


def is_the_array(x):
    ok = x > 1
    u = x if ok.all() else x[ok]
    if u is x:
        u = u.copy()
    u[0] = 77
    return x


def is_not_the_array(x):
    u = x
    if x[0] == 1:
        u = np.unique(x)
    return u is not x


@pytest.mark.parametrize("f", [is_the_array, is_not_the_array])
def test_identity_of_parts_is_refused(f):
    with pytest.raises(ingot.UnsupportedError, match="`is` of arrays of run-time lengths"):
        ingot.jit(f)(X + 5)
