"""Exceptions that leave compiled code are those of the source: class, arguments, text, cause, context.

PYTEST_DONT_REWRITE, which would change the texts of the programs' assertions.
"""

import pickle
import traceback

import numpy as np
import pytest
from plain import same_for

import ingot


class Own(Exception):
    pass


class Coded(Exception):
    def __init__(self, code, reason="none"):
        super().__init__(f"{code}: {reason}")
        self.code, self.reason = code, reason

    def __str__(self):
        return f"<{self.code}>"


class Plain(ValueError):
    limit = 3


def no_arguments(x):
    if x < 0:
        raise ValueError
    return x


def empty_call(x):
    if x < 0:
        raise ValueError()
    return x


def empty_text(x):
    if x < 0:
        raise ValueError("")
    return x


def key(x):
    if x < 0:
        raise KeyError("k")
    return x


def number_as_key(x):
    if x < 0:
        raise KeyError(3)
    return x


def several(x):
    if x < 0:
        raise ValueError("a", 1, 2.5, None, (1, "b"), b"c", True, 1 + 2j)
    return x


def not_finite(x):
    if x < 0:
        raise ValueError(float("nan"), float("-inf"), -0.0)
    return x


def containers(x):
    if x < 0:
        raise ValueError([1, "a"], {"k": (2,)}, {3})
    return x


def run_time_number(x):
    if x < 0:
        raise ValueError(x)
    return x


def run_time_numbers(x):
    if x < 0:
        raise KeyError("a", x, x < 0, x * 2, [x, {"k": x}])
    return x


def text_with_number(x):
    if x < 0:
        raise ValueError(f"{x:.3f} is negative", x)
    return x


def numpy_number(x):
    if x < 0:
        raise ValueError(np.float64(x), np.int8(3))
    return x


def an_array(x):
    if x < 0:
        raise ValueError(np.array([x, 2 * x]))
    return x


def asserted(x):
    assert x >= 0
    return x


def asserted_with_text(x):
    assert x >= 0, "negative"
    return x


def asserted_with_number(x):
    assert x >= 0, x
    return x


def asserted_with_tuple(x):
    assert x >= 0, ("negative", 3)
    return x


def own_class(x):
    if x < 0:
        raise Own("text", x)
    return x


def own_class_alone(x):
    if x < 0:
        raise Own
    return x


def own_init(x):
    if x < 0:
        raise Coded(3, "why")
    return x


def own_init_of_values(x):
    if x < 0:
        raise Coded(x, f"x is {x}")
    return x


def from_caught(x):
    try:
        return 1 // x
    except ZeroDivisionError as e:
        raise ValueError("bad") from e


def from_none(x):
    try:
        return 1 // x
    except ZeroDivisionError:
        raise ValueError("bad") from None


def from_new(x):
    if x < 0:
        raise ValueError("bad") from KeyError("why")
    return x


def from_class(x):
    if x < 0:
        raise ValueError("bad") from KeyError
    return x


def from_none_without_context(x):
    if x < 0:
        raise ValueError("bad") from None
    return x


def context_alone(x):
    try:
        if x < 0:
            raise KeyError("first", x)
    except KeyError:
        raise ValueError("second")
    return x


def context_of_values(x):
    try:
        if x < 0:
            raise KeyError("first", x)
    except KeyError:
        y = x * 2
        raise ValueError("second", y)
    return x


def chain_of_three(x):
    try:
        try:
            if x < 0:
                raise KeyError("first")
        except KeyError as e:
            raise ValueError("second") from e
    except ValueError:
        raise RuntimeError("third")
    return x


def raised_again(x):
    try:
        if x < 0:
            raise KeyError("first", 2)
    except KeyError:
        x = x + 1
        raise
    return x


def raised_again_by_name(x):
    try:
        if x < 0:
            raise KeyError("first", 2)
    except KeyError as e:
        x = x + 1
        raise e
    return x


def raised_again_from_none(x):
    try:
        if x < 0:
            raise KeyError("first", 2)
    except KeyError as e:
        raise e from None
    return x


def raised_again_from_another(x):
    try:
        if x < 0:
            raise KeyError("first", 2)
    except KeyError as e:
        y = x + 1
        raise ValueError("v", y) from e
    return x


def caught_again_and_raised(x):
    try:
        try:
            if x < 0:
                raise KeyError("first")
        except KeyError:
            raise
    except LookupError as e:
        raise Own("own") from e
    return x


def in_a_function(x):
    def inner(y):
        if y < 0:
            raise Plain("inner", y)
        return y

    try:
        return inner(x)
    except ValueError as e:
        raise RuntimeError("outer") from e


def in_a_loop(x):
    total = 0.0
    for i in range(5):
        if x * i < -3:
            raise ValueError("too low", i)
        total += x
    return total


