"""The NumPy dtypes that Ingot supports, and the promotion of Python scalars (NEP 50)."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np

#: Python and NumPy scalars known at compile time; np.str_ and np.bytes_ are texts.
STATIC_NUMBERS = (bool, int, float, complex, np.number, np.bool, np.datetime64, np.void)

#: In the order of the codes that `ingot._core` uses for element types.
DTYPES: tuple[np.dtype, ...] = tuple(
    np.dtype(name)
    for name in [
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
)
CODES: dict[np.dtype, int] = {dtype: code for code, dtype in enumerate(DTYPES)}


def is_supported(dtype: np.dtype) -> bool:
    """Whether compiled code has numbers of a dtype, whatever the order of their bytes."""
    return dtype in CODES or dtype.newbyteorder("=") in CODES


BOOL = np.dtype("bool")
INT = np.dtype("int64")
FLOAT = np.dtype("float64")
COMPLEX = np.dtype("complex128")

#: Compiled code follows the NumPy that is installed; it casts in other ways from 2.5 on.
IS_NUMPY_2_5 = np.lib.NumpyVersion(np.__version__) >= "2.5.0"

#: The dtype that holds a Python scalar at run time.
OF_PYTHON: dict[type, np.dtype] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}
#: Python's numeric tower, lowest first.
TOWER: tuple[type, ...] = (bool, int, float, complex)


def join_weak(a: type, b: type) -> type:
    """The Python type of the result of an arithmetic operation on two Python types."""
    return TOWER[max(TOWER.index(a), TOWER.index(b))]


def promote(kinds: list[np.dtype | type]) -> np.dtype:
    """NumPy's common dtype of dtypes and Python scalar types."""
    examples = [np.dtype(k) if isinstance(k, np.dtype) else k(0) for k in kinds]
    return np.dtype(np.result_type(*examples))


def storage_dtype(kinds: Iterable[np.dtype | type]) -> np.dtype:
    """A dtype that can store numbers of any of these kinds.

    Unlike in promotion, a Python number counts with its full width. A Python int and a NumPy
    uint64 give uint64, since there is no wider integer.
    """
    found = list(kinds)
    wide = [np.dtype(OF_PYTHON.get(kind, kind)) for kind in found]  # type: ignore[arg-type,call-overload]
    room = np.dtype(np.result_type(*wide))
    return promote(found) if room.kind == "f" and promote(found).kind in "iu" else room


def joined_kind(kinds: Iterable[np.dtype | type]) -> np.dtype | type:
    """The kind of a number at a control flow join: the promotion of its kinds on each path."""
    found = list(kinds)
    if any(isinstance(kind, np.dtype) for kind in found):
        return promote(found)
    return functools.reduce(join_weak, found)  # type: ignore[arg-type]
