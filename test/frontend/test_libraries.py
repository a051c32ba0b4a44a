"""What calls of NumPy's loops and of LAPACK give on the CPU (the pass call-libraries)."""

import numpy as np
import pytest

import ingot
from ingot import pipeline
from oracle import assert_same, quiet
from processes import python

pytestmark = pytest.mark.once

RNG = np.random.default_rng(7)


@pytest.fixture(autouse=True)
def xla(monkeypatch):
    """What the calls compute stands beside XLA's code, in subprocesses too."""
    monkeypatch.setenv("INGOT_NATIVE", "0")


def numbers(shape, dtype):
    values = RNG.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        return (values + 1j * RNG.standard_normal(shape)).astype(dtype)
    return (values * 100).astype(dtype) if np.dtype(dtype).kind in "iu" else values.astype(dtype)


def calls(f, *args):
    """How many calls of libraries the program has; it must give NumPy's very bits."""
    lowered = ingot.jit(f).lower(*args)
    text = "".join(each.to_string() for each in lowered.compile().executable._loaded.hlo_modules())
    with quiet():
        expected = f(*args)
    found = ingot.jit(f)(*args)
    assert_same(found, expected, rtol=0)
    return text.count('custom_call_target="ingot.numpy.')


PRODUCTS = {
    "matrices": (lambda a, b: a @ b, (30, 20), (20, 40)),
    "rows": (lambda a, b: a @ b.T, (30, 20), (40, 20)),
    "columns": (lambda a, b: a.T @ b, (20, 30), (20, 40)),
    "both": (lambda a, b: a.T @ b.T, (20, 30), (40, 20)),
    "with_itself": (lambda a, b: a @ a.T, (30, 20), (1,)),
    "vector_on_the_right": (lambda a, b: a @ b, (90, 80), (80,)),
    "vector_on_the_left": (lambda a, b: b @ a, (80, 90), (80,)),
    "transposed_and_vector": (lambda a, b: a.T @ b, (80, 90), (80,)),
    "stacks": (lambda a, b: a @ b, (3, 30, 20), (3, 20, 40)),
    "dot": (lambda a, b: np.dot(a, b), (30, 20), (20, 40)),
    "tensordot": (lambda a, b: np.tensordot(a, b, 2), (30, 4, 5), (4, 5, 40)),
    "outer_axes": (lambda a, b: np.tensordot(a, b, ([1], [0])), (30, 20), (20, 4, 10)),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name, dtype):
    f, a, b = PRODUCTS[name]
    assert calls(f, numbers(a, dtype), numbers(b, dtype)) == 1


def test_a_product_with_infinities():
    a = numbers((40, 40), float)
    a[3, 4], a[5, 6], a[7, 7] = np.inf, -np.inf, np.nan
    assert calls(lambda a: a @ a, a) == 1


def test_sums_that_no_product_of_matrices_is():
    a, b = numbers((30, 4, 20), float), numbers((4, 20, 40), float)
    expected = np.einsum("iaj,ajk->aik", a, b)
    found = ingot.jit(lambda a, b: np.einsum("iaj,ajk->aik", a, b))(a, b)
    assert_same(found, expected, rtol=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
def test_cholesky(dtype):
    a = numbers((3, 30, 30), dtype)
    a = a @ np.conj(np.swapaxes(a, 1, 2))
    assert calls(np.linalg.cholesky, a) == 1


FACTORISATIONS = {
    "solve": lambda a: np.linalg.solve(a, a[:, :2] + 1),
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "slogdet": lambda a: tuple(np.linalg.slogdet(a)),
    "qr": lambda a: np.abs(np.linalg.qr(a)[1]),
    "svd": lambda a: np.linalg.svd(a)[1],
    "svdvals": lambda a: np.linalg.svd(a, compute_uv=False),
    "eigvalsh": lambda a: np.linalg.eigvalsh(a + a.T),
    "cond": np.linalg.cond,
    "lstsq": lambda a: np.linalg.lstsq(a[:, :4], a[:, 4:])[0],
}


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
@pytest.mark.parametrize("name", FACTORISATIONS)
def test_single_precision_is_that_of_results(name, dtype):
    """NumPy factorises in double precision: nothing of an ill-conditioned matrix gets lost."""
    a = numbers((6, 6), dtype)
    a[0] = a[1] + a[2] * dtype(1e-3)
    f = FACTORISATIONS[name]
    for found, expected in zip(*(np.atleast_1d(g(a)) for g in (ingot.jit(f), f)), strict=True):
        np.testing.assert_allclose(found, expected, 2e-6, 1e-6)


def test_a_matrix_that_is_not_positive_definite():
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        ingot.jit(np.linalg.cholesky)(-np.eye(30))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("columns", [1, 30, 70])
def test_triangular_systems(columns, dtype):
    a = numbers((2, 70, 70), dtype) + 40 * np.eye(70, dtype=dtype)
    b = numbers((2, 70, columns), dtype)
    found, expected = ingot.jit(np.linalg.solve)(a, b), np.linalg.solve(a, b)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, 4 * np.finfo(dtype).eps, 1e-13)


