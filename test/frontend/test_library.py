"""The functions that are written in the NumPy subset, and `math`, against NumPy and Python."""

import numpy as np
import pytest
from plain import same_for

import ingot
from expressions import ARGUMENTS, functions_of, split
from level import sample

CASES = """
V[0].copy() ;; np.copy(V[0]) ;; np.real_if_close(V[0]) ;; np.real_if_close(2) ;; np.reshape(V[0], ()) ;; V[0].reshape(()) ;; V[0].reshape(1, 1) ;; np.reshape(np.float32(2), []) ;; np.squeeze(V[0]) ;; V[0].squeeze() ;; V[0].transpose() ;; np.transpose(N[0, 0]) ;; np.moveaxis(V[0], [], []) ;; np.reshape(2.0, ()) ;; np.squeeze(2) ;; np.reshape(np.array(2.0), ()) ;; V[:1].reshape(()) ;; np.reshape(V[0] > 1, (), order='F') ;; np.squeeze(V[:1])
V.view(np.int64) ;; V.view('u8') >> 52 ;; N.astype('i4').view(np.float32) ;; M.T.view('i8') ;; M[::2].view('i8') + 1 ;; V.view() ;; V.view() is V ;; V.view(np.ndarray) ;; V.view(float) ;; C.view(float) ;; C.view('f8').reshape(3, 4, 2) ;; V[1].view(np.int64) ;; np.float32(2.5).view('u4') ;; B.view(np.uint8) ;; B.view('i1').sum(0) ;; (N.astype('i4') >> 1).view('f4') ;; V.view()[1:] ;; [V[::2].view('i8'), V.view(type=np.ndarray)]
np.linalg.vector_norm(V[:0], ord=np.inf) ;; np.linalg.norm(M[:0], 1) ;; np.lexsort(np.array([1])) ;; np.lexsort([3], axis=0) ;; np.packbits(N[0, 0], axis=-1) ;; np.unpackbits(np.uint8(3), axis=0) ;; np.cumulative_sum(M, axis=(0,)) ;; np.nanpercentile(M[:0], 1) ;; np.nanquantile(N[:0], [0.1, 0.2], axis=0) ;; np.take(V[0], [0, 0], axis=0) ;; np.take(V[0], 0, axis=-1)
np.sum(B, dtype=bool) ;; np.prod(M > 0, axis=0, dtype=bool) ;; np.sum(N, axis=1, dtype=bool, keepdims=True) ;; np.add.reduce(B, dtype=bool) ;; np.sum(B, dtype=bool, initial=False, where=N > 1) ;; np.cumsum(B, dtype=bool) ;; np.cumprod(N, axis=1, dtype=bool) ;; np.linalg.cond(M * 0) ;; np.linalg.cond(np.stack([M, M * 0])) ;; np.linalg.cond(M[:, :3] + np.eye(3), 1)
np.array(V, copy=np._CopyMode.IF_NEEDED) is V ;; np.asarray(V, copy=np._CopyMode.ALWAYS) is V ;; np.linalg.multi_dot([V[:3], M, V]) ;; np.linalg.multi_dot([V, V])
np.lib.stride_tricks.as_strided(V, (3, 2), (8, 8)) ;; np.lib.stride_tricks.as_strided(V, (2, 2), V.strides * 2).sum(0) ;; np.lib.stride_tricks.as_strided(M, (2, 3, 2, 2), M.strides + M.strides) * 2 ;; np.lib.stride_tricks.as_strided(M, strides=(8, 32), shape=(4, 3)) ;; np.lib.stride_tricks.as_strided(M, strides=(8, 32), shape=(4, 3)).ravel('K')
np.lib.stride_tricks.as_strided(V, (3, 4), (0, 8)) + 1 ;; np.lib.stride_tricks.as_strided(V[1:]) ;; np.lib.stride_tricks.as_strided(M.T, (4, 2), (8, 32)).copy() ;; np.lib.stride_tricks.as_strided(N, (2, 2), (8, 16)).strides ;; np.lib.stride_tricks.as_strided(V, (2, 0), (8, 8)) ;; np.lib.stride_tricks.as_strided(V, (2, 2), (8, 16)).T.copy('K')
np.trapezoid(V, np.add.outer(V, V)) ;; np.trapezoid(M, np.ones((1, 4)) * V, axis=1) ;; np.trapezoid(V, M + np.arange(4.0)) ;; np.cov(M, dtype='f4') ;; np.cov(M.astype('f4'), dtype=np.float32, aweights=[1, 2, 1, 3]) ;; np.corrcoef(M, dtype=np.float32) ;; np.cov(M, ddof=2.0) ;; np.polyval([], V) ;; np.polyval([], 2) ;; np.roots([0, 0]) ;; np.roots([0, 0.0, 0]) ;; np.roots([5, 0])
np.histogram(N % 3, weights=B) ;; np.histogram(V, bins=[]) ;; np.histogram(V, [], weights=V) ;; np.histogram(N, 4, weights=M) ;; np.digitize(V, [1, 2, np.nan]) ;; np.digitize(V, [1, np.nan]) ;; np.digitize(V, [np.nan]) ;; np.digitize(V, [2, 2, 1]) ;; np.digitize(V, [3, 1, np.nan]) ;; np.bincount(N[0] % 3, B[0], 4)
np.place(V, V > 0, [1, 2]) ;; np.place(M, M > 0, 7) ;; np.place(N, N > 1, 2.9) ;; np.place(M, M.T.ravel() > 0, [1.0, 2, 3]) ;; np.place(V, V > 1e9, []) ;; np.place(M, (M > 0).T, np.array([[4, 5]])) ;; np.putmask(M, (M > 0).T, 5) ;; np.putmask(M, M.ravel() > 0, V) ;; np.fill_diagonal(M, []) ;; np.fill_diagonal(A[:2, :2, :2], [])
np.common_type(V, N) == np.float64 ;; np.common_type(V.astype('f4'), C) == np.complex128 ;; np.common_type(V.astype('f4')) == np.float32 ;; np.common_type(M[0, 0]) == np.float64 ;; np.zeros(2, np.common_type(N))
np.split(V, 2.0) ;; np.array_split(V, 3.0) ;; np.split(V, len(V) / 2) ;; np.roll(V, 1.5) ;; np.roll(V, len(V) / 2) ;; np.roll(M, 1, axis=(0, 0)) ;; np.roll(M, (1, 2), axis=(1, 1)) ;; np.roll(M, (1, -1), axis=(0, 0)) ;; np.roll(V, V[0]) ;; math.log(4, V[0]) ;; math.log(N.shape[0], 2) ;; np.linalg.svd(M, full_matrices=0)[1] ;; np.linalg.svd(M, 1)[1]
np.array_equal([np.nan], [np.nan], True) ;; np.array_equal(np.where(B, np.nan, M), np.where(B, np.nan, M), equal_nan=True) ;; np.isclose(N.astype(np.uint8), N.astype(np.uint8) + 1, atol=1) ;; np.isclose(B, True) ;; np.isclose(np.float32(M), 1.0) ;; np.isclose(1, 2, atol=1)
np.copyto(N, True) ;; np.put(N, [0, 1], [7, 8.5]) ;; np.putmask(V, V > 0, []) ;; np.putmask(N, N > 0, [7.5, 2]) ;; np.putmask(N, N > 0, 2.5) ;; np.putmask(N, N > 0, M[0, 0]) ;; np.isin(2, [1, 3], invert=True) ;; np.isreal(1j) ;; np.ix_([True, False, True], [0]) ;; np.meshgrid(1, 2) ;; np.tensordot(M, N, 2) ;; np.linalg.matrix_rank([1, 0]) ;; M.item((1, 2))
np.asarray_chkfinite(M.T, np.float32, 'F') ;; np.asarray_chkfinite([1, 2]) is V ;; np.asarray_chkfinite(V) is V ;; np.nan_to_num(np.nan) ;; np.nan_to_num(5) ;; np.nan_to_num(np.where(B, np.nan, C)) ;; np.nan_to_num(np.where(B, np.inf, M), False, 3.0) ;; np.nan_to_num(N) ;; np.piecewise(N, [N > 0], [2.7]) ;; np.roll(M, (1, 2), 0) ;; np.linspace(V, V + 1, 3, axis=1, retstep=True) ;; np.linspace([0, 1], [1, 2], 3, axis=-1)
np.var(M, ddof=0.5) ;; np.var(M, where=B, ddof=0.5) ;; np.mean(N, axis=0, dtype=int) ;; np.mean(M, dtype='i4') ;; np.mean(B, dtype=int)
np.insert(V, [1, 1, 0], [5, 6, 7]) ;; np.insert(M, [0, 2], [[1], [2], [3]], axis=1) ;; np.insert(M, [1], [1, 2, 3, 4], axis=0) ;; np.insert(V, slice(1, 3), 5) ;; np.insert(A, [1, 0, 1], np.arange(3.0).reshape(3, 1), axis=1) ;; np.insert(V, [-1, 0], 5) ;; np.delete(V, [True, False, True, False]) ;; np.delete(V, [])
np.concat([M, N], casting='unsafe', dtype=int) ;; np.concatenate([M, N], out=np.zeros((6, 4), int), casting='unsafe') ;; np.stack([V, V], casting='unsafe', dtype='i4') ;; np.vstack([V, V], casting='unsafe', dtype='i4') ;; np.copyto(N, M, 'unsafe', B) ;; np.fix(V, out=V) ;; np.fix(M, np.zeros((3, 4), 'f4'))
np.fill_diagonal(M.T, 9, wrap=True) ;; np.fill_diagonal(M.T, [1, 2], True) ;; np.fill_diagonal(M, V, wrap=True) ;; np.unravel_index(5, (2, 3), 'F') ;; np.ravel_multi_index(([0, 1], [2, 0]), (2, 3), order='F') ;; np.ravel_multi_index(([0, 5], [-2, 0]), (2, 3), mode=('clip', 'wrap')) ;; np.ravel_multi_index(([0, 5], [-2, 0]), (2, 3), 'clip', 'F') ;; np.ravel_multi_index(N.astype(np.int8) % 5 + 90, (100,) * len(N)) ;; np.ravel_multi_index((N[0] > 1, True), (2, 3)) ;; np.ravel_multi_index((N[0].astype(np.uint64), 2), (30, 5), 'wrap')
np.pad(M, {0: 2, -1: (1, 0)}) ;; np.pad(M, {1: (1, 2)}, 'edge') ;; np.linalg.tensorsolve(np.arange(36.0).reshape(2, 6, 3) ** 2 % 7.1, np.ones((2, 3)), axes=(1,)) ;; np.unwrap(np.array([0, 5, 9, 1, 2, 14]), period=4) ;; np.unwrap(np.array([0, 5, 9, 1, 2, 14]), period=5)
np.nanmax(np.where(B, np.nan, M), initial=0) ;; np.nanmin(np.where(B, np.nan, M), axis=0, where=N < 2, initial=4) ;; np.nansum(np.where(B, np.nan, M), initial=3, where=N < 2) ;; np.nanprod(M, 0, where=B) ;; np.nanmean(np.where(B, np.nan, M), where=N < 2) ;; np.nanvar(np.where(N > 3, np.nan, M), axis=0, where=N < 4)
np.nanstd(np.where(N > 3, np.nan, M), correction=1) ;; np.nanvar(np.where(N > 3, np.nan, M), mean=0.5) ;; np.nanmax(np.where(B, np.nan, C)) ;; np.nanmin(np.where(B, np.nan, C), axis=0) ;; np.nanvar(N, correction=1) ;; np.nanmean(M, 0, out=np.zeros(4, 'f4'))
np.sort(M) ;; np.sort(M, axis=0) ;; np.sort(M, axis=None) ;; np.sort(C, axis=None) ;; np.sort(np.where(B, np.nan, M)) ;; np.argsort(V) ;; np.argsort(A, axis=1, kind='stable') ;; np.lexsort((V, N[0]))
np.lexsort(M) ;; np.sort_complex(V) ;; np.median(M) ;; np.median(A, axis=(0, 2)) ;; np.median(N, axis=0) ;; np.median(M, axis=1, keepdims=True) ;; np.median(np.where(B, np.nan, M), axis=0)
np.percentile(M, 30) ;; np.percentile(A, [10, 50.5, 90], axis=1) ;; np.quantile(M, 0.3, axis=0, method='lower') ;; np.quantile(M, [0.1, 0.6], axis=1, keepdims=True) ;; np.quantile(N, 0.25, method='hazen') ;; np.quantile(M, 0.7, method='median_unbiased') ;; np.quantile(M, 0.45, method='nearest') ;; np.quantile(N, 0.45, method='midpoint')
np.nanmedian(np.where(B, np.nan, M), axis=1) ;; np.nanpercentile(np.where(N > 3, np.nan, M), 40, axis=0) ;; np.nanmin(np.where(B, np.nan, M), axis=0) ;; np.nanmax(np.where(N > 3, np.nan, M)) ;; np.nanargmax(np.where(N > 3, np.nan, M), axis=1) ;; np.nanargmin(np.where(N > 3, np.nan, M))
np.nanmean(np.where(N > 3, np.nan, M), axis=0) ;; np.nanvar(np.where(N > 3, np.nan, M)) ;; np.nanstd(np.where(N > 3, np.nan, M), axis=1, ddof=1) ;; np.nancumsum(np.where(B, np.nan, M)) ;; np.nancumprod(np.where(B, np.nan, M), axis=1) ;; np.nansum(N)
np.searchsorted(np.sort(V), M) ;; np.searchsorted([1, 3, 5], N, side='right') ;; np.searchsorted(V, 2.7, sorter=np.argsort(V)) ;; np.digitize(M, [0, 1, 2]) ;; np.digitize(M, [2.0, 1.0, 0.0], right=True) ;; np.sort(V).searchsorted(0.1)
np.average(M) ;; np.average(M, axis=0, weights=[1, 2, 3]) ;; np.average(M, weights=M ** 2, returned=True) ;; np.average(N, axis=1) ;; np.cov(M) ;; np.cov(M, rowvar=False, ddof=0) ;; np.cov(V, V ** 2) ;; np.corrcoef(M) ;; np.corrcoef(V, V ** 2) ;; np.cov(C)
np.polynomial.polynomial.polyval(M, V) ;; np.polynomial.polynomial.polyval(V, M) ;; np.polynomial.polynomial.polyval(V, M[:, :2].T[:, :, None], tensor=False) ;; np.polynomial.polynomial.polyval(2, N[0]) ;; np.polynomial.chebyshev.chebval(V, [1, 2, 3, 0.5]) ;; np.polynomial.chebyshev.chebval(V, V) ;; np.polynomial.legendre.legval(M, V) ;; np.polynomial.legendre.legval(V[0], [2]) ;; np.polynomial.laguerre.lagval(V, V) ;; np.polynomial.hermite.hermval(V, [1, 0, 2]) ;; np.polynomial.hermite_e.hermeval(M, V) ;; np.polynomial.hermite.hermval(C, V[:2]) ;; np.polynomial.chebyshev.chebval([1, 2], N)
np.bincount(N[0] + 2, minlength=9) ;; np.bincount(N[0] + 2, weights=V, minlength=9) ;; np.histogram(M, bins=7) ;; np.histogram(M, bins=[0, 1, 2.5, 3]) ;; np.histogram(N, bins=4, range=(0, 4)) ;; np.histogram(M, bins=3, density=True) ;; np.histogram(M, bins=3, weights=M * 2) ;; np.histogram_bin_edges(M, 4)
np.diff(M, prepend=0) ;; np.diff(B) ;; np.ediff1d(M, to_end=[1.0, 2.0]) ;; np.trapezoid(M) ;; np.trapezoid(M, axis=0, dx=0.5) ;; np.trapezoid(V, np.cumsum(np.abs(V))) ;; np.trapezoid(M, x=[0, 1.0, 4], axis=0)
np.gradient(V) ;; np.gradient(M) ;; np.gradient(M, 2.0, axis=0, edge_order=2) ;; np.gradient(V, [0, 1, 3, 4.5]) ;; np.gradient(V, [0, 1, 3, 4.5], edge_order=2) ;; np.gradient(N, axis=1) ;; np.gradient(A, 1.0, 2.0, 3.0)
np.interp(M, [0, 1, 3], [5, -2, 4.0]) ;; np.interp(2.5, [0, 1, 3], V[:3], left=-1) ;; np.interp(M * 100, [0, 90, 180], [5, 2, 4.0], period=360) ;; np.unwrap(V * 5) ;; np.unwrap(M * 4, axis=0) ;; np.convolve(V, [1, 2, 3]) ;; np.convolve(V, V, 'same') ;; np.convolve(N[0], [1, 0, 2], 'valid')
np.correlate(V, [1, 2, 3.0]) ;; np.correlate(V, [1, 2, 3.0], 'full') ;; np.correlate([1.0, 2], V, 'same') ;; np.correlate(C[0], C[1], 'full') ;; np.correlate(V, [1.0, 2], 'same') ;; np.correlate([1.0, 2], V, 'full') ;; np.cross(M[:, :3], M[:, 1:]) ;; np.cross(V[:3], [1, 2, 3]) ;; np.kron(V, [1, 2]) ;; np.kron(M, N) ;; np.kron(M, V)
np.cumulative_sum(V) ;; np.cumulative_sum(M, axis=1, include_initial=True) ;; np.cumulative_prod(V) ;; np.vander(V) ;; np.vander(V, 3, increasing=True) ;; np.polyval([1, 2, 3], V) ;; np.polyval(V, 2.0) ;; np.polyval(V, M) ;; np.polyadd(V, [1, 2]) ;; np.polysub([1.0], V) ;; np.polyder(V) ;; np.polyder(V, 2) ;; np.polyint(V) ;; np.polyint(V, 2, [1.0, 2]) ;; np.polyfit(np.arange(4.0), V, 2)
np.rot90(M) ;; np.rot90(A, 2, (1, 2)) ;; np.rot90(A, -1, (0, 2)) ;; np.rollaxis(A, 2) ;; np.append(M, [1, 2]) ;; np.append(M, M, axis=0) ;; np.delete(V, 1) ;; np.delete(M, [0, -1], axis=1) ;; np.delete(V, slice(1, 3)) ;; np.insert(V, 1, 5) ;; np.insert(M, 1, V[0], axis=1) ;; np.resize(M, (2, 9)) ;; np.array_split(V, 3) ;; np.hsplit(M, 2) ;; np.vsplit(M, 3) ;; np.dsplit(A, 2) ;; np.unstack(M) ;; np.block([[M, M], [N, N]])
np.tri(3) ;; np.tri(3, 4, 1, int) ;; np.diagflat(V[:2], 1) ;; np.indices((2, 3)) ;; np.ix_(N[0] % 3, [0, 1]) ;; M[np.ix_([0, 2], [1, 3])] ;; np.tril_indices(3) ;; M[np.triu_indices(3, 1)] ;; np.triu_indices_from(M) ;; np.diag_indices(3) ;; np.fill_diagonal(M, 7) ;; np.fill_diagonal(M, V[:3]) ;; np.unravel_index(N[0] + 2, (3, 4)) ;; np.ravel_multi_index((N[0] % 3, [0, 1, 2, 3]), (3, 4)) ;; np.unravel_index(7, (3, 4))
np.pad(V, 2) ;; np.pad(M, ((1, 2), (0, 1)), constant_values=5.0) ;; np.pad(M, 1, mode='edge') ;; np.pad(V, (3, 2), 'reflect') ;; np.pad(V, (6, 5), 'symmetric') ;; np.pad(M, (2, 3), 'wrap') ;; np.pad(M, 2, 'mean') ;; np.pad(M, 2, 'maximum') ;; np.pad(V, (2, 3), 'linear_ramp', end_values=(1, 2)) ;; np.pad(M, 1, 'median') ;; np.pad(M, [(1, 0), (0, 2)], 'minimum') ;; np.pad(V, 1, constant_values=(4, 6)) ;; np.pad(M, (1, 2)) ;; np.pad(N, 1, 'linear_ramp')
np.take_along_axis(M, N % 4, 1) ;; np.take_along_axis(M, np.argsort(M, axis=0), axis=0) ;; np.put_along_axis(M, N[:, :1] % 4, 9.0, 1) ;; np.put(M, [0, 5, -1], [1, 2, 3]) ;; np.put(V, [0, 2], 5) ;; np.putmask(M, B, 4) ;; np.putmask(M, B, M * 2) ;; np.choose(N % 2, [M, V]) ;; np.choose(N, [M, V, 5], mode='clip') ;; np.select([M > 1, N > 0], [M, N], 7) ;; np.piecewise(M, [M < 0, M > 1], [lambda x: -x, lambda x: x ** 2]) ;; np.piecewise(M, [M < 0], [1, 2]) ;; np.isin(N, [1, 3]) ;; np.isin(N, [1, 3], invert=True) ;; np.array_equiv(M, M[0])
np.packbits(B) ;; np.packbits(B, axis=1, bitorder='little') ;; np.unpackbits(np.array([1, 200], np.uint8)) ;; np.unpackbits(N.astype(np.uint8), axis=1, count=20) ;; np.gcd(N, 6) ;; np.lcm(N, 4) ;; np.modf(M / 3) ;; np.nextafter(M, 0) ;; np.nextafter(M, np.inf) ;; np.spacing(M) ;; np.frexp(M) ;; np.ldexp(M, N) ;; np.bitwise_count(N) ;; np.hanning(5) ;; np.hamming(4) ;; np.blackman(6) ;; np.bartlett(5) ;; np.kaiser(5, 3.0) ;; np.i0(M * 5)
np.cbrt(M) ;; np.rad2deg(M) ;; np.isreal(M) ;; np.isreal(C) ;; np.iscomplex(C) ;; np.isscalar(M[0, 0]) ;; np.result_type(M, N) == np.float64 ;; np.can_cast(N.dtype, M.dtype) ;; np.issubdtype(N.dtype, np.integer) ;; np.finfo(M.dtype).eps * M ;; np.iinfo(N.dtype).max - N ;; np.broadcast_shapes(M.shape, V.shape)
np.linalg.solve(M[:, :3] + np.eye(3) * 5, V[:3]) ;; np.linalg.solve(M[:, :3] + np.eye(3) * 5, M) ;; np.linalg.inv(M[:, :3] + np.eye(3) * 5) ;; np.linalg.det(M[:, :3] + np.eye(3)) ;; np.linalg.slogdet(M[:, :3] - np.eye(3) * 4) ;; np.linalg.cholesky(M @ M.T + np.eye(3)) ;; np.linalg.cholesky(C @ C.conj().T + np.eye(3)) ;; np.linalg.cholesky(M @ M.T + np.eye(3), upper=True) ;; np.linalg.det(A @ A.transpose(0, 2, 1) + np.eye(3)) ;; np.linalg.inv(C[:, :3] + 5j * np.eye(3))
np.partition(V[:0], 3) ;; np.argpartition(V[:0], 5) ;; np.unpackbits(np.zeros((0, 1), np.uint8), axis=1) ;; np.indices(n for n in (2, 3)) ;; np.array(0) // np.array(2) ;; np.array(3) + 1 ;; np.array([3, 4]) * 2 ;; -np.array(4) ;; np.array(1) < 2
np.cross(M[:, :2], M[:, 2:]) ;; np.cross(V[:2], V[2:]) ;; np.cross(M[:, :2], M[:, 1:]) ;; np.cross(M[:, 1:], V[:2]) ;; np.cross([1, 2], [3, 4]) ;; np.cross(A[:, :2], A[:, 1:], axis=1) ;; np.cross(N[:, :2], C[:, 1:3])
A[0][:, ()] ;; A[0][(), 1] ;; A[0][:, (0, 2)] ;; A[0][(0, 1), :] ;; A[0][(1, 0), (0, 2)] ;; A[0][..., (0, -1)] ;; A[0][None, (1,)] ;; A[0][((0, 1),)] ;; A[0][(True, False, True), 0]
np.linalg.qr(M)[1] ;; np.linalg.qr(M, mode='r') ;; np.linalg.qr(M.T).Q ;; np.linalg.qr(M.T, 'complete')[0].shape ;; np.linalg.svd(M, compute_uv=False) ;; np.linalg.svd(A)[1] ;; np.linalg.svdvals(M) ;; np.linalg.eigvalsh(M @ M.T) ;; np.linalg.eigh(M @ M.T)[0] ;; np.abs(np.linalg.eigh(M @ M.T).eigenvectors) ;; np.linalg.eigvalsh(C @ C.conj().T) ;; np.linalg.pinv(M) ;; np.linalg.matrix_rank(M) ;; np.linalg.matrix_rank(M[:, :1] @ M[:1]) ;; np.linalg.lstsq(M.T, V)[0] ;; np.linalg.lstsq(M.T, V)[1] ;; np.linalg.lstsq(M, V[:3])[0]
np.linalg.norm(V) ;; np.linalg.norm(M) ;; np.linalg.norm(M, axis=1) ;; np.linalg.norm(V, 1) ;; np.linalg.norm(V, np.inf) ;; np.linalg.norm(V, 3) ;; np.linalg.norm(M, 'fro') ;; np.linalg.norm(M, 2) ;; np.linalg.norm(M, 'nuc') ;; np.linalg.norm(M, 1) ;; np.linalg.norm(M, -np.inf, keepdims=True) ;; np.linalg.norm(A, axis=(0, 2)) ;; np.linalg.norm(C) ;; np.linalg.norm(N, 0, axis=0) ;; np.linalg.vector_norm(A, axis=(0, 2)) ;; np.linalg.vector_norm(A, ord=1, keepdims=True) ;; np.linalg.matrix_norm(A, ord='nuc') ;; np.linalg.matrix_norm(A) ;; np.linalg.cond(M @ M.T + np.eye(3)) ;; np.linalg.matrix_power(M[:, :3], 5) ;; np.linalg.matrix_power(M[:, :3] + np.eye(3) * 5, -2) ;; np.linalg.matrix_power(N[:, :3], 0) ;; np.linalg.multi_dot([M, M.T, M]) ;; np.linalg.tensorsolve(M[:, :3] + np.eye(3) * 5, V[:3]) ;; np.linalg.trace(A) ;; np.linalg.diagonal(A) ;; np.linalg.vecdot(M, V) ;; np.linalg.matrix_transpose(A) ;; np.linalg.cross(M[:, :3], M[:, 1:])
np.sort(np.abs(np.linalg.eigvals(M[:, :3]))) ;; np.fft.fft(V) ;; np.fft.ifft(C) ;; np.fft.rfft(M) ;; np.fft.irfft(C) ;; np.fft.irfft(C, n=5) ;; np.fft.fft(M, n=6, axis=0) ;; np.fft.fft(V, n=3, norm='ortho') ;; np.fft.ifft(V, norm='forward') ;; np.fft.hfft(C) ;; np.fft.ihfft(V) ;; np.fft.fft2(M) ;; np.fft.ifft2(A) ;; np.fft.fftn(A) ;; np.fft.rfftn(A) ;; np.fft.irfftn(C) ;; np.fft.rfft2(M) ;; np.fft.irfft2(C, s=(3, 5)) ;; np.fft.fftn(A, s=(2, 4), axes=(0, 1)) ;; np.fft.fftfreq(5, 0.1) ;; np.fft.rfftfreq(4) ;; np.fft.fftshift(M) ;; np.fft.ifftshift(V) ;; np.fft.fftshift(M, axes=1) ;; np.fft.fft(M.astype(np.float32)) ;; np.fft.rfft(N)
np.add.at(M, ([0, 0, 1], [1, 1, 2]), 5) ;; np.subtract.at(V, [0, 0], 1.5) ;; np.maximum.at(V, [1, 1], [0.5, 7]) ;; np.add.at(V, slice(0, 2), 3) ;; np.add.at(M, B, 3) ;; np.power.outer(V ** 2, [1, 2]) ;; np.logical_or.reduce(B) ;; np.less.outer(V, V) ;; V.sort() ;; M.sort(0) ;; M.argsort() ;; M.put([0], 5) ;; np.matvec(M, V) ;; np.vecmat(V[:3], M)
A[0, [0, 2]] ;; A[:, [0, 1], 1] ;; A[[0, 1], :, [1, 2]] ;; A[..., [0, 1]] ;; A[None, [0, 1]] ;; A[0, :, [1, 2]] ;; A[:, 1:, [0, 3]] ;; A[[0, 1], 1:3] ;; A[:, N[0] % 3] ;; A[N[:2] % 2, None] ;; A[1:, [0, 2], ::2] ;; A[[[0], [1]], [0, 1, 2]]
np.c_[V, V] ;; np.r_[V, 0, V] ;; np.r_[1:5, V] ;; np.r_['0,2', V, V] ;; np.r_[0:1:5j] ;; np.c_[M, V[:3]] ;; np.r_[-1:1:6j, [0]*3, 5, 6] ;; np.r_['1,2,0', V, V] ;; np.r_['0,2,0', V, V] ;; np.r_[M, M] ;; np.r_['1', M, M] ;; np.r_[V[0], 1.0] ;; np.c_[1:4, 4:7] ;; np.r_[np.float32(1), 2.5] ;; np.r_['0,2,1', V, M] ;; np.c_[A, A] ;; np.r_[N[0], 1.5] ;; M[np.s_[1:2]]
np.vectorize(lambda x: x * 2)(V) ;; np.vectorize(lambda x, y: x if x > y else y)(V, M) ;; np.vectorize(lambda x, y: (x + y, x > y))(V, M[0]) ;; np.vectorize(lambda x: x / 2)(N) ;; np.vectorize(lambda x: x, otypes=[int])(M) ;; np.vectorize(lambda x: x * 1.5)(M.astype(np.float32)) ;; np.vectorize(lambda x: 0.0 if x < 0 else math.sqrt(x))(M) ;; np.vectorize(lambda x: x)(2.0) ;; np.vectorize(lambda x, p=2: x ** p)(V, p=3) ;; np.vectorize(lambda x, p: x ** p[1], excluded=[1])(V, [1, 2]) ;; np.vectorize(lambda x: x, otypes=['f'])(V[:0]) ;; np.vectorize(lambda x: x.real)(C) ;; np.vectorize(lambda x: x * 2)(M.T)
np.vectorize(lambda a, b: a @ b, signature='(n),(n)->()')(M, V) ;; np.vectorize(np.linalg.norm, signature='(n)->()')(A) ;; np.vectorize(lambda x: np.outer(x, x), signature='(n)->(n,n)')(M) ;; np.vectorize(lambda x: (x, x.sum()), signature='(n)->(n),()')(M) ;; np.vectorize(lambda x: x[0], signature='(n)->()', otypes=['f'])(M)
np.apply_along_axis(np.sum, 0, M) ;; np.apply_along_axis(lambda v: np.outer(v, v), 1, M) ;; np.apply_along_axis(np.sort, -1, A) ;; np.apply_along_axis(lambda v, k: v[k:], 1, A, 1) ;; np.apply_along_axis(lambda v: 1, 0, M) ;; np.apply_along_axis(np.median, 0, V) ;; np.apply_along_axis(np.convolve, 1, M, [1.0, 2.0], mode='same') ;; np.apply_over_axes(np.sum, A, [0, 2]) ;; np.apply_over_axes(np.cumsum, M, (0, 1))
np.logspace(0, 2, 5) ;; np.logspace(0, V[0], 4, base=2.0) ;; np.logspace(0,2,4,endpoint=False,dtype=np.float32) ;; np.logspace(V, V+1, 3) ;; np.logspace(0, 3, 4, dtype=int) ;; np.logspace(0, V[0], 3, base=[2., 3.]) ;; np.geomspace(1, 1000, 4) ;; np.geomspace(1, V[0], 5) ;; np.geomspace(1j, 8j, 4) ;; np.geomspace(-1.0, V[1]*8, 4) ;; np.geomspace(V[0], V[2], 4, endpoint=False) ;; np.geomspace(V[:2], V[:2]*2, 4) ;; np.geomspace(C[0], C[0]*4, 3) ;; np.geomspace(1, 256, 9, dtype=int)
np.polymul(V, [1, 2]) ;; np.polymul([0, 0, 1, 2], V) ;; np.polymul(3, V) ;; np.polydiv(V, [1.0, 2]) ;; np.polydiv(V, [1.0, 2, 4]) ;; np.polydiv(V[:2], V) ;; np.polydiv(V, [2]) ;; np.polyfit(V, V**2, 1, full=True) ;; np.polyfit(V, V**3, 1, cov=True) ;; np.polyfit(V, np.outer(V**3, V), 1, cov=True) ;; np.polyfit(V, V**3, 1, cov='unscaled') ;; np.polyfit(V, V**2, 1, w=V) ;; np.poly(V) ;; np.poly([1,2,3]) ;; np.roots(V) ;; np.roots([1.0, 2, 3, 0, 0]) ;; np.roots([1, -3, 2]).real ;; np.roots(C[0])
np.lib.stride_tricks.sliding_window_view(V, 2) ;; np.lib.stride_tricks.sliding_window_view(M, (2, 2)) ;; np.lib.stride_tricks.sliding_window_view(A, (2, 2), axis=(0, 2)) ;; np.lib.stride_tricks.sliding_window_view(M, (2, 2), axis=(1, 1)) ;; np.lib.stride_tricks.sliding_window_view(V, 2).sum(-1) ;; np.polynomial.legendre.leggauss(4) ;; np.polynomial.hermite.hermgauss(3)
np.percentile(M, 30, method='inverted_cdf') ;; np.percentile(M, 30, axis=0, method='closest_observation') ;; np.percentile(M, 30, axis=0, method='interpolated_inverted_cdf') ;; np.quantile(M, [0.0, 0.3, 1.0], axis=1, method='averaged_inverted_cdf') ;; np.quantile(N, [0.0, 0.25, 0.5, 1.0], axis=0, method='closest_observation') ;; np.quantile(B, 0.5, method='inverted_cdf') ;; np.nanpercentile(np.where(B, np.nan, M), 40, axis=0, method='inverted_cdf')
np.quantile(M, 0.3, axis=1, weights=np.abs(V), method='inverted_cdf') ;; np.quantile(M, [0.3, 0.5], weights=np.abs(M), method='inverted_cdf') ;; np.nanquantile(np.where(B, np.nan, M), [0.4, 0.6], axis=0, method='inverted_cdf', weights=np.abs(M)) ;; np.percentile(A, [10, 50], axis=(2, 0), weights=np.arange(8.0).reshape(4, 2), method='inverted_cdf', keepdims=True)
np.cov(M, fweights=[1, 2, 3, 1]) ;; np.cov(M, aweights=np.abs(V)) ;; np.cov(M, fweights=[1, 2, 3, 1], aweights=np.abs(V)) ;; np.cov(M, aweights=np.abs(V), bias=True) ;; np.cov(M, rowvar=False, aweights=np.abs(M[:, 0])) ;; np.cov(C, aweights=np.abs(V))
np.mean(M, where=B) ;; np.mean(A, axis=(0, 2), where=A > 0, keepdims=True) ;; np.std(M, where=B) ;; np.var(M, axis=1, where=N > -1, ddof=1) ;; M.mean(where=B) ;; M.std(where=B, keepdims=True) ;; np.var(C, where=B) ;; np.mean(M, where=[True, False, True, True]) ;; np.mean(M, axis=1, where=N[:, :1] > -9) ;; np.mean(M, axis=0, out=np.zeros(4), where=B)
np.mean(N[:0], dtype=np.int32) ;; np.mean(N, axis=0, dtype=np.int32) ;; np.nanmean(N[:0], axis=0, dtype=np.int32) ;; np.std(N, dtype=np.int32) ;; np.nanstd(N, dtype=np.int32) ;; np.std(M, dtype=np.float32) ;; np.piecewise(N, [N > 2], [2, 7.5]) ;; np.piecewise(M, [M > 2, M < 1], [2, -1])
np.einsum(M, [0, 1], V, [1], [0]) ;; np.einsum(M, [0, 1]) ;; np.einsum(M, [1, 0]) ;; np.einsum(M, [0, 1], M, [0, 1]) ;; np.einsum(A, [Ellipsis, 1], V, [1], [Ellipsis])
M[N[:, 0] > -1].mean(axis=0) ;; M[N[:, 0] > -1].sum(0) ;; M[N[:, 0] > -1].max(axis=1).sum() ;; M[N[:, 0] > -1, 0].sum() ;; M[N[:, 0] > -1, :].mean(0) ;; M[0, N[0] > 0].sum() ;; M[:, N[0] > 0].sum(axis=1) ;; M[:, N[0] > 0].sum(axis=0).max() ;; A[0, :, N[0] > 0].sum(axis=0) ;; A[:, B].sum(axis=1) ;; A[..., N[0] > 0].mean(-1) ;; A[:, N[:, 0] > -1, 1].max(axis=1) ;; M[None, N[:, 0] > -1].sum((0, 1)) ;; M[N[:, 0] > -1, None].sum((0, 1)) ;; M[N[:, 0] > -1, 1:3].std(0) ;; M[N[:, 0] > -1].mean(0, keepdims=True) ;; M[N[:, 0] > -1].mean(1, keepdims=True).sum() ;; M[N[:, 0] > -1].T.sum(1)
M[[True, False, True]] ;; M[[True, False, True], 0] ;; V[[True, False, True, False]] ;; M[[[True] * 4, [False] * 4, [True] * 4]] ;; M[:, [True, False, True, False]] ;; M[[True, False, True], [0, 1]] ;; M[0, [True, False, True, False]] ;; A[..., [True, False, True, False]]
np.median(V[V > 0]) ;; np.median(M[B]) ;; np.median(N[B]) ;; np.median(np.where(B, np.nan, M)[B]) ;; V[V > 0] @ V[V > 0] ;; np.dot(V[V > 0], V[V > 0]) ;; np.ptp(V[V > 0]) ;; len(M[N[:, 0] > -1]) ;; M[N[:, 0] > -1].size ;; (M[N[:, 0] > -1] * V).sum(0) ;; (V * M[N[:, 0] > -1]).sum(0) ;; M[N[:, 0] > -1].T @ M[N[:, 0] > -1] ;; (M[N[:, 0] > -1] @ V).sum() ;; M[N[:, 0] > -1].T @ V[:3][N[:, 0] > -1] ;; M[B] @ M[B] ;; (M[N[:, 0] > -1] - M[N[:, 0] > -1].mean(0)).var(0) ;; np.mean(M[N[:, 0] > -1], axis=0) ;; np.count_nonzero(M[B] > 1) ;; (N[B] ** 2).sum() ;; M[N[:, 0] > -1].any(0) ;; C[B].mean() ;; C[N[:, 0] > -1].var(0) ;; M[B].max(initial=0.0) ;; M[N[:, 0] > -1].max(axis=1, initial=0.0).sum()
np.subtract.reduce(M) ;; np.divide.reduce(V) ;; np.bitwise_and.reduce(N) ;; np.bitwise_or.reduce(N, axis=1) ;; np.hypot.reduce(M) ;; np.logaddexp.reduce(M, axis=1) ;; np.fmax.reduce(M) ;; np.logical_xor.reduce(B) ;; np.floor_divide.reduce(N + 5, keepdims=True) ;; np.subtract.reduce(N, axis=0, initial=3) ;; np.subtract.accumulate(M) ;; np.logaddexp.accumulate(V) ;; np.bitwise_or.accumulate(N) ;; np.logical_and.accumulate(B, axis=1) ;; np.fmax.accumulate(M, axis=1)
list(np.ndindex(2, 2)) ;; [x for i, x in np.ndenumerate(M)] ;; [i for i in np.ndindex(M.shape)] ;; sum([i * x for (i, j), x in np.ndenumerate(M)]) ;; list(np.ndindex()) ;; [A[i].sum() for i in np.ndindex(A.shape[:2])] ;; list(np.ndindex(2, 0)) ;; [x for _, x in np.ndenumerate(V[0])]
sp.erf(M) ;; sp.erfc(M) ;; sp.erfinv(M / 5) ;; sp.gammaln(M) ;; sp.gamma(M) ;; sp.digamma(M + 4) ;; sp.loggamma(M) ;; sp.beta(M + 2, 1.5) ;; sp.beta(M - 1.7, V[0]) ;; sp.betaln(M + 2, V ** 2 + 1)
sp.expit(M * 20) ;; sp.log_expit(M * 20) ;; sp.logit(M / 5 + 0.5) ;; sp.xlogy(M ** 2, M ** 2) ;; sp.xlog1py(M, M ** 2) ;; sp.entr(M) ;; sp.rel_entr(M, M ** 2) ;; sp.ndtr(M) ;; sp.i0(M) ;; sp.i0e(M * 9) ;; sp.exp10(M)
sp.logsumexp(M) ;; sp.logsumexp(A, axis=1) ;; sp.logsumexp(M, axis=0, keepdims=True) ;; sp.softmax(M, axis=1) ;; sp.log_softmax(M, axis=0)
math.sqrt(V[0]) ;; math.log(V[0]) ;; math.log(V[0], 3) ;; math.floor(V[1]) ;; math.ceil(V[2]) ;; math.trunc(-V[2]) ;; math.hypot(V[0], V[1]) ;; math.pow(V[0], V[2]) ;; math.fmod(V[0], V[2])
math.isclose(V[0], 3) ;; math.isnan(V[0]) ;; math.exp(V[0]) ;; math.atan2(V[0], V[1]) ;; math.erf(V[3]) ;; math.gamma(V[0]) ;; math.degrees(V[0]) ;; math.copysign(V[0], V[1]) ;; math.pi * V ;; math.floor(N[0, 0])
"""
EXPRESSIONS = split(CASES)
#: Not among the cases that other tests take samples of.
OTHERS = """
np.einsum('ij,ij->', M, N, optimize=True) ;; type(np.einsum('i,i', V, V, optimize=True)) ;; type(np.einsum('i,i', V, V)) ;; type(np.einsum('i,j,k->', V, V, V, optimize=True)) ;; type(np.einsum('i,ji,jk,k->', V, M, M, V, optimize='optimal')) ;; type(np.einsum('ij->', M, optimize=True)) ;; type(np.einsum('i,i', V, V, optimize=['einsum_path', (0, 1)])) ;; np.einsum('ij,jk,ki', M[:, :3], M[:, :3], M[:, :3], optimize='greedy') ;; type(np.einsum('...i,...i', V, V, optimize=True)) ;; type(np.einsum(',', 2.0, V[0], optimize=True))
np.moveaxis(A, [1, 2], range(2)) ;; np.moveaxis(A, range(2), range(-1, -3, -1)) ;; np.transpose(A, range(2, -1, -1)) ;; A.transpose(range(A.ndim)[::-1]) ;; np.transpose(A, np.array([2, 0, 1])) ;; A.transpose(np.array([2, 0, 1])) ;; np.flip(A, axis=range(2)) ;; np.reshape(A, range(2, 5)) ;; M.reshape(range(3, 5)) ;; np.moveaxis(A, np.array([0, 1]), np.array([2, 0]))
np.matmul(V, M.T, out=np.zeros((2, 3))) ;; np.matmul(A, M.T, out=np.zeros((2, 3, 3))) ;; np.vecdot(M, V, out=np.zeros((2, 3))) ;; np.dot(V, V, out=np.zeros(())) ;; type(np.dot(V, V, out=np.zeros(()))) ;; np.dot(2, V, out=np.zeros(4)) ;; operator.imatmul(M, np.eye(4) + V) ;; operator.imatmul(V, np.ones((4, 4))) ;; operator.imatmul(A, np.ones((4, 4)))
math.remainder(V[0], V[2]) ;; math.remainder(7, float(V[1])) ;; [math.remainder(each, 2.0) for each in (V[0], V[0] * 0 + 5, V[0] * 0 - 3)] ;; math.remainder(V[0], math.inf) ;; math.ldexp(V[0], int(N[0, 0])) ;; math.ldexp(V[1], 3) ;; math.ldexp(V[0], -5000) ;; math.frexp(V[0]) ;; math.frexp(V[1] * 0) ;; math.modf(V[1]) ;; math.ulp(V[0]) ;; math.ulp(V[0] * math.inf) ;; math.dist(V, M[0]) ;; math.dist([V[0], 1], (2, N[0, 0])) ;; int('101', base=2) + N
cmath.sqrt(V[1]) ;; cmath.exp(C[0, 0]) ;; cmath.log(C[0, 1]) ;; cmath.log(C[0, 1], 3) ;; cmath.log(-2, C[0, 0]) ;; cmath.log10(V[1]) ;; cmath.sin(C[1, 0]) ;; cmath.cos(C[1, 0]) ;; cmath.tan(V[0]) ;; cmath.sinh(C[1, 1]) ;; cmath.cosh(C[1, 1]) ;; cmath.tanh(C[1, 1]) ;; cmath.asin(V[0] * 9) ;; cmath.acos(C[0, 0]) ;; cmath.atan(C[0, 0]) ;; cmath.asinh(C[0, 0]) ;; cmath.acosh(V[1]) ;; cmath.atanh(V[0] * 9)
cmath.phase(C[0, 0]) ;; cmath.phase(-V[0]) ;; cmath.polar(C[0, 0]) ;; cmath.rect(V[0], V[1]) ;; cmath.rect(V[0], -0.0) ;; cmath.rect(V[0] * 0, math.inf) ;; cmath.isnan(C[0, 0] * math.nan) ;; cmath.isinf(V[0] * math.inf) ;; cmath.isfinite(C[0, 0]) ;; cmath.isclose(C[0, 0], C[0, 0] + 1e-12) ;; cmath.isclose(C[0, 0], 1, rel_tol=0.5, abs_tol=V[0]) ;; cmath.isclose(V[0] * math.inf, V[0] * math.inf) ;; type(cmath.sqrt(V[0])) is complex
np.ma.isMaskedArray(V) ;; np.ma.isMA(2.0) ;; np.ma.is_masked(V) ;; np.ma.isarray([V, 1]) ;; np.fromiter((k * 2 for k in N[0]), float) ;; np.fromiter([1.5, float(V[0])], int) ;; np.fromiter(range(5), np.uint8, 3) ;; np.fromiter(iter(V), dtype='f4', count=2) ;; np.fromiter([], float) ;; np.fromiter([int(N[0, 0]), 1], bool) ;; np.fromiter([1, 2], int, 0) ;; np.fromiter([V[0], 1], complex)
type(np.isreal(2.0)) is bool ;; type(np.isreal(float(V[0]))) is bool ;; type(np.isreal(V[0])) is np.bool ;; np.isreal(2j) ;; np.isreal(complex(V[0], 1)) ;; np.iscomplex(complex(V[0], 1)) ;; np.isreal([1, 2j])
np.tri(-2) ;; np.tri(3, -1) ;; np.tri(-1, 2, 1, int) ;; M.reshape(2, -2) ;; M.reshape(-7) ;; np.reshape(V, (-3, 1)) ;; np.reshape(M, (3, -9, 2))
np.size(M, 0) ;; np.size(A, (0, -1)) ;; np.size(M, ()) ;; np.size([[1, 2]], 1) ;; np.size(2, None) ;; np.size(M[B], 0) ;; np.size(M[:len(V) - 2], (0, 1))
"""


