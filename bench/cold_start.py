"""A cold process up to the first result of a small compiled function: Ingot and JAX.

Each process imports NumPy and the compiler, calls the function once, and prints how long that took
after Python had started. Ingot has an empty cache on disk, or the one that an earlier process
filled; JAX has none, as by default, or its persistent one, filled. All are alternated.

Also, in fresh processes after imports: how long an artifact takes to load, and up to its result.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path

import numpy as np
from artifacts import jax_cache, run

import ingot

ROUNDS = 9

FUNCTION = """
def f(x, w):
    y = np.tanh(x @ w)
    for _ in range(3):
        y = y + 0.5 * np.sin(y * x)
    return np.sum(y * y)
"""

START = """
import sys, time
start = time.perf_counter()
import numpy
sys.path.insert(0, sys.argv[1])
"""
END = """
x = numpy.linspace(0.0, 1.0, 64).reshape(8, 8)
result = float({module}.f(x, x))
print(time.perf_counter() - start)
"""
LOAD = """
import sys, time, numpy as np
from ingot_runtime import load
x = np.linspace(0.0, 1.0, 64).reshape(8, 8)
start = time.perf_counter()
loaded = load(sys.argv[1] + "/{name}.ingot", native={native})
{call}
print(time.perf_counter() - start)
"""


def network(x, w):
    return np.sum(np.tanh(x @ w) ** 2)


def write(folder: Path) -> None:
    """The functions, each in a module, and the artifacts."""
    ours = "import numpy as np, ingot\n" + FUNCTION + "f = ingot.jit(f)\n"
    (folder / "ours.py").write_text(ours)
    theirs = "import jax, jax.numpy as np\njax.config.update('jax_enable_x64', True)\n"
    (folder / "theirs.py").write_text(theirs + FUNCTION + "f = jax.jit(f)\n")
    x = np.linspace(0.0, 1.0, 64).reshape(8, 8)
    ingot.export(network, x, x).save(folder / "portable.ingot")
    ingot.export(network, x, x, native=True).save(folder / "native.ingot")


def first_results(folder: Path) -> dict[str, float]:
    """The median milliseconds of each way."""
    ours, theirs = (f"{START}import {m}\n{END.format(module=m)}" for m in ("ours", "theirs"))
    times: dict[str, list[float]] = {}
    for i in range(ROUNDS + 1):
        cases = {
            "ingot_empty": (ours, {"INGOT_CACHE_DIR": str(folder / f"empty-{i}")}),
            "ingot_filled": (ours, {"INGOT_CACHE_DIR": str(folder / "filled")}),
            "jax": (theirs, {"JAX_PLATFORMS": "cpu"}),
            "jax_filled": (theirs, {"JAX_PLATFORMS": "cpu", **jax_cache(folder / "jax")}),
        }
        for name, (script, environment) in cases.items():
            _, seconds = run(script, folder, environment)
            # The first round fills the caches.
            times.setdefault(name, []).extend([seconds] if i else [])
    return {name: statistics.median(each) * 1e3 for name, each in times.items()}


def loads(folder: Path) -> dict[str, float]:
    """The median milliseconds of a load, and of one with the first call."""
    times: dict[str, list[float]] = {}
    for i in range(ROUNDS + 1):
        for kind in ("portable", "native"):
            for what, call in (("load", ""), ("load_and_call", "loaded(x, x)")):
                script = LOAD.format(name=kind, native=kind == "native", call=call)
                _, seconds = run(script, folder, {"INGOT_CACHE_DIR": str(folder / "artifacts")})
                times.setdefault(f"{kind}_{what}", []).extend([seconds] if i else [])
    return {name: statistics.median(each) * 1e3 for name, each in times.items()}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        found = first_results(folder)
        row = {f"{way}_ms": round(ms, 1) for way, ms in found.items()}
        row["filled_times_jax"] = round(found["ingot_filled"] / found["jax"], 3)
        row["filled_times_jax_filled"] = round(found["ingot_filled"] / found["jax_filled"], 3)
        row["empty_times_jax"] = round(found["ingot_empty"] / found["jax"], 3)
        print(json.dumps({"benchmark": "cold_start", **row}), flush=True)
        loaded = {f"{way}_ms": round(ms, 2) for way, ms in loads(folder).items()}
        print(json.dumps({"benchmark": "artifact_load", **loaded}), flush=True)


if __name__ == "__main__":
    main()
