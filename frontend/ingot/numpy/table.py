"""The tables of all supported functions, types, array methods and array attributes."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dimensions import is_one
from ingot.dtypes import DTYPES, STATIC_NUMBERS, joined_kind, storage_dtype
from ingot.numpy import (
    builtins,
    clipping,
    cmath_functions,
    contraction,
    copies,
    creation,
    decorators,
    inspection,
    iteration,
    joining,
    library,
    math_functions,
    operators,
    primitives,
    reduce,
    reinterpreting,
    rounding,
    scipy_table,
    sequences,
    shape,
    signatures,
    ufuncs,
    warned,
)
from ingot.numpy.layout import is_contiguous, model, require_known
from ingot.numpy.library import folding
from ingot.numpy.library.flags import Flags
from ingot.syntax import examples, views
from ingot.syntax.flat import flat
from ingot.syntax.growth import has_parts
from ingot.syntax.kinds import computed
from ingot.syntax.ops import fresh, numpy_scalar
from ingot.syntax.values import MADE, Array, Joined, Scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

Handler = Callable[..., Any]

#: The keys are the function objects, so every alias of a function works.
FUNCTIONS: dict[Any, Handler] = {
    **ufuncs.handlers(),
    np.clip: clipping.clip,
    **creation.handlers(),
    **sequences.handlers(),
    **joining.handlers(),
    **shape.handlers(),
    **reduce.handlers(),
    **contraction.handlers(),
    **rounding.handlers(),
    **builtins.handlers(),
    **decorators.handlers(),
    **iteration.handlers(),
    **inspection.handlers(),
    **copies.handlers(),
    **primitives.handlers(),
    **library.handlers(),
    **math_functions.handlers(),
    **cmath_functions.handlers(),
    **operators.handlers(),
    **warned.handlers(),
    **signatures.handlers(),
}

TYPES: dict[Any, Handler] = {
    **builtins.types(),
    **iteration.types(),
    complex: creation.complex_,
    np.ndarray: lambda ev, shape, dtype=float: creation.zeros(ev, shape, dtype),
    **{dtype.type: creation.cast(dtype.type) for dtype in DTYPES},
}


def is_function(value: Any) -> bool:
    """Whether a hashable object is a supported function (of NumPy, SciPy or Python) or array
    method."""
    if value in FUNCTIONS or scipy_table.handler_of(value) is not None:
        return True
    return method_of(value) in METHODS


def method_of(value: Any) -> str | None:
    """The name of an array method, bound or unbound; None for other objects."""
    is_bound = isinstance(value, types.BuiltinMethodType)
    is_any = isinstance(value, types.MethodDescriptorType) and value.__objclass__ is np.ndarray
    if is_any or (is_bound and isinstance(value.__self__, np.ndarray)):
        return value.__name__
    return None


def _fill(ev: Evaluator, a: Any, value: Any) -> None:
    if isinstance(value, (list, tuple)) or (isinstance(value, Array) and value.ndim):
        error = examples.error_of(np.ndarray.fill, (a, value))
        known = (ValueError, "setting an array element with a sequence.")
        ev.raise_now(*known if error is None else (type(error), str(error)))
    ev.store_item(a, Ellipsis, value)


def _item(ev: Evaluator, a: Any, *index: Any) -> Any:
    if len(index) == 1 and isinstance(index[0], tuple):
        index = index[0]
    elif len(index) == 1 and isinstance(a, Array):
        a = shape.ravel(ev, a)
    if not index and isinstance(a, Array):
        if not is_one(a.size):
            ev.raise_now(ValueError, "can only convert an array of size 1 to a Python scalar")
        index = (0,) * a.ndim
    value = ev.subscript(a, index) if index else a
    dtype = value.dtype
    return ev.call(type(dtype.type(0).item()), (value,), {})


def _tolist(ev: Evaluator, a: Any) -> Any:
    """The items as Python numbers, in nested lists."""
    if isinstance(a, Array) and a.shape:
        return [_tolist(ev, ev.subscript(a, i)) for i in range(a.shape[0])]
    return _item(ev, a)


def _conj(ev: Evaluator, a: Any) -> Any:
    if isinstance(a, Scalar) and a.weak in (bool, complex):
        made = ev.call(np.conjugate, (a,), {})
        return ev.call(int if a.weak is bool else complex, (made,), {})
    if a.dtype.kind == "c":
        return ev.call(np.conjugate, (a,), {})
    return replace(a, origin=MADE) if isinstance(a, Scalar) and a.weak is None else a


def _sort(ev: Evaluator, a: Any, axis: Any = -1, kind: Any = None, order: Any = None) -> None:
    ev.store_item(a, Ellipsis, ev.call(np.sort, (a, axis, kind, order), {}))


def _partition(
    ev: Evaluator, a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None
) -> None:
    ev.store_item(a, Ellipsis, ev.call(np.partition, (a, kth, axis, kind, order), {}))


def _clip(ev: Evaluator, a: Any, min: Any = None, max: Any = None, out: Any = None) -> Any:
    return clipping.clip(ev, a, min, max, out)


def _of(function: Any) -> Handler:
    """A method that calls the NumPy function of the same name."""

    def call(ev: Evaluator, a: Any, *args: Any, **kwargs: Any) -> Any:
        return ev.call(function, (a, *args), kwargs)

    return call


def _of_parts(function: Any, handler: Handler) -> Handler:
    """A method that calls the NumPy function if an argument has a dynamic length."""

    def call(ev: Evaluator, a: Any, *args: Any, **kwargs: Any) -> Any:
        return (_of(function) if has_parts(args) else handler)(ev, a, *args, **kwargs)

    return call


def _to_device(ev: Evaluator, a: Any, device: Any, /, *, stream: Any = None) -> Any:
    if ev.static(device, "a device") != "cpu" or stream is not None:
        ev.raise_now(ValueError, "only the device 'cpu', and no stream, is supported")
    return a


def _array_namespace(ev: Evaluator, a: Any, /, *, api_version: Any = None) -> Any:
    if api_version is not None:
        ev.fail("__array_namespace__ of a version is not supported", "leave api_version out")
    return np


METHODS: dict[str, Handler] = {
    "all": reduce.all_, "any": reduce.any_, "argmax": reduce.argmax, "argmin": reduce.argmin,
    "astype": creation.astype, "clip": _clip, "conj": _conj, "conjugate": _conj,
    "copy": creation.copy_method, "cumprod": reduce.cumprod, "cumsum": reduce.cumsum,
    "diagonal": shape.diagonal, "dot": _of_parts(np.dot, contraction.dot), "fill": _fill, "flatten": shape.flatten,
    "item": _item, "max": reduce.maximum, "mean": reduce.mean, "min": reduce.minimum,
    "prod": reduce.prod, "ravel": shape.ravel, "repeat": joining.repeat, "reshape": shape.reshape,
    "round": rounding.round_, "squeeze": shape.squeeze, "std": reduce.std, "sum": reduce.sum_,
    "swapaxes": shape.swapaxes, "take": _of_parts(np.take, shape.take), "trace": reduce.trace,
    "tolist": _tolist, "transpose": shape.transpose, "var": reduce.var, "sort": _sort, "partition": _partition,
    "view": reinterpreting.view, "argsort": _of(np.argsort), "argpartition": _of(np.argpartition), "choose": _of(np.choose),
    "to_device": _to_device, "__array_namespace__": _array_namespace,
    "nonzero": _of(np.nonzero), "compress": lambda ev, a, condition, axis=None: ev.call(
        np.compress, (condition, a, axis), {}
    ),
    "put": _of(np.put), "searchsorted": _of(np.searchsorted),
}  # fmt: skip


def _of_numbers(handler: Handler) -> Handler:
    """A handler that gives a new NumPy scalar where its result has no axes, as NumPy does."""

    def call(ev: Evaluator, a: Any, *args: Any, **kwargs: Any) -> Any:
        made = handler(ev, a, *args, **kwargs)
        if not isinstance(made, Array) or made.ndim:
            return made
        if type(a) is Scalar and a.weak is None:
            return replace(a, origin=MADE)
        return a.copy() if isinstance(a, np.generic) else made

    return call


for _name in ("copy", "reshape", "squeeze", "transpose"):
    METHODS[_name] = _of_numbers(METHODS[_name])
for _function in {np.reshape, np.squeeze, np.transpose, np.permute_dims, np.moveaxis}:
    FUNCTIONS[_function] = _of_numbers(FUNCTIONS[_function])


def _part(name: str) -> Handler:
    def get(ev: Evaluator, a: Any) -> Any:
        return part(ev, a, name)

    return get


def part(ev: Evaluator, a: Any, name: str) -> Any:
    """The real or imaginary part; a view if the array is complex."""
    if isinstance(a, STATIC_NUMBERS):
        return getattr(a, name)
    if isinstance(a, Joined):
        return _part_of_joined(ev, a, name)
    a = ev.as_array(a)
    if isinstance(a, Array) and a.dtype.kind == "c":
        dtype = np.dtype(f"f{a.dtype.itemsize // 2}")
        steps = (views.Part(name, dtype, a.storage.shape), *a.views)
        return Array(a.storage, a.shape, steps, a.writable, True)
    value = ev.read(a)
    if isinstance(a, Scalar) and a.weak is bool:
        return ev.call(int, (a if name == "real" else False,), {})
    if a.dtype.kind == "c":
        value = ev.ops.create(name, [value])
    elif name == "imag":
        value = ev.ops.zeros(value.shape, a.dtype)
    else:
        return a
    if isinstance(a, Scalar):
        weak = float if a.weak is complex else a.weak
        return Scalar(value, numpy_scalar(value).dtype, weak) if weak else numpy_scalar(value)
    made = fresh(value, ev.location)
    made.writable = False
    return made


def _part_of_joined(ev: Evaluator, number: Joined, name: str) -> Scalar:
    kinds = frozenset(map(_kind_of_part, number.kinds))
    kind = joined_kind(kinds)
    dtype = storage_dtype(kinds)
    value = ev.read(number)
    if number.held.kind == "c":
        value = ev.ops.create(name, [value])
    elif name == "imag":
        value = ev.ops.zeros((), dtype)
    weak = None if isinstance(kind, np.dtype) else kind
    return computed(ev.ops, ev.ops.convert(value, dtype), (dtype, weak), _kind_of_part, (number,))


def _kind_of_part(kind: np.dtype | type) -> np.dtype | type:
    """The kind of the parts of a number of this kind."""
    if isinstance(kind, np.dtype):
        return np.dtype(f"f{kind.itemsize // 2}") if kind.kind == "c" else kind
    return {bool: int, complex: float}.get(kind, kind)


def _strides(ev: Evaluator, a: Any) -> tuple[int, ...]:
    if not isinstance(a, Array):
        return ()
    require_known(ev, a, "copy it: a.copy()")
    return tuple(step * a.dtype.itemsize for step in model(a).strides)


def _flags(ev: Evaluator, a: Any) -> Any:
    is_array = isinstance(a, Array)
    if is_array:
        require_known(ev, a, "copy it: a.copy()")
    # A number of NumPy's is contiguous and can't be stored to.
    known = (
        (is_contiguous(a), is_contiguous(a, "F"), a.writable) if is_array else (True, True, False)
    )
    return ev.construct(Flags, known, {}, ev.node)


def _is_fortran(ev: Evaluator, a: Any) -> bool:
    return ev.subscript(ev.attribute(a, "flags"), "FNC")


def _dtype(ev: Evaluator, a: Any) -> np.dtype:
    # A caller's array may have another byte order; library code sees the dtype that it computes in.
    return a.seen_dtype if isinstance(a, Array) and not ev.frame.internal else a.dtype


ARRAY_ATTRIBUTES: dict[str, Handler] = {
    "shape": lambda ev, a: a.shape,
    "ndim": lambda ev, a: len(a.shape),
    "size": lambda ev, a: a.size if isinstance(a, Array) else 1,
    "dtype": _dtype,
    "device": lambda ev, a: "cpu",
    "itemsize": lambda ev, a: a.dtype.itemsize,
    "nbytes": lambda ev, a: a.dtype.itemsize * (a.size if isinstance(a, Array) else 1),
    "T": lambda ev, a: shape.transpose(ev, a) if isinstance(a, Array) else a,
    "mT": shape.matrix_transpose,
    "strides": _strides,
    "flags": _flags,
    "flat": lambda ev, a: (
        flat(ev, a) if isinstance(a, Array) else ev.fail("`flat` of a number is not supported")
    ),
    "real": _part("real"),
    # The zeros of a real array lie in the order that NumPy's function gives them.
    "imag": lambda ev, a: ev.call(np.imag, (a,), {}),
}


def _folded(ufunc: np.ufunc, function: Any) -> Handler:
    """The handler of a ufunc's reduction for which the dialect has no operation."""

    def call(ev: Evaluator, *args: Any, **kwargs: Any) -> Any:
        name = f"np.{ufunc.__name__}.{function.__name__}"
        return ev.inline(function, (ufunc, *args), kwargs, ev.node, name)

    return call


for each in [f for f in FUNCTIONS if isinstance(f, np.ufunc) and f.nout == 1 and f.nin < 3]:
    if each.signature is not None:
        continue
    FUNCTIONS[each.at] = reduce.at_method(each)
    if each.nin == 1:
        continue
    FUNCTIONS[each.outer] = functools.partial(ufuncs.outer, ufunc=each)
    FUNCTIONS.setdefault(each.accumulate, _folded(each, folding.accumulate))
    FUNCTIONS.setdefault(each.reduce, _folded(each, folding.reduce))
    FUNCTIONS.setdefault(each.reduceat, _folded(each, folding.reduceat))

FUNCTIONS[np.real] = _part("real")
FUNCTIONS[np.imag] = _part("imag")
FUNCTIONS[np.isfortran] = _is_fortran
FUNCTIONS[np.shape] = inspection.shape
FUNCTIONS[np.ndim] = lambda ev, a: len(inspection.shape(ev, a))
FUNCTIONS[np.size] = lambda ev, a, axis=None: (
    inspection.size_along(ev, a, axis) if axis is not None
    else 1 if inspection.is_one_object(a) else shape.array_of(ev, a).size
)  # fmt: skip
