"""Programs of artifacts that are more than Ingot writes: refused when the file is loaded."""

import json
import os
import zipfile

import numpy as np
import pytest
from forged import parts_of, with_manifest, with_module

import ingot
from ingot_runtime import ArtifactError, effects, reading, stablehlo, verification
from ingot_runtime.container import write
from processes import python


def negative(x):
    return -x


@pytest.fixture
def artifact(tmp_path):
    path = tmp_path / "m.ingot"
    ingot.export(negative, ingot.spec("4"), name="f").save(path)
    return path


def program(body, taken="%a: tensor<4xf64>", given="tensor<4xf64>", rest="", module=""):
    return (
        f"module @m {module} {{\n func.func public @main({taken}) -> {given} {{\n{body}\n}}\n"
        f"{rest}\n}}"
    )


def call(target, config, operands="%a", types="tensor<4xf64>", result="tensor<4xf64>", more=""):
    return (
        f"%0 = stablehlo.custom_call @{target}({operands}) {{api_version = 4 : i32, "
        f"backend_config = {{{config}}}{more}}} : ({types}) -> {result}\nreturn %0 : {result}"
    )


def printing(format, types=", tensor<4xf64>", operands=", %a"):
    return (
        "%s = stablehlo.constant dense<0> : tensor<i32>\n"
        f"%0 = stablehlo.custom_call @ingot.print(%s{operands}) {{api_version = 4 : i32, "
        f'backend_config = {{format = "{format}"}}, has_side_effect = true}} : '
        f"(tensor<i32>{types}) -> tensor<i32>\nreturn %a : tensor<4xf64>"
    )


READ = (
    "%s = stablehlo.slice %a [0:1] : (tensor<4xf64>) -> tensor<1xf64>\n"
    "%c = stablehlo.convert %s : (tensor<1xf64>) -> tensor<1xi64>\n"
    + call(
        "ingot.numpy.ufunc_at", 'name = "negative", places = array<i64: 0>', "%c, %a",
        "tensor<1xi64>, tensor<4xf64>",
    )
)  # fmt: skip
RETURN = "return %a : tensor<4xf64>"

CALLS = {
    "ingot.numpy.ufunc_at": READ,
    "ingot.numpy.gufunc": call(
        "ingot.numpy.gufunc",
        'name = "negative", dims = array<i64: 2>, steps = array<i64: 8, 1099511627776>',
    ),
    "ingot.numpy.accumulate": call(
        "ingot.numpy.accumulate", 'name = "add", shape = array<i64: 1, 1099511627776, 1>'
    ),
    "ingot.numpy.sort": call(
        "ingot.numpy.sort", "shape = array<i64: 1, 1099511627776, 1>, stable = true"
    ),
    "ingot.numpy.argsort": call("ingot.numpy.argsort", "shape = array<i64: 1, 4, 1>"),
    "xla_ffi_python_cpu_callback": call("xla_ffi_python_cpu_callback", "index = 77 : ui64"),
    "xla_ffi_partitioned_python_cpu_callback": call(
        "xla_ffi_partitioned_python_cpu_callback", "index = 0 : ui64"
    ),
    "ingot.print": printing("{}").replace('format = "{}"', 'callback = 0 : i64, format = "f"'),
    "ingot.print.unordered": call("ingot.print.unordered", "callback = 0 : i64"),
    "ingot.strict_fp": call("ingot.strict_fp", "", "", "", "tensor<4xf64>"),
    "lapack_dgetrf_ffi": (
        "%m = stablehlo.reshape %a : (tensor<4xf64>) -> tensor<2x2xf64>\n"
        "%0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%m) {api_version = 4 : i32, "
        "backend_config = {}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<0xi32>, tensor<i32>)"
        "\nreturn %a : tensor<4xf64>"
    ),
    "lapack_dpotrf_ffi": (
        "%m = stablehlo.reshape %a : (tensor<4xf64>) -> tensor<2x2xf64>\n"
        "%0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%m) {api_version = 4 : i32, "
        "backend_config = {uplo = 7 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>)"
        "\nreturn %a : tensor<4xf64>"
    ),
    "AllocateBuffer": call("AllocateBuffer", "", "", ""),
    "Sharding": call("Sharding", ""),
    "nothing": call("nothing", ""),
}


