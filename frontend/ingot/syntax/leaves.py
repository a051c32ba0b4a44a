"""Flattening values to SSA values at control flow joins, and rebuilding values from these."""

from __future__ import annotations

import collections.abc
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import BOOL, CODES, DTYPES, INT, STATIC_NUMBERS
from ingot.syntax import kinds
from ingot.syntax.cells import Cell
from ingot.syntax.dynamic import (
    Grown,
    Part,
    Sliced,
    Span,
)
from ingot.syntax.ops import Ops, fresh
from ingot.syntax.storing import check_fits
from ingot.syntax.types import (
    ArrayType,
    GrownType,
    MaybeType,
    ObjectType,
    OneOfType,
    ScalarType,
    SlicedType,
    StaticType,
    TupleType,
    Type,
)
from ingot.syntax.values import (
    Broken,
    Dict,
    Instance,
    List,
    OneOf,
    OrNone,
    Reference,
    Scalar,
    Set,
    Unbound,
    bounds_of_slice,
    tuple_of,
)

if TYPE_CHECKING:
    from ingot.syntax.state import State

#: SSA values, consumed one by one.
Leaves = collections.abc.Iterator[Value]


def leaf_types(type_: Any) -> Generator[tuple[tuple[int, ...], np.dtype]]:
    """The shape and dtype of each SSA value to which a value of this type is flattened."""
    if isinstance(type_, ScalarType):
        yield (), type_.dtype
        if type_.kinds:
            yield (), INT
    elif isinstance(type_, ArrayType):
        yield type_.shape, type_.dtype
    elif isinstance(type_, MaybeType):
        yield from leaf_types(type_.inner)
        yield (), BOOL
    elif isinstance(type_, OneOfType):
        yield (), INT
        for item in type_.items:
            yield from leaf_types(item)
    elif isinstance(type_, SlicedType):
        yield type_.dense.shape, type_.dense.dtype
        yield from [((), INT)] * sum(type_.ends)
    elif isinstance(type_, GrownType):
        for shape, dtype in leaf_types(type_.item):
            yield (type_.capacity, *shape), dtype
        if type_.length is None:
            yield (), INT
    elif not isinstance(type_, StaticType):
        for item in type_.items:
            yield from leaf_types(item)


def codes(type_: Type) -> list[tuple[list[int], int]]:
    return [(list(shape), CODES[dtype]) for shape, dtype in leaf_types(type_)]


def flatten(state: State, value: Any, type_: Any) -> list[Value]:
    """The SSA values of `value`, converted to `type_`; zeros if it is unbound."""
    if isinstance(type_, StaticType):
        return []
    if isinstance(type_, MaybeType):
        if type(value) is type_.made:
            return [*flatten(state, value.value, type_.inner), value.assigned.value]
        is_absent = isinstance(value, Unbound) or (value is None and type_.made is OrNone)
        inner = Unbound() if is_absent else value
        assigned = state.ops.constant(not is_absent, BOOL)
        return [*flatten(state, inner, type_.inner), assigned]
    if isinstance(value, Unbound):
        return [state.ops.zeros(shape, dtype) for shape, dtype in leaf_types(type_)]
    if isinstance(type_, OneOfType):
        return _flatten_one_of(state, value, type_, flatten)
    if isinstance(type_, SlicedType):
        return _flatten_sliced(state, value, type_)
    if isinstance(type_, (TupleType, ObjectType, GrownType)):
        contents = value.cell.value if isinstance(value, Reference) else value
        if isinstance(contents, slice):
            contents = bounds_of_slice(contents)
        return flatten_contents(state, contents, type_)
    ops = state.ops
    if isinstance(value, STATIC_NUMBERS):
        ssa = _joined_constant(ops, value, type_.dtype)
    else:
        if isinstance(value, Scalar):
            _check_joined(state, value, type_.dtype)
        ssa = ops.convert(state.read(value), type_.dtype)
    if isinstance(type_, ArrayType):
        return [ops.broadcast(ssa, type_.shape)]
    return [ssa, kinds.which_of(ops, value, type_.kinds)] if type_.kinds else [ssa]


def _flatten_one_of(
    state: State, value: OneOf, type_: OneOfType, flatten_each: Callable[..., list[Value]]
) -> list[Value]:
    """The index of the alternative, and the SSA values of all."""
    pairs = zip(value.values, type_.items, strict=True)
    inner = [leaf for each, item in pairs for leaf in flatten_each(state, each, item)]
    return [_index_in(state, value), *inner]


