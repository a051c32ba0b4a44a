"""Python's built-in functions."""

from __future__ import annotations

import ast
import builtins
import functools
import math
import operator
import sys
import types as python_types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dimensions import Dimension, as_int, decided, depends
from ingot.dtypes import FLOAT, INT, STATIC_NUMBERS
from ingot.numpy import classes, creation, integers
from ingot.numpy.iteration import takes_references
from ingot.numpy.ufuncs import call_operator
from ingot.syntax import grown, intervals, kinds
from ingot.syntax.attributes import attribute_or, has_attribute
from ingot.syntax.dynamic import Part
from ingot.syntax.functions import LocalFunction, Method, Super
from ingot.syntax.ops import bounds_of, known
from ingot.syntax.supplies import Shared
from ingot.syntax.values import (
    Array,
    Instance,
    Iterator,
    Joined,
    Lazy,
    Opaque,
    Raisable,
    Range,
    Reference,
    Scalar,
    Symbolic,
    Text,
    Undetermined,
    class_name,
    describe,
    is_number,
    is_runtime,
)
from ingot_runtime.errors import DTypeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def range_(ev: Evaluator, *args: Any) -> Any:
    args = tuple(map(ev.as_index, args))
    for arg in args:
        is_index = isinstance(arg, (bool, int, np.integer))
        if not is_index and not (isinstance(arg, Scalar) and arg.dtype.kind in "iub"):
            message = f"'{class_name(arg)}' object cannot be interpreted as an integer"
            ev.fail_as(TypeError, message, "convert with int()")
    bounds: list[Any] = [as_int(a) if not isinstance(a, Scalar) else _weak_int(ev, a) for a in args]
    if not any(isinstance(bound, (Scalar, Dimension)) for bound in bounds):
        made = ev.compute(range, *bounds)
        return Range(made.start, made.stop, made.step)
    if len(bounds) == 1:
        return Range(0, bounds[0], 1)
    return Range(*bounds, *([1] if len(bounds) == 2 else []))


def _weak_int(ev: Evaluator, value: Scalar) -> Scalar:
    if value.weak is int:
        return value
    as_int64 = ev.ops.convert(value.value, INT)
    return Scalar(as_int64, INT, int, None, value.low, value.high, value.parameter)


def _of_abs(kind: Any) -> type:
    return type(builtins.abs(kind()))


def abs_(ev: Evaluator, x: Any) -> Any:
    if isinstance(x, Scalar) and x.weak:
        kind = (
            float if x.weak is complex else builtins.max(x.weak, int, key=(bool, int, float).index)
        )
        dtype = np.dtype(kind)
        value = x.value if x.weak is complex else ev.ops.convert(x.value, dtype)
        made = kinds.computed(ev.ops, ev.ops.create("abs", [value]), (dtype, kind), _of_abs, (x,))
        made.parameter = x.parameter
        return intervals.of_python(made, "abs", x) if kind is int else made
    return (
        call_operator(ev, builtins.abs, np.absolute, (x,))
        if is_runtime(x)
        else ev.compute(builtins.abs, x)
    )


_BEATS = {"max": operator.gt, "min": operator.lt}


def _extremum(name: str, how: type) -> Callable[..., Any]:
    def call(ev: Evaluator, *args: Any, key: Any = None, default: Any = _NOT_GIVEN) -> Any:
        if not args:
            ev.fail_as(TypeError, f"{name} expected at least 1 argument, got 0")
        if len(args) > 1 and default is not _NOT_GIVEN:
            message = f"Cannot specify a default for {name}() with multiple positional arguments"
            ev.fail_as(TypeError, message)
        if len(args) == 1 and grown.is_open_sequence(ev, args[0]):
            # What is iterated only once is a list from here on.
            items = grown.listed(ev, args[0]) if isinstance(args[0], Lazy) else args[0]
            given = items, key, name, _BEATS[name]
            if default is _NOT_GIVEN:
                return grown.library_call(ev, "extremum", *given)
            return grown.library_call(ev, "extremum_or", *given, default)
        items = list(ev.static_items(args[0])) if len(args) == 1 else list(args)
        if not items:
            if default is _NOT_GIVEN:
                ev.raise_now(ValueError, f"{name}() arg is an empty sequence")
            return default
        best = items[0]
        rank = best if key is None else ev.call(key, (best,), {})
        for item in items[1:]:
            value = item if key is None else ev.call(key, (item,), {})
            is_tuple = isinstance(value, tuple) and isinstance(rank, tuple)
            if is_tuple or not (is_number(value) and is_number(rank)):
                _require_order(ev, name, value, rank)
            test = _beats(name, value, rank)
            if test is None:
                test = ev.truth(ev.compare(how(), value, rank))
            pair = best, item
            best, rank = _picked(ev, test, item, best), _picked(ev, test, value, rank)
            is_whole = not any(isinstance(each, (float, np.floating)) for each in pair)
            if key is None and is_whole and isinstance(best, Scalar) and best.held == INT:
                rule = intervals.RULES[f"{name}imum"]
                intervals.note(best, rule(*map(bounds_of, pair)))
        return best

    return call


