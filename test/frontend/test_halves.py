"""float16: where NumPy rounds in sums and products, compiled code does, bit for bit."""

import numpy as np
import pytest

import ingot
from level import sample

RNG = np.random.default_rng(0)
SHAPES = [(1,), (9,), (129,), (5000,), (3, 4), (2, 130), (130, 2), (40, 50), (2, 3, 4), (5, 20, 50)]
FUNCTIONS = [np.sum, np.prod, np.cumsum, np.cumprod, np.mean, np.add.reduce, np.nansum]


def in_memory(a):
    """Arrays of the same elements that lie in memory in different ways."""
    yield a
    yield a[::-1]
    yield np.repeat(a, 2, -1)[..., ::2]
    if a.ndim > 1:
        yield np.asfortranarray(a)
        yield a[:, :-1]
        yield np.swapaxes(a, 0, 1)


@pytest.mark.parametrize("shape", sample(SHAPES, 2))
@pytest.mark.parametrize("function", FUNCTIONS)
def test_rounding(function, shape):
    a = RNG.normal(1, 0.5 if "prod" in function.__name__ else 3, shape).astype(np.float16)
    compiled = ingot.jit(lambda a, axis: function(a, axis=axis), static="axis")
    for each in in_memory(a):
        for axis in (None, *range(a.ndim)):
            with np.errstate(all="ignore"):
                expected = function(each, axis=axis)
            actual = compiled(each, axis)
            assert actual.dtype == expected.dtype
            np.testing.assert_array_equal(actual, expected)


def test_sums_stop_growing_as_in_numpy():
    a = np.ones((5000, 3), np.float16)
    np.testing.assert_array_equal(ingot.jit(lambda a: a.sum(0))(a), [2048] * 3)
    np.testing.assert_array_equal(ingot.jit(lambda a: a.T.sum(1))(a), a.T.sum(1))
    assert ingot.jit(lambda a: a.sum(axis=(0, 1), initial=1.0))(a) == 15000


def test_derivatives_and_batches():
    a = RNG.normal(1, 2, (4, 3)).astype(np.float16)
    gradient = ingot.grad(lambda a: np.sum(a.sum(0) * np.arange(3.0)))(a)
    np.testing.assert_array_equal(gradient, np.broadcast_to([0, 1, 2], (4, 3)))
    _, tangent = ingot.jvp(lambda a: np.cumsum(a, axis=0), (a,), (np.ones_like(a),))
    np.testing.assert_array_equal(tangent, np.cumsum(np.ones_like(a), axis=0))
    rows = ingot.jit(ingot.vmap(lambda row: row.reshape(2, 2).sum(0)))(a.T)
    np.testing.assert_array_equal(rows, [row.reshape(2, 2).sum(0) for row in a.T])
