"""Static objects: which of them never change, so that what is computed with them holds for good.

All others have code of a user's, or state that no guard sees: a proxy, an iterator, an object with
the values of each thread. What is computed with such an object is refused.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import inspect
import operator
import re
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ingot_runtime.trees import HEAP_TYPE, LIBRARIES

#: The types of objects that never change, and hold only such objects.
_CONSTANTS = frozenset([
    bool, int, float, complex, str, bytes, range, types.NoneType, types.EllipsisType,
    types.NotImplementedType, types.GenericAlias, types.UnionType, types.CodeType, re.Pattern,
    re.Match, inspect.Signature, inspect.Parameter, np.ufunc, datetime.date, datetime.timedelta,
    datetime.timezone,
])  # fmt: skip
#: The types of objects that are equal to nothing else, and true.
_BY_IDENTITY = frozenset([
    types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType,
    types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType,
    types.MethodWrapperType, type(np.sum),
])  # fmt: skip
#: Objects of NumPy that make something of what stands in brackets.
_OF_BRACKETS = frozenset(map(type, (np.s_, np.index_exp, np.mgrid, np.ogrid, np.r_, np.c_)))
#: The functions whose results for decimals do not depend on the context of the thread.
_OF_DECIMALS: tuple[Callable[..., Any], ...] = (
    float, int, bool, str, repr, hash, operator.eq, operator.ne, operator.lt, operator.le,
    operator.gt, operator.ge,
)  # fmt: skip
#: The functions that do not look at where objects lie in memory.
_WITHOUT_ADDRESSES: tuple[Callable[..., Any], ...] = (
    bool, len, callable, operator.eq, operator.ne, operator.contains,
)  # fmt: skip


def may_change(value: Any, function: Callable[..., Any] | None = None) -> bool:
    """Whether what a function, or any operation, computes with a static value may change unseen."""
    kind = type(value)
    if kind in _CONSTANTS or kind in _BY_IDENTITY:
        return False
    if isinstance(value, type):
        return bool(kind.__flags__ & HEAP_TYPE) and any(map(_has_operators, kind.__mro__))
    if isinstance(value, (np.generic, np.dtype, np.finfo, np.iinfo)):
        # A structured number is a view of the array that it was taken from.
        return isinstance(value, np.void) or _is_users(kind)
    if isinstance(value, (tuple, frozenset, collections.deque)):
        return function not in (len, bool) and any(may_change(each, function) for each in value)
    if kind is slice:
        return any(may_change(each) for each in (value.start, value.stop, value.step))
    if kind in (datetime.time, datetime.datetime):
        return value.tzinfo is not None and type(value.tzinfo) is not datetime.timezone
    if kind is decimal.Decimal:
        return function is not None and function not in _OF_DECIMALS
    if isinstance(value, enum.Enum):
        return any(_is_users(each) and _operators(each) for each in kind.__mro__)
    return kind not in _OF_BRACKETS and kind.__module__.partition(".")[0] not in _OWN


def is_constant(value: Any) -> bool:
    """Whether neither a static value nor its attributes ever change."""
    return type(value) not in _BY_IDENTITY and not may_change(value, str)


def is_same_everywhere(value: Any, function: Callable[..., Any] | None = None) -> bool:
    """Whether a function computes the same with a static value in each process.

    The texts and hashes of functions depend on where they lie, and so do the hashes of classes and
    of NaNs; the hashes of texts have a seed.
    """
    if function is hash:
        return isinstance(value, (int, float, complex, np.number)) and not is_nan(value)
    kind = type(value)
    if kind in _BY_IDENTITY or (isinstance(value, type) and _is_users(value)):
        return function in _WITHOUT_ADDRESSES
    return True


def is_nan(value: Any) -> bool:
    return isinstance(value, (float, complex, np.inexact)) and bool(value != value)


def has_same_order_everywhere(values: Iterable[Any]) -> bool:
    """Whether a set of these values has the same order in each process."""
    return all(
        has_same_order_everywhere(each)
        if isinstance(each, tuple)
        else is_same_everywhere(each, hash)
        for each in values
    )


def compares_by_code(value: Any) -> bool:
    """Whether a user's code says which objects are equal to a static value."""
    kind = type(value)
    own = (kind.__eq__, kind.__hash__)
    return _is_users(kind) and own not in (_OF_OBJECTS, _OF_CLASSES, _OF_ENUMS)


#: The packages whose objects behave as this one, and the arrays of JAX, which never change.
_OWN = ("ingot", "ingot_runtime", "jax", "jaxlib", "ml_dtypes")
_OF_OBJECTS = (object.__eq__, object.__hash__)
_OF_CLASSES = (type.__eq__, type.__hash__)
_OF_ENUMS = (enum.Enum.__eq__, enum.Enum.__hash__)
#: Special methods that make and call classes, and that say how objects are shown.
_NO_OPERATORS = frozenset(
    f"__{name}__"
    for name in (
        "new", "init", "call", "prepare", "init_subclass", "class_getitem", "str", "repr", "format",
        "generate_next_value", "getnewargs", "reduce", "reduce_ex", "dir", "doc", "module",
    )
)  # fmt: skip


def _is_users(kind: type) -> bool:
    home = kind.__module__.partition(".")[0]
    is_python = bool(kind.__flags__ & HEAP_TYPE)
    return is_python and home not in LIBRARIES and home not in sys.stdlib_module_names


def _operators(kind: type) -> set[str]:
    """The special methods that a class defines in Python, and that operators call."""
    # Each class of flags has Flag's own methods in it.
    names = {
        name
        for name, found in vars(kind).items()
        if isinstance(found, types.FunctionType) and found.__module__ != "enum"
    }
    return {n for n in names if n.startswith("__") and n.endswith("__")} - _NO_OPERATORS


def _has_operators(meta: type) -> bool:
    """Whether it is a user's metaclass that has special methods of operators."""
    return _is_users(meta) and bool(_operators(meta))
