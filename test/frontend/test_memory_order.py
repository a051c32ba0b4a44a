"""Memory order: results have NumPy's strides, and views and copies are where NumPy has them."""

import numpy as np
import pytest

import ingot
from expressions import split
from ingot import CompileError
from level import pick, sample

#: Of an array a of two axes or more.
EXPRESSIONS = split("""
np.zeros_like(a) ;; np.zeros_like(a, order='C') ;; np.ones_like(a, order='F') ;; np.full_like(a, 3, order='A')
np.zeros_like(a, shape=(4, 5)) ;; np.copy(a) ;; np.copy(a, order='C') ;; np.copy(a, 'F') ;; a.copy() ;; a.copy('K') ;; a.copy('A')
a.astype(int) ;; a.astype(float, copy=False) ;; a.astype(int, 'F') ;; a.astype(float, order='F', copy=False)
a.astype(float, order='A', copy=False) ;; a.astype(int, order='A') ;; np.astype(a, np.float32) ;; np.array(a) ;; np.array(a, order='F')
np.array(a, ndmin=4) ;; np.array(a, copy=None) ;; np.array(a, copy=None, order='F') ;; np.array(a, np.float32, order='A')
np.asarray(a, order='C') ;; np.asarray(a, np.float32) ;; np.asarray(a, copy=True) ;; np.ascontiguousarray(a) ;; np.asfortranarray(a)
np.require(a, requirements='F') ;; np.require(a, np.float32, ['C', 'W']) ;; np.require(a, np.float32) ;; np.zeros(a.shape, order='F')
np.ones(a.shape, int, 'F') ;; np.full(a.shape, 2, order='F') ;; np.eye(3, order='F') ;; np.array([[1, 2], [3, 4]], order='F')
a.ravel() ;; a.ravel('F') ;; a.ravel('A') ;; a.ravel('K') ;; a.flatten() ;; a.flatten('F') ;; a.flatten('K') ;; a.flatten('A')
a.reshape(3, -1) ;; a.reshape(3, -1, order='F') ;; a.reshape((3, -1), order='A') ;; np.reshape(a, -1, order='F') ;; np.reshape(a, -1, copy=True)
a + 1 ;; 2 * a + a ;; a + a.T.copy().T ;; -a.T ;; np.exp(a) ;; a + np.ones(a.shape) ;; a > 1 ;; a > a.copy() ;; a % 2 == 1 ;; ~(a > 1)
np.add(a, 1, order='F') ;; np.add(a, 1, order='C') ;; np.multiply(a, a, order='A') ;; np.where(a > 1, a, 0) ;; np.clip(a, 0, 1) ;; a.clip(0)
np.clip(a, None, None) ;; np.round(a) ;; np.round(a, 1) ;; np.sort(a) ;; np.sort(a, axis=0) ;; np.argsort(a, axis=0) ;; np.cumsum(a, axis=0)
np.cumsum(a, axis=1) ;; a.sum(axis=0, keepdims=True) ;; a.mean(axis=-1) ;; a.max(axis=0) ;; np.argmax(a, axis=0) ;; np.ptp(a, axis=0)
np.concatenate([a, a]) ;; np.concatenate([a, a], axis=1) ;; np.stack([a, a]) ;; np.tile(a, 2) ;; np.tile(a, 1) ;; np.repeat(a, 2, axis=0)
np.take(a, [0, 1], axis=1) ;; a[:, [0, 1]] ;; a[[0, 1]] ;; a[:, None, [0, 1]] ;; a[..., [[0, 1], [1, 0]]] ;; a[[0, 1], None, [0, 1]]
np.roll(a, 1) ;; np.roll(a, 1, axis=0) ;; np.flip(a) ;; np.flip(a) + 1 ;; a[::-1] * 2 ;; np.pad(a, 1) ;; np.diff(a, axis=0) ;; np.outer(a, a)
np.nan_to_num(a) ;; np.isclose(a, 1) ;; np.median(a, axis=0) ;; abs(a) ;; a**2 ;; a // 2 ;; divmod(a, 2)[0] ;; np.tril(a) ;; a.real ;; a.imag ;; a.conj()
np.gradient(a, axis=0) ;; np.insert(a, 1, 0, axis=0) ;; np.delete(a, 0, axis=1) ;; np.append(a, a, axis=0) ;; np.fft.irfft(a, axis=0) ;; np.linalg.pinv(a)
np.einsum('ij...->ji...', a) ;; np.einsum('ij...->ji...', a) + 0 ;; np.einsum('ij...,kj...->ki...', a, a) ;; a @ np.swapaxes(a, -1, -2)
np.swapaxes(a, -1, -2) @ a ;; a @ np.ones((a.shape[-1], 1)) ;; np.swapaxes(a, -1, -2) @ np.ones((a.shape[-2], 1)) ;; np.vecdot(a, a) ;; np.matvec(a, a[..., 0, :])
np.atleast_3d(a) + 1 ;; np.broadcast_to(a, (2, *a.shape)).copy() ;; a.T ;; a[::2] ;; a[:, ::-1] ;; np.moveaxis(a, 0, -1) ;; a.flat[1:3]
a[a.reshape(len(a), -1)[:, 0] > -1] ;; a[:, a[0] > 1] ;; a[:, a[0] > 1] * 2 ;; a[:, a.reshape(*a.shape[:2], -1)[0, :, 0] > 1] ;; a[a > 1]
a[:, a[0] > 1].copy() ;; np.copy(a[:, a[0] > 1]) ;; np.compress([True, True], a, axis=1) ;; np.take(a, np.flatnonzero(a.ravel()[:2] > -1), axis=1) ;; np.argwhere(a)
a[0, ..., np.arange(a.shape[-1]) > 0] ;; a[None, :, a[0] > 1] ;; a[a.reshape(len(a), -1)[:, 0] > -1].T ;; np.average(a + 1, axis=0, weights=a + 1)
 np.average(a, axis=1, weights=np.arange(1.0, a.shape[1] + 1)) ;; np.geomspace(a + 1, a + 2, 3)
(a + 1j).real ;; (a + 1j).imag * 2 ;; np.sort(a.T)[::-1] ;; np.interp(a, [0, 1], [0, 1]) ;; [x.copy() for x in (a, a.T)][1] ;; (a, 1)[0].T + 1
""")