@pytest.mark.parametrize("target", CALLS)
def test_calls(artifact, target):
    with_module(artifact, program(CALLS[target]))
    with pytest.raises(ArtifactError, match=rf"entry point 'f'.*it calls {target}: "):
        ingot.load(artifact)


@pytest.mark.parametrize("target", ["ingot.numpy.ufunc_at", "nothing"])
def test_calls_within_regions_and_functions(artifact, target):
    inner = CALLS[target].replace("return", "stablehlo.return")
    branch = (
        "%i = stablehlo.constant dense<0> : tensor<i32>\n"
        f'%r = "stablehlo.case"(%i) ({{\n{inner}\n}}, {{\nstablehlo.return %a : tensor<4xf64>\n}}) '
        ": (tensor<i32>) -> tensor<4xf64>\nreturn %r : tensor<4xf64>"
    )
    function = f"func.func private @g(%a: tensor<4xf64>) -> tensor<4xf64> {{\n{CALLS[target]}\n}}"
    called = "%r = func.call @g(%a) : (tensor<4xf64>) -> tensor<4xf64>\nreturn %r : tensor<4xf64>"
    for text in program(branch), program(called, rest=function), program(RETURN, rest=function):
        with_module(artifact, text)
        with pytest.raises(ArtifactError, match=f"it calls {target}: "):
            ingot.load(artifact)


FORMATS = (
    "{0.__class__.__mro__}", "{0}", "{[0]}", "{x}", "{:3000000000}", "{:.99999999f}", "{", "}",
    "{:{}}{}", "{}{}", "nothing", "{:%Y}", "{!x}", "{:>10001}", "\\00" "1\\00{0.real}",
)  # fmt: skip


@pytest.mark.parametrize("format", FORMATS)
def test_formats(artifact, format):
    with_module(artifact, program(printing(format)))
    with pytest.raises(ArtifactError, match="it calls ingot.print"):
        ingot.load(artifact)


def test_formats_of_numbers(artifact, capfd):
    both = '"{!r} and {:>+12.3f}{{}}\\0A"'
    text = printing("FORMAT", ", tensor<4xf64>, tensor<f64>", ", %a, %b").replace('"FORMAT"', both)
    text = f"%b = stablehlo.constant dense<1.5> : tensor<f64>\n{text}"
    with_module(artifact, program(text))
    ingot.load(artifact)(np.ones(4))
    assert capfd.readouterr().out == "array([1., 1., 1., 1.]) and       +1.500{}\n"


def test_messages_of_others(artifact):
    """A status for which another program has kept values."""
    number = -effects._keep(1, (np.array("secret"),))
    assert number in effects._kept
    manifest, members = parts_of(artifact.read_bytes())
    variant = manifest["entry_points"]["f"]["variants"]["fast"]
    variant["checks"] = [
        {
            "exception": "ValueError", "message": "\0002", "filename": "x", "line": 1, "column": 1,
            "excerpt": "",
        }
    ]  # fmt: skip
    for status in (-number, -number - 1, 7, -(2**31), 2**31 - 1):
        body = f"%s = stablehlo.constant dense<{status}> : tensor<i32>\nreturn %a, %s : "
        text = program(f"{body}tensor<4xf64>, tensor<i32>", given="(tensor<4xf64>, tensor<i32>)")
        module = stablehlo.portable(text, "1.3.0")
        write(artifact, manifest, {name: module for name in members})
        with pytest.raises(ArtifactError, match="a check that its artifact does not list"):
            ingot.load(artifact)(np.ones(4))


ATTRIBUTES = (
    program(RETURN, taken="%a: tensor<4xf64> {tf.aliasing_output = 0 : i32}"),
    program(RETURN, taken="%a: tensor<4xf64> {jax.buffer_donor = true}"),
    program(RETURN, module='attributes {mhlo.frontend_attributes = {ingot.aligned = "0"}}'),
    program(RETURN, module='attributes {mhlo.frontend_attributes = {ingot.donated = "0:0"}}'),
    program(RETURN, module="attributes {mhlo.num_partitions = 8 : i32}"),
    program(f'%0 = stablehlo.add %a, %a {{mhlo.sharding = "x"}} : tensor<4xf64>\n{RETURN}'),
    program(f'%0 = stablehlo.add %a, %a {{xla_shape = "x"}} : tensor<4xf64>\n{RETURN}'),
    program(RETURN, rest='sdy.mesh @mesh = <["x"=2]>'),
)


