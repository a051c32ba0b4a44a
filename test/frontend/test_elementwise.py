"""Elementwise functions against NumPy: values, dtypes, broadcasting, NEP 50."""

import operator

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import ingot
from ingot.dtypes import DTYPES
from ingot.numpy.composed import COMPOSED
from ingot.numpy.ufuncs import COMPARISONS, LOGICAL, OPERATIONS
from level import sample
from oracle import assert_same, quiet

UFUNCS = sorted({*OPERATIONS, *COMPARISONS, *LOGICAL, *COMPOSED}, key=lambda u: u.__name__)
#: XLA evaluates these by other formulas; the last digits differ.
LOOSE = {
    "power",
    "float_power",
    "exp2",
    "logaddexp2",
    "arccosh",
    "arcsinh",
    "arctanh",
    "sinh",
    "log2",
}


def data(dtype, ndim, seed):
    rng = np.random.default_rng(seed)
    shape = {0: (), 1: (4,), 2: (3, 1)}[ndim]
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        low = 0 if dtype.kind == "u" else -5
        return rng.integers(low, 6, shape).astype(dtype)
    values = rng.uniform(-2, 2, shape)
    if dtype.kind == "c":
        values = values + 1j * rng.uniform(-2, 2, shape)
    return values.astype(dtype)


def compare(sweep, ufunc, *args):
    """NumPy and Ingot agree, or both refuse (or Ingot alone, for complex numbers)."""
    name = ufunc.__name__
    with quiet():
        try:
            expected = ufunc(*args)
        except (TypeError, ValueError):
            expected = None
    f = _FUNCTIONS[name]
    complex_ = any(np.asarray(a).dtype.kind == "c" for a in args)
    try:
        actual = ingot.jit(f)(*args)
    except (ingot.CompileError, ValueError) as error:
        assert expected is None or complex_
        sweep.skipped() if expected is None else sweep.refused(error)
        return
    if expected is None:
        pytest.fail(f"NumPy refuses {name} of these, Ingot does not")
    loose = 1e-8 if name in LOOSE or complex_ else 1e-13
    assert_same(actual, expected, loose)
    sweep.agreed()


def _make_functions():
    functions = {}
    for ufunc in UFUNCS:
        if ufunc.nin == 1:
            functions[ufunc.__name__] = _unary(ufunc)
        else:
            functions[ufunc.__name__] = _binary(ufunc)
    return functions


def _unary(ufunc):
    def f(x):
        return ufunc(x)

    return f


def _binary(ufunc):
    def f(x, y):
        return ufunc(x, y)

    return f


_FUNCTIONS = _make_functions()


#: Each function with every third dtype, beginning with another one for the next function.
UNARY = [
    (ufunc, dtype)
    for i, ufunc in enumerate(u for u in UFUNCS if u.nin == 1)
    for dtype in sample(DTYPES[i % 3 :] + DTYPES[: i % 3], 3)
]


@pytest.mark.floor(0.95)
@pytest.mark.parametrize("ufunc, dtype", UNARY, ids=lambda each: getattr(each, "__name__", None))
def test_unary(ufunc, dtype, sweep):
    compare(sweep, ufunc, data(dtype, 1, 1))


PAIRS = [(a, a) for a in DTYPES] + [
    (np.dtype(a), np.dtype(b))
    for a, b in [
        ("bool", "int8"), ("int8", "uint8"), ("int64", "float32"), ("uint64", "int64"),
        ("float16", "float32"), ("float32", "complex64"), ("int32", "float64"),
    ]
]  # fmt: skip


OF_TWO = [u for u in UFUNCS if u.nin == 2]
#: Each pair with every fifth function, beginning with another one for the next pair.
BINARY = [
    (ufunc, pair)
    for i, pair in enumerate(PAIRS)
    for ufunc in sample(OF_TWO[i % 5 :] + OF_TWO[: i % 5], 5)
]


@pytest.mark.floor(0.95)
@pytest.mark.parametrize("ufunc, pair", BINARY, ids=lambda each: getattr(each, "__name__", None))
def test_binary(ufunc, pair, sweep):
    y = data(pair[1], 1, 3)
    if ufunc in (np.left_shift, np.right_shift) or (ufunc is np.power and pair[1].kind in "iu"):
        y = np.abs(y)
    compare(sweep, ufunc, data(pair[0], 2, 2), y)


@pytest.mark.parametrize("signed", ["int8", "int64"])
def test_unsigned_and_signed_are_compared_exactly(check, signed):
    x = np.array([0, 1, 127, 255, 2**63, 2**64 - 1, 2**53 + 1], "uint64")
    y = np.array([0, -1, 127, -128, 1, 5, 3], signed)

    def compared(x, y):
        return x == y, x != y, x < y, x <= y, x > y, x >= y, y == x, y != x, y < x, y <= x, y > x

    check(compared, x[:, None], y)
    check(compared, x[4], y)
    check(compared, x[5], y[1])
    check(compared, x, y[1])
    check(lambda y: (y < np.uint64(3), np.uint64(2**63) >= y, y == np.uint64(1)), y)
    check(lambda x: (x < np.int64(-3), np.int64(127) == x, np.int64(-1) != x), x)
    check(lambda x, y: np.maximum(x, y), x, y)


OPERATORS = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
]
SCALARS = [True, 3, -2, 2.5, 1 + 2j]


def _operator(op):
    return {
        operator.add: lambda x, y: x + y,
        operator.sub: lambda x, y: x - y,
        operator.mul: lambda x, y: x * y,
        operator.truediv: lambda x, y: x / y,
        operator.floordiv: lambda x, y: x // y,
        operator.mod: lambda x, y: x % y,
    }[op]


