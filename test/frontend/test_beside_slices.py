"""Arrays of indices and masks beside slices with run-time ends, against NumPy."""

import itertools

import numpy as np
import pytest
from plain import same_for

import ingot

X = np.arange(1.0, 8.0)
Z = np.arange(63.0).reshape(9, 7)
ENDS = (-11, -8, -3, -1, 0, 1, 4, 7, 9, 12)
ROWS = [2, 0, -1]


def arrays(x, z, ks):
    k, j, i = int(ks[0]), int(ks[1]), ks[2:5]
    w = z.copy()
    w[i, :k] = 5.0
    w[k:, i] += z[k:, i]
    w[i, k:j:2] *= 2
    w[i, :k] = np.arange(3.0)[:, None]
    reads = z[i, :k], z[k:j, i], z[i, k:j].sum(axis=1), z[i, 1][:k], z[:k, i][:, :2], z[i, k:j:2]
    return *reads, w


def where_their_axes_go(x, z, ks):
    k, j, i = int(ks[0]), int(ks[1]), ks[2:5]
    c = np.arange(120.0).reshape(5, 4, 6)
    reads = c[:k, i, i], c[i, :k, i], c[i, j:, 1], c[1, :j, i], c[i[:, None], i, k:j]
    more = c[None, i, k:j], c[i, None, k:j], c[..., k:j, i], c[i, ..., k:j]
    c[i, :k, i] = 7
    c[k:, 0, i] -= 1
    return *reads, *more, c


def masks(x, z, ks):
    k, j = int(ks[0]), int(ks[1])
    m, n = z[:, 0] > 20, z[0] > 2
    w, v = z.copy(), z.copy()
    reads = z[m, :k], z[k:j, n], z[m, k:j].sum(), z[m, k:j][:, ::2]
    of_slices = z[k:][m[k:], :j], z[k:, :j][m[k:]]
    w[m, :k] = 1.0
    w[k:j, n] *= 2
    v[m, k::2] -= z[m, k::2]
    return *reads, *of_slices, w, v


def places(x, z, ks):
    k, j = int(ks[0]), int(ks[1])
    p = np.flatnonzero(x > k)
    w = z.copy()
    w[p, :j] = 3.0
    w[p, j:] += 1
    w[k:j, p[:3]] = 0
    w[p, 0] = p
    w[p[::-1], p] -= 2
    return z[p, :j], z[p, 1:3], z[:3, p[:2]], z[p, 0], z[p, None], z[p, p], w


@pytest.mark.parametrize("function", [arrays, where_their_axes_go, masks, places])
def test_against_numpy(function):
    ends = itertools.product(ENDS, ENDS[::2])
    same_for(function, [(X, Z, np.array([*each, *ROWS])) for each in ends])


def outside(z, ks):
    return z[ks[1:], : int(ks[0])]


def too_short(z, ks):
    k = int(ks[0])
    return z[k:][z[:, 0] > 3, :k]


def test_what_is_raised():
    same_for(outside, [(Z, np.array([2, 9])), (Z, np.array([0, -10]))])
    same_for(too_short, [(Z, np.array([k])) for k in (0, 2)])


def loss(z, ks):
    k, i = int(ks[0]), ks[1:]
    m = z[:, 0] > 0
    w = z * 1.0
    w[i, :k] *= 2
    w[m, k:] = w[m, k:] ** 2
    w[k:, i] += z[k:, i]
    return np.sum(np.sin(z[i, k:])) + np.sum(w * w) + np.sum(z[m, :k] ** 3)


@pytest.mark.parametrize("k", [-3, 0, 2, 9])
def test_derivatives(k):
    rng = np.random.default_rng(0)
    z, direction = rng.normal(size=(5, 6)), rng.normal(size=(5, 6))
    ks = np.array([k, 2, 0, -1])
    expected = (loss(z + 1e-6 * direction, ks) - loss(z - 1e-6 * direction, ks)) / 2e-6
    backwards = np.sum(ingot.grad(loss)(z, ks) * direction)
    _, forwards = ingot.jvp(lambda z: loss(z, ks), (z,), (direction,))
    np.testing.assert_allclose([backwards, forwards], [expected] * 2, rtol=1e-6)


def test_batches():
    batch = np.random.default_rng(1).normal(size=(3, 5, 6))
    ends = np.array([[2, 0, 1], [-1, 4, -2], [9, 3, 3]])
    found = ingot.vmap(loss)(batch, ends)
    np.testing.assert_allclose(found, [loss(*each) for each in zip(batch, ends)], rtol=1e-12)


def windows(x, ks):
    k = int(ks[0])
    return x[k - 5 : k] + x[0:0], (x[k - 5 : k] * x[k + 3 : k + 8]).sum()


def test_windows_that_ends_cut():
    """Whose lengths differ where they lie inside: NumPy cuts both to nothing."""
    same_for(windows, [(X, np.array([k])) for k in (-9, -7, 0, 2, 4)])


def looked_up(x, ks):
    """In a part that starts behind the first element."""
    rises, u, k, j = np.cumsum(x), np.array([0.5, 3.5, 9.5, 99.0]), int(ks[0]), int(ks[1])
    part, other = rises[k:j], x[k:j]
    found = (
        np.searchsorted(part, u),
        np.searchsorted(part, u[1], side="right"),
        part.searchsorted(u),
    )
    if len(part) == 0:
        return found
    return *found, np.interp(u, part, other), np.interp(other, rises, x), np.digitize(u, part)


def test_positions_in_a_slice():
    same_for(looked_up, [(X, np.array(ks)) for ks in ((2, 5), (0, 7), (4, 7), (3, 4), (5, 5))])


def flipped_along_no_axis(x, ks):
    return np.flip(x[int(ks[0]) :], 1)


def test_axes_that_a_slice_has_not():
    with pytest.raises(ingot.IngotError, match="axis 1 is out of bounds"):
        ingot.jit(flipped_along_no_axis)(X, np.array([2]))
