"""`try`: exceptions are caught at compile time, in an arm of a branch, or become what handlers raise."""

import math

import numpy as np
import pytest
from numpy.linalg import LinAlgError
from plain import Programs, same_for

import ingot

programs = Programs()
X = np.arange(1.0, 4.0)
A = np.array([[2.0, 1.0], [1.0, 3.0]])
AXES = {"xyz": (0, 1), "zyx": (2, 0)}
NAMES = {axes: name for name, axes in AXES.items()}


class OwnError(ValueError):
    pass


def found(name):
    if name not in AXES:
        raise KeyError(name)
    return AXES[name]


# What is known at compile time.


@programs((X, "xyz"), (X, (2, 0)), (X, "q"))
def key_or_value(x, axes):
    try:
        a, b = AXES[axes]
    except (AttributeError, KeyError):
        NAMES[axes]
        a, b = axes
    return x[a] - x[b]


@programs(X, np.arange(3))
def by_dtype(x):
    try:
        eps = np.finfo(x.dtype).eps
    except ValueError:
        eps = 0.5
    return x + eps


@programs(A, X, A[:1], A[0, 0])
def by_what_is_a_square_matrix(a):
    try:
        return np.linalg.det(a) + np.sum(np.linalg.matrix_power(a, 2))
    except LinAlgError:
        return -np.sum(a)


@programs((X, None), (X, 2), (X, 2.5), (X, X), (X, (1, 2)), (X, np.float32(3)), (X, np.array(1.0)))
def by_what_has_a_length(x, n):
    try:
        return x * len(n)
    except TypeError:
        return x - 1


@programs((X, None), (X, True), (X, 2.5), (X, [1.0, 2.0]), (X, np.int64(3)), (X, np.array(1.0)))
def by_what_is_iterable(x, parts):
    try:
        for part in parts:
            x = x + part
    except TypeError:
        x = x * 3
    try:
        first, _ = parts
    except (TypeError, ValueError):
        first = 7.0
    return x + first


@programs((X, None), (X, 1.5), (X, [2.0]))
def by_an_attribute_and_an_item(x, parts):
    try:
        x = x + parts.real
    except AttributeError:
        x = x - 1
    try:
        return x * parts[0]
    except TypeError:
        return x


@programs(X, A, X[0], np.array(2.0))
def by_the_number_of_axes(x):
    try:
        return x[1, 0]
    except IndexError:
        pass
    try:
        return x[0] * 2
    except IndexError:
        return x * 3


@programs(X, X[0], np.float32(2))
def slices_of_what_may_be_a_number(x):
    try:
        return x[1:]
    except IndexError:
        return x[None], x[...], x[()], x[x > 1], x[True]


@programs((1.0, 2.0, None), (2.0, 1.0, 3), (2.0, 1.0, [3.0]), (2.0, 1.0, None))
def only_where_control_comes(t, limit, parts):
    if t < limit:
        return 0.0
    total = t
    for part in parts:
        total += part
    return total * len(parts)


@programs((X, 2), (X, 5))
def decided_by_an_argument(x, n):
    total = 0.0
    try:
        total += 1
        if n > 3:
            raise OwnError("large")
        y = x + total
    except ValueError:
        y = x - total
    else:
        y = y * 2
    return y, total


@programs(X)
def in_a_helper_and_again(x):
    try:
        try:
            found("q")
        except TypeError:
            x = x * 3
    except KeyError:
        try:
            raise
        except LookupError:
            x = x + 100
    try:
        first, _ = found("xyz")
    except KeyError:
        first = 1
    return x[first]


@programs((X, {"a": 1.0}), (X, {"b": 1.0, "a": 2.0}), (X, {}))
def for_each_key(x, given):
    for key in ("a", "b", "c"):
        try:
            x = x + given[key]
        except KeyError:
            continue
        x = x * 2
    return x


@programs(X)
def returns_in_the_body(x):
    try:
        return x[int("1")]
    except ValueError:
        return x[0]
    else:
        return x[2]


@programs((X, 1), (X, -1))
def returns_at_run_time(x, c):
    try:
        if x[0] * c > 0:
            return x * 2
        y = x + 1
    except KeyError:
        y = x
    else:
        y = y + 5
    return y


