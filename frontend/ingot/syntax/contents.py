"""The values that other values hold."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from ingot.syntax.dynamic import Sliced
from ingot.syntax.functions import Method, Partial
from ingot.syntax.values import (
    Items,
    Lazy,
    Maybe,
    OneOf,
    Reference,
    Supply,
    bounds_of_slice,
)

#: Classes defined elsewhere whose instances hold one value, `held`.
HOLDERS: set[type] = {Sliced}


def held_by(value: Any) -> tuple[Any, ...]:
    """The values that a tuple or a container holds directly, now; nothing for other values."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, (list, dict)):
        return tuple(value.values() if isinstance(value, dict) else value)
    if isinstance(value, slice):
        return bounds_of_slice(value)
    if isinstance(value, (Method, Items)):
        return (value.owner,)
    if isinstance(value, Lazy):
        return value.over
    if isinstance(value, Maybe):
        return (value.value,)
    if isinstance(value, OneOf):
        return value.values
    if type(value) in HOLDERS:
        return (value.held,)
    if isinstance(value, Partial):
        return (value.function, *value.args, *value.kwargs.values())
    if isinstance(value, Supply):
        return value.held()
    if not isinstance(value, Reference):
        return ()
    contents = value.cell.value
    if isinstance(contents, Supply):
        return contents.held()
    if isinstance(contents, OneOf):
        return tuple(each for held in contents.values for each in _in_contents(held))
    return _in_contents(contents)


def _in_contents(contents: Any) -> tuple[Any, ...]:
    if isinstance(contents, dict):
        return tuple(contents.values())
    return contents if isinstance(contents, tuple) else ()


def leaves_of(value: Any) -> Generator[Any]:
    """The leaves of nested containers; each container is visited once."""
    seen: set[int] = set()
    stack = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, Reference):
            if each.cell.number in seen:
                continue
            seen.add(each.cell.number)
        if isinstance(each, (tuple, list, dict, Reference)):
            stack.extend(reversed(held_by(each)))
        else:
            yield each
