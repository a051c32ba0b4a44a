"""Stores in place, loops, branches and parts of run-time length, each function as one kernel, against
NumPy."""

import time

import numpy as np
import pytest

import ingot
from one_kernel import F64, FLOATS, RNG, U8, block, check, name_of
from oracle import assert_same

# Stores in place.


def shifted_up(a):
    a[1:] = a[:-1] + a[1:]


def shifted_down(a):
    a[:-1] = a[1:] * 2 + a[:-1]


def moved_up(a):
    a[1:] = a[:-1]


def reversed_in_place(a):
    a[:] = a[::-1]


def transposed_in_place(a):
    a[:] = a.T


def own_elements(a):
    a[2:5] = a[2:5] * 2 + 1
    a[::2] += 1
    a[:, ::-1] *= 3


def rows_exchanged(a):
    a[0], a[1] = a[1].copy(), a[0].copy()


def row_from_all(a):
    a[0] = a.sum(axis=0)
    a[:, 0] = a.mean(axis=1)


def stencil(a):
    a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])


def normalised(a):
    a /= np.sqrt((a * a).sum(axis=0))


def old_and_new(a):
    old = a.copy()
    a[1:] = a[:-1] + 1
    return old - a, old


def block_onto_itself(a):
    a[1:4, 1:4] = a[:3, :3] + a[2:5, 2:5]


def masked_store(a):
    a[a > 0.5] = -1.0


def view_changed(a):
    row = a[2]
    row[:] = row[::-1] + 1
    return row.sum()


STORES = [
    shifted_up, shifted_down, moved_up, reversed_in_place, transposed_in_place, own_elements,
    rows_exchanged, row_from_all, stencil, normalised, old_and_new, block_onto_itself, masked_store,
    view_changed,
]  # fmt: skip


@pytest.mark.parametrize("f", STORES, ids=name_of)
def test_stores(f):
    check(f, block(F64, 6, 6), cancels=True)


# Loops and branches.


def sweeps(a):
    for _ in range(12):
        a[1:-1, 1:-1] = (a[:-2, 1:-1] + a[2:, 1:-1]) / 2


def swapped(a):
    b = np.zeros_like(a)
    for _ in range(11):
        b[1:-1] = (a[:-2] + a[2:]) / 2
        a, b = b, a
    return a, b


def exchanged(a):
    b = a * 2 + 1
    for i in range(11):
        a, b = b, a
        a = a + i
    return a, b


def rotated(a):
    b, c = a + 1, a + 2
    for _ in range(10):
        a, b, c = c, a, b
    return a, b, c


def with_the_version_before(a):
    before = a
    for i in range(12):
        before = a
        a = a * 0.5 + i
    return a, before


def with_a_copy_before(a):
    before = a.copy()
    for i in range(12):
        before = a.copy()
        a[i % 6] = before[(i + 1) % 6] + 1
    return before


def fibonacci(a):
    b = a + 1
    for _ in range(20):
        a, b = b, a + b
    return a, b


def backwards(a):
    for i in range(len(a) - 2, -1, -1):
        a[i] = a[i] + a[i + 1] * 0.5


def in_steps(a):
    s = a[0, 0]
    for i in range(5, -1, -2):
        for j in range(i, 6):
            s += a[i, j] * (i + 1)
    return s


def until_small(a):
    n = 0
    while np.abs(a).max() > 1e-3:
        a = a * 0.5
        n += 1
    return a, n