@pytest.mark.parametrize("op", OPERATORS, ids=lambda o: o.__name__)
@pytest.mark.parametrize("scalar", sample(SCALARS, 2), ids=str)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float32", "float64"])
def test_python_scalar_meets_array(op, scalar, dtype):
    x = data(np.dtype(dtype), 1, 5)
    with quiet():
        try:
            expected = op(x, scalar)
        except (TypeError, OverflowError):
            return
    assert_same(ingot.jit(_operator(op))(x, scalar), expected)


@pytest.mark.parametrize("op", OPERATORS, ids=lambda o: o.__name__)
@pytest.mark.parametrize("a", sample(SCALARS, 2), ids=str)
@pytest.mark.parametrize("b", SCALARS, ids=str)
def test_python_scalars_stay_python(op, a, b):
    try:
        expected = op(a, b)
    except TypeError:
        pytest.raises(ingot.DTypeError, ingot.jit(_operator(op)), a, b)
        return
    assert_same(ingot.jit(_operator(op))(a, b), expected)


def test_python_division_by_zero_raises():
    for op in (operator.truediv, operator.floordiv, operator.mod):
        with pytest.raises(ZeroDivisionError):
            ingot.jit(_operator(op))(1, 0)


def test_out_of_range_python_int_is_refused():
    with pytest.raises(ingot.DTypeError, match="out of bounds for uint8"):
        ingot.jit(lambda x: x + 300)(np.zeros(3, np.uint8))


def test_integer_overflow_wraps():
    x = np.array([127, -128], np.int8)
    assert_same(ingot.jit(lambda x: x + x)(x), x + x)


def add_mul(x, y):
    return x * y + x


def where(c, x, y):
    return np.where(c > 0, x, y)


shapes = hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4)


@given(shapes, st.sampled_from(["int32", "float32", "float64", "complex128"]), st.randoms())
def test_broadcasting(shapes, dtype, random):
    rng = np.random.default_rng(random.randrange(1000))
    x, y = (np.asarray(rng.integers(-9, 9, s)).astype(dtype) for s in shapes.input_shapes)
    assert_same(ingot.jit(add_mul)(x, y), add_mul(x, y))


@given(shapes)
def test_where_broadcasts(shapes):
    x, y = (np.arange(np.prod(s, dtype=int)).reshape(s) - 2.0 for s in shapes.input_shapes)
    assert_same(ingot.jit(where)(y, x, y), where(y, x, y))


@ingot.jit
def divisions_of_floats(x, y):
    return x // y, x % y, np.fmod(x, y), np.floor(x)


@ingot.jit
def divisions_of_integers(x, y):
    return x // y, x % y, np.fmod(x, y), x & y, x | y, x ^ y, ~x, abs(x)


@given(
    hnp.arrays(np.float64, 5, elements=st.floats(allow_subnormal=False)),
    hnp.arrays(np.float64, 5, elements=st.floats(-1e6, 1e6, allow_subnormal=False)),
)
def test_division_and_remainder_on_any_float(x, y):
    with quiet():
        expected = divisions_of_floats.__wrapped__(x, y)
    for actual, e in zip(divisions_of_floats(x, y), expected, strict=True):
        np.testing.assert_allclose(actual, e, rtol=1e-9, atol=1e-300)


@given(hnp.arrays(np.int64, 6), hnp.arrays(np.int64, 6, elements=st.integers(-3, 3)))
def test_integer_division_and_remainder(x, y):
    with quiet():
        expected = divisions_of_integers.__wrapped__(x, y)
    assert_same(divisions_of_integers(x, y), expected)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_arccosh_below_one(dtype, check):
    values = [-np.inf, -1e30, -1e10, -1e8, -2, -1, 0.5, 1, 1e10, 1e30, np.inf, np.nan]
    check(lambda x: np.arccosh(x), np.array(values, dtype))


TO = [bool, np.uint8, np.int64, np.float32, np.complex128]
CASTS = {
    "into": lambda a, b, out, how: np.subtract(a, b, out=out, casting=how),
    "in": lambda a, b, out, how: np.multiply(a, b, dtype=out.dtype, casting=how),
    "of one": lambda a, b, out, how: np.abs(a, dtype=out.dtype, casting=how),
    "divided": lambda a, b, out, how: np.floor_divide(a, 2, out=out, dtype=b.dtype, casting=how),
}


@pytest.mark.parametrize("name", CASTS)
@pytest.mark.parametrize("how", ["safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("to", TO)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_casting(name, how, to):
    f = CASTS[name]
    for a, b in [(np.array([4.75, 0, 1.5]), np.array([1, 0, 1])), (np.arange(3), np.arange(3.0))]:
        out, expected = np.zeros(3, to), np.zeros(3, to)
        try:
            wanted = f(a, b, expected, how)
        except TypeError:
            with pytest.raises(ingot.DTypeError):
                ingot.jit(f)(a, b, out, how)
            continue
        made = ingot.jit(f)(a, b, out, how)
        assert (made is out) == (wanted is expected)
        np.testing.assert_array_equal(made, wanted, strict=True)


def test_casting_rules_that_are_refused():
    with pytest.raises(ingot.UnsupportedError, match="casting='safe'"):
        ingot.jit(lambda a: np.add(a, 1, casting="no"))(np.arange(3.0))
    with pytest.raises(ingot.DTypeError, match="casting must be one of"):
        ingot.jit(lambda a: np.add(a, 1, casting="any"))(np.arange(3.0))
