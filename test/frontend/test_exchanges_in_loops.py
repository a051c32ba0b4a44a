"""Names, items and attributes that loops exchange, while other names are, or may be, the same arrays."""

import dataclasses

import numpy as np
import pytest
from plain import Programs, assert_same_outcome, call, describing, refused, same_for

import ingot

programs = Programs()
OPTIONS = [{}, {"native": False}, {"strict_fp": True}]
A, B = np.array([4.5, 2.5]), np.array([1.0, -2.5])
P, Q = np.array([4.5, 2.5, -2.0, 0.5, -1.5]), np.array([1.0, -2.5, 1.5, 2.0, -2.0])
X = np.array([3.0, 1.0, 4.0, 1.5, -5.0, 9.0])


@dataclasses.dataclass
class Pair:
    u: np.ndarray
    v: np.ndarray

    def exchange(self):
        self.u, self.v = self.v, self.u

    def is_falling(self):
        return self.u[0] > self.v[0]


# A loop exchanges arrays which a loop around it has exchanged: each may be either of the caller's.


@programs(
    (A, B), (A.astype(np.int64), B.astype(np.int64)), (A.astype(np.float32), B.astype(np.float32))
)
def exchanged_in_an_inner_while(a, b):
    for u in range(2):
        w = 0
        while w < 4 and a[0] > a[1]:
            w += 1
            a, b = b, a
            a[0] -= 1
    return a, b


@programs((X, np.zeros(6)), (np.zeros(6), X))
def relaxed(a, b):
    for level in range(3):
        k = 0
        while k < 50 and np.abs(a[1:-1] - b[1:-1]).max() > 1e-3:
            b[1:-1] = 0.5 * (a[:-2] + a[2:])
            a, b = b, a
            k += 1
        a[0] += 1.0
    return a, b


@programs((A, B, 5), (A, B, 1), (A, B, 0))
def exchanged_by_a_third_name(a, b, n):
    for u in range(n):
        w = 0
        while w < 4 and a.sum() < 9:
            w += 1
            t = a
            a = b
            b = t
            a[1] += w + u
    return a


@programs((P, Q, P[::-1].copy(), 4), (P, Q, P[::-1].copy(), 0))
def rotated_in_an_inner_while(a, b, c, n):
    for u in range(n):
        w = 0
        while w < 5 and a[0] + u > b[1]:
            w += 1
            a, b, c = b, c, a
            b[w % 5] += 2
        c[u] -= 1
    return b, a, c


@programs((A, B, 3), (A, B, 0))
def exchanged_in_an_inner_for(a, b, n):
    for u in range(n):
        for w in range(int(a[0]) % 4 + 1):
            a, b = b, a
            a[1] += w
    return a[1], b


@programs((A, B, 12), (A, B, 3))
def left_after_an_exchange(a, b, n):
    for i in range(12):
        a, b = b, a
        a[0] += 1
        if a[0] > n:
            break
    else:
        b[1] = 7
    return a, b


@programs((A, B, 6), (A, B, 0))
def exchanged_in_three_loops(a, b, n):
    for t in range(n):
        u = 0
        while u < 3 and a[1] < 20:
            u += 1
            w = 0
            while w < 3 and a[0] > b[0] - 5:
                w += 1
                a, b = b, a
                a[0] -= 2
            b[1] += 1
    return b


# Another name is one of the arrays.


@programs((P, Q))
def stored_by_a_name_of_one(a, b):
    p = b
    for u in range(20):
        w = 0
        while w < 4 and np.argmax(a) <= u // 3:
            w += 1
            a, b = b, a
            p[0] += w
    return p[0]


@programs((P, Q))
def stored_by_a_loop_and_a_name_of_one(a, b):
    p = b
    for u in range(2):
        w = 0
        while w < 4 and a[0] > a[1]:
            w += 1
            a, b = b, a
            for q in range(4):
                p[q] = w
    return p


@programs((P, Q), (Q, P))
def read_by_items_of_a_list(a, b):
    items = [a, b, a]
    for u in range(3):
        w = 0
        while w < 4 and items[u][0] < 9:
            w += 1
            a, b = b, a
            a[0] += items[2][1] + w
    return items[0][0], b


