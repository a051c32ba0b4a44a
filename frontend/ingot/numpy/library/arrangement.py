"""Functions that build, extend, cut and index whole arrays."""

import math
import operator

import numpy as np

from ingot.numpy import primitives as prim


def rot90(m, k=1, axes=(0, 1)):
    m = np.asarray(m)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    first, second = prim.axis(axes[0], m.ndim), prim.axis(axes[1], m.ndim)
    if first == second:
        raise ValueError("Axes must be different.")
    k = k % 4
    if k == 0:
        return m[:]
    if k == 2:
        return np.flip(np.flip(m, first), second)
    order = list(range(m.ndim))
    order[first], order[second] = order[second], order[first]
    if k == 1:
        return np.transpose(np.flip(m, second), order)
    return np.flip(np.transpose(m, order), second)


def rollaxis(a, axis, start=0):
    a = np.asarray(a)
    axis = prim.axis(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    if not 0 <= start <= a.ndim:
        raise ValueError(f"'start' arg requires {-a.ndim} <= start < {a.ndim + 1}")
    return np.moveaxis(a, axis, start - 1 if axis < start else start)


def append(arr, values, axis=None):
    return np.concatenate((arr, values), axis=axis)


def resize(a, new_shape):
    a = np.ravel(a)
    shape = (new_shape,) if isinstance(new_shape, (int, np.integer)) else tuple(new_shape)
    if any([n < 0 for n in shape]):
        raise ValueError("all elements of `new_shape` must be non-negative")
    size = math.prod(shape)
    if a.size == 0:
        return np.zeros(shape, a.dtype)
    return np.tile(a, -(-size // a.size))[:size].reshape(shape)


def array_split(ary, indices_or_sections, axis=0):
    ary = np.asarray(ary)
    sections = prim.static(indices_or_sections, "the sections")
    if np.ndim(sections) > 0:
        return np.split(ary, sections, axis)
    sections = int(sections)
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    size, extra = divmod(ary.shape[axis], sections)
    cuts = [i * size + min(i, extra) for i in range(1, sections)]
    return np.split(ary, cuts, axis)


def hsplit(ary, indices_or_sections):
    ary = np.asarray(ary)
    return np.split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


def vsplit(ary, indices_or_sections):
    if np.ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return np.split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    if np.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return np.split(ary, indices_or_sections, 2)


def unstack(x, /, *, axis=0):
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    moved = np.moveaxis(x, axis, 0)
    return tuple([moved[i] for i in range(moved.shape[0])])


def block(arrays):
    if not isinstance(arrays, list):
        return np.asarray(arrays).copy()
    return _block(arrays, _depth(arrays), _dimensions(arrays, _depth(arrays)))


def _depth(arrays):
    return 1 + _depth(arrays[0]) if isinstance(arrays, list) else 0


def _dimensions(arrays, depth):
    if not isinstance(arrays, list):
        return max(np.ndim(arrays), depth)
    return max([_dimensions(each, depth) for each in arrays])


def _block(arrays, depth, ndim):
    if depth == 0:
        arrays = np.asarray(arrays)
        return arrays.reshape((1,) * (ndim - arrays.ndim) + arrays.shape)
    return np.concatenate([_block(each, depth - 1, ndim) for each in arrays], axis=-depth)


def tri(N, M=None, k=0, dtype=float, *, like=None):
    return np.tril(np.ones((max(N, 0), max(N if M is None else M, 0)), dtype), k)


def diagflat(v, k=0):
    return np.diag(np.ravel(v), k)


def vander(x, N=None, increasing=False):
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    N = len(x) if N is None else N
    if N == 0:
        return np.zeros((len(x), 0), np.result_type(x, int))
    dtype = np.result_type(x, int)
    first = np.ones((len(x), 1), dtype)
    powers = np.broadcast_to(x.astype(dtype)[:, None], (len(x), N - 1))
    made = np.cumprod(np.concatenate((first, powers), axis=1), axis=1)
    return made if increasing else np.flip(made, 1)


def kron(a, b):
    a, b = np.asarray(a), np.asarray(b)
    ndim = max(a.ndim, b.ndim)
    a = a.reshape((1,) * (ndim - a.ndim) + a.shape)
    b = b.reshape((1,) * (ndim - b.ndim) + b.shape)
    wide_a = a.reshape([n for size in a.shape for n in (size, 1)])
    wide_b = b.reshape([n for size in b.shape for n in (1, size)])
    return (wide_a * wide_b).reshape([m * n for m, n in zip(a.shape, b.shape)])[()]


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    if writeable:
        raise NotImplementedError("writeable=True of sliding_window_view is not supported")
    x = np.asarray(x)
    window = (window_shape,) if isinstance(window_shape, (int, np.integer)) else tuple(window_shape)
    if min(window) < 0:
        raise ValueError("`window_shape` cannot contain negative values")
    axes = tuple(range(x.ndim)) if axis is None else prim.window_axes(axis, x.ndim)
    if len(axes) != len(window):
        raise ValueError(
            f"Must provide matching length window_shape and axis; got {len(window)} window_shape "
            f"elements and {len(axes)} axes elements."
        )
    found = x
    for along, size in prim.static_items(tuple(zip(axes, window))):
        count = found.shape[along] - size + 1
        if count < 1:
            raise ValueError("window shape cannot be larger than input array shape")
        indices = np.arange(count)[:, None] + np.arange(size)
        found = np.moveaxis(np.take(found, indices, axis=along), along + 1, -1)
    return prim.as_read_only_view(found, x)


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    x = np.asarray(x)
    if prim.is_contiguous_in(x, "C"):
        flat = x.reshape(-1)
    elif prim.is_contiguous_in(x, "F"):
        flat = x.T.reshape(-1)
    else:
        raise NotImplementedError("as_strided of an array whose elements are not side by side")
    shape = x.shape if shape is None else prim.sizes(shape)
    strides = x.strides if strides is None else prim.static(tuple(strides), "the strides")
    strides = tuple(operator.index(step) for step in strides)
    if len(shape) != len(strides):
        raise ValueError("strides must be the same length as shape")
    if any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    if any(step % x.itemsize for step in strides):
        raise NotImplementedError(
            "strides of as_strided that are no multiples of the size of an element"
        )
    steps = tuple(step // x.itemsize for step in strides)
    if 0 in shape:
        return prim.as_view(np.zeros(shape, x.dtype), x, None, writeable)
    ends = [step * (n - 1) for step, n in zip(steps, shape)]
    low, high = sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends)
    if low < 0 or high >= x.size:
        raise NotImplementedError("as_strided reaches outside of the array")
    index = np.zeros(shape, np.int64)
    for axis, (n, step) in enumerate(zip(shape, steps)):
        index = index + (np.arange(n) * step).reshape((n,) + (1,) * (len(shape) - axis - 1))
    return prim.as_view(prim.take(flat, index), x, steps, writeable)


# Indices.


def indices(dimensions, dtype=int, sparse=False):
    dimensions = tuple(dimensions)
    if not dimensions and not sparse:
        return np.zeros((0,), dtype)
    return _gridded([np.arange(size, dtype=dtype) for size in dimensions], sparse)


def grid(bounds, sparse):
    """np.mgrid and np.ogrid of integers: a start, a stop and a step of each axis."""
    return _gridded([np.arange(*each) for each in bounds], sparse)


def _gridded(steps, sparse):
    n = len(steps)
    parts = [
        part.reshape((1,) * i + (part.size,) + (1,) * (n - i - 1)) for i, part in enumerate(steps)
    ]
    if sparse:
        return tuple(parts)
    shape = tuple([part.size for part in steps])
    return np.stack([np.broadcast_to(part, shape) for part in parts])


def ix_(*args):
    made = []
    for i, each in prim.static_items(tuple(enumerate(args))):
        is_list = isinstance(each, (list, tuple)) and len(each) > 0
        if is_list and all([isinstance(chosen, bool) for chosen in each]):
            each = [k for k, chosen in enumerate(each) if chosen]
        each = np.asarray(each)
        if each.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if each.dtype.kind == "b":
            each = np.flatnonzero(each)
        made.append(each.reshape((1,) * i + (each.size,) + (1,) * (len(args) - i - 1)))
    return tuple(made)


def tril_indices(n, k=0, m=None):
    return prim.constants(np.tril_indices, n, k, m)


def triu_indices(n, k=0, m=None):
    return prim.constants(np.triu_indices, n, k, m)


def tril_indices_from(arr, k=0):
    if np.ndim(arr) != 2:
        raise ValueError("input array must be 2-d")
    return prim.constants(np.tril_indices, arr.shape[0], k, arr.shape[1])


def triu_indices_from(arr, k=0):
    if np.ndim(arr) != 2:
        raise ValueError("input array must be 2-d")
    return prim.constants(np.triu_indices, arr.shape[0], k, arr.shape[1])


def diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim


def diag_indices_from(arr):
    arr = np.asarray(arr)
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim)


def fill_diagonal(a, val, wrap=False):
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    values = np.array(val, a.dtype)
    if values.size == 0:
        return None
    if a.ndim == 2:
        # With `wrap` the diagonal of a tall matrix starts again after a row that is skipped.
        n, m = a.shape
        prim.refuse_late_flat_reads(a, None if wrap else m * m, m + 1, val)
        positions = np.arange(0, n * m if wrap else min(n, m) * m, m + 1)
        if values.ndim > 0:
            values = resize(values, len(positions))
        a[positions // m, positions % m] = values
        return None
    i = np.arange(min(a.shape))
    step = sum(math.prod(a.shape[:axis]) for axis in range(a.ndim))
    prim.refuse_late_flat_reads(a, None, step, val)
    if values.ndim > 0:
        values = resize(values, len(i))
    a[(i,) * a.ndim] = values


def unravel_index(indices, shape, order="C"):
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    indices = np.asarray(indices)
    if indices.dtype.kind not in "biu":
        raise TypeError("only int indices permitted")
    if len(shape) == 0 and indices.ndim:
        raise ValueError("multiple indices are not supported for 0d arrays")
    indices = indices.astype(np.intp)
    size = math.prod(shape)
    prim.require(
        np.all((indices >= 0) & (indices < size)),
        "ValueError",
        f"index is out of bounds for array with size {size}",
    )
    axes = prim.axes_in_memory(indices)
    if axes != tuple(range(indices.ndim)):
        found = unravel_index(indices.transpose(axes), shape, order)
        back = tuple(axes.index(i) for i in range(indices.ndim))
        return tuple(each.transpose(back) for each in found)
    found = ()
    for n in prim.static_items(shape if order == "F" else shape[::-1]):
        found = ((indices % n)[()], *found)
        indices = indices // n
    found = found[::-1] if order == "F" else found
    if indices.ndim == 0:
        return found
    # NumPy's results are columns of one array.
    columns = np.stack(found, axis=-1)
    return tuple(columns[..., i] for i in range(len(shape)))


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    dims = (dims,) if isinstance(dims, (int, np.integer)) else tuple(dims)
    modes = (mode,) * len(dims) if isinstance(mode, str) else tuple(mode)
    if len(dims) != len(multi_index) or len(modes) != len(dims):
        raise ValueError(f"{len(multi_index)} indices and {len(modes)} modes for {len(dims)} axes")
    parts = tuple(zip(multi_index, dims, modes))
    total = 0
    for index, n, how in prim.static_items(parts if order == "C" else parts[::-1]):
        index = np.asarray(index)
        if index.dtype.kind not in "biu":
            raise TypeError("only int indices permitted")
        index = index.astype(np.intp)
        if how == "raise":
            inside = np.all((index >= 0) & (index < n))
            prim.require(inside, "ValueError", "invalid entry in coordinates array")
        else:
            index = prim.in_range(index, n, how)
        total = total * n + index
    return total
