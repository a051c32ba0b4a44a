"""Names and calls: from Python objects to their meaning in compiled code."""

from __future__ import annotations

import ast
import functools
import math
import types
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ingot._core import Diagnostic
from ingot.dimensions import Dimension, Undecided, depends, spelled
from ingot.numpy import operators, order, scipy_table
from ingot.numpy.table import FUNCTIONS, METHODS, TYPES, method_of
from ingot.syntax import flat, grown, parts
from ingot.syntax.branches import Raised
from ingot.syntax.container_methods import CONTAINER_METHODS, RANGE_METHODS, TUPLE_METHODS
from ingot.syntax.flat import Flat
from ingot.syntax.names import Names
from ingot.syntax.naming import signature_message, spelled_name
from ingot.syntax.objects import NAMED_TUPLE_METHODS, NUMBER_METHODS
from ingot.syntax.parts import PARTS
from ingot.syntax.recursion import TailCall, is_recursive, loop_form
from ingot.syntax.scopes import RETURN, VALUE, Frame, locals_of
from ingot.syntax.source import Source, library_source_of, source_of
from ingot.syntax.state import ATOMS, StaticRequired
from ingot.syntax.values import (
    NUMBERS,
    Array,
    Cell,
    Dict,
    Grown,
    Instance,
    Leak,
    List,
    LocalFunction,
    Method,
    Partial,
    Range,
    Scalar,
    Set,
    Symbolic,
    Text,
    Unbound,
    cell_numbers,
    class_name,
    describe,
    is_runtime,
    kinds_of,
    leaves_of,
)
from ingot_runtime.errors import CompileError, DTypeError, ShapeError, UnsupportedError
from ingot_runtime.trees import LIBRARIES, is_class_unlike_its_base, is_instance_class

#: Deeper recursion than this does not end at compile time.
DEEPEST_CALL = 150
#: What Python raises for values, not for types: compiled code raises it, too.
RAISED = (ArithmeticError, IndexError, KeyError, ValueError, StopIteration)


