"""Functions that rearrange whole arrays; they return views where NumPy does."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dimensions import are_equal, broadcast_shapes, depends, is_one
from ingot.dtypes import BOOL, INT, IS_NUMPY_2_5, STATIC_NUMBERS
from ingot.numpy import integers
from ingot.numpy.creation import order_of, refuse_bool, shape_of
from ingot.numpy.layout import (
    is_contiguous,
    is_known,
    model,
    must_copy,
    require_known,
    strides_of,
)
from ingot.numpy.order import kept_axes, layout_of
from ingot.numpy.ufuncs import store_out
from ingot.syntax import late_reads, views
from ingot.syntax.dynamic import Part
from ingot.syntax.ops import fresh, held_dtype, numpy_scalar, value_dtype
from ingot.syntax.values import (
    Array,
    Joined,
    Range,
    Scalar,
    class_name,
)
from ingot_runtime.errors import AxisError, DTypeError, ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def array_of(ev: Evaluator, a: Any) -> Array:
    """An array itself; other values converted to a new array."""
    a = ev.as_array(a)
    if isinstance(a, Joined):
        # A `float` and an np.float64 make the same array.
        return fresh(ev.ops.convert(a.value, value_dtype(a)), ev.location)
    return a if isinstance(a, Array) else fresh(ev.read(a), ev.location)


def axis_of(ev: Evaluator, axis: Any, ndim: int) -> int:
    axis = ev.static(axis, "an axis")
    if not isinstance(axis, (int, np.integer)):
        ev.fail_as(TypeError, f"'{class_name(axis)}' object cannot be interpreted as an integer")
    if not -ndim <= axis < ndim:
        ev.fail(f"axis {axis} is out of bounds for array of dimension {ndim}", kind=AxisError)
    return int(axis) % ndim


def axes_of(ev: Evaluator, axis: Any, ndim: int) -> tuple[int, ...]:
    """An axis argument (None for all axes, an int or a tuple) as numbers in [0, ndim)."""
    if axis is None:
        return tuple(range(ndim))
    axis = ev.static(axis, "an axis")
    axes = tuple(
        axis_of(ev, a, ndim) for a in (axis if isinstance(axis, (tuple, list)) else (axis,))
    )
    if len(set(axes)) != len(axes):
        ev.fail("duplicate value in 'axis'", kind=ShapeError)
    return axes


def _items_of_range(ev: Evaluator, value: Any) -> Any:
    """A range, as which NumPy takes several axes or sizes, as a tuple; other values as they are."""
    return tuple(ev.static_items(value)) if isinstance(value, Range) else value


def reduction_axes(ev: Evaluator, axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes of a reduction, for which NumPy refuses lists and booleans."""
    given = None if axis is None else ev.static(axis, "an axis")
    for each in given if isinstance(given, tuple) else (given,):
        if isinstance(each, (list, bool)):
            message = f"'{type(each).__name__}' object cannot be interpreted as an integer"
            ev.fail_as(TypeError, message, "give an integer or a tuple of integers")
    return axes_of(ev, given, ndim)


def _view(ev: Evaluator, a: Array, step: Any) -> Array:
    return Array(a.storage, step.shape, views.extend(ev.ops, a.views, step), a.writable, True)


def reshape(ev: Evaluator, a: Any, /, *shape: Any, order: Any = "C", copy: Any = None) -> Array:
    a, order, copy = array_of(ev, a), order_of(ev, order), ev.static(copy, "copy")
    if order == "K":
        ev.raise_now(ValueError, "order 'K' is not permitted for reshaping")
    # NumPy gives a view of the same shape.
    is_same = len(shape) == 1 and shape[0] is None
    sizes = list(a.shape) if is_same else _sizes(ev, a, shape)
    if order == "F" or (order == "A" and _is_fortran(ev, a)):
        # A reshape in Fortran order is a reshape in C order of the transposed array.
        made = transpose(ev, _reshaped(ev, transpose(ev, a), sizes[::-1], copy))
        is_own = made.storage is not a.storage and is_known(a)
        return _unviewed(ev, made) if is_own else made
    return _reshaped(ev, a, sizes, copy)


