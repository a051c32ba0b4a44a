"""Numbers that do not fit the dtype of the array that they become elements of, and numbers that are
no indices."""

import math
import operator

import numpy as np
import pytest
from plain import same

import ingot
from level import sample
from oracle import quiet

#: Each stores or converts the number v; a and b have an integer dtype, m is a mask, k is 1.
STATEMENTS = [
    "a[0] = v", "a[0:2] = v", "a[...] = v", "a[k] = v", "a[k : k + 2] = v", "b[:, 1] = v", "b.T[0] = v",
    "a[[0, 2]] = v", "a[m] = v", "a[np.array(0)] = v", "a.fill(v)", "a.flat[[0]] = v", "a.flat[:] = v",
    "a.put(0, v)", "np.copyto(a, v)", "np.putmask(a, m, v)", "np.fill_diagonal(b, v)", "a[:2] = [v, 1]",
    "b[:] = [[v, 1], [1, v]]", "a[0] += v", "a.real = v", "return a.dtype.type(v)", "return np.array(v, a.dtype)",
    "return np.array([v, 1], a.dtype)", "return np.full(2, v, a.dtype)", "return np.insert(a, 0, v)",
    "return np.pad(a, 1, constant_values=v)", "return np.where(m, a, v)", "return np.choose(0, [a, v])",
    "return np.max(a, initial=v)", "return np.array([[v, 1], [2, v]], dtype=a.dtype)",
]  # fmt: skip
NUMBERS = [
    5, 300, -1, 2**40, 1.5, 300.0, -1.5, math.nan, 1e30, True, np.uint8(200), np.int64(300), np.int8(-1),
    np.float64(300.5), np.float64(math.nan), np.bool_(True), np.array(300), np.array(2.7),
]  # fmt: skip


@pytest.mark.floor(0.8)
@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "f4", "?"])
@pytest.mark.parametrize("statement", sample(STATEMENTS, 3))
def test_an_element_fits_or_is_refused(statement, dtype, compile_text, sweep):
    f = compile_text(f"import numpy as np\n\n\ndef f(a, b, m, k, v):\n    {statement}\n")["f"]
    compiled = ingot.jit(f)
    for number in NUMBERS:
        expected, actual = (outcome(g, dtype, number) for g in (f, compiled))
        if isinstance(actual, ingot.CompileError) and not isinstance(expected, Exception):
            sweep.refused(actual)
            continue
        assert same_outcome(actual, expected), number
        sweep.agreed()


def outcome(f, dtype, number):
    """The result and the arrays after the call, or the exception."""
    a, b = (np.array(each).astype(dtype) for each in ([1, 2, 3], [[1, 2], [3, 4]]))
    try:
        with quiet():
            return f(a, b, np.array([True, False, True]), 1, number), a, b
    except (OverflowError, ValueError, TypeError, ingot.CompileError) as error:
        return error


def same_outcome(actual, expected):
    """Whether two outcomes are the same, exceptions by their class."""
    if isinstance(expected, Exception):
        # What is found when the function is compiled is a DTypeError.
        return isinstance(actual, (type(expected), ingot.DTypeError))
    return repr(actual) == repr(expected)


def of_complex(x, z):
    return complex(1, z), complex(z, 2.5), complex(z, z)


def test_complex_of_complex_parts(check):
    check(of_complex, 1.0, 1.5 - 2j)
    check(of_complex, 1.0, np.complex128(1 + 2j))


# A float is no index.


def started(x, z):
    return list(enumerate([1, 2], z))


def popped(x, z):
    return [1, 2, 3].pop(z)


def index(x, z):
    return operator.index(z)


def every(x, z):
    return x[::z]


def eye(x, z):
    return np.eye(3, k=z)


def unravelled(x, z):
    return np.unravel_index(z, (2, 2))


def reshaped(x, z):
    return x.reshape(z, -1)


INDICES = [started, popped, index, every, eye, unravelled]


@pytest.mark.parametrize("f", INDICES)
@pytest.mark.parametrize("number", [2, True, np.int8(1)])
def test_an_index(f, number, check):
    check(f, np.arange(4.0), number)


