"""The functions of SciPy that compile, against SciPy."""

import numpy as np
import pytest
from scipy import special, stats

import ingot
from expressions import ARGUMENTS, functions_of, split
from ingot.numpy import scipy_stats, scipy_table
from level import sample

CASES = """
scipy.stats.scoreatpercentile(M, 30) ;; scipy.stats.scoreatpercentile(M, [10, 50], axis=0) ;; scipy.stats.scoreatpercentile(N, 33, interpolation_method='lower', axis=1) ;; scipy.stats.scoreatpercentile(V, 33, (), 'higher') ;; scipy.stats.scoreatpercentile(V, np.abs(V[0]) * 9) ;; scipy.stats.scoreatpercentile(V[:0], 50) ;; scipy.ndimage.generate_binary_structure(2, 1) ;; [scipy.ndimage.generate_binary_structure(3, k) for k in range(4)] ;; scipy.ndimage.generate_binary_structure(0, 1)
scipy.special.gammainc(V**2, M**2) ;; scipy.special.gammaincc(V**2, M**2) ;; scipy.special.gammainc(50.0, M*30) ;; scipy.special.gammaincc(1000.0, np.array([900.0, 1000, 1100])) ;; scipy.special.betainc(V**2, 2.0, M % 1) ;; scipy.special.betainc(50.0, 80.0, np.abs(M)/3) ;; scipy.special.gammainc(M, 1.0) ;; scipy.special.gammaincc(0.0, M) ;; scipy.special.polygamma(N[0] % 3, V ** 2) ;; scipy.special.polygamma(2, M ** 2) ;; scipy.special.multigammaln(V ** 2 + 2, 3) ;; scipy.special.erfcinv(np.abs(M) / 2) ;; scipy.special.erfcinv(np.array([1e-30, 1e-5, 0.5, 1.0, 1.5, 1.99, 0, 2, 3])) ;; scipy.special.log_ndtr(M * 20) ;; scipy.special.log_ndtr(np.array([-9.9,-10.1, 0.99, 1.01, -1e5])) ;; scipy.special.logsumexp(M, b=np.abs(M)) ;; scipy.special.logsumexp(M, axis=1, b=V, return_sign=True) ;; scipy.special.logsumexp(M, axis=0, b=N, return_sign=True, keepdims=True) ;; scipy.special.logsumexp(M, return_sign=True) ;; scipy.special.stdtr(V**2, V) ;; scipy.special.bdtr(2, 5, 0.3) ;; scipy.special.pdtr(N[0] % 3, 2.5) ;; scipy.special.betaincinv(V**2, 2.0, M % 1) ;; scipy.special.gammaincinv(3, B) ;; scipy.special.stdtrit(N[0] + 3, 0.3) ;; scipy.special.logsumexp(M, b=N)
scipy.special.j0(M * 5) ;; scipy.special.j1(V) ;; scipy.special.y0(M) ;; scipy.special.y1(V * 5) ;; scipy.special.jv(3, M) ;; scipy.special.jn(-2, M) ;; scipy.special.yn(2, V ** 2) ;; scipy.special.yv(-3, V ** 2) ;; scipy.special.i0(M) ;; scipy.special.i0e(M) ;; scipy.special.i1(M) ;; scipy.special.i1e(V * 5) ;; scipy.special.iv(3, M) ;; scipy.special.ive(2, M * 9) ;; scipy.special.k0(V) ;; scipy.special.k0e(V * 2) ;; scipy.special.k1(M) ;; scipy.special.k1e(M) ;; scipy.special.kn(3, M) ;; scipy.special.kv(2, V) ;; scipy.special.kve(2, M) ;; scipy.special.spherical_jn(3, M) ;; scipy.special.spherical_jn(1, M, derivative=True) ;; scipy.special.spherical_jn(0, V[0]) ;; scipy.special.j0(N) ;; scipy.special.jv(2, M.T) ;; scipy.special.k1(V.astype(np.float32)) ;; scipy.special.iv(2.0, 1.5)
scipy.stats.norm.pdf(M) ;; scipy.stats.norm.logpdf(M, 1.0, 2.0) ;; scipy.stats.norm.cdf(M, loc=V) ;; scipy.stats.norm.sf(M * 5) ;; scipy.stats.norm.logcdf(M * 10) ;; scipy.stats.norm.logsf(M * 10, scale=2) ;; scipy.stats.norm.logpdf(M, scale=-1.0) ;; scipy.stats.norm.pdf(V[0])
scipy.stats.t.pdf(M, 3.0) ;; scipy.stats.t.logpdf(M, V ** 2, loc=1) ;; scipy.stats.t.cdf(M, 4.5) ;; scipy.stats.t.sf(M, 2, scale=3.0) ;; scipy.stats.t.logcdf(M, 3.0) ;; scipy.stats.t.logsf(M * 10, 3.0)
scipy.stats.gamma.pdf(M, 2.5) ;; scipy.stats.gamma.logpdf(M ** 2, 2.5, scale=2.0) ;; scipy.stats.gamma.cdf(M, 1.5) ;; scipy.stats.gamma.sf(M ** 2, V ** 2) ;; scipy.stats.gamma.logcdf(M ** 2, 2.0) ;; scipy.stats.gamma.logsf(M ** 2, 2.0)
scipy.stats.beta.pdf(M / 5 + 0.5, 2.0, 3.0) ;; scipy.stats.beta.logpdf(M / 5 + 0.5, 2.0, V ** 2) ;; scipy.stats.beta.cdf(M / 5 + 0.5, 2.0, 3.0) ;; scipy.stats.beta.sf(M / 5 + 0.5, 2.0, 3.0) ;; scipy.stats.beta.logcdf(M, 2.0, 3.0) ;; scipy.stats.beta.logsf(M, 2.0, 3.0) ;; scipy.stats.beta.pdf(M, 1.0, 1.0)
scipy.stats.chi2.pdf(M ** 2, 3) ;; scipy.stats.chi2.logpdf(M, V ** 2) ;; scipy.stats.chi2.cdf(M ** 2, 3) ;; scipy.stats.chi2.sf(M ** 2, 3) ;; scipy.stats.chi2.logcdf(M ** 2, 3) ;; scipy.stats.chi2.logsf(M ** 2, 3)
scipy.stats.poisson.pmf(N, 2.5) ;; scipy.stats.poisson.logpmf(N, V ** 2) ;; scipy.stats.poisson.cdf(M, 2.5) ;; scipy.stats.poisson.sf(N, 2.5) ;; scipy.stats.poisson.logcdf(N, 2.5) ;; scipy.stats.poisson.logsf(N, 2.5) ;; scipy.stats.poisson.pmf(M, 2.5, loc=0.5)
scipy.stats.dirichlet.logpdf([0.2, 0.3, 0.5], np.abs(M[:, 0])) ;; scipy.stats.dirichlet.logpdf([0.2, 0.3], np.abs(M[:, 0])) ;; scipy.stats.dirichlet.pdf(np.abs(M) / np.abs(M).sum(0), [1.0, 2, 3])
scipy.stats.multivariate_normal.pdf(M[:, :3], M[0, :3], M @ M.T + np.eye(3)) ;; scipy.stats.multivariate_normal.logpdf(V[:3], np.zeros(3), M @ M.T + np.eye(3)) ;; scipy.stats.multivariate_normal.logpdf(V, 1.0, 2.0) ;; scipy.stats.multivariate_normal.logpdf(V, V * 2, 3.0) ;; scipy.stats.multivariate_normal.logpdf(A, V) ;; scipy.stats.multivariate_normal.logpdf(V[0], 1.0, 2.0) ;; scipy.stats.multivariate_normal.logpdf(V, V, V ** 2)
scipy.stats.expon.pdf(M) ;; scipy.stats.expon.logcdf(M) ;; scipy.stats.expon.logsf(M, scale=2.0) ;; scipy.stats.uniform.pdf(M) ;; scipy.stats.uniform.cdf(M, -1, 2) ;; scipy.stats.laplace.logpdf(M) ;; scipy.stats.laplace.cdf(M) ;; scipy.stats.laplace.logsf(M) ;; scipy.stats.cauchy.logpdf(M) ;; scipy.stats.cauchy.cdf(M) ;; scipy.stats.logistic.logpdf(M) ;; scipy.stats.logistic.logcdf(M) ;; scipy.stats.lognorm.logpdf(M, 0.5) ;; scipy.stats.lognorm.cdf(M, 0.5) ;; scipy.stats.pareto.logpdf(M + 2, 2.0) ;; scipy.stats.pareto.sf(M + 2, 2.0) ;; scipy.stats.weibull_min.pdf(M, 1.5) ;; scipy.stats.gumbel_r.logpdf(M) ;; scipy.stats.bernoulli.pmf(N, 0.3) ;; scipy.stats.bernoulli.cdf(M, 0.3) ;; scipy.stats.bernoulli.logpmf(N, 0.3) ;; scipy.stats.binom.pmf(N, 4, 0.3) ;; scipy.stats.binom.cdf(M, 4, 0.3) ;; scipy.stats.binom.logpmf(N, 4, 0.3) ;; scipy.stats.binom.sf(N, 4, 0.3) ;; scipy.stats.geom.pmf(N, 0.3) ;; scipy.stats.geom.cdf(N, 0.3) ;; scipy.stats.nbinom.logpmf(N, 3, 0.4) ;; scipy.stats.nbinom.cdf(N, 3, 0.4)
scipy.linalg.norm(V) ;; scipy.linalg.norm(V, 1) ;; scipy.linalg.norm(M) ;; scipy.linalg.norm(M, 1) ;; scipy.linalg.norm(M.T, np.inf) ;; scipy.linalg.norm(M[:, ::2], 1) ;; scipy.linalg.norm(N, 2) ;; scipy.linalg.norm(V * 1j) ;; scipy.linalg.norm(M, axis=0) ;; scipy.linalg.norm(V, keepdims=True) ;; scipy.linalg.norm(N[0])
scipy.linalg.solve(M[:, :3] + np.eye(3) * 5, V[:3]) ;; scipy.linalg.solve(M[:, :3] + np.eye(3) * 5, M) ;; scipy.linalg.solve(M[:, :3] + np.eye(3) * 5, V[:3], transposed=True) ;; scipy.linalg.solve(C[:, :3] + np.eye(3) * 5, V[:3]) ;; scipy.linalg.solve(N[:, :3] + np.eye(3, dtype=int) * 50, N)
scipy.linalg.eigh(M @ M.T)[0] ;; np.abs(scipy.linalg.eigh(M @ M.T)[1]) ;; scipy.linalg.eigvalsh(M[:, :3]) ;; scipy.linalg.eigh(M[:, :3], lower=False, eigvals_only=True) ;; scipy.linalg.eigh(M @ M.T, N @ N.T + np.eye(3))[0] ;; np.abs(scipy.linalg.eigh(C[:, :3], M @ M.T + np.eye(3))[1]) ;; scipy.linalg.eigvalsh(M[:, :3], C @ np.conj(C.T) + np.eye(3), lower=False)
np.sort(scipy.linalg.eigvals(M @ M.T).real) ;; np.sort(scipy.linalg.eig(M @ M.T)[0].real) ;; np.sort(scipy.linalg.eig(M @ M.T, right=False).real) ;; scipy.linalg.svdvals(M) ;; scipy.linalg.svd(M)[1] ;; np.abs(scipy.linalg.svd(M)[0]) ;; np.abs(scipy.linalg.svd(M, full_matrices=False)[2]) ;; scipy.linalg.svd(M, compute_uv=False)
scipy.special.comb(N, 2) ;; scipy.special.comb(9, N) ;; scipy.special.comb(N, 3, repetition=True) ;; scipy.special.comb(50 + N, 25) ;; scipy.special.comb(5, 2) ;; scipy.special.comb(5, 2, exact=True) ;; [scipy.special.comb(8, i) for i in range(12)] ;; scipy.special.factorial(N) ;; scipy.special.factorial(N * 30) ;; scipy.special.factorial(V) ;; scipy.special.factorial(5) ;; scipy.special.factorial(5, exact=True) ;; scipy.special.factorial(np.array(3))
scipy.linalg.solve_triangular(np.tril(M[:, :3]) + np.eye(3) * 5, V[:3], lower=True) ;; scipy.linalg.solve_triangular(np.triu(M[:, :3]) + np.eye(3) * 5, M) ;; scipy.linalg.solve_triangular(np.triu(M[:, :3]) + np.eye(3) * 5, M, trans='T') ;; scipy.linalg.solve_triangular(np.tril(C[:, :3]) + np.eye(3) * 5, M, trans=2, lower=True) ;; scipy.linalg.solve_triangular(M[:, :3], V[:3], unit_diagonal=True, lower=True)
scipy.linalg.solve_banded((1, 1), M + [[0], [9], [0]], V) ;; scipy.linalg.solve_banded((1, 1), M + [[0], [9], [0]], np.outer(V, V)) ;; scipy.linalg.solve_banded((0, 2), M + [[0], [0], [9]], V)
scipy.linalg.cholesky(M @ M.T + np.eye(3)) ;; scipy.linalg.cholesky(M @ M.T + np.eye(3), lower=True) ;; scipy.linalg.cho_factor(M @ M.T + np.eye(3)) ;; scipy.linalg.cho_factor(M @ M.T + np.eye(3), lower=True)[0] ;; scipy.linalg.cho_solve(scipy.linalg.cho_factor(M @ M.T + np.eye(3)), V[:3]) ;; scipy.linalg.cho_solve(scipy.linalg.cho_factor(M @ M.T + np.eye(3), lower=True), M) ;; scipy.linalg.cho_solve(scipy.linalg.cho_factor(C @ C.conj().T + np.eye(3)), M)
scipy.linalg.expm(M[:, :3]) ;; scipy.linalg.expm(M[:, :3] * 10) ;; scipy.linalg.expm(A[:, :, :3] / 5) ;; scipy.linalg.expm(C[:, :3]) ;; scipy.linalg.expm(M[:, :3] * 0) ;; scipy.linalg.expm(N[:, :3]) ;; scipy.linalg.expm(M[:, :3].astype(np.float32))
scipy.linalg.sqrtm(M @ M.T + np.eye(3)) ;; scipy.linalg.sqrtm(M[:, :3] / 9 + np.eye(3) * 4) ;; scipy.linalg.sqrtm(C[:, :3] / 9 + np.eye(3) * 4) ;; scipy.linalg.block_diag(M, V, 3.0) ;; scipy.linalg.toeplitz(V) ;; scipy.linalg.toeplitz(V, [0, 7.0, 8]) ;; scipy.linalg.inv(M[:, :3] + np.eye(3) * 5) ;; scipy.linalg.det(M[:, :3] + np.eye(3))
scipy.signal.hilbert(V) ;; scipy.signal.hilbert(M, axis=0) ;; scipy.signal.hilbert(M.T, 5) ;; scipy.signal.hilbert(N, N=2, axis=0) ;; scipy.signal.hilbert(M.astype("f4")) ;; scipy.signal.convolve(V, [1, 2, 3.0]) ;; scipy.signal.convolve(V, [1, 2, 3.0], 'same') ;; scipy.signal.convolve([1.0, 2], V, 'same') ;; scipy.signal.convolve([1.0, 2], V, 'valid') ;; scipy.signal.convolve(M, N[:2, :2]) ;; scipy.signal.convolve(M, M[:2, :3], mode='same') ;; scipy.signal.convolve(M, M[:2, :2], mode='valid') ;; scipy.signal.convolve(A, A[:, :2, :2]) ;; scipy.signal.correlate(V, [1, 2.0], 'same') ;; scipy.signal.correlate(M, M[:2, :2], mode='valid') ;; scipy.signal.correlate(C, C[:2]) ;; scipy.signal.correlate([1.0, 2], V, 'valid') ;; scipy.signal.correlate([1.0, 2, 5], V, 'same') ;; scipy.signal.fftconvolve(M, M[:2]) ;; scipy.signal.fftconvolve(N, N[:2], 'same') ;; scipy.signal.convolve(N, N[:2])
"""


