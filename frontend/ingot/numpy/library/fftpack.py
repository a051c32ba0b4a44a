"""scipy.fftpack: the transforms of scipy.fft, and those of reals as reals."""

import numpy as np

from ingot.numpy.library import scipy_fft


def fft(x, n=None, axis=-1, overwrite_x=False):
    return scipy_fft.fft(x, n, axis, None, overwrite_x)


def ifft(x, n=None, axis=-1, overwrite_x=False):
    return scipy_fft.ifft(x, n, axis, None, overwrite_x)


def fftn(x, shape=None, axes=None, overwrite_x=False):
    return scipy_fft.fftn(x, shape, axes, None, overwrite_x)


def ifftn(x, shape=None, axes=None, overwrite_x=False):
    return scipy_fft.ifftn(x, shape, axes, None, overwrite_x)


def fft2(x, shape=None, axes=(-2, -1), overwrite_x=False):
    return scipy_fft.fftn(x, shape, axes, None, overwrite_x)


def ifft2(x, shape=None, axes=(-2, -1), overwrite_x=False):
    return scipy_fft.ifftn(x, shape, axes, None, overwrite_x)


def rfft(x, n=None, axis=-1, overwrite_x=False):
    found = np.moveaxis(scipy_fft.rfft(x, n, axis, None, overwrite_x), axis, -1)
    size = np.shape(x)[axis] if n is None else n
    # The imaginary part of the first number is left out, and of the last one if the size is even.
    parts = np.stack([found.real, found.imag], axis=-1).reshape(*found.shape[:-1], -1)
    kept = np.concatenate([parts[..., :1], parts[..., 2 : size + 1]], axis=-1)
    return np.ascontiguousarray(np.moveaxis(kept, -1, axis))
