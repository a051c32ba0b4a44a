"""Programs for a mesh of devices, which XLA partitions."""

from __future__ import annotations

import collections
import contextvars
import itertools
import re
import string
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot_runtime import buffers, clients, meshes, pjrt, stablehlo
from ingot_runtime.clients import jaxlib
from ingot_runtime.effects import CALLBACKS, Effect, raised_by
from ingot_runtime.linking import LAPACK, PRINT, STRICT, calls, link
from ingot_runtime.meshes import Mesh, PartitionSpec, ShardedArray, Sharding, Tiles
from ingot_runtime.prints import with_prints

#: The collective operations of XLA in the text of a compiled program.
_COLLECTIVES = re.compile(
    r" (all-gather|all-reduce|all-to-all|collective-permute|reduce-scatter)(?:-start)?\("
)


@dataclass(frozen=True)
class Output:
    """An output of a program for a mesh.

    Attributes:
        shape, dtype: its type.
        spec: how the program divides it; None if XLA chooses.
        stays: whether it stays on the devices, as a sharded array, or becomes a NumPy array.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    spec: PartitionSpec | None = None
    stays: bool = False


#: The status of run-time checks.
STATUS = Output((), np.dtype(np.int32), PartitionSpec())


#: Held while a program runs: two that each wait for a device of the other would wait for ever.
_turn = threading.Lock()


def _take_turns() -> None:
    global _turn
    _turn = threading.Lock()


# An abandoned program may hold it for ever.
clients.WHEN_LEFT.append(_take_turns)


class MeshExecutable:
    """A compiled program for a mesh.

    Its inputs are NumPy arrays, numbers and sharded arrays. They are put where the program wants
    them, which is where XLA said: if the devices don't divide an axis evenly, XLA divides it
    otherwise than the source says.
    """

    def __init__(
        self,
        loaded: Any,
        mesh: Mesh,
        outputs: Sequence[Output],
        types: tuple[list[pjrt.Type], list[pjrt.Type]],
        callbacks: Sequence[Effect] = (),
    ) -> None:
        self.mesh, self._types, self._outputs = mesh, types, tuple(outputs)
        self._callbacks = tuple(callbacks)
        self.calls_back = bool(callbacks)
        #: Its serialised form if it was loaded from that: it would then serialise to less.
        self._code: bytes | None = None
        self._set(loaded)

    def _set(self, loaded: Any) -> None:
        self._loaded = loaded
        self._clients_left, self._is_shared = len(clients.LEFT), not self.mesh.is_local
        # XLA says nothing of a single device.
        hlo, inputs = jaxlib().HloSharding, len(self._types[0])
        given, made = (
            [hlo.from_proto(each) for each in found] if found else [hlo.replicate()] * count
            for found, count in (
                (loaded.get_parameter_shardings(), inputs),
                (loaded.get_output_shardings(), len(self._outputs)),
            )
        )
        self._given = given
        self._made = [
            Tiles.of(each, len(output.shape), self.mesh.size)
            for each, output in zip(made, self._outputs, strict=True)
        ]
        self._handlers = [
            buffers.divided_handler(o.shape, o.dtype, meshes.layout_of(self.mesh, tiles))
            for o, tiles in zip(self._outputs, self._made, strict=True)
        ]

    @property
    def device(self) -> Any:
        """The first device that it runs on."""
        return self.mesh.devices[0]

    @property
    def outputs(self) -> tuple[Output, ...]:
        """Its outputs, the status of run-time checks among them."""
        return self._outputs

    def run(self, inputs: list[Any], for_jax: bool = False) -> list[Any]:
        """Run the program on all devices.

        Returns:
            For each output a sharded array if it stays on the devices, else a NumPy array.
        """
        if self._clients_left != len(clients.LEFT):
            self._renew()
        arrays = [
            meshes.placed(value, self.mesh, Tiles.of(hlo, np.ndim(value), self.mesh.size))
            for value, hlo in zip(inputs, self._given, strict=True)
        ]
        # Imported late, as most programs run on one device.
        from ingot_runtime import distributed

        for callback in self._callbacks:
            callback.context = contextvars.copy_context()
        results = distributed.run(
            self._execute, arrays, abandoned=self._abandon, comes_back=self.calls_back,
            is_shared=self._is_shared,
        )  # fmt: skip
        return [self._result(*each) for each in enumerate(results)]

    def _renew(self) -> None:
        """Load the executable into the client that took the place of an abandoned one."""
        self._callbacks = tuple(callback.again() for callback in self._callbacks)
        self._code = self.serialize()
        self._set(_deserialized(self._code, self.mesh, self._outputs, self._callbacks))

    def _execute(self, arrays: list[Any]) -> list[Any]:
        with _turn:
            results = self._loaded.execute_sharded(arrays).consume_with_handlers(self._handlers)
            for each in results:
                each.block_until_ready()
        return list(results)

    def _abandon(self) -> None:
        """Abandon an interrupted program, which ends at its next callback."""
        for callback in self._callbacks:
            callback.stop()
        clients.leave_client(self.device.platform)

    def _result(self, number: int, array: Any) -> Any:
        output, tiles = self._outputs[number], self._made[number]
        spec = output.spec or meshes.spec_of(self.mesh, tiles, output.shape)
        made = ShardedArray(array, output.shape, output.dtype, Sharding(self.mesh, spec), tiles)
        return made if output.stays else made.collect()

    def collectives(self) -> dict[str, int]:
        """How many collective operations XLA inserted, by kind.

        Those in a loop count once, and those in branches not at all: products that are guarded
        against infinities have a branch that hardly ever runs.
        """
        text = "".join(module.to_string() for module in self._loaded.hlo_modules())
        found = collections.Counter(_COLLECTIVES.findall(_unconditional(text)))
        return dict(sorted(found.items()))

    def memory(self) -> pjrt.Memory:
        """The memory of a call on each device."""
        stats = self._loaded.get_compiled_memory_stats()
        return pjrt.Memory(
            stats.argument_size_in_bytes, stats.output_size_in_bytes, stats.temp_size_in_bytes
        )

    def cost(self) -> pjrt.Cost | None:
        """XLA's estimate for one device, or None if it can't count."""
        found = self._loaded.cost_analysis()
        flops, moved = found.get("flops", 0.0), found.get("bytes accessed", 0.0)
        return None if min(flops, moved) < 0 else pjrt.Cost(flops, moved)

    def types(self) -> tuple[list[pjrt.Type], list[pjrt.Type]]:
        """The types of the inputs and outputs."""
        return self._types

    def parts(self) -> None:
        """Its calls are never direct."""

    def raised(self) -> BaseException | None:
        """The exception that a callback has raised, or None; each is returned once."""
        return raised_by(self._callbacks)

    def serialize(self) -> bytes:
        """The executable as bytes, for `load` with the same mesh and outputs."""
        return self._code or bytes(self._loaded.serialize())


def _unconditional(text: str) -> str:
    """The computations of a module in HLO text that each call runs."""
    bodies: dict[str, str] = {}
    entry = ""
    for is_entry, name, body in re.findall(r"(?m)^(ENTRY )?%(\S+) \([^\n]*\{$(.*?)^\}", text, re.S):
        bodies[name] = body
        entry = name if is_entry else entry
    found, missing = {}, [entry]
    while missing:
        name = missing.pop()
        if name not in found:
            found[name] = bodies[name]
            missing += re.findall(r"(?:body|condition|calls|to_apply)=%([\w.-]+)", bodies[name])
    return "".join(found.values())


def options_for(mesh: Mesh, outputs: Sequence[Output]) -> Any:
    """XLA's options of compilation for a mesh: one partition for each device."""
    xla = jaxlib()
    options = xla.CompileOptions()
    build = options.executable_build_options
    for each in (options, build):
        each.num_replicas, each.num_partitions = 1, mesh.size
    build.use_spmd_partitioning = build.use_shardy_partitioner = True
    # Positions in the mesh are partitions; `create` takes the ids of their devices.
    ids = np.array([[device.id for device in mesh.devices]])
    build.device_assignment = options.device_assignment = xla.DeviceAssignment.create(ids)
    build.allow_spmd_sharding_propagation_to_output = [each.spec is None for each in outputs]
    return options


