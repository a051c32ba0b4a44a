"""The distributions of scipy.stats, as functions of the standard variable and the shape parameters.

`NAME_PART` is a part of a distribution:

- logpdf, cdf and sf, and logcdf and logsf unless these are the logarithms of cdf and sf;
- ppf and isf: the quantiles of the lower and the upper tail;
- moments: the mean and the variance;
- support: the least and the greatest value, and one between, unless it is all numbers;
- valid: which shape parameters are valid, unless all positive ones are.
"""

import numpy as np

from ingot.numpy.library import incomplete, quantiles, special

_LOG_2PI = 1.8378770664093453


def _everywhere(*shapes):
    return (-np.inf, np.inf, 0.0)


def _from_zero(*shapes):
    return (0.0, np.inf, 1.0)


def _to_one(*shapes):
    return (0.0, 1.0, 0.5)


def _all_positive(*shapes):
    found = True
    for each in special.prim.static_items(shapes):
        found = (each > 0) & found
    return found


def norm_logpdf(x):
    return -0.5 * (x * x + _LOG_2PI)


def norm_cdf(x):
    return special.ndtr(x)


def norm_sf(x):
    return special.ndtr(-x)


def norm_logcdf(x):
    return special.log_ndtr(x)


def norm_logsf(x):
    return special.log_ndtr(-x)


def t_logpdf(x, df):
    is_normal = df == np.inf
    n = np.where(is_normal, 1.0, df)
    found = special.gammaln((n + 1) / 2) - special.gammaln(n / 2) - 0.5 * np.log(n * np.pi)
    found = found - (n + 1) / 2 * np.log1p(x * x / n)
    return np.where(is_normal, norm_logpdf(x), found)


def t_cdf(x, df):
    return incomplete.stdtr(df, x)


def t_sf(x, df):
    return incomplete.stdtr(df, -x)


def gamma_logpdf(x, a):
    return special.xlogy(a - 1, x) - x - special.gammaln(a)


def gamma_cdf(x, a):
    return incomplete.gammainc(a, x)


def gamma_sf(x, a):
    return incomplete.gammaincc(a, x)


def chi2_logpdf(x, df):
    return special.xlogy(df / 2 - 1, x) - x / 2 - special.gammaln(df / 2) - np.log(2) * df / 2


def chi2_cdf(x, df):
    return incomplete.gammainc(df / 2, x / 2)


def chi2_sf(x, df):
    return incomplete.gammaincc(df / 2, x / 2)


def beta_logpdf(x, a, b):
    return special.xlog1py(b - 1, -x) + special.xlogy(a - 1, x) - special.betaln(a, b)


def beta_cdf(x, a, b):
    return incomplete.betainc(a, b, x)


def beta_sf(x, a, b):
    return incomplete.betaincc(a, b, x)


def expon_logpdf(x):
    return -x


def expon_cdf(x):
    return -np.expm1(-x)


def expon_sf(x):
    return np.exp(-x)


def expon_logsf(x):
    return -x


def uniform_logpdf(x):
    return 0.0 * np.abs(x)


def uniform_cdf(x):
    return x


def uniform_sf(x):
    return 1 - x


def laplace_logpdf(x):
    return -np.log(2) - np.abs(x)


def laplace_cdf(x):
    # The absolute value would have no derivative at 0.
    tail = 0.5 * np.exp(np.where(x > 0, -x, x))
    return np.where(x > 0, 1 - tail, tail)


def laplace_sf(x):
    return laplace_cdf(-x)


def laplace_logcdf(x):
    tail = 0.5 * np.exp(np.where(x > 0, -x, x))
    return np.where(x > 0, np.log1p(-tail), x - np.log(2))


def laplace_logsf(x):
    return laplace_logcdf(-x)


def cauchy_logpdf(x):
    # Avoid the square of a large number, which overflows.
    is_large = np.abs(x) > 1e100
    near, far = np.where(is_large, 0.0, x), np.where(is_large, np.abs(x), 1.0)
    return -np.log(np.pi) - np.log1p(near * near) - 2 * np.log(far)


def cauchy_cdf(x):
    return np.arctan2(1.0, -x) / np.pi


def cauchy_sf(x):
    return np.arctan2(1.0, x) / np.pi


