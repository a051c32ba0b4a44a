"""Attributes that are set and deleted through properties, slots and methods of the class, and how instances are
made."""

import copy
import dataclasses
from abc import ABC, abstractmethod
from dataclasses import InitVar, dataclass, field

import numpy as np
import pytest
from plain import refused

import ingot
from oracle import assert_same


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class WithDict(Slotted):
    pass


class MoreSlots(Slotted):
    __slots__ = ("c",)
    k = 3


class Property:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = value + 1

    @x.deleter
    def x(self):
        self._x = -1.0

    @property
    def fixed(self):
        return 1.0


class Watched:
    def __init__(self, x):
        self.x = x

    def __setattr__(self, name, value):
        super().__setattr__(name, value)

    def __delattr__(self, name):
        object.__setattr__(self, "gone", 3.0)
        super().__delattr__(name)

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = value * 2

    @x.deleter
    def x(self):
        self._x = -5.0


@dataclass
class Doubling:
    a: float
    b: float = 2.0

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


@dataclass
class Initialised:
    a: float
    d: InitVar[float]
    e: InitVar[float] = 3.0
    f: float = field(init=False, default=4.0)
    g: list = field(default_factory=list)

    def __post_init__(self, d, e):
        self.a = self.a * d + e
        self.g.append(d)


@dataclass(frozen=True)
class Frozen:
    a: float


class Abstract(ABC):
    @abstractmethod
    def f(self): ...


class Concrete(Abstract):
    def f(self):
        return 3.0


class Tagging(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.tag = 1
        return made


class Tagged(metaclass=Tagging):
    pass


class Second:
    def __index__(self):
        return 1


def by_property(x):
    o = Property(x)
    o.x = x
    o.x += 2
    before = o.x
    del o.x
    return before, o.x, o._x


def by_methods(x):
    o = Watched(x)
    o.x = o.x + 1
    before = o.x
    del o.x
    return before, o.x, o.gone


def by_methods_of_object(x):
    o = Watched(x)
    object.__setattr__(o, "x", 5.0)
    before = o._x
    object.__delattr__(o, "x")
    return before, o._x


def of_slots(x):
    o, p, q = Slotted(x), WithDict(x), MoreSlots(x)
    o.b, p.z, q.c = x, x + 1, x + 2
    o.a += 1
    return o.a, o.b, p.z, q.c


def of_dataclasses(x):
    made, other = Doubling(x), Initialised(x, 2.0, e=x)
    return made.a, made.b, other.a, other.f, other.g, other.e, Initialised(x, d=1.0).a


def as_indices(x):
    return [1, 2, 3][Second()] * x, (x, x + 1)[Second()]


@pytest.mark.parametrize(
    "f", [by_property, by_methods, by_methods_of_object, of_slots, of_dataclasses, as_indices]
)
def test_changes_of_attributes(check, f):
    check(f, 2.0)


def test_a_slot_of_an_argument():
    def stored(o, x):
        o.b = x
        o.a += x
        return o.b

    plain, compiled = Slotted(1.0), Slotted(1.0)
    assert_same(ingot.jit(stored)(compiled, 2.0), stored(plain, 2.0))
    assert (compiled.a, compiled.b) == (plain.a, plain.b)


def unknown_slot(x):
    Slotted(x).z = x


def unknown_slot_by_name(x):
    MoreSlots(x).z = x


def of_the_class(x):
    MoreSlots(x).k = x


def without_setter(x):
    Property(x).fixed = x


def without_deleter(x):
    del Property(x).fixed


def frozen(x):
    Frozen(x).a = x


def frozen_deleted(x):
    o = Frozen(x)
    del o.a


def abstract(x):
    return Abstract()


@pytest.mark.parametrize(
    "f",
    [
        unknown_slot, unknown_slot_by_name, of_the_class, without_setter, without_deleter, frozen, frozen_deleted,
        abstract,
    ],
)  # fmt: skip
def test_what_python_raises(f):
    with pytest.raises((AttributeError, TypeError, dataclasses.FrozenInstanceError)) as plain:
        f(2.0)
    with pytest.raises(type(plain.value)) as compiled:
        ingot.jit(f)(2.0)
    assert str(compiled.value).startswith(str(plain.value))


def test_a_class_derived_from_an_abstract_one(check):
    check(lambda x: Concrete().f() * x, np.ones(2))


def test_a_metaclass_that_is_called_is_refused():
    refused(lambda x: copy.copy(Tagged().tag) * x, 2.0, match="metaclass with a `__call__`")
