"""`warnings.warn` in compiled code, and the `with` statements that it takes."""
# ruff: noqa: B028, as the default of stacklevel= is tested.

import contextlib
import warnings

import numpy as np
import pytest
from plain import refused, same

import ingot

X = np.array([1.0, 2.0, 3.0])


class OwnWarning(UserWarning):
    pass


def of_the_length(x):
    if len(x) < 9:
        warnings.warn("few {elements}")
    return x * 2


def of_a_value(x):
    if x[0] > 0:
        warnings.warn(f"positive: {x[0]}, {{}}", RuntimeWarning)
    return x * 2


def in_a_loop(x):
    for i in range(3):
        if x[i] > 1:
            warnings.warn("number %d" % i, category=OwnWarning)
    return x


def never(x):
    if x[0] > 5:
        warnings.warn("large")
    return x


def in_a_call(x):
    return of_a_value(x) + of_the_length(x)


def under_a_filter(x):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        warnings.warn("ignored", RuntimeWarning)
        of_a_value(x)
        warnings.warn("given")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("ignored")
        y = np.log(x)
    warnings.warn("after")
    return y


def given_by(f, x, action):
    """The result, and the warnings, of a call under a filter."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter(action)
        try:
            result = f(x.copy())
        except Warning as error:
            result = repr(error)
    return repr(result), [(str(w.message), w.category, w.filename, w.lineno) for w in found]


@pytest.mark.parametrize("action", ["always", "error", "ignore"])
@pytest.mark.parametrize(
    "f", [of_the_length, of_a_value, in_a_loop, never, in_a_call, under_a_filter]
)
def test_warnings_are_pythons(f, action):
    compiled = ingot.jit(f)
    for _ in range(2):
        assert given_by(compiled, X, action) == given_by(f, X, action)


def squares(x):
    warnings.warn("squares", DeprecationWarning, 1)
    return (x * x).sum()


def test_in_derivatives_and_batches():
    with pytest.warns(DeprecationWarning, match="squares"):
        np.testing.assert_array_equal(ingot.grad(squares)(X), 2 * X)
    with pytest.warns(RuntimeWarning) as found:
        ingot.vmap(of_a_value)(np.array([[1.0], [-1.0], [3.0]]))
    assert [str(each.message) for each in found] == ["positive: 1.0, {}", "positive: 3.0, {}"]


def no_category(x):
    warnings.warn("a", int)
    return x


def test_what_is_no_category():
    for f in (no_category, ingot.jit(no_category)):
        with pytest.raises(TypeError, match="category must be a Warning subclass, not 'type'"):
            f(X)


def suppressed(x):
    with contextlib.suppress(AttributeError, KeyError):
        x.name = "x"
        x[0] = 99
    with np.errstate(all="ignore"), contextlib.suppress(LookupError):
        x[1] = {"a": 1.0}["b"]
    with contextlib.suppress(KeyError), np.errstate(divide="ignore"), contextlib.suppress(OSError):
        x[2] = 1 / x[0]
    with contextlib.suppress(ValueError):
        if len(x) > 2:
            return x * 2
    return x


def test_suppress():
    same(suppressed, X)


def set_outside(x):
    warnings.simplefilter("ignore")  # refused
    return x


def set_under_a_condition(x):
    with warnings.catch_warnings():
        if x[0] > 0:
            warnings.simplefilter("ignore")  # refused
        return x


def recorded(x):
    with warnings.catch_warnings(record=True) as found:  # refused
        return x, len(found)


def raised(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # refused
        return np.log(x)


def of_a_text(x):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "abc")
        warnings.warn("abc")  # refused
    return x


def what_is_no_text(x):
    warnings.warn(3)  # refused
    return x


@pytest.mark.parametrize(
    "f", [set_outside, set_under_a_condition, recorded, raised, of_a_text, what_is_no_text]
)
def test_refused(f):
    refused(f, X)
