"""Sites of Python: conditions that are negated, comparisons that change, operands and statements that are dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sites import ACTIVE, Site, one_line

_OTHER = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
#: Statements that may be left out: what they bind is bound anyway.
_STATEMENTS = (ast.Expr, ast.AugAssign, ast.Raise, ast.Break, ast.Continue, ast.Delete, ast.Assert)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


class _File:
    def __init__(self, name: str, text: str) -> None:
        self._name, self._text = name, text
        starts = [0]
        for line in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self._lines, self._starts = text.splitlines(), starts

    def sites(self) -> Iterator[Site]:
        tree = ast.parse(self._text)
        # Python before 3.12 does not know where expressions in f-strings are.
        hidden = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr)
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if id(node) in hidden or _is_for_types(node):
                continue
            yield from self._expressions(node)
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if isinstance(block, list):
                    yield from self._statements(node, block)

    def _offset(self, line: int, column: int) -> int:
        """Where a position of the tree, which counts bytes, is in the text."""
        before = self._lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(before)

    def _site(self, node: ast.expr | ast.stmt, before: str, after: str, change: str) -> Site:
        assert node.end_lineno and node.end_col_offset is not None
        start = self._offset(node.lineno, node.col_offset)
        end = self._offset(node.end_lineno, node.end_col_offset)
        return Site(self._name, node.lineno, node.end_lineno, start, end, before, after, change)

    def _expressions(self, node: ast.AST) -> Iterator[Site]:
        tests = [getattr(node, "test", None), *getattr(node, "ifs", ())]
        for test in tests:
            if isinstance(test, ast.expr):
                shown = one_line(ast.unparse(test))
                yield self._site(test, f"({ACTIVE} != bool(", "))", f"negate `{shown}`")
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            other = ast.Compare(node.left, [_OTHER[type(node.ops[0])]()], node.comparators)
            yield self._instead(node, other)
        if isinstance(node, ast.BoolOp):
            for i in range(len(node.values)):
                left = [*node.values[:i], *node.values[i + 1 :]]
                yield self._instead(node, left[0] if len(left) == 1 else ast.BoolOp(node.op, left))
        if isinstance(node, ast.Return) and isinstance(node.value, ast.UnaryOp):
            if isinstance(node.value.op, ast.Not):
                yield self._instead(node.value, node.value.operand)

    def _instead(self, node: ast.expr, other: ast.expr) -> Site:
        text = ast.unparse(other)
        change = f"`{one_line(text)}` for `{one_line(ast.unparse(node))}`"
        return self._site(node, f"(({text}) if {ACTIVE} else (", "))", change)

    def _statements(self, owner: ast.AST, block: list[ast.stmt]) -> Iterator[Site]:
        for i, statement in enumerate(block):
            if not self._may_be_dropped(owner, statement, is_last=i == len(block) - 1):
                continue
            shown = one_line(ast.unparse(statement))
            yield self._site(statement, f"if not {ACTIVE}: ", "", f"drop `{shown}`")

    def _may_be_dropped(self, owner: ast.AST, statement: ast.stmt, is_last: bool) -> bool:
        if isinstance(owner, (ast.Module, ast.ClassDef)):
            return False
        if isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Call):
            return False
        if isinstance(statement, ast.Assign):
            return all(
                isinstance(each, (ast.Attribute, ast.Subscript)) for each in statement.targets
            )
        # The last statement of a function only says what it returns.
        if isinstance(statement, ast.Return):
            return not (is_last and isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)))
        return isinstance(statement, _STATEMENTS)


def sites(name: str, text: str) -> list[Site]:
    """All sites of a Python source."""
    return list(_File(name, text).sites())
