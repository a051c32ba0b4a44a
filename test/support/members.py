"""The parts of artifacts, changed in ways that the hashes don't tell."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ingot_runtime import container


def parts_of(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest, and the other members by name."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    return json.loads(members.pop("manifest.json")), members


def changed(path: Path, change: Callable[[dict, dict], Any]) -> Path:
    """The artifact with its parts changed, and hashes that fit.

    Args:
        path: an artifact with an entry point `f` that has machine code.
        change: changes the description of the machine code, and the members.
    """
    manifest, members = parts_of(path)
    change(manifest["entry_points"]["f"]["native"], members)
    container.write(path, manifest, members)
    return path


def with_wrong_machine_code(path: Path) -> Path:
    """The artifact with machine code that can't be loaded."""

    def change(native: dict, members: dict) -> None:
        # Under another name, since a kernel of this one may be loaded.
        native["kernels"] = {f"{name}.wrong": member for name, member in native["kernels"].items()}
        if native["call"]:
            native["call"]["kernel"] += ".wrong"
        wrong = list(native["kernels"].values()) or [native["executable"]]
        members.update(dict.fromkeys(wrong, b"no machine code"))

    return changed(path, change)
