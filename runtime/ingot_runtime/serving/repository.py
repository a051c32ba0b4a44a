"""The models of a folder: NAME.ingot and NAME/VERSION.ingot."""

from __future__ import annotations

import logging
import re
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from kserve import Model, ModelRepository

from ingot_runtime.serving.model import ArtifactModel, opened
from ingot_runtime.serving.options import Batching

logger = logging.getLogger("ingot.serving")

#: Between a model's name and its version, in what KServe takes for a name.
_SEPARATOR = "@"
_NAME = re.compile(r"[\w.-]+", re.ASCII)


def key(name: str, version: str | None) -> str:
    """What `Repository.get_model` takes for a version of a model, the latest if it is empty."""
    return f"{name}{_SEPARATOR}{version}" if version else name


@dataclass(frozen=True)
class _Source:
    """An artifact of the folder."""

    name: str
    version: int
    path: Path


class Repository(ModelRepository):
    """The models that a folder holds, or a single artifact.

    A model is named after its artifact if that has one entry point, else NAME.ENTRY. What is
    replaced is loaded, and compiled, before it takes the place of the old one in a single step; if
    that fails, the old one stays.
    """

    def __init__(self, place: Path, batching: Batching, executor: Executor) -> None:
        super().__init__(str(place))
        self._place, self._batching, self._executor = place, batching, executor
        #: The state of each file when it was loaded, and its models.
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
        """Load what is new or was changed, forget what is gone."""
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
        # Requests see the old models or the new ones.
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
            # Whatever is wrong with one, the others are served.
            self._failed(source, error)
            return
        self._loaded[source] = state, models
        self._reported.pop(source, None)
        logger.info("loaded %s version %d: %s", source.name, source.version, ", ".join(models))

    def _made(self, source: _Source) -> dict[str, ArtifactModel]:
        if not _NAME.fullmatch(source.name):
            raise ValueError(f"{source.name!r} is no model's name; use letters, digits, _, - and .")
        loaded = opened(source.path, self._batching)
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
        """Tell it once, not each time that the folder is looked at."""
        if self._reported.get(source) != str(error):
            self._reported[source] = str(error)
            kept = "; the one before stays" if source in self._loaded else ""
            logger.error("%s can't be loaded%s: %s", source.path, kept, error)

    def _sources(self) -> list[_Source]:
        if self._place.is_file():
            return [_Source(self._place.stem, 1, self._place)]
        found = []
        for path in sorted(self._place.iterdir()):
            if path.suffix == ".ingot" and path.is_file():
                found.append(_Source(path.stem, 1, path))
            elif path.is_dir():
                numbered = (p for p in sorted(path.glob("*.ingot")) if p.stem.isdecimal())
                found += [_Source(path.name, int(each.stem), each) for each in numbered]
        return found