def compile_for(
    module: str | bytes,
    mesh: Mesh,
    outputs: Sequence[Output],
    inputs: Sequence[PartitionSpec] | None = None,
    functions: Sequence[Callable[..., Any]] = CALLBACKS,
) -> MeshExecutable:
    """Compile a StableHLO module with the entry `@main`.

    Args:
        module: text, or a portable artifact.
        mesh: the mesh.
        outputs: the outputs of `@main`, without the status of run-time checks.
        inputs: where the inputs lie; None if the module has a mesh, with the axes of `mesh`, and
            shardings of Shardy's.
        functions: the functions of this process that the module may call.

    Raises:
        RuntimeError: XLA does not accept the module, or this process was forked.
    """
    if clients.is_forked():
        raise RuntimeError(
            "a forked process can't compile for a mesh; start processes by "
            'multiprocessing.get_context("spawn")'
        )
    if calls(module, STRICT):
        raise RuntimeError("programs with strict_fp run on one device")
    callbacks: list[Effect] = []
    link(module)
    if calls(module, PRINT):
        parsed, callbacks = with_prints(module, mesh.devices[0].platform, functions)
        _print_once(parsed)
    else:
        parsed = stablehlo.parse(module)
    types = stablehlo.types_of(parsed)
    if inputs is not None:
        _divide(parsed, mesh, inputs)
    # The status of run-time checks comes last.
    outputs = [*outputs, STATUS][: len(types[1])]
    divide_batches(parsed)
    xla = jaxlib()
    arguments = (
        parsed, xla.DeviceList(tuple(mesh.devices)), options_for(mesh, outputs),
        callbacks,
    )  # fmt: skip
    loaded = mesh.devices[0].client.compile_and_load(*arguments)
    return MeshExecutable(loaded, mesh, outputs, types, callbacks)


