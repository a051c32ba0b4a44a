"""Calls: Python functions of static values, methods of values, and inlined functions."""

from __future__ import annotations

import ast
import enum
import functools
import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ingot.diagnostics import error_at
from ingot.dimensions import Dimension, Undecided, depends, undecided
from ingot.numpy.python_scalars import is_of_numpy
from ingot.numpy.table import METHODS
from ingot.syntax import examples, flat, generators, grown, modules, parts
from ingot.syntax.branches import Raised
from ingot.syntax.callees import Handled, callee_of
from ingot.syntax.cells import Cell, Location
from ingot.syntax.container_methods import CONTAINER_METHODS, RANGE_METHODS, TUPLE_METHODS
from ingot.syntax.contents import leaves_of
from ingot.syntax.dynamic import Grown
from ingot.syntax.flat import Flat
from ingot.syntax.foreign import is_nan, is_same_everywhere, may_change
from ingot.syntax.functions import LocalFunction, Method
from ingot.syntax.modules import Modules
from ingot.syntax.names import Names
from ingot.syntax.naming import signature_message, spelled_name
from ingot.syntax.objects import NUMBER_METHODS
from ingot.syntax.parts import PARTS
from ingot.syntax.recursion import TailCall, is_recursive, loop_form
from ingot.syntax.replays import Replays
from ingot.syntax.scopes import (
    BOX,
    EVALUATED,
    RETURN,
    VALUE,
    Frame,
    locals_of,
    may_rebind,
    yield_of,
)
from ingot.syntax.source import Files, Source, is_pythons, library_source_of, source_of
from ingot.syntax.state import (
    AS_THEY_ARE,
    ATOMS,
    MOST_EMITTED,
    Exhausted,
    StaticRequired,
    arrays_in,
    position_of,
)
from ingot.syntax.values import (
    NUMBERS,
    Array,
    Dict,
    Instance,
    Leak,
    List,
    OneOf,
    Opaque,
    OrNone,
    Range,
    Scalar,
    Set,
    Symbolic,
    Text,
    Unbound,
    class_name,
    describe,
    is_runtime,
    kinds_of,
)
from ingot_runtime.errors import CompileError, DTypeError, UnsupportedError

#: The most calls within each other: about as many as Python's own limit allows.
DEEPEST_CALL = 1000
#: The same under run-time conditions. Deeper, it is taken to be a recursion without end: no value
#: ends it.
DEEPEST_CONDITION = 150
#: The most calls, some seconds, of functions that are being called already: each is evaluated anew.
MOST_RECURSIVE_CALLS = 1 << 16
#: Exceptions that depend on values, not on types: the compiled code raises them as well.
RAISED = (ArithmeticError, IndexError, KeyError, ValueError, StopIteration)
#: Exceptions that depend on types: raised, too, where all that Python's function takes are atoms.
OF_TYPES = (AttributeError, TypeError)
#: Functions of `math` that call methods of a Dimension.
_SEE_SIZES = (math.floor, math.ceil, math.trunc, math.prod)

#: Functions that run no special methods of what they are given.
_OF_OBJECTS = (getattr, hasattr, isinstance, issubclass)
#: The types of values whose texts are the same in all processes.
SHOWN_ALIKE = frozenset([int, float, bool, str, complex, type(None)])


