"""Objects from outside whose operators are a user's code, which reads what no guard sees."""

from __future__ import annotations

import enum
import sys
import types
from typing import Any

from ingot_runtime.trees import HEAP_TYPE, LIBRARIES

_WITHOUT_CODE = (tuple, enum.Enum, BaseException)


def runs_code(value: Any) -> bool:
    """Whether operations on a static value run a user's code."""
    kind = type(value)
    if not kind.__flags__ & HEAP_TYPE or isinstance(value, _WITHOUT_CODE):
        return False
    if isinstance(value, type):
        return any(map(_has_operators, kind.__mro__))
    return _is_users(kind)


def compares_by_code(value: Any) -> bool:
    """Whether a user's code says which objects are equal to a static value."""
    kind = type(value)
    own = (kind.__eq__, kind.__hash__)
    return runs_code(value) and own not in (_OF_OBJECTS, _OF_CLASSES)


_OF_OBJECTS = (object.__eq__, object.__hash__)
_OF_CLASSES = (type.__eq__, type.__hash__)


def _is_users(kind: type) -> bool:
    home = kind.__module__.partition(".")[0]
    return home not in LIBRARIES and home not in sys.stdlib_module_names


def _has_operators(meta: type) -> bool:
    """Whether a user's metaclass has special methods, besides those that make and call classes."""
    names = {name for name, found in vars(meta).items() if isinstance(found, types.FunctionType)}
    special = {name for name in names if name.startswith("__") and name.endswith("__")}
    return _is_users(meta) and not special <= {"__new__", "__init__", "__call__", "__prepare__"}
