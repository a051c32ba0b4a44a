"""Verification of the programs of an artifact, before XLA compiles them.

A portable program can say whatever StableHLO can, and XLA calls any handler that is registered in
the process, by its name. So programs are restricted to operations that Ingot, and JAX's functions
within its programs, are lowered to: on tensors of known shapes, whose accesses XLA keeps within
them; and calls of known handlers, with operands and results as these need them.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ingot_runtime import stablehlo
from ingot_runtime.custom_calls import TensorType, check_call, is_lapack
from ingot_runtime.layout import LARGEST

#: The version of what is verified; a change of it makes programs be verified again.
RULES = "1"

#: The deepest nest of loops and branches, and the most operations after all calls are inlined.
DEEPEST, MOST_OPERATIONS = 256, 1 << 22
#: The most bytes of constants that a program says in a few: XLA allocates them when it compiles.
MOST_CONSTANT = 1 << 32
#: The most axes that NumPy's arrays have.
MOST_AXES = 64

_WIDTHS = {
    "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "ui8": 1, "ui16": 2, "ui32": 4, "ui64": 8,
    "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "complex<f32>": 8, "complex<f64>": 16,
}  # fmt: skip
_TENSOR = re.compile(r"tensor<((?:\d{1,19}x)*)([a-z]+\d+|complex<f\d\d>)>")

_PLAIN = """
    abs add and atan2 bitcast_convert case ceil clamp complex convert count_leading_zeros divide
    dynamic_update_slice floor if imag is_finite maximum minimum multiply negate not
    optimization_barrier or popcnt power real remainder reshape return round_nearest_afz
    round_nearest_even select shift_left shift_right_arithmetic shift_right_logical sign subtract
    while xor
"""
_OF_AN_ACCURACY = """
    cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh
