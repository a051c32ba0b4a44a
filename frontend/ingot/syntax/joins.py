"""Joins: the types that values of several paths have where the paths meet."""

from __future__ import annotations

import contextlib
import reprlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot.dtypes import OF_PYTHON, join_weak, storage_dtype
from ingot.syntax.types import (
    DEEPEST,
    ArrayType,
    GrownType,
    JoinError,
    MaybeType,
    ObjectType,
    OneOfType,
    OrNoneType,
    ScalarType,
    SlicedType,
    StaticType,
    TupleType,
    Type,
    opened,
    several,
)
from ingot.syntax.values import (
    Kinds,
    Maybe,
    OneOf,
    OrNone,
    Reference,
    Unbound,
    Undetermined,
    describe,
)


@dataclass
class Openness:
    """Whether something may be known at run time only, as a last resort: what is static supports
    more.

    Attributes:
        are_open: whether it may.
        wanted: whether a join needed it.
    """

    are_open: bool = False
    wanted: bool = False

    def open(self) -> bool:
        self.wanted = True
        return self.are_open


class ArraysDiffer(JoinError):
    """One is an array of another dtype than the other, or a number or array without axes: what an
    array may be before the first iteration of a loop, and after each."""


def join(
    a: Type,
    b: Type,
    *,
    lists: Openness | None = None,
    shapes: Openness | None = None,
    depth: int = 0,
) -> Type:
    """The type that values of both types can be converted to.

    Args:
        lists: whether lists may differ in length, and become one of a run-time length; with None
            they may not.
        shapes: whether arrays may, in the same way.

    Raises:
        JoinError: there is no such type.
    """
    if a == b:
        return a
    if depth > DEEPEST:
        raise JoinError("a container that holds itself")
    unbound = [_unbound(each) for each in (a, b)]
    if any(each is not None for each in unbound):
        return _join_unbound(a, b, unbound)
    inner = [_assigned(each) for each in (a, b)]
    if inner != [a, b]:
        return MaybeType(join(*inner, lists=lists, shapes=shapes, depth=depth + 1))
    given = [each for each in map(_not_none, (a, b)) if each is not None]
    if given != [a, b]:
        return _join_none(a, b, given, lists, shapes, depth)
    if alternatives(a)[1:] or alternatives(b)[1:]:
        return one_of(a, b)
    given = [a, b]
    a, b = opened(a), opened(b)
    if OneOfType in (type(a), type(b)):
        raise JoinError(_difference(*given))
    if isinstance(a, ArrayType) and isinstance(b, ArrayType) and a.shape != b.shape:
        return _join_shapes(a, b, shapes)
    if isinstance(a, (ScalarType, ArrayType)) and isinstance(b, (ScalarType, ArrayType)):
        return _join_numbers(a, b)
    if isinstance(a, SlicedType) or isinstance(b, SlicedType):
        return _join_sliced(a, b)
    if isinstance(a, GrownType) or isinstance(b, GrownType):
        return _join_grown(a, b, lists, depth)
    is_same = type(a) is type(b) and not isinstance(a, StaticType)
    if is_same and _layout(a) == _layout(b):
        pairs = zip(a.items, b.items, strict=True)  # type: ignore[union-attr]
        items = tuple(join(x, y, lists=lists, shapes=shapes, depth=depth + 1) for x, y in pairs)
        if isinstance(a, TupleType):
            return TupleType(a.kind, items)
        return ObjectType(a.kind, a.keys, items, a.extra)  # type: ignore[union-attr,arg-type]
    if isinstance(a, ObjectType) and isinstance(b, ObjectType):
        return _join_lists(a, b, lists)
    raise JoinError(_difference(a, b))


def _assigned(type_: Type) -> Type:
    """The inner type of a name that only some paths assign; other types as they are."""
    return _inner_of(type_, Maybe)


