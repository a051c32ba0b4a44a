"""Executables of PJRT.

Only this file, `clients`, `buffers`, `kernels`, `linking`, `spares`, `stablehlo` and `xla_options`
use private names of jaxlib.
"""

from __future__ import annotations

import contextvars
import functools
import hashlib
import importlib.util
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from platform import machine
from typing import Any

import numpy as np

from ingot_runtime import blas, clients, hlo, processors, spares, stablehlo, xla_options
from ingot_runtime.buffers import (
    ALIGNMENT,
    copied_by_xla,
    held,
    is_device_array,
    memory_of,
    result_handler,
    to_device,
    unread,
    wait,
)
from ingot_runtime.clients import (
    client,
    cpu_client,
    default_device,
    is_left,
    jaxlib,
    present,
)
from ingot_runtime.effects import CALLBACKS, Effect, raised_by
from ingot_runtime.interrupts import interruptible
from ingot_runtime.linking import LAPACK, PRINT, STRICT, calls, link, native_module
from ingot_runtime.prints import with_prints
from ingot_runtime.spares import Donations

#: Most programs donate no arguments.
NONE_DONATED = Donations()


@dataclass(frozen=True)
class Cost:
    """XLA's estimate of the cost of a call, with one iteration of each loop and without LAPACK.

    XLA can't count calls of NumPy's matrix products and sorts. The cost of programs with such calls
    is that of the StableHLO operations before fusion.

    Attributes:
        flops: the number of floating-point operations.
        bytes: the number of bytes that are read or written.
    """

    flops: float
    bytes: float


@dataclass(frozen=True)
class Memory:
    """The memory that a call needs for arguments, results and temporaries, in bytes."""

    arguments: int
    results: int
    temporary: int


#: A program may take more than a tenth of a second if its bytes of memory times the number of its
#: operations exceed this.
LONG = 1 << 28
#: The seconds below which a call shows that the next one needs no interruption, if values of
#: arguments don't matter for the time.
QUICK = 0.1

#: A dtype and a shape.
Type = tuple[np.dtype, tuple[int, ...]]
#: XLA's name of the only dtype that is not a letter and a number of bits.
_BOOL = "pred"


def _types_in(text: str) -> list[Type]:
    """The types in HLO text such as `f64[2,3]{1,0}, pred[]`."""
    found = re.findall(r"\b([a-z]+)(\d*)\[([\d,]*)\]", text)
    return [
        (
            np.dtype(bool) if kind == _BOOL else np.dtype(f"{_KINDS[kind]}{int(bits) // 8}"),
            tuple(map(int, filter(None, shape.split(",")))),
        )
        for kind, bits, shape in found
    ]


