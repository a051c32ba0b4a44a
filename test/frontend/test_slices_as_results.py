"""Slices whose bounds only run time knows, as results: the caller gets slices of numbers."""

import numpy as np
import pytest
from plain import Programs, refused, same_for

import ingot

programs = Programs()
X = np.array([1, 2, 3, 4, 5, 6])


@programs((X,), (X[::-1].copy(),))
def window(x):
    i = int(x[0])
    return slice(i, i + 2)


@programs((X,), (X + 1,), quick=True)
def slices_in_containers(x):
    i = int(x[0])
    return {"rest": (slice(i, None), 1), "steps": [slice(None, i, 2), x[i:]]}


@programs((X, 1), (X, 3))
def slice_of_one_path(x, n):
    s = slice(0, 1)
    if n > 2:
        s = slice(n, n + 2)
    return s, x[s].sum()


@programs((X, 2), (X, 3))
def slice_of_other_bounds(x, n):
    return slice(x[0], n, None), slice(x.sum(), -1.5 * n)


@programs((X, 0), (X, 1), quick=True)
def slice_that_only_one_path_makes(x, n):
    if n:
        return slice(x[0])


@programs((X, 1), (X, 4), quick=True)
def slice_that_each_path_makes(x, n):
    s = (slice(0, n), 1)
    if n > 2:
        s = (slice(1, n + 1), 2)
    return s, x[s[0]].sum()


@programs((X, 1), (X, 4))
def slice_of_known_bounds_on_each_path(x, n):
    s = slice(0, 3) if n > 2 else slice(1, 5)
    return s, s.start + s.stop, x[s].sum()


@programs((X, 0), (X, 3))
def slices_that_loops_make(x, n):
    s, rows, total = slice(0, 1), [], 0
    for i in range(n):
        total += x[s].sum()
        s = slice(i, i + 2)
        rows.append(slice(i, None))
    return s, rows, total


@programs((X, 0), (X, 3))
def slice_in_a_dict_that_one_path_makes(x, n):
    d = {}
    for i in range(3):
        if x[i] > n:
            d[i] = slice(i, n)
    return d


@pytest.mark.parametrize(("f", "cases"), programs)
def test_slices(f, cases):
    same_for(f, cases)


def test_bounds_have_the_types_of_python():
    found = ingot.jit(slice_of_other_bounds)(X.copy(), 2)
    bounds = [each for s in found for each in (s.start, s.stop)]
    assert list(map(type, bounds)) == [np.int64, int, np.int64, float]
    assert type(ingot.jit(window)(X.copy()).stop) is int


def test_slices_of_lanes_are_refused():
    def f(x):
        return ingot.vmap(window)(x)

    refused(
        f, np.arange(6).reshape(2, 3), match="returns a slice\\n(.*\\n)*hint: return its bounds"
    )