class Calls(Names):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        #: The number of calls so far of functions that were being called already.
        self.recursive_calls = 0
        #: The code of the user's functions that are inlined into the program.
        self.functions: set[types.CodeType] = set()
        self._sources: dict[types.FunctionType, Source] = {}
        self._files: Files = {}
        self._defaults: dict[types.FunctionType, tuple[tuple, dict[str, Any]]] = {}
        self.replays = Replays()
        #: The functions, by their nodes, and whether they may bind what their callers have.
        self._rebinding: dict[Any, bool] = {}
        #: The attributes of modules that were read so far and are no values of the program.
        self.static_attributes: dict[tuple[types.ModuleType, str], Any] = {}

    # Python functions of static values.

    def compute(self, function: Callable[..., Any], *args: Any, raw: bool = False) -> Any:
        """Call a Python function at compile time.

        An exception that depends on values (`RAISED`) becomes one that the program raises when it
        comes to this point.

        Args:
            function: the function.
            args: static values.
            raw: return the result as it is, not as a value of the evaluator.
        """
        given = [self.plain(each) for each in args]
        if not ATOMS.issuperset(map(type, given)):
            self._check_static(given, function)
            _check_open(given, function)
        if not SHOWN_ALIKE.issuperset(map(type, given)) or function is hash:
            self.note_addresses(given, function)
        try:
            value = function(*given)
        except (CompileError, Leak, Raised, StaticRequired):
            raise
        except RAISED as error:
            # The text of a KeyError is its key's representation.
            is_key = isinstance(error, KeyError) and error.args
            self.raise_now(type(error), str(error.args[0] if is_key else error), error.args)
        except Exception as error:
            if isinstance(error, OF_TYPES) and ATOMS.issuperset(map(type, given)):
                self.raise_now(type(error), str(error))
            self.fail_as(type(error), str(error))
        if isinstance(value, str) and depends(args):
            raise Undecided("a string of a size that is left open", hint="use an f-string")
        return value if raw else self.own(value)

    def _check_static(self, given: list[Any], function: Any) -> None:
        for each in leaves_of(given):
            if function not in _OF_OBJECTS and may_change(each, function):
                self.fail(
                    f"what this computes with a {class_name(each)} may change unseen",
                    "convert it to a number or a NumPy array before",
                )
            if isinstance(each, Symbolic):
                name = getattr(function, "__name__", "")
                name = "this" if name in ("", "<lambda>", "call") else name
                self.static(each, f"an argument of {name}")

    def note_addresses(self, given: Any, function: Any = None) -> None:
        """Note that the program depends on this process if a text or a hash of these values, which
        shows where they lie in memory, may be computed."""
        if function in _OF_OBJECTS:
            return
        for each in leaves_of(given):
            if function is hash and is_nan(each):
                # Calls with other objects of the same value run the same program.
                self.fail(
                    "the hash of a NaN depends on where it lies in memory",
                    "test it before, by math.isnan",
                )
            if is_same_everywhere(each, function):
                continue
            self.reads.is_of_process = True
            if isinstance(each, types.ModuleType):
                self.fail("the text of a module is not supported", "show its __name__")
            if isinstance(each, types.MethodType):
                each = each.__func__
            if isinstance(each, (types.FunctionType, type)):
                self.reads.attribute(each, "__module__")
                self.reads.attribute(each, "__qualname__")

    def plain(self, value: Any, *, gives_dtype: bool = False) -> Any:
        """A value as handlers take it: the program's lists become Python lists of values.

        Args:
            gives_dtype: whether the dtype of an array of a list matters, which is another one if
                the list is empty.
        """
        kind = type(value)
        if kind in AS_THEY_ARE:
            return value
        plain = functools.partial(self.plain, gives_dtype=gives_dtype)
        if isinstance(value, List):
            contents = self.contents(value)
            rows = grown.stacked(self, contents) if isinstance(contents, Grown) else None
            if rows is not None and gives_dtype:
                grown.require_dtype(self, contents, rows)
            return rows if rows is not None else [plain(each) for each in self.items(value)]
        if isinstance(value, Set):
            return set(self.items(value))
        if isinstance(value, Dict) and not any(map(is_runtime, leaves_of(value))):
            return {key: plain(each) for key, each in self.entries(value).items()}
        if kind is Flat:
            return flat.as_array(self, value)
        if kind is tuple:
            return tuple(map(plain, value))
        if kind is list:
            return [plain(each) for each in value]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            items = tuple(map(plain, value))
            is_same = all(a is b for a, b in zip(items, value, strict=True))
            return value if is_same else kind(*items)
        return value if kind in (dict, set) else self.lift(value)

    # Calls.

    def call(
        self, function: Any, args: tuple, kwargs: dict[str, Any], node: ast.AST | None = None
    ) -> Any:
        if not generators.MAY_YIELD.isdisjoint(map(type, args)):
            function, args = generators.replaced(self, function, args)
        return callee_of(function).__ingot_emit__(self, args, kwargs, node)

    def call_method(self, method: Method, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        owner, name = method.owner, method.name
        if method.function is not None:
            return self._call_users_method(method, args, kwargs, node)
        if type(owner) in PARTS:
            return parts.call_method(self, owner, name, args, kwargs)
        if type(owner) is Flat:
            return flat.copied(self, owner)
        if is_runtime(owner):
            return _OF_ARRAYS[name].__ingot_emit__(self, (owner, *args), kwargs, node)
        tables = {tuple: TUPLE_METHODS, Range: RANGE_METHODS, Modules: modules.METHODS}
        kind: Any = tuple if isinstance(owner, tuple) else type(owner)
        table = tables.get(kind) or CONTAINER_METHODS[kind]
        try:
            return self.own(table[name](self, owner, *args, **kwargs))
        except TypeError as error:
            if isinstance(error, CompileError):
                raise
            message = signature_message(str(error), f"{class_name(owner)}.{name}")
            refusal = error_at(DTypeError, message, self.position)
            python = getattr(examples.class_of(owner), name)
            raise examples.explain(refusal, python, (owner, *args), kwargs) from None

    def _call_users_method(
        self, method: Method, args: tuple, kwargs: dict[str, Any], node: Any
    ) -> Any:
        owner, function = method.owner, method.function
        builtin = (types.WrapperDescriptorType, types.MethodDescriptorType)
        is_known = function in (object.__setattr__, object.__delattr__, object.__init__)
        if isinstance(function, builtin) and not is_known:
            self.fail(f"{method.name} of {describe(owner)} is not supported")
        return self.call(function, (owner, *args), kwargs, node)

    # Inlining.

    def inline(self, function: Any, args: tuple, kwargs: dict, node: Any, name: str = "") -> Any:
        """Evaluate the body of a Python function in place of a call.

        Args:
            function: the function, which has source.
            args, kwargs: its arguments, as values of the evaluator.
            node: the AST node of the call, or None.
            name: the function's name in errors, if that is not its own name.
        """
        try:
            is_own = is_internal(function)
            source = library_source_of(function) if is_own else self.source_of(function)
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
        # One call in the library's source may be evaluated for several types of arguments.
        call = (id(node), *map(_kind_of, leaves_of([*args, *kwargs.values()]))) if is_own else node
        frame = self._new_frame(function, source.node, source.filename, None, call)
        bound = self._bind(source.node, args, kwargs, defaults, named, name or function)
        if yield_of(source.node) is not None:
            return generators.made_by(self, frame, bound)
        if is_own or is_recursive(function, source.node):
            return self.run_frame(frame, bound)
        return self.replays.call(self, frame, bound)

    def source_of(self, function: types.FunctionType) -> Source:
        """The source of a function, parsed once for all its calls."""
        source = self._sources.get(function)
        if source is None:
            source = self._sources[function] = source_of(function, self._files)
        return source

    def defaults_of(self, function: types.FunctionType) -> tuple[tuple, dict[str, Any]]:
        """The defaults of an inlined function; a guard notes that the program depends on them."""
        if function in self._defaults:
            return self._defaults[function]
        self.reads.attribute(function, "__code__")
        defaults, named = self.reads.defaults(function)
        self._defaults[function] = found = defaults or (), named or {}
        return found

    def inline_local(self, function: LocalFunction, args: tuple, kwargs: dict, node: Any) -> Any:
        home = function.frame
        self._check_tail_call(None, function.node)
        frame = self._new_frame(None, function.node, home.filename, home, node)
        bound = self._bind(
            function.node, args, kwargs, function.defaults, function.keyword_defaults, function
        )
        if yield_of(function.node) is not None:
            return generators.made_by(self, frame, bound)
        return self.run_frame(frame, bound)

    def _new_frame(self, function: Any, node: Any, filename: str, parent: Any, call: Any) -> Frame:
        hint = "write it as a loop, or make its depth depend on static values only"
        is_conditional = bool(self.frames) and len(self.regions) > self.frames[0].depth
        if is_conditional and len(self.frames) > DEEPEST_CONDITION:
            self.fail("the recursion does not end at compile time", hint, page="recursion")
        if len(self.frames) > DEEPEST_CALL:
            message = f"there are more than {DEEPEST_CALL:,} calls within each other"
            self.fail(message, hint, page="recursion")
        if any(node is frame.node for frame in self.frames):
            self._count_recursive_call(hint)
        key = call if isinstance(call, tuple) else id(call)
        path = (*self.frame.path, key, id(node)) if self.frame else ()
        internal = is_internal(function) if function else parent.internal
        local = locals_of(node, function)
        return Frame(function, node, filename, parent, path, internal, locals=local)

    def _count_recursive_call(self, hint: str) -> None:
        """Refuse a program of which no end is in sight: a function that calls itself twice, say."""
        self.recursive_calls += 1
        message = ""
        if self.recursive_calls > MOST_RECURSIVE_CALLS:
            message = (
                f"the recursion takes more than {MOST_RECURSIVE_CALLS:,} calls at compile time"
            )
        elif self.ops.builder.emitted() > MOST_EMITTED:
            message = f"the recursion emits more than {MOST_EMITTED:,} operations"
        if message:
            error = error_at(UnsupportedError, message, self.position, hint, "recursion")
            raise Exhausted(error)

    def _bind(
        self, node: Any, args: tuple, kwargs: dict, defaults: tuple, named: dict, function: Any
    ) -> dict[str, Any]:
        """The arguments by parameter name, as Python binds them.

        Args:
            function: the function, or its name, for errors.
        """
        spec = node.args
        is_simple = not (spec.posonlyargs or spec.vararg or spec.kwonlyargs or spec.kwarg)
        if is_simple and not kwargs and len(args) == len(spec.args):
            return {each.arg: value for each, value in zip(spec.args, args, strict=True)}
        if isinstance(function, LocalFunction):
            function = function.qualified_name
        name = function if isinstance(function, str) else function.__qualname__
        return self._bind_any(spec, args, kwargs, defaults, named, name)

    def _bind_any(
        self, spec: Any, args: tuple, kwargs: dict, defaults: tuple, named: dict, name: str
    ) -> dict[str, Any]:
        positional = [each.arg for each in (*spec.posonlyargs, *spec.args)]
        bound = dict(zip(positional, args, strict=False))
        extra = args[len(positional) :]
        if extra and not spec.vararg:
            noun = "argument" if len(positional) == 1 else "arguments"
            verb = "was" if len(args) == 1 else "were"
            self.fail_as(
                TypeError,
                f"{name}() takes {len(positional)} positional {noun} but {len(args)} {verb} given",
            )
        if spec.vararg:
            bound[spec.vararg.arg] = tuple(extra)
        rest = dict(kwargs)
        for each in (*positional[len(spec.posonlyargs) :], *(a.arg for a in spec.kwonlyargs)):
            if each in rest and each in bound:
                self.fail_as(TypeError, f"{name}() got multiple values for argument '{each}'")
            if each in rest:
                bound[each] = rest.pop(each)
        if spec.kwarg:
            bound[spec.kwarg.arg] = self.new_dict(rest)
        elif rest:
            self.fail_as(
                TypeError, f"{name}() got an unexpected keyword argument '{next(iter(rest))}'"
            )
        # A function whose `__defaults__` were assigned may have more of them than parameters.
        defaults = defaults[max(len(defaults) - len(positional), 0) :]
        first = len(positional) - len(defaults)
        for each, value in [*zip(positional[first:], defaults, strict=True), *named.items()]:
            if each not in bound:
                bound[each] = self.lift(value, each)
        for kind, names in (
            ("positional", positional), ("keyword-only", [a.arg for a in spec.kwonlyargs])
        ):  # fmt: skip
            missing = [each for each in names if each not in bound]
            if missing:
                noun = "argument" if len(missing) == 1 else "arguments"
                message = f"{name}() missing {len(missing)} required {kind} {noun}"
                self.fail_as(TypeError, f"{message}: {_listed(missing)}")
        return bound

    def run_frame(self, frame: Frame, bound: dict[str, Any]) -> Any:
        """Evaluate a frame's body, and return the value that it returns."""
        caller = self.frame
        if caller is None or not is_pythons(frame.filename) or is_pythons(caller.filename):
            return self._run_frame(frame, bound)
        call = self.location
        try:
            return self._run_frame(frame, bound)
        except (StaticRequired, Exhausted) as refusal:
            refusal.error = self._refused_in_python(refusal.error, frame, call)
            raise
        except CompileError as error:
            raise self._refused_in_python(error, frame, call) from None

    def _refused_in_python(self, error: CompileError, frame: Frame, call: Location) -> CompileError:
        """An error in code of Python's own library, at the call of the user's that led there."""
        if error.filename and not is_pythons(error.filename):
            return error
        message = f"{spelled_name(frame.function)} is not supported: {error.message}"
        hint = "write it with functions that are, or call it outside"
        return error_at(type(error), message, position_of(call), hint, "unknown-function")

    def _run_frame(self, frame: Frame, bound: dict[str, Any]) -> Any:
        caller = self.frame
        self._enter(frame, bound)
        frame.depth = len(self.regions)
        at = (self.node, self.filename)
        saved = (
            self._save()
            if caller is not None and is_recursive(frame.function, frame.node)
            else None
        )
        operands = self._operands_beside(frame)
        if operands:
            caller.names[EVALUATED] = operands
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
        finally:
            if operands:
                caller.names.pop(EVALUATED, None)
        self.frames.pop()
        self.frame = caller
        self.node, self.filename = at
        if caller is not None and not frame.internal:
            self.ops.builder.set_file(caller.filename)
        return value

    def _operands_beside(self, frame: Frame) -> tuple[Array, ...]:
        """The arrays that the expression around a call may have evaluated: the caller's, unless the
        call is all of a statement's value. A loop in the function must carry those that it changes,
        also where it binds their names to others."""
        caller = self.frame
        if caller is None or caller.internal or self.node is self.whole_value:
            return ()
        rebinds = self._rebinding.get(frame.node)
        if rebinds is None:
            rebinds = self._rebinding[frame.node] = may_rebind(frame.node)
        if frame.internal or not rebinds:
            return ()
        held: list[Any] = []
        outer: Frame | None = caller
        while outer is not None:
            held += outer.names.values()
            outer = outer.parent
        return tuple({each.storage: each for each in arrays_in(tuple(held))}.values())

    def _enter(self, frame: Frame, bound: dict[str, Any]) -> None:
        """Bind a frame's arguments; variables that inner functions assign live in its box."""
        frame.names = dict(bound.items())
        if not frame.boxed:
            return
        held = {name: frame.names.pop(name) for name in frame.boxed & bound.keys()}
        if OneOf in map(type, held.values()):
            self.refuse_alternatives("an argument that an inner function assigns")
        frame.box = frame.names[BOX] = Instance(
            Cell(
                types.SimpleNamespace,
                dict.fromkeys(sorted(frame.boxed), Unbound()) | held,
                self.location,
            )
        )

    def _body(self, frame: Frame) -> Any:
        given = yield_of(frame.node)
        if given is not None:
            self.at(given)
            self.fail(
                "a generator can't be the result of the compiled function",
                "return a list of what it yields",
                page="yield",
            )
        if isinstance(frame.node, ast.Lambda):
            return self.any_value(frame.node.body)
        self.block(frame.node.body)
        return self._returned(frame)

    def _restart(self, frame: Frame, bound: dict[str, Any], saved: Any) -> None:
        """Undo a call so far, and make a loop of its tail recursion, to be evaluated next."""
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
        """Restart a function as a loop if it recurs under a run-time condition.

        Raises:
            TailCall: it does, and its recursive calls are tail calls.
        """
        for frame in self.frames:
            is_same = frame.node is node or (function and frame.function is function)
            if is_same and len(self.regions) > frame.depth and loop_form(frame.node) is not None:
                raise TailCall(frame)

    def _returned(self, frame: Frame) -> Any:
        flag = frame.names.get(RETURN, False)
        if flag is False:
            return None
        value = frame.names.get(VALUE)
        if isinstance(value, Unbound):
            self.suggest(value.parameter)
            self.fail_static(
                f"the function returns what {value.reason}",
                "return one type on every path",
                page="types-on-paths",
            )
        return value if flag is True else self._or_none(value, flag)

    def _or_none(self, value: Any, returned: Scalar) -> Any:
        """The result of a function that returns this value on some paths, and None on others."""
        if type(value) is OrNone:
            value, returned = value.value, self.both(returned, value.assigned)
        return None if value is None else OrNone(value, returned)

    def as_array(self, value: Any) -> Any:
        """A number or an array as it is, a nested sequence as a new array.

        Only Python's own numbers take the dtype of what they meet: a member of an enum has one.
        """
        if isinstance(value, NUMBERS):
            return np.asarray(value)[()] if isinstance(value, enum.Enum) else value
        if isinstance(value, (list, tuple, List, Range)):
            return self.call(np.array, (value,), {})
        if type(value) in PARTS:
            parts.refuse(self, value)
        if type(value) is Opaque:
            self.refuse_opaque(value)
        page = "run-time-string" if isinstance(value, Text) else "object-array"
        self.fail(f"{describe(value)} can't be an array element", page=page)

    def beside_ranges(self, left: Any, right: Any) -> tuple[Any, Any]:
        """Two operands: beside an array or a number of NumPy's, a range is an array."""
        if is_of_numpy(left) and isinstance(right, Range):
            return left, self.as_array(right)
        if is_of_numpy(right) and isinstance(left, Range):
            return self.as_array(left), right
        return left, right

    def _index_array(self, items: Any) -> Any:
        return self.call(np.array, (items,), {})


#: The methods of arrays and numbers.
_OF_ARRAYS = {
    name: Handled(f"ndarray.{name}", handler)
    for name, handler in {**NUMBER_METHODS, **METHODS}.items()
}


def is_internal(function: types.FunctionType) -> bool:
    return (function.__module__ or "").startswith("ingot.numpy.")


def _kind_of(value: Any) -> Any:
    if isinstance(value, Scalar):
        return (), kinds_of(value)
    return (value.shape, value.dtype) if is_runtime(value) else None


def _check_open(args: list[Any], function: Callable[..., Any]) -> None:
    """Refuse sizes that are left open where a function in C reads the digits of an int.

    Raises:
        Undecided: the function does not see that one of the arguments is a Dimension.
    """
    is_of_math = getattr(function, "__module__", None) == "math" and function not in _SEE_SIZES
    if function is hash or is_of_math:
        for each in args:
            if isinstance(each, Dimension):
                undecided(each)


def _listed(names: list[str]) -> str:
    """Names as Python lists them in its messages."""
    *others, last = map(repr, names)
    if not others:
        return last
    comma = "," if len(others) > 1 else ""
    return f"{', '.join(others)}{comma} and {last}"
