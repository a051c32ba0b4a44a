"""From a Python function to its AST."""

from __future__ import annotations

import ast
import functools
import linecache
import types
from dataclasses import dataclass
from typing import Any

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


@functools.lru_cache(maxsize=64)
def _functions_of(filename: str, text: str) -> dict[int, list[FunctionNode]]:
    visitor = _Functions()
    visitor.visit(ast.parse(text, filename))
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
        body = ast.parse(header + text, code.co_filename).body
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
    """The AST of a function that was defined in a file (or a notebook cell).

    Raises:
        UnsupportedError: there is no source, or several lambdas on its line fit.
    """
    code = function.__code__
    lines = lines_of(code.co_filename, function.__globals__)
    found: list[FunctionNode] = []
    if lines and code.co_name != "<lambda>":
        alone = _parse_alone(code, lines)
        found = [alone] if alone else []
    if lines and not found:
        functions = _functions_of(code.co_filename, "".join(lines))
        found = [n for n in functions.get(code.co_firstlineno, ()) if _matches(n, code)]
    if not found:
        raise UnsupportedError(
            f"the source of {function.__qualname__} can't be found",
            hint="define the function in a file or a notebook cell, not by exec or eval",
            page="no-source",
        )
    if len(found) > 1:
        raise UnsupportedError(
            f"line {code.co_firstlineno} of {code.co_filename} has several such lambdas",
            hint="give each its own line, or a name by def",
            page="no-source",
        )
    return Source(found[0], code.co_filename)
