"""The order in memory of what functions make, as NumPy says it itself.

A function without a look at the order of its arguments makes arrays in C order. Where an argument
has another order, NumPy's own is called with arrays of zeros that lie in memory as the arguments
do, of two elements along each axis, and gives the order.
"""

from __future__ import annotations

import contextlib
import functools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ingot.dimensions import Dimension
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

#: After these, what was in C order is not: a copy that keeps the order of axes has another one.
REORDERING = (views.Permute, views.Broadcast)


def keeps_c_order(a: Array) -> bool:
    """Whether what keeps the order of the axes in memory gives C order for this array."""
    if a.storage.strides is not None:
        return False
    return not any(isinstance(step, REORDERING) for step in a.views)


def elementwise(made: Any, operands: Sequence[Any], order: str | None = "K") -> Any:
    """Give what a ufunc made the order in memory that NumPy's ufunc gives it."""
    if not isinstance(made, Array) or made.ndim < 2:
        return made
    arrays = [each for each in operands if isinstance(each, Array)]
    if order == "C" or (order != "F" and all(map(keeps_c_order, arrays))):
        return made
    if any(each.storage.strides == () and each.ndim > 1 for each in arrays):
        made.storage.strides = ()
        return made
    axes = kept_axes(order or "K", *(facts_of(each) for each in arrays))
    made.storage.strides = packed(made.shape, axes)
    return made


#: The shape of an array, and its strides.
Facts: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


def facts_of(a: Array) -> Facts:
    """The sizes of named dimensions are those of the witness: comparisons have an answer."""
    shape = tuple(int.__add__(size, 0) for size in a.shape)
    strides = strides_of(a) or c_strides(shape)
    return shape, tuple(int.__add__(step, 0) for step in strides)


@functools.lru_cache(4096)
def kept_axes(order: str, *operands: Facts) -> tuple[int, ...]:
    """The axes of what is made of operands element by element, the outermost first."""
    small = [
        np.lib.stride_tricks.as_strided(NOTHING, tuple(map(_few, shape)), strides)
        for shape, strides in operands
    ]
    flags = [["readonly"]] * len(small) + [["writeonly", "allocate"]]
    given: Any = [*small, None]
    iterator = np.nditer(given, ["zerosize_ok"], flags, order=order)  # type: ignore[call-overload]
    return axes_by(iterator.operands[-1].strides)


def _few(size: int) -> int:
    """A size that stands for this one where the order of axes is asked for: np.diff leaves 2 of 3
    elements, and an axis of one has no order."""
    return 3 if isinstance(size, Dimension) or size > 3 else size


def ordered(made: Array, order: str, like: Any = None) -> Array:
    """Give a new array the order that is asked for: with "A" and "K" it depends on another one."""
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
    return packed(shape, _asked(np.empty_like, (tuple, (_pattern(like),)), ()).axes)


# The order that other functions give: NumPy says it, of samples.


class Order(NamedTuple):
    """The axes of an array as they lie in memory, the outermost first, and its dtype's bytes."""

    axes: tuple[int, ...]
    swapped: bool