_NOT_GIVEN = object()


def _beats(name: str, value: Any, rank: Any) -> bool | None:
    """Whether a size replaces the extremum so far; None if the bounds of the sizes can't tell."""
    if not depends((value, rank)) or not (isinstance(value, int) and isinstance(rank, int)):
        return None
    is_as_good = operator.le if name == "min" else operator.ge
    if decided(lambda: is_as_good(rank, value)):
        return False
    return True if decided(lambda: is_as_good(value, rank)) else None


def _require_order(ev: Evaluator, name: str, a: Any, b: Any) -> None:
    if isinstance(a, Array) or isinstance(b, Array):
        ev.fail(f"{name}() of arrays is not supported", f"use np.{name}imum", DTypeError)


def _picked(ev: Evaluator, test: Any, item: Any, best: Any) -> Any:
    """`item if test else best`; the result has the type of the chosen one."""
    if isinstance(test, bool):
        return item if test else best
    if is_number(item) and is_number(best):
        return ev.selected(test, [item, best])
    return ev.choose(test, lambda: item, lambda: best)


def round_(ev: Evaluator, number: Any, ndigits: Any = None) -> Any:
    if not is_runtime(number):
        return ev.compute(builtins.round, number, ndigits)
    if isinstance(number, Joined) and len(set(map(_is_rounded, number.kinds))) > 1:
        raise Undetermined(number.kinds)
    kind = "" if isinstance(number, Array) else number.held.kind
    if kind in ("", "c") or (kind == "b" and number.weak is None):
        name = class_name(number)
        ev.raise_now(TypeError, f"type {name} doesn't define __round__ method")
    if ndigits is None:
        if kind in "iub":
            return ev.call(int, (number,), {})
        return integers.of_float(ev, _rint(ev, ev.ops.convert(number.value, FLOAT)), number)
    if number.weak is None:
        return ev.call(np.round, (number, ndigits), {})
    ndigits = ev.static(ndigits, "the number of digits")
    if isinstance(number, Joined):
        raise Undetermined(number.kinds)
    if kind in "ib":
        return integers.rounded(ev, ev.call(int, (number,), {}), operator.index(ndigits))
    return integers.rounded_float(ev, number, operator.index(ndigits))


def _is_rounded(kind: Any) -> bool:
    """Whether `round` takes numbers of a kind."""
    return kind.kind not in "bc" if isinstance(kind, np.dtype) else kind is not complex


def _rint(ev: Evaluator, value: Any) -> Any:
    return ev.ops.elementwise("rint", [value], [FLOAT])


def sum_(ev: Evaluator, iterable: Any, start: Any = 0) -> Any:
    if isinstance(iterable, Array) and iterable.ndim and iterable.shape[0] == 0:
        return start
    if isinstance(iterable, Part) or (isinstance(iterable, Array) and iterable.ndim):
        # Python adds the items one by one, each sum in the dtype of the first one.
        like = ev.binary(ast.Add, start, iterable.dtype.type(0))
        total = ev.call(np.sum, (iterable, 0), {"dtype": like.dtype})
        if is_runtime(start) or start != 0:
            total = ev.binary(ast.Add, start, total)
        has_items = ev.truth(ev.length(iterable))
        is_number = isinstance(total, Scalar) and isinstance(start, (Scalar, *STATIC_NUMBERS))
        is_open = isinstance(has_items, Scalar) and is_number
        return ev.selected(has_items, [total, start]) if is_open else total
    if grown.is_open_sequence(ev, iterable):
        return grown.library_call(ev, "total", iterable, start)
    total = start
    for item in ev.static_items(iterable):
        total = ev.binary(ast.Add, total, item)
    return total


