"""Arguments and results as trees: tuples, lists, dicts, sets and instances of users' classes.

`flatten` turns a tree into its leaves and a structure: None for a leaf, or a tuple (kind, keys,
children), where the kind is a class or one of the markers below.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import inspect
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

#: The flag Py_TPFLAGS_HEAPTYPE, which classes that are defined in Python have.
HEAP_TYPE = 1 << 9
#: Packages whose classes are not users' classes: their instances are leaves.
LIBRARIES = ("ingot", "ingot_runtime", "jax", "jaxlib", "ml_dtypes", "numpy", "scipy")


#: Classes of Python that are treated as users' classes: their attributes are the user's.
_NAMESPACES = (types.SimpleNamespace,)
#: Classes of Python whose instances never change, and are known at compile time.
_CONSTANTS = (inspect.Signature, inspect.Parameter)
#: Classes that a user's class may not derive from, since they have state that is not an attribute.
_BASES = (
    int, float, complex, str, bytes, bytearray, tuple, list, dict, set, frozenset, type, slice,
    BaseException, enum.Enum,
)  # fmt: skip
#: Subclasses of dict that behave as dict does.
_PLAIN_SUBCLASSES = (collections.defaultdict, collections.OrderedDict)


def is_instance(value: Any) -> bool:
    """Whether the value is an instance of a user's class, whose state is its attributes."""
    kind: Any = type(value)
    return is_instance_class(kind)


@functools.lru_cache(maxsize=1024)
def is_instance_class(kind: type) -> bool:
    """Whether a class is a user's class, whose instances have no state besides attributes."""
    if kind in _NAMESPACES:
        return True
    is_users = kind.__flags__ & HEAP_TYPE and kind.__module__.partition(".")[0] not in LIBRARIES
    return bool(is_users) and kind not in _CONSTANTS and not obstacle(kind)


#: What gives instances a state or a meaning besides their attributes.
_OBSTACLES = ("__array__", "__dlpack__", "__next__", "__ingot_emit__")


def obstacle(kind: type) -> str:
    """What keeps instances of a user's class from being known by their attributes, or nothing."""
    call = _lookup(kind, "__call__")
    if issubclass(kind, _BASES):
        base = next(base for base in _BASES if issubclass(kind, base))
        return f"it is derived from {base.__name__}"
    if kind.__dictoffset__ == 0 and "__slots__" not in kind.__dict__:
        return "they have no attributes"
    if kind.__getattribute__ is not object.__getattribute__:
        return "it has a `__getattribute__`"
    if has_other_dict(kind):
        return "it has a `__dict__` of its own"
    if not (call is None or isinstance(call, types.FunctionType)):
        return "its `__call__` is no function"
    return next((f"it has a `{name}`" for name in _OBSTACLES if hasattr(kind, name)), "")


def has_other_dict(kind: type) -> bool:
    """Whether the class overrides `__dict__`, so that it is not the dict of the attributes."""
    own = (types.GetSetDescriptorType, types.MemberDescriptorType, types.NoneType)
    return not isinstance(_lookup(kind, "__dict__"), own)


def _lookup(kind: type, name: str) -> Any:
    return next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)


def is_unlike_its_base(value: Any) -> bool:
    """Whether the value's class is a user's subclass of a Python container or number."""
    kind: Any = type(value)
    return is_class_unlike_its_base(kind)


@functools.lru_cache(maxsize=1024)
def is_class_unlike_its_base(kind: type) -> bool:
    """The same for a class. Named tuples with methods are allowed, but not with operators."""
    if kind in _PLAIN_SUBCLASSES or issubclass(kind, (enum.Enum, BaseException, type)):
        return False
    is_named = issubclass(kind, tuple) and hasattr(kind, "_fields")
    own = kind.__mro__[: kind.__mro__.index(tuple)] if is_named else ()
    if any("__init__" in base.__dict__ for base in own):
        # It keeps attributes besides its fields, as SciPy's results do.
        return True
    is_users = kind.__flags__ & HEAP_TYPE and kind.__module__.partition(".")[0] not in LIBRARIES
    if not (is_users and issubclass(kind, _BASES)):
        return False
    if not is_named:
        return True
    changed = {name for base in own for name in base.__dict__ if name in _TUPLE_OPERATORS}
    made = [base for base in own if "__new__" in base.__dict__]
    return bool(changed) or any("_fields" not in base.__dict__ for base in made)


