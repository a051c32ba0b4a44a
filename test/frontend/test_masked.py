"""`a[mask]` as a value: elementwise functions, reductions and stores under one mask."""

import numpy as np
import pytest
from plain import same_for

import ingot
from expressions import same_value, split

A = np.random.default_rng(0).normal(size=(5, 6))
B = A[::-1].copy()


def store(a, b):
    a[a > 0] = a[a > 0] ** 2 + np.sqrt(np.abs(b[a > 0])) - 1
    return a


def update(a, b):
    m = a > 0
    a[m] += b[m]
    a[~m] *= 2
    a[m & (b > 0)] -= -b[m & (b > 0)]
    return a


def reductions(a, b):
    m = a > 0
    v = a[m]
    return (
        (
            v.sum(),
            v.mean(),
            v.min(),
            v.max(),
            v.std(),
            v.var(ddof=1),
            v.prod(),
            v.astype(int).sum(),
        ),
        (v.size, len(b[m]), (v > 1).any(), (v > 0).all(), v.dtype == np.float64, v.copy().sum()),
        (np.sum(b[m] * 2), np.mean(np.sqrt(v)), np.max(v), np.min(-v), np.count_nonzero(v > 1)),
    )


def a_copy(a, b):
    m = b > 0
    before = a[m]
    a[m] = 0
    return before.sum(), a


def in_a_loop(a, b):
    total = 0.0
    for i in range(12):
        m = (a > i * 0.1) & (a < i * 0.1 + 1)
        v = b[m]
        total += v.mean() if v.size > 0 else 0.0
    return total


def a_mask_kept(a, b):
    m = a > 0
    a[a > 0] = -a[m]
    a[m] = a[m] * 2
    return a


def stores_to_what_is_selected(a, b):
    m = b[:, 0] > 0
    c, again, kept = a[m], a[m], a[m]
    d, e = c, c.T
    a[m][:, 0] = 7
    c[:, 0] = 5
    c[:, 1:3] = b[0, 1:3]
    c[:, -1] *= 2
    c[:, [3, 2]] += 1
    c += 1
    c[c < 0] = 3
    again[...] = b[m]
    again[:, 4] = np.array([4.0])
    return a, c.sum(0), d.sum(0), e.sum(1), again.mean(0), kept.max(0), (c == d).all()


def stores_along_another_axis(a, b):
    m = b[0] > 0
    c, d = a[:, m], np.stack([a, b])[:, a > 0]
    c[1] = 4
    c[2:, :] -= b[2:, :1]
    d[0] = 1
    return c.sum(1), d.sum(1)


def stores_of_a_copy(a, b):
    c = a[a > 0]
    d = c.copy()
    d += 1
    c[...] = 2
    return c.sum(), d.sum(), a


def stores_on_a_path(a, b):
    m = b[:, 0] > 0
    c = a[m]
    if a.sum() > 0:
        c[:, 0] = 1
    else:
        c[:, 1] = 2
    for i in range(3):
        c[:, i] += i
        if a[i, 0] > 0:
            c *= 2
    i = 0
    while i < 4 and b[i, i] < 1:
        c[:, i] -= 1
        i += 1
    return c.sum(0)


def stores_of_as_many(a, b):
    c = a[np.array([1.0, 0, 1, 0, 1]) > b[:, 0] * 0]
    c[:, 0] = np.array([1.0, 2, 3])
    c[:, 1:] = b[:3, 1:]
    return c.sum(0)


def parts(a, b):
    m, n = b[:, 0] > 0, b[0] > 0
    v, w = a[m], a[:, n]
    return (
        (v[:, 0].sum(), v[:, 1:].sum(0), v[..., -1].max(), v[:, ::2].mean(0), v[:, None].sum(0)),
        (v[:, [0, 2]].sum(0), v[v > 0].sum(), v[v[:, 0] > 0].sum(0), w[1:3].sum(1), w[0].max()),
        (
            np.where(v > 0, v, 0).sum(0),
            np.clip(v, -1, 1).min(),
            v.clip(0, 1).sum(),
            v.round(1).max(),
        ),
    )


def norms(a, b):
    v, w = a[b[:, 0] > 0], a[a > 0]
    return (
        (np.linalg.norm(v), np.linalg.norm(v, axis=0), np.linalg.norm(v, axis=1).max()),
        (np.linalg.norm(w), np.linalg.norm(w, 1), np.linalg.norm(w, np.inf), np.linalg.norm(w, 0)),
        (np.linalg.norm(v, -np.inf, 0), np.linalg.norm(v, "fro"), np.linalg.norm(v + 1j)),
        np.linalg.norm(v.astype(int), axis=0, keepdims=True),
    )


