"""`hasattr`, `getattr` with a default and class patterns, where a property, a slot or `__getattr__` says whether
there is an attribute."""

import copy
from functools import cached_property
from types import SimpleNamespace

import numpy as np
import pytest

import ingot
from oracle import assert_same


class Slotted:
    __slots__ = ("a", "b")


class Partly(Slotted):
    c = 3

    def __init__(self):
        self.a, self.d = 1.0, 2.0


class Checked:
    def __init__(self, x):
        self.x = x

    @property
    def root(self):
        if self.x < 0:
            raise AttributeError("negative")
        return np.ones(3) * self.x

    @property
    def absent(self):
        return self.nowhere

    @cached_property
    def twice(self):
        return self.x * 2

    @cached_property
    def never(self):
        return self.nowhere

    @property
    def wrong(self):
        raise ValueError("wrong")


class Asked:
    def __getattr__(self, name):
        if name.startswith("x"):
            return float(len(name))
        raise AttributeError(name)

    @property
    def xyz(self):
        return self.nowhere

    @property
    def absent(self):
        return self.nowhere


class Refusing:
    def __get__(self, owner, kind):
        raise AttributeError("refused")


class Base:
    refusing = Refusing()

    def known(self):
        return 1.0

    @property
    def absent(self):
        raise AttributeError("absent")


class Derived(Base):
    def asked(self):
        return (
            hasattr(super(), "known"), hasattr(super(), "unknown"), hasattr(super(), "absent"),
            getattr(super(), "unknown", 3.0), hasattr(super(), "owner"),
        )  # fmt: skip


def agree(f, *args):
    """The compiled function gives what the plain one does; the second call may need no Python."""
    expected = f(*copy.deepcopy(args))
    jitted = ingot.jit(f)
    for _ in range(2):
        assert_same(jitted(*copy.deepcopy(args)), expected)


def test_slots():
    names = ("a", "b", "c", "d", "e", "__dict__", "__len__")

    def known(o):
        return [hasattr(o, name) for name in names], getattr(o, "b", 3)

    agree(known, Partly())

    def set_and_deleted(o):
        o.b = 3.0
        before = hasattr(o, "b")
        del o.b
        return before, hasattr(o, "b")

    agree(set_and_deleted, Partly())


def test_properties():
    names = ("x", "absent", "twice", "never", "nothing")

    def known(o):
        return [(hasattr(o, name), getattr(o, name, -1.0)) for name in names]

    agree(known, Checked(2.0))

    def other_errors(o):
        return hasattr(o, "wrong")

    with pytest.raises(ValueError, match="wrong"):
        ingot.jit(other_errors)(Checked(2.0))


@pytest.mark.parametrize("x", [2.0, -2.0])
def test_properties_that_raise_at_run_time(x):
    def read(x):
        o = Checked(x)
        return getattr(o, "root", np.zeros(3)), hasattr(o, "root"), hasattr(o, "absent")

    agree(read, x)

    def summed(x):
        return np.sum(getattr(Checked(x), "root", np.zeros(3)))

    assert ingot.grad(summed)(x) == (3 if x > 0 else 0)


def test_getattr_methods():
    names = ("x1", "xyz", "absent", "y")

    def known(o):
        return [(hasattr(o, name), getattr(o, name, -1.0)) for name in names], o.xyz

    agree(known, Asked())


def test_descriptors_and_super():
    def asked(o):
        return hasattr(o, "refusing"), getattr(o, "refusing", 1), o.asked()

    agree(asked, Derived())


def test_values_that_are_no_instances():
    def known(x, n):
        space = SimpleNamespace(u=x)
        number = 1 if n > 2 else 2.0
        return (
            hasattr(space, "u"), hasattr(space, "v"), hasattr(space, "__dict__"),
            hasattr(range(n), "start"), hasattr(range(n), "length"), hasattr(number, "real"),
            hasattr(str(n), "lower"), hasattr(str(n), "text"), hasattr(x.sum(), "shape"),
        )  # fmt: skip

    agree(known, np.ones(3), 3)


def test_attributes_of_one_kind_of_number():
    def known(x):
        number = 1 if x > 2 else 2.0
        return hasattr(number, "numerator")

    for x in (2.0, 3.0):
        assert ingot.jit(known)(x) is known(x)


def test_class_patterns():
    def matched(o, p):
        match o:
            case Slotted(a=1.0, b=y):
                found = y
            case Slotted(a=y):
                found = y + 5
        match p:
            case Base(absent=y):
                return 1, found
            case Base(known=y):
                return 2, found

    agree(matched, Partly(), Derived())
