"""The command line: what it makes and says, and how it fails."""

import functools
import io
import json
import os
import pty
import shutil
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout

import click
import numpy as np
import pytest

import ingot
import ingot_runtime
from ingot.cli import arrays, main, specs
from ingot_runtime.manifest import Leaf
from internals import internals_in

pytestmark = pytest.mark.once

SOURCE = """\
import numpy as np
import ingot

W = np.arange(12, dtype=np.float32).reshape(4, 3)

def predict(x, k=2):
    assert k > 0, "k is too small"
    return x @ W * k

def bump(a, i, mode):
    a[i] += 1
    return a.sum(), {"twice": a * 2 if mode == "double" else a}

def turn(z):
    return z * 1j, z.real > 0

def masked(x):
    return np.fft.fft(x[x > 0])

both = ingot.Artifact()
both.add(predict, ingot.spec("n,4", "float32"), 2)
both.add(turn, ingot.spec("m", "complex128"))
"""


def in_process(folder, *arguments, input=b"", code=0, **environment):
    """What `ingot` prints in a process of its own; its errors where the exit status is not 0."""
    command = [sys.executable, "-m", "ingot", *map(str, arguments)]
    environment = {**os.environ, "INGOT_CACHE_DIR": str(folder / "cache"), **environment}
    found = subprocess.run(
        command, cwd=folder, env=environment, input=input, capture_output=True, timeout=120
    )
    out, err = found.stdout.decode(), found.stderr.decode()
    return printed(found.returncode, out, err, code)


def printed(found, out, err, code):
    assert found == code, (found, out, err)
    assert not internals_in(err), err
    return err if code else out


