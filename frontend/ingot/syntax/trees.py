"""Flattens the evaluator's values as trees, with the structures of `ingot_runtime.trees`."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ingot.syntax.cells import Cell
from ingot.syntax.leaves import reference_to
from ingot.syntax.values import Dict, Instance, List, Reference, Set
from ingot_runtime.trees import SAME, DefaultDict

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

Structure = Any


def flatten(
    ev: Evaluator, value: Any, leaves: list[Any], seen: dict[Any, int] | None = None
) -> Structure:
    """Append the leaves to `leaves`, and return the structure.

    See `ingot_runtime.trees.flatten`.
    """
    seen = {} if seen is None else seen
    if isinstance(value, tuple):
        return type(value), None, tuple(flatten(ev, each, leaves, seen) for each in value)
    if not isinstance(value, (List, Dict, Set, Instance)):
        leaves.append(value)
        return None
    if value.cell in seen:
        return SAME, seen[value.cell], ()
    seen[value.cell] = len(seen)
    kind: Any = value.cell.kind
    if isinstance(value, List):
        return list, None, tuple(flatten(ev, each, leaves, seen) for each in ev.items(value))
    if isinstance(value, Set):
        return kind, tuple(ev.items(value)), ()
    entries = ev.entries(value)
    children = tuple(flatten(ev, each, leaves, seen) for each in entries.values())
    if kind is collections.defaultdict:
        kind = DefaultDict(value.cell.extra)
    return kind, tuple(entries), children


def unflatten(
    ev: Evaluator,
    structure: Structure,
    take: Callable[[], Any],
    made: list[Any] | None = None,
    on_made: Callable[[Cell, int], None] = lambda cell, number: None,
    taken: list[Any] | None = None,
) -> Any:
    """Rebuild a tree.

    Args:
        ev: the evaluator.
        structure: the structure of the tree.
        take: returns the next leaf.
        made: the containers before this subtree.
        on_made: called with the cell of each container, and its number.
        taken: the leaves before this subtree.
    """
    made = [] if made is None else made
    taken = [] if taken is None else taken
    if structure is None:
        taken.append(take())
        return taken[-1]
    kind, keys, children = structure
    if kind is SAME:
        return made[keys] if keys >= 0 else taken[~keys]
    if kind is tuple:
        return tuple([unflatten(ev, child, take, made, on_made, taken) for child in children])
    if isinstance(kind, type) and issubclass(kind, tuple):
        items = [unflatten(ev, child, take, made, on_made, taken) for child in children]
        return kind(*items) if hasattr(kind, "_fields") else kind(items)
    number = len(made)
    made.append(None)
    items = [unflatten(ev, child, take, made, on_made, taken) for child in children]
    made[number] = _container(ev, kind, keys, items)
    on_made(made[number].cell, number)
    return made[number]


def _container(ev: Evaluator, kind: Any, keys: tuple | None, items: list[Any]) -> Reference:
    if kind is list:
        return ev.new_list(items)
    assert keys is not None
    if kind is set:
        return ev.set_of(ev.sets.given, tuple(keys))
    is_default = isinstance(kind, DefaultDict)
    cell = Cell(
        collections.defaultdict if is_default else kind,
        dict(zip(keys, items, strict=True)),
        ev.location,
    )
    cell.extra = kind.factory if is_default else None
    return reference_to(cell)


def rebuild(ev: Evaluator, structure: Structure, leaves: Iterable[Any]) -> Any:
    """Rebuild a tree from all of its leaves."""
    return unflatten(ev, structure, iter(leaves).__next__)
