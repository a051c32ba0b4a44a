"""Functions of np.linalg that kernels leave to NumPy: its results to the last bit, and its errors."""

import numpy as np
import pytest

import ingot
from ingot_runtime.kernels import KernelExecutable
from oracle import assert_same

RNG = np.random.default_rng(11)
A = RNG.normal(size=(30, 30))
S = A @ A.T
B = RNG.normal(size=(30, 4))
X = RNG.normal(size=(5, 6, 6))
Z = A[:8, :8] + 1j * RNG.normal(size=(8, 8))
ONE = np.array([[3.7]])


def solved(a, b):
    return np.linalg.solve(a, b), np.linalg.solve(a, b[:, 0]), np.linalg.solve(a.T, b[::-1])


def inverse(a):
    return np.linalg.inv(a)


def determinants(a):
    return np.linalg.det(a), *np.linalg.slogdet(a)


def of_hermitian(a):
    w, v = np.linalg.eigh(a)
    u = np.linalg.eigh(a, UPLO="U")
    return w, v, u[0], u[1]


def values_of_hermitian(a):
    return np.linalg.eigvalsh(a), np.linalg.eigvalsh(a, "U")


def singular(a):
    return (*np.linalg.svd(a[..., :4]), *np.linalg.svd(a[..., :4], full_matrices=False))


def singular_values(a):
    return np.linalg.svd(a, compute_uv=False), np.linalg.cond(a), np.linalg.norm(a, 2)


def eigenvalues(a):
    w, v = np.linalg.eig(a)
    return w, v, *np.linalg.eig(a.astype(complex))


def eigenvalues_alone(a):
    return np.linalg.eigvals(a), np.linalg.eigvals(a + 1j)


def factor(a):
    return np.linalg.cholesky(a)


def least_squares(a, b):
    return np.linalg.lstsq(a, b), np.linalg.lstsq(a, b[:, 0], rcond=1e-3)


def without_full_rank(a, b):
    x, _, rank, s = np.linalg.lstsq(a[:20] * (np.arange(30) > 15), b[:20])
    return x, rank, s


CASES = [
    (solved, A, B), (solved, Z, Z), (solved, ONE, ONE), (solved, A.astype("f4"), B.astype("f4")),
    (inverse, A), (inverse, Z), (inverse, X), (inverse, ONE), (inverse, X.reshape(5, 1, 6, 6)),
    (inverse, RNG.normal(size=(2, 3, 4, 4))), (inverse, A[::2, ::2]), (inverse, A.astype("f4")),
    (determinants, A), (determinants, Z), (determinants, X), (determinants, ONE),
    (determinants, np.zeros((3, 3))), (determinants, np.arange(9).reshape(3, 3)),
    (of_hermitian, S), (of_hermitian, Z + Z.conj().T), (of_hermitian, X), (of_hermitian, ONE),
    (values_of_hermitian, S), (values_of_hermitian, Z + Z.conj().T), (values_of_hermitian, ONE),
    (singular, A), (singular, Z), (singular, X), (singular, A[:3]), (singular, ONE),
    (singular_values, A), (singular_values, Z), (singular_values, A[:, :7][:7]),
    (eigenvalues, A[:9, :9]), (eigenvalues, Z), (eigenvalues_alone, A), (eigenvalues_alone, Z),
    (least_squares, A, B), (least_squares, A[:, :7], B), (least_squares, A[:9], B[:9]),
    (least_squares, ONE, ONE), (without_full_rank, A, B), (least_squares, A.astype("f4"), B),
    (factor, S), (factor, ONE), (factor, X @ X.transpose(0, 2, 1) + np.eye(6)),
]  # fmt: skip


def named(case):
    return f"{case[0].__name__}-{case[1].shape}-{case[1].dtype}"


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("case", CASES, ids=named)
def test_bits(case, native):
    function, *args = case
    expected = function(*[a.copy() for a in args])
    found = ingot.jit(function, native=native)(*args)
    for one, other in zip(leaves(found), leaves(expected), strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_array_equal(one, other)


def leaves(tree):
    return [x for each in tree for x in leaves(each)] if isinstance(tree, tuple) else [tree]


def test_whole_programs_are_kernels():
    for function, *args in CASES[::3]:
        if any(x.size == 0 for x in leaves(function(*args))):
            continue
        compiled = ingot.jit(function, native=True).lower(*args).compile()
        assert isinstance(compiled.executable, KernelExecutable), function


def kalman(y, f, h, q, r):
    """A Kalman filter: small matrices in a loop over time."""
    x, p = np.zeros(2), np.eye(2)
    found = np.empty((len(y), 2))
    for t in range(len(y)):
        x = f @ x
        p = f @ p @ f.T + q
        s = h @ p @ h.T + r
        gain = p @ h.T @ np.linalg.inv(s)
        x = x + gain @ (y[t] - h @ x)
        p = p - gain @ h @ p
        found[t] = x
    return found


F, H = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]])