def _sizes(ev: Evaluator, a: Array, shape: tuple) -> list[int]:
    if len(shape) == 1 and isinstance(shape[0], (Array, Range)):
        shape = (ev.static(_items_of_range(ev, shape[0]), "a shape"),)
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    for size in shape:
        refuse_bool(ev, size)
    sizes = [integers.index(ev, n) for n in ev.static(tuple(shape), "a shape")]
    # NumPy takes any negative size for the one that is to be found.
    unknown = [at for at, size in enumerate(sizes) if size < 0]
    if len(unknown) > 1:
        ev.fail("can only specify one unknown dimension", kind=ShapeError)
    if unknown:
        rest = math.prod(size for size in sizes if size >= 0)
        if rest and a.size % rest == 0:
            sizes[unknown[0]] = a.size // rest
    if math.prod(sizes) != a.size or any(size < 0 for size in sizes):
        ev.fail(f"cannot reshape array of size {a.size} into shape {tuple(sizes)}", kind=ShapeError)
    return sizes


def _is_fortran(ev: Evaluator, a: Array) -> bool:
    """Whether `order="A"` means Fortran order for this array."""
    require_known(ev, a, "use order='C'")
    return model(a).flags.fnc


def _reshaped(ev: Evaluator, a: Array, sizes: list[int], copy: Any) -> Array:
    """A view or a copy, as `copy` requests; a view where possible for None."""
    # NumPy copies where strides can't express the shape: after a transpose or slice.
    reshaped = _view(ev, a, views.Reshape(tuple(sizes)))
    is_plain = a.storage.strides is None and all(isinstance(s, views.Reshape) for s in a.views)
    if copy is None and not is_plain and not is_known(a):
        # Either a view or a copy: both have the same values, and stores to either are refused.
        made = fresh(ev.read(reshaped), ev.location)
        made.storage.strides = ()
        ev.relate_copy(made.storage, a.storage)
        return made
    if copy is not None and not copy and not is_plain:
        require_known(ev, a, "leave copy out")
    is_copy = not is_plain and is_known(a) and must_copy(a, sizes)
    if copy is not None and not copy and is_copy:
        ev.raise_now(ValueError, "Unable to avoid creating a copy while reshaping.")
    return fresh(ev.read(reshaped), ev.location) if is_copy or copy else reshaped


def _unviewed(ev: Evaluator, a: Array) -> Array:
    """A new array with the strides of a view, whose own storage nothing else refers to."""
    made = fresh(ev.read(a), ev.location)
    made.storage.strides = strides_of(a)
    return made


def ravel(ev: Evaluator, a: Any, order: Any = "C") -> Array:
    """np.ravel, which unlike reshape copies every array that is not contiguous."""
    a = _in_order(ev, array_of(ev, a), order)
    flat = _reshaped(ev, a, [a.size], None)
    is_view = flat.storage is a.storage and is_known(a)
    return fresh(ev.read(flat), ev.location) if is_view and not is_contiguous(a) else flat


def _in_order(ev: Evaluator, a: Array, order: Any) -> Array:
    """The array transposed so that its elements in C order are those in the given order."""
    order = order_of(ev, order)
    if a.ndim < 2 or order == "C" or (order == "A" and not _is_fortran(ev, a)):
        return a
    if order != "K":
        return transpose(ev, a)
    require_known(ev, a, "use order='C'")
    return transpose(ev, a, kept_axes("K", layout_of(a)))


def flatten(ev: Evaluator, a: Any, order: Any = "C") -> Array:
    a = _in_order(ev, array_of(ev, a), order)
    return fresh(ev.ops.reshape(ev.read(a), (a.size,)), ev.location)


