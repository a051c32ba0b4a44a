"""Plain Python is the specification: programs run undecorated and compiled, and all they touched compared.

A program is a function and the cases it is called with. Both runs get fresh deep copies; compared are the
result, what became of the arguments, which objects are one object, and the exception.
"""

import contextlib
import copy
import enum
import functools
import io
import linecache
import math
import re
import sysconfig
import textwrap
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import ingot

#: What no message may show: values, classes, places and functions of the compiler. (Functions of the user's
#: that are made in others have `<locals>` in their names.)
INTERNALS = re.compile(
    r"ingot\._core|Scalar\(|LocalFunction|Text\(format|(\b_\w*|_method)\.<locals>|frontend/ingot/|site-packages|"
    r"JaxRuntimeError|std::bad_cast|object at 0x"
)


class Programs(list):
    """Functions to run, each with its cases: `@programs((1, 2), (3, 4))` above a function.

    A case is the tuple of the arguments; what is no tuple is the only argument. With `quick`, the
    function is one of those of `make quick`.
    """

    def __call__(self, *cases: Any, quick: bool = False) -> Callable[[Any], Any]:
        tuples = [case if isinstance(case, tuple) else (case,) for case in cases or [()]]
        marks = [pytest.mark.quick] if quick else []

        def register(f: Any) -> Any:
            self.append(pytest.param(f, tuples, id=f.__name__, marks=marks))
            return f

        return register


@dataclass
class Outcome:
    """What a call gave: its result or its exception, the arguments after it, and its output."""

    result: Any = None
    error: BaseException | None = None
    arguments: Any = None
    printed: str = ""


def same(f: Any, *args: Any, rtol: float = 1e-12, **keywords: Any) -> Outcome:
    """The compiled function does what the plain one does; returns what that was."""
    return same_for(f, [args], rtol=rtol, **keywords)


def same_for(f: Any, cases: list[tuple], rtol: float = 1e-12, **keywords: Any) -> Outcome:
    """As `same`, one compiled function for all the cases, each called twice."""
    return _same_for(f, cases, compiled_once(f), rtol, keywords)


def _same_for(f: Any, cases: list[tuple], compiled: Any, rtol: float, keywords: dict) -> Outcome:
    last = Outcome()
    for args in cases:
        last = call(f, args, keywords)
        for _ in range(2):
            actual = call(f, args, keywords, compiled)
            with describing(f, args):
                assert_same_outcome(actual, last, (args, keywords), rtol)
    return last


def compiled_once(f: Any) -> Callable[[Any], Any]:
    """`ingot.jit`, which gives one and the same compiled function for f; copies of methods differ."""
    compile_once = functools.cache(lambda: ingot.jit(f))
    return lambda g: compile_once() if g is f else ingot.jit(g)


def same_or_refused(
    f: Any, *args: Any, others: list[tuple] | None = None, rtol: float = 1e-12, **keywords: Any
) -> Outcome:
    """As `same`, for other arguments after these too, or a CompileError that points at the source."""
    compiled = compiled_once(f)
    actual = call(f, args, keywords, compiled)
    if isinstance(actual.error, ingot.CompileError):
        assert_clear(actual.error)
        return actual
    first = _same_for(f, [args], compiled, rtol, keywords)
    _same_for(f, others or [], compiled, rtol, keywords)
    return first


def refused(f: Any, *args: Any, match: str = "", at: Any = None) -> str:
    """A CompileError, in clear words, at the line of f (or `at`) that says `# refused` if one does; its text."""
    actual = call(f, args, {}, ingot.jit)
    assert isinstance(actual.error, ingot.CompileError), (
        f"{name(f)}: not refused, but {actual.error or actual.result!r}"
    )
    assert_clear(actual.error)
    text = str(actual.error)
    assert re.search(match, text), f"{match!r} is not in: {text}"
    marked = lines_of(at or f, "# refused")
    assert not marked or actual.error.lineno in marked, f"not at line {marked}: {text}"
    unchanged = Outcome(arguments=copy.deepcopy((args, {}, None)))
    Comparison(1e-12).same(actual.arguments[:2], unchanged.arguments[:2], "arguments")
    return text


