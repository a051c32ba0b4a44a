"""Sums of the elements of products, which need not compute the products."""

import numpy as np
import pytest

import ingot

RNG = np.random.default_rng(0)


def everything(a, b, c):
    return np.sum(a @ b @ c)


def columns(a, b, c):
    return np.sum(2 * (a @ b) - c.T @ c, axis=0)


def mean_of_a_layer(a, b, c):
    return np.mean(a @ b + c[0], axis=1)


def of_batches(a, b, c):
    stack = np.stack((a, c))
    return np.sum(np.einsum("bij,jk->bik", stack, b), axis=(0, 2))


def scaled_rows(a, b, c):
    return np.sum(c[0][:, None] * (a @ b)[:, ::-1].T * 3, axis=1)


FUNCTIONS = [everything, columns, mean_of_a_layer, of_batches, scaled_rows]


def random(dtype):
    if dtype == "i8":
        return [RNG.integers(-(2**40), 2**40, (70, 70)) for _ in range(3)]
    made = [RNG.normal(size=(70, 70)) for _ in range(3)]
    return [(x + 1j * x[::-1] if dtype == "c16" else x).astype(dtype) for x in made]


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["f4", "f8", "c16", "i8"])
@pytest.mark.parametrize("native", [False, True])
def test_it_is_numpys(f, dtype, native):
    args = random(dtype)
    expected, found = f(*args), ingot.jit(f, native=native)(*args)
    assert found.dtype == expected.dtype and np.shape(found) == np.shape(expected)
    tolerance = 1e-3 if dtype == "f4" else 1e-10
    np.testing.assert_allclose(found, expected, tolerance, tolerance * np.abs(expected).max())


@pytest.mark.parametrize("f", [everything, columns, mean_of_a_layer])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("native", [False, True])
def test_infinite_elements_cancel_as_in_numpy(f, value, native):
    args = random("f8")
    args[0][3, 4] = value
    with np.errstate(invalid="ignore"):
        expected = f(*args)
    np.testing.assert_allclose(ingot.jit(f, native=native)(*args), expected, 1e-10)


def test_infinities_of_both_signs():
    """Each row of the product has both infinities, although sums of its columns would not."""
    a, b = np.ones((40, 40)), np.full((40, 50), 0.5)
    a[0, 0], b[0] = np.inf, np.where(np.arange(50) == 7, -1.0, 1.0)
    with np.errstate(invalid="ignore"):
        assert np.isnan(np.sum(a @ b))
    assert np.isnan(ingot.jit(lambda a, b: np.sum(a @ b))(a, b))


@pytest.mark.parametrize("f", [everything, mean_of_a_layer])
def test_no_product_of_matrices_is_left(f):
    lowered = ingot.jit(f).lower(*random("f8"))
    for text in lowered.native().values():
        then = text["ingot"].split("else")[0]
        assert "70x70xf64>, tensor<70x70xf64>) -> tensor<70x70" not in then
        assert then.count("ingot.dot_general") >= 1


def loss(a, b, c):
    return np.sum(a @ b @ c) + np.sum(np.tanh(a) * c)


def test_its_gradient():
    a, b, c = random("f8")
    expected = np.outer(np.ones(70), b @ c.sum(1)) + (1 - np.tanh(a) ** 2) * c
    np.testing.assert_allclose(ingot.grad(loss)(a, b, c), expected, 1e-9, 1e-9)


def in_a_loop(a, b, c):
    total = 0.0
    for i in range(20):
        total += np.sum((a * i) @ b)
        if total > 1e3:
            total -= np.sum(b @ c)
    return total


@pytest.mark.parametrize("native", [False, True])
def test_in_loops_and_branches(native):
    args = random("f8")
    found = ingot.jit(in_a_loop, native=native)(*args)
    np.testing.assert_allclose(found, in_a_loop(*args), 1e-9)
