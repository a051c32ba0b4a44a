"""The `.ingot` file: a zip archive with uncompressed members, which are memory-mapped.

Members are verified against the SHA-256 in the manifest, and then used directly from the file.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ingot_runtime.errors import ArtifactError
from ingot_runtime.files import atomic_file

#: The newest format. Format 2 added the layouts of results, format 3 their lengths, format 4
#: meshes, and format 5 exceptions that are more than a class and a text. Artifacts without these
#: are written in format 2, which older loaders can read.
FORMAT = 5
READABLE = range(1, FORMAT + 1)
MANIFEST, WEIGHTS = "manifest.json", "weights.safetensors"
#: The alignment, in bytes, of the tensors in the file.
ALIGNMENT = 64
#: A larger manifest is refused.
LARGEST_MANIFEST = 64 << 20

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")
_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
#: A zip's extra field that only pads, as Android's zipalign writes it.
_PADDING = 0xD935
_ENCRYPTED = 0x1


class Container:
    """The members of an artifact, memory-mapped and verified.

    Attributes:
        path: the path as given.
        absolute: the absolute path, which stays valid if the working directory changes.
        manifest: the parsed `manifest.json`.

    Raises:
        ArtifactError: the file is not an artifact, is damaged, or has a newer format.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.absolute = self.path.absolute()
        self._memory = self._map()
        self._crc32 = 0
        self._members = self._extents()
        if MANIFEST not in self._members:
            raise self.error(f"it has no {MANIFEST}")
        self.manifest = self._read_manifest()
        self._verify()

    def error(self, reason: str) -> ArtifactError:
        return ArtifactError(f"{self.path}: {reason}")

    def names(self) -> list[str]:
        return list(self._members)

    def member(self, name: str) -> memoryview:
        """The bytes of a member, mapped copy-on-write."""
        if name not in self._members:
            raise self.error(f"it has no member {name}")
        start, size = self._members[name]
        return memoryview(self._memory)[start : start + size]

    def sha256(self, name: str) -> str:
        """The SHA-256 of a member, in hexadecimal."""
        return self.manifest["members"][name]["sha256"]

    def _map(self) -> mmap.mmap:
        try:
            # Opening a pipe would wait for a process that writes to it.
            if not stat.S_ISREG(self.path.stat().st_mode):
                raise self.error("it is not a file")
            with self.path.open("rb") as file:
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        except OSError as error:
            raise self.error(error.strerror or "it can't be read") from None
        except ValueError:
            raise self.error("it is empty") from None

    def _extents(self) -> dict[str, tuple[int, int]]:
        """The offset and size of each member."""
        try:
            with zipfile.ZipFile(self.path) as file:
                infos = file.infolist()
        except Exception as error:
            # On damaged files, zipfile raises exceptions of many classes.
            raise self.error(f"it is no artifact, or is damaged ({error})") from None
        extents: dict[str, tuple[int, int]] = {}
        for info in infos:
            if info.filename in extents:
                raise self.error(f"two members have the name {info.filename}")
            extents[info.filename] = self._extent(info)
            if info.filename == MANIFEST:
                self._crc32 = info.CRC
        end = 0
        for name, (start, size) in sorted(extents.items(), key=lambda item: item[1]):
            if start < end:
                raise self.error(f"member {name} overlaps another one")
            end = start + size
        return extents

    def _extent(self, info: zipfile.ZipInfo) -> tuple[int, int]:
        name = info.filename
        if not _NAME.fullmatch(name):
            raise self.error(f"a member has the forbidden name {name!r}")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise self.error(f"member {name} is a link, which artifacts don't have")
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & _ENCRYPTED:
            raise self.error(f"member {name} is compressed or encrypted, which artifacts are not")
        header = self._memory[info.header_offset : info.header_offset + _LOCAL_HEADER.size]
        if len(header) < _LOCAL_HEADER.size or not header.startswith(b"PK\3\4"):
            raise self.error(f"member {name} is not where the directory says")
        *_, name_size, extra_size = _LOCAL_HEADER.unpack(header)
        start = info.header_offset + _LOCAL_HEADER.size + name_size + extra_size
        if info.file_size != info.compress_size or start + info.file_size > len(self._memory):
            raise self.error(f"member {name} does not fit into the file; is it truncated?")
        return start, info.file_size

    def _read_manifest(self) -> dict[str, Any]:
        if self._members[MANIFEST][1] > LARGEST_MANIFEST:
            raise self.error(f"{MANIFEST} is too large")
        text = bytes(self.member(MANIFEST))
        try:
            manifest = json.loads(text, object_pairs_hook=distinct)
        except (ValueError, RecursionError):
            raise self.error(f"{MANIFEST} is no JSON") from None
        if zlib.crc32(text) != self._crc32:
            raise self.error(f"{MANIFEST} is damaged: its CRC-32 is not the directory's")
        if not isinstance(manifest, dict) or type(manifest.get("format")) is not int:
            raise self.error(f"{MANIFEST} names no format")
        if manifest["format"] not in READABLE:
            raise self.error(
                f"it has format {manifest['format']}, this version of Ingot reads up to {FORMAT}; "
                "update ingot"
            )
        return manifest

    def _verify(self) -> None:
        # Files from before November 2026 have no digest.
        if self.manifest.get("digest", digest := _digest(self.manifest)) != digest:
            raise self.error(f"{MANIFEST} was changed: its digest is another")
        listed = self.manifest.get("members")
        if not isinstance(listed, dict):
            raise self.error(f"{MANIFEST} lists no members")
        for name in self._members.keys() - {MANIFEST} - listed.keys():
            raise self.error(f"member {name} is not in {MANIFEST}")
        for name, facts in listed.items():
            actual = hashlib.sha256(self.member(name)).hexdigest()
            if not isinstance(facts, dict) or facts.get("sha256") != actual:
                raise self.error(f"member {name} is damaged: its SHA-256 is not the manifest's")


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, as `json.loads` calls it.

    Raises:
        ValueError: two of its values have one name.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("two values have one name")
    return made


def write(
    path: str | os.PathLike[str], manifest: dict[str, Any], members: Mapping[str, bytes]
) -> None:
    """Write an artifact atomically; equal content gives equal bytes.

    Args:
        path: the file to write.
        manifest: the content of `manifest.json` except for "members" and "digest"; "format" is the
            newest one by default.
        members: the content of the members by name. The tensors in WEIGHTS are aligned.
    """
    listed = {
        name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
        for name, data in members.items()
    }
    whole = {"format": FORMAT, **manifest, "members": listed}
    whole["digest"] = _digest(whole)
    text = json.dumps(whole, indent=1, sort_keys=True)
    with atomic_file(path) as file, zipfile.ZipFile(file, "w") as archive:
        _add(archive, MANIFEST, text.encode())
        for name in sorted(members):
            _add(archive, name, members[name])


def _digest(manifest: dict[str, Any]) -> str:
    """The SHA-256 of a manifest's content, independent of white space."""
    said = {name: value for name, value in manifest.items() if name != "digest"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.create_system, info.external_attr = 3, 0o644 << 16
    if name == WEIGHTS:
        # The tensors follow a header, whose length is in the first 8 bytes of the member.
        header = 8 + int.from_bytes(data[:8], "little")
        assert archive.fp is not None
        start = archive.fp.tell() + _LOCAL_HEADER.size + len(name) + 4 + header
        padding = -start % ALIGNMENT
        info.extra = struct.pack("<2H", _PADDING, padding) + bytes(padding)
    archive.writestr(info, data)
