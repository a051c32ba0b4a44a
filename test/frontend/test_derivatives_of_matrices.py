"""Derivatives of factorisations, Fourier transforms and running reductions."""

import numpy as np
import pytest
from scipy import special

import ingot
from level import sample
from oracle import central

RNG = np.random.default_rng(11)


def general(*shape, is_complex=False):
    a = RNG.normal(size=shape)
    return a + 1j * RNG.normal(size=shape) if is_complex else a


def positive(*shape, is_complex=False):
    a = general(*shape, is_complex=is_complex)
    return a @ np.conj(np.swapaxes(a, -1, -2)) + shape[-1] * np.eye(shape[-1])


def mixed(*parts):
    """One number to which all elements contribute, differently."""
    result = 0.0
    for part in parts:
        flat = np.ravel(part)
        weights = np.cos(np.arange(flat.shape[0]) * 1.7 + 0.3)
        result = result + np.sum(np.real(flat) * weights)
        if np.iscomplexobj(flat):
            result = result + np.sum(np.imag(flat) * np.sin(np.arange(flat.shape[0]) + 1.0))
    return result


def solve(a):
    return mixed(np.linalg.solve(a, a[..., :2] + 1))


def solve_vector(a):
    return mixed(np.linalg.solve(a, a[0] * 2))


def inv(a):
    return mixed(np.linalg.inv(a))


def det(a):
    return mixed(np.linalg.det(a))


def slogdet(a):
    return mixed(*np.linalg.slogdet(a))


def cholesky(a):
    return mixed(np.linalg.cholesky(a))


def cholesky_upper(a):
    return mixed(np.linalg.cholesky(a, upper=True))


def qr(a):
    return mixed(*np.linalg.qr(a))


def eigh(a):
    w, v = np.linalg.eigh(a)
    # The phases of eigenvectors are free.
    return mixed(w, np.abs(v) ** 2)


def eigvalsh(a):
    return mixed(np.linalg.eigvalsh(a, UPLO="U"))


def eigvals(a):
    return mixed(np.linalg.eigvals(a))


def eig(a):
    w, v = np.linalg.eig(a)
    return mixed(w, np.abs(v) ** 2)


def svd(a):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return mixed(s, np.abs(u) ** 2, (u * s[..., None, :]) @ vh, (u[..., :1] @ vh[..., :1, :]))


def svdvals(a):
    return mixed(np.linalg.svd(a, compute_uv=False))


def norms(a):
    return (np.linalg.norm(a) + np.linalg.norm(a, 1) + np.linalg.norm(a, "nuc")
            + np.linalg.norm(a, 2) + np.linalg.norm(a[0]))  # fmt: skip


def pinv(a):
    return mixed(np.linalg.pinv(a))


def matrix_power(a):
    return mixed(np.linalg.matrix_power(a, 3), np.linalg.matrix_power(a, -2))


def rfft(a):
    return mixed(np.fft.rfft(a), np.fft.rfft(a, n=3), np.fft.rfft(a, axis=0))


def irfft(a):
    return mixed(np.fft.irfft(a), np.fft.irfft(a, n=7), np.fft.irfft(a, n=3))


def fft(a):
    return mixed(np.fft.fft(a), np.fft.ifft2(a), np.fft.fftn(a))


def cumprod(a):
    return mixed(np.cumprod(a, axis=0), np.cumprod(a))


def cumprod_with_zeros(a):
    b = a.copy()
    b[0] = a[0] - np.array([0.0, *a[0, 1:]]) * 1.0
    return mixed(np.cumprod(b, axis=1), np.cumprod(b, axis=0))


def running_extrema(a):
    return mixed(np.maximum.accumulate(a, axis=1), np.minimum.accumulate(a, axis=0))


def sign(a):
    return mixed(np.sign(a))


def digamma(a):

    return mixed(special.digamma(np.abs(a) + 0.5), special.gammaln(np.abs(a) + 0.1))


SQUARE = {
    solve: general, solve_vector: general, inv: general, det: general, slogdet: general,
    cholesky: positive, cholesky_upper: positive, qr: general, eigh: positive, eigvalsh: positive,
    svd: general, svdvals: general, matrix_power: general, fft: general, cumprod: general,
}  # fmt: skip
CASES = [
    *((f, make(4, 4)) for f, make in SQUARE.items()),
    *((f, make(3, 3, is_complex=True)) for f, make in SQUARE.items()),
    *((f, SQUARE[f](2, 3, 3)) for f in (solve, slogdet, cholesky, qr, eigh, svd, cumprod)),
    (qr, general(5, 3)), (svd, general(5, 3)), (svd, general(3, 5)),
    (svd, general(5, 3, is_complex=True)), (svd, general(3, 5, is_complex=True)),
    (qr, general(5, 3, is_complex=True)),
    (eigvals, general(4, 4)), (eigvals, general(3, 3, is_complex=True)),
    (eig, general(3, 3)), (eig, general(4, 4, is_complex=True)),
    (norms, general(4, 3)), (pinv, general(4, 3)), (rfft, general(4, 6)), (rfft, general(4, 5)),
    (irfft, general(3, 4, is_complex=True)), (cumprod_with_zeros, general(4, 4)),
    (running_extrema, general(4, 5)), (sign, general(3, is_complex=True)), (digamma, general(5)),
]  # fmt: skip


