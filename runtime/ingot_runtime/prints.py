"""Prints and callbacks of programs, as Python callbacks of XLA."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ingot_runtime import stablehlo
from ingot_runtime.effects import CALLBACKS, Effect
from ingot_runtime.linking import PRINT


def with_prints(text: str | bytes, platform: str) -> tuple[Any, list[Any]]:
    """The module with its prints replaced by Python callbacks, and the functions that they call."""
    module = stablehlo.parse(text)
    callbacks: list[Any] = []

    def add(effect: Effect) -> int:
        callbacks.append(effect)
        return len(callbacks) - 1

    replace_prints(module, platform, add)
    return module, callbacks


def replace_prints(module: Any, platform: str, add: Callable[[Effect], int]) -> None:
    """Replace the prints of a module by calls of Python callbacks.

    Args:
        module: a `jaxlib.mlir.ir.Module`, which is changed.
        platform: the platform that it will be compiled for.
        add: called with each callback; returns its number in the program.
    """
    from jaxlib.mlir import ir

    target = f"xla_ffi_python_{'cpu' if platform == 'cpu' else 'gpu'}_callback"

    def visit(operation: Any) -> Any:
        attributes = operation.attributes
        if operation.name != "stablehlo.custom_call":
            return ir.WalkResult.ADVANCE
        if ir.StringAttr(attributes["call_target_name"]).value == PRINT:
            number = add(_effect(operation, ir.DictAttr(attributes["backend_config"])))
            index = ir.IntegerAttr.get(ir.IntegerType.get_unsigned(64), number)
            attributes["backend_config"] = ir.DictAttr.get({"index": index})
            attributes["call_target_name"] = ir.StringAttr.get(target)
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(visit)


def _effect(operation: Any, config: Any) -> Effect:
    from jaxlib.mlir import ir

    text = ir.StringAttr(config["format"]).value
    if "callback" not in config:
        return Effect(text, None)
    # The first result is the status.
    types = [ir.RankedTensorType(each.type) for each in list(operation.results)[1:]]
    results = tuple((tuple(each.shape), _dtype(str(each.element_type))) for each in types)
    return Effect(text, CALLBACKS[ir.IntegerAttr(config["callback"]).value], results)


#: NumPy's names of the kinds of element types.
_KINDS = {"i": "int", "ui": "uint", "f": "float"}


def _dtype(element: str) -> np.dtype:
    """The dtype of an element type in StableHLO's text, such as `ui8` or `complex<f32>`."""
    if element == "i1":
        return np.dtype(bool)
    if element.startswith("complex"):
        return np.dtype(f"complex{2 * int(element[9:-1])}")
    letters = element.rstrip("0123456789")
    return np.dtype(f"{_KINDS[letters]}{element[len(letters) :]}")
