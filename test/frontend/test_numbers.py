"""Numbers as Python and NumPy have them: each expression on many values, value, type and exception."""

import collections
import copy
import enum
import math
import random

import numpy as np
import pytest
from plain import same, same_or_refused

import ingot

NAN, INF = math.nan, math.inf


def shown(value):
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tolist()!r}"
    if isinstance(value, tuple):
        return tuple(map(shown, value))
    return f"{type(value).__name__} {value!r}"


def outcome(f, args):
    try:
        with np.errstate(all="ignore"):
            return shown(f(*copy.deepcopy(args)))
    except (ingot.DTypeError, ingot.ShapeError) as error:
        return "TypeError" if isinstance(error, ingot.DTypeError) else "ValueError"
    except ingot.CompileError:
        raise
    except Exception as error:
        return type(error).__name__


@pytest.fixture
def agree(compile_text):
    """Compares an expression of x, y, z plain and compiled, for several arguments."""

    def check(expression, *cases):
        names = ", ".join("xyz"[: len(cases[0])])
        text = (
            f"import math, operator\nimport numpy as np\ndef f({names}):\n    return {expression}\n"
        )
        f = compile_text(text)["f"]
        compiled = ingot.jit(f)
        wrong = [
            (args, outcome(compiled, args), outcome(f, args))
            for args in cases
            if outcome(compiled, args) != outcome(f, args)
        ]
        assert not wrong, expression

    return check


def floats():
    made = random.Random(1)
    return [
        2.675, 1.005, -0.5, 0.5, 1.5, 2.5, NAN, INF, -INF, 0.1, 123456.789, -2.5, 0.0, -0.0, 0.125,
        4503599627370497.5, 1e15 + 0.5, 25.0, 35.0, -25.0, 1.45, 1e16, 1e17,
        *(made.uniform(-100, 100) for _ in range(60)),
        *(made.randrange(-(10**6), 10**6) / 1000 for _ in range(60)),
        *(made.randrange(-(10**5), 10**5) / 8 for _ in range(60)),
        *(made.uniform(-1, 1) * 10 ** made.randrange(-18, 18) for _ in range(60)),
    ]  # fmt: skip


# Rounding and conversion.


@pytest.mark.parametrize(
    "digits", ["", ", 0", ", 1", ", 2", ", 15", ", 22", ", -1", ", -3", ", None"]
)
def test_round_of_floats(agree, digits):
    agree(f"round(x{digits})", *((x,) for x in floats()))


@pytest.mark.parametrize("digits", ["", ", 0", ", 2", ", -1", ", -2", ", -19", ", None"])
def test_round_of_integers(agree, digits):
    numbers = [15, 25, -15, -25, 123, 2**60, 0, 5, -5, 149, 150, 151, 250, 350, -150, -250]
    agree(f"round(x{digits})", *((x,) for x in numbers))
    agree(f"round(x{digits})", *((np.int64(x),) for x in numbers[:4]))
    agree(f"round(x{digits})", (True,), (False,))
    agree(f"round(x{digits})", (np.int8(15),))


@pytest.mark.parametrize("call", ["np.round(x)", "x.round()", "np.round(x, 1)", "np.around(x, -1)"])
def test_round_of_arrays_without_axes(agree, call):
    agree(call, *((np.array(each),) for each in (15, np.int8(-3), np.uint16(7), 2.5, 1 + 2.5j)))


def test_round_of_what_has_none(agree):
    for x in (1j, np.True_, np.arange(2.0), np.array(1.5)):
        agree("round(x)", (x,))


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_round_of_numpy_floats(agree, kind):
    numbers = [(kind(x),) for x in floats()]
    agree("round(x)", *numbers)
    agree("round(x, 2)", *numbers)
    agree("np.round(x, 3)", *((np.full(9, x),) for (x,) in numbers))


def test_round_of_numpy_integers(agree):
    agree("np.round(x, 1), np.round(x, 0), np.round(x)", (5,), (np.int8(5),), (np.arange(3),))
    agree("np.round(5), np.round(5.55, 1), np.round(x, -1)", (np.array([15, 25]),))


