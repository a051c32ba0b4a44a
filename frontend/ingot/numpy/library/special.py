"""Elementary, gamma, error and entropy functions of scipy.special, and logsumexp and softmax."""

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library.edges import edge


def _floats(x):
    x = np.asarray(x)
    return x.astype(np.float64) if x.dtype.kind in "iub" else x


def erf(x):
    return prim.unary("erf", _floats(x))


def erfc(x):
    return prim.unary("erfc", _floats(x))


def erfinv(y):
    # The sum makes 0.0 of -0.0, as SciPy does.
    return prim.unary("erf_inv", _floats(y)) + 0.0


def erfcinv(y):
    y = _floats(y)
    p = np.where(y < 1, y, 2 - y)
    inside = (p > 0) & (p <= 1)
    p = np.where(inside, p, 1.0)
    # A rational approximation, refined by Halley's method.
    t = np.sqrt(-2 * np.log(p / 2))
    x = -0.70711 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t)
    for _ in prim.static_range(3):
        error = erfc(x) - p
        x = x + error / (1.1283791670955126 * np.exp(-x * x) - x * error)
    x = np.where(y < 1, x, -x)
    is_middle = (y > 0.5) & (y < 1.5)
    x = np.where(is_middle, -erfinv(np.where(is_middle, y - 1, 0.0)), x)
    outside = np.where(y == 0, np.inf, np.where(y == 2, -np.inf, np.nan))
    x = np.where(inside, x, edge(outside, y))
    return x.astype(y.dtype)[()]


def ndtri(y):
    y = _floats(y)
    return (-1.4142135623730951 * erfcinv(2 * y)).astype(y.dtype)[()]


def polygamma(n, x):
    n, x = np.asarray(n), _floats(x)
    shape = np.broadcast_shapes(n.shape, x.shape)
    lines = [np.broadcast_to(each, shape).astype(x.dtype).reshape(-1) for each in (n, x)]
    found = prim.custom_jvp(_polygamma, _polygamma_tangent, *lines)
    return found.reshape(shape).astype(x.dtype)[()]


def _polygamma_tangent(primals, tangents):
    n, x = primals
    return None, polygamma(n + 1, x) * tangents[1]


def _polygamma(n, x):
    is_pole = (x <= 0) & (np.floor(x) == x) & (x > -np.inf)
    is_plain = ~is_pole & np.isfinite(x) & (n > 0)
    is_far = is_plain & (x > 1e20)
    y, order = np.where(is_plain & ~is_far, x, 1.0), np.where(is_plain, n, 1.0)
    # (-1)**(n + 1) n! for the integer n.
    sign = np.where(n % 2 == 0, -1.0, 1.0)
    size = sign * np.exp(gammaln(order + 1))
    steps = np.maximum(np.ceil(-y), 0.0)
    count = np.max(steps, initial=0.0)
    prim.require(count <= 10000, "NotImplementedError", "polygamma below -10000 is not supported")
    total = np.zeros_like(y)
    # The recurrence from negative to positive arguments (DLMF 5.15.5).
    for k in range(int(np.minimum(count, 10000.0))):
        is_below = k < steps
        total = total + np.where(
            is_below, np.power(np.where(is_below, y + k, 1.0), -order - 1), 0.0
        )
    found = prim.polygamma(order, y + steps) + size * total
    # The first term of the asymptotic expansion (DLMF 5.15.8).
    far = sign * np.exp(gammaln(order)) * np.power(np.where(is_far, x, 1.0), -order)
    found = np.where(is_far, far, found)
    is_pole = is_pole | (x == -np.inf)
    found = np.where(x == np.inf, sign * 0.0, found)
    found = np.where(is_pole, edge(sign * np.inf, x), found)
    found = np.where(np.isnan(x), np.nan, found)
    return np.where(n == 0, digamma(x), found)


def multigammaln(a, d):
    a = np.asarray(a)
    if d < 1:
        raise ValueError("d should be a positive integer (dimension)")
    prim.require(~np.any(a <= 0.5 * (d - 1)), "ValueError", "condition a > 0.5 * (d-1) not met")
    constant = (d * (d - 1) / 4.0) * np.log(np.pi)
    return constant + np.sum(gammaln(np.expand_dims(a, -1) - np.arange(d) / 2.0), axis=-1)


def gammaln(x):
    x = _floats(x)
    return np.where(x == -np.inf, edge(x, x), prim.unary("lgamma", x))[()]


def loggamma(z):
    z = _floats(z)
    return np.where(z < 0, edge(z.dtype.type(np.nan), z), prim.unary("lgamma", z))[()]


def _gamma_is_negative(z):
    # The sign alternates between the poles at the negative integers.
    return (z < 0) & (np.floor(z) % 2 != 0)


