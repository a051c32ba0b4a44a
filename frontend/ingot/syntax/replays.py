"""Calls that repeat an earlier call: the operations that it emitted are cloned.

A call of a function is recorded if all that it does is to compute new values from numbers and
arrays: it changes no object and reads none but its arguments, emits neither effects nor regions,
and has come to no check on which a `try` around it branches. A later call of the same function with
arguments of the same pattern emits the same operations, on other operands. The pattern holds all
that the evaluation of such a call depends on: types, static values, and which of the arguments are
one object or one SSA value.
"""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot._core import Value
from ingot.syntax.cells import Cell, Storage, cell_numbers
from ingot.syntax.ops import Bounds
from ingot.syntax.scopes import Frame
from ingot.syntax.values import MET, Array, Dict, List, Scalar

#: Types of static values that are equal only if all that is computed from them is.
_EXACT = frozenset([bool, int, str, bytes, type(None)])
#: Types whose representation tells -0.0 from 0.0, too.
_BY_TEXT = frozenset([float, complex])
_BY_IDENTITY = frozenset([type, types.FunctionType, types.ModuleType, np.ufunc])
_INTEGER, _BOUND = frozenset([int]), frozenset([int, type(None)])


class _NoPattern(Exception):
    """A value is of a kind that is not recorded."""


class _Arguments:
    """The pattern of a call's arguments, and the SSA values that they consist of."""

    def __init__(self, ev: Any) -> None:
        self._ops = ev.ops
        self._cells: dict[Cell, int] = {}
        self._numbers: dict[Value, int] = {}

    @property
    def values(self) -> list[Value]:
        return list(self._numbers)

    def pattern(self, value: Any) -> Any:
        """The hashable pattern of a value.

        Raises:
            _NoPattern: it has none.
        """
        kind = type(value)
        if kind is Array:
            return self._array(value)
        if kind in _EXACT or kind in _BY_IDENTITY:
            return kind, value
        if kind in _BY_TEXT:
            return kind, repr(value)
        if kind is tuple:
            return kind, tuple(map(self.pattern, value))
        if kind is Scalar:
            return self._scalar(value)
        if kind is Dict or kind is List:
            return self._container(value)
        raise _NoPattern

    def _array(self, value: Array) -> Any:
        storage, shape = value.storage, value.shape
        if value.views or storage.maybe or storage.chosen or storage.swapped:
            raise _NoPattern
        if not _INTEGER.issuperset(map(type, shape)):
            raise _NoPattern
        bounds = self._bounds(storage) if storage.dtype.kind in "biu" else None
        return (
            Array, shape, storage.dtype, storage.strides, value.writable, value.is_view,
            self._number(storage.value), bounds,
            self._cells.setdefault(storage, len(self._cells)),
        )  # fmt: skip

    def _bounds(self, storage: Storage) -> Bounds:
        """What is known of the elements of an array of integers or booleans."""
        bounds = self._ops.noted_bounds(storage.value)
        is_known = self._ops.known_elements(storage.value) is not None
        if is_known or not _BOUND.issuperset(map(type, bounds)):
            raise _NoPattern
        return bounds

    def _scalar(self, value: Scalar) -> Any:
        if (value.affine, value.low, value.high) != (None, None, None):
            raise _NoPattern
        depends_on_arguments_only = value.parameter is not None
        number = self._number(value.value)
        return Scalar, value.dtype, value.weak, depends_on_arguments_only, number

    def _container(self, value: Dict | List) -> Any:
        cell = value.cell
        known = self._cells.get(cell)
        if known is not None:
            return type(value), known
        number = self._cells[cell] = len(self._cells)
        contents = cell.value
        if cell.maybe or cell.chosen or cell.extra or type(contents) not in (tuple, dict):
            raise _NoPattern
        keys = tuple(contents) if type(contents) is dict else ()
        items = contents.values() if type(contents) is dict else contents
        return type(value), cell.kind, number, self.pattern(keys), tuple(map(self.pattern, items))

    def _number(self, value: Value) -> int:
        return self._numbers.setdefault(value, len(self._numbers))