@programs((X, 3.0))
def what_handlers_do_not_catch(x, limit):
    total = 0.0
    for i in range(20):
        try:
            total += x[i % 3]
        except TypeError:
            total = -1.0
    try:
        y = 1.0 / x[0]
    except ZeroDivisionError:
        y = limit
    return total, y


@programs(X)
def numpys_own_checks(x):
    try:
        np.linalg.cholesky(x)
    except ValueError:
        return x * 2
    return x


@programs(X, 2.0, 3, np.float32(1.5))
def a_name_that_arrays_have_not(x):
    y = np.cos(x)
    try:
        y.name = "cosine"
    except AttributeError:
        y = y + 1
    return y


@programs(X, 2.0, 3, [1.0], (1.0,), {"a": 1}, "a")
def a_name_that_nothing_has(x):
    x.name = "x"


# What may fail at run time.


@programs((A,), (A * 0,))
def another_exception(a):
    try:
        inverse = np.linalg.inv(a)
    except LinAlgError as error:
        raise OwnError("no inverse") from error
    return inverse


@programs((A,), (-A,))
def the_same_again(a):
    try:
        try:
            return np.linalg.cholesky(a)
        except LinAlgError:
            raise
    except Exception:
        raise ValueError("not positive definite")


@programs((X, 1), (X, 3), (X, -4))
def an_index(x, i):
    try:
        return x[i]
    except IndexError:
        raise KeyError(7)


# What only run time knows becomes a branch.


@programs((X, 0), (X, 2), (X, 3), (X, -4), (X, np.int64(5)))
def item_or_value(x, i):
    try:
        y = float(x[i])
    except IndexError:
        y = -1.0
    return y


@programs(X, -X)
def raised_under_a_condition(x):
    try:
        if x[0] > 0:
            raise ValueError("positive")
        y = x
    except ValueError:
        y = -x
    return y


def check(x):
    if x > 1:
        raise ValueError("large")


def checked_twice(x):
    check(x)
    check(x - 1.0)
    return True


@programs(0.5, 2.0)
def raised_by_a_helper_that_returns_nothing(x):
    try:
        check(x)
    except ValueError:
        return -1.0
    return x


@programs((0.0, 0.0), (0.0, 2.0), (0.7, 0.7), (2.0, 0.0))
def raised_by_a_helper_called_again(x, y):
    r = 0.0
    try:
        check(x)
        r += 1
        check(y)
        r += 10
        check(x + y)
        r += 100
    except ValueError:
        r -= 1
    return r


@programs((0.0, 0.0), (1.5, 0.0), (0.0, 3.0), (3.0, 3.0))
def raised_by_a_helper_of_a_helper(x, y):
    try:
        if checked_twice(x) and checked_twice(y):
            return 5.0
    except ValueError:
        return 6.0
    return 7.0


def tried(x, i):
    x[i]
    return 0


@programs((X, 1), (X, 5), (X, -9))
def raised_by_an_index_of_a_helper(x, i):
    try:
        return tried(x, i)
    except IndexError:
        return 1


KEYS = "a", "b"


@programs(1.0, 2.0, 0.1)
def raised_in_an_inner_loop_of_one_with_break(x):
    r = 0.0
    for i in range(30):
        try:
            for key in KEYS:
                r += {"a": x}[key]
        except KeyError:
            if r > 5:
                break
    return r, i


@programs((1.0, 3), (2.0, 10), (0.1, 4), (1.5, 0))
def raised_in_an_inner_loop_of_one_with_continue(x, n):
    r, i = 0.0, 0
    while i < n:
        i += 1
        try:
            for key in KEYS:
                if key == "b":
                    raise ValueError
                r += x
            r += 100
        except ValueError:
            if r > 5:
                break
            continue
        r += 1000
    else:
        r += 7
    return r, i


@programs(1000.0, 1.0, np.inf, np.nan)
def exponential(x):
    try:
        return math.exp(x)
    except OverflowError:
        return 1e300


@programs(([1.0, 2.0],), ([1.0, -1.0],), ([],))
def normalized(values):
    try:
        factor = 1.0 / sum(values)
        return [each * factor for each in values]
    except ZeroDivisionError:
        return [0.0 for _ in values]


@programs(2.0, 0.5, 0.0, -1.0, 1.0)
def as_far_as_it_came(x):
    y = 0.0
    try:
        y = 1.0
        z = math.log(x)
        y = 2.0
        w = math.sqrt(z)
        y = 3.0
    except ValueError:
        w = -1.0
    return y, w


