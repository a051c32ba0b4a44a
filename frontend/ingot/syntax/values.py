"""The evaluator's representation of Python values.

A value is static (an ordinary immutable Python object), a run-time number (`Scalar`), or a
reference to a `Cell`: arrays, lists, dicts, sets and instances. Tuples are tuples of values.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ingot._core import Value
from ingot.dtypes import STATIC_NUMBERS
from ingot.syntax.cells import Cell, Location, Storage


class Leak(Exception):
    """One of Python's own operators was applied to a value of the compiler, `value`."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class Symbolic:
    """A value of the compiler that stands for a value of the program.

    Python's own operators would act on this object instead of the program's value. So all of them
    raise `Leak`, which becomes an error at the user's line.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return describe(self)


def _leak(self: Symbolic, *_: Any, **__: Any) -> Any:
    raise Leak(self)


#: The special methods of Python's operators and conversions.
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
    """The affine form of an integer: a sum of unknowns times coefficients, plus a constant."""

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


#: Which object of Python's a number is: one that an operation made, one that was given to the
#: program, or one of several, as after a join of paths.
MADE, GIVEN, MET = range(3)


@dataclass(slots=True, eq=False, repr=False)
class Scalar(Symbolic):
    """A number that is known at run time: a NumPy scalar, or a Python number.

    Attributes:
        weak: the Python type (bool, int, float, complex) or None for a NumPy scalar.
        affine, low, high: the affine form and the inclusive bounds of an integer, where known.
        reach: how far from zero an integer comes at most while a program runs, or None. It is no
            bound: it only tells that arithmetic does not wrap around.
        nominal: the bounds of an integer that has none since it may wrap around: those of Python's.
        parameter: an argument leaf that this number is computed from, if it depends only on
            arguments and constants, or `LastResort` of one. If these were static, this would be,
            too (see `NeedsStatic`).
        origin: `MADE`, `GIVEN` or `MET`. Two values of the evaluator may be one object, but not if
            one of them is made here and the other one is not met.
    """

    value: Value
    dtype: np.dtype
    weak: type | None = None
    affine: Affine | None = None
    low: int | None = None
    high: int | None = None
    parameter: Any = None
    origin: int = MADE
    reach: int | None = None
    nominal: tuple[int | None, int | None] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return ()

    @property
    def is_parameter(self) -> bool:
        """Whether a program is specialised on it where it is a length."""
        return self.parameter is not None and not isinstance(self.parameter, LastResort)

    @property
    def kind(self) -> np.dtype | type:
        """The kind in NumPy's promotion: a dtype, or a Python type."""
        return self.weak or self.dtype

    @property
    def held(self) -> np.dtype:
        """The dtype of `value`."""
        return self.dtype


class Undetermined(Exception):
    """A decision needs the kind of a number that has several `kinds`, depending on the path."""

    def __init__(self, kinds: Kinds) -> None:
        super().__init__(kinds)
        self.kinds = kinds


#: The kinds that a number may have: dtypes of NumPy scalars, and Python types.
Kinds = frozenset[np.dtype | type]
#: The descriptor of Scalar's dtype, which `Joined` overrides.
_DTYPE: Any = vars(Scalar)["dtype"]


class Joined(Scalar):
    """A number whose kind depends on the path taken.

    It computes in the dtype that all of its kinds promote to. Reading `dtype` or `kind` raises
    `Undetermined`, so that nothing depends on one of the kinds.

    Attributes:
        kinds: the possible kinds, at least two.
        which: the index of its kind among `ordered(kinds)`, an int64 of run time (see `kinds`).
    """

    __slots__ = ("kinds", "which")

    def __init__(
        self, value: Value, dtype: np.dtype, weak: type | None, kinds: Kinds, which: Value
    ) -> None:
        super().__init__(value, dtype, weak)
        self.kinds, self.which = kinds, which

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


def of_all_kinds(number: Scalar, test: Callable[[np.dtype | type], Any]) -> Any:
    """What a test says of the kind of a run-time number.

    Raises:
        Undetermined: it says different things of the kinds that the number may have.
    """
    found = {test(kind) for kind in kinds_of(number)}
    if len(found) > 1:
        raise Undetermined(kinds_of(number))
    return found.pop()


def is_integer(value: Any) -> bool:
    """Whether a static value has `__index__`."""
    return isinstance(value, (int, np.integer))


def is_index(kind: np.dtype | type) -> bool:
    """Whether numbers of a kind have `__index__`."""
    return kind.kind in "iu" if isinstance(kind, np.dtype) else kind in (int, bool)


def ordered(kinds: Kinds) -> list[np.dtype | type]:
    """Kinds in the order that indices of them refer to."""
    return sorted(kinds, key=lambda kind: (isinstance(kind, np.dtype), _kind_name(kind)))


