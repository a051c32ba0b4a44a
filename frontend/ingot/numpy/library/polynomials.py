"""Polynomials as arrays of coefficients, the highest power first."""

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import linalg


def polyval(p, x):
    p, x = np.asarray(p), np.asarray(x)
    y = np.zeros_like(x, dtype=np.result_type(p, x))
    for coefficient in p:
        y = y * x + coefficient
    return y[()]


def _padded(a1, a2):
    a1, a2 = np.atleast_1d(np.asarray(a1)), np.atleast_1d(np.asarray(a2))
    n = max(len(a1), len(a2))
    dtype = np.result_type(a1, a2)
    ends = [np.concatenate((np.zeros(n - len(a), dtype), a.astype(dtype))) for a in (a1, a2)]
    return ends[0], ends[1]


def polyadd(a1, a2):
    a1, a2 = _padded(a1, a2)
    return a1 + a2


def polysub(a1, a2):
    a1, a2 = _padded(a1, a2)
    return a1 - a2


def polyder(p, m=1):
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = np.asarray(p)
    if p.ndim != 1:
        raise NotImplementedError("polyder of several polynomials is not supported")
    for _ in prim.static_range(m):
        n = len(p) - 1
        p = p[:-1] * np.arange(n, 0, -1)
    return p


def polyint(p, m=1, k=None):
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    p = np.asarray(p)
    constants = np.zeros(m) if k is None else np.atleast_1d(np.asarray(k))
    if len(constants) == 1 and m > 1:
        constants = np.full(m, constants[0])
    for i in prim.static_range(m):
        p = np.concatenate((p / np.arange(len(p), 0, -1), constants[i : i + 1]))
    return p


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    if full or cov:
        raise NotImplementedError("full= and cov= of polyfit are not supported")
    x, y = np.asarray(x) + 0.0, np.asarray(y) + 0.0
    if x.dtype == np.float16 or y.dtype == np.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if len(x) != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    lhs = np.vander(x, deg + 1)
    if rcond is None:
        rcond = len(x) * np.finfo(x.dtype).eps
    if w is not None:
        w = np.asarray(w) + 0.0
        lhs = lhs * w[:, None]
        y = y * (w if y.ndim == 1 else w[:, None])
    scale = np.sqrt((lhs * lhs).sum(axis=0))
    columns = y if y.ndim > 1 else y[:, None]
    found = (linalg._least_squares(lhs / scale, columns, rcond)[0].T / scale).T
    return found if y.ndim > 1 else found[:, 0].copy()