@pytest.mark.parametrize("f", [*INDICES, reshaped])
@pytest.mark.parametrize("number", [2.0, math.nan, -1e300, np.float32(1), 1j])
def test_no_index(f, number):
    x = np.arange(4.0)
    with pytest.raises((TypeError, ingot.CompileError)):
        ingot.jit(f)(x, number)
    with pytest.raises(TypeError):
        f(x, number)


# Sequences in the place of an element.


def to_an_element(v):
    a = np.zeros(3)
    a[1] = v
    return a


def to_an_element_in_a_loop(v):
    a = np.zeros((12, 2))
    for i in range(12):
        a[i, 1] += v * i
    return a


def to_a_part(v):
    a = np.zeros((3, 2))
    a[1:2, 0] = v
    a[2, 1, ...] = v
    a[0] = v
    return a


@pytest.mark.parametrize("f", [to_an_element, to_an_element_in_a_loop, to_a_part])
@pytest.mark.parametrize(
    "v", [2.0, np.array(2.0), np.array([2.0]), np.array([[2.0]]), np.float32(2.0)], ids=repr
)
def test_a_sequence_for_an_element(f, v):
    same(f, v)


@pytest.mark.parametrize("v", [[2.0], (2.0,), [2.0, 3.0]], ids=repr)
def test_a_list_for_an_element(v):
    for call in (to_an_element, ingot.jit(to_an_element)):
        with pytest.raises(ValueError, match="setting an array element with a sequence"):
            call(v)


@pytest.mark.parametrize("dtype", [bool, np.uint8, int, np.float32, complex])
@pytest.mark.parametrize(
    "v",
    [[], [0.0], (2.0,), range(2), np.ones(3), np.ones(1), np.zeros((1, 1)), np.ones(1, complex)],
    ids=repr,
)
def test_what_sequences_are_as_elements(v, dtype):
    """Arrays of bool take whether the sequence is true; which exception others raise depends on the dtype."""

    def stored(a):
        a[1] = v
        return a

    same(stored, np.zeros(3, dtype))


#: NumPy raises ValueError for each.
TOO_DEEP = [
    "a[0] = [[2.0]]", "a[0:1] = [[2.0]]", "a[:] = [v]", "a[:2] = [range(2)]", "a[()] = ([2.0],)", "a[1:1] = [[]]",
    "a[0, ...] = [2.0]", "a[: int(v[0])] = [[1.0]]", "a[np.array(0)] = [2.0]", "a[np.array(1)] = [[2.0]]",
    "b[0] = [v[:2]]", "b[np.array(0), np.array(1)] = v[:1]", "a.flat[0] = [[2.0]]", "a.flat[1] = v[:1]",
]  # fmt: skip


@pytest.mark.parametrize("statement", TOO_DEEP)
def test_sequences_deeper_than_what_they_are_stored_to(statement, compile_text):
    f = compile_text(f"import numpy as np\n\n\ndef f(a, b, v):\n    {statement}\n")["f"]
    raised = []
    for call in (f, ingot.jit(f)):
        with pytest.raises(ValueError) as error:
            call(np.zeros(3), np.zeros((2, 2)), np.array([1.0, 2.0, 3.0]))
        raised.append(str(error.value))
    assert raised[1].startswith(raised[0])


def test_sequences_as_deep_as_what_they_are_stored_to(compile_text):
    statements = [
        "a[:] = [v[0], v[1], v[2]]", "a[None] = [v]", "b[:] = [v[:2], v[1:]]", "b[np.array(1)] = [1, 2]",
        "a[[0]] = [[2.0]]", "a[:2] = [np.array(1.0), v[0]]", "a.flat[:2] = [[1.0, 2.0]]", "b[:, 0] = v[None, 1:]",
    ]  # fmt: skip
    for statement in statements:
        text = f"import numpy as np\n\n\ndef f(a, b, v):\n    {statement}\n"
        same(compile_text(text)["f"], np.zeros(3), np.zeros((2, 2)), np.array([1.0, 2.0, 3.0]))
