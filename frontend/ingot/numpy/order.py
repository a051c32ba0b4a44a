"""The memory order of results, which NumPy itself is asked for.

Handlers make arrays in C order unless they set another one. Where an argument is not in C order,
NumPy's function is called with small arrays that have the layouts of the arguments, and the memory
order of its results is copied. The arrays are zeros, or ones if NumPy raises for zeros.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ingot.dimensions import Dimension, depends
from ingot.dtypes import BOOL
from ingot.numpy.layout import (
    NOTHING,
    Strides,
    axes_by,
    c_strides,
    fortran_strides,
    model,
    packed,
    strides_of,
)
from ingot.syntax import views
from ingot.syntax.ops import fresh
from ingot.syntax.values import Array, Joined, Leak, List, Scalar, Symbolic

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: After these views a copy that keeps the memory order of the axes is not in C order.
REORDERING = (views.Permute, views.Broadcast)


def keeps_c_order(a: Array) -> bool:
    """Whether a copy of this array with order "K" is in C order."""
    if a.storage.strides is not None:
        return False
    return not (a.views and any(isinstance(step, REORDERING) for step in a.views))


def elementwise(made: Any, operands: Sequence[Any], order: str | None = "K") -> Any:
    """Give the result of a ufunc the memory order that NumPy gives it."""
    if not isinstance(made, Array) or made.ndim < 2:
        return made
    arrays = [each for each in operands if isinstance(each, Array)]
    if order == "C" or (order != "F" and all(map(keeps_c_order, arrays))):
        return made
    if any(each.storage.strides == () and each.ndim > 1 for each in arrays):
        made.storage.strides = ()
        return made
    axes = kept_axes(order or "K", *(layout_of(each) for each in arrays))
    made.storage.strides = packed(made.shape, axes)
    return made


#: The shape and the strides of an array.
Layout: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


def layout_of(a: Array) -> Layout:
    """The shape and the strides of an array as plain ints: open sizes take their witness values, so
    that comparisons have an answer."""
    shape = tuple(int.__add__(size, 0) for size in a.shape)
    strides = strides_of(a) or c_strides(shape)
    return shape, tuple(int.__add__(step, 0) for step in strides)


@functools.lru_cache(4096)
def kept_axes(order: str, *operands: Layout) -> tuple[int, ...]:
    """The axes of an elementwise result in memory order, the outermost first."""
    small = [
        np.lib.stride_tricks.as_strided(NOTHING, tuple(map(_sample_size, shape)), strides)
        for shape, strides in operands
    ]
    flags = [["readonly"]] * len(small) + [["writeonly", "allocate"]]
    given: Any = [*small, None]
    iterator = np.nditer(given, ["zerosize_ok"], flags, order=order)  # type: ignore[call-overload]
    return axes_by(iterator.operands[-1].strides)


#: The most elements along an axis of a sample. An axis of one element has no order, and functions
#: such as np.diff leave fewer than they are given: then a larger sample is asked.
SAMPLE_SIZES = (3, 8)


def _sample_size(size: int, most: int = SAMPLE_SIZES[0]) -> int:
    """The size that stands for this one in a question to NumPy."""
    return most if isinstance(size, Dimension) or size > most else size


def ordered(made: Array, order: str, like: Any = None) -> Array:
    """Give a new array a memory order; "A" and "K" take it from the array `like`."""
    if made.ndim < 2 or order == "C":
        return made
    if order == "F":
        made.storage.strides = fortran_strides(made.shape)
    elif isinstance(like, Array) and like.ndim == made.ndim:
        made.storage.strides = _strides_like(like, made.shape, order)
    return made


def _strides_like(like: Array, shape: tuple[int, ...], order: str) -> Strides:
    if keeps_c_order(like) or like.storage.strides == ():
        return like.storage.strides
    if order == "A":
        return fortran_strides(shape) if model(like).flags.fnc else None
    return packed(shape, _cached_orders(np.empty_like, (tuple, (_pattern(like),)), ()).axes)


# Questions to NumPy, by sample arguments.


class Order(NamedTuple):
    """The axes of an array in memory order, the outermost first, whether its bytes are swapped, and
    whether it is a view that runs backwards along some axis."""

    axes: tuple[int, ...]
    swapped: bool
    is_backward: bool


class ArrayPattern(NamedTuple):
    """The layout of an array argument, from which a sample for NumPy's function is made."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype

    def filled(self, number: int, most: int | None) -> np.ndarray:
        """An array of one number with this layout, of the whole shape or of at most so many elements
        along each axis."""
        flags = np.lib.stride_tricks.as_strided(NOTHING, self.shape, self.strides).flags
        sizes = self.shape if most is None else tuple(_sample_size(n, most) for n in self.shape)
        # In an array with gaps an axis of one element has a position in memory order, too: keep the
        # strides apart.
        least = 1 if flags.c_contiguous or flags.f_contiguous else 2
        steps, step = {0: 0}, least
        for stride in sorted({abs(each) for each in self.strides} - {0}):
            steps[stride] = step
            pairs = zip(sizes, self.strides, strict=True)
            step *= max(1 + sum(max(n - 1, 0) for n, s in pairs if abs(s) == stride), least)
        strides = [steps[abs(s)] * self.dtype.itemsize for s in self.strides]
        made = np.lib.stride_tricks.as_strided(np.full(step, number, self.dtype), sizes, strides)
        return np.flip(made, tuple(axis for axis, step in enumerate(self.strides) if step < 0))


