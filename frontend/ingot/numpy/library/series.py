"""The values of the series of np.polynomial, by the recurrences that NumPy uses."""

import numpy as np


def _prepared(x, c, tensor):
    """The argument, and coefficients that broadcast with it."""
    c = np.atleast_1d(np.asarray(c))
    c = c + 0.0 if c.dtype.kind in "biu" else c
    x = np.asarray(x) if isinstance(x, (tuple, list)) else x
    if isinstance(x, np.ndarray) and tensor:
        c = c.reshape(c.shape + (1,) * x.ndim)
    return x, c


def _last(c):
    """The last two coefficients."""
    return (c[0], 0) if len(c) == 1 else (c[-2], c[-1])


def polyval(x, c, tensor=True):
    x, c = _prepared(x, c, tensor)
    made = c[-1] + x * 0
    for i in range(2, len(c) + 1):
        made = c[-i] + made * x
    return made


def chebval(x, c, tensor=True):
    x, c = _prepared(x, c, tensor)
    low, high = _last(c)
    for i in range(3, len(c) + 1):
        low, high = c[-i] - high, low + high * (2 * x)
    return low + high * x


def legval(x, c, tensor=True):
    x, c = _prepared(x, c, tensor)
    low, high = _last(c)
    for i in range(3, len(c) + 1):
        n = len(c) - i + 2
        low, high = c[-i] - high * ((n - 1) / n), low + high * x * ((2 * n - 1) / n)
    return low + high * x


def lagval(x, c, tensor=True):
    x, c = _prepared(x, c, tensor)
    low, high = _last(c)
    for i in range(3, len(c) + 1):
        n = len(c) - i + 2
        low, high = c[-i] - (high * (n - 1)) / n, low + (high * ((2 * n - 1) - x)) / n
    return low + high * (1 - x)


def hermval(x, c, tensor=True):
    x, c = _prepared(x, c, tensor)
    low, high = _last(c)
    for i in range(3, len(c) + 1):
        low, high = c[-i] - high * (2 * (len(c) - i + 1)), low + high * (x * 2)
    return low + high * (x * 2)


def hermeval(x, c, tensor=True):
    x, c = _prepared(x, c, tensor)
    low, high = _last(c)
    for i in range(3, len(c) + 1):
        low, high = c[-i] - high * (len(c) - i + 1), low + high * x
    return low + high * x