@pytest.mark.parametrize("size", [1, 2])
def test_loop_is_one_kernel(check, size):
    h = np.vstack([H, [[0.3, 1.0]]])[:size]
    args = RNG.normal(size=(40, size)), F, h, 0.01 * np.eye(2), 0.1 * np.eye(size)
    check(kalman, *args, rtol=1e-10)
    compiled = ingot.jit(kalman, native=True).lower(*args).compile()
    assert isinstance(compiled.executable, KernelExecutable)


def newton(a, b, n):
    x = np.zeros_like(b)
    for _ in range(n):
        x = x - np.linalg.solve(a + np.diag(3 * x**2), a @ x + x**3 - b)
    return x


def weights(x, f, h, q, r):
    return np.sum(kalman(x, f, h, q, r) ** 2)


def test_derivatives_use_the_definition(check):
    a = np.eye(4) * 5 + RNG.normal(size=(4, 4))
    b = RNG.normal(size=4)
    check(newton, a, b, 6, rtol=1e-9)

    def loss(a, b):
        return np.sum(newton(a, b, 6) ** 2)

    value, (da, db) = ingot.value_and_grad(loss, (0, 1))(a, b)
    assert_same(value, loss(a, b), rtol=1e-9)
    step = 1e-6
    for gradient, at in ((da, (1, 2)), (db, (2,))):
        moved = [a.copy(), b.copy()]
        which = 0 if gradient is da else 1
        moved[which][at] += step
        above = loss(*moved)
        moved[which][at] -= 2 * step
        assert gradient[at] == pytest.approx((above - loss(*moved)) / 2 / step, rel=1e-5)
    tangent = ingot.jvp(loss, (a, b), (np.ones_like(a), np.zeros_like(b)))[1]
    assert tangent == pytest.approx(da.sum(), rel=1e-9)


def likelihood(y, f, h, q, r):
    """The log likelihood of what a Kalman filter with another form of the gain predicts."""
    x, p, total = np.zeros(2), np.eye(2), 0.0
    for t in range(len(y)):
        x, p = f @ x, f @ p @ f.T + q
        s = h @ p @ h.T + r
        error = y[t] - h @ x
        total -= error @ np.linalg.solve(s, error) + np.linalg.slogdet(s)[1] + np.linalg.det(s)
        gain = np.linalg.solve(s, h @ p).T
        x, p = x + gain @ error, p - gain @ h @ p
    return total


@pytest.mark.parametrize("function", [weights, likelihood])
@pytest.mark.parametrize("size", [1, 2])
def test_gradient_of_a_loop_is_one_kernel(function, size):
    h = np.vstack([H, [[0.3, 1.0]]])[:size]
    args = RNG.normal(size=(12, size)), F, h, 0.01 * np.eye(2), 0.1 * np.eye(size)
    gradients = ingot.grad(function, (0, 1, 4))(*args)
    for number, gradient in zip((0, 1, 4), gradients, strict=True):
        moved = [each.copy() for each in args]
        moved[number][0, 0] += 1e-6
        above = function(*moved)
        moved[number][0, 0] -= 2e-6
        assert gradient[0, 0] == pytest.approx((above - function(*moved)) / 2e-6, rel=1e-5)
    compiled = ingot.jit(ingot.value_and_grad(function), native=True).lower(*args).compile()
    assert isinstance(compiled.executable, KernelExecutable)


OF_MATRICES = {
    "inv": lambda a: np.sum(np.sin(np.linalg.inv(a))),
    "solve": lambda a: np.sum(np.linalg.solve(a, a[0]) ** 2),
    "det": lambda a: np.sin(np.linalg.det(a)),
    "slogdet": lambda a: np.linalg.slogdet(a)[1] ** 2,
    "complex": lambda a: np.real(np.linalg.slogdet(a + 1j * a.T @ a)[0]),
    "lstsq": lambda a: np.sum(np.linalg.lstsq(a, a[:, 0] ** 2)[0] ** 3),
}


