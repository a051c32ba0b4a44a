"""The functions of the cmath module, on Python's complex numbers, with the exceptions that it raises."""

import math

import numpy as np

from ingot.numpy import primitives as prim


def sqrt(z):
    return complex(np.sqrt(z))


def exp(z):
    _require_angle(z.imag, z.real > -math.inf)
    return _in_range(z, np.exp(z))


def log(z):
    prim.require(z != 0, "ValueError", "math domain error")
    return complex(np.log(z))


def log_of_base(z, base):
    divisor = log(base)
    prim.require(divisor != 0, "ValueError", "math domain error")
    return log(z) / divisor


def log10(z):
    prim.require(z != 0, "ValueError", "math domain error")
    return complex(np.log10(z))


def cosh(z):
    _require_angle(z.imag, not math.isnan(z.real))
    return _in_range(z, np.cosh(z))


def sinh(z):
    _require_angle(z.imag, not math.isnan(z.real))
    return _in_range(z, np.sinh(z))


def tanh(z):
    _require_angle(z.imag, math.isfinite(z.real))
    return complex(np.tanh(z))


def cos(z):
    _require_angle(z.real, not math.isnan(z.imag))
    return _in_range(z, np.cos(z))


def sin(z):
    _require_angle(z.real, not math.isnan(z.imag))
    return _in_range(z, np.sin(z))


def tan(z):
    _require_angle(z.real, math.isfinite(z.imag))
    return complex(np.tan(z))


def acos(z):
    return complex(np.arccos(z))


def asin(z):
    return complex(np.arcsin(z))


def atan(z):
    prim.require(z.real != 0 or abs(z.imag) != 1, "ValueError", "math domain error")
    return complex(np.arctan(z))


def acosh(z):
    return complex(np.arccosh(z))


def asinh(z):
    return complex(np.arcsinh(z))


def atanh(z):
    prim.require(z.imag != 0 or abs(z.real) != 1, "ValueError", "math domain error")
    return complex(np.arctanh(z))


def phase(z):
    return math.atan2(z.imag, z.real)


def polar(z):
    return float(np.hypot(z.real, z.imag)), phase(z)


def rect(r, phi):
    is_endless = math.isinf(phi)
    prim.require(not (is_endless and abs(r) > 0), "ValueError", "math domain error")
    # Zero is zero at any angle, and at an angle of zero the imaginary part is one.
    angle = 0.0 if is_endless else phi
    if phi == 0:
        return complex(r, math.copysign(1.0, r) * phi)
    return complex(r * math.cos(angle), r * math.sin(angle))


def isnan(z):
    return math.isnan(z.real) or math.isnan(z.imag)


def isinf(z):
    return math.isinf(z.real) or math.isinf(z.imag)


def isfinite(z):
    return math.isfinite(z.real) and math.isfinite(z.imag)


def isclose(a, b, rel_tol, abs_tol):
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    gap = np.abs(a - b)
    return bool(gap <= rel_tol * np.abs(b) or gap <= rel_tol * np.abs(a) or gap <= abs_tol)


def _require_angle(angle, unless):
    """Raise what cmath raises for an infinite angle."""
    prim.require(not (math.isinf(angle) and unless), "ValueError", "math domain error")


def _in_range(z, made):
    """A result that is not infinite where the argument is finite."""
    made = complex(made)
    prim.require(isfinite(made) or not isfinite(z), "OverflowError", "math range error")
    return made
