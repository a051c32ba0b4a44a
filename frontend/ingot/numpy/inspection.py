"""Functions that inspect types and shapes: their results are known at compile time."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ingot.dimensions import broadcast_shapes
from ingot.dtypes import STATIC_NUMBERS
from ingot.numpy.promotion import examples
from ingot.syntax.values import Joined, Scalar, Undetermined, is_runtime

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def shape(ev: Evaluator, a: Any) -> tuple[int, ...]:
    return () if is_one_object(a) else ev.read(ev.as_array(a)).shape


def is_one_object(a: Any) -> bool:
    """Whether NumPy makes an array without axes of what is no number."""
    return a is None or isinstance(a, str)


def size_along(ev: Evaluator, a: Any, axis: Any) -> Any:
    """The product of the lengths of axes, of which some may be known at run time only."""
    lengths, product = ev.call(np.shape, (a,), {}), 1
    for each in ev.compute(normalize_axis_tuple, ev.static(axis, "an axis"), len(lengths)):
        product = ev.binary(ast.Mult, product, lengths[each])
    return product


def _example(value: Any) -> Any:
    """A value or dtype that promotes as this value does."""
    if not is_runtime(value):
        return value
    kind = value.kind
    return kind if isinstance(kind, np.dtype) else kind(0)


def _of_types(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(ev: Evaluator, *args: Any, **kwargs: Any) -> Any:
        values = [ev.as_array(a) if isinstance(a, (list, tuple)) else a for a in args]
        choices = [examples(a) if is_runtime(a) else [a] for a in values]
        found = [
            ev.compute(lambda each=each: function(*each, **kwargs))
            for each in itertools.product(*choices)
        ]
        if any(each != found[0] for each in found):
            raise Undetermined(next(a.kinds for a in values if type(a) is Joined))
        return found[0]

    return call


def _static(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(ev: Evaluator, *args: Any, **kwargs: Any) -> Any:
        args = tuple(ev.static(a, f"an argument of np.{function.__name__}") for a in args)
        return ev.compute(lambda: function(*args, **kwargs))

    return call


def common_type(ev: Evaluator, *arrays: Any) -> Any:
    dtypes = [ev.attribute(each, "dtype") for each in arrays]
    return ev.compute(lambda: np.common_type(*(np.zeros(0, dtype) for dtype in dtypes)))


def isscalar(ev: Evaluator, element: Any) -> bool:
    return np.isscalar(element) or (is_runtime(element) and not hasattr(element, "storage"))


def isreal(ev: Evaluator, x: Any) -> Any:
    x = ev.as_array(x)
    is_pythons = type(x) in (bool, int, float, complex) or (type(x) is Scalar and x.weak)
    if np.result_type(_example(x)).kind == "c":
        found = ev.call(np.equal, (ev.call(np.imag, (x,), {}), 0), {})
        return ev.call(bool, (found,), {}) if is_pythons else found
    if is_pythons:
        return True
    shape = () if isinstance(x, STATIC_NUMBERS) else x.shape
    made = ev.call(np.ones, (shape, bool), {})
    return made if shape else ev.subscript(made, ())


def iscomplex(ev: Evaluator, x: Any) -> Any:
    return ev.call(np.logical_not, (isreal(ev, x),), {})


def real_if_close(ev: Evaluator, a: Any, tol: Any = 100) -> Any:
    a = ev.call(np.asarray, (a,), {})
    if np.result_type(_example(a)).kind != "c":
        return a
    ev.fail(
        "the dtype of np.real_if_close of complex numbers is known only at run time", "use .real"
    )


def handlers() -> dict[Any, Callable[..., Any]]:
    return {
        np.result_type: _of_types(np.result_type), np.can_cast: _of_types(np.can_cast),
        np.min_scalar_type: _static(np.min_scalar_type),
        np.promote_types: _static(np.promote_types), np.issubdtype: _static(np.issubdtype),
        np.isdtype: _static(np.isdtype), np.broadcast_shapes: _static(broadcast_shapes),
        np.finfo: _static(np.finfo), np.iinfo: _static(np.iinfo), np.dtype: _static(np.dtype),
        np.iterable: lambda ev, x: (not is_runtime(x) and np.iterable(x)) or bool(
            is_runtime(x) and x.shape
        ),
        np.common_type: common_type, np.isscalar: isscalar, np.isreal: isreal, np.iscomplex: iscomplex,
        np.real_if_close: real_if_close,
        # Masked arrays are refused as arguments and when they are read by a name.
        np.ma.isMaskedArray: lambda ev, x: False, np.ma.is_masked: lambda ev, x: False,
    }  # fmt: skip