def _pattern(value: Any) -> Any:
    """The hashable pattern of an argument: what the order of results may depend on."""
    if isinstance(value, Array):
        return ArrayPattern(*layout_of(value), value.seen_dtype)
    if isinstance(value, Joined):
        return 0
    if isinstance(value, Scalar):
        return (value.weak or value.dtype.type)(0)
    if isinstance(value, dict):
        return dict, tuple((tuple, (key, _pattern(each))) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return list if isinstance(value, list) else tuple, tuple(map(_pattern, value))
    return value


def _sample(pattern: Any, number: int, most: int | None) -> Any:
    """A sample argument for NumPy's function, from its pattern."""
    if isinstance(pattern, ArrayPattern):
        return pattern.filled(number, most)
    if isinstance(pattern, tuple):
        kind, items = pattern
        return kind(_sample(each, number, most) for each in items)
    return pattern


@functools.lru_cache(4096)
def _cached_orders(call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    return _result_orders(call, args, kwargs)


def _result_orders(call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """The orders of the results of NumPy's function, or None if it can't be called."""
    patterns = [args, *(each for _, each in kwargs)]
    size = _elements((tuple, tuple(patterns)))
    if size is None:
        return None
    found = None
    sizes = (*SAMPLE_SIZES, None) if size <= MOST_ELEMENTS else SAMPLE_SIZES
    # Zeros are indices of everything, but there are no weights or logarithms of them.
    for number, most in itertools.product((0, 1), sizes):
        if number and found:
            break
        given = _sample(args, number, most)
        named = {name: _sample(each, number, most) for name, each in kwargs}
        with contextlib.suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = call(*given, **named)
            found = _orders(made)
            if not _is_thin(made):
                break
    return found


def _is_thin(made: Any) -> bool:
    """Whether an array in a result has several axes, one of them without an order of its own."""
    if isinstance(made, np.ndarray):
        return made.ndim > 1 and min(made.shape) < 2
    return isinstance(made, (list, tuple)) and any(map(_is_thin, made))


def _elements(pattern: Any) -> int | None:
    """The number of elements of the arrays in a pattern; None if NumPy must not be called with it."""
    if isinstance(pattern, ArrayPattern):
        return math.prod(pattern.shape)
    if isinstance(pattern, tuple):
        found = list(map(_elements, pattern[1]))
        return None if None in found else sum(each or 0 for each in found)
    is_number = isinstance(pattern, (int, float, complex, np.generic))
    is_large = isinstance(pattern, Dimension) or (is_number and abs(pattern) > LARGEST_NUMBER)
    # The user's code may have side effects.
    is_users = callable(pattern) and not isinstance(pattern, (type, np.ufunc))
    return None if is_large or is_users or isinstance(pattern, Symbolic) else 0


def _orders(made: Any) -> Any:
    if isinstance(made, np.ndarray):
        return Order(
            axes_by(made.strides), not made.dtype.isnative, min(made.strides, default=0) < 0
        )
    return tuple(map(_orders, made)) if isinstance(made, (list, tuple)) else None


#: Functions whose results are always in C order, and which raise for zeros.
IN_C_ORDER = frozenset(
    [np.linalg.inv, np.linalg.solve, np.linalg.cholesky, np.linalg.tensorinv, np.linalg.tensorsolve]
)
#: Functions whose handlers set the order of the results.
SET_BY_HANDLER = frozenset(
    [
        np.zeros, np.ones, np.empty, np.full, np.eye, np.identity, np.zeros_like, np.ones_like,
        np.empty_like, np.full_like, np.array, np.asarray, np.asanyarray, np.copy, np.astype,
        np.ascontiguousarray, np.asfortranarray, np.require, np.reshape, np.ravel, np.piecewise, "ndarray.copy",
        "ndarray.astype", "ndarray.reshape", "ndarray.ravel", "ndarray.flatten", np.unravel_index,
    ]
)  # fmt: skip
#: NumPy is not called with larger numbers than this, nor with whole arrays of more elements.
LARGEST_NUMBER, MOST_ELEMENTS = 1 << 12, 1 << 16


def may_reorder(args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether the results of a call may be in another order than C order."""
    return _any_may_reorder(args) or (bool(kwargs) and _any_may_reorder([*kwargs.values()]))


def _any_may_reorder(values: Sequence[Any]) -> bool:
    for each in values:
        if type(each) is Array:
            if each.storage.swapped or (each.ndim > 1 and not keeps_c_order(each)):
                return True
        elif type(each) is str or (type(each) in (list, tuple) and _any_may_reorder(each)):
            return True
    return False


def is_swapped(args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether an argument has non-native byte order."""
    for value in (*args, *kwargs.values()):
        if type(value) is Array:
            if value.storage.swapped:
                return True
        elif any(each.storage.swapped for each in _items(value) and arrays_of(value)):
            return True
    return False


def is_rearranged(made: Any, first: int) -> bool:
    """Whether a result is a new array that is not in C order, or a view of a new array.

    Args:
        first: the number of the first cell made in the call.
    """
    if type(made) is not Array or made.storage.number < first:
        return False
    return bool(made.views) or made.storage.strides is not None


def match_numpy(
    ev: Any, function: Any, args: tuple, kwargs: dict[str, Any], made: Any, first: int
) -> None:
    """Give the new arrays in the result of a call the memory order that NumPy gives them.

    Args:
        function: a NumPy function, or "ndarray." and the name of a method.
        made: the result.
        first: the number of the first cell made in the call.
    """
    given = list(arrays_of((*args, *kwargs.values())))
    # An array that may be an argument keeps the argument's order.
    old = {each.storage for each in given}
    swaps = any(each.swapped for each in old)
    new = [
        each
        for each in arrays_of(made)
        if (each.ndim > 1 or swaps)
        and each.storage.number > first
        and old.isdisjoint(each.storage.maybe)
    ]
    if type(function) is np.ufunc and function.signature is None:
        for each in new if "order" not in kwargs else ():
            elementwise(each, given)
        return
    call = _numpy_callable(function)
    if not new or call is None or function in IN_C_ORDER:
        return
    if any(each.storage.strides == () and each.ndim > 1 for each in given):
        for each in new:
            each.storage.strides = ()
        return
    pattern = _pattern(args), tuple((name, _pattern(kwargs[name])) for name in kwargs)
    try:
        found = _cached_orders(call, *pattern)
    except (TypeError, Leak):
        found = _result_orders(call, *pattern)
    if found is None and swaps:
        ev.fail("the byte order of the result is not known", "convert with .astype before")
    if found is None and all(map(keeps_c_order, given)):
        return
    _set_orders(ev, made, found, {each.storage for each in new})


def selected(made: Array, array: Array, index: Sequence[Any]) -> Array:
    """Give the result of indexing by integer arrays the memory order that NumPy gives it."""
    made.storage.swapped = array.storage.swapped
    if not depends(made.size) and made.size == 0:
        return made
    if made.ndim < 2 or array.storage.strides == ():
        made.storage.strides = None if made.ndim < 2 else ()
        return made
    made.storage.strides = packed(made.shape, _axes_of_item(array, map(_index, index)))
    return made


def under_mask(made: Array, array: Array, index: Sequence[Any], mask: range) -> None:
    """Give the elements that a mask selects from the memory order that NumPy gives the selected ones.

    Args:
        made: a new array, whose axes `mask` become one when the mask selects.
        array: what is indexed.
        index: the items of the index, with the mask among them.
    """
    # Strides that are open sizes have no order, so what masks select from such arrays is in C order.
    if made.ndim == len(mask) or any(map(depends, (*array.shape, *made.shape))) or made.size == 0:
        return
    if array.storage.strides == ():
        made.storage.strides = ()
        return
    items: list[Any] = []
    for item in index:
        is_mask = isinstance(item, Array) and item.dtype == BOOL
        items += [_POSITIONS] * item.ndim if is_mask else [_index(item)]
    found = _axes_of_item(array, items)
    wider = len(mask) - 1
    axes = (mask if axis == mask.start else [axis + wider * (axis > mask.start)] for axis in found)
    made.storage.strides = packed(made.shape, list(itertools.chain.from_iterable(axes)))


#: The pattern of the positions along an axis that a mask selects.
_POSITIONS = ArrayPattern((2,), (8,), np.dtype(np.int64))


def _axes_of_item(array: Array, items: Iterable[Any]) -> Sequence[int]:
    """The axes, in memory order, of what NumPy gives for an array and the patterns of indices."""
    return _cached_orders(_item, (tuple, (_pattern(array), (tuple, tuple(items)))), ()).axes


def _index(item: Any) -> Any:
    """The pattern of an index: a full slice for slices and 0 for integers, since samples are small."""
    if type(item) is slice:
        return ":"
    return _pattern(item) if item is None or item is Ellipsis or isinstance(item, Array) else 0


def _item(array: np.ndarray, items: tuple) -> np.ndarray:
    return array[tuple(slice(None) if isinstance(each, str) else each for each in items)]


def _set_orders(ev: Evaluator, made: Any, found: Any, new: set[Any]) -> None:
    """Set the orders of new arrays to those of NumPy's results; () where they are not known."""
    if isinstance(made, Array) and made.storage in new:
        is_like = isinstance(found, Order) and len(found.axes) == made.ndim
        if is_like and made.views and not found.is_backward:
            # NumPy's result may be an array of its own; copy the view, which is the only one of its
            # storage.
            made.storage = fresh(ev.read(made), ev.location).storage
            made.views, made.is_view = (), False
        if not made.views:
            made.storage.strides = packed(made.shape, found.axes) if is_like else ()
        made.storage.swapped = is_like and found.swapped
    for i, each in enumerate(_items(made)):
        is_there = type(found) is tuple and i < len(found)
        _set_orders(ev, each, found[i] if is_there else None, new)


def _items(value: Any) -> Sequence[Any]:
    if isinstance(value, List) and isinstance(value.cell.value, tuple):
        return value.cell.value
    return value if isinstance(value, (list, tuple)) else ()


def arrays_of(value: Any) -> Iterator[Array]:
    """The arrays that a value is, or that tuples and lists hold."""
    if isinstance(value, Array):
        yield value
        return
    for each in _items(value):
        yield from arrays_of(each)


def _numpy_callable(function: Any) -> Callable[..., Any] | None:
    """The NumPy function or method to call for a function of the table; None if it is not NumPy's."""
    if isinstance(function, str):
        return getattr(np.ndarray, function.removeprefix("ndarray."), None)
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or ""
    is_from_numpy = module.partition(".")[0] == "numpy" and not module.startswith("numpy.random")
    return function if isinstance(owner, np.ufunc) or is_from_numpy else None
