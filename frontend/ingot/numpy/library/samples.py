"""scipy.stats: statistics of samples: moments, standard scores, means, entropy and ranks."""

import math

import numpy as np

from ingot.numpy.library.special import _floats, entr, rel_entr


def _sample(a, axis):
    """A sample in floats, and its axis or axes."""
    a = np.atleast_1d(_floats(a))
    return (a.ravel(), 0) if axis is None else (a, axis)


def _check_policy(nan_policy):
    if nan_policy not in ("propagate", "omit", "raise"):
        raise ValueError("nan_policy must be one of {'propagate', 'raise', 'omit'}")
    if nan_policy != "propagate":
        raise NotImplementedError(f"nan_policy='{nan_policy}' is not supported; use 'propagate'")


def _length(a, axis):
    return math.prod([a.shape[k] for k in (axis if isinstance(axis, tuple) else (axis,))])


def _moments(a, order, axis):
    """The size of a sample, where its variance is 0 except for rounding, and two central moments."""
    a, axis = _sample(a, axis)
    mean = np.mean(a, axis=axis, keepdims=True)
    gap = a - mean
    second = np.mean(gap**2, axis=axis, keepdims=True)
    higher = np.mean((gap**2) ** 2 if order == 4 else gap**2 * gap, axis=axis, keepdims=True)
    is_constant = second <= (np.finfo(second.dtype).eps * mean) ** 2
    return _length(a, axis), is_constant, second, higher


def _reduced(made, a, axis, keepdims):
    """A result that has the reduced axes with length 1, of a sample of `a`."""
    if not keepdims:
        return np.squeeze(made, 0 if axis is None else axis)[()]
    return made.reshape((1,) * max(np.ndim(a), 1)) if axis is None else made


def skew(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    _check_policy(nan_policy)
    n, is_constant, second, third = _moments(a, 3, axis)
    made = third / second**1.5
    if not bias and n > 2:
        made = ((n - 1.0) * n) ** 0.5 / (n - 2.0) * third / second**1.5
    return _reduced(np.where(is_constant, np.nan, made), a, axis, keepdims)


def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False):
    _check_policy(nan_policy)
    n, is_constant, second, fourth = _moments(a, 4, axis)
    made = fourth / second**2.0
    if not bias and n > 3:
        ratio = (n**2 - 1.0) * fourth / second**2.0
        made = 1.0 / (n - 2) / (n - 3) * (ratio - 3 * (n - 1) ** 2.0) + 3.0
    made = np.where(is_constant, np.nan, made)
    made = made - 3 if fisher else made
    return _reduced(made, a, axis, keepdims)


def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    _check_policy(nan_policy)
    a = _floats(a)
    mean, deviation = _mean_and_deviation(a, axis, ddof)
    made = (a - mean) / deviation
    is_constant = deviation <= np.abs(np.finfo(made.dtype).eps * mean)
    return np.where(is_constant, np.nan, made)[()]


def zmap(scores, compare, axis=0, ddof=0, nan_policy="propagate"):
    _check_policy(nan_policy)
    mean, deviation = _mean_and_deviation(_floats(compare), axis, ddof)
    return (_floats(scores) - mean) / deviation


def _mean_and_deviation(a, axis, ddof):
    return np.mean(a, axis=axis, keepdims=True), np.std(a, axis=axis, ddof=ddof, keepdims=True)


def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    _check_policy(nan_policy)
    sample, axes = _sample(a, axis)
    deviation = np.std(sample, axis=axes, ddof=ddof, keepdims=True)
    made = deviation / _length(sample, axes) ** 0.5
    return _reduced(made, a, axis, keepdims)


def gmean(a, axis=0, dtype=None, weights=None, *, nan_policy="propagate", keepdims=False):
    _check_policy(nan_policy)
    made = np.exp(_mean(np.log(_converted(a, dtype)), weights, axis))
    return made if keepdims else np.squeeze(made, axis)[()]


def hmean(a, axis=0, dtype=None, *, weights=None, nan_policy="propagate", keepdims=False):
    _check_policy(nan_policy)
    a = _converted(a, dtype)
    made = 1.0 / _mean(1.0 / np.where(a < 0, np.nan, a), weights, axis)
    return made if keepdims else np.squeeze(made, axis)[()]


