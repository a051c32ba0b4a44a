"""Sorting, searching and order statistics."""

import numpy as np

from ingot.numpy import primitives as prim


def _keys(a):
    """The sort keys of a: NaN last, complex numbers by their real and then their imaginary part."""
    if a.dtype.kind != "c":
        return (a,)
    real, imag = a.real, a.imag
    no_real, no_imag = np.isnan(real), np.isnan(imag)
    group = 2 * no_real.astype(np.int8) + no_imag.astype(np.int8)
    return group, np.where(no_real, 0, real), np.where(no_imag, 0, imag)


def index_of_extreme(a, axis, is_largest):
    """The index of the largest (or smallest) complex number along an axis, or of the first NaN."""
    best, least = (np.max, -np.inf) if is_largest else (np.min, np.inf)
    no_number = np.isnan(a)
    real = np.where(no_number, least, a.real)
    is_found = (real == best(real, axis, keepdims=True)) & ~no_number
    imag = np.where(is_found, a.imag, least)
    is_found = is_found & (imag == best(imag, axis, keepdims=True))
    has_nan = np.any(no_number, axis, keepdims=True)
    return np.argmax(np.where(has_nan, no_number, is_found).astype(np.int8), axis)


def extreme(a, axes, is_largest):
    """The largest (or smallest) complex number over some axes."""
    _, a = prim.reduced_last(a, axes)
    index = np.expand_dims(index_of_extreme(a, -1, is_largest), -1)
    return np.take_along_axis(a, index, -1)[..., 0]


def _flat(a, axis):
    a = np.asarray(a)
    return (a.ravel(), 0) if axis is None else (a, axis)


def _sorted(a, axis):
    if a.dtype.kind == "c":
        keys = _keys(a)
        return prim.sort((*keys, a), axis, len(keys))[-1]
    return prim.sort((a,), axis, 1)[0]


def _check_kind(kind, stable):
    if kind is None:
        return
    if not isinstance(kind, str):
        raise TypeError("sort kind must be str")
    if kind[:1].lower() not in ("q", "h", "m", "s"):
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got '{kind}')")
    if stable is not None:
        raise ValueError("`kind` and keyword parameters can't be provided at the same time.")


def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    _check_kind(kind, stable)
    if order is not None:
        raise NotImplementedError("order= needs an array with fields, which is not supported")
    a, axis = _flat(a, axis)
    return _sorted(a, axis)


def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    _check_kind(kind, stable)
    if order is not None:
        raise NotImplementedError("order= needs an array with fields, which is not supported")
    a = np.reshape(a, (1,)) if np.ndim(a) == 0 else a
    a, axis = _flat(a, axis)
    keys = _keys(a)
    is_stable = stable if kind is None else kind[:1].lower() in ("m", "s")
    return prim.sort((*keys, prim.iota(a.shape, axis)), axis, len(keys), bool(is_stable))[-1]


def lexsort(keys, axis=-1):
    keys = [np.asarray(key) for key in keys]
    if len(keys) == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    parts = ()
    for key in keys[::-1]:
        parts = (*parts, *_keys(key))
    if keys[0].ndim == 0 and axis in (0, -1):
        return np.int64(0)
    return prim.sort((*parts, prim.iota(keys[0].shape, axis)), axis, len(parts))[-1]


def sort_complex(a):
    a = np.asarray(a)
    if a.dtype.kind != "c":
        a = a.astype(np.complex64 if a.dtype.itemsize < 4 and a.dtype.kind in "iu" else complex)
    return sort(a)


def partition(a, kth, axis=-1, kind="introselect", order=None):
    _check_selection(kind)
    _check_kth(a, kth, axis)
    return sort(a, axis, order=order)


def _check_selection(kind):
    if not isinstance(kind, str):
        raise TypeError("select kind must be str")
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got '{kind}')")


