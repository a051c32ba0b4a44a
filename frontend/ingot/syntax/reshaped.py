"""Arrays of dynamic length in other shapes: `ravel`, `flatten` and `reshape`."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.numpy import integers
from ingot.numpy.creation import refuse_bool
from ingot.syntax import growth, sliced, spans
from ingot.syntax.dynamic import Part, Sliced, Span
from ingot.syntax.masked import Masked
from ingot.syntax.ops import fresh
from ingot.syntax.spans import Number
from ingot.syntax.values import Array, Scalar

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def ravel(ev: Evaluator, value: Any, order: Any = "C") -> Any:
    """All elements along one axis; if only the first axis is open, a view where NumPy gives one."""
    if ev.static(order, "an order") != "C":
        sliced.refuse(ev, [value])
    if type(value) is Masked and value.ndim == 1:
        return value
    value = ev.packed(value)
    line = ev.call(np.ravel, (value.dense,), {})
    if value.open_axes == [0]:
        span, rest = _span(value), math.prod(value.dense.shape[1:])
        ends = (growth.product(ev, each, rest) for each in (span.start, span.count))
        return _sharing(ev, Sliced(line, (Span(*ends),)), value)
    wide = ev.ops.broadcast(ev.read(sliced.live(ev, value, value.open_axes)), value.dense.shape)
    made = ev.subscript(line, ev.call(np.ravel, (fresh(wide),), {}))
    return _sharing(ev, made, value)


def _sharing(ev: Evaluator, made: Any, value: Sliced) -> Any:
    """A result that may be a view of the value in NumPy, which depends on the lengths."""
    storage = (made.dense if isinstance(made, Part) else made).storage
    if storage is not value.dense.storage:
        ev.relate_copy(storage, value.dense.storage)
    return made


def flatten(ev: Evaluator, value: Any, order: Any = "C") -> Any:
    return sliced.copied(ev, ev.packed(ravel(ev, value, order)))


def reshape(ev: Evaluator, value: Any, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
    """`value.reshape(shape)`, where the dynamic size has only sizes of 1 before it."""
    if ev.static(order, "an order") != "C" or ev.static(copy, "copy") is not None:
        sliced.refuse(ev, [value])
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    value = ev.packed(value)
    sizes: list[Any] = [_size(ev, each) for each in shape]
    if value.open_axes != [0]:
        value = ev.packed(ravel(ev, value))
    sizes, at = _resolved(ev, value, sizes)
    if at is None:
        return _static(ev, value, sizes)
    before, after = sizes[:at], sizes[at + 1 :]
    inner = math.prod(after)
    if any(size != 1 for size in before) or not inner:
        sliced.refuse(ev, [value])
    rows = value if _rest(value) == inner else _in_rows(ev, value, inner)
    span, extent = _span(rows), rows.dense.shape[0]
    if isinstance(sizes[at], Scalar):
        _check_size(ev, sizes[at], span.count)
    dense = ev.call(np.reshape, (rows.dense, (*before, extent, *after)), {})
    found = (*(None for _ in before), span, *(None for _ in after))
    return _sharing(ev, Sliced(dense, found), value)


def _size(ev: Evaluator, size: Any) -> Number:
    refuse_bool(ev, size)
    return integers.index(ev, size)  # type: ignore[no-any-return]


def _span(value: Sliced) -> Span:
    """The span of the first axis, which is open."""
    span = value.spans[0]
    assert span is not None
    return span


def _rest(value: Sliced) -> int:
    """How many elements a row has."""
    return math.prod(value.dense.shape[1:])


def _resolved(ev: Evaluator, value: Sliced, sizes: list[Any]) -> tuple[list[Any], int | None]:
    """The sizes, with the one that NumPy computes where it is static, and which of them is
    dynamic."""
    dynamic = [at for at, size in enumerate(sizes) if isinstance(size, Scalar)]
    negative = [at for at, size in enumerate(sizes) if isinstance(size, int) and size < 0]
    if len(negative) > 1:
        ev.raise_now(ValueError, "can only specify one unknown dimension")
    if len(dynamic) > 1:
        sliced.refuse(ev, [value])
    if not (dynamic and negative):
        return sizes, next(iter(dynamic + negative), None)
    (at,), (free,) = dynamic, negative
    known = math.prod(size for i, size in enumerate(sizes) if i not in (at, free))
    if not _is_same(ev, sizes[at], _span(value).count) or not known or _rest(value) % known:
        sliced.refuse(ev, [value])
    return [*sizes[:free], _rest(value) // known, *sizes[free + 1 :]], at


def _is_same(ev: Evaluator, a: Number, b: Number) -> bool:
    """Whether two dynamic numbers are known to be equal, if only by how they are computed."""
    return spans.same(a, b) or ev.ops.builder.same(ev.index_value(a), ev.index_value(b))


def _static(ev: Evaluator, value: Sliced, sizes: list[int]) -> Array:
    line = ev.packed(ravel(ev, value))
    size = math.prod(sizes)
    _check_size(ev, _span(line).count, size)
    data = spans.shifted(ev, ev.read(line.dense), 0, _span(line), 0, size)
    return _sharing(ev, ev.call(np.reshape, (fresh(data, ev.location), sizes), {}), value)


def _in_rows(ev: Evaluator, value: Sliced, inner: int) -> Sliced:
    """The elements in rows of another length than now, the last of which must be full."""
    line = ev.packed(ravel(ev, value))
    count, extent = _span(line).count, line.dense.shape[0]
    if inner == 1:
        return line
    _check_size(ev, ev.binary(ast.Mod, count, inner), 0)
    rows = -(-extent // inner)
    data = spans.shifted(ev, ev.read(line.dense), 0, _span(line), 0, rows * inner)
    dense = ev.call(np.reshape, (fresh(data, ev.location), (rows, inner)), {})
    return Sliced(dense, (Span(0, ev.binary(ast.FloorDiv, count, inner)), None))


def _check_size(ev: Evaluator, given: Number, wanted: Number) -> None:
    if not spans.same(given, wanted):
        message = "cannot reshape an array into a shape of another size"
        ev.check(spans.compare(ev, "eq", given, wanted), "ValueError", message)
