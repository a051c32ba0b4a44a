"""Loops of kernels run over the part of an array that its users need."""

import re

import numpy as np
import pytest

import ingot
from oracle import assert_same

rng = np.random.default_rng(7)


def triangle(a):
    found = np.zeros((a.shape[1], a.shape[1]))
    for i in range(a.shape[1]):
        found[i:, i] = a[:, i] @ a[:, i:] / (a.shape[0] - 1.0)
        found[i, i:] = found[i:, i]
    return found


def below(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[:j, j])
        a[i, :i] += a[:i, :i] @ a[:i, i]
    return a.sum(axis=1)


def rows(a, start, stop):
    return a[start:stop] @ a[0], a[0] @ a[:, start:stop], a[start:stop].sum(axis=0)


def infinite_outside(a, n):
    # What a mask leaves out must not be computed with: 0 * inf is NaN.
    return np.where(np.arange(a.shape[0]) < n, a[:, 0], 0.0) @ a[:, 1]


def used_outside_too(a, n):
    product = a[0] @ a
    return np.where(np.arange(a.shape[1]) < n, product, 0.0), product * 2


def limits_of_two_users(a, n, m):
    product, index = a[0] @ a, np.arange(a.shape[1])
    return np.where(index < n, product, 1.0), np.where(index < m, product, 2.0)


def shifted(a, n):
    index = np.arange(a.shape[0])
    return np.where(index <= n, a[:, 0], 0.0).sum(), np.where(index > n, a[:, 1], 0.0).sum()


