"""Derivatives of all elementwise functions of the tables at ties, zeros, poles and infinities, of first and
second order and in each order of the modes, against numbers with many digits and docs/derivatives.md."""

import functools
from collections.abc import Callable

import conventions
import elementwise_points
import many_digits
import numpy as np
import pytest
from elementwise_points import Case
from mpmath import mp, mpf
from swept import Found, Truth, complaint
from true_slopes import Slope, Steps, directions, true_slope

import ingot
from level import sample

ARGUMENTS = ("x", "y", "z")
STEPS = Steps({order: (mpf(10) ** -24, mpf(10) ** -28) for order in (1, 2)}, 1e-7)
#: What stands for infinity: a limit is what both give.
LARGE = (mpf(10) ** 9, mpf(10) ** 12)
CASES = elementwise_points.cases()
TABLE = conventions.table("Of elements")


def derivatives(case: Case) -> dict[str, np.ndarray]:
    """By the order of the modes the derivatives along each direction at each point."""
    lines, count = directions(len(case.points)), case.points.shape[1]
    args = tuple(np.tile(row, len(lines)) for row in case.points)
    along = tuple(np.repeat(column, count) for column in lines.T)
    numbers = tuple(range(len(args)))

    def forward(f: Callable, *x: np.ndarray) -> np.ndarray:
        return ingot.jvp(f, x, along)[1]

    def backward(f: Callable, *x: np.ndarray) -> np.ndarray:
        slopes = ingot.grad(lambda *y: np.sum(f(*y)), numbers)(*x)
        return sum(np.where(d == 0, 0.0, d * s) for d, s in zip(along, slopes, strict=True))

    modes, found = {"f": forward, "r": backward}, {}
    for inner, first in modes.items():
        found[inner] = first(case.function, *args)
        for outer, second in modes.items():
            found[outer + inner] = second(lambda *x, g=first: g(case.function, *x), *args)
    return {each: np.asarray(v).reshape(len(lines), count) for each, v in found.items()}


def slope_at(case: Case, point: list, line: np.ndarray, order: int) -> Slope:
    def along(step: mpf) -> mpf | None:
        moved = [p + step * mpf(float(d)) for p, d in zip(point, line, strict=True)]
        return many_digits.value_of(case.reference, moved)

    return true_slope(along, order, STEPS)


def truth_at(case: Case, point: np.ndarray) -> Truth:
    slopes = {}
    for order in (1, 2):
        slopes[order] = [limit(case, point, line, order) for line in directions(len(point))]
    return Truth(slopes)


def limit(case: Case, point: np.ndarray, line: np.ndarray, order: int) -> Slope:
    """The derivative at a point, or what it tends to at infinity, where nothing but this is right."""
    if np.isfinite(point).all():
        return slope_at(case, [mpf(float(p)) for p in point], line, order)
    found = []
    for large in LARGE:
        near = [mpf(float(p)) if np.isfinite(p) else large * int(np.sign(p)) for p in point]
        found.append(slope_at(case, near, line, order).value)
    is_limit = None not in found and np.isclose(*found, rtol=1e-4, atol=1e-4)
    return Slope(round(found[1], 6) + 0.0 if is_limit else None, is_edge=True)


def named(case: Case) -> list[dict[str, float]]:
    """The points as the table names their parts."""
    with np.errstate(all="ignore"):
        values = np.asarray(case.function(*case.points))
    return [
        {**dict(zip(ARGUMENTS, at, strict=False)), "value": value}
        for at, value in zip(case.points.T, values, strict=True)
    ]


@functools.cache
def complaints(name: str) -> list[str]:
    """What is wrong with a function."""
    case, wrong = CASES[name](), []
    with np.errstate(all="ignore"), mp.workdps(many_digits.DIGITS):
        found = derivatives(case)
        for i, (at, point) in enumerate(zip(case.points.T, named(case), strict=True)):
            rows = [row for row in TABLE if row.is_of(name) and row.holds(point)]
            here = Found({modes: each[:, i] for modes, each in found.items()})
            if np.isnan(point["value"]) and not rows:
                # No slope says anything of a number that is none.
                continue
            text = complaint(here, truth_at(case, at), rows[0] if rows else None, point, len(at))
            wrong += [f"{name} at {at}: {text}"] if text else []
    return wrong


@pytest.mark.parametrize("name", sample(list(CASES), 9))
def test_derivatives(name):
    wrong = complaints(name)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.functions[0]}, {row.where}")
def test_each_row_of_the_table(row):
    names = (name for name in CASES if row.is_of(name))
    wrong = complaints(next(n for n in names if any(map(row.holds, named(CASES[n]())))))
    assert not wrong, "\n".join(wrong)
