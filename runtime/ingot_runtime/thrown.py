"""Exceptions of the source as data: what a failed check raises, with its arguments and causes."""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from ingot_runtime.formats import Format

#: The user's exception classes by name.
Classes = Mapping[str, type[Exception]]
#: The default of `exceptions`.
NONE: Classes = types.MappingProxyType({})

#: The containers that arguments may be, by name.
CONTAINERS: dict[str, Any] = {"tuple": tuple, "list": list, "set": set, "dict": dict}
#: The constants that JSON has itself.
_PLAIN = (str, bool, int, type(None))


@dataclass(frozen=True)
class Constant:
    """An argument that is known at compile time."""

    value: Any

    def made(self, values: Sequence[Any], classes: Classes) -> Any:
        return self.value

    def to_json(self) -> Any:
        value = self.value
        if type(value) in _PLAIN:
            return ["constant", value]
        if type(value) is float:
            return ["float", value.hex()]
        if type(value) is complex:
            return ["complex", value.real.hex(), value.imag.hex()]
        if type(value) is bytes:
            return ["bytes", value.hex()]
        if isinstance(value, np.generic) and value.dtype.kind in "biufc":
            return ["element", value.dtype.str, value.tobytes().hex()]
        raise TypeError(f"{type(value).__name__} has no form in JSON")

    def is_storable(self) -> bool:
        """Whether it has a form in JSON."""
        try:
            self.to_json()
        except TypeError:
            return False
        return True


@dataclass(frozen=True)
class Value:
    """An argument that is a value of run time.

    Attributes:
        number: its number among those that the program gives.
        form: "number", of Python's, "scalar", of NumPy's, or "array".
    """

    number: int
    form: str

    def made(self, values: Sequence[Any], classes: Classes) -> Any:
        value = values[self.number]
        if self.form == "array":
            return value.copy()
        return value.item() if self.form == "number" else value[()]

    def to_json(self) -> Any:
        return ["value", self.number, self.form]


@dataclass(frozen=True)
class Text:
    """An argument that is a string with run-time values in its replacement fields."""

    format: str
    numbers: tuple[int, ...]

    def made(self, values: Sequence[Any], classes: Classes) -> str:
        # [()] turns arrays of shape () into NumPy scalars.
        return Format(self.format).filled([values[i][()] for i in self.numbers])

    def to_json(self) -> Any:
        return ["text", self.format, list(self.numbers)]


@dataclass(frozen=True)
class Container:
    """An argument that is a tuple, list, set or dict; that of a dict has pairs."""

    kind: str
    items: tuple[Any, ...]

    def made(self, values: Sequence[Any], classes: Classes) -> Any:
        return CONTAINERS[self.kind](each.made(values, classes) for each in self.items)

    def to_json(self) -> Any:
        return [self.kind, [each.to_json() for each in self.items]]


@dataclass(frozen=True)
class Thrown:
    """An exception.

    Attributes:
        exception: the name of a class of Python, NumPy or the user.
        args: the arguments that it is made with.
        cause, context: the exceptions that became `__cause__` and `__context__`, or None.
        suppresses: its `__suppress_context__`.
    """

    exception: str
    args: tuple[Any, ...]
    cause: Thrown | None = None
    context: Thrown | None = None
    suppresses: bool = False

    def made(self, values: Sequence[Any], classes: Classes) -> Exception:
        kind = classes.get(self.exception) or _exception(self.exception)
        error = kind(*(each.made(values, classes) for each in self.args))
        if self.context is not None:
            error.__context__ = self.context.made(values, classes)
        if self.cause is not None:
            is_context = self.cause is self.context
            made = error.__context__ if is_context else self.cause.made(values, classes)
            error.__cause__ = made
        error.__suppress_context__ = self.suppresses
        return error

    def to_json(self) -> Any:
        is_both = self.cause is not None and self.cause is self.context
        return [
            "raised",
            self.exception,
            [each.to_json() for each in self.args],
            "context" if is_both else self.cause and self.cause.to_json(),
            self.context and self.context.to_json(),
            self.suppresses,
        ]

    def needed(self) -> int:
        """How many run-time values it needs."""
        numbers = [0]
        for each in self.parts():
            if isinstance(each, Value):
                numbers.append(each.number + 1)
            elif isinstance(each, Text):
                numbers += [number + 1 for number in each.numbers]
        return max(numbers)

    def parts(self) -> Iterator[Any]:
        """All that it is made of: the exceptions and arguments of any depth."""
        yield self
        rest: list[Any] = [*self.args, self.cause, self.context]
        while rest:
            each = rest.pop()
            if isinstance(each, Thrown):
                yield from each.parts()
            elif isinstance(each, Container):
                rest.extend(each.items)
            elif each is not None:
                yield each


