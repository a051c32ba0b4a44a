"""Hostile and damaged artifacts, made of good ones by seeds: what loads them must not care."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from pathlib import Path
from typing import Any

from ingot_runtime import stablehlo
from ingot_runtime.container import write

Parts = tuple[dict[str, Any], dict[str, bytes]]

#: The version of StableHLO that artifacts use.
VERSION = "1.3.0"
NUMBERS = (
    0, 1, 2, 3, 5, 7, 8, 64, -1, -2, 2**31 - 1, 2**31, 2**32, 2**40, 2**62, 2**63 - 1, -(2**63)
)  # fmt: skip
ELEMENTS = (
    "i1", "i8", "i32", "i64", "ui8", "ui64", "f16", "bf16", "f32", "f64", "complex<f32>",
    "complex<f64>", "i4", "f8E4M3FN", "!quant.uniform<i8:f32, 1.0>",
)  # fmt: skip

# Calls that a module may ask for, with their options.

TARGETS = {
    "ingot.numpy.gufunc":
        'name = "UFUNC", dims = array<i64: NUMBER, NUMBER>, steps = array<i64: NUMBER, NUMBER>',
    "ingot.numpy.ufunc": 'name = "UFUNC"',
    "ingot.numpy.ufunc_at": 'name = "UFUNC", places = array<i64: NUMBER>',
    "ingot.numpy.accumulate": 'name = "add", shape = array<i64: 1, NUMBER, NUMBER>',
    "ingot.numpy.sort": "shape = array<i64: NUMBER, NUMBER, 1>, stable = true",
    "ingot.numpy.argsort": "shape = array<i64: NUMBER, NUMBER, 1>, stable = false",
    "ingot.print": 'format = "FORMAT"',
    "ingot.print.unordered": "callback = NUMBER : i64",
    "ingot.strict_fp": "",
    "xla_ffi_python_cpu_callback": "index = NUMBER : ui64",
    "xla_ffi_partitioned_python_cpu_callback": "index = NUMBER : ui64",
    "xla_python_cpu_callback": "",
    "lapack_dgetrf_ffi": "",
    "lapack_dgeqrf_ffi": "",
    "lapack_dorgqr_ffi": "",
    "lapack_dpotrf_ffi": "uplo = 76 : ui8",
    "lapack_dtrsm_ffi": "diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8",
    "lapack_dsyevd_ffi": "mode = 86 : ui8, uplo = NUMBER : i64",
    "lapack_dgesdd_ffi": "mode = 65 : ui8",
    "lapack_dgehrd_ffi": "high = NUMBER : i32, low = NUMBER : i32",
    "Sharding": "", "SPMDFullToShardShape": "", "MoveToHost": "", "annotate_device_placement": "",
    "AllocateBuffer": "", "Pin": "", "PadToStatic": "", "SliceToDynamic": "", "TopK": "",
    "__onednn$matmul": "", "ApproxTopK": "top_k = NUMBER : i64", "nothing": "",
}  # fmt: skip
FORMATS = (
    "{}", "{0.__class__.__mro__}", "{:NUMBER}", "{:.NUMBERf}", "{!r}{}", "{:{}}", "{[0]}",
    "{", "\\00NUMBER\\00{}", "{:%Y}",
)  # fmt: skip
UFUNCS = ("negative", "add", "matmul", "svd_f", "solve", "fft", "frompyfunc", "lstsq")

# Mutations of a module's text.


def _line_of(text: str, rng: random.Random) -> tuple[list[str], int]:
    lines = text.splitlines()
    return lines, rng.randrange(1, max(len(lines) - 1, 2))


def _filled(text: str, rng: random.Random) -> str:
    """A text with choices for what it leaves open."""
    text = text.replace("FORMAT", rng.choice(FORMATS)).replace("UFUNC", rng.choice(UFUNCS))
    return re.sub("NUMBER", lambda _: str(rng.choice(NUMBERS)), text)


def a_number(text: str, rng: random.Random) -> str:
    """One integer, in a type or an attribute."""
    found = list(re.finditer(r"(?<![\w%#@.])-?\d+(?![\w.]*\")", text))
    if not found:
        return text
    place = rng.choice(found)
    return f"{text[: place.start()]}{rng.choice(NUMBERS)}{text[place.end() :]}"


def a_size_everywhere(text: str, rng: random.Random) -> str:
    """One extent of tensors, in all of the text."""
    sizes = re.findall(r"(?<=[<x])\d+(?=x)", text)
    if not sizes:
        return text
    size, new = rng.choice(sizes), abs(rng.choice(NUMBERS))
    return re.sub(rf"(?<=[<x]){size}(?=x)", str(new), text)


def an_element_type(text: str, rng: random.Random) -> str:
    """One element type, in one line or in all of the text."""
    kinds = re.findall(r"(?<=[<x])(?:u?i\d+|f\d+|complex<f\d+>)(?=>)", text)
    if not kinds:
        return text
    kind, new = rng.choice(kinds), rng.choice(ELEMENTS)
    return re.sub(rf"(?<=[<x]){re.escape(kind)}(?=>)", new, text, count=rng.choice((0, 1)))


def an_operand(text: str, rng: random.Random) -> str:
    """One operand in place of another."""
    lines, at = _line_of(text, rng)
    names = re.findall(r"%\w+(?:#\d+)?", text)
    used = list(re.finditer(r"%\w+(?:#\d+)?", lines[at].partition("=")[2]))
    if not used:
        return text
    place = rng.choice(used)
    first = lines[at].index("=") + 1
    line = lines[at]
    lines[at] = f"{line[: first + place.start()]}{rng.choice(names)}{line[first + place.end() :]}"
    return "\n".join(lines)


def an_operation(text: str, rng: random.Random) -> str:
    """One operation in place of another."""
    lines, at = _line_of(text, rng)
    names = re.findall(r"(?:stablehlo|chlo|func|sdy)\.\w+", text)
    others = [
        *names, "stablehlo.infeed", "stablehlo.outfeed", "stablehlo.partition_id", "func.call",
        "stablehlo.all_reduce", "stablehlo.rng", "stablehlo.dynamic_reshape", "stablehlo.tuple",
        "stablehlo.composite", "chlo.erf", "builtin.unrealized_conversion_cast",
    ]  # fmt: skip
    lines[at] = re.sub(r"(?:stablehlo|chlo|func|sdy)\.\w+", rng.choice(others), lines[at], count=1)
    return "\n".join(lines)


def without_a_line(text: str, rng: random.Random) -> str:
    lines, at = _line_of(text, rng)
    del lines[at]
    return "\n".join(lines)


def with_a_line_twice(text: str, rng: random.Random) -> str:
    lines, at = _line_of(text, rng)
    lines.insert(rng.randrange(1, len(lines)), lines[at])
    return "\n".join(lines)


def with_a_call(text: str, rng: random.Random) -> str:
    """A custom call between a value and its uses."""
    lines = text.splitlines()
    made = [
        (i, *found.groups())
        for i, line in enumerate(lines)
        if (found := re.match(r"\s*(%\w+) = .*?(tensor<[^()]*>)$", line))
    ]
    if not made:
        return text
    at, name, type_ = rng.choice(made)
    target = rng.choice(list(TARGETS))
    options = _filled(TARGETS[target], rng)
    names = [name] * rng.choice((0, 1, 1, 1, 2, 3))
    taken = [type_] * len(names)
    if target == "ingot.print" and rng.random() < 0.7:
        lines.insert(at + 1, "%status = stablehlo.constant dense<0> : tensor<i32>")
        at, names, taken = at + 1, ["%status", *names], ["tensor<i32>", *taken]
    result = rng.choice((type_, type_, "tensor<i32>", "tensor<4xf64>", "tensor<f64>"))
    extra = rng.choice(("", "", ", has_side_effect = true"))
    if names and rng.random() < 0.1:
        extra += (
            ", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [],"
            f" operand_index = {rng.choice((0, 1, 7))}, operand_tuple_indices = []>]"
        )
    version = rng.choice((4, 4, 4, 1, 2, 3))
    key = rng.choice(("backend_config", "backend_config", "mhlo.backend_config"))
    config = f"{{{options}}}" if version == 4 or key != "backend_config" else f'"{target}"'
    call = (
        f"%hostile = stablehlo.custom_call @{target}({', '.join(names)}) {{api_version = {version} "
        f": i32, {key} = {config}{extra}}} : ({', '.join(taken)}) -> {result}"
    )
    lines.insert(at + 1, call)
    if result == type_:
        uses = re.compile(re.escape(name) + r"(?![\w#])")
        lines[at + 2 :] = [uses.sub("%hostile", line) for line in lines[at + 2 :]]
    return "\n".join(lines)


def another_call(text: str, rng: random.Random) -> str:
    """Another target, or another option, of a call that there is."""
    target = rng.choice(list(TARGETS))
    if rng.random() < 0.5:
        return re.sub(r"custom_call @[\w.$]+", f"custom_call @{target}", text, count=1)
    if rng.random() < 0.5:
        shown = _filled("FORMAT", rng)
        return re.sub(r'format = "[^"]*"', lambda _: f'format = "{shown}"', text, count=1)
    return re.sub(r"\d+ : ui8", f"{rng.choice((0, 65, 76, 78, 79, 82, 85, 255))} : ui8", text)


def with_an_attribute(text: str, rng: random.Random) -> str:
    """An attribute that XLA or the runtime reads."""
    attribute = rng.choice((
        "tf.aliasing_output = 0 : i32", "jax.buffer_donor = true", 'mhlo.sharding = "{replicated}"',
        'mhlo.layout_mode = "{0,1}"', 'mhlo.memory_kind = "pinned_host"',
    ))  # fmt: skip
    if rng.random() < 0.6:
        return re.sub(r"(%arg0: tensor<[^{}]*?>)([,)])", rf"\1 {{{attribute}}}\2", text, count=1)
    module = rng.choice((
        'mhlo.frontend_attributes = {ingot.aligned = "0"}', "mhlo.num_partitions = 8 : i32",
        'mhlo.frontend_attributes = {ingot.donated = "0:0"}', "mhlo.is_dynamic = true",
        "mhlo.input_output_alias = []", "mhlo.num_replicas = 4 : i32",
    ))  # fmt: skip
    return re.sub(r"^module ?(@\w+)? ?\{", rf"module \1 attributes {{{module}}} {{", text, count=1)


def with_recursion(text: str, rng: random.Random) -> str:
    """Functions that call themselves, or each other very often."""
    count = rng.choice((1, 3, 30))
    functions = [
        f"func.func private @r{i}(%x: tensor<f64>) -> tensor<f64> {{\n"
        f"%y = func.call @r{(i + 1) % count if rng.random() < 0.5 else i + 1}(%x) : (tensor<f64>) "
        "-> tensor<f64>\n"
        f"%z = func.call @r{i + 1}(%y) : (tensor<f64>) -> tensor<f64>\nreturn %z : tensor<f64>\n}}"
        for i in range(count)
    ]
    last = f"func.func private @r{count}(%x: tensor<f64>) -> tensor<f64> {{\nreturn %x : tensor<f64>\n}}"
    lines = text.rstrip().splitlines()
    body = next((i for i, line in enumerate(lines) if "@main(" in line), 0) + 1
    start = [
        "%r0 = stablehlo.constant dense<1.0> : tensor<f64>",
        "%r1 = func.call @r0(%r0) : (tensor<f64>) -> tensor<f64>",
    ]
    return "\n".join([*lines[:body], *start, *lines[body:-1], *functions, last, "}"])


def with_a_large_value(text: str, rng: random.Random) -> str:
    """A value of many bytes, or of many axes."""
    lines = text.splitlines()
    body = next((i for i, line in enumerate(lines) if "@main(" in line), 0) + 1
    shape = rng.choice((
        f"{2**20}x{2**20}x", f"{2**31}x{2**31}x{2**31}x", f"{2**40}x", "1x" * 100, f"0x{2**62}x",
    ))  # fmt: skip
    kind = rng.choice(("constant dense<1.0>", "iota dim = 0"))
    lines.insert(body, f"%large = stablehlo.{kind} : tensor<{shape}f64>")
    return "\n".join(lines)


OF_TEXT = (
    *[a_number] * 8, *[an_operand] * 6, *[a_size_everywhere] * 3, *[an_operation] * 4,
    *[an_element_type] * 2, *[with_a_call] * 5, *[another_call] * 2, without_a_line,
    with_a_line_twice, with_an_attribute, with_recursion, with_a_large_value,
)  # fmt: skip


def hostile_module(module: bytes, rng: random.Random) -> bytes:
    """Another module, which jaxlib's StableHLO accepts."""
    text = str(stablehlo.parse(module))
    for _ in range(60):
        changed = text
        for _ in range(rng.choice((1, 1, 2, 3))):
            changed = rng.choice(OF_TEXT)(changed, rng)
        try:
            if changed != text:
                return stablehlo.portable(changed, VERSION)
        except Exception:
            # What can't be written in StableHLO is no module.
            continue
    return module


