"""`ingot.vmap` of functions that use, and give, arrays of dynamic length."""

import numpy as np
import pytest

import ingot
from expressions import split
from oracle import assert_same, outcome, quiet
from sources import namespace_of

X = np.array([[0.7, -1.3, 2.1, 0.4], [-0.4, 0.3, -0.9, 0.9], [1.2, 2.2, -0.6, 3.0]])
I = np.array([[3, 0, 1, 3], [0, 0, 2, 1], [5, 5, 5, 2]])  # noqa: E741
M = np.array([X, X[::-1] - 0.1, -X])
#: Of one item: x of four floats, i of four integers, m of three times four.
INSIDE = split("""
x[x > 0].mean() ;; x[x > 0].sum() ;; np.sort(x[x > 0])[0] ;; np.sort(x[x > 0])[-1] ;; len(x[x > 0]) ;; x[x > 0].max() ;; x[x > 5].sum()
np.nonzero(i)[0].sum() ;; np.nonzero(m > 1)[1].max() ;; np.flatnonzero(i)[0] ;; np.unique(i).size ;; np.unique(i).sum() ;; np.argwhere(m > 0).sum()
x[: i[2]].sum() ;; x[i[2] % 3 :].max() ;; x[i[2] :: -1] @ x[i[2] :: -1] ;; x[-int(i[2]) :].mean() ;; np.setdiff1d(i, i + 1).sum()
m[m[:, 0] > 0].sum(axis=0) ;; m[:, m[0] > 0].sum(axis=1) ;; m[m > 0].std() ;; (m[m[:, 1] > 0] @ x).sum() ;; m[m > 1].sum()
x[x > 0][1:].sum() ;; x[x > 0][x[x > 0] > 1].sum() ;; np.median(x[x > 0]) ;; x[x > 0].argmax() ;; x[x > 0].cumsum()[-1] ;; x[np.nonzero(x > 0)[0]].sum()
np.where(x[x > 0] > 1, 1, 0).sum() ;; np.linalg.norm(x[x > 0]) ;; sum([v for v in x[: 2]]) + x[x < 0].sum() ;; np.union1d(i, i + 2).max()
""")


def stacked(f, *args):
    results = [f(*[each[k].copy() for each in args]) for k in range(len(args[0]))]
    if isinstance(results[0], tuple):
        return tuple(map(np.stack, zip(*results, strict=True)))
    return np.stack(results)


@pytest.mark.parametrize("expression", INSIDE)
def test_lengths_that_stay_inside(expression, tmp_path):
    function = namespace_of(f"def f(x, i, m):\n    return {expression}\n", tmp_path)["f"]
    with quiet():
        expected = stacked(function, X, I, M)
    assert_same(ingot.vmap(function)(X, I, M), expected, 1e-11)


def shrunk(x):
    steps = 0
    while x.size > 1:
        x = (x[1:] + x[0])[x[1:] < 2]
        steps += 1
    return steps