def _index_in(state: State, value: OneOf) -> Value:
    """Which of a type's alternatives a value at the end of a path is."""
    ops, which = state.ops, state.ops.index(state.index_value(value.which))
    found = which
    for i, place in enumerate(value.places):
        if i != place:
            test = ops.compare("eq", which, ops.constant(i, INT), INT)
            found = ops.select(test, ops.constant(place, INT), found)
    return found


#: What is said of a negative int that meets an `np.uint64` of another path: no integers are wide
#: enough for both.
NEGATIVE = "a number is a negative int on this path, and an np.uint64 on another one"


def _joined_constant(ops: Ops, value: Any, dtype: np.dtype) -> Value:
    if dtype == np.uint64 and value < 0:
        ops.limit(ops.constant(False, BOOL), NEGATIVE)
        value = 0
    return ops.constant(value, dtype)


def _check_joined(state: Any, value: Scalar, dtype: np.dtype) -> None:
    if dtype == np.uint64 and value.held.kind == "i":
        check_fits(state, value, dtype, NEGATIVE)


def flatten_contents(state: State, contents: Any, type_: Any) -> list[Value]:
    """As `flatten`, for the contents of a cell: of an array or a container."""
    if isinstance(type_, ArrayType):
        return [contents]
    if isinstance(contents, (Unbound, Broken)):
        return [state.ops.zeros(shape, dtype) for shape, dtype in leaf_types(type_)]
    if isinstance(type_, OneOfType):
        return _flatten_one_of(state, contents, type_, flatten_contents)
    if isinstance(type_, GrownType):
        return _flatten_grown(state, contents, type_)
    values = contents.values() if isinstance(contents, dict) else contents
    return [
        leaf
        for item, item_type in zip(values, type_.items, strict=bool(type_.items))
        for leaf in flatten(state, item, item_type)
    ]


def _flatten_grown(state: State, contents: Any, type_: GrownType) -> list[Value]:
    ops = state.ops
    if isinstance(contents, Grown):
        length = contents.length
        data = [
            enlarged(ops, rows, (type_.capacity, *rows.shape[1:]))
            for rows in converted_rows(ops, contents, type_.item)
        ]
    else:
        length = len(contents)
        rows = [flatten(state, each, type_.item) for each in contents]
        data = [
            _padded(ops, [row[i] for row in rows], type_.capacity, shape, dtype)
            for i, (shape, dtype) in enumerate(leaf_types(type_.item))
        ]
    if type_.length is not None:
        return data
    is_static = isinstance(length, int)
    return [*data, ops.constant(length, INT) if is_static else state.read(length)]


def converted_rows(ops: Ops, grown: Grown, item: Any) -> tuple[Value, ...]:
    """The arrays of the rows of a list, converted to another type of items."""
    return tuple(_converted(ops, iter(grown.data), grown.item, item))


def _converted(ops: Ops, rows: Leaves, old: Any, new: Any) -> Generator[Value]:
    if isinstance(new, TupleType):
        for one, other in zip(old.items, new.items, strict=True):
            yield from _converted(ops, rows, one, other)
        return
    data = next(rows)
    yield ops.convert(data, new.dtype)
    if isinstance(new, ScalarType) and new.kinds:
        yield kinds.which_of_rows(ops, next(rows) if old.kinds else None, old, new, data.shape)


def enlarged(ops: Ops, data: Value, shape: tuple[int, ...]) -> Value:
    """An array padded to this shape with zeros at the end of each axis."""
    high = [n - m for n, m in zip(shape, data.shape, strict=True)]
    if not any(high):
        return data
    zeros = [0] * len(high)
    nothing = ops.constant(0, DTYPES[data.dtype])
    return ops.create("pad", [data, nothing], low=zeros, high=high, interior=zeros)


def _flatten_sliced(state: State, value: Any, type_: SlicedType) -> list[Value]:
    """The dense array, and the length of each open axis, with its start if the type has one."""
    ops = state.ops
    value = state.packed(value) if isinstance(value, Part) else value
    dense = value.dense if isinstance(value, Sliced) else value
    data = ops.convert(state.read(dense), type_.dense.dtype)
    data = enlarged(ops, data, type_.dense.shape)
    leaves = [data]
    for axis, ends in enumerate(type_.ends):
        span = value.spans[axis] if isinstance(value, Sliced) else None
        span = span or Span(0, dense.shape[axis])
        numbers = (span.count, span.start)[:ends]
        leaves += [ops.index(state.index_value(each)) for each in numbers]
    return leaves


