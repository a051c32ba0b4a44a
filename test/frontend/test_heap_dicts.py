"""Dicts, and containers read at keys and indices that are known only at run time."""

# ruff: noqa: F601

from collections import OrderedDict, defaultdict, namedtuple

import numpy as np
import pytest
from plain import Programs, same_for, same_or_refused

import ingot

programs = Programs()
#: What may be refused: it can't be known which one of several objects is meant, or how many.
hard = Programs()
X = np.array([1.0, -2.0, 3.5])
TABLE = {1: 10.0, 2: 20.0, -3: 30.0}
Pair = namedtuple("Pair", "first second")


# Methods and operators.


@programs(2.0)
def lookups(x):
    d = {"a": x, "b": 2}
    return d["a"], d.get("b"), d.get("c"), d.get("c", x), "a" in d, "c" not in d, len(d)


@programs(2.0)
def stores(x):
    d = {}
    d["b"] = x
    d["a"] = 1
    d["b"] = d["b"] * 2
    d["a"] += x
    d[1], d[(1, 2)] = 3, x
    return d, list(d)


@programs(2.0)
def removals(x):
    d = {"a": 1, "b": x, "c": 3}
    e = d
    a = d.pop("a")
    z = d.pop("z", x)
    last = d.popitem()
    return a, z, last, e


@programs(2.0)
def cleared(x):
    d = {"a": x}
    e = d
    d.clear()
    e["k"] = x
    return d, d is e


@programs(2.0)
def updates(x):
    d = {"a": 1, "b": 2}
    e = d
    d.update({"b": x, "c": 3})
    d.update(q=x, a=5)
    d.update([("z", 1), ("y", x)])
    d |= {"w": x}
    return e, d is e


@programs(2.0)
def unions(x):
    d, e = {"a": [1], "b": 2}, {"b": x}
    f = d | e
    f["a"].append(x)
    g = {**d, **e, "c": 1}
    return d, e, f, g, f["a"] is d["a"]


@programs(2.0)
def views_of_a_dict(x):
    d = {"a": 1, "b": x}
    keys, items, values = d.keys(), d.items(), d.values()
    before = list(keys)
    d["c"] = 3
    return before, list(keys), list(items), list(values), len(keys), "c" in keys, ("a", 1) in items


@programs(2.0)
def iterations(x):
    d = {"a": x, "b": 2 * x}
    out = []
    for key in d:
        out.append(key)
    for key, value in d.items():
        out.append((key, value))
    for value in reversed(list(d.values())):
        out.append(value)
    return out, sum(d.values()), max(d), sorted(d, reverse=True), list(reversed(d))


@programs(2.0)
def values_are_references(x):
    d = {"a": [1], "b": [2]}
    for value in d.values():
        value.append(x)
    for key, value in d.items():
        d[key] = value + [0]
    return d


@programs(2.0)
def made_in_many_ways(x):
    a = dict(k=1, m=x)
    b = dict([("k", 1), ("m", x)])
    c = dict(zip("km", (1, x)))
    d = dict(a)
    e = {k: v for k, v in a.items()}
    f = dict(a, n=3)
    g = a.copy()
    g["k"] = 0
    return a, b, c, d, e, f, g, a == b == c == d == e, d is a


@programs(2.0)
def from_keys(x):
    d = dict.fromkeys(["a", "b"], x)
    shared = dict.fromkeys("ab", [])
    shared["a"].append(x)
    return d, shared, dict.fromkeys(("a",))


@programs(2.0)
def copies_are_shallow(x):
    d = {"a": [1], "n": 1}
    e, f = d.copy(), dict(d)
    e["a"].append(x)
    e["n"] = 2
    return d, e, f, d["a"] is e["a"] is f["a"]


@programs(2.0)
def setdefault_in_all_cases(x):
    d = {"a": x}
    first = d.setdefault("a", 9.0)
    second = d.setdefault("b", [])
    second.append(x)
    third = d.setdefault("c")
    return d, first, second, third


@programs(2.0)
def grouped(x):
    groups = {}
    for word in ("apple", "bean", "avocado", "beet"):
        groups.setdefault(word[0], []).append(len(word) * x)
    return groups


@programs(2.0)
def comparisons(x):
    a = {"x": [1, 2], "y": {"z": 3}}
    b = {"y": {"z": 3}, "x": [1, 2]}
    return a == b, a != b, {"v": x} == {"v": 2.0}, {"v": x} == {"v": 1}, a is b, x


@programs(2.0)
def keys_compare_as_in_python(x):
    d = {1: "int", "1": "str", None: 0, True: "true", 2.0: x}
    return d, d[1.0], d[2], d[None], len(d)


@programs(2.0)
def nested_dicts(x):
    config = {"net": {"layers": [{"w": 1.0}, {"w": x}]}, "lr": 0.1}
    net = config["net"]
    for layer in net["layers"]:
        layer["w"] -= config["lr"] * layer["w"]
    net["depth"] = len(net["layers"])
    return config


