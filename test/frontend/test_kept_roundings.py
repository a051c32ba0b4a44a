"""What XLA compiles rounds, overflows and underflows operation by operation, as in NumPy.

XLA's algebraic simplifier takes floats as real numbers; `keep-roundings` hides from it what it
would exchange. Each step of a program may be a few units of the last place off, and numbers below
the normal range may be taken as zero: a result is one of those that such steps lead to.
"""

import itertools
import operator

import numpy as np
import pytest

import ingot
import ingot_runtime
from level import sample
from oracle import quiet

#: Numbers at the ends of each type's range, and factors that are powers of 2 or not.
CONSTANTS = {
    np.float64: [1e16, 1e200, 1e-200, 1e-310, 1.5e308, 0.5, 3.0],
    np.float32: [1e8, 1e25, 1e-25, 1e-40, 3e38, 0.5, 3.0],
}
VALUES = {
    np.float64: [
        0.0,
        -0.0,
        0.3,
        -2.0,
        1e16,
        1e200,
        -1e200,
        1e-200,
        1.7e308,
        -3e-308,
        np.inf,
        np.nan,
    ],
    np.float32: [0.0, -0.0, 0.3, -2.0, 1e8, 1e25, -1e25, 1e-25, 3e38, -2e-38, np.inf, np.nan],
}
TYPES = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])


def flushed(values):
    """What is below the normal range as zeros."""
    return np.where(np.abs(values) < np.finfo(values.dtype).tiny, values * 0, values)


def nearby(values, ulps):
    step = values * (ulps * np.finfo(values.dtype).eps)
    return [values] if ulps == 0 else [values - step, values, values + step]


def results(outer, *inner, ulps):
    """The values that `outer` may have, if those of `inner` are off by some units."""
    for keep in (np.asarray, flushed):
        for each in itertools.product(*(nearby(keep(values), ulps) for values in inner)):
            yield keep(np.asarray(outer(*each)))


def assert_one_of(actual, allowed, ulps=4, about=""):
    """Each element lies between the values that it may have, or is one of them."""
    allowed = np.array(list(allowed))
    actual = np.asarray(actual)
    assert actual.dtype == allowed.dtype, about
    low, high = (
        np.fmin.reduce(allowed) if sign < 0 else np.fmax.reduce(allowed) for sign in (-1, 1)
    )
    slack = ulps * np.finfo(actual.dtype).eps
    with quiet():
        between = (actual >= low - slack * np.abs(low)) & (actual <= high + slack * np.abs(high))
    same = (actual == allowed) | (np.isnan(actual) & np.isnan(allowed))
    good = same.any(axis=0) | (between & np.isfinite(actual))
    assert good.all(), f"{about}: {actual[~good]} for {allowed[:, ~good].T}"


def by_xla(f, *arguments):
    return ingot.jit(f, native=False)(*arguments)


#: The steps of a chain: each takes an array and a constant.
STEPS = {
    "x + c": operator.add,
    "x - c": operator.sub,
    "c - x": lambda x, c: c - x,
    "x * c": operator.mul,
    "x / c": operator.truediv,
    "c / x": lambda x, c: c / x,
}


SUMS = {"x + c", "x - c", "c - x"}


def chained(first, second, x, a, b):
    """The values that a chain may have: subnormal terms of a sum may be zeros, quotients by
    constants are products with reciprocals, and a product is fused with a sum."""
    inner, outer = STEPS[first], STEPS[second]
    tiny = np.finfo(x.dtype).tiny
    terms = [0.0] if first in SUMS and a < tiny else []
    ends = [0.0] if second in SUMS and b < tiny else []
    for start, end in itertools.product([a, *terms], [b, *ends]):
        ulps = 0 if first in SUMS else 2
        yield from results(lambda y, end=end: outer(y, end), inner(x, start), ulps=ulps)
    if first in ("x * c", "x / c") and second in SUMS:
        wide = outer(inner(x.astype(np.longdouble), np.longdouble(a)), np.longdouble(b))
        yield wide.astype(x.dtype)


@TYPES
@pytest.mark.parametrize("first", STEPS)
@pytest.mark.parametrize("second", STEPS)
def test_chains_of_two_operations(first, second, dtype):
    x = np.array(VALUES[dtype], dtype)
    pairs = sample(list(itertools.product(CONSTANTS[dtype], repeat=2)), 3)
    inner, outer = STEPS[first], STEPS[second]

    def chains(x):
        return [outer(inner(x, a), b) for a, b in pairs]

    found = by_xla(chains, x)
    with quiet():
        for (a, b), actual in zip(pairs, found, strict=True):
            allowed = chained(first, second, x, a, b)
            assert_one_of(actual, allowed, about=f"{first}, {a}; {second}, {b}")


