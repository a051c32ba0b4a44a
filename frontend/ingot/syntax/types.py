"""Types of values where control flow meets: joining, flattening and rebuilding them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import CODES, OF_PYTHON, join_weak, promote
from ingot.syntax.ops import Ops, fresh, static_kind
from ingot.syntax.values import (
    ATOMS,
    STATIC_NUMBERS,
    Array,
    Scalar,
    Unbound,
    describe,
)
from ingot_runtime.trees import is_record, make_record


@dataclass(frozen=True)
class ScalarType:
    dtype: np.dtype
    weak: type | None

    @property
    def kind(self) -> np.dtype | type:
        return self.weak or self.dtype


@dataclass(frozen=True)
class ArrayType:
    shape: tuple[int, ...]
    dtype: np.dtype


@dataclass(frozen=True)
class TupleType:
    """A tuple or record (`maker` rebuilds it) of the given items."""

    maker: Any
    items: tuple[Type, ...]


@dataclass(frozen=True)
class Maker:
    """Rebuilds a named tuple, or an instance of a user's class from its attributes."""

    kind: type
    names: tuple[str, ...] | None

    def __call__(self, items: list[Any]) -> Any:
        if self.names is None:
            return self.kind(*items)
        return make_record(self.kind, self.names, items)


def parts_of(value: Any) -> tuple[Any, tuple[Any, ...]] | None:
    """What rebuilds a tuple or a record, and its items; None of other values."""
    if type(value) is tuple:
        return tuple, value
    if isinstance(value, tuple):
        return Maker(type(value), None), tuple(value)
    if isinstance(value, list):
        return list, tuple(value)
    if isinstance(value, ATOMS) or not is_record(value):
        return None
    fields = vars(value)
    return Maker(type(value), tuple(fields)), tuple(fields.values())


@dataclass(frozen=True)
class StaticType:
    """One static value, the same on every path."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StaticType) and same_static(self.value, other.value)

    def __hash__(self) -> int:
        return 0


Type = ScalarType | ArrayType | TupleType | StaticType


class JoinError(Exception):
    """Two types that can't meet; the text says why."""


def same_static(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, STATIC_NUMBERS):
        # Distinguishes 0.0 from -0.0 and takes NaN to be itself.
        return repr(a) == repr(b)
    return isinstance(a, (str, bytes, slice, np.dtype)) and a == b


def same_array(a: Any, b: Any) -> bool:
    """Whether both are one view of one storage."""
    both = isinstance(a, Array) and isinstance(b, Array)
    return both and a.storage is b.storage and a.views == b.views


def _items_of(value: Any) -> tuple[Any, ...]:
    parts = parts_of(value)
    assert parts is not None
    return parts[1]


def type_of(value: Any, *, runtime: bool = False) -> Type:
    """A value's type; with `runtime`, static numbers count as known at run time."""
    if isinstance(value, Scalar):
        return ScalarType(value.dtype, value.weak)
    if isinstance(value, Array):
        return ArrayType(value.shape, value.dtype)
    # One list is itself; where two meet, `join` looks at what they hold.
    parts = None if isinstance(value, list) else parts_of(value)
    if parts is not None:
        maker, items = parts
        return TupleType(maker, tuple(type_of(each, runtime=runtime) for each in items))
    if runtime and isinstance(value, STATIC_NUMBERS):
        return _runtime_scalar(value)
    return StaticType(value)


def _runtime_scalar(value: Any) -> ScalarType:
    kind = static_kind(value)
    if isinstance(kind, np.dtype):
        return ScalarType(kind, None)
    return ScalarType(OF_PYTHON[kind], kind)


def _as_number(type_: Type) -> Type:
    if isinstance(type_, StaticType) and isinstance(type_.value, STATIC_NUMBERS):
        return _runtime_scalar(type_.value)
    return type_


def _as_items(type_: Type) -> Type:
    """Lists as what they hold: they meet as a list that can't be changed any more."""
    if isinstance(type_, StaticType) and isinstance(type_.value, list):
        return TupleType(list, tuple(type_of(each) for each in type_.value))
    return type_


