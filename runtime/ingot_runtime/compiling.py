"""Compiling in a process of its own, for one that was forked.

XLA's compiler has a thread that lives as long as the process, and a forked one does not have it:
there, compiling crashes or never returns. Loading and running what was compiled needs only the
threads of a client, which the forked process makes anew.
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

#: Bytes of the length that precedes a message.
_LENGTH = 8


class Compiler:
    """A process that compiles for this one, and ends with it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        code = "from ingot_runtime.compiling import serve; serve()"
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths, "INGOT_PLATFORM": "cpu"},
            # Ctrl-C is for the process that waits.
            start_new_session=True,
        )  # fmt: skip

    def compile(self, module: str | bytes, callbacks: int) -> bytes:
        """The machine code of a module that calls so many functions.

        Raises:
            RuntimeError: XLA does not accept the module.
        """
        with self._lock:
            try:
                _send(self._process.stdin, (module, callbacks))
                answer = _receive(self._process.stdout)
            except BaseException:
                # What it answers to this would be taken for the answer to another one.
                _forget()
                raise
        if answer is None:
            raise RuntimeError("the process that compiles for this forked one has ended")
        code, error = answer
        if error is not None:
            raise RuntimeError(error)
        return code

    def close(self) -> None:
        """Let the process end."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()


_compiler: Compiler | None = None


def compiler() -> Compiler:
    """The one of this process."""
    global _compiler
    if _compiler is None:
        _compiler = Compiler()
        atexit.register(_forget)
    return _compiler


def _forget() -> None:
    """Let go of the process; that of a parent's goes on for the parent."""
    global _compiler
    if _compiler is not None:
        _compiler.close()
        _compiler = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def serve() -> None:
    """Compile what standard input asks for, until it ends."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # What else is printed does not belong to the answers.
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
