"""A compiled program and how Python values go in and come out of it."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ingot_runtime import pjrt
from ingot_runtime.errors import UnsupportedError
from ingot_runtime.trees import unflatten


@dataclass(frozen=True)
class Captured:
    """An array that the program takes from outside of its arguments.

    Attributes:
        array: a NumPy array, or the device buffer of one that never changes.
        name: by which the source reads it.
    """

    array: Any
    name: str = ""


@dataclass(frozen=True)
class Check:
    """A run-time check: the exception that it raises, and where.

    Attributes:
        exception: the name of a class of Python's or NumPy's.
        filename, line, column: the position in the source; lines and columns count from 1.
        excerpt: the source line with the place underlined, on lines of their own, or "".
    """

    exception: str
    message: str
    filename: str
    line: int
    column: int
    excerpt: str

    def failure(self) -> Exception:
        """What the source would raise; it has this as its attribute `check`."""
        where = f"{self.filename}:{self.line}:{self.column}{self.excerpt}"
        made: Any = _exception(self.exception)(f"{self.message}\n  at {where}")
        made.check = self
        return made


@dataclass
class Signature:
    """How the values that cross the boundary of a compiled function are found and put.

    Attributes:
        inputs: for each executable input, the argument leaf, or what is `Captured`.
        result: the structure of the result; its leaves are in `leaves`.
        leaves: for each: ("out", output, weak type, is array), ("arg", input) or ("static", value).
        mutated: (input, output) of the arrays that the function stores to.
        outputs: the shape and dtype of each executable output but the status.
        origins: the parameter that each input came with, as errors name it, or "".
        prints: the function prints.
    """

    inputs: list[Any] = field(default_factory=list)
    result: Any = None
    leaves: list[tuple] = field(default_factory=list)
    mutated: list[tuple[int, int]] = field(default_factory=list)
    outputs: list[tuple[tuple[int, ...], np.dtype]] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    prints: bool = False


class Program:
    """An executable for one signature; call it with the leaves' values.

    Args:
        checks: what each number of the executable's status stands for; none if it has no status.
        precise: makes the same program with each check where the source has it, or None if this
            is that program.
    """

    def __init__(
        self,
        signature: Signature,
        executable: pjrt.Executable,
        checks: list[Check],
        precise: Callable[[], Program] | None = None,
    ) -> None:
        self.signature = signature
        # Replaced as one, for the threads that are about to run.
        self._variant = executable, checks, precise
        self._precise: Program | None = None
        self._written = [i for i, _ in signature.mutated]

    def call_leaves(self, leaves: list[Any], as_device_arrays: bool = False) -> Any:
        """Run on the argument leaves and give the result tree.

        Raises:
            Exception: what the source would raise, where a run-time check fails.
        """
        results = iter(self.results(leaves, as_device_arrays))
        return unflatten(self.signature.result, lambda: next(results))

    def results(self, leaves: list[Any], as_device_arrays: bool = False) -> list[Any]:
        """The same as the leaves of the result tree."""
        try:
            return self._results(leaves, as_device_arrays)
        except Exception:
            cause = self._variant[0].raised()
            if cause is None:
                raise
        raise cause

    def _results(self, leaves: list[Any], as_device_arrays: bool) -> list[Any]:
        inputs = [
            source.array if isinstance(source, Captured) else leaves[source]
            for source in self.signature.inputs
        ]
        if self._written:
            self._check_written(inputs)
        outputs = self._run(inputs, as_device_arrays)

        def to_numpy(output: int) -> np.ndarray:
            return pjrt.to_numpy(outputs[output], *self.signature.outputs[output])

        for i, output in self.signature.mutated:
            np.copyto(inputs[i], to_numpy(output))

        def taken(kind: str, value: Any, weak: type | None = None, is_array: bool = True) -> Any:
            if kind == "static":
                return value
            if kind == "arg":
                return inputs[value]
            if as_device_arrays:
                return pjrt.to_jax(outputs[value])
            array = to_numpy(value)
            if is_array:
                return array
            return array.item() if weak else array[()]

        return [taken(*leaf) for leaf in self.signature.leaves]

    def rehearse(self, leaves: list[Any]) -> None:
        """Run once for the executable's own sake: the first time takes longer."""
        inputs = [s.array if isinstance(s, Captured) else leaves[s] for s in self.signature.inputs]
        self._variant[0].run(inputs)

    def _run(self, inputs: list[Any], for_jax: bool) -> list[Any]:
        """The outputs, if all checks hold; else the source's exception is raised.

        A check that fails early may stand for another one, or for none that the source comes
        to: the precise program decides.
        """
        executable, checks, make_precise = self._variant
        outputs = executable.run(inputs, for_jax)
        status = int(pjrt.to_numpy(outputs[-1], (), np.dtype(np.int32))) if checks else 0
        if status == 0:
            return outputs
        if make_precise:
            if self._precise is None:
                self._precise = make_precise()
            outputs = self._precise._run(inputs, for_jax)
            # It was a false alarm, and would be again.
            self._variant = self._precise._variant
            return outputs
        raise checks[status - 1].failure()

    def _check_written(self, inputs: list[Any]) -> None:
        """Mutation that can't be written back, or whose effect depends on overlaps."""
        for i in self._written:
            array = inputs[i]
            if not isinstance(array, np.ndarray):
                raise UnsupportedError(
                    "the function stores to an argument that is a jax.Array, which can't change",
                    hint="pass a NumPy array, or copy the argument first: a = a.copy()",
                    page="jax-array",
                )
            if not array.flags.writeable:
                raise ValueError("assignment destination is read-only")
            for j, other in enumerate(inputs):
                is_other = j != i and isinstance(other, np.ndarray)
                if is_other and np.may_share_memory(array, other):
                    raise UnsupportedError(
                        f"the function stores to {self._origin(i)}, which shares memory with "
                        f"{self._origin(j)}",
                        hint="pass a copy of one of them",
                        page="overlap",
                    )

    def _origin(self, number: int) -> str:
        """An input as an error names it: its parameter, and where that is."""
        return self.signature.origins[number] or "an array from outside of its arguments"


def _exception(name: str) -> type[Exception]:
    """An exception of Python's or NumPy's by its name."""
    found = getattr(builtins, name, None) or getattr(np.linalg, name, RuntimeError)
    return found if isinstance(found, type) and issubclass(found, Exception) else RuntimeError
