"""Types of values at control flow joins, and how two types are joined.

The type of a value is the value itself at first (`StaticType`). If two paths have different values,
both are opened, one level at a time, until their items are equal, or are numbers and arrays, which
SSA values can represent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ingot.dtypes import OF_PYTHON, STATIC_NUMBERS, join_weak, storage_dtype
from ingot.numpy.layout import Strides, strides_of
from ingot.syntax.dynamic import Grown, Part, Sliced
from ingot.syntax.functions import LocalFunction, Method
from ingot.syntax.ops import static_kind
from ingot.syntax.values import (
    Array,
    Broken,
    Cell,
    Kinds,
    Maybe,
    OrNone,
    Reference,
    Scalar,
    Storage,
    Supply,
    Symbolic,
    Unbound,
    Undetermined,
    describe,
    same_object,
)

#: Containers nested deeper than this are assumed to contain themselves.
DEEPEST = 40


@dataclass(frozen=True)
class ScalarType:
    """A number; `kinds` are its kinds on the joined paths if they differ, else None."""

    dtype: np.dtype
    weak: type | None
    kinds: Kinds | None = None

    @property
    def kind(self) -> np.dtype | type:
        return self.weak or self.dtype

    @property
    def all_kinds(self) -> Kinds:
        return self.kinds or frozenset((self.kind,))


@dataclass(frozen=True)
class ArrayType:
    """An array.

    Attributes:
        strides, swapped: as in `Storage`.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    strides: Strides = None
    swapped: bool = False


@dataclass(frozen=True)
class SlicedType:
    """An array whose live positions are a span along each open axis.

    Attributes:
        dense: the type of the whole array.
        ends: for each axis, the number of integers that the span needs: 0 without a span, 1 (the
            count) if the span starts at 0, else 2 (the count and the start).
    """

    dense: ArrayType
    ends: tuple[int, ...]

    @property
    def items(self) -> tuple[ArrayType]:
        return (self.dense,)


@dataclass(frozen=True)
class TupleType:
    """A tuple, or a named tuple of class `kind`."""

    kind: type
    items: tuple[Type, ...]


@dataclass(frozen=True)
class ObjectType:
    """A list, dict, set or instance that is made anew at a join.

    Attributes:
        kind: the Python class.
        keys: the keys of a dict, the names of attributes, the elements of a set; None for a list.
        items: the types of its items, in that order; none for a set.
        extra: see `Cell`.
    """

    kind: type
    keys: tuple[Any, ...] | None
    items: tuple[Type, ...]
    extra: Any = None


@dataclass(frozen=True)
class GrownType:
    """A list with items of one type, stored as rows of arrays.

    Attributes:
        item: the type of each item.
        capacity: the number of rows.
        most: an upper bound of the length.
        length: the length, or None if it is known only at run time.
        extra: see `Cell`.
    """

    item: Type
    capacity: int
    most: int
    length: int | None
    extra: Any = None


@dataclass(frozen=True)
class MaybeType:
    """A name that only some paths assign."""

    made: ClassVar[type[Maybe]] = Maybe
    inner: Type


@dataclass(frozen=True)
class OrNoneType(MaybeType):
    """A value that is None on some paths."""

    made: ClassVar[type[Maybe]] = OrNone


#: The types of values that may be absent, by their classes.
_MAYBE_TYPES: dict[type, type[MaybeType]] = {Maybe: MaybeType, OrNone: OrNoneType}


class View:
    """The contents of cells at the end of a path.

    Args:
        memory: the contents of the cells that hold something else now.
        lift_all: lifts the attributes of an instance from outside.
    """

    def __init__(self, memory: dict[Cell, Any], lift_all: Callable[[Cell], None]) -> None:
        self._memory, self._lift_all = memory, lift_all

    def contents(self, cell: Cell) -> Any:
        if cell in self._memory:
            return self._memory[cell]
        self._lift_all(cell)
        return cell.value


