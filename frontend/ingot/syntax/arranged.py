"""Functions that rearrange arrays of dynamic length, and those written in NumPy code.

A library function that uses only slices, masks and elementwise functions works on arrays of
dynamic length without change: its source is evaluated with them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dtypes import BOOL
from ingot.numpy import joining, primitives, shape
from ingot.numpy.classes import is_instance_of
from ingot.numpy.library import (
    arrangement,
    calculus,
    editing,
    histograms,
    inlined,
    polynomials,
    selected,
    selection,
    single,
    sorting,
    statistics,
)
from ingot.syntax import masked, pieces, reshaped, sliced, spans
from ingot.syntax.dynamic import Part, Sliced
from ingot.syntax.masked import Masked

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def _permuted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of a function that permutes axes."""

    def call(ev: Evaluator, value: Any, *args: Any) -> Sliced:
        value = ev.packed(value)
        # NumPy permutes an array in which the extent of each axis is the axis's own number.
        axes = np.empty(tuple(range(value.ndim)))
        order = ev.compute(lambda *given: function(axes, *given).shape, *args)
        return sliced.transposed(ev, value, *order)

    return call


def _expand_dims(ev: Evaluator, value: Any, axis: Any) -> Any:
    wide = ev.compute(lambda axis: np.expand_dims(np.empty((2,) * value.ndim), axis).shape, axis)
    return ev.subscript(value, tuple(None if size == 1 else slice(None) for size in wide))


def _vander(ev: Evaluator, x: Any, N: Any = None, increasing: Any = False) -> Sliced:
    if N is None:
        sliced.refuse(ev, [x])
    x = ev.packed(x)
    return Sliced(ev.call(np.vander, (x.dense, N, increasing), {}), (*x.spans, None))


def _of_matrices(function: Callable[..., Any]) -> Callable[..., Any]:
    """np.triu and np.tril of left-aligned matrices, so that the diagonal is that of all."""

    def call(ev: Evaluator, m: Any, k: Any = 0) -> Sliced:
        value = pieces.left_aligned(ev, ev.packed(m))
        return Sliced(ev.call(function, (value.dense, k), {}), value.spans)

    return call


def _outer_by(ufunc: np.ufunc) -> Callable[..., Any]:
    """`ufunc.outer`."""

    def call(ev: Evaluator, a: Any, b: Any) -> Any:
        a, b = (each if isinstance(each, Part) else ev.as_array(each) for each in (a, b))
        ranks = [getattr(each, "ndim", 0) for each in (a, b)]
        wide = (*[slice(None)] * ranks[0], *[None] * ranks[1])
        return ev.call(ufunc, (ev.subscript(a, wide) if ranks[0] else a, b), {})

    return call


def _take(ev: Evaluator, a: Any, indices: Any, axis: Any = None) -> Any:
    """np.take; boolean indices are supported for arrays of static length only."""
    if getattr(indices, "dtype", None) == BOOL:
        sliced.refuse(ev, [a, indices])
    if axis is None:
        a, axis = ev.call(np.ravel, (a,), {}), 0
    whole = (slice(None),) * (ev.static(axis, "an axis") % a.ndim)
    made = ev.subscript(a, (*whole, indices) if whole else indices)
    # What np.take gives is in C order, what an index gives need not be.
    if type(made) is Masked:
        return masked.copy_in_c_order(ev, made)
    return sliced.copied(ev, made) if type(made) is Sliced else made


def _result_type(ev: Evaluator, *given: Any) -> np.dtype:
    dtypes = [each.dtype if isinstance(each, Part) else each for each in given]
    made: np.dtype = ev.call(np.result_type, tuple(dtypes), {})
    return made


# Primitives that library code uses beyond NumPy.


def _taken(ev: Evaluator, a: Any, index: Any) -> Any:
    """`a[index]` along one axis, where the used items of the index are in range."""
    start: Any = 0
    if isinstance(a, Part):
        a = ev.packed(a)
        start = a.spans[0].start if a.spans[0] is not None else 0
        a = a.dense
    if not isinstance(index, Part):
        return ev.call(primitives.take, (a, _inside(ev, index, a, start)), {})
    index = ev.packed(index)
    inside = ev.call(np.clip, (index.dense, 0, max(a.shape[0] - 1, 0)), {})
    return Sliced(ev.call(primitives.take, (a, _inside(ev, inside, a, start)), {}), index.spans)


def _inside(ev: Evaluator, index: Any, a: Any, start: Any) -> Any:
    """An index of what starts at a position of an array, as one of the array."""
    if isinstance(start, int) and start == 0:
        return index
    return ev.call(np.minimum, (ev.binary(ast.Add, index, start), a.shape[0] - 1), {})