"""
_OTHERS = {
    "broadcast_in_dim": "broadcast_dimensions",
    "cholesky": "lower",
    "compare": "comparison_direction compare_type",
    "composite": "name composite_attributes decomposition version",
    "concatenate": "dimension",
    "constant": "value",
    "convolution": (
        "window_strides padding lhs_dilation rhs_dilation window_reversal dimension_numbers "
        "feature_group_count batch_group_count precision_config"
    ),
    "custom_call": (
        "call_target_name has_side_effect backend_config mhlo.backend_config api_version "
        "called_computations operand_layouts result_layouts output_operand_aliases "
        "mhlo.frontend_attributes sdy.sharding_rule"
    ),
    "dot_general": "dot_dimension_numbers precision_config algorithm",
    "dynamic_slice": "slice_sizes",
    "fft": "fft_type fft_length",
    "gather": "dimension_numbers slice_sizes indices_are_sorted",
    "iota": "iota_dimension",
    "pad": "edge_padding_low edge_padding_high interior_padding",
    "reduce": "dimensions",
    "reduce_precision": "exponent_bits mantissa_bits",
    "reduce_window": "window_dimensions window_strides padding base_dilations window_dilations",
    "reverse": "dimensions",
    "rng_bit_generator": "rng_algorithm",
    "scatter": "scatter_dimension_numbers indices_are_sorted unique_indices",
    "select_and_scatter": "window_dimensions window_strides padding",
    "slice": "start_indices limit_indices strides",
    "sort": "dimension is_stable",
    "transpose": "permutation",
    "triangular_solve": "left_side lower unit_diagonal transpose_a",
}
#: The operations, each with its attributes.
_OPERATIONS: dict[str, frozenset[str]] = {
    **{f"stablehlo.{name}": frozenset() for name in _PLAIN.split()},
    **{f"stablehlo.{name}": frozenset(["result_accuracy"]) for name in _OF_AN_ACCURACY.split()},
    **{f"stablehlo.{name}": frozenset(names.split()) for name, names in _OTHERS.items()},
    "func.call": frozenset(["callee", "mhlo.frontend_attributes"]),
    "func.return": frozenset(),
    "sdy.sharding_constraint": frozenset(["sharding"]),
}
_FUNCTION = frozenset(["sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"])
_MESH = re.compile(r'#sdy\.mesh<\[((?:"\w+"=\d+(?:, )?)*)\]>')
#: How JAX, and passes, keep XLA from inlining calls, and tell the batch axes of LAPACK's.
_STAYS = '{inlineable = "false"}'
_BATCH = re.compile(r'\{num_batch_dims = "\d"\}')


def verify(module: str | bytes, mesh: Mapping[str, int], is_witness: bool = False) -> None:
    """Verify a program.

    Args:
        module: text, or a portable artifact.
        mesh: the mesh that it is for: the number of devices along each axis; none for one device.
        is_witness: whether its sizes stand for others, with which it is verified again: its own
            are no sizes of memory.

    Raises:
        ValueError: it is not StableHLO, or says what programs of artifacts can't.
        jaxlib.mlir.ir.MLIRError: the same.
    """
    parsed = stablehlo.parse(module)
    with parsed.context:
        _Verification(mesh, is_witness).of_module(parsed)


class _Verification:
    """The verification of one program."""

    def __init__(self, mesh: Mapping[str, int], is_witness: bool) -> None:
        self._mesh = mesh
        self._is_witness = is_witness
        self._constants = 0
        #: For each function, the number of its operations, and how often it calls others.
        self._sizes: dict[str, int] = {}
        self._calls: dict[str, Counter[str]] = {}

    def of_module(self, module: Any) -> None:
        if not set(_names(module.operation.attributes)) <= {"sym_name"}:
            raise ValueError("its module has attributes that it can't have")
        for each in module.body.operations:
            operation = each.operation
            if operation.name == "sdy.mesh":
                self._check_mesh(operation)
            elif operation.name == "func.func":
                self._check_function(operation)
            else:
                raise ValueError(f"it has the operation {operation.name}, which it can't have")
        if "main" not in self._sizes:
            raise ValueError("it has no function @main")
        self._check_calls()

    def _check_mesh(self, operation: Any) -> None:
        found = _MESH.fullmatch(str(operation.attributes["mesh"]))
        axes = re.findall(r'"(\w+)"=(\d+)', found[1]) if found else [("", "0")]
        mesh = {name: int(size) for name, size in axes}
        is_one = all(size == 1 for size in mesh.values())
        if mesh != self._mesh and not (is_one and not self._mesh):
            raise ValueError("it has another mesh than the manifest says")

    def _check_function(self, operation: Any) -> None:
        from jaxlib.mlir import ir

        if not set(_names(operation.attributes)) <= _FUNCTION:
            raise ValueError("a function has attributes that it can't have")
        for name in ("arg_attrs", "res_attrs"):
            if name in operation.attributes:
                for each in ir.ArrayAttr(operation.attributes[name]):
                    _check_value_attributes(ir.DictAttr(each))
        name = ir.StringAttr(operation.attributes["sym_name"]).value
        self._sizes[name], self._calls[name] = 0, Counter()
        # Blocks of which operations are left, from the outermost to the innermost one.
        waiting = [_operations(operation)]
        while waiting:
            inner = next(waiting[-1], None)
            if inner is None:
                waiting.pop()
                continue
            self._sizes[name] += 1
            self._check_operation(inner, self._calls[name])
            if len(inner.regions):
                waiting.append(_operations(inner))
            if len(waiting) > DEEPEST:
                raise ValueError("its loops and branches are nested too deeply")

    def _check_operation(self, operation: Any, calls: Counter[str]) -> None:
        from jaxlib.mlir import ir

        name, attributes = operation.name, operation.attributes
        known = _OPERATIONS.get(name)
        if known is None:
            raise ValueError(f"it has the operation {name}, which it can't have")
        for each in _names(attributes):
            if each not in known:
                raise ValueError(f"{name} has the attribute {each}, which it can't have")
        made = [_type_of(each.type) for each in operation.results]
        if name == "stablehlo.constant":
            self._check_constant(operation, *made)
        elif name == "stablehlo.custom_call":
            target = ir.StringAttr(attributes["call_target_name"]).value
            try:
                _check_custom_call(operation, target, made)
            except ValueError as error:
                raise ValueError(f"it calls {target}: {error}") from None
        elif name in ("func.call", "stablehlo.composite"):
            callee = "callee" if name == "func.call" else "decomposition"
            calls[ir.FlatSymbolRefAttr(attributes[callee]).value] += 1
            if _text(attributes, "mhlo.frontend_attributes", _STAYS) != _STAYS:
                raise ValueError(f"{name} has other attributes for XLA than it can have")

    def _check_constant(self, operation: Any, type_: TensorType) -> None:
        from jaxlib.mlir import ir

        shape, element = type_
        try:
            value = operation.attributes["value"]
        except TypeError:
            # jaxlib can't show those of complex numbers; they may be a single one, repeated.
            value = None
        if value is not None and not isinstance(value, ir.DenseElementsAttr):
            raise ValueError("a constant has no values")
        if value is not None and not value.is_splat:
            return
        self._constants += math.prod(shape) * _WIDTHS[element]
        if self._constants > MOST_CONSTANT and not self._is_witness:
            raise ValueError("its constants are too large")

    def _check_calls(self) -> None:
        """Check that no function calls itself, and that all are of a size when they are inlined."""
        whole: dict[str, int] = {}
        begun: set[str] = set()
        waiting = ["main", *self._sizes]
        while waiting:
            name = waiting[-1]
            missing = [each for each in self._calls[name] if each not in whole]
            if name in whole or not missing:
                waiting.pop()
                inner = sum(whole[each] * times for each, times in self._calls[name].items())
                whole[name] = self._sizes[name] + inner
                if whole[name] > MOST_OPERATIONS:
                    raise ValueError("it has too many operations")
            elif name in begun or not all(each in self._sizes for each in missing):
                raise ValueError(f"its function @{name} calls itself, or one that is missing")
            else:
                begun.add(name)
                waiting += missing


def _names(attributes: Any) -> list[str]:
    # Versions of jaxlib iterate over the names of an operation's attributes, or over both.
    return [getattr(each, "name", each) for each in attributes]


def _text(attributes: Any, name: str, default: str) -> str:
    return str(attributes[name]) if name in attributes else default


def _operations(operation: Any) -> Iterator[Any]:
    """The operations in the regions of an operation; checks the types of the blocks' arguments."""
    for region in operation.regions:
        blocks = list(region)
        if len(blocks) != 1:
            raise ValueError("it has a function without a body, or a region of several blocks")
        for argument in blocks[0].arguments:
            _type_of(argument.type)
        for each in blocks[0].operations:
            yield each.operation


