"""The `.ingot` file: a zip whose members are stored as they are, so that they can be mapped.

Nothing is unpacked: members are read where they lie in the file, each after its SHA-256 has been
compared with the manifest's.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ingot_runtime.errors import ArtifactError

#: The newest format. Before format 2, results had no layouts; before 3, no lengths. What needs no
#: later one is written in format 2, which loaders of before read, too.
FORMAT = 3
READABLE = range(1, FORMAT + 1)
MANIFEST, WEIGHTS = "manifest.json", "weights.safetensors"
#: Members that start with data to be mapped begin at a multiple of this.
ALIGNMENT = 64
#: A manifest is text about signatures; what is larger is none.
LARGEST_MANIFEST = 64 << 20
#: What the names of files that are being written start with.
TEMPORARY = ".ingot-"

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")
_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
#: A zip's extra field that only pads, as Android's zipalign writes it.
_PADDING = 0xD935
_ENCRYPTED = 0x1


class Container:
    """An artifact's members, mapped and verified.

    Attributes:
        path: as it was given.
        absolute: the same, wherever the process goes.
        manifest: the parsed `manifest.json`.

    Raises:
        ArtifactError: the file is no artifact, is damaged, or is of a format to come.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.absolute = self.path.absolute()
        self._memory = self._map()
        self._crc32 = 0
        self._members = self._places()
        if MANIFEST not in self._members:
            raise self.error(f"it has no {MANIFEST}")
        self.manifest = self._read_manifest()
        self._verify()

    def error(self, reason: str) -> ArtifactError:
        return ArtifactError(f"{self.path}: {reason}")

    def names(self) -> list[str]:
        return list(self._members)

    def member(self, name: str) -> memoryview:
        """The bytes of a member; private to this process when written to."""
        if name not in self._members:
            raise self.error(f"it has no member {name}")
        start, size = self._members[name]
        return memoryview(self._memory)[start : start + size]

    def sha256(self, name: str) -> str:
        """The SHA-256 of a member, in hexadecimal."""
        return self.manifest["members"][name]["sha256"]

    def _map(self) -> mmap.mmap:
        try:
            with self.path.open("rb") as file:
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        except OSError as error:
            raise self.error(error.strerror or "it can't be read") from None
        except ValueError:
            raise self.error("it is empty") from None

    def _places(self) -> dict[str, tuple[int, int]]:
        """Where the members lie: offset and size."""
        try:
            with zipfile.ZipFile(self.path) as file:
                infos = file.infolist()
        except Exception as error:
            # zipfile raises what its parsing stumbles over, of many kinds.
            raise self.error(f"it is no artifact, or is damaged ({error})") from None
        places: dict[str, tuple[int, int]] = {}
        for info in infos:
            if info.filename in places:
                raise self.error(f"two members have the name {info.filename}")
            places[info.filename] = self._place(info)
            if info.filename == MANIFEST:
                self._crc32 = info.CRC
        end = 0
        for name, (start, size) in sorted(places.items(), key=lambda item: item[1]):
            if start < end:
                raise self.error(f"member {name} overlaps another one")
            end = start + size
        return places

    def _place(self, info: zipfile.ZipInfo) -> tuple[int, int]:
        name = info.filename
        if not _NAME.fullmatch(name):
            raise self.error(f"a member has the forbidden name {name!r}")
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
            manifest = json.loads(text)
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
        # Files of before 2026-11 have no digest.
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


def write(
    path: str | os.PathLike[str], manifest: dict[str, Any], members: Mapping[str, bytes]
) -> None:
    """Write an artifact; the file appears whole or not at all, and depends on nothing else.

    Args:
        manifest: all of `manifest.json` but "members" and "digest"; "format" is the newest one if
            it is not given.
        members: by name; WEIGHTS is aligned to be mapped.
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
    """The SHA-256 of what a manifest says, however it is spaced."""
    said = {name: value for name, value in manifest.items() if name != "digest"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


class atomic_file:
    """A context that gives a file to write, which takes the path's place if all went well.

    Args:
        durable: whether the file must outlive a crash of the machine.
    """

    def __init__(self, path: str | os.PathLike[str], *, durable: bool = True) -> None:
        self._path, self._durable = Path(path), durable

    def __enter__(self) -> Any:
        folder = self._path.parent
        self._file = tempfile.NamedTemporaryFile(dir=folder, prefix=TEMPORARY, delete=False)
        return self._file

    def __exit__(self, kind: Any, *_: Any) -> None:
        with self._file:
            if kind is None and self._durable:
                self._file.flush()
                os.fsync(self._file.fileno())
        if kind is not None:
            os.unlink(self._file.name)
            return
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(self._file.name, 0o666 & ~mask)
        os.replace(self._file.name, self._path)


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.create_system, info.external_attr = 3, 0o644 << 16
    if name == WEIGHTS:
        # The tensors follow a header whose length is the first number of the member.
        header = 8 + int.from_bytes(data[:8], "little")
        assert archive.fp is not None
        start = archive.fp.tell() + _LOCAL_HEADER.size + len(name) + 4 + header
        padding = -start % ALIGNMENT
        info.extra = struct.pack("<2H", _PADDING, padding) + bytes(padding)
    archive.writestr(info, data)
