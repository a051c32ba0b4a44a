"""`try` around loops whose iterations raise what only run time knows."""

import numpy as np
import pytest
from plain import same_for

import ingot

X = np.array([1.0, 2.0, 3.0, 0.5])


def checked(v, most):
    if v > most:
        raise ValueError("beyond")


def strided(x, k):
    for i in range(9):
        yield x[i * k]


def in_a_for(x, k):
    total = 0.0
    try:
        for i in range(8):
            total += x[i * k]
    except IndexError:
        return total, -1.0
    return total, 1.0


def in_a_condition(x, k):
    i = 0
    try:
        while x[i] < 10:
            i += k + 1
    except IndexError:
        i += 100
    else:
        i += 1000
    return i


def in_loops_in_loops(x, k):
    log = np.zeros(8)
    i = j = 7
    try:
        for i in range(6):
            for j in range(3):
                log[i] += x[i + j * k]
            log[7] += 1
        else:
            log[6] = 5
    except IndexError:
        log[6] -= 1
    return log, i, j


def in_each_iteration(x, k):
    n = 0
    for q in range(5):
        try:
            for v in x:
                n += 1
                checked(v * q, k)
        except ValueError:
            n += 100
        finally:
            n += 1000
    return n


def without_an_end(x, k):
    n = 0
    try:
        while True:
            n += 1
            if n > 5 or x[n] > 5:
                break
            n += k
    except IndexError:
        return -n
    return n


def in_a_generator(x, k):
    total = 0.0
    try:
        for v in strided(x, k):
            total += v
    except (IndexError, KeyError):
        total -= 50
    return total


def by_raise_and_return(x, k):
    try:
        for i in range(9):
            if i == k:
                raise KeyError("here")
            if i == 6:
                return i
    except KeyError as error:
        return -i, error.args
    return i * 100


def in_a_while(x, k):
    n = 0
    while n < 20:
        n += 1
        try:
            for i in range(4):
                x[i * k] += 1
                if i == 2:
                    continue
                n += 1
        except IndexError:
            n += 2
            if n > 9:
                break
    return n, x


def around_tries(x, k):
    total = 0.0
    try:
        for i in range(20):
            try:
                total += x[i * k]
            except IndexError:
                total += 0.25
            checked(total, 6)
    except ValueError:
        total -= 100
    return total


def by_several(x, k):
    total = 0.0
    try:
        for i in range(9):
            total += x[i * k]
            checked(total, 4)
    except IndexError:
        total -= 50
    except ValueError:
        total -= 100
    return total


def changed_containers(x, k):
    d, log = {"a": 0, "b": 0.0}, []
    try:
        for i in range(9):
            d["a"] += 1
            log.append(i)
            d["b"] = x[i * k]
            log.append(-1)
    except IndexError:
        return d["a"], log
    return d, log


def with_finally(x, k):
    n = 0
    try:
        try:
            for i in range(9):
                n += 1
                x[i * k] *= 2
        finally:
            n += 100
    except IndexError:
        n += 1000
    return n, x


def the_target_stays(x, k):
    try:
        for i in range(2, 30):
            x[i * k] = 0
    except IndexError:
        pass
    return i


AROUND = [
    in_a_for, in_a_condition, in_loops_in_loops, in_each_iteration, without_an_end, in_a_generator,
    by_raise_and_return, in_a_while, around_tries, by_several, changed_containers, with_finally,
    the_target_stays,
]  # fmt: skip


@pytest.mark.parametrize("f", AROUND, ids=lambda f: f.__name__)
@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_loops(f, k, check):
    check(f, X, k)


def passes_other_handlers(x, k):
    try:
        for i in range(9):
            x[i * k] += 1
    except KeyError:
        return -1.0
    return 1.0


def test_what_no_handler_catches(check):
    check(passes_other_handlers, X, 0)
    with pytest.raises(IndexError):
        ingot.jit(passes_other_handlers)(X.copy(), 2)


def with_values(x, k):
    try:
        for i in range(40):
            if x[i % 4] > k:
                raise ValueError(x[i % 4])
    except ValueError as error:
        return error.args[0]
    return 0.0


def test_values_of_an_iteration_are_refused():
    with pytest.raises(ingot.UnsupportedError, match="run-time values of an iteration"):
        ingot.jit(with_values)(X, 2)


# The condition of a `while` raises, before the loop or after some iterations.


def second_part_in_a_for(x, i):
    s = 0.0
    try:
        for k in range(3):
            j = 0
            while j < 2 and x[i + j] > 0:
                j += 1
                s += 1
    except IndexError:
        s = -s
    return s


def second_part(x, i):
    s = 0.0
    try:
        j = 0
        while j < 2 and x[i + j] > 0:
            j += 1
            s += 1
    except IndexError:
        s = -s
    return s


