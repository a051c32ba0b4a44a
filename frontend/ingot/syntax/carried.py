"""What a run-time loop carries, found by emitting its body until the types are stable.

A first guess comes from the syntax; each attempt that finds a name changing its type, a name
that was thought constant, or a cell that was thought unchanged widens the guess and is thrown
away. What was found is kept per loop and call path, so that a loop inside another one is not
searched again from the start: each body is emitted a bounded number of times per level.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ingot._core import Value
from ingot.dtypes import INT, STATIC_NUMBERS
from ingot.syntax.choices import INDEX_TYPE, Choices, Chosen, discover, pseudo_name
from ingot.syntax.leaves import codes, flatten, flatten_contents, rebuild, rebuild_contents
from ingot.syntax.links import Known, Links
from ingot.syntax.ops import affine_of
from ingot.syntax.paths import Path, cells_by_path, parts_of, path_to
from ingot.syntax.rooms import Rooms, most_at_start
from ingot.syntax.scopes import BREAK, JUMPS, RETURN, VALUE, Frame, before_assignment
from ingot.syntax.state import GROWS, Region, State
from ingot.syntax.types import (
    ArrayType,
    GrownType,
    JoinError,
    MaybeType,
    ObjectType,
    ScalarType,
    SlicedType,
    StaticType,
    Type,
    contents_type,
    escaping,
    join,
    most_of,
    same_static,
    type_of,
)
from ingot.syntax.values import (
    NOTHING,
    Array,
    Broken,
    Cell,
    Grown,
    Joined,
    Maybe,
    NeedsStatic,
    Scalar,
    Storage,
    Unbound,
    cell_numbers,
    same_object,
    scalar_of,
)

#: How often the room for an array may grow until it fits what other paths give.
MOST_GROWTHS = 3
#: The iterations at most of a loop that is unrolled because each of them needs more room.
MOST_GROWN = 100
#: What to write where nothing says how far an array grows.
BOUNDED = "say it: a = ingot.bound(np.append(a, x), 100)"

#: What a loop can carry from the first guess on.
CARRIED = (Scalar, Array, *STATIC_NUMBERS)


@dataclass
class Memo:
    """What is known of a loop from earlier attempts.

    Attributes:
        types: of the carried names.
        unusable: names whose values of different iterations can't meet, and why.
        cells: the types of what carried cells hold, by how they are found.
        broken: cells whose contents of different iterations can't meet, and why.
        wanted: names that an iteration reads before it assigns them.
        links: which objects may be one.
        parameter: the argument that the number of iterations follows from, if there is one.
        permutes: the body may exchange the arrays of names in each iteration alike.
        chooses: whether to look for names that refer to one or another object.
        choices: those names.
        swapped: names that exchange their arrays, by the look of the body; each iteration
            must end with a permutation of them, else this is emptied.
        opens_lists: without lists of a length that run time knows it can't be.
        rotate: the condition is evaluated before the loop and at the end of its body.
        unroll: the body needs the index at compile time.
        latest: the number of the first cell that the latest attempt made.
        growths: how often an attempt has found more room to be needed for arrays of run-time
            lengths, by name or path.
        gains: how many items each iteration adds to a list at most, by name or path.
    """

    types: dict[str, Type] = field(default_factory=dict)
    unusable: dict[str, Unbound] = field(default_factory=dict)
    cells: dict[Path, Type] = field(default_factory=dict)
    broken: dict[Path, str] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    links: Known = field(default_factory=Known)
    parameter: Any = None
    permutes: bool = True
    chooses: bool = False
    choices: Choices | None = None
    swapped: tuple[str, ...] = ()
    opens_lists: bool = False
    rotate: bool = False
    unroll: bool = False
    latest: int = 0
    growths: Counter[str | Path] = field(default_factory=Counter)
    gains: dict[str | Path, int] = field(default_factory=dict)

    def forget(self, first: int) -> None:
        """Forget the objects from this number on: the attempt that made them is undone."""
        if self.latest <= first:
            return
        known: tuple[dict[Any, Type], ...] = self.types, self.cells
        for types in known:
            for key, type_ in list(types.items()):
                try:
                    types[key] = escaping(type_, first)
                except JoinError:
                    del types[key]


class Restart(Exception):
    """What an inner loop found concerns a loop around it, which starts again at once."""

    def __init__(self, loop: Carried) -> None:
        super().__init__()
        self.loop = loop


class Carried:
    """One attempt at a loop.

    Attributes:
        length: the number of iterations, where it is known and all of them run.
        most: how many there are at most, if that is known.
    """

    def __init__(
        self, state: State, memo: Memo, node: Any, length: int | None, most: int | None = None
    ) -> None:
        self.state, self.memo, self.node, self.length = state, memo, node, length
        self.most = most if length is None else length
        self.runs = length is not None
        self.frame: Frame = state.frame
        self.entry = dict(self.frame.names)
        for i, name in enumerate(memo.swapped):
            self.entry[_which(name)] = i
            memo.types[_which(name)] = ScalarType(INT, int)
        self.first = memo.latest = next(cell_numbers)
        #: It only finds out which objects names refer to: nothing of what it emits is kept.
        self.is_looking = memo.chooses and memo.choices is None
        self.chosen = Chosen(self, memo.choices or {})
        self.chosen.enter(self.entry)
        found = cells_by_path(state) if memo.cells or memo.broken else {}
        self.paths = {found[path]: path for path in (*memo.cells, *memo.broken) if path in found}
        # A path may lead to another array than it did where the loop was unrolled before.
        self.cells: dict[Cell, Type] = {
            cell: ArrayType(cell.shape, cell.dtype)
            if isinstance(cell, Storage)
            else memo.cells[path]
            for cell, path in self.paths.items()
            if path in memo.cells
        }
        self.broken = {
            cell: memo.broken[path] for cell, path in self.paths.items() if path in memo.broken
        }
        self.names: dict[str, Type] = {
            n: t
            for n, t in memo.types.items()
            if not isinstance(t, StaticType) and n not in self.chosen.candidates
        }
        self.names |= {pseudo_name(name): INDEX_TYPE for name in self.chosen.candidates}
        self.links = Links(self, memo.links)
        self.links.enter()
        self.rooms = Rooms(memo.gains, self.most, self.entry)
        self._fit_entry()
        self.inits = self._flatten(self.entry)
        #: The carried parts of the entry, by their paths.
        self.entry_parts = self.parts(self.entry)
        self.entry_lengths = {cell: _length(cell.value) for cell in self.cells}
        self.region = Region()
        self.start: dict[str, Any] = {}

    def _fit_entry(self) -> None:
        """Widen what was found out for another entry to what this one has."""
        for name, type_ in list(self.names.items()):
            value = self.entry.get(name, before_assignment(name))
            if isinstance(value, Unbound) and not value.reason:
                continue
            try:
                entry: Type = StaticType(value)
                joined = self._join(entry, type_)
                self.names[name] = self.rooms.filled(name, joined)
            except JoinError as error:
                self._give_up(name, Unbound(str(error)))
                del self.names[name]
        for cell, type_ in list(self.cells.items()):
            if isinstance(cell, Storage):
                continue
            try:
                entry = contents_type(cell, cell.value, None)
                joined = self._join(entry, type_)
                self.rooms.enter(self.paths[cell], entry)
                self.cells[cell] = self.rooms.filled(self.paths[cell], joined)
            except JoinError as error:
                self.broken[cell] = self.memo.broken[self.paths[cell]] = str(error)
                del self.cells[cell]

    def types(self) -> list[Any]:
        return [
            code for type_ in (*self.names.values(), *self.cells.values()) for code in codes(type_)
        ]

    def _flatten(self, names: dict[str, Any]) -> list[Value]:
        state = self.state
        leaves: list[Value] = []
        for name, type_ in self.names.items():
            leaves += flatten(state, names.get(name, before_assignment(name)), type_)
        for cell, type_ in self.cells.items():
            if isinstance(cell, Storage):
                leaves.append(cell.value)
            else:
                leaves += flatten_contents(state, cell.value, type_)
        return leaves

    def parts(self, names: dict[str, Any], *, whole: bool = False) -> dict[Path, Cell]:
        """The arrays and containers that the carried names and cells hold, by their paths.

        Args:
            whole: leave out views of parts of arrays.
        """
        found: dict[Path, Cell] = {}
        for name, type_ in self.names.items():
            if name not in self.memo.swapped:
                found |= parts_of((name,), names.get(name), type_, whole=whole)
        for cell, type_ in self.cells.items():
            if not isinstance(cell, Storage):
                found |= parts_of(self.paths[cell], cell.value, type_, whole=whole)
        return found

    def path_to(self, cell: Cell) -> Path | None:
        """A path that led to the cell before the loop."""
        before = {**self.region.written, **self.region.carried}
        return path_to(self.state, self.frame, self.entry, before, cell)

    # Regions.

    def open(self, extra: list[Any], *, is_body: bool = True) -> list[Value]:
        """Begin a region over the carried values; gives its further arguments."""
        arguments = self.state.ops.builder.begin_region(extra + self.types())
        self.region = Region(carried={cell: cell.value for cell in (*self.cells, *self.broken)})
        self.state.regions.append(self.region)
        self.frame.names = self._bound(iter(arguments[len(extra) :]), is_body=is_body)
        self.chosen.bind()
        self.start = dict(self.frame.names)
        self.start_lengths = {
            cell: cell.value.length for cell in self.cells if isinstance(cell.value, Grown)
        }
        return arguments[: len(extra)]

    def _bound(self, leaves: Iterator[Value], *, is_body: bool = False) -> dict[str, Any]:
        """The names, and memory, as the loop's arguments or results say."""
        names = dict(self.entry)
        place = self.state.place
        started = self.rooms.started if is_body else lambda owner, type_: type_
        for name, type_ in self.names.items():
            names[name] = rebuild(started(name, type_), leaves, place)
        names.update(self.memo.unusable)
        for cell, type_ in self.cells.items():
            if isinstance(cell, Storage):
                cell.value = next(leaves)
                continue
            cell.value = rebuild_contents(started(self.paths[cell], type_), leaves, place)
        for cell, reason in self.broken.items():
            cell.value = Broken(reason, place)
        self.links.relate(names)
        return names

    def forget(self) -> None:
        """Undo what an iteration did so far."""
        for cell, contents in self.region.written.items():
            cell.value = contents
        self.region.written.clear()
        self.frame.names = dict(self.start)

    def leave(self) -> None:
        """Undo what the region did to names and memory."""
        self.region.undo()
        self.state.regions.pop()
        self.frame.names = dict(self.entry)

    def end_condition(self, condition: Value) -> bool:
        """End a `while`'s first region; False if the condition changed anything."""
        is_pure = not self.region.written and _unchanged(self.start, self.frame.names)
        self.state.ops.builder.end_region("ingot.condition", [condition])
        self.leave()
        return is_pure

    def end_body(self) -> bool:
        """End the body; False if the guess was wrong and has been widened."""
        ends = self.frame.names
        if self.is_looking:
            self.memo.choices = discover(self, ends)
            self.leave()
            return False
        if self.memo.swapped and not self._permute(ends):
            self.leave()
            return False
        if not self.links.end(ends):
            self.leave()
            return False
        if not self.chosen.end(ends):
            self.memo.choices = {}
            self.leave()
            return False
        is_stable = not (self._widen_names(ends) | self._widen_cells() | self.links.note(ends))
        if is_stable:
            self.state.ops.builder.end_region("ingot.yield", self._flatten(ends))
            self.ends = ends
            #: How many items each iteration appends to a list, if it is always as many.
            self.gained = {
                cell: _constant(_length(cell.value), start)
                for cell, start in self.start_lengths.items()
            }
        self.leave()
        return is_stable

    def _permute(self, ends: dict[str, Any]) -> bool:
        """Note which array each exchanged name ends with; False if they are not exchanged."""
        sources: dict[str, Any] = {}
        for name in self.memo.swapped:
            found = [n for n in self.memo.swapped if same_object(self.start[n], ends.get(name))]
            sources[name] = found[0] if found else None
        if set(sources.values()) != set(self.memo.swapped):
            for name in self.memo.swapped:
                self.memo.types.pop(_which(name), None)
            self.memo.swapped = ()
            self.memo.permutes = False
            self.memo.chooses = True
            return False
        self.sources: dict[str, Any] = sources
        for name, source in sources.items():
            ends[_which(name)] = self.start[_which(source)]
        return True

    def _join(self, a: Type, b: Type) -> Type:
        return join(a, b, broadcast=self.runs, lists=self.state.lists)

    # Names.

    def _widen_names(self, ends: dict[str, Any]) -> bool:
        changed = False
        for name, end in ends.items():
            start = self.start.get(name, before_assignment(name))
            is_settled = name in self.memo.unusable or name in self.chosen.candidates
            if is_settled or same_static(start, end):
                continue
            changed |= self._widen(name, start, end)
        return changed

    def _widen(self, name: str, start: Any, end: Any) -> bool:
        if isinstance(end, Unbound) and end.reason:
            return self._give_up(name, end) if name in self.entry else False
        if isinstance(start, Unbound) and not self._outlives(name):
            return False
        known: Type = self.names.get(name) or StaticType(start)
        try:
            joined = self._join(known, StaticType(end))
            joined = escaping(joined, self.first)
            begun = self.rooms.started(name, known)
            at_start = most_at_start(start, begun, self.region.written)
            joined = self.rooms.widened(name, at_start, StaticType(end), joined)
        except JoinError as error:
            if name.startswith("<"):
                self.state.fail(
                    f"the function returns what {error}",
                    "return one type on every path",
                    page="types-on-paths",
                )
            return self._give_up(name, Unbound(str(error)))
        if isinstance(joined, StaticType) or self.names.get(name) == joined:
            return False
        if self._outgrows(name, known, joined):
            return self._give_up(name, Unbound(GROWS))
        if isinstance(joined, MaybeType) and name.startswith("<"):
            # What a return gives is read only where there was one.
            joined = joined.inner
            if isinstance(joined, StaticType):
                return False
            if self.names.get(name) == joined:
                return False
        self.memo.types[name] = joined
        self._tell_outer(name, joined)
        return True

    def _tell_outer(self, name: str, type_: Type) -> None:
        """Widen the name in the loops around, too: without it each would find out by itself."""
        told = [loop for loop in self.state.loops if loop.learn(name, type_)]
        if told:
            raise Restart(told[0])

    def learn(self, name: str, type_: Type) -> bool:
        """Widen a name for a loop inside; whether that was news."""
        entry = self.entry.get(name)
        if self.frame is not self.state.frame or not isinstance(entry, CARRIED):
            return False
        known = self.names.get(name) or type_of(entry, runtime=True)
        try:
            joined = escaping(self._join(known, type_), self.first)
        except JoinError:
            return False
        # What room a list needs depends on how often each loop runs.
        if joined == self.names.get(name) or isinstance(joined, GrownType):
            return False
        self.memo.types[name] = joined
        return True

    def may_assign(self, name: str) -> bool:
        """Whether an earlier iteration may have assigned a name that this one has no value for."""
        is_known = name in self.memo.wanted or name in self.names
        is_unbound = isinstance(self.entry.get(name, NOTHING), Unbound)
        return is_unbound and not is_known and name in self.frame.stores_in(self.node)

    def want(self, name: str) -> None:
        """A name that an iteration reads, and an earlier one may have assigned: start again."""
        self.memo.wanted.add(name)
        raise Restart(self)

    def _give_up(self, name: str, reason: Unbound) -> bool:
        self.memo.unusable[name] = reason
        self.memo.types.pop(name, None)
        return True

    def _outlives(self, name: str) -> bool:
        """Whether a name first assigned in the body is wanted after an iteration."""
        if name.startswith("<") or name in self.memo.wanted:
            return True
        lines = self.frame.loads.get(name, ())
        first, last = self.node.lineno, self.node.body[-1].end_lineno
        return any(not first <= line <= last for line in lines) or name in self.frame.shared

    # Cells.

    def _widen_cells(self) -> bool:
        changed = False
        for cell in self.region.written:
            if cell.number > self.first or cell in self.broken:
                continue
            path = self.paths.get(cell) or self.path_to(cell)
            if path is None:
                self.state.fail(
                    f"this loop changes {_a(cell)} that no name refers to",
                    f"give {_a(cell)} a name",
                )
            changed |= self._widen_cell(cell, path)
        return changed

    def _widen_cell(self, cell: Cell, path: Path) -> bool:
        if isinstance(cell, Storage):
            if cell in self.cells:
                return False
            self.memo.cells[path] = ArrayType(cell.shape, cell.dtype)
            return True
        known = self.cells.get(cell)
        before = self.region.carried.get(cell, self.region.written[cell])
        try:
            known = known or contents_type(cell, before, None)
            now = self._as_rows(cell, known) or contents_type(cell, cell.value, None)
            joined = escaping(self._join(known, now), self.first)
            if cell not in self.cells:
                self.rooms.enter(path, known)
            at_start = most_of(self.rooms.started(path, known))
            joined = self.rooms.widened(path, at_start, now, joined)
        except JoinError as error:
            self._ask_for_count()
            self.memo.broken[path] = str(error)
            self.memo.cells.pop(path, None)
            return True
        if joined == self.cells.get(cell):
            return False
        if self._outgrows(path, known, joined):
            self.memo.broken[path] = GROWS
            self.memo.cells.pop(path, None)
            return True
        self.memo.cells[path] = joined
        return True

    def _outgrows(self, owner: str | Path, known: Type, joined: Type) -> bool:
        """Whether arrays of run-time lengths need more room in each iteration, without an end.

        A short loop can be unrolled then; others are refused.
        """
        if _room(joined) <= _room(known):
            return False
        self.memo.growths[owner] += 1
        if self.memo.growths[owner] <= MOST_GROWTHS:
            return False
        if self.length is None or self.length > MOST_GROWN:
            self.state.fail(f"what this loop changes {GROWS}", BOUNDED)
        return True

    def _ask_for_count(self) -> None:
        """Have the number of iterations specialised on, which may say what a container holds."""
        if self.memo.parameter is not None:
            raise NeedsStatic(self.memo.parameter)

    # Lists that grow.

    def _as_rows(self, cell: Cell, known: Type) -> GrownType | None:
        """The type of a list of arrays to whose end each iteration appends, as rows."""
        now = cell.value
        if not (isinstance(known, ObjectType) and known.kind is list and isinstance(now, tuple)):
            return None
        added = now[len(known.items) :]
        # Its rows are copies: what was an object before must stay that.
        is_old = any(isinstance(x, Array) and x.storage.number < self.first for x in added)
        if is_old or not added or self.most is None:
            return None
        if self.length is None and not self.state.lists.open():
            return None
        item = type_of(now[-1], runtime=True)
        for each in now:
            item = join(item, type_of(each, runtime=True))
        item = escaping(item, 0)
        count = len(now)
        return GrownType(item, count, count, count, cell.extra) if _is_plain(item) else None

    # After the loop.

    def adopt(self, results: list[Value]) -> None:
        """Bind the loop's results."""
        for cell in (*self.cells, *self.broken):
            self.state.regions[-1].written.setdefault(cell, cell.value)
        names = self._bound(iter(results))
        self.frame.names = names
        self.chosen.bind()
        names = self.frame.names
        for name in self.chosen.candidates:
            del names[pseudo_name(name)]
        for name in self.links.followed:
            del names[name]
        self._settle(names)
        self._settle_lengths()
        for name in self.names:
            entry = self.entry.get(name, NOTHING)
            end = self.ends.get(name)
            if isinstance(entry, STATIC_NUMBERS) and same_static(entry, end):
                names[name] = entry
            elif isinstance(names.get(name), Joined) and self.runs and _is_number(end):
                # It is of the kind that an iteration ends with, not of that before the loop.
                names[name] = self._of_type(names[name], type_of(end, runtime=True))
            is_bound = isinstance(names.get(name), Maybe) and self.runs
            if is_bound and not isinstance(self.ends.get(name), (Maybe, Unbound)):
                names[name] = names[name].value
        for name, end in self.ends.items():
            if name not in names and name not in self.names:
                is_kept = isinstance(end, Unbound) or name in (VALUE, *JUMPS)
                # What a return gives is read only where there was one.
                end = end.value if isinstance(end, Maybe) else end
                names[name] = end if is_kept else NOTHING
        self.frame.names = names

    def _of_type(self, number: Joined, type_: Any) -> Scalar:
        """A number of which it is known that it has one of a type's kinds."""
        value = self.state.ops.convert(number.value, type_.dtype)
        return scalar_of(value, type_.dtype, type_.weak, type_.all_kinds)

    def _settle_lengths(self) -> None:
        """Lists to which each iteration has appended as many items have a known length."""
        if BREAK in self.names or RETURN in self.names:
            # It may have ended before.
            return
        for cell in self.cells:
            if not isinstance(cell.value, Grown) or self.length is None:
                continue
            before, gained = self.entry_lengths[cell], self.gained.get(cell)
            if isinstance(before, int) and gained is not None:
                length = before + gained * self.length
                cell.value = Grown(cell.value.item, cell.value.data, length)

    def _settle(self, names: dict[str, Any]) -> None:
        """Give the arrays that the loop exchanged among names what they hold now."""
        swapped = self.memo.swapped
        arrays = [self.entry[name] for name in swapped]
        ops = self.state.ops
        for i, array in enumerate(arrays):
            value = self.state.read(names[swapped[0]])
            for name in swapped[1:]:
                is_this = ops.compare("eq", names[_which(name)].value, ops.constant(i, INT), INT)
                value = ops.select(is_this, self.state.read(names[name]), value)
            self.state.write(array.storage, value)
        swapped_which = {name: names.pop(_which(name)).value for name in swapped}
        for name in swapped:
            if self.length is None:
                which = swapped_which[name]
                found = [
                    (ops.compare("eq", which, ops.constant(i, INT), INT), array.storage)
                    for i, array in enumerate(arrays)
                ]
                self.links.relate_to_olds([(names[name].storage, a, link) for link, a in found])
                continue
            source = name
            # The order of a permutation of n names divides n!.
            for _ in range(self.length % math.factorial(len(swapped))):
                source = self.sources[source]
            names[name] = self.entry[source]


