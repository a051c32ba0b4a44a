"""The options with which XLA compiles programs; `bench/xla_options.py` measures what they cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from ingot_runtime import plugins, processors
from ingot_runtime.clients import jaxlib
from ingot_runtime.linking import STRICT, calls

#: Flags for strict programs: no algebraic simplification, no excess precision, and no flushing of
#: subnormal numbers to zero.
STRICT_FLAGS = [
    ("xla_disable_hlo_passes", "algsimp"),
    ("xla_allow_excess_precision", False),
    ("xla_cpu_ftz", False),
]

#: The newest vectors that XLA's code may have, by the level of the processor it is for.
NEWEST_VECTORS = {
    "x86-64-v2": "SSE4_2",
    "x86-64-v3": "AVX2",
    "x86-64-v4": "AVX512",
}


def for_device(device: Any) -> Any:
    """XLA's options of compilation for one device; by default they mean the client's first one."""
    xla = jaxlib()
    options = xla.CompileOptions()
    if device.platform != "cpu":
        debugging = options.executable_build_options.debug_options
        debugging.xla_gpu_cuda_data_dir = plugins.cuda_folder()
    if device.id != device.client.devices()[0].id:
        assigned = xla.DeviceAssignment.create(np.array([[device.id]]))
        options.device_assignment = assigned
        options.executable_build_options.device_assignment = assigned
    return options


def for_program(module: str | bytes, device: Any) -> Any:
    """The options for a program.

    Args:
        module: StableHLO as text, or a portable artifact.
        device: the device to compile for.
    """
    options = for_device(device)
    flags: list[tuple[str, Any]] = []
    if calls(module, STRICT):
        flags += STRICT_FLAGS
    if device.platform == "cpu" and processors.target():
        flags.append(("xla_cpu_max_isa", NEWEST_VECTORS[processors.target()]))
    options.env_option_overrides = flags
    return options
