"""`a[mask]` as a value: the whole array `a`, and the mask that selects its elements.

Such a value has an axis whose length is known only at run time. It supports elementwise functions
of values under one mask, reductions, products that sum over that axis, and stores through the
mask. Everything else is refused.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from ingot._core import Value
from ingot.dtypes import BOOL, INT
from ingot.numpy.library import sorting
from ingot.numpy.ufuncs import store_out
from ingot.syntax import views
from ingot.syntax.contents import HOLDERS
from ingot.syntax.dynamic import Part
from ingot.syntax.ops import fresh, predicate
from ingot.syntax.state import State
from ingot.syntax.values import Array, List, Scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Masked(Part):
    """The elements of `dense` where `mask` is true.

    Attributes:
        dense: the whole array.
        mask: booleans that cover `width` axes of `dense`, from `axis` on.
        axis: the first axis of `dense` that the mask covers; also the masked axis of this value,
            which has one item for each true element of the mask.
    """

    dense: Array
    mask: Value
    axis: int = 0
    described: ClassVar[str] = "an array selected by a mask"

    @property
    def width(self) -> int:
        """The number of axes that the mask covers."""
        return len(self.mask.shape)

    @property
    def ndim(self) -> int:
        return self.dense.ndim - self.width + 1

    @property
    def bounds(self) -> tuple[int, ...]:
        shape, size = self.dense.shape, math.prod(self.mask.shape)
        return (*shape[: self.axis], size, *shape[self.axis + self.width :])

    @property
    def is_open(self) -> tuple[bool, ...]:
        return tuple(axis == self.axis for axis in range(self.ndim))

    @property
    def after(self) -> int:
        """The number of axes of `dense` after those that the mask covers."""
        return self.dense.ndim - self.axis - self.width


HOLDERS.add(Masked)


def refuse(ev: State) -> NoReturn:
    ev.fail(
        "an array selected by a mask has a length known only at run time",
        "reduce it, store it through the same mask, or use np.where(mask, a, 0)",
        page="mask-length",
    )


def common_mask(ev: Evaluator, values: list[Any]) -> Masked:
    """The first masked value. All others must have the same mask along the same axes."""
    found = [each for each in values if type(each) is Masked]
    first = found[0]
    for each in found[1:]:
        if not ev.ops.builder.same(first.mask, each.mask) or each.after != first.after:
            refuse(ev)
    return first


def _fits(value: Masked, other: Any) -> bool:
    """Whether a plain operand broadcasts along the masked axis."""
    shape = getattr(other, "shape", ())
    extra = len(shape) - value.after
    return extra <= 0 or (value.width == 1 and shape[extra - 1] == 1)


def checks_exponent(dense: list[Any]) -> bool:
    """Whether a power checks its exponents. The check would see elements that are not selected."""
    base, exponent = dense
    if not isinstance(base, (Array, Scalar)) or base.dtype.kind not in "iu":
        return not isinstance(base, (Array, Scalar)) and isinstance(base, int)
    return isinstance(exponent, (Array, Scalar)) or exponent < 0


def elementwise(ev: Evaluator, ufunc: Callable[..., Any], operands: tuple) -> Masked:
    """Apply an elementwise function to values under one mask.

    Other operands are numbers, and arrays that broadcast along the masked axis.
    """
    first = common_mask(ev, list(operands))
    dense = [each.dense if type(each) is Masked else ev.as_array(each) for each in operands]
    fits = [
        type(each) is Masked or _fits(first, plain)
        for each, plain in zip(operands, dense, strict=True)
    ]
    if not all(fits) or (ufunc is np.power and checks_exponent(dense)):
        refuse(ev)
    made = ev.call(ufunc, tuple(dense), {})
    # Other operands may have further axes in front.
    behind = first.width + first.after
    return each_result(made, lambda one: Masked(one, first.mask, one.ndim - behind))


def each_result(made: Any, put: Callable[[Any], Any]) -> Any:
    """What a function has made of each result of an elementwise one, which may have several."""
    return tuple(map(put, made)) if isinstance(made, tuple) else put(made)


def nothing(ev: Any, dense: Array, mask: Value, axis: int) -> Array:
    """What a mask without elements selects: its length is known when the program is compiled."""
    shape = (*dense.shape[:axis], 0, *dense.shape[axis + len(mask.shape) :])
    return ev.call(np.zeros, (shape, dense.dtype), {})


def wide_mask(ev: Any, value: Masked) -> Array:
    """The mask with axes of extent 1 appended, so that it broadcasts with `value.dense`."""
    return fresh(ev.ops.reshape(value.mask, (*value.mask.shape, *(1,) * value.after)))


def count(ev: Evaluator, value: Masked) -> Scalar:
    """The number of true elements of the mask."""
    ones = ev.ops.convert(value.mask, INT)
    total = ev.ops.reduce("add", ones, range(len(ones.shape)))
    return Scalar(total, INT, int, None, 0, math.prod(value.mask.shape))


def _length(ev: Evaluator, value: Masked) -> Any:
    return count(ev, value) if value.axis == 0 else value.dense.shape[0]


def size(ev: Evaluator, value: Masked) -> Any:
    each = value.dense.size // max(math.prod(value.mask.shape), 1)
    number = count(ev, value)
    return number if each == 1 else ev.call(int, (ev.call(np.multiply, (number, each), {}),), {})


# Items.


def item(ev: Evaluator, value: Masked, index: Any) -> Masked:
    """`value[index]`: a view along the other axes, or a copy if the index is another mask."""
    if type(index) is Masked:
        return Masked(fresh(ev.read(value.dense), ev.location), _both_masks(ev, value, index))
    items, axis = _dense_index(ev, value, index)
    return Masked(ev.subscript(value.dense, items), value.mask, axis)


def store(ev: Evaluator, base: Masked, index: Any, value: Any) -> None:
    """`base[index] = value`. Elements that are not selected may get any value."""
    if type(index) is Masked:
        target = Masked(base.dense, _both_masks(ev, base, index))
        ev.store_selected(target.dense, target, value)
        return
    target = item(ev, base, index)
    ev.store_item(base.dense, _dense_index(ev, base, index)[0], ev.spread(value, target))


def update(ev: Evaluator, old: Masked, new: Any) -> Masked:
    """`old op= ...`: store the result of the operation."""
    if type(new) is not Masked or (new.axis, new.ndim) != (old.axis, old.ndim):
        refuse(ev)
    store_out(ev, old.dense, ev.read(new.dense), new.dtype)
    return old


def _both_masks(ev: Evaluator, value: Masked, index: Masked) -> Value:
    """The mask of `value[index]`, where the index is a mask itself."""
    is_same = ev.ops.builder.same(value.mask, index.mask) and value.axis == index.axis == 0
    if not is_same or index.dtype != BOOL or index.after > value.after:
        refuse(ev)
    return ev.read(ev.call(np.logical_and, (wide_mask(ev, index), index.dense), {}))


def _dense_index(ev: Evaluator, value: Masked, index: Any) -> tuple[tuple, int]:
    """An index that leaves the masked axis whole, as an index of the dense array.

    Returns:
        the index, and the masked axis of its result.
    """
    items = list(index) if isinstance(index, tuple) else [index]
    items = [ev.as_indices(each) if isinstance(each, (list, List)) else each for each in items]
    used = sum(each is not None and each is not Ellipsis for each in items)
    if used > value.ndim:
        message = f"array is {value.ndim}-dimensional, but {used} were indexed"
        ev.raise_now(IndexError, f"too many indices for array: {message}")
    found: list[Any] = []
    source = axis = 0
    for each in views.filled(items, value.ndim - used):
        if each is None:
            axis += source <= value.axis
            found.append(None)
            continue
        if source == value.axis and not views.is_whole(each):
            refuse(ev)
        axis += source < value.axis and isinstance(each, slice)
        found += [each] * (value.width if source == value.axis else 1)
        source += 1
    _check_arrays(ev, found)
    return tuple(found), axis


def _check_arrays(ev: Evaluator, items: list[Any]) -> None:
    """Refuse further masks, and index arrays whose axes NumPy would move to the front."""
    selecting = [each for each in items if each is not None and not isinstance(each, slice)]
    arrays = [each for each in selecting if isinstance(each, (Array, Masked))]
    is_mask = any(type(each) is Masked or each.dtype == BOOL for each in arrays)
    is_first = arrays and not isinstance(items[0], slice)
    if is_mask or is_first or (arrays and len(selecting) > 1):
        refuse(ev)


# Reductions.


def _axes(ev: Evaluator, value: Masked, axis: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of a reduction, as axes of the value and as axes of its dense array."""
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
        start = each if each <= value.axis else each + value.width - 1
        dense += range(start, start + (value.width if each == value.axis else 1))
    return axes, tuple(dense)


