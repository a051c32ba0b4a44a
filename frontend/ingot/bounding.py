"""`bound`: what compiled code may take for granted of an integer, or of a length."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from ingot.syntax import lengths
from ingot.transformed import in_compiled_code

T = TypeVar("T", int, np.integer, np.ndarray, list)


@in_compiled_code(lengths.bound)
def bound(x: T, n: int) -> T:
    """The argument, of which is said how large it may be.

    In compiled code arrays may have lengths that only run time knows, as far as a bound is known:
    `np.zeros(ingot.bound(k, 100))` has memory for 100 elements, of which k count. A program is not
    specialised on an argument that is bounded so. An array or list with a bound may grow in a loop;
    a list keeps its bound: in compiled code it never gets longer. What `np.repeat(a, counts)` gives
    for counts without bounds waits for it: `ingot.bound(np.repeat(a, counts), 9)`.

    Args:
        x: a Python or NumPy integer from 0 to n, an array of shape (k, ...) with k up to n, or a
            list of up to n items.
        n: an integer, known when the function is compiled.

    Returns:
        x, unchanged.

    Raises:
        ValueError: x is negative or greater than n, or longer than n; in compiled code when the
            program runs, also where a list with a bound gets longer.
        TypeError: x is no integer, list or array with an axis.

    Example:
        >>> @ingot.jit
        ... def halves(x):
        ...     found = np.zeros(0)
        ...     while x > 1:
        ...         x /= 2
        ...         found = ingot.bound(np.append(found, x), 64)
        ...     return found
    """
    has_length = isinstance(x, list) or (isinstance(x, np.ndarray) and x.ndim > 0)
    if not has_length and (not isinstance(x, (int, np.integer)) or isinstance(x, bool)):
        raise TypeError(f"ingot.bound takes integers, arrays and lists, not {type(x).__name__}")
    if not 0 <= (len(x) if isinstance(x, (np.ndarray, list)) else x) <= n:
        raise ValueError(lengths.exceeded(n))
    return x