def spelled_kinds(kinds: Kinds) -> str:
    """The kinds for a message: Python's types first."""
    names = {f"np.{kind.name}" if isinstance(kind, np.dtype) else kind.__name__ for kind in kinds}
    return " or ".join(sorted(names, key=lambda name: (name.startswith("np."), name)))


@dataclass(slots=True, eq=False, repr=False)
class Array(Symbolic):
    """A reference to a storage through a chain of views (see `views`).

    Attributes:
        is_view: it is another object than the array that owns the memory, even if it covers all of
            it.
    """

    storage: Storage
    shape: tuple[int, ...]
    views: tuple[Any, ...] = ()
    writable: bool = True
    is_view: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether it is the array that owns the memory."""
        return not self.views and self.writable and not self.is_view

    @property
    def dtype(self) -> np.dtype:
        if self.views:
            # The real part of a complex array is real.
            return getattr(self.views[0], "dtype", None) or self.storage.dtype
        return self.storage.dtype

    @property
    def seen_dtype(self) -> np.dtype:
        """The dtype that NumPy shows, with its byte order."""
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
    """A one-pass iterator, as from zip(), map() or iter(). Its contents are a `Supply`."""

    __slots__ = ()


class Supply(Symbolic):
    """The source of an iterator's items, and the position in it (see `supplies`). Immutable."""

    __slots__ = ()

    def pull(self, ev: Any) -> tuple[Any, Supply]:
        """The next item, or `supplies.END`, and the supply of the following items."""
        raise NotImplementedError

    def most(self, ev: Any) -> float:
        """An upper bound of the number of items, if nothing changes."""
        raise NotImplementedError

    def held(self) -> tuple[Any, ...]:
        """The values that it refers to."""
        return tuple(getattr(self, name) for name in self.__dataclass_fields__)  # type: ignore[attr-defined]


class Instance(Reference):
    """An instance of a user-defined class."""

    __slots__ = ()

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        found = ev.special(self, "__call__")
        if found is None:
            ev.fail_as(TypeError, f"'{class_name(self)}' object is not callable")
        return ev.call(found, args, kwargs, node)


@dataclass(frozen=True, slots=True, eq=False)
class Broken:
    """The contents of a container that two paths left with different structures; `parameter` as in
    `Unbound`."""

    reason: str
    origin: Location
    parameter: Any = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unbound(Symbolic):
    """The value of a name that is unbound, or whose values on joined paths have no common type.

    Attributes:
        reason: why reading the name is refused; "" if it is unbound, where Python raises.
        parameter: an argument leaf that decides which path is taken, if there is one.
    """

    described: ClassVar[str] = "an unbound name"
    reason: str = ""
    parameter: Any = None


#: The value of a name that is not assigned.
NOTHING = Unbound()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Maybe(Symbolic):
    """The value of a name that some paths assign: `value` if `assigned` is true at run time."""

    described: ClassVar[str] = "a name that may be unbound"
    value: Any
    assigned: Scalar


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OrNone(Maybe):
    """`value` if `assigned` is true at run time, else None."""

    described: ClassVar[str] = "a value that may be None"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OneOf(Symbolic):
    """A value, or the contents of a container, of different structures on different paths.

    Attributes:
        which: the index of the alternative that it is: an int64 of run time, or static at the end
            of a path.
        values: the alternatives; at the end of a path, those that it is not are `NOTHING`.
        places: what `which` tells at the end of a path: the alternative for each of its values.
    """

    described: ClassVar[str] = "a value whose structure depends on the path taken"
    which: Scalar | int
    values: tuple[Any, ...]
    places: tuple[int, ...] = ()
    _apart: dict[Cell, OneOf] = field(default_factory=dict)

    def apart(self, cell: Cell, reference_to: Callable[[Cell], Reference]) -> OneOf:
        """A container with these contents as one of several containers, made once for each."""
        if cell not in self._apart:
            made = [Cell(cell.kind, each, cell.origin) for each in self.values]
            for each in made:
                each.extra = cell.extra
            self._apart[cell] = OneOf(self.which, tuple(map(reference_to, made)))
        return self._apart[cell]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Items(Symbolic):
    """`d.keys()`, `d.values()` or `d.items()`, as `what` says."""

    described: ClassVar[str] = "a view of a dict"
    owner: Dict
    what: str


