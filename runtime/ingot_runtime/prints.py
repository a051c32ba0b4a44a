"""Prints and callbacks of programs, as Python callbacks of XLA."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ingot_runtime import old_checks, stablehlo
from ingot_runtime.effects import CALLBACKS, Effect, Unordered, Values
from ingot_runtime.linking import PRINT, UNORDERED


def with_callbacks(text: str, functions: list[Callable[..., Any]]) -> str:
    """JAX's module, whose callbacks are made calls of functions of this process.

    Args:
        text: the module.
        functions: its callbacks, by the numbers that they have in it.
    """
    from jaxlib.mlir import ir

    module = stablehlo.parse(text)

    def visit(operation: Any) -> Any:
        attributes = operation.attributes
        if operation.name != "stablehlo.custom_call":
            return ir.WalkResult.ADVANCE
        if not _JAX_CALLBACK.match(ir.StringAttr(attributes["call_target_name"]).value):
            return ir.WalkResult.ADVANCE
        index = ir.IntegerAttr(ir.DictAttr(attributes["mhlo.backend_config"])["index"]).value
        CALLBACKS.append(functions[index])
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), len(CALLBACKS) - 1)
        attributes["backend_config"] = ir.DictAttr.get({"callback": number})
        attributes["api_version"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 4)
        attributes["call_target_name"] = ir.StringAttr.get(UNORDERED)
        for name in ("mhlo.backend_config", "sdy.sharding"):
            if name in attributes:
                del attributes[name]
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(visit)
        for each in list(module.body.operations):
            # The mesh of one device, which the callbacks' shardings named.
            if each.operation.name == "sdy.mesh":
                each.operation.erase()
    return str(module)


#: The targets of callbacks in JAX's modules.
_JAX_CALLBACK = re.compile(r"xla_ffi_(partitioned_)?python_(cpu|gpu)_callback")


def with_prints(
    text: str | bytes, platform: str, functions: Sequence[Callable[..., Any]] = CALLBACKS
) -> tuple[Any, list[Any]]:
    """The module with its prints replaced by Python callbacks, and the functions that they call.

    Args:
        functions: the functions that it may call, by the numbers that they have in it.
    """
    module = stablehlo.parse(text)
    callbacks: list[Any] = []

    def add(effect: Effect) -> int:
        callbacks.append(effect)
        return len(callbacks) - 1

    replace_prints(module, platform, add, functions)
    return module, callbacks


def replace_prints(
    module: Any,
    platform: str,
    add: Callable[[Effect], int],
    functions: Sequence[Callable[..., Any]] = CALLBACKS,
) -> None:
    """Replace the prints of a module by calls of Python callbacks.

    Args:
        module: a `jaxlib.mlir.ir.Module`, which is changed.
        platform: the platform that it will be compiled for.
        add: called with each callback; returns its number in the program.
        functions: the functions that it may call, by the numbers that they have in it.
    """
    from jaxlib.mlir import ir

    target = f"xla_ffi_python_{'cpu' if platform == 'cpu' else 'gpu'}_callback"
    found: list[tuple[Any, str]] = []

    def visit(operation: Any) -> Any:
        if operation.name == "stablehlo.custom_call":
            name = ir.StringAttr(operation.attributes["call_target_name"]).value
            if name in (PRINT, UNORDERED):
                found.append((operation, name))
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(visit)
        for operation, name in found:
            attributes = operation.attributes
            config = ir.DictAttr(attributes["backend_config"])
            number = add(
                _effect(operation, config, functions)
                if name == PRINT
                else Unordered(_called(config, functions))
            )
            index = ir.IntegerAttr.get(ir.IntegerType.get_unsigned(64), number)
            attributes["backend_config"] = ir.DictAttr.get({"index": index})
            attributes["call_target_name"] = ir.StringAttr.get(target)


def _called(config: Any, functions: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    from jaxlib.mlir import ir

    return functions[ir.IntegerAttr(config["callback"]).value]


def _effect(operation: Any, config: Any, functions: Sequence[Callable[..., Any]]) -> Effect:
    from jaxlib.mlir import ir

    text = ir.StringAttr(config["format"]).value
    # Formats of artifacts up to 4 have no number.
    old = None if "check" in config else old_checks.number_of(text)
    if old is not None:
        return Values(*old)
    check = ir.IntegerAttr(config["check"]).value if "check" in config else 0
    if check:
        return Values(check)
    if "callback" not in config:
        return Effect(text, None)
    # The first result is the status.
    types = [stablehlo.type_of(each.type) for each in list(operation.results)[1:]]
    results = tuple((shape, dtype) for dtype, shape in types)
    return Effect(text, _called(config, functions), results)
