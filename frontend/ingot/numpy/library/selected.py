"""Functions whose results have dynamic lengths: nonzero, compress, unique and set operations."""

import math

import numpy as np

from ingot.numpy import primitives as prim

_ALL, _COUNTS, _INVERSE = (
    type(function(np.zeros(1))) for function in (np.unique_all, np.unique_counts, np.unique_inverse)
)


def nonzero(a):
    a = np.asarray(a)
    if a.ndim == 0:
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
            "instead."
        )
    # A mask itself, so that what it selects has the same mask.
    holds = a if a.dtype == bool else a != 0
    if a.ndim == 1:
        return (np.arange(a.shape[0])[holds],)
    if not prim.is_static(a.shape):
        return tuple([each[holds] for each in np.indices(a.shape)])
    index = np.arange(a.size).reshape(a.shape)[holds]
    found = ()
    for n in prim.static_items(a.shape[:0:-1]):
        found = (index % max(n, 1), *found)
        index = index // max(n, 1)
    return (index, *found)


def flatnonzero(a):
    return nonzero(np.ravel(a))[0]


def argwhere(a):
    a = np.asarray(a)
    if a.ndim == 0:
        return np.zeros((1, 0), int)[np.atleast_1d(a != 0)]
    if a.ndim == 1 and not prim.is_static(a.shape):
        return nonzero(a)[0][:, None]
    # NumPy transposes an array in C order.
    return np.indices(a.shape)[(slice(None), a != 0)].copy().T


def extract(condition, arr):
    return np.ravel(arr)[_fitted(np.ravel(condition) != 0, np.size(arr))]


def compress(condition, a, axis=None):
    condition, a = np.asarray(condition) != 0, np.asarray(a)
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    if axis is None:
        a, axis = a.ravel(), 0
    axis = prim.axis(axis, a.ndim)
    holds = _fitted(condition, a.shape[axis])
    return a[(slice(None),) * axis + (holds,)].copy()


def _fitted(condition, n):
    """A condition cut or padded with False to n elements; it must not hold beyond."""
    if condition.size < n:
        return np.concatenate([condition, np.zeros(n - condition.size, bool)])
    prim.require(
        np.sum(condition[n:]) == 0, "IndexError", "the condition holds beyond the end of the array"
    )
    return condition[:n]


def _first_of_equal(line, equal_nan=True):
    """The mask of the elements of a sorted array that differ from the one before."""
    differ = line[1:] != line[:-1]
    if equal_nan and line.dtype.kind in "fc":
        differ = differ & ~(np.isnan(line[1:]) & np.isnan(line[:-1]))
    return np.concatenate([np.ones(min(line.size, 1), bool), differ])


def _scattered(values, positions):
    """The array with `made[positions] == values`, for a permutation."""
    if not prim.is_static(positions.size):
        return values[np.argsort(positions)]
    made = np.zeros(positions.size, values.dtype)
    made[positions] = values
    return made


def unique(
    ar,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    *,
    equal_nan=True,
    sorted=True,
):
    ar = np.asarray(ar)
    if axis is not None and not (ar.ndim == 1 and axis in (0, -1)):
        return _unique_rows(ar, axis, return_index, return_inverse, return_counts)
    line = ar.ravel()
    if not (return_index or return_inverse or return_counts):
        line = np.sort(line)
        return line[_first_of_equal(line, equal_nan)]
    order = np.argsort(line, kind="stable")
    line = line[order]
    first = _first_of_equal(line, equal_nan)
    found = [line[first], *_of_equal(order, first, return_index, return_inverse, return_counts)]
    if return_inverse and axis is None and ar.ndim != 1:
        place = 1 + bool(return_index)
        found[place] = found[place].reshape(ar.shape)
    return tuple(found)


