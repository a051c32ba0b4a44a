"""Lists that grow in run-time loops of a known number of iterations, and what is done with them after."""

import time

import numpy as np
import pytest
from plain import Programs, refused, same, same_for, same_or_refused

import ingot
from oracle import assert_same

programs = Programs()
X = np.linspace(-1.0, 1.0, 100)
TABLE = np.arange(300.0).reshape(100, 3) / 100


@programs(X)
def to_an_array(x):
    out = []
    for i in range(len(x)):
        out.append(x[i] * 2)
    return np.array(out), len(out)


@programs(TABLE)
def rows_stacked(x):
    hs = []
    h = np.zeros(3)
    for t in range(len(x)):
        h = np.tanh(h + x[t])
        hs.append(h)
    return np.stack(hs), hs[-1], hs[3], len(hs)


@programs(TABLE)
def rows_concatenated(x):
    hs = []
    for row in x:
        hs.append(row * 2)
    return np.concatenate(hs), np.vstack(hs), np.stack(hs, axis=1), np.array(hs).sum(axis=0)


@programs(X)
def reductions(x):
    out = []
    for v in x:
        out.append(v * v)
    return (
        sum(out),
        max(out),
        min(out),
        sum(out) / len(out),
        np.mean(out),
        np.sum(out),
        any(v > 2 for v in out),
    )


@programs(X)
def iterated_after(x):
    out = []
    for v in x:
        out.append(v + 1)
    total = 0.0
    for i, v in enumerate(out):
        total += i * v
    for a, b in zip(out, out[1:]):
        total += a * b
    return total


@programs((X, 7), (X, -100), (X, 99))
def indexed_at_run_time(x, k):
    out = []
    for v in x:
        out.append(v * 3)
    return out[k]


@programs(X)
def last_element_while_growing(x):
    out = [1.0]
    for v in x:
        out.append(out[-1] * 0.5 + v)
    return np.array(out)


@programs(X)
def elements_before_the_last(x):
    fib = [0.0, 1.0]
    for i in range(60):
        fib.append(fib[-1] + fib[-2])
    for i in range(60):
        fib.append(fib[i] * x[i])
    return np.array(fib), len(fib)


@programs(X)
def stored_after_growing(x):
    out = []
    alias = out
    for v in x:
        out.append(v)
        out[len(out) - 1] += 1
    alias[0] = 100.0
    return np.array(out), alias is out


@programs(X)
def grown_through_an_alias_and_a_helper(x):
    def put(l, v):
        l.append(v)

    d = {"out": []}
    out = d["out"]
    for v in x:
        put(d["out"], v * 2)
    return np.array(out), len(d["out"])


class Log:
    def __init__(self):
        self.values = []

    def add(self, v):
        self.values.append(v)


@programs(X)
def in_an_object(x):
    log = Log()
    for v in x:
        log.add(v)
    return np.array(log.values)


@programs(X)
def on_both_paths(x):
    out = []
    for v in x:
        if v > 0:
            out.append(v)
        else:
            out.append(v * v)
    return np.array(out)


@programs(X)
def several_at_once(x):
    a, b = [], []
    for v in x:
        a.append(v)
        a.append(-v)
        b += [v * 2, 1.0]
    return np.array(a), np.array(b)


@programs(TABLE)
def nested_loops(x):
    out = []
    for i in range(len(x)):
        for j in range(3):
            out.append(x[i, j] * j)
    return np.array(out).reshape(100, 3)


@programs(TABLE)
def rows_of_rows(x):
    rows = []
    for i in range(len(x)):
        row = []
        for j in range(3):
            row.append(x[i, j] + 1)
        rows.append(row)
    return np.array(rows)


@programs(TABLE)
def tuples(x):
    out = []
    for row in x:
        out.append((row[0], row.sum()))
    a = np.array([p[0] for p in out])
    first, second = out[-1]
    return a, first, second


@programs(X)
def dicts(x):
    out = []
    for v in x:
        out.append({"v": v, "w": 2 * v})
    return out[5]["w"], sum(o["v"] for o in out)


@programs(X)
def a_comprehension(x):
    out = [v * 2 for v in x]
    return np.array(out), np.array([np.sin(i * 0.1) for i in range(100)]), len(out)


@programs(X)
def reversed_and_sliced(x):
    out = []
    for v in x:
        out.append(v)
    out.reverse()
    return np.array(out), np.array(out[::-1]), np.array(out[10:20]), np.array(list(reversed(out)))


@programs(X[:20])
def the_list_itself(x):
    out = []
    for v in x:
        out.append(v * 2.0)
    return out


@programs(X)
def prefixes(x):
    out = [0.0]
    for i in range(len(x)):
        out.append(sum(out[-1:]) + x[i])
    return np.array(out)


@programs(TABLE)
def row_appended_then_changed(x):
    hs = []
    h = np.zeros(3)
    for row in x:
        hs.append(h)
        h += row
    return np.stack(hs), h


