"""Leaves with run-time lengths at the boundaries of regions.

Such a leaf enters or leaves a region as its dense array, which has a static shape, and its lengths,
which have no derivatives. The live elements are at the start of each axis. Tangents and cotangents
are arrays of the same static shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ingot._core import Value
from ingot.dtypes import DTYPES
from ingot.syntax import spans
from ingot.syntax.dynamic import Part, Sliced, Span
from ingot.syntax.ops import at_least, fresh
from ingot.syntax.spans import Number
from ingot.syntax.values import Array, Scalar
from ingot_runtime.errors import DTypeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def whole(leaf: Any) -> Any:
    """The dense array of a part; other leaves as they are."""
    return leaf.dense if isinstance(leaf, Part) else leaf


def with_whole(leaf: Any, made: Any) -> Any:
    """The same part of the array `made`; if the leaf is no part, `made` itself."""
    return leaf.within(made) if isinstance(leaf, Part) else made


def left_aligned(ev: Evaluator, value: Sliced) -> Sliced:
    """The same value with all spans starting at 0."""
    if all(spans.same(span.start, 0) for _, span in value.open_spans):
        return value
    data = ev.read(value.dense)
    for axis, span in value.open_spans:
        data = spans.shifted(ev, data, axis, span, 0, data.shape[axis])
    found = tuple(None if span is None else Span(0, span.count) for span in value.spans)
    return Sliced(fresh(data, ev.location), found)


def all_left_aligned(ev: Evaluator, leaves: list[Any]) -> list[Any]:
    """The leaves, with parts left-aligned."""
    return [left_aligned(ev, ev.packed(x)) if isinstance(x, Part) else x for x in leaves]


def lengths(leaf: Any) -> list[Scalar]:
    """The lengths of a leaf that are known only at run time."""
    if not isinstance(leaf, Sliced):
        return []
    return [span.count for _, span in leaf.open_spans if isinstance(span.count, Scalar)]


def with_lengths(leaf: Sliced, values: Iterator[Value]) -> Sliced:
    """The same leaf with other SSA values for its run-time lengths."""
    found: list[Any] = []
    for span in leaf.spans:
        count = None if span is None else span.count
        if isinstance(count, Scalar):
            count = Scalar(next(values), count.held, int, None, count.low, count.high)
        found.append(None if count is None else Span(0, count))
    return replace(leaf, spans=tuple(found))


# Tangents and cotangents.


def padded_like(ev: Evaluator, goal: Sliced, given: Any) -> tuple[Value, list[Number]]:
    """The tangent or cotangent of a part, padded with zeros to the shape of its dense array.

    Args:
        goal: the part.
        given: its tangent or cotangent, as the user gave it.

    Returns:
        the array, and its lengths along the open axes of the part.
    """
    taken = ev.packed(given) if isinstance(given, Part) else given
    fits = isinstance(taken, (Array, Sliced)) and taken.ndim == goal.ndim
    if not fits or taken.dtype != goal.dtype:
        _refuse(ev, goal, given)
    taken = taken if isinstance(taken, Sliced) else Sliced(taken, (None,) * taken.ndim)
    taken = left_aligned(ev, taken)
    data, counts, found = ev.read(taken.dense), [], list(taken.spans)
    for axis, extent in enumerate(goal.dense.shape):
        span, here = taken.spans[axis], taken.dense.shape[axis]
        if goal.spans[axis] is None:
            if span is not None or here != extent:
                _refuse(ev, goal, given)
            continue
        if span is None and at_least(here, extent + 1):
            _refuse(ev, goal, given)
        span = span or Span(0, here)
        found[axis] = span
        counts.append(span.count)
        data = spans.shifted(ev, data, axis, span, 0, extent)
    zeros = ev.ops.zeros(data.shape, DTYPES[data.dtype])
    for axis, span in Sliced(taken.dense, tuple(found)).open_spans:
        mask = spans.live(ev, span, data.shape[axis], len(data.shape) - axis - 1)
        data = ev.ops.select(ev.ops.broadcast(mask, data.shape), data, zeros)
    return data, counts


def _refuse(ev: Evaluator, goal: Sliced, given: Any) -> None:
    ev.fail(
        f"a tangent is {describe_shape(given)}, but its primal is {describe_shape(goal)}",
        "give tangents the dtypes and lengths of the primals",
        DTypeError,
    )


def describe_shape(leaf: Any) -> str:
    """The dtype and shape of a leaf for messages, such as float64[3] or float64[at most 9]."""
    held = whole(leaf)
    if not isinstance(held, (Array, Scalar)):
        return repr(leaf)
    shape: list[Any] = list(held.shape)
    if isinstance(leaf, Part):
        pairs = zip(leaf.bounds, leaf.is_open, strict=True)
        shape = [f"at most {bound}" if is_open else str(bound) for bound, is_open in pairs]
    return f"{held.held}[{', '.join(map(str, shape))}]"


def check_lengths(ev: Evaluator, goal: Sliced, counts: list[Number]) -> None:
    """Check at run time that a tangent or cotangent is as long as its primal.

    Raises:
        ValueError: it is not, at run time.
    """
    for (_, span), count in zip(goal.open_spans if counts else (), counts, strict=True):
        if not spans.same(span.count, count):
            message = "a tangent or cotangent has another length than its primal"
            ev.check_nearly(spans.compare(ev, "eq", span.count, count), "ValueError", message)
