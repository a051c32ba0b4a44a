"""The inputs and outputs of `ingot run`: .npy, .npz and JSON."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from ingot_runtime.files import atomic_file
from ingot_runtime.manifest import PYTHON_NUMBERS, Leaf

_NPY, _NPZ = b"\x93NUMPY", b"PK"
#: Dtype kinds in an order in which each can represent the ones before it. Converting to unsigned
#: integers checks the range itself.
_KINDS = "buifc"


def read(inputs: Iterable[str], leaves: Sequence[Leaf]) -> dict[str, Any]:
    """Read `[NAME=]FILE` inputs into values by argument name.

    Arrays without a name are assigned to the remaining array arguments, in order.

    Raises:
        click.UsageError: a file can't be read, or there is no argument for one of its values.
    """
    found: dict[str, Any] = {}
    unnamed = []
    for text in inputs:
        name, equals, rest = text.partition("=")
        has_name = bool(equals) and any(leaf.name == name for leaf in leaves)
        content = _content(rest if has_name else text)
        if not isinstance(content, dict) and not has_name:
            unnamed.append(content)
            continue
        if not isinstance(content, dict):
            content = {name: content}
        elif has_name:
            raise click.UsageError(f"{rest} names its arrays itself; give it without {name}=")
        for key, value in content.items():
            if key in found:
                raise click.UsageError(f"two inputs give {key}")
            found[key] = value
    free = [leaf.name for leaf in leaves if leaf.kind == "array" and leaf.name not in found]
    if len(unnamed) > len(free):
        raise click.UsageError(f"{len(unnamed)} .npy files for {len(free)} arrays")
    found.update(zip(free, unnamed, strict=False))
    unknown = found.keys() - {leaf.name for leaf in leaves}
    if unknown:
        names = ", ".join(leaf.name for leaf in leaves if leaf.kind != "static")
        raise click.UsageError(f"no argument {', '.join(sorted(unknown))}; there are {names}")
    return found


def _content(path: str) -> Any:
    """The array, or the dict of arrays and lists, in a file; "-" is standard input."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from None
    try:
        if data.startswith((_NPY, _NPZ)):
            loaded = np.load(io.BytesIO(data), allow_pickle=False)
            return loaded if isinstance(loaded, np.ndarray) else dict(loaded)
        decoded = json.loads(data)
    except (ValueError, EOFError, OSError, RecursionError, zipfile.BadZipFile):
        raise click.UsageError(f"{path} is not .npy, .npz or JSON") from None
    if not isinstance(decoded, dict):
        raise click.UsageError(f'{path} is not a JSON object such as {{"x": [1, 2]}}')
    return decoded


def arguments(leaves: Iterable[Leaf], given: dict[str, Any]) -> list[Any]:
    """The value of each argument leaf.

    Raises:
        click.UsageError: a value is missing, or does not fit its argument.
    """
    return [_argument(leaf, given) for leaf in leaves]


def _argument(leaf: Leaf, given: dict[str, Any]) -> Any:
    if leaf.kind == "static":
        return leaf.value
    if leaf.name not in given:
        raise click.UsageError(f"nothing gives {leaf.name}: {leaf}; use --input")
    value = given[leaf.name]
    array = value if isinstance(value, np.ndarray) else _decoded(leaf, value)
    if leaf.kind == "array":
        return array
    if array.ndim or not np.can_cast(array.dtype, leaf.numpy_dtype):
        raise click.UsageError(f"{leaf.name} must be a number, {leaf}")
    number = array.astype(leaf.numpy_dtype)[()]
    return number.item() if leaf.dtype in PYTHON_NUMBERS else number


def _decoded(leaf: Leaf, value: Any) -> np.ndarray:
    """A JSON number or nested list as an array; refused if the dtype would change values."""
    dtype = leaf.numpy_dtype
    try:
        plain = np.asarray(value)
        if dtype.kind == "c" and plain.ndim == len(leaf.shape) + 1 and plain.shape[-1] == 2:
            return (plain[..., 0] + 1j * plain[..., 1]).astype(dtype)
        if plain.size and _KINDS.find(plain.dtype.kind) not in range(_KINDS.index(dtype.kind) + 1):
            raise ValueError(f"{plain.dtype} values would change")
        return np.asarray(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise click.UsageError(f"{leaf.name} must be {leaf}: {error}") from None


def store(path: Path, results: dict[str, Any]) -> None:
    """Write the results to an .npy or .npz file.

    Raises:
        click.UsageError: there are several results for an .npy file.
    """
    if path.suffix == ".npy" and len(results) != 1:
        raise click.UsageError(f"there are {len(results)} results; store them in an .npz file")
    with atomic_file(path) as file:
        if path.suffix == ".npy":
            np.save(file, next(iter(results.values())), allow_pickle=False)
        else:
            np.savez(file, **results)


def to_json(value: Any) -> Any:
    """A result as a JSON value; complex numbers become [real, imaginary]."""
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        return value
    if array.dtype.kind == "c":
        data = np.stack([array.real, array.imag], axis=-1).tolist()
    else:
        data = array.tolist()
    return {"dtype": array.dtype.name, "shape": list(array.shape), "data": data}