@pytest.mark.parametrize("case", sample(split(CASES), 9))
def test_function(check, tmp_path, case):
    (function,) = functions_of([case], tmp_path)
    check(function, *ARGUMENTS, rtol=1e-10)


RAISING = """
scipy.stats.scoreatpercentile(V, V[0] * 1000)
scipy.linalg.solve_triangular(M[:, :3] * 0, V[:3]) ;; scipy.linalg.cho_factor(-(M @ M.T)) ;; scipy.linalg.inv(M[:, :3] * 0)
scipy.linalg.expm(M) ;; scipy.signal.convolve(M, V) ;; scipy.special.multigammaln(V, 3) ;; scipy.stats.dirichlet.pdf(V, V)
scipy.linalg.inv(M[:, :3] * np.inf) ;; scipy.signal.convolve(M, M[:1, :1] if False else M.T, 'valid')
"""


@pytest.mark.parametrize("case", split(RAISING))
def test_what_scipy_raises_is_raised(tmp_path, case):
    (function,) = functions_of([case], tmp_path)
    with pytest.raises((ValueError, ArithmeticError)):
        function(*ARGUMENTS)
    with pytest.raises((ValueError, ArithmeticError)):
        ingot.jit(function)(*ARGUMENTS)


def test_every_name_is_scipys():
    """A name that SciPy lacks would never be found."""
    functions = scipy_table.functions()["scipy.special"]
    unknown = {name for name in functions if not hasattr(special, name)}
    assert unknown == set()
    for name, method in scipy_stats.handlers():
        assert hasattr(getattr(stats, name), method)