def lu(a):
    for k in range(a.shape[0] - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a


def stored_where_read(a, n, m):
    for i in range(3):
        # The row and the column that are read lie within what is overwritten.
        a[n:m, n:] = a[n:m, n:] * 2 - a[4][n:] + a[n:m, 4:5] * i
        a[:m, : n + 1] = a[:m, : n + 1].T[: n + 1].sum() - a[:m, : n + 1]
    return a


def stored_twice(a, n, m):
    b = a * 2
    b[n:] = a[n:] + b[n:]
    c = b.copy()
    b[:m, 1:m] = 7 - b[:m, 1:m]
    c[:, n:m] += b[:, n:m]
    return a, b, c


def stored_in_branch(a, n, m):
    for i in range(4):
        if i % 2 == 0:
            a[n:m] = np.sqrt(np.abs(a[n:m])) + i
        elif i == 3:
            a[:, m:] = a[:, m:] - a[n, n]
    return a


def transposed(a, n, m):
    for _ in range(2):
        a[n:m, n:m] = a[n:m, n:m].T - a[n:m, n:m]
    return a


def shifts(a, n, m):
    for i in range(1, a.shape[0]):
        a[i, n:m] = a[i - 1, n:m] + a[i, n:m]
        a[n : m - 1, i] = a[n + 1 : m, i - 1] * 3
    return a


def sparse_rows(begins, columns, values, x):
    made = np.zeros(len(begins) - 1)
    for i in range(len(made)):
        part = columns[begins[i] : begins[i + 1]]
        made[i] = values[begins[i] : begins[i + 1]] @ x[part]
    return made


square = rng.standard_normal((9, 9))
broken = square.copy()
broken[6:, 1] = np.inf
CASES = [
    (triangle, (rng.standard_normal((7, 9)),)),
    (below, (square,)),
    *((rows, (square, start, stop)) for start, stop in [(0, 9), (2, 5), (4, 4), (7, 2), (-3, 9)]),
    (infinite_outside, (broken, 9)),
    (infinite_outside, (broken, 3)),
    *((used_outside_too, (square, n)) for n in (0, 4, 20)),
    *((limits_of_two_users, (square, n, m)) for n, m in [(2, 7), (7, 2), (0, 0), (-1, 99)]),
    (lu, (square + 5 * np.eye(9),)),
    *(
        (f, (square, n, m))
        for f in (stored_where_read, stored_twice, stored_in_branch, transposed, shifts)
        for n, m in [(0, 9), (2, 6), (4, 5), (5, 5)]
    ),
    *(
        (sparse_rows, (np.array([0, 3, 3, 9], begin), np.arange(9, dtype=column) % 4, x, x))
        for begin, column in [(np.uint32, np.uint32), (np.int64, np.int8)]
        for x in square[:2]
    ),
    *((shifted, (square, n)) for n in (-5, -1, 0, 8, 50, 2**63 - 1, -(2**63))),
]


@pytest.mark.parametrize("f, args", CASES, ids=lambda x: getattr(x, "__name__", ""))
def test_windows(f, args):
    def copies():
        return [a.copy() if isinstance(a, np.ndarray) else a for a in args]

    plain, compiled = copies(), copies()
    with np.errstate(invalid="ignore"):
        expected = f(*plain)
    actual = ingot.jit(f)(*compiled)
    assert_same(actual, expected, rtol=1e-11)
    assert_same(compiled, plain, rtol=1e-11)


@pytest.mark.parametrize("column", [9, -10, 2**31])
def test_windows_have_checks(column):
    begins, columns = np.array([0, 3, 3, 9]), np.arange(9)
    columns[4] = column
    for f in (sparse_rows, ingot.jit(sparse_rows)):
        with pytest.raises(IndexError, match="out of bounds"):
            f(begins, columns, square[0], square[1])
    # No row has what is wrong.
    begins[:] = 0
    assert_same(ingot.jit(sparse_rows)(begins, columns, square[0], square[1]), np.zeros(3))


def rows_of_sparse(values, starts, columns, x):
    found = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        part = slice(starts[i], starts[i + 1])
        found[i] = values[part] @ x[columns[part]]
    return (found * found).sum()


def sums_of_windows(x, starts, columns, y):
    total = 0.0
    for i in range(len(starts) - 1):
        part = x[starts[i] : starts[i + 1]]
        total += (part * part).sum() * y[i]
    return total


@pytest.mark.parametrize("f", [rows_of_sparse, sums_of_windows], ids=lambda f: f.__name__)
def test_gradients_of_windows(f):
    rng = np.random.default_rng(4)
    lengths = rng.integers(0, 9, 40)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    columns = rng.integers(0, 40, starts[-1])
    values, x = rng.standard_normal(starts[-1]), rng.standard_normal(40)
    step = 1e-6
    expected = [
        (f(values + step * e, starts, columns, x) - f(values - step * e, starts, columns, x))
        / (2 * step)
        for e in np.eye(len(values))
    ]
    found = ingot.grad(f)(values, starts, columns, x)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    # What is added to the gradient in an iteration is a window of it.
    lowered = ingot.grad(f).lower(values, starts, columns, x).native()
    loops = "".join(kernel["linalg"] for kernel in lowered.values()).rsplit("scf.for", 1)[1]
    outputs = re.findall(r"outs\(%\w+ : (tensor<.*?xf64>)\)", loops)
    assert outputs and set(outputs) == {"tensor<?xf64>"}


def test_gradients_at_borders():
    def f(x, y):
        inner = np.sin(x[1:-1, 1:-1]) * y[2:, :-2] - x[:-2, 2:] * x[2:, :-2]
        return (inner[:, 1:] * inner[:, :-1]).sum()

    rng = np.random.default_rng(5)
    x, y = rng.standard_normal((2, 40, 50))
    step = 1e-6
    found = ingot.grad(f)(x, y)
    for place in [(0, 0), (0, 2), (1, 1), (5, 7), (20, 0), (39, 49), (38, 48), (39, 0), (2, 49)]:
        moved = np.zeros_like(x)
        moved[place] = step
        expected = (f(x + moved, y) - f(x - moved, y)) / (2 * step)
        np.testing.assert_allclose(found[place], expected, rtol=1e-5, atol=1e-7)
