"""Lists, dicts, sets and instances: new ones, those from outside, reads and changes."""

from __future__ import annotations

import array as arrays
import collections
import contextvars
import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ingot.syntax import rows
from ingot.syntax.cells import NOTHING_ELSE, Cell, Outside, Storage
from ingot.syntax.dynamic import Grown
from ingot.syntax.foreign import has_same_order_everywhere
from ingot.syntax.guards import MISSING, Reads, Varying
from ingot.syntax.modules import MODULES
from ingot.syntax.sets import Sets
from ingot.syntax.state import ATOMS, State, arrays_in
from ingot.syntax.values import Dict, Instance, List, Reference, Set, Symbolic, tuple_of
from ingot_runtime.trees import attributes_of, is_instance, is_unlike_its_base

#: The reference class for each of Python's container classes.
REFERENCES: dict[type, type[Reference]] = {
    list: List, dict: Dict, set: Set,
    collections.defaultdict: Dict, collections.OrderedDict: Dict,
}  # fmt: skip


#: What shows the contents of other objects, or has some that no guard compares, as those that each
#: thread has.
UNGUARDED: tuple[type, ...] = (
    arrays.array, bytearray, memoryview, types.MappingProxyType, np.flatiter,
    type({}.keys()), type({}.values()), type({}.items()), np.void, threading.local,
    contextvars.ContextVar,
)  # fmt: skip
#: These claim to be what they stand for.
_PROXIES = (weakref.ProxyType, weakref.CallableProxyType)

#: Marks instances from outside whose attributes are values already.
_LIFTED = object()


