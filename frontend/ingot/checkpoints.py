"""Checkpoints: trees of arrays and numbers in a folder, with one file of parts for each process.

The folder holds `manifest.json`, which describes the tree and lists the other files, one in the
safetensors format for each process that saved. Their names are new with each save, and the manifest
is replaced last, in one step: until then, the folder holds the old checkpoint, and after that the
new one. What a killed save has left, the next one removes.

A tensor of a file is a part of a leaf. Its name is the number of the leaf and where the part begins
along each axis, such as "3:0,128", so that any number of processes can load what they need.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import mmap
import os
import re
import secrets
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ingot import tree as trees
from ingot_runtime import buffers, distributed, files, meshes, weights
from ingot_runtime.errors import IngotError
from ingot_runtime.meshes import ShardedArray

FORMAT = 1
MANIFEST = "manifest.json"
#: The names of the files with parts.
_PARTS = re.compile(r"[0-9a-f]{16}-\d+-of-\d+\.safetensors")
#: What safetensors writes before it gives the file its name; a process that is killed leaves it.
_UNFINISHED = re.compile(r"\.tmp[0-9A-Za-z]{6}")
#: Python's leaves by their kind in the manifest, each with how JSON gives it back.
_PLAIN: dict[str, Callable[[Any], Any]] = {
    "bool": bool, "int": int, "float": float, "complex": lambda pair: complex(*pair), "str": str,
}  # fmt: skip

Box = tuple[slice, ...]


# What is saved.


def save(path: str | os.PathLike[str], tree: Any) -> None:
    """Save a tree as a checkpoint, in place of the one that is there.

    It is atomic: whenever a process is killed, the folder holds the old checkpoint or the new one.
    In a job of several processes all must call it, with a path in a file system that they share;
    each writes the parts of sharded arrays that lie on its devices. Other leaves must be the same
    on all processes.

    Args:
        path: the folder, which is made if it is not there.
        tree: a tree (see `ingot.tree`) of NumPy arrays, sharded arrays, numbers and strings.

    Raises:
        IngotError: a leaf is something else, is not the same on all processes, or a file can't be
            written; or another process has died.

    Example:
        >>> ingot.save("checkpoint", {"w": np.arange(3.0), "step": 7})
        >>> ingot.restore("checkpoint")
        {'step': 7, 'w': array([0., 1., 2.])}
    """
    folder = Path(path)
    rank, size = distributed.rank(), distributed.size()
    described, failed = _attempt(_describe, tree)
    _raise_first(folder, distributed.gather(failed))
    leaves, manifest = described
    _compare(manifest["tree"], leaves)
    name = distributed.gather(secrets.token_hex(8))[0]
    own = folder / f"{name}-{rank}-of-{size}.safetensors"
    _, failed = _attempt(_write_parts, own, leaves)
    failures = distributed.gather(failed)
    if any(failures):
        with contextlib.suppress(OSError):
            own.unlink()
    _raise_first(folder, failures)
    sizes = distributed.gather(own.stat().st_size)
    files = [[f"{name}-{r}-of-{size}.safetensors", count] for r, count in enumerate(sizes)]
    failed = None
    if rank == 0:
        _, failed = _attempt(_replace, folder, {**manifest, "files": files})
    _raise_first(folder, distributed.gather(failed))


def _attempt(function: Callable[..., Any], *arguments: Any) -> tuple[Any, str | None]:
    """The result of a function, or why it failed: the other processes must learn that, too."""
    try:
        return function(*arguments), None
    except OSError as error:
        return None, error.strerror or str(error)
    except IngotError as error:
        return None, str(error)


def _raise_first(folder: Path, failures: list[str | None]) -> None:
    for rank, failure in enumerate(failures):
        if failure is not None:
            who = f" on process {rank}" if len(failures) > 1 else ""
            raise IngotError(f"{folder} can't be saved{who}: {failure}")


class _Leaf:
    """A leaf to save.

    Attributes:
        number: its number.
        value: a NumPy array or a sharded array, or None for a leaf that the manifest holds.
        entry: what the manifest says of it.
    """

    def __init__(self, number: int, path: tuple, value: Any) -> None:
        self.number = number
        self.value: Any = None
        self.entry: dict[str, Any] = {"path": list(path), "kind": type(value).__name__}
        if type(value) in (bool, int, float, str):
            self.entry["value"] = value
            return
        if type(value) is complex:
            self.entry["value"] = [value.real, value.imag]
            return
        self.value = value if isinstance(value, ShardedArray) else _as_array(path, value)
        self.entry["kind"] = "scalar" if isinstance(value, np.generic) else "array"
        self.entry |= {"dtype": self.value.dtype.name, "shape": list(self.value.shape)}

    @property
    def is_divided(self) -> bool:
        """Whether the processes write its parts; else all have the same value, which one writes."""
        if not isinstance(self.value, ShardedArray):
            return False
        return distributed.size() == 1 or not self.value.sharding.mesh.is_local

    def checked(self) -> dict[str, Any]:
        """What must be the same on all processes."""
        if self.value is None or self.is_divided:
            return self.entry
        return {**self.entry, "crc32": _crc32(np.asarray(self.value))}

    def parts(self) -> Iterator[tuple[Box, np.ndarray]]:
        """The parts that this process writes. Of copies, that on the first device is written."""
        if self.value is None:
            return
        if not self.is_divided:
            if distributed.rank() == 0:
                yield tuple(slice(0, size) for size in self.value.shape), np.asarray(self.value)
            return
        boxes = self.value.tiles.boxes(self.value.shape)
        firsts = {_starts(boxes[i]): i for i in reversed(range(len(boxes)))}
        for i, shard in zip(self.value.sharding.mesh.local, self.value.shards, strict=True):
            if firsts[_starts(boxes[i])] == i:
                yield boxes[i], shard.data


def _as_array(path: tuple, value: Any) -> np.ndarray:
    if not (isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__array__")):
        raise IngotError(
            f"the leaf {_shown(path)} is a {type(value).__name__}; checkpoints hold arrays, "
            "numbers and strings"
        )
    array = np.asarray(value)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    if array.dtype.kind != "c" and array.dtype.name not in weights.NAMES:
        raise IngotError(f"the leaf {_shown(path)} has the dtype {array.dtype}")
    return array


def _shown(path: list | tuple) -> str:
    return "".join(f"[{name!r}]" for name in path) or "of the tree"


def _starts(box: Box) -> tuple[int, ...]:
    return tuple(each.start for each in box)


def _crc32(array: np.ndarray) -> int:
    return zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)


def _describe(tree: Any) -> tuple[list[_Leaf], dict[str, Any]]:
    pairs = trees.leaves_with_path(tree)
    for path, _ in pairs:
        for name in path:
            if type(name) not in (str, int):
                raise IngotError(f"{_shown(path)} has the key {name!r}; keys are strings or ints")
    leaves = [_Leaf(number, *pair) for number, pair in enumerate(pairs)]
    structure = _structure(trees.structure(tree).node, iter(range(len(leaves))))
    entries = [leaf.entry for leaf in leaves]
    return leaves, {"format": FORMAT, "tree": structure, "leaves": entries}


def _structure(node: Any, numbers: Iterator[int]) -> Any:
    """The tree for the manifest: a leaf is its number."""
    if node is trees.LEAF:
        return next(numbers)
    kind, keys, children = node
    inner = [_structure(child, numbers) for child in children]
    if kind is type(None):
        return None
    if kind in (list, tuple):
        return {kind.__name__: inner}
    if kind is dict:
        return {"dict": [list(pair) for pair in zip(keys, inner, strict=True)]}
    return {"class": getattr(kind, "__qualname__", "defaultdict"), "parts": inner}


def _compare(structure: Any, leaves: list[_Leaf]) -> None:
    """Raise unless all processes have the same tree, with the same values on all of them."""
    if distributed.size() == 1:
        return
    checked = [leaf.checked() for leaf in leaves]
    text = json.dumps([structure, checked])
    hashes = distributed.gather(hashlib.sha256(text.encode()).hexdigest())
    if len(set(hashes)) == 1:
        return
    known = distributed.gather(checked)
    for rank, others in enumerate(known):
        for first, other in zip(known[0], others, strict=False):
            if first != other:
                raise IngotError(
                    f"the leaf {_shown(first['path'])} is not the same on the processes 0 and "
                    f"{rank}; what differs between processes must be parts of a sharded array"
                )
    raise IngotError("the trees on the processes have different structures")


def _write_parts(path: Path, leaves: list[_Leaf]) -> None:
    from safetensors.numpy import save_file

    path.parent.mkdir(parents=True, exist_ok=True)
    parts, sums = {}, {}
    for leaf in leaves:
        for box, array in leaf.parts():
            name = f"{leaf.number}:{','.join(map(str, _starts(box)))}"
            parts[name] = weights.as_stored(array)
            sums[name] = _crc32(parts[name])
    save_file(parts, path, {"crc32": json.dumps(sums)})
    files.make_shared(path)
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def _replace(folder: Path, manifest: dict[str, Any]) -> None:
    """Replace the manifest, and remove the files that it does not list."""
    with files.atomic_file(folder / MANIFEST) as file:
        file.write(json.dumps(manifest).encode())
    _sync_folder(folder)
    listed = {name for name, _ in manifest["files"]}
    for path in folder.iterdir():
        is_old = _PARTS.fullmatch(path.name) and path.name not in listed
        is_unfinished = path.name.startswith(files.TEMPORARY) or _UNFINISHED.fullmatch(path.name)
        if is_old or is_unfinished:
            path.unlink()


def _sync_folder(folder: Path) -> None:
    """Make what was renamed survive a crash of the machine, where the system can."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


