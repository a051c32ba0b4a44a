"""The functions of scipy.special."""

import numpy as np

from ingot.numpy import primitives as prim


def _floats(x):
    x = np.asarray(x)
    return x.astype(np.float64) if x.dtype.kind in "iub" else x


def erf(x):
    return prim.unary("erf", _floats(x))


def erfc(x):
    return prim.unary("erfc", _floats(x))


def erfinv(y):
    return prim.unary("erf_inv", _floats(y))


def erfcinv(y):
    y = _floats(y)
    p = np.where(y < 1, y, 2 - y)
    inside = (p > 0) & (p <= 1)
    p = np.where(inside, p, 1.0)
    # A rational function, then Halley's method, which doubles the digits twice.
    t = np.sqrt(-2 * np.log(p / 2))
    x = -0.70711 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t)
    for _ in prim.static_range(3):
        error = erfc(x) - p
        x = x + error / (1.1283791670955126 * np.exp(-x * x) - x * error)
    x = np.where(y < 1, x, -x)
    x = np.where(inside, x, np.where(y == 0, np.inf, np.where(y == 2, -np.inf, np.nan)))
    return x.astype(y.dtype)[()]


def polygamma(n, x):
    n, x = np.asarray(n), _floats(x)
    shape = np.broadcast_shapes(n.shape, x.shape)
    wide = np.broadcast_to(n, shape).astype(x.dtype), np.broadcast_to(x, shape)
    return np.where(n == 0, digamma(x), prim.polygamma(*wide)).astype(x.dtype)[()]


def multigammaln(a, d):
    a = np.asarray(a)
    if d < 1:
        raise ValueError("d should be a positive integer (dimension)")
    prim.require(np.all(a > 0.5 * (d - 1)), "ValueError", "condition a > 0.5 * (d-1) not met")
    constant = (d * (d - 1) / 4.0) * np.log(np.pi)
    return constant + np.sum(gammaln(np.expand_dims(a, -1) - np.arange(d) / 2.0), axis=-1)


def gammaln(x):
    return prim.unary("lgamma", _floats(x))


def loggamma(z):
    z = _floats(z)
    if z.dtype.kind == "c":
        raise NotImplementedError("loggamma of complex numbers is not supported")
    return np.where(z < 0, z.dtype.type(np.nan), prim.unary("lgamma", z))[()]


def _gamma_is_negative(z):
    # The sign alternates between the poles at the negative integers.
    return (z < 0) & (np.floor(z) % 2 != 0)


def gamma(z):
    z = _floats(z)
    size = np.exp(prim.unary("lgamma", z))
    found = np.where(_gamma_is_negative(z), -size, size)
    is_pole = (z < 0) & (np.floor(z) == z)
    found = np.where(is_pole | (z == -np.inf), z.dtype.type(np.nan), found)
    return np.where(z == 0, np.copysign(z.dtype.type(np.inf), z), found)[()]


def digamma(z):
    z = _floats(z)
    return np.where(z == 0, np.copysign(z.dtype.type(np.inf), -z), prim.unary("digamma", z))[()]


def beta(a, b):
    a, b = _floats(a), _floats(b)
    size = np.exp(gammaln(a) + gammaln(b) - gammaln(a + b))
    is_negative = _gamma_is_negative(a) ^ _gamma_is_negative(b) ^ _gamma_is_negative(a + b)
    return np.where(is_negative, -size, size)[()]


def betaln(a, b):
    return gammaln(a) + gammaln(b) - gammaln(np.add(a, b))


def expit(x):
    x = _floats(x)
    # exp of what is not positive never overflows.
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small)).astype(x.dtype)[()]


def log_expit(x):
    x = _floats(x)
    return (np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))).astype(x.dtype)[()]


def logit(x):
    x = _floats(x)
    return np.log(x / (1 - x))


def xlogy(x, y):
    x, y = _floats(x), _floats(y)
    is_zero = (x == 0) & ~np.isnan(y)
    return np.where(is_zero, 0.0, x * np.log(np.where(is_zero, 1.0, y)))[()]


def xlog1py(x, y):
    x, y = _floats(x), _floats(y)
    is_zero = (x == 0) & ~np.isnan(y)
    return np.where(is_zero, 0.0, x * np.log1p(np.where(is_zero, 1.0, y)))[()]


def entr(x):
    x = _floats(x)
    found = np.where(x == 0, 0.0, -x * np.log(np.where(x > 0, x, 1.0)))
    return np.where(x < 0, -np.inf, np.where(np.isnan(x), x, found)).astype(x.dtype)[()]


def rel_entr(x, y):
    x, y = _floats(x), _floats(y)
    both = (x > 0) & (y > 0)
    found = x * np.log(np.where(both, x, 1.0) / np.where(both, y, 1.0))
    found = np.where(both, found, np.where((x == 0) & (y >= 0), 0.0, np.inf))
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
    small = np.minimum(x, -10.0)
    inverse = 1 / (small * small)
    series = 1.0
    # The asymptotic expansion of the tail.
    for n in prim.static_items((19, 17, 15, 13, 11, 9, 7, 5, 3, 1)):
        series = 1 - n * inverse * series
    far = -0.5 * small * small - np.log(-small) - 0.9189385332046727 + np.log(series)
    middle = np.clip(x, -10.0, 1.0)
    near = np.log(0.5 * erfc(-middle * 0.7071067811865476))
    large = np.log1p(-0.5 * erfc(np.maximum(x, 1.0) * 0.7071067811865476))
    found = np.where(x < -10, far, np.where(x < 1, near, large))
    return np.where(np.isnan(x), x, found).astype(x.dtype)[()]


def exp10(x):
    return np.power(10.0, _floats(x)).astype(_floats(x).dtype)[()]


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    a = _floats(a)
    if a.dtype.kind == "c":
        raise NotImplementedError("logsumexp of complex numbers is not supported")
    if b is not None:
        b = np.asarray(b)
        a, b = np.broadcast_arrays(a, b.astype(np.result_type(a, b)))
        a = np.where(b == 0, a.dtype.type(-np.inf), a).astype(b.dtype)
    largest = np.max(a, axis=axis, keepdims=True)
    shift = np.where(np.isfinite(largest), largest, 0).astype(a.dtype)
    parts = np.exp(a - shift) if b is None else b * np.exp(a - shift)
    total = np.sum(parts, axis=axis, keepdims=True)
    sign = np.sign(total)
    if b is not None and return_sign:
        total = np.abs(total)
    found = np.log(total) + shift
    if not keepdims:
        axes = prim.axes(axis, a.ndim)
        found, sign = np.squeeze(found, axes)[()], np.squeeze(sign, axes)[()]
    return (found, sign) if return_sign else found


def softmax(x, axis=None):
    x = _floats(x)
    shifted = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return shifted / np.sum(shifted, axis=axis, keepdims=True)


def log_softmax(x, axis=None):
    x = _floats(x)
    largest = np.max(x, axis=axis, keepdims=True)
    shifted = x - np.where(np.isfinite(largest), largest, 0).astype(x.dtype)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))