def test_chains_of_one_program_each():
    """Alone, since other uses of a value keep XLA from some of its rules."""
    x = np.array(VALUES[np.float64])
    with quiet():
        for first, second in itertools.product(["x + c", "x * c", "x / c", "c / x"], repeat=2):
            a, b = (1e16, -1e16) if "+" in first else (1e200, 1e-200)
            inner, outer = STEPS[first], STEPS[second]
            allowed = chained(first, second, x, a, b)
            actual = by_xla(lambda x, f=inner, g=outer, a=a, b=b: g(f(x, a), b), x)
            assert_one_of(actual, allowed, about=f"{first}; {second}")


def square(x):
    return x * x


def inverse(x):
    return 1 / x


def negative_power(x):
    return np.power(x, -1.5)


UNARY = [
    np.exp,
    np.log,
    np.sqrt,
    np.abs,
    np.negative,
    np.expm1,
    np.log1p,
    np.tanh,
    np.cbrt,
    square,
    inverse,
    negative_power,
]
#: Numbers where functions of functions overflow, underflow or have no value.
POINTS = [-800.0, -1.0, -0.0, 0.0, 1e-200, 0.3, 1.0, 40.0, 709.6, 800.0, 1e200, np.inf, np.nan]


@pytest.mark.parametrize("inner", UNARY, ids=lambda f: f.__name__)
def test_functions_of_functions(inner):
    x = np.array(POINTS)

    def compositions(x):
        return [outer(inner(x)) for outer in UNARY]

    found = by_xla(compositions, x)
    with quiet():
        for outer, actual in zip(UNARY, found, strict=True):
            allowed = results(outer, inner(x), ulps=4)
            assert_one_of(actual, allowed, ulps=8, about=f"{outer.__name__}({inner.__name__})")


@pytest.mark.parametrize(
    "operation", [np.multiply, np.divide, np.power, np.maximum], ids=lambda f: f.__name__
)
def test_operations_on_two_functions(operation):
    x, y = (each.ravel() for each in np.meshgrid(POINTS, POINTS))
    functions = [np.exp, np.sqrt, np.abs, np.negative, square, inverse, negative_power]
    pairs = list(itertools.product(functions, repeat=2))

    def all_pairs(x, y):
        return [operation(f(x), g(y)) for f, g in pairs]

    found = by_xla(all_pairs, x, y)
    with quiet():
        for (f, g), actual in zip(pairs, found, strict=True):
            allowed = results(operation, f(x), g(y), ulps=4)
            assert_one_of(actual, allowed, ulps=8, about=f"{f.__name__}, {g.__name__}")


def test_comparisons_with_zero():
    functions = [np.exp, np.sqrt, np.abs, square, lambda x: np.maximum(x, 1.0), np.square]

    def comparisons(x):
        return [(f(x) >= 0, 0 <= f(x), f(x) < 0, 0 > f(x)) for f in functions]

    x = np.array(POINTS)
    found = by_xla(comparisons, x)
    with quiet():
        np.testing.assert_array_equal(found, comparisons(x))


@TYPES
def test_quotients_of_quotients(dtype):
    x, y, z = (each.ravel() for each in np.meshgrid(*[np.array(VALUES[dtype], dtype)] * 3))

    def quotients(x, y, z):
        return x / y / z, x / (y / z), (x / y) / (y / z), (1 / x) / y, x / (1 / y), 1 / (1 / x)

    found = by_xla(quotients, x, y, z)
    one = dtype(1)
    with quiet():
        over = [
            (x / y, z),
            (x, y / z),
            (x / y, y / z),
            (one / x, y),
            (x, one / y),
            (one + 0 * x, one / x),
        ]
        for actual, (a, b) in zip(found, over, strict=True):
            good = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
            allowed = results(np.divide, a[good], b[good], ulps=1)
            assert_one_of(actual[good], allowed)


