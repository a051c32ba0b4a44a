"""Rounding, comparisons with tolerances, and other small functions composed of ufuncs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dimensions import as_int
from ingot.numpy.library import calculus
from ingot.numpy.primitives import opaque
from ingot.numpy.ufuncs import call_ufunc, store_out
from ingot.syntax.values import Array, is_runtime
from ingot_runtime.errors import DTypeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def round_(ev: Evaluator, a: Any, decimals: Any = 0, out: Any = None) -> Any:
    a = ev.as_array(a)
    dtype = a.dtype if hasattr(a, "dtype") else np.asarray(a).dtype
    decimals = ev.static(decimals, "decimals")
    if not is_runtime(a) and out is None:
        return ev.compute(np.round, a, decimals)
    if not isinstance(decimals, (int, np.integer)):
        message = f"'{type(decimals).__name__}' object cannot be interpreted as an integer"
        ev.fail_as(TypeError, message)
    decimals = as_int(decimals)
    if dtype.kind == "b":
        return _round_booleans(ev, a, decimals, out)
    if dtype.kind in "iu":
        result = (
            call_ufunc(ev, np.positive, (a,))
            if decimals >= 0
            else _round_integer(ev, a, 10**-decimals)
        )
    elif decimals == 0:
        result = call_ufunc(ev, np.rint, (a,))
    else:
        scale = float(np.power(10.0, abs(decimals)))
        ways = (np.multiply, np.true_divide) if decimals > 0 else (np.true_divide, np.multiply)
        result = call_ufunc(ev, np.rint, (_scaled(ev, ways[0], a, scale),))
        result = _scaled(ev, ways[1], result, scale)
    if out is not None:
        return store_out(ev, out, ev.read(result), dtype)
    return result


def _round_booleans(ev: Evaluator, a: Any, decimals: int, out: Any) -> Any:
    if decimals != 0:
        ev.fail(
            "can't cast the result of rounding to bool", "convert to an integer first", DTypeError
        )
    return call_ufunc(ev, np.rint, (a,), out)


def _scaled(ev: Evaluator, way: np.ufunc, a: Any, scale: float) -> Any:
    if way is np.true_divide and is_runtime(a):
        return call_ufunc(ev, way, (a, opaque(ev, scale, a)))
    return call_ufunc(ev, way, (a, scale))


def _round_integer(ev: Evaluator, a: Any, scale: int) -> Any:
    whole = call_ufunc(ev, np.rint, (call_ufunc(ev, np.true_divide, (a, scale)),))
    scaled = call_ufunc(ev, np.multiply, (whole, float(scale)))
    return ev.call(np.astype, (scaled, a.dtype), {})


def angle(ev: Evaluator, z: Any, deg: bool = False) -> Any:
    z = ev.as_array(z)
    parts = [ev.call(np.imag, (z,), {}), ev.call(np.real, (z,), {})]
    if not iscomplexobj(ev, z):
        parts = [0, z]
    value = call_ufunc(ev, np.arctan2, tuple(parts))
    return call_ufunc(ev, np.rad2deg, (value,)) if deg else value


def isclose(
    ev: Evaluator, a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False
) -> Any:
    def u(ufunc: np.ufunc, *args: Any) -> Any:
        return call_ufunc(ev, ufunc, args)

    a, b = (ev.as_array(each) for each in (a, b))
    # Compare as floats: differences of unsigned integers and the absolute value of the smallest
    # integer wrap around.
    dtype = np.result_type(b.dtype, 1.0) if isinstance(b, Array) else None
    b = ev.call(np.astype, (b, dtype), {}) if dtype is not None else u(np.add, b, 0.0)
    gap = u(np.absolute, u(np.subtract, a, b))
    limit = u(np.add, atol, u(np.multiply, rtol, u(np.absolute, b)))
    near = u(np.logical_and, u(np.less_equal, gap, limit), u(np.isfinite, b))
    result = u(np.logical_or, near, u(np.equal, a, b))
    if equal_nan:
        result = u(np.logical_or, result, u(np.logical_and, u(np.isnan, a), u(np.isnan, b)))
    return result


def allclose(
    ev: Evaluator, a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False
) -> Any:
    return ev.truth(ev.call(np.all, (isclose(ev, a, b, rtol, atol, equal_nan),), {}))


def array_equal(ev: Evaluator, a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    shapes = [ev.call(np.shape, (a,), {}) for a in (a1, a2)]
    if shapes[0] != shapes[1]:
        return False
    a1, a2 = ev.as_array(a1), ev.as_array(a2)
    same = call_ufunc(ev, np.equal, (a1, a2))
    if ev.static(equal_nan, "equal_nan"):
        are_nan = [call_ufunc(ev, np.isnan, (a,)) for a in (a1, a2)]
        same = call_ufunc(ev, np.logical_or, (same, call_ufunc(ev, np.logical_and, tuple(are_nan))))
    return ev.truth(ev.call(np.all, (same,), {}))


def _is_infinity(infinity: float) -> Callable[..., Any]:
    def call(ev: Evaluator, x: Any, out: Any = None) -> Any:
        if iscomplexobj(ev, x):
            message = "This operation is not supported for complex values"
            ev.fail_as(TypeError, message, "use .real")
        return call_ufunc(ev, np.equal, (x, infinity), out=out)

    return call


def sinc(ev: Evaluator, x: Any) -> Any:
    y = call_ufunc(ev, np.multiply, (math.pi, x))
    return ev.inline(calculus._sinc_of_product, (y,), {}, ev.node)


def iscomplexobj(ev: Evaluator, x: Any) -> bool:
    x = ev.as_array(x)
    return np.asarray(x).dtype.kind == "c" if not hasattr(x, "dtype") else x.dtype.kind == "c"


def handlers() -> dict[Any, Callable[..., Any]]:
    return {
        np.round: round_, np.around: round_, np.fix: lambda ev, x, out=None: call_ufunc(ev, np.trunc, (x,), out),
        np.angle: angle, np.isclose: isclose, np.allclose: allclose,
        np.array_equal: array_equal, np.isposinf: _is_infinity(math.inf), np.isneginf: _is_infinity(-math.inf),
        np.sinc: sinc, np.iscomplexobj: iscomplexobj,
        np.isrealobj: lambda ev, x: not iscomplexobj(ev, x),
    }  # fmt: skip