def whole(x, i):
    s = 0.0
    try:
        j = 0
        while x[i + j] > 0:
            j += 1
            s += 1
    except IndexError:
        s = -s
    return s


def first_part(x, i):
    s = 0.0
    try:
        for k in range(10):
            j = 0
            while x[i + j] > 0 and j < 3:
                j += 1
                s += 1
    except IndexError:
        s = -s
    return s


def conditional_index(x, i):
    s = 0.0
    try:
        for k in range(10):
            j = 0
            while j < 3 and x[(i if s > 1 else 2) + j] > 0:
                j += 1
                s += 1
    except IndexError:
        s = -s
    return s


def below(values, most):
    i = 0
    while i < len(values) and values[i] < most:
        yield values[i]
        i += 1


def of_a_generator(x, i):
    s = 0.0
    try:
        for v in below(x, x[i]):
            s += v
    except IndexError:
        s = -1
    return s


def of_a_generator_for_a_list(x, i):
    s = 0.0
    try:
        y = list(below(x, 2.5))
        s = y[0] + x[i]
    except IndexError:
        s = -1
    return s


def of_a_generator_in_a_sum(x, i):
    s = 0.0
    try:
        s = sum(below(list(x), x[i]))
    except IndexError:
        s = -1
    return s


def two_exceptions(x, i):
    s = 0.0
    try:
        k = 0
        while x[i + k] > 0 and 12 // (i - 1):
            k += 1
            s += x[i]
        s += x[i - 3]
    except IndexError:
        s = -s - 1
    except ZeroDivisionError:
        s = 55.0
    return s


CONDITIONS = [
    second_part_in_a_for, second_part, whole, first_part, conditional_index, of_a_generator,
    of_a_generator_for_a_list, of_a_generator_in_a_sum, two_exceptions,
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("f", CONDITIONS, ids=lambda f: f.__name__)
def test_conditions_that_raise(f):
    same_for(f, [(X[:3], i) for i in np.array([0, 1, 2, 3, 5, -3, -4])])


# A list that is first taken to have a known length: its loop is unrolled, and comes to other checks.


def left_by_two_exceptions(x, flag):
    items, said = [1], 0
    try:
        while True:
            try:
                if flag.sum().any():
                    raise KeyError
            except LookupError:
                items.pop()
            try:
                if x[0] > 0:
                    raise KeyError
                items[1]
            except ValueError:
                pass
            finally:
                said += 1
    except KeyError:
        pass
    except LookupError:
        items.index(7)


def left_by_two_exceptions_for_others(x, flag):
    items = [1]
    try:
        while True:
            try:
                if flag.sum().any():
                    raise KeyError
            except LookupError:
                items.pop()
            if x[0] > 0:
                raise KeyError
            raise IndexError
    except KeyError:
        return 1
    except LookupError:
        return 2


@pytest.mark.quick
@pytest.mark.parametrize(
    "f", [left_by_two_exceptions, left_by_two_exceptions_for_others], ids=lambda f: f.__name__
)
def test_checks_that_differ_from_those_before(f):
    same_for(f, [(X[:3] * sign, np.array(flag)) for sign in (1, -1) for flag in (0, 1)])


# Endless loops that only exceptions leave.


def endless_and_a_result_of_the_handler(x, n):
    try:
        while True:
            try:
                if n > 2:
                    raise KeyError
            except KeyError:
                n -= 1
            if x[0] > n:
                raise KeyError
            raise IndexError
    except KeyError:
        found = 1
    except LookupError:
        found = 2
    return found, n


def endless_in_a_call(x, n):
    def until():
        k = 0
        while True:
            if x[k] < 0:
                raise KeyError
            k += 1
            if k > n:
                raise ValueError(3)

    try:
        return until()
    except KeyError:
        return -1
    except ValueError as error:
        return error.args


def endless_with_a_return(x, n):
    k = 0
    try:
        while True:
            k += 1
            if k > n:
                return k
            if x[k] < 0:
                raise KeyError
    except LookupError:
        return -k


def counted(x):
    k = 0
    while True:
        if x[k] < 0:
            raise KeyError
        yield k
        k += 1


def endless_generator_that_is_not_used_up(x, n):
    total = 0
    try:
        for v in counted(x):
            if v >= n:
                break
            total += x[v]
    except KeyError:
        return -1, total
    return total


ENDLESS = [
    endless_and_a_result_of_the_handler, endless_in_a_call, endless_with_a_return,
    endless_generator_that_is_not_used_up,
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("f", ENDLESS, ids=lambda f: f.__name__)
def test_endless_loops(f):
    y = np.array([1.0, 2.0, -3.0, 4.0])
    same_for(f, [(each, n) for each in (X, -X, y) for n in (0, 2, 3)])
