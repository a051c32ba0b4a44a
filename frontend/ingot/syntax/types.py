"""Types of values at control flow joins, and how two types are joined.

The type of a value is the value itself at first (`StaticType`). If two paths have different values,
both are opened, one level at a time, until their items are equal, or are numbers and arrays, which
SSA values can represent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ingot.dtypes import OF_PYTHON, STATIC_NUMBERS
from ingot.numpy.layout import Strides, strides_of
from ingot.syntax.cells import Cell, Storage
from ingot.syntax.dynamic import Grown, Part, Sliced
from ingot.syntax.functions import LocalFunction, Method
from ingot.syntax.ops import static_kind
from ingot.syntax.values import (
    Array,
    Broken,
    Kinds,
    Maybe,
    OneOf,
    Opaque,
    OrNone,
    Raisable,
    Reference,
    Scalar,
    Supply,
    Symbolic,
    Unbound,
    bounds_of_slice,
    describe,
    same_object,
)
from ingot.syntax.views import is_fixed

#: Containers nested deeper than this are assumed to contain themselves.
DEEPEST = 40
#: The most structures that a value may have on different paths: each use is compiled for each.
MOST_ALTERNATIVES = 8


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


@dataclass(frozen=True)
class OneOfType:
    """A value, or the contents of a container, of one of several types."""

    items: tuple[Type, ...]


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
    | OneOfType
    | StaticType
)


class JoinError(Exception):
    """Two types that can't be joined; the text says why.

    Args:
        parameter: as in `Unbound`.
    """

    def __init__(self, reason: str, parameter: Any = None) -> None:
        super().__init__(reason)
        self.parameter = parameter


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
        is_same = a.node is b.node and a.frame is b.frame and a.name == b.name
        return is_same and not has_defaults
    if isinstance(a, slice):
        return all(map(same_static, bounds_of_slice(a), bounds_of_slice(b)))
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
    if isinstance(value, OneOf):
        return OneOfType(tuple(type_of(each, view) for each in value.values))
    if isinstance(value, tuple):
        return TupleType(type(value), tuple(type_of(each, view) for each in value))
    if _has_runtime_bounds(value):
        return TupleType(slice, tuple(type_of(each, view) for each in bounds_of_slice(value)))
    return StaticType(value, view)


def contents_type(cell: Cell, contents: Any, view: View | None) -> Type:
    """The type of the contents of an array or a container."""
    if isinstance(cell, Storage):
        return ArrayType(cell.shape, cell.dtype)
    if isinstance(contents, Broken):
        raise JoinError(contents.reason, contents.parameter)
    if isinstance(contents, OneOf):
        return OneOfType(tuple(contents_type(cell, each, view) for each in contents.values))
    if isinstance(contents, Supply):
        raise JoinError("is an iterator with different positions on different paths")
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


def opened(type_: Type) -> Type:
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
    if isinstance(value, OneOf):
        return OneOfType(tuple(StaticType(each, type_.view) for each in value.values))
    if isinstance(value, tuple):
        return TupleType(type(value), tuple(StaticType(each, type_.view) for each in value))
    if isinstance(value, slice):
        return TupleType(
            slice, tuple(StaticType(each, type_.view) for each in bounds_of_slice(value))
        )
    return runtime_type(value) or type_


def several(types: Iterable[Type]) -> OneOfType:
    """The type of a value that is of one of these types.

    Raises:
        JoinError: there are more than `MOST_ALTERNATIVES`.
    """
    found: dict[Type, None] = {}
    for each in types:
        found |= dict.fromkeys(each.items if isinstance(each, OneOfType) else (each,))
    if len(found) > MOST_ALTERNATIVES:
        raise JoinError(f"has more than {MOST_ALTERNATIVES} structures on different paths")
    return OneOfType(tuple(found))


def _has_runtime_bounds(value: Any) -> bool:
    return isinstance(value, slice) and any(isinstance(b, Symbolic) for b in bounds_of_slice(value))


def escaping(type_: Type, first: int, depth: int = 0) -> Type:
    """The type of a value after it has left a path, which made all cells from number `first` on.

    Raises:
        JoinError: the value can't leave the path.
    """
    if depth > DEEPEST:
        raise JoinError("a container that holds itself")
    if isinstance(type_, StaticType):
        value = type_.value
        is_object = isinstance(value, Reference) or (
            isinstance(value, Array) and is_fixed(value.views)
        )
        is_old = is_object and value.cell.number < first
        if is_old or isinstance(value, STATIC_NUMBERS):
            return type_
        if not isinstance(value, (Symbolic, tuple)) and not _has_runtime_bounds(value):
            return type_
        if isinstance(value, LocalFunction) and not (value.defaults or value.keyword_defaults):
            return type_
        if type(value) is Opaque:
            return type_
        if isinstance(value, Raisable) and not any(
            isinstance(x, Symbolic) for x in value.args or ()
        ):
            return type_
        contents = opened(type_)
        is_held = isinstance(value, Reference) and (depth or value.cell.maybe)
        if isinstance(contents, OneOfType) and is_held:
            raise JoinError(f"holds {describe(value)} of several structures")
        if isinstance(contents, StaticType):
            if isinstance(value, Unbound):
                return type_
            raise JoinError(f"is {describe(value)} on one path only")
        return escaping(contents, first, depth)
    if isinstance(type_, MaybeType):
        return type(type_)(escaping(type_.inner, first, depth))
    if isinstance(type_, OneOfType):
        return several([escaping(t, first, depth) for t in type_.items])
    if isinstance(type_, TupleType):
        return TupleType(type_.kind, tuple(escaping(t, first, depth + 1) for t in type_.items))
    if isinstance(type_, ObjectType):
        items = tuple(escaping(t, first, depth + 1) for t in type_.items)
        return ObjectType(type_.kind, type_.keys, items, type_.extra)
    return type_