@pytest.mark.parametrize("case", [*sample(EXPRESSIONS, 3), *split(OTHERS)])
def test_function(check, tmp_path, case):
    (function,) = functions_of([case], tmp_path)
    check(function, *ARGUMENTS, rtol=1e-10)


RAISING = """
math.fmod(V[0], 0) ;; np.histogram(M, range=(V[0] + 9, V[0])) ;; np.place(M, M > 0, []) ;; np.bincount(N[0] - 99, minlength=3)
np.linalg.inv(M[:, :3] * 0) ;; np.linalg.cholesky(-(M @ M.T)) ;; math.sqrt(V[1]) ;; math.log(V[1]) ;; math.exp(V[0] * 1e6) ;; np.percentile(M, V[0] * 100)
np.bincount(N[0], minlength=3) ;; np.choose(N, [M, V]) ;; np.unravel_index(N[0] * 100, (3, 4)) ;; np.average(M, weights=M * 0) ;; np.digitize(M, [0, 2, 1.0]) ;; np.nanargmax(M * np.nan)
np.geomspace(V[0], V[0] * 0, 3) ;; np.cov(M, fweights=V) ;; np.cov(M, fweights=-N[0] - 5)
np.asarray_chkfinite([V[0], np.inf]) ;; M[N * 5, 0] ;; math.floor(V[0] * np.inf) ;; math.fmod(V[0], V[0] * 0) ;; np.r_[int(V[0]) + 300, N[0].astype(np.int8)]
math.remainder(V[0], V[0] * 0) ;; math.remainder(V[0] * np.inf, 2) ;; math.ldexp(V[0], 5000) ;; math.dist(V, V[:2]) ;; cmath.log(V[0] * 0) ;; cmath.log(V[0], int(V[0] * 0) + 1) ;; math.ldexp(V[0], N[0, 0]) ;; cmath.atanh(V[0] * 0 + 1) ;; cmath.atan(C[0, 0] * 0 + 1j) ;; cmath.exp(V[0] * 1e6) ;; cmath.exp(complex(1, V[0] * np.inf)) ;; cmath.rect(V[0], V[0] * np.inf) ;; cmath.sin(V[0] * np.inf) ;; cmath.tanh(complex(1, V[0] * np.inf)) ;; cmath.cosh(V[0] * 1e5)
"""