def prod(ev: Evaluator, iterable: Any, /, *, start: Any = 1) -> Any:
    """math.prod."""
    if grown.is_open_sequence(ev, iterable):
        return grown.library_call(ev, "product", iterable, start)
    total = start
    for item in ev.static_items(iterable):
        total = ev.binary(ast.Mult, total, item)
    return total


def divmod_(ev: Evaluator, a: Any, b: Any) -> Any:
    if isinstance(a, Instance) or isinstance(b, Instance):
        return ev.operate_by("divmod", a, b)
    return ev.binary(ast.FloorDiv, a, b), ev.binary(ast.Mod, a, b)


def pow_(ev: Evaluator, base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is None:
        return ev.binary(ast.Pow, base, exp)
    return ev.compute(builtins.pow, base, exp, mod)


def class_of(ev: Evaluator, value: Any) -> type:
    """`type(value)`."""
    if isinstance(value, (Array, Opaque)):
        return np.ndarray
    if isinstance(value, Scalar):
        return _class_of_kind(value.kind)
    if isinstance(value, Reference):
        return value.cell.kind
    if isinstance(value, (Text, Range)):
        return str if isinstance(value, Text) else range
    if isinstance(value, LocalFunction):
        return python_types.FunctionType
    if isinstance(value, Method) and value.function is not None:
        return python_types.MethodType
    if isinstance(value, Dimension):
        return int
    if isinstance(value, Raisable):
        return value.kind
    if isinstance(value, Symbolic):
        ev.fail(f"the type of {describe(value)} is not known to compiled code")
    return type(value)


def _class_of_kind(kind: Any) -> type:
    return kind.type if isinstance(kind, np.dtype) else kind


def isinstance_(ev: Evaluator, value: Any, bases: Any) -> Any:
    if not isinstance(value, Joined):
        return classes.is_instance_of(ev, class_of(ev, value), bases)
    return kinds.tested(
        ev.ops, value, lambda kind: classes.is_instance_of(ev, _class_of_kind(kind), bases)
    )


def type_(ev: Evaluator, *args: Any) -> Any:
    if len(args) != 1:
        ev.fail("type() that makes a class is not supported", "define the class outside")
    return class_of(ev, args[0])


def any_(ev: Evaluator, iterable: Any) -> Any:
    if grown.is_open_sequence(ev, iterable):
        return grown.library_call(ev, "any_of", iterable)
    if isinstance(iterable, Iterator):
        return ev.quantified_over(Shared(iterable), False, ev.truth)
    return functools.reduce(ev.either, [ev.truth(x) for x in ev.static_items(iterable)], False)


def all_(ev: Evaluator, iterable: Any) -> Any:
    if grown.is_open_sequence(ev, iterable):
        return grown.library_call(ev, "all_of", iterable)
    if isinstance(iterable, Iterator):
        return ev.quantified_over(Shared(iterable), True, ev.truth)
    return functools.reduce(ev.both, [ev.truth(x) for x in ev.static_items(iterable)], True)


def callable_(ev: Evaluator, value: Any) -> bool:
    if isinstance(value, Instance):
        return ev.special(value, "__call__") is not None
    if isinstance(value, Symbolic):
        return hasattr(value, "__ingot_emit__")
    return callable(value)


def _attribute_name(ev: Evaluator, name: Any) -> str:
    if is_runtime(name) and not isinstance(name, Text):
        ev.raise_now(TypeError, f"attribute name must be string, not '{class_name(name)}'")
    found = ev.static(name, "the name of an attribute")
    if not isinstance(found, str):
        ev.raise_now(TypeError, f"attribute name must be string, not '{class_name(found)}'")
    return found


def getattr_(ev: Evaluator, value: Any, name: Any, *default: Any) -> Any:
    name = _attribute_name(ev, name)
    return attribute_or(ev, value, name, *default) if default else ev.attribute(value, name)


def setattr_(ev: Evaluator, value: Any, name: Any, new: Any) -> None:
    ev.set_attribute(value, _attribute_name(ev, name), new)


def delattr_(ev: Evaluator, value: Any, name: Any) -> None:
    ev.delete_attribute(value, _attribute_name(ev, name))


def hasattr_(ev: Evaluator, value: Any, name: Any) -> bool:
    return has_attribute(ev, value, _attribute_name(ev, name))


def super_(ev: Evaluator, kind: Any, owner: Any) -> Super:
    return Super(kind, owner)


def print_(
    ev: Evaluator, *args: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: Any = False
) -> None:
    """Print at run time, in the order of the source."""
    if file is not None and file is not sys.stdout:
        ev.fail("print(file=...) is not supported", "return the values and print them outside")
    sep, end = (default if part is None else part for part, default in ((sep, " "), (end, "\n")))
    for part, value in (("sep", sep), ("end", end)):
        if not isinstance(value, (str, Text)):
            message = f"{part} must be None or a string, not {class_name(value)}"
            ev.fail_as(TypeError, message)
    ev.emit_print(args, sep, end)


def str_(ev: Evaluator, value: Any = "") -> Any:
    return ev.text(value, str)


def repr_(ev: Evaluator, value: Any) -> Any:
    return ev.text(value, repr)


def float_(ev: Evaluator, value: Any = 0.0) -> Any:
    return _converted(ev, float, value)


def int_(ev: Evaluator, value: Any = 0, /, base: Any = None) -> Any:
    return _converted(ev, int, value) if base is None else ev.compute(int, value, base)


#: The classes of what the special method for a conversion may return.
_RETURNED = {
    int: ("int", "bool"), float: ("float", "numpy.float64"), complex: ("complex", "numpy.complex128"),
}  # fmt: skip


def _converted(ev: Evaluator, kind: type, value: Any) -> Any:
    name = kind.__name__
    found = ev.special(value, f"__{name}__")
    if found is None:
        return creation.cast(kind)(ev, ev.as_index(value))
    made = ev.call(found, (), {})
    if class_name(made) not in _RETURNED[kind]:
        owner = f"{class_name(value)}." if kind is float else ""
        message = f"{owner}__{name}__ returned non-{name} (type {class_name(made)})"
        ev.raise_now(TypeError, message)
    return creation.cast(kind)(ev, made)


def bool_(ev: Evaluator, value: Any = False) -> Any:
    return ev.truth(value)


def breakpoint_(ev: Evaluator, *_: Any, **__: Any) -> None:
    ev.fail(
        "breakpoint() can't stop compiled code",
        "print the values, or call the function undecorated: f.__wrapped__(...)",
        page="breakpoint",
    )


def _by_user(name: str, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """A handler that calls the special method of an instance, and `otherwise` for other values."""

    def call(ev: Evaluator, value: Any, *args: Any, **keywords: Any) -> Any:
        found = ev.special(value, name)
        if found is None:
            return otherwise(ev, value, *args, **keywords)
        return ev.call(found, args, keywords)

    return call


def handlers() -> dict[Any, Callable[..., Any]]:
    found: dict[Any, Callable[..., Any]] = {
        builtins.len: lambda ev, value: ev.length(value), builtins.abs: _by_user("__abs__", abs_),
        builtins.round: _by_user("__round__", round_), builtins.sum: sum_,
        builtins.min: _extremum("min", ast.Lt), builtins.max: _extremum("max", ast.Gt),
        math.prod: prod, builtins.divmod: divmod_, builtins.pow: pow_, builtins.isinstance: isinstance_, builtins.issubclass: classes.is_subclass,
        builtins.callable: callable_, builtins.any: any_, builtins.all: all_, builtins.print: print_,
        builtins.getattr: getattr_, builtins.setattr: setattr_, builtins.hasattr: hasattr_,
        builtins.delattr: delattr_, builtins.repr: repr_, builtins.breakpoint: breakpoint_,
        operator.index: _by_user("__index__", integers.index),
    }  # fmt: skip
    return {function: takes_references(handler) for function, handler in found.items()}


def types() -> dict[Any, Callable[..., Any]]:
    found: dict[Any, Callable[..., Any]] = {
        builtins.range: range_, builtins.str: str_, builtins.type: type_, builtins.super: super_,
        builtins.float: float_, builtins.int: int_, builtins.bool: bool_,
        # The bounds of a slice may be dynamic.
        builtins.slice: lambda ev, *args: slice(*map(known, args)),
    }  # fmt: skip
    return {kind: takes_references(handler) for kind, handler in found.items()}
