"""Stores through indices of which a mask is one: `a[m, 0] = v`."""

import numpy as np
import pytest

import ingot
from expressions import split
from sources import namespace_of

A = np.arange(12.0).reshape(3, 4) % 5 - 1.5
B = np.arange(24.0).reshape(2, 3, 4) - 7.5
ROWS = np.array([True, False, True])
COLUMNS = np.array([True, False, True, True])
PLACES = np.array([3, 1])
V = np.array([3.0, -1.0, 2.5, 0.5])

STORES = """
a[r, 0] = 7 ;; a[r, :] = V ;; a[0, c] = 5 ;; a[:, c] = -1
a[r, 1] += 2 ;; a[r] = V ;; a[r, 0] = V[:2] ;; a[:, c] = V[:3]
a[:, c] = np.arange(9.).reshape(3,3) ;; a[r] = np.arange(8.).reshape(2,4) ;; a[r, 1:3] -= 1 ;; a[-1, c] = a[0, c] * 2
a[r, 2] = a[r, 0] + a[r, 1] ;; a[..., c] = 3 ;; a[[True, False, True], 1] = 9 ;; a[:, [False, True, True, False]] += 1
a[:, [False, True, True, False]] = V[:2] ;; a[r] -= a[r].mean(0) ;; a[r, 0] = V[:1] ;; a[r] = [[1.,2,3,4]]
a[r, 0] **= 2 ;; a[::-1][r, ::2] = V[:2] ;; np.add.at(a, (r, 0), 2) ;; b[0, :, c] = 3
a[r, [1, 3]] = 7 ;; a[r, i] = V[:2] ;; a[r, i] += V[:2] ;; a[[0, 1, 2], c] = 5 ;; b[:, r, i] = 3 ;; b[i % 2, r] *= 2 ;; a[[0], c] = 9 ;; a[r, i[:1]] = V[:2]
np.add.at(a, (r, i), 2) ;; a[r & c[:3] & (a[:, 0] < -1), i] = V[:2] ;; b[[0, 1, 0, 1, 0, 1], b[0] > b[0, 1, 1]] = -1 ;; b[..., r, i] -= 1 ;; b[:, r, [[0, 1], [2, 3]]] = 4
b[:, r, 1] = np.arange(4.).reshape(2, 2) ;; b[0, :, c] = np.arange(3.) ;; b[0, :, c] = np.arange(9.).reshape(3,3) ;; b[1, r] *= 2
a[r, [[0], [1]]] = 9 ;; a[r, [[0], [1]]] += 9 ;; a[r, [[0], [1]]] = V[:2] ;; a[r, [[3], [1]]] = V[:2, None] ;; b[1, r, [[0], [1]]] *= 2 ;; b[:, r, [[0], [1]]] = 3 ;; b[[[0], [1]], :, c] -= 1 ;; b[..., b[0] > 9] = 0 ;; b[[[1], [0]], b[0] > 0] = 4
b[r[:2], :, c] = 5 ;; b[r[:2], :, c & (V > 2.9)] += V[:3] ;; b[V[:2] > 0, ..., c & (V > 2)] = V[:3] ;; b[r[:2], 1, c] = 5 ;; b[r[:2], None, :, c] = 1 ;; b[r[:2], 1:, c & (V > 2.9)] *= 2
a[np.array([True, False, True])] = V ;; a[np.array([True, False, True]), [[1], [3]]] = 4 ;; b[:, np.array([True, False, True])] += 1 ;; a[np.array(a[0, :3] > -9)] = 2
a[r, V > 1] = 7 ;; a[r, V > 1] += 2 ;; a[r, V > 1] = V[:2] ;; b[r[:2], r] *= 2 ;; b[V[:2] > 0, r, V > 1] = 3
b[b[..., 0] > 8, V > 1] = V[:2] ;; b[1, r, V > 1] = V[:2] ;; b[:, r, V > 1] -= V[0] ;; b[..., r, V > 1] = 0 ;; a[r & (a[:, 0] > 9), V > 2.6] = 1
a[a > 99] = [] ;; a[r & (a[:, 0] > 9)] = V[None, :][:0] ;; b[0, 0, V > 99] = V[:0] ;; a[:, V > 99] = a[:, :0]
a[V[0] > 1] = 7 ;; a[V[0] > 99] = 7 ;; a[V[0] > 1,] += V ;; a[True] = V ;; a[np.False_] -= 1 ;; a[V[0] > 1] = a[V[0] > 1] * 2 - 1 ;; a[np.array(V[0] > 1)] = a[None] + 1 ;; b[0] = a[V[0] > 1].sum() + a[V[1] > 1].size
s = np.asarray(V[0]); s[s > 1] = 0; a += s ;; s = np.array(V[1]); s[np.isnan(s)] = 0; a += s ;; s = np.array(V[0]); s[s > 1] **= 2; s[s < 1] = [5]; a *= s
"""
#: NumPy raises for these, and compiled code does, or it refuses them.
WRONG = """
a[r] = np.arange(12.).reshape(3,4) ;; a[a > 0] = np.arange(8.)[:7] ;; a[c] = 1 ;; a[r, c] = 1 ;; a[r, [0, 1, 2]] = 1 ;; a[r & c[:3] & (a[:, 0] > 9), i] = 1 ;; a[c, i] = 1 ;; a[a>0] = [] ;; a[r, V[0] > 100] = 1 ;; b[r[:2], r, c] = 1 ;; a[r & (a[:, 0] > 9), c] = 1 ;; a[V > 1, r] = 2 ;; a[a > 0] = [[1.0]] ;; a[(a > 0,)] = V[None] ;; a[a > 99] = a[:0] ;; s = np.array(V[0]); s[s > 1] = [[5]]
"""


