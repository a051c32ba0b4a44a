"""`bound`: what compiled code may take for granted of an integer, or of the length of an array."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from ingot.syntax import lengths
from ingot.transformed import in_compiled_code

T = TypeVar("T", int, np.integer, np.ndarray)


@in_compiled_code(lengths.bound)
def bound(x: T, n: int) -> T:
    """The argument, of which is said how large it may be.

    In compiled code arrays may have lengths that only run time knows, as far as a bound is known:
    `np.zeros(ingot.bound(k, 100))` has memory for 100 elements, of which k count. A program is not
    specialised on an argument that is bounded so. An array with a bound may grow in a loop.

    Args:
        x: a Python or NumPy integer from 0 to n, or an array of shape (k, ...) with k up to n.
        n: an integer, known when the function is compiled.

    Returns:
        x, unchanged.

    Raises:
        ValueError: x is negative or greater than n, or longer than n; in compiled code when the
            program runs.
        TypeError: x is neither an integer nor an array with an axis.

    Example:
        >>> @ingot.jit
        ... def halves(x):
        ...     found = np.zeros(0)
        ...     while x > 1:
        ...         x /= 2
        ...         found = ingot.bound(np.append(found, x), 64)
        ...     return found
    """
    is_array = isinstance(x, np.ndarray) and x.ndim > 0
    if not is_array and (not isinstance(x, (int, np.integer)) or isinstance(x, bool)):
        raise TypeError(f"ingot.bound takes integers and arrays, not {type(x).__name__}")
    if not 0 <= (len(x) if isinstance(x, np.ndarray) else x) <= n:
        raise ValueError(lengths.exceeded(n))
    return x
