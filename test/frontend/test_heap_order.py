"""The order of evaluation, and what is bound when: closures, defaults, augmented stores, unpacking."""

# ruff: noqa: B006

from typing import NamedTuple

import numpy as np
import pytest
from plain import Programs, same_for, same_or_refused

programs = Programs()
#: What may be refused: it can't be known which one of several objects is meant, or how many.
hard = Programs()
X = np.array([1.0, -2.0, 3.5])


@programs(1.0)
def calls_in_order(x):
    log = []

    def note(v):
        log.append(v)
        return v

    l = [0, 0, 0]
    l[note(1)] = note(2)
    l[note(0)] += note(3)
    d = {note("a"): note(x), note("b"): note(4)}
    t = note(5) + note(6) * note(7) if note(8) else note(9)
    u = (lambda a, b=1, *c: a)(note(10), *[note(11)], note(12))
    return log, l, d, t, u


@programs(1.0)
def the_default_is_evaluated_once_where_it_stands(x):
    fs, i = [], 10
    for i in range(3):

        def f(v, k=i, seen=[]):
            seen.append(v)
            return k, i, len(seen)

        fs.append(f)
    return [f(x) for f in fs], fs[0](x)


@programs(1.0)
def closures_see_the_last_value(x):
    fs = [lambda v: v * i for i in range(3)]
    gs = []
    for i in range(3):
        gs.append(lambda v: v + i)
    i = 100
    return [f(x) for f in fs], [g(x) for g in gs]


@programs(1.0)
def unpacking_from_left_to_right(x):
    l, i = [1, 2, 3], 0
    i, l[i] = 2, x
    (a, b), *c = [(l, i), 4, 5]
    a[b], b = b, a
    return l, i, b is l, c


@programs(1.0)
def chained_assignment_is_one_object(x):
    a = b = [x]
    c = d = {}
    a += [1]
    d["k"] = a
    e = f = g = x
    f += 1
    return a, b, c, d, a is b, e, f, g


@programs(X)
def augmented_arrays_are_the_same_object(x):
    y = x
    y += 1
    z = x
    z = z + 1
    t = (x, [x])
    t[1][0] *= 2
    return y is x, z is x, t[0] is x, x


@programs(1.0)
def tuples_are_rebound(x):
    t = (1,)
    u = t
    t += (x,)
    return t, u


@programs(1.0)
def keys_in_order_of_insertion(x):
    d = {"a": 1, "b": 2, "c": 3}
    del d["a"]
    d["a"] = x
    d["b"] = 5
    d.pop("c")
    d.update(z=0, b=x)
    return list(d), d


@programs(1.0)
def stable_sorts(x):
    l = [("b", 1), ("a", 1), ("c", 0), ("d", 1)]
    m = l
    l.sort(key=lambda p: p[1])
    return m, sorted(l, key=lambda p: -p[1]), sorted(l, key=lambda p: p[1], reverse=True)


@programs(-1.0, 1.0)
def sorts_by_keys_that_change_other_lists(x):
    l, seen = [3, 1, 2], []

    def key(v):
        seen.append(v)
        return v if x > 0 else -v

    l.sort(key=key)
    return l, seen


@programs((1.0, 2.0), (2.0, 1.0), (1.0, 1.0))
def equality_of_what_is_known_at_run_time(x, y):
    return (
        [x, 2.0] == [y, 2.0],
        (x, [y]) == (y, [x]),
        {"a": x} == {"a": y},
        [x] != [y],
        [[x]] == [[x]],
        x == y == 1.0,
    )


@hard((1.0, 2.0), (2.0, 1.0), (1.0, 1.0))
def order_of_sequences(x, y):
    return (
        (x, 1.0) < (y, 0.0),
        [x, y] <= [y, x],
        (x,) < (x, y),
        max((x, y), (y, x)),
        sorted([(x, 0), (y, 1)]),
    )


class Point(NamedTuple):
    x: float
    y: int


VALUES = (np.array([3.0, 1.0, 2.0, 1.0]), np.array([0.0, 0.0, -0.0, 1.0]), np.arange(1.0))


@programs(*[(x, [2, 0, 1, 0]) for x in VALUES])
def sorted_pairs(x, l):
    pairs = [(each, i) for i, each in enumerate(l)]
    pairs.sort(reverse=True)
    return (
        sorted(zip(x, l)),
        sorted(zip(l, x), reverse=True),
        sorted(((v, i) for i, v in enumerate(x)), key=lambda p: p[0], reverse=True),
        sorted(enumerate(x), key=lambda p: -p[1]),
        pairs,
    )


@programs(*VALUES)
def sorted_by_several_keys(x):
    points = [Point(v, i * 2) for i, v in enumerate(x)]
    points.sort(key=lambda p: (-p.x, p.y))
    ranks = sorted(range(len(x)), key=lambda i: (x[i], -i))
    return points, ranks, sorted(points)[0].x, sorted(points, key=lambda p: (p.x > 1, p.y))