def _not_none(type_: Type) -> Type | None:
    """The type of a value where it is not None; None for that of None."""
    if isinstance(type_, StaticType) and type_.value is None:
        return None
    return _inner_of(type_, OrNone)


def _join_none(
    a: Type,
    b: Type,
    given: list[Type],
    lists: Openness | None,
    shapes: Openness | None,
    depth: int,
) -> Type:
    """The join where at least one path may leave None; `given` are the other types."""
    is_object = any(isinstance(t, StaticType) and isinstance(t.value, Reference) for t in given)
    if is_object and not (lists and lists.open()):
        # As for lengths of lists, this is the last resort: unrolled, loops over linked objects know
        # what each is.
        raise JoinError(_difference(a, b))
    if not given[1:]:
        return OrNoneType(given[0])
    return OrNoneType(join(*given, lists=lists, shapes=shapes, depth=depth + 1))


def _inner_of(type_: Type, kind: type[Maybe]) -> Type:
    """The inner type of values of a kind; other types as they are."""
    if isinstance(type_, MaybeType) and type_.made is kind:
        return type_.inner
    if isinstance(type_, StaticType) and type(type_.value) is kind:
        return StaticType(type_.value.value, type_.view)
    return type_


def alternatives(type_: Type) -> tuple[Type, ...]:
    """The types of which a value has one, as run time tells."""
    if isinstance(type_, StaticType) and isinstance(type_.value, OneOf):
        type_ = opened(type_)
    return type_.items if isinstance(type_, OneOfType) else (type_,)


def one_of(a: Type, b: Type) -> Type:
    """The type of a value that is of one type on one path, and of another one on another.

    Raises:
        JoinError: there are too many, or a name may have none.
    """
    if _unbound(a) is not None or _unbound(b) is not None:
        raise JoinError(_difference(a, b))
    inner = [_assigned(each) for each in (a, b)]
    if inner != [a, b]:
        return MaybeType(one_of(*inner))
    given = [each for each in map(_not_none, (a, b)) if each is not None]
    if given != [a, b]:
        return OrNoneType(one_of(given[0], given[-1]))
    found = list(alternatives(a))
    for each in alternatives(b):
        place = place_of(each, found)
        if place is None:
            found.append(each)
        else:
            found[place] = join(found[place], each)
    return several(found)


def place_of(type_: Type, among: Sequence[Type]) -> int | None:
    """Which of several types values of this type have, or can be converted to; None if none."""
    for i, each in enumerate(among):
        if each == type_:
            return i
    for i, each in enumerate(among):
        with contextlib.suppress(JoinError):
            join(each, type_)
            return i
    return None


def _unbound(type_: Type) -> Unbound | None:
    is_unbound = isinstance(type_, StaticType) and isinstance(type_.value, Unbound)
    return type_.value if is_unbound else None  # type: ignore[union-attr]


def _join_unbound(a: Type, b: Type, unbound: list[Unbound | None]) -> Type:
    """The join where at least one path has left a name unbound."""
    for each in unbound:
        if each is not None and each.reason:
            raise JoinError(each.reason, each.parameter)
    bound = b if unbound[0] is not None else a
    if isinstance(bound, StaticType) and type(bound.value) is Maybe:
        bound = opened(bound)
    if type(bound) is MaybeType:
        return bound
    return MaybeType(bound)


def _layout(type_: Any) -> tuple:
    """The properties that must be equal to join two containers item by item."""
    if isinstance(type_, TupleType):
        return type_.kind, len(type_.items)
    keys = None if type_.keys is None else tuple(map(repr, type_.keys))
    return type_.kind, keys, len(type_.items), type_.extra


