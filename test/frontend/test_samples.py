"""The statistics of samples in scipy.stats, against SciPy."""

import numpy as np
import pytest
from scipy import stats

import ingot
from expressions import split
from sources import namespace_of

RNG = np.random.default_rng(0)
X = RNG.standard_normal((6, 5))
P, Q = RNG.random((4, 3)) + 0.1, RNG.random((4, 3)) + 0.1
N = RNG.integers(0, 4, (4, 6))
CASES = split("""
stats.skew(x) ;; stats.skew(x, 1) ;; stats.skew(x, None) ;; stats.skew(x[0], bias=False) ;; stats.skew(n, axis=-1) ;; stats.skew(x, axis=(0, 1)) ;; stats.skew(x, keepdims=True) ;; stats.skew(x, None, keepdims=True)
stats.kurtosis(x) ;; stats.kurtosis(x, 1, False) ;; stats.kurtosis(x, None, bias=False) ;; stats.kurtosis(x[0], bias=False) ;; stats.kurtosis(x * 0 + 3) ;; stats.kurtosis(x.astype(np.float32)) ;; stats.skew(x * 0)
stats.zscore(x) ;; stats.zscore(x, 1, 1) ;; stats.zscore(x, None) ;; stats.zscore(n) ;; stats.zscore(x[0] * 0 + 1) ;; stats.zmap(x, x[:3]) ;; stats.zmap(x[0], n[0]) ;; stats.zscore(x.astype(np.float32))
stats.sem(x) ;; stats.sem(x, None) ;; stats.sem(x, 1, 0) ;; stats.sem(n[0]) ;; stats.sem(x, keepdims=True)
stats.gmean(p) ;; stats.gmean(p, 1) ;; stats.gmean(p, None) ;; stats.gmean(p, weights=q) ;; stats.gmean(n + 1, axis=1) ;; stats.gmean(p, dtype=np.float32) ;; stats.gmean(p, keepdims=True)
stats.hmean(p) ;; stats.hmean(p, 1) ;; stats.hmean(p, None) ;; stats.hmean(p, weights=q) ;; stats.hmean(n + 1) ;; stats.hmean(n)
stats.entropy(p) ;; stats.entropy(p, q) ;; stats.entropy(p, base=2) ;; stats.entropy(p, q, 10.0, 1) ;; stats.entropy(n + 1) ;; stats.entropy(p[:, :1], q) ;; stats.entropy(n)
stats.rankdata(n) ;; stats.rankdata(n, axis=0) ;; stats.rankdata(n, 'min', axis=1) ;; stats.rankdata(n, 'max', axis=1) ;; stats.rankdata(n, 'dense', axis=-1) ;; stats.rankdata(n, 'ordinal', axis=0) ;; stats.rankdata(x) ;; stats.rankdata(n[0] > 1)
stats.rankdata([2, 3, 3.5, 2]) ;; stats.rankdata(np.where(x > 1, np.nan, x), axis=1) ;; stats.rankdata(n[:0]) ;; stats.rankdata(x, 'min')
""")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("case", CASES)
def test_a_statistic_is_scipys(tmp_path, case):
    text = f"from scipy import stats\ndef f(x, p, q, n):\n    return {case}\n"
    function = namespace_of(text, tmp_path)["f"]
    expected, found = function(X, P, Q, N), ingot.jit(function)(X, P, Q, N)
    assert type(found) is type(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    tolerance = 1e-5 if found.dtype == np.float32 else 1e-12
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    "loss",
    [
        lambda x: np.sum(stats.skew(x)),
        lambda x: np.sum(stats.kurtosis(x, bias=False) ** 2),
        lambda x: np.sum(np.sin(stats.zscore(x, axis=1))),
        lambda x: np.sum(stats.gmean(x**2 + 1) * stats.hmean(x**2 + 1)),
        lambda x: np.sum(stats.entropy(x**2 + 0.1) + stats.sem(x)),
        lambda x: np.sum(stats.rankdata(x, axis=0) * x),
    ],
)
def test_a_statistic_is_differentiated(loss):
    direction, step = RNG.standard_normal(X.shape), 1e-6
    expected = (loss(X + step * direction) - loss(X - step * direction)) / (2 * step)
    assert np.vdot(ingot.grad(loss)(X), direction) == pytest.approx(expected, rel=1e-6)


def test_batches_are_ranked_and_scored_each_by_itself():
    for function in (stats.rankdata, stats.zscore):
        expected = np.stack([function(row) for row in X])
        np.testing.assert_allclose(ingot.vmap(function)(X), expected, rtol=1e-12)


def test_what_depends_on_the_data_is_refused():
    with pytest.raises(NotImplementedError, match="NaNs make integer ranks floats"):
        ingot.jit(lambda x: stats.rankdata(x, "min"))(np.array([1.0, np.nan]))
    with pytest.raises((NotImplementedError, ingot.CompileError), match="nan_policy"):
        ingot.jit(lambda x: stats.skew(x, nan_policy="omit"))(X)
