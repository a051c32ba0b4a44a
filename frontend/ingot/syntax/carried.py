"""What a run-time loop carries, found by emitting its body until the types are stable.

A first guess comes from the syntax; each attempt that finds a name changing its type, a name
that was thought constant, or memory that was thought unwritten widens the guess and is thrown
away. What was found is kept per loop and call path, so that a loop inside another one is not
searched again from the start: each body is emitted a bounded number of times per level.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ingot._core import Value
from ingot.dtypes import BOOL, INT
from ingot.syntax.branches import may_be
from ingot.syntax.scopes import Frame
from ingot.syntax.state import Region, State, arrays_in
from ingot.syntax.types import (
    JoinError,
    ScalarType,
    StaticType,
    Type,
    codes,
    flatten,
    join,
    rebuild,
    same_array,
    same_static,
    type_of,
)
from ingot.syntax.values import (
    STATIC_NUMBERS,
    Array,
    Maybe,
    Scalar,
    Storage,
    Unbound,
    storage_numbers,
)

#: What a loop can carry.
CARRIED = (Scalar, Array, *STATIC_NUMBERS)
UNASSIGNED = Unbound("is first assigned in a loop that may not run")
#: The pseudo-name that tells whether the loop has run.
RAN = "<ran>"


@dataclass
class Memo:
    """What is known of a loop from earlier attempts.

    Attributes:
        types: of the carried names.
        unusable: names whose values of different iterations can't meet, and why.
        memory: frame path and name under which each carried storage is found.
        flows: which names' arrays an array name may be after an iteration.
        swapped: names that exchange their arrays, by the look of the body; each iteration
            must end with a permutation of them, else this is emptied.
        rotate: the condition is evaluated before the loop and at the end of its body.
        unroll: the body needs the index at compile time.
    """

    types: dict[str, Type] = field(default_factory=dict)
    unusable: dict[str, Unbound] = field(default_factory=dict)
    memory: set[tuple[Any, str]] = field(default_factory=set)
    flows: dict[str, set[str]] = field(default_factory=dict)
    swapped: tuple[str, ...] = ()
    rotate: bool = False
    unroll: bool = False


class Restart(Exception):
    """What an inner loop found concerns a loop around it, which starts again at once."""

    def __init__(self, loop: Carried) -> None:
        super().__init__()
        self.loop = loop


class Carried:
    """One attempt at a loop."""

    def __init__(self, state: State, memo: Memo, node: Any, runs: bool) -> None:
        self.state, self.memo, self.node, self.runs = state, memo, node, runs
        self.frame: Frame = state.frame
        self.entry = dict(self.frame.names)
        #: The loop around has this name, too.
        self.ran_outside = self.frame.names.get(RAN)
        if RAN in memo.types:
            self.entry[RAN] = False
        #: The number of iterations, where it is known and all of them run.
        self.length: int | None = None
        for i, name in enumerate(memo.swapped):
            self.entry[_which(name)] = i
            memo.types[_which(name)] = ScalarType(INT, int)
        self.first_number = next(storage_numbers)
        self.storages = self._find_memory()
        self.names: dict[str, Type] = {
            n: t for n, t in memo.types.items() if not isinstance(t, StaticType)
        }
        self.inits = self._flatten(self.entry)
        self.region = Region()
        self.start: dict[str, Any] = {}

    def types(self) -> list[Any]:
        found = [code for type_ in self.names.values() for code in codes(type_)]
        return found + [(list(s.shape), s.value.dtype) for s in self.storages]

    def _find_memory(self) -> list[Storage]:
        found: dict[Storage, None] = {}
        for path, name in sorted(self.memo.memory, key=repr):
            for frame in self.state.frames:
                if frame.path == path:
                    for array in arrays_in(frame.names.get(name)):
                        found.setdefault(array.storage)
        return list(found)

    def _flatten(self, names: dict[str, Any]) -> list[Value]:
        leaves: list[Value] = []
        for name, type_ in self.names.items():
            value = names.get(name, UNASSIGNED)
            leaves += flatten(self.state.ops, self.state.read, value, type_)
        return leaves + [s.value for s in self.storages]

    # Regions.

    def open(self, extra: list[Any]) -> list[Value]:
        """Begin a region over the carried values; gives its further arguments."""
        arguments = self.state.ops.builder.begin_region(extra + self.types())
        self.region = Region(carried={s: s.value for s in self.storages})
        self.state.regions.append(self.region)
        self._bind(iter(arguments[len(extra) :]))
        self.start = dict(self.frame.names)
        return arguments[: len(extra)]

    def _bind(self, leaves: Iterator[Value]) -> None:
        names = dict(self.entry)
        for name, type_ in self.names.items():
            names[name] = rebuild(type_, leaves, self.state.place)
        names.update(self.memo.unusable)
        self._relate(names)
        for storage in self.storages:
            storage.value = next(leaves)
        self.frame.names = names

    def _relate(self, names: dict[str, Any]) -> None:
        """Note what the carried arrays may be: the arrays that the names had before."""
        for name in self.names:
            # What is exchanged is one array a name, and no other name has it.
            if name in self.memo.swapped:
                continue
            for source in {name, *self.memo.flows.get(name, ())}:
                for new in arrays_in(names[name]):
                    for old in arrays_in(self.entry.get(source)):
                        may_be(new.storage, old.storage)
            for other in self._shared(name):
                for a in arrays_in(names[name]):
                    for b in arrays_in(names[other]):
                        may_be(a.storage, b.storage)

    def _shared(self, name: str) -> list[str]:
        """Carried names that may be one array with `name` in some iteration."""
        flows = self.memo.flows
        mine = flows.get(name, set())
        return [
            other
            for other in self.names
            if other != name and (mine & flows.get(other, set()) or _alias(self.entry, name, other))
        ]

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
        if RAN in self.memo.types:
            ends[RAN] = True
        if self.memo.swapped and not self._permute(ends):
            self.leave()
            return False
        is_stable = not (self._widen_names(ends) | self._widen_memory() | self._note_flows(ends))
        if is_stable:
            self.state.ops.builder.end_region("ingot.yield", self._flatten(ends))
            self.ends = ends
        self.leave()
        return is_stable

    def _permute(self, ends: dict[str, Any]) -> bool:
        """Note which array each exchanged name ends with; False if they are not exchanged."""
        sources: dict[str, Any] = {}
        for name in self.memo.swapped:
            found = [n for n in self.memo.swapped if same_array(self.start[n], ends.get(name))]
            sources[name] = found[0] if found else None
        if set(sources.values()) != set(self.memo.swapped):
            for name in self.memo.swapped:
                self.memo.types.pop(_which(name), None)
            self.memo.swapped = ()
            return False
        self.sources: dict[str, Any] = sources
        for name, source in sources.items():
            ends[_which(name)] = self.start[_which(source)]
        return True

    def _widen_names(self, ends: dict[str, Any]) -> bool:
        changed = False
        for name, end in ends.items():
            start = self.start.get(name, UNASSIGNED)
            if same_static(start, end) or name in self.memo.unusable:
                continue
            if same_array(start, end) and name not in self.names:
                continue
            changed |= self._widen(name, start, end)
        return changed

    def _widen(self, name: str, start: Any, end: Any) -> bool:
        if isinstance(end, Unbound):
            return self._give_up(name, end) if name in self.entry else False
        if isinstance(start, Unbound) and not self._outlives(name):
            return False
        known: Type | None = self.names.get(name)
        if known is None:
            known = type_of(end if isinstance(start, Unbound) else start, runtime=True)
        try:
            joined = join(known, type_of(end), broadcast=self.runs)
        except JoinError as error:
            if name.startswith("<"):
                self.state.fail(
                    f"the function returns {error}",
                    "return one type on every path",
                    page="types-on-paths",
                )
            return self._give_up(name, Unbound(f"holds {error}"))
        if isinstance(joined, StaticType):
            return False
        if self.names.get(name) == joined:
            return False
        self.memo.types[name] = joined
        if isinstance(start, Unbound) and not self.runs and not name.startswith("<"):
            self.memo.types[RAN] = ScalarType(BOOL, bool)
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
            joined = join(known, type_, broadcast=self.runs)
        except JoinError:
            return False
        if joined == self.names.get(name):
            return False
        self.memo.types[name] = joined
        return True

    def _give_up(self, name: str, reason: Unbound) -> bool:
        self.memo.unusable[name] = reason
        self.memo.types.pop(name, None)
        return True

    def _outlives(self, name: str) -> bool:
        """Whether a name first assigned in the body is wanted after the loop."""
        if name.startswith("<"):
            return True
        return self.frame.last_loads.get(name, 0) > self.node.end_lineno

    def _widen_memory(self) -> bool:
        changed = False
        for storage in self.region.written:
            if storage.number > self.first_number or storage in self.storages:
                continue
            keys = self._keys(storage)
            if not keys:
                self.state.fail(
                    "this loop changes an array that no name refers to", "give the array a name"
                )
            changed |= not keys <= self.memo.memory
            self.memo.memory |= keys
        return changed

    def _keys(self, storage: Storage) -> set[tuple[Any, str]]:
        for frame in self.state.frames:
            names = self.entry if frame is self.frame else frame.names
            for name, value in names.items():
                if any(array.storage is storage for array in arrays_in(value)):
                    return {(frame.path, name)}
        return set()

    def _note_flows(self, ends: dict[str, Any]) -> bool:
        """Record which starting arrays the carried names end as."""
        changed = False
        sources: dict[Storage, set[str]] = {}
        for name, value in {**self.entry, **self.start}.items():
            for array in arrays_in(value):
                sources.setdefault(array.storage, set()).add(name)
        for name in self.names:
            if name in self.memo.swapped:
                continue
            known = self.memo.flows.setdefault(name, set())
            for array in arrays_in(ends.get(name)):
                found = sources.get(array.storage, set()) - {name}
                changed |= not found <= known
                known |= found
        return changed

    # After the loop.

    def adopt(self, results: list[Value]) -> None:
        """Bind the loop's results."""
        leaves = iter(results)
        names = dict(self.entry)
        for name, type_ in self.names.items():
            names[name] = rebuild(type_, leaves, self.state.place)
        self._relate(names)
        self._settle(names)
        for name in self.names:
            entry = self.entry.get(name, UNASSIGNED)
            if isinstance(entry, STATIC_NUMBERS) and same_static(entry, self.ends.get(name)):
                names[name] = entry
        ran = names.pop(RAN, None)
        for name in self.names:
            if ran is not None and name not in self.entry and not name.startswith("<"):
                names[name] = Maybe(names[name], ran)
        names.update(self.memo.unusable)
        for name in self.ends:
            if name not in names and name != RAN:
                names[name] = UNASSIGNED
        if self.ran_outside is not None:
            names[RAN] = self.ran_outside
        self.frame.names = names
        for storage in self.storages:
            self.state.write_storage(storage, next(leaves))

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
            self.state.write_storage(array.storage, value)
        for name in swapped:
            del names[_which(name)]
            if self.length is None:
                for array in arrays:
                    may_be(names[name].storage, array.storage)
                continue
            source = name
            # The order of a permutation of n names divides n!.
            for _ in range(self.length % math.factorial(len(swapped))):
                source = self.sources[source]
            names[name] = self.entry[source]


