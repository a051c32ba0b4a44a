"""Jumps, names and loops: which statement runs next, and what fails, is as in Python. PYTEST_DONT_REWRITE"""

import numpy as np
import pytest
from plain import Programs, same, same_for, same_or_refused

import ingot

programs = Programs()
PAIR = [2.0, 1]
A = np.array([1, 2, 3])
X = np.array([1.0, -2.0, 3.5])


# `else` of loops.


@programs((A, 3), (A, 1), (A, 0))
def while_else_return(a, n):
    i = 0
    while i < n:
        if a[i] == 2:
            return i
        i += 1
    else:
        return -5


@programs((A, 3), (A, 1), (A, 0))
def for_else_return(a, n):
    for i in range(n):
        if a[i] == 2:
            return i
    else:
        return -5


@programs((A, 3), (A, 1), (A, 0))
def for_else_store(a, n):
    for i in range(n):
        if a[i] == 2:
            return i
    else:
        a[0] = 100
    return -1


@programs((A, 2), (A, 7))
def for_else_break(a, key):
    at = -1
    for i in range(len(a)):
        if a[i] == key:
            at = i
            break
    else:
        at = 100
    return at


@programs((A, 2, 3), (A, 7, 3), (A, 1, 3), (A, 7, 0))
def while_else_break_and_continue(a, key, n):
    i, odd = 0, 0
    while i < n:
        i += 1
        if a[i - 1] == key:
            break
        if i % 2:
            continue
        odd += i
    else:
        odd += 1000
    return i, odd


@programs((A, 5), (A, 0), (A, 1))
def continue_in_the_else_of_an_inner_loop(a, n):
    total = 0
    for i in range(n):
        for v in a:
            if v == i:
                break
        else:
            continue
        total += i
    return total


@programs((A, 5), (A, 0), (A, 1), (A + 7, 5))
def break_in_the_else_of_an_inner_loop(a, n):
    total = 0
    for i in range(1, n):
        for v in a:
            if v == i:
                break
        else:
            break
        total += i
    else:
        total += 100
    return total


@programs((A, 5), (A, 0), (A + 7, 5))
def return_in_the_else_of_an_inner_loop(a, n):
    for i in range(1, n):
        for v in a:
            if v == i:
                break
        else:
            return i
    return -1


@programs((A, 6), (A, 2), (A + 5, 6), (A, 0))
def while_in_while_with_else_that_breaks(a, n):
    i = s = 0
    while i < n:
        i += 1
        j = 0
        while j < 3:
            if a[j] == i:
                break
            j += 1
        else:
            if i > 4:
                break
            s += 10
            continue
        s += j
    else:
        s += 1000
    return i, s


@programs((A, 4), (A, 0), (A + 1, 4))
def else_of_three_levels(a, n):
    log = 0
    for i in range(n):
        for j in range(n):
            for v in a:
                if v == i + j:
                    break
            else:
                log += 1
                continue
            log += 10
            if log > 45:
                break
        else:
            log += 100
            continue
        log += 1000
        break
    else:
        log += 10000
    return log


@programs((A, 3), (A, 0))
def else_of_a_loop_without_break(a, n):
    s = a[0] * 0
    for i in range(n):
        s += a[i]
    else:
        s *= 2
    while s > 5:
        s -= 3
    else:
        s += 0.5
    return s


@programs(3, 0)
def else_of_an_unrolled_loop(n):
    out = []
    for name in ("a", "b"):
        if name == "c":
            break
    else:
        out.append(n)
    for name in ("a", "b"):
        if name == "b":
            break
    else:
        out.append(-1)
    return out, name


# Returns and breaks in nested loops.


@programs((A, 2), (A, 5), (A, 6), (A, 99))
def return_from_two_loops(a, s):
    for i in range(3):
        for j in range(3):
            if a[i] + a[j] == s:
                return i, j
    return -1, -1