def _join_numbers(a: Any, b: Any) -> Type:
    if isinstance(a, ScalarType) and isinstance(b, ScalarType):
        kinds = a.all_kinds | b.all_kinds
        joined = kinds if len(kinds) > 1 else None
        if a.weak and b.weak:
            weak = join_weak(a.weak, b.weak)
            return ScalarType(OF_PYTHON[weak], weak, joined)
        return ScalarType(storage_dtype(kinds), None, joined)
    if isinstance(a, ArrayType) and isinstance(b, ArrayType):
        if a.dtype != b.dtype or a.swapped != b.swapped:
            raise ArraysDiffer(_difference(a, b))
        strides = a.strides if a.strides == b.strides else ()
        return ArrayType(a.shape, a.dtype, strides, a.swapped)
    if isinstance(a, ScalarType) or not a.shape:
        raise ArraysDiffer(_difference(a, b))
    raise JoinError(_difference(a, b))


def _join_shapes(a: ArrayType, b: ArrayType, shapes: Openness | None) -> Type:
    """An array whose length along each axis where the two differ is known at run time only."""
    if not a.shape:
        raise ArraysDiffer(_difference(a, b))
    is_alike = a.dtype == b.dtype and len(a.shape) == len(b.shape) and not (a.swapped or b.swapped)
    is_known = all(type(extent) is int for extent in (*a.shape, *b.shape))
    if not (is_alike and is_known and shapes and shapes.open()):
        raise JoinError(_difference(a, b))
    pairs = list(zip(a.shape, b.shape, strict=True))
    dense = ArrayType(tuple(map(max, pairs)), a.dtype)
    return SlicedType(dense, tuple(int(m != n) for m, n in pairs))


def _join_sliced(a: Type, b: Type) -> Type:
    """A type with the greater bound along each axis; an axis that is open on one path is open."""
    first, second = (
        SlicedType(each, (0,) * len(each.shape)) if isinstance(each, ArrayType) else each
        for each in (a, b)
    )
    if not (isinstance(first, SlicedType) and isinstance(second, SlicedType)):
        raise JoinError(_difference(a, b))
    is_same = first.dense.dtype == second.dense.dtype
    if not is_same or len(first.ends) != len(second.ends):
        raise JoinError(_difference(a, b))
    ends = tuple(map(max, first.ends, second.ends))
    pairs = list(zip(first.dense.shape, second.dense.shape, strict=True))
    if any(m != n and not free for (m, n), free in zip(pairs, ends, strict=True)):
        raise JoinError(_difference(a, b))
    shape = tuple(max(pair) for pair in pairs)
    return SlicedType(ArrayType(shape, first.dense.dtype), ends)


def common_outcome(kinds: Kinds, outcome: Callable[[np.dtype | type], np.dtype]) -> np.dtype:
    """The outcome for all kinds.

    Raises:
        Undetermined: the outcomes differ.
    """
    found = {outcome(kind) for kind in kinds}
    if len(found) > 1:
        raise Undetermined(kinds)
    return found.pop()


def _join_grown(a: Type, b: Type, lists: Openness | None, depth: int) -> Type:
    """The join of two lists of which at least one is stored as rows."""
    room = max(each.capacity for each in (a, b) if isinstance(each, GrownType))
    one, other = (_as_grown(each, room) for each in (a, b))
    if one is None or other is None or one.extra != other.extra:
        raise JoinError(_difference(a, b))
    fits = all(_fits(each, room) for each in (a, b))
    if not fits and not (lists and lists.open()):
        raise JoinError(_difference(a, b))
    held = [each.item for each in (one, other) if each.item is not None]
    item = join_rows(held[0], held[-1], depth + 1)
    length = one.length if one.length == other.length else None
    capacity, most = max(one.capacity, other.capacity), max(one.most, other.most)
    return GrownType(item, capacity, most, length, one.extra)


def _fits(type_: Type, room: int) -> bool:
    """Whether a list has `room` rows, or can be stored in as many."""
    if isinstance(type_, GrownType):
        return type_.capacity == room
    return len(type_.items) <= room  # type: ignore[union-attr]


