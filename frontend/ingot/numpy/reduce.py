"""Reductions and scans."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dimensions import depends
from ingot.dtypes import BOOL, FLOAT, INT
from ingot.numpy import primitives as prim
from ingot.numpy.creation import dtype_of
from ingot.numpy.layout import strides_of
from ingot.numpy.library import folding, sorting
from ingot.numpy.promotion import kind_of, reduced_dtypes
from ingot.numpy.shape import array_of, axis_of, reduction_axes
from ingot.numpy.ufuncs import reduced
from ingot.syntax import intervals
from ingot.syntax.ops import at_least, fresh, held_dtype, result_of
from ingot.syntax.values import Array, List, Scalar
from ingot_runtime.errors import DTypeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def _mask(ev: Evaluator, where: Any) -> Value:
    """The `where=` mask of a reduction, which must be boolean."""
    mask = ev.read(ev.as_array(where))
    if fresh(mask).dtype != BOOL:
        dtype = fresh(mask).dtype
        message = f"Cannot cast array data from {dtype!r} to dtype('bool') according to the rule"
        ev.raise_now(TypeError, f"{message} 'safe'")
    return mask


#: What sums and products of booleans that stay booleans are.
_OF_BOOLEANS = {np.add: np.logical_or, np.multiply: np.logical_and}


def _axes(ev: Evaluator, axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes of a reduction; NumPy accepts the axes 0 and -1 for scalars, too."""
    is_of_number = ndim == 0 and ev.static(axis, "an axis") in (0, -1)
    return () if is_of_number else reduction_axes(ev, axis, ndim)


def _kept(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 if i in axes else n for i, n in enumerate(shape))


def _is_plain(out: Any, keepdims: Any, initial: Any, where: Any) -> bool:
    return out is None and keepdims is False and initial is np._NoValue and where is True


def reduction(kind: str, ufunc: np.ufunc) -> Callable[..., Any]:
    def call(
        ev: Evaluator, a: Any, axis: Any = None, dtype: Any = None, out: Any = None,
        keepdims: Any = False, initial: Any = np._NoValue, where: Any = True,
    ) -> Any:  # fmt: skip
        a = array_of(ev, a)
        axes = _axes(ev, axis, a.ndim)
        wanted = None if dtype is None else dtype_of(ev, dtype, a.dtype)
        to, _ = reduced_dtypes(ufunc, a.dtype, wanted, out)
        if to == BOOL and ufunc in _OF_BOOLEANS:
            options = {"out": out, "keepdims": keepdims, "initial": initial, "where": where}
            return ev.call(_OF_BOOLEANS[ufunc].reduce, (a, axis), options)
        known = (
            ev.ops.known_elements(ev.read(a)) if _is_plain(out, keepdims, initial, where) else None
        )
        if known is not None and known.size and len(axes) == known.ndim:
            # `np.prod(x.shape)` is a size.
            return ufunc.reduce(known, axis=None, dtype=to)
        start = None
        if initial is np._NoValue and ufunc.identity is not None:
            start = ev.ops.constant(ufunc.identity, to)
        elif initial is not np._NoValue and initial is not None:
            start = ev.fitted(initial, (), to, is_item=True)
        value = ev.ops.convert(ev.read(a), to)
        if where is not True:
            from_start = kind == "add" and _is_negative_zero(initial)
            value = _where(ev, ufunc, _mask(ev, where), value, start, from_start)
        if to == np.float16 and kind in ("add", "mul") and start is not None:
            halves = _like(value, a)
            call = (ufunc, halves, axes, fresh(start))
            result = ev.read(ev.inline(folding.of_halves, call, {}, ev.node))
            result = _from_negative_zero(ev, kind, value, axes, initial, result)
            return reduced(ev, result, _kept(a.shape, axes), keepdims, out)
        result = _result(ev, kind, ufunc, value, axes, start)
        if kind in ("min", "max") and start is None and a.dtype.kind in "iu":
            ev.ops.note_bounds(result, intervals.of_operand(ev.ops, a))
        # An empty reduction has the initial value already.
        is_empty = 0 in [a.shape[i] for i in axes if not depends(a.shape[i])]
        if initial is not np._NoValue and start is not None and not is_empty:
            result = ev.read(ev.call(ufunc, (fresh(start), fresh(result)), {}))
            result = _from_negative_zero(ev, kind, value, axes, initial, result)
        made = reduced(ev, result, _kept(a.shape, axes), keepdims, out)
        is_count = kind == "add" and a.dtype == BOOL and to == INT and initial is np._NoValue
        return intervals.note(made, (0, a.size)) if is_count and type(made) is Scalar else made

    return call


