"""Calls of native code that signals such as Ctrl-C can interrupt.

Python runs signal handlers on its main thread, between two bytecodes. So another thread makes the
call, and the main thread waits for it with a lock, which signals interrupt.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import importlib
import os
import threading
import time
from collections.abc import Callable
from typing import Any

#: Idle threads. A thread whose call was abandoned is idle again when the call ends.
_idle: list[_Thread] = []
#: For each abandoned call a lock, which is released when the call ends, and whether the call uses
#: Python again.
_abandoned: list[tuple[_thread.LockType, bool]] = []
#: The seconds that the end of the process waits for calls that use Python again, which would crash
#: if they did during finalisation. After that, it ends without C++ static destructors.
PATIENCE = 10.0
#: The seconds between two calls of `check`.
INTERVAL = 0.2


class _Thread:
    """A thread that makes one call at a time."""

    def __init__(self) -> None:
        self._is_called = _thread.allocate_lock()
        self._is_called.acquire()
        threading.Thread(target=self._run, name="ingot", daemon=True).start()

    def call(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        abandoned: Callable[[], None],
        comes_back: bool,
        check: Callable[[], None] | None,
    ) -> Any:
        # New objects for each call, since an abandoned call still writes to its own.
        is_done = _thread.allocate_lock()
        is_done.acquire()
        outcome: list[Any] = []
        self._next: Any = function, arguments, is_done, outcome
        self._is_called.release()
        try:
            while not is_done.acquire(timeout=-1 if check is None else INTERVAL):
                assert check is not None, "else the wait has no limit"
                check()
        except BaseException:
            _abandoned.append((is_done, comes_back))
            abandoned()
            raise
        result, error = outcome
        if error is not None:
            raise error
        return result

    def _run(self) -> None:
        while True:
            self._is_called.acquire()
            function, arguments, is_done, outcome = self._next
            try:
                outcome[:] = function(*arguments), None
            except BaseException as error:
                outcome[:] = None, error
            # Drop the references: the arguments may be large.
            self._next = function = arguments = outcome = None
            _idle.append(self)
            is_done.release()


def interruptible(
    function: Callable[..., Any],
    *arguments: Any,
    abandoned: Callable[[], None],
    comes_back: bool = True,
    check: Callable[[], None] | None = None,
) -> Any:
    """Call a function so that a signal handler can interrupt the wait for its result.

    Args:
        function: the function; after an interrupt it goes on, and its result is dropped.
        arguments: its arguments.
        abandoned: called when a signal handler raises an exception.
        comes_back: whether the function uses Python again after it is abandoned.
        check: called now and then; an exception of it interrupts the wait, too, on any thread.

    Returns:
        The result of the function.

    Raises:
        BaseException: the exception of the function, of a signal handler, or of `check`.
    """
    if check is None and threading.get_ident() != threading.main_thread().ident:
        return function(*arguments)
    try:
        thread = _idle.pop()
    except IndexError:
        thread = _Thread()
    return thread.call(function, arguments, abandoned, comes_back, check)


@atexit.register
def _await_abandoned() -> None:
    end = time.monotonic() + PATIENCE
    left = [
        is_done
        for is_done, comes_back in _abandoned
        if not is_done.acquire(timeout=max(0.0, end - time.monotonic()) if comes_back else 0.0)
    ]
    if left:
        leave_threads()
        # They may still end, and return to Python, while it is finalised.
        with contextlib.suppress(ImportError):
            _native().park_threads()


def leave_threads() -> None:
    """Make the process end without C++ static destructors, since XLA's threads still run."""
    with contextlib.suppress(ImportError):
        _native().leave_threads()


def _native() -> Any:
    return importlib.import_module("ingot_runtime._native")


def _forget_threads() -> None:
    """After a fork, only the thread that called fork exists."""
    _idle.clear()
    _abandoned.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)
