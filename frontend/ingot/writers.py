"""Calls that change objects besides their results: those that change one object do so one after the
other.

Such a call reads what an object holds, computes, and writes the object back. Without a lock, of two
threads that do so at once one would lose its changes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from ingot_runtime import _native

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_native.forget_writers)


@contextlib.contextmanager
def changing(objects: list[Any]) -> Iterator[None]:
    """A context in which no other thread changes these objects by a compiled function.

    It waits for those that do. A thread in such a context does not wait: it could be waited for.
    """
    writing = _native.begin_writing(objects)
    try:
        yield
    finally:
        del writing
