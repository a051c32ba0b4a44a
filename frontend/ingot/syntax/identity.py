"""Equality of the items of containers: as in Python, an object equals itself, NaN too."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.dimensions import Dimension
from ingot.dtypes import STATIC_NUMBERS
from ingot.syntax.values import (
    GIVEN,
    MADE,
    Array,
    Instance,
    Scalar,
    is_number,
    kinds_of,
    same_object,
)

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

_INEXACT = (float, complex, np.inexact)
_UNKNOWN = (
    "whether two NaN are one object decides this comparison of items, and is not known in compiled "
    "code; test for NaN before"
)


def equal(ev: Any, a: Any, b: Any) -> Any:
    """`a is b or a == b` as a condition.

    Which number is which object is known for those that operations make. Of others, such as
    arguments and what loops carry, it matters for NaN only, where a check raises.
    """
    if same_object(a, b):
        return True
    if is_number(a) and is_number(b):
        return _equal_numbers(ev, a, b)
    if isinstance(a, (Array, Instance)) and isinstance(b, type(a)) and b.cell in a.cell.maybe:
        return _equal_aliases(ev, a, b)
    return _compared(ev, a, b)


def _compared(ev: Evaluator, a: Any, b: Any) -> Any:
    return ev.truth(ev.compare(ast.Eq(), a, b))


def _equal_numbers(ev: Evaluator, a: Any, b: Any) -> Any:
    found = _compared(ev, a, b)
    if not _may_be_one(a, b):
        return found
    has_value: Any = False
    for each in (a, b):
        is_nan = ev.truth(ev.compare(ast.NotEq(), each, each))
        has_value = ev.either(has_value, ev.negate(is_nan))
    ev.limit(has_value, _UNKNOWN)
    return found


def _may_be_one(a: Any, b: Any) -> bool:
    """Whether two numbers may be one object that is not equal to itself."""
    if isinstance(a, STATIC_NUMBERS) and isinstance(b, STATIC_NUMBERS):
        return False
    if not any(issubclass(kind, _INEXACT) for kind in classes_of(a) & classes_of(b)):
        return False
    numbers = [each for each in (a, b) if isinstance(each, Scalar)]
    if len(numbers) < 2:
        (static,) = (each for each in (a, b) if not isinstance(each, Scalar))
        return bool(static != static) and numbers[0].origin != MADE
    least, most = sorted(each.origin for each in numbers)
    return (least, most) not in ((MADE, MADE), (MADE, GIVEN))


def classes_of(value: Any) -> set[type]:
    """The classes that a value may have, if it is a number."""
    if isinstance(value, Scalar):
        return {kind.type if isinstance(kind, np.dtype) else kind for kind in kinds_of(value)}
    if isinstance(value, Dimension):
        return {int}
    return {type(value)} if isinstance(value, STATIC_NUMBERS) else set()


def _equal_aliases(ev: Evaluator, a: Any, b: Any) -> Any:
    """As `equal`, of arrays or instances that may be one object."""
    if isinstance(a, Instance) and ev.special(a, "__eq__") is None:
        return _compared(ev, a, b)
    return ev.choose(ev.is_same(a, b), lambda: True, lambda: _compared(ev, a, b))