@programs(1, 7, 27, 97)
def while_true(n):
    steps = 0
    while True:
        if n == 1:
            return steps
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1


@programs((10, 3), (10, 30), (0, 3))
def while_true_with_breaks(n, k):
    i = s = 0
    while True:
        i += 1
        if i > n:
            break
        if i % 3 == 0:
            continue
        while True:
            s += i
            if s > k:
                break
    return i, s


@programs((X, 0.5), (X, 100.0), (X, -5.0))
def returns_in_many_branches(x, t):
    for v in x:
        if v > t:
            if v > 3:
                return 3.5
            return 5.5
        elif v == t:
            break
    else:
        return 4.5
    return 5.5


@programs((5, 2), (0, 2), (5, 0))
def the_index_after_the_loop(n, k):
    i = -1
    for i in range(n):
        if i == k:
            break
    for j in range(n + 1):
        pass
    return i, j


@programs(5, 1)
def the_index_is_changed_in_the_loop(n):
    s = 0
    for i in range(n):
        s += i
        i = i * 10
        s += i
    return s, i


# Names that are bound on some paths.


@programs((A, 3), (A, 0))
def first_assigned_in_a_loop(a, n):
    for i in range(n):
        last = a[i] * 2
    return last


@programs(1.0, -1.0)
def first_assigned_on_one_path(x):
    if x > 0:
        y = x * 2
    return y


@programs((1.0, 2.0), (-1.0, 2.0), (-1.0, -2.0))
def assigned_on_two_of_three_paths(x, z):
    if x > 0:
        y = x
    elif z > 0:
        y = -z
    return y + 1


@programs(1.0, -1.0)
def unbound_but_not_read(x):
    if x > 0:
        y = x
    if x > 0:
        return y
    return x


@programs((3, 1), (3, 5), (0, 0))
def assigned_before_a_break(n, k):
    for i in range(n):
        if i == k:
            found = i * 2
            break
    else:
        found = -1
    return found


@programs((3, 1), (3, 5), (0, 0))
def assigned_before_a_break_only(n, k):
    for i in range(n):
        if i == k:
            found = i * 2
            break
    return found


@programs((5, 2), (5, 0), (0, 0))
def assigned_in_an_earlier_iteration(n, k):
    s = 0
    for i in range(n):
        if i == k:
            v = i
        if i > 2:
            s += v
    return s


@programs(0, 3)
def the_loop_variable_of_an_empty_loop(n):
    for i in range(n):
        pass
    return i


@programs((0.0, X), (1.0, X))
def an_array_first_assigned_on_one_path(t, x):
    if t > 0:
        y = x * 2
        y[0] = 7
    return y.sum()


@programs(1.0, -1.0)
def deleted_on_one_path(x):
    y = x
    if x > 0:
        del y
    return y


@programs(1.0, -1.0)
def read_in_a_closure(x):
    def f():
        return y

    if x > 0:
        y = x
    return f()


# Results on some paths: None, or refused.


def result_on_one_path(x):
    if x > 0:
        return x * 2


def result_in_a_loop_only(a, n):
    for i in range(n):
        if a[i] == 2:
            return i


def bare_return(x):
    if x > 0:
        return
    return x


def none_or_a_container(x):
    if x > 0:
        return [x]
    return None


def a_call_that_gives_none(x):
    def f(v):
        if v > 0:
            return v

    r = f(x)
    return 0.0 if r is None else r + 1


def stores_before_an_early_return(a, k):
    for i in range(len(a)):
        a[i] += 10
        if a[i] == k + 10:
            return i
    a[:] = 0


def a_function_on_one_path(x):
    if x > 0:

        def f(v):
            return v + 1
    else:

        def f(v):
            return v - 1

    return f(x)


@programs(1)
def a_condition_that_raises(n):
    while unbound:  # noqa: F821
        unbound += 1  # noqa: F821, F841