def halved(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def different_arrays(a, p):
    b = a + 1
    if p:
        return a * 2, b
    return b, a - 1


def one_is_stored_to(a, p):
    if p:
        a[0] = a[1] + 1
    else:
        a[1:] = a[:-1]
    return a.sum()


def branch_in_a_loop(a):
    b = np.zeros_like(a)
    for i in range(len(a)):
        if a[i, 0] > 0:
            b[i] = a[i]
        elif a[i, 1] > 0:
            b[i] = -a[i]
        else:
            a[i] = 0
    return b


def chosen_arrays(a):
    b = a * 2
    for i in range(10):
        if a[i % 6, 0] > 0:
            a, b = b, a
        a = a + 1
    return a, b


def parts_in_loops(a):
    s = np.zeros_like(a[0])
    for i in range(6):
        for j in range(i, 6):
            s[i] += a[i, i:j].sum() + a[:i, j].max(initial=0.0)
    return s


def eliminated(a):
    for k in range(6):
        for i in range(k + 1, 6):
            factor = a[i, k] / (a[k, k] + 10)
            a[i, k:] -= factor * a[k, k:]


def products_of_parts(a):
    for i in range(1, 6):
        a[i, i] = a[i, :i] @ a[:i, i]
        a[i, :i] += a[i, :i] * a[i, i]


def insertion(a):
    x = a[0]
    for i in range(1, len(x)):
        key, j = x[i], i - 1
        while j >= 0 and x[j] > key:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = key
    return x


def early(a):
    for i in range(6):
        if a[i].sum() > 1:
            return i, a[i] * 2
    return -1, a[0] + 1


def broken_off(a):
    found = a[0, 0]
    for row in a:
        if row[0] > 0.5:
            continue
        if row[1] > 1.5:
            break
        found += row.sum()
    return found


def rebound_or_not(a):
    b = a
    for i in range(9):
        if i % 2 == 0:
            b = b + a
        else:
            b[0] = i
    return b, a


def scan(a):
    rows = []
    state = a[0] * 0
    for i in range(len(a)):
        state = state * 0.5 + a[i]
        rows.append(state)
    return np.stack(rows)


LOOPS = [
    sweeps, swapped, exchanged, rotated, with_the_version_before, with_a_copy_before, fibonacci,
    backwards, in_steps, until_small, branch_in_a_loop, chosen_arrays, parts_in_loops, eliminated,
    products_of_parts, insertion, early, broken_off, rebound_or_not, scan,
]  # fmt: skip


@pytest.mark.parametrize("dtype", FLOATS, ids=name_of)
@pytest.mark.parametrize("f", LOOPS, ids=name_of)
def test_loops(f, dtype):
    check(f, block(dtype, 6, 6), rtol=1e-10, cancels=True)


@pytest.mark.parametrize("n", [1, 6, 27])
def test_numbers_in_loops(n):
    check(halved, n)


@pytest.mark.parametrize("p", [True, False])
@pytest.mark.parametrize("f", [different_arrays, one_is_stored_to], ids=name_of)
def test_branches(f, p):
    check(f, block(F64, 6), p)


def mandelbrot(c):
    z, n = np.zeros_like(c), np.zeros(c.shape, np.int64)
    for _ in range(30):
        inside = np.abs(z) < 2
        z = np.where(inside, z * z + c, z)
        n += inside
    return n


def test_complex_numbers_in_loops():
    check(mandelbrot, block(np.complex128, 5, 6))


def sieve(n):
    is_prime = np.ones(60, bool)
    is_prime[:2] = False
    for i in range(2, 8):
        if is_prime[i]:
            for j in range(i * i, 60, i):
                is_prime[j] = False
    return is_prime, is_prime.sum() + n


def test_bools_in_loops():
    check(sieve, 3)


def histogram(x):
    counts = np.zeros(256, np.int64)
    for i in range(len(x)):
        counts[x[i]] += 1
    return counts


def test_bytes_as_indices():
    check(histogram, RNG.integers(0, 256, 100).astype(U8))


# Dynamic lengths: masks, which become bounds of loops.


def triangular_solve(a, b):
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - a[i, :i] @ x[:i]) / (a[i, i] + 5)
    return x


def prefixes(a, b):
    s = np.zeros_like(b)
    for i in range(len(b)):
        s[i] = b[:i].sum() + (b[i:] * 2).max() + a[i, i:].min() + b[: i + 1].prod()
    return s


