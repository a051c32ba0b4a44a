"""Arguments and results as trees of tuples, lists and dicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def flatten(value: Any, leaves: list[Any]) -> Any:
    """Append the leaves to `leaves` and give the (hashable) structure; None is a leaf."""
    if isinstance(value, dict):
        return dict, tuple(value), tuple([flatten(each, leaves) for each in value.values()])
    if isinstance(value, (tuple, list)):
        kind = list if isinstance(value, list) else type(value)
        return kind, None, tuple([flatten(each, leaves) for each in value])
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
    return kind(*items) if hasattr(kind, "_fields") else kind(items)
