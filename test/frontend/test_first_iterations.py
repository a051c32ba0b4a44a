"""Arrays that have another dtype, or are numbers, in the first iteration of a loop."""

import numpy as np
import pytest
from plain import Programs, same_for

import ingot

programs = Programs()
K = np.array([1, 5])
BYTES = np.array([100, 27], "u1")


@programs((K,), (K.astype("f4"),))
def stored_to_a_copy(k):
    t = 0.0
    for _ in range(12):
        b = k.copy()
        b[0] += 0.7
        t += b.sum()
        k = k * np.float64(0.5)
    return t, k


@programs((K,), (BYTES,))
def of_this_dtype(k):
    found = 0
    for _ in range(12):
        found += k.dtype == np.int64
        k = k * 0.5
    return found


@programs((BYTES,), (BYTES.astype("i1"),))
def that_wraps_around(k):
    k[0] += 50
    found = []
    for _ in range(10):
        found.append(int((k + 100).sum()))
        k = k * np.int64(2)
    return found, k


@programs((K,), (K * 1.0,))
def stored_in_place(k):
    t = 0.0
    for _ in range(12):
        k[0] = 2.5
        k += 1
        t += k.sum()
        k = k * 0.5
    return t


@programs((K,))
def stored_in_an_inner_loop(k):
    for _ in range(3):
        for i in range(2):
            k[i] += 0.5
        k = k / 2
    return k


@programs(({"k": K},), ({"k": K * 1.0},))
def in_a_dict(d):
    for _ in range(10):
        for i in range(2):
            d["k"][i] += 0.5
        d["k"] = d["k"] / 2
    return d["k"].sum()


@programs((K,), (K * 1.0,))
def numbers_at_first(x):
    s, found = 1, []
    for _ in range(10):
        found.append(int(np.sum(s)) + np.ndim(s))
        s = s + x
    return found, s


@programs((K,))
def later_by_one_iteration(k):
    a, b, t = k, k, 0.0
    for _ in range(10):
        c = a.copy()
        c[0] = 2.5
        t += c[0]
        a, b = b, a * 0.5
    return t, b


@programs((K, 0.2), (K, 0.7), (K, 100.0))
def left_early(k, limit):
    for n in range(10):
        b = k.copy()
        b[1] = 1.9
        k = k * 0.5
        if b.sum() < limit * 4:
            break
    else:
        n = -1
    return n, k


@programs((K, 3.0), (K, 0.1))
def returned_early(k, limit):
    for n in range(10):
        k, before = k * 0.5, k
        if before.sum() < limit:
            return n, k
    return -1, k


@programs((np.arange(12).reshape(3, 4),))
def rows_in_a_nest(a):
    s = 0
    for i in range(12):
        t = 0
        for j in range(10):
            t = t + a[(i + j) % 3]
        s = s + t * 0.5
    return s


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def test_derivatives_and_batches():
    def loss(p, k):
        for _ in range(3):
            for i in range(2):
                k[i] += p
            k = k / 2
        return k.sum()

    # The first store is to integers.
    step = (loss(1.25, K.copy()) - loss(1.125, K.copy())) / 0.125
    assert ingot.grad(loss)(1.25, K.copy()) == pytest.approx(step)
    p = np.array([0.5, 1.0, 1.5])
    expected = [loss(each, K.copy()) for each in p]
    np.testing.assert_array_equal(ingot.vmap(loss, (0, None))(p, K.copy()), expected)
