"""NumPy arrays that XLA's CPU runtime takes without a copy."""

from __future__ import annotations

from typing import Any


class Aligned:
    """What `align_arrays` gives: at the end of its `with`, arrays are made as before."""

    def __init__(self, before: Any) -> None:
        self._before = before

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        from ingot_runtime import _native

        _native.set_array_handler(self._before)


def align_arrays() -> Aligned:
    """Make NumPy lay arrays where a compiled function takes them without a copy.

    NumPy lays large arrays 16 bytes after a boundary that XLA's CPU runtime asks for; with this it
    lays those that are made from now on at one, in this thread and context: NumPy's handler of
    memory is a context variable, so that a new thread has NumPy's own until it calls this, too.

    Returns:
        What restores the handler before it at the end of a `with`; it may be dropped.

    Example:
        >>> with ingot.align_arrays():
        ...     x = np.empty(1_000_000)
        >>> x.ctypes.data % 64
        0
    """
    from ingot_runtime import _native

    return Aligned(_native.align_arrays())
