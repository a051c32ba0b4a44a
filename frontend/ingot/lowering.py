"""From a function and example arguments to IR, StableHLO and an executable."""

from __future__ import annotations

import contextlib
import dataclasses
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingot import kernels, pipeline, placement
from ingot._core import Diagnostic, Module
from ingot.checks import POWERS_OF_ONE_TYPE, SLICES_INSIDE
from ingot.compiled import Compiled
from ingot.diagnostics import Position, error_at
from ingot.dtypes import DTYPES
from ingot.specs import is_traced, strides_of
from ingot.syntax.boundary import Boundary
from ingot.syntax.branches import Raised
from ingot.syntax.evaluator import OF_TWO_KINDS, Evaluator
from ingot.syntax.guards import Reads
from ingot.syntax.joins import Openness
from ingot.syntax.places import Place
from ingot.syntax.state import Exhausted, held_weakly
from ingot.syntax.values import NeedsStatic
from ingot_runtime import clients, pjrt, spmd, stablehlo
from ingot_runtime.errors import CompileError, ShapeError
from ingot_runtime.kernels import KernelExecutable, register
from ingot_runtime.linking import UNORDERED
from ingot_runtime.manifest import KernelCall
from ingot_runtime.program import Check, Executable, Signature
from ingot_runtime.spares import Donations
from ingot_runtime.spmd import Output
from ingot_runtime.thrown import Thrown

if TYPE_CHECKING:
    from ingot.calls import Call
    from ingot_runtime.meshes import Mesh


def trace(
    function: types.FunctionType,
    structure: Any,
    leaves: list[Any],
    static: frozenset[int],
    options: pipeline.Options,
    varying: frozenset[Place] = frozenset(),
) -> Lowered:
    """Evaluate the function, or a transformed one, on abstract arguments.

    Args:
        varying: where numbers that the function reads besides its arguments lie, which become
            inputs of the program.

    Raises:
        NeedsStatic: with the leaf index of an argument, or one of `varying`, that must be static.
    """

    suggested: list[Any] = []
    shapes, structures = Openness(), Openness()

    def evaluator() -> Evaluator:
        made = Evaluator(function.__name__.strip("<>"), checks=options.checks)
        made.mesh = None if options.placement is None else options.placement.mesh
        made.reads = Reads(varying)
        made.opens_windows = SLICES_INSIDE.name in options.dropped
        made.opens_powers = POWERS_OF_ONE_TYPE.name in options.dropped
        made.suggested, made.shapes, made.structures = suggested, shapes, structures
        return made

    def evaluate(made: Evaluator) -> Lowered:
        lowered = _evaluated(made, function, structure, leaves, static, options)
        has_effects = lowered.signature.prints or lowered.calls_back
        if not (has_effects and made.ops.assumed):
            return lowered
        # A call that has printed can't be made again where what it takes for granted fails.
        careful = evaluator()
        careful.lists, careful.opens_slices = made.lists, made.opens_slices
        careful.opens_windows |= SLICES_INSIDE in made.ops.assumed
        careful.opens_powers |= POWERS_OF_ONE_TYPE in made.ops.assumed
        careful.specialises_powers = False
        with contextlib.suppress(CompileError, NeedsStatic):
            return _evaluated(careful, function, structure, leaves, static, options)
        return lowered

    def is_helped_by(counts: list[int]) -> bool:
        """Whether the function compiles with these arguments static, or needs to know more."""
        known = static | set(counts)
        try:
            _evaluated(evaluator(), function, structure, leaves, known, options)
        except (CompileError, Exhausted):
            return False
        except NeedsStatic:
            pass
        return True

    try:
        return _evaluated_somehow(evaluator, evaluate)
    except CompileError as error:
        # A number that is an int on one path and a float on another is no loop's.
        is_structure = error.hint != OF_TWO_KINDS
        counts = _counts(leaves, static) if is_structure and not suggested else []
        if error.page == "known-at-compile-time":
            suggested = suggested or counts
        elif is_structure and not suggested and error.page in _PAGES_OF_LOOPS:
            # An arm that the arguments do not take may be refused, too.
            ways = counts, _flags(leaves, static) + counts
            found: list[Any] = next((each for each in ways if each and is_helped_by(each)), [])
            suggested = found or suggested
        for resort in (structures, shapes):
            if resort.wanted and not suggested:
                resort.are_open = True
                with contextlib.suppress(CompileError, Exhausted):
                    return _evaluated_somehow(evaluator, evaluate)
                resort.are_open = False
        if not suggested:
            raise
    except Exhausted as exhausted:
        raise exhausted.error from None
    raise NeedsStatic(suggested[0])


