"""Functions of complex numbers: zeros with signs, infinities, NaN, branch cuts, derivatives."""

import itertools

import numpy as np
import pytest

import ingot
from level import sample
from oracle import quiet

PARTS = [
    0.0, -0.0, 0.25, -0.25, 1.0, -1.0, 1.5, -1.5, 25.0, -25.0, 1e10, -1e10, np.inf, -np.inf, np.nan,
]  # fmt: skip
NUMBERS = [complex(x, y) for x, y in itertools.product(PARTS, repeat=2)]
UNARY = [
    np.exp, np.exp2, np.expm1, np.log, np.log1p, np.log2, np.log10, np.sqrt, np.sin, np.cos, np.tan,
    np.sinh, np.cosh, np.tanh, np.arcsin, np.arccos, np.arctan, np.arcsinh, np.arccosh, np.arctanh,
    np.sign, np.square, np.reciprocal, np.rint, np.conjugate, np.absolute,
]  # fmt: skip
BINARY = [
    np.true_divide, np.maximum, np.minimum, np.fmax, np.fmin,
    np.less, np.less_equal, np.greater, np.greater_equal,
]  # fmt: skip
DTYPES = {"complex64": 2e-5, "complex128": 1e-13}


def assert_parts(actual, expected, rtol):
    """Each part alone: the same infinities, NaN and signs of zeros, other numbers nearly so."""
    assert actual.dtype == expected.dtype
    for part in ("real", "imag"):
        a, e = getattr(actual, part), getattr(expected, part)
        np.testing.assert_array_equal(np.isnan(a), np.isnan(e))
        np.testing.assert_allclose(a, e, rtol=rtol)
        number = ~np.isnan(e)
        np.testing.assert_array_equal(np.signbit(a[number]), np.signbit(e[number]))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ufunc", UNARY, ids=lambda u: u.__name__)