# What is restored.


def restore(path: str | os.PathLike[str], like: Any = None) -> Any:
    """Load a checkpoint that `save` has made, by any number of processes and on any mesh.

    Args:
        path: the folder.
        like: a tree of the structure to restore, such as the initial state of a training. Arrays
            that are sharded in it are sharded alike in the result, and each process reads only its
            own parts. Instances of classes and named tuples are restored by it alone. Without
            it, all arrays are NumPy's, in dicts, lists and tuples.

    Returns:
        The tree.

    Raises:
        IngotError: there is no checkpoint, it is damaged, or it does not fit `like`.

    Example:
        >>> ingot.save("checkpoint", [np.ones((2, 2), np.float32), 5])
        >>> ingot.restore("checkpoint", like=[np.zeros((2, 2), np.float32), 0])
        [array([[1., 1.],
               [1., 1.]], dtype=float32), 5]
    """
    saved = _Saved(Path(path))
    if like is None:
        return saved.rebuilt([saved.value(number, None) for number in range(len(saved.leaves))])
    places = {_key(leaf["path"]): number for number, leaf in enumerate(saved.leaves)}
    pairs = trees.leaves_with_path(like)
    wanted = {_key(path): path for path, _ in pairs}
    for key, place in wanted.items():
        if key not in places:
            raise saved.error(f"it has no leaf {_shown(place)}, which `like` has")
    for key, number in places.items():
        if key not in wanted:
            raise saved.error(
                f"it has the leaf {_shown(saved.leaves[number]['path'])}, which `like` lacks"
            )
    values = [saved.value(places[_key(path)], leaf) for path, leaf in pairs]
    return trees.unflatten(trees.structure(like), values)


