"""Compilation in a separate process, for processes that were forked.

XLA's compiler has a thread that a forked process does not inherit, so compiling there crashes or
hangs. Loading and running executables needs only the threads of a client, which the forked process
creates again.
"""

from __future__ import annotations

import atexit
import os
import pickle
import threading
from typing import Any

from ingot_runtime import children, pjrt


class Compiler:
    """A child process that compiles for this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        code = "from ingot_runtime.compiling import serve; serve()"
        self._process = children.started(code, INGOT_PLATFORM="cpu")

    def compile(self, module: str | bytes, callbacks: int) -> bytes:
        """Compile a module that has this number of callbacks, and return the executable.

        Raises:
            RuntimeError: XLA does not accept the module.
        """
        with self._lock:
            try:
                children.send(self._process.stdin, pickle.dumps((module, callbacks)))
                answer = children.receive(self._process.stdout)
            except BaseException:
                # Its answer would be mistaken for the answer to the next request.
                _forget()
                raise
        if answer is None:
            raise RuntimeError("the process that compiles for this forked one has ended")
        code, error = pickle.loads(answer)
        if error is not None:
            raise RuntimeError(error)
        return code

    def close(self) -> None:
        """Close the pipes, on which the process ends, and wait for it."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()


_compiler: Compiler | None = None


def compiler() -> Compiler:
    """The compiler of this process, started on first use."""
    global _compiler
    if _compiler is None:
        _compiler = Compiler()
        atexit.register(_forget)
    return _compiler


def _forget() -> None:
    """Close this process's compiler. After a fork, the parent's own pipes stay open."""
    global _compiler
    if _compiler is not None:
        _compiler.close()
        _compiler = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def serve() -> None:
    """The main loop of the child: compile the requests on standard input, until its end."""
    requests, answers = children.pipes()
    while (request := children.receive(requests)) is not None:
        try:
            answer: Any = pjrt.machine_code(*pickle.loads(request)), None
        except Exception as error:
            answer = None, str(error)
        children.send(answers, pickle.dumps(answer))
