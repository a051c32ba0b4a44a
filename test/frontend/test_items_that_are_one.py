"""Arrays that occur twice among the items of lists: a store to one of them is seen in the other."""

import numpy as np
import pytest
from plain import Programs, same_for, same_or_refused

import ingot

programs = Programs()
X = np.array([1.0, 3.0, 4.0])


# Lists that loops append to, whose items may be held as rows.


@programs(X)
def appended_twice(x):
    items = []
    for w in range(50):
        v = x + w
        items.append(v)
        items.append(v)
    items[0][0] = 9
    return items


@programs(X)
def appended_by_an_inner_loop(x):
    items = []
    for w in range(2):
        v = x + w
        for _ in range(2):
            items.append(v)
    items[0][0] = 9
    return items


@programs(X)
def in_two_lists(x):
    items, others = [], []
    for w in range(50):
        v = x + w
        items.append(v)
        others.append(v)
    items[0][0] = 9
    return items, others


@programs(X)
def in_two_tuples(x):
    items = []
    for w in range(2):
        for k in range(2):
            v = x + w
            items.append((v, k))
            items.append((v, 5))
    items[0][0][0] = 9
    return items


@programs(X)
def twice_in_a_tuple(x):
    items = []
    for w in range(50):
        v = x + w
        items.append((v, v[:2]))
    items[0][0][0] = 9
    return items


@programs(X)
def the_argument_in_tuples(x):
    items = []
    for w in range(50):
        items.append((x, w))
    items[0][0][0] = 9
    return items


@programs((X, X * 2))
def chosen_in_tuples(x, y):
    items = []
    for _ in range(2):
        for k in range(2):
            items.append((x if k else y, k))
    items[0][0][0] = 9
    return items


@programs(X)
def items_of_another_list(x):
    items, others = [], []
    for w in range(50):
        items.append((w, x * w))
        others.append(items[w][1])
    others[0][0] = 9
    return items, others


@programs(X)
def inserted_and_appended(x):
    items = []
    for w in range(50):
        v = x + w
        items.insert(0, v)
        items.append(v)
    items[0][0] = 9
    return items


@programs(X)
def extended(x):
    items = []
    for w in range(50):
        v = x + w
        items.extend([v, v])
    items[0][0] = 9
    return items


@programs(X)
def changed_after_insert(x):
    items = []
    for w in range(50):
        v = x + w
        items.insert(0, v)
        v[0] = 7
    return items


@programs(X)
def changed_after_extend(x):
    items = []
    for w in range(50):
        v = x + w
        items += [v]
        v[0] = 7
    return items


@programs(X)
def changed_after_a_store_to_a_slice(x):
    items = []
    for w in range(50):
        v = x + w
        items[0:0] = [v]
        v[0] = 7
    return items


@programs(X)
def one_of_the_items(x):
    items, best = [], x
    for w in range(50):
        v = x * w
        items.append(v)
        if v[1] > 40:
            best = v
    return best * 1, items


# The items that a list has before a loop appends to it.


@programs(X)
def returned_with_its_first_item(x):
    items = [x]
    for _ in range(60):
        items.append(items[-1] * 2)
    return items


@programs(X)
def first_item_is_changed(x):
    items = [x]
    for w in range(60):
        items.append(x + w)
    items[0][0] = 9
    items[3][1] = 8
    return x * 1, np.stack(items)


@programs(X)
def first_item_is_changed_in_the_loop(x):
    items = [x]
    for _ in range(60):
        x[0] += 1
        items.append(items[0] * 2)
    return np.stack(items)


@programs(X)
def first_items_are_one(x):
    items = [x, x * 2, x]
    for w in range(60):
        items.append(x + w)
    items[2] += 3
    return items


@programs(X)
def loops_one_after_another(x):
    items = [x]
    for w in range(60):
        items.append(x + w)
    for w in range(60):
        items.append(items[w] * 2)
    items[0][0] = 9
    return items


@programs(X)
def first_item_is_moved(x):
    items = [x]
    for w in range(60):
        items.insert(0, x + w)
    return np.stack(items)


@programs(X)
def first_items_are_changed_in_another_loop(x):
    items = [x]
    for _ in range(60):
        items.append(items[-1] * 2)
    for w in range(60):
        items[w] += 1
    return items


