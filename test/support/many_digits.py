"""NumPy's and SciPy's functions of numbers with many digits, by mpmath: what derivatives are compared with."""

from collections.abc import Callable
from typing import Any

import mpmath
from mpmath import mp, mpf
from scipy import special as floats
from scipy import stats

Function = Callable[..., Any]
#: Differences of second order with steps of 1e-24 have half of these digits.
DIGITS = 100


def _psi(n: Any, x: Any) -> Any:
    """The polygamma function, far below zero by its reflection (DLMF 5.15.6): mpmath adds a term for each unit."""
    n = int(n)
    if x > -1000:
        return mp.psi(n, x)
    sign = (-1) ** n
    return sign * mp.psi(n, 1 - x) - mp.pi * mp.diff(mp.cot, mp.pi * x, n) * mp.pi**n


def _at_zero(otherwise: Function, value: float = 0.0) -> Function:
    """x * log(y), that is 0 where x is."""
    return lambda x, *y: mpf(value) if x == 0 else otherwise(x, *y)


def _root(x: Any) -> Any:
    return mp.sign(x) * mp.root(abs(x), 3)


def _sinc(x: Any) -> Any:
    return mpf(1) if x == 0 else mp.sin(mp.pi * x) / (mp.pi * x)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def _ndtr(x: Any) -> Any:
    return mp.erfc(-x / mp.sqrt(2)) / 2


def _gammainc(a: Any, x: Any) -> Any:
    return mp.gammainc(a, 0, x, regularized=True) if x >= 0 and a > 0 else None


def _gammaincc(a: Any, x: Any) -> Any:
    return mp.gammainc(a, x, mp.inf, regularized=True) if x >= 0 and a > 0 else None


def _betainc(a: Any, b: Any, x: Any) -> Any:
    inside = a > 0 and b > 0 and 0 <= x <= 1
    return mp.betainc(a, b, 0, x, regularized=True) if inside else None


def _betaincc(a: Any, b: Any, x: Any) -> Any:
    inside = a > 0 and b > 0 and 0 <= x <= 1
    return mp.betainc(a, b, x, 1, regularized=True) if inside else None


def _spherical_jn(n: Any, x: Any) -> Any:
    if x == 0:
        return mpf(int(n == 0))
    size = abs(x)
    sign = -1 if x < 0 and int(n) % 2 else 1
    return sign * mp.sqrt(mp.pi / (2 * size)) * mp.besselj(n + mpf(1) / 2, size)


