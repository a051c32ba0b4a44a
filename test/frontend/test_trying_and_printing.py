"""What the body of a `try` prints before run time knows whether a handler catches something."""

import numpy as np
import pytest
from plain import refused, same_for

X = np.array([1.0, 2.0, 3.0])
#: Indices, as elements of an array: no program is made for their values.
CASES = [(X, i) for i in np.array([0, 1, 2, 3, 7, -9])]


def around_checks(x, i):
    try:
        print("here")
        y = 1.0 / x[0] + x[i]
        print("there", y)
        y += 10 // (i - 1)
        print("done")
    except IndexError:
        print("index")
        y = 0.0
    except ZeroDivisionError as e:
        print("zero")
        y = 1.0
    print("after", y)
    return y


def around_an_inner_try(x, i):
    print("start")
    try:
        print("a")
        try:
            print("b")
            y = x[i]
        except IndexError:
            y = 5.0
        print("c")
        z = 10 // (i - 1)
        print("d", z)
    except ZeroDivisionError:
        z = 3
    finally:
        x[0] = 7
    return y, z


def in_a_loop_around(x, i):
    s = 0.0
    for k in range(3):
        try:
            print("k", k)
            s += x[i + k]
            print("s", s)
        except IndexError:
            print("no", k)
    return s


def in_an_arm_before_a_check(x, i):
    try:
        print("a")
        if i > 1:
            print("big")
        y = x[i]
    except IndexError:
        y = 0
    return y


def before_an_arm(x, i):
    try:
        print("a")
        if i > 1:
            y = x[i + 1]
        else:
            y = x[i] * 10 // (i - 1)
        print("b")
    except IndexError:
        y = 0
    except ZeroDivisionError:
        y = 1
    return y


def in_a_loop_within(x, i):
    try:
        for k in range(3):
            print(k)
            x[i + k] += 1
        print("all")
    except IndexError:
        print("stopped")
    return x


def helper(x, i):
    print("helper", i)
    return x[i]


def in_a_called_function(x, i):
    try:
        a = helper(x, i)
        b = helper(x, i + 1)
        c = helper(x, i) + helper(x, 0)
    except IndexError:
        print("out")
        return -1.0
    return a + b + c


def before_a_raise(x, i):
    try:
        print("one")
        y = x[i]
        raise ValueError("v")
    except IndexError:
        print("index")
    except ValueError as e:
        print("value", e)
        y = 2.0
    return i


def in_a_while_loop_around(x, i):
    n = 0
    while n < 3:
        try:
            print("n", n)
            try:
                y = x[i + n]
                print("y", y)
            except IndexError:
                print("inner")
                y = 1 // n
            n += 1
            print("end")
        except ZeroDivisionError:
            print("outer")
            n += 2
    return n


# What a library's function checks may differ the second time, and then all is begun anew in an arm.


def before_a_function_with_checks(x, i):
    kept = [v for v in x if v != 2]
    try:
        kept[1 + i]
        try:
            print("here")
            y = np.quantile(x[:1], 1, method="lower") // i
            print("there")
        except OverflowError:
            y = 1.0
    except IndexError:
        print("index")
        y = 2.0
    return y


FUNCTIONS = [
    before_a_function_with_checks, around_checks, around_an_inner_try, in_a_loop_around, in_an_arm_before_a_check, before_an_arm,
    in_a_loop_within, in_a_called_function, before_a_raise, in_a_while_loop_around,
]  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.quick
def test_printed_texts(f):
    same_for(f, CASES)


def in_a_loop_before_a_check(x, n):
    try:
        for k in range(n):
            print(k)
        y = 1 / float(x[0])  # refused
    except ZeroDivisionError:
        y = 0.0
    return y


def test_a_loop_before_a_check_is_refused():
    refused(in_a_loop_before_a_check, X, np.int64(20), match="after something was printed")
