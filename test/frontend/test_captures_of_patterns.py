"""What patterns bind: names only where the whole pattern matches, by the attributes that classes name."""

import collections
import dataclasses
import typing

import numpy as np
import pytest
from plain import same_for

CASES = [(2, 1.5), (2, 1), (2, 3), (3, 5), (5, 5.0), (1, 0.5)]
Point = collections.namedtuple("Point", "p q")


class Typed(typing.NamedTuple):
    a: float
    b: int = 2


@dataclasses.dataclass
class Data:
    a: float
    b: int


def failing_sequence(n, s):
    i = 0
    match (n, s):
        case (i, 3):
            pass
    return i


def failing_star(n, s):
    i = j = 0
    match [n, s, n]:
        case [i, 3, *j]:
            pass
    return i, j


def failing_mapping(n, s):
    i = 0
    match {"a": n, "b": s}:
        case {"b": 3, "a": i}:
            pass
    return i


def failing_class(n, s):
    i = 0
    match Data(s, n):
        case Data(i, 3):
            return 1, i
        case Data(a=5.0, b=i):
            return 2, i
    return 3, i


def alternatives(n, s):
    match (n, s):
        case (i, 5) | (3, i):
            return i
    return -1


def guards(n, s):
    match (n, s):
        case (a, b) if a > b:
            return a
        case (a, b):
            return -b


def typed_tuple(n, s):
    match Typed(s, n):
        case Typed(a):
            return a


def typed_tuple_of_a_class(n, s):
    match Typed(s, n):
        case Typed(float()):
            return 1
        case _:
            return 2


def named_tuple(n, s):
    match Point(s, n):
        case Point(a, b):
            return a - b


def plain_tuple(n, s):
    match (n, s):
        case tuple(t):
            return t[0]


@pytest.mark.parametrize(
    "f",
    [
        failing_sequence, failing_star, failing_mapping, failing_class, alternatives, guards,
        typed_tuple, typed_tuple_of_a_class, named_tuple, plain_tuple,
    ],
)  # fmt: skip
def test_captures(f):
    same_for(f, CASES)


def test_captures_of_arrays():
    def f(x, n):
        y = x
        match (x * 2, n):
            case (y, 3):
                pass
        return y

    same_for(f, [(np.arange(3.0), 2), (np.arange(3.0), 3)])
