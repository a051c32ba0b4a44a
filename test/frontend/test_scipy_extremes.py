"""SciPy's functions in the tails, at 0, infinity and NaN, and of large parameters."""

import numpy as np
import pytest
from scipy import linalg, signal, special, stats

import ingot
from level import sample
from oracle import quiet

INF = np.inf
ONE = np.array([0, 1e-300, 1e-8, 0.1, 0.5, 0.9, 1, 1.5, 2, 7.5, 20, 50, 170.5, 300, 1e6, INF])
X = np.concatenate([ONE, -ONE, [np.nan, 1 - 1e-9, -0.3, -1.7]])
SHAPES = np.array([0, 1e-3, 0.3, 1, 2.5, 10, 200, 3000, INF, np.nan, -1])
PLACES = np.array([0, 1e-300, 1e-10, 0.3, 0.999, 1 - 1e-12, 1, 3, 45, 190, 1000, 3e3, INF, -0.5])
NUMBERS = np.array([0, 1e-10, 0.3, 0.5, 1, 2, 10, 30.5, 1e3, 1e10, 1e100, -0.5, -1.5, -1, -2, -7])
COUNTS = np.array([-2, -1, -0.5, 0, 1, 2.7, 100])
CHANCES = np.array([0, 1e-20, 0.3, 0.999, 1, -0.1, 1.1, np.nan])
#: Shapes and tails for which SciPy's inverses are right.
SOLVABLE = np.array([0.01, 0.1, 0.3, 0.5, 1, 2.5, 10, 33.3, 100, 500, 2000, 3000])
TAILS = np.array(
    [0, 1e-50, 1e-20, 1e-8, 0.1, 0.4, 0.49, 0.5, 0.6, 0.9, 0.999, 1 - 1e-12, 1, -0.1, 1.1, np.nan]
)

SINGLE = (
    "erf", "erfc", "erfinv", "gamma", "digamma", "expit", "log_expit", "logit", "entr", "ndtr",
    "log_ndtr", "exp10", "erfcinv",
)  # fmt: skip
SEVERAL = {
    "gammainc": (SHAPES, PLACES), "gammaincc": (SHAPES, PLACES), "chdtrc": (SHAPES, PLACES),
    "betainc": (SHAPES[1:], SHAPES[1:], PLACES[:7]),
    "betaincc": (SHAPES[1:], SHAPES[1:], PLACES[:7]),
    "beta": (NUMBERS, NUMBERS[1:11]), "betaln": (NUMBERS, NUMBERS), "xlogy": (NUMBERS, NUMBERS),
    "xlog1py": (NUMBERS, NUMBERS), "rel_entr": (NUMBERS, NUMBERS), "pdtr": (COUNTS, PLACES),
    "pdtrc": (COUNTS, PLACES), "stdtr": (SHAPES[1:], [-1e5, -10.0, -1.5, 0.0, 2.0, 30.0, INF]),
}  # fmt: skip


def compare(f, *lines):
    args = [each.ravel() for each in np.meshgrid(*lines)]
    found = ingot.jit(f)(*args)
    with quiet():
        expected = f(*args)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("name", sample([*SINGLE], 3))
def test_functions_of_one(name):
    compare(getattr(special, name), X)


@pytest.mark.parametrize("name", sample([*SEVERAL], 3))
def test_functions_of_several(name):
    compare(getattr(special, name), *SEVERAL[name])


@pytest.mark.parametrize("name", sample(["gammaincinv", "gammainccinv", "chdtri", "stdtrit"], 2))
def test_inverses_of_one_shape(name):
    shapes = SOLVABLE[SOLVABLE >= 0.5] if name == "stdtrit" else SOLVABLE
    compare(getattr(special, name), [-1.0, *shapes, np.nan], TAILS)
    compare(getattr(special, name), [0.0, INF], [0.0, 1.0, np.nan, -0.1, 1.1])


@pytest.mark.parametrize("name", ["betaincinv", "betainccinv"])
def test_inverses_of_two_shapes(name):
    shapes = [-1.0, 0.0, *SOLVABLE[::2], np.nan]
    compare(getattr(special, name), shapes, shapes, TAILS)


@pytest.mark.parametrize("name", ["gammainc", "gammaincc", "betainc", "stdtr"])
def test_inverses_where_those_of_scipy_fail(name):
    inverse = getattr(special, {"stdtr": "stdtrit"}.get(name, name + "inv"))
    count = 2 if name.startswith("beta") else 1
    args = [e.ravel() for e in np.meshgrid(*[[2.5, 10.0, 33.3]] * count, [1e-300, 1e-200])]
    found = ingot.jit(lambda *args: inverse(*args))(*args)
    inside = found < 1 if count == 2 else np.isfinite(found)
    back = getattr(special, name)(*args[:-1], found)
    np.testing.assert_allclose(back[inside], args[-1][inside], rtol=1e-9)


