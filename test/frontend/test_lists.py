"""Lists whose length is dynamic: what makes them, their items, methods, results and bounds."""

import numpy as np
import pytest
from plain import Programs, refused, same, same_for

import ingot

programs = Programs()
X = np.round(np.random.default_rng(0).normal(size=31), 3)
NONE = np.full(31, -1.0)
CASES = [(X,), (-X,), (NONE,), (-NONE,)]


def positive(x):
    found = []
    for v in x:
        if v > 0:
            found.append(v)
    return found


@programs(*CASES)
def returned(x):
    return positive(x)


@programs(*CASES)
def an_array_of_it(x):
    return np.array(positive(x)), np.sum(positive(x)), np.sort(positive(x))


@programs(*CASES)
def two_appends_in_an_iteration(x):
    out = [1.0]
    for v in x:
        if v > 0:
            out.append(float(v) * 2)
        if v > 1:
            out.append(float(v))
    return len(out), out[-1], sum(out, 0.0), out


@programs(*CASES)
def both_paths(x):
    low, high = [], []
    for i in range(20):
        if x[i] > 0:
            high.append(i)
        else:
            low.append(i)
    return x[high], len(low), low[::-1], sorted(low), sum(low), low[2:-1]


@programs(*CASES)
def a_stack(x):
    stack, n = [0], 0
    for k in range(30):
        if not stack:
            break
        n += stack.pop()
        if x[k] > 0:
            stack.append(k)
            stack.append(k + 1)
    return n, stack


@programs(*CASES)
def nested_loops(x):
    pairs = []
    for i in range(20):
        for j in range(i):
            if x[i] > x[j]:
                pairs.append((i, j))
    total = 0
    for i, j in pairs:
        total += i * j
    return total, len(pairs), pairs


@programs(*CASES[:2])
def joined_and_changed(x):
    out = []
    for i in range(20):
        if x[i] > 0:
            out = [*out, float(x[i])] if i % 2 else out + [float(x[i])]
    out.extend(out)
    out += [1.0]
    del out[0]
    out.insert(1, 7.0)
    out[2] = 5.0
    popped = out.pop(1)
    out.reverse()
    out.sort()
    other = list(out)
    other.append(3.0)
    return out, popped, other, max(out), min(other), 5.0 in out, out.index(5.0), out.count(5.0)


@programs(*CASES)
def left_by_break(x):
    out = []
    for i in range(20):
        if x[i] > 0:
            out.append(i)
        if len(out) == 3:
            break
    else:
        out.append(100)
    return out[0], out[-1], len(out), out.index(out[-1]), out.count(out[0])


@programs(*CASES)
def one_of_two(x):
    a, b = [1, 2], [1, 2, 3]
    c = a if x[0] > 0 else b
    c.append(5)
    return a, b, c


@programs(*CASES)
def known_by_two_names(x):
    a = []
    for i in range(31):
        if x[i] > 0:
            a.append(i)
    b = a
    b.append(3)
    return a, b, {"again": a}


@programs(*[(x, [5]) for (x,) in CASES])
def an_argument(x, found):
    for i in range(31):
        if x[i] > 0:
            found.append(i)


@programs(*CASES)
def filtered(x):
    return (
        [v for v in x if v > 0],
        sum((v for v in x if v > 0), np.float64(0)),
        [(i, j) for i in range(10) for j in range(i) if x[i] > x[j]],
        any(v > 2 for v in x if v < 0),
        all(v > 2 for v in x if v > 0),
        sorted(v for v in x if v > 0),
        len([1 for v in x if v > 0]),
        max((i for i in range(31) if x[i] > 0), default=-1),
    )


@programs(*CASES)
def kept_by_filter(x):
    total = np.float64(0.0)
    for v in filter(lambda v: v > 0, x[x < 1]):
        total += v
    return (
        total,
        list(filter(lambda v: v > 0, x)),
        [v * 2 for v in filter(lambda v: v < 0, x)],
        np.zeros(len(list(filter(lambda k: k % 2, range(6))))),
    )


