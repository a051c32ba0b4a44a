"""Making and growing arrays of run-time lengths: joining, repeating, differences, deleting."""

import numpy as np
import pytest

import ingot
from expressions import same_value, split
from oracle import assert_same

A = np.array([[3.0, 0, -1, 3], [0, 0, 2, 5], [-1, 4, 0, 0]])
V = np.array([0, 3, 1, 3, 0, -2, 7, 1, 0])
W = np.array([3, 7, 7, 8, -2])
NANS = np.array([np.nan, 2.0, np.nan, -0.0, 0.0, 2.0])
JOINED = """
np.concatenate([v[v > 0], v[v < 0]]) ;; np.concatenate((w, v[v > 0], w, x[x == 2])) ;; np.concatenate([v[v > 9], v[v > 8]]) ;; np.concatenate([v[v > 0]])
np.concatenate([a[a[:, 0] > 0], a]) ;; np.concatenate([a, a[a[:, 0] > 9], a[:1]]) ;; np.concatenate([a[:, a[0] > 0], a[:, a[0] < 0]], axis=1) ;; np.concatenate([a[:, a[0] > 0], a[:, a[0] > 0]])
np.concatenate([v[v > 0], x[x == 2]], dtype=np.float32) ;; np.concatenate([v[int(v[2]) : int(v[1])], v[int(v[6]) :]]) ;; np.concatenate([a[a > 0], a], axis=None) ;; np.concatenate([v[v > 0][::-1], v[: int(v[1])][::-1]])
np.concatenate([[], v[v > 0]]) ;; np.concatenate([np.array([], int), v[v > 0], [5]]) ;; np.concatenate([v[v > 0], v[v > 0] * 2]).sum() ;; np.concatenate([v[v > 0], w])[-1] ;; len(np.concatenate([v[v > 0], w]))
np.concatenate([a[: int(v[2]), : int(v[1])], a[: int(v[1]), : int(v[1])]]) ;; np.concatenate([a[: int(v[2])].T, a[: int(v[1])].T], axis=1) ;; np.concatenate([a[:, : int(v[1])], a[:2, : int(v[2])]])
np.hstack([v[v > 0], w]) ;; np.hstack([a[:, a[0] > 0], a]) ;; np.vstack([v[v > 0], v[v > 0] + 1]) ;; np.vstack([a[a[:, 0] > 0], a]) ;; np.vstack([w, w[: int(v[4]) + 5]]) ;; np.dstack([v[v > 0], v[v > 0]])
np.stack([v[v > 0], v[v > 0] * 2]) ;; np.stack([v[v > 0], v[v > 0] * 2], axis=1) ;; np.stack([v[v > 0], v[v < 0]]) ;; np.column_stack([v[v > 0], v[v > 0] * 2]) ;; np.stack([v[v > 0], v[v > 0]], -1).sum(0)
np.array([v[v > 0], v[v > 0] * 2]) ;; np.array([v[v > 0], v[v < 0]]) ;; np.array([v[v > 0], v[v > 0]], dtype=float) ;; np.asarray([v[: int(v[1])], w[: int(v[1])]]).T ;; np.array([v[v > 0], w])
np.array(v[v > 0], dtype=float) ;; np.asarray(v[v > 0], np.int32) ;; np.asarray(v[v > 0], int) ;; np.concatenate([a.T, a.T[: int(v[1])]]) ;; np.vstack([a.T[: int(v[2])], a.T]) ;; np.c_[a, a[:, : int(v[1])]]
np.append(v[v > 0], 5) ;; np.append(v, v[v > 0]) ;; np.append(v[v > 0], [7.5, 2]) ;; np.append(a[a[:, 0] > 0], a, axis=0) ;; np.append(a, v[v > 0]) ;; np.append(a[a[:, 0] > 0], 3)
np.r_[v[v > 0], 9, w] ;; np.r_[0, np.cumsum(v[v > 0])] ;; np.c_[v[v > 0], v[v > 0]] ;; np.concatenate([v[v > 0], np.arange(len(v[v > 0]))]) ;; np.atleast_2d(v[v > 0])
np.ravel(a[a[:, 0] > 0]) ;; a[a[:, 0] > 0].ravel() ;; a[: int(v[2])].ravel() ;; a[:, a[0] > 0].ravel() ;; a[:, : int(v[1])].flatten() ;; a[: int(v[2]), : int(v[1])].ravel() ;; v[v > 0].flatten() ;; a.T[: int(v[2])].ravel()
""".strip()  # fmt: skip
REPEATED = """
np.diff(v[v > 0]) ;; np.diff(x[x == x]) ;; np.diff(v[v > 9]) ;; np.diff(v[v > 0], n=2) ;; np.diff(v[v > 0], prepend=0) ;; np.diff(v[v > 0], append=w) ;; np.diff(v > 0)[v[1:] > 0] ;; np.diff((v > 0)[v > -1])
np.diff(a[a[:, 0] > 0]) ;; np.diff(a[a[:, 0] > -1], axis=0) ;; np.diff(a[:, : int(v[1])]) ;; np.diff(np.nonzero(v)[0]) ;; np.diff(np.flatnonzero(np.diff(v))) ;; np.diff(np.r_[0, np.nonzero(v)[0], 9]) ;; np.ediff1d(v[v > 0])
np.ediff1d(v[v > 0], to_begin=0, to_end=[8, 9]) ;; np.diff(v[v > 6]) ;; np.diff(np.unique(v))
np.repeat(v[v > 0], 2) ;; np.repeat(v[v > 0], 0) ;; np.repeat(v[v > 9], 3) ;; v[v > 0].repeat(3) ;; np.repeat(a[a[:, 0] > 0], 2, axis=0) ;; np.repeat(a[a[:, 0] > 0], 2, axis=1) ;; np.repeat(a[a[:, 0] > 0], 2)
np.repeat(w, len(v[v > 6])) ;; np.repeat(w, len(v[v > 9])) ;; np.repeat(a, len(v[v > 0]), axis=1) ;; np.repeat(v[v > 0], len(v[v == 3])) ;; np.repeat(5, len(v[v > 0])) ;; np.repeat(v[int(v[2]) : int(v[1])], 2)
np.tile(v[v > 0], 2) ;; np.tile(v[v > 0], 0) ;; np.tile(v[v > 9], 2) ;; np.tile(w, len(v[v > 0])) ;; np.tile(v[v > 0], len(v[v == 3])) ;; np.tile(v[int(v[2]) : int(v[1])], 3)
""".strip()  # fmt: skip


