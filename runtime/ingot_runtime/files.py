"""Files that appear under their names when they are complete."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

#: The prefix of the names of temporary files.
TEMPORARY = ".ingot-"


class atomic_file:
    """A context that opens a temporary file and renames it to the path if no exception occurs.

    Args:
        durable: whether to sync the file to disk, so that it survives a crash of the machine.
        private: whether only its owner may read and write it; else it has the permissions that a
            new file has.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, durable: bool = True, private: bool = False
    ) -> None:
        self._path, self._durable, self._private = Path(path), durable, private

    def __enter__(self) -> Any:
        # Imported late, as reading a cache needs no temporary files.
        import tempfile

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
        # It was made for its owner only.
        if not self._private:
            make_shared(self._file.name)
        os.replace(self._file.name, self._path)


def make_shared(path: str | os.PathLike[str]) -> None:
    """Give a file that only its owner may read the permissions that a new file has."""
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(path, 0o666 & ~mask)
