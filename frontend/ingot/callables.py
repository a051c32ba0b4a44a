"""Callables that add arguments to a function: bound methods, partials, instances."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import inspect
import keyword
import linecache
import types
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from ingot.function import Function
from ingot.jit import is_users
from ingot.made_once import made_once
from ingot.pipeline import Options
from ingot.references import shown
from ingot.syntax.places import Place, Read
from ingot.syntax.values import Symbolic
from ingot_runtime.errors import UnsupportedError

if TYPE_CHECKING:
    from ingot.lowering import Lowered


class Bound(Function):
    """A compiled bound method, partial or callable instance; made by `jit`.

    Each call looks up the bound values again and passes them as arguments, so it sees changes.
    """

    def __init__(self, target: Any, *, static: str | tuple[str, ...], options: Options) -> None:
        function, _, _ = resolved(target, (), {})
        super().__init__(function, static=static, options=options)
        # inspect.signature follows it.
        self.__wrapped__ = target
        self._target = target
        self._other: Function | None = None

    def _inner(self) -> str:
        return shown(self._target)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Bound:
        make, (target,) = self._recipe()
        return make(copy.deepcopy(target, memo))

    def _recipe(self) -> tuple[Callable[..., Any], tuple]:
        make = functools.partial(Bound, static=tuple(self._static), options=self._options)
        return make, (self._target,)

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return ev.call(self._target, args, kwargs, node)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function, args, kwargs = resolved(self._target, args, kwargs)
        if function is self._traced:
            return super().__call__(*args, **kwargs)
        return self._in_place(function)(*args, **kwargs)

    def lower_tree(
        self, args: tuple, kwargs: dict[str, Any], *, alone: bool = False
    ) -> tuple[Lowered, frozenset[int]]:
        function, args, kwargs = resolved(self._target, args, kwargs)
        if function is self._traced:
            lowered, static = super().lower_tree(args, kwargs, alone=alone)
        else:
            lowered, static = self._in_place(function).lower_tree(args, kwargs, alone=alone)
        if lowered.call is not None:
            resolve = functools.partial(self._resolved_to, function)
            lowered.call = dataclasses.replace(lowered.call, resolve=resolve)
        return lowered, static

    def _resolved_to(self, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """All arguments of a call; it must resolve to `function`, for which it was lowered."""
        found, args, kwargs = resolved(self._target, args, kwargs)
        if found is not function:
            raise TypeError(f"{self!r} calls another function than it did when it was lowered")
        return args, kwargs

    def _in_place(self, function: Any) -> Function:
        """The compiled form of another function, for example of a new `__call__` of the class."""
        if self._other is None or self._other._traced is not function:
            self._other = Function(function, static=tuple(self._static), options=self._options)
        return self._other


def resolved(target: Any, args: tuple, kwargs: dict[str, Any]) -> tuple[Any, tuple, dict[str, Any]]:
    """The function that a call executes now, and all of its arguments.

    Raises:
        UnsupportedError: the function has no source.
    """
    while not isinstance(target, types.FunctionType):
        known = calling(target)
        if known is not None:
            return known, args, kwargs
        if isinstance(target, Bound):
            target = target._target
        elif hasattr(type(target), "__ingot_emit__"):
            return target, args, kwargs
        elif isinstance(target, Function):
            target = target._traced
        elif isinstance(target, functools.partial):
            args, kwargs = (*target.args, *args), {**target.keywords, **kwargs}
            target = target.func
        elif isinstance(target, types.MethodType):
            args, target = (target.__self__, *args), target.__func__
        elif isinstance(target, staticmethod):
            target = target.__func__
        else:
            args, target = _called(target, args)
    return target, args, kwargs


def calling(function: Any) -> types.FunctionType | None:
    """A Python function that calls a library function, which is compiled without its source.

    None if `function` is not a function of NumPy, SciPy or Python, or a method of arrays, that
    compiled code supports, nor one with a cache.
    """
    is_other = isinstance(function, Symbolic) or not isinstance(function, Hashable)
    is_other |= is_users(function) and not isinstance(function, functools._lru_cache_wrapper)
    return None if is_other else _calling(function)


def _calling(function: Any) -> types.FunctionType | None:
    from ingot.numpy import table

    if not (isinstance(function, functools._lru_cache_wrapper) or table.is_function(function)):
        return None
    # Compiled programs belong to the function object.
    return made_once(function, ("call",), lambda: _caller_of_library(function))


def _caller_of_library(function: Any) -> types.FunctionType:
    call = caller_of(function, function.__name__)
    call.__doc__ = function.__doc__
    with contextlib.suppress(ValueError):  # builtins may have none
        call.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return call


def caller_of(function: Any, name: str) -> types.FunctionType:
    """A Python function that calls an object, which has no source that errors could point to."""
    # They should point at this call, and not at a line of this file, so it has its own source.
    name = name if name.isidentifier() and not keyword.iskeyword(name) else "g"
    text = f"def call(*args, **kwargs):\n    return {name}(*args, **kwargs)\n"
    namespace = {name: function}
    filename = f"<{name}>"
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    exec(compile(text, filename, "exec"), namespace)
    call: Any = namespace["call"]
    call.__name__ = call.__qualname__ = name
    return call  # type: ignore[no-any-return]


def _described(value: Any) -> str:
    name = getattr(value, "__name__", None)
    if isinstance(value, (int, float, str, type(None))):
        return repr(value)
    return f"{name!r}" if name else f"an instance of {type(value).__name__}"


def _called(instance: Any, args: tuple) -> tuple[tuple, Any]:
    """The arguments and the function of a call of an instance, from the `__call__` of its class."""
    found = Place(Read.LOOKUP, type(instance), "__call__").find()
    if isinstance(found, staticmethod):
        return args, found.__func__
    if isinstance(found, (types.FunctionType, Function)):
        return (instance, *args), found
    raise UnsupportedError(
        f"{_described(instance)} is not a Python function with source",
        hint="wrap it in a def",
        page="no-source",
    )
