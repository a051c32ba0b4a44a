"""Powers of Python numbers, whose types depend on the numbers, against Python."""

import numpy as np
import pytest
from plain import same_for

import ingot
from oracle import assert_same

X = np.array([1.0, -2.0, 3.0])


def power(a, n):
    return a**n


def by_element(x):
    return 3 ** int(x[1])


def as_float(x):
    return by_element(x) / 2


def scaled_by_element(x):
    return x * 10 ** int(x[1]), x[:1] * pow(2, int(x[0]))


def rounded(x, digits):
    scale = 10**digits
    return int(x * scale + 0.5) / scale


def sum_of_powers(x):
    total = 0.0
    for i in range(-1, len(x) - 1):
        total += x[i] * 10**i
    return total


def known_to_be_negative(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * 2 ** (-1 - i)
    return total


def cube_root(x):
    y = float(x[1]) ** (1 / 3)
    return abs(y), y * 2j


CALLS = [
    (power, [(3, 2), (3, -2), (-3, -3), (3, 4), (True, -1), (True, 1)]),
    (power, [(8.0, 0.5), (-8.0, 0.5), (-8.0, 2.0), (-np.inf, 0.5), (-8.0, np.nan), (-0.0, 0.5)]),
    (power, [(-8.0, 1), (-8.0, -1)]),
    (as_float, [(X,), (-X,), (0 * X,)]),
    (by_element, [(-X,), (X,), (0 * X,)]),
    (scaled_by_element, [(-X,), (X,)]),
    (rounded, [(3.14159, 2), (31415.9, -2), (2.5, 0)]),
    (sum_of_powers, [(X,)]),
    (known_to_be_negative, [(X,)]),
    (cube_root, [(-X,), (X,), (0 * X,)]),
]


@pytest.mark.parametrize(("f", "calls"), CALLS)
def test_types_that_depend_on_the_numbers(f, calls):
    compiled = ingot.jit(f)
    for args in [*calls, *calls]:
        assert_same(compiled(*args), f(*args))


def test_a_program_without_the_assumption_is_compiled_once():
    compiled = ingot.jit(as_float)
    for x in (-X, X, 2 * X, -2 * X):
        compiled(x)
    assert len(compiled._compiled) == 2


def test_exponents_known_to_be_negative_are_not_checked():
    assert "ingot.check" not in ingot.jit(known_to_be_negative).lower(X).ir()


@pytest.mark.parametrize("base", [0, 0.0])
def test_zero_to_a_negative_power(base):
    with pytest.raises(ZeroDivisionError):
        ingot.jit(power)(base, -1)


def window_and_power(x, i, y):
    return x[i : i + 2] * 10 ** int(y[0])


def test_two_assumptions_fail_in_one_call():
    compiled = ingot.jit(window_and_power)
    for i, y in ((0, X), (0, -X), (2, -X), (2, X), (0, X)):
        assert_same(compiled(X, i, y), window_and_power(X, i, y))


def printed(x):
    print("a line")
    return 3 ** int(x[1])


def test_functions_that_print_are_not_called_again(capfd):
    """They take nothing for granted."""
    compiled = ingot.jit(printed)
    for x in (X, -X):
        assert_same(compiled(x), 3 ** int(x[1]))
    assert capfd.readouterr().out.count("a line") == 2


def as_index(x):
    return x[3 ** int(x[1])]


def test_a_power_as_an_index():
    """A float, as a negative power is, is none."""
    same_for(as_index, [(X,), (X + 2.0,), (X + 3.0,), (X - 7.0,)])


def loss(x, n):
    return np.sum(x * 10 ** int(n[0]))


def test_gradients_and_batches():
    n = np.array([-2.0, 1.0])
    assert_same(ingot.grad(loss)(X, n), np.full(3, 0.01))
    exponents = np.array([-2.0, 1.0])
    scaled = ingot.vmap(lambda x, n: x * 10 ** int(n), (None, 0))(X, exponents)
    assert_same(scaled, np.stack([X * 10**-2, X * 10**1]))
