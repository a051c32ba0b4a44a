"""Arrays that lists, tuples and dicts from outside of the arguments hold."""

import numpy as np
import pytest

import ingot

LAYERS = [(np.linspace(0, 1, 12).reshape(4, 3), np.ones(3)), (np.ones((3, 2)), np.arange(2.0))]
PAIR = [np.linspace(0, 1, 12).reshape(4, 3), np.full((4, 3), 2.0)]
NAMED = {"w": np.linspace(-1, 1, 12).reshape(4, 3), "b": np.arange(3.0)}
X = np.arange(8.0).reshape(2, 4)


def unpacked(x):
    w, b = LAYERS[0]
    return x @ w + b


def looped(x):
    for w, b in LAYERS:
        x = x @ w + b
    return x


def indexed(x):
    for i in range(len(LAYERS)):
        w, b = LAYERS[i]
        x = x @ w + b
    return x


def enumerated(x):
    for i, (w, b) in enumerate(LAYERS):
        x = x @ w + b * i
    return x


def zipped(x):
    for w, v in zip(PAIR, PAIR):
        x = x + np.sum(w * v)
    return x


def starred(x):
    first, *rest = PAIR
    return x @ rest[0] + first.sum()


def by_items(x):
    for name, value in NAMED.items():
        if name == "w":
            x = x @ value
    return x


def summed(x):
    return x @ sum(PAIR)


def stacked(x):
    return x @ np.stack(PAIR).sum(axis=0) + np.array(PAIR)[0].sum()


def joined(x):
    return np.concatenate([x.T, *PAIR], axis=1)


def as_arguments(x):
    return x @ (lambda *ws: ws[1])(*PAIR)


def comprehended(x):
    return [x @ w for w in list(PAIR)]


FUNCTIONS = (
    unpacked, looped, indexed, enumerated, zipped, starred, by_items, summed, stacked, joined,
    as_arguments, comprehended,
)  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_values(check, f):
    check(f, X)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_is_stored_to_them_later_is_seen(f):
    compiled = ingot.jit(f)
    arrays = [*PAIR, *NAMED.values(), *(a for layer in LAYERS for a in layer)]
    saved = [array.copy() for array in arrays]
    compiled(X)
    try:
        for array in arrays:
            array += 1
        np.testing.assert_allclose(compiled(X), f(X), rtol=1e-12)
    finally:
        for array, old in zip(arrays, saved):
            array[...] = old


def stores(x):
    w, _ = PAIR
    w[0] = x[0, 0]
    return w.sum()


def test_storing_to_them():
    saved = PAIR[0].copy()
    try:
        assert ingot.jit(stores)(X + 3) == (saved[1:].sum() + 9)
        np.testing.assert_array_equal(PAIR[0][0], 3)
    finally:
        PAIR[0][...] = saved
