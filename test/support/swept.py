"""What the derivatives at a point must be, and a comparison with what Ingot gives.

Both modes and all orders of them agree. Where the function is smooth there is the true derivative, at the end of
a domain this or none, and elsewhere what a row of docs/derivatives.md says, or none: infinity or NaN.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from conventions import ONE_SIDE, Row
from true_slopes import Slope, directions, is_smooth

#: Relative and absolute, by order.
TOLERANCE = {1: 1e-6, 2: 2e-5}


@dataclass(frozen=True)
class Truth:
    """The true derivatives at a point along each of `directions`, by order."""

    slopes: dict[int, list[Slope]]

    def is_smooth(self, order: int) -> bool:
        if not is_smooth(self.slopes[1]):
            return False
        return order == 1 or all(s.value is not None and not s.is_edge for s in self.slopes[2])


@dataclass(frozen=True)
class Found:
    """What Ingot gives along each of `directions`, by the order of the modes: "f", "r", "ff", "fr" and so on."""

    along: dict[str, np.ndarray]

    def of_order(self, order: int) -> list[np.ndarray]:
        return [value for modes, value in self.along.items() if len(modes) == order]


def complaint(
    found: Found, truth: Truth, row: Row | None, point: dict[str, Any], count: int
) -> str:
    """What is wrong with derivatives at a point by so many numbers, or ""."""
    for order in (1, 2):
        values = found.of_order(order)
        if not _agree(values, order):
            return f"the modes differ in order {order}: {found.along}"
        said = _said(row, order, point, count)
        if order == 2 and said is None and not np.isfinite(found.of_order(1)[0]).all():
            # There is no slope, which says enough.
            return ""
        if not _is_right(values[0], truth, row, said, order):
            return (
                f"order {order}: found {values[0]}, true {truth.slopes[order]}, documented {said}"
            )
    return ""


def _agree(values: list[np.ndarray], order: int) -> bool:
    first, tolerance = values[0], TOLERANCE[order]
    known = np.isfinite(first)
    return all(
        np.array_equal(np.isfinite(each), known)
        and np.allclose(each[known], first[known], rtol=tolerance, atol=tolerance)
        for each in values[1:]
    )


def _said(row: Row | None, order: int, point: dict[str, Any], count: int) -> np.ndarray | None:
    """What a row says along each of `directions`."""
    if row is None or ONE_SIDE in row.first:
        return None
    lines = directions(count)
    if order == 1:
        gradient = row.gradient(point, count)
        return np.array([np.sum(np.where(v == 0, 0.0, v * gradient)) for v in lines])
    hessian = row.hessian(point, count)
    pairs = [np.outer(v, v) for v in lines]
    return np.array([np.sum(np.where(p == 0, 0.0, p * hessian)) for p in pairs])


def _is_right(
    found: np.ndarray, truth: Truth, row: Row | None, said: np.ndarray | None, order: int
) -> bool:
    is_smooth = truth.is_smooth(order)
    sided = row is not None and ONE_SIDE in row.first
    for i, (value, slope) in enumerate(zip(found, truth.slopes[order], strict=True)):
        if said is not None and np.isfinite(said[i]):
            allowed: tuple[float | None, ...] = (said[i],)
        elif sided and not is_smooth:
            allowed = slope.sides
        else:
            allowed = (slope.value,)
        has_none = not is_smooth or said is not None or not np.isfinite(slope.value or 0.0)
        if not (has_none and not np.isfinite(value)) and not _is_one_of(value, allowed, order):
            return False
    return True


def _is_one_of(value: float, allowed: tuple[float | None, ...], order: int) -> bool:
    tolerance = TOLERANCE[order]
    return any(
        each is not None and bool(np.isclose(value, each, rtol=tolerance, atol=tolerance))
        for each in allowed
    )
