"""NumPy's functions of arrays of run-time lengths: products, sorts along an axis, fits, matrices."""

import numpy as np
import pytest

import ingot
from expressions import same_value, split
from oracle import central

X = np.array([1.0, 3, 2, 3, 5, 8])
Y = np.array([2.0, 1, 0, 4, 4, 1])
A = np.outer(X, Y)
EXPRESSIONS = """
np.sort(a[x > 2], axis=0) ;; np.sort(a[x > 2], axis=1) ;; np.sort(a[x > 2]) ;; np.sort(a[:, x > 2], axis=1) ;; np.sort(a[:, x > 2], axis=0) ;; np.argsort(a[x > 2], axis=0, kind='stable') ;; np.argsort(a[x > 2], axis=1) ;; np.sort(a[x > 2] > 5, axis=0) ;; np.sort(a[x > 2].astype(int), axis=0) ;; np.sort(a[x > 70], axis=0) ;; np.sort(a[np.ix_(x > 2, y > 1)], axis=0) ;; np.sort(a[np.ix_(x > 2, y > 1)], axis=1) ;; np.sort(a[x > 2], axis=None)
np.cumsum(a[x > 2], axis=0) ;; np.cumsum(a[x > 2], axis=1) ;; np.cumsum(a[x > 2], axis=-1) ;; np.cumsum(a[x > 2]) ;; np.cumprod(a[:, x > 2], axis=1) ;; np.cumsum(a[:, x > 2], axis=0) ;; a[x > 2].cumsum(axis=0) ;; np.maximum.accumulate(a[x > 2], axis=0) ;; np.cumsum(a[1 : int(y[0])], axis=0) ;; np.add.accumulate(a[x > 2], axis=1) ;; np.add.accumulate(a[x > 2]) ;; np.minimum.accumulate(a[:, x > 2])
x[x > 2].real ;; x[x > 2].imag ;; (x[x > 2] * 1j).real ;; (x[x > 2] * 1j).imag ;; (x[x > 2] * (1 + 2j))[1:].imag ;; x[x > 2].nbytes ;; x[x > 2].itemsize ;; a[x > 2].nbytes ;; x[x > 2].astype(np.float32).nbytes ;; np.real(a[x > 2])
x.take(np.where(x > 2)[0]) ;; a.take(np.where(x > 2)[0], axis=1) ;; a.take(np.where(x > 2)[0], axis=0) ;; a.take(np.where(x > 2)[0]) ;; x.take(np.where(x > 20)[0]) ;; np.eye(6).dot(a[:, x > 2]) ;; np.eye(6)[:, x > 2].dot(x[x > 2]) ;; x.dot(a[:, x > 2])
np.triu(np.outer(x[x > 2], x[x > 1])) ;; np.tril(np.outer(x[x > 2], x[x > 1]), -1) ;; np.triu(a[x > 2], 1) ;; np.triu(a[:, x > 2]) ;; np.tril(a[1 : int(y[0]), 1:]) ;; np.triu(a[np.ix_(x > 2, x > 2)]).sum() ;; np.triu(a[int(y[1]) : int(y[3]), int(y[1]) :])
np.subtract.outer(x[x > 2], y) ;; np.subtract.outer(x, y[y > 1]) ;; np.add.outer(x[x > 2], y[y > 1]) ;; np.maximum.outer(a[x > 2], y) ;; np.multiply.outer(2, x[x > 2]) ;; np.abs(np.subtract.outer(x[x > 2], x[x > 2])).max() ;; np.less.outer(x[x > 2], [1, 4]) ;; np.multiply.outer(x[x > 2], 2)
np.array_equal(x[x > 2], [3, 3, 5, 8]) ;; np.array_equal(x[x > 2], [3, 3, 5]) ;; np.array_equal(x[x > 2], x[x > 1]) ;; np.array_equal(x[x > 2], x[x > 2.5]) ;; np.array_equal(x[x > 20], x[y > 20]) ;; np.array_equal(a[x > 2], a[y > 2]) ;; np.array_equal(a[x > 2], a[x > 2][:, :5]) ;; np.array_equal(x[x > 2], a[x > 2]) ;; np.array_equal(x[x > 2], x[x > 2] * np.nan, equal_nan=True) ;; np.array_equal(x[x > 2] * np.nan, x[x > 2] * np.nan, equal_nan=True) ;; np.array_equal(x[x > 2] * np.nan, x[x > 2] * np.nan) ;; np.array_equal([], x[x > 20]) ;; np.array_equal(x[x > 2], 3)
np.rot90(a[x > 2]) ;; np.rot90(a[x > 2], 2) ;; np.rot90(a[x > 2], k=-1) ;; np.fliplr(a[x > 2]) ;; np.fliplr(a[:, x > 2]) ;; np.argwhere(x[x > 1] > 2) ;; np.argwhere(x[x > 70]) ;; np.vander(x[x > 2], 3) ;; np.vander(x[x > 2], 3, increasing=True) ;; np.vander(x[x > 2], N=2) ;; np.unwrap(x[x > 1]) ;; np.unwrap(x[x > 1], period=3)
np.cross(a[x > 2][:, :3], a[x > 2][:, 1:4]) ;; np.cross(a[x > 2][:, :3], [1.0, 2, 3]) ;; np.cross(a[:3][:, x > 2], a[1:4][:, x > 2], axis=0) ;; np.piecewise(x[x > 1], [x[x > 1] > 3], [1, 2]) ;; np.linalg.norm(a[x > 2], axis=0) ;; np.linalg.norm(a[np.ix_(x > 2, y > 0)], axis=1) ;; np.linalg.norm(a[x > 2], axis=-1, keepdims=True)
np.convolve(x[x > 2], [1.0, 2]) ;; np.convolve(x[x > 2], y[y > 1], 'same') ;; np.convolve(x[x > 2], y, 'valid') ;; np.convolve(y, x[x > 2], 'same') ;; np.convolve(x[x > 7], y[y > 1]) ;; np.correlate(x[x > 2], y[y > 1], 'full') ;; np.correlate(x[x > 2], y, 'same') ;; np.correlate(y, x[x > 2]) ;; np.convolve(x[x > 20], [1.0])
np.polyfit(x[x > 1], y[x > 1], 1) ;; np.polyfit(x[x > 1], y[y > 0], 2) ;; np.polyfit(x[: int(y[0])], y[y == 4], 0) ;; np.polyfit(x[x > 1], y[x > 1], 1, w=y[x > 1] + 1) ;; np.polyfit(x[x > 70], y[x > 70], 1) ;; np.polyfit(x[x > 1], y[y > 3], 1) ;; np.polyfit(x[x > 1].astype(int), y[x > 1].astype(int), 1) ;; np.polyfit(x[x > 1], y[x > 1] * 1j, 1) ;; np.polyfit(x[: int(y[0]) + 2], np.arange(4.0), 1) ;; np.polyfit(x[x > 1], y[x > 1], 1, w=y[y > 0])
np.einsum('i,i', x[x > 2], y[x > 2]) ;; np.einsum('i,i->i', x[x > 2], y[x > 2]) ;; np.einsum('ij,ij->i', a[x > 2], a[x > 2] + 1) ;; np.einsum('ij,j->i', a[x > 2], x) ;; np.einsum('ij,i->j', a[x > 2], x[x > 2]) ;; np.einsum('ij,ik->jk', a[x > 2], a[x > 2]) ;; np.einsum('ij,ik', a[x > 2], a[x > 2]) ;; np.einsum('i,j->ij', x[x > 2], y[y > 1]) ;; np.einsum('i,j->ji', x[x > 2], y) ;; np.einsum('i,i', x[x > 2], x[:4]) ;; np.einsum('i,i', x[x > 2], x[:3]) ;; np.einsum('i,i', x[x > 2], y[y > 1]) ;; np.einsum('i,ij,j', x[x > 2], a[np.ix_(x > 2, y > 1)], y[y > 1]) ;; np.einsum('i,ij,j->i', x[x > 2], a[np.ix_(x > 2, y > 1)], y[y > 1], optimize=True) ;; np.einsum('i,i', np.where(x > 2, x, np.nan)[x > 2], y[x > 2]) ;; np.einsum('i,', x[x > 2], 2.0) ;; np.einsum('ij,i->ij', a[:, x > 2], x) ;; np.einsum('i,i->i', x[x > 9], y[x > 9]) ;; np.einsum('i,i', x[x > 9], y[x > 9])
np.transpose(np.nonzero(a > 4)) ;; np.size(np.where(a > 4)) ;; np.sum(np.where(a > 4)) ;; np.max(np.nonzero(a > 4), axis=1) ;; np.shape(np.where(a > 4)) ;; np.ndim(np.where(a > 4)) ;; np.mean(np.where(a > 4), axis=1) ;; np.sqrt(np.where(a > 4)) ;; np.any(np.where(a > 99)) ;; np.min(np.where(x > 2)) ;; np.sort(np.where(x > 2)) ;; np.ravel(np.where(x > 2)) ;; np.isin(np.arange(6), np.where(x > 2)) ;; np.setdiff1d(np.arange(6), np.where(x > 2)) ;; np.append([0], np.where(x > 2)) ;; np.diff(np.where(x > 2)) ;; np.sum([x[x > 2], y[x > 2]], axis=0) ;; np.maximum([x[x > 2], y[x > 2]], 3) ;; np.sum([x[x > 2], y[x > 3]]) ;; np.cov([x[x > 2], y[x > 2]]) ;; len(np.where(a > 4)) ;; np.array([x[x > 2], y[x > 2]]).T ;; np.piecewise(x[x > 2], [x[x > 2] > 3], [1])
""".strip()  # fmt: skip