@programs((P, Q), (Q, P))
def stored_by_an_attribute(a, b):
    pair = Pair(a, a)
    for u in range(3):
        w = 0
        while w < 4 and a[0] < 12:
            w += 1
            a, b = b, a
            pair.v[0] += w
            pair.u[2] -= a[0]
    return pair.v, a


@programs((P, Q), (Q, P))
def read_by_an_inner_function(a, b):
    def first(x, y):
        w = 0
        while w < 5 and x[0] < 9:
            w += 1
            x, y = y, x
            x[0] += a[0] + 1
        return x[0] + a[0]

    return [first(a, b) for _ in range(2)]


@programs((P, Q, 3), (P, Q, 0))
def read_by_its_caller_afterwards(a, b, n):
    def exchanged(x, y):
        w = 0
        while w < n and x[0] < 9:
            w += 1
            x, y = y, x
            x[0] += 3
        return x

    for _ in range(2):
        c = exchanged(a, b)
        c[1] += a[0]
    return c is a, a, b


# Items and attributes are exchanged.


@programs([P, Q], [Q, P])
def items_exchanged(items):
    for u in range(3):
        w = 0
        while w < 4 and items[0][0] < items[1][1] + 9:
            w += 1
            items[0], items[1] = items[1], items[0]
            items[0][1] += w
    return items[0]


@programs(({"old": P, "new": Q}, 3), ({"old": P, "new": Q}, 0))
def values_exchanged(state, n):
    first = state["old"]
    for u in range(n):
        w = 0
        while w < 4 and state["old"][0] < 9:
            w += 1
            state["old"], state["new"] = state["new"], state["old"]
            state["old"][0] += first[1] + 4
    return first


@programs(Pair(P, Q), Pair(Q, P))
def attributes_exchanged(pair):
    kept = pair.u
    for u in range(3):
        w = 0
        while w < 4 and pair.is_falling():
            w += 1
            pair.exchange()
            pair.u[0] -= 1
            kept[1] += w
    return kept, pair.u


# Views are exchanged with other arrays: a store to one of them may be one to a part of an array.


@programs((X, 3), (X, 20), (X, 0))
def view_exchanged_with_a_buffer(x, n):
    a = x[1:-1]
    b = np.zeros(len(x) - 2)
    for i in range(n):
        b[:] = a * 0.5
        a, b = b, a
    return a.copy(), x


@programs((X, 3), (X, 20), (X, 0))
def reversed_view_exchanged_with_a_buffer(x, n):
    a = x[::-1]
    b = np.zeros(len(x))
    for i in range(n):
        b[1:] = a[:-1] * 0.5
        a, b = b, a
    return a.copy(), x


@programs((X, 3), (X, 20), (X, 0))
def views_of_one_array_exchanged(x, n):
    a, b = x[1:-1], x[:-2]
    for i in range(n):
        a[0] += b[1]
        a, b = b, a
    return a.copy(), x


@programs((np.arange(12.0).reshape(4, 3), 3), (np.arange(12.0).reshape(4, 3), 9))
def column_exchanged_with_a_buffer(m, n):
    a, b = m[:, 0], np.ones(4)
    for i in range(n):
        a[i % 4] += b[1]
        a, b = b, a
    return b.copy(), m


@programs((P,), (np.array([5, 0, 2]),), quick=True)
def array_exchanged_with_a_view_of_it_in_an_inner_loop(p):
    u = p[::-1]
    for i in range(2):
        v = 0
        while v < 2:
            v += 1
            u, p = p, u
            p[0] -= 1
    return p


# Items and attributes that an inner loop exchanges with a name, and names that are one object.


@programs([P, Q], [Q, P], quick=True)
def item_exchanged_with_a_name_in_an_inner_loop(items):
    w = items[0].copy()
    for i in range(3):
        while w[0] < 5 * i:
            w[...] += 1
            v = items[0]
            items[0] = w
            w = v
        w[1] *= 2
    return w


@programs(Pair(P, Q), Pair(Q, P), quick=True)
def attribute_exchanged_with_a_name_in_an_inner_loop(pair):
    w, v = pair.u.copy(), pair.u
    for i in range(3):
        while w[0] < 6:
            pair.u[1] -= 1
            w += 1
            pair.u, w = w, pair.u
        v[2] += w[2]
    return w, v


