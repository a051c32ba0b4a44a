"""Decorators of functions that compiled code defines."""

import functools

import numpy as np
import pytest

import ingot

X = np.arange(3.0)


def twice(f):
    def call(*args, **kwargs):
        return 2 * f(*args, **kwargs)

    return call


def times(n):
    def decorate(f):
        @functools.wraps(f)
        def call(*args):
            return n * f(*args)

        return call

    return decorate


def plain(x):
    @twice
    def shifted(y, by=1):
        return y + by

    return shifted(x) + shifted(x, by=2)


def several(x, n):
    @times(n)
    @twice
    def shifted(y):
        return y + 1

    return shifted(x), shifted.__name__


def named(x):
    @times(2)
    def shifted(y):
        return y + 1

    by_hand = functools.wraps(np.sin)(lambda y: y)
    return shifted(x), shifted.__name__, by_hand.__name__, (lambda y: y).__name__


def named_after_what_has_no_name(x):
    return functools.wraps(x)(lambda y: y).__name__


def of_the_function_itself(x):
    order = []

    def note(name):
        order.append(name)

        def decorate(f):
            order.append(f.__name__)
            return f

        return decorate

    for name in ("a", "b"):

        @note(name)
        @note(name + "2")
        def shifted(y, scale=len(order)):
            return y * scale

    return shifted(x), order


def of_numpy(x):
    @np.vectorize
    def positive(each):
        return each if each > 1 else 0.0

    return positive(x)


def compiled(x):
    @ingot.jit
    def doubled(y):
        return y * 2

    return doubled(x)


@pytest.mark.parametrize("f, args", [
    (plain, ()), (several, (3,)), (named, ()), (named_after_what_has_no_name, ()), (of_the_function_itself, ()), (of_numpy, ()),
    (compiled, ()),
])  # fmt: skip
def test_decorated_functions(check, f, args):
    check(f, X, *args)


def test_derivatives_and_batches_of_decorated_functions():
    total = lambda x: np.sum(several(x, 3)[0] ** 2)  # noqa: E731
    np.testing.assert_allclose(ingot.grad(total)(X), 2 * 36 * (X + 1))
    np.testing.assert_allclose(ingot.vmap(plain)(np.stack([X, X])), [plain(X)] * 2)
