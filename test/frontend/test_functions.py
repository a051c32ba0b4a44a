"""NumPy's functions and methods against NumPy, one case a line."""

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import ingot
from expressions import ARGUMENTS, V, functions_of, split
from level import sample
from oracle import assert_same, quiet

CASES = """
np.ndim(None) ;; np.shape(None) ;; np.size(None) ;; np.ndim('ab') ;; np.shape('') ;; np.size('abc')
np.zeros((2, 3)) + M[0, 0] ;; np.ones(3, np.float32) ;; np.full((2, 2), 7) ;; np.full(3, M[0, 0])
np.zeros_like(N) ;; np.ones_like(M, dtype=np.int8) ;; np.full_like(M, 2) ;; np.empty_like(M) * 0
np.array([[1, 2], [3, 4]]) ;; np.array([M[0, 0], 2.0, 3]) ;; np.array([V, V * 2]) ;; np.asarray(M) + 1
np.arange(5) ;; np.arange(2, 9, 3) ;; np.arange(0.0, 1.0, 0.3) ;; np.arange(9, 2, -2)
np.arange(np.int8(3)) ;; np.arange(np.uint64(3)) ;; np.arange(np.float32(3)) ;; np.arange(True) ;; np.arange(5, None, 2) ;; np.arange(stop=4)
np.arange(1, 8, step=2) ;; np.arange(1, 4, 1, 'f4') ;; np.arange(2, dtype=bool) ;; np.arange(4, dtype=np.uint8, device='cpu') ;; V.device
np.asarray(V, copy=True) is V ;; np.asarray(V, copy=False) is V ;; np.array(V, copy=None) is V ;; np.asarray(2.0, copy=None) ;; np.asarray(V, np.float32, copy=True)
np.from_dlpack(V) is V ;; np.from_dlpack(V) + 1 ;; np.from_dlpack(V, copy=True) is V ;; np.copyto(np.from_dlpack(V), 2) ;; np.eye(2, device='cpu') ;; np.astype(V, int, device='cpu')
np.fft.fftn(M, s=(2, 2), axes=[0, 1]) ;; np.linalg.cross(M[:, :3], V[:3]) ;; np.linalg.cross(M, M, axis=0) ;; np.signbit(np.array([-np.nan, np.nan, -0.0, 0.0]))
np.linspace(0, 1, 7) ;; np.linspace(M[0, 0], 5, 4) ;; np.linspace(0, 1, 4, endpoint=False)
np.eye(3) ;; np.eye(2, 4, k=1) ;; np.identity(3) ;; np.tril(M) ;; np.triu(M, 1) ;; np.meshgrid(V, V[:2])
M.reshape(4, 3) ;; M.reshape(-1) ;; np.reshape(M, (2, -1)) ;; M.ravel() ;; M.flatten() ;; M.T
np.transpose(A, (1, 0, 2)) ;; A.transpose(2, 0, 1) ;; A.swapaxes(0, 2) ;; np.moveaxis(A, 0, -1)
np.expand_dims(M, 1) ;; np.squeeze(M[:1]) ;; np.atleast_2d(V) ;; np.atleast_1d(M[0, 0]) ;; np.atleast_3d(M)
np.broadcast_to(V, (2, 4)) ;; np.flip(M) ;; np.flip(M, 1) ;; np.flipud(M) ;; np.fliplr(M)
np.concatenate([M, M], axis=1) ;; np.concatenate((V, V)) ;; np.concatenate([M, N], axis=None)
np.stack([V, V]) ;; np.stack([M, M], axis=-1) ;; np.vstack([V, V]) ;; np.hstack([V, V]) ;; np.dstack([M, M])
np.roll(V, N[0, 0]) ;; np.roll(M, (N[0, 1], 1), (0, 1)) ;; np.roll(M, int(V[0])) ;; np.roll(N, len(V) - 1, -1) ;; np.column_stack([V, V]) ;; np.split(V, 2) ;; np.split(V, [1, 3]) ;; np.roll(V, 1) ;; np.roll(M, -2, axis=1)
np.repeat(V, 2) ;; np.repeat(M, 2, axis=0) ;; np.tile(V, 2) ;; np.tile(M, (2, 1)) ;; np.diag(V) ;; np.diag(V, 1)
np.diag(M) ;; np.diagonal(M, 1) ;; np.take(V, [2, 0]) ;; np.take(M, [1, 1], axis=1) ;; M.take(3)
M.sum() ;; M.sum(0) ;; M.sum(axis=1, keepdims=True) ;; np.sum(A, axis=(0, 2)) ;; N.sum() ;; B.sum() ;; np.sum(N, dtype=float)
M.prod() ;; M.min() ;; M.max(1) ;; np.max(N, axis=0) ;; np.amin(M) ;; B.all() ;; B.any(0) ;; np.all(B, axis=1, keepdims=True)
M.mean() ;; N.mean(0) ;; np.mean(A, axis=(1, 2)) ;; M.var() ;; M.std(0) ;; np.var(M, ddof=1) ;; np.std(N, axis=1, ddof=1) ;; np.var(C)
M.argmax() ;; M.argmin(1) ;; np.argmax(N, axis=0) ;; np.cumsum(M) ;; np.cumsum(M, axis=1) ;; N.cumprod(0) ;; np.ptp(M)
np.count_nonzero(N) ;; np.trace(M) ;; np.diff(V) ;; np.diff(M, axis=0) ;; np.diff(V, 2) ;; np.add.reduce(M) ;; np.maximum.accumulate(V)
np.nansum(np.where(B, np.nan, M)) ;; np.sum(M, initial=10.0) ;; np.sum(M, where=B) ;; np.max(M, initial=0.0, where=B)
M @ V ;; V @ M.T ;; V @ V ;; A @ M.T ;; M @ np.ones((2, 4, 3)) ;; np.dot(M, V) ;; M.dot(M.T) ;; np.dot(A, M.T) ;; np.dot(2.0, V)
np.outer(V, V) ;; np.inner(M, V) ;; np.vdot(C, C) ;; np.tensordot(A, M, axes=([1, 2], [0, 1])) ;; np.tensordot(M, M.T, 1)
np.matmul(N, N.T) ;; C @ C.T ;; B @ B.T ;; np.add.outer(V, V) ;; np.multiply.outer(V, V[:2])
np.einsum('ij,j->i', M, V) ;; np.einsum('ij->ji', M) ;; np.einsum('ii', M @ M.T) ;; np.einsum('ii->i', M @ M.T)
np.einsum('ij,kj,k->i', M, M, V[:3]) ;; np.einsum('...ij,...kj->...ik', A, A) ;; np.einsum('ij,ij', M, M) ;; np.einsum('i,j', V, V) ;; np.einsum(M, range(2), V, [1], [0])
np.where(B, M, 0) ;; np.where(B, N, 1.5) ;; np.clip(M, -1, 1) ;; M.clip(0) ;; np.clip(N, 0, 2) ;; np.round(M) ;; np.round(M / 3, 2) ;; M.round()
M.astype(np.float32) ;; M.astype(int) ;; N.astype(bool) ;; M.astype(complex) ;; np.float32(M[0, 0]) ;; np.int64(V) ;; float(M[0, 0]) ;; int(M[1, 1]) ;; bool(N[0, 0])
C.real ;; C.imag ;; np.real(C) ;; np.imag(M) ;; C.conj() ;; np.abs(C) ;; np.angle(C) ;; M.real
M.shape ;; M.ndim ;; M.size ;; len(M) ;; M.dtype == np.float64 ;; np.shape(M) ;; M.T.shape[0]
np.isclose(M, M + 1e-9) ;; np.allclose(M, M) ;; np.array_equal(M, M) ;; np.nan_to_num(np.where(B, np.inf, M)) ;; np.sinc(V) ;; np.isposinf(V)
abs(M) ;; -N ;; +M ;; ~N ;; M ** 2 ;; M ** 3 ;; 2 ** N[0] * 0 if False else M ;; V[0] ** 2 ;; abs(M[0, 0]) ;; N % 3 ;; N // 2 ;; N << 1 ;; divmod(N, 3)
max(V[0], V[1]) ;; min(V[0], V[1]) ;; sum([V[0], V[1]]) ;; round(V[2]) ;; sum(V) ;; any([V[0] > 0, V[1] > 0]) ;; all([V[0] > 0])
np.float64(3.0) * N ;; np.pi * V ;; np.newaxis is None ;; M[None].shape ;; isinstance(V, np.ndarray) ;; np.hypot(V, V) ;; np.logaddexp(V, V)
[x * 2 for x in (V, M)] ;; {'a': V, 'b': [M]} ;; (V, (M, 1)) ;; [V[i] for i in range(2)] ;; M.item(3) ;; M.copy()
np.any(B, where=N > 3) ;; np.all(B, axis=0, where=N > 3) ;; np.copyto(M, 2) ;; np.copyto(M, N, where=B) ;; np.stack([V, V], out=np.zeros((2, 4)))
np.ediff1d(N, to_begin=np.int8(3), to_end=[1, 2]) ;; np.ediff1d(N.astype('i1'), to_end=300) ;; np.ediff1d(V.astype('f4'), to_end=V) ;; np.ediff1d(C, to_begin=N)
np.round(B) ;; np.round(B[0, 0]) ;; np.round(B, out=np.zeros((3, 4))) ;; np.round(V, True)
np.sort(V, kind='heapsort') ;; np.argsort(V, kind='Mergesort') ;; np.sort(V, kind='q') ;; np.average(M, axis=[0]) ;; np.average(A, axis=(2, 0), weights=np.arange(1, 9).reshape(4, 2))
np.quantile(V, 0.5, weights=V * V, method='inverted_cdf') ;; np.percentile(N, [50], weights=N + 3, method='inverted_cdf') ;; np.quantile(V.astype('f4'), np.float64(0.5)) ;; np.nanquantile(V, 0.5, weights=V * V, method='inverted_cdf')
np.clip(V, 1, 3, dtype=np.float32) ;; np.clip(N, 1, 3, dtype=np.int8) ;; np.clip(V, 1, 2, where=V > 0, out=V * 9) ;; np.clip(V, 1, 2.5, casting='safe') ;; np.clip(V, 0, 1, out=np.zeros(V.shape, int), casting='unsafe') ;; np.clip(M, None, 1, order='F') ;; np.clip(V, 0, 1, out=(V * 1,)) ;; np.clip(np.int8([1, 4]), np.array([500, 3]), 300) ;; np.clip(N.astype('i1'), -300, 300)
np.matmul(M, M.T, dtype=np.float32) ;; np.matmul(N, N.T, dtype=complex) ;; np.matmul(M, M, axes=[(0, 1), (1, 0), (1, 0)]) ;; np.matmul(M, V, axes=[(0, 1), 0, 0]) ;; np.matmul(V, V, axes=[0, 0, ()]) ;; np.matmul(A, M.T, axes=[(2, 1), (-1, -2), (0, 2)])
np.matmul(M, M, axes=[(0, 1), (1, 0), (0, 1)], out=np.zeros((3, 3))) ;; np.vecdot(M, M, axis=0) ;; np.vecdot(C, C, axis=0, keepdims=True) ;; np.vecdot(M, V, keepdims=True) ;; np.vecdot(A, A, axes=[1, 1]) ;; np.vecdot(N, N, dtype=float) ;; np.matvec(M, V[:3], axes=[(1, 0), 0, 0]) ;; np.vecmat(V, M, axes=[0, (1, 0), 0])
np.linspace(V.astype('f4'), 3, 5) ;; np.linspace(N[0], -20, 49, dtype=int, endpoint=False) ;; np.linspace(V.astype('f2')[0], 3, 5) ;; np.linspace(M, 3, 4, axis=-1)
np.pad(V, 7, mode='reflect', reflect_type='odd') ;; np.pad(N, ((3, 4), (9, 1)), mode='symmetric', reflect_type='odd') ;; np.pad(B, 5, 'symmetric', reflect_type='odd') ;; np.pad(V[:1], 3, 'reflect', reflect_type='odd') ;; np.pad(C, (1, 2), 'reflect', reflect_type='odd')
np.sum(V[:0], initial=2) ;; np.prod(M[:0], axis=1, initial=3.0) ;; np.sum(M[:0], axis=0, initial=3.0) ;; np.max(V[:0], initial=3) ;; np.var(V.astype('f4'), mean=np.mean(V)) ;; np.var(C, dtype=np.float32) ;; np.var(C, dtype=np.int32)
np.kron(V[0], 2.0) ;; np.std(M, axis=0, out=np.zeros(4)) ;; np.nanvar(M, out=np.zeros(())) ;; np.put(V[0], [0], 3) ;; np.tensordot(M, M, axes=([-1], [1]))
np.diag(M, np.int8(-128)) ;; np.diag(V, np.int8(2)) ;; np.diagonal(M, np.uint8(1)) ;; np.ldexp(V, 3) ;; np.ldexp(V, True) ;; np.trim_zeros([0, 1, 2, 0]) ;; np.trim_zeros([0.0, float(V[0]), 0.0], 'f') ;; np.tile(V, 0)
np.pad(V, 2, 'maximum', stat_length=2) ;; np.pad(N, 2, 'mean', stat_length=((1, 2), (2, 9))) ;; np.pad(N, (2, 1), 'median', stat_length=(3, 2)) ;; np.pad(M, 2, 'minimum', stat_length=None) ;; np.pad(N, 3, 'linear_ramp', end_values=((-7, -20), (1, 5))) ;; np.pad(M, 2, 'linear_ramp', end_values=(1, 2))
M.reshape(None) ;; M.T.reshape(None)
"""
EXPRESSIONS = split(CASES)


