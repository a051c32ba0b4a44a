"""A Python int on one path and an `np.uint64` on another: no integers hold both."""

import numpy as np
import pytest

import ingot

BYTES = np.array([1, 2], np.uint8)


def by_expression(p, b, n):
    return p.sum() if b <= 1 else n


def by_literal(p, b, n):
    return p.sum() if b <= 1 or n > 0 else -1


def by_statement(p, b, n):
    if b <= 1:
        z = p.sum()
    else:
        z = n
    return z


def by_loop(p, b, n):
    z = n
    for i in range(3):
        if b < i:
            z = p.sum()
    return z


def by_while(p, b, n):
    z = n
    while b < 2:
        z, b = p.sum(), b + 1
    return z


def by_minimum(p, b, n):
    return min(p.sum(), n + int(b))


def by_item(p, b, n):
    return [p.sum(), n][int(b > 1)]


@pytest.mark.parametrize(
    "f", [by_expression, by_literal, by_statement, by_loop, by_while, by_minimum, by_item]
)
def test_a_negative_int_is_not_wrapped(f):
    compiled = ingot.jit(f)
    raised = 0
    for b in (0.0, 2.0):
        for n in (-3, 0, 5):
            expected = f(BYTES, b, n)
            try:
                found = compiled(BYTES, b, n)
            except NotImplementedError as error:
                assert "negative int" in str(error) and min(n, expected) < 0
                raised += 1
                continue
            assert found == expected
    assert raised > 0


def test_a_count_from_zero_needs_no_check():
    def total(p):
        s = 0
        for row in p:
            s = s + row.sum()
        return s

    p = np.arange(6, dtype=np.uint8).reshape(3, 2)
    found = ingot.jit(total)(p)
    assert found == total(p) and found.dtype == np.uint64
