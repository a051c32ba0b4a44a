"""`a[mask]` as a value: all of `a`, and which of its elements count.

Such a value has an axis whose length only run time knows. Elementwise functions of values under
one mask, reductions, products that sum over that axis, and stores through that mask need no more
than this; the rest is refused.
"""

from __future__ import annotations

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
from ingot.syntax.ops import fresh, predicate
from ingot.syntax.state import State
from ingot.syntax.values import Array, List, Part, Scalar
from ingot_runtime.errors import CompileError, ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Masked(Part):
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
    def width(self) -> int:
        """How many axes the mask has."""
        return len(self.mask.shape)

    @property
    def ndim(self) -> int:
        return self.dense.ndim - self.width + 1

    @property
    def bounds(self) -> tuple[int, ...]:
        shape, size = self.dense.shape, math.prod(self.mask.shape)
        return (*shape[: self.place], size, *shape[self.place + self.width :])

    @property
    def is_open(self) -> tuple[bool, ...]:
        return tuple(axis == self.place for axis in range(self.ndim))

    @property
    def after(self) -> int:
        """How many axes follow those of the mask."""
        return self.dense.ndim - self.place - self.width


HOLDERS.add(Masked)


def refuse(ev: State) -> NoReturn:
    ev.fail(
        "an array selected by a mask has a length known only at run time",
        "reduce it, store it through the same mask, or use np.where(mask, a, 0)",
        page="mask-length",
    )


def common_mask(ev: Evaluator, values: list[Any]) -> Masked:
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


def checks_exponent(dense: list[Any]) -> bool:
    """Whether a power checks its exponents: it would see elements that do not count."""
    base, exponent = dense
    if not isinstance(base, (Array, Scalar)) or base.dtype.kind not in "iu":
        return not isinstance(base, (Array, Scalar)) and isinstance(base, int)
    return isinstance(exponent, (Array, Scalar)) or exponent < 0


def elementwise(ev: Evaluator, ufunc: Callable[..., Any], operands: tuple) -> Masked:
    """A ufunc, or what is like one, of values under one mask, numbers, and arrays along the axes
    after the mask's."""
    first = common_mask(ev, list(operands))
    dense = [each.dense if type(each) is Masked else ev.as_array(each) for each in operands]
    fits = [
        type(each) is Masked or _fits(first, plain)
        for each, plain in zip(operands, dense, strict=True)
    ]
    if not all(fits) or (ufunc is np.power and checks_exponent(dense)):
        refuse(ev)
    place = max(each.place for each in operands if type(each) is Masked)
    return Masked(ev.call(ufunc, tuple(dense), {}), first.mask, place)


def wide_mask(ev: Any, value: Masked) -> Array:
    """The mask with axes for those of the value that follow."""
    return fresh(ev.ops.reshape(value.mask, (*value.mask.shape, *(1,) * value.after)))


def count(ev: Evaluator, value: Masked) -> Scalar:
    """How many the mask selects."""
    ones = ev.ops.convert(value.mask, INT)
    total = ev.ops.reduce("add", ones, range(len(ones.shape)))
    return Scalar(total, INT, int, None, 0, math.prod(value.mask.shape))


def _length(ev: Evaluator, value: Masked) -> Any:
    return count(ev, value) if value.place == 0 else value.dense.shape[0]


def size(ev: Evaluator, value: Masked) -> Any:
    each = value.dense.size // max(math.prod(value.mask.shape), 1)
    number = count(ev, value)
    return number if each == 1 else ev.call(int, (ev.call(np.multiply, (number, each), {}),), {})


# Items.


def item(ev: Evaluator, value: Masked, index: Any) -> Masked:
    """`value[index]`: a view along the other axes, or a copy of what one more mask selects."""
    if type(index) is Masked:
        return Masked(fresh(ev.read(value.dense), ev.location), _both_masks(ev, value, index))
    items, place = _dense_index(ev, value, index)
    return Masked(ev.subscript(value.dense, items), value.mask, place)


