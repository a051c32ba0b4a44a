"""Exceptions that a handler has caught: their class, arguments and texts."""

import numpy as np
import pytest
from plain import Programs, refused, same_for

import ingot

programs = Programs()
X = np.array([1.0, 2.0])
TABLE = {"a": 1.0, 3: 2.0}


class Own(ValueError):
    pass


class OfTwo(ValueError):
    def __init__(self, name, value):
        super().__init__(f"{name}: {value}")
        self.value = value


class WithText(ValueError):
    def __str__(self):
        return "a text"


class Empty(ValueError):
    def __len__(self):
        return 0


@programs((X,))
def known(x):
    try:
        raise ValueError("bad", 3)
    except ValueError as e:
        return (
            str(e),
            repr(e),
            f"{e}|{e!r}",
            e.args,
            type(e),
            e.__class__.__name__,
            isinstance(e, Exception),
        )


@programs((X,), (X + 9,))
def known_at_run_time(x):
    try:
        if x[0] > 5:
            raise Own(f"too large: {x[0]}")
        y = 1.0
    except ValueError as e:
        print("caught", e, type(e).__name__, len(e.args))
        y = 2.0
    return y


@programs((X, "a"), (X, "b"), (X, 3), (X, 4), (X, (1, 2)))
def key_of_a_dict(x, key):
    try:
        return x * TABLE[key]
    except KeyError as e:
        return str(e), e.args, repr(e)


@programs((X, "k"), (X, 1.5), (X, None))
def raised_key(x, key):
    try:
        raise KeyError(key)
    except LookupError as e:
        return str(e), e.args[0], type(e) is KeyError, type(e) is LookupError


@programs((X,))
def class_without_arguments(x):
    try:
        raise Own
    except Own as e:
        return str(e), e.args, repr(e)


@programs((X, "12"), (X, "a2"))
def of_a_function(x, text):
    try:
        return x * int(text)
    except ValueError as e:
        return str(e)


@programs((X,), (X - 1,))
def class_of_a_check(x):
    try:
        y = 1 / float(x[0])
    except (ZeroDivisionError, ValueError) as e:
        y = 5.0 if type(e) is ZeroDivisionError else 6.0
    return y


@programs((X,), (X - 1,))
def check_raised_again(x):
    try:
        y = 1 / float(x[0])
    except ZeroDivisionError as e:
        raise e
    return y


@programs((X,), (X - 1,))
def check_raised_again_after_a_statement(x):
    try:
        y = 1 / float(x[0])
    except ZeroDivisionError as e:
        print("divided")
        raise e
    return y


@programs((X,))
def another_text(x):
    try:
        raise ValueError("a")
    except ValueError as e:
        raise Own("b after " + str(e)) from e


@programs((X,))
def raised_again(x):
    try:
        try:
            raise Own("a", 2)
        except ValueError as e:
            raise e
    except ValueError as e:
        return e.args, type(e)


@programs((X,), (X - 1,))
def kept(x):
    text, error = "none", None
    try:
        if x[0] == 0:
            raise ValueError("zero")
    except ValueError as e:
        text = str(e)
        error = type(e).__name__
    return text == "zero", error is None


@programs((np.arange(4.0),))
def in_a_loop(x):
    total = 0.0
    for i in range(4):
        try:
            if x[i] == 2:
                raise Own(i, "two")
            total += x[i]
        except Own as e:
            total += 10 * e.args[0] + len(e.args)
    return total


@programs((X,))
def true(x):
    try:
        raise ValueError
    except ValueError as e:
        return x if e else -x


@programs((X,))
def arrays_as_arguments(x):
    try:
        raise ValueError(x, 2)
    except ValueError as e:
        e.args[0][0] = 7.0
        return e.args[0] is x, e.args[1] + 1


@programs((X,))
def not_raised(x):
    error = ValueError("a", 2)
    return str(error), error.args, type(error)


@programs((X,))
def class_of_one_with_an_init(x):
    try:
        raise OfTwo("a", 3)
    except ValueError as e:
        return type(e) is OfTwo, isinstance(e, KeyError)


@pytest.mark.parametrize("f, cases", programs)
def test_caught(f, cases):
    same_for(f, cases)


def text_of_a_check(x):
    try:
        y = 1 / float(x[0])
    except ZeroDivisionError as e:
        y = len(str(e))  # refused
    return y


def arguments_of_one_with_an_init(x):
    try:
        raise OfTwo("a", 3)
    except ValueError as e:
        return e.args  # refused


def text_of_its_own(x):
    try:
        raise WithText("a")
    except ValueError as e:
        return str(e)  # refused


def truth_of_its_own(x):
    try:
        raise Empty("a")
    except ValueError as e:
        return 1 if e else 2  # refused


def returned(x):
    try:
        raise ValueError("a")
    except ValueError as e:
        return e  # refused


@pytest.mark.parametrize(
    "f",
    [
        text_of_a_check, arguments_of_one_with_an_init, text_of_its_own, truth_of_its_own,
        returned,
    ],
)  # fmt: skip
def test_refused(f):
    refused(f, X)


def test_derivatives_and_batches():
    xs = np.arange(4.0) + 0.5
    np.testing.assert_allclose(ingot.vmap(in_a_loop)(xs[None]), [in_a_loop(xs)])
    np.testing.assert_allclose(ingot.grad(in_a_loop)(xs), np.ones(4))