def transpose(ev: Evaluator, a: Any, *axes: Any) -> Array:
    a = array_of(ev, a)
    if len(axes) == 1 and isinstance(axes[0], (Array, Range)):
        axes = (ev.static(_items_of_range(ev, axes[0]), "the axes"),)
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
        axes = tuple(axes[0] or ())
    order = axes_of(ev, axes, a.ndim) if axes else tuple(reversed(range(a.ndim)))
    if len(order) != a.ndim:
        ev.fail("axes don't match array", kind=ShapeError)
    return _view(ev, a, views.Permute(order, tuple(a.shape[i] for i in order)))


def swapaxes(ev: Evaluator, a: Any, axis1: Any, axis2: Any) -> Array:
    a = array_of(ev, a)
    order = list(range(a.ndim))
    i, j = axis_of(ev, axis1, a.ndim), axis_of(ev, axis2, a.ndim)
    order[i], order[j] = order[j], order[i]
    return transpose(ev, a, order)


def matrix_transpose(ev: Evaluator, x: Any) -> Array:
    return swapaxes(ev, x, -1, -2)


def moveaxis(ev: Evaluator, a: Any, source: Any, destination: Any) -> Array:
    a = array_of(ev, a)
    if source is None or destination is None:
        ev.fail_as(TypeError, "'NoneType' object is not iterable", "name the axes")
    source, destination = _items_of_range(ev, source), _items_of_range(ev, destination)
    sources, destinations = axes_of(ev, source, a.ndim), axes_of(ev, destination, a.ndim)
    order = [axis for axis in range(a.ndim) if axis not in sources]
    for position, axis in sorted(zip(destinations, sources, strict=True)):
        order.insert(position, axis)
    return transpose(ev, a, order)


def expand_dims(ev: Evaluator, a: Any, axis: Any) -> Array:
    a = array_of(ev, a)
    if axis is None:
        ev.fail("expand_dims needs an axis", kind=DTypeError)
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    new_axes = axes_of(ev, axis, a.ndim + count)
    rest = iter(a.shape)
    shape = tuple(1 if i in new_axes else next(rest) for i in range(a.ndim + count))
    return _view(ev, a, views.Reshape(shape))


def squeeze(ev: Evaluator, a: Any, axis: Any = None) -> Array:
    a = array_of(ev, a)
    ones = [i for i, n in enumerate(a.shape) if is_one(n)]
    axes = ones if axis is None else reduction_axes(ev, axis, a.ndim)
    if any(a.shape[i] != 1 for i in axes):
        ev.fail(
            "cannot select an axis to squeeze out which has size not equal to one", kind=ShapeError
        )
    if not axes:
        return a
    return _view(ev, a, views.Reshape(tuple(n for i, n in enumerate(a.shape) if i not in axes)))


def atleast(ndim: int) -> Callable[..., Any]:
    def one(ev: Evaluator, a: Any) -> Any:
        if isinstance(a, Part):
            return a if a.ndim >= ndim else ev.subscript(ev.packed(a), _NEW_AXES[ndim, a.ndim])
        a = array_of(ev, a)
        if a.ndim >= ndim:
            return a
        shape = {
            (1, 0): (1,), (2, 0): (1, 1), (2, 1): (1, *a.shape), (3, 0): (1, 1, 1),
            (3, 1): (1, *a.shape, 1), (3, 2): (*a.shape, 1),
        }[ndim, a.ndim]  # fmt: skip
        return _view(ev, a, views.Reshape(shape))

    def call(ev: Evaluator, *arrays: Any) -> Any:
        made = tuple(one(ev, a) for a in arrays)
        return made[0] if len(made) == 1 else made

    return call


#: By (wanted, given) numbers of axes the index that adds the missing axes to arrays of dynamic
#: length.
_NEW_AXES = {
    (2, 1): (None, slice(None)), (3, 1): (None, slice(None), None), (3, 2): (..., None),
}  # fmt: skip


