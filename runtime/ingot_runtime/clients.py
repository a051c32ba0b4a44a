"""The PJRT clients of jaxlib and their devices.

A fork or an interrupt abandons the current clients, and new ones take their place. jaxlib is
imported on first use, so that importing Ingot stays cheap.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ingot_runtime import plugins
from ingot_runtime.interrupts import interruptible, leave_threads
from ingot_runtime.plugins import PLUGINS

# Keeps the C++ code of jaxlib from logging to stderr; must be set before it is loaded.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")


@functools.cache
def jaxlib() -> Any:
    # If a signal handler raises during the import, jaxlib's C++ code would end the process.
    name = "jaxlib.xla_client"
    return interruptible(importlib.import_module, name, abandoned=lambda: None)


def is_before(extension_version: int) -> bool:
    """Whether jaxlib is older than a version of its interface, which JAX's sources count, too."""
    return jaxlib()._version < extension_version


def _plugin_client(plugin: plugins.Plugin) -> Any:
    xla = jaxlib()
    plugins.load(plugin, xla)
    options = plugins.options(plugin, xla)
    if _job is None:
        return xla.make_c_api_client(plugin.name, options)
    options |= {"node_id": _job.rank, "num_nodes": _job.size}
    return xla.make_c_api_client(plugin.name, options, _job.service)


@functools.cache
def client() -> Any:
    """The PJRT client of the accelerator if there is one, or of the CPU.

    `INGOT_PLATFORM` ("cpu" or "cuda") overrides the choice.

    Raises:
        RuntimeError: `INGOT_PLATFORM` names an unknown platform, or the process was forked from
            one that uses an accelerator.
    """
    if any(each.platform != "cpu" for each in LEFT):
        raise RuntimeError(
            f"{LEFT[0].platform} can't be used in a process that was forked from one that uses "
            'it; start processes by multiprocessing.get_context("spawn")'
        )
    for platform in _candidates():
        try:
            return _plugin_client(PLUGINS[platform])
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            print(f"ingot: {platform} can't be used ({reason}); using the CPU", file=sys.stderr)
    return cpu_client()


def _candidates() -> list[str]:
    """The accelerators to try, in this order, before the CPU."""
    wanted = os.environ.get("INGOT_PLATFORM", "")
    if wanted not in ("", "cpu", *PLUGINS):
        known = ", ".join(("cpu", *PLUGINS))
        raise RuntimeError(f"INGOT_PLATFORM={wanted} is unknown; there are {known}")
    if wanted:
        return [wanted] if wanted in PLUGINS else []
    return [platform for platform, plugin in PLUGINS.items() if plugin.path()]


@functools.cache
def cpu_client() -> Any:
    keep_memory()
    with _few_threads():
        # Synchronous, as starting a program on another thread takes longer than most programs.
        return jaxlib().make_cpu_client(
            asynchronous=False, num_devices=_cpu_devices(), **_arguments_of_job()
        )


@contextmanager
def _few_threads() -> Iterator[None]:
    """Let a client start `OMP_NUM_THREADS` threads in each of its pools, where that is set.

    Engines set it that start a process for each core. XLA reads the number from `NPROC`.
    """
    limit = os.environ.get("OMP_NUM_THREADS", "")
    if "NPROC" in os.environ or not limit.isdecimal() or int(limit) == 0:
        yield
        return
    os.environ["NPROC"] = limit
    try:
        yield
    finally:
        del os.environ["NPROC"]


def _cpu_devices() -> int:
    """The number of CPU devices of this process, which `INGOT_CPU_DEVICES` sets."""
    text = os.environ.get("INGOT_CPU_DEVICES", "1")
    if not text.isdecimal() or not 1 <= int(text) <= MOST_CPU_DEVICES:
        raise RuntimeError(
            f"INGOT_CPU_DEVICES={text} is not a number of devices from 1 to {MOST_CPU_DEVICES}"
        )
    return int(text)


@functools.cache
def keep_memory() -> None:
    """Make glibc keep up to 128 MiB of freed memory, unless the user has configured malloc.

    By default, glibc returns the memory of a program to the system after each call. Getting it
    again, page by page, can take longer than the computation.
    """
    if sys.platform != "linux" or any(name.startswith("MALLOC_") for name in os.environ):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    # Larger blocks always come from the system; see `spares`.
    if mallopt and mallopt(MMAP_THRESHOLD, MOST_KEPT_BY_MALLOC):
        mallopt(TRIM_THRESHOLD, 128 << 20)


#: Each device has threads of its own.
MOST_CPU_DEVICES = 256

