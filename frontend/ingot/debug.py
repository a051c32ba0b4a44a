"""Debugging compiled code: callbacks into Python, and errors where a NaN first appears."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from ingot import pipeline
from ingot.syntax import trees
from ingot.syntax.bodies import Body, has_values
from ingot.syntax.pieces import all_left_aligned
from ingot.syntax.values import Scalar, Sliced, Symbolic
from ingot.transformed import in_compiled_code
from ingot_runtime.effects import CALLBACKS
from ingot_runtime.trees import rebuild


def _callback(ev: Any, f: Any, *args: Any) -> None:
    f = getattr(f, "__wrapped__", f)
    if isinstance(f, Symbolic) or not callable(f):
        ev.fail(
            "the function of a callback is defined in compiled code",
            "define it outside: it runs in Python, on NumPy arrays",
        )
    leaves: list[Any] = []
    structure = trees.flatten(ev, args, leaves)
    body = Body(structure, all_left_aligned(ev, leaves))

    def call(*values: Any) -> None:
        taken = iter(values)
        f(*rebuild(structure, [_seen(leaf, taken) for leaf in body.leaves]))

    CALLBACKS.append(call)
    values = [ev.read(piece) for _, piece in body.pieces()]
    attributes = {"format": getattr(f, "__name__", "callback"), "callback": len(CALLBACKS) - 1}
    # Like a print, a callback can't be undone: checks before it must be evaluated first.
    ev.ops.checks += 1
    ev.prints = ev.calls_back = True
    ev.ops.builder.create("ingot.print", values, attributes, [])


def _seen(leaf: Any, values: Iterator[Any]) -> Any:
    """The NumPy value of a leaf that a callback receives, built from the next run-time values."""
    if not has_values(leaf):
        return leaf
    array = next(values)
    if not isinstance(leaf, Sliced):
        return array
    counts = (None if span is None else span.count for span in leaf.spans)
    stops = [int(next(values)) if isinstance(count, Scalar) else count for count in counts]
    return array[tuple(map(slice, stops))]


@in_compiled_code(_callback)
def callback(f: Callable[..., Any], *args: Any) -> None:
    """Call a Python function on run-time values, in program order, from compiled code.

    Under `vmap` it is called once for each lane. In derivatives it is called where the function
    itself is computed. Its result is ignored.

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
