"""The state of the evaluator: frames, regions, memory, source positions and errors."""

from __future__ import annotations

import ast
import math
import types
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np

from ingot import _core
from ingot._core import Value
from ingot.diagnostics import Position, error_at
from ingot.dimensions import Dimension, as_int
from ingot.dtypes import INT, STATIC_NUMBERS
from ingot.syntax import views
from ingot.syntax.cells import Cell, Location, Storage, cell_numbers
from ingot.syntax.contents import held_by
from ingot.syntax.functions import LocalFunction
from ingot.syntax.joins import Openness
from ingot.syntax.ops import Ops, bounds_of, predicate
from ingot.syntax.scopes import Frame, Name
from ingot.syntax.values import (
    Array,
    Broken,
    Dict,
    Joined,
    LastResort,
    List,
    NeedsStatic,
    OneOf,
    Opaque,
    Raisable,
    Reference,
    Scalar,
    Set,
    Symbolic,
    Text,
    describe,
    parameter_of,
)
from ingot_runtime.errors import CompileError, DTypeError, UnsupportedError

if TYPE_CHECKING:
    from ingot.syntax.carried import Carried
    from ingot.syntax.mixins import Methods
    from ingot.syntax.trying import Attempt
    from ingot_runtime.meshes import Mesh
else:
    Methods = object

#: The reason why the type of a list that a loop appends to has no fixed point.
GROWS = "grows in each iteration of a loop, and nothing says how far"

#: The most operations that unrolled loops and recursions emit, after some seconds. To compile them
#: takes longer: 20,000 take 4 s, and the time grows faster than their number.
MOST_EMITTED = 1 << 16

#: The most entries, in 3 s and 2 GB, of all tables that say which other objects an object may be.
MOST_ALIASES = 1 << 26


class Filters(list[tuple[str, type[Warning], bool]]):
    """The filters of warnings that a block has set: actions, classes, and whether that is all.

    Attributes:
        depth: the number of regions around the block.
    """

    def __init__(self, depth: int) -> None:
        super().__init__()
        self.depth = depth


class StaticRequired(Exception):
    """A value must be static and is not; unrolling an enclosing loop may make it static."""

    def __init__(self, error: CompileError) -> None:
        super().__init__(str(error))
        self.error = error


class Exhausted(Exception):
    """Evaluation takes too long, and so would all other ways to evaluate the same code."""

    def __init__(self, error: CompileError) -> None:
        super().__init__(str(error))
        self.error = error


def position_of(location: Location) -> Position | None:
    filename, node = location
    if node is None:
        return None
    n: Any = node
    return Position(filename, n.lineno, n.col_offset + 1, n.end_lineno, n.end_col_offset + 1)


#: The contents of the cells that a region had changed, and how often their aliases had changed.
Memory: TypeAlias = tuple[dict[Cell, Any], int]


@dataclass(eq=False)
class Region:
    """The changes that code in one region has made, so that they can be undone.

    Attributes:
        written: the cells that the region changed, with their contents before.
        carried: the cells whose contents became block arguments, with their contents outside.
        related: the cells with new possible aliases, with their aliases before.
        aliases: each change of possible aliases in the region, in order: the cell, and its aliases
            before.
        first: cells from this number on were made in the region.
    """

    written: dict[Cell, Any] = field(default_factory=dict)
    carried: dict[Cell, Any] = field(default_factory=dict)
    related: dict[Cell, dict[Cell, Value | None]] = field(default_factory=dict)
    aliases: list[tuple[Cell, dict[Cell, Value | None]]] = field(default_factory=list)
    first: int = field(default_factory=lambda: next(cell_numbers))

    def set_aliases(self, cell: Cell, aliases: dict[Cell, Value | None]) -> None:
        """Change the possible aliases of a cell, until this is undone."""
        self.aliases.append((cell, cell.maybe))
        cell.maybe = aliases

    def mark(self) -> Memory:
        """What `undo_since` goes back to."""
        return {cell: cell.value for cell in self.written}, len(self.aliases)

    def undo_since(self, mark: Memory) -> None:
        """Undo the writes and the changes of aliases since a mark."""
        memory, known = mark
        for cell, contents in list(self.written.items()):
            cell.value = memory.get(cell, contents)
            if cell not in memory:
                del self.written[cell]
        while len(self.aliases) > known:
            cell, aliases = self.aliases.pop()
            cell.maybe = aliases

    def undo(self) -> None:
        """Restore the contents and aliases that cells have outside of the region."""
        for cell, contents in (*self.written.items(), *self.carried.items()):
            cell.value = contents
        for cell, maybe in self.related.items():
            cell.maybe = maybe


