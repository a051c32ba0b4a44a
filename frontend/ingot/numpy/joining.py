"""Functions that join, split and repeat arrays."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dimensions import are_equal, as_int, depends
from ingot.numpy.creation import dtype_of, settled
from ingot.numpy.shape import array_of, atleast, axis_of, flatten, reshape
from ingot.numpy.ufuncs import store_out
from ingot.syntax import growth, lengths, repeated
from ingot.syntax.dynamic import Part, Spans
from ingot.syntax.ops import fresh, value_dtype
from ingot.syntax.values import (
    Array,
    List,
    Scalar,
)
from ingot_runtime.errors import ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def _joined(
    ev: Evaluator, arrays: Any, out: Any, dtype: Any, casting: Any
) -> tuple[list[Value], list[Spans]]:
    """The arrays to join, converted to the result's dtype, and their spans."""
    given = [
        ev.packed(a) if isinstance(a, Part) else ev.as_array(a) for a in ev.static_items(arrays)
    ]
    values, found = zip(*map(growth.parted, given), strict=True) if given else ((), ())
    if out is not None and dtype is not None:
        message = "takes either `out` or `dtype` as an argument, but both were provided"
        ev.raise_now(TypeError, message)
    if not values:
        ev.fail("need at least one array to concatenate", kind=ShapeError)
    kinds = [value_dtype(v) for v in values]
    common = np.result_type(*kinds)
    to = out.dtype if isinstance(out, Array) else dtype_of(ev, dtype, common)
    rule = ev.static(casting, "a casting rule")
    for kind in kinds:
        if not np.can_cast(kind, to, rule):
            message = f"Cannot cast array data from {kind!r} to {to!r} according to the rule"
            ev.fail_as(TypeError, f"{message} {rule!r}", "convert with .astype")
    return [ev.ops.convert(ev.read(v), to) for v in values], list(found)


def _into(ev: Evaluator, made: Any, out: Any, arrays: list[Any], places: list[Any]) -> Any:
    """What was joined, or `out`, at whose places the arrays are stored."""
    if out is None:
        return made
    for each in (made, out):
        if isinstance(each, Part):
            ev.refuse_part(each)
    if isinstance(out, Array) and not are_equal(out.shape, made.shape):
        ev.raise_now(ValueError, "Output array is the wrong shape")
    if isinstance(out, Array) and any(_shares_memory(out, each) for each in arrays):
        # NumPy stores one array after another, so that one may read what another has stored.
        for place, each in zip(places, arrays, strict=True):
            ev.store_item(out, place, each)
        return out
    return store_out(ev, out, ev.read(made), made.dtype)


def _shares_memory(out: Array, value: Any) -> bool:
    return isinstance(value, Array) and value.storage is out.storage


