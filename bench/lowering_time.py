"""From Python to StableHLO text, against `jax.jit(g).lower(...)` and its text.

The function is 200 elementwise statements, the same source for both. Measured side by side in
one run, alternated; the claim is the ratio of the medians.
"""

from __future__ import annotations

import importlib.util
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import ingot

STATEMENTS, ROUNDS = 200, 15


def source(module: str, name: str) -> str:
    """A function whose every statement uses the previous values."""
    calls = ("sin", "cos", "tanh", "exp", "sqrt")
    lines = [f"def {name}(x, y):"]
    for i in range(STATEMENTS):
        call = calls[i % len(calls)]
        lines.append(
            f"    x, y = y, {module}.{call}(x * y + {i}.5)" if i % 2 else f"    x = x - y * {i}.25"
        )
    return "\n".join([*lines, "    return x + y", ""])


def load(folder: Path, name: str, text: str) -> Any:
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def seconds(function: Any) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main() -> None:
    import jax

    jax.config.update("jax_enable_x64", True)
    x, y = np.linspace(0.1, 1, 8), np.linspace(1, 2, 8)
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(ROUNDS):
            # A new function each time: neither side may reuse anything.
            text = "import numpy as np\nimport jax.numpy as jnp\n"
            text += source("np", "f") + source("jnp", "g")
            made = load(Path(folder), f"bench_{i}", text)
            ours.append(seconds(lambda made=made: ingot.jit(made.f).lower(x, y).stablehlo()))
            theirs.append(seconds(lambda made=made: jax.jit(made.g).lower(x, y).as_text()))
    mine, jaxs = statistics.median(ours[2:]), statistics.median(theirs[2:])
    row = {
        "benchmark": "lowering_time",
        "statements": STATEMENTS,
        "ingot_ms": mine * 1e3,
        "jax_ms": jaxs * 1e3,
        "times_faster": jaxs / mine,
    }
    json.dump(row, sys.stdout)
    print()


if __name__ == "__main__":
    main()
