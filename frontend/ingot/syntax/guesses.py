"""The first guess of a loop's carried values, from the syntax of its body."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from ingot.syntax.carried import CARRIED
from ingot.syntax.exchanges import exchangeable
from ingot.syntax.heap import Heap
from ingot.syntax.memos import Memo
from ingot.syntax.scopes import nodes_below
from ingot.syntax.types import ArrayType, type_of
from ingot.syntax.values import Array, Reference


@dataclass
class Targets:
    """The names that a loop's body assigns, by its syntax.

    Attributes:
        rebound: the targets of `=` and the like.
        augmented: the targets of `+=` and the like.
        stored: the names to whose elements or attributes values are stored.
        renamed: the names that are assigned another name, as in `a = b`.
    """

    rebound: set[str]
    augmented: set[str]
    stored: set[str]
    renamed: set[str]


def predict(memo: Memo, state: Heap, targets: Targets) -> None:
    """Fill in the first guess of a loop from the targets of its body."""
    frame = state.frame
    for name in sorted(targets.rebound | targets.augmented):
        value = frame.names.get(name)
        is_array = isinstance(value, Array)
        if is_array and name not in targets.rebound:
            continue
        if name not in memo.types and name not in memo.kept and isinstance(value, CARRIED):
            memo.types[name] = type_of(value, runtime=True)
    memo.exchanged = exchangeable(state, targets.renamed) if memo.exchanges else ()
    objects = (Array, Reference)
    for name in targets.renamed.difference(memo.exchanged):
        memo.chooses |= isinstance(frame.names.get(name), objects)
    for name in sorted(targets.augmented | targets.stored):
        if isinstance(frame.names.get(name), Array) and name not in memo.exchanged:
            memo.types.setdefault(
                (frame.path, name),
                ArrayType(frame.names[name].storage.shape, frame.names[name].dtype),
            )


def target_name(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else ""


def targets_of(node: Any) -> Targets:
    found = Targets(set(), set(), set(), set())
    augmented: set[int] = set()
    for each in (each for statement in node.body for each in (statement, *nodes_below(statement))):
        if isinstance(each, ast.Name):
            if type(each.ctx) is ast.Store and id(each) not in augmented:
                found.rebound.add(each.id)
        elif isinstance(each, ast.Subscript):
            if type(each.ctx) is ast.Store:
                found.stored.add(_base_name(each))
        elif isinstance(each, ast.Assign):
            found.renamed |= _renamed(each)
        elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            found.augmented.add(each.target.id)
            augmented.add(id(each.target))
    return found


def _renamed(node: ast.Assign) -> set[str]:
    """The targets that are assigned another name: those of `a, b = b, a` or `a = b`."""
    found = set()
    for target in node.targets:
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=False))
        found |= {target_name(t) for t, v in pairs if isinstance(v, ast.Name)}
    return found - {""}


def _base_name(node: Any) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return target_name(node)
