"""Side effects of programs: prints, the run-time values of exceptions, and callbacks.

Each effect is a custom call of `ingot.print` with a format. It takes the status of the checks as an
operand and returns it, which keeps the effects in order, and then the results of a callback. A
status other than 0 means that a check has failed.
"""

from __future__ import annotations

import contextvars
import itertools
import threading
from collections.abc import Callable, Container, Iterable
from typing import Any

import numpy as np

from ingot_runtime.formats import Format

#: The most failures of which values are kept; some belong to calls whose status is never read.
_MOST_KEPT = 1024

#: The Python functions that programs call back, by their numbers in the programs.
CALLBACKS: list[Callable[..., Any]] = []

_numbers = itertools.count(1)
_kept: dict[int, tuple[int, tuple[Any, ...]]] = {}
_lock = threading.Lock()


class Effect:
    """The Python side of an effect; it does nothing if a check has failed before.

    Args:
        format: the format string of the text to print.
        function: a function to call with the values instead, or None. It returns its results.
        results: the shapes and dtypes of the results.
    """

    def __init__(
        self,
        format: str,
        function: Callable[..., Any] | None,
        results: tuple[tuple[tuple[int, ...], np.dtype], ...] = (),
    ) -> None:
        self._given = format, function, results
        self._results = results
        self._is_stopped = False
        # Callbacks have the name of their function there.
        self._format = Format(format) if function is None else None
        self._function = function
        #: The exception that the function raised, since XLA reports only a text.
        self.error: BaseException | None = None
        #: The context of the caller, with NumPy's print options: effects run on XLA's threads.
        self.context = contextvars.copy_context()

    def again(self) -> Effect:
        """An equal effect that is not stopped."""
        return Effect(*self._given)

    def stop(self) -> None:
        """Make further calls fail, which ends a program that was interrupted."""
        self._is_stopped = True

    def __call__(self, status: Any, *values: Any) -> tuple[Any, ...]:
        if self._is_stopped:
            raise RuntimeError("the program was interrupted")
        if int(status) != 0:
            return (np.asarray(status), *(np.zeros(*each) for each in self._results))
        return self.context.copy().run(self._run, status, values)

    def _run(self, status: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
        # [()] turns arrays of shape () into NumPy scalars.
        numbers = [np.asarray(value)[()] for value in values]
        if self._format is None:
            return (np.asarray(status), *self._call(numbers))
        print(self._format.filled(numbers), end="")
        return (np.asarray(status),)

    def _call(self, numbers: list[Any]) -> Any:
        assert self._function is not None
        try:
            return self._function(*numbers)
        except BaseException as error:
            # SystemExit and KeyboardInterrupt, too: this may be a thread of XLA's, where they would
            # end nothing.
            self.error = error
            raise


class Values(Effect):
    """Keeps run-time values for the exception of a check that is about to fail.

    Args:
        number: the number of the check.
        text: of an artifact of an older format, what makes one text of the values.
    """

    def __init__(self, number: int, text: str = "") -> None:
        super().__init__("", None)
        self._made = number, text

    def again(self) -> Values:
        return Values(*self._made)

    def _run(self, status: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
        number, text = self._made
        found = [np.array(each) for each in values]
        if text:
            found = [np.array(Format(text).filled([each[()] for each in found]))]
        kept = _keep(number, tuple(found))
        return (np.asarray(kept, np.asarray(status).dtype),)


class Unordered(Effect):
    """A callback that takes and gives values alone, whatever the status of the checks."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__("", function)
        self._whole = function

    def again(self) -> Unordered:
        return Unordered(self._whole)

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        if self._is_stopped:
            raise RuntimeError("the program was interrupted")
        return tuple(self.context.copy().run(self._call, list(values)))


def raised_by(effects: Iterable[Effect]) -> BaseException | None:
    """The exception that a function of an effect has raised, or None; each is returned once."""
    for effect in effects:
        error, effect.error = effect.error, None
        if error is not None:
            return error
    return None


def _keep(check: int, values: tuple[Any, ...]) -> int:
    """Keep the values of a check that is about to fail, and return a status for it."""
    with _lock:
        number = next(_numbers) % 2**31
        _kept[number] = check, values
        while len(_kept) > _MOST_KEPT:
            del _kept[next(iter(_kept))]
    return -number


def take_values(status: int, checks: Container[int]) -> tuple[int, tuple[Any, ...]]:
    """The number of the check that failed, and the values, for a negative status.

    Args:
        checks: the numbers of the program's checks; what is kept for others is not taken.

    Raises:
        LookupError: nothing is kept of such a check for this status.
    """
    with _lock:
        if _kept[-status][0] not in checks:
            raise LookupError
        return _kept.pop(-status)
