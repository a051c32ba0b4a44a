"""Iterators give their items one by one, when they are asked for: what changes meanwhile is seen."""

import itertools

import numpy as np
import pytest
from plain import Programs, refused, same, same_for

import ingot

programs = Programs()
L = [1.5, 2.5, 3.5]


@programs((L, 2.0))
def mapped_with_a_name_that_changes(l, x):
    k, out = x, []
    for v in map(lambda v: v * k, l):
        out.append(v)
        k += 1
    return out


@programs((L, 2.0))
def generated_with_a_name_that_changes(l, x):
    k, out = x, []
    for v in (v * k for v in l):
        out.append(v)
        k += 1
    return out


@programs((L, 2.0))
def assigned_after_it_was_made(l, x):
    k = 1
    one, two = map(lambda v: v * k, l), zip(l, (v * k for v in l))
    k = x
    return list(one), list(two)


@programs((L, 2.0))
def called_when_asked(l, x):
    log = []

    def g(v):
        log.append(v)
        return v + x

    one = map(g, l)
    before = len(log)
    first = next(one)
    return before, first, list(log), list(one), log


@programs((4.0,), (0.0,))
def what_decides_is_the_last_taken(x):
    found = []
    for over in ([1, 2, 3, 4], [0, 2, 0, 4], [0, 0]):
        one, two, three, four = (iter(over) for _ in range(4))
        found += [any(one), list(one), all(two), list(two), 2 in three, list(three)]
        try:
            a, b = four
        except ValueError:
            a = b = 0
        found += [a, b, list(four)]
    return found, x


@programs((L, 2.0), (L, 3.0), (L, 9.0))
def what_follows_is_not_computed(l, x):
    log = []

    def larger(v):
        log.append(v)
        return v >= x

    return any(map(larger, l)), all(map(larger, l)), 2.5 in map(larger, l), len(log)


@programs((L, 2.0))
def filtered_by_what_changes(l, x):
    k, out = [1], []
    for v in filter(lambda v: k[0], l):
        out.append(v * x)
        k[0] = 0
    return out


@programs((L, 2.0))
def generated_in_two_steps(l, x):
    k = 1
    items = (v * k for v in l)
    first = next(items)
    k = x
    return first, next(items), next(items, None), next(items, None)


@programs((L, 9.0))
def items_stored_meanwhile(l, x):
    one, two, three = map(lambda v: v + 1, l), enumerate(map(abs, l)), iter(l)
    l[0] = x
    return list(one), list(two), list(three)


@programs((np.arange(3.0), 2.0))
def arrays_stored_meanwhile(a, x):
    items = map(lambda v: a.sum() + v, [1.0, x])
    a += x
    return list(items)


@programs((L, 2.0))
def one_iterator_in_two(l, x):
    it = iter(l)
    pairs, first = zip(it, it), next(it)
    numbered = enumerate(iter([x, *l]))
    next(numbered)
    return list(pairs), first, list(numbered), list(it)


@programs((L, 2.0), ([1.5], 2.0))
def lists_that_grow(l, x):
    counts = []
    for over in (
        lambda: l,
        lambda: enumerate(l),
        lambda: zip([1, 2, 3, 4, 5], l),
        lambda: enumerate(zip(itertools.count(), l)),
        lambda: map(abs, l),
        lambda: (v for v in l),
        lambda: itertools.chain([1], l),
    ):
        n = 0
        for _ in over():
            n += 1
            if n < 3:
                l.append(x)
        counts.append(n)
    return counts, l


@programs((L, 2.0))
def reversed_lists_that_change(l, x):
    out = []
    for v in reversed(l):
        out.append(v)
        l[0] = x
        l.append(v)
    it = reversed(l)
    next(it)
    while len(l) > 1:
        l.pop()
    return out, list(it), l


@programs((L, 2.0))
def used_up_for_good(l, x):
    it = iter(l)
    first = list(it)
    l.append(x)
    return first, list(it), next(it, -1)


@programs((L, 2.0))
def functions_of_itertools(l, x):
    it = iter(range(9))
    parts = list(itertools.islice(it, 1, 6, 2)), next(it), list(itertools.islice(it, 1))
    total = itertools.accumulate(l, lambda a, b: a + b * x, initial=1)
    rows = itertools.starmap(lambda a, b: a - b, zip(l, l[1:]))
    longest = itertools.zip_longest(l, iter([1]), fillvalue=x)
    l[1] = 9
    return parts, list(total), list(rows), list(longest), list(itertools.pairwise(l)), list(it)


@programs((L, 2.0))
def conditions_and_cycles(l, x):
    it = iter([1, 2, 5, 1, 2])
    taken = list(itertools.takewhile(lambda n: n < 3, it)), list(it)
    it = iter([1, 2, 5, 1, 2])
    dropped = itertools.dropwhile(lambda n: n < 3, it)
    left = next(dropped), next(it), list(dropped), list(it)
    none = next(itertools.dropwhile(lambda n: n < 9, range(5)), None), list(itertools.cycle([]))
    squares = [n * x for n in itertools.takewhile(lambda n: n * n < 50, itertools.count(1))]
    signs = [sign * each for sign, each in zip(itertools.cycle((1, -1)), l)]
    cycle = itertools.cycle(l)
    first = next(cycle)
    l.append(7.0)
    return taken, left, none, squares, signs, first, list(itertools.islice(cycle, 2 * len(l)))


