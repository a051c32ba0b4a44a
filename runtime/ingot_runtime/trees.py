"""Arguments and results as trees of tuples, lists, dicts and instances of users' classes."""

from __future__ import annotations

import collections
import dataclasses
import functools
from collections.abc import Callable, Iterable
from typing import Any

#: Set in the flags of classes that are defined in Python.
HEAP_TYPE = 1 << 9
#: Whose instances are values by themselves.
LIBRARIES = ("ingot", "jax", "jaxlib", "ml_dtypes", "numpy", "scipy")


def is_record(value: Any) -> bool:
    """Whether the value is an instance of a class of the user's, made of its attributes."""
    kind = type(value)
    return (
        kind.__flags__ & HEAP_TYPE != 0
        and kind.__module__.partition(".")[0] not in LIBRARIES
        and type(kind) is type
        and kind.__getattribute__ is object.__getattribute__
        and not hasattr(kind, "__getattr__")
        and getattr(value, "__dict__", None) is not None
        and not hasattr(kind, "__array__")
        and not callable(value)
    )


def make_record(kind: type, names: tuple[str, ...], values: Iterable[Any]) -> Any:
    """An instance with these attributes; its class's __init__ does not run."""
    made: Any = object.__new__(kind)
    made.__dict__.update(zip(names, values, strict=True))
    return made


def flatten(value: Any, leaves: list[Any]) -> Any:
    """Append the leaves to `leaves` and give the (hashable) structure; None is a leaf."""
    if isinstance(value, dict):
        return dict, tuple(value), tuple([flatten(each, leaves) for each in value.values()])
    if isinstance(value, (tuple, list)):
        kind = list if isinstance(value, list) else type(value)
        return kind, None, tuple([flatten(each, leaves) for each in value])
    if value is not None and is_record(value):
        fields = vars(value)
        children = tuple([flatten(each, leaves) for each in fields.values()])
        return type(value), tuple(fields), children
    leaves.append(value)
    return None


def unflatten(structure: Any, take: Callable[[], Any]) -> Any:
    """Rebuild a tree; `take()` gives the next leaf."""
    if structure is None:
        return take()
    kind, keys, children = structure
    items = [unflatten(child, take) for child in children]
    if kind is dict:
        return dict(zip(keys, items, strict=True))
    if keys is not None:
        return make_record(kind, keys, items)
    return kind(*items) if hasattr(kind, "_fields") else kind(items)


def rebuild(structure: Any, leaves: Iterable[Any]) -> Any:
    """Rebuild a tree from all of its leaves."""
    return unflatten(structure, iter(leaves).__next__)


# Trees outside of this process.

#: The sequences by their names in a description.
_SEQUENCES: dict[str, type] = {"tuple": tuple, "list": list}


def describe(structure: Any) -> Any:
    """The structure as JSON has it: classes by their names, leaves as None.

    Raises:
        TypeError: a key of a dict is no string, number or None.
    """
    if structure is None:
        return None
    kind, keys, children = structure
    inner = [describe(child) for child in children]
    if kind is dict:
        for key in keys:
            if not isinstance(key, (str, int, float, type(None))):
                raise TypeError(f"a dict's key {key!r} is no string or number")
        return ["dict", list(keys), inner]
    if hasattr(kind, "_fields"):
        return [f"namedtuple {kind.__name__}", list(kind._fields), inner]
    if keys is not None:
        return [f"record {kind.__name__}", list(keys), inner]
    return ["list" if kind is list else "tuple", None, inner]


def structure_of(description: Any) -> Any:
    """The structure of a description; named tuples and records get classes of their own.

    Raises:
        ValueError: it is no description.
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
    """What errors call the leaves of a call's (args, kwargs): parameters, and places in these."""
    code = getattr(function, "__code__", None)
    found = []
    for path in paths_of(structure):
        _, name, *rest = path.split(".")
        if name.isdigit() and code is not None and int(name) < code.co_argcount:
            name = code.co_varnames[int(name)]
        found.append(".".join([name, *rest]))
    return found


def paths_of(structure: Any, path: str = "") -> list[str]:
    """A name for each leaf: the keys, fields and positions that lead to it, with dots."""
    if structure is None:
        return [path]
    kind, keys, children = structure
    names = kind._fields if hasattr(kind, "_fields") else keys
    found: list[str] = []
    for i, child in enumerate(children):
        part = str(i if names is None else names[i])
        found += paths_of(child, f"{path}.{part}" if path else part)
    return found