@programs(1)
def a_constant_index_that_a_function_takes(n):
    for _ in range(len(PAIR)):
        n  # noqa: B018
        n = list
        for _ in range(2):
            for w in range(2, 1, -1):

                def step(v, k=1):
                    return w


@programs((np.array([1, 2]), 3.0), (np.array([1, 2]), -3.0))
def arrays_of_two_dtypes_that_nothing_uses(a, x):
    if x > 0:
        b = a * 0.5
        total = b.sum()
    else:
        b = a
        total = b.sum() * 1.0
    return float(total)


@programs(np.array([1, 2]))
def another_dtype_after_a_loop_that_runs(a):
    for _ in range(3):
        a = a * 0.5
    return a


def arrays_of_two_dtypes(a, x):
    return a * 0.5 if x > 0 else a


def another_dtype_after_a_loop(a, x):
    while x > 0:
        a = a * 0.5
        x -= 1
    return a


RESULTS = (
    (arrays_of_two_dtypes, [(np.array([1, 2]), 3.0), (np.array([1, 2]), -3.0)]),
    (another_dtype_after_a_loop, [(np.array([1, 2]), 3.0), (np.array([1, 2]), -3.0)]),
    (a_function_on_one_path, [(1.0,), (-1.0,)]),
    (stores_before_an_early_return, [(A, 1), (A, 9)]),
    (result_on_one_path, [(1.0,), (-1.0,)]),
    (result_in_a_loop_only, [(A, 3), (A, 1), (A, 0)]),
    (bare_return, [(1.0,), (-1.0,)]),
    (none_or_a_container, [(1.0,), (-1.0,)]),
    (a_call_that_gives_none, [(1.0,), (-1.0,)]),
)


@pytest.mark.parametrize("f, cases", RESULTS, ids=lambda v: getattr(v, "__name__", ""))
def test_kinds_that_differ_between_paths(f, cases):
    for case in cases:
        same_or_refused(f, *case)


@programs(X)
def no_result(x):
    x[0] = 5
    if x[1] > 0:
        return


@programs(2.0)
def none_on_all_paths(x):
    y = None
    return y


@programs(
    (np.array([1]),), (np.array([5.0]),), (np.array(2.0),), (2 + 0j,), (2.5,), (1,), (None,), ("a",)
)  # fmt: skip
def what_is_in_a_range(x):
    return x in range(3)


@programs((np.array([1, 2]),), (2 + 1j,))
def what_is_in_an_empty_range(x):
    return x in range(0)


@programs((np.zeros(2), np.ones(2), 0.5), (np.zeros(2), np.ones(2), -0.5))
def the_same_stores_on_both_paths(v, w, t):
    doubled = v * 2
    if t > 0:
        doubled[:] = w
    else:
        doubled[:] = w * 3
        doubled[:] = w
    for _ in range(9):
        if v[0] > t:
            v[:] = doubled
        else:
            v[:] = doubled
    return doubled


@programs(*[(np.zeros(2), n, tolerance) for n in (1, 3, 40) for tolerance in (1e-3, 9.0)])
def a_fixed_point_that_ends_with_a_store(v, n, tolerance):
    for i in range(n):
        new = v * 0.5 + 1
        if np.abs(new - v).max() < tolerance:
            v[:] = new
            break
        v[:] = new
    return i + 1


@programs((np.zeros(2), 0.5), (np.zeros(2), 9.0))
def a_store_before_each_return(v, t):
    w = v + 1
    if w[0] > t:
        v[:] = w
        return "above"
    v[:] = w
    return "below"


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def test_an_array_in_a_range():
    with pytest.raises(ingot.ShapeError, match="truth value of an array"):
        ingot.jit(what_is_in_a_range)(np.array([1, 2]))


def test_what_follows_a_failed_check_ends():
    def f(n):
        assert n < 0, "no"
        for _ in range(n):
            for _ in range(n):
                n += n
        return n

    assert isinstance(same(f, 40).error, AssertionError)
