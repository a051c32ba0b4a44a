"""Members of enum.Flag and enum.IntFlag: what Python computes with them is known at compile time."""

import enum

import numpy as np
import pytest

import ingot
from oracle import assert_same


class Options(enum.Flag):
    A = 1
    B = 2
    C = 4


class Numbers(enum.IntFlag):
    A = 1
    B = 2
    C = 4


def contains(x, flags):
    return x[0] + (1 if type(flags).A in flags else 0)


def counted(x, flags):
    return x[0] + len(flags) + sum(each.value for each in flags)


def masked(x, flags):
    return x[0] + (flags & type(flags).A).value if flags & type(flags).B else -x[0]


def inverted(x, flags):
    return (~flags).value, (flags ^ type(flags).A).value, flags == type(flags)(3), bool(flags)


def joined(x, flags):
    return flags | type(flags).C, flags.name, f"{flags.value}"


@pytest.mark.parametrize("f", [contains, counted, masked, inverted, joined])
@pytest.mark.parametrize("kind", [Options, Numbers])
def test_flags(f, kind):
    x = np.array([3.0])
    for flags in (kind.A | kind.B, kind.B, kind.C | kind.A | kind.B):
        assert_same(ingot.jit(f)(x, flags), f(x, flags))


class Inherited(enum.Flag):
    A = 1
    B = 2

    def __contains__(self, other):
        return not super().__contains__(other)


def test_operators_of_a_class_of_flags():
    with pytest.raises(ingot.UnsupportedError, match="may change unseen"):
        ingot.jit(contains)(np.array([3.0]), Inherited.A)


def in_a_number(x, flags):
    return x[0] in flags


def test_a_number_has_no_items():
    for g in (in_a_number, ingot.jit(in_a_number)):
        with pytest.raises(TypeError, match="argument of type 'int' is not iterable"):
            g(np.array([3.0]), 3)
