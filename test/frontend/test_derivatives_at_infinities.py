"""Derivatives where a slope is infinite and another one zero: true by algebra, or NaN in both modes, but no
zero without a word. A zero is one where the value is not used: see test_derivatives_not_taken.py."""

import numpy as np
import pytest
from scipy import special

import ingot

LARGE = [1000.0, 1001.0]


def both_ways(f, x):
    """The gradient by reverse mode, and by forward mode."""
    x = np.asarray(x)
    backward = ingot.grad(f)(x)
    if x.ndim == 0:
        return backward, ingot.jvp(f, (x,), (np.ones_like(x),))[1]
    units = np.eye(x.size, dtype=x.dtype).reshape(-1, *x.shape)
    forward = [ingot.jvp(f, (x,), (unit,))[1] for unit in units]
    return backward, np.array(forward).reshape(x.shape)


# The value is infinite, as NumPy's, and the slope is that of the function.

SOFTPLUS = {
    "1 + e": lambda x: np.log(1 + np.exp(x)),
    "e + 1": lambda x: np.log(np.exp(x) + 1.0),
    "log1p": lambda x: np.log1p(np.exp(x)),
    "scaled": lambda x: 2 * np.log(1 + np.exp(x / 2)),
    "sum": lambda x: np.sum(np.log(1 + np.exp(x))),
    "in a loop": lambda x: sum(np.log(1 + np.exp(x)) for _ in range(3)) / 3,
    "math": lambda x: np.add(x, np.log(1 + np.exp(-x))),
}  # fmt: skip


@pytest.mark.parametrize("f", SOFTPLUS.values(), ids=SOFTPLUS)
@pytest.mark.parametrize("x", [1000.0, -1000.0, 710.0, 3.0, -0.25, -40.0])
def test_softplus(f, x):
    slope = special.expit(x / 2) if f is SOFTPLUS["scaled"] else special.expit(x)
    # 1 - expit(-x) is what x + log(1 + exp(-x)) has.
    atol = 1e-16 if f is SOFTPLUS["math"] else 0
    with np.errstate(over="ignore"):
        for found in both_ways(f, x):
            np.testing.assert_allclose(found, slope, rtol=1e-14, atol=atol)


@pytest.mark.parametrize("more", [0.5, 1.0, 30.0])
def test_other_constants(more):
    x = np.array([1000.0, 5.0, 0.0, -800.0])
    with np.errstate(over="ignore"):
        for found in both_ways(lambda x: np.sum(np.log(more + np.exp(x))), x):
            np.testing.assert_allclose(found, special.expit(x - np.log(more)), rtol=1e-14)


def test_the_value_is_numpys():
    with np.errstate(over="ignore"):
        value, slope = ingot.value_and_grad(SOFTPLUS["1 + e"])(1000.0)
    assert value == np.inf and slope == 1


def test_second_derivatives_of_softplus():
    f, x = SOFTPLUS["1 + e"], np.array([-900.0, -3.0, 0.0, 2.0, 40.0])
    p = special.expit(x)
    for outer in (ingot.jacfwd, ingot.jacrev):
        for inner in (ingot.grad, ingot.jacfwd):
            found = [outer(inner(f))(each) for each in x]
            np.testing.assert_allclose(found, p * special.expit(-x), rtol=1e-12)


def logistic(w, x, y):
    return np.mean(np.log(1 + np.exp(-y * (x @ w))))


def test_logistic_regression_with_one_wrong_point():
    x = np.array([[1.0, 2.0], [0.5, -1.0], [150.0, 90.0]], np.float32)
    y, w = np.array([1, -1, -1], np.float32), np.ones(2, np.float32)
    wide = [each.astype(float) for each in (w, x, y)]
    margin = -wide[2] * (wide[1] @ wide[0])
    expected = -(special.expit(margin) * wide[2]) @ wide[1] / 3
    with np.errstate(over="ignore"):
        for found in both_ways(lambda w: logistic(w, x, y), w):
            np.testing.assert_allclose(found, expected, rtol=1e-6)


