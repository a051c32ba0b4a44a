"""np.arange and np.linspace."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dimensions import as_int, depends
from ingot.dtypes import FLOAT, INT
from ingot.numpy import integers, primitives
from ingot.numpy.creation import converted, dtype_of, on_device
from ingot.numpy.promotion import dtype_for
from ingot.syntax import lengths, spans
from ingot.syntax.dynamic import Sliced
from ingot.syntax.ops import at_least, at_most, bounds_of, fresh, value_dtype
from ingot.syntax.values import Array, Scalar, is_runtime

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def _bounds(start: Any = None, stop: Any = None, step: Any = None, dtype: Any = None) -> tuple:
    return start, stop, step, dtype


def arange(ev: Evaluator, *args: Any, **kwargs: Any) -> Array | Sliced:
    start, stop, step, dtype = _bounds(*args, **kwargs)
    if args and stop is None:
        start, stop = None, start
    if stop is None:
        ev.fail_as(TypeError, "arange() requires stop to be specified.")
    to = FLOAT
    if dtype is None:
        given = [bound for bound in (start, stop, step) if bound is not None]
        to = np.result_type(INT, *map(value_dtype, given))
    to = dtype_of(ev, dtype, to)
    start, step = (default if b is None else b for b, default in ((start, 0), (step, 1)))
    if any(map(lengths.is_open, (start, stop, step))):
        return _open_arange(ev, start, stop, ev.static(step, "the step of np.arange"), to)
    bounds = [ev.static(bound, "a bound of np.arange") for bound in (start, stop, step)]
    if to.kind in "iu" and not any(isinstance(b, (float, np.floating)) for b in bounds):
        if depends(bounds):
            span = as_int(bounds[1]) - as_int(bounds[0])
            length = span // as_int(bounds[2]) if span > 0 else 0
        else:
            length = len(range(*map(int, bounds)))
        return _linear(ev, length, as_int(bounds[0]), as_int(bounds[2]), to)
    # NumPy's own rule for floats; its rounding is part of the values.
    return fresh(ev.ops.constant(np.arange(*bounds, dtype=to), to), ev.location)


def _open_arange(
    ev: Evaluator, start: Any, stop: Any, step: Any, dtype: np.dtype
) -> Array | Sliced:
    """np.arange with dynamic integer bounds."""
    whole = (int, np.integer)
    given = [lengths.is_open(each) or isinstance(each, whole) for each in (start, stop, step)]
    if not all(given) or not _holds(dtype, (start, stop)):
        ev.static((start, stop), f"a bound of np.arange of {dtype}")
    if step == 0:
        ev.raise_now(ZeroDivisionError, "division by zero")
    start, stop = (spans.number(ev, each) for each in (start, stop))
    gap = spans.total(ev, stop, start, -1) if step > 0 else spans.total(ev, start, stop, -1)
    if abs(step) != 1:
        gap = ev.binary(ast.FloorDiv, spans.total(ev, gap, abs(int(step)) - 1), abs(int(step)))
    extent, span = lengths.span_of(ev, spans.greatest(ev, gap, 0))
    made = _linear(ev, extent, start, int(step), dtype)
    return lengths.counted(ev, ev.read(made), (span,))


def _holds(dtype: np.dtype, ends: tuple) -> bool:
    """Whether a dtype represents all integers between the ends, so that NumPy's steps are exact."""
    if dtype.kind != "f" or dtype == FLOAT:
        return dtype.kind in "iuf"
    limit = 2 ** np.finfo(dtype).nmant
    return all(at_least(low, -limit) and at_most(high, limit) for low, high in map(bounds_of, ends))


def _linear(ev: Evaluator, length: int, start: int | Scalar, step: int, dtype: np.dtype) -> Array:
    value = ev.ops.iota((length,), 0)
    if step != 1:
        value = ev.ops.elementwise("mul", [value, ev.ops.constant(step, INT)], (INT, INT))
    if isinstance(start, Scalar) or start != 0:
        first = ev.ops.index(ev.index_value(start))
        value = ev.ops.elementwise("add", [value, first], (INT, INT))
    return fresh(ev.ops.convert(value, dtype), ev.location)


