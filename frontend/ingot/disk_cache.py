"""Compiled functions on disk: a second process needs no frontend, no passes and no XLA.

An entry holds what running needs (the signature, the checks, the executable) and what the program
was made from besides the function itself: the text of each file that a compiled function is from,
and each global that was read. It is used if all of these are as they were. What can't be told
apart so (objects of unknown classes, closures of inner functions) is not stored.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ingot.lowering import Compiled, Lowered, is_traced
from ingot.syntax.calls import Global, contents_of
from ingot.syntax.source import last_line, lines_of
from ingot_runtime import pjrt
from ingot_runtime.cache import Cache, key_of
from ingot_runtime.manifest import (
    check_from_json,
    decode_value,
    encode_value,
    leaf_from_json,
    leaf_to_json,
)
from ingot_runtime.program import Captured, Signature
from ingot_runtime.trees import LIBRARIES, is_record


class Unstorable(Exception):
    """Something of a program has no name by which another process would find it."""


@functools.cache
def _compiler() -> str:
    """Identifies this build of Ingot, and what its answers depend on."""
    root = Path(__file__).parent
    files = [*root.rglob("*.py"), *Path(pjrt.__file__).parent.glob("*.py")]
    files.append(Path(sys.modules["ingot._core"].__file__ or ""))
    facts = sorted((str(f), f.stat().st_size, f.stat().st_mtime_ns) for f in files)
    return hashlib.sha256(repr((facts, sys.version, np.__version__)).encode()).hexdigest()


def key_for(
    function: types.FunctionType, abstract: Any, values: Any, options: str, device: Any
) -> str | None:
    """The key of a function for a signature, or None if it can't be stored."""
    try:
        structure, leaves = abstract
        parts = (_identity(function), _kinds(structure), [_leaf(leaf) for leaf in leaves], values)
    except Unstorable:
        return None
    device = device or pjrt.default_device()
    return key_of(["jit", _compiler(), pjrt.fingerprint(device), repr(parts), options])


def _leaf(leaf: Any) -> Any:
    if isinstance(leaf, tuple) and len(leaf) == 2 and isinstance(leaf[0], np.dtype):
        return leaf[0].str, leaf[1]
    if isinstance(leaf, type):
        return leaf.__module__, leaf.__qualname__
    return _fingerprint(leaf)


def _kinds(structure: Any) -> Any:
    """A structure with the names of its classes, and those of their definitions."""
    if structure is None:
        return None
    kind, keys, children = structure
    return _class_name(kind), keys, [_kinds(child) for child in children]


def find_static(key: str) -> frozenset[int]:
    """The argument leaves that the function was found to specialise on."""
    data = Cache.default().get(key_of(["static", key]))
    return frozenset(json.loads(data)) if data else frozenset()


def store_static(key: str, static: frozenset[int]) -> None:
    Cache.default().put(key_of(["static", key]), json.dumps(sorted(static)).encode())


# Entries.


def find(key: str, device: Any, precise: Callable[[], Compiled]) -> Compiled | None:
    """The stored program, if all that it was made from is as it was.

    Args:
        precise: compiles the program with each check in its place.
    """
    data = Cache.default().get(key)
    if data is None:
        return None
    end = 8 + int.from_bytes(data[:8], "little")
    facts = json.loads(data[8:end])
    for path, first, last, digest in facts["functions"]:
        if _digest(lines_of(path, {})[first - 1 : last]) != digest:
            return None
    read: list[Global] = []
    for module, name, expected in facts["globals"]:
        namespace = _namespace(module)
        if namespace is None or name not in namespace:
            return None
        value = namespace[name]
        try:
            if _fingerprint(value) != expected:
                return None
        except Unstorable:
            return None
        read.append(Global(namespace, name, value, contents_of(value)))
    try:
        signature = _signature(facts)
        device = device or pjrt.default_device()
        executable = pjrt.load_executable(data[end:], device)
    except (LookupError, AttributeError, RuntimeError):
        return None
    checks = [check_from_json(each) for each in facts["checks"]]
    return Compiled(signature, executable, checks, read, None if facts["precise"] else precise)


def store(key: str, lowered: Lowered, compiled: Compiled) -> None:
    """Store a program that was just compiled, if another process can find what it is made of."""
    executable = compiled.executable
    if Cache.default().folder is None or executable.calls_back:
        return
    try:
        facts = _facts(lowered)
    except (Unstorable, TypeError):
        return
    text = json.dumps(facts).encode()
    Cache.default().put(key, len(text).to_bytes(8, "little") + text + executable.serialize())


def _facts(lowered: Lowered) -> dict[str, Any]:
    signature = lowered.signature
    found = []
    for read in lowered.globals_read:
        module = _module_of(read.namespace)
        found.append([module, read.name, _fingerprint(read.value)])
    inputs = [
        _path_to(source.array, lowered.globals_read) if isinstance(source, Captured) else source
        for source in signature.inputs
    ]
    return {
        "functions": sorted(map(_text_of, lowered.functions)),
        "globals": found,
        "inputs": inputs,
        "result": _stored_structure(signature.result),
        "leaves": [leaf_to_json(leaf) for leaf in signature.leaves],
        "mutated": signature.mutated,
        "outputs": [[list(shape), dtype.name] for shape, dtype in signature.outputs],
        "origins": signature.origins,
        "checks": [dataclasses.asdict(check) for check in lowered.checks],
        "precise": lowered.is_precise,
    }