KNOWN = {
    "log of exp": (lambda x: np.log(np.exp(-x)), 1000.0, -1),
    "power": (lambda x: np.exp(x) ** -0.5, 1000.0, 0),
    "reciprocal": (lambda x: 1 / np.exp(x), 1000.0, 0),
    "in a loop": (lambda x: _log_in_loop(x, lambda x: np.exp(x) + np.exp(-x)), LARGE, 1),
    "of a matrix": (lambda x: np.sum(np.ones((3, 2)) / (1 + np.exp(x))), LARGE, 0),
    "where it is taken": (lambda x: np.where(x > 0, np.log(np.exp(x) * 2 + 1), 0).sum(), LARGE, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("native", [True, False])
def test_known_slopes(name, native):
    f, x, slope = KNOWN[name]
    with np.errstate(all="ignore"):
        for each in both_ways(ingot.jit(f, native=native), x):
            np.testing.assert_allclose(each, np.full_like(each, slope), atol=1e-200)


# Nothing is known by algebra: NaN, in both modes.

UNKNOWN = {
    "logsumexp": (lambda x: np.log(np.sum(np.exp(x))), LARGE),
    "logsumexp of small": (lambda x: np.log(np.sum(np.exp(x))), [-1000.0, -1001.0]),
    "log of square": (lambda x: np.log(x * x), 0.0),
    "quotient": (lambda x: np.exp(x) / (1 + np.exp(x)), 1000.0),
    "arctanh of tanh": (lambda x: np.arctanh(np.tanh(x)), 25.0),
    "power": (lambda x: np.sinh(x) ** -0.5, 1000.0),
    "arctan": (lambda x: np.arctan(np.exp(x)), 1000.0),
    "tanh": (lambda x: np.tanh(np.exp(x)), 1000.0),
    "product": (lambda x: np.log(np.sum(np.ones((2, 2)) @ np.exp(x))), LARGE),
    "reduced twice": (lambda x: np.log(np.sum(np.sum(np.exp(x[:, None] + np.zeros(2)), 1))), LARGE),
    "in a loop": (lambda x: _log_in_loop(x, np.sinh), LARGE),
    "where it is taken": (lambda x: np.where(x > 0, np.log(np.sinh(x)), 0).sum(), LARGE),
    "stored": (lambda x: _stored(x), LARGE),
    "sum of masked": (lambda x: np.log(np.sum(np.where(x > 0, np.exp(x), 0))), LARGE),
}  # fmt: skip


def _log_in_loop(x, function):
    total = 0.0
    for each in x:
        total = total + np.log(function(each))
    return total


def _stored(x):
    y = np.zeros(2)
    y[:] = np.exp(x)
    return np.log(y[0] + y[1])


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize("native", [True, False])
def test_no_zero_without_a_word(name, native):
    f, x = UNKNOWN[name]
    with np.errstate(all="ignore"):
        found = both_ways(ingot.jit(f, native=native), x)
    for each in found:
        assert np.isnan(each).all()


def test_the_same_where_values_are_not_used():
    def f(x):
        return np.sum(np.where(x < 100, np.log(np.sinh(x) ** 2), 0))

    x = np.array([1000.0, 1.0, -1000.0])
    with np.errstate(all="ignore"):
        backward, forward = both_ways(f, x)
    np.testing.assert_array_equal(np.isnan(backward), [False, False, True])
    np.testing.assert_array_equal(forward, backward)
    assert backward[0] == 0


def test_zero_seeds():
    f = lambda x: np.log(np.sinh(x))  # noqa: E731
    x = np.array([1000.0, 1.0])
    with np.errstate(all="ignore"):
        tangent = ingot.jvp(f, (x,), (np.array([0.0, 1.0]),))[1]
        (cotangent,) = ingot.vjp(f, x)[1](np.array([0.0, 1.0]))
        for jacobian in (ingot.jacfwd(f)(x), ingot.jacrev(f)(x)):
            np.testing.assert_allclose(jacobian, [[np.nan, 0], [0, 1 / np.tanh(1.0)]])
    np.testing.assert_allclose(tangent, [0, 1 / np.tanh(1.0)])
    np.testing.assert_allclose(cotangent, [0, 1 / np.tanh(1.0)])


def test_parts_that_are_not_read():
    def f(x):
        y = np.log(np.sinh(x))
        return y[1] + np.sum(y[2:])

    x = np.array([1000.0, 1.0, 2.0, 1.0])
    with np.errstate(all="ignore"):
        for found in both_ways(f, x):
            np.testing.assert_allclose(found, [0, *(1 / np.tanh(x[1:]))])


def test_seeds_of_compiled_code():
    @ingot.jit
    def along(x, v):
        return ingot.jvp(lambda x: np.log(np.sinh(x)), (x,), (np.where(v > 0, v, 0),))[1]

    with np.errstate(all="ignore"):
        found = along(np.array([1000.0, 1000.0]), np.array([-1.0, 1.0]))
    np.testing.assert_array_equal(found, [0, np.nan])