def _converted(a, dtype):
    a = np.atleast_1d(_floats(a))
    return a if dtype is None else a.astype(dtype)


def _mean(a, weights, axis):
    if weights is None:
        return np.mean(a, axis=axis, keepdims=True)
    a, weights = np.broadcast_arrays(a, _floats(weights))
    total = np.sum(a * weights, axis=axis, keepdims=True)
    return total / np.sum(weights, axis=axis, keepdims=True)


def entropy(pk, qk=None, base=None, axis=0, *, nan_policy="propagate", keepdims=False):
    _check_policy(nan_policy)
    if base is not None and base <= 0:
        raise ValueError("`base` must be a positive number or `None`.")
    p = np.atleast_1d(_floats(pk))
    if qk is None:
        parts = entr(p / np.sum(p, axis=axis, keepdims=True))
    else:
        p, q = np.broadcast_arrays(p, np.atleast_1d(_floats(qk)))
        q = q / np.sum(q, axis=axis, keepdims=True)
        parts = rel_entr(p / np.sum(p, axis=axis, keepdims=True), q)
    made = np.sum(parts, axis=axis, keepdims=keepdims)
    return made if base is None else made / math.log(base)


def rankdata(a, method="average", *, axis=None, nan_policy="propagate"):
    _check_policy(nan_policy)
    if method not in ("average", "min", "max", "dense", "ordinal"):
        raise ValueError(f'unknown method "{method}"')
    x = np.asarray(a)
    x, axis = (x.ravel(), -1) if axis is None else (x, axis)
    if x.size == 0:
        return np.zeros(x.shape, np.float64 if method == "average" else np.int64)
    has_nan = np.zeros((1,) * x.ndim, bool)
    if x.dtype.kind in "fc":
        has_nan = np.any(np.isnan(x), axis=axis, keepdims=True)
        if method != "average" and np.any(has_nan):
            raise NotImplementedError("NaNs make integer ranks floats; use method='average'")
    x = np.swapaxes(x, axis, -1)
    order = np.argsort(x, axis=-1, kind="stable")
    ranks = np.zeros(x.shape, np.float64 if method == "average" else np.int64)
    np.put_along_axis(ranks, order, _ranks(np.take_along_axis(x, order, -1), method), -1)
    ranks = np.swapaxes(ranks, axis, -1)
    return np.where(has_nan, np.nan, ranks) if method == "average" else ranks


def _ranks(line, method):
    """The ranks of sorted elements along the last axis."""
    n = line.shape[-1]
    position = np.broadcast_to(np.arange(n), line.shape)
    if method == "ordinal":
        return position + 1
    start = np.ones((*line.shape[:-1], 1), bool)
    is_first = np.concatenate((start, line[..., 1:] != line[..., :-1]), axis=-1)
    if method == "dense":
        return np.cumsum(is_first, axis=-1)
    least = np.maximum.accumulate(np.where(is_first, position, 0), axis=-1) + 1
    if method == "min":
        return least
    following = np.where(is_first, position, n)[..., ::-1]
    following = np.minimum.accumulate(following, axis=-1)[..., ::-1]
    end = np.full((*line.shape[:-1], 1), n)
    most = np.concatenate((following[..., 1:], end), axis=-1)
    return most if method == "max" else (least + most) / 2


def scoreatpercentile(a, per, limit=(), interpolation_method="fraction", axis=None):
    if limit:
        raise NotImplementedError("limit= is not supported; select the elements before")
    if interpolation_method not in ("fraction", "lower", "higher"):
        raise ValueError("interpolation_method can only be 'fraction', 'lower' or 'higher'")
    if np.any(np.asarray(per) < 0) or np.any(np.asarray(per) > 100):
        raise ValueError("percentile must be in the range [0, 100]")
    method = "linear" if interpolation_method == "fraction" else interpolation_method
    a = np.asarray(a)
    if a.size == 0:
        return np.nan if np.ndim(per) == 0 else np.full(np.shape(per), np.nan)
    return np.percentile(a.astype(float), per, axis=axis, method=method)