def throw(error: Exception) -> NoReturn:
    """Raise an exception that has its context.

    Python sets the context of what it raises to the exception that is being handled: here that is
    the context of the first one in the chain.
    """
    handled = sys.exception() if sys.version_info >= (3, 12) else sys.exc_info()[1]
    first, context = error, error.__context__
    while first.__context__ is not None:
        first = first.__context__  # type: ignore[assignment]
    first.__context__ = handled
    context = error.__context__
    try:
        raise error
    finally:
        error.__context__ = context
        # Its traceback has this frame, which must not keep it.
        del error, first, context, handled


def from_json(data: Any) -> Any:
    """The inverse of `to_json`.

    Raises:
        ValueError, TypeError, LookupError: the data is malformed.
    """
    kind, *rest = data
    if kind == "raised":
        name, args, cause, context, suppresses = rest
        if not (type(name) is str and type(suppresses) is bool):
            raise TypeError("an exception is malformed")
        inner = None if context is None else _thrown_from_json(context)
        outer = inner if cause == "context" else None if cause is None else _thrown_from_json(cause)
        return Thrown(name, tuple(map(from_json, args)), outer, inner, suppresses)
    if kind in CONTAINERS:
        return Container(kind, tuple(map(from_json, rest[0])))
    return _leaf_from_json(kind, *rest)


def _thrown_from_json(data: Any) -> Thrown:
    found = from_json(data)
    if not isinstance(found, Thrown):
        raise TypeError("a cause is no exception")
    return found


def _leaf_from_json(kind: Any, first: Any, *rest: Any) -> Any:
    if kind == "value":
        (form,) = rest
        if form not in ("number", "scalar", "array"):
            raise TypeError("a value is malformed")
        return Value(_number(first), form)
    if kind == "text":
        (numbers,) = rest
        format = Format(first)
        if not format.is_bounded or len(format.specs) != len(numbers):
            raise ValueError("a format has other fields than those of values, or wide ones")
        return Text(first, tuple(map(_number, numbers)))
    if kind == "constant" and type(first) in _PLAIN:
        return Constant(first)
    if kind == "float":
        return Constant(float.fromhex(first))
    if kind == "complex":
        return Constant(complex(float.fromhex(first), float.fromhex(rest[0])))
    if kind == "bytes":
        return Constant(bytes.fromhex(first))
    dtype = np.dtype(first)
    if kind != "element" or dtype.kind not in "biufc":
        raise ValueError(f"{kind!r} is no argument of an exception")
    (number,) = np.frombuffer(bytes.fromhex(rest[0]), dtype)
    return Constant(number)


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError(f"{value!r} is no number of a value")
    return value


def has_own_init(kind: type[Exception]) -> bool:
    """Whether Python code of an exception class takes its arguments."""
    makers = kind.__init__, kind.__new__
    return any(isinstance(each, types.FunctionType) for each in makers)


def _exception(name: str) -> type[Exception]:
    """An exception class of Python or NumPy by name; RuntimeError for other names."""
    found = getattr(builtins, name, None) or getattr(np.linalg, name, RuntimeError)
    return found if isinstance(found, type) and issubclass(found, Exception) else RuntimeError
