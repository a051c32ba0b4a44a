"""Which of its kinds a `Joined` number has at run time: an index into its kinds in order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import BOOL, INT
from ingot.syntax.ops import Ops, static_kind
from ingot.syntax.types import ScalarType, of_kind
from ingot.syntax.values import MET, Joined, Kinds, Scalar, kinds_of, ordered


def number_of(type_: ScalarType, leaves: Iterator[Value]) -> Scalar:
    """A number of this type from its SSA values."""
    value = next(leaves)
    if type_.kinds is None:
        return Scalar(value, type_.dtype, type_.weak, origin=MET)
    made = Joined(value, type_.dtype, type_.weak, type_.kinds, next(leaves))
    made.origin = MET
    return made


def as_type(ops: Ops, number: Any, type_: ScalarType) -> Scalar:
    """A number as one of this type, of which its kind is one."""
    value = ops.convert(number.value, type_.dtype)
    which = [which_of(ops, number, type_.kinds)] if type_.kinds else []
    return number_of(type_, iter([value, *which]))


def which_of(ops: Ops, number: Any, kinds: Kinds) -> Value:
    """The index of a number's kind, one of `kinds`."""
    if isinstance(number, Joined):
        return _looked_up(ops, number.which, _positions(number.kinds, kinds))
    (kind,) = _kinds_of(number)
    return ops.constant(_indices(kinds)[kind], INT)


def which_of_rows(
    ops: Ops, which: Value | None, old: ScalarType, new: ScalarType, shape: tuple[int, ...]
) -> Value:
    """The indices of the kinds of numbers in an array that get another type.

    Args:
        ops: emits operations.
        which: the indices by the old type; None if it has one kind.
        old, new: the types of the numbers.
        shape: that of the array.
    """
    table = _positions(old.all_kinds, new.all_kinds)
    if which is None:
        return ops.broadcast(ops.constant(table[0], INT), shape)
    return _looked_up(ops, which, table)


def computed(
    ops: Ops, value: Value, type_: tuple[Any, type | None], outcome: Callable[..., Any],
    operands: Sequence[Any],
) -> Scalar:  # fmt: skip
    """A number that is computed from others, some of which may be `Joined`.

    Args:
        ops: emits operations.
        value: its value.
        type_: the dtype of the value, and the Python type that its kinds promote to, or None.
        outcome: gives its kind for kinds of the operands.
        operands: the others.
    """
    choices = [ordered(_kinds_of(each)) for each in operands]
    found = [outcome(*each) for each in itertools.product(*choices)]
    kinds = frozenset(found)
    if len(kinds) == 1:
        return Scalar(value, *type_)
    joined = [each for each in operands if isinstance(each, Joined)]
    index = joined[0].which
    for each in joined[1:]:
        scaled = _binary(ops, "mul", index, ops.constant(len(each.kinds), INT))
        index = _binary(ops, "add", scaled, each.which)
    indices = _indices(kinds)
    which = _looked_up(ops, index, [indices[kind] for kind in found])
    return Joined(value, *type_, kinds, which)


def has_kind(ops: Ops, which: Value, kind: Any, kinds: Kinds) -> Value:
    """Whether numbers have a kind: a predicate, or an array of them.

    Args:
        ops: emits operations.
        which: the index of the kind of a number, or an array of them.
        kind: one of `kinds`.
        kinds: the kinds that the numbers may have.
    """
    return _is(ops, which, _indices(kinds)[kind])


def split(ops: Ops, number: Joined) -> tuple[Scalar, Scalar, Scalar]:
    """Whether a number has the first of its kinds, and the number if it has and if not."""
    first, *rest = ordered(number.kinds)
    test = Scalar(has_kind(ops, number.which, first, number.kinds), BOOL, bool)
    other = ScalarType(number.held, number.weak, frozenset(rest)) if rest[1:] else of_kind(*rest)
    return test, as_type(ops, number, of_kind(first)), as_type(ops, number, other)


def tested(ops: Ops, number: Scalar, test: Callable[[Any], bool]) -> Scalar | bool:
    """What a test says of the kind that a number has; at run time if that depends on the path."""
    order = ordered(kinds_of(number))
    found = [test(kind) for kind in order]
    if len({*found}) == 1 or not isinstance(number, Joined):
        return found[0]
    index = _looked_up(ops, number.which, list(map(int, found)))
    return Scalar(_is(ops, index, 1), BOOL, bool)


def _kinds_of(number: Any) -> Kinds:
    return kinds_of(number) if isinstance(number, Scalar) else frozenset((static_kind(number),))


def _positions(old: Kinds, new: Kinds) -> list[int]:
    """The index among `new` of each of the old kinds in order; 0 if it is known not to occur."""
    indices = _indices(new)
    return [indices.get(kind, 0) for kind in ordered(old)]


def _indices(kinds: Kinds) -> dict[np.dtype | type, int]:
    # A dtype equals a Python type, but has another hash.
    return {kind: i for i, kind in enumerate(ordered(kinds))}


def _binary(ops: Ops, name: str, a: Value, b: Value) -> Value:
    return ops.elementwise(name, [a, b], [INT, INT])


def _looked_up(ops: Ops, index: Value, table: list[int]) -> Value:
    """`table[index]`, for one index or an array of them."""
    if table == list(range(len(table))):
        return index

    found = _full(ops, table[-1], index)
    for i, entry in enumerate(table[:-1]):
        if entry != table[-1]:
            found = ops.select(_is(ops, index, i), _full(ops, entry, index), found)
    return found


def _is(ops: Ops, index: Value, number: int) -> Value:
    return ops.compare("eq", index, _full(ops, number, index), INT)


def _full(ops: Ops, number: int, like: Value) -> Value:
    return ops.broadcast(ops.constant(number, INT), like.shape)