@pytest.mark.parametrize("case", split(RAISING))
def test_what_numpy_raises_is_raised(tmp_path, case):
    (function,) = functions_of([case], tmp_path)
    with pytest.raises(Exception) as expected:
        function(*ARGUMENTS)
    with pytest.raises(type(expected.value)) as caught:
        ingot.jit(function)(*ARGUMENTS)
    assert not isinstance(caught.value, ingot.IngotError)


REFUSED = """
np.sum(M, axis=range(2)) ;; np.expand_dims(M, range(2)) ;; np.squeeze(M[None], axis=range(1))
np.matmul(M[:1], M.T[:, :1], out=np.zeros((1, 2))) ;; np.matmul(M[:1], V, out=np.zeros(2)) ;; np.matvec(M[:1], V, out=np.zeros(2)) ;; np.vecmat(V, M.T[:, :1], out=np.zeros(2)) ;; np.dot(2, V, out=np.zeros((3, 4))) ;; np.dot(V, 2.0, out=np.zeros(4, np.float32)) ;; np.einsum('ij,j', M, V, out=np.zeros((2, 3))) ;; operator.imatmul(M, V) ;; operator.imatmul(V, V) ;; operator.imatmul(M[:1], M[:1].T) ;; operator.imatmul(V, M.T)
np.trim_zeros([0, 1], 'x') ;; np.fromiter([1, 2], int, 3) ;; np.fromiter([V, V], float) ;; np.fromiter([1j], float) ;; np.linalg.multi_dot([V[0], V[None], V]) ;; np.linalg.multi_dot([M, V, M]) ;; np.lib.stride_tricks.as_strided(V, (3, 2), (8,)) ;; np.histogram(M, weights=3) ;; np.histogram(M, weights=V) ;; np.histogram(M, range=(5, 1)) ;; np.histogram(V, bins=M) ;; np.histogram_bin_edges(M, 3, weights=V) ;; np.searchsorted(V, 2, sorter=[3, 2, 1]) ;; np.searchsorted(V, 2, side=1) ;; np.trapezoid(V, np.ones((2, 3))) ;; np.cov(V, ddof=1.5) ;; np.putmask(V, [True], 1) ;; np.place(V, [True], 1) ;; np.place(N, N > 0, np.array([1.5])) ;; np.split(V, -1) ;; np.array_split(V, -1) ;; np.bincount([1, 2], V, 9) ;; np.bincount([1, 2], C[0, :2], 9) ;; np.place([1, 2], [1, 0], 3)
np.vectorize(lambda x: x)(V[:0]) ;; np.vectorize(lambda x: x, signature='(n)->()')(M) ;; np.vectorize(lambda x: x, signature='n->')(M) ;; np.vectorize(lambda a, b: a, signature='(n),(n)->()')(M, V[:2]) ;; np.vectorize(lambda x: x.fill(1) or x.sum(), signature='(n)->()')(M) ;; np.apply_along_axis(np.sum, 0, M[:, :0])
np.std(N, axis=0, dtype=np.int32) ;; np.r_[V, '0,2'] ;; np.c_[M, V] ;; np.polyfit(V, V, -1) ;; np.quantile(M, 0.5, method='nope') ;; np.quantile(M, 0.5, weights=M) ;; np.einsum(M, [0, 60])
M[[True, False]] ;; M[:, [True, False, True]] ;; M[N[0] > 3].sum() ;; M[B, 0].sum() ;; M[B[0]].sum() ;; M[B].mean(axis=1) ;; np.lib.stride_tricks.sliding_window_view(V, 5)
"""


