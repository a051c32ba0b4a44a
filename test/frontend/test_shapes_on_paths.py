"""Shapes that do not fit on a path that the arguments do not take: NumPy raises where control comes to it."""

import numpy as np
import pytest

import ingot
from oracle import quiet

X = np.arange(4.0)


def added_in_place(x, n):
    u = np.zeros(3)
    if x.sum() > n:
        u[:] = 1
        u += x
    return u


def reshaped(x, n):
    if x.sum() > n:
        return x.reshape(5).sum()
    return 0.0


def in_a_loop(x, n):
    total = 0.0
    for i in range(int(n)):
        if i > 8:
            total += (x @ np.ones(3)).sum()
    return total


def in_a_while(x, n):
    i, total = 0.0, 0.0
    while i < n:
        if i > x[3] + 2:
            total += (x + np.ones(3)).sum()
        i += 1
    return total


def whole_body(x, n):
    for _ in range(int(n) - 5):
        x = x + x.reshape(3)
    return x


def in_an_expression(x, n):
    return np.sum(x + np.ones(3)) if x.sum() > n else 1.0


def in_a_condition(x, n):
    return 1.0 if x.sum() > n and (x + np.ones(3)).any() else 2.0


def along_an_axis(x, n):
    if x.sum() > n:
        return np.sum(x, axis=3)
    return 2.0


def helper(x):
    return x - np.ones(2)


def in_a_function(x, n):
    if x.sum() > n:
        x[0] = 7
        return helper(x).sum()
    return 2.0


def caught(x, n):
    try:
        if x.sum() > n:
            x[0] = 9
            x += np.ones(3)
    except ValueError:
        return x, 1
    return x, 2


def caught_where_it_is(x, n):
    try:
        x[0] = n
        x.reshape(5)
    except ValueError:
        return x, 1
    return x, 2


def not_caught(x, n):
    try:
        if x.sum() > n:
            x += np.ones(3)
    except KeyError:
        return x, 1
    return x, 2


PROGRAMS = [
    added_in_place, reshaped, in_a_loop, in_a_while, whole_body, in_an_expression, in_a_condition, along_an_axis,
    in_a_function, caught, caught_where_it_is, not_caught,
]  # fmt: skip


def outcome(f, n):
    x = X.copy()
    try:
        with quiet():
            return repr(f(x, n)), x.tolist()
    except ValueError as error:
        return type(error), x.tolist()


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("f", PROGRAMS)
def test_raised_where_control_comes_to_it(f, native):
    compiled = ingot.jit(f, native=native)
    for n in (np.float64(5), np.float64(10)):
        (actual, ours), (expected, theirs) = outcome(compiled, n), outcome(f, n)
        assert actual == expected
        # After an exception nothing has changed (docs/differences.md).
        assert ours == (theirs if isinstance(expected, str) else X.tolist())


def test_what_always_raises_is_found_when_it_is_compiled():
    with pytest.raises(ingot.ShapeError, match="reshape"):
        ingot.jit(lambda x: x.reshape(5)).lower(X)


def test_sizes_that_calls_choose():
    """Sizes that may be equal are no sizes that differ."""

    def f(x, y):
        if x[0] > 0:
            return x + y
        return x

    with pytest.raises(ingot.ShapeError):
        ingot.export(f, ingot.spec("n"), ingot.spec("m"))
