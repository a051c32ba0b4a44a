"""`reduce`, `accumulate`, `reduceat` and `at` of ufuncs, and where= and initial= of reductions."""

import numpy as np
import pytest

import ingot
from expressions import ARGUMENTS, functions_of, split
from sources import namespace_of

CASES = """
np.hypot.reduce(M, axis=(0, 1)) ;; np.hypot.reduce(A, axis=(0, 2), keepdims=True) ;; np.fmax.reduce(M, axis=None) ;; np.gcd.reduce(N, axis=(0, 1)) ;; np.bitwise_or.reduce(N, axis=None, keepdims=True)
np.hypot.reduce(N, dtype=np.float32) ;; np.fmax.reduce(M, dtype=int) ;; np.gcd.reduce(M, dtype=int) ;; np.logaddexp.accumulate(M, 1, dtype=np.float32) ;; np.equal.accumulate(M, dtype=bool) ;; np.bitwise_or.reduce(N, dtype=np.int16)
np.hypot.reduce(np.array([-2.0])) ;; np.hypot.reduce(M, axis=()) ;; np.hypot.reduce(-2.0) ;; np.subtract.reduce(2.0, axis=None) ;; np.logaddexp.reduce(np.zeros((0, 3))) ;; np.subtract.reduce(V, axis=None)
np.fmax.reduce(M, where=B, initial=-9) ;; np.hypot.reduce(M, where=B, axis=(0, 1)) ;; np.left_shift.reduce(np.abs(N), initial=3) ;; np.fmax.reduce(np.zeros((0, 3)), initial=3) ;; np.hypot.reduce(M, initial=None)
np.hypot.reduce(M, out=np.zeros(4, int)) ;; np.hypot.reduce(M, out=np.zeros(4, 'f4')) ;; np.logaddexp.accumulate(M, 1, None, np.zeros((3, 4))) ;; np.power.accumulate(V) ;; np.hypot.accumulate(M, axis=(1,)) ;; np.hypot.accumulate(V, axis=None)
np.power.reduce(N[:, :2] % 3, axis=-1) ;; np.power.reduceat(N[0] % 3, [0, 2]) ;; np.power.reduce(np.abs(M), dtype=int, initial=1) ;; np.lcm.outer(N, N[0]) ;; np.gcd.outer(N, [4, 6]) ;; np.nextafter.outer(V, V) ;; np.ldexp.outer(V, N) ;; np.maximum.accumulate(C) ;; np.minimum.accumulate(C, axis=1) ;; np.maximum.accumulate(M, dtype=complex)
np.add.reduceat(V, [0, 2]) ;; np.add.reduceat(M, [0, 3, 1, 2], axis=1) ;; np.multiply.reduceat(N, N[0, :2] + 2, axis=-1) ;; np.add.reduceat(B, [0, 1]) ;; np.maximum.reduceat(M, [1, 0, 0, 2]) ;; np.hypot.reduceat(M, (2, 0, 1)) ;; np.add.reduceat(V, []) ;; np.subtract.reduceat(M, [0, 2], 1)
np.add.reduceat(V, [0, 1], 0, np.float32) ;; np.add.reduceat(V, [0, 1], out=np.zeros(2, int)) ;; np.logical_and.reduceat(N, [0]) ;; np.add.reduceat(C, [1, 0], axis=1) ;; np.add.reduceat(V, [0, 0, 1, 1]) ;; np.bitwise_xor.reduceat(N.astype(np.uint8), [0, 1])
np.max(C, where=B, initial=0) ;; np.max(C, initial=2+7j) ;; np.min(C, axis=1, where=B, initial=1j) ;; np.max(M, where=B, initial=V[0]) ;; np.max(np.zeros((0, 3)), axis=0, initial=3) ;; np.max(M, where=[True, False, True, True], initial=0) ;; np.max(M, 0, None, False, 0.0)
np.logical_and.reduce(M, where=B) ;; np.logical_or.reduce(M, axis=(0, 1), initial=False) ;; np.logical_and.reduce(M, dtype=bool) ;; np.sum(M, initial=V[1]) ;; np.maximum.reduce(N, axis=None, dtype=float, initial=2.5) ;; np.multiply.reduce(M, where=B)
np.sum(M, axis=0, out=np.zeros(4, int)) ;; np.sum(N.astype(np.uint8), out=np.zeros((), np.uint8)) ;; np.all(M, 0, out=np.zeros(4)) ;; np.cumsum(M, 0, out=np.zeros((3, 4), int)) ;; np.mean(M, 0, out=np.zeros(4, int)) ;; np.argmax(M, 0, out=np.zeros(4, 'i4')) ;; np.add.reduce(M, out=(np.zeros(4),)) ;; np.add.accumulate(M, axis=(1,))
np.sum(2.0, axis=0) ;; np.max(V[0], axis=-1) ;; np.cumsum(V[0], axis=0) ;; np.argmax(V[0], axis=0) ;; M[:, []] ;; M[[], 0] ;; np.take(V, []) ;; np.gcd(np.asarray(4), 6)
"""
#: NumPy raises for these.
WRONG = """
np.subtract.reduce(M, axis=(0, 1)) ;; np.lcm.reduce(N, axis=None) ;; np.fmax.reduce(M, where=B) ;; np.fmax.reduce(np.zeros((0, 3))) ;; np.gcd.reduce(M) ;; np.equal.accumulate(M) ;; np.hypot.accumulate(M, axis=None) ;; np.logical_xor.reduce(M, dtype=float)
np.add.reduceat(V, [0, 4]) ;; np.add.reduceat(V, [-1]) ;; np.add.reduceat(V, N[1]) ;; np.add.reduceat(M, [0], axis=(0, 1)) ;; np.add.reduceat(2.0, [0]) ;; np.less.reduceat(N, [0]) ;; np.add.reduceat(V, 2)
np.max(M, where=B) ;; np.max(np.zeros((0, 3)), axis=0) ;; np.sum(np.zeros(0), initial=None) ;; np.sum(M, where=N) ;; np.sum(M, axis=0, out=np.zeros((5, 4))) ;; np.argmax(M, axis=0, out=np.zeros(4)) ;; np.sum(M, initial=V) ;; np.logical_or.reduce(M, dtype=int) ;; np.add.accumulate(2.0) ;; np.add.accumulate(M, axis=None) ;; np.zeros((0, 3))[[0]]
"""


