"""Numbers as elements of an array, with NumPy's checks that they fit."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dimensions import broadcast_shapes
from ingot.dtypes import BOOL, FLOAT, STATIC_NUMBERS
from ingot.syntax.dynamic import Part
from ingot.syntax.ops import at_least, at_most, held_dtype
from ingot.syntax.values import (
    Array,
    List,
    Range,
    Scalar,
    kinds_of,
)
from ingot_runtime.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def fitted(ev: Any, value: Any, shape: Any, dtype: np.dtype, is_item: bool) -> Value:
    """A value converted and broadcast for a store, as NumPy's assignment does.

    Args:
        is_item: see `element`.
    """
    is_sequence = isinstance(value, (list, tuple, List, Range))
    value = ev.call(np.array, (value, dtype), {}) if is_sequence else ev.as_array(value)
    if is_sequence and is_item:
        refuse_deep(ev, value, len(shape))
    if held_dtype(value).kind == "c" and dtype.kind != "c":
        refuse_complex(ev, dtype)
    value = ev.at_run_time(value)
    is_number = isinstance(value, (Scalar, *STATIC_NUMBERS))
    made = element(ev, value, dtype, is_item) if is_number else ev.ops.cast(ev.read(value), dtype)
    # The value may have more axes than the target, if these are of length 1.
    extra = len(made.shape) - len(shape)
    if extra > 0 and set(made.shape[:extra]) <= {1}:
        made = ev.ops.reshape(made, made.shape[extra:])
    try:
        fits = broadcast_shapes(made.shape, tuple(shape)) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        ev.fail(
            f"could not broadcast input array from shape {made.shape} into shape {tuple(shape)}",
            kind=ShapeError,
        )
    return ev.ops.broadcast(made, shape)


#: A sequence of each class, of which NumPy's messages tell the name.
_EMPTY: dict[type, Any] = {list: [], List: [], range: range(0), Range: range(0)}


def element_of(ev: Any, value: Any, dtype: np.dtype) -> Any:
    """A value for one element; of a sequence what NumPy takes or raises, as the dtype says."""
    if isinstance(value, Array) and value.ndim:
        sample: Any = np.zeros(value.shape, np.int8)
    elif isinstance(value, (list, tuple, range, List, Range)):
        sample = _EMPTY.get(type(value), ())
    else:
        return value
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            np.zeros(1, dtype)[0] = sample
    except (TypeError, ValueError) as error:
        ev.raise_now(type(error), str(error))
    return ev.truth(value) if dtype == BOOL else value


def refuse_deep(ev: Any, value: Any, ndim: int) -> None:
    """Raise what NumPy raises for a sequence that is deeper than the axes it is stored to.

    Args:
        value: the array that was made of it.
    """
    if isinstance(value, Array) and value.ndim > ndim:
        ev.raise_now(
            ValueError,
            "setting an array element with a sequence. The requested array would exceed the "
            f"maximum number of dimension of {ndim}.",
        )


def refuse_axes(ev: Any, value: Any) -> None:
    """Raise what NumPy raises for several axes that are stored through a mask of all elements."""
    if isinstance(value, (list, tuple, List)):
        value = ev.as_array(value)
    if isinstance(value, (Array, Part)) and value.ndim > 1:
        ev.raise_now(
            TypeError,
            "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input "
            f"has {value.ndim} dimensions",
        )


def element(ev: Evaluator, number: Any, dtype: np.dtype, is_item: bool) -> Value:
    """A number as an element of an array of some dtype.

    NumPy checks that a Python number fits an integer dtype. Of its own numbers it checks those that
    it takes one by one for a signed dtype, and casts the others.

    Args:
        is_item: whether NumPy takes the number by itself: as an item of a sequence, and in a store
            to a slice or an element, but not by masks and arrays of indices.

    Raises:
        OverflowError, ValueError: it does not fit; at run time.
    """
    if isinstance(number, STATIC_NUMBERS):
        return ev.ops.constant(_static_element(ev, number, dtype, is_item), dtype)
    kinds = kinds_of(number)
    if complex in kinds and dtype.kind != "c":
        refuse_complex(ev, dtype)
    is_python = any(isinstance(kind, type) for kind in kinds)
    if dtype.kind in "iu" and (is_python or (is_item and dtype.kind == "i")):
        if number.held.kind in "iu":
            check_fits(ev, number, dtype)
        elif number.held.kind == "f":
            _check_float(ev, number, dtype)
    return ev.ops.cast(ev.read(number), dtype)


def refuse_complex(ev: Evaluator, dtype: np.dtype) -> None:
    ev.fail(f"can't store complex numbers in an array of {dtype}", "take .real first", DTypeError)


def _static_element(ev: Evaluator, number: Any, dtype: np.dtype, is_item: bool) -> Any:
    if type(number) is int and dtype.kind in "iu":
        info = np.iinfo(dtype)
        if not info.min <= number <= info.max:
            ev.fail_as(OverflowError, f"Python integer {number} out of bounds for {dtype}")
    if not is_item and isinstance(number, np.generic):
        with np.errstate(all="ignore"):
            return number.astype(dtype)

    def stored() -> Any:
        with np.errstate(all="ignore"):
            made = np.zeros((), dtype)
            made[()] = number
            return made[()]

    return ev.compute(stored)


def check_fits(ev: Any, number: Scalar, dtype: np.dtype, refusal: str = "") -> None:
    """An exception at run time if a number is out of bounds for an integer dtype.

    Args:
        refusal: what the compiler can't do then; by default the exception is NumPy's.
    """
    held = number.held
    if not ev.checks or np.can_cast(held, dtype, "safe"):
        return
    limits, own = np.iinfo(dtype), np.iinfo(held) if held.kind in "iu" else np.finfo(held)
    tests = []
    if own.min < limits.min and not at_least(number.low, limits.min):
        tests.append(("ge", limits.min))
    if own.max > limits.max and not at_most(number.high, limits.max):
        tests.append(("le", limits.max))
    for how, limit in tests:
        test = ev.ops.compare(how, number.value, ev.ops.constant(limit, held), held)
        if refusal:
            ev.ops.limit(test, refusal)
        else:
            ev.ops.check(test, "OverflowError", f"Python integer out of bounds for {dtype}")


def _check_float(ev: Any, number: Scalar, dtype: np.dtype) -> None:
    """Check, as NumPy does, that a float fits the integer dtype that it is stored as."""
    if not ev.checks:
        return
    ops, info = ev.ops, np.iinfo(dtype)
    value = ops.convert(number.value, FLOAT)
    is_number = ops.compare("eq", value, value, FLOAT)
    ops.check(is_number, "ValueError", "cannot convert float NaN to integer")
    whole = ops.elementwise("trunc", [value], [FLOAT])
    low = ops.compare("ge", whole, ops.constant(float(info.min), FLOAT), FLOAT)
    high = ops.compare("lt", whole, ops.constant(float(info.max + 1), FLOAT), FLOAT)
    for fits in (low, high):
        ops.check(fits, "OverflowError", f"Python integer out of bounds for {dtype}")
