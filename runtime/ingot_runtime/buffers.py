"""Device buffers: what goes into a program and what comes out of it."""

from __future__ import annotations

import functools
import importlib
import math
import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ingot_runtime import clients, spares
from ingot_runtime.clients import cpu_client, jaxlib

_native: Any
try:
    _native = importlib.import_module("ingot_runtime._native")
except ImportError:
    # The loader needs NumPy and jaxlib alone.
    _native = None

#: XLA's CPU runtime takes memory as it is if it is aligned so.
ALIGNMENT = 64
#: The bytes from which arrays are copied to memory that is kept for that, where they are copied:
#: XLA's own copies of smaller ones take no longer.
LEAST_STAGED = 256 << 10


def is_device_array(value: Any) -> bool:
    """Whether the value is a jax.Array."""
    module = sys.modules.get("jaxlib._jax")
    return module is not None and isinstance(value, module.ArrayImpl)


def device_of(array: Any) -> Any:
    """The device of a jax.Array that lives on one."""
    (device,) = array.devices()
    return device


def device_among(values: Iterable[Any]) -> Any:
    """The device of the first jax.Array, or None if there is none."""
    for value in values:
        if is_device_array(value):
            return device_of(value)
    return None


def to_device(value: Any, device: Any, copy: bool = False) -> Any:
    """A NumPy array or number as a device buffer.

    Args:
        copy: arrays may be stored to before the program has ended; else those that XLA's CPU
            runtime can take are not copied.
    """
    if is_device_array(value):
        return value
    array = np.asarray(value)
    if device.platform == "cpu":
        return _put(array, device, copy)
    return _copied(_put(array, cpu_client().local_devices()[0], copy), device)


def held(value: Any, device: Any, copy: bool = False) -> tuple[Any, int]:
    """An array as a part of a flat buffer, which begins where XLA takes it, and its first item.

    Args:
        value: an array of NumPy's or jax's.
        device: one of the CPU.
        copy: as for `to_device`.
    """
    # What XLA has let go in threads of its own it forgets on this call: copies use it again.
    jaxlib()._xla.collect_garbage()
    flat, first = _native.within(np.asarray(value), copy)
    put, sharding, zero_copy, _ = _putting(device)
    type_ = _Type(flat.shape, flat.dtype)
    return put(type_, sharding, [flat], [device], True, False, zero_copy, True), first


class _Type:
    """What jaxlib asks of a `jax.core.ShapedArray`, without jax."""

    __slots__ = ("dtype", "shape", "weak_type")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype) -> None:
        self.shape, self.dtype, self.weak_type = shape, dtype, False


@functools.cache
def _sharding(device: Any) -> Any:
    """The whole array on one device; jaxlib's own class says less than its functions ask."""
    base: Any = jaxlib().SingleDeviceSharding

    class Whole(base):
        memory_kind = None

        def _to_xla_hlo_sharding(self, axes: int) -> Any:
            return jaxlib().HloSharding.replicate()

    return Whole(device)


def _put(array: np.ndarray, device: Any, copy: bool = False) -> Any:
    """An array's memory as a buffer of the CPU, or a copy where XLA can't take it as it is.

    DLPack would do, too, but jaxlib imports jax for it, and for `execute`, where it is installed.
    """
    put, sharding, zero_copy, during_call = _putting(device)
    is_plain = array.flags.c_contiguous and array.dtype.isnative
    is_ready = is_plain and not copy and array.ctypes.data % ALIGNMENT == 0
    if not is_ready and array.nbytes >= LEAST_STAGED and _native is not None:
        array, is_ready = _staged_copy(array), True
    elif not is_plain:
        array = np.asarray(array, array.dtype.newbyteorder("="), order="C")
    kind = zero_copy if is_ready else during_call
    type_ = _Type(array.shape, array.dtype)
    return put(type_, sharding, [array], [device], True, False, kind, True)


def copied_by_xla(array: np.ndarray, device: Any) -> Any:
    """A copy in memory of XLA's own, which a program can be given for a result."""
    put, sharding, _, during_call = _putting(device)
    type_ = _Type(array.shape, array.dtype)
    return put(type_, sharding, [array], [device], True, False, during_call, True)


def _staged_copy(array: np.ndarray) -> Any:
    """A copy at an address that XLA takes.

    XLA refers to it until the last program that reads it has ended, and then its memory is there
    for other copies: no result shares it, as XLA copies parameters that a program gives back.
    """
    # What XLA has let go in threads of its own it forgets on this call.
    jaxlib()._xla.collect_garbage()
    return _native.staged_copy(array)


@functools.cache
def _putting(device: Any) -> tuple[Any, ...]:
    """What `_put` needs of jaxlib: a function, a sharding, and the two ways of taking memory."""
    kinds = jaxlib().HostBufferSemantics
    ways = kinds.ZERO_COPY, kinds.IMMUTABLE_ONLY_DURING_CALL
    return (jaxlib().batched_device_put, _sharding(device), *ways)


