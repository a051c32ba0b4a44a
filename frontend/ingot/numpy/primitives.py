"""Primitives: what the functions of `library` call that is not a NumPy function.

Library code calls them without `ev`; the evaluator passes it.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dimensions import broadcast_shapes, depends
from ingot.dtypes import INT, STATIC_NUMBERS
from ingot.numpy import layout, order
from ingot.numpy.creation import shape_of
from ingot.numpy.layout import c_strides, is_known
from ingot.numpy.promotion import kind_of, reduced_dtypes, resolve
from ingot.numpy.shape import array_of, axes_of, axis_of, indices_in_range, reduction_axes
from ingot.numpy.ufuncs import reduced, store_out
from ingot.syntax import batching, derivatives, intervals, lengths, rules, views
from ingot.syntax.contents import leaves_of
from ingot.syntax.late_reads import refuse_late_reads, refuse_masked
from ingot.syntax.ops import bounds_of, fresh, predicate, result_of
from ingot.syntax.values import Array, Scalar, Symbolic
from ingot_runtime.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

HANDLERS: dict[Any, Callable[..., Any]] = {}

_TERM = r"\((?:\w+(?:,\w+)*)?\)"
#: A generalized ufunc signature such as "(n),(n,m)->(m)", without spaces.
_SIGNATURE = rf"{_TERM}(?:,{_TERM})*->{_TERM}(?:,{_TERM})*"


def _primitive(function: Callable[..., Any]) -> Any:
    HANDLERS[function] = function
    return function


def _arrays(
    ev: Evaluator, name: str, operands: list[Any], types: list[Any], **attributes: Any
) -> tuple:
    """The results of an operation, as arrays."""
    values = ev.ops.builder.create("ingot." + name, operands, attributes, types)
    return tuple(fresh(value, ev.location) for value in values)


# Operations of the dialect.


@_primitive
def sort(ev: Evaluator, operands: tuple, axis: Any, keys: int, is_stable: bool = True) -> tuple:
    """The arrays, sorted along an axis; the first `keys` arrays are the sort keys."""
    values = [ev.read(array_of(ev, each)) for each in operands]
    axis = axis_of(ev, axis, len(values[0].shape))
    made = _arrays(ev, "sort", values, [], axis=axis, num_keys=keys, is_stable=is_stable)
    for value, array in zip(values, made, strict=True):
        ev.ops.note_bounds(array.storage.value, ev.ops.noted_bounds(value))
    return made


@_primitive
def iota(ev: Evaluator, shape: tuple, axis: Any) -> Array:
    """An array whose elements are their own index along an axis."""
    shape = ev.static(shape, "a shape")
    return fresh(ev.ops.iota(shape, axis_of(ev, axis, len(shape))), ev.location)


@_primitive
def flat(ev: Evaluator, a: Array) -> Array:
    """All elements in C order, always as a view (`ravel` may copy)."""
    size = (a.size,)
    return Array(a.storage, size, (*a.views, views.Reshape(size)), a.writable)


@_primitive
def take(ev: Evaluator, a: Array, *indices: Any) -> Any:
    """`a[indices]` without bounds checks: the caller knows that the indices are in range."""
    shape = broadcast_shapes(*(ev.read(i).shape for i in indices))
    values = [ev.ops.broadcast(ev.read(i), shape) for i in indices]
    return result_of(ev.ops.create("gather", [ev.read(a), *values]), ev.location)


@_primitive
def add_at(ev: Evaluator, a: Array, indices: Any, values: Any) -> None:
    """`np.add.at(a, indices, values)` without bounds checks."""
    index = ev.ops.convert(ev.read(indices), INT)
    update = ev.ops.convert(ev.read(ev.as_array(values)), a.dtype)
    operands = [ev.read(a), ev.ops.broadcast(update, index.shape), index]
    ev.store(a, ev.ops.create("scatter", operands, kind="#ingot<scatter_kind add>"))


@_primitive
def in_range(ev: Evaluator, indices: Any, size: int, mode: Any) -> Any:
    """Indices brought into range as `mode` of np.take and np.put says."""
    return indices_in_range(ev, indices, size, mode)


@_primitive
def bounded(ev: Evaluator, number: Any, bound: Any) -> Any:
    """Note that a number, or each element of an array, is in [0, bound]."""
    bounds = 0, bounds_of(bound)[1]
    if isinstance(number, Scalar):
        return intervals.note(number, bounds)
    if isinstance(number, Array) and not number.views:
        ev.ops.note_bounds(number.storage.value, bounds)
    return number


@_primitive
def upper_bound(ev: Evaluator, size: Any) -> int:
    """A static size itself, or the upper bound of a dynamic one."""
    if not isinstance(size, Scalar):
        return size  # type: ignore[no-any-return]
    return lengths.span_of(ev, size)[0]


@_primitive
def is_bounded(ev: Evaluator, size: Any) -> bool:
    """Whether a size is static, or has an upper bound."""
    return lengths.is_bounded(size)


@_primitive
def with_zero_padding(ev: Evaluator, indices: Any, values: Any) -> tuple:
    """Indices and values of equal length; in arrays of dynamic length the padding becomes 0."""
    return indices, values


@_primitive
def same_shape(ev: Evaluator, a: Any, b: Any) -> bool:
    """Whether two arrays have the same shape; dynamic lengths are checked at run time."""
    return bool(a.shape == b.shape)


@_primitive
def is_contiguous(ev: Evaluator, a: Array) -> bool:
    """Whether an array is C-contiguous, so that `a.ravel()` is a view."""
    layout.require_known(ev, a)
    return layout.is_contiguous(a)


@_primitive
def axes_in_memory(ev: Evaluator, a: Array) -> tuple[int, ...]:
    """The axes in memory order, the outermost first."""
    layout.require_known(ev, a)
    strides = layout.strides_of(a)
    return layout.axes_by(strides) if strides else tuple(range(a.ndim))


@_primitive
def refuse_late_flat_reads(
    ev: Evaluator, a: Array, stop: int | None, step: int, value: Any
) -> None:
    """Refuse `a.flat[:stop:step] = value` if it reads what it has stored to."""
    value = ev.as_array(value)
    if isinstance(value, Array):
        line = ev.attribute(a, "flat").line
        refuse_late_reads(ev, line, ev.subscript(line, slice(None, stop, step)), value)


@_primitive
def is_equal(ev: Evaluator, a: Any, b: Any) -> Any:
    """`a is b or a == b`, as containers compare their items."""
    return ev.equal(a, b)


@_primitive
def refuse_masked_reads(ev: Evaluator, a: Array, value: Any) -> None:
    """Refuse a store of a part of an array to those of its elements that a mask selects."""
    refuse_masked(ev, a, value)


@_primitive
def opaque(ev: Evaluator, number: Any, x: Any) -> Any:
    """A constant that XLA cannot fold; 1 where x is NaN.

    XLA replaces a division by a known constant by a product with its reciprocal, which rounds
    differently.
    """
    dtype = x.dtype if isinstance(x, Array) else x.held
    value = ev.read(x)
    is_number = ev.ops.compare("eq", value, value, dtype)
    sides = [ev.ops.constant(each, dtype) for each in (number, 1)]
    return result_of(ev.ops.select(is_number, *sides), ev.location)


@_primitive
def short_power(ev: Evaluator, a: Any, b: Any) -> Any:
    """`a ** b` of integers for exponents from 0 to 63."""
    exponent = ev.ops.constant(b, a.dtype) if isinstance(b, int) else ev.read(b)
    return result_of(
        ev.ops.elementwise("pow", [ev.read(a), exponent], [a.dtype, a.dtype]), ev.location
    )


@_primitive
def bitcast(ev: Evaluator, a: Any, dtype: Any) -> Any:
    value = ev.read(a)
    return fresh(ev.ops.typed("bitcast", [value], value.shape, np.dtype(dtype)), ev.location)


@_primitive
def unary(ev: Evaluator, name: str, a: Any) -> Any:
    """An elementwise operation of the dialect, on floats."""
    if a.dtype.kind != "f":
        ev.fail(f"{name} of {a.dtype} is not supported", "use floats", DTypeError)
    return result_of(ev.ops.create(name, [ev.read(a)]), ev.location)


@_primitive
def polygamma(ev: Evaluator, n: Any, x: Any) -> Any:
    return result_of(ev.ops.create("polygamma", [ev.read(n), ev.read(x)]), ev.location)


@_primitive
def jvp(ev: Evaluator, f: Any, primals: tuple, tangents: tuple) -> Any:
    """The tangents of the results of f (`ingot.jvp` without the primal results)."""
    derivative = derivatives.Derivative("jvp", f)
    return ev.call(derivative, (primals, tangents), {}, ev.node)[1]


@_primitive
def vjp(ev: Evaluator, f: Any, primals: tuple, cotangents: tuple) -> Any:
    """The cotangents of the arguments of f."""
    pullback = derivatives.Derivative("pullback", f, primals=primals)
    return ev.call(pullback, (cotangents,), {}, ev.node)


@_primitive
def custom_jvp(ev: Evaluator, function: Any, rule: Any, *args: Any) -> Any:
    """Call a function whose derivative is a rule: `rule(primals, tangents)` returns a pair, of
    which the second item is the tangent of the result."""
    return rules.custom_jvp(ev, function, rule, args, ev.node)


@_primitive
def without_slope(ev: Evaluator, tangent: Any) -> Any:
    """The tangent of what has no slope: NaN, and zero for a tangent of zero."""
    nan = ev.ops.constant(float("nan"), tangent.dtype)
    return result_of(ev.ops.create("mul_no_nan", [ev.read(tangent), nan]), ev.location)


@_primitive
def numpy_function(ev: Evaluator, name: str, function: Any, *arrays: Array) -> Any:
    """Call a function of stacks of matrices. It computes what the generalised ufunc of np.linalg
    with this name does; its last result tells, for each item of the stack, if it failed."""
    return rules.numpy_function(ev, name, function, arrays, ev.node)


@_primitive
def vmap(ev: Evaluator, f: Any, *arrays: Array) -> Any:
    """The results of f for each item along the arrays' first axes, as one batch."""
    return ev.call(batching.in_compiled_code(ev, f), arrays, {}, ev.node)


