"""The disk cache of compiled functions: a second process needs no frontend, passes or XLA compiler.

An entry contains what a call needs (the signature, the checks, the executable) and what it depends
on besides the function itself: the source of each function that is part of the program, and its
guards. The entry is valid while all of these are unchanged. Programs that depend on values without
a stable fingerprint (objects of unknown classes, closures of inner functions) are not stored.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import hashlib
import importlib
import importlib.util
import json
import logging
import os
import sys
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot import kernels
from ingot.compiled import Compiled
from ingot.fingerprints import (
    Names,
    Unstorable,
    class_name,
    class_named,
    containers_in,
    digest,
    fingerprint,
    identity,
    object_named,
    place_named,
    text_of,
)
from ingot.placement import Placement
from ingot.syntax.guards import Expected, Guard, Guards
from ingot.syntax.places import MISSING, Place, Read
from ingot.syntax.source import lines_of
from ingot_runtime import pjrt, spmd
from ingot_runtime.cache import Cache, key_of
from ingot_runtime.kernels import load, load_program
from ingot_runtime.manifest import (
    KernelCall,
    check_from_json,
    check_to_json,
    decode_value,
    encode_value,
    leaf_from_json,
    leaf_to_json,
)
from ingot_runtime.meshes import Mesh, PartitionSpec, Sharding
from ingot_runtime.program import Captured, Executable, Signature
from ingot_runtime.spmd import MeshExecutable, Output
from ingot_runtime.trees import EITHER, ONE_OF, ROWS, SAME, DefaultDict, is_instance

if TYPE_CHECKING:
    from ingot.lowering import Lowered

logger = logging.getLogger("ingot")


@functools.cache
def _compiler() -> str:
    """A hash of this build of Ingot and of the versions that its programs depend on."""
    files = [*_modules(os.path.dirname(__file__)), *_modules(os.path.dirname(pjrt.__file__))]
    # Functions of SciPy follow its version, which is not imported for this.
    scipy = importlib.util.find_spec("scipy")
    others = sys.modules["ingot._core"].__file__, kernels.compiler(), scipy and scipy.origin
    files += [file for file in others if file]
    found = [(file, os.stat(file)) for file in sorted(files)]
    facts = [(file, stat.st_size, stat.st_mtime_ns) for file, stat in found]
    return hashlib.sha256(repr((facts, sys.version, np.__version__)).encode()).hexdigest()


def _modules(folder: str) -> Iterator[str]:
    """The Python modules in a folder. pathlib takes ten times as long, at each start."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path
            elif entry.is_dir():
                yield from _modules(entry.path)


def key_for(
    function: types.FunctionType, abstract: Any, values: Any, options: str, device: Any
) -> str | None:
    """The key of a function for a signature, or None if it can't be stored."""
    try:
        structure, leaves = abstract
        parts = (identity(function), _kinds(structure), [_leaf(leaf) for leaf in leaves], values)
        where = repr(_mesh_name(device.mesh)) if isinstance(device, Placement) else ""
    except Unstorable:
        return None
    device = device.mesh.devices[0] if isinstance(device, Placement) else device
    return key_of(["jit", _compiler(), pjrt.fingerprint(device), where, repr(parts), options])


def _leaf(leaf: Any) -> Any:
    if isinstance(leaf, tuple) and leaf and isinstance(leaf[0], np.dtype):
        return leaf[0].str, *map(_form, leaf[1:])
    if isinstance(leaf, type):
        return leaf.__module__, leaf.__qualname__
    return fingerprint(leaf)


def _form(part: Any) -> Any:
    return (part.spec, _mesh_name(part.mesh)) if isinstance(part, Sharding) else part


def _mesh_name(mesh: Mesh) -> Any:
    """The axes of a mesh, and the devices that a program for it is compiled for."""
    devices = mesh.devices
    # On GPUs, the processes of a job compile together: one that loads would be waited for.
    if not mesh.is_local and devices[0].platform != "cpu":
        raise Unstorable
    listed = [(device.id, device.process_index) for device in devices]
    return tuple(mesh.shape.items()), listed, devices[0].client.process_index()


