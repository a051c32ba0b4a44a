"""`base ** exponent` of Python numbers of which at least one is dynamic.

In Python the type of a power depends on the numbers: 10 ** -1 is a float, and (-8.0) ** 0.5 is
complex. Programs take for granted that it does not, and check that (`POWERS_OF_ONE_TYPE`). Those
that do without are specialised on the numbers, or compute a number of either type.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

from ingot._core import Value
from ingot.checks import POWERS_OF_ONE_TYPE, Failure, Kind
from ingot.dtypes import BOOL, INT, OF_PYTHON
from ingot.numpy import integers
from ingot.syntax.ops import at_least, bounds_of, predicate
from ingot.syntax.values import Scalar, parameter_of

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def power(ev: Evaluator, kind: type, left: Any, right: Any, base: Value, exponent: Value) -> Value:
    """A power of the type `kind`, with the checks that it has this type.

    Args:
        left, right: the operands.
        base, exponent: their values, of the dtype of `kind`.
    """
    if isinstance(left, Scalar) or not left:
        _check_zero_power(ev, right, base, exponent, OF_PYTHON[kind])
    if kind is int:
        _check_negative(ev, right, exponent)
        return integers.power(ev, right, base, exponent, INT)
    dtype = OF_PYTHON[kind]
    if kind is float:
        _check_fraction(ev, left, right, base, exponent)
    value = ev.ops.elementwise("pow", [base, exponent], [dtype, dtype])
    if ev.checks and not _is_small_power(right):
        _check_overflow(ev, value, [base, exponent])
    return value


def check_open(
    ev: Evaluator, kind: type, left: Any, right: Any, base: Value, exponent: Value, message: str
) -> None:
    """Refuse a power of which Python and NumPy make different things; arguments as of `power`."""
    refusal = Failure("NotImplementedError", message, Kind.LIMIT)
    if kind is int:
        _check_negative(ev, right, exponent, refusal)
        return
    dtype = OF_PYTHON[kind]
    _check_zero_power(ev, right, base, exponent, dtype, refusal)
    if kind is float:
        _check_fraction(ev, left, right, base, exponent, refusal)
    if ev.checks and not _is_small_power(right):
        value = ev.ops.elementwise("pow", [base, exponent], [dtype, dtype])
        _check_overflow(ev, value, [base, exponent], refusal)


def of_any_type(ev: Evaluator, kind: type, left: Any, right: Any) -> Any:
    """A power whose type may be wider than `kind`: of known numbers, or a number of either type.

    Returns:
        The power, or None if its type is `kind` for all numbers.

    Raises:
        NeedsStatic: with a parameter that the power is computed from, where programs are
            specialised on such.
    """
    if kind is complex or (_is_natural(right) if kind is int else _is_real(left, right)):
        return None
    if ev.specialises_powers:
        ev.need(parameter_of([left, right]))
    # A late import, since the library imports modules that import this one.
    from ingot.numpy.library import powers

    function = powers.of_int if kind is int else powers.of_float
    saved, ev.opens_powers = ev.opens_powers, False
    try:
        return ev.inline(function, (left, right), {}, ev.node)
    finally:
        ev.opens_powers = saved


def _is_natural(exponent: Any) -> bool:
    """Whether an exponent is an integer that can't be negative."""
    return at_least(bounds_of(exponent)[0], 0)


def _is_real(base: Any, exponent: Any) -> bool:
    """Whether a power of floats can't be complex."""
    if isinstance(base, (int, float)) and base >= 0:
        return True
    return isinstance(exponent, (int, float)) and float(exponent).is_integer()


def _check_negative(
    ev: Evaluator, right: Any, exponent: Value, refusal: Failure | None = None
) -> None:
    """Refuse integers to negative powers, which are floats in Python."""
    if _is_natural(right):
        return
    test = ev.ops.compare("ge", exponent, ev.ops.constant(0, INT), INT)
    message = "a negative integer power; write float(base)"
    assumed = Failure("NotImplementedError", message, POWERS_OF_ONE_TYPE)
    ev.require(predicate(test), refusal or assumed)


def _check_fraction(
    ev: Evaluator, left: Any, right: Any, base: Any, exponent: Any, refusal: Failure | None = None
) -> None:
    """Refuse powers such as (-8.0) ** 0.5, which are complex in Python."""
    if _is_real(left, right):
        return
    ops, dtype = ev.ops, OF_PYTHON[float]
    whole = ops.elementwise("rint", [exponent], [dtype])
    tests = [
        ops.compare("lt", base, ops.constant(0, dtype), dtype),
        ops.compare("gt", base, ops.constant(-math.inf, dtype), dtype),
        ops.compare("ne", exponent, whole, dtype),
        ops.compare("eq", exponent, exponent, dtype),
    ]
    message = "a negative float to a fractional power is complex; write complex(base)"
    _refuse_all(ev, tests, refusal or Failure("NotImplementedError", message, POWERS_OF_ONE_TYPE))


def _check_zero_power(
    ev: Evaluator, right: Any, base: Value, exponent: Value, dtype: Any,
    refusal: Failure | None = None,
) -> None:  # fmt: skip
    """Raise for powers such as 0.0 ** -1."""
    is_real = isinstance(right, (bool, int, float))
    if at_least(bounds_of(right)[0], 0) if dtype == INT else is_real and right >= 0:
        return
    ops, real = ev.ops, OF_PYTHON[float]
    if dtype == INT:
        is_negative = ops.compare("lt", exponent, ops.constant(0, INT), INT)
    elif dtype == real:
        below = ops.compare("lt", exponent, ops.constant(0, real), real)
        finite = ops.compare("gt", exponent, ops.constant(-math.inf, real), real)
        is_negative = ops.elementwise("and", [below, finite], [BOOL, BOOL])
    else:
        parts = [ops.create(name, [exponent]) for name in ("real", "imag")]
        below = ops.compare("lt", parts[0], ops.constant(0, real), real)
        turns = ops.compare("ne", parts[1], ops.constant(0, real), real)
        is_negative = ops.elementwise("or", [below, turns], [BOOL, BOOL])
    is_zero = ops.compare("eq", base, ops.constant(0, dtype), dtype)
    raised = Failure("ZeroDivisionError", "zero to a negative or complex power")
    _refuse_all(ev, [is_zero, is_negative], refusal or raised)


def _refuse_all(ev: Evaluator, tests: list[Value], failure: Failure) -> None:
    """Raise if all of the tests hold."""
    found = functools.reduce(lambda a, b: ev.ops.elementwise("and", [a, b], [BOOL, BOOL]), tests)
    ev.require(predicate(ev.ops.elementwise("not", [found], [BOOL])), failure)


def _is_small_power(right: Any) -> bool:
    return isinstance(right, (bool, int, float)) and 0 <= right <= 1


def _check_overflow(
    ev: Evaluator, value: Any, operands: list[Any], refusal: Failure | None = None
) -> None:
    """Raise if a power of finite numbers is infinite."""
    finite = [_is_finite(ev, each) for each in operands]
    infinite = ev.ops.elementwise("not", [_is_finite(ev, value)], [BOOL])
    raised = Failure("OverflowError", "(34, 'Numerical result out of range')")
    _refuse_all(ev, [infinite, *finite], refusal or raised)


def _is_finite(ev: Evaluator, value: Any) -> Value:
    real = OF_PYTHON[float]
    return ev.ops.compare(
        "lt", ev.ops.create("abs", [value]), ev.ops.constant(math.inf, real), real
    )