@programs((P,), (Q,))
def attribute_exchanged_until_a_break(a):
    pair = Pair(a, a.copy())
    for i in range(4):
        k = 0
        while True:
            k += 1
            if k > 3 or pair.v.max() > 6:
                break
            pair.u[1] += 1
            pair.u, pair.v = pair.v, pair.u
        pair.v[...] += pair.u
    return pair


@programs((P,), (Q,), quick=True)
def three_names_of_which_two_are_one(a):
    b = a.copy()
    c = b
    for i in range(3):
        if b[0] > 5:
            break
        c -= 1
        a, b, c = b, c, a
    return b, c


@programs((P, Q), (Q, P))
def names_exchanged_in_a_chain_of_inner_loops(a, b):
    for i in range(3):
        a[1] = b[0]
        while a[0] < 4:
            if a[1] > 6:
                break
            a, b = b, a
            a += 1
            b[1] = a[0]
        while b[0] < 5:
            if b[1] > 7:
                break
            a, b = b, a
            b += 1
            a[1] = b[0]
    return a


# An array that an arm has, and one that a join in it has made and that may be it.


@programs((A, B, 0), (A, B, 1), (A, B, 2))
def of_an_iteration_that_returns(a, b, n):
    for y in range(2):
        for w in (1, 1):
            u = a.copy()
            x = a
            for v in range(n):
                u, a = a, u
        for z in range(3):
            a[1:] = x[:-1]
            a[0] += x[1]
        return 1
    return None


@programs((A, B, 0), (A, B, 1), (A, B, 2))
def of_an_endless_loop_that_returns(a, b, n):
    while True:
        for w in (1, 1):
            u, x = b, a
            for v in range(n):
                u, a = a, u
        for z in range(2):
            a[1] = x[0] + 1
            x[0] = u[1] - a[1]
        return y_of(a, x)


def y_of(a, x):
    return a[0] - x[1]


@programs((A, 1), (A, 0), (B, 2), quick=True)
def where_one_path_binds_another_name(a, n):
    if n:
        b, kept, k = B * 2, a, 0
        while k < n:
            a, b = b, a
            k += 1
    return a


@programs((A, 1), (A, 0), (A, 2), quick=True)
def in_a_dict_where_one_path_binds_another_name(a, n):
    d = {"w": 1, "k": a}
    if n:
        kept = a
        for i in range(2):
            for j in range(3):
                d["k"], a = a, d["k"]
    return d


# Containers that iterations make, each time anew, and that hold what was there before.


@programs((P, 2), (P, 0))
def of_dicts_with_one_array(p, n):
    with np.errstate(all="ignore"):
        for x in range(n):
            w = 0
            for y, v in enumerate(p):
                number = (
                    np.where(not y >= w, (v <= w if y > 1.0 else y >= x) * 1, np.abs(p[2:]).sum())
                )[()]  # fmt: skip
                u = [{"x": 2.0, "v": p}, {"x": number, "v": p}]
                last = u[-1]["x"]
                u[0]["v"], p = p, u[0]["v"]
                np.maximum(p, p[[-1, 0, -1, 1, 2]])
            u[1]["v"][1] = last


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(("f", "cases"), programs)
def test_exchanges(f, cases, options):
    compiled = ingot.jit(f, **options)
    for args in cases:
        expected = call(f, args, {})
        with describing(f, args):
            assert_same_outcome(call(f, args, {}, lambda _: compiled), expected, (args, {}), 1e-12)


def test_a_view_exchanged_as_often_as_run_time_tells():
    def f(x):
        a, b = x[1:-1], np.zeros(len(x) - 2)
        while a[0] < 50:
            b[:] = a + 1  # refused
            a, b = b, a
        return a.copy()

    def of_a_copy(x):
        a, b = x[1:-1].copy(), np.zeros(len(x) - 2)
        while a[0] < 50:
            b[:] = a + 1
            a, b = b, a
        return a.copy()

    refused(f, X, match="may share its memory.*\n.*\n.*\nhint: make a copy first")
    same_for(of_a_copy, [(X,)])