@pytest.mark.parametrize("factor", [0.5, 2.0, 3.0, -4.0])
def test_sums_of_multiples(factor):
    x, y = (each.ravel() for each in np.meshgrid([1.7e308, -1.7e308, 1.0], [1.7e308, 1e308, 3.0]))

    def sums(x, y):
        return x * factor + y * factor, x / factor + y / factor, y * factor + x * factor

    def fused(x, y, factor):
        wide = x.astype(np.longdouble) * factor + y * factor
        return wide.astype(np.float64)

    with quiet():
        for actual, expected in zip(by_xla(sums, x, y), sums(x, y), strict=True):
            allowed = [expected]
            for p, q, by in itertools.product((x, y), (x, y), (factor, 1 / factor)):
                infinite = np.isinf(p * by) | np.isinf(q * by)
                allowed.append(np.where(infinite, fused(p, q, by), expected))
            assert_one_of(actual, allowed)


@pytest.mark.parametrize(
    "dtype, large", [(np.float64, 1.5e308), (np.float32, 3e38), (np.float16, 6e4)]
)
def test_quotients_by_fewer_numbers(dtype, large):
    x = np.array([[large, 1.0, 0.5 * large], [0.0, np.inf, -large]], dtype)
    divisors = np.array([large, 1.0, 3.0, 0.0, -large, np.inf, np.nan], dtype)

    def quotients(x, s, column):
        return x / s, x / column, x / np.abs(x[0, 0]), x * 2 / s / 3

    with quiet():
        for s in divisors:
            column = np.array([[s], [dtype(7)]])
            expected = quotients(x, s, column)
            for actual, each in zip(by_xla(quotients, x, s, column), expected, strict=True):
                assert_one_of(actual, [each, flushed(each)])


def test_arrays_of_constants():
    a, b = np.array([1e200, 1e-300, 3.0, 1e16]), np.array([1e-200, 1e300, 0.0, 1e308])

    def products(x):
        return x * a * b, x / a / b, x + a - a, x / b * a, (x * a).reshape(2, 2).T * b[:2]

    x = np.array([1e200, 1.0, 0.3, 1e-200])
    with quiet():
        for actual, expected in zip(by_xla(products, x), products(x), strict=True):
            assert_one_of(actual, [expected, flushed(expected)])


def helper(x):
    return x * 1e200


def in_a_loop(x):
    for _ in range(3):
        x = helper(x) * 1e-200
    return x


def under_a_condition(x):
    y = x + 1e16
    if x[0] > 0:
        y = y - 1e16
    return y


def in_another_shape(x):
    return (helper(x).reshape(2, 2).T * 1e-200).ravel(), np.broadcast_to(x[1] + 1e16, 3) - 1e16


def of_negated(x):
    return -helper(x) * 1e-200, -(helper(-x)) * -1e-200


def beside_a_sort(x):
    return np.sort(x + 1e16 - 1e16), np.log(np.exp(x * 1000)), np.sqrt(x**2 * 1e200)


@pytest.mark.parametrize(
    "f", [in_a_loop, under_a_condition, in_another_shape, of_negated, beside_a_sort]
)
def test_programs(f):
    x = np.array([0.3, 1e200, 3.0, -1e-200])
    with quiet():
        for compiled in (by_xla(f, x), ingot.jit(f)(x), ingot.vmap(f)(x[None])):
            for actual, expected in zip(
                compiled if isinstance(compiled, tuple) else [compiled],
                f(x) if isinstance(f(x), tuple) else [f(x)],
                strict=True,
            ):
                assert_one_of(np.reshape(actual, expected.shape), [expected])


def test_derivatives():
    def steep(x):
        return np.sum(x * 1e200 * 1e200 * 1e-300)

    x = np.array([1e-200, 0.0, 1.0])
    # The factors of the chain rule are multiplied from the outermost on.
    gradient = ingot.jit(ingot.grad(steep), native=False)(x)
    np.testing.assert_allclose(gradient, np.full(3, 1e-300 * 1e200 * 1e200), rtol=1e-15)


def test_complex_products():
    def products(z):
        return z * 1e200 * 1e-200, z * 1e-200 * 1e200

    z = np.array([0.3 + 1j, -3 + 0.5j, 1e-150 + 1j])
    np.testing.assert_allclose(by_xla(products, z), products(z), rtol=1e-14)


@pytest.mark.parametrize("scale", [1.0, 1e200])
def test_artifacts(tmp_path, scale):
    def f(x):
        return (x + 1e16) - 1e16, x * scale * 1e200 / 1e200, np.log(np.exp(x))

    path = tmp_path / "f.ingot"
    x = np.array([0.3, 1e200, 3.0])
    ingot.export(f, x).save(path)
    with quiet():
        for actual, expected in zip(ingot_runtime.load(path)(x), f(x), strict=True):
            assert_one_of(actual, [expected])