LINES = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64, np.float32, np.float64]


@pytest.mark.parametrize("dtype", [*LINES, bool, np.float16])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_sorts(axis, dtype):
    x = numbers((20, 30, 40), np.int8) % 7 > 3 if dtype is bool else numbers((20, 30, 40), dtype)
    assert calls(lambda x: np.sort(x, axis=axis), x) == 1
    order = ingot.jit(lambda x: np.argsort(x, axis=axis, kind="stable"))(x)
    assert_same(order, np.argsort(x, axis=axis, kind="stable"))


@pytest.mark.parametrize("shape", [(3, 70, 5), (3, 70, 16), (2, 70, 33), (1, 70, 1), (70, 1, 600)])
def test_sorts_of_lanes_in_blocks(shape):
    for dtype in (np.int8, np.float16, np.float32, np.float64):
        x = numbers(shape, dtype)
        for axis in range(3):
            f = ingot.jit(lambda x, axis=axis: (np.sort(x, axis), np.argsort(x, axis)))
            assert_same(f(x), (np.sort(x, axis), np.argsort(x, axis)), rtol=0)
    z = numbers(shape, np.complex128)
    assert_same(ingot.jit(lambda z: np.sort(z, 1))(z), np.sort(z, 1), rtol=0)


def test_many_lanes_are_shared_by_threads():
    x = numbers((300, 400), np.float64)
    for axis in (0, 1):
        assert calls(lambda x, axis=axis: np.sort(x, axis=axis), x) == 1
        assert calls(lambda x, axis=axis: np.argsort(x, axis=axis, kind="stable"), x) == 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 2, 15, 16, 97])
