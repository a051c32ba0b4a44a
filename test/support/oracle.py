"""What it means to agree with NumPy."""

from typing import Any

import numpy as np


def assert_same(actual: Any, expected: Any, rtol: float = 1e-12) -> None:
    """Same types, dtypes, shapes and values."""
    if isinstance(expected, (tuple, list)):
        assert type(actual) is type(expected)
        assert len(actual) == len(expected)
        for a, e in zip(actual, expected, strict=True):
            assert_same(a, e, rtol)
        return
    if isinstance(expected, dict):
        assert list(actual) == list(expected)
        for key in expected:
            assert_same(actual[key], expected[key], rtol)
        return
    assert type(actual) is type(expected), (type(actual), type(expected))
    if not isinstance(expected, (np.ndarray, np.generic, int, float, complex)):
        assert actual == expected
        return
    a, e = np.asarray(actual), np.asarray(expected)
    assert a.dtype == e.dtype, (a.dtype, e.dtype)
    assert a.shape == e.shape, (a.shape, e.shape)
    if e.dtype.kind in "biu":
        np.testing.assert_array_equal(a, e)
        return
    loose = {2: 2e-3, 4: 2e-6}.get(np.real(e).dtype.itemsize, rtol)
    scale = np.max(np.abs(e[np.isfinite(e)]), initial=0.0)
    np.testing.assert_allclose(a, e, rtol=loose, atol=loose * float(scale))