def _type_of(type_: Any) -> TensorType:
    return _parsed(str(type_))


@functools.lru_cache(maxsize=4096)
def _parsed(text: str) -> TensorType:
    found = _TENSOR.fullmatch(text)
    if not found or found[2] not in _WIDTHS:
        kind = text.removeprefix("tensor<").removesuffix(">")
        raise ValueError(f"it has values of type {kind:.80}, which it can't have")
    shape = tuple(int(size) for size in found[1].split("x")[:-1])
    if len(shape) > MOST_AXES or math.prod(max(size, 1) for size in shape) >= LARGEST // 16:
        raise ValueError(f"its values of type {found[1] + found[2]:.80} are too large")
    return shape, found[2]


def _check_value_attributes(attributes: Any) -> None:
    """Check the attributes of an argument or a result of a function."""
    for name in _names(attributes):
        is_sharding = name == "sdy.sharding" and str(attributes[name]).startswith("#sdy.sharding<@")
        if not is_sharding and name != "jax.result_info":
            raise ValueError(f"an argument or result has the attribute {name}, which it can't have")


def _check_custom_call(operation: Any, target: str, made: list[TensorType]) -> None:
    from jaxlib.mlir import ir

    attributes = operation.attributes
    given = [_type_of(each.type) for each in operation.operands]
    version = _text(attributes, "api_version", "1 : i32")
    # The older form of a call of a typed handler.
    is_older = "mhlo.backend_config" in attributes and version == "1 : i32"
    if version != "4 : i32" and not is_older:
        raise ValueError("its handler is not a typed one")
    found = [
        attributes[name]
        for name in ("backend_config", "mhlo.backend_config")
        if name in attributes and str(attributes[name]) != '""'
    ]
    if len(found) > 1 or not all(isinstance(each, ir.DictAttr) for each in found):
        raise ValueError("its options are not a dictionary")
    options = {name: each[name] for each in found for name in _names(each)}
    if _text(attributes, "called_computations", "[]") != "[]":
        raise ValueError("it calls functions of the program")
    _check_aliases(attributes, given, made)
    check_call(target, options, given, made)
    batch = _text(attributes, "mhlo.frontend_attributes", "")
    if not is_lapack(target):
        layouts = [attributes[n] for n in ("operand_layouts", "result_layouts") if n in attributes]
        if batch or "sdy.sharding_rule" in attributes or _is_permuted(layouts):
            raise ValueError("it has attributes that it can't have")
    elif batch and not _BATCH.fullmatch(batch):
        raise ValueError("it has other attributes for XLA than it can have")


def _is_permuted(lists: list[Any]) -> bool:
    """Whether a layout is not the row-major one."""
    from jaxlib.mlir import ir

    layouts = [ir.DenseIntElementsAttr(e) for each in lists for e in ir.ArrayAttr(each)]
    orders = [[each[i] for i in range(len(each))] for each in layouts]
    return any(order != sorted(order, reverse=True) for order in orders)


_ALIAS = re.compile(
    r"#stablehlo\.output_operand_alias<output_tuple_indices = \[(\d*)\], operand_index = (\d+), "
    r"operand_tuple_indices = \[\]>"
)


def _check_aliases(attributes: Any, given: list[TensorType], made: list[TensorType]) -> None:
    """Check that each result that takes an operand's memory has one of its own, of its type."""
    from jaxlib.mlir import ir

    if "output_operand_aliases" not in attributes:
        return
    pairs = []
    for each in ir.ArrayAttr(attributes["output_operand_aliases"]):
        found = _ALIAS.fullmatch(str(each))
        output, operand = (int(found[1] or "0"), int(found[2])) if found else (-1, -1)
        if not (0 <= output < len(made) and 0 <= operand < len(given)):
            raise ValueError("a result takes the memory of an operand that is missing")
        pairs.append((output, operand))
        if made[output] != given[operand]:
            raise ValueError("a result takes the memory of an operand of another type")
    if any(len(set(each)) < len(pairs) for each in zip(*pairs, strict=True)):
        raise ValueError("two results take the memory of one operand")