def concatenate(
    ev: Evaluator,
    arrays: Any,
    /,
    axis: Any = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Any:
    arrays = settled(ev, ev.static_items(arrays))
    if axis is None:
        if isinstance(out, Array) and any(_shares_memory(out, each) for each in arrays):
            ev.fail("out= shares memory with an array that is joined", "join copies: a.copy()")
        arrays, axis = [ev.call(np.ravel, (a,), {}) for a in arrays], 0
    values, found = _joined(ev, arrays, out, dtype, casting)
    if not values[0].shape:
        ev.fail("zero-dimensional arrays cannot be concatenated", kind=ShapeError)
    axis = axis_of(ev, axis, len(values[0].shape))
    ends = list(itertools.accumulate((v.shape[axis] for v in values), initial=0))
    places = [(*[slice(None)] * axis, slice(*each)) for each in itertools.pairwise(ends)]
    return _into(ev, _concatenated(ev, values, found, axis), out, arrays, places)


def _concatenated(
    ev: Evaluator, values: list[Value], found: list[Spans], axis: int, **message: str
) -> Any:
    if any(span is not None for each in found for span in each):
        return growth.joined(ev, values, found, axis, **message)
    joined = values[0] if len(values) == 1 else ev.ops.create("concatenate", values, axis=axis)
    return fresh(joined, ev.location)


def stack(
    ev: Evaluator, arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None,
    casting: Any = "same_kind",
) -> Any:  # fmt: skip
    arrays = settled(ev, ev.static_items(arrays))
    values, found = _joined(ev, arrays, out, dtype, casting)
    message = "all input arrays must have the same shape"
    is_open = any(span is not None for each in found for span in each)
    if len({len(v.shape) if is_open else v.shape for v in values}) != 1:
        ev.fail(message, kind=ShapeError)
    axis = axis_of(ev, axis, len(values[0].shape) + 1)
    wide = [ev.ops.reshape(v, (*v.shape[:axis], 1, *v.shape[axis:])) for v in values]
    spans = [(*each[:axis], None, *each[axis:]) for each in found]
    places = [(*[slice(None)] * axis, i) for i in range(len(values))]
    made = _concatenated(ev, wide, spans, axis, message=message)
    return _into(ev, made, out, arrays, places)


def _stacker(ndim: int, axis: int) -> Callable[..., Any]:
    def call(ev: Evaluator, tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
        arrays = [atleast(ndim)(ev, a) for a in settled(ev, ev.static_items(tup))]
        along = 0 if axis == 1 and arrays[0].ndim == 1 else axis
        return concatenate(ev, arrays, axis=along, dtype=dtype, casting=casting)

    return call


def column_stack(ev: Evaluator, tup: Any) -> Any:
    arrays = [a if isinstance(a, Part) else array_of(ev, a) for a in ev.static_items(tup)]
    columns = [ev.subscript(a, (slice(None), None)) if a.ndim == 1 else a for a in arrays]
    return concatenate(ev, [atleast(2)(ev, a) for a in columns], axis=1)


def split(ev: Evaluator, ary: Any, indices_or_sections: Any, axis: Any = 0) -> List:
    a = array_of(ev, ary)
    axis = axis_of(ev, axis, a.ndim)
    sections = ev.static(indices_or_sections, "the sections")
    extent = a.shape[axis]
    if isinstance(sections, (int, float, np.integer, np.floating)):
        if extent % sections:
            ev.fail("array split does not result in an equal division", kind=ShapeError)
        sections = int(sections)
        if sections <= 0:
            ev.fail("number sections must be larger than 0.", kind=ShapeError)
        size = extent // sections
        cuts = [size * i for i in range(1, sections)]
    else:
        cuts = list(sections)
    ends = [0, *cuts, extent]
    whole = (slice(None),) * axis
    parts = itertools.pairwise(ends)
    return ev.new_list([ev.subscript(a, (*whole, slice(i, j))) for i, j in parts])


def roll(ev: Evaluator, a: Any, shift: Any, axis: Any = None) -> Array:
    a = array_of(ev, a)
    if axis is None:
        flat = roll(ev, flatten(ev, a), shift, 0)
        return reshape(ev, flat, a.shape)
    given = tuple(shift) if isinstance(shift, (tuple, list)) else (shift,)
    shifts = tuple(
        ev.call(int, (each,), {})
        if isinstance(each, Scalar)
        else int(ev.static(each, "the shift of np.roll"))
        for each in given
    )
    axis = ev.static(axis, "an axis")
    given_axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    # An axis may be given several times: the shifts add up.
    axes = tuple(axis_of(ev, each, a.ndim) for each in given_axes)
    shifts = shifts * (len(axes) if len(shifts) == 1 else 1)
    axes = axes * (len(shifts) if len(axes) == 1 else 1)
    if len(shifts) != len(axes):
        message = "'shift' and 'axis' should be scalars or 1D sequences of one length"
        ev.fail(message, kind=ShapeError)
    made = fresh(ev.read(a), ev.location)
    for each, along in zip(shifts, axes, strict=True):
        made = _rolled(ev, made, each, along)
    return made


def _rolled(ev: Evaluator, a: Array, shift: Any, along: int) -> Array:
    extent = a.shape[along]
    if isinstance(shift, Scalar) or depends((shift, extent)):
        # The index of the element that moves to each position.
        index = fresh(ev.ops.iota((extent,), 0))
        sources = ev.call(np.remainder, (ev.call(np.subtract, (index, shift), {}), extent), {})
        return ev.call(np.take, (a, sources), {"axis": along})
    cut = -shift % extent if extent else 0
    if not cut:
        return a
    whole = (slice(None),) * along
    parts = [ev.subscript(a, (*whole, each)) for each in (slice(cut, None), slice(cut))]
    joined = ev.ops.create("concatenate", [ev.read(part) for part in parts], axis=along)
    return fresh(joined, ev.location)


def repeat(ev: Evaluator, a: Any, repeats: Any, axis: Any = None) -> Any:
    if axis is None:
        a, axis = ev.call(np.ravel, (a,), {}), 0
    a = ev.packed(a) if isinstance(a, Part) else array_of(ev, a)
    axis = axis_of(ev, axis, a.ndim)
    count = _counts(ev, repeats)
    if isinstance(count, (Array, Part)):
        return repeated.by_counts(ev, a, count, axis)
    if isinstance(count, (int, np.integer)) and count < 0:
        ev.fail("repeats may not contain negative values", kind=ShapeError)
    if isinstance(count, Scalar) or isinstance(a, Part):
        return repeated.by_number(ev, a, count, axis)
    if not isinstance(count, (int, np.integer)):
        try:
            index = np.repeat(np.arange(a.shape[axis]), np.asarray(count))
        except (ValueError, TypeError) as error:
            ev.fail(str(error), kind=ShapeError)
        return ev.call(np.take, (a, fresh(ev.ops.constant(index, index.dtype))), {"axis": axis})
    # An np.uint8 would wrap around.
    count = as_int(count)
    head, tail = a.shape[: axis + 1], a.shape[axis + 1 :]
    value = ev.ops.reshape(ev.read(a), (*head, 1, *tail))
    value = ev.ops.broadcast(value, (*head, count, *tail))
    return fresh(ev.ops.reshape(value, (*head[:-1], head[-1] * count, *tail)), ev.location)


def _counts(ev: Evaluator, repeats: Any) -> Any:
    """The repeats: static numbers, a dynamic number, or a dynamic array."""
    if isinstance(repeats, (list, tuple)) and any(map(lengths.is_open, repeats)):
        repeats = ev.as_array(repeats)
    if isinstance(repeats, Array):
        known = ev.ops.known_elements(ev.read(repeats))
        return repeats if known is None else known
    return repeats if isinstance(repeats, Part) else _times(ev, repeats, "repeats")


def _times(ev: Evaluator, given: Any, what: str) -> Any:
    """A count argument: a dynamic number itself, or the static value."""
    return given if lengths.is_open(given) else ev.static(given, what)


def tile(ev: Evaluator, A: Any, reps: Any) -> Any:
    a = ev.packed(A) if isinstance(A, Part) else array_of(ev, A)
    counts = _times(ev, reps, "reps")
    if isinstance(counts, Scalar) or isinstance(a, Part):
        if a.ndim != 1 or isinstance(counts, (tuple, list)):
            ev.fail("np.tile to a run-time length takes arrays of one axis, and a number")
        return growth.tiled(ev, a, counts)
    counts = tuple(counts) if isinstance(counts, (tuple, list)) else (counts,)
    if any(not depends(count) and count < 0 for count in counts):
        ev.raise_now(ValueError, "negative dimensions are not allowed")
    ndim = max(a.ndim, len(counts))
    shape = (1,) * (ndim - a.ndim) + a.shape
    counts = (1,) * (ndim - len(counts)) + counts
    value = ev.ops.reshape(ev.read(a), [n for size in shape for n in (1, size)])
    pairs = list(zip(counts, shape, strict=True))
    value = ev.ops.broadcast(value, [n for pair in pairs for n in pair])
    return fresh(ev.ops.reshape(value, [count * size for count, size in pairs]), ev.location)


def handlers() -> dict[Any, Callable[..., Any]]:
    return {
        np.concatenate: concatenate, np.concat: concatenate, np.stack: stack,
        np.vstack: _stacker(2, 0), np.hstack: _stacker(1, 1), np.dstack: _stacker(3, 2),
        np.column_stack: column_stack, np.split: split, np.roll: roll, np.repeat: repeat,
        np.tile: tile,
    }  # fmt: skip
