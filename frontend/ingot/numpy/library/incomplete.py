"""The incomplete gamma and beta functions of scipy.special, and distributions based on them."""

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import special
from ingot.numpy.library.edges import edge

#: Terms of series and continued fractions: enough for shape parameters up to some thousands.
_TERMS = 500
_NOT_CONVERGED = "this function is not supported for shape parameters so large"


def _elementwise(function, *values):
    """A function of float64 arrays of one axis, applied to broadcast values of any float dtype."""
    values = [special._floats(each) for each in values]
    dtype = np.result_type(*values)
    shape = np.broadcast_shapes(*[each.shape for each in values])
    lines = [np.broadcast_to(each, shape).astype(np.float64).reshape(-1) for each in values]
    return function(*lines).reshape(shape).astype(dtype)[()]


def _gamma_parts(a, x):
    """The mask where the series for the lower part applies, the lower part (valid where it does),
    and the upper part (valid elsewhere)."""
    is_plain = (a > 0) & (x > 0) & (a < np.inf) & (x < np.inf)
    # The replacements keep unused results finite.
    a, x = np.where(is_plain, a, 1.0), np.where(is_plain, x, 1.0)
    is_low, low, high = _gamma_factors(a, x)
    front = np.exp(a * np.log(x) - x - special.gammaln(a))
    return is_low, front * low, front * high


def _gamma_factors(a, x):
    """The mask where the series for the lower part applies, and the lower and the upper part
    divided by x**a exp(-x) / gamma(a)."""
    is_low = x < a + 1
    low = _series(np.where(is_low, a, 1.0), np.where(is_low, x, 0.5))
    return is_low, low, _fraction(np.where(is_low, 1.0, a), np.where(is_low, 3.0, x))


def _series(a, x):
    """The sum over n of x**n / (a (a + 1) ... (a + n)) (DLMF 8.11.4)."""
    term = total = 1.0 / a
    for n in range(1, _TERMS):
        term = term * (x / (a + n))
        total = total + term
    _require_converged(term, total)
    return total


def _require_converged(change, total):
    is_small = np.all(np.abs(change) <= 1e-13 * np.abs(total))
    prim.require(is_small, "NotImplementedError", _NOT_CONVERGED)


def _fraction(a, x):
    """The continued fraction of the upper incomplete gamma function (the even part of that in DLMF
    8.9.2), by Lentz's method."""
    b = x + 1.0 - a
    c = np.full(b.shape, 1e300, np.float64)
    d = 1.0 / b
    h = d
    step = np.full(b.shape, 2.0, np.float64)
    for i in range(1, _TERMS):
        an = -i * (i - a)
        b = b + 2.0
        d = 1.0 / _away(an * d + b)
        c = _away(b + an / c)
        step = d * c
        h = h * step
    _require_converged(step - 1.0, step)
    return h


def _away(x):
    """A denominator with tiny values replaced, as Lentz's method requires."""
    return np.where(np.abs(x) < 1e-300, 1e-300, x)


def _first_terms(a, x, front, slope):
    """front * x**a * (1 + slope * x) where x is 0: what the functions begin with, which has their first
    and second derivatives there."""
    x = np.where(x == 0, x, 0.0)
    is_known = np.isfinite(front) & np.isfinite(slope) & (a >= 1)
    a, front, slope = (np.where(is_known, each, 1.0) for each in (a, front, slope))
    return np.where(is_known, x**a * front * (1.0 + slope * x), edge(0.0, x))


def _edges_of_gamma(found, a, x, at_zero):
    start = _first_terms(a, x, np.exp(-special.gammaln(a + 1.0)), -a / (a + 1.0))
    found = np.where(x == 0, at_zero + (1.0 - 2.0 * at_zero) * start, found)
    found = np.where(x == np.inf, 1.0 - at_zero, found)
    found = np.where(a == 0, edge(1.0 - at_zero, a), found)
    found = np.where((a == np.inf) & (x < np.inf), at_zero, found)
    is_wrong = (a < 0) | (x < 0) | np.isnan(a) | np.isnan(x) | ((a == 0) & (x == 0))
    return np.where(is_wrong | ((a == np.inf) & (x == np.inf)), np.nan, found)


def _lower(a, x):
    is_low, low, high = _gamma_parts(a, x)
    return _edges_of_gamma(np.where(is_low, low, 1.0 - high), a, x, 0.0)


def _upper(a, x):
    is_low, low, high = _gamma_parts(a, x)
    return _edges_of_gamma(np.where(is_low, 1.0 - low, high), a, x, 1.0)


def gammainc(a, x):
    return _elementwise(_lower, a, x)


def gammaincc(a, x):
    return _elementwise(_upper, a, x)


def betainc(a, b, x):
    return _elementwise(_lower_beta, a, b, x)


def betaincc(a, b, x):
    return _elementwise(_upper_beta, a, b, x)


def _lower_beta(a, b, x):
    return _betainc(a, b, x, 1 - x)


def _upper_beta(a, b, x):
    return _betainc(b, a, 1 - x, x)


