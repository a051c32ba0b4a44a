"""Kernels round as NumPy does where another rounding is seen, and know zeros as it does."""

import numpy as np
import pytest

import ingot
from one_kernel import block, check

FLOATS = [np.float64, np.float32]


@pytest.mark.parametrize("dtype", FLOATS)
def test_angles_of_zeros_that_are_known(dtype):
    def f(x):
        zero, least = np.zeros(3, dtype), np.full(3, -0.0, dtype)
        pairs = [(y, x) for y in (zero, least) for x in (zero, least)]
        return [np.arctan2(*pair) for pair in pairs], np.angle(zero), np.arctan2(x, zero)

    for x in (np.zeros(3, dtype), np.array([0, -0.0, 1], dtype)):
        check(f, x)


@pytest.mark.parametrize("dtype", FLOATS)
def test_differences_of_products_round_both(dtype):
    def f(x, y, z, w):
        h = 2 * x
        a, b = np.stack([x, y, z], 1), np.array([x[0], y[0], z[0]])
        return np.sqrt(2 * x * h - h * h), x * y - z * w, -(x * y) + z * w, np.cross(a, b)

    args = [block(dtype, 300) for _ in range(4)]
    for found, expected in zip(ingot.jit(f)(*args), f(*args), strict=True):
        np.testing.assert_array_equal(found, expected)