def broadcast_to(ev: Evaluator, array: Any, shape: Any, subok: bool = False) -> Array:
    a = array_of(ev, array)
    to = shape_of(ev, ev.static(shape, "a shape"))
    try:
        fits = broadcast_shapes(a.shape, to) == to
    except ValueError:
        fits = False
    if not fits:
        ev.fail(f"could not broadcast array from shape {a.shape} into shape {to}", kind=ShapeError)
    made = _view(ev, a, views.Broadcast(to))
    made.writable = False
    return made


def broadcast_arrays(ev: Evaluator, *args: Any, subok: bool = False) -> tuple:
    arrays = [array_of(ev, a) for a in args]
    shape = broadcast_shapes(*(a.shape for a in arrays))
    return tuple(a if a.shape == shape else broadcast_to(ev, a, shape) for a in arrays)


def flip(ev: Evaluator, m: Any, axis: Any = None) -> Any:
    a, axis = array_of(ev, m), _items_of_range(ev, axis)
    if a.ndim == 0:
        # NumPy returns a[()], which is a scalar.
        axes_of(ev, axis, 0)
        return numpy_scalar(ev.read(a))
    return _view(ev, a, views.Flip(axes_of(ev, axis, a.ndim), a.shape))


def diagonal(ev: Evaluator, a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Array:
    a = array_of(ev, a)
    k = integers.index(ev, ev.static(offset, "the offset"))
    a = moveaxis(ev, a, (axis1, axis2), (0, 1))
    made = moveaxis(ev, diagonal_view(ev, a, k), 0, -1)
    made.writable = False
    return made


def diagonal_view(ev: Evaluator, a: Array, k: int) -> Array:
    """The diagonal of the first two axes, as the first axis of a view."""
    length = max(min(a.shape[0] - max(-k, 0), a.shape[1] - max(k, 0)), 0)
    return _view(ev, a, views.Diagonal(k, (length, *a.shape[2:])))


def diag(ev: Evaluator, v: Any, k: Any = 0) -> Array:
    a = array_of(ev, v)
    if a.ndim == 2:
        return diagonal(ev, a, k)
    k = ev.static(k, "k")
    # NumPy adds a narrow integer as it is, and the sum may wrap around.
    with np.errstate(over="ignore"):
        wrapped = a.size + abs(k)
    if not depends(wrapped) and wrapped < 0:
        ev.raise_now(ValueError, "negative dimensions are not allowed")
    k = integers.index(ev, k)
    n = a.size + abs(k)
    if wrapped != n:
        ev.fail(f"the size of the diagonal matrix is beyond the range of {k!r}", "take int(k)")
    base = ev.ops.zeros((n, n), a.dtype)
    made = views.Diagonal(k, a.shape).write(ev.ops, base, ev.read(a))
    return fresh(made, ev.location)


def take(
    ev: Evaluator, a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise"
) -> Any:
    a = array_of(ev, a)
    whole: tuple = ()
    if axis is None or (a.ndim == 0 and axis in (0, -1)):
        a = ravel(ev, a)
    else:
        whole = (slice(None),) * axis_of(ev, axis, a.ndim)
    inside = indices_in_range(ev, indices, a.shape[len(whole)], mode)
    taken = ev.subscript(a, (*whole, inside))
    if isinstance(taken, Array) and taken.storage is a.storage:
        # One index selects a view, of which np.take makes a copy.
        taken = fresh(ev.read(taken), ev.location)
    if out is None:
        return taken
    if not isinstance(out, Array):
        ev.fail_as(TypeError, "return arrays must be of ArrayType")
    if not are_equal(ev.read(taken).shape, out.shape):
        ev.raise_now(ValueError, "output array does not match result of ndarray.take")
    if not IS_NUMPY_2_5 and not np.can_cast(out.dtype, a.dtype, "safe"):
        # NumPy before 2.5 checks the cast from `out` to `a`, not the one that it makes.
        message = f"Cannot cast array data from {out.dtype!r} to {a.dtype!r}"
        ev.raise_now(TypeError, f"{message} according to the rule 'safe'")
    ev.store_item(out, Ellipsis, taken)
    return out


def indices_in_range(ev: Evaluator, indices: Any, size: int, mode: Any) -> Any:
    """Indices along an axis of a size, brought into range as `mode` says."""
    mode = _MODES.get(ev.static(mode, "a mode"), mode)
    is_list = isinstance(indices, (list, tuple))
    indices = ev.as_indices(indices) if is_list else ev.as_array(indices)
    if held_dtype(indices) == BOOL:
        # True and False are the numbers 1 and 0 here, not a mask.
        indices = ev.call(np.astype, (ev.call(np.asarray, (indices,), {}), INT), {})
    if mode == "raise":
        return indices
    if mode not in ("wrap", "clip"):
        message = f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})"
        ev.raise_now(ValueError, message)
    indices = array_of(ev, indices)
    if indices.dtype.kind not in "biu":
        ev.raise_now(TypeError, f"Cannot cast array data from {indices.dtype!r} to dtype('int64')")
    if not depends(size) and size == 0 and indices.size:
        ev.raise_now(IndexError, "cannot do a non-empty take from an empty axes.")
    wide = ev.call(np.astype, (indices, INT), {})
    if mode == "wrap":
        return ev.call(np.remainder, (wide, size), {})
    return ev.call(np.clip, (wide, 0, size - 1), {})