def places_of_extremes(a, b):
    v, w = a[b[:, 0] > 0], a[:, b[0] > 0]
    nan = np.where(a > 1, np.nan, a)[b[:, 0] > 0]
    return (
        (
            v.argmax(),
            v.argmin(0),
            np.argmax(v, axis=-1).sum(),
            a[a > 0].argmin(),
            (v > 0).argmax(0),
        ),
        (w.argmax(), w.argmin(1), w.argmax(0).sum(), nan.argmax(0), nan.argmin()),
        np.argmax(np.full((5, 6), -np.inf)[b[:, 0] > 0], axis=0),
    )


def medians(a, b):
    v, w = a[b[:, 0] > 0], a[:, b[0] > 0]
    nan = np.where(a > 1, np.nan, a)[b[:, 0] > 0]
    return (
        (np.median(v, axis=0), np.median(v), np.median(v, axis=1).sum(), np.median(w, axis=1)),
        (np.median(v[:, 1:], 0), np.median(v.astype(int), axis=0), np.median(nan, axis=0)),
    )


def inlined(v):
    return np.exp(v) / 2


def through_a_function(a, b):
    m = a > 0
    a[m] = inlined(a[m])
    return a


@pytest.mark.parametrize(
    "f",
    [
        store, update, reductions, a_copy, in_a_loop, a_mask_kept, through_a_function,
        stores_to_what_is_selected, stores_along_another_axis, stores_of_a_copy, stores_on_a_path,
        stores_of_as_many, parts, norms, places_of_extremes, medians,
    ],
)  # fmt: skip
def test_masked(check, f):
    check(f, A, B)


OUTER = """
x[:, None] - x[x > 2] ;; (x[:, None] - x[x > 2]).sum(axis=0) ;; np.abs(x[:, None] - x[x > 2]).min(axis=1) ;; x[:, None, None] * x[x > 2] ;; x[:3, None] * x[x > 2] ;; x[:1, None] * x[x > 2] ;; a[:, :1] == a[0][a[0] > 2] ;; np.where(x[:, None] > 2, x[x > 2], 0) ;; np.where(x[x > 2] > 3, x[:, None], x[x > 2]) ;; x[:3, None, None] + a[x > 2] ;; x[:3, None, None] + a[:, x > 2] ;; x[:2, None, None] * a[a > 2] ;; np.divmod(x[:, None], x[x > 2])
np.argmin(np.abs(x[:, None] - x[x > 2]), axis=1) ;; (x[:, None] - x[x > 2])[1] ;; (x[:, None] - x[x > 2])[:, 0] ;; (x[:, None] - x[x > 2]).T ;; np.exp(-(x[:, None] - x[x > 2])) @ x[x > 2] ;; (x[:, None] * x[x > 2]) + x[x > 2] ;; (x[:, None] * x[x > 2]).shape ;; np.median(x[:, None] * x[x > 2], axis=0) ;; np.isin(np.arange(6), np.where(x > 2)) ;; a[:, None, :] - a[x > 2]
"""


@pytest.mark.parametrize("expression", split(OUTER))
def test_operands_with_axes_in_front(expression, tmp_path):
    x = np.array([1.0, 3, 2, 3, 5, 8])
    same_value(expression, tmp_path, x=x, a=np.outer(x, x) % 5)


def test_max_of_nothing_raises():
    def f(a):
        return a[a > 100].max()

    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        ingot.jit(f)(A)


def test_a_store_of_another_number_raises():
    def f(a, v):
        c = a[a[:, 0] > 0]
        c[:, 0] = v
        return c.sum(0)

    number = int(np.sum(A[:, 0] > 0))
    ingot.jit(f)(A, np.zeros(number))
    with pytest.raises(ValueError, match="cannot assign"):
        ingot.jit(f)(A, np.zeros(number + 1))


def updated_through_a_mask(x):
    x[x > 2] += x[:, None]


def updated_selection(x):
    y = x[x > 2]
    y += x[None, :4]


def output_of_a_function(x):
    y = x[x > 2]
    np.add(x[:, None], y, out=y)


@pytest.mark.parametrize("f", [updated_through_a_mask, updated_selection, output_of_a_function])
def test_results_of_more_axes_are_not_stored(f):
    x = np.array([1.0, 3, 2, 3, 5, 8])
    for function in (f, ingot.jit(f)):
        with pytest.raises(ValueError, match="non-broadcastable output operand") as caught:
            function(x.copy())
        assert caught.type is ValueError