def load(
    code: bytes,
    mesh: Mesh,
    outputs: Sequence[Output],
    types: tuple[list[pjrt.Type], list[pjrt.Type]],
) -> MeshExecutable:
    """Load a program that `MeshExecutable.serialize` gave, for the same devices.

    Args:
        outputs, types: those of the program, with the status of run-time checks.

    Raises:
        RuntimeError: XLA does not accept it.
    """
    made = MeshExecutable(_deserialized(code, mesh, outputs), mesh, outputs, types)
    made._code = code
    return made


def _deserialized(
    code: bytes, mesh: Mesh, outputs: Sequence[Output], callbacks: Sequence[Effect] = ()
) -> Any:
    link(code)
    devices = jaxlib().DeviceList(tuple(mesh.devices))
    options = options_for(mesh, outputs)
    client = mesh.devices[0].client
    return client.deserialize_executable(code, devices, options, list(callbacks))


def _divide(module: Any, mesh: Mesh, inputs: Sequence[PartitionSpec]) -> None:
    """Add a mesh to a module for one device, and the shardings of its inputs."""
    from jaxlib.mlir import ir

    types = stablehlo.types_of(module)[0]
    with module.context:
        axes = ", ".join(f'"{name}"={size}' for name, size in mesh.shape.items())
        _add_mesh(module, MESH, f"#sdy.mesh<[{axes}]>")
        attributes = []
        for spec, (_, shape) in zip(inputs, types, strict=True):
            entries = (", ".join(f'"{n}"' for n in entry) for entry in spec.padded(len(shape)))
            listed = ", ".join(f"{{{names}}}" for names in entries)
            sharding = ir.Attribute.parse(f'#sdy.sharding<@"{MESH}", [{listed}]>')
            attributes.append(ir.DictAttr.get({"sdy.sharding": sharding}))
        stablehlo.main_of(module).attributes["arg_attrs"] = ir.ArrayAttr.get(attributes)


