"""Ranges where NumPy takes an array: it reads them as it reads lists."""

import numpy as np
import pytest
from plain import Programs, refused, same_for

import ingot

programs = Programs()
X = np.array([1.0, -2, 3, 4, -5])
K = np.array([3, 1, 7])


@programs((X, 5), (X, 0), (K, 3))
def made(x, n):
    a = np.array(range(n))
    return (
        a,
        np.asarray(range(1, 9, 2)),
        np.array([range(3), range(2, 5)]),
        np.array(range(n, 0, -1), "f4"),
    )


@programs(X, K, X.astype("f4"))
def beside_arrays(x):
    n = range(len(x))
    return (
        x + n,
        n * x,
        x == n,
        n < x,
        x @ n,
        np.float64(2) * n,
        np.int64(3) + n,
        range(3) == range(3),
    )


@programs(X, K)
def as_arguments(x):
    n = range(len(x))
    return (
        np.sum(n), np.mean(n), np.dot(x, n), np.maximum(x, n), np.where(x > 1, n, 0), np.cumsum(n),
        np.concatenate([x, range(2)]), np.vstack([x, n]), np.outer(range(2), x), np.interp(1.5, n, x),
        np.append(x, range(2)), np.insert(x, 1, range(2)), np.take(x, range(2)), np.isin(x, range(4)),
        np.delete(x, range(2)), np.repeat(range(2), 2), np.shape(n), np.size(range(0)), x.dot(n),
        np.bincount(range(3), minlength=4), np.polyval(range(3), x), np.stack([range(2), range(2)]),
    )  # fmt: skip


@programs(X, K)
def as_indices(x):
    y = x.copy()
    y[range(2)] = 7
    y[range(1, 3)] += range(2)
    y[range(0)] = 9
    grid = np.outer(x, x)
    grid[range(3), range(3)] = 0
    return (
        x[range(0, 3, 2)],
        x[range(2, -1, -1)],
        x[range(0)],
        y,
        grid,
        grid[:, range(2)],
        grid[range(2), 1],
    )


@programs((np.zeros((3, 4)),), (np.zeros((3, 4), "i4"),), (np.zeros((3, 4), order="F"),))
def stored(table):
    table[0] = range(4)
    table[:, 1] = range(3)
    table[1:, 2:] = [range(2), range(2, 4)]
    table[2] += range(4)
    table += range(4)
    return table


@pytest.mark.parametrize(("f", "cases"), programs)
def test_against_numpy(f, cases):
    same_for(f, cases)


def test_of_run_time_bounds():
    def f(x, k):
        return x + np.array(range(k[0]))

    refused(f, np.ones(3), np.array([3]), match="a range's bounds must be known at compile time")


@pytest.mark.parametrize("grid", [np.mgrid, np.ogrid])
def test_grids_of_a_list_of_slices(grid):
    def f(x):
        made = grid[[slice(n) for n in x.shape]]
        steps = grid[[slice(0, 1, 3j)]]
        return made[0] + x, made[1] * x, steps[0]

    x = np.ones((2, 3))
    for made, expected in zip(ingot.jit(f)(x), f(x), strict=True):
        np.testing.assert_array_equal(made, expected, strict=True)


def test_grids_of_numbers_are_refused():
    with pytest.raises(ingot.DTypeError, match="a grid needs slices"):
        ingot.jit(lambda x: x + np.mgrid[2, 0:3])(1.0)


def grids(x):
    n, m = x.shape
    rows, columns = np.mgrid[:n, 0:m]
    odd, third = np.ogrid[1 : 2 * n : 2, -3:5:4]
    backwards = np.mgrid[5:0:-2, n:n]
    made = (
        np.mgrid[0:3:0.5, 0:2],
        np.ogrid[0 : np.int32(4), 0:1:3j],
        np.mgrid[2:0],
        np.mgrid[(slice(3),)],
    )
    return rows * x + columns, odd * third, backwards, made


def test_grids():
    x = np.arange(15.0).reshape(3, 5)
    flat = [*grids(x)[:3], *grids(x)[3]]
    made = ingot.jit(grids)(x)
    for actual, expected in zip([*made[:3], *made[3]], flat, strict=True):
        for a, e in zip(actual, expected, strict=True):
            np.testing.assert_array_equal(a, e, strict=True)


@pytest.mark.parametrize(
    "bounds", [np.s_[3:1, 0:2], np.s_[0:3:0, 0:2]], ids=["negative", "without steps"]
)
def test_grids_that_numpy_refuses(bounds):
    def f(x):
        return x + np.mgrid[bounds]

    with pytest.raises((ValueError, ZeroDivisionError)) as expected:
        f(1.0)
    with pytest.raises(type(expected.value)):
        ingot.jit(f)(1.0)


def test_grids_are_computed_where_they_are_used():
    lowered = ingot.jit(grids).lower(np.ones((2000, 2000)))
    assert len(lowered.ir()) < 100_000