@pytest.mark.parametrize("expression", split(JOINED) + split(REPEATED))
def test_against_numpy(expression, tmp_path):
    same_value(expression, tmp_path, a=A, v=V, w=W, x=NANS)


def in_a_bounded_loop(x):
    kept = np.zeros(0)
    for i in range(3000):
        if x[i % 4] > 0:
            kept = ingot.bound(np.append(kept, x[i % 4] + i), 3000)
    return kept


def in_an_unrolled_loop(x):
    kept = ingot.bound(np.zeros(0), 50)
    for each in x:
        if each > 0:
            kept = np.append(kept, each)
    return kept


def without_a_bound(x):
    kept = ingot.bound(np.zeros(0), 50)
    for i in range(3000):
        if x[i % 4] > 0:
            kept = np.append(kept, x[i % 4])
    return kept


def in_a_list_without_a_bound(x):
    kept = [ingot.bound(np.zeros(0), 50)]
    for i in range(3000):
        if x[i % 4] > 0:
            kept[0] = np.append(kept[0], x[i % 4])
    return kept[0]


@pytest.mark.parametrize("f", [in_a_bounded_loop, in_an_unrolled_loop])
def test_loops_that_append(f):
    for x in ([1.0, -1.0, 2.0, 0.5], [-1.0] * 4, [1.0] * 4):
        assert_same(ingot.jit(f)(np.array(x)), f(np.array(x)))


@pytest.mark.parametrize("f", [without_a_bound, in_a_list_without_a_bound])
def test_growth_without_an_end_is_refused(f):
    with pytest.raises(ingot.UnsupportedError, match=r"grows in each iteration(?s:.*)ingot\.bound"):
        ingot.jit(f)(np.ones(4))


def after_a_branch_that_raises(x, n):
    items = [x[0]]
    if n > 100:
        items[3] += 1
    elif x.min() > 0:
        items.append(x[0] * 2)
    items.append(3.0)
    items.pop()
    return items[0], items[len(items) - 1]


def test_a_length_that_one_path_leaves():
    """The length after the branch is not the value that the path computed inside of it."""
    f = ingot.jit(after_a_branch_that_raises)
    for x in ([2.0], [-2.0]):
        assert_same(f(np.array(x), 3), after_a_branch_that_raises(np.array(x), 3))
    with pytest.raises(IndexError):
        f(np.array([2.0]), 101)


# Arrays of lists that may be empty: NumPy's are of floats.


def positions(x):
    found = []
    for i in range(len(x)):
        if x[i] > 0:
            found.append(i)
    return np.array(found)


def sum_of_positions(x):
    return np.sum([i for i in range(len(x)) if x[i] > 0])


def joined_with_positions(x):
    found = [i for i in range(len(x)) if x[i] > 0]
    return np.concatenate([np.array([1, 2]), found])


def are_large(x):
    return np.array([v > 1 for v in x if v > 0])


@pytest.mark.parametrize("f", [positions, sum_of_positions, joined_with_positions, are_large])
def test_an_empty_list_is_no_array_of_its_items(f):
    compiled, some = ingot.jit(f), np.array([1.0, -1.0, 2.0])
    np.testing.assert_equal(compiled(some), f(some))
    assert compiled(some).dtype == f(some).dtype
    with pytest.raises(NotImplementedError, match="this list is empty"):
        compiled(-np.ones(3))


def with_a_dtype(x):
    found = [i for i in range(len(x)) if x[i] > 0]
    return np.array(found, dtype=int), np.asarray(found, np.float32), x[found], np.take(x, found)


def floats(x):
    return np.array([v for v in x if v > 0])


@pytest.mark.parametrize("f", [with_a_dtype, floats])
def test_an_empty_list_where_its_dtype_is_known(check, f):
    check(f, np.array([1.0, -1.0, 2.0]))
    check(f, -np.ones(3))


def keys_asked_for(x):
    asked = [0]

    def key(v):
        asked[0] += 1
        return abs(v - 2)

    found = [v for v in x if v > 0]
    return min(found, key=key), max(found, key=key), asked[0]


def test_a_key_is_asked_for_once(check):
    check(keys_asked_for, np.array([1.0, -1.0, 2.0, 4.0]))
