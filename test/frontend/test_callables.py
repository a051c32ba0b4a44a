"""What jit takes: methods, partials, callable instances, lambdas, functions without a file."""

import functools
import math
import operator
import os
import subprocess
import sys
import types

import numpy as np
import pytest
import scipy.special
from plain import same, same_or_refused, written

import ingot
from oracle import assert_same


class Affine:
    def __init__(self, w):
        self.w = w

    def apply(self, x):
        return self.w * x

    def __call__(self, x, shift=0.0):
        return self.apply(x) + shift

    @classmethod
    def name(cls, x):
        return cls.__name__, x

    @staticmethod
    def double(x):
        return x * 2


CALLABLES = {
    "method": Affine(2.0).apply,
    "instance": Affine(2.0),
    "class method": Affine.name,
    "static method": Affine.double,
    "partial": functools.partial(lambda a, b: a - b, 5.0),
    "partial by name": functools.partial(lambda x, b: x - b, b=5.0),
    "partial of an instance": functools.partial(Affine(2.0), shift=1.0),
    "partial of a method": functools.partial(Affine.apply, Affine(3.0)),
    "first lambda": (lambda x: x + 1, lambda x: x * 2)[0],
    "second lambda": (lambda x: x + 1, lambda x: x * 2)[1],
    "wrapped": functools.wraps(abs)(lambda *args: args[0] * 3),
    "method of a wrapper": types.MethodType(lambda self, x: self.w - x, Affine(2.0)),
}


@pytest.mark.parametrize("name", CALLABLES)
def test_callables(name):
    same(CALLABLES[name], 3.0)


@ingot.jit
def compiled(x):
    return x + 1


slope = ingot.grad(lambda x: x**3)


@functools.wraps(compiled)
def around_a_compiled_one(x):
    return compiled(x) * 2


@functools.wraps(slope)
def around_a_derivative(x):
    return slope(x) * 10


def test_a_compiled_gradient_in_compiled_code():
    cube = lambda x: np.sum(x**3)  # noqa: E731
    x = np.array([1.0, 2.0])
    for g in (
        ingot.jit(ingot.grad(cube), checks=False), ingot.jit(ingot.vmap(lambda x: x * 2), checks=False)
    ):  # fmt: skip
        assert np.array_equal(ingot.jit(lambda x, g=g: g(x) + 0)(x), g(x))
    inner = ingot.jit(ingot.grad(cube), checks=False)
    assert np.array_equal(ingot.grad(lambda x: np.sum(inner(x)))(x), 6 * x)


@functools.wraps(ingot.stop_gradient)
def around_one_of_ours(x):
    return ingot.stop_gradient(x) * 3


@pytest.mark.parametrize("f", [around_a_compiled_one, around_a_derivative, around_one_of_ours])
def test_wrappers_are_compiled_themselves(f):
    """functools.wraps copies the attributes of what a wrapper is around."""
    assert ingot.jit(f)(2.0) == ingot.jit(lambda x: f(x))(2.0) == f(2.0)
    assert ingot.grad(f)(2.0) == ingot.jit(ingot.grad(lambda x: f(x)))(2.0)
    assert ingot.jit(functools.wraps(f)(lambda x: f(x) + 1))(2.0) == f(2.0) + 1


class WithDerivative:
    w = 3.0

    @ingot.jit
    def cube(self, x):
        return self.w * x**3

    slope = ingot.grad(cube, argnums=1)


def test_methods_that_are_compiled_keep_what_they_are_bound_to():
    it = WithDerivative()
    assert ingot.jit(it.slope)(2.0) == it.slope(2.0) == 36.0
    assert ingot.checkpoint(it.cube)(2.0) == 24.0
    assert ingot.grad(lambda x: ingot.checkpoint(it.cube)(x))(2.0) == 36.0


@pytest.mark.parametrize("f", [Affine, zip, np.random.default_rng, "text".join])
def test_callables_without_source(f):
    same_or_refused(f, np.float64(2.0))


V = np.array([0.5, 1.0, 2.0])
GIVEN = {
    "ufunc": (np.sin, V),
    "ufunc of two": (np.add, V, V[::-1].copy()),
    "function": (np.linalg.norm, V),
    "reduction of a ufunc": (np.add.reduce, V),
    "of math": (math.sin, 0.5),
    "of operator": (operator.neg, V),
    "of Python": (abs, V),
    "of scipy": (scipy.special.erf, V),
    "method": (np.ndarray.sum, V),
    "method of an array": (V.dot, V),
    "partial": (functools.partial(np.power, 2.0), V),
    "of integers": (operator.floordiv, 7, 2),
}


