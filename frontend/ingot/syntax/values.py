"""What a Python value is while a function is compiled.

A value is static (an ordinary Python object that can't change), a number known at run time
(`Scalar`), or a reference to a `Cell`: arrays, lists, dicts, sets and instances. Tuples are tuples
of values.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ingot._core import Value
from ingot.dtypes import STATIC_NUMBERS
from ingot_runtime.errors import DTypeError

#: A file and a node of its AST.
Location = tuple[str, Any]


class Leak(Exception):
    """A value of the compiler met one of Python's own operators; `value` is it."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class Symbolic:
    """A value that stands for one of the program's.

    Python's own operators would answer by the identity of the object that stands for the value,
    so all of them raise `Leak`, which becomes a refusal at the user's line.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return describe(self)


def _leak(self: Symbolic, *_: Any, **__: Any) -> Any:
    raise Leak(self)


#: Every special method by which an object takes part in an expression of Python's.
OPERATORS = (
    *(f"__{name}__" for name in (
        "eq", "ne", "lt", "le", "gt", "ge", "hash", "bool", "len", "iter", "next", "contains",
        "index", "int", "float", "complex", "round", "trunc", "floor", "ceil", "format", "str",
        "bytes", "getitem", "setitem", "delitem", "reversed", "call", "enter", "exit", "neg",
        "pos", "abs", "invert", "array", "array_function", "array_ufunc", "length_hint", "fspath",
        "divmod", "rdivmod", "missing", "await", "aiter", "anext", "dlpack", "copy", "deepcopy",
        "reduce_ex",
    )),
    *(f"__{prefix}{name}__" for prefix in ("", "r", "i") for name in (
        "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift",
        "and", "or", "xor",
    )),
)  # fmt: skip
for _name in OPERATORS:
    setattr(Symbolic, _name, _leak)


@dataclass(frozen=True, slots=True)
class Affine:
    """An integer as a sum of unknowns times coefficients, plus a constant."""

    terms: tuple[tuple[Value, int], ...]
    constant: int

    def plus(self, other: Affine, sign: int = 1) -> Affine:
        coefficients = dict(self.terms)
        for unknown, coefficient in other.terms:
            coefficients[unknown] = coefficients.get(unknown, 0) + sign * coefficient
        terms = tuple((u, c) for u, c in coefficients.items() if c)
        return Affine(terms, self.constant + sign * other.constant)

    def times(self, factor: int) -> Affine:
        terms = tuple((u, c * factor) for u, c in self.terms if factor)
        return Affine(terms, self.constant * factor)


@dataclass(slots=True, eq=False, repr=False)
class Scalar(Symbolic):
    """An immutable number known at run time: one of NumPy's scalars, or of Python's.

    Attributes:
        weak: the Python type (bool, int, float, complex) or None for a NumPy scalar.
        affine, low, high: what is known of an integer: its form and inclusive bounds.
        parameter: an argument leaf that this is computed from, if it is from arguments and
            constants alone: were they static, so would be this (see `NeedsStatic`).
    """

    value: Value
    dtype: np.dtype
    weak: type | None = None
    affine: Affine | None = None
    low: int | None = None
    high: int | None = None
    parameter: Any = None

    @property
    def shape(self) -> tuple[int, ...]:
        return ()

    @property
    def kind(self) -> np.dtype | type:
        """What NumPy's promotion looks at."""
        return self.weak or self.dtype

    @property
    def held(self) -> np.dtype:
        """The dtype of `value`."""
        return self.dtype


class Undetermined(Exception):
    """What the kind of a number decides, which depends on the path taken; `kinds` are those."""

    def __init__(self, kinds: Kinds) -> None:
        super().__init__(kinds)
        self.kinds = kinds


#: The kinds that a number may have: dtypes of NumPy's scalars, types of Python's.
Kinds = frozenset[np.dtype | type]
#: How Scalar stores its dtype.
_DTYPE: Any = vars(Scalar)["dtype"]