def test_argmax_of_nothing_raises():
    with pytest.raises(ValueError, match="attempt to get argmax of an empty sequence"):
        ingot.jit(lambda a: a[a > 100].argmax())(A)


def returned(a, b):
    return a[a > 0]


def stored_at_a_place(a, b):
    c = a[b[:, 0] > 0]
    c[0] = 1
    return c.sum()


def indexed_by_an_array(a, b):
    return a[b[:, 0] > 0][[0, 1]].sum()


def with_an_option(a, b):
    return a[b[:, 0] > 0].argmax(0, keepdims=True)


def stored_in_integers(a, b):
    c = a[b[:, 0] > 0].astype(int)
    c += 0.5
    return c.sum()


def two_masks(a, b):
    return (a[a > 0] + b[b > 0]).sum()


def a_mask_that_changed(a, b):
    v = a[a > 0]
    a[0] = 1
    a[a > 0] = v
    return a


def with_an_array(a, b):
    return (a[a > 0] * b[0]).sum()


def indexed(a, b):
    return a[a > 0][0]


def on_one_path(a, b):
    if a.sum() > 0:
        v = a[a > 0]
    else:
        v = a[a < 0]
    return v.sum()


@pytest.mark.parametrize(
    "f",
    [
        with_an_option,
    ],
)  # fmt: skip
def test_refused(f):
    with pytest.raises(ingot.CompileError) as caught:
        ingot.jit(f)(A.copy(), B.copy())
    assert "selected by a mask" in str(caught.value) or "can't be indexed" in str(caught.value)


class Holder:
    def __init__(self, items):
        self.items = items

    def total(self):
        return self.items.sum()


def held_by_instances(a, b):
    first = Holder(a[a > 0])
    second = Holder(first.items)
    first.items *= 2
    if b.sum() > 0:
        second = Holder(items=a[a > 1])
    return first.total(), second.total()


def test_held_by_instances():
    same_for(held_by_instances, [(A, B), (A, -B)])


@pytest.mark.parametrize("first", [0.5, -0.5])
def test_a_mask_that_changed(first):
    """As many as before, or one more."""
    a = np.concatenate([np.full((1, *A.shape[1:]), first), A])
    same_for(a_mask_that_changed, [(a, B)])


@pytest.mark.parametrize(
    "f", [returned, two_masks, indexed, indexed_by_an_array, on_one_path, stored_at_a_place]
)
def test_packed(f):
    np.testing.assert_allclose(ingot.jit(f)(A, B), f(A, B), rtol=1e-12)


def test_another_length_raises():
    with pytest.raises(ValueError, match="could not be broadcast"):
        with_an_array(A, B)
    with pytest.raises(ValueError, match="could not be broadcast"):
        ingot.jit(with_an_array)(A, B)


def test_floats_do_not_go_into_integers_in_place():
    with pytest.raises(ingot.DTypeError, match="can't cast the result from float64 to int64"):
        ingot.jit(stored_in_integers)(A, B)


def several_results(a, b):
    n = np.count_nonzero(a > 0)
    rows = np.nonzero(a[0])[0]
    return (
        np.modf(a[a > 0]),
        np.divmod(b[b > 0], 0.5),
        np.modf(b.ravel()[:n])[1],
        np.divmod(rows, 2),
    )


def test_functions_of_several_results():
    same_for(several_results, [(A.copy(), B.copy())])


def of_good_ones(x):
    good = x[~np.isnan(x)]
    if good.size == 0:
        return None
    return np.quantile(good, [0.25, 0.5]), np.median(good), good.argmin()


def of_positions(x):
    found = np.nonzero(x > 0)[0]
    return (found.argmax(), np.cov(found)) if len(found) else (-1, np.zeros(()))


def of_rows(x):
    rows = np.multiply.outer(x, np.arange(3))
    rows = rows[x > 0]
    return rows.sum(axis=0), rows.shape[1], rows[0] if len(rows) else np.zeros(3)


def updated_nothing(x):
    x[x > 0] += 1
    x[x < 0] = x[x < 0] ** 2
    return x, x[x > 5], list(x[x > 5])


@pytest.mark.parametrize("f", [of_good_ones, of_positions, of_rows, updated_nothing])
def test_masks_without_elements(f):
    same_for(f, [(np.zeros(0),), (np.zeros(0, "f4"),), (np.array([1.0, -2.0, 3.0]),)])


def test_masks_without_elements_among_indices():
    def f(x):
        return x[:, np.zeros(x.shape[1], bool)], x[x > 0]

    same_for(f, [(np.zeros((3, 0)),), (np.zeros((2, 0, 4)),)])
