"""Indices that select rows and columns whose numbers are known only at run time, as `np.ix_` does."""

import numpy as np
import pytest

import ingot
from expressions import same_value, split
from oracle import central

A = np.arange(30.0).reshape(5, 6)
M = np.array([1.0, 0, 1, 1, 0])
N = np.array([0, 1.0, 1, 0, 0, 1])
EXPRESSIONS = """
a[np.ix_(m > 0, n > 0)] ;; a[np.ix_(m > 0, [0, 2])] ;; a[np.ix_([0, 2], n > 0)] ;; a[np.ix_([True, False, True, False, False], n > 0)] ;; np.ix_(m > 0, n > 0) ;; a[np.ix_(m > 9, n > 0)] ;; a[np.ix_(m > 9, n > 9)] ;; a[np.ix_(np.flatnonzero(m), np.flatnonzero(n))].sum(axis=0) ;; a[: k[0]][np.ix_(m[: k[0]] > 0, n > 0)] ;; a[np.ix_(m > 0, n > 0)] @ n[n > 0] ;; np.ix_(m > 0)[0]
a[np.flatnonzero(m)[:, None], np.arange(3)] ;; a[np.arange(3)[:, None], np.flatnonzero(n)] ;; a[np.flatnonzero(m)[:, None], np.flatnonzero(m)] ;; a[np.flatnonzero(m)[:, None], np.flatnonzero(m)[None, :]] ;; a[np.flatnonzero(m)[None], np.flatnonzero(m)] ;; a[np.flatnonzero(m)[:, None] - 5, np.flatnonzero(n)[:2]] ;; a[np.flatnonzero(m)[:, None] + 3, np.flatnonzero(n)] ;; a[np.flatnonzero(m).reshape(-1, 1), 1:3] ;; a[np.flatnonzero(m)[:, None], k] ;; a[k[:, None], np.flatnonzero(n)]
np.stack([a, a])[:, np.flatnonzero(m)[:, None], np.flatnonzero(n)] ;; np.stack([a, a])[np.flatnonzero(m > 9)[:, None], :, np.flatnonzero(n)] ;; np.stack([a, a])[0, np.flatnonzero(m)[:, None], np.flatnonzero(n)] ;; np.stack([a, a])[1:, ::2, np.flatnonzero(n)[:, None]] ;; a[np.flatnonzero(m)[:, None], np.flatnonzero(n)][::-1, :2] ;; a[np.argsort(m)[: k[0]][:, None], np.flatnonzero(n)] ;; a[np.flatnonzero(m)[:, None], np.flatnonzero(n)[:, None]] ;; a[np.flatnonzero(m), np.flatnonzero(n)]
""".strip()  # fmt: skip


@pytest.mark.parametrize("expression", split(EXPRESSIONS))
def test_against_numpy(expression, tmp_path):
    same_value(expression, tmp_path, a=A, m=M, n=N, k=np.array([3, 1]))


def stored(a, m, n):
    a[np.ix_(m > 0, n > 0)] = 0
    return a


def updated(a, m, n):
    rows = np.flatnonzero(m)
    a[rows[:, None], rows] -= np.outer(rows, rows)
    a[rows[:, None], 1:3] = 5
    return a


def assigned(a, m, n):
    a[np.ix_(m > 0, n > 0)] = np.outer(m[m > 0], n[n > 0]) * 7
    a[np.ix_(m > 0, n > 0)] = a[np.ix_(m > 0, n > 0)].T
    return a


def nothing(a, m, n):
    rows = np.flatnonzero(m > 9)
    a[rows[:, None], rows] = 1
    a[np.ix_(m > 0, n > 9)] += 1
    return a


@pytest.mark.parametrize("f", [stored, updated, assigned, nothing])
def test_stores(check, f):
    check(f, A.copy(), M, N)


def test_a_store_of_another_shape_raises():
    def f(a, m, n):
        a[np.ix_(m > 0, n > 0)] = np.ones((2, 3))

    with pytest.raises(ValueError, match="another length"):
        ingot.jit(f)(A.copy(), M, N)


def test_derivatives_and_batches():
    def f(a):
        part = a[np.ix_(M > 0, N > 0)]
        rows = np.flatnonzero(a[:, 0] > 5)
        a[rows[:, None], rows] *= 2
        return np.sum(part**2) + np.sum(a[rows[:, None], rows] ** 3) * 1e-3

    direction = np.sin(np.arange(30.0)).reshape(5, 6)
    expected = central(f, [A.copy()], [direction])
    np.testing.assert_allclose(np.sum(ingot.grad(f)(A.copy()) * direction), expected, rtol=1e-6)
    batch = np.stack([A, A[::-1]])
    expected = [f(each.copy()) for each in batch]
    np.testing.assert_allclose(ingot.vmap(f)(batch.copy()), expected)
