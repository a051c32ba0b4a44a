"""Copying and pickling of compiled functions, which works by name, as for Python functions."""

from __future__ import annotations

import functools
import pickle
import sys
import types
from collections.abc import Callable
from typing import Any


def name_of(function: Any) -> str:
    """The qualified name of a function, without the function that it is local to."""
    return str(function.__qualname__).rpartition("<locals>.")[2]


def shown(function: Any) -> str:
    """How a function appears in the repr of an object that wraps it."""
    if isinstance(function, ByReference):
        return repr(function)
    if isinstance(function, functools.partial):
        return f"partial({shown(function.func)}, ...)"
    if hasattr(function, "__qualname__"):
        return name_of(function)
    return f"{type(function).__name__}(...)"


def unwrapped(function: Any) -> Any:
    """The Python function that an object of Ingot wraps; any other object unchanged."""
    # Look at the class: functools.wraps copies instance attributes, and bound methods forward them.
    is_own = hasattr(type(function), "__ingot_function__")
    return function.__ingot_function__ if is_own else function


def evaluated(function: Any) -> Any:
    """What a call of an object of Ingot evaluates: a Python function, or an object with
    `__ingot_emit__`, such as a function with a rule; any other object unchanged."""
    is_own = hasattr(type(function), "__ingot_function__")
    is_plain = not is_own or hasattr(type(function), "__ingot_emit__")
    return function if is_plain else function._traced


class ByReference:
    """An object that wraps a function and is copied and pickled as a function is.

    A copy is the object itself. A pickle contains the name of the object in its module. An object
    without a name is made again from its parts, once in each process, if these can be pickled.
    """

    __module__: str
    __qualname__: str

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce__(self) -> str | tuple[Callable[..., Any], tuple]:
        name = self._name()
        if name is not None:
            return name
        reason = f"{self.__qualname__} can't be pickled: its module {self.__module__} has no name"
        recipe = self._recipe()
        if recipe is None:
            raise pickle.PicklingError(f"{reason} for it")
        try:
            pickle.dumps(recipe)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise pickle.PicklingError(f"{reason} for it, and {error}") from None
        return recipe

    def _name(self) -> str | None:
        """The name of this object in its module, or None."""
        module = sys.modules.get(self.__module__)
        found: Any = module
        for part in self.__qualname__.split("."):
            found = getattr(found, part, None)
        if found is self:
            return self.__qualname__
        names = vars(module).items() if module else ()
        return next((name for name, value in names if value is self), None)

    def _recipe(self) -> tuple[Callable[..., Any], tuple] | None:
        """A function and its arguments that make an equal object; None if that is impossible."""
        return None


def description(traced: Any) -> str | None:
    """A text that tells what is evaluated from its plain function; None if there is none."""
    if isinstance(traced, types.FunctionType):
        return ""
    if hasattr(traced, "_target") or not getattr(traced, "is_storable", True):
        # What it is bound to may be any object.
        return None
    if hasattr(type(traced), "_is_described"):
        return traced._described if traced._is_described else None
    if hasattr(traced, "_function") and not hasattr(traced, "_rule"):
        inner = description(traced._function)
        return None if inner is None else f"{type(traced).__name__} of {inner}"
    name = traced._name() if isinstance(traced, ByReference) else None
    return name and f"{type(traced).__name__} {traced.__module__}:{name}"
