"""`load`: opens an artifact."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ingot_runtime import buffers
from ingot_runtime.container import Container
from ingot_runtime.entry_points import EntryPoint
from ingot_runtime.meshes import Mesh
from ingot_runtime.reading import Verifier
from ingot_runtime.sizes import Sizes
from ingot_runtime.validation import contents_of


def load(
    path: str | os.PathLike[str],
    *,
    buckets: Mapping[str, Iterable[int]] | None = None,
    native: bool = False,
    mesh: Mesh | None = None,
) -> Loaded:
    """Load an artifact: verify it, map its weights, and make its entry points callable.

    Args:
        path: a `.ingot` file. It is mapped into memory, so replace it only by renaming another
            file over it.
        buckets: the sizes to compile for, by the name of the batch dimension (`EntryPoint.batch`);
            see `EntryPoint.use_buckets`. Without buckets, and above the largest one, each size is
            compiled separately, on its first call.
        native: whether to run the machine code of the artifact where it is for this machine;
            elsewhere, and by default, the portable programs run. Machine code can do whatever its
            maker wrote, and no checksum tells who that is: set it only for artifacts that you
            would install as a library.
        mesh: a mesh, by `ingot.mesh`, whose devices share the items of each call, along the batch
            dimension. Programs that have none, and those for a mesh of their own, run as they are.

    Returns:
        A `Loaded`.

    Raises:
        ArtifactError: the file can't be read, is damaged, or needs another platform.
        ValueError: `buckets` names a dimension that is not the batch dimension.

    Example:
        >>> def predict(x):
        ...     return x + 1
        >>> ingot.export(predict, ingot.spec("n,2")).save("predict.ingot")
        >>> loaded = ingot_runtime.load("predict.ingot", buckets={"n": [8, 64]})
        >>> loaded(np.zeros((1, 2)))
        array([[1., 1.]])

        Machine code, of the user's own:

        >>> ingot.export(predict, np.zeros((1, 2)), native=True).save("native.ingot")
        >>> ingot_runtime.load("native.ingot", native=True)(np.zeros((1, 2)))
        array([[1., 1.]])
    """
    return _loaded(os.fspath(path), buckets or {}, native, mesh)


def _loaded(
    path: str, buckets: Mapping[str, Iterable[int]], native: bool, mesh: Mesh | None = None
) -> Loaded:
    return Loaded(Container(path), buckets, native, mesh)


class Loaded:
    """A loaded artifact. If it has a single entry point, the artifact itself is callable.

    A pickle contains the path and the options of `load`; reading the pickle loads the file again.

    Attributes:
        manifest: the manifest of the artifact, a dict.
        entry_points: a dict of the names to the `EntryPoint`s.

    Example:
        >>> def double(x):
        ...     return 2 * x
        >>> ingot.export(double, ingot.spec("n")).save("double.ingot")
        >>> loaded = ingot.load("double.ingot")
        >>> loaded.warmup({"n": 3})
        >>> loaded.entry("double")(np.ones(3))
        array([2., 2., 2.])
    """

    def __init__(
        self,
        container: Container,
        buckets: Mapping[str, Iterable[int]],
        native: bool,
        mesh: Mesh | None = None,
    ) -> None:
        self._container = container
        self._options = {name: tuple(sizes) for name, sizes in buckets.items()}, native, mesh
        self.manifest = container.manifest
        contents = contents_of(container)
        # On the CPU, weights stay in the mapped file.
        arrays = {name: buffers.Constant(array) for name, array in contents.weights.items()}
        self.entry_points: dict[str, EntryPoint] = {}
        with Verifier() as verifier:
            for name, facts in contents.entries.items():
                self.entry_points[name] = EntryPoint(
                    name, facts, container, arrays, *self._options, verifier
                )

    def __reduce__(self) -> tuple:
        return _loaded, (str(self._container.absolute), *self._options)

    def __copy__(self) -> Loaded:
        return self

    def __deepcopy__(self, memo: Any) -> Loaded:
        return self

    def entry(self, name: str) -> EntryPoint:
        """Return an entry point by name.

        Raises:
            KeyError: the artifact has no entry point of that name.
        """
        if name not in self.entry_points:
            names = ", ".join(self.entry_points)
            raise KeyError(f"no entry point {name!r}; there are {names}")
        return self.entry_points[name]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the only entry point; see `EntryPoint`.

        Raises:
            TypeError: the artifact has several entry points.
        """
        if len(self.entry_points) != 1:
            names = ", ".join(self.entry_points)
            raise TypeError(f"the artifact has several entry points: use .entry(name) of {names}")
        (entry,) = self.entry_points.values()
        return entry(*args, **kwargs)

    def warmup(self, *sizes: Sizes) -> None:
        """Compile every entry point before its first call.

        Args:
            sizes: dicts of the named dimensions to the sizes to compile for; by default the
                buckets.

        Raises:
            ValueError: a dict lacks a named dimension.
        """
        for entry in self.entry_points.values():
            entry.warmup(*({n: s[n] for n in entry.sizes if n in s} for s in sizes))

    def __repr__(self) -> str:
        return f"Loaded({str(self._container.path)!r}: {', '.join(self.entry_points)})"