def _is_negative_zero(number: Any) -> bool:
    is_float = isinstance(number, (float, np.floating))
    return is_float and number == 0 and bool(np.signbit(number))


def _from_negative_zero(
    ev: Evaluator, kind: str, value: Value, axes: tuple[int, ...], initial: Any, result: Value
) -> Value:
    """A sum that begins with -0.0, given the sum that begins with 0.0: it is -0.0 if all elements
    are."""
    if kind != "add" or fresh(value).dtype.kind != "f" or not _is_negative_zero(initial):
        return result
    return ev.read(
        ev.inline(folding.from_negative_zero, (fresh(value), axes, fresh(result)), {}, ev.node)
    )


def _like(value: Value, a: Array) -> Array:
    """An array of a value computed elementwise from `a`, in the same memory order."""
    made = fresh(value)
    made.storage.strides = strides_of(a)
    return made


def _where(
    ev: Evaluator, ufunc: np.ufunc, mask: Value, value: Value, start: Value | None, from_start: bool
) -> Value:
    """The elements of a reduction, with a neutral value where the mask does not hold, which is the
    initial one if `from_start`."""
    if start is None:
        message = f"reduction operation '{ufunc.__name__}' does not have an identity, so to use a"
        ev.raise_now(ValueError, f"{message} where mask one has to specify 'initial'")
    neutral = start
    if ufunc.identity is not None and not from_start:
        neutral = ev.ops.constant(ufunc.identity, fresh(value).dtype)
    return ev.ops.select(mask, value, neutral)


def _result(
    ev: Evaluator,
    kind: str,
    ufunc: np.ufunc,
    value: Value,
    axes: tuple[int, ...],
    start: Value | None,
) -> Value:
    shape = value.shape
    rest = [n for i, n in enumerate(shape) if i not in axes]
    counts = [shape[i] for i in axes]
    is_empty = 0 in [n for n in counts if not depends(n)]
    if is_empty and start is not None:
        return ev.ops.broadcast(start, rest)
    if is_empty:
        name = ufunc.__name__
        message = f"zero-size array to reduction operation {name} which has no identity"
        ev.raise_now(ValueError, message)
    if kind in ("min", "max") and fresh(value).dtype.kind == "c":
        found = ev.inline(sorting.extreme, (fresh(value), axes, kind == "max"), {}, ev.node)
        return ev.read(found)
    return ev.ops.reduce(kind, value, axes)


sum_ = reduction("add", np.add)
prod = reduction("mul", np.multiply)
_min, _max = reduction("min", np.minimum), reduction("max", np.maximum)
_and, _or = reduction("and", np.logical_and), reduction("or", np.logical_or)


