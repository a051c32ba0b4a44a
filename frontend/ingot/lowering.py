"""From a function and example arguments to IR, StableHLO and an executable."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot import pipeline
from ingot._core import Diagnostic, Module
from ingot.diagnostics import Position, error_at
from ingot.dtypes import CODES, DTYPES, OF_PYTHON
from ingot.syntax import masked
from ingot.syntax.calls import Global
from ingot.syntax.evaluator import Evaluator
from ingot.syntax.masked import Masked
from ingot.syntax.ops import fresh
from ingot.syntax.state import position_of
from ingot.syntax.values import (
    STATIC_NUMBERS,
    Array,
    LocalFunction,
    Method,
    Range,
    Scalar,
    Storage,
    is_runtime,
)
from ingot_runtime import pjrt
from ingot_runtime.errors import CompileError, DTypeError, UnsupportedError
from ingot_runtime.program import Captured, Check, Program, Signature
from ingot_runtime.trees import flatten, unflatten


@dataclass(frozen=True)
class Abstract:
    """An array argument of which only the shape and dtype are known."""

    shape: tuple[int, ...]
    dtype: np.dtype


def trace(
    function: types.FunctionType,
    structure: Any,
    leaves: list[Any],
    static: frozenset[int],
    checks: bool,
) -> Lowered:
    """Evaluate the function, or a derivative, on abstract arguments.

    Raises:
        NeedsStatic: with the index of a leaf that must become static.
    """
    evaluator = Evaluator(function.__name__.strip("<>"), checks=checks)
    signature = Signature()
    inputs: list[Storage] = []

    def add_input(shape: tuple[int, ...], dtype: np.dtype, source: Any) -> Array:
        dtype = dtype.newbyteorder("=")
        if dtype not in CODES:
            raise DTypeError(f"dtype {dtype} is not supported", hint="convert with .astype")
        array = fresh(evaluator.ops.builder.add_argument((list(shape), CODES[dtype])))
        array.storage.argument = len(signature.inputs)
        signature.inputs.append(source)
        inputs.append(array.storage)
        return array

    def leaf(index: int) -> Any:
        value = leaves[index]
        if index in static or not is_traced(value):
            return value
        if isinstance(value, STATIC_NUMBERS):
            dtype = OF_PYTHON.get(type(value)) or np.asarray(value).dtype
            weak = type(value) if type(value) in OF_PYTHON else None
            scalar = Scalar(add_input((), dtype, index).storage.value, dtype, weak)
            scalar.parameter = index
            return scalar
        return add_input(tuple(value.shape), np.dtype(value.dtype), index)

    def captured(array: np.ndarray, name: str) -> Array:
        return add_input(array.shape, array.dtype, Captured(array, name))

    evaluator.on_capture = captured
    counter = iter(range(len(leaves)))
    args, kwargs = unflatten(structure, lambda: leaf(next(counter)))
    initial: dict[int, Any] = {s.number: s.value for s in inputs}
    result = evaluator.run(function, args, kwargs)

    outputs: list[Any] = []
    values: list[Any] = []
    signature.result = flatten(result, values)
    for value in values:
        signature.leaves.append(_output(evaluator, value, outputs))
    for i, storage in enumerate(inputs):
        before = initial.get(storage.number)
        if before is None or storage.value != before:
            is_captured = before is None
            if is_captured and _is_untouched(evaluator, storage):
                continue
            signature.mutated.append((i, len(outputs)))
            outputs.append(storage.value)
    signature.outputs = [(value.shape, DTYPES[value.dtype]) for value in outputs]
    signature.prints = evaluator.prints
    signature.origins = [_origin(storage.origin) for storage in inputs]
    module = evaluator.ops.builder.finish(outputs)
    # The closure would keep the evaluator, and the AST, until a garbage collection.
    del evaluator.on_capture
    return Lowered(
        module, signature, list(evaluator.globals_read.values()), frozenset(evaluator.functions),
        has_transformations=evaluator.has_transformations, calls_back=evaluator.calls_back,
    )  # fmt: skip


def _origin(place: Any) -> str:
    """The parameter that an input came with, as errors name it."""
    return f"`{place[1].arg}` ({position_of(place)})" if place else ""


def _check(exception: str, message: str, at: Position) -> Check:
    return Check(exception, message, at.filename, at.line, at.column, at.underlined())


def _is_untouched(evaluator: Evaluator, storage: Storage) -> bool:
    return storage not in evaluator.regions[0].written


def _output(evaluator: Evaluator, value: Any, outputs: list[Any]) -> tuple:
    value = evaluator.at_run_time(value)
    if isinstance(value, Array) and value.storage.argument is not None and not value.views:
        return ("arg", value.storage.argument)
    if is_runtime(value):
        outputs.append(evaluator.read(value))
        weak = value.weak if isinstance(value, Scalar) else None
        return ("out", len(outputs) - 1, weak, isinstance(value, Array))
    if isinstance(value, Masked):
        masked.refuse(evaluator)
    if isinstance(value, (LocalFunction, Method, Range)):
        raise UnsupportedError(
            f"a {type(value).__name__} can't be returned", hint="return arrays and numbers"
        )
    return ("static", value)


def is_traced(value: Any) -> bool:
    """Whether an argument leaf is known only at run time."""
    return isinstance(value, (np.ndarray, Abstract, *STATIC_NUMBERS)) or pjrt.is_device_array(value)


class Lowered:
    """A function lowered for one signature; what `f.lower(*args)` gives."""

    def __init__(
        self,
        module: Module,
        signature: Signature,
        globals_read: list[Global],
        functions: frozenset[types.CodeType],
        *,
        is_precise: bool = False,
        has_transformations: bool = False,
        calls_back: bool = False,
    ) -> None:
        self.module = module
        self.has_transformations = has_transformations
        self.additions = pipeline.additions()
        #: It calls functions of this process.
        self.calls_back = calls_back
        #: Those of the user's that are part of the program.
        self.functions = functions
        # What a program prints can't be taken back, so it runs once.
        self.is_precise = is_precise or signature.prints
        self.signature = signature
        self.globals_read = globals_read
        self._stablehlo: Module | None = None

    def ir(self, *, after: str | None = None, locations: bool = False) -> str:
        """The IR as the frontend made it, or as it is after the pass of that name."""
        if after is None:
            return self.module.text(locations=locations)
        for name, text in self.passes():
            if name == after:
                return text
        names = ", ".join(name for name, _ in self.passes())
        raise ValueError(f"no pass {after!r} in the pipeline; there are {names}")

    def passes(self) -> list[tuple[str, str]]:
        """Each pass of the pipeline and the IR after it."""
        return _run(self._with_rules(), self._pipeline, snapshots=True)

    @property
    def _pipeline(self) -> str:
        return self.additions.pipeline(
            is_precise=self.is_precise, has_transformations=self.has_transformations
        )

    def _with_rules(self) -> Module:
        """A copy of the module, with the user's rules in it."""
        module = self.module.clone()
        if self.additions.rules:
            module.add("\n".join(self.additions.rules))
        return module

    def has_known_counts(self) -> bool:
        """Whether derivatives backwards can keep what they need of all iterations of each `for`."""
        try:
            counting = "expand-transformations{counts-known=true}"
            expansion = pipeline.EXPANSION.replace("expand-transformations", counting)
            self.module.clone().run(expansion)
        except Diagnostic:
            return False
        return True

    def treats_apart(self, batch: int, others: list[int]) -> bool:
        """Whether the axes of extent `batch` count items that are treated each by itself.

        Args:
            others: the extents that follow from it.
        """
        options = f"batch={batch}" + (f" open={','.join(map(str, others))}" if others else "")
        try:
            expansion = f"{pipeline.EXPANSION}," if self.has_transformations else ""
            self.module.clone().run(
                f"{expansion}canonicalize,cse,func.func(check-batch{{{options}}})"
            )
        except Diagnostic:
            return False
        return True

    def precise(self) -> Lowered:
        """The same with each run-time check where the source has it."""
        return Lowered(
            self.module, self.signature, self.globals_read, self.functions, is_precise=True,
            has_transformations=self.has_transformations, calls_back=self.calls_back,
        )  # fmt: skip

    def _lower(self) -> Module:
        if self._stablehlo is None:
            self._stablehlo = self._with_rules()
            _run(self._stablehlo, self._pipeline)
            self._checks = [
                _check(kind, message, Position(*place))
                for kind, message, *place in self._stablehlo.checks
            ]
            self._parts = self._stablehlo.take_stablehlo()
            self._stablehlo.make_entry()
        return self._stablehlo

    def stablehlo(self, *, as_module: bool = False) -> Any:
        """StableHLO as text, or as a `jaxlib.mlir.ir.Module`."""
        text = self._lower().text()
        if self._parts:
            text = pjrt.linked(text, self._parts)
        return pjrt.parse_stablehlo(text) if as_module else text

    @property
    def checks(self) -> list[Check]:
        self._lower()
        return self._checks

    def memory(self) -> pjrt.Memory:
        """The bytes that a call takes, on the default device; compiles for that."""
        return self.compile().memory()

    def compile(self, device: Any = None) -> Compiled:
        """Compile for a device, the default one if None."""
        device = device or pjrt.default_device()
        executable = pjrt.compile_stablehlo(self.stablehlo(), device)
        precise = None if self.is_precise else lambda: self.precise().compile(device)
        return Compiled(self.signature, executable, self.checks, self.globals_read, precise)


def _run(module: Module, pipeline: str, snapshots: bool = False) -> list[tuple[str, str]]:
    """Run the pipeline; what a pass reports arrives as a CompileError at the user's line."""
    try:
        return module.run(pipeline, snapshots=snapshots)
    except Diagnostic as error:
        message, *place = error.args
        position = Position(*place) if place[1] else None
        raise error_at(CompileError, message, position) from None


class Compiled(Program):
    """An executable for one signature; what `Lowered.compile` gives."""

    def __init__(
        self,
        signature: Signature,
        executable: pjrt.Executable,
        checks: list[Check],
        globals_read: list[Global],
        precise: Callable[[], Program] | None,
    ) -> None:
        super().__init__(signature, executable, checks, precise)
        self.executable = executable
        self.globals_read = globals_read

    def memory(self) -> pjrt.Memory:
        """The bytes that a call takes: arguments, results, and what is kept in between."""
        return self.executable.memory()
