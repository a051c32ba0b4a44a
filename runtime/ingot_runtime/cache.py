"""The on-disk cache of compiled programs.

An entry is a file whose name is the key. Its content starts with the SHA-256 of the rest, so that
truncated and modified entries are ignored. Executables are machine code, so the folder and each
entry must be this user's, and writable by no other one.
"""

from __future__ import annotations

import contextlib
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
#: Flags that not every system has.
_NOFOLLOW, _NONBLOCK = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_NONBLOCK", 0)


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
            # Without waiting for the other end of a FIFO, and without following a link.
            number = os.open(path, os.O_RDONLY | _NOFOLLOW | _NONBLOCK)
            try:
                content = _content(number)
            finally:
                os.close(number)
        except OSError:
            return None
        if content is None:
            logger.warning("the cache entry %s is not yours alone; it is not used", path)
            return None
        digest, data = content[:_DIGEST], content[_DIGEST:]
        return data if hashlib.sha256(data).digest() == digest else None

    def put(self, key: str, data: bytes) -> None:
        """Store an entry; a failure is only logged, since the program can be compiled again."""
        if self.folder is None:
            return
        try:
            _make_private(self.folder)
            if not _is_private(self.folder):
                return
            with atomic_file(self.folder / key, durable=False, private=True) as file:
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
            except Exception:
                logger.warning("cache entry %s can't be loaded; it is compiled again", key)
        made = compile()
        if self.folder is not None and not made.calls_back:
            self.put(key, made.serialize())
        return made

    def entries(self) -> Iterator[CacheEntry]:
        for path in self._files():
            with contextlib.suppress(FileNotFoundError):
                facts = path.lstat()
                if _KEY.fullmatch(path.name) and stat.S_ISREG(facts.st_mode):
                    yield CacheEntry(path.name, facts.st_size - _DIGEST, facts.st_mtime)

    def clear(self) -> int:
        """Remove all entries and temporary files; returns the number of entries."""
        count = 0
        for path in self._files():
            is_known = _KEY.fullmatch(path.name) or path.name.startswith(TEMPORARY)
            if is_known and not stat.S_ISDIR(path.lstat().st_mode):
                path.unlink(missing_ok=True)
                count += not path.name.startswith(TEMPORARY)
        return count

    def _files(self) -> list[Path]:
        if self.folder is None or not self.folder.is_dir():
            return []
        return sorted(self.folder.iterdir())


def _content(number: int) -> bytes | None:
    """The content of an opened entry, whose time of use is now; None if it is not this user's."""
    facts = os.fstat(number)
    if not stat.S_ISREG(facts.st_mode) or not _is_yours(facts):
        return None
    with contextlib.suppress(OSError):
        os.utime(number)
    with open(number, "rb", closefd=False) as file:
        return file.read()


def _make_private(folder: Path) -> None:
    """Make a folder, and those around it that are missing, for this user only."""
    if folder.is_dir():
        return
    _make_private(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def _is_private(folder: Path) -> bool:
    """Whether only this user can write to the folder."""
    try:
        facts = folder.stat()
    except OSError:
        return False
    if _is_yours(facts):
        return True
    logger.warning("the cache %s is not yours alone; it is not used", folder)
    return False


def _is_yours(facts: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user, and no other one may write to it."""
    if os.name != "posix":
        return True
    return facts.st_uid == os.getuid() and not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