#: The pages of what may be refused in a loop, and compile where its number of iterations is known.
_PAGES_OF_LOOPS = ("types-on-paths", "changed-container", "alias", "recursion")
#: With more integers among the arguments, the program is not specialised on all of them.
_MOST_COUNTS = 8


def _counts(leaves: list[Any], static: frozenset[int]) -> list[int]:
    """The arguments that may be sizes, though it is not known which: all integers, if few."""
    found = [i for i, leaf in enumerate(leaves) if type(leaf) is int and i not in static]
    return found if len(found) <= _MOST_COUNTS else []


def _flags(leaves: list[Any], static: frozenset[int]) -> list[int]:
    """The arguments that are bools."""
    return [i for i, leaf in enumerate(leaves) if type(leaf) is bool and i not in static]


def _evaluated_somehow(
    evaluator: Callable[[], Evaluator], evaluate: Callable[[Evaluator], Lowered]
) -> Lowered:
    """Evaluate a function, again in other ways where one is refused."""
    first = made = evaluator()
    has_cuts = wants_cuts = opens_lists = wants_lists = False
    while True:
        try:
            return evaluate(made)
        except CompileError as error:
            refusal = error
        wants_cuts |= isinstance(refusal, ShapeError) and made.has_windows
        wants_lists |= made.lists.wanted
        if wants_cuts and not has_cuts:
            # Retry with slices that may be cut at an end of the array: lengths that differ for
            # slices inside of it may be equal then.
            # If it is refused so, NumPy need not raise.
            has_cuts = True
        elif wants_lists and not opens_lists:
            opens_lists = True
        else:
            break
        made = evaluator()
        made.opens_windows |= has_cuts
        made.lists.are_open = opens_lists
    if not first.has_open_slices:
        raise refusal
    # Retry with loops unrolled: slices have static lengths there.
    second = evaluator()
    second.opens_slices = False
    second.opens_windows |= has_cuts
    try:
        return evaluate(second)
    except CompileError as error:
        # Where slices are taken to be inside, it is not known whether NumPy raises.
        may_be_cut = second.has_windows and not second.opens_windows
        is_vague = error.page == "slice-length" or (isinstance(error, ShapeError) and may_be_cut)
        raise (refusal if is_vague else error) from None


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

    placed = options.placement
    is_packed = placement.keeps_results(placed, leaves)
    boundary = Boundary(
        evaluator, leaves, is_static, strides_of, is_packed=is_packed, one_form=options.one_form
    )
    evaluator.on_capture = held_weakly(boundary.capture)
    args, kwargs = boundary.arguments(structure)
    try:
        result = evaluator.run(function, args, kwargs)
    except Raised:
        # The function raises on every call: the program is a check that always fails.
        result = None
    module = evaluator.ops.builder.finish(evaluator.guarded(lambda: boundary.finish(result)))
    module.set_lengths(boundary.lengths())
    places: tuple[Output, ...] = ()
    if placed is not None:
        inputs = placement.inputs_of(function, placed, structure, leaves, boundary.signature)
        places = placement.outputs_of(placed, leaves, boundary.signature)
        texts = placement.output_texts(places)
        module.set_shardings(placement.mesh_text(placed.mesh), inputs, texts)
    return Lowered(
        module, boundary.signature, evaluator.reads, frozenset(evaluator.functions), options,
        has_transformations=evaluator.has_transformations, calls_back=evaluator.calls_back,
        places=places, raised=evaluator.ops.raised,
    )  # fmt: skip


def _check(
    exception: str, message: str, at: Position, facts: dict[str, Any], raised: Sequence[Thrown]
) -> Check:
    number = facts.get("ingot.check", 0)
    return Check(
        exception, message, at.filename, at.line, at.column, at.underlined(),
        facts.get("ingot.assumption", ""), number, raised[number - 1] if number else None,
    )  # fmt: skip


