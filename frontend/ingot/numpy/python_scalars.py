"""Python's own numbers at run time: int stays int, and what Python raises is checked."""

from __future__ import annotations

import ast
import itertools
from typing import Any

import numpy as np

from ingot.dimensions import as_int, depends
from ingot.dtypes import BOOL, INT, OF_PYTHON, join_weak
from ingot.numpy.ufuncs import COMPARISONS, parameter_of
from ingot.syntax.ops import affine_of, at_least, at_most, bounds_of, predicate, static_kind
from ingot.syntax.values import Joined, Kinds, Scalar, scalar_of
from ingot_runtime.errors import DTypeError

OPERATORS: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floor_div",
    ast.Mod: "mod", ast.Pow: "pow", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "shift_left", ast.RShift: "shift_right",
}  # fmt: skip
BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)
DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)


def _python_type(value: Any) -> Any:
    return value.weak if isinstance(value, Scalar) else static_kind(value)


def arithmetic(ev: Any, op: type, left: Any, right: Any) -> Scalar:
    """`left op right` of Python numbers of which at least one is known at run time only."""
    if op not in OPERATORS:
        ev.fail("@ of numbers", kind=DTypeError)
    kind = join_weak(_python_type(left), _python_type(right))
    if op in (*BITWISE, ast.LShift, ast.RShift) and kind not in (bool, int):
        ev.fail(f"unsupported operand type for a bit operation: {kind.__name__}", kind=DTypeError)
    if kind is complex and op in (ast.FloorDiv, ast.Mod):
        ev.fail("can't take the floor of a complex number", kind=DTypeError)
    kind = _outcome(op, kind)
    dtype = OF_PYTHON[kind]
    a, b = (_value(ev, each, dtype) for each in (left, right))
    if op in DIVISIONS:
        _check_divisor(ev, right, b, dtype)
    if op is ast.Pow:
        _check_power(ev, kind, right, a, b)
    if op in (ast.LShift, ast.RShift):
        _check_sign(ev, right, b, "negative shift count")
    value = ev.ops.elementwise(OPERATORS[op], [a, b], [dtype, dtype])
    if type(left) is Joined or type(right) is Joined:
        return scalar_of(value, dtype, kind, _outcomes(op, left, right))
    result = Scalar(value, dtype, kind)
    result.parameter = parameter_of([left, right])
    if kind is int:
        _track(result, op, left, right)
    return result


def _outcome(op: type, kind: type) -> type:
    """What Python makes of numbers of which `kind` is the wider type."""
    if kind is bool and op in BITWISE:
        return bool
    return join_weak(kind, float if op is ast.Div else int)


def _outcomes(op: type, left: Any, right: Any) -> Kinds:
    """The same on all paths."""
    kinds: list[Any] = [
        each.kinds if type(each) is Joined else (_python_type(each),) for each in (left, right)
    ]
    return frozenset(_outcome(op, join_weak(*pair)) for pair in itertools.product(*kinds))


def _value(ev: Any, number: Any, dtype: np.dtype) -> Any:
    if isinstance(number, Scalar):
        return ev.ops.convert(number.value, dtype)
    return ev.ops.constant(number, dtype)


def _check_divisor(ev: Any, right: Any, value: Any, dtype: np.dtype) -> None:
    if not isinstance(right, Scalar) and right:
        return
    low, high = bounds_of(right) if dtype == INT else (None, None)
    if at_least(low, 1) or at_most(high, -1):
        return
    test = ev.ops.compare("ne", value, ev.ops.constant(0, dtype), dtype)
    ev.check(predicate(test), "ZeroDivisionError", "division by zero")


