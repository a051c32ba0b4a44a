"""`Transformed`: the compiled functions that `grad(f)`, `vmap(f)` and the like return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from ingot.function import Function
from ingot.jit import jit
from ingot.numpy.iteration import takes_references
from ingot.references import shown
from ingot.syntax.callees import CALLEES, Callee, Handled

F = TypeVar("F", bound=Callable[..., Any])


class Transformation(Callee, Protocol):
    """A function and how it is transformed; emits the IR of a call of the transformed function."""

    @property
    def function(self) -> Any: ...

    @property
    def takes_arguments(self) -> bool:
        """Whether the transformed function takes the arguments of the original one."""

    @property
    def described(self) -> str:
        """A text that differs between transformations of the same function; for cache keys."""

    @property
    def parts(self) -> tuple:
        """The arguments from which an equal transformation can be made."""

    @property
    def name(self) -> str:
        """The public function that makes it, such as "grad"."""

    @property
    def options(self) -> tuple[str, ...]:
        """The arguments of that function besides `f` that are not the default, as source text."""


class Transformed(Function):
    """The compiled function of a transformation.

    Args:
        make: returns an equal Transformed for the transformation's parts; used by pickle.
    """

    # A slot, since functools.wraps copies the instance dict.
    __slots__ = ("__ingot_transformation__",)

    def __init__(self, transformation: Transformation, make: Callable[..., Function]) -> None:
        f = transformation.function
        inner: Function = f if isinstance(f, Function) else jit(f)
        static = tuple(inner._static) if transformation.takes_arguments else ()
        options = inner._options
        if options.placement is not None:
            # Its specs are those of the arguments and results of `f`.
            options = replace(options, placement=options.placement.without_specs())
        super().__init__(inner.__ingot_function__, static=static, options=options)
        self._make_again = make
        self.__ingot_transformation__ = transformation
        self._traced = self
        self._described = f"{transformation.described} of {inner._described}"
        self._is_described = inner._is_described

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
    """Register a handler for calls of a function from compiled code.

    The handler receives the evaluator and the arguments; trees are not copied.
    """

    def mark(function: F) -> F:
        CALLEES[function] = Handled(function, takes_references(handler))
        return function

    return mark
