"""The description of entry points in `manifest.json`, as objects."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ingot_runtime import old_checks, thrown
from ingot_runtime.layout import Layout
from ingot_runtime.pjrt import Type
from ingot_runtime.program import Check
from ingot_runtime.sizes import Bounds, Size
from ingot_runtime.thrown import Thrown
from ingot_runtime.trees import describe, paths_of, structure_of
from ingot_runtime.weights import NAMES

#: The names of the dtypes that arrays may have.
DTYPES = frozenset([*NAMES, "complex64", "complex128"])
#: Python's number types by name.
PYTHON_NUMBERS: dict[str, type] = {t.__name__: t for t in (bool, int, float, complex)}
#: The name of NumPy's bool as a number; that of its dtype is also the name of Python's.
NUMPY_BOOL = "bool_"
_KINDS = ("array", "scalar", "static")
Pairs: TypeAlias = list[tuple[int, int]]
ENTRY_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Leaf:
    """A leaf of the arguments or results of an entry point.

    Attributes:
        name: its name in errors and servers: the parameter and the keys to the leaf, with dots.
        kind: "array", "scalar" (a number) or "static" (a value that the artifact fixes).
        dtype: the name of its NumPy dtype, or of a Python number type, where a number that is
            NumPy's bool has the name "bool_"; "" if it is static.
        shape: the shape of an array; () for other kinds.
        value: the static value; None for other kinds.
    """

    name: str
    kind: str
    dtype: str = ""
    shape: tuple[Size, ...] = ()
    value: Any = None

    @property
    def numpy_dtype(self) -> np.dtype:
        return np.dtype(PYTHON_NUMBERS.get(self.dtype, self.dtype))

    def __str__(self) -> str:
        """The spec in the form of `ingot compile --arg`, for example float32[n,784]."""
        if self.kind == "static":
            return repr(self.value)
        shape = ",".join(map(str, self.shape))
        return f"{self.dtype}[{shape}]" if self.kind == "array" else self.dtype

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"name": self.name, "kind": self.kind}
        if self.kind == "static":
            return {**found, "value": encode_value(self.value)}
        if self.kind == "array":
            found["shape"] = sizes_to_json(self.shape)
        return {**found, "dtype": self.dtype}

    @staticmethod
    def from_json(data: Any) -> Leaf:
        kind = _one_of(data["kind"], _KINDS)
        if kind == "static":
            return Leaf(_text(data["name"]), kind, value=decode_value(data["value"]))
        shape = sizes_from_json(data["shape"]) if kind == "array" else ()
        leaf = Leaf(_text(data["name"]), kind, _text(data["dtype"]), shape)
        if kind == "array" or leaf.dtype not in (*PYTHON_NUMBERS, NUMPY_BOOL):
            dtype_named(leaf.dtype)
        return leaf


@dataclass(frozen=True)
class Variant:
    """One program of an entry point, in fast or precise form.

    Attributes:
        module: the name of the member with the portable StableHLO.
        checks: its run-time checks.
        literals: the integers in the module that stand for sizes, and these sizes.
    """

    module: str
    checks: tuple[Check, ...]
    literals: dict[str, Size]

    def to_json(self) -> dict[str, Any]:
        return {
            "module": self.module,
            "checks": [check_to_json(check) for check in self.checks],
            "literals": {number: str(size) for number, size in self.literals.items()},
        }

    @staticmethod
    def from_json(data: Any) -> Variant:
        checks = tuple(map(check_from_json, _list(data["checks"])))
        literals = {_text(k): Size.of(_text(v)) for k, v in data["literals"].items()}
        return Variant(_text(data["module"]), checks, literals)


class KernelCall(NamedTuple):
    """A program that calls one native kernel and does nothing else.

    Attributes:
        kernel: the name of the kernel.
        inputs: the dtypes and shapes of the program's inputs.
        outputs: those of its outputs; the last is the status of the checks, if it has any.
        parameters: the input and the output that each parameter of the kernel is, or -1. A
            parameter that is both is overwritten in place.
        passed: the pairs (input, output) of outputs that are inputs.
        repeated: the pairs (output, later output) of outputs that are the same.
        lengths: the inputs of shape () that tell the lengths of the kernel's loops; None if other
            values tell them, too.
    """

    kernel: str
    inputs: list[Type]
    outputs: list[Type]
    parameters: Pairs
    passed: Pairs
    repeated: Pairs
    lengths: list[int] | None

    def to_json(self) -> dict[str, Any]:
        types = {
            name: [[dtype.name, list(shape)] for dtype, shape in each]
            for name, each in (("inputs", self.inputs), ("outputs", self.outputs))
        }
        return {**self._asdict(), **types}

    @staticmethod
    def from_json(data: Any) -> KernelCall:
        inputs, outputs = (list(map(_type, _list(data[name]))) for name in ("inputs", "outputs"))
        parameters = [(_place(i), _place(output)) for i, output in map(_list, data["parameters"])]
        passed, repeated = (list(map(_pair, _list(data[name]))) for name in ("passed", "repeated"))
        lengths = None if data["lengths"] is None else list(map(_count, _list(data["lengths"])))
        return KernelCall(
            _text(data["kernel"]), inputs, outputs, parameters, passed, repeated, lengths
        )


@dataclass(frozen=True)
class Native:
    """Machine code that computes what the program "fast" does.

    Attributes:
        fingerprint: of the machines that it is for, see `pjrt.fingerprint`.
        target: the same in words, without the features of the processor.
        kernels: the names of the members with its native kernels, by the names of these.
        call: how it calls its kernel, if it does nothing else.
        executable: the name of the member with XLA's executable, which calls the kernels; None if
            there is a `call`.
        checks: its run-time checks.
    """

    fingerprint: str
    target: str
    kernels: dict[str, str]
    call: KernelCall | None
    executable: str | None
    checks: tuple[Check, ...]

    @property
    def members(self) -> list[str]:
        """The names of its members."""
        return [*self.kernels.values(), *([self.executable] if self.executable else [])]

    def to_json(self) -> dict[str, Any]:
        return {
            "fingerprint": self.fingerprint,
            "target": self.target,
            "kernels": self.kernels,
            "call": self.call and self.call.to_json(),
            "executable": self.executable,
            "checks": [check_to_json(check) for check in self.checks],
        }

    @staticmethod
    def from_json(data: Any) -> Native:
        return Native(
            fingerprint=_text(data["fingerprint"]),
            target=_text(data["target"]),
            kernels={_text(name): _text(member) for name, member in data["kernels"].items()},
            call=None if data["call"] is None else KernelCall.from_json(data["call"]),
            executable=None if data["executable"] is None else _text(data["executable"]),
            checks=tuple(map(check_from_json, _list(data["checks"]))),
        )


@dataclass(frozen=True)
class Length:
    """A length in a result shape that each call computes.

    Attributes:
        output: the index of the program output, an int64, that is the length.
        most: its upper bound.
    """

    output: int
    most: Size

    def to_json(self) -> dict[str, Any]:
        return {"output": self.output, "most": sizes_to_json([self.most])[0]}

    @staticmethod
    def from_json(data: Any) -> Length:
        return Length(_count(data["output"]), *sizes_from_json([data["most"]]))


@dataclass(frozen=True)
class MeshFacts:
    """The mesh that the programs of an entry point are for.

    Attributes:
        shape: the number of devices along each axis, by name.
        outputs: for each output of the programs, the entries of its `PartitionSpec`, or None if
            XLA chooses, and whether it stays on the devices.
    """

    shape: dict[str, int]
    outputs: tuple[tuple[tuple[tuple[str, ...], ...] | None, bool], ...]

    def to_json(self) -> dict[str, Any]:
        outputs = [
            [None if spec is None else [list(entry) for entry in spec], stays]
            for spec, stays in self.outputs
        ]
        return {"shape": self.shape, "outputs": outputs}

    @staticmethod
    def from_json(data: Any) -> MeshFacts:
        shape = {_text(name): _count(size) for name, size in data["shape"].items()}
        if not shape or 0 in shape.values():
            raise ValueError("the shape of its mesh")
        outputs = []
        for spec, stays in map(_list, _list(data["outputs"])):
            entries = (
                None
                if spec is None
                else tuple(tuple(map(_text, _list(entry))) for entry in _list(spec))
            )
            if not {name for entry in entries or () for name in entry} <= shape.keys():
                raise ValueError("an axis of its mesh")
            outputs.append((entries, _flag(stays)))
        return MeshFacts(shape, tuple(outputs))


@dataclass(frozen=True)
class EntryFacts:
    """The part of the manifest about an entry point.

    Attributes:
        parameters: the names of the positional parameters.
        structure: the structure of (args, kwargs); its leaves are `arguments`.
        arguments: the argument leaves.
        result: the structure of the result; its leaves are `results`.
        results: the result leaves.
        inputs: for each input of the programs, an argument leaf index or the name of a weight.
        outputs: the dtype and shape of each output of the programs, without the status.
        leaves: how each result leaf is made; see `program.Signature`.
        mutated: pairs (input, output) of the arguments that the programs store to.
        origins: the parameter of each input, for error messages.
        prints: whether the programs print.
        sizes: the named dimensions and their inclusive bounds.
        batch: the named dimension along which calls can be joined, or None.
        variants: the programs "fast" and, if it differs, "precise".
        native: machine code for one kind of machine, or None.
        strict_fp: whether each floating-point operation rounds separately.
        lengths: the lengths of results that each call computes, by name.
        mesh: the mesh that the programs are for, or None for one device.
    """

    parameters: tuple[str, ...]
    structure: Any
    arguments: tuple[Leaf, ...]
    result: Any
    results: tuple[Leaf, ...]
    inputs: tuple[int | str, ...]
    outputs: tuple[tuple[str, tuple[Size, ...]], ...]
    leaves: tuple[tuple, ...]
    mutated: tuple[tuple[int, int], ...]
    origins: tuple[str, ...]
    prints: bool
    sizes: dict[str, Bounds]
    batch: str | None
    variants: dict[str, Variant]
    native: Native | None = None
    strict_fp: bool = False
    lengths: dict[str, Length] = field(default_factory=dict)
    mesh: MeshFacts | None = None

    @property
    def mesh_shape(self) -> dict[str, int]:
        """The number of devices along each axis of its mesh; none for one device."""
        return self.mesh.shape if self.mesh is not None else {}

    @property
    def format(self) -> int:
        """The oldest artifact format that can represent this entry point."""
        checks = [check for each in self.variants.values() for check in each.checks]
        checks += self.native.checks if self.native is not None else ()
        if any(check.raised for check in checks):
            return 5
        if self.mesh is not None:
            return 4
        return 3 if self.lengths else 2

    @property
    def changed(self) -> list[int]:
        """The leaf indices of the arguments that the programs store to."""
        sources = [self.inputs[i] for i, _ in self.mutated]
        return [source for source in sources if isinstance(source, int)]

    def to_json(self) -> dict[str, Any]:
        return {
            "parameters": list(self.parameters),
            "structure": describe(self.structure),
            "arguments": [leaf.to_json() for leaf in self.arguments],
            "result": describe(self.result),
            "results": [leaf.to_json() for leaf in self.results],
            "inputs": list(self.inputs),
            "outputs": [[dtype, sizes_to_json(shape)] for dtype, shape in self.outputs],
            "leaves": [leaf_to_json(leaf) for leaf in self.leaves],
            "mutated": [list(pair) for pair in self.mutated],
            "origins": list(self.origins),
            "prints": self.prints,
            "sizes": {name: list(bounds) for name, bounds in self.sizes.items()},
            "batch": self.batch,
            "strict_fp": self.strict_fp,
            "variants": {name: each.to_json() for name, each in self.variants.items()},
            # Earlier readers look for executables here.
            "natives": [],
            **self._optional_to_json(),
        }

    def _optional_to_json(self) -> dict[str, Any]:
        lengths = {name: each.to_json() for name, each in self.lengths.items()}
        return {
            **({"lengths": lengths} if lengths else {}),
            **({"native": self.native.to_json()} if self.native else {}),
            **({"mesh": self.mesh.to_json()} if self.mesh else {}),
        }

    @staticmethod
    def from_json(data: Any) -> EntryFacts:
        """The inverse of `to_json`; `validation` checks that the parts are consistent.

        Raises:
            The classes in `validation.MALFORMED`: a field is missing or malformed.
        """
        return EntryFacts(
            parameters=tuple(map(_text, _list(data["parameters"]))),
            structure=structure_of(data["structure"]),
            arguments=tuple(map(Leaf.from_json, _list(data["arguments"]))),
            result=structure_of(data["result"]),
            results=tuple(map(Leaf.from_json, _list(data["results"]))),
            inputs=tuple(
                each if type(each) is int else _text(each) for each in _list(data["inputs"])
            ),
            outputs=tuple(map(_output, _list(data["outputs"]))),
            leaves=tuple(map(leaf_from_json, _list(data["leaves"]))),
            mutated=tuple(map(_pair, _list(data["mutated"]))),
            origins=tuple(map(_text, _list(data["origins"]))),
            prints=_flag(data["prints"]),
            sizes={_text(n): _bounds(b) for n, b in data["sizes"].items()},
            batch=None if data["batch"] is None else _text(data["batch"]),
            variants={_text(n): Variant.from_json(v) for n, v in data["variants"].items()},
            native=Native.from_json(data["native"]) if "native" in data else None,
            # Early files of format 2 lack this field, but their programs are strict if needed.
            strict_fp=_flag(data.get("strict_fp", False)),
            lengths={_text(n): Length.from_json(v) for n, v in data.get("lengths", {}).items()},
            mesh=MeshFacts.from_json(data["mesh"]) if "mesh" in data else None,
        )


def part_shape(
    shape: Sequence[Size],
    counts: Iterable[tuple[int, int]],
    lengths: Mapping[str, Length],
) -> tuple[Size, ...]:
    """The shape of the valid part of an array whose lengths are known only at run time.

    Args:
        shape: the shape of the whole array.
        counts: pairs of an axis and the program output that is its length.
        lengths: the lengths by name.

    Raises:
        LookupError: a length is not in `lengths`, or there is no such axis.
    """
    names = {each: name for name, each in lengths.items()}
    found = list(shape)
    for axis, output in counts:
        found[axis] = Size.of(names[Length(output, shape[axis])])
    return tuple(found)


def argument_names(structure: Any, parameters: Sequence[str]) -> list[str]:
    """The names of the leaves of positional and keyword arguments."""
    positional, named = structure[2]
    trees = [
        *zip(parameters, positional[2], strict=True),
        *zip(named[1], named[2], strict=True),
    ]
    return [path for name, tree in trees for path in paths_of(tree, name)]


def result_names(structure: Any) -> list[str]:
    """The names of the leaves of a result."""
    names = [path or "output" for path in paths_of(structure)]
    return [f"output.{name}" if name[0].isdigit() else name for name in names]


def sizes_to_json(shape: Iterable[Size]) -> list[int | str]:
    return [str(s) if s.constant is None else s.constant for s in shape]


def sizes_from_json(data: Any) -> tuple[Size, ...]:
    return tuple(Size.of(each if isinstance(each, str) else _count(each)) for each in _list(data))


def encode_value(value: Any) -> Any:
    """A static value as a JSON value.

    Raises:
        TypeError: it is not a number, a string or None.
    """
    if value is None or type(value) in (bool, int, str):
        return value
    # An extended float has no Python number.
    is_number = isinstance(value, np.generic) and value.dtype.kind in "biufc"
    if is_number and value.dtype.char not in "gG":
        return {"numpy": value.dtype.name, "value": encode_value(value.item())}
    if type(value) is float:
        return {"float": value.hex()}
    if type(value) is complex:
        return {"complex": [value.real.hex(), value.imag.hex()]}
    raise TypeError(f"a {type(value).__name__} can't be part of an artifact")


def decode_value(data: Any) -> Any:
    if not isinstance(data, dict):
        if data is not None and type(data) not in (bool, int, str):
            raise TypeError(f"{data!r:.80} is not a value")
        return data
    if "float" in data:
        return float.fromhex(data["float"])
    if "complex" in data:
        real, imaginary = _list(data["complex"])
        return complex(float.fromhex(real), float.fromhex(imaginary))
    return dtype_named(data["numpy"]).type(decode_value(data["value"]))


def dtype_named(name: Any) -> np.dtype:
    """The dtype of this name. NumPy would take others, and evaluate expressions in them.

    Raises:
        ValueError: arrays can't have it.
    """
    if not isinstance(name, str) or name not in DTYPES:
        raise ValueError(f"{name!r:.80} is no dtype")
    return np.dtype(name)


#: The JSON field with the number of a leaf, by its kind.
_NUMBERED = {"arg": "input", "object": "container", "leaf": "leaf"}


def leaf_to_json(leaf: tuple) -> dict[str, Any]:
    kind, value, *rest = leaf
    if kind == "static":
        return {"static": encode_value(value)}
    if kind == "part":
        counts, order = rest
        return {"part": value, "counts": [list(pair) for pair in counts], "order": order}
    if kind == "column":
        count, kind_of_number = rest
        name = kind_of_number.__name__ if kind_of_number else None
        return {"column": value, "count": count, "weak": name}
    if kind != "out":
        if not isinstance(value, int):
            raise TypeError("an object from outside of the arguments can't be described")
        return {_NUMBERED[kind]: value}
    weak, is_array, *layouts = rest
    found = {"output": value, "weak": weak.__name__ if weak else None, "array": is_array}
    return {**found, "layout": layouts[0].to_json()} if layouts else found


def leaf_from_json(data: Any) -> tuple:
    if "static" in data:
        return ("static", decode_value(data["static"]))
    for kind, name in _NUMBERED.items():
        if name in data:
            return (kind, _count(data[name]))
    if "part" in data:
        counts, order = tuple(map(_pair, _list(data["counts"]))), data["order"]
        order = None if order is None else tuple(map(_count, _list(order)))
        return ("part", _count(data["part"]), counts, order)
    weak = None if data["weak"] is None else PYTHON_NUMBERS[data["weak"]]
    if "column" in data:
        return ("column", _count(data["column"]), _count(data["count"]), weak)
    layouts = (Layout.from_json(data["layout"]),) if "layout" in data else ()
    return ("out", _count(data["output"]), weak, _flag(data["array"]), *layouts)


def check_to_json(check: Check) -> dict[str, Any]:
    facts = {f.name: getattr(check, f.name) for f in dataclasses.fields(Check)}
    error = facts.pop("raised")
    return facts if error is None else {**facts, "raised": error.to_json()}


def check_from_json(data: Any) -> Check:
    """The inverse of `check_to_json`; up to format 4, messages had marks in place of `raised`."""
    names = ("exception", "message", "filename", "excerpt")
    facts: dict[str, Any] = {name: _text(data[name]) for name in names}
    facts |= {name: _count(data[name]) for name in ("line", "column")}
    if "number" not in data:
        return old_checks.of(Check(**facts))
    error = thrown.from_json(data["raised"]) if "raised" in data else None
    if not isinstance(error, Thrown | None):
        raise TypeError("the exception of a check is none")
    assumption, number = _text(data["assumption"]), _count(data["number"])
    return Check(**facts, assumption=assumption, number=number, raised=error)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r:.80} is not a list")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.80} is not a string")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r:.80} is neither true nor false")
    return value


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**63:
        raise TypeError(f"{value!r:.80} is not a count")
    return value


def _place(value: Any) -> int:
    """A count, or -1 for none."""
    return -1 if value == -1 else _count(value)


def _one_of(value: Any, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise ValueError(f"{value!r:.80} is none of {', '.join(choices)}")
    return value


def _pair(data: Any) -> tuple[int, int]:
    first, second = _list(data)
    return _count(first), _count(second)


def _output(data: Any) -> tuple[str, tuple[Size, ...]]:
    dtype, shape = _list(data)
    return dtype_named(dtype).name, sizes_from_json(shape)


def _type(data: Any) -> Type:
    dtype, shape = _list(data)
    return dtype_named(dtype), tuple(map(_count, _list(shape)))


def _bounds(data: Any) -> Bounds:
    low, high = _list(data)
    return _count(low), None if high is None else _count(high)