def _without_dtype(by: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction without a dtype parameter."""

    def call(
        ev: Evaluator, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False,
        initial: Any = np._NoValue, where: Any = True,
    ) -> Any:  # fmt: skip
        return by(ev, a, axis, None, out, keepdims, initial, where)

    return call


def _logical(by: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        ev: Evaluator, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False,
        *, where: Any = True,
    ) -> Any:  # fmt: skip
        return by(ev, a, axis, None, out, keepdims, where=where)

    return call


minimum, maximum = _without_dtype(_min), _without_dtype(_max)


def _is_flat(ev: Evaluator, axis: Any, ndim: int) -> bool:
    """Whether a function of at most one axis works on the flattened array."""
    if isinstance(axis, tuple):
        message = "'tuple' object cannot be interpreted as an integer"
        ev.fail_as(TypeError, message, "give one axis")
    return axis is None or not _axes(ev, axis, ndim)


def _arg(kind: str) -> Callable[..., Any]:
    def call(
        ev: Evaluator, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False
    ) -> Any:
        a = array_of(ev, a)
        value, along = ev.read(a), 0
        if _is_flat(ev, axis, a.ndim):
            value = ev.ops.reshape(value, (a.size,))
        else:
            along = axis_of(ev, axis, a.ndim)
        axes = tuple(range(a.ndim)) if axis is None else (along,)
        if isinstance(out, Array) and not np.can_cast(out.dtype, INT, "safe"):
            # NumPy checks the cast from `out`, not the one that it makes.
            message = f"Cannot cast array data from {out.dtype!r} to {INT!r}"
            ev.raise_now(TypeError, f"{message} according to the rule 'safe'")
        if a.dtype.kind == "c":
            call = (fresh(value), along, kind == "max")
            index = ev.read(ev.inline(sorting.index_of_extreme, call, {}, ev.node))
        else:
            attribute = f"#ingot<reduce_kind {kind}>"
            index = ev.ops.create("arg_reduce", [value], kind=attribute, axis=along)
        ev.ops.note_bounds(index, (0, max(value.shape[along] - 1, 0)))
        return reduced(ev, index, _kept(a.shape, axes), keepdims, out)

    return call


def _scan(kind: str, ufunc: np.ufunc) -> Callable[..., Any]:
    def call(ev: Evaluator, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        a = array_of(ev, a)
        wanted = None if dtype is None else dtype_of(ev, dtype, a.dtype)
        to, _ = reduced_dtypes(ufunc, a.dtype, wanted, out)
        value, along = ev.ops.convert(ev.read(a), to), 0
        if _is_flat(ev, axis, a.ndim):
            value = ev.ops.reshape(value, (a.size,))
        else:
            along = axis_of(ev, axis, a.ndim)
        if to == BOOL and ufunc in _OF_BOOLEANS:
            options = {"out": out} if out is not None else {}
            return ev.call(_OF_BOOLEANS[ufunc].accumulate, (fresh(value), along), options)
        extent = value.shape[along]
        is_rounded = to == np.float16 and kind in ("add", "mul")
        # NumPy rounds each partial sum to float16; the operation `cumulative` needs a known size.
        if is_rounded or depends(extent):
            is_short = depends(extent) and not at_least(extent, 1)
            function = folding.accumulate_any if is_short else folding.accumulate
            made = ev.inline(function, (ufunc, fresh(value), along, to), {}, ev.node)
            return reduced(ev, ev.read(made), (), False, out)
        attribute = f"#ingot<reduce_kind {kind}>"
        result = ev.ops.create("cumulative", [value], kind=attribute, axis=along)
        return reduced(ev, result, (), False, out)

    return call


def _divided(ev: Evaluator, total: Any, count: Value, dtype: np.dtype) -> Any:
    to = FLOAT if dtype.kind in "iub" else dtype
    sides = [ev.ops.convert(each, to) for each in (ev.read(total), count)]
    value = ev.ops.elementwise("div", sides, (to, to))
    return result_of(ev.ops.cast(value, dtype), ev.location)


def _count(
    ev: Evaluator, a: Array, axes: tuple[int, ...], where: Any, keepdims: Any, less: float = 0
) -> Value:
    """The number of elements that a mean is taken of, minus `less`, but at least 0."""
    to = FLOAT if isinstance(less, float) else INT
    if where is True:
        return ev.ops.constant(max(math.prod(a.shape[i] for i in axes) - less, 0), to)
    mask = ev.ops.broadcast(ev.truth_array(where), a.shape)
    value = ev.read(sum_(ev, fresh(mask), axes, INT, None, keepdims))
    left = ev.ops.elementwise(
        "sub", [ev.ops.convert(value, to), ev.ops.constant(less, to)], (to, to)
    )
    return ev.ops.elementwise("maximum", [left, ev.ops.constant(0, to)], (to, to))


def mean(
    ev: Evaluator, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False,
    *, where: Any = True,
) -> Any:  # fmt: skip
    a = array_of(ev, a)
    to = dtype_of(ev, dtype, FLOAT if a.dtype.kind in "biu" else a.dtype)
    axes = reduction_axes(ev, axis, a.ndim)
    # NumPy sums float16 in float32.
    is_half = to == np.float16 and dtype is None
    sums = np.dtype("float32") if is_half else to
    total = sum_(ev, a, axes, sums, None, keepdims, where=where)
    count = ev.ops.convert(_count(ev, a, axes, where, keepdims), sums)
    result = _divided(ev, total, count, sums)
    result = ev.call(np.astype, (result, to), {}) if is_half else result
    return reduced(ev, ev.read(result), (), False, out)


def var(
    ev: Evaluator, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = False, *, correction: Any = None, mean: Any = None, where: Any = True,
) -> Any:  # fmt: skip
    a = array_of(ev, a)
    to = dtype_of(ev, dtype, FLOAT if a.dtype.kind in "biu" else a.dtype)
    axes = reduction_axes(ev, axis, a.ndim)
    ddof = ev.static(ddof if correction is None else correction, "ddof")
    if to.kind == "c" and dtype is not None:
        ev.fail("the variance in a complex dtype is not supported", "leave dtype out")
    center = mean
    if mean is None:
        center = globals()["mean"](ev, a, axes, to, keepdims=True, where=where)
    # NumPy computes only the sum of the squared deviations in the wanted dtype.
    gap = ev.call(np.subtract, (a, center), {})
    if kind_of(gap).kind == "c":
        parts = [ev.ops.create(part, [ev.read(gap)]) for part in ("real", "imag")]
        real = fresh(parts[0]).dtype
        to = real if to.kind == "c" else to
        squares = [ev.ops.elementwise("mul", [p, p], (real, real)) for p in parts]
        square: Any = fresh(ev.ops.elementwise("add", squares, (real, real)))
    else:
        square = ev.call(np.multiply, (gap, gap), {})
        # The dtype of a given mean takes part in promotion.
        to = square.dtype if dtype is None and a.dtype.kind == "f" else to
    total = sum_(ev, square, axes, to, None, keepdims, where=where)
    count = ev.ops.convert(_count(ev, a, axes, where, keepdims, ddof), to)
    result = _divided(ev, total, count, to)
    return reduced(ev, ev.read(result), (), False, out)


def std(ev: Evaluator, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    square = var(ev, *args, **kwargs)
    if square.dtype.kind not in "iu":
        return reduced(ev, ev.read(ev.call(np.sqrt, (square,), {})), (), False, out)
    # NumPy takes the root in place, which casts a scalar but refuses an array.
    if isinstance(square, Array) or out is not None:
        ev.fail(
            f"Cannot cast ufunc 'sqrt' output from a float to {square.dtype}",
            "leave dtype out, or take np.sqrt(np.var(...))",
            DTypeError,
        )
    return ev.call(np.astype, (ev.call(np.sqrt, (square,), {}), square.dtype), {})


def ptp(ev: Evaluator, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    ends = [f(ev, a, axis, None, keepdims) for f in (maximum, minimum)]
    return ev.call(np.subtract, tuple(ends), {} if out is None else {"out": out})


def count_nonzero(ev: Evaluator, a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    a = array_of(ev, a)
    return sum_(ev, fresh(ev.ops.convert(ev.read(a), BOOL)), axis, INT, None, keepdims)


def trace(
    ev: Evaluator,
    a: Any,
    offset: Any = 0,
    axis1: Any = 0,
    axis2: Any = 1,
    dtype: Any = None,
    out: Any = None,
) -> Any:
    diagonal = ev.call(np.diagonal, (a, offset, axis1, axis2), {})
    return sum_(ev, diagonal, -1, dtype, out)


def reduce_method(by: Callable[..., Any]) -> Callable[..., Any]:
    """`ufunc.reduce`, which reduces the first axis by default."""

    def call(
        ev: Evaluator, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None,
        keepdims: Any = False, initial: Any = np._NoValue, where: Any = True,
    ) -> Any:  # fmt: skip
        return by(ev, array, axis, dtype, _only(out), keepdims, initial, where)

    return call


def _only(out: Any) -> Any:
    """The output array, which may be given as `out=(array,)`."""
    return out[0] if isinstance(out, tuple) and len(out) == 1 else out


def accumulate_method(kind: str, ufunc: np.ufunc) -> Callable[..., Any]:
    def call(ev: Evaluator, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        a = array_of(ev, array)
        along = prim.fold_axis(ev, "accumulate", axis, a.ndim)
        to = a.dtype if dtype is None else dtype_of(ev, dtype, a.dtype)
        if to.kind == "c" and kind in ("min", "max"):
            call = (ufunc, a, along, to, _only(out))
            return ev.inline(folding.accumulate, call, {}, ev.node)
        return _scan(kind, ufunc)(ev, a, along, dtype, _only(out))

    return call


def at_method(ufunc: np.ufunc) -> Callable[..., None]:
    """`ufunc.at`: an update in place in which a repeated index has an effect each time."""

    def call(ev: Evaluator, a: Any, indices: Any, *b: Any) -> None:
        if not isinstance(a, Array):
            ev.fail_as(TypeError, "first operand must be array")
        if len(b) != ufunc.nin - 1:
            how = "needed for ufunc" if ufunc.nin > 1 else "provided when ufunc is unary"
            ev.raise_now(ValueError, f"second operand {how}")
        values = tuple(map(ev.as_array, b))
        indices = ev.without_masks(a, indices)
        if ev.is_mask(a, indices):
            ev.store_masked(a, indices, lambda old: _each_at(ev, ufunc, old, values))
        elif ufunc in (*KINDS, np.subtract) and _is_scattered(ufunc, a.dtype, *values):
            value = ev.call(np.negative, values, {}) if ufunc is np.subtract else values[0]
            value = ev.call(np.asarray, (value,), {})
            ev.accumulate_at(a, indices, value, KINDS.get(ufunc, "add"))
        elif any(isinstance(each, (Array, List, list)) for each in _items(indices)):
            ev.inline(folding.at, (ufunc, a, indices, values), {}, ev.node)
        else:
            old = ev.call(np.asarray, (ev.subscript(a, indices),), {})
            ev.store_item(a, indices, _each_at(ev, ufunc, old, values))

    return call


def _items(index: Any) -> tuple:
    return index if isinstance(index, tuple) else (index,)


def _each_at(ev: Evaluator, ufunc: np.ufunc, old: Any, values: tuple) -> Any:
    """The values that `ufunc.at` stores if no index is repeated."""
    given = (ev.call(np.asarray, (each,), {}) for each in values)
    new = ev.call(ufunc, (old, *given), {})
    return ev.call(np.astype, (new, old.dtype), {})


def _is_scattered(ufunc: np.ufunc, dtype: np.dtype, value: Any) -> bool:
    """Whether a scatter in the array's dtype gives the result of `ufunc.at`.

    NumPy computes in the common dtype, for which a Python number counts as an array. The result is
    the same for integers, which wrap around, and for floats that are exact in the array's dtype.
    """
    is_extremum = ufunc in (np.maximum, np.minimum)
    if dtype.kind == "c" and is_extremum:
        return False
    if type(value) is float and dtype.kind == "f" and float(dtype.type(value)) == value:
        return True
    if (ufunc is np.subtract or dtype == BOOL) and held_dtype(value) == BOOL:
        return False
    made = np.result_type(dtype, held_dtype(value))
    return made == dtype or (not is_extremum and {dtype.kind, made.kind} <= set("iu"))


KINDS: dict[Any, str] = {np.add: "add", np.multiply: "mul", np.minimum: "min", np.maximum: "max"}
argmax, argmin = _arg("max"), _arg("min")
all_, any_ = _logical(_and), _logical(_or)
cumsum, cumprod = _scan("add", np.add), _scan("mul", np.multiply)


@functools.cache
def handlers() -> dict[Any, Callable[..., Any]]:
    table: dict[Any, Callable[..., Any]] = {
        np.sum: sum_, np.prod: prod, np.min: minimum, np.max: maximum, np.amin: minimum,
        np.amax: maximum, np.all: all_, np.any: any_, np.argmax: argmax, np.argmin: argmin,
        np.mean: mean, np.var: var, np.std: std, np.ptp: ptp, np.cumsum: cumsum,
        np.cumprod: cumprod, np.count_nonzero: count_nonzero, np.trace: trace,
    }  # fmt: skip
    reductions = {
        np.add: sum_, np.multiply: prod, np.minimum: _min, np.maximum: _max,
        np.logical_and: _and, np.logical_or: _or,
    }  # fmt: skip
    table |= {ufunc.reduce: reduce_method(by) for ufunc, by in reductions.items()}
    for ufunc, kind in KINDS.items():
        table[ufunc.accumulate] = accumulate_method(kind, ufunc)
    return table