@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "int64", "uint64"])
def test_division_by_constants(agree, kind):
    limits = np.iinfo(kind)
    numbers = [*range(-9, 10), limits.min, limits.min + 1, limits.max, limits.max - 1]
    x = np.array([n for n in numbers if limits.min <= n <= limits.max], kind)
    for divisor in (0, 1, 2, 3, 4, 64, -1, -4, 2**14, 2**62, limits.max, limits.min):
        if limits.min <= divisor <= limits.max:
            c = f"np.{kind}({divisor})"
            agree(f"x % {c}, x // {c}, np.fmod(x, {c}), divmod(x, {c})", (x,))


def test_remainders_of_remainders(agree):
    """LLVM has the wrong sign for what XLA makes of them where it knows the divisor."""
    numbers = [(n,) for n in range(-9, 9)]
    agree("((x - min(x, -2)) % 4 - min(x, -2)) % 4", *numbers)
    agree("math.fmod(math.fmod(x, 8) - min(x, -2), 8)", *numbers)
    agree("np.fmod(x % 4 - np.minimum(x, -2), 4)", *((np.array(n),) for (n,) in numbers))


@pytest.mark.parametrize("f", ["int", "math.floor", "math.ceil", "round"])
def test_conversion_to_int(agree, f):
    numbers = [*floats(), -(2.0**63), 9.2e18, -9.2e18]
    agree(f"{f}(x)", *((x,) for x in numbers))
    agree(f"{f}(x)", *((np.float32(x),) for x in numbers))
    agree("int(x[0])", *((np.array([x]),) for x in numbers[:12]))


@pytest.mark.parametrize("f", ["float", "int", "complex", "bool", "math.sqrt", "math.trunc"])
def test_conversion_of_arrays_and_numpys_numbers(agree, f):
    agree(f"{f}(x)", (np.array([1.5]), 0), (np.array(1.5), 0), (np.float32(1.5), 0), (2.5, 0))
    agree("x.item()", (np.array([[1.5]]), 0), (np.array(2), 0), (np.ones(2), 0))


@pytest.mark.parametrize("x", [1e30, -1e30, 2.0**63])
def test_integers_beyond_64_bits_raise(x):
    for f in (lambda x: int(x), lambda x: math.floor(x), lambda x: round(x)):
        with pytest.raises(OverflowError):
            ingot.jit(f)(x)


# Powers.


@pytest.mark.parametrize("dtype", "bhilBHIL")
def test_integer_powers(agree, dtype):
    limits = np.iinfo(dtype)
    bases = [b for b in (0, 1, 2, 3, 7, -1, -3, 251) if limits.min <= b <= limits.max]
    exponents = [0, 1, 2, 31, 63, 64, 65, 100, 127, 200, 255, 1000, 2**31 - 1, 2**40 + 7, 2**62 + 5]
    exponents = [e for e in exponents if e <= limits.max]
    pairs = [(np.full(len(exponents), b, dtype), np.array(exponents, dtype)) for b in bases]
    agree("x ** y", *pairs)
    agree("x ** 64 if x.dtype.itemsize > 1 else x ** 70", (np.array(bases, dtype),))
    agree("x[3] ** y[-1], x[3] ** 65", *pairs)


def test_powers_of_mixed_dtypes(agree):
    agree("x ** y", (np.int8(2), np.uint8(200)))
    agree("x ** y", (np.array([2, 3], "i1"), np.array([200, 70], "u1")))
    agree("x ** y", (3, np.int64(65)))
    agree("x ** y", (np.array([[3], [5]]), np.array([70, 80])))
    agree("x ** y", (np.array([2]), np.array([-1])))
    agree("x ** -1", (np.array([2]),))
    agree("np.power.outer(x, y)", (np.array([3, 5]), np.array([1, 70])))
    agree("sum(2**k for k in range(y)) + x", (1, 5))


@pytest.mark.parametrize("x", [True, np.True_, np.array([True, False]), np.array([[True]])])
def test_powers_of_booleans(agree, x):
    agree("x ** 2, x ** 3, x ** 2.0, x ** True", (x,))


