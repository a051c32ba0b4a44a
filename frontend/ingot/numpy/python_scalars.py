"""Operators on dynamic Python numbers, with Python's result types and exceptions."""

from __future__ import annotations

import ast
import enum
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dimensions import Dimension, as_int, depends
from ingot.dtypes import BOOL, FLOAT, INT, OF_PYTHON, join_weak
from ingot.numpy import powers
from ingot.numpy.ufuncs import COMPARISONS
from ingot.syntax import intervals, kinds
from ingot.syntax.ops import affine_of, at_least, at_most, bounds_of, predicate, static_kind
from ingot.syntax.values import (
    Array,
    Joined,
    Scalar,
    Undetermined,
    parameter_of,
    spelled_kinds,
)

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

OPERATORS: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floor_div",
    ast.Mod: "mod", ast.Pow: "pow", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "shift_left", ast.RShift: "shift_right",
}  # fmt: skip
BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)
DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)


def is_python(value: Any) -> bool:
    """Whether a value is a Python number, static or dynamic."""
    if isinstance(value, Scalar):
        return value.weak is not None
    if type(value) in (bool, int, float, complex, Dimension):
        return True
    return isinstance(value, enum.Enum) and isinstance(value, (int, float, complex))


def is_complex_with_float(left: Any, right: Any) -> bool:
    """Whether Python's complex takes the right operand as a Python float, as it does an np.float64,
    which is a subclass of float."""
    is_complex = type(left) is complex or (isinstance(left, Scalar) and left.weak is complex)
    if not is_complex:
        return False
    is_number = isinstance(right, Scalar) and right.weak is None
    return type(right) is np.float64 or (is_number and right.dtype == FLOAT)


def is_numpy(value: Any) -> bool:
    """Whether a value is a static NumPy number."""
    return isinstance(value, np.generic)


def is_of_numpy(value: Any) -> bool:
    """Whether a value is a NumPy array or number, in operations with which lists become arrays."""
    is_number = isinstance(value, Scalar) and value.weak is None
    return is_number or isinstance(value, Array) or is_numpy(value)


def _python_type(value: Any) -> Any:
    return value.weak if isinstance(value, Scalar) else static_kind(value)


def arithmetic(ev: Any, op: type, left: Any, right: Any) -> Scalar:
    """`left op right` of Python numbers of which at least one is dynamic."""
    if op not in OPERATORS:
        ev.unsupported(op, left, right, "use *")
    if op is ast.Pow:
        right = _exponent(ev, left, right)
    kind = join_weak(_python_type(left), _python_type(right))
    if op in (*BITWISE, ast.LShift, ast.RShift) and kind not in (bool, int):
        ev.unsupported(op, left, right)
    if kind is complex and op in (ast.FloorDiv, ast.Mod):
        ev.unsupported(op, left, right)
    kind = _outcome(op, kind)
    if op is ast.Pow and ev.opens_powers:
        found = powers.of_any_type(ev, kind, left, right)
        if found is not None:
            return found
    dtype = OF_PYTHON[kind]
    a, b = (_value(ev, each, dtype) for each in (left, right))
    if op in DIVISIONS:
        _check_divisor(ev, right, b, dtype)
    if op is ast.Pow:
        value = powers.power(ev, kind, left, right, a, b)
    else:
        if op in (ast.LShift, ast.RShift):
            _check_sign(ev, right, b, "negative shift count")
        value = ev.ops.elementwise(OPERATORS[op], [a, b], [dtype, dtype])
    if type(left) is Joined or type(right) is Joined:
        return kinds.computed(
            ev.ops,
            value,
            (dtype, kind),
            lambda *each: _outcome(op, join_weak(*each)),
            (left, right),
        )
    result = Scalar(value, dtype, kind)
    result.parameter = parameter_of([left, right])
    if kind is int:
        _track(result, op, left, right)
    return result


def _exponent(ev: Evaluator, base: Any, exponent: Any) -> Any:
    """A negative integer as a float: Python's power is one even for integers."""
    is_int = _python_type(exponent) is int
    if not is_int or _python_type(base) is complex or not at_most(bounds_of(exponent)[1], -1):
        return exponent
    if not isinstance(exponent, Scalar):
        return float(exponent)
    return Scalar(ev.ops.convert(exponent.value, FLOAT), FLOAT, float, exponent.parameter)


def _outcome(op: type, kind: type) -> type:
    """The result type of an operator, given the wider type of its operands."""
    if kind is bool and op in BITWISE:
        return bool
    return join_weak(kind, float if op is ast.Div else int)


def _value(ev: Evaluator, number: Any, dtype: np.dtype) -> Any:
    if isinstance(number, Scalar):
        return ev.ops.convert(number.value, dtype)
    return ev.ops.constant(number, dtype)


