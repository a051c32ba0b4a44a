"""Differences, integrals, interpolation and convolution."""

import math

import numpy as np

from ingot.numpy import primitives as prim


def _along(ndim, axis, item):
    """An index that applies `item` along one axis."""
    return (slice(None),) * axis + (item,) + (slice(None),) * (ndim - axis - 1)


def diff(a, n=1, axis=-1, prepend=None, append=None):
    a = np.asarray(a)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if n == 0:
        return a
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = prim.axis(axis, a.ndim)
    parts = [a]
    for extra, first in ((prepend, True), (append, False)):
        if extra is not None:
            extra = np.asarray(extra)
            if extra.ndim == 0:
                extra = np.broadcast_to(extra, a.shape[:axis] + (1,) + a.shape[axis + 1 :])
            parts = [extra, *parts] if first else [*parts, extra]
    if len(parts) > 1:
        a = np.concatenate(parts, axis)
    for _ in prim.static_range(n):
        after, before = a[_along(a.ndim, axis, slice(1, None))], a[_along(a.ndim, axis, slice(-1))]
        a = after != before if a.dtype.kind == "b" else after - before
    return a


def ediff1d(ary, to_end=None, to_begin=None):
    ary = np.asarray(ary).ravel()
    parts = [ary[1:] - ary[:-1]]
    if to_begin is not None:
        parts = [_end_of_differences("to_begin", to_begin, ary.dtype), *parts]
    if to_end is not None:
        parts = [*parts, _end_of_differences("to_end", to_end, ary.dtype)]
    return np.concatenate(parts)


def _end_of_differences(name, values, dtype):
    values = np.asarray(values)
    if not np.can_cast(values.dtype, dtype, "same_kind"):
        raise TypeError(
            f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule."
        )
    return values.ravel().astype(dtype)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.asarray(y)
    along = prim.axis(axis, y.ndim)
    d = dx
    if x is not None:
        x = np.asarray(x)
        # The axis counts among those of x, which may be more or fewer than those of y.
        d = np.diff(x) if x.ndim == 1 else np.diff(x, axis=axis)
        if x.ndim == 1:
            d = d[(slice(None),) + (None,) * (y.ndim - along - 1)]
    ends = [y[_along(y.ndim, along, s)] for s in (slice(1, None), slice(None, -1))]
    return (d * (ends[0] + ends[1]) / 2.0).sum(axis)


def gradient(f, *varargs, axis=None, edge_order=1):
    f = np.asarray(f)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if f.dtype.kind in "iu":
        f = f.astype(np.float64)
    if axis is None:
        axes = tuple(range(f.ndim))
    else:
        axes = prim.axes(axis, f.ndim)
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError("invalid number of arguments")
    if len(varargs) == 1 and np.ndim(varargs[0]) != 0 and len(axes) != 1:
        raise TypeError("invalid number of arguments")
    spacings = varargs if len(varargs) == len(axes) else (varargs or (1.0,)) * len(axes)
    results = [_gradient(f, h, a, edge_order) for h, a in zip(spacings, axes)]
    return results[0] if len(axes) == 1 else tuple(results)


def _gradient(f, spacing, axis, edge_order):
    if f.shape[axis] < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        )
    f = np.moveaxis(f, axis, -1)
    out = np.empty_like(f)
    if np.ndim(spacing) == 0:
        h = spacing
        out[..., 1:-1] = (f[..., 2:] - f[..., :-2]) / (2.0 * h)
        first = last = h
    else:
        x = np.asarray(spacing)
        if x.shape[0] != f.shape[-1]:
            raise ValueError(
                "when 1d, distances must match the length of the corresponding dimension"
            )
        d = np.diff(x if x.dtype.kind not in "iu" else x.astype(np.float64))
        h1, h2 = d[:-1], d[1:]
        a, b, c = -h2 / (h1 * (h1 + h2)), (h2 - h1) / (h1 * h2), h1 / (h2 * (h1 + h2))
        out[..., 1:-1] = a * f[..., :-2] + b * f[..., 1:-1] + c * f[..., 2:]
        first, last = d[0], d[-1]
    if edge_order == 1:
        out[..., 0] = (f[..., 1] - f[..., 0]) / first
        out[..., -1] = (f[..., -1] - f[..., -2]) / last
    elif np.ndim(spacing) == 0:
        a, b, c = -1.5 / h, 2.0 / h, -0.5 / h
        out[..., 0] = a * f[..., 0] + b * f[..., 1] + c * f[..., 2]
        a, b, c = 0.5 / h, -2.0 / h, 1.5 / h
        out[..., -1] = a * f[..., -3] + b * f[..., -2] + c * f[..., -1]
    else:
        h1, h2 = d[0], d[1]
        a, b, c = -(2.0 * h1 + h2) / (h1 * (h1 + h2)), (h1 + h2) / (h1 * h2), -h1 / (h2 * (h1 + h2))
        out[..., 0] = a * f[..., 0] + b * f[..., 1] + c * f[..., 2]
        h1, h2 = d[-2], d[-1]
        a, b, c = h2 / (h1 * (h1 + h2)), -(h2 + h1) / (h1 * h2), (2.0 * h2 + h1) / (h2 * (h1 + h2))
        out[..., -1] = a * f[..., -3] + b * f[..., -2] + c * f[..., -1]
    return np.moveaxis(out, -1, axis)


