"""Specialising on arguments that decide a size or the structure of results, where nothing else will do."""

import math

import numpy as np
import pytest
from plain import Programs, refused, same_for

import ingot

programs = Programs()
X = np.arange(6.0)


# Two at once: a slice that may be cut at the end of its array, beside a list of run-time length.


def pairs_of(values):
    yield 0.0, values


@programs((X[:1], 3, 1), (X[:1], 0, 1), (X, 2, 1))
def cut_beside_a_list(x, n, m):
    kept = [1 for _ in pairs_of(m)]
    x[n : n + 2] += 1
    return len(kept)


# Sizes that are computed from floats.


@programs((1.0, 0.1), (1.0, 0.3), (0.5, 0.1))
def decay(end, dt):
    n = int(end / dt)
    u = np.zeros(n + 1)
    u[0] = 1.0
    for i in range(n):
        u[i + 1] = u[i] * (1 - dt)
    return u


@programs((0.0, 1.0, 0.1), (0.0, 1.0, 0.3))
def rounded_up(start, end, step):
    n = int(np.ceil((end - start) / step))
    return np.zeros((n + 1, 2)), np.linspace(start, end, n + 1)


@programs((10.0, 3.0), (9.0, 3.0))
def by_math(a, b):
    return np.ones(math.ceil(a / b)), np.ones(math.floor(a / b)), np.ones(round(a / b))


@programs((10.0,), (9.5,), (np.float32(9.5),))
def by_casts(a):
    return np.ones(np.ceil(a).astype(int)), np.ones(np.int64(a)), np.full(max(int(a), 3), a)


@programs((100,), (50,))
def sieve(n):
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = False
    return np.nonzero(is_prime)[0]


@programs((4,), (5,))
def odd_size(k):
    if k % 2 == 0:
        k = k + 1
    return np.ones((k, k))


@programs((X, 2.0, 0.5))
def padded(x, width, share):
    return np.pad(x, int(width / share)), np.tile(x, int(width)), np.repeat(x, int(width))


@programs((False, 2), (False, 3))
def cut_by_an_int_or_a_float(c, n):
    size = 0.5 if c else n
    return np.arange(5)[:size], [1, 2, 3][:size]


# Numbers of iterations, where a loop changes the structure of a container.


@programs((3,), (12,), (0,))
def keys_of_two_indices(n):
    table = {}
    for i in range(n):
        for j in range(i):
            table[i, j] = table.get((i - 1, j), 0) + i * j
    return table


@programs((4, X), (12, X))
def keys_beside_others(n, x):
    table = {0: 0.0}
    for i in range(1, n):
        table[i] = table[i - 1] + x[i % len(x)]
    return table


@programs(([3, 2, 3],), ([1],))
def counted(items):
    found = {}
    for item in items:
        found[item] = found.get(item, 0) + 1
    return found


@programs((1,), (6,), (12,))
def triangle(n):
    rows = [[1]]
    for i in range(1, n):
        row = [1]
        for j in range(1, i):
            row.append(rows[i - 1][j - 1] + rows[i - 1][j])
        row.append(1)
        rows.append(row)
    return rows


@programs((X, 4), (X, 10))
def arrays_of_several_lengths(x, n):
    parts = []
    for i in range(n):
        k = i % 4
        while k > 0:
            parts.append(x[:k] * i)
            k -= 1
    return parts


@programs((1234,), (0,))
def digits(n):
    found = []
    while n > 0:
        found.append(n % 10)
        n //= 10
    return found


@programs((0.5, 9), (1.2, 12), (0.5, 0))
def sine(x, n):
    total = 0.0
    for k in range(n):
        total += (-1) ** k * x ** (2 * k + 1) / math.factorial(2 * k + 1)
    return total


@programs(X)
def binomials(x):
    total, k = x * 0, 0
    for i in range(20):
        total += x * math.comb(20, k) / (i + 1)
        k += 1
    return total


@programs((np.zeros((3, 3)), 5), (np.zeros((3, 3)), 0))
def rows_in_turn(m, n):
    rows = [m[0], m[1], m[2]]
    for k in range(n):
        rows[k % 3][k % 2] += 1
    rows.reverse()
    rows[0][2] = 42
    return m


