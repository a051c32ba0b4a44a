"""Elements of arrays without elements, in loops that may not run: an IndexError, but only where they do."""

import numpy as np
import pytest

import ingot

EMPTY = np.array([])
ROWS = np.zeros((0, 2))


def read(w, n):
    total = 0.0
    for i in range(n):
        total += w[i]
    return total


def stored(w, n):
    for i in range(n):
        w[i] = i
    return w


def added(w, n):
    for i in range(n):
        w[i] += i
    return w


def listed(w, n):
    items = []
    for i in range(n):
        items.append(w[i])
    return len(items)


def stored_in_rows(w, n):
    for i in range(n):
        w[i, 0] = w[i, 1]
    return w


def summed_rows(w, n):
    total = 0.0
    for i in range(n):
        total += w[i].sum()
    return total


CASES = [(f, EMPTY) for f in (read, stored, added, listed)] + [
    (f, ROWS) for f in (stored_in_rows, summed_rows)
]


@pytest.mark.parametrize(("f", "w"), CASES)
def test_loops_over_arrays_without_elements(check, f, w):
    check(f, w, 0)
    jitted = ingot.jit(f)
    for n in (0, 2, 0):
        if n == 0:
            jitted(w.copy(), n)
            continue
        with pytest.raises(IndexError, match="out of bounds for axis 0 with size 0"):
            jitted(w.copy(), n)


def test_an_element_of_no_elements():
    with pytest.raises(IndexError, match="out of bounds for axis 0 with size 0"):
        ingot.jit(lambda w, i: w[i])(EMPTY, 0)
