"""Bessel functions of real arguments and integer orders (DLMF 10)."""

import functools
import math

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import bessel_series as series
from ingot.numpy.library import special
from ingot.numpy.library.edges import edge


def _chebyshev(x, coefficients):
    """Clenshaw's sum of a Chebyshev series in x / 2."""
    b0, b1, b2 = coefficients[0], 0.0, 0.0
    for c in prim.static_items(coefficients[1:]):
        b0, b1, b2 = x * b0 - b1 + c, b0, b1
    return 0.5 * (b0 - b2)


def _order(n):
    """The order as a static integer."""
    if not prim.is_static(n) or np.ndim(n) != 0:
        raise NotImplementedError(
            "orders of Bessel functions must be numbers known at compile time"
        )
    if n != int(n):
        raise NotImplementedError("Bessel functions of fractional order are not supported")
    return int(n)


def _elementwise(function, derivative, n, x):
    """A function of float64 arrays of one axis, applied to x of any shape and float dtype.

    Args:
        function: takes the order and the array.
        derivative: the function's derivative with respect to x.
    """
    x = special._floats(x)
    if x.dtype.kind == "c":
        raise NotImplementedError("Bessel functions of complex numbers are not supported")
    line = x.astype(np.float64).reshape(-1)
    rule = functools.partial(_tangent, derivative)
    found = prim.custom_jvp(function, rule, n, line)
    return found.reshape(x.shape).astype(x.dtype)[()]


def _tangent(derivative, primals, tangents):
    return None, derivative(*primals) * tangents[1]


# Bessel functions of the first and second kind.


def _waves(x, p, q):
    """The real and imaginary part of the Hankel function of order 0, or of i times that of order 1
    (DLMF 10.17.5)."""
    t = 8.0 / x
    near = 4 * t * t - 2
    real, imaginary = _chebyshev(near, p), _chebyshev(near, q) / x
    # cos(x - pi / 4) and sin(x - pi / 4) times sqrt(2), without the rounding error of x - pi / 4.
    c, s = np.cos(x) + np.sin(x), np.sin(x) - np.cos(x)
    size = 0.5641895835477563 / np.sqrt(x)
    return size * (real * c - imaginary * s), size * (real * s + imaginary * c)


# abs, minimum and maximum have no derivatives where their pieces meet; these have that of one piece.


def _size(x):
    return np.where(x < 0, -x, x)


def _up_to(x, limit):
    return np.where(x > limit, limit, x)


def _beyond(x, limit):
    return np.where(x <= limit, limit, x)


def _between(x, low, high):
    return np.where(x < low, low, _up_to(x, high))


def _j0(x):
    x = _size(x)
    near = _up_to(x, 8.0)
    far = _waves(_beyond(x, 8.0), series.P0, series.Q0)[0]
    return np.where(x <= 8, _chebyshev(near * near / 16 - 2, series.J0), far)


def _j1(x):
    near = _between(x, -8.0, 8.0)
    far = _waves(_beyond(_size(x), 8.0), series.P1, series.Q1)[1]
    small = near * _chebyshev(near * near / 16 - 2, series.J1)
    return np.where(np.abs(x) <= 8, small, np.where(x < 0, -far, far))


def _y0(x):
    near = _between(x, 0.0, 8.0)
    far = _waves(_beyond(x, 8.0), series.P0, series.Q0)[1]
    part = _chebyshev(near * near / 16 - 2, series.Y0)
    small = part + 0.6366197723675814 * np.log(near) * _j0(near)
    return _of_positive(x, np.where(x <= 8, small, far), -np.inf)


def _y1(x):
    near = _between(x, 0.0, 8.0)
    far = -_waves(_beyond(x, 8.0), series.P1, series.Q1)[0]
    part = near * _chebyshev(near * near / 16 - 2, series.Y1)
    small = part + 0.6366197723675814 * (np.log(near) * _j1(near) - 1 / near)
    return _of_positive(x, np.where(x <= 8, small, far), -np.inf)


def _of_positive(x, found, at_zero):
    return np.where(x > 0, found, np.where(x == 0, at_zero, np.nan))


def _sign_of(n):
    """The sign by which f of order -n differs from f of order n (DLMF 10.4.1)."""
    return -1 if n < 0 and n % 2 else 1


