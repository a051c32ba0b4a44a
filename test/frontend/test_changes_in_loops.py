"""Arrays exchanged at run time and stored to, and loops over what changes meanwhile."""

import numpy as np
import pytest
from plain import Programs, same_for, same_or_refused

import ingot

programs = Programs()
A = np.array([1, 2, 3])
X = np.array([1.0, -2.0, 3.5])


# Arrays exchanged at run time.


@programs((X, X + 1, 3), (X, X + 1, 4), (X, X + 1, 0))
def store_after_an_exchange(a, b, n):
    for t in range(n):
        if t % 2 == 0:
            a, b = b, a
        a[0] += 1
    a[1] = 100
    return a + 0, b + 0


@programs((X, X + 1, 1.0), (X, X + 1, -1.0))
def store_after_one_exchange(a, b, c):
    if c > 0:
        a, b = b, a
    a[0] = 50
    b += a
    return a.sum()


@programs((X, X + 1, 1.0), (X, X + 1, -1.0))
def store_to_one_of_two(a, b, c):
    y = a if c > 0 else b
    y[0] = 9
    y += 1
    return y.sum(), a[0]


@programs((X, 1.0), (X, -1.0))
def store_to_a_copy_or_not(a, c):
    y = a
    if c > 0:
        y = a.copy()
    y[0] = 9
    return y.sum(), a[0]


@programs((X, X + 1, X + 2, 7), (X, X + 1, X + 2, 0))
def rotated_and_stored(a, b, c, n):
    for i in range(n):
        a, b, c = b, c, a
        a[i % 3] += b[0]
    b[:] = c
    return a.sum()


# Names that are assigned the array that they have.


def damped(a, rate):
    for i in range(12):
        a[1:] -= rate * a[:-1]
        a[0] += i
    return a


@programs((X, 0.5, 3), (X, 0.5, 0))
def assigned_what_a_helper_returns(a, rate, n):
    whole = a
    for _ in range(n):
        a = damped(a, rate)
    return a, whole


@programs((X, X + 1, 3), (X, X + 1, 0))
def assigned_by_helpers_in_turn(a, b, n):
    for _ in range(n):
        b = a + b
        a = damped(a, 0.25)
        b = damped(b, 0.5)
    return a, b


@programs((X, 9.0), (X, -9.0))
def assigned_while_it_is_small(a, limit):
    while a.sum() < limit:
        b = a
        for i in range(20):
            b[i % 3] += 0.125
        a = b
    return a


@programs((X, 2), (X, 5), (X, 0))
def assigned_itself_or_a_copy(a, n):
    for i in range(n):
        for _ in range(12):
            a[0] += 1.0
        a = a if i < 3 else a.copy()
    return a


@programs(3, 0)
def list_assigned_by_a_helper(n):
    found = [1.0, 2.0]

    def put(values, i):
        for k in range(12):
            values[k % 2] += i
        return values

    for i in range(n):
        found = put(found, i)
    return found


def test_an_array_that_a_helper_returns_is_carried_once():
    text = ingot.jit(assigned_what_a_helper_returns).lower(X.copy(), 0.5, 3).ir()
    assert "ingot.select" not in text


# A loop over what changes.


@programs([1.0, 2.0, 3.0])
def array_changed_in_its_loop(l):
    x = np.array(l)
    total = 0.0
    for v in x:
        x[1:] += v
        total += v
    return total, x


@programs(X)
def argument_changed_in_its_loop(x):
    total = 0.0
    for i, v in enumerate(x):
        x[(i + 1) % 3] *= 2
        total += v
    return total


@programs(np.arange(60.0).reshape(20, 3))
def rows_are_views(a):
    for row in a:
        row[0] = row[1] + a[0, 0]
        a[0, 0] += 1
    return a.sum()


@programs(1.0)
def list_that_grows_in_its_loop(x):
    l = [1, 2]
    for v in l:
        if len(l) < 6:
            l.append(v * 2)
    return l


@programs(1.0)
def list_that_shrinks_in_its_loop(x):
    l = [1, 2, 3, 4, 5]
    seen = []
    for v in l:
        seen.append(v)
        l.remove(v)
    return l, seen


@programs(2.0)
def list_elements_changed_in_their_loop(x):
    l = [x, 2 * x, 3 * x]
    for i, v in enumerate(l):
        l[-1] += v
        l[i] = 0.0
    return l