def _key(path: list | tuple) -> str:
    return json.dumps(list(path))


class _Saved:
    """A checkpoint in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            manifest = json.loads((folder / MANIFEST).read_bytes())
            if manifest["format"] != FORMAT:
                raise self.error(f"it has format {manifest['format']}; update ingot")
            self._tree, self.leaves = manifest["tree"], manifest["leaves"]
            self._files = {str(name): int(size) for name, size in manifest["files"]}
        except FileNotFoundError:
            raise self.error(f"it holds no checkpoint: there is no {MANIFEST}") from None
        except OSError as error:
            raise self.error(error.strerror or "it can't be read") from None
        except (ValueError, KeyError, TypeError):
            raise self.error(f"{MANIFEST} is damaged") from None
        self._parts: dict[str, list[_Part]] | None = None

    def error(self, reason: str) -> IngotError:
        return IngotError(f"{self._folder}: {reason}")

    def rebuilt(self, values: list[Any]) -> Any:
        return self._rebuilt(self._tree, values)

    def _rebuilt(self, node: Any, values: list[Any]) -> Any:
        if node is None or isinstance(node, int):
            return node if node is None else values[node]
        if "class" in node:
            raise self.error(f"it has a {node['class']}; give a tree with one as `like`")
        if "dict" in node:
            return {key: self._rebuilt(child, values) for key, child in node["dict"]}
        kind, children = (list, node["list"]) if "list" in node else (tuple, node["tuple"])
        return kind(self._rebuilt(child, values) for child in children)

    def value(self, number: int, like: Any) -> Any:
        """A leaf; sharded as `like` is, if it is a sharded array."""
        entry = self.leaves[number]
        where = f"the leaf {_shown(entry['path'])}"
        if "value" in entry:
            if like is not None and type(like).__name__ != entry["kind"]:
                raise self.error(
                    f"{where} is a {entry['kind']}, and {type(like).__name__} in `like`"
                )
            return _PLAIN[entry["kind"]](entry["value"])
        dtype, shape = np.dtype(entry["dtype"]), tuple(entry["shape"])
        has_type = hasattr(like, "dtype")
        if like is not None and not (has_type and (like.dtype, like.shape) == (dtype, shape)):
            theirs = f"{like.dtype} of shape {like.shape}" if has_type else type(like).__name__
            raise self.error(f"{where} is {dtype} of shape {shape}, and {theirs} in `like`")
        if isinstance(like, ShardedArray):
            return self._sharded(number, like)
        made = self._read(number, tuple(slice(0, size) for size in shape), dtype)
        return made[()] if entry["kind"] == "scalar" else made

    def _sharded(self, number: int, like: ShardedArray) -> ShardedArray:
        mesh, tiles = like.sharding.mesh, like.tiles
        boxes = tiles.boxes(like.shape)
        read: dict[tuple[int, ...], np.ndarray] = {}
        parts = []
        for i in mesh.local:
            starts = _starts(boxes[i])
            if starts not in read:
                read[starts] = self._read(number, boxes[i], like.dtype)
            parts.append(buffers.to_device(read[starts], mesh.devices[i], copy=True))
        layout = meshes.layout_of(mesh, tiles)
        array = buffers.joined(parts, like.shape, like.dtype, layout)
        return ShardedArray(array, like.shape, like.dtype, like.sharding, tiles)

    def _read(self, number: int, box: Box, dtype: np.dtype) -> np.ndarray:
        """A box of a leaf, from all parts that it overlaps with."""
        if self._parts is None:
            self._parts = self._all_parts()
        shape = tuple(each.stop - each.start for each in box)
        made, filled = np.empty(shape, dtype), 0
        for part in self._parts.get(str(number), ()):
            array, starts = part.array(dtype), part.starts
            stops = [start + size for start, size in zip(starts, array.shape, strict=True)]
            both = [
                (max(each.start, start), min(each.stop, stop))
                for each, start, stop in zip(box, starts, stops, strict=True)
            ]
            if any(start >= stop for start, stop in both):
                continue
            part.verify()
            inside = tuple(slice(a - s, b - s) for (a, b), s in zip(both, starts, strict=True))
            here = tuple(
                slice(a - e.start, b - e.start) for (a, b), e in zip(both, box, strict=True)
            )
            made[here] = array[inside]
            filled += math.prod(stop - start for start, stop in both)
        if filled != made.size:
            where = _shown(self.leaves[number]["path"])
            raise self.error(f"parts of the leaf {where} are missing")
        return made

    def _all_parts(self) -> dict[str, list[_Part]]:
        """The parts of all files, by the number of their leaf."""
        found: dict[str, list[_Part]] = {}
        for name, size in self._files.items():
            data = self._mapped(name, size)
            try:
                sums = json.loads(weights.metadata(data)["crc32"])
                for key, array in weights.read(data).items():
                    number, starts = key.split(":")
                    begin = tuple(map(int, filter(None, starts.split(","))))
                    part = _Part(array, begin, sums[key], self.error(f"{name} is damaged"))
                    found.setdefault(number, []).append(part)
            except (ValueError, KeyError, TypeError) as error:
                raise self.error(f"{name} is damaged ({error})") from None
        return found

    def _mapped(self, name: str, size: int) -> memoryview:
        try:
            with open(self._folder / name, "rb") as file:
                actual = os.fstat(file.fileno()).st_size
                if actual != size:
                    raise self.error(f"{name} has {actual} bytes and not {size}")
                return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except OSError as error:
            raise self.error(f"{name} can't be read: {error.strerror}") from None


class _Part:
    """A part of a leaf in a file.

    Attributes:
        starts: where it begins along each axis of the leaf.
    """

    def __init__(
        self, stored: np.ndarray, starts: tuple[int, ...], crc32: int, damaged: IngotError
    ) -> None:
        self._stored, self.starts = stored, starts
        self._crc32, self._damaged = crc32, damaged
        self._is_verified = False

    def array(self, dtype: np.dtype) -> np.ndarray:
        extents = self._stored.shape[:-1] if dtype.kind == "c" else self._stored.shape
        try:
            return weights.restored(self._stored, dtype, extents)
        except ValueError:
            raise self._damaged from None

    def verify(self) -> None:
        if not self._is_verified and _crc32(self._stored) != self._crc32:
            raise self._damaged
        self._is_verified = True
