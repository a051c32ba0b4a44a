"""Whether values have attributes, and attributes that are read with a default."""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from ingot.numpy.library import attributes
from ingot.syntax.functions import Super
from ingot.syntax.guards import MISSING
from ingot.syntax.values import (
    Array,
    Instance,
    Range,
    Reference,
    Scalar,
    Symbolic,
    Text,
    describe,
    of_all_kinds,
)

#: The classes of what no object of Python's stands for at compile time.
_CLASSES = {Array: np.ndarray, Range: range, Text: str}


def gives(kind: type, name: str) -> bool:
    """Whether a class gives its instances an attribute: `hasattr` of the class finds those that it
    has of its metaclass, too, such as `__call__`."""
    return any(name in base.__dict__ for base in kind.__mro__)


def sets(found: Any) -> bool:
    """Whether a class attribute is a user-defined data descriptor, which instances can't hide."""
    put = getattr(type(found), "__set__", None)
    return isinstance(put, types.FunctionType)


def is_generated(method: Any) -> bool:
    """Whether dataclasses has written a method; one from a prompt has no file, either."""
    is_function = isinstance(method, types.FunctionType)
    return is_function and method.__code__.co_qualname.startswith("__create_fn__.")


def has_attribute(ev: Any, value: Any, name: str) -> Any:
    """`hasattr`."""
    found = _has(ev, value, name)
    if found is None:
        return ev.inline(attributes.has, (value, name), {}, ev.node, "hasattr")
    return found


def attribute_or(ev: Any, value: Any, name: str, default: Any) -> Any:
    """`getattr` with a default."""
    found = _has(ev, value, name)
    if found is None:
        return ev.inline(attributes.read, (value, name, default), {}, ev.node, "getattr")
    return ev.attribute(value, name) if found else default


def _has(ev: Any, value: Any, name: str) -> bool | None:
    """Whether a value has an attribute; None if that is what code says: a property's, or that of
    `__getattr__`."""
    if isinstance(value, Instance):
        return _instance_has(ev, value, name)
    if isinstance(value, Super):
        return None
    if isinstance(value, Scalar):
        return of_all_kinds(value, lambda kind: gives(_class_of(kind), name))
    if isinstance(value, tuple):
        return gives(type(value), name)
    if isinstance(value, Reference):
        return gives(value.cell.kind, name)
    if type(value) in _CLASSES:
        return gives(_CLASSES[type(value)], name)
    if isinstance(value, Symbolic):
        ev.fail(f"hasattr of {describe(value)} is not supported")
    fields = getattr(value, "__dict__", None)
    if isinstance(value, type):
        ev.reads.of_type(value, name)
        ev.reads.of_type(type(value), name)
        if isinstance(ev.reads.of_type(type(value), "__getattr__"), types.FunctionType):
            return None
    elif type(fields) is dict:
        ev.reads.item(fields, name)
        is_module = isinstance(value, types.ModuleType) and name not in fields
        if is_module and isinstance(ev.reads.item(fields, "__getattr__"), types.FunctionType):
            return None
    return bool(ev.compute(hasattr, value, name))


def _class_of(kind: np.dtype | type) -> type:
    return kind.type if isinstance(kind, np.dtype) else kind


def _instance_has(ev: Any, value: Instance, name: str) -> bool | None:
    kind = value.cell.kind
    if kind is types.SimpleNamespace:
        return ev.attribute_of(value.cell, name) is not MISSING or gives(kind, name)
    found = ev.reads.of_type(kind, name)
    if isinstance(found, property) or sets(found):
        return None
    if ev.attribute_of(value.cell, name) is not MISSING:
        return True
    if found is not MISSING and not isinstance(found, types.MemberDescriptorType):
        return None if _runs_code(found) else True
    return None if ev.reads.of_type(kind, "__getattr__") is not MISSING else False


def _runs_code(found: Any) -> bool:
    """Whether reading this attribute of a class through an instance calls what it stands for."""
    getter = getattr(type(found), "__get__", None)
    return isinstance(found, functools.cached_property) or (
        isinstance(getter, types.FunctionType) and not isinstance(found, type)
    )