def test_what_is_refused_anyhow_keeps_its_message():
    def f(x, n):
        found = []
        for i in range(n):
            found.append("much" if x[i] > 1 else x[i])  # refused
        return found

    refused(f, X, 5, match="holds a str on one path and a float64 on another|gives what holds")


# Sizes that NumPy computes of what is known.


@programs(X)
def of_shapes(x):
    grid = x.reshape(2, 3)
    half = int(np.ceil(len(x) / 4))
    return (
        np.zeros(int(np.log2(x.size))), np.zeros(half), np.zeros(np.prod(grid.shape)),
        np.zeros(np.sum(grid.shape)), np.zeros(np.max(grid.shape)), x.reshape(int(np.sqrt(4)), -1),
    )  # fmt: skip


@programs()
def of_literals():
    n = int(np.floor(10 / 3))
    return (
        np.zeros(n),
        np.hypot(3.0, 4.0),
        np.power(2, 10),
        np.sqrt(2),
        np.exp(1j),
        np.maximum(1, 2),
    )


@programs(X.reshape(2, 3))
def of_arrays_of_sizes(x):
    size, margin = np.array(x.shape), np.array([1, 2])
    framed = np.zeros(size + 2 * margin)
    framed[margin[0] : -margin[0], margin[1] : -margin[1]] = x
    rows, columns = size // 2 + 1
    n = np.atleast_1d(4)
    return (
        framed, np.ones((rows, columns)), x.reshape(np.array([6, 1])),
        np.ones(n[0]), np.ones(size), np.full(size * np.array([2, 1]), 3.0), np.broadcast_to(x, [4, *size]),
        np.ones(np.maximum(size, 3)), (size > 2)[1], size[-1], np.ones(tuple(size)),
    )  # fmt: skip


@programs(X.reshape(2, 3))
def of_arrays_of_sizes_that_change(x):
    size = np.array(x.shape)
    size[0] = 7
    for i in range(12):
        size[1] += i
    return size[0], size, size.copy()[1]


@programs((3, X), (4, X))
def of_an_argument_in_an_array(n, x):
    n = np.atleast_1d(n)
    return np.zeros(n[0]) + x[0]


@programs(([2, 3],), ([4, 1],))
def of_arguments_in_a_list(counts):
    counts = np.array(counts)
    return [np.linspace(0, 1, counts[i]) for i in range(len(counts))]


# Paths.


@programs((0, 2.0, 3.0), (6.0, 0, 3.0), (6.0, 2.0, 0))
def whichever_is_missing(voltage, current, resistance):
    if voltage == 0:
        return {"voltage": current * resistance}
    elif current == 0:
        return {"current": voltage / resistance}
    return {"resistance": voltage / current}


@programs((X, True), (X, False))
def of_two_shapes(x, is_short):
    if is_short and x.size > 3:
        part = x[:2]
    else:
        part = np.zeros((2, 2), int)
    return part + 1, x.sum()


@programs((1.5,), (7.5,))
def text(level):
    return "high" if level > 5 else "low"


@programs((X, None), (X, 0), (X, 1))
def one_or_a_list(x, n):
    found = []
    if n:
        found.append(x)
    return found


@programs((np.arange(3), 2), (np.arange(3), 20), (np.arange(3), 0))
def of_another_dtype_after_an_iteration(x, n):
    for _ in range(n):
        x = x * 0.5
    return x


@programs((5,), (25,))
def of_known_numbers(n):
    return math.factorial(n), math.comb(n, 2), bin(n).count("1")


# Strings that show arguments.


@programs((153,), (4334,))
def digits_of(n):
    shown = str(n)
    powers = sum(int(each) ** len(shown) for each in shown)
    return (
        powers == n,
        shown[::-1] == str(n),
        sorted(shown),
        int(shown[::-1]),
        {"153": 1}.get(f"{n}"),
    )


@programs((1.5,), (-2.25,))
def returned_text(x):
    return f"{x:.2f} and {2 * x:.1f}"


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


# Paths that are refused, but not taken.


class Order:
    def __init__(self, n):
        self.n = n


