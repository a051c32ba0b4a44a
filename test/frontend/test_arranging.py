"""Functions of arrays of run-time lengths: positions, quantiles, histograms, interpolation, sets."""

import copy

import numpy as np
import pytest

import ingot
from expressions import same_value, split
from oracle import central
from sources import namespace_of

A = np.array([[3.0, 0, -1, 3], [0, 0, 2, 5], [-1, 4, 0, 0]])
V = np.array([0, 3, 1, 3, 0, -2, 7, 1, 0])
W = np.array([3, 7, 7, 8, -2])
NANS = np.array([np.nan, 2.0, np.nan, -0.0, 0.0, 2.0])
K = np.array([4, 2, 1])
EXPRESSIONS = """
np.delete(v, k[0]) ;; np.delete(v, -k[0]) ;; np.delete(v, k[0] * 9) ;; np.delete(v, k) ;; np.delete(v, v > 0) ;; np.delete(v, np.nonzero(v)[0]) ;; np.delete(v[v > 0], 0) ;; np.delete(v[v > 0], k[0]) ;; np.delete(v[v > 0], [0, -1]) ;; np.delete(v, slice(k[0], None)) ;; np.delete(a, k[2], axis=0) ;; np.delete(a, k[2], axis=1) ;; np.delete(a, k[2]) ;; np.delete(v[v > 0], slice(1, 3)) ;; np.delete(a, a[0] > 0, axis=1) ;; np.delete(v, np.where(v > 2)) ;; np.delete(v, np.stack([k, k])) ;; np.delete(a, np.nonzero(a[0] > 2), axis=1)
np.insert(v, k[0], 5) ;; np.insert(v, -k[0], [5, 6]) ;; np.insert(v, k[0] * 9, 5) ;; np.insert(v[v > 0], 1, 9) ;; np.insert(v[v > 0], k[0], [1, 2, 3]) ;; np.insert(a, k[2], 7, axis=0) ;; np.insert(a, k[2], a[0], axis=0) ;; np.insert(v[v > 0], 0, v[v < 0])
np.percentile(v[v > 0], 30) ;; np.percentile(v[v > 0], [10, 50, 90]) ;; np.quantile(v[v > 0], 0.3) ;; np.quantile(x[x > 0], [0.25, 0.5]) ;; np.median(v[v > 0]) ;; np.median(v[: k[0]]) ;; np.percentile(v[k[1] : k[0]], 75) ;; np.quantile(a[a > 0], 0.5, method='lower') ;; np.percentile(v[v > 9], 30) ;; np.quantile(v[v > 0], 1.5) ;; np.quantile(x[x == x], 0.9) ;; np.quantile(x[: k[0]], 0.9) ;; np.quantile(v[v > 0], k[1] / 8)
np.bincount(v[v > 0], minlength=10) ;; np.bincount(v[v > -1], a.ravel()[:9][v > -1], minlength=8) ;; np.bincount(v[v > 9], minlength=3) ;; np.bincount(v[: k[2]], minlength=9) ;; np.bincount(v[v > 0], v[v > 0], 10)
np.histogram(v[v > 0], 3) ;; np.histogram(v[v > 0], [0, 2, 4]) ;; np.histogram(x[x > 0], 4, range=(0, 3)) ;; np.histogram(v[v > 0], 3, density=True) ;; np.histogram(v[v > 9], 3) ;; np.histogram(v[v > 0], 3, weights=v[v > 0])
np.roll(v[v > 0], 1) ;; np.roll(v[v > 0], 1, axis=0) ;; np.roll(v[v > 0], k[0]) ;; np.roll(v[v > 9], 1) ;; np.roll(v[: k[0]], -1) ;; np.roll(v, k[0]) ;; np.roll(v[v > 0], -7)
np.searchsorted(np.sort(v), v[v > 0]) ;; np.searchsorted(np.sort(v[v > 0]), 3) ;; np.searchsorted(np.sort(v[v > 0]), w) ;; np.searchsorted(np.sort(v[v > 0]), v[v > 0], side='right') ;; np.searchsorted(v[v > 9], w) ;; np.digitize(v[v > 0], [1, 3, 5])
np.interp(v[v > 0], [0, 3, 9], [1.0, 2, 4]) ;; np.interp(2.5, np.sort(v[v > 0]), np.sort(v[v > 0]) * 2.0) ;; np.interp(w, np.arange(len(v[v > 0])), v[v > 0])
np.gradient(x[x == x]) ;; np.gradient(v[v > 0]) ;; np.gradient(v[v > 0], 2.0) ;; np.gradient(v[v > 9]) ;; np.trapezoid(v[v > 0]) ;; np.trapezoid(v[v > 0], dx=2) ;; np.trapezoid(v[v > 0], np.cumsum(v[v > 0])) ;; np.trapezoid(v[: k[0]])
np.where(v[v > 0] > 2, v[v > 0], 0) ;; np.where(v[v > 0] > 2, 1.5, v[v > 0]) ;; np.cov(v[v > 0]) ;; np.cov(v[v > 0], v[v > 0] * 2.0 + 1) ;; np.corrcoef(v[v > 0], v[v > 0] ** 2) ;; np.cov(a[:, a[0] > -2]) ;; np.average(v[v > 0]) ;; np.average(v[v > 0], weights=v[v > 0]) ;; np.average(x[x == x], weights=np.arange(len(x[x == x])) + 1.0)
np.unique(v[v > 0]) ;; np.union1d(v[v > 0], w) ;; np.flatnonzero(v[v > 0] > 1) ;; np.nonzero(v[v > 0] > 1) ;; np.isin(v[v > 0], w) ;; np.unique(v[v > 0], return_counts=True) ;; np.unique(v[v > 0], return_inverse=True)
np.nansum(x[x != 2]) ;; np.nanprod(x[x != 2]) ;; np.nanprod(x[x == x], axis=0) ;; np.nanmean(x[x != 2]) ;; np.nanmax(x[x != 2]) ;; np.cumulative_sum(v[v > 0]) ;; np.ptp(v[v > 0]) ;; np.linspace(0, 1, len(v[v > 0])) ;; np.linspace(x[1], 5, len(v[v > 0])) ;; np.linspace(0, 1, len(v[v > 0]), endpoint=False) ;; np.linspace(0.1, x[1], len(v[v > 6])) ;; np.linspace(0, 7, len(v[v > 9])) ;; np.linspace(0, 9, len(v[v > 0]), dtype=int)
np.minimum.accumulate(v[v > 0]) ;; np.add.reduce(v[v > 0]) ;; np.maximum.reduce(v[v > 0]) ;; np.add.accumulate(v[v > 0]) ;; np.flipud(v[v > 0]) ;; np.isclose(v[v > 0], 1) ;; np.allclose(v[v > 0], v[v > 0]) ;; np.any(np.isnan(x[x != 2])) ;; np.dot(v[v > 0], v[v > 0]) ;; np.take(v[v > 0], 0) ;; np.take(v, v[v > 0]) ;; np.take(v[v > 0], [0, 1]) ;; np.expand_dims(v[v > 0], 0) ;; np.sum(v[v > 0], initial=3) ;; np.nan_to_num(x[x != 2]) ;; np.polyval([1, 2], v[v > 0]) ;; np.count_nonzero(v[v > 0]) ;; np.sort(v[v > 0])[-2:]
v[v > 0][np.argsort(v[v > 0])] ;; a[a[:, 0] > 0][np.argsort(a[a[:, 0] > 0][:, 1])] ;; v[v > 0][np.nonzero(v[v > 0] > 1)[0]] ;; v[v > 0][v[v > 0] - 9] ;; v[v > 0][v[v > 8]] ;; v[v > 9][v[v > 9]] ;; np.allclose(v[v > 0], 3) ;; np.isclose(x[x == x], 2.0)
np.histogram(x[x == x], 3) ;; np.histogram(v[v > 0], np.array([0, 2, 4]), weights=v[v > 0] * 1.5) ;; np.histogram(v[: k[0]], 2) ;; np.add.reduce(a[a[:, 0] > 0]) ;; np.nanmean(x[x != 2]) ;; np.nanmax(x[x == 2]) ;; np.nanmin(x[x == 2]) ;; np.nanmean(x[x == 7]) ;; np.average(v[v > 0], weights=w) ;; np.average(a[a[:, 0] > 0], axis=0) ;; np.cov(v[v == 7]) ;; np.corrcoef(a[:, a[0] > -2])
np.setdiff1d(v[v > 0], w) ;; np.intersect1d(v[v > 0], w) ;; np.setxor1d(v[v > 0], w) ;; np.union1d(w, v[v > 0]) ;; np.trim_zeros(v[v > -1]) ;; np.unique_counts(v[v > 0]) ;; np.cumulative_sum(v[v > 0], include_initial=True) ;; np.nan_to_num(x[: k[0]]) ;; np.delete(w, v[v > 2] - 3) ;; np.delete(v[v > 0], 9) ;; np.insert(v[v > 0], 9, 1) ;; np.insert(a[a[:, 0] > 0], 1, [1, 2, 3, 4], axis=0) ;; np.insert(v[v > 0], -1, 2.5) ;; np.delete(a[a[:, 0] > 0], 0, axis=0) ;; np.delete(a[a[:, 0] > 0], 1, axis=1)
np.take(v[v > 0], np.flatnonzero(v[v > 0])) ;; np.take(a, v[v > 6] - 6, axis=0) ;; np.take(a[a[:, 0] > 0], 0, axis=0) ;; np.moveaxis(a[a[:, 0] > 0], 0, 1) ;; np.swapaxes(a[a[:, 0] > 0], 0, 1) ;; a[a[:, 0] > 0].swapaxes(0, 1) ;; np.transpose(a[a[:, 0] > 0], (1, 0)) ;; np.expand_dims(v[v > 0], -1) ;; v[v > 0].nonzero() ;; isinstance(v[v > 0], np.ndarray) ;; np.interp(v[v > 0], v[v > 9], v[v > 9]) ;; np.interp(w, v[v > 6], v[v > 6]) ;; np.gradient(v[v > 0], np.cumsum(v[v > 0])) ;; np.gradient(v[v > 0], edge_order=2) ;; np.gradient(a[a[:, 0] > -2], axis=0) ;; np.gradient(a[:, a[0] > -2], axis=1) ;; np.trapezoid(a[:, a[0] > -2]) ;; np.trapezoid(a[a[:, 0] > -2], axis=0)
np.quantile(a[a[:, 0] > 0], 0.5, axis=0) ;; np.percentile(a[a[:, 0] > 0], [20, 60], axis=0) ;; np.percentile(v[v > 0], 40, method='nearest') ;; np.percentile(v[v > 0].astype(np.float32), 40) ;; np.quantile(v[v > 0], np.float32(0.25)) ;; np.percentile(a[:, a[0] > 0], 50, axis=1) ;; np.percentile(v[v > 0], 120) ;; np.percentile(v, 120) ;; np.quantile(w, [0.5, 2]) ;; np.quantile(v[v > 0], 1) ;; np.quantile(v[v == 7], [0, 0.5, 1]) ;; np.median(a[a[:, 0] > 0], axis=0)
np.linspace(0.1, 0.9, len(v[v > 0]) + 4) ;; np.linspace(3, 3, len(v[v > 0])) ;; np.linspace(x[1], x[1], len(v[v > 0])) ;; np.linspace(-1.5, x[1] * 3, len(v[v > 0]), dtype=np.float32) ;; np.linspace(5, 1, len(v[v > 0]) + 2) ;; np.linspace(0, 1, ingot.bound(int(k[0]), 9)) ;; np.linspace(0, 1, -(k[0] % 8))
v[v > 0].reshape(-1, 1) ;; v[v > 0].reshape(1, -1) ;; v[v > 0].reshape((-1, 1)) + w ;; np.reshape(v[v > 0], (-1, 1)) ;; v[v > 0].reshape(-1) ;; v[v > 0].reshape(len(v[v > 0]), 1) ;; v[v > 0].reshape(1, -1, 1) ;; v[v > 0].reshape(1, 5) ;; v[v > 0].reshape(5) ;; v[v > 0].reshape(4) ;; v[v > 0].reshape(2, 9) ;; v[v > 9].reshape(0, 3) ;; v[v > 9].reshape(-1, 1) ;; v[v > 9].reshape(-1, 2) ;; v[v != 0].reshape(-1, 2) ;; v[v != 0].reshape(-1, 3) ;; v[v > 0].reshape(-1, 2) ;; v[v != 0].reshape(-1, 3, 2) ;; v[v != 0].reshape(len(v[v != 0]) // 2, 2) ;; v[v != 0].reshape(len(v[v != 0]), 2)
a[a[:, 0] > 0].reshape(-1, 2, 2) ;; a[a[:, 0] > 0].reshape(-1) ;; a[a[:, 0] > -2].reshape(-1, 2) ;; a[a[:, 0] > -2].reshape(-1, 6) ;; a[a[:, 0] > -1].reshape(-1, 3) ;; a[a[:, 0] > 0].reshape(1, -1, 4) ;; (lambda r: r.reshape(r.shape[0], -1))(a[a[:, 0] > -1].reshape(-1, 2, 2)) ;; (lambda r: r.reshape(len(r), 2, -1))(a[a[:, 0] > -1]) ;; a[:, a[0] > 0].reshape(-1) ;; a[:, a[0] > 0].reshape(-1, 3) ;; a[: k[1], : k[1]].reshape(4) ;; a[: k[2], : k[1]].reshape(-1, 1) ;; a[a > 0].reshape(-1, 1).sum(axis=1) ;; v[v > 0].reshape(-1, 1)[::-1] ;; v[k[2] : k[0]].reshape(-1, 1) ;; v[k[2] :].reshape(-1, 2) ;; np.transpose(v[v > 0].reshape(-1, 1)) ;; v[v > 0].reshape(-1, -1) ;; a[a[:, 0] > 0].T.reshape(-1)
v[v == 7].item() ;; v[v > 0].item() ;; v[v > 9].item() ;; v[v > 0].item(1) ;; v[v > 0].item(-1) ;; x[x == x].item(0) ;; a[a[:, 0] > 0].item(0, 2) ;; a[a[:, 0] > 0].item((0, 2)) ;; a[a[:, 0] > 0].item(3) ;; np.nonzero(v == 7)[0].item() ;; v[: k[2]].item() ;; (x[x == 2.0] * 1j).item(1)
v[v > 0].tolist() ;; v[v > 9].tolist() ;; (v[v > 0] > 1).tolist() ;; x[x == x].tolist() ;; np.flatnonzero(v).tolist() ;; v[: k[0]].tolist() ;; sum(v[v > 0].tolist()) ;; [2 * each for each in v[v > 0].astype(np.float32).tolist()]
1 if v[v == 7] else 2 ;; 1 if v[v == 7] > 8 else 2 ;; 1 if v[v > 9] else 2 ;; 1 if v[v > 0] else 2 ;; not v[v == 7] ;; not v[v > 0] ;; bool(v[v == 7]) ;; bool(a[a[:, 0] > 2]) ;; a[a[:, 0] > 0][::-1].size ;; a[: k[2], : k[1]].size ;; np.size(a[a[:, 0] > 0][:2]) ;; bool(v[: k[2]]) ;; bool(v[: k[0]]) ;; v[v == 7] and k[0] > 3 ;; k[0] > 9 or v[v == 7] < 0
""".strip()  # fmt: skip


