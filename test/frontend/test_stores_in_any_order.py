"""Many stores to one element: the last one remains, also where a device runs them in any order.

Run with `INGOT_PLATFORM=cuda` for such a device. Elsewhere, programs that are lowered for one are
compiled for the CPU: what they drop for the sake of the order is right there, too.
"""

import numpy as np
import pytest

import ingot
from ingot_runtime import clients, pjrt
from oracle import assert_same

RNG = np.random.default_rng(5)
COUNT = 5000
VALUES = RNG.random(COUNT) * 100
I = RNG.integers(0, 40, COUNT)
J = RNG.integers(-7, 7, COUNT)


def elements(x, v, i, j):
    x[i] = v
    return x


def pairs(x, v, i, j):
    x = np.zeros((50, 7), x.dtype)
    x[i, j] = v
    return x


def rows(x, v, i, j):
    x = np.zeros((50, 3), x.dtype)
    x[i] = v[:, None] * np.arange(1, 4).astype(x.dtype)
    return x


def columns(x, v, i, j):
    x = np.zeros((3, 50), x.dtype)
    x[:, i] = v
    x[1:, i[::-1]] = v + v
    return x


def few(x, v, i, j):
    x[i[:6] % 3] = v[:6]
    x[j[:4]] = v[:4]
    return x


def adds(x, v, i, j):
    np.add.at(x, i, v)
    x[i] += v
    return x


def in_a_loop(x, v, i, j):
    for k in range(5):
        x[i[k * 900 : k * 900 + 900]] = v[k : k + 900] + x[k]
    return x


FUNCTIONS = [elements, pairs, rows, columns, few, adds, in_a_loop]
DTYPES = [np.float64, np.float32, np.complex128, np.complex64, np.int64, np.int16, np.uint8]


def for_accelerators(f, *args):
    """The results of a function of arrays, lowered for accelerators."""
    lowered = ingot.jit(f).lower(*args)
    text = lowered._lower("accelerator").text()
    executable = pjrt.compile_stablehlo(text, clients.default_device())
    outputs = executable.run([args[each] for each in lowered.signature.inputs])
    return np.asarray(outputs[lowered.signature.leaves[-1][1]])


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_last_store_remains(f, dtype):
    def args():
        return np.zeros(64, dtype), VALUES.astype(dtype), I, J

    expected = f(*args())
    rtol = 1e-4 if f is adds else 0
    np.testing.assert_allclose(ingot.jit(f)(*args()), expected, rtol=rtol)
    np.testing.assert_allclose(for_accelerators(f, *args()), expected, rtol=rtol)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_indices_of_any_type(dtype):
    def f(v, i):
        x = np.zeros(300)
        x[i] = v
        return x

    i = (I + (200 if dtype is np.uint8 else 0)).astype(dtype)
    assert_same(ingot.jit(f)(VALUES, i), f(VALUES, i))
    assert_same(for_accelerators(f, VALUES, i), f(VALUES, i))


def test_only_the_last_store_has_a_derivative():
    def loss(v):
        x = np.zeros(50)
        x[I] = v**2
        return (x * np.arange(50)).sum()

    last = np.full(50, -1)
    last[I] = np.arange(COUNT)
    expected = np.zeros(COUNT)
    expected[last[last >= 0]] = (2 * VALUES)[last[last >= 0]] * np.flatnonzero(last >= 0)
    np.testing.assert_allclose(ingot.grad(loss)(VALUES), expected)