def store(ev: Evaluator, base: Masked, index: Any, value: Any) -> None:
    """`base[index] = value`; what becomes of the parts that do not count is of no account."""
    if type(index) is Masked:
        target = Masked(base.dense, _both_masks(ev, base, index))
        ev.store_selected(target.dense, target, value)
        return
    target = item(ev, base, index)
    ev.store_item(base.dense, _dense_index(ev, base, index)[0], ev.spread(value, target))


def update(ev: Evaluator, old: Masked, new: Any) -> Masked:
    """`old op= ...`, which stores what the operation gives."""
    if type(new) is not Masked or (new.place, new.ndim) != (old.place, old.ndim):
        refuse(ev)
    store_out(ev, old.dense, ev.read(new.dense), new.dtype)
    return old


def _both_masks(ev: Evaluator, value: Masked, index: Masked) -> Value:
    """A mask of what one more mask selects of a value."""
    is_same = ev.ops.builder.same(value.mask, index.mask) and value.place == index.place == 0
    if not is_same or index.dtype != BOOL or index.after > value.after:
        refuse(ev)
    return ev.read(ev.call(np.logical_and, (wide_mask(ev, index), index.dense), {}))


def _dense_index(ev: Evaluator, value: Masked, index: Any) -> tuple[tuple, int]:
    """An index that takes all that the mask selects, as one of the dense array, and which axis of
    the result counts."""
    items = list(index) if isinstance(index, tuple) else [index]
    items = [ev.as_indices(each) if isinstance(each, (list, List)) else each for each in items]
    used = sum(each is not None and each is not Ellipsis for each in items)
    if used > value.ndim:
        message = f"array is {value.ndim}-dimensional, but {used} were indexed"
        ev.fail(f"too many indices for array: {message}", kind=ShapeError)
    found: list[Any] = []
    axis = place = 0
    for each in views.filled(items, value.ndim - used):
        if each is None:
            place += axis <= value.place
            found.append(None)
            continue
        if axis == value.place and not views.is_whole(each):
            refuse(ev)
        place += axis < value.place and isinstance(each, slice)
        found += [each] * (value.width if axis == value.place else 1)
        axis += 1
    _check_arrays(ev, found)
    return tuple(found), place


def _check_arrays(ev: Evaluator, items: list[Any]) -> None:
    """Refuse arrays of indices that NumPy would bring to the front, and more masks."""
    selecting = [each for each in items if each is not None and not isinstance(each, slice)]
    arrays = [each for each in selecting if isinstance(each, (Array, Masked))]
    is_mask = any(type(each) is Masked or each.dtype == BOOL for each in arrays)
    is_first = arrays and not isinstance(items[0], slice)
    if is_mask or is_first or (arrays and len(selecting) > 1):
        refuse(ev)


# Reductions.


def _axes(ev: Evaluator, value: Masked, axis: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
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
    ev: Evaluator, function: Any, value: Masked, axis: Any, keepdims: Any, options: dict[str, Any]
) -> Any:
    """A reduction of NumPy's, under the mask where it is along the axis that counts."""
    axes, dense = _axes(ev, value, axis)
    if options.pop("where", True) is not True:
        refuse(ev)
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
        ev: Evaluator, value: Masked, axis: Any = None, *, keepdims: Any = False, **options: Any
    ) -> Any:
        return _reduced(ev, function, value, axis, keepdims, options)

    return call


def neutral(dtype: np.dtype, is_max: bool) -> Any:
    """The number that is never alone the greatest, or the least, of a dtype."""
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
        options = {"initial": neutral(value.dtype, is_max)}
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
    """The dense array and the mask along its first axis: the one that counts, or all elements."""
    if axis is None:
        wide = ev.ops.broadcast(ev.read(wide_mask(ev, value)), value.dense.shape)
        return ev.call(np.ravel, (value.dense,), {}), ev.call(np.ravel, (fresh(wide),), {})
    axes = range(value.dense.ndim)
    of_mask = axes[value.place : value.place + value.width]
    rest = [each for each in axes if each not in of_mask]
    first = ev.call(np.transpose, (value.dense, (*of_mask, *rest)), {})
    shape = (math.prod(value.mask.shape), *(value.dense.shape[each] for each in rest))
    return ev.call(np.reshape, (first, shape), {}), flat_mask(ev, value)


