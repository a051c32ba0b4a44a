"""Exceptions that are values before they are raised, and other small things of Python's."""

import numpy as np
import pytest
from plain import Programs, refused, same

programs = Programs()
X = np.array([1.0, 2.0, 3.0])
#: A global name that functions declare, and only read.
LIMIT = 3


class Own(ValueError):
    pass


@programs((X,), (X + 9,))
def raised_later(x):
    error = ValueError("bad")
    if x[0] > 5:
        raise error
    return x


@programs((X,), (X + 9,))
def with_a_text_of_run_time(x):
    error = Own(f"too large: {x[0]}")
    if x[0] > 5:
        raise error
    return x


@programs((X,), (-X,))
def of_other_classes_on_other_paths(x):
    error = TypeError("t") if x[0] > 0 else KeyError("k")
    raise error


@programs((X,), (-X,))
def caught(x):
    error = KeyError("k")
    try:
        if x[0] > 0:
            raise error
        y = 1
    except KeyError:
        y = 2
    return y


@programs((X,), (-X,))
def made_by_a_function(x):
    def problem(text):
        return ValueError("no " + text)

    if x[0] < 0:
        raise problem("sign")
    return x


@programs((X,))
def declared_global(x):
    global LIMIT
    return x * LIMIT


@programs((X,), (-X,))
def sorted_by_distinct_keys(x):
    d = {"b": x[0], "a": x[1], "c": x}
    return sorted(d.items()), sorted(d.items(), reverse=True), sorted([(2, x[0]), (1, x[1])])


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    for case in cases:
        same(f, *case)


def keywords(x):
    error = Own("a", name="b")
    raise error


def stored(x):
    global LIMIT
    LIMIT = 4
    return x


@pytest.mark.parametrize(
    "f, match",
    [(keywords, "keyword arguments of Own"), (stored, "global is not")],
)
def test_refused(f, match):
    refused(f, X, match=match)