ARRAYS = {
    "C": lambda: np.arange(6.0).reshape(2, 3),
    "Fortran": lambda: np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "gaps": lambda: np.arange(24.0).reshape(4, 6)[::2, ::2],
    "permuted": lambda: np.arange(24.0).reshape(2, 3, 4).transpose(1, 0, 2),
    "broadcast": lambda: np.broadcast_to(np.arange(3.0), (2, 3)),
    "backwards": lambda: np.arange(6.0).reshape(2, 3)[::-1, ::-1],
    "gaps in Fortran order": lambda: np.arange(24.0).reshape(4, 6)[::2, ::2].T,
}
ORDERS = list(ARRAYS)[: pick(2, 4, 7)]

#: What is stored to the array is seen in the flat ones that are views of it.
SEES = """
def f(a):
    y = {}
    r, s, t = y.ravel(), y.reshape(-1, order="F"), y.ravel("K")
    y[...] = 77
    return y, r, s, t
"""


def strides_of(array):
    """The strides that matter: those of axes with several elements."""
    if not isinstance(array, np.ndarray) or not array.size:
        return None
    return [step for step, n in zip(array.strides, array.shape, strict=True) if n > 1]


def made_from(text):
    namespace = {"np": np}
    exec(text, namespace)
    return namespace["f"]


def assert_same(found, expected, what):
    for actual, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(actual, wanted, rtol=1e-9, atol=1e-12, err_msg=what)
        assert strides_of(actual) == strides_of(wanted), what


