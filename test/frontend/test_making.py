"""Arrays made with dynamic lengths, and what bounds these."""

import copy

import numpy as np
import pytest
from plain import refused, same_for

import ingot
from expressions import same_value, split

X = np.array([1.0, -2, 3, 4, -5])
K = np.array([3, 7])
MADE = """
np.zeros(len(x[x > 0])) ;; np.ones((len(x[x > 0]), 2), int) ;; np.empty(len(x[x > 9])) * 0 ;; np.full(len(x[x > 0]), 7) ;; np.full((2, len(x[x > 0])), x[0]) ;; np.zeros(x[x > 0].shape) ;; np.zeros((k[0] % 3, (k[0] + 1) % 3))
np.eye(len(x[x > 0])) ;; np.identity(len(x[x > 0])) ;; np.eye(len(x[x > 0]), 4, 1) ;; np.eye(2, len(x[x > 0]), dtype=int) ;; np.zeros((len(x[x > 0]), len(x[x < 0])), order='F')
np.arange(len(x[x > 0])) ;; np.arange(1, len(x[x > 0])) ;; np.arange(len(x[x > 0]), 0, -1) ;; np.arange(len(x[x > 0]), 8, 2) ;; np.arange(0, 8, len(x[:2])) ;; np.arange(len(x[x > 0]), -5, -2) ;; np.arange(len(x[x > 0]), dtype=float)
np.arange(len(x[x > 0]), dtype=np.float32) ;; np.arange(len(x[x > 0]), dtype=np.uint8) ;; np.arange(-(int(k[0]) % 4), 3) ;; np.arange(len(x[x > 0]), 2) ;; np.arange(len(x[x > 0]), 1, 0) ;; x[np.arange(len(x[x > 0]))] ;; x[: len(x[x > 0])] * np.arange(len(x[x > 0]))
np.zeros(min(int(k[0]), 5)) ;; np.zeros(min(max(k[0], 0), 4)) ;; np.zeros(int(k[1]) % 4) ;; np.zeros(k[1] % 4) ;; np.zeros(np.clip(k[1], 0, 4)) ;; np.zeros(np.clip(int(k[0]), 1, 4)) ;; np.zeros(int(k[0]) & 6) ;; np.zeros(np.minimum(k[0], 4)) ;; np.zeros(min(int(k[0]), int(k[1]), 5))
np.zeros((x > 0).sum()) ;; np.zeros(int(np.sum(x > 0))) ;; np.zeros(np.count_nonzero(x)) ;; np.ones((x > 0).sum() * 2 + 1) ;; np.zeros(np.searchsorted(k, 5)) ;; np.zeros(5 - int(k[1]) % 4) ;; np.zeros(len(x[x > 0]) // 2) ;; np.zeros(int(k[0]) % 3 if x[0] > 0 else 4)
np.zeros(-(int(k[0]) % 4)) ;; np.zeros((2, -(k[0] % 4))) ;; np.arange(-(k[0] % 4)) ;; np.zeros(abs(len(x[x > 0]) - len(x[x < 0]))) ;; np.zeros(np.abs((k[0] % 4) - 6)) ;; np.zeros((x > 0).sum() * (k[0] % 4)) ;; np.zeros(max(int(k[0]) % 5 - 1, 0))
np.zeros(ingot.bound(k[0], 5)) ;; np.zeros(ingot.bound(int(k[0]), 5)) ;; np.zeros(ingot.bound(k[0], 3)) ;; np.zeros(ingot.bound(k[0], 2)) ;; np.zeros(ingot.bound(-k[0], 9)) ;; np.arange(ingot.bound(int(k[0]), 5)) * 2 ;; np.zeros((ingot.bound(k[0], 5), 2))
ingot.bound(k[0], 7) ;; ingot.bound(int(k[0]), 7) ;; ingot.bound(3, 5) ;; ingot.bound(6, 5) ;; ingot.bound(len(x), 5) ;; ingot.bound(x[x > 0], 3) ;; ingot.bound(x[x > 0], 2) ;; ingot.bound(x[: int(k[0])], 4) ;; ingot.bound(x, 7)[x > 0] ;; ingot.bound(x * 1, 4)
len(np.zeros(k[0] % 5)) ;; np.zeros((2, k[0] % 5)).shape ;; len(np.repeat(x, ingot.bound(k[0], 4))) ;; x[: (x > 0).sum()].shape ;; x[x > 0][: k[0] % 3] ;; len(x[: np.count_nonzero(x)])
np.repeat(x, ingot.bound(k[0], 4)) ;; np.repeat(x, ingot.bound(k[0] - 3, 4)) ;; np.tile(x, ingot.bound(int(k[0]), 4)) ;; np.repeat(x.reshape(5, 1), ingot.bound(k[0], 4), axis=1) ;; x[: ingot.bound(k[0], 4)] + np.zeros(ingot.bound(k[0], 9))
""".strip()  # fmt: skip


@pytest.mark.parametrize("expression", split(MADE))
def test_against_numpy(expression, tmp_path):
    same_value(expression, tmp_path, x=X, k=K)


