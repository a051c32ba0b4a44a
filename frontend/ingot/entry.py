"""Lowers a function for an artifact, possibly with named dimensions.

A function with named dimensions is lowered for several *witnesses*: examples of sizes, chosen so
that programs do not contain the same numbers otherwise. A number that differs between the StableHLO
of two witnesses stands for a size, and the values at all witnesses determine which one.
Substituting sizes in the program of one witness gives the program for other sizes; this is checked
with the sizes of the other witnesses. The witnesses are representative, because a decision that
depends on a size is either the same for all sizes in range, or made at run time (see
`dimensions`).
"""

from __future__ import annotations

import inspect
import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from ingot.compiled import Compiled
from ingot.diagnostics import Position, error_at
from ingot.dimensions import LARGEST_OFFSET, Dimension, Dimensions
from ingot.dtypes import is_supported
from ingot.function import Function
from ingot.lowering import Lowered
from ingot.specs import Abstract, Spec, is_traced
from ingot_runtime import reading, stablehlo, verification
from ingot_runtime.errors import UnsupportedError
from ingot_runtime.manifest import (
    NUMPY_BOOL,
    EntryFacts,
    Leaf,
    Length,
    MeshFacts,
    Variant,
    argument_names,
    encode_value,
    part_shape,
    result_names,
)  # fmt: skip
from ingot_runtime.program import Captured, Check, Signature
from ingot_runtime.resizing import numbers, with_sizes
from ingot_runtime.sizes import Bounds, Size
from ingot_runtime.thrown import Constant
from ingot_runtime.trees import containers_of, describe, flatten, unflatten

#: The version of StableHLO that artifacts use, of August 2024. It is the first one with the custom
#: calls of LAPACK. StableHLO guarantees that readers understand it for five years, until 2029.
STABLEHLO = "1.3.0"


#: The source location at the end of an operation's line.
_LOCATION = re.compile(
    r" (?P<file>\S+):(?P<line>\d+):(?P<column>\d+) to (?P<end_line>\d*):(?P<end>\d+)$"
)
#: The integers in a program's text; large arrays are printed as one hexadecimal string.
_NUMBERS = re.compile(r"\b\d+\b")