@dataclass(frozen=True)
class StaticType:
    """The type of just this value, at the end of a path."""

    value: Any
    view: View | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StaticType) and same_static(self.value, other.value)

    def __hash__(self) -> int:
        return 0


Type = (
    ScalarType
    | ArrayType
    | SlicedType
    | TupleType
    | ObjectType
    | GrownType
    | MaybeType
    | StaticType
)


@dataclass
class ListLengths:
    """Whether lists of different lengths may be joined to a list with a run-time length.

    This is the last resort, since lists of static lengths support more.

    Attributes:
        are_open: whether they may.
        wanted: whether a join needed it.
    """

    are_open: bool = False
    wanted: bool = False

    def open(self) -> bool:
        self.wanted = True
        return self.are_open


class JoinError(Exception):
    """Two types that can't be joined; the text says why.

    Args:
        parameter: as in `Unbound`.
    """

    def __init__(self, reason: str, parameter: Any = None) -> None:
        super().__init__(reason)
        self.parameter = parameter


class ArraysDiffer(JoinError):
    """One is an array of another dtype than the other, or a number or array without axes: what an
    array may be before the first iteration of a loop, and after each."""


def same_static(a: Any, b: Any) -> bool:
    """Whether two values are the same one, as far as a program can tell."""
    if same_object(a, b):
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, STATIC_NUMBERS):
        # Distinguishes 0.0 from -0.0, and makes NaN equal to itself.
        return repr(a) == repr(b)
    if isinstance(a, Method):
        return a.name == b.name and a.function is b.function and same_object(a.owner, b.owner)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same_static, a, b))
    if isinstance(a, Unbound):
        return a.reason == b.reason
    if isinstance(a, LocalFunction):
        has_defaults = a.defaults or a.keyword_defaults or b.defaults or b.keyword_defaults
        return a.node is b.node and a.frame is b.frame and not has_defaults
    if isinstance(a, slice):
        return all(same_static(getattr(a, n), getattr(b, n)) for n in ("start", "stop", "step"))
    return isinstance(a, (str, bytes, np.dtype)) and a == b


# From values to types.


def _ends_of(part: Part) -> tuple[int, ...]:
    """The number of integers that the span of each axis needs; see `SlicedType`."""
    if not isinstance(part, Sliced):
        # What a mask selects is moved to the start of the axis.
        return tuple(map(int, part.is_open))
    return tuple(
        0 if span is None else 1 if isinstance(span.start, int) and span.start == 0 else 2
        for span in part.spans
    )


def scalar_type(number: Scalar) -> ScalarType:
    return ScalarType(number.held, number.weak, getattr(number, "kinds", None))


def of_kind(kind: np.dtype | type) -> ScalarType:
    """The type of numbers of one kind."""
    if isinstance(kind, np.dtype):
        return ScalarType(kind, None)
    return ScalarType(OF_PYTHON[kind], kind)


def runtime_type(value: Any) -> Type | None:
    """The type of a number or array as a run-time value; None for other values."""
    if isinstance(value, Scalar):
        return scalar_type(value)
    if isinstance(value, Array):
        return ArrayType(value.shape, value.dtype, strides_of(value), value.storage.swapped)
    if isinstance(value, Part):
        return SlicedType(ArrayType(value.bounds, value.dtype), _ends_of(value))
    if isinstance(value, STATIC_NUMBERS):
        return of_kind(static_kind(value))
    return None


def type_of(value: Any, view: View | None = None, *, runtime: bool = False) -> Type:
    """The type of a value; with `runtime`, a static number has the type of a run-time one."""
    if isinstance(value, (Scalar, Array)) or (runtime and isinstance(value, STATIC_NUMBERS)):
        found = runtime_type(value)
        assert found is not None
        return found
    if isinstance(value, Maybe):
        return _MAYBE_TYPES[type(value)](type_of(value.value, view))
    if isinstance(value, tuple):
        return TupleType(type(value), tuple(type_of(each, view) for each in value))
    return StaticType(value, view)


