"""`a.view(dtype)`: the bytes of an array as numbers of another dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ingot.dtypes import BOOL
from ingot.numpy.creation import dtype_of
from ingot.numpy.layout import as_view, is_known, model, strides_of
from ingot.syntax.ops import fresh, numpy_scalar
from ingot.syntax.values import Array, Scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def view(ev: Evaluator, a: Any, dtype: Any = None, type: Any = None) -> Any:
    """A view of another dtype, to which nothing can be stored, nor to `a` while it is in use."""
    if dtype is None or dtype is np.ndarray:
        dtype = a.dtype
    if type not in (None, np.ndarray):
        ev.fail("a view that is an instance of a subclass of ndarray is not supported")
    if isinstance(a, Array) and a.storage.swapped:
        ev.fail("a view of an array that is not in native byte order is not supported")
    to = dtype_of(ev, dtype, a.dtype)
    if isinstance(a, Scalar):
        return _number(ev, a, to)
    if to == a.dtype:
        return ev.subscript(a, Ellipsis)
    if to.itemsize == a.dtype.itemsize and not {"c", "b"} & {to.kind, a.dtype.kind}:
        value = ev.ops.typed("bitcast", [ev.read(a)], a.shape, to)
        return as_view(ev, fresh(value, ev.location), a, strides_of(a))
    if to == BOOL or not a.ndim or not is_known(a) or model(a).strides[-1] != 1:
        _refuse(ev, a, to)
    if a.dtype == BOOL and to.itemsize == 1:
        made = ev.call(np.astype, (a, to), {})
        return as_view(ev, made, a, strides_of(a))
    if a.dtype.kind == "c" and to.itemsize * 2 == a.dtype.itemsize and to.kind == "f":
        parts = [ev.call(part, (a,), {}) for part in (np.real, np.imag)]
        both = ev.call(np.stack, (ev.new_list(parts),), {"axis": -1})
        made = ev.call(np.reshape, (both, (*a.shape[:-1], 2 * a.shape[-1])), {})
        return as_view(ev, made, a, None if model(a).flags.c_contiguous else ())
    _refuse(ev, a, to)


def _number(ev: Evaluator, a: Scalar, to: np.dtype) -> Any:
    if to == a.dtype:
        return a
    if to.itemsize != a.dtype.itemsize or {"c", "b"} & {to.kind, a.dtype.kind}:
        _refuse(ev, a, to)
    return numpy_scalar(ev.ops.typed("bitcast", [a.value], (), to))


def _refuse(ev: Evaluator, a: Any, to: np.dtype) -> NoReturn:
    ev.fail(
        f"a view of {a.dtype} as {to} is not supported",
        "views have numbers of one size, or the parts of complex numbers side by side",
    )
    raise AssertionError