#: NumPy's letters of dtype kinds, by XLA's.
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
        # Keep the serialised form: a loaded executable serialises to less than it was loaded from.
        self._code = code
        #: Its callbacks are functions of this process, so other processes can't load it.
        self._callbacks = tuple(callbacks)
        self.calls_back = bool(self._callbacks)
        self._set(loaded, device)

    def _set(self, loaded: Any, device: Any) -> None:
        self._loaded = loaded
        self._device = device
        self._clients_left = len(clients.LEFT)
        self._handlers = [result_handler(device)] * len(loaded.get_output_memory_kinds()[0])
        text = "".join(module.to_string() for module in loaded.hlo_modules())
        self._header = text.partition("\n")[0]
        self._donated = self._numbers_of_donated()
        self._spares = self._types_of_spares()
        self._aligned = self._numbers_of_aligned()
        is_cpu = device.platform == "cpu"
        self._may_block = is_cpu and self._may_take_long(text)
        self._is_steady = self._may_block and not self._callbacks and hlo.is_steady(text)
        #: The inputs that the program does not read, which need not be copied.
        self._unread = hlo.inputs_not_read(text) if is_cpu else set()
        self._unread -= {*self._donated, *self._aligned}
        self._is_for_one_thread = is_cpu and blas.is_for_one_thread(text)

    def _may_take_long(self, text: str) -> bool:
        """Whether a call may take so long that signals should interrupt it."""
        # The time of loops, factorisations and callbacks is unknown.
        if " while(" in text or hlo.has_costly_calls(text):
            return True
        stats = self._loaded.get_compiled_memory_stats()
        size = stats.argument_size_in_bytes + stats.output_size_in_bytes + stats.temp_size_in_bytes
        return bool(size * text.count(" = ") >= LONG)

    def _renew(self) -> None:
        """If its client was abandoned, load the executable into the new client."""
        if not is_left(self._device):
            self._clients_left = len(clients.LEFT)
            return
        self._callbacks = tuple(callback.again() for callback in self._callbacks)
        self._code = self.serialize()
        device = default_device()
        self._set(_deserialized(self._code, device, self._callbacks), device)

    def memory(self) -> Memory:
        stats = self._loaded.get_compiled_memory_stats()
        # Arguments that are memory for results are not counted twice; see `spares`.
        arguments = stats.argument_size_in_bytes - stats.alias_size_in_bytes
        types, _ = self._all_types()
        for i in self._aligned:
            arguments -= ALIGNMENT - types[i][0].itemsize + np.dtype(np.int64).itemsize
        return Memory(arguments, stats.output_size_in_bytes, stats.temp_size_in_bytes)

    def cost(self) -> Cost | None:
        """XLA's estimate, or None if the program has custom calls, which XLA can't count."""
        found = self._loaded.cost_analysis()
        flops, moved = found.get("flops", 0.0), found.get("bytes accessed", 0.0)
        return None if min(flops, moved) < 0 else Cost(flops, moved)

    @property
    def device(self) -> Any:
        """The device that it runs on."""
        return present(self._device)

    def types(self) -> tuple[list[Type | None], list[Type]]:
        """The types of the inputs and outputs; None for inputs within buffers."""
        inputs, outputs = self._all_types()
        extra = len(self._spares) + bool(self._aligned)
        listed = enumerate(inputs[: len(inputs) - extra])
        return [None if i in self._aligned else each for i, each in listed], outputs

    def _all_types(self) -> tuple[list[Type], list[Type]]:
        layout = self._header.partition("entry_computation_layout={")[2]
        inputs, _, rest = layout.partition(")->")
        outputs = rest.partition(")")[0] if rest.startswith("(") else rest.partition("]")[0] + "]"
        return _types_in(inputs), _types_in(outputs)

    def _types_of_spares(self) -> list[Type]:
        """The types of the last inputs, which are memory for large results."""
        count = self._header.count("-alias)") - len(self._donated)
        inputs, _ = self._all_types()
        return inputs[len(inputs) - count :]

    def _numbers_of_donated(self) -> dict[int, int]:
        """The indices of donated inputs, and of the outputs that reuse their memory."""
        found = re.search(rf'{re.escape(spares.DONATED)}="([\d,:]+)"', self._header)
        pairs = [each.split(":") for each in found[1].split(",")] if found else []
        return {int(i): int(output) for i, output in pairs}

    def _numbers_of_aligned(self) -> dict[int, int]:
        """The indices of the inputs within flat buffers, each with its position in `firsts`.

        An additional last input, `firsts`, contains the index of the first item in each buffer.
        """
        found = re.search(rf'{re.escape(ALIGNED)}="([\d,]+)"', self._header)
        if not found:
            return {}
        native_module("a program that takes arrays from where they lie")
        return {int(number): i for i, number in enumerate(found[1].split(","))}

    def _to_device(self, inputs: list[Any], copy: bool) -> list[Any]:
        """The buffers of the inputs.

        Args:
            copy: as for `to_device`.
        """
        if not self._aligned and not self._unread:
            return [to_device(each, self._device, copy) for each in inputs]
        made = []
        firsts = np.zeros(len(self._aligned), np.int64)
        for i, each in enumerate(inputs):
            if i in self._unread and not is_device_array(each):
                buffer = unread(each, self._device)
            elif i in self._aligned:
                buffer, firsts[self._aligned[i]] = held(each, self._device, copy)
            else:
                buffer = to_device(each, self._device, copy)
            made.append(buffer)
        return [*made, to_device(firsts, self._device)] if self._aligned else made

    def _with_donated(self, inputs: list[Any], made: list[Any]) -> dict[int, Any]:
        """Replace the buffers of donated inputs by buffers that the program may overwrite.

        Args:
            inputs: the values of the inputs.
            made: their buffers, which are changed.

        Returns:
            For each output that overwrites an array in place, the `_Memory` of that array.
        """
        found = {}
        for i, output in self._donated.items():
            memory = memory_of(inputs[i], self._device)
            others = [each for j, each in enumerate(inputs) if j != i]
            if memory is not None and not any(_may_share(inputs[i], each) for each in others):
                made[i], found[output] = memory.buffer, memory
            elif self._device.platform == "cpu" and not is_device_array(inputs[i]):
                made[i] = copied_by_xla(np.asarray(inputs[i], order="C"), self._device)
        return found

    def _with_spares(self, inputs: list[Any]) -> list[Any]:
        """All buffers that the program takes: the inputs, and memory for large results."""
        taken = [spares.take(*each, self._device) for each in self._spares]
        made = (
            copied_by_xla(np.zeros(shape, dtype), self._device) if spare is None else spare
            for spare, (dtype, shape) in zip(taken, self._spares, strict=True)
        )
        return [*inputs, *made]

    def run(self, inputs: list[Any], for_jax: bool = False) -> list[Any]:
        """Run the program.

        Args:
            inputs: NumPy arrays, numbers or device buffers.
            for_jax: whether the results will be passed to `to_jax`.

        Returns:
            The device buffers of the outputs.
        """
        if self._clients_left != len(clients.LEFT):
            self._renew()
        # jax.Arrays are returned before the program ends, and the caller may change its arguments
        # meanwhile, so they are copied.
        buffers = self._to_device(inputs, copy=for_jax)
        taken = self._with_donated(inputs, buffers) if self._donated else {}
        if self._spares:
            buffers = self._with_spares(buffers)
        for callback in self._callbacks:
            callback.context = contextvars.copy_context()
        if for_jax:
            return self._loaded.execute(buffers)
        # A program that overwrites donated arrays must not be interrupted.
        if not self._may_block or taken:
            results: list[Any] = self._launch(buffers)
            for output, memory in taken.items():
                # The donated array now shares the memory of the result, and keeps it alive.
                memory.buffer = results[output]
            return results
        started = time.perf_counter()
        results = interruptible(
            self._execute, buffers, abandoned=self._abandon, comes_back=self.calls_back
        )
        if self._is_steady and time.perf_counter() - started < QUICK:
            self._may_block = False
        return results

    def _launch(self, buffers: list[Any]) -> list[Any]:
        if not self._is_for_one_thread:
            return self._loaded.execute_sharded(buffers).consume_with_handlers(self._handlers)
        with blas.ONE_THREAD:
            results = self._loaded.execute_sharded(buffers).consume_with_handlers(self._handlers)
            for each in results:
                each.block_until_ready()
            return results

    def _execute(self, buffers: list[Any]) -> list[Any]:
        results = self._launch(buffers)
        # Callbacks can only be stopped while the call is waited for, and a steady call is timed.
        if results and (self.calls_back or self._is_steady):
            results[-1].block_until_ready()
        return results

    def _abandon(self) -> None:
        """Abandon an interrupted program, which ends at its next callback."""
        for callback in self._callbacks:
            callback.stop()
        clients.leave_client(self._device.platform)

    def parts(self) -> dict[str, Any] | None:
        """The parameters with which `_native.DirectCall` runs the program, or None.

        Direct calls are not possible on accelerators, and for programs that have callbacks, may
        take long, or have large arguments or results.
        """
        # Staging buffers are on the first CPU device.
        is_other = self._device != cpu_client().local_devices()[0]
        is_large = bool(self._spares or self._aligned or self._donated)
        if is_other or self._may_block or self.calls_back or is_large:
            return None
        xla = jaxlib()
        launch, consume = (
            self._loaded.execute_sharded,
            xla._xla.ExecuteResults.consume_with_handlers,
        )
        if self._is_for_one_thread:
            launch, consume = self._launch, _as_launched
        return {
            "launch": launch,
            "consume": consume,
            "handlers": self._handlers,
            "is_ready": xla.ArrayImpl.is_ready,
            "wait": wait,
            "unread": self._unread,
            "put": functools.partial(to_device, device=self._device),
        }

    def raised(self) -> BaseException | None:
        """The exception that a callback has raised, or None; each is returned once."""
        return raised_by(self._callbacks)

    def serialize(self) -> bytes:
        """The executable as bytes, for `load_executable` on a device of the same `fingerprint`."""
        return self._code or self._loaded.serialize()


