"""How the arrays of a result lie in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Layout:
    """How an array lies in memory that is not in C order, or can't be stored to.

    The program gives such an array with its axes as they lie in memory, in C order.

    Attributes:
        axes: in the order in which they lie in memory, the outermost first.
        backward: those along which the memory runs from the last element to the first.
        strides: in elements, where there are gaps or elements share memory, else None.
        writable: whether it may be stored to.
    """

    axes: tuple[int, ...]
    backward: tuple[int, ...] = ()
    strides: tuple[int, ...] | None = None
    writable: bool = True

    def seen(self, array: Any) -> Any:
        """What the program gave, with the axes of the result: a view of it, or a jax.Array."""
        array = array.transpose(sorted(range(len(self.axes)), key=self.axes.__getitem__))
        if not self.backward:
            return array
        turned = (slice(None, None, -1 if i in self.backward else None) for i in range(array.ndim))
        return array[tuple(turned)]

    def shape_of(self, shape: tuple[Any, ...]) -> tuple[Any, ...]:
        """The shape of the result, by that which the program gives."""
        return tuple(size for _, size in sorted(zip(self.axes, shape, strict=True)))

    def laid(self, array: np.ndarray) -> np.ndarray:
        """What the program gave, as it lies in memory."""
        array = self.seen(array)
        if self.strides is not None:
            array = _spread(array, self.strides)
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
        """Raises:
        LookupError, TypeError, ValueError: it is malformed.
        """
        axes, backward = (tuple(data[name]) for name in ("axes", "backward"))
        strides = None if data["strides"] is None else tuple(data["strides"])
        numbers = [*axes, *backward, *(strides or ())]
        if any(type(each) is not int for each in numbers):
            raise TypeError("a layout has integers")
        if not isinstance(data["writable"], bool):
            raise TypeError("a layout says whether it is writable")
        is_fit = strides is None or len(strides) == len(axes)
        if sorted(axes) != list(range(len(axes))) or not set(backward) <= set(axes) or not is_fit:
            raise ValueError("a layout")
        return Layout(axes, backward, strides, data["writable"])


def _spread(array: np.ndarray, strides: tuple[int, ...]) -> np.ndarray:
    """The same elements with these strides, in memory of their own."""
    steps = [(size - 1) * stride for size, stride in zip(array.shape, strides, strict=True)]
    first = -sum(step for step in steps if step < 0)
    memory = np.empty(first + sum(step for step in steps if step > 0) + 1, array.dtype)
    size = array.itemsize
    made: np.ndarray = np.ndarray(
        array.shape, array.dtype, memory, first * size, [stride * size for stride in strides]
    )
    made[...] = array
    return made