def _check_kth(a, kth, axis):
    if np.ndim(kth) > 1:
        raise ValueError("object too deep for desired array")
    kind = np.result_type(kth).kind
    if kind == "b":
        raise ValueError("Booleans unacceptable as partition index")
    if kind not in "iu":
        raise TypeError("Partition index must be integer")
    if np.size(a) == 0:
        return
    n = np.size(a, axis)
    for each in prim.static_items((kth,) if np.ndim(kth) == 0 else tuple(kth)):
        if prim.is_static(each) and not -n <= each < n:
            raise ValueError(f"kth(={each}) out of bounds ({n})")


def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    _check_selection(kind)
    _check_kth(a, kth, axis)
    return argsort(a, axis, order=order)


def _before(a, b):
    """a < b in sorting order."""
    if a.dtype.kind == "f":
        return (a < b) | (np.isnan(b) & ~np.isnan(a))
    return a < b


def searchsorted(a, v, side="left", sorter=None):
    a = np.asarray(a)
    if a.ndim != 1:
        raise ValueError("object too deep for desired array")
    if not isinstance(side, str):
        raise TypeError("search side must be str")
    if side not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got '{side}')")
    if sorter is not None:
        sorter = np.asarray(sorter)
        if sorter.dtype.kind not in "iu":
            raise TypeError("sorter must only contain integers")
        if sorter.size != a.size:
            raise ValueError("sorter.size must equal a.size")
        a = np.take(a, sorter)
    v = np.asarray(v)
    dtype = np.result_type(a, v)
    if dtype.kind == "c":
        raise NotImplementedError("searchsorted of complex numbers is not supported")
    n = a.shape[0]
    most = prim.upper_bound(n)
    found = np.zeros(v.shape, np.int64)
    if most == 0:
        return found[()]
    a, v = a.astype(dtype), v.astype(dtype)
    # The result is at least `found` and at most `size` more; each step halves that, without a branch.
    for size in prim.static_items(_halves(most)):
        place = found + size // 2
        item = prim.take(a, np.minimum(place, most - 1))
        goes_right = _before(item, v) if side == "left" else ~_before(v, item)
        found = np.where(goes_right & (place < n), place + 1, found)
    return prim.bounded(found[()], n)


def _halves(size):
    """A size, its half, half of that and so on."""
    found = ()
    while size > 0:
        found = (*found, size)
        size //= 2
    return found