#: The methods of tuples that compiled code assumes are not overridden.
_TUPLE_OPERATORS = frozenset(
    f"__{name}__" for name in (
        "add", "radd", "iadd", "mul", "rmul", "imul", "sub", "rsub", "truediv", "rtruediv",
        "floordiv", "rfloordiv", "mod", "rmod", "pow", "rpow", "matmul", "rmatmul", "neg", "pos",
        "abs", "invert", "and", "rand", "or", "ror", "xor", "rxor", "lshift", "rlshift", "rshift",
        "rrshift", "divmod", "rdivmod", "eq", "ne", "lt", "le", "gt", "ge", "bool", "len", "iter",
        "contains", "getitem", "call", "getattribute", "getattr", "reversed", "index", "int",
        "float", "complex", "round", "enter", "exit", "array", "array_ufunc",
    )
)  # fmt: skip


def attributes_of(value: Any) -> dict[str, Any]:
    """The instance attributes by name, including slots, without those of the class."""
    found = dict(getattr(value, "__dict__", {}))
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                found.setdefault(name, getattr(value, name))
    return found


def make_instance(kind: type, names: tuple[str, ...], values: Iterable[Any]) -> Any:
    """An instance with these attributes; `__init__` does not run."""
    if kind in _NAMESPACES:
        return kind(**dict(zip(names, values, strict=True)))
    made: Any = object.__new__(kind)
    for name, value in zip(names, values, strict=True):
        object.__setattr__(made, name, value)
    return made


@dataclasses.dataclass(frozen=True)
class DefaultDict:
    """The kind of a defaultdict with this factory."""

    factory: Any


#: The kind of an object that occurred before. The keys are its index in `containers_of`, or ~i for
#: an array whose leaf index is i.
SAME = "same"
#: The kind of an object that is either an existing one, from the arguments or the tree, or a new
#: one, or of a number of either type; the program decides which. The children are a leaf that is
#: true for the first, and the two.
EITHER = "either"
#: The kind of one of several values, as the program decides. The children are a leaf with the index
#: of the value, and the values.
ONE_OF = "one of"
#: The kind of a list whose length is known only at run time. The only child is the structure of an
#: item; each of its leaves is the list of that leaf's values in all items.
ROWS = "rows"
#: Classes of common leaves, which are tested first.
_LEAVES = frozenset([int, float, bool, complex, str, type(None)])


#: By id, the indices of the containers, and the leaf indices of the arrays, that occurred so far.
Seen = tuple[dict[int, int], dict[int, int]]


def flatten(value: Any, leaves: list[Any], seen: Seen | None = None, *, alone: bool = False) -> Any:
    """Append the leaves of a tree to `leaves`, and return its structure, which is hashable.

    None is a leaf. A list, dict, set, instance or array that occurs again has the structure
    (SAME, index, ()).

    Args:
        value: the tree.
        leaves: the list to append to.
        seen: the objects that occurred so far; share it between trees that may share objects.
        alone: whether to ignore that an object occurs again.

    Raises:
        RecursionError: a container contains itself.
    """
    return _flatten_all((value,), leaves, ({}, {}) if seen is None else seen, alone)[0]


def _flatten_all(values: Iterable[Any], leaves: list[Any], seen: Seen, alone: bool) -> tuple:
    """The structures of several values. It is fast, since each call of a function runs it."""
    containers, arrays = seen
    made: list[Any] = []
    for value in values:
        kind = type(value)
        part: Any = None
        if kind in _LEAVES:
            leaves.append(value)
        elif kind is np.ndarray:
            number = arrays.setdefault(id(value), len(leaves))
            if number == len(leaves) or alone:
                leaves.append(value)
            else:
                part = SAME, ~number, ()
        elif isinstance(value, tuple):
            part = kind, None, _flatten_all(value, leaves, seen, alone)
        elif kind not in _CONTAINERS and not is_instance(value):
            leaves.append(value)
        else:
            number = containers.get(id(value), len(containers))
            if number < 0:
                raise RecursionError("a container holds itself")
            if id(value) in containers and not alone:
                part = SAME, number, ()
            else:
                # A negative index marks containers that are being flattened.
                containers[id(value)] = ~number
                part = _flatten_container(value, leaves, seen, alone)
                containers[id(value)] = number
        made.append(part)
    return tuple(made)