@programs((L, 2.0))
def any_and_all_stop(l, x):
    log = []

    def g(v):
        log.append(v)
        return v

    it = iter([1, 2, 3])
    found = any(v == 2 for v in it)
    return found, list(it), any(g(v) > 1 for v in [1, 2, 3] if v), log, all(v < x for v in l)


@programs((L, 2.0))
def nested_generators(l, x):
    n = 2
    items = (a * b + x for a in range(n) for b in l[:n] if a + b != 2.5)
    first = next(items)
    n = 1
    return first, list(items)


@programs(([1.0, 2.0], 3.0))
def longer_than_the_others(l, x):
    it = iter([1, 2, 3])
    rows = list(zip(l, it))
    rest = list(it)
    return rows, rest, list(zip(it, l)), [a + b for a, b in zip([x], l)]


@programs((np.arange(6.0), 5), (np.arange(6.0), 3), (np.arange(6.0), 0))
def filtered_by_what_the_loop_changes(x, n):
    items, total, k = [x[i] for i in range(n)], 0.0, 0.5
    for v in filter(lambda v: v > k, items):
        if v > 3:
            break
        k += 1.5
        total += v
    else:
        total += 100
    bound = {"k": 0.5}

    def is_above(v):
        return v > bound["k"]

    kept = []
    for v in filter(is_above, items):
        bound["k"] += 3.0
        kept.append(v)
    for i in filter(lambda i: x[i] > 1, range(n)):
        x[(i + 1) % len(x)] = 0.0
        total += i
    for v in filter(None, items):
        total += v
    for i in range(n):
        for v in filter(lambda v: v > i, x):
            total += v
            x[0] += 1
    return total, k, kept


@programs(([1.0, 2.0, 3.0], 2), ([1.0, 2.0, 3.0], 0))
def filtered_while_compiling(l, n):
    found = []
    for i in filter(lambda i: i % 2, range(10)):
        found.append(i)
    for pair in filter(lambda pair: pair[0], zip(range(3), l)):
        found.append(pair[1])
    for v in filter(lambda v: v > n, l):
        found.append(v)
    return len(found)


@programs((np.arange(4.0) - 1,), (np.arange(5.0)[::-1],), (np.zeros(3),))
def extrema_of_run_time_lengths(x):
    n = 2 if x[0] > 0 else 3
    y = x[x >= 0]
    pairs = max(zip(x[:n], x[1:]), default=0)
    return max(map(float, x[:n])), min(map(abs, y), default=9), pairs, max(enumerate(y))


@programs((np.arange(4.0),), (np.arange(4.0) - 1,))
def an_extremum_of_what_may_be_empty(x):
    return min(map(float, x[x > 2.5]))


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def test_dicts_that_change_size():
    def f(x):
        d = {"a": x}
        for k in map(str, d):
            d[k + "b"] = x
        return d

    assert isinstance(same(f, 1.0).error, RuntimeError)


def test_an_iterator_without_end():
    def f(x):
        return list(map(lambda v: v + x, itertools.count()))

    refused(f, 1.0, match="has no end")


# Containers that take the items of an iterator one by one.


def extended_until_an_exception(n):
    items = [1]
    try:
        items.extend(10 // v for v in (n, -1, 0, 2))
    except ZeroDivisionError:
        pass
    return items


def extended_by_what_reads_it(n):
    items = [n]
    items.extend(v + len(items) for v in (1, 2))
    return items


def added_to_by_what_changes_it(n):
    items = [1]
    other = items
    items += (other.append(9) or v for v in (n, 2))
    return items


def updated_until_an_exception(n):
    found = {}
    try:
        found.update((k, 10 // (k - n)) for k in range(4))
    except ZeroDivisionError:
        pass
    return found


def stored_in_a_slice(n):
    items = [1]

    def appended(v):
        items.append(v * 2)
        return v

    items[0:0] = map(appended, (n, 0))
    return items


@pytest.mark.parametrize(
    "f",
    [
        extended_until_an_exception, extended_by_what_reads_it, added_to_by_what_changes_it,
        updated_until_an_exception, stored_in_a_slice,
    ],
)  # fmt: skip
def test_items_one_by_one(f):
    for n in (2, 1):
        assert ingot.jit(f)(n) == f(n)


def test_print_takes_run_time_separators(capsys):
    def f(n, s):
        print(n, s, "text", sep=f"{n}", end=str(s))

    f(2, 1.5)
    plain = capsys.readouterr().out
    ingot.jit(f)(2, 1.5)
    assert capsys.readouterr().out == plain
