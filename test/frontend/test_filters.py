"""The filters of scipy.signal: values, memory order, derivatives and batches, against SciPy."""

import numpy as np
import pytest
from scipy import signal

import ingot

RNG = np.random.default_rng(0)
X, ROWS = RNG.standard_normal(60), RNG.standard_normal((2, 45, 3))
B, A = signal.butter(3, 0.3)
SECTIONS = signal.butter(5, 0.3, output="sos")

CALLS = [
    (signal.lfilter, B, A, X),
    (signal.lfilter, B, [1.0], X),
    (signal.lfilter, [2.0], A, X),
    (signal.lfilter, [2.0], [4.0], X),
    (signal.lfilter, B * 2, A * 3, X.astype(np.float32)),
    (signal.lfilter, *(each.astype(np.float32) for each in (B, A, X))),
    (signal.lfilter, B, A, X + 1j * X[::-1]),
    (signal.lfilter, B, A, np.arange(9)),
    (signal.lfilter, B, A, ROWS, 1),
    (signal.lfilter, B, A, ROWS, 0),
    (signal.lfilter, B, A, ROWS[:, ::-1]),
    (signal.lfilter, B, A, X[:0]),
    (signal.lfilter, B, A, X, -1, signal.lfilter_zi(B, A)),
    (signal.lfilter, B, A, ROWS, 1, np.ones((1, 3, 1))),
    (signal.lfilter_zi, B, A),
    (signal.lfilter_zi, B * 2, A * 2),
    (signal.lfilter_zi, B, [1.0]),
    (signal.lfilter_zi, [1.0], A),
    (signal.filtfilt, B, A, X),
    (signal.filtfilt, B, A, X, -1, "even"),
    (signal.filtfilt, B, A, X, -1, "constant", 7),
    (signal.filtfilt, B, A, X, -1, None),
    (signal.filtfilt, B, A, ROWS, 1),
    (signal.filtfilt, B, A, ROWS, 1, "odd", 0),
    (signal.sosfilt, SECTIONS, X),
    (signal.sosfilt, SECTIONS, ROWS),
    (signal.sosfilt, SECTIONS, ROWS, 1),
    (signal.sosfilt, SECTIONS[0], X),
    (signal.sosfilt, SECTIONS, X, -1, np.ones((3, 2))),
    (signal.sosfilt, SECTIONS, ROWS, 1, np.ones((3, 2, 2, 3))),
]


@pytest.mark.parametrize(("function", "args"), [(each[0], each[1:]) for each in CALLS])
def test_a_filter_is_scipys(function, args):
    expected = function(*args)
    found = ingot.jit(lambda *given: function(*given))(*args)
    pairs = zip(found, expected, strict=True) if type(expected) is tuple else [(found, expected)]
    for mine, theirs in pairs:
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
        assert mine.strides == theirs.strides
        tolerance = 1e-5 if theirs.dtype == np.float32 else 1e-10
        np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: (signal.lfilter, B, np.zeros(2), X), "coefficient a.0. == 0"),
        (lambda: (signal.lfilter, np.ones((2, 2)), A, X), "non-empty 1d array"),
        (lambda: (signal.lfilter, B, A, X, -1, np.ones((2, 2))), "object too deep"),
        (lambda: (signal.lfilter, B, A, ROWS, 1, np.ones(3)), "object of too small depth"),
        (lambda: (signal.filtfilt, B, A, X[:9]), "must be greater than padlen"),
        (lambda: (signal.filtfilt, B, A, X, -1, "round"), "Unknown value 'round'"),
        (lambda: (signal.sosfilt, np.ones((2, 5)), X), "must be shape"),
        (lambda: (signal.sosfilt, SECTIONS * 2, X), "should be all ones"),
    ],
)
def test_what_scipy_raises_is_raised(call, message):
    function, *args = call()
    with pytest.raises(ValueError, match=r"(?i)" + message):
        function(*args)
    with pytest.raises((ValueError, ingot.CompileError), match=r"(?i)" + message):
        ingot.jit(lambda *given: function(*given))(*args)


def test_integers_are_refused_as_by_scipy():
    with pytest.raises(NotImplementedError, match="not supported"):
        signal.lfilter([1], [1, 1], np.arange(4))
    with pytest.raises((NotImplementedError, ingot.CompileError), match="not supported"):
        ingot.jit(lambda x: signal.lfilter([1], [1, 1], x))(np.arange(4))


LOSSES = [
    lambda b, a, x: np.sum(signal.lfilter(b, a, x) ** 2),
    lambda b, a, x: np.sum(np.sin(signal.filtfilt(b, a, x))),
    lambda b, a, x: np.sum(signal.sosfilt(np.concatenate((b[:3], a[:1], a[1:3])), x) ** 2),
]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_filter_is_differentiated(loss, which):
    args = [B + 0.1, A.copy(), X.copy()]
    direction = RNG.standard_normal(args[which].shape)
    if which == 1:
        # The first coefficient of a section has to be 1.
        direction[0] = 0
    step = 1e-6
    sides = []
    for sign in (1, -1):
        moved = list(args)
        moved[which] = args[which] + sign * step * direction
        sides.append(loss(*moved))
    expected = (sides[0] - sides[1]) / (2 * step)
    gradient = ingot.grad(loss, which)(*args)
    assert np.vdot(gradient, direction) == pytest.approx(expected, rel=2e-5, abs=1e-6)


def test_a_filter_of_a_batch_of_coefficients():
    filters = np.stack([B, B * 2, B[::-1]])
    found = ingot.vmap(signal.lfilter, in_axes=(0, None, None))(filters, A, X)
    expected = np.stack([signal.lfilter(b, A, X) for b in filters])
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
