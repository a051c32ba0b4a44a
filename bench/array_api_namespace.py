"""NumPy's namespace with each function compiled by Ingot: what `array_api.py` tests.

Arrays are NumPy's, and so are their operators and what is not a function. For the few
functions of `array_api_forms.py`, those are compiled in place of NumPy's.
"""

from __future__ import annotations

import types
from typing import Any

import array_api_forms as forms
import numpy as np

import ingot


def _compiled(function: Any) -> Any:
    def call(*args, **kwargs):
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = function.__name__
    compiled = ingot.jit(call)
    # The signature tests read this attribute.
    compiled.__wrapped__ = function
    return compiled


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type)


class _Namespace(types.ModuleType):
    """A NumPy module whose functions are compiled on first use."""

    def __init__(self, name: str, module: Any) -> None:
        super().__init__(name)
        self.__dict__["_module"] = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(forms, name, None) or getattr(self._module, name)
        if _is_function(value) and not name.startswith("_"):
            value = _compiled(value)
        self.__dict__[name] = value
        return value

    def __dir__(self) -> list[str]:
        return dir(self._module)


linalg = _Namespace("linalg", np.linalg)
fft = _Namespace("fft", np.fft)
_main = _Namespace("main", np)


def __getattr__(name: str) -> Any:
    return getattr(_main, name)


def __dir__() -> list[str]:
    return dir(np)
