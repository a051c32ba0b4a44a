"""Generator functions: loops over what they yield run in the order of Python."""

import itertools
import math
from dataclasses import dataclass

import numpy as np
import pytest

import ingot
from oracle import assert_same

RNG = np.random.default_rng(0)
X = RNG.normal(size=40)
SHORT = RNG.normal(size=5)


def pairs(n):
    for i in range(n):
        for j in range(i):
            yield i, j


def first(n):
    for i in range(n):
        yield i


def chunks(x, size):
    for i in range(0, len(x), size):
        yield x[i : i + size]


def collatz(n):
    while n != 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1


def naturals(start=0):
    n = start
    while True:
        yield n
        n += 1


def positive(x):
    for v in x:
        if v > 0:
            yield v
    return 5


def until_large(x, most):
    total = 0.0
    for v in x:
        total += abs(v)
        if total > most:
            return
        yield total


def nested(x, n):
    yield from positive(x)
    yield 0.5
    if n > 0:
        yield from nested(x * 0.5, n - 1)


def nothing(x):
    return
    yield x


def fading(x):
    """Changes what the loop over it reads."""
    for i in range(len(x)):
        yield i
        x[i] *= 0.5


@dataclass
class Walk:
    at: float
    step: float

    def __iter__(self):
        for i in range(3):
            self.at += self.step
            yield self.at * i

    def far(self, n):
        for i in range(n):
            self.at += self.step * i
            yield self.at, i


# Loops.


def sum_of_pairs(x):
    total = 0.0
    for i, j in pairs(len(x)):
        total += x[i] * x[j]
    return total


def counts(n):
    total, count = 0, 0
    for v in collatz(n):
        total += v
        count += 1
    return total, count


def kinds_change(x):
    total = 0
    for v in positive(x):
        total = total + v
    return total


def stores(x, out):
    k = 0
    for v in positive(x):
        out[k] = v * 2
        k += 1
    return k


def last(x):
    v = -1.0
    for v in positive(x):  # noqa: B007
        pass
    return v


def breaks(x, most):
    seen = 0
    for v in positive(x):
        if v > most:
            break
        seen += 1
    else:
        seen = -seen
    return seen, v


def returns(x, most):
    for i, v in enumerate(x * 2):
        for w in until_large(x, v):
            if w > most:
                return i, w
            if w < 0:
                continue
            x[i] += w
    return -1, 0.0


def continues(x):
    total = 0.0
    for v in until_large(x, 10.0):
        if v < 1:
            continue
        total += v
    else:  # noqa: PLW0120
        total = -total
    return total


def loops_inside(x):
    total = 0.0
    for part in chunks(x, 8):
        for v in part:
            if v > 1:
                break
            total += v
        else:
            total += 100
        k = 0
        while k < 3:
            k += 1
            if part[k] < 0:
                continue
            total *= 1.5
    return total


def in_each_other(x):
    total, last = 0.0, 0
    for i in collatz(7):
        for v in positive(x):
            if v * i > 20:
                last = i
                break
            total += v * i
        if i == 5:
            break
    return total, last


def of_generators(x, n):
    total = 1.0
    for v in nested(x, n):
        total = total * 0.9 + v
    return total


def changed_meanwhile(x):
    total = 0.0
    for i in fading(x):
        total += x[i]
        x[i] += 1
        if i + 1 < len(x):
            x[i + 1] += total
    return total, x.sum()


def of_methods(at, n):
    walk = Walk(at, 0.25)
    total = 0.0
    for v, i in walk.far(n):
        total += v * i
        walk.step += 0.125
    return total, walk.at, walk.step


def of_instances(at, n):
    walk = Walk(at, 0.25)
    total = 0.0
    for v in walk:
        total += v
    for i, v in enumerate(walk):
        total += i * v
    a, b, c = walk
    return total, sum(walk), max(walk), list(walk), [v * 2 for v in walk], a + b + c, walk.at * n


def of_local_functions(x, k):
    def scaled(y):
        nonlocal k
        for v in y:
            k += 1
            yield v * k

    total = 0.0
    for v in scaled(x):
        total += v
        k *= 0.5
    return total, k


