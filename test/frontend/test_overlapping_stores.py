"""Stores of what is read from the same memory, under one shape and under two."""

import numpy as np
import pytest
from plain import Programs, same_for, same_or_refused

import ingot

programs = Programs()
Z = np.arange(1.0, 2001.0).reshape(40, 50)
SMALL = np.arange(1.0, 13.0).reshape(3, 4)


@programs(Z, SMALL)
def after_a_store_to_the_flat_array(z):
    z.ravel()[0] = 0
    z[1:] = z[:-1]
    return z


@programs(Z, SMALL)
def computed_from_the_flat_array(z):
    z.ravel()[0] = 0
    z[1:] = z[:-1] * 2 + 1
    z[:-1] = z[1:] * 3
    return z


@programs(Z, SMALL)
def within_the_flat_array(z):
    z[0] *= 2
    line = z.reshape(-1)
    line[1:] = line[:-1]
    return z


@programs(Z, SMALL)
def read_by_another_shape(z):
    z[0, 0] = 0
    z[1:] = z.ravel()[: -z.shape[1]].reshape(z.shape[0] - 1, z.shape[1])
    return z


@programs(Z, SMALL)
def reversed_part(z):
    z.ravel()[0] = 0
    z[:2] = z[:2][::-1]
    return z


@programs(Z[:, :40].copy())
def transposed(z):
    z.T[0, 0] = 0
    z[1:] = z.T[:-1]
    z.T[1:] = z[:-1]
    return z


@programs((Z, 5), (SMALL, 1))
def in_a_loop(z, n):
    line = z.ravel()
    for i in range(n):
        line[i] = -1
        z[1:] = z[:-1]
        line[2:] = line[:-2] + 1
    return z


@programs(Z, SMALL)
def one_shape(z):
    z[0] = 0
    z[1:] = z[:-1]
    z[:, 1:] = z[:, :-1] * 2
    z[::2] = z[1 : 1 + len(z[::2])] if len(z) % 2 == 0 else z[::2][::-1]
    return z


@programs(np.full((4, 1), -1.0), np.full((1, 6), -1.0), np.full((1, 5, 1), -1.0), Z)
def of_an_axis_of_one(p):
    line = p.reshape(-1)
    line[0] = 1
    line[1:] = line[:-1]
    line[:-1] = line[1:] + line[:1]
    line[1:] *= line[1:] + line[0]
    return p


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def a_row_from_a_column(q, k):
    q[k] = q[:, 0]


def a_column_from_a_row(q, k):
    q[:, k] = q[0]


def a_first_row_from_a_column(q, k):
    q[0] = q[:, k]


@pytest.mark.parametrize("f", [a_row_from_a_column, a_column_from_a_row, a_first_row_from_a_column])
def test_lines_that_cross_at_run_time_are_right_or_refused(f):
    same_or_refused(f, np.arange(16.0).reshape(4, 4), 1)


def test_one_of_two_orders_of_which_one_has_no_such_view():
    def f(m, t, k):
        v = m if k else t.copy("F")
        v[1] = m.reshape(8)[4:]
        return v

    m, t = np.arange(8.0).reshape(2, 4), np.arange(8.0).reshape(2, 4) + 20
    for k in (np.int64(1), np.int64(0)):
        np.testing.assert_array_equal(ingot.jit(f)(m.copy(), t.copy(), k), f(m.copy(), t.copy(), k))
