"""The lengths of ranges, as far as they are known at compile time."""

from __future__ import annotations

from ingot.dimensions import Undecided, depends
from ingot.syntax.ops import affine_of, bounds_of
from ingot.syntax.values import Range, Scalar


def trip_count(over: Range) -> int | None:
    """The trip count, or None if it is not known at compile time."""
    if not any(isinstance(bound, Scalar) for bound in (over.start, over.stop, over.step)):
        return _count(over)
    if isinstance(over.step, Scalar):
        return None
    if max_trip_count(over) == 0:
        return 0
    span = affine_of(over.stop).plus(affine_of(over.start), -1)
    # A run-time start with a static length still has a run-time index.
    return None if span.terms or span.constant * over.step > 0 else 0


def max_trip_count(over: Range) -> int | None:
    """An upper bound of the trip count, or None if the range's bounds give none."""
    if isinstance(over.step, Scalar):
        return None
    ends = bounds_of(over.start), bounds_of(over.stop)
    low, high = (ends[0][0], ends[1][1]) if over.step > 0 else (ends[0][1], ends[1][0])
    if low is None or high is None or depends((low, high, over.step)):
        return None
    return len(range(low, high, over.step))


def _count(over: Range) -> int | None:
    """The length of a range of static bounds; None if open sizes decide whether it is 0."""
    if not depends((over.start, over.stop, over.step)):
        return len(range(over.start, over.stop, over.step))
    try:
        length = (over.stop - over.start) // over.step
        return length if length > 0 else 0
    except Undecided:
        return None