def logistic_logpdf(x):
    # The absolute value would have no second derivative at 0.
    y = np.where(x >= 0, -x, x)
    return y - 2 * np.log1p(np.exp(y))


def logistic_cdf(x):
    return special.expit(x)


def logistic_sf(x):
    return special.expit(-x)


def logistic_logcdf(x):
    return special.log_expit(x)


def logistic_logsf(x):
    return special.log_expit(-x)


def lognorm_logpdf(x, s):
    z = np.log(np.where(x > 0, x, 1.0))
    found = -z * z / (2 * s * s) - z - np.log(s) - 0.5 * _LOG_2PI
    return np.where(x > 0, found, -np.inf)


def lognorm_cdf(x, s):
    return special.ndtr(np.log(x) / s)


def lognorm_sf(x, s):
    return special.ndtr(-np.log(x) / s)


def lognorm_logcdf(x, s):
    return special.log_ndtr(np.log(x) / s)


def lognorm_logsf(x, s):
    return special.log_ndtr(-np.log(x) / s)


def pareto_support(b):
    return (1.0, np.inf, 2.0)


def pareto_logpdf(x, b):
    return np.log(b) - (b + 1) * np.log(x)


def pareto_cdf(x, b):
    return -np.expm1(-b * np.log(x))


def pareto_sf(x, b):
    return np.exp(-b * np.log(x))


def weibull_min_logpdf(x, c):
    return np.log(c) + special.xlogy(c - 1, x) - np.power(x, c)


def weibull_min_cdf(x, c):
    return -np.expm1(-np.power(x, c))


def weibull_min_sf(x, c):
    return np.exp(-np.power(x, c))


def weibull_min_logsf(x, c):
    return -np.power(x, c)


def gumbel_r_logpdf(x):
    return -x - np.exp(-x)


def gumbel_r_cdf(x):
    return np.exp(-np.exp(-x))


def gumbel_r_logcdf(x):
    return -np.exp(-x)


def gumbel_r_sf(x):
    return -np.expm1(-np.exp(-x))


# Discrete distributions.


def poisson_valid(mu):
    return mu >= 0


def poisson_logpdf(k, mu):
    return special.xlogy(k, mu) - special.gammaln(k + 1) - mu


def poisson_cdf(k, mu):
    return incomplete.gammaincc(k + 1, mu)


def poisson_sf(k, mu):
    return incomplete.gammainc(k + 1, mu)


def bernoulli_support(p):
    return (0.0, 1.0, 0.0)


def bernoulli_valid(p):
    return (p >= 0) & (p <= 1)


def bernoulli_logpdf(k, p):
    return special.xlogy(k, p) + special.xlog1py(1 - k, -p)


def bernoulli_cdf(k, p):
    return 1 - p + 0 * k


def bernoulli_sf(k, p):
    return p + 0 * k


def binom_support(n, p):
    return (0.0, n, 0.0)


def binom_valid(n, p):
    return (n >= 0) & (np.floor(n) == n) & (p >= 0) & (p <= 1)


def binom_logpdf(k, n, p):
    count = special.gammaln(n + 1) - (special.gammaln(k + 1) + special.gammaln(n - k + 1))
    return count + special.xlogy(k, p) + special.xlog1py(n - k, -p)


def binom_cdf(k, n, p):
    return incomplete.betaincc(k + 1, n - k, p)


def binom_sf(k, n, p):
    return incomplete.betainc(k + 1, n - k, p)


def geom_support(p):
    return (1.0, np.inf, 1.0)


def geom_valid(p):
    return (p > 0) & (p <= 1)


def geom_logpdf(k, p):
    return special.xlog1py(k - 1, -p) + np.log(p)


def geom_cdf(k, p):
    return -np.expm1(np.log1p(-p) * k)


def geom_sf(k, p):
    return np.exp(np.log1p(-p) * k)


def geom_logsf(k, p):
    return np.log1p(-p) * k + 0.0


def nbinom_valid(n, p):
    return (n > 0) & (p > 0) & (p <= 1)


def nbinom_logpdf(k, n, p):
    count = special.gammaln(n + k) - special.gammaln(k + 1) - special.gammaln(n)
    return count + n * np.log(p) + special.xlog1py(k, -p)


def nbinom_cdf(k, n, p):
    return incomplete.betainc(n, k + 1, p)


