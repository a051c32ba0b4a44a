"""Loops over sliding windows on accelerators: convolutions, if all is finite."""

import numpy as np
import pytest
from accelerators import for_accelerators

import ingot

RNG = np.random.default_rng(3)


def images(x, w):
    """As one writes a layer of a neural network."""
    size = w.shape[0]
    rows, columns = x.shape[1] - size + 1, x.shape[2] - size + 1
    out = np.empty((x.shape[0], rows, columns, w.shape[3]), x.dtype)
    for i in range(rows):
        for j in range(columns):
            window = x[:, i : i + size, j : j + size, :, np.newaxis]
            out[:, i, j, :] = np.sum(window * w[np.newaxis], axis=(1, 2, 3))
    return out


def strided(x, w):
    out = np.zeros(((x.shape[0] - 3) // 2 + 1, (x.shape[1] - 2) // 3 + 1, w.shape[2]), x.dtype)
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            window = x[2 * i : 2 * i + 3, 3 * j : 3 * j + 2]
            out[i, j] = np.tensordot(window, w[:3, :2], 2)
    return out


def dilated(x, w):
    out = np.zeros((x.shape[0], x.shape[1] - 6, w.shape[1]), x.dtype)
    for i in range(out.shape[1]):
        out[:, i] = x[:, i : i + 7 : 3] @ w[:3]
    return out


def from_the_third_on(x, w):
    """An offset, and a part of the array that no window has."""
    out = np.zeros((x.shape[0] - 6, w.shape[1]), x.dtype)
    for i in range(out.shape[0]):
        out[i] = x[i + 2 : i + 5, 1] @ w[:3]
    return out


def volumes(x, w):
    out = np.zeros((x.shape[0] - 1, x.shape[1] - 2, x.shape[2] - 1, w.shape[3]), x.dtype)
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            for k in range(out.shape[2]):
                window = x[i : i + 2, j : j + 3, k : k + 2]
                out[i, j, k] = np.tensordot(window, w[:2, :3, :2], 3)
    return out


def spread(x, w):
    """A transposed convolution."""
    out = np.zeros((2 * x.shape[0] + 1, x.shape[1] + 1, w.shape[3]), x.dtype)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[2 * i : 2 * i + 3, j : j + 2] += np.tensordot(x[i, j], w, 1)
    return out


def spread_with_holes(x, w):
    out = np.ones((x.shape[0] + 5, w.shape[2]), x.dtype)
    for i in range(x.shape[0]):
        out[i + 1 : i + 6 : 2] -= np.tensordot(x[i], w, 1)
    return out


def normal(*shape):
    return RNG.standard_normal(shape)


# Shorter loops are unrolled.
PROGRAMS = {
    images: (normal(2, 13, 12, 3), normal(3, 3, 3, 4)),
    strided: (normal(27, 35), normal(3, 2, 5)),
    dilated: (normal(4, 19), normal(3, 5)),
    from_the_third_on: (normal(19, 2), normal(3, 16)),
    volumes: (normal(11, 12, 11), normal(2, 3, 2, 3)),
    spread: (normal(11, 12, 3), normal(3, 3, 2, 4)),
    spread_with_holes: (normal(13, 3), normal(3, 3, 7)),
}


def accelerated(function, *args):
    """The result, and the number of convolutions that it takes."""
    with for_accelerators():
        lowered = ingot.jit(function, native=False).lower(*args)
        return ingot.jit(function, native=False)(*args), lowered.stablehlo().count("convolution(")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_windows_are_convolutions(program, dtype):
    args = [each.astype(dtype) for each in PROGRAMS[program]]
    found, count = accelerated(program, *args)
    expected = program(*args)
    assert count == 1
    assert found.dtype == expected.dtype
    tolerance = 1e-12 if expected.dtype == np.float64 and dtype == np.float64 else 2e-5
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("by", [0, 1])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_derivatives_are_convolutions(program, by):
    args = PROGRAMS[program]
    factors = RNG.standard_normal(program(*args).shape)

    def loss(x, w, factors):
        return np.sum(program(x, w) * factors)

    gradient = ingot.grad(loss, by)
    found, count = accelerated(gradient, *args, factors)
    assert count >= 1
    np.testing.assert_allclose(found, gradient(*args, factors), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("number", [np.inf, np.nan])
def test_what_is_not_finite_stays_where_it_is(program, place, number):
    args = [each.copy() for each in PROGRAMS[program]]
    args[place].flat[args[place].size // 2] = number
    args[1 - place].flat[::3] = 0
    found, _ = accelerated(program, *args)
    with np.errstate(invalid="ignore"):
        expected = program(*args)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def depthwise(x, w):
    """The channels are an axis of the result and of both operands."""
    out = np.zeros((x.shape[0] - 2, x.shape[1]), x.dtype)
    for i in range(out.shape[0]):
        out[i] = np.sum(x[i : i + 3] * w[:3], axis=0)
    return out


def diagonal(x, w):
    """One position for both axes."""
    out = np.zeros((x.shape[0] - 2, w.shape[2]), x.dtype)
    for i in range(out.shape[0]):
        out[i] = np.tensordot(x[i : i + 3, i : i + 3], w[:3, :3], 2)
    return out


def looked_up(x, w):
    """Windows that begin anywhere."""
    out = np.zeros((16, w.shape[1]), x.dtype)
    for i in range(out.shape[0]):
        start = i * i % 17
        out[i] = x[start : start + 3] @ w[:3]
    return out


OTHERS = {
    depthwise: (normal(14, 4), normal(3, 4)),
    diagonal: (normal(14, 14), normal(3, 3, 5)),
    looked_up: (normal(19), normal(3, 40)),
}


@pytest.mark.parametrize("program", OTHERS, ids=lambda each: each.__name__)
def test_other_windows_are_gathered(program):
    found, count = accelerated(program, *OTHERS[program])
    assert count == 0
    np.testing.assert_allclose(found, program(*OTHERS[program]), rtol=1e-12, atol=1e-12)
