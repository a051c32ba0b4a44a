"""Functions that create arrays, and conversions between dtypes."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dimensions import Dimension, as_int
from ingot.dtypes import CODES, COMPLEX, FLOAT, INT
from ingot.numpy import integers
from ingot.numpy.layout import is_contiguous, is_known, require_known
from ingot.numpy.order import ordered
from ingot.numpy.ufuncs import is_int, operand
from ingot.syntax import intervals, lengths
from ingot.syntax.dynamic import (
    Part,
    Sliced,
    Span,
    Spans,
)
from ingot.syntax.ops import fresh, held_dtype, value_dtype
from ingot.syntax.storing import check_fits, element
from ingot.syntax.values import (
    Array,
    Joined,
    Range,
    Scalar,
    Undetermined,
    class_name,
    is_number,
    is_runtime,
    is_view,
    last_resort,
    parameter_of,
)
from ingot_runtime.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def dtype_of(ev: Evaluator, dtype: Any, default: np.dtype) -> np.dtype:
    """A dtype argument as a supported dtype; the default for None."""
    if dtype is None:
        return default
    dtype = ev.static(dtype, "a dtype")
    try:
        found = np.dtype(dtype)
    except TypeError as error:
        ev.fail_as(TypeError, str(error))
    if found not in CODES:
        ev.fail(f"dtype {found} is not supported", "use a bool, integer, float or complex")
    return found


def shape_of(ev: Evaluator, shape: Any) -> tuple[int, ...]:
    """A shape argument, an int or a sequence of ints, which must be static."""
    shape = ev.static(shape, "a shape")
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    for size in sizes:
        refuse_bool(ev, size)
        if not isinstance(size, (int, np.integer)):
            name = class_name(size)
            ev.fail_as(TypeError, f"'{name}' object cannot be interpreted as an integer")
        if size < 0:
            ev.fail("negative dimensions are not allowed", kind=ShapeError)
    return tuple(map(as_int, sizes))


def open_shape_of(ev: Evaluator, shape: Any) -> tuple[tuple[int, ...], Spans]:
    """A shape argument whose sizes may be dynamic: the upper bounds, and the spans."""
    shape = ev.static(shape, "a shape") if isinstance(shape, Array) else shape
    given = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    axes: list[tuple[int, Span | None]] = [
        lengths.span_of(ev, size) if lengths.is_open(size) else (shape_of(ev, size)[0], None)
        for size in given
    ]
    return tuple(extent for extent, _ in axes), tuple(span for _, span in axes)


def order_of(ev: Evaluator, order: Any, default: str = "C") -> str:
    """An order argument: "C", "F", "A" or "K", or the default for None."""
    order = ev.static(order, "an order")
    if order is None:
        return default
    if not isinstance(order, str):
        ev.raise_now(TypeError, f"order must be str, not {class_name(order)}")
    if order.upper() not in ("C", "F", "A", "K"):
        ev.raise_now(ValueError, f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    return order.upper()


def _order_of_new(ev: Evaluator, order: Any) -> str:
    order = order_of(ev, order)
    if order not in ("C", "F"):
        ev.raise_now(ValueError, "only 'C' or 'F' order is permitted")
    return order


def refuse_bool(ev: Evaluator, size: Any) -> None:
    if isinstance(size, (bool, np.bool_)):
        message = "expected a sequence of integers or a single integer"
        ev.raise_now(TypeError, f"{message}, got '{size}'")


def zeros(ev: Evaluator, shape: Any, dtype: Any = None, order: Any = "C") -> Array | Sliced:
    return _filled(ev, shape, 0, dtype, order)


def ones(ev: Evaluator, shape: Any, dtype: Any = None, order: Any = "C") -> Array | Sliced:
    return _filled(ev, shape, 1, dtype, order)


def _filled(ev: Evaluator, shape: Any, number: int, dtype: Any, order: Any) -> Array | Sliced:
    to = dtype_of(ev, dtype, FLOAT)
    bounds, found = open_shape_of(ev, shape)
    value = ev.ops.broadcast(ev.ops.constant(number, to), bounds)
    return _in_new_order(ev, lengths.counted(ev, value, found), order)


def _in_new_order(ev: Evaluator, made: Array | Sliced, order: Any) -> Array | Sliced:
    ordered(made.dense if isinstance(made, Sliced) else made, _order_of_new(ev, order))
    return made


def full(
    ev: Evaluator, shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C"
) -> Array | Sliced:
    bounds, found = open_shape_of(ev, shape)
    value = _full(ev, bounds, fill_value, dtype)
    return _in_new_order(ev, lengths.counted(ev, value, found), order)


def _full(ev: Evaluator, shape: tuple[int, ...], fill_value: Any, dtype: Any) -> Value:
    fill = ev.as_array(fill_value)
    to = dtype_of(ev, dtype, value_dtype(fill) if dtype is None else FLOAT)
    value = operand(ev, fill, to) if is_int(fill) else ev.ops.cast(ev.read(fill), to)
    return ev.ops.full(shape, value, to)


def _like(number: int) -> Callable[..., Array]:
    def make(
        ev: Evaluator,
        a: Any,
        dtype: Any = None,
        order: Any = "K",
        subok: Any = True,
        shape: Any = None,
    ) -> Array:
        return full_like(ev, a, number, dtype, order, subok, shape)

    return make


def full_like(
    ev: Evaluator, a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", subok: Any = True,
    shape: Any = None,
) -> Array:  # fmt: skip
    a = ev.as_array(a)
    shape = ev.read(a).shape if shape is None else shape
    to = dtype_of(ev, dtype, value_dtype(a) if dtype is None else FLOAT)
    made = fresh(_full(ev, shape_of(ev, shape), fill_value, to), ev.location)
    return ordered(made, order_of(ev, order, "K"), a)


def array(
    ev: Evaluator, object: Any, dtype: Any = None, *, copy: Any = True, order: Any = "K",
    subok: bool = False, ndmin: int = 0,
) -> Any:  # fmt: skip
    """np.array: nested sequences and scalars become one new array."""
    order, copy = order_of(ev, order, "K"), _copy_mode(ev, copy)
    if copy is None or not copy:
        made = asarray(ev, object, dtype, order, copy=copy)
    else:
        made = _new(ev, object, dtype, order)
    missing = ndmin - made.ndim
    return made if missing <= 0 else ev.subscript(made, (None,) * missing + (Ellipsis,))


def _spread(ev: Evaluator, value: Any) -> Any:
    """The ranges in nested sequences as arrays. An empty one is of floats, as an empty list is."""
    if isinstance(value, (list, tuple)):
        return [_spread(ev, each) for each in value]
    if not isinstance(value, Range):
        return value
    items = ev.static_items(value)
    made = (items.start, items.stop, items.step)
    return ev.call(np.arange, made, {}) if items else ev.call(np.zeros, (0,), {})


def _new(ev: Evaluator, object: Any, dtype: Any, order: str) -> Any:
    object = _spread(ev, object)
    if isinstance(object, (list, tuple)) and any(isinstance(each, Part) for each in object):
        # Rows of dynamic lengths; np.stack checks that they are equal.
        made = ev.call(np.stack, (list(object),), {"dtype": dtype, "casting": "unsafe"})
        return made if isinstance(made, Part) else ordered(made, order, object)
    if isinstance(object, Array):
        to = dtype_of(ev, dtype, object.dtype)
        value = ev.ops.cast(ev.read(object), to)
        # With "A", too, an array that is converted keeps its memory order.
        order = "K" if order == "A" and to != object.dtype and not _is_fortran(object) else order
    elif not _has_runtime(object):
        given = None if dtype is None else dtype_of(ev, dtype, FLOAT)
        data = ev.compute(np.array, _plain(object), given, raw=True)
        if data.dtype not in CODES:
            ev.fail(
                f"an array of {data.dtype} is not supported",
                "use numbers",
                page="object-array",
            )
        value = ev.ops.constant(data, data.dtype)
    else:
        default = common_dtype(ev, object) if dtype is None else FLOAT
        value = _stacked(ev, object, dtype_of(ev, dtype, default))
    return ordered(fresh(value, ev.location), order, object)


def _is_fortran(a: Array) -> bool:
    return is_known(a) and is_contiguous(a, "F") and not is_contiguous(a)


def _has_runtime(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_runtime, value))
    return is_runtime(value)


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _leaves(value: Any) -> Iterator[Any]:
    if not isinstance(value, (list, tuple)):
        yield value
        return
    for each in value:
        yield from _leaves(each)


def common_dtype(ev: Evaluator, value: Any) -> np.dtype:
    """The dtype of an array of what nested sequences hold.

    Raises:
        Undetermined: it depends on the path taken.
    """
    found: list[list[np.dtype]] = []
    joined: list[Joined] = []
    for each in _leaves(value):
        if isinstance(each, Joined):
            joined.append(each)
            found.append([np.dtype(kind) for kind in each.kinds])
        else:
            found.append([value_dtype(ev.as_array(each))])
    # Of many elements few sets of dtypes occur together, on however many paths.
    together: set[frozenset[np.dtype]] = {frozenset()}
    for choices in found:
        together = {one | {dtype} for one in together for dtype in choices}
    dtypes = {np.result_type(*each) for each in together}
    if len(dtypes) > 1:
        raise Undetermined(joined[0].kinds)
    return dtypes.pop()


def settled(ev: Evaluator, arrays: list[Any]) -> list[Any]:
    """Arrays that meet: those of numbers of several kinds in the dtype that all of them have then."""
    arrays = [ev.plain(each) for each in arrays]
    is_open = [any(type(leaf) is Joined for leaf in _leaves(each)) for each in arrays]
    if not any(is_open):
        return arrays
    to = common_dtype(ev, [a.dense if isinstance(a, Part) else a for a in arrays])
    choices = zip(arrays, is_open, strict=True)
    return [ev.call(np.array, (a, to), {}) if each else a for a, each in choices]


def _stacked(ev: Evaluator, value: Any, dtype: np.dtype, is_item: bool = False) -> Value:
    """A nested sequence as one SSA value."""
    if is_number(value):
        return element(ev, ev.at_run_time(value), dtype, is_item)
    if not isinstance(value, (list, tuple)):
        return ev.ops.cast(ev.read(value), dtype)
    rows = [_stacked(ev, each, dtype, is_item=True) for each in value]
    if len({row.shape for row in rows}) != 1:
        ev.fail("the rows of an array have different shapes", kind=ShapeError)
    wide = [ev.ops.reshape(row, (1, *row.shape)) for row in rows]
    return ev.ops.create("concatenate", wide, axis=0) if len(wide) > 1 else wide[0]


def asarray(
    ev: Evaluator, a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None
) -> Any:
    """The argument itself, or a copy if its dtype or memory order must change.

    If its memory order is not known, stores to the argument or to the result are refused while the
    other one is in use.
    """
    order, copy = order_of(ev, order, "K"), _copy_mode(ev, copy)
    if copy:
        return _new(ev, a, dtype, order)
    is_same = isinstance(a, Array) and (dtype is None or dtype_of(ev, dtype, FLOAT) == a.seen_dtype)
    if is_same and (order in ("A", "K") or (is_known(a) and is_contiguous(a, order))):
        return a
    if copy is not None and is_same:
        require_known(ev, a, "leave copy out")
    if copy is not None:
        ev.raise_now(ValueError, UNAVOIDABLE)
    made = _new(ev, a, dtype, order)
    if is_same and not is_known(a):
        made.storage.strides = ()
        ev.relate_copy(made.storage, a.storage)
    return made


def _copy_mode(ev: Evaluator, copy: Any) -> Any:
    """An argument `copy=`, which may be a member of NumPy's enum of its three meanings."""
    copy = ev.static(copy, "copy")
    modes = getattr(np, "_CopyMode", None)
    if modes is None or not isinstance(copy, modes):
        return copy
    return {modes.ALWAYS: True, modes.NEVER: False, modes.IF_NEEDED: None}[copy]


