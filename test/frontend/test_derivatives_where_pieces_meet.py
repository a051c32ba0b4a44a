"""Derivatives of smooth functions at the points where their formulas change."""

import numpy as np
import pytest

import ingot
from oracle import directions

PIECES = """
s.xlogy(x, 0.025) at 0 ;; s.xlogy(x, 3.0) at 0 ;; s.xlogy(2.0, x) at 1 ;; s.xlog1py(x, 0.5) at 0 ;; s.expit(x) at 0 ;; s.log_expit(x) at 0 ;; s.log_ndtr(x) at 1 ;; s.log_ndtr(x) at -10 ;; s.stdtr(3.0, x) at 0
stats.gamma.pdf(0.025, x) at 1 ;; stats.gamma.logpdf(2.0, x, scale=0.5) at 1 ;; stats.beta.logpdf(0.3, x, 2.0) at 1 ;; stats.beta.pdf(0.3, 2.0, x) at 1 ;; stats.chi2.logpdf(0.3, x) at 2 ;; stats.weibull_min.logpdf(0.3, x) at 1
stats.dirichlet.logpdf([0.3, 0.7], np.stack([x, 2.0])) at 1 ;; stats.t.cdf(x, 3.0) at 0 ;; stats.t.sf(x, 0.5) at 0 ;; stats.t.logcdf(x, 2.0) at 0 ;; stats.laplace.cdf(x) at 0 ;; stats.laplace.sf(x) at 0 ;; stats.laplace.logcdf(x) at 0
stats.logistic.cdf(x) at 0 ;; stats.logistic.sf(x) at 0 ;; stats.logistic.logpdf(x) at 0 ;; stats.cauchy.ppf(x) at 0.5 ;; stats.cauchy.isf(x) at 0.5 ;; stats.norm.logcdf(x) at 1 ;; stats.norm.logsf(x) at 10 ;; stats.norm.cdf(x) at 0
np.interp(x, [0.0, 1, 2, 4], [1.0, 3, 5, 9]) at 1 ;; np.interp(x, [0.0, 1, 2, 4], [1.0, 3, 5, 9]) at 2 ;; np.interp(1.0, [0.0, 1, 2], [0.0, x, 4]) at 3 ;; np.interp(2.0, [0.0, 1, 2], [0.0, 1, x]) at 3 ;; np.interp(x, [0.0, 1, 2], [0.0, 2, 4], period=4) at 1
np.frexp(x)[0] at 3 ;; np.frexp(x)[0] at -0.3 ;; np.sum(np.frexp(np.stack([x, 3 * x]))[0]) at 5 ;; x + np.spacing(x) at 1.5
"""


IMPORTS = "import numpy as np\nfrom scipy import special as s\nfrom scipy import stats\n\n\n"


def cases(text):
    return [case.strip() for line in text.strip().splitlines() for case in line.split(";;")]


@pytest.mark.parametrize("case", cases(PIECES))
def test_a_derivative_where_pieces_meet(case, compile_text):
    expression, at = case.rsplit(" at ", 1)
    x, h = float(at), 1e-5
    f = compile_text(IMPORTS + f"def f(x):\n    return {expression}\n")["f"]
    expected = (f(x + h) - f(x - h)) / (2 * h)
    for found in (ingot.grad(f)(x), ingot.jacfwd(f)(x), ingot.grad(lambda x: np.sum(f(x)))(x)):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-7)


SECOND = """
np.i0(x) at 0 ;; s.i0(x) at 0 ;; s.i0(x) at 8 ;; s.i1(x) at 0 ;; s.iv(2, x) at 0 ;; s.iv(3, x) at 0 ;; s.j0(x) at 0 ;; s.j0(x) at 8 ;; s.j1(x) at 0 ;; s.j1(x) at 8 ;; s.jv(2, x) at 0 ;; s.jv(2, x) at 1 ;; s.jv(-3, x) at 3 ;; s.y0(x) at 8 ;; s.k1(x) at 2 ;; s.spherical_jn(0, x) at 0 ;; s.spherical_jn(1, x) at 0 ;; s.spherical_jn(2, x) at 0
s.expit(x) at 0 ;; s.log_expit(x) at 0 ;; stats.logistic.logpdf(x) at 0 ;; stats.norm.logcdf(x) at 1 ;; stats.norm.logcdf(x) at -10 ;; stats.t.cdf(x, 3.0) at 0 ;; s.xlogy(x, 2.0) at 0 ;; stats.gamma.logpdf(2.0, x) at 1
"""


