"""Dynamic lengths: the dense array has the extent of the bound, and a span tells what is used."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from ingot._core import Value
from ingot.dimensions import as_int, depends
from ingot.syntax import intervals, kinds, spans
from ingot.syntax.dynamic import (
    Part,
    Sliced,
    Span,
    Spans,
)
from ingot.syntax.ops import at_least, at_most, bounds_of, fresh
from ingot.syntax.spans import Number
from ingot.syntax.types import scalar_type
from ingot.syntax.values import (
    Array,
    List,
    Scalar,
    Symbolic,
    class_name,
    kinds_of,
)
from ingot_runtime.errors import DTypeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator
    from ingot.syntax.state import State


#: More elements than fit in memory: a greater bound is as useless as none.
MOST = 2**40


def is_open(size: Any) -> bool:
    """Whether a size is dynamic; a parameter is not, since the program is specialised on it."""
    return is_whole(size) and not size.is_parameter


def is_whole(number: Any) -> bool:
    """Whether it is an integer known at run time."""
    if not isinstance(number, Scalar):
        return False
    return all(np.dtype(kind).kind in "iu" for kind in kinds_of(number))


def span_of(ev: Evaluator, size: Number) -> tuple[int, Span | None]:
    """The extent of an axis of this size, and its span, which is None if the size is static.

    Raises:
        StaticRequired: the size has no upper bound.
    """
    count = spans.number(ev, size)
    if isinstance(count, int):
        return count, None
    low, high = bounds_of(count)
    if high is None or not is_bounded(count):
        ev.need(size.parameter if isinstance(size, Scalar) else None)
        _refuse_unbounded(ev)
    if not ev.opens_slices:
        ev.static(count, "the length of a slice")
    if not at_least(low, 0):
        message = "negative dimensions are not allowed"
        ev.check(spans.compare(ev, "ge", count, 0), "ValueError", message)
    return max(high, 0), Span(0, count)


def is_bounded(size: Number) -> bool:
    """Whether a size is known, or has an upper bound for which there may be memory."""
    high = bounds_of(size)[1]
    return high is not None and not depends(high) and at_most(high, MOST)


def _refuse_unbounded(ev: State) -> NoReturn:
    ev.fail_static(
        "this length is known only at run time and has no known bound",
        "give it a bound: ingot.bound(n, 100); or derive it from shapes, or pass it as an argument",
        page="known-at-compile-time",
    )


def counted(ev: Evaluator, value: Value, found: Spans) -> Array | Sliced:
    """A new array with these spans; an ordinary one, if all are None."""
    dense = fresh(value, ev.location)
    if all(span is None for span in found):
        return dense
    ev.has_open_slices = True
    return Sliced(dense, found)


@contextlib.contextmanager
def unchecked(ev: Evaluator) -> Iterator[None]:
    """Emit no checks of indices inside of this context, where they are known to be in range."""
    saved, ev.checks = ev.checks, False
    try:
        yield
    finally:
        ev.checks = saved


# `ingot.bound`.


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unbounded(Symbolic):
    """An array whose length has no known bound: only `ingot.bound` can use it.

    Attributes:
        ev: the evaluator.
        bounded: makes the array for a bound, with a check at run time that it is no longer.
        made: the storages of the arrays made so far, which in Python would be one array.
    """

    ev: Evaluator
    bounded: Callable[[int], Sliced]
    made: list[Any]
    described: ClassVar[str] = "an array without ingot.bound"

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        refuse_any_length(self.ev)


def refuse_any_length(ev: State) -> NoReturn:
    ev.fail_static(
        "the length of this array is known only at run time and has no known bound",
        "give it a bound: ingot.bound(np.repeat(a, counts), 100); or bound the counts, as with "
        "np.minimum(counts, 5)",
        page="known-at-compile-time",
    )


def exceeded(n: int) -> str:
    return f"an integer or a length is not from 0 to {n}, as ingot.bound says"


def bound(ev: Evaluator, x: Any, n: Any) -> Any:
    """The implementation of `ingot.bound` in compiled code.

    The bound is checked at run time. An array or list gets memory for `n` items, so that it may
    grow to that length in loops.

    Args:
        ev: the evaluator.
        x: an integer, an array or a list.
        n: the bound of the integer, or of the length; static.

    Returns:
        `x`, with the bound.
    """
    n = as_int(ev.static(n, "the bound of ingot.bound"))
    if isinstance(x, List):
        return _bounded_list(ev, x, n)
    if isinstance(x, Unbounded):
        return _bounded_any_length(ev, x, n)
    if isinstance(x, Part) or (isinstance(x, Array) and x.ndim):
        return _bounded_array(ev, x, n)
    x = ev.at_run_time(x)
    if is_whole(x):
        _check_bounds(ev, x, n)
        made = kinds.as_type(ev.ops, x, scalar_type(x))
        made.affine = x.affine
        return intervals.note(made, intervals.both((0, max(n, 0)), bounds_of(x)))
    if not isinstance(x, (int, np.integer)) or isinstance(x, bool):
        message = f"ingot.bound takes integers, arrays and lists, not {class_name(x)}"
        ev.fail(message, kind=DTypeError)
    _check_bounds(ev, as_int(x), n)
    return x


#: It takes references to lists; see `numpy.iteration.takes_references`.
bound.takes_references = True  # type: ignore[attr-defined]


def _bounded_list(ev: Evaluator, value: List, n: int) -> List:
    length = ev.length_of(value)
    _check_bounds(ev, length, n)
    if isinstance(length, int) and length > n:
        ev.raise_now(ValueError, exceeded(n))
    value.cell.extra = n
    return value


def _check_bounds(ev: Evaluator, number: Number, n: int) -> None:
    low, high = bounds_of(number)
    for how, end, is_sure in (("ge", 0, at_least(low, 0)), ("le", n, at_most(high, n))):
        if not is_sure:
            ev.check_nearly(spans.compare(ev, how, number, end), "ValueError", exceeded(n))


def _bounded_any_length(ev: Evaluator, value: Unbounded, n: int) -> Sliced:
    made = value.bounded(n)
    for other in value.made:
        ev.relate_copy(made.dense.storage, other)
    value.made.append(made.dense.storage)
    return made


def _bounded_array(ev: Evaluator, value: Any, n: int) -> Sliced:
    value = ev.packed(value) if isinstance(value, Part) else value
    whole: Spans = (None,) * value.ndim
    dense, found = (value.dense, value.spans) if isinstance(value, Sliced) else (value, whole)
    span = found[0] or Span(0, dense.shape[0])
    _check_bounds(ev, span.count, n)
    made = fresh(spans.shifted(ev, ev.read(dense), 0, span, 0, n), ev.location)
    # In Python it is the same array.
    ev.relate_copy(made.storage, dense.storage)
    ev.has_open_slices = True
    return Sliced(made, (Span(0, span.count), *found[1:]))
