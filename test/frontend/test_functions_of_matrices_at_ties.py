"""Derivatives of functions of matrices by equal eigenvalues or singular values: those of the function; of the
vectors by themselves there are none, and NaN says so."""

import numpy as np
import pytest
import scipy.linalg

import ingot

W = np.array([[1.0, 0.5, 0.2], [0.5, 2.0, 0.3], [0.2, 0.3, -1.0]])
V = np.array([[1.0, 0.5, 0.2], [-0.7, 2.0, 0.3], [0.9, 0.1, -1.0]])
EQUAL = np.diag([2.0, 2.0, 5.0])
ROTATION = np.linalg.qr(V)[0]
MATRICES = {
    "two equal": EQUAL, "identity": np.eye(3), "rotated": ROTATION @ EQUAL @ ROTATION.T,
    "zeros": np.zeros((3, 3)), "distinct": np.diag([1.0, 2.0, 4.0]) + 0.1,
}  # fmt: skip
#: Ways to write a function f of a symmetric matrix.
WAYS = {
    "columns": lambda w, v: (v * w) @ v.T,
    "rows": lambda w, v: v @ (w[:, None] * v.T),
    "halves": lambda w, v: (v * np.sqrt(w)) @ (v * np.sqrt(w)).T,
    "diag": lambda w, v: v @ np.diag(w) @ v.T,
    "conj": lambda w, v: (v * w) @ v.conj().T,
    "einsum": lambda w, v: np.einsum("ij,kj->ik", v * w, v),
    "three": lambda w, v: np.einsum("ij,j,kj->ik", v, w, v),
    "divided": lambda w, v: (v / (1 / w)) @ v.T,
    "new axis": lambda w, v: (v * w[None, :]) @ np.transpose(v),
    "scalar": lambda w, v: 2 * ((v * w) @ (0.5 * v.T)),
}


def symmetric(g):
    return (g + g.T) / 2


def by_expm(m):
    return np.sum(scipy.linalg.expm(m) * W)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MATRICES)
def test_exponentials(way, name):
    def f(m):
        w, v = np.linalg.eigh(m)
        return np.sum(WAYS[way](np.exp(w), v) * W)

    m = MATRICES[name]
    expected = symmetric(ingot.grad(by_expm)(m))
    np.testing.assert_allclose(symmetric(ingot.grad(f)(m)), expected, rtol=1e-9, atol=1e-9)
    for direction in (W, np.eye(3), np.ones((3, 3))):
        _, found = ingot.jvp(f, (m,), (direction,))
        np.testing.assert_allclose(found, np.sum(expected * direction), rtol=1e-9, atol=1e-9)


#: Functions of eigenvalues, their slopes, and matrices where they have one.
FUNCTIONS = {
    "sqrt": (np.sqrt, scipy.linalg.sqrtm),
    "log": (np.log, scipy.linalg.logm),
    "inverse": (lambda w: 1 / w, np.linalg.inv),
    "square": (lambda w: w**2, lambda m: m @ m),
    "identity": (lambda w: w, lambda m: m),
    "clipped": (lambda w: np.maximum(w, 1e-3), lambda m: m),
    "normalised": (lambda w: w / np.sum(w), lambda m: m / np.trace(m)),
    "softmax": (lambda w: np.exp(w - np.max(w)), lambda m: None),
}  # fmt: skip


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n != "softmax"])
@pytest.mark.parametrize("matrix", ["two equal", "identity", "rotated", "distinct"])
def test_functions(name, matrix):
    function, plain = FUNCTIONS[name]

    def f(m):
        w, v = np.linalg.eigh(m)
        return np.sum(((v * function(w)) @ v.T) * W)

    m, step = MATRICES[matrix], 1e-5
    for direction in (W, np.eye(3), np.ones((3, 3))):
        ahead, behind = (np.sum(np.real(plain(m + s * direction)) * W) for s in (step, -step))
        expected = (ahead - behind) / (2 * step)
        found = ingot.jvp(f, (m,), (direction,))[1]
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)
        gradient = symmetric(ingot.grad(f)(m))
        np.testing.assert_allclose(np.sum(gradient * direction), expected, rtol=1e-7, atol=1e-7)