@pytest.mark.parametrize("text", ATTRIBUTES)
def test_attributes_that_xla_reads(artifact, text):
    with_module(artifact, text)
    with pytest.raises(ArtifactError, match="not one that artifacts can have"):
        ingot.load(artifact)


OPERATIONS = {
    "stablehlo.infeed": (
        "%t = stablehlo.create_token : !stablehlo.token\n"
        '%0:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> '
        "(tensor<4xf64>, !stablehlo.token)"
    ),
    "stablehlo.partition_id": "%0 = stablehlo.partition_id : tensor<ui32>",
    "stablehlo.get_dimension_size": (
        "%0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4xf64>) -> tensor<i32>"
    ),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations(artifact, name):
    with_module(artifact, program(f"{OPERATIONS[name]}\n{RETURN}"))
    with pytest.raises(ArtifactError, match=f"the operation (stablehlo.create_token|{name})"):
        ingot.load(artifact)


TYPES = {
    "!stablehlo.token": "%0 = stablehlo.after_all : !stablehlo.token",
    "i4": "%0 = stablehlo.constant dense<1> : tensor<3xi4>",
    "tuple": "%0 = stablehlo.tuple %a : tuple<tensor<4xf64>>",
    "too large": f"%0 = stablehlo.iota dim = 0 : tensor<{2**62}xf64>",
    "constants": "%0 = stablehlo.constant dense<1.0> : tensor<1099511627776xf64>",
    "have": "%0 = stablehlo.convert %a : (tensor<4xf64>) -> tensor<4xf8E4M3FN>",
}


@pytest.mark.parametrize("name", TYPES)
def test_types(artifact, name):
    with_module(artifact, program(f"{TYPES[name]}\n{RETURN}"))
    with pytest.raises(ArtifactError, match="not one that artifacts can have"):
        ingot.load(artifact)


def functions(count, callee):
    """Functions that each call another one twice."""
    return "\n".join(
        f"func.func private @g{i}(%x: tensor<4xf64>) -> tensor<4xf64> {{\n"
        f"%y = func.call @g{callee(i)}(%x) : (tensor<4xf64>) -> tensor<4xf64>\n"
        f"%z = func.call @g{callee(i)}(%y) : (tensor<4xf64>) -> tensor<4xf64>\n"
        "return %z : tensor<4xf64>\n}"
        for i in range(count)
    )


@pytest.mark.parametrize(
    "rest, message",
    [
        (functions(1, lambda i: i), "calls itself"),
        (functions(3, lambda i: (i + 1) % 3), "calls itself"),
        (functions(64, lambda i: min(i + 1, 63)), "calls itself"),
        (
            functions(64, lambda i: i + 1)
            + f"\nfunc.func private @g64(%a: tensor<4xf64>) -> tensor<4xf64> {{\n{RETURN}\n}}",
            "too many operations",
        ),
    ],
    ids=["itself", "each other", "last", "often"],
)
def test_calls_without_an_end(artifact, rest, message):
    called = "%r = func.call @g0(%a) : (tensor<4xf64>) -> tensor<4xf64>\nreturn %r : tensor<4xf64>"
    with_module(artifact, program(called, rest=rest))
    with pytest.raises(ArtifactError, match=message):
        ingot.load(artifact)


def nested(depth):
    for i in range(depth):
        yield f'%r{i} = "stablehlo.case"(%i) ({{'
    yield "stablehlo.return %a : tensor<4xf64>"
    for i in reversed(range(depth)):
        yield f"}}) : (tensor<i32>) -> tensor<4xf64>\n{'stablehlo.' * (i > 0)}return %r{i} : tensor<4xf64>"


def test_branches_that_are_nested_too_deeply(artifact):
    start = "%i = stablehlo.constant dense<0> : tensor<i32>\n"
    with_module(artifact, program(start + "\n".join(nested(20))))
    np.testing.assert_array_equal(ingot.load(artifact)(np.ones(4)), np.ones(4))
    with_module(artifact, program(start + "\n".join(nested(400))))
    with pytest.raises(ArtifactError, match="nested too deeply"):
        ingot.load(artifact)


def test_no_callback_of_the_process_is_called(artifact, monkeypatch):
    """Not even by a program that is not verified."""
    called = []
    number = len(effects.CALLBACKS)
    effects.CALLBACKS.append(lambda *values: called.append(values) or values)
    text = program(call("ingot.print.unordered", f"callback = {number} : i64"))
    with_module(artifact, text)
    monkeypatch.setattr(reading.Verifier, "verify", lambda *_: None)
    with pytest.raises(ArtifactError, match="can't be compiled here"):
        ingot.load(artifact)(np.ones(4))
    assert not called


def test_named_sizes_are_verified_as_they_are_put_in(tmp_path):
    """A program that is sound for the size that the file was made with, and for no other."""
    path = tmp_path / "m.ingot"
    ingot.export(negative, ingot.spec("n"), name="f").save(path)
    manifest, members = parts_of(path.read_bytes())
    (number,) = manifest["entry_points"]["f"]["variants"]["fast"]["literals"]
    body = (
        f"%m = stablehlo.reshape %a : (tensor<{number}xf64>) -> tensor<{number}x1xf64>\n"
        "%0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%m) {api_version = 4 : i32, "
        f"backend_config = {{}}}} : (tensor<{number}x1xf64>) -> (tensor<{number}x1xf64>, "
        f"tensor<1xi32>, tensor<i32>)\nreturn %a : tensor<{number}xf64>"
    )
    type_ = f"tensor<{number}xf64>"
    with_module(path, program(body, taken=f"%a: {type_}", given=type_))
    np.testing.assert_array_equal(ingot.load(path)(np.ones(3)), np.ones(3))
    # A matrix without rows has no pivots.
    literals = {number: "n - 3"}

    def change(manifest):
        entry = manifest["entry_points"]["f"]
        entry["variants"]["fast"]["literals"] = literals

    with_manifest(path, change)
    with pytest.raises(ArtifactError, match="lapack_dgetrf_ffi"):
        ingot.load(path)(np.ones(3))


def test_what_has_passed_is_not_verified_again(artifact, tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path / "cache"))
    verified = []
    verify = verification.verify
    monkeypatch.setattr(verification, "verify", lambda *args: verified.append(verify(*args)))
    ingot.load(artifact)
    assert len(verified) == 1
    ingot.load(artifact)(np.ones(4))
    assert len(verified) == 1
    with_module(artifact, program(READ))
    for _ in range(2):
        with pytest.raises(ArtifactError):
            ingot.load(artifact)