def test_powers_of_python_floats(agree):
    numbers = [0.0, -0.0, 1.0, -2.0, 10.0, 1e200, INF, -INF, NAN]
    agree("x ** y", *((x, y) for x in numbers for y in (-1.0, -3.0, 2.0, 400.0, INF, -INF, NAN)))
    agree("x ** y", *((x, y) for x in numbers for y in (-1, 0, 2, 3)))
    agree("x ** -1", *((x,) for x in numbers))
    agree("0.0 ** x", (-1,), (1,))
    agree("x ** -0.5", (0.0,))
    agree("x ** -1, x ** y", (np.float64(0), np.float64(-2)))
    agree("x ** -1", (np.zeros(1),))
    agree("x ** y", (0j, -1))


# Comparisons.


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.complex128])
def test_powers_of_a_half(agree, kind):
    """NumPy takes square roots, which differ from powers for -0.0 and minus infinity."""
    x = np.array([4.0, 2.0] if kind is np.complex128 else [-0.0, -INF, 4.0], kind)
    agree("x ** 0.5", (x, 0, 0))
    agree("operator.ipow(x, 0.5)", (x, 0, 0))
    if kind in (np.float32, np.float64):
        agree("np.power(x, 0.5)", (x, 0, 0))


def test_complex_powers_of_zero(agree):
    for y in (4 + 0.5j, 0.5, 0.1 - 3j, 2, 0j):
        agree("x ** y", (np.zeros(2, complex), np.complex128(y), 0))
        agree("np.power(x, y)", (np.zeros(2, complex), np.full(2, y, complex), 0))


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.complex128])
def test_booleans_among_floats(agree, kind):
    """False times NaN is NaN: nothing chooses in place of multiplying."""
    special = np.array([NAN, INF, -INF, -0.0, 1.0, -2.0], kind)
    for mask in (np.arange(6) % 2 == 0, np.zeros(6, bool), np.True_, np.False_):
        for expression in ("x * y", "y * x", "y / x", "x / y", "x * (y == y)", "x / x"):
            agree(expression, (mask, special, 0))


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "//", "**", "%", "&", "@"])
def test_lists_are_no_arrays_without_one(agree, op):
    for items in ("[1, 2]", "(1, 2)", "[x, y]"):
        agree(f"{items} {op} x", (2, 3), (2, 2.5), (2.5, 2))
        agree(f"{items} {op} y", (np.float64(2), 3.0))
        agree(f"{items} {op} np.array([x, y])", (2, 3), (2.0, 3))
    if op != "&":
        agree(f"[1, 2] {op} x", (np.float32(2), 0))
    agree("operator.concat(x, y)", (np.ones(2), np.ones(2)), (3, 4), ([1], [2]))


@pytest.mark.parametrize("op", ["==", "!=", "<", "<=", ">", ">="])
def test_integers_compare_exactly_with_floats(agree, op):
    pairs = [
        (2**53 + 1, 2.0**53), (2**53, 2.0**53), (-(2**53) - 1, -(2.0**53)), (2**62, 2.0**63),
        (2**63 - 1, 2.0**63), (-(2**63), -(2.0**63)), (3, 3.5), (3, NAN), (-3, -3.5), (3, INF),
        (3, -INF), (2**60 + 1, 1e300), (2**60 + 1, float(2**60)),
    ]  # fmt: skip
    agree(f"x {op} y, y {op} x", *pairs)
    agree(f"x {op} y", *((a, np.float64(b)) for a, b in pairs))
    agree(f"x {op} y", *((np.array([a]), b) for a, b in pairs))
    for a, b in pairs:
        if math.isfinite(b):
            agree(f"x {op} {b!r}, {b!r} {op} x", (a,))
        agree(f"{a} {op} x, x {op} {a}", (b,))
    for a in (2**70, -(10**400), 10**400, 2**53 + 1):
        agree(f"x {op} {a}, {a} {op} x", (1.5,), (2.0**70,), (INF,), (-INF,), (NAN,), (2.0**53,))
    for a in (2**70, -(10**400)):
        agree(f"x {op} {a}, {a} {op} x", (5,))


