"""The PJRT plugins of accelerators, which come with JAX's packages.

What `initialize` of `jax_plugins.xla_cuda13` does for JAX is done here without importing jax.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import importlib.util
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Plugin:
    """Where a plugin is.

    Attributes:
        package: the package with its library.
        library: the name of the library's file.
        handlers: JAX's package with handlers of calls, Python callbacks and cuSOLVER among them.
        platform: XLA's name of the platform of such handlers.
        name: what jaxlib calls the plugin here. JAX gives its own names, each to be loaded once.
        libraries: the files of NVIDIA's libraries by their packages, in the order to load them.
    """

    package: str
    library: str
    handlers: str
    platform: str
    name: str
    libraries: tuple[tuple[str, tuple[str, ...]], ...]

    def path(self) -> Path | None:
        """The library, if it is installed."""
        folder = _folder(self.package)
        path = folder / self.library if folder else None
        return path if path and path.exists() else None


CUDA = Plugin(
    "jax_plugins.xla_cuda13", "xla_cuda_plugin.so", "jax_cuda13_plugin",
    "CUDA", "ingot_cuda",
    (
        ("nvidia.cu13", (
            "libcudart.so.13", "libnvrtc.so.13", "libcublas.so.13", "libcublasLt.so.13",
            "libcupti.so.13", "libcusparse.so.12", "libcusolver.so.12", "libcufft.so.12",
        )),
        ("nvidia.nccl", ("libnccl.so.2",)),
        ("nvidia.nvshmem", ("libnvshmem_host.so.3",)),
        ("nvidia.cudnn", ("libcudnn.so.9",)),
    ),
)  # fmt: skip

#: The plugin of each accelerator, the preferred one first.
PLUGINS = {"cuda": CUDA}


def _folder(package: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def _libraries(plugin: Plugin) -> Iterator[Path]:
    for package, names in plugin.libraries:
        folder = _folder(package)
        yield from (folder / "lib" / name for name in names if folder)


@functools.cache
def load(plugin: Plugin, jaxlib: Any) -> None:
    """Load a plugin and register the handlers of its calls.

    Raises:
        RuntimeError: it is not installed, or XLA's reason why it can't be used.
    """
    path = plugin.path()
    if path is None:
        raise RuntimeError("its PJRT plugin is not installed")
    # The plugin finds libraries that are loaded; others it looks for where the system has them.
    for library in filter(Path.exists, _libraries(plugin)):
        ctypes.CDLL(str(library))
    api = jaxlib.load_pjrt_plugin_dynamically(plugin.name, str(path))
    jaxlib.initialize_pjrt_plugin(plugin.name)
    try:
        extension = importlib.import_module(f"{plugin.handlers}.cuda_plugin_extension")
    except ModuleNotFoundError:
        # Then only prints and callbacks can't run.
        return
    _register(plugin.platform, extension, api, jaxlib)


def _register(platform: str, extension: Any, api: Any, jaxlib: Any) -> None:
    # Where JAX has registered its own, those stay: they are the same.
    call, kind = extension.register_custom_call_target, extension.register_custom_type
    jaxlib.register_custom_type_handler(platform, functools.partial(kind, api))
    jaxlib.register_custom_call_handler(platform, functools.partial(call, api))
    for name, value in extension.ffi_types().items():
        jaxlib.register_custom_type(name, value, platform=platform)
    for name, value in extension.ffi_handlers().items():
        jaxlib.register_custom_call_target(name, value, platform=platform, api_version=1)


def cuda_folder() -> str:
    """The folder with the assembler and the mathematical functions that XLA links, or ""."""
    return os.environ.get("CUDA_ROOT", "") or str(_folder("nvidia.cu13") or "")


def options(plugin: Plugin, jaxlib: Any) -> dict[str, Any]:
    """The options of a client, from the environment variables that JAX reads, too.

    Memory is taken as it is needed: JAX, PyTorch and other processes use the same device.
    """
    return {"preallocate": False, **jaxlib.generate_pjrt_gpu_plugin_options()}
