"""Comparisons by order of values that have none."""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from ingot.syntax import examples
from ingot.syntax.state import State
from ingot.syntax.values import class_name

_SYMBOLS: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_NAMES: dict[type, str] = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}


def refuse(ev: State, op: type, left: Any, right: Any) -> NoReturn:
    """Fail as Python does where neither of two values is before the other."""
    names = f"'{class_name(left)}' and '{class_name(right)}'"
    message = examples.operator_error(_NAMES[op], left, right)
    ev.fail_as(TypeError, message or f"'{_SYMBOLS[op]}' not supported between instances of {names}")
