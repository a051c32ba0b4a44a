"""`a[mask]` as a value: all of `a`, and which of its elements count.

Such a value has an axis whose length only run time knows. Elementwise functions of values under
one mask, reductions, products that sum over that axis, and stores through that mask need no more
than this; the rest is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np

from ingot._core import Value
from ingot.dtypes import BOOL, INT
from ingot.numpy.library import sorting
from ingot.syntax.ops import fresh, predicate
from ingot.syntax.state import State
from ingot.syntax.values import Array, Scalar, Symbolic


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Masked(Symbolic):
    """The parts of `dense` where `mask` holds.

    Attributes:
        dense: all parts.
        mask: of which axes of `dense` from `place` on; they are one axis of this value.
        place: which axis of this value counts what the mask selects.
    """

    dense: Array
    mask: Value
    place: int = 0
    described: ClassVar[str] = "an array selected by a mask"

    @property
    def dtype(self) -> np.dtype:
        return self.dense.dtype

    @property
    def width(self) -> int:
        """How many axes the mask has."""
        return len(self.mask.shape)

    @property
    def ndim(self) -> int:
        return self.dense.ndim - self.width + 1

    @property
    def after(self) -> int:
        """How many axes follow those of the mask."""
        return self.dense.ndim - self.place - self.width


def refuse(ev: State) -> NoReturn:
    ev.fail(
        "an array selected by a mask has a length known only at run time",
        "reduce it, store it through the same mask, or use np.where(mask, a, 0)",
        page="mask-length",
    )


def common_mask(ev: Any, values: list[Any]) -> Masked:
    """The first masked value; all have its mask, along the same axes."""
    found = [each for each in values if type(each) is Masked]
    first = found[0]
    for each in found[1:]:
        if not ev.ops.builder.same(first.mask, each.mask) or each.after != first.after:
            refuse(ev)
    return first


def _fits(value: Masked, other: Any) -> bool:
    """Whether a plain operand is the same for all that the mask selects."""
    shape = getattr(other, "shape", ())
    extra = len(shape) - value.after
    return extra <= 0 or (value.width == 1 and shape[extra - 1] == 1)


def _checks_exponent(dense: list[Any]) -> bool:
    """Whether a power checks its exponents: it would see elements that do not count."""
    base, exponent = dense
    if not isinstance(base, (Array, Scalar)) or base.dtype.kind not in "iu":
        return not isinstance(base, (Array, Scalar)) and isinstance(base, int)
    return isinstance(exponent, (Array, Scalar)) or exponent < 0


def elementwise(ev: Any, ufunc: np.ufunc, operands: tuple) -> Masked:
    """A ufunc of values under one mask, numbers, and arrays along the axes after the mask's."""
    first = common_mask(ev, list(operands))
    dense = [each.dense if type(each) is Masked else ev.as_array(each) for each in operands]
    fits = [
        type(each) is Masked or _fits(first, plain)
        for each, plain in zip(operands, dense, strict=True)
    ]
    if not all(fits) or (ufunc is np.power and _checks_exponent(dense)):
        refuse(ev)
    place = max(each.place for each in operands if type(each) is Masked)
    return Masked(ev.call(ufunc, tuple(dense), {}), first.mask, place)


def wide_mask(ev: Any, value: Masked) -> Array:
    """The mask with axes for those of the value that follow."""
    return fresh(ev.ops.reshape(value.mask, (*value.mask.shape, *(1,) * value.after)))


def count(ev: Any, value: Masked) -> Scalar:
    """How many the mask selects."""
    ones = ev.ops.convert(value.mask, INT)
    total = ev.ops.reduce("add", ones, range(len(ones.shape)))
    return Scalar(total, INT, int, None, 0, math.prod(value.mask.shape))


def _length(ev: Any, value: Masked) -> Any:
    return count(ev, value) if value.place == 0 else value.dense.shape[0]


def size(ev: Any, value: Masked) -> Any:
    each = value.dense.size // max(math.prod(value.mask.shape), 1)
    number = count(ev, value)
    return number if each == 1 else ev.call(int, (ev.call(np.multiply, (number, each), {}),), {})


# Reductions.


def _axes(ev: Any, value: Masked, axis: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of a reduction: of the value, and of its dense array."""
    axis = ev.static(axis, "an axis")
    given = range(value.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    for each in given:
        if not -value.ndim <= each < value.ndim:
            ev.raise_now(
                np.exceptions.AxisError,
                f"axis {each} is out of bounds for array of dimension {value.ndim}",
            )
    axes = tuple(sorted(each % value.ndim for each in given))
    dense: list[int] = []
    for each in axes:
        start = each if each <= value.place else each + value.width - 1
        dense += range(start, start + (value.width if each == value.place else 1))
    return axes, tuple(dense)


def _reduced(
    ev: Any, function: Any, value: Masked, axis: Any, keepdims: Any, options: dict[str, Any]
) -> Any:
    """A reduction of NumPy's, under the mask where it is along the axis that counts."""
    axes, dense = _axes(ev, value, axis)
    if value.place in axes:
        options = {**options, "where": wide_mask(ev, value)}
    made = ev.call(function, (value.dense,), {"axis": dense, **options})
    is_kept = ev.static(keepdims, "keepdims")
    if is_kept:
        made = ev.call(np.expand_dims, (made, dense if value.place not in axes else axes), {})
    if value.place in axes:
        return made
    gone = 0 if is_kept else sum(each < value.place for each in axes)
    return Masked(made, value.mask, value.place - gone)


def _reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        ev: Any, value: Masked, axis: Any = None, *, keepdims: Any = False, **options: Any
    ) -> Any:
        return _reduced(ev, function, value, axis, keepdims, options)

    return call


