"""Artifacts that their exporter did not write, with checksums that fit."""

import io
import json
import zipfile

from ingot_runtime import stablehlo
from ingot_runtime.container import write

#: The version of StableHLO that artifacts use.
VERSION = "1.3.0"


def parts_of(data):
    """The manifest and the other members of an artifact."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        members = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    return {k: v for k, v in manifest.items() if k not in ("members", "digest")}, members


def with_module(path, text):
    """Replace the modules of an artifact by a text's module."""
    manifest, members = parts_of(path.read_bytes())
    module = stablehlo.portable(text, VERSION)
    modules = {name: module for name in members if name.endswith(".mlirbc")}
    write(path, manifest, {**members, **modules})


def with_manifest(path, change):
    """Change the manifest of an artifact."""
    manifest, members = parts_of(path.read_bytes())
    change(manifest)
    write(path, manifest, members)
