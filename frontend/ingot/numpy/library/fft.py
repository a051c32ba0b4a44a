"""np.fft, composed from the dialect's operation for transforms along the last axis."""

import operator

import numpy as np

from ingot.numpy import primitives as prim


def _resized(a, n, axis):
    """The array with an axis moved last and cut or padded with zeros to the length n."""
    a = np.moveaxis(a, axis, -1)
    size = a.shape[-1]
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    if n < size:
        return a[..., :n]
    if n > size:
        return np.concatenate((a, np.zeros(a.shape[:-1] + (n - size,), a.dtype)), axis=-1)
    return a


def _scaled(a, n, norm, is_inverse):
    """A result of the operation, which divides inverse transforms by n, scaled for a norm."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')
    if norm == "ortho":
        return a * a.real.dtype.type(np.sqrt(n) if is_inverse else 1 / np.sqrt(n))
    if norm == "forward":
        return a * a.real.dtype.type(n if is_inverse else 1 / n)
    return a


def _transform(kind, a, n, axis, norm, out):
    a = np.asarray(a)
    axis = prim.axis(axis, a.ndim)
    if a.dtype == np.float16:
        raise NotImplementedError(
            "transforms of float16 are not supported; use .astype(np.float32)"
        )
    single = a.dtype in (np.dtype(np.float32), np.dtype(np.complex64))
    if kind == "rfft":
        if a.dtype.kind == "c":
            raise TypeError("ufunc 'rfft' does not take complex numbers")
        dtype = np.float32 if single else np.float64
    else:
        dtype = np.complex64 if single else np.complex128
    if n is None:
        n = 2 * (a.shape[axis] - 1) if kind == "irfft" else a.shape[axis]
    else:
        n = operator.index(n)
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    if a.shape[axis] == 0:
        raise NotImplementedError("the transform of no elements is not supported")
    a = _resized(a, n // 2 + 1 if kind == "irfft" else n, axis).astype(dtype)
    found = prim.fft(kind, a, n)
    found = _scaled(found, n, norm, kind in ("ifft", "irfft"))
    return prim.into(np.moveaxis(found, -1, axis), out)


def fft(a, n=None, axis=-1, norm=None, out=None):
    return _transform("fft", a, n, axis, norm, out)


def ifft(a, n=None, axis=-1, norm=None, out=None):
    return _transform("ifft", a, n, axis, norm, out)


def rfft(a, n=None, axis=-1, norm=None, out=None):
    return _transform("rfft", a, n, axis, norm, out)


def irfft(a, n=None, axis=-1, norm=None, out=None):
    return _transform("irfft", a, n, axis, norm, out)


#: The norm of the opposite direction.
_OPPOSITE = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def hfft(a, n=None, axis=-1, norm=None, out=None):
    if norm not in _OPPOSITE:
        raise ValueError(f"Invalid norm value {norm}.")
    return irfft(np.conj(a), n, axis, _OPPOSITE[norm], out)


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    if norm not in _OPPOSITE:
        raise ValueError(f"Invalid norm value {norm}.")
    return np.conj(rfft(a, n, axis, _OPPOSITE[norm], out))


def _sizes(a, s, axes):
    """The lengths and the axes of a transform along several axes."""
    s, axes = prim.static(s, "the lengths"), prim.static(axes, "the axes")
    if s is None:
        axes = tuple(range(a.ndim)) if axes is None else tuple(axes)
        return tuple(a.shape[i] for i in axes), axes
    axes = tuple(range(-len(s), 0)) if axes is None else tuple(axes)
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    return tuple(a.shape[i] if n == -1 else n for n, i in zip(s, axes)), axes


def _several(one, a, s, axes, norm, out):
    a = np.asarray(a)
    s, axes = _sizes(a, s, axes)
    for n, axis in prim.static_items(tuple(zip(s[::-1], axes[::-1]))):
        a = one(a, n, axis, norm)
    return prim.into(a, out)


def fftn(a, s=None, axes=None, norm=None, out=None):
    return _several(fft, a, s, axes, norm, out)


def ifftn(a, s=None, axes=None, norm=None, out=None):
    return _several(ifft, a, s, axes, norm, out)


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return _several(fft, a, s, axes, norm, out)


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return _several(ifft, a, s, axes, norm, out)


def rfftn(a, s=None, axes=None, norm=None, out=None):
    a = np.asarray(a)
    s, axes = _sizes(a, s, axes)
    a = rfft(a, s[-1], axes[-1], norm)
    return _several(fft, a, s[:-1], axes[:-1], norm, out)


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return rfftn(a, s, axes, norm, out)


def irfftn(a, s=None, axes=None, norm=None, out=None):
    a = np.asarray(a)
    is_given = s is not None
    s, axes = _sizes(a, s, axes)
    last = s[-1] if is_given else 2 * (a.shape[axes[-1]] - 1)
    a = _several(ifft, a, s[:-1], axes[:-1], norm, None)
    return irfft(a, last, axes[-1], norm, out)


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return irfftn(a, s, axes, norm, out)


def _length_of_frequencies(n):
    n = prim.static(n, "the number of frequencies")
    if not isinstance(n, (int, np.integer)):
        raise ValueError("n should be an integer")
    return n


def fftfreq(n, d=1.0, device=None):
    n = _length_of_frequencies(n)
    if isinstance(n, bool):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{n}'")
    if n < 0:
        raise ValueError("negative dimensions are not allowed")
    half = (n - 1) // 2 + 1
    results = np.concatenate((np.arange(0, half), np.arange(-(n // 2), 0)))
    return results * (1.0 / (n * d))


def rfftfreq(n, d=1.0, device=None):
    n = _length_of_frequencies(n)
    return np.arange(0, n // 2 + 1) * (1.0 / (n * d))


def _axes(x, axes):
    axes = prim.static(axes, "the axes")
    if axes is None:
        return tuple(range(x.ndim))
    return (axes,) if isinstance(axes, (int, np.integer)) else tuple(axes)


def fftshift(x, axes=None):
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("not enough values to unpack (expected 2, got 0)")
    axes = _axes(x, axes)
    return np.roll(x, tuple(x.shape[i] // 2 for i in axes), axes)


def ifftshift(x, axes=None):
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("not enough values to unpack (expected 2, got 0)")
    axes = _axes(x, axes)
    return np.roll(x, tuple(-(x.shape[i] // 2) for i in axes), axes)