def window_stores(a, b):
    for i in range(len(b)):
        a[i, :i] = b[:i] * 2
        a[i, i:] += b[i:]


def windows(a, b):
    s = np.zeros_like(b)
    for i in range(2, len(b)):
        s[i] = (b[i - 2 : i] * a[0, :2]).sum() + np.argmax(b[i:]) + np.argmin(b[:i])
    return s


def running(a, b):
    s = np.zeros_like(b)
    for i in range(1, len(b)):
        s[i] = np.cumsum(b[:i])[-1] + np.any(b[:i] > 0.5) + np.all(b[i:] > 0)
    return s


def maxima_of_parts(a, b):
    s = np.zeros(len(b), np.int64)
    for i in range(len(b) - 1):
        k = i + np.argmax(np.abs(a[i:, i]))
        s[i] = k
        a[i, 0] = a[k, 0]
    return s


@pytest.mark.parametrize("dtype", FLOATS, ids=name_of)
@pytest.mark.parametrize(
    "f",
    [triangular_solve, prefixes, window_stores, windows, running, maxima_of_parts],
    ids=name_of,
)
def test_parts_of_run_time_lengths(f, dtype):
    check(f, block(dtype, 12, 12), block(dtype, 12), rtol=1e-10, cancels=True)


def boundaries(a, b):
    for t in range(3):
        a[0, :] = b[t]
        a[1:, :] -= 0.5 * (a[1:, :] - b)
        a[:, -1] = a[:, 1] * t
        b[:-1] += a[1, :-1] + a[2, 1:]


def alternating(a, b):
    for _ in range(3):
        new = b[::2] * a[0, ::2] + b[1::2]
        old = b[1::2]
        b[::2] = new
        b[1::2] = old * 2 + new - np.roll(new, 1)
        a[1:-1, 1:-1] = (a[:-2, 1:-1] + a[2:, 1:-1]) / 2
        a[2, 1:-1] = a[1:-1, 1:-1].sum(axis=0) - a[3, 1:-1]


def stored_and_returned(a, b):
    for i in range(4):
        c = a[i] + b
        a[i] = c
        d = c * a[i + 1]
        a[i + 1, :] = d
        a[i] = d - c
        b[i] = c[i] + d[-1]
    return c, d


def stopped(a, b):
    x, p = b.copy(), b * 2
    for i in range(20):
        y = a @ x / 12 + p
        if np.max(np.abs(y - x)) < 3:
            break
        x, p = y, p / 2 - x
        if i > 12:
            a[i % 3] = x
            continue
        b[:] = p[::-1]
    return x, p, i


def exchanged(a, b):
    x, y = b.copy(), b * 2
    for i in range(7):
        if i % 3 == 1:
            x, y = y, x
        elif i % 3 == 2:
            x, y = x + y, x - y
            y[i] = x[0]
    return x, y


def chosen_before(a, b):
    x, y = b, b * 2
    chosen = b * 3 if b[0] > a[0, 0] else b + 1
    other = b - 1 if b[1] > a[0, 0] else y
    for i in range(7):
        if a[i, 0] > 0:
            x = chosen
        y = other
        a = a * -2
    return x, y, a


def rotated(a, b):
    for i in range(len(b) - 1):
        row, column = a[i].copy(), a[:, i].copy()
        a[i] = a[i + 1]
        a[:, i] = row * 2 + b
        a[i + 1] = column - row
        part = a[1:6, 2:5][1:4].copy()
        a[2:8, i] -= 1
        a[4:7, 3:6] += part
    return a.sum(axis=0)


@pytest.mark.parametrize("dtype", FLOATS, ids=name_of)
def test_slices_that_are_read_after_stores(dtype):
    check(rotated, block(dtype, 12, 12), block(dtype, 12), rtol=1e-10, cancels=True)


@pytest.mark.parametrize("dtype", FLOATS, ids=name_of)
@pytest.mark.parametrize("f", [stopped, exchanged, chosen_before], ids=name_of)
def test_arrays_that_branches_replace(f, dtype):
    check(f, block(dtype, 12, 12), block(dtype, 12), rtol=1e-4 if dtype == np.float32 else 1e-10)


