"""Values of dynamic length: parts of arrays, and lists that grow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ingot._core import Value
from ingot.syntax.cells import Cell
from ingot.syntax.values import Array, Scalar, Symbolic


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """The live positions of an axis: `count` of them, from `start` on; all are within bounds."""

    start: int | Scalar
    count: int | Scalar


class Part(Symbolic):
    """A part of an array: what a mask selects, or what slices with run-time bounds select.

    Attributes:
        dense: the whole array.
        bounds: an upper bound of the shape.
        is_open: for each axis, whether its length is known only at run time.
    """

    __slots__ = ()

    dense: Array

    if TYPE_CHECKING:

        @property
        def bounds(self) -> tuple[int, ...]: ...

        @property
        def is_open(self) -> tuple[bool, ...]: ...

        @property
        def ndim(self) -> int: ...

    @property
    def held(self) -> Array:
        return self.dense

    @property
    def dtype(self) -> np.dtype:
        return self.dense.dtype

    def within(self, dense: Array) -> Part:
        """The same part of another array."""
        return replace(self, dense=dense)  # type: ignore[type-var]


Spans = tuple[Span | None, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sliced(Part):
    """The part of `dense` that lies within the spans.

    Attributes:
        spans: the span of each axis of `dense`, None if the whole axis is live.
    """

    dense: Array
    spans: Spans
    described: ClassVar[str] = "an array of a length known only at run time"

    @property
    def bounds(self) -> tuple[int, ...]:
        return self.dense.shape

    @property
    def is_open(self) -> tuple[bool, ...]:
        return tuple(span is not None for span in self.spans)

    @property
    def ndim(self) -> int:
        return self.dense.ndim

    @property
    def open_spans(self) -> list[tuple[int, Span]]:
        return [(axis, span) for axis, span in enumerate(self.spans) if span is not None]

    @property
    def open_axes(self) -> list[int]:
        return [axis for axis, _ in self.open_spans]


@dataclass(slots=True, eq=False, repr=False)
class Grown(Symbolic):
    """The contents of a list stored as rows of arrays, to which loops can append.

    Attributes:
        item: the type of each item (see `types`).
        data: for each SSA value of an item, an array with one row for each item.
        length: the number of rows in use: an int, or a run-time number with bounds.
        appended: the storages of appended arrays. The rows are copies, but in Python the items are
            these arrays themselves.
        first: the first items as they are in Python, where loops have only appended to them.
    """

    described: ClassVar[str] = "a list"
    item: Any
    data: tuple[Value, ...]
    length: Any
    appended: frozenset[Cell] = frozenset()
    first: tuple[Any, ...] = ()

    @property
    def capacity(self) -> int:
        return self.data[0].shape[0] if self.data else 0

    @property
    def most(self) -> int:
        """An upper bound of the length."""
        if isinstance(self.length, int):
            return self.length
        return self.capacity if self.length.high is None else self.length.high
