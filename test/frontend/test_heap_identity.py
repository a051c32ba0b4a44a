"""Which results and arguments are one object, where that is known only at run time."""

import numpy as np
import pytest
from plain import Programs, same, same_for, same_or_refused

import ingot

programs = Programs()
X = np.array([1.0, -2.0, 3.5])
ROWS = [[0, 2, 0], [1, 1, 1], [2, 2, 2]]


# Results that may be an earlier result.


@programs((X, 1), (X, 0))
def one_of_two_results(x, c):
    a, b = [x[0]], [x[1]]
    if c:
        b = a
    return a, b


@programs((X, 1), (X, 0))
def arrays_among_the_results(x, c):
    a, b = x * 2, x * 3
    if c:
        b = a
    return b, a, (a, b)


@programs((ROWS, 1), (ROWS, 0))
def items_that_may_be_one(rows, c):
    new = [[row[0], 2] for row in rows]
    found = new
    if c:
        found = [new[0], [1, 1], new[0]]
    return found


@programs((ROWS, 1), (ROWS, 0))
def item_of_the_caller_stored_at_another_place(rows, k):
    rows[k] = rows[0]
    return rows


@programs((X, 1), (X, 0))
def argument_or_new_in_a_dict(x, c):
    u = {"w": 1, "k": x}
    if c:
        return x, {"w": 1, "k": x * 2}
    return x, u


# What iterations make one object.


@programs(0, 1, 3)
def lists_made_one_by_an_iteration(n):
    a, b = [0.0], [1.0]
    for _ in range(n):
        new = [2.0]
        a = new
        b = new
    a[0] = 9.0
    return a, b


@programs(0, 1, 3)
def arrays_made_one_by_an_iteration(n):
    a, b = np.zeros(2), np.ones(2)
    while n > 0:
        n -= 1
        new = np.full(2, 3.0)
        a = new
        if n < 2:
            b = new
    a += 1
    return a, b, a is b, a is not b


@programs(0, 1, 3, quick=True)
def items_made_one_by_an_iteration(n):
    d = {"x": [0.0], "y": [1.0]}
    while n > 0:
        n -= 1
        new = [d["x"][0] + 1]
        d["x"] = new
        d["y"] = new
    d["x"][0] = 77.0
    return d


@programs(0, 1, 2)
def one_at_first_and_two_later(n):
    a = np.zeros(2)
    b = a
    for _ in range(n):
        b = b + 1
    a[0] = 5.0
    return a, b


@programs(0, 1, 2)
def list_from_before_the_loop(n):
    kept, now = [1.0], [2.0]
    other = kept
    while n > 0:
        n -= 1
        now = kept
    now[0] = 9.0
    return kept, now, other


@programs((X, 3), (X, 0), (X, 1))
def two_buffers_of_which_one_is_the_caller_s(x, n):
    src, dst = x, np.zeros(3)
    for _ in range(n):
        dst[:] = src * 2
        src, dst = dst, src
    return src, x


@programs((X, 3), (X, 0), (X, 1))
def two_buffers_with_other_names(x, n):
    buffer = np.zeros(3)
    src, dst = x, buffer
    while n > 0:
        dst[...] = src + 1
        src, dst = dst, src
        n -= 1
    return dst, buffer


@programs(0, 1, 2, 5)
def rebound_in_some_iterations(n):
    a = [0.0]
    b = a
    for i in range(n):
        if i % 2 == 0:
            b = [float(i)]
        b[0] += 1
    return a, b


@programs((X, 0), (X, 1), (X, 4))
def new_or_the_caller_s_in_turn(x, n):
    best = x
    for _ in range(n):
        new = best * 0.9
        if new.sum() < 2:
            best = new
        best[0] += 1
    return best, x


@programs((X, 3), (X, 0), (X, 1))
def one_of_two_in_a_dict(x, n):
    state = {"now": x, "old": x.copy()}
    while n > 0:
        state["old"][...] = state["now"]
        state["now"] += state["old"]
        if state["now"][0] > 3:
            state["now"] = state["old"]
        n -= 1
    return state


@programs((X, X * 2, 1), (X, X * 2, 2), (X, X * 2, 3))
def exchanged_in_nested_loops(x, y, n):
    while n < 3:
        k = 0
        while k < 1:
            x, y = y, x
            k += 1
        n += 1
    return x, y


@programs(([1.0, 1.0], [np.arange(2), np.ones(2)]), ([1.0], [np.zeros(1)]))
def items_appended_again(x, items):
    first = items
    for _ in range(len(x)):
        for _ in range(2):
            pass
        items.append(first[0])


@programs((ROWS, 0), (ROWS, 1), (ROWS, 2))
def item_put_in_place_of_another(rows, n):
    while n > 0:
        n -= 1
        rows[0] = rows[1]
    return rows[0] is rows[1]


@programs((ROWS, 0), (ROWS, 1), (ROWS, 2))
def changed_after_it_was_put_elsewhere(rows, n):
    while n > 0:
        n -= 1
        rows[0] = rows[1]
        rows[1][0] += 1
    return rows


@programs((ROWS, 1), (ROWS, 2), (ROWS, 3))
def items_exchanged_and_changed(rows, n):
    while n > 0:
        n -= 1
        rows[0], rows[1] = rows[1], rows[0]
        rows[1][0] += n
    return rows


