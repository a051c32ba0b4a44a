"""Python's cmath module on dynamic numbers."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ingot.numpy.library import complex_numbers
from ingot.syntax.values import is_runtime

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: Functions of one number.
NAMES = (
    "sqrt", "exp", "log10", "cos", "sin", "tan", "acos", "asin", "atan", "cosh", "sinh", "tanh",
    "acosh", "asinh", "atanh", "phase", "polar", "isnan", "isinf", "isfinite",
)  # fmt: skip


def _emit(ev: Evaluator, function: Any, *args: Any, kind: type = complex) -> Any:
    given = tuple(ev.call(kind, (each,), {}) for each in args)
    return ev.inline(function, given, {}, ev.node)


def _function(name: str) -> Callable[..., Any]:
    function, written = getattr(cmath, name), getattr(complex_numbers, name)

    def call(ev: Evaluator, z: Any, /) -> Any:
        return _emit(ev, written, z) if is_runtime(z) else ev.compute(function, z)

    return call


def log(ev: Evaluator, z: Any, *base: Any) -> Any:
    if not any(map(is_runtime, (z, *base))):
        return ev.compute(cmath.log, z, *base)
    return _emit(ev, complex_numbers.log_of_base if base else complex_numbers.log, z, *base)


def rect(ev: Evaluator, r: Any, phi: Any, /) -> Any:
    if not is_runtime(r) and not is_runtime(phi):
        return ev.compute(cmath.rect, r, phi)
    return _emit(ev, complex_numbers.rect, r, phi, kind=float)


def isclose(ev: Evaluator, a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    if not any(map(is_runtime, (a, b, rel_tol, abs_tol))):
        return ev.compute(lambda: cmath.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol))
    a, b = (ev.call(complex, (each,), {}) for each in (a, b))
    return ev.inline(complex_numbers.isclose, (a, b, rel_tol, abs_tol), {}, ev.node)


def handlers() -> dict[Any, Callable[..., Any]]:
    return {
        **{getattr(cmath, name): _function(name) for name in NAMES},
        cmath.log: log, cmath.rect: rect, cmath.isclose: isclose,
    }  # fmt: skip