def _join_lists(a: ObjectType, b: ObjectType, lists: Openness | None) -> Type:
    """The join of two lists of numbers that differ in length."""
    one, other = (_as_grown(each, 0) for each in (a, b))
    is_alike = one is None or other is None or len(a.items) == len(b.items)
    if is_alike or not (lists and lists.open()):
        raise JoinError(_difference(a, b))
    return _join_grown(one, other, lists, 0)


def _as_grown(type_: Type, room: int) -> Any:
    """The type of a list stored as rows, or None; the item type of an empty list is None.

    Rows are copies. That makes no difference for numbers. A list of other items is stored as rows
    only if it is joined with a list of rows that has room for as many.
    """
    if isinstance(type_, GrownType):
        return type_
    if not (isinstance(type_, ObjectType) and type_.kind is list):
        return None
    length = len(type_.items)
    item: Any = None
    for each in type_.items:
        row = row_type(each)
        if row is None and length > room:
            return None
        row = each if row is None else row
        item = row if item is None else join(item, row)
    return GrownType(item, length, length, length, type_.extra)


def most_of(type_: Type) -> int:
    """The most items that a list of the type can have."""
    type_ = opened(type_)
    if isinstance(type_, OneOfType):
        return max(map(most_of, type_.items))
    if isinstance(type_, GrownType):
        return type_.most
    return len(type_.items) if isinstance(type_, ObjectType) else 0


def row_type(type_: Type) -> Type | None:
    """The run-time type of a number, or of a tuple of numbers; None for other types."""
    type_ = opened(type_)
    if isinstance(type_, TupleType) and type_.items:
        items = [row_type(each) for each in type_.items]
        return None if None in items else TupleType(type_.kind, tuple(items))  # type: ignore[arg-type]
    return type_ if isinstance(type_, ScalarType) else None


def join_rows(a: Type, b: Type, depth: int = 0) -> Type:
    """The join of the types of two items of lists that are stored as rows.

    Raises:
        JoinError: there is none, or its values can't be rows, such as a number that may be None.
    """
    joined = join(a, b, depth=depth)
    if not is_stackable(joined):
        raise JoinError(_difference(a, b))
    return joined


def is_stackable(type_: Type) -> bool:
    """Whether values of the type are numbers, arrays and tuples of them, which can be stacked."""
    if isinstance(type_, TupleType):
        return all(map(is_stackable, type_.items))
    return isinstance(type_, (ScalarType, ArrayType))


def _difference(a: Type, b: Type) -> str:
    return f"holds {_name(a)} on one path and {_name(b)} on another"


def _name(type_: Any) -> str:
    if isinstance(type_, ScalarType):
        return f"a {type_.weak.__name__ if type_.weak else type_.dtype.name}"
    if isinstance(type_, ArrayType):
        dtype = type_.dtype.newbyteorder("S") if type_.swapped else type_.dtype
        return f"an array of shape {type_.shape} and dtype {dtype}"
    if isinstance(type_, SlicedType):
        return f"an array of a length known only at run time and dtype {type_.dense.dtype}"
    if isinstance(type_, TupleType):
        if type_.kind is tuple:
            return f"a tuple of {len(type_.items)}"
        return f"a {type_.kind.__name__}"
    if isinstance(type_, OneOfType):
        return "a value of several structures"
    if isinstance(type_, MaybeType):
        return f"a name that may be unbound, or {_name(type_.inner)}"
    if isinstance(type_, GrownType):
        return "a list that grows"
    if not isinstance(type_, ObjectType):
        is_text = isinstance(type_.value, str)
        return f"the str {reprlib.repr(type_.value)}" if is_text else describe(type_.value)
    if type_.kind is list:
        return f"a list of {len(type_.items)}"
    if type_.keys is None or not type_.keys:
        return f"an empty {type_.kind.__name__}"
    return f"a {type_.kind.__name__} with {', '.join(map(str, type_.keys))}"