def function_of(store, folder):
    return namespace_of(f"def f(a, b, r, c, V, i):\n    {store}\n    return a, b\n", folder)["f"]


def arguments():
    return A.copy(), B.copy(), ROWS, COLUMNS, V, PLACES


@pytest.mark.parametrize("store", split(STORES))
def test_store(tmp_path, check, store):
    check(function_of(store, tmp_path), *arguments())


@pytest.mark.parametrize("store", split(WRONG))
def test_what_numpy_raises_is_no_store(tmp_path, store):
    f = function_of(store, tmp_path)
    with pytest.raises((ValueError, IndexError, TypeError)):
        f(*arguments())
    given = arguments()
    with pytest.raises((ValueError, IndexError, TypeError, ingot.CompileError)):
        ingot.jit(f)(*given)
    np.testing.assert_array_equal(given[0], A)


READS = """
a[r, V > 1].sum() ;; b[:, r, V > 1].max() ;; b[r[:2], r].min() ;; b[b[..., 0] > 8, V > 1].prod()
a[r, [1, 3]] ;; a[r, i] ;; a[[0, 1, 2], c] ;; b[:, r, i] ;; b[i % 2, r] ;; b[[0, 1, 0, 1, 0, 1], b[0] > b[0, 1, 1]] ;; b[:, r, [[0, 1], [2, 3]]] ;; a[r & c[:3] & (a[:, 0] < -1), i]
a[r, [[0], [1]]].sum() ;; a[r, [[0], [1]]].max(1) ;; b[:, r, [[0], [1]]].sum(2) ;; b[r[:2], :, [[0], [1]]].mean(1) ;; b[[[1], [0]], b[0] > 0].min(axis=1) ;; b[r[:2], :, c & (V > 2.9)].sum() ;; b[r[:2], 1:, c].prod(0) ;; b[r[:2], ..., c].max(0)
a[np.array([True, False, True])] ;; a[np.array([True, False, True]), 1] ;; a[:, np.array([True, False, True, True])].T ;; a[np.array([[True, False, True, True]] * 3)] ;; a[np.array([True, False, True]), i] ;; a[np.array([False] * 3)]
a[i[1:], c].sum() ;; a[r, [2]].max() ;; b[..., r, i] ;; b[i % 2, :, c[[0, 1, 2, 3]] & (V > 1)]
"""


@pytest.mark.parametrize("read", split(READS))
def test_read(tmp_path, check, read):
    check(function_of(f"a = {read}", tmp_path), *arguments())


def test_a_store_of_several_is_derived():
    def loss(a, v):
        a = a * 1.0
        a[a > 0] = v
        return np.sum(a**2)

    v = np.arange(1.0, 7.0)
    by_a, by_v = ingot.grad(loss, (0, 1))(A, v)
    np.testing.assert_allclose(by_v, 2 * v)
    np.testing.assert_allclose(by_a, np.where(A > 0, 0, 2 * A))


def test_a_mask_that_was_stored_to_is_not_known():
    def f(a, on):
        m = np.array([True, False, True])
        m[1] = on
        return a[m]

    for on in (np.bool_(True), np.bool_(False)):
        np.testing.assert_array_equal(ingot.jit(f)(A, on), f(A, on))


def test_what_a_mask_selects_is_no_index():
    with pytest.raises(ingot.CompileError, match="selected by a mask"):
        ingot.jit(lambda a, r, i: a[r, i[r]].sum())(A, ROWS, np.array([3, 1, 0]))
