"""Meshes of devices, and arrays whose parts lie on them.

A `Mesh` arranges devices along named axes. A `PartitionSpec` says which of these axes divide each
axis of an array; both together are a `Sharding`. A `ShardedArray` has its parts on the devices.

In a program for several processes, each process puts and collects the parts on its own devices.
Parts are numbered by the position of their device in the mesh, since the ids of devices are not
dense.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot_runtime import buffers, clients
from ingot_runtime.clients import jaxlib
from ingot_runtime.errors import IngotError

#: The part of an array on one device: a slice along each axis.
Box = tuple[slice, ...]


class Mesh:
    """Devices along named axes; made by `ingot.mesh`.

    Attributes:
        shape: the number of devices along each axis, by name.
    """

    def __init__(self, shape: dict[str, int], platform: str, ids: tuple[int, ...]) -> None:
        self.shape = dict(shape)
        self._parts = tuple(self.shape.items()), platform, ids
        self._found: tuple[int, list[Any]] = (-1, [])

    @property
    def size(self) -> int:
        """The number of devices."""
        return math.prod(self.shape.values())

    @property
    def devices(self) -> list[Any]:
        """The devices in C order of the axes, those of other processes among them."""
        if self._found[0] != len(clients.LEFT):
            _, platform, ids = self._parts
            client = clients.client() if platform != "cpu" else clients.cpu_client()
            known = {device.id: device for device in client.devices()}
            self._found = len(clients.LEFT), [known[i] for i in ids]
        return self._found[1]

    @property
    def local(self) -> list[int]:
        """The positions of this process's devices in `devices`.

        Raises:
            IngotError: there are none.
        """
        devices = self.devices
        own = devices[0].client.process_index()
        found = [i for i, device in enumerate(devices) if device.process_index == own]
        if not found:
            raise IngotError(
                f"{self} has no device of process {own}: it takes the first ones of all processes"
            )
        return found

    @property
    def is_local(self) -> bool:
        """Whether all devices are this process's."""
        return len(self.local) == self.size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    def __repr__(self) -> str:
        axes = ", ".join(f"{name}={size}" for name, size in self.shape.items())
        return f"ingot.mesh({axes})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Mesh, (self.shape, *self._parts[1:])


def mesh(**axes: int) -> Mesh:
    """Arrange devices along named axes.

    The devices are the first ones of `ingot.devices()`; with several processes, of all of them. On
    the CPU, the environment variable `INGOT_CPU_DEVICES` sets how many a process has.

    Args:
        axes: the number of devices along each axis. Neighbours along the last axis are neighbours
            in the list.

    Returns:
        A `Mesh` with the attributes `shape`, a dict of the axes, and `size`.

    Raises:
        ValueError: there are too few devices, or no axes.

    Example:
        >>> mesh = ingot.mesh(data=1)
        >>> mesh.shape, mesh.size
        ({'data': 1}, 1)
    """
    for name, size in axes.items():
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise ValueError(f"the axis {name} of a mesh has a positive number of devices: {size}")
    if not axes:
        raise ValueError("a mesh has at least one axis: ingot.mesh(data=4)")
    client = clients.client()
    devices, needed = client.devices(), math.prod(axes.values())
    if len(devices) < needed:
        hint = ""
        if client.platform == "cpu":
            hint = (
                f"; set the environment variable INGOT_CPU_DEVICES={needed} before the first use "
                "of Ingot"
            )
        raise ValueError(f"the mesh needs {needed} devices, and there are {len(devices)}{hint}")
    return Mesh(axes, client.platform, tuple(device.id for device in devices[:needed]))