def interp(x, xp, fp, left=None, right=None, period=None):
    x, xp, fp = np.asarray(x), np.asarray(xp), np.asarray(fp)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if xp.shape != fp.shape:
        raise ValueError("fp and xp are not of the same length.")
    if len(xp) == 0:
        raise ValueError("array of sample points is empty")
    if x.dtype.kind == "c" or xp.dtype.kind == "c":
        raise TypeError("Cannot cast array data from complex128 to float64 by the rule 'safe'")
    dtype = np.complex128 if fp.dtype.kind == "c" else np.float64
    x, xp, fp = x.astype(np.float64), xp.astype(np.float64), fp.astype(dtype)
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        period = abs(period)
        x, xp = x % period, xp % period
        order = np.argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = np.concatenate((xp[-1:] - period, xp, xp[:1] + period))
        fp = np.concatenate((fp[-1:], fp, fp[:1]))
        left = right = None
    n = len(xp)
    left = fp[0] if left is None else left
    right = fp[-1] if right is None else right
    if n == 1:
        inside = np.full(x.shape, fp[0])
    else:
        j = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, n - 2)
        left_x, left_y = prim.take(xp, j), prim.take(fp, j)
        slope = (prim.take(fp, j + 1) - left_y) / (prim.take(xp, j + 1) - left_x)
        # At a point the value is exact, and its derivative the slope, if that is finite.
        is_steep = ~np.isfinite(slope)
        inside = np.where((x == left_x) & is_steep, left_y, slope * (x - left_x) + left_y)
        last = np.where(is_steep, 0.0, slope) * (x - xp[-1]) + fp[-1]
        inside = np.where(x == xp[-1], last, inside)
    result = np.where(x < xp[0], left, np.where(x > xp[-1], right, inside))
    return np.where(np.isnan(x), x, result).astype(dtype)[()]


def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    p = np.asarray(p)
    d = np.diff(p, axis=axis)
    if discont is None:
        discont = period / 2
    dtype = np.result_type(d, period)
    is_whole = dtype.kind in "iu"
    high = period // 2 if is_whole else period / 2
    moved = np.mod(d - -high, period) + -high
    if not is_whole or period % 2 == 0:
        # `moved + period` is `high` there, with the slope of `moved`.
        moved = np.where((moved == -high) & (d > 0), moved + period, moved)
    correction = np.where(np.abs(d) < discont, 0, moved - d)
    up = np.array(p, dtype=dtype)
    axis = prim.axis(axis, p.ndim)
    rest = _along(p.ndim, axis, slice(1, None))
    up[rest] = p[rest] + np.cumsum(correction, axis=axis)
    return up


