"""Direct calls: programs that C++ calls without running Python code.

`ingot_runtime._native.DirectCall` compares the arguments with the expected signature, checks the
guards, runs the program and makes the results. XLA's programs take copies of the inputs in staging
buffers; a program that is one native kernel takes the arrays themselves.
This module prepares its parameters from the key and the signature of a program. If anything differs
or a check fails, `Function._call` repeats the call from the start. Therefore programs with effects
are not called directly, and arguments are stored to only after the checks.
"""

from __future__ import annotations

import functools
import math
import types
from typing import Any

import numpy as np

from ingot.compiled import Compiled
from ingot_runtime import _native, buffers, clients, pjrt
from ingot_runtime.kernels import KernelExecutable
from ingot_runtime.program import Captured, Signature
from ingot_runtime.spmd import MeshExecutable
from ingot_runtime.trees import SAME, is_instance_class, rebuild

#: The most bytes of inputs that a call copies to staging buffers.
MOST_STAGED = 64 << 10
#: The values of `Leaf::Kind` and `ResultLeaf::Kind` in runtime/native.
_ARRAY, _NUMBER, _VALUE, _OBJECT = range(4)
_OUT_ARRAY, _OUT_NUMBER, _INPUT, _STATIC, _SAME, _PART = range(6)
#: Plain values are compared by value, and constants by identity, since they never change.
_PLAIN = (bool, int, float, str, type(None))
_CONSTANTS = (type, np.dtype, np.ufunc, types.FunctionType, types.BuiltinFunctionType)
#: The type of the status of run-time checks.
_STATUS = (), np.dtype(np.int32)

clients.WHEN_LEFT.append(_native.forget)


class _Unsuitable(Exception):
    """The program can't be called directly."""


def of(program: Compiled, abstract: Any, leaves: list[Any], epoch: int) -> Any:
    """The `DirectCall` of a program, made again if it is out of date; None if it can't have one.

    Args:
        abstract: the abstract signature: the structure and `abstract_of` of each leaf.
        leaves: the argument leaves of a call.
        epoch: the epoch of `_native` before the program was looked up.
    """
    executable = program.variant[0]
    if program.direct is not None:
        made_for, call = program.direct
        if call is None or (made_for is executable and call.is_current):
            return call
    try:
        call = _native.DirectCall(_parts(program, abstract, leaves, epoch))
    except _Unsuitable:
        call = None
    program.direct = executable, call
    return call


def _parts(program: Compiled, abstract: Any, leaves: list[Any], epoch: int) -> dict[str, Any]:
    """The parameters of `_native.DirectCall`."""
    signature = program.signature
    executable, checks, _ = program.variant
    if signature.changes or signature.apart or signature.prints:
        raise _Unsuitable
    structure, expected = abstract
    _check_arguments(structure, len(leaves))
    is_simple = _is_simple(signature.result)
    inputs = _inputs(signature, leaves)
    if isinstance(executable, KernelExecutable):
        how = {"kernel": _kernel(executable, program)}
    else:
        how = {"xla": _xla(executable, inputs)}
    return {
        **how,
        "epoch": epoch,
        "guards": program.guards.failed,
        "structure": structure,
        "expected": [
            _expected(expected[i], leaf, i in program.static) for i, leaf in enumerate(leaves)
        ],
        "inputs": inputs,
        "outputs": signature.outputs + ([_STATUS] if checks else []),
        "mutated": _mutated(signature, expected),
        "has_status": bool(checks),
        "leaves": [_result(*each) for each in signature.leaves],
        "result": signature.result if is_simple else None,
        "build": None if is_simple else functools.partial(rebuild, signature.result),
    }


def _kernel(executable: KernelExecutable, program: Compiled) -> dict[str, Any]:
    """The parameters of a program that is one native kernel."""
    overwritten = set(executable.call.parameters) & set(program.signature.mutated)
    # A call that fails has changed nothing.
    in_place = [] if program.variant[1] else [i for i, _ in overwritten]
    return {**executable.parts, "in_place": in_place}


def _xla(
    executable: pjrt.Executable | MeshExecutable, inputs: list[tuple[Any, ...]]
) -> dict[str, Any]:
    """The parameters of a program that XLA runs."""
    parts = executable.parts()
    if parts is None:
        raise _Unsuitable
    unread = parts["unread"]
    staged, size = [], 0
    for i, (_, _, dtype, shape) in enumerate(inputs):
        bytes_ = 0 if i in unread else math.prod(shape) * dtype.itemsize
        staged.append(size + bytes_ <= MOST_STAGED)
        size += bytes_ if staged[-1] else 0
    make_set = functools.partial(_make_set, inputs, staged, unread)
    return {**parts, "staged": staged, "make_set": make_set, "set": _first_set(make_set)}


