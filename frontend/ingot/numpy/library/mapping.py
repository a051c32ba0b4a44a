"""np.vectorize, np.apply_along_axis and np.apply_over_axes; the calls are one batch."""

import math

import numpy as np

from ingot.numpy import primitives as prim

#: The Python number types by kind of dtype: np.vectorize calls the function with these.
_NUMBERS = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


def vectorize(pyfunc=None, otypes=None, doc=None, excluded=None, cache=False, signature=None):
    def call(*args, **kwargs):
        return vectorized(pyfunc, otypes, excluded, cache, signature, args, kwargs)

    return call


def vectorized(pyfunc, otypes, excluded, cache, signature, args, kwargs):
    """A call of an np.vectorize object."""
    left_out = () if excluded is None else excluded
    argnums = [i for i in range(len(args)) if i not in left_out]
    names = [name for name in kwargs if name not in left_out]

    def function(*items):
        given, named = list(args), dict(kwargs)
        for i, item in zip(argnums, items):
            given[i] = item
        for name, item in zip(names, items[len(argnums) :]):
            named[name] = item
        return pyfunc(*given, **named)

    arrays = [np.asarray(args[i]) for i in argnums] + [np.asarray(kwargs[name]) for name in names]
    dtypes = None if otypes is None else [np.dtype(each) for each in otypes]
    if signature is not None:
        return _by_signature(function, dtypes, signature, arrays)
    if len(arrays) == 0:
        return function()
    return _by_item(function, dtypes, cache, arrays)


def _by_item(function, dtypes, cache, arrays):
    if not all([prim.is_static(a.size) for a in arrays]):
        raise NotImplementedError(
            "np.vectorize of an array whose length is known only at run time is not supported; "
            "use np.array([f(v) for v in x])"
        )
    shape = np.broadcast_shapes(*[a.shape for a in arrays])
    if dtypes is None:
        if cache:
            raise NotImplementedError("cache=True of np.vectorize is not supported; give otypes=")
        if 0 in [a.size for a in arrays]:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        # As in NumPy, the results for the first lane decide the dtypes.
        first = function(*[prim.flat(a)[0] for a in arrays])
        dtypes = [np.asarray(each).dtype for each in _as_tuple(first)]
    if math.prod(shape) == 0:
        return _as_results([np.zeros(shape, dtype) for dtype in dtypes])

    def item(*lane):
        found = _as_tuple(function(*[_NUMBERS[x.dtype.kind](x) for x in lane]))
        if len(found) != len(dtypes):
            raise ValueError(f"the function gives {len(found)} values, not {len(dtypes)}")
        cast = [_NUMBERS[dtype.kind](each) for dtype, each in zip(dtypes, found)]
        return tuple([dtype.type(each) for dtype, each in zip(dtypes, cast)])

    lanes = [prim.flat(np.broadcast_to(a, shape)) for a in arrays]
    found = [each.reshape(shape) for each in prim.vmap(item, *lanes)]
    return _as_results([prim.in_memory_order_of(each, *arrays) for each in found])


def _as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def _as_results(found):
    return found[0] if len(found) == 1 else tuple(found)


def _by_signature(function, dtypes, signature, arrays):
    inputs, outputs = prim.core_dimensions(signature)
    if len(arrays) != len(inputs):
        raise TypeError(
            f"wrong number of positional arguments: expected {len(inputs)}, got {len(arrays)}"
        )
    sizes = {}
    loops = []
    for a, core in zip(arrays, inputs):
        if a.ndim < len(core):
            raise ValueError(
                f"{a.ndim}-dimensional argument does not have enough dimensions for all core "
                f"dimensions {core}"
            )
        loops.append(a.shape[: a.ndim - len(core)])
        _update_sizes(sizes, core, a.shape[a.ndim - len(core) :])
    shape = np.broadcast_shapes(*loops)
    if math.prod(shape) == 0:
        raise NotImplementedError("np.vectorize with a signature on no items is not supported")
    cores = [tuple([sizes[name] for name in core]) for core in inputs]
    lanes = [
        np.broadcast_to(a, shape + core).reshape((math.prod(shape),) + core)
        for a, core in zip(arrays, cores)
    ]

    def item(*lane):
        # As in NumPy, the function gets read-only views.
        found = function(*[np.broadcast_to(a, core) if core else a for a, core in zip(lane, cores)])
        if (len(found) if isinstance(found, tuple) else 1) != len(outputs):
            raise ValueError(f"wrong number of outputs from pyfunc: expected {len(outputs)}")
        made = tuple([np.asarray(each) for each in _as_tuple(found)])
        if dtypes is None:
            return made
        return tuple([each.astype(dtype) for each, dtype in zip(made, dtypes)])

    found = prim.vmap(item, *lanes)
    for each, core in zip(found, outputs):
        if each.ndim != len(core) + 1:
            raise ValueError(f"a result of shape {each.shape[1:]} for core dimensions {core}")
        _update_sizes(sizes, core, each.shape[1:])
    return _as_results([each.reshape(shape + each.shape[1:]) for each in found])


def _update_sizes(sizes, core, shape):
    for name, size in zip(core, shape):
        if name in sizes and sizes[name] != size:
            raise ValueError(
                f"inconsistent size for core dimension '{name}': {size} vs {sizes[name]}"
            )
        sizes[name] = size


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    arr = np.asarray(arr)
    axis = prim.axis(axis, arr.ndim)
    moved = np.moveaxis(arr, axis, -1)
    shape = moved.shape[:-1]
    if math.prod(shape) == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")

    def row(x):
        return np.asarray(prim.call_without_stores(func1d, x, args, kwargs))

    found = prim.vmap(row, moved.reshape((math.prod(shape), moved.shape[-1])))
    made = found.reshape(shape + found.shape[1:])
    inner = made.ndim - len(shape)
    # The axes of the results replace the axis.
    order = (
        *range(axis),
        *range(len(shape), len(shape) + inner),
        *range(axis, len(shape)),
    )
    return np.transpose(made, order)


def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    return function(*np.indices(shape, dtype=dtype), **kwargs)


def mask_indices(n, mask_func, k=0):
    return np.nonzero(mask_func(np.ones((n, n), int), k) != 0)


def apply_over_axes(func, a, axes):
    found = np.asarray(a)
    ndim = found.ndim
    for axis in prim.static_items((axes,) if np.ndim(axes) == 0 else tuple(axes)):
        axis = axis + ndim if axis < 0 else axis
        made = np.asarray(func(found, axis))
        if made.ndim != found.ndim:
            made = np.expand_dims(made, axis)
        if made.ndim != ndim:
            raise ValueError("function is not returning an array of the correct shape")
        found = made
    return found
