"""How compiled functions are copied and pickled: as Python's functions are, by their names."""

from __future__ import annotations

import functools
import pickle
import sys
from collections.abc import Callable
from typing import Any


def name_of(function: Any) -> str:
    """A function's name as its class or module has it."""
    return str(function.__qualname__).rpartition("<locals>.")[2]


def shown(function: Any) -> str:
    """A function in the repr of what is made of it."""
    if isinstance(function, ByReference):
        return repr(function)
    if isinstance(function, functools.partial):
        return f"partial({shown(function.func)}, ...)"
    if hasattr(function, "__qualname__"):
        return name_of(function)
    return f"{type(function).__name__}(...)"


def unwrapped(function: Any) -> Any:
    """The function of Python's that an object of Ingot's is made of, or what else is given."""
    # By the class: functools.wraps copies what an object has, and bound methods show it.
    is_own = hasattr(type(function), "__ingot_function__")
    return function.__ingot_function__ if is_own else function


class ByReference:
    """An object made of a function, which stands for itself: a copy of it is the same object.

    Pickled, it is the name under which its module has it, as a function is. One that has none is
    made again of its parts, once in each process, if these can be pickled.
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
        """The name that leads to this object in its module."""
        module = sys.modules.get(self.__module__)
        found: Any = module
        for part in self.__qualname__.split("."):
            found = getattr(found, part, None)
        if found is self:
            return self.__qualname__
        names = vars(module).items() if module else ()
        return next((name for name, value in names if value is self), None)

    def _recipe(self) -> tuple[Callable[..., Any], tuple] | None:
        """What makes it again, and of what; None if that would not be the same."""
        return None
