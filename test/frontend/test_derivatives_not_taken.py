"""Derivatives where a branch that is not taken is infinite or NaN: it counts nothing, in any order."""

import numpy as np
import pytest

import ingot
from level import in_turn

X = np.array([4.0, -1.0, 0.25, 0.0, -2.0])
TAKEN = X > 0
ORDERS = [(ingot.jacfwd, ingot.jacfwd), (ingot.jacfwd, ingot.jacrev), (ingot.jacrev, ingot.jacfwd),
          (ingot.jacrev, ingot.jacrev)]  # fmt: skip
NAMES = ["forward-forward", "forward-reverse", "reverse-forward", "reverse-reverse"]


def root(x):
    return np.where(x > 0, np.sqrt(x), 0).sum()


def squared_root(x):
    return (np.where(x > 0, np.sqrt(x), 0) ** 2 * x).sum()


def power(x):
    return np.where(x > 0, x**1.5, 0).sum()


def logarithm(x):
    return np.where(x > 0, x * np.log(x), 0).sum()


def quotient(x):
    return np.where(x > 0, 1 / np.where(x > 0, x, 0), 0).sum()


def arcs(x):
    inside, outside = (x > 0) & (x < 1), x > 1
    return (np.where(inside, np.arcsin(x), 0) + np.where(outside, np.arccosh(x), 0)).sum()


def masked_store(x):
    y = np.sqrt(x) * x
    y[x <= 0] = 0
    return y.sum()


def masked_root(x):
    return np.sqrt(x[x > 0]).sum()


def where_argument(x):
    return np.sqrt(x, where=x > 0, out=np.zeros_like(x)).sum()


def nan_sum(x):
    # At 0 the second derivative is infinite.
    return np.nansum(np.where(x == 0, np.nan, np.sqrt(x)) ** 3)


def nan_prod(x):
    return np.nanprod(np.where(x == 0, 1, np.sqrt(x)))


def masked_product(x):
    y = np.prod(np.stack([np.sqrt(x), np.log(x)]), axis=0)
    return np.where(x > 0, y, 0).sum()


def masked_running_product(x):
    y = np.cumprod(np.stack([np.sqrt(x), np.log(x), x]), axis=0)
    return np.where(x > 0, y, 0).sum()


def masked_extremum(x):
    y = np.max(np.stack([np.sqrt(x), np.log(x)]), axis=0)
    return np.where(x > 0, y, 0).sum()


def chosen(x):
    def one(a):
        return np.sqrt(a) if a > 0 else 0.0

    return ingot.vmap(one)(x).sum()


FUNCTIONS = (root, squared_root, power, logarithm, quotient, arcs, masked_store, masked_root,
             where_argument, nan_sum, nan_prod, masked_product, masked_running_product,
             masked_extremum, chosen)  # fmt: skip


def on_taken(f, x):
    """f of the whole, of the elements whose branch is taken."""
    whole = X.copy()
    whole[TAKEN] = x
    with np.errstate(all="ignore"):
        return f(whole)


def slopes(f, x, step=1e-5):
    units = step * np.eye(x.size)
    return np.array([(f(x + unit) - f(x - unit)) / (2 * step) for unit in units])


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_is_not_taken_counts_nothing(f):
    if f is chosen:
        f_plain = root
    else:
        f_plain = f
    first, second = np.zeros(X.size), np.zeros((X.size, X.size))
    first[TAKEN] = slopes(lambda x: on_taken(f_plain, x), X[TAKEN])
    inner = slopes(lambda x: slopes(lambda y: on_taken(f_plain, y), x, 2e-4), X[TAKEN], 2e-4)
    second[np.ix_(TAKEN, TAKEN)] = inner
    for way in (ingot.jacfwd, ingot.jacrev):
        np.testing.assert_allclose(way(f)(X), first, rtol=1e-5, atol=1e-5)
    for (outer, inside), name in in_turn([*zip(ORDERS, NAMES, strict=True)], f.__name__):
        found = outer(inside(f))(X)
        np.testing.assert_allclose(found, second, rtol=1e-3, atol=1e-4, err_msg=name)


def test_the_direction_of_a_gradient():
    direction = np.arange(1.0, 6.0)
    _, found = ingot.jvp(ingot.grad(root), (X,), (direction,))
    expected = np.zeros(5)
    expected[TAKEN] = -0.25 * X[TAKEN] ** -1.5 * direction[TAKEN]
    np.testing.assert_allclose(found, expected)