@programs((X, 1), (X[:4], 2), (X, True))
def shapes_that_only_one_path_has(x, n):
    if n == 1:
        return x * 2
    return (x @ np.ones((4, 3))).sum()


@programs((X, False), (X, 0.0), (X, 0))
def unsupported_on_the_other_path(x, flag):
    y = np.frombuffer(x) if flag else x + 1
    if flag and x[0] > 1:
        y = np.frombuffer(y)
    return y


@programs((X, Order(1)), (X[:2], Order(2)))
def by_an_attribute(x, order):
    if order.n == 1:
        return x + np.ones(6)
    elif order.n == 2:
        return x + np.ones(2)
    return np.frombuffer(x)


@programs((X, 0.25, 1.0), (X, 0.75, 1.0))
def by_two_numbers(x, low, high):
    if low > high:
        return x[0, 0]
    return x * low


def test_a_path_that_is_taken_is_refused():
    refused(unsupported_on_the_other_path, X, True, match="np.frombuffer takes bytes")
    refused(lambda x: np.frombuffer(x) if x[0] > 1 else x, X, match="np.frombuffer takes bytes")


def test_paths_that_all_compile_are_not_specialised(compilations):
    f = ingot.jit(lambda x, n: x * 2 if n == 1 else x + n)
    for n in (1, 2, 3):
        f(X, n)
    assert len(compilations) == 1


# What has another way is not specialised.


def sliced(x, t):
    return x[: int(t * 4)]


def bounded(x, n):
    return np.ones(min(n, 5)), x[: n if n < 5 else 5]


def clamped(x, t):
    if t > 0.5:
        t = 0.5
    return x * t


def kept(values):
    found = []
    for each in values:
        if each > 1:
            found.append(each)
    return found


@pytest.mark.parametrize(
    "f, cases",
    [
        (sliced, [(X, 0.3), (X, 0.6), (X, 0.9)]),
        (bounded, [(X, 2), (X, 3), (X, 7)]),
        (clamped, [(X, 0.25), (X, 0.75)]),
        (kept, [([1.0, 2.0, 3.0],), ([3.0, 0.0, 3.0],)]),
    ],
)
def test_one_program(f, cases):
    compiled = ingot.jit(f)
    for args in cases:
        same = compiled(*args), f(*args)
        for actual, expected in zip(*(s if type(s) is tuple else (s,) for s in same), strict=True):
            np.testing.assert_array_equal(actual, expected)
    assert len(compiled._compiled) == 1


def test_a_program_for_each_value():
    compiled = ingot.jit(decay)
    for dt in (0.1, 0.2, 0.1):
        np.testing.assert_allclose(compiled(1.0, dt), decay(1.0, dt))
    assert len(compiled._compiled) == 2


# In transformations and elsewhere.


def final(start, end, dt):
    n = int(end / dt)
    u = np.zeros(n + 1)
    u[0] = start
    for i in range(n):
        u[i + 1] = u[i] + dt * u[i] * (1 - u[i])
    return u[n]


def test_a_gradient_by_another_argument():
    step = 1e-6
    expected = (final(0.1 + step, 1.0, 0.1) - final(0.1 - step, 1.0, 0.1)) / (2 * step)
    np.testing.assert_allclose(ingot.grad(final)(0.1, 1.0, 0.1), expected, rtol=1e-7)


def test_a_batch_of_another_argument():
    starts = np.array([0.1, 0.2, 0.3])
    actual = ingot.vmap(final, (0, None, None))(starts, 1.0, 0.1)
    np.testing.assert_allclose(actual, [final(start, 1.0, 0.1) for start in starts])


def size_of_an_element(x):
    return np.zeros(int(x[0] / 0.5))


def text_of_an_element(x):
    return len(str(x[0]))


def characters_of_an_element(x):
    return [each for each in str(x[0])]


@pytest.mark.parametrize("f", [size_of_an_element, text_of_an_element, characters_of_an_element])
def test_elements_of_arrays_are_refused(f):
    refused(f, X)


def test_a_gradient_by_what_decides_a_size_is_refused():
    with pytest.raises(ingot.UnsupportedError):
        ingot.grad(final, 1)(0.1, 1.0, 0.1)
