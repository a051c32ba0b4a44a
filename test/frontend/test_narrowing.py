"""Indices that conditions bound: no check is needed where they hold, and one is where they do not."""

import copy

import numpy as np
import pytest

import ingot
from oracle import assert_same, quiet

X = np.array([1.0, 2.0, 3.0])
INDICES = [-4, -3, -1, 0, 1, 2, 3, 7]


def chained(x, k):
    return x[k] if 0 <= k < len(x) else 0.0


def left_early(x, k):
    if k < 0 or k >= 3:
        return 0.0
    return x[k]


def of_a_list(x, k):
    v = [1.0, 2.0, 3.0]
    if k >= 0 and k < len(v) and v[k] > 1:
        return v[k]
    return -1.0


def negated(x, k):
    if not (k < 0 or k >= x.shape[0] or x[k] > 2):
        return x[k]
    return 9.0


def counted(x, k):
    i = 0
    while i < len(x) and x[i] < k:
        i += 1
    return i


def counted_down(x, k):
    i = 2
    while i >= 0 and x[i] > k:
        i -= 1
    return i


def against_another(x, k):
    n = len(x) - 1
    total = 0.0
    for j in range(5):
        if k >= 0 and j <= n:
            total += x[j]
    return total


def of_a_loop_in_a_loop(x, k):
    total = 0.0
    for j in range(4):
        i = 1
        while i < 3 and x[i] * j < k:
            total += x[i]
            i += 1
    return total


BOUNDED = [
    chained, left_early, of_a_list, negated, counted, counted_down, against_another,
    of_a_loop_in_a_loop,
]  # fmt: skip


@pytest.mark.parametrize("f", BOUNDED, ids=lambda f: f.__name__)
def test_no_check(f, check):
    for k in INDICES:
        check(f, X, k)
    assert "ingot.assert" not in ingot.jit(f).lower(X, 1).ir()


def the_list_gets_shorter(x, k):
    v = [x[0], x[1], 2.0]
    return v[k] if k >= 0 and k < len(v) and v.pop() > 0 else 0.0


def a_function_makes_it_shorter(x, k):
    v = [x[0], x[1], 2.0]

    def last():
        return v.pop()

    if k < 0 or k >= len(v) or last() < 0:
        return 0.0
    return v[k]


def the_limit_is_assigned(x, k):
    n = 3
    if 0 <= k < n and (n := 9) > 0:
        return x[k - 3 + n - 8]
    return 0.0


def the_index_is_assigned(x, k):
    if 0 <= k < 3 and (k := k + 1) > 0:
        return x[k]
    return 0.0


def it_changes_after(x, k):
    if 0 <= k < 3:
        k += 1
        return x[k]
    return 0.0


def one_of_both(x, k):
    return x[k] if k >= 0 or k < 3 else 0.0


def not_both(x, k):
    return x[k] if not (k < 0 and k >= 3) else 0.0


def a_function_moves_the_limit(x, k):
    n = 3

    def more():
        nonlocal n
        n = 5
        return True

    return x[k] if k >= 0 and k < n and more() and k < n else 0.0


def a_float(x, k):
    return x[k] if not (k >= np.nan or k < 0) else 0.0


class Holder:
    def __init__(self, v):
        self.v = v

    def __gt__(self, other):
        self.v.pop()
        return True


def an_instance_moves_it(x, k):
    v = [x[0], x[1], 2.0]
    holder = Holder(v)
    return v[k] if 0 <= k < len(v) and holder > 0 else 0.0


def goes_on_after_the_loop(x, k):
    i = 0
    while i < 3 and x[i] < k:
        i += 1
    return x[i]


def is_set_back(x, k):
    i, total = 0, 0.0
    while i < 3 and total < 5:
        total += x[i]
        i += 1
        if k == 7:
            i = -4
    return total


STILL_CHECKED = [
    the_list_gets_shorter, a_function_makes_it_shorter, the_limit_is_assigned,
    the_index_is_assigned, it_changes_after, one_of_both, not_both, a_function_moves_the_limit,
    a_float, an_instance_moves_it, goes_on_after_the_loop, is_set_back,
]  # fmt: skip


@pytest.mark.parametrize("f", STILL_CHECKED, ids=lambda f: f.__name__)
def test_still_checked(f):
    for k in INDICES:
        x, y = copy.deepcopy((X, X))
        try:
            with quiet():
                expected = f(x, k)
        except IndexError:
            with pytest.raises(IndexError):
                ingot.jit(f)(y, k)
        else:
            assert_same(ingot.jit(f)(y, k), expected)
