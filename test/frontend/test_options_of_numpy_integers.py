"""Options and sizes that are integers of NumPy's, as arithmetic on sizes gives them."""

import numpy as np
import pytest
from scipy import fft as scipy_fft
from scipy import fftpack

X = np.arange(12.0) + 1
M = X.reshape(3, 4)
FOUR = np.int64(4)
TWO = np.uint8(2)

TRANSFORMS = [
    np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft, scipy_fft.fft, scipy_fft.irfft,
    fftpack.fft, fftpack.rfft,
]  # fmt: skip


@pytest.mark.parametrize(
    "transform", TRANSFORMS, ids=lambda each: f"{each.__module__}.{each.__name__}"
)
def test_lengths_of_transforms(check, transform):
    check(lambda x: transform(x, n=FOUR), X)
    check(lambda x: transform(x, n=(2 ** np.ceil(np.log2(len(x)))).astype(np.int64)), X)


@pytest.mark.parametrize("transform", [np.fft.fft2, np.fft.irfftn, scipy_fft.ifftn])
def test_shapes_of_transforms(check, transform):
    check(lambda x: transform(x, s=(FOUR, TWO), axes=(np.int8(0), np.int8(1))), M)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.broadcast_to(x, (TWO, np.int64(12))),
        lambda x: np.vander(x[:3], FOUR),
        lambda x: np.polyfit(x, x**2, TWO),
        lambda x: np.indices((TWO, FOUR)) * x[0],
        lambda x: np.tensordot(x.reshape(3, 4), x.reshape(3, 4), axes=(np.int8(0), np.int8(0))),
        lambda x: np.lib.stride_tricks.as_strided(x, (FOUR, TWO), (np.int64(8), np.int16(16))),
        lambda x: np.repeat(x, np.uint8(200)),
        lambda x: np.linspace(0, x, np.uint8(200)),
    ],
)  # fmt: skip
def test_sizes_and_axes(check, f):
    check(f, X, rtol=1e-8)
