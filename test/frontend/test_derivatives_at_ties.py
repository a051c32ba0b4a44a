"""Second derivatives where pieces of a smooth function meet, at norms of zeros, and derivatives of functions
of matrices with equal eigenvalues: the true ones, or NaN."""

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


# Norms of zeros.


def huber(x):
    n = np.linalg.norm(x)
    return np.where(n < 1, 0.5 * n**2, n - 0.5)


#: Smooth functions, and their second derivatives at zeros as multiples of the identity.
SMOOTH = {
    "norm**2": (lambda x: np.linalg.norm(x) ** 2, 2),
    "norm * norm": (lambda x: np.linalg.norm(x) * np.linalg.norm(x), 2),
    "square": (lambda x: np.square(np.linalg.norm(x)), 2),
    "keepdims": (lambda x: np.sum(np.linalg.norm(x, keepdims=True, axis=0) ** 2), 2),
    "norm**4": (lambda x: np.linalg.norm(x) ** 4, 0),
    "huber": (huber, 1),
    "gauss": (lambda x: np.exp(-(np.linalg.norm(x) ** 2)), -2),
    "sqrt**2": (lambda x: np.sum(np.sqrt(x * x) ** 2), 2),
    "hypot": (lambda x: np.hypot(x[0], x[1]) ** 2, 2),
    "hypot**4": (lambda x: np.hypot(x[0], x[1]) ** 4, 0),
    "abs**2": (lambda x: np.sum(np.abs(x) ** 2), 2),
    "abs * abs": (lambda x: np.sum(np.abs(x) * np.abs(x)), 2),
    "function": (lambda x: (lambda n: n * n)(np.sqrt(np.dot(x, x))), 2),
}  # fmt: skip


@in_all_orders
@pytest.mark.parametrize("name", SMOOTH)
def test_squares_of_norms(outer, inner, name):
    f, factor = SMOOTH[name]
    np.testing.assert_array_equal(outer(inner(f))(np.zeros(2)), factor * np.eye(2))
    np.testing.assert_array_equal(inner(f)(np.zeros(2)), 0)


@pytest.mark.parametrize("name", SMOOTH)
def test_squares_of_norms_elsewhere(name):
    x = np.array([0.3, -0.4])
    f, step = SMOOTH[name][0], 1e-4 * np.eye(2)
    first = np.array([(f(x + s) - f(x - s)) / 2e-4 for s in step])
    np.testing.assert_allclose(ingot.grad(f)(x), first, rtol=1e-6)
    np.testing.assert_allclose(ingot.jvp(f, (x,), (x,))[1], first @ x, rtol=1e-6)
    second = [(ingot.grad(f)(x + s) - ingot.grad(f)(x - s)) / 2e-4 for s in step]
    np.testing.assert_allclose(ingot.hessian(f)(x), second, rtol=1e-6, atol=1e-6)


def test_a_squared_root_of_a_negative_number_has_no_slope():
    with np.errstate(invalid="ignore"):
        assert np.isnan(ingot.grad(lambda x: np.sqrt(x) ** 2)(-1.0))
        assert np.isnan(ingot.jvp(lambda x: np.sqrt(x) ** 2, (-1.0,), (1.0,))[1])
    assert ingot.grad(lambda x: np.sqrt(x) ** 2)(0.0) == 1


#: Flat where the norm has its kink, which algebra does not see through, and the kink by itself.
KINKS = {
    "cos": lambda x: np.cos(np.linalg.norm(x)),
    "cosh of hypot": lambda x: np.cosh(np.hypot(x[0], x[1])),
    "matern": lambda x: (lambda r: (1 + r) * np.exp(-r))(np.linalg.norm(x)),
    "norm": np.linalg.norm,
    "root": lambda x: np.sum(np.sqrt(x)),
}


@in_all_orders
@pytest.mark.parametrize("name", KINKS)
def test_kinks_have_no_second_derivative(outer, inner, name):
    np.testing.assert_array_equal(inner(KINKS[name])(np.zeros(2)), 0)
    assert np.isnan(np.diag(outer(inner(KINKS[name]))(np.zeros(2)))).all()


@in_all_orders
def test_kinks_that_are_not_used(outer, inner):
    x = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, -1.0]])
    is_self = np.eye(3, dtype=bool)

    def selected(x):
        d = np.linalg.norm(x[:, None] - x, axis=-1)
        return np.sum(np.where(is_self, 0, np.cos(d) / (1 + d)))

    def filled(x):
        d = np.linalg.norm(x[:, None] - x, axis=-1)
        np.fill_diagonal(d, np.inf)
        return np.sum(1 / d)

    def pairs(x):
        i, j = np.triu_indices(3, 1)
        return np.sum(1 / np.linalg.norm(x[i] - x[j], axis=-1))

    assert np.isfinite(outer(inner(selected))(x)).all()
    found = outer(inner(filled))(x)
    np.testing.assert_allclose(found, 2 * outer(inner(pairs))(x), atol=1e-12)


@in_all_orders
def test_absolute_values_keep_their_convention(outer, inner):
    assert outer(inner(np.abs))(0.0) == 0


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

    # Rounded, in another way by the libraries of each processor.
    assert abs(ingot.grad(lambda x: ingot.grad(d)(x))(1.0)) < 1e-40


def test_branches_without_a_cotangent_leave_what_they_use():
    # The factors are used on the side that is not taken.
    def f(a):
        inverse = np.linalg.inv(a + 0 * a)
        return np.where(a[0, 0] > 5, inverse.sum(), 0.0) + (
            inverse.sum() if a[0, 0] > 5 else a.sum()
        )

    np.testing.assert_array_equal(ingot.grad(f)(np.diag([1.0, 2.0])), 1)
