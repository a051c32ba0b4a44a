"""What a compiled function changes in its caller's containers and objects is seen by the caller."""

# ruff: noqa: B006

from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from plain import Programs, same, same_for, same_or_refused

import ingot

programs = Programs()
X = np.array([1.0, -2.0, 3.5])


@programs({"n": 1}, {"n": 2.5, "other": "text"})
def count_up(d):
    d["n"] += 1


@programs({"w": X, "b": 1.0})
def dict_of_arrays(d):
    d["w"] -= 0.5
    d["b"] = d["b"] * 2
    return d["w"].sum()


@programs(({"w": X, "b": 1.0}, X))
def array_replaced_in_a_dict(d, old):
    d["w"] = d["w"] * 2
    old[0] = 100
    return d


@programs(({}, 1.0), ({"a": 1}, 2.0))
def new_keys(d, x):
    d["x"] = x
    d["list"] = [x]
    d.setdefault("a", 5.0)


@programs({"a": 1, "b": 2.0, "c": [1]})
def removed_keys(d):
    del d["a"]
    c = d.pop("c")
    c.append(2)
    return c


@programs({"a": 1, "b": 2.0})
def cleared(d):
    d.clear()
    d["z"] = 1


@programs(([], 1.0), ([1, "a"], 1.0))
def appended(l, x):
    l.append(x)
    return len(l)


@programs(([3.0, 1.0, 2.0], 1.0))
def list_changes(l, x):
    l[0] = x
    l += [5.0, 6.0]
    l.insert(1, 7.0)
    last = l.pop()
    del l[2]
    l[-1] = l[-1] + last
    l.reverse()


@programs(([3.0, 1.0, 2.0],))
def sorted_in_place(l):
    l.sort()


@programs(([1.0, 2.0], 3))
def multiplied_in_place(l, n):
    l *= 2
    l[:1] = [0.0, n]
    return l


@programs(([[1.0], [2.0]], 5.0))
def nested_rows(rows, x):
    rows[0].append(x)
    rows[1][0] += x
    rows.append([x])


@programs(({"l": [{"n": 1}], "t": ([1.0], 2)}, 2.0))
def nested_deep(d, x):
    d["l"][0]["n"] += 1
    d["l"].append({"n": x})
    d["t"][0].append(x)


@programs(([X, X + 1],))
def arrays_exchanged_in_a_list(l):
    l[0], l[1] = l[1], l[0]
    l[0][0] = 9.0


@programs((set(), 1), ({1, 2}, 3))
def sets(s, n):
    s.add(7)
    s.discard(1)
    return len(s)


# Results that are arguments.


@programs([1.0, 2.0])
def the_list(l):
    return l


@programs([1.0, 2.0])
def the_list_changed(l):
    l.append(3.0)
    return l, l


@programs({"a": [1.0], "b": X})
def the_dict_and_parts(d):
    return d, d["a"], d["b"]


@programs(([1.0], [2.0]))
def one_of_two(a, b):
    return b, [a], {"a": a}


@programs(([1.0], [2.0]))
def stored_in_each_other(a, b):
    a.append(b)
    b.append(3.0)
    return a[1] is b


@programs(X)
def the_array(x):
    x[0] = 5
    return x, [x], {"x": x}


@programs(([1.0], X))
def copies_are_new(l, x):
    return list(l), l[:], x.copy(), l + []


# One object at several places.

SHARED = [1.0, 2.0]
ARRAY = np.zeros(3)


@programs((SHARED, SHARED), ([1.0], [1.0]))
def one_list_twice(a, b):
    a.append(5.0)
    b[0] = 7.0
    return a is b, len(b), a


@programs([SHARED, SHARED], [[1.0], [2.0]])
def one_list_twice_in_an_argument(rows):
    rows[0].append(9.0)
    return len(rows[1]), rows[0] is rows[1], rows


@programs({"a": SHARED, "b": SHARED, "c": [1.0]}, {"a": [1.0], "b": [1.0], "c": [1.0]})
def one_list_twice_in_a_dict(d):
    d["a"][0] = 100.0
    d["b"].append(d["a"][0])
    return d["b"]


