"""Looking into compiled code: calls of Python on run-time values, and where NaN begins."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from ingot import pipeline
from ingot.syntax import trees
from ingot.syntax.derivatives import Body, has_values
from ingot.syntax.pieces import all_begun
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
    body = Body(structure, all_begun(ev, leaves))

    def call(*values: Any) -> None:
        taken = iter(values)
        f(*rebuild(structure, [_seen(leaf, taken) for leaf in body.leaves]))

    CALLBACKS.append(call)
    values = [ev.read(piece) for _, piece in body.pieces()]
    attributes = {"format": getattr(f, "__name__", "callback"), "callback": len(CALLBACKS) - 1}
    # It can't be taken back, as what is printed.
    ev.ops.checks += 1
    ev.prints = ev.calls_back = True
    ev.ops.builder.create("ingot.print", values, attributes, [])


def _seen(leaf: Any, values: Iterator[Any]) -> Any:
    """A leaf as Python gets it, made of the next values."""
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
    """Call a Python function with run-time values when compiled code comes to it, in order.

    Under `vmap` it is called for each item; under derivatives, when the function itself is
    computed. What it returns is dropped.

    Args:
        f: a Python function from outside of the compiled code; it runs as it is.
        args: trees of arrays and numbers, which it gets as NumPy's, and of anything else.
    """
    f(*args)


@contextlib.contextmanager
def trap_nans() -> Iterator[None]:
    """Compile, inside of the `with` block, with checks of where values cease to be finite.

    Raises:
        FloatingPointError: on a call, with the source line that first made a value that is infinite
            or NaN of finite ones; also where the value is not used, as by a `where`.
    """
    before = pipeline.change(traps_nans=True)
    try:
        yield
    finally:
        pipeline.change(traps_nans=before.traps_nans)
