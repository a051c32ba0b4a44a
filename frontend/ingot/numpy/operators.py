"""The functions of Python's module `operator`, and calls of its itemgetters and the like."""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.numpy.iteration import takes_references
from ingot.numpy.library import mapping
from ingot.syntax.values import List, class_name

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

BINARY: dict[str, type] = {
    "add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "truediv": ast.Div, "floordiv": ast.FloorDiv,
    "mod": ast.Mod, "pow": ast.Pow, "matmul": ast.MatMult, "and_": ast.BitAnd, "or_": ast.BitOr,
    "xor": ast.BitXor, "lshift": ast.LShift, "rshift": ast.RShift,
}  # fmt: skip
COMPARE: dict[str, type] = {
    "eq": ast.Eq, "ne": ast.NotEq, "lt": ast.Lt, "le": ast.LtE, "gt": ast.Gt, "ge": ast.GtE,
    "is_": ast.Is, "is_not": ast.IsNot,
}  # fmt: skip
UNARY: dict[str, type] = {
    "neg": ast.USub, "pos": ast.UAdd, "invert": ast.Invert, "inv": ast.Invert,
}  # fmt: skip


def _binary(op: type) -> Callable[..., Any]:
    return lambda ev, a, b, /: ev.binary(op, a, b)


def _compare(op: type) -> Callable[..., Any]:
    return lambda ev, a, b, /: ev.compare(op(), a, b)


def _unary(op: type) -> Callable[..., Any]:
    return lambda ev, a, /: ev.unary(op, a)


def _in_place(op: type) -> Callable[..., Any]:
    return lambda ev, a, b, /: ev.augmented(op, a, b)


def _concat(join: Callable[..., Any]) -> Callable[..., Any]:
    """operator.concat and iconcat, which refuse arrays."""

    def call(ev: Evaluator, a: Any, b: Any, /) -> Any:
        if not isinstance(a, (List, tuple, str)):
            ev.raise_now(TypeError, f"'{class_name(a)}' object can't be concatenated")
        return join(ev, a, b)

    return call


def _method_of_list(ev: Evaluator, items: Any, name: str, item: Any) -> Any:
    made = ev.call(list, (items,), {})
    return ev.call(ev.attribute(made, name), (item,), {})


def handlers() -> dict[Any, Callable[..., Any]]:
    found: dict[Any, Callable[..., Any]] = {
        **{getattr(operator, name): _binary(op) for name, op in BINARY.items()},
        **{getattr(operator, name): _compare(op) for name, op in COMPARE.items()},
        **{getattr(operator, name): _unary(op) for name, op in UNARY.items()},
        **{
            getattr(operator, "i" + name.rstrip("_")): _in_place(op)
            for name, op in BINARY.items()
        },
        operator.concat: _concat(_binary(ast.Add)),
        operator.iconcat: _concat(_in_place(ast.Add)),
        operator.abs: lambda ev, a, /: ev.call(abs, (a,), {}),
        operator.not_: lambda ev, a, /: ev.negate(ev.truth(a)),
        operator.truth: lambda ev, a, /: ev.truth(a),
        operator.contains: lambda ev, a, b, /: ev.contains(a, b),
        operator.countOf: lambda ev, a, b, /: _method_of_list(ev, a, "count", b),
        operator.indexOf: lambda ev, a, b, /: _method_of_list(ev, a, "index", b),
        operator.call: lambda ev, f, /, *args, **kwargs: ev.call(f, args, kwargs, ev.node),
        operator.getitem: lambda ev, a, b, /: ev.subscript(a, b),
        operator.setitem: lambda ev, a, b, c, /: ev.store_item(a, b, c),
        operator.delitem: lambda ev, a, b, /: ev.delete_item(a, b),
    }  # fmt: skip
    return {function: takes_references(handler) for function, handler in found.items()}


def handler_of(function: Any) -> Callable[..., Any] | None:
    """The handler for a call of an itemgetter, attrgetter, methodcaller or np.vectorize object;
    None for other objects."""
    if isinstance(function, np.vectorize):
        return functools.partial(_vectorized, function=function)
    found = _CALLED.get(type(function))
    if found is None:
        return None
    _, made_of = function.__reduce__()[:2]

    def call(ev: Evaluator, value: Any, /) -> Any:
        return found(ev, value, function, made_of)

    return takes_references(call)


def _vectorized(ev: Evaluator, *args: Any, function: np.vectorize, **kwargs: Any) -> Any:
    """A call of an np.vectorize object."""
    names = ("pyfunc", "otypes", "excluded", "cache", "signature")
    made_of = [ev.lift(ev.reads.attribute(function, name)) for name in names]
    return ev.inline(mapping.vectorized, (*made_of, args, ev.new_dict(kwargs)), {}, ev.node)


def _items(ev: Evaluator, value: Any, function: Any, keys: tuple) -> Any:
    found = tuple(ev.subscript(value, key) for key in keys)
    return found if len(keys) > 1 else found[0]


def _attributes(ev: Evaluator, value: Any, function: Any, names: tuple[str, ...]) -> Any:
    found = []
    for name in names:
        each = value
        for part in name.split("."):
            each = ev.attribute(each, part)
        found.append(each)
    return tuple(found) if len(names) > 1 else found[0]


def _method(ev: Evaluator, value: Any, function: Any, made_of: Any) -> Any:
    maker = function.__reduce__()[0]
    # A methodcaller with keywords reduces to a partial, which holds the name and the keywords.
    kwargs = getattr(maker, "keywords", None) or {}
    bound: Any = getattr(maker, "args", ())
    parts: list[Any] = [*bound, *made_of]
    name, given = parts[0], [ev.lift(each) for each in parts[1:]]
    named = {key: ev.lift(each) for key, each in kwargs.items()}
    return ev.call(ev.attribute(value, name), tuple(given), named)


_CALLED: dict[type, Callable[..., Any]] = {
    operator.itemgetter: _items, operator.attrgetter: _attributes, operator.methodcaller: _method,
}  # fmt: skip
