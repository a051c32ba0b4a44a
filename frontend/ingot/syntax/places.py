"""Places: where the guards of a program read state that is no argument, and their names."""

from __future__ import annotations

import builtins
import enum
import sys
import types
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


class Missing(enum.Enum):
    """The class of `MISSING`, which no user's code can hold."""

    MISSING = enum.auto()

    def __bool__(self) -> bool:
        return False


#: The result of a read that finds nothing.
MISSING = Missing.MISSING

#: The containers whose contents can be guarded.
CONTAINERS = (list, tuple, dict, set, frozenset, deque)


class Read(enum.IntEnum):
    """How a place is read; the numbers are those of frontend/bindings/Guards.h."""

    ITEM = 0
    CELL = 1
    LOOKUP = 2
    ATTRIBUTE = 3
    CONTENTS = 4
    CLASS = 5
    #: One element of a container. The guard of the contents holds its expected value.
    ELEMENT = 6


# Not frozen: that makes each one several times as slow to make.
@dataclass(eq=False, repr=False, slots=True)
class Place:
    """A read of Python state that a guard can repeat, such as a global or a closure variable. It
    never changes.

    Attributes:
        read: how it is read.
        owner: the object that holds the state: a namespace, a cell, a class, a container.
        name: the name, index or key in the owner; None if there is none.
    """

    read: Read
    owner: Any
    name: Any = None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Place)
            and self.owner is other.owner
            and self.read is other.read
            and self.name == other.name
        )

    def __hash__(self) -> int:
        return hash((self.read, id(self.owner), self.name))

    def find(self) -> Any:
        """The value there now, or MISSING."""
        return _FIND[self.read](self.owner, self.name)


@dataclass(frozen=True, slots=True)
class Descent:
    """A class, and an abstract one from which it is derived if `register` of that says so."""

    kind: type
    base: type

    @property
    def holds(self) -> bool:
        return issubclass(self.kind, self.base)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The name of a module that may be in `sys.modules`."""

    module: str

    @property
    def holds(self) -> bool:
        return self.module in sys.modules


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A call of a function with a cache; it gives what is kept there."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def value(self) -> Any:
        return self.function(*self.args, **self.kwargs)


def _item(namespace: dict, key: Any) -> Any:
    return dict.get(namespace, key, MISSING)


def _cell(cell: types.CellType, name: str) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def _lookup(kind: type, name: str) -> Any:
    for base in kind.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return MISSING


def _attribute(owner: Any, name: str) -> Any:
    return getattr(owner, name, MISSING)


def _contents(container: Any, name: Any) -> tuple:
    if isinstance(container, OrderedDict):
        return _alternating(OrderedDict.items(container))
    if isinstance(container, dict):
        return _alternating(dict.items(container))
    # A subclass may override iteration, but a guard is about the stored elements.
    kind: Any
    for kind in CONTAINERS:
        if isinstance(container, kind):
            return tuple(kind.__iter__(container))
    return tuple(container)


def _alternating(items: Any) -> tuple:
    """Keys and values in turn: the native guards compare contents as one sequence."""
    return tuple(each for pair in items for each in pair)


def _element(container: Any, key: Any) -> Any:
    if isinstance(container, dict):
        return dict.get(container, key, MISSING)
    held = _contents(container, None)
    return held[key] if key < len(held) else MISSING


_FIND: dict[Read, Callable[[Any, Any], Any]] = {
    Read.ITEM: _item,
    Read.CELL: _cell,
    Read.LOOKUP: _lookup,
    Read.ATTRIBUTE: _attribute,
    Read.CONTENTS: _contents,
    Read.CLASS: lambda owner, name: type(owner),
    Read.ELEMENT: _element,
}


# Names in messages.


def describe(place: Place, origins: Mapping[int, Place]) -> str:
    """A place as a message names it.

    Args:
        origins: the place where each object was first found, by the object's identity.
    """
    owner, name = place.owner, place.name
    if isinstance(owner, dict) and place.read is not Read.CONTENTS:
        return _describe_item(owner, name, origins)
    if place.read is Read.ELEMENT:
        return f"item {name!r} of {_describe_owner(owner, origins)}"
    if place.read is Read.CELL:
        return f"closure variable `{name}`" if name else "a closure variable"
    if place.read is Read.CONTENTS:
        described = _describe_owner(owner, origins)
        return described if _instance_of(owner, origins) else f"what {described} holds"
    if place.read is Read.CLASS:
        return f"the class of {_describe_owner(owner, origins)}"
    if isinstance(owner, Descent):
        return f"whether {owner.kind.__name__} is a {owner.base.__name__}"
    if isinstance(owner, Loaded):
        return f"whether the module {owner.module} is loaded"
    if isinstance(owner, Kept):
        return f"what `{getattr(owner.function, '__name__', 'a function')}` keeps"
    if isinstance(owner, types.FunctionType) and name in _OF_FUNCTIONS:
        return f"{_OF_FUNCTIONS[name]} of `{owner.__name__}`"
    if name == "__dict__":
        return f"the attributes of {_describe_owner(owner, origins)}"
    return f"attribute `{name}` of {_describe_owner(owner, origins)}"


#: The names of function attributes in messages.
_OF_FUNCTIONS = {
    "__code__": "the code",
    "__defaults__": "a default",
    "__kwdefaults__": "a default",
    "__closure__": "the closure",
}


def _describe_item(namespace: dict, key: Any, origins: Mapping[int, Place]) -> str:
    if namespace is vars(builtins):
        return f"builtin `{key}`"
    module = _module_of(namespace)
    if module:
        return f"global `{key}` of module {module}"
    instance = _instance_of(namespace, origins)
    if instance is not None:
        return f"attribute `{key}` of {_describe_owner(instance.owner, origins)}"
    return f"item {key!r} of {_describe_owner(namespace, origins)}"


def _instance_of(namespace: Any, origins: Mapping[int, Place]) -> Place | None:
    """The place of a dict that is the `__dict__` of an instance, or None."""
    origin = origins.get(id(namespace))
    is_fields = origin and origin.read is Read.ATTRIBUTE and origin.name == "__dict__"
    return origin if is_fields else None


def _module_of(namespace: dict) -> str | None:
    """The name of the module with these globals, or None; scripts run by `exec` have a name."""
    name = namespace.get("__name__")
    if not isinstance(name, str):
        return None
    is_known = vars(sys.modules.get(name, types)) is namespace
    return name if is_known or "__builtins__" in namespace else None


def _describe_owner(owner: Any, origins: Mapping[int, Place]) -> str:
    if isinstance(owner, types.ModuleType):
        return f"module {owner.__name__}"
    if isinstance(owner, type):
        return f"class {owner.__name__}"
    if isinstance(owner, types.FunctionType):
        return f"`{owner.__name__}`"
    if id(owner) in origins:
        return describe(origins[id(owner)], origins)
    kind = type(owner).__name__
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