def _kinds(structure: Any) -> Any:
    """A structure in which the names of classes replace the classes."""
    if structure is None:
        return None
    kind, keys, children = structure
    names = keys if kind is SAME or keys is None else list(map(fingerprint, keys))
    return _kind_name(kind), names, [_kinds(child) for child in children]


#: Node kinds that are not classes but markers, which are compared by identity.
_MARKS = {SAME: SAME, EITHER: EITHER, ONE_OF: ONE_OF, ROWS: ROWS}


def _kind_name(kind: Any) -> Any:
    if isinstance(kind, DefaultDict):
        if not isinstance(kind.factory, type):
            raise Unstorable
        return [class_name(kind.factory)]
    return kind if kind in _MARKS else class_name(kind)


def _kind_named(name: Any) -> Any:
    if isinstance(name, list):
        return DefaultDict(class_named(name[0]))
    return _MARKS[name] if name in _MARKS else class_named(name)


def find_static(key: str, count: int) -> frozenset[int]:
    """The leaf indices, less than `count`, that a function is known to specialise on."""
    data = Cache.default().get(key_of(["static", key]))
    try:
        found = json.loads(data) if data else []
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(
        type(each) is int and 0 <= each < count for each in found
    ):
        _report_unreadable(key)
        return frozenset()
    return frozenset(found)


def store_static(key: str, static: frozenset[int]) -> None:
    Cache.default().put(key_of(["static", key]), json.dumps(sorted(static)).encode())


def _report_unreadable(key: str) -> None:
    logger.warning("cache entry %s can't be read; the program is compiled again", key)


# Entries.


def find(
    key: str,
    function: types.FunctionType,
    count: int,
    device: Any,
    precise: Callable[[frozenset[Place]], Compiled],
) -> Compiled | None:
    """Load a program, if all that it depends on is unchanged.

    An entry whose content is no program, whatever it is, is ignored.

    Args:
        key: from `key_for`.
        function: the function that the program was compiled from.
        count: the number of its argument leaves.
        device: the device to load it for, or the placement of its arguments; None for the default
            device.
        precise: compiles the precise form of the program, with the numbers at these places as
            inputs.
    """
    data = Cache.default().get(key)
    if data is None:
        return None
    try:
        return _loaded(data, function, count, device, precise)
    except (AttributeError, LookupError, RuntimeError, Unstorable):
        # Something that the program depends on is not in this process.
        return None
    except Exception:
        _report_unreadable(key)
        return None


def _loaded(
    data: bytes,
    function: types.FunctionType,
    count: int,
    device: Any,
    precise: Callable[[frozenset[Place]], Compiled],
) -> Compiled | None:
    """The program of an entry, or None if what it depends on has changed."""
    end = 8 + int.from_bytes(data[:8], "little")
    facts = json.loads(data[8:end])
    for path, first, last, expected in facts["functions"]:
        if digest(lines_of(path, {})[first - 1 : last]) != expected:
            return None
    guards = _guards(facts["guards"], function)
    if guards is None or guards.failed() >= 0:
        return None
    signature = _signature(facts, function)
    libraries = []
    for name, size in facts["kernels"]:
        if not 0 <= size <= len(data) - end:
            raise ValueError("a kernel is cut off")
        libraries.append(load(name, data[end : end + size]))
        end += size
    call = KernelCall.from_json(facts["kernel_call"]) if facts["kernel_call"] else None
    executable: Executable
    if isinstance(device, Placement):
        executable = _on_mesh(facts["mesh"], device.mesh, data[end:])
    else:
        executable = load_program(call, libraries, data[end:], device)
    checks = [check_from_json(each) for each in facts["checks"]]
    _check_numbers(signature, count)
    make_precise = None if facts["precise"] else lambda: precise(guards.varying)
    return Compiled(
        signature, executable, checks, guards, make_precise, None, None, tuple(libraries)
    )


