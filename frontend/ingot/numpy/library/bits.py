"""Bits and mantissas of numbers, integer functions, and window functions."""

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import bessel
from ingot.numpy.library.linalg import _first


def packbits(a, axis=None, bitorder="big"):
    a = np.atleast_1d(np.asarray(a))
    if a.dtype.kind not in "iub":
        raise TypeError("Expected an input array of integer or boolean data type")
    if axis is None:
        a, axis = a.ravel(), 0
    axis = prim.axis(axis, a.ndim)
    moved = np.moveaxis(a, axis, -1) != 0
    n = moved.shape[-1]
    moved = np.concatenate((moved, np.zeros(moved.shape[:-1] + (-n % 8,), bool)), axis=-1)
    groups = moved.reshape(moved.shape[:-1] + (-1, 8))
    order = np.arange(7, -1, -1) if bitorder == "big" else np.arange(8)
    values = np.sum(groups * (1 << order), axis=-1)
    return np.moveaxis(values.astype(np.uint8), -1, axis)


def unpackbits(a, axis=None, count=None, bitorder="big"):
    a = np.atleast_1d(np.asarray(a))
    if a.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    if axis is None:
        a, axis = a.ravel(), 0
    axis = prim.axis(axis, a.ndim)
    moved = np.moveaxis(a, axis, -1)
    order = np.arange(7, -1, -1) if bitorder == "big" else np.arange(8)
    bits = (moved[..., None] >> order.astype(np.uint8)) & 1
    bits = bits.reshape(moved.shape[:-1] + (8 * moved.shape[-1],)).astype(np.uint8)
    if count is not None:
        n = bits.shape[-1]
        if count > n:
            zeros = np.zeros(bits.shape[:-1] + (count - n,), np.uint8)
            bits = np.concatenate((bits, zeros), axis=-1)
        bits = bits[..., :count]
    return np.moveaxis(bits, -1, axis).copy()


def gcd(x1, x2, /):
    dtype = np.result_type(x1, x2)
    if dtype.kind not in "iu":
        raise TypeError("ufunc 'gcd' takes integers only")
    a, b = np.broadcast_arrays(np.array(x1, dtype), np.array(x2, dtype))
    a, b = np.asarray(np.abs(a)), np.asarray(np.abs(b))
    while np.any(b != 0):
        rest = a % np.where(b == 0, 1, b)
        a, b = np.where(b == 0, a, b), np.where(b == 0, 0, rest)
    return a[()]


