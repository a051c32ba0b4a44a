"""Calls that signals interrupt, as Ctrl-C does, though native code does not come back to Python.

Python runs handlers of signals in its main thread, between two bytecodes. So another thread makes
the call, and the main thread waits for it by a lock, which signals interrupt.
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

#: Threads that wait for a call to make. A thread whose call was abandoned returns when it ends.
_idle: list[_Thread] = []
#: Locked as long as an abandoned call goes on that comes back to Python.
_abandoned: list[_thread.LockType] = []
#: How many seconds the end of the process waits for them: it would
#: crash if one came back meanwhile. After that it ends without C++'s static destructors.
PATIENCE = 10.0


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
    ) -> Any:
        # Both are of this call alone: nobody waits for the end of one that was abandoned.
        is_done = _thread.allocate_lock()
        is_done.acquire()
        outcome: list[Any] = []
        self._next: Any = function, arguments, is_done, outcome
        self._is_called.release()
        try:
            is_done.acquire()
        except BaseException:
            if comes_back:
                _abandoned.append(is_done)
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
            # What the call was of may be large.
            self._next = function = arguments = outcome = None
            _idle.append(self)
            is_done.release()


def interruptible(
    function: Callable[..., Any],
    *arguments: Any,
    abandoned: Callable[[], None],
    comes_back: bool = True,
) -> Any:
    """The result of a call.

    Args:
        abandoned: called where a signal's handler raises: then the function goes on, and what it
            gives is dropped.
        comes_back: whether the function, once abandoned, uses Python again before long.

    Raises:
        BaseException: what the function raises, or the handler of a signal.
    """
    if threading.get_ident() != threading.main_thread().ident:
        return function(*arguments)
    try:
        thread = _idle.pop()
    except IndexError:
        thread = _Thread()
    return thread.call(function, arguments, abandoned, comes_back)


@atexit.register
def _await_abandoned() -> None:
    end = time.monotonic() + PATIENCE
    are_done = [is_done.acquire(timeout=max(0.0, end - time.monotonic())) for is_done in _abandoned]
    if not all(are_done):
        leave_threads()


def leave_threads() -> None:
    """Have the process end without C++'s static destructors, which threads of XLA's rely on."""
    with contextlib.suppress(ImportError):
        importlib.import_module("ingot_runtime._native").leave_threads()


def _forget_threads() -> None:
    """After a fork only the thread that forked is left."""
    _idle.clear()
    _abandoned.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)
