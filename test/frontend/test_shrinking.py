"""Arrays that shrink and grow in loops and on branches, with the lengths that run time knows."""

import copy

import numpy as np
import pytest

import ingot

X = np.random.default_rng(0).normal(size=20)
Y = np.random.default_rng(1).normal(size=(20, 3))
M = X > 0


def sieve(n):
    found = np.arange(2, 50)
    kept = np.zeros(50, bool)
    while len(found) > 0:
        p = found[0]
        kept[p] = True
        found = found[found % p != 0]
    return kept, n


def shrinks(x):
    z = x * 1.0
    steps = 0
    for i in range(30):
        if not len(z):
            break
        np.multiply(z, 0.7, z)
        z = z[np.abs(z) > 0.05]
        steps += len(z)
    return z, steps


def several(x, y):
    a, b, c = x, y, np.arange(len(x))
    for i in range(5):
        keep = a > -1.5 + 0.3 * i
        a, b, c = a[keep], b[keep], c[keep]
        a = a * 1.1
    return a, b, c


def on_branches(x):
    if x.sum() > 0:
        v = x[x > 0]
    else:
        v = x[x < -0.5]
    w = x
    if x[0] > 0:
        w = w[: len(v)]
    return v, w * 2, len(w)


def stored_in_a_loop(x, y):
    out = np.zeros((20, 3))
    rows = np.arange(20)
    for k in range(4):
        keep = x[rows] > k * 0.2
        rows = rows[keep]
        out[rows, rows % 3] = k + 1.0
        out[rows] *= 1.5
        x[rows] -= 0.1
    return out, rows, x


def one_memory(x):
    z = x[x > 0]
    y = z
    for i in range(3):
        z *= 2
        z[0] = i
    return y, z


def a_view_in_a_loop(x):
    n = int(x.size // 2)
    part = x[: n - int(x[0] > 100)]
    for i in range(12):
        x[i] += 1
        part = part * 1.0
    return part


def queue(x):
    waiting = x[x > 0.5]
    total = 0.0
    while waiting.size > 0 and total < 40:
        total += waiting[-1] * len(waiting)
        waiting = waiting[:-1]
    return total, waiting


CASES = [
    (sieve, 3), (shrinks, X), (several, X, Y), (on_branches, X), (on_branches, -X),
    (stored_in_a_loop, X, Y), (one_memory, X), (a_view_in_a_loop, X), (queue, X),
]  # fmt: skip


def leaves(value):
    return [x for each in value for x in leaves(each)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_against_numpy(case):
    function, *args = case
    mine, theirs = copy.deepcopy(args), copy.deepcopy(args)
    found, expected = ingot.jit(function)(*mine), function(*theirs)
    for a, b in zip(leaves((found, *mine)), leaves((expected, *theirs)), strict=True):
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b, rtol=1e-12)
        assert np.asarray(a).dtype == np.asarray(b).dtype
