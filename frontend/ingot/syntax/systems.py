"""Linear systems, inverses and determinants of matrices whose size is known only at run time.

The matrix is completed to a static size by the identity: `[[a, 0], [0, 1]]` has the determinant of
`a`, and elimination does to the rows of `a` what it does to `a` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.numpy.shape import array_of
from ingot.syntax import sliced, spans
from ingot.syntax.dynamic import Part, Sliced, Span
from ingot.syntax.ops import fresh
from ingot.syntax.spans import Number
from ingot.syntax.values import Array

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

_NOT_SQUARE = "Last 2 dimensions of the array must be square"
_MISMATCH = "solve: Input operand 1 has a mismatch in its core dimension 0"


def solve(ev: Evaluator, a: Any, b: Any) -> Any:
    a, b = (ev.packed(x) if isinstance(x, Part) else array_of(ev, x) for x in (a, b))
    if b.ndim not in (1, 2):
        sliced.refuse(ev, [a, b])
    matrix, size = _completed(ev, a)
    ends = b.spans if isinstance(b, Sliced) else (None,) * b.ndim
    dense = b.dense if isinstance(b, Sliced) else b
    span = ends[0] or Span(0, dense.shape[0])
    _check(ev, span.count, size, "ValueError", _MISMATCH)
    right = _in_extent(ev, dense, 0, span, size, matrix.shape[0])
    found = None if isinstance(size, int) else Span(0, size)
    return sliced.with_spans(ev.call(np.linalg.solve, (matrix, right), {}), (found, *ends[1:]))


def inv(ev: Evaluator, a: Any) -> Any:
    matrix, size = _completed(ev, a)
    found = None if isinstance(size, int) else Span(0, size)
    return sliced.with_spans(ev.call(np.linalg.inv, (matrix,), {}), (found, found))


def _of_completed(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda ev, a: ev.call(function, (_completed(ev, a)[0],), {})


def _completed(ev: Evaluator, a: Any) -> tuple[Array, Number]:
    """A square matrix with the identity below and beside it, and the size that it has."""
    a = ev.packed(a) if isinstance(a, Part) else a
    if a.ndim != 2:
        sliced.refuse(ev, [a])
    if not isinstance(a, Sliced):
        return a, a.shape[0]
    rows, columns = sliced.shape_of(a)
    _check(ev, rows, columns, "LinAlgError", _NOT_SQUARE)
    size = rows if isinstance(rows, int) else columns
    extent = size if isinstance(size, int) else max(a.dense.shape)
    made = a.dense
    for axis, end in enumerate(a.spans):
        made = _in_extent(ev, made, axis, end or Span(0, a.dense.shape[axis]), size, extent)
    if isinstance(size, int):
        return made, size
    live = sliced.live(ev, Sliced(made, (Span(0, size), None)), [0])
    identity = ev.call(np.eye, (extent,), {"dtype": made.dtype})
    return ev.call(np.where, (live, made, identity), {}), size


def _in_extent(
    ev: Evaluator, dense: Array, axis: int, span: Span, size: Number, extent: int
) -> Array:
    """The elements of a span at the start of an axis of another extent, and zeros behind them."""
    data = fresh(spans.shifted(ev, ev.read(dense), axis, span, 0, extent))
    if isinstance(size, int):
        return data
    mask = fresh(spans.live(ev, Span(0, size), extent, data.ndim - axis - 1))
    return ev.call(np.where, (mask, data, data.dtype.type(0)), {})  # type: ignore[no-any-return]


def _check(ev: Evaluator, one: Number, other: Number, kind: str, message: str) -> None:
    if not spans.same(one, other):
        ev.check(spans.compare(ev, "eq", one, other), kind, message)


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.linalg.solve: solve, np.linalg.inv: inv,
    **{each: _of_completed(each) for each in (np.linalg.det, np.linalg.slogdet)},
}  # fmt: skip