@_primitive
def in_memory_order_of(ev: Evaluator, made: Array, *sources: Any) -> Array:
    """A new array in the memory order that NumPy gives to elementwise results of the sources."""
    new = fresh(ev.read(made), ev.location) if made.views else made
    return order.elementwise(new, sources)


@_primitive
def is_contiguous_in(ev: Evaluator, a: Array, order: str) -> bool:
    layout.require_known(ev, a)
    return layout.is_contiguous(a, order)


@_primitive
def is_in_one_order(ev: Evaluator, a: Array) -> bool:
    """Whether an array is contiguous in C or in Fortran order, and not in both."""
    is_one = is_contiguous_in(ev, a, "C") != is_contiguous_in(ev, a, "F")
    if depends(tuple(a.shape)) and sum(not depends(n) and n > 1 for n in a.shape) < 2:
        ev.fail(
            "this gives a float, or an np.float64 where open sizes are 1",
            "use np.linalg.norm, which gives an np.float64",
        )
    return is_one


@_primitive
def as_view(ev: Evaluator, made: Array, source: Array, steps: Any, writeable: bool) -> Array:
    """Make a new array stand for a view with these strides, counted in elements."""
    made.writable = bool(ev.static(writeable, "writeable"))
    return layout.as_view(ev, made, source, steps)


