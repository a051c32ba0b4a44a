"""Reuse of memory for large results, and of the memory of donated arguments.

XLA allocates results with malloc, which returns large blocks to the system at once. Getting them
again, page by page, takes longer than most programs. So a program on the CPU has one additional
argument for each large result, which provides its memory: a spare buffer, which is an earlier
result of the same dtype and shape to which no array refers any more.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ingot_runtime import clients
from ingot_runtime.clients import jaxlib

#: The size in bytes from which results use spare buffers; `clients` makes malloc keep smaller ones.
LEAST = clients.MOST_KEPT_BY_MALLOC
#: The most bytes in spare buffers.
LIMIT = 512 << 20
#: The attribute that makes an argument share its memory with the result of that index.
ALIAS = "tf.aliasing_output"


#: The value of `sys.getrefcount` for a single reference: it counts its own argument, too.
ONLY_REFERENCE = 2


#: The attribute of a program that lists the donated arguments and their results.
DONATED = "ingot.donated"


class Donations(NamedTuple):
    """The indices of the donated inputs, and of the outputs that may reuse their memory."""

    inputs: Sequence[int] = ()
    outputs: Sequence[int] = ()


class _Spare:
    __slots__ = ("buffer", "key", "size")

    def __init__(self, buffer: Any, key: Any, size: int) -> None:
        self.buffer, self.key, self.size = buffer, key, size


#: The spare buffers, the most recently used last. For thread safety, only atomic list operations
#: change it.
_idle: list[_Spare] = []
clients.WHEN_LEFT.append(_idle.clear)


def with_aliases(module: Any, donations: Donations, *, has_spares: bool) -> Any:
    """Make results of a module alias donated arguments of the same type, and add an argument for
    the memory of each other large result."""
    from jaxlib.mlir import ir

    with module.context, ir.Location.unknown():
        (main,) = (
            each
            for each in module.body.operations
            if ir.StringAttr(each.attributes["sym_name"]).value == "main"
        )
        type_ = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        donated = _matched(type_, donations)
        large = [
            i
            for i, each in enumerate(type_.results)
            if has_spares and _bytes_of(each) >= LEAST and i not in donated.values()
        ]
        if not large and not donated:
            return module
        inputs = [*type_.inputs, *(type_.results[i] for i in large)]
        known: list[Any] = [ir.DictAttr.get()] * len(type_.inputs)
        if "arg_attrs" in main.attributes:
            known = [*ir.ArrayAttr(main.attributes["arg_attrs"])]
        integer = ir.IntegerType.get_signless(32)

        def alias(output: int) -> Any:
            return ir.DictAttr.get({ALIAS: ir.IntegerAttr.get(integer, output)})

        added = [alias(i) for i in large]
        for i, output in donated.items():
            known[i] = alias(output)
        if donated:
            said = ",".join(f"{i}:{output}" for i, output in donated.items())
            facts = ir.DictAttr.get({DONATED: ir.StringAttr.get(said)})
            module.operation.attributes["mhlo.frontend_attributes"] = facts
        for i in large:
            main.regions[0].blocks[0].add_argument(type_.results[i], ir.Location.unknown())
        signature = ir.FunctionType.get(inputs, type_.results)
        main.attributes["function_type"] = ir.TypeAttr.get(signature)
        main.attributes["arg_attrs"] = ir.ArrayAttr.get([*known, *added])
    return module


def _matched(type_: Any, donations: Donations) -> dict[int, int]:
    """The donated inputs, each matched with an unused output of the same type if there is one."""
    free = [*donations.outputs]
    found = {}
    for i in donations.inputs:
        fitting = [each for each in free if type_.results[each] == type_.inputs[i]]
        if fitting:
            found[i] = fitting[0]
            free.remove(fitting[0])
    return found


def _bytes_of(type_: Any) -> int:
    from jaxlib.mlir import ir

    array = ir.RankedTensorType(type_)
    item: Any = array.element_type
    parts = 1
    if isinstance(item, ir.ComplexType):
        item, parts = ir.ComplexType(item).element_type, 2
    return int(math.prod(array.shape) * parts * -(-item.width // 8))


def take(dtype: np.dtype, shape: tuple[int, ...], device: Any) -> Any:
    """A spare buffer for a result, or None."""
    # Frees references that XLA's threads have released.
    jaxlib()._xla.collect_garbage()
    key = dtype, shape, device
    for spare in reversed([*_idle]):
        if spare.key != key or sys.getrefcount(spare.buffer) > ONLY_REFERENCE:
            continue
        try:
            _idle.remove(spare)
        except ValueError:
            # Another thread was faster.
            continue
        return spare.buffer
    return None


def give_back(buffer: Any, dtype: np.dtype, shape: tuple[int, ...], device: Any) -> None:
    """Keep the buffer of a result as a spare when an array that uses it is deleted.

    `take` skips it as long as another array refers to it.
    """
    if clients.is_left(device):
        return
    if any(each.buffer is buffer for each in [*_idle]):
        return
    size = math.prod(shape) * dtype.itemsize
    _idle.append(_Spare(buffer, (dtype, shape, device), size))
    while sum(each.size for each in [*_idle]) > LIMIT:
        del _idle[:1]


def idle_bytes() -> int:
    return sum(each.size for each in [*_idle])