@programs(2.0)
def name_rebound_in_the_loop(x):
    l = [1, 2, 3]
    total = 0
    for v in l:
        l = [10]
        total += v
    return total, l


@programs(1.0)
def dict_that_changes_in_its_loop(x):
    d = {"a": 1, "b": 2}
    for k in d:
        d[k] += x
    for k in list(d):
        d[k + "2"] = d[k]
        del d[k]
    return d


def dict_that_grows_in_its_loop(x):
    d = {"a": 1}
    for k in d:
        d[k + k] = x
    return d


def test_a_dict_that_grows_in_its_loop():
    same_or_refused(dict_that_grows_in_its_loop, 1.0)


def view_or_array(a, c):
    y = a[:2] if c > 0 else a[1:]
    y[0] = 9
    y *= 2
    return y.sum()


@pytest.mark.parametrize("c", [1.0, -1.0])
def test_a_store_to_one_of_two_views(c):
    same_or_refused(view_or_array, X, c)


# Loops over combined sequences whose array the body changes and rebinds.


def over_enumerate(x, y):
    s = 0.0
    for i, e in enumerate(y):
        s += e
        if x[i] > 0.9:
            y[3] += 1
            y = x
    return s


def over_zip(x, y):
    s = 0.0
    for a, e in zip(x, y):
        s += e
        if a > 0.9:
            y[3] += 1
            y = x
    return s


def over_reversed(x, y):
    s, i = 0.0, 3
    for e in reversed(y):
        s += e
        if x[i] > 0.9:
            y[0] += 1
            y = x
        i -= 1
    return s


def over_ndenumerate(x, y):
    s = 0.0
    for (i,), e in np.ndenumerate(y):
        s += e
        if x[i] > 0.9:
            y[3] += 1
            y = x * 2
    return s


def over_enumerated_flat(x, y):
    s = 0.0
    for i, e in enumerate(y.flat):
        s += e
        if x[i] > 0.9:
            y[3] += 1
            y = x * 2
    return s


@pytest.mark.parametrize(
    "f", [over_enumerate, over_zip, over_reversed, over_ndenumerate, over_enumerated_flat]
)
def test_what_a_loop_runs_over_is_carried(f):
    x, y = np.array([0.5, -0.31, 0.93, 0.12]), np.array([1.1, 0.42, -0.77, 0.23])
    plain = f(x.copy(), y.copy())
    assert ingot.jit(f)(x.copy(), y.copy()) == pytest.approx(plain)
    value, _ = ingot.jvp(f, (x, y), (x, y))
    assert value == pytest.approx(plain)
    np.testing.assert_allclose(ingot.vmap(f)(x[None], y[None]), [plain])


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


# Lists of a length that is known only at run time: where a loop over one changes its length, the
# loop is refused when that happens.


def opened(values):
    """A list whose length depends on its items."""
    if values[0] > 1:
        values.append(7)
    return values


def taken(values):
    total = 0
    for each in opened(values):
        values.pop()
        total = total * 10 + each
    return total


def taken_by_index(values):
    total = 0
    for i, each in enumerate(opened(values)):
        if each == 2:
            values.remove(each)
        total += i
    return total


def added_at_the_end(values):
    for each in opened(values):
        if each == 7:
            values.append(8)
    return values


def taken_in_a_nest(values):
    total = 0
    for _ in range(2):
        for _ in values:
            values.pop()
            total += 1
        if values[0] > 5:
            break
    return total


def stored(values):
    for i, each in enumerate(opened(values)):
        values[i] = each * 2
    return values


def taken_from_a_copy(values):
    for each in list(opened(values)):
        if each > 2:
            values.remove(each)
    return values


@pytest.mark.parametrize("f", [taken, taken_by_index, added_at_the_end, taken_in_a_nest])
def test_loops_over_open_lists_that_change(f):
    with pytest.raises(NotImplementedError, match="length of the list that it runs over"):
        ingot.jit(f)([2, 2, 3, 1])


@pytest.mark.parametrize("f", [stored, taken_from_a_copy])
def test_loops_over_open_lists_that_keep_their_length(f, check):
    check(f, [2, 2, 3, 1])
    check(f, [1, 2, 3, 1])