@_primitive
def call_without_stores(
    ev: Evaluator, function: Any, x: Array, args: tuple, kwargs: dict[str, Any]
) -> Any:
    """`function(x, *args, **kwargs)`, which may not store to the array x."""
    before = x.storage.value
    made = ev.call(function, (x, *args), kwargs)
    if x.storage.value is not before:
        ev.fail(
            "NumPy calls this function with a part of the array, to which it stores",
            "copy the argument first, x = x.copy(), or write a loop",
            page="alias",
        )
    return made


@_primitive
def as_read_only_view(ev: Evaluator, made: Array, source: Array) -> Array:
    """Make a new array stand for a read-only view: stores to the source are refused."""
    made.writable = False
    made.storage.strides = ()
    ev.relate_copy(made.storage, source.storage)
    return made


@_primitive
def core_dimensions(ev: Evaluator, signature: str) -> tuple:
    """The dimension names in a signature such as "(n),(n,m)->(m)", of inputs and of outputs."""
    text = re.sub(r"\s+", "", ev.static(signature, "a signature"))
    if not re.fullmatch(_SIGNATURE, text):
        ev.fail(f"not a valid gufunc signature: {signature}", kind=ShapeError)
    sides = (re.findall(r"\(([^()]*)\)", side) for side in text.split("->"))
    return tuple(tuple(tuple(re.findall(r"\w+", part)) for part in side) for side in sides)


@_primitive
def cholesky(ev: Evaluator, a: Array) -> Array:
    return fresh(ev.ops.create("cholesky", [ev.read(a)]), ev.location)


