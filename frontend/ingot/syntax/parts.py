"""Arrays whose lengths are known only at run time: dispatch to `masked` and `sliced`.

`masked` handles what a mask selects, `sliced` what slices cut out. A function without an entry here
for sliced values uses that of masked ones, if just one axis is open.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ingot.dimensions import decided, depends
from ingot.numpy import inspection
from ingot.numpy.layout import axes_by, strides_of
from ingot.numpy.library import selection
from ingot.syntax import (
    arranged,
    contracted,
    cuts,
    growth,
    lengths,
    masked,
    pieces,
    sliced,
    spans,
    systems,
)
from ingot.syntax.dynamic import Part, Sliced, Span
from ingot.syntax.lengths import Unbounded
from ingot.syntax.masked import Masked
from ingot.syntax.ops import fresh
from ingot.syntax.values import (
    Array,
    Scalar,
    Symbolic,
    is_view,
)
from ingot_runtime.errors import UnsupportedError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: The types of the values that this module handles.
PARTS = frozenset([Masked, Sliced, Unbounded])


def _by_masks(ev: Evaluator, values: tuple, call: Callable[[ModuleType, tuple], Any]) -> Any:
    """Call `masked` if it supports these values, else `sliced` with packed values."""
    _check_bounded(ev, values)
    if Sliced not in map(type, values):
        try:
            return call(masked, values)
        except UnsupportedError:
            pass
    return call(sliced, _packed_all(ev, values))


def _check_bounded(ev: Evaluator, values: tuple) -> None:
    if Unbounded in map(type, values):
        lengths.refuse_any_length(ev)


def _packed_all(ev: Evaluator, values: tuple) -> tuple:
    """The values, with masked ones packed."""
    return tuple(packed(ev, each) if type(each) is Masked else each for each in values)


def refuse(ev: Any, value: Any) -> NoReturn:
    _check_bounded(ev, (value,))
    if type(value) is Sliced:
        sliced.refuse(ev, [value])
    masked.refuse(ev)


def elementwise(ev: Any, ufunc: Callable[..., Any], operands: tuple) -> Any:
    return _by_masks(ev, operands, lambda by, taken: by.elementwise(ev, ufunc, taken))


def matmul(ev: Any, left: Any, right: Any) -> Any:
    return _by_masks(ev, (left, right), lambda by, taken: by.matmul(ev, *taken))


def item(ev: Any, value: Any, index: Any) -> Any:
    _check_bounded(ev, index if type(index) is tuple else (index,))
    if type(value) is Masked:
        try:
            return masked.item(ev, value, index)
        except UnsupportedError:
            value = packed(ev, value)
    return cuts.item(ev, value, index)


def store_item(ev: Any, base: Any, index: Any, value: Any) -> None:
    if type(base) is Sliced:
        cuts.store_item(ev, base, index, value)
    elif base.width == 1 and base.axis == 0 and isinstance(index, (int, Scalar)):
        # The place of the one that is counted.
        line = Sliced(_positions(ev, base), (Span(0, masked.count(ev, base)),))
        place = cuts.item(ev, line, index)
        ev.store_item(base.dense, place, value)
    else:
        masked.store(ev, base, index, value)


def check_rank(ev: Any, old: Any, new: Any) -> None:
    """Raise what NumPy raises if a result with more axes is written into an array."""
    if type(old) in PARTS and getattr(new, "ndim", 0) > old.ndim:
        ev.raise_now(ValueError, "non-broadcastable output operand: the result has more axes")


def update(ev: Any, old: Any, new: Any) -> Any:
    check_rank(ev, old, new)
    return (sliced if type(old) is Sliced else masked).update(ev, old, new)


def call(ev: Any, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy or Python with a masked or sliced argument."""
    _check_bounded(ev, args)
    out = _out_of(function, args, kwargs)
    if out is not None:
        made = elementwise(ev, function, args[: function.nin])
        return update(ev, out, made) if type(out) in PARTS else _stored(ev, out, made)
    if Sliced not in map(type, args):
        try:
            return masked.call(ev, function, args, kwargs)
        except UnsupportedError:
            if not is_known(function):
                raise
    args = _packed_all(ev, args)
    is_ufunc = isinstance(function, np.ufunc) and function not in (np.matmul, np.vecdot)
    if is_ufunc and not kwargs and len(args) == function.nin:
        return sliced.elementwise(ev, function, args)
    if function is np.where and len(args) == 3 and not kwargs:
        return sliced.elementwise(ev, function, args)
    handler = masked.entry_of(FUNCTIONS, function)
    if handler is not None:
        return masked.handled(ev, handler, args, kwargs, lambda: sliced.refuse(ev, args))
    return _as_masked(ev, masked.call, function, args, kwargs)


