"""Kernels of many loops, which are divided among functions and threads of the compiler."""

import numpy as np

import ingot
from ingot import _native

FACTORS = tuple(float(x) for x in np.random.default_rng(3).normal(size=90))
TABLE = np.random.default_rng(4).normal(size=7)


def many(x, m, count):
    """Each sum has a loop of its own, with a number that the outer loop computes and a constant
    table; products call NumPy."""
    total = 0.0
    for i in range(count):
        scale = np.sin(float(i))
        for factor in FACTORS:
            x = np.cumsum(x * (factor + scale))[::-1] / 100
            x[:7] += TABLE * factor
            total += x[3]
        m = m @ m / 400 + x[:90]
    return x, m, total


def arguments():
    rng = np.random.default_rng(5)
    return rng.normal(size=400), rng.normal(size=(90, 90)), 3


def compiled(function, *args):
    """The text of the only kernel, after each step."""
    (kernel,) = ingot.jit(function, native=True).lower(*args).native().values()
    return kernel


def test_results():
    x, m, count = arguments()
    for got, want in zip(ingot.jit(many, native=True)(x, m, count), many(x, m, count), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)


def test_strict_results_are_numpys():
    x, m, count = arguments()
    strict = ingot.jit(many, native=True, strict_fp=True)
    for got, want in zip(strict(x, m, count), many(x, m, count), strict=True):
        np.testing.assert_array_equal(got, want)


def test_it_is_divided():
    kernel = compiled(many, *arguments())
    assert kernel["llvm-dialect"].count("llvm.func internal @kernel.nest") > 80
    assert kernel["llvm"].count("; ModuleID") > 1
    assert kernel["assembly"].count('.section\t".note.GNU-stack"') > 1
    first = _native.compile(kernel["ingot"])
    assert first == _native.compile(kernel["ingot"])


def test_a_small_one_is_not():
    kernel = compiled(lambda x: np.cumsum(x) * 2, np.ones(400))
    assert "kernel.nest" not in kernel["llvm-dialect"]
    assert kernel["llvm"].count("; ModuleID") == 1
