"""`a[...]`: slices are views, integer arrays are gathers and scatters, masks are selects."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ingot._core import Value
from ingot.checks import SLICES_INSIDE, Failure
from ingot.dimensions import as_int, broadcast_shapes, decided, depends
from ingot.dtypes import BOOL, INT
from ingot.numpy import order
from ingot.numpy.library import joining
from ingot.syntax import (
    cuts,
    flat,
    grids,
    intervals,
    late_reads,
    masked,
    modules,
    paired,
    parts,
    rows,
    sliced,
    spread,
    storing,
    views,
)
from ingot.syntax.dynamic import Part, Sliced
from ingot.syntax.flat import Flat
from ingot.syntax.functions import LocalFunction
from ingot.syntax.heap import Heap
from ingot.syntax.masked import Masked
from ingot.syntax.modules import Modules
from ingot.syntax.ops import (
    affine_of,
    at_least,
    at_most,
    bounds_of,
    fresh,
    numpy_scalar,
    value_dtype,
)
from ingot.syntax.parts import PARTS
from ingot.syntax.values import (
    Array,
    Dict,
    Instance,
    Iterator,
    Joined,
    List,
    Range,
    Scalar,
    Set,
    Symbolic,
    Undetermined,
    class_name,
    describe,
    is_integer,
    is_number,
)
from ingot_runtime.errors import ShapeError

#: The classes of np.r_ and np.c_.
_CONCATENATORS = (type(np.r_), type(np.c_))


class Indexing(Heap):
    checks: bool = True

    # Reading.

    def subscript(self, value: Any, index: Any) -> Any:
        if isinstance(value, Array):
            if isinstance(index, Instance):
                index = self.as_index(index)
            return self._array_item(value, index)
        if isinstance(value, Scalar):
            if type(value) is Joined:
                raise Undetermined(value.kinds)
            if value.weak is None:
                # A NumPy scalar takes the same indices as a 0-d array.
                is_whole = is_number(index) and value_dtype(index) != BOOL
                if is_whole or isinstance(index, slice):
                    self.raise_now(IndexError, "invalid index to scalar variable.")
                return self._array_item(fresh(value.value, self.location), index)
            self.raise_now(TypeError, f"'{class_name(value)}' object is not subscriptable")
        if isinstance(value, (List, Dict, Range, tuple)):
            return self.container_item(value, index)
        if isinstance(value, Flat):
            return flat.item(self, value, index)
        if isinstance(value, Instance):
            found = self.special(value, "__getitem__")
            if found is None:
                self.fail_as(TypeError, f"'{class_name(value)}' object is not subscriptable")
            return self.call(found, (index,), {})
        if type(value) in PARTS:
            return parts.item(self, value, index)
        if isinstance(value, (type(np.mgrid), type(np.ogrid))):
            return grids.item(self, value, index)
        if isinstance(value, _CONCATENATORS):
            how = (value.axis, value.ndmin, value.trans1d)
            return self.inline(joining.joined, (index, *how), {}, self.node)
        if isinstance(value, Modules):
            return modules.item(self, index)
        if isinstance(value, Symbolic):
            self.suggest_text(value)
            if isinstance(value, (Set, Iterator, LocalFunction)):
                self.fail_as(TypeError, f"'{class_name(value)}' object is not subscriptable")
            self.fail(f"{describe(value)} can't be indexed")
        if isinstance(index, slice):
            index = slice(*self.static((index.start, index.stop, index.step), "a slice"))
        return self.compute(lambda v, i: v[i], value, index)

    def _array_item(self, array: Array, index: Any) -> Any:
        if is_basic(index):
            return self._basic_item(array, self._items_of(array, index))
        index = self._without_none(index)
        array, index = paired.with_axis_of_truth(self, array, index)
        index = self.without_masks(array, index)
        if cuts.opens(self, array, index):
            return cuts.view(self, array, index)
        if self.is_mask(array, index):
            if paired.is_mask_with_arrays(index):
                return paired.mask_with_arrays(self, array, index)[0]
            view, mask, axis = self._under_mask(array, index)
            if decided(lambda: 0 in mask.shape):
                return masked.nothing(self, view, mask, axis)
            made = Masked(fresh(self.read(view), self.location), mask, axis)
            chosen = index if isinstance(index, tuple) else (index,)
            order.under_mask(made.dense, array, chosen, range(axis, axis + made.width))
            return made
        if _has_parts(index):
            return parts.gathered(self, array, index)
        items = self._items_of(array, index)
        if any(isinstance(item, Array) for item in items):
            return self._gather(array, items)
        return self._basic_item(array, items)

    def _basic_item(self, array: Array, items: list[Any]) -> Any:
        known = self._known_item(array, items)
        if known is not None:
            return known
        view = self._view(array, items)
        # A full index gives a scalar, not a view.
        if not view.shape and not any(item is Ellipsis for item in items):
            return numpy_scalar(self.read(view))
        return view

    def _known_item(self, array: Array, items: list[Any]) -> Any:
        """The element that an index gives of a constant array of integers, or None."""
        known = self.known_array(array)
        if known is None or len(items) != known.ndim or not all(map(is_integer, items)):
            return None
        is_inside = all(-n <= i < n for i, n in zip(items, known.shape, strict=True))
        return known[tuple(items)] if is_inside else None

    def is_mask(self, array: Any, index: Any) -> bool:
        """Whether an index is or contains a mask: a boolean array of static shape."""
        if type(index) is tuple:
            return any(self.is_mask(array, item) for item in index)
        return isinstance(index, Array) and index.dtype == BOOL and index.ndim > 0

    def without_masks(self, array: Array, index: Any) -> Any:
        return paired.without_masks(self, array, self._without_lists(index))

    def _without_lists(self, index: Any) -> Any:
        """An index with arrays in place of lists of dynamic length, and lists for tuples in it."""
        if type(index) is tuple:
            items = [list(each) if type(each) is tuple else each for each in index]
            return tuple(map(self._without_lists, items))
        is_open = type(index) is List and rows.is_open(self.contents(index))
        # An empty list of indices is none of floats.
        return self.plain(index) if is_open else index

    def _under_mask(self, array: Array, index: Any) -> tuple[Array, Value, int]:
        """The operands of an index with a mask.

        Returns:
            A view of all elements that the other items of the index select; the mask; and the axis
            of the view at which the mask's axes begin.
        """
        items = list(index) if isinstance(index, tuple) else [index]
        if sum(self.is_mask(array, item) for item in items) > 1:
            turned, index = paired.masks_first(self, array, items)
            return self._under_mask(turned, self.without_masks(turned, index))
        if any(isinstance(item, (list, List, Range)) for item in items) or any(
            isinstance(item, Array) and item.dtype != BOOL and item.ndim for item in items
        ):
            self.fail("masks can't be mixed with arrays of indices", "use np.where")
        number = next(i for i, item in enumerate(items) if self.is_mask(array, item))
        mask = items[number]
        basic = [*items[:number], *[slice(None)] * mask.ndim, *items[number + 1 :]]
        if Ellipsis not in [item for item in basic if item is None or item is Ellipsis]:
            basic.append(Ellipsis)
        view = self._view(array, self._items_of(array, tuple(basic)))
        # The result axes of each item before the mask. An ellipsis has those that no item uses.
        used = sum(item is not None and item is not Ellipsis for item in basic)
        kept = [
            array.ndim - used if item is Ellipsis else int(item is None or isinstance(item, slice))
            for item in items[:number]
        ]
        first = sum(kept)
        paired.check_extents(
            self, array, paired.axis_of_item(array, tuple(items), number), mask.shape
        )
        target = self._mask_axis(items, number, kept)
        if target != first:
            axes = list(range(view.ndim))
            of_mask = axes[first : first + mask.ndim]
            rest = [axis for axis in axes if axis not in of_mask]
            view = self.call(np.transpose, (view, (*of_mask, *rest)), {})
        return view, self.read(mask), target

    def _mask_axis(self, items: list[Any], number: int, kept: list[int]) -> int:
        """The result axis of a mask, by NumPy's rule for advanced indices.

        It is the first one if integers are separated from the mask by other items.
        """
        is_advanced = [
            i == number or isinstance(item, (int, np.integer, Scalar, Array))
            for i, item in enumerate(items)
        ]
        where = [i for i, advanced in enumerate(is_advanced) if advanced]
        together = where == list(range(where[0], where[0] + len(where)))
        return sum(kept[: where[0]]) if together else 0

    def _without_none(self, index: Any) -> Any:
        """An index of which an item may be None, with a check that it is not: that would be a new
        axis."""
        message = "an index of an array is None, which would be a new axis, on this path only"
        if type(index) is tuple:
            return tuple(self.not_none(i, "NotImplementedError", message) for i in index)
        return self.not_none(index, "NotImplementedError", message)

    def _items_of(self, array: Array, index: Any) -> list[Any]:
        """The index as a list with one item for each axis, besides `None`s and one ellipsis."""
        items = list(index) if isinstance(index, tuple) else [index]
        items = [self.as_indices(i) if isinstance(i, (list, List, Range)) else i for i in items]
        used = views.named(items) if is_basic(index) else self._named(items)
        if used > array.ndim:
            self.raise_now(
                IndexError,
                f"too many indices for array: array is {array.ndim}-dimensional, "
                f"but {used} were indexed",
            )
        return items

    def _named(self, items: list[Any]) -> int:
        """The number of axes that the items of an index are for; refuses what is no index."""
        used = 0
        for item in items:
            if isinstance(item, (Array, Scalar)) and paired.kind_of(item) not in "iu":
                if item.dtype == BOOL:
                    self.fail("masks can't be mixed with other indices", "use np.where")
                self.bad_index()
            if not (item is None or item is Ellipsis):
                used += 1
            if type(item) in PARTS:
                parts.refuse(self, item)
            known = (int, np.integer, slice, Scalar, Array, type(None), type(Ellipsis))
            if not isinstance(item, known) or isinstance(item, (bool, np.bool_)):
                self.bad_index()
        return used

    def as_indices(self, items: Any) -> Any:
        """A list of indices as an array; an empty list becomes integers, as in NumPy."""
        made = self.as_array(items)
        is_empty = isinstance(made, Array) and not depends(made.size) and made.size == 0
        return self.call(np.astype, (made, INT), {}) if is_empty else made

    def bad_slice(self) -> NoReturn:
        message = "slice indices must be integers or None or have an __index__ method"
        self.raise_now(TypeError, message)

    def bad_index(self) -> None:
        self.fail_as(
            IndexError,
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
            "boolean arrays are valid indices",
        )

    def _view(self, array: Array, items: list[Any]) -> Array:
        """A view by basic indexing."""
        items = views.filled(items, array.ndim - views.named(items))

        starts: list[Any] = []
        sizes, strides, shape = [], [], []
        dropped: list[bool] = []
        flipped = []
        axis = 0
        for item in items:
            if item is None:
                shape.append(1)
                continue
            start, size, stride = self._along(item, array.shape[axis], axis)
            gone = not isinstance(item, slice)
            if stride < 0:
                # Slice the same elements forwards, then reverse them.
                start = self.ops.index_op("add", start, max(size - 1, 0) * stride)
                start = 0 if size == 0 else start
                flipped.append(axis - sum(dropped))
            starts.append(start)
            sizes.append(size)
            strides.append(abs(stride))
            dropped.append(gone)
            if not gone:
                shape.append(size)
            axis += 1

        chain = array.views
        step = views.Slice(tuple(starts), tuple(sizes), tuple(strides), tuple(dropped))
        is_whole = step.shape == array.shape and all(s == 1 for s in strides)
        if not is_whole:
            chain = views.extend(self.ops, chain, step)
        if flipped:
            chain = views.extend(self.ops, chain, views.Flip(tuple(flipped), step.shape))
        if tuple(shape) != step.shape:
            chain = views.extend(self.ops, chain, views.Reshape(tuple(shape)))
        return Array(array.storage, tuple(shape), chain, array.writable, True)

    def _along(self, item: Any, extent: int, axis: int) -> tuple[Any, int, int]:
        """The start, size and stride of an integer or slice along an axis."""
        if not isinstance(item, slice):
            return self._position(item, extent, axis), 1, 1
        if type(extent) is int and is_basic(item) and item.step != 0:
            start, stop, step = item.indices(extent)
            size = len(range(start, stop, step))
            return (start if size else 0), size, step
        step = 1 if item.step is None else self.static(item.step, "a slice's step")
        if not is_integer(step):
            self.bad_slice()
        if step == 0:
            self.fail("slice step cannot be zero", kind=ShapeError)
        if not any(isinstance(bound, Scalar) for bound in (item.start, item.stop)):
            if depends((item.start, item.stop, extent)):
                return self._open_slice(item, int(step), extent)
            bounds = self.compute(slice(item.start, item.stop, int(step)).indices, extent)
            size = len(range(*bounds))
            return (bounds[0] if size else 0), size, int(step)
        return self._runtime_slice(item, int(step), extent, axis)

    def _open_slice(self, item: slice, step: int, extent: int) -> tuple[Any, int, int]:
        """The start, size and stride of a slice with open sizes, as `slice.indices` has them."""
        first, last = (0, extent) if step > 0 else (-1, extent - 1)

        def clipped(bound: Any, default: int) -> int:
            if bound is None:
                return default
            bound = as_int(bound)
            inside = bound + extent if bound < 0 else bound
            return first if inside < first else last if inside > last else inside

        start = clipped(item.start, first if step > 0 else last)
        stop = clipped(item.stop, last if step > 0 else first)
        span = stop - start if step > 0 else start - stop
        if span < 0:
            return 0, 0, step
        return start, (span + abs(step) - 1) // abs(step), step

    def _runtime_slice(self, item: slice, step: int, extent: int, axis: int) -> Any:
        """The start, size and stride of a slice with a dynamic start and a static length."""
        start = 0 if item.start is None else item.start
        stop = extent if item.stop is None else item.stop
        length = affine_of(stop).plus(affine_of(start), -1)
        if step != 1 or length.terms or (isinstance(stop, int) and stop < 0):
            for bound in (item.start, item.stop):
                if isinstance(bound, Scalar):
                    self.static(bound, "the length of a slice")
        size = max(length.constant, 0)
        low, high = bounds_of(start)
        # A slice that ends before it begins is empty unless only its end counts from the end of the
        # array; one that ends where it begins always is.
        least, most = (0, extent - size) if size else (-length.constant, None)
        is_inside = at_least(low, least) and (most is None or at_most(high, most))
        if not is_inside and length.constant != 0:
            # NumPy would clip or wrap the slice, and its length would change.
            self.has_windows = True
            if self.opens_windows:
                self.static(start, "the length of a slice that may reach outside of its axis")
            message = (
                f"slice of length {size} reaches outside axis {axis} with size {extent}; "
                "a run-time slice must lie inside"
            )
            self._check_range(
                start, least, most, Failure("NotImplementedError", message, SLICES_INSIDE)
            )
        return self.index_value(start), size, 1

    def _position(self, item: Any, extent: int, axis: int) -> int | Value:
        """An integer index as a position counted from the start of the axis."""
        message = f"index is out of bounds for axis {axis} with size {extent}"
        if not isinstance(item, Scalar):
            index = as_int(item)
            if not -extent <= index < extent:
                self.raise_now(IndexError, message.replace("index", f"index {index}", 1))
            return index + extent if index < 0 else index
        if not depends(extent) and extent == 0:
            self.raise_now(IndexError, message)
        low, high = bounds_of(item)
        value = self.index_value(item)
        # What Python has no negative number for is beyond the end where it has wrapped around.
        is_from_start = at_least(low, 0) or at_least(intervals.nominal(item)[0], 0)
        least = 0 if is_from_start else -extent
        if not (at_least(low, least) and at_most(high, extent - 1)):
            self._check_range(item, least, extent - 1, Failure("IndexError", message))
        if is_from_start:
            return value
        zero = self.ops.constant(0, INT)
        wrapped = self.ops.index_op("add", value, extent)
        return self.ops.select(self.ops.compare("lt", value, zero, INT), wrapped, value)

    def _check_range(self, value: Any, least: int, most: int | None, failure: Failure) -> None:
        """IndexError at run time unless least <= value <= most; None: any value is small enough."""
        if not self.checks:
            return
        low, high = bounds_of(value)
        number = self.ops.index(self.index_value(value))
        tests = []
        if not at_least(low, least):
            tests.append(self.ops.compare("ge", number, self.ops.constant(least, INT), INT))
        if most is not None and not at_most(high, most):
            tests.append(self.ops.compare("le", number, self.ops.constant(most, INT), INT))
        for test in tests:
            self.ops.require(test, failure)

    # Integer arrays.

    def _advanced(self, array: Array, items: list[Any]) -> tuple[Array, list[int], Any, int]:
        """The operands of an index with index arrays.

        Returns:
            The view that the slices of the index make; its axes along which index arrays select;
            the broadcast positions along these axes; and the result axis at which theirs begin.
        """
        items = views.filled(items, array.ndim - views.named(items))
        axes = [i for i, item in enumerate(items) if item is not None and type(item) is not slice]
        basic = [slice(None) if i in axes else item for i, item in enumerate(items)]
        is_whole = all(map(views.is_whole, basic))
        view = array if is_whole else self._view(array, basic)
        positions = [self.positions(items[axis], view.shape[axis], axis) for axis in axes]
        try:
            shape = broadcast_shapes(*(p.shape for p in positions))
        except ValueError:
            given = "".join(f"{p.shape} ".replace(", ", ",") for p in positions if p.shape)
            message = "shape mismatch: indexing arrays could not be broadcast together with shapes "
            self.fail_as(IndexError, message + given, kind=ShapeError)
        indices = [self.ops.broadcast(p, shape) for p in positions]
        together = axes == list(range(axes[0], axes[0] + len(axes)))
        return view, axes, indices, axes[0] if together else 0

    def positions(self, item: Any, extent: int, axis: int) -> Value:
        """Integer indices as positions counted from the start of the axis, checked at run time."""
        if not isinstance(item, Array):
            return self.ops.index(self._position(item, extent, axis))
        value = self.ops.convert(self.read(item), INT)
        if item.size and not depends(extent) and extent == 0:
            self.raise_now(IndexError, f"index is out of bounds for axis {axis} with size 0")
        low, high = intervals.of_elements(self.ops, item)
        is_known = {"ge": at_least(low, -extent), "le": at_most(high, extent - 1)}
        if self.checks and item.size and not all(is_known.values()):
            tests = [
                self.ops.compare(how, value, self.ops.constant(limit, INT), INT)
                for how, limit in (("ge", -extent), ("le", extent - 1))
                if not is_known[how]
            ]
            inside = functools.reduce(
                lambda a, b: self.ops.elementwise("and", [a, b], [BOOL, BOOL]), tests
            )
            holds = self.ops.reduce("and", inside, range(item.ndim))
            message = f"index is out of bounds for axis {axis} with size {extent}"
            self.ops.check(holds, "IndexError", message)
        if at_least(low, 0):
            return value
        is_negative = self.ops.compare("lt", value, self.ops.constant(0, INT), INT)
        wrapped = self.ops.elementwise("add", [value, self.ops.constant(extent, INT)], [INT, INT])
        return self.ops.select(is_negative, wrapped, value)

    def _gather(self, array: Array, items: list[Any]) -> Any:
        view, axes, indices, first = self._advanced(array, items)
        rest = [axis for axis in range(view.ndim) if axis not in axes]
        base = self.ops.transpose(self.read(view), axes + rest)
        value = self.ops.create("gather", [base, *indices])
        count = len(indices[0].shape)
        # The gather's index axes come first: move them to the axis `first` of the result.
        before = [count + i for i in range(first)]
        after = [count + i for i in range(first, len(rest))]
        value = self.ops.transpose(value, [*before, *range(count), *after])
        if not value.shape and not any(item is Ellipsis for item in items):
            return numpy_scalar(value)
        return order.selected(fresh(value, self.location), array, items)

    def _scatter(self, array: Array, items: list[Any], value: Any, kind: str = "set") -> None:
        view, axes, indices, first = self._advanced(array, items)
        rest = [axis for axis in range(view.ndim) if axis not in axes]
        base = self.ops.transpose(self.read(view), axes + rest)
        count = len(indices[0].shape)
        extents = [view.shape[axis] for axis in rest]
        shape = [*extents[:first], *indices[0].shape, *extents[first:]]
        update = self.fitted(value, shape, view.dtype, is_item=not shape)
        order = [*range(first, first + count), *range(first), *range(first + count, len(shape))]
        operands = [base, self.ops.transpose(update, order), *indices]
        result = self.ops.create("scatter", operands, kind=f"#ingot<scatter_kind {kind}>")
        inverse = sorted(range(view.ndim), key=(axes + rest).__getitem__)
        self.store(view, self.ops.transpose(result, inverse))

    def accumulate_at(self, array: Array, index: Any, value: Any, kind: str) -> None:
        """`ufunc.at`: where an index occurs twice, both elements of `value` take part."""
        items = self._items_of(array, index)
        if any(isinstance(item, Array) for item in items):
            self._scatter(array, items, value, kind)
            return
        # Basic indices select a view: scatter to all elements of it, in one axis.
        view = self._view(array, items)
        flat = self._index_array(list(range(view.size)))
        line = Array(view.storage, (view.size,), (*view.views, views.Reshape((view.size,))))
        update = fresh(self.ops.reshape(self.fitted(value, view.shape, view.dtype), line.shape))
        self._scatter(line, [flat], update, kind)

    # Writing.

    def store_item(self, base: Any, index: Any, value: Any) -> None:
        if isinstance(base, Flat):
            flat.store(self, base, index, value)
            return
        if type(base) in PARTS:
            parts.store_item(self, base, index, value)
            return
        if not isinstance(base, Array):
            self.store_container(base, index, value)
            return
        if is_basic(index):
            self._store_basic(base, self._items_of(base, index), value)
            return
        index = self._without_none(index)
        base, index = paired.with_axis_of_truth(self, base, index)
        index = self.without_masks(base, index)
        if cuts.opens(self, base, index):
            self.has_open_slices = True
            cuts.store_item(self, cuts.whole(base), index, value)
            return
        if self.is_mask(base, index):
            self.store_masked(base, index, lambda old: value)
            return
        if _has_parts(index):
            parts.scattered(self, base, index, value)
            return
        items = self._items_of(base, index)
        arrays = [item for item in items if isinstance(item, Array)]
        if any(item.ndim for item in arrays):
            self._scatter(base, items, value)
            return
        if arrays:
            # Arrays without axes are integers among indices.
            items = [numpy_scalar(self.read(i)) if isinstance(i, Array) else i for i in items]
        self._store_basic(base, items, value)

    def _store_basic(self, base: Array, items: list[Any], value: Any) -> None:
        view = self._view(base, items)
        if not view.shape and not any(item is Ellipsis for item in items):
            value = storing.element_of(self, value, view.dtype)
        if type(value) in PARTS:
            sliced.store(self, Sliced(view, (None,) * view.ndim), value)
            return
        if not late_reads.copied_in_order(self, view, value):
            self.store(view, self.fitted(value, view.shape, view.dtype, is_item=True))

    def fitted(self, value: Any, shape: Any, dtype: np.dtype, is_item: bool = False) -> Value:
        return storing.fitted(self, value, shape, dtype, is_item)

    def packed(self, value: Part) -> Sliced:
        """An array of dynamic length with its elements packed, not selected by a mask."""
        return value if type(value) is Sliced else parts.packed(self, value)

    def refuse_part(self, value: Part) -> NoReturn:
        parts.refuse(self, value)

    def store_masked(self, base: Array, index: Any, new: Callable[[Masked], Any]) -> None:
        """`base[index] = new(base[index])`, computed everywhere, stored where the mask is true."""
        if paired.is_mask_with_arrays(index):
            found, items = paired.mask_with_arrays(self, base, index)
            view = fresh(self.read(found.dense))
            self.store_selected(view, found, new(found))
            self.store_item(base, items, view)
            return
        view, mask, axis = self._under_mask(base, index)
        old = Masked(fresh(self.read(view)), mask, axis)
        value = new(old)
        late_reads.refuse_masked(self, base, value)
        if old.width == base.ndim and (type(index) is not tuple or len(index) == 1):
            storing.refuse_axes(self, value)
        self.store_selected(view, old, value)

    def store_selected(self, view: Array, old: Masked, value: Any) -> None:
        """Store to the elements `old` that a mask selects of a view."""
        fitted = self.fitted(self.spread(value, old), view.shape, view.dtype)
        wide = self.read(masked.wide_mask(self, old))
        self.store(view, self.ops.select(wide, fitted, self.read(view)))

    def spread(self, value: Any, old: Masked) -> Any:
        return spread.expanded(self, value, old)

    def truth_array(self, condition: Any) -> Value:
        """A condition as booleans, elementwise."""
        return self.ops.convert(self.read(self.as_array(condition)), BOOL)


#: The types of bounds of slices, and of index items, that are known at compile time.
_BOUNDS = frozenset([int, type(None)])
_BASIC = _BOUNDS | {type(Ellipsis)}


def is_basic(index: Any) -> bool:
    """Whether an index has only known integers, slices between such, `None` and ellipses."""
    for item in index if type(index) is tuple else (index,):
        kind = type(item)
        if kind is slice:
            if not _BOUNDS.issuperset((type(item.start), type(item.stop), type(item.step))):
                return False
        elif kind not in _BASIC:
            return False
    return True


def _has_parts(index: Any) -> bool:
    """Whether an index has index arrays of dynamic length."""
    return any(type(item) in PARTS for item in (index if type(index) is tuple else (index,)))
