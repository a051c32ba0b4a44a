"""Lists, dicts and sets are cells with an identity: what changes one is seen through every name of it."""

# ruff: noqa: B006, F632

import numpy as np
import pytest
from plain import Programs, same_for, same_or_refused, written

programs = Programs()
X = np.array([1.0, -2.0, 3.5])


# Nested containers, and names for parts of them.


@programs(1.0, 2)
def append_to_a_row(x):
    rows = [[], []]
    rows[0].append(x)
    return rows


@programs(1.0)
def store_into_a_row(x):
    table = [[1, 2], [3, 4]]
    table[1][0] = x * 1.0
    return table


@programs(1.0)
def append_through_a_second_name(x):
    outer = [[1]]
    inner = outer[0]
    inner.append(x)
    return inner, len(outer[0]), outer


@programs(1.0)
def append_to_a_value(x):
    d = {"x": [], "y": ()}
    d["x"].append(x)
    return d


@programs(1.0)
def append_to_what_setdefault_gives(x):
    d = {}
    d.setdefault("k", []).append(x)
    d.setdefault("k", []).append(x + 1)
    return d


@programs(1.0)
def rows_repeated_are_one_row(x):
    table = [[0] * 2] * 2
    table[0][0] = x
    table.append([x])
    return table, table[0] is table[1], table[0] is table[2]


@programs(1.0)
def rows_of_a_comprehension_are_many(x):
    table = [[0] * 2 for _ in range(2)]
    table[0][0] = x
    return table, table[0] is table[1]


@programs(1.0)
def append_in_a_helper(x):
    def put(items, value):
        items.append(value)

    rows = [[], []]
    put(rows[1], x)
    return rows


@programs(1.0)
def helper_returns_its_argument(x):
    def grown(items):
        items += [x]
        return items

    a = [0.0]
    b = grown(a)
    b[0] = x
    return a, b, a is b


@programs(1.0)
def helper_rebinding_does_not_show(x):
    def rebind(items):
        items = items + [x]
        items[0] = -1
        return items

    a = [0.0]
    return rebind(a), a


@programs(1.0)
def multiplied_in_place(x):
    a = [0, x]
    b = a
    a *= 2
    return b, a is b


@programs(1.0)
def multiplied_anew(x):
    a = [0, x]
    b = a
    a = a * 2
    return a, b, a is b


@programs(1.0)
def extended_in_place_through_an_alias(x):
    a = [0]
    b = a
    b += [x, x]
    b += (x,)
    b.extend(range(2))
    return a


@programs(1.0)
def extended_element(x):
    pair = ([1], [2])
    pair[0].extend([x])
    first, second = pair
    second += [x]
    return pair


@programs(1.0)
def list_inside_itself_twice(x):
    a = [x]
    both = [a, a]
    both[0].append(2 * x)
    both[1][0] = 7
    return both, a


@programs(1.0)
def list_in_list_and_dict(x):
    a = []
    d, l, t = {"a": a}, [a], (a,)
    d["a"].append(x)
    l[0].append(2)
    t[0].append(3)
    return a, d, l, t


@programs(1.0)
def swapped_elements(x):
    a = [[1], [x]]
    a[0], a[1] = a[1], a[0]
    a[0].append(5)
    return a


@programs(1.0)
def swapped_names(x):
    a, b = [1], [x]
    c = a
    a, b = b, a
    a.append(2)
    b.append(3)
    return a, b, c is b


@programs(1.0)
def three_deep(x):
    d = {"a": [{"b": [0, 1]}]}
    d["a"][0]["b"][1] = x
    d["e"] = d["a"]
    d["e"].append(x)
    d["a"][0]["c"] = [d["e"][1]]
    return d


@programs(1.0)
def augmented_element_of_a_dict_of_lists(x):
    d = {"n": [0, 1], "m": {"k": 2}}
    d["n"][1] += x
    d["m"]["k"] *= x
    d["n"] += [x]
    return d


@programs(X)
def arrays_inside(x):
    a = [np.zeros(3), x]
    b = a[0]
    a[0] += x
    a[0][1] = 9
    a[1] = a[1] * 2
    return a, b, b is a[0]