def in_a_while_loop(x):
    n = 0
    while n < 10:
        n += 1
        if x + n == 0:
            raise KeyError(n)
    return n


def replaced_in_a_loop(x):
    try:
        for i in range(5):
            assert x * i > -3, "low"
    except AssertionError:
        raise ValueError("replaced")
    return x


def replaced_in_a_loop_from(x):
    try:
        for i in range(5):
            assert x * i > -3, "low"
    except AssertionError as e:
        raise ValueError("replaced") from e
    return x


def replaced_in_a_loop_from_none(x):
    try:
        for i in range(5):
            assert x * i > -3, "low"
    except AssertionError:
        raise ValueError("replaced") from None
    return x


def an_exception_as_argument(x):
    if x < 0:
        raise ValueError("outer", KeyError("inner"))
    return x


def made_before(x):
    error = ValueError("made", 1)
    if x < 0:
        raise error
    return x


def in_finally(x):
    try:
        if x < 0:
            raise KeyError("first")
        y = x
    except KeyError:
        y = -1
    finally:
        x = 3
    if y < 0:
        raise ValueError("no context")
    return y


def none_or_number(x):
    y = None if x < 0 else x
    if x < 1:
        raise ValueError("y", y)
    return y


def int_or_float(x):
    y = 1 if x < 0 else x
    if x < 2:
        raise ValueError(y)
    return y


def surrogate(x):
    if x < 0:
        raise ValueError("\udc80")
    return x


PROGRAMS = [
    value
    for name, value in list(globals().items())
    if callable(value)
    and getattr(value, "__module__", "") == __name__
    and not isinstance(value, type)
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(f):
    for kind in (int, float):
        same_for(f, [(kind(3),), (kind(-4),), (kind(0),), (kind(1),)])


def raised(call, *args):
    try:
        call(*args)
    except Exception as error:
        return error
    raise AssertionError("nothing is raised")


def test_the_position_is_a_note_and_an_attribute():
    error = raised(ingot.jit(key), -1)
    line = key.__code__.co_firstlineno + 2
    assert (error.args, str(error)) == (("k",), "'k'")
    (note,) = error.__notes__
    assert f"{__file__}:{line}:9" in note and 'raise KeyError("k")' in note
    assert (error.check.filename, error.check.line, error.check.column) == (__file__, line, 9)
    assert note in "".join(traceback.format_exception(error))


def test_notes_are_new_for_each_exception():
    compiled = ingot.jit(several)
    first, second = raised(compiled, -1), raised(compiled, -1)
    assert first is not second and len(second.__notes__) == 1


def test_pickles():
    error = pickle.loads(pickle.dumps(raised(ingot.jit(several), -1)))
    assert error.args[:2] == ("a", 1) and error.check.line


def test_a_container_of_the_arguments_is_new_for_each_exception():
    compiled = ingot.jit(containers)
    raised(compiled, -1).args[0].append(2)
    assert raised(compiled, -1).args[0] == [1, "a"]


@pytest.mark.parametrize("f", [key, from_caught, context_alone])
def test_the_callers_exception_is_the_first_context(f):
    """What the caller was handling is the context of what is raised first, as in Python."""

    def outside(call):
        try:
            raise LookupError("outside")
        except LookupError:
            return raised(call, -1 if f is not from_caught else 0)

    chains = []
    for call in (f, ingot.jit(f)):
        error, chain = outside(call), []
        while error is not None:
            chain.append((type(error), error.args))
            error = error.__context__
        chains.append(chain)
    assert chains[1][-1] == (LookupError, ("outside",))
    assert [kind for kind, _ in chains[0]] == [kind for kind, _ in chains[1]]


def test_in_a_batch():
    def checked(x):
        if x < 0:
            raise ValueError("negative", 3)
        return x * 2

    error = raised(ingot.vmap(checked), np.array([1.0, -1.0]))
    assert error.args == ("negative", 3) and len(error.__notes__) == 1


def test_of_a_derivative():
    def checked(x):
        if x < 0:
            raise ValueError("negative", x) from KeyError("k")
        return x * x

    error = raised(ingot.grad(checked), -1.0)
    assert error.args == ("negative", -1.0) and repr(error.__cause__) == "KeyError('k')"


def test_in_jax():
    jax = pytest.importorskip("jax")
    with pytest.raises(KeyError) as caught:
        ingot.to_jax(key)(jax.numpy.float32(-1.0))
    assert caught.value.args == ("k",)


def test_what_exceptions_know_in_handlers():
    def f(x):
        try:
            try:
                if x < 0:
                    raise KeyError("first")
            except KeyError as e:
                raise ValueError("second") from e
        except ValueError as e:
            return len(e.args), len(e.__cause__.args), e.__suppress_context__
        return 0, 0, False

    same_for(f, [(-1,), (1,)])