@pytest.mark.floor(0.8)
@pytest.mark.parametrize("expression", sample(EXPRESSIONS, 5))
def test_order(expression, sweep):
    plain = made_from(f"def f(a):\n    return ({expression},)")
    stored = made_from(SEES.format(expression))
    for name in ORDERS:
        for f in (plain, stored):
            a, given = ARRAYS[name](), ARRAYS[name]()
            try:
                expected = f(given)
            except (ValueError, AttributeError):
                sweep.skipped(name)
                continue
            try:
                found = ingot.jit(f)(a)
            except CompileError as error:
                sweep.refused(error, name)
                continue
            assert_same(found, expected, name)
            np.testing.assert_array_equal(a, given, err_msg=name)
            sweep.agreed(name)


def check(f, *make):
    """Compiled code gives what plain code does, and leaves the same in the arguments."""
    plain, ours = ([each() for each in make] for _ in range(2))
    expected, found = f(*plain), ingot.jit(f)(*ours)
    assert_same(found, expected, f.__name__)
    assert_same(ours, plain, f.__name__)


def test_orders_at_joins():
    def f(a, n):
        b = np.copy(a.T) if n > 0 else a.T + 1
        c = a + 1 if n > 0 else (a * 2).T.copy().T
        d = [a.T + 1, n]
        for _ in range(n):
            d[0] = d[0] * 2
            b = b + 1
        r = b.ravel()
        b[0] = 9
        return b, r, d[0], c.ravel()

    check(f, lambda: np.arange(6.0).reshape(2, 3), lambda: np.int64(3))


def test_a_loop_that_exchanges_arrays_of_two_orders():
    def f(a, n):
        x, y = a + 1, (a.T + 2).T
        for _ in range(n):
            x, y = y, x
        return x * 1.0, x.sum()

    a = np.arange(6.0).reshape(2, 3)
    for n in (2, 3):
        found, expected = ingot.jit(f)(a, n), f(a, n)
        for actual, wanted in zip(found, expected, strict=True):
            np.testing.assert_array_equal(actual, wanted)


@pytest.mark.parametrize("dtype", [complex, np.complex64])
@pytest.mark.parametrize("order", "CF")
def test_parts_of_complex_arrays_are_views(dtype, order):
    def f(z):
        z.real[...] = 1
        z.imag = 2
        r = z.real
        z[1] = 7 + 1j
        z.real[0] += 5
        np.add(z.real, 1, out=z.imag)
        np.real(z)[0, 1] = 3
        return z, r, z.T.real, z.imag[::2], r.ravel()

    check(f, lambda: np.asarray((np.arange(6.0) + 1j).reshape(2, 3), dtype, order))


def test_flat():
    def f(a):
        a.flat[3] = 9.0
        a.flat[0:4] = [1, 2]
        a.flat[[4, 5]] = 7
        total = 0.0
        for x in a.flat:
            total += x
        for i, x in enumerate(a.flat):
            total += i * x
        b = a.flat[1:3]
        b[0] = 100
        made = np.asarray(a.flat), a.flat.copy(), np.array(list(a.flat)), a.flat[[0, 1]]
        t = a.T
        t.flat[1] = 50.0
        t.flat = [1, 2, 3, 4]
        return total, a.flat[2], b, np.sum(a.flat), len(a.flat), a.flat[-1], *made

    check(f, lambda: np.arange(6.0).reshape(2, 3))
    check(f, lambda: np.arange(6.0).reshape(2, 3).T)


def test_strides():
    def f(a):
        b = a.T[::2] + 1
        return a.strides, a.T.strides, a[::2, 0].strides, b.strides, np.float64(1).strides

    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert ingot.jit(f)(a) == f(a)


def test_a_flat_iterator_is_run_over_once():
    def f(a):
        it = a.flat
        return sum([x for x in it]) + sum([x for x in it])

    with pytest.raises(CompileError, match="has been used before"):
        ingot.jit(f)(np.ones(3))