@pytest.mark.parametrize("case", split(REFUSED))
def test_what_numpy_refuses_by_type_or_shape_is_refused(tmp_path, case):
    (function,) = functions_of([case], tmp_path)
    with pytest.raises((ValueError, TypeError, IndexError)):
        function(*ARGUMENTS)
    with pytest.raises((ingot.CompileError, IndexError, ValueError)):
        ingot.jit(function)(*ARGUMENTS)


STEPS = np.vectorize(lambda x, y: x + y if x > y else x - y)


@np.vectorize(otypes=[np.float32])
def add_one(x):
    return x + 1


def steps(x, y):
    return STEPS(x, y), add_one(y)


def test_an_object_of_vectorize_is_called(check):
    check(steps, np.array([1.0, -2.0, 3.0]), np.array([[0.0], [1.0]]))


def test_a_changed_object_of_vectorize_is_compiled_anew():
    table = np.vectorize(lambda x: x + 1)
    compiled = ingot.jit(lambda x: table(x))
    assert compiled(np.ones(2)).tolist() == [2, 2]
    table.pyfunc = lambda x: x + 2
    assert compiled(np.ones(2)).tolist() == [3, 3]


def sum_by_indices(a):
    total = 0.0
    for (i, j), x in np.ndenumerate(a):
        total += x * i
        a[i, j] = 2 * x
    for i, j in np.ndindex(a.shape):
        total += a[i, j] * j
    return total


