"""scipy.signal: n-dimensional convolutions and correlations, and analytic signals."""

import numpy as np

from ingot.numpy.library import scipy_fft


def convolve(in1, in2, mode="full", method="auto"):
    if method not in ("auto", "direct", "fft"):
        raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
    a, v = np.asarray(in1), np.asarray(in2)
    if a.ndim != v.ndim:
        raise ValueError("volume and kernel should have the same dimensionality")
    if a.ndim == 0:
        return a * v
    if a.ndim == 1 and v.size and a.size == 0 and mode == "same":
        return np.zeros(0)
    if a.ndim == 1 and a.size * v.size == 0:
        raise ValueError("a cannot be empty" if a.size == 0 else "v cannot be empty")
    if a.size == 0 or v.size == 0:
        raise NotImplementedError("convolutions of empty arrays are not supported")
    if mode == "full":
        return _full(a, v)
    if mode == "same":
        return _cut(_full(a, v), a.shape, [(n - 1) // 2 for n in v.shape])
    if mode != "valid":
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    larger = [m >= n for m, n in zip(a.shape, v.shape)]
    if not all(larger) and not all([n >= m for m, n in zip(a.shape, v.shape)]):
        raise ValueError(
            "For 'valid' mode, one must be at least as large as the other in every dimension"
        )
    sizes = [abs(m - n) + 1 for m, n in zip(a.shape, v.shape)]
    return _cut(_full(a, v), sizes, [min(m, n) - 1 for m, n in zip(a.shape, v.shape)])


def _cut(a, sizes, starts):
    return a[tuple([slice(start, start + n) for n, start in zip(sizes, starts)])].copy()


def _full(a, v):
    if a.ndim == 1:
        return np.convolve(a, v)
    if v.size > a.size:
        a, v = v, a
    dtype = np.result_type(a, v)
    made = np.zeros([m + n - 1 for m, n in zip(a.shape, v.shape)], dtype)
    a, v = a.astype(dtype), v.astype(dtype)
    for offset in np.ndindex(v.shape):
        inside = tuple([slice(i, i + n) for i, n in zip(offset, a.shape)])
        made[inside] += a * v[offset]
    return made


def correlate(in1, in2, mode="full", method="auto"):
    v = np.asarray(in2)
    if np.ndim(in1) == 0 and v.ndim == 0:
        return np.asarray(in1) * np.conj(v)
    return convolve(in1, np.conj(np.flip(v)), mode, method)


def fftconvolve(in1, in2, mode="full", axes=None):
    if axes is not None:
        raise NotImplementedError("axes= of fftconvolve is not supported; use ingot.vmap")
    a, v = np.asarray(in1), np.asarray(in2)
    dtype = np.result_type(a, v)
    if dtype.kind in "biu":
        a = a.astype(np.float64)
    if a.size == 0 or v.size == 0:
        return np.zeros(0)
    return convolve(a, v, mode)


def hilbert(x, N=None, axis=-1):
    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise ValueError("x must be real.")
    n = x.shape[axis] if N is None else N
    if n <= 0:
        raise ValueError("N must be positive.")
    found = np.moveaxis(scipy_fft.fft(x, n, axis), axis, -1)
    found[..., 1 : (n + 1) // 2] *= 2.0
    found[..., n // 2 + 1 :] = 0.0
    return scipy_fft.ifft(np.moveaxis(found, -1, axis), axis=axis)