def convolve(a, v, mode="full"):
    a, v = np.atleast_1d(np.asarray(a)), np.atleast_1d(np.asarray(v))
    _check_mode(mode)
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError("object too deep for desired array")
    if len(a) == 0:
        raise ValueError("a cannot be empty")
    if len(v) == 0:
        raise ValueError("v cannot be empty")
    if len(v) > len(a):
        a, v = v, a
    dtype = np.result_type(a, v)
    n, m = len(a), len(v)
    compute_dtype = np.int64 if dtype.kind == "b" else np.float32 if dtype == np.float16 else dtype
    sums = np.zeros(n + m - 1, compute_dtype)
    a, v = a.astype(compute_dtype), v.astype(compute_dtype)
    # NumPy adds the products in the order of a.
    for i in range(m):
        sums[m - 1 - i : m - 1 - i + n] += a * v[m - 1 - i]
    sums = sums.astype(dtype)
    if mode in ("full", 2):
        return sums
    if mode in ("same", 1):
        return sums[(m - 1) // 2 : (m - 1) // 2 + n].copy()
    return sums[m - 1 : n].copy()


def _check_mode(mode):
    if isinstance(mode, str):
        if mode in ("valid", "same", "full"):
            return
        if mode[:1] in tuple("vVsSfF"):
            raise ValueError("Use one of 'valid', 'same', or 'full' for convolve/correlate mode")
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")
    if isinstance(mode, (bool, np.bool_)) or not isinstance(mode, (int, np.integer)):
        raise TypeError("convolve/correlate mode not understood")
    if not 0 <= mode <= 2:
        raise ValueError("integer convolve/correlate mode must be 0, 1, or 2")


def _conjugated(a):
    return np.conj(a) if a.dtype.kind == "c" else a


def correlate(a, v, mode="valid"):
    a, v = np.asarray(a), np.asarray(v)
    if len(v) > len(a):
        return _conjugated(convolve(v, _conjugated(a)[::-1], mode))[::-1].copy()
    return convolve(a, _conjugated(v)[::-1], mode)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    if any(isinstance(each, tuple) for each in (axisa, axisb, axisc)):
        raise TypeError("'tuple' object cannot be interpreted as an integer")
    a, b = np.asarray(a), np.asarray(b)
    a, b = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("incompatible dimensions for cross product (dimension must be 2 or 3)")
    a0, a1, b0, b1 = a[..., 0], a[..., 1], b[..., 0], b[..., 1]
    if a.shape[-1] == 2 and b.shape[-1] == 2:
        return np.array(a0 * b1 - a1 * b0)
    a2, b2 = (np.zeros((), x.dtype) if x.shape[-1] == 2 else x[..., 2] for x in (a, b))
    parts = (a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0)
    return np.moveaxis(np.stack(parts, axis=-1), -1, axisc)


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(np.cumsum, 0, x, axis, dtype, out, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(np.cumprod, 1, x, axis, dtype, out, include_initial)


def _cumulative(scan, first, x, axis, dtype, out, include_initial):
    x = np.atleast_1d(np.asarray(x))
    if axis is None:
        if x.ndim != 1:
            raise ValueError(
                "For arrays which have more than one dimension ``axis`` argument is required."
            )
        axis = 0
    if isinstance(axis, tuple):
        axes = prim.axes(axis, x.ndim)
        if len(axes) != 1:
            raise ValueError("accumulate does not allow multiple axes")
        if include_initial:
            raise TypeError("list indices must be integers or slices, not tuple")
        axis = axes[0]
    axis = prim.axis(axis, x.ndim)
    result = scan(x, axis, dtype)
    if include_initial:
        shape = x.shape[:axis] + (1,) + x.shape[axis + 1 :]
        result = np.concatenate((np.full(shape, first, result.dtype), result), axis)
    return prim.into(result, out)


#: The series in y**2 of the derivative of sin(y) / y, divided by y; the highest power first.
_SINC_DERIVATIVE = tuple(
    (-1) ** (k + 1) * 2 * (k + 1) / math.factorial(2 * k + 3) for k in range(10, -1, -1)
)


def _sinc_of_product(y):
    return prim.custom_jvp(_ratio_of_sine, _tangent_of_ratio, np.asarray(y))[()]


def _ratio_of_sine(y):
    safe = np.where(y == 0, 1, y)
    return np.where(y == 0, 1, np.sin(safe) / safe).astype(y.dtype)


def _tangent_of_ratio(primals, tangents):
    # Near zero the derivative of the quotient is a difference of large numbers: sum a series.
    (y,) = primals
    is_near = np.abs(y) < 1
    near, far = np.where(is_near, y, 0), np.where(is_near, 1, y)
    total = near * 0
    for c in prim.static_items(_SINC_DERIVATIVE):
        total = total * (near * near) + c
    derivative = np.where(is_near, total * near, (np.cos(far) - np.sin(far) / far) / far)
    return None, derivative.astype(y.dtype) * tangents[0]