def _filled(ev: Evaluator, positions: Any, values: Any) -> tuple:
    pair = [ev.packed(each) if isinstance(each, Part) else each for each in (positions, values)]
    dense, found = sliced.aligned(ev, pair)
    if found == (None,):
        return tuple(dense)
    mask = sliced.live(ev, Sliced(dense[0], found), [0])
    return tuple(ev.call(np.where, (mask, each, each.dtype.type(0)), {}) for each in dense)


def _array_equal(ev: Evaluator, a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    return ev.inline(selection.same_elements, (a1, a2, equal_nan), {}, ev.node)


def _same_shape(ev: Evaluator, a: Any, b: Any) -> bool:
    a, b = (ev.packed(each) if isinstance(each, Part) else each for each in (a, b))
    if a.ndim != b.ndim:
        return False
    sizes = [sliced.shape_of(each) if type(each) is Sliced else each.shape for each in (a, b)]
    for one, other in zip(*sizes, strict=True):
        if isinstance(one, int) and isinstance(other, int):
            if one != other:
                return False
        elif not spans.same(one, other):
            message = "Axis must be specified when shapes of a and weights differ."
            ev.check(spans.compare(ev, "eq", one, other), "TypeError", message)
    return True


def _into(ev: Evaluator, result: Any, out: Any, casting: str = "same_kind") -> Any:
    if out is not None:
        sliced.refuse(ev, [result])
    return result


#: Functions that are implemented by NumPy code alone.
_LIBRARY: tuple[Callable[..., Any], ...] = (
    arrangement.append, arrangement.ix_, arrangement.rot90, calculus.convolve, calculus.correlate,
    calculus.cross, calculus.cumulative_prod, calculus.cumulative_sum, calculus.diff,
    calculus.ediff1d, calculus.gradient, calculus.interp, calculus.trapezoid, calculus.unwrap,
    editing.delete, editing.insert, histograms.histogram2d, histograms.histogramdd,
    polynomials.polyfit, polynomials.polyval, selected.argwhere, selected.flatnonzero,
    selected.intersect1d, selected.nonzero, selected.setdiff1d, selected.setxor1d,
    selected.trim_zeros, selected.union1d, selected.unique, selected.unique_counts,
    selected.unique_inverse, selected.unique_values, selection.isin, selection.nan_to_num,
    selection.piecewise, sorting.digitize, sorting.searchsorted, statistics.average,
    statistics.bincount, statistics.corrcoef, statistics.cov, statistics.histogram,
    statistics.nanmax, statistics.nanmean, statistics.nanmin, statistics.nanprod,
    statistics.nansum,
)  # fmt: skip
_BINARY = [
    each for each in vars(np).values()
    if isinstance(each, np.ufunc) and each.nin == 2 and each.nout == 1 and each.signature is None
]  # fmt: skip
METHODS: dict[str, Callable[..., Any]] = {
    "ravel": reshaped.ravel, "flatten": reshaped.flatten, "reshape": reshaped.reshape,
    "repeat": joining.repeat, "take": _take,
    "swapaxes": _permuted(np.swapaxes), "nonzero": inlined(selected.nonzero, "ndarray.nonzero"),
    "searchsorted": inlined(sorting.searchsorted, "ndarray.searchsorted"),
    "item": inlined(single.item, "ndarray.item"),
    "tolist": inlined(single.tolist, "ndarray.tolist"),
}  # fmt: skip
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.ravel: reshaped.ravel, np.reshape: reshaped.reshape,
    np.repeat: joining.repeat, np.tile: joining.tile, np.result_type: _result_type,
    np.atleast_1d: shape.atleast(1), np.atleast_2d: shape.atleast(2),
    np.atleast_3d: shape.atleast(3), np.take: _take, np.roll: inlined(editing.rolled, "np.roll"),
    np.expand_dims: _expand_dims, np.vander: _vander,
    np.triu: _of_matrices(np.triu), np.tril: _of_matrices(np.tril),
    **{each: _permuted(each) for each in (np.moveaxis, np.swapaxes, np.rollaxis)},
    np.where: lambda ev, condition: ev.call(np.nonzero, (condition,), {}),
    isinstance: lambda ev, value, kinds: is_instance_of(ev, np.ndarray, kinds),
    type: lambda ev, value: np.ndarray, bool: lambda ev, value: ev.truth(value),
    np.array_equal: _array_equal, **{each.outer: _outer_by(each) for each in _BINARY},
    primitives.into: _into, primitives.take: _taken, primitives.with_zero_padding: _filled,
    primitives.same_shape: _same_shape,
    **{getattr(np, each.__name__): inlined(each, f"np.{each.__name__}") for each in _LIBRARY},
}  # fmt: skip
