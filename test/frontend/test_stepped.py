"""Strided slices with run-time ends or strides: `a[i:j:2]`, `a[i::k]`, against NumPy."""

import itertools

import numpy as np
import pytest
from plain import same_for

import ingot

X = np.arange(1.0, 10.0)
Z = np.arange(63.0).reshape(9, 7)
ENDS = (-11, -9, -4, -1, 0, 1, 3, 8, 9, 12)
STEPS = (-12, -3, -1, 1, 2, 5)


def known_steps(x, z, ks):
    k, j = int(ks[0]), int(ks[1])
    y, w = x.copy(), z.copy()
    y[k:j:2] = 7.0
    w[k:j:3, 1::2] *= 2
    w[j::-2, :k:2] -= z[j::-2, :k:2]
    v = y[k::-3]
    v[:] = v * 2
    return x[k:j:2].sum(), x[j:k:-2].sum(), y, w, len(x[k::3]), x[:j:2][::-1], z[k:j:2, k:j:3]


def windows(x, z, ks):
    k = int(ks[0])
    z[[2, 0], k : k + 4 : 2] -= 1
    return x[k : k + 4 : 2], z[k + 6 : k + 1 : -2].sum(axis=0), z


def of_slices(x, z, ks):
    k, j = int(ks[0]), int(ks[1])
    part = x[k:j]
    z[k:, :3][::2] += 1
    part[::2][1:] = 0.5
    return part[::2], part[1::-2], part[:j:2], z[:, k:j][:, ::3].sum(axis=0), z


def steps_of_run_time(x, z, ks):
    k, j, s = int(ks[0]), int(ks[1]), int(ks[2])
    y, w = x.copy(), z.copy()
    y[k:j:s] = 7.0
    v = y[::s]
    v[1:] *= 2
    w[k:j:s, ::2] += 1
    w[::s, 1] = w[::s, 0]
    return x[k:j:s].sum(), y, x[j:k:s], x[::s], len(x[k::s]), z[j::s, :k], w


def sieve(flags):
    flags[:2] = False
    for i in range(2, len(flags)):
        if flags[i]:
            flags[2 * i :: i] = False
    return np.flatnonzero(flags)


def butterflies(x):
    """Halves, quarters ... of a line, by a step that a loop doubles."""
    step = 1
    while step < len(x):
        x[:: 2 * step] += x[step :: 2 * step]
        step *= 2
    return x[0]


@pytest.mark.parametrize("function", [known_steps, of_slices, windows])
def test_known_steps(function):
    ends = itertools.product(ENDS, ENDS)
    same_for(function, [(X, Z, np.array(each)) for each in ends])


def test_steps_of_run_time():
    cases = itertools.product(ENDS[::2], ENDS[1::2], STEPS)
    same_for(steps_of_run_time, [(X, Z, np.array(each)) for each in cases])


def test_loops():
    same_for(sieve, [(np.ones(n, bool),) for n in (3, 50)])
    same_for(butterflies, [(np.arange(16.0),)])


def test_a_step_of_zero():
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        ingot.jit(steps_of_run_time)(X, Z, np.array([1, 5, 0]))
    same_for(lambda x, ks: x[: ks[0] : 0], [(X, np.array([3]))])


def test_arguments():
    same_for(lambda x, n: (x[:n:2], x[n::-3], x[::n]), [(X, 4), (X, 2)])


@pytest.mark.parametrize("step", STEPS)
def test_derivatives(step):
    ks, direction = np.array([1, 8, step]), np.sin(np.arange(9.0))

    expected = (_loss(X + 1e-6 * direction, ks) - _loss(X - 1e-6 * direction, ks)) / 2e-6
    backwards = np.sum(ingot.grad(_loss)(X, ks) * direction)
    _, forwards = ingot.jvp(lambda x: _loss(x, ks), (X,), (direction,))
    np.testing.assert_allclose(backwards, expected, rtol=1e-6)
    np.testing.assert_allclose(forwards, expected, rtol=1e-6)


def _loss(x, ks):
    k, j, s = int(ks[0]), int(ks[1]), int(ks[2])
    y = x * 1.0
    y[k::s] *= x[k::s]
    y[k:j:2] = x[j:k:-2] ** 2
    return np.sum(np.sin(x[k::3])) + np.sum(x[::s] ** 2) + np.sum(y * y)


def test_batches():
    ends = np.array([[1, 8, 2], [7, 0, -3], [-4, 9, 1]])
    found = ingot.vmap(_loss, (None, 0))(X, ends)
    np.testing.assert_allclose(found, [_loss(X, each) for each in ends], rtol=1e-12)
