"""scipy.signal: digital filters, in the direct form II transposed."""

import numpy as np


def lfilter(b, a, x, axis=-1, zi=None):
    b, a = _coefficients(b, a)
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("x must be at least 1-D")
    dtype = np.result_type(b, a, x) if zi is None else np.result_type(b, a, x, zi)
    _check_dtype(dtype)
    order = max(b.size, a.size) - 1
    first = a[0].astype(dtype)
    if first == 0:
        raise ValueError("BUG: filter coefficient a[0] == 0 not supported yet")
    b, a = _padded(b.astype(dtype) / first, order), _padded(a.astype(dtype) / first, order)
    x = np.moveaxis(x.astype(dtype), axis, 0)
    z = np.zeros((order, *x.shape[1:]), dtype)
    if zi is not None:
        z += _initial(np.asarray(zi), x, axis, order)
    y = np.empty(x.shape, dtype)
    for t in range(x.shape[0]):
        value = b[0] * x[t] + (z[0] if order > 0 else 0)
        for k in range(order - 1):
            z[k] = z[k + 1] + b[k + 1] * x[t] - a[k + 1] * value
        if order > 0:
            z[order - 1] = b[order] * x[t] - a[order] * value
        y[t] = value
    y = np.ascontiguousarray(np.moveaxis(y, 0, axis))
    return y if zi is None else (y, np.ascontiguousarray(np.moveaxis(z, 0, axis)))


def _coefficients(b, a):
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    if b.ndim != 1 or b.size == 0:
        raise ValueError(f"Parameter b is not a non-empty 1d array, since b.shape={b.shape}!")
    if a.ndim != 1 or a.size == 0:
        raise ValueError(f"Parameter a is not a non-empty 1d array, since a.shape={a.shape}!")
    return b, a


def _check_dtype(dtype):
    if dtype.char not in "fdFD":
        raise NotImplementedError(f"input type '{dtype}' not supported")


def _padded(coefficients, order):
    return np.concatenate(
        (coefficients, np.zeros(order + 1 - coefficients.size, coefficients.dtype))
    )


def _initial(zi, x, axis, order):
    """The initial state, with the axis of the filter first."""
    if zi.ndim != x.ndim:
        depth = "too deep" if zi.ndim > x.ndim else "of too small depth"
        raise ValueError(f"object {depth} for desired array")
    zi = np.moveaxis(zi, axis, 0)
    fits = all([m in (1, n) for m, n in zip(zi.shape[1:], x.shape[1:])])
    if zi.shape[0] != order or not fits:
        raise ValueError("The initial conditions have an unexpected shape.")
    return zi


def lfilter_zi(b, a):
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    if b.ndim != 1:
        raise ValueError("Numerator b must be 1-D.")
    if a.ndim != 1:
        raise ValueError("Denominator a must be 1-D.")
    if a.size == 0:
        raise ValueError("There must be at least one nonzero `a` coefficient.")
    if a[0] == 0:
        raise NotImplementedError("leave out the zeros that the denominator begins with")
    order = max(b.size, a.size) - 1
    b, a = _padded(b / a[0], order), _padded(a / a[0], order)
    # The transposed companion matrix of the denominator.
    step = np.eye(order, k=1, dtype=a.dtype)
    if order > 0:
        step[:, 0] -= a[1:]
    return np.linalg.solve(np.eye(order) - step, b[1:] - a[1:] * b[0])


def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    b, a, x = np.atleast_1d(b), np.atleast_1d(a), np.asarray(x)
    if method not in ("pad", "gust"):
        raise ValueError("method must be 'pad' or 'gust'.")
    if method == "gust":
        raise NotImplementedError("method='gust' of filtfilt is not supported; use 'pad'")
    if padtype not in ("even", "odd", "constant", None):
        raise ValueError(
            f"Unknown value '{padtype}' given to padtype. "
            "padtype must be 'even', 'odd', 'constant', or None."
        )
    edge = 3 * max(b.size, a.size) if padlen is None else padlen
    edge = 0 if padtype is None else edge
    n = x.shape[axis]
    if n <= edge:
        raise ValueError(
            f"The length of the input vector x must be greater than padlen, which is {edge}."
        )
    zi = lfilter_zi(b, a)
    shape = [1] * x.ndim
    shape[axis] = zi.size
    zi = zi.reshape(shape)
    if edge > 0:
        x = _extended(x, edge, padtype, axis)
    y, _ = lfilter(b, a, x, axis, zi * _along(x, axis, slice(0, 1)))
    last = _along(y, axis, slice(-1, None))
    y, _ = lfilter(b, a, _along(y, axis, slice(None, None, -1)), axis, zi * last)
    y = _along(y, axis, slice(None, None, -1))
    return _along(y, axis, slice(edge, edge + n)) if edge > 0 else y


def _along(x, axis, part):
    index = [slice(None)] * x.ndim
    index[axis] = part
    return x[tuple(index)]


def _extended(x, n, padtype, axis):
    """An array with `n` more elements at each end of an axis."""
    first, last = _along(x, axis, slice(0, 1)), _along(x, axis, slice(-1, None))
    if padtype == "constant":
        left, right = np.repeat(first, n, axis), np.repeat(last, n, axis)
    else:
        left = _along(x, axis, slice(n, 0, -1))
        right = _along(x, axis, slice(-2, -(n + 2), -1))
    if padtype == "odd":
        left, right = 2 * first - left, 2 * last - right
    return np.concatenate((left, x, right), axis=axis)


def sosfilt(sos, x, axis=-1, zi=None):
    sos, x = np.atleast_2d(sos), np.asarray(x)
    if x.ndim == 0:
        raise ValueError("x must be at least 1-D")
    if sos.ndim != 2:
        raise ValueError("sos array must be 2D")
    if sos.shape[1] != 6:
        raise ValueError("sos array must be shape (n_sections, 6)")
    if not np.all(sos[:, 3] == 1):
        raise ValueError("sos[:, 3] should be all ones")
    dtype = np.result_type(sos, x) if zi is None else np.result_type(sos, x, zi)
    _check_dtype(dtype)
    sections = sos.shape[0]
    sos, x = sos.astype(dtype), np.moveaxis(x.astype(dtype), axis, 0)
    axis = axis % x.ndim
    z = np.zeros((sections, 2, *x.shape[1:]), dtype)
    if zi is not None:
        given = np.moveaxis(np.asarray(zi), axis + 1, 1)
        if given.shape != z.shape:
            raise ValueError(f"Invalid zi shape. With axis={axis}, zi has {np.shape(zi)}.")
        z += given
    y = np.empty(x.shape, dtype)
    for t in range(x.shape[0]):
        value = x[t]
        for s in range(sections):
            given = value
            value = sos[s, 0] * given + z[s, 0]
            z[s, 0] = sos[s, 1] * given - sos[s, 4] * value + z[s, 1]
            z[s, 1] = sos[s, 2] * given - sos[s, 5] * value
        y[t] = value
    # SciPy filters along the last axis, so that this is the order in memory.
    y = np.moveaxis(np.ascontiguousarray(np.moveaxis(y, 0, -1)), -1, axis)
    if zi is None:
        return y
    z = np.ascontiguousarray(np.moveaxis(z, (0, 1), (-2, -1)))
    return y, np.moveaxis(z, (-2, -1), (0, axis + 1))
