"""What of SciPy compiles: functions by module, and the methods of distributions.

SciPy is not imported here: its functions are known once the user has imported them.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from ingot.numpy import library, scipy_stats
from ingot.numpy.library import incomplete, matrices, signal, special

#: By SciPy's module, which is not imported unless the user does.
SCIPY = {
    "scipy.special": (special, incomplete),
    "scipy.linalg": (matrices,),
    "scipy.signal": (signal,),
}


def functions() -> dict[str, dict[str, types.FunctionType]]:
    """The functions by SciPy's module and name; all of them where SciPy has them."""
    return {
        home: {
            name: function
            for module in modules
            for name, function in library.public_functions(module).items()
        }
        for home, modules in SCIPY.items()
    }


@functools.cache
def _handler_ofs(home: str) -> dict[int, Callable[..., Any]]:
    module = sys.modules[home]
    return {
        id(getattr(module, name)): library.inlined(function)
        for name, function in functions()[home].items()
        if hasattr(module, name)
    }


@functools.cache
def _of_distributions() -> dict[tuple[int, str], Callable[..., Any]]:
    module = sys.modules["scipy.stats"]
    return {
        (id(getattr(module, name)), method): handler
        for (name, method), handler in scipy_stats.handlers().items()
        if hasattr(module, name)
    }


def handler_of(function: Any) -> Callable[..., Any] | None:
    """The handler of a function of SciPy's, or of a method of one of its distributions."""
    if isinstance(function, types.MethodType):
        if "scipy.stats" not in sys.modules:
            return None
        return _of_distributions().get((id(function.__self__), function.__name__))
    for home in SCIPY:
        if home in sys.modules:
            found = _handler_ofs(home).get(id(function))
            if found is not None:
                return found
    return None
