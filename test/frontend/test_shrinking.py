"""Arrays that shrink and grow in loops and on branches, with dynamic lengths."""

import copy

import numpy as np
import pytest

import ingot
from oracle import assert_same
from sources import namespace_of

X = np.random.default_rng(0).normal(size=20)
Y = np.random.default_rng(1).normal(size=(20, 3))
M = X > 0


def sieve(n):
    found = np.arange(2, 50)
    kept = np.zeros(50, bool)
    while len(found) > 0:
        p = found[0]
        kept[p] = True
        found = found[found % p != 0]
    return kept, n


def shrinks(x):
    z = x * 1.0
    steps = 0
    for i in range(30):
        if not len(z):
            break
        np.multiply(z, 0.7, z)
        z = z[np.abs(z) > 0.05]
        steps += len(z)
    return z, steps


def several(x, y):
    a, b, c = x, y, np.arange(len(x))
    for i in range(5):
        keep = a > -1.5 + 0.3 * i
        a, b, c = a[keep], b[keep], c[keep]
        a = a * 1.1
    return a, b, c


def on_branches(x):
    if x.sum() > 0:
        v = x[x > 0]
    else:
        v = x[x < -0.5]
    w = x
    if x[0] > 0:
        w = w[: len(v)]
    return v, w * 2, len(w)


def stored_in_a_loop(x, y):
    out = np.zeros((20, 3))
    rows = np.arange(20)
    for k in range(4):
        keep = x[rows] > k * 0.2
        rows = rows[keep]
        out[rows, rows % 3] = k + 1.0
        out[rows] *= 1.5
        x[rows] -= 0.1
    return out, rows, x


def one_memory(x):
    z = x[x > 0]
    y = z
    for i in range(3):
        z *= 2
        z[0] = i
    return y, z


def a_view_in_a_loop(x):
    n = int(x.size // 2)
    part = x[: n - int(x[0] > 100)]
    for i in range(12):
        x[i] += 1
        part = part * 1.0
    return part


def queue(x):
    waiting = x[x > 0.5]
    total = 0.0
    while waiting.size > 0 and total < 40:
        total += waiting[-1] * len(waiting)
        waiting = waiting[:-1]
    return total, waiting


CASES = [
    (sieve, 3), (shrinks, X), (several, X, Y), (on_branches, X), (on_branches, -X),
    (stored_in_a_loop, X, Y), (one_memory, X), (a_view_in_a_loop, X), (queue, X),
]  # fmt: skip


def leaves(value):
    return [x for each in value for x in leaves(each)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_against_numpy(case):
    function, *args = case
    mine, theirs = copy.deepcopy(args), copy.deepcopy(args)
    found, expected = ingot.jit(function)(*mine), function(*theirs)
    for a, b in zip(leaves((found, *mine)), leaves((expected, *theirs)), strict=True):
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b, rtol=1e-12)
        assert np.asarray(a).dtype == np.asarray(b).dtype


def a_view_of_what_was_selected(x):
    c = x[x > 0]
    d = c[1:]
    d[0] = 5
    return c.sum(), d.sum()


def a_view_before_a_store(x):
    c = x[x > 0]
    d = c[1:]
    c[:] = 0.0
    return d.sum()


def a_view_carried(x):
    n = int(x[0] > -9) + 4
    z = x[:n]
    for i in range(20):
        x[i % 3] += 1
        if z.sum() > 1000:
            z = z[:-1]
    return z, x


def views_on_branches(x):
    n = int(x[0] > -9) + 4
    z = x[:n]
    if x[1] > -100:
        z = x[1:n]
    z += 1
    return z.sum(), x


def rows_of_what_was_selected(x):
    c = np.stack([x, x * 2], 1)[x > 0]
    for row in c:
        row[0] = 9
    return c.sum()


@pytest.mark.quick
@pytest.mark.parametrize(
    "function",
    [
        a_view_of_what_was_selected, a_view_before_a_store, a_view_carried, views_on_branches,
        rows_of_what_was_selected,
    ],
)  # fmt: skip
def test_memory_that_may_be_shared_is_refused(function):
    with pytest.raises(ingot.UnsupportedError):
        ingot.jit(function)(X.copy())


def two_names(x):
    z = x[x > 0]
    y = z
    i = 0
    while i < 20:
        y += 1
        i += 1
        if i > 30:
            y = y[:-1]
    return y.sum(), z.sum()


def two_names_of_a_slice(x):
    n = int(x[0] > -9) + 4
    z = x[:n]
    y = z
    for i in range(20):
        z *= 1.1
        x[0] = i
    return y.sum(), z.sum(), x


@pytest.mark.parametrize("function", [two_names, two_names_of_a_slice])
def test_two_names_of_one_array(function):
    mine, theirs = X.copy(), X.copy()
    np.testing.assert_allclose(
        leaves((ingot.jit(function)(mine), mine))[0], leaves((function(theirs), theirs))[0]
    )
    np.testing.assert_allclose(mine, theirs)


@pytest.mark.parametrize("bound", ["3.0 + x[0] * 0", "np.bool_(x[0] < 9)"])
def test_bounds_are_integers(bound, tmp_path):
    function = namespace_of(f"def f(x):\n    n = {bound}\n    return x[:n].sum()\n", tmp_path)["f"]
    with pytest.raises(TypeError, match="slice indices must be integers"):
        function(X)
    with pytest.raises(TypeError, match="slice indices must be integers"):
        ingot.jit(function)(X)


def test_masks_of_other_arrays_that_shrink():
    def stored_by_index(x, n):
        found = np.zeros(len(x))
        index = np.arange(len(x))
        for i in range(n):
            mask = x > i
            found[index[mask]] = i + 1
            x, index = x[mask], index[mask]
        return found, index

    def summed(x, n):
        y = x * 1.5
        total = np.float64(0)
        for i in range(n):
            mask = x > i
            total += y[mask].sum()
            x, y = x[mask], y[mask]
        return total, y

    x = np.array([1, -1, 5, 3, 2, 0])
    for f in (stored_by_index, summed):
        for n in (0, 1, 2, 7):
            assert_same(ingot.jit(f)(x, n), f(x, n))


def test_a_mask_of_run_time_length_of_an_array_of_known_length():
    def selected(x, y, n):
        return y[(x > 0)[:n]]

    def stored(x, y, n):
        y[(x > 0)[:n]] = 7.0
        return y

    x, y = np.array([1, -1, 5, 3]), np.arange(4.0)
    for f in (selected, stored):
        assert_same(ingot.jit(f)(x, y.copy(), 4), f(x, y.copy(), 4))
        with pytest.raises((IndexError, ingot.ShapeError)):
            ingot.jit(f)(x, y.copy(), 3)


def spread(x):
    places = np.unique(x, return_index=True)[1]
    while len(x[places]) != len(x):
        for i in range(len(places)):
            same = np.nonzero(x == x[places[i]])[0]
            if len(same) > 1:
                x[same[0]] += 0.5
            places = np.unique(x, return_index=True)[1]
    return x


@pytest.mark.timeout(60)
def test_attempts_at_a_loop_leave_no_aliases():
    # The copies that each attempt made of `places` were aliases of it in the next ones.
    x = np.array([1.0, 1.0, 2.0, 2.0, 2.0, 5.0])
    assert_same(ingot.jit(spread)(x.copy()), spread(x.copy()))
