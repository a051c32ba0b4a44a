"""The models in a folder: NAME.ingot and NAME/VERSION.ingot."""

from __future__ import annotations

import logging
import re
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from kserve import Model, ModelRepository

from ingot_runtime.meshes import Mesh
from ingot_runtime.serving.model import ArtifactModel, opened
from ingot_runtime.serving.options import Batching

logger = logging.getLogger("ingot.serving")

#: Separates the name and the version of a model in the names that KServe sees.
_SEPARATOR = "@"
_NAME = re.compile(r"[\w.-]+", re.ASCII)


def key(name: str, version: str | None) -> str:
    """The KServe name of a version of a model; without a version, of the latest one."""
    return f"{name}{_SEPARATOR}{version}" if version else name


@dataclass(frozen=True)
class _Source:
    """An artifact in the folder."""

    name: str
    version: int
    path: Path


class Repository(ModelRepository):
    """The models in a folder, or in a single artifact.

    A model has the name of its artifact, or NAME.ENTRY if the artifact has several entry points. A
    changed artifact is loaded and compiled before its models replace the old ones in a single step.
    If that fails, the old models stay.
    """

    def __init__(
        self,
        path: Path,
        batching: Batching,
        executor: Executor,
        *,
        native: bool = False,
        mesh: Mesh | None = None,
    ) -> None:
        super().__init__(str(path))
        self._path, self._batching, self._executor = path, batching, executor
        self._native, self._mesh = native, mesh
        #: The state of each loaded file when it was loaded, and its models.
        self._loaded: dict[_Source, tuple[object, dict[str, ArtifactModel]]] = {}
        self._versions: dict[str, dict[int, ArtifactModel]] = {}
        self._reported: dict[_Source, str] = {}

    def get_model(self, name: str) -> Model | None:
        base, _, version = name.partition(_SEPARATOR)
        versions = self._versions.get(base, {})
        if not version:
            return versions[max(versions)] if versions else None
        return versions.get(int(version)) if version.isdecimal() else None

    def versions(self, name: str) -> list[str]:
        return [str(number) for number in sorted(self._versions.get(name, ()))]

    def refresh(self) -> None:
        """Load new and changed artifacts, and unload those that are gone."""
        found = self._sources()
        for source in found:
            self._load(source)
        for source in self._loaded.keys() - set(found):
            del self._loaded[source]
            logger.info("unloaded %s version %d", source.name, source.version)
        versions: dict[str, dict[int, ArtifactModel]] = {}
        for source, (_, models) in self._loaded.items():
            for name, model in models.items():
                versions.setdefault(name, {})[source.version] = model
        # Replaced in a single step, so that requests see either the old models or the new ones.
        self._versions = versions
        self.models = {name: each[max(each)] for name, each in versions.items()}

    def _load(self, source: _Source) -> None:
        try:
            facts = source.path.stat()
            state = facts.st_mtime_ns, facts.st_size, facts.st_ino
            if source in self._loaded and self._loaded[source][0] == state:
                return
            models = self._made(source)
        except Exception as error:
            # A problem with one artifact must not affect the others.
            self._failed(source, error)
            return
        self._loaded[source] = state, models
        self._reported.pop(source, None)
        logger.info("loaded %s version %d: %s", source.name, source.version, ", ".join(models))

    def _made(self, source: _Source) -> dict[str, ArtifactModel]:
        if not _NAME.fullmatch(source.name):
            raise ValueError(f"{source.name!r} is not a model name; use letters, digits, _, -, .")
        loaded = opened(source.path, self._batching, native=self._native, mesh=self._mesh)
        names = {
            entry: source.name if len(loaded.entry_points) == 1 else f"{source.name}.{entry}"
            for entry in loaded.entry_points
        }
        return {
            name: ArtifactModel(
                name, loaded, entry=entry, version=str(source.version),
                batching=self._batching, executor=self._executor,
            )
            for entry, name in names.items()
        }  # fmt: skip

    def _failed(self, source: _Source, error: Exception) -> None:
        """Log an error once, and not at each check of the folder."""
        if self._reported.get(source) != str(error):
            self._reported[source] = str(error)
            kept = "; the one before stays" if source in self._loaded else ""
            logger.error("%s can't be loaded%s: %s", source.path, kept, error)

    def _sources(self) -> list[_Source]:
        if self._path.is_file():
            return [_Source(self._path.stem, 1, self._path)]
        found = []
        for path in sorted(self._path.iterdir()):
            if path.suffix == ".ingot" and path.is_file():
                found.append(_Source(path.stem, 1, path))
            elif path.is_dir():
                numbered = (p for p in sorted(path.glob("*.ingot")) if p.stem.isdecimal())
                found += [_Source(path.name, int(each.stem), each) for each in numbered]
        return found