def _check_divisor(ev: Evaluator, right: Any, value: Any, dtype: np.dtype) -> None:
    if not isinstance(right, Scalar) and right:
        return
    low, high = bounds_of(right) if dtype == INT else (None, None)
    if at_least(low, 1) or at_most(high, -1):
        return
    test = ev.ops.compare("ne", value, ev.ops.constant(0, dtype), dtype)
    ev.check(predicate(test), "ZeroDivisionError", "division by zero")


def check_open(ev: Any, op: type, left: Any, right: Any) -> None:
    """Refuse, when the program runs, what differs for numbers of Python's and NumPy's.

    On one path a number is Python's, on another NumPy's. Python raises for a division by zero, a
    negative shift and some powers, and has other types for other powers.
    """
    if op not in _CHECKED:
        return
    joined = [each for each in (left, right) if type(each) is Joined]
    if not (joined and _may_be_python(left) and _may_be_python(right)):
        return
    what, advice = _CHECKED[op]
    message = (
        f"{what} of a number that is {spelled_kinds(joined[0].kinds)}, depending on the "
        f"path taken; {advice}, or make it one of these"
    )
    low, high = bounds_of(right)
    if op is ast.Pow:
        dtype = np.result_type(*map(_dtype, (left, right)), np.int64)
        kind = {"i": int, "f": float, "c": complex}[dtype.kind]
        base, exponent = (_value(ev, each, OF_PYTHON[kind]) for each in (left, right))
        powers.check_open(ev, kind, left, right, base, exponent, message)
    elif op not in DIVISIONS:
        if not at_least(low, 0):
            is_fine = ev.truth(ev.compare(ast.GtE(), right, 0))
            ev.limit(is_fine, message)
    elif not (at_least(low, 1) or at_most(high, -1)):
        is_fine = ev.truth(right)
        if is_fine is False:
            raise Undetermined(joined[0].kinds)
        ev.limit(is_fine, message)


#: The operators that `check_open` is about: what it refuses, and what to do instead.
_CHECKED = {
    **dict.fromkeys(DIVISIONS, ("division by zero", "test for zero before")),
    **dict.fromkeys((ast.LShift, ast.RShift), ("a negative shift", "test for that before")),
    ast.Pow: ("a power beyond the numbers of its type", "test for that before"),
}


def _dtype(number: Any) -> np.dtype:
    return number.held if isinstance(number, Scalar) else np.asarray(number).dtype


def _may_be_python(number: Any) -> bool:
    if type(number) is Joined:
        return any(isinstance(kind, type) for kind in number.kinds)
    return is_python(number)


def _check_sign(ev: Evaluator, number: Any, value: Any, message: str) -> None:
    low, _ = bounds_of(number)
    if at_least(low, 0):
        return
    test = ev.ops.compare("ge", value, ev.ops.constant(0, INT), INT)
    ev.check(predicate(test), "ValueError", message)


def _track(result: Scalar, op: type, left: Any, right: Any) -> None:
    """Note the affine form and the bounds of an integer result."""
    if op in (ast.Add, ast.Sub):
        result.affine = affine_of(left).plus(affine_of(right), 1 if op is ast.Add else -1)
    elif op is ast.Mult and not (isinstance(left, Scalar) and isinstance(right, Scalar)):
        scalar, factor = (left, right) if isinstance(left, Scalar) else (right, left)
        result.affine = affine_of(scalar).times(as_int(factor))
    if OPERATORS[op] in intervals.RULES:
        intervals.of_python(result, OPERATORS[op], left, right)


def unary(ev: Any, op: type, operand: Any) -> Scalar:
    """`-x`, `+x` or `~x`; a bool is converted to an int."""
    kind = join_weak(operand.weak, int)
    dtype = OF_PYTHON[kind]
    if op is ast.UAdd and type(operand) is Scalar and operand.weak is kind:
        return operand
    if op is ast.UAdd:
        value = ev.ops.convert(operand.value, dtype)
        if type(operand) is Joined:
            return kinds.computed(ev.ops, value, (dtype, kind), _at_least_int, (operand,))
        return Scalar(value, dtype, kind, parameter=operand.parameter)
    if op is ast.Invert and kind is not int:
        if type(operand) is Joined:
            raise Undetermined(operand.kinds)
        ev.fail_as(TypeError, f"bad operand type for unary ~: '{kind.__name__}'")
    name = "not" if op is ast.Invert else "neg"
    value = ev.ops.elementwise(name, [operand.value], [dtype])
    if type(operand) is Joined:
        return kinds.computed(ev.ops, value, (dtype, kind), _at_least_int, (operand,))
    result = Scalar(value, dtype, kind)
    result.parameter = operand.parameter
    if kind is int and op is ast.USub:
        result.affine = affine_of(operand).times(-1)
        intervals.of_python(result, "neg", operand)
    return result


def _at_least_int(kind: type) -> type:
    return join_weak(kind, int)


