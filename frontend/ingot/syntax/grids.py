"""np.mgrid and np.ogrid."""

from __future__ import annotations

from typing import Any

from ingot.numpy.library import arrangement
from ingot.syntax.ops import fresh
from ingot.syntax.values import List
from ingot_runtime.errors import DTypeError


def item(ev: Any, grid: Any, index: Any) -> Any:
    """An item of np.mgrid or np.ogrid, whose bounds must be static."""
    if isinstance(index, List):
        # NumPy takes a list for a tuple here, other than in the index of an array.
        index = tuple(ev.items(index))
    parts = index if isinstance(index, tuple) else (index,)
    if not all(isinstance(each, slice) for each in parts):
        ev.fail("a grid needs slices", "np.mgrid[0:n, 0:m]", DTypeError)
    bounds = [slice(*ev.static((p.start, p.stop, p.step), "a bound of a grid")) for p in parts]
    if isinstance(index, tuple) and all(map(_is_range, bounds)):
        ranges = tuple((b.start or 0, b.stop, b.step or 1) for b in bounds)
        return ev.inline(arrangement.grid, (ranges, grid.sparse), {}, ev.node)
    made = grid[tuple(bounds) if isinstance(index, tuple) else bounds[0]]
    if isinstance(made, tuple):
        return tuple(fresh(ev.ops.constant(each, each.dtype), ev.location) for each in made)
    return fresh(ev.ops.constant(made, made.dtype), ev.location)


def _is_range(bounds: slice) -> bool:
    """Whether a part of a grid is the integers of a range, which NumPy doesn't refuse."""
    given = [end for end in (bounds.start, bounds.stop, bounds.step) if end is not None]
    if not all(type(each) is int for each in given) or bounds.stop is None or bounds.step == 0:
        return False
    return (bounds.stop - (bounds.start or 0)) * (bounds.step or 1) >= 0
