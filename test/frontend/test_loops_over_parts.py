"""Loops over what masks select and slices of run-time ends cut: enumerate, zip, reversed, sum, max."""

import numpy as np
import pytest
from plain import same_for

import ingot
from expressions import split
from oracle import assert_same, outcome
from sources import namespace_of

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


#: Of x and i; `sum` of no items is a number of the items' type (see docs/differences.md).
REDUCED = """
sum(x[x > 2]) ;; sum(i[i > 0]) ;; sum(i[i > 0].astype(np.int8)) ;; sum(i[i > 0].astype(np.int8) * np.int8(50)) ;; sum(x[x > 2].astype(np.float32)) ;; sum(x[x > 2] > 4) ;; sum(x[x > 2], 2.0) ;; sum(x[x > 2], i[0]) ;; sum(x[: i[2]]) ;; sum(np.unique(i)) ;; sum(m[m[:, 0] > 1]) ;; sum(x[x > 2][::2]) ;; sum(x[x > 2] + 1j)
max(x[x > 2]) ;; min(i[i > 0]) ;; max(x[x > 9]) ;; max(x[: i[2]]) ;; min(x[x > 2], key=lambda v: -v) ;; max(np.flatnonzero(x > 2)) ;; max(np.unique(i).astype(np.uint8)) ;; max(x[x > 2], default=x[0]) ;; max(x[x > 9], default=x[0]) ;; min(len(x[x > 2]), 3)
any(x[x > 2] > 6) ;; all(x[x > 2] > 3) ;; any(x[x > 9]) ;; all(x[x > 9]) ;; all(i[i > 0]) ;; any(m[m > 1] > 2) ;; any(m[m[:, 0] > 1][0] > 2) ;; math.prod(x[x > 2]) ;; math.prod(i[i > 0]) ;; math.prod(x[x > 2], start=2)
""".strip()  # fmt: skip


@pytest.mark.parametrize("expression", split(REDUCED))
def test_functions_of_python(expression, tmp_path):
    text = f"import math\ndef f(x, i, m):\n    return {expression}\n"
    function = namespace_of(text, tmp_path)["f"]
    for i in ([3, 0, 2], [1, 5, 1]):
        args = X, np.array(i), X[:6].reshape(2, 3) + [[-1], [1]]
        found, expected = outcome(ingot.jit(function), *args), outcome(function, *args)
        if isinstance(expected, Exception):
            assert type(found) is type(expected)
        else:
            assert_same(found, expected)
