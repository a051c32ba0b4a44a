"""The on-disk cache of compiled programs.

An entry is a file whose name is the key. Its content starts with the SHA-256 of the rest, so that
truncated and modified entries are ignored. Executables are machine code, so the folder must be
writable by its owner only.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ingot_runtime import pjrt
from ingot_runtime.files import TEMPORARY, atomic_file

logger = logging.getLogger("ingot")

_DIGEST = hashlib.sha256().digest_size
_KEY = re.compile(r"[0-9a-f]{64}")


def key_of(parts: Iterable[str]) -> str:
    """The key of an entry: a hash of everything that the entry depends on."""
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode()
        hasher.update(len(data).to_bytes(8, "little") + data)
    return hasher.hexdigest()


@dataclass(frozen=True)
class CacheEntry:
    """An entry of the cache: its key, its size in bytes, and its last use in Unix seconds."""

    key: str
    size: int
    used: float


class Cache:
    """A cache in a folder that any number of processes share; always empty if it is None."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    @staticmethod
    def default() -> Cache:
        """The cache in `INGOT_CACHE_DIR`, or in the user's cache folder. "" turns it off."""
        chosen = os.environ.get("INGOT_CACHE_DIR")
        if chosen is not None:
            return Cache(Path(chosen) if chosen else None)
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return Cache(Path(base) / "ingot")

    def get(self, key: str) -> bytes | None:
        if self.folder is None or not _is_private(self.folder):
            return None
        path = self.folder / key
        try:
            content = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        digest, data = content[:_DIGEST], content[_DIGEST:]
        return data if hashlib.sha256(data).digest() == digest else None

    def put(self, key: str, data: bytes) -> None:
        """Store an entry; a failure is only logged, since the program can be compiled again."""
        if self.folder is None:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_private(self.folder):
                return
            with atomic_file(self.folder / key, durable=False) as file:
                file.write(hashlib.sha256(data).digest())
                file.write(data)
        except OSError as error:
            logger.warning("the cache %s can't be written: %s", self.folder, error.strerror)

    def executable(
        self, parts: Iterable[str], device: object, compile: Callable[[], pjrt.Executable]
    ) -> pjrt.Executable:
        """Load the executable that depends on these parts and the device, or compile it."""
        key = key_of(["executable", pjrt.fingerprint(device), *parts])
        data = self.get(key)
        if data is not None:
            try:
                return pjrt.load_executable(data, device)
            except RuntimeError:
                logger.warning("cache entry %s can't be loaded; it is compiled again", key)
        made = compile()
        if self.folder is not None and not made.calls_back:
            self.put(key, made.serialize())
        return made

    def entries(self) -> Iterator[CacheEntry]:
        for path in self._files():
            if _KEY.fullmatch(path.name):
                facts = path.stat()
                yield CacheEntry(path.name, facts.st_size - _DIGEST, facts.st_mtime)

    def clear(self) -> int:
        """Remove all entries and temporary files; returns the number of entries."""
        count = 0
        for path in self._files():
            if _KEY.fullmatch(path.name) or path.name.startswith(TEMPORARY):
                path.unlink(missing_ok=True)
                count += not path.name.startswith(TEMPORARY)
        return count

    def _files(self) -> list[Path]:
        if self.folder is None or not self.folder.is_dir():
            return []
        return sorted(self.folder.iterdir())


def _is_private(folder: Path) -> bool:
    """Whether only this user can write to the folder."""
    try:
        facts = folder.stat()
    except OSError:
        return False
    if os.name == "posix" and (
        facts.st_uid != os.getuid() or facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    ):
        logger.warning("the cache %s is not yours alone; it is not used", folder)
        return False
    return True
