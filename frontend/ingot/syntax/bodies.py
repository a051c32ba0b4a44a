"""Functions evaluated in a region of their own: their leaves, what they yield, and copies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import CODES, OF_PYTHON, STATIC_NUMBERS
from ingot.numpy.layout import shares_elements, strides_of
from ingot.syntax.branches import Raised
from ingot.syntax.cells import cell_numbers
from ingot.syntax.dynamic import Part, Sliced
from ingot.syntax.ops import fresh, static_kind
from ingot.syntax.pieces import all_left_aligned, lengths, whole, with_lengths, with_whole
from ingot.syntax.state import Region
from ingot.syntax.trees import flatten, rebuild
from ingot.syntax.values import MET, Array, OneOf, OrNone, Scalar, is_runtime

#: The shape and the code of the element type of an SSA value.
Type = tuple[list[int], int]


def has_values(leaf: Any) -> bool:
    """Whether a leaf is known at run time only."""
    kind = type(leaf)
    return kind is Array or kind is Scalar or is_runtime(whole(leaf))


def is_number(leaf: Any) -> bool:
    return has_values(leaf) or isinstance(leaf, STATIC_NUMBERS)


def dtype_of(leaf: Any) -> np.dtype:
    if type(leaf) is Array:
        return leaf.dtype
    if has_values(leaf):
        return whole(leaf).held
    kind = static_kind(leaf)
    return kind if isinstance(kind, np.dtype) else OF_PYTHON[kind]


def is_differentiable(leaf: Any) -> bool:
    return is_number(leaf) and dtype_of(leaf).kind in "fc"


def value_of(ev: Any, leaf: Any) -> Value:
    return ev.read(whole(leaf)) if has_values(leaf) else ev.ops.constant(leaf, dtype_of(leaf))


def like(ev: Any, leaf: Any, value: Value) -> Any:
    """The SSA value as a number, an array or an array of dynamic length, as the leaf is one."""
    if isinstance(leaf, Part):
        return with_whole(leaf, fresh(value, ev.location))
    if isinstance(leaf, Array):
        return fresh(value, ev.location)
    weak = leaf.weak if isinstance(leaf, Scalar) else type(leaf)
    return Scalar(value, dtype_of(leaf), weak if weak in OF_PYTHON else None, origin=MET)


def laid_like(ev: Any, leaf: Any, value: Value) -> Any:
    """As `like`; an array also has the memory layout of the leaf."""
    if isinstance(leaf, Part):
        return with_whole(leaf, laid_like(ev, leaf.dense, value))
    made = like(ev, leaf, value)
    if isinstance(made, Array):
        made.storage.strides = strides_of(leaf)
        made.writable = not shares_elements(leaf.shape, made.storage.strides)
    return made


def code_of(leaf: Any) -> Type:
    return list(whole(leaf).shape) if has_values(leaf) else [], CODES[dtype_of(leaf)]


def own(ev: Any, value: Any) -> Any:
    """A tree with copies of its arrays, so that a derivative does not change its arguments."""
    leaves: list[Any] = []
    structure = flatten(ev, value, leaves)
    return rebuild(
        ev,
        structure,
        [laid_like(ev, x, value_of(ev, x)) if isinstance(x, (Array, Part)) else x for x in leaves],
    )


@dataclass
class Body:
    """The result of a function that was evaluated in a region: its structure and leaves."""

    structure: Any
    leaves: list[Any]

    def yielded(self) -> list[int]:
        """The indices of the leaves that the region yields: those known at run time only."""
        return [i for i, leaf in enumerate(self.leaves) if has_values(leaf)]

    def pieces(self) -> list[tuple[int, Any]]:
        """The operands of the region's yield, each with the index of its leaf.

        A leaf of dynamic length has several: the dense array and its lengths.
        """
        return [
            (i, piece)
            for i in self.yielded()
            for piece in (whole(self.leaves[i]), *lengths(self.leaves[i]))
        ]

    def types(self) -> list[Type]:
        return [code_of(piece) for _, piece in self.pieces()]

    def outside(self, ev: Any, values: Iterator[Value]) -> list[Any]:
        """The leaves, with the operation's results in place of the values in the region."""
        found = []
        for leaf in self.leaves:
            made = laid_like(ev, leaf, next(values)) if has_values(leaf) else leaf
            found.append(with_lengths(made, values) if isinstance(made, Sliced) else made)
        return found

    def result(self, ev: Any, values: Iterator[Value]) -> Any:
        return rebuild(ev, self.structure, self.outside(ev, values))