@_primitive
def triangular_solve(ev: Evaluator, a: Array, b: Array, lower: bool, unit: bool) -> Array:
    value = ev.ops.create("triangular_solve", [ev.read(a), ev.read(b)], lower=lower, unit=unit)
    return fresh(value, ev.location)


def _check_order(a: Array) -> None:
    """Require that min(rows, columns) is known, since the shapes of the factors depend on it."""
    min(a.shape[-2:])


@_primitive
def lu(ev: Evaluator, a: Array) -> tuple:
    _check_order(a)
    return _arrays(ev, "lu", [ev.read(a)], [])


@_primitive
def qr(ev: Evaluator, a: Array, full: bool) -> tuple:
    _check_order(a)
    return _arrays(ev, "qr", [ev.read(a)], [], full=full)


@_primitive
def eigh(ev: Evaluator, a: Array, lower: bool) -> tuple:
    return _arrays(ev, "eigh", [ev.read(a)], [], lower=lower)


@_primitive
def svd(ev: Evaluator, a: Array, full: bool) -> tuple:
    _check_order(a)
    return _arrays(ev, "svd", [ev.read(a)], [], full=full)


@_primitive
def eig(ev: Evaluator, a: Array) -> tuple:
    return _arrays(ev, "eig", [ev.read(a)], [])


@_primitive
def fft(ev: Evaluator, kind: str, a: Array, n: int) -> Array:
    """A transform of length n along the last axis."""
    if a.size == 0:
        return fresh(_empty_transform(ev, kind, a, n), ev.location)
    value = ev.ops.create("fft", [ev.read(a)], kind=f"#ingot<fft_kind {kind}>", length=n)
    return fresh(value, ev.location)


def _empty_transform(ev: Evaluator, kind: str, a: Array, n: int) -> Any:
    length = n // 2 + 1 if kind == "rfft" else n
    dtype = np.result_type(a.dtype, np.complex64) if kind != "irfft" else a.dtype.type(0).real.dtype
    return ev.ops.zeros((*a.shape[:-1], length), dtype)


# Checks and static values.


@_primitive
def require(ev: Evaluator, condition: Any, exception: str, message: str) -> None:
    """Raise an exception at run time unless the condition holds, exactly where NumPy raises it.

    Only NotImplementedError is of the compiler. Python's False is about shapes, which refuse the
    program; NumPy's is about known values.
    """
    test = ev.truth(condition)
    if test is False and not isinstance(condition, np.bool):
        ev.fail(message, kind=ShapeError)
    if test is not True:
        test = predicate(ev.ops.scalar(False)) if test is False else test
        is_limit = exception == "NotImplementedError"
        (ev.limit(test, message) if is_limit else ev.check(test, exception, message))


@_primitive
def static(ev: Evaluator, value: Any, what: str) -> Any:
    return ev.static(value, what)


@_primitive
def is_static(ev: Evaluator, value: Any) -> bool:
    """Whether numbers, or all numbers in tuples and lists, are known at compile time."""
    return not any(isinstance(each, Symbolic) for each in leaves_of(ev.plain(value)))


@_primitive
def scipy_is_before(ev: Evaluator, major: int, minor: int) -> bool:
    """Whether the installed SciPy is older than a version."""
    found = sys.modules["scipy"].__version__.split(".")
    return tuple(map(int, found[:2])) < (major, minor)


@_primitive
def static_range(ev: Evaluator, n: Any) -> tuple:
    """range(n), for a loop that is unrolled at compile time."""
    return tuple(range(ev.static(n, "the length of a loop")))


@_primitive
def static_items(ev: Evaluator, items: Any) -> tuple:
    """The items, for a loop that is unrolled at compile time."""
    return tuple(items)


@_primitive
def constants(ev: Evaluator, function: Callable[..., Any], *args: Any) -> Any:
    """The result of a NumPy function of static arguments, as a constant."""
    args = tuple(ev.static(arg, "an argument of np." + function.__name__) for arg in args)
    made = ev.compute(lambda: _Opaque(function(*args))).value
    if isinstance(made, tuple):
        return tuple(fresh(ev.ops.constant(each, each.dtype), ev.location) for each in made)
    return fresh(ev.ops.constant(made, made.dtype), ev.location)


class _Opaque:
    """Hides a computed array from `ev.compute`, which takes arrays for captured ones."""

    def __init__(self, value: Any) -> None:
        self.value = value


