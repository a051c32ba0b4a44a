"""Which mutant of Python sources is the active one, as mutant.h says of C++: imported when Python starts."""

from __future__ import annotations

import builtins
import mmap
import os

_ACTIVE = int(os.environ.get("INGOT_MUTANT", "-1"))
_reached: dict[str, mmap.mmap] = {}


def ingot_mutant(number: int) -> bool:
    if path := os.environ.get("INGOT_MUTANTS_REACHED"):
        if path not in _reached:
            with open(path, "r+b") as file:
                _reached[path] = mmap.mmap(file.fileno(), 0)
        _reached[path][number] = 1
    return number == _ACTIVE


builtins.ingot_mutant = ingot_mutant  # type: ignore[attr-defined]