@programs(*CASES)
def the_first_that_is_found(x):
    return (
        next((i for i in range(9) if x[i] > 1), -1),
        next((v for v in x if v > 5), np.float64(0)),
        next((i for i in range(4)), 7),
    )


@programs(*CASES)
def items_of_selections(x):
    selected = x[x > 0]
    return list(selected), sorted(selected), list(enumerate(selected)), any(selected > 1)


@programs(*CASES)
def run_over_together(x):
    a, b = [float(v) for v in x if v > 0], [float(v) for v in x if v < 0]
    return (
        list(zip(a, b)),
        [i for i, v in enumerate(a) if v > 1],
        list(reversed(a)),
        list(map(lambda v: v * 2, a)),
        sum((u * v for u, v in zip(a, b)), 0.0),
    )


@programs((X, 5), (X, 0), (X, 9))
def as_many_as_run_time_says(x, k):
    k = ingot.bound(k, 9)
    return [i * 2 for i in range(k)], list(range(k)), [x[i] for i in range(k) if x[i] > 0]


@programs(27, 97, 1)
def bounded(n):
    steps = ingot.bound([], 120)
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps.append(n)
    return len(steps), sum(steps), steps


@programs(*CASES)
def a_queue(x):
    queue, seen, t = ingot.bound([0], 60), np.zeros(31), 0
    while queue:
        k = queue.pop(0)
        seen[k] = t
        t += 1
        for c in (2 * k + 1, 2 * k + 2):
            if c < 31 and x[c] > -0.5:
                queue.append(c)
    return seen


@programs([5, 3, 9, 1, 7, 3])
def sorted_by_halves(a):
    def halves(values):
        if len(values) < 2:
            return values
        middle = values[0]
        less = [v for v in values[1:] if v < middle]
        rest = [v for v in values[1:] if v >= middle]
        return less + [middle] + rest

    return halves(a)


@programs((3.0, [1.0, 2.0]), (0.0, [1.0, 2.0]))
def taken_from_a_list_of_known_length(x, l):
    l.remove(1.0 if x > 1 else 2.0)
    l.insert(0, x)
    return l, l.pop(1 if x > 1 else 0)


@programs(([5, 3, 4, 2, 1, 0], 0), ([5, 3, 4, 2, 1, 0], 2), ([5, 3, 4, 2, 1, 0], 4))
def slices_of_a_list_of_known_length(p, k):
    k = ingot.bound(k, 4)
    p[: k + 1] = p[k::-1]
    q = p[1:k]
    q[1:2] = p[k:]
    return p, q, p[k:]


@programs(*[([1, 2, 3, 4, 5, 6], np.array([k])) for k in (0, 2, 5, 6, 9, -2)])
def windows_of_a_list(p, ends):
    k = int(ends[0])
    q = p[k : k + 3]
    q.append(9)
    return q, p[k - 2 : k], len(p[k : k + 2])


@programs(*CASES)
def a_constant_returned_from_a_loop(x):
    def has(limit):
        for v in x:
            if v > limit:
                return True
        return False

    return has(2), 1 if has(1) else 2


@programs(*CASES)
def a_condition_of_lists_and_numbers(x):
    a, n = positive(x), 0
    for v in x:
        if a and a[-1] > v:
            n += 1
        if not a or v > 1:
            n += 10
    return n


# Numbers of several kinds: what is told of their kinds is no part of an array.


@programs((X,), (-X,))
def an_array_of_pairs_of_several_kinds(x):
    found = []
    for v in x:
        if v > 1:
            found.append((0.5, v))
        if v > 0:
            found.append((v, v))
    return np.array(found), np.ones(2) * found


@programs((X,), (-X,))
def operands_of_ufuncs(x):
    found = []
    for v in x:
        if v > 0:
            found.append(1)
            found.append(v)
    sums = np.add(found, 1), np.ones(1) - found
    return *sums, [2.0] * np.array(found), np.less(found, 1.5)


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def test_what_is_found_at_run_time_only():
    def pops(x):
        out = positive(x)
        out.pop()
        return out

    def index(x):
        return positive(x)[3]

    def removes(x):
        out = positive(x)
        out.remove(2.5)
        return out

    for f in pops, index, removes:
        same_for(f, CASES)


