"""How many programs a function has, when it gets another, and what is said of that."""

import functools
import io
import logging
import re
import sys
import threading
import time

import numpy as np
import pytest
from threads import in_threads

import ingot
from ingot import programs, reports

X = np.arange(3.0)
SCALE, COUNT, FLAG, CELLS = 2.0, 0, True, [0.0]


@pytest.fixture
def messages(caplog):
    caplog.set_level(logging.INFO, logger="ingot")
    return lambda: [record.getMessage() for record in caplog.records]


def scaled(x):
    return x * SCALE


def counted(x):
    return x + COUNT


def branched(x):
    return x + 1 if FLAG else x - 1


def sized(x):
    return np.zeros(COUNT) + x[0]


def by_type(x):
    if COUNT > 1:
        return x
    return x[:2]


def in_each(x, n, mode="a"):
    return np.full(n, x[0])


# Numbers that vary become inputs.


@pytest.mark.parametrize(
    "values", [range(6), np.arange(6.0), [1j, 2j, 3j], np.arange(5, dtype=np.int8)], ids=str
)
def test_a_counter_recompiles_once(monkeypatch, values):
    f = ingot.jit(counted)
    for value in values:
        monkeypatch.setitem(globals(), "COUNT", value)
        assert_same(f(X), counted(X))
    assert len(f._compiled) == 2


def assert_same(actual, expected):
    assert actual.dtype == expected.dtype
    np.testing.assert_array_equal(actual, expected)


def test_an_integer_that_no_program_can_take(monkeypatch):
    f = ingot.jit(counted)
    for value in (1, 2, 2**60, 2**64, 3, -(2**63)):
        monkeypatch.setitem(globals(), "COUNT", value)
        assert_same(f(X), counted(X))


def test_another_type(monkeypatch):
    f = ingot.jit(counted)
    for value in (1, 2, 1.5, 2.5, np.float32(1), np.float32(2), True, 3, 2j):
        monkeypatch.setitem(globals(), "COUNT", value)
        assert_same(f(X), counted(X))


def test_a_closure_and_a_class_that_count():
    n = 0

    def f(x):
        return x * n

    compiled = ingot.jit(f)
    for n in range(5):
        np.testing.assert_array_equal(compiled(X), X * n)
    assert len(compiled._compiled) == 2


def test_a_number_that_must_be_known_is_compiled_for_each_value(monkeypatch, messages):
    f = ingot.jit(sized)
    for n in (2, 3, 4, 3, 2, 4):
        monkeypatch.setitem(globals(), "COUNT", n)
        np.testing.assert_array_equal(f(X), sized(X))
    assert len(f._compiled) == 3
    said = [m for m in messages() if "needed at compile time" in m]
    assert len(said) == 1 and "global `COUNT`" in said[0]


def test_a_number_by_which_types_differ_is_compiled_for_each_value(monkeypatch):
    f = ingot.jit(by_type)
    for n in (0, 1, 2, 3, 0):
        monkeypatch.setitem(globals(), "COUNT", n)
        np.testing.assert_array_equal(f(X), by_type(X))


# Several programs.


def test_a_toggle_compiles_each_side_once(monkeypatch):
    f = ingot.jit(branched)
    for flag in (True, False) * 3:
        monkeypatch.setitem(globals(), "FLAG", flag)
        np.testing.assert_array_equal(f(X), branched(X))
    assert len(f._compiled) == 2


def test_an_equal_number_does_not_recompile(monkeypatch):
    f = ingot.jit(scaled)
    f(X)
    monkeypatch.setitem(globals(), "SCALE", float("2.0"))
    f(X)
    assert len(f._compiled) == 1


def test_programs_of_a_signature_are_bounded(monkeypatch):
    f = ingot.jit(lambda x: x if MODE else x)
    for i in range(2 * programs.MOST_OF_A_SIGNATURE):
        monkeypatch.setitem(globals(), "MODE", str(i))
        f(1.0)
    assert len(f._compiled) == programs.MOST_OF_A_SIGNATURE


MODE = ""