def _check_arguments(structure: Any, count: int) -> None:
    """Refuse large trees, and containers that `_native` does not traverse."""
    rest, objects = [structure], count
    for kind, keys, children in filter(None, rest):
        if kind is SAME and keys < 0:
            continue
        is_known = kind in (list, dict) or _is_tuple(kind) or _is_plain_class(kind)
        if not is_known or any(type(key) is not str for key in keys or ()):
            raise _Unsuitable
        objects += not issubclass(kind, tuple)
        rest.extend(children)
    if objects > _native.MOST_ARGUMENTS:
        raise _Unsuitable


def _is_tuple(kind: Any) -> bool:
    is_tuple = isinstance(kind, type) and issubclass(kind, tuple)
    return is_tuple and (kind is tuple or hasattr(kind, "_fields"))


def _is_plain_class(kind: Any) -> bool:
    """Whether instances keep all of their attributes in their dict."""
    if not (isinstance(kind, type) and is_instance_class(kind) and kind.__dictoffset__):
        return False
    own = [vars(base) for base in kind.__mro__ if base is not object]
    return not any(each.get("__slots__") for each in own)


def _is_simple(structure: Any) -> bool:
    """Whether a result is a tree of tuples, lists and dicts without shared containers."""
    if structure is None:
        return True
    kind, _, children = structure
    return (kind in (list, dict) or _is_tuple(kind)) and all(map(_is_simple, children))


def _expected(abstract: Any, leaf: Any, is_static: bool) -> tuple[Any, ...]:
    """The condition that an argument leaf must meet, from its part of the key."""
    if type(leaf) in _PLAIN and (is_static or not isinstance(abstract, type)):
        return _VALUE, leaf
    if isinstance(leaf, np.ndarray) and not is_static:
        dtype, shape, *form = abstract
        strides, is_writable = form or (None, True)
        return _ARRAY, dtype, shape, strides, is_writable
    if isinstance(abstract, type) and not is_static:
        return _NUMBER, abstract
    if isinstance(leaf, _CONSTANTS):
        return _OBJECT, leaf
    raise _Unsuitable


def _inputs(signature: Signature, leaves: list[Any]) -> list[tuple[Any, ...]]:
    """For each input: its leaf index, or -1 and a function that returns a captured array; its
    dtype and shape."""
    found: list[tuple[Any, ...]] = []
    for source in signature.inputs:
        is_captured = isinstance(source, Captured)
        value = np.asarray(source.current() if is_captured else leaves[source])
        if not value.dtype.isnative:
            raise _Unsuitable
        where = (-1, source.current) if is_captured else (source, None)
        found.append((*where, value.dtype, value.shape))
    if len(found) > _native.MOST_ARGUMENTS:
        raise _Unsuitable
    return found


def _make_set(
    inputs: list[tuple[Any, ...]], staged: list[bool], unread: set[int]
) -> tuple[list[Any], list[Any]]:
    """The device buffers of the inputs, and the NumPy arrays that share their memory.

    Arrays that the program does not read are None: nothing is copied to their buffers.
    """
    pairs = [
        buffers.staged(shape, dtype) if is_staged else (None, None)
        for (_, _, dtype, shape), is_staged in zip(inputs, staged, strict=True)
    ]
    arrays = [None if i in unread else array for i, (array, _) in enumerate(pairs)]
    return [buffer for _, buffer in pairs], arrays


def _first_set(make_set: Any) -> Any:
    try:
        return make_set()
    except RuntimeError:
        raise _Unsuitable from None


def _mutated(signature: Signature, expected: tuple[Any, ...]) -> list[tuple[int, int]]:
    """The inputs that the program stores to: arguments in C order, which can't self-overlap."""
    for number, _ in signature.mutated:
        source = signature.inputs[number]
        if isinstance(source, Captured) or len(expected[source]) != 2:
            raise _Unsuitable
    return signature.mutated


def _result(kind: str, value: Any, *form: Any) -> tuple[Any, ...]:
    """The native form of an entry of `Signature.leaves`, which says how to make a result leaf."""
    if kind == "out":
        weak, is_array, layout = (*form, None)[:3]
        if is_array:
            return _OUT_ARRAY, value, None if layout is None else layout.laid
        return _OUT_NUMBER, value, bool(weak)
    if kind == "part":
        counts, order = form
        return _PART, value, tuple(counts), None if order is None else tuple(order)
    known = {"arg": _INPUT, "static": _STATIC, "leaf": _SAME}
    if kind not in known:
        raise _Unsuitable
    return known[kind], value
