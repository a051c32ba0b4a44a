"""Functions that change what they read by a name: each call goes on from the state that the last one left."""

# ruff: noqa: B006

import collections
import copy
import functools
import types

import numpy as np
import pytest
from plain import assert_same_outcome, outcome_of, same, written

import ingot

X = np.array([1.0, -2.0, 3.5])
SCENES = []


def scene(make):
    """A function that makes a program and its state afresh: (f, state)."""
    SCENES.append(pytest.param(make, id=make.__name__))
    return make


@scene
def a_counter_and_an_array():
    state = {"n": 0, "w": X.copy()}

    def f(x):
        state["n"] += 1
        state["w"] = state["w"] * x
        return state["n"]

    return f, state


@scene
def a_list_that_grows():
    seen = []

    def f(x):
        seen.append(x)
        return len(seen), sum(seen)

    return f, seen


@scene
def an_array_that_grows():
    state = {"w": np.ones(2)}

    def f(x):
        state["w"] = np.concatenate([state["w"], np.array([x])])
        return state["w"].sum()

    return f, state


@scene
def mutable_defaults():
    def f(x, acc=[], d={}, *, k={"n": 1}):
        acc.append(x)
        d["k"] = d.get("k", 0) + x
        k["n"] *= 2
        return acc, len(acc), k["n"] * x

    return f, (f.__defaults__, f.__kwdefaults__)


@scene
def keywords_of_a_partial():
    def g(x, *, k, seen):
        seen.append(k)
        return x * k

    p = functools.partial(g, k=2.0, seen=[])
    return (lambda x: p(x)), p.keywords


@scene
def a_set():
    held = {1, 2}

    def f(x):
        held.add(7)
        held.discard(1)
        return len(held), 3 in held, x

    return f, held


@scene
def an_optimiser():
    state = {"opt": {"m": [X * 0, X * 0], "t": 0}, "p": [X.copy(), X + 1]}

    def f(lr):
        state["opt"]["t"] += 1
        for i in range(2):
            state["opt"]["m"][i] = 0.9 * state["opt"]["m"][i] + state["p"][i]
            state["p"][i] -= lr * state["opt"]["m"][i]
        return state["p"][0].sum()

    return f, state


@scene
def a_namespace():
    o = types.SimpleNamespace(w=X.copy(), n=0, hist=[])

    def f(lr):
        o.w -= lr * o.w
        o.n += 1
        o.hist.append(o.n)
        o.last = o.w.copy()
        return o

    return f, o


class Slots:
    __slots__ = ("n", "seen")

    def __init__(self):
        self.n, self.seen = 0, []

    def step(self, x):
        self.n += 1
        self.seen.append(x)
        return x * self.n


@scene
def slots():
    s = Slots()
    return (lambda x: s.step(x)), s


class Lacking:
    def __init__(self):
        self.x = 1.0

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return len(name) * 2.0


@scene
def attributes_that_are_made():
    g = Lacking()

    def f(x):
        g.x += 1
        return g.abc * x + g.x

    return f, g


@scene
def a_defaultdict():
    d = collections.defaultdict(list)

    def f(x):
        d["a"].append(x)
        return len(d["a"]), len(d["b"])

    return f, d


@scene
def containers_that_are_returned():
    inner = [1.0, X.copy()]
    outer = {"l": inner}

    def f(x):
        inner[0] = x
        return inner, outer, outer["l"] is inner, inner[1]

    return f, (inner, outer)


@pytest.mark.parametrize("make", SCENES)
def test_each_call_goes_on_from_the_last(make):
    (plain, expected_state), (f, actual_state) = make(), make()
    compiled = ingot.jit(f)
    for x in (2.0, 2.0, 0.5, 3, 2.0):
        expected, actual = outcome_of(plain, (x,), {}), outcome_of(compiled, (x,), {})
        expected.arguments, actual.arguments = expected_state, actual_state
        assert_same_outcome(actual, expected, copy.deepcopy(actual_state), 1e-12)


def test_a_counter_recompiles_once():
    state = {"n": 0, "w": X.copy()}

    def f(x):
        state["n"] += 1
        state["w"] = state["w"] * x

    compiled = ingot.jit(f)
    for _ in range(6):
        compiled(2.0)
    assert state["n"] == 6 and len(compiled._compiled) <= 3


def test_an_argument_that_is_read_by_a_name_too():
    held, array = [1.0], np.ones(3)

    def appends(a):
        a.append(2.0)
        return len(held)

    def is_it(a):
        return a is held

    def stores(a):
        a[0] = 5.0
        return array.sum()

    def reads(a):
        return a[0] + held[0]

    for f, arg in ((appends, held), (is_it, held), (stores, array)):
        with pytest.raises(ingot.UnsupportedError, match="by a name|from outside"):
            ingot.jit(f)(arg)
    assert held == [1.0] and ingot.jit(reads)(held) == 2.0
    assert ingot.jit(appends)([]) == 1 and ingot.jit(is_it)([1.0]) is False


def test_a_builtin_that_is_shadowed_later():
    f = written("def f(x):\n    return abs(x) * 2\n")
    compiled = ingot.jit(f)
    assert compiled(-2.0) == 4.0
    f.__globals__["abs"] = lambda v: v * 10
    assert compiled(-2.0) == f(-2.0) == -40.0
    del f.__globals__["abs"]
    assert compiled(-2.0) == 4.0


# Arguments.


@pytest.mark.parametrize("keys", [(1,), (True,), (1.0,), (0.0,), (-0.0,), ((1, 2),), ((True, 2),)])
def test_equal_keys_of_other_types(keys):
    def f(d):
        return list(d), {key: value for key, value in d.items()}

    compiled = ingot.jit(f)
    for d in ({1: 2.0}, dict.fromkeys(keys, 2.0), {1.0: 2.0}):
        assert repr(compiled(d)) == repr(f(d))


def test_one_array_twice():
    def f(a, b):
        a[0] = 1
        return b.sum(), a is b

    compiled = ingot.jit(f)
    one, other = X.copy(), X.copy()
    assert compiled(one, other) == (X.sum(), False)
    assert compiled(one, one) == (X.sum(), True)
    same(lambda p: (p["a"] is p["b"], p["a"] + p["b"]), {"a": one, "b": one})


def test_transformations_take_one_array_twice():
    np.testing.assert_allclose(ingot.grad(lambda a, b: (a * b).sum())(X, X), X)
    np.testing.assert_allclose(ingot.vmap(lambda a, b: a * b)(X, X), X * X)
    slopes = ingot.grad(lambda p: (p["a"] * p["b"]).sum())({"a": X, "b": X})
    np.testing.assert_allclose(slopes["a"], X)
    np.testing.assert_allclose(slopes["b"], X)


def test_an_attribute_that_is_deleted_and_made_again():
    def f(o, x):
        del o.a
        o.a = x

    same(f, types.SimpleNamespace(a=1.0, b=2.0), 3.0)
    same(f, types.SimpleNamespace(a=1.0, b=2.0), 1.0)