@programs((SHARED, {"l": SHARED}))
def a_list_and_a_dict_with_it(l, d):
    d["l"].append(1)
    l.append(2)
    d["l"] = []
    d["l"].append(3)


@programs((ARRAY, {"a": ARRAY}, [ARRAY]), (ARRAY, {"a": ARRAY + 1}, [ARRAY + 2]))
def one_array_thrice(a, d, l):
    d["a"][0] = 1
    l[0][1] = 2
    a[2] = d["a"][0] + l[0][1]
    return a is d["a"], l[0] is a


# Objects.


class Model:
    bias = 0.5

    def __init__(self, w):
        self.w = w
        self.steps = 0
        self.log = []
        self.config = {"lr": 0.1}

    def step(self, batch):
        g = 2 * (self.w - batch)
        self.w -= self.config["lr"] * g
        self.steps += 1
        self.log.append(self.steps)
        return (g**2).sum()

    def train(self, batch, n):
        for _ in range(n):
            self.w = self.w - self.config["lr"] * (self.w - batch)
            self.steps += 1
        return self

    def __call__(self, x):
        self.steps += 10
        return self.w @ x + self.bias


@programs((Model(X), X * 0.5))
def a_model_as_argument(model, batch):
    return model.step(batch) + model.step(batch)


@programs((Model(X), 2.0))
def attributes_stored(model, x):
    model.w[0] = x
    model.extra = [x]
    model.log = model.log + [1]
    model.config["lr"] *= 0.5
    return model


@programs(([Model(X), Model(X + 1)], 1.0))
def models_in_a_list(models, x):
    for m in models:
        m.steps += 1
    models[0].log.append(x)
    models[0], models[1] = models[1], models[0]


@dataclass
class State:
    pos: np.ndarray
    t: float = 0.0
    tags: list = field(default_factory=list)


@programs((State(X), 1, 2.0), (State(X), -1, 2.0))
def a_dataclass(state, i, v):
    state.pos[i] = v
    state.t += 0.5
    state.tags.append("moved")
    return state


@programs((State(X), 5), (State(X), 0), (State(X), 30))
def a_dataclass_in_a_loop(state, n):
    for i in range(n):
        state.pos[i % 3] += 1
        state.t += 0.5


@programs((SimpleNamespace(a=1, l=[1.0]), 2.0))
def a_namespace(ns, x):
    ns.a += 1
    ns.b = x
    ns.l.append(x)


@programs((State(X), 1.0), (State(X), -1.0))
def changed_on_one_path(state, x):
    if x > 0:
        state.t = x
        state.pos[0] = x
    return state.t


@programs(({"w": X}, {"w": X * 0.5}, 40), ({"w": X}, {"w": X * 0.5}, 0))
def trained_in_place(params, target, n):
    for _ in range(n):
        for k in params:
            params[k] -= 0.1 * (params[k] - target[k])


@programs(({"w": X, "b": 1.0}, 40), ({"w": X, "b": 1.0}, 0))
def trained_by_stores(params, n):
    for _ in range(n):
        params["w"] = params["w"] * 0.9
        params["b"] = params["b"] - 0.1
    return params


@programs(({"w": X, "b": 1.0}, 40), ({"w": X, "b": 1.0}, 1))
def trained_anew(params, n):
    for _ in range(n):
        params = {k: v * 0.9 for k, v in params.items()}
    return params


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


# Bound methods, callable instances and partials under jit.


def test_a_bound_method_updates_its_instance():
    same(Model(X.copy()).step, X * 0.5)
    same(Model(X.copy()).train, X * 0.5, 30)


def test_calls_of_a_bound_method_go_on_from_each_other():
    plain, model = Model(X.copy()), Model(X.copy())
    step = ingot.jit(model.step)
    for i in range(5):
        np.testing.assert_allclose(step(X * i), plain.step(X * i), rtol=1e-12)
    np.testing.assert_allclose(model.w, plain.w, rtol=1e-12)
    assert (model.steps, model.log) == (plain.steps, plain.log) == (5, [1, 2, 3, 4, 5])


