"""Linear systems whose number of equations is known only at run time."""

import numpy as np
import pytest

import ingot
from expressions import same_value, split
from oracle import central

A = np.arange(36.0).reshape(6, 6) % 7 + np.eye(6) * 9
X = np.array([1.0, 3, 2, 3, 5, 8])
EXPRESSIONS = """
np.linalg.solve(a[np.ix_(m, m)], x[m]) ;; np.linalg.solve(a[m][:, m], x[m]) ;; np.linalg.solve(a[np.ix_(m, m)], a[m]) ;; np.linalg.solve(a[np.ix_(m, m)], np.eye(6)[np.ix_(m, m)]) ;; np.linalg.solve(a[: n[0], : n[0]], x[: n[0]]) ;; np.linalg.solve(a[n[1] : n[0], n[1] : n[0]], a[n[1] : n[0], :2]) ;; np.linalg.solve(a, x[x > 0]) ;; np.linalg.solve(a[:4, :4], x[m]) ;; np.linalg.solve(a[np.ix_(m, m)], x[:4]) ;; np.linalg.solve(a[m][:, :4], x[:4])
np.linalg.inv(a[np.ix_(m, m)]) ;; np.linalg.inv(a[np.ix_(m, m)].astype(int)) ;; np.linalg.inv(a[np.ix_(m, m)] * 1j) ;; np.linalg.inv(a[np.ix_(m, m)].astype(np.float32)) ;; np.linalg.det(a[np.ix_(m, m)]) ;; np.linalg.slogdet(-a[np.ix_(m, m)]) ;; np.linalg.det(a[: n[0], : n[0]]) ;; np.linalg.det(a[np.ix_(x > 99, x > 99)]) ;; np.linalg.solve(a[np.ix_(x > 99, x > 99)], x[x > 99]) ;; np.linalg.inv(a[np.ix_(x > 99, x > 99)])
np.linalg.solve(a[np.ix_(m, m)] * 0, x[m]) ;; np.linalg.inv(a[m]) ;; np.linalg.solve(a[m], x[m]) ;; np.linalg.inv(a[np.ix_(m, m)] * 0) ;; np.linalg.det(a[np.ix_(m, m)] * 0) ;; np.linalg.solve(a[np.ix_(m, m)], x) ;; np.linalg.solve(a, x[m]) ;; np.linalg.solve(np.where(np.outer(m, m), a, np.nan)[np.ix_(m, m)], np.where(m, x, np.nan)[m])
""".strip()  # fmt: skip


@pytest.mark.parametrize("expression", split(EXPRESSIONS))
def test_against_numpy(expression, tmp_path):
    same_value(expression, tmp_path, a=A, x=X, m=X > 2, n=np.array([3, 1]))


def with_given_ends(k, f, given):
    """A stiffness matrix, forces, and displacements that are NaN where they are unknown."""
    free = np.flatnonzero(np.isnan(given))
    fixed = np.setdiff1d(np.arange(len(given)), free)
    u = given.copy()
    u[free] = np.linalg.solve(k[np.ix_(free, free)], f[free] - k[np.ix_(free, fixed)] @ u[fixed])
    return u, k[fixed] @ u


def test_a_system_with_given_unknowns(check):
    check(with_given_ends, A, X, np.array([0.0, np.nan, np.nan, 2.5, np.nan, np.nan]))


def test_derivatives_and_batches():
    def f(a):
        part = a[np.ix_(X > 2, X > 2)]
        return np.sum(np.linalg.solve(part, X[X > 2]) ** 2) + np.log(np.linalg.det(part))

    direction = np.sin(np.arange(36.0)).reshape(6, 6)
    expected = central(f, [A], [direction])
    np.testing.assert_allclose(np.sum(ingot.grad(f)(A) * direction), expected, rtol=1e-6)
    batch = np.stack([A, A + np.eye(6)])
    np.testing.assert_allclose(ingot.vmap(f)(batch), [f(each) for each in batch])