@dataclass(frozen=True)
class _Recorded:
    """A call.

    Attributes:
        number: that of its operations, to the builder.
        result: its result.
        values: the SSA values in the result.
    """

    number: int
    result: Any
    values: list[Value]

    def replay(self, ev: Any, arguments: list[Value]) -> Any:
        """The result for other arguments of the same pattern."""
        ops = ev.ops
        made = ops.builder.replay(self.number, arguments)
        for old, new in zip(self.values, made, strict=True):
            ops.note_bounds(new, ops.noted_bounds(old))
        return _with(self.result, dict(zip(self.values, made, strict=True)), {})


class Replays:
    """The recorded calls of one evaluation."""

    def __init__(self) -> None:
        #: By function and pattern of arguments; None for calls that can't be replayed.
        self._calls: dict[Any, _Recorded | None] = {}

    def call(self, ev: Any, frame: Frame, bound: dict[str, Any]) -> Any:
        """Evaluate a call, or replay an earlier one.

        Args:
            ev: the evaluator.
            frame: the frame of the call.
            bound: its arguments by parameter name.
        """
        arguments = _Arguments(ev)
        try:
            pattern = arguments.pattern(tuple(bound.values()))
        except _NoPattern:
            return ev.run_frame(frame, bound)
        around = (*ev.batches, *ev.axes.items(), *map(id, ev.ruled), ev.ops.is_elementwise)
        key = (frame.function, tuple(bound), pattern, around)
        if key not in self._calls:
            result, self._calls[key] = _recorded(ev, frame, bound, arguments.values)
            return result
        known = self._calls[key]
        return known.replay(ev, arguments.values) if known else ev.run_frame(frame, bound)


def _recorded(
    ev: Any, frame: Frame, bound: dict[str, Any], arguments: list[Value]
) -> tuple[Any, _Recorded | None]:
    """The result of a call, and the call, if it can be replayed."""
    ops = ev.ops
    before, start = _effects(ev), ops.builder.insertion_point()
    first = next(cell_numbers)
    around, ev.oldest_touched = ev.oldest_touched, first
    try:
        result = ev.run_frame(frame, bound)
        is_pure = ev.oldest_touched == first and _effects(ev) == before
    finally:
        ev.oldest_touched = min(ev.oldest_touched, around)
    values: dict[Value, None] = {}
    if not (is_pure and _collect(ev, result, first, values)):
        return result, None
    number = ops.builder.record(start, arguments, list(values))
    if number is None:
        return result, None
    # The arrays of the result may be changed after the call.
    copied = _with(result, {each: each for each in values}, {})
    return result, _Recorded(number, copied, list(values))


def _effects(ev: Any) -> tuple[int, ...]:
    """Counts that grow with effects, regions, and checks that a `try` branches on."""
    return ev.ops.checks, ev.ops.regions, *(each.seen for each in ev.tries)


def _collect(ev: Any, value: Any, first: int, values: dict[Value, None]) -> bool:
    """Add the SSA values in a result; False if it is of a kind that is not recorded.

    Args:
        ev: the evaluator.
        value: the result.
        first: cells from this number on were made in the call.
        values: the SSA values so far.
    """
    kind = type(value)
    if kind is tuple:
        return all(_collect(ev, each, first, values) for each in value)
    if kind is Scalar:
        values[value.value] = None
        return (value.affine, value.low, value.high, value.parameter) == (None, None, None, None)
    if kind is not Array:
        return kind in _EXACT or kind in _BY_TEXT or isinstance(value, np.generic)
    storage = value.storage
    values[storage.value] = None
    is_new = storage.number >= first and storage.argument is None and storage.source is None
    is_simple = not (value.views or storage.maybe or storage.chosen or storage.swapped)
    return is_new and is_simple and ev.ops.known_elements(storage.value) is None


def _with(value: Any, values: dict[Value, Value], storages: dict[Storage, Storage]) -> Any:
    """A result with other SSA values in new storages."""
    kind = type(value)
    if kind is tuple:
        return tuple(_with(each, values, storages) for each in value)
    if kind is Scalar:
        return Scalar(values[value.value], value.dtype, value.weak, origin=MET)
    if kind is not Array:
        return value
    old = value.storage
    if old not in storages:
        new = storages[old] = Storage(values[old.value], old.shape, old.dtype, old.origin)
        new.strides = old.strides
    return Array(storages[old], value.shape, (), value.writable, value.is_view)
