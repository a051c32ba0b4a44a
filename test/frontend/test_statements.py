"""Statements: `del`, `with`, `match`, `raise` and `assert` known at compile time. PYTEST_DONT_REWRITE"""

# ruff: noqa: E731

import functools

import numpy as np
import pytest
from plain import Programs, same, same_for

programs = Programs()
X = np.array([1.0, -2.0, 3.5])


@programs(2.0)
def deletions(x):
    l, d, y = [1, x, 3], {"a": x, "b": 2}, x
    m = l
    del l[0], d["a"]
    del y
    y = 5
    del l[-1:]
    return l, d, y, m


@programs(1.0, 0.0, -1.0)
def without_warnings(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = np.float64(x) / np.array([0.0, 1.0])
        if x > 0:
            return y * 2
    return y


@programs(("a", 1.0), ("b", 1.0), ("zz", 1.0))
def match_on_strings(kind, x):
    match kind:
        case "a":
            return x
        case "b" | "c":
            return x * 2
        case _:
            return x * 3


@programs((), (1.0,), (1.0, 2.0), (1.0, 2.0, 3.0))
def match_on_sequences(*values):
    match values:
        case ():
            return 0.0
        case (x,):
            return x
        case (x, y):
            return x + y
        case (x, *rest):
            return x, rest


@programs({"op": "add", "a": 1.0, "b": 2.0}, {"op": "neg", "a": 1.0}, {"op": "?"})
def match_on_mappings(d):
    match d:
        case {"op": "add", "a": a, "b": b}:
            return a + b
        case {"op": "neg", "a": a, **rest}:
            return -a, rest
        case _:
            return None


class Shape:
    __match_args__ = ("w", "h")

    def __init__(self, w, h):
        self.w, self.h = w, h


@programs(Shape(2.0, 3.0), [1.0, 2.0], 3, 2.5, None, "text")
def match_on_kinds(v):
    match v:
        case Shape(w, h=h) if True:
            return w * h
        case [first, second]:
            return first - second
        case int():
            return v + 1
        case float() as f:
            return f * 2
        case None:
            return "none"
        case str(s):
            return s + "!"


@programs((2, 1.0), (0, 1.0), (7, 1.0))
def match_on_run_time_numbers(n, x):
    match n:
        case 0:
            return x
        case 1 | 2:
            return x * 2
        case k if k > 5:
            return x * k
    return -x


@programs(2.0)
def with_walrus_and_star(x):
    first, *middle, last = [(y := x * 2), *range(3), x]
    return first, middle, last, (z := y + 1), z


@programs(2.0)
def imports_in_the_function(x):
    import math as m
    from itertools import chain

    return m.sqrt(x), list(chain([1], [2]))


@programs(2.0)
def lambdas_and_recursion(x):
    fact = lambda n: 1 if n <= 1 else n * fact(n - 1)
    compose = lambda *fs: lambda v: functools.reduce(lambda a, f: f(a), fs, v)
    return fact(5) * x, compose(lambda v: v + 1, lambda v: v * 2)(x)


@programs(2.0)
def several_lambdas_on_a_line(x):
    f, g, h = (lambda v: v + 1), (lambda v: v * 2), [lambda v: v - 1, lambda v: -v][1]
    return f(x), g(x), h(x)


@programs(X)
def strings_of_a_pipeline(x):
    steps = {"scale": lambda v: v * 2, "shift": lambda v: v + 1}
    for name in ["shift", "scale", "shift"]:
        x = steps[name](x)
    return x


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


# What is raised for certain is raised, with its message.


def raises(x):
    raise ValueError("always", 3)


def raises_by_type(x):
    if isinstance(x, float):
        raise TypeError(f"float is not {int.__name__}")
    return x


def raises_by_shape(x):
    if x.ndim != 2:
        raise ValueError("expected 2 dimensions, got %d" % x.ndim)
    return x


def asserts(x):
    assert x.ndim == 2, f"shape {x.shape}"


def asserts_nothing_more(x):
    assert x.shape == (2, 2)


def raises_a_class(x):
    raise NotImplementedError


def raises_in_a_helper(x):
    def g(v):
        raise KeyError("g")

    return g(x)


def raises_after_a_check(x):
    if x[0] > 100:
        raise ValueError("first")
    raise RuntimeError("second")


RAISING = (
    (raises, 1.0), (raises_by_type, 1.0), (raises_by_shape, X), (asserts, X),
    (asserts_nothing_more, X), (raises_a_class, 1.0), (raises_in_a_helper, 1.0),
    (raises_after_a_check, X), (raises_after_a_check, X + 100),
)  # fmt: skip


@pytest.mark.parametrize("f, x", RAISING, ids=lambda v: getattr(v, "__name__", ""))
def test_what_is_raised_for_certain(f, x):
    assert same(f, x).error is not None
