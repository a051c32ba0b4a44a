"""Makes failing programs smaller: removes statements, opens blocks, simplifies expressions.

Works on Python's own tree of the program, so it knows nothing of how programs are written.
"""

from __future__ import annotations

import ast
import itertools
import time
import warnings
from collections.abc import Callable, Iterator

#: What must stay: a program has these.
ROOTS = ("f", "CASES")
SECONDS = 90.0

Edit = Callable[[], None]


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def bound(statement: ast.stmt) -> str:
    """The name that a definition or assignment binds."""
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return getattr(statement, "name", "")


def removals(tree: ast.Module) -> Iterator[Edit]:
    """Statements left out, longest runs first."""
    for size in (8, 4, 2, 1):
        for block in blocks(tree):
            for start in range(len(block) - size, -1, -1):
                run = block[start : start + size]
                if any(bound(s) in ROOTS or isinstance(s, ast.Pass) for s in run):
                    continue
                left = block[:start] + block[start + size :]
                yield lambda b=block, left=left: b.__setitem__(slice(None), left or [ast.Pass()])


def openings(tree: ast.Module) -> Iterator[Edit]:
    """Compound statements replaced by one of their blocks, and left without their else."""
    for block in blocks(tree):
        for i, statement in enumerate(block):
            if not isinstance(statement, (ast.If, ast.For, ast.While)):
                continue
            for inner in (statement.body, statement.orelse):
                if inner:
                    yield lambda b=block, i=i, inner=inner: b.__setitem__(slice(i, i + 1), inner)
            if statement.orelse:
                yield lambda s=statement: setattr(s, "orelse", [])


def simpler(node: ast.expr) -> Iterator[ast.expr]:
    """Expressions that may stand for an expression: constants, and its own parts."""
    if isinstance(node, (ast.Constant, ast.Name)):
        return
    yield ast.Constant(1)
    yield ast.Constant(True)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not isinstance(child, ast.Starred):
            yield child


def simplifications(tree: ast.Module) -> Iterator[Edit]:
    """Expressions replaced by simpler ones, items left out."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.expr) and isinstance(
                getattr(value, "ctx", ast.Load()), ast.Load
            ):
                for new in simpler(value):
                    yield lambda p=parent, f=field, n=new: setattr(p, f, n)
            elif isinstance(value, list) and value and isinstance(value[0], ast.expr):
                yield from _items(parent, value)


def _items(parent: ast.AST, items: list[ast.expr]) -> Iterator[Edit]:
    for i, item in enumerate(items):
        if isinstance(parent, (ast.Tuple, ast.List, ast.BoolOp, ast.Call)) and len(items) > 1:
            yield lambda i=i: items.__delitem__(i)
        if isinstance(getattr(item, "ctx", ast.Load()), ast.Load):
            for new in simpler(item):
                yield lambda i=i, n=new: items.__setitem__(i, n)


def parameters(tree: ast.Module) -> Iterator[Edit]:
    """Parameters of `f` left out, with their arguments."""
    roots = {bound(s): s for s in tree.body}
    calls = [n for n in ast.walk(roots["CASES"]) if isinstance(n, ast.Lambda)]
    names = roots["f"].args.args
    for i in range(len(names) - 1, -1, -1):
        if len(names) > 1 and all(isinstance(c.body, ast.Tuple) for c in calls):
            yield lambda i=i: [x.__delitem__(i) for x in (names, *(c.body.elts for c in calls))]  # type: ignore[attr-defined]


STEPS = [removals, openings, parameters, simplifications]


def edited(text: str, step: Callable[[ast.Module], Iterator[Edit]], i: int) -> str | None:
    """The program after an edit of a step; empty if it is none, None if there are no more edits."""
    tree = ast.parse(text)
    edit = next(itertools.islice(step(tree), i, None), None)
    if edit is None:
        return None
    edit()
    try:
        new = ast.unparse(ast.fix_missing_locations(tree))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(new, "candidate", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return new if len(new) < len(text) else ""


def shrunk(text: str, fails: Callable[[str], bool], seconds: float = SECONDS) -> str:
    """The smallest program found that still fails.

    Args:
        text: a program that fails.
        fails: whether a program fails in the same way.
        seconds: for how long to search.
    """
    end = time.monotonic() + seconds
    text, before = ast.unparse(ast.parse(text)), ""
    while text != before:
        before = text
        for step in STEPS:
            i = 0
            while (new := edited(text, step, i)) is not None:
                if time.monotonic() > end:
                    return text
                if new and fails(new):
                    text = new
                else:
                    i += 1
    return text
