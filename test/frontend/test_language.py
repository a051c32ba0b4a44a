"""Programs of the language beyond straight lines: exchanged arrays, lists, recursion, prints."""

import math
import time

import numpy as np
import pytest
from plain import same, same_for

import ingot

X = np.linspace(0.5, 2.5, 20)
Y = np.cos(X)


# Arrays exchanged among names.


def swap_in_counted_loop(a, b, n):
    for _ in range(n):
        b[1:-1] = (a[:-2] + a[2:]) * 0.5
        a, b = b, a
    return a.sum() + 2 * b.sum()


def swap_then_store(a, b):
    for _ in range(11):
        b[1:-1] = (a[:-2] + a[2:]) * 0.5
        a, b = b, a
    a[0] = 100
    return a


def swap_in_while(a, b, tolerance):
    change, k = 1.0, 0
    while change > tolerance and k < 9:
        k += 1
        b[1:-1] = (a[:-2] + a[2:]) * 0.5
        change = np.abs(a - b).max()
        a, b = b, a
    return a, k


def rotate_three(a, b, n):
    c = a + b
    for _ in range(n):
        c[1:-1] += a[2:] - b[:-2]
        a, b, c = b, c, a
    return a - b


def swap_by_a_third_name(a, b, n):
    for _ in range(n):
        b[0] += a[1]
        other = a
        a = b
        b = other
    return a


def _swapping(a, b, n):
    for _ in range(n):
        b[1:-1] = a[:-2] + a[2:]
        a, b = b, a
    return a.copy()


def swap_in_a_callee(x, y, n):
    r = x
    for _ in range(3):
        r = _swapping(x, y, n)
        x *= 0.1
    return r, y


@pytest.mark.parametrize("n", [0, 1, 4, 5])
@pytest.mark.parametrize(
    "f", [swap_in_counted_loop, rotate_three, swap_by_a_third_name, swap_in_a_callee]
)
def test_exchanged_arrays_are_written_back(check, f, n):
    check(f, X, Y, n)


def test_exchange_with_static_count_can_be_stored_to(check):
    check(swap_then_store, X, Y)


def test_exchange_in_while(check):
    check(swap_in_while, X, Y, 1e-3)


def conditional_swap(a, b, n):
    for t in range(n):
        if t % 2 == 0:
            a, b = b, a
        a[0] += 1
    return a


def test_a_store_to_one_of_two_arrays(check):
    check(conditional_swap, X, Y, 3)


# Lists that grow.


def append_each(x):
    out = []
    for i in range(20):
        out.append(x[i] * 2)
    return np.array(out)


def append_on_both_paths(x):
    out = []
    for i in range(20):
        if i % 2 == 0:
            out.append(x[i])
        else:
            out.append(x[i] ** 2)
    return np.stack(out), len(out)


@pytest.mark.parametrize("f", [append_each, append_on_both_paths])
def test_append(check, f):
    check(f, X)


def append_under_a_condition(x):
    out = []
    for i in range(20):
        if x[i] > 1:
            out.append(x[i])
    return np.array(out)


def test_append_under_a_run_time_condition(check):
    check(append_under_a_condition, X)


# Recursion.


def gcd(a, b):
    if b == 0:
        return a
    return gcd(b, a % b)


def factorial(n, product=1):
    return product if n <= 1 else factorial(n - 1, product * n)


