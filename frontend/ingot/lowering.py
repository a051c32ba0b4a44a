"""From a function and example arguments to IR, StableHLO and an executable."""

from __future__ import annotations

import contextlib
import re
import types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingot import pipeline
from ingot._core import Diagnostic, Module
from ingot.compiled import Compiled
from ingot.diagnostics import Position, error_at
from ingot.specs import is_traced, strides_of
from ingot.syntax.boundary import Boundary
from ingot.syntax.branches import Raised
from ingot.syntax.evaluator import Evaluator
from ingot.syntax.guards import Reads
from ingot.syntax.places import Place
from ingot_runtime import clients, pjrt, stablehlo
from ingot_runtime.errors import CompileError, ShapeError
from ingot_runtime.program import Check, Signature
from ingot_runtime.spares import Donations

if TYPE_CHECKING:
    from ingot.calls import Call


def trace(
    function: types.FunctionType,
    structure: Any,
    leaves: list[Any],
    static: frozenset[int],
    options: pipeline.Options,
    varying: frozenset[Place] = frozenset(),
) -> Lowered:
    """Evaluate the function, or a derivative, on abstract arguments.

    Args:
        varying: the places outside of the arguments whose numbers become inputs.

    Raises:
        NeedsStatic: with the index of a leaf that must become static, or such a place.
    """

    def evaluator() -> Evaluator:
        made = Evaluator(function.__name__.strip("<>"), checks=options.checks)
        made.reads = Reads(varying)
        return made

    first = evaluator()
    try:
        return _evaluated(first, function, structure, leaves, static, options)
    except CompileError as error:
        refusal = error
    if isinstance(refusal, ShapeError) and first.has_windows:
        # Lengths that differ where slices lie inside may be equal where an end cuts them.
        with contextlib.suppress(CompileError):
            cut = evaluator()
            cut.opens_windows = True
            return _evaluated(cut, function, structure, leaves, static, options)
    if first.lists.wanted:
        open_ = evaluator()
        open_.lists.are_open = True
        try:
            return _evaluated(open_, function, structure, leaves, static, options)
        except CompileError as error:
            refusal = error
    if not first.has_open_slices:
        raise refusal
    # What does not take slices of unknown length may take those of unrolled loops.
    second = evaluator()
    second.opens_slices = False
    try:
        return _evaluated(second, function, structure, leaves, static, options)
    except CompileError as error:
        raise (refusal if error.page == "slice-length" else error) from None


def _evaluated(
    evaluator: Evaluator,
    function: types.FunctionType,
    structure: Any,
    leaves: list[Any],
    static: frozenset[int],
    options: pipeline.Options,
) -> Lowered:

    def is_static(index: int) -> bool:
        if is_traced(leaves[index]):
            return index in static
        evaluator.reads.everything(leaves[index])
        return True

    boundary = Boundary(evaluator, leaves, is_static, strides_of)
    evaluator.on_capture = boundary.capture
    args, kwargs = boundary.arguments(structure)
    try:
        result = evaluator.run(function, args, kwargs)
    except Raised:
        # It raises on every call: a check that fails is all that there is.
        result = None
    module = evaluator.ops.builder.finish(evaluator.guarded(lambda: boundary.finish(result)))
    # The closure would keep the evaluator, and the AST, until a garbage collection.
    del evaluator.on_capture
    return Lowered(
        module, boundary.signature, evaluator.reads, frozenset(evaluator.functions), options,
        has_transformations=evaluator.has_transformations, calls_back=evaluator.calls_back,
    )  # fmt: skip


def _check(exception: str, message: str, at: Position) -> Check:
    return Check(exception, message, at.filename, at.line, at.column, at.underlined())


@dataclass(frozen=True)
class _Stablehlo:
    """A program as StableHLO, the modules that its primitives have, and its run-time checks."""

    module: Module
    parts: dict[str, str]
    checks: list[Check]

    def text(self) -> str:
        text = self.module.text()
        return stablehlo.linked(text, self.parts) if self.parts else text