#: NumPy's message where `copy=False` is impossible.
UNAVOIDABLE = (
    "Unable to avoid copy while creating an array as requested.\n"
    "If using `np.array(obj, copy=False)` replace it with `np.asarray(obj)` to allow a copy when "
    "needed (no behavior change in NumPy 1.x).\n"
    "For more details, see https://numpy.org/devdocs/numpy_2_0_migration_guide.html"
    "#adapting-to-changes-in-the-copy-keyword."
)


def _contiguous(order: str) -> Callable[..., Any]:
    """np.ascontiguousarray or np.asfortranarray, whose results have at least one axis."""

    def call(ev: Evaluator, a: Any, dtype: Any = None) -> Any:
        return ev.call(np.atleast_1d, (asarray(ev, a, dtype, order),), {})

    return call


def frombuffer(
    ev: Evaluator, buffer: Any, dtype: Any = float, count: Any = -1, offset: Any = 0
) -> Array:
    """np.frombuffer of bytes that are known at compile time, which can't be stored to."""
    if not isinstance(buffer, bytes):
        ev.fail("np.frombuffer takes bytes that are known at compile time", "use np.array")
    of = dtype_of(ev, dtype, FLOAT), ev.static(count, "a count"), ev.static(offset, "an offset")
    found = ev.compute(np.frombuffer, buffer, *of, raw=True)
    made = fresh(ev.ops.constant(found, found.dtype), ev.location)
    made.writable = False
    return made