@pytest.mark.parametrize("case", sample(EXPRESSIONS, 3))
def test_function(check, tmp_path, case):
    (function,) = functions_of([case], tmp_path)
    check(function, *ARGUMENTS, rtol=1e-11)


IGNORED = [
    lambda: np.einsum("i->", V, dtype=np.float32),
    lambda: np.zeros(3, like=V),
    lambda: np.meshgrid(V, V, copy=False),
]


@pytest.mark.parametrize("call", IGNORED)
def test_an_argument_that_would_be_ignored_is_refused(call):
    with pytest.raises(ingot.CompileError):
        ingot.jit(call)()


REFUSED = [
    (lambda: np.arange(3, device="gpu"), ValueError), (lambda: np.arange(start=4), TypeError),
    (lambda: np.arange(3, start=1), TypeError), (lambda: np.arange(), TypeError),
    (lambda: np.arange(3, dtype=bool), TypeError), (lambda: np.asarray(2.0, copy=False), ValueError),
    (lambda: np.asarray(V, np.float32, copy=False), ValueError),
    (lambda: np.asarray([1.0], copy=False), ValueError), (lambda: np.expand_dims(V, 3), IndexError),
    (lambda: np.copyto(np.zeros(2, np.uint8), 300), (OverflowError, TypeError)),
    (lambda: np.put(np.zeros(2, np.uint8), [0], 300), (OverflowError, TypeError)),
    (lambda: np.partition(V, 2.0), TypeError), (lambda: np.argpartition(V, [1, 2.0]), TypeError),
    (lambda: np.partition(V, True), ValueError), (lambda: np.partition(V, []), TypeError),
    (lambda: V.copy().partition(1.0), TypeError), (lambda: np.meshgrid(V, V, indexing="a"), ValueError),
    (lambda: np.convolve(V, V, 1.0), TypeError), (lambda: np.convolve(V, V, True), TypeError),
    (lambda: np.convolve(V, V, "f"), ValueError), (lambda: np.convolve(V, V, None), TypeError),
    (lambda: np.correlate(V, V, 3), ValueError), (lambda: np.correlate(V, V, "x"), ValueError),
    (lambda: np.partition(V, 9), ValueError), (lambda: np.repeat(V, -1), ValueError),
    (lambda: np.resize(V, -1), ValueError), (lambda: np.astype([1], int), TypeError),
    (lambda: np.ediff1d(np.arange(3), to_begin=1.5), TypeError),
    (lambda: np.ediff1d(V, to_end=1j), TypeError),
    (lambda: np.ediff1d(np.arange(3, dtype=np.uint8), to_end=-1), TypeError),
    (lambda: np.fft.fftfreq(2.5), ValueError), (lambda: np.fft.rfftfreq(4.0), ValueError),
    (lambda: np.fft.fftfreq(True), TypeError), (lambda: np.fft.fftfreq(-1), ValueError),
    (lambda: np.sort(V, kind="foo"), ValueError), (lambda: np.argsort(V, kind=3), TypeError),
    (lambda: np.sort(V, kind="stable", stable=True), ValueError),
    (lambda: np.partition(V, 1, kind="quick"), ValueError),
    (lambda: np.sum(V, axis=[0]), TypeError), (lambda: np.mean(V, axis=[0]), TypeError),
    (lambda: np.var(V, axis=[0]), TypeError), (lambda: np.any(V, axis=[0]), TypeError),
    (lambda: np.add.reduce(V, axis=[0]), TypeError), (lambda: np.sum(V, axis=False), TypeError),
    (lambda: np.squeeze(V[:1], axis=[0]), TypeError),
    (lambda: np.linalg.norm(V, axis=[0]), TypeError), (lambda: np.round(V, 1.5), TypeError),
    (lambda: np.round(V > 0, 1), TypeError),
    (lambda: np.clip(np.arange(3), 1, 300, dtype=np.int8), (OverflowError, TypeError)),
    (lambda: np.clip(V, 1, 3, dtype=np.int64), TypeError),
    (lambda: np.matmul(V, V, axis=0), TypeError), (lambda: np.matmul(V, V, keepdims=True), TypeError),
    (lambda: np.matmul(V, V, axes=[0, 1, ()]), ValueError),
    (lambda: np.matmul(V, V, axes=[0]), ValueError), (lambda: np.vecdot(V, V, axes=(0, 0)), TypeError),
    (lambda: np.matmul(V, V, dtype=np.int64), TypeError),
    (lambda: np.pad(V, 2, "edge", constant_values=3), ValueError),
    (lambda: np.pad(V, 2, "foo"), ValueError), (lambda: np.pad(V, 2, "mean", stat_length=-1), ValueError),
    (lambda: np.pad(V, 2, "maximum", stat_length=0), ValueError),
    (lambda: np.std(V, out=np.zeros(4)), ValueError), (lambda: np.nanstd(V, out=np.zeros(4)), ValueError),
    (lambda: np.vecdot(V, V, axis=None), TypeError), (lambda: np.cumsum(V, axis=()), TypeError),
    (lambda: np.argmin(V, axis=()), TypeError), (lambda: np.add.reduce(np.array(2.0), axis=(0,)), ValueError),
    (lambda: np.tensordot(V, V, axes=(1, 0)), (IndexError, ValueError)), (lambda: np.linspace(0, V[0], axis=None), TypeError),
    (lambda: np.tensordot(V, V, axes=([1], [0])), IndexError), (lambda: np.isin(V, V, kind="foo"), ValueError),
    (lambda: np.linalg.matrix_rank(np.ones((2, 3)), hermitian=True), ValueError),
    (lambda: np.linalg.pinv(np.ones((2, 3)), hermitian=True), ValueError),
    (lambda: np.dot(V, V[0], out=np.zeros(4, int)), (ValueError, TypeError)),
    (lambda: np.dot(np.eye(2), np.eye(2), out=np.zeros((1, 2, 2))), ValueError),
    (lambda: np.dot(np.eye(2), np.eye(2), out=np.zeros((2, 2)).T), ValueError),
    (lambda: np.eye(2).dot(np.eye(2), np.zeros((2, 4))[:, ::2]), ValueError),
    (lambda: np.ldexp(V, np.arange(4, dtype=np.uint64)), TypeError),
    (lambda: np.putmask(np.ones(2, np.uint64), np.ones(2, bool), np.zeros(0, np.int32)), TypeError),
    (lambda: np.nanmax(V, out=np.zeros(4)), ValueError), (lambda: np.sum(V, axis=1), ValueError), (lambda: np.linalg.cross(V, V), ValueError),
    (lambda: np.tile(V, -1), ValueError), (lambda: np.tile(V, (2, -1)), ValueError),
    (lambda: np.diag(V, np.int8(127)), ValueError), (lambda: np.diag(V, 1.5), TypeError),
    (lambda: np.ldexp(V, 2**40), (OverflowError, TypeError)),
    (lambda: np.ravel_multi_index((V, V), (9, 9)), TypeError), (lambda: np.ravel_multi_index((1.0, 2), (9, 9), "clip"), TypeError),
    (lambda: np.einsum("ij...", V), ValueError), (lambda: np.vecdot(V[0], V), ValueError),
    (lambda: np.einsum("...i->", np.ones((2, 3))), ValueError), (lambda: np.einsum("...i,i->i", np.ones((2, 3)), np.ones(3)), ValueError),
]  # fmt: skip


