"""Functions as values of the program: methods, local functions, partials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ingot.syntax.values import Symbolic


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Method(Symbolic):
    """`owner.name` before it is called; `function` is the user's, if it is one."""

    described: ClassVar[str] = "a method"
    class_name: ClassVar[str] = "method"
    owner: Any
    name: str
    function: Any = None

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return ev.call_method(self, args, kwargs, node)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LocalFunction(Symbolic):
    """A `def` or `lambda` met inside the compiled code."""

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
    """`functools.partial` of values of the compiled code."""

    described: ClassVar[str] = "a partial"
    class_name: ClassVar[str] = "partial"
    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return ev.call(self.function, (*self.args, *args), {**self.kwargs, **kwargs}, node)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Super(Symbolic):
    """`super()`: the attributes of an instance's classes after one of them."""

    described: ClassVar[str] = "a super object"
    class_name: ClassVar[str] = "super"
    after: type
    owner: Any
