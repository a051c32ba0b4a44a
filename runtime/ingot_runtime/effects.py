"""What programs do besides computing: prints, messages of exceptions, calls of Python.

All are custom calls of `ingot.print` with a format. They take the status of the checks and give it
on, which keeps them in order; a status that is not 0 says that a check has failed.
"""

from __future__ import annotations

import contextvars
import itertools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

#: Begins a format that makes an exception's message, and the message of the check for it; a number
#: that both have follows, and ends with the same.
MESSAGE = "\0"
#: Messages that are kept, of calls whose status nobody looks at.
_MOST_MESSAGES = 1024

#: The functions of this process that programs call, by the numbers that they have there.
CALLBACKS: list[Callable[..., Any]] = []

_numbers = itertools.count(1)
_messages: dict[int, tuple[str, str]] = {}
_lock = threading.Lock()


class Effect:
    """What one of a program's calls of Python does, unless a check has failed before.

    Args:
        format: what is printed, or made a message of; its holes are the values.
        function: is called with the values instead, if it is not None.
    """

    def __init__(self, format: str, function: Callable[..., Any] | None) -> None:
        self._given = format, function
        self._is_stopped = False
        self._check = ""
        if format.startswith(MESSAGE):
            number, _, format = format[1:].partition(MESSAGE)
            self._check = MESSAGE + number
        self._format, self._function = format, function
        #: What the function raised; XLA reports text of its own.
        self.error: Exception | None = None
        #: That of the call: NumPy's print options are there, and XLA has threads of its own.
        self.context = contextvars.copy_context()

    def again(self) -> Effect:
        """The same, not stopped."""
        return Effect(*self._given)

    def stop(self) -> None:
        """Let what calls it from now on fail: nobody waits for that program any more."""
        self._is_stopped = True

    def __call__(self, status: Any, *values: Any) -> tuple[Any]:
        if self._is_stopped:
            raise RuntimeError("the program was interrupted")
        if int(status) != 0:
            return (np.asarray(status),)
        return self.context.copy().run(self._run, status, values)

    def _run(self, status: Any, values: tuple[Any, ...]) -> tuple[Any]:
        # [()] makes NumPy's scalars of arrays without axes.
        numbers = [np.asarray(value)[()] for value in values]
        if self._function is not None:
            self._call(numbers)
        elif self._check:
            kept = _keep(self._check, self._format.format(*numbers))
            return (np.asarray(kept, np.asarray(status).dtype),)
        else:
            print(self._format.format(*numbers), end="")
        return (np.asarray(status),)

    def _call(self, numbers: list[Any]) -> None:
        assert self._function is not None
        try:
            self._function(*numbers)
        except Exception as error:
            self.error = error
            raise


def _keep(check: str, text: str) -> int:
    """Keep the message of a check that is about to fail; gives the status that says which."""
    with _lock:
        number = next(_numbers) % 2**31
        _messages[number] = check, text
        while len(_messages) > _MOST_MESSAGES:
            del _messages[next(iter(_messages))]
    return -number


def take_message(status: int) -> tuple[str, str]:
    """The check that has failed, and its message, of a status below 0."""
    with _lock:
        return _messages.pop(-status)
