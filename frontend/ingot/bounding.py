"""`bound`: an upper bound of an integer or a length, for arrays whose size varies at run time."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from ingot.syntax import lengths
from ingot.transformed import in_compiled_code

T = TypeVar("T", int, np.integer, np.ndarray, list)


@in_compiled_code(lengths.bound)
def bound(x: T, n: int) -> T:
    """Promise that an integer, or the length of an array or list, is at most `n`.

    Compiled code can have arrays whose length is known only at run time if it knows an upper bound:
    `np.zeros(ingot.bound(k, 100))` allocates 100 elements and uses the first k. An integer argument
    with a bound stays dynamic: the function is not compiled again for each of its values. Arrays
    and lists with a bound may grow in a loop, up to the bound. The length of
    `np.repeat(a, counts)` depends on the values in `counts`, so it needs a bound, too:
    `ingot.bound(np.repeat(a, counts), 9)`.

    Args:
        x: a Python or NumPy integer from 0 to n, an array of shape (k, ...) with k at most n, or a
            list of at most n items.
        n: an integer that is known when the function is compiled.

    Returns:
        x, unchanged.

    Raises:
        ValueError: x is negative, greater than n or longer than n. Compiled code raises it at run
            time, also when a list with a bound grows beyond it.
        TypeError: x is not an integer, a list or an array of at least one dimension.

    Example:
        >>> @ingot.jit
        ... def halves(x):
        ...     found = np.zeros(0)
        ...     while x > 1:
        ...         x /= 2
        ...         found = ingot.bound(np.append(found, x), 64)
        ...     return found
        >>> halves(8.0)
        array([4., 2., 1.])
    """
    has_length = isinstance(x, list) or (isinstance(x, np.ndarray) and x.ndim > 0)
    if not has_length and (not isinstance(x, (int, np.integer)) or isinstance(x, bool)):
        raise TypeError(f"ingot.bound takes integers, arrays and lists, not {type(x).__name__}")
    if not 0 <= (len(x) if isinstance(x, (np.ndarray, list)) else x) <= n:
        raise ValueError(lengths.exceeded(n))
    return x
