"""What `grad(f)`, `vmap(f)` and their kin are: functions that compile as others do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from ingot.jit import Function, jit
from ingot.numpy.iteration import takes_references
from ingot.references import shown
from ingot.syntax.callees import CALLEES, Callee, Handled

F = TypeVar("F", bound=Callable[..., Any])


class Transformation(Callee, Protocol):
    """Of a function, what calls of its transform emit."""

    @property
    def function(self) -> Any: ...

    @property
    def takes_arguments(self) -> bool:
        """Whether it is called with the function's own arguments."""

    @property
    def described(self) -> str:
        """What tells it from other transformations of the same function."""

    @property
    def parts(self) -> tuple:
        """What it is made of."""

    @property
    def name(self) -> str:
        """That of the function of Ingot's that makes it."""

    @property
    def options(self) -> tuple[str, ...]:
        """What that is called with besides the function, where it is not the default."""


class Transformed(Function):
    """A function whose programs are those of a transformation.

    Args:
        make: what gives the one for the transformation's parts.
    """

    # None that functools.wraps copies.
    __slots__ = ("__ingot_transformation__",)

    def __init__(self, transformation: Transformation, make: Callable[..., Function]) -> None:
        f = transformation.function
        inner: Function = f if isinstance(f, Function) else jit(f)
        static = tuple(inner._static) if transformation.takes_arguments else ()
        super().__init__(inner.__ingot_function__, static=static, options=inner._options)
        self._make_again = make
        self.__ingot_transformation__ = transformation
        self._traced = self
        self._described = f"{transformation.described} of {inner._described}"

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return self.__ingot_transformation__.__ingot_emit__(ev, args, kwargs, node)

    def __repr__(self) -> str:
        made = self.__ingot_transformation__
        return f"ingot.{made.name}({', '.join([shown(made.function), *made.options])})"

    def called(self) -> str:
        return repr(self)

    def _recipe(self) -> tuple[Callable[..., Any], tuple]:
        return self._make_again, self.__ingot_transformation__.parts


def in_compiled_code(handler: Callable[..., Any]) -> Callable[[F], F]:
    """Say what calls from compiled code do; trees of arguments are given as they are."""

    def mark(function: F) -> F:
        CALLEES[function] = Handled(function, takes_references(handler))
        return function

    return mark