def test_a_list_that_outgrows_its_bound():
    def halves(n):
        found = ingot.bound([], 3)
        while n > 1:
            n //= 2
            found.append(n)
        return found

    compiled = ingot.jit(halves)
    assert compiled(9) == [4, 2, 1]
    with pytest.raises(ValueError, match="from 0 to 3"):
        compiled(100)


def test_what_nothing_bounds():
    def digits(x):
        n, found = int(x[0]), []
        while n > 0:
            found.append(n % 10)  # refused
            n //= 10
        return found

    text = refused(
        digits, np.array([1234.0]), match="grows in each iteration of a loop, and nothing says how"
    )
    assert "ingot.bound" in text


def test_items_of_one_type():
    def mixed(x):
        found = []
        for v in x:
            if v > 0:
                found.append(v)
            if v > 1:
                found.append("much")  # refused
        return found

    refused(mixed, X)


def test_static_lists_stay_static():
    """What compile time can know is still known, as the shape of an array."""

    def f(x):
        found = []
        for i in range(20):
            if i % 3 == 0:
                found.append(x[i])
        return np.zeros(len(found)) + np.array(found)

    assert ingot.jit(f).lower(X).signature.outputs[0][0] == (7,)
    same(f, X)


def test_gradients():
    def loss(x):
        found = [v**2 for v in x if v > 0]
        total = 0.0
        for i, v in enumerate(found):
            total += v * (i + 1)
        return total + sum(sorted(found)[:2], 0.0)

    x = np.array([0.5, -1.0, 2.0, 0.25])
    expected = [2 * 0.5 * 2, 0, 2 * 2.0 * 2, 2 * 0.25 * 4]
    np.testing.assert_allclose(ingot.grad(loss)(x), expected)


def test_batches():
    def f(x):
        found = [v for v in x if v > 0]
        return np.sum(found), len(found)

    x = np.random.default_rng(1).normal(size=(5, 8))
    sums, counts = ingot.vmap(f)(x)
    np.testing.assert_allclose(sums, [f(row)[0] for row in x])
    assert list(counts) == [f(row)[1] for row in x]


def as_numbers_of_numpy(x):
    return [x[i] for i in range(len(x)) if x[i] > 0]


def ints_and_floats(x):
    found = [1]
    for v in x:
        if v > 0:
            found.append(v)
    return np.array(found)


def pairs_of_positive(x):
    found = []
    for v in x:
        if v > 0:
            found.append((0.5, v))
    return np.array(found)


@pytest.mark.parametrize(
    ("f", "match"),
    [
        (ints_and_floats, "no number in this list is a float"),
        (pairs_of_positive, "this list is empty"),
    ],
)
def test_what_decides_the_type_of_an_array(f, match):
    same(f, X)
    with pytest.raises(NotImplementedError, match=match):
        ingot.jit(f)(NONE)


def test_exported():
    """A list of such a length is no result of an artifact; an array is."""
    with pytest.raises(ingot.UnsupportedError, match="lists of a length known only at run time"):
        ingot.export(positive, ingot.spec(31))
    with pytest.raises(ingot.UnsupportedError, match="lists of a length known only at run time"):
        ingot.export(as_numbers_of_numpy, ingot.spec(31))


def appends_none_to_rows(x):
    kept = []
    for each in x:
        if each > 5:
            break
        kept.append(each)
    kept.append(None)
    return kept


def stores_none_to_rows(x):
    kept = []
    for each in x:
        if each > 5:
            break
        kept.append((each, 1))
    kept[0] = None
    return kept


def joins_rows_and_none(x):
    kept = []
    for each in x:
        if each > 5:
            break
        kept.append(each)
    return [None, *kept] + kept


@pytest.mark.parametrize("f", [appends_none_to_rows, stores_none_to_rows, joins_rows_and_none])
def test_a_row_that_may_be_none_is_refused(f):
    with pytest.raises(ingot.UnsupportedError, match=r"test_lists.py:\d+:(?s:.*)items of one type"):
        ingot.jit(f)(np.arange(40.0) % 7)
