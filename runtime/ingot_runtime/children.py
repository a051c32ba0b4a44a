"""Child processes that answer requests on pipes, as messages of bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

#: The size of the length field before each message, in bytes.
_LENGTH = 8


def started(code: str, stderr: int | None = None, **environment: str) -> subprocess.Popen[bytes]:
    """A process of Python that runs this code, with the paths of this one.

    Args:
        code: the code.
        stderr: where its errors go, as for `subprocess.Popen`.
        environment: variables of its own, besides those of this process.
    """
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
        env={**os.environ, "PYTHONPATH": paths, **environment},
        # Ctrl-C should reach only the parent.
        start_new_session=True,
    )  # fmt: skip


def pipes() -> tuple[Any, Any]:
    """In the child: where requests come from, and where answers go."""
    answers = os.fdopen(os.dup(1), "wb")
    # Other output must not mix with the answers on standard output.
    os.dup2(2, 1)
    return sys.stdin.buffer, answers


def send(pipe: Any, message: bytes) -> None:
    pipe.write(len(message).to_bytes(_LENGTH, "little") + message)
    pipe.flush()


def receive(pipe: Any) -> bytes | None:
    """The next message, or None at the end."""
    size = pipe.read(_LENGTH)
    if len(size) < _LENGTH:
        return None
    message = pipe.read(int.from_bytes(size, "little"))
    return message if len(message) == int.from_bytes(size, "little") else None