def _along(ev: Evaluator, value: Masked, axis: Any) -> int | None:
    """The one axis of a function, None for all elements."""
    axis = ev.static(axis, "an axis")
    if value.dtype.kind not in "iuf" or isinstance(axis, tuple):
        refuse(ev)
    return None if axis is None else _axes(ev, value, axis)[0][0]


def _median(ev: Evaluator, value: Masked, axis: Any = None) -> Any:
    along = _along(ev, value, axis)
    if along not in (None, value.place):
        return _reduced(ev, np.median, value, axis, False, {})
    return ev.inline(sorting.masked_median, _lines(ev, value, along), {}, ev.node)


def _quantile(by: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        ev: Evaluator, value: Masked, q: Any, axis: Any = None, *, method: Any = "linear"
    ) -> Any:
        along = _along(ev, value, axis)
        if along not in (None, value.place):
            refuse(ev)
        return ev.inline(by, (*_lines(ev, value, along), q, method), {}, ev.node)

    return call


def _arg(function: Callable[..., Any], extremum: str) -> Callable[..., Any]:
    def call(ev: Evaluator, value: Masked, axis: Any = None) -> Any:
        value = _astype(ev, value, np.uint8) if value.dtype == BOOL else value
        along = _along(ev, value, axis)
        if along not in (None, value.place):
            dense = along if along < value.place else along + value.width - 1
            made = ev.call(function, (value.dense, dense), {})
            return Masked(made, value.mask, value.place - (along < value.place))
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


def _as_lines(ev: Evaluator, value: Any) -> Any:
    """An operand of a product; one whose only axis counts has a mask of one axis."""
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
    return Masked(fresh(ev.read(value.dense), ev.location), value.mask, value.place)


def _astype(ev: Evaluator, value: Masked, dtype: Any) -> Masked:
    return Masked(ev.call(np.astype, (value.dense, dtype), {}), value.mask, value.place)


def _applied(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of each element that is no ufunc."""
    return lambda ev, *operands: elementwise(ev, function, operands)


def transposed(ev: Evaluator, value: Masked) -> Masked:
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
    "dot": matmul, "ptp": _ptp, "transpose": transposed, "argmax": _arg(np.argmax, "max"),
    "argmin": _arg(np.argmin, "min"), "clip": _applied(np.clip), "round": _applied(np.round),
}  # fmt: skip
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{getattr(np, name): METHODS[name] for name in METHODS},
    np.amax: METHODS["max"], np.amin: METHODS["min"], len: _length, np.size: size,
    np.count_nonzero: _count_nonzero, np.matmul: matmul, np.median: _median,
    np.quantile: _quantile(sorting.masked_quantile),
    np.percentile: _quantile(sorting.masked_percentile),
    np.ndim: lambda ev, value: value.ndim, np.linalg.norm: _norm, np.around: _applied(np.around),
}  # fmt: skip


def entry_of(table: dict[Any, Any], function: Any) -> Any:
    """What a table has for a function, None for others and for what is not hashable."""
    try:
        return table.get(function)
    except TypeError:
        return None


def call(ev: Evaluator, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """A function with a masked argument."""
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
    """What a handler gives; `refusal` is called for arguments that it does not take."""
    try:
        return handler(ev, *args, **kwargs)
    except TypeError as error:
        if isinstance(error, CompileError) or "argument" not in str(error):
            raise
        refusal()


def attribute(ev: Evaluator, value: Masked, name: str) -> Any:
    if name == "size":
        return size(ev, value)
    if name == "T":
        return transposed(ev, value)
    if name in ("dtype", "ndim"):
        return value.dtype if name == "dtype" else value.ndim
    refuse(ev)
