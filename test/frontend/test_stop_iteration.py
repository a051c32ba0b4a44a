"""PEP 479: a StopIteration that leaves a generator becomes a RuntimeError."""

import pytest
from plain import same_for


def raised(n):
    def g():
        yield 1
        if n < 0:
            raise StopIteration("x")
        yield 2

    return sum(g())


def caught_as_a_runtime_error(n):
    def g():
        yield 1
        if n < 0:
            raise StopIteration("x")
        yield 2

    try:
        return sum(g())
    except RuntimeError:
        return -5
    except StopIteration:
        return -7


def caught_around_the_loop(n):
    def g():
        yield 1
        if n < 0:
            raise StopIteration
        yield 2

    total = 0
    try:
        for x in g():
            total += x
    except StopIteration:
        return -7
    except RuntimeError:
        return -5
    return total


def caught_inside(n):
    def g():
        yield 1
        try:
            if n < 0:
                raise StopIteration("x")
            y = 2
        except StopIteration:
            y = 3
        yield y

    return sum(g())


def in_a_function_of_the_generator(n):
    def check():
        if n < 0:
            raise StopIteration("deep")

    def g():
        yield 1
        check()
        yield 2

    try:
        return list(g())
    except RuntimeError:
        return [-5]


def of_next_in_a_generator(n):
    def g():
        it = iter([1, 2])
        yield next(it)
        yield next(it)
        if n < 0:
            yield next(it)

    try:
        return list(g())
    except RuntimeError:
        return [-5]


def in_the_body_of_the_loop(n):
    """What the body of the loop raises does not pass the generator."""

    def g():
        yield 1
        yield 2

    total = 0
    try:
        for x in g():
            if n < 0:
                raise StopIteration("of the loop")
            total += x
    except StopIteration:
        return -7
    except RuntimeError:
        return -5
    return total


def outside_of_generators(n):
    if n < 0:
        raise StopIteration("x", 2)
    return n


def of_next_outside(n):
    it = iter([1])
    next(it)
    if n < 0:
        return next(it)
    return n


def through_two_generators(n):
    def inner():
        yield 1
        if n < 0:
            raise StopIteration("inner")

    def outer():
        yield 0
        yield from inner()

    return sum(outer())


def other_exceptions_pass(n):
    def g():
        yield 1
        if n < 0:
            raise KeyError("k")

    return sum(g())


PROGRAMS = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(f):
    same_for(f, [(3,), (-1,), (0,)])
