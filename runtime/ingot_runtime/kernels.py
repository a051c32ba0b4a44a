"""Native kernels: shared objects that XLA's CPU backend calls, or the process itself."""

from __future__ import annotations

import ctypes
import functools
import itertools
import math
import os
import threading
import weakref
from collections.abc import Sequence
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
        call: how it calls its kernel.
        library: the kernel.
        device: a CPU device; None for the default device, so that calls need no client of XLA.
    """

    calls_back = False

    def __init__(self, call: KernelCall, library: Library, device: Any) -> None:
        self.call = call
        self._library = library
        self._device = device
        #: The parameters with which `_native.DirectCall` runs the kernel.
        self.parts = {
            "library": library,
            "address": library.address("ingot_call"),
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
        return Memory(arguments, results, self._library.allocated())

    def cost(self) -> None:
        """XLA's estimate of the cost, which it does not have."""


def load_program(
    call: KernelCall | None, libraries: Sequence[Library], code: bytes, device: Any = None
) -> KernelExecutable | pjrt.Executable:
    """Load the machine code of a program, as the disk cache and artifacts keep it.

    Args:
        call: how it calls its kernel, if it does nothing else.
        libraries: its kernels.
        code: the executable of XLA that calls them; not used if there is a `call`.
        device: the device to load it for; None for the default device.

    Raises:
        RuntimeError: this system can't load it.
    """
    if call is not None:
        return KernelExecutable(call, libraries[0], device)
    for library in libraries:
        register(library)
    return pjrt.load_executable(code, device or clients.default_device())


class Taken(RuntimeError):
    """Another kernel of that name is loaded, as another version of Ingot may have made it."""


class Library:
    """A kernel that is loaded, for as long as something refers to this object.

    Args:
        name: the target of the custom calls.
        data: a shared object that exports `ingot_ffi` and `ingot_call`.

    Raises:
        OSError, AttributeError: it is no such shared object, or needs what is not here.
    """

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data = name, data
        self._opened = _open(data)
        # Not at the exit of the process: threads may still run it.
        weakref.finalize(self, _close, self._opened).atexit = False
        for symbol in ("ingot_ffi", "ingot_call"):
            self.address(symbol)
        self._set_pointers(_native.allocation())
        self._set_pointers(_numpy_functions())
        # Most kernels have neither loops that threads share nor calls of generalised ufuncs.
        if self._has("share"):
            self._set_pointers({"share": _native.share()})
        if self._has("gufunc"):
            self._set_pointers(_gufuncs())

    def address(self, symbol: str) -> int:
        """The address of a function: of `ingot_ffi`, a handler of XLA's, or of
        `void ingot_call(void **pointers)`."""
        found = ctypes.cast(getattr(self._opened, symbol), ctypes.c_void_p).value
        assert found is not None
        return found

    def allocated(self) -> int:
        """The bytes that it allocates."""
        return ctypes.c_int64.in_dll(self._opened, "ingot_memory").value

    def _has(self, name: str) -> bool:
        return hasattr(self._opened, f"ingot_{name}")

    def _set_pointers(self, addresses: dict[str, int]) -> None:
        """Set those pointers to what kernels call that this one has."""
        for name, address in addresses.items():
            if self._has(name):
                ctypes.c_void_p.in_dll(self._opened, f"ingot_{name}").value = address


_lock = threading.Lock()
#: Numbers for the paths of shared objects.
_numbers = itertools.count()
#: What is loaded, by name.
_loaded: weakref.WeakValueDictionary[str, Library] = weakref.WeakValueDictionary()
#: The kernels that XLA can call. They stay loaded, since XLA never forgets a handler.
_registered: dict[str, Library] = {}


def load(name: str, data: bytes) -> Library:
    """Load a kernel, unless it is loaded; `Library` has the arguments.

    Raises:
        Taken: another kernel of that name is loaded.
        RuntimeError: this system can't load it.
    """
    with _lock:
        library = _loaded.get(name)
        if library is None:
            try:
                library = _loaded[name] = Library(name, data)
            except (OSError, AttributeError) as error:
                raise RuntimeError(f"kernel {name}: {error}") from None
        elif library.data != data:
            raise Taken(f"kernel {name}: another one of that name is loaded")
        return library


def find(name: str) -> Library | None:
    """The kernel of that name, if it is loaded."""
    return _loaded.get(name)


def register(library: Library) -> None:
    """Let XLA's CPU backend call a kernel."""
    with _lock:
        if library.name in _registered:
            return
        handler = _capsule(library.address("ingot_ffi"), None, None)
        clients.jaxlib().register_custom_call_target(library.name, handler, "cpu", 1)
        _registered[library.name] = library


def _open(data: bytes) -> ctypes.CDLL:
    # The file is in memory, since folders for temporary files may forbid execution. The loader
    # takes equal paths for one library, and numbers of files are used again: so the digits of a
    # number of its own, each as "/." or "//.", tell the path from all others.
    digits = "".join("/." if digit == "0" else "//." for digit in f"{next(_numbers):b}")
    with open(os.memfd_create("ingot"), "wb") as file:
        file.write(data)
        file.flush()
        path = f"/proc/self/fd{digits}/{file.fileno()}"
        return ctypes.CDLL(path, os.RTLD_NOW | os.RTLD_LOCAL)


def _close(opened: ctypes.CDLL) -> None:
    """Unload a shared object, which ctypes does not."""
    ctypes.CDLL(None).dlclose(ctypes.c_void_p(opened._handle))


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