def _add_mesh(module: Any, name: str, mesh: str) -> None:
    from jaxlib.mlir import ir

    with ir.InsertionPoint.at_block_begin(module.body):
        ir.Operation.create(
            "sdy.mesh", loc=ir.Location.unknown(),
            attributes={"sym_name": ir.StringAttr.get(name), "mesh": ir.Attribute.parse(mesh)},
        )  # fmt: skip


#: The symbols of the meshes that are added to modules: all devices, and the first one alone.
MESH, FIRST = "ingot.mesh", "ingot.first_device"


def _visit_calls(module: Any, prefix: str, visit: Callable[[Any, str], None]) -> None:
    """Visit the custom calls of a module whose target begins so."""
    from jaxlib.mlir import ir

    def enter(operation: Any) -> Any:
        if operation.name == "stablehlo.custom_call":
            target = ir.StringAttr(operation.attributes["call_target_name"]).value
            if target.startswith(prefix):
                visit(operation, target)
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(enter)


def _print_once(module: Any) -> None:
    """Make Python's callbacks run on the first device only."""
    from jaxlib.mlir import ir

    def visit(operation: Any, target: str) -> None:
        each = ", ".join([f'<@"{FIRST}", []>'] * len(operation.results))
        operation.attributes["sdy.sharding"] = ir.Attribute.parse(
            f"#sdy.sharding_per_value<[{each}]>"
        )

    _visit_calls(module, "xla_ffi_python", visit)
    with module.context:
        _add_mesh(module, FIRST, "#sdy.mesh<[], device_ids=[0]>")


def divide_batches(module: Any) -> None:
    """Let XLA divide the batch axes of LAPACK's calls; it would gather whole arrays otherwise.

    Args:
        module: a `jaxlib.mlir.ir.Module`, which is changed.
    """
    from jaxlib.mlir import ir

    def visit(operation: Any, target: str) -> None:
        jaxlib().register_custom_call_as_batch_partitionable(target)
        shapes = [
            ir.RankedTensorType(each.type).shape
            for each in (*operation.operands, *operation.results)
        ]
        # The first operand is a batch of matrices.
        batch = len(shapes[0]) - 2
        rule = _rule(shapes, batch, len(operation.operands))
        operation.attributes["sdy.sharding_rule"] = ir.Attribute.parse(rule)
        count = ir.DictAttr.get({"num_batch_dims": ir.StringAttr.get(str(batch))})
        operation.attributes["mhlo.frontend_attributes"] = count

    _visit_calls(module, LAPACK, visit)


def _rule(shapes: list[list[int]], batch: int, operands: int) -> str:
    """Shardy's rule of an operation that computes the items of a batch by themselves.

    It gives each axis a letter from i on, as in "([i, j, k])->([i, l, m]) {i=8, j=3, ...}".
    """
    letters = itertools.chain(string.ascii_lowercase[8:], (f"z_{i}" for i in itertools.count(1)))
    shared = [next(letters) for _ in range(batch)]
    sizes = dict(zip(shared, shapes[0], strict=False))
    tensors = []
    for shape in shapes:
        own = {next(letters): size for size in shape[batch:]}
        sizes |= own
        tensors.append(f"[{', '.join([*shared, *own])}]")
    given, made = ", ".join(tensors[:operands]), ", ".join(tensors[operands:])
    listed = ", ".join(f"{letter}={size}" for letter, size in sizes.items())
    return f"#sdy.op_sharding_rule<({given})->({made}) {{{listed}}}, custom>"
