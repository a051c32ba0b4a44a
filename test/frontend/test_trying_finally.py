"""`finally`: what runs after a `try` on every path."""

import numpy as np
import pytest
from plain import refused, same_for

import ingot

X = np.arange(1.0, 4.0)


class OwnError(ValueError):
    pass


def finally_after_a_return(x):
    y = 0.0
    z = [1]
    try:
        if x[0] > 0:
            y = 5.0
            return y, x, z
        y = 2.0
    finally:
        y += 1
        x[1] = y
        z.append(y)
    return y, x, z


def finally_in_a_loop(x):
    t = 0
    for i in range(3):
        try:
            if x[i] > 0:
                continue
            if x[i] < -2:
                break
            t += 1
        finally:
            t += 10
            x[i] = t
    else:
        t += 100
    return t, x


def finally_before_a_handler(x):
    y = 0
    try:
        try:
            if x[0] > 0:
                raise ValueError("no")
            y += 1
        finally:
            y += 10
    except ValueError:
        y += 100
    finally:
        y += 1000
    return y


def finally_after_a_handler(x):
    k = 0
    try:
        y = 1.0 / int(x[0])
        return y, k
    except ZeroDivisionError:
        return -1.0, k
    finally:
        k = 5
        x[0] = k


def finally_alone(x):
    with np.errstate(all="ignore"):
        try:
            s = x.sum()
        finally:
            x *= 2
    return s


def finally_that_prints(x):
    try:
        if x[0] > 0:
            raise KeyError("a")
        return 1
    except KeyError:
        return 2
    finally:
        print("done")


def finally_after_a_break(x):
    i = 0
    while True:
        try:
            i += 1
            if i > x[0]:
                break
        finally:
            i += 1
    return i


def finally_in_place_of_what_is_caught(x):
    try:
        try:
            raise OwnError("one")
        finally:
            x[0] = 9.0
            raise KeyError("two")
    except LookupError:
        return x + 1
    except OwnError:
        return x


FINALLY = [
    finally_in_place_of_what_is_caught,
    finally_after_a_return, finally_in_a_loop, finally_before_a_handler, finally_after_a_handler,
    finally_alone, finally_that_prints, finally_after_a_break,
]  # fmt: skip


@pytest.mark.parametrize("f", FINALLY)
def test_finally(f):
    same_for(f, [(x,) for x in (X, -X, 0 * X, X - 4, X + 5, np.array([1.0, -2.0, 3.0]))])


def finally_that_returns(x):
    try:
        y = x[0]
    finally:
        return x  # noqa: B012


def finally_that_prints_after_a_check(x):
    try:
        y = x[int(x[0])]
    finally:
        print("done")
    return y


def finally_that_prints_after_a_raise(x):
    try:
        raise OwnError("always")
    finally:
        print("done")


def finally_that_raises_another(x):
    try:
        try:
            raise OwnError("one")
        finally:
            raise LookupError("two")
    except LookupError:
        return x


def finally_that_may_raise_another(x):
    try:
        raise OwnError("one")
    finally:
        x[int(x[0])] = 1.0


def finally_that_raises_after_a_check(x):
    try:
        assert x[0] > 0
    finally:
        raise OwnError("two")


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (finally_that_raises_after_a_check, "this finally may raise another exception"),
        (finally_that_raises_another, "this finally may raise another exception"),
        (finally_that_may_raise_another, "this finally may raise another exception"),
        (finally_that_returns, "a finally that leaves"),
        (finally_that_prints_after_a_check, "this finally prints"),
        (finally_that_prints_after_a_raise, "this finally prints"),
    ],
)
def test_finally_is_refused(f, message):
    with pytest.raises(ingot.UnsupportedError, match=message):
        ingot.jit(f)(X)


def prints_behind_a_check_and_a_wrong_operand(k, s):
    try:
        assert s[0] > 1
        k = k ^ 0.5
    finally:
        print("finally")


def test_a_finally_that_prints_behind_an_exception_known_at_compile_time():
    refused(prints_behind_a_check_and_a_wrong_operand, 0, X, match="this finally prints")
