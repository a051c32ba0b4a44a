"""Python's math module on dynamic numbers, with the exceptions that it raises."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dimensions import Dimension
from ingot.dtypes import FLOAT
from ingot.numpy import integers
from ingot.numpy.library import floats, special, whole_numbers
from ingot.syntax.ops import predicate
from ingot.syntax.values import Scalar, class_name, is_runtime, of_all_kinds

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: By function of math a function with the same values, and the test for which arguments math
#: raises ValueError (None if for none).
FUNCTIONS: dict[Callable[..., Any], tuple[Any, Callable[[Any, Any], Any] | None]] = {}


def _compare(ufunc: np.ufunc, bound: float) -> Callable[[Any, Any], Any]:
    return lambda ev, x: ev.call(ufunc, (x, bound), {})


def _absolute(ufunc: np.ufunc, bound: float) -> Callable[[Any, Any], Any]:
    return lambda ev, x: ev.call(ufunc, (ev.call(np.abs, (x,), {}), bound), {})


FUNCTIONS.update({
    math.sqrt: (np.sqrt, _compare(np.less, 0.0)),
    math.log: (np.log, _compare(np.less_equal, 0.0)),
    math.log2: (np.log2, _compare(np.less_equal, 0.0)),
    math.log10: (np.log10, _compare(np.less_equal, 0.0)),
    math.log1p: (np.log1p, _compare(np.less_equal, -1.0)),
    math.asin: (np.arcsin, _absolute(np.greater, 1.0)),
    math.acos: (np.arccos, _absolute(np.greater, 1.0)),
    math.acosh: (np.arccosh, _compare(np.less, 1.0)),
    math.atanh: (np.arctanh, _absolute(np.greater_equal, 1.0)),
    math.sin: (np.sin, _absolute(np.equal, math.inf)),
    math.cos: (np.cos, _absolute(np.equal, math.inf)),
    math.tan: (np.tan, _absolute(np.equal, math.inf)),
    math.atan: (np.arctan, None), math.atan2: (np.arctan2, None), math.tanh: (np.tanh, None),
    math.asinh: (np.arcsinh, None), math.fabs: (np.abs, None),
    math.degrees: (np.degrees, None), math.radians: (np.radians, None),
    math.copysign: (np.copysign, None), math.erf: (special.erf, None),
    math.erfc: (special.erfc, None), math.nextafter: (np.nextafter, None),
    math.exp: (np.exp, None), math.expm1: (np.expm1, None), math.sinh: (np.sinh, None),
    math.cosh: (np.cosh, None), math.lgamma: (special.gammaln, None),
    math.gamma: (special.gamma, None),
})  # fmt: skip
if hasattr(math, "cbrt"):
    FUNCTIONS[math.cbrt] = (np.cbrt, None)
    FUNCTIONS[math.exp2] = (np.exp2, None)
#: Functions that raise OverflowError where the result for a finite argument is infinite.
OVERFLOWING = ("exp", "exp2", "expm1", "sinh", "cosh", "gamma", "lgamma")
TESTS: dict[Any, np.ufunc] = {
    math.isnan: np.isnan,
    math.isinf: np.isinf,
    math.isfinite: np.isfinite,
}
#: Functions that the library writes for floats.
OF_FLOATS = (math.remainder, math.frexp, math.modf, math.ulp)
ROUNDING: dict[Any, str] = {math.floor: "floor", math.ceil: "ceil", math.trunc: "trunc"}


def _float(ev: Evaluator, x: Any) -> Any:
    return ev.call(float, (x,), {})


def _require(ev: Evaluator, forbidden: Any, exception: str, message: str) -> None:
    test = ev.truth(forbidden)
    if test is True:
        ev.raise_now(getattr(builtins, exception), message)
    ev.check(ev.negate(test), exception, message)


def _weak(value: Any) -> Any:
    if not isinstance(value, Scalar):
        return float(value)
    return Scalar(value.value, FLOAT, float, parameter=value.parameter)


def _function(function: Callable[..., Any]) -> Callable[..., Any]:
    numpy, forbidden = FUNCTIONS[function]
    overflows = function.__name__ in OVERFLOWING

    def call(ev: Evaluator, *args: Any) -> Any:
        if not any(map(is_runtime, args)):
            return ev.compute(function, *args)
        args = tuple(_float(ev, x) for x in args)
        if forbidden is not None:
            _require(ev, forbidden(ev, args[0]), "ValueError", "math domain error")
        made = (
            ev.call(numpy, args, {}) if isinstance(numpy, np.ufunc) else _library(ev, numpy, args)
        )
        if overflows:
            grew = ev.both(
                ev.truth(ev.call(np.isinf, (made,), {})),
                ev.truth(ev.call(np.isfinite, (args[0],), {})),
            )
            _require(ev, grew, "OverflowError", "math range error")
        return _weak(made)

    return call


def _library(ev: Evaluator, function: Any, args: tuple) -> Any:
    return ev.inline(function, args, {}, ev.node)


def log(ev: Evaluator, x: Any, base: Any = None) -> Any:
    one = _function(math.log)
    if base is None:
        return one(ev, x)
    return _weak(ev.call(np.true_divide, (one(ev, x), one(ev, base)), {}))


def _test(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(ev: Evaluator, x: Any) -> Any:
        if not is_runtime(x):
            return ev.compute(function, x)
        return predicate(ev.read(ev.call(TESTS[function], (_float(ev, x),), {})))

    return call


def _truncates(kind: np.dtype | type) -> bool:
    """Whether numbers of a kind have `__trunc__`: Python's, and np.float64, which is a float."""
    return isinstance(kind, type) or kind == FLOAT


