"""Cells: the mutable objects of the program, and where those from outside come from."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot._core import Value

#: A file and a node of its AST.
Location = tuple[str, Any]

#: The numbers of cells, in order of creation.
cell_numbers = itertools.count()


#: `maybe` of most cells, which have no possible aliases.
NOTHING_ELSE: dict[Any, Any] = {}


class Cell:
    """A mutable object of the program: its contents now, and its possible aliases.

    Attributes:
        kind: the Python class.
        value: the contents, replaced as a whole by every change (see `State.write`): the SSA value
            of an array, a tuple of a list's items (or `Grown`), a dict of a dict's items or an
            instance's attributes, a set, the `Supply` of an iterator. `OneOf`, or `Broken`, if
            joined paths left different structures.
        origin: where it was made.
        source: the object outside of the compiled function: `Argument` or `Outside`, or None.
        maybe: the possible aliases, each with the predicate whether it is this cell, None if there
            is no predicate. Never changed in place.
        number: its position in the order of creation.
        extra: the factory of a defaultdict; the `ingot.bound` of a list's length.
        chosen: for a cell made at a join of paths, the cell that it is on each path, with a
            function that gives the predicate whether the path was taken; else None.
    """

    __slots__ = ("chosen", "extra", "kind", "maybe", "number", "origin", "source", "value")

    def __init__(self, kind: type, value: Any, origin: Location | None = None) -> None:
        self.kind, self.value, self.origin = kind, value, origin
        self.source: Any = None
        self.maybe: dict[Cell, Value | None] = NOTHING_ELSE
        self.number = next(cell_numbers)
        self.extra: Any = None
        self.chosen: Any = None


class Storage(Cell):
    """The memory behind one or more arrays.

    Attributes:
        argument: the number of the program's input with these contents at entry, or None.
        strides: in elements; None for C order, () if they are not known.
        swapped: whether NumPy has the bytes of each number in the non-native order.
    """

    __slots__ = ("argument", "dtype", "shape", "strides", "swapped")

    def __init__(
        self, value: Value, shape: tuple[int, ...], dtype: np.dtype, origin: Location | None = None
    ) -> None:
        self.kind, self.value, self.origin = np.ndarray, value, origin
        self.source = None
        self.maybe = NOTHING_ELSE
        self.number = next(cell_numbers)
        self.chosen = None
        self.shape, self.dtype = shape, dtype
        self.argument: int | None = None
        self.strides: tuple[int, ...] | None = None
        self.swapped = False


@dataclass(frozen=True, slots=True)
class Argument:
    """A container among the arguments, by its number in `trees.containers_of`."""

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Outside:
    """An object that is read by a name instead of passed as an argument."""

    value: Any
