"""Which results without axes are NumPy's scalars, and which are arrays."""

import numpy as np
import pytest

import ingot
from oracle import assert_same

LINE, PLANE, ZERO = np.arange(3.0), np.arange(6.0).reshape(2, 3), np.array(5.0)
INDICES = [(np.array(1), 0), (np.array(-1), np.array(0)), (np.array(1, np.uint8), 1)]


def types(values):
    return [type(each) for each in values]


def indexed(a, b, i, j):
    return (
        a[i], a[i, ...], b[i, i], b[i, 0], b[0, i], b[i, i, ...], a.take(i), np.take(b, i),
        a[i, None], a[(i,)], a[..., i], b[i], b[i, :], b[i][j], b[j, i],
    )  # fmt: skip


@pytest.mark.parametrize("i, j", INDICES)
def test_indices_without_axes(i, j):
    found, expected = ingot.jit(indexed)(LINE, PLANE, i, j), indexed(LINE, PLANE, i, j)
    assert types(found) == types(expected)
    assert_same(found, expected)
    gradient = ingot.grad(lambda a, i: a[i] ** 2)(LINE, i)
    np.testing.assert_array_equal(gradient, np.where(LINE == LINE[i], 2 * LINE, 0))


def reduced(a):
    return (
        np.quantile(a, 1, keepdims=True), np.quantile(a, 0.5), np.nanquantile(a, 0.5, keepdims=True),
        np.median(a, keepdims=True), np.median(a), np.nanmedian(a, keepdims=True), np.nanmedian(a),
        np.linalg.vector_norm(a, keepdims=True), np.linalg.norm(a, keepdims=True),
        np.sum(a, keepdims=True), np.mean(a, keepdims=True), np.max(a, keepdims=True),
    )  # fmt: skip


@pytest.mark.parametrize("a", [ZERO, np.array(5), np.ones((1, 1)), LINE])
def test_reductions_that_keep_axes(a):
    found, expected = ingot.jit(reduced)(a), reduced(a)
    assert types(found) == types(expected)
    assert_same(found, expected)


@pytest.mark.parametrize("f", [np.roots, np.poly])
def test_polynomials_have_coefficients(f):
    for call in (f, ingot.jit(lambda p: f(p))):
        with pytest.raises(TypeError):
            call(ZERO)


def test_unique_of_one_element():
    def f(x):
        return np.unique_inverse(x), np.unique(x, return_inverse=True)

    x = np.array(7.25)
    assert_same(ingot.jit(f)(x), f(x))
