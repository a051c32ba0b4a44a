"""`a[mask]` as a value: all of `a`, and which of its elements count.

Such a value has a length that only run time knows. Elementwise functions of values under one
mask, reductions, and stores through that mask need no more than this; the rest is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np

from ingot._core import Value
from ingot.dtypes import FLOAT, INT
from ingot.syntax.ops import fresh, predicate
from ingot.syntax.state import State
from ingot.syntax.values import Array, Scalar, Symbolic


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Masked(Symbolic):
    """The elements of `dense` where `mask`, of the same shape, holds."""

    dense: Array
    mask: Value
    described: ClassVar[str] = "an array selected by a mask"

    @property
    def dtype(self) -> np.dtype:
        return self.dense.dtype


def refuse(ev: State) -> NoReturn:
    ev.fail(
        "an array selected by a mask has a length known only at run time",
        "reduce it, store it through the same mask, or use np.where(mask, a, 0)",
        page="mask-length",
    )


def common_mask(ev: Any, values: list[Any]) -> Value:
    """The one mask of all masked values."""
    masks = [each.mask for each in values if type(each) is Masked]
    if not all(ev.ops.builder.same(masks[0], mask) for mask in masks[1:]):
        refuse(ev)
    return masks[0]


def elementwise(ev: Any, ufunc: np.ufunc, operands: tuple) -> Masked:
    """A ufunc of values under one mask and numbers."""
    mask = common_mask(ev, list(operands))
    dense = [each.dense if type(each) is Masked else ev.as_array(each) for each in operands]
    is_number = [type(each) is Masked or not getattr(each, "shape", ()) for each in operands]
    # The check of integer powers would see elements that do not count.
    if not all(is_number) or (ufunc is np.power and all(d.dtype.kind in "iu" for d in dense[:1])):
        refuse(ev)
    return Masked(ev.call(ufunc, tuple(dense), {}), mask)


def count(ev: Any, value: Masked) -> Scalar:
    """How many elements there are."""
    ones = ev.ops.convert(value.mask, INT)
    total = ev.ops.reduce("add", ones, range(len(ones.shape)))
    return Scalar(total, INT, int, None, 0, value.dense.size)


def _mask_array(value: Masked) -> Array:
    return fresh(value.mask)


def _check_axis(ev: Any, axis: Any) -> None:
    if axis not in (None, 0, -1):
        refuse(ev)


def _reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(ev: Any, value: Masked, axis: Any = None) -> Any:
        _check_axis(ev, axis)
        return ev.call(function, (value.dense,), {"where": _mask_array(value)})

    return call


def _extremum(function: Callable[..., Any], is_max: bool) -> Callable[..., Any]:
    def call(ev: Any, value: Masked, axis: Any = None) -> Any:
        _check_axis(ev, axis)
        if value.dtype.kind not in "iuf":
            refuse(ev)
        number = count(ev, value).value
        some = predicate(ev.ops.compare("gt", number, ev.ops.constant(0, INT), INT))
        name = "maximum" if is_max else "minimum"
        ev.check(
            some,
            "ValueError",
            f"zero-size array to reduction operation {name} which has no identity",
        )
        info: Any = np.finfo(value.dtype) if value.dtype.kind == "f" else np.iinfo(value.dtype)
        limit = info.min if is_max else info.max
        if value.dtype.kind == "f":
            limit = -np.inf if is_max else np.inf
        start = value.dtype.type(limit)
        return ev.call(function, (value.dense,), {"where": _mask_array(value), "initial": start})

    return call


def mean(ev: Any, value: Masked, axis: Any = None) -> Any:
    _check_axis(ev, axis)
    dtype = FLOAT if value.dtype.kind in "biu" else value.dtype
    # NumPy adds up float16 in float32.
    dtype = np.dtype("float32") if dtype == np.float16 else dtype
    total = ev.call(np.sum, (value.dense,), {"where": _mask_array(value), "dtype": dtype})
    number = Scalar(ev.ops.convert(count(ev, value).value, dtype), dtype)
    result = ev.call(np.true_divide, (total, number), {})
    return ev.call(np.astype, (result, value.dtype), {}) if value.dtype == np.float16 else result


def var(ev: Any, value: Masked, axis: Any = None, *, ddof: Any = 0) -> Any:
    _check_axis(ev, axis)
    if value.dtype.kind == "c":
        refuse(ev)
    center = mean(ev, value)
    gap = ev.call(np.subtract, (value.dense, center), {})
    square = ev.call(np.multiply, (gap, gap), {})
    total = ev.call(np.sum, (square,), {"where": _mask_array(value)})
    free = ev.ops.constant(-ev.static(ddof, "ddof"), INT)
    free = ev.ops.elementwise("add", [count(ev, value).value, free], (INT, INT))
    number = Scalar(ev.ops.convert(free, total.dtype), total.dtype)
    return ev.call(np.true_divide, (total, number), {})


def std(ev: Any, value: Masked, axis: Any = None, *, ddof: Any = 0) -> Any:
    return ev.call(np.sqrt, (var(ev, value, axis, ddof=ddof),), {})


def _copy(ev: Any, value: Masked) -> Masked:
    return value


def _astype(ev: Any, value: Masked, dtype: Any) -> Masked:
    return Masked(ev.call(np.astype, (value.dense, dtype), {}), value.mask)


METHODS: dict[str, Callable[..., Any]] = {
    "sum": _reduction(np.sum), "prod": _reduction(np.prod), "any": _reduction(np.any),
    "all": _reduction(np.all), "max": _extremum(np.max, True), "min": _extremum(np.min, False),
    "mean": mean, "var": var, "std": std, "copy": _copy, "astype": _astype,
}  # fmt: skip
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{getattr(np, name): METHODS[name] for name in METHODS},
    np.amax: METHODS["max"], np.amin: METHODS["min"], len: count,
    np.size: count, np.count_nonzero: lambda ev, value: ev.call(
        np.sum, (elementwise(ev, np.not_equal, (value, 0)).dense,), {"where": _mask_array(value)}
    ),
}  # fmt: skip


def call(ev: Any, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """A function with a masked argument."""
    if isinstance(function, np.ufunc) and not kwargs and len(args) == function.nin:
        return elementwise(ev, function, args)
    try:
        handler = FUNCTIONS.get(function)
    except TypeError:
        handler = None
    if handler is None or type(args[0]) is not Masked:
        refuse(ev)
    return handler(ev, *args, **kwargs)


def attribute(ev: Any, value: Masked, name: str) -> Any:
    if name == "size":
        return count(ev, value)
    if name in ("dtype", "ndim"):
        return value.dtype if name == "dtype" else 1
    refuse(ev)
