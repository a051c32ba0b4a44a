"""Slots: the values of names and cells that loops and branches take and return."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingot._core import Value
from ingot.dtypes import BOOL, INT
from ingot.syntax.leaves import Leaves, codes, flatten, flatten_contents, rebuild, rebuild_contents
from ingot.syntax.scopes import Name
from ingot.syntax.types import ScalarType, StaticType, Type, View, contents_type
from ingot.syntax.values import NOTHING, Cell

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