def evaluate(ev: Any, primals: list[Any], run: Callable[[list[Any]], Any]) -> Body:
    """Evaluate a function in a new region whose block arguments stand for the primals."""

    def on_values(values: Iterable[Value]) -> Any:
        pairs = zip(primals, values, strict=True)
        return run([laid_like(ev, leaf, value) for leaf, value in pairs])

    types = [code_of(leaf) for leaf in primals]
    return in_region(ev, types, on_values, "differentiated", lambda: run(primals))


def in_region(
    ev: Any, types: list[Type], run: Callable[[Iterable[Value]], Any], what: str,
    outside: Callable[[], Any],
) -> Body:  # fmt: skip
    """Evaluate a function in a new region.

    Args:
        ev: the evaluator.
        types: the types of the region's block arguments.
        run: the function, which takes the block arguments.
        what: the transformation, as errors name it.
        outside: runs the function outside of the region. If `run` raises an exception for sure, the
            region is discarded and the exception is raised there.
    """
    first = next(cell_numbers)
    mark, caller = ev.ops.builder.mark(), ev.mark_calls()
    arguments = ev.ops.builder.begin_region(types)
    region = Region()
    ev.regions.append(region)
    leaves: list[Any] = []
    try:
        structure = flatten(ev, run(arguments), leaves)
        if OneOf in map(type, leaves):
            ev.fail(
                f"a function that is {what} returns different structures on different paths",
                "return one type on every path",
                page="types-on-paths",
            )
        if OrNone in map(type, leaves):
            ev.fail(
                f"a function that is {what} returns a value that may be None",
                "return a number that stands for None, such as NaN",
                page="types-on-paths",
            )
        if slice in map(type, leaves):
            ev.fail(
                f"a function that is {what} returns a slice",
                "return its bounds: (start, stop)",
            )
        leaves = all_left_aligned(ev, leaves)
    except Raised:
        ev.return_to(caller)
        ev.regions.pop().undo()
        ev.ops.builder.rollback(mark)
        outside()
        raise
    body = Body(structure, leaves)
    ev.ops.builder.end_region("ingot.yield", [ev.read(piece) for _, piece in body.pieces()])
    ev.regions.pop()
    if ev.node is not None:
        ev.at(ev.node)
    # Values captured in the region are inputs of the whole program: only writes are refused.
    changed = next((cell for cell in region.written if cell.number < first), None)
    if changed is not None:
        noun = "an array" if changed.kind is np.ndarray else f"a {changed.kind.__name__}"
        verb = "stores to" if changed.kind is np.ndarray else "changes"
        ev.fail(
            f"a function that is {what} {verb} {noun} from outside",
            f"pass the {noun.split()[1]} as an argument, or return what changes",
        )
    region.undo()
    return body


class Copy:
    """The region of a body, kept to be copied to several insertion points."""

    def __init__(self, ev: Any, body: Body) -> None:
        self.ev, self.body = ev, body
        self.number = ev.ops.builder.keep_region()
        self.is_array = [piece is whole(body.leaves[i]) for i, piece in body.pieces()]

    def arrays(self, primals: list[Any]) -> tuple[Any, ...]:
        """The leaves for other primals, computed here, all of each."""
        values = self._copied(primals, are_arrays=True)
        return tuple(
            laid_like(self.ev, whole(leaf), value)
            for leaf, value in zip(self.body.leaves, values, strict=True)
        )

    def effects(self, primals: list[Any]) -> list[Any]:
        """Checks and prints for other primals; gives leaves with zeros, of the lengths there."""
        counts = iter(self._copied(primals, are_arrays=False))
        zeros = self.ev.ops.zeros
        values = (
            zeros(piece.shape, piece.dtype) if is_array else next(counts)
            for is_array, (_, piece) in zip(self.is_array, self.body.pieces(), strict=True)
        )
        return self.body.outside(self.ev, values)

    def _copied(self, primals: list[Any], are_arrays: bool) -> list[Value]:
        wanted = [n for n, is_array in enumerate(self.is_array) if is_array == are_arrays]
        given = [value_of(self.ev, leaf) for leaf in primals]
        return self.ev.ops.builder.copy_kept(self.number, given, wanted)
