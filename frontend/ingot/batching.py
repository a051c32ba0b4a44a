"""`vmap`: a function of one item, applied to a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ingot.function import Function, P, R
from ingot.jit import jit
from ingot.made_once import made_once
from ingot.syntax import batching
from ingot.syntax.batching import Axes, Vmap
from ingot.transformed import Transformed, in_compiled_code
from ingot_runtime import meshes
from ingot_runtime.clients import client
from ingot_runtime.meshes import Mesh, PartitionSpec
from ingot_runtime.trees import flatten, rebuild


def _vmapped(f: Callable[..., Any], in_axes: Any, out_axes: Any, axis_name: Any) -> Function:
    def make() -> Function:
        return Transformed(Vmap(f, in_axes, out_axes, axis_name), _vmapped)

    # A loop may call `vmap(f)` in each iteration: the programs compiled for it stay.
    return made_once(f, ("vmap", in_axes, out_axes, axis_name), make)


def _tree(axes: Any) -> Any:
    leaves: list[Any] = []
    return flatten(axes, leaves), tuple(leaves)


@in_compiled_code(batching.in_compiled_code)
def vmap(
    f: Callable[P, R], in_axes: Any = 0, out_axes: Any = 0, axis_name: str | None = None
) -> Function[P, R]:
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
        axis_name: a name for the batch's axis, by which collectives such as `ingot.psum` exchange
            values between the lanes. If the program's mesh has an axis of this name, the lanes lie
            along it.

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
    return _vmapped(f, _tree(in_axes), _tree(out_axes), axis_name)


def _pmapped(
    f: Callable[..., Any], axis_name: str, in_axes: Axes, out_axes: Axes, mesh: Mesh
) -> Function:
    def make() -> Function:
        return _mapped_on(mesh, f, axis_name, in_axes, out_axes)

    return made_once(f, ("pmap", axis_name, in_axes, out_axes, mesh), make)


def _mapped_on(
    mesh: Mesh, f: Callable[..., Any], axis_name: str, in_axes: Axes, out_axes: Axes
) -> Function:
    structure, axes = in_axes
    specs = (
        # An axis that is counted from the end depends on the argument; XLA divides it.
        None if axis is None or axis < 0 else PartitionSpec(*[None] * axis, axis_name)
        for axis in axes
    )
    mapped = _vmapped(f, in_axes, out_axes, axis_name)
    return jit(mapped, mesh=mesh, in_shardings=rebuild(structure, specs))


def _pmap(
    ev: Any,
    f: Any,
    axis_name: Any,
    *,
    in_axes: Any = 0,
    out_axes: Any = 0,
    mesh: Any = None,
) -> Vmap:
    if mesh is not None and mesh != ev.mesh:
        where = "no mesh" if ev.mesh is None else ev.mesh
        ev.fail(f"pmap is for {mesh}, and the program for {where}", "ingot.jit(f, mesh=mesh)")
    return batching.in_compiled_code(ev, f, in_axes, out_axes, axis_name)


@in_compiled_code(_pmap)
def pmap(
    f: Callable[P, R],
    axis_name: str,
    *,
    in_axes: Any = 0,
    out_axes: Any = 0,
    mesh: Mesh | None = None,
) -> Function[P, R]:
    """Apply a function to every lane of a batch, with the lanes on the devices of a mesh.

    It is `vmap` with a named axis, compiled for a mesh: the values are the same, and collectives
    such as `ingot.psum` are messages between devices. There may be more lanes than devices.

    Args:
        f: as for `vmap`.
        axis_name: the name of the batch's axis, which is an axis of the mesh.
        in_axes, out_axes: as for `vmap`.
        mesh: the mesh, by `ingot.mesh`; in compiled code that of the program. None for all devices
            along one axis.

    Returns:
        A function as that of `vmap`.

    Raises:
        ValueError: the mesh has no axis of this name.

    Example:
        >>> def share(x):
        ...     return x / ingot.psum(x, "i")
        >>> ingot.pmap(share, "i")(np.array([1.0, 3.0]))
        array([0.25, 0.75])
    """
    found = meshes.mesh(**{axis_name: len(client().devices())}) if mesh is None else mesh
    if axis_name not in found.shape:
        raise ValueError(f"{found} has no axis {axis_name!r}")
    return _pmapped(f, axis_name, _tree(in_axes), _tree(out_axes), found)
