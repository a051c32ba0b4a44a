"""Functions of the array API standard that differ from NumPy's, written with NumPy functions.

NumPy's functions lack a parameter of the standard, or return a tuple instead of a list;
array-api-compat wraps the same ones. Results whose length depends on values also get a bound, as
compiled functions need. `array_api_namespace.py` compiles these.
"""

from __future__ import annotations

import numpy as np

import ingot

#: The longest result of `repeat` in the suite.
LONGEST = 1024


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    if not descending:
        return np.argsort(x, axis=axis, stable=stable)
    # Counted from the end of the reversed array, equal elements keep their order.
    found = np.argsort(np.flip(x, axis=axis), axis=axis, stable=True)
    return np.flip(x.shape[axis] - 1 - found, axis=axis)


def sort(x, /, *, axis=-1, descending=False, stable=True):
    found = np.sort(x, axis=axis, stable=stable)
    return np.flip(found, axis=axis) if descending else found


def clip(x, /, min=None, max=None):
    return np.clip(x, min, max)


def repeat(x, repeats, /, *, axis=None):
    if not isinstance(repeats, np.ndarray):
        return np.repeat(x, repeats, axis=axis)
    if axis is None:
        return ingot.bound(np.repeat(x, repeats), LONGEST)
    first = ingot.bound(np.repeat(np.moveaxis(x, axis, 0), repeats, axis=0), LONGEST)
    return np.moveaxis(first, 0, axis)


def meshgrid(*arrays, indexing="xy"):
    return list(np.meshgrid(*arrays, indexing=indexing))


def broadcast_arrays(*arrays):
    return list(np.broadcast_arrays(*arrays))


def finfo(type, /):
    return np.finfo(type.dtype if isinstance(type, np.ndarray) else type)


def iinfo(type, /):
    return np.iinfo(type.dtype if isinstance(type, np.ndarray) else type)


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    found = np.fft.fftfreq(n, d, device)
    return found if dtype is None else found.astype(dtype)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    found = np.fft.rfftfreq(n, d, device)
    return found if dtype is None else found.astype(dtype)
