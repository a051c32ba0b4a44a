"""Functions that rearrange arrays of run-time lengths, and those that NumPy code says.

What a function of the library does with slices, masks and functions of each element it also does
with arrays of run-time lengths: it is evaluated with them as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ingot.numpy import shape
from ingot.numpy.library import arrangement, calculus, inlined
from ingot.syntax import growth, sliced
from ingot.syntax.masked import Masked
from ingot.syntax.ops import fresh
from ingot.syntax.values import Part, Sliced, Span


def ravel(ev: Any, value: Any, order: Any = "C") -> Any:
    """All elements in one axis; of rows one behind another, a view where NumPy gives one."""
    if ev.static(order, "an order") != "C":
        sliced.refuse(ev, [value])
    if type(value) is Masked and value.ndim == 1:
        return value
    value = ev.packed(value)
    line = ev.call(np.ravel, (value.dense,), {})
    if value.open_axes == [0]:
        span, rest = value.spans[0], math.prod(value.dense.shape[1:])
        ends = (growth.product(ev, each, rest) for each in (span.start, span.count))
        return Sliced(line, (Span(*ends),))
    wide = ev.ops.broadcast(ev.read(sliced.live(ev, value, value.open_axes)), value.dense.shape)
    return ev.subscript(line, ev.call(np.ravel, (fresh(wide),), {}))


def flatten(ev: Any, value: Any, order: Any = "C") -> Any:
    return sliced.copied(ev, ev.packed(ravel(ev, value, order)))


def _result_type(ev: Any, *given: Any) -> np.dtype:
    dtypes = [each.dtype if isinstance(each, Part) else each for each in given]
    made: np.dtype = ev.call(np.result_type, tuple(dtypes), {})
    return made


#: By NumPy code alone.
_LIBRARY = (arrangement.append, calculus.diff, calculus.ediff1d)
METHODS: dict[str, Callable[..., Any]] = {
    "ravel": ravel, "flatten": flatten,
    "repeat": shape.repeat,
}  # fmt: skip
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.ravel: ravel, np.repeat: shape.repeat, np.tile: shape.tile, np.result_type: _result_type,
    np.atleast_1d: shape.atleast(1), np.atleast_2d: shape.atleast(2),
    np.atleast_3d: shape.atleast(3),
    isinstance: lambda ev, value, kinds: ev.compute(issubclass, np.ndarray, kinds),
    type: lambda ev, value: np.ndarray,
    **{getattr(np, each.__name__): inlined(each, f"np.{each.__name__}") for each in _LIBRARY},
}  # fmt: skip