def require(ev: Evaluator, a: Any, dtype: Any = None, requirements: Any = None) -> Any:
    """np.require: the argument, or a copy that meets the requirements."""
    wanted = ev.static(requirements, "requirements") or ()
    wanted = {_REQUIREMENTS.get(each.upper(), each) for each in wanted}
    if not wanted <= set(_REQUIREMENTS.values()):
        ev.raise_now(KeyError, str(min(wanted - set(_REQUIREMENTS.values()))))
    if wanted >= {"C", "F"}:
        ev.raise_now(ValueError, 'Cannot specify both "C" and "F" order')
    order = min(wanted & {"C", "F"}, default="A")
    made = asarray(ev, a, dtype, order)
    if "O" in wanted and made.storage.argument is not None:
        ev.fail("whether an argument owns its memory is not known", "copy it: np.copy(a)")
    is_lacking = ("W" in wanted and not made.writable) or ("O" in wanted and is_view(made))
    return _new(ev, made, None, order) if is_lacking else made


#: The requirements of np.require, by their names.
_REQUIREMENTS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F",
    "A": "A", "ALIGNED": "A", "W": "W", "WRITEABLE": "W", "O": "O", "OWNDATA": "O", "E": "E",
    "ENSUREARRAY": "E",
}  # fmt: skip


