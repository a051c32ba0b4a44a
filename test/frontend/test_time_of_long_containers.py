"""Branches that leave long containers, and stores through long lists of views, take time in proportion to
their lengths."""

import copy
import time

import numpy as np

import ingot


def seconds(f, *args):
    start = time.process_time()
    assert ingot.jit(f)(*copy.deepcopy(args)) == f(*args)
    return time.process_time() - start


def branch(n):
    def f(x):
        items = [x * i for i in range(n)]
        if x > 0:
            items[0] = 1.0
        return items[0], items[-1]

    return seconds(f, 2.0)


def stores_in_views(n):
    def f(x):
        rows = [x[i] for i in range(n)]
        for row in rows:
            row += 1.0
        return x.sum()

    return seconds(f, np.zeros((n, 4)))


def test_time_of_a_branch_with_a_long_list():
    branch(10)
    short, long = (min(branch(n) for _ in range(2)) for n in (400, 3200))
    # A time that grows by the square would be 64 times as long.
    assert long < 16 * short, (short, long)


def test_time_of_stores_through_a_long_list_of_views():
    stores_in_views(10)
    short, long = (stores_in_views(n) for n in (100, 500))
    # All slices of x would be results of one kernel, whose time grows by the cube: 30 s and more for 500.
    assert long < 10 * short, (short, long)