@pytest.mark.parametrize("op", ["<", "<=", ">", ">="])
def test_complex_numbers_have_no_order(agree, op):
    for a, b in ((1.0, 1j), (1j, 1.0), (1j, 1j), (1, 1j), (True, 1j)):
        agree(f"x {op} y", (a, b))
        agree(f"x {op} 1j", (a,))


def test_extrema_of_complex_numbers(agree):
    agree("max(x, 1j)", (2,))
    agree("min(x, y)", (1j, 2.0))


def test_python_complex_takes_numpys_float_as_a_float(agree):
    for op in ("+", "-", "*", "/", "==", "!="):
        agree(f"x {op} y, y {op} x", (2 + 1j, np.float64(2)))
        agree(f"x {op} y[0], 1j {op} y[0], x {op} np.float64(2)", (2 + 1j, np.array([2.0])))


# Functions of NumPy.


@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
@pytest.mark.parametrize("indices", [[1, 0], [5, -7], [-1, 3]])
def test_take_and_put_by_mode(agree, mode, indices):
    x, i = np.array([1.0, 2, 3]), np.array(indices)
    agree(f"np.take(x, y, mode='{mode}'), x.take(y, mode='{mode}')", (x, i))
    agree(f"x.take({indices}, mode='{mode}'), np.take(x[None], y, 1, mode='{mode}')", (x, i))
    agree(f"np.take(x, y, out=z, mode='{mode}') is z, z", (x, i, np.zeros(2)))
    agree(f"np.put(x, y, z, mode='{mode}'), x", (x, i, np.array([7.0, 8])))
    agree(f"x.put(y, z, mode='{mode}'), x", (x, i, np.array([7.0, 8])))


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_take_into_an_array(agree):
    for a, out in (("f8", "i8"), ("f8", "f4"), ("i8", "f8"), ("f8", "c16")):
        x, i = np.array([1, 2, 3], a), np.array([1, 0])
        agree("x.take(y, out=z), z", (x, i, np.zeros(2, out)))
        agree("np.take(x, y, out=z), z", (x, i, np.zeros(3, out)))
    agree("np.take(x, y, mode='wrap')", (np.arange(300), np.array([-1, 7], "i1")))
    agree("np.take(x, 0, mode='clip')", (np.arange(0),))


def test_digitize(agree):
    x = np.array([0, 1.5, 3, 4, 9, 5])
    for bins in ([5.0, 3, 1], [1.0, 3, 5], [5.0, 5], [5.0], [5.0, 3, 4]):
        agree("np.digitize(x, y), np.digitize(x, y, right=True)", (x, np.array(bins)))


def test_sum_of_python_keeps_the_dtype(agree):
    agree("sum(x), sum(x, 1.5)", (np.array([100, 100], "i1")[:1],), (np.array([1, 2], "u2"),))
    agree("sum(x)", (np.array([100, 100], "i1"),), (np.array([True, True]),))


# Conversions.

