"""The loop-carried values of a run-time loop: the types of names and cells, as a fixed point.

The first guess comes from the syntax. An attempt emits the body; if a carried type does not fit, or
a name or cell taken to be constant changes, the guess is widened and the attempt is discarded. The
guess is kept per loop and call path, so that inner loops do not start again from the syntax: each
body is emitted a bounded number of times per level of nesting.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal, TypeGuard

from ingot._core import Value
from ingot.dtypes import STATIC_NUMBERS
from ingot.syntax import counters, kinds
from ingot.syntax.cells import Cell, Storage, cell_numbers
from ingot.syntax.choices import Chosen, discover
from ingot.syntax.dynamic import Grown
from ingot.syntax.exchanges import Exchange
from ingot.syntax.heap import Heap
from ingot.syntax.joins import ArraysDiffer, join, one_of
from ingot.syntax.links import Links
from ingot.syntax.memos import Memo
from ingot.syntax.paths import Path, cells_by_path, cells_in, path_to
from ingot.syntax.rooms import (
    Key,
    Rooms,
    as_rows,
    first_of,
    length_after,
    most_at_start,
    most_elements,
)
from ingot.syntax.scopes import BREAK, RETURN, VALUE, Frame, Hidden, Name, before_assignment
from ingot.syntax.slots import Owner, Slot, as_alternative, codes_of, has_form, type_held
from ingot.syntax.state import GROWS, Region
from ingot.syntax.types import (
    GrownType,
    JoinError,
    MaybeType,
    StaticType,
    Type,
    escaping,
    same_static,
    type_of,
)
from ingot.syntax.values import (
    NOTHING,
    Array,
    Broken,
    Joined,
    Maybe,
    NeedsStatic,
    Scalar,
    Unbound,
    same_object,
)

#: How often the capacity for an array of dynamic length may grow before that is taken as endless.
MOST_GROWTHS = 3
#: The largest trip count of a loop that is unrolled because each iteration needs more room.
MOST_GROWN = 100
#: The most iterations that are evaluated before a loop.
MOST_PEELED = 3
#: The hint where nothing bounds the length of an array.
BOUNDED = "give it a bound: a = ingot.bound(np.append(a, x), 100)"

#: The types of values that a loop can carry from the first guess on.
CARRIED = (Scalar, Array, *STATIC_NUMBERS)


class FirstDiffers(Exception):
    """The first iteration of a loop begins with an array of another dtype than the others do."""


class Restart(Exception):
    """An inner loop has widened the guess of an outer loop, which starts again at once."""

    def __init__(self, loop: Carried) -> None:
        super().__init__()
        self.loop = loop


class Carried:
    """One attempt at a loop.

    Attributes:
        length: the trip count, if it is static, else None.
        most: an upper bound of the trip count, or None.
        slots: the slots of the carried names and cells.
        lost: the names and cells whose values have no common type, and why.
        entry: the values of the names before the loop.
        start: the values of the names at the start of an iteration.
        ends: the values of the names at the end of an iteration.
    """

    def __init__(
        self, state: Heap, memo: Memo, node: Any, length: int | None, most: int | None = None
    ) -> None:
        self.state, self.memo, self.node, self.length = state, memo, node, length
        self.most = most if length is None else length
        if isinstance(node, ast.While):
            self.most = memo.most
        self.runs = length is not None
        self.frame: Frame = state.frame
        self.entry = dict(self.frame.names)
        self.first = memo.latest = next(cell_numbers)
        #: This attempt only finds out which objects names refer to, and is always discarded.
        self.is_looking = memo.chooses and memo.choices is None
        #: Whether lists have had room for all iterations from the start of this attempt on.
        self.has_room = self.most is not None
        #: Slots that belong to no name and no cell.
        self._hidden: list[Slot] = []
        self.region = Region()
        self.start: dict[Name, Any] = {}
        #: The contents of the carried cells before the loop.
        self.before: dict[Cell, Any] = {}

        # Its parts do not keep it alive (see `held_weakly`).
        attempt: Any = weakref.proxy(self)
        self.chosen = Chosen(attempt, memo.choices or {})
        self.chosen.enter()
        self.exchange = Exchange(attempt, memo.exchanged)
        self.paths: dict[Cell, Path] = {}
        self.lost: dict[Owner, str] = {}
        self.slots: dict[Owner, Slot] = {}
        for key, owner in self._known_owners():
            if key in memo.lost:
                self.lost[owner] = memo.lost[key]
            elif not isinstance(memo.types[key], StaticType):
                self.slots[owner] = self._slot(owner, memo.types[key])
        self.rooms = Rooms(memo.gains, self.most, self.entry)
        for owner, slot in list(self.slots.items()):
            self._fit(owner, slot)
        # Which objects are carried depends on the types.
        self.links = Links(attempt, memo.links)
        self.links.enter()
        self.inits = [leaf for slot in self._all for leaf in slot.flatten(state, slot.init)]
        #: The objects that the carried values hold before the loop, by their paths.
        self.entry_parts = self.parts("init")

    def _known_owners(self) -> Iterator[tuple[Key, Owner]]:
        """The names and cells that earlier attempts have found, if they still exist."""
        keys = {**self.memo.types, **self.memo.lost}
        has_paths = any(isinstance(key, tuple) for key in keys)
        cells = cells_by_path(self.state) if has_paths else {}
        for key in keys:
            if not isinstance(key, tuple):
                if key not in self.chosen.candidates:
                    yield key, key
            elif key in cells:
                self.paths[cells[key]] = key
                yield key, cells[key]

    def _slot(self, owner: Owner, type_: Type) -> Slot:
        if isinstance(owner, Storage):
            # In an unrolled outer loop, a path may lead to another array in each iteration.
            type_ = type_held(owner, owner.value)
        return Slot(owner, type_, _held(owner, self.entry))

    def carry(self, init: Any, type_: Type) -> Slot:
        """Add a slot that belongs to no name and no cell; the caller sets its `ends`."""
        slot = Slot(None, type_, init)
        self._hidden.append(slot)
        return slot

    def _fit(self, owner: Owner, slot: Slot) -> None:
        """Widen a slot's type, found for another entry of the loop, to its initial value here."""
        is_unbound = isinstance(slot.init, Unbound) and not slot.init.reason
        if is_unbound or isinstance(owner, Storage):
            return
        key = self._key(owner)
        try:
            entry = type_held(owner, slot.init)
            joined = self._join(entry, slot.type)
            if isinstance(owner, Cell):
                self.rooms.enter(key, entry)
            slot.type = self.rooms.filled(key, joined)
            slot.init = as_alternative(owner, slot.init, slot.type)
        except ArraysDiffer:
            # The guess is of an iteration of the loop around in which the array has another dtype.
            slot.type = entry
        except JoinError as error:
            self.lost[owner] = str(error)
            self.memo.lose(key, str(error))
            del self.slots[owner]

    def _key(self, owner: Owner) -> Key:
        """The key by which another attempt finds the name or cell."""
        return self.paths[owner] if isinstance(owner, Cell) else owner

    @property
    def _all(self) -> list[Slot]:
        return [*self.slots.values(), *self._hidden]

    @property
    def _cells(self) -> list[Cell]:
        """The cells whose contents an earlier iteration may have replaced."""
        return [owner for owner in (*self.slots, *self.lost) if isinstance(owner, Cell)]

    def types(self) -> list[Any]:
        return codes_of(self._all)

    def parts(
        self, when: Literal["init", "value", "end"], *, whole: bool = False
    ) -> dict[Path, Cell]:
        """The arrays and containers that the carried names and cells hold, by their paths.

        Args:
            when: which of the slots' values to look at.
            whole: leave out views that are not of whole arrays.
        """
        found: dict[Path, Cell] = {}
        for owner, slot in self.slots.items():
            if isinstance(owner, Storage) or owner in self.memo.exchanged:
                continue
            # The path of a cell is one step: what is carried in another container may end where
            # this cell was before the loop.
            path = (self._key(owner),)
            found |= cells_in(path, getattr(slot, when), slot.type, whole=whole)
        return found

    def limit_trips(self, find: Callable[[], int | None]) -> None:
        """Note an upper bound of the trip count of a `while`, by the types of this attempt."""
        longer = [owner for owner in self.slots if self._gets_longer(owner)]
        held = [owner.value for owner in longer]
        for owner in longer:
            # What bounds their lengths is the trip count itself.
            owner.value = replace(owner.value, length=replace(owner.value.length, high=None))
        most = find()
        for owner, contents in zip(longer, held, strict=True):
            owner.value = contents
        if self.most is not None and (most is None or most > self.most):
            self.memo.extensions += 1
        if self.memo.extensions > MOST_GROWTHS:
            most = None
        self.has_room = self.most is not None and most is not None and most <= self.most
        self.memo.most = self.most = self.rooms.iterations = most

    def _gets_longer(self, owner: Owner) -> TypeGuard[Cell]:
        """Whether a list of run-time length is one that iterations append to."""
        is_list = isinstance(owner, Cell) and isinstance(owner.value, Grown)
        return is_list and isinstance(owner.value.length, Scalar)  # type: ignore[union-attr]

    def path_to(self, cell: Cell) -> Path | None:
        """A path that led to the cell before the loop."""
        before = {**self.region.written, **self.region.carried}
        return path_to(self.state, self.frame, self.entry, before, cell)

    # Regions.

    def open(self, extra: list[Any], *, is_body: bool = True) -> list[Value]:
        """Begin a region whose block arguments are `extra` and the carried values.

        Returns:
            The block arguments for `extra`.
        """
        arguments = self.state.ops.builder.begin_region(extra + self.types())
        self.before = {cell: cell.value for cell in self._cells}
        self.region = Region(carried=dict(self.before))
        self.state.regions.append(self.region)
        self._bind(iter(arguments[len(extra) :]), is_body=is_body)
        self.start = dict(self.frame.names)
        return arguments[: len(extra)]

    def _bind(self, leaves: Iterator[Value], *, is_body: bool = False) -> None:
        """Bind names and cells to the block arguments of the loop, or to its results."""
        names = dict(self.entry)
        for owner, slot in self.slots.items():
            started = self.rooms.at_start(self._key(owner), slot.type) if is_body else None
            slot.rebuild(leaves, self.state, started)
            if isinstance(owner, str) and owner not in self.frame.shared:
                counters.note_start(self.node, owner, slot.init, slot.value)
            _hold(owner, slot.value, names)
        for slot in self._hidden:
            slot.rebuild(leaves, self.state)
        for owner, reason in self.lost.items():
            value: Any = Unbound(reason, self.memo.parameter)
            if isinstance(owner, Cell):
                value = Broken(reason, self.state.location, self.memo.parameter)
            _hold(owner, value, names)
        self.links.relate()
        self.frame.names = names
        self.chosen.bind()

    def forget(self) -> None:
        """Undo the changes of an iteration so far."""
        for cell, contents in self.region.written.items():
            cell.value = contents
        self.region.written.clear()
        self.frame.names = dict(self.start)

    def leave(self) -> None:
        """Undo the region's changes to names and memory."""
        self.region.undo()
        self.state.regions.pop()
        self.frame.names = dict(self.entry)

    def end_condition(self, condition: Value) -> bool:
        """End the condition region of a `while`; False if the condition changed anything."""
        is_pure = not self.region.written and _unchanged(self.start, self.frame.names)
        self.state.ops.builder.end_region("ingot.condition", [condition])
        self.leave()
        return is_pure

    def end_body(self) -> bool:
        """End the body; False if the guess was wrong and has been widened."""
        self.ends = self.frame.names
        for owner, slot in self.slots.items():
            slot.ends = (self._at_end(owner, slot.type),)
        is_stable = self._is_stable()
        if is_stable:
            if not all(has_form(slot.end, slot.type) for slot in self.slots.values()):
                self.state.fail_static(
                    "what this loop changes has several structures",
                    "give it one structure on every path",
                    page="types-on-paths",
                )
            leaves = [leaf for slot in self._all for leaf in slot.flatten(self.state, slot.end)]
            self.state.ops.builder.end_region("ingot.yield", leaves)
        self.leave()
        return is_stable

    def _at_end(self, owner: Owner, type_: Type) -> Any:
        """The value of a name, or the contents of a cell, at the end of an iteration."""
        value = _held(owner, self.ends)
        try:
            return as_alternative(owner, value, type_)
        except JoinError:
            # The type is widened to it.
            return value

    def _is_stable(self) -> bool:
        """Whether the carried types are a fixed point; if not, the guess is widened."""
        if self.is_looking:
            self.memo.choices = discover(self, self.ends)
            return False
        if not self.exchange.end(self.ends):
            self.memo.look_for_choices()
            return False
        if not self.links.end():
            return False
        if not self.chosen.end(self.ends):
            self.memo.choices = {}
            return False
        if self.memo.gains and self.most is not None and not self.has_room:
            return False
        kept = self._newly_kept()
        if kept:
            self.memo.keep(kept)
            return False
        return not (self._widen_names() | self._widen_cells() | self.links.note())

    def _newly_kept(self) -> set[str]:
        """The names that end with the array that they start with, but for those once taken so."""
        return {
            name
            for name, slot in self.slots.items()
            if isinstance(name, str) and name not in self.memo.kept
            if isinstance(slot.init, Array) and same_object(slot.value, self.ends.get(name))
        }

    def _join(self, a: Type, b: Type) -> Type:
        try:
            return join(a, b, lists=self.state.lists, shapes=self.state.shapes)
        except ArraysDiffer:
            raise
        except JoinError:
            if not self.state.structures.open():
                raise
            return one_of(a, b)

    # The types of carried values.

    def _widen_names(self) -> bool:
        changed = False
        for name, end in self.ends.items():
            start = self.start.get(name, before_assignment(name))
            is_settled = name in self.lost or name in self.chosen.candidates
            if is_settled or same_static(start, end):
                continue
            if isinstance(end, Unbound) and end.reason:
                changed |= name in self.entry and self.memo.lose(name, end.reason)
            elif not isinstance(start, Unbound) or self._outlives(name):
                changed |= self._widen(name, name, start, end)
        return changed

    def _widen_cells(self) -> bool:
        changed = False
        for cell in self.region.written:
            if cell.number > self.first or cell in self.lost:
                continue
            path = self.paths.get(cell) or self.path_to(cell)
            if path is None:
                self.state.fail(
                    f"this loop changes {_a(cell)} that no name refers to",
                    f"give {_a(cell)} a name",
                )
            before = self.region.carried.get(cell, self.region.written[cell])
            changed |= self._widen(cell, path, before, cell.value)
        return changed

    def _widen(self, owner: Owner, key: Key, start: Any, end: Any) -> bool:
        """Widen a type to include an iteration's final value; returns whether it changed."""
        slot = self.slots.get(owner)
        try:
            known = slot.type if slot else type_held(owner, start)
            joined = self._widened(owner, key, start, known, end)
        except JoinError as error:
            if isinstance(error, ArraysDiffer) and self.runs and self.memo.peeled < MOST_PEELED:
                raise FirstDiffers from None
            self._check_loss(owner, error)
            return self.memo.lose(key, str(error))
        if isinstance(joined, StaticType) or (slot and slot.type == joined):
            return False
        if self._outgrows(key, known, joined):
            return self.memo.lose(key, GROWS)
        self.memo.types[key] = joined
        if not isinstance(owner, Cell):
            self._tell_outer(owner, joined)
        return True

    def _widened(self, owner: Owner, key: Key, start: Any, known: Type, end: Any) -> Type:
        """The common type of the values with which an iteration starts and ends.

        Raises:
            JoinError: there is none.
        """
        now = self._as_rows(owner, known) or type_held(owner, end)
        if isinstance(owner, Cell) and owner not in self.slots:
            self.rooms.enter(key, known)
        joined = escaping(self._join(known, now), self.first)
        begun = self.rooms.at_start(key, known)
        at_start = most_at_start(start, begun, self.region.written)
        joined = self.rooms.widened(key, at_start, now, joined)
        # The returned value is read only after a return.
        return joined.inner if owner is VALUE and type(joined) is MaybeType else joined

    def _check_loss(self, owner: Owner, error: JoinError) -> None:
        """Refuse a loop if a lost value is needed, or ask for a specialisation that may help."""
        if owner is VALUE:
            self.state.fail(
                f"the function returns what {error}",
                "return one type on every path",
                page="types-on-paths",
            )
        if isinstance(owner, Cell) and self.memo.parameter is not None:
            # With a static trip count, the contents of the container may be known.
            raise NeedsStatic(self.memo.parameter)

    def _tell_outer(self, name: Name, type_: Type) -> None:
        """Widen the name in the outer loops as well, which saves each of them an attempt."""
        told = [loop for loop in self.state.loops if loop.learn(name, type_)]
        if told:
            raise Restart(told[0])

    def learn(self, name: Name, type_: Type) -> bool:
        """Widen a name that an inner loop has widened; returns whether the type changed."""
        entry = self.entry.get(name)
        if self.frame is not self.state.frame or not isinstance(entry, CARRIED):
            return False
        slot = self.slots.get(name)
        known = slot.type if slot else type_of(entry, runtime=True)
        try:
            joined = escaping(self._join(known, type_), self.first)
        except JoinError:
            return False
        # The room for a list depends on the trip count of this loop.
        if (slot and joined == slot.type) or isinstance(joined, GrownType):
            return False
        self.memo.types[name] = joined
        return True

    def may_assign(self, name: str) -> bool:
        """Whether an earlier iteration may have assigned a name that is unbound in this one."""
        is_known = name in self.memo.wanted or name in self.slots
        is_unbound = isinstance(self.entry.get(name, NOTHING), Unbound)
        return is_unbound and not is_known and name in self.frame.stores_in(self.node)

    def want(self, name: str) -> None:
        """Carry a name that is read before it is assigned in an iteration: start again."""
        self.memo.wanted.add(name)
        raise Restart(self)

    def _outlives(self, name: Name) -> bool:
        """Whether a name first assigned in the body is read after the iteration."""
        if isinstance(name, Hidden) or name in self.memo.wanted:
            return True
        lines = self.frame.loads.get(name, ())
        first, last = self.node.lineno, self.node.body[-1].end_lineno
        return any(not first <= line <= last for line in lines) or name in self.frame.shared

    def _outgrows(self, key: Key, known: Type, joined: Type) -> bool:
        """Whether an array of dynamic length needs more room in each iteration, without bound.

        A short loop can be unrolled then; a long one is refused.
        """
        if most_elements(joined) <= most_elements(known):
            return False
        self.memo.growths[key] += 1
        if self.memo.growths[key] <= MOST_GROWTHS:
            return False
        if self.length is None or self.length > MOST_GROWN:
            self.state.fail(f"what this loop changes {GROWS}", BOUNDED)
        return True

    def _as_rows(self, owner: Owner, known: Type) -> GrownType | None:
        """The type, as stacked rows, of a list to which each iteration appends arrays."""
        if self.most is None or not isinstance(owner, Cell):
            return None
        runs, lists = self.runs, self.state.lists
        return as_rows(owner, known, self.first, lambda: runs or lists.open())

    # After the loop.

    def adopt(self, results: list[Value]) -> None:
        """Bind the loop's results."""
        for cell in self._cells:
            self.state.regions[-1].written.setdefault(cell, cell.value)
        lengths = self._known_lengths()
        self._bind(iter(results))
        names = self.frame.names
        self.exchange.settle(names)
        for cell, length in lengths.items():
            first = () if cell in self.state.disturbed else first_of(self.before[cell])
            cell.value = Grown(cell.value.item, cell.value.data, length, first=first)
        for owner, slot in self.slots.items():
            if not isinstance(owner, Cell):
                names[owner] = self._settled(slot, names[owner])
        for name, end in self.ends.items():
            if name not in names and name not in self.slots:
                is_kept = isinstance(end, Unbound) or isinstance(name, Hidden)
                # The returned value is read only after a return.
                end = end.value if type(end) is Maybe else end
                names[name] = end if is_kept else NOTHING

    def may_end_early(self) -> bool:
        """Whether an iteration may leave the loop."""
        return BREAK in self.slots or RETURN in self.slots

    def _known_lengths(self) -> dict[Cell, int]:
        """The static lengths of lists to which each iteration appends the same number of items."""
        if self.length is None or self.may_end_early():
            return {}
        lengths = {
            owner: length_after(slot, self.length)
            for owner, slot in self.slots.items()
            if isinstance(owner, Cell) and isinstance(slot.value, Grown)
        }
        return {cell: length for cell, length in lengths.items() if length is not None}

    def _settled(self, slot: Slot, value: Any) -> Any:
        """The value of a name after the loop, narrowed by what is known there."""
        if isinstance(slot.init, STATIC_NUMBERS) and same_static(slot.init, slot.end):
            return slot.init
        if not self.runs:
            return value
        if isinstance(value, Joined) and isinstance(slot.end, (Scalar, *STATIC_NUMBERS)):
            # At least one iteration has run, so the kind is that at the end of an iteration.
            return self._of_type(value, type_of(slot.end, runtime=True))
        is_bound = isinstance(value, Maybe) and not (
            isinstance(slot.end, (Maybe, Unbound)) or slot.end is None
        )
        return value.value if is_bound else value

    def _of_type(self, number: Joined, type_: Any) -> Scalar:
        """A number that is known to have one of the kinds of `type_`."""
        return kinds.as_type(self.state.ops, number, type_)


def _held(owner: Owner, names: dict[Name, Any]) -> Any:
    """The contents of a cell, or the value of a name."""
    if isinstance(owner, Cell):
        return owner.value
    return names.get(owner, before_assignment(owner))


def _hold(owner: Owner, value: Any, names: dict[Name, Any]) -> None:
    if isinstance(owner, Cell):
        owner.value = value
    else:
        names[owner] = value


def _a(cell: Cell) -> str:
    return "an array" if isinstance(cell, Storage) else f"a {cell.kind.__name__}"


def _unchanged(before: dict[Name, Any], after: dict[Name, Any]) -> bool:
    return all(value is before.get(name) for name, value in after.items())
