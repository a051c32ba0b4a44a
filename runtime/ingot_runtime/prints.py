"""Prints and callbacks of programs, as Python callbacks of XLA."""

from __future__ import annotations

from typing import Any

from ingot_runtime import stablehlo
from ingot_runtime.effects import CALLBACKS, Effect
from ingot_runtime.linking import PRINT


def with_prints(text: str | bytes, platform: str) -> tuple[Any, list[Any]]:
    """The module with its prints replaced by Python callbacks, and the functions that they call."""
    from jaxlib.mlir import ir

    module = stablehlo.parse(text)
    callbacks: list[Any] = []
    kind = "cpu" if platform == "cpu" else "gpu"

    def visit(operation: Any) -> Any:
        attributes = operation.attributes
        if operation.name == "stablehlo.custom_call":
            name = ir.StringAttr(attributes["call_target_name"]).value
            if name == PRINT:
                config = ir.DictAttr(attributes["backend_config"])
                text = ir.StringAttr(config["format"]).value
                number = ir.IntegerAttr(config["callback"]).value if "callback" in config else None
                function = None if number is None else CALLBACKS[number]
                callbacks.append(Effect(text, function))
                index = ir.IntegerAttr.get(ir.IntegerType.get_unsigned(64), len(callbacks) - 1)
                attributes["backend_config"] = ir.DictAttr.get({"index": index})
                target = f"xla_ffi_python_{kind}_callback"
                attributes["call_target_name"] = ir.StringAttr.get(target)
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(visit)
    return module, callbacks
