"""Private names of classes: in the class `C`, Python reads `__x` as `_C__x`."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator


def is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__") and "." not in name


def is_spelled(name: str, compiled: str) -> bool:
    """Whether a name in the text is that of the compiled code."""
    return name == compiled or (is_private(name) and compiled.endswith(name))


def spell_out(node: ast.AST, function: types.FunctionType) -> None:
    """Put the names that Python reads in place of the private names of a method."""
    names = set(_names_in(function.__code__))
    for owner in function.__qualname__.split(".")[-2::-1]:
        prefix = "_" + owner.lstrip("_")
        if any(name.startswith(prefix + "__") for name in names):
            _Speller(prefix, names).visit(node)


def _names_in(code: types.CodeType) -> Iterator[str]:
    yield from (*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars)
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _names_in(each)
        elif isinstance(each, tuple):
            # The names of keywords in calls.
            yield from (name for name in each if isinstance(name, str))


class _Speller(ast.NodeVisitor):
    def __init__(self, prefix: str, names: set[str]) -> None:
        self._prefix, self._names = prefix, names

    def generic_visit(self, node: ast.AST) -> None:
        for field in ("id", "attr", "arg", "name", "asname"):
            name = getattr(node, field, None)
            if isinstance(name, str) and is_private(name) and self._prefix + name in self._names:
                setattr(node, field, self._prefix + name)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            spelled = [self._prefix + name if is_private(name) else name for name in node.names]
            node.names = [
                s if s in self._names else n for s, n in zip(spelled, node.names, strict=True)
            ]
        super().generic_visit(node)