@programs(X)
def array_in_two_containers(x):
    z = np.zeros(3)
    l, d = [z], {"z": z}
    l[0][0] = 1
    d["z"][1] += x[1]
    return z, l, d


@programs(1.0)
def a_default_is_one_object(x):
    def collect(v, into=[]):
        into.append(v)
        return into

    a = collect(x)
    b = collect(x + 1)
    return a, a is b


@programs(1.0)
def a_cell_of_a_closure(x):
    seen = []

    def note(v):
        seen.append(v)
        return len(seen)

    return note(x), note(x * 2), seen


@programs(1.0)
def a_list_of_closures(x):
    box = [x]
    get = [lambda: box[0], lambda: box[0] * 2]
    box[0] = 5.0
    return get[0](), get[1]()


@programs(1.0)
def copies_are_shallow(x):
    a = [[1], 2]
    b, c, d = a.copy(), a[:], list(a)
    b[0].append(x)
    b[1] = x
    return a, b, c, d, [a[0] is e[0] for e in (b, c, d)]


@programs(1.0)
def concatenation_is_shallow(x):
    a = [[1]]
    b = a + [[2]] + a
    b[0].append(x)
    return a, b


@programs(1.0)
def loop_variable_is_the_element(x):
    rows = [[1], [2], [3]]
    for row in rows:
        row.append(x)
    return rows


@programs(1.0)
def unpacked_parts(x):
    rows = [[1], [2], [3]]
    first, *rest = rows
    first.append(x)
    rest[0].append(x)
    rest.append([x])
    return rows, rest


@programs(1.0)
def conditional_expression_of_lists(x):
    a, b = [1.0], [2.0]
    for flag in (True, False):
        (a if flag else b).append(x)
    return a, b


@programs(1.0)
def compared(x):
    return (
        [1, 2] == [1, 2],
        [[1]] != [[1]],
        (1, [2]) == (1, [2]),
        [1] is [1],
        {"a": [1]} == {"a": [1]},
    )


# Methods and operators of lists.


@programs(1.0)
def list_methods(x):
    a = [3.0, 1.0, 2.0]
    a.insert(0, x)
    a.insert(-1, 9.0)
    a.insert(99, 8.0)
    last, first = a.pop(), a.pop(0)
    third = a.pop(2)
    a.append(x)
    a.reverse()
    return a, last, first, third, len(a)


@programs(1.0)
def list_searches(x):
    a = [3, 1, 2, 1]
    return a.index(1), a.index(1, 2), a.count(1), a.count(7), 2 in a, 7 not in a, x


@programs(2.0, 5.0)
def list_searches_at_run_time(x):
    a = [1.0, 2.0, 2.0]
    return a.count(x), x in a, [x, 2.0].count(2.0), [x].index(x)


@programs([1.0, 2.0, 2.0], [0.0, 4.0, 2.0])
def counts_of_an_argument(a):
    return a.count(2.0), a.index(2.0), 4.0 in a


@programs((2.0,), (9.0,))
def index_of_a_run_time_value(x):
    return [1.0, 2.0, 3.0].index(x)


@programs(2.0)
def removals(x):
    a = [1, 2, 3, 2]
    a.remove(2)
    b = [1, 2, 3]
    b.clear()
    return a, b, x


@programs((3.0, 1.0), (1.0, 3.0), (2.0, 2.0))
def sorted_in_place(x, y):
    a = [x, y, 2.0]
    b = a
    a.sort()
    b.sort(reverse=True)
    return a, a is b


@programs(2.0)
def sorted_by_key(x):
    words = ["bb", "a", "ccc"]
    words.sort(key=len)
    pairs = [(2, "x"), (1, "y")]
    pairs.sort()
    return words, pairs, sorted(words, reverse=True), x


@programs(1.0)
def slices_read(x):
    a = [0, 1, x, 3, 4]
    return a[1:3], a[::-1], a[::2], a[-2:], a[:-3], a[10:], a[3:1]


@programs(1.0)
def slices_stored(x):
    a = [0, 1, 2, 3]
    b = a
    a[1:3] = [x]
    a[:0] = [7, 8]
    a[-1:] = (x, x)
    b[::2] = [9, 9, 9]
    return a, a is b