class Given(NamedTuple):
    """An argument that is an array: what NumPy's function may see of how it lies in memory."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype

    def zeros(self, *, whole: bool) -> np.ndarray:
        """An array that lies so, of all elements or a few along each axis."""
        flags = np.lib.stride_tricks.as_strided(NOTHING, self.shape, self.strides).flags
        sizes = self.shape if whole else tuple(map(_few, self.shape))
        # With gaps the stride of an axis of one element says where the axis lies.
        least = 1 if flags.c_contiguous or flags.f_contiguous else 2
        steps, step = {0: 0}, least
        for stride in sorted({abs(each) for each in self.strides} - {0}):
            steps[stride] = step
            pairs = zip(sizes, self.strides, strict=True)
            step *= max(1 + sum(max(n - 1, 0) for n, s in pairs if abs(s) == stride), least)
        strides = [steps[abs(s)] * self.dtype.itemsize for s in self.strides]
        made = np.lib.stride_tricks.as_strided(np.zeros(step, self.dtype), sizes, strides)
        return np.flip(made, tuple(axis for axis, step in enumerate(self.strides) if step < 0))


def _pattern(value: Any) -> Any:
    """What is asked with for an argument, to be hashed."""
    if isinstance(value, Array):
        return Given(*facts_of(value), value.seen_dtype)
    if isinstance(value, Joined):
        return 0
    if isinstance(value, Scalar):
        return (value.weak or value.dtype.type)(0)
    if isinstance(value, dict):
        return dict, tuple((tuple, (key, _pattern(each))) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return list if isinstance(value, list) else tuple, tuple(map(_pattern, value))
    return value


def _filled(pattern: Any, *, whole: bool) -> Any:
    """An argument for NumPy's function by its pattern."""
    if isinstance(pattern, Given):
        return pattern.zeros(whole=whole)
    if isinstance(pattern, tuple):
        kind, items = pattern
        return kind(_filled(each, whole=whole) for each in items)
    return pattern


