"""From a Python function to its AST."""

from __future__ import annotations

import ast
import functools
import linecache
import os
import types
from dataclasses import dataclass
from typing import Any

from ingot.syntax.texts import text_without_file
from ingot_runtime.errors import UnsupportedError

FunctionNode = ast.FunctionDef | ast.Lambda


@dataclass(frozen=True)
class Source:
    """A function's AST and the file it is from."""

    node: FunctionNode
    filename: str


class _Functions(ast.NodeVisitor):
    """All functions of a module by the line at which their code starts."""

    def __init__(self) -> None:
        self.by_line: dict[int, list[FunctionNode]] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
        self.by_line.setdefault(first, []).append(node)
        self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.by_line.setdefault(node.lineno, []).append(node)
        self.generic_visit(node)


def _parse(text: str) -> ast.Module:
    # Under this name no text is taken for one that the user compiles (see texts.py).
    return ast.parse(text, "<unknown>")


@functools.lru_cache(maxsize=64)
def _functions_of(text: str) -> dict[int, list[FunctionNode]]:
    visitor = _Functions()
    visitor.visit(_parse(text))
    return visitor.by_line


def _argument_names(node: FunctionNode) -> tuple[str, ...]:
    a = node.args
    names = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
    return tuple(each.arg for each in names if each)


def _matches(node: FunctionNode, code: types.CodeType) -> bool:
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    flags = bool(code.co_flags & 4) + bool(code.co_flags & 8)
    count = code.co_argcount + code.co_kwonlyargcount + flags
    return name == code.co_name and _argument_names(node) == code.co_varnames[:count]


def last_line(code: types.CodeType, lines: list[str]) -> int:
    """The last line before the first one that is indented no more than the `def`."""
    first = lines[code.co_firstlineno - 1]
    indent = len(first) - len(first.lstrip())
    # Code ends near its last line; the scan below goes on from there.
    last = next(line for _, _, line in reversed(list(code.co_lines())) if line)
    while last < len(lines):
        text = lines[last].lstrip()
        if text and not text.startswith("#") and len(lines[last]) - len(text) <= indent:
            break
        last += 1
    return last


def _parse_alone(code: types.CodeType, lines: list[str]) -> FunctionNode | None:
    """The function parsed without the rest of its file, which may be long."""
    first = code.co_firstlineno
    text = "".join(lines[first - 1 : last_line(code, lines)])
    # Blank lines keep the line numbers, and `if 1:` the columns of what is indented.
    header = "\n" * (first - 1) if not text[:1].isspace() else "\n" * (first - 2) + "if 1:\n"
    try:
        body = _parse(header + text).body
    except SyntaxError:
        return None
    node: Any = body[0] if body else None
    if isinstance(node, ast.If):
        node = node.body[0]
    is_found = isinstance(node, ast.FunctionDef) and _matches(node, code)
    return node if is_found else None


def lines_of(filename: str, namespace: dict[str, Any]) -> list[str]:
    """The lines of a file; linecache, which is slower, knows notebooks and encodings."""
    try:
        with open(filename, encoding="utf-8") as file:
            return file.readlines()
    except (OSError, UnicodeDecodeError):
        return linecache.getlines(filename, namespace)


@functools.cache
def library_source_of(function: types.FunctionType) -> Source:
    """The AST of a function of Ingot's own, which does not change."""
    return source_of(function)


def source_of(function: types.FunctionType) -> Source:
    """The AST of a function.

    Raises:
        UnsupportedError: its text is not known, or lambdas that it may be can't be told apart.
    """
    code = function.__code__
    node = _node_in_module(function) if is_module(code.co_filename) else _node_in_text(function)
    if node is None:
        raise UnsupportedError(
            f"the source of {function.__qualname__} can't be found",
            hint=_HINTS.get(code.co_filename, _HINT),
            page="no-source",
        )
    return Source(node, code.co_filename)


#: Filenames that many texts have.
_SHARED = ("<string>", "<stdin>", "<unknown>")
#: What can be done where Python keeps no text.
_HINT = (
    "define the function in a file or a notebook cell, or import ingot before the text is compiled"
)
_HINTS = {
    "<stdin>": "Python does not keep the text of a script that comes through a pipe: "
    "run a file, or redirect it: python < file",
}


def is_module(filename: str) -> bool:
    """Whether a filename is that of a module, which alone has its text."""
    return os.path.isabs(filename) and filename.endswith(".py")


def _node_in_module(function: types.FunctionType) -> FunctionNode | None:
    code = function.__code__
    lines = lines_of(code.co_filename, function.__globals__)
    if lines and code.co_name != "<lambda>":
        alone = _parse_alone(code, lines)
        if alone is not None:
            return alone
    return _node_of(code, "".join(lines)) if lines else None


def _node_in_text(function: types.FunctionType) -> FunctionNode | None:
    """The node in a text that was compiled under a name that other texts may have, too."""
    code = function.__code__
    text = text_without_file(code)
    if text is not None:
        return _node_of(code, text)
    # A notebook changes the code of its cells after they are parsed.
    return None if code.co_filename in _SHARED else _node_in_module(function)


def _node_of(code: types.CodeType, text: str) -> FunctionNode | None:
    """The function of a whole text whose code this is."""
    try:
        functions = _functions_of(text)
    except SyntaxError:
        return None
    found = [n for n in functions.get(code.co_firstlineno, ()) if _matches(n, code)]
    if len(found) < 2:
        return found[0] if found else None
    around = [node for node in found if _is_around(node, code)]
    if not around:
        # Constants alone have no columns.
        around = [node for node in found if _compiles_to(node, code)]
    if around:
        # Of functions within each other that with the code's columns is the smallest.
        return min(around, key=_extent)
    raise UnsupportedError(
        f"line {code.co_firstlineno} of {code.co_filename} has several such lambdas",
        hint="give each its own line, or a name by def",
        page="no-source",
    )


def _is_around(node: FunctionNode, code: types.CodeType) -> bool:
    """Whether all instructions of the code are from the body of a lambda."""
    body: Any = node.body
    if isinstance(body, list):
        return True
    positions: Any = code.co_positions()
    # What Python adds itself is at column 0 to 0, if it has columns.
    places = [place for place in positions if None not in place and any(place[2:])]
    first, last = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    return bool(places) and all(
        first <= (line, column) and (end_line, end) <= last
        for line, end_line, column, end in places
    )


def _extent(node: FunctionNode) -> tuple[int, int]:
    lines = (node.end_lineno or node.lineno) - node.lineno
    return lines, (node.end_col_offset or 0) - node.col_offset


def _compiles_to(node: FunctionNode, code: types.CodeType) -> bool:
    """Whether a lambda by itself gives this code; what it closes over does not matter."""
    if not isinstance(node, ast.Lambda):
        return False
    made = compile(ast.Expression(node), "<unknown>", "eval").co_consts
    return any(
        isinstance(each, types.CodeType)
        and each.co_code == code.co_code
        and each.co_consts == code.co_consts
        and each.co_names == code.co_names
        for each in made
    )