def _as_launched(results: list[Any], _: Any) -> list[Any]:
    return results


def cost_as_written(module: str) -> Cost:
    """The cost of the operations of a StableHLO module, before fusion."""
    computation = jaxlib()._xla.mlir.mlir_module_to_xla_computation(module)
    found = jaxlib()._xla.hlo_module_cost_analysis(client(), computation.as_hlo_module())
    return Cost(max(found.get("flops", 0.0), 0.0), max(found.get("bytes accessed", 0.0), 0.0))


def _may_share(array: Any, other: Any) -> bool:
    return isinstance(other, np.ndarray) and np.may_share_memory(array, other)


def load_executable(data: bytes, device: Any) -> Executable:
    """Load a serialised executable. It is machine code: trust it as you would a shared library.

    Raises:
        RuntimeError: XLA does not accept it.
    """
    device = present(device)
    return Executable(_deserialized(data, device), device, code=data)


def _deserialized(data: bytes, device: Any, callbacks: Sequence[Effect] = ()) -> Any:
    xla = jaxlib()
    link(data)
    devices, options = xla.DeviceList((device,)), xla_options.for_device(device)
    return device.client.deserialize_executable(data, devices, options, callbacks)


@functools.cache
def _libc() -> str:
    """The name and version of the C library, which kernels call."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, ValueError, OSError):
        # Only glibc tells it.
        return ""


#: The calling convention of executables and kernels; part of the fingerprint, so a change
#: invalidates them.
CONVENTION = "memory of large results and donated arguments, arguments in buffers, linalg, fft"
#: The attribute with which the pass `align-arguments` marks inputs within buffers.
ALIGNED = "ingot.aligned"


@functools.cache
def fingerprint(device: Any = None) -> str:
    """A hash of all that machine code for a device depends on: a SHA-256 in hexadecimal.

    Args:
        device: the device; None for the default device, which needs no client if it is a CPU.
    """
    platform = clients.default_platform() if device is None else device.platform
    if platform == "cpu":
        version, kind = "", processors.target() or processors.features()
    else:
        device = device or clients.default_device()
        version, kind = device.client.platform_version, device.device_kind
    # Installations without the native module can't run what calls it.
    has_native = importlib.util.find_spec("ingot_runtime._native") is not None
    parts = (_target(platform, _jaxlib_text()), version, kind, CONVENTION, str(has_native))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def target(platform: str) -> str:
    """What machine code for a platform depends on, in words, except for the processor's features;
    for example "cpu, x86_64, linux, glibc 2.36, jaxlib 0.11.0, numpy 2.3.0"."""
    return _target(platform, f"jaxlib {jaxlib_version()}")


def _target(platform: str, jaxlib: str) -> str:
    parts = (platform, machine(), sys.platform, _libc(), jaxlib, f"numpy {np.__version__}")
    return ", ".join(filter(None, parts))


def _jaxlib_text() -> str:
    """The module in which jaxlib says its version; importing it takes longer than to read it."""
    spec = importlib.util.find_spec("jaxlib")
    return Path(spec.origin).with_name("version.py").read_text() if spec and spec.origin else ""


def jaxlib_version() -> str:
    """The version of jaxlib."""
    from jaxlib.version import __version__

    return __version__


def compile_stablehlo(
    module: str | bytes,
    device: Any,
    donations: Donations = NONE_DONATED,
    functions: Sequence[Callable[..., Any]] = CALLBACKS,
) -> Executable:
    """Compile a StableHLO module with the entry function `@main`.

    Args:
        module: text, or a portable artifact.
        device: the device to compile for.
        donations: the donated inputs.
        functions: the functions of this process that the module may call.

    Raises:
        RuntimeError: the module is strict, or calls a routine of LAPACK that cuSOLVER lacks, and
            the device is not the CPU.
    """
    device = present(device)
    if device.platform != "cpu":
        module = _for_accelerator(module, device)
    callbacks: list[Effect] = []
    if calls(module, PRINT):
        parsed, callbacks = with_prints(module, device.platform, functions)
        module = str(parsed)
    if clients.is_forked() and device.client is client():
        from ingot_runtime.compiling import compiler

        data = compiler().compile(module, len(callbacks))
        return Executable(_deserialized(data, device, callbacks), device, callbacks, data)
    return Executable(_compiled(module, device, callbacks, donations), device, callbacks)


def _for_accelerator(module: str | bytes, device: Any) -> str | bytes:
    if calls(module, STRICT):
        raise RuntimeError(
            f"programs with strict_fp run on the CPU only, not yet on {device.platform}; "
            "set INGOT_PLATFORM=cpu"
        )
    if not calls(module, LAPACK):
        return module
    from ingot_runtime.cusolver import with_cusolver

    return with_cusolver(module)


def _compiled(
    module: str | bytes,
    device: Any,
    callbacks: Sequence[Any],
    donations: Donations = NONE_DONATED,
) -> Any:
    xla = jaxlib()
    link(module)
    parsed = stablehlo.parse(module)
    options = xla_options.for_program(module, device)
    parsed = spares.with_aliases(parsed, donations, has_spares=device.platform == "cpu")
    arguments = parsed, xla.DeviceList((device,)), options, callbacks
    try:
        return device.client.compile_and_load(*arguments)
    except xla.XlaRuntimeError:
        raise
    except BaseException:
        # A signal has interrupted the wait. The compiler goes on, so its arguments must stay alive.
        clients.keep_for_ever(arguments)
        clients.leave_client(device.platform)
        raise


def machine_code(module: str | bytes, callbacks: int) -> bytes:
    """Compile for the default device and serialise; used by `compiling`.

    Args:
        module: text, or a portable artifact.
        callbacks: the number of callbacks of the module.
    """
    return _compiled(module, default_device(), [print] * callbacks).serialize()
