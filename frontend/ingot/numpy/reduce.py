"""Reductions and scans."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import BOOL, FLOAT, INT
from ingot.numpy.creation import dtype_of
from ingot.numpy.library import sorting
from ingot.numpy.shape import array_of, axes_of, axis_of
from ingot.numpy.ufuncs import kind_of, resolve, store_out
from ingot.syntax.ops import fresh, result_of
from ingot.syntax.values import Array
from ingot_runtime.errors import DTypeError


def _finish(ev: Any, value: Value, kept: tuple[int, ...], keepdims: Any, out: Any) -> Any:
    """The result as NumPy returns it: reduced axes kept as 1, into `out`, a scalar without axes."""
    if ev.static(keepdims, "keepdims"):
        value = ev.ops.reshape(value, kept)
    made = result_of(value, ev.place)
    if out is not None:
        return store_out(ev, out, value, made.dtype)
    return made


def _of_complex(ev: Any, function: Any, a: Array, axes: Any, kind: str) -> Value:
    """What a function of the library that orders complex numbers gives."""
    return ev.read(ev.inline(function, (a, axes, kind == "max"), {}, ev.node))


def _kept(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 if i in axes else n for i, n in enumerate(shape))


def reduction(kind: str, ufunc: np.ufunc) -> Callable[..., Any]:
    def call(
        ev: Any, a: Any, axis: Any = None, dtype: Any = None, out: Any = None,
        keepdims: Any = False, initial: Any = None, where: Any = True,
    ) -> Any:  # fmt: skip
        a = array_of(ev, a)
        axes = axes_of(ev, axis, a.ndim)
        if a.dtype.kind == "c" and kind in ("min", "max") and (where, initial) != (True, None):
            ev.fail(f"where= and initial= of complex np.{kind}", "use np.where first")
        # NumPy widens small integers in sums and products.
        own = ufunc.reduce(np.zeros(1, a.dtype)).dtype if kind in ("add", "mul") else a.dtype
        to = dtype_of(ev, dtype, own)
        value = ev.ops.convert(ev.read(a), to)
        if where is not True:
            if kind in ("min", "max") and initial is None:
                ev.fail("where= of min and max needs initial=", kind=DTypeError)
            neutral = initial if kind in ("min", "max") else {"add": 0, "mul": 1}[kind]
            mask = ev.truth_array(where)
            value = ev.ops.select(mask, value, ev.ops.constant(neutral, to))
        if kind in ("min", "max") and to.kind == "c":
            result = _of_complex(ev, sorting.extreme, a, axes, kind)
        else:
            result = ev.ops.reduce(kind, value, axes)
        if initial is not None:
            start = ev.ops.convert(ev.read(ev.as_array(initial)), to)
            name = {"min": "minimum", "max": "maximum"}.get(kind, kind)
            result = ev.ops.elementwise(name, [result, start], [to, to])
        return _finish(ev, result, _kept(a.shape, axes), keepdims, out)

    return call


sum_ = reduction("add", np.add)
prod = reduction("mul", np.multiply)
_min, _max = reduction("min", np.minimum), reduction("max", np.maximum)


def minimum(
    ev: Any, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **rest: Any
) -> Any:
    return _min(ev, a, axis, None, out, keepdims, **rest)


def maximum(
    ev: Any, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **rest: Any
) -> Any:
    return _max(ev, a, axis, None, out, keepdims, **rest)


def _logical(kind: str) -> Callable[..., Any]:
    def call(
        ev: Any, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, where: Any = True
    ) -> Any:
        a = array_of(ev, a)
        axes = axes_of(ev, axis, a.ndim)
        value = ev.ops.convert(ev.read(a), BOOL)
        if where is not True:
            value = ev.ops.select(ev.truth_array(where), value, ev.ops.scalar(kind == "and"))
        value = ev.ops.reduce(kind, value, axes)
        return _finish(ev, value, _kept(a.shape, axes), keepdims, out)

    return call


def _arg(kind: str) -> Callable[..., Any]:
    def call(ev: Any, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        a = array_of(ev, a)
        value, along = ev.read(a), 0
        if axis is None:
            value = ev.ops.reshape(value, (a.size,))
        else:
            along = axis_of(ev, axis, a.ndim)
        axes = tuple(range(a.ndim)) if axis is None else (along,)
        if a.dtype.kind == "c":
            index = _of_complex(ev, sorting.index_of_extreme, fresh(value), along, kind)
        else:
            attribute = f"#ingot<reduce_kind {kind}>"
            index = ev.ops.create("arg_reduce", [value], kind=attribute, axis=along)
        return _finish(ev, index, _kept(a.shape, axes), keepdims, out)

    return call


def _scan(kind: str, ufunc: np.ufunc) -> Callable[..., Any]:
    def call(ev: Any, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        a = array_of(ev, a)
        own = ufunc.reduce(np.zeros(1, a.dtype)).dtype if kind in ("add", "mul") else a.dtype
        to = dtype_of(ev, dtype, own)
        value, along = ev.ops.convert(ev.read(a), to), 0
        if axis is None:
            value = ev.ops.reshape(value, (a.size,))
        else:
            along = axis_of(ev, axis, a.ndim)
        attribute = f"#ingot<reduce_kind {kind}>"
        result = ev.ops.create("cumulative", [value], kind=attribute, axis=along)
        if out is not None:
            return store_out(ev, out, result, to)
        return fresh(result, ev.place)

    return call


def _divided(ev: Any, total: Any, count: Value, dtype: np.dtype) -> Any:
    if dtype.kind in "iub":
        ev.fail(
            f"a mean in {dtype} is not supported", "use a float dtype, then .astype", DTypeError
        )
    value = ev.ops.elementwise("div", [ev.read(total), count], (dtype, dtype))
    return result_of(value, ev.place)


def _count(
    ev: Any, a: Array, axes: tuple[int, ...], where: Any, keepdims: Any, less: int = 0
) -> Value:
    """How many elements a mean is of, less some; at least none."""
    if where is True:
        return ev.ops.constant(max(math.prod(a.shape[i] for i in axes) - less, 0), INT)
    mask = ev.ops.broadcast(ev.truth_array(where), a.shape)
    value = ev.read(sum_(ev, fresh(mask), axes, INT, None, keepdims))
    left = ev.ops.elementwise("sub", [value, ev.ops.constant(less, INT)], (INT, INT))
    return ev.ops.elementwise("maximum", [left, ev.ops.constant(0, INT)], (INT, INT))


def mean(
    ev: Any, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False,
    *, where: Any = True,
) -> Any:  # fmt: skip
    a = array_of(ev, a)
    to = dtype_of(ev, dtype, FLOAT if a.dtype.kind in "biu" else a.dtype)
    axes = axes_of(ev, axis, a.ndim)
    # NumPy adds up float16 in float32.
    is_half = to == np.float16 and dtype is None
    sums = np.dtype("float32") if is_half else to
    total = sum_(ev, a, axes, sums, None, keepdims, None, where)
    count = ev.ops.convert(_count(ev, a, axes, where, keepdims), sums)
    result = _divided(ev, total, count, sums)
    result = ev.call(np.astype, (result, to), {}) if is_half else result
    return result if out is None else store_out(ev, out, ev.read(result), to)


def var(
    ev: Any, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = False, *, correction: Any = None, mean: Any = None, where: Any = True,
) -> Any:  # fmt: skip
    a = array_of(ev, a)
    to = dtype_of(ev, dtype, FLOAT if a.dtype.kind in "biu" else a.dtype)
    axes = axes_of(ev, axis, a.ndim)
    ddof = ev.static(ddof if correction is None else correction, "ddof")
    if to.kind == "c" and dtype is not None:
        ev.fail("the variance in a complex dtype is not supported", "leave dtype out")
    center = mean
    if mean is None:
        center = globals()["mean"](ev, a, axes, to, keepdims=True, where=where)
    # The deviations have a dtype of their own; only their sum is made in the wanted one.
    gap = ev.call(np.subtract, (a, center), {})
    if to.kind == "c":
        parts = [ev.ops.create(part, [ev.read(gap)]) for part in ("real", "imag")]
        to = fresh(parts[0]).dtype
        squares = [ev.ops.elementwise("mul", [p, p], (to, to)) for p in parts]
        square = ev.ops.elementwise("add", squares, (to, to))
    else:
        value = ev.read(gap)
        square = ev.ops.elementwise("mul", [value, value], (gap.dtype, gap.dtype))
    total = sum_(ev, fresh(square), axes, to, None, keepdims, None, where)
    count = ev.ops.convert(_count(ev, a, axes, where, keepdims, ddof), to)
    result = _divided(ev, total, count, to)
    return result if out is None else store_out(ev, out, ev.read(result), to)


def std(ev: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return ev.call(np.sqrt, (var(ev, *args, **kwargs),), {} if out is None else {"out": out})


def ptp(ev: Any, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    ends = [f(ev, a, axis, None, keepdims) for f in (maximum, minimum)]
    return ev.call(np.subtract, tuple(ends), {} if out is None else {"out": out})


def count_nonzero(ev: Any, a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    a = array_of(ev, a)
    return sum_(ev, fresh(ev.ops.convert(ev.read(a), BOOL)), axis, INT, None, keepdims)


def trace(
    ev: Any,
    a: Any,
    offset: Any = 0,
    axis1: Any = 0,
    axis2: Any = 1,
    dtype: Any = None,
    out: Any = None,
) -> Any:
    diagonal = ev.call(np.diagonal, (a, offset, axis1, axis2), {})
    return sum_(ev, diagonal, -1, dtype, out)


def reduce_method(ufunc: np.ufunc) -> Callable[..., Any]:
    """`ufunc.reduce`, which reduces the first axis unless told otherwise."""
    known: dict[Any, Callable[..., Any]] = {
        np.add: sum_,
        np.multiply: prod,
        np.minimum: _min,
        np.maximum: _max,
    }
    by = known[ufunc]

    def call(
        ev: Any,
        array: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        **rest: Any,
    ) -> Any:
        return by(ev, array, axis, dtype, out, keepdims, **rest)

    return call


def _first_axis(
    ev: Any, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: Any = False,
    *, by: Callable[..., Any],
) -> Any:  # fmt: skip
    return by(ev, array, axis, out, keepdims)


def accumulate_method(kind: str, ufunc: np.ufunc) -> Callable[..., Any]:
    def call(ev: Any, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Array:
        return _scan(kind, ufunc)(ev, array, axis, dtype, out)

    return call


def at_method(ufunc: np.ufunc) -> Callable[..., None]:
    """`ufunc.at`: in place, with every element counted where an index occurs twice."""

    def call(ev: Any, a: Any, indices: Any, b: Any) -> None:
        kind = "add" if ufunc is np.subtract else KINDS[ufunc]
        if ufunc is np.subtract:
            b = ev.call(np.negative, (b,), {})
        if not isinstance(a, Array):
            ev.fail("the first argument of ufunc.at must be an array", kind=DTypeError)
        b = ev.as_array(b)
        _check_at(ev, ufunc, a.dtype, kind_of(b))
        if ev.is_mask(a, indices):
            ev.store_masked(a, indices, lambda old: ev.call(ufunc, (old, b), {}))
            return
        ev.accumulate_at(a, indices, b, kind)

    return call


def _check_at(ev: Any, ufunc: np.ufunc, dtype: np.dtype, kind: Any) -> None:
    """Refuse values of another kind: NumPy casts what each of them gives, not the values."""
    made = resolve(ufunc, (dtype, kind))[-1]
    wraps = ufunc not in (np.maximum, np.minimum) and {dtype.kind, made.kind} <= set("iu")
    if made.kind != dtype.kind and not wraps:
        ev.fail(
            f"np.{ufunc.__name__}.at computes in {made}, which the array of {dtype} can't hold",
            "convert the values with .astype first",
            DTypeError,
        )


KINDS: dict[Any, str] = {np.add: "add", np.multiply: "mul", np.minimum: "min", np.maximum: "max"}
argmax, argmin = _arg("max"), _arg("min")
all_, any_ = _logical("and"), _logical("or")
cumsum, cumprod = _scan("add", np.add), _scan("mul", np.multiply)


@functools.cache
def handlers() -> dict[Any, Callable[..., Any]]:
    table: dict[Any, Callable[..., Any]] = {
        np.sum: sum_, np.prod: prod, np.min: minimum, np.max: maximum, np.amin: minimum,
        np.amax: maximum, np.all: all_, np.any: any_, np.argmax: argmax, np.argmin: argmin,
        np.mean: mean, np.var: var, np.std: std, np.ptp: ptp, np.cumsum: cumsum,
        np.cumprod: cumprod, np.count_nonzero: count_nonzero, np.trace: trace,
        np.logical_and.reduce: functools.partial(_first_axis, by=all_),
        np.logical_or.reduce: functools.partial(_first_axis, by=any_),
    }  # fmt: skip
    for ufunc in (*KINDS, np.subtract):
        table[ufunc.at] = at_method(ufunc)
    for ufunc, kind in KINDS.items():
        table[ufunc.reduce] = reduce_method(ufunc)
        table[ufunc.accumulate] = accumulate_method(kind, ufunc)
    return table
