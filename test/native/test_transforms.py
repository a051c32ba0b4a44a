"""Fourier transforms in kernels: NumPy's results to the last bit, also in loops."""

import numpy as np
import pytest

import ingot
from ingot_runtime.kernels import KernelExecutable
from oracle import assert_same

RNG = np.random.default_rng(13)
X = RNG.normal(size=(6, 12))
Z = X + 1j * RNG.normal(size=(6, 12))

FUNCTIONS = {
    "fft": np.fft.fft,
    "ifft": np.fft.ifft,
    "rfft": lambda x: np.fft.rfft(x.real),
    "rfft of odd length": lambda x: np.fft.rfft(x.real[..., 1:]),
    "irfft": np.fft.irfft,
    "irfft of odd length": lambda x: np.fft.irfft(x, 2 * x.shape[-1] - 1),
    "shorter": lambda x: np.fft.fft(x, max(x.shape[-1] // 2, 1)),
    "longer": lambda x: np.fft.ifft(x, x.shape[-1] + 3),
    "first axis": lambda x: np.fft.fft(x, axis=0),
    "all axes": np.fft.fftn,
    "ortho": lambda x: np.fft.fft(x, norm="ortho"),
    "parts": lambda x: (np.fft.fft(x[..., ::2]), np.fft.fft(x[..., ::-1])),
    "shifted": lambda x: np.fft.fftshift(np.fft.fft(x * 2.0)) * 0.5,
}
ARRAYS = [
    X, Z, X[0], Z[0], X.astype("f4"), Z.astype("c8"), X[:, :1], Z[:1, :7], X.reshape(2, 3, 12),
    Z[::2, ::2], np.arange(10), RNG.normal(size=(1, 1)),
]  # fmt: skip


def leaves(tree):
    return [x for each in tree for x in leaves(each)] if isinstance(tree, tuple) else [tree]


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bits(name, native):
    function = FUNCTIONS[name]
    compiled = ingot.jit(function, native=native)
    for x in ARRAYS:
        if min(x.shape) < 2 and name in ("rfft of odd length", "irfft"):
            continue
        for one, other in zip(leaves(compiled(x)), leaves(function(x)), strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape
            if other.dtype in ("f4", "c8"):
                # NumPy computes these in double precision.
                assert np.abs(one - other).max() <= 4e-7 * np.abs(other).max()
            else:
                np.testing.assert_array_equal(one, other)


def split_steps(psi, potential, n):
    """A wave in a potential, by the split-step method."""
    k = 2 * np.pi * np.fft.fftfreq(len(psi))
    half = np.exp(-0.05j * potential)
    kinetic = np.exp(-0.05j * k**2)
    for _ in range(n):
        psi = half * np.fft.ifft(kinetic * np.fft.fft(half * psi))
    return psi


def energy(psi, potential, n):
    return np.sum(np.abs(split_steps(psi, potential, n)) ** 2 * potential)


@pytest.mark.parametrize("size", [2, 16, 27])
def test_loop_is_one_kernel(check, size):
    args = RNG.normal(size=size) + 0j, RNG.normal(size=size), 5
    check(split_steps, *args, rtol=1e-12)
    check(split_steps, args[0][:1], args[1][:1], 5, rtol=1e-12)
    compiled = ingot.jit(split_steps, native=True).lower(*args).compile()
    assert isinstance(compiled.executable, KernelExecutable)


def test_gradient_of_a_loop():
    psi, potential = RNG.normal(size=16) + 0j, RNG.normal(size=16)
    compiled = ingot.jit(ingot.grad(energy, 1), native=True)
    gradient = compiled(psi, potential, 4)
    for i in (0, 9):
        moved = potential.copy()
        moved[i] += 1e-6
        above = energy(psi, moved, 4)
        moved[i] -= 2e-6
        assert gradient[i] == pytest.approx((above - energy(psi, moved, 4)) / 2e-6, rel=1e-6)
    assert isinstance(compiled.lower(psi, potential, 4).compile().executable, KernelExecutable)
    assert_same(
        ingot.jit(ingot.grad(energy, 1), native=False)(psi, potential, 4), gradient, rtol=1e-9
    )


def test_batches():
    found = ingot.jit(ingot.vmap(np.fft.fft), native=True)(Z)
    np.testing.assert_array_equal(found, np.fft.fft(Z))


def in_place(x):
    x[:] = np.fft.fft(x)
    x[1:] = np.fft.ifft(x[1:], axis=0)


def test_stores(check):
    check(in_place, Z.copy(), rtol=1e-12)


def of_columns_before_a_store(x):
    columns = x.T.copy()
    x[0] = 5
    return np.fft.fft(columns), np.fft.fft(x, axis=0)


def stored_after_a_read(x):
    found = np.fft.fft(x * 2, axis=0)
    before = x.sum()
    x[:] = found
    return before, np.fft.fftn(x)


@pytest.mark.parametrize("function", [of_columns_before_a_store, stored_after_a_read])
def test_columns_are_those_of_the_time(check, function):
    check(function, Z.copy(), rtol=1e-12)