def assert_clear(error: Any) -> None:
    assert not INTERNALS.search(str(error)), f"shows internals: {error}"
    assert not error.lineno or error.filename, "a line of no file"


def call(f: Any, args: tuple, keywords: dict, wrap: Callable[[Any], Any] | None = None) -> Outcome:
    """Call f, or what `wrap` makes of it, with deep copies; a bound method's instance is copied too."""
    f, args, keywords = copy.deepcopy((f, args, keywords))
    run = (lambda *a, **k: wrap(f)(*a, **k)) if wrap else f
    return outcome_of(run, args, keywords, carried_by(f))


def outcome_of(f: Any, args: tuple, keywords: dict, carried: Any = None) -> Outcome:
    outcome, out = Outcome(arguments=(args, keywords, carried)), io.StringIO()
    try:
        with np.errstate(all="ignore"), contextlib.redirect_stdout(out):
            outcome.result = f(*args, **keywords)
    except Exception as error:
        outcome.error = error
    outcome.printed = out.getvalue()
    return outcome


def carried_by(f: Any) -> Any:
    if isinstance(f, types.MethodType):
        return f.__self__
    if isinstance(f, functools.partial):
        return [list(f.args), dict(f.keywords)]
    if isinstance(f, (types.FunctionType, type)) or not hasattr(f, "__dict__"):
        return None
    return f


def assert_same_outcome(actual: Outcome, expected: Outcome, before: Any, rtol: float) -> None:
    if expected.error is None:
        if actual.error is not None:
            raise AssertionError(
                f"gives {expected.result!r}, compiled raises {type(actual.error).__name__}: {actual.error}"
            ) from actual.error
        assert actual.printed == expected.printed, (actual.printed, expected.printed)
        Comparison(rtol).same(
            (actual.result, actual.arguments),
            (expected.result, expected.arguments),
            "(result, arguments)",
        )
        return
    assert actual.error is not None, f"raises {expected.error!r}, compiled gives {actual.result!r}"
    assert type(actual.error) is type(expected.error), (
        f"raises {expected.error!r}, compiled {type(actual.error).__name__}: {actual.error}"
    )
    assert actual.printed == expected.printed, (actual.printed, expected.printed)
    if raised_by_the_program(expected.error):
        assert_same_exception(actual.error, expected.error)
    # When a check fails no argument is changed (docs/differences.md); what Python leaves is right too.
    try:
        Comparison(rtol).same(actual.arguments, expected.arguments, "arguments")
    except AssertionError:
        Comparison(rtol).same(actual.arguments[:2], before, "arguments after a failure")


def assert_same_exception(actual: Any, expected: Any) -> None:
    """The same class, arguments, text, cause and context.

    Of exceptions in the chain that Python or NumPy raises by itself the class is the same.
    """
    assert type(actual) is type(expected), f"raises {actual!r}, plain {expected!r}"
    if is_rewritten_assert(expected):
        text = re.sub(r"(^|\n)assert .*", "", str(expected), flags=re.DOTALL)
        assert str(actual) == text, f"message {str(actual)!r}, plain {text!r}"
    elif raised_by_the_program(expected):
        shown = [(each.args, str(each), vars_of(each)) for each in (actual, expected)]
        assert repr(shown[0]) == repr(shown[1]), f"raises {shown[0]}, plain {shown[1]}"
    if raised_in_a_library(expected):
        # What it has handled itself is its own affair.
        return
    assert actual.__suppress_context__ == expected.__suppress_context__
    for link in ("__cause__", "__context__"):
        ours, theirs = getattr(actual, link), getattr(expected, link)
        assert (ours is None) == (theirs is None), f"{link} {ours!r}, plain {theirs!r}"
        if theirs is not None:
            assert_same_exception(ours, theirs)


