"""Products and Cholesky factors of matrices that kernels leave to NumPy, against NumPy."""

import os
import sys

import numpy as np
import pytest

import ingot
from ingot_runtime.kernels import KernelExecutable
from oracle import assert_same
from processes import python

RNG = np.random.default_rng(7)
A, B = RNG.normal(size=(40, 30)), RNG.normal(size=(30, 50))
X, Y = RNG.normal(size=(3, 20, 24)), RNG.normal(size=(3, 24, 28))
W = RNG.normal(size=(40, 40)) / 40


def plain(a, b):
    return a @ b


def scaled(a, b, c):
    return 1.5 * (a @ b) + c


def gram(a):
    return a @ a.T, a.T @ a


def of_parts(a, b):
    return a[3:33] @ b[:, 5:45], a[:, ::2] @ b[::2], a[::-1] @ b, a[:20, :20].T @ b[:20]


def of_transposed(a, b):
    return b.T @ a.T, (a.T).T @ b, np.dot(b.T, a.T)


def of_batches(x, y):
    return x @ y, np.einsum("bij,bjk->bik", x, y), x @ y[1], x[:, :1] @ y


def over_several_axes(x, y):
    return (
        np.tensordot(x, y, ((0, 2), (0, 1))),
        np.einsum("bij,bkj->ik", x, x),
        np.einsum("bij,kjb->ik", x, np.ascontiguousarray(x.transpose(1, 2, 0))),
        np.einsum("ijb,kjb->ik", x, x),
        np.einsum("bij,jk->bik", x, y[0]),
    )


def with_axes_of_one(a, b):
    return a[:, None] @ b, a[None] @ b[None], np.einsum("aij,ajk->aik", a[None], b[None])


def stored(a, b, c):
    c[2:, :-3] = a @ b
    c[:40, 0] += (a @ b).sum(1)


def stored_over_an_operand(w):
    w[:] = w @ w
    w += w.T @ w


def in_a_loop(w, x):
    h = np.zeros_like(x[0])
    for t in range(len(x)):
        h = np.tanh(h @ w + x[t])
    return h


def in_loops_of_stores(w, n):
    out = np.zeros((4, 40, 40))
    for i in range(n):
        out[i % 4] = w @ out[(i + 1) % 4] + np.eye(40)
        w = w.T @ w
    return out, w


def in_branches(a, b, n):
    if n > 2:
        c = a @ b
    elif n > 1:
        c = (b.T @ a.T).T * 2
    else:
        c = np.zeros((40, 50))
    return c.sum(), c


def of_parts_in_branches(a, b, n):
    c = a[3:33] if n > 1 else a[:30]
    d = b[:, :30].T if n > 2 else b[:, 10:].T
    return c @ b, d @ b


def chained(a, b, w):
    return np.maximum(w @ np.maximum(a @ b, 0) - 0.5, 0) / (1 + (w @ w).max())


def factor(w):
    return np.linalg.cholesky(w @ w.T + np.eye(40))


def factors(x):
    a = x @ x.transpose(0, 2, 1) + np.eye(20)
    return np.linalg.cholesky(a), np.linalg.cholesky(a[0], upper=True), np.linalg.cholesky(a[1:2])


def factors_of_parts(w):
    a = w @ w.T + np.eye(40)
    return np.linalg.cholesky(a[5:25, 5:25]), np.linalg.cholesky(a[::-2, ::-2]) * 2.0


def factors_in_a_loop(w, n):
    a = w @ w.T + np.eye(40)
    for _ in range(n):
        a = np.linalg.cholesky(a)
        a = a @ a.T + np.eye(40)
    return a


def stored_over_its_operand(w):
    w[:] = w @ w.T + np.eye(40)
    w[:] = np.linalg.cholesky(w)


REAL = [
    (plain, A, B), (scaled, A, B, A @ B), (gram, A), (of_parts, A, B), (of_transposed, A, B),
    (of_batches, X, Y), (over_several_axes, X, Y), (with_axes_of_one, A, B),
    (stored, A, B, RNG.normal(size=(42, 53))), (stored_over_an_operand, W),
    (in_a_loop, W, RNG.normal(size=(5, 30, 40))), (in_loops_of_stores, W, 7),
    (in_branches, A, B, 1), (in_branches, A, B, 2), (in_branches, A, B, 3),
    (of_parts_in_branches, A, RNG.normal(size=(30, 40)), 2), (chained, A, B, W),
    (factor, W), (factors, X), (factors_of_parts, W), (factors_in_a_loop, W, 3),
    (stored_over_its_operand, W),
]  # fmt: skip


