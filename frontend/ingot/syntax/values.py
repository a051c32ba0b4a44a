"""What a Python value is while a function is compiled.

A value is static (any ordinary Python object), a `Scalar` or an `Array`. Tuples, lists and
dicts are static containers of values.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot._core import Value

#: A file and a node of its AST.
Place = tuple[str, Any]

#: Python and NumPy scalars known at compile time.
STATIC_NUMBERS = (bool, int, float, complex, np.generic)


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


@dataclass(slots=True, eq=False)
class Scalar:
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


#: The numbers of storages, in order of creation.
storage_numbers = itertools.count()


class Storage:
    """The memory behind one or more arrays; a store replaces `value`.

    Attributes:
        origin: where it was made.
        argument: the number of the input that this is, or None.
        maybe: storages that this one may be, depending on what happens at run time.
        number: in order of creation.
    """

    __slots__ = ("argument", "dtype", "maybe", "number", "origin", "shape", "value")

    def __init__(
        self, value: Value, shape: tuple[int, ...], dtype: np.dtype, origin: Place | None = None
    ) -> None:
        self.value, self.shape, self.dtype, self.origin = value, shape, dtype, origin
        self.argument: int | None = None
        self.maybe: frozenset[Storage] = frozenset()
        self.number = next(storage_numbers)


@dataclass(slots=True, eq=False)
class Array:
    """A reference to a storage through a chain of views (see `views`)."""

    storage: Storage
    shape: tuple[int, ...]
    views: tuple[Any, ...] = ()
    writable: bool = True

    @property
    def dtype(self) -> np.dtype:
        return self.storage.dtype

    @property
    def kind(self) -> np.dtype:
        return self.storage.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class Unbound:
    """What a name holds where Python would (or might) raise UnboundLocalError."""

    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Maybe:
    """What a name holds that a loop assigns first: `value` if `assigned` holds at run time."""

    value: Any
    assigned: Scalar


class TrackedList(list):
    """A list made by the compiled code; `region` is where it may be changed."""

    __slots__ = ("region",)
    region: Any


class TrackedDict(dict):
    """A dict made by the compiled code; `region` is where it may be changed."""

    __slots__ = ("region",)
    region: Any


@dataclass(frozen=True, slots=True)
class Method:
    """`owner.name` before it is called."""

    owner: Any
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class LocalFunction:
    """A `def` or `lambda` met inside the compiled code."""

    node: Any
    frame: Any
    defaults: tuple[Any, ...]
    keyword_defaults: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Text:
    """A string that holds values known at run time: a format and what fills its holes."""

    format: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """range() of bounds of which some are known at run time only."""

    start: Any
    stop: Any
    step: Any


@dataclass(frozen=True)
class Lazy:
    """A sequence by its length and its items; an index may be known at run time only."""

    length: int
    item: Callable[[int | Scalar], Any]


class NeedsStatic(Exception):
    """A traced scalar argument is needed at compile time; the call specialises on it."""

    def __init__(self, parameter: Any) -> None:
        super().__init__(parameter)
        self.parameter = parameter


#: What is a number or an array by itself.
NUMBERS = (Array, Scalar, *STATIC_NUMBERS)
#: What is no record, and not a tuple: looked at before the slower tests.
ATOMS = (
    *NUMBERS,
    Maybe,
    str,
    bytes,
    list,
    dict,
    slice,
    type(None),
    Unbound,
    LocalFunction,
    Method,
    Range,
    Text,
)
_ARRAY_LIKE = (*NUMBERS, list, tuple)


def is_runtime(value: Any) -> bool:
    return isinstance(value, (Array, Scalar))


def is_number(value: Any) -> bool:
    """Static numbers and runtime scalars."""
    return isinstance(value, (Scalar, *STATIC_NUMBERS))


def is_array_like(value: Any) -> bool:
    return isinstance(value, _ARRAY_LIKE)


def describe(value: Any) -> str:
    """A value as an error message names it."""
    if isinstance(value, Scalar):
        return f"a run-time {value.weak.__name__ if value.weak else value.dtype.name}"
    if isinstance(value, Array):
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    if isinstance(value, Unbound):
        return "an unbound name"
    if isinstance(value, Text):
        return "a run-time string"
    if hasattr(value, "described"):
        return value.described
    return f"{value!r}" if isinstance(value, STATIC_NUMBERS) else f"a {type(value).__name__}"


def leaves_of(value: Any) -> Iterator[Any]:
    """What containers hold, however deep."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from leaves_of(each)
    else:
        yield value