class Lowered:
    """A function lowered for one signature; what `f.lower(*args)` gives."""

    def __init__(
        self,
        module: Module,
        signature: Signature,
        reads: Reads,
        functions: frozenset[types.CodeType],
        options: pipeline.Options,
        *,
        is_precise: bool = False,
        has_transformations: bool = False,
        calls_back: bool = False,
    ) -> None:
        self.module = module
        self.has_transformations = has_transformations
        self.options = options
        #: It calls functions of this process.
        self.calls_back = calls_back
        #: Those of the user's that are part of the program.
        self.functions = functions
        # What a program prints can't be taken back, so it runs once.
        self.is_precise = is_precise or signature.prints
        self.signature = signature
        #: What it depends on besides its arguments.
        self.reads = reads
        #: The module without transformations, once these have been expanded.
        self._expanded = None if has_transformations else module
        #: As StableHLO, what calls libraries and what does not.
        self._lowered: dict[bool, _Stablehlo] = {}
        #: What it was lowered for, if the user asked for it.
        self.call: Call | None = None
        #: The inputs whose memory results may take.
        self.donated: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"Lowered({self.call or self.signature.outputs})"

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
        """Each pass of the pipeline, by name, and the IR after it."""
        expand = "ingot-expand," if self.has_transformations else ""
        return _run(self._with_rules(self.module), expand + self._pipeline(), snapshots=True)

    def _pipeline(self, calls_libraries: bool = False) -> str:
        return self.options.pipeline(is_precise=self.is_precise, calls_libraries=calls_libraries)

    def _with_rules(self, module: Module) -> Module:
        """A copy of a module, with the user's rules in it."""
        module = module.clone()
        if self.options.additions.rules:
            module.add("\n".join(self.options.additions.rules))
        return module

    def _expand(self, options: str = "") -> Module:
        """The module without transformations, which are expanded once."""
        if self._expanded is None:
            module = self.module.clone()
            _run(module, f"ingot-expand{{{options}}}")
            self._expanded = module
        return self._expanded

    def has_known_counts(self) -> bool:
        """Whether derivatives backwards can keep what they need of all iterations of each `for`."""
        try:
            self._expand("counts-known")
        except CompileError:
            return False
        return True

    def treats_apart(self, batch: int, others: list[int]) -> bool:
        """Whether the axes of extent `batch` count items that are treated each by itself.

        Args:
            others: the extents that follow from it.
        """
        options = f"batch={batch}" + (f" open={','.join(map(str, others))}" if others else "")
        try:
            self._expand().clone().run(f"ingot-check-batch{{{options}}}")
        except Diagnostic:
            return False
        return True

    def precise(self) -> Lowered:
        """The same with each run-time check where the source has it."""
        made = Lowered(
            self.module, self.signature, self.reads, self.functions, self.options,
            is_precise=True, has_transformations=self.has_transformations,
            calls_back=self.calls_back,
        )  # fmt: skip
        made._expanded = self._expanded
        return made

    def _lower(self, calls_libraries: bool = False) -> _Stablehlo:
        found = self._lowered.get(calls_libraries)
        if found is None:
            module = self._with_rules(self._expand())
            _run(module, self._pipeline(calls_libraries))
            checks = [
                _check(kind, message, Position(*place)) for kind, message, *place in module.checks
            ]
            found = _Stablehlo(module, module.take_stablehlo(), checks)
            module.make_entry()
            self._lowered[calls_libraries] = found
        return found

    def stablehlo(self, *, as_module: bool = False) -> Any:
        """StableHLO as text, or as a `jaxlib.mlir.ir.Module`."""
        text = self._lower().text()
        return stablehlo.parse(text) if as_module else text

    @property
    def checks(self) -> list[Check]:
        made = next(iter(self._lowered.values()), None) or self._lower()
        return made.checks

    def memory(self) -> pjrt.Memory:
        """The bytes that a call takes, on the default device; compiles for that."""
        return self.compile().memory()

    def cost(self) -> pjrt.Cost:
        """What XLA takes a call to cost, on the default device; compiles for that."""
        return self.compile().cost()

    def compile(self, device: Any = None) -> Compiled:
        """Compile for a device of `ingot.devices()`; if None, for the function's or the first."""
        name = self.options.device
        device = device or (clients.device_named(name) if name else clients.default_device())
        made = self._lower(calls_libraries=device.platform == "cpu")
        executable = pjrt.compile_stablehlo(made.text(), device, self._donations(made.checks))
        precise = None if self.is_precise else lambda: self.precise().compile(device)
        guards = self.reads.guards()
        return Compiled(
            self.signature, executable, made.checks, guards, precise, self.call,
            lambda: pjrt.cost_as_written(self.stablehlo()),
        )  # fmt: skip

    def _donations(self, checks: list[Check]) -> Donations:
        """None of a program that may fail or talks to Python: its arguments are needed then."""
        if checks or self.calls_back or self.signature.prints:
            return Donations()
        stored = dict(self.signature.mutated)
        inputs = tuple(i for i in self.donated if i not in stored)
        outputs = range(len(self.signature.outputs))
        return Donations(inputs, tuple(i for i in outputs if i not in stored.values()))


def _run(module: Module, pipeline: str, snapshots: bool = False) -> list[tuple[str, str]]:
    """Run the pipeline; what a pass reports arrives as a CompileError at the user's line."""
    try:
        return module.run(pipeline, snapshots=snapshots)
    except Diagnostic as error:
        message, *place = error.args
        position = Position(*place) if place[1] else None
        hint = ""
        if message.startswith("the rewrite rule"):
            hint = "take one of these rules back by its remove(), or give it a condition by when="
        if message == "`call_stablehlo` has no derivative":
            names = set(re.findall(r'ingot\.call_stablehlo "([^"]*)"', module.text()))
            called = f"`{names.pop()}`" if len(names) == 1 else "a primitive of StableHLO"
            message, hint = f"{called} has no derivative", "set one with its defjvp or defvjp"
        raise error_at(CompileError, message, position, hint) from None
