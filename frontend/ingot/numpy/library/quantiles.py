"""The inverses of the incomplete gamma and beta functions, and of Student's t distribution.

All are solved for u, the logarithm of a gamma variable, or of the odds x / (1 - x) of a beta
variable. The logarithms of both tail probabilities are concave in u, so Newton's method converges
from every u further out in the tail than the solution, and bounds in closed form give such a start.
The equation is solved for the smaller tail, which is known to full relative precision.
"""

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import incomplete, special
from ingot.numpy.library.edges import edge

_STEPS = 100


def _solved(tail, u, wanted, shapes):
    """The u at which the logarithm of a tail probability is `wanted`, by Newton's method.

    Args:
        tail: a function of u and the shape parameters that returns the logarithm and its
            derivative.
        u: the start.
        wanted: the logarithm to reach.
        shapes: the shape parameters.
    """
    count, step = 0, np.full(u.shape, 1.0)
    while count < _STEPS and np.any(np.abs(step) > 1e-9 * np.maximum(np.abs(u), 1.0)):
        value, derivative = tail(u, *shapes)
        step = (wanted - value) / derivative
        u, count = u + step, count + 1
    return u


def _derivative(function, x):
    """The derivative of an elementwise function.

    The rules below multiply it by their tangents instead of calling jvp with these, since the
    tangents of a rule cannot go through loops.
    """
    return prim.jvp(function, (x,), (np.ones(x.shape),))


def _log_of_rest(y):
    """log(1 - exp(y)) for y below 0."""
    return np.log(-np.expm1(np.minimum(y, -1e-300)))


def _tails(p):
    """The mask where the lower tail p is the smaller one, the logarithm of the smaller tail, and the
    mask where p is in (0, 1)."""
    inside = (p > 0) & (p < 1)
    p = np.where(inside, p, 0.5)
    is_low = p <= 0.5
    return is_low, np.log(np.where(is_low, p, 1.0 - p)), inside


def _at_edge(value, p, *shapes):
    """The quantiles at probabilities of 0 and 1: they have no slope by p, and infinite ones none by
    the shape parameters either."""
    found = edge(value, p)
    for each in shapes:
        found = found + np.where(np.isinf(value), edge(0.0, each), 0.0)
    return found


def _gamma_tail(u, a, is_low):
    """The logarithm of the lower (or upper) tail of a gamma variable, and its derivative by u."""
    x = np.exp(u)
    front = a * u - x - special.gammaln(a)
    has_series, low, high = incomplete._gamma_factors(a, x)
    part = front + np.log(np.where(has_series, low, high))
    is_other = has_series != is_low
    found = np.where(is_other, _log_of_rest(np.where(is_other, part, -1.0)), part)
    derivative = np.exp(front - found)
    return found, np.where(is_low, derivative, -derivative)


def _gamma_solution(a, wanted, is_low):
    # Start from a bound: x**a / gamma(a + 1) for the lower tail, and that of Laurent and Massart
    # (2000) for the upper one.
    far = -np.where(is_low, -1.0, wanted)
    below = (wanted + special.gammaln(a + 1)) / a
    start = np.where(is_low, below, np.log(a + np.sqrt(2 * a * far) + far))
    return _solved(_gamma_tail, start, wanted, (a, is_low))


def _gamma_tangent(primals, tangents):
    a, wanted, is_low = primals
    u = _gamma_u(a, wanted, is_low)
    by_a = _derivative(lambda a: _gamma_tail(u, a, is_low)[0], a)
    return u, (tangents[1] - by_a * tangents[0]) / _gamma_tail(u, a, is_low)[1]


def _gamma_u(a, wanted, is_low):
    return prim.custom_jvp(_gamma_solution, _gamma_tangent, a, wanted, is_low)


def _gamma_inverse(a, p, is_upper):
    """The x at which the lower (or upper) tail probability is p."""
    is_low, wanted, inside = _tails(p)
    inside = inside & (a > 0) & (a < np.inf)
    # The replacements have a solution, which is not used.
    a_safe, wanted = np.where(inside, a, 1.0), np.where(inside, wanted, -1.0)
    found = np.exp(_gamma_u(a_safe, wanted, is_low ^ is_upper))
    at_zero, at_one = (np.inf, 0.0) if is_upper else (0.0, np.inf)
    end = np.where(p == 0, at_zero, np.where(p == 1, at_one, np.nan))
    return np.where(inside, found, _at_edge(np.where(a >= 0, end, np.nan), p, a))


def gammaincinv(a, y):
    return incomplete._elementwise(_lower_gamma_inverse, a, y)


def gammainccinv(a, y):
    return incomplete._elementwise(_upper_gamma_inverse, a, y)


def _lower_gamma_inverse(a, y):
    return _gamma_inverse(a, y, False)


def _upper_gamma_inverse(a, y):
    return _gamma_inverse(a, y, True)


def chdtri(v, p):
    return 2 * gammainccinv(np.divide(v, 2), p)


