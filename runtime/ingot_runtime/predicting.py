"""`BatchPredictor`: an artifact as the function that engines map over batches of rows."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ingot_runtime.container import Container
from ingot_runtime.entry_points import EntryPoint, batch_axis
from ingot_runtime.loader import Loaded
from ingot_runtime.manifest import Leaf


class BatchPredictor:
    """An entry point of an artifact as a function of a batch of rows, for Ray Data, Dask or Spark.

    Each process that gets it loads the artifact once, at its first batch: a pickle has only the
    path and the options, so the file must have that path on all machines. A batch is a dict of
    columns, or one array for each argument; what is read-only or in shared memory is not copied if
    it starts at a multiple of 64 bytes. The number of threads is that of `OMP_NUM_THREADS`, which
    Ray and Dask set for their processes.

    Args:
        path: a `.ingot` file.
        entry: the name of an entry point; by default the only one. Each row of its results must
            depend on the same row of its arguments alone, which the compiler must have proven: see
            `EntryPoint.batch`.
        columns: the names of columns by the names of arguments, where they differ.
        keep: the columns of a batch that its result has, too, for example a key.
        batch_size: the number of rows of a call. Longer batches are divided, and shorter ones
            padded, so that one program is compiled. By default a batch is one call, and each
            length is compiled when it first occurs.
        native: whether to run the artifact's machine code; see `load`.

    Raises:
        ValueError: `batch_size` is not positive.

    Example:
        >>> def double(x):
        ...     return 2 * x
        >>> ingot.export(double, ingot.spec("n")).save("double.ingot")
        >>> predictor = ingot_runtime.BatchPredictor("double.ingot", keep=["key"])
        >>> predictor({"key": np.array([7, 8]), "x": np.array([1.0, 2.0])})
        {'key': array([7, 8]), 'output': array([2., 4.])}
        >>> predictor(np.array([1.0, 2.0]))
        array([2., 4.])
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        entry: str | None = None,
        *,
        columns: Mapping[str, str] | None = None,
        keep: Iterable[str] = (),
        batch_size: int | None = None,
        native: bool = False,
    ) -> None:
        if batch_size is not None and batch_size < 1:
            raise ValueError(f"batch_size is {batch_size}, but must be positive")
        self.path, self.entry = os.path.abspath(path), entry
        self.columns, self.keep = dict(columns or {}), tuple(keep)
        self.batch_size, self.native = batch_size, native

    def __call__(self, *batch: Any) -> Any:
        """The results of a batch.

        Args:
            batch: a dict of the columns, or one array for each argument.

        Returns:
            For a dict, a dict of the kept columns and the results, by the names that
            `ingot inspect` shows; for arrays, the result, or a tuple of several.

        Raises:
            ArtifactError: the artifact can't be read, is damaged, or lacks the entry point.
            KeyError: a column is missing.
            TypeError: an array has another dtype than the artifact says, or there are more or
                fewer of them than arguments.
            ValueError: an array has another shape, arrays have different numbers of rows, or rows
                of the entry point depend on each other.
            Exception: any exception that the function raises.
        """
        entry = _entry(self.path, self.entry, self.batch_size, self.native)
        if len(batch) != 1 or not isinstance(batch[0], Mapping):
            results = self._rows(entry, self._arguments(entry, batch))
            return results[0] if len(results) == 1 else tuple(results)
        (given,) = batch
        names = [self.columns.get(leaf.name, leaf.name) for leaf in _given(entry)]
        missing = [name for name in (*names, *self.keep) if name not in given]
        if missing:
            raise KeyError(
                f"the batch has no column {missing[0]!r}; it has {', '.join(map(repr, given))}"
            )
        results = self._rows(entry, [np.asarray(given[name]) for name in names])
        kept = {name: given[name] for name in self.keep}
        named = zip([leaf.name for leaf in entry.results], results, strict=True)
        return {**kept, **dict(named)}

    def __repr__(self) -> str:
        entry = f", {self.entry!r}" if self.entry else ""
        return f"BatchPredictor({self.path!r}{entry})"

    def _arguments(self, entry: EntryPoint, batch: tuple) -> list[np.ndarray]:
        wanted = _given(entry)
        if len(batch) != len(wanted):
            names = ", ".join(leaf.name for leaf in wanted)
            raise TypeError(f"there are {len(batch)} arrays, but {entry.name} has {names}")
        return [np.asarray(each) for each in batch]

    def _rows(self, entry: EntryPoint, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """The results of arrays, one for each argument that is not fixed."""
        for leaf, each in zip(_given(entry), arrays, strict=True):
            if each.ndim == 0:
                raise ValueError(f"{entry.name}: argument {leaf.name} has no rows: it is a number")
        lengths = {len(each) for each in arrays}
        if len(lengths) != 1:
            raise ValueError(f"{entry.name}: the columns have {sorted(lengths)} rows")
        (length,) = lengths
        if length == 0:
            return self._no_rows(entry, arrays)
        step = self.batch_size or length
        parts = [
            self._call(entry, [each[start : start + step] for each in arrays])
            for start in range(0, length, step)
        ]
        if len(parts) == 1:
            return parts[0]
        return [np.concatenate(pieces) for pieces in zip(*parts, strict=True)]

    def _no_rows(self, entry: EntryPoint, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """The results of batches without rows, which engines have where a filter leaves none."""
        row = [np.zeros((1, *each.shape[1:]), each.dtype) for each in arrays]
        sizes = entry.sizes_of(_with_fixed(entry, row))
        empty = {**sizes, str(entry.batch): 0}
        return [
            np.empty([size.at(empty) for size in leaf.shape], leaf.numpy_dtype)
            for leaf in entry.results
        ]

    def _call(self, entry: EntryPoint, arrays: list[np.ndarray]) -> list[np.ndarray]:
        return entry.run(_with_fixed(entry, arrays))


@functools.cache
def _entry(path: str, name: str | None, batch_size: int | None, native: bool) -> EntryPoint:
    """The entry point, loaded once in each process."""
    container = Container(path)
    entries = Loaded(container, {}, native).entry_points
    if name is None and len(entries) > 1:
        raise container.error(f"it has several entry points: give one of {', '.join(entries)}")
    entry = next(iter(entries.values())) if name is None else entries.get(name)
    if entry is None:
        raise container.error(f"it has no entry point {name!r}")
    _check_rows(entry)
    entry.use_buckets([batch_size] if batch_size else [])
    return entry


def _check_rows(entry: EntryPoint) -> None:
    if entry.facts.changed:
        raise ValueError(f"{entry.name}: it stores to its arguments; return the result instead")
    if entry.batch is None:
        raise ValueError(
            f"{entry.name}: it is not known to treat each row by itself; export a function that "
            "does, with a named first dimension of its arguments, as in ingot.spec('n,4')"
        )
    for kind, leaves in (("argument", _given(entry)), ("result", entry.results)):
        for leaf in leaves:
            if batch_axis(leaf, entry.batch) != 0:
                raise ValueError(
                    f"{entry.name}: its {kind} {leaf.name} has no row for each of the batch; "
                    f"export it with {entry.batch} as the first dimension of all of them, and "
                    "with what is the same for all rows as a constant, as in functools.partial"
                )


def _given(entry: EntryPoint) -> list[Leaf]:
    """The arguments that the artifact does not fix."""
    return [leaf for leaf in entry.arguments if leaf.kind != "static"]


def _with_fixed(entry: EntryPoint, arrays: Iterable[np.ndarray]) -> list[Any]:
    """A value for each argument: fixed ones are what the artifact says."""
    rest = iter(arrays)
    return [leaf.value if leaf.kind == "static" else next(rest) for leaf in entry.arguments]