@programs((0.0, X), (1.0, X))
def stores_before_it(x, y):
    y[0] = 5
    try:
        y[1] = 6
        z = 1 / x
        y[2] = z
    except ZeroDivisionError:
        y[1] += 1
    return y


@programs(-1.0, 2.0, 6.0)
def one_of_two_handlers(x):
    try:
        if x < 0:
            raise ValueError("negative")
        if x > 5:
            raise KeyError("large")
        y = x * 2
    except ValueError:
        y = 0.0
    except KeyError:
        y = 9.0
    else:
        y += 100
    return y


@programs(0.0, 1.0, 2.5)
def in_a_loop(x):
    y = 0.0
    for k in range(4):
        try:
            y += 1.0 / (x - k)
        except ZeroDivisionError:
            y += 50
    return y


@programs(0.0, 1.0, 2.5, 9.0)
def out_of_a_loop(x):
    for k in range(4):
        try:
            y = 1.0 / (x - k)
        except ZeroDivisionError:
            continue
        if y > 0:
            return y
    return -1.0


@programs(0.0, 1.0, -3.0)
def in_a_while_loop(x):
    count = 0
    while count < 5:
        try:
            x = x / (count - 2)
        except ZeroDivisionError:
            x = x + 1
        count += 1
    return x


def root(x):
    if x > 3:
        raise OwnError("large")
    return math.sqrt(x - 1)


@programs(0.0, 2.0, 4.0)
def in_a_called_function(x):
    try:
        return root(x)
    except ValueError:
        return -1.0


@programs((A, X[:2]), (A * 0, X[:2]))
def solved(a, b):
    try:
        return np.linalg.solve(a, b)
    except LinAlgError:
        return np.zeros_like(b)


@programs((2.0,), (0.0,), (X,))
def a_number_or_an_array(x):
    try:
        if x > 1:
            return x * 2
        return 1 / x if x else 0.0
    except ValueError:
        return np.where(x > 1, x * 2, 1 / x)


@programs(0.0, 2.0)
def another_exception_with_a_text(x):
    try:
        return 1 / x
    except ZeroDivisionError:
        raise ValueError(f"no inverse of {x}") from None


@programs((0.0, 1.0), (2.0, 0.0), (2.0, 1.0))
def raised_by_an_inner_handler(x, y):
    try:
        try:
            return 1 / x + 1 / y
        except ZeroDivisionError:
            raise ValueError("zero") from None
    except ValueError:
        return 7.0


@programs(0.0, 2.0)
def not_caught_by_the_handler_beside(x):
    try:
        return 1 / x
    except ZeroDivisionError:
        raise ValueError("zero") from None
    except ValueError:
        return 7.0


@programs(0.0, 1.0)
def with_a_name_of_an_outer_function(x):
    def less():
        nonlocal x
        x = x - 1
        return 1 / x

    try:
        y = less()
    except ZeroDivisionError:
        y = 10.0
    return x, y


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


# What is refused.


def limited(x):
    try:
        return np.polyfit(x, x, [0, 1])
    except Exception:
        return x


def test_limits_of_the_compiler_are_not_caught():
    with pytest.raises(ingot.UnsupportedError):
        ingot.jit(limited)(X)


def test_batches_and_derivatives():
    xs = np.stack([X, X + 1])
    actual = ingot.vmap(by_dtype)(xs)
    np.testing.assert_allclose(actual, np.stack([by_dtype(x) for x in xs]))

    def inverse_sum(a):
        return another_exception(a).sum()

    inverse = np.linalg.inv(A)
    expected = -np.outer(inverse.sum(0), inverse.sum(1)).T
    np.testing.assert_allclose(ingot.grad(inverse_sum)(A), expected)
    with pytest.raises(OwnError, match="no inverse"):
        ingot.grad(inverse_sum)(A * 0)


def test_batches_and_derivatives_of_branches():
    xs = np.array([0.5, 1.0, 1000.0])
    assert ingot.vmap(exponential)(xs).tolist() == ingot.jit(np.exp)(xs[:2]).tolist() + [1e300]
    assert [ingot.grad(exponential)(x) for x in (0.0, 1000.0)] == [1, 0]
    assert [ingot.grad(in_a_loop)(x) for x in (2.0, -1.0)] == [
        -0.25 - 1 - 1,
        sum(-1 / k**2 for k in range(1, 5)),
    ]