# Mutations of the manifest.

OTHERS = (
    None, True, -1, 0, 1, 3, 2**31, 2**63, 2**70, 0.5, "", "x", "n", "float32", "int64", "int",
    "complex128", "array", "scalar", "static", "n + 1", "9" * 5000, "f4,(2,2)i4", "O", "V16", "S9",
    "M8[s]", "(n+m)*" * 30 + "n", "-5", [], {}, [[]], [0], ["n"], [2**40], [-1], [1] * 100,
    {"output": 0}, {"static": 1}, {"input": 9}, {"float": "0x1p+99999"}, {"numpy": "O", "value": 1},
    {"numpy": "9" * 5000, "value": 0}, "\0001\000{}", "\1\0(1,)", "\1\0__import__('os')", "ExceptionGroup",
    "UnicodeDecodeError", "SystemExit", "../x", "a\nb",
)  # fmt: skip


def places_in(value: Any, path: tuple = ()) -> Any:
    if path:
        yield path
    if isinstance(value, (dict, list)):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places_in(each, (*path, key))


def edit(manifest: dict[str, Any], rng: random.Random) -> None:
    """A field removed, renamed, doubled, or with another value."""
    *path, last = rng.choice(list(places_in(manifest)))
    inner: Any = manifest
    for key in path:
        inner = inner[key]
    value, how = inner[last], rng.randrange(7)
    if how == 0:
        del inner[last]
    elif how == 1 and isinstance(inner, dict):
        inner[str(last) + rng.choice(["", "x", "_1", "__"])] = inner.pop(last)
    elif how == 2 and isinstance(inner, list):
        inner.insert(rng.randrange(len(inner) + 1), value)
    elif how == 3 and type(value) is int:
        inner[last] = value + rng.choice(NUMBERS)
    elif how == 4 and isinstance(inner, list):
        rng.shuffle(inner)
    else:
        inner[last] = rng.choice(OTHERS)