def _padded(
    ops: Ops, rows: list[Value], capacity: int, shape: tuple[int, ...], dtype: np.dtype
) -> Value:
    """Rows as one array, with zeros after them."""
    if not rows:
        return ops.zeros((capacity, *shape), dtype)
    return enlarged(ops, stacked(ops, rows), (capacity, *shape))


def stacked(ops: Ops, rows: list[Value]) -> Value:
    """Arrays of one shape, at least one of them, as the rows of one array."""
    wide = [ops.reshape(row, (1, *row.shape)) for row in rows]
    return wide[0] if len(wide) == 1 else ops.create("concatenate", wide, axis=0)


def rebuild(type_: Any, leaves: Leaves, origin: Any = None) -> Any:
    """A value of this type from its SSA values; each container gets a new cell."""
    if isinstance(type_, StaticType):
        return type_.value
    if isinstance(type_, ScalarType):
        return kinds.number_of(type_, leaves)
    if isinstance(type_, ArrayType):
        made = fresh(next(leaves), origin)
        made.storage.strides, made.storage.swapped = type_.strides, type_.swapped
        return made
    if isinstance(type_, SlicedType):
        return _rebuild_sliced(type_, leaves, origin)
    if isinstance(type_, MaybeType):
        value = rebuild(type_.inner, leaves, origin)
        return type_.made(value, Scalar(next(leaves), BOOL, bool))
    if isinstance(type_, OneOfType):
        which = _rebuild_index(type_, leaves)
        return OneOf(which, tuple(rebuild(each, leaves, origin) for each in type_.items))
    contents = rebuild_contents(type_, leaves, origin)
    if isinstance(type_, TupleType):
        return tuple_of(type_.kind, contents)
    kind = list if isinstance(type_, GrownType) else type_.kind
    cell = Cell(kind, contents, origin)
    cell.extra = getattr(type_, "extra", None)
    return reference_to(cell)


def _rebuild_index(type_: OneOfType, leaves: Leaves) -> Scalar:
    return Scalar(next(leaves), INT, int, None, 0, len(type_.items) - 1)


def _rebuild_sliced(type_: SlicedType, leaves: Leaves, origin: Any) -> Sliced:
    dense = fresh(next(leaves), origin)
    found: list[Span | None] = []
    for extent, ends in zip(type_.dense.shape, type_.ends, strict=True):
        numbers = [Scalar(next(leaves), INT, int, None, 0, extent) for _ in range(ends)]
        start = numbers[1] if ends == 2 else 0
        found.append(Span(start, numbers[0]) if ends else None)
    return Sliced(dense, tuple(found))


def rebuild_contents(type_: Any, leaves: Leaves, origin: Any = None) -> Any:
    """As `rebuild`, for the contents of a cell: of an array or a container."""
    if isinstance(type_, ArrayType):
        return next(leaves)
    if isinstance(type_, GrownType):
        data = tuple(next(leaves) for _ in leaf_types(type_.item))
        length: Any = type_.length
        if length is None:
            length = Scalar(next(leaves), INT, int, None, 0, type_.most)
        return Grown(type_.item, data, length)
    if isinstance(type_, OneOfType):
        which = _rebuild_index(type_, leaves)
        return OneOf(which, tuple(rebuild_contents(each, leaves, origin) for each in type_.items))
    items = tuple(rebuild(item, leaves, origin) for item in type_.items)
    if isinstance(type_, TupleType) or type_.keys is None:
        return items
    if issubclass(type_.kind, set):
        return set(type_.keys)
    return dict(zip(type_.keys, items, strict=True))


def reference_to(cell: Cell) -> Reference:
    """A new reference to a list, dict, set or instance."""
    contents = cell.value.values[0] if isinstance(cell.value, OneOf) else cell.value
    if isinstance(contents, (tuple, Grown)):
        return List(cell)
    if isinstance(contents, set):
        return Set(cell)
    return Dict(cell) if issubclass(cell.kind, dict) else Instance(cell)