def test_loops_over_indices(check):
    check(sum_by_indices, np.arange(1200.0).reshape(30, 40))


LENGTHS = "np.polymul(V * 0, V) ;; np.polydiv(np.convolve([1.0, 2, 3], V), V) ;; np.roots(V * 0)"


@pytest.mark.parametrize("case", split(LENGTHS))
def test_lengths_that_zeros_decide_are_not_guessed(tmp_path, case):
    (function,) = functions_of([case], tmp_path)
    with pytest.raises(NotImplementedError, match="zero"):
        ingot.jit(function)(*ARGUMENTS)


REACHING = [
    lambda v: v.view("i4"),
    lambda v: v.view(complex),
    lambda v: v.view("i8").__setitem__(0, 5),
    lambda v: np.lib.stride_tricks.as_strided(v, (9,), (8,)),
    lambda v: np.lib.stride_tricks.as_strided(v, (2,), (-8,)),
    lambda v: np.lib.stride_tricks.as_strided(v, (2,), (12,)),
    lambda v: np.lib.stride_tricks.as_strided(v[::2], (2,), (16,)),
    lambda v: np.lib.stride_tricks.as_strided(v, (2, 2), (8, 8)).__setitem__(0, 5),
]


@pytest.mark.parametrize("f", REACHING)
def test_strides_that_are_refused(f):
    with pytest.raises(ingot.UnsupportedError):
        ingot.jit(f)(np.arange(4.0))


