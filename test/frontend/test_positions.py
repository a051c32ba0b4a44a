"""Indices of sequences that are integers of NumPy's: positions are Python's."""

import numpy as np
import pytest
from plain import Programs, same_for

programs = Programs()
KINDS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
NUMBERS = [kind(9) for kind in KINDS]


@programs(*NUMBERS, 9, True, np.int8(-1), -10, -11, 10, np.int8(-11))
def item_of_a_range(n):
    return range(10)[n] * 100


@programs(*[np.array([4, 4], kind) for kind in KINDS])
def items_of_a_range(x):
    s = 0
    for i in range(len(x)):
        s += range(5)[x[i]] * 70
    return s, [range(10)[v] * 100 for v in x]


@programs(*[(np.int8(5), kind(3)) for kind in KINDS])
def bounds_of_a_range(n, m):
    found = [i * 100 for i in range(n)], range(n)[m] * 100, range(m, n)[0] * 100, len(range(n))
    sums = sum(range(n)), max(range(n)), min(range(n)), list(range(m)), n in range(n + 1)
    return *found, *sums, range(n).index(m), range(n).count(m), range(m).stop, list(range(n)[1:m])


@programs(*NUMBERS)
def positions_in_ranges(n):
    return range(20).index(n), range(3, 20, 2).index(n), range(1000)[n:][0] * 100


@programs(np.int8(100), np.int8(-100), np.uint8(200), np.int16(-3))
def items_of_long_sequences(k):
    l = list(range(300))
    t = tuple(1.0 * i for i in range(300))
    return l[k], t[k], "ab"[k % 2]


@programs((np.int8(-100), 5), (np.uint8(100), 5), (np.int8(-1), 5))
def items_of_a_list_that_grows(k, n):
    l = []
    for i in range(300 + n):
        l.append(i)
    return l[k]


@programs(np.int8(-3))
def changes_of_a_long_list(k):
    l = list(range(300))
    l[k] = 7
    l.insert(k, 8)
    x = l.pop(k)
    del l[k]
    return l, x


@programs(([5, 6, 7, 8], np.array([1, 2, 0]), 0), ([5, 6, 7, 8], np.array([1, 2, 0]), 2))
def an_index_of_either_kind(parent, lab, i):
    a = lab[i - 1] if i > 0 else 0
    return parent[a], range(10)[a] * 5, (1, 2, 3, 4)[a]


@programs((np.array([1, 2, 2, 2]), [1, 2, 2, 2]))
def followed_to_the_end(q, parent):
    a = q[0]
    while parent[a] != a:
        a = parent[a]
    return a


@programs(np.float64(3), np.bool_(True))
def what_is_no_index(n):
    return range(10)[n]


@pytest.mark.parametrize(("f", "cases"), programs)
def test_agrees(f, cases):
    same_for(f, cases)