@_primitive
def float_for(ev: Evaluator, dtype: np.dtype) -> np.dtype:
    """The float dtype to which NumPy's float functions convert integers."""
    return np.sqrt.resolve_dtypes((dtype, None))[0]


@_primitive
def ufunc_dtype(ev: Evaluator, ufunc: np.ufunc, *operands: Any) -> np.dtype:
    """The dtype of a ufunc's first operand, as NumPy resolves it."""
    return resolve(ufunc, tuple(kind_of(ev.as_array(each)) for each in operands))[0]


#: NumPy's results for float reductions by these ufuncs differ between processors.
PROCESSOR_DEPENDENT = (np.power, np.arctan2)


@_primitive
def fold_dtypes(
    ev: Evaluator, ufunc: np.ufunc, method: str, dtype: np.dtype, wanted: Any, out: Any
) -> tuple:
    """The dtypes of a ufunc reduction's result and of its elements."""
    to = None if wanted is None else np.dtype(ev.static(wanted, "a dtype"))
    found = reduced_dtypes(ufunc, dtype, to, out)
    name = f"np.{ufunc.__name__}.{method}"
    if method != "reduce" and found[0] != found[1]:
        ev.fail(f"{name} needs one dtype", kind=DTypeError)
    if method != "accumulate" and ufunc in PROCESSOR_DEPENDENT and found[1].kind == "f":
        ev.fail(
            f"{name} of floats is not supported",
            f"NumPy's result depends on the processor; use np.{ufunc.__name__}.accumulate",
        )
    return found