def _betainc(a, b, x, rest):
    """The regularized incomplete beta function at x; `rest` is 1 - x, which may be tiny."""
    is_shaped = (a > 0) & (b > 0) & (a < np.inf) & (b < np.inf)
    is_plain = is_shaped & (x > 0) & (rest > 0)
    a1, b1, x1 = (
        np.where(is_shaped, a, 1.0),
        np.where(is_shaped, b, 1.0),
        np.where(is_plain, x, 0.5),
    )
    rest1 = np.where(is_plain, rest, 0.5)
    log_x = np.where(rest1 < 0.5, np.log1p(-rest1), np.log(x1))
    log_rest = np.where(x1 < 0.5, np.log1p(-x1), np.log(rest1))
    is_low, factor = _beta_factor(a1, b1, x1, rest1)
    part = np.exp(a1 * log_x + b1 * log_rest - special.betaln(a1, b1)) * factor
    found = np.where(is_low, part, 1.0 - part)
    found = np.where(
        (b == np.inf) & (x > 0), 1.0, np.where((a == 0) & (x > 0), edge(1.0, a), found)
    )
    is_none = (b == 0) & (rest > 0)
    found = np.where((a == np.inf) & (rest > 0), 0.0, np.where(is_none, edge(0.0, b), found))
    front = np.exp(-special.betaln(a1, b1))
    low = _first_terms(a1, x, front / a1, a1 * (1.0 - b1) / (a1 + 1.0))
    high = _first_terms(b1, rest, front / b1, b1 * (1.0 - a1) / (b1 + 1.0))
    found = np.where(x <= 0, low, np.where(rest <= 0, 1.0 - high, found))
    is_wrong = (a < 0) | (b < 0) | (x < 0) | (rest < 0) | np.isnan(a) | np.isnan(b) | np.isnan(x)
    is_open = ((a == 0) & (b == 0)) | ((a == np.inf) & (b == np.inf))
    return np.where(is_wrong | is_open, np.nan, found)


def _beta_factor(a, b, x, rest):
    """The mask where the fraction converges for the lower part, and the lower part there (the upper
    part elsewhere), divided by x**a rest**b / beta(a, b)."""
    is_low = x < (a + 1) / (a + b + 2)
    p, q = np.where(is_low, a, b), np.where(is_low, b, a)
    return is_low, _beta_fraction(p, q, np.where(is_low, x, rest)) / p


def _beta_fraction(a, b, x):
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    c = np.full(x.shape, 1.0, np.float64)
    d = 1.0 / _away(1.0 - (a + b) * x / (a + 1.0))
    h = d
    step = np.full(x.shape, 2.0, np.float64)
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / _away(1.0 + even * d)
        c = _away(1.0 + even / c)
        h = h * d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1.0 / _away(1.0 + odd * d)
        c = _away(1.0 + odd / c)
        step = d * c
        h = h * step
    _require_converged(step - 1.0, step)
    return h


def _stdtr(df, t):
    is_plain = (df > 0) & (df < np.inf)
    n = np.where(is_plain, df, 1.0)
    whole = n + t * t
    # The square of a large t overflows: its tail is that of x = 0.
    is_far = whole == np.inf
    whole = np.where(is_far, 1.0, whole)
    x, rest = np.where(is_far, 0.0, n / whole), np.where(is_far, 1.0, t * t / whole)
    tail = 0.5 * _betainc(n / 2, np.full(n.shape, 0.5), x, rest)
    found = np.where(t < 0, tail, 1.0 - tail)
    # The tail has no derivative at 0, where the series of the function begins.
    peak = np.exp(special.gammaln((n + 1) / 2) - special.gammaln(n / 2)) / np.sqrt(np.pi * n)
    square = t * t / n
    series = t * (1.0 - (n + 1) * square / 6 * (1.0 - 3 * (n + 3) * square / 20))
    found = np.where(t == 0, 0.5 + peak * np.where(t == 0, series, 0.0), found)
    found = np.where(df == np.inf, special.ndtr(t), found)
    return np.where((df > 0) & ~np.isnan(t), found, np.nan)


def stdtr(df, t):
    """The cumulative distribution function of Student's t distribution."""
    return _elementwise(_stdtr, df, t)


def chdtr(v, x):
    return gammainc(np.divide(v, 2), np.divide(x, 2))


def chdtrc(v, x):
    return gammaincc(np.divide(v, 2), np.divide(x, 2))


def pdtr(k, m):
    return _counted(gammaincc(np.floor(k) + 1, m), k, m)


def pdtrc(k, m):
    return _counted(gammainc(np.floor(k) + 1, m), k, m)


def _counted(found, k, m):
    return np.where((np.asarray(k) < 0) | (np.asarray(m) < 0), np.nan, found)[()]


def bdtr(k, n, p):
    k, n = np.floor(k), special._floats(n)
    is_inside = (k >= 0) & (k < n)
    found = betaincc(np.where(is_inside, k + 1, 1.0), np.where(is_inside, n - k, 1.0), p)
    found = np.where((k == n) & ~np.isnan(found), 1.0, found)
    return np.where((k < 0) | (k > n), np.nan, found)[()]


def bdtrc(k, n, p):
    k, n = np.floor(k), special._floats(n)
    is_inside = (k >= 0) & (k < n)
    found = betainc(np.where(is_inside, k + 1, 1.0), np.where(is_inside, n - k, 1.0), p)
    is_known = ((k < 0) | (k == n)) & ~np.isnan(found)
    found = np.where(is_known, np.where(k < 0, 1.0, 0.0), found)
    return np.where(k > n, np.nan, found)[()]
