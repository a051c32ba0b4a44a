"""`EntryPoint`: a function of an artifact, and its programs."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ingot_runtime import buffers, clients, meshes, pjrt, spmd, verification
from ingot_runtime.cache import Cache, key_of
from ingot_runtime.container import MANIFEST, Container
from ingot_runtime.inspection import signature
from ingot_runtime.manifest import NUMPY_BOOL, PYTHON_NUMBERS, EntryFacts, Leaf, Variant
from ingot_runtime.meshes import Everywhere, Mesh, PartitionSpec, ShardedArray
from ingot_runtime.program import Captured, Check, Executable, Program, Signature
from ingot_runtime.reading import Verifier
from ingot_runtime.resizing import module_for
from ingot_runtime.sizes import Size, Sizes, solve
from ingot_runtime.trees import flatten, unflatten

#: The name of loops in portable StableHLO.
LOOP = b"while_v1"
#: The number of programs, one for each combination of sizes, that an entry point keeps in memory.
KEPT_PROGRAMS = 128


def _compiled_here(module: str | bytes) -> pjrt.Executable:
    # An artifact calls no functions of the process.
    return pjrt.compile_stablehlo(module, clients.default_device(), functions=())


class EntryPoint:
    """A compiled function of an artifact; call it as the function that was exported.

    A pickle contains its name, the path of the artifact, its buckets and `native`.

    Attributes:
        name: the name in the artifact.
        arguments: a `Leaf` with name, dtype and shape for each array or number of the arguments.
        results: the same for the results.
        sizes: the named dimensions and their inclusive bounds.
        batch: the named dimension along which calls can be joined and their results split, or None.

    Example:
        >>> def double(x):
        ...     return 2 * x
        >>> ingot.export(double, ingot.spec("n")).save("double.ingot")
        >>> entry = ingot_runtime.load("double.ingot").entry("double")
        >>> entry.sizes, entry.batch, entry.sizes_of([np.ones(3)])
        ({'n': (1, None)}, 'n', {'n': 3})
    """

    def __init__(
        self,
        name: str,
        facts: EntryFacts,
        container: Container,
        arrays: Mapping[str, buffers.Constant],
        buckets: Mapping[str, Iterable[int]],
        native: bool,
        mesh: Mesh | None,
        verifier: Verifier,
    ) -> None:
        self.name = name
        self.facts = facts
        self.arguments, self.results = facts.arguments, facts.results
        self.sizes, self.batch = facts.sizes, facts.batch
        self._container, self._native, self._mesh = container, native, mesh
        self._buckets: list[int] = []
        for dimension in buckets:
            if dimension in self.sizes and dimension != self.batch:
                raise ValueError(
                    f"{name}: {dimension} can't be padded: results along it may depend on others"
                )
        self.use_buckets(buckets.get(self.batch or "", ()))
        self._inputs = [
            each if isinstance(each, int) else Captured(None, each, arrays[each])
            for each in facts.inputs
        ]
        self._types = [
            (self.arguments[each].numpy_dtype, self.arguments[each].shape)
            if isinstance(each, int)
            else (arrays[each].array.dtype, tuple(map(Size.of, arrays[each].array.shape)))
            for each in facts.inputs
        ]
        self._programs: dict[tuple[int, ...], Program] = {}
        self._used: dict[tuple[int, ...], int] = {}
        self._clock = itertools.count()
        self._accepted: dict[Any, bool] = {}
        self._lock = threading.Lock()
        self._is_verified = False
        self._verify(verifier)

    def __repr__(self) -> str:
        return f"EntryPoint({self.name}{signature(self.facts)})"

    def __reduce__(self) -> tuple:
        path = str(self._container.absolute)
        return _entry_of, (self.name, path, tuple(self._buckets), self._native, self._mesh)

    def __copy__(self) -> EntryPoint:
        return self

    def __deepcopy__(self, memo: Any) -> EntryPoint:
        return self

    def use_buckets(self, sizes: Iterable[int]) -> None:
        """Compile only for some sizes of `batch`, and pad each call to the next larger one.

        Args:
            sizes: the sizes; those outside of the bounds of `batch` are ignored.
        """
        low, high = self.sizes.get(self.batch or "", (1, None))
        allowed = {size for size in sizes if low <= size and (high is None or size <= high)}
        self._buckets = sorted(allowed)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function.

        Raises:
            TypeError: an argument has another structure or dtype than the artifact says.
            ValueError: an argument has another shape or static value, or a size is out of bounds.
            Exception: any exception that the function raises.
        """
        args, kwargs = self._bound(args, kwargs)
        leaves: list[Any] = []
        structure = flatten((args, kwargs), leaves, alone=True)
        if structure != self.facts.structure and not self._accepts(structure):
            raise TypeError(
                f"{self.name}: the arguments are not structured as {', '.join(self._signature())}"
            )
        results = iter(self.run(leaves))
        return unflatten(self.facts.result, lambda: next(results))

    def run(self, values: Sequence[Any]) -> list[Any]:
        """Call the function with leaves instead of trees.

        Args:
            values: one value for each of `arguments`.

        Returns:
            One value for each of `results`.

        Raises:
            The exceptions of a call.
        """
        taken, sizes = self._checked(values)
        padded = self._bucket(sizes)
        try:
            if padded is None:
                return self._program(sizes).results(taken)
            return self._run_padded(taken, sizes, padded)
        except clients.jaxlib().XlaRuntimeError as error:
            raise self._container.error(f"{self.name} can't run here: {_reason(error)}") from None

    @property
    def outputs(self) -> tuple[Leaf, ...]:
        """The arguments that the function stores to, and the results, under distinct names."""
        taken = {leaf.name for leaf in self.results}
        changed = [self.arguments[index] for index in self.facts.changed]
        renamed = (
            replace(leaf, name=f"{leaf.name}.changed") if leaf.name in taken else leaf
            for leaf in changed
        )
        return (*renamed, *self.results)

    def run_outputs(self, values: Sequence[Any]) -> list[Any]:
        """The same as `run`, but returns one value for each of `outputs`."""
        results = self.run(values)
        return [*(values[index] for index in self.facts.changed), *results]

    def sizes_of(self, values: Sequence[Any]) -> dict[str, int]:
        """The sizes of the named dimensions that a call of `run` would have.

        Args:
            values: one value for each of `arguments`.

        Raises:
            TypeError: a value has another dtype than the artifact says.
            ValueError: a value has another shape, or a size is out of bounds.
        """
        return self._checked(values)[1]

    def _checked(self, values: Sequence[Any]) -> tuple[list[Any], dict[str, int]]:
        """The values converted to arrays and checked, and the sizes of the named dimensions."""
        taken = [_taken(leaf, value) for leaf, value in zip(self.arguments, values, strict=True)]
        return taken, self._solved(taken)

    def _bound(self, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        """The arguments with each one positional that was positional in the export."""
        missing = self.facts.parameters[len(args) :]
        if not kwargs or not all(name in kwargs for name in missing):
            return args, kwargs
        rest = {name: value for name, value in kwargs.items() if name not in missing}
        return (*args, *(kwargs[name] for name in missing)), rest

    def _accepts(self, structure: Any) -> bool:
        """Whether a structure equals the exported one, up to the classes of its containers."""
        if structure not in self._accepted:
            self._accepted[structure] = _shape_of(structure) == _shape_of(self.facts.structure)
        return self._accepted[structure]

    def _signature(self) -> list[str]:
        return [f"{leaf.name}: {leaf}" for leaf in self.arguments]

    def _solved(self, values: Sequence[Any]) -> dict[str, int]:
        """Solve for the named dimensions from the shapes of the arguments."""
        axes = []
        for leaf, value in zip(self.arguments, values, strict=True):
            if leaf.kind != "array":
                continue
            if value.ndim != len(leaf.shape):
                raise ValueError(f"{leaf.name} has {value.ndim} axes, but must be {leaf}")
            for axis, (size, actual) in enumerate(zip(leaf.shape, value.shape, strict=True)):
                if size.constant is None or size.constant != actual:
                    axes.append((f"axis {axis} of {leaf.name}", size, actual))
        sizes = solve(axes, {}) if axes else {}
        for name, value in sizes.items():
            low, high = self.sizes[name]
            if value < low or (high is not None and value > high):
                limit = f"at least {low}" if value < low else f"at most {high}"
                raise ValueError(f"{name} is {value}, but must be {limit}")
        return sizes

    # Programs for sizes.

    def warmup(self, *sizes: Sizes) -> None:
        """Compile before the first call. A program without loops and prints also runs, on zeros.

        Args:
            sizes: dicts of the named dimensions to the sizes to compile for; by default the
                buckets.

        Raises:
            ValueError: a dict lacks a named dimension.
        """
        if not sizes and self._buckets and len(self.sizes) == 1:
            sizes = tuple({str(self.batch): bucket} for bucket in self._buckets)
        for each in sizes or ({},) if not self.sizes else sizes:
            missing = self.sizes.keys() - each.keys()
            if missing:
                raise ValueError(f"{self.name}: no size is given for {', '.join(sorted(missing))}")
            self._rehearse(self._bucket(each) or each)

    def _rehearse(self, sizes: Sizes) -> None:
        program = self._program(sizes)
        module = self._container.member(self.facts.variants["fast"].module)
        if self.facts.prints or LOOP in bytes(module):
            # On zeros, which are not the user's values, it would print or might not terminate.
            return
        program.rehearse([_zeros(leaf, sizes) for leaf in self.arguments])

    def _program(self, sizes: Sizes) -> Program:
        key = tuple(sizes[name] for name in self.sizes)
        self._used[key] = next(self._clock)
        program = self._programs.get(key)
        if program is None:
            # Other threads wait, since compiling the same program twice would take longer.
            with self._lock:
                program = self._programs.get(key) or self._make(sizes)
                self._programs[key] = program
                self._forget()
        return program

    def _forget(self) -> None:
        """Drop the least recently used programs, so that varying sizes don't exhaust memory."""
        while len(self._programs) > KEPT_PROGRAMS:
            oldest = min(self._programs, key=lambda key: self._used.get(key, 0))
            del self._programs[oldest]
            self._used.pop(oldest, None)

    def _make(self, sizes: Sizes) -> Program:
        precise = "precise" if "precise" in self.facts.variants else None
        made = self._machine_code()
        if made is None:
            return self._portable(sizes, "fast", precise)
        executable, checks = made
        return self._made(sizes, executable, checks, precise or "fast")

    def _portable(self, sizes: Sizes, name: str, precise: str | None = None) -> Program:
        variant = self.facts.variants[name]
        if self.facts.mesh is not None or self._is_divided:
            return self._made(sizes, self._on_mesh(variant, sizes), variant.checks, precise)
        parts = [self._container.sha256(variant.module), *map(str, sorted(sizes.items()))]
        executable = Cache.default().executable(
            ["verified artifact", *parts],
            clients.default_device(),
            lambda: self._compiled(variant, sizes),
        )
        return self._made(sizes, executable, variant.checks, precise)

    def _made(
        self, sizes: Sizes, executable: Executable, checks: Sequence[Check], precise: str | None
    ) -> Program:
        """A program.

        Args:
            precise: the portable program that tells which check has failed; None if this does.
        """
        facts = self.facts
        outputs = self._outputs(sizes)
        inputs: list[Any] = list(self._inputs)
        if isinstance(executable, spmd.MeshExecutable):
            inputs = [
                replace(each, place=Everywhere(each.place.array, executable.mesh))
                if isinstance(each, Captured)
                else each
                for each in inputs
            ]
        signature = Signature(
            inputs=inputs, result=facts.result, leaves=list(facts.leaves),
            mutated=list(facts.mutated), outputs=outputs, origins=list(facts.origins),
            prints=facts.prints,
        )  # fmt: skip
        self._check_types(executable, sizes, bool(checks))
        make_precise = None if precise is None else lambda: self._portable(sizes, precise)
        return Program(signature, executable, list(checks), make_precise)

    def _outputs(self, sizes: Sizes) -> list[tuple[tuple[int, ...], np.dtype]]:
        """The shapes and dtypes of the outputs."""
        return [
            (tuple(size.at(sizes) for size in shape), np.dtype(dtype))
            for dtype, shape in self.facts.outputs
        ]

    def _on_mesh(self, variant: Variant, sizes: Sizes) -> spmd.MeshExecutable:
        """The program compiled for its mesh, or divided among the devices of the loader's.

        Raises:
            ArtifactError: there are too few devices, or XLA does not accept the program.
        """
        facts = self.facts.mesh
        if facts is None:
            return self._divided(variant, sizes)
        try:
            mesh = meshes.mesh(**facts.shape)
        except ValueError as error:
            raise self._container.error(f"{self.name} can't run here: {error}") from None
        outputs = [
            spmd.Output(shape, dtype, None if spec is None else PartitionSpec(*spec), stays)
            for (shape, dtype), (spec, stays) in zip(
                self._outputs(sizes), facts.outputs, strict=True
            )
        ]
        return self._compiled(
            variant, sizes, lambda text: spmd.compile_for(text, mesh, outputs, functions=())
        )

    @property
    def _is_divided(self) -> bool:
        """Whether the devices of the loader's mesh share the items of a call."""
        return self._mesh is not None and self.facts.mesh is None and self.batch is not None

    def _divided(self, variant: Variant, sizes: Sizes) -> spmd.MeshExecutable:
        mesh = self._mesh
        assert mesh is not None
        outputs = [spmd.Output(shape, dtype) for shape, dtype in self._outputs(sizes)]
        axes = self._axes(self.arguments)
        inputs = [
            _along(axes[each] if isinstance(each, int) else None, mesh)
            for each in self.facts.inputs
        ]
        return self._compiled(
            variant,
            sizes,
            lambda text: spmd.compile_for(text, mesh, outputs, inputs, functions=()),
        )

    def _check_types(self, executable: Executable, sizes: Sizes, has_status: bool) -> None:
        """Raise ArtifactError if the types of a program differ from the manifest's."""

        def at_sizes(types: Iterable[tuple[Any, Iterable[Size]]]) -> list[pjrt.Type]:
            return [(np.dtype(d), tuple(size.at(sizes) for size in s)) for d, s in types]

        inputs, outputs = executable.types()
        wanted, expected = at_sizes(self._types), at_sizes(self.facts.outputs)
        status = np.dtype(np.int32), ()
        takes = len(inputs) == len(wanted) and all(
            found in (None, each) for found, each in zip(inputs, wanted, strict=True)
        )
        gives = outputs == [*expected, status] or (outputs == expected and not has_status)
        if not takes or not gives:
            raise self._container.error(
                f"the program of {self.name} takes or gives other arrays than {MANIFEST} says"
            )

    @property
    def _has_machine_code(self) -> bool:
        """Whether machine code is wanted and there is some for this process."""
        native = self.facts.native
        if not self._native or native is None or self._is_divided:
            return False
        return native.fingerprint == pjrt.fingerprint()

    def _verify(self, verifier: Verifier) -> None:
        """Verify the portable programs, unless machine code runs in their place.

        Raises:
            ArtifactError: a program is not StableHLO, or may do what artifacts must not.
        """
        if self._has_machine_code:
            return
        variants = self.facts.variants.values()
        modules = sorted({variant.module for variant in variants})
        witnesses = {variant.module for variant in variants if variant.literals}
        mesh = self.facts.mesh_shape
        sums = [self._container.sha256(each) for each in modules]
        kinds = [repr(sorted(mesh.items())), repr([each in witnesses for each in modules])]
        key = key_of(["verified", verification.RULES, *kinds, *sums])
        # A mark of those that have passed.
        cache = Cache.default()
        if cache.get(key) is None:
            for each in modules:
                self._verify_module(each, mesh, each in witnesses, verifier)
            cache.put(key, b"")
        self._is_verified = True

    def _verify_module(
        self, name: str, mesh: Mapping[str, int], is_witness: bool, verifier: Verifier
    ) -> None:
        try:
            verifier.verify(bytes(self._container.member(name)), mesh, is_witness)
        except Exception as error:
            # jaxlib's parser and verifier raise different classes.
            raise self._container.error(
                f"the program {name} of entry point {self.name!r} is not one that artifacts can "
                f"have: {_reason(error)}"
            ) from None

    def _machine_code(self) -> tuple[Executable, Sequence[Check]] | None:
        """The machine code of the artifact and its checks, if it is wanted and fits this process.

        Raises:
            ArtifactError: it is for this machine, and can't be loaded.
        """
        native = self.facts.native
        if native is None or not self._has_machine_code:
            return None
        # Imported late: it needs the native module, which is part of the fingerprint.
        from ingot_runtime import kernels

        members = {name: bytes(self._container.member(name)) for name in native.members}
        code = members[native.executable] if native.executable else b""
        try:
            libraries = [kernels.load(name, members[at]) for name, at in native.kernels.items()]
            executable = kernels.load_program(native.call, libraries, code)
        except kernels.Taken:
            return None
        except RuntimeError as error:
            reason = _reason(error)
            raise self._container.error(
                f"the machine code of {self.name} can't be loaded ({reason})"
            ) from None
        return executable, native.checks

    def _compiled(
        self, variant: Variant, sizes: Sizes, compiled: Callable[[Any], Any] = _compiled_here
    ) -> Any:
        portable = bytes(self._container.member(variant.module))
        try:
            module = module_for(portable, variant.literals, sizes)
            if variant.literals or not self._is_verified:
                verification.verify(module, self.facts.mesh_shape)
            return compiled(module)
        except Exception as error:
            # The parser, verifier and compiler of jaxlib raise different classes.
            reason = _reason(error)
            raise self._container.error(f"{self.name} can't be compiled here: {reason}") from None

    # Padding to buckets.

    def _bucket(self, sizes: Sizes) -> dict[str, int] | None:
        """The sizes with the batch dimension rounded up to its bucket; None if equal already."""
        if not self._buckets or self.batch is None:
            return None
        actual = sizes[self.batch]
        larger = next((bucket for bucket in self._buckets if bucket >= actual), actual)
        return None if larger == actual else {**sizes, self.batch: larger}

    def _run_padded(self, values: list[Any], sizes: Sizes, padded: Sizes) -> list[Any]:
        size, larger = (each[str(self.batch)] for each in (sizes, padded))
        wide = [
            pad(value, axis, larger) if axis is not None else value
            for value, axis in zip(values, self._axes(self.arguments), strict=True)
        ]
        results = self._program(padded).results(wide)
        for i, _ in self.facts.mutated:
            index = self.facts.inputs[i]
            assert isinstance(index, int), "weights are never stored to"
            axis = self._axes(self.arguments)[index]
            np.copyto(values[index], items(wide[index], axis, 0, size))
        found: list[Any] = []
        axes = self._axes(self.results)
        for result, axis, (kind, index, *_) in zip(results, axes, self.facts.leaves, strict=True):
            if kind == "arg":
                found.append(values[self.facts.inputs[index]])
            else:
                found.append(found[index] if kind == "leaf" else items(result, axis, 0, size))
        return found

    def _axes(self, leaves: Iterable[Leaf]) -> list[int | None]:
        """The batch axis of each leaf, or None."""
        return [batch_axis(leaf, self.batch) for leaf in leaves]


def _reason(error: Exception) -> str:
    """The first line of jaxlib's message, without the name of a status code."""
    return re.sub(r"^[A-Z_]+: ", "", str(error).partition("\n")[0])


def _shape_of(structure: Any) -> Any:
    """A structure in which named tuples and dataclasses are dicts of their fields."""
    if structure is None:
        return None
    kind, keys, children = structure
    inner = tuple(map(_shape_of, children))
    if kind in (tuple, list):
        return kind, inner
    names = kind._fields if hasattr(kind, "_fields") else keys
    return dict(zip(names, inner, strict=True))


def _taken(leaf: Leaf, value: Any) -> Any:
    """The value of an argument leaf, checked and converted to an array.

    Raises:
        TypeError: it has another type or dtype than the artifact says.
        ValueError: it is not the static value that the artifact fixes.
    """
    if leaf.kind == "static":
        if type(value) is not type(leaf.value) or value != leaf.value:
            raise ValueError(f"{leaf.name} is {value!r}, but the artifact fixes it as {leaf}")
        return value
    if leaf.kind == "array":
        array = value if isinstance(value, (np.ndarray, ShardedArray)) else np.asarray(value)
        if array.dtype != leaf.numpy_dtype:
            raise TypeError(f"{leaf.name} has dtype {array.dtype}, but must be {leaf.dtype}")
        return array
    wanted = PYTHON_NUMBERS.get(leaf.dtype)
    fits = type(value) is wanted if wanted else _is_of_numpy(value, leaf)
    if not fits or np.ndim(value):
        raise TypeError(f"{leaf.name} is a {_kind_of(value)}, but must be a {leaf.dtype}")
    return value


def _kind_of(value: Any) -> str:
    return NUMPY_BOOL if isinstance(value, np.bool) else type(value).__name__


def _is_of_numpy(value: Any, leaf: Leaf) -> bool:
    # Python's bool has the dtype of NumPy's, and other operators.
    return np.asarray(value).dtype == leaf.numpy_dtype and type(value) is not bool


def _zeros(leaf: Leaf, sizes: Sizes) -> Any:
    if leaf.kind == "static":
        return leaf.value
    return np.zeros([size.at(sizes) for size in leaf.shape], leaf.numpy_dtype)


def _along(axis: int | None, mesh: Mesh) -> PartitionSpec:
    """The spec that divides an axis among all devices of a mesh; copies if there is none."""
    return PartitionSpec() if axis is None else PartitionSpec(*[None] * axis, tuple(mesh.shape))


def batch_axis(leaf: Leaf, batch: str | None) -> int | None:
    """The batch axis of a leaf, or None."""
    names = [size.name for size in leaf.shape]
    return names.index(batch) if batch is not None and batch in names else None


def items(array: Any, axis: int | None, start: int, end: int) -> Any:
    """The items from start to end along an axis; the whole array if the axis is None."""
    return array if axis is None else array[(slice(None),) * axis + (slice(start, end),)]


def pad(array: np.ndarray, axis: int, size: int) -> np.ndarray:
    """Pad an array by repeating its last item: then padding can't raise exceptions of its own."""
    last = np.take(array, [-1], axis)
    shape = list(array.shape)
    shape[axis] = size - array.shape[axis]
    return np.concatenate([array, np.broadcast_to(last, shape)], axis)


def _entry_of(
    name: str, path: str, buckets: Iterable[int], native: bool, mesh: Mesh | None = None
) -> EntryPoint:
    """The entry point that a pickle stands for.

    Raises:
        ArtifactError: the file at that path has no entry point of that name.
    """
    # A late import, since the loader makes entry points.
    from ingot_runtime.loader import Loaded

    container = Container(path)
    entry = Loaded(container, {}, native, mesh).entry_points.get(name)
    if entry is None:
        raise container.error(f"it has no entry point {name!r}")
    entry.use_buckets(buckets)
    return entry
