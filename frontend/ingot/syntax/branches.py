"""`if` on a run-time condition: both arms are emitted, then the values that they leave are joined.

This is the join of the control flow: each name and each cell that the arms leave with different
values becomes a result of `ingot.if`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot._core import Diagnostic, Value
from ingot.dimensions import are_open, spelled
from ingot.dtypes import BOOL, INT, STATIC_NUMBERS
from ingot.syntax import intervals, kinds
from ingot.syntax.cells import Cell, Storage, cell_numbers
from ingot.syntax.dynamic import Grown
from ingot.syntax.heap import Heap
from ingot.syntax.joins import join, one_of
from ingot.syntax.leaves import NEGATIVE
from ingot.syntax.ops import affine_of, at_least, bounds_of, held_dtype, predicate
from ingot.syntax.paths import Path
from ingot.syntax.relations import Holder, KnownLinks, Other, Relations, objects_in
from ingot.syntax.scopes import FINALLY, RETURN, VALUE, Frame, Hidden, Name, before_assignment
from ingot.syntax.slots import LINK_TYPE, Owner, Slot, as_alternative, codes_of, type_held
from ingot.syntax.state import Region, StaticRequired
from ingot.syntax.types import (
    ArrayType,
    JoinError,
    ObjectType,
    StaticType,
    Type,
    View,
    escaping,
    same_static,
)
from ingot.syntax.values import (
    NOTHING,
    Affine,
    Array,
    Broken,
    Leak,
    Reference,
    Scalar,
    Unbound,
    Undetermined,
    last_resort,
    parameter_of,
)
from ingot_runtime.errors import CompileError, ShapeError

#: The value of an expression that is one of two: see `choose`.
RESULT = Hidden("result")
#: Names that must have one type on every path, since they are always read.
GIVES = {RESULT: "this expression gives", VALUE: "the function returns"}
#: The objects that an arm leaves, by what holds them.
Objects = dict[Holder, Array | Reference]
#: What is raised where code is refused.
REFUSED = (CompileError, Diagnostic, Leak, StaticRequired, Undetermined)


def raised_by(error: CompileError | Diagnostic) -> tuple[type[Exception], str] | None:
    """The class and the message of what Python or NumPy raises; None if that is not known."""
    if isinstance(error, Diagnostic):
        return ValueError, spelled(error.args[0])
    return None if error.raises is None else (error.raises, error.text)


class Raised(Exception):
    """The rest is unreachable: the code has raised an exception, emitted as a failing check."""


@dataclass
class Arm:
    """The end of one arm.

    Attributes:
        names: the names and their values.
        memory: the cells that the arm has written, and their contents.
        view: reads cells as they are at the end of the arm.
        dead: whether the arm raises an exception, so that the join ignores it.
    """

    names: dict[Name, Any]
    memory: dict[Cell, Any]
    view: View
    dead: bool

    def held(self, owner: Owner) -> Any:
        """The value of a name, or the contents of a cell, at the end."""
        if isinstance(owner, Cell):
            return self.view.contents(owner)
        return self.names.get(owner, before_assignment(owner))

    def type_of(self, owner: Owner) -> Type:
        return type_held(owner, self.held(owner), self.view)


class Branches(Heap):
    checks: bool = True

    def branch(self, test: Scalar, then: Callable[[], Any], orelse: Callable[[], Any]) -> None:
        """Emit `ingot.if` whose arms run the callables in this frame."""
        first = next(cell_numbers)
        self._join(test, self._arms(test, (then, orelse), first), first)

    def _arms(self, test: Scalar, runs: Iterable[Callable[[], Any]], first: int) -> list[Arm]:
        try:
            return [self._arm(run, first) for run in runs]
        except REFUSED as refusal:
            # The arm that is refused may be the one that the arguments do not take. A recursion
            # would be evaluated call by call for each value.
            if getattr(refusal, "page", "") != "recursion":
                self.suggest(test.parameter)
            raise

    def _join(self, test: Scalar, arms: list[Arm], first: int) -> None:
        names = self._joined_names(test, arms, first)
        cells, broken = self._joined_cells(arms, first)
        known: KnownLinks = {}
        links = self._links([*names.items(), *cells.items()], arms, first, known)
        slots = [*names.values(), *links, *cells.values()]
        for i, arm in enumerate(arms):
            # Both regions are still open, the last one innermost.
            self.ops.builder.enter_region(len(arms) - 1 - i)
            self._yield(i, arm, slots)
        self.ops.regions += 1
        types = codes_of(slots)
        results = iter(self.ops.builder.create("ingot.if", [test.value], {}, types, 2))
        for slot in slots:
            slot.rebuild(results, self)
        for slot, (owner, path, other) in links.items():
            known.setdefault(owner, {})[path, other] = slot.value.value
        relations = Relations(first, self, self._taken(test.value), known)
        self.frame.names = self._meet(test, arms, names, relations)
        for cell, slot in cells.items():
            self._meet_contents(arms, cell, slot, relations)
        for cell, error in broken.items():
            self.write(cell, Broken(str(error), self.location, self._deciding(test, error)))
        relations.apply()
        if all(arm.dead for arm in arms):
            raise Raised

    def _taken(self, condition: Value) -> list[Callable[[], Value]]:
        """For each arm, what emits the predicate that it was taken; called only if needed."""
        return [lambda: condition, lambda: self.ops.elementwise("not", [condition], [BOOL])]

    def _arm(self, run: Callable[[], Any], first: int) -> Arm:
        entry = self.frame.names
        self.frame.names = dict(entry)
        region = Region()
        self.regions.append(region)
        self.ops.builder.begin_region([])
        dead = self.ends_by_raising(run)
        self.ops.builder.leave_region()
        self.regions.pop()
        memory = {cell: cell.value for cell in region.written}
        arm = Arm(self.frame.names, memory, View(memory, self.lift_all), dead)
        region.undo()
        self.frame.names = entry
        return arm

    def ends_by_raising(self, run: Callable[[], Any]) -> bool:
        """Run the code of a path that may not be taken; whether it raises an exception for sure.

        What Python or NumPy raises for shapes and types is raised where the program comes to this
        point.
        """
        mark, depth = self.mark_calls(), len(self.regions)
        try:
            try:
                run()
            except (CompileError, Diagnostic) as error:
                self.return_to(mark)
                found = self.raised_here(error) if len(self.regions) == depth else None
                if found is None:
                    raise
                self.raise_now(*found)
        except Raised:
            self.return_to(mark)
            return True
        return False

    def or_raise(self, run: Callable[[], Any]) -> Any:
        """Run code; what Python or NumPy raises for shapes and types is raised at run time where
        something may come before it: another exception, or what is printed."""
        mark, depth = self.mark_calls(), len(self.regions)
        try:
            return run()
        except (CompileError, Diagnostic) as error:
            comes_first = (self.ops.checks or self.prints) and len(self.regions) == depth
            self.return_to(mark)
            found = self.raised_here(error) if comes_first else None
            if found is None:
                raise
            self.raise_now(*found)

    def raised_here(self, error: CompileError | Diagnostic) -> tuple[type[Exception], str] | None:
        """The class and the message of what the source raises for shapes and types, if known."""
        if not self.checks or self.frame.internal:
            return None
        # Sizes that calls choose, and lengths that are taken for granted, may be others.
        is_assumed = are_open() or (self.has_windows and not self.opens_windows)
        is_of_shapes = isinstance(error, (ShapeError, Diagnostic))
        return None if is_of_shapes and is_assumed else raised_by(error)

    def mark_calls(self) -> tuple[Frame, int, int]:
        """The call and the loop that are being evaluated, for `return_to`."""
        return self.frame, len(self.frames), len(self.open_loops)

    def return_to(self, mark: tuple[Frame, int, int]) -> None:
        """Leave the calls and loops entered since the mark, after they have raised an exception."""
        self.frame, depth, loops = mark
        del self.frames[depth:]
        self.leave_loops(loops)
        if self.frame.filename and not self.frame.internal:
            self.ops.builder.set_file(self.frame.filename)

    def leave_loops(self, first: int) -> None:
        """Leave the loops from this number on; the names of each are those of the one around it."""
        while len(self.open_loops) > first:
            frame, names, saved = self.open_loops.pop()
            for name in names:
                frame.names.pop(name, None)
            frame.names.update(saved)

    def _joined_names(self, test: Scalar, arms: list[Arm], first: int) -> dict[Name, Slot]:
        """Slots for the names that the arms leave with different values."""
        joined: dict[Name, Slot] = {}
        one, other = (arm.names for arm in arms)
        for name in {**one, **other}:
            ends = tuple(each.get(name, before_assignment(name)) for each in (one, other))
            if same_static(*ends):
                continue
            found = self._joined_name(test, name, arms, first)
            if isinstance(found, Slot):
                joined[name] = found
            else:
                one[name] = other[name] = found.value if isinstance(found, StaticType) else found
        return joined

    def _slot(self, owner: Owner, type_: Type, arms: list[Arm]) -> Slot:
        """A slot for what the arms leave in a name or cell.

        Raises:
            JoinError: what an arm leaves is none of the alternatives of the type.
        """
        ends = (
            arm.held(owner) if _is_unread(owner, arm)
            else as_alternative(owner, arm.held(owner), type_, arm.view)
            for arm in arms
        )  # fmt: skip
        return Slot(owner, type_, ends=tuple(ends))

    def _joined_name(
        self, test: Scalar, name: Name, arms: list[Arm], first: int
    ) -> Slot | StaticType | Unbound:
        read = [arm for arm in arms if not _is_unread(name, arm)]
        try:
            type_ = self._joined(name, read or arms, first)
            return type_ if isinstance(type_, StaticType) else self._slot(name, type_, arms)
        except JoinError as error:
            parameter = self._deciding(test, error)
            if name in GIVES:
                self.suggest(parameter)
                self.fail(
                    f"{GIVES[name]} what {error}",
                    "return one type on every path",
                    page="types-on-paths",
                )
            return Unbound(str(error), parameter)

    def _deciding(self, test: Scalar, error: JoinError) -> Any:
        """The parameter that decides which path is taken, if there is one."""
        return test.parameter if error.parameter is None else error.parameter

    def _joined(self, owner: Owner, arms: list[Arm], first: int) -> Type:
        """The common type of what the live arms leave in a name or cell.

        Raises:
            JoinError: there is none.
        """
        live = [arm for arm in arms if not arm.dead] or arms[:1]
        types = [arm.type_of(owner) for arm in live]
        try:
            joined = join(types[0], types[-1], lists=self.lists, shapes=self.shapes)
        except JoinError:
            if not self.structures.open():
                raise
            joined = one_of(types[0], types[-1])
        return escaping(joined, first)

    def _joined_cells(
        self, arms: list[Arm], first: int
    ) -> tuple[dict[Cell, Slot], dict[Cell, JoinError]]:
        """Slots for the cells that the arms have changed, and why other cells can't have one."""
        joined: dict[Cell, Slot] = {}
        broken: dict[Cell, JoinError] = {}
        for cell in {**arms[0].memory, **arms[1].memory}:
            if cell.number >= first:
                continue
            ends = tuple(arm.view.contents(cell) for arm in arms)
            if isinstance(cell, Storage) and ends[0] == ends[1] == cell.value:
                continue
            try:
                joined[cell] = self._slot(cell, self._joined(cell, arms, first), arms)
            except JoinError as error:
                broken[cell] = error
        return joined, broken

    def _links(
        self,
        slots: Iterable[tuple[Owner, Slot]],
        arms: list[Arm],
        first: int,
        known: KnownLinks,
    ) -> dict[Slot, tuple[Owner, Path, Other]]:
        """Slots for predicates that tell whether an object is one from before the branch, or two
        objects are one.

        They are needed for objects held by names and changed containers where an arm knows their
        identity at run time only. Those that all arms have from before the branch become `known`.

        Returns:
            For each slot: the owner and the path of the object, and what it may be.
        """
        found: dict[Slot, tuple[Owner, Path, Other]] = {}
        held: list[Objects] = [{} for _ in arms]
        for owner, slot in slots:
            parts = [objects_in(end, arm.view) for end, arm in zip(slot.ends, arms, strict=True)]
            for objects, part in zip(held, parts, strict=True):
                objects |= {(owner, path): value for path, value in part.items()}
            for path in {**parts[0], **parts[1]}:
                ends = [each.get(path, NOTHING) for each in parts]
                for other, links in _possible(ends, first).items():
                    if links[0] is links[-1] and isinstance(links[0], Value):
                        known.setdefault(owner, {})[path, other] = links[0]
                        continue
                    found[_slot_of(links)] = owner, path, other
        for (owner, path), holder in _related(held, first):
            told = [_link_between(each.get((owner, path)), each.get(holder)) for each in held]
            links = [each for each in told if each is not None]
            if len(links) == len(told):
                found[_slot_of(links)] = owner, path, holder
        return found

    def _yield(self, i: int, arm: Arm, slots: list[Slot]) -> None:
        """End the region of an arm with the values of its slots."""
        before = {cell: cell.value for cell in arm.memory}
        for cell, contents in arm.memory.items():
            cell.value = contents
        leaves: list[Value] = []
        for slot in slots:
            end = NOTHING if _is_unread(slot.owner, arm) else slot.ends[i]
            leaves += slot.flatten(self, end)
        for cell, contents in before.items():
            cell.value = contents
        self.ops.builder.end_region("ingot.yield", leaves)

    def _meet(
        self, test: Scalar, arms: list[Arm], slots: dict[Name, Slot], relations: Relations
    ) -> dict[Name, Any]:
        """The names after the branch."""
        live = next((arm for arm in arms if not arm.dead), arms[0])
        after = dict(live.names)
        for arm in arms:
            for name, value in arm.names.items():
                after.setdefault(name, value)
        made: dict[tuple, Any] = {}
        for name, slot in slots.items():
            is_read = not any(_is_unread(name, arm) for arm in arms)
            key = _pair_of(slot.ends, slot.type) if is_read else None
            if key is not None and key in made:
                # Names that are one object in both arms still are.
                slot.value = made[key]
            else:
                relations.note(name, slot.value, _seen(slot, arms))
            if isinstance(slot.value, Scalar):
                ends = _live_ends(slot, arms)
                slot.value.parameter = last_resort(parameter_of([test, *ends]))
                self.note_kinds(slot.value, test)
            if key is not None:
                made[key] = slot.value
            after[name] = slot.value
        return after

    def _meet_contents(self, arms: list[Arm], cell: Cell, slot: Slot, relations: Relations) -> None:
        """Set the contents of a cell after the branch."""
        if not isinstance(cell, Storage):
            _keep_length(slot.value, [arm.held(cell) for arm in arms if not arm.dead], cell.value)
            relations.note_contents(cell, slot.value, _seen(slot, arms))
        self.write(cell, slot.value)

    # Expressions.

    def choose(self, test: Scalar, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """The value of one of two expressions; only that one is evaluated at run time.

        Where both are numbers computed without effects, both are evaluated: a `select` is cheaper.
        """
        first = next(cell_numbers)
        effects, nested = self.ops.checks, self.ops.regions
        entry = self.frame.names

        def keep(run: Callable[[], Any]) -> None:
            value = run()
            self.frame.names[RESULT] = value

        runs = [functools.partial(keep, run) for run in (then, orelse)]
        arms = self._arms(test, runs, first)
        values = [arm.names.get(RESULT) for arm in arms]
        is_harmless = (self.ops.checks, self.ops.regions) == (effects, nested) and not any(
            arm.memory or arm.dead or not _only_adds_result(entry, arm.names) for arm in arms
        )
        numbers = (Scalar, *STATIC_NUMBERS)
        if not (is_harmless and all(isinstance(value, numbers) for value in values)):
            self._join(test, arms, first)
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
        if met.dtype == np.uint64:
            self._check_joined(test, values)
        sides = [self.ops.convert(self.read(each), met.dtype) for each in values]
        # LLVM takes quadratic time for a chain of selects, as of any() and all().
        if values[0] is True and met.dtype == BOOL:
            value = self.ops.elementwise("or", [test.value, sides[1]], [BOOL, BOOL])
        elif values[1] is False and met.dtype == BOOL:
            value = self.ops.elementwise("and", [test.value, sides[0]], [BOOL, BOOL])
        else:
            value = self.ops.select(test.value, *sides)
        which = []
        if met.kinds:
            ends = [kinds.which_of(self.ops, each, met.kinds) for each in values]
            which.append(self.ops.select(test.value, *ends))
        made = kinds.number_of(met, iter([value, *which]))
        made.parameter = last_resort(parameter_of([test, *values]))
        self.note_kinds(made, test)
        is_whole = met.dtype.kind in "iu"
        return intervals.note(made, intervals.union(*map(bounds_of, values))) if is_whole else made

    def _check_joined(self, test: Scalar, values: list[Any]) -> None:
        """Check that a number which is selected is no negative int beside an `np.uint64`."""
        may_be_negative = [
            held_dtype(each).kind == "i" and not at_least(bounds_of(each)[0], 0) for each in values
        ]
        if not self.checks or not any(may_be_negative):
            return
        ops, zero = self.ops, self.ops.constant(0, INT)
        fits = [
            ops.compare("ge", self.read(each), zero, INT) if is_open else ops.constant(True, BOOL)
            for each, is_open in zip(values, may_be_negative, strict=True)
        ]
        ops.limit(ops.select(test.value, *fits), NEGATIVE)


def _keep_length(made: Any, ends: list[Any], before: Any) -> None:
    """Keep the affine form of a list's length where the paths that go on leave the same form.

    Args:
        made: the contents of the list after the branch.
        ends: the contents at the ends of the paths from which control goes on.
        before: the contents before the branch.
    """
    if not isinstance(made, Grown) or not isinstance(made.length, Scalar):
        return
    forms = [affine_of(end.length) for end in ends if isinstance(end, Grown)]
    # No path may go on, where both raise.
    if not forms or len(forms) != len(ends) or any(form != forms[0] for form in forms):
        return
    # What both forms have is from before the branch; a single path may have unknowns of its own.
    if len(forms) == 1 and not _unknowns(forms[0]) <= _unknowns_of_length(before):
        return
    made.length.affine = forms[0]


def _unknowns(form: Affine) -> set[Value]:
    return {unknown for unknown, _ in form.terms}


def _unknowns_of_length(contents: Any) -> set[Value]:
    return _unknowns(affine_of(contents.length)) if isinstance(contents, Grown) else set()


def _only_adds_result(before: dict[Name, Any], after: dict[Name, Any]) -> bool:
    is_kept = all(after.get(name) is value for name, value in before.items())
    return is_kept and len(after) == len(before) + 1


def _is_unread(owner: Owner | None, arm: Arm) -> bool:
    """Whether the value at the end of an arm is never read, since control does not continue."""
    if arm.dead:
        return not isinstance(owner, Storage)
    returns = arm.names.get(RETURN, False)
    if owner is VALUE:
        return returns is False
    return returns is True and isinstance(owner, str) and not arm.names.get(FINALLY, False)


def _live_ends(slot: Slot, arms: list[Arm]) -> list[Any]:
    """The values that the arms leave from which control goes on."""
    return [end for end, arm in zip(slot.ends, arms, strict=True) if not arm.dead]


def _seen(slot: Slot, arms: list[Arm]) -> list[tuple[Any, View | None]]:
    """The value that each arm leaves, with the view of memory to read its contents."""
    return [(end, arm.view) for end, arm in zip(slot.ends, arms, strict=True)]


def _possible(ends: list[Any], first: int) -> dict[Cell, list[Value | bool]]:
    """The cells from before a branch that an object may be, with what tells it in each arm."""
    objects = [each for each in ends if isinstance(each, (Array, Reference))]
    if len(objects) == 2 and objects[0] is objects[1]:
        maybe = objects[0].cell.maybe if _is_all(objects[0]) else {}
        return {o: [x, x] for o, x in maybe.items() if o.number < first and x is not None}
    others = {o for e in objects for o in e.cell.maybe if o.number < first}
    links = {o: [_link_to(e, o) for e in ends] for o in sorted(others, key=lambda e: e.number)}
    return {other: said for other, said in links.items() if all(x is not None for x in said)}


def _slot_of(links: Sequence[Value | bool]) -> Slot:
    """A slot for a predicate, of what tells it in each arm."""
    ends = tuple(predicate(each) if isinstance(each, Value) else each for each in links)
    return Slot(None, LINK_TYPE, ends=ends)


def _related(held: list[Objects], first: int) -> Iterable[tuple[Holder, Holder]]:
    """The pairs of objects of which an arm has made one or both, and of which only run time knows
    whether they are one."""
    found: dict[tuple[Holder, Holder], None] = {}
    for objects in held:
        holders: dict[Cell, list[Holder]] = {}
        for holder, value in objects.items():
            holders.setdefault(value.cell, []).append(holder)
        for holder, value in objects.items():
            cell = value.cell
            for other, link in cell.maybe.items() if cell.number >= first else ():
                if link is None:
                    continue
                pairs = ((holder, each) for each in holders.get(other, ()))
                found |= {pair: None for pair in pairs if pair[::-1] not in found}
    return found


def _link_between(one: Any, other: Any) -> Value | bool | None:
    """Whether an arm's objects are one: a bool, a predicate of the arm, or None if unknown."""
    if one is None or other is None:
        return False
    link = _link_to(one, other.cell)
    if link is False:
        # After a path, only what was made there still knows that it may be an older object.
        link = _link_to(other, one.cell)
    return link if link is False or (_is_all(one) and _is_all(other)) else None


def _is_all(value: Any) -> bool:
    """Whether a value is a whole object, no view of it."""
    return not isinstance(value, Array) or value.is_whole


def _link_to(value: Any, other: Cell) -> Value | bool | None:
    """Whether an arm's value is `other`: a bool, a predicate of the arm, or None if unknown."""
    if not isinstance(value, (Array, Reference)):
        return False
    is_all = _is_all(value)
    if value.cell is other:
        return True if is_all else None
    if other not in value.cell.maybe:
        return False
    return value.cell.maybe[other] if is_all else None


def _pair_of(ends: tuple[Any, ...], type_: Type) -> tuple | None:
    """A key that is equal for names that hold the same arrays or containers in both arms."""
    if isinstance(type_, ArrayType) and all(isinstance(each, Array) for each in ends):
        return tuple((each.storage, tuple(map(id, each.views))) for each in ends)
    if isinstance(type_, ObjectType) and all(isinstance(each, Reference) for each in ends):
        return tuple(each.cell for each in ends)
    return None
