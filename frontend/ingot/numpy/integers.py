"""Integer arithmetic that takes more than one operation: powers, rounding and remainders."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dimensions import Dimension, depends
from ingot.dtypes import BOOL, FLOAT, INT, STATIC_NUMBERS
from ingot.syntax.ops import at_least, at_most, bounds_of, predicate, result_of
from ingot.syntax.values import (
    Array,
    Scalar,
    Symbolic,
    class_name,
    is_index,
    last_resort,
    of_all_kinds,
    parameter_of,
)

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: The number of exponent bits that `ingot.pow` uses for integers.
_BITS = 6
#: What a check raises of floats that Python makes integers, which have more than 64 bits.
BEYOND = "cannot convert a float beyond 64 bits to integer"


def index(ev: Evaluator, value: Any) -> Any:
    """`operator.index(value)`: an int, or a Python int that is known at run time.

    Raises:
        TypeError: the value is no integer; at run time.
    """
    if type(value) is int or isinstance(value, Dimension):
        return value
    if not isinstance(value, Symbolic):
        return ev.compute(operator.index, value)
    is_whole = isinstance(value, Scalar) and of_all_kinds(value, is_index)
    if isinstance(value, Array):
        is_whole = value.shape == () and is_index(value.dtype)
    if not is_whole:
        name = class_name(value)
        ev.raise_now(TypeError, f"'{name}' object cannot be interpreted as an integer")
    return ev.call(int, (value,), {})


def of_float(ev: Evaluator, value: Value, of: Any) -> Scalar:
    """`int(x)` of a float, with Python's exceptions, and OverflowError beyond 64 bits.

    Args:
        of: what the float is computed from.
    """
    ops = ev.ops
    is_number = predicate(ops.compare("eq", value, value, FLOAT))
    ev.check(is_number, "ValueError", "cannot convert float NaN to integer")
    size = ops.create("abs", [value])
    is_finite = ops.compare("ne", size, ops.constant(math.inf, FLOAT), FLOAT)
    ev.check(predicate(is_finite), "OverflowError", "cannot convert float infinity to integer")
    fits = ops.compare("lt", size, ops.constant(2.0**63, FLOAT), FLOAT)
    lowest = ops.compare("eq", value, ops.constant(-(2.0**63), FLOAT), FLOAT)
    fits = ops.elementwise("or", [fits, lowest], [BOOL, BOOL])
    ev.limit(predicate(fits), BEYOND, "OverflowError")
    parameter = last_resort(parameter_of([of]))
    return Scalar(ops.convert(value, INT), INT, int, parameter=parameter)


def rounded(ev: Evaluator, number: Scalar, digits: int) -> Scalar:
    """`round(n, digits)` of a dynamic Python int: ties go to the even neighbour."""
    if digits >= 0:
        return number
    if digits < -18:
        return Scalar(ev.ops.constant(0, INT), INT, int)
    return ev.inline(_library("_rounded_integer"), (number, 10**-digits), {}, ev.node)


def rounded_float(ev: Evaluator, number: Scalar, digits: int) -> Scalar:
    """`round(x, digits)` of a dynamic Python float, correctly rounded as in Python.

    Raises:
        UnsupportedError: for so many digits that the power of ten is not exact as a float.
    """
    if abs(digits) > 22:
        ev.fail("round() to more than 22 digits is not supported", "give fewer digits")
    name = "_rounded_up" if digits >= 0 else "_rounded_down"
    made = ev.inline(_library(name), (number, 10.0 ** abs(digits)), {}, ev.node)
    return Scalar(made.value, FLOAT, float)


def power(ev: Evaluator, given: Any, base: Value, exponent: Value, dtype: np.dtype) -> Value:
    """`base ** exponent` of integers of one dtype; overflow wraps around.

    Args:
        given: the exponent before its conversion, which may be static.
    """

    def short(a: Value, b: Value) -> Value:
        return ev.ops.elementwise("pow", [a, b], [dtype, dtype])

    is_known = isinstance(given, STATIC_NUMBERS) and not depends(given)
    if is_known and int(given) >= 2**_BITS:
        return _known_power(ev, int(given), base, short, dtype)
    if is_known or _is_short(given):
        return short(base, exponent)
    values = result_of(base, ev.location), result_of(exponent, ev.location)
    return ev.read(ev.inline(_library("_long_power"), values, {}, ev.node))


def _is_short(exponent: Any) -> bool:
    low, high = bounds_of(exponent) if isinstance(exponent, Scalar) else (None, None)
    return at_least(low, 0) and at_most(high, 2**_BITS - 1)


def _known_power(ev: Evaluator, exponent: int, base: Value, short: Any, dtype: np.dtype) -> Value:
    """A power by the exponent's digits in base 2**(_BITS - 1), the lowest digit first."""
    rest, digit = divmod(exponent, 2 ** (_BITS - 1))
    value = short(base, ev.ops.constant(digit, dtype))
    if not rest:
        return value
    high = short(base, ev.ops.constant(2 ** (_BITS - 1), dtype))
    high = _known_power(ev, rest, high, short, dtype)
    return ev.ops.elementwise("mul", [high, value], [dtype, dtype])


def _library(name: str) -> Any:
    # A late import, since the library imports modules that import this one.
    from ingot.numpy.library import bits

    return getattr(bits, name)