# The manifest.

VALUES = {
    "digits": ("arguments", 0, "dtype", "9" * 5000),
    "a structure": ("arguments", 0, "dtype", "f4,(2,2)i4"),
    "objects": ("arguments", 0, "dtype", "O"),
    "digits of an output": ("outputs", 0, 0, "9" * 5000),
    "an output's structure": ("outputs", 0, 0, "V16"),
    "digits of a size": ("arguments", 0, "shape", ["9" * 5000]),
    "a long polynomial": ("arguments", 0, "shape", ["(n+m)*" * 600 + "n"]),
    "many terms": ("arguments", 0, "shape", ["*".join(f"(a{i}+b{i})" for i in range(40))]),
    "many axes": ("arguments", 0, "shape", [1] * 65),
    "a large array": ("arguments", 0, "shape", [2**40, 2**40]),
    "a name": ("arguments", 0, "name", "../x"),
    "a dunder field": ("result", ["record R", ["__class__"], [None]]),
}


@pytest.mark.parametrize("name", VALUES)
def test_manifests(artifact, name):
    *path, last, value = VALUES[name]

    def change(manifest):
        inner = manifest["entry_points"]["f"]
        for key in path:
            inner = inner[key]
        inner[last] = value

    with_manifest(artifact, change)
    with pytest.raises(ArtifactError, match="malformed"):
        ingot.load(artifact)


