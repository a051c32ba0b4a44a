"""Programs of the language beyond straight lines: recursion, records, exchanged arrays, prints."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

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
        (static_recursion, (X,)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_recursion(check, f, args):
    check(f, *args)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def test_recursion_without_end_is_refused():
    with pytest.raises(ingot.UnsupportedError, match="does not end at compile time"):
        ingot.jit(fibonacci)(5)


# Records.


class Point(NamedTuple):
    x: float
    y: np.ndarray


@dataclass
class Body:
    mass: float
    position: np.ndarray
    name: str = "body"
    history: list = field(default_factory=list)

    def __post_init__(self):
        self.weight = self.mass * 9.81

    def moved(self, by):
        return Body(self.mass, self.position + by, self.name)

    @property
    def momentum(self):
        return self.mass * self.position


class Model:
    def __init__(self, weights, scale=2.0):
        self.weights = weights
        self.scale = scale

    def __matmul__(self, x):
        raise AssertionError("not called")

    def predict(self, x):
        return np.tanh(self.weights @ x) * self.scale

    def normalise(self):
        self.scale = self.scale / np.abs(self.weights).sum()
        self.weights *= 0.5
        return self


def named_tuple(p, k):
    q = Point(p.x * k, y=p.y + k)
    if k > 1:
        q = Point(q.x + 1, q.y * 2)
    return q, q._replace(x=0.5).x, p[1]


def dataclass_method(m, x):
    body = Body(m, x).moved(1.0)
    if m > 1:
        body = Body(m * 2, body.position * 3)
    return body.position, body.mass, body.momentum, body.weight, body.name


def class_instance(w, x):
    model = Model(w, scale=3.0)
    model.scale += 1
    model.normalise()
    return model.predict(x), model.scale


def record_in_a_loop(x, n):
    p = Point(0.0, x)
    for i in range(n):
        p = Point(p.x + i, p.y * 0.5)
    return p


def test_named_tuple(check):
    check(named_tuple, Point(2.0, X), 3.0)
    check(named_tuple, Point(2.0, X), 0.5)


def test_named_tuple_in_a_loop(check):
    check(record_in_a_loop, X, 12)


@pytest.mark.parametrize("m", [0.5, 2.0])
def test_dataclass(check, m):
    check(dataclass_method, m, X)


def test_class_made_in_compiled_code(check):
    check(class_instance, np.outer(X, Y), X)


def predict(model, x):
    return model.predict(x)


def test_record_as_argument_follows_its_attributes():
    compiled = ingot.jit(predict)
    model = Model(np.outer(X, Y))
    np.testing.assert_allclose(compiled(model, X), model.predict(X))
    model.scale = -7.0
    model.weights = model.weights * 0.1
    np.testing.assert_allclose(compiled(model, X), model.predict(X))


GLOBAL_MODEL = Model(np.outer(X, Y))


CYCLE = Model(np.outer(X, Y))
CYCLE.parent = CYCLE


def predict_by_a_global_that_holds_itself(x):
    return CYCLE.predict(x)


def test_a_global_that_holds_itself_follows_its_attributes():
    compiled = ingot.jit(predict_by_a_global_that_holds_itself)
    for scale in (1.0, 2.5):
        CYCLE.scale = scale
        np.testing.assert_allclose(compiled(X), CYCLE.predict(X))


def predict_by_global(x):
    return GLOBAL_MODEL.predict(x)


def test_record_as_global_follows_its_attributes():
    compiled = ingot.jit(predict_by_global)
    for scale in (1.0, 2.5, 3.5, 4.5):
        GLOBAL_MODEL.scale = scale
        np.testing.assert_allclose(compiled(X), GLOBAL_MODEL.predict(X))


def make_body(m, x):
    return Body(m, x * 2)


def test_dataclass_as_result():
    body = ingot.jit(make_body)(2.0, X)
    assert type(body) is Body and body.name == "body" and type(body.mass) is float
    np.testing.assert_array_equal(body.position, X * 2)


def changes_argument(model, x):
    model.scale = 1.0
    return model.predict(x)


def test_attribute_of_an_argument_is_changed():
    models = [Model(np.outer(X, Y)) for _ in range(2)]
    expected, found = (
        f(m, X) for f, m in zip((changes_argument, ingot.jit(changes_argument)), models)
    )
    np.testing.assert_allclose(found, expected)
    assert [model.scale for model in models] == [1.0, 1.0]


# Attributes of arrays.


def assign_shape(x):
    a = x * 2
    b = a
    b.shape = (4, 5)
    b[0] = 1
    return a, a.shape


def assign_parts(x):
    z = x + 1j * x[::-1]
    z.real = z.imag * 2
    z.imag = 3
    return z


@pytest.mark.parametrize("f", [assign_shape, assign_parts])
def test_assigned_attributes(check, f):
    check(f, X)


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


# Exceptions under run-time conditions.


def raises_in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        if x[i] < 0.6:
            raise ValueError(f"too small, see {x.shape}")
        total += x[i]
    return total


def loops_for_ever_unless_checked(x, step):
    if step <= 0:
        raise ValueError("step must be positive")
    while x < 10:
        x += step
    return x


def test_raise(check):
    check(raises_in_a_loop, X[2:], 5)
    with pytest.raises(ValueError, match=r"too small, see \(20,\)"):
        ingot.jit(raises_in_a_loop)(X, 5)


def test_a_loop_ends_after_a_failed_check(check):
    check(loops_for_ever_unless_checked, 1.0, 2.0)
    with pytest.raises(ValueError, match="step must be positive"):
        ingot.jit(loops_for_ever_unless_checked)(1.0, 0.0)


# Names that a loop assigns first.


def last_of_a_counted_loop(x, n):
    for i in range(n):
        y = x * i
    return y, i


def last_of_a_while(x, n):
    k = 0
    while k < n:
        v = x[k]
        k += 1
    if n > 0:
        return v
    return np.float64(-1.0)


def last_before_a_break(x, n):
    for i in range(n):
        y = x[i]
        if y > 1:
            break
    return y, i


def until_small(x, tolerance):
    while True:
        total = x.sum()
        x = x * 0.5
        if total < tolerance:
            break
    return total


def alias_from_a_loop(x, n):
    for _ in range(n):
        y = x
    x[0] = 5.0
    return y


@pytest.mark.parametrize(
    "f, a",
    [
        (last_of_a_counted_loop, 3),
        (last_of_a_while, 3),
        (last_of_a_while, 0),
        (last_before_a_break, 15),
        (last_before_a_break, 2),
        (until_small, 0.5),
    ],
)
def test_names_first_assigned_in_a_loop(check, f, a):
    check(f, X, a)


@pytest.mark.parametrize("f", [last_of_a_counted_loop, last_before_a_break])
def test_a_name_of_a_loop_that_did_not_run(f):
    with pytest.raises(UnboundLocalError, match="'y'"):
        ingot.jit(f)(X, 0)


def test_an_alias_first_made_in_a_loop_is_seen(check):
    check(alias_from_a_loop, X, 3)


def test_an_argument_that_holds_itself_is_refused():
    model = Model(X)
    model.parent = model
    with pytest.raises(ingot.UnsupportedError, match="holds itself"):
        ingot.jit(predict)(model, X)


# Checks before loops: the exception is the one that the source meets first.


def forward(x, n):
    total = 0.0
    for i in range(n):
        total += x[i + 1]
    return total


def backward(x, n):
    for i in range(n, -1, -1):
        x[i] = x[i - 1] + i
    return x


def nested(x, n):
    total = 0.0
    for i in range(n):
        for j in range(i, n):
            total += x[i] * x[j] - x[j - i]
    return total


def guarded(x, n):
    total = 0.0
    for i in range(n):
        if i < len(x):
            total += x[i]
    return total


def first_of_two(x, n):
    for i in range(n):
        assert i < 3, "i is large"
        x[i + 3] += 1
    return x


def by_two(x, n):
    for i in range(0, n, 2):
        x[i] = i
    return x


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 6, 7, 9])
@pytest.mark.parametrize("f", [forward, backward, nested, guarded, first_of_two, by_two])
def test_checks_around_loops(f, n):
    compiled = ingot.jit(f)
    for _ in range(2):
        plain, ours = np.arange(6.0), np.arange(6.0)
        try:
            expected = f(plain, n)
        except Exception as error:
            with pytest.raises(type(error), match="large" if "large" in str(error) else None):
                compiled(ours, n)
            continue
        np.testing.assert_allclose(compiled(ours, n), expected)
        np.testing.assert_allclose(ours, plain)


def loop_in_one_side(s, a):
    if s > 3:
        while s > 2:
            s = s * 0.7
    return s


def counted_loop_in_one_side(s, a):
    if s > 3:
        for i in range(a.shape[0]):
            s = s * 0.7 + float(a[i])
    return s


def loop_with_break_in_the_other_side(s, a):
    if s > 3:
        s = s * 2
    else:
        for i in range(a.shape[0]):
            if a[i] > s:
                break
            s = s - float(a[i])
    return s


def loops_in_a_side_of_a_loop(s, a):
    for i in range(a.shape[0]):
        if a[i] > 1:
            while s > 2:
                s = s * 0.7
            if s < 1:
                break
        s += float(a[i])
    return s


@pytest.mark.parametrize("s", [0.5, 4.0, 9.0])
@pytest.mark.parametrize(
    "f",
    [
        loop_in_one_side,
        counted_loop_in_one_side,
        loop_with_break_in_the_other_side,
        loops_in_a_side_of_a_loop,
    ],
)
def test_loops_in_one_side(check, f, s):
    check(f, s, np.array([0.5, 3.0, 1.5, 0.25, 2.0, 1.0, 4.0, 0.5, 2.5]))


def where_positive(f, x):
    if x > 0:
        y = f(x - 1)
    else:
        y = x
    return y


def meets_itself_by_way_of_another(x):
    return where_positive(lambda u: where_positive(lambda v: v * 2, u), x)


@pytest.mark.parametrize("x", [-1.0, 0.5, 3.0])
def test_a_function_within_itself_is_no_recursion(check, x):
    check(meets_itself_by_way_of_another, x)
