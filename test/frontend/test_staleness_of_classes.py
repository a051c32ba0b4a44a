"""What a compiled program read of classes and instances may change: methods, properties, attributes."""

import types
from dataclasses import dataclass

import numpy as np
import pytest
from plain import follows, put

SCENES = []


def scene(make):
    """A function that makes a program afresh: (f, arguments, changes)."""
    SCENES.append(pytest.param(make, id=make.__name__))
    return make


# Instances.


@scene
def a_callable_instance():
    class Call:
        def __init__(self):
            self.k = 1

        def __call__(self, x):
            return x

    cl = Call()

    def f(x):
        return cl(x) + cl.k

    return f, (1.0,), [*put(cl, "k", 5, 1), *put(Call, "__call__", lambda self, x: x * 10)]


@scene
def a_callable_instance_as_argument():
    class Call:
        k = 1

        def __call__(self, x):
            return x + self.k

    o = Call()

    def f(o, x):
        return o(x) + o.k

    return f, (o, 1.0), [*put(o, "k", 5, 1), *put(Call, "k", 7), lambda: delattr(o, "k")]


@scene
def instances_inside_containers():
    class Thing:
        def __init__(self, v):
            self.v = v

    things = {"a": [Thing(1.0), Thing(2.0)]}

    def f(x):
        return x + sum(t.v for t in things["a"])

    return (
        f,
        (1.0,),
        [
            lambda: setattr(things["a"][1], "v", 5.0),
            lambda: things["a"].append(Thing(10.0)),
            lambda: things.update(a=[Thing(0.5)]),
        ],
    )


@scene
def the_class_of_an_instance():
    class A:
        def g(self, x):
            return x + 1

    class B:
        def g(self, x):
            return x * 10

    o = A()

    def f(x):
        return o.g(x)

    return f, (1.0,), put(o, "__class__", B, A)


# Classes.


@scene
def a_class_attribute():
    class A:
        k = 1

    def f(x):
        return x + A.k

    return f, (1.0,), put(A, "k", 5, 1, 2.5)


@scene
def a_list_in_a_class():
    class L:
        l = [1]

    def f(x):
        return x + L.l[0] + L().l[-1]

    return (
        f,
        (1.0,),
        [lambda: L.l.__setitem__(0, 5), lambda: L.l.append(7), lambda: setattr(L, "l", [0])],
    )


@scene
def an_inherited_attribute():
    class A:
        k = 1

    class B(A):
        pass

    def f(x):
        return x + B.k + B().k

    return f, (1.0,), [*put(A, "k", 5), *put(B, "k", 7), lambda: delattr(B, "k"), *put(A, "k", 1)]


@scene
def a_class_attribute_shadowed_by_an_instance():
    class A:
        k = 1

    o = A()

    def f(x):
        return x + o.k

    return f, (1.0,), [*put(A, "k", 5), *put(o, "k", 7), lambda: delattr(o, "k")]


@scene
def a_class_attribute_of_an_argument():
    @dataclass
    class D:
        v: float
        unit = 1.0

    def f(d):
        return d.v * d.unit

    return f, (D(2.0),), put(D, "unit", 5.0, 1.0, 2)


@scene
def a_metaclass_attribute():
    class Meta(type):
        k = 1

        def g(cls, x):
            return x + 1

    class A(metaclass=Meta):
        pass

    def f(x):
        return A.g(x) + A.k

    return f, (1.0,), [*put(Meta, "k", 5), *put(Meta, "g", lambda cls, x: x * 10), *put(A, "k", 0)]


@scene
def a_method():
    class Me:
        def g(self, x):
            return x + 1

    me = Me()

    def f(x):
        return me.g(x)

    old = Me.g
    return f, (1.0,), [*put(Me, "g", lambda self, x: x + 10, old), *put(me, "g", lambda x: x - 10)]


@scene
def a_method_of_a_base():
    class A:
        def g(self, x):
            return x + 1

    class B(A):
        def g(self, x):
            return super().g(x) * 2

    def f(x):
        return B().g(x)

    return f, (1.0,), put(A, "g", lambda self, x: x + 10, lambda self, x: x)


@scene
def the_bases_of_a_class():
    class A:
        def g(self, x):
            return x + 1

    class A2:
        def g(self, x):
            return x * 10

    class B(A):
        pass

    def f(x):
        return B().g(x)

    return f, (1.0,), put(B, "__bases__", (A2,), (A,))


@scene
def a_property():
    class P:
        _v = 1.0

        @property
        def v(self):
            return self._v

    p = P()

    def f(x):
        return x + p.v

    return f, (1.0,), [*put(P, "v", property(lambda self: 10 * self._v)), *put(P, "_v", 2.0)]


@scene
def a_property_of_an_argument():
    class P:
        def __init__(self):
            self.a = 1.0

        @property
        def v(self):
            return self.a

    def f(p, x):
        return x + p.v

    return f, (P(), 1.0), put(P, "v", property(lambda self: -self.a), 5.0)


@scene
def a_class_method_and_a_static_method():
    class A:
        @classmethod
        def c(cls, x):
            return x + 1

        @staticmethod
        def s(x):
            return x * 2

    def f(x):
        return A.c(x) + A.s(x)

    return (
        f,
        (1.0,),
        [*put(A, "c", classmethod(lambda cls, x: -x)), *put(A, "s", staticmethod(np.exp))],
    )


@scene
def an_operator():
    class V:
        def __init__(self, v):
            self.v = v

        def __add__(self, other):
            return self.v + other

    def f(x):
        return V(x) + 1

    return f, (1.0,), put(V, "__add__", lambda self, other: self.v * 100)


@scene
def an_initialiser():
    class V:
        def __init__(self, v):
            self.v = v

    def init(self, v):
        self.v = v * 3

    def f(x):
        return V(x).v

    return f, (1.0,), put(V, "__init__", init)


@scene
def a_getattr_given_later():
    class A:
        def __getattr__(self, name):
            if name != "k":
                raise AttributeError(name)
            return 1

    a = A()

    def f(x):
        return x + a.k

    return (
        f,
        (1.0,),
        [*put(A, "__getattr__", lambda self, name: 5), *put(A, "k", 7), *put(a, "k", 9)],
    )


@scene
def slots():
    class S:
        __slots__ = ("k",)

        def __init__(self):
            self.k = 1

    s = S()

    def f(x):
        return x + s.k

    return f, (1.0,), [*put(s, "k", 5, 1), lambda: delattr(s, "k")]


@scene
def a_descriptor():
    class Field:
        value = 1

        def __get__(self, instance, owner):
            return self.value

    class A:
        k = Field()

    def f(x):
        return x + A().k

    return f, (1.0,), put(Field, "value", 5, 1)


@scene
def the_result_of_isinstance():
    class A:
        pass

    class B:
        pass

    ns = types.SimpleNamespace(kind=A)

    def f(x):
        return x if isinstance(A(), ns.kind) else -x

    return f, (1.0,), put(ns, "kind", B, A, (A, B))


@pytest.mark.parametrize("make", SCENES)
def test_changes_are_followed(make):
    follows(*make())


def test_many_changes_back_and_forth():
    class A:
        k = 1
        flag = True

    def f(x):
        return x + A.k if A.flag else x - A.k

    changes = [c for i in range(10) for c in put(A, "k", i)] + put(A, "flag", False, True) * 5
    follows(f, (1.0,), changes)