class Heap(State):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.reads = Reads()
        self.sets = Sets()
        #: Objects that are no arguments, by identity, with the references to them.
        self.outside: dict[int, tuple[Any, Reference]] = {}
        #: Captured arrays, by identity, and numbers that vary, by place. They become hidden
        #: arguments.
        self.captured: dict[Any, tuple[Any, Any]] = {}
        #: Makes a hidden argument; set by the caller of the evaluator.
        self.on_capture: Callable[[Any, str], Any] = lambda array, name: None

    # New objects.

    def new_list(self, items: Iterable[Any]) -> List:
        return List(Cell(list, tuple(items), self.location))

    def new_dict(self, items: Any) -> Dict:
        return Dict(Cell(dict, dict(items), self.location))

    def new_set(self, items: Iterable[Any]) -> Set:
        return self.set_of(set, tuple(items))

    def set_of(self, function: Callable[..., Any], *args: Any) -> Set:
        """A new set: what a function gives for arguments that never change."""
        return Set(Cell(set, self.sets.made(function, *args), self.location))

    def new_instance(self, kind: type) -> Instance:
        return Instance(Cell(kind, {}, self.location))

    def own(self, value: Any) -> Any:
        """A handler's result, in which Python lists, dicts and sets become the program's."""
        kind = type(value)
        if kind is tuple:
            items = tuple(map(self.own, value))
            return value if all(a is b for a, b in zip(items, value, strict=True)) else items
        if kind is list:
            return self.new_list(map(self.own, value))
        if kind is dict:
            return self.new_dict({key: self.own(each) for key, each in value.items()})
        return self.new_set(value) if kind is set else value

    # Objects from outside.

    def lift(self, value: Any, name: str = "") -> Any:
        """A Python object from outside as a value of the evaluator.

        Args:
            value: the object.
            name: the name by which the source reads it.
        """
        kind = type(value)
        if kind in ATOMS or isinstance(value, Symbolic):
            return value
        if value is sys.modules:
            return MODULES
        if kind in _PROXIES or isinstance(value, UNGUARDED):
            what = f"`{name}`" if name else "this"
            self.fail(
                f"{what} is of the type {kind.__name__}, whose contents may change unseen",
                "keep a list, a dict or a NumPy array of what it holds, or pass that as an "
                "argument",
                page="container-subclass",
            )
        if isinstance(value, (np.ndarray, Varying)):
            return self._capture(value, name)
        if is_unlike_its_base(value):
            self.fail(
                f"`{name}` is a {kind.__name__}, a subclass of a built-in class",
                "convert it to the built-in class",
                page="container-subclass",
            )
        if isinstance(value, tuple):
            return self._lift_tuple(value, name)
        if id(value) in self.outside:
            found = self.outside[id(value)][1]
            self.touch(found.cell)
            return found
        if kind in REFERENCES:
            return self._lift_container(value, name)
        if not is_instance(value):
            if kind is collections.deque:
                self.reads.everything(value)
            return value
        # Attributes are lifted when they are read, since most may never be.
        self.reads.class_of(value)
        return self._entered(value, Instance(Cell(kind, attributes_of(value), self.location)))

    def _entered(self, value: Any, made: Reference) -> Reference:
        # It is older than everything that the code makes: its number comes first.
        made.cell.number = -made.cell.number
        made.cell.source = Outside(value)
        self.touch(made.cell)
        self.outside[id(value)] = value, made
        self.given.append(made)
        return made

    def _lift_container(self, value: Any, name: str) -> Reference:
        held = self.reads.contents(value)
        made = self._entered(value, REFERENCES[type(value)](Cell(type(value), (), self.location)))
        cell = made.cell
        cell.extra = getattr(value, "default_factory", None)
        # The container may hold itself, so it has been entered before its items are lifted.
        if isinstance(value, dict):
            cell.value = {key: self.lift(each, f"{name}[{key!r}]") for key, each in held}
        elif isinstance(value, set):
            # It is not changed here: a copy may have another order.
            cell.value = value
        else:
            cell.value = tuple(self.lift(each, f"{name}[{i}]") for i, each in enumerate(held))
        return made

    def lift_all(self, cell: Cell) -> None:
        """Lift all attributes of an instance from outside."""
        if not isinstance(cell.source, Outside) or cell.extra is _LIFTED or cell.kind in REFERENCES:
            return
        names = list(cell.value)
        for name in names:
            self.attribute_of(cell, name)
        cell.extra = _LIFTED

    def attribute_of(self, cell: Cell, name: str) -> Any:
        """An attribute of the instance itself, not of its class, or MISSING."""
        self.contents(Reference(cell))
        found = cell.value.get(name, MISSING)
        if not isinstance(cell.source, Outside) or cell.extra is _LIFTED:
            return found
        if isinstance(found, Symbolic):
            return found
        owner = cell.source.value
        fields = getattr(owner, "__dict__", None)
        if fields is not None and (name in fields or name not in cell.value):
            found = self.reads.item(self.reads.fields(owner), name)
        elif isinstance(self.reads.of_type(cell.kind, name), types.MemberDescriptorType):
            found = self.reads.attribute(owner, name)
        else:
            found = MISSING
        if found is MISSING:
            return found
        lifted = self.lift(found, name)
        if lifted is not found or isinstance(lifted, tuple):
            # This is no change of the instance: the value only has another form.
            cell.value = {**cell.value, name: lifted}
        return lifted

    def _capture(self, value: Any, name: str) -> Any:
        if isinstance(value, np.ndarray) and type(value) is not np.ndarray:
            self.fail(
                f"`{name}` is a {type(value).__name__}, which behaves unlike an array",
                "convert it with np.asarray",
                page="array-subclass",
            )
        key = value.place if isinstance(value, Varying) else id(value)
        if key not in self.captured:
            self.captured[key] = value, self.on_capture(value, name)
        return self.captured[key][1]

    def _lift_tuple(self, value: tuple, name: str) -> Any:
        items = [self.lift(each, name) for each in value]
        if all(a is b for a, b in zip(items, value, strict=True)):
            return value
        return tuple_of(type(value), items)

    # Reading.

    def items(self, value: Reference) -> list[Any]:
        """The items of a list or set, in order."""
        contents = self.contents(value)
        if isinstance(contents, Grown):
            return self._rows(value, contents)
        if not isinstance(value, Set):
            return list(contents)
        items = self.sets.items(contents)
        self.note_order(items)
        return items

    def note_order(self, items: Iterable[Any]) -> None:
        """Note that the program depends on this process if it has its own order of a set."""
        if not has_same_order_everywhere(items):
            self.reads.is_of_process = True

    def _rows(self, value: Reference, contents: Grown) -> list[Any]:
        """The items of a list that is held as rows, each with a storage of its own."""
        length = self.static(contents.length, "the length of a list")
        cell, count = value.cell, len(contents.first)
        items = [rows.row(self, cell, contents, i) for i in range(count, length)]
        if len(self.regions) == 1 or cell in self.regions[-1].written:
            self._tell_items(cell, contents.first, items)
            self.write(cell, (*contents.first, *items))
        return [*contents.first, *items]

    def _tell_items(self, cell: Cell, first: tuple[Any, ...], items: list[Any]) -> None:
        """Relate the items of a list that are new with the arrays that the list has been related
        with, which these items may be, instead of the list."""
        old = {array.storage for array in arrays_in(first)}
        held = [each for each in cell.maybe if isinstance(each, Storage)]
        for one, other in [(cell, each) for each in held] + [(each, cell) for each in held]:
            self.regions[-1].related.setdefault(one, one.maybe)
            links = {each: link for each, link in one.maybe.items() if each is not other}
            self.regions[-1].set_aliases(one, links)
        if cell in self.sharing:
            # These items may be one another: stores to them are refused while the list is in use.
            return
        for array in arrays_in(tuple(items)):
            self.regions[-1].set_aliases(array.storage, NOTHING_ELSE)
            for other in held:
                if other not in old:
                    self.relate(array.storage, other)

    def entries(self, value: Reference) -> dict[Any, Any]:
        """The items of a dict, or the attributes of an instance, in order."""
        self.lift_all(value.cell)
        return self.contents(value)

    def length_of(self, value: Reference) -> Any:
        contents = self.contents(value)
        return contents.length if isinstance(contents, Grown) else len(contents)

    # Changes.

    def change(self, value: Reference, contents: Any) -> None:
        """Replace the contents of a container; all aliases see the change."""
        self.disturbed.add(value.cell)
        self.change_cell(value.cell, contents)

    def append(self, value: List, item: Any) -> None:
        contents = self.contents(value)
        if isinstance(contents, Grown) and rows.append(self, value, contents, item):
            return
        items = (*self.items(value), item)
        rows.check_bound(self, value, len(items), len(items))
        self.change_cell(value.cell, items)

    def set_entry(self, value: Reference, key: Any, item: Any) -> None:
        self.change(value, {**self.entries(value), key: item})

    def delete_entry(self, value: Reference, key: Any) -> None:
        entries = dict(self.entries(value))
        del entries[key]
        self.change(value, entries)
