"""Products of a large matrix and vectors in one sweep over its rows, against NumPy."""

import re

import numpy as np
import pytest

import ingot
from one_kernel import F32, F64, FLOATS, RNG, check, name_of

#: Rows that are a multiple of no number of blocks, and fewer columns than rows and more.
SHAPES = [(1021, 509), (509, 1021)]


def both_sides(a, x, y):
    return y @ a, a @ x


def transposed(a, x, y):
    return a.T @ y + x, a @ x - y


def normal_equations(a, x, y):
    r = a @ x - y
    return a.T @ r, r


def logistic_gradient(a, x, y):
    p = 1 / (1 + np.exp(-(a @ x)))
    return a.T @ (p - (y > 0)) / len(y)


def chained(a, x, y):
    return (a @ x) @ a


def several(a, x, y):
    return a @ x, a @ (2 * x), y @ a, (y * y) @ a, np.abs(a @ x + 1) @ a


def in_place(a, x, y):
    y += a @ x
    x += (0.5 * y) @ a


def iterated(a, x, y):
    for _ in range(3):
        x = x - 1e-4 * (a.T @ (a @ x - y))
    return x


FUNCTIONS = [
    both_sides, transposed, normal_equations, logistic_gradient, chained, several, in_place,
    iterated,
]  # fmt: skip


def arguments(shape, dtype):
    rows, columns = shape
    return [RNG.normal(size=size).astype(dtype) for size in (shape, columns, rows)]


@pytest.mark.parametrize("dtype", FLOATS, ids=name_of)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("f", FUNCTIONS, ids=name_of)
def test_values(f, shape, dtype):
    rtol = 1e-12 if dtype == F64 else 2e-5
    check(f, *arguments(shape, dtype), rtol=rtol, cancels=True)


def arrays_of_loops(f, *args):
    """The number of arrays that each loop which threads share stores to."""
    kernels = ingot.jit(f, native=True).lower(*args).native().values()
    return [
        int(number)
        for kernel in kernels
        for number in re.findall(r"ingot.parallel = (\d+)", kernel["linalg"])
    ]


def test_one_sweep_for_all_products():
    args = arguments((1021, 509), F64)
    assert arrays_of_loops(both_sides, *args) == [2]
    assert arrays_of_loops(several, *args) == [5]
    # A product that needs all of another one takes a sweep of its own.
    assert max(arrays_of_loops(lambda a, x, y: a @ (x * (y @ a)), *args)) == 1


def test_a_small_matrix_has_no_sweep():
    assert 2 not in arrays_of_loops(both_sides, *arguments((100, 100), F32))


def test_nan_and_infinity():
    a, x, y = arguments((1021, 509), F64)
    a[3, 5], a[700, 2], x[9] = np.nan, np.inf, np.inf
    check(both_sides, a, x, y, cancels=True)
    check(chained, a, x, y, cancels=True)


def test_derivatives_share_sweeps():
    a, x, y = arguments((1021, 509), F64)

    def loss(x, a, y):
        r = a @ x - y
        return r @ r

    gradient = ingot.grad(loss)(x, a, y)
    np.testing.assert_allclose(gradient, 2 * a.T @ (a @ x - y), rtol=1e-10)
