"""What jit takes: methods, partials, callable instances, lambdas, functions without a file."""

import functools
import operator
import os
import subprocess
import sys
import types

import numpy as np
import pytest
from plain import same, same_or_refused, written


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


@pytest.mark.parametrize("f", [np.sin, operator.neg, abs, Affine, np.ndarray.sum])
def test_callables_without_source(f):
    same_or_refused(f, np.float64(2.0))


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