def is_rewritten_assert(error: BaseException) -> bool:
    """Whether it is of an `assert` in a file of tests, whose expression pytest adds to the message."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return (
        isinstance(error, AssertionError)
        and trace is not None
        and "@pytest_ar" in trace.tb_frame.f_globals
    )


def vars_of(error: BaseException) -> dict[str, Any]:
    """Its attributes, without those that tell a position."""
    return {k: v for k, v in vars(error).items() if k not in ("check", "__notes__")}


def may_be_refused(expected: Outcome) -> bool:
    """What certainly fails by itself in Python, and not by a `raise`, may be said when it is compiled."""
    return expected.error is not None and not raised_by_the_program(expected.error)


def raised_in_a_library(error: BaseException) -> bool:
    """Whether Python's own library raised it, in Python."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    library = sysconfig.get_path("stdlib")
    return trace is not None and trace.tb_frame.f_code.co_filename.startswith(f"{library}/")


def raised_by_the_program(error: BaseException) -> bool:
    """Whether a `raise` or `assert` of the source raised it."""
    trace = error.__traceback__
    if trace is None:
        # A cause that was never raised.
        return True
    while trace.tb_next is not None:
        trace = trace.tb_next
    line = linecache.getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno).strip()
    return re.match(r"(.*:\s*)?(raise|assert)\b", line) is not None


class Comparison:
    """Two graphs of objects: equal types and values, and the same objects at the same places."""

    def __init__(self, rtol: float) -> None:
        self.rtol = rtol
        self.pairs: list[tuple[Any, Any]] = []
        self.by_actual: dict[int, Any] = {}
        self.by_expected: dict[int, Any] = {}

    def same(self, actual: Any, expected: Any, where: str) -> None:
        assert type(actual) is type(expected), (
            f"{where}: {type(actual)} {actual!r}, plain {type(expected)} {expected!r}"
        )
        if isinstance(
            expected, (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
        ):
            assert actual is expected, f"{where}: {actual}, plain {expected}"
        elif isinstance(
            expected, (bool, str, bytes, type(None), enum.Enum, np.dtype, range, slice)
        ):
            assert actual == expected, f"{where}: {actual!r}, plain {expected!r}"
        elif isinstance(expected, (int, float, complex)):
            assert self.close(actual, expected), f"{where}: {actual!r}, plain {expected!r}"
        elif isinstance(expected, np.generic):
            self.arrays(actual, expected, where)
        elif isinstance(expected, tuple):
            self.sequences(actual, expected, where)
        elif self.first_visit(actual, expected, where):
            self.contents(actual, expected, where)

    def first_visit(self, actual: Any, expected: Any, where: str) -> bool:
        known = self.by_expected.get(id(expected))
        assert known is None or known is actual, f"{where}: another object than before"
        other = self.by_actual.get(id(actual))
        assert other is None or other is expected, (
            f"{where}: an object seen before, in Python another one"
        )
        if known is not None:
            return False
        self.pairs.append((actual, expected))
        self.by_expected[id(expected)], self.by_actual[id(actual)] = actual, expected
        return True

    def contents(self, actual: Any, expected: Any, where: str) -> None:
        if isinstance(expected, np.ndarray):
            self.arrays(actual, expected, where)
        elif isinstance(expected, list):
            self.sequences(actual, expected, where)
        elif isinstance(expected, dict):
            self.sequences(list(actual), list(expected), f"{where}.keys()")
            for (key, value), other in zip(expected.items(), actual.values()):
                self.same(other, value, f"{where}[{key!r}]")
        elif isinstance(expected, (set, frozenset)):
            ordered = [sorted(s, key=lambda e: (type(e).__name__, e)) for s in (actual, expected)]
            self.sequences(*ordered, where)
        elif isinstance(expected, types.MethodType):
            self.same(actual.__func__, expected.__func__, f"{where}.__func__")
            self.same(actual.__self__, expected.__self__, f"{where}.__self__")
        if not isinstance(expected, np.ndarray):
            self.attributes(actual, expected, where)

    def attributes(self, actual: Any, expected: Any, where: str) -> None:
        names = [list(getattr(o, "__dict__", {})) for o in (actual, expected)]
        assert names[0] == names[1], f"{where}: attributes {names[0]}, plain {names[1]}"
        slots = [s for c in type(expected).__mro__ for s in getattr(c, "__slots__", ())]
        for key in [*names[1], *slots]:
            assert hasattr(actual, key) == hasattr(expected, key), f"{where}.{key}"
            if hasattr(expected, key):
                self.same(getattr(actual, key), getattr(expected, key), f"{where}.{key}")

    def sequences(self, actual: Any, expected: Any, where: str) -> None:
        assert len(actual) == len(expected), f"{where}: {actual!r}, plain {expected!r}"
        for i, (a, e) in enumerate(zip(actual, expected)):
            self.same(a, e, f"{where}[{i}]")

    def arrays(self, actual: Any, expected: Any, where: str) -> None:
        a, e = np.asarray(actual), np.asarray(expected)
        assert (a.dtype, a.shape) == (e.dtype, e.shape), (
            f"{where}: {a.dtype}{a.shape}, plain {e.dtype}{e.shape}"
        )
        loose = {"f2": 2e-3, "f4": 2e-6, "c8": 2e-6}.get(e.dtype.str[1:], self.rtol)
        equal = (
            np.allclose(a, e, rtol=loose, atol=loose * scale(e), equal_nan=True)
            if e.dtype.kind in "fc"
            else np.array_equal(a, e)
        )
        assert equal, f"{where}: {actual!r}, plain {expected!r}"

    def close(self, actual: Any, expected: Any) -> bool:
        if isinstance(expected, int) or not np.isfinite(expected):
            return repr(actual) == repr(expected)
        if isinstance(expected, complex):
            return abs(actual - expected) <= self.rtol * abs(expected)
        return math.isclose(actual, expected, rel_tol=self.rtol, abs_tol=self.rtol * 1e-3)


def scale(values: Any) -> float:
    finite = np.abs(values[np.isfinite(values)])
    return float(np.max(finite, initial=0.0))


@contextlib.contextmanager
def describing(f: Any, args: tuple) -> Iterator[None]:
    try:
        yield
    except AssertionError as error:
        shown = ", ".join(shorten(repr(a)) for a in args)
        raise AssertionError(f"{name(f)}({shown}): {error}") from error.__cause__


def written(source: str, name: str = "f", **names: Any) -> Any:
    """The function of that name in a text, which tracebacks and the compiler can read."""
    filename = f"<written {len(linecache.cache)}>"
    text = textwrap.dedent(source).strip("\n") + "\n"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(compile(text, filename, "exec"), names)
    return names[name]


def shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) < 60 else f"{text[:60]}…"


