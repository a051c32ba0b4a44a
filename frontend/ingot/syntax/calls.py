"""Names, attributes and calls: from Python objects to their meaning in compiled code."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import functools
import inspect
import operator
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot._core import Diagnostic
from ingot.dimensions import Dimension, Undecided, depends, spelled
from ingot.numpy import library
from ingot.numpy.table import ARRAY_ATTRIBUTES, FUNCTIONS, METHODS, TYPES
from ingot.syntax import masked
from ingot.syntax.indexing import Indexing
from ingot.syntax.masked import Masked
from ingot.syntax.recursion import TailCall, is_recursive, loop_form
from ingot.syntax.scopes import RETURN, VALUE, Frame, locals_of
from ingot.syntax.source import library_source_of, source_of
from ingot.syntax.values import (
    NUMBERS,
    Array,
    LocalFunction,
    Method,
    Range,
    Scalar,
    Text,
    describe,
    is_runtime,
    leaves_of,
)
from ingot_runtime.errors import CompileError, DTypeError, ShapeError, UnsupportedError
from ingot_runtime.trees import LIBRARIES, is_record

#: What classes of named tuples have; they only rearrange items.
NAMED_TUPLE_METHODS = ("_asdict", "_make", "_replace")
#: Deeper recursion than this does not end at compile time.
DEEPEST_CALL = 150


@dataclass(frozen=True)
class Global:
    """A global or closure variable that the compiled code read, and what it found."""

    namespace: Any
    name: str
    value: Any
    contents: Any


def _held_by(value: Any) -> list[Any] | None:
    """What a container or record holds itself; None of other values."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        return [*value]
    if isinstance(value, (np.ndarray, types.ModuleType, type, types.FunctionType)):
        return None
    return [*vars(value), *vars(value).values()] if is_record(value) else None


def contents_of(value: Any) -> list[Any] | None:
    """All that a container holds, to see whether it has changed; None of other values."""
    held = _held_by(value)
    if held is None:
        return None
    # What holds itself is looked into once; the loop goes on over what it appends.
    seen = {id(value)}
    for each in held:
        inner = None if id(each) in seen else _held_by(each)
        if inner:
            seen.add(id(each))
            held += inner
    return held


def same_contents(a: list[Any] | None, b: list[Any] | None) -> bool:
    """Whether two lists hold the very same objects."""
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and all(map(operator.is_, a, b))