def _check_power(ev: Any, kind: type, right: Any, base: Any, exponent: Any) -> None:
    """Where Python would change the type: int ** -1 is a float, (-8.0) ** 0.5 complex."""
    if kind is int:
        _check_sign(ev, right, exponent, "a negative integer power; write float(base)")
    elif kind is float and not (isinstance(right, (int, float)) and float(right).is_integer()):
        zero = ev.ops.constant(0, OF_PYTHON[float])
        dtype = OF_PYTHON[float]
        is_positive = ev.ops.compare("ge", base, zero, dtype)
        whole = ev.ops.elementwise("rint", [exponent], [dtype])
        is_whole = ev.ops.compare("eq", exponent, whole, dtype)
        fine = ev.ops.elementwise("or", [is_positive, is_whole], [BOOL, BOOL])
        message = "a negative float to a fractional power is complex; write complex(base)"
        ev.check(predicate(fine), "ValueError", message)


def _check_sign(ev: Any, number: Any, value: Any, message: str) -> None:
    low, _ = bounds_of(number)
    if at_least(low, 0):
        return
    test = ev.ops.compare("ge", value, ev.ops.constant(0, INT), INT)
    ev.check(predicate(test), "ValueError", message)


def _track(result: Scalar, op: type, left: Any, right: Any) -> None:
    """The affine form and the bounds of an integer result."""
    (a, b), (c, d) = bounds_of(left), bounds_of(right)
    if op in (ast.Add, ast.Sub):
        sign = 1 if op is ast.Add else -1
        result.affine = affine_of(left).plus(affine_of(right), sign)
        if sign < 0:
            c, d = (None if d is None else -d), (None if c is None else -c)
        result.low = None if a is None or c is None else a + c
        result.high = None if b is None or d is None else b + d
    elif op is ast.Mult and not (isinstance(left, Scalar) and isinstance(right, Scalar)):
        scalar, factor = (left, right) if isinstance(left, Scalar) else (right, left)
        result.affine = affine_of(scalar).times(as_int(factor))
        ends = [None if e is None else e * as_int(factor) for e in bounds_of(scalar)]
        result.low, result.high = ends if factor >= 0 else ends[::-1]
    elif op is ast.Mod and _is_positive(right):
        result.low, result.high = 0, as_int(right) - 1
    elif op is ast.BitAnd and not isinstance(right, Scalar) and right >= 0:
        result.low, result.high = 0, as_int(right)
    elif op is ast.FloorDiv and not depends([a, b, right]) and _is_positive(right):
        result.low = None if a is None else a // int(right)
        result.high = None if b is None else b // int(right)


def _is_positive(number: Any) -> bool:
    return not isinstance(number, Scalar) and number > 0


def unary(ev: Any, op: type, operand: Any) -> Scalar:
    """`-x`, `+x`, `~x`; a bool counts as an int."""
    kind = join_weak(operand.weak, int)
    dtype = OF_PYTHON[kind]
    if op is ast.UAdd:
        value = ev.ops.convert(operand.value, dtype)
        if type(operand) is Joined:
            return scalar_of(value, dtype, kind, _at_least_int(operand))
        return Scalar(value, dtype, kind, parameter=operand.parameter)
    if op is ast.Invert and kind is not int:
        ev.fail("bad operand type for unary ~", kind=DTypeError)
    name = "not" if op is ast.Invert else "neg"
    value = ev.ops.elementwise(name, [operand.value], [dtype])
    if type(operand) is Joined:
        return scalar_of(value, dtype, kind, _at_least_int(operand))
    result = Scalar(value, dtype, kind)
    result.parameter = operand.parameter
    if kind is int and op is ast.USub:
        result.affine = affine_of(operand).times(-1)
        low, high = bounds_of(operand)
        result.low = None if high is None else -high
        result.high = None if low is None else -low
    return result


def _at_least_int(number: Joined) -> Kinds:
    return frozenset(join_weak(each, int) for each in number.kinds)  # type: ignore[arg-type]


def compare(ev: Any, ufunc: np.ufunc, left: Any, right: Any) -> Scalar:
    kind = join_weak(_python_type(left), _python_type(right))
    dtype = OF_PYTHON[kind]
    a, b = (_value(ev, each, dtype) for each in (left, right))
    result = predicate(ev.ops.compare(COMPARISONS[ufunc], a, b, dtype))
    result.parameter = parameter_of([left, right])
    return result
