"""Numbers that are Python's on one path and NumPy's on another, where the two do not agree."""

import numpy as np
import pytest
from plain import same_for

import ingot


def power(x, s, k):
    if x[0] > 0:
        s = x[0]
    return s**k


def shifted(x, s, k):
    if x[0] > 0:
        s = x[0]
    return s << k, k >> s


WHOLE, FLOATS = np.array([3, 1]), np.array([3.0, 1.0])


@pytest.mark.parametrize(
    ("f", "x", "s", "k"),
    [
        (power, WHOLE, 2, -1), (power, WHOLE, -2, 0.5), (power, WHOLE, 0, -0.5),
        (power, FLOATS, -2.0, 0.5), (power, FLOATS, 0.0, -1.0), (power, FLOATS, 1e200, 2),
        (shifted, WHOLE, 1, -1), (shifted, WHOLE, -1, 1),
    ],
)  # fmt: skip
def test_what_python_and_numpy_do_not_agree_on(check, f, x, s, k):
    """Of an `int` or `float` Python gives a number of another type, or raises."""
    check(f, x, type(s)(3), 2)
    with pytest.raises(
        NotImplementedError, match=r"int or np\.int64.*that|float or np\.float64.*that"
    ):
        ingot.jit(f)(-x, s, k)


@pytest.mark.parametrize(
    ("s", "x"), [(2, np.uint8(3)), (300, np.uint8(3)), (-5, np.int16(7)), (1.5, np.uint64(3))]
)
def test_python_numbers_do_not_wrap_around_as_narrow_ones_do(check, s, x):
    """What run time refuses is what NumPy's number wraps around to, on its own path."""

    def computed(is_python, s, x):
        y = s if is_python else x
        return -y, y - 10, y * 100, abs(y), ~y if isinstance(s, int) else y

    check(computed, True, s, x)
    with pytest.raises(NotImplementedError, match="does not fit each of these"):
        ingot.jit(computed)(False, s, np.array(x).dtype.type(400 if x.dtype.itemsize > 1 else 3))


@pytest.mark.parametrize(
    ("s", "x"), [(2.5, np.int8(3)), (3, np.True_), (2.5, np.True_), (1.5, np.float16(2))]
)
def test_what_is_narrow_on_every_path_stays_narrow(check, s, x):
    """A kind that is wider than each of those that meet has no part in it."""

    def computed(is_first, s, x):
        y = s if is_first else x
        return y * np.ones(2, np.float32), np.float32(0.1) + y, np.float32(0.1) < y, y / FLOATS

    for is_first in (True, False):
        check(computed, is_first, s, x)


@pytest.mark.parametrize(
    ("s", "x"),
    [(np.float32(1.3), 1.7), (np.uint8(3), np.uint64(3)), (np.float64(1.3), np.float16(1.3))],
)
def test_numbers_are_rounded_as_on_their_path(check, s, x):
    """What is computed from a float32, a float16, or the root of a uint8, is one."""

    def computed(is_first, s, x, t):
        y = s if is_first else x
        return np.sqrt(y) * t, (y / 3) * t, (y * 0.1 + y) * t

    for is_first in (True, False):
        for t in (2.5, np.float64(1.7)):
            check(computed, is_first, s, x, t, rtol=0)


def test_numbers_beside_texts(check):
    """NumPy's number gives an np.bool."""

    def compared(x):
        return x[0] == "a", "a" != x[0], float(x[0]) == "a", x[0] is None, x[0] != b"a"

    check(compared, FLOATS)
    same_for(lambda x: (x[0] if x[0] > 0 else 1.0) == "a", [(FLOATS,), (-FLOATS,)])


def test_integers_that_meet_bools():
    def added(c):
        return (3 if c else np.True_) + np.int8(1)

    def added_to_an_array(c):
        return (3 if c else np.True_) + np.ones(2, np.int8)

    for c in (1, 0):
        assert type(ingot.jit(added)(c)) is np.int8
    same_for(added_to_an_array, [(1,), (0,)])


@pytest.mark.parametrize(
    ("f", "s", "x"),
    [
        (round, 2, np.True_), (round, 2.5, 1j),
        (np.invert, np.int8(1), np.True_), (np.sqrt, -2.0, 1j), (np.log, np.float64(-2), 1j),
        (lambda y: y**0.5, np.float64(-2), 1j), (lambda y: 2**y, np.uint64(3), np.int8(-3)),
        (lambda y: y % -1, np.uint8(3), np.int64(3)),
    ],
)  # fmt: skip
def test_what_only_some_kinds_have(f, s, x):
    """It is what the kind on the path taken has, or raises."""
    same_for(lambda c, s, x: f(s if c else x), [(1, s, x), (0, s, x)])


def test_sorted_numbers_of_which_one_kind_has_no_order_are_refused():
    with pytest.raises(ingot.UnsupportedError, match="depending on the path taken"):
        ingot.jit(lambda c, s, x: sorted([s if c else x, 1]))(1, 2, 1j)


def test_python_integers_that_fit_one_path_only(check):
    """NumPy raises for those that do not fit its number, on its path."""

    def added(is_python, s, x, n):
        y = s if is_python else x
        return y + n, y % n, n - y

    for x in (np.uint8(3), np.uint64(3)):
        check(added, True, 5, x, 6)
        with pytest.raises(NotImplementedError, match="does not fit each of these"):
            ingot.jit(added)(False, 5, x, -1)


def test_complex_numbers(check):
    """NumPy's have an order, Python's have none; a product of a complex with an np.float64."""
    check(sorted, [np.complex128(1 + 1j), np.complex128(1), np.complex128(-2j)])
    with pytest.raises(TypeError, match="'complex' and 'complex'"):
        ingot.jit(sorted)([1j, 2j])
    with pytest.raises(ingot.UnsupportedError, match="are sorted with Python's"):
        ingot.jit(sorted)([1j, np.complex128(2j)])
    for c in (True, False):
        check(lambda c, s, x: (s if c else x) * np.float64(2), c, 1j, np.int16(3))


@pytest.mark.parametrize("index", [(), 0, None, ...])
def test_numbers_that_met_have_no_items(index):
    """An np.float64 has some, a float has none."""

    def item(x):
        return (x[0] if x[0] > 0 else 0.0)[index]

    with pytest.raises(ingot.UnsupportedError, match="depending on the path taken"):
        ingot.jit(item)(FLOATS)