def copy(ev: Evaluator, a: Any, order: Any = "K", subok: bool = False) -> Array:
    return array(ev, a, order=order)


def copy_method(ev: Evaluator, a: Any, order: Any = "C") -> Array:
    """`a.copy()`, which unlike `np.copy` has C order by default."""
    return array(ev, a, order=order)


def converted(ev: Evaluator, a: Any, dtype: np.dtype) -> Any:
    value = ev.ops.cast(ev.read(a), dtype)
    if isinstance(a, Array):
        ev.ops.note_bounds(value, intervals.cast(ev.ops, a, dtype))
    return fresh(value, ev.location)


def eye(
    ev: Evaluator, N: Any, M: Any = None, k: Any = 0, dtype: Any = FLOAT, order: Any = "C"
) -> Array | Sliced:
    (n, m), found = open_shape_of(ev, (N, N if M is None else M))
    to = dtype_of(ev, dtype, FLOAT)
    k = ev.static(integers.index(ev, k), "k")
    mask = diagonal_mask(ev, "eq", (n, m), k)
    return _in_new_order(ev, lengths.counted(ev, ev.ops.convert(mask, to), found), order)


def identity(ev: Evaluator, n: Any, dtype: Any = None) -> Array | Sliced:
    return eye(ev, n, dtype=FLOAT if dtype is None else dtype)


def diagonal_mask(ev: Evaluator, how: str, shape: tuple[int, int], k: int) -> Value:
    """The mask of the elements for which `column - row` compares with k as `how` says."""
    row, column = (ev.ops.iota(shape, axis) for axis in (0, 1))
    moved = ev.ops.index_op("add", row, ev.ops.constant(k, INT))
    return ev.ops.compare(how, column, moved, INT)


def _triangle(how: str) -> Callable[..., Array]:
    def make(ev: Evaluator, m: Any, k: Any = 0) -> Array:
        m = ev.as_array(m)
        value = ev.read(m)
        if not value.shape:
            ev.fail("np.tril and np.triu take arrays of at least one axis", kind=DTypeError)
        if len(value.shape) == 1:
            value = ev.ops.broadcast(value, value.shape * 2)
        mask = diagonal_mask(ev, how, value.shape[-2:], ev.static(k, "k"))
        return fresh(ev.ops.select(mask, value, ev.ops.constant(0, m.dtype)), ev.location)

    return make


