"""Buffers that a condition selects keep their memory as long as the selected one is used."""

import numpy as np

import ingot


def test_second_derivatives_of_exchanged_arrays():
    def f(x, y):
        a, b = x.copy(), y * 2
        c, d = a, b
        for k in range(3):
            c[0] = 1.0
            if k != x[0]:
                c, d = d, c
        return np.sum(a * c) + np.sum((b * d) ** 2)

    x, y = np.array([0.5, -0.4, 0.8]), np.array([0.3, 0.7, -0.6])
    found = ingot.jacrev(ingot.jacfwd(f, (0, 1)), (0, 1))(x, y)
    expected = ingot.hessian(f, (0, 1))(x, y)
    np.testing.assert_allclose(found[1][1], expected[1][1], rtol=1e-12)
    np.testing.assert_allclose(found[0][0], expected[0][0], rtol=1e-12)
    np.testing.assert_allclose(np.diag(found[1][1]), [0.0, 1.28, 5.12], rtol=1e-12)