class Calls(Names):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        #: The user's functions that are part of the program.
        self.functions: set[types.CodeType] = set()
        self._sources: dict[types.FunctionType, Source] = {}

    # Python's own functions on static values.

    def compute(self, function: Callable[..., Any], *args: Any, raw: bool = False) -> Any:
        """What a function of Python's gives for static values.

        What it raises for values is raised when the code comes to it. `raw` leaves the result as
        it is.
        """
        given = [self.plain(each) for each in args]
        self._check_static(given, function)
        try:
            value = function(*given)
        except (CompileError, Leak, Raised, StaticRequired):
            raise
        except RAISED as error:
            self.raise_now(type(error), str(error.args[0]) if error.args else "")
        except Exception as error:
            self.fail(f"{type(error).__name__}: {error}", kind=DTypeError)
        if isinstance(value, str) and depends(args):
            raise Undecided("a string of a size that is left open", hint="use an f-string")
        return value if raw else self.own(value)

    def _check_static(self, given: list[Any], function: Any) -> None:
        for each in leaves_of(given):
            if isinstance(each, Symbolic):
                name = getattr(function, "__name__", "")
                name = "this" if name in ("", "<lambda>", "call") else name
                self.static(each, f"an argument of {name}")

    def plain(self, value: Any) -> Any:
        """A value as NumPy's functions take it: lists of the program as lists of values."""
        kind = type(value)
        if kind is Array or kind is Scalar or kind in ATOMS:
            return value
        if isinstance(value, List):
            contents = self.contents(value)
            rows = grown.stacked(self, contents) if isinstance(contents, Grown) else None
            return rows if rows is not None else [self.plain(each) for each in self.items(value)]
        if isinstance(value, Set):
            return set(value.cell.value)
        if isinstance(value, Dict) and not any(map(is_runtime, leaves_of(value))):
            return {key: self.plain(each) for key, each in self.entries(value).items()}
        if kind is Flat:
            return flat.as_array(self, value)
        if kind is tuple:
            return tuple(map(self.plain, value))
        if kind is list:
            return [self.plain(each) for each in value]
        return value if kind in (dict, set) else self.lift(value)

    # Calls.

    def call(
        self, function: Any, args: tuple, kwargs: dict[str, Any], node: ast.AST | None = None
    ) -> Any:
        kind = type(function)
        if kind is np.ufunc and function in FUNCTIONS and PARTS.isdisjoint(map(type, args)):
            return self._call_handler(function, FUNCTIONS[function], args, kwargs)
        if kind is LocalFunction:
            return self._inline_local(function, args, kwargs, node)
        if kind is Method:
            return self._call_method(function, args, kwargs, node)
        if kind is Partial:
            merged = {**function.kwargs, **kwargs}
            return self.call(function.function, (*function.args, *args), merged, node)
        if kind is Instance:
            found = self.special(function, "__call__")
            if found is None:
                self.fail(f"'{class_name(function)}' object is not callable", kind=DTypeError)
            return self.call(found, args, kwargs, node)
        if isinstance(function, functools.partial):
            return self._call_partial(function, args, kwargs, node)
        if not PARTS.isdisjoint(map(type, args)) and (
            parts.is_known(function) or not _is_users(function)
        ):
            return parts.call(self, function, args, kwargs)
        return self._call_object(function, args, kwargs, node)

    def _call_object(self, function: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        """A call of what is an object outside of compiled code, too."""
        if isinstance(function, Symbolic):
            emit = getattr(function, "__ingot_emit__", None)
            if emit is None:
                self.fail(f"{describe(function)} is not callable", kind=DTypeError)
            return emit(self, args, kwargs, node)
        if isinstance(function, types.MethodType):
            handler = scipy_table.handler_of(function)
            if handler is not None:
                return self._call_handler(function, handler, args, kwargs)
            return self._call_bound(function, args, kwargs, node)
        handler = _find(FUNCTIONS, function)
        if handler is None and isinstance(function, type):
            handler = _find(TYPES, function)
        if handler is None:
            handler = scipy_table.handler_of(function) or operators.handler_of(function)
        if handler is not None:
            return self._call_handler(function, handler, args, kwargs)
        emit = getattr(function, "__ingot_emit__", None)
        if emit is not None:
            return emit(self, args, kwargs, node)
        handler = getattr(function, "__ingot_handler__", None)
        if handler is not None:
            return self._call_handler(function, handler, args, kwargs)
        name = method_of(function)
        if name is not None:
            args = args if hasattr(function, "__objclass__") else (function.__self__, *args)
            array = self.as_array(self.lift(args[0]))
            return self.call(self.attribute(array, name), args[1:], kwargs, node)
        function = getattr(function, "__ingot_function__", function)
        if isinstance(function, types.FunctionType) and _is_user_code(function):
            return self.inline(function, args, kwargs, node)
        if isinstance(function, type) and issubclass(function, tuple):
            return self._make_tuple(function, args, kwargs)
        if isinstance(function, type) and is_instance_class(function):
            return self.construct(function, args, kwargs, node)
        return self._call_static(function, args, kwargs)

    def _call_bound(self, function: types.MethodType, args: tuple, kwargs: dict, node: Any) -> Any:
        owner = function.__self__
        if function.__name__ in NAMED_TUPLE_METHODS:
            return self.own(function(*args, **kwargs))
        return self.call(function.__func__, (self.lift(owner), *args), kwargs, node)

    def _call_partial(self, function: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        given = self.reads.attribute(function, "args")
        named = self.lift(self.reads.attribute(function, "keywords"))
        inner = self.reads.attribute(function, "func")
        merged = {**self.entries(named), **kwargs}
        return self.call(inner, (*map(self.lift, given), *args), merged, node)

    def _make_tuple(self, kind: type, args: tuple, kwargs: dict[str, Any]) -> Any:
        """An instance of a named tuple's class."""
        if hasattr(kind, "_fields") and is_class_unlike_its_base(kind):
            self.fail(
                f"{kind.__name__}, a named tuple with operators of its own, is not supported",
                "make it a dataclass",
                page="container-subclass",
            )
        if not hasattr(kind, "_fields"):
            self.fail(f"{kind.__name__}, a subclass of tuple, is not supported", "use a tuple")
        for name in ("__new__", "__init__"):
            self.reads.of_type(kind, name)
        try:
            return kind(*args, **kwargs)
        except TypeError as error:
            self.fail(str(error), kind=DTypeError)

    def _call_handler(self, function: Any, handler: Any, args: tuple, kwargs: dict) -> Any:
        if not getattr(handler, "takes_references", False):
            had_parts = not PARTS.isdisjoint(map(type, args))
            args = tuple(map(self.plain, args))
            kwargs = {name: self.plain(value) for name, value in kwargs.items()}
            if not had_parts and not PARTS.isdisjoint(map(type, args)):
                # A list of a length that run time knows has become an array of that length.
                return parts.call(self, function, args, kwargs)
        try:
            return self.own(self._handled(function, handler, args, kwargs))
        except Undecided as undecided:
            if not any(isinstance(each, Dimension) for each in args):
                raise
            try:
                return self.own(handler(self, *map(self.at_run_time, args), **kwargs))
            except Exception:
                raise undecided from None
        except Diagnostic as error:
            self.fail(spelled(error.args[0]), kind=ShapeError)
        except (ValueError, IndexError) as error:
            if isinstance(error, CompileError):
                raise
            self.fail(str(error), kind=ShapeError)
        except TypeError as error:
            if isinstance(error, CompileError):
                raise
            message = signature_message(str(error), spelled_name(function))
            self.fail(message, "see docs/numpy.md", DTypeError)
        except Leak as leak:
            message = f"{spelled_name(function)} can't take {describe(leak.value)} here"
            self.fail(message, "see docs/numpy.md", DTypeError)

    def _handled(self, function: Any, handler: Any, args: tuple, kwargs: dict) -> Any:
        """What a handler makes, in the order in memory that NumPy's function gives it."""
        if function in order.OWN and not order.is_swapped(args, kwargs):
            return handler(self, *args, **kwargs)
        first = next(cell_numbers)
        made = handler(self, *args, **kwargs)
        if order.is_asked(function, args, kwargs) or order.is_rearranged(made, first):
            order.follow(self, function, args, kwargs, made, first)
        return made

    def _call_method(
        self, method: Method, args: tuple, kwargs: dict[str, Any], node: Any = None
    ) -> Any:
        owner, name = method.owner, method.name
        if method.function is not None:
            return self._call_users_method(method, args, kwargs, node)
        if type(owner) in PARTS:
            return parts.call_method(self, owner, name, args, kwargs)
        if type(owner) is Flat:
            return flat.copied(self, owner)
        if is_runtime(owner):
            handler = METHODS.get(name) or NUMBER_METHODS[name]
            return self._call_handler(f"ndarray.{name}", handler, (owner, *args), kwargs)
        tables = {tuple: TUPLE_METHODS, Range: RANGE_METHODS}
        kind: Any = tuple if isinstance(owner, tuple) else type(owner)
        table = tables.get(kind) or CONTAINER_METHODS[kind]
        try:
            return self.own(table[name](self, owner, *args, **kwargs))
        except TypeError as error:
            if isinstance(error, CompileError):
                raise
            self.fail(signature_message(str(error), f"{class_name(owner)}.{name}"), kind=DTypeError)

    def _call_users_method(
        self, method: Method, args: tuple, kwargs: dict[str, Any], node: Any
    ) -> Any:
        owner, function = method.owner, method.function
        if function is object.__setattr__:
            self.set_entry(owner, *args)
            return None
        if function is object.__init__:
            return None
        builtin = (types.WrapperDescriptorType, types.MethodDescriptorType)
        if isinstance(function, builtin):
            self.fail(f"{method.name} of {describe(owner)} is not supported")
        return self.call(function, (owner, *args), kwargs, node)

    def _call_static(self, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Call what is not NumPy and has no source, if all it is given is static."""
        if not callable(function) or isinstance(function, Symbolic):
            self.fail(f"{describe(function)} is not callable", kind=DTypeError)
        if function is object.__setattr__ and len(args) == 3 and isinstance(args[0], Instance):
            self.set_entry(args[0], args[1], args[2])
            return None
        is_static = not any(
            isinstance(each, Symbolic) for each in leaves_of([*args, *kwargs.values()])
        )
        module = getattr(function, "__module__", None) or ""
        owner = getattr(function, "__self__", None)
        is_plain = module in ("math", "builtins", "operator") or (
            isinstance(owner, _STATIC_OWNERS) and not isinstance(owner, types.ModuleType)
        )
        is_pure = is_plain and getattr(function, "__name__", "") not in _IMPURE
        is_exception = isinstance(function, type) and issubclass(function, BaseException)
        if is_static and (is_pure or isinstance(function, np.ufunc)) and not is_exception:
            given = {name: self.plain(value) for name, value in kwargs.items()}
            return self.compute(functools.partial(function, **given), *args)
        made = self.call_string_method(function, args, kwargs)
        if made is not None:
            return made
        self._refuse_call(function, module)

    def _refuse_call(self, function: Any, module: str) -> NoReturn:
        name = spelled_name(function)
        if module == "math":
            hint = f"use np.{function.__name__}" if hasattr(np, function.__name__) else ""
            self.fail(f"{name} of a run-time number is not supported", hint)
        if isinstance(function, type) and module.partition(".")[0] not in (*LIBRARIES, "builtins"):
            self.fail(
                f"instances of {name} are not supported",
                "use a class of plain attributes and methods, or make it outside",
            )
        if _is_random(function):
            self.fail(
                f"{name} draws from a state that compiled code does not have",
                "use a key: key = ingot.random.key(seed), then ingot.random.normal(key, shape)",
                page="random",
            )
        self.fail(
            f"{name} is not supported",
            "see docs/numpy.md for what is, or write it with those functions",
            page="unknown-function",
        )

    # Inlining.

    def inline(
        self, function: types.FunctionType, args: tuple, kwargs: dict, node: Any, name: str = ""
    ) -> Any:
        """Evaluate a call of a function with source, which errors name as the user does."""
        try:
            is_own = is_internal(function)
            source = library_source_of(function) if is_own else self._source_of(function)
        except UnsupportedError as error:
            self.fail(error.message, error.hint, page=error.page)
        defaults, named = function.__defaults__ or (), function.__kwdefaults__ or {}
        if is_own:
            args = tuple(map(self.own, args))
            kwargs = {name: self.own(value) for name, value in kwargs.items()}
        else:
            defaults, named = self.defaults_of(function)
            self.functions.add(function.__code__)
            self._check_tail_call(function, source.node)
        # Calls of the library from one place differ in the types of their arguments.
        place = (id(node), *map(_kind_of, leaves_of([*args, *kwargs.values()]))) if is_own else node
        frame = self._new_frame(function, source.node, source.filename, None, place)
        bound = self._bind(
            source.node, args, kwargs, defaults, named, name or spelled_name(function)
        )
        return self._run(frame, bound)

    def _source_of(self, function: types.FunctionType) -> Source:
        """The AST of a function, which is parsed once for all its calls."""
        source = self._sources.get(function)
        if source is None:
            source = self._sources[function] = source_of(function)
        return source

    def defaults_of(self, function: types.FunctionType) -> tuple[tuple, dict[str, Any]]:
        """The defaults of a function whose code the program contains."""
        self.reads.attribute(function, "__code__")
        defaults = self.reads.attribute(function, "__defaults__")
        named = self.reads.attribute(function, "__kwdefaults__")
        self.reads.everything(defaults)
        self.reads.everything(named)
        return defaults or (), named or {}

    def _inline_local(self, function: LocalFunction, args: tuple, kwargs: dict, node: Any) -> Any:
        home = function.frame
        self._check_tail_call(None, function.node)
        frame = self._new_frame(None, function.node, home.filename, home, node)
        name = getattr(function.node, "name", "<lambda>")
        bound = self._bind(
            function.node, args, kwargs, function.defaults, function.keyword_defaults, name
        )
        return self._run(frame, bound)

    def _new_frame(self, function: Any, node: Any, filename: str, parent: Any, call: Any) -> Frame:
        if len(self.frames) > DEEPEST_CALL:
            self.fail(
                "the recursion does not end at compile time",
                "write it as a loop, or make its depth depend on static values only",
                page="recursion",
            )
        place = call if isinstance(call, tuple) else id(call)
        path = (*self.frame.path, place, id(node)) if self.frame else ()
        internal = is_internal(function) if function else parent.internal
        local = locals_of(node, function)
        return Frame(function, node, filename, parent, path, internal, locals=local)

    def _bind(
        self, node: Any, args: tuple, kwargs: dict, defaults: tuple, named: dict, name: str
    ) -> dict[str, Any]:
        """The arguments by parameter name, as Python binds them."""
        spec = node.args
        positional = [each.arg for each in (*spec.posonlyargs, *spec.args)]
        bound = dict(zip(positional, args, strict=False))
        extra = args[len(positional) :]
        if extra and not spec.vararg:
            self.fail(
                f"{name}() takes {len(positional)} positional arguments but {len(args)} were given",
                kind=DTypeError,
            )
        if spec.vararg:
            bound[spec.vararg.arg] = tuple(extra)
        rest = dict(kwargs)
        for each in (*positional[len(spec.posonlyargs) :], *(a.arg for a in spec.kwonlyargs)):
            if each in rest and each in bound:
                self.fail(f"{name}() got multiple values for argument '{each}'", kind=DTypeError)
            if each in rest:
                bound[each] = rest.pop(each)
        if spec.kwarg:
            bound[spec.kwarg.arg] = self.new_dict(rest)
        elif rest:
            self.fail(
                f"{name}() got an unexpected keyword argument '{next(iter(rest))}'", kind=DTypeError
            )
        first = len(positional) - len(defaults)
        for each, value in [*zip(positional[first:], defaults, strict=True), *named.items()]:
            if each not in bound:
                bound[each] = self.lift(value, each)
        for each in (*positional, *(a.arg for a in spec.kwonlyargs)):
            if each not in bound:
                self.fail(f"{name}() is missing the argument '{each}'", kind=DTypeError)
        return bound

    def _run(self, frame: Frame, bound: dict[str, Any]) -> Any:
        """Evaluate a frame's body and give what it returns."""
        caller = self.frame
        self._enter(frame, bound)
        frame.depth = len(self.regions)
        at = (self.node, self.filename)
        saved = (
            self._save()
            if caller is not None and is_recursive(frame.function, frame.node)
            else None
        )
        self.frame = frame
        self.frames.append(frame)
        if frame.filename and not frame.internal:
            self.ops.builder.set_file(frame.filename)
        try:
            value = self._body(frame)
        except TailCall as call:
            if call.frame is not frame:
                raise
            self._restart(frame, dict(bound), saved)
            value = self._body(frame)
        self.frames.pop()
        self.frame = caller
        self.node, self.filename = at
        if caller is not None and not frame.internal:
            self.ops.builder.set_file(caller.filename)
        return value

    def _enter(self, frame: Frame, bound: dict[str, Any]) -> None:
        """Give a frame its arguments; what inner functions assign goes into its box."""
        frame.names = bound
        if not frame.boxed:
            return
        held = {name: bound.pop(name) for name in frame.boxed & bound.keys()}
        frame.box = frame.names["<box>"] = Instance(
            Cell(
                types.SimpleNamespace,
                dict.fromkeys(sorted(frame.boxed), Unbound()) | held,
                self.place,
            )
        )

    def _body(self, frame: Frame) -> Any:
        if isinstance(frame.node, ast.Lambda):
            return self.expr(frame.node.body)
        self.block(frame.node.body)
        return self._returned(frame)

    def _restart(self, frame: Frame, bound: dict[str, Any], saved: Any) -> None:
        """Undo what a call has done so far; it is evaluated as a loop next."""
        if saved is not None:
            self._restore(saved)
            self.frame = frame
            self.frames.append(frame)
        self._enter(
            frame, {name: value for name, value in bound.items() if name in frame.parameters}
        )
        form: Any = loop_form(frame.node)
        frame.node = form

    def _check_tail_call(self, function: Any, node: Any) -> None:
        """Turn a recursion that a run-time value decides on into a loop."""
        for frame in self.frames:
            is_same = frame.node is node or (function and frame.function is function)
            if is_same and len(self.regions) > frame.depth and loop_form(frame.node) is not None:
                raise TailCall(frame)

    def _returned(self, frame: Frame) -> Any:
        flag = frame.names.get(RETURN, False)
        if flag is False:
            return None
        value = frame.names.get(VALUE)
        if flag is not True and value is not None:
            self.at(frame.node)
            self.fail(
                f"{getattr(frame.node, 'name', 'the function')} returns a value on some paths "
                "only, and None on others",
                "return on every path",
                page="types-on-paths",
            )
        if isinstance(value, Unbound):
            self.fail_static(
                f"the function returns what {value.reason}",
                "return one type on every path",
                page="types-on-paths",
            )
        return value

    def as_array(self, value: Any) -> Any:
        """Numbers and arrays as they are, nested sequences as new arrays."""
        if isinstance(value, NUMBERS):
            return value
        if isinstance(value, (list, tuple, List)):
            return self.call(np.array, (value,), {})
        if type(value) in PARTS:
            parts.refuse(self, value)
        page = "run-time-string" if isinstance(value, Text) else "object-array"
        self.fail(f"{describe(value)} can't be an array element", kind=DTypeError, page=page)

    def _index_array(self, items: Any) -> Any:
        return self.call(np.array, (items,), {})


#: Whose methods may be called on static arguments.
_STATIC_OWNERS = (bool, int, float, complex, str, bytes, slice, tuple, range, np.generic, np.dtype)


def _find(table: dict, function: Any) -> Any:
    try:
        return table.get(function)
    except TypeError:  # unhashable
        return None


def _is_random(function: Any) -> bool:
    """Whether a function is one of NumPy's that keep a state."""
    owner = type(getattr(function, "__self__", None))
    return any(
        (each or "").startswith("numpy.random")
        for each in (getattr(function, "__module__", None), owner.__module__)
    )


#: Functions of Python's that do more than to compute a value.
_IMPURE = frozenset(
    ["open", "input", "exec", "eval", "compile", "__import__", "id", "globals", "locals", "vars"]
)


def is_internal(function: types.FunctionType) -> bool:
    return (function.__module__ or "").startswith("ingot.numpy.")


#: What runs over sequences, whatever they are.
ITERATORS = (
    enumerate, zip, reversed, map, filter, sum, max, min, any, all, sorted, list, math.prod,
)  # fmt: skip


def _is_users(function: Any) -> bool:
    """A function that takes arrays of which parts count as it takes others: its source is compiled
    with its caller, or it takes items one by one."""
    users = (LocalFunction, Method, Partial, Instance, functools.partial, types.MethodType)
    is_by_name = hasattr(function, "__ingot_emit__") or any(function is each for each in ITERATORS)
    if isinstance(function, users) or is_by_name:
        return True
    if isinstance(function, type) and hasattr(function, "_fields"):
        return True
    function = getattr(function, "__ingot_function__", function)
    return isinstance(function, types.FunctionType) and _is_user_code(function)


def _kind_of(value: Any) -> Any:
    if isinstance(value, Scalar):
        return (), kinds_of(value)
    return (value.shape, value.dtype) if is_runtime(value) else None


def _is_user_code(function: types.FunctionType) -> bool:
    return not function.__module__ or not function.__module__.startswith(("numpy", "scipy"))