def name(f: Any) -> str:
    return getattr(f, "__qualname__", None) or repr(f)


def lines_of(f: Any, mark: str) -> list[int]:
    """The lines of f's source that end with the mark."""
    code = getattr(getattr(f, "__func__", f), "__code__", None)
    if code is None:
        return []
    numbers = {line for _, _, line in code.co_lines() if line}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            numbers |= {line for _, _, line in constant.co_lines() if line}
    return sorted(
        n for n in numbers if linecache.getline(code.co_filename, n).rstrip().endswith(mark)
    )


def follows(f: Any, args: tuple, changes: list[Callable[[], Any]]) -> None:
    """Compiled once, f gives after each change what plain Python gives, also when changes come back."""
    compiled, results = ingot.jit(f), []
    for change in (lambda: None, *changes):
        change()
        expected = outcome_of(f, args, {})
        for _ in range(2):
            actual = outcome_of(compiled, args, {})
            if isinstance(actual.error, ingot.CompileError) and may_be_refused(expected):
                continue
            with describing(f, args):
                assert_same_outcome(actual, expected, (args, {}), 1e-12)
        results.append(repr(expected.error or expected.result))
    assert len(set(results)) > 1, f"no change is seen by plain Python: {results}"


def put(owner: Any, attribute: str, *values: Any) -> list[Callable[[], Any]]:
    """Changes, for `follows`, that set an attribute to each of the values."""
    return [functools.partial(setattr, owner, attribute, value) for value in values]
