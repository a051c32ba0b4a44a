"""Functions that are one kernel, against NumPy."""

import copy

import numpy as np

import ingot
from oracle import leaves_of, quiet

RNG = np.random.default_rng(19)
F64, F32, I64, I32, U8, BOOL = np.float64, np.float32, np.int64, np.int32, np.uint8, np.bool_
FLOATS, INTEGERS = [F64, F32], [I64, I32, U8]
COMPLEX = [np.complex128, np.complex64]
NUMBERS = [*FLOATS, *INTEGERS]


def compare(actual, expected, rtol, has_signs, cancels):
    """Each element by itself, unless `cancels`: then the largest one says what is small."""
    assert type(actual) is type(expected)
    if expected is None:
        return
    a, e = np.asarray(actual), np.asarray(expected)
    assert (a.dtype, a.shape) == (e.dtype, e.shape)
    if e.dtype.kind in "biu":
        np.testing.assert_array_equal(a, e)
        return
    if np.real(e).dtype == F32:
        rtol = max(rtol, 2e-6)
    scale = np.max(np.abs(e[np.isfinite(e)]), initial=0.0) if cancels else 0.0
    np.testing.assert_allclose(a, e, rtol=rtol, atol=rtol * float(scale))
    if has_signs and e.dtype.kind == "f":
        zeros = e == 0
        np.testing.assert_array_equal(np.signbit(a[zeros]), np.signbit(e[zeros]))


def check(f, *args, rtol=1e-12, has_signs=False, cancels=False):
    """A function is one kernel, and does to its arguments and returns what NumPy does."""
    ours, theirs = copy.deepcopy(args), copy.deepcopy(args)
    compiled = ingot.jit(f)
    program = compiled.lower(*args).compile()
    assert len(program.kernels) == 1
    assert program.executable.call is not None, "not all of the program is the kernel"
    with quiet():
        expected = f(*theirs)
    pairs = zip(leaves_of((compiled(*ours), ours)), leaves_of((expected, theirs)), strict=True)
    for actual, wanted in pairs:
        compare(actual, wanted, rtol, has_signs, cancels)


def name_of(value):
    """Of a function or a dtype, for the tests' names."""
    return getattr(value, "__name__", None)


#: Where functions have their special cases.
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5,
           3.7, -3.7, 10.0, -10.0, 1e-9, -1e-9, 1e30, -1e30]  # fmt: skip


def values(dtype):
    """The special ones and others."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([True, False, True])
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        some = [
            limits.min,
            limits.max,
            limits.min + 1,
            limits.max - 1,
            0,
            1,
            2,
            3,
            7,
            8,
            31,
            63,
            64,
        ]
        some += [] if dtype.kind == "u" else [-1, -2, -3, -7, -64]
        return np.array(some, dtype)
    if dtype.kind == "f":
        return np.concatenate([SPECIAL, RNG.normal(size=20) * 3]).astype(dtype)
    parts = RNG.normal(size=(2, 12)) * 2
    return (parts[0] + 1j * parts[1]).astype(dtype)


def block(dtype, *shape):
    """Random numbers, with equal ones among integers."""
    dtype = np.dtype(dtype)
    if dtype.kind in "biu":
        return RNG.integers(0, 2 if dtype.kind == "b" else 6, shape).astype(dtype)
    numbers = RNG.normal(size=shape)
    if dtype.kind == "c":
        numbers = numbers + 1j * RNG.normal(size=shape)
    return numbers.astype(dtype)
