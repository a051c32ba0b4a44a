"""What takes some of the items of a generator function: next(), unpacking, zip()."""

import numpy as np
import pytest

import ingot

X = np.array([1.0, 2.0, 3.0])


def below(values, most):
    i = 0
    while i < len(values) and values[i] < most:
        yield values[i]
        i += 1


def steps(start, n):
    for i in range(n):
        start = start * 0.5 + i
        yield start


def logged(log, x, n):
    for i in range(n):
        log.append(i)
        yield x[i]
    log.append(-1)


def first(x, most):
    return next(below(x, most), 7.0), next(below(x, 2 * most), None) is None


def effects_end_with_the_item(x, most):
    log = []
    return next(logged(log, x, 2)), log, next(logged(log, x, 0), most), log


def by_name(x, most):
    values = below(x, most)
    found = next(values, None)
    return 0.0 if found is None else found


def of_another(x, most):
    return next((v * 2 for v in below(x, most)), 1.0), next(map(abs, below(-x, most)), 2.0)


def unpacked(x, most):
    log = []
    a, *b = steps(x[0], 3)
    c, d = logged(log, x, 2)
    [e, (f, g)] = logged(log, [x[0], (x[1], x[2])], 2)
    return a, b, c, d, e, f, g, log


def unpacked_with_too_many(x, most):
    log = []
    try:
        a, b = logged(log, x, 3)
    except ValueError:
        return log
    return a, b


def unpacked_with_too_few(x, most):
    log = []
    try:
        a, b, c = logged(log, x, 2)
    except ValueError:
        return log
    return a, b, c


def zipped_with_text(x, most):
    log = []
    return dict(zip("ab", steps(x[0], 2))), dict(zip("abc", logged(log, x, 2))), log


def zipped_before_text(x, most):
    log = []
    return [(b, a) for a, b in zip(logged(log, x, 3), "ab")], log


def zipped_with_lists(x, most):
    values, found = [1.0], []
    for v, w in zip(below(x, most), values):
        values.append(w + 1)
        found.append(v * w)
    for v, w in zip([4.0, 5.0], below(x, most)):
        found.append(v * w)
    return found, values


TAKING = [
    first, effects_end_with_the_item, by_name, of_another, unpacked, unpacked_with_too_many,
    unpacked_with_too_few, zipped_with_text, zipped_before_text, zipped_with_lists,
]  # fmt: skip


@pytest.mark.parametrize("f", TAKING, ids=lambda f: f.__name__)
@pytest.mark.parametrize("most", [0.0, 2.5, 100.0])
def test_items(f, most, check):
    check(f, X, most)


def no_first(x, most):
    return next(below(x, most))


def no_first_in_a_generator(x, most):
    def again():
        yield next(below(x, most))

    return sum(again())


def caught(x, most):
    try:
        return next(below(x, most))
    except StopIteration:
        return -1.0


@pytest.mark.parametrize("f, raised", [
    (no_first, StopIteration), (no_first_in_a_generator, RuntimeError),
])  # fmt: skip
def test_no_item(f, raised, check):
    check(f, X, 2.5)
    with pytest.raises(raised) as expected:
        f(X, 0.0)
    with pytest.raises(raised) as actual:
        ingot.jit(f)(X, 0.0)
    assert str(actual.value) == str(expected.value)


def test_no_item_is_caught(check):
    check(caught, X, 2.5)
    check(caught, X, 0.0)
