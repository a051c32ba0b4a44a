"""Device buffers, which are the inputs and outputs of programs."""

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
    # Optional: the loader works with NumPy and jaxlib only.
    _native = None

#: The alignment with which XLA's CPU runtime uses memory without a copy.
ALIGNMENT = 64
#: The size in bytes from which copies use staging memory; below, XLA's own copies are as fast.
LEAST_STAGED = 256 << 10


def is_device_array(value: Any) -> bool:
    """Whether the value is a jax.Array."""
    module = sys.modules.get("jaxlib._jax")
    # Another thread may be importing the module.
    kind = getattr(module, "ArrayImpl", None)
    return kind is not None and isinstance(value, kind)


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
        copy: always copy, since the caller may store to the array before the program ends.
            Otherwise, XLA's CPU runtime uses the memory of suitable arrays directly.
    """
    if is_device_array(value):
        return value
    array = np.asarray(value)
    if device.platform == "cpu":
        return _put(array, device, copy)
    return _sent(array, device, copy)


def held(value: Any, device: Any, copy: bool = False) -> tuple[Any, int]:
    """A flat, aligned buffer that contains an array, and the index of its first item in it.

    Args:
        value: a NumPy array or a jax.Array.
        device: a CPU device.
        copy: as for `to_device`.
    """
    # Frees memory that XLA's threads have released, so that copies can reuse it.
    jaxlib()._xla.collect_garbage()
    flat, first = _native.within(np.asarray(value), copy)
    return _given(flat, device, _putting(device)[-2]), first


class _Type:
    """The attributes of a `jax.core.ShapedArray` that jaxlib needs, without importing jax."""

    __slots__ = ("dtype", "shape", "weak_type")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype) -> None:
        self.shape, self.dtype, self.weak_type = shape, dtype, False


@functools.cache
def _sharding(device: Any) -> Any:
    """The sharding of an array on one device, with attributes that jaxlib's own class lacks."""
    base: Any = jaxlib().SingleDeviceSharding

    class Whole(base):
        memory_kind = None

        def _to_xla_hlo_sharding(self, axes: int) -> Any:
            return jaxlib().HloSharding.replicate()

    return Whole(device)


def _put(array: np.ndarray, device: Any, copy: bool = False) -> Any:
    """A CPU buffer that uses the memory of an array, or a copy where XLA can't use it.

    DLPack is not used because jaxlib imports jax for it, if jax is installed.
    """
    *_, zero_copy, during_call = _putting(device)
    is_plain = array.flags.c_contiguous and array.dtype.isnative
    is_ready = is_plain and not copy and array.ctypes.data % ALIGNMENT == 0
    if not is_ready and array.nbytes >= LEAST_STAGED and _native is not None:
        array, is_ready = _staged_copy(array), True
    elif not is_plain:
        array = np.asarray(array, array.dtype.newbyteorder("="), order="C")
    return _given(array, device, zero_copy if is_ready else during_call)


def _given(array: np.ndarray, device: Any, kind: Any) -> Any:
    """A buffer of a plain array, whose memory XLA may use as its `HostBufferSemantics` say."""
    put, sharding, *_ = _putting(device)
    type_ = _Type(array.shape, array.dtype)
    return put(type_, sharding, [array], [device], True, False, kind, True)


def _sent(array: np.ndarray, device: Any, copy: bool) -> Any:
    """A copy on an accelerator, which may read the array until a program that uses it has ended."""
    *_, until_sent, during_call = _putting(device)
    if not (array.flags.c_contiguous and array.dtype.isnative):
        array, copy = np.array(array, array.dtype.newbyteorder("="), order="C"), False
    return _given(array, device, during_call if copy else until_sent)


def copied_by_xla(array: np.ndarray, device: Any) -> Any:
    """A copy in memory that XLA allocates, which can be donated to a program."""
    return _given(array, device, _putting(device)[-1])


def _staged_copy(array: np.ndarray) -> Any:
    """A copy in aligned staging memory.

    XLA refers to it until the last program that reads it has ended; then other copies reuse the
    memory. No result shares it, because XLA copies parameters that a program returns.
    """
    # Frees memory that XLA's threads have released.
    jaxlib()._xla.collect_garbage()
    return _native.staged_copy(array)


@functools.cache
def _putting(device: Any) -> tuple[Any, ...]:
    """What `_put` needs of jaxlib: a function, a sharding, and the two modes of using memory.

    In the first mode, XLA uses the memory itself, or copies it to an accelerator while others run.
    """
    kinds = jaxlib().HostBufferSemantics
    ways = kinds.ZERO_COPY, kinds.IMMUTABLE_ONLY_DURING_CALL
    return (jaxlib().batched_device_put, _sharding(device), *ways)


clients.WHEN_LEFT += [_sharding.cache_clear, _putting.cache_clear]


def result_handler(device: Any) -> Any:
    """The handler that makes a device buffer from a program's output."""
    # The type does not matter: only jax reads it, and these results are not passed to jax.
    return _handler(_Type((), np.dtype(np.float32)), _sharding(device))


#: The version of jaxlib's interface (jaxlib 0.11.2) from which handlers never check their results.
UNCHECKED = 495


def _handler(type_: _Type, sharding: Any) -> Any:
    unchecked = (True,) if clients.is_before(UNCHECKED) else ()
    return jaxlib()._xla.array_result_handler(type_, sharding, True, *unchecked)


@functools.cache
def _divided() -> Any:
    """The class of shardings on several devices, with attributes that jaxlib's own class lacks."""
    base: Any = jaxlib().GSPMDSharding

    class Divided(base):
        memory_kind = None

        def _to_xla_hlo_sharding(self, axes: int) -> Any:
            return self._hlo_sharding

    return Divided