def _flatten_container(value: Any, leaves: list[Any], seen: Seen, alone: bool) -> Any:
    kind = type(value)
    if kind is list:
        return kind, None, _flatten_all(value, leaves, seen, alone)
    if kind is set:
        return kind, Keys(value), ()
    fields = value if kind in _CONTAINERS else attributes_of(value)
    if not fields and kind is dict:
        return kind, (), ()
    children = _flatten_all(fields.values(), leaves, seen, alone)
    keys = tuple(fields)
    if any(type(key) is not str for key in keys):
        keys = Keys(keys)
    if kind is collections.defaultdict:
        return DefaultDict(value.default_factory), keys, children
    return kind, keys, children


class Keys(tuple):
    """A tuple of keys in which 1, 1.0 and True are different."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, other) is True and repr(self) == repr(other)

    __hash__ = tuple.__hash__


_CONTAINERS = frozenset([list, dict, set, *_PLAIN_SUBCLASSES])


def containers_of(value: Any) -> list[Any]:
    """The lists, dicts, sets and instances of a tree, in the order of `flatten`'s indices."""
    found: list[Any] = []
    seen: set[int] = set()

    def visit(each: Any) -> None:
        kind = type(each)
        if isinstance(each, tuple):
            children: Iterable[Any] = each
        elif kind in _CONTAINERS or (kind not in _LEAVES and is_instance(each)):
            if id(each) in seen:
                return
            seen.add(id(each))
            found.append(each)
            if kind is set:
                return
            fields = each if kind in _CONTAINERS else attributes_of(each)
            children = fields.values() if isinstance(fields, dict) else fields
        else:
            return
        for child in children:
            visit(child)

    visit(value)
    return found


def unflatten(structure: Any, take: Callable[[], Any]) -> Any:
    """Rebuild a tree from its structure; `take()` returns the next leaf."""
    return _unflatten(structure, take, [], [])


def _unflatten(structure: Any, take: Callable[[], Any], made: list[Any], taken: list[Any]) -> Any:
    if structure is None:
        taken.append(take())
        return taken[-1]
    kind, keys, children = structure
    if kind is SAME:
        return made[keys] if keys >= 0 else taken[~keys]
    if kind is EITHER:
        is_there, there = (_unflatten(child, take, made, taken) for child in children[:2])
        number = len(made)
        new = _unflatten(children[2], take, made, taken)
        found = there if is_there else new
        made[number:] = [found, *made[number + 1 :]]
        return found
    if kind is ONE_OF:
        number = len(made)
        made.append(None)
        which, *values = [_unflatten(child, take, made, taken) for child in children]
        made[number] = values[which]
        return made[number]
    if issubclass(kind, tuple) if isinstance(kind, type) else False:
        items = [_unflatten(child, take, made, taken) for child in children]
        return kind(*items) if hasattr(kind, "_fields") else kind(items)
    if kind is slice:
        return slice(*[_unflatten(child, take, made, taken) for child in children])
    number = len(made)
    made.append(None)
    if kind is ROWS:
        made[number] = _unflatten_rows(children[0], take, taken)
        return made[number]
    items = [_unflatten(child, take, made, taken) for child in children]
    made[number] = _container(kind, keys, items)
    return made[number]


def _unflatten_rows(item: Any, take: Callable[[], Any], taken: list[Any]) -> list[Any]:
    """The items of a `ROWS` list, whose structure consists of tuples and of `EITHER`."""
    if item is None:
        taken.append(take())
        return list(taken[-1])
    kind, _, children = item
    if kind is EITHER:
        parts = zip(*[_unflatten_rows(child, take, taken) for child in children], strict=True)
        return [there if is_there else new for is_there, there, new in parts]
    rows = zip(*[_unflatten_rows(child, take, taken) for child in children], strict=True)
    return [kind(*row) for row in rows] if hasattr(kind, "_fields") else list(rows)


