"""Where the arguments and results of a compiled function lie on a mesh."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ingot.diagnostics import error_at
from ingot.specs import Abstract
from ingot_runtime.errors import ShapeError
from ingot_runtime.meshes import Mesh, PartitionSpec, ShardedArray, Sharding
from ingot_runtime.program import Signature
from ingot_runtime.spmd import Output
from ingot_runtime.trees import EITHER, flatten, parameters_of, paths_of


@dataclass(frozen=True)
class Node:
    """A container in a prefix tree of partition specs; leaves are the specs, or None."""

    kind: Any
    keys: Any
    children: tuple[Any, ...]


Specs = Node | PartitionSpec | None
#: All devices have the whole array.
EVERYWHERE = PartitionSpec()


@dataclass(frozen=True)
class Placement:
    """The mesh of a program, and where the arguments and results lie.

    Attributes:
        mesh: the mesh.
        inputs: the specs of the arguments; None if no argument has one.
        outputs: the specs of the results; None if they become NumPy arrays, or stay where they
            are if an argument is a sharded array.
    """

    mesh: Mesh
    inputs: Specs = None
    outputs: Specs = None

    def without_specs(self) -> Placement:
        """Only the mesh: the specs are those of another function."""
        return replace(self, inputs=None, outputs=None)


def placement(mesh: Any, inputs: Any, outputs: Any) -> Placement | None:
    """The placement that the options of `ingot.jit` describe.

    Raises:
        TypeError: `mesh` is no mesh or missing, or a leaf of the others is no partition spec.
        ValueError: a partition spec names an axis that the mesh does not have.
    """
    if mesh is None:
        if inputs is not None or outputs is not None:
            raise TypeError("in_shardings and out_shardings need a mesh: mesh=ingot.mesh(data=4)")
        return None
    if not isinstance(mesh, Mesh):
        raise TypeError(f"mesh is one that ingot.mesh makes, not {mesh!r}")
    given = {"in_shardings": inputs, "out_shardings": outputs}
    return Placement(mesh, *(_specs(mesh, name, specs) for name, specs in given.items()))


#: Why options of `ingot.jit` don't go with a mesh.
_REASONS = {
    "device": "the mesh says which devices run the program",
    "donate": "sharded arrays never change, since other names may refer to the same one",
    "strict_fp": "XLA chooses in which order the devices add the parts of a sum",
}


def refuse_beside_mesh(**options: Any) -> None:
    """Raise a TypeError if an option is given that does not go with a mesh."""
    for name, value in options.items():
        if value:
            raise TypeError(f"{name} does not go with a mesh: {_REASONS[name]}; leave {name} out")


def _specs(mesh: Mesh, name: str, given: Any) -> Specs:
    leaves: list[Any] = []
    structure = flatten(given, leaves, alone=True)
    for leaf in leaves:
        if leaf is not None and not isinstance(leaf, PartitionSpec):
            raise TypeError(f"{name} has ingot.P(...) or None for each array, not {leaf!r}")
        if leaf is not None:
            leaf.check(mesh)
    return _tree(structure, iter(leaves))


def _tree(structure: Any, leaves: Iterator[PartitionSpec | None]) -> Specs:
    if structure is None:
        return next(leaves)
    kind, keys, children = structure
    return Node(kind, keys, tuple(_tree(child, leaves) for child in children))


def sharding_of(leaf: Any) -> Sharding | None:
    """The sharding of an argument leaf that is a sharded array, or stands for one; else None."""
    return leaf.sharding if isinstance(leaf, (ShardedArray, Abstract)) else None


def following(leaves: list[Any]) -> Placement | None:
    """The placement of a call without a mesh: that of its first sharded array, if it has one."""
    found = next(filter(None, map(sharding_of, leaves)), None)
    return None if found is None else Placement(found.mesh)


def mesh_text(mesh: Mesh) -> str:
    """The mesh as an attribute of the ingot dialect."""
    axes = (f'"{name}"={size}' for name, size in mesh.shape.items())
    return f"#ingot.mesh<[{', '.join(axes)}]>"


def sharding_text(spec: PartitionSpec, ndim: int) -> str:
    """A sharding of an array with `ndim` axes as an attribute of the ingot dialect."""
    axes = (", ".join(f'"{name}"' for name in entry) for entry in spec.padded(ndim))
    return f"#ingot.sharding<[{', '.join(f'{{{names}}}' for names in axes)}]>"


def inputs_of(
    function: Any, placed: Placement, structure: Any, leaves: list[Any], signature: Signature
) -> list[str | None]:
    """The sharding of each input of a program, as text; None if XLA chooses.

    Args:
        structure, leaves: the arguments.
    """
    names = parameters_of(function, structure)
    wanted: list[PartitionSpec | None] = [None] * len(leaves)
    given, count = placed.inputs, len(structure[2][0][2])
    if isinstance(given, Node) and len(given.children) != count:
        raise error_at(
            ShapeError,
            f"in_shardings has {len(given.children)} entries for {count} positional arguments",
            None,
            "give one for each, or one for all",
        )  # fmt: skip
    found = _spread("in_shardings", given, structure[2][0])
    wanted[: len(found)] = found
    return [
        sharding_text(EVERYWHERE, np.ndim(source.array))
        if not isinstance(source, int)
        else _input(placed.mesh, names[source], leaves[source], wanted[source])
        for source in signature.inputs
    ]


def _input(mesh: Mesh, name: str, leaf: Any, wanted: PartitionSpec | None) -> str | None:
    sharding, ndim = sharding_of(leaf), np.ndim(leaf)
    spec = wanted or EVERYWHERE
    if sharding is not None and sharding.mesh == mesh:
        if sharding.spec is None:
            return None
        spec = sharding.spec
    _check_rank(f"the argument `{name}`", spec, ndim)
    return sharding_text(spec, ndim)


def _check_rank(what: str, spec: PartitionSpec, ndim: int) -> None:
    if len(spec.entries) > ndim:
        raise error_at(
            ShapeError, f"{what} has {ndim} axes, and its sharding is {spec}", None,
            "give at most one entry for each axis",
        )  # fmt: skip


def outputs_of(placed: Placement, leaves: list[Any], signature: Signature) -> tuple[Output, ...]:
    """Where the outputs of a program lie, and which of them stay on the devices.

    Args:
        leaves: the leaves of the arguments.
    """
    are_sharded = any(map(sharding_of, leaves))
    # Each process collects what becomes a NumPy array.
    collected = None if placed.mesh.is_local else EVERYWHERE
    made = [Output(shape, dtype, collected) for shape, dtype in signature.outputs]
    structure = signature.result
    if signature.changes:
        structure = structure[2][0]
    names = paths_of(structure)
    wanted = _spread("out_shardings", placed.outputs, structure)
    for leaf, spec, name in zip(signature.leaves, wanted, names, strict=False):
        if leaf[0] != "out":
            continue
        number, is_array = leaf[1], leaf[3]
        shape, dtype = signature.outputs[number]
        if spec is not None:
            is_one = structure is None or structure[0] is EITHER
            _check_rank("the result" if is_one else f"the result `{name}`", spec, len(shape))
        if is_array and (spec is not None or (are_sharded and placed.outputs is None)):
            made[number] = Output(shape, dtype, spec, stays=True)
    return tuple(made)


def output_texts(outputs: Iterable[Output]) -> list[str | None]:
    """The sharding of each output, as text; None if XLA chooses."""
    return [
        None if each.spec is None else sharding_text(each.spec, len(each.shape)) for each in outputs
    ]


def keeps_results(placed: Placement | None, leaves: list[Any]) -> bool:
    """Whether results may stay on the devices, where arrays are in C order."""
    if placed is None:
        return False
    return placed.outputs is not None or any(map(sharding_of, leaves))


def _spread(name: str, specs: Any, structure: Any) -> list[PartitionSpec | None]:
    """The spec for each leaf of a structure, from a prefix tree of specs."""
    if structure is not None and structure[0] is EITHER:
        # The first leaf says at run time which of the others the result is.
        return [None, *(each for s in structure[2][1:] for each in _spread(name, specs, s))]
    if not isinstance(specs, Node):
        if structure is None:
            return [specs]
        return [each for child in structure[2] for each in _spread(name, specs, child)]
    sequences = (tuple, list)
    is_same = structure is not None and (
        (specs.kind is structure[0] or (specs.kind in sequences and structure[0] in sequences))
        and specs.keys == structure[1]
        and len(specs.children) == len(structure[2])
    )
    if not is_same:
        raise error_at(
            ShapeError, f"{name} is not structured as the values that it is for", None,
            "give one ingot.P for all, or a tree of them that is a prefix of the values' tree",
        )  # fmt: skip
    pairs = zip(specs.children, structure[2], strict=True)
    return [each for inner, child in pairs for each in _spread(name, inner, child)]
