"""`vmap`: functions of one item as functions of many."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ingot.jit import Function, P, R
from ingot.syntax import batching
from ingot.syntax.batching import Vmap
from ingot.transformed import Transformed, in_compiled_code
from ingot_runtime.trees import flatten


#: One for each function: a loop may ask for it each time, and it keeps what it compiled.
@functools.lru_cache(maxsize=256)
def _vmapped(f: Callable[..., Any], in_axes: Any, out_axes: Any) -> Function:
    return Transformed(Vmap(f, in_axes, out_axes), _vmapped)


def _tree(axes: Any) -> Any:
    leaves: list[Any] = []
    return flatten(axes, leaves), tuple(leaves)


@in_compiled_code(batching.in_compiled_code)
def vmap(f: Callable[P, R], in_axes: Any = 0, out_axes: Any = 0) -> Function[P, R]:
    """A function that does for each item of a batch what `f` does for one.

    It gives what a Python loop over the items would, and np.stack of its results, computed for all
    items at once. What `f` stores to its arguments stays inside; what it prints, the items print
    one after the other, statement by statement.

    Args:
        f: a Python function, what `jit` made of one, or a transformed one.
        in_axes: for each positional argument the axis that counts the items, or None if it is the
            same for all; or one for all arguments. For an argument that is a tree, a tree of axes
            that begins as it does. Arguments by keyword have axis 0.
        out_axes: the axes of the results that count the items, in the same way; None for results
            that do not differ.

    Returns:
        a function of f's arguments, whose arrays have one more axis.

    Raises:
        CompileError: on a call, where axes or sizes do not fit.
        ValueError: on a call, where the lengths of results differ that only run time knows.
    """
    return _vmapped(f, _tree(in_axes), _tree(out_axes))
