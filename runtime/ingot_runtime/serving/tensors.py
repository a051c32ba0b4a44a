"""Conversion between the protocol's tensors and the arguments and results of an artifact.

The protocol has no complex tensors: they are floating with a last axis of size 2, for the real and
imaginary part. Static arguments are not inputs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from kserve import InferInput, InferOutput
from kserve.errors import InvalidInput
from kserve.utils.numpy_codec import from_np_dtype, to_np_dtype

from ingot_runtime.manifest import PYTHON_NUMBERS, Leaf

_PARTS = {np.dtype("complex64"): np.dtype("float32"), np.dtype("complex128"): np.dtype("float64")}


def described(leaves: Iterable[Leaf]) -> list[dict[str, Any]]:
    """The metadata of tensors; symbolic sizes are -1."""
    return [
        {"name": leaf.name, "datatype": _datatype(leaf), "shape": _shape(leaf)}
        for leaf in leaves
        if _is_tensor(leaf)
    ]


def _is_tensor(leaf: Leaf) -> bool:
    return leaf.kind != "static" or isinstance(leaf.value, (bool, int, float, complex, str))


def _datatype(leaf: Leaf) -> str:
    if leaf.kind == "static":
        return from_np_dtype(_parts(_as_array(leaf.value)).dtype)
    return from_np_dtype(_PARTS.get(leaf.numpy_dtype, leaf.numpy_dtype))


def _shape(leaf: Leaf) -> list[int]:
    if leaf.kind == "static":
        return list(_parts(_as_array(leaf.value)).shape)
    parts = [2] if leaf.numpy_dtype in _PARTS else []
    return [-1 if size.constant is None else size.constant for size in leaf.shape] + parts


def values(leaves: Sequence[Leaf], changed: Sequence[int], inputs: list[InferInput]) -> list[Any]:
    """The value of each argument in a request.

    Args:
        leaves: the arguments.
        changed: the indices of the arguments that the function stores to; these are copied.
        inputs: the tensors of the request.

    Raises:
        InvalidInput: an input is missing, unknown or malformed.
    """
    given = {each.name: each for each in inputs}
    if len(given) != len(inputs):
        raise InvalidInput("two inputs have the same name")
    wanted = [leaf for leaf in leaves if leaf.kind != "static"]
    for kind, names in (
        ("missing", [leaf.name for leaf in wanted if leaf.name not in given]),
        ("unknown", sorted(given.keys() - {leaf.name for leaf in wanted})),
    ):
        if names:
            expected = ", ".join(f"{leaf.name}: {leaf}" for leaf in wanted) or "none"
            raise InvalidInput(f"{kind} input {', '.join(names)}; inputs are {expected}")
    return [
        leaf.value if leaf.kind == "static" else _value(leaf, given[leaf.name], i in changed)
        for i, leaf in enumerate(leaves)
    ]


def _value(leaf: Leaf, tensor: InferInput, is_changed: bool) -> Any:
    if tensor.datatype != _datatype(leaf):
        raise InvalidInput(
            f"{leaf.name} has datatype {tensor.datatype}, but must be {_datatype(leaf)}"
        )
    array = _array(leaf, tensor)
    if leaf.numpy_dtype in _PARTS:
        if array.shape[-1:] != (2,):
            raise InvalidInput(f"{leaf.name} is complex: its last axis must be of 2 parts")
        array = np.ascontiguousarray(array).view(leaf.numpy_dtype)[..., 0]
    if leaf.kind == "array":
        return array.copy() if is_changed else array
    if array.size != 1:
        raise InvalidInput(f"{leaf.name} has shape {list(tensor.shape)}, but must be one number")
    number = array.reshape(())[()]
    return number.item() if leaf.dtype in PYTHON_NUMBERS else number


def _array(leaf: Leaf, tensor: InferInput) -> np.ndarray:
    """The tensor as an array, if its content fits its shape and dtype."""
    dtype, shape, raw = np.dtype(to_np_dtype(tensor.datatype)), tensor.shape, tensor._raw_data
    if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in shape):
        raise InvalidInput(f"{leaf.name} has the malformed shape {shape}")
    count = math.prod(shape)
    if raw is None:
        content = _listed(leaf, dtype, tensor.data)
    elif len(raw) == count * dtype.itemsize:
        content = np.frombuffer(raw, dtype)
    else:
        raise InvalidInput(
            f"{leaf.name} has {len(raw)} bytes, but shape {shape} needs {count * dtype.itemsize}"
        )
    if content.size != count:
        raise InvalidInput(f"{leaf.name} has {content.size} items, but shape {shape} needs {count}")
    if raw is not None and dtype.kind == "b" and np.frombuffer(raw, np.uint8).max(initial=0) > 1:
        raise InvalidInput(f"{leaf.name} has bytes other than 0 and 1")
    return content.reshape(shape)


#: For each dtype kind, the kinds of JSON numbers that it accepts.
_TAKES = {"b": "b", "i": "iu", "u": "iu", "f": "fiu"}


def _listed(leaf: Leaf, dtype: np.dtype, data: Any) -> np.ndarray:
    """The items of a possibly nested list; refused if the dtype would change values."""
    try:
        plain = np.array(data)
        if plain.size and plain.dtype.kind not in _TAKES[dtype.kind]:
            raise InvalidInput(f"{leaf.name} has items that are not {dtype}")
        return plain if plain.dtype == dtype else np.array(data, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{leaf.name} has malformed data: {error}") from None


def outputs(leaves: Sequence[Leaf], results: Sequence[Any]) -> list[InferOutput]:
    """Results as tensors of the protocol."""
    found = []
    for leaf, result in zip(leaves, results, strict=True):
        if _is_tensor(leaf):
            array = _parts(_as_array(result))
            made = InferOutput(leaf.name, list(array.shape), from_np_dtype(array.dtype))
            made.set_data_from_numpy(array)
            found.append(made)
    return found


def _as_array(value: Any) -> np.ndarray:
    return np.asarray(value, object) if isinstance(value, str) else np.asarray(value)


def _parts(array: np.ndarray) -> np.ndarray:
    part: Any = _PARTS.get(array.dtype)
    return array if part is None else np.asarray(array, order="C")[..., None].view(part)