@pytest.mark.parametrize("call, kind", REFUSED)
def test_what_numpy_refuses(call, kind):
    for each in (call, ingot.jit(call)):
        with quiet(), pytest.raises(kind):
            each()


def test_lengths_and_axes_that_are_arguments():
    x = np.arange(6.0).reshape(2, 3)
    for function in (np.fft.fftshift, np.fft.ifftshift):
        shifted = ingot.jit(lambda x, axes: function(x, axes))(x, [1])
        np.testing.assert_array_equal(shifted, function(x, [1]))
    # NumPy warns of s= without axes.
    with pytest.raises(IndexError):
        ingot.jit(lambda x: np.fft.ifftn(x, s=(2, 2)))(x[0])
    transformed = ingot.jit(lambda x, s, axes: np.fft.fftn(x, s, axes))(x, (1, 4), [0, 1])
    np.testing.assert_allclose(transformed, np.fft.fftn(x, (1, 4), [0, 1]), atol=1e-15)


def test_rounding_to_more_digits_than_there_are():
    for decimals in (400, -400):
        with quiet():
            assert_same(ingot.jit(lambda v: np.round(v, decimals))(V), np.round(V, decimals))


@pytest.mark.parametrize("dtypes", [("i8", "i8", "i4"), ("i8", "i4", "i2"), ("i4", "i4", "i1")])
def test_bits_of_narrower_integers(dtypes):
    # XLA crashed when it compiled these.
    a, b = (np.arange(-3, 3).astype(each) * 1001 for each in dtypes[:2])
    to = dtypes[2]
    for bits in (np.bitwise_and, np.bitwise_or, np.bitwise_xor):
        found = ingot.jit(lambda a, b: bits(a.astype(to), b.astype(to)))(a, b)
        assert_same(found, bits(a.astype(to), b.astype(to)))