def contents_type(cell: Cell, contents: Any, view: View | None) -> Type:
    """The type of the contents of an array or a container."""
    if isinstance(cell, Storage):
        return ArrayType(cell.shape, cell.dtype)
    if isinstance(contents, Broken):
        raise JoinError(contents.reason, contents.parameter)
    if isinstance(contents, Supply):
        raise JoinError("an iterator with different positions on different paths")
    if isinstance(contents, Grown):
        length = contents.length if isinstance(contents.length, int) else None
        return GrownType(contents.item, contents.capacity, contents.most, length, cell.extra)
    if isinstance(contents, dict):
        items = tuple(StaticType(each, view) for each in contents.values())
        return ObjectType(cell.kind, tuple(contents), items, cell.extra)
    if isinstance(contents, set):
        return ObjectType(cell.kind, tuple(contents), ())
    items = tuple(StaticType(each, view) for each in contents)
    return ObjectType(cell.kind, None, items, cell.extra)


def _opened(type_: Type) -> Type:
    """The type of a value's contents instead of its identity, one level deep."""
    if not isinstance(type_, StaticType):
        return type_
    value = type_.value
    if isinstance(value, Reference):
        view = type_.view
        contents = view.contents(value.cell) if view else value.cell.value
        return contents_type(value.cell, contents, view)
    if isinstance(value, Maybe):
        return _MAYBE_TYPES[type(value)](StaticType(value.value, type_.view))
    if isinstance(value, tuple):
        return TupleType(type(value), tuple(StaticType(each, type_.view) for each in value))
    return runtime_type(value) or type_


def escaping(type_: Type, first: int, depth: int = 0) -> Type:
    """The type of a value after it has left a path, which made all cells from number `first` on.

    Raises:
        JoinError: the value can't leave the path.
    """
    if depth > DEEPEST:
        raise JoinError("a container that holds itself")
    if isinstance(type_, StaticType):
        value = type_.value
        is_object = isinstance(value, Reference) or (isinstance(value, Array) and value.is_whole)
        is_old = is_object and value.cell.number < first
        if is_old or isinstance(value, STATIC_NUMBERS) or not isinstance(value, (Symbolic, tuple)):
            return type_
        if isinstance(value, LocalFunction) and not (value.defaults or value.keyword_defaults):
            return type_
        opened = _opened(type_)
        if isinstance(opened, StaticType):
            if isinstance(value, Unbound):
                return type_
            raise JoinError(f"{describe(value)} on one path only")
        return escaping(opened, first, depth)
    if isinstance(type_, MaybeType):
        return type(type_)(escaping(type_.inner, first, depth + 1))
    if isinstance(type_, TupleType):
        return TupleType(type_.kind, tuple(escaping(t, first, depth + 1) for t in type_.items))
    if isinstance(type_, ObjectType):
        items = tuple(escaping(t, first, depth + 1) for t in type_.items)
        return ObjectType(type_.kind, type_.keys, items, type_.extra)
    return type_


# Joining.