def into_containers(x):
    found, sums = [], {"all": 0.0, "many": 0}
    for part in chunks(x, 10):
        found.append(part.max())
        sums["all"] += part.sum()
        sums["many"] += 1
    return np.array(found), sums["all"], sums["many"]


def with_a_lambda(x):
    factor = 1.0
    scale = lambda v: v * factor  # noqa: E731
    total = 0.0
    for v in positive(x):
        factor += 0.5
        total += scale(v)
    return total


def unbound_at_first(x):
    total = 0.0
    for i, v in enumerate(positive(x)):
        if i > 0:
            total += v - before  # noqa: F821
        before = v
    return total, before


def of_none(x):
    total = 1.0
    for v in nothing(x):
        total += v
    return total


def raising(x, n):
    total = 0.0
    for v in naturals():
        if v >= n:
            raise ValueError("too many")
        total += x[v]
    return total


def caught(x):
    total = 0.0
    try:
        for v in first(4):
            total += x[v]
            if v == 3:
                raise ValueError("too many")
    except ValueError:
        total = -total
    return total, v


def generator_raises(x, n):
    def checked():
        for v in x:
            if v > n:
                raise ValueError("large")
            yield v

    total = 0.0
    for v in checked():
        total += v
    return total


def kept_for_later(x):
    values = positive(x)
    x[0] = 3.0
    total = 0.0
    for v in values:
        total += v
    return total + sum(values)


def walrus_and_tuples(x):
    a = b = 0.0
    for (i, j), *rest in ((each, 1, 2) for each in pairs(4)):
        a += (c := i * x[j]) + len(rest)
        b = c
    for i, j in pairs(5):
        a, b = b + x[i], a * 0.5 + (d := x[j])
    return a, b, d


LOOPS = {
    sum_of_pairs: (X,), counts: (27,), kinds_change: (X,), stores: (X, np.zeros(40)), last: (X,),
    breaks: (X, 1.5), returns: (SHORT, 2.0), continues: (X,), loops_inside: (X,),
    in_each_other: (X,), of_generators: (X, 2), changed_meanwhile: (X,), of_methods: (1.0, 30),
    of_instances: (1.0, 2),
    of_local_functions: (X, 1.0), into_containers: (X,), with_a_lambda: (X,),
    unbound_at_first: (X,), of_none: (X,), raising: (X, 100), caught: (X,),
    generator_raises: (X, 100.0), kept_for_later: (X,), walrus_and_tuples: (X,),
}  # fmt: skip


@pytest.mark.parametrize("f", LOOPS, ids=lambda f: f.__name__)
def test_loops(f, check):
    if f is raising:
        with pytest.raises(ValueError, match="too many"):
            ingot.jit(f)(X, 20)
        return
    check(f, *LOOPS[f])


def test_other_arguments(check):
    check(breaks, X, 100.0)
    check(breaks, np.abs(X), 0.0)
    check(returns, SHORT, 1000.0)
    check(continues, X * 0.01)
    check(of_local_functions, SHORT, 2.0)
    with pytest.raises(ValueError, match="large"):
        ingot.jit(generator_raises)(X, 1.0)


# Functions of iterators.


def lists(x, n):
    a = list(positive(x))
    b = tuple(chunks(x, 10))
    return (
        len(a),
        sum(a),
        max(positive(x)),
        min(positive(x)),
        sum(b),
        sorted(pairs(4)),
        set(collatz(6)),
    )


def enumerated(x):
    total = 0.0
    for i, v in enumerate(positive(x), 2):
        total += i * v
    for i, (j, k) in enumerate(pairs(4)):
        total += i * x[j] - k
    return total


def quantified(x, n):
    return (
        any(v > n for v in positive(x)), all(v > n for v in positive(x)),
        any(until_large(x, 0.0)), all(collatz(5)),
    )  # fmt: skip


def mapped(x):
    total = 0.0
    for v in map(lambda v: v * v, positive(x)):
        total += v
    for v in filter(lambda v: v < 1, until_large(x, 5.0)):
        total += v
    return total


