"""Weights in the safetensors format (see huggingface/safetensors), read without a copy."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from ingot_runtime.container import distinct

#: The format's names of NumPy dtypes. It lacks complex128, so complex numbers are stored as pairs.
NAMES = {
    "bool": "BOOL", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64",
    "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64",
    "float16": "F16", "float32": "F32", "float64": "F64",
}  # fmt: skip
#: The entry of the header that is no array.
_METADATA = "__metadata__"
_DTYPES = {name: np.dtype(dtype) for dtype, name in NAMES.items()}


def as_stored(array: np.ndarray) -> np.ndarray:
    """The array to store: complex numbers become a last axis of 2, real and imaginary part."""
    array = np.asarray(array, order="C")
    if array.dtype.kind != "c":
        return array
    part = np.dtype(f"f{array.dtype.itemsize // 2}")
    return array.reshape(-1).view(part).reshape(*array.shape, 2)


def read(data: memoryview) -> dict[str, np.ndarray]:
    """The stored arrays by name, as views of the data.

    Raises:
        ValueError: the data is not in the format.
    """
    header, tensors = _header(data)
    header.pop(_METADATA, None)
    return {name: _array(name, entry, tensors) for name, entry in header.items()}


def metadata(data: memoryview) -> dict[str, str]:
    """The texts that are stored besides the arrays.

    Raises:
        ValueError: the data is not in the format.
    """
    return _header(data)[0].get(_METADATA, {})


def _header(data: memoryview) -> tuple[dict[str, Any], memoryview]:
    """The header, and the bytes of the arrays."""
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > len(data) - 8:
        raise ValueError("its header is truncated")
    header = json.loads(bytes(data[8 : 8 + size]), object_pairs_hook=distinct)
    if not isinstance(header, dict):
        raise ValueError("its header is not a dict")
    return header, data[8 + size :]


def _array(name: str, entry: Any, tensors: memoryview) -> np.ndarray:
    try:
        dtype = _DTYPES[entry["dtype"]]
        shape = tuple(int(extent) for extent in entry["shape"])
        start, end = entry["data_offsets"]
        fits = 0 <= start <= end <= len(tensors)
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"tensor {name} is malformed") from None
    if not fits or min(shape, default=0) < 0 or end - start != math.prod(shape) * dtype.itemsize:
        raise ValueError(f"tensor {name} does not fit its place")
    return np.frombuffer(tensors[start:end], dtype).reshape(shape)


def restored(array: np.ndarray, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """The inverse of `as_stored`.

    Raises:
        ValueError: the stored array does not have this dtype and shape.
    """
    if dtype.kind == "c" and array.shape[-1:] == (2,):
        array = np.asarray(array, order="C").view(dtype)[..., 0]
    if array.dtype != dtype or array.shape != shape:
        raise ValueError(f"{array.dtype} of shape {array.shape} is not {dtype} of shape {shape}")
    return array