@programs(2.0)
def as_keywords(x):
    def f(a, *rest, b=1, **others):
        others["z"] = b
        return a, rest, b, others

    d = {"b": x, "c": 3}
    return f(1, 2, **d), f(*[x, 4], **{"q": 5}), d


@programs(X)
def arrays_as_values(x):
    d = {"w": x, "b": np.zeros(3)}
    d["w"] -= 1
    d["b"] = d["b"] + d["w"]
    d["b"][0] = 7
    for name in d:
        d[name][2] = 5
    return d


@programs(2.0)
def set_and_delete_by_name(x):
    d = {"a": 1}
    d.__setitem__("b", x)
    d.__delitem__("a")
    return d, d.__contains__("a"), d.__getitem__("b"), d.__len__()


@programs(2.0)
def a_default_dict(x):
    d = defaultdict(list)
    d["a"].append(x)
    d["a"].append(1)
    return dict(d), len(d)


@programs(
    (defaultdict(list), 2.0), (defaultdict(float, {2.0: 3.0}), 1.5), (defaultdict(float, {2: 3.0}), 2),
    (defaultdict(int, {2: 3}), 4), (defaultdict(float, {2: 3.0}), "a"), (defaultdict(None, {2: 3.0}), 4),
)  # fmt: skip
def a_default_dict_of_the_caller(d, k):
    return d[k], len(d)


@programs((defaultdict(float, {1: 2.0}), 1), (defaultdict(float, {1: 2.0}), 3))
def added_to_a_default_dict_of_the_caller(d, k):
    d[k] += 1.5
    return d


@programs(2.0)
def an_ordered_dict(x):
    d = OrderedDict(a=1, b=x)
    d["c"] = 3
    return list(d.items())


# Run-time keys and indices over fixed structure.


@programs((1, 2.0), (2, 2.0), (-3, 2.0), (7, 2.0))
def get_at_run_time(k, x):
    return TABLE.get(k, -1.0), {1: 10.0, 2: 20.0}.get(k, x)


@programs(1, 2, -3, 0)
def item_at_run_time(k):
    d = {1: 10.0, 2: 20.0, -3: 30.0}
    return d[k] * 2


@programs((1, 0.5), (2, 0.5), (9, 0.5))
def store_at_a_run_time_key(k, x):
    d = {1: 10.0, 2: 20.0}
    if k in d:
        d[k] += x
    return d


@programs((1, 0.5), (9, 0.5))
def store_at_a_missing_run_time_key_raises_or_is_kept(k, x):
    d = {1: 10.0, 2: 20.0}
    d[k] -= x
    return d


@programs(1, 2, 5)
def guarded_lookup(k):
    d = {1: 10.0, 2: 20.0}
    return d[k] if k in d else -1.0


@programs(*range(-5, 6))
def element_at_run_time(i):
    l = [1.5, 2.5, 3.5, 4.5]
    return l[i]


@programs(*range(-4, 5))
def tuple_element_at_run_time(i):
    return (1.5, 2.5, 3.5)[i], i


@programs((0, 9.0), (2, 9.0), (-1, 9.0), (3, 9.0), (-4, 9.0))
def store_at_a_run_time_index(i, x):
    l = [1.0, 2.0, 3.0]
    k = l
    l[i] = x
    l[i] += 1
    return k, sum(l)


@programs((0, 1.0), (1, 1.0), (-1, 1.0), (2, 1.0))
def row_at_a_run_time_index(i, x):
    rows = [[1.0, 2.0], [3.0, 4.0]]
    row = rows[i]
    row[0] = x
    rows[i][1] += x
    return rows


@programs((0, X), (1, X), (-2, X), (-3, X))
def array_at_a_run_time_index(i, x):
    arrays = [x, x * 2]
    return arrays[i].sum() + arrays[i][0]


@programs((0, X), (1, X), (-2, X), (2, X))
def array_stored_to_at_a_run_time_index(i, x):
    arrays = [np.zeros(3), np.ones(3)]
    arrays[i][1:] = x[1:]
    arrays[i] += 1
    return arrays


@programs(0, 1, 2)
def named_tuple_at_run_time(i):
    return Pair(2.0, 3.0)[i]


@programs([0, 2, 1, 2], [1, -1, 0, 5])
def indices_of_an_argument(order):
    table = [10.0, 20.0, 30.0]
    total = 0.0
    for i in order:
        total = total * 2 + table[i]
    return total


@programs(5, 1, 0)
def counts_in_a_loop(n):
    counts = [0, 0, 0]
    for i in range(n):
        counts[i * i % 3] += 1
    return counts


@programs(5, 1, 0)
def counts_by_key(n):
    counts = {0: 0, 1: 0, 4: 0}
    for i in range(n):
        counts[i * i % 5] += i
    return counts


@programs(7, 0)
def parity_by_bool_key(n):
    sums = {True: 0, False: 0}
    for i in range(n):
        sums[i % 2 == 0] += i
    return sums


@hard(0, 1, 3)
def dispatch_on_a_run_time_index(i):
    steps = [lambda v: v + 1.0, lambda v: v * 2.0, lambda v: -v]
    return steps[i](3.0)


