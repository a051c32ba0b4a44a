"""Paths to cells: a cell has the same path each time that its code is evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ingot.syntax.cells import NOTHING_ELSE, Argument, Cell
from ingot.syntax.contents import HOLDERS
from ingot.syntax.dynamic import Part, Sliced
from ingot.syntax.functions import LocalFunction, Method, Partial
from ingot.syntax.scopes import Frame, Name
from ingot.syntax.types import (
    GrownType,
    MaybeType,
    ObjectType,
    OneOfType,
    SlicedType,
    StaticType,
    TupleType,
)
from ingot.syntax.values import Array, Lazy, Maybe, OneOf, Reference, Supply

if TYPE_CHECKING:
    from ingot.syntax.heap import Heap

#: The path of a frame and a name in it, or a key of an outside object; then keys, positions and
#: attribute names.
Path = tuple[Any, ...]


def _inner(value: Any, before: Mapping[Cell, Any] = NOTHING_ELSE) -> list[tuple[Any, Any]]:
    """The values that a value holds directly, each with its step; `before` as in `path_to`."""
    if isinstance(value, Reference):
        value = before.get(value.cell, value.cell.value)
    if isinstance(value, OneOf):
        value = value.values
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, tuple):
        return list(enumerate(value))
    if isinstance(value, Supply):
        return list(enumerate(value.held()))
    if isinstance(value, Lazy):
        return list(enumerate(value.over))
    if isinstance(value, Method):
        return [("owner", value.owner)]
    if isinstance(value, Maybe):
        return [("value", value.value)]
    if type(value) in HOLDERS:
        return [("held", value.held)]
    if isinstance(value, Partial):
        return [("function", value.function), *enumerate(value.args), *value.kwargs.items()]
    return []


def _walk(
    state: Heap, names_of: Any, before: Mapping[Cell, Any] = NOTHING_ELSE
) -> Iterator[tuple[Path, Cell]]:
    """All cells that names and outside objects lead to, breadth first, then those that may be one
    of them and that the caller has, or that a loop may bind a name to again. Nothing sees a change
    of others."""
    level: list[tuple[Path, Any]] = [
        ((frame.path, name), value)
        for frame in state.frames
        for name, value in names_of(frame).items()
    ]
    level += [(("<outside>", key), ref) for key, (_, ref) in state.outside.items()]
    level += [(("<captured>", key), ref) for key, (_, ref) in state.captured.items()]
    seen: set[int] = set()
    found: list[tuple[Path, Cell]] = []
    while level:
        following: list[tuple[Path, Any]] = []
        for path, value in level:
            if isinstance(value, (Array, Reference)):
                if id(value.cell) in seen:
                    continue
                seen.add(id(value.cell))
                found.append((path, value.cell))
                yield path, value.cell
            inner = _inner(value, before)
            if isinstance(value, LocalFunction):
                if id(value) in seen:
                    continue
                seen.add(id(value))
                inner = [
                    *names_of(value.frame).items(), *enumerate(value.defaults),
                    *value.keyword_defaults.items(),
                ]  # fmt: skip
            following += [((*path, step), each) for step, each in inner]
        level = following
    chosen = state.chosen_objects()
    for path, cell in found:
        for i, each in enumerate(cell.maybe):
            if id(each) in seen:
                continue
            seen.add(id(each))
            if isinstance(each.source, Argument):
                yield ("<argument>", each.kind.__name__, each.source.number), each
            elif each in chosen:
                yield (*path, "maybe", i), each


def cells_by_path(state: Heap) -> dict[Path, Cell]:
    return dict(_walk(state, lambda frame: frame.names))


def path_to(
    state: Heap, frame: Frame, names: dict[Name, Any], before: Mapping[Cell, Any], cell: Cell
) -> Path | None:
    """A path to the cell in an earlier state, or None.

    Args:
        names: the names that `frame` had in that state.
        before: the earlier contents of the cells that have changed since.
    """
    for path, found in _walk(state, lambda each: names if each is frame else each.names, before):
        if found is cell:
            return path
    return None


def cells_in(path: Path, value: Any, type_: Any, *, whole: bool = False) -> dict[Path, Cell]:
    """The cells of the arrays and containers in a loop-carried value, by their paths.

    Args:
        path: the path of the value.
        value: the value, or the contents of a container.
        type_: its type; objects that the type fixes are left out. None finds all.
        whole: leave out views of parts of arrays.
    """
    found: dict[Path, Cell] = {}
    if isinstance(value, Maybe):
        value = value.value
    if isinstance(type_, MaybeType):
        # An iteration may end with a value for sure.
        type_ = type_.inner
    if isinstance(type_, StaticType):
        return found
    if isinstance(type_, SlicedType) and isinstance(value, Array):
        # Carried as a part whose memory is at this path; what is carried is a copy.
        return found if whole else {(*path, "held"): value.cell}
    is_part = isinstance(value, Array) and not value.is_whole
    if isinstance(value, (Array, Reference)) and not (whole and is_part):
        found[path] = value.cell
    is_moved = isinstance(value, Part) and not isinstance(value, Sliced)
    if isinstance(type_, GrownType) or (whole and is_moved):
        return found
    inner = _inner(value) if isinstance(value, (tuple, dict, Reference, Part, OneOf)) else []
    types = (
        type_.items
        if isinstance(type_, (TupleType, ObjectType, SlicedType, OneOfType))
        else [None] * len(inner)
    )
    if type_ is None and isinstance(value, Reference):
        # The contents of this container are carried separately.
        return found
    for (step, each), inner_type in zip(inner, types, strict=False):
        found |= cells_in((*path, step), each, inner_type, whole=whole)
    return found
