"""Lists of many numbers with items that are read and stored at run-time indices."""

import numpy as np
import pytest

import ingot
from oracle import assert_same

X = np.arange(1.0, 81.0)


def running_sums(x):
    found = list(x)
    for i in range(len(found) - 1):
        found[i + 1] += found[i]
    return np.array(found), found[3], len(found)


def stored_once(x, i):
    found = list(x)
    found[i] = 2 * found[i]
    return found


def best_so_far(x):
    best = [0.0] * (len(x) + 1)
    for i in range(1, len(x) + 1):
        best[i] = max(best[i - 1] - x[i - 1], x[i - 1] / 3)
    best[0] = -1.0
    return best, max(best[1:]), sum(best)


def sieve(x):
    is_prime = [True] * (len(x) + 1)
    for i in range(2, len(x) + 1):
        if is_prime[i]:
            for j in range(i * i, len(x) + 1, i):
                is_prime[j] = False
    return [i for i in range(2, len(x) + 1) if is_prime[i]]


def sorted_by_swaps(x):
    items = list(x)
    for i in range(len(items)):
        for j in range(len(items) - i - 1):
            if items[j] < items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


def counts(x):
    found = [0] * 20
    for each in x:
        found[int(each) % 20] += 1
    found.append(7)
    return found, found[-3:], [n for n in found if n > 3]


def another_name(x):
    found = [0.0] * 70
    same = found
    for i in range(len(x) - 11):
        found[i] = float(x[i])
        same[i + 1] += 1.0
    return same, found is same


def in_a_branch(x, n):
    found = [1.5] * 20
    if x[0] > 0:
        found[n] = 2.5
    else:
        found[3] = -1.0
    return found


def of_a_table(x):
    table = tuple(k * k % 7 for k in range(30))
    total = 0.0
    for i in range(len(x)):
        total += x[table[i % 30]] * table[-1 - i % 30]
    return total


def deleted_later(x, n):
    found = list(x)
    found[n] = x[1] * 0
    del found[2]
    found.insert(1, x[7])
    found.reverse()
    return found


CASES = [
    (running_sums, (X,)), (stored_once, (X, 5)), (stored_once, (X, -1)), (best_so_far, (X,)),
    (sieve, (X,)), (sorted_by_swaps, (X[:30] % 7,)), (counts, (X,)), (another_name, (X,)),
    (in_a_branch, (X, 4)), (in_a_branch, (-X, 4)), (of_a_table, (X,)), (deleted_later, (X, 9)),
]  # fmt: skip


@pytest.mark.parametrize(("f", "args"), CASES)
def test_against_python(f, args):
    assert_same(ingot.jit(f)(*args), f(*args))


def mixed(x, n):
    found = [1, 2.5] * 10
    found[n] = 7
    return [each * 2.0 for each in found]


def widths(x, n):
    return np.zeros([3] * 20 + [4])[n] if x[0] < 0 else np.zeros(([3] * 20)[n])


def test_numbers_of_several_types_and_equal_ones():
    assert_same(ingot.jit(mixed)(X, 4), mixed(X, 4))
    assert_same(ingot.jit(widths)(X, 4), widths(X, 4))


def of_another_type(x, n):
    found = [0.5] * 20
    found[n] = float(x[0])
    found[0] = 3
    found[1] = True
    return found


def test_a_number_of_another_type_meets_no_others():
    assert_same(ingot.jit(of_another_type)(X, 4), of_another_type(X, 4))


@pytest.mark.parametrize("i", [80, -81])
def test_out_of_range(i):
    for _ in range(2):
        with pytest.raises(IndexError, match="list assignment index out of range|list index"):
            ingot.jit(stored_once)(X, i)


@pytest.mark.parametrize("f", [running_sums, stored_once, best_so_far, sorted_by_swaps])
def test_the_program_grows_with_the_number_of_items(f):
    def size(n):
        args = (X[:n],) if f is not stored_once else (X[:n], 3)
        return ingot.jit(f).lower(*args).ir().count("ingot.")

    assert size(80) < 2.5 * size(40)


def test_gradients():
    def loss(x):
        sums, third, _ = running_sums(x)
        return np.sum(sums**2) + third

    x = X[:70] / 10
    step = 1e-6 * np.eye(70)
    expected = [(loss(x + h) - loss(x - h)) / 2e-6 for h in step]
    np.testing.assert_allclose(ingot.grad(loss)(x), expected, rtol=1e-6)
