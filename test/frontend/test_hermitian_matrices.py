"""`hermitian=True`: NumPy reads the lower triangle and the real parts of the diagonal only."""

import numpy as np
import pytest

import ingot

RNG = np.random.default_rng(0)
A = RNG.standard_normal((4, 4))
C = A + 1j * RNG.standard_normal((4, 4))
STACK = RNG.standard_normal((2, 3, 3))
RANK_ONE = np.outer(A[0], A[0])


@pytest.mark.parametrize("a", [A, C, STACK, RANK_ONE, A.astype(np.float32), -RANK_ONE])
def test_the_other_triangle_is_not_read(a):
    tolerance = 1e-4 if a.dtype == np.float32 else 1e-9
    u, s, vh = ingot.jit(lambda a: np.linalg.svd(a, hermitian=True))(a)
    expected = np.linalg.svd(a, hermitian=True)
    assert (u.dtype, s.dtype, vh.dtype) == tuple(each.dtype for each in expected)
    np.testing.assert_allclose(s, expected.S, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(
        (u * s[..., None, :]) @ vh,
        (expected.U * expected.S[..., None, :]) @ expected.Vh,
        rtol=tolerance,
        atol=tolerance,
    )
    for function in (
        lambda a: np.linalg.svd(a, compute_uv=False, hermitian=True),
        lambda a: np.linalg.pinv(a, 1e-5, hermitian=True),
        lambda a: np.linalg.matrix_rank(a, 1e-5, hermitian=True),
    ):
        found, expected = ingot.jit(function)(a), function(a)
        assert np.asarray(found).dtype == np.asarray(expected).dtype
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    "loss",
    [
        lambda a, w: np.sum(np.linalg.svd(a, compute_uv=False, hermitian=True) * w[0]),
        lambda a, w: np.sum(np.linalg.pinv(a, hermitian=True) * w),
        lambda a, w: np.sum(np.linalg.svd(a, hermitian=True)[0] ** 2 * w),
    ],
)
def test_the_gradient_by_the_other_triangle_is_zero(loss):
    weights, step = RNG.standard_normal(A.shape), 1e-6
    gradient = ingot.grad(lambda a: loss(a, weights))(A)
    expected = np.zeros(A.shape)
    for place in np.ndindex(A.shape):
        moved = np.zeros(A.shape)
        moved[place] = step
        expected[place] = (loss(A + moved, weights) - loss(A - moved, weights)) / (2 * step)
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-6)
