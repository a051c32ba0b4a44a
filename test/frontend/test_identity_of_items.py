"""Containers compare their items by identity first: NaN, and objects with a comparison of their own."""

import collections
import dataclasses
import math

import numpy as np
import pytest
from plain import Programs, same, same_for, same_or_refused

import ingot

programs = Programs()
NAN = float("nan")
NUMBERS = [
    (NAN,), (1.0,), (np.float64("nan"),), (np.float32("nan"),), (complex(NAN, 1),),
]  # fmt: skip
ROWS = [(np.array([NAN, NAN]),), (np.array([1.0, 2.0]),)]


@dataclasses.dataclass
class Plain:
    a: float
    b: float = 1.0


@dataclasses.dataclass(order=True)
class Ordered:
    a: float


Pair = collections.namedtuple("Pair", "x y")


@programs(*NUMBERS)
def equal(v):
    l, d = [v, 1.0], {"a": v}
    found = v in l, l.count(v), l == [v, 1.0], l == l, (v,) == (v,), d == d, d == {"a": v}
    return (
        *found,
        [v] != [v],
        Plain(v) == Plain(v),
        Pair(v, 1) == Pair(v, 1),
        math.nan in [math.nan],
    )


@programs((NAN,), (1.0,), (np.float64("nan"),))
def ordered(v):
    found = [v] <= [v], [v] < [v], [v, 1] < [v, 2], (v, 2) > (v, 1), Ordered(v) <= Ordered(v)
    return *found, Ordered(v) < Ordered(v)


@programs((NAN,), (2.0,))
def positions(v):
    l = [1.0, v, 3.0]
    l.remove(v)
    return [v].index(v), (1, v).index(v), (v,).count(v), l


@programs(*ROWS)
def items_of_arrays_are_new_objects(x):
    found = x[0] in [x[0]], [x[0]] == [x[0]], [x[0]].count(x[0]), x[0] in [x[1]], (x[0],) == (x[1],)
    y = x[0]
    l = [y, x[1]]
    items = [v for v in x]
    return *found, y in l, l.count(y), l[0] in l, l == l, items[0] in items, items == [v for v in x]


@programs((NAN,), (3.0,))
def results_of_operations_are_new_objects(v):
    found = (
        (v + 1) in [v + 1],
        [-v] == [-v],
        abs(v) in [v],
        v * 1 in [v],
        v**1 in [v],
        sum([v]) in [v],
    )
    kept = float(v) in [v], +v in [v], v.real in [v], v.conjugate() in [v], max(v, v) in [v]
    return found, kept


@programs((np.float64("nan"),), (np.float64(3.0),))
def results_of_numpy_are_new_objects(v):
    converted = float(v) in [v], np.float64(v) in [v], v.item() in [v], v.astype(float) in [v]
    kept = v.real in [v], v.T in [v]
    return converted, +v in [v], np.positive(v) in [v], v.copy() in [v], np.squeeze(v) in [v], kept


@programs((NAN, True), (NAN, False), (1.0, True))
def after_a_join(v, c):
    y = v if c else -v
    return y in [y], [y] == [y]


@programs((NAN, 3), (1.0, 3))
def in_a_loop(v, n):
    l = [v, v]
    c = i = 0
    while i < n:
        if v in l:
            c += 1
        i += 1
    return c


@programs((NAN,), (1.0,))
def nested(v):
    t = (v, 1), [v, {"q": v}]
    d = {"a": v}
    return t == t, t == ((v, 1), [v, {"q": v}]), v in d.values(), [t].index(((v, 1), [v, {"q": v}]))


@programs(([NAN, 1.0],), ([1.0, 1.0],))
def of_an_argument(l):
    return l == l, l[0] in l, l.count(l[0]), l == l[:], l == list(l), tuple(l) == tuple(l)


@programs((np.array([1.0, 2.0]),))
def arrays(a):
    return (
        a in [a],
        [a].index(a),
        a in [a + 1][:0],
        [a] == [a],
        (a, 1) == (a, 1),
        {"k": a} == {"k": a},
    )


class Never:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return False


class Counting:
    def __init__(self, v):
        self.v, self.calls = v, 0

    def __eq__(self, other):
        self.calls += 1
        return self.v == (other.v if isinstance(other, Counting) else other)


@programs(1.0)
def never_equal(v):
    a, b = Never(v), Never(v)
    found = a in [a], [a] == [a], [a] == [b], a in [b], [a].index(a), [b, a].count(a)
    return *found, a == a, a != a


@programs((1.0, 2.0, 3.0), (1.0, 1.0, 3.0), (1.0, 2.0, 1.0))
def comparisons_until_one_decides(x, y, z):
    a, b, c = Counting(x), Counting(y), Counting(z)
    found = a in [b, c], a in [b, c, a], [a, b] == [b, c], (a, b) != (c, b), [b, c].count(a)
    first = [b, c, x].index(x)
    return found, first, 1.0 in [a, b, c], a in (b, a), a in iter([b, c]), a.calls, b.calls, c.calls


@pytest.mark.parametrize(("f", "cases"), programs)
def test_agrees(f, cases):
    same_for(f, cases)


def joined(v, c):
    y = v if c else -v
    return y in [v]


def two_arguments(v, w):
    return v in [w], [v] == [w]


def a_constant(v):
    return math.nan in [v], v in (1.0, 2.0)


def grown(x):
    seen = []
    for v in x:
        if v not in seen:
            seen.append(v)
    return len(seen)


@pytest.mark.parametrize(
    ("f", "args", "harmless"),
    [
        (joined, (NAN, False), (1.0, True)), (two_arguments, (NAN, NAN), (NAN, 1.0)),
        (a_constant, (NAN,), (1.0,)), (grown, (np.array([NAN, 1.0, NAN]),), (np.array([1.0, 1.0]),)),
    ],
)  # fmt: skip
def test_nan_of_unknown_identity(f, args, harmless):
    same(f, *harmless)
    with pytest.raises(NotImplementedError, match="whether two NaN are one object"):
        ingot.jit(f)(*args)


def test_another_array_first():
    with pytest.raises(ValueError, match="truth value of an array"):
        ingot.jit(lambda a: a in [a + 1, a])(np.array([1.0, 2.0]))


@pytest.mark.parametrize("same_one", [True, False])
def test_arrays_that_may_be_one(same_one):
    def f(a, c):
        b = a if c else a + 1
        return a in [b]

    same_or_refused(f, np.array([1.0, 2.0]), same_one)


def test_hashes_of_nans_are_refused():
    """They depend on where the object lies, and another one runs the same program."""
    nan = float("nan")
    for value in (nan, -nan, complex(0, nan), np.float64(nan), (1, nan)):
        with pytest.raises(ingot.UnsupportedError, match="hash of a NaN"):
            ingot.jit(lambda x, v=value: hash(v) + x)(1)


def test_a_view_that_another_result_may_be():
    def f(x, y):
        v = (x + 1)[:]
        return y if x[0] > 0 else v, v

    def g(x, y):
        u = x + 1
        return y if x[0] > 0 else u[:1], u

    a, b = np.array([-1.0, 2.0]), np.array([3.0, 4.0])
    with pytest.raises(ingot.UnsupportedError, match="are one object"):
        ingot.jit(f)(a, b)
    same(g, a, b)
