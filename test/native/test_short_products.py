"""Products whose sums have few terms, which kernels compute element by element."""

import numpy as np
import pytest

import ingot

RNG = np.random.default_rng(0)


def rotated(r, x):
    return np.sin(r @ x) + 1


def of_rows(r, x):
    return x.T @ r.T


def with_a_vector(r, x):
    return x.T @ r[0]


def for_each(r, x):
    turns = r * x[0][:, None, None]
    return np.einsum("nij,jn->ni", turns, x)


def of_products(r, x):
    return r @ (x * (r @ x))


def random(shape, dtype):
    if np.dtype(dtype).kind == "i":
        return RNG.integers(-9, 9, shape).astype(dtype)
    found = RNG.uniform(-1, 1, shape)
    return (found + 1j * RNG.uniform(-1, 1, shape) if dtype == "c16" else found).astype(dtype)


@pytest.mark.parametrize("f", [rotated, of_rows, with_a_vector, for_each, of_products])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c16", "i4"])
@pytest.mark.parametrize("terms", [1, 2, 3, 4])
@pytest.mark.parametrize("strict_fp", [False, True])
def test_it_is_numpys(f, dtype, terms, strict_fp):
    r, x = random((terms, terms), dtype), random((terms, 100), dtype)
    expected, found = f(r, x), ingot.jit(f, native=True, strict_fp=strict_fp)(r, x)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    tolerance = 1e-5 if expected.dtype.itemsize == 4 else 1e-12
    np.testing.assert_allclose(found, expected, tolerance, tolerance)


def product(r, x):
    return r @ x


@pytest.mark.parametrize("dtype", ["f8", "c16"])
def test_sums_are_no_negative_zeros(dtype):
    r, x = np.full((2, 2), -0.0).astype(dtype), np.ones((2, 50), dtype)
    found = ingot.jit(product, native=True)(r, x)
    assert not np.signbit(found.real).any() and not np.signbit(found.imag).any()


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_what_is_not_finite(value):
    r, x = np.array([[0.0, 1.0], [1.0, 2.0]]), np.ones((2, 50))
    x[0, ::2] = value
    with np.errstate(invalid="ignore"):
        expected = product(r, x)
    np.testing.assert_array_equal(ingot.jit(product, native=True)(r, x), expected)


def loss(r, x):
    return np.sum(np.tanh(r @ x))


def test_its_gradient():
    r, x = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 100))
    found = ingot.grad(loss, (0, 1))(r, x)
    slope = 1 - np.tanh(r @ x) ** 2
    np.testing.assert_allclose(found[0], slope @ x.T, 1e-12, 1e-12)
    np.testing.assert_allclose(found[1], r.T @ slope, 1e-12, 1e-12)