#: Types of immutable static values. Most values read from outside have one of them.
ATOMS = frozenset([
    int, float, bool, str, complex, type(None), type, type(np), type(lambda: 0), np.ufunc,
    type(np.sum),
])  # fmt: skip
#: The types of arguments that handlers take as they are.
AS_THEY_ARE = ATOMS | {Array, Scalar}
#: The types of operands and arguments with which nothing runs code of the user's.
OPERANDS = (AS_THEY_ARE - {types.FunctionType}) | {Joined, tuple, *np.sctypeDict.values()}


class State(Methods):
    """The base of the evaluator: memory and errors."""

    def __init__(self, name: str) -> None:
        self.ops = Ops(name)
        # None only outside of `run`.
        self.frame: Frame = None  # type: ignore[assignment]
        self.frames: list[Frame] = []
        self.regions: list[Region] = [Region()]
        #: The run-time loops being emitted, outermost first (see `carried`).
        self.loops: list[Carried] = []
        #: The caller's containers, whose final contents the caller sees.
        self.given: list[Reference] = []
        self.prints = False
        #: Whether slices may have run-time lengths, and whether one has.
        self.opens_slices, self.has_open_slices = True, False
        #: The same for slices `a[i : i + n]` of static n, otherwise assumed to lie within bounds.
        self.opens_windows, self.has_windows = False, False
        #: Whether powers of Python's numbers may have types that depend on the numbers, and whether
        #: the program is specialised on arguments that they are computed from.
        self.opens_powers, self.specialises_powers = False, True
        #: The same as for slices, for lists.
        self.lists = Openness()
        #: The same for arrays of other lengths on other paths.
        self.shapes = Openness()
        #: The same for values of other structures on other paths (see `alternatives`).
        self.structures = Openness()
        #: The parameters that decide what is refused: see `suggest`.
        self.suggested: list[Any] = []
        #: The parameters of bools, and those that decide what kind a number is of (see `Joined`).
        self.flags: set[Any] = set()
        self.deciders: list[Any] = []
        #: The user-defined exceptions that checks raise, by their names in the checks.
        self.exceptions: dict[str, type[Exception]] = {}
        #: The `try` statements whose bodies are being evaluated, and the exceptions whose handlers
        #: are, outermost first (see `trying`).
        self.tries: list[Attempt] = []
        #: What the code of these has printed so far, by its place and its text, and how often
        #: something was printed where no `try` is seen.
        self.printed: list[Any] = []
        self.printed_unseen = 0
        #: The loops that are being evaluated: their frames, the names that each loop has for
        #: itself, and those of the loop around it.
        self.open_loops: list[tuple[Frame, tuple[Name, ...], dict[Name, Any]]] = []
        self.handled: list[Raisable] = []
        #: The lists that were changed in another way than by an append.
        self.disturbed: set[Cell] = set()
        #: The lists held as rows of which two items may be one array.
        self.sharing: set[Cell] = set()
        #: The arrays that are one of many at a run-time position: those many, and the position.
        self.rows: dict[Cell, tuple[tuple[Storage, ...], Any]] = {}
        #: The filters of the `with warnings.catch_warnings()` blocks that are being evaluated.
        self.filters: list[Filters] = []
        #: Whether the code compares an argument by identity with an object read by a name.
        self.compares_identity = False
        self.has_transformations = False
        #: The mesh that the program is for.
        self.mesh: Mesh | None = None
        self.calls_back = False
        #: The sizes of the enclosing batches, innermost last.
        self.batches: list[int] = []
        #: The sizes of those whose axis has a name.
        self.axes: dict[str, int] = {}
        #: The functions whose rules are being evaluated, where calls of them use no rule.
        self.ruled: list[Any] = []
        #: The least number of a cell that was changed, or read by a name from outside, since the
        #: innermost recorded call began (see `replays`).
        self.oldest_touched: float = math.inf
        #: The number of entries so far in tables of aliases (`Cell.maybe`).
        self.noted_aliases = 0
        self.node: ast.AST | None = None
        self.filename = ""
        #: The last `return` of the function that is compiled.
        self.returned_at: Location | None = None
        #: The value of the statement that is being run: nothing is evaluated beside it.
        self.whole_value: ast.expr | None = None

    # Positions and errors.

    #: Sets the source location of the following operations and errors to a node.
    at = _core.at

    @property
    def location(self) -> Location:
        """The node that is being evaluated, and its file; cheaper to make than a position."""
        return self.filename, self.node

    @property
    def position(self) -> Position | None:
        return position_of(self.location)

    def fail(
        self, message: str, hint: str = "", kind: type = UnsupportedError, page: str = ""
    ) -> NoReturn:
        raise error_at(kind, message, self.position, hint, page)

    def fail_as(
        self,
        raises: type[Exception],
        message: str,
        hint: str = "",
        kind: type[CompileError] = DTypeError,
    ) -> NoReturn:
        """Fail where Python or NumPy raises an exception for sure, for types and the like.

        On a path that run time may not take, and in a `try`, the program raises it there.

        Args:
            raises: its class.
            message: its text.
            hint: what to write instead.
            kind: the class of the error of the compiler.
        """
        error = error_at(kind, message, self.position, hint)
        error.raises = raises
        raise error

    def fail_static(self, message: str, hint: str = "", page: str = "") -> NoReturn:
        """Refuse code that would compile if an enclosing loop were unrolled."""
        raise StaticRequired(error_at(UnsupportedError, message, self.position, hint, page))

    def refuse_opaque(self, value: Opaque) -> NoReturn:
        self.fail(
            f"{value.described} can't be computed with",
            "give it a dtype of numbers: a.astype(float)",
            DTypeError,
            "object-array",
        )

    # Static values.

    def at_run_time(self, value: Any) -> Any:
        """A Dimension as a run-time number; other values as they are."""
        if not isinstance(value, Dimension):
            return value
        return Scalar(self.ops.scalar(value), INT, int, None, *bounds_of(value))

    def need(self, parameter: Any) -> None:
        """Specialise on a parameter, if there is one."""
        if parameter is not None:
            raise NeedsStatic(parameter)

    def known_array(self, array: Array) -> np.ndarray | None:
        """The elements of a constant array of integers (`np.array(x.shape) // 2`), or None."""
        if self.ops.known_elements(array.storage.value) is None:
            return None
        return self.ops.known_elements(self.read(array))

    def suggest(self, parameter: Any) -> None:
        """Specialise on a parameter, if there is one, if the program is refused otherwise."""
        if parameter is not None:
            self.suggested.append(parameter)

    def note_kinds(self, number: Any, test: Scalar) -> None:
        """Note what decides the kind of a number that is of several, if it is a bool argument.

        A number would compile the program again for each of its values.
        """
        parameter = test.parameter
        leaf = parameter.leaf if isinstance(parameter, LastResort) else parameter
        if type(number) is Joined and leaf in self.flags:
            self.deciders.append(leaf)

    def suggest_text(self, value: Any) -> None:
        """The same of the arguments that a run-time string shows."""
        if isinstance(value, Text):
            self.suggest(parameter_of(value.values))

    def static(self, value: Any, what: str) -> Any:
        """A value that must be known at compile time, as a Python value.

        Args:
            value: the value; lists, dicts and sets become ordinary ones.
            what: what the value is, for the message.

        Raises:
            NeedsStatic: it would be known if an argument were static.
            StaticRequired: it is not known.
        """
        if type(value) in ATOMS:
            return value
        if isinstance(value, Scalar):
            self.need(value.parameter)
        if isinstance(value, tuple):
            items = [self.static(each, what) for each in value]
            return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
        if isinstance(value, (List, Set)):
            return value.cell.kind(self.static(each, what) for each in self.items(value))
        if isinstance(value, Dict):
            return {k: self.static(v, what) for k, v in self.entries(value).items()}
        if isinstance(value, list):
            return [self.static(each, what) for each in value]
        known = self.known_array(value) if isinstance(value, Array) else None
        if known is not None:
            return known.tolist()
        if isinstance(value, Symbolic):
            self.fail_static(
                f"{what} must be known at compile time, not {describe(value)}",
                "derive it from shapes or literals, or pass it as an argument of its own",
                page_of(value, what),
            )
        return value

    # Memory.

    def read(self, value: Any) -> Value:
        """The SSA value of a number or an array."""
        if isinstance(value, Scalar):
            return value.value
        if isinstance(value, Array):
            if not value.views:
                return value.storage.value
            return views.read(self.ops, value.storage.value, value.views)
        if isinstance(value, STATIC_NUMBERS):
            return self.ops.scalar(value)
        self.fail(f"{describe(value)} is no number and no array", "compute with its parts")

    def store(self, array: Array, value: Value, what: str = "assignment destination") -> None:
        """Replace the contents of an array; all arrays that share its memory see them.

        Args:
            array: the array.
            value: its elements.
            what: what the array is in NumPy's words, for the exception if it is read-only.
        """
        if not array.writable:
            self.raise_now(ValueError, f"{what} is read-only")
        storage = array.storage
        self.change_cell(storage, views.write(self.ops, storage.value, array.views, value))

    def write(self, cell: Cell, contents: Any) -> None:
        """Replace the contents of a cell."""
        self.regions[-1].written.setdefault(cell, cell.value)
        cell.value = contents
        self.touch(cell)

    def touch(self, cell: Cell) -> None:
        """Note that the code changes a cell, or reads it without having it as an argument."""
        if cell.number < self.oldest_touched:
            self.oldest_touched = cell.number

    def change_cell(self, cell: Cell, contents: Any) -> None:
        """Replace the contents of a cell, and at run time those of its aliases."""
        linked = self._linked(cell) if cell.maybe else []
        self.write(cell, contents)
        for other, link in linked:
            if isinstance(other, Storage):
                self.write(other, self.ops.select(link, contents, other.value))
            else:
                self._change_if(link, other, contents)

    def relate(self, a: Cell, b: Cell, link: Value | None = None) -> None:
        """Note that two cells may be one; `link` is the predicate, None if it is not known."""
        for one, other in ((a, b), (b, a)) if a is not b else ():
            is_unknown = other in one.maybe and one.maybe[other] is not link
            if one.number < self.regions[-1].first:
                self.regions[-1].related.setdefault(one, one.maybe)
            links = {**one.maybe, other: None if is_unknown else link}
            self._count_aliases(len(links))
            self.regions[-1].set_aliases(one, links)
            self.touch(one)

    def _count_aliases(self, count: int) -> None:
        """Refuse a program with so many objects that may be one that memory would end."""
        self.noted_aliases += count
        if self.noted_aliases > MOST_ALIASES:
            message = "too many arrays and containers may be the same object as another one"
            hint = (
                "copy what may be one of several arrays (a = a.copy()), or store rows of one array"
            )
            raise Exhausted(error_at(UnsupportedError, message, self.position, hint, "alias"))

    def relate_copy(self, made: Cell, cell: Cell) -> None:
        """Note that a copy stands for a cell in Python, and for all that the cell may be."""
        for other in (cell, *cell.maybe):
            self.relate(made, other)

    def _change_if(self, link: Value, cell: Cell, contents: Any) -> None:
        self.branch(predicate(link), lambda: self.write(cell, contents), lambda: None)

    def _linked(self, cell: Cell) -> list[tuple[Cell, Value]]:
        """The live cells that may be this one, each with its predicate.

        Raises:
            StaticRequired: there is no predicate for one of them.
        """
        live = self._live_cells() | self.chosen_objects()
        found = []
        for other in sorted(cell.maybe, key=lambda each: each.number):
            if other not in live and other.source is None:
                continue
            link = cell.maybe[other]
            if isinstance(cell, Storage) is not isinstance(other, Storage):
                # An array that may be an item of a list: the list can change, but not the array.
                if not isinstance(cell, Storage):
                    continue
                link = None
            if link is None and any(loop.is_looking for loop in self.loops):
                continue
            if link is None:
                self._refuse_alias(cell, other)
            if _may_be_one(cell, other):
                found.append((other, link))
        return found

    def chosen_objects(self) -> set[Cell]:
        """The objects that a loop which is being evaluated may bind names to again."""
        return set().union(*(loop.chosen.objects for loop in self.loops))

    def _live_cells(self) -> set[Cell]:
        """All cells that are reachable from active frames and from the caller's containers."""
        found: set[Cell] = set()
        stack = [value for frame in self.frames for value in frame.names.values()]
        stack += self.given
        frames = set(map(id, self.frames))
        while stack:
            value = stack.pop()
            if isinstance(value, (Array, Reference)):
                if value.cell in found:
                    continue
                found.add(value.cell)
            if isinstance(value, LocalFunction):
                outer = value.frame
                stack += [*value.defaults, *value.keyword_defaults.values()]
                while outer is not None and id(outer) not in frames:
                    frames.add(id(outer))
                    stack += outer.names.values()
                    outer = outer.parent
            stack.extend(held_by(value))
        return found

    def _refuse_alias(self, cell: Cell, other: Cell) -> NoReturn:
        found = (position_of(each.origin) for each in (cell, other) if each.origin)
        origins = " and ".join(str(position) for position in found if position)
        where = f" (see {origins})" if origins else ""
        if isinstance(cell, Storage):
            self.fail_static(
                "this stores to an array that may share its memory with another one, "
                f"depending on what happens at run time{where}",
                "make a copy first: a = a.copy()",
                page="alias",
            )
        self.fail_static(
            f"this changes a {cell.kind.__name__} that may be the same object as another one, "
            f"depending on what happens at run time{where}",
            f"make a new {cell.kind.__name__} instead of changing this one",
            page="alias",
        )

    def contents(self, value: Reference) -> Any:
        """The contents of a container now (see `Cell`).

        Raises:
            StaticRequired: paths have left it with different structures.
        """
        contents = value.cell.value
        if isinstance(contents, Broken):
            self.refuse_broken(value.cell)
        if isinstance(contents, OneOf):
            self.refuse_alternatives(f"this {value.cell.kind.__name__}")
        return contents

    def refuse_alternatives(self, what: str) -> NoReturn:
        """Refuse the use of a value of several structures where it has no name."""
        self.fail_static(
            f"{what} has different structures on different paths",
            "give it a name of its own before it is used: x = ...",
            page="types-on-paths",
        )

    def refuse_broken(self, cell: Cell) -> NoReturn:
        """Refuse the use of a container that paths have left with different structures."""
        contents = cell.value
        self.suggest(contents.parameter)
        where = position_of(contents.origin)
        hint = "change it in the same way on every path"
        if contents.reason == GROWS:
            hint = "say it before the loop: a = ingot.bound(a, 100)"
        self.fail_static(
            f"this {cell.kind.__name__} {contents.reason}" + (f" ({where})" if where else ""),
            hint,
            page="types-on-paths",
        )

    # Indices.

    def index_value(self, value: Any) -> int | Value:
        """An index as an int or a 0-d i64."""
        if isinstance(value, Scalar):
            return self.ops.convert(value.value, INT)
        return as_int(value)


