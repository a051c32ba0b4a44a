"""Averages, correlations, histograms, and the reductions that skip NaN."""

import numpy as np

from ingot.numpy import primitives as prim


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    a = np.asarray(a)
    axis = None if axis is None else prim.axes(axis, a.ndim)
    if weights is None:
        mean = np.mean(a, axis, keepdims=keepdims)
        if not returned:
            return mean
        return mean, np.full(np.shape(mean), a.size / np.size(mean), mean.dtype)[()]
    w = np.asarray(weights)
    dtype = np.result_type(a, w)
    if a.dtype.kind in "biu":
        dtype = np.result_type(a, w, "f8")
    if not prim.same_shape(a, w):
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        if w.shape != tuple([a.shape[i] for i in axis]):
            raise ValueError("Shape of weights must be consistent with shape of a along axis.")
        order = sorted(range(len(axis)), key=lambda i: axis[i])
        wide = [n if i in axis else 1 for i, n in enumerate(a.shape)]
        w = np.transpose(w, order).reshape(wide)
    scale = np.sum(w, axis=axis, dtype=dtype, keepdims=keepdims)
    prim.require(
        np.all(scale != 0), "ZeroDivisionError", "Weights sum to zero, can't be normalized"
    )
    mean = np.sum(a.astype(dtype) * w.astype(dtype), axis=axis, keepdims=keepdims) / scale
    if not returned:
        return mean
    return mean, np.broadcast_to(scale, np.shape(mean)).copy()[()]


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    if dtype is not None and np.dtype(dtype).kind not in "fc":
        raise TypeError(f"Cannot cast ufunc 'subtract' output to {np.dtype(dtype)}")
    m = np.asarray(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if dtype is None:
        dtype = np.result_type(m, np.float64) if y is None else np.result_type(m, y, np.float64)
    x = np.atleast_2d(m).astype(dtype)
    if not rowvar and m.ndim != 1:
        x = x.T
    if y is not None:
        other = np.atleast_2d(np.asarray(y)).astype(dtype)
        if not rowvar and other.shape[0] != 1:
            other = other.T
        x = np.concatenate((x, other), axis=0)
    if ddof is None:
        ddof = 0 if bias else 1
    elif ddof != int(ddof):
        raise ValueError("ddof must be integer")
    if x.size == 0:
        raise NotImplementedError("the covariance of no elements is not supported")
    if fweights is None and aweights is None:
        x = x - np.mean(x, axis=1, keepdims=True)
        made = np.dot(x, np.conj(x.T))
        made *= np.true_divide(1, np.maximum(x.shape[1] - ddof, 0.0))
        return np.squeeze(made)
    return _weighted_cov(x, ddof, fweights, aweights)


def _weighted_cov(x, ddof, fweights, aweights):
    w = np.ones(x.shape[1])
    if fweights is not None:
        is_whole = np.all(np.asarray(fweights) == np.round(np.asarray(fweights)))
        prim.require(is_whole, "TypeError", "fweights must be integer")
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is not None:
            w = w * _checked_weights(name, np.asarray(given, dtype=float), x.shape[1])
    mean, total = average(x, axis=1, weights=w, returned=True)
    free = total[0]
    if ddof != 0:
        spread = 1.0 if aweights is None else np.sum(w * np.asarray(aweights)) / free
        free = free - ddof * spread
    x -= mean[:, None]
    made = np.dot(x, np.conj((x * w).T))
    return np.squeeze(made * (1 / np.maximum(free.real, 0.0)))


def _checked_weights(name, weights, count):
    if weights.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if weights.shape[0] != count:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    prim.require(np.all(weights >= 0), "ValueError", f"{name} cannot be negative")
    return weights


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviation = np.sqrt(np.diag(c).real)
    c = c / deviation[:, None] / deviation[None, :]
    if c.dtype.kind == "c":
        return np.clip(c.real, -1, 1) + 1j * np.clip(c.imag, -1, 1)
    return np.clip(c, -1, 1)


def bincount(x, weights=None, minlength=0):
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("object too deep for desired array")
    if x.dtype.kind not in "iub":
        raise TypeError("Cannot cast array data to int64 according to the rule 'safe'")
    if prim.is_static(len(x)) and len(x) == 0:
        # NumPy does not look at the weights.
        return np.zeros(minlength, np.int64)
    x = x.astype(np.int64) if x.dtype == bool else x
    prim.require(np.all(x >= 0), "ValueError", "'list' argument must have no negative elements")
    if prim.is_static(minlength) and minlength == 0:
        length = int(np.max(x)) + 1 if len(x) else 0
        if not prim.is_bounded(length):
            raise NotImplementedError(
                "the length of np.bincount without minlength= is known only at run time"
            )
    else:
        length = minlength
        message = (
            "a value of np.bincount is not below minlength=: the length is known only at run time"
        )
        prim.require(np.all(x < length), "NotImplementedError", message)
    most = prim.upper_bound(length)
    if weights is None:
        counts = np.zeros(most, np.int64)
        prim.add_at(counts, *prim.with_zero_padding(x, np.ones_like(x, dtype=np.int64)))
        return counts if prim.is_static(length) else counts[:length]
    weights = np.asarray(weights)
    if weights.dtype.kind == "c":
        raise TypeError("Cannot cast array data to float64 according to the rule 'safe'")
    if weights.size != len(x):
        raise ValueError("The weights and list don't have the same length.")
    totals = np.zeros(most)
    prim.add_at(totals, *prim.with_zero_padding(x, weights.astype(np.float64)))
    return totals if prim.is_static(length) else totals[:length]


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    if isinstance(bins, str):
        raise NotImplementedError("bins= by name has a length known only at run time")
    a = np.asarray(a)
    if weights is not None and np.shape(weights) != a.shape:
        raise ValueError("weights should have the same shape as a.")
    if np.ndim(bins) > 1:
        raise ValueError("`bins` must be 1d, when an array")
    if np.ndim(bins) == 1:
        edges = np.asarray(bins)
        prim.require(
            np.all(edges[:-1] <= edges[1:]),
            "ValueError",
            "`bins` must increase monotonically, when an array",
        )
        return edges
    bins = prim.static(bins, "the number of bins")
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    dtype = np.result_type(a, np.float64) if a.dtype.kind in "iub" else a.dtype
    low, high = outer_edges(a, range, dtype)
    return np.linspace(low, high, bins + 1).astype(dtype)


def outer_edges(a, range, dtype):
    """The ends of all bins, in a dtype or as they are: the range, or those of the elements."""
    if range is not None:
        low, high = range
        message = "max must be larger than min in range parameter."
        prim.require(~(np.asarray(low) > high), "ValueError", message)
    elif prim.is_static(a.size):
        low, high = (np.min(a), np.max(a)) if a.size else (0.0, 1.0)
    else:
        low, high = _ends(a)
    low, high = np.asarray(low), np.asarray(high)
    if dtype is not None:
        low, high = low.astype(dtype), high.astype(dtype)
    is_point = low == high
    low, high = np.where(is_point, low - 0.5, low), np.where(is_point, high + 0.5, high)
    prim.require(
        np.isfinite(low) & np.isfinite(high), "ValueError", "range of the bins is not finite"
    )
    return low[()], high[()]


def _ends(a):
    """The least and the greatest element of an array of dynamic length; 0 and 1 if it is empty."""
    a = a.astype(np.uint8) if a.dtype.kind == "b" else a
    info = np.finfo(a.dtype) if a.dtype.kind == "f" else np.iinfo(a.dtype)
    is_none = a.size == 0
    low, high = np.min(a, initial=info.max), np.max(a, initial=info.min)
    return np.where(is_none, 0, low), np.where(is_none, 1, high)


def _index_in_equal_bins(a, edges):
    """The index of each element's bin; like NumPy divide, then correct errors of one at the edges."""
    a = a.astype(edges.dtype)
    last = len(edges) - 2
    index = ((a - edges[0]) / (edges[-1] - edges[0]) * (last + 1)).astype(np.int64)
    index = np.minimum(index, last)
    index = index - (a < edges[index])
    return index + ((a >= edges[index + 1]) & (index != last))


def histogram(a, bins=10, range=None, density=None, weights=None):
    a = np.asarray(a)
    edges = histogram_bin_edges(a, bins, range, weights)
    a = a.ravel()
    if len(edges) == 0:
        return np.zeros(0, np.int64 if weights is None else np.asarray(weights).dtype), edges
    count = len(edges) - 1
    inside = (a >= edges[0]) & (a <= edges[-1])
    if np.ndim(bins) == 0:
        index = _index_in_equal_bins(np.where(inside, a, edges[0]), edges)
    else:
        index = np.searchsorted(edges, a, side="right") - 1
        # The last bin includes its right edge.
        index = np.where(a == edges[-1], count - 1, index)
        index = np.where(inside, index, 0)
    if weights is None:
        hist = np.zeros(count, np.int64)
        prim.add_at(hist, *prim.with_zero_padding(index, inside.astype(np.int64)))
    else:
        w = np.asarray(weights).ravel()
        if w.dtype.kind == "b" and np.ndim(bins) == 1:
            raise TypeError("Cannot cast ufunc 'add' output from dtype('int64') to dtype('bool')")
        dtype = np.dtype(np.int64) if w.dtype.kind == "b" else w.dtype
        hist = np.zeros(count, dtype)
        prim.add_at(hist, *prim.with_zero_padding(index, np.where(inside, w, 0).astype(dtype)))
        hist = hist.astype(w.dtype)
    if density:
        return hist / np.diff(edges).astype(float) / np.sum(hist), edges
    return hist, edges


# Reductions that skip NaN.


def _filled(a, value):
    a = np.asarray(a)
    return np.where(np.isnan(a), a.dtype.type(value), a) if a.dtype.kind in "fc" else a


def _count(a, axis, keepdims, where=True):
    return np.sum(~np.isnan(a), axis=axis, keepdims=keepdims, where=where)


def _extremum(reduce, fold, limit, a, axis, out, keepdims, initial, where):
    a = np.asarray(a)
    if a.dtype.kind in "biu":
        return reduce(a, axis, out, keepdims, initial, where)
    if a.dtype.kind == "c" or initial is not np._NoValue or where is not True:
        return fold(a, axis, None, out, keepdims, initial, where)
    found = reduce(_filled(a, limit), axis=axis, keepdims=keepdims)
    found = np.where(_count(a, axis, keepdims) == 0, a.dtype.type(np.nan), found)[()]
    return prim.result_into(found, out)


def nanmin(a, axis=None, out=None, keepdims=False, initial=np._NoValue, where=True):
    fold = np.fmin.reduce
    return _extremum(np.min, fold, np.inf, a, axis, out, keepdims, initial, where)


def nanmax(a, axis=None, out=None, keepdims=False, initial=np._NoValue, where=True):
    fold = np.fmax.reduce
    return _extremum(np.max, fold, -np.inf, a, axis, out, keepdims, initial, where)


def _arg_extremum(arg, limit, a, axis, out, keepdims):
    a = np.asarray(a)
    if a.dtype.kind == "f":
        all_nan = np.any(np.all(np.isnan(a), axis=axis))
        prim.require(~all_nan, "ValueError", "All-NaN slice encountered")
        a = _filled(a, limit)
    return arg(a, axis=axis, out=out, keepdims=keepdims)


def nanargmin(a, axis=None, out=None, *, keepdims=False):
    return _arg_extremum(np.argmin, np.inf, a, axis, out, keepdims)


def nanargmax(a, axis=None, out=None, *, keepdims=False):
    return _arg_extremum(np.argmax, -np.inf, a, axis, out, keepdims)


def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=np._NoValue, where=True):
    return np.sum(
        _filled(a, 0),
        axis=axis,
        dtype=dtype,
        out=out,
        keepdims=keepdims,
        initial=initial,
        where=where,
    )


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=np._NoValue, where=True):
    return np.prod(
        _filled(a, 1),
        axis=axis,
        dtype=dtype,
        out=out,
        keepdims=keepdims,
        initial=initial,
        where=where,
    )


