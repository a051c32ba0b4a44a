"""Masks and index arrays of other lengths raise IndexError, as in NumPy, where a path takes them."""

import numpy as np
import pytest
from plain import Programs, same_for

programs = Programs()
A, B = np.arange(4.0), np.arange(12.0).reshape(3, 4)
MASK, I = np.array([True, False, True]), np.array([0, 1, 2])


@programs((A, MASK), (A[:3], MASK))
def caught(a, m):
    try:
        return a[m].sum()
    except IndexError:
        return -1.0


@programs((B, I), (B, I[:1]))
def caught_arrays(a, i):
    try:
        return a[i, i[:2]].sum()
    except IndexError:
        return -1.0


@programs((A, MASK, 1), (A, MASK, 0), (B, MASK, 1), (B, B[:, :3] > 1, 1), (B, B[..., None] > 1, 1))
def on_a_path(a, m, c):
    if c:
        return a[m]
    return a + 1


@programs((B, MASK, 1), (B, A > 1, 1), (B, MASK, 0))
def stored(a, m, c):
    if c > a[0, 0]:
        a[:, m] = 1.0
    return a


@programs((B, I, 1), (B, I, 0))
def arrays_on_a_path(a, i, c):
    if c > a[0, 0]:
        return a[i, i[:2]]
    return a[i, i]


@pytest.mark.parametrize("f, cases", programs)
def test_mismatched_indices(f, cases):
    same_for(f, cases)
