"""`vmap`: a function of one item, applied to a batch."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ingot.jit import Function, P, R
from ingot.syntax import batching
from ingot.syntax.batching import Vmap
from ingot.transformed import Transformed, in_compiled_code
from ingot_runtime.trees import flatten


#: Cached, since a loop may call `vmap(f)` in each iteration: the programs compiled for it stay.
@functools.lru_cache(maxsize=256)
def _vmapped(f: Callable[..., Any], in_axes: Any, out_axes: Any) -> Function:
    return Transformed(Vmap(f, in_axes, out_axes), _vmapped)


def _tree(axes: Any) -> Any:
    leaves: list[Any] = []
    return flatten(axes, leaves), tuple(leaves)


@in_compiled_code(batching.in_compiled_code)
def vmap(f: Callable[P, R], in_axes: Any = 0, out_axes: Any = 0) -> Function[P, R]:
    """Apply a function to every lane of a batch at once.

    The values are those of a Python loop that calls `f` for each lane and stacks the results with
    np.stack. What `f` stores to its arguments does not change the caller's arrays. A print prints
    once for each lane, in order, before the next statement runs.

    Args:
        f: a Python function, a compiled function or a transformed one.
        in_axes: the batch axis of each positional argument: an integer, or None for an argument
            that all lanes share; a tuple of one for each argument, or one for all of them. For an
            argument that is a tree: one axis, or a tree of axes whose structure is a prefix of the
            argument's. The batch axis of arguments by keyword is 0.
        out_axes: the batch axis of each result, in the same form; None for a result that is the
            same in all lanes.

    Returns:
        A function of f's arguments, in which each array that is batched has one more axis. Its
        results have one more axis, too, except for those whose axis is None.

    Raises:
        CompileError: when called, if axes or batch sizes do not match.
        ValueError: when called, if results whose length is known only at run time differ in length
            between lanes.

    Example:
        >>> def dot(a, b):
        ...     return np.sum(a * b)
        >>> a = np.arange(6.0).reshape(3, 2)
        >>> ingot.vmap(dot, in_axes=(0, None))(a, np.ones(2))
        array([1., 5., 9.])
    """
    return _vmapped(f, _tree(in_axes), _tree(out_axes))
