"""Array arguments without data: `Spec`, which users write, and `Abstract`, in signatures."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot.dtypes import STATIC_NUMBERS
from ingot_runtime import buffers
from ingot_runtime.meshes import ShardedArray
from ingot_runtime.sizes import Size


@dataclass(frozen=True)
class Abstract:
    """An array argument of which only the shape and dtype are known."""

    shape: tuple[int, ...]
    dtype: np.dtype
    #: In elements; None for C order.
    strides: tuple[int, ...] | None = None
    writable: bool = True
    #: The `Sharding` of an array on several devices.
    sharding: Any = None

    @property
    def ndim(self) -> int:
        return len(self.shape)


@dataclass(frozen=True)
class Spec:
    """The shape and dtype of an array argument; made by `spec`."""

    shape: tuple[Size, ...]
    dtype: np.dtype

    def __repr__(self) -> str:
        return f"ingot.spec({','.join(map(str, self.shape))!r}, {self.dtype.name!r})"

    def __str__(self) -> str:
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


def strides_of(array: Any) -> tuple[int, ...] | None:
    """The strides of an array in elements, or None if it is in C order."""
    if not isinstance(array, np.ndarray):
        return getattr(array, "strides", None) if isinstance(array, Abstract) else None
    if array.flags.c_contiguous:
        return None
    return tuple(step // array.itemsize for step in array.strides)


def is_writable(array: Any) -> bool:
    return not isinstance(array, np.ndarray) or array.flags.writeable


_NUMBERS = (np.ndarray, Abstract, ShardedArray, *STATIC_NUMBERS)


def is_traced(value: Any) -> bool:
    """Whether an argument leaf is dynamic: its value is known only at run time."""
    if type(value) is np.ndarray:
        return True
    is_number = isinstance(value, _NUMBERS)
    is_number = is_number and not isinstance(value, np.character)
    return (is_number and not isinstance(value, enum.Enum)) or buffers.is_device_array(value)
