"""Dtype promotion, by NumPy's own `resolve_dtypes` and `result_type`."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ingot.dtypes import BOOL, CODES, FLOAT, INT, STATIC_NUMBERS, joined_kind
from ingot.syntax.ops import static_kind
from ingot.syntax.values import Array, Joined, Kinds, Scalar, Undetermined, kinds_of


def kind_of(value: Any) -> Any:
    """What promotion depends on: a dtype, a Python type, or the set of a `Joined` number's kinds."""
    if type(value) is Array:
        return value.dtype
    if type(value) is Joined:
        return value.kinds
    return value.kind if type(value) is Scalar else static_kind(value)


@functools.cache
def resolve(
    ufunc: np.ufunc, kinds: tuple, out: np.dtype | None = None, casting: str = "same_kind"
) -> tuple[np.dtype, ...]:
    """The dtypes of the operands and results of the loop that a ufunc chooses for these kinds.

    Raises:
        Undetermined: the dtype of the result depends on the path taken (see `Joined`).
    """
    if frozenset in map(type, kinds):
        return _resolve_joined(ufunc, kinds, out, casting)
    kinds = tuple(BOOL if kind is bool else kind for kind in kinds)
    if set(kinds) == {int}:
        # NumPy compares two of Python's integers as objects, which have no bound.
        kinds = (INT,) * len(kinds)
    wanted: dict[str, Any] = {} if out is None else {"signature": (*[None] * len(kinds), out)}
    wanted["casting"] = casting
    dtypes = ufunc.resolve_dtypes((*kinds, *(None,) * ufunc.nout), **wanted)
    for dtype in dtypes:
        if dtype not in CODES:
            raise TypeError(f"dtype {dtype} is not supported")
    return dtypes


def reduced_dtypes(
    ufunc: np.ufunc, dtype: np.dtype, to: np.dtype | None = None, out: Any = None
) -> tuple[np.dtype, np.dtype]:
    """The dtypes of a ufunc reduction's result and of its elements, as NumPy resolves them."""
    first = out.dtype if isinstance(out, Array) else None
    found = ufunc.resolve_dtypes(
        (first, dtype, None), signature=(to, None, None), casting="unsafe", reduction=True
    )
    return found[0], found[1]


def _resolve_joined(
    ufunc: np.ufunc, kinds: tuple, out: np.dtype | None, casting: str
) -> tuple[np.dtype, ...]:
    outcomes = possible_dtypes(ufunc, kinds, out, casting)
    if len(outcomes) > 1:
        raise _undetermined(kinds)
    found = {resolve(ufunc, each, out, casting) for each in _combinations(kinds)}
    if len(found) == 1 and next(iter(found))[0].kind in "fc":
        return found.pop()
    # The kinds may meet as a wider one than each gives beside the others: int and np.bool as int64.
    met = tuple(joined_kind(kind) if isinstance(kind, frozenset) else kind for kind in kinds)
    dtypes = resolve(ufunc, met, out, casting)
    if dtypes[-1] not in outcomes:
        raise _undetermined(kinds)
    return dtypes


def possible_dtypes(
    ufunc: np.ufunc, kinds: tuple, out: np.dtype | None = None, casting: str = "same_kind"
) -> Kinds:
    """The dtypes that the result has on one path or another.

    Raises:
        Undetermined: a comparison is one of float32 on one path, as with a float of Python's, and
            one of float64 on another.
    """
    found = [(each, resolve(ufunc, each, out, casting)) for each in _combinations(kinds)]
    compared = {
        np.finfo(dtypes[0]).nmant
        for each, dtypes in found
        if ufunc.nin == 2 and dtypes[-1] == BOOL and dtypes[0].kind in "fc" and not _is_python(each)
    }
    if len(compared) > 1 and any({float, complex} & set(each) for each, _ in found):
        raise _undetermined(kinds)
    return frozenset(dtypes[-1] for _, dtypes in found)


def _undetermined(kinds: tuple) -> Undetermined:
    return Undetermined(next(kind for kind in kinds if isinstance(kind, frozenset)))


def _combinations(kinds: tuple) -> Iterator[tuple]:
    """The kinds that operands have together on some path."""
    return itertools.product(*(k if isinstance(k, frozenset) else (k,) for k in kinds))


def _is_python(kinds: tuple) -> bool:
    return all(isinstance(kind, type) for kind in kinds)


def operator_kind(python: Callable[..., Any], ufunc: np.ufunc, *kinds: Any) -> np.dtype | type:
    """The kind of an operator's result: Python's if all operands are Python's."""
    if kinds[0] is complex and isinstance(kinds[-1], np.dtype) and kinds[-1] == FLOAT:
        # Python's complex takes an np.float64 as the float that it is.
        kinds = (complex, float)
    if _is_python(kinds):
        return type(python(*(kind(1) for kind in kinds)))
    return resolve(ufunc, kinds)[-1]


def dtype_for(*values: Any) -> np.dtype:
    """`np.result_type` of numbers and arrays.

    Raises:
        Undetermined: the dtype depends on the path taken.
    """
    found: Any = {np.result_type(*each) for each in itertools.product(*map(examples, values))}
    if len(found) > 1:
        raise Undetermined(next(each.kinds for each in values if type(each) is Joined))
    return found.pop()


def examples(value: Any) -> list[Any]:
    """For each kind that a value may have a value or dtype that promotes in the same way."""
    if isinstance(value, STATIC_NUMBERS):
        return [value]
    kinds = kinds_of(value) if isinstance(value, Scalar) else (value.dtype,)
    return [kind if isinstance(kind, np.dtype) else kind(0) for kind in kinds]
