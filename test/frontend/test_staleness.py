"""What a compiled program read outside of its arguments is checked at each call: a change is followed."""

# ruff: noqa: B006

import builtins
import collections
import functools
import sys
import types

import numpy as np
import pytest
from plain import follows, put, written

X = np.array([1.0, -2.0, 3.5])

SCENES = []


def scene(make):
    """A function that makes a program afresh: (f, arguments, changes)."""
    SCENES.append(pytest.param(make, id=make.__name__))
    return make


def module(**names):
    made = types.ModuleType("made")
    vars(made).update(names)
    return made


# Globals and cells of closures.


@scene
def a_global_number():
    f = written("def f(x): return x + k", k=1)
    return (
        f,
        (1.0,),
        [
            lambda v=v: f.__globals__.update(k=v)
            for v in (5, 1, 2.5, 1, np.float32(2), True, None, 1)
        ],
    )


@scene
def a_global_array():
    f = written("def f(x): return x + k.sum()", k=np.ones(3))
    values = (np.zeros(3), np.ones(4), np.ones((2, 2), int), np.ones(3), 7)
    return f, (1.0,), [lambda v=v: f.__globals__.update(k=v) for v in values[:-1]]


@scene
def a_global_function():
    f = written("def f(x): return g(x)", g=lambda x: x + 1)
    g = f.__globals__["g"]
    return f, (1.0,), [lambda v=v: f.__globals__.update(g=v) for v in (lambda x: x * 5, np.sin, g)]


@scene
def a_global_that_goes():
    f = written("def f(x): return x + k", k=1)
    return f, (1.0,), [lambda: f.__globals__.pop("k"), lambda: f.__globals__.update(k=3)]


@scene
def a_builtin_shadowed_later():
    f = written("def f(x): return abs(x) + len((1, 2))")
    names = f.__globals__
    return (
        f,
        (-1.0,),
        [
            lambda: names.update(abs=lambda v: v * 10),
            lambda: names.update(len=lambda v: 100),
            lambda: names.pop("abs"),
            lambda: names.pop("len"),
        ],
    )


@scene
def a_shadowed_range_and_print():
    f = written("def f(x):\n    s = 0.0\n    for i in range(3): s += x * i\n    return s")
    return (
        f,
        (1.0,),
        [lambda: f.__globals__.update(range=lambda n: (7, 8)), lambda: f.__globals__.pop("range")],
    )


@scene
def a_closure_cell():
    k = 1

    def f(x):
        return x + k

    def change(v):
        nonlocal k
        k = v

    return f, (1.0,), [lambda v=v: change(v) for v in (5, 1, 2.5, 5)]


@scene
def a_function_in_a_closure():
    def g(x):
        return x + 1

    def f(x):
        return g(x)

    def change(v):
        nonlocal g
        g = v

    return f, (1.0,), [lambda v=v: change(v) for v in (lambda x: x * 7, lambda x: x - 1)]


@scene
def a_set_in_a_closure():
    s = {1}

    def f(x):
        return x + len(s) + (5 if 3 in s else 0)

    return f, (1.0,), [lambda: s.add(2), lambda: s.add(3), lambda: s.discard(2), s.clear]


@scene
def a_set_iterated():
    s = {1, 2}

    def f(x):
        return x + sum(s)

    return f, (1.0,), [lambda: s.add(30), lambda: s.remove(1)]


@scene
def a_list_in_a_closure():
    l = [1, [2.0], "a"]

    def f(x):
        return x + l[0] + l[1][0] + len(l)

    return (
        f,
        (1.0,),
        [
            lambda: l.__setitem__(0, 5),
            lambda: l[1].__setitem__(0, 7.0),
            lambda: l.append(0),
            lambda: l.__setitem__(1, [1]),
            lambda: l.pop(),
            lambda: l.__setitem__(0, 1),
        ],
    )