def portable_checks(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Checks without the folders of the sources."""
    return tuple(replace(each, filename=os.path.basename(each.filename)) for each in checks)


class Entry:
    """A function and the arguments that it is exported for."""

    def __init__(
        self, function: Function, args: tuple, kwargs: dict[str, Any], sizes: dict[str, Bounds]
    ) -> None:
        self._function = function
        self._leaves: list[Any] = []
        self._structure = flatten((args, kwargs), self._leaves, alone=True)
        self._parameters, self._names = self._named(args, kwargs)
        self.sizes = self._ranges(sizes)
        self._dimensions = [Dimensions(self.sizes, i) for i in range(3 if self.sizes else 1)]
        #: The function lowered for each witness, and the leaf indices it is specialised on.
        self._lowered: list[Lowered] = []
        self._static: frozenset[int] = frozenset()
        for dimensions in self._dimensions:
            lowered, self._static = self._lower(dimensions)
            if lowered.needs_process():
                self._refuse(
                    "calls functions of this process by a callback",
                    "export it without the callback",
                )
            self._lowered.append(lowered)
        #: The portable module of each variant.
        self.modules: dict[str, bytes] = {}

    def _named(self, args: tuple, kwargs: dict[str, Any]) -> tuple[list[str], list[str]]:
        """The positional parameters, and a name for each leaf of the arguments."""
        signature = inspect.signature(self._function.__ingot_function__)
        bound = signature.bind(*args, **kwargs).arguments
        parameters: list[str] = []
        for parameter in signature.parameters.values():
            if parameter.kind is parameter.VAR_POSITIONAL:
                rest = range(len(bound.get(parameter.name, ())))
                parameters += [f"{parameter.name}.{i}" for i in rest]
            else:
                parameters.append(parameter.name)
        parameters = parameters[: len(args)]
        return parameters, argument_names(self._structure, parameters)

    def _ranges(self, given: dict[str, Bounds]) -> dict[str, Bounds]:
        """The bounds of each named dimension."""
        shapes = [leaf.shape for leaf in self._leaves if isinstance(leaf, Spec)]
        names = sorted({name for shape in shapes for size in shape for name in size.names})
        unknown = given.keys() - set(names)
        if unknown:
            raise ValueError(f"sizes names no dimension: {', '.join(sorted(unknown))}")
        ranges = {name: given.get(name, (1, None)) for name in names}
        for name, (low, high) in ranges.items():
            if low < 1 or (high is not None and high < low):
                raise ValueError(f"the bounds of {name} are ({low}, {high}); they start at 1")
        return ranges

    def _lower(self, dimensions: Dimensions) -> tuple[Lowered, frozenset[int]]:
        leaves = iter(self._leaves)

        def abstract() -> Any:
            leaf = next(leaves)
            if not isinstance(leaf, Spec):
                return leaf
            return Abstract(tuple(s.at(dimensions.witness) for s in leaf.shape), leaf.dtype)

        args, kwargs = unflatten(self._structure, abstract)
        for leaf in self._leaves:
            for size in leaf.shape if isinstance(leaf, Spec) else ():
                dimensions.learn(size)
        with dimensions:
            lowered, static = self._function.lower_tree(args, kwargs, alone=True)
            lowered.stablehlo()
            return lowered, static

    @property
    def is_for_mesh(self) -> bool:
        return self._lowered[0].options.placement is not None

    def compiled(self, device: Any) -> Compiled:
        """The function compiled for a device, as `jit` does; without named dimensions."""
        return self._lowered[0].compile(device)

    # The manifest.

    def facts(self, folder: str, weight: Callable[[Captured], str]) -> EntryFacts:
        """The manifest's part about the entry point; also fills `modules`.

        Args:
            folder: the folder of its members in the artifact.
            weight: stores an array in the artifact, and returns its name.

        Raises:
            UnsupportedError: artifacts don't support what the function does.
        """
        signature = self._lowered[0].signature
        self._check_containers(signature)
        arguments = tuple(map(self._argument, range(len(self._leaves))))
        inputs = [weight(s) if isinstance(s, Captured) else s for s in signature.inputs]
        if any(isinstance(inputs[i], str) for i, _ in signature.mutated):
            self._refuse(
                "stores to an array from outside of its arguments",
                "pass it as an argument; what an artifact holds can't change",
            )
        shapes = [tuple(map(self._size, shape)) for shape, _ in signature.outputs]
        outputs = [(d.name, shape) for (_, d), shape in zip(signature.outputs, shapes, strict=True)]
        lengths = self._lengths(signature.leaves, shapes)
        results: list[Leaf] = []
        for name, leaf in zip(result_names(signature.result), signature.leaves, strict=True):
            if leaf[0] == "part":
                dtype, shape = outputs[leaf[1]]
                results.append(Leaf(name, "array", dtype, part_shape(shape, leaf[2], lengths)))
                continue
            results.append(self._result(name, leaf, inputs, outputs, arguments, results))
        for found in (self._names, [leaf.name for leaf in results]):
            if len(set(found)) < len(found):
                self._refuse("has two arguments or results of one name", "rename their keys")
        self._check_static(arguments)
        directory = os.path.dirname(self._function.__ingot_function__.__code__.co_filename)
        return EntryFacts(
            parameters=tuple(self._parameters),
            structure=self._structure,
            arguments=arguments,
            result=signature.result,
            results=tuple(results),
            inputs=tuple(inputs),
            outputs=tuple(outputs),
            leaves=tuple(signature.leaves),
            mutated=tuple(signature.mutated),
            origins=tuple(o.replace(directory + os.sep, "") for o in signature.origins),
            prints=signature.prints,
            sizes=self.sizes,
            lengths=lengths,
            batch=self._batch(lengths),
            strict_fp=self._lowered[0].options.strict_fp,
            variants=dict(self._variants(folder)),
            mesh=self._mesh(),
        )

    def _mesh(self) -> MeshFacts | None:
        placed = self._lowered[0].options.placement
        if placed is None:
            return None
        outputs = tuple(
            (None if each.spec is None else each.spec.entries, each.stays)
            for each in self._lowered[0].places
        )
        return MeshFacts(placed.mesh.shape, outputs)

    def _check_containers(self, signature: Signature) -> None:
        """Refuse effects on containers and results with an identity: artifacts pass arrays only."""
        for which, _ in signature.changes:
            self._refuse(
                f"changes {self._described(which)}",
                "return a new one instead; of its arguments an artifact can change the arrays",
            )
        for kind, which, *_ in signature.leaves:
            if kind == "object":
                self._refuse(
                    f"returns {self._described(which)} as it is", "return a copy, or what it holds"
                )
        if signature.exceptions:
            names = ", ".join(each.__name__ for each in signature.exceptions.values())
            self._refuse(
                f"raises {names}, which an artifact can't hold", "raise one of Python's exceptions"
            )
        for raised in self._lowered[0].raised:
            for each in raised.parts():
                if isinstance(each, Constant) and not each.is_storable():
                    kind = type(each.value).__name__
                    self._refuse(
                        f"raises an exception with an argument of class {kind}, which an artifact "
                        "can't hold",
                        "give it a text",
                    )

    def _described(self, which: Any) -> str:
        """A container in an error message, given by its index in the arguments or an `Outside`."""
        if not isinstance(which, int):
            return f"a {type(which.value).__name__} from outside of its arguments"
        held = containers_of(unflatten(self._structure, iter(self._leaves).__next__))[which]
        return f"a {type(held).__name__} of its arguments"

    def _lengths(self, leaves: list[tuple], shapes: list[tuple[Size, ...]]) -> dict[str, Length]:
        """The lengths of results that are known only at run time, under unused names."""
        found = dict.fromkeys(
            Length(output, shapes[leaf[1]][axis])
            for leaf in leaves
            if leaf[0] == "part"
            for axis, output in leaf[2]
        )
        names = (name for i in itertools.count() if (name := f"n{i}") not in self.sizes)
        return dict(zip(names, found, strict=False))

    def _batch(self, lengths: dict[str, Length]) -> str | None:
        """The named dimension that is a batch dimension: along it, calls can be joined, or None.

        If there are several, the first one in the arguments is used. A dimension that bounds the
        length of a result is not suitable: the length in a joined call does not tell the lengths in
        each of the calls.
        """
        shapes = [leaf.shape for leaf in self._leaves if isinstance(leaf, Spec)]
        cut = {name for length in lengths.values() for name in length.most.names}
        for name in dict.fromkeys(size.name for shape in shapes for size in shape if size.name):
            if name in cut:
                continue
            if self._lowered[0].treats_apart(*self._dimensions[0].extents_of(name)):
                return name
        return None

    def _refuse(self, what: str, hint: str, position: Position | None = None) -> NoReturn:
        name = self._function.__ingot_function__.__qualname__
        raise error_at(UnsupportedError, f"{name} {what}", position, hint)

    def _refuse_dependence(self, position: Position | None = None) -> NoReturn:
        self._refuse(
            f"depends on {', '.join(self.sizes)} in a way that can't be left open",
            "give the dimension a number, or compute with it in arrays",
            position,
        )

    def _first_difference(self) -> Position | None:
        """The first source position where two witnesses' programs differ in more than numbers."""
        one, other = (lowered.ir(locations=True).splitlines() for lowered in self._lowered[:2])
        for a, b in zip(one, other, strict=False):
            found = _LOCATION.search(a)
            if found and _NUMBERS.sub("#", a) != _NUMBERS.sub("#", b):
                line, column, end_line, end = found.group("line", "column", "end_line", "end")
                return Position(
                    found["file"], int(line), int(column), int(end_line or line), int(end)
                )
        return None

    def _argument(self, index: int) -> Leaf:
        name, value = self._names[index], self._leaves[index]
        if isinstance(value, Spec):
            return Leaf(name, "array", value.dtype.name, value.shape)
        if index in self._static or not is_traced(value):
            return Leaf(name, "static", value=value)
        if isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic):
            return Leaf(name, "scalar", type(value).__name__)
        if not is_supported(np.dtype(value.dtype)):
            self._refuse(f"takes an array of dtype {value.dtype}", "leave it out of the arguments")
        dtype = np.dtype(value.dtype).newbyteorder("=").name
        if isinstance(value, np.generic):
            return Leaf(name, "scalar", NUMPY_BOOL if isinstance(value, np.bool) else dtype)
        return Leaf(name, "array", dtype, tuple(map(Size.of, value.shape)))

    def _size(self, extent: int) -> Size:
        return extent.size if isinstance(extent, Dimension) else Size.of(extent)

    def _result(
        self,
        name: str,
        leaf: tuple,
        inputs: list[Any],
        outputs: list[Any],
        arguments: tuple[Leaf, ...],
        found: list[Leaf],
    ) -> Leaf:
        kind, value, *rest = leaf
        if kind == "static":
            return Leaf(name, "static", value=value)
        if kind == "arg":
            if isinstance(inputs[value], str):
                self._refuse(
                    "returns an array from outside of its arguments as it is", "return a copy of it"
                )
            return replace(arguments[inputs[value]], name=name)
        if kind == "leaf":
            return replace(found[value], name=name)
        dtype, shape = outputs[value]
        if kind == "column":
            # One part of all items of a list, as many as it can have.
            return Leaf(name, "array", dtype, shape)
        weak, is_array, *layouts = rest
        for layout in layouts:
            shape = layout.shape_of(shape)
        if is_array:
            return Leaf(name, "array", dtype, shape)
        return Leaf(name, "scalar", weak.__name__ if weak else dtype)

    def _check_static(self, arguments: tuple[Leaf, ...]) -> None:
        try:
            for leaf in arguments:
                encode_value(leaf.value)
            for kind, value, *_ in self._lowered[0].signature.leaves:
                encode_value(value if kind == "static" else None)
            describe(self._structure)
            describe(self._lowered[0].signature.result)
        except TypeError as error:
            self._refuse(f"can't be exported: {error}", "pass and return arrays, numbers, strings")
        # The programs of the witnesses do not have these.
        first, *others = (
            [repr(each[1]) for each in lowered.signature.leaves if each[0] == "static"]
            for lowered in self._lowered
        )
        if any(other != first for other in others):
            self._refuse_dependence()

    # Modules.

    def _variants(self, folder: str) -> Iterator[tuple[str, Variant]]:
        found = {"fast": self._lowered}
        if not self._lowered[0].is_precise and self._lowered[0].checks:
            found["precise"] = [lowered.precise() for lowered in self._lowered]
        yielded: list[tuple] = []
        for kind, versions in found.items():
            modules = [stablehlo.portable(lowered.stablehlo(), STABLEHLO) for lowered in versions]
            checks = portable_checks(versions[0].checks)
            if (modules[0], checks) in yielded:
                # The precise form equals the fast form.
                continue
            yielded.append((modules[0], checks))
            self._verify(modules[0])
            reading.note_own(modules[0])
            self.modules[kind] = modules[0]
            literals = self._literals(modules) if self.sizes else {}
            yield kind, Variant(f"{folder}/{kind}.mlirbc", checks, literals)

    def _verify(self, module: bytes) -> None:
        """Refuse a program that the loader would not take: one with calls of others' handlers."""
        placed = self._lowered[0].options.placement
        try:
            mesh = placed.mesh.shape if placed is not None else {}
            verification.verify(module, mesh, is_witness=bool(self.sizes))
        except ValueError as error:
            self._refuse(f"has a program that artifacts can't have: {error}", "export it without")

    def _literals(self, modules: list[bytes]) -> dict[str, Size]:
        """The integers in the first witness's module that stand for sizes, and these sizes."""
        texts = [str(stablehlo.parse(module)) for module in modules]
        first, *others = map(numbers, texts)
        literals: dict[str, Size] = {}
        if all(len(other) == len(first) for other in others):
            for number, *rest in zip(first, *others, strict=True):
                if number not in literals and any(each != number for each in rest):
                    size = self._size_at([int(number), *map(int, rest)])
                    literals.update({} if size is None else {number: size})
        for dimensions, text in zip(self._dimensions[1:], texts[1:], strict=True):
            if with_sizes(texts[0], literals, dimensions.witness) != text:
                self._refuse_dependence(self._first_difference())
        return literals

    def _size_at(self, values: list[int]) -> Size | None:
        """The size that has these values at the witnesses."""
        witnesses = [dimensions.witness for dimensions in self._dimensions]
        joined = self._dimensions[0].find(values[0])
        if joined is not None and [joined.at(witness) for witness in witnesses] == values:
            return joined
        for size in list(self._dimensions[0].known.values()):
            offset = values[0] - size.at(witnesses[0])
            if abs(offset) <= LARGEST_OFFSET and all(
                value - size.at(witness) == offset
                for value, witness in zip(values[1:], witnesses[1:], strict=True)
            ):
                return size + Size.of(offset)
        return None