def test_einsum_gives_views():
    def f(a):
        b = np.einsum("ij->ji", a)
        b[0] = 4
        c = np.einsum("ii->i", a)
        c[:] += 1
        return a, b, c, np.einsum("ba", a), np.einsum("ij,jk->ki", a, a)

    def g(a):
        c = np.einsum("iii->i", a)
        c[:] += 1
        d = np.einsum("iij->ji", a)
        d[0] = 4
        return a, c, d, np.einsum("...ii->...i", a), np.einsum("ijj->i", a)

    check(f, lambda: np.arange(9.0).reshape(3, 3))
    check(g, lambda: np.arange(8.0).reshape(2, 2, 2))


def test_arrays_of_lists_that_run_backwards():
    def f(a):
        rows = [[1.0, 2.0], [3.0, 4.0]]
        return np.flip(rows), np.fliplr([[1, 2], a[0]]), np.flip(a.tolist(), 0), np.transpose(rows)

    check(f, lambda: np.ones((2, 2)))


def test_large_arrays_keep_their_order():
    def f(a):
        made = np.sort(a, axis=0), np.cumsum(a, axis=1), np.roll(a, 5), np.take(a, [7, 90], axis=0)
        return *made, np.delete(a, 50, axis=0), np.repeat(a, 3, axis=0), a[:, [50, 3]], a * 2

    check(f, lambda: np.arange(40_000.0).reshape(100, 400).T)


def test_the_order_of_what_has_fewer_elements_than_the_argument():
    def f(a):
        made = np.diff(a, 2), np.diff(a, 4, axis=0), np.delete(a, [0, 1], axis=1), a[:5:2, :1] + 1
        flat = made[0].ravel()
        flat[0] = 77
        return *made, flat

    check(f, lambda: np.asfortranarray(np.arange(63.0).reshape(7, 9) ** 2))
    check(f, lambda: np.arange(90_000.0).reshape(300, 300).T)


def test_one_index_of_take_gives_a_copy():
    def f(a, n):
        made = np.take(a, 1, 1), a.take(-1, axis=0), np.take(a, n, 0), np.take(a, n, 1, mode="wrap")
        for i, each in enumerate(made):
            each[0] = 70 + i
        return made

    check(f, lambda: np.arange(6.0).reshape(2, 3), lambda: 1)
    check(f, lambda: np.asfortranarray(np.arange(6.0).reshape(2, 3)), lambda: 0)


def test_a_scalar_type_gives_an_array_of_its_dtype_itself():
    def f(a, m):
        made = np.float64(a), np.float64(a.T), np.float32(a), np.bool_(m), np.bool_(a)
        for i, each in enumerate(made):
            each[0] = i
        return made[0] is a, made[3] is m, made[2], made[4]

    def g(a):
        made = np.float64(a)
        return made is a, made + 1

    check(f, lambda: np.asfortranarray(np.ones((2, 3))), lambda: np.array([True, False]))
    check(g, lambda: np.array(2.0))


def test_piecewise_keeps_the_order():
    def f(a):
        return np.piecewise(a, [a > 2, a < 1], [lambda v: v * 2, 7, -1])

    check(f, lambda: np.asfortranarray(np.arange(6.0).reshape(2, 3)))


def test_results_can_be_written_to_where_numpys_can():
    def f(a):
        return np.broadcast_to(a[0], (2, 3)), np.diagonal(a), a.T, a[::2]

    a = np.arange(9.0).reshape(3, 3)
    for actual, wanted in zip(ingot.jit(f)(a), f(a), strict=True):
        assert actual.flags.writeable == wanted.flags.writeable
        assert strides_of(actual) == strides_of(wanted)


