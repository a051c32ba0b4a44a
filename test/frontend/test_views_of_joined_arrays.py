"""Views of an array that is one of several with other strides: NumPy's are views or copies by the path."""

import numpy as np
import pytest

import ingot

TABLE = np.arange(4.0).reshape(2, 2)


def stores_by_reshape(x, w):
    if x[0] > 100:
        x = w
    x = x.reshape(-1)
    x[0] = 5


def stores_by_ravel(x, w):
    if x[0] > 100:
        x = w
    x = x.ravel()
    x[0] = 5


def stores_by_ascontiguousarray(x, w):
    if x[0] > 100:
        x = w
    x = np.ascontiguousarray(x)
    x[0] = 5


def gives_the_array_itself(x, w):
    if x[0] > 100:
        x = w
    return np.ascontiguousarray(x)


def stores_through_a_list(x, w):
    p = x * 2
    kept = [p]
    if x[0] > 100:
        p = np.ones(4)[::2]
    p = p.reshape(-1)
    p[0] = 5
    return kept


def stores_in_a_function(x, w):
    def store(v):
        v = v.reshape(-1)
        v[0] = 5

    store(x if x[0] < 100 else w)


def reads_after_a_store(x, w):
    y = x
    if x[0] > 100:
        y = w[::-1]
    z = y.reshape(-1)
    x[0] = 0
    return z[0]


def stores_to_rows_in_fortran_order(x, w):
    if x[0] > 100:
        x = w
    for row in x.reshape(2, 1, order="F"):
        row[0] = 1


def stores_in_fortran_order(x, w):
    if x[0] > 100:
        x = w
    z = x.reshape(2, 1, order="F")
    z[0, 0] = 1


def stores_to_a_ravelled_view(x, w):
    p = x * 2
    if x[0] > 100:
        p = np.ones(4)[::2]
    p = p.reshape(-1)
    t = p.ravel()
    t[0] = 7
    return p


def assigns_a_shape(x, w):
    p = TABLE + 1
    if x[0] > 100:
        p = (TABLE + 1).T
    p.shape = (4,)
    return p


def forbids_a_copy(x, w):
    if x[0] > 100:
        x = w
    try:
        return np.reshape(x, -1, copy=False)
    except ValueError:
        return x * 0


def forbids_a_copy_by_asarray(x, w):
    if x[0] > 100:
        x = w
    try:
        return np.asarray(x, order="C", copy=False) + 1
    except ValueError:
        return x * 0


def reads_only(x, w):
    if x[0] > 100:
        x = w
    return x.reshape(-1) * 2, x.reshape(2, 1, order="F") + 1


def stores_behind_a_copy(x, w):
    if x[0] > 100:
        x = w
    x = x.reshape(-1) + 0
    x[0] = 5
    return x


def arguments(first):
    return np.array([first, 2.0, 3.0, 4.0])[::2], np.array([4.0, 5.0])


@pytest.mark.parametrize(
    "f",
    [
        stores_by_reshape, stores_by_ravel, stores_by_ascontiguousarray, gives_the_array_itself,
        stores_through_a_list, stores_in_a_function, reads_after_a_store, stores_in_fortran_order,
        stores_to_rows_in_fortran_order, stores_to_a_ravelled_view, assigns_a_shape,
        forbids_a_copy, forbids_a_copy_by_asarray,
    ],
)  # fmt: skip
def test_what_may_be_a_view_is_refused(f):
    with pytest.raises(ingot.UnsupportedError, match="run time"):
        ingot.jit(f)(*arguments(1.0))


@pytest.mark.parametrize("f", [reads_only, stores_behind_a_copy])
@pytest.mark.parametrize("first", [1.0, 101.0])
def test_values(f, first):
    plain, given = arguments(first), arguments(first)
    np.testing.assert_equal(ingot.jit(f)(*given), f(*plain))
    np.testing.assert_equal(given, plain)
