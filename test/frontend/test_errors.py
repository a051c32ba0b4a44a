"""Refusals: the class, the position, the advice, and nothing of the compiler."""

import re
import traceback

import numpy as np
import pytest

import ingot


def unsupported_statement(x):
    with x:
        return x


def unknown_function(x):
    y = x + 1
    return np.einsum_path(y, 3)


def shape_mismatch(x):
    return x + np.zeros(5)


def wrong_dtype(x):
    return x << 1


def matmul_mismatch(x):
    return x @ np.zeros((5, 2))


def runtime_shape(x):
    return np.zeros(int(x[0]))


def runtime_condition_on_array(x):
    if x > 0:
        return x
    return -x


def name_as_condition(x):
    y = 2 * x
    if not y:
        return x
    return -x


def name_after_or(x):
    y = 2 * x
    while len(y) > 3 or y:
        y = y[1:]
    return y


def name_before_or(x):
    y = np.sin(x)
    return y or x


def store_too_large(x):
    x[1:] = np.zeros(7)


def undefined(x):
    return x + nowhere  # noqa: F821


def global_write(x):
    global UNUSED
    UNUSED = x


def star(x):
    yield x


def ambiguous_alias(x, y):
    if x[0] > 0:
        z = x
    else:
        z = y[::-1]
    z[0] = 5.0
    return x


def index_too_far(x):
    return x[5]


CASES = [
    (unsupported_statement, ingot.UnsupportedError, 1, 10, "with is not supported", True),
    (unknown_function, ingot.UnsupportedError, 2, 12, "np.einsum_path is not supported", True),
    (shape_mismatch, ingot.ShapeError, 1, 12, "broadcast together with shapes (3,) (5,)", False),
    (wrong_dtype, ingot.DTypeError, 1, 12, "left_shift", False),
    (matmul_mismatch, ingot.ShapeError, 1, 12, "matmul", False),
    (runtime_shape, ingot.UnsupportedError, 1, 12, "known only at run time and has no known bound", True),
    (runtime_condition_on_array, ingot.ShapeError, 1, 8, "ambiguous", True),
    (name_as_condition, ingot.ShapeError, 2, 12, "ambiguous", True),
    (name_after_or, ingot.ShapeError, 2, 25, "ambiguous", True),
    (name_before_or, ingot.ShapeError, 2, 12, "ambiguous", True),
    (store_too_large, ingot.ShapeError, 1, 5, "could not broadcast input array", False),
    (global_write, ingot.UnsupportedError, 1, 5, "global is not supported", True),
    (star, ingot.UnsupportedError, 1, 5, "a generator can't be the result", True),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_refusal(case):
    function, kind, line, column, text, has_hint = case
    with pytest.raises(kind) as caught:
        ingot.jit(function)(np.ones(3))
    error = caught.value
    message = str(error)
    assert text in message
    assert bool(error.hint) == has_hint
    if line is not None:
        first = function.__code__.co_firstlineno
        assert (error.filename, error.lineno, error.col) == (__file__, first + line, column)
    assert message.startswith(f"{error.filename}:{error.lineno}:{error.col}: ")
    assert re.search(r"\n +\d+ \| .*\n +\^+", message)
    for internal in ("ingot/syntax", "mlir", "tensor<", "Traceback", "nanobind"):
        assert internal not in message
    # Only the call itself is in the traceback, not the compiler.
    assert "syntax" not in "".join(traceback.format_tb(caught.tb))


def test_alias_that_depends_on_run_time_names_both_origins():
    line = ambiguous_alias.__code__.co_firstlineno
    # z is made by an arm of the `if`, x and y are parameters.
    origins = rf"see .*test_errors.py:{line + 4}:\d+ and .*test_errors.py:{line}:2[14]"
    with pytest.raises(ingot.UnsupportedError, match=origins):
        ingot.jit(ambiguous_alias)(np.ones(3), np.zeros(3))


def test_a_name_that_is_not_defined():
    with pytest.raises(NameError, match="name 'nowhere' is not defined"):
        ingot.jit(undefined)(np.ones(3))


def test_an_index_that_is_too_far():
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 3"):
        ingot.jit(index_too_far)(np.ones(3))


def test_function_without_source():
    def f(x):
        return x

    f.__code__ = f.__code__.replace(co_filename="<nowhere>")
    with pytest.raises(ingot.UnsupportedError, match="source of .*f can't be found"):
        ingot.jit(f)(1.0)
    with pytest.raises(ingot.UnsupportedError, match="not a Python function with source"):
        ingot.jit(open)


def test_object_array_is_refused():
    with pytest.raises(ingot.DTypeError, match="dtype object is not supported"):
        ingot.jit(lambda x: x)(np.array([None]))


def test_wrong_arguments():
    with pytest.raises(ingot.DTypeError, match="missing 1 required positional argument: 'y'"):
        ingot.jit(lambda x, y: x)(1)


def test_an_error_in_a_pass_points_at_the_source():
    from ingot import _core
    from ingot.lowering import _run

    module = _core.parse(
        "func.func @f(%c: tensor<i1>) {\n  ingot.while () cond {\n"
        '    ingot.assert %c, "E", "m" : tensor<i1>\n'
        '    ingot.condition %c : tensor<i1> loc("user.py":3:5)\n'
        "  } do {\n    ingot.yield\n  }\n  return\n}"
    )
    with pytest.raises(ingot.CompileError, match=r"^user.py:3:5: a condition of ingot.while"):
        _run(module, "ingot-to-stablehlo")


# Exceptions at run time.


def read(a, i):
    return a[i]


def asserted(x):
    assert x > 0, "x must be positive"
    return np.sqrt(x)


def raised(x):
    y = 0.0
    if x < 0:
        raise ValueError("negative")
    for i in range(20):
        y += x * i
    return y


def test_index_out_of_range_raises_as_python_does():
    f = ingot.jit(read)
    assert f(np.arange(5), -5) == 0
    for i in (5, -6):
        with pytest.raises(IndexError, match=r"(?s)index is out of bounds.*return a\[i\]"):
            f(np.arange(5), i)
    assert ingot.jit(read, checks=False)(np.arange(5), 9) == 4


def test_index_array_out_of_range():
    with pytest.raises(IndexError, match="out of bounds for axis 0 with size 5"):
        ingot.jit(read)(np.arange(5), np.array([0, 7]))


def test_assert_and_raise():
    assert ingot.jit(asserted)(4.0) == 2.0
    with pytest.raises(AssertionError, match="x must be positive"):
        ingot.jit(asserted)(-1.0)
    assert ingot.jit(raised)(1.0) == raised(1.0)
    with pytest.raises(ValueError, match="negative"):
        ingot.jit(raised)(-1.0)


def test_a_failed_check_leaves_arguments_alone():
    def f(a, i):
        a[0] = 5
        return a[i]

    a = np.zeros(3)
    with pytest.raises(IndexError):
        ingot.jit(f)(a, 10)
    assert a[0] == 0