#: Parameters of glibc's mallopt, and the largest value of M_MMAP_THRESHOLD that it accepts.
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
MOST_KEPT_BY_MALLOC = 32 << 20


def default_device() -> Any:
    return client().local_devices()[0]


def default_platform() -> str:
    """The platform of the default device; needs no client where that can only be the CPU."""
    return default_device().platform if _candidates() else "cpu"


def device_named(name: str) -> Any:
    """The device with a name such as "cpu:0" or "cuda:1".

    Raises:
        ValueError: there is no such device.
    """
    platform, _, number = name.partition(":")
    clients = [client()] if client().platform == "cpu" else [client(), cpu_client()]
    known = [device for each in clients for device in each.local_devices()]
    for device in known:
        if platform in (device.platform, device.client.platform) and str(device.id) == number:
            return device
    names = ", ".join(f"{device.platform}:{device.id}" for device in known)
    raise ValueError(f"there is no device {name}; there are {names}")


# Jobs of several processes; see `distributed`.

#: The seconds that XLA waits for other processes and for heartbeats, before it ends the process. It
#: never should: the connections of `distributed` say who is alive.
FOR_EVER = 10**8


@dataclass(frozen=True)
class Job:
    """What a client needs to know other processes.

    Attributes:
        service: what `job_connection` gives.
        rank: the number of this process.
        size: the number of processes.
        host: the address of this process for the others.
    """

    service: Any
    rank: int
    size: int
    host: str


#: The job of the client that is being made.
_job: Job | None = None


def start_job_service(address: str, size: int) -> None:
    """Start the service by which the clients of a job find each other; it ends with the process."""
    service = jaxlib()._xla.get_distributed_runtime_service(
        address,
        size,
        heartbeat_timeout=FOR_EVER,
        cluster_register_timeout=FOR_EVER,
        recoverable=True,
    )
    # Its destructor would wait for its clients, and end those that are left.
    keep_for_ever(service)


def job_connection(address: str, rank: int) -> Any:
    """A connection to the service, which must be there: else XLA ends the process."""
    made = jaxlib()._xla.get_distributed_runtime_client(
        address, rank, heartbeat_timeout=FOR_EVER, init_timeout=FOR_EVER,
        shutdown_on_destruction=False,
    )  # fmt: skip
    made.connect()
    # Its destructor would ask the service, which may be gone.
    keep_for_ever(made)
    return made


def make_client_of(job: Job) -> None:
    """Make the client with the devices of all processes of a job.

    Raises:
        Exception: XLA's; then there is no client.
    """
    global _job
    _job = job
    try:
        client()
    finally:
        _job = None


def _arguments_of_job() -> dict[str, Any]:
    if _job is None:
        return {}
    collectives = jaxlib()._xla.make_gloo_tcp_collectives(_job.service, hostname=_job.host)
    return {
        "distributed_client": _job.service,
        "node_id": _job.rank,
        "num_nodes": _job.size,
        "collectives": collectives,
    }


# Abandoned clients.

#: Abandoned clients: their threads are gone since a fork, or run a program that was interrupted.
LEFT: list[Any] = []
#: Functions to call when clients are abandoned.
WHEN_LEFT: list[Callable[[], None]] = []
#: Whether a parent process had a client: then a thread that XLA's compiler needs is missing here.
_is_forked = False


def exist() -> bool:
    """Whether this process has a client."""
    return any(each.cache_info().currsize for each in (cpu_client, client))


def is_forked() -> bool:
    return _is_forked


def keep_for_ever(value: Any) -> None:
    """Leak a reference, so that not even the end of the process frees the object."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))


def leave_clients() -> None:
    """Abandon all clients. New ones are made on demand, and executables are loaded into them."""
    for each in (cpu_client, client):
        if each.cache_info().currsize:
            LEFT.append(each())
            # Its destructor would wait for its threads.
            keep_for_ever(LEFT[-1])
    for cached in (cpu_client, client):
        cached.cache_clear()
    for forget in WHEN_LEFT:
        forget()


def leave_client(platform: str) -> None:
    """Abandon the client of an interrupted program, which may occupy its threads for ever."""
    leave_threads()
    if platform == client().platform == "cpu":
        leave_clients()


def _after_fork() -> None:
    global _is_forked
    if exist():
        _is_forked = True
        leave_clients()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def is_left(device: Any) -> bool:
    return any(device.client is each for each in LEFT)


def present(device: Any) -> Any:
    """The device, or the default device if it is None, or its client was abandoned."""
    return default_device() if device is None or is_left(device) else device
