"""Values stored through a mask, expanded to the positions that the mask selects."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import INT
from ingot.syntax import masked, pieces, sliced, spans
from ingot.syntax.dynamic import Part
from ingot.syntax.masked import Masked
from ingot.syntax.ops import fresh
from ingot.syntax.values import Array

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def expanded(ev: Any, value: Any, old: Masked) -> Any:
    """A stored value with its n-th item at the n-th true position of the mask.

    Args:
        value: what is stored; its length is checked at run time.
        old: the target, `array[mask]`.
    """
    if type(value) is Masked and ev.ops.builder.same(value.mask, old.mask):
        masked.common_mask(ev, [value, old])
        return value.dense
    value, given = _line_of(ev, value, old)
    if given is None:
        return value
    axis = value.ndim - old.after - 1
    is_one = value.shape[axis] == 1
    _check_count(ev, old, given, is_one)
    if value.shape[axis] == 0:
        shape = (*value.shape[:axis], *(1,) * old.width, *value.shape[axis + 1 :])
        return ev.call(np.zeros, (shape, value.dtype), {})
    if not is_one:
        size = math.prod(old.mask.shape)
        flat = ev.ops.reshape(ev.ops.convert(old.mask, INT), (size,))
        counted = ev.ops.create("cumulative", [flat], kind="#ingot<reduce_kind add>", axis=0)
        number = ev.ops.index_op("add", counted, ev.ops.constant(-1, INT))
        last = ev.ops.constant(max(value.shape[axis] - 1, 0), INT)
        indices = fresh(_within(ev, number, last))
        value = ev.call(np.take, (value, indices), {"axis": axis})
    shape = value.shape
    sizes = (1,) * old.width if is_one else old.mask.shape
    return ev.call(np.reshape, (value, (*shape[:axis], *sizes, *shape[axis + 1 :])), {})


def _line_of(ev: Evaluator, value: Any, old: Masked) -> tuple[Any, Any]:
    """A stored value as a dense array, and its length along the masked axis.

    The length is None for a value without that axis, which is broadcast.
    """
    if not isinstance(value, Part):
        value = ev.as_array(value)
        axis = value.ndim - old.after - 1 if isinstance(value, Array) else -1
        return value, None if axis < 0 else value.shape[axis]
    line = pieces.left_aligned(ev, ev.packed(value))
    axis = line.ndim - old.after - 1
    if line.open_axes != [axis]:
        ev.refuse_part(value)
    return line.dense, sliced.shape_of(line)[axis]


def _within(ev: Evaluator, number: Value, last: Value) -> Value:
    zero = ev.ops.constant(0, INT)
    number = ev.ops.elementwise("minimum", [number, last], [INT, INT])
    return ev.ops.elementwise("maximum", [number, zero], [INT, INT])


def _check_count(ev: Evaluator, old: Masked, given: spans.Number, is_one: bool) -> None:
    """Check that as many items are given as the mask selects, or one, which is broadcast.

    Args:
        given: the number of items.
        is_one: whether there is at most one, so that it can be broadcast.

    Raises:
        ValueError: there are more or fewer; at run time.
    """
    if is_one and isinstance(given, int):
        return
    fits = spans.compare(ev, "eq", masked.count(ev, old), given)
    number = given if isinstance(given, int) else "as many"
    message = (
        f"NumPy boolean array indexing assignment cannot assign {number} input values to the "
        "output values where the mask is true"
    )
    if isinstance(given, int):
        ev.check(fits, "ValueError", message)
        return
    ones = spans.compare(ev, "eq", given, 1)
    ev.check(spans.either(ev, fits, ones), "ValueError", message)
    if not is_one:
        ev.limit(fits, spans.REPEATED)
