"""np.clip, by maximum and minimum, also with bounds that do not fit the dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from ingot.dtypes import INT
from ingot.numpy.promotion import kind_of
from ingot.numpy.ufuncs import OPERATIONS, call_ufunc, is_int, store_out
from ingot.syntax.values import Scalar
from ingot_runtime.errors import ShapeError

_NOT_GIVEN = object()


def clip(
    ev: Any, a: Any, a_min: Any = _NOT_GIVEN, a_max: Any = _NOT_GIVEN, out: Any = None, *,
    min: Any = _NOT_GIVEN, max: Any = _NOT_GIVEN, where: Any = True, dtype: Any = None,
    order: Any = "K", casting: Any = "same_kind",
) -> Any:  # fmt: skip
    low, high = (None if new is _NOT_GIVEN else new for new in (min, max))
    if a_min is not _NOT_GIVEN or a_max is not _NOT_GIVEN:
        if min is not _NOT_GIVEN or max is not _NOT_GIVEN:
            ev.fail(
                "Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is "
                "forbidden.",
                kind=ShapeError,
            )
        if a_min is _NOT_GIVEN or a_max is _NOT_GIVEN:
            name = "a_min" if a_min is _NOT_GIVEN else "a_max"
            ev.fail_as(TypeError, f"clip() missing 1 required positional argument: '{name}'")
        low, high = a_min, a_max
    if isinstance(out, tuple):
        (out,) = out
    if out is None and where is not True:
        ev.fail("where= needs out=", "use np.where(condition, np.clip(a, low, high), a)")
    a = ev.as_array(a)
    kind = kind_of(a)
    low, high = (
        _reachable(bound, kind, at) for bound, at in ((low, np.maximum), (high, np.minimum))
    )
    options = {"dtype": dtype, "order": order, "casting": ev.static(casting, "a casting rule")}
    if low is None and high is None:
        a = call_ufunc(ev, np.positive, (a,), **options)
    # Of zeros of both signs, NumPy keeps the array's between two numbers, else takes the bound's;
    # maximum and minimum take the second one.
    shapes = [getattr(ev.as_array(each), "shape", ()) for each in (low, high) if each is not None]
    keeps = shapes == [(), ()]
    for bound, ufunc in ((low, np.maximum), (high, np.minimum)):
        if bound is not None:
            bound = _clip_bound(ev, bound, kind, ufunc)
            a = call_ufunc(ev, ufunc, (bound, a) if keeps else (a, bound), **options)
    if out is not None:
        return store_out(ev, out, ev.read(a), a.dtype, where, options["casting"])
    return a


def _limit(bound: Any, kind: Any, ufunc: np.ufunc) -> int | None:
    """The limit of an integer dtype beyond which a Python integer has no effect as a bound."""
    if not (is_int(bound) and isinstance(kind, np.dtype) and kind.kind in "iu"):
        return None
    return int(np.iinfo(kind).min if ufunc is np.maximum else np.iinfo(kind).max)


def _reachable(bound: Any, kind: Any, ufunc: np.ufunc) -> Any:
    """A bound of np.clip, or None for a number that has no effect."""
    limit = _limit(bound, kind, ufunc)
    if limit is None or type(bound) is not int:
        return bound
    is_beyond = bound <= limit if ufunc is np.maximum else bound >= limit
    return None if is_beyond else bound


def _clip_bound(ev: Any, bound: Any, kind: Any, ufunc: np.ufunc) -> Any:
    """A bound of np.clip; a dynamic Python integer is brought within the limit."""
    limit = _limit(bound, kind, ufunc)
    if limit is None or type(bound) is int:
        return bound
    value = ev.ops.elementwise(
        OPERATIONS[ufunc], [bound.value, ev.ops.constant(min(limit, 2**63 - 1), INT)], (INT, INT)
    )
    low, high = (limit, bound.high) if ufunc is np.maximum else (bound.low, limit)
    return Scalar(value, INT, int, None, low, high)