@pytest.mark.parametrize("case", split(CASES))
def test_function(check, tmp_path, case):
    (function,) = functions_of([case], tmp_path)
    check(function, *ARGUMENTS, rtol=1e-11)


@pytest.mark.parametrize("case", split(WRONG))
def test_what_numpy_refuses(tmp_path, case):
    (function,) = functions_of([case], tmp_path)
    for each in (function, ingot.jit(function)):
        with pytest.raises((TypeError, ValueError, IndexError)):
            each(*ARGUMENTS)


@pytest.mark.parametrize("ufunc", [np.add, np.hypot, np.logaddexp])
def test_reduceat_is_derived_and_batched(ufunc):
    v = np.array([3.0, -1.0, 2.5, 0.5, 7.0])

    def loss(v, i):
        return np.sum(ufunc.reduceat(v, i) ** 2)

    i = np.array([0, 3, 1])
    numeric = [(loss(v + e, i) - loss(v - e, i)) / 2e-6 for e in 1e-6 * np.eye(5)]
    np.testing.assert_allclose(ingot.grad(loss)(v, i), numeric, rtol=1e-6)
    tangent = ingot.jvp(lambda v: loss(v, i), (v,), (np.ones(5),))[1]
    np.testing.assert_allclose(tangent, np.sum(numeric), rtol=1e-6)
    rows = ingot.jit(ingot.vmap(lambda v: ufunc.reduceat(v, [0, 3, 1])))(np.stack([v, 2 * v]))
    np.testing.assert_allclose(rows, ufunc.reduceat(np.stack([v, 2 * v]), i, axis=1))


