"""Sizes that only run time knows: an array is as large as its bound says, and counts that far."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from ingot._core import Value
from ingot.dimensions import as_int, depends
from ingot.syntax import intervals, spans
from ingot.syntax.ops import at_least, at_most, bounds_of, fresh
from ingot.syntax.spans import Number
from ingot.syntax.values import (
    Array,
    List,
    Part,
    Scalar,
    Sliced,
    Span,
    Spans,
    Symbolic,
    class_name,
    kinds_of,
    scalar_of,
)
from ingot_runtime.errors import DTypeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator
    from ingot.syntax.state import State


#: More elements than any memory has: a greater bound says as little as none.
MOST = 2**40


def is_open(size: Any) -> bool:
    """Whether run time knows a size; not if it follows from arguments, to specialise on."""
    return is_whole(size) and size.parameter is None


def is_whole(number: Any) -> bool:
    """Whether it is an integer known at run time."""
    if not isinstance(number, Scalar):
        return False
    return all(np.dtype(kind).kind in "iu" for kind in kinds_of(number))


def span_of(ev: Evaluator, size: Number) -> tuple[int, Span | None]:
    """The extent of an axis of this size, and what counts of it; None for all.

    Raises:
        StaticRequired: nothing bounds the size.
    """
    count = spans.number(ev, size)
    if isinstance(count, int):
        return count, None
    low, high = bounds_of(count)
    if high is None or depends(high) or not at_most(high, MOST):
        _refuse_unbounded(ev)
    if not ev.opens_slices:
        ev.static(count, "the length of a slice")
    if not at_least(low, 0):
        message = "negative dimensions are not allowed"
        ev.check(spans.compare(ev, "ge", count, 0), "ValueError", message)
    return max(high, 0), Span(0, count)


def _refuse_unbounded(ev: State) -> NoReturn:
    ev.fail_static(
        "this length is known only at run time, and nothing says how large it may be",
        "say it: ingot.bound(n, 100); or derive it from shapes, or pass it as an argument",
        page="known-at-compile-time",
    )


def counted(ev: Evaluator, value: Value, found: Spans) -> Array | Sliced:
    """A new array, of which as much counts as the spans say."""
    dense = fresh(value, ev.location)
    if all(span is None for span in found):
        return dense
    ev.has_open_slices = True
    return Sliced(dense, found)


@contextlib.contextmanager
def unchecked(ev: Evaluator) -> Iterator[None]:
    """Emit no checks of indices: those inside are known to be in range."""
    saved, ev.checks = ev.checks, False
    try:
        yield
    finally:
        ev.checks = saved


# `ingot.bound`.


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unbounded(Symbolic):
    """An array of which nothing bounds the length: it waits for `ingot.bound`.

    What else asks for anything of it is refused.

    Attributes:
        ev: the evaluator.
        bounded: gives the array, of which run time checks that it is no longer than an integer.
        made: what holds the arrays that were given, which are one array outside of compiled code.
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
        "nothing says how long this array may be, which only run time knows",
        "say it: ingot.bound(np.repeat(a, counts), 100); or bound the counts, as with "
        "np.minimum(counts, 5)",
        page="known-at-compile-time",
    )


def exceeded(n: int) -> str:
    return f"an integer or a length is not from 0 to {n}, as ingot.bound says"


def bound(ev: Evaluator, x: Any, n: Any) -> Any:
    """An integer, or an array or list by its length, with the bound that the user says it has.

    Run time checks the bound. Arrays and lists get memory for as many items, so that they may grow
    to that length in loops.
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
        made = scalar_of(x.value, x.held, x.weak, kinds_of(x))
        made.affine = x.affine
        return intervals.note(made, intervals.both((0, max(n, 0)), bounds_of(x)))
    if not isinstance(x, (int, np.integer)) or isinstance(x, bool):
        message = f"ingot.bound takes integers, arrays and lists, not {class_name(x)}"
        ev.fail(message, kind=DTypeError)
    _check_bounds(ev, as_int(x), n)
    return x


#: It gets lists as the references that they are; see `numpy.iteration.takes_references`.
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
            ev.check(spans.compare(ev, how, number, end), "ValueError", exceeded(n))


def _bounded_any_length(ev: Evaluator, value: Unbounded, n: int) -> Sliced:
    made = value.bounded(n)
    for other in value.made:
        ev.relate(other, made.dense.storage)
    value.made.append(made.dense.storage)
    return made


def _bounded_array(ev: Evaluator, value: Any, n: int) -> Sliced:
    value = ev.packed(value) if isinstance(value, Part) else value
    whole: Spans = (None,) * value.ndim
    dense, found = (value.dense, value.spans) if isinstance(value, Sliced) else (value, whole)
    span = found[0] or Span(0, dense.shape[0])
    _check_bounds(ev, span.count, n)
    made = fresh(spans.moved(ev, ev.read(dense), 0, span, 0, n), ev.location)
    # Outside of compiled code it is the same array.
    ev.relate(dense.storage, made.storage)
    ev.has_open_slices = True
    return Sliced(made, (Span(0, span.count), *found[1:]))