def _length(contents: Any) -> Any:
    if isinstance(contents, Grown):
        return contents.length
    return len(contents) if isinstance(contents, tuple) else None


def _constant(end: Any, start: Any) -> int | None:
    """The difference of two lengths, if it is known."""
    gap = affine_of(end).plus(affine_of(start), -1)
    return None if gap.terms else gap.constant


def _room(type_: Any) -> int:
    """The elements that arrays of run-time lengths in it have at most."""
    if isinstance(type_, SlicedType):
        return math.prod(type_.dense.shape)
    if isinstance(type_, MaybeType):
        return _room(type_.inner)
    if isinstance(type_, GrownType):
        return type_.capacity
    return sum(map(_room, getattr(type_, "items", ())))


def _a(cell: Cell) -> str:
    return "an array" if isinstance(cell, Storage) else f"a {cell.kind.__name__}"


def _is_plain(type_: Any) -> bool:
    """Whether a value of the type is numbers and arrays, so that many of it can be stacked."""
    if isinstance(type_, (ScalarType, ArrayType)):
        return True
    return hasattr(type_, "items") and type_.kind is tuple and all(map(_is_plain, type_.items))


def _which(name: str) -> str:
    """The pseudo-name that tells which array an exchanged name has."""
    return f"<which {name}>"


def _is_number(value: Any) -> bool:
    return isinstance(value, (Scalar, *STATIC_NUMBERS))


def _unchanged(before: dict[str, Any], after: dict[str, Any]) -> bool:
    return all(value is before.get(name) for name, value in after.items())
