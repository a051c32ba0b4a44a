"""Derivatives of NumPy's functions: right, or refused."""

import zlib

import numpy as np
import pytest

import ingot
from expressions import function_cases, functions_of
from oracle import leaves_of, moved, outcome, quiet

RNG = np.random.default_rng(0)
N = np.arange(12).reshape(3, 4) % 7 - 2
#: Without ties, and not near what is rounded: there differences say nothing.
A, M, V = (RNG.uniform(0.15, 0.45, shape) + RNG.integers(-3, 3, shape)
           for shape in ((2, 3, 4), (3, 4), (4,)))  # fmt: skip
C = M + 1j * RNG.uniform(0.2, 0.9, (3, 4))
ARGUMENTS = (A, M, N, V, C, N > 0)
STEP = 1e-6


def direction(seed):
    random = np.random.default_rng(seed)
    return tuple(
        random.normal(size=a.shape) + (1j * random.normal(size=a.shape) if a is C else 0)
        if a.dtype.kind in "fc"
        else np.zeros_like(a)
        for a in ARGUMENTS
    )


def plain(f, args):
    """The floating and complex leaves of what NumPy gives, or None if it raises."""
    value = outcome(f, *[a.copy() for a in args])
    if isinstance(value, Exception):
        return None
    return [np.asarray(v) for v in leaves_of(value) if np.asarray(v).dtype.kind in "fc"]


def differences(f, tangents, step):
    ahead, behind = (plain(f, moved(ARGUMENTS, tangents, s)) for s in (step, -step))
    if ahead is None or behind is None:
        return None
    with quiet():
        return [(a - b) / (2 * step) for a, b in zip(ahead, behind)]


def is_smooth(f, tangents):
    """Two step sizes agree: no kink and no jump lies between."""
    one, two = differences(f, tangents, STEP), differences(f, tangents, STEP / 4)
    return one is not None and all(
        np.allclose(a, b, rtol=1e-4, atol=1e-4, equal_nan=True) for a, b in zip(one, two)
    )


@pytest.mark.floor(0.9)
@pytest.mark.parametrize("case", function_cases(33))
def test_derivative(case, tmp_path, sweep):
    (f,), tangents = functions_of([case], tmp_path), direction(zlib.crc32(case.encode()))
    numeric = differences(f, tangents, STEP)
    if not numeric or not is_smooth(f, tangents):
        sweep.skipped("forward")
        return
    try:
        values, slopes = ingot.jvp(f, ARGUMENTS, tangents)
    except ingot.CompileError as error:
        sweep.refused(error, "forward")
        return
    slopes = floating(values, slopes)
    assert len(slopes) == len(numeric)
    for found, expected in zip(slopes, numeric):
        # Differences of 32-bit floats are coarse, and those of infinities and NaN are none.
        if found.dtype.itemsize >= 8:
            is_known = np.isfinite(expected)
            np.testing.assert_allclose(found[is_known], expected[is_known], rtol=1e-5, atol=1e-5)
    sweep.agreed("forward")
    check_backward(f, tangents, slopes, sweep)


def floating(values, slopes):
    """The slopes of the results that are floating or complex."""
    pairs = zip(leaves_of(values), leaves_of(slopes))
    return [np.asarray(s) for v, s in pairs if np.asarray(v).dtype.kind in "fc"]


def check_backward(f, tangents, slopes, sweep):
    """The gradient of a weighted sum, in the direction, is the weighted sum of the slopes."""
    plain_result = f(*[a.copy() for a in ARGUMENTS])
    if len(slopes) != 1 or not isinstance(plain_result, np.ndarray | np.generic):
        sweep.skipped("backward")
        return
    weights = np.random.default_rng(0).normal(size=slopes[0].shape)

    def loss(A, M, N, V, C, B):
        return np.sum((f(A, M, N, V, C, B) * weights).real)

    try:
        gradients = ingot.grad(loss, (0, 1, 3, 4))(*ARGUMENTS)
    except ingot.CompileError as error:
        sweep.refused(error, "backward")
        return
    pairs = zip(gradients, (tangents[i] for i in (0, 1, 3, 4)))
    found = sum(np.sum(g * t) for g, t in pairs).real
    expected = np.sum((slopes[0] * weights).real)
    if not np.isfinite(expected):
        sweep.skipped("backward")
        return
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    sweep.agreed("backward")
