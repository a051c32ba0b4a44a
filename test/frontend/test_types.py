"""What type checkers know of a user's file."""

import re
from pathlib import Path

import pytest

import ingot
import ingot_runtime
from processes import python

pytestmark = pytest.mark.once

SOURCE = """\
import numpy as np
import ingot

def loss(w: np.ndarray, x: np.ndarray, scale: float = 1.0) -> float:
    return float(((x @ w) ** 2).sum() * scale)

@ingot.jit
def plain(x: int, *, k: str) -> float:
    return x / 2

@ingot.jit(static="k", checks=False)
def options(x: int, k: int = 3) -> str:
    return str(x)

class Model:
    @ingot.jit
    def predict(self, x: float) -> complex:
        return x * 1j

w = np.ones(3)
reveal_type(plain(3, k="a"))  # float
reveal_type(options(3))  # str
reveal_type(Model().predict(2.0))  # complex
reveal_type(Model.predict(Model(), 2.0))  # complex
reveal_type(ingot.jit(loss)(w, w))  # float
reveal_type(ingot.jit(ingot.grad(loss))(w, w))  # Any
reveal_type(ingot.value_and_grad(loss)(w, w, scale=2.0))  # tuple[float, Any]
reveal_type(ingot.vmap(options)(3))  # str
reveal_type(ingot.checkpoint(options)(3))  # str
reveal_type(ingot.load("m.ingot"))  # ingot_runtime.loader.Loaded
reveal_type(ingot.export(loss, w, w))  # ingot.artifacts.Artifact
reveal_type(plain.lower(3, k="a").compile())  # ingot.compiled.Compiled

plain("3", k="a")  # error: arg-type
plain(3)  # error: call-arg
options(3, 4, 5)  # error: call-arg
Model().predict("2")  # error: arg-type
ingot.grad(loss)(w)  # error: call-arg
ingot.value_and_grad(loss)("w", w)  # error: arg-type
ingot.vmap(loss)(w, w, size=3)  # error: call-arg
ingot.jacfwd(loss)()  # error: call-arg
ingot.jit(plain, statics="k")  # error: call-overload
ingot.no_such_name  # error: attr-defined
"""
#: What mypy says of a line: its number, the kind, the text.
SAID = re.compile(r"user\.py:(\d+): (note|error): (.*)")


@pytest.mark.slow
def test_functions_keep_their_signatures(tmp_path, pytestconfig):
    path = tmp_path / "user.py"
    path.write_text(SOURCE)
    folders = [Path(module.__file__).parent.parent for module in (ingot, ingot_runtime)]
    # What mypy knows of NumPy, and of modules that have not changed, stays from run to run.
    cache = pytestconfig.cache.mkdir("mypy")
    done = python(
        "-m", "mypy", "--config-file=", "--follow-imports=silent", "--ignore-missing-imports",
        f"--cache-dir={cache}", path, MYPYPATH=":".join(map(str, folders)),
    )  # fmt: skip
    found = {}
    for line, kind, text in SAID.findall(done.stdout):
        known = re.fullmatch(r'Revealed type is "(.*)"', text) or re.search(r"\[([\w-]+)\]$", text)
        if known:
            said = known[1].replace("builtins.", "")
            found[int(line)] = f"error: {said}" if kind == "error" else said
    wanted = {
        number: line.partition("  # ")[2]
        for number, line in enumerate(SOURCE.splitlines(), 1)
        if "  # " in line
    }
    assert found == wanted, done.stdout + done.stderr


@pytest.mark.parametrize("module", [ingot, ingot_runtime])
def test_packages_say_that_they_are_typed(module):
    assert (Path(module.__file__).parent / "py.typed").exists()