def _reduced(
    ev: Evaluator, function: Any, value: Masked, axis: Any, keepdims: Any, options: dict[str, Any]
) -> Any:
    """A NumPy reduction; it gets the mask as `where` if it reduces the masked axis."""
    axes, dense = _axes(ev, value, axis)
    if options.pop("where", True) is not True:
        refuse(ev)
    if value.axis in axes:
        options = {**options, "where": wide_mask(ev, value)}
    made = ev.call(function, (value.dense,), {"axis": dense, **options})
    is_kept = ev.static(keepdims, "keepdims")
    if is_kept:
        made = ev.call(np.expand_dims, (made, dense if value.axis not in axes else axes), {})
    if value.axis in axes:
        return made
    gone = 0 if is_kept else sum(each < value.axis for each in axes)
    return Masked(made, value.mask, value.axis - gone)


def _reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        ev: Evaluator, value: Masked, axis: Any = None, *, keepdims: Any = False, **options: Any
    ) -> Any:
        return _reduced(ev, function, value, axis, keepdims, options)

    return call


def identity(dtype: np.dtype, is_max: bool) -> Any:
    """The identity of `max` or `min` in a dtype."""
    if dtype.kind == "f":
        return dtype.type(-np.inf if is_max else np.inf)
    info = np.iinfo(dtype)
    return dtype.type(info.min if is_max else info.max)


