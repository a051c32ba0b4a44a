"""Exceptions in one arm of an `if` in a `try`, where only run time knows of both."""

import copy

import numpy as np
import pytest
from plain import same_for

import ingot
from oracle import assert_same, quiet

X = np.array([1.0, 2.0, 3.0])
#: An index, and what decides: both are elements of an array, so no program is made for their values.
CASES = [np.array([i, c]) for i in (0, 1, 2, 3, 7, -2, -9) for c in (-1, 0, 1, 2, 3)]


def in_both_arms(x, u):
    i, c = int(u[0]), u[1]
    try:
        y = x[i] if c > 5 else 0.0
        if c > 0:
            y += x[i]
        else:
            y += 1 / i
        y = y + 1
    except IndexError:
        y = -1.0
    except ZeroDivisionError:
        y = -2.0
    return y


def in_arms_of_arms(x, u):
    i, c = int(u[0]), u[1]
    r = 0.0
    try:
        r = 1.0
        if c > 0:
            r = 2.0
            if c > 2:
                raise ValueError("big")
            r = x[i]
        r += 10
    except ValueError:
        r += 100
    except IndexError:
        r += 1000
    else:
        r += 0.5
    finally:
        x[0] = r
    return r


def part(x, i, c):
    if c > 1:
        return x[i] * 2
    return x[0]


def in_an_arm_of_a_called_function(x, u):
    i, c = int(u[0]), u[1]
    try:
        v = part(x, i, c)
        x[1] = v
    except IndexError:
        return -7.0
    return v


def in_an_arm_in_a_loop(x, u):
    i, c = int(u[0]), u[1]
    out = []
    for k in range(3):
        try:
            if c > k:
                out.append(x[i + k])
            else:
                out.append(0.25)
        except IndexError:
            out.append(-1.0)
    return out


def after_a_check(x, u):
    i, c = int(u[0]), u[1]
    s = 0.0
    try:
        s = x[i]
        if s > 1.5:
            s += 4.0
            s /= int(c)
        if c > 1:
            s += x[int(c)]
    except (IndexError, ZeroDivisionError):
        s -= 100.0
    return s


def more_conditions_than_are_branched_on(x, u):
    i, c = int(u[0]), u[1]
    s = 0.0
    try:
        for k in range(2):
            s += k
        if c > 0:
            s += x[i]
        if c > 1:
            s += 2.0
        if c > 2:
            s += 3.0
        if i > 0:
            s += 4.0
        if i > 1:
            s += 5.0
        else:
            s -= 1.0
    except IndexError:
        s = -1.0
    return s


def of_a_store_that_does_not_fit(x, u):
    small, k = np.zeros(3, np.int8), 0
    try:
        small[0] = int(u[0]) * 40
        k = 1
        if u[1] > 1:
            small[1] = int(u[0]) * 60
        k = 2
        small[2] = float(x[2]) * 50.0 * float(u[1])
    except OverflowError:
        k += 10
    return small, k


def in_the_else_of_an_inner_try(x, u):
    i, c = int(u[0]), u[1]
    try:
        try:
            y = x[i]
        except IndexError:
            y = c
        else:
            y = x[i + 1] + 1 / int(c)
    except (IndexError, ZeroDivisionError) as e:
        y = -1.0 if isinstance(e, IndexError) else -2.0
    return y


def after_an_inner_try(x, u):
    i, c = int(u[0]), u[1]
    try:
        try:
            x[i] = 7.0
        except IndexError:
            if c > 1:
                raise KeyError("high") from None
            c = 0.0
        finally:
            i += 1
        y = x[i] + 1 / int(c)
    except KeyError:
        y = 100.0
    except (IndexError, ZeroDivisionError):
        y = -1.0
    return y, c, i


def in_the_handler_of_an_inner_try(x, u):
    i, c = int(u[0]), u[1]
    y = 0.0
    for k in range(2):
        try:
            try:
                y += x[i + k]
            except IndexError:
                y += 1 / int(c - k) if c > 0 else x[i - 3]
            y += 1
        except ArithmeticError:
            y -= 1000.0
        except LookupError:
            y += 1000.0
    return y


FUNCTIONS = [
    in_both_arms, in_arms_of_arms, in_an_arm_of_a_called_function, in_an_arm_in_a_loop,
    after_a_check, of_a_store_that_does_not_fit, more_conditions_than_are_branched_on,
    in_the_else_of_an_inner_try, after_an_inner_try, in_the_handler_of_an_inner_try,
]  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_in_arms(f):
    compiled = ingot.jit(f)
    for u in CASES:
        ours, theirs = X.copy(), X.copy()
        with quiet():
            expected = f(theirs, u)
        assert_same(compiled(ours, u), expected)
        np.testing.assert_array_equal(ours, theirs)


def test_derivatives():
    def f(x, u):
        return in_both_arms(x * x, u) + np.sum(x)

    for u in CASES:
        expected = np.ones(3)
        if u[1] > 0 and -3 <= u[0] < 3:
            expected[int(u[0])] += 2 * X[int(u[0])]
        np.testing.assert_allclose(ingot.grad(f)(X, u), expected)


def test_batches():
    batch = np.stack(CASES)
    found = ingot.vmap(in_both_arms, in_axes=(None, 0))(X, batch)
    np.testing.assert_array_equal(found, [in_both_arms(X, copy.copy(u)) for u in CASES])


def test_after_a_print():
    def f(x, u):
        try:
            print("here")
            if u[1] > 0:
                x[0] = x[int(u[0])]
        except IndexError:
            x[1] = 0.0

    same_for(f, [(X, u) for u in CASES])