def join(
    a: Type,
    b: Type,
    *,
    lists: ListLengths | None = None,
    depth: int = 0,
) -> Type:
    """The type that values of both types can be converted to.

    Args:
        lists: whether lists may differ in length; with None they may not.

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
        return MaybeType(join(*inner, lists=lists, depth=depth + 1))
    given = [each for each in map(_not_none, (a, b)) if each is not None]
    if given != [a, b]:
        return _join_none(a, b, given, lists, depth)
    a, b = _opened(a), _opened(b)
    if isinstance(a, (ScalarType, ArrayType)) and isinstance(b, (ScalarType, ArrayType)):
        return _join_numbers(a, b)
    if isinstance(a, SlicedType) or isinstance(b, SlicedType):
        return _join_sliced(a, b)
    if isinstance(a, GrownType) or isinstance(b, GrownType):
        return _join_grown(a, b, lists, depth)
    is_same = type(a) is type(b) and not isinstance(a, StaticType)
    if is_same and _layout(a) == _layout(b):
        pairs = zip(a.items, b.items, strict=True)  # type: ignore[union-attr]
        items = tuple(join(x, y, lists=lists, depth=depth + 1) for x, y in pairs)
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


def _join_none(a: Type, b: Type, given: list[Type], lists: ListLengths | None, depth: int) -> Type:
    """The join where at least one path may leave None; `given` are the other types."""
    is_object = any(isinstance(t, StaticType) and isinstance(t.value, Reference) for t in given)
    if is_object and not (lists and lists.open()):
        # As for lengths of lists, this is the last resort: unrolled, loops over linked objects know
        # what each is.
        raise JoinError(_difference(a, b))
    return OrNoneType(join(*given, lists=lists, depth=depth + 1) if given[1:] else given[0])


def _inner_of(type_: Type, kind: type[Maybe]) -> Type:
    """The inner type of values of a kind; other types as they are."""
    if isinstance(type_, MaybeType) and type_.made is kind:
        return type_.inner
    if isinstance(type_, StaticType) and type(type_.value) is kind:
        return StaticType(type_.value.value, type_.view)
    return type_


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
        bound = _opened(bound)
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
    if isinstance(a, ArrayType) and isinstance(b, ArrayType) and a.shape == b.shape:
        if a.dtype != b.dtype or a.swapped != b.swapped:
            raise ArraysDiffer(_difference(a, b))
        strides = a.strides if a.strides == b.strides else ()
        return ArrayType(a.shape, a.dtype, strides, a.swapped)
    if isinstance(a, ScalarType) or not a.shape:
        raise ArraysDiffer(_difference(a, b))
    raise JoinError(_difference(a, b))


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


def _join_grown(a: Type, b: Type, lists: ListLengths | None, depth: int) -> Type:
    """The join of two lists of which at least one is stored as rows."""
    room = max(each.capacity for each in (a, b) if isinstance(each, GrownType))
    one, other = (_as_grown(each, room) for each in (a, b))
    if one is None or other is None or one.extra != other.extra:
        raise JoinError(_difference(a, b))
    fits = all(_fits(each, room) for each in (a, b))
    if not fits and not (lists and lists.open()):
        raise JoinError(_difference(a, b))
    held = [each.item for each in (one, other) if each.item is not None]
    item = join(held[0], held[-1], depth=depth + 1)
    length = one.length if one.length == other.length else None
    capacity, most = max(one.capacity, other.capacity), max(one.most, other.most)
    return GrownType(item, capacity, most, length, one.extra)


def _fits(type_: Type, room: int) -> bool:
    """Whether a list has `room` rows, or can be stored in as many."""
    if isinstance(type_, GrownType):
        return type_.capacity == room
    return len(type_.items) <= room  # type: ignore[union-attr]


def _join_lists(a: ObjectType, b: ObjectType, lists: ListLengths | None) -> Type:
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
    type_ = _opened(type_)
    if isinstance(type_, GrownType):
        return type_.most
    return len(type_.items) if isinstance(type_, ObjectType) else 0


def row_type(type_: Type) -> Type | None:
    """The run-time type of a number, or of a tuple of numbers; None for other types."""
    type_ = _opened(type_)
    if isinstance(type_, TupleType) and type_.items:
        items = [row_type(each) for each in type_.items]
        return None if None in items else TupleType(type_.kind, tuple(items))  # type: ignore[arg-type]
    return type_ if isinstance(type_, ScalarType) else None


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
    if isinstance(type_, MaybeType):
        return f"a name that may be unbound, or {_name(type_.inner)}"
    if isinstance(type_, GrownType):
        return "a list that grows"
    if not isinstance(type_, ObjectType):
        return describe(type_.value)
    if type_.kind is list:
        return f"a list of {len(type_.items)}"
    if type_.keys is None or not type_.keys:
        return f"an empty {type_.kind.__name__}"
    return f"a {type_.kind.__name__} with {', '.join(map(str, type_.keys))}"