@pytest.mark.parametrize(
    "exception, message",
    [
        ("UnicodeDecodeError", "x"), ("ExceptionGroup", "x"), ("ValueError", "\1\0[1"), ("ValueError", "\1\0f()"),
        ("ValueError", "\1\0" + "(" * 5000), ("ValueError", "\1\0__import__('os')"),
        ("ValueError", "\1\0" + "-" * 100_000 + "1"),
    ],
)  # fmt: skip
def test_exceptions_that_can_not_be_made(artifact, exception, message):
    check = {
        "exception": exception, "message": message, "filename": "x", "line": 1, "column": 1,
        "excerpt": "",
    }  # fmt: skip
    with_manifest(
        artifact, lambda m: m["entry_points"]["f"]["variants"]["fast"].update(checks=[check])
    )
    # What is no literal is found when it is decoded, the others when the exception is made.
    undecodable = message.startswith("\1\0")
    reason = "the arguments of an exception are" if undecodable else "a check"
    with pytest.raises(ArtifactError, match=reason):
        ingot.load(artifact)


@pytest.mark.parametrize("name", ["../f", "a b", "f\n", "", "é" * 3])
def test_names_of_entry_points(artifact, name):
    with_manifest(artifact, lambda m: m["entry_points"].update({name: m["entry_points"].pop("f")}))
    with pytest.raises(ArtifactError, match="its name"):
        ingot.load(artifact)


def test_static_values_of_other_dtypes(tmp_path):
    path = tmp_path / "m.ingot"
    ingot.export(lambda x, k: x, ingot.spec("4"), "k", name="f").save(path)
    for dtype in ("9" * 5000, "O", "M8[s]", ["f4"]):
        value = {"numpy": dtype, "value": 1}
        with_manifest(path, lambda m: m["entry_points"]["f"]["arguments"][1].update(value=value))
        with pytest.raises(ArtifactError, match="is no dtype"):
            ingot.load(path)


def test_two_values_of_one_name(artifact):
    manifest, members = parts_of(artifact.read_bytes())
    with zipfile.ZipFile(artifact, "w") as file:
        file.writestr("manifest.json", '{"format": 4, "format": 4}')
    with pytest.raises(ArtifactError, match="is no JSON"):
        ingot.load(artifact)
    assert json.loads('{"format": 3, "format": 4}') == {"format": 4}


def test_links_and_pipes(artifact, tmp_path):
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(artifact, "a") as file:
        file.writestr(link, "/etc/passwd")
    with pytest.raises(ArtifactError, match="is a link"):
        ingot.load(artifact)
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(ArtifactError, match="not a file"):
            ingot.load(path)


def test_a_link_to_an_artifact_is_one(artifact, tmp_path):
    (tmp_path / "link.ingot").symlink_to(artifact)
    np.testing.assert_array_equal(ingot.load(tmp_path / "link.ingot")(np.ones(4)), -np.ones(4))


# What is exported.


def lapack(a):
    import jax

    q, r = jax.numpy.linalg.qr(a)
    return jax.scipy.linalg.expm(q @ r), jax.scipy.linalg.schur(a)[0], jax.numpy.linalg.pinv(a)


def top(x):
    import jax

    return jax.lax.approx_max_k(x, 2)[0]


def test_functions_of_jax(tmp_path):
    of_jax = ingot.from_jax(lapack)
    path = tmp_path / "m.ingot"
    ingot.export(lambda a: of_jax(a), np.eye(3), name="f").save(path)
    a = np.arange(9.0).reshape(3, 3) / 9
    for found, expected in zip(ingot.load(path)(a), of_jax(a), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_what_the_loader_refuses_is_not_exported():
    of_jax = ingot.from_jax(top)
    with pytest.raises(ingot.UnsupportedError, match="it calls ApproxTopK"):
        ingot.export(lambda x: of_jax(x), np.ones(4), name="f").save("x.ingot")


SCRIPT = """
import sys, numpy as np, ingot_runtime
try:
    ingot_runtime.load(sys.argv[1])(np.ones(4))
except ingot_runtime.ArtifactError as error:
    print("refused")
"""


@pytest.mark.parametrize("target", ["ingot.numpy.gufunc", "xla_ffi_python_cpu_callback"])
def test_in_a_process_of_its_own(artifact, target):
    with_module(artifact, program(CALLS[target]))
    done = python("-c", SCRIPT, artifact)
    assert (done.returncode, done.stdout.split()) == (0, ["refused"]), done.stderr
