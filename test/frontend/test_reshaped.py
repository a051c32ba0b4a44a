"""Other shapes of arrays whose lengths are known only at run time, and whether they are views."""

import numpy as np
import pytest

import ingot
from oracle import central

A = np.arange(12.0).reshape(3, 4)
I = np.array([2, 1, 0])  # noqa: E741


def raveled(a, i):
    part = a[: i[0], : i[1]] * 2
    line = part.ravel()
    line[0] = 99
    return part, line


def raveled_of_another_axis(a, i):
    part = a[:, : i[0]].copy()
    line = np.ravel(part)
    part[0] = 99
    return part, line


def raveled_of_one_row(a, i):
    part = a[: i[1], :3]
    line = part.ravel()
    line[0] = 99
    return part, line


def rows_of_others(a, i):
    part = a[: i[0]] * 2
    rows = part.reshape(-1, 8)
    rows[0] = 99
    return part, rows


def of_known_size(a, i):
    part = a[: i[0]] * 2
    rows = part.reshape(2, 4)
    rows[0] = 99
    return part, rows


@pytest.mark.parametrize(
    "f", [raveled, raveled_of_another_axis, raveled_of_one_row, rows_of_others, of_known_size]
)
def test_stores_to_what_may_be_a_view_are_refused(f):
    with pytest.raises(ingot.UnsupportedError, match="may share its memory"):
        ingot.jit(f)(A.copy(), I)


def column(a, i):
    part = a[: i[0], 0]
    part.reshape(-1, 1)[0] = 99
    return part


def row(a, i):
    part = a[i[1] :] * 2
    wide = part.reshape(-1, 2, 2)
    wide[0, 1] = 99
    part[1] = 7
    return part, wide


def line(a, i):
    part = a[i[1] :]
    part.reshape(-1)[1] = 99
    return part


def stored_alone(a, i):
    found = (a[: i[0], : i[0]] * 2).ravel()
    found[0] = 99
    other = (a[: i[0]] * 2).reshape(-1, 2)
    other += 1
    return found, other


@pytest.mark.parametrize("f", [column, row, line, stored_alone])
def test_views(check, f):
    check(f, A.copy(), I)


def test_derivatives_and_batches():
    def f(x):
        kept = x[x > 0].reshape(-1, 1)
        rows = x[x != 0].reshape(-1, 2)
        return np.sum(kept * x * kept) + np.sum(rows[:, 0] * rows[:, 1] ** 2)

    x, direction = np.array([0.5, -2.0, 1.5, 4.0]), np.array([0.3, -1, 0.5, 2])
    expected = central(f, [x], [direction])
    np.testing.assert_allclose(ingot.grad(f)(x) @ direction, expected, rtol=1e-6)
    batch = np.stack([x, x[::-1]])
    np.testing.assert_allclose(ingot.vmap(f)(batch), [f(each) for each in batch])
