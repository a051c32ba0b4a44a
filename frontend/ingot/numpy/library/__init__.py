"""NumPy functions written in the NumPy subset itself, which the evaluator inlines.

Each public function of a module here has the name and the parameters of NumPy's function. The code
calls `primitives` for what NumPy has no function for, and refuses arguments by `raise`: under a
condition known at compile time that is an error at the user's call.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.numpy.library import (
    arrangement,
    bits,
    calculus,
    determinants,
    editing,
    fft,
    histograms,
    linalg,
    mapping,
    norms,
    padding,
    polynomials,
    ranges,
    selected,
    selection,
    series,
    sorting,
    statistics,
)
from ingot.syntax.values import Scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

MODULES = {
    np: (
        arrangement,
        bits,
        calculus,
        editing,
        histograms,
        mapping,
        padding,
        polynomials,
        ranges,
        selected,
        selection,
        sorting,
        statistics,
    ),
    np.linalg: (linalg, determinants, norms),
    np.fft: (fft,),
    np.lib.stride_tricks: (arrangement,),
    np.polynomial.polynomial: (series,),
    np.polynomial.legendre: (ranges, series),
    np.polynomial.chebyshev: (ranges, series),
    np.polynomial.hermite: (ranges, series),
    np.polynomial.hermite_e: (ranges, series),
    np.polynomial.laguerre: (ranges, series),
}


def inlined(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    def call(ev: Evaluator, *args: Any, **kwargs: Any) -> Any:
        args = tuple(_static_option(ev, each) for each in args)
        kwargs = {name: _static_option(ev, each) for name, each in kwargs.items()}
        return ev.inline(function, args, kwargs, ev.node, name)

    return call


def _static_option(ev: Evaluator, value: Any) -> Any:
    """An argument; a bool or int that depends on the user's arguments alone becomes static, since
    options decide what is computed."""
    is_option = isinstance(value, Scalar) and value.weak in (bool, int)
    return ev.static(value, "an option") if is_option and value.parameter is not None else value


def public_functions(module: types.ModuleType) -> dict[str, types.FunctionType]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, types.FunctionType)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    }


def handlers() -> dict[Any, Callable[..., Any]]:
    """The handlers by NumPy's function; functions that an older NumPy lacks are left out."""
    return {
        getattr(home, name): inlined(function, f"{home.__name__}.{name}".replace("numpy", "np", 1))
        for home, modules in MODULES.items()
        for module in modules
        for name, function in public_functions(module).items()
        if hasattr(home, name)
    }
