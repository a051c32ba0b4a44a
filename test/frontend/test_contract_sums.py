"""Sums of broadcast products, by broadcasting and in loops, with and without kernels."""

import copy

import numpy as np
import pytest

import ingot
from sources import namespace_of

RNG = np.random.default_rng(0)
#: Of a (12, 9), b (9, 10), c (3, 12, 9), v (9,).
VALUES = [
    "(a[:, :, None] * b).sum(axis=1)", "(b * a[:, :, None]).sum(axis=1)",
    "(b.T[:, None, :] * a).sum(axis=-1)", "(a[:, :, None] * b).sum(axis=1, keepdims=True)",
    "(c[:, :, :, None] * b).sum(axis=2)", "(c[:, :, :, None] * b).sum(axis=(0, 2))",
    "(c[..., None] * c.transpose(0, 2, 1)[:, None]).sum(axis=2)",
    "np.mean(a[:, :, None] * b, axis=1)", "(a[:, :, None] * b[None, :, :]).sum(axis=(0, 1))",
    "np.sum(a[:, :, None] * (2.0 * b), axis=1) + 1", "(a * v).sum(axis=1)", "(a[:, None] * v).sum()",
    "(a[None, :, :, None] * b[:, None].transpose(1, 0, 2)[:, None]).sum(axis=2)",
    "(np.outer(v, v)[:, :, None] * b).sum(axis=1)",
]  # fmt: skip


def products(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def products_of_rows(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = np.sum(a[i, :] * b[:, j])
    return c


def convolution(x, w):
    y = np.zeros((x.shape[0] - w.shape[0] + 1, x.shape[1] - w.shape[1] + 1, w.shape[3]))
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            window = x[i : i + w.shape[0], j : j + w.shape[1], :, np.newaxis]
            y[i, j] = np.sum(window * w, axis=(0, 1, 2))
    return y


def arguments(dtype):
    shapes = ((12, 9), (9, 10), (3, 12, 9), (9,))
    arrays = [RNG.normal(size=shape) for shape in shapes]
    if np.dtype(dtype).kind == "c":
        arrays = [array + 1j * RNG.normal(size=array.shape) for array in arrays]
    return [
        (10 * array if np.dtype(dtype).kind == "i" else array).astype(dtype) for array in arrays
    ]


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("expression", VALUES)
def test_values(expression, native, tmp_path):
    f = namespace_of(f"def f(a, b, c, v):\n    return {expression}\n", tmp_path)["f"]
    compiled = ingot.jit(f, native=native)
    for dtype in (np.float64, np.float32, np.complex128, np.int64):
        args = arguments(dtype)
        expected, found = f(*copy.deepcopy(args)), compiled(*args)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        tolerance = 1e-4 if dtype == np.float32 else 1e-12
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan])
def test_infinities(special, native, tmp_path):
    text = "def f(a, b):\n    return (a[:, :, None] * b).sum(axis=1)\n"
    f = namespace_of(text, tmp_path)["f"]
    a, b, *_ = arguments(np.float64)
    a[3, 2], b[5, 1], b[2, 4] = special, 0, 0
    with np.errstate(invalid="ignore"):
        expected = f(a, b)
    np.testing.assert_allclose(ingot.jit(f, native=native)(a, b), expected, rtol=1e-12)


LOOPS = [
    (products, ((12, 9), (9, 10))), (products_of_rows, ((12, 9), (9, 10))),
    (convolution, ((9, 8, 3), (3, 2, 3, 4))),
]  # fmt: skip


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(("f", "shapes"), LOOPS)
def test_loops(f, shapes, native):
    args = [RNG.normal(size=shape) for shape in shapes]
    compiled = ingot.jit(f, native=native)
    np.testing.assert_allclose(compiled(*args), f(*args), rtol=1e-12, atol=1e-12)

    def loss(*args):
        return (f(*args) ** 2).sum()

    gradient = ingot.jit(ingot.grad(loss), native=native)(*args)
    step = 1e-6 * RNG.normal(size=shapes[0])
    change = loss(args[0] + step, args[1]) - loss(args[0] - step, args[1])
    np.testing.assert_allclose((gradient * step).sum() * 2, change, rtol=1e-5)


@pytest.mark.once
@pytest.mark.parametrize("f", [products, products_of_rows])
def test_loops_of_products_are_one_product(f):
    args = [RNG.normal(size=shape) for shape in ((12, 9), (9, 10))]
    text = ingot.jit(f, native=False).lower(*args).stablehlo()
    assert text.count("stablehlo.dot_general") == 1
    assert "stablehlo.while" not in text and "12x10x9" not in text


@pytest.mark.once
def test_strict_sums_stay():
    def f(a, b):
        return (a[:, :, None] * b).sum(axis=1)

    a, b, *_ = arguments(np.float64)
    assert "dot_general" not in ingot.jit(f, strict_fp=True).lower(a, b).stablehlo()
    assert "dot_general" in ingot.jit(f, native=False).lower(a, b).stablehlo()