def _stdtr(df: Any, t: Any) -> Any:
    if df <= 0:
        return None
    tail = mp.betainc(df / 2, mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2
    return 1 - tail if t > 0 else tail


def _inverse(function: Function, start: Function, inside: Function) -> Function:
    """The inverse of a function by its last argument, found from the one of floats."""

    def found(*args: Any) -> Any:
        *front, y = args
        first = mpf(float(start(*map(float, args))))
        if not mp.isfinite(first):
            return None
        if not inside(float(y)):
            # At the ends, where the function is constant.
            return first if y in (0, 1) else None
        # An end of the domain may be above, as 1 is for a beta variable.
        second = first - (first or -1) * mpf(10) ** -12
        return mp.findroot(lambda x: function(*front, x) - y, (first, second))

    return found


def _between(y: Any) -> bool:
    return bool(0 < y < 1)


def _log(x: Any) -> Any:
    return mp.log(x) if x > 0 else None


def _real(x: Any, y: Any) -> Any:
    if x == 0 and y <= 0:
        return mpf(1) if y == 0 else None
    return x**y


def _loggamma(x: Any) -> Any:
    return mp.log(abs(mp.gamma(x)))


def _betaln(a: Any, b: Any) -> Any:
    return _loggamma(a) + _loggamma(b) - _loggamma(a + b)


def _kinks(x: Any, y: Any) -> Any:
    return x * mp.log(y)


def _multigammaln(x: Any) -> Any:
    return mp.log(mp.pi) / 2 + mp.loggamma(x) + mp.loggamma(x - mpf(1) / 2) if x > 0.5 else None


UFUNCS: dict[str, Function] = {
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y, "floor_divide": lambda x, y: mp.floor(x / y),
    "remainder": lambda x, y: x - y * mp.floor(x / y),
    "fmod": lambda x, y: x - y * mp.sign(x / y) * mp.floor(abs(x / y)),
    "power": _real, "float_power": _real, "maximum": max, "minimum": min, "fmax": max, "fmin": min,
    "arctan2": lambda y, x: mp.atan2(y, x), "negative": lambda x: -x, "absolute": abs, "fabs": abs,
    "exp": mp.exp, "expm1": lambda x: mp.exp(x) - 1, "log": mp.log, "log1p": lambda x: mp.log(1 + x),
    "sqrt": mp.sqrt, "cbrt": _root, "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "arcsin": mp.asin,
    "arccos": mp.acos, "arctan": mp.atan, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh,
    "arcsinh": mp.asinh, "arccosh": mp.acosh, "arctanh": mp.atanh, "floor": mp.floor, "ceil": mp.ceil,
    "trunc": lambda x: mp.sign(x) * mp.floor(abs(x)), "rint": mp.nint, "square": lambda x: x * x,
    "positive": lambda x: x, "sign": mp.sign, "reciprocal": lambda x: 1 / x, "conjugate": lambda x: x,
    "copysign": lambda x, y: abs(x) if y >= 0 else -abs(x), "hypot": lambda x, y: mp.sqrt(x * x + y * y),
    "logaddexp": lambda x, y: mp.log(mp.exp(x) + mp.exp(y)),
    "logaddexp2": lambda x, y: mp.log(mpf(2) ** x + mpf(2) ** y, 2), "exp2": lambda x: mpf(2) ** x,
    "log2": lambda x: mp.log(x, 2), "log10": mp.log10,
    "heaviside": lambda x, y: y if x == 0 else mpf(int(x > 0)),
    "deg2rad": mp.radians, "rad2deg": mp.degrees, "degrees": mp.degrees, "radians": mp.radians,
    "sinc": _sinc, "i0": lambda x: mp.besseli(0, x), "nan_to_num": lambda x: x,
}  # fmt: skip

SPECIAL: dict[str, Function] = {
    "beta": mp.beta, "betainc": _betainc, "betaincc": _betaincc,
    "betaincinv": _inverse(_betainc, floats.betaincinv, _between),
    "betainccinv": _inverse(_betaincc, floats.betainccinv, _between),
    "betaln": _betaln, "bdtr": lambda k, n, p: _betaincc(k + 1, n - k, p), "bdtrc": lambda k, n, p: _betainc(k + 1, n - k, p),
    "chdtr": lambda v, x: _gammainc(v / 2, x / 2), "chdtrc": lambda v, x: _gammaincc(v / 2, x / 2),
    "chdtri": _inverse(lambda v, x: _gammaincc(v / 2, x / 2), floats.chdtri, _between),
    "digamma": lambda x: mp.psi(0, x),
    "entr": lambda x: -_at_zero(lambda x: x * mp.log(x))(x), "erf": mp.erf, "erfc": mp.erfc, "erfinv": mp.erfinv,
    "erfcinv": lambda x: mp.erfinv(1 - x), "exp10": lambda x: mpf(10) ** x, "expit": _sigmoid,
    "gamma": mp.gamma, "gammainc": _gammainc, "gammaincc": _gammaincc,
    "gammaincinv": _inverse(_gammainc, floats.gammaincinv, _between),
    "gammainccinv": _inverse(_gammaincc, floats.gammainccinv, _between),
    "gammaln": _loggamma, "loggamma": lambda x: mp.loggamma(x) if x > 0 else None,
    "i0": lambda x: mp.besseli(0, x), "i1": lambda x: mp.besseli(1, x),
    "i0e": lambda x: mp.besseli(0, x) * mp.exp(-abs(x)), "i1e": lambda x: mp.besseli(1, x) * mp.exp(-abs(x)),
    "iv": mp.besseli, "ive": lambda n, x: mp.besseli(n, x) * mp.exp(-abs(x)),
    "j0": lambda x: mp.besselj(0, x), "j1": lambda x: mp.besselj(1, x), "jn": mp.besselj, "jv": mp.besselj,
    "k0": lambda x: mp.besselk(0, x), "k1": lambda x: mp.besselk(1, x), "kn": mp.besselk, "kv": mp.besselk,
    "k0e": lambda x: mp.besselk(0, x) * mp.exp(x), "k1e": lambda x: mp.besselk(1, x) * mp.exp(x),
    "kve": lambda n, x: mp.besselk(n, x) * mp.exp(x), "log_expit": lambda x: -mp.log(1 + mp.exp(-x)),
    "log_ndtr": lambda x: mp.log(_ndtr(x)), "logit": lambda x: mp.log(x / (1 - x)),
    "multigammaln": _multigammaln, "ndtr": _ndtr, "ndtri": lambda y: mp.sqrt(2) * mp.erfinv(2 * y - 1),
    "pdtr": lambda k, m: _gammaincc(k + 1, m), "pdtrc": lambda k, m: _gammainc(k + 1, m), "polygamma": _psi,
    "rel_entr": _at_zero(lambda x, y: x * (mp.log(x) - mp.log(y))),
    "spherical_jn": _spherical_jn,
    "stdtr": _stdtr, "stdtrit": _inverse(_stdtr, floats.stdtrit, _between),
    "xlog1py": _at_zero(lambda x, y: x * mp.log(1 + y)), "xlogy": _at_zero(_kinks),
    "y0": lambda x: mp.bessely(0, x), "y1": lambda x: mp.bessely(1, x), "yn": mp.bessely, "yv": mp.bessely,
}  # fmt: skip


def value_of(function: Function, point: list[Any]) -> Any:
    """The real number that a function gives, None where there is none."""
    try:
        found = function(*point)
    except (ValueError, ZeroDivisionError, OverflowError, mpmath.libmp.NoConvergence):
        return None
    if found is None:
        return None
    found = mp.mpmathify(found)
    return None if isinstance(found, mp.mpc) or not mp.isfinite(found) else found


def _from_zero(function: Function, end: Any = None, below: Any = 0, above: Any = 1) -> Function:
    """A function that is constant below 0, and above `end`."""

    def found(x: Any, *shapes: Any) -> Any:
        if x < 0:
            return below if below is None else mpf(below)
        if end is not None and x > end:
            return above if above is None else mpf(above)
        return function(x, *shapes)

    return found


def _power(x: Any, y: Any) -> Any:
    return mpf(1) if x == 0 and y == 0 else x**y


DENSITIES: dict[str, Function] = {
    "norm": lambda x: mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi),
    "t": lambda x, v: mp.gamma((v + 1) / 2) / mp.sqrt(v * mp.pi) / mp.gamma(v / 2) * (1 + x * x / v) ** (-(v + 1) / 2),
    "laplace": lambda x: mp.exp(-abs(x)) / 2, "cauchy": lambda x: 1 / (mp.pi * (1 + x * x)),
    "logistic": lambda x: mp.exp(-x) / (1 + mp.exp(-x)) ** 2, "gumbel_r": lambda x: mp.exp(-x - mp.exp(-x)),
    "uniform": _from_zero(lambda x: mpf(1), 1, 0, 0),
    "beta": _from_zero(lambda x, a, b: _power(x, a - 1) * _power(1 - x, b - 1) / mp.beta(a, b), 1, 0, 0),
    "pareto": lambda x, b: b / x ** (b + 1) if x >= 1 else mpf(0),
    "gamma": _from_zero(lambda x, a: _power(x, a - 1) * mp.exp(-x) / mp.gamma(a)),
    "chi2": _from_zero(lambda x, k: _power(x / 2, k / 2 - 1) * mp.exp(-x / 2) / mp.gamma(k / 2) / 2),
    "expon": _from_zero(lambda x: mp.exp(-x)),
    "lognorm": _from_zero(lambda x, s: mp.exp(-((mp.log(x) / s) ** 2) / 2) / (x * s * mp.sqrt(2 * mp.pi)) if x else mpf(0)),
    "weibull_min": _from_zero(lambda x, c: c * _power(x, c - 1) * mp.exp(-(x**c))),
}  # fmt: skip
CUMULATIVE: dict[str, Function] = {
    "norm": _ndtr, "t": lambda x, v: _stdtr(v, x),
    "laplace": lambda x: mp.exp(x) / 2 if x < 0 else 1 - mp.exp(-x) / 2,
    "cauchy": lambda x: mpf(1) / 2 + mp.atan(x) / mp.pi, "logistic": _sigmoid,
    "gumbel_r": lambda x: mp.exp(-mp.exp(-x)), "uniform": _from_zero(lambda x: x, 1),
    "beta": _from_zero(lambda x, a, b: _betainc(a, b, x), 1),
    "pareto": lambda x, b: 1 - x**-b if x >= 1 else mpf(0),
    "gamma": _from_zero(lambda x, a: _gammainc(a, x)), "chi2": _from_zero(lambda x, k: _gammainc(k / 2, x / 2)),
    "expon": _from_zero(lambda x: 1 - mp.exp(-x)),
    "lognorm": _from_zero(lambda x, s: _ndtr(mp.log(x) / s) if x else mpf(0)),
    "weibull_min": _from_zero(lambda x, c: 1 - mp.exp(-(x**c))),
}  # fmt: skip


def of_distribution(name: str, method: str) -> Function:
    """A method of one of SciPy's distributions."""
    cdf, pdf = CUMULATIVE[name], DENSITIES[name]
    quantile = _quantile(name, cdf)
    return {
        "pdf": pdf, "logpdf": lambda *x: _log(pdf(*x)), "cdf": cdf, "logcdf": lambda *x: _log(cdf(*x)),
        "sf": lambda *x: 1 - cdf(*x), "logsf": lambda *x: _log(1 - cdf(*x)), "ppf": quantile,
        "isf": lambda q, *shapes: quantile(1 - q, *shapes),
    }[method]  # fmt: skip


def _quantile(name: str, cdf: Function) -> Function:
    found = _inverse(
        lambda *x: cdf(x[-1], *x[:-1]),
        lambda *x: getattr(stats, name).ppf(x[-1], *x[:-1]),
        _between,
    )
    return lambda q, *shapes: found(*shapes, q)
