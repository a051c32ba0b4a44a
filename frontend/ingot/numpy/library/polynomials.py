"""Polynomials as arrays of coefficients, the highest power first."""

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import linalg


def polyval(p, x):
    p, x = np.asarray(p), np.asarray(x)
    if len(p) == 0:
        return np.zeros_like(x)
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


def _trimmed(p):
    """The coefficients without leading zeros; the number of zeros must be static."""
    if isinstance(p, (list, tuple)) and prim.is_static(p):
        while len(p) > 1 and p[0] == 0:
            p = p[1:]
    p = np.atleast_1d(np.asarray(p))
    if p.ndim != 1:
        raise ValueError("c_or_r must be 1d or 2d")
    if len(p) > 1:
        prim.require(p[0] != 0, "NotImplementedError", _LEADING)
    return p


_LEADING = (
    "the leading coefficient of a polynomial is zero: NumPy leaves it out, and the length of the "
    "result is known only at run time"
)


def polymul(a1, a2):
    return np.convolve(_trimmed(a1), _trimmed(a2))


def polydiv(u, v):
    u, v = np.atleast_1d(np.asarray(u)) + 0.0, np.atleast_1d(np.asarray(v)) + 0.0
    m, n = len(u) - 1, len(v) - 1
    dtype = np.result_type(u, v)
    scale = 1.0 / v[0]
    q = np.zeros(max(m - n + 1, 1), dtype)
    r = u.astype(dtype)
    for k in range(m - n + 1):
        d = scale * r[k]
        q[k] = d
        r[k : k + n + 1] -= d * v
    # NumPy drops the leading zeros of the remainder; the division makes `gone` of them.
    gone = min(max(m - n + 1, 0), len(r) - 1)
    is_known = np.all(_is_dropped(r[:gone]))
    if len(r) - gone > 1:
        is_known = is_known & ~_is_dropped(r[gone])
    prim.require(
        is_known,
        "NotImplementedError",
        "how many leading coefficients of the remainder are zero is known only at run time",
    )
    return q, r[gone:]


def _is_dropped(coefficient):
    return np.isclose(coefficient, 0, rtol=1e-14)


def _refuse_number(p):
    if np.ndim(p) == 0:
        raise TypeError("dispatcher for __array_function__ did not return an iterable")


def roots(p):
    _refuse_number(p)
    zeros = 0
    if isinstance(p, (list, tuple)) and prim.is_static(p):
        if all(each == 0 for each in p):
            return np.zeros(0)
        while len(p) > 1 and p[-1] == 0:
            p, zeros = p[:-1], zeros + 1
    p = _trimmed(p)
    if p.dtype.kind not in "fc":
        p = p.astype(float)
    if len(p) < 2:
        return np.zeros(zeros)
    prim.require(
        p[-1] != 0,
        "NotImplementedError",
        "the last coefficient is zero: the number of roots that are zero is known only at run time",
    )
    companion = np.diag(np.ones(len(p) - 2, p.dtype), -1)
    companion[0, :] = -p[1:] / p[0]
    found = np.linalg.eigvals(companion)
    return np.concatenate((found, np.zeros(zeros, found.dtype)))


def poly(seq_of_zeros):
    _refuse_number(seq_of_zeros)
    zeros = np.atleast_1d(np.asarray(seq_of_zeros))
    if zeros.ndim != 1 or zeros.dtype.kind == "c":
        raise NotImplementedError(
            "np.poly of matrices and of complex roots has a dtype known only at run time"
        )
    if len(zeros) == 0:
        return 1.0
    dtype = np.float32 if zeros.dtype == np.float32 else np.float64
    made = np.ones(1, dtype)
    for i in prim.static_range(len(zeros)):
        made = np.convolve(made, np.array([1, -zeros[i]], dtype))
    return made


def _fitted_in_padding(x, y, deg, rcond, needs_more, w):
    """np.polyfit of arrays of dynamic length: unused points are equations of zeros."""
    if needs_more or y.ndim != 1:
        raise NotImplementedError("full=, cov= and several y for a number of points that varies")
    prim.require(len(x) > 0, "TypeError", "expected non-empty vector for x")
    live = np.ones_like(x)
    if w is not None:
        live, y = live * (np.asarray(w) + 0.0), y * (np.asarray(w) + 0.0)
    live, _ = prim.with_zero_padding(live, y)
    x, y = prim.with_zero_padding(x, y)
    lhs = np.vander(x, deg + 1) * live[:, None]
    scale = np.sqrt((lhs * lhs).sum(axis=0))
    return linalg._least_squares(lhs / scale, y[:, None], rcond)[0][:, 0] / scale


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    x, y = np.asarray(x) + 0.0, np.asarray(y) + 0.0
    if y.dtype == np.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if len(x) != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    if not isinstance(deg, (int, np.integer)):
        raise NotImplementedError("a list of degrees is not supported; use np.linalg.lstsq")
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if rcond is None:
        rcond = len(x) * np.finfo(x.dtype).eps
    if not prim.is_static(len(x)):
        return _fitted_in_padding(x, y, deg, rcond, full or cov, w)
    lhs = np.vander(x, deg + 1)
    if w is not None:
        w = np.asarray(w) + 0.0
        lhs = lhs * w[:, None]
        y = y * (w if y.ndim == 1 else w[:, None])
    scale = np.sqrt((lhs * lhs).sum(axis=0))
    lhs = lhs / scale
    if not full and not cov:
        columns = y if y.ndim > 1 else y[:, None]
        found = (linalg._least_squares(lhs, columns, rcond)[0].T / scale).T
        return found if y.ndim > 1 else found[:, 0].copy()
    found, residuals, rank, s = np.linalg.lstsq(lhs, y, rcond)
    found = (found.T / scale).T
    if full:
        return found, residuals, rank, s, rcond
    base = np.linalg.inv(np.dot(lhs.T, lhs)) / np.outer(scale, scale)
    factor = 1
    if cov != "unscaled":
        if len(x) <= deg + 1:
            raise ValueError(
                "the number of data points must exceed order to scale the covariance matrix"
            )
        factor = residuals / (len(x) - (deg + 1))
    return found, (base if y.ndim == 1 else base[:, :, None]) * factor