@scene
def a_dict_in_a_closure():
    d = {"a": 1, "b": {"c": 2.0}}

    def f(x):
        total = x
        for k, v in d.items():
            total += len(k) if k == "b" else v
        return total + d["b"]["c"] + d.get("z", 0)

    return (
        f,
        (1.0,),
        [
            lambda: d.update(a=5),
            lambda: d["b"].update(c=9.0),
            lambda: d.update(z=1),
            lambda: d.update(longer=1),
            lambda: d.pop("a"),
            lambda: d.update(a=1),
        ],
    )


@scene
def a_flag_that_toggles():
    ns = types.SimpleNamespace(flag=True)

    def f(x):
        return x * 2 if ns.flag else x - 2

    return f, (1.0,), put(ns, "flag", False, True, False, True, 0, 1, None)


@scene
def a_string_option():
    ns = types.SimpleNamespace(mode="sin")

    def f(x):
        return getattr(np, ns.mode)(x)

    return f, (1.0,), put(ns, "mode", "cos", "sin", "exp")


# Namespaces, modules, instances.


@scene
def a_namespace():
    ns = types.SimpleNamespace(z=1)

    def f(x):
        return x + ns.z

    return f, (1.0,), put(ns, "z", 5, 1, 2.5)


@scene
def a_nested_namespace():
    ns = types.SimpleNamespace(a=types.SimpleNamespace(b=[1.0]))

    def f(x):
        return x + ns.a.b[0]

    inner = ns.a
    return (
        f,
        (1.0,),
        [
            lambda: ns.a.b.__setitem__(0, 5.0),
            lambda: setattr(ns, "a", types.SimpleNamespace(b=[7.0])),
            lambda: inner.b.__setitem__(0, 100.0),
            lambda: setattr(ns, "a", inner),
        ],
    )


@scene
def an_attribute_added_later():
    ns = types.SimpleNamespace()

    def f(x):
        return x + (ns.z if hasattr(ns, "z") else 10) + getattr(ns, "y", 100)

    return (
        f,
        (1.0,),
        [lambda: setattr(ns, "z", 1), lambda: setattr(ns, "y", 2), lambda: delattr(ns, "z")],
    )


@scene
def nested_modules():
    inner = module(k=1, g=lambda x: x + 1)
    outer = module(inner=inner)

    def f(x):
        return outer.inner.g(x) + outer.inner.k

    return (
        f,
        (1.0,),
        [
            *put(inner, "k", 5, 1),
            *put(inner, "g", lambda x: x * 9),
            *put(outer, "inner", module(k=0, g=np.cos), inner),
        ],
    )


# Functions: defaults, code, attributes, partials.


def _helper():
    def g(x, k=1, *, m=0):
        return x + k + m

    def f(x):
        return g(x)

    return f, g


@scene
def defaults_of_a_helper():
    f, g = _helper()
    return f, (1.0,), put(g, "__defaults__", (5,), (1,), (2.5,))


@scene
def keyword_defaults_of_a_helper():
    f, g = _helper()
    return f, (1.0,), put(g, "__kwdefaults__", {"m": 5}, {"m": 0})


@scene
def a_value_in_keyword_defaults():
    f, g = _helper()
    return f, (1.0,), [lambda: g.__kwdefaults__.update(m=7), lambda: g.__kwdefaults__.update(m=0)]


@scene
def the_code_of_a_helper():
    f, g = _helper()
    old = g.__code__

    def other(x, k=1, *, m=0):
        return x * 100

    return f, (1.0,), put(g, "__code__", other.__code__, old)


@scene
def the_code_of_the_function():
    def f(x):
        return x + 1

    def other(x):
        return x * 100

    return f, (1.0,), put(f, "__code__", other.__code__, f.__code__)


@scene
def defaults_of_the_function():
    def f(x, k=1, *, m=0):
        return x + k + m

    return f, (1.0,), [*put(f, "__defaults__", (5,), (2.5,)), *put(f, "__kwdefaults__", {"m": 5})]


@scene
def a_mutable_default():
    def f(x, c=[1.0], *, d={"k": 1.0}):
        return x + c[0] + d["k"] + len(c)

    return (
        f,
        (1.0,),
        [
            lambda: f.__defaults__[0].__setitem__(0, 5.0),
            lambda: f.__defaults__[0].append(1),
            lambda: f.__kwdefaults__["d"].update(k=9.0),
        ],
    )


