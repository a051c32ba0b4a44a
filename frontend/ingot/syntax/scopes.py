"""Names: the frames of the functions being evaluated, and what syntax says of them."""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ingot.syntax.source import FunctionNode

#: Pseudo-names of a frame: whether control has left, and with what.
RETURN, VALUE, BREAK, CONTINUE = "<return>", "<value>", "<break>", "<continue>"
JUMPS = (RETURN, BREAK, CONTINUE)


@dataclass(eq=False)
class Frame:
    """One call of one function.

    Attributes:
        path: distinguishes the calls that lead here, the same each time they are evaluated.
        depth: how many regions there were at the call.
        internal: the function is Ingot's own; errors point at its caller.
    """

    function: types.FunctionType | None
    node: FunctionNode
    filename: str
    parent: Frame | None
    path: tuple[Any, ...]
    internal: bool
    names: dict[str, Any] = field(default_factory=dict)
    depth: int = 0
    locals: frozenset[str] = frozenset()

    @functools.cached_property
    def parameters(self) -> frozenset[str]:
        a = self.node.args
        return frozenset(each.arg for each in (*a.args, *a.posonlyargs, *a.kwonlyargs))

    @functools.cached_property
    def last_loads(self) -> dict[str, int]:
        return last_loads_of(self.node)


def _own_nodes(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes below, without those of nested functions."""
    stack = list(ast.iter_child_nodes(root))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))


def locals_of(node: FunctionNode, function: types.FunctionType | None) -> frozenset[str]:
    """The names that are local to a function."""
    if function is not None:
        return frozenset((*function.__code__.co_varnames, *function.__code__.co_cellvars))
    a = node.args
    arguments = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
    local = {each.arg for each in arguments if each}
    for each in _own_nodes(node):
        if isinstance(each, ast.FunctionDef):
            local.add(each.name)
        elif isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            local.add(each.id)
    return frozenset(local)


def last_loads_of(node: FunctionNode) -> dict[str, int]:
    """The last line on which each name is read."""
    loads: dict[str, int] = {}
    for each in _own_nodes(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            loads[each.id] = max(loads.get(each.id, 0), each.lineno)
    return loads


def has_jump(statements: list[ast.stmt], kinds: tuple[type, ...], *, into_loops: bool) -> bool:
    """Whether a `return`, `break` or `continue` is among the statements."""
    stack: list[ast.AST] = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, kinds):
            return True
        if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        if isinstance(node, (ast.For, ast.While)) and not into_loops:
            # Only `return` leaves the loop around.
            if ast.Return in kinds and has_jump(node.body, (ast.Return,), into_loops=True):
                return True
            continue
        stack.extend(ast.iter_child_nodes(node))
    return False


def always_jumps(statements: list[ast.stmt]) -> bool:
    """Whether control never reaches the end of the statements, by their form."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, (ast.Return, ast.Break, ast.Continue, ast.Raise)):
        return True
    if isinstance(last, ast.If):
        return always_jumps(last.body) and always_jumps(last.orelse)
    return False
