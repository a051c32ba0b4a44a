"""Loops that leave arrays of other lengths than they begin with."""

import numpy as np
import pytest
from plain import Programs, same_for, same_or_refused

programs = Programs()
#: Which array is stored to may be known at run time only.
stores = Programs()
CASES = [
    np.array([-1.0, -2.0, 3.0, 4.0, 0.0, 1.0, 2.0, 5.0, 6.0]),
    np.array([1.0, -2.0, 3.0, 4.0, 0.0, 1.0, 2.0, 5.0, 6.0]),
    -np.ones(9),
    np.ones(9),
    np.arange(12.0),
]


@programs(*CASES)
def without_leading(y):
    while len(y) > 0 and y[0] <= 0:
        y = y[1:]
    return y.sum(), y * 1


@programs(*CASES)
def without_first(x):
    while x.size > 2 and x.sum() > 3:
        x = np.delete(x, 0)
    return x * 1


@programs(*CASES)
def shorter_item(x):
    d = {"v": x.copy(), "n": 0}
    for i in range(len(x)):
        if x[i] < 0:
            d["v"] = d["v"][1:]
            d["n"] += 1
    return d


@programs(*CASES)
def halves(x):
    y = x.copy()
    while len(y) > 2:
        y = (y[1:] + y[:-1]) / 2
        if y[0] > 3:
            break
    return y


@programs(*(np.outer(each, np.arange(3.0)) for each in CASES))
def rows(x):
    while x.shape[0] > 1 and x[0, 1] < 3:
        x = x[1:] if x[0, 2] < 0 else x[:-1]
    return x.sum(axis=0), x.shape


@programs(*CASES)
def longer(x):
    y = x[:3] * 1.0
    for v in x:
        if v > 1:
            y = np.concatenate((x, y[:2]))
    return y


@programs(*CASES)
def both_ends(x):
    first, last = x[:4] + 0, x[-3:] + 0
    for _ in range(9):
        if first[0] > last[-1]:
            first, last = last, first
        first = first * 2 + 1
    return first, last


@programs(*CASES)
def longer_under_conditions(x):
    y = x[:4] + 0
    for i in range(20):
        if x[i % 4] > 0:
            y = np.append(y, x[:4])
    return y


@stores(*CASES)
def stores_behind(x):
    y = x
    while len(y) > 1:
        y[-1] += y[0]
        y = y[1:]
    return y


@stores(*CASES)
def stores_after(x):
    y = x
    while len(y) > 1 and y[0] < 3:
        y = y[1:]
    y[:1] = 9.0
    return x.sum(), y.sum()


@stores(*CASES)
def aliases(x):
    y = z = x.copy()
    for i in range(len(x)):
        if x[i] > 0:
            z = y
            y = y[1:]
        y += 1
    return z.sum(), y.sum()


@pytest.mark.parametrize("f, cases", programs)
def test_lengths_in_loops(f, cases):
    same_for(f, cases)


@pytest.mark.parametrize("f, cases", stores)
def test_stores_to_what_gets_shorter(f, cases):
    same_or_refused(f, *cases[0], others=cases[1:])
