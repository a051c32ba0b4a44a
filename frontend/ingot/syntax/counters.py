"""Upper bounds of the trip counts of `while` loops, which say how long lists get.

A loop with a counter has one: a name that each iteration moves towards a limit in its condition, as
in `while i < len(values) and values[i] < most`. The counter's bounds before the loop and the
limit's bounds in an iteration give the bound, whatever else ends the loop.
"""

from __future__ import annotations

import ast
import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot.dimensions import depends
from ingot.dtypes import INT
from ingot.syntax import intervals
from ingot.syntax.narrowing import comparisons, is_plain, value_of
from ingot.syntax.ops import bounds_of
from ingot.syntax.scopes import has_jump, nodes_below
from ingot.syntax.values import Scalar

#: A list gets room for all iterations: from this many on, its bound must be declared.
MOST_TRIPS = 2**20

#: What may be a limit: evaluating it once more has no effect and raises nothing.
_LIMITS = (ast.Name, ast.Constant, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.USub, ast.expr_context)


@dataclass(frozen=True)
class Counter:
    """A name that each iteration moves towards a limit.

    Attributes:
        name: the counter.
        step: by how much an iteration moves it at least; negative if downward.
        limit: the other side of the comparison.
        reaches: whether the loop goes on with the counter at the limit.
    """

    name: str
    step: int
    limit: ast.expr
    reaches: bool


def most_trips(ev: Any, node: ast.While, before: dict[Any, Any], *, changes: bool) -> int | None:
    """An upper bound of a loop's trip count; None if there is none, or none that a list can have.

    Args:
        ev: the evaluator, at the start of an iteration, where the condition holds.
        node: the loop.
        before: the values of names before the loop.
        changes: whether the condition may have changed something, so that what it compared with
            is no more.
    """
    if changes and not is_plain(ev, node.test):
        return None
    found = [_trips(ev, each, before) for each in _counters_of(node)]
    return min((each for each in found if each is not None and each <= MOST_TRIPS), default=None)


def _trips(ev: Any, counter: Counter, before: dict[Any, Any]) -> int | None:
    if counter.name in ev.frame.shared:
        return None
    upward = counter.step > 0
    start = _bound(before.get(counter.name), high=not upward)
    limit = _limit_of(ev, counter.limit, high=upward)
    if start is None or limit is None:
        return None
    distance = limit - start if upward else start - limit
    step = abs(counter.step)
    count = math.floor(distance / step) + 1 if counter.reaches else math.ceil(distance / step)
    return max(count, 0)


def _bound(value: Any, *, high: bool) -> int | None:
    """A bound of an int that does not wrap around."""
    is_int = type(value) is int or (isinstance(value, Scalar) and value.weak is int)
    if not is_int or depends(value):
        return None
    found = bounds_of(value)[high]
    return None if found is None or depends(found) else found


def _limit_of(ev: Any, node: ast.expr, *, high: bool) -> float | None:
    """A bound of what a counter is compared with."""
    value = value_of(ev, node)
    if type(value) is float or isinstance(value, np.floating):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Scalar) and value.dtype == INT:
        return bounds_of(value)[high]
    return int(value) if isinstance(value, np.integer) else _bound(value, high=high)


@functools.lru_cache(maxsize=1024)
def _counters_of(node: ast.While) -> tuple[Counter, ...]:
    return tuple(
        Counter(left.id, step, right, op in (ast.LtE, ast.GtE))
        for left, op, right in comparisons(node.test, True)
        if isinstance(left, ast.Name) and _is_limit(right)
        for step in [_step_of(node, left.id)]
        if step * (1 if op in (ast.Lt, ast.LtE) else -1) > 0
    )


def _is_limit(node: ast.expr) -> bool:
    for each in (node, *nodes_below(node)):
        if isinstance(each, ast.Call) and not _is_length(each):
            return False
        if isinstance(each, ast.Subscript) and not _is_extent(each):
            return False
        if not isinstance(each, (*_LIMITS, *_OPERATORS)):
            return False
    return True


def _is_length(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "len" and len(call.args) == 1


def _is_extent(node: ast.Subscript) -> bool:
    """Whether this is `a.shape[0]`."""
    is_shape = isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    return is_shape and isinstance(node.slice, ast.Constant)


def note_start(node: ast.For | ast.While, name: str, before: Any, value: Any) -> None:
    """Note that a name in a loop has the bound that its value before the loop has, if all that the
    loop does to it is to move it away from that, and 64 bits can't wrap around."""
    if not (type(value) is Scalar and value.weak is int) or type(before) not in (int, Scalar):
        return
    steps = _steps_in(node, name)
    start = _bound(before, high=steps[0] < 0) if steps else None
    reach = intervals.reach_of_loop(before, sum(steps)) if start is not None else None
    if reach is not None:
        intervals.note(value, (start, None) if steps[0] > 0 else (None, start))
        value.reach = reach


def _step_of(node: ast.While, name: str) -> int:
    """By how much each iteration moves a name at least, all in one direction; else 0."""
    total = 0
    for statement in node.body if _steps_in(node, name) else ():
        if has_jump([statement], (ast.Continue,), into_loops=False):
            break
        total += _moved(name, statement)
    return total


@functools.lru_cache(maxsize=4096)
def _steps_in(node: Any, name: str) -> tuple[int, ...]:
    """The ints of one sign that a loop adds to a name; () if it does anything else to it."""
    roots = (node.target if isinstance(node, ast.For) else node.test, *node.body)
    inside = [each for root in roots for each in (root, *nodes_below(root))]
    steps = tuple(each for each in map(functools.partial(_moved, name), inside) if each)
    stores = sum(
        isinstance(each, ast.Name) and each.id == name and type(each.ctx) is not ast.Load
        for each in inside
    )
    is_bound = any(name in _bound_by(each) for each in inside)
    are_alike = len({each > 0 for each in steps}) == 1
    return steps if are_alike and stores == len(steps) and not is_bound else ()


def _moved(name: str, node: ast.AST) -> int:
    """By how much `name += 1` and the like move a name; 0 for other statements."""
    if not isinstance(node, ast.AugAssign) or not isinstance(node.op, (ast.Add, ast.Sub)):
        return 0
    is_by_int = isinstance(node.value, ast.Constant) and type(node.value.value) is int
    if not is_by_int or not isinstance(node.target, ast.Name) or node.target.id != name:
        return 0
    step: int = node.value.value  # type: ignore[attr-defined]
    return step if isinstance(node.op, ast.Add) else -step


def _bound_by(node: Any) -> tuple[str, ...]:
    """The names that a node binds without a node for the name."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return tuple((each.asname or each.name).partition(".")[0] for each in node.names)
    if isinstance(node, (ast.Nonlocal, ast.Global)):
        return tuple(node.names)
    if isinstance(node, ast.MatchMapping):
        return (node.rest or "",)
    return (getattr(node, "name", None) or "",)