def _rounded_integer(n, scale):
    """An integer rounded to a multiple of the scale; ties go to the even multiple."""
    rest = n % scale
    whole = n - rest
    goes_up = rest * 2 > scale or (rest * 2 == scale and (whole // scale) % 2 == 1)
    return whole + scale if goes_up else whole


def _exact_product(a, b):
    """A product of floats and its rounding error (Dekker, 1971)."""
    product = a * b
    a_high, b_high = 134217729.0 * a, 134217729.0 * b
    a_high, b_high = a_high - (a_high - a), b_high - (b_high - b)
    a_low, b_low = a - a_high, b - b_high
    error = a_high * b_high - product + a_high * b_low + a_low * b_high + a_low * b_low
    return product, error


def _rounded_up(x, scale):
    """x rounded to as many decimals as the scale has zeros, by the exact product of both."""
    safe = np.where(np.abs(x) * scale < 9007199254740992.0, x, 0.0)[()]
    product, error = _exact_product(safe, scale)
    whole = np.rint(product)
    # The product's rounding error decides ties. It is less than any other remainder, and a half
    # only if the product is an integer.
    rest = product - whole
    is_odd = np.fmod(whole, 2.0) != 0.0
    up = ((rest == 0.5) & (error > 0.0)) | ((error == 0.5) & is_odd)
    down = ((rest == -0.5) & (error < 0.0)) | ((error == -0.5) & is_odd)
    whole = whole + np.where(up, 1.0, 0.0)[()] - np.where(down, 1.0, 0.0)[()]
    quotient = np.copysign(whole / prim.opaque(scale, x), x)
    return np.where(np.abs(x) * scale < 9007199254740992.0, quotient, x)[()]


def _rounded_down(x, scale):
    """x rounded to a multiple of the scale, by the exact remainder."""
    is_small = np.abs(x) < 9007199254740992.0 * scale
    safe = np.where(is_small, x, 0.0)[()]
    whole = np.rint(safe / scale)
    product, error = _exact_product(whole, scale)
    rest = ((safe - product) - error) * 2.0
    is_odd = np.fmod(whole, 2.0) != 0.0
    up = (rest > scale) | ((rest == scale) & is_odd)
    down = (rest < -scale) | ((rest == -scale) & is_odd)
    whole = whole + np.where(up, 1.0, 0.0)[()] - np.where(down, 1.0, 0.0)[()]
    return np.where(is_small, np.copysign(whole * scale, x), x)[()]


def _long_power(base, exponent):
    """Integer powers for exponents of more than six bits, six bits at a time."""
    result = prim.short_power(base, exponent & 63)
    rest = exponent >> 6
    while np.any(rest > 0):
        base = prim.short_power(base, 32)
        base = base * base
        result = result * prim.short_power(base, rest & 63)
        rest = rest >> 6
    return result


def lcm(x1, x2, /):
    dtype = np.result_type(x1, x2)
    a, b = np.array(x1, dtype), np.array(x2, dtype)
    divisor = gcd(a, b)
    return np.abs(a // np.where(divisor == 0, 1, divisor) * b)[()]


def modf(x, /):
    x = np.asarray(x)
    if x.dtype.kind in "iub":
        x = x.astype(prim.float_for(x.dtype))
    whole = np.trunc(x)
    # The case `whole == 0` avoids a subnormal difference, which XLA flushes to zero.
    part = np.where(np.isinf(x), 0.0, np.where(whole == 0, x, x - whole)).astype(x.dtype)
    return np.copysign(part, x)[()], np.copysign(whole, x)[()]


_INTEGER = {2: np.int16, 4: np.int32, 8: np.int64}


def nextafter(x1, x2, /):
    dtype = prim.ufunc_dtype(np.nextafter, x1, x2)
    x1, x2 = np.broadcast_arrays(np.asarray(x1), np.asarray(x2))
    x1, x2 = x1.astype(dtype), x2.astype(dtype)
    bits, other = (prim.bitcast(x, _INTEGER[dtype.itemsize]) for x in (x1, x2))
    rank, target = _rank(bits), _rank(other)
    goes_away = (target > rank) == (rank > 0)
    moved = bits + np.where(goes_away, 1, -1).astype(bits.dtype)
    one = np.asarray(1, bits.dtype)
    tiny = np.where(target > 0, one, one + np.iinfo(bits.dtype).min)
    is_nan = np.isnan(x1) | np.isnan(x2)
    stepped = prim.bitcast(np.where(rank == 0, tiny, moved), dtype)
    # For two zeros NumPy returns the second, for float16 the first.
    same = x1 if dtype == np.float16 else x2
    found = np.where(rank == target, same, stepped)
    return np.where(is_nan, dtype.type(np.nan), found)[()]


def _rank(bits):
    """Integers in the same order as the floats with these bits; comparing the floats themselves
    would take subnormal numbers for 0."""
    return np.where(bits < 0, np.iinfo(bits.dtype).min - bits, bits)


def spacing(x, /):
    x = np.asarray(x)
    if x.dtype.kind in "iub":
        x = x.astype(prim.float_for(x.dtype))
    if x.dtype == np.float16:
        raise NotImplementedError("np.spacing of float16 is not supported; use .astype(np.float32)")
    x = prim.unary("stop_gradient", x)
    info, integer = np.finfo(x.dtype), _INTEGER[x.dtype.itemsize]
    exponent, fraction = _fields(x)
    # Make the bits of the gap: near zero it is subnormal, for which arithmetic gives 0.
    exponent_or_one = np.maximum(exponent, 1)
    is_plain = exponent_or_one > info.nmant
    above = np.where(is_plain, exponent_or_one - info.nmant, 0) << info.nmant
    below = np.asarray(1, integer) << np.where(is_plain, 0, exponent_or_one - 1)
    gap = prim.bitcast(np.where(is_plain, above, below).astype(integer), x.dtype)
    gap = np.where(np.abs(x) == info.max, x.dtype.type(np.inf), gap)
    gap = np.where(np.signbit(x) & (exponent + fraction != 0), -gap, gap)
    return np.where(np.isfinite(x), gap, x.dtype.type(np.nan))[()]


def _fields(x):
    """The biased exponent and the fraction of floats, as integers of the same size."""
    info, integer = np.finfo(x.dtype), _INTEGER[x.dtype.itemsize]
    bits = prim.bitcast(x, integer)
    exponent = (bits >> info.nmant) & np.asarray((1 << info.nexp) - 1, integer)
    return exponent, bits & np.asarray((1 << info.nmant) - 1, integer)


def frexp(x, /):
    x = np.asarray(x)
    if x.dtype.kind in "iub":
        x = x.astype(prim.float_for(x.dtype))
    info, integer = np.finfo(x.dtype), _INTEGER[x.dtype.itemsize]
    x, scaled = prim.unary("stop_gradient", x), x
    exponent, fraction = _fields(x)
    is_plain = (exponent + fraction != 0) & np.isfinite(x)
    # The fraction of a subnormal number is its multiple of the smallest one.
    is_small = exponent == 0
    whole_exponent, whole_fraction = _fields(fraction.astype(x.dtype))
    fraction = np.where(is_small, whole_fraction, fraction)
    lowest = np.where(is_small, info.minexp - info.nmant, 0).astype(np.int32)
    exponent = np.where(is_small, whole_exponent, exponent).astype(np.int32) + lowest
    half = np.asarray(-info.minexp << info.nmant, integer)
    mantissa = np.copysign(prim.bitcast(fraction | half, x.dtype), x)
    exponent = np.where(is_plain, exponent + info.minexp, 0).astype(np.int32)
    mantissa = np.where(is_plain, mantissa, x)
    return prim.custom_jvp(_first, _mantissa_tangent, mantissa, scaled, exponent)[()], exponent[()]


def _mantissa_tangent(primals, tangents):
    found, _, exponent = primals
    return found, tangents[1] * np.exp2(-exponent.astype(found.dtype))


def ldexp(x1, x2, /):
    # NumPy takes a Python number as one of 32 bits.
    x1, x2 = np.asarray(x1), np.asarray(x2, np.int32 if isinstance(x2, int) else None)
    is_integer = x2.dtype.kind in "iub" and x2.dtype != np.uint64
    if x1.dtype.kind == "c" or not is_integer:
        raise TypeError("ufunc 'ldexp' not supported for the input types")
    if x1.dtype.kind in "iub":
        x1 = x1.astype(prim.float_for(x1.dtype))
    if x1.dtype == np.float16:
        # Single precision has all these numbers, so that only the conversion rounds.
        return ldexp(x1.astype(np.float32), np.clip(x2, -60, 60)).astype(np.float16)[()]
    # As C's scalbn: factors are normal numbers, and a product that is too small comes last.
    info, integer = np.finfo(x1.dtype), _INTEGER[x1.dtype.itemsize]
    most, least = info.maxexp - 1, info.minexp
    far = least + info.nmant + 1
    result, n = x1, np.clip(x2, -4 * most, 4 * most).astype(integer)
    for _ in prim.static_range(2):
        up, down = n > most, n < least
        factor = np.where(up, 2.0**most, np.where(down, 2.0**far, 1.0)).astype(x1.dtype)
        result = result * factor
        n = n - np.where(up, most, np.where(down, far, 0)).astype(integer)
    n = np.clip(n, least, most).astype(integer)
    return (result * prim.bitcast((n + most) << info.nmant, x1.dtype))[()]


def bitwise_count(x, /):
    x = np.asarray(x)
    if x.dtype.kind == "b":
        return x.astype(np.uint8)[()]
    if x.dtype.kind not in "iu":
        raise TypeError("ufunc 'bitwise_count' takes integers only")
    size = np.abs(x).astype(np.uint64)
    count = np.zeros(x.shape, np.uint8)
    for i in range(8 * x.dtype.itemsize):
        count = count + ((size >> np.uint64(i)) & np.uint64(1)).astype(np.uint8)
    return count[()]


# Windows.


def bartlett(M):
    return prim.constants(np.bartlett, M)


def blackman(M):
    return prim.constants(np.blackman, M)


def hamming(M):
    return prim.constants(np.hamming, M)


def hanning(M):
    return prim.constants(np.hanning, M)


def i0(x):
    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    return np.asarray(bessel.i0(x if x.dtype.kind == "f" else x.astype(float)))


def kaiser(M, beta):
    n = np.arange(0, M)
    if M == 1:
        return np.ones(1)
    alpha = (M - 1) / 2.0
    return np.i0(beta * np.sqrt(1 - ((n - alpha) / alpha) ** 2.0)) / np.i0(beta)