def store(key: str, function: types.FunctionType, lowered: Lowered, compiled: Compiled) -> None:
    """Store a compiled program, if another process can name all that it depends on."""
    is_bound = compiled.executable.calls_back or compiled.guards.are_of_process
    if Cache.default().folder is None or is_bound:
        return
    try:
        facts = _facts(lowered, compiled, function)
    except (Unstorable, TypeError):
        return
    call, libraries, code = kernels.machine_code(compiled)
    facts["kernel_call"] = call and call.to_json()
    if isinstance(compiled.executable, MeshExecutable):
        facts["mesh"] = _mesh_facts(compiled.executable)
    facts["kernels"] = [[name, len(library)] for name, library in libraries.items()]
    text = json.dumps(facts).encode()
    parts = [len(text).to_bytes(8, "little"), text, *libraries.values(), code]
    Cache.default().put(key, b"".join(parts))


def _mesh_facts(executable: MeshExecutable) -> Any:
    """The types of a program for a mesh, and where its outputs lie."""
    types = [[[t.str, list(shape)] for t, shape in each] for each in executable.types()]
    return types, [[o.spec and o.spec.entries, o.stays] for o in executable.outputs]


def _on_mesh(facts: Any, mesh: Mesh, code: bytes) -> MeshExecutable:
    inputs, made = ([(np.dtype(t), tuple(shape)) for t, shape in each] for each in facts[0])
    outputs = [
        Output(shape, dtype, None if spec is None else PartitionSpec(*spec), stays)
        for (dtype, shape), (spec, stays) in zip(made, facts[1], strict=True)
    ]
    return spmd.load(code, mesh, outputs, (inputs, made))


def _facts(lowered: Lowered, compiled: Compiled, function: types.FunctionType) -> dict[str, Any]:
    signature, guards = lowered.signature, compiled.guards
    names = Names(function, guards.origins)
    seen: dict[int, int] = {}
    _check_contents(guards.listed)
    return {
        "functions": sorted(map(text_of, lowered.functions)),
        "guards": [[names.of_place(g.place), *_fingerprint_of(g, seen)] for g in guards.listed],
        "inputs": [_stored_input(each, names) for each in signature.inputs],
        "result": _stored_structure(signature.result),
        "leaves": [leaf_to_json(leaf) for leaf in signature.leaves],
        "mutated": signature.mutated,
        "changes": [_stored_change(*change) for change in signature.changes],
        "outputs": [[list(shape), dtype.name] for shape, dtype in signature.outputs],
        "apart": [names.of(each) for each in signature.apart],
        "origins": signature.origins,
        "exceptions": {name: class_name(kind) for name, kind in signature.exceptions.items()},
        "checks": [check_to_json(check) for check in lowered.checks],
        "precise": compiled.variant[2] is None,
    }


def _signature(facts: dict[str, Any], function: types.FunctionType) -> Signature:
    return Signature(
        inputs=[_loaded_input(each, function) for each in facts["inputs"]],
        result=_loaded_structure(facts["result"]),
        leaves=[leaf_from_json(leaf) for leaf in facts["leaves"]],
        mutated=[(i, output) for i, output in facts["mutated"]],
        outputs=[(tuple(shape), np.dtype(dtype)) for shape, dtype in facts["outputs"]],
        changes=[(number, tuple(deleted)) for number, deleted in facts["changes"]],
        apart=tuple(object_named(each, function) for each in facts["apart"]),
        origins=facts["origins"],
        exceptions={name: class_named(kind) for name, kind in facts["exceptions"].items()},
    )


def _check_numbers(signature: Signature, count: int) -> None:
    """Check that the numbers in a signature for so many argument leaves are of something.

    Raises:
        ValueError: one is not.
    """
    inputs, outputs = len(signature.inputs), len(signature.outputs)
    most = {"out": outputs, "part": outputs, "column": outputs, "arg": inputs}
    given = [each for each in signature.inputs if isinstance(each, int)]
    numbers = [(kind, number) for kind, number, *_ in signature.leaves if kind in most]
    is_right = (
        len(signature.origins) == inputs
        and all(0 <= number < count for number in given)
        and all(0 <= number < most[kind] for kind, number in numbers)
        and all(0 <= i < inputs and 0 <= output < outputs for i, output in signature.mutated)
    )
    if not is_right:
        raise ValueError("a number in the signature is of nothing")


# Guards.


