"""What a condition says about integers: `0 <= i < len(a)` bounds `i` where it holds.

A comparison says it if the other side is the same number still: what the condition reads can't have
changed it, and evaluating it once more has no effect.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ingot.dimensions import Dimension
from ingot.dtypes import INT
from ingot.syntax import intervals
from ingot.syntax.dynamic import Grown
from ingot.syntax.ops import Bounds, bounds_of
from ingot.syntax.scopes import nodes_below
from ingot.syntax.values import Array, List, Range, Scalar
from ingot_runtime.errors import CompileError

#: The comparison that holds with the sides exchanged, and the one that holds where one does not.
MIRRORED: dict[type, type] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_OPPOSITE: dict[type, type] = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}

#: Nodes that have no effect where no operand is an instance of a class.
_NODES = (
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Subscript,
    ast.Tuple, ast.Slice, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip
_FUNCTIONS = (len, int, float, bool, abs, min, max)
_ATTRIBUTES = ("shape", "size", "ndim", "T")
_PLAIN = (Scalar, Array, Range, Dimension, bool, int, float, complex, str, np.number, np.bool_)


def comparisons(test: ast.expr, outcome: bool) -> Iterator[tuple[ast.expr, type, ast.expr]]:
    """The comparisons by order that hold where a condition has this outcome, from both sides."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from comparisons(test.operand, not outcome)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is outcome:
        for each in test.values:
            yield from comparisons(each, outcome)
    if not isinstance(test, ast.Compare) or not (outcome or len(test.ops) == 1):
        return
    sides = [test.left, *test.comparators]
    for left, op, right in zip(sides, test.ops, sides[1:], strict=False):
        if type(op) in MIRRORED:
            how = type(op) if outcome else _OPPOSITE[type(op)]
            yield left, how, right
            yield right, MIRRORED[how], left


@contextlib.contextmanager
def narrowed(ev: Any, tests: list[ast.expr], outcome: bool) -> Iterator[None]:
    """Bounds integers by the conditions that have this outcome; they are the same numbers after."""
    before: dict[str, Scalar] = {}
    made: dict[str, Scalar] = {}
    for test in tests:
        for name, bounds in _bounds_by(ev, test, outcome):
            old = ev.frame.names[name]
            before.setdefault(name, old)
            made[name] = intervals.note(replace(old), intervals.both(bounds_of(old), bounds))
            ev.frame.names[name] = made[name]
    yield
    for name, value in made.items():
        if ev.frame.names.get(name) is value:
            ev.frame.names[name] = before[name]


def _bounds_by(ev: Any, test: ast.expr, outcome: bool) -> Iterator[tuple[str, Bounds]]:
    """The integers that a condition with this outcome bounds, with their bounds."""
    if any(isinstance(each, ast.NamedExpr) for each in (test, *nodes_below(test))):
        return
    for left, op, right in comparisons(test, outcome):
        value = ev.frame.names.get(left.id) if isinstance(left, ast.Name) else None
        if not (type(value) is Scalar and value.dtype == INT):
            continue
        low, high = _limit(ev, right, test)
        if op in (ast.Lt, ast.LtE) and high is not None:
            yield left.id, (None, high - (op is ast.Lt))  # type: ignore[attr-defined]
        elif op in (ast.Gt, ast.GtE) and low is not None:
            yield left.id, (low + (op is ast.Gt), None)  # type: ignore[attr-defined]


def _limit(ev: Any, node: ast.expr, test: ast.expr) -> Bounds:
    """The bounds of an integer that is what it was when the condition compared with it."""
    of_list = False
    if isinstance(node, ast.Name):
        is_kept = node.id in ev.frame.names
    elif isinstance(node, ast.Call):
        owner = node.args[0] if is_length(ev, node) else None
        value = value_of(ev, owner) if isinstance(owner, ast.Name) else None
        of_list = isinstance(value, List)
        is_kept = of_list or isinstance(value, (Array, Range, tuple, str))
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        owner = node.value.value if isinstance(node.value, ast.Attribute) else None
        is_shape = isinstance(owner, ast.Name) and node.value.attr == "shape"  # type: ignore[attr-defined]
        is_kept = is_shape and isinstance(value_of(ev, owner), Array)
    else:
        is_kept = isinstance(node, (ast.Constant, ast.UnaryOp)) and is_plain(ev, node)
    if not is_kept or (of_list and not is_plain(ev, test)):
        return intervals.UNKNOWN
    value = value_of(ev, node)
    is_int = type(value) in (int, Dimension) or (type(value) is Scalar and value.dtype == INT)
    return bounds_of(value) if is_int else intervals.UNKNOWN


def is_plain(ev: Any, root: ast.expr) -> bool:
    """Whether an expression reads numbers, arrays and sequences of them, and changes nothing."""
    nodes = [root, *nodes_below(root)]
    called = [each.func for each in nodes if isinstance(each, ast.Call)]
    return all(map(_is_plain_node, nodes)) and all(
        _is_builtin(ev, each) if each in called else _is_plain_value(ev, value_of(ev, each))
        for each in nodes
        if isinstance(each, ast.Name)
    )


def _is_plain_node(node: Any) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _ATTRIBUTES
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and not node.keywords
    return isinstance(node, _NODES)


def is_length(ev: Any, node: ast.expr) -> bool:
    """Whether an expression is `len(...)`."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return is_call and len(node.args) == 1 and value_of(ev, node.func) is len  # type: ignore[attr-defined]


def _is_builtin(ev: Any, name: ast.expr) -> bool:
    found = value_of(ev, name)
    return any(found is each for each in _FUNCTIONS)


def value_of(ev: Any, node: Any) -> Any:
    """What an expression gives; None if it is refused."""
    try:
        return ev.without_effect(lambda: ev.expr(node))
    except CompileError:
        return None


def _is_plain_value(ev: Any, value: Any) -> bool:
    if isinstance(value, List):
        value = ev.contents(value)
        if isinstance(value, Grown):
            return True
    if type(value) is tuple:
        return all(isinstance(each, _PLAIN) for each in value)
    return isinstance(value, _PLAIN)