UFUNCS = sorted(
    name
    for name in scipy_table.functions()["scipy.special"]
    if isinstance(getattr(special, name), np.ufunc)
)


@pytest.mark.filterwarnings("ignore:non-integer arg:DeprecationWarning")
@pytest.mark.parametrize("name", sample(UFUNCS, 11))
def test_dtypes_and_order_in_memory_are_scipys(name):
    ufunc = getattr(special, name)
    # Orders and counts come first.
    front = (2, 2, 2)[: ufunc.nin - 1]

    def function(x):
        return ufunc(*front, x)

    for dtype in ("?", "i1", "u2", "i4", "e", "f", "d"):
        x = np.array([[1, 0], [0, 1]], dtype).T
        found, expected = ingot.jit(function)(x), function(x)
        assert (found.dtype, found.strides) == (expected.dtype, expected.strides)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_options_of_ufuncs_are_refused():
    with pytest.raises(ingot.CompileError, match="dtype"):
        ingot.jit(lambda x: special.erf(x, dtype=np.float32))(np.ones(3))


def test_a_square_root_that_is_complex_is_not_guessed(tmp_path):
    (function,) = functions_of(["scipy.linalg.sqrtm(-np.eye(2))"], tmp_path)
    with pytest.raises(Exception, match="square root|ingular"):
        ingot.jit(function)(*ARGUMENTS)


def test_series_that_do_not_end_in_time_are_refused(tmp_path):
    (function,) = functions_of(["scipy.special.gammainc(1e6, 1e6)"], tmp_path)
    with pytest.raises(NotImplementedError, match="so large"):
        ingot.jit(function)(*ARGUMENTS)


def test_arguments_are_bound_as_scipy_does():
    with pytest.raises(ingot.CompileError, match="missing df"):
        ingot.jit(lambda x: stats.t.pdf(x))(1.0)
    with pytest.raises(ingot.CompileError, match="takes x"):
        ingot.jit(lambda x: stats.norm.pdf(x, 0.0, 1.0, 2.0))(1.0)


@pytest.mark.parametrize(
    "name", ["erf", "erfc", "ndtr", "log_ndtr", "gamma", "loggamma", "digamma"]
)
def test_complex_numbers_are_refused_by_name(name):
    function = getattr(special, name)
    with pytest.raises(ingot.CompileError, match=f"scipy.special.{name} of complex numbers"):
        ingot.jit(lambda z: function(z))(np.array([1 + 1j, 2]))