def test_inverses_in_float32():
    q = np.array([0.0, 0.2, 0.9, 1.0], np.float32)
    for function, shapes in ((special.gammaincinv, (2,)), (special.betaincinv, (2, 3))):
        found = ingot.jit(lambda *args: function(*args))(*np.float32(shapes), q)
        expected = function(*np.float32(shapes), q)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_derivatives_of_inverses_at_the_ends_of_a_branch():
    # The other tail is solved for from 0.5 on, and the median of t is 0.
    for f in (special.gammaincinv, special.stdtrit):
        near = ingot.grad(lambda q: f(2.5, q))(0.5)
        far = (f(2.5, 0.5 + 1e-6) - f(2.5, 0.5 - 1e-6)) / 2e-6
        assert near == pytest.approx(far, rel=1e-8)
    assert ingot.grad(ingot.grad(lambda q: special.stdtrit(2.5, q)))(0.5) == pytest.approx(0)
    mixed = ingot.grad(lambda q: ingot.grad(lambda n: special.stdtrit(n, q))(2.5))
    assert mixed(0.5) == pytest.approx(mixed(0.5 + 1e-8), rel=1e-6)
    assert ingot.grad(lambda a: special.gammaincinv(a, 0.0))(2.5) == 0
    for f in (special.gammaincinv, special.gammainccinv, special.chdtri, special.stdtrit):
        assert np.isnan(ingot.grad(lambda q, f=f: f(2.5, q))(0.0))
        assert np.isnan(ingot.grad(lambda q, f=f: f(2.5, q))(1.0))


@pytest.mark.parametrize("n", sample([0, 1, 5, 1000], 3))
def test_counts(n):
    compare(lambda k, p: special.bdtr(k, n, p), COUNTS, CHANCES)
    compare(lambda k, p: special.bdtrc(k, n, p), COUNTS, CHANCES)


def test_polygamma():
    x = np.array([0, 1e-8, 0.5, 7, 1e6, INF, np.nan, -2, -0.3, -7.4, -30.3])
    for n in (0, 1, 2, 5):
        compare(lambda x: special.polygamma(n, x), x)
    f = ingot.grad(lambda x: special.polygamma(2, x))
    assert f(-3.4) == pytest.approx(special.polygamma(3, -3.4), rel=1e-12)
    with pytest.raises(NotImplementedError, match="below -10000"):
        ingot.jit(lambda x: special.polygamma(1, x))(-1e6 - 0.5)


def test_digits_of_erfcinv_at_one_are_kept():
    y = np.array([1 - 1e-15, 1 - 1e-6, 1, 1 + 1e-7, 0.51, 1.49])
    np.testing.assert_allclose(ingot.jit(special.erfcinv)(y), special.erfcinv(y), rtol=1e-13)


def test_tails_of_distributions():
    far = np.array([-60.0, -10.0, 10.0, 60.0])
    compare(lambda x: stats.t.sf(x, 200), far)
    compare(lambda x: stats.t.logcdf(x, 30.0), far)
    compare(lambda x: stats.beta.sf(x, 2.0, 3.0), np.array([1e-17, 0.5, 1 - 1e-9]))
    compare(lambda x: stats.gamma.logsf(x, 2.5), np.array([1e-9, 30.0, 600.0]))
    compare(lambda x: stats.binom.cdf(x, 40, 1e-9), np.arange(5.0))


@pytest.mark.parametrize("dtype", sample(["?", "i1", "i4", "e", "f", "d"], 2))
@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
def test_dtypes_of_sums_of_exponentials(name, dtype):
    function, x = getattr(special, name), np.array([1, 0, 1], dtype)
    if dtype == "?" and name != "logsumexp":
        with pytest.raises(TypeError):
            ingot.jit(lambda x: function(x))(x)
        return
    found, expected = ingot.jit(lambda x: function(x))(x), function(x)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-3 if expected.dtype == "e" else 1e-6)


def signed(f, *args):
    """Compares values and signs, of zeros too."""
    with np.errstate(all="ignore"):
        found, expected = ingot.jit(f)(*args), f(*args)
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    is_number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found)[is_number], np.signbit(expected)[is_number])