def test_windows_are_not_changed_behind_their_back():
    def f(x):
        windows = np.lib.stride_tricks.sliding_window_view(x, 2)
        x[0] = 5.0
        return windows.sum()

    with pytest.raises(ingot.CompileError):
        ingot.jit(f)(np.ones(3))


def test_roots_come_in_numpys_order():
    for p in ([-3, -3, 0, 7], [1.0, 0.0, 1.0, 3.0, 5.0], np.array([2.0, 1.0, 5.0], np.float32)):
        np.testing.assert_allclose(ingot.jit(np.roots)(np.array(p)), np.roots(p), rtol=1e-6)
    assert ingot.jit(np.roots)(np.ones(1, np.float32)).dtype == np.roots([1.0]).dtype


def test_eigenvalues_of_real_matrices_come_in_numpys_order():
    a = np.random.default_rng(0).normal(size=(3, 6, 6))
    np.testing.assert_allclose(ingot.jit(np.linalg.eigvals)(a), np.linalg.eigvals(a))


@pytest.mark.parametrize("order", "CFK")
def test_unravel_index_gives_columns(order):
    indices = np.arange(8).reshape(2, 2, 2)
    indices = indices.transpose(1, 0, 2) if order == "K" else np.array(indices, order=order)
    f = lambda i: np.unravel_index(i, (3, 4))  # noqa: E731
    for found, wanted in zip(ingot.jit(f)(indices), f(indices), strict=True):
        np.testing.assert_array_equal(found, wanted)
        assert found.strides == wanted.strides


