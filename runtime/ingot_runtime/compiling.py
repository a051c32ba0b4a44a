"""Compilation in a separate process, for processes that were forked.

XLA's compiler has a thread that a forked process does not inherit, so compiling there crashes or
hangs. Loading and running executables needs only the threads of a client, which the forked process
creates again.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from typing import Any

from ingot_runtime import pjrt

#: The size of the length field before each message, in bytes.
_LENGTH = 8


class Compiler:
    """A child process that compiles for this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        code = "from ingot_runtime.compiling import serve; serve()"
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths, "INGOT_PLATFORM": "cpu"},
            # Ctrl-C should reach only the parent.
            start_new_session=True,
        )  # fmt: skip

    def compile(self, module: str | bytes, callbacks: int) -> bytes:
        """Compile a module that has this number of callbacks, and return the executable.

        Raises:
            RuntimeError: XLA does not accept the module.
        """
        with self._lock:
            try:
                _send(self._process.stdin, (module, callbacks))
                answer = _receive(self._process.stdout)
            except BaseException:
                # Its answer would be mistaken for the answer to the next request.
                _forget()
                raise
        if answer is None:
            raise RuntimeError("the process that compiles for this forked one has ended")
        code, error = answer
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
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # Other output must not mix with the answers on standard output.
    os.dup2(2, 1)
    while (request := _receive(requests)) is not None:
        try:
            answer: Any = pjrt.machine_code(*request), None
        except Exception as error:
            answer = None, str(error)
        _send(answers, answer)


def _send(pipe: Any, message: Any) -> None:
    data = pickle.dumps(message)
    pipe.write(len(data).to_bytes(_LENGTH, "little") + data)
    pipe.flush()


def _receive(pipe: Any) -> Any:
    """The next message, or None at the end."""
    size = pipe.read(_LENGTH)
    return pickle.loads(pipe.read(int.from_bytes(size, "little"))) if len(size) == _LENGTH else None