def test_signs_of_zeros_of_special_functions():
    x = np.array([0.0, -0.0, 0.5, 1.0, INF, -INF, np.nan])
    signed(lambda x: special.erfinv(x), x)
    signed(lambda x: special.erfcinv(x), x)
    signed(lambda x: special.ndtri(x), x)
    signed(lambda x: special.gammaln(x), x)
    signed(lambda x: special.log_expit(x), x)
    signed(lambda x: special.iv(1, x), x[:4])
    signed(lambda x: special.jv(1, x), x[:4])
    signed(lambda x: special.jv(-1, x), x[:4])
    signed(lambda n, x: special.polygamma(n, x), np.array([[1.0], [2.0]]), np.append(x, 1e200))
    a = np.array([0, -0.5, -1, -2, 0.5, 1, INF, -INF, np.nan, -1e300])
    signed(lambda a, b: special.beta(a, b), a[:, None], a)
    with np.errstate(all="ignore"):
        found, expected = (
            ingot.jit(lambda a: special.betaln(a[:, None], a))(a),
            special.betaln(a[:, None], a),
        )
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("name", ["t", "gamma", "beta", "chi2", "poisson", "uniform", "geom"])
@pytest.mark.parametrize("part", ["logcdf", "logsf"])
def test_signs_of_zeros_of_distributions(name, part):
    shapes = {"t": (3.0,), "beta": (2.0, 3.0), "uniform": (), "geom": (0.3,)}.get(name, (2.0,))
    method = getattr(getattr(stats, name), part)
    signed(lambda x: method(x, *shapes), np.array([-INF, -1.0, 0.0, 0.5, 1.0, 2.0, INF]))


def test_logsumexp_with_weights():
    def f(a, b):
        return special.logsumexp(a, b=b), *special.logsumexp(a, b=b, return_sign=True)

    with np.errstate(all="ignore"):
        for a in ([INF, 1], [np.nan, 2], [-INF, 3], [1, 2], [1e300, -1e300], [INF, -INF]):
            for b in (0.0, 1.0, -1.0, [0.0, 1.0], [1.0, -1.0], [0.0, INF]):
                args = np.array(a, float), np.array(b)
                np.testing.assert_allclose(ingot.jit(f)(*args), f(*args), rtol=1e-12)


def test_logsumexp_of_nothing():
    assert ingot.jit(lambda a: special.logsumexp(a))(np.zeros(0)) == -INF
    found = ingot.jit(lambda a: special.logsumexp(a, axis=0))(np.zeros((0, 3)))
    np.testing.assert_array_equal(found, [-INF] * 3)


def test_names_of_the_variable():
    def f(x):
        return (
            stats.poisson.pmf(k=x, mu=2.0), stats.poisson.logsf(k=x, mu=2.0),
            stats.norm.cdf(x=x), stats.norm.ppf(q=0.3),
        )  # fmt: skip

    np.testing.assert_allclose(ingot.jit(f)(3.0), f(3.0))
    for wrong in (
        lambda x: stats.poisson.pmf(x=x, mu=2.0),
        lambda x: stats.norm.cdf(k=x),
        lambda x: stats.norm.ppf(x=x),
    ):
        with pytest.raises(TypeError):
            ingot.jit(wrong)(3.0)


def test_covariances_that_are_none():
    def f(x, cov):
        return stats.multivariate_normal.logpdf(x, None, cov)

    x = np.array([0.1, 0.2])
    for cov in ([[1.0, 2], [2, 1]], [[1.0, 1], [1, 1]], [[1.0, 1], [1, 1 + 1e-12]]):
        with pytest.raises(ValueError) as expected:
            f(x, np.array(cov))
        with pytest.raises(expected.type, match="symmetric positive"):
            ingot.jit(f)(x, np.array(cov))


def test_matrices_come_in_lapacks_order():
    def f(a, b):
        return (
            linalg.solve_triangular(a, b), linalg.solve_banded((1, 1), a, b),
            linalg.cho_solve((a, False), b), linalg.cholesky(a), linalg.cho_factor(a)[0],
        )  # fmt: skip

    a, b = np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]]), np.arange(6.0).reshape(3, 2)
    for found, expected in zip(ingot.jit(f)(a, b), f(a, b), strict=True):
        assert found.strides == expected.strides
        np.testing.assert_allclose(found, expected, atol=1e-15)


@pytest.mark.parametrize("a", [[[0.0, 1], [0, 0]], [[-1.0, 0], [0, 4]], [[1.0, 2], [3, 4]]])
def test_square_roots_that_are_not_found_are_refused(a):
    with pytest.raises(NotImplementedError, match="square root"):
        ingot.jit(lambda a: linalg.sqrtm(a))(np.array(a))


def test_convolutions_of_nothing():
    for mode in ("full", "valid"):
        for a, b in ((0, 1), (1, 0), (0, 0)):
            with pytest.raises(ValueError, match="cannot be empty"):
                ingot.jit(lambda a, b: signal.convolve(a, b, mode))(np.ones(a), np.ones(b))
    assert ingot.jit(lambda a, b: signal.convolve(a, b, "same"))(np.ones(0), np.ones(1)).size == 0