def linspace(
    ev: Evaluator, start: Any, stop: Any, num: Any = 50, endpoint: Any = True, retstep: bool = False,
    dtype: Any = None, axis: int = 0,
) -> Any:  # fmt: skip
    endpoint, call = ev.static(endpoint, "endpoint"), ev.call
    if lengths.is_open(num) and not retstep:
        return _open_linspace(ev, start, stop, num, endpoint, dtype)
    num = integers.index(ev, ev.static(num, "the length"))
    if axis != 0:
        made = linspace(ev, start, stop, num, endpoint, True, dtype)
        moved = call(np.moveaxis, (made[0], 0, axis), {})
        return (moved, made[1]) if retstep else moved
    start, stop = ev.as_array(start), ev.as_array(stop)
    if not is_runtime(start) and not is_runtime(stop):
        to = dtype_of(ev, dtype, np.result_type(start, stop, 0.0))
        values, step = np.linspace(start, stop, num, endpoint, retstep=True, dtype=to)
        made = fresh(ev.ops.constant(values, to), ev.location)
        return (made, step) if retstep else made
    parts = num - 1 if endpoint else num
    wide = (num,) + (1,) * max(len(ev.read(start).shape), len(ev.read(stop).shape))
    compute_dtype = dtype_for(start, stop, 1.0)
    index = ev.call(np.reshape, (_linear(ev, num, 0, 1, compute_dtype), wide), {})
    gap = call(np.subtract, (stop, start), {"dtype": compute_dtype})
    # XLA replaces a division by a known constant by a product with its reciprocal.
    count: Any = max(parts, 1)
    count = primitives.opaque(ev, count, gap) if compute_dtype.kind == "f" else count
    step = call(np.true_divide, (gap, count), {})
    product = call(np.multiply, (index, step), {})
    if ev.read(step).shape:
        # NumPy divides first if any step is zero.
        other = call(np.multiply, (call(np.true_divide, (index, count), {}), gap), {})
        has_zero = call(np.any, (call(np.equal, (step, 0.0), {}),), {})
        product = call(np.where, (has_zero, other, product), {})
    if compute_dtype.kind == "f":
        # Keep XLA from fusing the product and the sum into one operation with one rounding: halving
        # by an opaque constant and doubling are exact.
        product = call(np.multiply, (product, primitives.opaque(ev, 0.5, gap)), {})
        product = call(np.multiply, (product, compute_dtype.type(2)), {})
    made = call(np.add, (product, start), {})
    if endpoint and num > 1:
        ev.store_item(made, -1, stop)
    if dtype is not None:
        to = dtype_of(ev, dtype, FLOAT)
        made = call(np.floor, (made,), {}) if to.kind in "iu" else made
        made = converted(ev, made, to)
    return (made, step) if retstep else made


def _open_linspace(
    ev: Evaluator, start: Any, stop: Any, num: Scalar, endpoint: Any, dtype: Any
) -> Array | Sliced:
    """np.linspace between numbers, with a dynamic length."""
    start, stop, call = ev.as_array(start), ev.as_array(stop), ev.call
    compute_dtype = dtype_for(start, stop, 1.0)
    if compute_dtype.kind != "f" or ev.read(start).shape or ev.read(stop).shape:
        ev.static(num, "the length of np.linspace of arrays or complex numbers")
    extent, span = lengths.span_of(ev, num)
    parts = call(np.subtract, (num, 1), {}) if endpoint else num
    count = call(compute_dtype.type, (call(np.maximum, (parts, 1), {}),), {})
    gap = call(np.subtract, (stop, start), {"dtype": compute_dtype})
    step = call(np.true_divide, (gap, count), {})
    index = _linear(ev, extent, 0, 1, compute_dtype)
    by_step = call(np.multiply, (index, step), {})
    # NumPy divides first if the step is zero.
    by_part = call(np.multiply, (call(np.true_divide, (index, count), {}), gap), {})
    product = call(np.where, (call(np.equal, (step, 0.0), {}), by_part, by_step), {})
    # As above: no fused multiply and add.
    product = call(np.multiply, (product, primitives.opaque(ev, 0.5, step)), {})
    made = call(np.add, (call(np.multiply, (product, compute_dtype.type(2)), {}), start), {})
    if endpoint:
        is_last = call(np.greater_equal, (index, call(np.maximum, (parts, 1), {})), {})
        made = call(np.where, (is_last, stop, made), {})
    if dtype is not None:
        to = dtype_of(ev, dtype, FLOAT)
        made = call(np.floor, (made,), {}) if to.kind in "iu" else made
        made = converted(ev, made, to)
    return lengths.counted(ev, ev.read(made), (span,))


def handlers() -> dict[Any, Callable[..., Any]]:
    return {np.arange: on_device(arange), np.linspace: on_device(linspace)}
