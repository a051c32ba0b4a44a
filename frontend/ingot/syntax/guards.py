"""Guards: the state that a program depends on besides its arguments.

The evaluator reads globals, attributes, closure cells and containers through `Reads`, which records
a guard for each read. `Guards` checks them before each call; this is native code, since it is part
of the time of every call.
"""

from __future__ import annotations

import enum
import sys
import types
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot import _core
from ingot.dtypes import CODES
from ingot.syntax.places import CONTAINERS, MISSING, Descent, Kept, Loaded, Place, Read, describe
from ingot_runtime.trees import LIBRARIES

#: The types of immutable values that hold no other values, and are compared by their repr.
_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)
_ITEM = Read.ITEM
#: How the names of the modules begin whose functions the evaluator inlines for NumPy's.
_OWN = "ingot.numpy."
#: The longest repr of a value that messages show.
_LONGEST_SHOWN = 40


class Expected(enum.IntEnum):
    """What a guard must find: this value, nothing, a number of its type, an array of its layout."""

    VALUE = 0
    NOTHING = 1
    TYPE = 2
    LAYOUT = 3

    @property
    def varies(self) -> bool:
        """Whether the value is an input of the program."""
        return self in (Expected.TYPE, Expected.LAYOUT)


@dataclass(frozen=True, slots=True)
class Varying:
    """A number or array that is read at each call: an input of the program.

    Attributes:
        place: where it is read; `NeedsStatic` names this if the number must be static.
        value: the current value, which tells its type, or its shape, strides and dtype.
    """

    place: Place
    value: Any


def is_plain(value: Any) -> bool:
    """Whether a value is immutable and holds no other values."""
    return isinstance(value, _PLAIN)


def can_vary(value: Any) -> bool:
    """Whether a program could take a value as an input that is read at each call.

    A bool can't: there are only two, and a program specialised on one is better.
    """
    if type(value) is np.ndarray:
        return value.dtype.newbyteorder("=") in CODES
    if type(value) is int:
        return -(2**63) <= value < 2**63
    if type(value) in (float, complex):
        return True
    return isinstance(value, np.number) and type(value) is value.dtype.type and value.dtype in CODES


def _varying(value: Any) -> Expected:
    return Expected.LAYOUT if type(value) is np.ndarray else Expected.TYPE


def _native_value(kind: Expected, value: Any) -> Any:
    """The value that `ingot._core.Guards` compares with."""
    if kind is Expected.TYPE:
        return type(value)
    return (value.shape, value.strides, value.dtype) if kind is Expected.LAYOUT else value


@dataclass(eq=False, slots=True)
class Guard:
    """A place, and what must be found there.

    Attributes:
        place: where to read.
        found: what was found. Contents are a tuple, in which a dict's keys and values alternate.
        expected: what is expected of `found`, or of each item of that tuple.
    """

    place: Place
    found: Any
    expected: tuple[Expected, ...]

    def native(self) -> tuple[int, Any, Any, list[tuple[int, Any]]]:
        """The guard as `ingot._core.Guards` takes it."""
        place = self.place
        values = self.found if place.read is Read.CONTENTS else (self.found,)
        listed = [
            (int(kind), _native_value(kind, value))
            for kind, value in zip(self.expected, values, strict=True)
        ]
        return int(place.read), place.owner, place.name, listed

    def elements(self) -> Iterator[tuple[Place, int]]:
        """The places of a container's elements, each with its index in `found`."""
        container = self.place.owner
        if self.place.read is not Read.CONTENTS:
            return
        if isinstance(container, dict):
            for at in range(1, len(self.found), 2):
                yield Place(Read.ELEMENT, container, self.found[at - 1]), at
        elif isinstance(container, (list, tuple, deque)):
            for at in range(len(self.found)):
                yield Place(Read.ELEMENT, container, at), at