class Opaque(Symbolic):
    """An array argument of a dtype that compiled code does not have: it stays where it is.

    Attributes:
        described: how messages name it.
    """

    __slots__ = ("described",)
    class_name = "numpy.ndarray"

    def __init__(self, dtype: np.dtype) -> None:
        self.described = f"an array of dtype {dtype}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Text(Symbolic):
    """A string that contains run-time values: a format and the values of its replacement fields.

    Attributes:
        origin: where it was made.
    """

    described: ClassVar[str] = "a run-time string"
    class_name: ClassVar[str] = "str"
    format: str
    values: tuple[Any, ...]
    origin: Location | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Raisable(Symbolic):
    """An exception.

    Attributes:
        kind: its class.
        args: the arguments of the class; None if only Python knows them.
        message: of one that has been raised, its text.
        cause, context, suppresses: its `__cause__`, `__context__` and `__suppress_context__`.
    """

    described: ClassVar[str] = "an exception"
    kind: type[Exception]
    args: tuple[Any, ...] | None
    message: Any = ""
    cause: Raisable | None = None
    context: Raisable | None = None
    suppresses: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Range(Symbolic):
    """A range() of which some bounds may be run-time numbers."""

    described: ClassVar[str] = "a range"
    class_name: ClassVar[str] = "range"
    start: Any
    stop: Any
    step: Any


@dataclass(frozen=True, eq=False, repr=False)
class Lazy(Symbolic):
    """A sequence given by its length and a function from index to item."""

    described: ClassVar[str] = "an iterator"
    length: Any
    item: Callable[[int | Scalar], Any]
    #: For a one-pass iterator, a list that is empty until it is iterated; else None.
    spent: Any = None
    #: Checks, after a loop over all items, that there are no more by then.
    finish: Callable[[], None] = lambda: None
    #: The arrays and containers that the function reads.
    over: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class LastResort:
    """The parameter of an integer that is computed from a float, as in `int(t / dt)`, or of a
    number that depends on the path taken.

    A program is specialised on it where nothing else will do, but not for the length of a slice,
    which has a bound: each value of the argument would compile the program again.
    """

    leaf: Any


def last_resort(parameter: Any) -> Any:
    is_new = parameter is not None and not isinstance(parameter, LastResort)
    return LastResort(parameter) if is_new else parameter


class NeedsStatic(Exception):
    """A traced scalar argument is needed at compile time; the call specialises on it."""

    def __init__(self, parameter: Any) -> None:
        super().__init__(parameter)
        self.parameter = parameter.leaf if isinstance(parameter, LastResort) else parameter


#: The types of numbers and arrays.
NUMBERS = (Array, Scalar, *STATIC_NUMBERS)
_ARRAY_LIKE = (*NUMBERS, List, tuple, list)


def parameter_of(operands: Sequence[Any]) -> Any:
    """An argument leaf that a number is computed from, if all operands depend on arguments or are
    constants; else None (see `Scalar.parameter`)."""
    found = None
    for each in operands:
        if isinstance(each, STATIC_NUMBERS):
            continue
        parameter = each.parameter if isinstance(each, Scalar) else None
        if parameter is None:
            return None
        found = found if isinstance(found, LastResort) else parameter
    return found


def is_runtime(value: Any) -> bool:
    return isinstance(value, (Array, Scalar))


def is_number(value: Any) -> bool:
    """Whether a value is a static or a run-time number."""
    return isinstance(value, (Scalar, *STATIC_NUMBERS))


def is_without_items(value: Any) -> bool:
    """Whether a value is None or a number, which has no items; flags have their members."""
    return value is None or (is_number(value) and not isinstance(value, enum.Flag))


def is_array_like(value: Any) -> bool:
    return isinstance(value, _ARRAY_LIKE)


def is_view(value: Any) -> bool:
    """Whether an array is a view of another array's memory."""
    return isinstance(value, Array) and bool(value.views or value.is_view)


def bounds_of_slice(value: slice) -> tuple[Any, Any, Any]:
    return value.start, value.stop, value.step


def tuple_of(kind: type, items: Iterable[Any]) -> Any:
    """A tuple, a named tuple or a slice, from what it holds."""
    return kind(*items) if kind is slice or hasattr(kind, "_fields") else tuple(items)


def same_object(a: Any, b: Any) -> bool:
    """Whether `a is b` in the program: two references to one cell are the same object."""
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
    """A value for an error message."""
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


def _type_name(kind: type) -> str:
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def _kind_name(kind: np.dtype | type) -> str:
    return _type_name(kind.type if isinstance(kind, np.dtype) else kind)


def class_name(value: Any) -> str:
    """The name of the class that the value has in Python's messages."""
    if isinstance(value, Scalar):
        return of_all_kinds(value, _kind_name)
    if isinstance(value, Array):
        return "numpy.ndarray"
    if isinstance(value, Reference):
        return value.cell.kind.__name__
    if isinstance(value, Symbolic):
        return getattr(value, "class_name", "object")
    return _type_name(type(value))
