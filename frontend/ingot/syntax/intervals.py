"""Interval arithmetic: the bounds of integers, computed from the bounds of the operands.

Bounds are inclusive; None is an unknown bound. A rule takes the bounds of the operands and returns
those of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ingot.dimensions import depends
from ingot.dtypes import BOOL
from ingot.syntax import views
from ingot.syntax.ops import Bounds, Ops, at_least, at_most, bounds_of
from ingot.syntax.values import Array, Scalar

UNKNOWN: Bounds = (None, None)
#: No loop comes to so many iterations while anybody waits, and no axis is so long.
ITERATIONS = 2**50
#: The largest integer.
_MOST = 2**63 - 1


def of_elements(ops: Ops, array: Array) -> Bounds:
    """Bounds of all elements of an array of integers or booleans."""
    if array.dtype == BOOL:
        return 0, 1
    value = array.storage.value
    known = ops.known_elements(value)
    if known is not None and known.size:
        found: Bounds = int(known.min()), int(known.max())
    else:
        found = ops.noted_bounds(value)
    # Some views add zeros to these elements.
    is_padded = any(isinstance(step, (views.Pad, views.Every)) for step in array.views)
    return union(found, (0, 0)) if is_padded else found


def of_operand(ops: Ops, value: Any) -> Bounds:
    """Bounds of an integer, or of all elements of an array of integers.

    For dtypes of at most 16 bits, the limits of the dtype are bounds.
    """
    low, high = of_elements(ops, value) if isinstance(value, Array) else bounds_of(value)
    dtype = value.held if isinstance(value, (Array, Scalar)) else None
    if dtype is not None and dtype.kind in "iu" and dtype.itemsize <= 2:
        info = np.iinfo(dtype)
        return info.min if low is None else low, info.max if high is None else high
    return low, high


def _within(bounds: Bounds, dtype: np.dtype) -> Bounds:
    """The bounds, with the limits of the dtype in place of unknown ones."""
    info = np.iinfo(dtype)
    low, high = bounds
    return info.min if low is None else low, info.max if high is None else high


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _negated(a: Bounds) -> Bounds:
    low, high = (None if end is None else -end for end in a)
    return high, low


def _sum(a: Bounds, b: Bounds) -> Bounds:
    return _plus(a[0], b[0]), _plus(a[1], b[1])


def _constant(a: Bounds) -> int | None:
    is_one = a[0] is a[1] or (not depends(a) and a[0] == a[1])
    return a[0] if is_one else None


def _product(a: Bounds, b: Bounds) -> Bounds:
    for one, other in ((a, b), (b, a)):
        factor = _constant(other)
        if factor is not None:
            low, high = (None if end is None else end * factor for end in one)
            return (low, high) if at_least(factor, 0) else (high, low)
    if depends((*a, *b)):
        return UNKNOWN
    corners = [None if x is None or y is None else x * y for x in a for y in b]
    known = [each for each in corners if each is not None]
    if len(known) == len(corners):
        return min(known), max(known)
    is_positive = at_least(a[0], 0) and at_least(b[0], 0)
    return (corners[0], None) if is_positive else UNKNOWN


def _remainder(a: Bounds, b: Bounds) -> Bounds:
    """The remainder by a positive divisor, as `np.remainder` defines it."""
    if not at_least(b[0], 1):
        return UNKNOWN
    ends = [a[1] if at_least(a[0], 0) else None, _plus(b[1], -1)]
    return 0, _least(*ends)


def _quotient(a: Bounds, b: Bounds) -> Bounds:
    """The floor of the quotient by a positive divisor."""
    if depends((*a, *b)) or not at_least(b[0], 1):
        return UNKNOWN
    least, most = b
    assert least is not None
    low, high = a
    if low is not None:
        far = 0 if most is None else low // most
        low = far if low >= 0 else low // least
    if high is not None:
        far = -1 if most is None else high // most
        high = high // least if high >= 0 else far
    return low, high


def _both_bits(a: Bounds, b: Bounds) -> Bounds:
    highs = [each[1] for each in (a, b) if at_least(each[0], 0)]
    return (0, _least(*highs, *[None] * (2 - len(highs)))) if highs else UNKNOWN


def _least(a: int | None, b: int | None) -> int | None:
    """The smaller of two upper bounds; the known one, if only one is known."""
    if a is None or b is None or depends((a, b)):
        return b if a is None else a
    return min(a, b)


def _minimum(a: Bounds, b: Bounds) -> Bounds:
    is_known = not (None in (a[0], b[0]) or depends((a[0], b[0])))
    return min(a[0], b[0]) if is_known else None, _least(a[1], b[1])  # type: ignore[type-var]


def _magnitude(a: Bounds) -> Bounds:
    if at_least(a[0], 0):
        return a
    return 0, RULES["maximum"](a, _negated(a))[1]


#: The rules, by the names of operations.
RULES: dict[str, Callable[..., Bounds]] = {
    "neg": _negated, "abs": _magnitude,
    "add": _sum, "sub": lambda a, b: _sum(a, _negated(b)), "mul": _product, "mod": _remainder,
    "floor_div": _quotient, "and": _both_bits, "minimum": _minimum,
    "maximum": lambda a, b: _negated(_minimum(_negated(a), _negated(b))),
}  # fmt: skip


#: Those of the operations whose results may lie beyond 64 bits.
_WRAPPING = ("neg", "abs", "add", "sub", "mul")


def both(a: Bounds, b: Bounds) -> Bounds:
    """The intersection of two intervals; the first bound, where two can't be compared.

    On a path that is never taken they may have no number in common: then it is the first interval,
    since no rule expects an interval without numbers.
    """
    low: Any = RULES["maximum"](a, b)[0]
    high: Any = _minimum(a, b)[1]
    is_empty = not (None in (low, high) or depends((low, high))) and low > high
    return a if is_empty else (low, high)


def union(a: Bounds, b: Bounds) -> Bounds:
    """The smallest interval that contains both."""
    return _minimum(a, b)[0], RULES["maximum"](a, b)[1]


def in_dtype(ops: Ops, rule: Callable[..., Bounds], operands: Any, dtype: np.dtype) -> Bounds:
    """Bounds of a result in a dtype, whose arithmetic is modulo its size."""
    found = [of_operand(ops, each) for each in operands]
    low, high = rule(*(_within(each, dtype) for each in found))
    if low is None or high is None or depends((low, high)):
        return UNKNOWN
    info = np.iinfo(dtype)
    # Where the operands' own bounds are unknown, so is the result: the limits of the dtype only
    # tell whether it can overflow.
    return rule(*found) if info.min <= low and high <= info.max else UNKNOWN


def of_python(number: Scalar, operation: str, *operands: int | Scalar) -> Scalar:
    """Note the bounds of a result of Python's integers, which have 64 bits here.

    It has none where it may wrap around: `n + 5` may be negative for an `n` that is not.
    """
    rule = RULES[operation]
    if operation in _WRAPPING:
        low, high = rule(*map(_reached, operands))
        if low is None or high is None or not -_MOST <= low <= high <= _MOST:
            number.nominal = rule(*map(nominal, operands))
            return number
        number.reach = max(abs(low), abs(high))
    return note(number, rule(*map(bounds_of, operands)))


def nominal(number: int | Scalar) -> Bounds:
    """The bounds that an integer has unless it has wrapped around."""
    found = number.nominal if isinstance(number, Scalar) else None
    return bounds_of(number) if found is None else found


def _reached(number: int | Scalar) -> Bounds:
    """The bounds of an integer, as numbers: with how far it comes in place of others."""
    low, high = bounds_of(number)
    reach = number.reach if isinstance(number, Scalar) else None
    least, most = (-_MOST - 1, _MOST) if reach is None else (-reach, reach)
    low, high = (-ITERATIONS if depends(low) else low), (ITERATIONS if depends(high) else high)
    return least if low is None else low, most if high is None else high


def reach_of_loop(start: int | Scalar, step: int) -> int | None:
    """How far an integer comes that is `start` first and that each iteration moves by `step`."""
    low, high = _reached(start)
    reach = max(abs(low), abs(high)) + ITERATIONS * abs(step)  # type: ignore[arg-type]
    return reach if reach <= _MOST else None


def cast(ops: Ops, array: Array, dtype: np.dtype) -> Bounds:
    """Bounds of the elements of an array, converted to another integer dtype."""
    if array.dtype.kind not in "biu" or dtype.kind not in "iu":
        return UNKNOWN
    low, high = of_elements(ops, array)
    info = np.iinfo(dtype)
    return (low, high) if at_least(low, info.min) and at_most(high, info.max) else UNKNOWN


def note(number: Any, bounds: Bounds) -> Any:
    """The number, with its bounds set."""
    number.low, number.high = bounds
    return number