#: Statements: each changes M, N or V at places that occur twice, that a mask selects, or once.
STORES = """
np.divide.at(M, ([0, 0, 1], [1, 1, 0]), [2.0, 3, 4]) ;; np.divide.at(M, slice(None), V) ;; np.divide.at(M, M > 0, 3.0) ;; np.divide.at(N, [0, 0], 2) ;; np.divide.at(M, (0, 0), 2)
np.power.at(M, ([0, 0, 1], [1, 1, 0]), 2.0) ;; np.power.at(N, [0, 0], 2) ;; np.square.at(V, [0, 0, 3]) ;; np.square.at(M, M > 0) ;; np.negative.at(M, (slice(None), [0, 0, 1])) ;; np.negative.at(N, 0)
np.sqrt.at(N, N > 0) ;; np.bitwise_xor.at(N, [0, 0, 0], 5) ;; np.logical_or.at(N, [0], 1) ;; np.left_shift.at(N, [0, 0], 2) ;; np.fmod.at(V, N[0] % 2, 2.0) ;; np.negative.at(M.T, ([1, 1, 1], [0, 0, 2]))
np.add.at(N, [0, 0], 2.5) ;; np.maximum.at(N, [0], 1.5) ;; np.add.at(F, [0, 0], 4.0000001) ;; np.divide.at(F, [0, 1, 1], 0.3) ;; np.add.at(F, [0, 0], 0.5) ;; np.add.at(F, [0, 0], np.float64(4.0000001)) ;; np.maximum.at(C, ([0, 0], [0, 0]), 2j)
np.add.at(U, [0, 0], 300) ;; np.add.at(U, [0, 0], N[0, :2]) ;; np.subtract.at(U, [0], True) ;; np.add.at(T, ([0, 0], [0, 1]), 3) ;; np.multiply.at(M, [], 3.0)
"""


@pytest.mark.parametrize("store", split(STORES))
def test_at(tmp_path, check, store):
    text = f"def f(M, N, V, C, T):\n    F = np.full(2, 1e8, 'f4')\n    U = np.zeros(2, 'u1')\n    {store}\n"
    f = namespace_of(f"{text}    return M, N, V, C, T, F, U\n", tmp_path)["f"]
    rng = np.random.default_rng(0)
    m, n = rng.normal(size=(3, 4)), rng.integers(-2, 5, (3, 4))
    check(f, m, n, m[0] * 2, m + 1j * n, n > 1)


def test_at_refuses_what_numpy_does():
    for f in (
        lambda a: np.square.at(a, [0], 2.0),
        lambda a: np.divide.at(a, [0]),
        lambda a: np.divide.at(a, [5], 2.0),
        lambda a: np.divide.at(a, [0], np.ones(2)),
    ):
        with pytest.raises((ValueError, IndexError)) as caught:
            f(np.ones(3))
        with pytest.raises(type(caught.value)):
            ingot.jit(f)(np.ones(3))


@pytest.mark.parametrize("ufunc", [np.power, np.arctan2])
def test_what_the_processor_decides_is_refused(ufunc):
    for f in (lambda v: ufunc.reduce(v), lambda v: ufunc.reduceat(v, [0])):
        with pytest.raises(ingot.CompileError, match="of floats is not supported"):
            ingot.jit(f)(np.ones(3))


def test_at_is_derived():
    def f(v, w):
        v = v * 1.0
        np.divide.at(v, [0, 1, 1], w)
        return np.sum(v**2)

    v, w = np.array([1.0, 2.0]), np.array([2.0, 3.0, 4.0])
    by_v, by_w = ingot.grad(f, (0, 1))(v, w)
    np.testing.assert_allclose(by_v, [0.5, 2 * 2 / 144])
    np.testing.assert_allclose(by_w, [-2 * 1 / 8, -2 * 4 / (27 * 16), -2 * 4 / (9 * 64)])
