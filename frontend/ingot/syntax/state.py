"""What the evaluator knows while it runs: frames, regions, memory, positions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from ingot._core import Value
from ingot.diagnostics import Position, error_at
from ingot.dimensions import Dimension, as_int
from ingot.dtypes import INT
from ingot.syntax import views
from ingot.syntax.ops import Ops, bounds_of
from ingot.syntax.scopes import Frame
from ingot.syntax.values import (
    ATOMS,
    STATIC_NUMBERS,
    Array,
    Maybe,
    NeedsStatic,
    Place,
    Scalar,
    Storage,
    Text,
    TrackedDict,
    TrackedList,
    describe,
)
from ingot_runtime.errors import CompileError, UnsupportedError
from ingot_runtime.trees import is_record


class StaticRequired(Exception):
    """A value must be static and is not; a loop around may unroll to make it so."""

    def __init__(self, error: CompileError) -> None:
        super().__init__(str(error))
        self.error = error


def position_of(place: Place) -> Position | None:
    filename, node = place
    if node is None:
        return None
    n: Any = node
    return Position(filename, n.lineno, n.col_offset + 1, n.end_lineno, n.end_col_offset + 1)


@dataclass(eq=False)
class Region:
    """Code under a run-time condition.

    Attributes:
        written: the storages that it stored to, and their values before.
        carried: the storages that became arguments of it, and their values outside.
    """

    written: dict[Storage, Value] = field(default_factory=dict)
    carried: dict[Storage, Value] = field(default_factory=dict)

    def undo(self) -> None:
        """Give memory its values outside of the region."""
        for storage, value in (*self.written.items(), *self.carried.items()):
            storage.value = value


class State:
    """The base of the evaluator: memory and errors."""

    if TYPE_CHECKING:
        # The mixins call each other's methods on the evaluator that they make up.
        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, name: str) -> None:
        self.ops = Ops(name)
        # None only outside of `run`.
        self.frame: Frame = None  # type: ignore[assignment]
        self.frames: list[Frame] = []
        self.regions: list[Region] = [Region()]
        #: The run-time loops being emitted, outermost first (see `carried`).
        self.loops: list[Any] = []
        self.prints = False
        self.has_transformations = False
        self.calls_back = False
        #: The sizes of the batches that the code is in, the innermost last.
        self.batches: list[int] = []
        #: The functions whose rules are being evaluated: there they have none.
        self.ruled: list[Any] = []
        self.node: ast.AST | None = None
        self.filename = ""
        #: Instances made by the compiled code, by identity, and where they may be changed.
        self.records: dict[int, tuple[Any, Region]] = {}

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
    def place(self) -> Place:
        """Where we are, cheaper than a position."""
        return self.filename, self.node

    @property
    def position(self) -> Position | None:
        return position_of(self.place)

    def fail(
        self, message: str, hint: str = "", kind: type = UnsupportedError, page: str = ""
    ) -> NoReturn:
        raise error_at(kind, message, self.position, hint, page)

    # Static values.

    def at_run_time(self, value: Any) -> Any:
        """A Dimension as a number known at run time; other values as they are."""
        if not isinstance(value, Dimension):
            return value
        return Scalar(self.ops.scalar(value), INT, int, None, *bounds_of(value))

    def static(self, value: Any, what: str) -> Any:
        """A value that must be known at compile time, or a request to specialise."""
        if isinstance(value, Scalar) and value.parameter is not None:
            raise NeedsStatic(value.parameter)
        if isinstance(value, (Scalar, Array, Text)):
            error = error_at(
                UnsupportedError,
                f"{what} must be known at compile time, not {describe(value)}",
                self.position,
                "derive it from shapes or literals, or pass it as an argument of its own",
                page_of(value, what),
            )
            raise StaticRequired(error)
        if isinstance(value, (tuple, list)):
            return type(value)(self.static(each, what) for each in value)
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
        raise AssertionError(f"not an array: {value!r}")

    def store(self, array: Array, value: Value) -> None:
        """Replace the contents of an array, and of all that share its memory."""
        if not array.writable:
            self.fail("assignment destination is read-only", kind=CompileError)
        storage = array.storage
        for other in sorted(storage.maybe, key=lambda each: each.number):
            if self._is_observable(other):
                self._refuse_alias(storage, other)
        self.write_storage(storage, views.write(self.ops, storage.value, array.views, value))

    def write_storage(self, storage: Storage, value: Value) -> None:
        self.regions[-1].written.setdefault(storage, storage.value)
        storage.value = value

    def _is_observable(self, storage: Storage) -> bool:
        if storage.argument is not None:
            return True
        return any(array.storage is storage for array in self.live_arrays())

    def live_arrays(self) -> Iterator[Array]:
        for frame in self.frames:
            for value in frame.names.values():
                yield from arrays_in(value)

    def _refuse_alias(self, storage: Storage, other: Storage) -> NoReturn:
        found = (position_of(s.origin) for s in (storage, other) if s.origin)
        origins = " and ".join(str(position) for position in found if position)
        where = f" (see {origins})" if origins else ""
        self.fail(
            "this stores to an array that shares its memory with another one or not, "
            f"depending on what happens at run time{where}",
            "make a copy first: a = a.copy()",
            page="alias",
        )

    # Lists and dicts.

    def new_list(self, items: Any) -> TrackedList:
        made = TrackedList(items)
        made.region = self.regions[-1]
        return made

    def new_dict(self, items: Any) -> TrackedDict:
        made = TrackedDict(items)
        made.region = self.regions[-1]
        return made

    def changeable(self, container: Any) -> Any:
        """A list or dict that the code may change here."""
        kind = "dict" if isinstance(container, dict) else "list"
        if not isinstance(container, (TrackedList, TrackedDict)):
            self.fail(
                f"this changes a {kind} from outside of the compiled function",
                f"make a new {kind} and return it",
                page="changed-container",
            )
        if container.region is not self.regions[-1]:
            error = error_at(
                UnsupportedError,
                f"this changes a {kind} under a run-time condition or loop",
                self.position,
                "use an array of the final size and assign its elements",
                "changed-container",
            )
            # A loop of known length can be unrolled, and then it is neither.
            raise StaticRequired(error)
        return container

    def set_attribute(self, owner: Any, name: str, value: Any) -> None:
        """`owner.name = value` for an instance that the compiled code made."""
        made = self.records.get(id(owner))
        if made is None:
            self.fail(
                f"this changes an attribute of {describe(owner)} from outside of the compiled "
                "function",
                "return the new value, or make a new instance",
                page="changed-attribute",
            )
        if made[1] is not self.regions[-1]:
            self.fail(
                "this changes an attribute under a run-time condition or loop",
                "make a new instance with the new value",
                page="changed-attribute",
            )
        owner.__dict__[name] = value

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
    return "slice-length" if what == "the length of a slice" else "known-at-compile-time"


def arrays_in(value: Any) -> Iterator[Array]:
    if isinstance(value, Array):
        yield value
    elif type(value) is Maybe:
        yield from arrays_in(value.value)
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from arrays_in(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from arrays_in(each)
    elif not isinstance(value, ATOMS) and is_record(value):
        for each in vars(value).values():
            yield from arrays_in(each)