@pytest.mark.parametrize("case", cases(SECOND))
def test_a_second_derivative_where_pieces_meet(case, compile_text):
    expression, at = case.rsplit(" at ", 1)
    x, h = float(at), 1e-3
    f = compile_text(IMPORTS + f"def f(x):\n    return {expression}\n")["f"]
    expected = (f(x + h) - 2 * f(x) + f(x - h)) / h**2
    for found in (ingot.grad(ingot.grad(f))(x), ingot.jacfwd(ingot.grad(f))(x)):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


def test_values_where_a_logarithm_is_multiplied_by_zero(compile_text):
    text = "from scipy.special import xlog1py, xlogy\n\n\ndef f(x, y):\n    return xlogy(x, y), xlog1py(x, y)\n"
    f = compile_text(text)["f"]
    x, y = np.meshgrid(
        [0.0, -0.0, 1.0, np.nan], [0.0, 0.5, 2.0, -1.0, -3.0, np.inf, -np.inf, np.nan]
    )
    with np.errstate(all="ignore"):
        expected = f(x, y)
    for found in (ingot.jit(f)(x, y), ingot.jit(f, strict_fp=True)(x, y)):
        for made, wanted in zip(found, expected):
            np.testing.assert_allclose(made, wanted, rtol=1e-14)
            zero = wanted == 0
            np.testing.assert_array_equal(np.signbit(made[zero]), np.signbit(wanted[zero]))


def pinv(a):
    p = np.linalg.pinv(a)
    return (p * np.arange(1.0, p.size + 1).reshape(p.shape)).sum()


def lstsq(a):
    x = np.linalg.lstsq(a, np.arange(1.0, len(a) + 1), rcond=None)[0]
    return (x * np.arange(2.0, len(x) + 2)).sum()


TALL = np.array([[1.0, 0.5], [-0.3, 2.0], [0.7, 0.1]])
MATRICES = [
    np.eye(2), 2 * np.eye(3), np.array([[0.0, 1.0], [1.0, 0.0]]), TALL, TALL.T.copy(), np.linalg.qr(TALL)[0],
    np.linalg.qr(TALL)[0].T.copy(),
]  # fmt: skip


@pytest.mark.parametrize("f", [pinv, lstsq])
@pytest.mark.parametrize("a", MATRICES)
def test_equal_singular_values(f, a):
    """Pseudo-inverses are smooth where singular vectors are not."""
    (t,), h = directions([a]), 1e-6
    expected = (f(a + h * t) - f(a - h * t)) / (2 * h)
    np.testing.assert_allclose(np.sum(ingot.grad(f)(a) * t), expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(ingot.jvp(f, (a,), (t,))[1], expected, rtol=1e-6, atol=1e-7)


def test_complex_pseudo_inverses():
    def f(a):
        return np.sum(np.abs(np.linalg.pinv(a)) ** 2)

    a, t, h = TALL + 1j * TALL[::-1], TALL * 1j + 0.5, 1e-6
    expected = (f(a + h * t) - f(a - h * t)) / (2 * h)
    np.testing.assert_allclose(ingot.jvp(f, (a,), (t,))[1], expected, rtol=1e-6)


#: Functions whose slope is infinite where the extremum holds them: what is cut off there has none.
CUT_OFF = """
np.arccos(np.clip(x, -1, 1)) at 1.5 ;; np.arcsin(np.clip(x, -1, 1)) at -2 ;; np.arccosh(np.maximum(x, 1)) at 0.3 ;; np.arctanh(np.minimum(1, x)) at 2
np.log(np.maximum(0, x)) + x at -1 ;; 1 / np.fmax(x, 0) + x at -2 ;; 1 / np.fmin(0, x) + x at 3 ;; np.arccos(np.minimum(np.maximum(x, -1.0), 1.0)) at 4 ;; np.where(np.abs(x) < 1, np.arccos(x), 0) at 1
"""


@pytest.mark.parametrize("case", cases(CUT_OFF))
def test_the_derivative_of_what_an_extremum_cuts_off(case, compile_text):
    expression, at = case.rsplit(" at ", 1)
    f = compile_text(IMPORTS + f"def f(x):\n    return {expression}\n")["f"]
    expected = 1.0 if expression.endswith("+ x") else 0.0
    x = float(at)
    for found in (ingot.grad(f)(x), ingot.jacfwd(f)(x), ingot.grad(ingot.grad(f))(x) + expected):
        assert found == expected
    several = np.array([x, x])
    np.testing.assert_array_equal(ingot.grad(lambda x: np.sum(f(x)))(several), [expected] * 2)
