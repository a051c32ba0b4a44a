"""Functions whose result may be their argument, a view of it or a copy: which one NumPy gives."""

import numpy as np
import pytest

import ingot
from expressions import split
from ingot import CompileError
from level import pick, sample

#: Of an array x.
EXPRESSIONS = split("""
x.squeeze() ;; np.squeeze(x, axis=()) ;; x.T ;; np.transpose(x) ;; x.swapaxes(0, 0) ;; np.matrix_transpose(x)
np.moveaxis(x, 0, 0) ;; np.rollaxis(x, 0) ;; np.permute_dims(x) ;; np.expand_dims(x, ()) ;; x[...] ;; x[:]
np.atleast_1d(x) ;; np.atleast_2d(x) ;; np.atleast_3d(x) ;; np.atleast_1d(x, x)[0] ;; np.broadcast_to(x, x.shape)
np.broadcast_arrays(x)[0] ;; np.broadcast_arrays(x, np.ones((2, 2)))[0] ;; x.reshape(x.shape) ;; x.reshape(-1)
x.ravel() ;; np.ravel(x) ;; x.flatten() ;; np.diagonal(x) ;; x.diagonal(-1) ;; np.diag(x) ;; np.diagonal(x, 1).T ;; np.split(x, 1)[0] ;; np.array_split(x, 1)[0]
np.flip(x, ()) ;; np.rot90(x, 0) ;; np.fliplr(x) ;; np.unstack(x)[0] ;; np.stack([x])[0] ;; np.meshgrid(x)[0]
np.asarray(x) ;; np.asanyarray(x) ;; np.asarray(x, dtype=x.dtype) ;; np.array(x) ;; np.copy(x) ;; x.copy()
np.asarray(x, order='C') ;; np.asarray(x, order='F') ;; np.asarray(x, order='K') ;; np.asarray(x, order='A')
np.ascontiguousarray(x) ;; np.asfortranarray(x) ;; np.asarray(x.T, order='F') ;; np.ascontiguousarray(x.T)
x.astype(x.dtype) ;; x.astype(x.dtype, copy=False) ;; np.astype(x, x.dtype) ;; np.astype(x, x.dtype, copy=False)
x.real ;; np.real(x) ;; x.conj() ;; x.conjugate() ;; np.conj(x) ;; np.conjugate(x) ;; np.positive(x) ;; +x
np.nan_to_num(x) ;; np.round(x) ;; x.round() ;; np.round(x, 2) ;; np.floor(x) ;; np.trunc(x) ;; np.fix(x) ;; abs(x)
np.roll(x, 0) ;; np.tile(x, 1) ;; np.repeat(x, 1) ;; np.resize(x, x.shape) ;; np.pad(x, 0) ;; np.concatenate([x])
np.sort(x) ;; np.sum(x, axis=()) ;; np.tril(x, 9) ;; np.where(True, x, x) ;; np.take(x, [0], axis=0) ;; np.block([x])
np.linalg.matrix_power(x, 1) ;; np.linalg.matrix_power(x, 0) ;; np.diff(x, 0) ;; np.clip(x, 0, 9) ;; x.clip(0)
np.add(x, 1, out=x) ;; np.cumsum(x, out=x) ;; np.clip(x, 0, 9, out=x) ;; np.fft.fftshift(x, axes=())
""")

ARRAYS = {
    "0d": lambda dtype: np.array(1, dtype),
    "2d": lambda dtype: np.arange(4).reshape(2, 2).astype(dtype),
    "Fortran": lambda dtype: np.arange(6).reshape(2, 3).astype(dtype).T,
    "1d": lambda dtype: np.arange(3).astype(dtype),
    "column": lambda dtype: np.arange(3).reshape(3, 1).astype(dtype),
    "strided": lambda dtype: np.arange(12).reshape(6, 2).astype(dtype)[::2],
}
LAYOUTS = list(ARRAYS)[: pick(3, 3, 6)]

IS_ARGUMENT = """
def f(x):
    y = {}
    return y, y is x
"""
#: A store to the result is seen in the argument where they share memory.
STORES = """
def f(x):
    y = {}
    y[...] = 7
    return x, y
"""
#: A store to the argument is seen in the result where they share memory.
STORED_TO = """
def f(x):
    y = {}
    x[...] = 7
    return x, y, y.copy()
"""


def made_from(template, expression):
    namespace = {"np": np}
    exec(template.format(expression), namespace)
    return namespace["f"]


@pytest.mark.floor(0.8)
@pytest.mark.parametrize("dtype", pick([float], [float, int], [float, int, complex]))
@pytest.mark.parametrize(
    "template", [IS_ARGUMENT, STORES, STORED_TO], ids=["is", "stores", "stored-to"]
)
@pytest.mark.parametrize("expression", sample(EXPRESSIONS, 4))
def test_same_array(expression, template, dtype, sweep):
    f = made_from(template, expression)
    for name in LAYOUTS:
        given, x = ARRAYS[name](dtype), ARRAYS[name](dtype)
        try:
            expected = f(given)
        except (ValueError, TypeError, IndexError, DeprecationWarning):
            sweep.skipped(name)
            continue
        try:
            found = ingot.jit(f)(x)
        except CompileError as error:
            sweep.refused(error, name)
            continue
        for actual, wanted in zip(found, expected, strict=True):
            np.testing.assert_array_equal(actual, wanted, err_msg=name)
            assert (actual is x) == (wanted is given), name
        np.testing.assert_array_equal(x, given, err_msg=name)
        sweep.agreed(name)


def test_a_read_only_array_copied_to_itself():
    def f(x):
        np.copyto(x, x)
        np.copyto(x.T, x)
        np.copyto(x[1:], x[1:])
        return x.sum()

    x = np.arange(3.0)
    x.setflags(write=False)
    assert ingot.jit(f)(x) == f(x)


def test_a_read_only_array_copied_to_another_part_of_itself():
    def f(x):
        np.copyto(x[1:], x[:-1])

    x = np.arange(3.0)
    x.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        f(x)
    with pytest.raises(ValueError, match="read-only"):
        ingot.jit(f)(x)
