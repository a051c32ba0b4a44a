"""Arguments whose numbers have their bytes in the order of other machines."""

import numpy as np
import pytest

import ingot
from expressions import split
from level import sample
from oracle import assert_same

X = np.array([[0.5, -1.5, 2.0], [3.0, 0.25, -4.0]])
#: Of an array x of two axes: those that NumPy gives the machine's own order, and others.
CASES = split("""
x + 1 ;; -x ;; x * x.T.copy().T ;; x.sum() ;; x.max(axis=0) ;; x[0, 0] ;; x.mean(axis=0) ;; np.where(x > 1, x, 0)
np.concatenate([x, x]) ;; np.stack([x, x.T.copy().T]) ;; np.clip(x, 0, 1) ;; np.cumsum(x) ;; np.diff(x) ;; np.dot(x, x.T)
np.einsum('ij,ij->i', x, x) ;; np.median(x) ;; np.linalg.norm(x) ;; np.round(x) ;; np.select([x > 1], [x]) ;; np.tril(x)
x.astype(float) ;; x.astype(np.float32) ;; x.astype(float, copy=False) ;; np.asarray(x, float) ;; np.array(x, dtype=float)
x.dtype == np.float64 ;; str(x.dtype) == 'float64' ;; x ;; [x, 1] ;; np.asarray(x) ;; x.copy() + 1 ;; np.sort(x).astype(float)
x.copy() ;; x.T ;; x[0] ;; x[[0, 1]] ;; x[x > 0].sum() ;; np.sort(x) ;; x.reshape(-1) ;; np.zeros_like(x) ;; np.full_like(x, 1)
np.roll(x, 1) ;; np.tile(x, 2) ;; np.partition(x, 1) ;; np.pad(x, 1) ;; np.take(x, [0]) ;; np.flip(x) ;; np.copy(a=x) ;; np.zeros_like(a=x) ;; np.reshape(a=x, shape=-1) ;; x.flatten() ;; x.ravel()
np.repeat(x, 2) ;; np.broadcast_to(x, (2, 2, 3)) ;; np.nan_to_num(x) ;; np.choose([0, 1, 0], x) ;; [r for r in x] ;; (x.T, 1)
np.zeros(3, x.dtype) ;; x.astype(x.dtype) ;; np.result_type(x, 1.0) == np.float64 ;; np.array([x, x]) ;; np.vstack([x, x])
np.apply_along_axis(lambda v: v, 0, x) ;; np.interp(x, [0, 1], [0, 1]) ;; np.fft.fft(x) ;; np.linalg.svd(x)[1] ;; sorted(x[0])
""")


def same(actual, expected):
    if isinstance(expected, (list, tuple)):
        return len(actual) == len(expected) and all(map(same, actual, expected))
    if isinstance(expected, np.ndarray):
        return actual.dtype == expected.dtype and np.allclose(actual, expected, rtol=1e-12)
    return np.allclose(actual, expected, rtol=1e-12) and type(actual) is type(expected)


@pytest.mark.parametrize("dtype", [">f8", ">i4", ">c16"])
@pytest.mark.parametrize("expression", sample(CASES, 2))
def test_agrees_or_is_refused(compile_text, expression, dtype):
    f = compile_text(f"import numpy as np\ndef f(x):\n    return {expression}\n")["f"]
    x = X.astype(dtype)
    try:
        expected = f(x)
    except (TypeError, np.exceptions.ComplexWarning):
        return
    try:
        actual = ingot.jit(f)(x)
    except ingot.CompileError as error:
        assert "supported" in str(error) or "byte order" in str(error), error
        return
    assert same(actual, expected)


def test_most_agree(compile_text):
    refused = 0
    for expression in CASES[:31]:
        f = compile_text(f"import numpy as np\ndef f(x):\n    return {expression}\n")["f"]
        try:
            ingot.jit(f)(X.astype(">f8"))
        except ingot.CompileError:
            refused += 1
    assert refused == 0


def test_stores_reach_the_caller():
    def f(x, n):
        x[0] += 1
        for i in range(n):
            x[1, i] = x[0, i] * 2
        y = x.T
        y[0, 0] = 9
        return x.sum()

    actual, expected = X.astype(">f8"), X.astype(">f8")
    assert ingot.jit(f)(actual, 3) == f(expected, 3)
    assert actual.dtype == ">f8"
    np.testing.assert_array_equal(actual, expected)


def test_what_paths_decide():
    def f(x, c):
        y = x if c[0] > 0 else x + 1
        return y.dtype == np.float64, y.sum()

    x = X.astype(">f8")
    for c in (1, -1):
        assert_same(ingot.jit(f)(x, np.array([c])), f(x, np.array([c])))


def test_what_loops_decide():
    def g(x, n):
        y = x.copy()
        for _ in range(n[0]):
            y = y * 2
        return y.sum()

    with pytest.raises(ingot.CompileError, match=">f8"):
        ingot.jit(g)(X.astype(">f8"), np.array([2]))


def test_the_error_says_what_to_write():
    with pytest.raises(ingot.CompileError, match=r"return it with \.astype\(np\.float64\)"):
        ingot.jit(lambda x: x.T)(X.astype(">f8"))
