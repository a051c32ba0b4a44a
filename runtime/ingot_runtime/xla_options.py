"""The options with which XLA compiles programs; `bench/xla_options.py` measures what they cost."""

from __future__ import annotations

import re
from math import prod
from typing import Any

import numpy as np

from ingot_runtime import plugins
from ingot_runtime.clients import is_before, jaxlib
from ingot_runtime.linking import STRICT, calls

#: Flags for strict programs: no algebraic simplification, no excess precision, and no flushing of
#: subnormal numbers to zero.
STRICT_FLAGS = [
    ("xla_disable_hlo_passes", "algsimp"),
    ("xla_allow_excess_precision", False),
    ("xla_cpu_ftz", False),
]
#: Flags for small programs, whose compilation takes half as long without the emitters that make
#: loops over large arrays fast. jaxlib 0.11.1 has them always.
ALWAYS_EMITTERS = 480
SMALL_FLAGS = [("xla_cpu_use_fusion_emitters", False)]
#: The most characters of the text of a small program, and the most elements of its arrays.
MOST_TEXT, MOST_ELEMENTS = 1 << 16, 256


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


def for_program(module: str | bytes, parsed: Any, device: Any) -> Any:
    """The options for a program.

    Args:
        module: StableHLO as text, or a portable artifact.
        parsed: the same, parsed.
        device: the device to compile for.
    """
    options = for_device(device)
    flags: list[tuple[str, Any]] = []
    if calls(module, STRICT):
        flags += STRICT_FLAGS
    if device.platform == "cpu" and is_before(ALWAYS_EMITTERS) and _is_small(module, parsed):
        flags += SMALL_FLAGS
    options.env_option_overrides = flags
    return options


def _is_small(module: str | bytes, parsed: Any) -> bool:
    """Whether a program has no loops, and no large arrays."""
    if len(module) > MOST_TEXT:
        return False
    text = module if isinstance(module, str) else str(parsed)
    if len(text) > MOST_TEXT or "stablehlo.while" in text:
        return False
    shapes = set(re.findall(r"tensor<((?:\d+x)+)", text))
    return all(prod(map(int, shape.split("x")[:-1])) <= MOST_ELEMENTS for shape in shapes)
