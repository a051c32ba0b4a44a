"""The loader in environments that have NumPy and a jaxlib, the oldest that Ingot takes, too."""

import os
import subprocess
import sys
import venv
from importlib.metadata import version
from pathlib import Path

import pytest

import ingot_runtime

SCRIPT = """
import sys
from importlib.metadata import distributions
names = {d.metadata["Name"].lower().replace("-", "_") for d in distributions()}
assert names <= {"jaxlib", "ml_dtypes", "numpy", "pip", "scipy", "setuptools"}, names
import numpy as np
import ingot_runtime
loaded = ingot_runtime.load(sys.argv[1])
print(loaded.entry("pairs")(np.ones((2, 2)), np.ones((4, 2))))
print(loaded.entry("network")(np.zeros((2, 4), np.float32), 1).tolist())
try:
    loaded.entry("network")(np.zeros((2, 4), np.float32), 0)
except AssertionError as error:
    print(str(error).splitlines()[0])
assert not {name.partition(".")[0] for name in sys.modules} & {"ingot", "jax"}
"""


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "jaxlib", ["0.10.0", pytest.param(version("jaxlib"), marks=pytest.mark.nightly)]
)
def test_the_loader_needs_numpy_and_jaxlib_alone(tmp_path, jaxlib):
    bare, runtime = tmp_path / "bare", tmp_path / "runtime"
    venv.create(bare, symlinks=True)
    python = bare / "bin" / "python"
    wanted = [f"numpy=={version('numpy')}", f"jaxlib=={jaxlib}"]
    # Of all modules that are installed, few are imported: those alone are compiled.
    pip = [sys.executable, "-m", "pip", f"--python={python}", "install", "-q", "--no-compile"]
    subprocess.run([*pip, *wanted], check=True, capture_output=True)
    runtime.mkdir()
    (runtime / "ingot_runtime").symlink_to(Path(ingot_runtime.__file__).parent)
    artifact = Path(__file__).parent / "golden" / "format-1.ingot"
    done = subprocess.run(
        [python, "-c", SCRIPT, artifact], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(runtime)},
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "(np.float64(12.0), 2)", "[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]", "k is too small"
    ], done.stderr  # fmt: skip
