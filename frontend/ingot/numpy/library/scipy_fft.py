"""scipy.fft: np.fft's transforms, with results in C order."""

import numpy as np


def _taken(x, overwrite_x, plan):
    """The array that is transformed; SciPy's transforms of float16 are those of float32."""
    if plan is not None:
        raise NotImplementedError(
            "Passing a precomputed plan is not yet supported by scipy.fft functions"
        )
    if overwrite_x:
        raise NotImplementedError("overwrite_x=True is not supported; leave it out")
    x = np.asarray(x)
    return x.astype(np.float32) if x.dtype == np.float16 else x


def _axes(axes):
    if axes is None:
        return None
    axes = (axes,) if isinstance(axes, int) else axes
    if len(set(axes)) != len(axes):
        raise ValueError("all axes must be unique")
    return axes


def _shape(s):
    return (s,) if isinstance(s, int) else s


def _of_reals(x):
    if np.iscomplexobj(x):
        raise TypeError("x must be a real sequence")
    return x


def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.ascontiguousarray(np.fft.fft(_taken(x, overwrite_x, plan), n, axis, norm))


def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.ascontiguousarray(np.fft.ifft(_taken(x, overwrite_x, plan), n, axis, norm))


def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    x = _of_reals(_taken(x, overwrite_x, plan))
    return np.ascontiguousarray(np.fft.rfft(x, n, axis, norm))


def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.ascontiguousarray(np.fft.irfft(_taken(x, overwrite_x, plan), n, axis, norm))


def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.ascontiguousarray(np.fft.hfft(_taken(x, overwrite_x, plan), n, axis, norm))


def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    x = _of_reals(_taken(x, overwrite_x, plan))
    return np.ascontiguousarray(np.fft.ihfft(x, n, axis, norm))


def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    x = _taken(x, overwrite_x, plan)
    return np.ascontiguousarray(np.fft.fftn(x, _shape(s), _axes(axes), norm))


def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    x = _taken(x, overwrite_x, plan)
    return np.ascontiguousarray(np.fft.ifftn(x, _shape(s), _axes(axes), norm))


def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    x = _of_reals(_taken(x, overwrite_x, plan))
    return np.ascontiguousarray(np.fft.rfftn(x, _shape(s), _axes(axes), norm))


def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    x = _taken(x, overwrite_x, plan)
    return np.ascontiguousarray(np.fft.irfftn(x, _shape(s), _axes(axes), norm))


def fft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


def ifft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return ifftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


def rfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return rfftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


def irfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return irfftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


def fftfreq(n, d=1.0):
    return np.fft.fftfreq(n, d)


def rfftfreq(n, d=1.0):
    return np.fft.rfftfreq(n, d)


def fftshift(x, axes=None):
    return np.fft.fftshift(x, axes)


def ifftshift(x, axes=None):
    return np.fft.ifftshift(x, axes)