def test_a_callable_instance():
    same(Model(X.copy()), X + 1)


def test_a_partial():
    same(partial(Model.step, batch=X * 0.5), Model(X.copy()))
    same(partial(appended, [1.0]), 2.0)
    same(partial(nested_rows, x=5.0), [[1.0], [2.0]])


def test_keywords():
    def f(x, *rest, scale, **others):
        others["seen"].append(x)
        rest[0].append(scale)
        return sorted(others)

    same(f, 1.0, [2], scale=3.0, seen=[])


class Rows(list):
    pass


SUBCLASSES = (
    OrderedDict(a=1.0), defaultdict(list, {"a": [1.0]}), Rows([1.0]), (Rows([1.0]),), {"r": Rows()},
)  # fmt: skip


def touched(c):
    if isinstance(c, dict):
        c["new"] = 2.0
    elif isinstance(c, list):
        c.append(2.0)
    return c


@pytest.mark.parametrize("container", SUBCLASSES, ids=repr)
def test_subclasses_of_containers_stay_what_they_are(container):
    same_or_refused(touched, container)


def changes_then_fails(d, x):
    d["n"] += 1
    assert x > 0, "negative"
    d["n"] += 1


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_a_failing_check_after_a_change(x):
    same(changes_then_fails, {"n": 1.0}, x)


def one_by_a_condition(a, b, x):
    if x > 0:
        return a
    return b


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_one_argument_or_another(x):
    same_or_refused(one_by_a_condition, [1.0], [2.0], x)


# What is outside of the arguments: written back, or refused.


def a_list_of_a_closure():
    seen = []

    def f(x):
        seen.append(x)
        return len(seen)

    return f, seen


def a_dict_of_a_closure():
    counts = {"calls": 0, "sum": 0.0}

    def f(x):
        counts["calls"] += 1
        counts["sum"] += x
        return counts["sum"]

    return f, counts


def an_instance_of_a_closure():
    state = State(X.copy())

    def f(x):
        state.t += x
        state.pos[0] = x
        state.tags.append(x)
        return state.t

    return f, state


def an_attribute_of_a_class():
    class Count:
        n = 0

    def f(x):
        Count.n += 1
        return Count.n * x

    return f, Count


def a_mutable_default():
    def f(x, seen=[]):
        seen.append(x)
        return seen

    return f, f.__defaults__


def a_nonlocal_name():
    n, box = 0, []

    def f(x):
        nonlocal n
        n += 1
        return n * x

    return f, f.__closure__


def an_attribute_of_the_function():
    def f(x):
        f.calls += 1
        return f.calls * x

    f.calls = 0
    return f, vars(f)


OUTSIDE = (
    a_list_of_a_closure, a_dict_of_a_closure, an_instance_of_a_closure, an_attribute_of_a_class,
    a_mutable_default, a_nonlocal_name, an_attribute_of_the_function,
)  # fmt: skip


def shown(state):
    if isinstance(state, tuple):
        return [shown(getattr(part, "cell_contents", part)) for part in state]
    return repr(
        {k: v for k, v in vars(state).items() if k[0] != "_"}
        if hasattr(state, "__dict__")
        else state
    )


@pytest.mark.parametrize("make", OUTSIDE, ids=lambda f: f.__name__)
def test_state_outside_of_the_arguments(make):
    (plain, expected), (f, actual) = make(), make()
    compiled, before = ingot.jit(f), shown(actual)
    for x in (1.0, 2.0, 5.0):
        try:
            result = compiled(x)
        except ingot.CompileError:
            assert shown(actual) == before
            return
        assert repr(result) == repr(plain(x))
        assert shown(actual) == shown(expected)


def test_a_program_without_results():
    """Only the caller's objects are returned, and the arguments are many enough to be slow."""
    numbers = [{"k": float(i)} for i in range(10000)]
    kept = ingot.jit(lambda numbers: (numbers[1], numbers))(numbers)
    assert kept[0] is numbers[1]
    assert kept[1] is numbers