@pytest.mark.parametrize("expression", split(EXPRESSIONS))
def test_against_numpy(expression, tmp_path):
    same_value(expression, tmp_path, a=A, v=V, w=W, x=NANS, k=K)


@pytest.mark.parametrize("expression", [
    "np.linspace(x[0], x[1], n)", "np.linspace(0.1, x[1], n)", "np.linspace(0.1, 0.7, n, endpoint=False)",
    "np.linspace(-3, 5, n)", "np.linspace(x[2], 1, n)",
])  # fmt: skip
def test_linspace_rounds_as_numpy(expression, tmp_path):
    text = f"import ingot\ndef f(x, k):\n    n = ingot.bound(k[0], 40)\n    return {expression}\n"
    function = namespace_of(text, tmp_path)["f"]
    compiled, x = ingot.jit(function), np.random.default_rng(0).normal(size=3)
    for n in range(40):
        np.testing.assert_array_equal(compiled(x, np.array([n])), function(x, np.array([n])))


X = np.array([0.5, -2.0, 1.5, 4.0, -5.0, 3.0])


def quantiles(x):
    kept = x[x > 0]
    return np.percentile(kept, 30) ** 2 + np.sum(np.quantile(kept, [0.1, 0.6])) + np.median(kept)


def places(x):
    kept = x[x > 0]
    return np.sum(np.delete(kept, 1) ** 2) + np.sum(
        np.insert(kept, 2, x[1]) * np.arange(len(kept) + 1)
    )


