"""Python in a process of its own."""

import os
import subprocess
import sys
from typing import Any


def resident() -> int:
    """The bytes of memory that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def python(
    *arguments: Any, timeout: float | None = None, **environment: str
) -> subprocess.CompletedProcess:
    """Run Python, for some seconds at most; what it prints is text."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True,
        env={**os.environ, **environment}, timeout=timeout,
    )  # fmt: skip
