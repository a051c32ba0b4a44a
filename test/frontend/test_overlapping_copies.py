"""Copies of one part of an array to another one with another step, which NumPy makes without a temporary."""

import numpy as np
import pytest
from plain import Programs, same_for, same_or_refused

programs = Programs()
X = np.arange(12.0)
M = X.reshape(3, 4)


@programs(
    *[np.arange(float(n)) for n in (4, 6, 8, 9, 12, 20)], np.arange(12), X + 1j, X[::-1], X[::2]
)
def from_the_start(a):
    a[::2] = a[: (len(a) + 1) // 2]
    return a


@programs(X, np.arange(9), np.arange(6, dtype=np.float32))
def with_other_steps(a):
    a[::3] = a[: (len(a) + 2) // 3]
    a[1::2] = a[: len(a) // 2]
    a[: len(a) // 2] = a[1::2]
    a[::3] = a[2 : 2 + 2 * len(a[::3]) : 2] if len(a) > 9 else a[: len(a[::3])]
    return a


@programs(X)
def backwards(a):
    a[::-2] = a[:6]
    a[::-2] = a[5::-1]
    a[:-1] = a[1:]
    a[1:] = a[:-1]
    return a


@programs(X)
def by_copyto(a):
    np.copyto(a[::2], a[:6])
    np.copyto(a[1::2], a[:6], where=a[:6] > 1)
    np.copyto(a[::2], a[:6], casting="unsafe")
    return a


@programs(X)
def through_other_views(a):
    a[::2] = a[None, :6]
    a[::2][...] = a[:6]
    b, c = a[::2], a[:6]
    b[:] = c
    a[::2] += a[:6]
    a.T[::2] = a[:6]
    return a


@programs(X)
def one_element_and_copies(a):
    a[::2] = a[3:4]
    a[::2] = a[4:5]
    a[::2] = a[:6] * 1
    a[::2] = a[:6].copy()
    return a


@programs(X)
def joined_into_it(a):
    np.concatenate([a[:3], a[3:6]], out=a[::2])
    return a


@programs(M, np.asfortranarray(M), M[:, ::-1])
def rows_and_columns(m):
    m[0] = m[1]
    m[:, 0] = m[1, :3]
    m[0, ::2] = m[0, :2]
    m[1, ::2] = m[1, 1:3]
    m.T[0] = m.T[1]
    m[None, 0, ::2] = m[0, :2]
    return m


@programs((M, 1), (M, 2))
def a_row_that_run_time_knows(m, i):
    m[i, ::2] = m[i, :2]
    m[i, 1:] = m[i, :-1]
    m[i, ::-1] = m[i]
    m[i] = m[i - 1]
    return m


@programs((X, 3))
def in_a_loop(a, n):
    b, c = a[::2], a[:6]
    for _ in range(n):
        b[:] = c
        a[1::2] = a[:6]
    return a


@programs(np.arange(6) + 1j * np.arange(6, 12))
def parts_of_complex_numbers(a):
    a.real[::2] = a.real[:3]
    a.imag[:] = a.real
    a.real[1:] = a.imag[:-1]
    a.imag[::2] = a.real[:3]
    return a


@programs((X, 2), (X, 3))
def of_run_time_lengths(a, n):
    s = 0
    while s < n:
        a[s : s + 4] = a[s + 4 : s + 8]
        a[:s] = a[1 : s + 1]
        a[:s:2] = a[1 : s + 1 : 2]
        a[s::-1] = a[: s + 1]
        s += 1
    return a


@programs(np.arange(25.0).reshape(5, 5), np.arange(30.0).reshape(5, 6))
def rows_that_cross_columns(m):
    for i in range(3):
        m[i, :5] = m[:, i]
        m[i + 1, i + 1 :] = m[i + 1 :, i + 1] if m.shape[1] == 5 else m[i, i + 1 :]
        m[i:, i] = m[i, i:5]
        m[0, : i + 2] = m[: i + 2, 0]
        m[i, i:5] += m[i:, i]
    return m


@pytest.mark.parametrize(("f", "cases"), programs)
def test_agrees(f, cases):
    same_for(f, cases)


def other_starts(a, k):
    for i in k:
        a[i : i + 6 : 2] = a[3:6]
    return a


def other_lengths(a, k):
    for i in k:
        a[i:10:2] = a[: len(a[i:10:2])]
    return a


def rows_from_columns_of_another_start(a, k):
    m = a.reshape(3, 4)
    for i in k:
        m[i, i:3] = m[: 3 - i, i]
    return a


def rows_from_columns_of_another_step(a, k):
    m = a.reshape(3, 4)
    for i in k:
        m[i, ::2] = m[:2, i]
    return a


def through_a_mask(a, k):
    a[a % 2 == k[0]] = a[:6]
    return a


def placed(a, k):
    np.place(a, a % 2 == k[0], a[:6])
    return a


def what_may_be_the_array(a, k):
    b = a if k[0] else a.copy()
    b[::2] = a[:6]
    return a, b


@pytest.mark.parametrize(
    "f",
    [
        other_starts,
        other_lengths,
        rows_from_columns_of_another_start,
        rows_from_columns_of_another_step,
        through_a_mask,
        placed,
        what_may_be_the_array,
    ],
)
def test_unknown_order_is_refused(f):
    same_or_refused(f, X.copy(), np.array([1, 0, 2]))
