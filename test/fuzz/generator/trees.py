"""Trees of numbers and arrays in lists, tuples and dicts, for batches and derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def mapped(make: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """The tree of what `make` gives for the leaves of trees that have one structure."""
    if isinstance(tree, dict):
        if any(list(t) != list(tree) for t in others):
            raise ValueError("the keys differ")
        return {k: mapped(make, tree[k], *(t[k] for t in others)) for k in tree}
    if isinstance(tree, (list, tuple)):
        if any(type(t) is not type(tree) or len(t) != len(tree) for t in others):
            raise ValueError("the structures differ")
        return type(tree)(mapped(make, *items) for items in zip(tree, *others, strict=True))
    return make(tree, *others)


def leaves(tree: Any) -> list[Any]:
    found: list[Any] = []
    mapped(found.append, tree)
    return found


def is_plain(value: Any) -> bool:
    """Whether all leaves are numbers or arrays of numbers."""
    numbers = (bool, int, float, np.generic, np.ndarray)
    return all(isinstance(v, numbers) for v in leaves(value))


def is_floating(value: Any) -> bool:
    """Whether all leaves are float64: what there are derivatives by."""
    found = leaves(value)
    return bool(found) and all(
        type(v) is float or (isinstance(v, (np.ndarray, np.generic)) and v.dtype == np.float64)
        for v in found
    )


def vector(tree: Any) -> np.ndarray:
    """All numbers of a tree, one after another."""
    parts = [np.ravel(np.asarray(v, np.float64)) for v in leaves(tree)]
    return np.concatenate([*parts, np.zeros(0)])


def moved(tree: Any, by: np.ndarray) -> Any:
    """The tree with a vector added to its numbers, leaf by leaf; layouts stay."""
    start = 0

    def move(leaf: Any) -> Any:
        nonlocal start
        size = np.size(leaf)
        step = by[start : start + size].reshape(np.shape(leaf))
        start += size
        if not isinstance(leaf, np.ndarray):
            return type(leaf)(leaf + float(step))
        leaf[...] += step
        return leaf

    return mapped(move, tree)