@programs(TABLE)
def row_copied_then_changed(x):
    hs = []
    h = np.zeros(3)
    for row in x:
        hs.append(h.copy())
        h += row
    return np.stack(hs), h


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def to_n(x, n):
    out = []
    for i in range(n):
        out.append(x[i])
    return np.array(out), len(out), sum(out)


def losses(x, n):
    w, seen = 1.0, []
    for _ in range(n):
        w -= 0.1 * (w - x[0])
        seen.append(w)
    return seen


@pytest.mark.parametrize("n", [0, 1, 5, 100])
@pytest.mark.parametrize("f", [to_n, losses])
def test_the_count_is_an_argument(f, n):
    same(f, X, n)


def popped_as_a_stack(x):
    stack = []
    for v in x:
        stack.append(v)
    total = 0.0
    for i in range(len(x)):
        total = total * 0.5 + stack.pop()
    return total, len(stack)


def filtered(x):
    out = []
    for v in x:
        if v > 0:
            out.append(v)
    return np.array(out)


def while_grows(x):
    out, v = [], x[0] + 5
    while v > 1:
        out.append(v)
        v *= 0.7
    return np.array(out)


def until_break(x):
    out = []
    for v in x:
        if v > 0.5:
            break
        out.append(v)
    return len(out)


@pytest.mark.parametrize(
    "f", [filtered, while_grows, until_break, popped_as_a_stack], ids=lambda f: f.__name__
)
def test_a_length_that_only_run_time_knows(f):
    same_or_refused(f, X)


def test_a_loop_that_appends_to_what_it_runs_over():
    def bounded(x):
        items = [0.0, 1.0]
        for v in items:
            if v > x:
                break
            if len(items) < 20:
                items.append(v + 1)
        return items[-1], v

    def unbounded(x):
        items = [0.0]
        for v in items:
            items.append(v + 1)
            if v > x:
                return v
        return x

    def until_it_raises(x):
        items = [x]
        for v in items:
            assert v > 5, "small"
            items += [v, items.count(x * 2)]

    for x in (0.5, 3.0, 100.0):
        same_or_refused(bounded, x)
    refused(unbounded, np.array(3.0), match="to the list that it iterates over")
    refused(until_it_raises, 3.0, match="to the list that it iterates over")


def lstm(x, w, u, b):
    n = len(b) // 4
    h, c, hs = np.zeros(n), np.zeros(n), []
    for t in range(len(x)):
        z = x[t] @ w + h @ u + b
        i, f, o, g = z[:n], z[n : 2 * n], z[2 * n : 3 * n], z[3 * n :]
        c = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        h = np.tanh(c) / (1 + np.exp(-o))
        hs.append(h)
    return np.stack(hs)


@pytest.mark.parametrize("steps", [100, 400])
def test_an_lstm_compiles_in_seconds(steps):
    rng = np.random.default_rng(1)
    w, u, b = rng.normal(size=(3, 32)), rng.normal(size=(8, 32)), rng.normal(size=32)
    x = rng.normal(size=(steps, 3))
    # The import of the libraries and the first program are no part of it.
    same(lstm, x[:2], w, u, b)
    start = time.perf_counter()
    ingot.jit(lstm)(x, w, u, b)
    seconds = time.perf_counter() - start
    same(lstm, x, w, u, b, rtol=1e-9)
    # A second on a machine of its own; others may share this one.
    assert seconds < 3, f"{seconds:.1f} s"


def left_by_break(x):
    found = []
    for i in range(30):
        found.append(i)
        if x[i] > 2:
            break
    return found


def left_in_the_first_iteration(x):
    found = []
    for _ in range(30):
        for each in x:
            found.append(each)
        break
    return found


def left_by_return(x):
    found = []
    for i in range(30):
        found.append(i)
        if x[i] > 2:
            return len(found)
    return len(found)


@pytest.mark.parametrize("f", [left_by_break, left_in_the_first_iteration, left_by_return])
def test_a_loop_that_ends_before_its_range_does(f):
    same_or_refused(f, np.arange(30.0))
    same_or_refused(f, np.zeros(30))


@pytest.mark.parametrize("first, second, count", [(1, 1, 0), (-1, 1, 0), (-1, 1, 1), (-1, -1, 0)])
def test_a_list_that_shrinks_where_no_path_goes_on(first, second, count):
    def f(x, n, s, items):
        if x[0] > 0:
            pass
        elif x[1] > 0:
            if n:
                del items[1]
            raise ValueError("no path goes on from here")
        else:
            raise ValueError("nor from here")
        return np.sum(x)

    args = np.array([first, second], float), count, 0.5, [1.0, 2.0, 3.0, 4.0]
    same(f, *args)
    for jacobian in (ingot.jacfwd, ingot.jacrev):
        derivative = jacobian(f, (0, 2, 3))
        if first > 0:
            assert_same(derivative(*args), (np.ones(2), np.array(0.0), [np.array(0.0)] * 4))
            continue
        with pytest.raises(ValueError, match=r"from here"):
            derivative(*args)