def _kernel_call(kernel: str, inputs: Any, outputs: Any, *facts: Any) -> KernelCall:
    given, made = ([(DTYPES[code], tuple(s)) for s, code in each] for each in (inputs, outputs))
    return KernelCall(kernel, given, made, *facts)


def _parts(found: dict[str, Any]) -> dict[str, str]:
    """The modules of a program's primitives; those of functions in JAX are made now."""
    return {name: each if isinstance(each, str) else _traced(*each) for name, each in found.items()}


def _traced(source: int, *place: Any) -> str:
    from ingot.jax_functions import SOURCES, first_line

    try:
        return SOURCES[source].text
    except Exception as error:
        position = Position(*place) if place[1] else None
        hint = "give it a rule in JAX: jax.custom_jvp or jax.custom_vjp"
        message = f"JAX can't trace a function of from_jax: {first_line(error)}"
        raise error_at(CompileError, message, position, hint) from None


@dataclass(frozen=True)
class _Stablehlo:
    """A program in StableHLO, the modules of its primitives, its native kernels and its run-time
    checks."""

    module: Module
    parts: dict[str, str]
    kernels: dict[str, str]
    #: How it calls its kernel, if it does nothing else.
    call: KernelCall | None
    checks: list[Check]

    def text(self) -> str:
        text = self.module.text()
        return stablehlo.linked(text, self.parts) if self.parts else text