def filled(x):
    n = len(x[x > 0])
    z = np.zeros(n)
    z[:] = x[x > 0] * 2
    z[0] = 9
    z[1:] += np.arange(n - 1)
    w = np.ones((n, 3))
    w[:, 1] = z
    w[0] = 5
    return z, w, w.sum(0)


def in_loops(x):
    total = 0.0
    for i in range(len(x)):
        ones = np.ones(i)
        ones[i // 2 :] = x[i]
        total += ones @ np.arange(i) + np.full((i, 2), 0.5).sum()
    return total


def half_a_matrix(x):
    made = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        made[i, : i + 1] = np.arange(i + 1) + x[i]
    return made


@pytest.mark.parametrize("function", [filled, in_loops, half_a_matrix])
def test_programs(function):
    same_for(function, [(X,), (-X,), (X * 0,), (np.abs(X) + 1,)])


def grown(x, n):
    found = np.zeros(0)
    i = 0
    while i < n[0]:
        found = ingot.bound(np.append(found, x[i] * i), 8)
        i += 1
    return found, found.sum(), i


def grown_by_parts(x, n):
    found, rows = np.zeros(0), np.zeros((0, 2))
    for i in range(n[0]):
        found = ingot.bound(np.concatenate([found, x[x > i]]), 16)
        rows = ingot.bound(np.vstack([rows, [i, x[i]]]), 5)
        if found.size > 6:
            break
    return found, rows


def grown_a_known_number_of_times(x, n):
    found = x[x > 9]
    for i in range(4):
        found = np.concatenate([found, x[x > i], n])
    return found


def into_a_buffer(x, n):
    buffer, used = np.zeros(20), 0
    for i in range(n[0]):
        part = x[x > i]
        buffer[used : used + len(part)] = part
        used += len(part)
    return buffer[:used], used


GROWING = [grown, grown_by_parts, grown_a_known_number_of_times, into_a_buffer]


@pytest.mark.parametrize("function", GROWING)
def test_growing_in_loops(function):
    same_for(function, [(X, np.array([each])) for each in (0, 1, 4)])


def test_longer_than_the_bound():
    with pytest.raises(ValueError, match="ingot.bound"):
        ingot.jit(grown)(np.arange(20.0), np.array([9]))
    with pytest.raises(ValueError, match="ingot.bound"):
        grown(np.arange(20.0), np.array([9]))


def positions(n):
    return np.arange(ingot.bound(n, 10)) * 2


def test_a_bounded_argument_is_no_constant():
    """One program for all numbers; without a bound there is one for each."""
    compiled = ingot.jit(positions)
    for n in (3, 10, 0):
        np.testing.assert_array_equal(compiled(n), positions(n))
    programs = len({ingot.jit(positions).lower(n).ir() for n in (3, 10)})
    assert programs == 1
    with pytest.raises(ValueError, match="0 to 10"):
        compiled(11)


def unbounded(x):
    return np.zeros(int(x[0]))


def unbounded_range(x):
    return np.arange(x[0].astype(int))


def of_a_float(x):
    return np.zeros(ingot.bound(x[0], 4))


def stored_through(x):
    y = ingot.bound(x, 9)
    y[0] = 5
    return x


def test_refusals():
    assert "ingot.bound" in refused(unbounded, X)
    assert "ingot.bound" in refused(unbounded_range, X)
    refused(of_a_float, X, match="takes integers")
    refused(stored_through, X, match="copy")


@pytest.mark.parametrize("x", [1.5, True, "a", None, np.array(3)])
def test_types_of_bounded_values(x):
    with pytest.raises(TypeError, match="integers, arrays and lists"):
        ingot.bound(x, 4)


def loss(x, n):
    m = ingot.bound(n[0], 5)
    kept = x[x > 0]
    z = np.zeros(m)
    z[:] = x[:m] ** 2
    joined = np.concatenate([kept, z, x[:1]])
    steps = np.diff(joined) * np.arange(len(joined) - 1)
    return np.sum(steps**2) + np.sum(np.repeat(kept, 2) ** 3) + np.median(joined) + joined[-2]


def test_derivatives_and_batches():
    n, direction = np.array([3]), np.array([0.3, -1, 0.5, 2, 0.1])
    expected = (loss(X + 1e-6 * direction, n) - loss(X - 1e-6 * direction, n)) / 2e-6
    gradient = ingot.grad(loss)(X, n)
    np.testing.assert_allclose(gradient @ direction, expected, rtol=1e-6)
    value, tangent = ingot.jvp(lambda x: loss(x, np.array([3])), (X,), (direction,))
    np.testing.assert_allclose([value, tangent], [loss(X, n), expected], rtol=1e-6)
    batch = np.stack([X, -X, np.abs(X)])
    found = ingot.vmap(loss, (0, None))(copy.copy(batch), n)
    np.testing.assert_allclose(found, [loss(each, n) for each in batch])
    gradients = ingot.vmap(ingot.grad(loss), (0, None))(batch, n)
    np.testing.assert_allclose(gradients[0], gradient)