def _fingerprint_of(guard: Guard, seen: dict[int, int]) -> list[Any]:
    """What a guard expects, and fingerprints of the values that it found.

    Args:
        seen: numbers the mutable objects of a program by identity, so that the fingerprints say
            which guards found the same object.
    """
    held = guard.found if guard.place.read is Read.CONTENTS else (guard.found,)
    listed = []
    for kind, value in zip(guard.expected, held, strict=True):
        shown = type(value).__name__ if kind is Expected.TYPE else fingerprint(value)
        is_one = kind is Expected.VALUE and _has_identity(value)
        number = seen.setdefault(id(value), len(seen)) if is_one else -1
        listed.append([shown, number])
    return [list(map(int, guard.expected)), listed]


def _check_contents(guards: tuple[Guard, ...]) -> None:
    """Refuse containers of which no guard says what they hold: a fingerprint does not.

    The attributes of an instance are read one by one.
    """
    known = {id(each.place.owner) for each in guards if each.place.read is Read.CONTENTS}
    known.add(id(sys.modules))
    for each in guards:
        place = each.place
        is_fields = place.read is Read.ATTRIBUTE and place.name == "__dict__"
        held = each.found if place.read is Read.CONTENTS else (each.found,)
        for container in containers_in(tuple(held)) if not is_fields else ():
            if id(container) not in known:
                raise Unstorable


def _has_identity(value: Any) -> bool:
    """Whether two equal objects are different for a program, since they are mutable."""
    is_container = isinstance(value, (np.ndarray, list, dict, set, collections.deque))
    return is_container or hasattr(value, "__dict__") or is_instance(value)


def _guards(facts: list[Any], function: types.FunctionType) -> Guards | None:
    """The guards of an entry, or None if they don't hold in this process."""
    seen: dict[int, int] = {}
    origins: dict[int, Place] = {}
    listed = []
    varying = set()
    for name, expected, shown in facts:
        place = place_named(name, function)
        if Expected.NOTHING not in expected:
            _load(place)
        guard = Guard(place, place.find(), tuple(map(Expected, expected)))
        held = guard.found if place.read is Read.CONTENTS else (guard.found,)
        if len(held) != len(guard.expected) or _fingerprint_of(guard, seen) != [expected, shown]:
            return None
        listed.append(guard)
        origins.setdefault(id(guard.found), place)
        if place.read is not Read.CONTENTS and guard.expected[0].varies:
            varying.add(place)
        varying |= {element for element, at in guard.elements() if guard.expected[at].varies}
    return Guards(tuple(listed), origins, frozenset(varying))


def _load(place: Place) -> None:
    """Load the module at a place as the function would: by `import`, or by an attribute of another.

    What fails is found when the function is compiled.
    """
    if place.read is not Read.ITEM or place.find() is not MISSING:
        return
    module = sys.modules.get(place.owner.get("__name__"))
    with contextlib.suppress(Exception):
        if place.owner is sys.modules:
            importlib.import_module(place.name)
        elif module is not None and vars(module) is place.owner:
            getattr(module, place.name)


# Inputs, changes and structures.


def _stored_change(which: Any, deleted: tuple[str, ...]) -> Any:
    if not isinstance(which, int):
        # An object that is not an argument has no name that is sure to be the same elsewhere.
        raise Unstorable
    return [which, list(deleted)]


def _stored_input(source: Any, names: Names) -> Any:
    if not isinstance(source, Captured):
        return source
    if isinstance(source.place, Place):
        return ["varying", names.of_place(source.place), source.name]
    name = names.of(source.array)
    if name[0] != "place":
        raise Unstorable
    return ["array", name[1], source.name]


def _loaded_input(data: Any, function: types.FunctionType) -> Any:
    if isinstance(data, int):
        return data
    kind, where, name = data
    place = place_named(where, function)
    return Captured(place.find(), name, place if kind == "varying" else None)


def _stored_structure(structure: Any) -> Any:
    if structure is None:
        return None
    kind, keys, children = structure
    is_named = kind is not SAME and keys is not None
    names = [encode_value(key) for key in keys] if is_named else keys
    return [_kind_name(kind), names, [_stored_structure(child) for child in children]]


def _loaded_structure(data: Any) -> Any:
    if data is None:
        return None
    name, keys, children = data
    names = tuple(map(decode_value, keys)) if isinstance(keys, list) else keys
    return _kind_named(name), names, tuple(map(_loaded_structure, children))
