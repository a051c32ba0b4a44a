"""Functions that choose elements by indices and conditions."""

import numpy as np

from ingot.numpy import primitives as prim


def _axis_index(arr, indices, axis):
    """An index array for each axis: `indices` for the given axis, all positions for the others."""
    shape = arr.shape[:axis] + (1,) + arr.shape[axis + 1 :]
    made = []
    for i in prim.static_range(arr.ndim):
        if i == axis:
            made.append(indices)
            continue
        wide = (1,) * i + (arr.shape[i],) + (1,) * (arr.ndim - i - 1)
        made.append(np.arange(shape[i]).reshape(wide) if shape[i] != 1 else np.zeros(wide, int))
    return tuple(made)


def _along_axis(arr, indices, axis):
    """The array, flattened if the axis is None, and the index that applies `indices` along the axis."""
    indices = np.asarray(indices)
    if axis is None:
        arr, axis = arr.ravel(), 0
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if arr.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    return arr, _axis_index(arr, indices, prim.axis(axis, arr.ndim))


def take_along_axis(arr, indices, axis=-1):
    arr, index = _along_axis(np.asarray(arr), indices, axis)
    return arr[index]


def put_along_axis(arr, indices, values, axis):
    if axis is None and not prim.is_contiguous(arr):
        # NumPy stores to a read-only copy, and raises this.
        raise ValueError("assignment destination is read-only")
    arr, index = _along_axis(arr, indices, axis)
    arr[index] = values


def put(a, ind, v, mode="raise"):
    a = np.asarray(a)
    ind = prim.in_range(np.asarray(ind).ravel(), a.size, mode)
    v = np.ravel(np.array(v, a.dtype))
    if a.size == 0 and ind.size:
        raise IndexError("cannot replace elements of an empty array")
    if ind.size == 0 or v.size == 0:
        return
    values = np.resize(v, ind.shape) if v.size != 1 else v
    flat = prim.flat(a)
    flat[ind] = values


def paired_mask(first, second):
    """One mask over the axes of both, as NumPy pairs masks in one index: it holds at the n-th
    position of `first` and the n-th position of `second`."""
    a, b = first.ravel(), second.ravel()
    m, n = np.sum(a), np.sum(b)
    is_single = (m == 1) | (n == 1)
    prim.require(
        is_single | (m == n),
        "IndexError",
        "shape mismatch: indexing arrays could not be broadcast together",
    )
    meets = is_single | (np.cumsum(a)[:, None] == np.cumsum(b))
    return (a[:, None] & b & meets).reshape(first.shape + second.shape)


def mask_positions_by_sort(mask):
    """The positions where a mask of one axis holds, in order, filled up to the mask's size.

    For masks of open size: the positions' own operation finds them by steps that depend on it.
    """
    n = mask.size
    # Sorting the positions alone is faster than sorting them by keys.
    return np.sort(np.where(mask, np.arange(n), n - 1))


def indices_of_mask(mask, n):
    """The indices where a mask holds, an array of n indices for each axis.

    The mask selects n elements, or one, which is repeated n times as in a broadcast.
    """
    counts = np.cumsum(prim.flat(mask))
    number = counts[-1] if counts.size > 0 else 0
    prim.require(
        (number == n) | (number == 1),
        "IndexError",
        f"the mask does not select {n} elements, as many as the index arrays beside it have",
    )
    found = np.searchsorted(counts, np.minimum(np.arange(1, n + 1), number))
    found = np.minimum(found, max(counts.size - 1, 0))
    indices = ()
    for size in prim.static_items(mask.shape[::-1]):
        indices = (found % size, *indices)
        found = found // size
    return indices


def place(arr, mask, vals):
    if not isinstance(arr, np.ndarray):
        raise TypeError("place() argument 1 must be numpy.ndarray")
    mask = np.asarray(mask).astype(bool).ravel()
    if mask.size != arr.size:
        raise ValueError("place: mask and data must be the same size")
    prim.refuse_masked_reads(arr, vals)
    # What is no array has no dtype of its own.
    values = vals if isinstance(vals, np.ndarray) else np.array(vals, arr.dtype)
    if not np.can_cast(values.dtype, arr.dtype, "safe"):
        raise TypeError(
            f"Cannot cast array data from {values.dtype} to {arr.dtype} according to the rule 'safe'"
        )
    values = values.ravel()
    if values.size == 0:
        prim.require(~np.any(mask), "ValueError", "Cannot insert from an empty array!")
        return
    number = (np.cumsum(mask) - 1) % values.size
    chosen = prim.take(values, number).reshape(arr.shape)
    np.copyto(arr, chosen.astype(arr.dtype), where=mask.reshape(arr.shape))


