"""`with` of classes that are written in Python, whose `__exit__` pays no attention to exceptions."""

import contextlib

import numpy as np
import pytest
from plain import Programs, refused, same_for

import ingot

programs = Programs()
X = np.array([1.0, 2.0])


class Scale:
    """Counts how often it is entered."""

    def __init__(self, k):
        self.k, self.log, self.depth = k, [], 0

    def __enter__(self):
        self.log.append("in")
        self.depth += 1
        return self

    def __exit__(self, *exc):
        self.log.append("out")
        self.depth -= 1


class Printing(contextlib.AbstractContextManager):
    def __exit__(self, exc_type, exc_value, traceback):
        print("left")
        return False


class Value(Scale):
    def __enter__(self):
        super().__enter__()
        return self.k, 1.0


class Suppressing(Scale):
    def __exit__(self, exc_type, exc_value, traceback):
        return exc_type is ValueError


class Returning(Scale):
    def __exit__(self, *exc):
        return True


@contextlib.contextmanager
def generator():
    yield 1


def made(k):
    return Scale(k + 1)


@programs((X,), (X + 2,))
def entered(x):
    with Scale(2.0) as s:
        y = x * s.k * s.depth
    return y, s.depth, s.log


@programs((X, Scale(3.0)), (-X, Scale(1.0)))
def of_an_argument(x, s):
    with s:
        return x * s.k * s.depth


@programs((X,))
def targets_and_several(x):
    with Value(2.0) as (a, b), Scale(3.0) as s, Printing():
        x = x * a + b * s.k
    with s, s:
        x = x + s.depth
    return x, s.log, s.depth


@programs((X, 3), (X, 0))
def in_a_loop(x, n):
    s = Scale(2.0)
    total = np.zeros(2)
    for i in range(n):
        with s:
            if i == 1:
                continue
            total += x * i + s.depth
    return total, s.depth


@programs((X,), (X + 2,))
def in_an_arm(x):
    s = Scale(2.0)
    if x[0] > 1:
        with s:
            x = x * s.k * s.depth
            s.k = x[0]
    return x, s.k, s.depth


@programs((X,), (X + 2,))
def returned_from_an_arm(x):
    s = Scale(2.0)
    with s:
        if x[0] > 1:
            return x, s
        x = x * 2
    return x + s.depth, s


@programs((X,))
def raised_and_caught(x):
    s = Scale(2.0)
    try:
        with s:
            raise ValueError("a")
    except ValueError as e:
        return s.log, s.depth, e.args


@programs((X,), (X - 1,))
def failed_check_that_is_caught(x):
    s = Scale(2.0)
    try:
        with s:
            y = 1 / float(x[0])
    except ZeroDivisionError:
        y = 0.0
    return y, s.log, s.depth


@programs((X,), (X - 1,))
def failed_check(x):
    with Scale(2.0):
        return 1 / float(x[0])


@programs((X,))
def made_by_a_function(x):
    with made(2.0) as s, np.errstate(all="ignore"), contextlib.suppress(KeyError):
        x = x * s.k
        x = {}["k"]
    return x, s.depth


@pytest.mark.parametrize("f, cases", programs)
def test_contexts(f, cases):
    same_for(f, cases)


def suppressing(x):
    with Suppressing(2.0):  # refused
        return x


def returning(x):
    with Returning(2.0):  # refused
        return x


def of_a_generator(x):
    with generator():  # refused
        return x


def of_a_file(x):
    with open(__file__):  # refused
        return x


def of_what_is_none(x):
    with made:  # refused
        return x


def with_a_print_where_only_run_time_knows(x):
    with Printing():
        y = 1 / float(x[0])
    return y


@pytest.mark.parametrize("f", [suppressing, returning, of_a_generator, of_a_file, of_what_is_none])
def test_refused(f):
    refused(f, X)


def test_a_print_that_only_run_time_knows_to_come():
    with pytest.raises(ingot.UnsupportedError, match="this finally prints"):
        ingot.jit(with_a_print_where_only_run_time_knows)(X)


def test_derivatives_and_batches():
    def f(x):
        with Scale(3.0) as s:
            return np.sum(x * s.k * s.depth)

    np.testing.assert_allclose(ingot.grad(f)(X), [3, 3])
    np.testing.assert_allclose(ingot.vmap(f)(X[:, None]), [3, 6])