#: Other values that NumPy accepts as modes.
_MODES = {None: "raise", 0: "clip", 1: "wrap", 2: "raise"}


def _is_same_memory(a: Any, b: Any) -> bool:
    """Whether the elements of two arrays are the same ones, in the same order."""
    if not (isinstance(a, Array) and isinstance(b, Array)):
        return False
    return a.storage is b.storage and a.shape == b.shape and _moves(a) == _moves(b)


def _moves(a: Array) -> list[Any]:
    """The steps of a view, without transposes of no axes."""
    whole = list(range(a.ndim))
    return [s for s in a.views if not (isinstance(s, views.Permute) and list(s.axes) == whole)]


def copyto(
    ev: Evaluator, dst: Any, src: Any, casting: Any = "same_kind", where: Any = True
) -> None:
    if where is True and _is_same_memory(dst, src):
        # NumPy then does nothing, even if the array is read-only.
        return
    src = ev.as_array(src)
    rule = ev.static(casting, "a casting rule")
    python = src.weak if type(src) is Scalar else None
    if python or isinstance(src, STATIC_NUMBERS):
        # A Python number is weakly typed, as in arithmetic.
        weak = np.result_type(dst.dtype, python() if python else src)
        fits = np.can_cast(weak, dst.dtype, rule)
        value = ev.fitted(src, (), dst.dtype) if fits else ev.read(src)
        store_out(ev, dst, value, weak, where, rule)
        return
    mask = where if where is True else ev.call(np.broadcast_to, (where, dst.shape), {})
    if not late_reads.copied_in_order(ev, dst, src, mask):
        store_out(ev, dst, ev.read(src), src.dtype, where, rule)


def handlers() -> dict[Any, Callable[..., Any]]:
    return {
        np.reshape: lambda ev, a, /, shape, order="C", *, copy=None: reshape(
            ev, a, shape, order=order, copy=copy
        ),
        np.ravel: ravel, np.transpose: lambda ev, a, axes=None: transpose(ev, a, axes),
        np.permute_dims: lambda ev, a, axes=None: transpose(ev, a, axes),
        np.swapaxes: swapaxes, np.matrix_transpose: matrix_transpose, np.moveaxis: moveaxis,
        np.expand_dims: expand_dims, np.squeeze: squeeze, np.atleast_1d: atleast(1),
        np.atleast_2d: atleast(2), np.atleast_3d: atleast(3), np.broadcast_to: broadcast_to,
        np.broadcast_arrays: broadcast_arrays, np.flip: flip,
        np.flipud: lambda ev, m: flip(ev, m, 0), np.fliplr: lambda ev, m: flip(ev, m, 1),
        np.diagonal: diagonal, np.diag: diag, np.take: take, np.copyto: copyto,
    }  # fmt: skip