def test_fourier_transforms(n, dtype):
    x = numbers((3, n), dtype)
    z = (x + 1j * x[::-1]).astype(np.complex64 if dtype is np.float32 else np.complex128)
    assert calls(lambda x: np.fft.rfft(x), x) == 1
    assert calls(lambda z: np.fft.fft(z), z) == 1
    assert calls(lambda z: np.fft.ifft(z), z) == 1
    assert calls(lambda z: np.fft.irfft(z, n), z[:, : n // 2 + 1]) == 1
    assert calls(lambda z: np.fft.fft(z, axis=0), z) == 1
    assert calls(lambda z: np.fft.fft2(z, norm="ortho"), z) == 2


@pytest.mark.parametrize("dtype", [*LINES, bool, np.float16])
@pytest.mark.parametrize("options", [{}, {"kind": "quick"}, {"stable": False}], ids=str)
def test_equal_elements_have_the_order_of_numpy(options, dtype):
    """Also in rows, which NumPy's unstable sorts permute in another way than long lines."""
    x = RNG.integers(0, 2 if dtype is bool else 5, (20, 500)).astype(dtype)
    for axis in (0, 1):
        order = ingot.jit(lambda x, axis=axis: np.argsort(x, axis=axis, **options))(x)
        assert_same(order, np.argsort(x, axis=axis, **options))


def test_a_derivative_has_the_order_of_its_function():
    x = np.tile([1.0, 0.0, 2.0], 40)
    weights = np.arange(120.0)
    order = np.argsort(x)

    def f(x):
        return np.sum(x[np.argsort(x)] * weights)

    expected = np.empty(120)
    expected[order] = weights
    assert_same(ingot.grad(f)(x), expected)


@pytest.mark.parametrize("name", ["sort", "argsort", "median"])
def test_order_of_nan_and_zeros(name):
    x = np.tile([np.nan, 0.0, -0.0, np.inf, -np.inf, 1.0, -np.nan, -1.0], 40)
    options = {"kind": "stable"} if name == "argsort" else {}
    f = getattr(np, name)
    assert_same(ingot.jit(lambda x: f(x, **options))(x), f(x, **options))


@pytest.mark.parametrize("dtype", [*LINES, np.complex128])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
def test_running_reductions(name, axis, dtype):
    if np.dtype(dtype).kind == "c" and name in ("maximum", "minimum"):
        return
    ufunc = getattr(np, name)
    x = (
        numbers((17, 18, 19), dtype) / dtype(1)
        if dtype is np.float64
        else numbers((17, 18, 19), dtype)
    )
    assert calls(lambda x: ufunc.accumulate(x, axis=axis), x) == 1


def test_subnormal_numbers_are_kept():
    x = np.full((64, 64), 5e-324)
    assert calls(lambda x: np.cumsum(x, axis=0), x) == 1
    assert calls(lambda x: np.sort(x), x) == 1


def test_derivatives_are_of_the_operation():
    a, x = numbers((30, 30), float), numbers((30,), float)
    found = ingot.grad(lambda a, x: np.sum(np.sort(np.cumsum(a @ x)) ** 2))(a, x)
    step, d = 1e-6, numbers((30, 30), float)

    def f(a):
        return np.sum(np.sort(np.cumsum(a @ x)) ** 2)

    difference = (f(a + step * d) - f(a - step * d)) / (2 * step)
    assert np.sum(found * d) == pytest.approx(difference, rel=1e-5)


def test_what_is_shown_and_exported_is_for_any_device():
    text = ingot.jit(lambda a: np.sort(a @ a)).lower(np.ones((50, 50))).stablehlo()
    assert "stablehlo.dot_general" in text and "custom_call" not in text


def test_programs_on_disk(tmp_path):
    """The first process compiles, the second one finds what it compiled."""
    code = (
        "import numpy as np, ingot\n"
        "a = np.arange(2500.0).reshape(50, 50)\n"
        "f = lambda a: np.cumsum(a @ a)\n"
        "assert np.array_equal(ingot.jit(f)(a), f(a))\n"
    )
    (tmp_path / "program.py").write_text(code)
    cache = tmp_path / "cache"
    for _ in range(2):
        done = python(tmp_path / "program.py", INGOT_CACHE_DIR=str(cache))
        assert done.returncode == 0, done.stderr
    assert [path for path in cache.rglob("*") if path.is_file()]


# Functions of elements.

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e-30, 1e30, 700.0, -745.2]


def each_function(x, y):
    return (
        np.expm1(x), np.log(x), np.log1p(x), np.cbrt(x), np.tan(x), np.arcsin(x),
        np.arccos(x), np.arctan(x), np.sinh(x), np.cosh(x), np.arcsinh(x),
        np.arccosh(x), np.arctanh(x), np.power(x, y), np.arctan2(x, y),
    )  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_functions(dtype):
    letter, bits = np.dtype(dtype).char, np.finfo(dtype).bits
    names = [each for each, letters in pipeline.FUNCTIONS.items() if letter in letters]
    vectorised = [each for each in names if f"{each}/f{bits}" in pipeline.vectorised().split(",")]
    if len(vectorised) < len(names):
        pytest.skip("NumPy has no vector instructions for some of them on this processor")
    x = numbers((1200,), dtype)
    x[: len(SPECIAL)] = SPECIAL
    y = numbers((1200,), dtype)
    assert calls(each_function, x, y) == 15
    assert calls(each_function, np.abs(x[:512]) + 1, np.tanh(y[:512])) == 15
    assert calls(each_function, np.tanh(x).reshape(30, 40), y.reshape(30, 40)) == 15


def test_functions_of_many_elements_are_shared_by_threads():
    x = np.abs(numbers((300, 1000), np.float64)) + 0.5
    for part in (x, x[:, :-1].copy(), x.reshape(-1)[5:], x.reshape(-1)[: (1 << 15) + 1]):
        calls(lambda x: (np.log(x), np.power(x, 1.7), np.power(2.5, x), np.log(x)[::-1]), part)


@pytest.mark.parametrize("shape", [(40, 1), (30,), (1,), ()])
def test_functions_of_broadcast_operands(shape):
    x, y = np.abs(numbers((40, 30), float)), np.abs(numbers(shape, float)) + 0.5
    for f in (lambda x, y: x**y, lambda x, y: y**x, lambda x, y: np.arctan2(x, y)):
        calls(f, x, y)


def test_functions_in_loops_branches_and_batches():
    def f(x, n):
        for i in range(n):
            x = np.tanh(x) + np.exp(-x) if i % 2 else np.log(x * x + 1)
        return x

    x = numbers((600,), np.float64)
    assert_same(ingot.jit(f)(x, 7), f(x, 7), 1e-13)
    rows = numbers((9, 600), np.float64)
    assert_same(ingot.jit(ingot.vmap(np.cbrt))(rows), np.cbrt(rows), 0)
    gradient = ingot.grad(lambda x: np.sum(np.exp(x) * np.log(x)))(np.abs(x) + 1)
    x = np.abs(x) + 1
    np.testing.assert_allclose(gradient, np.exp(x) * (np.log(x) + 1 / x), rtol=1e-13)


def test_what_is_exported_calls_no_functions(tmp_path):
    artifact = ingot.export(lambda x: np.log(x), np.full(1000, 2.0), name="log")
    assert "ingot.numpy" not in ingot.jit(np.log).lower(np.ones(1000)).stablehlo()
    artifact.save(tmp_path / "log.ingot")
    x = np.linspace(1, 9, 1000)
    assert_same(ingot.load(tmp_path / "log.ingot")(x), np.log(x), 1e-15)