def curves(x):
    kept = np.sort(x[x > 0])
    slopes = np.gradient(kept**2, kept)
    return np.trapezoid(kept**2, kept) + np.sum(slopes) + np.interp(x[0] * 3.2, kept, slopes)


def statistics(x):
    kept = x[x > 0]
    counts = np.bincount(np.arange(len(kept)) % 3, kept**2, 3)
    mean = np.average(kept, weights=np.linspace(1, 2, len(kept)))
    return np.sum(counts * np.arange(3)) + mean + np.cov(kept) * 2 + np.sum(np.roll(kept, 1) * kept)


def ordered(x):
    kept = x[x > 0]
    order = np.argsort(kept)
    return np.sum(kept[order] * np.arange(len(kept))) + np.sum(
        np.take(x, np.flatnonzero(x > 1)) ** 2
    )


@pytest.mark.parametrize("function", [quantiles, places, curves, statistics, ordered])
def test_derivatives_and_batches(function):
    direction = np.array([0.3, -1, 0.5, 2, 0.1, -0.7])
    expected = central(function, [X], [direction])
    np.testing.assert_allclose(ingot.grad(function)(X) @ direction, expected, rtol=1e-6)
    value, tangent = ingot.jvp(function, (X,), (direction,))
    np.testing.assert_allclose([value, tangent], [function(X), expected], rtol=1e-6)
    batch = np.stack([X, X[::-1], np.abs(X)])
    found = ingot.vmap(function)(copy.copy(batch))
    np.testing.assert_allclose(found, [function(each) for each in batch])
