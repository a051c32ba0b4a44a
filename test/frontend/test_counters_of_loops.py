"""Lists that grow in a `while` whose counter bounds them, whatever else ends the loop."""

import numpy as np
import pytest

import ingot

X = np.array([1.0, 2.0, 3.0])


def below(values, most):
    i = 0
    while i < len(values) and values[i] < most:
        yield values[i]
        i += 1


def of_a_generator(x, most):
    return list(below(x, most)), sum(below([x[0], x[1], 2.0], most))


def with_continue(x, most):
    i, found = 0, []
    while i < 30 and x[i % 3] < most:
        i += 1
        if i % 4 == 0:
            continue
        found.append((i, x[i % 3] * i))
    return found, len(found)


def downward(x, most):
    n, found = 12, []
    while 0 < n and len(found) < most:
        found.append(x[n % 3])
        n -= 2
    return found


def up_to_the_limit(x, most):
    k, found = 0, []
    while k <= x.shape[0] and most > k:
        found.append(k)
        k += 1
    return found, k


def in_a_loop(x, most):
    found = []
    for j in range(7):
        i = 0
        while i < j and x[i % 3] < most:
            i += 1
            found.append(x[i % 3] + i)
    return found


def of_arrays(x, most):
    rows, i = [], 0
    while i < len(x) and x[i] < most:
        rows.append(x * i)
        i += 1
    return rows


def a_limit_that_moves(x, most):
    found, i, n = [], 0, 9
    while i < min(n, 20) and i < 15:
        found.append(x[i % 3])
        if found[-1] > most:
            n = 4
        i += 1
    return found


def a_condition_that_raises(x, most):
    found, i = [], 0
    while i < 5 and 6 // int(most) > i:
        found.append(i)
        i += 1
    return found


def ends_by_break(x, most):
    found, i = [0.0], 0
    while i < len(x) * 2:
        i += 1
        if x[i % 3] > most:
            break
        found.append(x[i % 3])
    else:
        found.append(-1.0)
    return found


GROWING = [
    of_a_generator, with_continue, downward, up_to_the_limit, in_a_loop, of_arrays,
    a_limit_that_moves, a_condition_that_raises, ends_by_break,
]  # fmt: skip


@pytest.mark.parametrize("f", GROWING, ids=lambda f: f.__name__)
@pytest.mark.parametrize("most", [1.0, 2.5, 100.0])
def test_lists(f, most, check):
    check(f, X, most)


def the_list_is_the_limit(x, most):
    v, i = [x[0]], 0
    while i < len(v) and len(v) < most:
        v.append(v[i] + 1)
        i += 1
    return v


def another_list_of_the_loop_is(x, most):
    v, w, i = [x[0]], [x[0]], 0
    while i < len(v) and x[i % 3] < most:
        w.append(x[0])
        v.append(w[-1])
        i += 1
    return w


def the_counter_stays(x, most):
    v, i = [], 0
    while i < 5 and len(v) < most:
        if x[0] > 0:
            i += 1
        v.append(x[0])
    return v


def a_step_is_skipped(x, most):
    v, i = [], 0
    while i < 5 and len(v) < most:
        v.append(x[0])
        if x[0] > 0:
            continue
        i += 1
    return v


def goes_back(x, most):
    v, i = [], 0
    while i < 5 and len(v) < most:
        v.append(x[0])
        i += 1
        if x[1] > 0:
            i -= 1
    return v


def is_assigned(x, most):
    v, i = [], 0
    while i < 5 and len(v) < most:
        v.append(x[0])
        i += 1
        for i in range(2):
            v.append(x[i])
    return v


def from_inside(x, most):
    v, i = [], 0

    def back():
        nonlocal i
        i = 0

    while i < 5 and len(v) < most:
        v.append(x[0])
        i += 1
        back()
    return v


def is_narrow(x, most):
    v, i = [], np.int8(120)
    while i < most:
        v.append(x[0])
        i += 1
        if i < 0:
            break
    return v


def far_away(x, most):
    v, i = [], 0
    while i < 10**9 and x[i % 3] < most:
        v.append(i)
        i += 1
    return v


ENDLESS = [
    the_list_is_the_limit, another_list_of_the_loop_is, the_counter_stays, a_step_is_skipped,
    goes_back, is_assigned, from_inside, is_narrow, far_away,
]  # fmt: skip


@pytest.mark.parametrize("f", ENDLESS, ids=lambda f: f.__name__)
def test_without_a_counter(f):
    with pytest.raises(ingot.UnsupportedError, match=r"grows in each iteration(?s:.*)ingot\.bound"):
        ingot.jit(f)(X, 2.5)
