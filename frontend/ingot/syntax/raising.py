"""Thrown exceptions as data of the program, from which the runtime makes them.

What only run time knows of one is given by an `ingot.print` with the attribute `ingot.check`, just
before the check of that number fails.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ingot._core import Value
from ingot.checks import Failure
from ingot.syntax import kinds
from ingot.syntax.contents import leaves_of
from ingot.syntax.dynamic import Grown
from ingot.syntax.ops import predicate
from ingot.syntax.strings import filled
from ingot.syntax.values import (
    Array,
    Dict,
    Joined,
    List,
    OrNone,
    Raisable,
    Scalar,
    Set,
    Symbolic,
    Text,
    describe,
)
from ingot_runtime import thrown
from ingot_runtime.thrown import Thrown


class Description:
    """Makes the data of exceptions, and collects the run-time values that these need."""

    def __init__(self, ev: Any) -> None:
        self.values: list[Any] = []
        self._ev = ev
        self._made: dict[int, Thrown] = {}

    def of(self, error: Raisable) -> Thrown:
        found = self._made.get(id(error))
        if found is None:
            context, cause = (
                None if each is None else self.of(each) for each in (error.context, error.cause)
            )
            name = self._ev.exception_name(error.kind)
            args = tuple(map(self._argument, arguments_of(error)))
            found = Thrown(name, args, cause, context, error.suppresses)
            self._made[id(error)] = found
        return found

    def _argument(self, value: Any) -> Any:
        ev = self._ev
        value = ev.at_run_time(value)
        if isinstance(value, Text):
            return thrown.Text(value.format, tuple(map(self._number, value.values)))
        if isinstance(value, (Scalar, OrNone)):
            is_python = isinstance(value, Scalar) and value.weak is not None
            return thrown.Value(self._number(value), "number" if is_python else "scalar")
        if isinstance(value, Array):
            return thrown.Value(self._number(value), "array")
        if isinstance(value, Raisable):
            return self.of(value)
        if type(value) is tuple or isinstance(value, (List, Dict, Set)):
            return self._container(value)
        if isinstance(value, Symbolic):
            self._refuse(value)
        return thrown.Constant(value)

    def _container(self, value: Any) -> thrown.Container:
        ev = self._ev
        if type(value) is tuple:
            return thrown.Container("tuple", tuple(map(self._argument, value)))
        if isinstance(value.cell.value, Grown) or value.cell.kind not in (list, set, dict):
            self._refuse(value)
        items = ev.entries(value).items() if isinstance(value, Dict) else ev.items(value)
        found = tuple(map(self._argument, items))
        return thrown.Container(value.cell.kind.__name__, found)

    def _refuse(self, value: Any) -> None:
        self._ev.fail(
            f"{describe(value)} as an argument of an exception is not supported",
            "give the exception a text, or numbers",
            page="try",
        )

    def _number(self, value: Any) -> int:
        self.values.append(value)
        return len(self.values) - 1


def arguments_of(error: Raisable) -> tuple[Any, ...]:
    """The arguments of an exception; of one of Python's or NumPy's its text."""
    if error.args is not None:
        return error.args
    is_empty = isinstance(error.message, str) and error.message == ""
    return () if is_empty else (error.message,)


def is_plain(error: Raisable) -> bool:
    """Whether the class and the message of a check say all about an exception."""
    if error.suppresses or not (error.cause is None and error.context is None):
        return False
    args = error.args
    if args is None or args == ():
        return isinstance(error.message, str) and (args is None or error.message == "")
    (first, *others) = args
    is_text = type(first) is str and first is error.message and not others
    return is_text and first != "" and first == first.encode(errors="replace").decode()


def is_known(error: Raisable) -> bool:
    """Whether an exception and those behind it have no run-time values."""
    values = leaves_of([error.message, *(error.args or ())])
    behind = [each for each in (error.cause, error.context) if each is not None]
    return not any(isinstance(each, Symbolic) for each in values) and all(map(is_known, behind))


def emit(ev: Any, condition: Value, failure: Failure) -> None:
    """Emit a check of which the exception is more than a class and a message."""
    description = Description(ev)
    assert failure.raised is not None
    data = description.of(failure.raised)
    if not description.values:
        ev.ops.emit_assert(condition, failure, ev.ops.keep(data))
        return
    known = ev.ops.known_elements(condition)
    if known is not None and not known:
        _emit_with_values(ev, failure)
        return
    # The values are given to the runtime, which also signals the failure: only where it fails.
    fails = ev.negate(predicate(condition))
    ev.branch(fails, lambda: _emit_with_values(ev, failure), lambda: None)


def _emit_with_values(ev: Any, failure: Failure) -> None:
    description = Description(ev)
    assert failure.raised is not None
    data = description.of(failure.raised)
    open_ = next((each for each in description.values if type(each) in (OrNone, Joined)), None)
    if open_ is not None:
        test, *values = (
            (open_.assigned, open_.value, None)
            if type(open_) is OrNone
            else kinds.split(ev.ops, open_)
        )

        def emit_with(value: Any) -> None:
            error = _replaced(failure.raised, open_, value)
            _emit_with_values(ev, failure._replace(raised=error))

        ev.branch(test, lambda: emit_with(values[0]), lambda: emit_with(values[1]))
        return
    number = ev.ops.keep(data)
    found = [ev.read(each) for each in description.values]
    ev.ops.checks += 1
    ev.prints = True
    ev.printed_unseen += 1
    attributes = {"format": "{}" * len(found), "ingot.check": number}
    ev.ops.builder.create("ingot.print", found, attributes, [])
    ev.ops.emit_assert(ev.ops.scalar(False), failure, number)


def _replaced(value: Any, old: Any, new: Any) -> Any:
    """A value, in which another one takes the place of `old`."""
    if value is old:
        return new
    if type(value) is tuple:
        return tuple(_replaced(each, old, new) for each in value)
    if isinstance(value, Raisable):
        links = {
            name: _replaced(getattr(value, name), old, new)
            for name in ("args", "message", "cause", "context")
        }
        return replace(value, **links)
    if not isinstance(value, Text):
        return value
    for number, each in enumerate(value.values):
        if each is old and new is None:
            rest = value.values[:number] + value.values[number + 1 :]
            made = Text(filled(value.format, number, "None"), rest, value.origin)
            return _replaced(made, old, new)
    return replace(value, values=_replaced(value.values, old, new))
