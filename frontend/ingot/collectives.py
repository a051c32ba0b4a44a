"""Collectives: what the lanes of a batch exchange, in functions that `ingot.vmap` maps.

A named axis is the axis of the batch around the code, so a collective is a NumPy operation on the
whole batch: `psum` is its sum, `all_gather` the batch itself. On a mesh XLA turns these operations
into messages between devices.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from ingot.syntax import collectives
from ingot.transformed import in_compiled_code
from ingot_runtime.errors import UnsupportedError

T = TypeVar("T")
#: The name of an axis.
AxisName = str | tuple[str, ...]


def _refuse(name: str, axis_name: Any) -> NoReturn:
    raise UnsupportedError(
        f"ingot.{name} is called outside of a batch with the axis {axis_name!r}",
        hint=f"call it in a function that is mapped: ingot.vmap(f, axis_name={axis_name!r})",
    )


@in_compiled_code(collectives.psum)
def psum(x: T, axis_name: AxisName) -> T:
    """The sum over all lanes of a batch, in each lane: `np.sum(batch, axis=0)`.

    Derivatives are those of the sum of all lanes' results.

    Args:
        x: a tree of arrays and numbers.
        axis_name: the name of the batch's axis, or a tuple of names.

    Returns:
        A tree of the same shapes, with the dtypes of np.sum.

    Raises:
        UnsupportedError: the code is in no batch of this name.

    Example:
        >>> def share(x):
        ...     return x / ingot.psum(x, "i")
        >>> ingot.vmap(share, axis_name="i")(np.array([1.0, 3.0]))
        array([0.25, 0.75])
    """
    _refuse("psum", axis_name)


@in_compiled_code(collectives.pmean)
def pmean(x: T, axis_name: AxisName) -> T:
    """The mean over all lanes of a batch, in each lane: `np.mean(batch, axis=0)`.

    Args:
        x, axis_name: as for `psum`.

    Returns:
        A tree of the same shapes, with the dtypes of np.mean.

    Raises:
        UnsupportedError: the code is in no batch of this name.

    Example:
        >>> ingot.vmap(lambda x: x - ingot.pmean(x, "i"), axis_name="i")(np.array([1.0, 3.0]))
        array([-1.,  1.])
    """
    _refuse("pmean", axis_name)


@in_compiled_code(collectives.pmax)
def pmax(x: T, axis_name: AxisName) -> T:
    """The maximum over all lanes of a batch, in each lane: `np.max(batch, axis=0)`.

    Args:
        x, axis_name: as for `psum`.

    Returns:
        A tree of the same shapes and dtypes.

    Raises:
        UnsupportedError: the code is in no batch of this name.

    Example:
        >>> ingot.vmap(lambda x: x / ingot.pmax(x, "i"), axis_name="i")(np.array([1.0, 4.0]))
        array([0.25, 1.  ])
    """
    _refuse("pmax", axis_name)


@in_compiled_code(collectives.pmin)
def pmin(x: T, axis_name: AxisName) -> T:
    """The minimum over all lanes of a batch, in each lane: `np.min(batch, axis=0)`.

    Args:
        x, axis_name: as for `psum`.

    Returns:
        A tree of the same shapes and dtypes.

    Raises:
        UnsupportedError: the code is in no batch of this name.

    Example:
        >>> ingot.vmap(lambda x: x - ingot.pmin(x, "i"), axis_name="i")(np.array([1.0, 4.0]))
        array([0., 3.])
    """
    _refuse("pmin", axis_name)


@in_compiled_code(collectives.all_gather)
def all_gather(x: T, axis_name: str) -> T:
    """The values of all lanes of a batch, in each lane: the batch itself.

    Args:
        x: a tree of arrays and numbers.
        axis_name: the name of the batch's axis.

    Returns:
        A tree of arrays with one more axis, the first one, along which the lanes are.

    Raises:
        UnsupportedError: the code is in no batch of this name.

    Example:
        >>> def rank(x):
        ...     return np.sum(ingot.all_gather(x, "i") < x)
        >>> ingot.vmap(rank, axis_name="i")(np.array([5.0, 1.0, 3.0]))
        array([2, 0, 1])
    """
    _refuse("all_gather", axis_name)


@in_compiled_code(collectives.ppermute)
def ppermute(x: T, axis_name: str, perm: Iterable[tuple[int, int]]) -> T:
    """The value of another lane of a batch.

    Args:
        x: a tree of arrays and numbers.
        axis_name: the name of the batch's axis.
        perm: pairs of the number of a lane and of the one that gets its value. No number occurs
            twice as the first or twice as the second of a pair.

    Returns:
        A tree of the same shapes and dtypes; zeros in lanes that get no value.

    Raises:
        UnsupportedError: the code is in no batch of this name.

    Example:
        >>> def left(x):
        ...     return ingot.ppermute(x, "i", [(0, 1), (1, 2)])
        >>> ingot.vmap(left, axis_name="i")(np.array([5.0, 1.0, 3.0]))
        array([0., 5., 1.])
    """
    _refuse("ppermute", axis_name)


@in_compiled_code(collectives.axis_index)
def axis_index(axis_name: str) -> int:
    """The number of the lane in its batch, from 0: `np.arange(n)` over the batch.

    Args:
        axis_name: the name of the batch's axis.

    Returns:
        An integer.

    Raises:
        UnsupportedError: the code is in no batch of this name.

    Example:
        >>> ingot.vmap(lambda x: x * ingot.axis_index("i"), axis_name="i")(np.ones(3))
        array([0., 1., 2.])
    """
    _refuse("axis_index", axis_name)
