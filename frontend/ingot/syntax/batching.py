"""`ingot.vmap(f)` in compiled code: its calls emit the operation `ingot.vmap`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ingot._core import Value
from ingot.dtypes import CODES, INT, STATIC_NUMBERS
from ingot.numpy.layout import strides_of_item
from ingot.references import unwrapped
from ingot.syntax.bodies import Body, has_values, in_region, like, own
from ingot.syntax.dynamic import Sliced
from ingot.syntax.naming import name_of
from ingot.syntax.ops import fresh, predicate, result_of
from ingot.syntax.pieces import all_left_aligned, whole, with_lengths
from ingot.syntax.trees import flatten, rebuild
from ingot.syntax.values import Array, Symbolic, describe
from ingot_runtime import trees
from ingot_runtime.errors import ShapeError
from ingot_runtime.trees import parameters_of, paths_of

#: The error of `np.stack` for arrays of different shapes, and a hint.
LENGTHS = (
    "all input arrays must have the same shape: the lengths of the results of vmap differ; "
    "return an array of one shape and how many of its elements are used, or call the function for "
    "one item at a time"
)
#: A tree of axes: its structure and leaves.
Axes = tuple[Any, tuple[Any, ...]]


@dataclass(frozen=True, eq=False)
class Vmap(Symbolic):
    """A function of a batch, made from a function of one lane."""

    function: Any
    in_axes: Axes
    out_axes: Axes
    #: The name of the axis, for collectives.
    axis: str | None = None

    takes_arguments = True

    @property
    def parts(self) -> tuple:
        return self.function, self.in_axes, self.out_axes, self.axis

    @property
    def described(self) -> str:
        return f"vmap {self.in_axes} {self.out_axes} {self.axis}"

    name = "vmap"

    @property
    def options(self) -> tuple[str, ...]:
        given = {"in_axes": trees.rebuild(*self.in_axes), "out_axes": trees.rebuild(*self.out_axes)}
        options = tuple(f"{name}={axes!r}" for name, axes in given.items() if axes != 0)
        return options if self.axis is None else (*options, f"axis_name={self.axis!r}")

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return _Call(ev, self, args, kwargs).emit(node)


def in_compiled_code(
    ev: Any, f: Any, in_axes: Any = 0, out_axes: Any = 0, axis_name: Any = None
) -> Vmap:
    """The implementation of `ingot.vmap` in compiled code."""

    def tree(axes: Any, name: str) -> Axes:
        leaves: list[Any] = []
        structure = flatten(ev, axes, leaves)
        return structure, tuple(each if each is None else ev.static(each, name) for each in leaves)

    name = None if axis_name is None else ev.static(axis_name, "axis_name")
    return Vmap(f, tree(in_axes, "in_axes"), tree(out_axes, "out_axes"), name)


def _is_same(prefix: Any, structure: Any) -> bool:
    """Whether two tree nodes have one structure; a tuple matches a list."""
    sequences = (tuple, list)
    alike = prefix[0] is structure[0] or (prefix[0] in sequences and structure[0] in sequences)
    return alike and prefix[1] == structure[1] and len(prefix[2]) == len(structure[2])


def _spread(ev: Any, name: str, prefix: Any, axes: Iterator[Any], structure: Any) -> list[Any]:
    """The axis for each leaf of a structure, from a prefix tree of axes."""
    if prefix is None:
        axis = next(axes)
        if axis is not None and (not isinstance(axis, int) or isinstance(axis, bool)):
            ev.fail(
                f"{name} holds {axis!r}, which is no axis",
                "axes are numbers, or None for an argument that all items share",
                ShapeError,
            )
        return [axis] * len(paths_of(structure))
    if structure is None or not _is_same(prefix, structure):
        ev.fail(
            f"{name} is not structured as the values that it is for",
            "give one axis for all, or a tree of axes that is a prefix of the value's tree",
            ShapeError,
        )
    found: list[Any] = []
    for inner, child in zip(prefix[2], structure[2], strict=True):
        found += _spread(ev, name, inner, axes, child)
    return found


class _Call:
    """One call: the leaves of its arguments, and the axes along which they are mapped.

    Attributes:
        mapped: the indices of the leaves that are mapped.
        size: the number of lanes.
    """

    def __init__(self, ev: Any, vmap: Vmap, args: tuple, kwargs: dict[str, Any]) -> None:
        self.ev, self.vmap = ev, vmap
        self.leaves: list[Any] = []
        self.structure = flatten(ev, (args, ev.new_dict(kwargs)), self.leaves)
        given, named = self.structure[2]
        prefix, axes = vmap.in_axes
        if prefix is not None and len(prefix[2]) != len(args):
            ev.fail(
                f"in_axes has {len(prefix[2])} entries for {len(args)} positional arguments",
                "give one for each, or a number for all",
                ShapeError,
            )
        of_args = _spread(ev, "in_axes", prefix, iter(axes), given)
        self.axes = of_args + [0] * len(paths_of(named))
        function = unwrapped(vmap.function)
        self.names = parameters_of(function, self.structure)
        self.mapped = [i for i, axis in enumerate(self.axes) if axis is not None]
        for i in self.mapped:
            (self.leaves[i],) = all_left_aligned(ev, [self.leaves[i]])
        self.size = self._size()

    def _size(self) -> int:
        """The number of lanes, which must be the same for all mapped leaves."""
        ev = self.ev
        if not self.mapped:
            ev.fail("vmap has no argument to map", "give at least one axis in in_axes", ShapeError)
        first = self.mapped[0]
        for i in self.mapped:
            leaf, axis, name = self.leaves[i], self.axes[i], self.names[i]
            if not isinstance(leaf, (Array, Sliced)) or not leaf.ndim:
                ev.fail(
                    f"in_axes maps `{name}`, which is {describe(leaf)}, along axis {axis}",
                    "give None for it in in_axes, or pass an array of items",
                    ShapeError,
                )
            if not -leaf.ndim <= axis < leaf.ndim:
                ev.fail(
                    f"in_axes maps `{name}`, which has {leaf.ndim} axes, along axis {axis}",
                    f"axes are from {-leaf.ndim} to {leaf.ndim - 1}",
                    ShapeError,
                )
            if isinstance(leaf, Sliced) and leaf.spans[axis] is not None:
                ev.fail(
                    f"in_axes maps `{name}` along axis {axis}, whose length is known only at run "
                    "time",
                    "map all items, and select from the results",
                )
            count, expected = self._count(i), self._count(first)
            if count != expected:
                ev.fail(
                    f"`{self.names[first]}` has {expected} items along axis {self.axes[first]}, "
                    f"but `{name}` has {count} along axis {axis}",
                    "map arrays with the same number of items, or give None in in_axes for an "
                    "argument that all items share",
                    ShapeError,
                )
        if self._count(first) == 0:
            ev.fail(
                f"`{self.names[first]}` has no items along axis {self.axes[first]}",
                "map at least one item: without items there is no result to stack",
                ShapeError,
            )
        return self._count(first)

    def _count(self, i: int) -> int:
        return whole(self.leaves[i]).shape[self.axes[i]]

    def _first(self, i: int) -> Value:
        """A mapped leaf, transposed so that the lanes are along the first axis."""
        leaf, axis = self.leaves[i], self.axes[i] % self.leaves[i].ndim
        rest = [other for other in range(leaf.ndim) if other != axis]
        return self.ev.ops.transpose(self.ev.read(whole(leaf)), [axis, *rest])

    def _on_mesh(self, value: Value) -> Value:
        """A stack of lanes, which lie along the axis of the mesh that has the batch's name."""
        ev, name = self.ev, self.vmap.axis
        if ev.mesh is None or name not in ev.mesh.shape:
            return value
        rest = "".join(", {?}" for _ in value.shape[1:])
        return ev.ops.create("shard", [value], sharding=f'#ingot.sharding<[{{"{name}"}}{rest}]>')

    def _lane(self, i: int, value: Value) -> Any:
        """One lane of a mapped leaf, as the function gets it."""
        leaf, axis = self.leaves[i], self.axes[i] % self.leaves[i].ndim
        made: Any = result_of(value, self.ev.location)
        if isinstance(made, Array):
            made.storage.strides = strides_of_item(whole(leaf), axis)
        if not isinstance(leaf, Sliced):
            return made
        return Sliced(made, (*leaf.spans[:axis], *leaf.spans[axis + 1 :]))

    def emit(self, node: Any) -> Any:
        ev = self.ev
        operands = [self._on_mesh(self._first(i)) for i in self.mapped]
        name = self.vmap.axis
        if name in ev.axes:
            ev.fail(f"a batch around this one has the axis {name!r}, too", "give it another name")

        def run(values: Iterable[Value]) -> Any:
            leaves = list(self.leaves)
            for i, value in zip(self.mapped, values, strict=True):
                leaves[i] = self._lane(i, value)
            args, kwargs = own(ev, rebuild(ev, self.structure, leaves))
            return ev.call(self.vmap.function, tuple(args), ev.entries(kwargs), node)

        lanes = [(list(value.shape[1:]), CODES[whole(self.leaves[i]).dtype])
                 for i, value in zip(self.mapped, operands, strict=True)]  # fmt: skip

        def first_lane() -> Any:
            # It is in no batch.
            ev.axes.pop(name, None)
            return run([ev.read(ev.subscript(fresh(value, ev.location), 0)) for value in operands])

        ev.batches.append(self.size)
        if name is not None:
            ev.axes[name] = self.size
        try:
            body = in_region(ev, lanes, run, "vmapped", first_lane)
        finally:
            ev.batches.pop()
            ev.axes.pop(name, None)
        prefix, axes = self.vmap.out_axes
        out = _spread(ev, "out_axes", prefix, iter(axes), body.structure)
        made = self._create(operands, body, out)
        shared = {number for number, (i, _) in enumerate(body.pieces()) if out[i] is None}
        values = (v if n in shared else self._on_mesh(v) for n, v in enumerate(made))
        leaves = [
            self._result(leaf, axis, values) for leaf, axis in zip(body.leaves, out, strict=True)
        ]
        return rebuild(ev, body.structure, leaves)

    def _create(self, operands: list[Value], body: Body, out: list[Any]) -> Any:
        shared = [number for number, (i, _) in enumerate(body.pieces()) if out[i] is None]
        types = []
        for (i, _), (shape, code) in zip(body.pieces(), body.types(), strict=True):
            types.append((shape if out[i] is None else [self.size, *shape], code))
        self.ev.has_transformations = True
        attributes = {"name": name_of(self.vmap.function), "size": self.size, "shared": shared}
        if self.vmap.axis is not None:
            attributes["axis"] = self.vmap.axis
        return self.ev.ops.builder.create("ingot.vmap", operands, attributes, types, 1)

    def _result(self, leaf: Any, axis: int | None, values: Iterator[Value]) -> Any:
        """A leaf of the result, from the next of `values` unless the leaf is static."""
        ev = self.ev
        if not has_values(leaf):
            is_number = isinstance(leaf, STATIC_NUMBERS) and axis is not None
            if not is_number:
                return leaf
            value = ev.ops.scalar(leaf)
            return fresh(ev.ops.broadcast(value, [self.size]), ev.location)
        value = next(values)
        if axis is None:
            made = like(ev, leaf, value)
            return with_lengths(made, values) if isinstance(made, Sliced) else made
        rank = len(whole(leaf).shape) + 1
        if not -rank <= axis < rank:
            ev.fail(
                f"out_axes has axis {axis} for a result of {rank} axes",
                f"axes are from {-rank} to {rank - 1}",
                ShapeError,
            )
        order = list(range(1, rank))
        order.insert(axis % rank, 0)
        made = fresh(ev.ops.transpose(value, order), ev.location)
        if not isinstance(leaf, Sliced):
            return made
        part = with_lengths(leaf, map(self._common, values))
        return Sliced(made, (*part.spans[: axis % rank], None, *part.spans[axis % rank :]))

    def _common(self, lengths: Value) -> Value:
        """The length that all lanes' results have, which a check at run time ensures."""
        ev = self.ev
        first = ev.read(ev.subscript(fresh(lengths), 0))
        same = ev.ops.compare("eq", lengths, ev.ops.broadcast(first, lengths.shape), INT)
        ev.check_nearly(predicate(ev.ops.reduce("and", same, [0])), "ValueError", LENGTHS)
        return first
