"""Determinants, with derivatives at matrices that are singular, too."""

import numpy as np
from numpy.linalg._linalg import SlogdetResult

from ingot.numpy import primitives as prim
from ingot.numpy.library.linalg import (
    _adjoint,
    _double,
    _first,
    _inverse,
    _permutation,
    _rounded,
    _solution,
    _square,
    _svd,
)

_SMALL = 1e-10


def _sign(pivots, dtype):
    exchanged = np.sum(pivots != np.arange(pivots.shape[-1]), axis=-1) % 2
    return np.where(exchanged == 1, -1.0, 1.0).astype(dtype)


def _diagonal(a):
    return np.diagonal(a, axis1=-2, axis2=-1)


def det(a):
    a = _square(a)
    if a.shape[-1] == 0:
        return np.ones(a.shape[:-2], a.dtype)[()]
    if a.shape[-1] <= 3:
        found = prim.custom_jvp(_det, _tangent_of_few, _double(a))
    else:
        found = _det(_double(a))
    return _rounded(found, a)[()]


def _det(a):
    return prim.numpy_function("det", _product, a)[0]


def _tangent_of_few(primals, tangents):
    """The tangent for up to three rows, of which the cofactors are short formulas."""
    return _det(primals[0]), np.sum(_minors(primals[0]) * tangents[0], axis=(-2, -1))


def _minors(a):
    n = a.shape[-1]
    if n == 1:
        return np.ones(a.shape, a.dtype)
    if n == 2:
        return a[..., ::-1, ::-1] * np.array([[1.0, -1.0], [-1.0, 1.0]])
    rows = [np.cross(a[..., i - 2, :], a[..., i - 1, :]) for i in range(3)]
    return np.stack(rows, axis=-2)


def _never_fails(a):
    return np.zeros(a.shape[:-2], np.int32)


def _product(a):
    lu, pivots = prim.lu(a)
    found = _sign(pivots, a.dtype) * np.prod(_diagonal(lu), axis=-1)
    if a.shape[-1] > 3:
        found = prim.custom_jvp(_first, _det_tangent, found, a, lu, pivots)
    return found, _never_fails(a)


def _det_tangent(primals, tangents):
    found, a, lu, pivots = primals
    # The derivatives of the cofactors are by the matrix: those of its factors would be multiplied by
    # zeros, and divide by them.
    if not np.iscomplexobj(lu):
        lu = prim.unary("stop_gradient", lu)
    return found, np.sum(_cofactors(a, lu, pivots) * tangents[1], axis=(-2, -1))


def _cofactors(a, lu, pivots):
    """The derivatives of the determinant with respect to the elements, of more than three rows."""
    n = a.shape[-1]
    size = np.abs(_diagonal(lu))
    # The inverse times the determinant loses what a pivot of 0 is multiplied by, and digits if one is small.
    if np.all(np.min(size, axis=-1) > _SMALL * np.max(size, axis=-1)):
        eye = np.broadcast_to(np.eye(n, dtype=a.dtype), a.shape).copy()
        adjugate = det(a)[..., None, None] * _solution(a, eye, lu, _permutation(pivots, n))
    else:
        adjugate = prim.custom_jvp(_adjugate, _adjugate_tangent, a)
    return np.swapaxes(adjugate, -1, -2)


def _factors(a):
    """The singular values s of a = u s vh, the factors u and vh, and det(u) det(vh)."""
    u, s, vh = _svd(a, False)
    return u, s, vh, (det(u) * det(vh))[..., None, None]


def _products(s):
    """Products of the elements before and behind each."""
    one = np.ones(s.shape[:-1] + (1,), s.dtype)
    before = np.cumprod(np.concatenate((one, s[..., :-1]), axis=-1), axis=-1)
    behind = np.cumprod(np.concatenate((one, s[..., :0:-1]), axis=-1), axis=-1)[..., ::-1]
    return before, behind


def _adjugate(a):
    u, s, vh, unit = _factors(a)
    before, behind = _products(s)
    return unit * (_adjoint(vh) @ ((before * behind)[..., None] * _adjoint(u)))


def _adjugate_tangent(primals, tangents):
    u, s, vh, unit = _factors(primals[0])
    n = s.shape[-1]
    before, behind = _products(s)
    # Of the singular values other than the i-th and j-th, those between the two are a running product.
    i, j = np.arange(n)[:, None], np.arange(n)
    between = np.cumprod(np.where(j > i + 1, np.roll(s, 1, axis=-1)[..., None, :], 1.0), axis=-1)
    upper = np.where(j > i, before[..., :, None] * between * behind[..., None, :], 0.0)
    others = upper + np.swapaxes(upper, -1, -2)
    moved = _adjoint(u) @ tangents[0] @ _adjoint(vh)
    on_diagonal = np.sum(others * _diagonal(moved)[..., None, :], axis=-1)
    inner = on_diagonal[..., None] * np.eye(n) - others * moved
    return _adjugate(primals[0]), unit * (_adjoint(vh) @ inner @ _adjoint(u))


def slogdet(a):
    a = _square(a)
    real = a.real.dtype
    if a.shape[-1] == 0:
        return SlogdetResult(np.ones(a.shape[:-2], a.dtype)[()], np.zeros(a.shape[:-2], real)[()])
    sign, logarithm, _ = prim.custom_jvp(_slogdet, _slogdet_tangent, _double(a))
    return SlogdetResult(sign.astype(a.dtype)[()], logarithm.astype(real)[()])


def _slogdet(a):
    return prim.numpy_function("slogdet", _sign_and_logarithm, a)


def _slogdet_tangent(primals, tangents):
    found = _slogdet(primals[0])
    ratio = np.sum(np.swapaxes(_inverse(primals[0])[0], -1, -2) * tangents[0], axis=(-2, -1))
    if ratio.dtype.kind == "c":
        return found, (found[0] * 1j * ratio.imag, ratio.real, None)
    return found, (None, ratio, None)


def _sign_and_logarithm(a):
    lu, pivots = prim.lu(a)
    diagonal = _diagonal(lu)
    size = np.abs(diagonal)
    is_zero = np.any(size == 0, axis=-1)
    units = diagonal / np.where(size == 0, 1, size)
    sign = np.where(is_zero, 0, _sign(pivots, a.dtype) * np.prod(units, axis=-1))
    logarithms = np.sum(np.log(np.where(size == 0, 1, size)), axis=-1)
    found = np.where(is_zero, -np.inf, logarithms)
    return sign.astype(a.dtype), found.astype(a.real.dtype), _never_fails(a)
