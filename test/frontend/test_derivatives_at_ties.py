"""Second derivatives where pieces of a smooth function meet, and of determinants of singular matrices."""

import numpy as np
import pytest
from scipy import special, stats

import ingot

TRI = special.polygamma
ORDERS = [(ingot.jacfwd, ingot.jacfwd), (ingot.jacfwd, ingot.jacrev), (ingot.jacrev, ingot.jacfwd),
          (ingot.jacrev, ingot.jacrev)]  # fmt: skip
NAMES = ["forward-forward", "forward-reverse", "reverse-forward", "reverse-reverse"]
in_all_orders = pytest.mark.parametrize(("outer", "inner"), ORDERS, ids=NAMES)


# Functions of two arguments that are equal.


@in_all_orders
def test_betaln(outer, inner):
    second = outer(inner(lambda p: special.betaln(p[0], p[1])))
    for a in (0.3, 1.0, 2.5, 7.0, 30.0):
        own, mixed = TRI(1, a) - TRI(1, 2 * a), -TRI(1, 2 * a)
        found = second(np.array([a, a]))
        np.testing.assert_allclose(found, [[own, mixed], [mixed, own]], rtol=1e-7)


@in_all_orders
def test_beta(outer, inner):
    def second(a, b):
        value = special.beta(a, b)
        by_a, by_b = (special.digamma(each) - special.digamma(a + b) for each in (a, b))
        own, mixed = TRI(1, a) - TRI(1, a + b), -TRI(1, a + b)
        return value * np.array(
            [[by_a**2 + own, by_a * by_b + mixed], [by_a * by_b + mixed, by_b**2 + own]]
        )

    found = outer(inner(lambda p: special.beta(p[0], p[1])))
    for a in (1.0, 3.5):
        np.testing.assert_allclose(found(np.array([a, a])), second(a, a), rtol=1e-9)


@in_all_orders
def test_the_density_of_beta(outer, inner):
    found = outer(inner(lambda p: stats.beta.logpdf(0.3, p[0], p[1])))(np.array([2.0, 2.0]))
    own, mixed = TRI(1, 4.0) - TRI(1, 2.0), TRI(1, 4.0)
    np.testing.assert_allclose(found, [[own, mixed], [mixed, own]], rtol=1e-9)


def test_third_derivatives_of_betaln():
    found = ingot.jacfwd(ingot.hessian(lambda a: special.betaln(a, 2.0)))(2.0)
    np.testing.assert_allclose(found, TRI(2, 2.0) - TRI(2, 4.0), rtol=1e-9)


@pytest.mark.parametrize("function", [special.betainc, special.betaincc])
def test_betainc(function):
    # Of two parameters, the derivatives at a == b lie between those beside it.
    second = ingot.hessian(lambda p: function(p[0], p[1], 0.5))
    step = 1e-3
    around = [second(np.array([2.0 + s, 2.0 - s])) for s in (step, -step)]
    np.testing.assert_allclose(second(np.array([2.0, 2.0])), np.mean(around, 0), atol=1e-6)


def test_hypot_and_logaddexp():
    a = np.array([0.7, 0.7])
    h = 0.7 * np.sqrt(2)
    expected = np.array([[0.5, -0.5], [-0.5, 0.5]]) / h
    np.testing.assert_allclose(ingot.hessian(lambda p: np.hypot(p[0], p[1]))(a), expected)
    expected = np.array([[0.25, -0.25], [-0.25, 0.25]])
    np.testing.assert_allclose(ingot.hessian(lambda p: np.logaddexp(p[0], p[1]))(a), expected)


# Determinants.

SINGULAR = np.array([[1.0, 2, 3, 4], [2, 4, 6, 8], [0, 1, 1, 0], [1, 0, 0, 1]])


def test_second_derivatives_of_determinants():
    expected = ingot.hessian(np.linalg.det)(SINGULAR)
    assert np.isfinite(expected).all()
    for outer, inner in ORDERS[1:]:
        np.testing.assert_allclose(outer(inner(np.linalg.det))(SINGULAR), expected, atol=1e-12)
    step = 1e-5
    for i, j in ((0, 0), (1, 2), (3, 3)):
        unit = np.zeros((4, 4))
        unit[i, j] = step
        slopes = [ingot.grad(np.linalg.det)(SINGULAR + s * unit) for s in (1, -1)]
        np.testing.assert_allclose(expected[i, j], (slopes[0] - slopes[1]) / (2 * step), atol=1e-6)


def test_functions_of_the_gradient_of_a_determinant():
    def f(m):
        return np.sum(ingot.grad(np.linalg.det)(m) ** 2)

    expected = 2 * np.einsum(
        "ij,ijkl->kl", ingot.grad(np.linalg.det)(SINGULAR), ingot.hessian(np.linalg.det)(SINGULAR)
    )
    np.testing.assert_allclose(ingot.grad(f)(SINGULAR), expected, atol=1e-12)
    np.testing.assert_allclose(ingot.jacfwd(f)(SINGULAR), expected, atol=1e-12)


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_determinants_of_each_rank(rank):
    a = np.diag([1.0, 2.0, 3.0, 4.0])
    a[rank:] = 0
    orders = [outer(inner(np.linalg.det))(a) for outer, inner in ORDERS[1:]]
    for found in orders:
        assert np.isfinite(found).all()
        np.testing.assert_allclose(found, orders[0], atol=1e-12)


def test_a_determinant_of_two_equal_rows():
    def d(x):
        return np.linalg.det(np.array([[x, 1.0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]))

    assert ingot.grad(lambda x: ingot.grad(d)(x))(1.0) == 0
