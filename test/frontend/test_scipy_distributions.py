"""Quantiles and moments of SciPy's distributions, and frozen ones, against SciPy."""

import numpy as np
import pytest
from scipy import stats

import ingot
from ingot.numpy import scipy_stats
from level import in_turn
from oracle import quiet

Q = np.array([0.0, 1e-300, 1e-20, 1e-5, 0.1, 0.5, 0.7, 1 - 1e-9, 1.0, -0.1, 1.1, np.nan])
#: Valid and not, where moments exist and where not.
SHAPES = {
    "a": [2.5, 0.3, -1.0], "b": [1.7, 0.5, 3.0], "df": [3.3, 1.5, 0.5], "s": [0.8, 2.0, -1.0],
    "c": [1.6, 0.5, 0.0], "mu": [1.9, 0.0, -1.0], "p": [0.4, 1.0, 1.5], "n": [5, 3, 4],
}  # fmt: skip
KNOWN = list(scipy_stats.handlers())
QUANTILES = [each for each in KNOWN if each[1] in ("ppf", "isf")]
MOMENTS = [each for each in KNOWN if each[1] in scipy_stats.MOMENTS]
NORMAL, GAMMA = stats.norm(1.0, 2.0), stats.gamma(2.5, scale=3.0)
COVARIANCE = np.array([[2.0, 0.3], [0.3, 1.0]])
PLANE = stats.multivariate_normal(np.array([1.0, 2.0]), COVARIANCE)
SHARES = stats.dirichlet([1.5, 2.0])


def shapes_of(name):
    names, _ = {**scipy_stats.CONTINUOUS, **scipy_stats.DISCRETE}[name]
    return zip(*(SHAPES[each] for each in names)) if names else [()]


@pytest.mark.parametrize(("name", "method"), QUANTILES)
def test_quantiles(name, method):
    function = getattr(getattr(stats, name), method)
    # SciPy's quantiles of t and beta are wrong further out (test_scipy_extremes.py).
    q = Q[Q != 1e-300] if name in ("t", "beta") else Q
    compiled = ingot.jit(lambda q, *args: function(q, *args))
    for shapes in shapes_of(name):
        for place in in_turn(((), (0.5, 2.0), (1.0, -1.0)), name + method):
            with quiet():
                expected = function(q, *shapes, *place)
            found = compiled(q, *shapes, *place)
            np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize(("name", "method"), MOMENTS)
def test_moments(name, method):
    function = getattr(getattr(stats, name), method)
    places = ((), (0.5,)) if name in scipy_stats.DISCRETE else ((), (0.5, 2.0), (1.0, -1.0))
    compiled = ingot.jit(lambda *args: function(*args))
    for shapes in shapes_of(name):
        for place in places:
            with quiet():
                expected = function(*shapes, *place)
            found = compiled(*shapes, *place)
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_frozen_distributions():
    def inside(x, mean, scale):
        d = stats.norm(mean, scale=scale)
        return d.pdf(x), d.logpdf(x), d.cdf(x), d.sf(x), d.ppf(x), d.isf(x), d.mean(), d.var()

    def outside(x):
        return NORMAL.logcdf(x), NORMAL.std(), GAMMA.pdf(x), GAMMA.logsf(x), GAMMA.mean()

    def quantiles(q, a):
        d = stats.gamma(a, scale=2.0)
        return d.ppf(q), d.isf(q), GAMMA.ppf(q), stats.t(a).isf(q), stats.beta(a, 2).ppf(q)

    def discrete(k):
        d = stats.poisson(2.5, loc=1)
        return d.pmf(k), d.logpmf(k), d.cdf(k), d.std()

    x = np.array([0.1, 0.5, 0.9])
    for function, args in (
        (inside, (x, 0.3, 1.2)),
        (outside, (x,)),
        (quantiles, (x, 2.5)),
        (discrete, (np.arange(4),)),
    ):
        for found, expected in zip(ingot.jit(function)(*args), function(*args)):
            np.testing.assert_allclose(found, expected, rtol=1e-12)
    slope = ingot.grad(lambda m: stats.norm(m, scale=2.0).logpdf(0.3))(1.0)
    assert slope == pytest.approx((0.3 - 1.0) / 4)