def gamma(z):
    z = _floats(z)
    size = np.exp(prim.unary("lgamma", z))
    found = np.where(_gamma_is_negative(z), -size, size)
    is_pole = (z < 0) & (np.floor(z) == z)
    found = np.where(is_pole | (z == -np.inf), edge(z.dtype.type(np.nan), z), found)
    return np.where(z == 0, edge(np.copysign(z.dtype.type(np.inf), z), z), found)[()]


def digamma(z):
    z = _floats(z)
    at_zero = edge(np.copysign(z.dtype.type(np.inf), -z), z)
    return np.where(z == 0, at_zero, prim.unary("digamma", z))[()]


def beta(a, b):
    a, b = _floats(a), _floats(b)
    is_negative = _gamma_is_negative(a + b) & ~_is_pole(a + b)
    is_negative = _gamma_is_negative(a) ^ _gamma_is_negative(b) ^ is_negative
    # beta(a, b) = (-1)**b beta(1 - a - b, b) of integers, which has no pole at a + b <= 0.
    is_negative = np.where(
        _is_reflected(a, b), np.minimum(np.abs(a), np.abs(b)) % 2 != 0, is_negative
    )
    size = np.exp(betaln(a, b))
    # The sign that SciPy gives to a pole.
    is_pole = _is_pole(a) | _is_pole(b)
    other = np.where(_is_pole(a), b, a)
    is_odd = _is_pole(other) & (other % 2 != 0) & (np.minimum(a, b) > _LEAST)
    is_negative = np.where(is_pole & (size == np.inf), is_odd, is_negative)
    return np.where(is_negative, -size, size)[()]


#: The bound below SciPy's 32-bit integers.
_LEAST = -2147483649.0


def _is_pole(x):
    return (x <= 0) & (np.floor(x) == x)


def _is_reflected(a, b):
    low, high = np.minimum(a, b), np.maximum(a, b)
    is_integer = (np.floor(low) == low) & (np.floor(high) == high)
    return is_integer & (low < 0) & (low > _LEAST) & (high > 0) & (low + high <= 0)


def _in_order(a, b):
    """The smaller and the larger one of two. np.minimum and np.maximum share the derivative where both
    are equal, so second derivatives would be those of the mean."""
    is_first = a <= b
    return np.where(is_first, a, b), np.where(is_first, b, a)


def betaln(a, b):
    """The logarithm of the absolute value of the beta function, computed without differences of
    large numbers."""
    a, b = _floats(a), _floats(b)
    low, high = _in_order(a, b)
    low, high = _in_order(np.where(_is_reflected(a, b), 1 - low - high, low), high)
    is_large = (high >= 10) & (low + high >= 10) & (low > -np.inf) & (high < np.inf)
    q = np.where(is_large, high, 10.0)
    p = np.where(is_large, low, 10.0)
    # For large p use Stirling's formula (DLMF 5.11.1) for gammaln(p), too.
    both = np.where(p >= 10, p, 10.0)
    logs = -q * np.log1p(both / q) + (both - 0.5) * np.log(both / (both + q)) - 0.5 * np.log(q)
    found = 0.9189385332046727 + logs + _stirling(both)
    one = np.where(p >= 10, 1.0, p)
    mixed = gammaln(one) + one - one * np.log(one + q) - (q - 0.5) * np.log1p(one / q)
    large = np.where(p >= 10, found, mixed) + _stirling(q) - _stirling(p + q)
    x, y = np.where(is_large, 1.0, low), np.where(is_large, 1.0, high)
    small = gammaln(x) + gammaln(y) - gammaln(x + y)
    found = np.where(is_large, large, small)
    # As a goes to infinity, betaln(a, b) goes like -b * log(a).
    at_infinity = np.where(low < 0, np.inf, np.where(low == np.inf, np.nan, -np.inf))
    found = np.where(high == np.inf, edge(at_infinity, a + b), found)
    found = np.where(np.isnan(a + b), np.nan, found)
    # Among poles there are numbers, but no slopes.
    among = np.where(_is_reflected(a, b), edge(found, a + b), edge(np.inf, a + b))
    return np.where(_is_pole(a) | _is_pole(b), among, found).astype(np.result_type(a, b))[()]


def _stirling(x):
    """The error term of Stirling's formula for gammaln(x), for x >= 10 (DLMF 5.11.1)."""
    inverse = 1 / (x * x)
    total = 0.0
    for c in prim.static_items((-3617 / 122400, 1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)):  # fmt: skip
        total = total * inverse + c
    return total / x


def expit(x):
    x = _floats(x)
    # exp of a nonpositive number does not overflow. The absolute value has no derivative at 0.
    small = np.exp(np.where(x >= 0, -x, x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small)).astype(x.dtype)[()]


def log_expit(x):
    x = _floats(x)
    small = np.exp(np.where(x >= 0, -x, x))
    return (np.where(x < 0, x, -0.0) - np.log1p(small)).astype(x.dtype)[()]


def logit(x):
    x = _floats(x)
    return np.log(x / (1 - x))


