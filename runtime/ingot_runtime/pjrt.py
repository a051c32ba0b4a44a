"""PJRT through jaxlib; this file and `stablehlo` alone know jaxlib's private names.

jaxlib is imported on first use, so that importing Ingot stays cheap.
"""

from __future__ import annotations

import contextvars
import ctypes
import functools
import hashlib
import importlib
import importlib.util
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from platform import machine, processor
from typing import Any

import numpy as np

from ingot_runtime import stablehlo
from ingot_runtime.effects import CALLBACKS, Effect
from ingot_runtime.interrupts import interruptible

#: XLA's CPU runtime takes memory as it is if it is aligned so.
ALIGNMENT = 64
#: Accelerators by the package of their PJRT plugin, best first.
PLUGINS = {"cuda": ("jax_plugins.xla_cuda13", "xla_cuda_plugin.so")}


# jaxlib's C++ logs to stderr unless told otherwise before any of it is loaded.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")


@functools.cache
def _jaxlib() -> Any:
    # Its C++ ends the process where a signal's handler raises while it is imported.
    name = "jaxlib.xla_client"
    return interruptible(importlib.import_module, name, abandoned=lambda: None)


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


# Devices.


def _plugin_library(platform: str) -> Path | None:
    package, library = PLUGINS[platform]
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(next(iter(spec.submodule_search_locations))) / library
    return path if path.exists() else None


def _plugin_client(platform: str) -> Any:
    xla = _jaxlib()
    library = _plugin_library(platform)
    if library is None:
        raise RuntimeError("its PJRT plugin is not installed")
    if not xla.pjrt_plugin_loaded(platform):
        xla.load_pjrt_plugin_dynamically(platform, str(library))
    if not xla.pjrt_plugin_initialized(platform):
        xla.initialize_pjrt_plugin(platform)
    return xla.make_c_api_client(platform, {})


@functools.cache
def client() -> Any:
    """The PJRT client of the accelerator that is there, else of the CPU.

    `INGOT_PLATFORM` ("cpu" or "cuda") decides instead where it is set.

    Raises:
        RuntimeError: `INGOT_PLATFORM` names an unknown platform, or the process was forked from
            one that uses an accelerator.
    """
    if any(each.platform != "cpu" for each in _left):
        raise RuntimeError(
            f"{_left[0].platform} can't be used in a process that was forked from one that uses "
            'it; start processes by multiprocessing.get_context("spawn")'
        )
    wanted = os.environ.get("INGOT_PLATFORM", "")
    if wanted not in ("", "cpu", *PLUGINS):
        known = ", ".join(("cpu", *PLUGINS))
        raise RuntimeError(f"INGOT_PLATFORM={wanted} is unknown; there are {known}")
    candidates = [wanted] if wanted in PLUGINS else [] if wanted else list(PLUGINS)
    for platform in candidates:
        if not wanted and _plugin_library(platform) is None:
            continue
        try:
            return _plugin_client(platform)
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            print(f"ingot: {platform} can't be used ({reason}); using the CPU", file=sys.stderr)
    return _cpu_client()


@functools.cache
def _cpu_client() -> Any:
    _keep_memory()
    # The thread that dispatches is one of those that compute; the caller's would be one more than
    # there are processors. Results are waited for.
    return _jaxlib().make_cpu_client(asynchronous=True)


def _keep_memory() -> None:
    """Keep up to 128 MiB of freed memory for the next call, if glibc is not told otherwise.

    It would give what programs compute in back to the system after each call, and the next one
    take longer to get it again, page by page, than to compute.
    """
    if sys.platform != "linux" or any(name.startswith("MALLOC_") for name in os.environ):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    # What is larger than 32 MiB, the most that it accepts, is taken from the system each time.
    if mallopt and mallopt(MMAP_THRESHOLD, 32 << 20):
        mallopt(TRIM_THRESHOLD, 128 << 20)


#: Parameters of glibc's mallopt.
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3


def default_device() -> Any:
    return client().local_devices()[0]


# Clients that are left behind.

#: Those whose threads are gone since a fork, or compute what nobody waits for.
_left: list[Any] = []
#: Called where clients are left behind.
WHEN_LEFT: list[Callable[[], None]] = []
#: Whether a parent of this process had a client: then compiling has lost a thread of its own.
_is_forked = False


