"""The steps of a view: how each reads its base, and how it writes a stored value back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ingot._core import Value
from ingot.dtypes import DTYPES, INT
from ingot.syntax.ops import Ops

Start: TypeAlias = int | Value


@dataclass(frozen=True, slots=True)
class Slice:
    """A basic slice with positive strides; the axes in `dropped` were indexed by integers."""

    starts: tuple[Start, ...]
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    dropped: tuple[bool, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(n for n, gone in zip(self.sizes, self.dropped, strict=True) if not gone)

    def read(self, ops: Ops, base: Value) -> Value:
        sizes, strides = list(self.sizes), list(self.strides)
        if all(isinstance(start, int) for start in self.starts):
            starts = list(self.starts)
            value = ops.create("slice", [base], starts=starts, sizes=sizes, strides=strides)
        else:
            operands = [base, *map(ops.index, self.starts)]
            value = ops.create("dynamic_slice", operands, sizes=sizes, strides=strides)
        return ops.reshape(value, self.shape)

    def write(self, ops: Ops, base: Value, value: Value) -> Value:
        if self.sizes == base.shape and set(self.strides) <= {1}:
            return ops.reshape(value, base.shape)
        update = ops.reshape(value, self.sizes)
        operands = [base, update, *map(ops.index, self.starts)]
        return ops.create("update_slice", operands, strides=list(self.strides))

    def then(self, ops: Ops, inner: Slice) -> Slice:
        """This slice followed by a slice of its result, as one slice."""
        rest = iter(zip(inner.starts, inner.sizes, inner.strides, inner.dropped, strict=True))
        starts, sizes, strides, dropped = [], [], [], []
        for start, stride, gone in zip(self.starts, self.strides, self.dropped, strict=True):
            offset, size, step, gone_inside = (0, 1, 1, True) if gone else next(rest)
            starts.append(ops.index_op("add", start, ops.index_op("mul", offset, stride)))
            sizes.append(size)
            strides.append(stride * step)
            dropped.append(gone_inside)
        return Slice(tuple(starts), tuple(sizes), tuple(strides), tuple(dropped))


@dataclass(frozen=True, slots=True)
class Flip:
    axes: tuple[int, ...]
    shape: tuple[int, ...]

    def read(self, ops: Ops, base: Value) -> Value:
        return ops.create("flip", [base], axes=list(self.axes))

    def write(self, ops: Ops, base: Value, value: Value) -> Value:
        return self.read(ops, value)


@dataclass(frozen=True, slots=True)
class Permute:
    axes: tuple[int, ...]
    shape: tuple[int, ...]

    def read(self, ops: Ops, base: Value) -> Value:
        return ops.transpose(base, self.axes)

    def write(self, ops: Ops, base: Value, value: Value) -> Value:
        return ops.transpose(value, _inverse(self.axes))


@dataclass(frozen=True, slots=True)
class Reshape:
    shape: tuple[int, ...]

    def read(self, ops: Ops, base: Value) -> Value:
        return ops.reshape(base, self.shape)

    def write(self, ops: Ops, base: Value, value: Value) -> Value:
        return ops.reshape(value, base.shape)


@dataclass(frozen=True, slots=True)
class Broadcast:
    """np.broadcast_to; read-only."""

    shape: tuple[int, ...]

    def read(self, ops: Ops, base: Value) -> Value:
        return ops.broadcast(base, self.shape)

    def write(self, ops: Ops, base: Value, value: Value) -> Value:
        raise AssertionError("a broadcast view is not writable")


@dataclass(frozen=True, slots=True)
class Pad:
    """Zeros after the ends of axes, for slices that read past them; stores to them are dropped."""

    shape: tuple[int, ...]

    def read(self, ops: Ops, base: Value) -> Value:
        after = [n - extent for n, extent in zip(self.shape, base.shape, strict=True)]
        none = [0] * len(after)
        zero = ops.constant(0, DTYPES[base.dtype])
        return ops.create("pad", [base, zero], low=none, high=after, interior=none)

    def write(self, ops: Ops, base: Value, value: Value) -> Value:
        ones = [1] * len(self.shape)
        return ops.create("slice", [value], starts=[0] * len(ones), sizes=base.shape, strides=ones)


@dataclass(frozen=True, slots=True, eq=False)
class Every:
    """The elements `start`, `start + step`, ... of an axis, `count` of them.

    Zeros follow; stores to them are dropped.
    """

    axis: int
    start: Value
    step: Value
    count: Value
    shape: tuple[int, ...]

    def _along(self, ops: Ops, base: Value) -> tuple[list[int], Value]:
        """The permutation that moves this axis first, and the indices along it.

        The index behind the axis stands for what is not an element.
        """
        here, dtypes = self.axis, (INT, INT)
        number = ops.iota(self.shape[here : here + 1], 0)
        far = ops.elementwise("mul", [number, self.step], dtypes)
        index = ops.elementwise("add", [far, self.start], dtypes)
        is_element = ops.compare("lt", number, self.count, INT)
        index = ops.select(is_element, index, ops.constant(base.shape[here], INT))
        return [here, *(axis for axis in range(len(base.shape)) if axis != here)], index

    def read(self, ops: Ops, base: Value) -> Value:
        axes, indices = self._along(ops, base)
        longer = list(base.shape)
        longer[self.axis] += 1
        padded = Pad(tuple(longer)).read(ops, base)
        found = ops.create("gather", [ops.transpose(padded, axes), indices])
        return ops.transpose(found, _inverse(axes))

    def write(self, ops: Ops, base: Value, value: Value) -> Value:
        axes, indices = self._along(ops, base)
        operands = [ops.transpose(base, axes), ops.transpose(value, axes), indices]
        made = ops.create("scatter", operands, kind="#ingot<scatter_kind set>")
        return ops.transpose(made, _inverse(axes))


def _inverse(axes: Sequence[int]) -> list[int]:
    return sorted(range(len(axes)), key=axes.__getitem__)


@dataclass(frozen=True, slots=True)
class Diagonal:
    """A diagonal of the first two axes, which becomes the first axis."""

    offset: int
    shape: tuple[int, ...]

    def read(self, ops: Ops, base: Value) -> Value:
        # A step of the first two axes as one.
        rows, columns, *rest = base.shape
        start = self.offset if self.offset > 0 else -self.offset * columns
        starts = [start if self.shape[0] else 0, *[0] * len(rest)]
        strides = [columns + 1, *[1] * len(rest)]
        flat = ops.reshape(base, [rows * columns, *rest])
        return ops.create("slice", [flat], starts=starts, sizes=list(self.shape), strides=strides)

    def write(self, ops: Ops, base: Value, value: Value) -> Value:
        along = np.arange(self.shape[0])
        starts = (max(-self.offset, 0), max(self.offset, 0))
        indices = [ops.constant(along + start, along.dtype) for start in starts]
        return ops.create("scatter", [base, value, *indices], kind="#ingot<scatter_kind set>")


@dataclass(frozen=True, slots=True)
class Part:
    """The real or imaginary part of a complex array; always the first step."""

    name: str
    dtype: np.dtype
    shape: tuple[int, ...]

    def read(self, ops: Ops, base: Value) -> Value:
        return ops.create(self.name, [base])

    def write(self, ops: Ops, base: Value, value: Value) -> Value:
        parts = [value if name == self.name else ops.create(name, [base]) for name in PARTS]
        return ops.create("complex", parts)


PARTS = ("real", "imag")
Step: TypeAlias = Slice | Flip | Permute | Reshape | Broadcast | Pad | Every | Diagonal | Part


def filled(items: Sequence[Any], missing: int) -> list[Any]:
    """The items of an index with its ellipsis, or its end, filled up by `missing` whole slices."""
    where = next((i for i, item in enumerate(items) if item is Ellipsis), len(items))
    return [*items[:where], *[slice(None)] * missing, *items[where + 1 :]]


def named(items: Sequence[Any]) -> int:
    """The number of axes that the items of an index are for, if each is for one axis."""
    return sum(item is not None and item is not Ellipsis for item in items)


def is_whole(item: Any) -> bool:
    """Whether an index item is `:`; the bounds of slices may be run-time values."""
    is_slice = isinstance(item, slice)
    return is_slice and all(each is None for each in (item.start, item.stop, item.step))


def extend(ops: Ops, views: tuple[Step, ...], step: Step) -> tuple[Step, ...]:
    """The chain with one more step; adjacent slices become one."""
    if isinstance(step, Slice) and views and isinstance(views[-1], Slice):
        return (*views[:-1], views[-1].then(ops, step))
    return (*views, step)


def is_fixed(views: Sequence[Step]) -> bool:
    """Whether no run-time value decides which elements a chain selects."""
    starts = [start for step in views if isinstance(step, Slice) for start in step.starts]
    is_dynamic = any(isinstance(start, Value) for start in starts)
    return not is_dynamic and not any(isinstance(step, Every) for step in views)


def read(ops: Ops, base: Value, views: Sequence[Step]) -> Value:
    for step in views:
        base = step.read(ops, base)
    return base


def write(ops: Ops, base: Value, views: Sequence[Step], value: Value) -> Value:
    """The base after `value` was stored through the chain."""
    if not views:
        return value
    bases = [base]
    for step in views[:-1]:
        bases.append(step.read(ops, bases[-1]))
    for step, under in zip(reversed(views), reversed(bases), strict=True):
        value = step.write(ops, under, value)
    return value
