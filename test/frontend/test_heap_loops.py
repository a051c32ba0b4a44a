"""Containers and instances that change under run-time conditions and in run-time loops."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from plain import Programs, same_for, same_or_refused

programs = Programs()
X = np.array([1.0, -2.0, 3.5])


# Under a run-time condition, with one structure on all paths.


@programs(1.0, -1.0)
def stored_on_one_path(x):
    l, d = [0.0, 1.0], {"a": 0.0}
    k = l
    if x > 0:
        l[0] = x
        d["a"] += x
    return l, d, k is l


@programs(1.0, -1.0)
def appended_on_both_paths(x):
    l = []
    if x > 0:
        l.append(x)
    else:
        l.append(-x * 2)
    return l


@programs(1.0, -1.0)
def rebound_on_one_path(x):
    p = {"w": 1.0, "b": [2.0, 3.0]}
    if x > 0:
        p = {"w": p["w"] - x, "b": [x, x]}
    p["b"][0] += 1
    return p


@programs(1.0, -1.0)
def alias_kept_on_one_path(x):
    a = [0.0]
    b = [1.0]
    c = a if x > 0 else b
    c[0] = 5.0
    c[0] += x
    return a, b, c[0]


@programs(1.0, -1.0)
def nested_change_on_one_path(x):
    d = {"l": [[0.0], [1.0]]}
    row = d["l"][1]
    if x > 0:
        row[0] = x
        d["l"][0][0] -= x
    else:
        d["l"][1][0] = 9.0
    return d, row


@programs(1.0, -1.0)
def swapped_on_one_path(x):
    l = [[1.0], [2.0]]
    if x > 0:
        l[0], l[1] = l[1], l[0]
    l[0][0] += x
    return l


@programs(1.0, -1.0)
def sorted_on_one_path(x):
    l = [2.0, x]
    if x > 0:
        l.sort()
        l.reverse()
    return l


@programs((1.0, 2.0), (-1.0, 2.0), (1.0, -2.0))
def changed_in_a_helper_under_conditions(x, y):
    def clip(l, i):
        if l[i] < 0:
            l[i] = 0.0
            return True
        return False

    l = [x, y, 1.0]
    return clip(l, 0), clip(l, 1), l


@programs(1.0, -1.0)
def early_return_after_a_change(x):
    l = [x]
    l[0] *= 2
    if x > 0:
        return l
    l[0] = 0.0
    return l


@programs((X, 1.0), (X, -1.0))
def array_in_a_container_on_one_path(a, x):
    d = {"a": a}
    if x > 0:
        d["a"][0] = x
    return d["a"].sum()


@programs((X, 1.0), (X, -1.0))
def array_replaced_on_one_path(a, x):
    d = {"a": a}
    if x > 0:
        d["a"] = a * 2
    return d["a"] + 0, a


# Structure and identity that differ between the paths.


def identity_decided_at_run_time(x):
    a, b = [0.0], [1.0]
    c = a if x > 0 else b
    return c is a, c is b, c is not a


def appended_on_one_path(x):
    l = [1.0]
    if x > 0:
        l.append(x)
    return l


def key_added_on_one_path(x):
    d = {}
    if x > 0:
        d["a"] = x
    return d


def list_or_tuple(x):
    return [x] if x > 0 else (x,)


def attribute_on_one_path(x):
    s = Counter()
    if x > 0:
        s.extra = x
    return s


def popped_on_one_path(x):
    l = [1.0, 2.0]
    if x > 0:
        l.pop()
    return len(l)


# In run-time loops.


@programs((1.0, 5), (1.0, 0), (1.0, 1))
def rebuilt_dict(w, n):
    p = {"w": w}
    for _ in range(n):
        p = {"w": p["w"] - 0.5}
    return p


@programs((1.0, 50), (1.0, 0))
def stored_dict(w, n):
    p = {"w": w, "log": [0.0, 0.0]}
    for i in range(n):
        p["w"] = p["w"] * 0.9
        p["log"][1] += p["w"]
    return p


@programs((X, 50), (X, 0))
def updated_parameters(x, n):
    params = {"w": x * 1.0, "b": 0.5}
    for _ in range(n):
        grads = {"w": 2 * params["w"], "b": 2 * params["b"]}
        for k in params:
            params[k] = params[k] - 0.01 * grads[k]
    return params


@programs((X, 50), (X, 0))
def updated_in_place(x, n):
    params = {"w": x * 1.0, "b": np.zeros(2)}
    w = params["w"]
    for _ in range(n):
        g = {"w": 2 * params["w"], "b": params["b"] - 1}
        for k in params:
            params[k] -= 0.01 * g[k]
    return params, w, w is params["w"]


@programs((X, 20), (X, 0))
def momentum(x, n):
    params = [x * 1.0, x[:2] + 1]
    velocity = [np.zeros_like(p) for p in params]
    for _ in range(n):
        grads = [2 * p for p in params]
        velocity = [0.9 * v + g for v, g in zip(velocity, grads)]
        params = [p - 0.01 * v for p, v in zip(params, velocity)]
    return params, velocity


@programs(60, 0, 1)
def fibonacci_in_a_list(n):
    l = [0, 1]
    for _ in range(n):
        l[0], l[1] = l[1], l[0] + l[1]
    return l


@programs(20, 0, 1)
def rotated_lists(n):
    a, b = [1.0], [2.0]
    keep = a
    for _ in range(n):
        a, b = b, a
        a[0] += 0.5
    return a[0], b[0], keep[0]


@programs((1.0, 30), (1.0, 0))
def inner_changes_inside_nested_loops(x, n):
    m = [[0.0, 0.0], [0.0, 0.0]]
    for i in range(n):
        for j in range(i):
            m[0][1] += x * j
            m[1][0] = m[0][1] - i
    return m


@programs((100.0, 1.5), (0.5, 1.5))
def while_with_a_dict(x, by):
    s = {"x": x, "steps": 0}
    while s["x"] > 1:
        s["x"] /= by
        s["steps"] += 1
        if s["steps"] > 7:
            break
    return s


@dataclass
class Counter:
    count: int = 0
    total: float = 0.0
    history: list = field(default_factory=lambda: [0.0, 0.0])

    def add(self, value):
        self.count += 1
        self.total += value
        self.history = [self.history[1], value]

    @property
    def mean(self):
        return self.total / self.count


@programs((1.0, 40), (1.0, 1))
def object_in_a_loop(x, n):
    c = Counter()
    for i in range(n):
        c.add(x * i)
    return c, c.mean


@programs(40, 0)
def two_objects_exchanged(n):
    a, b = Counter(1), Counter(5)
    for i in range(n):
        a.add(1.0)
        a, b = b, a
    return a, b


@dataclass
class Particles:
    pos: np.ndarray
    vel: np.ndarray
    time: float = 0.0

    def step(self, dt):
        self.pos += dt * self.vel
        for i in range(len(self.pos)):
            if self.pos[i] > 2:
                self.pos[i] = 2.0
                self.vel[i] *= -1
        self.time += dt


@programs((X, 30), (X, 0))
def simulation(x, n):
    s = Particles(x * 1.0, np.ones(3))
    for _ in range(n):
        s.step(0.25)
    return s


class Adam:
    def __init__(self, params, lr=0.1):
        self.lr, self.t = lr, 0
        self.m = {k: np.zeros_like(v) for k, v in params.items()}
        self.v = {k: np.zeros_like(v) for k, v in params.items()}

    def step(self, params, grads):
        self.t += 1
        for k in params:
            self.m[k] = 0.9 * self.m[k] + 0.1 * grads[k]
            self.v[k] = 0.99 * self.v[k] + 0.01 * grads[k] ** 2
            mean = self.m[k] / (1 - 0.9**self.t)
            var = self.v[k] / (1 - 0.99**self.t)
            params[k] -= self.lr * mean / (np.sqrt(var) + 1e-8)


@programs((X, 50), (X, 1))
def optimiser_with_state(x, n):
    params = {"w": x * 1.0, "b": np.ones(2)}
    opt = Adam(params)
    for _ in range(n):
        opt.step(params, {"w": 2 * params["w"], "b": params["b"] - 3})
    return params, opt


@programs((30, 2), (0, 2))
def nonlocal_counter(n, by):
    count, calls = 0, [0]

    def bump():
        nonlocal count
        count += by
        calls[0] += 1
        return count

    for _ in range(n):
        bump()
    return count, calls


@programs(0, 3, 5, 7)
def a_nonlocal_that_a_loop_may_assign(n):
    for _ in range(2):
        if n < 4:
            continue
        elif n > 5:
            value = n + 1
        else:
            value = n - 1
        value = (value,)[0]

    def never_called():
        nonlocal value
        value = 1

    seen = n if n < 4 else value
    value = n
    return (1 if value else 2), seen


@programs((30, 2.0), (0, 2.0))
def two_levels_of_nonlocal(n, x):
    total = 0.0

    def outer():
        def inner(v):
            nonlocal total
            total += v

        inner(x)
        inner(total)

    for _ in range(n):
        outer()
        total *= 0.25
    return total


@programs((12, 1.0), (0, 1.0))
def a_maker_of_counters(n, x):
    def make(start):
        value = start

        def bump(by):
            nonlocal value
            value += by
            return value

        return bump

    a, b = make(0.0), make(10.0)
    for _ in range(n):
        a(x)
        b(a(x))
    return a(0.0), b(0.0)


@programs((X, 20), (X, 0))
def a_list_of_layers(x, n):
    layers = [[np.ones((3, 3)) * 0.1, np.zeros(3)], [np.eye(3), x * 0.1]]
    for _ in range(n):
        h = x
        for layer in layers:
            h = np.tanh(h @ layer[0] + layer[1])
        for layer in layers:
            layer[1] -= 0.1 * h
            layer[0][0, 0] += h[0]
    return layers


@programs(20, 3, 1)
def best_so_far(n):
    best = {"value": -1.0, "at": (0, 0)}
    for i in range(n):
        v = np.sin(i * 1.0)
        if v > best["value"]:
            best = {"value": v, "at": (i, i + 1)}
    return best["value"] * 1.0, best["at"]


@programs(50, 1)
def queue_of_fixed_length(n):
    q = [0.0, 1.0, 2.0]
    for i in range(n):
        first = q.pop(0)
        q.append(first * 0.5 + i)
    return q


@programs((X, 2, 3.0), (X, 0, 2.0), (X, 5, -4.0), quick=True)
def returned_from_a_loop_with_an_array_of_the_loop_around(x, n, c):
    y = x * 2
    for _ in range(4):
        if c > n:
            y = np.array(np.maximum(y, y.min()))
            n += 1
        j = 0
        while j < n:
            k = 0
            while k < 4 and c > k:
                k += 1
            if c + k > 3 * j:
                return [n, y]
            j += 1
    return [n, y]


@programs((3, {"x": np.arange(6.0).reshape(2, 3), "w": np.ones(3), "k": np.array([-1.0, 1.5])}))
def a_name_for_each_array_around_a_loop(n, arrays):
    for i in range(n):
        for _, w in arrays.items():
            j = 0
            while j < 3:
                arrays["k"][-2] += n / 3 + i
                w[0] += i
                j += 1
    return arrays


@programs((3, np.ones((2, 3)), np.arange(4), [1.5, 2.0]))
def a_name_for_an_array_and_a_list(n, a, b, c):
    for i in range(n):
        for w in (a, b, c):
            j = 0
            while j < 3:
                w[0] = w[0] + i
                j += 1
    return a, b, c


@programs((X, 20), (X, 1))
def local_containers_in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        parts = {"a": [x[0] * i], "b": []}
        parts["b"].append(i * 2.0)
        parts["a"] += parts["b"]
        total += sum(parts["a"])
    return total


@programs(([np.array([3])], 3), ([np.array([3])], 1), ([np.array([3])], 0))
def an_array_that_only_the_callers_list_has(l, n):
    for _ in range(n):
        x = 1 - l[0]
        l[0] = x
        x += 5
        l = [x]


@programs(({"b": np.array([3])}, 2), ({"b": np.array([3])}, 0))
def an_array_that_only_the_callers_dict_has(d, n):
    for _ in range(n):
        d["b"] = 1 - d["b"]
        d = {"b": d["b"]}
        d["b"] += 5


@programs(([[3.0]], 3), ([[3.0]], 0))
def a_list_that_only_the_callers_list_has(l, n):
    for _ in range(n):
        x = [1 - l[0][0]]
        l[0] = x
        x[0] += 5
        l = [x]


# Local functions lead to the names of the function around them, as they are before the loop.


@programs((X, 0), (X, 2))
def stored_after_a_loop_beside_a_local_function(x, n):
    def step(w):
        return w + x[0]

    for t in (1.0, 2.0):
        k = 0
        while k < n:
            y = np.floor(x)
            if x[0] < 0:
                return 0.0
            k += 1
        else:
            v = 1
            while v < n:
                y[-1] = -x[0] * t
                v += 1
    return step(1.0)


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def test_a_set_that_a_loop_adds_to():
    def f(found, n):
        while n > 0:
            found |= {1}
            n -= 1
        return found

    same_or_refused(f, {2, 3, 0}, 1)
    same_or_refused(f, {1, 2}, 0)


def test_a_condition_that_always_raises_after_an_iteration():
    def f(items):
        i = 0
        while items[1][i]:
            del items[1]
            i += 1
        return i

    same_or_refused(f, [1, X])
    same_or_refused(f, [1, X * 0])


DIFFERENT = (
    identity_decided_at_run_time,
    appended_on_one_path, key_added_on_one_path, list_or_tuple, attribute_on_one_path,
    popped_on_one_path,
)  # fmt: skip


@pytest.mark.parametrize("x", [1.0, -1.0])
@pytest.mark.parametrize("f", DIFFERENT, ids=lambda f: f.__name__)
def test_structure_that_differs_between_paths(f, x):
    same_or_refused(f, x)
