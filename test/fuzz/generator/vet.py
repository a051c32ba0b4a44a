"""Runs programs plain: whether they are ordinary programs, and which line is to blame if not."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from generator.running import PATH, Excess, load, watched

#: What an ordinary program may raise for some of its arguments.
RAISED = (
    IndexError, ZeroDivisionError, AssertionError, ValueError, UnboundLocalError, KeyError,
)  # fmt: skip
REPAIRS = 25
#: Of programs that raise for an argument, which share may.
RAISERS = 0.4


def blame(
    namespace: dict[str, Any], case: Callable[[], tuple[Any, ...]]
) -> tuple[BaseException, int] | None:
    """What a program raises, and the last of its own lines in the traceback."""
    arguments = case()
    arrays = {k: v.copy() for k, v in namespace.items() if isinstance(v, np.ndarray)}
    try:
        watched(lambda: namespace["f"](*arguments))
        # np.add.at stores to arrays that are read-only.
        if not all(np.array_equal(namespace[k], v) for k, v in arrays.items()):
            raise Excess
    except Exception as error:
        line, traceback = 0, error.__traceback__
        while traceback:
            if traceback.tb_frame.f_code.co_filename == PATH:
                line = traceback.tb_lineno
            traceback = traceback.tb_next
        return error, line
    return None


def is_ordinary(text: str) -> bool:
    """Whether a program ends in all cases, with a result or with what programs may raise."""
    try:
        namespace = load(text)
        found = [blame(namespace, case) for case in namespace["CASES"]]
    except Exception:
        return False
    return all(b is None or isinstance(b[0], RAISED) for b in found)


def without(tree: ast.Module, line: int) -> bool:
    """Removes the innermost statement of a line from its block; says whether there was one."""
    best: tuple[int, list[ast.stmt], int] | None = None
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            for i, statement in enumerate(block):
                if (
                    isinstance(statement, ast.stmt)
                    and statement.lineno <= line <= statement.end_lineno
                ):
                    size = statement.end_lineno - statement.lineno
                    if best is None or size <= best[0]:
                        best = size, block, i
    if best is None or isinstance(best[1][best[2]], (ast.FunctionDef, ast.ClassDef, ast.Return)):
        return False
    best[1][best[2] : best[2] + 1] = [] if len(best[1]) > 1 else [ast.Pass()]
    return True


def vetted(text: str, rng: random.Random, may_raise: bool = True) -> str | None:
    """The program, without the statements that are in its way; None if it stays no program."""
    raiser = may_raise and rng.random() < RAISERS
    for _ in range(REPAIRS):
        tree = ast.parse(text)
        text = ast.unparse(tree)
        tree = ast.parse(text)
        try:
            namespace = load(text)
        except Exception:
            return None
        found = [b for b in (blame(namespace, case) for case in namespace["CASES"]) if b]
        bad = [b for b in found if not (raiser and isinstance(b[0], RAISED))]
        if not bad:
            return text
        error, line = bad[0]
        if isinstance(error, Excess) or not without(tree, line):
            return None
        text = ast.unparse(ast.fix_missing_locations(tree))
    return None