def _stable(n, x, first, second, shift):
    """f of order n from f of the orders 0 and 1 for x >= 0, by a recurrence in the order:
    f[k + 1] = (2 k + shift) f[k] / x - f[k - 1].

    Upwards the recurrence is stable up to the order x. Beyond that order f decreases, and its ratios
    come from the recurrence downwards (DLMF 10.74(iv)).
    """
    value, ahead = first, second
    for k in range(1, n + 1):
        is_next = k <= x
        further = (2 * k + shift) / np.where(x < 1.0, 1.0, x) * ahead - value
        value, ahead = np.where(is_next, ahead, value), np.where(is_next, further, ahead)
    # Even for x = n, f decreases by a factor of 1e-17 from the order n to the last one.
    last = n + 20 + int(12 * n ** (1 / 3))
    ratio, product = np.zeros_like(x), np.ones_like(x)
    for i in range(last):
        k = last - i
        ratio = x / (2 * k + shift - x * ratio)
        product = np.where((k <= n) & (k > x), product * ratio, product)
    return value * product


def _j(n, x):
    if n == 0:
        return _j0(x)
    if n == 1:
        return _j1(x)
    size = _size(x)
    found = _stable(n, size, _j0(size), _j1(size), 0)
    return np.where(x < 0, -found, found) if n % 2 else found


def _j_derivative(n, x):
    """DLMF 10.6.2."""
    if n == 0:
        return -j1(x)
    return 0.5 * (jv(n - 1, x) - jv(n + 1, x))


def j0(x):
    return _elementwise(_j, _j_derivative, 0, x)


def j1(x):
    return _elementwise(_j, _j_derivative, 1, x)


def jv(v, z):
    return _elementwise(_jv, _j_derivative, _order(v), z)


def _jv(n, x):
    # The sum makes 0.0 of -0.0, as SciPy's jv does and j1 does not.
    return _sign_of(n) * (_j(abs(n), x) + 0.0)


def jn(v, z):
    return jv(v, z)


def _y(n, x):
    if n < 0:
        return _sign_of(n) * _y(-n, x)
    if n == 0:
        return _y0(x)
    value, ahead = _y0(x), _y1(x)
    for k in range(1, n):
        further = 2 * k / np.where(x == 0, 1.0, x) * ahead - value
        value, ahead = ahead, np.where(ahead == -np.inf, ahead, further)
    return ahead


def _y_derivative(n, x):
    if n == 0:
        return -y1(x)
    return yn(n - 1, x) - n * yn(n, x) / x


def y0(x):
    return _elementwise(_y, _y_derivative, 0, x)


def y1(x):
    return _elementwise(_y, _y_derivative, 1, x)


def yn(n, x):
    return _elementwise(_y, _y_derivative, _order(n), x)


def yv(v, z):
    return yn(v, z)


# Modified Bessel functions; i with exp(-x) and k with exp(x) as a factor do not overflow.


def _i0(x):
    x = _size(x)
    near = _chebyshev(_up_to(x, 8.0) / 2.0 - 2.0, series.I0_NEAR)
    large = _beyond(x, 8.0)
    far = _chebyshev(32.0 / large - 2.0, series.I0_FAR) / np.sqrt(large)
    return np.where(x <= 8.0, near, far)


def _i1(x):
    small, large = _between(x, -8.0, 8.0), _beyond(_size(x), 8.0)
    near = small * _chebyshev(_size(small) / 2.0 - 2.0, series.I1_NEAR)
    far = _chebyshev(32.0 / large - 2.0, series.I1_FAR) / np.sqrt(large)
    # The sum makes 0.0 of -0.0.
    return np.where(np.abs(x) <= 8.0, near, np.where(x < 0, -far, far)) + 0.0


def _ie(n, x):
    n = abs(n)
    if n == 0:
        return _i0(x)
    if n == 1:
        return _i1(x)
    found = _modified(n, _size(x))
    return np.where(x < 0, -found, found) if n % 2 else found


def _modified(n, x):
    # Upwards the errors grow by a factor of exp(n**2 / x).
    bound = max(n * n, 20)
    value, ahead = _i0(x), _i1(x)
    for k in range(1, n):
        value, ahead = ahead, value - 2 * k / np.where(x < 1.0, 1.0, x) * ahead
    last = int(np.sqrt(n * n + 40 * bound)) + 20
    small = _up_to(x, bound)
    ratio, product = np.zeros_like(x), _i0(small)
    for i in range(last):
        k = last - i
        ratio = small / (2 * k + small * ratio)
        product = np.where(k <= n, product * ratio, product)
    return np.where(x > bound, ahead, product)


