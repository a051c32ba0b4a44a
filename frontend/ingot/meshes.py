"""`P` and `shard`: which axes of a mesh divide an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ingot.placement import sharding_text
from ingot.syntax.ops import fresh
from ingot.syntax.values import Array, describe
from ingot.transformed import in_compiled_code
from ingot_runtime import meshes
from ingot_runtime.errors import ShapeError
from ingot_runtime.meshes import Mesh, PartitionSpec, ShardedArray


def _spec(ev: Any, *entries: Any) -> PartitionSpec:
    return PartitionSpec(*(ev.static(each, "an axis of the mesh") for each in entries))


@in_compiled_code(_spec)
def P(*entries: str | Sequence[str] | None) -> PartitionSpec:
    """For each axis of an array, the axes of a mesh that divide it.

    Args:
        entries: for each axis of the array the name of an axis of the mesh, a tuple of names, of
            which the first one divides into the largest parts, or None for an axis that is not
            divided. Axes without an entry are not divided.

    Returns:
        A `PartitionSpec`.

    Raises:
        ValueError: a name occurs twice.

    Example:
        >>> ingot.P("data", None, ("model", "replica"))
        P('data', None, ('model', 'replica'))
    """
    return PartitionSpec(*entries)


def _shard(ev: Any, x: Any, spec: Any, *, mesh: Any = None) -> Any:
    """A constraint in a program for a mesh; a copy in others."""
    if not isinstance(x, Array):
        ev.fail(f"ingot.shard takes arrays, not {describe(x)}", "pass an array")
    spec = ev.static(spec, "a partition spec")
    if not isinstance(spec, PartitionSpec):
        ev.fail(f"ingot.shard takes ingot.P(...), not {describe(spec)}", 'ingot.P("data", None)')
    if len(spec.entries) > x.ndim:
        ev.fail(
            f"{spec} has {len(spec.entries)} entries for an array of {x.ndim} axes",
            "give at most one entry for each axis",
            ShapeError,
        )
    own = ev.mesh
    if mesh is not None and mesh != own:
        where = "no mesh" if own is None else own
        ev.fail(
            f"a value is divided on {mesh}, and the program is for {where}",
            "compile it for the mesh: ingot.jit(f, mesh=mesh)",
        )
    value = ev.read(x)
    if own is None:
        return fresh(value, ev.location)
    spec.check(own)
    sharding = sharding_text(spec, x.ndim)
    return fresh(ev.ops.create("shard", [value], sharding=sharding), ev.location)


@in_compiled_code(_shard)
def shard(x: Any, spec: PartitionSpec, *, mesh: Mesh | None = None) -> Any:
    """Divide an array among the devices of a mesh.

    The values are those of the array; the sharding only says where they lie. In compiled code it
    is a constraint for the compiler: the value lies so at this point, and cotangents of it do, too.
    In a program without a mesh it only copies the array.

    Args:
        x: an array: NumPy's or a sharded one.
        spec: which axes of the mesh divide each axis of the array, by `ingot.P`. If the devices are
            too many to divide an axis into equal parts, fewer parts are made, with copies on the
            other devices.
        mesh: the mesh, by `ingot.mesh`. In compiled code it is the program's. None outside of
            compiled code means no devices: the result is a copy of the array.

    Returns:
        A `ShardedArray`, which knows its parts: `shape`, `dtype`, `sharding`, `shards`.
        `np.asarray` collects them. In compiled code, and without a mesh, an array.

    Raises:
        ValueError: the spec names an axis that the mesh does not have, or has too many entries.
        TypeError: `spec` is no partition spec.

    Example:
        >>> mesh = ingot.mesh(data=1)
        >>> x = ingot.shard(np.arange(4.0), ingot.P("data"), mesh=mesh)
        >>> x
        ShardedArray(float64[4], P('data') on ingot.mesh(data=1): 1 part of [4])
        >>> np.asarray(x)
        array([0., 1., 2., 3.])
    """
    if not isinstance(spec, PartitionSpec):
        raise TypeError(f"ingot.shard takes ingot.P(...), not {spec!r}")
    if mesh is not None:
        return meshes.shard(x, mesh, spec)
    spec.padded(np.ndim(x))
    return x if isinstance(x, ShardedArray) else np.array(x)