class Calls(Indexing):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.globals_read: dict[tuple[int, str], Global] = {}
        #: The user's functions that are part of the program.
        self.functions: set[types.CodeType] = set()
        #: Arrays from outside of the arguments, by identity; they become hidden arguments.
        self.captured: dict[int, tuple[Any, Array]] = {}
        #: Set by the driver.
        self.on_capture: Callable[[np.ndarray, str], Any] = lambda array, name: None

    # Names.

    def lookup(self, name: str) -> Any:
        frame = self.frame
        if name in frame.locals:
            self.fail(
                f"`{name}` is read before it is assigned",
                "assign it on every path that leads here",
                CompileError,
            )
        outer = frame.parent
        while outer is not None:
            if name in outer.names:
                return outer.names[name]
            frame, outer = outer, outer.parent
        function: Any = frame.function
        free = function.__code__.co_freevars
        if name in free:
            cell = function.__closure__[free.index(name)]
            value = self._read_global(cell, "cell_contents", cell.cell_contents)
            return self.lift(value, name)
        if name in function.__globals__:
            value = function.__globals__[name]
            return self.lift(self._read_global(function.__globals__, name, value), name)
        if hasattr(builtins, name):
            return getattr(builtins, name)
        self.fail(f"name `{name}` is not defined", kind=CompileError)

    def _read_global(self, namespace: Any, name: str, value: Any) -> Any:
        key = id(namespace), name
        if key not in self.globals_read:
            self.globals_read[key] = Global(namespace, name, value, contents_of(value))
        return value

    def lift(self, value: Any, name: str = "") -> Any:
        """A Python object from outside, read by a name, as a value of the evaluator."""
        if not isinstance(value, np.ndarray):
            return value
        if id(value) not in self.captured:
            self.captured[id(value)] = (value, self.on_capture(value, name))
        return self.captured[id(value)][1]

    def lifted(self, value: Any) -> Any:
        """What a NumPy function is given, with the arrays from outside that lists in it hold."""
        if type(value) not in (list, tuple):
            return self.lift(value)
        items = list(map(self.lifted, value))
        return value if all(map(operator.is_, items, value)) else type(value)(items)

    # Attributes.

    def attribute(self, value: Any, name: str) -> Any:
        if type(value) is types.ModuleType and name in value.__dict__:
            found = value.__dict__[name]
            if value.__name__.partition(".")[0] not in (*LIBRARIES, "math"):
                self._read_global(value.__dict__, name, found)
            return self.lift(found, name)
        if type(value) is Masked:
            known = name in masked.METHODS
            return Method(value, name) if known else masked.attribute(self, value, name)
        if isinstance(value, (Array, Scalar)):
            if name in ARRAY_ATTRIBUTES:
                return ARRAY_ATTRIBUTES[name](self, value)
            if name in METHODS:
                return Method(value, name)
            self.fail(f"arrays have no supported attribute `{name}`", "see docs/numpy.md")
        if isinstance(value, (list, dict)) and hasattr(value, name):
            return Method(value, name)
        if isinstance(getattr(type(value), name, None), property) and is_record(value):
            return self.call(getattr(type(value), name).fget, (value,), {})
        return self.compute(getattr, value, name)

    # Calls.

    def call(
        self, function: Any, args: tuple, kwargs: dict[str, Any], node: ast.AST | None = None
    ) -> Any:
        if Masked in map(type, args) and not _is_users(function):
            return masked.call(self, function, args, kwargs)
        if type(function) is np.ufunc and function in FUNCTIONS:
            return self._call_handler(function, FUNCTIONS[function], args, kwargs)
        if isinstance(function, LocalFunction):
            return self._inline_local(function, args, kwargs, node)
        if isinstance(function, Method):
            return self._call_method(function, args, kwargs)
        if isinstance(function, functools.partial):
            merged = {**function.keywords, **kwargs}
            return self.call(function.func, (*function.args, *args), merged, node)
        handler = _find(FUNCTIONS, function)
        if handler is None and isinstance(function, type):
            handler = _find(TYPES, function)
        if handler is None:
            handler = library.scipy_handler(function)
        if handler is not None:
            return self._call_handler(function, handler, args, kwargs)
        emit = getattr(function, "__ingot_emit__", None)
        if emit is not None:
            return emit(self, args, kwargs, node)
        handler = getattr(function, "__ingot_handler__", None)
        if handler is not None:
            return self._call_handler(function, handler, args, kwargs)
        function = getattr(function, "__ingot_function__", function)
        if isinstance(function, types.MethodType) and function.__name__ in NAMED_TUPLE_METHODS:
            return self.compute(lambda: function(*args, **kwargs))
        if isinstance(function, types.MethodType):
            return self.call(function.__func__, (function.__self__, *args), kwargs, node)
        if isinstance(function, types.FunctionType) and _is_user_code(function):
            return self.inline(function, args, kwargs, node)
        if isinstance(function, type):
            return self._construct(function, args, kwargs, node)
        return self._call_static(function, args, kwargs)

    def _construct(self, kind: type, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        """An instance of a named tuple's class or of the user's own."""
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return self.compute(lambda: kind(*args, **kwargs))
        init = getattr(kind, "__init__", None)
        is_own = kind.__new__ is object.__new__ and type(kind) is type
        if not (is_own and kind.__module__.partition(".")[0] not in (*LIBRARIES, "builtins")):
            return self._call_static(kind, args, kwargs)
        made: Any = object.__new__(kind)
        self.records[id(made)] = (made, self.regions[-1])
        is_generated = isinstance(init, types.FunctionType) and init.__code__.co_filename[0] == "<"
        if dataclasses.is_dataclass(kind) and is_generated:
            self._fill_dataclass(made, args, kwargs)
        elif isinstance(init, types.FunctionType):
            self.inline(init, (made, *args), kwargs, node)
        return made

    def _fill_dataclass(self, made: Any, args: tuple, kwargs: dict[str, Any]) -> None:
        """What the __init__ that `dataclass` generates does."""
        kind: Any = type(made)
        bound = self.compute(lambda: inspect.signature(kind).bind(*args, **kwargs)).arguments
        for field in dataclasses.fields(kind):
            if field.name in bound:
                value = bound[field.name]
            elif field.default_factory is not dataclasses.MISSING:
                value = self.call(field.default_factory, (), {})
            else:
                value = self.lift(field.default)
            made.__dict__[field.name] = value
        if hasattr(kind, "__post_init__"):
            self.inline(kind.__post_init__, (made,), {}, None)

    def _call_handler(self, function: Any, handler: Any, args: tuple, kwargs: dict) -> Any:
        args = tuple(map(self.lifted, args))
        kwargs = {name: self.lifted(value) for name, value in kwargs.items()}
        try:
            return handler(self, *args, **kwargs)
        except Undecided as undecided:
            if not any(isinstance(each, Dimension) for each in args):
                raise
            try:
                return handler(self, *map(self.at_run_time, args), **kwargs)
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
            message = str(error).replace("ev, ", "")
            self.fail(f"{_name(function)}: {message}", "see docs/numpy.md", DTypeError)

    def _call_method(self, method: Method, args: tuple, kwargs: dict[str, Any]) -> Any:
        owner = method.owner
        if type(owner) is Masked:
            return masked.METHODS[method.name](self, owner, *args, **kwargs)
        if is_runtime(owner):
            handler = METHODS[method.name]
            return self._call_handler(f"ndarray.{method.name}", handler, (owner, *args), kwargs)
        if method.name in ("append", "extend", "insert", "pop", "update", "setdefault"):
            self.changeable(owner)
        return self.compute(getattr(owner, method.name), *args)

    def _call_static(self, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Call what is not NumPy and has no source, if all it is given is static."""
        everything = [*args, *kwargs.values()]
        is_static = not any(map(is_runtime, leaves_of(everything)))
        module = getattr(function, "__module__", None) or ""
        is_plain = module in ("math", "builtins", "operator") or isinstance(
            getattr(function, "__self__", None), _STATIC_OWNERS
        )
        if is_static and callable(function) and is_plain:
            return self.compute(functools.partial(function, **kwargs), *args)
        if is_static and isinstance(function, np.ufunc):
            return self.compute(functools.partial(function, **kwargs), *args)
        name = _name(function)
        if not callable(function):
            self.fail(f"{describe(function)} is not callable", kind=DTypeError)
        if module == "math":
            hint = f"use np.{function.__name__}" if hasattr(np, function.__name__) else ""
            self.fail(f"{name} of a run-time number is not supported", hint)
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

    def inline(self, function: types.FunctionType, args: tuple, kwargs: dict, node: Any) -> Any:
        try:
            is_own = is_internal(function)
            source = library_source_of(function) if is_own else source_of(function)
        except UnsupportedError as error:
            self.fail(error.message, error.hint, page=error.page)
        defaults = function.__defaults__ or ()
        if not is_own:
            self.functions.add(function.__code__)
            self._check_tail_call(function, source.node)
        # Calls of the library from one place differ in the types of their arguments.
        place = (id(node), *map(_kind_of, leaves_of([*args, *kwargs.values()]))) if is_own else node
        frame = self._new_frame(function, source.node, source.filename, None, place)
        named = function.__kwdefaults__ or {}
        bound = self._bind(source.node, args, kwargs, defaults, named, _name(function))
        return self._run(frame, bound)

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
                bound[each] = self.lift(value)
        for each in (*positional, *(a.arg for a in spec.kwonlyargs)):
            if each not in bound:
                self.fail(f"{name}() is missing the argument '{each}'", kind=DTypeError)
        return bound

    def _run(self, frame: Frame, bound: dict[str, Any]) -> Any:
        """Evaluate a frame's body and give what it returns."""
        caller, frame.names = self.frame, bound
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
        frame.names = {name: value for name, value in bound.items() if name in frame.parameters}
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
        if flag is not True:
            self.at(frame.node)
            self.fail(
                "the function returns a value on some paths only",
                "return on every path",
                page="types-on-paths",
            )
        return frame.names.get(VALUE)

    # Sequences known at compile time.

    def static_items(self, value: Any) -> Iterable[Any]:
        """The items of something whose length is known."""
        if isinstance(value, Range):
            bounds = self.static((value.start, value.stop, value.step), "a range's bounds")
            if depends(bounds):
                raise Undecided(
                    f"this list has {bounds[1]} items, a size that is left open",
                    hint="use an array, or give the dimension a number",
                )
            return range(*bounds)
        sequence = self.iterable(value)
        if isinstance(sequence, (list, tuple)):
            return list(map(self.lift, sequence))
        if isinstance(sequence, Range):
            return self.static_items(sequence)
        return [sequence.item(i) for i in range(sequence.length)]

    def as_array(self, value: Any) -> Any:
        """Numbers and arrays as they are, nested sequences as new arrays."""
        if isinstance(value, NUMBERS):
            return value
        if isinstance(value, (list, tuple)):
            return self.call(np.array, (value,), {})
        if type(value) is Masked:
            masked.refuse(self)
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


def is_internal(function: types.FunctionType) -> bool:
    return (function.__module__ or "").startswith("ingot.numpy.")


def _is_users(function: Any) -> bool:
    """A function whose source is compiled with its caller, masked arguments or not."""
    if isinstance(function, (LocalFunction, Method, functools.partial, types.MethodType)):
        return True
    function = getattr(function, "__ingot_function__", function)
    return isinstance(function, types.FunctionType) and _is_user_code(function)


def _kind_of(value: Any) -> Any:
    return (value.shape, value.kind) if is_runtime(value) else None


def _is_user_code(function: types.FunctionType) -> bool:
    return not function.__module__ or not function.__module__.startswith(("numpy", "scipy"))


def _name(function: Any) -> str:
    if isinstance(function, str):
        return function
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__qualname__", "") or getattr(function, "__name__", repr(function))
    if isinstance(function, np.ufunc) or module.startswith("numpy"):
        return f"np.{name}"
    return str(name) if module in ("builtins", "") else f"{module}.{name}"
