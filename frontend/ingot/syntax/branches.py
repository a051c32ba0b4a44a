"""`if` on a run-time condition: both arms are emitted, then what they changed is joined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ingot._core import Value
from ingot.syntax.scopes import CONTINUE, RETURN
from ingot.syntax.state import Region, State, arrays_in
from ingot.syntax.types import (
    ArrayType,
    JoinError,
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
from ingot.syntax.values import Array, Storage, Unbound

MISSING = Unbound("is assigned on one path only")


@dataclass
class Arm:
    """How one arm ended: the names and the memory it changed."""

    names: dict[str, Any]
    memory: dict[Storage, Value]


class Branches(State):
    def branch(self, condition: Value, then: Callable[[], Any], orelse: Callable[[], Any]) -> None:
        """Emit `ingot.if` whose arms run the callables in this frame."""
        entry = self.frame.names
        arms = [self._arm(run, entry) for run in (then, orelse)]
        names = self._joined_names(arms)
        memory = [s for s in {**arms[0].memory, **arms[1].memory} if _differs(s, arms)]

        types = [code for type_ in names.values() for code in codes(type_)]
        types += [(list(s.shape), s.value.dtype) for s in memory]
        for age, arm in ((1, arms[0]), (0, arms[1])):
            self._yield(arm, age, names, memory)
        results = iter(self.ops.builder.create("ingot.if", [condition], {}, types, 2))
        self.frame.names = self._meet(arms, names, results)
        for storage in memory:
            self.write_storage(storage, next(results))

    def _arm(self, run: Callable[[], Any], entry: dict[str, Any]) -> Arm:
        self.frame.names = dict(entry)
        region = Region()
        self.regions.append(region)
        self.ops.builder.begin_region([])
        run()
        self.ops.builder.leave_region()
        self.regions.pop()
        arm = Arm(self.frame.names, {s: s.value for s in region.written})
        region.undo()
        self.frame.names = entry
        return arm

    def _joined_names(self, arms: list[Arm]) -> dict[str, Type]:
        """The types of the names that the arms leave with different values."""
        joined: dict[str, Type] = {}
        first, second = (arm.names for arm in arms)
        for name in {**first, **second}:
            a, b = first.get(name, MISSING), second.get(name, MISSING)
            if same_static(a, b) or same_array(a, b):
                continue
            type_ = self._join(name, a, b, arms)
            if isinstance(type_, Unbound):
                first[name] = second[name] = type_
            elif isinstance(type_, StaticType):
                first[name] = second[name] = type_.value
            else:
                joined[name] = type_
        return joined

    def _join(self, name: str, a: Any, b: Any, arms: list[Arm]) -> Type | Unbound:
        is_internal = name.startswith("<")
        if isinstance(a, Unbound) or isinstance(b, Unbound):
            if not (is_internal or _has_left(arms[0 if isinstance(a, Unbound) else 1])):
                return a if isinstance(a, Unbound) else b
            if isinstance(a, Unbound) and isinstance(b, Unbound):
                return a
            bound = b if isinstance(a, Unbound) else a
            return type_of(bound, runtime=True)
        try:
            return join(type_of(a), type_of(b))
        except JoinError as error:
            if is_internal:
                self.fail(
                    f"the function returns {error}",
                    "return one type on every path",
                    page="types-on-paths",
                )
            return Unbound(f"holds {error}")

    def _yield(self, arm: Arm, age: int, names: dict[str, Type], memory: list[Storage]) -> None:
        builder = self.ops.builder
        builder.enter_region(age)
        before = {s: s.value for s in arm.memory}
        for storage, value in arm.memory.items():
            storage.value = value
        leaves: list[Value] = []
        for name, type_ in names.items():
            leaves += flatten(self.ops, self.read, arm.names.get(name, MISSING), type_)
        leaves += [s.value for s in memory]
        for storage, value in before.items():
            storage.value = value
        builder.end_region("ingot.yield", leaves)

    def _meet(self, arms: list[Arm], names: dict[str, Type], results: Any) -> dict[str, Any]:
        """The names after the branch."""
        after = dict(arms[0].names)
        for name, value in arms[1].names.items():
            after.setdefault(name, value)
        made: dict[tuple, Array] = {}
        for name, type_ in names.items():
            value = rebuild(type_, results, self.place)
            ends = [arm.names.get(name, MISSING) for arm in arms]
            if isinstance(type_, ArrayType):
                value = _share(made, value, ends)
            for array in arrays_in(value):
                for source in arrays_in(ends):
                    may_be(array.storage, source.storage)
            after[name] = value
        return after


def _share(made: dict[tuple, Array], array: Array, ends: list[Any]) -> Array:
    """One array for names that are one array in both arms; else note what it may be."""
    ends = [each for each in ends if isinstance(each, Array)]
    key = tuple((each.storage, each.views) for each in ends)
    if key in made and len(ends) == 2:
        return made[key]
    sources = {each.storage for each in ends}
    for other_key, other in made.items():
        if sources & {storage for storage, _ in other_key}:
            may_be(array.storage, other.storage)
    for other in [other for source in sources for other in source.maybe]:
        may_be(array.storage, other)
    made[key] = array
    return array


def may_be(a: Storage, b: Storage) -> None:
    if a is not b:
        a.maybe |= {b}
        b.maybe |= {a}


def _has_left(arm: Arm) -> bool:
    """Whether the arm returns or goes on to the next iteration: its names are not read again."""
    return arm.names.get(RETURN) is True or arm.names.get(CONTINUE) is True


def _differs(storage: Storage, arms: list[Arm]) -> bool:
    a, b = (arm.memory.get(storage, storage.value) for arm in arms)
    return a != b
