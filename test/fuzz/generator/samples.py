"""Kinds, signatures and sizes of the values of programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SCALARS = (int, float, bool, np.generic)
LARGEST = 1e5
MOST_ELEMENTS = 2500


def is_number(v: Any) -> bool:
    return type(v) in (int, float) or (isinstance(v, np.number) and not isinstance(v, complex))


def is_instance(v: Any) -> bool:
    return hasattr(v, "__dict__") and not callable(v) and not isinstance(v, type(np))


def _items(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda v: type(v) is list and bool(v) and all(map(check, v))


#: Predicates of sample values, by the names that templates use.
KINDS: dict[str, Callable[[Any], bool]] = {
    "int": lambda v: type(v) is int,
    "float": lambda v: type(v) is float,
    "bool": lambda v: type(v) is bool,
    "num": is_number,
    "scalar": lambda v: isinstance(v, SCALARS),
    "arr": lambda v: isinstance(v, np.ndarray) and v.ndim > 0 and v.size > 0,
    "real": lambda v: isinstance(v, np.ndarray) and v.ndim > 0 and v.dtype.kind in "if",
    "vec": lambda v: isinstance(v, np.ndarray) and v.ndim == 1 and v.size > 0,
    "mat": lambda v: isinstance(v, np.ndarray) and v.ndim == 2 and v.size > 0,
    "floats": lambda v: isinstance(v, np.ndarray) and v.ndim > 0 and v.dtype.kind == "f",
    "intvec": lambda v: isinstance(v, np.ndarray) and v.ndim == 1 and v.dtype.kind == "i",
    "list": lambda v: type(v) is list,
    "some": lambda v: type(v) is list and bool(v),
    "numbers": _items(is_number),
    "integers": _items(lambda v: type(v) is int),
    "arrays": _items(lambda v: isinstance(v, np.ndarray)),
    "lists": _items(lambda v: type(v) is list),
    "dict": lambda v: type(v) is dict and bool(v),
    "numdict": lambda v: type(v) is dict and bool(v) and all(map(is_number, v.values())),
    "tuple": lambda v: type(v) is tuple and bool(v),
    "set": lambda v: type(v) is set,
    "object": is_instance,
    "any": lambda v: not callable(v),
}


def signature(value: Any) -> Any:
    """What of a value must not depend on the path taken: types, dtypes, shapes, keys."""
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.shape
    if type(value) is list:
        return "list", tuple({repr(signature(v)): signature(v) for v in value}.values())[:1]
    if type(value) is tuple:
        return "tuple", *map(signature, value)
    if type(value) is dict:
        return "dict", *((k, signature(v)) for k, v in value.items())
    if is_instance(value):
        return type(value).__name__, signature(vars(value))
    return type(value).__name__


def is_small(value: Any, depth: int = 4) -> bool:
    """Whether no number in a value comes near the limits of its type, and no list holds itself."""
    if isinstance(value, np.ndarray):
        return (
            value.size <= MOST_ELEMENTS
            and value.ndim <= 3
            and bool(np.all(np.abs(value) < LARGEST))
        )
    if isinstance(value, SCALARS):
        return bool(abs(value) < LARGEST)
    if depth == 0:
        return False
    if isinstance(value, (list, tuple, set)):
        return len(value) <= 24 and all(is_small(v, depth - 1) for v in value)
    if type(value) is dict:
        return len(value) <= 8 and all(is_small(v, depth - 1) for v in value.values())
    return not is_instance(value) or is_small(vars(value), depth - 1)