class Joined(Scalar):
    """A number that is of one kind or another, depending on the path taken.

    It computes as the kind that all of them promote to. To ask for its dtype raises
    `Undetermined`: what would follow from it must not depend on which kind it is.

    Attributes:
        kinds: at least two.
    """

    __slots__ = ("kinds",)

    def __init__(self, value: Value, dtype: np.dtype, weak: type | None, kinds: Kinds) -> None:
        super().__init__(value, dtype, weak)
        self.kinds = kinds

    @property  # type: ignore[override]
    def dtype(self) -> np.dtype:
        raise Undetermined(self.kinds)

    @dtype.setter
    def dtype(self, dtype: np.dtype) -> None:
        _DTYPE.__set__(self, dtype)

    @property
    def kind(self) -> np.dtype | type:
        raise Undetermined(self.kinds)

    @property
    def held(self) -> np.dtype:
        return _DTYPE.__get__(self)


def kinds_of(number: Scalar) -> Kinds:
    """The kinds that a run-time number may have."""
    return number.kinds if isinstance(number, Joined) else frozenset((number.kind,))


def scalar_of(value: Value, dtype: np.dtype, weak: type | None, kinds: Kinds) -> Scalar:
    """A number of the one kind that there is, or a `Joined` one."""
    return Joined(value, dtype, weak, kinds) if len(kinds) > 1 else Scalar(value, dtype, weak)


def spelled_kinds(kinds: Kinds) -> str:
    """The kinds as a message names them: Python's types first."""
    names = {f"np.{kind.name}" if isinstance(kind, np.dtype) else kind.__name__ for kind in kinds}
    return " or ".join(sorted(names, key=lambda name: (name.startswith("np."), name)))


#: The numbers of cells, in order of creation.
cell_numbers = itertools.count()


#: What a cell may be, for most cells.
NOTHING_ELSE: dict[Any, Any] = {}


class Cell:
    """A mutable object of the program: what it holds now, and who else may hold it.

    Attributes:
        kind: the Python class.
        value: the contents, replaced as a whole by every change (see `State.write`): the SSA value
            of an array, a tuple of a list's items (or `Grown`), a dict of a dict's items or an
            instance's attributes, a set. `Broken` where paths that meet differ too much.
        origin: where it was made.
        source: what it is outside of the compiled function: `Argument` or `Outside`, or None.
        maybe: cells that this one may be, depending on what happens at run time: whether it is,
            as an SSA value, or None where no value says so. Never changed in place.
        number: in order of creation.
        extra: of a defaultdict, the default's factory; of a list, what `ingot.bound` says of its
            length.
        chosen: where two paths met, the whole objects that this one is on each, with what gives
            the SSA value that says whether that was taken; else None.
    """

    __slots__ = ("chosen", "extra", "kind", "maybe", "number", "origin", "source", "value")

    def __init__(self, kind: type, value: Any, origin: Location | None = None) -> None:
        self.kind, self.value, self.origin = kind, value, origin
        self.source: Any = None
        self.maybe: dict[Cell, Value | None] = NOTHING_ELSE
        self.number = next(cell_numbers)
        self.extra: Any = None
        self.chosen: Any = None


class Storage(Cell):
    """The memory behind one or more arrays.

    Attributes:
        argument: the number of the input that this is, or None.
        strides: in elements, where they are not those of C order; () where they are not known.
        swapped: NumPy has the bytes of each number in the order of other machines.
    """

    __slots__ = ("argument", "dtype", "shape", "strides", "swapped")

    def __init__(
        self, value: Value, shape: tuple[int, ...], dtype: np.dtype, origin: Location | None = None
    ) -> None:
        self.kind, self.value, self.origin = np.ndarray, value, origin
        self.source = None
        self.maybe = NOTHING_ELSE
        self.number = next(cell_numbers)
        self.chosen = None
        self.shape, self.dtype = shape, dtype
        self.argument: int | None = None
        self.strides: tuple[int, ...] | None = None
        self.swapped = False


@dataclass(frozen=True, slots=True)
class Argument:
    """A container among the arguments, by its number in `trees.containers_of`."""

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Outside:
    """An object that is read by a name, not passed."""

    value: Any