def _rounding(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(ev: Evaluator, x: Any) -> Any:
        if not is_runtime(x):
            return ev.compute(function, x)
        if function is math.trunc and not (isinstance(x, Scalar) and of_all_kinds(x, _truncates)):
            ev.raise_now(TypeError, f"type {class_name(x)} doesn't define __trunc__ method")
        if x.held.kind in "iub":
            return ev.call(int, (x,), {})
        x = _float(ev, x)
        value = ev.ops.elementwise(ROUNDING[function], [x.value], [FLOAT])
        return integers.of_float(ev, value, x)

    return call


def pow_(ev: Evaluator, x: Any, y: Any) -> Any:
    if not is_runtime(x) and not is_runtime(y):
        return ev.compute(math.pow, x, y)
    x, y = _float(ev, x), _float(ev, y)
    fractional = ev.truth(ev.call(np.not_equal, (ev.call(np.rint, (y,), {}), y), {}))
    negative = ev.truth(ev.call(np.less, (x, 0.0), {}))
    zero_down = ev.both(
        ev.truth(ev.call(np.equal, (x, 0.0), {})), ev.truth(ev.call(np.less, (y, 0.0), {}))
    )
    finite = ev.truth(ev.call(np.isfinite, (x,), {}))
    forbidden = ev.either(ev.both(ev.both(fractional, negative), finite), zero_down)
    _require(ev, forbidden, "ValueError", "math domain error")
    return _weak(ev.call(np.power, (x, y), {}))


def fmod(ev: Evaluator, x: Any, y: Any) -> Any:
    if not is_runtime(x) and not is_runtime(y):
        return ev.compute(math.fmod, x, y)
    x, y = _float(ev, x), _float(ev, y)
    forbidden = ev.either(
        ev.truth(ev.call(np.equal, (y, 0.0), {})), ev.truth(ev.call(np.isinf, (x,), {}))
    )
    _require(ev, forbidden, "ValueError", "math domain error")
    return _weak(ev.call(np.fmod, (x, y), {}))


def hypot(ev: Evaluator, *coordinates: Any) -> Any:
    if not any(map(is_runtime, coordinates)):
        return ev.compute(math.hypot, *coordinates)
    # From 0.0 on, one step would have no second derivatives where the first coordinate is 0.
    total, *rest = [_float(ev, each) for each in coordinates]
    for each in rest or [0.0]:
        total = ev.call(np.hypot, (total, each), {})
    return _weak(total)


def isclose(ev: Evaluator, a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    if not any(map(is_runtime, (a, b, rel_tol, abs_tol))):
        return ev.compute(lambda: math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol))

    def u(ufunc: np.ufunc, *args: Any) -> Any:
        return ev.call(ufunc, args, {})

    a, b = _float(ev, a), _float(ev, b)
    gap = u(np.abs, u(np.subtract, a, b))
    largest = u(np.maximum, u(np.abs, a), u(np.abs, b))
    near = u(np.less_equal, gap, u(np.maximum, u(np.multiply, rel_tol, largest), abs_tol))
    both_finite = u(np.logical_and, u(np.isfinite, a), u(np.isfinite, b))
    found = u(np.logical_or, u(np.equal, a, b), u(np.logical_and, near, both_finite))
    return predicate(ev.read(found))


def _folded(function: Callable[..., Any], by: Any) -> Callable[..., Any]:
    """The handler of a function of any number of integers, folded by a function of two."""

    def call(ev: Evaluator, *numbers: Any) -> Any:
        if not any(map(is_runtime, numbers)):
            return ev.compute(function, *numbers)
        total: Any = function()
        for each in numbers:
            total = _library(ev, by, (total, integers.index(ev, each)))
        return total

    return call


def isqrt(ev: Evaluator, n: Any) -> Any:
    if not is_runtime(n):
        return ev.compute(math.isqrt, n)
    return _library(ev, whole_numbers.isqrt, (integers.index(ev, n),))


def _of_floats(function: Callable[..., Any], written: Any) -> Callable[..., Any]:
    """The handler of a function that the library writes for floats."""

    def call(ev: Evaluator, *args: Any) -> Any:
        if not any(map(is_runtime, args)):
            return ev.compute(function, *args)
        return _library(ev, written, tuple(_float(ev, each) for each in args))

    return call


def ldexp(ev: Evaluator, x: Any, i: Any) -> Any:
    if not is_runtime(x) and not is_runtime(i):
        return ev.compute(math.ldexp, x, i)
    if not isinstance(i, (int, Dimension)) and not (isinstance(i, Scalar) and i.weak):
        ev.raise_now(TypeError, "Expected an int as second argument to ldexp.")
    return _library(ev, floats.ldexp, (_float(ev, x), integers.index(ev, i)))


def dist(ev: Evaluator, p: Any, q: Any) -> Any:
    ends = [ev.static_items(each) for each in (p, q)]
    if len(ends[0]) != len(ends[1]):
        message = "both points must have the same number of dimensions"
        ev.raise_now(ValueError, message)
    gaps = [ev.call(np.subtract, pair, {}) for pair in zip(*ends, strict=True)]
    return hypot(ev, *gaps)


def handlers() -> dict[Any, Callable[..., Any]]:
    return {
        **{function: _function(function) for function in FUNCTIONS},
        **{function: _test(function) for function in TESTS},
        **{function: _rounding(function) for function in ROUNDING},
        math.log: log, math.pow: pow_, math.fmod: fmod, math.hypot: hypot, math.isclose: isclose,
        math.gcd: _folded(math.gcd, whole_numbers.gcd), math.isqrt: isqrt,
        math.lcm: _folded(math.lcm, whole_numbers.lcm), math.ldexp: ldexp, math.dist: dist,
        **{of: _of_floats(of, getattr(floats, of.__name__)) for of in OF_FLOATS},
    }  # fmt: skip
