"""Memory of large results that is used again, and that of arguments that are donated.

XLA takes memory for results from malloc, which gives what is large back to the system at once; to
get it again, page by page, takes longer than most programs compute. So a program on the CPU takes
one more argument for each large result, by which it is given the memory for it: that of an earlier
result, of the same dtype and shape, to which no array refers any more.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ingot_runtime import clients
from ingot_runtime.clients import jaxlib

#: The bytes from which results have it; `clients` makes malloc keep what is smaller.
LEAST = clients.MOST_KEPT_BY_MALLOC
#: The bytes that are kept for results to come.
LIMIT = 512 << 20
#: XLA takes an argument of this attribute for the result of that number.
ALIAS = "tf.aliasing_output"


#: What `sys.getrefcount` says where there is one reference, and the argument.
ONLY_REFERENCE = 2


#: The attribute of a program that says which arguments are donated for which results.
DONATED = "ingot.donated"


class Donations(NamedTuple):
    """The inputs whose memory outputs may take, and these outputs, by their numbers."""

    inputs: Sequence[int] = ()
    outputs: Sequence[int] = ()


class _Spare:
    __slots__ = ("buffer", "key", "size")

    def __init__(self, buffer: Any, key: Any, size: int) -> None:
        self.buffer, self.key, self.size = buffer, key, size


#: What was used last comes last. Threads change it by single operations of lists alone.
_idle: list[_Spare] = []
clients.WHEN_LEFT.append(_idle.clear)


def with_aliases(module: Any, donations: Donations, *, has_spares: bool) -> Any:
    """The module with results in the memory of donated arguments of their types, and with one more
    argument for each other large result."""
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
    """For each input that is donated an output of its type, as long as there is one."""
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
    """A buffer for a result, or None if there is none."""
    # What XLA has let go in threads of its own it forgets on this call.
    jaxlib()._xla.collect_garbage()
    key = dtype, shape, device
    for spare in reversed([*_idle]):
        if spare.key != key or sys.getrefcount(spare.buffer) > ONLY_REFERENCE:
            continue
        try:
            _idle.remove(spare)
        except ValueError:
            # Another thread has taken it.
            continue
        return spare.buffer
    return None


def give_back(buffer: Any, dtype: np.dtype, shape: tuple[int, ...], device: Any) -> None:
    """Take the buffer of a result when an array over it has ended.

    As long as another one refers to it, no program is given it.
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