def test_nanstd_has_no_integer_results():
    with pytest.raises(ingot.CompileError, match="same_kind"):
        ingot.jit(lambda x: np.nanstd(x, axis=0, dtype=np.int32))(np.ones((2, 2), np.uint8))


@pytest.mark.parametrize(
    "f",
    [
        lambda a, b: np.linalg.solve(a, b),
        lambda a, b: np.linalg.lstsq(a, b),
        lambda a, b: np.linalg.norm(b, 2),
        lambda a, b: np.polyfit(a[0], b[0], 1),
    ],
)
def test_float16_is_unsupported_in_linalg(f):
    a, b = np.eye(3), np.eye(3, dtype=np.float16)
    for call in (f, ingot.jit(f)):
        with pytest.raises(TypeError, match="float16 is unsupported in linalg"):
            call(a, b)


@pytest.mark.parametrize(
    "f",
    [
        lambda x, k: np.size(x, k),
        lambda x, k: np.array(x, ndmin=k + 1),
        lambda x, k: np.linspace(x[0], x[1], 4, axis=k),
    ],
)
def test_axes_that_are_arguments(f):
    same_for(f, [(np.arange(6.0).reshape(2, 3), axis) for axis in (0, 1)])


def test_sizes_of_what_only_run_time_knows():
    def f(x, n):
        return np.size(x[x > n], 0), np.size(x[:n], 0), np.size(x[:n])

    same_for(f, [(np.arange(5.0), n) for n in (0, 3, 5)])
