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


def test_a_negative_int_that_is_not_chosen():
    def largest(p, n):
        return max((p.sum(), n), (-1, 2))

    assert ingot.jit(largest)(BYTES, 7) == largest(BYTES, 7) == (3, 7)


def test_a_count_from_zero_needs_no_check():
    def total(p):
        s = 0
        for row in p:
            s = s + row.sum()
        return s

    p = np.arange(6, dtype=np.uint8).reshape(3, 2)
    found = ingot.jit(total)(p)
    assert found == total(p) and found.dtype == np.uint64


WIDE = np.array([2**63, 3], np.uint64)
CONVERTED = [
    lambda x: int(x[0]), lambda x: round(x[0]), lambda x: x[0].item(), lambda x: x.tolist(),
    lambda x: [int(v) for v in x], lambda x: int(x.max()) // 2, lambda x: int(x[:1].reshape(())),
    lambda x: int(x[0]) > 0,
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CONVERTED)))
def test_what_no_int_holds(number):
    f = CONVERTED[number]
    with pytest.raises(NotImplementedError, match="np.uint64 of 2\\*\\*63 or more"):
        ingot.jit(f)(WIDE)
    assert ingot.jit(f)(WIDE // np.uint64(4)) == f(WIDE // np.uint64(4))


def test_what_is_known_to_fit():
    def f(x):
        return int(x[0] % np.uint64(1000)), int(x[0] >> np.uint64(1)), float(x[0]), bool(x[0])

    assert ingot.jit(f)(WIDE) == f(WIDE)
