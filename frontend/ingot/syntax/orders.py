"""Comparisons by order of values that have none."""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from ingot.syntax.state import State
from ingot.syntax.values import class_name

_SYMBOLS: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def refuse(ev: State, op: type, left: Any, right: Any) -> NoReturn:
    """Fail as Python does where neither of two values is before the other."""
    names = f"'{class_name(left)}' and '{class_name(right)}'"
    ev.fail_as(TypeError, f"'{_SYMBOLS[op]}' not supported between instances of {names}")