def here(folder, *arguments, input=b"", code=0, **environment):
    """As `in_process`, in this one."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(folder)
        for name, value in {"INGOT_CACHE_DIR": str(folder / "cache"), **environment}.items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(input)))
        patch.setattr(sys, "path", [*sys.path])
        # What is set back: the modules that commands load from the folder.
        for name in ("m", "s", "broken", "syntax"):
            patch.setitem(sys.modules, name, None)
        with pytest.raises(SystemExit) as end:
            main([*map(str, arguments)])
    return printed(end.value.code, out.getvalue(), err.getvalue(), code)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "m.py").write_text(SOURCE)
    return tmp_path


@pytest.fixture
def run(folder):
    return functools.partial(here, folder)


@pytest.fixture
def start(folder):
    """For one test of each command, and what a process has for itself."""
    return functools.partial(in_process, folder)


@pytest.fixture(scope="module")
def compiled_predict(tmp_path_factory):
    folder = tmp_path_factory.mktemp("predict")
    (folder / "m.py").write_text(SOURCE)
    here(
        folder, "compile", "m.py:predict", "--arg", "x=f32[n,4]", "--arg", "k=int", "-o", "p.ingot"
    )
    return folder / "p.ingot"


@pytest.fixture
def predict(tmp_path, compiled_predict):
    """The artifact p.ingot in the folder that `run` runs in."""
    shutil.copy(compiled_predict, tmp_path)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("x=f32[n,784]", ingot.spec("n,784", "float32")),
        ("x=float64[2*n+1]", ingot.spec("2*n+1")),
        ("x=c128[]", ingot.spec("", "complex128")),
        ("x=bool[3]", ingot.spec(3, "bool")),
        ("x=u8[ ]", ingot.spec("", "uint8")),
        ("x=int", 0),
        ("x=float", 0.0),
        ("x='same'", "same"),
        ("x=-3", -3),
        ("x=True", True),
        ("x=None", None),
        ("x=[(f32[4,3], f32[3]), ()]", [(ingot.spec("4,3", "f4"), ingot.spec(3, "f4")), ()]),
        ("x={'a': f32[n]}", {"a": ingot.spec("n", "float32")}),
    ],
)
def test_specs(text, expected):
    name, found = specs.argument(text)
    assert name == "x" and found == expected and type(found) is type(expected)


def test_number_specs():
    found = specs.argument("x=f32")[1]
    assert type(found) is np.float32


@pytest.mark.parametrize(
    "text", ["x", "=3", "x=", "x=f32[n", "x=f99[3]", "x=f32[-1]", "x=f32[n/2]", "x=open('f')",
             "1x=3", "x=f32[n][m]", "x={**f32}", "x=f32[1:2]"],
)  # fmt: skip
def test_wrong_specs(text):
    with pytest.raises(specs.click.BadParameter) as caught:
        specs.argument(text)
    assert text.partition("=")[2][:8] in str(caught.value)


def test_bounds():
    assert specs.bounds("n=1:64") == ("n", (1, 64))
    assert specs.bounds("n=5:") == ("n", (5, None))
    assert specs.bounds("batch = 8") == ("batch", (8, 8))
    for text in ("n", "n=", "n=:3", "n=a:3", "3=1:2", "n=-1:3"):
        with pytest.raises(specs.click.BadParameter):
            specs.bounds(text)


def test_compile(start, tmp_path):
    out = start("compile", "m.py:predict", "--arg", "x=f32[n,4]", "--arg", "k=int",
              "--size", "n=1:64", "-o", "p.ingot")  # fmt: skip
    assert out == "p.ingot: predict(x: float32[n,4], k: int) -> float32[n,3]\n"
    x = np.ones((2, 4), np.float32)
    expected = x @ np.arange(12, dtype=np.float32).reshape(4, 3) * 3
    np.testing.assert_allclose(ingot_runtime.load(tmp_path / "p.ingot")(x, 3), expected)
    with pytest.raises(ValueError, match="at most 64"):
        ingot_runtime.load(tmp_path / "p.ingot")(np.ones((65, 4), np.float32), 3)


def test_compile_by_module_name_and_default_name(start, tmp_path):
    start("compile", "m:predict", "--arg", "x=f32[2,4]", "--name", "other")
    assert list(ingot_runtime.load(tmp_path / "predict.ingot").entry_points) == ["other"]


def test_compile_artifact(run, tmp_path):
    found = json.loads(run("compile", "m.py:both", "-o", "both.ingot", "--json"))
    assert (
        found["path"] == "both.ingot" and found["size"] == (tmp_path / "both.ingot").stat().st_size
    )
    assert set(found["entry_points"]) == {"predict", "turn"}


@pytest.mark.slow
def test_compile_strictly(run, tmp_path):
    (tmp_path / "s.py").write_text("def f(x):\n    return x * 1e-310\n")
    run("compile", "s.py:f", "--arg", "x=f64[n]", "-o", "s.ingot", "--strict-fp")
    assert "  strict_fp\n" in run("inspect", "s.ingot")
    assert run("run", "s.ingot", "--input", "-", input=b'{"x": [0.3]}').endswith("[3.e-311]\n")
    run("compile", "s.py:f", "--arg", "x=f64[n]", "-o", "s.ingot")
    assert "strict_fp" not in run("inspect", "s.ingot")
    assert run("run", "s.ingot", "--input", "-", input=b'{"x": [0.3]}').endswith("[0.]\n")
    assert "artifact already" in run("compile", "m.py:both", "--strict-fp", code=2)


@pytest.mark.slow
def test_compile_native(run, tmp_path):
    run("compile", "m.py:predict", "--arg", "x=f32[2,4]", "-o", "p.ingot", "--native")
    found = json.loads(run("inspect", "p.ingot", "--json"))
    native = found["entry_points"]["predict"]["native"]
    assert set(native["members"]) < found["members"].keys()
    assert f"native: {native['target']}; " in run("inspect", "p.ingot")
    np.savez(tmp_path / "x.npz", x=np.ones((2, 4), np.float32))
    out = run("run", "p.ingot", "--input", "x.npz", "--json")
    assert json.loads(out)["output"]["shape"] == [2, 3]
    assert run("run", "p.ingot", "--input", "x.npz", "--native", "--json") == out


@pytest.mark.parametrize(
    "arguments, code, text",
    [
        (["m.py:masked", "--arg", "x=f64[n]"], 3, "m.py:18:12: an array selected by a mask"),
        (["m.py:nothing"], 2, "m.py has no nothing"),
        (["no.py:f"], 2, "there is no file no.py"),
        (["nomodule:f"], 2, "there is no module nomodule"),
        (["m.py"], 2, "write file.py:function"),
        (["m.py:W"], 2, "is not a function"),
        (["m.py:predict"], 2, "argument x is missing; give --arg x=SPEC"),
        (["m.py:predict", "--arg", "x=f32[n,4]", "--arg", "y=3"], 2, "no argument y"),
        (["m.py:predict", "--arg", "x=f99[n,4]"], 2, "there is no dtype f99"),
        (["m.py:predict", "--arg", "x=f32[n,4]", "--size", "m=1:2"], 1, "names no dimension: m"),
        (["m.py:predict", "--arg", "x=f32[n,5]"], 3, "m.py:8:12"),
        (["m.py:predict", "--arg", "x=f32[n,4]", "-o", "no/p.ingot"], 2, "there is no folder no"),
        (["m.py:predict", "--arg", "x=f32[n,4]", "--native"], 3, "n is open"),
        (["m.py:both", "--arg", "x=f32[n,4]"], 2, "is an artifact already"),
        (["broken.py:f"], 1, "ZeroDivisionError"),
        (["syntax.py:f"], 1, "SyntaxError"),
    ],
)
def test_compile_fails_clearly(run, tmp_path, arguments, code, text):
    (tmp_path / "broken.py").write_text("1 / 0")
    (tmp_path / "syntax.py").write_text("def f(:")
    before = sorted(tmp_path.glob("*.ingot"))
    assert text in run("compile", *arguments, code=code)
    assert sorted(tmp_path.glob("*.ingot")) == before


@pytest.mark.slow
@pytest.mark.usefixtures("predict")
def test_run_on_files(run, tmp_path):
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    expected = x @ np.arange(12, dtype=np.float32).reshape(4, 3) * 2
    np.save(tmp_path / "x.npy", x)
    np.savez(tmp_path / "in.npz", x=x, k=2)
    (tmp_path / "k.json").write_text('{"k": 2}')
    for inputs in (
        ["--input", "in.npz"],
        ["--input", "x.npy", "--input", "k.json"],
        ["--input", "x=x.npy", "--input", "k.json"],
    ):
        run("run", "p.ingot", *inputs, "-o", "y.npy")
        np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), expected)
    run("run", "p.ingot", "--input", "in.npz", "-o", "y.npz")
    np.testing.assert_array_equal(np.load(tmp_path / "y.npz")["output"], expected)
    out = run("run", "p.ingot", "--input", "-", input=(tmp_path / "in.npz").read_bytes())
    assert out.startswith("output: float32[2, 3] \n[[")


@pytest.mark.usefixtures("predict")
def test_run_on_json(start):
    data = {"x": [[1, 0, 0, 0]], "k": 2}
    out = start("run", "p.ingot", "--input", "-", "--json", input=json.dumps(data).encode())
    assert json.loads(out) == {"output": {"dtype": "float32", "shape": [1, 3], "data": [[0, 2, 4]]}}


@pytest.mark.slow
def test_run_shows_what_changes(run):
    run("compile", "m.py:bump", "--arg", "a=f64[n]", "--arg", "i=int", "--arg", "mode='double'")
    out = run("run", "bump.ingot", "--input", "-", input=b'{"a": [1, 2], "i": 1}')
    assert out == "a: float64[2] [1. 3.]\noutput.0: 4.0\noutput.1.twice: float64[2] [2. 6.]\n"


@pytest.mark.slow
def test_run_on_complex_json(run):
    run("compile", "m.py:turn", "--arg", "z=c128[m]")
    out = run("run", "turn.ingot", "--input", "-", "--json", input=b'{"z": [[1, 2], [-3, 0]]}')
    assert json.loads(out)["output.0"]["data"] == [[-2, 1], [0, -3]]
    assert json.loads(out)["output.1"]["data"] == [True, False]


@pytest.mark.usefixtures("predict")
@pytest.mark.parametrize(
    "data, code, text",
    [
        (b"", 2, "- is not .npy, .npz or JSON"),
        (b"PK\3\4", 2, "- is not .npy, .npz or JSON"),
        (b"\x93NUMPY", 2, "- is not .npy, .npz or JSON"),
        (b"[1]", 2, "not a JSON object"),
        (b"{}", 2, "nothing gives x: float32[n,4]"),
        (b'{"x": [[1, 2, 3, 4]]}', 2, "nothing gives k: int"),
        (b'{"x": [[1, 2, 3, 4]], "k": 1, "y": 3}', 2, "no argument y; there are x, k"),
        (b'{"x": [[1, 2, 3, 4]], "k": 1.5}', 2, "k must be int"),
        (b'{"x": [[1, 2, 3, 4]], "k": [1]}', 2, "k must be a number, int"),
        (b'{"x": [[1, 2, 3, 4]], "k": 1e400}', 2, "k must be int"),
        (b'{"x": [[1, 2], [3]], "k": 1}', 2, "x must be float32[n,4]"),
        (b'{"x": "hello", "k": 1}', 2, "x must be float32[n,4]"),
        (b'{"x": [1, 2, 3, 4], "k": 1}', 1, "x has 1 axes"),
        (b'{"x": [[1, 2, 3]], "k": 1}', 1, "axis 1 of x is 3"),
        (b'{"x": [[1, 2, 3, 4]], "k": 0}', 1, "AssertionError: k is too small\n  at m.py:7:5"),
    ],
)
def test_run_fails_clearly(run, data, code, text):
    assert text in run("run", "p.ingot", "--input", "-", input=data, code=code)


LEAVES = (
    Leaf("x", "array", "float32", ("n",)),
    Leaf("k", "scalar", "int"),
    Leaf("w", "scalar", "int8"),
    Leaf("mode", "static", value="double"),
)


@pytest.mark.quick
def test_inputs_from_files(tmp_path):
    x, k = np.array([1, 2], np.float32), np.array(3)
    np.save(tmp_path / "x.npy", x)
    np.savez(tmp_path / "rest.npz", k=k, w=np.int8(4))
    (tmp_path / "rest.json").write_text('{"k": 3, "w": 4}')
    for array in ("", "x="):
        for rest in ("rest.npz", "rest.json"):
            paths = [f"{array}{tmp_path / 'x.npy'}", str(tmp_path / rest)]
            given = arrays.arguments(LEAVES, arrays.read(paths, LEAVES))
            np.testing.assert_equal(given, [x, 3, 4, "double"])
            assert list(map(type, given)) == [np.ndarray, int, np.int8, str]


@pytest.mark.quick
@pytest.mark.parametrize(
    "k", [np.array([3]), np.array(3.0), np.array("3"), 3.5, [3], "3"], ids=repr
)
def test_inputs_that_are_no_number(k):
    with pytest.raises(click.UsageError, match="k must be"):
        arrays.arguments(LEAVES, {"x": np.zeros(2), "k": k, "w": 4})


@pytest.mark.slow
def test_run_wants_an_entry(run):
    run("compile", "m.py:both", "-o", "both.ingot")
    assert "give --entry, of predict, turn" in run("run", "both.ingot", code=2)
    assert "there is no entry point x" in run("run", "both.ingot", "--entry", "x", code=2)
    run("run", "both.ingot", "--entry", "turn", "--input", "-", input=b'{"z": [1, 2]}')


@pytest.mark.parametrize("command", ["run", "inspect"])
def test_no_artifact(run, command):
    assert "no.ingot: No such file" in run(command, "no.ingot", code=4)
    assert "m.py: it is no artifact" in run(command, "m.py", code=4)


@pytest.mark.slow
@pytest.mark.usefixtures("predict")
def test_inspect(start, tmp_path):
    out = start("inspect", "p.ingot")
    for text in (
        "format 2, StableHLO 1.3.0, made by ingot",
        "predict(x: float32[n,4], k: int) -> float32[n,3]",
        "  n: 1 or more; calls can be joined along it",
        "  weights: W",
        "  W: float32[4,3]",
        "entry_points/predict/fast.mlirbc",
    ):
        assert text in out
    found = json.loads(start("inspect", "p.ingot", "--json"))
    entry = found["entry_points"]["predict"]
    assert entry["arguments"][0] == {"name": "x", "kind": "array", "dtype": "float32",
                                     "shape": ["n", 4]}  # fmt: skip
    assert (entry["batch"], entry["sizes"]) == ("n", {"n": [1, None]})
    assert len(found["members"]["weights.safetensors"]["sha256"]) == 64
    ir = start("inspect", "p.ingot", "--ir", "predict")
    assert "stands for n" in ir and "stablehlo.dot_general" in ir
    assert "there is no entry point x" in start("inspect", "p.ingot", "--ir", "x", code=2)


def test_artifact_inspect():
    artifact = ingot.export(lambda x: x * 2, ingot.spec("n"), name="f")
    found = artifact.inspect()
    assert found["entry_points"]["f"]["signature"] == "(x: float64[n]) -> float64[n]"
    assert json.loads(json.dumps(found)) == found


@pytest.mark.usefixtures("predict")
def test_inspecting_needs_no_jaxlib(tmp_path):
    code = """
