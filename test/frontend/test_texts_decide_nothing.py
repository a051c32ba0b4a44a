"""The text of an exception decides nothing: not what is caught, nor what is compiled again."""

import ast
import linecache
import textwrap
from pathlib import Path

import numpy as np
import pytest

import ingot
import ingot_runtime

#: Texts of users, of Ingot's own checks, and such that were marks inside of Ingot.
TEXTS = [
    "",
    "x must be positive",
    "x must be positive; write float(base)",
    "x; write complex(base)",
    "x must be; a run-time slice must lie inside",
    "cannot convert a float beyond 64 bits to integer",
    "index 3 is out of bounds",
    "list index out of range",
    "division by zero",
    "math domain error",
    "Python integer out of bounds for int8",
    "a value is None that is used as another one",
    "#",
    "#ingot<comparison EQ>",
    "# a comment",
    "{} {0} {{x}}",
    "\0",
    "\0" + "1\0{}",
    "\1\0('a', 1)",
    "\1\0(",
    "line\nline",
    "ü 漢 \U0001f600",
]

WAYS = {
    "alone": """
        def f(x):
            assert x[0] > 0, {text}
            return x[0]
        """,
    "raise": """
        def f(x):
            if x[0] <= 0:
                raise ValueError({text})
            return x[0]
        """,
    "caught": """
        def f(x):
            try:
                assert x[0] > 0, {text}
                y = 1.0
            except AssertionError:
                y = -1.0
            return y
        """,
    "caught in an arm": """
        def f(x):
            try:
                if x[1] > 0:
                    assert x[0] > 0, {text}
                y = 1.0
            except AssertionError:
                y = -1.0
            return y
        """,
    "caught by another class": """
        def f(x):
            try:
                if x[0] <= 0:
                    raise OverflowError({text})
                y = 1.0
            except (ValueError, ArithmeticError):
                y = -1.0
            return y
        """,
    "not implemented": """
        def f(x):
            try:
                if x[0] <= 0:
                    raise NotImplementedError({text})
                y = 1.0
            except NotImplementedError:
                y = -1.0
            return y
        """,
    "not caught": """
        def f(x):
            try:
                if x[0] <= 0:
                    raise IndexError({text})
                y = 1.0
            except ValueError:
                y = -1.0
            return y
        """,
    "in a loop, replaced": """
        def f(x):
            try:
                for i in range(len(x)):
                    assert x[i] > 0, {text}
            except AssertionError:
                raise ValueError("replaced")
            return x[0]
        """,
    "in a loop": """
        def f(x):
            try:
                for i in range(len(x)):
                    assert x[i] > 0, {text}
                y = 1.0
            except AssertionError:
                y = -1.0
            return y
        """,
    "in a function": """
        def g(x):
            assert x[0] > 0, {text}
            return x[0] * 2

        def f(x):
            try:
                y = g(x)
            except AssertionError:
                y = -1.0
            return y
        """,
}


def made(source, text):
    """The function `f` of a source that has a text in it."""
    source = textwrap.dedent(source).format(text=repr(text))
    name = f"<texts {hash(source)}>"
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    found = {}
    exec(compile(source, name, "exec"), found)
    return found["f"]


def outcome(call, x):
    try:
        return call(x)
    except ingot.IngotError as error:
        return type(error)
    except Exception as error:
        return type(error), str(error).split("\n  at ")[0]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", TEXTS)
def test_one_outcome_whatever_the_text(way, text):
    """That of Python, or a refusal for all texts."""
    plain, plainly_named = made(WAYS[way], text), made(WAYS[way], "a plain text")
    for first in (-1.0, 2.0):
        x = np.array([first, 2.0, *np.ones(20)])
        compiled = ingot.jit(plain)
        found, like = outcome(compiled, x.copy()), outcome(ingot.jit(plainly_named), x.copy())
        if isinstance(like, type):
            assert found is like
            continue
        assert found == outcome(plain, x.copy())
        assert len(compiled._compiled) == 1


@pytest.mark.parametrize("text", TEXTS)
def test_prints_whatever_the_text(text, capsys):
    def f(x):
        print(text, x[0])
        return x[0]

    f(np.ones(2))
    expected = capsys.readouterr().out
    ingot.jit(f)(np.ones(2))
    assert capsys.readouterr().out == expected


#: Methods and operators that look into a text.
_LOOKS = frozenset(
    ["startswith", "endswith", "find", "rfind", "index", "match", "search", "fullmatch"]
)


def _is_message(node):
    """Whether an expression is the text of an exception or of a check."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("message", "msg")
    if isinstance(node, ast.Name):
        return node.id in ("message", "msg")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        given = node.args[0]
        names = ("error", "e", "err", "exc", "exception", "failure")
        return node.func.id in ("str", "repr") and isinstance(given, ast.Name) and given.id in names
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
        return node.value.attr == "args" and isinstance(node.slice, ast.Constant)
    return False


def _decisions(tree):
    """The nodes that decide by a message, except for those that only make another text of it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in _LOOKS and _is_message(node.func.value):
                yield node
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            texts = [each for each in sides if _is_message(each)]
            others = [each for each in sides if not _is_message(each)]
            is_empty = all(isinstance(x, ast.Constant) and x.value in ("", None) for x in others)
            if texts and not is_empty and not all(isinstance(op, ast.Is) for op in node.ops):
                yield node


#: What makes another text of a message, and decides nothing else: the file and the function.
_SPELLING = {("naming.py", "signature_message")}
#: Files whose messages are dicts that processes send, one that reports no error twice, and the reader
#: of artifacts of formats that had marks in messages.
_OTHERS = frozenset(["member.py", "coordinator.py", "repository.py", "old_checks.py"])


def test_no_source_decides_by_a_message():
    found = []
    for package in (ingot, ingot_runtime):
        for path in Path(package.__file__).parent.rglob("*.py"):
            if path.name in _OTHERS:
                continue
            tree = ast.parse(path.read_text())
            spelling = {
                each
                for node in ast.walk(tree)
                if isinstance(node, ast.FunctionDef) and (path.name, node.name) in _SPELLING
                for each in ast.walk(node)
            }
            found += [
                f"{path.name}:{node.lineno}" for node in _decisions(tree) if node not in spelling
            ]
    assert found == []
