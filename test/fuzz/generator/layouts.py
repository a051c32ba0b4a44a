"""Arguments changed: in other memory layouts, of other dtypes, as views of one base."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Case = Callable[[], tuple[Any, ...]]
Change = Callable[[tuple[Any, ...]], tuple[Any, ...]]


def changed(case: Case, change: Change) -> Case:
    return lambda: change(case())


def _of_arrays(change: Callable[[np.ndarray], np.ndarray]) -> Change:
    """A change of each array with axes; arrays that occur twice, and those of no numbers, stay."""

    def of_case(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        made: dict[int, np.ndarray] = {}

        def of_leaf(leaf: Any) -> Any:
            if type(leaf) is not np.ndarray or leaf.ndim == 0 or leaf.dtype.kind not in "biufc":
                return leaf
            if id(leaf) not in made:
                made[id(leaf)] = change(leaf)
            return made[id(leaf)]

        return tuple(_in_place(each, of_leaf) for each in arguments)

    return of_case


def _in_place(value: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with its leaves changed. Lists and dicts stay the objects that they are."""
    if type(value) is list:
        value[:] = [_in_place(each, change) for each in value]
    elif type(value) is dict:
        value.update({key: _in_place(each, change) for key, each in value.items()})
    elif type(value) is tuple:
        return tuple(_in_place(each, change) for each in value)
    else:
        return change(value)
    return value


def _filled(like: np.ndarray, values: np.ndarray) -> np.ndarray:
    like[...] = values
    return like


def _stepped(a: np.ndarray) -> np.ndarray:
    wide = np.zeros([2 * n for n in a.shape], a.dtype)
    return _filled(wide[(slice(1, None, 2),) * a.ndim], a)


def _inner(a: np.ndarray) -> np.ndarray:
    """In the middle of a larger array."""
    return _filled(np.zeros([n + 2 for n in a.shape], a.dtype)[(slice(1, -1),) * a.ndim], a)


def _read_only(a: np.ndarray) -> np.ndarray:
    made = a.copy(order="K")
    made.flags.writeable = False
    return made


def _misaligned(a: np.ndarray) -> np.ndarray:
    memory = np.zeros(a.nbytes + 1, np.uint8)[1:]
    return _filled(np.ndarray(a.shape, a.dtype, memory), a)


fortran = _of_arrays(lambda a: a.copy(order="F"))
backwards = _of_arrays(lambda a: np.flip(np.flip(a).copy()))
stepped = _of_arrays(_stepped)
inner = _of_arrays(_inner)
read_only = _of_arrays(_read_only)
misaligned = _of_arrays(_misaligned)
swapped = _of_arrays(lambda a: a.T.copy().T)


def cast(old: str, new: str) -> Change:
    return _of_arrays(lambda a: a.astype(new) if a.dtype == np.dtype(old) else a)


def _side_by_side(arguments: tuple[Any, ...], step: Callable[[int], int]) -> tuple[Any, ...]:
    """Arrays of one dtype among the arguments, as views of one base."""
    arrays = [a for a in arguments if type(a) is np.ndarray and a.size and a.dtype.kind in "biufc"]
    chosen = [a for a in arrays if a.dtype == arrays[0].dtype] if arrays else []
    if len({id(a) for a in chosen}) < 2:
        return arguments
    starts, start = [], 0
    for a in chosen:
        starts.append(start)
        start += step(a.size)
    base = np.zeros(max(s + a.size for s, a in zip(starts, chosen, strict=True)), chosen[0].dtype)
    views = {
        id(a): _filled(base[s : s + a.size].reshape(a.shape), a)
        for s, a in zip(starts, chosen, strict=True)
    }
    return tuple(views.get(id(a), a) for a in arguments)


def disjoint(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return _side_by_side(arguments, lambda size: size + 1)


def overlapping(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Each begins in the middle of the one before."""
    return _side_by_side(arguments, lambda size: (size + 1) // 2)