def nancumsum(a, axis=None, dtype=None, out=None):
    return np.cumsum(_filled(a, 0), axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    return np.cumprod(_filled(a, 1), axis, dtype, out)


def _inexact(a, dtype):
    to = a.dtype if dtype is None else np.dtype(dtype)
    if to.kind not in "fc":
        raise TypeError("If a is inexact, then dtype must be inexact")
    return to


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return np.mean(a, axis, dtype, out, keepdims, where=where)
    to = _inexact(a, dtype)
    total = np.sum(_filled(a, 0), axis=axis, dtype=to, keepdims=keepdims, where=where)
    count = _count(a, axis, keepdims, where)
    return prim.into((total / count).astype(to)[()], out, "unsafe")


def nanvar(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True,
    mean=np._NoValue, correction=np._NoValue,
):  # fmt: skip
    a = np.asarray(a)
    if correction is not np._NoValue:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    if a.dtype.kind not in "fc":
        given = None if mean is np._NoValue else mean
        return np.var(a, axis, dtype, out, ddof, keepdims, where=where, mean=given)
    to = _inexact(a, dtype)
    if a.size == 0:
        raise NotImplementedError("nanvar of no elements is not supported")
    if to.kind == "c" and dtype is not None:
        raise NotImplementedError("the variance in a complex dtype is not supported")
    center = nanmean(a, axis, to, keepdims=True, where=where) if mean is np._NoValue else mean
    gap = np.where(np.isnan(a), 0, a - center).astype(a.dtype)
    square = (gap * np.conj(gap)).real
    free = _count(a, axis, keepdims, where) - ddof
    total = np.sum(square, axis, np.zeros(0, to).real.dtype, keepdims=keepdims, where=where)
    variance = (total / np.where(free > 0, free, 1)).astype(total.dtype)
    return prim.result_into(np.where(free > 0, variance, total.dtype.type(np.nan))[()], out)


def nanstd(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True,
    mean=np._NoValue, correction=np._NoValue,
):  # fmt: skip
    variance = nanvar(
        a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    if variance.dtype.kind in "iu" and variance.ndim == 0 and out is None:
        return np.sqrt(variance).astype(variance.dtype)
    if variance.dtype.kind in "iu":
        # NumPy fails in the same way.
        return np.sqrt(variance, out=variance)
    return prim.result_into(np.sqrt(variance), out)