def _signature(facts: dict[str, Any]) -> Signature:
    return Signature(
        inputs=[i if isinstance(i, int) else Captured(_at(i)) for i in facts["inputs"]],
        result=_loaded_structure(facts["result"]),
        leaves=[leaf_from_json(leaf) for leaf in facts["leaves"]],
        mutated=[(i, output) for i, output in facts["mutated"]],
        outputs=[(tuple(shape), np.dtype(dtype)) for shape, dtype in facts["outputs"]],
        origins=facts["origins"],
    )


# Names by which another process finds what this one has.


def _text_of(code: types.CodeType) -> tuple[str, int, int, str]:
    """The file of a function, its first and last line, and the SHA-256 of these lines."""
    lines = lines_of(code.co_filename, {})
    if len(lines) < code.co_firstlineno:
        raise Unstorable
    first, last = code.co_firstlineno, last_line(code, lines)
    return code.co_filename, first, last, _digest(lines[first - 1 : last])


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _namespace(module: str) -> dict[str, Any] | None:
    return vars(sys.modules[module]) if module in sys.modules else None


def _module_of(namespace: Any) -> str:
    name = namespace.get("__name__") if isinstance(namespace, dict) else None
    if not isinstance(name, str) or _namespace(name) is not namespace:
        raise Unstorable
    return name


def _class_name(kind: type) -> str:
    found: Any = sys.modules.get(kind.__module__)
    for part in kind.__qualname__.split("."):
        found = getattr(found, part, None)
    if found is not kind:
        raise Unstorable
    return f"{kind.__module__}:{kind.__qualname__}"


def _class(name: str) -> Any:
    module, _, path = name.partition(":")
    return functools.reduce(getattr, path.split("."), sys.modules[module])


def _stored_structure(structure: Any) -> Any:
    if structure is None:
        return None
    kind, keys, children = structure
    names = None if keys is None else [encode_value(key) for key in keys]
    return [_class_name(kind), names, [_stored_structure(child) for child in children]]


def _loaded_structure(data: Any) -> Any:
    if data is None:
        return None
    name, keys, children = data
    names = None if keys is None else tuple(map(decode_value, keys))
    return _class(name), names, tuple(map(_loaded_structure, children))


def _identity(function: types.FunctionType) -> Any:
    """A function by its source; what it reads is looked at when an entry is found."""
    if function.__closure__:
        raise Unstorable
    defaults = [function.__defaults__ or (), function.__kwdefaults__ or {}]
    return function.__qualname__, *_text_of(function.__code__), _fingerprint(defaults)


def _fingerprint(value: Any) -> Any:
    """What tells a value from others that would give another program, as JSON has it."""
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return [type(value).__name__, repr(value)]
    if isinstance(value, (np.generic, np.dtype)):
        return ["numpy", type(value).__name__, repr(value)]
    if isinstance(value, np.ndarray):
        # What it holds is read at each call.
        return ["array", value.dtype.str, list(value.shape)]
    if isinstance(value, types.ModuleType):
        return ["module", value.__name__]
    value = getattr(value, "__ingot_function__", value)
    module = getattr(value, "__module__", None) or ""
    if module.partition(".")[0] in (*LIBRARIES, "builtins", "math", "operator"):
        name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
        if name is None:
            raise Unstorable
        return ["library", module, name]
    if isinstance(value, types.FunctionType):
        return ["function", *map(str, _identity(value))]
    named_tuple = getattr(value, "_field_defaults", None)
    if isinstance(value, type) and named_tuple is not None:
        fields = list(getattr(value, "_fields", ()))
        return ["namedtuple", _class_name(value), fields, _fingerprint(named_tuple)]
    if isinstance(value, type):
        return ["class", _class_name(value), _digest(lines_of(_file_of(value), {}))]
    if isinstance(value, dict):
        return ["dict", [[_fingerprint(k), _fingerprint(v)] for k, v in value.items()]]
    if isinstance(value, (list, tuple)):
        return [_class_name(type(value)), [_fingerprint(each) for each in value]]
    if is_record(value) and not is_traced(value):
        return ["record", _fingerprint(type(value)), _fingerprint(vars(value))]
    raise Unstorable


def _file_of(kind: type) -> str:
    path = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if not path:
        raise Unstorable
    return path


def _path_to(array: np.ndarray, read: list[Global]) -> list[Any]:
    """How to get to an array from a global: its module, its name, and keys or attributes."""
    for each in read:
        steps = _steps_to(array, each.value)
        if steps is not None:
            return [_module_of(each.namespace), each.name, steps]
    raise Unstorable


def _steps_to(array: np.ndarray, value: Any) -> list[Any] | None:
    if value is array:
        return []
    if isinstance(value, dict):
        items = [(["item", encode_value(key)], each) for key, each in value.items()]
    elif isinstance(value, (list, tuple)):
        items = [(["item", i], each) for i, each in enumerate(value)]
    elif is_record(value):
        items = [(["attribute", name], each) for name, each in vars(value).items()]
    else:
        return None
    for step, each in items:
        steps = _steps_to(array, each)
        if steps is not None:
            return [step, *steps]
    return None


def _at(path: list[Any]) -> Any:
    module, name, steps = path
    value = vars(sys.modules[module])[name]
    for kind, key in steps:
        value = value[decode_value(key)] if kind == "item" else getattr(value, key)
    return value