def collatz(i):
    count = 0
    i = i[i > 0]
    while i.size > 0 and count < 50:
        i = np.where(i % 2 == 0, i // 2, 3 * i + 1)
        i = i[i > 1]
        count += i.size
    return count


def halves(x):
    total = 0.0
    for k in range(1, 4):
        head = x[:k]
        total += head[head > 0].sum() * k
    return total


def either(x):
    y = x[x > 0] if x[0] > 0 else x[x < 1] * 2
    return y.sum(), len(y)


def stored(x):
    y = x[x > 0]
    y[0] = 9
    x[x > 0] = y * 2
    return x


def until_large(x):
    total = 0.0
    for k, value in enumerate(x[x > 0]):
        if value > 2:
            break
        total += k + value
    else:
        total = -total
    return total


def first_small(x):
    for value in reversed(x[x > 0]):
        if value < 1:
            return value
    return 9.0


def pairs(i):
    total, count = 0, 0
    for a, b in zip(i[i > 0], np.flatnonzero(i > 0)):
        for c in i[i > a]:
            total += a * b - c
            count += 1
    return total, count


def taken_once(i):
    i = i.copy()
    total = 0
    for k in i[i > 0]:
        total += i[k % 4]
        i[k % 4] = 0
    return total, i


def partitioned(x):
    low = x[~(x > 0)]
    x[: len(x) - len(low)] = x[x > 0]
    x[len(x) - len(low) :] = low
    return x


def of_each_kind(i):
    means = np.zeros(6)
    for k in range(6):
        chosen = i == k
        if chosen.any():
            means[k] = np.flatnonzero(chosen).mean()
    return means, sum(i[i > 1]), all(i[i > 0] > 1)


def gathered(x):
    found = np.zeros(0)
    for value in x[x > 0]:
        found = ingot.bound(np.append(found, value * 2), 4)
    kept = [value for value in x[x > 0] if value > 1]
    return found.sum(), len(found), len(kept), max(x[x > 0])


def of_gradients(x):
    return ingot.grad(lambda x: (x[x > 0] ** 2).sum() + x[x > 0.5].mean())(x)


@pytest.mark.parametrize(
    "function, items",
    [
        (shrunk, X),
        (collatz, I),
        (halves, X),
        (either, X),
        (stored, X),
        (until_large, X),
        (first_small, X),
        (pairs, I),
        (taken_once, I),
        (partitioned, X),
        (of_each_kind, I),
        (gathered, X),
        (of_gradients, X),
    ],
)
def test_programs(function, items):
    assert_same(ingot.vmap(function)(items), stacked(function, items))
    assert_same(ingot.jit(ingot.vmap(function))(items), stacked(function, items))


#: Of x, i and n, which is the same for all items.
RESULTS = split("""
x[: int(n[0])] ;; x[int(n[0]) :] * 2 ;; x[-int(n[0]) :][::-1] ;; (x[: int(n[0])], x.sum()) ;; m[int(n[0]) :, : int(n[1])] ;; m[int(n[0]) :].T
x[n > 0] ;; m[:, n > 0] ;; np.nonzero(n) ;; x[i < 9] ;; x[np.arange(4) % 3 != n[0]] ;; np.sort(x)[np.arange(4) < i[0] * 0 + 2]
""")


@pytest.mark.parametrize("out_axis", [0, 1, -1])
@pytest.mark.parametrize("expression", RESULTS)
def test_results_of_one_length(expression, out_axis, tmp_path):
    """np.stack takes arrays of one shape, and so does vmap."""
    function = namespace_of(f"def f(x, i, m, n):\n    return {expression}\n", tmp_path)["f"]
    n = np.array([1, 2, 0, 3])
    expected = stacked(lambda x, i, m: function(x, i, m, n), X, I, M)

    def moved(a):
        return np.moveaxis(a, 0, out_axis) if np.ndim(a) > 1 else a

    expected = tuple(map(moved, expected)) if isinstance(expected, tuple) else moved(expected)
    if "x.sum()" in expression and out_axis == 1:
        with pytest.raises(ingot.CompileError, match="out_axes has axis 1 for a result of 1 axes"):
            ingot.vmap(function, (0, 0, 0, None), out_axis)(X, I, M, n)
        return
    assert_same(ingot.vmap(function, (0, 0, 0, None), out_axis)(X, I, M, n), expected)


RAGGED = ["x[x > 0]", "np.nonzero(i)", "np.unique(i)", "x[: i[2]]", "m[m[:, 0] > 0]", "x[: len(x[x > 0])]"]  # fmt: skip


@pytest.mark.parametrize("expression", RAGGED)
def test_results_of_several_lengths(expression, tmp_path):
    function = namespace_of(f"def f(x, i, m):\n    return {expression}\n", tmp_path)["f"]
    expected = outcome(stacked, function, X, I, M)
    assert "all input arrays must have the same shape" in str(expected)
    with pytest.raises(ValueError, match="all input arrays must have the same shape: the lengths"):
        ingot.vmap(function)(X, I, M)
    # Items that are alike have one length.
    alike = [np.stack([each[0]] * 3) for each in (X, I, M)]
    assert_same(ingot.vmap(function)(*alike), stacked(function, *alike))
    # What the hint says.
    count = namespace_of(f"def g(x, i, m):\n    return np.size({expression}[0])\n", tmp_path)["g"]
    assert_same(ingot.vmap(count)(X, I, M), stacked(count, X, I, M))


def test_in_compiled_code():
    def heads(x, n):
        k = int(n[0])
        rows = ingot.vmap(lambda row: row[:k] * 2)(x)
        return rows, rows.shape, rows[:, 1:].sum(axis=1), rows[0], rows.T @ x[:, 0]

    for n in (1, 2, 4):
        rows = X[:, :n] * 2
        expected = rows, (3, n), rows[:, 1:].sum(axis=1), rows[0], rows.T @ X[:, 0]
        assert_same(ingot.jit(heads)(X, np.array([n])), expected)


def test_shared_results():
    def f(x, n):
        return n[: int(n[0])] * 2, x

    n = np.array([2, 4, 5])
    assert_same(ingot.vmap(f, (0, None), (None, 0))(X, n), (np.array([4, 8]), X))


def test_batches_of_batches():
    inner = ingot.vmap(lambda x: x[x > 0].sum())
    assert_same(ingot.vmap(inner)(M), np.where(M > 0, M, 0).sum(axis=2), 1e-12)
    first = ingot.vmap(ingot.vmap(lambda x, n: x[: int(n[0])], (0, None)), (0, None))
    assert_same(first(M, np.array([2])), M[:, :, :2])
    with pytest.raises(ValueError, match="all input arrays must have the same shape"):
        ingot.vmap(ingot.vmap(lambda x: x[x > 0]))(M)


def test_with_derivatives():
    def loss(x):
        return (x[x > 0] ** 2).sum()

    slopes = np.where(X > 0, 2 * X, 0)
    assert_same(ingot.vmap(ingot.grad(loss))(X), slopes)
    assert_same(ingot.grad(lambda x: ingot.vmap(loss)(x).sum())(X), slopes)
    assert_same(ingot.vmap(ingot.hessian(loss))(X), np.stack([np.diag(2.0 * (x > 0)) for x in X]))
    assert_same(ingot.jacrev(lambda x: ingot.vmap(loss)(x))(X[:1])[0, 0], slopes[0])
    assert_same(ingot.jacfwd(lambda x: ingot.vmap(loss)(x))(X[:1])[0, 0], slopes[0])
    value, slope = ingot.vmap(lambda x: ingot.jvp(loss, (x,), (x,)))(X)
    assert_same(slope, (slopes * X).sum(axis=1))
    # Each item is cut by its own mask; two of four elements are positive in these.
    x = np.array([[1.0, -1.0, 2.0, -3.0], [-1.0, 4.0, -2.0, 3.0]])
    rows = ingot.vmap(ingot.jacrev(lambda x: x[x > 0] ** 2))(x)
    assert_same(rows, np.stack([np.diag(2 * each)[each > 0] for each in x]))
    pulled = ingot.vmap(lambda x: ingot.vjp(lambda x: x[x > 0] ** 2, x)[1](x[x > 0])[0])(x)
    assert_same(pulled, np.where(x > 0, 2 * x * x, 0))
    gradient = ingot.vmap(ingot.grad(lambda x: np.sort(x[x > 0])[0] ** 2))(x)
    assert_same(gradient, np.array([[2.0, 0, 0, 0], [0, 0, 0, 6.0]]))
    stacked_rows = ingot.jit(lambda x: ingot.grad(lambda x: (ingot.vmap(lambda r: r[r > 0])(x) ** 2).sum())(x))  # fmt: skip
    assert_same(stacked_rows(x), np.where(x > 0, 2 * x, 0))


def test_artifacts(tmp_path):
    both = ingot.vmap(lambda x, n: (x[: int(n[0])], x[x > 0]), (0, None))
    ingot.export(both, ingot.spec("n,4"), np.array([2]), name="both").save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    assert repr(loaded.entry("both")).endswith("n0 <= 4, n1 <= 4)")
    for k, items in ((2, X[::2]), (0, X[:1]), (9, X[2:])):
        expected = stacked(lambda x, k=k: (x[:k], x[x > 0]), items)
        assert_same(loaded(items, np.array([k])), expected)
    with pytest.raises(ValueError, match="all input arrays must have the same shape"):
        loaded(X, np.array([2]))


def test_checks_of_items():
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        ingot.vmap(lambda x: x[x > 2.5].max())(X)
    with pytest.raises(IndexError):
        ingot.vmap(lambda x: x[x > 2.5][0])(X)

    def guarded(x):
        return x[x > 2][0] if (x > 2).any() else -1.0

    assert_same(ingot.vmap(guarded)(X), stacked(guarded, X))


def test_items_that_are_selections():
    columns = ingot.jit(lambda x: ingot.vmap(lambda row: (row.sum(), row * 2))(x[:, x[0] > 0]))
    chosen = X[:, X[0] > 0]
    assert_same(columns(X), (chosen.sum(axis=1), chosen * 2), 1e-12)
    by_column = ingot.jit(
        lambda x, n: ingot.vmap(lambda column, y: column @ y[: len(column)], (1, None))(
            x[: int(n[0])], x[:, 0]
        )
    )
    assert_same(by_column(X, np.array([2])), X[:2].T @ X[:2, 0], 1e-12)
    for f in (lambda x: x[x[:, 0] > 0], lambda x: x[: int(x[0, 2])]):
        with pytest.raises(ingot.CompileError, match="along axis 0, whose length is known only"):
            ingot.jit(lambda x, f=f: ingot.vmap(lambda row: row.sum())(f(x)))(X)


jitted = ingot.jit(lambda x: x[x > 0])


def test_jitted_in_jitted():
    assert_same(ingot.jit(lambda x: jitted(x)[1:] * 2)(X[0]), X[0][X[0] > 0][1:] * 2)
    assert_same(ingot.jit(lambda x: jitted(jitted(x) - 1))(X[0]), np.array([2.1]) - 1)
    assert_same(ingot.jit(jitted)(X[0]), X[0][X[0] > 0])
    assert_same(ingot.grad(lambda x: (jitted(x) ** 2).sum())(X[0]), np.where(X[0] > 0, 2 * X[0], 0))
