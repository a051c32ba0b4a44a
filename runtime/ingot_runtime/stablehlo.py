"""Parsing, linking and serialisation of StableHLO modules, with jaxlib's StableHLO."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np


def linked(text: str, parts: dict[str, str]) -> str:
    """Link a module: define each declared function by the `main` of another module.

    Args:
        text: the module.
        parts: the texts of the other modules, by the name of the declared function.

    Raises:
        ValueError: a part is not a module with a `main` of the declared type.
    """
    from jaxlib.mlir import ir

    module = parse(text)
    with module.context:
        declared = {
            ir.StringAttr(op.attributes["sym_name"]).value: op for op in module.body.operations
        }
        for name, part in parts.items():
            found = _functions_of(part, name)
            main = next((op for op in found if op.attributes["sym_name"].value == name), None)
            wanted = declared[name].attributes["function_type"]
            if main is None or main.attributes["function_type"] != wanted:
                kind = "none" if main is None else str(main.attributes["function_type"])
                raise ValueError(f"StableHLO of {name}: `main` is {kind}, not {wanted}")
            main.attributes["sym_visibility"] = ir.StringAttr.get("private")
            declared[name].erase()
            for op in found:
                module.body.append(op)
    return str(module)


def _functions_of(part: str, name: str) -> list[Any]:
    """The functions of a module, with `main` renamed to `name` and others prefixed with it."""
    from jaxlib.mlir import ir

    try:
        parsed = ir.Module.parse(part)
    except ir.MLIRError as error:
        raise ValueError(f"StableHLO of {name}: {error}") from None
    found = [op.operation.detach_from_parent() for op in list(parsed.body.operations)]
    names = [ir.StringAttr(op.attributes["sym_name"]).value for op in found]
    renamed = {each: name if each == "main" else f"{name}.{each}" for each in names}

    def visit(operation: Any) -> Any:
        if "callee" in operation.attributes:
            old = ir.FlatSymbolRefAttr(operation.attributes["callee"]).value
            operation.attributes["callee"] = ir.FlatSymbolRefAttr.get(renamed.get(old, old))
        return ir.WalkResult.ADVANCE

    for op, each in zip(found, names, strict=True):
        op.attributes["sym_name"] = ir.StringAttr.get(renamed[each])
        op.walk(visit)
    return found


def _stablehlo_context() -> Any:
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, sdy, stablehlo

    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    chlo.register_dialect(context)
    # JAX's text of calls of LAPACK has attributes of Shardy.
    sdy.register_dialect(context)
    stablehlo.register_dialect(context)
    return context


def parse(module: str | bytes) -> Any:
    """Parse and verify a module that is text or a portable artifact.

    Raises:
        jaxlib.mlir.ir.MLIRError: jaxlib does not accept it.
    """
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    context = _stablehlo_context()
    if isinstance(module, bytes):
        parsed = stablehlo.deserialize_portable_artifact(context, module)
    else:
        parsed = ir.Module.parse(module, context=context)
    parsed.operation.verify()
    return parsed


def main_of(module: Any) -> Any:
    """The entry function of a parsed module."""
    from jaxlib.mlir import ir

    operations = [each.operation for each in module.body.operations]
    names = [ir.StringAttr(each.attributes["sym_name"]).value for each in operations]
    return operations[names.index("main")]


def types_of(module: Any) -> tuple[list[Any], list[Any]]:
    """The dtypes and shapes of the inputs and of the outputs of a parsed module's `@main`."""
    from jaxlib.mlir import ir

    with module.context:
        made = ir.FunctionType(ir.TypeAttr(main_of(module).attributes["function_type"]).value)
        return list(map(type_of, made.inputs)), list(map(type_of, made.results))


def type_of(type_: Any) -> tuple[np.dtype, tuple[int, ...]]:
    """The dtype and shape of a tensor type."""
    from jaxlib.mlir import ir

    tensor = ir.RankedTensorType(type_)
    return dtype_of(str(tensor.element_type)), tuple(tensor.shape)


#: NumPy's names of the kinds of element types.
_KINDS = {"i": "int", "ui": "uint", "f": "float"}


def dtype_of(element: str) -> np.dtype:
    """The dtype of an element type in StableHLO's text, such as `ui8` or `complex<f32>`."""
    if element == "i1":
        return np.dtype(bool)
    if element.startswith("complex"):
        return np.dtype(f"complex{2 * int(element[9:-1])}")
    letters = element.rstrip("0123456789")
    return np.dtype(f"{_KINDS[letters]}{element[len(letters) :]}")


def portable(text: str, target: str) -> bytes:
    """Serialise text as a portable artifact, for readers of version `target` of StableHLO or later.

    Operations of CHLO, which is not versioned, are expanded first.
    """
    from jaxlib.mlir import passmanager
    from jaxlib.mlir.dialects import stablehlo

    module = parse(text)
    if "chlo." in text:
        _register_passes()
        with module.context:
            expand = "builtin.module(func.func(chlo-legalize-to-stablehlo))"
            passmanager.PassManager.parse(expand).run(module.operation)
    # Shardings are attributes of Shardy's, which VHLO does not have.
    has_shardings = "sdy." in text
    return stablehlo.serialize_portable_artifact(module, target, has_shardings)


@functools.cache
def _register_passes() -> None:
    from jaxlib.mlir.dialects import stablehlo

    stablehlo.register_stablehlo_passes()