def _beta_tail(u, a, b):
    """The logarithm of the lower tail of a beta variable, and its derivative by u."""
    front = a * special.log_expit(u) + b * special.log_expit(-u) - special.betaln(a, b)
    is_low, factor = incomplete._beta_factor(a, b, special.expit(u), special.expit(-u))
    part = front + np.log(factor)
    found = np.where(is_low, part, _log_of_rest(np.where(is_low, -1.0, part)))
    return found, np.exp(front - found)


def _beta_solution(a, b, wanted):
    # Start from a bound: exp(a u) / (a beta(a, b)) for the lower tail.
    start = (wanted + np.log(a) + special.betaln(a, b)) / a
    return _solved(_beta_tail, start, wanted, (a, b))


def _beta_tangent(primals, tangents):
    a, b, wanted = primals
    u = _beta_u(a, b, wanted)
    by_a = _derivative(lambda a: _beta_tail(u, a, b)[0], a)
    by_b = _derivative(lambda b: _beta_tail(u, a, b)[0], b)
    moved = by_a * tangents[0] + by_b * tangents[1]
    return u, (tangents[2] - moved) / _beta_tail(u, a, b)[1]


def _beta_u(a, b, wanted):
    return prim.custom_jvp(_beta_solution, _beta_tangent, a, b, wanted)


def _beta_inverse(a, b, p, is_upper):
    is_low, wanted, inside = _tails(p)
    is_plain = (a > 0) & (b > 0) & (a < np.inf) & (b < np.inf)
    is_used = inside & is_plain
    a_safe, b_safe = np.where(is_used, a, 1.0), np.where(is_used, b, 1.0)
    wanted = np.where(is_used, wanted, -1.0)
    # The upper tail of x is the lower tail of 1 - x, with the parameters exchanged.
    is_low = is_low ^ is_upper
    first, second = np.where(is_low, a_safe, b_safe), np.where(is_low, b_safe, a_safe)
    u = _beta_u(first, second, wanted)
    found = special.expit(np.where(is_low, u, -u))
    # SciPy returns the limit in the two cases that have closed forms.
    is_one, is_zero = (a == np.inf) & (b == 1), (a == 1) & (b == np.inf)
    limit = np.where(is_one, 1.0, np.where(is_zero, 0.0, np.nan))
    at_zero, at_one = (1.0, 0.0) if is_upper else (0.0, 1.0)
    end = np.where(p == 0, at_zero, np.where(p == 1, at_one, np.where(inside, limit, np.nan)))
    end = np.where((a > 0) & (b > 0), end, np.nan)
    return np.where(is_used, found, _at_edge(end, p, a, b))


def betaincinv(a, b, y):
    return incomplete._elementwise(_lower_beta_inverse, a, b, y)


def betainccinv(a, b, y):
    return incomplete._elementwise(_upper_beta_inverse, a, b, y)


def _lower_beta_inverse(a, b, y):
    return _beta_inverse(a, b, y, False)


def _upper_beta_inverse(a, b, y):
    return _beta_inverse(a, b, y, True)


def stdtrit(df, p):
    """The quantiles of Student's t distribution."""
    return incomplete._elementwise(_stdtrit, df, p)


def _stdtrit(df, p):
    inside = (p > 0) & (p < 1) & (df > 0)
    is_plain = inside & (df < np.inf)
    n, q = np.where(is_plain, df, 1.0), np.where(is_plain, p, 0.25)
    found = prim.custom_jvp(_t_solution, _t_tangent, n, q)
    found = np.where(is_plain, found, special.ndtri(np.where(inside, p, 0.5)))
    # SciPy returns inf at 0, too.
    end = np.where(((p == 0) | (p == 1)) & (df > 0), np.inf, np.nan)
    return np.where(inside, found, _at_edge(end, p, df))


def _t_solution(n, p):
    # The probability of both tails is the lower tail of the beta variable n / (n + t * t).
    both = 2 * np.minimum(p, 1 - p)
    is_far, is_middle = both <= 0.5, both == 1
    half = np.full(n.shape, 0.5)
    first, second = np.where(is_far, n / 2, half), np.where(is_far, half, n / 2)
    wanted = np.log(np.where(is_far, both, np.where(is_middle, 0.5, 1 - both)))
    u = _beta_solution(first, second, wanted)
    # In the rule, the derivative of this is that of t.
    middle = (p - 0.5) * np.sqrt(n) * np.exp(special.betaln(n / 2, 0.5))
    size = np.where(is_middle, middle, np.sqrt(n) * np.exp(np.where(is_far, -u, u) / 2))
    return np.where(p < 0.5, -size, size)


def _t_tangent(primals, tangents):
    n, p = primals
    t = stdtrit(n, p)
    by_n = _derivative(lambda n: incomplete.stdtr(n, t), n)
    density = np.exp(-(n + 1) / 2 * np.log1p(t * t / n) - special.betaln(n / 2, 0.5)) / np.sqrt(n)
    return t, (tangents[1] - by_n * tangents[0]) / density
