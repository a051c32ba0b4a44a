"""Native kernels: shared objects that XLA's CPU backend calls, or the process itself."""

from __future__ import annotations

import ctypes
import functools
import itertools
import math
import os
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot_runtime import _native, buffers, clients, pjrt
from ingot_runtime.linking import GUFUNCS, ufuncs_of
from ingot_runtime.pjrt import Memory, Type

if TYPE_CHECKING:
    from ingot_runtime.manifest import KernelCall


class KernelExecutable:
    """A program on the CPU that is one kernel, in the place of a `pjrt.Executable`.

    Args:
        call: how it calls its kernel, which is loaded.
        device: a CPU device; None for the default device, so that calls need no client of XLA.
    """

    calls_back = False

    def __init__(self, call: KernelCall, device: Any) -> None:
        self.call = call
        self._device = device
        #: The parameters with which `_native.DirectCall` runs the kernel.
        self.parts = {
            "address": address(call.kernel),
            "parameters": call.parameters,
            "passed": call.passed,
            "repeated": call.repeated,
            "lengths": call.lengths,
        }
        inputs = [(i, None, *type_) for i, type_ in enumerate(call.inputs)]
        outputs = [(shape, dtype) for dtype, shape in call.outputs]
        self._kernel = _native.Kernel(
            {**self.parts, "inputs": inputs, "outputs": outputs, "in_place": []}
        )

    @property
    def device(self) -> Any:
        """The device of its results."""
        return clients.present(self._device)

    def run(self, inputs: list[Any], for_jax: bool = False) -> list[Any]:
        """Run the program; as `pjrt.Executable.run`, but the outputs are NumPy arrays without
        `for_jax`."""
        arrays = [np.asarray(each) for each in inputs]
        native = [each.astype(each.dtype.newbyteorder("="), copy=False) for each in arrays]
        outputs = self._kernel.run(native)
        if not for_jax:
            return outputs
        return [buffers.to_device(each, self.device) for each in outputs]

    def raised(self) -> None:
        """The exception of a callback; it has none."""

    def types(self) -> tuple[list[Type], list[Type]]:
        """The types of the inputs and outputs."""
        return self.call.inputs, self.call.outputs

    def memory(self) -> Memory:
        """The memory of a call, without what threads allocate for themselves."""
        arguments, results = (
            sum(dtype.itemsize * math.prod(shape) for dtype, shape in types)
            for types in (self.call.inputs, self.call.outputs)
        )
        return Memory(arguments, results, _allocated(self.call.kernel))

    def cost(self) -> None:
        """XLA's estimate of the cost, which it does not have."""


def load_program(
    call: KernelCall | None, libraries: Mapping[str, bytes], code: bytes, device: Any = None
) -> KernelExecutable | pjrt.Executable:
    """Load the machine code of a program, as the disk cache and artifacts keep it.

    Args:
        call: how it calls its kernel, if it does nothing else.
        libraries: the shared objects of its kernels by name.
        code: the executable of XLA that calls them; not used if there is a `call`.
        device: the device to load it for; None for the default device.

    Raises:
        Taken: another kernel of the name of one is loaded.
        RuntimeError: this system can't load it.
    """
    for name, library in libraries.items():
        load(name, library)
    if call is not None:
        return KernelExecutable(call, device)
    for name in libraries:
        register(name)
    return pjrt.load_executable(code, device or clients.default_device())


class Taken(RuntimeError):
    """Another kernel of that name is loaded, as another version of Ingot may have made it."""


_lock = threading.Lock()
#: Numbers for the paths of shared objects.
_numbers = itertools.count()
#: The shared objects by name, and what is loaded, which stays so: XLA never forgets a handler.
_loaded: dict[str, tuple[bytes, ctypes.CDLL]] = {}
_registered: set[str] = set()


def load(name: str, data: bytes) -> None:
    """Load a kernel, once for each name.

    Args:
        name: the target of the custom calls.
        data: a shared object that exports `ingot_ffi` and `ingot_call`.

    Raises:
        Taken: another kernel of that name is loaded.
        RuntimeError: this system can't load it.
    """
    with _lock:
        if name not in _loaded:
            try:
                _loaded[name] = data, _opened(data)
            except (OSError, AttributeError) as error:
                raise RuntimeError(f"kernel {name}: {error}") from None
        elif _loaded[name][0] != data:
            raise Taken(f"kernel {name}: another one of that name is loaded")


def register(name: str) -> None:
    """Let XLA's CPU backend call a kernel that is loaded."""
    with _lock:
        if name in _registered:
            return
        handler = _capsule(_address(_loaded[name][1], "ingot_ffi"), None, None)
        clients.jaxlib().register_custom_call_target(name, handler, "cpu", 1)
        _registered.add(name)


def address(name: str) -> int:
    """The address of `void ingot_call(void **pointers)` of a loaded kernel."""
    return _address(_loaded[name][1], "ingot_call")


def _allocated(name: str) -> int:
    """The bytes that a kernel allocates."""
    return ctypes.c_int64.in_dll(_loaded[name][1], "ingot_memory").value


def _address(library: ctypes.CDLL, symbol: str) -> int:
    found = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
    assert found is not None
    return found


def _opened(data: bytes) -> ctypes.CDLL:
    # The file is in memory, since folders for temporary files may forbid execution. The loader
    # takes equal paths for one library, and numbers of files are used again: so the digits of a
    # number of its own, each as "/." or "//.", tell the path from all others.
    digits = "".join("/." if digit == "0" else "//." for digit in f"{next(_numbers):b}")
    with open(os.memfd_create("ingot"), "wb") as file:
        file.write(data)
        file.flush()
        path = f"/proc/self/fd{digits}/{file.fileno()}"
        library = ctypes.CDLL(path, os.RTLD_NOW | os.RTLD_LOCAL)
    for symbol in ("ingot_ffi", "ingot_call"):
        _address(library, symbol)
    # Kernels without loops that threads share have no such pointer, nor those without arrays of
    # their own those of the next line.
    if hasattr(library, "ingot_share"):
        ctypes.c_void_p.in_dll(library, "ingot_share").value = _native.share()
    _set_pointers(library, _native.allocation())
    _set_pointers(library, _numpy_functions())
    if hasattr(library, "ingot_gufunc"):
        _set_pointers(library, _gufuncs())
    return library


def _set_pointers(library: ctypes.CDLL, addresses: dict[str, int]) -> None:
    """Set those pointers to what kernels call that a kernel has."""
    for name, address in addresses.items():
        if hasattr(library, f"ingot_{name}"):
            ctypes.c_void_p.in_dll(library, f"ingot_{name}").value = address


@functools.cache
def _numpy_functions() -> dict[str, int]:
    """The addresses of the functions that kernels call for NumPy's, by name."""
    return _native.numpy_functions(np.matmul)


@functools.cache
def _gufuncs() -> dict[str, int]:
    """The addresses of what these take for NumPy's generalised ufuncs, by name."""
    return _native.gufunc_addresses(ufuncs_of(*GUFUNCS))


_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype = ctypes.py_object
_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
