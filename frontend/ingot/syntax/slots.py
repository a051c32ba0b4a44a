"""What passes through loops and branches: the values of names, and what cells hold."""

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

#: Of what says which one of a few objects something is, and of what says whether it is one.
INDEX_TYPE, LINK_TYPE = ScalarType(INT, int), ScalarType(BOOL, bool)


@dataclass(eq=False, slots=True)
class Slot:
    """One value that a region operation takes, hands on and gives.

    Attributes:
        owner: the name whose value it is, or the cell whose contents it is; None for what only
            the evaluator reads, such as which one of a few objects a name refers to.
        type: of the value.
        init: the value before the operation.
        value: the value that the arguments of a region, or the results of the operation, stand
            for.
        ends: the value at the end of each region that yields.
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
        """The SSA values that the region operation takes for a value."""
        as_leaves = flatten_contents if isinstance(self.owner, Cell) else flatten
        return as_leaves(state, value, self.type)

    def rebuild(self, leaves: Leaves, state: State, type_: Type | None = None) -> None:
        """Take the value from SSA values.

        Args:
            type_: what is known of it here, if that is more than the slot's type.
        """
        of_leaves = rebuild_contents if isinstance(self.owner, Cell) else rebuild
        self.value = of_leaves(type_ or self.type, leaves, state.location)


def codes_of(slots: Iterable[Slot]) -> list[tuple[list[int], int]]:
    """The types of the SSA values of slots."""
    return [code for slot in slots for code in codes(slot.type)]


def type_held(owner: Owner, value: Any, view: View | None = None) -> Type:
    """The type of the value of a name, or of what a cell holds, and of that only."""
    if isinstance(owner, Cell):
        return contents_type(owner, value, view)
    return StaticType(value, view)