def test_programs_are_bounded_and_the_last_used_stay(monkeypatch):
    monkeypatch.setattr(programs, "MOST_PROGRAMS", 4)
    f = ingot.jit(lambda x: x + 1)
    f(np.zeros(1))
    for n in range(2, 10):
        f(np.zeros(n))
        f(np.zeros(1))
        assert len(f._compiled) <= 4
    count = f._reports._compiles
    f(np.zeros(1))
    assert f._reports._compiles == count
    f(np.zeros(2))
    assert f._reports._compiles == count + 1


def test_what_is_known_of_signatures_is_bounded(monkeypatch):
    monkeypatch.setattr(programs, "MOST_PROGRAMS", 4)
    f = ingot.jit(in_each)
    for n in range(2, 20):
        f(np.zeros(n), 2)
    assert len(f._specialised) <= 9


@pytest.mark.parametrize("table", [np.zeros(3), [np.zeros(3)], {"a": np.zeros(())}])
def test_static_arrays_are_refused(table):
    compiled = ingot.jit(lambda x, table: x, static="table")
    with pytest.raises(ingot.UnsupportedError, match="is static, and arrays are not") as error:
        compiled(1.0, table)
    assert "tolist()" in str(error.value)


def test_compiles_of_many_threads():
    f = ingot.jit(lambda x: x * 2)
    errors = []

    def run(n):
        try:
            for k in range(1, 6):
                np.testing.assert_array_equal(f(np.ones(k + n % 2)), 2 * np.ones(k + n % 2))
        except Exception as error:
            errors.append(error)

    in_threads(4, run)
    assert not errors


# What is said.


def test_each_compile_is_logged(monkeypatch, messages):
    f = ingot.jit(scaled)
    f(X)
    f(X)
    f(np.zeros((2, 2), np.float32))
    f(3)
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    f(X)
    patterns = [
        r"scaled: compiled in [\d.]+ s for x: float64\[3\]: the first call",
        r"scaled: compiled again in [\d.]+ s for x: float32\[2, 2\]: argument `x` is float32\[2, 2\]",
        r"scaled: compiled again in [\d.]+ s for x: int: argument `x` is int",
        r"scaled: compiled again .*: global `SCALE` of module .* was 2.0 and is 3.0",
    ]
    assert len(messages()) == len(patterns)
    for pattern, message in zip(patterns, messages()):
        assert re.fullmatch(pattern, message)


def test_values_and_structures_in_logs(messages):
    f = ingot.jit(in_each)
    f(X, 2)
    f(X, 3)
    f(X, 3, mode="b")
    f(X, 3, mode="c")
    said = messages()
    assert (
        said[0] == "in_each: argument `n` is needed at compile time; it is compiled for each value"
    )
    reasons = [each.rpartition(": ")[2] for each in said if " s for " in each]
    assert reasons[1:] == [
        "argument `n` is 3", "arguments of another structure", "argument `mode` is 'c'",
    ]  # fmt: skip


def test_a_warning_after_many_recompiles(monkeypatch, caplog):
    f = ingot.jit(lambda x: x if MODE else x)
    for i in range(reports.MANY + 5):
        monkeypatch.setitem(globals(), "MODE", str(i))
        f(1.0)
        warned = [r for r in caplog.records if r.levelname == "WARNING"]
        assert len(warned) == (i > reports.MANY)
    assert "global `MODE`" in warned[0].getMessage()


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_long_compile_is_spoken_of(monkeypatch, messages):
    monkeypatch.setattr(reports, "PATIENCE", 0.01)
    monkeypatch.setattr(sys, "stderr", Terminal())
    ingot.jit(lambda x: np.linalg.norm(np.sort(x)) + np.median(x))(X)
    assert "over a second" in messages()[-1]
    said = sys.stderr.getvalue()
    assert said.startswith("ingot: compiling ") and said.endswith("\r\x1b[K")