def test_third_derivatives_where_the_first_is_zero():
    def f(x):
        return np.sin(x - 1) ** 2 * x

    def third(g):
        return ingot.grad(ingot.grad(ingot.grad(g)))(1.0)

    # (x - 1)**2 * x: 6 from the cube.
    np.testing.assert_allclose(third(f), 6.0)
    np.testing.assert_allclose(ingot.jacfwd(ingot.grad(ingot.jacfwd(f)))(1.0), 6.0)


def test_the_slope_of_a_power_at_exponent_zero_has_a_slope():
    f = ingot.jacfwd(ingot.grad(np.power), argnums=1)
    np.testing.assert_allclose(f(3.0, 0.0), 1 / 3)
    np.testing.assert_allclose(ingot.grad(ingot.grad(np.power), argnums=1)(3.0, 0.0), 1 / 3)
    assert ingot.grad(np.power)(0.0, 0.0) == 0


@pytest.mark.parametrize("exponent", [0.25, 0.5, 0.75, np.float32(0.2)])
def test_roots_have_the_slope_zero_at_zero(exponent):
    def f(x):
        return x**exponent

    exact = exponent * 4.0 ** (exponent - 1)
    np.testing.assert_allclose(ingot.grad(f)(4.0), exact)
    np.testing.assert_allclose(ingot.grad(np.power)(4.0, float(exponent)), exact)
    assert ingot.grad(f)(0.0) == ingot.grad(np.power)(0.0, float(exponent)) == 0
    # The true one is infinite, and where a smooth function of the root has one, 0 would be wrong.
    assert not np.isfinite(ingot.jacfwd(ingot.grad(f))(0.0))


def test_powers_have_the_slope_zero_where_their_base_touches_zero():
    def f(x):
        return np.sum((x**2) ** 0.75)  # |x|**1.5

    x = np.array([0.0, -1.0, 4.0])
    np.testing.assert_allclose(ingot.grad(f)(x), [0.0, -1.5, 3.0])
    np.testing.assert_allclose(ingot.jvp(f, (x,), (np.ones(3),))[1], 1.5)


def test_other_powers_keep_their_slope_at_zero():
    slope = ingot.grad(np.power)
    assert [slope(0.0, y) for y in (1.0, 1.5, -0.0, 0.0)] == [1, 0, 0, 0]
    assert slope(0.0, -0.5) == -np.inf


@pytest.mark.parametrize(("outer", "inner"), ORDERS, ids=NAMES)
def test_arcs_have_the_slope_zero_at_their_ends(outer, inner):
    for f, x in (
        (np.arcsin, 1.0),
        (np.arcsin, -1.0),
        (np.arccos, 1.0),
        (np.arccos, -1.0),
        (np.arccosh, 1.0),
    ):
        assert inner(f)(x) == 0
        assert not np.isfinite(outer(inner(f))(x))
    np.testing.assert_allclose(inner(np.arccos)(0.6), -1.25)


def test_the_angle_of_parallel_vectors_has_a_gradient():
    def angle(a, b):
        return np.arccos(np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b)))

    a = np.array([3.0, 4.0])
    assert angle(a, -2 * a) == np.pi
    np.testing.assert_array_equal(ingot.grad(angle)(a, -2 * a), 0)


def test_a_segment_that_is_the_whole_circle_has_a_gradient():
    def segment(r):
        h = 2 * r
        return r**2 * np.arccos((r - h) / r) - (r - h) * np.sqrt(2 * r * h - h**2)

    np.testing.assert_allclose(ingot.grad(segment)(2.0), 4 * np.pi)


def test_the_angle_of_zero_has_the_slope_zero():
    assert ingot.grad(np.arctan2, argnums=(0, 1))(0.0, 0.0) == (0, 0)
    assert ingot.grad(lambda x: np.angle(x * (1 + 1j)))(0.0) == 0
    np.testing.assert_allclose(ingot.grad(np.arctan2, argnums=(0, 1))(3.0, 4.0), (4 / 25, -3 / 25))


# Sums of products.

A = np.array([[1.0, 2.0], [np.inf, 3.0], [np.nan, 1.0]])
W = np.array([[0.5, 1.0, -1.0], [2.0, 1.5, 1.0]])
GOOD = np.array([True, False, False])


def by_weights(w):
    return np.where(GOOD[:, None], A @ w, 0).sum()


