"""What the evaluator knows while it runs: frames, regions, memory, positions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ingot._core import Value
from ingot.diagnostics import Position, error_at
from ingot.dimensions import Dimension, as_int
from ingot.dtypes import INT, STATIC_NUMBERS
from ingot.syntax import views
from ingot.syntax.contents import held_by
from ingot.syntax.functions import LocalFunction
from ingot.syntax.ops import Ops, bounds_of
from ingot.syntax.scopes import Frame
from ingot.syntax.types import ListLengths
from ingot.syntax.values import (
    Array,
    Broken,
    Cell,
    Dict,
    List,
    Location,
    NeedsStatic,
    Reference,
    Scalar,
    Set,
    Storage,
    Symbolic,
    Text,
    cell_numbers,
    describe,
)
from ingot_runtime.errors import CompileError, UnsupportedError

if TYPE_CHECKING:
    from ingot.syntax.carried import Carried
    from ingot.syntax.mixins import Methods
else:
    Methods = object

#: Of a container: why iterations of a loop can't meet.
GROWS = "grows in each iteration of a loop, and nothing says how far"


class StaticRequired(Exception):
    """A value must be static and is not; a loop around may unroll to make it so."""

    def __init__(self, error: CompileError) -> None:
        super().__init__(str(error))
        self.error = error


def position_of(location: Location) -> Position | None:
    filename, node = location
    if node is None:
        return None
    n: Any = node
    return Position(filename, n.lineno, n.col_offset + 1, n.end_lineno, n.end_col_offset + 1)


@dataclass(eq=False)
class Region:
    """Code under a run-time condition.

    Attributes:
        written: the cells that it changed, and their contents before.
        carried: the cells whose contents became arguments of it, and their contents outside.
        related: the cells of which it became known what they may be, and what that was before.
        first: cells from this number on were made in it.
    """

    written: dict[Cell, Any] = field(default_factory=dict)
    carried: dict[Cell, Any] = field(default_factory=dict)
    related: dict[Cell, dict[Cell, Value | None]] = field(default_factory=dict)
    first: int = field(default_factory=lambda: next(cell_numbers))

    def undo_since(self, memory: dict[Cell, Any]) -> None:
        """Undo what has been written since the cells written before held this."""
        for cell, contents in list(self.written.items()):
            cell.value = memory.get(cell, contents)
            if cell not in memory:
                del self.written[cell]

    def undo(self) -> None:
        """Give memory its contents outside of the region."""
        for cell, contents in (*self.written.items(), *self.carried.items()):
            cell.value = contents
        for cell, maybe in self.related.items():
            cell.maybe = maybe


#: What is known at compile time and never changes: most of what is read from outside.
ATOMS = frozenset([int, float, bool, str, complex, type(None), type, type(np), type(lambda: 0)])


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
        #: The containers of the caller, who sees what they hold to the end.
        self.given: list[Reference] = []
        self.prints = False
        #: Whether slices may have lengths at run time, and whether one has.
        self.opens_slices, self.has_open_slices = True, False
        #: The same of slices whose two ends differ by a number, which are taken to lie inside.
        self.opens_windows, self.has_windows = False, False
        #: The same of lists.
        self.lists = ListLengths()
        #: The classes of the user's own that checks raise, by the names there.
        self.exceptions: dict[str, type[Exception]] = {}
        #: The code asks whether what it was given is an object that it reads by a name.
        self.compares_identity = False
        self.has_transformations = False
        self.calls_back = False
        #: The sizes of the batches that the code is in, the innermost last.
        self.batches: list[int] = []
        #: The functions whose rules are being evaluated: there they have none.
        self.ruled: list[Any] = []
        self.node: ast.AST | None = None
        self.filename = ""
        #: The last `return` of the function that is compiled.
        self.returned_at: Location | None = None

    # Positions and errors.

    def at(self, node: Any) -> None:
        """What is emitted or refused from here on belongs to `node`."""
        if self.frame.internal:
            return
        self.node = node
        self.filename = self.frame.filename
        self.ops.builder.set_location(
            node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1
        )

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

    def fail_static(self, message: str, hint: str = "", page: str = "") -> NoReturn:
        """Refuse what a loop around could still do by being unrolled."""
        raise StaticRequired(error_at(UnsupportedError, message, self.position, hint, page))

    # Static values.

    def at_run_time(self, value: Any) -> Any:
        """A Dimension as a number known at run time; other values as they are."""
        if not isinstance(value, Dimension):
            return value
        return Scalar(self.ops.scalar(value), INT, int, None, *bounds_of(value))

    def static(self, value: Any, what: str) -> Any:
        """A value that must be known at compile time, or a request to specialise.

        Lists, dicts and sets become ordinary ones.
        """
        if type(value) in ATOMS:
            return value
        if isinstance(value, Scalar) and value.parameter is not None:
            raise NeedsStatic(value.parameter)
        if isinstance(value, tuple):
            items = [self.static(each, what) for each in value]
            return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
        if isinstance(value, (List, Set)):
            return value.cell.kind(self.static(each, what) for each in self.items(value))
        if isinstance(value, Dict):
            return {k: self.static(v, what) for k, v in self.entries(value).items()}
        if isinstance(value, list):
            return [self.static(each, what) for each in value]
        if isinstance(value, Symbolic):
            self.fail_static(
                f"{what} must be known at compile time, not {describe(value)}",
                "derive it from shapes or literals, or pass it as an argument of its own",
                page_of(value, what),
            )
        return value

    # Memory.

    def read(self, value: Any) -> Value:
        """The SSA value of anything that is a number or an array."""
        if isinstance(value, Scalar):
            return value.value
        if isinstance(value, Array):
            if not value.views:
                return value.storage.value
            return views.read(self.ops, value.storage.value, value.views)
        if isinstance(value, STATIC_NUMBERS):
            return self.ops.scalar(value)
        self.fail(f"{describe(value)} is no number and no array", "compute with its parts")

    def store(self, array: Array, value: Value) -> None:
        """Replace the contents of an array, and of all that share its memory."""
        if not array.writable:
            self.raise_now(ValueError, "assignment destination is read-only")
        storage = array.storage
        self.change_cell(storage, views.write(self.ops, storage.value, array.views, value))

    def write(self, cell: Cell, contents: Any) -> None:
        """Replace the contents of a cell."""
        self.regions[-1].written.setdefault(cell, cell.value)
        cell.value = contents

    def change_cell(self, cell: Cell, contents: Any) -> None:
        """Replace the contents of a cell, and of those that are the same object at run time."""
        linked = self._linked(cell) if cell.maybe else []
        self.write(cell, contents)
        for other, link in linked:
            if isinstance(other, Storage):
                self.write(other, self.ops.select(link, contents, other.value))
            else:
                self._change_if(link, other, contents)

    def relate(self, a: Cell, b: Cell, link: Value | None = None) -> None:
        """Note that two cells may be one; `link` is an SSA value that says whether they are."""
        for one, other in ((a, b), (b, a)) if a is not b else ():
            is_unknown = other in one.maybe and one.maybe[other] is not link
            if one.number < self.regions[-1].first:
                self.regions[-1].related.setdefault(one, one.maybe)
            one.maybe = {**one.maybe, other: None if is_unknown else link}

    def _change_if(self, link: Value, cell: Cell, contents: Any) -> None:
        self.branch(link, lambda: self.write(cell, contents), lambda: None)

    def _linked(self, cell: Cell) -> list[tuple[Cell, Value]]:
        """The cells that another name sees and that may be this one, each with what says so.

        What no value says is refused.
        """
        live = self._live_cells().union(*(loop.chosen.objects for loop in self.loops))
        found = []
        for other in sorted(cell.maybe, key=lambda each: each.number):
            if other not in live and other.source is None:
                continue
            link = cell.maybe[other]
            if link is None and any(loop.is_looking for loop in self.loops):
                continue
            if link is None:
                self._refuse_alias(cell, other)
            found.append((other, link))
        return found

    def _live_cells(self) -> set[Cell]:
        """All cells that the names of active functions, or the caller's containers, lead to."""
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
                "this stores to an array that shares its memory with another one or not, "
                f"depending on what happens at run time{where}",
                "make a copy first: a = a.copy()",
                page="alias",
            )
        self.fail_static(
            f"this changes a {cell.kind.__name__} that is another one or not, depending on what "
            f"happens at run time{where}",
            f"make a new {cell.kind.__name__} instead of changing this one",
            page="alias",
        )

    def contents(self, value: Reference) -> Any:
        """What a container holds now (see `Cell`).

        Raises:
            UnsupportedError: it holds one thing or another, depending on what happened.
        """
        if isinstance(value.cell.value, Broken):
            self.refuse_broken(value.cell)
        return value.cell.value

    def refuse_broken(self, cell: Cell) -> NoReturn:
        """Refuse a use of what paths have left with different structures."""
        contents = cell.value
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


def page_of(value: Any, what: str) -> str:
    """The page on why `what` must be known at compile time."""
    if isinstance(value, Text):
        return "run-time-string"
    is_slice = what in ("the length of a slice", "a slice's step")
    return "slice-length" if is_slice else "known-at-compile-time"


def arrays_in(value: Any) -> Iterator[Array]:
    """The arrays that a value is or holds; each container is looked into once."""
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
