"""Derivatives of a function along a line, from its values on both sides of a point.

They are differences of numbers that have many more digits than a float, mpmath's or `longdouble`s, with
steps of two sizes: where these or the two sides differ, the function has no derivative.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

#: On one side of a point, of the orders 1 and 2: by the values there and at one to three steps from it.
ONE_SIDED = {1: (-1.5, 2.0, -0.5), 2: (2.0, -5.0, 4.0, -1.0)}

#: The value at a distance along a line, or None where there is none.
Along = Callable[[Any], Any]


@dataclass(frozen=True)
class Steps:
    """The sizes of the steps by order, and how well the differences agree."""

    sizes: dict[int, tuple[Any, Any]]
    tolerance: float


@dataclass(frozen=True)
class Slope:
    """A derivative: None where there is none.

    Attributes:
        is_edge: the function has values on one side only, and this is the derivative on that.
        sides: the derivatives on each side by itself, where there are.
    """

    value: float | None
    is_edge: bool = False
    sides: tuple[float, ...] = ()


def true_slope(along: Along, order: int, steps: Steps) -> Slope:
    """The derivative of this order at 0."""
    sides = [
        [_difference(along, size * side, order) for size in steps.sizes[order]] for side in (1, -1)
    ]
    inside = [found for found in sides if None not in found]
    known = tuple(float(found[0]) for found in inside if _agree(found, steps))
    if not _agree([each for found in inside for each in found], steps):
        return Slope(None, sides=known)
    return Slope(known[0], len(inside) == 1, known)


def _agree(found: list[Any], steps: Steps) -> bool:
    if not found:
        return False
    limit = steps.tolerance * (1 + abs(found[0]))
    return all(abs(each - found[0]) <= limit for each in found)


def _difference(along: Along, step: Any, order: int) -> Any:
    values = [along(i * step) for i in range(len(ONE_SIDED[order]))]
    if any(value is None for value in values):
        return None
    return sum(w * v for w, v in zip(ONE_SIDED[order], values, strict=True)) / step**order


def directions(count: int) -> np.ndarray:
    """Along each argument, and a mixture."""
    units = np.eye(count)
    return units if count == 1 else np.vstack([units, np.linspace(1.0, 0.5, count)])


def is_smooth(slopes: list[Slope]) -> bool:
    """Whether there is a derivative along each of `directions`, and the last one is a mixture of the others."""
    if any(each.value is None or each.is_edge for each in slopes):
        return False
    if len(slopes) == 1:
        return True
    units = np.array([each.value for each in slopes[:-1]])
    mixture = directions(len(units))[-1] @ units
    return bool(abs(mixture - slopes[-1].value) <= 1e-5 * (1 + np.max(np.abs(units))))