def _extremum(function: Callable[..., Any], is_max: bool) -> Callable[..., Any]:
    def call(
        ev: Evaluator,
        value: Masked,
        axis: Any = None,
        *,
        keepdims: Any = False,
        initial: Any = None,
    ) -> Any:
        if value.dtype.kind not in "iuf":
            refuse(ev)
        if initial is not None:
            return _reduced(ev, function, value, axis, keepdims, {"initial": initial})
        if value.axis not in _axes(ev, value, axis)[0]:
            return _reduced(ev, function, value, axis, keepdims, {})
        number = count(ev, value).value
        some = predicate(ev.ops.compare("gt", number, ev.ops.constant(0, INT), INT))
        name = "maximum" if is_max else "minimum"
        message = f"zero-size array to reduction operation {name} which has no identity"
        ev.check(some, "ValueError", message)
        options = {"initial": identity(value.dtype, is_max)}
        return _reduced(ev, function, value, axis, keepdims, options)

    return call


def std(ev: Evaluator, value: Masked, axis: Any = None, **options: Any) -> Any:
    return ev.call(np.sqrt, (_var(ev, value, axis, **options),), {})


def _ptp(ev: Evaluator, value: Masked, axis: Any = None) -> Any:
    ends = (METHODS["max"](ev, value, axis), METHODS["min"](ev, value, axis))
    return ev.call(np.subtract, ends, {})


def _count_nonzero(ev: Evaluator, value: Masked, axis: Any = None) -> Any:
    return METHODS["sum"](ev, elementwise(ev, np.not_equal, (value, 0)), axis)


def _lines(ev: Evaluator, value: Masked, axis: int | None) -> tuple[Array, Array]:
    """The dense array with the masked axis first, and the flat mask; None flattens all axes."""
    if axis is None:
        wide = ev.ops.broadcast(ev.read(wide_mask(ev, value)), value.dense.shape)
        return ev.call(np.ravel, (value.dense,), {}), ev.call(np.ravel, (fresh(wide),), {})
    axes = range(value.dense.ndim)
    of_mask = axes[value.axis : value.axis + value.width]
    rest = [each for each in axes if each not in of_mask]
    first = ev.call(np.transpose, (value.dense, (*of_mask, *rest)), {})
    shape = (math.prod(value.mask.shape), *(value.dense.shape[each] for each in rest))
    return ev.call(np.reshape, (first, shape), {}), flat_mask(ev, value)


def _along(ev: Evaluator, value: Masked, axis: Any) -> int | None:
    """The one axis that a function works along; None if it takes all elements."""
    axis = ev.static(axis, "an axis")
    if value.dtype.kind not in "iuf" or isinstance(axis, tuple):
        refuse(ev)
    return None if axis is None else _axes(ev, value, axis)[0][0]


