"""From a Python function to its AST."""

from __future__ import annotations

import ast
import functools
import linecache
import os
import types
from dataclasses import dataclass
from typing import Any

from ingot.syntax import STARTED
from ingot.syntax.private_names import is_spelled, spell_out
from ingot.syntax.texts import makes, text_without_file
from ingot_runtime.errors import UnsupportedError

FunctionNode = ast.FunctionDef | ast.Lambda
#: Where the modules of Python's own library are.
_LIBRARY = os.path.dirname(os.__file__) + os.sep


def is_pythons(filename: str) -> bool:
    """Whether a file is of Python's own library."""
    return filename.startswith(_LIBRARY) and "site-packages" not in filename


@dataclass(frozen=True)
class Source:
    """A function's AST and the file it is from."""

    node: FunctionNode
    filename: str


class _Functions(ast.NodeVisitor):
    """All functions of a module by the first line of their code."""

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
    # texts.py ignores texts that are compiled under this name.
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
    given = _argument_names(node)
    return (
        is_spelled(name, code.co_name)
        and len(given) == count
        and all(map(is_spelled, given, code.co_varnames))
    )


def last_line(code: types.CodeType, lines: list[str]) -> int:
    """The last line of a function: the next line is indented no more than the `def`."""
    first = lines[code.co_firstlineno - 1]
    indent = len(first) - len(first.lstrip())
    # The code object gives a line near the end, where the scan starts.
    last = next(line for _, _, line in reversed(list(code.co_lines())) if line)
    while last < len(lines):
        text = lines[last].lstrip()
        if text and not text.startswith("#") and len(lines[last]) - len(text) <= indent:
            break
        last += 1
    return last


def _parse_alone(code: types.CodeType, lines: list[str]) -> FunctionNode | None:
    """Parse the function without the rest of its file, which may be long."""
    first = code.co_firstlineno
    text = "".join(lines[first - 1 : last_line(code, lines)])
    # Blank lines keep the line numbers, and `if 1:` keeps the columns of an indented function.
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


#: The lines of files that were read, by filename.
Files = dict[str, list[str]]


def lines_of(filename: str, namespace: dict[str, Any]) -> list[str]:
    """The lines of a file; linecache is slower, but knows notebooks and encodings."""
    try:
        with open(filename, encoding="utf-8") as file:
            return file.readlines()
    except (OSError, UnicodeDecodeError):
        return linecache.getlines(filename, namespace)


@functools.cache
def library_source_of(function: types.FunctionType) -> Source:
    """The AST of one of Ingot's own functions, which never changes."""
    return source_of(function)


def source_of(function: types.FunctionType, files: Files | None = None) -> Source:
    """The AST of a function.

    Args:
        function: the function.
        files: files that need not be read again; those that are read are added.

    Raises:
        UnsupportedError: the text is not known, or several lambdas in it could be the function.
    """
    filename = _file_of(function)
    files = {} if files is None else files
    find = _node_in_module if is_module(filename) else _node_in_text
    node = find(function, files)
    if node is None:
        raise UnsupportedError(
            f"the source of {function.__qualname__} can't be found",
            hint=_HINTS.get(filename, _HINT),
            page="no-source",
        )
    spell_out(node, function)
    return Source(node, filename)


def _file_of(function: types.FunctionType) -> str:
    """The file of a function; modules that are frozen into Python have one, too."""
    filename = function.__code__.co_filename
    is_frozen = filename.startswith("<frozen ")
    return (is_frozen and function.__globals__.get("__file__")) or filename


#: Filenames that are shared by many texts.
_SHARED = ("<string>", "<stdin>", "<unknown>")
#: The hint where Python keeps no text.
_HINT = (
    "define the function in a file or a notebook cell, or import ingot before the text is compiled"
)
_HINTS = {
    "<stdin>": "Python does not keep the text of a script that comes through a pipe: "
    "run a file, or redirect it: python < file",
}


def is_module(filename: str) -> bool:
    """Whether a filename is that of a module, so that no other text has it."""
    return os.path.isabs(filename) and filename.endswith(".py")


def is_written(filename: str) -> bool:
    """Whether a file was written since Ingot was imported, and modules may have its older text."""
    try:
        return os.stat(filename).st_mtime > STARTED
    except OSError:
        return False


def is_changed(code: types.CodeType) -> bool:
    """Whether the file of a function has another text now than the function was made from."""
    if not is_written(code.co_filename):
        return False
    return not makes("".join(lines_of(code.co_filename, {})), code)


def _node_in_module(function: types.FunctionType, files: Files) -> FunctionNode | None:
    code = function.__code__
    if is_changed(code):
        raise UnsupportedError(
            f"{code.co_filename} has changed since {function.__qualname__} was loaded from it",
            hint="reload the module, or start Python again",
            page="no-source",
        )
    filename = _file_of(function)
    if filename not in files:
        files[filename] = lines_of(filename, function.__globals__)
    lines = files[filename]
    if lines and code.co_name != "<lambda>":
        alone = _parse_alone(code, lines)
        if alone is not None:
            return alone
    return _node_of(code, "".join(lines)) if lines else None


def _node_in_text(function: types.FunctionType, files: Files) -> FunctionNode | None:
    """The node of a function whose filename may be shared by other texts."""
    code = function.__code__
    text = text_without_file(code)
    if text is not None:
        return _node_of(code, text)
    # The text of a notebook cell does not compile to its code, since IPython changes the AST.
    return None if code.co_filename in _SHARED else _node_in_module(function, files)


def _node_of(code: types.CodeType, text: str) -> FunctionNode | None:
    """The function in a text that has this code object."""
    try:
        functions = _functions_of(text)
    except SyntaxError:
        return None
    found = [n for n in functions.get(code.co_firstlineno, ()) if _matches(n, code)]
    if len(found) < 2:
        return found[0] if found else None
    around = [node for node in found if _is_around(node, code)]
    if not around:
        # The code of a lambda that returns a constant has no columns.
        around = [node for node in found if _compiles_to(node, code)]
    if around:
        # Of nested lambdas, the innermost one that contains all columns of the code.
        return min(around, key=_extent)
    raise UnsupportedError(
        f"line {code.co_firstlineno} of {code.co_filename} has several such lambdas",
        hint="give each its own line, or a name by def",
        page="no-source",
    )


def _is_around(node: FunctionNode, code: types.CodeType) -> bool:
    """Whether the body of a lambda contains the positions of all instructions of the code."""
    body: Any = node.body
    if isinstance(body, list):
        return True
    positions: Any = code.co_positions()
    # Instructions that Python adds itself have columns 0 to 0, or none.
    known = [each for each in positions if None not in each and any(each[2:])]
    first, last = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    return bool(known) and all(
        first <= (line, column) and (end_line, end) <= last for line, end_line, column, end in known
    )


def _extent(node: FunctionNode) -> tuple[int, int]:
    lines = (node.end_lineno or node.lineno) - node.lineno
    return lines, (node.end_col_offset or 0) - node.col_offset


def _compiles_to(node: FunctionNode, code: types.CodeType) -> bool:
    """Whether a lambda compiles to this code; its free variables are not compared."""
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
