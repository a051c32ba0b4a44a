"""Calls of cuSOLVER in place of LAPACK's, in programs for NVIDIA's GPUs.

The handlers are those that JAX's package for its plugin has; they take and give matrices as
LAPACK's handlers do.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable
from typing import Any

from ingot_runtime import stablehlo
from ingot_runtime.clients import jaxlib
from ingot_runtime.plugins import CUDA

_CALL = re.compile(r"lapack_[sdcz](\w+)_ffi")


@functools.cache
def _register() -> None:
    """Register the handlers with XLA.

    Raises:
        RuntimeError: the package is not installed.
    """
    try:
        solver = importlib.import_module(f"{CUDA.handlers}._solver")
    except ModuleNotFoundError:
        needed = CUDA.handlers.replace("_", "-")
        raise RuntimeError(f"factorisations of matrices on a GPU need {needed}") from None
    for name, handler in solver.registrations().items():
        if name.endswith("_ffi"):
            jaxlib().register_custom_call_target(name, handler, CUDA.platform, 1)


def with_cusolver(module: str | bytes) -> str:
    """The module with its calls of LAPACK replaced.

    Raises:
        RuntimeError: there is no such routine for GPUs, or no handler is installed.
    """
    from jaxlib.mlir import ir

    _register()
    parsed = stablehlo.parse(module)
    found: list[tuple[Any, str]] = []

    def visit(operation: Any) -> Any:
        if operation.name == "stablehlo.custom_call":
            target = ir.StringAttr(operation.attributes["call_target_name"]).value
            found.extend((operation, each) for each in _CALL.findall(target))
        return ir.WalkResult.ADVANCE

    with parsed.context:
        parsed.operation.walk(visit)
        for operation, routine in found:
            if routine not in _ROUTINES:
                raise RuntimeError(
                    f"LAPACK's {routine} runs on the CPU only, not yet on GPUs; "
                    "set INGOT_PLATFORM=cpu"
                )
            _ROUTINES[routine](operation)
    return str(parsed)


def _renamed(operation: Any, routine: str, **options: Any) -> None:
    from jaxlib.mlir import ir

    operation.attributes["call_target_name"] = ir.StringAttr.get(f"cusolver_{routine}_ffi")
    operation.attributes["backend_config"] = ir.DictAttr.get(options)


def _of(routine: str) -> Callable[[Any], None]:
    return lambda operation: _renamed(operation, routine)


def _option(operation: Any, name: str) -> str:
    from jaxlib.mlir import ir

    given = ir.DictAttr(operation.attributes["backend_config"])
    return chr(ir.IntegerAttr(given[name]).value)


def _eigh(operation: Any) -> None:
    from jaxlib.mlir import ir

    # Algorithm 0 leaves the choice to the handler.
    algorithm = ir.IntegerAttr.get(ir.IntegerType.get_unsigned(8), 0)
    lower = ir.BoolAttr.get(_option(operation, "uplo") == "L")
    _renamed(operation, "syevd", lower=lower, algorithm=algorithm)


def _svd(operation: Any) -> None:
    """gesvd takes no wide matrices, so it gets the memory of their transposes."""
    from jaxlib.mlir import ir

    *_, rows, columns = ir.RankedTensorType(operation.operands[0].type).shape
    is_wide = rows < columns
    _renamed(
        operation, "gesvd",
        full_matrices=ir.BoolAttr.get(_option(operation, "mode") == "A"),
        compute_uv=ir.BoolAttr.get(True), transposed=ir.BoolAttr.get(is_wide),
    )  # fmt: skip
    if is_wide:
        _transposed(operation)


def _transposed(operation: Any) -> None:
    """Have U and the adjoint of V change places, and all matrices in C order."""
    from jaxlib.mlir import ir

    order = (0, 1, 3, 2, 4)
    types = [operation.results[i].type for i in order]
    names = ("api_version", "backend_config", "call_target_name")
    attributes = {name: operation.attributes[name] for name in names}
    attributes["operand_layouts"] = _in_c_order([operation.operands[0].type])
    attributes["result_layouts"] = _in_c_order(types)
    made = ir.Operation.create(
        operation.name, types, list(operation.operands), attributes,
        loc=operation.location, ip=ir.InsertionPoint(operation),
    )  # fmt: skip
    for old, i in zip(operation.results, order, strict=True):
        old.replace_all_uses_with(made.results[i])
    operation.erase()


def _in_c_order(types: list[Any]) -> Any:
    from jaxlib.mlir import ir

    ranks = [ir.RankedTensorType(each).rank for each in types]
    layouts = [", ".join(map(str, reversed(range(rank)))) for rank in ranks]
    listed = [
        f"dense<[{layout}]> : tensor<{rank}xindex>" if rank else "dense<> : tensor<0xindex>"
        for layout, rank in zip(layouts, ranks, strict=True)
    ]
    return ir.Attribute.parse(f"[{', '.join(listed)}]")


_ROUTINES: dict[str, Callable[[Any], None]] = {
    "getrf": _of("getrf"), "geqrf": _of("geqrf"), "orgqr": _of("orgqr"), "ungqr": _of("orgqr"),
    "syevd": _eigh, "heevd": _eigh, "gesdd": _svd,
}  # fmt: skip
