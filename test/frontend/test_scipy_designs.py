"""Windows and filters of scipy.signal that SciPy makes at compile time."""

import inspect

import numpy as np
import pytest
import scipy.signal
from plain import Programs, refused, same_for

import ingot
from ingot.numpy.scipy_designs import DESIGNS

programs = Programs()
X = np.sin(np.arange(40.0))


@programs((X,), (X[:7],), (X.astype("f4"),))
def windowed(x):
    return x * scipy.signal.get_window("hann", len(x)), scipy.signal.windows.kaiser(
        x.shape[0], 4.0, sym=False
    )


@programs((X, "hamming"), (X, ("gaussian", 2.0)), (X, 5.0), (X, "no window"))
def of_a_name(x, name):
    return np.sum(x * scipy.signal.get_window(name, 40, fftbins=False))


@programs((X,))
def filtered(x):
    b, a = scipy.signal.butter(3, 0.2)
    b[0] = 2 * b[0]
    sos = scipy.signal.butter(4, [0.1, 0.3], "bandpass", output="sos")
    order, frequency = scipy.signal.buttord(0.2, 0.3, 3, 40)
    return scipy.signal.lfilter(b, a, x), scipy.signal.sosfilt(sos, x), order, frequency


@programs((X, 3), (X, 4))
def order_of_an_argument(x, n):
    return scipy.signal.lfilter(scipy.signal.firwin(n, 0.3), 1.0, x), scipy.signal.savgol_coeffs(
        2 * n + 1, 2
    )


@programs((X,))
def complex_poles(x):
    z, p, k = scipy.signal.cheby1(2, 1, 0.3, output="zpk")
    return z, p, k


@programs((X,))
def wrong(x):
    return scipy.signal.butter(3, 1.5)


@programs((X,))
def wrong_but_caught(x):
    try:
        return scipy.signal.get_window("no window", 3)
    except ValueError:
        return x


@pytest.mark.parametrize("f, cases", programs)
def test_designs(f, cases):
    same_for(f, cases)


def test_each_one_is_scipys():
    for home, names in DESIGNS.items():
        module = scipy.signal if home == "scipy.signal" else scipy.signal.windows
        found = [each for each in names if hasattr(module, each)]
        assert len(found) > len(names) - 2
        assert all(inspect.isfunction(getattr(module, each)) for each in found)


def of_run_time(x):
    return scipy.signal.butter(3, abs(x[0]))  # refused


def test_refused():
    refused(of_run_time, X)


def test_derivatives_and_batches():
    def f(x):
        return np.sum(x * scipy.signal.windows.hann(4))

    x = X[:4]
    np.testing.assert_allclose(ingot.grad(f)(x), scipy.signal.windows.hann(4))
    np.testing.assert_allclose(ingot.vmap(f)(x[None]), [f(x)])