@programs((ROWS, 1), (ROWS, 9))
def one_object_before_unrolled_loops(rows, n):
    y = z = rows[0]
    for last in (0, n):
        k = 0
        while k < 3:
            k += 1
            y = z
    y[0] = last
    return z


@programs((X, X * 2, 1), (X, X * 2, 2), (X, X * 2, 4))
def made_one_in_one_of_unrolled_loops(x, y, n):
    z = x.copy()
    for last in (2, 3):
        k = 0
        while k < n:
            k += 1
            if k == last:
                y = x
            x, y = y, z
        y[0] += last
        z = y.copy()
    x[1] = 7
    return x, y, z


@programs((X, 1), (X, 0))
def returned_from_nested_loops(x, c):
    u = {"w": 1, "k": x}
    while 1:
        while not c:
            return x, {"w": 1, "k": x > 0}
        else:
            return x, {**u, "k": u["k"] > 0}


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def view_in_nested_loops(x):
    pair = (1, x)
    n = 1
    while n < 4:
        k = 1
        while k < 2:
            k += 1
            pair = (1, pair[1][::-1])
        n += 1
    return pair


def handed_on_by_iterations(n):
    a, b, c = [0.0], [1.0], [2.0]
    for i in range(n):
        a, b = b, a
        if i == 1:
            c = a
        b[0] += 1
    c[0] = 50.0
    return a, b, c


def argument_returned_in_a_loop(k, x):
    for _ in range(3):
        while 1:
            if k > 5:
                break
            return (x, k)
        else:
            return (np.sort(x), 1)
        k -= 1
    return (x, k)


def view_made_in_a_loop(n):
    a, b = np.zeros(2), np.ones(2)
    while n > 0:
        n -= 1
        a = np.full(2, 3.0)
        b = a[:]
    a += 1
    return a, b


def store_in_a_loop(rows):
    k = 1
    while k < 2:
        rows[max(rows[1])] = rows[0]
        k += 1


def in_the_iteration_before(x, y, c):
    found = y
    for value in x:
        if value > c:
            return y, found
        if value > 0:
            found = np.array(y)
    return y, found


@pytest.mark.parametrize(
    "f, args",
    [
        (view_made_in_a_loop, (2,)),
        (view_in_nested_loops, (X,)), (handed_on_by_iterations, (3,)), (argument_returned_in_a_loop, (1, X)), (store_in_a_loop, (ROWS,)),
        (in_the_iteration_before, (X, X * 2, 9.0)), (in_the_iteration_before, (X, X * 2, 0.0)),
    ],
)  # fmt: skip
def test_programs_or_refusals(f, args):
    same_or_refused(f, *args)


def test_programs_on_disk_know_it_too(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path))
    for c in (1, 0):
        a, b = ingot.jit(one_of_two_results)(X, c)
        assert (a is b) == bool(c)
    assert any(tmp_path.iterdir())


def test_a_list_where_the_other_path_raises():
    table = np.array([2.0])

    def f(n):
        while n < 3:
            if n > 1:
                z = table.tolist()
            else:
                z.pop  # noqa: B018, F821
            z = table
            n += 1
        return n

    for call in (f, ingot.jit(f)):
        assert call(5) == 5
        assert call(2) == 3
        with pytest.raises(UnboundLocalError):
            call(0)


def rebound_in_a_loop_within_a_loop(x):
    first = second = [1]
    third = []
    third.append(1)
    i = 0
    while i < 1:
        j = -1
        while 0 <= j + 1 < 1:
            j += 1
            second = third
        i += 1
    second[0] += x
    return first, second, third


def test_objects_chosen_by_loops_within_loops():
    same_or_refused(rebound_in_a_loop_within_a_loop, 2)


def returned_in_a_loop_that_exchanges(p, q):
    for i in range(30):
        if i == 7:
            return q
        q, p = p, q
    return q


def returned_in_an_inner_loop(p, q):
    for i in range(3):
        for _ in range(2):
            if i:
                return q
        q, p = p, q
    return q


def returned_under_two_conditions(p, q):
    for i in range(30):
        if i > 3:
            if p[0] > -1:
                return q
        q, p = p, q
    return q


def kept_in_a_loop_that_exchanges(p, q):
    r, held = p, [p]
    for i in range(30):
        if i == 4:
            r = held[0] = q
        p[1:] = q[:-1] + 1
        q, p = p, q
    r[0] = 3.0
    return q, p, r, held


@pytest.mark.parametrize(
    "f",
    [
        returned_in_a_loop_that_exchanges, returned_in_an_inner_loop,
        returned_under_two_conditions, kept_in_a_loop_that_exchanges,
    ],
)  # fmt: skip
def test_arrays_that_a_loop_exchanges_and_keeps(f):
    same_for(f, [(np.zeros(3), np.ones(3))])


def test_a_loop_of_an_unrolled_one_starts_with_what_its_items_may_be():
    """The item that an iteration keeps is the caller's at first, and what the first loop left in
    the second: the types that the first evaluation found do not hold there."""

    def f(x, rows):
        u = [1, 1]
        for _ in range(2):
            rows = [[1, 1], [1, 1], [1, 1], rows[1]]
            for _ in range(3):
                for _ in x:
                    rows = [[1, 1], u, u, rows[-1]]
        return rows

    same(f, [1], [1, [1.5, 1]])