@dataclass(frozen=True, init=False, repr=False)
class PartitionSpec:
    """For each axis of an array, the axes of a mesh that divide it; made by `ingot.P`."""

    entries: tuple[tuple[str, ...], ...]

    def __init__(self, *entries: str | Sequence[str] | None) -> None:
        found = tuple(
            () if each is None else tuple(each) if isinstance(each, (tuple, list)) else (each,)
            for each in entries
        )
        names = [name for entry in found for name in entry]
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"P takes names of axes, tuples of names and None, not {name!r}")
            if names.count(name) > 1:
                raise ValueError(f"P has the axis {name} twice")
        while found and not found[-1]:
            found = found[:-1]
        object.__setattr__(self, "entries", found)

    def __repr__(self) -> str:
        shown = (repr(e[0]) if len(e) == 1 else repr(e) if e else "None" for e in self.entries)
        return f"P({', '.join(shown)})"

    def padded(self, ndim: int) -> tuple[tuple[str, ...], ...]:
        """An entry for each of `ndim` axes.

        Raises:
            ValueError: it has more entries.
        """
        if len(self.entries) > ndim:
            raise ValueError(f"{self} has {len(self.entries)} entries for an array of {ndim} axes")
        return self.entries + ((),) * (ndim - len(self.entries))

    def check(self, mesh: Mesh) -> None:
        """Raise a ValueError if an axis is none of the mesh's."""
        for name in (name for entry in self.entries for name in entry):
            if name not in mesh.shape:
                raise ValueError(f"{self} names the axis {name}, which {mesh} does not have")