# Whole artifacts.


def parts_of(data: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        members = {name: file.read(name) for name in file.namelist()}
    return json.loads(members.pop("manifest.json")), members


def hostile(data: bytes, rng: random.Random, path: Path) -> None:
    """Write an artifact with right checksums, whose modules and manifest were changed."""
    manifest, members = parts_of(data)
    for name in ("members", "digest"):
        manifest.pop(name, None)
    modules = [name for name in members if name.endswith(".mlirbc")]
    what = rng.choice(("module", "module", "module", "manifest", "both", "bytes"))
    if what in ("module", "both"):
        name = rng.choice(modules)
        members[name] = hostile_module(members[name], rng)
    if what in ("manifest", "both"):
        for _ in range(rng.choice((1, 1, 2, 4))):
            edit(manifest, rng)
    if what == "bytes":
        name = rng.choice(sorted(members))
        members[name] = damaged(members[name], rng)
    write(path, manifest, members)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Bytes of which some are others, missing or elsewhere."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        if not made:
            break
        place, size, how = rng.randrange(len(made)), rng.randrange(1, 60), rng.randrange(5)
        if how == 0:
            made[place] ^= 1 << rng.randrange(8)
        elif how == 1:
            del made[place:]
        elif how == 2:
            made[place : place + size] = rng.randbytes(size)
        elif how == 3:
            del made[place : place + size]
        else:
            other = rng.randrange(len(made))
            made[place : place + size] = made[other : other + size]
    return bytes(made)
