"""The memory layout of result arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot_runtime.errors import ArtifactError

#: More bytes than any process can address; larger arrays are refused.
LARGEST = 1 << 47


@dataclass(frozen=True)
class Layout:
    """The memory layout of a result that is not in C order, or is read-only.

    The program's output is an array in C order whose axes are in memory order.

    Attributes:
        axes: the axes of the result in memory order, from the outermost to the innermost.
        backward: the axes with a negative stride.
        strides: the strides in elements, if there are gaps or elements share memory; else None.
        writable: whether the array is writable.
        is_trusted: whether elements that share memory are known to be equal; otherwise this is
            checked.
    """

    axes: tuple[int, ...]
    backward: tuple[int, ...] = ()
    strides: tuple[int, ...] | None = None
    writable: bool = True
    is_trusted: bool = True

    def seen(self, array: Any) -> Any:
        """The program's output with the axes of the result; a view of it, or a jax.Array."""
        array = array.transpose(sorted(range(len(self.axes)), key=self.axes.__getitem__))
        if not self.backward:
            return array
        turned = (slice(None, None, -1 if i in self.backward else None) for i in range(array.ndim))
        return array[tuple(turned)]

    def shape_of(self, shape: tuple[Any, ...]) -> tuple[Any, ...]:
        """The shape of the result, from the shape of the program's output."""
        return tuple(size for _, size in sorted(zip(self.axes, shape, strict=True)))

    def laid(self, array: np.ndarray) -> np.ndarray:
        """The result with this layout, from the program's output."""
        array = self.seen(array)
        if self.strides is not None:
            spread = _spread(array, self.strides)
            if not self.is_trusted and _may_share(array.shape, self.strides):
                _compare(spread, array)
            array = spread
        if not self.writable:
            array.flags.writeable = False
        return array

    def to_json(self) -> dict[str, Any]:
        return {
            "axes": list(self.axes),
            "backward": list(self.backward),
            "strides": None if self.strides is None else list(self.strides),
            "writable": self.writable,
        }

    @staticmethod
    def from_json(data: Any) -> Layout:
        """The inverse of `to_json`.

        Raises:
            LookupError, TypeError, ValueError: the data is malformed.
        """
        axes, backward = (_integers(data[name]) for name in ("axes", "backward"))
        strides = None if data["strides"] is None else _integers(data["strides"])
        if not isinstance(data["writable"], bool):
            raise TypeError("a layout says whether it is writable")
        if sorted(axes) != list(range(len(axes))) or not set(backward) <= set(axes):
            raise ValueError("a layout")
        return Layout(axes, backward, strides, data["writable"], is_trusted=False)

    def fits(self, shape: tuple[int, ...], itemsize: int) -> bool:
        """Whether a result of this shape can have this layout: the strides must agree with `axes`
        and `backward`, and must not reach beyond LARGEST bytes."""
        if len(self.axes) != len(shape):
            return False
        strides = self.strides
        if strides is None:
            return True
        if len(strides) != len(shape):
            return False
        steps = [abs(strides[axis]) for axis in self.axes]
        negative = {i for i, size in enumerate(shape) if strides[i] < 0 and size != 1}
        reach = sum(max(size - 1, 1) * abs(s) for size, s in zip(shape, strides, strict=True))
        is_sorted = steps == sorted(steps, reverse=True)
        return is_sorted and set(self.backward) == negative and reach * itemsize < LARGEST


def _integers(data: Any) -> tuple[int, ...]:
    if not isinstance(data, list) or any(type(each) is not int for each in data):
        raise TypeError("a layout has lists of integers")
    return tuple(data)


def _spread(array: np.ndarray, strides: tuple[int, ...]) -> np.ndarray:
    """A copy with these strides."""
    steps = [max(size - 1, 0) * stride for size, stride in zip(array.shape, strides, strict=True)]
    first = -sum(step for step in steps if step < 0)
    memory = np.empty(first + sum(step for step in steps if step > 0) + 1, array.dtype)
    size = array.itemsize
    made: np.ndarray = np.ndarray(
        array.shape, array.dtype, memory, first * size, [stride * size for stride in strides]
    )
    made[...] = array
    return made


def _compare(spread: np.ndarray, array: np.ndarray) -> None:
    """Check that elements that share memory are equal.

    Raises:
        ArtifactError: they differ.
    """
    if not np.array_equal(spread, array, equal_nan=array.dtype.kind in "fc"):
        raise ArtifactError(
            "as its artifact describes it, a result has different elements at the same address"
        )


def _may_share(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether two elements may share memory: not if each axis steps over all inner axes."""
    reach = 0
    for stride, size in sorted((abs(s), n) for s, n in zip(strides, shape, strict=True) if n > 1):
        if stride <= reach:
            return True
        reach += stride * (size - 1)
    return False