def _of_equal(order, first, return_index, return_inverse, return_counts):
    """What np.unique returns besides the values.

    Args:
        order: the positions of the elements in order.
        first: the mask of those in order that differ from the one before.
    """
    found = []
    if return_index:
        found.append(order[first])
    if return_inverse:
        inverse = _scattered(np.cumsum(first) - 1, order)
        found.append(prim.bounded(inverse, max(prim.upper_bound(first.size) - 1, 0)))
    if return_counts:
        # A count is the distance to the next element that is the first of its value.
        position = np.where(first, np.arange(first.size), first.size)
        following = np.minimum.accumulate(position[::-1])[::-1]
        after = np.concatenate([following[1:], np.full(min(first.size, 1), first.size)])
        found.append((after - np.arange(first.size))[first])
    return found


def _unique_rows(ar, axis, return_index, return_inverse, return_counts):
    """np.unique of the parts of an array along an axis, which compare by their first elements that
    differ. Parts with NaNs are equal to none."""
    rows = np.moveaxis(ar, axis, 0)
    table = rows.reshape((rows.shape[0], math.prod(rows.shape[1:])))
    if table.size == 0:
        raise NotImplementedError("np.unique along an axis of an empty array is not supported")
    order = np.lexsort([table[:, k] for k in range(table.shape[1] - 1, -1, -1)])
    table = table[order]
    differ = np.any(table[1:] != table[:-1], axis=1)
    first = np.concatenate([np.ones(1, bool), differ])
    values = np.moveaxis(rows[order][first], 0, axis)
    found = _of_equal(order, first, return_index, return_inverse, return_counts)
    return (values, *found) if found else values


def unique_all(x):
    found = unique(x, True, True, True, equal_nan=False)
    return _ALL(*found)


def unique_counts(x):
    values, counts = unique(x, return_counts=True, equal_nan=False)
    return _COUNTS(values, counts)


def unique_inverse(x):
    values, inverse = unique(x, return_inverse=True, equal_nan=False)
    return _INVERSE(values, inverse)


def unique_values(x):
    return unique(x, equal_nan=False)


def trim_zeros(filt, trim="fb", axis=None):
    values = np.asarray(filt)
    if trim.lower() not in ("f", "b", "fb", "bf"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    if values.ndim != 1 or axis is not None:
        raise NotImplementedError("np.trim_zeros of more than one axis is not supported")
    size, places, holds = values.size, np.arange(values.size), values != 0
    start, stop = 0, size
    if "f" in trim.lower():
        start = size - int(np.max(np.where(holds, size - places, 0), initial=0))
    if "b" in trim.lower():
        stop = int(np.max(np.where(holds, places + 1, 0), initial=0))
    # A view of an array, and a list of a list.
    return filt[start:stop]


def union1d(ar1, ar2):
    return unique(np.concatenate([np.ravel(ar1), np.ravel(ar2)]))


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    if return_indices:
        raise NotImplementedError("np.intersect1d with return_indices=True is not supported")
    first, second = np.sort(np.ravel(ar1)), np.ravel(ar2)
    dtype = np.result_type(first, second)
    return first.astype(dtype)[_first_of_equal(first) & np.isin(first, second)]


def setdiff1d(ar1, ar2, assume_unique=False):
    first = np.ravel(ar1)
    if assume_unique:
        return first[~np.isin(first, np.ravel(ar2))]
    first = np.sort(first)
    return first[_first_of_equal(first) & ~np.isin(first, np.ravel(ar2))]


def setxor1d(ar1, ar2, assume_unique=False):
    first, second = np.sort(np.ravel(ar1)), np.sort(np.ravel(ar2))
    dtype = np.result_type(first, second)
    line = np.concatenate([first.astype(dtype), second.astype(dtype)])
    alone = np.concatenate(
        [
            _first_of_equal(first) & ~np.isin(first, second),
            _first_of_equal(second) & ~np.isin(second, first),
        ]
    )
    order = np.argsort(line, kind="stable")
    return line[order][alone[order]]
