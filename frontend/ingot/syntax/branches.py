"""`if` on a run-time condition: both arms are emitted, then what they changed is joined."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ingot._core import Value
from ingot.dtypes import BOOL, STATIC_NUMBERS
from ingot.syntax import intervals
from ingot.syntax.heap import Heap
from ingot.syntax.leaves import codes, flatten, flatten_contents, rebuild, rebuild_contents
from ingot.syntax.ops import affine_of, bounds_of, predicate
from ingot.syntax.paths import Path
from ingot.syntax.relations import Relations, objects_in
from ingot.syntax.scopes import RETURN, VALUE, Frame, before_assignment
from ingot.syntax.state import Region
from ingot.syntax.types import (
    ArrayType,
    JoinError,
    ObjectType,
    ScalarType,
    StaticType,
    Type,
    View,
    contents_type,
    escaping,
    join,
    same_static,
)
from ingot.syntax.values import (
    NOTHING,
    Array,
    Broken,
    Cell,
    Grown,
    Reference,
    Scalar,
    Storage,
    Unbound,
    cell_numbers,
    scalar_of,
)

#: Whether an expression has one value or the other: see `choose`.
RESULT = "<result>"


class Raised(Exception):
    """What follows is not reached: the code has raised an exception, as a check that fails."""


@dataclass
class Arm:
    """How one arm ended: the names and the memory it changed.

    Attributes:
        dead: it raises an exception, so nothing is known of it after the branch.
    """

    names: dict[str, Any]
    memory: dict[Cell, Any]
    view: View
    dead: bool


class Branches(Heap):
    def branch(self, condition: Value, then: Callable[[], Any], orelse: Callable[[], Any]) -> None:
        """Emit `ingot.if` whose arms run the callables in this frame."""
        first = next(cell_numbers)
        arms = [self._arm(run, first) for run in (then, orelse)]
        self._join(condition, arms, first)

    def _join(self, condition: Value, arms: list[Arm], first: int) -> None:
        names = self._joined_names(arms, first)
        cells, broken = self._joined_cells(arms, first)
        links = self._links([*names, *cells], arms, first)
        names |= {link: ScalarType(BOOL, bool) for link in links}
        types = [code for type_ in (*names.values(), *cells.values()) for code in codes(type_)]
        for age, arm in ((1, arms[0]), (0, arms[1])):
            self._yield(arm, age, names, cells)
        self.ops.regions += 1
        results = iter(self.ops.builder.create("ingot.if", [condition], {}, types, 2))
        relations = Relations(first, self, self._taken(condition))
        rebuilt = {name: rebuild(type_, results, self.place) for name, type_ in names.items()}
        for link, (owner, path, other) in links.items():
            del names[link]
            relations.known.setdefault(owner, {})[path, other] = rebuilt[link].value
        self.frame.names = self._meet(arms, names, rebuilt, relations, links)
        for cell, type_ in cells.items():
            contents = next(results) if isinstance(cell, Storage) else None
            if contents is None:
                contents = rebuild_contents(type_, results, self.place)
                _keep_length(contents, [arm.view.contents(cell) for arm in arms if not arm.dead])
                ends = [(arm.view.contents(cell), arm.view) for arm in arms]
                relations.note_contents(cell, contents, ends)
            self.write(cell, contents)
        for cell, reason in broken.items():
            self.write(cell, Broken(reason, self.place))
        relations.settle()
        if all(arm.dead for arm in arms):
            raise Raised

    def _taken(self, condition: Value) -> list[Callable[[], Value]]:
        """What says at run time which of two arms was taken; emitted where it is of use."""
        return [lambda: condition, lambda: self.ops.elementwise("not", [condition], [BOOL])]

    def _arm(self, run: Callable[[], Any], first: int) -> Arm:
        entry = self.frame.names
        self.frame.names = dict(entry)
        region = Region()
        self.regions.append(region)
        self.ops.builder.begin_region([])
        mark = self.mark_calls()
        dead = False
        try:
            run()
        except Raised:
            dead = True
            self.return_to(mark)
        self.ops.builder.leave_region()
        self.regions.pop()
        memory = {cell: cell.value for cell in region.written}
        arm = Arm(self.frame.names, memory, View(memory, self.lift_all), dead)
        region.undo()
        self.frame.names = entry
        return arm

    def mark_calls(self) -> tuple[Frame, int]:
        """Which call is being evaluated, for `return_to`."""
        return self.frame, len(self.frames)

    def return_to(self, mark: tuple[Frame, int]) -> None:
        """Leave the calls made since, which have raised an exception."""
        self.frame, depth = mark
        del self.frames[depth:]
        if self.frame.filename and not self.frame.internal:
            self.ops.builder.set_file(self.frame.filename)

    def _joined_names(self, arms: list[Arm], first: int) -> dict[str, Type]:
        """The types of the names that the arms leave with different values."""
        joined: dict[str, Type] = {}
        one, other = (arm.names for arm in arms)
        for name in {**one, **other}:
            a, b = (each.get(name, before_assignment(name)) for each in (one, other))
            if same_static(a, b):
                continue
            live = [arm for arm in arms if not _is_unread(name, arm)]
            if not live:
                live = [arm for arm in arms if not arm.dead] or arms[:1]
            type_ = self._joined(name, live, first)
            if isinstance(type_, Unbound):
                one[name] = other[name] = type_
            elif isinstance(type_, StaticType):
                one[name] = other[name] = type_.value
            else:
                joined[name] = type_
        return joined

    def _joined(self, name: str, arms: list[Arm], first: int) -> Type | Unbound:
        types: list[Type] = [
            StaticType(arm.names.get(name, before_assignment(name)), arm.view) for arm in arms
        ]
        try:
            met = join(types[0], types[-1], lists=self.lists)
            return escaping(met, first)
        except JoinError as error:
            if name.startswith("<"):
                what = "this expression gives" if name == RESULT else "the function returns"
                self.fail(
                    f"{what} what {error}",
                    "return one type on every path",
                    page="types-on-paths",
                )
            return Unbound(str(error))

    def _joined_cells(
        self, arms: list[Arm], first: int
    ) -> tuple[dict[Cell, Type], dict[Cell, str]]:
        """The types of what cells hold that the arms have changed, and why others have none."""
        joined: dict[Cell, Type] = {}
        broken: dict[Cell, str] = {}
        for cell in {**arms[0].memory, **arms[1].memory}:
            if cell.number >= first:
                continue
            ends = [arm.view.contents(cell) for arm in arms]
            if isinstance(cell, Storage):
                if ends[0] != ends[1]:
                    joined[cell] = ArrayType(cell.shape, cell.dtype)
                continue
            live = [arm for arm in arms if not arm.dead] or arms
            try:
                types = [contents_type(cell, arm.view.contents(cell), arm.view) for arm in live]
                met = join(types[0], types[-1], lists=self.lists)
                joined[cell] = escaping(met, first)
            except JoinError as error:
                broken[cell] = str(error)
        return joined, broken

    def _links(
        self, owners: list[str | Cell], arms: list[Arm], first: int
    ) -> dict[str, tuple[str | Cell, Path, Cell]]:
        """Pseudo-names of what says, in each arm, whether an object is one from before: which.

        They are for what names and changed containers hold, where an arm itself knows it at run
        time only.
        """
        found: dict[str, tuple[str | Cell, Path, Cell]] = {}
        for owner in owners:
            parts = [objects_in(_end(owner, arm), arm.view) for arm in arms]
            for path in {**parts[0], **parts[1]}:
                ends = [each.get(path, NOTHING) for each in parts]
                objects = [each for each in ends if isinstance(each, (Array, Reference))]
                others = {o for e in objects for o in e.cell.maybe if o.number < first}
                for other in sorted(others, key=lambda each: each.number):
                    links = [_link_to(each, other) for each in ends]
                    if any(link is None for link in links):
                        continue
                    name = f"<link {len(found)}>"
                    found[name] = owner, path, other
                    for arm, link in zip(arms, links, strict=True):
                        arm.names[name] = predicate(link) if isinstance(link, Value) else link
        return found

    def _yield(self, arm: Arm, age: int, names: dict[str, Type], cells: dict[Cell, Type]) -> None:
        builder = self.ops.builder
        builder.enter_region(age)
        before = {cell: cell.value for cell in arm.memory}
        for cell, contents in arm.memory.items():
            cell.value = contents
        leaves: list[Value] = []
        for name, type_ in names.items():
            value = arm.names.get(name, before_assignment(name))
            value = NOTHING if _is_unread(name, arm) else value
            leaves += flatten(self, value, type_)
        for cell, type_ in cells.items():
            if isinstance(cell, Storage):
                leaves.append(cell.value)
            else:
                held = NOTHING if arm.dead else cell.value
                leaves += flatten_contents(self, held, type_)
        for cell, contents in before.items():
            cell.value = contents
        builder.end_region("ingot.yield", leaves)

    def _meet(
        self,
        arms: list[Arm],
        names: dict[str, Type],
        rebuilt: dict[str, Any],
        relations: Relations,
        links: Iterable[str],
    ) -> dict[str, Any]:
        """The names after the branch."""
        live = next((arm for arm in arms if not arm.dead), arms[0])
        after = dict(live.names)
        for arm in arms:
            for name, value in arm.names.items():
                after.setdefault(name, value)
        made: dict[tuple, Any] = {}
        for link in links:
            del after[link]
        for name, type_ in names.items():
            value = rebuilt[name]
            ends: list[Any] = [(arm.names.get(name, NOTHING), arm.view) for arm in arms]
            is_read = not any(_is_unread(name, arm) for arm in arms)
            key = _pair_of([end for end, _ in ends], type_) if is_read else None
            if key is not None and key in made:
                # Names that are one object in both arms still are.
                value = made[key]
            else:
                relations.note(name, value, ends)
            if key is not None:
                made[key] = value
            after[name] = value
        return after

    # Expressions.

    def choose(self, test: Scalar, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """The value of one of two expressions, of which only that one is evaluated.

        Numbers whose computation has no effect are computed both: a `select` is cheaper.
        """
        first = next(cell_numbers)
        effects, nested = self.ops.checks, self.ops.regions
        entry = self.frame.names

        def keep(run: Callable[[], Any]) -> None:
            value = run()
            self.frame.names[RESULT] = value

        arms = [self._arm(functools.partial(keep, run), first) for run in (then, orelse)]
        values = [arm.names.get(RESULT) for arm in arms]
        is_harmless = (self.ops.checks, self.ops.regions) == (effects, nested) and not any(
            arm.memory or arm.dead or not _only_adds_result(entry, arm.names) for arm in arms
        )
        numbers = (Scalar, *STATIC_NUMBERS)
        if not (is_harmless and all(isinstance(value, numbers) for value in values)):
            self._join(test.value, arms, first)
            return self.frame.names.pop(RESULT)
        for _ in arms:
            self.ops.builder.enter_region(0)
            self.ops.builder.inline_region()
        return self.selected(test, values)

    def selected(self, test: Scalar, values: list[Any]) -> Any:
        """The first of two numbers if the test holds, else the second."""
        met: Any = join(*(StaticType(each) for each in values))
        if isinstance(met, StaticType):
            return met.value
        sides = [self.ops.convert(self.read(each), met.dtype) for each in values]
        value = self.ops.select(test.value, *sides)
        made = scalar_of(value, met.dtype, met.weak, met.all_kinds)
        is_whole = met.dtype.kind in "iu"
        return intervals.note(made, intervals.union(*map(bounds_of, values))) if is_whole else made


def _keep_length(made: Any, ends: list[Any]) -> None:
    """A list that grew by as many items on each path has a length that says so."""
    if not isinstance(made, Grown) or not isinstance(made.length, Scalar):
        return
    forms = [affine_of(end.length) for end in ends if isinstance(end, Grown)]
    if len(forms) == len(ends) and all(form == forms[0] for form in forms):
        made.length.affine = forms[0]


def _only_adds_result(before: dict[str, Any], after: dict[str, Any]) -> bool:
    is_kept = all(after.get(name) is value for name, value in before.items())
    return is_kept and len(after) == len(before) + 1


def _is_unread(name: str, arm: Arm) -> bool:
    """Whether what a name holds at the end of an arm is not read: the arm is not left there."""
    if arm.dead:
        return True
    returns = arm.names.get(RETURN, False)
    if name == VALUE:
        return returns is False
    return returns is True and not name.startswith("<")


def _end(owner: str | Cell, arm: Arm) -> Any:
    """What a name or a container holds at the end of an arm."""
    if isinstance(owner, Cell):
        return None if isinstance(owner, Storage) else arm.view.contents(owner)
    return arm.names.get(owner, NOTHING)


def _link_to(value: Any, other: Cell) -> Value | bool | None:
    """Whether the end of an arm is an object from before: a bool, what says so there, or None."""
    if not isinstance(value, (Array, Reference)):
        return False
    is_all = not isinstance(value, Array) or value.is_whole
    if value.cell is other:
        return True if is_all else None
    if other not in value.cell.maybe:
        return False
    return value.cell.maybe[other] if is_all else None


def _pair_of(ends: list[Any], type_: Type) -> tuple | None:
    """What tells whether two names are one object: of arrays and containers, which ones."""
    if isinstance(type_, ArrayType) and all(isinstance(each, Array) for each in ends):
        return tuple((each.storage, tuple(map(id, each.views))) for each in ends)
    if isinstance(type_, ObjectType) and all(isinstance(each, Reference) for each in ends):
        return tuple(each.cell for each in ends)
    return None