@programs(1.0)
def none_and_identity(x):
    l = [x]
    return (
        x is None,
        l is not None,
        None is None,
        l is l[:],
        l == l[:],
        [None] == [None],
        (None,) != (0,),
    )


@programs(1.0)
def starred_arguments_are_new(x):
    def f(*args, **kw):
        kw["a"] = 5
        return args, kw

    l, d = [x, [2]], {"a": 1}
    args, kw = f(*l, **d)
    args[1].append(3)
    return args, kw, l, d


@programs(1.0)
def parameters_are_names(x):
    def f(l, n):
        l.append(n)
        l = [9]
        n += 1
        l.append(n)
        return l

    a, n = [x], 5
    return f(a, n), a, n


@programs(1.0)
def a_function_that_keeps_its_argument(x):
    kept = {}

    def keep(name, value):
        kept[name] = value
        return kept

    l = [x]
    keep("l", l)
    l.append(2)
    keep("m", l)["l"].append(3)
    return kept, l


@programs(1.0)
def a_method_that_returns_itself(x):
    class_free = {"log": []}

    def chain(v):
        class_free["log"].append(v)
        return chain

    chain(x)(2)(3)
    return class_free


@programs(1.0)
def lists_of_lists_rotated(x):
    l = [[1], [x], [3]]
    first = l[0]
    l = l[1:] + l[:1]
    l[-1].append(7)
    l[0], l[1] = l[1], l[0]
    return l, first, first is l[2]


@programs(1.0)
def conditional_and_default_values(x):
    config = None
    options = config or {"a": [x]}
    same_options = options or {}
    same_options["a"].append(1)
    e = [] or None or options["a"]
    e.append(2)
    return options, same_options is options


@programs(1.0)
def slices_are_copies_and_stores_through_them(x):
    l = [[1], [2], [3]]
    part = l[:2]
    part.append([9])
    part[0].append(x)
    l[1:] = part
    l[0].append(5)
    return l, part, l[1] is part[0] is l[0]


@programs(1.0)
def extended_by_itself(x):
    l = [1, x]
    l.extend(l)
    l += l
    l[len(l) :] = l[:1]
    return l


@programs(X)
def views_and_copies_inside_containers(x):
    d = {"view": x[:2], "copy": x.copy(), "x": x}
    d["view"][0] = 7
    d["copy"][1] = 8
    d["x"] *= 2
    rows = [r for r in np.stack([x, x])]
    rows[0][0] = 100
    return d["view"].sum(), d["copy"], x, rows[1]


@programs((X, 3), (X, 0))
def a_list_of_arrays_changed_in_a_loop(x, n):
    buffers = [np.zeros(3), np.ones(3)]
    first = buffers[0]
    for i in range(n):
        buffers[0] += x
        buffers[1] = buffers[1] * 0.5
        first[0] = i
    return buffers, first is buffers[0]


@hard((X, 5), (X, 4), (X, 0))
def double_buffers_in_a_list(x, n):
    buffers = [x * 1.0, np.zeros(3)]
    for _ in range(n):
        buffers[1][:] = buffers[0] * 0.5 + 1
        buffers[0], buffers[1] = buffers[1], buffers[0]
    return buffers[0].sum(), buffers[1].sum()


@hard((2.0, 5), (2.0, 1), (2.0, 0))
def a_cell_rebound_and_changed_in_a_loop(x, n):
    l = [0.0]
    outer = {"l": l}
    for i in range(n):
        l[0] += x
        l = [l[0] * 0.5]
    return outer["l"][0], l[0]


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def a_list_as_a_key(x):
    return {[1]: x}


def a_missing_key(x):
    return {"a": x}["b"]


def too_many_values(x):
    a, b = [1, 2, x]
    return a


def a_missing_argument(x):
    return (lambda a, b: a)(x)


def a_missing_attribute(x):
    return [x].shape


def a_tuple_stored_to(x):
    t = (1, 2)
    t[0] = x
    return t


def an_argument_given_twice(x):
    return dict(a=x, **{"a": 1})


def a_call_of_a_number(x):
    return x(1)


def a_sum_of_kinds(x):
    return [1] + (x,)


def an_order_of_kinds(x):
    return [x] < "a"


ERRORS = (
    a_list_as_a_key, a_missing_key, too_many_values, a_missing_argument, a_missing_attribute,
    a_tuple_stored_to, an_argument_given_twice, a_call_of_a_number, a_sum_of_kinds,
    an_order_of_kinds,
)  # fmt: skip


@pytest.mark.parametrize("f", ERRORS, ids=lambda f: f.__name__)
def test_errors_are_raised_or_said_when_compiled(f):
    assert same_or_refused(f, 1.0).error is not None


@pytest.mark.parametrize("f, cases", hard)
def test_hard_programs(f, cases):
    for case in cases:
        same_or_refused(f, *case)


def test_keys_that_change_the_sorted_list():
    def f(x):
        l = [3, 1, 2]
        l.sort(key=lambda v: l.append(v) or v)
        return l

    assert same_or_refused(f, 1.0).error is not None