def named(case):
    return case[0].__name__


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("case", REAL, ids=named)
def test_values(check, case, strict):
    function, *args = case
    check(function, *args, rtol=1e-10, native=True, strict_fp=strict)


@pytest.mark.parametrize("case", REAL, ids=named)
def test_one_kernel_is_the_whole_program(case):
    function, *args = case
    compiled = ingot.jit(function, native=True).lower(*args).compile()
    assert isinstance(compiled.executable, KernelExecutable)


@pytest.mark.parametrize("dtype, rtol", [("f4", 1e-4), ("c8", 1e-4), ("c16", 1e-10)])
@pytest.mark.parametrize("function, args", [(plain, (A, B)), (of_batches, (X, Y)), (gram, (A,))])
def test_element_types(check, function, args, dtype, rtol):
    turned = np.exp(1j) if dtype[0] == "c" else 1.0
    check(function, *((each * turned).astype(dtype) for each in args), rtol=rtol, native=True)


def test_the_order_of_additions_is_blas():
    """Equal to the last bit, since the same function computes them."""
    for a, b in ((A, B), (A.T, W), (X, Y)):
        found = ingot.jit(plain, native=True)(np.ascontiguousarray(a), b)
        assert_same(found, np.ascontiguousarray(a) @ b, rtol=0)


@pytest.mark.parametrize("dtype, rtol", [("f4", 1e-5), ("f8", 1e-12), ("c8", 1e-5), ("c16", 1e-12)])
def test_element_types_of_factors(check, dtype, rtol):
    x = X + 1j * X[::-1] if dtype[0] == "c" else X
    check(np.linalg.cholesky, (x @ x.conj().swapaxes(1, 2)).astype(dtype), rtol=rtol, native=True)


def checked(a):
    return np.linalg.cholesky(a).sum()


def caught(a):
    try:
        return np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        return a * 0.0


def test_a_matrix_without_factors():
    a = np.eye(40)
    a[30, 30] = -1
    with pytest.raises(np.linalg.LinAlgError, match="Matrix is not positive definite"):
        ingot.jit(checked, native=True)(a)
    assert_same(ingot.jit(caught, native=True)(a), caught(a))


def test_zeros_meet_infinity_as_in_numpy():
    a, b = A.copy(), B.copy()
    a[1] = 0
    b[2, 3], b[4, 5] = np.inf, np.nan
    with np.errstate(invalid="ignore"):
        assert_same(ingot.jit(plain, native=True)(a, b), a @ b, rtol=1e-10)


def layers(w, x):
    h = np.where(x > 0, x, 0.0) @ w
    return np.sum(np.where(h > 0, np.sqrt(np.where(h > 0, h, 1.0)), 0.0) @ w)


def test_gradients():
    w, x = np.abs(W), RNG.normal(size=(30, 40))
    gradient = ingot.jit(ingot.grad(layers), native=True)
    step = RNG.normal(size=w.shape) * 1e-6
    change = (layers(w + step, x) - layers(w - step, x)) / 2
    np.testing.assert_allclose((gradient(w, x) * step).sum(), change, rtol=1e-5)
    # A zero cotangent times an infinite element is zero.
    x[0, 0] = np.inf
    assert np.isfinite(ingot.grad(lambda x, w: np.sum((x @ w)[1:]))(x, w)).all()


PROGRAM = """
import numpy as np, ingot
from test_library_products import A, B, W, chained

f = ingot.jit(chained, native=True)
np.testing.assert_allclose(f(A, B, W), chained(A, B, W))
print(*f.lower(A, B, W).compile().kernels)
"""


def test_kernels_of_another_process_multiply(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    found = [
        python(
            path, INGOT_CACHE_DIR=str(tmp_path / "cache"),
            PYTHONPATH=os.pathsep.join([os.path.dirname(__file__), *sys.path]),
        )
        for _ in range(2)
    ]  # fmt: skip
    assert [each.returncode for each in found] == [0, 0], found[-1].stderr


def test_an_artifact_with_machine_code_multiplies(tmp_path):
    path = tmp_path / "products.ingot"
    ingot.export(chained, A, B, W, native=True).save(path)
    import ingot_runtime

    for native in (True, False):
        found = ingot_runtime.load(path, native=native)(A, B, W)
        np.testing.assert_allclose(found, chained(A, B, W))