def test_methods_that_frozen_distributions_lack_are_refused():
    with pytest.raises(ingot.CompileError, match="entropy"):
        ingot.jit(lambda x: NORMAL.entropy() + x)(1.0)
    with pytest.raises((ingot.CompileError, AttributeError), match="entropy"):
        ingot.jit(lambda x: stats.norm(x).entropy())(1.0)
    with pytest.raises(ingot.CompileError, match="takes loc, scale"):
        ingot.jit(lambda x: stats.norm(x, 1.0, 2.0).mean())(1.0)


def test_frozen_distributions_of_several_variables(check):
    def f(x):
        made = stats.multivariate_normal(mean=x, cov=COVARIANCE), stats.dirichlet(x + 1)
        given = PLANE.logpdf(x), PLANE.pdf(np.stack([x, 2 * x])), SHARES.logpdf(x), SHARES.pdf(x)
        return (*given, made[0].logpdf(2 * x), made[0].pdf(x), made[1].pdf(x))

    check(f, np.array([0.3, 0.7]))


def test_what_masks_and_slices_select(check):
    def f(x, k):
        found = stats.norm.pdf(x[x > 0], 0.5), stats.gamma.logcdf(x[k:], 2.5, scale=x[1])
        return *found, stats.norm.ppf(x[x > 0] / 9).sum(), stats.poisson.pmf(x[x > 0], x[x > 0])

    check(f, np.array([0.5, 2.0, -1.0, 3.0, 0.1]), 2)


#: A regular covariance, one with equal eigenvalues, and singular ones.
COVARIANCES = (COVARIANCE, np.eye(2), np.diag([2.0, 0.0]), np.full((2, 2), 1.5))


def on_a_subspace(x, cov):
    mean = np.array([0.1, 0.2])
    return stats.multivariate_normal.logpdf(x, mean, cov, allow_singular=True)


@pytest.mark.parametrize("cov", COVARIANCES, ids=range(4))
def test_singular_covariances(check, cov):
    def f(x, cov):
        frozen = stats.multivariate_normal(np.zeros(2), cov, allow_singular=True)
        return on_a_subspace(x, cov), frozen.pdf(x)

    for x in ([0.7, 0.2], [0.7, 0.8], [[0.1, 0.2], [3.0, 3.1]]):
        check(f, np.array(x), cov)


@pytest.mark.parametrize("cov", COVARIANCES[:2], ids=range(2))
def test_derivatives_by_covariances_that_may_be_singular(cov):
    args, step = (np.array([0.7, 0.8]), cov), 1e-6
    found = ingot.grad(on_a_subspace, (0, 1))(*args)
    for which, gradient in enumerate(found):
        expected = np.zeros(gradient.shape)
        for i in np.ndindex(gradient.shape):
            ends = [[a.copy() for a in args] for _ in range(2)]
            ends[0][which][i] -= step
            ends[1][which][i] += step
            low, high = (on_a_subspace(*each) for each in ends)
            expected[i] = (high - low) / (2 * step)
        np.testing.assert_allclose(gradient, expected, atol=1e-7)


@pytest.mark.parametrize(
    ("f", "said"),
    [
        (lambda x: PLANE.cdf(x), "scipy.stats.multivariate_normal_frozen.cdf is not supported"),
        (lambda x: stats.wishart(3, x), "an object of wishart_gen is not supported"),
        (lambda x: stats.dirichlet(x).mean(), "mean of a frozen distribution is not supported"),
        (lambda x: stats.norm(x).entropy(), "entropy of a frozen distribution is not supported"),
    ],
)
def test_what_is_not_supported_is_named_plainly(f, said):
    with pytest.raises(ingot.CompileError, match=said):
        ingot.jit(f)(np.array([0.3, 0.7]))