def _keep_for_ever(value: Any) -> None:
    """Not even the end of the process frees it."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))


def _leave_clients() -> None:
    """Let what follows have new clients; what belongs to the old ones is made anew on its use."""
    for each in (_cpu_client, client):
        if each.cache_info().currsize:
            _left.append(each())
            # Its end would wait for its threads.
            _keep_for_ever(_left[-1])
    for cached in (_cpu_client, client, _sharding, _putting):
        cached.cache_clear()
    for forget in WHEN_LEFT:
        forget()


def _leave_client(platform: str) -> None:
    """Leave a program that was interrupted to its client, whose threads it may keep for ever."""
    if platform == client().platform == "cpu":
        _leave_clients()


def _after_fork() -> None:
    global _is_forked
    if _cpu_client.cache_info().currsize or client.cache_info().currsize:
        _is_forked = True
        _leave_clients()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _is_left(device: Any) -> bool:
    return any(device.client is each for each in _left)


def _present(device: Any) -> Any:
    """The device, or what takes its place if its client was left behind."""
    return default_device() if _is_left(device) else device


class Constant:
    """An array that never changes, on the default device: a place of `program.Captured`."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self._buffer = to_device(array, default_device())
        self._clients_left = len(_left)

    def find(self) -> Any:
        """The device buffer."""
        if self._clients_left != len(_left):
            self._buffer = to_device(self.array, default_device())
            self._clients_left = len(_left)
        return self._buffer


# Data.


def to_device(value: Any, device: Any) -> Any:
    """A NumPy array or number as a device buffer; on the CPU aligned arrays are not copied."""
    if is_device_array(value):
        return value
    array = np.asarray(value)
    if array.dtype.byteorder not in "=|":
        array = array.astype(array.dtype.newbyteorder("="))
    if device.platform == "cpu":
        return _put(array, device)
    return _copied(_put(array, _cpu_client().local_devices()[0]), device)


class _Type:
    """What jaxlib asks of a `jax.core.ShapedArray`, without jax."""

    __slots__ = ("dtype", "shape", "weak_type")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype) -> None:
        self.shape, self.dtype, self.weak_type = shape, dtype, False


@functools.cache
def _sharding(device: Any) -> Any:
    """The whole array on one device; jaxlib's own class says less than its functions ask."""
    base: Any = _jaxlib().SingleDeviceSharding

    class Whole(base):
        memory_kind = None

        def _to_xla_hlo_sharding(self, axes: int) -> Any:
            return _jaxlib().HloSharding.replicate()

    return Whole(device)


def _put(array: np.ndarray, device: Any) -> Any:
    """An array's memory as a buffer of the CPU, or a copy where XLA can't take it as it is.

    DLPack would do, too, but jaxlib imports jax for it, and for `execute`, where it is installed.
    """
    put, sharding, zero_copy, during_call = _putting(device)
    array = np.asarray(array, order="C")
    is_ready = array.flags.writeable and array.ctypes.data % ALIGNMENT == 0
    kind = zero_copy if is_ready else during_call
    type_ = _Type(array.shape, array.dtype)
    return put(type_, sharding, [array], [device], True, False, kind, True)


@functools.cache
def _putting(device: Any) -> tuple[Any, ...]:
    """What `_put` needs of jaxlib: a function, a sharding, and the two ways of taking memory."""
    kinds = _jaxlib().HostBufferSemantics
    ways = kinds.ZERO_COPY, kinds.IMMUTABLE_ONLY_DURING_CALL
    return (_jaxlib().batched_device_put, _sharding(device), *ways)


def _copied(buffer: Any, device: Any) -> Any:
    """A copy of a buffer on another device."""
    xla = _jaxlib()
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


