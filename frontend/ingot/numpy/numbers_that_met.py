"""Ufuncs on numbers of several kinds: what dtype they compute in, and what run time refuses."""

from __future__ import annotations

from typing import Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import FLOAT, INT, STATIC_NUMBERS, storage_dtype
from ingot.syntax.kinds import has_kind
from ingot.syntax.storing import check_fits
from ingot.syntax.values import Joined, Kinds, Scalar, Undetermined, spelled_kinds

#: Ufuncs that give of a complex number without an imaginary part what they give of its real part.
_SAME_OF_COMPLEX = frozenset(
    [
        np.add, np.subtract, np.multiply, np.negative, np.positive, np.conjugate, np.absolute,
        np.square, np.sign, np.logical_and, np.logical_or, np.logical_xor, np.logical_not,
        np.equal, np.not_equal,
    ]
)  # fmt: skip


def require_same_meaning(
    ufunc: np.ufunc, operands: list[Any], outcomes: Kinds, dtype: np.dtype
) -> None:
    """Refuse what has other values, or raises, for some of the kinds only."""
    last = operands[-1]
    is_known = isinstance(last, STATIC_NUMBERS)
    numeric = {each.kind for each in map(np.dtype, outcomes)}
    if ufunc is np.invert and "b" in numeric and len(outcomes) > 1:
        raise _open(operands)
    if ufunc is np.power and not (type(last) is int and last >= 0):
        # Powers of integers raise for negative exponents.
        is_whole = {kind in "iu" for kind in numeric}
        if len(is_whole) > 1 or (True in is_whole and dtype.kind not in "iu"):
            raise _open(operands)
    is_same = ufunc in _SAME_OF_COMPLEX or (ufunc is np.divide and is_known and last != 0)
    is_same |= ufunc is np.power and type(last) is int and last >= 0
    if "c" in numeric and len(numeric) > 1 and not is_same:
        raise _open(operands)
    for each in (dtype, *map(np.dtype, outcomes)):
        known = [operand for operand in operands if type(operand) is int]
        if each.kind in "iu" and any(not _fits(number, each) for number in known):
            # It fits the integers of another path.
            raise _open(operands)


def _fits(number: int, dtype: np.dtype) -> bool:
    limits = np.iinfo(dtype)
    return int(limits.min) <= number <= int(limits.max)


def check_wide(ev: Any, operands: list[Any], dtype: np.dtype, outcomes: Kinds) -> None:
    """Refuse at run time Python's integers that fit those of one path only."""
    for each in operands:
        if dtype.kind in "iu" and isinstance(each, Scalar) and each.weak is int:
            check_fits(ev, each, dtype, _not_each(outcomes))


def _not_each(outcomes: Kinds) -> str:
    return f"this number is {spelled_kinds(outcomes)}, and does not fit each of these"


def _open(operands: list[Any]) -> Undetermined:
    return Undetermined(next(each.kinds for each in operands if type(each) is Joined))


def widened(dtypes: tuple[np.dtype, ...], outcomes: Kinds) -> tuple[np.dtype, ...]:
    """Dtypes to compute in that hold the result of every path.

    Python's floats must not lose digits there, nor its integers wrap around.
    """
    found = dtypes[-1]
    wide = storage_dtype(outcomes)
    if found.kind in "iu":
        wide = np.promote_types(wide, found)
    if found.kind not in "iufc" or (found.kind in "iu" and wide.kind not in "iu"):
        return dtypes
    return tuple(wide if each == found else each for each in dtypes)


def narrowed(ev: Any, number: Scalar, outcomes: Kinds, operands: list[Any]) -> Scalar:
    """A result as the dtype holds it that it has on its path.

    Floats are rounded to it. Run time refuses integers that wrap around in it, and those of
    Python's among the operands that do not fit it, for which NumPy raises.
    """
    held = number.held
    if type(number) is not Joined:
        found = np.dtype(next(iter(outcomes)))
        _check_narrow(ev, number.value, held, found, outcomes)
        return Scalar(ev.ops.convert(number.value, found), found, None, number.parameter)
    for dtype in map(np.dtype, outcomes):
        test = has_kind(ev.ops, number.which, dtype, number.kinds)
        if dtype.kind in "fc" and dtype != held:
            narrow = ev.ops.convert(ev.ops.convert(number.value, dtype), held)
            number.value = ev.ops.select(test, narrow, number.value)
        elif dtype.kind in "iu":
            whole = [each for each in operands if isinstance(each, Scalar) and each.weak is int]
            for value, of in ((number.value, held), *((each.value, INT) for each in whole)):
                given = ev.ops.select(test, value, ev.ops.constant(0, of))
                _check_narrow(ev, given, of, dtype, outcomes)
    return number


def _check_narrow(ev: Any, value: Value, held: np.dtype, dtype: np.dtype, outcomes: Kinds) -> None:
    is_narrow = dtype.kind in "iu" and dtype.itemsize < INT.itemsize
    if not is_narrow and not (dtype.kind == "u" and held.kind in "ifc"):
        return
    if held.kind == "c":
        value, held = ev.ops.create("real", [value]), FLOAT
    check_fits(ev, Scalar(value, held), dtype, _not_each(outcomes))