def _may_be_one(cell: Cell, other: Cell) -> bool:
    """Whether two arrays have one form: what an attempt at a loop takes for one object may have
    another one, which the end of the attempt finds out."""
    if not (isinstance(cell, Storage) and isinstance(other, Storage)):
        return True
    return (cell.shape, cell.dtype) == (other.shape, other.dtype)


def held_weakly(method: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls a bound method, and does not keep its object alive.

    Hooks would otherwise be cycles of references, which keep an evaluator, and with it the AST,
    until Python looks for garbage.
    """
    found = weakref.WeakMethod(method)

    def call(*args: Any) -> Any:
        bound = found()
        assert bound is not None
        return bound(*args)

    return call


def page_of(value: Any, what: str) -> str:
    """The documentation page on why `what` must be known at compile time."""
    if isinstance(value, Text):
        return "run-time-string"
    is_slice = what in ("the length of a slice", "a slice's step")
    return "slice-length" if is_slice else "known-at-compile-time"


def arrays_in(value: Any) -> Iterator[Array]:
    """The arrays in a value, including itself; each container is visited once."""
    seen: set[Cell] = set()
    stack = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, Array):
            yield each
            continue
        if isinstance(each, Reference):
            if each.cell in seen:
                continue
            seen.add(each.cell)
        stack.extend(held_by(each))
