"""The results of a compiled function: their structure, and how each of their leaves is made."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from collections.abc import Iterator as Iterating
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from ingot._core import Value
from ingot.dimensions import depends
from ingot.dtypes import DTYPES
from ingot.numpy.layout import axes_by, is_packed, strides_of
from ingot.syntax import kinds, parts, rows
from ingot.syntax.cells import Argument, Cell, Outside, Storage
from ingot.syntax.dynamic import Grown
from ingot.syntax.evaluator import Evaluator
from ingot.syntax.ops import fresh
from ingot.syntax.parts import PARTS
from ingot.syntax.types import ScalarType, TupleType, of_kind
from ingot.syntax.values import (
    Array,
    Broken,
    Dict,
    Instance,
    Items,
    Iterator,
    Joined,
    Kinds,
    Lazy,
    List,
    OneOf,
    OrNone,
    Range,
    Reference,
    Set,
    Symbolic,
    Text,
    bounds_of_slice,
    describe,
    is_runtime,
    is_view,
    ordered,
    same_object,
)
from ingot_runtime.layout import Layout
from ingot_runtime.trees import EITHER, ONE_OF, ROWS, SAME, DefaultDict

#: Floats below this magnitude are no rounded integers.
_EXACT = 2.0**53


class Writer:
    """Flattens results into a structure and leaves, in the form that `Signature` has them."""

    def __init__(
        self, ev: Evaluator, outputs: list[Value], is_packed: bool, one_form: bool
    ) -> None:
        self._ev, self._outputs = ev, outputs
        self._is_packed, self._one_form = is_packed, one_form
        self.leaves: list[tuple] = []
        self._containers: dict[Cell, int] = {}
        #: The containers whose contents are being written, to find cycles.
        self._open: set[Cell] = set()
        #: The arrays in the result with the numbers of their leaves, by their memory.
        self._arrays: dict[Cell, list[tuple[Array, int]]] = {}
        self._parts: list[tuple[Any, int]] = []
        self._lengths: list[tuple[Value, int]] = []
        #: The alternatives that are being written, by the numbers of their choices; and those in
        #: which each object is.
        self._ways: dict[int, int] = {}
        self._places: dict[Cell, list[dict[int, int]]] = {}

    def structure_of(self, value: Any) -> Any:
        if isinstance(value, (Array, Reference)):
            self._places.setdefault(value.cell, []).append(self._ways)
        if isinstance(value, tuple):
            return type(value), None, tuple(self.structure_of(each) for each in value)
        if type(value) is slice:
            return slice, None, tuple(map(self.structure_of, bounds_of_slice(value)))
        if isinstance(value, Array):
            return self._array(value)
        if type(value) is OrNone:
            return self._or_none(value)
        if type(value) is OneOf:
            # The caller counts such a choice among the objects.
            self._containers[Cell(list, ())] = len(self._containers)
            return self._alternatives(value, self.structure_of)
        if type(value) in PARTS:
            self.leaves.append(self._part(value))
            return None
        if isinstance(value, Joined) and not self._one_form:
            return self._joined(value)
        if not isinstance(value, (List, Dict, Set, Instance)):
            self.leaves.append(self._leaf(value))
            return None
        cell = value.cell
        if isinstance(cell.source, (Argument, Outside)):
            self.leaves.append(("object", _number_of(cell)))
            return None
        if cell in self._open:
            self._ev.fail(
                f"a {cell.kind.__name__} that holds itself can't be returned",
                "return its parts",
                page="types-on-paths",
            )
        if cell in self._containers:
            return SAME, self._containers[cell], ()
        alike = [other for other in cell.maybe if not isinstance(other, Storage)]
        known = self._known(cell, alike)
        self._containers[cell] = len(self._containers)
        self._open.add(cell)
        structure = self._held(value)
        self._open.remove(cell)
        return _either(known, structure)

    def _joined(self, number: Joined) -> Any:
        """A number of one of several types, as run time tells."""
        # The caller counts such a choice among the objects.
        self._containers[Cell(list, ())] = len(self._containers)
        return self._one_of(number.kinds, number.value, number.which, self._number)

    def _one_of(
        self, found: Kinds, values: Value, which: Value,
        add: Callable[[Value, np.dtype | type], None],
    ) -> Any:  # fmt: skip
        """A number of one of these kinds, or all numbers of a column.

        Args:
            found: the kinds.
            values, which: the numbers, and the indices of their kinds (see `kinds`).
            add: adds a leaf for numbers of one kind.
        """
        self._check_exact(values, which, found)
        *others, last = ordered(found)
        for kind in others:
            add(kinds.has_kind(self._ev.ops, which, kind, found), bool)
            add(values, kind)
        add(values, last)
        return _either([None] * len(others), None)

    def _or_none(self, value: OrNone) -> Any:
        """None or another value, as run time tells."""
        if self._one_form:
            self._ev.fail(
                "a result that may be None has two forms, of which an artifact can declare one",
                "return a number that stands for None, such as NaN",
                page="types-on-paths",
            )
        number = len(self._containers)
        self._number(self._ev.negate(value.assigned).value, bool)
        self.leaves.append(("static", None))
        structure = _either([None], self.structure_of(value.value))
        if len(self._containers) == number:
            # The caller counts such a choice among the objects.
            self._containers[Cell(list, ())] = number
        return structure

    def _alternatives(self, value: OneOf, structure_of: Callable[[Any], Any]) -> Any:
        """One of several values, as run time tells."""
        if self._one_form:
            self._ev.fail(
                "a result of different structures on different paths has several forms, of which "
                "an artifact can declare one",
                "return one type on every path",
                page="types-on-paths",
            )
        self._number(self._ev.index_value(value.which), int)
        number, around = len(self.leaves), self._ways
        structures = []
        for i, each in enumerate(value.values):
            self._ways = around | {number: i}
            structures.append(structure_of(each))
        self._ways = around
        return ONE_OF, None, (None, *structures)

    def _number(self, value: Value, kind: np.dtype | type) -> None:
        """Add a leaf for a number of this kind."""
        type_ = of_kind(kind)
        self._outputs.append(self._ev.ops.convert(value, type_.dtype))
        self.leaves.append(("out", len(self._outputs) - 1, type_.weak, False))

    def _check_exact(self, values: Value, which: Value, found: Kinds) -> None:
        """Check that numbers which are integers are exact, though they were computed as floats."""
        ev, held = self._ev, DTYPES[values.dtype]
        wide = [kind for kind in ordered(found) if of_kind(kind).dtype in (np.int64, np.uint64)]
        if held.kind not in "fc" or not wide:
            return
        part = ev.ops.create("real", [values]) if held.kind == "c" else values
        is_small = ev.call(np.less, (ev.call(np.abs, (fresh(part),), {}), _EXACT), {})
        for kind in wide:
            test = fresh(kinds.has_kind(ev.ops, which, kind, found))
            fits = ev.call(np.logical_or, (is_small, ev.call(np.logical_not, (test,), {})), {})
            message = "an integer of more than 53 bits is a float on another path"
            ev.limit(ev.truth(ev.call(np.all, (fits,), {})), message)

    def _known(self, cell: Cell, others: Iterable[Cell]) -> list[Any]:
        """The structures of the other objects that `cell` may be."""
        if self._one_form:
            return []
        return [found for other in others for found in self._if_known(cell, other)]

    def _if_known(self, cell: Cell, other: Cell) -> list[Any]:
        """The structure of another object that `cell` may be: none, or one.

        The caller has the other object, or it is part of the result already.
        """
        if isinstance(other.source, (Argument, Outside)):
            self._test(cell, other)
            if isinstance(other, Storage):
                self.leaves.append(("arg", other.argument))
            else:
                self.leaves.append(("object", _number_of(other)))
            return [None]
        if cell.maybe[other] is None:
            # `check_identities` refuses it, if it is in the result at all.
            return []
        if other in self._containers:
            self._test(cell, other)
            return [(SAME, self._containers[other], ())]
        for array, number in self._arrays.get(other, ()):
            if not is_view(array):
                self._test(cell, other)
                self.leaves.append(("leaf", number))
                return [None]
        return []

    def _test(self, cell: Cell, other: Cell) -> None:
        """Add a leaf that tells at run time whether `cell` is `other`."""
        link = cell.maybe[other]
        if link is None:
            kind = "array" if isinstance(cell, Storage) else cell.kind.__name__
            self._ev.fail(
                f"whether this {kind} is the caller's or a new one depends on what happens at run "
                "time",
                "return a copy",
                page="alias",
            )
        self._number(link, bool)

    def check_identities(self) -> None:
        """Refuse results of which two may be one object: no output tells whether they are."""
        owners = (
            storage
            for storage, found in self._arrays.items()
            if not all(is_view(array) for array, _ in found)
        )
        written = {*self._containers, *owners}
        for cell in written:
            others = [
                other
                for other, link in cell.maybe.items()
                if link is None and not _is_input(other)
                if other in written or self._may_be_view(cell, other)
                if self._may_meet(cell, other)
                # A list whose items are rows is related with arrays that may be among them.
                if isinstance(cell, Storage) is isinstance(other, Storage)
                or isinstance(cell.value, Grown)
                or isinstance(other.value, Grown)
                or not self._ev.sharing.isdisjoint((cell, other))
            ]
            if others:
                self._ev.fail(
                    f"whether this {_noun(cell)} and another one of the result are one object "
                    "depends on what happens at run time",
                    "return a copy",
                    page="alias",
                )

    def _may_be_view(self, cell: Cell, other: Cell) -> bool:
        """Whether an array may be a view in the result, by its shape and dtype."""
        views = (each for each, _ in self._arrays.get(other, ()) if is_view(each))
        return isinstance(cell, Storage) and any(
            each.shape == cell.shape and each.dtype == cell.dtype for each in views
        )

    def _may_meet(self, one: Cell, other: Cell) -> bool:
        """Whether two objects may be in one result, and are not in different alternatives only."""
        return any(
            all(there.get(choice, way) == way for choice, way in here.items())
            for here in self._places.get(one, [{}])
            for there in self._places.get(other, [{}])
        )

    def _held(self, value: Reference) -> Any:
        ev, kind = self._ev, value.cell.kind
        if isinstance(value.cell.value, OneOf):
            return self._one_of_contents(value.cell, value.cell.value)
        if isinstance(value, List):
            return self._list(value)
        if isinstance(value, Set):
            return kind, tuple(ev.items(value)), ()
        entries = ev.entries(value)
        children = tuple(self.structure_of(each) for each in entries.values())
        return _kind_of(value.cell), tuple(entries), children

    def _one_of_contents(self, cell: Cell, contents: OneOf) -> Any:
        """The structure of a container that has other contents on other paths."""
        if any(map(rows.is_open, contents.values)):
            self._check_rows(cell)
        return self._alternatives(contents, lambda each: self._structure(each, _kind_of(cell)))

    def _list(self, value: List) -> Any:
        contents = self._ev.contents(value)
        if not rows.is_open(contents):
            return list, None, tuple(self.structure_of(each) for each in self._ev.items(value))
        self._check_rows(value.cell)
        return self._rows(contents)

    def _check_rows(self, cell: Cell) -> None:
        """Refuse a list held as rows whose items may be objects that the caller has."""
        if cell in self._ev.sharing or any(map(_is_input, cell.maybe)):
            self._ev.fail(
                "whether an item of this list is the caller's array, or that of another item, "
                "depends on what happens at run time",
                "add copies: items.append(a.copy())",
                page="alias",
            )

    def _rows(self, contents: Grown) -> Any:
        columns = iter(contents.data)
        count = self._count(self._ev.ops.index(self._ev.index_value(contents.length)))
        return ROWS, None, (self._row(contents.item, columns, count),)

    def _row(self, item: Any, columns: Iterating[Value], count: int) -> Any:
        """The structure of one item of a list; each leaf holds that part of all items."""
        if isinstance(item, TupleType):
            return item.kind, None, tuple(self._row(each, columns, count) for each in item.items)
        add = functools.partial(self._column, count)
        column = next(columns)
        if isinstance(item, ScalarType) and item.kinds:
            return self._one_of(item.kinds, column, next(columns), add)
        add(column, item.kind if isinstance(item, ScalarType) else item.dtype)
        return None

    def _column(self, count: int, values: Value, kind: np.dtype | type) -> None:
        """Add a leaf for numbers, or arrays, of this kind: one part of all items of a list."""
        type_ = of_kind(kind)
        self._outputs.append(self._ev.ops.convert(values, type_.dtype))
        self.leaves.append(("column", len(self._outputs) - 1, count, type_.weak))

    def contents_of(self, cell: Cell, before: Any) -> tuple[Any, tuple[str, ...]]:
        """The structure of a changed container's contents, and the attributes deleted."""
        now = cell.value
        if isinstance(now, Broken):
            self._ev.contents(Reference(cell))
        if isinstance(now, Grown) and not rows.is_open(now):
            now = tuple(self._ev.items(List(cell)))
        ways = now.values if isinstance(now, OneOf) else (now,)
        deleted: tuple[str, ...] = ()
        if any(map(rows.is_open, ways)):
            self._check_rows(cell)
        if not issubclass(cell.kind, (list, dict, set)):
            kept = _kept(list(before), list(ways[0]))
            if any(tuple(each) != tuple(ways[0]) for each in ways):
                # Attributes are deleted on some paths only.
                self._ev.contents(Reference(cell))
            deleted = tuple(name for name in before if name not in kept)
            same = {n for n in kept if all(each[n] is before[n] for each in ways)}
            ways = tuple({n: each[n] for n in each if n not in same} for each in ways)
        if isinstance(now, OneOf):
            self._containers[Cell(list, ())] = len(self._containers)
            return self._alternatives(replace(now, values=ways), self._structure), deleted
        return self._structure(ways[0]), deleted

    def _structure(self, contents: Any, kind: Any = dict) -> Any:
        """The structure of a container's contents, or of an instance's attributes.

        Args:
            contents: the contents.
            kind: the kind of the structure, unless it is a list or a set.
        """
        # Contents count among the objects.
        self._containers[Cell(list, ())] = len(self._containers)
        if rows.is_open(contents):
            return self._rows(contents)
        if isinstance(contents, Grown):
            held = range(len(contents.first), contents.length)
            contents = *contents.first, *(rows.row(self._ev, None, contents, i) for i in held)
        if isinstance(contents, set):
            return set, tuple(contents), ()
        if isinstance(contents, dict):
            return kind, tuple(contents), tuple(map(self.structure_of, contents.values()))
        return list, None, tuple(map(self.structure_of, contents))

    def _leaf(self, value: Any) -> tuple:
        ev = self._ev
        value = ev.at_run_time(value)
        if is_runtime(value):
            self._outputs.append(ev.read(value))
            return "out", len(self._outputs) - 1, value.weak, False
        if isinstance(value, Symbolic) or hasattr(value, "described"):
            self._refuse(value)
        return "static", value

    def _part(self, value: Any) -> tuple:
        """An array of dynamic length: the dense array, and the length along each open axis."""
        ev = self._ev
        for other, leaf in self._parts:
            if other is value:
                return "leaf", leaf
        self._parts.append((value, len(self.leaves)))
        whole = parts.packed(ev, value)
        self._outputs.append(ev.read(whole.dense))
        number = len(self._outputs) - 1
        counts = []
        for axis, span in whole.open_spans:
            counts.append((axis, self._count(ev.ops.index(ev.index_value(span.count)))))
        return "part", number, tuple(counts), parts.order_of(value)

    def _count(self, length: Value) -> int:
        """The output number of a length; equal lengths share one output."""
        for other, number in self._lengths:
            if self._ev.ops.builder.same(other, length):
                return number
        self._outputs.append(length)
        self._lengths.append((length, len(self._outputs) - 1))
        return self._lengths[-1][1]

    def _refuse(self, value: Any) -> NoReturn:
        if isinstance(value, Text):
            hint, page = "print it, or return the numbers that it shows", "run-time-string"
            self._ev.filename, self._ev.node = value.origin or self._ev.location
        elif isinstance(value, (Iterator, Lazy, Range, Items)):
            hint, page = "return a list: list(...)", ""
        else:
            hint, page = "return arrays, numbers and containers of them", ""
        self._ev.suggest_text(value)
        self._ev.fail(f"{describe(value)} can't be returned", hint, page=page)

    def _array(self, value: Array) -> Any:
        storage = value.storage
        if storage.argument is not None and not is_view(value):
            self.leaves.append(("arg", storage.argument))
            return None
        if storage.swapped:
            self._ev.fail(
                f"an array of dtype {value.seen_dtype}, which is not in native byte order, can't "
                "be returned",
                f"return it with .astype(np.{value.dtype})",
            )
        for other, leaf in self._arrays.get(storage, ()):
            if other is value or same_object(other, value):
                self.leaves.append(("leaf", leaf))
                return None
        if value.is_whole and storage in self._containers:
            return SAME, self._containers[storage], ()
        others = [] if is_view(value) else storage.maybe
        known = self._known(storage, others)
        if known:
            self._containers[storage] = len(self._containers)
        else:
            self._arrays.setdefault(storage, []).append((value, len(self.leaves)))
        ssa, layout = self._laid(value)
        self._outputs.append(ssa)
        self.leaves.append(("out", len(self._outputs) - 1, None, True, *layout))
        return _either(known, None)

    def _laid(self, value: Array) -> tuple[Value, tuple[Layout, ...]]:
        """The output for an array, and its memory layout unless that is C order."""
        ops, ssa = self._ev.ops, self._ev.read(value)
        strides = strides_of(value)
        if self._is_packed:
            return ssa, ()
        if not strides:
            order = tuple(range(value.ndim))
            return ssa, () if value.writable else (Layout(order, writable=False),)
        axes = axes_by(strides)
        backward = tuple(i for i in axes if strides[i] < 0 and value.shape[i] != 1)
        if backward:
            ssa = ops.create("flip", [ssa], axes=sorted(backward))
        # Strides that depend on an open size differ between calls.
        is_open = depends((value.shape, value.storage.shape))
        is_dense = is_open or is_packed(value.shape, strides, axes)
        layout = Layout(axes, backward, None if is_dense else strides, value.writable)
        return ops.transpose(ssa, axes), (layout,)


def _either(known: list[Any], new: Any) -> Any:
    """The structure of one of several known objects, or of a new one."""
    structure = new
    for each in reversed(known):
        structure = EITHER, None, (None, each, structure)
    return structure


def _kind_of(cell: Cell) -> Any:
    """The kind of the structure of a dict or an instance."""
    is_default = issubclass(cell.kind, dict) and cell.extra is not None
    return DefaultDict(cell.extra) if is_default else cell.kind


def _noun(cell: Cell) -> str:
    return "array" if isinstance(cell, Storage) else cell.kind.__name__


def _is_input(cell: Cell) -> bool:
    return isinstance(cell, Storage) and cell.argument is not None


def _number_of(cell: Cell) -> Any:
    return cell.source.number if isinstance(cell.source, Argument) else cell.source


def _kept(before: list[str], now: list[str]) -> set[str]:
    """The attributes that were not deleted; one that is made again comes after all of them."""
    kept: set[str] = set()
    start = 0
    for name in now:
        if name not in before[start:]:
            break
        start = before.index(name) + 1
        kept.add(name)
    return kept
