"""Around loops: exceptions, names that a loop assigns first, and the checks that come before."""

import numpy as np
import pytest

import ingot

X = np.linspace(0.5, 2.5, 20)
Y = np.cos(X)


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


def read_in_a_list(x, n):
    for i in range(n):
        y = x[i]
    return [y + k for k in range(2)]


def read_in_a_generator(x, n):
    for i in range(n):
        y = x[i]
    return sum(y + k for k in range(2))


def read_by_the_first_iterable(x, n):
    for _ in range(n):
        y = (1.0, 2.0)
    return sum(k for k in y)


def read_in_a_lambda(x, n):
    for i in range(n):
        y = x[i]
    return (lambda: y)()


@pytest.mark.parametrize(
    "f",
    [read_in_a_list, read_in_a_generator, read_by_the_first_iterable, read_in_a_lambda],
)
def test_a_name_without_a_value_is_read_as_python_reads_it(check, f):
    """A comprehension has variables of its own, lists only before Python 3.12 (PEP 709)."""
    check(f, X, 3)
    with pytest.raises(NameError) as plain:
        f(X, 0)
    with pytest.raises(NameError) as compiled:
        ingot.jit(f)(X, 0)
    assert compiled.type is plain.type
    assert str(compiled.value) == str(plain.value)


def test_an_alias_first_made_in_a_loop_is_seen(check):
    check(alias_from_a_loop, X, 3)


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