def join(a: Any, b: Any, *, broadcast: bool = False) -> Type:
    """The type that values of both types fit; `broadcast` lets a scalar become an array."""
    if a == b:
        return a
    a, b = (_as_items(each) for each in (a, b))
    is_both = isinstance(a, TupleType) and isinstance(b, TupleType)
    if is_both and a.maker == b.maker and len(a.items) == len(b.items):
        pairs = zip(a.items, b.items, strict=True)
        return TupleType(a.maker, tuple(join(x, y, broadcast=broadcast) for x, y in pairs))
    a, b = _as_number(a), _as_number(b)
    if isinstance(a, ScalarType) and isinstance(b, ScalarType):
        return _join_scalars(a, b)
    if isinstance(a, ArrayType) and isinstance(b, ArrayType) and a.shape == b.shape:
        return ArrayType(a.shape, promote([a.dtype, b.dtype]))
    if broadcast and isinstance(a, ScalarType) and isinstance(b, ArrayType):
        return ArrayType(b.shape, promote([a.kind, b.dtype]))
    raise JoinError(f"{_name(a)} on one path and {_name(b)} on another")


def _join_scalars(a: ScalarType, b: ScalarType) -> ScalarType:
    if a.weak and b.weak:
        weak = join_weak(a.weak, b.weak)
        return ScalarType(OF_PYTHON[weak], weak)
    return ScalarType(promote([a.kind, b.kind]), None)


def _name(type_: Type) -> str:
    if isinstance(type_, ScalarType):
        return f"a {type_.weak.__name__ if type_.weak else type_.dtype.name}"
    if isinstance(type_, ArrayType):
        return f"an array of shape {type_.shape} and dtype {type_.dtype}"
    if isinstance(type_, TupleType):
        kind = getattr(type_.maker, "kind", None)
        return f"a {kind.__name__}" if kind else f"a tuple of {len(type_.items)}"
    return describe(type_.value)


def leaf_types(type_: Type) -> Iterator[tuple[tuple[int, ...], np.dtype]]:
    """The shape and dtype of each SSA value that a value of this type has."""
    if isinstance(type_, ScalarType):
        yield (), type_.dtype
    elif isinstance(type_, ArrayType):
        yield type_.shape, type_.dtype
    elif isinstance(type_, TupleType):
        for item in type_.items:
            yield from leaf_types(item)


def codes(type_: Type) -> list[tuple[list[int], int]]:
    return [(list(shape), CODES[dtype]) for shape, dtype in leaf_types(type_)]


def flatten(ops: Ops, read: Any, value: Any, type_: Type) -> list[Value]:
    """The SSA values of `value` converted to `type_`; zeros for what is unbound."""
    if isinstance(type_, StaticType):
        return []
    if isinstance(value, Unbound):
        return [ops.zeros(shape, dtype) for shape, dtype in leaf_types(type_)]
    if isinstance(type_, TupleType):
        return [
            leaf
            for item, item_type in zip(_items_of(value), type_.items, strict=True)
            for leaf in flatten(ops, read, item, item_type)
        ]
    if isinstance(value, STATIC_NUMBERS):
        ssa = ops.constant(value, type_.dtype)
    else:
        ssa = ops.convert(read(value), type_.dtype)
    return [ops.broadcast(ssa, type_.shape) if isinstance(type_, ArrayType) else ssa]


def rebuild(type_: Type, leaves: Iterator[Value], origin: Any = None) -> Any:
    """A value of this type from its SSA values; each array gets a storage of its own."""
    if isinstance(type_, ScalarType):
        return Scalar(next(leaves), type_.dtype, type_.weak)
    if isinstance(type_, ArrayType):
        return fresh(next(leaves), origin)
    if isinstance(type_, TupleType):
        return type_.maker([rebuild(item, leaves, origin) for item in type_.items])
    return type_.value