# One of many arrays at a run-time index.


@programs((X, 1), (X, 3))
def item_twice(x, i):
    items = [x + w for w in range(6)]
    a, b = items[i], items[i]
    a[0] = 9
    return a, b, items


@programs((X, 1, 1), (X, 3, 0))
def two_items(x, i, j):
    items = [x + w for w in range(6)]
    a, b = items[i], items[j]
    items[i][0] = 9
    b[1] = 8
    return a, b, items


@programs((X, 1), (X, 3))
def part_of_an_item(x, i):
    items = [x + w for w in range(6)]
    part = items[i][:2]
    items[i] += 9
    return part, items


@programs((X, 1), (X, 4))
def item_of_two_lists(x, i):
    items = [x + w for w in range(6)]
    others = [*items[1:], items[0]]
    a, b = items[i], others[i - 1]
    a[0] = 9
    b[1] = 8
    return a, b, items, others


@programs((X, 1), (X, 4))
def item_of_a_list_with_an_item_twice(x, i):
    items = [x + w for w in range(5)]
    items.append(items[1])
    a, b = items[i], items[i + 1]
    a[0] = 9
    b[1] = 8
    return a, b, items


@programs((X, 1), (X, 4))
def item_among_the_items(x, i):
    items = [x + w for w in range(5)]
    items.append(items[i])
    items[i][0] = 9
    items[5][1] = 8
    return items


@programs((X, 1), (X, 4))
def items_as_arguments(x, i):
    def swap(a, b):
        a[0] = 9
        b[1] = 8
        return a + b

    items = [x + w for w in range(5)]
    return swap(items[i], items[i]), items


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def kept_and_returned(x):
    items = []
    for w in range(300):
        v = x + w
        items.append(v)
    v[0] = 9
    return items


def best_is_changed(x):
    items, best = [], x
    for w in range(60):
        v = x * w
        items.append(v)
        if v[1] > 40:
            best = v
    best[0] = 7
    return items


def last_item_is_kept(x):
    items = []
    for w in range(60):
        v = x + w
        items.append(v)
    items[-1][0] = 9
    return v * 1


def last_items_are_kept(x):
    items = []
    v = x + 1
    u = v
    for w in range(300):
        u = v
        v = v + w
        items.append(v)
    items[-2][0] = 9
    return u, v


def argument_is_changed_afterwards(x):
    items = [x]
    for w in range(60):
        items.append(x + w)
    x[0] = 9
    return items[0] * 1, np.stack(items)


def first_item_is_moved_and_changed(x):
    items = [x]
    for w in range(60):
        items.insert(0, x + w)
    items[-1][0] = 9
    return items


@pytest.mark.parametrize(
    "f",
    [
        kept_and_returned, best_is_changed, last_item_is_kept, last_items_are_kept,
        argument_is_changed_afterwards, first_item_is_moved_and_changed,
    ],
)  # fmt: skip
def test_programs_or_refusals(f):
    same_or_refused(f, X)


def bounded(x, n):
    a, b = x + 1, x + 2
    part = ingot.bound((a if x[0] > n else b)[:n], 3)
    a[0] = 9
    return part.sum()


def bounded_whole(x, n):
    a, b = x + 1, x + 2
    whole = ingot.bound(a if x[0] > n else b, 3)
    a[0] = 9
    return whole.sum()


def selected_by_a_mask(x, n):
    a, b = x + 1, x + 2
    found = (a if x[0] > n else b)[x > n]
    a[:] = 9
    return found.sum(), found[::-1]


@pytest.mark.parametrize("f", [bounded, bounded_whole, selected_by_a_mask])
def test_copies_of_what_may_be_one_of_two(f):
    for n in (0, 1, 2):
        same_or_refused(f, X, n)


def stored_in_an_inner_loop(x, y, i):
    a, b = x + 1, x
    items = [y]
    for _ in range(3):
        for _ in range(i + 1):
            items[0] = a
            b = items[i]
        items.append(a + 3)
    a += 2
    return a, b


def test_an_older_array_that_an_inner_loop_stores():
    for i in (0, 1):
        same_or_refused(stored_in_an_inner_loop, X, X * 2, i)