def _median(ev: Evaluator, value: Masked, axis: Any = None) -> Any:
    along = _along(ev, value, axis)
    if along not in (None, value.axis):
        return _reduced(ev, np.median, value, axis, False, {})
    return ev.inline(sorting.masked_median, _lines(ev, value, along), {}, ev.node)


def _quantile(by: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        ev: Evaluator, value: Masked, q: Any, axis: Any = None, *, method: Any = "linear"
    ) -> Any:
        along = _along(ev, value, axis)
        if along not in (None, value.axis):
            refuse(ev)
        return ev.inline(by, (*_lines(ev, value, along), q, method), {}, ev.node)

    return call


def _arg(function: Callable[..., Any], extremum: str) -> Callable[..., Any]:
    def call(ev: Evaluator, value: Masked, axis: Any = None) -> Any:
        value = _astype(ev, value, np.uint8) if value.dtype == BOOL else value
        along = _along(ev, value, axis)
        if along not in (None, value.axis):
            dense = along if along < value.axis else along + value.width - 1
            made = ev.call(function, (value.dense, dense), {})
            return Masked(made, value.mask, value.axis - (along < value.axis))
        lines = _lines(ev, value, along)
        line = Masked(lines[0], ev.read(lines[1]))
        some = ev.truth(ev.call(np.any, (lines[1],), {}))
        message = f"attempt to get {function.__name__} of an empty sequence"
        ev.check(some, "ValueError", message)
        best = METHODS[extremum](ev, line, 0)
        return ev.inline(sorting.masked_extreme, (*lines, best), {}, ev.node)

    return call


def _norm(
    ev: Evaluator, value: Masked, ord: Any = None, axis: Any = None, keepdims: Any = False
) -> Any:
    """np.linalg.norm of vectors, and the Frobenius norm of all elements."""
    ord, axis = ev.static(ord, "ord"), ev.static(axis, "an axis")
    is_vector = isinstance(axis, int) or (axis is None and value.ndim == 1)
    if not is_vector and (ord not in (None, "fro") or axis is not None):
        refuse(ev)
    value = value if value.dtype.kind in "fc" else _astype(ev, value, float)
    size = elementwise(ev, np.absolute, (value,))
    if ord in (np.inf, -np.inf):
        return METHODS["max" if ord > 0 else "min"](ev, size, axis, keepdims=keepdims)
    if ord == 0:
        size = _astype(ev, elementwise(ev, np.not_equal, (size, 0)), size.dtype)
    elif ord in (None, 2, "fro"):
        size = elementwise(ev, np.square, (size,))
    elif ord != 1:
        refuse(ev)
    total = METHODS["sum"](ev, size, axis, keepdims=keepdims)
    return total if ord in (0, 1) else ev.call(np.sqrt, (total,), {})


# Products.


def flat_mask(ev: Evaluator, value: Masked) -> Array:
    return ev.call(np.ravel, (fresh(value.mask),), {})


def matmul(ev: Evaluator, left: Any, right: Any) -> Any:
    """`left @ right`, which sums over the masked axis or over another one."""
    first, second = _as_lines(ev, left), _as_lines(ev, right)
    one, other = type(first) is Masked, type(second) is Masked
    sums = (
        one and first.axis == first.ndim - 1,
        other and second.axis == max(second.ndim - 2, 0),
    )
    ranks = [each.ndim if isinstance(each, (Array, Masked)) else 0 for each in (first, second)]
    if not all(0 < rank <= 2 for rank in ranks):
        refuse(ev)
    if all(sums):
        if not ev.ops.builder.same(first.mask, second.mask) or first.dtype == BOOL:
            refuse(ev)
        return ev.call(np.matmul, (_filled(ev, first), _filled(ev, second)), {})
    if one and not other and not sums[0]:
        return Masked(ev.call(np.matmul, (first.dense, second), {}), first.mask, first.axis)
    if other and not one and not sums[1]:
        axis = second.axis - (ranks[0] == 1)
        return Masked(ev.call(np.matmul, (first, second.dense), {}), second.mask, axis)
    refuse(ev)


def _as_lines(ev: Evaluator, value: Any) -> Any:
    """An operand of a product; a vector under a mask of several axes is flattened."""
    if type(value) is not Masked:
        return ev.as_array(value)
    if value.width == 1:
        return value
    if value.ndim != 1:
        refuse(ev)
    return Masked(ev.call(np.ravel, (value.dense,), {}), ev.read(flat_mask(ev, value)))