def _extremum(function: Callable[..., Any], is_max: bool) -> Callable[..., Any]:
    def call(
        ev: Any, value: Masked, axis: Any = None, *, keepdims: Any = False, initial: Any = None
    ) -> Any:
        if value.dtype.kind not in "iuf":
            refuse(ev)
        if initial is not None:
            return _reduced(ev, function, value, axis, keepdims, {"initial": initial})
        if value.place not in _axes(ev, value, axis)[0]:
            return _reduced(ev, function, value, axis, keepdims, {})
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
        options = {"initial": value.dtype.type(limit)}
        return _reduced(ev, function, value, axis, keepdims, options)

    return call


def std(ev: Any, value: Masked, axis: Any = None, **options: Any) -> Any:
    return ev.call(np.sqrt, (_var(ev, value, axis, **options),), {})


def _ptp(ev: Any, value: Masked, axis: Any = None) -> Any:
    ends = (METHODS["max"](ev, value, axis), METHODS["min"](ev, value, axis))
    return ev.call(np.subtract, ends, {})


def _count_nonzero(ev: Any, value: Masked, axis: Any = None) -> Any:
    return METHODS["sum"](ev, elementwise(ev, np.not_equal, (value, 0)), axis)


def _median(ev: Any, value: Masked, axis: Any = None) -> Any:
    if value.ndim != 1 or axis not in (None, 0, -1) or value.dtype.kind not in "iuf":
        refuse(ev)
    flat = ev.call(np.ravel, (value.dense,), {})
    return ev.inline(sorting.masked_median, (flat, _flat_mask(ev, value)), {}, ev.node)


# Products.


def _flat_mask(ev: Any, value: Masked) -> Array:
    return ev.call(np.ravel, (fresh(value.mask),), {})


def matmul(ev: Any, left: Any, right: Any) -> Any:
    """`left @ right`, where the sum is over the axis that counts, or over another."""
    first, second = _as_lines(ev, left), _as_lines(ev, right)
    one, other = type(first) is Masked, type(second) is Masked
    sums = (
        one and first.place == first.ndim - 1,
        other and second.place == max(second.ndim - 2, 0),
    )
    ranks = [each.ndim if isinstance(each, (Array, Masked)) else 0 for each in (first, second)]
    if not all(0 < rank <= 2 for rank in ranks):
        refuse(ev)
    if all(sums):
        if not ev.ops.builder.same(first.mask, second.mask) or first.dtype == BOOL:
            refuse(ev)
        return ev.call(np.matmul, (_filled(ev, first), _filled(ev, second)), {})
    if one and not other and not sums[0]:
        return Masked(ev.call(np.matmul, (first.dense, second), {}), first.mask, first.place)
    if other and not one and not sums[1]:
        place = second.place - (ranks[0] == 1)
        return Masked(ev.call(np.matmul, (first, second.dense), {}), second.mask, place)
    refuse(ev)


def _as_lines(ev: Any, value: Any) -> Any:
    """An operand of a product; one whose only axis counts has a mask of one axis."""
    if type(value) is not Masked:
        return ev.as_array(value)
    if value.width == 1:
        return value
    if value.ndim != 1:
        refuse(ev)
    return Masked(ev.call(np.ravel, (value.dense,), {}), ev.read(_flat_mask(ev, value)))


def _filled(ev: Any, value: Masked) -> Array:
    return ev.call(np.where, (wide_mask(ev, value), value.dense, value.dtype.type(0)), {})


# Functions, methods and attributes.


def _copy(ev: Any, value: Masked) -> Masked:
    return value


def _astype(ev: Any, value: Masked, dtype: Any) -> Masked:
    return Masked(ev.call(np.astype, (value.dense, dtype), {}), value.mask, value.place)


def transposed(ev: Any, value: Masked) -> Masked:
    axes = range(value.dense.ndim)
    of_mask = axes[value.place : value.place + value.width]
    rest = [axis for axis in axes if axis not in of_mask][::-1]
    place = value.ndim - 1 - value.place
    dense = ev.call(np.transpose, (value.dense, (*rest[:place], *of_mask, *rest[place:])), {})
    return Masked(dense, value.mask, place)


_var = _reduction(np.var)
METHODS: dict[str, Callable[..., Any]] = {
    "sum": _reduction(np.sum), "prod": _reduction(np.prod), "any": _reduction(np.any),
    "all": _reduction(np.all), "max": _extremum(np.max, True), "min": _extremum(np.min, False),
    "mean": _reduction(np.mean), "var": _var, "std": std, "copy": _copy, "astype": _astype,
    "dot": matmul, "ptp": _ptp, "transpose": transposed,
}  # fmt: skip
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{getattr(np, name): METHODS[name] for name in METHODS},
    np.amax: METHODS["max"], np.amin: METHODS["min"], len: _length, np.size: size,
    np.count_nonzero: _count_nonzero, np.matmul: matmul, np.median: _median,
    np.ndim: lambda ev, value: value.ndim,
}  # fmt: skip


def call(ev: Any, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """A function with a masked argument."""
    is_product = function is np.matmul or function is np.dot
    is_ufunc = isinstance(function, np.ufunc) and not is_product and not kwargs
    if is_ufunc and len(args) == function.nin:
        return elementwise(ev, function, args)
    try:
        handler = FUNCTIONS.get(function)
    except TypeError:
        handler = None
    if handler is None or not (is_product or type(args[0]) is Masked):
        refuse(ev)
    try:
        return handler(ev, *args, **kwargs)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        refuse(ev)


def attribute(ev: Any, value: Masked, name: str) -> Any:
    if name == "size":
        return size(ev, value)
    if name == "T":
        return transposed(ev, value)
    if name in ("dtype", "ndim"):
        return value.dtype if name == "dtype" else value.ndim
    refuse(ev)