def layout(devices: list[Any], hlo: Any) -> Any:
    """The sharding of an array on several devices."""
    return _divided()(jaxlib().DeviceList(tuple(devices)), hlo)


def joined(parts: list[Any], shape: tuple[int, ...], dtype: np.dtype, sharding: Any) -> Any:
    """The array whose parts on this process's devices are these buffers."""
    return jaxlib().ArrayImpl(_Type(shape, dtype), sharding, parts, True, True)


def divided_handler(shape: tuple[int, ...], dtype: np.dtype, sharding: Any) -> Any:
    """The handler that makes an array on several devices from a program's output."""
    return _handler(_Type(shape, dtype), sharding)


class _Memory:
    """The memory of a device buffer by NumPy's array interface; keeps the buffer alive."""

    __slots__ = ("__array_interface__", "buffer")

    def __init__(self, buffer: Any, shape: tuple[int, ...], dtype: np.dtype) -> None:
        # The buffer's own method for its address would import jax.
        view = np.asarray(memoryview(buffer))
        if view.shape != shape or view.dtype != dtype:
            raise RuntimeError(f"a result is {view.dtype}{view.shape}, not {dtype}{shape}")
        self.buffer = buffer
        interface = view.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


class _LargeMemory(_Memory):
    """Memory that is reused for another result when no array refers to it any more."""

    __slots__ = ("type",)

    def __init__(self, buffer: Any, shape: tuple[int, ...], dtype: np.dtype) -> None:
        super().__init__(buffer, shape, dtype)
        self.type = dtype, shape

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        if hasattr(self, "type") and not is_finalizing():
            # The method `devices` of the buffer needs jax.
            spares.give_back(self.buffer, *self.type, self.buffer._sharding._device)


def received(buffer: Any) -> np.ndarray:
    """A read-only copy of an accelerator's buffer."""
    copy, _ = buffer._single_device_array_to_np_array_did_copy()
    return copy


class _Received:
    """The memory of a copy that jaxlib has made, which may be written."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        interface = array.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


def memory_of(array: Any, device: Any) -> _Memory | None:
    """The `_Memory` of an array that is an unmodified result on a device; None for others."""
    memory = getattr(array, "base", None)
    if not isinstance(memory, _Memory) or not array.flags.c_contiguous:
        return None
    # Its client may have been abandoned.
    if memory.buffer._sharding._device != device:
        return None
    there = memory.__array_interface__
    first, shape, kind = there["data"][0], there["shape"], there["typestr"]
    is_whole = array.ctypes.data == first and array.shape == shape and array.dtype.str == kind
    return memory if is_whole else None


def to_numpy(buffer: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A result as a writable NumPy array; on the CPU it shares the memory of the buffer.

    Args:
        buffer: a device buffer, or a NumPy array.

    Raises:
        RuntimeError: the buffer has another shape or dtype.
    """
    if isinstance(buffer, np.ndarray):
        return buffer
    if 0 in shape:
        return np.empty(shape, dtype)
    wait(buffer)
    if buffer.platform() != "cpu":
        return np.asarray(_Received(received(buffer)))
    is_large = math.prod(shape) * dtype.itemsize >= spares.LEAST
    return np.asarray((_LargeMemory if is_large else _Memory)(buffer, shape, dtype))


def copy_to(array: np.ndarray, buffer: Any, shape: tuple[int, ...], dtype: np.dtype) -> None:
    """Copy a result into an array of the caller."""
    made = to_numpy(buffer, shape, dtype)
    if _native is None:
        np.copyto(array, made)
    else:
        _native.copy_to(array, made)


def wait(buffer: Any) -> None:
    """Wait for a result; signal handlers run meanwhile."""
    try:
        buffer.block_until_ready()
    except BaseException:
        # A signal handler raised an exception; the program may still be running.
        if not buffer.is_ready():
            clients.leave_client(buffer.platform())
        raise


def unread(value: Any, device: Any) -> Any:
    """A buffer of a CPU device with the type of a value, for a program that does not read it.

    The memory is not written either, so large buffers are addresses only.
    """
    array = np.asarray(value)
    return _put(_aligned(array.shape, array.dtype.newbyteorder("=")), device)


def _aligned(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A new array that XLA uses without a copy."""
    size = math.prod(shape) * dtype.itemsize
    memory = np.empty(size + ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % ALIGNMENT
    return memory[first : first + size].view(dtype).reshape(shape)


def staged(shape: tuple[int, ...], dtype: np.dtype) -> tuple[np.ndarray, Any]:
    """A staging buffer: a NumPy array and a CPU buffer that share memory.

    Raises:
        RuntimeError: XLA has made a copy.
    """
    array = _aligned(shape, dtype)
    size = array.nbytes
    buffer = _put(array, cpu_client().local_devices()[0])
    if size and np.asarray(memoryview(buffer)).ctypes.data != array.ctypes.data:
        raise RuntimeError("XLA does not take aligned memory as it is")
    return array, buffer


def to_jax(buffer: Any) -> Any:
    """A result as a jax.Array on the device of the buffer."""
    import jax

    xla = jaxlib()
    device = device_of(buffer)
    aval = jax.core.ShapedArray(buffer.shape, buffer.dtype)
    sharding = jax.sharding.SingleDeviceSharding(device)
    return xla.ArrayImpl(aval, sharding, [buffer], committed=True)


class Constant:
    """A constant array on the default device; a `place` of `program.Captured`."""

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