def meshgrid(
    ev: Evaluator, *xi: Any, indexing: str = "xy", sparse: bool = False, copy: bool = True
) -> Any:
    if indexing not in ("xy", "ij"):
        ev.raise_now(ValueError, "Valid values for `indexing` are 'xy' and 'ij'.")
    if not ev.static(copy, "copy"):
        ev.fail("np.meshgrid with copy=False gives views", "leave copy= out")
    axes = [ev.call(np.asarray, (x,), {}) for x in xi]
    order = list(range(len(axes)))
    if indexing == "xy" and len(axes) > 1:
        order[:2] = [1, 0]
    lengths = [x.size for x in axes]
    shape = [0] * len(axes)
    for axis, length in zip(order, lengths, strict=True):
        shape[axis] = length
    made = []
    for axis, x in zip(order, axes, strict=True):
        own = [1] * len(axes)
        own[axis] = shape[axis]
        value = ev.ops.reshape(ev.read(x), own)
        made.append(fresh(value if sparse else ev.ops.broadcast(value, shape), ev.location))
    return tuple(made)


def astype(
    ev: Evaluator, a: Any, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: Any = True,
    copy: Any = True,
) -> Any:  # fmt: skip
    to, order = dtype_of(ev, dtype, FLOAT), order_of(ev, order, "K")
    casting = ev.static(casting, "casting")
    if not hasattr(a, "dtype"):
        ev.fail("Input should be a NumPy array or scalar", "use np.asarray first", DTypeError)
    if not np.can_cast(a.dtype, to, casting):
        what = f"data from {a.dtype!r} to {to!r} according to the rule {casting!r}"
        ev.fail_as(TypeError, f"Cannot cast array {what}")
    if not isinstance(a, Array):
        return _converted_number(a, ev.ops.cast(ev.read(a), to), to)
    if not ev.static(copy, "copy") and a.seen_dtype == to and _has_order(a, order):
        return a
    return ordered(converted(ev, a, to), order, a)


def _has_order(a: Array, order: str) -> bool:
    if order == "K":
        return True
    if not is_known(a):
        return False
    return any(is_contiguous(a, each) for each in (("C", "F") if order == "A" else (order,)))


def cast(dtype: Any) -> Callable[..., Any]:
    """The handler of a scalar type: np.float32(x) makes a NumPy scalar, float(x) a Python number."""

    def call(ev: Evaluator, value: Any = 0) -> Any:
        if isinstance(value, Dimension):
            if dtype is int:
                return value
            value = ev.at_run_time(value)
        if not is_runtime(value) and not isinstance(value, (list, tuple)):
            return ev.compute(dtype, value)
        value = ev.as_array(value)
        to = np.dtype(dtype)
        if dtype in (bool, int, float, complex):
            return _python_cast(ev, value, dtype, to)
        if isinstance(value, Scalar):
            return _converted_number(value, element(ev, value, to, is_item=False), to)
        if value.ndim and value.dtype == to and not value.storage.swapped:
            return value
        ssa = ev.ops.cast(ev.read(value), to)
        return fresh(ssa, ev.location) if ssa.shape else Scalar(ssa, to)

    return call


def _converted_number(number: Any, value: Value, to: np.dtype) -> Scalar:
    parameter = parameter_of([number])
    is_rounded = to.kind in "iu" and number.dtype.kind == "f"
    return Scalar(value, to, parameter=last_resort(parameter) if is_rounded else parameter)


