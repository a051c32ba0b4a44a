"""Slots: the values of names and cells that loops and branches take and return."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingot._core import Value
from ingot.dtypes import BOOL, INT
from ingot.syntax.cells import Cell
from ingot.syntax.contents import held_by
from ingot.syntax.joins import join
from ingot.syntax.leaves import (
    Leaves,
    codes,
    flatten,
    flatten_contents,
    rebuild,
    rebuild_contents,
    reference_to,
)
from ingot.syntax.scopes import Name
from ingot.syntax.types import (
    JoinError,
    MaybeType,
    ObjectType,
    OneOfType,
    ScalarType,
    StaticType,
    TupleType,
    Type,
    View,
    contents_type,
)
from ingot.syntax.values import NOTHING, Maybe, OneOf, Reference, Unbound, tuple_of

if TYPE_CHECKING:
    from ingot.syntax.state import State

Owner = Name | Cell

#: The types of the index of one of several objects, and of the predicate that two are one.
INDEX_TYPE, LINK_TYPE = ScalarType(INT, int), ScalarType(BOOL, bool)


@dataclass(eq=False, slots=True)
class Slot:
    """One value that a region operation carries, which is one or more SSA values.

    Attributes:
        owner: the name with this value, or the cell with these contents; None for a value that only
            the evaluator uses, such as the index of one of several objects.
        type: the type of the value.
        init: the value before the operation.
        value: the value rebuilt from the block arguments of a region, or from the results of the
            operation.
        ends: the values at the ends of the regions that yield.
    """

    owner: Owner | None
    type: Type
    init: Any = NOTHING
    value: Any = NOTHING
    ends: tuple[Any, ...] = ()

    @property
    def end(self) -> Any:
        """The value at the end of a loop's body."""
        return self.ends[0]

    def flatten(self, state: State, value: Any) -> list[Value]:
        """The SSA values of a value."""
        as_leaves = flatten_contents if isinstance(self.owner, Cell) else flatten
        return as_leaves(state, value, self.type)

    def rebuild(self, leaves: Leaves, state: State, type_: Type | None = None) -> None:
        """Set the value from block arguments or results.

        Args:
            leaves: the SSA values; those of this slot are consumed.
            state: the evaluator.
            type_: a more precise type than the slot's, if one is known here.
        """
        of_leaves = rebuild_contents if isinstance(self.owner, Cell) else rebuild
        self.value = of_leaves(type_ or self.type, leaves, state.location)


def codes_of(slots: Iterable[Slot]) -> list[tuple[list[int], int]]:
    """The shapes and dtype codes of the SSA values of slots."""
    return [code for slot in slots for code in codes(slot.type)]


def type_held(owner: Owner, value: Any, view: View | None = None) -> Type:
    """The type of just this value of a name, or of these contents of a cell."""
    if isinstance(owner, Cell):
        return contents_type(owner, value, view)
    return StaticType(value, view)


def as_alternative(owner: Owner, value: Any, type_: Type, view: View | None = None) -> Any:
    """A value at the end of a path, as that of a slot of this type: one of its alternatives, if the
    type has several, and the others `NOTHING`; other values as they are.

    Raises:
        JoinError: it has none of these types, or two structures have become one.
    """
    if isinstance(type_, MaybeType):
        if type(value) is not type_.made:
            return value if value is None else as_alternative(owner, value, type_.inner, view)
        return type_.made(as_alternative(owner, value.value, type_.inner, view), value.assigned)
    if isinstance(value, Unbound):
        return value
    if not isinstance(type_, OneOfType):
        return _with_alternatives(value, type_, view)
    if isinstance(value, OneOf) and isinstance(value.which, int):
        value = value.values[value.which]
    if isinstance(value, Reference) and _place(StaticType(value, view), type_) is None:
        contents = view.contents(value.cell) if view else value.cell.value
        if isinstance(contents, OneOf):
            value = contents.apart(value.cell, reference_to)
    given = value.values if isinstance(value, OneOf) else (value,)
    found = [_place(type_held(owner, each, view), type_) for each in given]
    places = [place for place in found if place is not None]
    if len(places) < len(given):
        raise JoinError("has several structures")
    if len(set(places)) < len(places):
        raise JoinError("has structures on different paths that become one")
    values: list[Any] = [NOTHING] * len(type_.items)
    for place, each in zip(places, given, strict=True):
        values[place] = _with_alternatives(each, type_.items[place], view)
    if isinstance(value, OneOf):
        return OneOf(value.which, tuple(values), tuple(places))
    return OneOf(places[0], tuple(values))


def _with_alternatives(value: Any, type_: Type, view: View | None) -> Any:
    """A tuple, or the contents of a container, with each item as one of its alternatives.

    Raises:
        JoinError: see `as_alternative`; or an item is a container of such items, which stays as it
            is, since it has a slot of its own or none.
    """
    if not isinstance(type_, (TupleType, ObjectType)) or not _has_alternatives(type_):
        return value
    if isinstance(value, (tuple, dict, slice)):
        given = held_by(value)
        pairs = zip(given, type_.items, strict=True)
        items = tuple(as_alternative("", each, item, view) for each, item in pairs)
        if isinstance(value, dict):
            return dict(zip(value, items, strict=True))
        return tuple_of(type(value), items)
    if isinstance(value, Reference) and not has_form(value, type_, view):
        raise JoinError("holds what has several structures")
    return value


def _has_alternatives(type_: Type) -> bool:
    if isinstance(type_, MaybeType):
        return _has_alternatives(type_.inner)
    if isinstance(type_, (TupleType, ObjectType)):
        return any(map(_has_alternatives, type_.items))
    return isinstance(type_, OneOfType)


def has_form(value: Any, type_: Type, view: View | None = None) -> bool:
    """Whether a value has the form that `as_alternative` gives it."""
    if isinstance(value, Unbound):
        return True
    if isinstance(type_, MaybeType):
        inner = value.value if isinstance(value, Maybe) else value
        return inner is None or has_form(inner, type_.inner, view)
    if isinstance(type_, (TupleType, ObjectType)):
        return not _has_alternatives(type_) or _items_have_form(value, type_, view)
    if not isinstance(type_, OneOfType):
        return True
    if not isinstance(value, OneOf) or len(value.values) != len(type_.items):
        return False
    pairs = zip(value.values, type_.items, strict=True)
    if not all(each is NOTHING or has_form(each, item, view) for each, item in pairs):
        return False
    return isinstance(value.which, int) or bool(value.places) or _is_in_order(value, type_, view)


def _items_have_form(value: Any, type_: TupleType | ObjectType, view: View | None) -> bool:
    if isinstance(value, Reference):
        value = view.contents(value.cell) if view else value.cell.value
    if not isinstance(value, (tuple, dict, slice)):
        return True
    pairs = zip(held_by(value), type_.items, strict=True)
    return all(has_form(each, item, view) for each, item in pairs)


def _is_in_order(value: OneOf, type_: OneOfType, view: View | None) -> bool:
    """Whether the alternatives of a value are those of the type, one by one."""
    found = (_place(StaticType(each, view), type_) for each in value.values)
    return all(place == i for i, place in enumerate(found))


def _place(type_: Type, among: OneOfType) -> int | None:
    """The alternative that holds values of a type."""
    for i, each in enumerate(among.items):
        with contextlib.suppress(JoinError):
            if each == type_ or join(type_, each) == each:
                return i
    return None
