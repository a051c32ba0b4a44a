"""Validation of an artifact's manifest, before any of it is used."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ingot_runtime.container import WEIGHTS, Container
from ingot_runtime.layout import LARGEST, Layout
from ingot_runtime.linking import STRICT
from ingot_runtime.manifest import (
    DTYPES,
    ENTRY_NAME,
    EntryFacts,
    KernelCall,
    Leaf,
    MeshFacts,
    Native,
    argument_names,
    part_shape,
    result_names,
)
from ingot_runtime.program import Check
from ingot_runtime.sizes import Size
from ingot_runtime.verification import MOST_AXES
from ingot_runtime.weights import read, restored

#: The exceptions that decoding of malformed JSON values may raise.
MALFORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True)
class Contents:
    """The contents of an artifact.

    Attributes:
        entries: the entry points by name.
        weights: the weights by name; views of the mapped file.
    """

    entries: dict[str, EntryFacts]
    weights: dict[str, np.ndarray]


def contents_of(container: Container) -> Contents:
    """Read and check the manifest and the weights.

    Raises:
        ArtifactError: they are malformed or inconsistent.
    """
    manifest, where = container.manifest, "its manifest"
    if not isinstance(manifest.get("entry_points"), dict):
        raise container.error("its manifest has no entry points")
    try:
        weights = _weights(container)
        entries = {}
        for name, data in manifest["entry_points"].items():
            where = f"entry point {name!r:.80} of its manifest"
            if not ENTRY_NAME.fullmatch(name):
                raise ValueError("its name")
            entries[name] = EntryFacts.from_json(data)
            for problem in _problems(entries[name], weights, manifest["members"]):
                raise ValueError(problem)
            if entries[name].strict_fp and not _are_strict(entries[name], container):
                raise ValueError("its programs are not strict")
        where = "its manifest"
        if not isinstance(manifest["stablehlo"], str):
            raise TypeError("stablehlo")
        if not all(isinstance(each, str) for each in manifest["producer"].values()):
            raise TypeError("producer")
    except MALFORMED as error:
        raise container.error(f"{where} is malformed ({error})") from None
    return Contents(entries, weights)


def _weights(container: Container) -> dict[str, np.ndarray]:
    facts = container.manifest["weights"]
    if WEIGHTS not in container.names():
        if facts:
            raise ValueError(f"it has no member {WEIGHTS}")
        return {}
    stored = read(container.member(WEIGHTS))
    found = {}
    for name, (dtype, shape) in facts.items():
        if dtype not in DTYPES:
            raise ValueError(f"dtype {dtype} of weight {name}")
        found[name] = restored(stored[name], np.dtype(dtype), tuple(shape))
    return found


def _problems(
    facts: EntryFacts, weights: Mapping[str, np.ndarray], members: Mapping[str, Any]
) -> Iterator[str]:
    """The inconsistencies. Later checks rely on the earlier ones, so stop at the first one."""
    yield from _misfits_of_trees(facts)
    yield from _misfits_of_sizes(facts)
    yield from _misfits_of_inputs(facts, weights)
    yield from _misfits_of_results(facts)
    yield from _misfits_of_programs(facts, members)


def _misfits_of_trees(facts: EntryFacts) -> Iterator[str]:
    for structure, leaves in (facts.structure, facts.arguments), (facts.result, facts.results):
        if _leaves_in(structure) != len(leaves):
            yield "trees and leaves"
        if not _has_distinct_keys(structure):
            yield "a key of a dict"
        if len({leaf.name for leaf in leaves}) < len(leaves):
            yield "two arguments or results of one name"
    outer = facts.structure
    if outer is None or outer[0] is not tuple or len(outer[2]) != 2 or None in outer[2]:
        yield "arguments"
    positional, named = outer[2]
    if positional[0] is not tuple or len(positional[2]) != len(facts.parameters):
        yield "parameters"
    if named[0] is not dict or not all(isinstance(key, str) for key in named[1]):
        yield "keywords"
    if [leaf.name for leaf in facts.arguments] != argument_names(outer, facts.parameters):
        yield "the name of an argument"
    if [leaf.name for leaf in facts.results] != result_names(facts.result):
        yield "the name of a result"


def _misfits_of_sizes(facts: EntryFacts) -> Iterator[str]:
    # Later checks compare the shapes of results with those of outputs.
    used = [leaf.shape for leaf in facts.arguments]
    used += [shape for _, shape in facts.outputs]
    used += [tuple(variant.literals.values()) for variant in facts.variants.values()]
    used.append(tuple(length.most for length in facts.lengths.values()))
    names = frozenset(name for sizes in used for size in sizes for name in size.names)
    given = frozenset(n for leaf in facts.arguments for size in leaf.shape for n in size.names)
    if not names <= facts.sizes.keys() <= given or facts.batch not in (None, *facts.sizes):
        yield "a dimension"
    for name, length in facts.lengths.items():
        if name in facts.sizes or Size.of(name).name != name:
            yield f"length {name!r}"
        if facts.outputs[length.output] != ("int64", ()):
            yield f"length {name!r}"
    types = [(leaf.numpy_dtype, leaf.shape) for leaf in facts.arguments if leaf.kind == "array"]
    types += [(np.dtype(dtype), shape) for dtype, shape in facts.outputs]
    for dtype, shape in types:
        if len(shape) > MOST_AXES or _least_size(shape) * dtype.itemsize >= LARGEST:
            yield "a shape"
    for low, high in facts.sizes.values():
        if low < 1 or (high is not None and high < low):
            yield "bounds"


def _least_size(shape: tuple[Size, ...]) -> int:
    """The number of elements of an array, if each symbolic size is 1."""
    return math.prod(1 if size.constant is None else size.constant for size in shape)


def _misfits_of_inputs(facts: EntryFacts, weights: Mapping[str, np.ndarray]) -> Iterator[str]:
    if len(facts.origins) != len(facts.inputs):
        yield "origins"
    for each in facts.inputs:
        if isinstance(each, str):
            if each not in weights:
                yield f"it has no weight {each!r}"
        elif not 0 <= each < len(facts.arguments) or facts.arguments[each].kind == "static":
            yield "an input"
    written = [i for i, _ in facts.mutated]
    if len(set(written)) < len(written):
        yield "a mutated argument"
    for i, output in facts.mutated:
        source = facts.inputs[i] if i < len(facts.inputs) else None
        if not isinstance(source, int) or output >= len(facts.outputs):
            yield "a mutated argument"
            return
        leaf = facts.arguments[source]
        if leaf.kind != "array" or (leaf.dtype, leaf.shape) != facts.outputs[output]:
            yield "a mutated argument"


def _misfits_of_results(facts: EntryFacts) -> Iterator[str]:
    if len(facts.results) != len(facts.leaves):
        yield "results"
    for i, (result, leaf) in enumerate(zip(facts.results, facts.leaves, strict=True)):
        expected = _result(facts, leaf, i)
        if expected is None or repr(replace(expected, name=result.name)) != repr(result):
            yield f"result {result.name!r}"


def _result(facts: EntryFacts, leaf: tuple, number: int) -> Leaf | None:
    """The result that an entry of `leaves` makes; None if the entry is invalid."""
    kind, value, *form = leaf
    if kind == "static":
        return Leaf("", "static", value=value)
    if kind == "arg":
        source = facts.inputs[value] if value < len(facts.inputs) else ""
        return facts.arguments[source] if isinstance(source, int) else None
    if kind == "leaf":
        return facts.results[value] if value < number else None
    if value >= len(facts.outputs):
        return None
    if kind == "part":
        counts, order = form
        dtype, shape = facts.outputs[value]
        if order is not None and sorted(order) != list(range(len(shape))):
            return None
        return Leaf("", "array", dtype, part_shape(shape, counts, facts.lengths))
    if kind != "out":
        # Artifacts can't return lists whose length is known only at run time.
        return None
    weak, is_array, *layouts = form
    dtype, shape = facts.outputs[value]
    if layouts:
        if not _fits(layouts[0], dtype, shape):
            return None
        shape = layouts[0].shape_of(shape)
    if weak and np.dtype(weak).kind != np.dtype(dtype).kind:
        return None
    if is_array:
        return None if weak else Leaf("", "array", dtype, shape)
    return None if shape else Leaf("", "scalar", weak.__name__ if weak else dtype)


def _fits(layout: Layout, dtype: str, shape: tuple[Size, ...]) -> bool:
    """Whether an output can have this layout; with symbolic sizes, strides are not possible."""
    if len(layout.axes) != len(shape):
        return False
    sizes = [size.constant for size in layout.shape_of(shape)]
    known = tuple(size for size in sizes if size is not None)
    if len(known) < len(sizes):
        return layout.strides is None
    return layout.fits(known, np.dtype(dtype).itemsize)


def _misfits_of_programs(facts: EntryFacts, members: Mapping[str, Any]) -> Iterator[str]:
    if "fast" not in facts.variants or not facts.variants.keys() <= {"fast", "precise"}:
        yield "programs"
    for variant in facts.variants.values():
        if variant.module not in members:
            yield f"it has no member {variant.module!r}"
        if not all(map(_is_sound, variant.checks)):
            yield "a check"
    if facts.native is not None and not _is_sound_native(facts, facts.native, members):
        yield "its machine code"
    if facts.mesh is not None and not _is_sound_mesh(facts, facts.mesh):
        yield "its mesh"


def _is_sound_mesh(facts: EntryFacts, mesh: MeshFacts) -> bool:
    """Whether each output has a sharding, and only arrays stay on the devices."""
    if facts.native is not None or len(mesh.outputs) != len(facts.outputs):
        return False
    arrays = {leaf[1] for leaf in facts.leaves if leaf[0] == "out" and leaf[3]}
    # What becomes a number, a list or a part of an array, and the lengths of these.
    others = {output for _, output in facts.mutated}
    for kind, *form in facts.leaves:
        if kind == "part":
            others |= {form[0], *(output for _, output in form[1])}
        elif kind == "column":
            others |= {form[0], form[1]}
        elif kind == "out" and not form[2]:
            others.add(form[0])
    for i, (spec, stays) in enumerate(mesh.outputs):
        names = [name for entry in spec or () for name in entry]
        if len(set(names)) < len(names) or len(spec or ()) > len(facts.outputs[i][1]):
            return False
        if stays and (i not in arrays or i in others):
            return False
    return True


def _is_sound_native(facts: EntryFacts, native: Native, members: Mapping[str, Any]) -> bool:
    if facts.sizes or not all(each in members for each in native.members):
        return False
    if (native.call is None) == (native.executable is None):
        return False
    is_sound = native.call is None or _is_sound_call(native.call, native)
    return is_sound and all(map(_is_sound, native.checks))


def _is_sound_call(call: KernelCall, native: Native) -> bool:
    """Whether a call stays within its inputs and outputs, and makes each output once.

    The loader compares the types of inputs and outputs with the manifest's.
    """
    inputs, outputs = call.inputs, call.outputs
    computed = [output for _, output in call.parameters if output >= 0]
    made = [*computed, *(output for _, output in call.passed)]
    copied = [output for _, output in call.repeated]
    pairs = [pair for pair in call.parameters if min(pair) >= 0]
    return (
        list(native.kernels) == [call.kernel]
        and sorted([*made, *copied]) == list(range(len(outputs)))
        and all(i < len(inputs) and max(i, output) >= 0 for i, output in call.parameters)
        and all(i < len(inputs) and inputs[i] == outputs[o] for i, o in [*pairs, *call.passed])
        and all(source in made and outputs[o] == outputs[source] for source, o in call.repeated)
        and all(i < len(inputs) and inputs[i][1] == () for i in call.lengths or ())
    )


def _is_sound(check: Check) -> bool:
    """Whether the exception can be made, apart from run-time values."""
    try:
        return check.number > 0 or isinstance(check.failure(), Exception)
    except (Exception, MemoryError):
        # What the arguments of the exception say decides which one.
        return False


def _are_strict(facts: EntryFacts, container: Container) -> bool:
    """Whether each program has the call that begins strict programs."""
    modules = (bytes(container.member(each.module)) for each in facts.variants.values())
    return all(STRICT.encode() in module for module in modules)


def _leaves_in(structure: Any) -> int:
    return 1 if structure is None else sum(map(_leaves_in, structure[2]))


def _has_distinct_keys(structure: Any) -> bool:
    if structure is None:
        return True
    _, keys, children = structure
    return len(set(keys or ())) == len(keys or ()) and all(map(_has_distinct_keys, children))