def nbinom_sf(k, n, p):
    return incomplete.betaincc(n, k + 1, p)


# Quantiles.


def norm_ppf(q):
    return special.ndtri(q)


def norm_isf(q):
    return -special.ndtri(q)


def uniform_ppf(q):
    return q


def uniform_isf(q):
    return 1 - q


def expon_ppf(q):
    return -np.log1p(-q)


def expon_isf(q):
    return -np.log(q)


def logistic_ppf(q):
    return special.logit(q)


def logistic_isf(q):
    return -special.logit(q)


def cauchy_ppf(q):
    return -cauchy_isf(q)


def cauchy_isf(q):
    # cot(pi q), with an argument that is exact near both poles.
    near = np.where(q <= 0.5, q, 1 - q)
    size = np.where(near < 0.25, 1 / np.tan(np.pi * near), np.tan(np.pi * (0.5 - near)))
    return np.where(q <= 0.5, size, -size)


def laplace_ppf(q):
    return np.where(q > 0.5, -np.log(2 * (1 - q)), np.log(2 * q))


def laplace_isf(q):
    return -laplace_ppf(q)


def gumbel_r_ppf(q):
    return -np.log(-np.log(q))


def gumbel_r_isf(q):
    return -np.log(-np.log1p(-q))


def lognorm_ppf(q, s):
    return np.exp(s * special.ndtri(q))


def lognorm_isf(q, s):
    return np.exp(-s * special.ndtri(q))


def pareto_ppf(q, b):
    return np.power(1 - q, -1.0 / b)


def pareto_isf(q, b):
    return np.power(q, -1.0 / b)


def weibull_min_ppf(q, c):
    return np.power(-np.log1p(-q), 1.0 / c)


def weibull_min_isf(q, c):
    return np.power(-np.log(q), 1.0 / c)


def t_ppf(q, df):
    return quantiles.stdtrit(df, q)


def t_isf(q, df):
    return -quantiles.stdtrit(df, q)


def gamma_ppf(q, a):
    return quantiles.gammaincinv(a, q)


def gamma_isf(q, a):
    return quantiles.gammainccinv(a, q)


def chi2_ppf(q, df):
    return 2 * quantiles.gammaincinv(df / 2, q)


def chi2_isf(q, df):
    return 2 * quantiles.gammainccinv(df / 2, q)


def beta_ppf(q, a, b):
    return quantiles.betaincinv(a, b, q)


def beta_isf(q, a, b):
    return quantiles.betainccinv(a, b, q)


# The mean and the variance of the standard variable.


def norm_moments():
    return 0.0, 1.0


def uniform_moments():
    return 0.5, 1 / 12


def expon_moments():
    return 1.0, 1.0


def logistic_moments():
    return 0.0, 3.289868133696453


def laplace_moments():
    return 0.0, 2.0


def cauchy_moments():
    return np.nan, np.nan


def gumbel_r_moments():
    return 0.5772156649015329, 1.6449340668482264


def t_moments(df):
    spread = 1 / (1 - 2 / np.where(df > 2, df, 3.0))
    return (
        np.where(df > 1, 0.0, np.inf),
        np.where(df > 2, spread, np.where(df > 1, np.inf, np.nan)),
    )


def gamma_moments(a):
    return a, a


def chi2_moments(df):
    return df, 2 * df


def beta_moments(a, b):
    total = a + b
    return a / total, a * b / (total * total * (total + 1))


def lognorm_moments(s):
    square = s * s
    return np.exp(square / 2), np.exp(square) * np.expm1(square)


def pareto_moments(b):
    one, two = np.where(b > 1, b, 2.0), np.where(b > 2, b, 3.0)
    spread = two / ((two - 1) * (two - 1) * (two - 2))
    return np.where(b > 1, one / (one - 1), np.inf), np.where(b > 2, spread, np.inf)


def weibull_min_moments(c):
    first = special.gamma(1 + 1 / c)
    return first, special.gamma(1 + 2 / c) - first * first


def poisson_moments(mu):
    return mu, mu


def bernoulli_moments(p):
    return p, p * (1 - p)


def binom_moments(n, p):
    return n * p, n * p * (1 - p)


def geom_moments(p):
    return 1 / p, (1 - p) / (p * p)


def nbinom_moments(n, p):
    return n * (1 - p) / p, n * (1 - p) / (p * p)