@_primitive
def fold_axes(ev: Evaluator, ufunc: np.ufunc, axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes of a ufunc reduction; more than one only if the ufunc is reorderable."""
    axes = () if ndim == 0 and axis in (0, -1) else reduction_axes(ev, axis, ndim)
    if len(axes) > 1 and not _is_reorderable(ufunc):
        message = f"reduction operation '{ufunc.__name__}' is not reorderable"
        ev.raise_now(ValueError, f"{message}, so at most one axis may be specified")
    return axes


def _is_reorderable(ufunc: np.ufunc) -> bool:
    if ufunc.identity is not None:
        return True
    try:
        ufunc.reduce(np.ones((1, 1), ufunc.types[0][0]), axis=None)
    except ValueError:
        return False
    return True


@_primitive
def fold_axis(ev: Evaluator, name: str, axis: Any, ndim: int) -> int:
    """The one axis of `accumulate` and `reduceat`."""
    if ndim == 0:
        ev.raise_now(TypeError, f"cannot {name} on a scalar")
    axes = reduction_axes(ev, axis, ndim)
    if len(axes) != 1:
        ev.raise_now(ValueError, f"{name} does not allow multiple axes")
    return axes[0]


@_primitive
def broadcasts(ev: Evaluator, *shapes: tuple) -> bool:
    try:
        broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True


@_primitive
def pairs(ev: Evaluator, given: Any, count: int) -> list:
    """A pair (before, after) for each axis, from a number, a pair or a list of pairs."""
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if isinstance(given, (Scalar, *STATIC_NUMBERS)):
        return [(given, given)] * count
    items = [tuple(each) if isinstance(each, (list, tuple)) else each for each in given]
    if len(items) == 1:
        return (
            pairs(ev, items[0], count)
            if not isinstance(items[0], tuple)
            else [items[0] * (2 // len(items[0]))] * count
        )
    if not any(isinstance(each, tuple) for each in items):
        if len(items) != 2:
            ev.fail("operands could not be broadcast together with shape (2,)", kind=ShapeError)
        return [tuple(items)] * count
    if len(items) != count:
        ev.fail(f"{len(items)} pairs for {count} axes", kind=ShapeError)
    return [each * (2 // len(each)) for each in items]


@_primitive
def pairs_of_axes(ev: Evaluator, given: dict, ndim: int) -> list:
    """A pair for each axis, from a dict by axis; the other axes get (0, 0)."""
    found: list[Any] = [(0, 0)] * ndim
    for axis, pair in given.items():
        found[axis_of(ev, axis, ndim)] = pair if isinstance(pair, tuple) else (pair, pair)
    return found


@_primitive
def padded(ev: Evaluator, a: Array, widths: list, value: Array) -> Array:
    """An array with a number, of its dtype, before and after each axis."""
    low, high = ([width[side] for width in widths] for side in (0, 1))
    operands, interior = [ev.read(a), ev.read(value)], [0] * len(low)
    made = ev.ops.create("pad", operands, low=low, high=high, interior=interior)
    return fresh(made, ev.location)


@_primitive
def pad_runs(
    ev: Evaluator, n: int, before: int, after: int, mode: str
) -> tuple[tuple[tuple[int, int, int], ...], tuple[tuple[int, int, int], ...]]:
    """The elements that np.pad copies before and after an axis of n: runs of equal steps, each as
    the index of its first element, the number of elements and the step, which is -1, 0 or 1."""
    how: Any = mode
    positions = np.pad(np.arange(n), (before, after), mode=how).tolist()
    return _runs(positions[:before]), _runs(positions[before + n :])


def _runs(positions: list[int]) -> tuple[tuple[int, int, int], ...]:
    runs: list[tuple[int, int, int]] = []
    for position in positions:
        first, count, step = runs[-1] if runs else (position, 0, 0)
        next_step = position - (first + (count - 1) * step)
        if count == 1 and abs(next_step) <= 1:
            runs[-1] = (first, 2, next_step)
        elif count > 1 and next_step == step:
            runs[-1] = (first, count + 1, step)
        else:
            runs.append((position, 1, 0))
    return tuple(runs)


# Axes and results.


@_primitive
def sizes(ev: Evaluator, shape: Any) -> tuple[int, ...]:
    """A shape argument: an integer or a sequence of integers."""
    return shape_of(ev, shape)


@_primitive
def axis(ev: Evaluator, axis: Any, ndim: int) -> int:
    return axis_of(ev, axis, ndim)


@_primitive
def window_axes(ev: Evaluator, axis: Any, ndim: int) -> tuple[int, ...]:
    """An axis argument as nonnegative numbers; axes may be repeated."""
    given = axis if isinstance(axis, tuple) else (axis,)
    return tuple(axis_of(ev, each, ndim) for each in given)


@_primitive
def axes(ev: Evaluator, axis: Any, ndim: int) -> tuple[int, ...]:
    return axes_of(ev, axis, ndim)


@_primitive
def reduced_last(ev: Evaluator, a: Array, axis: Any) -> tuple:
    """The axes to reduce, and the array with these axes flattened into its last axis."""
    along = axes_of(ev, axis, a.ndim)
    rest = [i for i in range(a.ndim) if i not in along]
    value = ev.ops.transpose(ev.read(a), [*rest, *along])
    size = math.prod(a.shape[i] for i in along)
    return along, fresh(ev.ops.reshape(value, [*(a.shape[i] for i in rest), size]), ev.location)


@_primitive
def split_by_memory_order(ev: Evaluator, a: Array, along: tuple[int, ...]) -> tuple:
    """The axes to reduce in memory order, in two parts: those outside of a kept axis, and those
    inside of all kept axes."""
    shape, strides = order.layout_of(a) if is_known(a) else (a.shape, c_strides(a.shape))
    axes = sorted(range(a.ndim), key=lambda axis: -abs(strides[axis]))
    kept = [i for i, axis in enumerate(axes) if axis not in along and shape[axis] != 1]
    first = kept[-1] if kept else -1
    parts = axes[: max(first, 0)], axes[max(first, 0) :]
    return tuple(tuple(axis for axis in part if axis in along) for part in parts)


@_primitive
def finish(ev: Evaluator, result: Any, a: Array, along: tuple, keepdims: Any, out: Any) -> Any:
    """A reduction's result, with `keepdims` and `out` applied."""
    kept = tuple(1 if i in along else n for i, n in enumerate(a.shape))
    return reduced(ev, ev.read(result), kept, keepdims, out)


@_primitive
def result_into(ev: Evaluator, result: Any, out: Any) -> Any:
    """A reduction's result, stored into `out` (of the same shape) if that is given."""
    return reduced(ev, ev.read(ev.as_array(result)), (), False, out)


@_primitive
def into(ev: Evaluator, result: Any, out: Any, casting: str = "same_kind") -> Any:
    """The result, stored into `out` if that is given."""
    if out is None:
        return result
    value = ev.read(ev.as_array(result))
    return store_out(ev, out, value, result.dtype, casting=casting)


@_primitive
def elementwise(ev: Evaluator, function: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function that may emit elementwise operations only."""
    with ev.ops.only_elementwise():
        return ev.call(function, args, kwargs, ev.node)


def handlers() -> dict[Any, Callable[..., Any]]:
    return dict(HANDLERS)