@functools.lru_cache(4096)
def _asked(call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    return _ask(call, args, kwargs)


def _ask(call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """The orders of what NumPy's function makes, or None where it can't be asked."""
    patterns = [args, *(each for _, each in kwargs)]
    size = _elements((tuple, tuple(patterns)))
    if size is None:
        return None
    for whole in (False, True) if size <= MOST_ELEMENTS else (False,):
        given = _filled(args, whole=whole)
        named = {name: _filled(each, whole=whole) for name, each in kwargs}
        with contextlib.suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _orders(call(*given, **named))
    return None


def _elements(pattern: Any) -> int | None:
    """How many elements the arrays in a pattern have; None if NumPy is not to be asked with it."""
    if isinstance(pattern, Given):
        return math.prod(pattern.shape)
    if isinstance(pattern, tuple):
        found = list(map(_elements, pattern[1]))
        return None if None in found else sum(each or 0 for each in found)
    is_number = isinstance(pattern, (int, float, complex, np.generic))
    is_large = isinstance(pattern, Dimension) or (is_number and abs(pattern) > LARGEST_NUMBER)
    # Code of the user's may print, or change what it sees.
    is_users = callable(pattern) and not isinstance(pattern, (type, np.ufunc))
    return None if is_large or is_users or isinstance(pattern, Symbolic) else 0


def _orders(made: Any) -> Any:
    if isinstance(made, np.ndarray):
        return Order(axes_by(made.strides), not made.dtype.isnative)
    return tuple(map(_orders, made)) if isinstance(made, (list, tuple)) else None


#: Those that always give C order, and take no zeros.
IN_C_ORDER = frozenset(
    [np.linalg.inv, np.linalg.solve, np.linalg.cholesky, np.linalg.tensorinv, np.linalg.tensorsolve]
)
#: Those whose handlers say the order themselves.
OWN = frozenset(
    [
        np.zeros, np.ones, np.empty, np.full, np.eye, np.identity, np.zeros_like, np.ones_like,
        np.empty_like, np.full_like, np.array, np.asarray, np.asanyarray, np.copy, np.astype,
        np.ascontiguousarray, np.asfortranarray, np.require, np.reshape, np.ravel, "ndarray.copy",
        "ndarray.astype", "ndarray.reshape", "ndarray.ravel", "ndarray.flatten", np.unravel_index,
    ]
)  # fmt: skip
#: NumPy is not asked with larger numbers than this, nor of whole arrays of more elements.
LARGEST_NUMBER, MOST_ELEMENTS = 1 << 12, 1 << 16


def is_asked(args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether a call may give arrays in another order than C order."""
    return _may_reorder(args) or (bool(kwargs) and _may_reorder([*kwargs.values()]))


def _may_reorder(values: Sequence[Any]) -> bool:
    for each in values:
        if type(each) is Array:
            if each.storage.swapped or (each.ndim > 1 and not keeps_c_order(each)):
                return True
        elif type(each) is str or (type(each) in (list, tuple) and _may_reorder(each)):
            return True
    return False


def is_swapped(args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether an argument has its bytes in the order of other machines."""
    return any(each.storage.swapped for each in arrays_of((*args, *kwargs.values())))


def is_rearranged(made: Any, first: int) -> bool:
    """Whether what a function made is a new array that is not in C order, or a view of one."""
    if type(made) is not Array or made.storage.number < first:
        return False
    return bool(made.views) or made.storage.strides is not None


def follow(
    ev: Any, function: Any, args: tuple, kwargs: dict[str, Any], made: Any, first: int
) -> None:
    """Give the new arrays in what a call made the order in memory that NumPy gives them.

    Args:
        function: NumPy's, or "ndarray." and the name of a method.
        first: the number of the first cell made in the call.
    """
    given = list(arrays_of((*args, *kwargs.values())))
    # What may be an argument keeps what says so.
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
    call = _numpys(function)
    if not new or call is None or function in IN_C_ORDER:
        return
    if any(each.storage.strides == () and each.ndim > 1 for each in given):
        for each in new:
            each.storage.strides = ()
        return
    pattern = _pattern(args), tuple((name, _pattern(kwargs[name])) for name in kwargs)
    try:
        found = _asked(call, *pattern)
    except (TypeError, Leak):
        found = _ask(call, *pattern)
    if found is None and swaps:
        ev.fail("which order of bytes the result has is not known", "convert with .astype before")
    if found is None and all(map(keeps_c_order, given)):
        return
    _settle(ev, made, found, {each.storage for each in new})


def selected(made: Array, array: Array, index: Sequence[Any]) -> Array:
    """Give what integer arrays select the order in memory that NumPy gives it."""
    made.storage.swapped = array.storage.swapped
    if made.ndim < 2 or array.storage.strides == ():
        made.storage.strides = None if made.ndim < 2 else ()
        return made
    items = tuple(map(_index, index))
    found = _asked(_item, (tuple, (_pattern(array), (tuple, items))), ())
    made.storage.strides = packed(made.shape, found.axes)
    return made


def _index(item: Any) -> Any:
    """What stands for an index: of slices all, of integers the first, since there are few."""
    if type(item) is slice:
        return ":"
    return _pattern(item) if item is None or item is Ellipsis or isinstance(item, Array) else 0


def _item(array: np.ndarray, items: tuple) -> np.ndarray:
    return array[tuple(slice(None) if isinstance(each, str) else each for each in items)]


def _settle(ev: Evaluator, made: Any, found: Any, new: set[Any]) -> None:
    """Note the orders that NumPy's results have; () for what there is none for."""
    if isinstance(made, Array) and made.storage in new:
        is_like = isinstance(found, Order) and len(found.axes) == made.ndim
        if is_like and made.views:
            # A view here, but perhaps an array of its own there: nothing else refers to it.
            made.storage = fresh(ev.read(made), ev.location).storage
            made.views, made.is_view = (), False
        if not made.views:
            made.storage.strides = packed(made.shape, found.axes) if is_like else ()
        made.storage.swapped = is_like and found.swapped
    for i, each in enumerate(_items(made)):
        is_there = type(found) is tuple and i < len(found)
        _settle(ev, each, found[i] if is_there else None, new)


def _items(value: Any) -> Sequence[Any]:
    if isinstance(value, List) and isinstance(value.cell.value, tuple):
        return value.cell.value
    return value if isinstance(value, (list, tuple)) else ()


def arrays_of(value: Any) -> Iterator[Array]:
    """The arrays that a value is, or that tuples and lists hold."""
    if isinstance(value, Array):
        yield value
    for each in _items(value):
        yield from arrays_of(each)


def _numpys(function: Any) -> Callable[..., Any] | None:
    """What to call for a function of the table, if it is NumPy's."""
    if isinstance(function, str):
        return getattr(np.ndarray, function.removeprefix("ndarray."), None)
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or ""
    is_numpys = module.startswith("numpy") and not module.startswith("numpy.random")
    return function if isinstance(owner, np.ufunc) or is_numpys else None
