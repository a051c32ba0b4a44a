"""`a[mask]` as a value: elementwise functions, reductions and stores under one mask."""

import numpy as np
import pytest

import ingot

A = np.random.default_rng(0).normal(size=(5, 6))
B = A[::-1].copy()


def store(a, b):
    a[a > 0] = a[a > 0] ** 2 + np.sqrt(np.abs(b[a > 0])) - 1
    return a


def update(a, b):
    m = a > 0
    a[m] += b[m]
    a[~m] *= 2
    a[m & (b > 0)] -= -b[m & (b > 0)]
    return a


def reductions(a, b):
    m = a > 0
    v = a[m]
    return (
        (
            v.sum(),
            v.mean(),
            v.min(),
            v.max(),
            v.std(),
            v.var(ddof=1),
            v.prod(),
            v.astype(int).sum(),
        ),
        (v.size, len(b[m]), (v > 1).any(), (v > 0).all(), v.dtype == np.float64, v.copy().sum()),
        (np.sum(b[m] * 2), np.mean(np.sqrt(v)), np.max(v), np.min(-v), np.count_nonzero(v > 1)),
    )


def a_copy(a, b):
    m = b > 0
    before = a[m]
    a[m] = 0
    return before.sum(), a


def in_a_loop(a, b):
    total = 0.0
    for i in range(12):
        m = (a > i * 0.1) & (a < i * 0.1 + 1)
        v = b[m]
        total += v.mean() if v.size > 0 else 0.0
    return total


def a_mask_kept(a, b):
    m = a > 0
    a[a > 0] = -a[m]
    a[m] = a[m] * 2
    return a


def inlined(v):
    return np.exp(v) / 2


def through_a_function(a, b):
    m = a > 0
    a[m] = inlined(a[m])
    return a


@pytest.mark.parametrize(
    "f", [store, update, reductions, a_copy, in_a_loop, a_mask_kept, through_a_function]
)
def test_masked(check, f):
    check(f, A, B)


def test_max_of_nothing_raises():
    def f(a):
        return a[a > 100].max()

    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        ingot.jit(f)(A)


def returned(a, b):
    return a[a > 0]


def two_masks(a, b):
    return (a[a > 0] + b[b > 0]).sum()


def a_mask_that_changed(a, b):
    v = a[a > 0]
    a[0] = 1
    a[a > 0] = v
    return a


def with_an_array(a, b):
    return (a[a > 0] * b[0]).sum()


def indexed(a, b):
    return a[a > 0][0]


def on_one_path(a, b):
    if a.sum() > 0:
        v = a[a > 0]
    else:
        v = a[a < 0]
    return v.sum()


@pytest.mark.parametrize(
    "f", [returned, two_masks, a_mask_that_changed, with_an_array, indexed, on_one_path]
)
def test_refused(f):
    with pytest.raises(ingot.CompileError) as caught:
        ingot.jit(f)(A.copy(), B.copy())
    assert "selected by a mask" in str(caught.value) or "can't be indexed" in str(caught.value)