def putmask(a, mask, values):
    if np.size(mask) != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    # What is no array has no dtype of its own.
    if not isinstance(values, np.ndarray):
        values = np.array(values, a.dtype)
    if not np.can_cast(values.dtype, a.dtype, "safe"):
        raise TypeError(f"Cannot cast from {values.dtype} to {a.dtype} by the rule 'safe'")
    if values.size == 0:
        return
    if values.ndim and values.shape != a.shape:
        values = np.resize(values, a.shape)
    np.copyto(a, values.astype(a.dtype), where=np.asarray(mask).astype(bool).reshape(a.shape))


def choose(a, choices, out=None, mode="raise"):
    a = np.asarray(a)
    if not np.can_cast(a.dtype, np.int64, "safe"):
        raise TypeError(f"Cannot cast array data from {a.dtype} to int64 by the rule 'safe'")
    dtype = np.result_type(*(each if np.isscalar(each) else np.asarray(each) for each in choices))
    choices = [np.asarray(each) for each in choices]
    if mode == "raise":
        prim.require(
            np.all((a >= 0) & (a < len(choices))), "ValueError", "invalid entry in choice array"
        )
    elif mode == "wrap":
        a = a % len(choices)
    elif mode == "clip":
        a = np.clip(a, 0, len(choices) - 1)
    else:
        raise ValueError("clipmode must be one of 'clip', 'raise', or 'wrap'")
    result = choices[0].astype(dtype)
    for i, each in prim.static_items(tuple(enumerate(choices))):
        result = np.where(a == i, each.astype(dtype), result)
    return prim.into(result[()], out)


def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    dtype = np.result_type(*choicelist, default)
    result = np.asarray(default).astype(dtype)
    for condition, choice in prim.static_items(tuple(zip(condlist[::-1], choicelist[::-1]))):
        if np.asarray(condition).dtype.kind != "b":
            raise TypeError("invalid entry in condlist: should be boolean ndarray")
        result = np.where(condition, np.asarray(choice).astype(dtype), result)
    return result


def piecewise(x, condlist, funclist, *args, **kw):
    x = np.asarray(x)
    if not isinstance(condlist, (list, tuple)):
        condlist = [condlist]
    conditions = [np.asarray(each).astype(bool) for each in condlist]
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise ValueError("with n condition(s), either n or n+1 functions are expected")
    result = np.zeros_like(x)
    if len(funclist) > len(conditions):
        anywhere = conditions[0]
        for each in prim.static_items(conditions[1:]):
            anywhere = anywhere | each
        conditions = [*conditions, ~anywhere]
    for condition, function in prim.static_items(tuple(zip(conditions, funclist))):
        if callable(function):
            value = prim.elementwise(function, np.copy(x), *args, **kw)
            result[...] = np.where(condition, np.asarray(value).astype(x.dtype), result)
        else:
            result[condition] = function
    return result


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    element, tests = np.asarray(element), np.asarray(test_elements).ravel()
    found = np.any(element[..., None] == tests, axis=-1)
    return np.asarray(np.logical_not(found) if invert else found)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    given, a = x, np.asarray(x)
    if a.dtype.kind == "c":
        real, imag = _finite(a.real, nan, posinf, neginf), _finite(a.imag, nan, posinf, neginf)
        made = real + 1j * imag
    else:
        made = _finite(a, nan, posinf, neginf) if a.dtype.kind == "f" else a.copy()
    if copy or not isinstance(given, np.ndarray):
        return made[()]
    given[...] = made
    return given


def _finite(a, nan, posinf, neginf):
    info = np.finfo(a.dtype)
    made = np.where(np.isnan(a), a.dtype.type(nan), a)
    made = np.where(a == np.inf, a.dtype.type(info.max if posinf is None else posinf), made)
    return np.where(a == -np.inf, a.dtype.type(info.min if neginf is None else neginf), made)


def asarray_chkfinite(a, dtype=None, order=None):
    a = np.asarray(a, dtype, order)
    if a.dtype.kind in "fc":
        prim.require(np.all(np.isfinite(a)), "ValueError", "array must not contain infs or NaNs")
    return a


def array_equiv(a1, a2):
    a1, a2 = np.asarray(a1), np.asarray(a2)
    if not prim.broadcasts(a1.shape, a2.shape):
        return False
    return bool(np.all(a1 == a2))


def same_elements(a, b, equal_nan):
    """np.array_equal of arrays of which the first axis may have a dynamic length."""
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim != b.ndim:
        return False
    if not prim.is_static((a.shape[1:], b.shape[1:])):
        raise NotImplementedError("np.array_equal of columns whose number varies is not supported")
    if a.shape[1:] != b.shape[1:]:
        return False
    n, is_as_long = min(len(a), len(b)), len(a) == len(b)
    a, b = a[:n], b[:n]
    same = a == b
    if equal_nan:
        same = same | ((a != a) & (b != b))
    return bool(is_as_long and same.all())
