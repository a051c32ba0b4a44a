"""Ufuncs that are composed of several operations of the dialect.

Each function takes `ev` and the operands, converted to the dtypes of the loop that NumPy chooses,
and returns the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import BOOL, FLOAT
from ingot.syntax.ops import numpy_scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

COMPOSED: dict[np.ufunc, Callable[..., Value]] = {}


def _composed(ufunc: np.ufunc) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    def register(function: Callable[..., Value]) -> Callable[..., Value]:
        COMPOSED[ufunc] = function
        return function

    return register


def _dtype(value: Value) -> np.dtype:
    return numpy_scalar(value).dtype


def _op(ev: Evaluator, name: str, *values: Value) -> Value:
    return ev.ops.elementwise(name, list(values), [_dtype(values[0])] * len(values))


def _const(ev: Evaluator, number: Any, like: Value) -> Value:
    return ev.ops.constant(number, _dtype(like))


def _cmp(ev: Evaluator, how: str, a: Value, b: Value) -> Value:
    return ev.ops.compare(how, a, b, _dtype(a))


@_composed(np.square)
def _square(ev: Evaluator, x: Value) -> Value:
    return _op(ev, "and" if _dtype(x) == BOOL else "mul", x, x)


@_composed(np.positive)
def _positive(ev: Evaluator, x: Value) -> Value:
    return x


@_composed(np.sign)
def _sign(ev: Evaluator, x: Value) -> Value:
    value = _op(ev, "sign", x)
    if _dtype(x).kind != "f":
        return value
    # np.sign(-0.0) is 0.0.
    zero = _const(ev, 0, x)
    return ev.ops.select(_cmp(ev, "eq", x, zero), zero, value)


@_composed(np.reciprocal)
def _reciprocal(ev: Evaluator, x: Value) -> Value:
    dtype, one = _dtype(x), _const(ev, 1, x)
    if dtype.kind == "c":
        # NumPy's formula negates the imaginary part, also the sign of a zero.
        made = _op(ev, "div", _const(ev, complex(1, -0.0), x), x)
        is_zero = _cmp(ev, "eq", x, _const(ev, 0, x))
        return ev.ops.select(is_zero, _const(ev, complex(math.nan, math.nan), x), made)
    if dtype.kind != "i":
        return _op(ev, "floor_div" if dtype.kind == "u" else "div", one, x)
    # 1 / x truncated to an integer; 1 / 0 is undefined in C, and NumPy's builds give this value.
    whole = ev.ops.select(_cmp(ev, "eq", _op(ev, "abs", x), one), x, _const(ev, 0, x))
    at_zero = np.iinfo(dtype).min if dtype.itemsize >= 4 else 0
    return ev.ops.select(_cmp(ev, "eq", x, _const(ev, 0, x)), _const(ev, at_zero, x), whole)


@_composed(np.conjugate)
def _conjugate(ev: Evaluator, x: Value) -> Value:
    return _op(ev, "conj", x) if _dtype(x).kind == "c" else x


@_composed(np.isnan)
def _isnan(ev: Evaluator, x: Value) -> Value:
    return _cmp(ev, "ne", x, x)


@_composed(np.isinf)
def _isinf(ev: Evaluator, x: Value) -> Value:
    if _dtype(x).kind != "f":
        return _parts(ev, _isinf, "or", x)
    return _cmp(ev, "eq", _op(ev, "abs", x), _const(ev, math.inf, x))


@_composed(np.isfinite)
def _isfinite(ev: Evaluator, x: Value) -> Value:
    if _dtype(x).kind != "f":
        return _parts(ev, _isfinite, "and", x)
    return ev.ops.create("is_finite", [x])


def _parts(ev: Evaluator, test: Callable[..., Value], join: str, x: Value) -> Value:
    """A test for floats, applied to complex numbers or integers."""
    if _dtype(x).kind != "c":
        return test(ev, ev.ops.convert(x, FLOAT))
    real, imag = (test(ev, ev.ops.create(part, [x])) for part in ("real", "imag"))
    return _op(ev, join, real, imag)


@_composed(np.signbit)
def _signbit(ev: Evaluator, x: Value) -> Value:
    # A test of the highest bit, since NaN has a sign, too.
    bits = np.dtype(f"int{8 * _dtype(x).itemsize}")
    whole = ev.ops.typed("bitcast", [x], x.shape, bits)
    return ev.ops.compare("lt", whole, ev.ops.constant(0, bits), bits)


@_composed(np.copysign)
def _copysign(ev: Evaluator, x: Value, sign: Value) -> Value:
    size = _op(ev, "abs", x)
    return ev.ops.select(_signbit(ev, sign), _op(ev, "neg", size), size)


@_composed(np.fmax)
def _fmax(ev: Evaluator, a: Value, b: Value) -> Value:
    return _skip_nan(ev, "maximum", a, b)


@_composed(np.fmin)
def _fmin(ev: Evaluator, a: Value, b: Value) -> Value:
    return _skip_nan(ev, "minimum", a, b)


def _skip_nan(ev: Evaluator, name: str, a: Value, b: Value) -> Value:
    value = _op(ev, name, a, b)
    if _dtype(a).kind != "f":
        return value
    return ev.ops.select(_isnan(ev, a), b, ev.ops.select(_isnan(ev, b), a, value))


@_composed(np.hypot)
def _hypot(ev: Evaluator, a: Value, b: Value) -> Value:
    large = _op(ev, "maximum", _op(ev, "abs", a), _op(ev, "abs", b))
    is_plain = _op(
        ev, "and", ev.ops.create("is_finite", [large]), _cmp(ev, "gt", large, _const(ev, 0, a))
    )
    # The result does not depend on the scale, so the derivative by the scale is zero.
    scale = ev.ops.create("stop_gradient", [ev.ops.select(is_plain, large, _const(ev, 1, a))])
    a, b = _op(ev, "div", a, scale), _op(ev, "div", b, scale)
    squares = _op(ev, "add", _op(ev, "mul", a, a), _op(ev, "mul", b, b))
    scaled = _op(ev, "mul", scale, _op(ev, "sqrt", squares))
    has_inf = _op(ev, "or", _isinf(ev, a), _isinf(ev, b))
    return ev.ops.select(has_inf, _const(ev, math.inf, a), scaled)


@_composed(np.logaddexp)
def _logaddexp(ev: Evaluator, a: Value, b: Value) -> Value:
    # The function is smooth at a == b, but maximum and abs are not: select by one comparison.
    is_first = _cmp(ev, "ge", a, b)
    large, small = ev.ops.select(is_first, a, b), ev.ops.select(is_first, b, a)
    gap = _op(ev, "sub", small, large)
    value = _op(ev, "add", large, _op(ev, "log1p", _op(ev, "exp", gap)))
    # inf - inf would be NaN where both are the same infinity. There is no slope: theirs is infinite.
    same = _op(ev, "and", _cmp(ev, "eq", a, b), _isinf(ev, a))
    return ev.ops.select(same, _op(ev, "mul", a, _op(ev, "abs", b)), value)


@_composed(np.logaddexp2)
def _logaddexp2(ev: Evaluator, a: Value, b: Value) -> Value:
    ln2 = _const(ev, math.log(2), a)
    value = _logaddexp(ev, _op(ev, "mul", a, ln2), _op(ev, "mul", b, ln2))
    return _op(ev, "div", value, ln2)


@_composed(np.exp2)
def _exp2(ev: Evaluator, x: Value) -> Value:
    if _dtype(x).kind == "c":
        return _op(ev, "exp", _by_parts(ev, "mul", x, math.log(2)))
    return _op(ev, "pow", _const(ev, 2, x), x)


@_composed(np.log2)
def _log2(ev: Evaluator, x: Value) -> Value:
    return _by_parts(ev, "div", _op(ev, "log", x), math.log(2))


@_composed(np.log10)
def _log10(ev: Evaluator, x: Value) -> Value:
    return _by_parts(ev, "div", _op(ev, "log", x), math.log(10))


def _by_parts(ev: Evaluator, kind: str, x: Value, by: float) -> Value:
    """x times or divided by a real number; a complex x by its parts."""
    if _dtype(x).kind != "c":
        return _op(ev, kind, x, _const(ev, by, x))
    parts = [ev.ops.create(part, [x]) for part in ("real", "imag")]
    return ev.ops.create("complex", [_by_parts(ev, kind, part, by) for part in parts])


def _ordered(how: str) -> Callable[..., Value]:
    """A comparison of complex numbers, by the real part first and then by the imaginary part."""
    strict = how[0] + "t"

    def compare(ev: Evaluator, x: Value, y: Value) -> Value:
        (a, b), (c, d) = (_split(ev, x), _split(ev, y))
        numbers = _op(ev, "and", _cmp(ev, "eq", b, b), _cmp(ev, "eq", d, d))
        by_real = _op(ev, "and", _cmp(ev, strict, a, c), numbers)
        by_imag = _op(ev, "and", _cmp(ev, "eq", a, c), _cmp(ev, how, b, d))
        return _op(ev, "or", by_real, by_imag)

    return compare


def _extremum(how: str, deciding: int) -> Callable[..., Value]:
    """The maximum or minimum of complex numbers.

    Args:
        how: the comparison ("ge" or "le") for which the first operand is the result.
        deciding: the index of the operand which, where it is NaN, makes the first one the result.
    """

    def choose(ev: Evaluator, x: Value, y: Value) -> Value:
        is_first = _op(ev, "or", _isnan(ev, (x, y)[deciding]), _ordered(how)(ev, x, y))
        return ev.ops.select(is_first, x, y)

    return choose


def _split(ev: Evaluator, x: Value) -> list[Value]:
    return [ev.ops.create(part, [x]) for part in ("real", "imag")]


def _rint_parts(ev: Evaluator, x: Value) -> Value:
    return ev.ops.create("complex", [_op(ev, "rint", part) for part in _split(ev, x)])


#: Ufuncs that are one operation for real numbers, but composed for complex numbers.
ON_COMPLEX: dict[np.ufunc, Callable[..., Value]] = {
    np.less: _ordered("lt"), np.less_equal: _ordered("le"),
    np.greater: _ordered("gt"), np.greater_equal: _ordered("ge"),
    np.maximum: _extremum("ge", 0), np.minimum: _extremum("le", 0),
    np.fmax: _extremum("ge", 1), np.fmin: _extremum("le", 1), np.rint: _rint_parts,
}  # fmt: skip


@_composed(np.heaviside)
def _heaviside(ev: Evaluator, x: Value, at_zero: Value) -> Value:
    zero = _const(ev, 0, x)
    step = ev.ops.select(_cmp(ev, "gt", x, zero), _const(ev, 1, x), zero)
    step = ev.ops.select(_cmp(ev, "eq", x, zero), at_zero, step)
    return ev.ops.select(_isnan(ev, x), x, step)


@_composed(np.float_power)
def _float_power(ev: Evaluator, x: Value, y: Value) -> Value:
    return _op(ev, "pow", x, y)


@_composed(np.deg2rad)
def _deg2rad(ev: Evaluator, x: Value) -> Value:
    return _op(ev, "mul", x, _const(ev, math.pi / 180, x))


@_composed(np.rad2deg)
def _rad2deg(ev: Evaluator, x: Value) -> Value:
    return _op(ev, "mul", x, _const(ev, 180 / math.pi, x))


COMPOSED[np.degrees] = _rad2deg
COMPOSED[np.radians] = _deg2rad
