"""Loops over what masks select and slices of run-time ends cut: enumerate, zip and reversed."""

import numpy as np
import pytest
from plain import same_for

X = np.arange(1.0, 8.0)
CASES = [(X, np.array([k])) for k in (0, 1, 3, 7, 9, -2)]


def numbered(x, ks):
    total = 0.0
    for i, item in enumerate(x[: ks[0]]):
        total += i * item
    for i, item in enumerate(x[x > ks[0]], 1):
        total -= i * item
    return total


def paired(x, ks):
    k = int(ks[0])
    total = 0.0
    for a, b in zip(x[:k], x[1:k]):
        total += a * b
    for a, b in zip(x[x > k], np.flatnonzero(x > k)):
        total += a * b
    for a, b, c in zip(x, x[k:], range(5)):
        total = total * 0.5 + a * b - c
    for i, (a, b) in enumerate(zip(x[:k], x[::-1][:k])):
        total += a * b * i
    return total


def backwards(x, ks):
    total = 0.0
    for item in reversed(x[: ks[0]]):
        total = total * 0.5 + item
    for item in reversed(x[x > ks[0]]):
        total = total * 0.5 + item
    return total


def stored(x, ks):
    y = np.zeros_like(x)
    for i, a in zip(np.flatnonzero(x > ks[0]), x[::2]):
        y[i] += a
    return y


def strict(x, ks):
    total = 0.0
    for a, b in zip(x[: ks[0]], x[-3:], strict=True):
        total += a * b
    return total


@pytest.mark.parametrize("function", [numbered, paired, backwards, stored, strict])
def test_against_python(function):
    same_for(function, CASES)
