"""Arguments and results as trees of tuples, lists, dicts and instances of users' classes."""

from __future__ import annotations

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
