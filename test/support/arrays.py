"""Arrays at addresses that XLA takes as they are, and at those that it does not."""

from typing import Any

import numpy as np

from ingot_runtime.buffers import ALIGNMENT


def placed(array: Any, offset: int = 0) -> np.ndarray:
    """A copy in C order whose first byte is `offset` bytes after a boundary of XLA's."""
    array = np.asarray(array)
    memory = np.empty(array.nbytes + 2 * ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % ALIGNMENT + offset
    copy = memory[first : first + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
