"""Texts of exceptions that are Python's and NumPy's, and hints that help where they are followed."""

import numpy as np
import pytest

import ingot


def text_of(f, *args):
    with pytest.raises(Exception) as raised:
        f(*args)
    return type(raised.value), str(raised.value).split("\n")[0]


def position(x, items):
    return x if x < 0 else items.index(7)


def position_in_tuple(x):
    return x if x < 0 else (1, 2).index("text")


def position_in_literal(x):
    return x if x < 0 else [1, None].index("text")


def position_of_a_class(x):
    return x if x < 0 else [1, int].index(np.float64)


CASES = [
    (position, ([1, 2],)), (position_in_tuple, ()), (position_in_literal, ()),
    (position_of_a_class, ()),
]  # fmt: skip


def test_the_key_that_a_set_does_not_have():
    def removed(x):
        return {1, 2}.remove(int)

    for f in (removed, ingot.jit(removed)):
        with pytest.raises(KeyError) as raised:
            f(1.0)
        assert raised.value.args == (int,)


@pytest.mark.parametrize(("f", "args"), CASES)
def test_what_is_not_in_a_sequence(f, args):
    kind, text = text_of(f, 1.0, *args)
    found = text_of(ingot.jit(f), 1.0, *args)
    assert found[0] is kind and found[1].endswith(text), found


def read_only():
    a = np.zeros(3)
    a.flags.writeable = False
    return a


def added(a):
    a += 1


def added_by_out(a):
    np.add(a, 1, out=a)


def assigned(a):
    a[0] = 1


def filled(a):
    a[...] = 2


@pytest.mark.parametrize("f", [added, added_by_out, assigned, filled])
def test_stores_to_read_only_arrays(f):
    kind, text = text_of(f, read_only())
    found = text_of(ingot.jit(f), read_only())
    assert found[0] is kind and text in found[1], found


def test_values_of_stop_iteration(check):
    def f(x):
        try:
            if x > 0:
                raise StopIteration(x, 2)
            raise StopIteration
        except StopIteration as error:
            return error.value

    for x in (-1.0, 2.0):
        check(f, x)


def refused(f, *args):
    with pytest.raises(ingot.UnsupportedError) as error:
        ingot.jit(f)(*args)
    return error.value.hint


def closes(x):
    try:
        yield x
    finally:
        x += 1


def test_the_hint_of_a_yield_in_a_try(check):
    def f(x):
        return sum(closes(x))

    assert "yield from items" in refused(f, 1.0)

    def collected(x):
        items = []
        try:
            items.append(x)
        finally:
            x += 1
        yield from items

    def as_hinted(x):
        return sum(collected(x))

    check(as_hinted, 1.0)


def test_the_hint_of_a_note(check):
    def f(x):
        try:
            if x > 0:
                raise ValueError("text")
        except ValueError as error:
            error.add_note("more")
        return x

    assert "e.args" in refused(f, 1.0)

    def as_hinted(x):
        try:
            if x > 0:
                raise ValueError("text", x)
        except ValueError as error:
            return error.args[1]
        return 2 * x

    for x in (-1.0, 1.0):
        check(as_hinted, x)


def groups(x):
    try:
        if x > 0:
            raise ValueError("text")
    except* ValueError:
        x = -x
    return x


def test_the_hint_of_exception_groups():
    assert "`except` instead" in refused(groups, 1.0)