OUTSIDE = [
    NAN, INF, -INF, 1e10, -1e10, 1e30, -1e30, 300.0, -300.0, 70000.0, 2.0**31, -(2.0**31) - 1,
    2.0**32 + 5, 2.0**63, 2.0**64, -(2.0**63), -(2.0**64), 1.9, -1.9, -0.5, 255.5, 256.0, -1.0,
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u8"])
@pytest.mark.parametrize("source", ["f8", "f4", "f2"])
def test_floats_out_of_range_become_integers_as_in_numpy(agree, dtype, source):
    with np.errstate(over="ignore"):
        x = np.array(OUTSIDE).astype(source)
    agree(f"x.astype('{dtype}'), np.array(x, '{dtype}'), x[0].astype('{dtype}')", (x,))
    agree(f"np.full(2, x, '{dtype}'), np.{np.dtype(dtype).name}(x)", *((each,) for each in x))
    agree("operator.setitem(y, slice(None), x), y", (x, np.zeros(len(x), dtype)))


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u1", "u8"])
def test_floats_stored_as_integers(agree, dtype):
    for kind in (float, np.float64, np.float32):
        agree("operator.setitem(y, 0, x), y", *((kind(x), np.zeros(2, dtype)) for x in OUTSIDE))
    for x in ("math.nan", "1e30", "-1.5", "300.0"):
        agree(f"operator.setitem(y, 0, {x}), y", (1, np.zeros(2, dtype)))


# Values of NumPy's functions.


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2"])
def test_sign_of_zeros(agree, dtype):
    x = np.array([-0.0, 0.0, -INF, 2.5, NAN], dtype)
    agree("np.sign(x), np.sign(x[0])", (x,))


def test_means_of_float16(agree):
    for x in (np.full(10000, 10, "f2"), np.full(10000, 0.1, "f2"), np.full((3, 3000), 7, "f2")):
        agree("np.mean(x), x.mean(axis=0), x.mean(-1), np.average(x)", (x,))
    x = np.full(10000, 10, "f2")
    agree("x[x > 1].mean()", (x,))


def test_booleans_are_no_sizes(agree):
    for call in (
        "np.zeros(True)", "np.ones((True, 2))", "np.full(False, 2)", "np.eye(True)",
        "x.reshape(True, 2)", "np.arange(True)", "np.reshape(x, (True, 2))",
    ):  # fmt: skip
        agree(call, (np.arange(2),))


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2"])
def test_signs_of_nan(agree, dtype):
    x = np.array([NAN, -NAN, 0.0, -0.0, 1, -1, -INF], dtype)
    agree("np.signbit(x), np.signbit(-x), np.copysign(1.5, x), np.copysign(x, -1)", (x,))
    agree("np.copysign(x, -np.nan), np.signbit(np.array([-np.nan]))", (2.0,))


def test_gradient_of_copysign():
    x = np.array([1.0, -2.0, 3.0])
    np.testing.assert_array_equal(ingot.grad(lambda x: np.copysign(x, -x).sum())(x), -np.ones(3))


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


Point = collections.namedtuple("Point", "x y")


@pytest.mark.parametrize(
    "f",
    [
        lambda x: (Level.LOW + x, x * Level.HIGH, -Level.LOW, Level.LOW + 1.5, Level.HIGH > x),
        lambda x: (np.arange(3) * Level.HIGH, np.full(2, Level.HIGH), [1, 2, 3][Level.LOW]),
        lambda x: (Point(1, x) == (1, x), (1, x) == Point(1, x), Point(1, x) < (1, 4)),
        lambda x: (Point(1, x) + (3,), Point(1, x) != (1, 3), Point(x, 2)[0]),
        lambda x: ([2**70, x], (2**64, x), {"a": 2**70, "b": x}, 2**70 > x, 2**70 / 2),
    ],
)
def test_other_numbers_of_python(f):
    assert shown(tuple(map(str, ingot.jit(f)(3)))) == shown(tuple(map(str, f(3))))


class Share(float, enum.Enum):
    HALF = 0.5


@pytest.mark.parametrize(
    "x", [2.0, 3, np.int8(3), np.float32(2), np.ones(2, np.int8), np.ones(2, "f4")]
)
def test_members_of_enums_have_the_dtype_of_int64_and_float64(x):
    def f(x, level):
        y = np.zeros(2, np.float32)
        y[0] = Share.HALF
        y += Level.HIGH
        made = x + Level.HIGH, level * x, x / Share.HALF, Share.HALF - x, Level.HIGH < x
        given = np.clip(x, Level.LOW, 9), np.where(x > 1, x, Level.LOW), np.maximum(x, Level.HIGH)
        return y, *made, *given, np.full_like(y, Level.LOW), np.abs(Level.LOW), np.int8(1) - level

    same(f, x, Level.LOW)


def test_a_python_int_to_a_negative_power_is_a_float():
    def f(n):
        return n**-1, n**-2, (n > 1) ** -1

    for n in (1, 2, -3, 0):
        same(f, n)


@pytest.mark.parametrize("ufunc", [np.add, np.subtract, np.multiply, np.maximum, np.minimum])
def test_at_of_values_of_another_kind(ufunc):
    def f(a, i, b):
        ufunc.at(a, i, b)
        return a

    for dtype in ("i4", "u1", "f8"):
        for b in (-0.5, np.array([-1, 3]), np.array([2.5, -1.5])):
            same_or_refused(f, np.array([4, 5, 6], dtype), np.array([0, 0]), b)


def test_steps_of_linspace_round_by_themselves():
    def f(a, b, x, y):
        return np.linspace(a, b, dtype=np.int32), np.linspace(x, y, 33)

    compiled = ingot.jit(f)
    for a in range(-5, 6):
        for b in range(-5, 9):
            args = a, b, a * 0.1, b * 0.3
            for found, expected in zip(compiled(*args), f(*args), strict=True):
                np.testing.assert_array_equal(found, expected)


WHOLE = [(12, 18), (-12, 8), (0, 5), (0, 0), (7, -13), (np.int64(30), 42), (np.uint8(9), True)]


@pytest.mark.parametrize(
    "expression",
    ["math.gcd(x, y)", "math.lcm(x, y)", "math.gcd(x, y, 4)", "math.lcm(x)", "math.gcd(x, 2.5)"],
)
def test_whole_numbers(agree, expression):
    agree(expression, *WHOLE)


def test_integer_roots(agree):
    near = [3, 2**26, 94906267, 3037000499]
    roots = [(n * n + d,) for n in near for d in (-1, 0, 1)]
    agree("math.isqrt(x)", (0,), (1,), (-1,), (2**63 - 1,), (np.int64(50),), (2.0,), *roots)


@pytest.mark.parametrize(
    "expression",
    [
        "operator.countOf([1, 2, x, y], 2)", "operator.countOf((x, x, y), x)",
        "operator.indexOf([x, y, 3], 3)", "operator.indexOf((x, y), y)", "operator.indexOf([y], x)",
        "operator.call(max, x, y)", "operator.call(lambda a, b=0: a - b, x, b=y)",
    ],
)  # fmt: skip
def test_functions_of_operator(agree, expression):
    agree(expression, (2, 3), (3, 2), (2, 2), (1.5, 0.5))


@pytest.mark.parametrize(
    "expression",
    [
        "np.argsort(x[0])", "np.argsort(x.sum(keepdims=True)[0])", "np.argsort(np.array(3.0))",
        "np.take(x, [True, False])", "np.take(x, True)", "x.take(x > 1)",
        "x.__array_namespace__().max(x)", "x.to_device('cpu') * 2", "x.to_device('cpu') is x",
    ],
)  # fmt: skip
def test_methods_of_the_array_api(agree, expression):
    agree(expression, (np.array([0.5, 2.0, 1.0]),))


# Methods of numbers.


def test_methods_of_numbers(agree):
    agree("x.is_integer()", *([x] for x in (1.5, 2.0, -0.0, INF, -INF, NAN)))
    agree("x.is_integer()", *([np.float32(x)] for x in (1.5, INF)), [np.int8(3)], [np.True_])
    agree("x.conjugate()", [1j], [True], [2], [2.5], [np.complex64(1j)], [np.True_])
    agree("x.bit_length()", [3], [True], [np.int64(3)])
    whole = (0, 5, -7, 2**63 - 1, -(2**63), True, np.int8(-128), np.uint64(2**64 - 1))
    agree("x.bit_count()", *([x] for x in (*whole, np.True_, 1.5, np.float64(1))))
    agree("x.partition(0)", [np.float64(1)])


def test_zero_to_negative_and_complex_powers(agree):
    powers = (-1, -2.0, 1j, 1 + 1j, -1 + 0j, 0, 2, complex(-INF, 0))
    agree("x ** y", *([zero, y] for zero in (0, 0.0, 0j, False) for y in powers))
    agree("0 ** x", [-1], [0], [2])
    agree("x ** -1", [0], [0.0], [0j], [2])


@pytest.mark.parametrize("digits", [1, 2, 3])
def test_round_of_decimals(agree, digits):
    made = random.Random(digits)
    decimals = [made.randrange(10**5) / 10 ** (digits + 1) for _ in range(300)]
    agree(f"round(x, {digits})", [0.15], [0.35], [2.675], [-0.15], *([each] for each in decimals))


# Identity of Python's bools, and keywords.


def is_true_or_false(m, n):
    is_large = n > 3
    return (
        np.allclose(m, m.T) is False, np.allclose(m, m) is True, is_large is True,
        is_large is not False, is_large is (n > 2), is_large is None,
    )  # fmt: skip


def marked(x):
    marks = [True] * 4
    for i in range(1, 4):
        if marks[i] is True:
            marks[i] = bool(x[i] > 2)
    return marks


@pytest.mark.parametrize("n", [2, 3, 4])
def test_identity_of_bools(n):
    same(is_true_or_false, np.array([[1.0, 2.0], [3.0, 4.0]]), n)
    same(marked, np.arange(4.0) * n)


TEXT = "a"


def is_what_no_number_is(n, x):
    return (
        n is True, n is not False, n is np, n is math.sin, n == "a", n is int, x[0] is True,
        (x[0] > 0) is True, n is np.float32(2), len(x) == 2.0,
    )  # fmt: skip


def test_identity_of_numbers_and_others():
    for n in (3, 2.5, np.int64(2)):
        same(is_what_no_number_is, n, np.arange(3.0))
    for f in (lambda n: n is n + 1, lambda n: (n if n > 2 else True) is True):
        with pytest.raises(ingot.UnsupportedError, match="`is` of run-time numbers"):
            ingot.jit(f)(3)


def equal_to_what_is_no_number(x, other=int):
    return (
        x == "train", x != "train", "train" == x, x == None, None != x, x == other,  # noqa: E711
        x == math.sin, np.sin != x, x == np,
    )  # fmt: skip


def test_arrays_and_what_is_no_number():
    for x in (np.arange(6.0).reshape(2, 3).T, np.array(1), np.array([True]), np.zeros((0, 2))):
        same(equal_to_what_is_no_number, x)


def found_among_numbers(x, key):
    if "mean" in x:
        return x["mean"]
    if None in x or b"a" in x or int in x or math.sin in x or np.sin in x or np in x:
        return x[key]
    return x if "last" not in x else x["last"]


def test_arrays_do_not_contain_what_is_no_number():
    for x in (np.arange(6.0).reshape(2, 3).T, np.array(1), np.array([True]), np.zeros((0, 2))):
        same(found_among_numbers, x, "key")
    same(found_among_numbers, {"mean": 2.5}, "key")
    same(found_among_numbers, np.float64(1.0), "key")


def rounded_by_keyword(x, y):
    return round(x[0], ndigits=2), round(y, ndigits=1), round(y, ndigits=None)


def test_rounding_by_keyword():
    same(rounded_by_keyword, np.array([1.2345]), 5.678)


# Python's sum of an array.


def added_up(x, start):
    return sum(x), sum(x, start), sum(x, 2.5), sum(x, np.float64(1)), sum(x, 3)


@pytest.mark.parametrize(
    "x",
    [
        np.array([200, 100], np.uint8), np.array([1.5, 0.1], np.float32), np.array([True, True]),
        np.ones((2, 3), np.int16) * 30000, np.zeros((0, 2)), np.zeros(0), np.zeros(0, int),
    ],
    ids=lambda x: f"{x.dtype} {x.shape}",
)  # fmt: skip
def test_sums_of_arrays(x):
    same(added_up, x, np.float64(0.1))
    same(added_up, x, 7)


# Extrema with infinities.


def with_infinity(n, values):
    best = -math.inf
    for value in values:
        best = max(best, value)
    return max(-math.inf, n), min(math.inf, n, n + 1), best


def test_extrema_of_integers_and_infinity():
    same(with_infinity, 3, [1, 5, 3])