def to_numpy(buffer: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A result as a writable NumPy array; on the CPU its memory is the buffer's own.

    Raises:
        RuntimeError: it has another shape or dtype.
    """
    if 0 in shape:
        return np.empty(shape, dtype)
    if buffer.platform() != "cpu":
        buffer = _copied(buffer, _cpu_client().local_devices()[0])
    wait(buffer)
    return np.asarray(_Memory(buffer, shape, dtype))


def wait(buffer: Any) -> None:
    """Wait for a result; handlers of signals run meanwhile."""
    try:
        buffer.block_until_ready()
    except BaseException:
        # The handler of a signal has ended the wait, if not the program.
        if not buffer.is_ready():
            _leave_client(buffer.platform())
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
    buffer = _put(array, _cpu_client().local_devices()[0])
    if size and np.asarray(memoryview(buffer)).ctypes.data != array.ctypes.data:
        raise RuntimeError("XLA does not take aligned memory as it is")
    return array, buffer


def to_jax(buffer: Any) -> Any:
    """A result as a jax.Array of the client that jax uses."""
    import jax

    xla = _jaxlib()
    device = device_of(buffer)
    aval = jax.core.ShapedArray(buffer.shape, buffer.dtype)
    sharding = jax.sharding.SingleDeviceSharding(device)
    return xla.ArrayImpl(aval, sharding, [buffer], committed=True)


# Programs.


@dataclass(frozen=True)
class Cost:
    """What XLA takes a call to cost; it counts one iteration of each loop, and no LAPACK.

    Attributes:
        flops: operations on floats.
        bytes: read from and written to memory.
    """

    flops: float
    bytes: float


@dataclass(frozen=True)
class Memory:
    """The bytes that a call takes."""

    arguments: int
    results: int
    temporary: int


#: A dtype and a shape.
Type = tuple[np.dtype, tuple[int, ...]]
#: XLA's names of dtypes that are not a letter and the number of bits.
_BOOL = "pred"


def _types_in(text: str) -> list[Type]:
    """The types in a text of XLA's, such as `f64[2,3]{1,0}, pred[]`."""
    found = re.findall(r"\b([a-z]+)(\d*)\[([\d,]*)\]", text)
    return [
        (
            np.dtype(bool) if kind == _BOOL else np.dtype(f"{_KINDS[kind]}{int(bits) // 8}"),
            tuple(map(int, filter(None, shape.split(",")))),
        )
        for kind, bits, shape in found
    ]


#: The letters of dtypes, as NumPy has them.
_KINDS = {"s": "i", "u": "u", "f": "f", "c": "c"}


class Executable:
    """A compiled program on one device."""

    def __init__(
        self,
        loaded: Any,
        device: Any,
        callbacks: Iterable[Effect] = (),
        code: bytes | None = None,
    ) -> None:
        # What was loaded serialises to less than it was loaded from.
        self._code = code
        #: It calls functions of this process, so no other one can load it.
        self._callbacks = tuple(callbacks)
        self.calls_back = bool(self._callbacks)
        self._set(loaded, device)

    def _set(self, loaded: Any, device: Any) -> None:
        self._loaded = loaded
        self._device = device
        self._clients_left = len(_left)
        # A result's type is for jax, which takes results of `execute` only.
        handler = _jaxlib()._xla.array_result_handler(
            _Type((), np.dtype(np.float32)), _sharding(device), True, True
        )
        self._handlers = [handler] * len(loaded.get_output_memory_kinds()[0])
        text = "".join(module.to_string() for module in loaded.hlo_modules())
        self._header = text.partition("\n")[0]
        # XLA runs what it finds cheap in the thread that calls it, and it counts the first
        # iteration of a loop only, and nothing of what LAPACK or Python do. All else is waited for
        # in `to_numpy`.
        others = text.count(" custom-call(") - text.count(f'custom_call_target="{NUMPY}')
        may_block = " while(" in text or others > 0
        self._may_block = may_block and device.platform == "cpu"

    def _renew(self) -> None:
        """Load it into the client that has taken the place of its own."""
        if not _is_left(self._device):
            self._clients_left = len(_left)
            return
        self._callbacks = tuple(callback.again() for callback in self._callbacks)
        self._code = self.serialize()
        device = default_device()
        self._set(_deserialized(self._code, device, self._callbacks), device)

    def memory(self) -> Memory:
        stats = self._loaded.get_compiled_memory_stats()
        return Memory(
            stats.argument_size_in_bytes, stats.output_size_in_bytes, stats.temp_size_in_bytes
        )

    def cost(self) -> Cost:
        found = self._loaded.cost_analysis()
        return Cost(found.get("flops", 0.0), found.get("bytes accessed", 0.0))

    @property
    def device(self) -> Any:
        """Where it runs."""
        return _present(self._device)

    def types(self) -> tuple[list[Type], list[Type]]:
        """The dtype and shape of each input and each output."""
        layout = self._header.partition("entry_computation_layout={")[2]
        inputs, _, rest = layout.partition(")->")
        outputs = rest.partition(")")[0] if rest.startswith("(") else rest.partition("]")[0] + "]"
        return _types_in(inputs), _types_in(outputs)

    def run(self, inputs: list[Any], for_jax: bool = False) -> list[Any]:
        """Run on NumPy arrays, numbers or device buffers; gives device buffers.

        Args:
            for_jax: the buffers are for `to_jax`.
        """
        if self._clients_left != len(_left):
            self._renew()
        buffers = [to_device(each, self._device) for each in inputs]
        for callback in self._callbacks:
            callback.context = contextvars.copy_context()
        if for_jax:
            return self._loaded.execute(buffers)
        if not self._may_block:
            return self._loaded.execute_sharded(buffers).consume_with_handlers(self._handlers)
        return interruptible(
            self._execute, buffers, abandoned=self._abandon, comes_back=self.calls_back
        )

    def _execute(self, buffers: list[Any]) -> list[Any]:
        results = self._loaded.execute_sharded(buffers).consume_with_handlers(self._handlers)
        if self.calls_back:
            # What it calls can be told to stop only as long as the call is not over.
            results[-1].block_until_ready()
        return results

    def _abandon(self) -> None:
        """Nobody waits for the program any more: it ends with the next of its callbacks."""
        for callback in self._callbacks:
            callback.stop()
        _leave_client(self._device.platform)

    def parts(self) -> dict[str, Any] | None:
        """What `_native.DirectCall` runs it by; None if it can't.

        Calls of Python and of what may take long are none of those, nor those of accelerators.
        """
        is_other = self._device.platform != "cpu" or _is_left(self._device)
        if is_other or self._may_block or self.calls_back:
            return None
        xla = _jaxlib()
        return {
            "launch": self._loaded.execute_sharded,
            "consume": xla._xla.ExecuteResults.consume_with_handlers,
            "handlers": self._handlers,
            "is_ready": xla.ArrayImpl.is_ready,
            "wait": wait,
            "put": functools.partial(to_device, device=self._device),
        }

    def raised(self) -> Exception | None:
        """What a function that the program called has raised, once."""
        for callback in self._callbacks:
            error, callback.error = callback.error, None
            if error is not None:
                return error
        return None

    def serialize(self) -> bytes:
        """The machine code, for `load_executable` where the `fingerprint` is the same."""
        return self._code or self._loaded.serialize()


def load_executable(data: bytes, device: Any) -> Executable:
    """An executable from its machine code, which must be trusted as a shared library is.

    Raises:
        RuntimeError: XLA does not accept it.
    """
    device = _present(device)
    return Executable(_deserialized(data, device), device, code=data)


def _deserialized(data: bytes, device: Any, callbacks: Sequence[Effect] = ()) -> Any:
    xla = _jaxlib()
    if LAPACK.encode() in data:
        _register_lapack()
    if STRICT.encode() in data:
        _register_strict()
    if NUMPY.encode() in data:
        _register_numpy()
    devices = xla.DeviceList((device,))
    return device.client.deserialize_executable(data, devices, xla.CompileOptions(), callbacks)


@functools.cache
def _processor() -> str:
    """What the machine code of this processor may use."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return processor()
    # x86 and ARM name the list differently.
    found = (line.partition(":")[2] for line in lines if line.startswith(("flags", "Features")))
    return " ".join(sorted(next(found, "").split()))


@functools.cache
def fingerprint(device: Any) -> str:
    """Identifies where an executable for this device runs: a SHA-256 in hexadecimal."""
    kind = _processor() if device.platform == "cpu" else device.device_kind
    parts = (version(), machine(), device.platform, device.client.platform_version, kind)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def version() -> str:
    """The version of jaxlib."""
    from jaxlib.version import __version__

    return __version__


@functools.cache
def _register_lapack() -> None:
    """Make jaxlib's LAPACK calls known to XLA's CPU backend."""
    from jaxlib import lapack

    for platform, targets in lapack.registrations().items():
        for name, target, api_version in targets:
            _jaxlib().register_custom_call_target(name, target, platform, api_version)
    lapack._lapack.initialize()


#: What the names of calls of LAPACK and of NumPy start with, the name of a print, and that of what
#: begins a program whose operations on floats round one by one.
LAPACK, NUMPY, PRINT, STRICT = "lapack_", "ingot.numpy.", "ingot.print", "ingot.strict_fp"

#: What XLA must not do in such programs, as flags of its own: simplify what is equal for real
#: numbers, keep more digits than a type has, and take subnormal numbers as zero.
STRICT_FLAGS = [
    ("xla_disable_hlo_passes", "algsimp"),
    ("xla_allow_excess_precision", False),
    ("xla_cpu_ftz", False),
]


@functools.cache
def _register_strict() -> None:
    """Make what begins strict programs known to XLA's CPU backend.

    Raises:
        RuntimeError: this installation has no native module.
    """
    handler = _native("a program with strict_fp").begin_strict_fp()
    _jaxlib().register_custom_call_target(STRICT, handler, "cpu", 1)


@functools.cache
def _register_numpy() -> None:
    """Make calls of NumPy's loops known to XLA's CPU backend.

    Raises:
        RuntimeError: this installation has no native module.
    """
    names = ("add", "multiply", "maximum", "minimum", "matmul")
    ufuncs = {name: getattr(np, name) for name in names}
    ufuncs["cholesky"] = np.linalg._umath_linalg.cholesky_lo
    handlers = _native("a program that calls NumPy").numpy_calls(ufuncs)
    for name, handler in handlers.items():
        _jaxlib().register_custom_call_target(NUMPY + name, handler, "cpu", 1)


def _native(what: str) -> Any:
    try:
        from ingot_runtime import _native
    except ImportError as error:
        raise RuntimeError(
            f"{what} needs the native module of ingot_runtime, which can't be imported ({error}); "
            "install Ingot's wheel for this platform and Python"
        ) from None
    return _native


def calls(module: str | bytes, name: str) -> bool:
    """Whether a module, as text or as a portable artifact, has custom calls of that name."""
    if isinstance(module, bytes):
        return name.encode() in module
    return f"stablehlo.custom_call @{name}" in module


def compile_stablehlo(module: str | bytes, device: Any) -> Executable:
    """Compile a StableHLO module, as text or as a portable artifact, whose entry is `@main`.

    Raises:
        RuntimeError: it has what only the CPU has: calls of LAPACK, or strict operations.
    """
    device = _present(device)
    if calls(module, LAPACK):
        _needs_cpu("factorisations of matrices run", device)
    if calls(module, STRICT):
        _needs_cpu("programs with strict_fp run", device)
    callbacks: list[Effect] = []
    if calls(module, PRINT):
        parsed, callbacks = _with_prints(module, device.platform)
        module = str(parsed)
    if _is_forked and device.client is client():
        from ingot_runtime.compiling import compiler

        data = compiler().compile(module, len(callbacks))
        return Executable(_deserialized(data, device, callbacks), device, callbacks, data)
    return Executable(_compiled(module, device, callbacks), device, callbacks)


def _compiled(module: str | bytes, device: Any, callbacks: Sequence[Any]) -> Any:
    xla = _jaxlib()
    devices, options = xla.DeviceList((device,)), xla.CompileOptions()
    if calls(module, LAPACK):
        _register_lapack()
    if calls(module, NUMPY):
        _register_numpy()
    if calls(module, STRICT):
        _register_strict()
        options.env_option_overrides = STRICT_FLAGS
    arguments = stablehlo.parse(module), devices, options, callbacks
    try:
        return device.client.compile_and_load(*arguments)
    except xla.XlaRuntimeError:
        raise
    except BaseException:
        # A signal has interrupted the wait; the compiler goes on, and uses what it was given.
        _keep_for_ever(arguments)
        _leave_client(device.platform)
        raise


def machine_code(module: str | bytes, callbacks: int) -> bytes:
    """What `compiling.Compiler` gives: an executable for the default device.

    Args:
        callbacks: the number of functions that the module calls.
    """
    return _compiled(module, default_device(), [print] * callbacks).serialize()


def _needs_cpu(what: str, device: Any) -> None:
    if device.platform != "cpu":
        raise RuntimeError(
            f"{what} on the CPU only, not yet on {device.platform}; set INGOT_PLATFORM=cpu"
        )


def _with_prints(text: str | bytes, platform: str) -> tuple[Any, list[Any]]:
    """The module with its prints as calls of Python, and what they call."""
    from jaxlib.mlir import ir

    module = stablehlo.parse(text)
    callbacks: list[Any] = []
    kind = "cpu" if platform == "cpu" else "gpu"

    def visit(operation: Any) -> Any:
        attributes = operation.attributes
        if operation.name == "stablehlo.custom_call":
            name = ir.StringAttr(attributes["call_target_name"]).value
            if name == PRINT:
                config = ir.DictAttr(attributes["backend_config"])
                text = ir.StringAttr(config["format"]).value
                number = ir.IntegerAttr(config["callback"]).value if "callback" in config else None
                function = None if number is None else CALLBACKS[number]
                callbacks.append(Effect(text, function))
                index = ir.IntegerAttr.get(ir.IntegerType.get_unsigned(64), len(callbacks) - 1)
                attributes["backend_config"] = ir.DictAttr.get({"index": index})
                target = f"xla_ffi_python_{kind}_callback"
                attributes["call_target_name"] = ir.StringAttr.get(target)
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(visit)
    return module, callbacks
