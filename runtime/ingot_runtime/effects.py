"""Side effects of programs: prints, exception messages with run-time values, and callbacks.

Each effect is a custom call of `ingot.print` with a format. It takes the status of the checks as an
operand and returns it, which keeps the effects in order, and then the results of a callback. A
status other than 0 means that a check has failed.
"""

from __future__ import annotations

import contextvars
import itertools
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ingot_runtime.formats import Format

#: Marks a format that makes an exception message: MESSAGE, a number, MESSAGE, the format. The check
#: that raises the exception has the message MESSAGE and the same number.
MESSAGE = "\0"
#: The most messages that are kept; some belong to calls whose status is never read.
_MOST_MESSAGES = 1024

#: The Python functions that programs call back, by their numbers in the programs.
CALLBACKS: list[Callable[..., Any]] = []

_numbers = itertools.count(1)
_messages: dict[int, tuple[str, str]] = {}
_lock = threading.Lock()


def parted(format: str) -> tuple[str, str]:
    """The check that a format makes the message of, or "", and the format itself."""
    if not format.startswith(MESSAGE):
        return "", format
    number, _, text = format[1:].partition(MESSAGE)
    return MESSAGE + number, text


class Effect:
    """The Python side of an effect; it does nothing if a check has failed before.

    Args:
        format: the format string of the text to print, or of the exception message.
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
        self._check, text = parted(format)
        # Callbacks have the name of their function there.
        self._format = Format(text) if function is None else None
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
        if self._check:
            kept = _keep(self._check, self._format.filled(numbers))
            return (np.asarray(kept, np.asarray(status).dtype),)
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


def _keep(check: str, text: str) -> int:
    """Keep the message of a check that is about to fail, and return a status for it."""
    with _lock:
        number = next(_numbers) % 2**31
        _messages[number] = check, text
        while len(_messages) > _MOST_MESSAGES:
            del _messages[next(iter(_messages))]
    return -number


def take_message(status: int, checks: Iterable[str]) -> tuple[str, str]:
    """The check that failed, and its exception message, for a negative status.

    Args:
        checks: the messages of the program's checks; those of others are not taken.

    Raises:
        LookupError: no message of such a check is kept for this status.
    """
    with _lock:
        if _messages[-status][0] not in checks:
            raise LookupError
        return _messages.pop(-status)