@pytest.mark.parametrize(
    "f, a", sample(CASES, 9), ids=lambda x: getattr(x, "__name__", str(np.shape(x)))
)
def test_derivative(f, a):
    t = general(*a.shape, is_complex=a.dtype.kind == "c")
    numeric = central(f, (a,), (t,))
    slope = ingot.jvp(f, (a,), (t,))[1]
    np.testing.assert_allclose(slope, numeric, rtol=1e-5, atol=1e-6)
    gradient = ingot.grad(f)(a)
    np.testing.assert_allclose(np.sum(np.real(gradient * t)), slope, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("f", sample([solve, cholesky, eigvalsh, svdvals, cumprod, rfft], 2))
def test_second_derivative(f):
    a, t = positive(3, 3), general(3, 3)
    first = ingot.grad(f)
    numeric = central(first, (a,), (t,))
    np.testing.assert_allclose(ingot.jvp(first, (a,), (t,))[1], numeric, rtol=1e-5, atol=1e-5)


def adjugate(a):
    """By the determinants of what each row and column leave."""
    n = len(a)
    minors = [[np.delete(np.delete(a, j, 0), i, 1) for j in range(n)] for i in range(n)]
    found = [
        [(-1) ** (i + j) * np.linalg.det(m) for j, m in enumerate(r)] for i, r in enumerate(minors)
    ]
    return np.array(found)


def of_rank(rank, n, is_complex=False):
    return general(n, rank, is_complex=is_complex) @ general(rank, n, is_complex=is_complex)


SINGULAR = {
    "rows": np.array([[1.0, 2.0], [2.0, 4.0]]), "zeros": np.zeros((2, 2)), "nilpotent": np.eye(2, k=1),
    "zero pivot inside": np.diag([1.0, 2.0, 0.0, 3.0]), "two zeros": np.diag([1.0, 0.0, 2.0, 0.0]),
    "rank 3 of 4": of_rank(3, 4), "rank 2 of 4": of_rank(2, 4), "rank 1 of 3": of_rank(1, 3),
    "rank 4 of 5": of_rank(4, 5), "zeros of 4": np.zeros((4, 4)), "one element": np.zeros((1, 1)),
    "complex": of_rank(3, 4, is_complex=True), "complex rank 1": of_rank(1, 3, is_complex=True),
    "zero row": np.diag([0.0, 1.0, 1.0, 2.0]) @ general(4, 4),
}  # fmt: skip


@pytest.mark.parametrize("a", SINGULAR.values(), ids=SINGULAR)
def test_determinants_of_singular_matrices(a):
    t = general(*a.shape, is_complex=a.dtype.kind == "c")
    first = ingot.jvp(np.linalg.det, (a,), (t,))[1]
    np.testing.assert_allclose(first, np.trace(adjugate(a) @ t), atol=1e-12)
    np.testing.assert_allclose(
        ingot.vjp(np.linalg.det, a)[1](a.dtype.type(1))[0], adjugate(a).T, atol=1e-12
    )

    def along(a):
        return ingot.jvp(np.linalg.det, (a,), (t,))[1]

    second = ingot.jvp(along, (a,), (t,))[1]
    h = 1e-3
    numeric = np.trace((adjugate(a + h * t) - adjugate(a - h * t)) / (2 * h) @ t)
    np.testing.assert_allclose(second, numeric, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_determinants_of_stacks_with_a_singular_matrix(n):
    a = np.stack([general(n, n), of_rank(n - 1, n), np.zeros((n, n))])
    expected = np.stack([adjugate(m).T for m in a])
    stacked = ingot.grad(lambda a: np.sum(np.linalg.det(a)))(a)
    np.testing.assert_allclose(stacked, expected, atol=1e-12)
    np.testing.assert_allclose(ingot.vmap(ingot.grad(np.linalg.det))(a), expected, atol=1e-12)


def wide_qr(a):
    return mixed(*np.linalg.qr(a))


def full_svd(a):
    return mixed(*np.linalg.svd(a))


@pytest.mark.parametrize(
    "f, message", [(wide_qr, "at least as many rows as columns"), (full_svd, "full_matrices=False")]
)
def test_refused(f, message):
    with pytest.raises(ingot.CompileError, match=message) as caught:
        ingot.grad(f)(general(2, 4))
    assert "test_derivatives_of_matrices.py:" in str(caught.value)


# Factors that are not used: the matrix is not positive definite.


def cholesky_or_squares(a):
    try:
        factor = np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        factor = a * a
    return np.sum(factor)


def cholesky_if_definite(a):
    if np.linalg.det(a) > 0:
        return np.sum(np.linalg.cholesky(a))
    return np.sum(a * a)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_cholesky_factor_that_is_not_used(dtype):
    a = np.array([[1.0, 2.0], [2.0, 1.0]], dtype)
    np.testing.assert_allclose(ingot.grad(cholesky_or_squares)(a), 2 * a)
    np.testing.assert_allclose(ingot.jacfwd(cholesky_or_squares)(a), 2 * a)
    stack = np.stack([a, 2 * np.eye(2, dtype=dtype)])
    found = ingot.grad(lambda s: np.sum(ingot.vmap(cholesky_if_definite)(s)))(stack)
    np.testing.assert_allclose(found, [ingot.grad(cholesky_if_definite)(each) for each in stack])