@pytest.mark.parametrize("size", [1, 2, 3, 5, 70])
@pytest.mark.parametrize("name", OF_MATRICES)
def test_derivatives_of_any_order(name, size):
    function = OF_MATRICES[name]
    a = np.eye(size) + 0.3 * RNG.normal(size=(size, size)) / np.sqrt(size)
    v, w = RNG.normal(size=(2, size, size)) / size

    def along(x):
        return (function(a + (x + 1e-4) * v) - function(a + (x - 1e-4) * v)) / 2e-4

    gradient = ingot.grad(function)(a)
    slope = ingot.jvp(function, (a,), (v,))[1]
    assert np.sum(gradient * v) == pytest.approx(along(0.0), rel=1e-5, abs=1e-7)
    assert slope == pytest.approx(np.sum(gradient * v), rel=1e-9, abs=1e-12)
    assert_same(ingot.vmap(ingot.grad(function))(np.stack([a, a.T]))[0], gradient, rtol=1e-9)
    second = ingot.jvp(ingot.grad(function), (a,), (v,))[1]
    curvature = (along(1e-3) - along(-1e-3)) / 2e-3
    assert np.sum(second * v) == pytest.approx(curvature, rel=1e-3, abs=1e-5)
    # The second derivative is symmetric.
    other = ingot.jvp(ingot.grad(function), (a,), (w,))[1]
    assert np.sum(other * v) == pytest.approx(np.sum(second * w), rel=1e-7, abs=1e-10)


@pytest.mark.parametrize("native", [False, True])
def test_batches(native):
    found = ingot.jit(ingot.vmap(np.linalg.inv), native=native)(X)
    np.testing.assert_array_equal(found, np.linalg.inv(X))
    right = RNG.normal(size=(5, 6, 2))

    def one(b):
        return np.linalg.solve(X[0], b)

    found = ingot.jit(ingot.vmap(one), native=native)(right)
    assert_same(found, np.stack([one(b) for b in right]), rtol=1e-12)

    def by_rows(x):
        return np.linalg.slogdet(x)[1], np.linalg.eigvalsh(x + x.T)

    logarithms, values = ingot.jit(ingot.vmap(ingot.vmap(by_rows)), native=native)(X[None])
    np.testing.assert_array_equal(logarithms[0], np.linalg.slogdet(X)[1])
    np.testing.assert_array_equal(values[0], np.linalg.eigvalsh(X + X.transpose(0, 2, 1)))


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(
    "function, args, message",
    [
        (np.linalg.inv, (np.ones((3, 3)),), "Singular matrix"),
        (np.linalg.solve, (np.zeros((2, 2)), np.ones(2)), "Singular matrix"),
        (np.linalg.inv, (np.stack([np.eye(3), np.zeros((3, 3))]),), "Singular matrix"),
        (np.linalg.cholesky, (-np.eye(3),), "Matrix is not positive definite"),
        (np.linalg.svd, (np.full((3, 3), np.nan),), "SVD did not converge"),
    ],
)
def test_errors(function, args, message, native):
    with pytest.raises(np.linalg.LinAlgError, match=message):
        ingot.jit(function, native=native)(*args)
    with pytest.raises(np.linalg.LinAlgError, match=message):
        function(*args)


def inverse_or_not(a):
    try:
        return np.linalg.inv(a), True
    except np.linalg.LinAlgError:
        return a, False


def solution_or_not(a):
    try:
        return np.linalg.solve(a, a[0]), True
    except np.linalg.LinAlgError:
        return a[0], False


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("function", [inverse_or_not, solution_or_not])
def test_items_after_one_that_fails(function, native):
    singular = np.ones((6, 6))
    batch = np.stack([X[0], singular, X[1], X[2], singular, X[3]])
    found = ingot.jit(ingot.vmap(function), native=native)(batch)
    for a, b in zip(found, zip(*map(function, batch), strict=True), strict=True):
        assert_same(a, np.stack(b))


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("native", [False, True])
def test_what_is_not_finite(native):
    a = A[:4, :4].copy()
    a[1, 2] = np.nan
    for function in (np.linalg.inv, np.linalg.det):
        np.testing.assert_array_equal(ingot.jit(function, native=native)(a), function(a))
    found = ingot.jit(np.linalg.solve, native=native)(A[:4, :4], np.array([1, np.inf, 0, np.nan]))
    expected = np.linalg.solve(A[:4, :4], np.array([1, np.inf, 0, np.nan]))
    np.testing.assert_array_equal(found, expected)


def test_empty_stacks(check):
    none = np.zeros((0, 3, 3))
    check(inverse, none)
    check(determinants, none)
    check(factor, none)
    check(determinants, np.zeros((2, 0, 0)))