@dataclass(frozen=True)
class Sharding:
    """Where the parts of an array lie.

    Attributes:
        mesh: the mesh.
        spec: which of its axes divide the axes of the array; None if no `PartitionSpec` says so:
            XLA also divides by a part of an axis.
    """

    mesh: Mesh
    spec: PartitionSpec | None

    def __repr__(self) -> str:
        return f"{self.spec or 'divided as XLA chose'} on {self.mesh}"

    def tiles(self, shape: tuple[int, ...]) -> Tiles:
        """How it divides an array of this shape.

        An axis is divided into equal parts: if the devices along an axis of the mesh are too many,
        into the largest divisor of their number that divides the axis; the rest of the devices
        have copies.
        """
        assert self.spec is not None, "this sharding is known from its tiles only"
        sizes = list(self.mesh.shape.items())
        factors: dict[str, int] = {}
        counts: list[int] = []
        entries = self.spec.padded(len(shape))
        for extent, names in zip(shape, entries, strict=True):
            rest = extent
            for name in names:
                factors[name] = math.gcd(rest, self.mesh.shape[name])
                rest //= factors[name]
            counts.append(math.prod(factors[name] for name in names))
        # Each axis of the mesh becomes a pair of axes: what divides, and what copies.
        split = [part for n, s in sizes for part in (factors.get(n, 1), s // factors.get(n, 1))]
        position = {name: 2 * i for i, (name, _) in enumerate(sizes)}
        dividing = [position[name] for names in entries for name in names]
        others = [i for i in range(len(split)) if i not in dividing]
        order = np.arange(self.mesh.size).reshape(split).transpose(dividing + others)
        return Tiles(tuple(counts), tuple(order.reshape(-1).tolist()))


@dataclass(frozen=True)
class Tiles:
    """The division of an array into equal tiles.

    Attributes:
        counts: the number of tiles along each axis.
        order: the positions of devices, in C order of the tiles; the devices with copies of one
            tile are neighbours.
    """

    counts: tuple[int, ...]
    order: tuple[int, ...]

    @classmethod
    def of(cls, hlo: Any, ndim: int, size: int) -> Tiles:
        """From a sharding of XLA, which numbers the devices by their positions."""
        if ndim == 0 or hlo.is_replicated():
            return cls((1,) * ndim, tuple(range(size)))
        counts = tuple(hlo.tile_assignment_dimensions()[:ndim])
        return cls(counts, tuple(hlo.tile_assignment_devices()))

    @functools.cached_property
    def hlo(self) -> Any:
        """As a sharding of XLA."""
        tiles = math.prod(self.counts)
        if tiles == 1:
            return jaxlib().HloSharding.replicate()
        proto = jaxlib().OpSharding()
        proto.type = jaxlib().OpSharding.Type.OTHER
        copies = len(self.order) // tiles
        proto.tile_assignment_dimensions = [*self.counts, *([copies] if copies > 1 else [])]
        proto.tile_assignment_devices = list(self.order)
        proto.replicate_on_last_tile_dim = copies > 1
        return jaxlib().HloSharding.from_proto(proto)

    def boxes(self, shape: tuple[int, ...]) -> tuple[Box, ...]:
        """The box of each device of the mesh, by its position."""
        return _boxes(self, shape)


@functools.lru_cache(maxsize=1024)
def _boxes(tiles: Tiles, shape: tuple[int, ...]) -> tuple[Box, ...]:
    extents = []
    for size, count in zip(shape, tiles.counts, strict=True):
        if size % count:
            raise RuntimeError(f"XLA divides an axis of {size} into {count} parts")
        extents.append(size // count)
    found: list[Box] = [()] * len(tiles.order)
    copies = len(tiles.order) // math.prod(tiles.counts)
    for i, position in enumerate(tiles.order):
        where = np.unravel_index(i // copies, tiles.counts) if tiles.counts else ()
        found[position] = tuple(
            slice(int(k) * n, (int(k) + 1) * n) for k, n in zip(where, extents, strict=True)
        )
    return tuple(found)


@functools.lru_cache(maxsize=1024)
def spec_of(mesh: Mesh, tiles: Tiles, shape: tuple[int, ...]) -> PartitionSpec | None:
    """The partition spec by which an array is divided so, or None."""
    boxes = tiles.boxes(shape)
    found: list[list[tuple[str, ...]]] = [[]]
    for count in tiles.counts:
        found = [
            [*entries, names]
            for entries in found
            for names in _products(mesh, count, [n for entry in entries for n in entry])
        ]
    for entries in found:
        spec = PartitionSpec(*entries)
        if Sharding(mesh, spec).tiles(shape).boxes(shape) == boxes:
            return spec
    return None


def _products(mesh: Mesh, count: int, used: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The sequences of unused axes that may divide an axis into `count` parts."""
    if count == 1:
        yield ()
        return
    for name, size in mesh.shape.items():
        part = math.gcd(count, size)
        if name in used or part == 1:
            continue
        for rest in _products(mesh, count // part, [*used, name]):
            yield (name, *rest)


@dataclass(frozen=True)
class Shard:
    """A part of an array on one device of this process.

    Attributes:
        device: the device.
        index: the part's place in the array: a slice along each axis.
        data: a read-only NumPy array.
    """

    device: Any
    index: Box
    data: np.ndarray


class ShardedArray:
    """An immutable array whose parts lie on the devices of a mesh.

    `ingot.shard` and compiled functions make it. `np.asarray` collects its parts into a NumPy
    array, and so does each NumPy function that is called with it.

    Attributes:
        shape, dtype, ndim, size, nbytes: as for NumPy's arrays.
        sharding: its `Sharding`, with the attributes `mesh` and `spec`.

    Example:
        >>> mesh = ingot.mesh(data=1)
        >>> x = ingot.shard(np.arange(4.0), ingot.P("data"), mesh=mesh)
        >>> x.sharding.spec, x.shards[0].index, float(np.sum(x))
        (P('data'), (slice(0, 4, None),), 6.0)
    """

    def __init__(
        self,
        array: Any,
        shape: tuple[int, ...],
        dtype: np.dtype,
        sharding: Sharding,
        tiles: Tiles,
    ) -> None:
        #: jaxlib's array of all parts.
        self.array = array
        self.shape, self.dtype, self.sharding, self.tiles = shape, dtype, sharding, tiles
        self.clients_left = len(clients.LEFT)

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    nbytes = property(lambda self: self.size * self.dtype.itemsize)

    def __copy__(self) -> ShardedArray:
        return self

    def __deepcopy__(self, memo: Any) -> ShardedArray:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Where XLA has chosen the parts, the copy has all of it everywhere.
        spec = self.sharding.spec or PartitionSpec()
        return shard, (self.collect(), self.sharding.mesh, spec)

    @property
    def shards(self) -> list[Shard]:
        """The parts on the devices of this process."""
        mesh, boxes = self.sharding.mesh, self.tiles.boxes(self.shape)
        found = []
        # Every way from jaxlib's array to its parts imports jax, where that is installed.
        for i, buffer in zip(mesh.local, self.array._arrays, strict=True):
            shape = tuple(each.stop - each.start for each in boxes[i])
            found.append(Shard(mesh.devices[i], boxes[i], _data(buffer, shape, self.dtype)))
        return found

    def collect(self) -> np.ndarray:
        """The whole array, as a new NumPy array.

        Raises:
            IngotError: a part lies on devices of other processes only.
        """
        starts = [_starts(each) for each in self.tiles.boxes(self.shape)]
        if not {starts[i] for i in self.sharding.mesh.local}.issuperset(starts):
            raise IngotError(
                f"{self!r} has parts on other processes; copy them to all devices by a compiled "
                "function with out_shardings=ingot.P()"
            )
        made = np.empty(self.shape, self.dtype)
        for each in {_starts(each.index): each for each in self.shards}.values():
            made[each.index] = each.data
        return made

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the parts of a sharded array are copied into one array")
        made = self.collect()
        return made if dtype is None else made.astype(dtype, copy=False)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __repr__(self) -> str:
        part = self.tiles.boxes(self.shape)[0]
        sizes = [each.stop - each.start for each in part]
        count = math.prod(self.tiles.counts)
        return (
            f"ShardedArray({self.dtype}{list(self.shape)}, {self.sharding}: "
            f"{count} part{'s' * (count != 1)} of {sizes})"
        )

    def __str__(self) -> str:
        try:
            return str(self.collect())
        except IngotError:
            return repr(self)


def _starts(box: Box) -> tuple[int, ...]:
    return tuple(each.start for each in box)


def _data(buffer: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """The values of a buffer on one device; on the CPU, in the memory of the buffer."""
    if 0 in shape:
        return np.empty(shape, dtype)
    buffers.wait(buffer)
    if buffer.platform() != "cpu":
        return buffers.received(buffer)
    made = np.asarray(memoryview(buffer))
    made.flags.writeable = False
    return made


def place(value: Any, mesh: Mesh, tiles: Tiles) -> Any:
    """jaxlib's array of the parts of a NumPy array or number, of which this process puts its own.

    Parts are put one by one: jaxlib's function for all of them at once copies the first part to
    all devices if the sharding says that they are copies.
    """
    if buffers.is_device_array(value):
        # Its own conversion needs jax.
        value = _data(value, value.shape, np.dtype(value.dtype))
    array = np.asarray(value)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    boxes, devices = tiles.boxes(array.shape), mesh.devices
    parts = [
        buffers.to_device(np.ascontiguousarray(array[boxes[i]]), devices[i], copy=True)
        for i in mesh.local
    ]
    return buffers.joined(parts, array.shape, array.dtype, layout_of(mesh, tiles))


def layout_of(mesh: Mesh, tiles: Tiles) -> Any:
    """jaxlib's sharding."""
    return _layout(mesh, tiles, len(clients.LEFT))


@functools.lru_cache(maxsize=1024)
def _layout(mesh: Mesh, tiles: Tiles, _: int) -> Any:
    return buffers.layout(mesh.devices, tiles.hlo)


def placed(value: Any, mesh: Mesh, tiles: Tiles) -> Any:
    """jaxlib's array of a value with its parts where `tiles` says; they may lie there."""
    if not isinstance(value, ShardedArray):
        return place(value, mesh, tiles)
    is_there = value.sharding.mesh == mesh and value.clients_left == len(clients.LEFT)
    if is_there and value.tiles.boxes(value.shape) == tiles.boxes(value.shape):
        return value.array
    return place(value.collect(), mesh, tiles)


class Everywhere:
    """A constant array with a copy on each device of a mesh; a `place` of `program.Captured`."""

    def __init__(self, array: np.ndarray, mesh: Mesh) -> None:
        self._array, self._mesh = array, mesh
        self._found: ShardedArray | None = None

    def find(self) -> ShardedArray:
        """The array on the devices."""
        if self._found is None or self._found.clients_left != len(clients.LEFT):
            self._found = shard(self._array, self._mesh, PartitionSpec())
        return self._found


def shard(x: Any, mesh: Mesh, spec: PartitionSpec) -> ShardedArray:
    """A sharded array of the values of a NumPy array, a number or a sharded array."""
    spec.check(mesh)
    sharding = Sharding(mesh, spec)
    source = x if isinstance(x, ShardedArray) else np.asarray(x)
    dtype = source.dtype.newbyteorder("=")
    tiles = sharding.tiles(tuple(source.shape))
    made = placed(source, mesh, tiles)
    return ShardedArray(made, tuple(source.shape), dtype, sharding, tiles)