def test_functions_of_libraries_after_much_other_text():
    compiled = ingot.jit(np.cosh)
    compiled(V)
    for i in range(2000):
        exec(f"def f{i}(x):\n    return x + {i}\n", {})
    assert_same(compiled(V[:2]), np.cosh(V[:2]))
    assert_same(ingot.jit(np.cosh)(V[1:]), np.cosh(V[1:]))


@pytest.mark.parametrize("name", GIVEN)
def test_functions_of_libraries(name):
    f, *args = GIVEN[name]
    same(f, *args)


def test_the_keywords_of_functions_of_libraries():
    np.testing.assert_array_equal(
        ingot.jit(np.add)(V, V, where=V > 0.7, out=np.zeros(3)), [0.0, 2.0, 4.0]
    )
    assert ingot.jit(np.sum, static="axis")(np.ones((2, 3)), axis=1).shape == (2,)
    assert repr(ingot.jit(np.sin)) != repr(ingot.jit(np.cos))


def test_transforms_of_functions_of_libraries():
    assert ingot.grad(np.sin)(0.5) == pytest.approx(np.cos(0.5))
    np.testing.assert_allclose(ingot.grad(np.ndarray.sum)(V), 1)
    assert ingot.grad(scipy.special.erf)(0.0) == pytest.approx(2 / np.sqrt(np.pi))
    value, slopes = ingot.value_and_grad(np.hypot, (0, 1))(3.0, 4.0)
    np.testing.assert_allclose([value, *slopes], [5.0, 0.6, 0.8])
    np.testing.assert_allclose(ingot.jacfwd(np.sin)(V), np.diag(np.cos(V)))
    np.testing.assert_allclose(ingot.jacrev(np.cumsum)(V), np.tri(3))
    np.testing.assert_allclose(ingot.hessian(np.prod)(V), [[0, 2, 1], [2, 0, 0.5], [1, 0.5, 0]])
    np.testing.assert_allclose(ingot.vmap(np.linalg.norm)(2 * np.eye(3)), 2)
    np.testing.assert_allclose(ingot.vmap(np.add, (0, None))(V, V), V[:, None] + V)
    np.testing.assert_allclose(ingot.vmap(ingot.grad(np.sin))(V), np.cos(V))
    np.testing.assert_allclose(ingot.jvp(np.sin, (V,), (V,))[1], V * np.cos(V))
    np.testing.assert_allclose(ingot.vjp(np.sin, V)[1](V)[0], V * np.cos(V))
    assert ingot.grad(ingot.checkpoint(np.sin))(0.5) == pytest.approx(np.cos(0.5))
    assert ingot.grad(functools.partial(np.power, 2.0))(1.0) == pytest.approx(2 * np.log(2))
    ingot.check_grads(np.sin, (V,), order=2)


def test_errors_of_functions_of_libraries_name_them():
    with pytest.raises(ingot.CompileError, match=r"^<add>.*broadcast") as caught:
        ingot.jit(np.add)(np.ones(2), V)
    assert "frontend" not in str(caught.value)


def test_methods_of_arrays_in_compiled_code():
    same(lambda x: np.ndarray.sum(x) + np.ndarray.dot(x, x), V)
    dot = V.dot
    same(lambda x: dot(x), V)


def test_functions_of_exec():
    names = {}
    exec("def f(x):\n    return [v * x for v in (1, 2)]\ng = lambda x: x + 1", names)
    same_or_refused(names["f"], 2.0)
    same_or_refused(names["g"], 2.0)
    same(written("def f(x):\n    return [v * x for v in (1, 2)]"), 2.0)


@pytest.mark.parametrize("how", ["-c", "stdin"])
def test_functions_of_python_without_a_file(how):
    text = (
        "import ingot\n"
        "def f(x):\n"
        "    return x * 2 if x > 0 else -x\n"
        "g, h = ingot.jit(lambda x: x + 1), ingot.jit(lambda x: x + 2)\n"
        "print(ingot.jit(f)(1.5), g(1.5), h(1.5))\n"
    )
    command = [sys.executable, "-c", text] if how == "-c" else [sys.executable, "-"]
    # Unbuffered, C keeps nothing of a pipe.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, check=False, env=environment
    )
    assert done.stdout == "3.0 2.5 3.5\n", done.stderr


def summed(*args, **options):
    return sum(args)


def added(x, y):
    return x + y


# As wrappers assign them to functions of other parameters.
summed.__defaults__ = (5,)
added.__defaults__ = (1.0, 2.0, 3.0)


def test_more_defaults_than_parameters():
    for call in (summed, added):
        same(call, 3.0)
        same(lambda: call())
    same(lambda x: added(y=x), 3.0)