def _filled(ev: Evaluator, value: Masked) -> Array:
    return ev.call(np.where, (wide_mask(ev, value), value.dense, value.dtype.type(0)), {})


# Functions, methods and attributes.


def _copy(ev: Evaluator, value: Masked) -> Masked:
    return Masked(ev.call(np.copy, (value.dense,), {}), value.mask, value.axis)


def copy_in_c_order(ev: Evaluator, value: Masked) -> Masked:
    return Masked(fresh(ev.read(value.dense), ev.location), value.mask, value.axis)


def _astype(ev: Evaluator, value: Masked, dtype: Any) -> Masked:
    return Masked(ev.call(np.astype, (value.dense, dtype), {}), value.mask, value.axis)


def _applied(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is elementwise, but no ufunc."""
    return lambda ev, *operands: elementwise(ev, function, operands)


def transposed(ev: Evaluator, value: Masked) -> Masked:
    axes = range(value.dense.ndim)
    of_mask = axes[value.axis : value.axis + value.width]
    rest = [axis for axis in axes if axis not in of_mask][::-1]
    moved = value.ndim - 1 - value.axis
    dense = ev.call(np.transpose, (value.dense, (*rest[:moved], *of_mask, *rest[moved:])), {})
    return Masked(dense, value.mask, moved)


_var = _reduction(np.var)
METHODS: dict[str, Callable[..., Any]] = {
    "sum": _reduction(np.sum), "prod": _reduction(np.prod), "any": _reduction(np.any),
    "all": _reduction(np.all), "max": _extremum(np.max, True), "min": _extremum(np.min, False),
    "mean": _reduction(np.mean), "var": _var, "std": std, "astype": _astype,
    "copy": copy_in_c_order,
    "dot": matmul, "ptp": _ptp, "transpose": transposed, "argmax": _arg(np.argmax, "max"),
    "argmin": _arg(np.argmin, "min"), "clip": _applied(np.clip), "round": _applied(np.round),
}  # fmt: skip
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{getattr(np, name): METHODS[name] for name in METHODS},
    np.amax: METHODS["max"], np.amin: METHODS["min"], len: _length, np.size: size,
    np.count_nonzero: _count_nonzero, np.matmul: matmul, np.median: _median,
    np.quantile: _quantile(sorting.masked_quantile),
    np.percentile: _quantile(sorting.masked_percentile),
    np.copy: _copy,
    np.ndim: lambda ev, value: value.ndim, np.linalg.norm: _norm, np.around: _applied(np.around),
}  # fmt: skip


def entry_of(table: dict[Any, Any], function: Any) -> Any:
    """The entry of a table for a function; None if there is none or it is not hashable."""
    try:
        return table.get(function)
    except TypeError:
        return None


def call(ev: Evaluator, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call a function with a masked argument."""
    is_product = function is np.matmul or function is np.dot
    is_ufunc = isinstance(function, np.ufunc) and not is_product and not kwargs
    is_chosen = function is np.where and len(args) == 3 and not kwargs
    if is_chosen or (is_ufunc and len(args) == function.nin):
        return elementwise(ev, function, args)
    handler = entry_of(FUNCTIONS, function)
    if handler is None or not (is_product or type(args[0]) is Masked):
        refuse(ev)
    return handled(ev, handler, args, kwargs, lambda: refuse(ev))


def call_method(
    ev: Evaluator, value: Masked, name: str, args: tuple, kwargs: dict[str, Any]
) -> Any:
    return handled(ev, METHODS[name], (value, *args), kwargs, lambda: refuse(ev))


def handled(
    ev: Evaluator,
    handler: Callable[..., Any],
    args: tuple,
    kwargs: dict[str, Any],
    refusal: Callable[[], NoReturn],
) -> Any:
    """The result of a handler; `refusal` is called if it does not take these arguments."""
    try:
        inspect.signature(handler).bind(ev, *args, **kwargs)
    except TypeError:
        refusal()
    return handler(ev, *args, **kwargs)


def attribute(ev: Evaluator, value: Masked, name: str) -> Any:
    if name == "size":
        return size(ev, value)
    if name == "T":
        return transposed(ev, value)
    if name in ("dtype", "ndim"):
        return value.dtype if name == "dtype" else value.ndim
    refuse(ev)
