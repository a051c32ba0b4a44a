"""Functions as values of the program: methods, local functions, partials."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ingot.dtypes import STATIC_NUMBERS
from ingot.syntax.values import Scalar, Symbolic


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
    """A `def` or `lambda` inside of the compiled code.

    Attributes:
        name: its `__name__`.
    """

    described: ClassVar[str] = "a function"
    class_name: ClassVar[str] = "function"
    node: Any
    frame: Any
    defaults: tuple[Any, ...]
    keyword_defaults: dict[str, Any]
    name: str

    @property
    def qualified_name(self) -> str:
        """Its `__qualname__`."""
        names, frame = [self.name], self.frame
        while frame.function is None or frame.is_comprehension:
            if not frame.is_comprehension:
                names.append(getattr(frame.node, "name", "<lambda>"))
            frame = frame.parent
        return ".<locals>.".join([frame.function.__qualname__, *reversed(names)])

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
class Memoised(Symbolic):
    """A function with `functools.cache`, made inside of the compiled code.

    It is evaluated for each call, which can't be told from what is in the cache if it only computes
    what never changes. Known results of known arguments are kept, so that recursion ends soon.

    Attributes:
        kept: these results, by the arguments and their types.
    """

    described: ClassVar[str] = "a function with a cache"
    class_name: ClassVar[str] = "_lru_cache_wrapper"
    function: LocalFunction
    kept: dict[Any, Any]

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        given = (*args, *kwargs.items())
        for each in (*args, *kwargs.values()):
            ev.check_hashable(each)
        key = given, tuple(map(type, given))
        is_known = all(isinstance(each, _KNOWN) for each in (*args, *kwargs.values()))
        if is_known and key in self.kept:
            return self.kept[key]
        printed, ev.prints = ev.prints, False
        made = ev.call(self.function, args, kwargs, node)
        prints, ev.prints = ev.prints, ev.prints or printed
        if prints or not (is_unchanging(args) and is_unchanging(made)):
            ev.fail(
                f"{self.function.name} takes or gives what can change, or prints, and has a cache, "
                "which compiled code does not have",
                "leave the cache out",
            )
        if is_known and isinstance(made, _KNOWN):
            self.kept[key] = made
        return made


#: The types of values that never change, besides tuples of them: of those that are known at
#: compile time, and all.
_KNOWN = (*STATIC_NUMBERS, str, bytes, type(None))
_UNCHANGING = (Scalar, *_KNOWN, type, types.FunctionType, np.dtype)


def is_unchanging(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(is_unchanging, value))
    return isinstance(value, _UNCHANGING)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Super(Symbolic):
    """`super()`: looks attributes up in the MRO of `owner`, behind the class `after`."""

    described: ClassVar[str] = "a super object"
    class_name: ClassVar[str] = "super"
    after: type
    owner: Any
