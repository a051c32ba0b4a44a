"""Each pass on each file of the tests, alone, in pairs and as the driver orders them: it ends by
itself, with a result or with an error."""

import functools
import itertools
import random
import re
import subprocess
from pathlib import Path

import pytest

from level import pick, sample

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
OPT = ROOT / "build" / "bin" / "ingot-opt"
#: It opens a viewer.
EXCLUDED = {"view-op-graph"}
#: MLIR's own second pass crashes on private functions, which the first one makes.
CRASHES = {("symbol-privatize", "remove-dead-values"), ("strict-fp", "remove-dead-values")}
#: Where one file holds several, and one module ends and the next begins.
BETWEEN = re.compile(r"^//--- .*$|^// -----.*$", re.MULTILINE)
#: ingot-opt counts the lines before each module anew, which takes quadratic time.
RUNS = 4


def modules():
    """What the tests of ingot-opt hold, each module by itself."""
    files = sorted(path for path in (ROOT / "test").rglob("*.mlir") if "Output" not in path.parts)
    assert files
    return [
        (path.name, text)
        for path in files
        for text in BETWEEN.split(path.read_text())
        if text.strip()
    ]


def passes():
    """The names of all registered passes, and of the pipelines."""
    shown = subprocess.run([OPT, "--help"], capture_output=True, text=True, check=True).stdout
    listed = shown[shown.index("Compiler passes to run") : shown.index("--irdl-file")]
    found = re.findall(r"^      --([\w-]+) ", listed, re.MULTILINE)
    assert {"canonicalize", "prune-carried", "ingot-to-stablehlo"} <= set(found)
    return sorted(set(found) - EXCLUDED)


PASSES = passes()


def ended(text, *options):
    """The exit status of ingot-opt."""
    done = subprocess.run(
        [OPT, "--split-input-file", *options], input=text, capture_output=True, text=True
    )
    return done.returncode


def joined(modules):
    return "\n// -----\n".join(text for _, text in modules)


@functools.cache
def parts():
    """The modules of each run: those that a pass gets to see, as the others don't verify."""
    found = modules()
    done = subprocess.run(
        [OPT, "--split-input-file"], input=joined(found), capture_output=True, text=True
    )
    shown = done.stdout.split("// -----")
    valid = [each for each, text in zip(found, shown, strict=True) if text.strip()]
    assert len(valid) > len(found) / 2
    return [valid[i::RUNS] for i in range(RUNS)]


def check(*options):
    """Run on all modules; if that ends by a signal, say which module is why."""
    for part in parts():
        code = ended(joined(part), *options)
        if code in (0, 1):
            continue
        culprits = [(name, text) for name, text in part if ended(text, *options) not in (0, 1)]
        names = [name for name, _ in culprits]
        pytest.fail(f"ingot-opt {' '.join(options)} ended by {code} on {names}:\n{culprits[:1]}")


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_alone(name):
    check(f"--{name}")


def pairs():
    found = sorted(set(itertools.permutations(PASSES, 2)) - CRASHES)
    random.Random(0).shuffle(found)
    return found[: pick(5, 20, len(found))]


@pytest.mark.parametrize(("first", "second"), pairs())
def test_a_pass_after_another(first, second):
    check(f"--{first}", f"--{second}")


def steps(pipeline):
    """The passes of a registered pipeline."""
    command = [OPT, f"--{pipeline}", "--dump-pass-pipeline"]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=True)
    text = re.sub(r"\n *", "", done.stderr).partition("builtin.module(")[2]
    return re.findall(r"func\.func\([^)]*\)|[^,({)]+(?:{[^}]*})?", text)


EXPANSION = steps("ingot-expand")
STEPS = [*EXPANSION, *steps("ingot-to-stablehlo")]
assert STEPS[0].startswith("canonicalize{") and STEPS[-1] == "lower-shardings"


@pytest.mark.parametrize("missing", range(pick(2, len(STEPS), len(STEPS))))
def test_the_pipeline_without_one_of_its_steps(missing):
    """As a researcher leaves passes out: what comes after takes what is there."""
    check_without(missing, start=0)


@pytest.mark.parametrize("missing", sample(range(len(EXPANSION), len(STEPS)), 3))
def test_the_lowering_without_one_of_its_steps(missing):
    check_without(missing, start=len(EXPANSION))


def check_without(missing, start):
    left = [each for i, each in enumerate(STEPS) if i >= start and i != missing]
    check(f"--pass-pipeline=builtin.module({','.join(left)})")