class Lowered:
    """A function lowered to IR for one signature; `f.lower(*args)` returns it.

    Example:
        >>> @ingot.jit
        ... def double(x):
        ...     return x + x
        >>> lowered = double.lower(ingot.spec("4"))
        >>> "ingot.add" in lowered.ir(), "stablehlo.add" in lowered.stablehlo()
        (True, True)
        >>> lowered.compile()(np.ones(4))
        array([2., 2., 2., 2.])
    """

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
        places: tuple[Output, ...] = (),
        raised: Sequence[Thrown] = (),
    ) -> None:
        self.module = module
        #: The exceptions of its checks, by their numbers less 1.
        self.raised = raised
        #: Where its outputs lie, if it is for a mesh.
        self.places = places
        self.has_transformations = has_transformations
        self.options = options
        #: Whether it calls Python functions of this process.
        self.calls_back = calls_back
        #: The code of the user's functions that are part of the program.
        self.functions = functions
        # A program that fails in fast form runs again in precise form. One that prints must not,
        # so it is precise from the start.
        self.is_precise = is_precise or signature.prints
        self.signature = signature
        #: What the function reads besides its arguments.
        self.reads = reads
        #: The module after the expansion of transformations; None before, and once it is lowered.
        self._expanded = None if has_transformations else module
        #: The programs in StableHLO, by what they are for, as for `Options.pipeline`.
        self._lowered: dict[str, _Stablehlo] = {}
        #: The call that it was lowered for, if the user called `lower`.
        self.call: Call | None = None
        #: The inputs whose memory the results may reuse.
        self.donated: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"Lowered({self.call or self.signature.outputs})"

    def ir(self, *, after: str | None = None, locations: bool = False) -> str:
        """The IR in the ingot dialect, as text.

        Args:
            after: the name of a pass, for the IR after it; None for the frontend's output.
            locations: whether to print source locations, without `after`.

        Raises:
            ValueError: the pipeline has no pass of that name.
        """
        if after is None:
            return self.module.text(locations=locations)
        for name, text in self.passes():
            if name == after:
                return text
        names = ", ".join(name for name, _ in self.passes())
        raise ValueError(f"no pass {after!r} in the pipeline; there are {names}")

    def passes(self) -> list[tuple[str, str]]:
        """The pairs of each pass's name and the IR after it, in the order of the pipeline."""
        expand = "ingot-expand," if self.has_transformations else ""
        module = self._with_rules(self.module.clone())
        with _positions():
            return module.snapshots(expand + self._pipeline())

    def _pipeline(self, target: str = "") -> str:
        return self.options.pipeline(
            is_precise=self.is_precise,
            target=target,
            has_kernels=self._has_kernels(target),
        )

    def _has_kernels(self, target: str) -> bool:
        # Where a program prints, only XLA keeps the order. The process that compiles for forked
        # ones does not have their kernels.
        options = self.options
        return (
            options.native
            and target == "here"
            and not (self.is_precise or options.additions.traps_nans)
            and not clients.is_forked()
        )

    def _with_rules(self, module: Module) -> Module:
        """The module, to which the user's rewrite rules are added."""
        if self.options.additions.rules:
            module.add("\n".join(self.options.additions.rules))
        return module

    def _expand(self, options: str = "") -> Module:
        """The module with its transformations expanded; the result is kept until it is lowered."""
        if self._expanded is None:
            module = self.module.clone()
            _run(module, f"ingot-expand{{{options}}}")
            self._expanded = module
        return self._expanded

    def _to_lower(self) -> Module:
        """A module for the passes that lower, expanded and with the user's rewrite rules."""
        module = self._expand()
        if self.has_transformations:
            # Few programs are lowered twice, and a copy may be large.
            self._expanded = None
        else:
            module = module.clone()
        return self._with_rules(module)

    def has_known_counts(self) -> bool:
        """Whether reverse mode has a bound for the trip count of each `for`, to store residuals."""
        try:
            self._expand("counts-known")
        except CompileError:
            return False
        return True

    def treats_apart(self, batch: int, others: list[int]) -> bool:
        """Whether the axes of extent `batch` are batch axes: no lane depends on another one.

        Args:
            others: the extents that are computed from `batch`.
        """
        options = f"batch={batch}" + (f" open={','.join(map(str, others))}" if others else "")
        try:
            self._expand().clone().run(f"ingot-check-batch{{{options}}}")
        except Diagnostic:
            return False
        return True

    def needs_process(self) -> bool:
        """Whether the program calls Python functions of this process, also those of JAX's."""
        return self.calls_back or any(UNORDERED in part for part in self._lower().parts.values())

    def precise(self) -> Lowered:
        """The same, with run-time checks that stop the program in the order of the source."""
        return Lowered(
            self.module, self.signature, self.reads, self.functions, self.options,
            is_precise=True, has_transformations=self.has_transformations,
            calls_back=self.calls_back, places=self.places, raised=self.raised,
        )  # fmt: skip

    def _lower(self, target: str = "") -> _Stablehlo:
        found = self._lowered.get(target)
        if found is None:
            module = self._to_lower()
            _run(module, self._pipeline(target))
            checks = [
                _check(kind, message, Position(*place), facts, self.raised)
                for kind, message, *place, facts in module.checks
            ]
            call = module.kernel_call()
            found = _Stablehlo(
                module,
                _parts(module.take_stablehlo()),
                module.take_kernels(),
                call and _kernel_call(*call),
                checks,
            )
            module.make_entry()
            self._lowered[target] = found
        return found

    def stablehlo(self, *, as_module: bool = False) -> Any:
        """The program in StableHLO.

        Args:
            as_module: whether to return a `jaxlib.mlir.ir.Module` instead of text.

        Raises:
            CompileError: at the position of code that can't be lowered.
        """
        text = self._lower().text()
        return stablehlo.parse(text) if as_module else text

    def stablehlo_for(self, platforms: Sequence[str]) -> str:
        """The program in StableHLO, as text, for other programs on these platforms."""
        return self._lower("cpu" if tuple(platforms) == ("cpu",) else "").text()

    def native(self, processor: str | None = None) -> dict[str, dict[str, str]]:
        """The native kernels of the program for the CPU, as text after each step of compilation.

        Args:
            processor: the processor that the code is for, by LLVM's name, for example
                "x86-64-v3"; this machine need not have it. None for the one that programs are
                compiled for: this machine's, or the level in `INGOT_TARGET_CPU`.

        Returns:
            For each kernel, by name: "ingot", what it computes; "linalg", its loops on tensors;
            "llvm-dialect"; "llvm", optimised; and "assembly".

        Example:
            >>> lowered = ingot.jit(np.exp, native=True).lower(np.ones(2000))
            >>> (kernel,) = lowered.native().values()
            >>> "math.exp" in kernel["linalg"]
            True
        """
        texts = self._lower("here").kernels
        return kernels.explained(texts, processor)

    def remarks(self) -> list[str]:
        """What passes report: which operations are one native kernel, and why others are not.

        For a program without kernels, as on a GPU, they are about its loops: whose iterations run
        together, and why those of others do not.

        Returns:
            For each remark, its position, pass and text as "file:line:column: pass: text".

        Raises:
            CompileError: at the position of code that can't be lowered.

        Example:
            >>> lowered = ingot.jit(lambda x: np.sort(x * 2), native=True).lower(np.ones(2000))
            >>> for remark in lowered.remarks():
            ...     print(remark.split(": ", 1)[1])
            form-fusions: 1 operation becomes one kernel
            form-fusions: `ingot.sort` is left to XLA or a library
        """
        module = self._to_lower()
        with _positions():
            found = module.remarks(self._pipeline("here"))
        return [
            f"{file}:{line}:{column}: {name}: {text}" if file else f"{name}: {text}"
            for name, text, file, line, column in found
        ]

    @property
    def checks(self) -> list[Check]:
        made = next(iter(self._lowered.values()), None) or self._lower()
        return made.checks

    def memory(self) -> pjrt.Memory:
        """The memory of a call, see `Compiled.memory`; compiles for the default device."""
        return self.compile().memory()

    def cost(self) -> pjrt.Cost:
        """The cost of a call, see `Compiled.cost`; compiles for the default device."""
        return self.compile().cost()

    def compile(self, device: Any = None) -> Compiled:
        """Compile the program.

        Args:
            device: one of `ingot.devices()`; None for the function's own, or the default device.

        Returns:
            A `Compiled`.

        Raises:
            CompileError: at the position of code that can't be compiled.
        """
        if self.options.placement is not None:
            return self._compile_for_mesh(self.options.placement.mesh)
        name = self.options.device
        device = device or (clients.device_named(name) if name else None)
        platform = device.platform if device else clients.default_platform()
        target = "here" if platform == "cpu" else "accelerator"
        made = self._lower(target)
        try:
            libraries = kernels.load(made.kernels)
        except RuntimeError as error:
            # XLA compiles any program; that a kernel doesn't compile is a defect of Ingot.
            warnings.warn(f"a native kernel is left to XLA: {error}", RuntimeWarning, stacklevel=2)
            self.options = dataclasses.replace(self.options, native=False)
            self._lowered.clear()
            return self.compile(device)
        executable: Executable
        if made.call is not None and not self.donated:
            executable = KernelExecutable(made.call, libraries[0], device)
        else:
            for library in libraries:
                register(library)
            donations = self._donations(made.checks)
            device = device or clients.default_device()
            executable = pjrt.compile_stablehlo(made.text(), device, donations)
        # Kernels check where the source does.
        has_order = self.is_precise or self._has_kernels(target)
        precise = None if has_order else lambda: self.precise().compile(device)
        guards = self.reads.guards()
        return Compiled(
            self.signature, executable, made.checks, guards, precise, self.call,
            lambda: pjrt.cost_as_written(self.stablehlo()), libraries,
        )  # fmt: skip

    def _compile_for_mesh(self, mesh: Mesh) -> Compiled:
        # XLA partitions its own operations and the batches of LAPACK's.
        made = self._lower("cpu" if mesh.devices[0].platform == "cpu" else "accelerator")
        executable = spmd.compile_for(made.text(), mesh, self.places)
        precise = None if self.is_precise else lambda: self.precise().compile()
        return Compiled(
            self.signature, executable, made.checks, self.reads.guards(), precise, self.call,
            lambda: pjrt.cost_as_written(self.stablehlo()),
        )  # fmt: skip

    def _donations(self, checks: list[Check]) -> Donations:
        """The donated buffers; none if the program may fail or calls Python, which need them."""
        if checks or self.needs_process() or self.signature.prints:
            return Donations()
        stored = dict(self.signature.mutated)
        inputs = tuple(i for i in self.donated if i not in stored)
        outputs = range(len(self.signature.outputs))
        return Donations(inputs, tuple(i for i in outputs if i not in stored.values()))


def _run(module: Module, pipeline: str) -> None:
    with _positions():
        module.run(pipeline)


@contextlib.contextmanager
def _positions() -> Iterator[None]:
    """Diagnostics of passes become CompileErrors at the source position."""
    try:
        yield
    except Diagnostic as error:
        message, *place, hint = error.args
        position = Position(*place) if place[1] else None
        raise error_at(CompileError, message, position, hint) from None
