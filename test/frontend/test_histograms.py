"""Histograms of several variables, and functions that a function gives."""

import numpy as np
import pytest

from expressions import same_value, split

R = np.random.default_rng(1)
X = np.round(R.normal(size=40), 2)
Y = np.round(R.normal(size=40) * 3, 1)
W = R.random(40)
N = R.integers(0, 5, 40)
EXPRESSIONS = """
np.histogram2d(x, y) ;; np.histogram2d(x, y, 5) ;; np.histogram2d(x, y, [3, 4]) ;; np.histogram2d(x, y, bins=[np.array([-1.0, 0, 1]), 4]) ;; np.histogram2d(x, y, bins=[-2.0, -1, 0, 1, 2]) ;; np.histogram2d(x, y, 4, range=[[-1, 1], [-2, 2]]) ;; np.histogram2d(x, y, 4, weights=w) ;; np.histogram2d(x, y, 4, density=True) ;; np.histogram2d(x, y, (3, 4), [[-1, 1], [-2, 2]], True, w) ;; np.histogram2d(x.astype(np.float32), y.astype(np.float32), 4) ;; np.histogram2d(n, n[::-1], 5) ;; np.histogram2d(x[x > 0], y[x > 0], 3) ;; np.histogram2d(x * 0, y, 3) ;; np.histogram2d(x, y, [1.0, 0.0, -1]) ;; np.histogram2d(x[:0], y[:0], 3) ;; np.histogram2d(x, y * np.nan, 3) ;; np.histogram2d(list(x), list(y), 3) ;; np.histogram2d(n, x, 3)
np.histogramdd(np.stack([x, y, w], 1), 3) ;; np.histogramdd(np.stack([x, y, w], 1), (2, 3, 4)) ;; np.histogramdd((x, y), 4) ;; np.histogramdd(x, 4) ;; np.histogramdd(x[:, None], 4) ;; np.histogramdd((x, y), 4, range=[None, (0, 1)]) ;; np.histogramdd((x, y, n), (2, [0.0, 1, 2], np.arange(5)), density=True) ;; np.histogramdd((x, y), 4, weights=n) ;; np.histogramdd(np.stack([x, y], 1)[x > 0], (3, 2)) ;; np.histogram2d(x[x > 0], y[x > 0], 3, weights=w[x > 0]) ;; np.histogram2d(x[x > 9], y[x > 9], 3)
np.fromfunction(lambda i, j: i + j * 2, (3, 3)) ;; np.fromfunction(lambda i, j: i == j, (3, 3), dtype=int) ;; np.fromfunction(lambda i: i * x[0], (3,)) ;; np.fromfunction(lambda i, s: i * s, (3,), s=2.0) ;; np.fromfunction(lambda i, j, k: np.sin(i) * j - k, (2, 3, 4)) ;; np.fromfunction(lambda i: 5, (3,)) ;; np.fromfunction(np.hypot, (3, 4), dtype=np.float32)
np.mask_indices(3, np.triu) ;; np.mask_indices(3, np.tril, -1) ;; x[:9].reshape(3, 3)[np.mask_indices(3, np.triu, 1)] ;; np.mask_indices(3, lambda a, k: a * (x[:3] > 0))
""".strip()  # fmt: skip


@pytest.mark.parametrize("expression", split(EXPRESSIONS))
def test_against_numpy(expression, tmp_path):
    same_value(expression, tmp_path, x=X, y=Y, w=W, n=N)
