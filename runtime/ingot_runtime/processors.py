"""The processor that machine code for the CPU is compiled for."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from platform import machine, processor

#: The levels of x86-64, by the names that compilers give them, with what each has besides the one
#: before it (the first: besides x86-64 itself), as Linux names it.
#: Source: the x86-64 psABI, section "Micro-architecture levels".
LEVELS = {
    "x86-64-v2": ("cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"),
    "x86-64-v3": ("abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"),
    "x86-64-v4": ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
}


@functools.cache
def features() -> str:
    """The features of this processor, on which machine code may depend, separated by spaces."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return processor()
    # x86 and ARM name the list differently.
    found = (line.partition(":")[2] for line in lines if line.startswith(("flags", "Features")))
    return " ".join(sorted(next(found, "").split()))


def missing(level: str) -> list[str]:
    """What this processor lacks of a level."""
    names = list(LEVELS)
    wanted = [each for name in names[: names.index(level) + 1] for each in LEVELS[name]]
    has = set(features().split())
    return [each for each in wanted if each not in has]


def levels() -> list[str]:
    """The levels that this processor has, from the lowest one."""
    if machine() not in ("x86_64", "AMD64"):
        return []
    return [level for level in LEVELS if not missing(level)]


@functools.cache
def target() -> str:
    """The level that code is compiled for: `INGOT_TARGET_CPU`, read once by a process; if it is
    not set "", which is this processor with all its features.

    Raises:
        ValueError: this is no level, or this processor can't run its code.
    """
    level = os.environ.get("INGOT_TARGET_CPU", "")
    if not level or level in levels():
        return level
    if level not in LEVELS:
        raise ValueError(f"INGOT_TARGET_CPU={level} is none of {', '.join(LEVELS)}")
    lacks = " ".join(missing(level)) or "the architecture"
    raise ValueError(f"INGOT_TARGET_CPU={level}: this processor lacks {lacks}")