@programs("a", "b")
def static_key(k):
    d = {"a": 1.0}
    return d.get(k, 0.0)


# The same where no argument could be specialised on: keys and indices out of arrays.

I = np.array([1, 0, -2, 5])


@programs(*((I, k) for k in range(4)))
def element_at_an_array_element(a, k):
    i = a[k]
    return [1.5, 2.5][i]


@programs(*((I, k) for k in range(4)))
def store_at_an_array_element(a, k):
    l = [1.5, 2.5]
    l[a[k]] = 7.0
    return l


@programs(*((I, k) for k in range(4)))
def dict_at_an_array_element(a, k):
    return {0: 1.5, 1: 2.5}[a[k]]


@programs(*((I, k) for k in range(4)))
def get_at_an_array_element(a, k):
    return {0: 1.5, 1: 2.5}.get(int(a[k]), -1.0)


@programs(*((I, k) for k in range(4)))
def membership_of_an_array_element(a, k):
    d = {0: 1.5, 1: 2.5}
    return 1 if a[k] in d else 2, a[k] in (5, 6), a[k] in [0], a[k] not in {5}


@programs((I, 0.5), (I[:1], 0.5))
def histogram(a, x):
    d = {0: 0.0, 1: 0.0, -2: 0.0, 5: 0.0}
    for i in range(len(a)):
        d[a[i]] += x * i
    return d


@programs(np.array([0, 1, 1, 2]), np.array([0, 3]))
def histogram_in_a_list(a):
    counts = [0, 0, 0]
    for v in a:
        counts[v] += 1
    return counts


@hard((np.array([2.0]), 1), (np.array([0.5]), 1))
def index_that_is_a_condition(x, k):
    large = bool(x[0] > 1)
    return ["small", "large"][large] == "large", [10.0, 20.0][large], (k, 2 * k)[not large]


@programs((I, X), (I[1:], X))
def layers_at_a_run_time_index(a, x):
    layers = [{"w": x, "b": 1.0}, {"w": x * 2, "b": 2.0}]
    layer = layers[a[0]]
    return layer["w"] * layer["b"]


@programs({"k": 2.0, "b": 1.0}, {"b": 1.0, "k": 2.0})
def items_that_the_loop_changes(d):
    for key, value in d.items():
        d["b"] += value
    for value in d.values():
        d["k"] *= value
    return d


@programs(2, 0)
def list_in_a_dict_that_loops_change(n):
    d = {"w": [0.0], "k": 1}
    for _ in range(1, -1, -1):
        for _ in range(1):
            pass
        d["w"] += [1.0]
    for _ in range(n):
        d["w"][1:2] = [1.0]
    return d


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def pop_at_a_run_time_key(k, x):
    d = {1: 10.0, 2: 20.0}
    return d.pop(k, x), d


def new_key_at_run_time(k, x):
    d = {1: 10.0}
    d[k] = x
    return d


def pop_at_a_run_time_index(k, x):
    l = [x, 1.0, 2.0]
    return l.pop(k), l


def setdefault_at_a_run_time_key(k, x):
    d = {1: 10.0, 2: 20.0}
    return d.setdefault(k, x), d


CHANGE_STRUCTURE = (
    pop_at_a_run_time_key, new_key_at_run_time, pop_at_a_run_time_index, setdefault_at_a_run_time_key,
)  # fmt: skip


@pytest.mark.parametrize("k", [1, 2, -1, 5])
@pytest.mark.parametrize("f", CHANGE_STRUCTURE, ids=lambda f: f.__name__)
def test_keys_that_change_the_structure(f, k):
    same_or_refused(f, k, 1.0)
    same_or_refused(lambda a, x: f(a[0], x), np.array([k]), 1.0)


def test_a_default_dict_and_keys_known_at_run_time_only():
    def f(x):
        d = defaultdict(float, {1: 2.0, 3: 4.0})
        return d[int(x[0])]

    same_for(f, [(np.array([1.0]),), (np.array([3.0]),)])
    with pytest.raises(NotImplementedError, match="a defaultdict can't get a key"):
        ingot.jit(f)(np.array([2.0]))


@pytest.mark.parametrize("f, cases", hard)
def test_hard_programs(f, cases):
    for case in cases:
        same_or_refused(f, *case)


def comparisons_of_keys(d, e):
    is_same = d.keys() == {"a", "b"}, {"a", "b"} == d.keys(), d.keys() == e.keys()
    return is_same, d.keys() != {"a"}, d.keys() <= {"a", "b", "c"}, d.keys() == ["a", "b"]


def test_views_of_keys_are_compared_as_sets():
    for e in ({"b": 1.0, "a": 3.0}, {"a": 1.0}):
        d = {"a": 1.0, "b": 2.0}
        assert ingot.jit(comparisons_of_keys)(d, e) == comparisons_of_keys(d, e)


def test_a_comparison_of_views_of_items_is_refused():
    with pytest.raises(ingot.UnsupportedError, match="compare the dicts"):
        ingot.jit(lambda d: d.items() == {("a", 1.0)})({"a": 1.0})
