"""Python's built-in functions on values of compiled code."""

from __future__ import annotations

import ast
import builtins
import functools
import operator
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ingot.dimensions import Dimension, as_int
from ingot.dtypes import INT
from ingot.numpy.ufuncs import call_ufunc
from ingot.syntax.types import join, type_of
from ingot.syntax.values import (
    Array,
    Lazy,
    LocalFunction,
    Method,
    Range,
    Scalar,
    Text,
    describe,
    is_number,
    is_runtime,
    leaves_of,
)
from ingot_runtime.errors import DTypeError


def len_(ev: Any, value: Any) -> int:
    if isinstance(value, Array):
        if not value.shape:
            ev.fail("len() of unsized object", kind=DTypeError)
        return value.shape[0]
    if isinstance(value, Range):
        return len(ev.static_items(value))
    return ev.compute(len, value)


def range_(ev: Any, *args: Any) -> Any:
    for arg in args:
        is_index = isinstance(arg, (bool, int, np.integer))
        if not is_index and not (isinstance(arg, Scalar) and arg.dtype.kind in "iub"):
            ev.fail("range() needs integers", "convert with int()", DTypeError)
    bounds: list[Any] = [as_int(a) if not isinstance(a, Scalar) else _weak_int(ev, a) for a in args]
    if not any(isinstance(bound, (Scalar, Dimension)) for bound in bounds):
        made = ev.compute(range, *bounds)
        return Range(made.start, made.stop, made.step)
    if len(bounds) == 1:
        return Range(0, bounds[0], 1)
    return Range(*bounds, *([1] if len(bounds) == 2 else []))


def _weak_int(ev: Any, value: Scalar) -> Scalar:
    if value.weak is int:
        return value
    return Scalar(ev.ops.convert(value.value, INT), INT, int, None, value.low, value.high)


def abs_(ev: Any, x: Any) -> Any:
    if isinstance(x, Scalar) and x.weak:
        kind = (
            float if x.weak is complex else builtins.max(x.weak, int, key=(bool, int, float).index)
        )
        dtype = np.dtype(kind)
        value = x.value if x.weak is complex else ev.ops.convert(x.value, dtype)
        return Scalar(ev.ops.create("abs", [value]), dtype, kind)
    return call_ufunc(ev, np.absolute, (x,)) if is_runtime(x) else ev.compute(builtins.abs, x)


def _extremum(name: str, how: type) -> Callable[..., Any]:
    def call(ev: Any, *args: Any, key: Any = None, default: Any = None) -> Any:
        if key is not None:
            ev.fail(f"{name}() with key= is not supported", "compare in a loop")
        items = list(ev.static_items(args[0])) if len(args) == 1 else list(args)
        if not any(is_runtime(item) or isinstance(item, Dimension) for item in items):
            return ev.compute(getattr(builtins, name), items)
        best = items[0]
        for item in items[1:]:
            best = _better(ev, name, how, item, best)
        return best

    return call


def _better(ev: Any, name: str, how: type, item: Any, best: Any) -> Any:
    """`item if item < best else best`, as min() decides."""
    if not (is_number(item) and is_number(best)):
        ev.fail(f"{name}() of arrays", f"use np.{name}imum", DTypeError)
    test = ev.truth(ev.compare(how(), item, best))
    if isinstance(test, bool):
        return item if test else best
    # The result has the type of whichever wins; they must agree where it is unknown.
    type_: Any = join(type_of(item, runtime=True), type_of(best, runtime=True))
    sides = [ev.ops.convert(ev.read(each), type_.dtype) for each in (item, best)]
    return Scalar(ev.ops.select(test.value, *sides), type_.dtype, type_.weak)


def round_(ev: Any, number: Any, ndigits: Any = None) -> Any:
    if not is_runtime(number):
        return ev.compute(builtins.round, number, ndigits)
    if ndigits is not None:
        return ev.call(np.round, (number, ndigits), {})
    value = number if isinstance(number, Scalar) else ev.truth(number)
    if value.dtype.kind in "iub":
        return value
    whole = ev.ops.elementwise("rint", [value.value], [value.dtype])
    return Scalar(ev.ops.convert(whole, INT), INT, int)


def sum_(ev: Any, iterable: Any, start: Any = 0) -> Any:
    if isinstance(iterable, Array):
        total = ev.call(np.sum, (iterable, 0), {})
        return total if not is_runtime(start) and start == 0 else ev.binary(ast.Add, total, start)
    total = start
    for item in ev.static_items(iterable):
        total = ev.binary(ast.Add, total, item)
    return total


def _lazy(ev: Any, value: Any) -> Any:
    """A sequence as (length, item function)."""
    sequence = ev.iterable(value)
    if isinstance(sequence, (list, tuple)):
        return len(sequence), lambda i: ev.subscript(tuple(sequence), i)
    if isinstance(sequence, Range):
        r = ev.static_items(sequence)
        return len(r), lambda i: _affine(ev, r, i)
    return sequence.length, sequence.item