@pytest.mark.parametrize("stream", [io.StringIO(), None, "closed"])
def test_nothing_is_shown_but_on_a_terminal(monkeypatch, stream):
    if stream == "closed":
        stream = io.StringIO()
        stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    with reports.progress("f"):
        assert threading.active_count() == threading.active_count()
        time.sleep(0)
    assert stream is None or stream.closed or not stream.getvalue()


def test_a_short_compile_shows_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    ingot.jit(lambda x: x + 1)(X)
    assert sys.stderr.getvalue() == ""


# What is bound to arguments.


class Model:
    k = 2.0

    def __init__(self, w):
        self.w = w

    def predict(self, x):
        return self.w * x * self.k

    @ingot.jit
    def jitted(self, x):
        return self.w * x * self.k

    @staticmethod
    def plain(x):
        return x + 1


class Called(Model):
    def __call__(self, x, scale=1.0):
        return self.w * x * scale


def test_a_bound_method(monkeypatch):
    model = Model(np.arange(3.0))
    for method in (model.predict, model.jitted):
        f = ingot.jit(method)
        np.testing.assert_array_equal(f(X), model.predict(X))
        model.w = model.w + 1
        np.testing.assert_array_equal(f(X), model.predict(X))
        assert len(f._compiled) == 1
        monkeypatch.setattr(Model, "k", Model.k + 1)
        np.testing.assert_array_equal(f(X), model.predict(X))


def test_a_bound_method_in_compiled_code():
    model = Model(np.arange(3.0))
    np.testing.assert_array_equal(ingot.jit(lambda x: model.jitted(x))(X), model.predict(X))


def test_a_static_method():
    np.testing.assert_array_equal(ingot.jit(Model(1.0).plain)(X), X + 1)
    np.testing.assert_array_equal(ingot.jit(staticmethod(Model.plain))(X), X + 1)


def test_a_partial():
    part = functools.partial(lambda w, x, *, shift: w * x + shift, 2.0, shift=1.0)
    f = ingot.jit(part)
    np.testing.assert_array_equal(f(X), part(X))
    part.keywords["shift"] = 5.0
    np.testing.assert_array_equal(f(X), part(X))
    np.testing.assert_array_equal(f(X, shift=7.0), part(X, shift=7.0))
    assert len(f._compiled) == 1
    np.testing.assert_array_equal(ingot.jit(lambda x: f(x))(X), part(X))


def test_a_partial_of_a_method_and_of_a_derivative():
    model = Model(2.0)
    np.testing.assert_array_equal(ingot.jit(functools.partial(model.predict))(X), model.predict(X))
    slope = functools.partial(ingot.grad(lambda w, x: (w * x).sum(), argnums=1), 3.0)
    np.testing.assert_array_equal(ingot.jit(slope)(X), np.full(3, 3.0))
    np.testing.assert_array_equal(
        ingot.grad(functools.partial(lambda w, x: (w * x).sum(), 3.0))(X), np.full(3, 3.0)
    )


def test_a_callable_instance(monkeypatch):
    model = Called(2.0)
    f = ingot.jit(model)
    np.testing.assert_array_equal(f(X, scale=2.0), model(X, scale=2.0))
    model.w = 3.0
    np.testing.assert_array_equal(f(X), model(X))
    monkeypatch.setattr(Called, "__call__", lambda self, x: x - self.w)
    np.testing.assert_array_equal(f(X), model(X))


def test_exporting_what_is_bound_is_refused():
    with pytest.raises(ingot.UnsupportedError, match="is bound to"):
        ingot.export(functools.partial(scaled), X)


@pytest.mark.parametrize("target", [np.frompyfunc, open, 3, Model])
def test_what_has_no_source_is_refused(target):
    with pytest.raises(ingot.UnsupportedError, match="is not a Python function with source"):
        ingot.jit(target)


def test_a_static_name_that_there_is_not():
    for static in ("nope", ("x", "nope")):
        with pytest.raises(TypeError, match="static names no parameter `nope` of scaled"):
            ingot.jit(scaled, static=static)


def test_a_wrong_call_with_static_names():
    with pytest.raises(ingot.DTypeError, match="missing 1 required positional argument: 'n'"):
        ingot.jit(in_each, static="n")(X)
