"""Instances: attributes, methods, inheritance, descriptors and users' operators, plain against compiled."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from plain import Programs, same, same_for, same_or_refused

import ingot

programs = Programs()
X = np.array([1.0, -2.0, 3.5])


class Recorder:
    def __init__(self):
        self.values = []
        self.count = 0

    def note(self, value):
        self.values.append(value)
        self.count += 1
        return self


@programs(1.0)
def list_of_an_instance(x):
    r = Recorder()
    r.values.append(x)
    return r.values


@programs(1.0)
def methods_change_the_instance(x):
    r = Recorder()
    s = r
    r.note(x).note(x + 1)
    return s.count, s.values, r is s, s


@programs(1.0)
def instances_in_containers(x):
    r = Recorder()
    all_of_them = [r, r, Recorder()]
    all_of_them[0].note(x)
    named = {"r": r}
    named["r"].count += 5
    return all_of_them, named


@programs(1.0)
def helper_changes_an_instance(x):
    def twice(recorder, value):
        recorder.note(value)
        recorder.count *= 10

    r = Recorder()
    twice(r, x)
    return r


@programs(1.0)
def bound_methods_are_values(x):
    r = Recorder()
    note = r.note
    note(x)
    for method in (r.note, note):
        method(2 * x)
    return r


@programs(1.0)
def attributes_made_later(x):
    r = Recorder()
    r.extra = x
    r.values = r.values + [x]
    del r.count
    r.pair = (r.values, x)
    r.values.append(3)
    return r


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


@programs(1.0)
def linked_list(x):
    head = None
    for i in range(4):
        head = Node(i * x, head)
    total, node = 0.0, head
    while node is not None:
        total += node.value
        node = node.next
    head.next.next.value = 100.0
    return total, head


@programs(1.0)
def shared_parts(x):
    shared = Node(x)
    a, b = Node(1, shared), Node(2, shared)
    a.next.value += 1
    b.next = Node(b.next.value)
    return a, b


# Dataclasses.


@dataclass
class State:
    pos: np.ndarray
    vel: np.ndarray
    log: list = field(default_factory=list)
    steps: int = 0
    unit: ClassVar[str] = "m"

    def move(self, dt):
        self.pos += dt * self.vel
        self.steps += 1
        self.log.append(self.pos.sum())

    @property
    def energy(self):
        return 0.5 * (self.vel**2).sum()

    @property
    def speed(self):
        return np.abs(self.vel)

    @speed.setter
    def speed(self, value):
        self.vel = np.sign(self.vel) * value


@programs(X)
def a_dataclass_that_moves(x):
    s = State(x * 1.0, np.ones(3))
    for _ in range(3):
        s.move(0.5)
    s.speed = 2.0
    s.pos[0] = 9.0
    return s, s.energy, s.unit, s.speed


@programs(X)
def a_dataclass_copied_with_changes(x):
    s = State(x, x * 2)
    t = replace(s, steps=4)
    t.log.append(1.0)
    return s, t, s.pos is t.pos


@dataclass
class Point:
    x: float
    y: float = 0.0


@programs(2.0, 3.0)
def dataclasses_compare_by_value(x):
    return (
        Point(x, 1.0) == Point(2.0, 1.0),
        Point(x) != Point(x),
        Point(1.0) == (1.0, 0.0),
        Point(1, 2) == Point(1, 2),
    )


@dataclass(frozen=True)
class Frozen:
    a: float


@programs(2.0)
def a_frozen_dataclass(x):
    f = Frozen(x)
    return f, f == Frozen(2.0), f.a


@dataclass(order=True)
class Version:
    major: int
    minor: int = 0


@programs(2, 1)
def ordered_dataclasses(n):
    return (
        Version(n) < Version(2, 1),
        max([Version(1), Version(n, 5)], key=lambda v: v.minor),
        Version(1) >= Version(n),
    )


class Pair(NamedTuple):
    a: float
    b: float = 1.0

    def total(self):
        return self.a + self.b


@programs(2.0)
def named_tuples(x):
    p = Pair(x)
    a, b = p
    return (
        p,
        p.total(),
        p._replace(b=x),
        p._asdict(),
        p == (2.0, 1.0),
        a + b,
        p[0],
        len(p),
        (2.0, 1.0) == p,
    )


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


@programs(2.0)
def slots(x):
    s = Slotted(x)
    s.b = [x]
    s.b.append(s.a)
    return s, hasattr(s, "b"), hasattr(s, "c")


# Classes: attributes, kinds of methods, inheritance.


class Base:
    scale = 2.0
    names = ("base",)

    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return self.w * x

    def __call__(self, x):
        return self.forward(x) * self.scale

    @classmethod
    def of(cls, w):
        return cls(w + 1)

    @staticmethod
    def twice(x):
        return 2 * x


class Derived(Base):
    scale = 3.0
    names = (*Base.names, "derived")

    def __init__(self, w, b):
        super().__init__(w)
        self.b = b

    def forward(self, x):
        return super().forward(x) + self.b

    @classmethod
    def of(cls, w):
        made = super().of(w - 1) if cls is Base else cls(w, 0.5)
        return made


class Third(Derived):
    def forward(self, x):
        return super(Derived, self).forward(x) - Base.forward(self, 1.0)


@programs(2.0)
def inheritance(x):
    a, b, c = Base(x), Derived(x, 1.0), Third(x, 5.0)
    return a(3.0), b(3.0), c(3.0), b.names, b


@programs(2.0)
def kinds_of_methods(x):
    return (
        Base.of(x),
        Derived.of(x),
        Base.twice(x),
        Derived(1, 2).twice(x),
        Base.forward(Base(x), 2.0),
    )


@programs(2.0)
def class_attributes_and_instance_attributes(x):
    a, b = Base(1.0), Base(1.0)
    a.scale = x
    return a.scale, b.scale, Base.scale, a(1.0), b(1.0), hasattr(a, "scale"), hasattr(b, "scaled")


class First:
    def tell(self):
        return ["first"]


class Left(First):
    def tell(self):
        return ["left", *super().tell()]


class Right(First):
    def tell(self):
        return ["right", *super().tell()]


class Both(Left, Right):
    def tell(self):
        return ["both", *super().tell()]


@programs(1.0)
def diamond(x):
    return (
        Both().tell(),
        isinstance(Both(), First),
        issubclass(Left, Right),
        type(Both()).__name__,
        x,
    )


class Temperature:
    def __init__(self, celsius):
        self._celsius = celsius
        self.reads = 0

    @property
    def fahrenheit(self):
        self.reads += 1
        return self._celsius * 1.8 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        self._celsius = (value - 32) / 1.8

    @cached_property
    def kelvin(self):
        return self._celsius + 273.15


@programs(100.0)
def properties(x):
    t = Temperature(x)
    first = t.fahrenheit
    t.fahrenheit = 50.0
    t.fahrenheit += 1.0
    return first, t._celsius, t.reads


@programs(100.0)
def cached_properties(x):
    t = Temperature(x)
    first = t.kelvin
    t._celsius = 0.0
    return first, t.kelvin, t


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner):
        return getattr(instance, self.name)

    def __set__(self, instance, value):
        setattr(instance, self.name, abs(value))


class Account:
    balance = Positive()

    def __init__(self, balance):
        self.balance = balance


@programs(-3.0)
def descriptors(x):
    a = Account(x)
    a.balance -= 10.0
    return a.balance, a


class Lazy:
    def __init__(self):
        self.asked = []

    def __getattr__(self, name):
        if name.startswith("_") or name == "asked":
            raise AttributeError(name)
        self.asked.append(name)
        return len(self.asked) * 1.5


@programs(1.0)
def getattr_of_a_class(x):
    lazy = Lazy()
    return lazy.a * x, lazy.b, lazy.asked, lazy.c


def test_the_dict_of_an_instance():
    def f(x):
        a, b = Base(1.0), Base(1.0)
        a.scale = x
        return "scale" in vars(a), "scale" in b.__dict__, vars(a)

    same_or_refused(f, 2.0)


# Private names.


class Spring:
    __stiffness = 3.0

    def __init__(self, x):
        self.__x = x
        self.doubled = self.__twice(2)

    def __twice(self, n):
        return n * 2

    @staticmethod
    def __above(value, __by=1):
        return value + __by

    @property
    def __size(self):
        return len(self.__x)

    def energy(self, __weight, *, __offset=0.5):
        def weighted():
            return self.__x[0] * __weight + __offset

        return weighted() + self.__stiffness * self.__x.sum() + self.__size

    def move(self, by):
        self.__x = self.__x + Spring.__above(by)
        self.__moved = True
        return self


class _Damped(Spring):
    __stiffness = 10.0

    def __init__(self, x):
        super().__init__(x * 2)
        self.__x = x

    def both(self):
        return self.energy(2.0) + self.__stiffness * self.__x.sum()


@programs(X)
def private_names(x):
    return Spring(x).energy(2.0), _Damped(x).both(), _Damped(x), Spring(x).doubled


@programs((_Damped(X), 0.5))
def private_names_of_an_argument(damped, by):
    return damped.move(by).energy(1.0), damped.both()


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def energy_of(state, dt):
    state.move(dt)
    return state.energy


def test_an_instance_as_argument():
    same(energy_of, State(X.copy(), X + 1), 0.5)


@pytest.mark.parametrize("name", [1.5, None, X], ids=repr)
@pytest.mark.parametrize("ask", [getattr, hasattr, delattr, lambda o, name: setattr(o, name, 1)])
def test_names_of_attributes_are_texts(ask, name):
    with pytest.raises(TypeError) as plain:
        ask(State(X, X), name)
    with pytest.raises(TypeError) as compiled:
        ingot.jit(lambda state, name: ask(state, name))(State(X, X), name)
    assert str(compiled.value).split("\n")[0] == str(plain.value)
