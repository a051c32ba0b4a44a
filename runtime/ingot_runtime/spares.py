"""Memory of large results that is used again.

XLA takes memory for results from malloc, which gives what is large back to the system at once; to
get it again, page by page, takes longer than most programs compute. So a program on the CPU takes
one more argument for each large result, by which it is given the memory for it: that of an earlier
result, of the same dtype and shape, to which no array refers any more.
"""

from __future__ import annotations

import math
import sys
from typing import Any

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


class _Spare:
    __slots__ = ("buffer", "key", "size")

    def __init__(self, buffer: Any, key: Any, size: int) -> None:
        self.buffer, self.key, self.size = buffer, key, size


#: What was used last comes last. Threads change it by single operations of lists alone.
_idle: list[_Spare] = []
clients.WHEN_LEFT.append(_idle.clear)


def with_spares(module: Any) -> Any:
    """The module with one more argument for each large result."""
    from jaxlib.mlir import ir

    with module.context, ir.Location.unknown():
        (main,) = (
            each
            for each in module.body.operations
            if ir.StringAttr(each.attributes["sym_name"]).value == "main"
        )
        type_ = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        large = [i for i, each in enumerate(type_.results) if _bytes_of(each) >= LEAST]
        if not large:
            return module
        inputs = [*type_.inputs, *(type_.results[i] for i in large)]
        known: list[Any] = [ir.DictAttr.get()] * len(type_.inputs)
        if "arg_attrs" in main.attributes:
            known = [*ir.ArrayAttr(main.attributes["arg_attrs"])]
        integer = ir.IntegerType.get_signless(32)
        added = [ir.DictAttr.get({ALIAS: ir.IntegerAttr.get(integer, i)}) for i in large]
        for i in large:
            main.regions[0].blocks[0].add_argument(type_.results[i], ir.Location.unknown())
        signature = ir.FunctionType.get(inputs, type_.results)
        main.attributes["function_type"] = ir.TypeAttr.get(signature)
        main.attributes["arg_attrs"] = ir.ArrayAttr.get([*known, *added])
    return module


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
