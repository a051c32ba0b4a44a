"""`copy.copy` and `copy.deepcopy`."""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ingot.dtypes import STATIC_NUMBERS
from ingot.numpy.iteration import takes_references
from ingot.syntax import rows
from ingot.syntax.cells import Cell
from ingot.syntax.functions import LocalFunction
from ingot.syntax.parts import PARTS
from ingot.syntax.values import (
    Array,
    Dict,
    Instance,
    List,
    OrNone,
    Reference,
    Scalar,
    Set,
    Text,
    describe,
    is_view,
)

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: Values that are their own copies, since they never change.
_CONSTANT = (
    *STATIC_NUMBERS, Scalar, Text, LocalFunction, str, bytes, type(None), type, slice, np.dtype,
    types.FunctionType, types.BuiltinFunctionType, np.ufunc,
)  # fmt: skip
#: Methods by which a class has its instances copied in another way.
_HOOKS = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__")


def _shallow(ev: Evaluator, value: Any) -> Any:
    if type(value) is OrNone:
        return replace(value, value=_shallow(ev, value.value))
    if isinstance(value, (*_CONSTANT, tuple)):
        return value
    if isinstance(value, Array):
        return ev.call(np.array, (value,), {})
    if isinstance(value, (List, Dict, Set)) or type(value) in PARTS:
        return ev.call(ev.attribute(value, "copy"), (), {})
    if not isinstance(value, Instance):
        _refuse(ev, value)
    found = ev.special(value, "__copy__")
    if found is not None:
        return ev.call(found, (), {})
    return _instance(ev, value, lambda each: each)


def _deep(ev: Evaluator, value: Any, memo: Any = None) -> Any:
    if memo is not None:
        ev.fail("copy.deepcopy with a memo is not supported", "leave the memo out")
    return _deeper(ev, {}, value)


def _deeper(ev: Evaluator, made: dict[Any, Any], value: Any) -> Any:
    """A deep copy; `made` are the copies so far, by the cells that they are copies of."""
    deeper = functools.partial(_deeper, ev, made)
    if type(value) is OrNone:
        return replace(value, value=deeper(value.value))
    if isinstance(value, _CONSTANT):
        return value
    if isinstance(value, tuple):
        items = tuple(map(deeper, value))
        return type(value)(*items) if hasattr(value, "_fields") else items
    if type(value) in PARTS:
        return _shallow(ev, value)
    if not isinstance(value, (Array, List, Dict, Set, Instance)):
        _refuse(ev, value)
    # Each view becomes an array of its own.
    key = id(value) if is_view(value) else value.cell
    if key not in made:
        _require_known(ev, made, value.cell)
        made[key] = None
        made[key] = _container(ev, value, deeper, made)
    elif made[key] is None:
        ev.fail("a deep copy of what holds itself is not supported", "copy its parts")
    return made[key]


def _container(
    ev: Evaluator, value: Any, deeper: Callable[[Any], Any], made: dict[Any, Any]
) -> Any:
    if isinstance(value, (Array, Set)):
        return _shallow(ev, value)
    if isinstance(value, List):
        contents = ev.contents(value)
        if rows.is_open(contents):
            return ev.list_of(replace(contents, first=(), appended=frozenset()))
        return ev.new_list(map(deeper, ev.items(value)))
    if isinstance(value, Dict):
        copied = _shallow(ev, value)
        copied.cell.value = {key: deeper(each) for key, each in ev.entries(value).items()}
        return copied
    found = ev.special(value, "__deepcopy__")
    if found is not None:
        return ev.call(found, (ev.new_dict({}),), {})
    return _instance(ev, value, deeper)


def _instance(ev: Evaluator, value: Instance, copied: Callable[[Any], Any]) -> Instance:
    """A new instance with copies of the attributes of another one."""
    if any(ev.special(value, name) is not None for name in _HOOKS):
        ev.fail(
            f"{value.cell.kind.__name__} says by a method of its own how it is copied",
            "give it a `__copy__` or a `__deepcopy__`",
        )
    made = ev.new_instance(value.cell.kind)
    made.cell.value = {name: copied(each) for name, each in ev.entries(value).items()}
    return made


def _require_known(ev: Evaluator, made: dict[Any, Any], cell: Cell) -> None:
    """Refuse copies of two objects of which only run time knows whether they are one."""
    if any(other in made for other in cell.maybe):
        ev.fail(
            "whether two parts of what is copied are one object depends on what happens at run time",
            "copy the parts one by one",
            page="alias",
        )


def _refuse(ev: Evaluator, value: Any) -> NoReturn:
    what = describe(value) if not isinstance(value, Reference) else value.cell.kind.__name__
    ev.fail(f"a copy of {what} is not supported", "copy arrays, containers and their objects")


def handlers() -> dict[Any, Callable[..., Any]]:
    found: dict[Any, Callable[..., Any]] = {copy.copy: _shallow, copy.deepcopy: _deep}
    return {function: takes_references(handler) for function, handler in found.items()}