@programs(1.0)
def deleted(x):
    a = [0, 1, 2, 3, 4, 5, x]
    b = a
    del a[0]
    del a[-1], a[1:3]
    d = {"a": 1, "b": [x]}
    del d["a"]
    del d["b"][0]
    return b, d


@programs(1.0)
def repeated(x):
    return [x] * 3, 2 * [0, x], [1] * 0, (x,) * 2, [1] * -1, len([x] * 4)


@programs((1.0, 3), (2.0, 0), (2.0, -1))
def repeated_at_run_time(x, n):
    return len([x] * n), len((1,) * n), n * [0]


@programs((2.5, 4), (2.5, 1))
def repeated_as_a_buffer(x, n):
    a = [x] * n
    for i in range(n):
        a[i] += i
    return np.array(a).sum(), a[0], len(a)


@programs(X)
def to_arrays(x):
    rows = [[x[0], x[1]], [2.0, x[2]]]
    rows[0][0] = 5.0
    return np.array(rows), np.stack([np.array(r) for r in rows]), np.concatenate(rows)


@programs(1.0)
def truth(x):
    return [bool(v) for v in ([], [0], (), (0,), {}, {0: 0}, set(), {0}, "", "a")], not [x], x


# Sets.


@programs(3)
def set_operators(x):
    a, b = {1, 2, 3}, {3, 4}
    return a | b, a & b, a - b, a ^ b, len(a), 2 in a, a <= b, {3} < a, a.isdisjoint(b), x


@programs(3)
def set_methods(x):
    a = {1, 2}
    b = a
    a.add(3)
    a.add(1)
    a.discard(9)
    a.remove(2)
    b |= {10}
    b.update([11, 12], (13,))
    b &= {1, 3, 10, 11}
    b -= {11}
    return a, a is b, a.copy() is a, a.union({5}), a.intersection([1]), a.difference({1}), x


@programs(3)
def sets_from_others(x):
    words = ["a", "b", "a"]
    return (
        len(set(words)),
        sorted(set(words)),
        {w for w in words if w != "b"},
        frozenset([1, 1]),
        set(),
        x,
    )


@programs(1, 2, 7)
def membership_at_run_time(x):
    return x in {1, 2}, x in (1, 5), x in [7], x not in {7: 0}


@programs(3)
def iteration_over_a_set(x):
    total = 0
    for v in {1, 2, 3}:
        total += v * x
    return total


# Comprehensions.


@programs(2.0)
def comprehensions(x):
    a = [i * x for i in range(4) if i % 2]
    b = {k: v * x for k, v in zip("abc", range(3))}
    c = {len(w) for w in ("a", "bb", "c")}
    d = [[i * j * x for j in range(i)] for i in range(3)]
    e = [i + j for i in range(3) for j in range(i) if j < 2]
    return a, b, c, d, e, [*a, *d[2]], {**b, "z": x}


@programs(X)
def comprehension_over_an_array(x):
    return (
        [v * 2 for v in x],
        {i: v for i, v in enumerate(x)},
        sum([v**2 for v in x]),
        tuple(v for v in x),
    )


@programs(2.0)
def comprehension_has_its_own_names(x):
    i = x
    a = [i for i in range(3)]
    return a, i


@programs(2.0)
def comprehension_that_changes(x):
    log = []
    a = [log.append(i * x) for i in range(3)]
    return log, a


@programs(2.0)
def walrus_in_a_comprehension(x):
    a = [y for i in range(3) if (y := i * x) is not None]
    return a, y


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


@pytest.mark.parametrize("x", [0.0, 2.0])
@pytest.mark.parametrize(
    "error", ["[1][3]", "{}['a']", "[].pop()", "[1].remove(2)", "[1].index(2)", "{1}.remove(2)"]
)
def test_errors_of_containers_on_a_path(error, x):
    f = written(f"""
        def f(x):
            if x > 1:
                {error}
            return x
    """)
    same_or_refused(f, x)


def inside_itself(x):
    a = [x]
    a.append(a)
    return a[1][1][0], len(a[1]), a


def test_a_list_inside_itself():
    same_or_refused(inside_itself, 1.0)