def compare(ev: Any, ufunc: np.ufunc, left: Any, right: Any) -> Any:
    kinds = [_python_type(left), _python_type(right)]
    kind = join_weak(*kinds)
    if kind is complex and ufunc not in (np.equal, np.not_equal):
        for each in (left, right):
            if type(each) is Joined:
                raise Undetermined(each.kinds)
        names = " and ".join(f"'{each.__name__}'" for each in kinds)
        symbol = _SYMBOLS[ufunc]
        ev.raise_now(TypeError, f"'{symbol}' not supported between instances of {names}")
    if kind in (int, float) and bool not in kinds and _may_be_inexact(left, right):
        return _compare_exactly(ev, ufunc, left, right)
    dtype = OF_PYTHON[kind]
    a, b = (_value(ev, each, dtype) for each in (left, right))
    result = predicate(ev.ops.compare(COMPARISONS[ufunc], a, b, dtype))
    result.parameter = parameter_of([left, right])
    return result


_SYMBOLS: dict[np.ufunc, str] = {
    np.less: "<",
    np.less_equal: "<=",
    np.greater: ">",
    np.greater_equal: ">=",
}
#: From here on not every integer can be represented as a float.
_LARGE = 2**53


def _may_be_inexact(left: Any, right: Any) -> bool:
    """Whether converting the numbers to their common type may change their values."""
    for number, other in ((left, right), (right, left)):
        if isinstance(number, (int, float)) and not depends(number):
            if other.weak is int:
                is_float = isinstance(number, float)
                return abs(number) >= _LARGE if is_float else not -(2**63) <= number < 2**63
            return isinstance(number, int) and abs(number) > _LARGE
    kinds = {_python_type(left), _python_type(right)}
    low, high = bounds_of(left if _python_type(left) is int else right)
    return kinds == {int, float} and not (at_least(low, -_LARGE) and at_most(high, _LARGE))


def _compare_exactly(ev: Evaluator, ufunc: np.ufunc, left: Any, right: Any) -> Any:
    """A comparison of an integer with a float, or of a number with a large constant."""
    for number, other, is_left in ((left, right, True), (right, left, False)):
        if not isinstance(number, Scalar):
            return _compare_constant(ev, ufunc, number, other, is_left)
    if _python_type(left) is float:
        return _compare_exactly(ev, _MIRRORED[ufunc], right, left)
    ops, real = ev.ops, OF_PYTHON[float]
    near, whole = ops.convert(left.value, real), ops.convert(right.value, INT)

    def both(a: Value, b: Value) -> Value:
        return ops.elementwise("and", [a, b], [BOOL, BOOL])

    # If the integer rounds to the float, compare as integers; of such floats only 2.0**63 is beyond
    # int64.
    same = ops.compare("eq", near, right.value, real)
    fits = ops.compare("lt", right.value, ops.constant(2.0**63, real), real)
    as_integers = ops.compare(COMPARISONS[ufunc], left.value, whole, INT)
    if ufunc in (np.less, np.less_equal, np.not_equal):
        misfit = ops.elementwise("not", [fits], [BOOL])
        as_integers = ops.elementwise("or", [as_integers, misfit], [BOOL, BOOL])
    else:
        as_integers = both(as_integers, fits)
    apart = ops.compare(COMPARISONS[ufunc], near, right.value, real)
    return predicate(ops.select(same, as_integers, apart))


_MIRRORED: dict[np.ufunc, np.ufunc] = {
    np.less: np.greater, np.less_equal: np.greater_equal, np.equal: np.equal,
    np.greater: np.less, np.greater_equal: np.less_equal, np.not_equal: np.not_equal,
}  # fmt: skip


def _compare_constant(
    ev: Evaluator, ufunc: np.ufunc, number: Any, other: Scalar, is_left: bool
) -> Any:
    """A comparison with a constant that the other operand's type may not represent."""
    if is_left:
        ufunc = _MIRRORED[ufunc]
    if other.weak is int:
        if -(2**63) <= number < 2**63:
            return compare(ev, ufunc, other, int(number))
        # The constant is beyond every int64.
        return bool(ufunc(0, 1 if number > 0 else -1))
    bounds = _floats_around(number)
    if bounds[0] == bounds[1]:
        return compare(ev, ufunc, other, bounds[0])
    if ufunc in (np.equal, np.not_equal):
        return ufunc is np.not_equal
    is_below = ufunc in (np.less, np.less_equal)
    return compare(ev, np.less_equal, other, bounds[0]) if is_below else (
        compare(ev, np.greater_equal, other, bounds[1])
    )  # fmt: skip


def _floats_around(number: int) -> tuple[float, float]:
    """The nearest floats below and above an integer; the same one twice if it is a float."""
    try:
        near = float(number)
    except OverflowError:
        largest = np.finfo(float).max
        return (largest, math.inf) if number > 0 else (-math.inf, -largest)
    if near == number:
        return near, near
    below = near if near < number else math.nextafter(near, -math.inf)
    return below, math.nextafter(below, math.inf)
