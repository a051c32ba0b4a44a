"""Callees: the protocol of everything that compiled code can call, and its lookup."""

from __future__ import annotations

import collections
import copy
import enum
import functools
import math
import re
import types
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from ingot._core import Diagnostic, apply
from ingot.dimensions import Dimension, Undecided, spelled
from ingot.jit import jit
from ingot.numpy import operators, order, scipy_table
from ingot.numpy.iteration import takes_references
from ingot.numpy.table import FUNCTIONS, TYPES, method_of
from ingot.numpy.ufuncs import ELEMENTWISE, SIMPLE
from ingot.references import evaluated
from ingot.syntax import examples, parts
from ingot.syntax.cells import cell_numbers
from ingot.syntax.contents import leaves_of
from ingot.syntax.functions import Method, is_unchanging
from ingot.syntax.naming import signature_message, spelled_name
from ingot.syntax.objects import NAMED_TUPLE_METHODS
from ingot.syntax.parts import PARTS
from ingot.syntax.state import AS_THEY_ARE
from ingot.syntax.values import (
    Dict,
    Instance,
    Leak,
    List,
    Scalar,
    Set,
    Symbolic,
    class_name,
    describe,
    parameter_of,
)
from ingot_runtime.errors import CompileError, DTypeError, ShapeError
from ingot_runtime.trees import (
    LIBRARIES,
    is_class_unlike_its_base,
    is_instance_class,
    obstacle,
)


class Callee(Protocol):
    """An object that compiled code can call."""

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        """Emit the operations of a call, and return its result.

        Args:
            ev: the evaluator.
            args, kwargs: the arguments, as values of the evaluator.
            node: the AST node of the call, or None.
        """


def callee_of(function: Any) -> Callee:
    """The callee for an object: itself, or an entry of the tables of functions or types."""
    known = CALLEES.get(function) if type(function) in _KINDS_OF_CALLEES else None
    if known is not None:
        return known
    function = evaluated(function)
    make = KINDS.get(type(function))
    # Ask the class: `functools.wraps` copies the attributes of the function that it wraps.
    if make is None and hasattr(type(function), "__ingot_emit__"):
        return function  # type: ignore[no-any-return]
    if isinstance(function, Symbolic):
        return _Static(function)
    try:
        known = CALLEES.get(function)
    except TypeError:  # unhashable
        known = None
    if known is not None:
        return known
    handler = scipy_table.handler_of(function) or operators.handler_of(function)
    if handler is not None:
        return Handled(function, handler)
    if make is None:
        make = next(KINDS[base] for base in type(function).__mro__ if base in KINDS)
    return make(function)


#: Functions that take items one by one from any sequence.
ITERATORS = frozenset(
    [enumerate, zip, reversed, map, filter, sum, max, min, any, all, sorted, list, math.prod]
)


#: Handled functions that see whether a value is None.
_TAKE_NONE = frozenset(
    [
        print, str, repr, format, bool, isinstance, type, list, tuple, dict, callable, id,
        copy.copy, copy.deepcopy,
    ]
)  # fmt: skip


def needs_values(callee: Any) -> bool:
    """Whether no argument of a callee may be None at run time."""
    if isinstance(callee, Method):
        return callee.function is None and not isinstance(callee.owner, (List, Dict, Set))
    return isinstance(callee, Handled) and callee.function not in _TAKE_NONE


#: Functions of which a list is one of indices, or only compared with.
_OF_INDICES = frozenset([np.take, np.put, np.isin, "ndarray.take", "ndarray.put"])
#: Those whose second argument is a dtype.
_OF_LISTS = frozenset([np.array, np.asarray, np.asanyarray])


