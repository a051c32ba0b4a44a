"""Stores that NumPy makes element by element, so that they may read what they have stored to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ingot.dimensions import depends
from ingot.numpy import layout
from ingot.numpy.library import folding
from ingot.syntax import views
from ingot.syntax.dynamic import Sliced
from ingot.syntax.values import Array

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def refuse_late_reads(ev: Evaluator, target: Array, selected: Array, value: Array) -> None:
    """Refuse a store that reads an element after it has stored to it.

    Args:
        target: the array that is stored to.
        selected: those of its elements that are, in this order.
        value: what is stored, again from its start where it ends before `selected`.
    """
    if target.dtype != value.dtype or target.storage is not value.storage:
        # NumPy copies what it has to convert.
        return
    places = positions(selected) if selected.storage is target.storage else None
    sources = positions(value)
    if places is None or sources is None or _reads_late(places.ravel(), sources.ravel()):
        _refuse(ev, "reads")


def _refuse(ev: Evaluator, reads: str = "may read") -> NoReturn:
    ev.fail(
        f"NumPy stores these elements one by one, and {reads} some after it has stored to them",
        "store a copy of the value: write .copy() after it",
    )


def copied_in_order(ev: Any, target: Array, value: Any, where: Any = True) -> bool:
    """Copy one part of an array to another one element by element, if the result depends on it.

    NumPy does so, without a temporary copy, where the target has one axis, along which both run in
    one direction. So it may read elements that it has stored to.

    Args:
        ev: the evaluator.
        target: the array that is stored to.
        value: what is stored.
        where: an array that is true where elements are copied, or True.

    Raises:
        UnsupportedError: only run time knows whether the order matters.
    """
    order = _copy_order(ev, target, value)
    if order:
        call = target, ev.call(np.reshape, (value, -1), {}), where, order
        ev.inline(folding.copy_in_order, call, {}, ev.node)
    return order != 0


def refuse_masked(ev: Any, target: Array, value: Any) -> None:
    """Refuse a store of a part of an array to those of its elements that a mask selects: NumPy
    makes it element by element."""
    source = _dense(value)
    # One element or none is read before the first store.
    if _shares_memory(target, source) and source.views and source.size not in (0, 1):
        _refuse(ev)


def refuse_slices(ev: Any, target: Any, value: Any) -> None:
    """Refuse a store of one part of an array to another one, of which one is of a run-time length,
    if its result may depend on the order of copying."""
    to, source = _dense(target), _dense(value)
    if not _shares_memory(to, source) or to.ndim != 1 or not source.shape:
        return
    if 1 in (to.size, source.size) or _run_alike(ev, to, source):
        return
    if not _cross_in_one_turn(ev, target, value):
        _refuse(ev)


def _dense(value: Any) -> Any:
    """The memory in which an array or a slice of run-time length lies."""
    return value.dense if type(value) is Sliced else value


def _shares_memory(target: Any, value: Any) -> bool:
    """Whether two arrays are parts of one, or may be."""
    if not (isinstance(target, Array) and isinstance(value, Array)):
        return False
    return value.storage is target.storage or value.storage in target.storage.maybe


def _copy_order(ev: Any, target: Array, value: Any) -> int:
    """1 if NumPy copies the first element first, -1 if the last one, 0 if that does not matter."""
    if not _shares_memory(target, value) or not value.shape:
        return 0
    if target.ndim != 1 or target.dtype != value.dtype or 1 in (target.size, value.size):
        return 0
    if _run_alike(ev, target, value) or _cross_in_one_turn(ev, target, value):
        return 0
    is_one = target.storage is value.storage
    places, sources = _addresses(*_from_common_start(ev, target, value)) if is_one else (None, None)
    if places is None or sources is None:
        _refuse(ev)
    return _order(places, sources)


def _run_alike(ev: Evaluator, target: Array, value: Array) -> bool:
    """Whether two parts of an array run through memory with the same step, or in opposite
    directions, as which of them comes first does not matter then."""
    last: list[Any] = [each.views[-1] if each.views else None for each in (target, value)]
    if any(isinstance(step, views.Every) for step in last):
        both = all(isinstance(step, views.Every) for step in last)
        return both and ev.ops.builder.same(*(step.step for step in last))
    if value.storage is not target.storage and value.storage.shape != target.storage.shape:
        return False
    known = target.storage.strides
    orders = [known]
    if () in (known, value.storage.strides):
        orders = [None, layout.fortran_strides(target.storage.shape)]
    for order in orders:
        try:
            one, other = (layout.model(each, order).strides[-1] for each in (target, value))
        except ValueError:
            # In this order, one of them would be a copy.
            continue
        if one != other and one * other >= 0:
            return False
    return True


def _cross_in_one_turn(ev: Any, target: Any, value: Any) -> bool:
    """Whether a part along one axis of an array and one along another axis have no element in
    common but one that is read when it is stored, as `m[i, i:] = m[i:, i]` has."""
    lines = [_line(each) for each in (target, value)]
    if None in lines or _dense(target).storage is not _dense(value).storage:
        return False
    (along, start, span, step), (other_along, other_start, other_span, other_step) = lines  # type: ignore[misc]
    if along == other_along or step != other_step:
        return False
    same = ev.ops.builder.same
    pairs = (
        (start[along], other_start[other_along]),
        (start[other_along], other_start[along]),
        (span, other_span),
    )
    return all(type(a) is type(b) and (a == b if type(a) is int else same(a, b)) for a, b in pairs)


def _line(part: Any) -> tuple[int, tuple[Any, ...], Any, int] | None:
    """The axis of its storage that a part runs along, its start on each axis, the start of its live
    elements, and its step; None if it is no such part."""
    dense = _dense(part)
    if len(dense.views) != 1 or not isinstance(dense.views[0], views.Slice):
        return None
    (step,) = dense.views
    axes = [axis for axis, is_gone in enumerate(step.dropped) if not is_gone]
    if len(axes) != 1:
        return None
    span = part.spans[0] if type(part) is Sliced else None
    begin = 0 if span is None else span.start
    begin = begin if isinstance(begin, int) else begin.value
    return axes[0], step.starts, begin, step.strides[axes[0]]


def _from_common_start(ev: Any, *arrays: Array) -> list[Array]:
    """Parts of one array, moved as far as both of them start at an index that run time knows."""
    firsts: list[Any] = [each.views[0] if each.views else None for each in arrays]
    if not all(isinstance(step, views.Slice) for step in firsts):
        return [*arrays]
    one, other = (step.starts for step in firsts)
    alike = [
        not isinstance(a, int) and not isinstance(b, int) and ev.ops.builder.same(a, b)
        for a, b in zip(one, other, strict=True)
    ]
    moved = []
    for array, step in zip(arrays, firsts, strict=True):
        starts = tuple(0 if same else start for same, start in zip(alike, step.starts, strict=True))
        moved.append(replace(array, views=(replace(step, starts=starts), *array.views[1:])))
    return moved


def _addresses(*arrays: Array) -> list[np.ndarray | None]:
    """Where each element of some arrays lies in memory; None if only run time knows."""
    return [_address(each) for each in arrays]


def _address(array: Array) -> np.ndarray | None:
    found, storage = positions(array), array.storage
    if found is None or storage.strides is None:
        return None if found is None else found.ravel()
    if storage.strides == () or (array.views and isinstance(array.views[0], views.Part)):
        return None
    axes = np.unravel_index(found.ravel(), storage.shape)
    steps = zip(storage.strides, axes, strict=True)
    return sum((step * along for step, along in steps), start=np.zeros(found.size, int))


def _order(places: np.ndarray, sources: np.ndarray) -> int:
    """The order in which NumPy copies between these addresses: see `_copy_order`."""
    order = 1 if places[1] > places[0] else -1
    first, source = places[::order][0], sources[::order][0]
    step = (sources[1] - sources[0]) * order
    if source < first < source + step * sources.size:
        order = -order
    places, sources = places[::order], sources[::order]
    lowest = min(places.min(), sources.min())
    return order if _reads_late(places - lowest, sources - lowest) else 0


def _reads_late(places: np.ndarray, sources: np.ndarray) -> bool:
    sources = np.resize(sources, places.size)
    turns = np.arange(places.size)
    changed = places != sources
    first = np.full(max(places.max(initial=0), sources.max(initial=0)) + 1, places.size)
    np.minimum.at(first, places[changed], turns[changed])
    return bool(np.any(first[sources] < turns))


def positions(array: Array) -> np.ndarray | None:
    """Where each element of an array lies in its storage; None if only run time knows."""
    storage = array.storage
    if depends(array.size) or any(map(depends, storage.shape)):
        return None
    found = np.arange(int(np.prod(storage.shape))).reshape(storage.shape)
    for step in array.views:
        moved = _after(found, step)
        if moved is None:
            return None
        found = moved
    return found


def _after(found: np.ndarray, step: Any) -> np.ndarray | None:
    if isinstance(step, views.Slice) and all(isinstance(start, int) for start in step.starts):
        each = zip(step.starts, step.sizes, step.strides, strict=True)
        part = tuple(
            slice(start, start + (n - 1) * by + 1 if n else start, by) for start, n, by in each
        )
        return found[part].reshape(step.shape)
    if isinstance(step, views.Flip):
        return np.flip(found, step.axes)
    if isinstance(step, views.Permute):
        return found.transpose(step.axes)
    if isinstance(step, views.Reshape):
        return found.reshape(step.shape)
    if isinstance(step, views.Broadcast):
        return np.broadcast_to(found, step.shape)
    if isinstance(step, views.Diagonal):
        return np.moveaxis(np.diagonal(found, step.offset), -1, 0)
    if isinstance(step, views.Part):
        return 2 * found + views.PARTS.index(step.name)
    return None
