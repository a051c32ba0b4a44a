"""Functions with `functools.cache`: what is in the cache, and what is computed at run time."""

import functools
import math

import numpy as np
import pytest

import ingot

X = np.array([0.5, -1.0, 2.0])


@functools.cache
def binomial(n, k):
    return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)


@functools.lru_cache(maxsize=4)
def spheroid(name, scale=1.0):
    if name not in ("earth", "moon"):
        raise ValueError(f"unknown body {name}")
    a = 6378.0 if name == "earth" else 1738.0
    return a * scale, math.sqrt(a), name


@functools.cache
def of_a_number(t):
    return np.exp(-t) * t


@functools.cache
def array_of(n):
    return np.ones(n)


@functools.cache
def loud(n):
    print("n is", n)
    return n


class Table:
    @staticmethod
    @functools.cache
    def double(k):
        return 2 * k


def polynomial(x):
    return sum(binomial(30, k) * x**k for k in range(0, 31, 10))


def by_name(x):
    a, root, name = spheroid("moon", scale=2.0)
    return x * a + root, name, spheroid("earth")[0]


class Body:
    def __init__(self, radius):
        self.radius, self.weights = radius, np.arange(3.0)


@functools.cache
def body(name):
    return Body({"earth": 6378.0, "moon": 1738.0}[name])


def of_an_object(x):
    return x * body("moon").radius + body(name="moon").weights, body("moon") is body("moon")


def of_an_array(x):
    return x + array_of(3), array_of(3) is array_of(3)


def of_run_time_numbers(x, t):
    return x * of_a_number(t) + of_a_number(x[0]) + Table.double(3)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (polynomial, (X,)),
        (by_name, (X,)),
        (of_an_object, (X,)),
        (of_an_array, (X,)),
        (of_run_time_numbers, (X, 0.25)),
    ],
)
def test_a_cached_function_is_called(f, args):
    found, expected = ingot.jit(f)(*args), f(*args)
    mine, theirs = (each if isinstance(each, tuple) else (each,) for each in (found, expected))
    assert list(map(type, mine)) == list(map(type, theirs))
    np.testing.assert_allclose(mine[0], theirs[0], rtol=1e-14)
    assert mine[1:] == theirs[1:]


def test_it_is_differentiated():
    gradient = ingot.grad(lambda t: of_a_number(t) * 3)(0.25)
    assert gradient == pytest.approx(3 * math.exp(-0.25) * 0.75)


def test_what_it_raises_is_raised():
    f = ingot.jit(lambda x: x * spheroid("mars")[0])
    with pytest.raises(ValueError, match="unknown body mars"):
        f(X)
    f = ingot.jit(lambda x: of_a_number(x))
    with pytest.raises(TypeError, match=r"unhashable type: 'numpy.ndarray'"):
        f(X)


def test_what_is_in_the_cache_is_the_object_itself():
    def f(x):
        body("earth").radius = 1.0
        array_of(4)[0] = x[0]
        return body("earth"), array_of(4)

    found = ingot.jit(f)(X)
    assert found[0] is body("earth") and body("earth").radius == 1.0
    np.testing.assert_array_equal(array_of(4), [0.5, 1, 1, 1])


def test_a_change_of_what_is_in_the_cache_is_seen():
    f = ingot.jit(lambda x: x * body("moon").radius)
    first = f(X)
    body("moon").radius *= 2
    np.testing.assert_array_equal(f(X), first * 2)
    body("moon").radius /= 2


def test_it_prints_once(capfd):
    f = ingot.jit(lambda x: x * loud(3))
    np.testing.assert_array_equal(f(X), X * 3)
    f(X + 1)
    assert capfd.readouterr().out == "n is 3\n"


@pytest.mark.parametrize(
    "f", [lambda x, n: x * array_of(3 + 0 * n), lambda x, n: loud(x[0] * n), lambda x, n: body(n)]
)
def test_run_time_arguments_of_what_changes_are_refused(f):
    with pytest.raises((ingot.CompileError, KeyError)):
        ingot.jit(f)(X, X[1])


def test_a_cached_function_itself():
    """It is compiled, differentiated and mapped as one that calls it."""
    assert ingot.jit(of_a_number)(0.5) == pytest.approx(of_a_number(0.5))
    assert ingot.jit(binomial)(6, 2) == 15
    assert ingot.grad(of_a_number)(0.5) == pytest.approx(0.5 * math.exp(-0.5))
    np.testing.assert_allclose(ingot.vmap(of_a_number)(X), [of_a_number(x) for x in X])
    with pytest.raises(TypeError, match=r"unhashable type: 'numpy.ndarray'"):
        ingot.jit(of_a_number)(X)


def paths(n, x):
    @functools.lru_cache(maxsize=None)
    def count(i, j):
        return 1 if i == 0 or j == 0 else count(i - 1, j) + count(i, j - 1)

    return count(n, n) * x


def powers(x, n):
    @functools.cache
    def power(k):
        return math.pow(x[0], k)

    return power(2.0) + power(n) + power(2.0)


def test_functions_in_functions(check):
    check(paths, 12, X)
    check(powers, X, 3)


def test_functions_in_functions_whose_cache_shows_are_refused():
    def counted(n):
        calls = [0]

        @functools.cache
        def f(k):
            calls[0] += 1
            return k

        return f(n) + f(n), calls

    def arrays(x):
        @functools.cache
        def f(k):
            return x + k

        return f(1), f(1)

    for f, args in ((counted, (2,)), (arrays, (X,))):
        with pytest.raises(ingot.UnsupportedError, match="a cache") as caught:
            ingot.jit(f)(*args)
        assert caught.value.hint == "leave the cache out"
