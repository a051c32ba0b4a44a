"""Powers of Python numbers of which each has the type that Python gives it."""

import numpy as np


def of_int(base, exponent):
    if exponent < 0:
        return float(base) ** exponent
    return base ** max(exponent, 0)


def of_float(base, exponent):
    is_whole = np.rint(exponent) == exponent or exponent != exponent
    if -np.inf < base < 0.0 and not is_whole:
        return complex(base) ** exponent
    return base**exponent