class Reads:
    """The reads of one evaluation.

    Each method records a guard the first time, and returns what it found: `MISSING` if there is
    nothing, and a `Varying` if the number or array is to be an input of the program.

    Args:
        varying: the places whose numbers and arrays are inputs.
    """

    def __init__(self, varying: frozenset[Place] = frozenset()) -> None:
        self._varying = varying
        self._guards: dict[Place, Guard] = {}
        #: What each read returned, by the parts of its place; hashing these is faster.
        self._known: dict[tuple[Read, int, Any], Any] = {}
        #: The place where each object was found first, by the object's identity.
        self._origins: dict[int, Place] = {}
        #: The objects whose contents are all recorded, by their identity.
        self._whole: dict[int, Any] = {}
        #: What was asked of abstract classes, of `sys.modules`, and of functions with a cache.
        self._descents: dict[tuple[type, type], Descent] = {}
        self._loaded: dict[str, Loaded] = {}
        self._kept: list[Kept] = []
        #: Whether the program depends on the process, as the hashes of strings do.
        self.is_of_process = False

    def item(self, namespace: dict, key: Any) -> Any:
        """A global, a builtin, an attribute in an instance's `__dict__`, an item of a dict."""
        found = self._known.get((_ITEM, id(namespace), key), self)
        return self._read(_ITEM, namespace, key) if found is self else found

    def cell(self, cell: types.CellType, name: str = "") -> Any:
        """The contents of a closure cell, which may be empty.

        Args:
            cell: the cell.
            name: the name of the variable, for messages.
        """
        return self._read(Read.CELL, cell, name)

    def of_type(self, kind: type, name: str) -> Any:
        """The attribute of a class, found along its MRO; descriptors are not called.

        For an attribute of the metaclass, use `of_type(type(kind), name)`.
        """
        return self._read(Read.LOOKUP, kind, name)

    def attribute(self, owner: Any, name: str) -> Any:
        """`getattr(owner, name)`, where that runs no user code and always gives the same object.

        Examples are `function.__code__`, the parts of a partial, and members of `__slots__`.
        """
        return self._read(Read.ATTRIBUTE, owner, name)

    def defaults(self, function: types.FunctionType) -> tuple[tuple | None, dict | None]:
        """The defaults of a function, and all that they hold."""
        found = [self.attribute(function, name) for name in ("__defaults__", "__kwdefaults__")]
        for each in found:
            self.everything(each)
        return found[0], found[1]

    def descent(self, kind: type, base: type) -> bool:
        """`issubclass(kind, base)` of an abstract class, of which `register` makes others."""
        descent = self._descents.setdefault((kind, base), Descent(kind, base))
        return self._read(Read.ATTRIBUTE, descent, "holds")

    def mro(self, kind: type) -> tuple[type, ...]:
        """The bases of a class, which an assignment to `__bases__` changes."""
        return self._read(Read.ATTRIBUTE, kind, "__mro__")  # type: ignore[no-any-return]

    def is_loaded(self, module: str) -> bool:
        """`module in sys.modules`."""
        loaded = self._loaded.setdefault(module, Loaded(module))
        return self._read(Read.ATTRIBUTE, loaded, "holds")  # type: ignore[no-any-return]

    def kept(self, function: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
        """What a function with a cache gives for arguments that never change."""
        if (function.__module__ or "").startswith(_OWN):
            return function(*args, **kwargs)
        self._kept.append(Kept(function, args, kwargs))
        return self._read(Read.ATTRIBUTE, self._kept[-1], "value")

    def fields(self, owner: Any) -> Any:
        """The `__dict__` of an instance, for `item` and `contents`; MISSING without one."""
        return self._read(Read.ATTRIBUTE, owner, "__dict__")

    def class_of(self, owner: Any) -> type:
        """The class of an object, which an assignment to `__class__` changes."""
        return self._read(Read.CLASS, owner)

    def contents(self, container: Any) -> tuple:
        """All items of a list, tuple, dict, set, frozenset or deque, in order.

        No guard is recorded for an immutable container.

        Returns:
            The items; for a dict, the (key, value) pairs.
        """
        guard = self._record_contents(container, self._varying)
        shown = list(guard.found)
        for element, at in guard.elements() if self._varying else ():
            if guard.expected[at].varies:
                shown[at] = Varying(element, guard.found[at])
        if isinstance(container, dict):
            return tuple(zip(shown[::2], shown[1::2], strict=True))
        return tuple(shown)

    def everything(self, value: Any) -> None:
        """Record the contents of a container or instance, recursively.

        This is for values that are then used without a read of each part.
        """
        # The loop goes on over the items that it appends; `_whole` ends cycles.
        rest = [value]
        for each in rest:
            if isinstance(each, _PLAIN) or id(each) in self._whole:
                continue
            self._whole[id(each)] = each
            # A weak proxy claims to be what it stands for.
            if issubclass(type(each), CONTAINERS):
                rest += self._record_contents(each, frozenset()).found
            elif _has_fields(each):
                rest.append(self.fields(each))

    def guards(self) -> Guards:
        """The guards of the program that these reads are for."""
        listed = tuple(each for each in self._guards.values() if not self._is_own(each.place))
        made = Guards(listed, self._origins, self._varying)
        made.are_of_process = self.is_of_process
        return made

    def _is_own(self, place: Place) -> bool:
        """Whether a place is a global or a class of Ingot's, or in one: constants of this build.

        A process that loads a program from the disk cache may not have imported the module.
        """
        # Objects may have been found in each other.
        seen: set[int] = set()
        at: Place | None = place
        while at is not None and id(at.owner) not in seen:
            if _is_of_ingot(at.owner):
                return True
            seen.add(id(at.owner))
            at = self._origins.get(id(at.owner))
        return False

    def _read(self, read: Read, owner: Any, name: Any = None) -> Any:
        # The guard keeps the owner alive, so that no other object gets its identity.
        key = (read, id(owner), name)
        found = self._known.get(key, self)
        if found is self:
            found = self._known[key] = self._read_first(Place(read, owner, name))
        return found

    def _read_first(self, place: Place) -> Any:
        guard = self._guards[place] = self._guard(place)
        self._found(guard.found, place, guard.expected[0])
        return Varying(place, guard.found) if guard.expected[0].varies else guard.found

    def _guard(self, place: Place) -> Guard:
        found = place.find()
        if found is MISSING:
            return Guard(place, found, (Expected.NOTHING,))
        varies = place in self._varying and can_vary(found)
        return Guard(place, found, (_varying(found) if varies else Expected.VALUE,))

    def _record_contents(self, container: Any, varying: frozenset[Place]) -> Guard:
        place = Place(Read.CONTENTS, container)
        known = self._guards.get(place)
        if known is not None and (varying or not any(kind.varies for kind in known.expected)):
            return known
        found = place.find() if known is None else known.found
        expected = [Expected.VALUE] * len(found)
        guard = Guard(place, found, ())
        for element, at in guard.elements():
            if varying and element in varying and can_vary(found[at]):
                expected[at] = _varying(found[at])
            self._found(found[at], element, expected[at])
        guard = Guard(place, found, tuple(expected))
        if type(container) not in (tuple, frozenset):
            # A tuple or frozenset can't change; the guard of the place that holds it compares it.
            self._guards[place] = guard
        return guard

    def _found(self, value: Any, place: Place, expected: Expected) -> None:
        if isinstance(value, _PLAIN):
            return
        self._origins.setdefault(id(value), place)
        if isinstance(value, np.ndarray) and expected is Expected.VALUE:
            # The shape, strides and dtype of an array can be assigned.
            for name in ("shape", "strides", "dtype"):
                self._read(Read.ATTRIBUTE, value, name)


class Guards:
    """The guards of one program.

    Attributes:
        listed: all guards.
        origins: the place where each object was found first, by its identity.
        varying: the places that were asked to be inputs.
        fixed: the places that can't be inputs.
        are_of_process: whether the program depends on this process in a way that no guard tells.
        failed: returns the index of the first guard that fails, from a given index on, or -1.
    """

    def __init__(
        self, listed: tuple[Guard, ...], origins: dict[int, Place], varying: frozenset[Place]
    ) -> None:
        self.listed, self.origins, self.varying = listed, origins, varying
        self.fixed: frozenset[Place] = frozenset()
        self.are_of_process = False
        self.failed = _core.Guards([guard.native() for guard in listed]).failed

    def changes(self) -> Iterator[tuple[Place, Any, Any]]:
        """The changes: for each its place, the value before, and the value now."""
        number = self.failed()
        while number >= 0:
            yield from _changes_of(self.listed[number])
            number = self.failed(number + 1)

    def reason(self) -> str:
        """The first change in words, or "" if there is none."""
        for place, before, now in self.changes():
            where = describe(place, self.origins)
            if _is_shown(before) and _is_shown(now):
                return f"{where} was {before!r} and is {now!r}"
            what = "is new" if before is MISSING else "is gone" if now is MISSING else "changed"
            return f"{where} {what}"
        return ""

    def replaced(self) -> set[Place]:
        """The places of changed numbers and arrays that could be inputs instead."""
        return {place for place, before, now in self.changes() if _is_alike(before, now)}


def _is_alike(before: Any, now: Any) -> bool:
    """Whether a program that takes the one value as an input can also take the other."""
    if type(before) is not type(now) or not can_vary(before) or not can_vary(now):
        return False
    is_array = isinstance(now, np.ndarray)
    return not is_array or (before.shape, before.dtype) == (now.shape, now.dtype)


def _changes_of(guard: Guard) -> Iterator[tuple[Place, Any, Any]]:
    """The parts of a guard that may be the reason why it fails."""
    before, now = guard.found, guard.place.find()
    if guard.place.read is Read.CONTENTS:
        changed = _changed_elements(guard, now)
        if changed:
            yield from changed
            return
    yield guard.place, before, now


def _changed_elements(guard: Guard, now: tuple) -> list[tuple[Place, Any, Any]]:
    """The elements of a container that were replaced, if nothing else has changed."""
    before = guard.found
    if len(before) != len(now):
        return []
    differ = [at for at, pair in enumerate(zip(before, now, strict=True)) if _differ(*pair)]
    places = {at: place for place, at in guard.elements()}
    if not all(at in places for at in differ):
        return []
    return [(places[at], before[at], now[at]) for at in differ]


def _differ(before: Any, now: Any) -> bool:
    is_plain = type(before) is type(now) and isinstance(before, _PLAIN)
    if is_plain and isinstance(before, int):
        return before is not now and before != now
    return before is not now and not (is_plain and repr(before) == repr(now))


def _is_shown(value: Any) -> bool:
    if isinstance(value, int) and value.bit_length() > 4 * _LONGEST_SHOWN:
        # The decimal digits of long integers have a limit.
        return False
    return isinstance(value, _PLAIN) and len(repr(value)) <= _LONGEST_SHOWN


def _is_of_ingot(owner: Any) -> bool:
    """Whether an object is a class of Ingot's, or the namespace of such a module."""
    is_class = isinstance(owner, type)
    module = owner.__module__ if is_class else isinstance(owner, dict) and owner.get("__name__")
    if not isinstance(module, str) or not module.startswith(_OWN):
        return False
    return is_class or (module in sys.modules and vars(sys.modules[module]) is owner)


def _has_fields(value: Any) -> bool:
    """Whether a value is an instance of a user's class, with attributes in its `__dict__`."""
    if isinstance(value, (types.ModuleType, type, types.FunctionType, *_PLAIN)):
        return False
    module = type(value).__module__.partition(".")[0]
    return module not in (*LIBRARIES, "builtins") and isinstance(
        getattr(value, "__dict__", None), dict
    )
