"""Slices whose length is dynamic: `a[i:j]` in loops that stay loops, against NumPy."""

import copy

import numpy as np
import pytest

import ingot
from oracle import assert_same
from sources import namespace_of

RNG = np.random.default_rng(0)
N = 12
A = RNG.normal(size=(N, N)) + N * np.eye(N)
B = RNG.normal(size=(N, N))
X = RNG.normal(size=N)


def lu(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            a[i, j] -= a[i, :i] @ a[:i, j]
    return a


def cholesky(a):
    a = a @ a.T
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])
    return a


def triangular(a, b, x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = (x[i] - a[i, :i] @ y[:i]) / a[i, i]
    for i in range(len(x) - 1, -1, -1):
        y[i] = (y[i] - a[i, i + 1 :] @ y[i + 1 :]) / a[i, i]
    return y


def correlated(a):
    m = a.shape[1]
    c = np.eye(m)
    for i in range(m - 1):
        c[i + 1 : m, i] = c[i, i + 1 : m] = a[:, i] @ a[:, i + 1 : m]
    return c


def covariant(a):
    m = a.shape[1]
    c = np.zeros((m, m))
    for i in range(m):
        c[i:m, i] = a[:, i] @ a[:, i:m] / (m - 1.0)
        c[i, i:m] = c[i:m, i]
    return c


def symmetric(a, b):
    c = np.zeros_like(a)
    t = np.empty(a.shape[1])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c[:i, j] += 1.5 * b[i, j] * a[i, :i]
            t[j] = b[:i, j] @ a[i, :i]
        c[i, :] += 1.5 * b[i, :] * a[i, i] + 1.5 * t
    return c


def triangle_times(a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    return b * 2


def durbin(r):
    y = np.empty_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


def rank_one_updates(a):
    for k in range(a.shape[0] - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a


def two_open_axes(a, b):
    s = np.zeros(4)
    for i in range(1, 11):
        part = a[:i, i:] * 2 - b[:i, i:]
        s[0] += part.sum() + part.max()
        s[1] += (part @ b[i:, :i]).trace() if i > 20 else (part.T @ b[:i, 0]).sum()
        s[2] += part.mean(axis=0).max() + part.min(axis=1).sum() + part.std()
        s[2] += np.linalg.norm(part)
        s[3] += part[0, 0] + part[-1, -1] + part.shape[0] * 10 + part.shape[1] + part.size
    return s


def moved(x):
    y = np.zeros_like(x)
    for i in range(1, len(x) - 2):
        y[: len(x) - i] += x[i:] * x[: len(x) - i]
        y[i:] -= x[: len(x) - i]
        y[i:-1] = y[i + 1 :] + 0.1
        y[:i] *= np.sin(y[:i][::-1])
    return y


def reductions(x):
    found = np.zeros((len(x), 9))
    for i in range(1, len(x)):
        p = x[i // 2 : i]
        q = x[:i]
        found[i, 0] = p.sum() + len(p) + p.size
        found[i, 1] = q.max() - q.min() + np.ptp(q)
        found[i, 2] = np.argmax(q) * 10 + q.argmin()
        found[i, 3] = np.median(q) + np.linalg.norm(q)
        found[i, 4] = np.prod(q) + (q > 0).sum() + np.count_nonzero(q < 0)
        found[i, 5] = q.var() + q.mean() + abs(q).sum() + np.sqrt(np.abs(q)).max()
        found[i, 6] = np.where(q > 0, q, -q).sum() + (q**2).sum() + (-q)[0] + q[-1]
        found[i, 7] = np.clip(q, -1, 1).sum() + q.astype(int).sum() + q.copy()[i - 1]
        found[i, 7] += np.max(x[: i // 9], initial=2.5) + x[: i // 9].min(initial=-1)
        found[i, 8] = (q[1:] - q[:-1]).sum() + q[::-1][0] + q[-2:].sum()
    return found


def ends_of_all_kinds(x):
    found = np.zeros((41, 6))
    k = -20
    while k <= 20:
        found[k, 0] = x[k:].sum()
        found[k, 1] = x[:k].sum()
        found[k, 2] = x[k : 2 * k].sum()
        found[k, 3] = x[k::-1].sum()
        found[k, 4] = (x[:k:-1] * np.arange(20)[: len(x[:k:-1])]).sum()
        found[k, 5] = x[-k : k + 3].size
        k += 1
    return found


def over_items(x):
    total = 0.0
    for i in range(len(x)):
        for v in x[:i]:
            total = total * 0.9 + v
        for j, v in enumerate(x[i:]):
            total += j * v
        for v, w in zip(x[:i], x[::-1][:i]):
            total += v * w
    return total


def rows_of_a_sparse_matrix(values, columns, rows, x):
    y = np.zeros(len(rows) - 1)
    for i in range(len(rows) - 1):
        c = columns[rows[i] : rows[i + 1]]
        v = values[rows[i] : rows[i + 1]]
        y[i] = v @ x[c]
    return y


def in_a_function(a, x):
    def scaled(part, by):
        part *= by
        return part.sum()

    total = 0.0
    for i in range(1, len(x)):
        total += scaled(a[i, :i], x[i])
        row = a[i]
        row[:i] += 1
    return total, a


def asks_for_lengths(x):
    found = np.zeros(len(x))
    for i in range(1, len(x)):
        found[: i - 1] = np.diff(x[:i])
        found[i] = np.concatenate([x[:i], x[:1]]).sum()
    return found


def kept_after_a_loop(x):
    part = x[:1]
    for i in range(1, len(x)):
        part = x[:i]
    return part * 2


def lengths_in_a_while(x):
    n, steps = len(x), 0
    while n > 1:
        half = n // 2
        x[:half] += x[n - half : n]
        n -= half
        steps += 1
    return x, steps


def stores_by_indices(a, x):
    for i in range(4, len(x)):
        z = x[:i]
        z[[0, 2]] = i
        z[[1, -1]] += 1
        z[z > 5] = 0.5
        b = a[1:i]
        b[[0, 1]] = 7
        b[np.array([0, 2])] *= 2
        b[1, 2] = 3
        b[-1] = x
        b[0, :2] = 5
        b[..., 0] = 6
    return a, x, z


COLUMNS = np.array([0, 3, 5, 1, 2, 11, 7, 7], np.uint32)
ROWS = np.array([0, 2, 2, 5, 8], np.uint32)
CASES = [
    (lu, A), (cholesky, A), (triangular, A, B, X), (correlated, B), (covariant, B),
    (symmetric, A, B), (triangle_times, A, B), (durbin, X / 10), (rank_one_updates, A),
    (two_open_axes, A, B), (moved, X / 4), (reductions, X), (ends_of_all_kinds, X), (over_items, X),
    (rows_of_a_sparse_matrix, X[:8], COLUMNS, ROWS, X), (in_a_function, A, X),
    (asks_for_lengths, X), (kept_after_a_loop, X), (lengths_in_a_while, X),
    (stores_by_indices, A, X),
]  # fmt: skip


def check(function, *args):
    mine, theirs = copy.deepcopy(args), copy.deepcopy(args)
    found, expected = ingot.jit(function)(*mine), function(*theirs)
    for a, b in zip((found, *mine), (expected, *theirs), strict=True):
        np.testing.assert_equal(type(a), type(b))
        for x, y in zip(_leaves(a), _leaves(b), strict=True):
            assert np.asarray(x).dtype == np.asarray(y).dtype
            np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-12)


def _leaves(value):
    return [x for each in value for x in _leaves(each)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_against_numpy(case):
    check(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_derivatives(case):
    """Backwards and forwards, by the first argument, against differences."""
    function, x, *rest = case
    direction = np.random.default_rng(1).normal(size=x.shape)

    def loss(x, *rest):
        total = 0.0
        found = function(x, *rest)
        for each in found if isinstance(found, tuple) else (found,):
            each = np.asarray(each)
            if each.dtype.kind == "f":
                total += np.sum(np.sin(each))
        return total

    def moved(step):
        return loss(x + step * direction, *copy.deepcopy(rest))

    expected = (moved(1e-6) - moved(-1e-6)) / 2e-6
    backwards = np.sum(ingot.grad(loss)(x.copy(), *copy.deepcopy(rest)) * direction)
    alone = lambda x: loss(x, *[np.array(each) for each in rest])  # noqa: E731
    _, forwards = ingot.jvp(alone, (x.copy(),), (direction,))
    np.testing.assert_allclose(backwards, expected, rtol=2e-5, atol=1e-6)
    np.testing.assert_allclose(forwards, backwards, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_batches(case):
    """Two items of the first argument, of which the second is turned round."""
    function, x, *rest = case
    batch = np.stack([x, x[::-1]])
    found = ingot.vmap(function, (0, *(None,) * len(rest)))(batch.copy(), *copy.deepcopy(rest))
    for i in range(2):
        expected = function(batch[i].copy(), *copy.deepcopy(rest))
        for a, b in zip(_leaves(found), _leaves(expected), strict=True):
            np.testing.assert_allclose(a[i], b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("part", ["x[: int(ks[0])]", "x[x > 0]"])
def test_where_in_reductions_is_refused(part, tmp_path):
    text = f"def f(x, ks):\n    return {part}.sum(where=x[0] > 100)\n"
    function = namespace_of(text, tmp_path)["f"]
    with pytest.raises(ingot.CompileError):
        ingot.jit(function)(X, np.array([3]))


def ends_that_are_known(x, n):
    part = slice(n - n - 2, None)
    return x[: n - n - 1], x[0 * n - 2 :], x[part], len(x[: 2 * n - n - n - 1])


def test_ends_whose_form_says_what_they_are():
    x = np.arange(5.0)
    for n in (0, 1, 7):
        assert_same(ingot.jit(ends_that_are_known)(x, n), ends_that_are_known(x, n))


def from_the_end_to_the_beginning(a):
    for i in range(9):
        a[-1 + i // 8 :] -= a[2:3]
    return a


def test_bounds_of_a_position_counted_from_the_end():
    a = np.arange(12.0).reshape(4, 3)
    assert_same(
        ingot.jit(from_the_end_to_the_beginning)(a.copy()), from_the_end_to_the_beginning(a.copy())
    )


def of_length_one(x, y, i):
    k = min(max(int(i[0]), 0), 4)
    y[3 : k + 3] -= y[-1 : len(y) + k]
    part = x[-1 : len(x) + k]
    return np.linalg.norm(part), np.allclose(part, part + 1e-12), y, part @ part


def test_slices_whose_bounds_say_how_long_they_are():
    x = np.arange(1.0, 10.0)
    for k in range(5):
        ends = np.array([k])
        expected = of_length_one(x, x.copy(), ends)
        assert_same(ingot.jit(of_length_one)(x, x.copy(), ends), expected)


def ended_before_begun(x, i):
    return x[i + 2 : i].sum(), x[i + 1 : i - 1]


def test_slices_that_end_before_they_begin():
    x = np.arange(5.0)
    for i in (1, 3, 5, 9):
        assert_same(ingot.jit(ended_before_begun)(x, i), ended_before_begun(x, i))
    # Here NumPy takes the end from the end of the array: x[1:-1] has elements.
    assert_same(ingot.jit(ended_before_begun)(x, 0), ended_before_begun(x, 0))


def window(x, i):
    return x[i : i + 3]


def stored_window(x, i):
    x[i : i + 2] += 1
    return x.sum(), x[-2 + i : i].max(initial=-1)


@pytest.mark.parametrize("f", [window, stored_window])
@pytest.mark.parametrize("number", [int, np.int64])
def test_windows_that_reach_outside(f, number):
    compiled = ingot.jit(f)
    for i in (0, 2, 3, 4, 7, -2, -9, 1):
        x, y = np.arange(5.0), np.arange(5.0)
        assert_same((compiled(x, number(i)), x), (f(y, number(i)), y))


def test_windows_that_reach_outside_are_compiled_once_more():
    compiled = ingot.jit(window)
    for i in (0, 1, 4, 3, -1):
        compiled(np.arange(5.0), i)
    assert len(compiled._compiled) == 2


def test_batches_and_gradients_of_windows_that_reach_outside():
    def loss(x, i):
        return np.sum(x[i : i + 3] ** 2)

    x = np.arange(1.0, 6.0)
    assert_same(ingot.grad(loss)(x, 3), np.array([0.0, 0, 0, 8, 10]))
    items = np.arange(10.0).reshape(2, 5)
    assert_same(ingot.vmap(window, (0, None))(items, 4), items[:, 4:7])


def printed_window(x, i):
    print("a line")
    return x[i : i + 3]


def test_windows_of_functions_that_print(capfd):
    """They take nothing for granted, since a call can't be made again."""
    assert_same(ingot.jit(printed_window)(np.arange(5.0), 3), np.arange(3.0, 5.0))
    assert capfd.readouterr().out.count("a line") == 1


def printed_transformed_window(x, i):
    print("a line")
    return transformed_window(x, int(i[0]))


def test_windows_of_functions_that_print_and_can_not_be_cut(capfd):
    with pytest.raises(NotImplementedError, match="must lie inside"):
        ingot.jit(printed_transformed_window)(np.arange(5.0), np.array([3]))
    assert capfd.readouterr().out.count("a line") == 1


def printed_power(n):
    print("a line")
    return 10**n


def test_powers_of_functions_that_print(capfd):
    compiled = ingot.jit(printed_power)
    for n in (2, -2):
        assert_same(compiled(n), 10**n)
    assert capfd.readouterr().out.count("a line") == 2


def transformed_window(x, i):
    return np.fft.fft(x[i : i + 3])


def test_windows_that_can_not_be_cut():
    """The function is compiled for each number; for items of arrays it must lie inside."""
    compiled = ingot.jit(transformed_window)
    x = np.arange(5.0)
    for number in (int, np.int64):
        assert_same(compiled(x, number(3)), np.fft.fft(x[3:6]))
    computed = ingot.jit(lambda x, i: transformed_window(x, int(i[0])))
    for _ in range(2):
        with pytest.raises(NotImplementedError, match="must lie inside"):
            computed(x, np.array([3]))


def tried(f):
    """`f`, and -1 where it raises what NumPy could raise there."""

    def trying(*args):
        try:
            return f(*args)
        except (IndexError, ValueError):
            return -1.0

    return trying


@pytest.mark.parametrize(
    ("f", "arguments", "refused"),
    [
        (tried(lambda x, i: x[i : i + 3].sum()), (np.arange(5.0), 1), (np.arange(5.0), 3)),
        (tried(lambda x, p: x**p), (2.0, 0.5), (-8.0, 0.5)),
        (tried(lambda n, m: n**m), (2, 3), (2, -3)),
    ],
)
def test_artifacts_refuse_what_their_programs_do_not_compute(f, arguments, refused, tmp_path):
    """Neither NumPy nor Python raises there, so that no handler of the program has it."""
    ingot.export(f, *arguments, name="f").save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    assert_same(loaded(*arguments), f(*arguments))
    with pytest.raises(NotImplementedError):
        loaded(*refused)
    assert_same(ingot.jit(f)(*refused), f(*refused))