@dataclass
class Targets:
    """What a loop's body assigns, by its syntax: names rebound by `=`, by `+=` and the like,
    names whose elements are stored to, and names that become what another name was."""

    rebound: set[str]
    augmented: set[str]
    stored: set[str]
    renamed: set[str]


def predict(memo: Memo, frame: Frame, targets: Targets) -> None:
    """The first guess, from the syntax of the body."""
    for name in sorted(targets.rebound | targets.augmented):
        value = frame.names.get(name)
        is_array = isinstance(value, Array)
        if is_array and name not in targets.rebound:
            continue
        if name not in memo.types and isinstance(value, CARRIED):
            memo.types[name] = type_of(value, runtime=True)
    memo.swapped = _exchangeable(frame, targets.renamed)
    for name in targets.augmented | targets.stored:
        if isinstance(frame.names.get(name), Array) and name not in memo.swapped:
            memo.memory.add((frame.path, name))


def _exchangeable(frame: Frame, renamed: set[str]) -> tuple[str, ...]:
    """The renamed names whose whole arrays have no other name here, and are alike."""
    found = []
    for name in sorted(renamed):
        value = frame.names.get(name)
        if not isinstance(value, Array) or value.views or not value.writable:
            continue
        users = [
            n for n, v in frame.names.items() for a in arrays_in(v) if a.storage is value.storage
        ]
        if users == [name]:
            found.append(name)
    kinds = {(frame.names[name].shape, frame.names[name].dtype) for name in found}
    return tuple(found) if len(found) > 1 and len(kinds) == 1 else ()


def _which(name: str) -> str:
    """The pseudo-name that tells which array an exchanged name has."""
    return f"<which {name}>"


def _alias(names: dict[str, Any], a: str, b: str) -> bool:
    mine = {array.storage for array in arrays_in(names.get(a))}
    return any(array.storage in mine for array in arrays_in(names.get(b)))


def _unchanged(before: dict[str, Any], after: dict[str, Any]) -> bool:
    return all(value is before.get(name) for name, value in after.items())