@dataclass(slots=True, eq=False, repr=False)
class Array(Symbolic):
    """A reference to a storage through a chain of views (see `views`).

    Attributes:
        is_view: it is another object than the array that has the memory, also where it has all.
    """

    storage: Storage
    shape: tuple[int, ...]
    views: tuple[Any, ...] = ()
    writable: bool = True
    is_view: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether it is the array that has the memory."""
        return not self.views and self.writable and not self.is_view

    @property
    def dtype(self) -> np.dtype:
        if self.views:
            # The real part of a complex array is real.
            return getattr(self.views[0], "dtype", None) or self.storage.dtype
        return self.storage.dtype

    @property
    def seen_dtype(self) -> np.dtype:
        """The dtype that NumPy shows, with its order of bytes."""
        return self.dtype.newbyteorder("S") if self.storage.swapped else self.dtype

    @property
    def kind(self) -> np.dtype:
        return self.dtype

    @property
    def held(self) -> np.dtype:
        return self.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def cell(self) -> Storage:
        return self.storage


@dataclass(slots=True, eq=False, repr=False)
class Reference(Symbolic):
    """A reference to a list, dict, set or instance."""

    cell: Cell


class List(Reference):
    __slots__ = ()


class Dict(Reference):
    __slots__ = ()


class Set(Reference):
    __slots__ = ()


class Iterator(Reference):
    """What zip(), map(), iter() and the like give: each item comes once. Holds a `Supply`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """The positions of an axis from `start` on that count, `count` of them; all lie on it."""

    start: int | Scalar
    count: int | Scalar


class Part(Symbolic):
    """An array of which only a part counts: what a mask selects, or what slices cut.

    Attributes:
        dense: an array that holds all of it, and more.
        bounds: the shape that it has at most.
        is_open: whether run time knows the extent of each axis.
    """

    __slots__ = ()

    dense: Array

    if TYPE_CHECKING:

        @property
        def bounds(self) -> tuple[int, ...]: ...

        @property
        def is_open(self) -> tuple[bool, ...]: ...

        @property
        def ndim(self) -> int: ...

    @property
    def held(self) -> Array:
        return self.dense

    @property
    def dtype(self) -> np.dtype:
        return self.dense.dtype

    def within(self, dense: Array) -> Part:
        """The same part of another array."""
        return replace(self, dense=dense)  # type: ignore[type-var]