@pytest.mark.parametrize("expression", split(EXPRESSIONS))
def test_against_numpy(expression, tmp_path):
    same_value(expression, tmp_path, x=X, y=Y, a=A)


def fitted(x):
    kept = x > 1.1
    return np.polyfit(x[kept], Y[kept], 1)[0] + np.sum(np.convolve(x[kept], [1.0, -2]) ** 2) * 1e-2


def sorted_and_summed(x):
    rows = np.outer(x, Y)[x > 2] * np.array([3.0, 1, 4, 1.5, 5, 9])
    ordered = np.sort(rows, axis=0) * np.arange(6)
    return np.sum(ordered[0]) + np.sum(np.cumsum(rows, axis=0)[-1] ** 2) * 1e-3


@pytest.mark.parametrize("function", [fitted, sorted_and_summed])
def test_derivatives_and_batches(function):
    x, direction = X + np.arange(6) / 8, np.array([0.3, -1, 0.5, 2, 0.1, -0.7])
    expected = central(function, [x], [direction])
    np.testing.assert_allclose(ingot.grad(function)(x) @ direction, expected, rtol=1e-6)
    batch = np.stack([x, x[::-1], np.abs(x - 3)])
    found = ingot.vmap(function)(batch)
    np.testing.assert_allclose(found, [function(each) for each in batch], rtol=1e-9)
