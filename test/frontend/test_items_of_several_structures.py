"""Containers whose items are of other structures on other paths, carried by loops of many iterations."""

from collections import namedtuple

import numpy as np
import pytest

X = np.array([0.0, 1, 0, 1] * 5)
Named = namedtuple("Named", "a b")


class Holder:
    def __init__(self, a):
        self.a = a
        self.items = [a, 0]


def replaced_one_by_one(x, n):
    made = [[None]] * n
    for i in range(n):
        made[i] = np.r_[np.c_[x * i, x], [[0, 0]]]
    return made


def replaced_and_read(x, n):
    made, other = [[]] * n, [""] * n
    for i in range(n):
        made[i] = x * i
        other[i] = x + i
    return made, np.sum(made[5]), other


def replaced_on_some_paths(x, n):
    made = [[0.0]] * n
    for i in range(n):
        s = 1.0 if x[0] > i else 0.0
        made[i] = x * s
    return made[1]


def tuples(x, n):
    pair = (x, 0)
    for i in range(n):
        pair = ([1.0] if x[i] > 3 else x * 2, i)
    return pair[1], np.sum(pair[0])


def named_tuples(x, n):
    pair = Named(x, 0)
    for i in range(n):
        pair = Named([1.0] if x[i] > 0 else x * 2, i)
    return pair.b, np.sum(pair.a), type(pair).__name__


def dicts(x, n):
    found = {"a": x, "b": 0}
    for i in range(n):
        found["a"] = [1.0, 2.0] if x[i] > 0 else x * 2
        found["b"] += 1
    return found["b"], np.sum(found["a"])


def attributes(x, n):
    holder = Holder(x)
    for i in range(n):
        holder.a = [1.0, 2.0] if x[i] > 0 else x * 2
        holder.items[int(x[i])] = [x[i]]
    return np.sum(holder.a), np.sum(holder.items[0])


def chosen_items(x, n):
    items = [x, 0.0]
    for i in range(n):
        items[int(x[i])] = [1.0] if x[i] > 3 else x * 2
    return np.sum(items[0])


def stored_in_loops_of_loops(x, n):
    items = [x, [1.0]]
    for i in range(n):
        for j in range(n):
            items[int(x[j])] = (x * j) if x[i] > 0 else [2.0 * i]
        last = items[1]
        items[0] = last
    return np.sum(items[0]), np.sum(last)


def exchanged(x, n):
    items, i = [x, (x,)], 0
    while i < n and x[i] < 3:
        items = [items[1], items[0]] if x[i] > 0 else [items[0], items[1]]
        i += 1
    return i


@pytest.mark.parametrize("n", [4, 20])
@pytest.mark.parametrize(
    "f",
    [
        replaced_one_by_one, replaced_on_some_paths, tuples, named_tuples, dicts, attributes,
        chosen_items, stored_in_loops_of_loops, exchanged,
    ],
)  # fmt: skip
def test_items_of_several_structures(check, f, n):
    check(f, X, n)


def test_items_that_are_read_after_the_loop(check):
    check(replaced_and_read, X, 20)