def digitize(x, bins, right=False):
    x, bins = np.asarray(x), np.asarray(bins)
    if x.dtype.kind == "c":
        raise TypeError("x may not be complex")
    if bins.ndim != 1:
        raise ValueError("bins must be 1d")
    if len(bins) == 0:
        return np.zeros(x.shape, np.int64)[()]
    # As NumPy finds it, which goes by the first bins that differ, and takes NaN as in order.
    others = bins != bins[0]
    increasing = ~np.any(others[1:]) | (
        bins[0] < bins[np.argmax(others & (np.arange(len(bins)) > 0))]
    )
    before, after = bins[:-1], bins[1:]
    prim.require(
        np.all(np.where(increasing, ~(before > after), ~(before < after))),
        "ValueError",
        "bins must be monotonically increasing or decreasing",
    )
    side = "left" if right else "right"
    found = searchsorted(np.where(increasing, bins, bins[::-1]), x, side=side)
    return np.where(increasing, found, len(bins) - found)[()]


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = np.asarray(a)
    axes, moved = prim.reduced_last(a, axis)
    n = moved.shape[-1]
    if n == 0:
        return _finish_median(np.mean(moved, axis=-1), a, axes, keepdims, out)
    ordered = _sorted(moved, -1)
    low, high = ordered[..., (n - 1) // 2], ordered[..., n // 2]
    dtype = np.mean(np.zeros(1, a.dtype)).dtype
    middle = low.astype(dtype) if n % 2 else np.mean(np.stack((low, high)), axis=0)
    if a.dtype.kind in "fc":
        last = ordered[..., -1]
        middle = np.where(np.isnan(last), last, middle)
    return _finish_median(middle, a, axes, keepdims, out)


def _finish_median(middle, a, axes, keepdims, out):
    found = prim.finish(middle, a, axes, keepdims, out)
    # With keepdims NumPy returns an array even if it has no axes.
    return np.asarray(found) if keepdims and out is None else found


def masked_median(a, mask):
    """The median along the first axis of the items that a mask selects."""
    n = np.sum(mask)
    items = np.moveaxis(a, 0, -1)
    last = max(items.shape[-1] - 1, 0)
    is_out = np.broadcast_to(~mask, items.shape).astype(np.int8)
    ordered = prim.sort((is_out, items), -1, 2)[1]
    low = ordered[..., np.clip((n - 1) // 2, 0, last)]
    high = ordered[..., np.minimum(n // 2, last)]
    middle = np.where(n % 2 == 1, low, np.mean(np.stack((low, high)), axis=0))
    is_nan = n == 0
    if a.dtype.kind == "f":
        is_nan = is_nan | np.any(mask & np.isnan(items), axis=-1)
    return np.where(is_nan, middle.dtype.type(np.nan), middle)[()]


def masked_extreme(a, mask, best):
    """The index among the selected items, along the first axis, of the first one that is equal to
    `best` or NaN."""
    items = np.moveaxis(a, 0, -1)
    is_best = mask & ((items == np.asarray(best)[..., None]) | (items != items))
    return np.take(np.cumsum(mask), np.argmax(is_best, axis=-1)) - 1


def _as_fractions(q, a):
    """The fractions q as an array; a Python number takes the dtype of a, if that is a float dtype."""
    is_python = isinstance(q, (int, float)) and not isinstance(q, np.floating)
    return np.asarray(q, a.dtype) if is_python and a.dtype.kind == "f" else np.asarray(q)


def masked_percentile(a, mask, q, method):
    q = _fraction(a, q)
    prim.require(
        np.all((q >= 0) & (q <= 1)), "ValueError", "Percentiles must be in the range [0, 100]"
    )
    return masked_quantile(a, mask, q, method)


def masked_quantile(a, mask, q, method):
    """Quantiles along the first axis of the items that a mask selects."""
    n = np.sum(mask)
    prim.require(n > 0, "IndexError", "quantiles of an empty array do not exist")
    q = _as_fractions(q, a)
    prim.require(np.all((q >= 0) & (q <= 1)), "ValueError", "Quantiles must be in the range [0, 1]")
    items = np.moveaxis(a, 0, -1)
    is_out = np.broadcast_to(~mask, items.shape).astype(np.int8)
    ordered = np.moveaxis(prim.sort((is_out, items), -1, 2)[1], -1, 0)
    wide = q.ravel().reshape((-1,) + (1,) * (ordered.ndim - 1))
    wide = wide * np.ones((1, *ordered.shape[1:]), q.dtype)
    count = n.astype(wide.dtype) if wide.dtype.kind == "f" else n
    result = _value_at(ordered, _positions(wide, count, method), count, method)
    if a.dtype.kind == "f":
        is_nan = np.any(mask & np.isnan(items), axis=-1)
        result = np.where(is_nan, a.dtype.type(np.nan), result)
    return result.reshape(q.shape + ordered.shape[1:])[()]


#: The parameters alpha and beta of Hyndman and Fan (1996), by NumPy's name of the method.
CONTINUOUS = {
    "linear": (1.0, 1.0), "interpolated_inverted_cdf": (0.0, 1.0), "hazen": (0.5, 0.5), "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3.0, 1 / 3.0), "normal_unbiased": (3 / 8.0, 3 / 8.0),
}  # fmt: skip


#: Methods whose result is one of the values.
DISCRETE = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")


def _rounded_up(position, is_even):
    """A position rounded up to an index, at least 0.

    With `is_even` a position that is an even index is also increased: the result, counted from 1,
    is then even.
    """
    below = np.floor(position)
    stays = position == below
    if is_even:
        stays = stays & (below % 2 == 1)
    return np.maximum(np.where(stays, below, below + 1), 0)


def _positions(q, n, method):
    """The position of a quantile along n sorted values, from 0; it may lie between two values.

    The methods are those of Hyndman and Fan (1996) and of np.quantile.
    """
    if method == "linear":
        return (n - 1) * q
    if method in CONTINUOUS:
        alpha, beta = CONTINUOUS[method]
        return n * q + (alpha + q * (1 - alpha - beta)) - 1
    if method == "lower":
        return np.floor((n - 1) * q)
    if method == "higher":
        return np.ceil((n - 1) * q)
    if method == "midpoint":
        return 0.5 * (np.floor((n - 1) * q) + np.ceil((n - 1) * q))
    if method == "nearest":
        return np.rint((n - 1) * q)
    if method == "averaged_inverted_cdf":
        return n * q - 1
    if method == "inverted_cdf":
        return _rounded_up(n * q - 1, False)
    if method == "closest_observation":
        return _rounded_up(n * q - 1 - 0.5, True)
    raise ValueError(f"{method!r} is not a valid method")


def _value_at(ordered, position, n, method):
    """The value at a position among the first n values along the first axis, interpolated."""
    below = np.floor(position)
    low = np.maximum(np.minimum(below, n - 1), 0).astype(np.int64)
    high = np.maximum(np.minimum(below + 1, n - 1), 0).astype(np.int64)
    before = np.take_along_axis(ordered, low, 0)
    if method in DISCRETE or position.dtype.kind in "iu":
        return before
    after = np.take_along_axis(ordered, high, 0)
    t = np.clip(position - below, 0, 1)
    if method == "averaged_inverted_cdf":
        t = np.where(t == 0, 0.5, 1.0)
    t = np.where(position < 0, 0, np.where(position >= n - 1, 1, t)).astype(position.dtype)
    gap = np.subtract(after, before)
    between = np.where(t >= 0.5, after - gap * (1 - t), before + gap * t)
    # The difference of two equal infinities is NaN. Other equal values have slopes of their own.
    before = before.astype(between.dtype)
    return np.where((before == after) & np.isinf(before), before, between)


def _weights(weights, a, axis, method):
    """The weight of each element, or None."""
    if weights is None:
        return None
    if method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    w = np.asarray(weights)
    prim.require(np.all(w >= 0), "ValueError", "Weights must be non-negative.")
    if w.shape == a.shape:
        return w
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = prim.axes(axis, a.ndim)
    if w.shape != tuple([a.shape[i] for i in axes]):
        raise ValueError(
            "Shape of weights must be consistent with shape of a along specified axis."
        )
    order = sorted(range(len(axes)), key=lambda i: axes[i])
    wide = [n if i in axes else 1 for i, n in enumerate(a.shape)]
    return np.broadcast_to(np.transpose(w, order).reshape(wide), a.shape)


def _weighted(moved, w, q, skips_nan):
    """Weighted quantiles along the last axis: the first value at which the cumulative weight is at
    least the fraction q of the total.

    Returns:
        the sorted values and the quantiles, each with the reduced axis first.
    """
    if skips_nan:
        w = np.where(np.isnan(moved), 0, w)
    order = argsort(moved)
    ordered = np.moveaxis(np.take_along_axis(moved, order, -1), -1, 0)
    part = np.moveaxis(np.take_along_axis(w, order, -1), -1, 0).cumsum(axis=0, dtype=np.float64)
    part = part / part[-1]
    fine = ~np.isnan(part[-1])
    if skips_nan:
        fine = fine | np.isnan(ordered[0])
    prim.require(np.all(fine), "ValueError", "Weights included NaN, inf or were all zero.")
    if q.dtype.kind == "f":
        part = part.astype(q.dtype)
    part = np.where(part == 0, -1, part)
    position = np.sum(part < q.ravel().reshape((-1,) + (1,) * part.ndim), axis=1)
    last = ordered.shape[0] - 1
    if skips_nan:
        last = np.maximum(np.sum(~np.isnan(ordered), axis=0) - 1, 0)
    return ordered, np.take_along_axis(ordered, np.minimum(position, last), 0)


def _quantile(a, q, axis, out, method, keepdims, skips_nan, weights):
    a = np.asarray(a)
    q = _as_fractions(q, a)
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    if a.dtype.kind == "b" and method not in DISCRETE:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
    prim.require(np.all((q >= 0) & (q <= 1)), "ValueError", "Quantiles must be in the range [0, 1]")
    w = _weights(weights, a, axis, method)
    axes, moved = prim.reduced_last(a, axis)
    if skips_nan and a.size == 0:
        return np.nanmean(a, axis, out=out, keepdims=keepdims)
    if moved.shape[-1] == 0:
        last = -1 if a.dtype.kind == "f" else 0
        raise IndexError(f"index {last} is out of bounds for axis 0 with size 0")
    is_float = a.dtype.kind == "f"
    skips_nan = skips_nan and is_float
    if w is not None:
        ordered, result = _weighted(moved, prim.reduced_last(w, axis)[1], q, skips_nan)
    else:
        ordered = np.moveaxis(_sorted(moved, -1), -1, 0)
        wide = q.ravel().reshape((-1,) + (1,) * (ordered.ndim - 1))
        wide = wide * np.ones((1, *ordered.shape[1:]), q.dtype)
        n = ordered.shape[0]
        if skips_nan:
            n = np.sum(~np.isnan(ordered), axis=0).astype(wide.dtype)
        result = _value_at(ordered, _positions(wide, n, method), n, method)
    if is_float:
        is_nan = np.isnan(ordered[0 if skips_nan else -1])
        result = np.where(is_nan, a.dtype.type(np.nan), result)
    rest = ordered.shape[1:]
    if keepdims:
        rest = tuple(1 if i in axes else size for i, size in enumerate(a.shape))
    result = result.reshape(q.shape + rest)
    if out is not None:
        np.copyto(out, result)
        return out
    # In these cases NumPy returns arrays even if they have no axes.
    return result if keepdims or w is not None else result[()]


def quantile(
    a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False,
    *, weights=None,
):  # fmt: skip
    return _quantile(a, q, axis, out, method, keepdims, False, weights)


def _fraction(a, q):
    """Percentages as fractions, in the dtype that NumPy uses."""
    return np.true_divide(q, a.dtype.type(100) if a.dtype.kind == "f" else 100)


def percentile(
    a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False,
    *, weights=None,
):  # fmt: skip
    q = _fraction(np.asarray(a), q)
    prim.require(
        np.all((q >= 0) & (q <= 1)), "ValueError", "Percentiles must be in the range [0, 100]"
    )
    return _quantile(a, q, axis, out, method, keepdims, False, weights)


def nanquantile(
    a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False,
    *, weights=None,
):  # fmt: skip
    return _quantile(a, q, axis, out, method, keepdims, True, weights)


def nanpercentile(
    a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False,
    *, weights=None,
):  # fmt: skip
    q = _fraction(np.asarray(a), q)
    return _quantile(a, q, axis, out, method, keepdims, True, weights)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = np.asarray(a)
    if a.size == 0:
        return np.nanmean(a, axis, out=out, keepdims=keepdims)
    if a.dtype.kind != "f":
        return median(a, axis, out, keepdims=keepdims)
    axes, moved = prim.reduced_last(a, axis)
    ordered = _sorted(moved, -1)
    n = np.sum(~np.isnan(ordered), axis=-1, keepdims=True)
    positions = np.concatenate((np.maximum((n - 1) // 2, 0), n // 2), axis=-1)
    middle = np.mean(
        np.take_along_axis(ordered, np.minimum(positions, moved.shape[-1] - 1), -1), -1
    )
    middle = np.where(n[..., 0] == 0, a.dtype.type(np.nan), middle)
    return _finish_median(middle, a, axes, keepdims, out)
