"""Derivatives of stores at indices that occur twice: the last store counts, or all combine."""

import numpy as np
import pytest

import ingot
from level import in_turn
from oracle import assert_same

X = np.array([0.5, 1.2, 2.1, 0.8])
PLACES = np.array([1, 0, 1, 1])
STEP = 1e-4


def stores(x):
    y = np.zeros(2)
    y[[0, 0]] = x[:2]
    return (y**2).sum()


def adds_in_place(x):
    y = x * 2
    y[[0, 0]] += x[1:3]
    return (y**2).sum()


def multiplies_in_place(x):
    y = x * 2
    y[[0, 0, 1]] *= x[:3]
    return (y**2).sum()


def puts(x):
    y = np.ones(2)
    np.put(y, [0, 0], x[:2])
    return (y**3).sum()


def puts_along_an_axis(x):
    y = np.ones((2, 3))
    np.put_along_axis(y, np.array([[0, 0], [2, 2]]), x.reshape(2, 2), 1)
    return (y**3).sum()


def stores_columns(x):
    y = np.ones((2, 3))
    y[:, [1, 1]] = x.reshape(2, 2)
    return (y**3).sum()


def stores_rows(x):
    y = np.ones((2, 2))
    y[[1, 1]] = x.reshape(2, 2)
    return (y**3).sum()


def counts_from_the_end(x):
    y = np.ones(2)
    y[[0, -2]] = x[:2]
    return (y**3).sum()


def stores_pairs(x):
    y = np.ones((2, 2))
    y[[0, 1, 0, 1], [1, 0, 1, 1]] = x
    return (y**3).sum()


def stores_at_run_time(x):
    y = np.ones(3) * x[0]
    y[(x > 1).astype(int)] = x
    return (y**2).sum()


def stores_in_a_loop(x):
    y = x * 1.0
    for i in range(3):
        y[[0, i, 0]] = y[1:4] * x[i]
    return (y**3).sum()


def stores_in_a_branch(x):
    y = x * 1.0
    if x[0] > 0:
        y[[1, 1]] = x[2:] * x[0]
    return (y**3).sum()


def stores_of_items(x):
    def row(a):
        y = np.zeros(2)
        y[[1, 1, 0]] = np.array([a, a**2, a**3])
        return y

    return (ingot.vmap(row)(x) ** 2).sum()


def takes_once(x):
    y = x * 2
    y[[0, 2]] = x[1:3]
    return (y**2).sum()


def multiplies_at(x):
    y = x[:2] * 1.0
    np.multiply.at(y, PLACES, x)
    return (y**2).sum()


def multiplies_zeros_at(x):
    y = np.ones(2)
    np.multiply.at(y, PLACES, x - np.array([0.5, 0.0, 2.1, 0.0]))
    return y.sum()


def multiplies_rows_at(x):
    y = np.ones((3, 2))
    np.multiply.at(y, [0, 0], x.reshape(2, 2))
    return (y**2).sum()


def maximum_at(x):
    y = np.ones(2)
    np.maximum.at(y, PLACES, x)
    return (y**3).sum()


def minimum_at(x):
    y = np.ones((2, 2)) * x[3]
    np.minimum.at(y, (PLACES, [0, 1, 0, 1]), x**2)
    return (y**3).sum()


def looped(x):
    y = np.ones(2)
    for i in range(3):
        np.multiply.at(y, [0, i % 2], x[i : i + 2])
        np.maximum.at(y, PLACES, x * y[0])
    return (y**2).sum()


STORES = (stores, adds_in_place, multiplies_in_place, puts, puts_along_an_axis, stores_columns,
          stores_rows, counts_from_the_end, stores_pairs, stores_at_run_time, stores_in_a_loop,
          stores_in_a_branch, takes_once)  # fmt: skip
COMBINED = (multiplies_at, multiplies_zeros_at, multiplies_rows_at, maximum_at, minimum_at, looped)


ORDERS = [(ingot.jacfwd, ingot.grad), (ingot.jacrev, ingot.grad),
          (ingot.jacrev, ingot.jacfwd), (ingot.jacfwd, ingot.jacfwd)]  # fmt: skip


def slopes(f, x, step):
    units = step * np.eye(x.size)
    return np.array([(f(x + unit) - f(x - unit)) / (2 * step) for unit in units])


@pytest.mark.parametrize("f", STORES + COMBINED, ids=lambda f: f.__name__)
def test_the_last_store_counts(f):
    assert_same(ingot.jit(f)(X.copy()), f(X.copy()))
    first = slopes(f, X, STEP / 100)
    for way in (ingot.grad, ingot.jacfwd):
        np.testing.assert_allclose(way(f)(X), first, rtol=1e-6, atol=1e-6)
    rows = ingot.vmap(ingot.grad(f))(np.stack([X, X[::-1]]))
    np.testing.assert_allclose(rows, [first, ingot.grad(f)(X[::-1].copy())], atol=1e-6)
    second = slopes(lambda x: slopes(f, x, STEP), X, STEP)
    for outer, inner in in_turn(ORDERS, f.__name__):
        np.testing.assert_allclose(outer(inner(f))(X), second, rtol=1e-4, atol=1e-4)


def test_the_last_store_of_each_item_counts():
    rows = np.stack([X, X])
    plain = np.zeros_like(rows)
    for row, out in zip(rows, plain, strict=True):
        out[:] = [0, 0, 0, 0]
    found = ingot.grad(stores_of_items)(X)
    np.testing.assert_allclose(found, 4 * X**3 + 6 * X**5, rtol=1e-12)


def test_a_store_that_is_known_to_write_each_place_once_is_not_searched():
    text = ingot.grad(takes_once).lower(X).ir(after="expand-transformations")
    assert "scatter max" not in text
    assert "scatter max" in ingot.grad(stores).lower(X).ir(after="expand-transformations")


def test_which_of_many_stores_is_the_last():
    rng = np.random.default_rng(0)
    for size, count in ((1, 5), (7, 100), (50, 20_000)):
        places, values = rng.integers(-size, size, count), rng.normal(size=count)

        def stored(v, size=size, places=places):
            y = np.zeros(size)
            y[places] = v
            return y

        y = stored(values)
        np.testing.assert_array_equal(ingot.jit(stored)(values), y)
        expected = np.zeros(count)
        last = {place % size: i for i, place in enumerate(places.tolist())}
        expected[list(last.values())] = 1
        np.testing.assert_array_equal(ingot.grad(lambda v: stored(v).sum())(values), expected)