def by_weights_of_einsum(w):
    return np.where(GOOD[:, None], np.einsum("ij,jk->ik", A, w), 0).sum()


def by_transposed(w):
    return np.where(GOOD, w.T @ A.T, 0).sum()


def squared(w):
    return (np.where(GOOD[:, None], A @ w, 0) ** 2).sum()


@pytest.mark.parametrize("f", [by_weights, by_weights_of_einsum, squared])
def test_products_of_rows_that_are_not_taken(f):
    def of_rows(w):
        y = A[GOOD] @ w
        return (y**2).sum() if f is squared else y.sum()

    for way in (ingot.jacfwd, ingot.jacrev):
        np.testing.assert_allclose(way(f)(W), way(of_rows)(W))
    for outer, inside in ORDERS:
        np.testing.assert_allclose(outer(inside(f))(W), outer(inside(of_rows))(W))


def test_products_with_vectors_that_are_not_taken():
    def f(w):
        return np.where(GOOD, A @ w, 0).sum()

    for way in (ingot.jacfwd, ingot.jacrev):
        np.testing.assert_allclose(way(f)(np.ones(2)), A[0])
    rows = ingot.vmap(ingot.grad(f))(np.ones((4, 2)))
    np.testing.assert_allclose(rows, np.tile(A[0], (4, 1)))


def test_infinite_and_nan_products_that_are_taken_count():
    g = ingot.grad(lambda w: (A @ w).sum())(W)
    assert np.isnan(g[0]).all()
    np.testing.assert_allclose(g[1], 6.0)
    g = ingot.grad(lambda w: (A[:2] @ w).sum())(W)
    assert not np.isfinite(g[0]).any()


def test_a_direction_that_leaves_an_infinite_element_out():
    f = lambda w: A[1] @ w  # noqa: E731
    _, found = ingot.jvp(f, (np.ones(2),), (np.array([0.0, 1.0]),))
    np.testing.assert_allclose(found, 3.0)


def test_complex_products():
    a = np.array([[1 + 1j, 2], [np.inf, 3]])

    def f(w):
        return np.where(GOOD[:2], a @ w, 0).sum().real

    np.testing.assert_allclose(ingot.grad(f)(np.ones(2) + 0j), a[0])


def running_product(x):
    return np.cumprod(x).sum()


def product(x):
    return np.prod(x)


@pytest.mark.parametrize(("outer", "inner"), ORDERS, ids=NAMES)
def test_products_of_several_zeros(outer, inner):
    of_two = [[0, 0.5, 0], [0.5, 0, 0], [0, 0, 0]]
    x = np.array([0.0, 0.0, -0.5])
    np.testing.assert_array_equal(outer(inner(running_product))(x), of_two)
    np.testing.assert_array_equal(
        outer(inner(running_product))(np.zeros(3)), [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    )
    third = ingot.jacfwd(outer(inner(product)))(np.zeros(3))
    expected = np.zeros((3, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)):
        expected[i, j, k] = 1
    np.testing.assert_array_equal(third, expected)


def test_running_products_keep_their_range():
    x = np.concatenate((np.full(300, 10.0), np.full(320, 0.1)))
    expected = [np.cumprod(x)[i:].sum() / x[i] for i in range(len(x))]
    np.testing.assert_allclose(ingot.grad(running_product)(x), expected, rtol=1e-10)
    # XLA takes subnormal numbers as zero.
    small = np.array([1e-310, 0, 2])
    for native, middle in ((True, 3e-310), (False, 0)):
        found = ingot.grad(ingot.jit(running_product, native=native))(small)
        np.testing.assert_array_equal(found, [1, middle, 0])


@pytest.mark.parametrize(("outer", "inner"), ORDERS, ids=NAMES)
def test_sinc_near_zero(outer, inner):
    def f(x):
        return np.sinc(x)

    x = np.array([0.0, 1e-9, -1e-5, 0.1])
    np.testing.assert_array_equal(ingot.jit(f)(x[:2]), f(x[:2]))
    y = np.pi * x[1:]
    slope = [inner(f)(each) for each in x]
    exact = np.pi * (-y / 3 + y**3 / 30 - y**5 / 840 + y**7 / 45360 - y**9 / 3991680)
    np.testing.assert_allclose(slope, [0, *exact], rtol=1e-9)
    curvature = -(np.pi**2) / 3
    np.testing.assert_allclose([outer(inner(f))(each) for each in x[:2]], curvature)