import sys
from ingot.cli import main
try:
    main(["inspect", "p.ingot"])
except SystemExit as end:
    assert end.code == 0
assert not {name.partition(".")[0] for name in sys.modules} & {"jax", "jaxlib"}
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.slow
@pytest.mark.usefixtures("predict")
def test_cache(start, tmp_path):
    start("run", "p.ingot", "--input", "-", input=b'{"x": [[1, 2, 3, 4]], "k": 1}')
    found = json.loads(start("cache", "ls", "--json"))
    assert found["folder"] == str(tmp_path / "cache") and len(found["entries"]) >= 1
    assert abs(found["entries"][0]["used"] - time.time()) < 600
    assert found["entries"][0]["key"] in start("cache", "ls")
    assert start("cache", "clear") == f"removed {len(found['entries'])} " + (
        "entry\n" if len(found["entries"]) == 1 else "entries\n"
    )
    assert json.loads(start("cache", "ls", "--json"))["entries"] == []
    assert json.loads(start("cache", "clear", "--json"))["removed"] == 0
    assert "off" in start("cache", "clear", INGOT_CACHE_DIR="")


WAITS = """
import sys, time
from ingot.cli.output import progress
with progress("working hard"):
    time.sleep(float(sys.argv[1]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("seconds, shows", [(1.5, True), (0.1, False)])
def test_progress_is_shown_after_a_second(seconds, shows):
    master, terminal = pty.openpty()
    command = [sys.executable, "-c", WAITS, str(seconds)]
    environment = {**os.environ, "TERM": "xterm"}
    subprocess.run(command, stderr=terminal, env=environment, check=True)
    os.write(terminal, b"end")
    assert (b"working hard" in os.read(master, 2**16)) is shows
    os.close(master), os.close(terminal)


@pytest.mark.slow
def test_completion(start):
    for shell in ("bash", "zsh", "fish"):
        assert "_INGOT_COMPLETE" in start("completion", shell)
    words = start(_INGOT_COMPLETE="bash_complete", COMP_WORDS="ingot c", COMP_CWORD="1")
    assert "plain,compile" in words and "plain,cache" in words and "serve" not in words


@pytest.mark.slow
def test_help_and_version(run):
    assert ingot.__version__ in run("--version")
    assert "inspect" in run("--help")
    for command in ("compile", "run", "inspect", "serve", "cache"):
        assert "Usage: ingot" in run(command, "--help")
    assert "No such command" in run("compil", code=2)


def test_tracebacks_on_request(run, tmp_path):
    command = [sys.executable, "-m", "ingot", "inspect", "no.ingot"]
    environment = {**os.environ, "INGOT_TRACEBACK": "1"}
    found = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert "Traceback" in found.stderr and found.returncode == 4


@pytest.mark.slow
def test_closed_pipes_are_quiet(run, tmp_path, predict):
    command = f"{sys.executable} -m ingot inspect p.ingot --ir predict | true"
    found = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert "Error" not in found.stderr and "Traceback" not in found.stderr
