"""Functions as values of the program: methods, local functions, partials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ingot.syntax.values import Symbolic


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Method(Symbolic):
    """A bound method; `function` is its Python function if the user wrote it, else None."""

    described: ClassVar[str] = "a method"
    class_name: ClassVar[str] = "method"
    owner: Any
    name: str
    function: Any = None

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return ev.call_method(self, args, kwargs, node)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LocalFunction(Symbolic):
    """A `def` or `lambda` inside of the compiled code."""

    described: ClassVar[str] = "a function"
    class_name: ClassVar[str] = "function"
    node: Any
    frame: Any
    defaults: tuple[Any, ...]
    keyword_defaults: dict[str, Any]

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return ev.inline_local(self, args, kwargs, node)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Partial(Symbolic):
    """A `functools.partial` made inside of the compiled code."""

    described: ClassVar[str] = "a partial"
    class_name: ClassVar[str] = "partial"
    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return ev.call(self.function, (*self.args, *args), {**self.kwargs, **kwargs}, node)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Super(Symbolic):
    """`super()`: looks attributes up in the MRO of `owner`, behind the class `after`."""

    described: ClassVar[str] = "a super object"
    class_name: ClassVar[str] = "super"
    after: type
    owner: Any