def _container(kind: Any, keys: tuple | None, items: list[Any]) -> Any:
    if kind is list:
        return items
    assert keys is not None
    if kind is set:
        return set(keys)
    if isinstance(kind, DefaultDict):
        return collections.defaultdict(kind.factory, zip(keys, items, strict=True))
    if issubclass(kind, dict):
        return kind(zip(keys, items, strict=True))
    return make_instance(kind, keys, items)


def rebuild(structure: Any, leaves: Iterable[Any]) -> Any:
    """Rebuild a tree from its structure and its leaves."""
    return unflatten(structure, iter(leaves).__next__)


# Descriptions of trees in JSON.

#: The sequence classes by their names in a description.
_SEQUENCES: dict[str, type] = {"tuple": tuple, "list": list}


def describe(structure: Any) -> Any:
    """A structure as a JSON value, with the names of classes, and None for leaves.

    Raises:
        TypeError: a key of a dict is not a string, a number or None, or a kind has no description.
    """
    if structure is None:
        return None
    kind, keys, children = structure
    if kind is ROWS:
        raise TypeError("lists of a length known only at run time can't be described")
    if kind in (EITHER, ONE_OF):
        raise TypeError("what is one of two objects, as run time tells, can't be described")
    if kind is slice:
        raise TypeError("slices can't be described")
    if kind in (SAME, set) or isinstance(kind, DefaultDict):
        raise TypeError("sets, defaultdicts and containers that occur twice can't be described")
    inner = [describe(child) for child in children]
    if kind is dict:
        for key in keys:
            if not isinstance(key, (str, int, float, type(None))):
                raise TypeError(f"a dict's key {key!r} is not a string or number")
        return ["dict", list(keys), inner]
    if hasattr(kind, "_fields"):
        return [f"namedtuple {kind.__name__}", list(kind._fields), inner]
    if keys is not None:
        return [f"record {kind.__name__}", list(keys), inner]
    return ["list" if kind is list else "tuple", None, inner]


def structure_of(description: Any) -> Any:
    """The structure of a description; named tuples and dataclasses get new classes.

    Raises:
        ValueError: the description is malformed.
    """
    if description is None:
        return None
    if not (isinstance(description, list) and len(description) == 3):
        raise ValueError("malformed tree")
    name, keys, children = description
    if not isinstance(name, str) or not isinstance(children, list):
        raise ValueError("malformed tree")
    inner = tuple(structure_of(child) for child in children)
    if name in _SEQUENCES:
        return _SEQUENCES[name], None, inner
    if not isinstance(keys, list) or len(keys) != len(inner):
        raise ValueError("malformed tree")
    if name == "dict":
        return dict, tuple(keys), inner
    sort, _, name = name.partition(" ")
    if sort == "namedtuple":
        return _named_tuple(name, tuple(keys)), None, inner
    if any(str(key).startswith("__") for key in keys):
        raise ValueError("a field of a container")
    if sort == "record":
        return _record(name, tuple(keys)), tuple(keys), inner
    raise ValueError(f"unknown container {sort!r}")


@functools.cache
def _named_tuple(name: str, fields: tuple[str, ...]) -> type:
    return collections.namedtuple(name, fields)  # type: ignore[misc]


@functools.cache
def _record(name: str, fields: tuple[str, ...]) -> type:
    return dataclasses.make_dataclass(name, fields)


def parameters_of(function: Any, structure: Any) -> list[str]:
    """The names of the leaves of (args, kwargs) in errors: the parameter and the path within it."""
    code = getattr(function, "__code__", None)
    found = []
    for path in paths_of(structure):
        _, name, *rest = path.split(".")
        if name.isdigit() and code is not None and int(name) < code.co_argcount:
            name = code.co_varnames[int(name)]
        found.append(".".join([name, *rest]))
    return found


def paths_of(structure: Any, path: str = "") -> list[str]:
    """The path of each leaf: the keys, fields and indices that lead to it, joined by dots."""
    if structure is None:
        return [path]
    kind, keys, children = structure
    names = kind._fields if hasattr(kind, "_fields") else keys
    found: list[str] = []
    for i, child in enumerate(children):
        part = str(i if names is None else names[i])
        found += paths_of(child, f"{path}.{part}" if path else part)
    return found
