"""Rewrites tail recursion as a loop: `return f(...)` in f assigns f's parameters."""

from __future__ import annotations

import ast
import copy
import functools
from typing import Any

#: The attribute of a function's node that caches its loop form.
_FORM = "_ingot_loop_form"


class TailCall(Exception):
    """A recursive call depends on a run-time value: the call of `frame` restarts as a loop."""

    def __init__(self, frame: Any) -> None:
        super().__init__()
        self.frame = frame


def loop_form(node: Any) -> Any | None:
    """The function as `while True: body`, or None if it has no such form.

    It has one if all calls of itself are values of `return` outside of loops, and it has only
    plain parameters.
    """
    if not isinstance(node, ast.FunctionDef):
        return None
    if not hasattr(node, _FORM):
        setattr(node, _FORM, _loop_form(node))
    return getattr(node, _FORM)


def is_recursive(function: Any, node: Any) -> bool:
    """Whether a function calls itself by name; `function` is None for a local function."""
    if not isinstance(node, ast.FunctionDef):
        return False
    # The names in the code object are at hand; the walk below is slow.
    code = getattr(function, "__code__", None)
    if code is not None and node.name not in (*code.co_names, *code.co_freevars):
        return False
    return _calls_itself(node)


@functools.lru_cache(maxsize=1024)
def _calls_itself(node: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Call) and _calls(each, node.name) for each in ast.walk(node))


def _calls(call: ast.Call, name: str) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == name


def _loop_form(node: ast.FunctionDef) -> Any | None:
    a = node.args
    if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs:
        return None
    rewrite = _Rewrite(node.name, [each.arg for each in a.args])
    body = [rewrite.visit(copy.deepcopy(statement)) for statement in node.body]
    flat = [each for part in body for each in (part if isinstance(part, list) else [part])]
    uses = sum(
        isinstance(each, ast.Name) and each.id == node.name
        for statement in node.body
        for each in ast.walk(statement)
    )
    if uses == 0 or rewrite.found != uses or rewrite.is_in_loop:
        return None
    end = ast.copy_location(ast.Return(None), node.body[-1])
    test = ast.copy_location(ast.Constant(True), node.body[0])
    loop = ast.copy_location(ast.While(test, [*flat, end], []), node.body[0])
    fields: dict[str, Any] = {field: getattr(node, field, None) for field in node._fields}
    made = ast.FunctionDef(**fields)
    made.body = [ast.fix_missing_locations(loop)]
    return ast.copy_location(made, node)


class _Rewrite(ast.NodeTransformer):
    """Replaces tail calls by assignments to the parameters and `continue`.

    Attributes:
        found: the number of tail calls replaced.
        is_in_loop: one of them is in a loop of the function itself, where `continue` is wrong.
    """

    def __init__(self, name: str, parameters: list[str]) -> None:
        self.name, self.parameters = name, parameters
        self.found = 0
        self.is_in_loop = False

    def visit_Return(self, node: ast.Return) -> Any:
        value = node.value
        if isinstance(value, ast.IfExp):
            arms = [ast.copy_location(ast.Return(arm), arm) for arm in (value.body, value.orelse)]
            body, orelse = (self._statements(self.visit(arm)) for arm in arms)
            return ast.copy_location(ast.If(value.test, body, orelse), node)
        if not (isinstance(value, ast.Call) and _calls(value, self.name)):
            return node
        given = dict(zip(self.parameters, value.args, strict=False))
        given |= {str(keyword.arg): keyword.value for keyword in value.keywords}
        if set(given) != set(self.parameters) or any(
            isinstance(v, ast.Starred) for v in value.args
        ):
            return node
        self.found += 1
        names: list[Any] = [ast.Name(name, ast.Store()) for name in given]
        target: Any = ast.Tuple(names, ast.Store()) if len(names) != 1 else names[0]
        made: Any = (
            ast.Tuple(list(given.values()), ast.Load()) if len(names) != 1 else value.args[0]
        )
        for each in (target, *names, made):
            ast.copy_location(each, value)
        assign = ast.copy_location(ast.Assign([target], made), node)
        return [assign, ast.copy_location(ast.Continue(), node)]

    def _statements(self, made: Any) -> list[Any]:
        return made if isinstance(made, list) else [made]

    def _loop(self, node: Any) -> Any:
        before = self.found
        made = self.generic_visit(node)
        # `continue` would continue this inner loop.
        self.is_in_loop |= self.found != before
        return made

    def visit_For(self, node: ast.For) -> Any:
        return self._loop(node)

    def visit_While(self, node: ast.While) -> Any:
        return self._loop(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node