def test_copyto_checks_the_cast():
    def f(a, b):
        np.copyto(a, b)

    with pytest.raises(ingot.DTypeError, match="same_kind"):
        ingot.jit(f)(np.zeros(3, int), np.ones(3))


# Reductions, by hypothesis.


@st.composite
def reduction_case(draw):
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4))
    axes = st.integers(-len(shape), len(shape) - 1)
    axis = draw(st.none() | axes | st.sets(st.integers(0, len(shape) - 1), min_size=1).map(tuple))
    dtype = draw(st.sampled_from(["bool", "int8", "uint16", "int64", "float32", "float64"]))
    return shape, axis, dtype, draw(st.booleans())


def reduce_all(x, axis, keepdims):
    return (
        np.sum(x, axis, keepdims=keepdims),
        np.prod(x, axis, keepdims=keepdims),
        np.min(x, axis, keepdims=keepdims),
        np.max(x, axis, keepdims=keepdims),
        np.mean(x, axis, keepdims=keepdims),
        np.var(x, axis, keepdims=keepdims),
        np.any(x, axis, keepdims=keepdims),
        np.all(x, axis, keepdims=keepdims),
    )


@given(reduction_case(), st.integers(0, 99))
def test_reductions(case, seed):
    shape, axis, dtype, keepdims = case
    x = np.random.default_rng(seed).integers(0, 5, shape).astype(dtype)
    compiled = ingot.jit(reduce_all, static=("axis", "keepdims"))
    assert_same(compiled(x, axis, keepdims), reduce_all(x, axis, keepdims), 1e-6)


