"""Signatures in compiled code: decorators that bind arguments to the parameters of what they call."""

import functools
import inspect

import numpy as np
import pytest
from plain import same

import ingot


def as_arrays(function):
    signature = inspect.signature(function)

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if isinstance(value, (list, tuple)) and signature.parameters[name].kind < 2:
                bound.arguments[name] = np.asarray(value)
        return function(*bound.args, **bound.kwargs)

    return wrapper


def checked(**least):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            given = inspect.signature(function).bind_partial(*args, **kwargs).arguments
            for name, bound in least.items():
                if name in given and given[name] < bound:
                    raise ValueError(f"{name} is less than {bound}")
            return function(*args, **kwargs)

        return wrapper

    return decorate


@as_arrays
def scaled(x, y=2.0, *rest, k=3.0, **named):
    return x.sum() * y * k + len(rest) + sum(named.values())


@checked(n=1, x=0.0)
def root(x, n=2):
    return x ** (1 / n)


STARTS = [1.0, 2.0]


@as_arrays
def started(x, starts=STARTS):
    return x + starts


class Model:
    def __init__(self, k):
        self.k = k

    @as_arrays
    def apply(self, x, power=2):
        return self.k * x**power


def of_parameters(x):
    found = inspect.signature(root).parameters
    defaults = {
        name: each.default for name, each in found.items() if each.default is not inspect._empty
    }
    kinds = [each.kind == inspect.Parameter.POSITIONAL_OR_KEYWORD for each in found.values()]
    return x * len(found), "n" in found, list(found), defaults, kinds, root.__name__


def of_spec(x):
    spec = inspect.getfullargspec(scaled.__wrapped__)
    return x * len(spec.args), spec.defaults, spec.varargs, spec.kwonlyargs, spec.kwonlydefaults


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda x: scaled([x, 2.0]), (1.5,)), (lambda x: scaled((x, x), x, 5, k=x, z=x), (1.5,)),
        (lambda x, n: root(x, n), (4.0, 2)), (lambda x: root(n=3, x=x), (8.0,)),
        (lambda x: root(x), (-1.0,)), (lambda x: scaled(y=x), (1.0,)), (of_parameters, (2.0,)),
        (lambda x: root(x, 2, 3), (1.0,)), (started, (np.ones(2),)), (of_spec, (2.0,)),
        (lambda m, x: m.apply(x) + m.apply(x, power=3), (Model(2.0), [1.0, 2.0])),
    ],
)  # fmt: skip
def test_bound_arguments(function, arguments):
    same(function, *arguments)


def test_derivatives_and_batches_of_decorated_functions():
    np.testing.assert_allclose(ingot.grad(lambda x: root(x))(4.0), 0.25)
    x = np.array([4.0, 9.0])
    np.testing.assert_allclose(ingot.vmap(lambda x: root(x, n=2))(x), np.sqrt(x))


def test_changes_of_what_a_signature_shows_are_seen(monkeypatch):
    def f(x):
        return x * inspect.signature(plain).parameters["k"].default + starts(x)

    def starts(x):
        return x * started(np.ones(2))[0]

    compiled = ingot.jit(f)
    assert compiled(2.0) == f(2.0) == 8.0
    monkeypatch.setattr(plain, "__defaults__", (5.0,))
    assert compiled(2.0) == f(2.0) == 14.0
    monkeypatch.setattr(plain, "__wrapped__", lambda k=7.0: k, raising=False)
    assert compiled(2.0) == f(2.0) == 18.0
    STARTS[0] = 2.0
    assert compiled(2.0) == f(2.0) == 20.0
    STARTS[0] = 1.0


def plain(x=1.0, k=2.0):
    return x * k


def test_functions_of_compiled_code_have_no_signature():
    def f(x):
        return x * len(inspect.signature(lambda a, b: a).parameters)

    with pytest.raises(ingot.UnsupportedError, match="defined outside"):
        ingot.jit(f)(1.0)