def _stored(ev: Evaluator, out: Array, made: Any) -> Array:
    if not np.can_cast(made.dtype, out.dtype, "same_kind"):
        sliced.refuse(ev, [made])
    ev.store_item(out, Ellipsis, made)
    return out


def _out_of(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The `out` argument of a ufunc, or None."""
    if not isinstance(function, np.ufunc) or function.nout != 1 or function is np.matmul:
        return None
    given = args[function.nin :] or tuple(kwargs.values()) if kwargs.keys() <= {"out"} else ()
    return given[0] if len(given) == 1 and isinstance(given[0], (Array, Part)) else None


def is_known(function: Any) -> bool:
    """Whether a function supports sliced arguments."""
    if isinstance(function, Symbolic):
        return False
    is_any = isinstance(function, np.ufunc) or function is np.where
    return is_any or masked.entry_of(FUNCTIONS, function) is not None


def with_joined(ev: Any, function: Any, args: tuple) -> tuple:
    """The arguments of a function, with arrays for lists of arrays of dynamic length where NumPy
    makes an array of a list, as of the positions in `np.sqrt(np.nonzero(a))`."""
    if not any(map(_holds_parts, args)) or not is_known(function) or function in _OF_LISTS:
        return args
    return tuple(ev.call(np.array, (x,), {}) if _holds_parts(x) else x for x in args)


def _holds_parts(value: Any) -> bool:
    return type(value) in (list, tuple) and growth.has_parts(value)


def call_method(ev: Any, value: Any, name: str, args: tuple, kwargs: dict[str, Any]) -> Any:
    if type(value) is Masked and name in masked.METHODS:
        return masked.call_method(ev, value, name, args, kwargs)
    value = packed(ev, value) if type(value) is Masked else value
    if name in METHODS:
        given = (value, *args)
        refusal = lambda: sliced.refuse(ev, given)  # noqa: E731
        return masked.handled(ev, METHODS[name], given, kwargs, refusal)
    return _as_masked(ev, masked.call_method, name, (value, *args), kwargs)


def _as_masked(ev: Evaluator, call: Any, what: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call the version for masked values; without one, ask for lengths at compile time."""
    if type(args[0]) is not Sliced or Sliced in map(type, args[1:]):
        sliced.refuse(ev, args)
    value = sliced.as_masked(ev, args[0])
    try:
        if call is masked.call_method:
            return call(ev, value, what, args[1:], kwargs)
        return call(ev, what, (value, *args[1:]), kwargs)
    except UnsupportedError:
        sliced.refuse(ev, args)


def knows_method(name: str) -> bool:
    return name in masked.METHODS or name in METHODS


def attribute(ev: Any, value: Any, name: str) -> Any:
    if name in ("real", "imag"):
        return call(ev, getattr(np, name), (value,), {})
    if name == "itemsize":
        return value.dtype.itemsize
    if name == "nbytes":
        return ev.binary(ast.Mult, attribute(ev, value, "size"), value.dtype.itemsize)
    if type(value) is Masked and name != "shape":
        return masked.attribute(ev, value, name)
    value = packed(ev, value) if type(value) is Masked else value
    if name == "shape":
        return sliced.shape_of(value)
    if name == "size":
        return sliced.size(ev, value)
    if name == "T":
        return sliced.transposed(ev, value)
    if name in ("dtype", "ndim"):
        return getattr(value, name)
    sliced.refuse(ev, [value])


def gathered(ev: Any, array: Any, index: Any) -> Any:
    """`array[index]`, where the number of indices is known only at run time."""
    if type(index) is tuple or index.dtype.kind == "b":
        return cuts.item(ev, cuts.whole(array), index)
    if index.dtype.kind not in "iu":
        refuse(ev, index)
    if _is_nonzero(ev, array, index):
        return ev.subscript(array, fresh(index.mask))
    is_sliced = type(index) is Sliced
    live = sliced.live(ev, index, index.open_axes) if is_sliced else masked.wide_mask(ev, index)
    inside = ev.call(np.where, (live, index.dense, index.dtype.type(0)), {})
    made = ev.subscript(array, inside)
    if is_sliced:
        return Sliced(made, (*index.spans, *(None,) * (array.ndim - 1)))
    return Masked(made, index.mask, index.axis)


def scattered(ev: Any, array: Any, index: Any, value: Any) -> None:
    """`array[index] = value`, where the number of indices is known only at run time."""
    _check_bounded(ev, index if type(index) is tuple else (index,))
    if _is_nonzero(ev, array, index):
        ev.store_item(array, fresh(index.mask), value)
        return
    cuts.store_item(ev, cuts.whole(array), index, value)


def _is_nonzero(ev: Evaluator, array: Array, index: Any) -> bool:
    """Whether an index is `np.nonzero(mask)[0]`, of a mask along the array's first axis.

    It selects what the mask selects, for which no positions are needed.
    """
    if type(index) is not Masked or not index.ndim == index.width == 1:
        return False
    size = index.dense.size
    if not array.ndim or not decided(lambda: array.shape[0] == size):
        return False
    return ev.ops.builder.same(ev.read(index.dense), ev.ops.iota((size,), 0))


def packed(ev: Any, value: Any) -> Sliced:
    """The same value as a `Sliced` one whose spans all start at 0."""
    return pieces.left_aligned(ev, value if type(value) is Sliced else _gathered(ev, value))


def order_of(value: Any) -> tuple[int, ...] | None:
    """The axes in their order in memory, outermost first; None for a view of a larger array in C
    order."""
    strides = strides_of(value.dense)
    if not strides:
        return tuple(range(value.ndim))
    is_in_c_order = axes_by(strides) == tuple(range(len(strides)))
    if type(value) is Sliced and is_view(value.dense) and is_in_c_order:
        return None
    if type(value) is Masked:
        # The axes of the mask become one, which has the stride of the last of them.
        last = value.axis + value.width
        strides = (*strides[: value.axis], *strides[last - 1 :])
    return axes_by(strides)


def _gathered(ev: Evaluator, value: Masked) -> Sliced:
    """Move the elements that a mask selects, in order, to the start of one axis."""
    shape, axis, size = value.dense.shape, value.axis, math.prod(value.mask.shape)
    line = (*shape[:axis], size, *shape[axis + value.width :])
    dense = ev.call(np.reshape, (value.dense, line), {})
    with lengths.unchecked(ev):
        # These indices are inside.
        dense = ev.subscript(dense, (*[slice(None)] * axis, _positions(ev, value)))
    # A view of what is moved would not see stores to what was selected, nor the other way round.
    ev.relate_copy(dense.storage, value.dense.storage)
    found: list[Any] = [None] * dense.ndim
    found[axis] = Span(0, masked.count(ev, value))
    return Sliced(dense, tuple(found))


def _positions(ev: Evaluator, value: Masked) -> Array:
    """The positions of the elements that a mask selects, in order, as many as the mask has."""
    mask = masked.flat_mask(ev, value)
    if depends(mask.size):
        return ev.inline(selection.mask_positions_by_sort, (mask,), {}, ev.node)  # type: ignore[no-any-return]
    places = ev.ops.create("nonzero", [ev.read(mask)])
    return fresh(ev.ops.note_bounds(places, (0, max(mask.size - 1, 0))))


# Reductions.


def _reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        ev: Any, value: Any, axis: Any = None, *, keepdims: Any = False, **options: Any
    ) -> Any:
        axis, keepdims = ev.static(axis, "an axis"), ev.static(keepdims, "keepdims")
        given = range(value.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        if not all(isinstance(each, int) and -value.ndim <= each < value.ndim for each in given):
            return _as_masked(ev, masked.call, function, (value,), {"axis": axis})
        axes = [each % value.ndim for each in given]
        open_axes = [each for each in axes if value.spans[each] is not None]
        if options.pop("where", True) is not True:
            sliced.refuse(ev, [value])
        options |= {"axis": tuple(axes), "keepdims": keepdims}
        dense = value.dense
        if open_axes and function in (np.max, np.min):
            may_be_empty = options.get("initial", np._NoValue) is not np._NoValue
            dense = _with_identity(ev, function, value, open_axes, may_be_empty)
        elif open_axes:
            mask = sliced.live(ev, value, open_axes)
            options["where"] = ev.call(np.broadcast_to, (mask, dense.shape), {})
        made = ev.call(function, (dense,), options)
        found = [
            None if axis in axes else span
            for axis, span in enumerate(value.spans)
            if keepdims or axis not in axes
        ]
        return sliced.with_spans(made, tuple(found))

    return call


def _with_identity(
    ev: Evaluator, function: Any, value: Sliced, open_axes: list[int], may_be_empty: bool
) -> Any:
    """The dense array with the identity of `max` or `min` at positions that are not live."""
    if value.dtype.kind not in "iuf":
        sliced.refuse(ev, [value])
    name = "maximum" if function is np.max else "minimum"
    message = f"zero-size array to reduction operation {name} which has no identity"
    for axis in () if may_be_empty else open_axes:
        some = spans.compare(ev, "gt", value.spans[axis].count, 0)  # type: ignore[union-attr]
        ev.check(some, "ValueError", message)
    limit = masked.identity(value.dtype, function is np.max)
    mask = sliced.live(ev, value, open_axes)
    return ev.call(np.where, (mask, value.dense, limit), {})


def _norm(
    ev: Evaluator, value: Any, ord: Any = None, axis: Any = None, keepdims: Any = False
) -> Any:
    axis = ev.static(axis, "an axis")
    is_simple = ord is None and (axis is None or isinstance(axis, int))
    if not is_simple or value.dtype.kind not in "fc":
        options = {"ord": ord, "axis": axis, "keepdims": keepdims}
        return _as_masked(ev, masked.call, np.linalg.norm, (value,), options)
    squares = sliced.elementwise(ev, np.square, (elementwise(ev, np.absolute, (value,)),))
    total = ev.call(np.sum, (squares,), {"axis": axis, "keepdims": keepdims})
    return ev.call(np.sqrt, (total,), {})


def _along(ev: Evaluator, value: Any, axis: Any) -> tuple[Sliced, int]:
    """A value whose elements along an axis are left-aligned, and the axis; None flattens it."""
    axis = ev.static(axis, "an axis")
    if axis is None:
        value, axis = ev.packed(ev.call(np.ravel, (value,), {})), 0
    if not isinstance(axis, int) or not -value.ndim <= axis < value.ndim:
        sliced.refuse(ev, [value])
    return pieces.left_aligned(ev, value), axis % value.ndim


def _running(function: Callable[..., Any], default: int | None = None) -> Callable[..., Any]:
    """A cumulative function: no element of the result depends on later elements."""

    def call(ev: Any, value: Any, axis: Any = default, dtype: Any = None) -> Sliced:
        value, axis = _along(ev, value, axis)
        made = ev.call(function, (value.dense,), {"axis": axis, "dtype": dtype})
        return Sliced(made, value.spans)

    return call


def _sorted(function: Callable[..., Any]) -> Callable[..., Any]:
    """np.sort and np.argsort: elements that are not live are sorted to the end."""

    def call(
        ev: Any, value: Any, axis: Any = -1, *, kind: Any = None, stable: Any = None
    ) -> Sliced:
        if value.dtype.kind not in "biuf":
            sliced.refuse(ev, [value])
        value, axis = _along(ev, value, axis)
        if value.spans[axis] is None:
            options = {"axis": axis, "kind": kind, "stable": stable}
            return Sliced(ev.call(function, (value.dense,), options), value.spans)
        last: Any = np.nan if value.dtype.kind == "f" else True
        if value.dtype.kind in "iu":
            last = np.iinfo(value.dtype).max
        mask = sliced.live(ev, value, [axis])
        keys = ev.call(np.where, (mask, value.dense, value.dtype.type(last)), {})
        # A stable sort keeps live elements before others with an equal key.
        made = ev.call(function, (keys,), {"axis": axis, "kind": "stable"})
        return Sliced(made, value.spans)

    return call


def _outer(ev: Evaluator, a: Any, b: Any) -> Any:
    a, b = (each if type(each) is Sliced else ev.as_array(each) for each in (a, b))
    if not getattr(a, "ndim", 0) == getattr(b, "ndim", 0) == 1:
        sliced.refuse(ev, [a, b])
    column = ev.subscript(a, (slice(None), None))
    return sliced.elementwise(ev, np.multiply, (column, b))


def _inner(ev: Evaluator, a: Any, b: Any) -> Any:
    if not all(getattr(each, "ndim", 0) == 1 for each in (a, b)):
        sliced.refuse(ev, [a, b])
    return sliced.matmul(ev, a, b)


def _like(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(ev: Any, value: Any, *args: Any, dtype: Any = None) -> Any:
        return Sliced(ev.call(function, (value.dense, *args), {"dtype": dtype}), value.spans)

    return call


def _array(ev: Evaluator, value: Any, dtype: Any = None) -> Any:
    return sliced.copied(ev, value) if dtype is None else sliced.astype(ev, value, dtype)


def _asarray(ev: Evaluator, value: Any, dtype: Any = None) -> Any:
    is_same = dtype is None or np.dtype(ev.static(dtype, "a dtype")) == value.dtype
    return value if is_same else sliced.astype(ev, value, dtype)


def _applied(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is elementwise, but no ufunc."""
    return lambda ev, *operands: sliced.elementwise(ev, function, operands)


def _reduce(name: str) -> Callable[..., Any]:
    """`ufunc.reduce`, whose default axis is 0."""
    return lambda ev, value, axis=0, **options: METHODS[name](ev, value, axis, **options)


def _size(ev: Any, value: Sliced, axis: Any = None) -> Any:
    return sliced.size(ev, value) if axis is None else inspection.size_along(ev, value, axis)


METHODS: dict[str, Callable[..., Any]] = {
    **{name: _reduction(getattr(np, name)) for name in (
        "sum", "prod", "any", "all", "max", "min", "mean", "var", "std",
    )},
    "copy": sliced.copied, "astype": sliced.astype, "dot": sliced.matmul,
    "cumsum": _running(np.cumsum), "cumprod": _running(np.cumprod),
    "argsort": _sorted(np.argsort),
    "transpose": sliced.transposed, "clip": _applied(np.clip), "round": _applied(np.round),
    "conj": _applied(np.conjugate), "conjugate": _applied(np.conjugate), **arranged.METHODS,
}  # fmt: skip
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{getattr(np, name): METHODS[name] for name in (
        "sum", "prod", "any", "all", "max", "min", "mean", "var", "std", "copy", "astype", "dot",
        "transpose", "clip", "round",
    )},
    np.amax: METHODS["max"], np.amin: METHODS["min"], np.around: METHODS["round"],
    np.matmul: sliced.matmul, np.flip: sliced.flipped,
    np.flipud: lambda ev, value: sliced.flipped(ev, value, 0),
    np.fliplr: lambda ev, value: sliced.flipped(ev, value, 1), np.size: _size,
    np.ndim: lambda ev, value: value.ndim, np.shape: lambda ev, value: sliced.shape_of(value),
    np.linalg.norm: _norm, np.sort: _sorted(np.sort), np.argsort: _sorted(np.argsort),
    np.cumsum: _running(np.cumsum), np.cumprod: _running(np.cumprod),
    np.minimum.accumulate: _running(np.minimum.accumulate, 0),
    np.maximum.accumulate: _running(np.maximum.accumulate, 0),
    np.add.accumulate: _running(np.cumsum, 0),
    np.multiply.accumulate: _running(np.cumprod, 0),
    np.add.reduce: _reduce("sum"), np.multiply.reduce: _reduce("prod"),
    np.maximum.reduce: _reduce("max"), np.minimum.reduce: _reduce("min"),
    np.isclose: _applied(np.isclose),
    np.allclose: lambda ev, *ab: ev.truth(ev.call(np.all, (elementwise(ev, np.isclose, ab),), {})),
    np.outer: _outer, np.inner: _inner, len: lambda ev, value: sliced.shape_of(value)[0],
    np.array: _array, np.asarray: _asarray, abs: _applied(np.absolute),
    np.real: _applied(np.real), np.imag: _applied(np.imag),
    np.zeros_like: _like(np.zeros_like), np.ones_like: _like(np.ones_like),
    np.empty_like: _like(np.empty_like), np.full_like: _like(np.full_like), **arranged.FUNCTIONS,
    **systems.FUNCTIONS, np.einsum: contracted.einsum,
}  # fmt: skip
#: Functions that have an entry and take lists as lists.
_OF_LISTS = frozenset(
    [np.array, np.asarray, len, abs, bool, isinstance, type, np.piecewise, np.histogramdd]
)
