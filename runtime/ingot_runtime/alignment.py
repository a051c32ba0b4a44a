"""NumPy arrays with the alignment that XLA's CPU runtime needs to use them without a copy."""

from __future__ import annotations

from typing import Any


class Aligned:
    """A context manager whose exit restores NumPy's earlier memory handler."""

    def __init__(self, before: Any) -> None:
        self._before = before

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        from ingot_runtime import _native

        _native.set_array_handler(self._before)


def align_arrays() -> Aligned:
    """Make NumPy allocate arrays that compiled functions can use without a copy.

    XLA's CPU runtime needs an alignment of 64 bytes, but NumPy places large arrays 16 bytes after
    such a boundary. This sets NumPy's memory handler, which is a context variable: it holds for new
    arrays in this thread and context, and each new thread must call it again.

    Returns:
        A context manager that restores the previous handler at the end of a `with` block; ignore it
        to keep the alignment.

    Example:
        >>> with ingot.align_arrays():
        ...     x = np.empty(1_000_000)
        >>> x.ctypes.data % 64
        0
    """
    from ingot_runtime import _native

    return Aligned(_native.align_arrays())