def index(x, i):
    return x[i]


def assign(x, i, v):
    x[i] = v
    x[i] += 1
    return x


@given(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=5), st.data())
def test_basic_indexing(shape, data):
    i = data.draw(hnp.basic_indices(shape, allow_newaxis=True, max_dims=5))
    x = np.arange(np.prod(shape), dtype=float).reshape(shape)
    expected = index(x, i)
    actual = ingot.jit(lambda x: index(x, i))(x)
    assert np.asarray(actual).shape == np.asarray(expected).shape
    np.testing.assert_array_equal(actual, expected)


@given(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=5), st.data())
def test_basic_assignment(shape, data):
    i = data.draw(hnp.basic_indices(shape, allow_newaxis=True, max_dims=5))
    x = np.arange(np.prod(shape), dtype=float).reshape(shape)
    v = np.broadcast_to(np.float64(0.5), np.shape(x[i])) * 3
    expected, actual = x.copy(), x.copy()
    assign(expected, i, v)
    ingot.jit(lambda x, v: assign(x, i, v))(actual, np.asarray(v))
    np.testing.assert_array_equal(actual, expected)


@given(hnp.array_shapes(min_dims=1, max_dims=3, min_side=2, max_side=4), st.data())
def test_integer_array_indexing(shape, data):
    axes = data.draw(st.integers(1, len(shape)))
    length = data.draw(st.integers(1, 4))
    draw = [
        data.draw(hnp.arrays(np.int64, length, elements=st.integers(-n, n - 1)))
        for n in shape[:axes]
    ]
    x = np.arange(np.prod(shape), dtype=float).reshape(shape)

    def read(x, *i):
        return x[i]

    assert_same(ingot.jit(read)(x, *draw), read(x, *draw))
