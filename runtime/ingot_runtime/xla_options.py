"""The options with which XLA compiles programs; `bench/xla_options.py` measures what they cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from ingot_runtime import plugins
from ingot_runtime.clients import jaxlib
from ingot_runtime.linking import STRICT, calls

#: Flags for strict programs: no algebraic simplification, no excess precision, and no flushing of
#: subnormal numbers to zero.
STRICT_FLAGS = [
    ("xla_disable_hlo_passes", "algsimp"),
    ("xla_allow_excess_precision", False),
    ("xla_cpu_ftz", False),
]


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
    if calls(module, STRICT):
        options.env_option_overrides = STRICT_FLAGS
    return options