def _ie_derivative(n, x):
    """DLMF 10.29.2."""
    n = abs(n)
    own = ive(n, x)
    rest = i1e(x) if n == 0 else 0.5 * (ive(n - 1, x) + ive(n + 1, x))
    # exp(-|x|) has a kink at 0, at which the orders from 2 on are flat.
    sign = np.sign(x) if n > 1 else np.where(x == 0, edge(0.0, x), np.sign(x))
    return rest - sign * own


def i0e(x):
    return _elementwise(_ie, _ie_derivative, 0, x)


def i1e(x):
    return _elementwise(_ie, _ie_derivative, 1, x)


def ive(v, z):
    return _elementwise(_ie, _ie_derivative, _order(v), z)


def _i(n, x):
    return _ie(n, x) * np.exp(_size(x))


def _i_derivative(n, x):
    n = abs(n)
    return i1(x) if n == 0 else 0.5 * (iv(n - 1, x) + iv(n + 1, x))


def i0(x):
    return _elementwise(_i, _i_derivative, 0, x)


def i1(x):
    return _elementwise(_i, _i_derivative, 1, x)


def iv(v, z):
    return _elementwise(_i, _i_derivative, _order(v), z)


def _ke(n, x):
    n = abs(n)
    small, large = _between(x, 0.0, 2.0), _beyond(x, 2.0)
    square, inverse = small * small - 2, 8 / large - 2
    size, log = np.exp(small), np.log(small / 2)
    value = (_chebyshev(square, series.K0_NEAR) - log * size * _i0(small)) * size
    far = _chebyshev(inverse, series.K0_FAR) / np.sqrt(large)
    value = _of_positive(x, np.where(x <= 2, value, far), np.inf)
    if n == 0:
        return value
    ahead = (_chebyshev(square, series.K1_NEAR) / small + log * size * _i1(small)) * size
    far = _chebyshev(inverse, series.K1_FAR) / np.sqrt(large)
    ahead = _of_positive(x, np.where(x <= 2, ahead, far), np.inf)
    for k in range(1, n):
        value, ahead = ahead, 2 * k / np.abs(x) * ahead + value
    return ahead


def _ke_derivative(n, x):
    return kve(n, x) + _k_derivative_by(kve, n, x)


def _k_derivative_by(function, n, x):
    n = abs(n)
    if n == 0:
        return -function(1, x)
    return -function(n - 1, x) - n * function(n, x) / x


def k0e(x):
    return _elementwise(_ke, _ke_derivative, 0, x)


def k1e(x):
    return _elementwise(_ke, _ke_derivative, 1, x)


def kve(v, z):
    return _elementwise(_ke, _ke_derivative, _order(v), z)


def _k(n, x):
    return _ke(n, x) * np.exp(-x)


def _k_derivative(n, x):
    return _k_derivative_by(kn, n, x)


def k0(x):
    return _elementwise(_k, _k_derivative, 0, x)


def k1(x):
    return _elementwise(_k, _k_derivative, 1, x)


def kn(n, x):
    return _elementwise(_k, _k_derivative, _order(n), x)


def kv(v, z):
    return kn(v, z)


# Spherical Bessel functions.


def _sphere(n, x):
    size = _size(x)
    y = np.where((size == 0) | (size == np.inf), 1.0, size)
    first = np.sin(y) / y
    # `_stable` uses the order 1 for arguments from 1 on only, where its formula is accurate.
    found = _stable(n, y, first, (first - np.cos(y)) / y, 1)
    found = np.where(x < 0, -found, found) if n % 2 else found
    found = np.where(size == np.inf, 0.0, found)
    # The formulas divide by x, so that they have no derivatives at 0, where the series begins.
    odd = math.prod(range(1, 2 * n + 2, 2))
    square = x * x / 2
    start = x**n / odd * (1 - square / (2 * n + 3) * (1 - square / (2 * (2 * n + 5))))
    return np.where(x == 0, np.where(x == 0, start, 0.0) + 0.0, found)


def _sphere_derivative(n, x):
    """DLMF 10.51.2, where no term is divided by x."""
    if n == 0:
        return -spherical_jn(1, x)
    return (n * spherical_jn(n - 1, x) - (n + 1) * spherical_jn(n + 1, x)) / (2 * n + 1)


def spherical_jn(n, z, derivative=False):
    n = _order(n)
    if n < 0:
        return np.full(np.shape(z), np.nan)[()]
    z = special._floats(z)
    z = z.astype(np.float64) if z.dtype.kind == "f" else z
    return (
        _sphere_derivative(n, z) if derivative else _elementwise(_sphere, _sphere_derivative, n, z)
    )