def test_an_outer_factor_is_differentiated_too():
    def f(m, c):
        w, v = np.linalg.eigh(m)
        return np.sum(((v * np.exp(c * w)) @ v.T) * W)

    found = ingot.grad(f, 1)(EQUAL, 0.5)
    np.testing.assert_allclose(found, np.sum(EQUAL @ scipy.linalg.expm(0.5 * EQUAL) * W))


def test_stacks_and_single_precision():
    def f(m):
        w, v = np.linalg.eigh(m)
        return np.sum(((v * np.exp(w)[..., None, :]) @ np.swapaxes(v, -1, -2)) * W.astype(m.dtype))

    stack = np.stack([np.eye(3), EQUAL, MATRICES["distinct"]])
    expected = [symmetric(ingot.grad(by_expm)(m)) for m in stack]
    found = ingot.grad(f)(stack)
    np.testing.assert_allclose([symmetric(g) for g in found], expected, rtol=1e-9)
    mapped = ingot.vmap(ingot.grad(f))(stack)
    np.testing.assert_allclose([symmetric(g) for g in mapped], expected, rtol=1e-9)
    single = ingot.grad(f)(EQUAL.astype(np.float32))
    np.testing.assert_allclose(symmetric(single), expected[1], rtol=1e-4)


def test_complex_matrices():
    # The entropy of the maximally mixed state, and of others.
    mixed = np.eye(2) / 2 + 0j
    pauli = np.array([[0, -1j], [1j, 0]])

    def f(t, m):
        w, v = np.linalg.eigh(m + t * pauli)
        return np.real(np.sum(((v * np.exp(w)) @ v.conj().T) * np.array([[1, 2j], [-2j, 3]])))

    for m in (mixed, np.diag([0.3, 0.7]) + 0j):
        expected = (f(1e-6, m) - f(-1e-6, m)) / 2e-6
        np.testing.assert_allclose(ingot.grad(f)(0.0, m), expected, rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(
            ingot.jvp(lambda t: f(t, m), (0.0,), (1.0,))[1], expected, rtol=1e-7, atol=1e-8
        )


def test_eigenvalues_by_themselves():
    def f(m):
        return np.sum(np.linalg.eigvalsh(m) ** 3)

    np.testing.assert_allclose(symmetric(ingot.grad(f)(EQUAL)), 3 * EQUAL @ EQUAL)


#: Sums of a smooth function of eigenvalues or singular values, whose slope is zero at the values of
#: the matrix: its product with the infinite derivative of the vectors is no zero.
FLAT = {
    "eigenvalues at zero": (lambda m: np.sum(np.linalg.eigvalsh(m) ** 2), 0.0),
    "eigenvalues at one": (lambda m: np.sum((np.linalg.eigvalsh(m) - 1) ** 2), 1.0),
    "eigenvalues with vectors": (lambda m: np.sum(np.linalg.eigh(m)[0] ** 2), 0.0),
    "singular values at zero": (lambda m: np.sum(np.linalg.svd(m, compute_uv=False) ** 2), 0.0),
    "singular values at one": (lambda m: np.sum((np.linalg.svd(m)[1] - 1) ** 2), 1.0),
}


@pytest.mark.parametrize("name", FLAT)
def test_second_derivatives_are_true_or_none(name):
    f, value = FLAT[name]
    m = value * np.eye(3)

    def forward(f):
        return lambda m: ingot.jvp(f, (m,), (W,))[1]

    def backward(f):
        return lambda m: np.sum(ingot.grad(f)(m) * W)

    for inner in (forward, backward):
        for outer in (forward, backward):
            found = outer(inner(f))(m)
            # The square of the Frobenius norm of the matrix less the identity.
            assert np.isnan(found) or found == pytest.approx(2 * np.sum(W * W))


def test_eigenvalues_that_are_close():
    m = EQUAL.copy()
    for gap in (1e-15, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2):
        m[1, 1] = 2 + gap
        w, v = np.linalg.eigh(m)
        assert w[0] != w[1]

        def f(m):
            w, v = np.linalg.eigh(m)
            return np.sum(((v * np.exp(w)) @ v.T) * W)

        expected = symmetric(ingot.grad(by_expm)(m))
        np.testing.assert_allclose(symmetric(ingot.grad(f)(m)), expected, rtol=1e-8)


#: No function of the matrix: no derivative where eigenvalues are equal.
VECTORS = {
    "vectors": lambda w, v: np.sum(v**2 * W),
    "some of equal": lambda w, v: np.sum(((v * np.array([1.0, 0, 0])) @ v.T) * W),
    "first": lambda w, v: np.sum(v[:, :1] @ v[:, :1].T * W),
}


@pytest.mark.parametrize("name", VECTORS)
def test_vectors_have_no_derivative(name):
    def f(m):
        return VECTORS[name](*np.linalg.eigh(m))

    assert not np.isfinite(ingot.grad(f)(EQUAL)).all()
    assert not np.isfinite(ingot.jvp(f, (EQUAL,), (W,))[1])
    assert np.isfinite(ingot.grad(f)(MATRICES["distinct"])).all()


def test_vectors_of_other_values_have_one():
    def f(m):
        _, v = np.linalg.eigh(m)
        return np.sum(v[:, 2:] @ v[:, 2:].T * W)

    expected = np.zeros((3, 3))
    for i, j in np.ndindex(3, 3):
        unit = np.zeros((3, 3))
        unit[i, j] = unit[j, i] = 1e-6
        expected[i, j] = (f(EQUAL + unit) - f(EQUAL - unit)) / (4e-6 if i != j else 2e-6)
    np.testing.assert_allclose(symmetric(ingot.grad(f)(EQUAL)), expected, atol=1e-8)


# Singular values.


def differences(f, m, step=1e-6):
    found = np.zeros(m.shape)
    for index in np.ndindex(m.shape):
        unit = np.zeros(m.shape)
        unit[index] = step
        found[index] = (f(m + unit) - f(m - unit)) / (2 * step)
    return found


def polar(m):
    u, _, vt = np.linalg.svd(m, full_matrices=False)
    return np.sum((u @ vt) * V[: m.shape[0], : m.shape[1]])


def rebuilt(m):
    u, s, vt = np.linalg.svd(m, full_matrices=False)
    return np.sum(((u * s) @ vt) * V[: m.shape[0], : m.shape[1]])


def shrunk(m):
    u, s, vt = np.linalg.svd(m, full_matrices=False)
    return np.sum((u @ np.diag(s / (1 + s**2)) @ vt) * V[: m.shape[0], : m.shape[1]])


def inverted(m):
    u, s, vt = np.linalg.svd(m, full_matrices=False)
    return np.sum((vt.T @ ((1 / s)[:, None] * u.T)).T * V[: m.shape[0], : m.shape[1]])


@pytest.mark.parametrize("f", [polar, rebuilt, shrunk, inverted])
@pytest.mark.parametrize("shape", [(3, 3), (3, 2), (2, 3)])
@pytest.mark.parametrize("is_rotated", [False, True])
def test_functions_of_singular_values(f, shape, is_rotated):
    m = 2 * np.eye(*shape)
    if is_rotated:
        m = ROTATION[: shape[0], : shape[0]] @ m if shape[0] == 3 else m @ ROTATION
    expected = differences(f, m)
    np.testing.assert_allclose(ingot.grad(f)(m), expected, atol=1e-7)
    np.testing.assert_allclose(ingot.jacfwd(f)(m), expected, atol=1e-7)


def test_a_square_svd_with_full_matrices():
    def f(m):
        u, _, vt = np.linalg.svd(m)
        return np.sum((u @ vt) * V)

    np.testing.assert_allclose(
        ingot.grad(f)(2 * np.eye(3)), differences(f, 2 * np.eye(3)), atol=1e-7
    )


def test_rebuilding_a_matrix_without_full_rank():
    # The singular value 0 is there twice.
    m = np.outer([1.0, 2.0, 2.0], [2.0, -1.0, 2.0])
    np.testing.assert_allclose(ingot.grad(rebuilt)(m), V, atol=1e-9)


def test_singular_vectors_have_no_derivative():
    def f(m):
        u, _, vt = np.linalg.svd(m)
        return np.sum(u**2 * V) + np.sum(vt)

    assert not np.isfinite(ingot.grad(f)(2 * np.eye(3))).all()


def test_sums_of_singular_values():
    m = 2 * np.eye(3)
    np.testing.assert_allclose(
        ingot.grad(lambda m: np.linalg.norm(m, "nuc"))(m), np.eye(3), atol=1e-12
    )
