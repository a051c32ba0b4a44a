"""Debugging compiled code: callbacks into Python, and errors where a NaN first appears."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from ingot import pipeline
from ingot.callbacks import emit_call
from ingot.transformed import in_compiled_code


def _callback(ev: Any, f: Any, *args: Any) -> None:
    emit_call(ev, f, args, [], lambda _: [])


@in_compiled_code(_callback)
def callback(f: Callable[..., Any], *args: Any) -> None:
    """Call a Python function on run-time values, in program order, from compiled code.

    Under `vmap` it is called once for each lane. In derivatives it is called where the function
    itself is computed. Its result is ignored; `ingot.callback` has results.

    Args:
        f: a Python function that is defined outside of the compiled code; it is not compiled.
        args: trees of arrays and numbers, which `f` receives as NumPy arrays and scalars; other
            leaves are passed on unchanged.

    Raises:
        CompileError: `f` is defined in compiled code.

    Example:
        >>> @ingot.jit
        ... def f(x):
        ...     y = x * 2
        ...     ingot.debug.callback(print, y)
        ...     return y + 1
        >>> f(np.ones(2))
        [2. 2.]
        array([3., 3.])
    """
    f(*args)


@contextlib.contextmanager
def trap_nans() -> Iterator[None]:
    """Check every operation for NaN and infinity, in functions called inside the `with` block.

    Returns:
        A context manager.

    Raises:
        FloatingPointError: when a function is called, with the source line of the first operation
            that returns NaN or infinity for finite operands, even if `np.where` discards the value.

    Example:
        >>> @ingot.jit
        ... def f(x):
        ...     return np.log(x - 1)
        >>> with ingot.debug.trap_nans():
        ...     f(np.zeros(2))
        Traceback (most recent call last):
        FloatingPointError: ...
    """
    before = pipeline.change(traps_nans=True)
    try:
        yield
    finally:
        pipeline.change(traps_nans=before.traps_nans)