Spans = tuple[Span | None, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sliced(Part):
    """The part of `dense` that lies within the spans.

    Attributes:
        spans: for each axis of `dense`, None for one that counts as a whole.
    """

    dense: Array
    spans: Spans
    described: ClassVar[str] = "an array of a length known only at run time"

    @property
    def bounds(self) -> tuple[int, ...]:
        return self.dense.shape

    @property
    def is_open(self) -> tuple[bool, ...]:
        return tuple(span is not None for span in self.spans)

    @property
    def ndim(self) -> int:
        return self.dense.ndim

    @property
    def open_spans(self) -> list[tuple[int, Span]]:
        return [(axis, span) for axis, span in enumerate(self.spans) if span is not None]

    @property
    def open_axes(self) -> list[int]:
        return [axis for axis, _ in self.open_spans]


class Supply(Symbolic):
    """Where an iterator gets its items from, and how far it is (see `supplies`). Never changes."""

    __slots__ = ()

    def pull(self, ev: Any) -> tuple[Any, Supply]:
        """The next item, or `supplies.END`, and the supply of what follows."""
        raise NotImplementedError

    def most(self, ev: Any) -> float:
        """How many items there are at most, if nothing changes."""
        raise NotImplementedError

    def held(self) -> tuple[Any, ...]:
        """What it refers to."""
        return tuple(getattr(self, name) for name in self.__dataclass_fields__)  # type: ignore[attr-defined]


class Instance(Reference):
    """An instance of a class of the user's."""

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        found = ev.special(self, "__call__")
        if found is None:
            ev.fail(f"'{class_name(self)}' object is not callable", kind=DTypeError)
        return ev.call(found, args, kwargs, node)


@dataclass(slots=True, eq=False, repr=False)
class Grown(Symbolic):
    """The contents of a list as rows of arrays, and how many count: what loops append to.

    Attributes:
        item: the type of each item (see `types`).
        data: for each SSA value that an item has, an array of all of them.
        length: how many there are: an int, or a number of run time with bounds.
        appended: storages whose values were copied in, which items are in Python.
    """

    described: ClassVar[str] = "a list"
    item: Any
    data: tuple[Value, ...]
    length: Any
    appended: frozenset[Cell] = frozenset()

    @property
    def capacity(self) -> int:
        return self.data[0].shape[0] if self.data else 0

    @property
    def most(self) -> int:
        """How many there may be."""
        if isinstance(self.length, int):
            return self.length
        return self.capacity if self.length.high is None else self.length.high


@dataclass(frozen=True, slots=True, eq=False)
class Broken:
    """The contents of a container that two paths left with different structures."""

    reason: str
    origin: Location


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unbound(Symbolic):
    """What a name holds where Python raises UnboundLocalError, or where paths don't meet.

    Attributes:
        reason: what is refused if the name is read; "" where Python raises, too.
    """

    described: ClassVar[str] = "an unbound name"
    reason: str = ""


#: What is not assigned.
NOTHING = Unbound()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Maybe(Symbolic):
    """What a name holds that some paths assign: `value` if `assigned` holds at run time."""

    described: ClassVar[str] = "a name that may be unbound"
    value: Any
    assigned: Scalar


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Items(Symbolic):
    """`d.keys()`, `d.values()` or `d.items()`, as `what` says."""

    described: ClassVar[str] = "a view of a dict"
    owner: Dict
    what: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Text(Symbolic):
    """A string that holds values known at run time: a format and what fills its holes.

    Attributes:
        origin: where it was made.
    """

    described: ClassVar[str] = "a run-time string"
    class_name: ClassVar[str] = "str"
    format: str
    values: tuple[Any, ...]
    origin: Location | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Range(Symbolic):
    """range() of bounds of which some may be known at run time only."""

    described: ClassVar[str] = "a range"
    class_name: ClassVar[str] = "range"
    start: Any
    stop: Any
    step: Any


@dataclass(frozen=True, eq=False, repr=False)
class Lazy(Symbolic):
    """A sequence by its length and its items; an index may be known at run time only."""

    described: ClassVar[str] = "an iterator"
    length: Any
    item: Callable[[int | Scalar], Any]
    #: Of what is run over once only, a list that is empty until then.
    spent: Any = None


class NeedsStatic(Exception):
    """A traced scalar argument is needed at compile time; the call specialises on it."""

    def __init__(self, parameter: Any) -> None:
        super().__init__(parameter)
        self.parameter = parameter


#: What is a number or an array by itself.
NUMBERS = (Array, Scalar, *STATIC_NUMBERS)
_ARRAY_LIKE = (*NUMBERS, List, tuple, list)


def is_runtime(value: Any) -> bool:
    return isinstance(value, (Array, Scalar))


def is_number(value: Any) -> bool:
    """Static numbers and runtime scalars."""
    return isinstance(value, (Scalar, *STATIC_NUMBERS))


def is_array_like(value: Any) -> bool:
    return isinstance(value, _ARRAY_LIKE)


def is_view(value: Any) -> bool:
    """Whether an array is an object of its own that shares the memory of another one."""
    return isinstance(value, Array) and bool(value.views or value.is_view)


def same_object(a: Any, b: Any) -> bool:
    """`a is b` of the program, where that can be told: references to one cell are one object."""
    if a is b:
        return True
    if isinstance(a, Reference):
        return isinstance(b, Reference) and a.cell is b.cell
    if isinstance(a, Array):
        return (
            isinstance(b, Array)
            and a.storage is b.storage
            and not (is_view(a) or is_view(b))
            and a.writable == b.writable
        )
    return False


def describe(value: Any) -> str:
    """A value as an error message names it."""
    if isinstance(value, Scalar):
        return f"a run-time {value.weak.__name__ if value.weak else value.held.name}"
    if isinstance(value, Array):
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    if isinstance(value, Iterator):
        return "an iterator"
    if isinstance(value, Reference):
        return f"a {value.cell.kind.__name__}"
    if isinstance(value, Symbolic):
        return getattr(value, "described", None) or "this"
    if isinstance(value, STATIC_NUMBERS):
        return f"{value!r}"
    return "None" if value is None else f"a {type(value).__name__}"


def class_name(value: Any) -> str:
    """The name of the class that the value has in Python, for messages."""
    if isinstance(value, Scalar):
        return value.weak.__name__ if value.weak else value.held.name
    if isinstance(value, Array):
        return "ndarray"
    if isinstance(value, Reference):
        return value.cell.kind.__name__
    if isinstance(value, Symbolic):
        return getattr(value, "class_name", "object")
    return type(value).__name__