@scene
def a_mutable_default_of_a_helper():
    def g(x, c=[1.0]):
        return x + sum(c)

    def f(x):
        return g(x)

    return f, (1.0,), [lambda: g.__defaults__[0].append(2.0), lambda: g.__defaults__[0].clear()]


@scene
def an_attribute_of_a_function():
    def f(x):
        return x + f.k

    f.k = 1
    return f, (1.0,), put(f, "k", 5, 1, 2.5)


@scene
def a_partial():
    p = functools.partial(lambda x, k: x + k, k=1)

    def f(x):
        return p(x)

    return (
        f,
        (1.0,),
        [
            lambda: p.keywords.update(k=5),
            lambda: p.keywords.update(k=1),
            lambda: p.__setstate__((lambda x, k: x * k, (), {"k": 9}, {})),
        ],
    )


@scene
def a_bound_method_kept_in_a_name():
    class A:
        k = 1

        def g(self, x):
            return x + self.k

    a = A()
    g = a.g

    def f(x):
        return g(x)

    return f, (1.0,), [*put(a, "k", 5), *put(A, "k", 7), lambda: delattr(a, "k")]


@scene
def a_wrapped_helper():
    ns = types.SimpleNamespace(k=1)

    def shifted(g):
        @functools.wraps(g)
        def wrapper(x):
            return g(x) + ns.k

        return wrapper

    @shifted
    def g(x):
        return 2 * x

    def f(x):
        return g(x)

    return f, (1.0,), put(ns, "k", 5, 1)


@scene
def a_cell_two_levels_down():
    def make():
        k = 1

        def change(v):
            nonlocal k
            k = v

        def g(x):
            return x + k

        return g, change

    g, change = make()

    def f(x):
        return [h(x) for h in (g, g)][1]

    return f, (1.0,), [lambda: change(5), lambda: change(1)]


@scene
def a_function_of_numpy_replaced_by_name():
    names = {"act": np.tanh}

    def f(x):
        return names["act"](x)

    return f, (1.0,), [lambda v=v: names.update(act=v) for v in (np.sin, lambda x: x, np.tanh)]


@pytest.mark.parametrize("make", SCENES)
def test_changes_are_followed(make):
    follows(*make())


# State of the process.


def test_a_builtin_replaced_in_the_module_of_builtins(monkeypatch):
    f = written("def f(x): return abs(x)")
    follows(
        f,
        (-1.0,),
        [lambda: monkeypatch.setattr(builtins, "abs", lambda v: v * 7), monkeypatch.undo],
    )


def test_an_attribute_of_an_imported_module(monkeypatch):
    made = module(k=1)
    monkeypatch.setitem(sys.modules, "made_for_a_test", made)
    f = written("import made_for_a_test\ndef f(x): return x + made_for_a_test.k")
    follows(f, (1.0,), put(made, "k", 5, 1))


def test_an_array_of_a_closure_is_read_at_each_call():
    box = [X.copy()]

    def f(x):
        return x + box[0].sum()

    follows(f, (1.0,), [lambda: box[0].__iadd__(1), lambda: box.__setitem__(0, X * 9)])


def test_arrays_in_another_order():
    f = written("def f(x): return x + a.strides[0], a.ravel('K') * x, a * x", a=np.ones((2, 3)))
    orders = [
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(6.0).reshape(2, 3),
        np.arange(12.0).reshape(2, 6)[:, ::2],
        np.arange(6.0).reshape(3, 2).T,
    ]
    follows(f, (1.0,), [lambda a=a: f.__globals__.update(a=a) for a in orders])


def test_an_array_of_a_closure_keeps_its_order(check):
    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))

    def f(x):
        flat = a.ravel()
        flat[0] = x
        return flat, a.ravel("K") + 1, a.reshape(3, 2, order="A") * 1, a * x

    check(f, 9.0)


def test_a_deque():
    made = collections.deque([1, 2])
    f = written("def f(x): return x + len(made) + made[0] + sum(made)", made=made)
    follows(f, (1.0,), [lambda: made.appendleft(7), lambda: made.pop(), lambda: made.rotate(1)])