def xlogy(x, y):
    x, y = _floats(x), _floats(y)
    is_zero = (x == 0) & ~((y > 0) & (y < np.inf)) & ~np.isnan(y)
    # A product of zero and a logarithm has the derivative that the constant 0 has not. It may be
    # -0.0, to which 0.0 is added.
    return np.where(is_zero, edge(0.0, x), x * np.log(np.where(is_zero, 1.0, y)) + 0.0)[()]


def xlog1py(x, y):
    x, y = _floats(x), _floats(y)
    is_zero = (x == 0) & ~((y > -1) & (y < np.inf)) & ~np.isnan(y)
    return np.where(is_zero, edge(0.0, x), x * np.log1p(np.where(is_zero, 1.0, y)) + 0.0)[()]


def entr(x):
    x = _floats(x)
    outside = edge(np.where(x < 0, -np.inf, 0.0), x)
    found = np.where(x <= 0, outside, -x * np.log(np.where(x > 0, x, 1.0)))
    return np.where(np.isnan(x), x, found).astype(x.dtype)[()]


def rel_entr(x, y):
    x, y = _floats(x), _floats(y)
    both = (x > 0) & (y > 0)
    one, other = np.where(both, x, 1.0), np.where(both, y, 1.0)
    ratio = one / other
    is_plain = (ratio > 1e-300) & (ratio < np.inf)
    apart = np.log(one) - np.log(other)
    found = x * np.where(is_plain, np.log(np.where(is_plain, ratio, 1.0)), apart)
    is_end = (x == 0) & (y >= 0)
    found = np.where(both, found, np.where(is_end, edge(0.0, x), edge(np.inf, x + y)))
    return np.where(np.isnan(x) | np.isnan(y), np.nan, found)[()]


def ndtr(x):
    x = _floats(x)
    t = x * 0.7071067811865476
    z = np.abs(t)
    tail = 0.5 * erfc(z)
    found = np.where(t > 0, 1 - tail, tail)
    return np.where(z < 1, 0.5 + 0.5 * erf(t), found).astype(x.dtype)[()]


def log_ndtr(x):
    x = _floats(x)
    # np.minimum and np.clip would halve the derivative where the pieces meet.
    small = np.where(x < -10, x, -10.0)
    inverse = 1 / (small * small)
    series = 1.0
    # The asymptotic expansion of the tail (DLMF 7.12.1).
    for n in prim.static_items((19, 17, 15, 13, 11, 9, 7, 5, 3, 1)):
        series = 1 - n * inverse * series
    far = -0.5 * small * small - np.log(-small) - 0.9189385332046727 + np.log(series)
    middle = np.where(x < -10, -10.0, np.where(x > 1, 1.0, x))
    near = np.log(0.5 * erfc(-middle * 0.7071067811865476))
    large = np.log1p(-0.5 * erfc(np.where(x >= 1, x, 1.0) * 0.7071067811865476))
    found = np.where(x < -10, far, np.where(x < 1, near, large))
    return np.where(np.isnan(x), x, found).astype(x.dtype)[()]


def exp10(x):
    return np.power(10.0, _floats(x)).astype(_floats(x).dtype)[()]


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    a = _floats(a)
    if a.dtype.kind == "c":
        raise NotImplementedError("logsumexp of complex numbers is not supported")
    if a.size == 0:
        found = np.full_like(np.sum(a, axis=axis, keepdims=keepdims), -np.inf)[()]
        return (found, np.sign(found)) if return_sign else found
    if b is not None:
        b = np.asarray(b)
        a, b = np.broadcast_arrays(a, b.astype(np.result_type(a, b)))
        simple = np.sum(b * np.exp(a), axis=axis, keepdims=True)
        a = np.where(b == 0, a.dtype.type(-np.inf), a).astype(b.dtype)
    largest = np.max(a, axis=axis, keepdims=True)
    shift = np.where(np.isfinite(largest), largest, 0).astype(a.dtype)
    parts = np.exp(a - shift) if b is None else b * np.exp(a - shift)
    total = np.sum(parts, axis=axis, keepdims=True)
    sign = np.sign(total)
    if b is not None and return_sign:
        total = np.abs(total)
    found = np.log(total) + shift
    if b is not None:
        # Results that are not finite SciPy takes from the sum without the shift.
        is_finite = np.isfinite(found)
        sign = np.where(is_finite, sign, np.sign(simple))
        found = np.where(is_finite, found, np.log(np.abs(simple) if return_sign else simple))
    if not keepdims:
        axes = prim.axes(axis, a.ndim)
        found, sign = np.squeeze(found, axes)[()], np.squeeze(sign, axes)[()]
    return (found, sign) if return_sign else found


def softmax(x, axis=None):
    x = np.asarray(x)
    shifted = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return shifted / np.sum(shifted, axis=axis, keepdims=True)


def log_softmax(x, axis=None):
    x = np.asarray(x)
    largest = np.max(x, axis=axis, keepdims=True)
    shifted = x - np.where(np.isfinite(largest), largest, 0).astype(x.dtype)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))