@pytest.mark.parametrize("dtype", FLOATS, ids=name_of)
@pytest.mark.parametrize("f", [boundaries, alternating, stored_and_returned], ids=name_of)
def test_stored_values_that_are_read_again(f, dtype):
    check(f, block(dtype, 12, 12), block(dtype, 12), rtol=1e-5 if dtype == np.float32 else 1e-10)


def rows_of_a_sparse_matrix(data, columns, starts, x):
    y = np.zeros(len(starts) - 1)
    for i in range(len(y)):
        s = 0.0
        for k in range(starts[i], starts[i + 1]):
            s += data[k] * x[columns[k]]
        y[i] = s
    return y


def test_loops_between_run_time_bounds():
    starts = np.array([0, 2, 2, 5, 9])
    columns = RNG.integers(0, 7, 9)
    check(rows_of_a_sparse_matrix, block(F64, 9), columns, starts, block(F64, 7))


def left_or_stored(x, changes, stores):
    y = 0.0
    for i in range(len(changes)):
        if changes[i]:
            if stores[i]:
                x[i % 4] = y + 1.0
            y = x.sum()
    return y


def test_branches_that_may_leave_an_array_that_is_read():
    changes = np.array([True, False, True, True, True, False])
    stores = np.array([True, True, False, True, True, False])
    check(left_or_stored, block(F64, 4), changes, stores)


def clustered(x):
    """Unrolled, since `last` is no array at first: each break is a branch around the rest."""
    centres, last = x[:3].copy(), None
    for n in range(12):
        distances = ((x[:, None] - centres[None]) ** 2).sum(-1)
        labels = distances.argmin(1)
        if last is not None and (labels == last).all():
            break
        last = labels
        for j in range(3):
            chosen = labels == j
            if chosen.any():
                centres[j] = x[chosen].mean(axis=0)
    return centres, labels, n


def test_rows_of_branches_are_compiled_in_time():
    """Their number of paths is 2 to the power of 24."""
    x = RNG.normal(size=(30, 2))
    lowered = ingot.jit(clustered).lower(x)
    before = time.perf_counter()
    compiled = lowered.compile()
    assert time.perf_counter() - before < 60
    assert_same(compiled(x), clustered(x))


FACTORS = (2.0,) * 40


def doubled_where_positive(a):
    # A loop over a constant is unrolled.
    for by in FACTORS:
        a[a > 0] = a[a > 0] * by
        a -= 0.5


def test_elements_used_twice_in_each_step_are_compiled_in_time():
    """The number of ways from the first version of the array to the last is 2 to the power of 40."""
    before = time.perf_counter()
    check(doubled_where_positive, np.linspace(-1, 1, 8))
    assert time.perf_counter() - before < 60


def never_changed(count, x, y):
    k = 0
    while not (count.any() and x[k]):
        while 1:
            u = 0
            while u + 1:

                def step():
                    count[0] += 1

            if y[0]:
                break
        k += 1
    return k


def test_an_array_that_a_loop_carries_and_never_changes():
    count, x, y = np.array([[1, 1], [0, 3], [0, 2]]), np.ones((3, 4)), np.ones((3, 2))
    check(lambda *args: ingot.vmap(never_changed)(*args), count, x, y)


def step_until_any(x, step):
    for _ in range(2):
        x += step
        if x.ravel().any():
            break


def doubled(x):
    for _ in range(4):
        for _ in range(2):
            step_until_any(x, x + 0.5)
    return np.sum(x)


def test_branches_that_yield_a_carried_array_after_it_is_overwritten():
    """So do those of the gradient, which skip the cotangents of the steps that were not taken."""
    check(lambda x: ingot.grad(doubled)(x), np.array([1, 0.8658]))
    assert_same(ingot.grad(doubled)(np.array([1, 0.8658])), np.array([256.0, 256]))