def collatz(n, steps):
    """The number of steps to 1."""
    if n == 1:
        return steps
    elif n % 2 == 0:
        return collatz(n // 2, steps + 1)
    else:
        return collatz(3 * n + 1, steps + 1)


def bisect(f, low, high, tolerance):
    middle = (low + high) / 2
    if high - low < tolerance:
        return middle
    if f(middle) > 0:
        return bisect(f, low, middle, tolerance)
    return bisect(f, middle, high, tolerance)


def root(a):
    return bisect(lambda x: x * x - a, 0.0, a, 1e-9)


def local_recursion(x, n):
    def go(value, k):
        if k == 0:
            return value
        return go(value * 0.5 + 1, k - 1)

    return go(x, n) + gcd(n, 6)


def sum_below(n, total):
    n = n - 1
    if n <= 0:
        return total
    return sum_below(n, total + n)


def boxed_recursion(n, total):
    def add():
        nonlocal total
        total = total + n

    add()
    if n <= 0:
        return total
    return boxed_recursion(n - 1, total)


def doubled(x, depth):
    if depth == 0:
        return x
    return doubled(x * 2, depth - 1) + 1


def static_recursion(x):
    return doubled(x, 100)


@pytest.mark.parametrize(
    "f, args",
    [
        (gcd, (48, 36)),
        (gcd, (7, 3)),
        (factorial, (5, 1)),
        (collatz, (27, 0)),
        (root, (2.0,)),
        (local_recursion, (X, 5)),
        (sum_below, (5, 0)),
        (boxed_recursion, (5, 0)),
        (static_recursion, (X,)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_recursion(check, f, args):
    check(f, *args)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def hermite(n, x):
    if n == 0:
        return np.ones(len(x))
    if n == 1:
        return 2 * x
    return 2 * x * hermite(n - 1, x) - 2 * (n - 1) * hermite(n - 2, x)


def subsets(items, k):
    if k == 0:
        return [[]]
    if len(items) < k:
        return []
    return [[items[0], *rest] for rest in subsets(items[1:], k - 1)] + subsets(items[1:], k)


@pytest.mark.parametrize(
    "f, args",
    [
        (fibonacci, (5,)),
        (fibonacci, (9,)),
        (hermite, (4, X)),
        (hermite, (0, X)),
        (subsets, ([1, 2, 3], 2)),
    ],
)
def test_recursions_whose_depth_an_argument_decides(check, f, args):
    check(f, *args)


def ends_somewhere(x):
    return x if x[0] > 5 else ends_somewhere(x + 1) + ends_somewhere(x + 2)


def longest_from(items):
    if len(items) <= 1:
        return items
    found, i = [], 1
    while not found and i < len(items):
        if items[i] < items[0]:
            found = longest_from(items[i:])
        i += 1
    rest = [items[0], *longest_from([item for item in items[1:] if item >= items[0]])]
    return rest if len(rest) > len(found) else found


def test_recursion_without_end_is_refused():
    for f, args in ((fibonacci, (np.array(5),)), (ends_somewhere, (X,))):
        with pytest.raises(ingot.UnsupportedError, match="does not end at compile time"):
            ingot.jit(f)(*args)


def total_from(a, i):
    if i >= len(a):
        return 0.0
    return a[i] * 0.5 + total_from(a, i + 1)


def even_steps(n, x):
    return x if n == 0 else odd_steps(n - 1, x) + 1


def odd_steps(n, x):
    return x if n == 0 else even_steps(n - 1, x) * 0.5


@pytest.mark.parametrize("depth", [150, 500, 900])
def test_linear_recursion_goes_as_deep_as_pythons(depth):
    same(lambda a: total_from(a, 0), np.arange(float(depth)))
    same(lambda x: even_steps(depth, x), 2.0)


def without_end(x):
    return without_end(x) + 1


def test_deeper_recursion_is_refused_soon():
    start = time.process_time()
    for f, x in ((lambda a: total_from(a, 0), np.ones(1100)), (without_end, 1.0)):
        with pytest.raises(ingot.UnsupportedError, match="more than 1,000 calls within each"):
            ingot.jit(f)(x)
    assert time.process_time() - start < 20


@pytest.mark.slow
def test_recursions_that_take_long_are_refused():
    with pytest.raises(ingot.UnsupportedError, match="does not end at compile time"):
        ingot.jit(fibonacci)(30)
    with pytest.raises(ingot.UnsupportedError, match="takes more than 65,536 calls"):
        ingot.jit(fibonacci, static=("n",))(30)
    with pytest.raises(ingot.UnsupportedError, match="the recursion emits more than 65,536"):
        ingot.jit(longest_from)([1.0, 2.0, 0.5, 3.0])


#: Strings of several lengths, so that a loop over them is unrolled.
WORDS = ["a" * (i % 5 + 1) for i in range(1000)]


def found_somewhere(x):
    u, found = x, [x]
    for word, v in zip(WORDS, x, strict=True):
        if v < 0:
            break
        if v < 5:
            found[0] = u
        else:
            u = u + len(word)
    return u, found


def shifted(x):
    kept = [x, x + 1]
    for i in range(40):
        if x[i] > 0:
            kept.insert(0, kept[-1])
        else:
            kept.insert(0, x + i)
    kept[3][0] = 5.0
    return kept[0], kept[3], kept[-1]


@pytest.mark.slow
def test_objects_that_may_be_one_of_very_many_are_refused():
    with pytest.raises(ingot.UnsupportedError, match="too many arrays and containers may be"):
        ingot.jit(found_somewhere)(np.ones(1000))


def test_items_that_move_in_all_arms_keep_what_they_may_be():
    for x in (np.ones(50), -np.ones(50), np.sin(np.arange(50.0))):
        same(shifted, x)


def growing_within(x):
    pending = [1.0]
    for _ in pending:
        for each in pending:
            x = x + each
        pending.append(2.0)
    return x


def static_pairs(x):
    total = 0.0
    for i in list(range(60)):
        for j in list(range(60)):
            total = total + i * j
    return x + total


@pytest.mark.parametrize("f", [growing_within, static_pairs])
def test_unrolled_loops_without_an_end_in_sight_are_refused(f, monkeypatch):
    monkeypatch.setattr("ingot.syntax.unrolling.MOST_UNROLLED", 2000)
    with pytest.raises(ingot.UnsupportedError, match="more than 2,000 iterations") as caught:
        ingot.jit(f)(np.ones(3))
    assert "for each in pending" in str(caught.value) or "for j in list" in str(caught.value)


def long_bodies(x):
    for i in list(range(60)):
        for j in list(range(60)):
            x = np.sin(x * i) + np.cos(x * j) + np.sqrt(x) * x
    return x


def recursive_bodies(x):
    def halved(x, n):
        return x if n == 0 else halved(x * 0.5, n - 1) + 1.0

    for i in list(range(60)):
        x = halved(x, i)
    return x


@pytest.mark.parametrize("f", [long_bodies, recursive_bodies])
def test_unrolled_loops_of_too_many_operations_are_refused(f, monkeypatch):
    """Their iterations are few, but not what is in them."""
    monkeypatch.setattr("ingot.syntax.unrolling.MOST_EMITTED", 2000)
    with pytest.raises(ingot.UnsupportedError, match="emit more than 2,000 operations") as caught:
        ingot.jit(f)(np.ones(3))
    assert "in list(range(60))" in str(caught.value) and "loop over an array" in str(caught.value)


# Prints.


def prints(x, n):
    print("start", n, x.shape, sep="-")
    for i in range(n):
        if x[i] > 0.9:
            print(f"i={i:>3} x={x[i]:.2f} {{}} {x[:2]!s}", end="\n\n")
    print({"a": 1}, "{}", x.sum() > 1, np.float32(x[0]))
    assert n < 8, "n is large"
    print("end", math.sqrt(x[0]))
    return x * 2


@pytest.mark.parametrize("n", [0, 7])
def test_print(capsys, n):
    prints(X, n)
    expected = capsys.readouterr().out
    ingot.jit(prints)(X, n)
    assert capsys.readouterr().out == expected


def test_nothing_is_printed_after_a_failed_check(capsys):
    with pytest.raises(AssertionError, match="n is large"):
        ingot.jit(prints)(X, 8)
    assert "end" not in capsys.readouterr().out


def stops(x):
    breakpoint()
    return x


@pytest.mark.parametrize("f, text", [(stops, "breakpoint")])
def test_refused_output(f, text):
    with pytest.raises(ingot.UnsupportedError, match=text):
        ingot.jit(f)(X)


def unbound_methods(x, names):
    d, items = {"a": x}, [2.0, float(x[0])]
    e = dict.copy(d)
    e["b"] = 1.0
    list.append(items, 3.0)
    list.sort(items)
    return d, e, items, list(map(str.upper, names)), str.join("-", names), tuple.index((1, 2), 2)


def test_unbound_methods_of_containers():
    same(unbound_methods, X, ["a", "b"])


def test_strings_are_repeated():
    same_for(lambda n: ("ab" * n, n * "-", len("ab" * n)), [(3,), (0,), (-1,)])


INDICES = [1.5, None, "a", np.float64(1), np.bool_(True), np.array([1, 2]), np.array(1.0)]


@pytest.mark.parametrize("index", INDICES, ids=repr)
@pytest.mark.parametrize("items", [[1, 2], (1, 2)], ids=repr)
def test_texts_about_indices(items, index):
    def item(items, index):
        return items[index]

    def of_a_range(items, index):
        return range(2)[index]

    for f in (item, of_a_range):
        with pytest.raises(TypeError) as plain:
            f(items, index)
        with pytest.raises(TypeError) as compiled:
            ingot.jit(f)(items, index)
        assert str(compiled.value).split("\n")[0] == str(plain.value)
