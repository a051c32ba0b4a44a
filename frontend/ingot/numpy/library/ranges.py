"""np.logspace and np.geomspace, and the nodes and weights of Gauss quadratures."""

import itertools

import numpy as np

from ingot.numpy import primitives as prim


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if prim.is_static((start, stop, base)):
        return prim.constants(np.logspace, start, stop, num, endpoint, base, dtype, axis)
    if dtype is not None and np.dtype(dtype).kind in "iu":
        raise NotImplementedError(
            "np.logspace of integers needs bounds known at compile time; use np.round and .astype"
        )
    if np.ndim(base) > 0:
        ndim = max(np.ndim(start), np.ndim(stop), np.ndim(base))
        start, stop, base = [np.array(each, ndmin=ndim) for each in (start, stop, base)]
        base = np.expand_dims(base, axis=axis)
    found = np.power(base, np.linspace(start, stop, num=num, endpoint=endpoint, axis=axis))
    return found if dtype is None else found.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    if prim.is_static((start, stop)):
        return prim.constants(np.geomspace, start, stop, num, endpoint, dtype, axis)
    start, stop = np.asarray(start), np.asarray(stop)
    wide = np.result_type(start, stop, float(num), np.zeros((), dtype))
    to = wide if dtype is None else np.dtype(dtype)
    if to.kind in "iu":
        raise NotImplementedError(
            "np.geomspace of integers needs bounds known at compile time; use np.round and .astype"
        )
    prim.require(
        np.all(start != 0) & np.all(stop != 0),
        "ValueError",
        "Geometric sequence cannot include zero",
    )
    start, stop = start.astype(wide), stop.astype(wide)
    sign = np.sign(start)
    start, stop = start / sign, stop / sign
    found = np.logspace(np.log10(start), np.log10(stop), num, endpoint, 10.0, wide)
    # NumPy sets the ends, which the powers may miss by rounding.
    if num > 0:
        found[0] = start
    if num > 1 and endpoint:
        found[-1] = stop
    return np.moveaxis(found * sign, 0, axis).astype(to)


def leggauss(deg):
    return prim.constants(np.polynomial.legendre.leggauss, deg)


def chebgauss(deg):
    return prim.constants(np.polynomial.chebyshev.chebgauss, deg)


def hermgauss(deg):
    return prim.constants(np.polynomial.hermite.hermgauss, deg)


def hermegauss(deg):
    return prim.constants(np.polynomial.hermite_e.hermegauss, deg)


def laggauss(deg):
    return prim.constants(np.polynomial.laguerre.laggauss, deg)


def fromiter(iter, dtype, count=-1):
    items = list(iter) if count == -1 else list(itertools.islice(iter, count))
    if len(items) < count:
        raise ValueError(
            f"iterator too short: Expected {count} but iterator had only {len(items)} items."
        )
    made = np.array(items, dtype)
    if made.ndim != 1:
        raise NotImplementedError("np.fromiter takes numbers only")
    return made