clients.WHEN_LEFT += [_sharding.cache_clear, _putting.cache_clear]


def result_handler(device: Any) -> Any:
    """What makes a device buffer of what a program gives."""
    # The type is for jax, which takes results of `execute` only.
    type_ = _Type((), np.dtype(np.float32))
    return jaxlib()._xla.array_result_handler(type_, _sharding(device), True, True)


def _copied(buffer: Any, device: Any) -> Any:
    """A copy of a buffer on another device."""
    xla = jaxlib()
    return xla.batched_copy_array_to_devices_with_sharding(
        [buffer],
        [xla.DeviceList((device,))],
        [xla.SingleDeviceSharding(device)],
        [xla.ArrayCopySemantics.ALWAYS_COPY],
    )[0]


class _Memory:
    """A device buffer's memory as NumPy's array interface; keeps the buffer alive."""

    __slots__ = ("__array_interface__", "buffer")

    def __init__(self, buffer: Any, shape: tuple[int, ...], dtype: np.dtype) -> None:
        # Asked for its address itself, the buffer would import jax.
        view = np.asarray(memoryview(buffer))
        if view.shape != shape or view.dtype != dtype:
            raise RuntimeError(f"a result is {view.dtype}{view.shape}, not {dtype}{shape}")
        self.buffer = buffer
        interface = view.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


class _LargeMemory(_Memory):
    """When no array is over it any more, it is for another result."""

    __slots__ = ("type",)

    def __init__(self, buffer: Any, shape: tuple[int, ...], dtype: np.dtype) -> None:
        super().__init__(buffer, shape, dtype)
        self.type = dtype, shape

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        if hasattr(self, "type") and not is_finalizing():
            # Its method `devices` is jax's.
            spares.give_back(self.buffer, *self.type, self.buffer._sharding._device)


def memory_of(array: Any, device: Any) -> _Memory | None:
    """What holds the memory of an array that is a whole result on a device, or None."""
    memory = getattr(array, "base", None)
    if not isinstance(memory, _Memory) or not array.flags.c_contiguous:
        return None
    # Results of accelerators are copied to the CPU, and clients may have been left behind.
    if memory.buffer._sharding._device != device:
        return None
    there = memory.__array_interface__
    first, shape, kind = there["data"][0], there["shape"], there["typestr"]
    is_whole = array.ctypes.data == first and array.shape == shape and array.dtype.str == kind
    return memory if is_whole else None


def to_numpy(buffer: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A result as a writable NumPy array; on the CPU its memory is the buffer's own.

    Raises:
        RuntimeError: it has another shape or dtype.
    """
    if 0 in shape:
        return np.empty(shape, dtype)
    if buffer.platform() != "cpu":
        buffer = _copied(buffer, cpu_client().local_devices()[0])
    wait(buffer)
    is_large = math.prod(shape) * dtype.itemsize >= spares.LEAST
    return np.asarray((_LargeMemory if is_large else _Memory)(buffer, shape, dtype))


def copy_to(array: np.ndarray, buffer: Any, shape: tuple[int, ...], dtype: np.dtype) -> None:
    """Store a result to an array of the caller's."""
    made = to_numpy(buffer, shape, dtype)
    if _native is None:
        np.copyto(array, made)
    else:
        _native.copy_to(array, made)


def wait(buffer: Any) -> None:
    """Wait for a result; handlers of signals run meanwhile."""
    try:
        buffer.block_until_ready()
    except BaseException:
        # The handler of a signal has ended the wait, if not the program.
        if not buffer.is_ready():
            clients.leave_client(buffer.platform())
        raise


def staged(shape: tuple[int, ...], dtype: np.dtype) -> tuple[np.ndarray, Any]:
    """An array and a buffer of the CPU that share memory.

    Raises:
        RuntimeError: XLA has made a copy.
    """
    size = math.prod(shape) * dtype.itemsize
    memory = np.zeros(size + ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % ALIGNMENT
    array = memory[first : first + size].view(dtype).reshape(shape)
    buffer = _put(array, cpu_client().local_devices()[0])
    if size and np.asarray(memoryview(buffer)).ctypes.data != array.ctypes.data:
        raise RuntimeError("XLA does not take aligned memory as it is")
    return array, buffer


def to_jax(buffer: Any) -> Any:
    """A result as a jax.Array of the client that jax uses."""
    import jax

    xla = jaxlib()
    device = device_of(buffer)
    aval = jax.core.ShapedArray(buffer.shape, buffer.dtype)
    sharding = jax.sharding.SingleDeviceSharding(device)
    return xla.ArrayImpl(aval, sharding, [buffer], committed=True)


class Constant:
    """An array that never changes, on the default device: a place of `program.Captured`."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self._buffer = to_device(array, clients.default_device())
        self._clients_left = len(clients.LEFT)

    def find(self) -> Any:
        """The device buffer."""
        if self._clients_left != len(clients.LEFT):
            self._buffer = to_device(self.array, clients.default_device())
            self._clients_left = len(clients.LEFT)
        return self._buffer