@functools.cache
def _converts_axes(kind: type) -> bool:
    """Whether this NumPy converts arrays of shape (1,) to Python numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            kind(np.zeros(1))
        except TypeError:
            return False
    return True


_TOO_LARGE = (
    "an np.uint64 of 2**63 or more can't become an int in compiled code; keep it an np.uint64"
)


def _python_cast(ev: Evaluator, value: Any, dtype: type, to: np.dtype) -> Scalar:
    if type(value) is Scalar and value.weak is dtype:
        return value
    ssa = ev.read(value)
    if math.prod(ssa.shape) != 1:
        ev.fail_as(TypeError, "only size-1 arrays can be converted to Python scalars")
    if ssa.shape and not _converts_axes(dtype):
        ev.fail_as(TypeError, "only 0-dimensional arrays can be converted to Python scalars")
    if held_dtype(value).kind == "c" and dtype in (int, float):
        ev.fail("can't convert complex to a real number", "use .real", DTypeError)
    if dtype is bool:
        return ev.truth(value)
    if dtype is int and held_dtype(value).kind == "f":
        return integers.of_float(ev, ev.ops.convert(ev.ops.reshape(ssa, ()), FLOAT), value)
    number = ev.ops.reshape(ssa, ())
    if dtype is int:
        bounds = (value.low, value.high) if isinstance(value, Scalar) else ()
        given = Scalar(number, held_dtype(value), None, None, *bounds)
        check_fits(ev, given, to, _TOO_LARGE)
    result = Scalar(ev.ops.convert(number, to), to, dtype)
    if isinstance(value, Scalar):
        result.parameter = value.parameter
    if isinstance(value, Scalar) and dtype is int:
        result.affine, result.low, result.high = value.affine, value.low, value.high
    return result


_NOT_GIVEN = object()


def complex_(ev: Evaluator, real: Any = 0, imag: Any = _NOT_GIVEN) -> Any:
    """complex(real, imag) or complex(x)."""
    given = () if imag is _NOT_GIVEN else (imag,)
    if not is_runtime(real) and not is_runtime(imag):
        return ev.compute(complex, real, *given)
    if not given or (not is_runtime(imag) and imag == 0):
        return cast(complex)(ev, real)
    (x, y), (u, v) = (_parts(ev, ev.as_array(part)) for part in (real, imag))
    if v is not None and held_dtype(imag) != COMPLEX:
        # Only Python's complex and np.complex128, which is one, keep the imaginary part of `imag`.
        v = None
    x = x if v is None else ev.ops.elementwise("sub", [x, v], [FLOAT, FLOAT])
    u = u if y is None else ev.ops.elementwise("add", [u, y], [FLOAT, FLOAT])
    return Scalar(ev.ops.create("complex", [x, u]), COMPLEX, complex)


def _parts(ev: Evaluator, value: Any) -> tuple[Value, Value | None]:
    """The real and the imaginary part of a number; None for that of a real one."""
    number = ev.read(value)
    if held_dtype(value).kind != "c":
        return ev.ops.convert(number, FLOAT), None
    real, imag = (ev.ops.create(part, [number]) for part in ("real", "imag"))
    return ev.ops.convert(real, FLOAT), ev.ops.convert(imag, FLOAT)


def from_dlpack(ev: Evaluator, x: Any, /, *, copy: Any = None) -> Any:
    """A view of an array, or a copy if `copy` is true."""
    if not isinstance(x, Array):
        ev.fail("np.from_dlpack takes arrays", "use np.asarray", DTypeError)
    if ev.static(copy, "copy"):
        return array(ev, x)
    return Array(x.storage, x.shape, x.views, x.writable, True)


#: Functions with the parameters `device`, which must be None or "cpu", and `like`, which must be
#: None.
ON_DEVICE = (
    np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like, np.full_like,
    np.array, np.asarray, np.asanyarray, np.eye, np.identity, np.astype,
    np.from_dlpack, np.ascontiguousarray, np.asfortranarray,
)  # fmt: skip


def check_device(ev: Evaluator, device: Any) -> None:
    if device not in (None, "cpu"):
        ev.fail(
            f'Device not understood. Only "cpu" is allowed, but received: {device}', kind=ShapeError
        )


def on_device(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(ev: Evaluator, *args: Any, device: Any = None, like: Any = None, **kwargs: Any) -> Any:
        check_device(ev, device)
        if like is not None:
            ev.fail("like= is not supported", "leave it out")
        return function(ev, *args, **kwargs)

    return call


def handlers() -> dict[Any, Callable[..., Any]]:
    made: dict[Any, Callable[..., Any]] = {
        np.zeros: zeros, np.ones: ones, np.empty: zeros, np.full: full,
        np.zeros_like: _like(0), np.ones_like: _like(1), np.empty_like: _like(0),
        np.full_like: full_like, np.array: array, np.asarray: asarray, np.copy: copy,
        np.asanyarray: asarray, np.ascontiguousarray: _contiguous("C"),
        np.asfortranarray: _contiguous("F"),
        np.eye: eye, np.identity: identity,
        np.tril: _triangle("le"), np.triu: _triangle("ge"), np.meshgrid: meshgrid,
        np.require: require, np.frombuffer: frombuffer,
        np.astype: lambda ev, x, dtype, /, *, copy=True: astype(ev, x, dtype, copy=copy),
        np.from_dlpack: from_dlpack,
    }  # fmt: skip
    return made | {function: on_device(made[function]) for function in ON_DEVICE}