def test_special_values(ufunc, dtype):
    z = np.array(NUMBERS, dtype)
    with quiet():
        expected = ufunc(z)
    assert_parts(ingot.jit(lambda z: ufunc(z))(z), expected, DTYPES[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ufunc", BINARY, ids=lambda u: u.__name__)
def test_special_values_of_pairs(ufunc, dtype):
    x, y = np.array(NUMBERS, dtype)[:, None], np.array(NUMBERS, dtype)
    with quiet():
        expected = ufunc(x, y)
    assert_parts(ingot.jit(lambda x, y: ufunc(x, y))(x, y), expected, DTYPES[dtype])


@pytest.mark.parametrize("ufunc", UNARY[: UNARY.index(np.sign)], ids=lambda u: u.__name__)
def test_accuracy(ufunc):
    """Over all sizes, and near the zeros and the poles."""
    random = np.random.default_rng(1)
    sizes = 10.0 ** random.uniform(-12, 12, (2, 2000)) * random.choice([-1, 1], (2, 2000))
    near = random.choice([0, 1, -1, 1j, -1j], 2000)
    z = np.concatenate((sizes[0] + 1j * sizes[1], near + (sizes[0] + 1j * sizes[1]) * 1e-9))
    with quiet():
        expected = ufunc(z)
    actual = ingot.jit(lambda z: ufunc(z))(z)
    number = np.isfinite(expected)
    np.testing.assert_array_equal(np.isfinite(actual), number)
    np.testing.assert_allclose(actual[number], expected[number], rtol=1e-11, atol=1e-15)


#: Off the cuts, and on both sides of those of all functions.
PLACES = np.array([
    0.3 + 0.4j, -0.7 + 0.2j, 1.2 - 2j, -3 - 0.5j, complex(2, 0.0), complex(2, -0.0),
    complex(-2, 0.0), complex(-2, -0.0), complex(0.0, 2), complex(-0.0, 2), complex(0.0, -2),
    complex(-0.0, -2), complex(0.5, 0.0), complex(0.5, -0.0),
])  # fmt: skip


def along(z):
    """The axis that a place is on, where a cut may be."""
    return np.where(z.real == 0, 1j, 1.0)


def moved(z, step):
    """z and a step along its axis, on the side of the cut that z is on."""
    step = step * along(z)
    made = z + step
    made.real[z.real == 0] = z.real[z.real == 0]
    made.imag[z.imag == 0] = z.imag[z.imag == 0]
    return made


@pytest.mark.parametrize(
    "ufunc", sample(UNARY[: UNARY.index(np.sign)], 3), ids=lambda u: u.__name__
)
def test_derivatives(ufunc):
    def f(z):
        return ufunc(z)

    value, slope = ingot.jvp(f, (PLACES,), (along(PLACES),))
    np.testing.assert_allclose(value, f(PLACES), rtol=1e-13)
    expected = (f(moved(PLACES, 1e-6)) - f(moved(PLACES, -1e-6))) / 2e-6
    np.testing.assert_allclose(slope, expected, rtol=1e-7, atol=1e-9)
    (cotangent,) = ingot.vjp(f, PLACES)[1](along(PLACES))
    np.testing.assert_allclose(cotangent, slope, rtol=1e-13)


def test_lanes():
    z = np.array(NUMBERS[:100])
    f = ingot.vmap(lambda z: np.arccosh(z) + np.sinh(z) / z)
    with quiet():
        expected = np.arccosh(z) + np.sinh(z) / z
    np.testing.assert_allclose(f(z), expected, rtol=1e-13)


#: Rows of numbers, equal real parts, infinities and NaN.
ROWS = np.array([
    [1 + 2j, 1 - 1j, 0.5 + 9j, 1 + 2j], [-np.inf, complex(-np.inf, 1), complex(-np.inf, -np.inf), -5],
    [1, complex(np.nan, 2), complex(3, np.nan), 4], [2j, -2j, 0, 1e-30],
])  # fmt: skip


@pytest.mark.parametrize("axis", sample([None, 0, 1, (0, 1)], 3), ids=str)
@pytest.mark.parametrize("name", ["max", "min", "ptp", "argmax", "argmin"])
def test_extrema(name, axis):
    if isinstance(axis, tuple) and name.startswith("arg"):
        axis = -1
    function = getattr(np, name)
    for rows in (ROWS, ROWS[:1], ROWS.astype(np.complex64).T):
        with quiet():
            expected = function(rows, axis=axis, keepdims=True)
        actual = ingot.jit(lambda x: function(x, axis=axis, keepdims=True))(rows)
        np.testing.assert_array_equal(actual, expected)
        assert actual.dtype == expected.dtype


def test_the_derivative_of_an_extremum():
    slope = ingot.jvp(lambda z: np.max(z[0]) * 2, (ROWS,), (np.full_like(ROWS, 3j),))[1]
    assert slope == 6j


def test_order_beside_integers():
    for f in (lambda z: z < 1, lambda z: 2 >= z, lambda z: z != 1, lambda z: np.maximum(z, 1)):
        with quiet():
            expected = f(ROWS)
        np.testing.assert_array_equal(ingot.jit(f)(ROWS), expected)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u1", "i4", "i8", "u8"])
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_real_parts_as_other_dtypes(dtype):
    z = np.array([1e20 + 3j, np.nan, -1e30, 300 + 2j, -1])
    with quiet():
        np.testing.assert_array_equal(ingot.jit(lambda z: z.astype(dtype))(z), z.astype(dtype))
    # XLA crashed when it folded the conversion of a constant.
    assert ingot.jit(lambda x: np.asarray(3 + 1j).ravel().astype(dtype)[0] + x)(1) == 4


def test_complex_of_texts_and_of_one_part():
    def f(x):
        return (
            complex("1+2j"),
            complex("-inf"),
            complex(),
            complex(x),
            complex(imag=x),
            complex(real=2),
        )

    assert ingot.jit(f)(2.5) == f(2.5)
    with pytest.raises(TypeError, match="second arg"):
        ingot.jit(lambda: complex("1", 0))()