def _affine(ev: Any, r: range, i: Any) -> Any:
    return ev.binary(ast.Add, r.start, ev.binary(ast.Mult, i, r.step))


def _combined(ev: Any, values: tuple, make: Callable[..., Any], length: int) -> Any:
    """Static where every part is a tuple or list, else indexable at run time."""
    lazy = Lazy(length, make)
    if any(isinstance(ev.iterable(value), (list, tuple)) for value in values):
        return [make(i) for i in range(length)]
    return lazy


def enumerate_(ev: Any, iterable: Any, start: Any = 0) -> Any:
    length, item = _lazy(ev, iterable)
    return _combined(ev, (iterable,), lambda i: (ev.binary(ast.Add, i, start), item(i)), length)


def zip_(ev: Any, *iterables: Any, strict: bool = False) -> Any:
    parts = [_lazy(ev, each) for each in iterables]
    length = builtins.min((n for n, _ in parts), default=0)
    return _combined(ev, iterables, lambda i: tuple(item(i) for _, item in parts), length)


def reversed_(ev: Any, sequence: Any) -> Any:
    length, item = _lazy(ev, sequence)
    return _combined(ev, (sequence,), lambda i: item(ev.binary(ast.Sub, length - 1, i)), length)


def divmod_(ev: Any, a: Any, b: Any) -> tuple:
    return ev.binary(ast.FloorDiv, a, b), ev.binary(ast.Mod, a, b)


def pow_(ev: Any, base: Any, exp: Any, mod: Any = None) -> Any:
    return ev.binary(ast.Pow, base, exp)


def isinstance_(ev: Any, value: Any, kinds: Any) -> bool:
    if isinstance(value, Array):
        example: Any = np.empty(0)
    elif isinstance(value, Scalar):
        example = (value.weak or value.dtype.type)(0)
    else:
        example = value
    return isinstance(example, kinds)


def any_(ev: Any, iterable: Any) -> Any:
    items = [ev.truth(item) for item in ev.static_items(iterable)]
    return functools.reduce(ev.either, items, False)


def all_(ev: Any, iterable: Any) -> Any:
    items = [ev.truth(item) for item in ev.static_items(iterable)]
    return functools.reduce(ev.both, items, True)


def callable_(ev: Any, value: Any) -> bool:
    return isinstance(value, (LocalFunction, Method)) or callable(value)


def print_(
    ev: Any, *args: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: Any = False
) -> None:
    """Prints when the compiled code comes to it, in the order of the source."""
    if file is not None and file is not sys.stdout:
        ev.fail("print(file=...) is not supported", "return the values and print them outside")
    held = next((each for each in args if not _is_printable(each)), None)
    if held is not None:
        ev.fail(
            f"print of {describe(held)} that holds run-time values is not supported",
            "print its items one by one",
        )
    sep, end = (default if part is None else part for part, default in ((sep, " "), (end, "\n")))
    ev.emit_print(args, sep, end)


def _is_printable(value: Any) -> bool:
    return (
        isinstance(value, Text) or is_runtime(value) or not any(map(is_runtime, leaves_of(value)))
    )


def str_(ev: Any, value: Any = "") -> Any:
    if is_runtime(value):
        return Text("{}", (value,))
    return value if isinstance(value, Text) else ev.compute(str, value)


def breakpoint_(ev: Any, *_: Any, **__: Any) -> None:
    ev.fail(
        "breakpoint() can't stop compiled code",
        "print the values, or call the function undecorated: f.__wrapped__(...)",
        page="breakpoint",
    )


def handlers() -> dict[Any, Callable[..., Any]]:
    return {
        builtins.len: len_, builtins.abs: abs_, builtins.round: round_, builtins.sum: sum_,
        builtins.min: _extremum("min", ast.Lt), builtins.max: _extremum("max", ast.Gt),
        builtins.divmod: divmod_, builtins.pow: pow_, builtins.isinstance: isinstance_,
        builtins.callable: callable_, builtins.any: any_, builtins.all: all_, builtins.print: print_,
        builtins.breakpoint: breakpoint_,
        operator.index: lambda ev, value: value,
    }  # fmt: skip


def types() -> dict[Any, Callable[..., Any]]:
    return {
        builtins.range: range_, builtins.enumerate: enumerate_, builtins.zip: zip_,
        builtins.reversed: reversed_,
        builtins.str: str_,
        builtins.tuple: lambda ev, items=(): tuple(ev.static_items(items)),
        builtins.list: lambda ev, items=(): ev.new_list(ev.static_items(items)),
        builtins.dict: lambda ev, **items: ev.new_dict(items),
    }  # fmt: skip
