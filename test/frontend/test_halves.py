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


@pytest.mark.parametrize("shape", sample(SHAPES, 7))
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


PRODUCTS = [
    (np.dot, (50,), (50,)), (np.dot, (40, 50), (50, 30)), (np.dot, (3, 20, 50), (50,)),
    (np.matmul, (40, 50), (50,)), (np.matmul, (3, 4, 50), (3, 50, 5)), (np.inner, (7, 50), (9, 50)),
    (np.vdot, (50,), (50,)), (np.vecdot, (7, 50), (7, 50)), (np.tensordot, (6, 5, 7), (5, 7, 4)),
    (np.convolve, (50,), (9,)), (np.convolve, (9,), (50,)), (np.correlate, (50,), (9,)),
    (np.correlate, (9,), (50,)),
]  # fmt: skip


@pytest.mark.parametrize("function, first, second", PRODUCTS)
def test_products_are_added_up_in_float32(function, first, second):
    # Small integers and halves of them: float32 holds their sums in any order.
    a, b = (RNG.integers(-99, 99, n).astype(np.float16) / 2 for n in (first, second))
    found, expected = ingot.jit(lambda a, b: function(a, b))(a, b), function(a, b)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("subscripts", ["i,i->", "ij,j->i", "ij,kj->ik", "ij,ij,ij->i", "i,i,i->i"])
def test_einsum_over_the_last_axis(subscripts):
    terms = subscripts.partition("->")[0].split(",")
    sizes = {"i": 40, "j": 50, "k": 30}
    shapes = [tuple(sizes[c] for c in term) for term in terms]
    arrays = [RNG.integers(-9, 9, shape).astype(np.float16) / 2 for shape in shapes]
    found = ingot.jit(lambda *arrays: np.einsum(subscripts, *arrays))(*arrays)
    np.testing.assert_array_equal(found, np.einsum(subscripts, *arrays))


def summed(a):
    s, q = np.float16(0), np.float16(0)
    for v in a:
        s += v
        q = q * np.float16(0.75) + v
    return s, q


def summed_rows(a):
    m = a.reshape(-1, 10)
    s, o = np.zeros(10, np.float16), np.zeros_like(m)
    for i in range(len(m)):
        s += m[i]
        o[i] = s
    return s, o


def summed_beside_prints(a):
    s = np.float16(0)
    for v in a:
        s += v
        if v > 100:
            print(v)
    return s


def summed_products(a):
    m = a.reshape(-1, 10)
    s = np.zeros((10, 10), np.float16)
    for i in range(len(m)):
        s += np.outer(m[i], m[i])
    return s


@pytest.mark.parametrize("f", [summed, summed_rows, summed_beside_prints, summed_products])
def test_loops_round_in_each_iteration(f):
    for a in (np.ones(3000, np.float16), RNG.normal(size=3000).astype(np.float16)):
        for options in ({}, {"native": False}):
            np.testing.assert_equal(ingot.jit(f, **options)(a), f(a))