def test_an_artifact_keeps_the_order_of_its_results(tmp_path):
    def f(a):
        return a.T + 1, a[:, ::-1], np.asfortranarray(a)[:, :1], a.T

    path = str(tmp_path / "order.ingot")
    ingot.export(f, ingot.spec("n,3")).save(path)
    loaded = ingot.load(path)
    for n in (2, 5):
        a = np.arange(3.0 * n).reshape(n, 3)
        assert [leaf.shape for leaf in loaded.entry("f").results][0][1].name == "n"
        for actual, wanted in zip(loaded(a), f(a), strict=True):
            np.testing.assert_array_equal(actual, wanted)
            assert np.argsort(actual.strides).tolist() == np.argsort(wanted.strides).tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("np.zeros((2, 3), order='K')", "only 'C' or 'F' order is permitted"),
        ("np.reshape(a, 6, order='K')", "order 'K' is not permitted"),
        ("a.ravel('Q')", "order must be one of"),
        ("np.array(a.T, copy=False, order='C')", "Unable to avoid copy"),
        ("np.reshape(a.T, 6, copy=False)", "Unable to avoid"),
    ],
)
def test_orders_that_numpy_refuses(call, message):
    f = made_from(f"def f(a):\n    return {call}")
    with pytest.raises(ValueError, match=message):
        f(np.ones((2, 3)))
    with pytest.raises(ValueError, match=message):
        ingot.jit(f)(np.ones((2, 3)))


def test_a_cast_that_is_not_safe():
    def f(a):
        return a.astype(int, casting="safe")

    with pytest.raises(TypeError, match="according to the rule 'safe'"):
        ingot.jit(f)(np.ones((2, 3)))


def put_without_axis(a):
    np.put_along_axis(a, np.array([-1, 1]), 5, None)
    return a.sum()


def test_put_along_no_axis_needs_an_array_in_c_order():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)
    assert ingot.jit(put_without_axis)(a) == put_without_axis(b)
    np.testing.assert_array_equal(a, b)
    for other in (a.T, a[:, ::2], np.broadcast_to(a[0], (2, 3))):
        before = other.copy()
        for f in (put_without_axis, ingot.jit(put_without_axis)):
            with pytest.raises(ValueError, match="read-only"):
                f(other)
        np.testing.assert_array_equal(other, before)


def test_axes_of_one_element_lie_somewhere():
    """An array with gaps says by its strides where such an axis is, and a longer one lies there."""
    x = np.lib.stride_tricks.as_strided(np.arange(200.0), (2, 1, 3, 2), (16, 64, 128, 768))
    f = lambda x: np.fft.ihfft(x, n=2, axis=1)  # noqa: E731
    assert ingot.jit(f)(x).strides == f(x).strides


A = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_order_of_einsum(order):
    def f(a, b):
        return (
            np.einsum("ij,jk->ik", a, b, order=order), np.einsum("ij,ij->ji", a, a, order=order),
            np.einsum("ij->ji", a, order=order), np.einsum("ij,i->ij", a, a[:, 0], order=order),
        )  # fmt: skip

    for a, b in ((A, A.T.copy()), (np.asfortranarray(A), A.T)):
        for found, expected in zip(ingot.jit(f)(a, b), f(a, b), strict=True):
            assert found.strides == expected.strides
            np.testing.assert_array_equal(found, expected)


def test_dtype_and_casting_of_einsum():
    def f(a):
        return (
            np.einsum("ij->i", a, dtype=np.float32, casting="same_kind"),
            np.einsum("ij,ij->", a, a, dtype=complex),
            np.einsum("ij->j", a + 0.7, dtype=int, casting="unsafe"),
            np.einsum("", a[0, 0]), np.einsum("->", 3), np.einsum("i,->i", a[0].astype("f4"), 2.0),
            np.einsum("ij->", a, out=np.zeros((), "f4"), casting="same_kind"),
        )  # fmt: skip

    for found, expected in zip(ingot.jit(f)(A), f(A), strict=True):
        assert type(found) is type(expected) and found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    for wrong in (
        lambda a: np.einsum("ij->i", a, dtype=np.float32),
        lambda a: np.einsum("ij,ij->i", a, a.astype("f4"), casting="no"),
        lambda a: np.einsum("ij->", a, out=np.zeros((), "f4")),
    ):
        with pytest.raises(TypeError):
            ingot.jit(wrong)(A)