def zipped(x, n):
    total, seen = 0.0, [0]

    def counted(y):
        for v in y:
            seen[0] += 1
            yield v

    for v, w in zip(counted(x), x[:4]):
        total += v * w
    for v, w in zip(range(n), counted(x)):
        total += v * w
    for (i, j), w in zip(pairs(5), x[::-1]):
        total += i * w - j
    return total, seen[0], list(zip(collatz(6), (1, 2, 3)))


def sliced(x, k):
    total = 0.0
    for n in itertools.islice(naturals(2), 5):
        total += n * x[n]
    for n in itertools.islice(naturals(k), 3):
        total += n
    return total, list(itertools.islice(naturals(), 4))


def comprehended(x):
    squares = [v * v for v in collatz(6) if v > 2]
    return sum(squares), sum(v * w for v in positive(x) for w in (1, 2)), math.prod(collatz(3))


CALLS = {lists: (X, 0), enumerated: (X,), quantified: (X, 1.0), mapped: (X,), sliced: (X, 3),
         zipped: (X, 5)}  # fmt: skip


@pytest.mark.parametrize("f", CALLS, ids=lambda f: f.__name__)
def test_functions_of_iterators(f, check):
    check(f, *CALLS[f])


def test_the_shorter_one_ends_zip(check):
    check(zipped, X, 0)
    check(zipped, X[:5], 100)
    check(zipped, X[:3], 3)


def test_comprehensions(check):
    check(comprehended, SHORT)


# What is refused.


def sends(x):
    v = yield x
    yield v


def guarded(x):
    try:
        yield x
    finally:
        x += 1


def uses_sends(x):
    return sum(sends(x))


def uses_guarded(x):
    return sum(guarded(x))


def takes_next_again(x):
    values = positive(x)
    return next(values) + next(values)


def zips(x):
    total = 0.0
    for v, w in zip(positive(x), collatz(3)):
        total += v * w
    return total


def goes_on(x):
    values = positive(x)
    for v in values:
        if v > 1:
            break
    return v + sum(values)


REFUSED = {
    uses_sends: "what is sent to a generator", uses_guarded: "inside `try` or `with`",
    takes_next_again: "a generator that a loop has begun", zips: "taking single items of a generator",
    goes_on: "a generator that a loop has begun",
}  # fmt: skip


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_refusals(f):
    with pytest.raises(ingot.UnsupportedError, match=REFUSED[f]) as caught:
        ingot.jit(f)(X)
    assert "test_generators.py" in str(caught.value) and "docs/errors/yield.md" in str(caught.value)


# Derivatives and batches.


@pytest.mark.parametrize("f, args", [
    (sum_of_pairs, (SHORT,)), (kinds_change, (X,)), (continues, (X,)), (of_generators, (SHORT, 1)),
    (loops_inside, (X,)),
])  # fmt: skip
def test_derivatives(f, args):
    x, *rest = args
    step = 1e-6
    got = ingot.grad(f)(x.copy(), *rest)
    for i in range(len(x)):
        d = np.zeros(len(x))
        d[i] = step
        slope = (f(x + d, *rest) - f(x - d, *rest)) / (2 * step)
        np.testing.assert_allclose(got[i], slope, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("f", [sum_of_pairs, kinds_change, continues, loops_inside, last])
def test_batches(f):
    rows = RNG.normal(size=(6, 40))
    got = ingot.vmap(f)(rows.copy())
    assert_same(got, np.array([f(row.copy()) for row in rows]), 1e-12)


def test_long_loops_are_loops():
    text = ingot.jit(sum_of_pairs).lower(np.ones(3000)).ir()
    assert text.count("ingot.for") == 2 and len(text.splitlines()) < 40


@dataclass
class One:
    x: float


@dataclass
class Two:
    x: float
    y: float


def test_a_variable_of_two_structures_in_a_loop_over_a_generator():
    def f(x, n):
        held, total = One(1.0), 0.0
        for v in positive(x):
            i = 0
            while i < n:
                i += 1
                held = Two(v, v)
            total += v
        return total

    with pytest.raises(ingot.CompileError, match="a loop over a generator assigns holds a One"):
        ingot.jit(f)(X, 2)
