"""Derivatives of functions of arrays where elements are equal, zero, large or infinite and matrices are singular, of
first and second order and in each order of the modes, against numbers with more digits and docs/derivatives.md."""

import functools

import array_points
import conventions
import numpy as np
import pytest
from array_points import Case
from swept import Found, Truth, complaint
from true_slopes import Slope, Steps, directions, true_slope

import ingot
from level import sample

Long = np.longdouble
STEPS = Steps({1: (Long(2) ** -18, Long(2) ** -22), 2: (Long(2) ** -11, Long(2) ** -13)}, 1e-5)
MODES = {"f": ingot.jacfwd, "r": ingot.jacrev}
CASES = [
    (case, tuple(np.ravel(p)), np.shape(p)) for case in array_points.CASES for p in case.points
]
TABLE = conventions.table("Of arrays")
ROWS = [(text, row) for row in TABLE for text in row.functions]


def derivatives(case: Case, x: np.ndarray) -> Found:
    """Along each direction."""
    lines, found = directions(x.size), {}
    for inner, first in MODES.items():
        gradient = np.reshape(first(case.function)(x), x.size)
        found[inner] = np.array([np.sum(np.where(v == 0, 0.0, v * gradient)) for v in lines])
        for outer, second in MODES.items():
            hessian = np.reshape(second(first(case.function))(x), (x.size, x.size))
            pairs = [np.outer(v, v) for v in lines]
            found[outer + inner] = np.array(
                [np.sum(np.where(p == 0, 0.0, p * hessian)) for p in pairs]
            )
    return Found(found)


def truth_at(case: Case, x: np.ndarray) -> Truth:
    def along(line: np.ndarray, step: Long) -> Long | None:
        value = np.asarray(case.reference(x.astype(Long) + step * line.reshape(x.shape)))
        is_number = value.dtype.kind == "f" and np.isfinite(value)
        return Long(value[()]) if is_number else None

    if not np.isfinite(x).all():
        nothing = [Slope(None)] * len(directions(x.size))
        return Truth({1: nothing, 2: nothing})
    lines = directions(x.size)
    return Truth(
        {k: [true_slope(functools.partial(along, v), k, STEPS) for v in lines] for k in (1, 2)}
    )


def row_of(text: str, x: np.ndarray) -> conventions.Row | None:
    found = (row for row in TABLE if text in row.functions)
    return next((row for row in found if row.holds({"x": x})), None)


def check(case: Case, x: np.ndarray) -> None:
    row = row_of(case.text, x)
    with np.errstate(all="ignore"):
        if np.isnan(case.function(x)) and row is None:
            # No slope says anything of a number that is none.
            return
        text = complaint(derivatives(case, x), truth_at(case, x), row, {"x": x}, x.size)
    assert not text, f"{case.text} at {x.tolist()}: {text}"


@pytest.mark.parametrize(
    ("case", "items", "shape"), sample(CASES, 11), ids=lambda each: getattr(each, "text", None)
)
def test_derivatives(case, items, shape):
    check(case, np.reshape(np.array(items, float), shape))


@pytest.mark.parametrize(
    ("text", "row"), sample(ROWS, 2), ids=lambda each: each if isinstance(each, str) else None
)
def test_each_row_of_the_table(text, row):
    points = [np.reshape(items, shape) for case, items, shape in CASES if case.text == text]
    case = next(case for case in array_points.CASES if case.text == text)
    x = next(x for x in points if row_of(text, x) is row)
    check(case, x)
