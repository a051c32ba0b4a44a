"""Functions of the math module that take floats apart, on floats."""

import math

import numpy as np

from ingot.numpy import primitives as prim


def remainder(x, y):
    is_wrong = not math.isnan(x) and not math.isnan(y) and (y == 0 or math.isinf(x))
    prim.require(not is_wrong, "ValueError", "math domain error")
    if math.isinf(y) and math.isfinite(x):
        return x
    size, step = abs(x), abs(y)
    rest = np.fmod(size, step)
    gap = step - rest
    # Where both multiples are as near, the even one is taken.
    even = rest - 2.0 * np.fmod(0.5 * (size - rest), step)
    nearest = rest if rest < gap else -gap if rest > gap else even
    return float(math.copysign(1.0, x) * nearest)


def ldexp(x, exponent):
    # More than the exponents of all floats: beyond, nothing changes.
    made = float(np.ldexp(x, np.int64(min(max(exponent, -2200), 2200))))
    prim.require(not math.isinf(made) or math.isinf(x), "OverflowError", "math range error")
    return made


def frexp(x):
    mantissa, exponent = np.frexp(x)
    return float(mantissa), int(exponent)


def modf(x):
    fraction, whole = np.modf(x)
    return float(fraction), float(whole)


def ulp(x):
    return math.inf if math.isinf(x) else float(abs(np.spacing(x)))
