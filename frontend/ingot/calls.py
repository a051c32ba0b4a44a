"""`Call`: a function and the signature of the arguments that it is lowered for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingot.arguments import values_of
from ingot.reports import typed
from ingot_runtime.trees import parameters_of

if TYPE_CHECKING:
    from ingot.function import Function

#: The arguments of a call by position and by keyword.
Given = tuple[tuple, dict[str, Any]]


def _as_given(args: tuple, kwargs: dict[str, Any]) -> Given:
    return args, kwargs


@dataclass(frozen=True)
class Call:
    """The calls that a program is compiled for.

    Attributes:
        function: the compiled function.
        abstract: the abstract signature: the structure of the arguments, and `abstract_of` of each
            leaf.
        static: the leaf indices whose values are part of the key.
        values: the values of these leaves.
        resolve: maps the arguments that the user passes to the function's arguments.
    """

    function: Function
    abstract: Any
    static: frozenset[int]
    values: tuple
    resolve: Callable[[tuple, dict[str, Any]], Given] = _as_given

    def taken(self, args: tuple, kwargs: dict[str, Any]) -> tuple[list[Any], Given]:
        """The argument leaves of a call, and the arguments after `resolve`.

        Raises:
            TypeError: the arguments have another signature.
        """
        args, kwargs = self.resolve(args, kwargs)
        abstract, leaves, _ = self.function.signature_of(args, kwargs)
        values = values_of(leaves, self.static) if abstract == self.abstract else ()
        if abstract != self.abstract or values != self.values:
            called = _described(self.function, abstract, values)
            how = "with other containers or keywords" if called == str(self) else f"as {called}"
            raise TypeError(f"it is lowered for {self}, but called {how}")
        return leaves, (args, kwargs)

    def __str__(self) -> str:
        """For example "f(x: float64[3, 4], k = 2)"."""
        return _described(self.function, self.abstract, self.values)


def _described(function: Function, abstract: Any, values: tuple) -> str:
    """A call as text, with the values that are part of the key."""
    structure, leaves = abstract
    names = parameters_of(function.__ingot_function__, structure)
    return f"{function.called()}({', '.join(typed(names, leaves, values))})"