class Handled:
    """A function that Ingot has a handler for.

    Attributes:
        function: a function of NumPy, SciPy or Python, or "ndarray." and the name of a method.
        handler: called with the evaluator and the arguments.
        takes_references: whether the handler takes references to containers, not plain values.
        says_order: whether the handler sets the memory order of its result itself.
    """

    __slots__ = ("function", "handler", "says_order", "takes_references")

    def __init__(self, function: Any, handler: Callable[..., Any]) -> None:
        self.function, self.handler = function, handler
        self.takes_references = getattr(handler, "takes_references", False)
        self.says_order = function in order.SET_BY_HANDLER

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        if not AS_THEY_ARE.issuperset(map(type, args)):
            if not self.takes_references:
                gives = "dtype" not in kwargs and not self._takes_dtype(args)
                given = tuple(ev.plain(each, gives_dtype=gives) for each in args)
                args = parts.with_joined(ev, self.function, given)
            if not PARTS.isdisjoint(map(type, args)) and not self._takes_parts():
                return parts.call(ev, self.function, args, kwargs)
        if kwargs and not self.takes_references:
            kwargs = {name: ev.plain(value) for name, value in kwargs.items()}
        frame = ev.frame
        try:
            return self._own(ev, args, kwargs)
        except (ShapeError, DTypeError) as error:
            if frame.internal:
                raise
            raise examples.explain(error, self.function, args, kwargs) from None

    def _takes_dtype(self, args: tuple) -> bool:
        """Whether an array that the function makes of a list has a dtype of its own."""
        return self.function in _OF_INDICES or (self.function in _OF_LISTS and len(args) > 1)

    def _own(self, ev: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """The result, as a value of the evaluator; errors have the position of the call."""
        try:
            return ev.own(self._made(ev, args, kwargs))
        except Undecided as undecided:
            if not any(isinstance(each, Dimension) for each in args):
                raise
            try:
                return ev.own(self.handler(ev, *map(ev.at_run_time, args), **kwargs))
            except Exception:
                raise undecided from None
        except Diagnostic as error:
            ev.fail(spelled(error.args[0]), kind=ShapeError)
        except (ValueError, IndexError) as error:
            if isinstance(error, CompileError):
                raise
            ev.fail(str(error), kind=ShapeError)
        except TypeError as error:
            if isinstance(error, CompileError):
                raise
            message = signature_message(str(error), spelled_name(self.function))
            ev.fail(message, "see docs/numpy.md", DTypeError)
        except Leak as leak:
            if _is_whole(leak.value):
                ev.need(leak.value.parameter)
            message = f"{spelled_name(self.function)} can't take {describe(leak.value)} here"
            ev.fail(message, "see docs/numpy.md")

    def _made(self, ev: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """The handler's result, in the memory order in which NumPy's function returns it."""
        if self.says_order and not order.is_swapped(args, kwargs):
            return self.handler(ev, *args, **kwargs)
        first = next(cell_numbers)
        made = self.handler(ev, *args, **kwargs)
        if order.may_reorder(args, kwargs) or order.is_rearranged(made, first):
            order.match_numpy(ev, self.function, args, kwargs, made, first)
        return made

    def _takes_parts(self) -> bool:
        """Whether the handler takes arrays of dynamic length: it passes them to other functions,
        or takes items one by one."""
        function = self.function
        if parts.is_known(function):
            return False
        is_method = isinstance(function, (str, types.MethodType))
        return is_method or function in ITERATORS or is_users(function)


class _Elementwise(Handled):
    """A ufunc, with a fast path for the most common calls: those with numbers and arrays only."""

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        if kwargs or not SIMPLE.issuperset(map(type, args)):
            return super().__ingot_emit__(ev, args, kwargs, node)
        frame = ev.frame
        try:
            return apply(ev, self.function, args)
        except DTypeError as error:
            if frame.internal:
                raise
            raise examples.explain(error, self.function, args, kwargs) from None


def is_users(function: Any) -> bool:
    """Whether it is a Python function of the user's, which is inlined into its caller."""
    home = _module_of(function).partition(".")[0]
    return isinstance(function, types.FunctionType) and home not in ("numpy", "scipy", "re")


class _OfKind:
    """A callee whose class is found by the type of the Python object."""

    __slots__ = ("function",)

    def __init__(self, function: Any) -> None:
        self.function = function


class _Static(_OfKind):
    """A function without a handler and without source: called at compile time if its arguments are
    static."""

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        function = self.function
        lifted = ev.lift(function)
        if lifted is not function:
            # An instance that was not read by a name, but that a transformation is of.
            return ev.call(lifted, args, kwargs, node)
        if not callable(function) or isinstance(function, Symbolic):
            ev.fail_as(TypeError, f"'{class_name(function)}' object is not callable")
        if not PARTS.isdisjoint(map(type, args)):
            return parts.call(ev, function, args, kwargs)
        given = [*leaves_of([*args, *kwargs.values()])]
        dynamic = [each for each in given if isinstance(each, Symbolic)]
        if self._is_pure() and all(map(_is_whole, dynamic)):
            # `math.factorial(n)` of an argument, but not what would be compiled for each float.
            ev.need(parameter_of(dynamic))
        if self._is_pure() and not dynamic and not self._calls_back(given):
            named = {name: ev.plain(value) for name, value in kwargs.items()}
            return ev.compute(functools.partial(function, **named) if named else function, *args)
        made = ev.call_string_method(function, args, kwargs)
        if made is not None:
            return made
        self.refuse(ev)

    def _calls_back(self, given: list[Any]) -> bool:
        """Whether it calls functions of the user's, as `re.sub` does."""
        is_of_re = _module_of(self.function) == "re" or isinstance(
            getattr(self.function, "__self__", None), re.Pattern
        )
        return is_of_re and any(isinstance(each, types.FunctionType) for each in given)

    def _is_pure(self) -> bool:
        """Whether it only computes a value, without side effects."""
        function = self.function
        if function is re.compile:
            return True
        if isinstance(function, np.ufunc):
            return True
        owner = getattr(function, "__self__", None)
        is_plain = _module_of(function) in ("math", "builtins", "operator", "re") or (
            isinstance(owner, _STATIC_OWNERS) and not isinstance(owner, types.ModuleType)
        )
        is_exception = isinstance(function, type) and issubclass(function, BaseException)
        return is_plain and getattr(function, "__name__", "") not in _IMPURE and not is_exception

    def refuse(self, ev: Any) -> None:
        function, module = self.function, _module_of(self.function)
        name = spelled_name(function)
        if module == "math":
            message = f"{name} of a run-time number is not supported"
            if hasattr(np, function.__name__):
                ev.fail(message, f"use np.{function.__name__}")
            hint = "take it from an array of its values"
            ev.fail_static(message, hint, page="known-at-compile-time")
        if isinstance(function, type) and module.partition(".")[0] not in (*LIBRARIES, "builtins"):
            hint = "use a class of plain attributes and methods, or make it outside"
            reason = obstacle(function)
            message = f"instances of {name} are not supported"
            message += f": {reason}" if reason and function not in _INSTEAD_OF else ""
            ev.fail(message, _INSTEAD_OF.get(function, hint))
        if isinstance(function, functools._lru_cache_wrapper):
            own = function.__name__
            ev.fail(
                f"{own} keeps its results in a cache, which compiled code does not have, and it "
                "takes or gives what can change, or prints",
                f"call {own}.__wrapped__, the function itself, or call it outside",
            )
        if _is_random(function):
            ev.fail(
                f"{name} draws from a state that compiled code does not have",
                "use a key: key = ingot.random.key(seed), then ingot.random.normal(key, shape)",
                page="random",
            )
        refuse = ev.fail_static if self._is_pure() else ev.fail
        refuse(
            f"{name} is not supported",
            "see docs/numpy.md for what is, or write it with those functions",
            page="unknown-function",
        )


#: What to write instead of Python's containers that compiled code does not have.
_INSTEAD_OF: dict[type, str] = {
    collections.deque: "use a list, with .append(x), .pop() and .pop(0)",
    collections.Counter: "use a dict: counts[key] = counts.get(key, 0) + 1",
}
#: The types whose methods may be called at compile time.
_STATIC_OWNERS = (
    bool, int, float, complex, str, bytes, slice, tuple, range, np.generic, np.dtype, re.Pattern,
    re.Match,
)  # fmt: skip
#: Python's functions with side effects, or whose value depends on the process.
_IMPURE = frozenset(
    ["open", "input", "exec", "eval", "compile", "__import__", "id", "globals", "locals", "vars"]
)


def _is_whole(value: Any) -> bool:
    return isinstance(value, Scalar) and value.held.kind in "iub"


def _module_of(function: Any) -> str:
    return getattr(function, "__module__", None) or ""


def _is_random(function: Any) -> bool:
    """Whether it is a function of `numpy.random` or `random`, which have a global state."""
    homes = (_module_of(function), _module_of(type(getattr(function, "__self__", None))))
    return any(each.startswith("numpy.random") or each == "random" for each in homes)


class _OfObject(_Static):
    """A method inherited from `object`, such as `super().__init__()` calls."""

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        is_instance = bool(args) and isinstance(args[0], Instance)
        if is_instance and self.function is object.__init__:
            return None
        if is_instance and self.function is object.__setattr__ and len(args) == 3:
            ev.set_plainly(args[0], ev.static(args[1], "the name of an attribute"), args[2])
            return None
        if is_instance and self.function is object.__delattr__ and len(args) == 2:
            ev.delete_plainly(args[0], ev.static(args[1], "the name of an attribute"))
            return None
        return super().__ingot_emit__(ev, args, kwargs, node)


class _Function(_Static):
    """A Python function, whose source is inlined into its caller."""

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        if not is_users(self.function):
            return super().__ingot_emit__(ev, args, kwargs, node)
        return ev.inline(self.function, args, kwargs, node)


class _BoundMethod(_OfKind):
    """A bound method of an object from outside of the compiled code."""

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        function = self.function
        if _is_random(function):
            _Static(function).refuse(ev)
        owner = function.__self__
        if function.__name__ in NAMED_TUPLE_METHODS and hasattr(owner, "_fields"):
            if function.__name__ == "_make":
                args = tuple(tuple(ev.static_items(each)) for each in args)
            try:
                return ev.own(function(*args, **kwargs))
            except (TypeError, ValueError) as error:
                ev.raise_now(type(error), str(error))
        return ev.call(function.__func__, (ev.lift(function.__self__), *args), kwargs, node)


class _Builtin(_Static):
    """A function written in C: a method of arrays, an unbound one of containers, or another one."""

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        name = method_of(self.function)
        if name is None:
            owner = getattr(self.function, "__objclass__", None)
            if args and owner is _class_of(args[0]):
                return ev.call(
                    ev.attribute(args[0], self.function.__name__), args[1:], kwargs, node
                )
            return super().__ingot_emit__(ev, args, kwargs, node)
        is_any = hasattr(self.function, "__objclass__")
        args = args if is_any else (self.function.__self__, *args)
        array = ev.as_array(ev.lift(args[0]))
        return ev.call(ev.attribute(array, name), args[1:], kwargs, node)


def _class_of(value: Any) -> type:
    """The class that a value has in Python, if it is a container or known at compile time."""
    return value.cell.kind if isinstance(value, (List, Dict, Set)) else type(value)


class _Partial(_OfKind):
    """A `functools.partial` from outside of the compiled code."""

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        function = self.function
        given = ev.reads.attribute(function, "args")
        named = ev.lift(ev.reads.attribute(function, "keywords"))
        inner = ev.reads.attribute(function, "func")
        return ev.call(inner, (*map(ev.lift, given), *args), {**ev.entries(named), **kwargs}, node)


class _Class(_Static):
    """A class of the user's."""

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        if hasattr(self.function, "_fields") and issubclass(self.function, tuple):
            return self._named_tuple(ev, args, kwargs)
        if issubclass(self.function, tuple):
            ev.fail(
                f"{self.function.__name__}, a subclass of tuple, is not supported", "use a tuple"
            )
        if issubclass(self.function, enum.Enum) and len(args) == 1 and not kwargs:
            # One of the members, which are there already.
            return ev.compute(self.function, ev.static(args[0], "the value of a member"))
        if is_instance_class(self.function):
            return ev.construct(self.function, args, kwargs, node)
        return super().__ingot_emit__(ev, args, kwargs, node)

    def _named_tuple(self, ev: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        kind = self.function
        if is_class_unlike_its_base(kind):
            ev.fail(
                f"{kind.__name__}, a named tuple with operators or attributes of its own, is not "
                "supported",
                "make it a dataclass",
                page="container-subclass",
            )
        ev.reads.of_type(kind, "__init__")
        made = ev.reads.of_type(kind, "__new__")
        is_static = isinstance(made, staticmethod)
        ev.reads.defaults(ev.reads.attribute(made, "__func__") if is_static else made)
        try:
            return ev.lift(kind(*args, **kwargs), kind.__name__)
        except TypeError as error:
            ev.fail_as(TypeError, str(error))


class _Cached(_Static):
    """A function with `functools.cache`.

    For arguments that are known at compile time it is called, and gives what is in its cache: an
    object from outside. A guard calls it again, since the cache may be cleared. For others it is
    evaluated, which can't be told from what is in the cache if the result never changes.
    """

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        given = (*args, *kwargs.values())
        for each in given:
            ev.check_hashable(each)
        if not any(isinstance(each, (Symbolic, Dimension)) for each in leaves_of(given)):
            made = ev.compute(
                lambda *given: ev.reads.kept(self.function, given, kwargs), *args, raw=True
            )
            ev.reads.everything(made)
            return ev.lift(made, self.function.__name__)
        printed, ev.prints = ev.prints, False
        try:
            made = ev.call(ev.reads.attribute(self.function, "__wrapped__"), args, kwargs, node)
        finally:
            prints, ev.prints = ev.prints, ev.prints or printed
        if prints or not (is_unchanging(given) and is_unchanging(made)):
            self.refuse(ev)
        return made


#: Callees by the type of the object, for objects that no other table has.
KINDS: dict[type, Callable[[Any], Callee]] = {
    types.FunctionType: _Function, types.MethodType: _BoundMethod,
    types.WrapperDescriptorType: _OfObject,
    types.BuiltinMethodType: _Builtin, types.MethodDescriptorType: _Builtin, np.ufunc: _Static,
    functools.partial: _Partial, functools._lru_cache_wrapper: _Cached, type: _Class,
    object: _Static,
}  # fmt: skip
#: The functions and types that have handlers. The keys are the objects, so that aliases work.
CALLEES: dict[Any, Handled] = {
    function: (_Elementwise if function in ELEMENTWISE else Handled)(function, handler)
    for function, handler in {**TYPES, **FUNCTIONS}.items()
}
#: The types of these objects. No object of such a type wraps a function.
_KINDS_OF_CALLEES = frozenset(map(type, CALLEES))


def _compiled(ev: Any, f: Any, **options: Any) -> Any:
    """`ingot.jit(f)` in compiled code, where all is compiled."""
    if options:
        ev.fail("ingot.jit with options is not supported in compiled code", "call it outside")
    return f


CALLEES[jit] = Handled(jit, takes_references(_compiled))
