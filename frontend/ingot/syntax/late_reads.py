"""Stores that NumPy makes element by element, so that they may read what they have stored to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dimensions import depends
from ingot.syntax import views
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
        ev.fail(
            "NumPy stores these elements one by one, and reads some after it has stored to them",
            "store a copy of the value: write .copy() after it",
        )


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
