"""scipy.fft: values, dtypes and memory order, derivatives and batches."""

import numpy as np
import pytest
import scipy.fft
import scipy.fftpack

import ingot

RNG = np.random.default_rng(3)
REAL = RNG.normal(size=(3, 4))
ARRAYS = {
    "real": REAL, "transposed": REAL.T, "complex": REAL + 1j * REAL[::-1], "integers": np.arange(12).reshape(3, 4),
    "bool": REAL > 0, "float32": REAL.astype(np.float32), "float16": REAL.astype(np.float16),
    "Fortran": np.asfortranarray(REAL), "complex64": (1j * REAL).astype(np.complex64),
}  # fmt: skip
ALONG_ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
ALONG_SEVERAL = ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"]
ONE = [(), (5,), (3, 0), (None, 0, "ortho"), (None, -1, "forward")]
SEVERAL = [(), ((4, 5),), (None, (1, 0)), (None, 0), (5, 1, "ortho"), (None, (0, 0))]


def assert_as_scipy(transform, *args):
    def f(x):
        return transform(x, *args[1:])

    try:
        expected = f(args[0])
    except (TypeError, ValueError) as error:
        with pytest.raises((TypeError, ValueError), match=str(error)):
            ingot.jit(f)(args[0])
        return
    made = ingot.jit(f)(args[0])
    assert (made.dtype, made.shape, made.strides) == (
        expected.dtype, expected.shape, expected.strides,
    )  # fmt: skip
    scale = 1e-5 if expected.real.dtype == np.float32 else 1e-13
    np.testing.assert_allclose(made, expected, rtol=scale, atol=scale * 10)


@pytest.mark.parametrize("kind", ARRAYS)
@pytest.mark.parametrize("name", ALONG_ONE)
def test_transforms_along_an_axis(name, kind):
    for args in ONE:
        assert_as_scipy(getattr(scipy.fft, name), ARRAYS[kind], *args)


@pytest.mark.parametrize("kind", ARRAYS)
@pytest.mark.parametrize("name", ALONG_SEVERAL)
def test_transforms_along_several_axes(name, kind):
    for args in SEVERAL:
        assert_as_scipy(getattr(scipy.fft, name), ARRAYS[kind], *args)


@pytest.mark.parametrize("kind", ARRAYS)
def test_transforms_of_fftpack(kind):
    for name in ("fft", "ifft", "rfft"):
        for args in ((), (5,), (4, 0), (None, 0)):
            assert_as_scipy(getattr(scipy.fftpack, name), ARRAYS[kind], *args)
    for name in ("fftn", "ifftn", "fft2", "ifft2"):
        for args in ((), ((4, 5),), (None, (1, 0))):
            assert_as_scipy(getattr(scipy.fftpack, name), ARRAYS[kind], *args)


def test_helpers():
    def f(x):
        shifted = scipy.fft.fftshift(x), scipy.fft.ifftshift(x, axes=0)
        return *shifted, scipy.fft.fftfreq(x.shape[0], 0.1), scipy.fft.rfftfreq(5)

    for made, expected in zip(ingot.jit(f)(REAL), f(REAL), strict=True):
        np.testing.assert_array_equal(made, expected, strict=True)


def filtered(x):
    spectrum = scipy.fft.fft(x, norm="ortho") * np.arange(x.shape[-1])
    power = scipy.fft.irfft(scipy.fft.rfft(x) ** 2)
    return np.sum(np.abs(scipy.fft.ifft(spectrum)) ** 2) + np.sum(power**2)


def test_derivatives_and_batches():
    ingot.check_grads(filtered, (REAL[0],), order=2)
    found = ingot.vmap(filtered)(REAL)
    np.testing.assert_allclose(found, [filtered(each) for each in REAL])


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: scipy.fft.fft(x, overwrite_x=True), "overwrite_x=True is not supported"),
        (lambda x: scipy.fft.rfftn(x, plan=1), "Passing a precomputed plan"),
    ],
)
def test_refusals(f, message):
    with pytest.raises((NotImplementedError, ingot.UnsupportedError), match=message):
        ingot.jit(f)(REAL)
