"""A cold process up to the first result of a stored network: Ingot, jax.export, onnxruntime.

The network is the same, a perceptron of 64 images whose weights lie in the file. Each process
starts Python, imports what it needs, loads the file, runs it and prints the sum; all are alternated
in one run. Processes find the caches of compiled code as an earlier process left them, where the
system has one and uses it by default; jax's, off by default, is measured both ways.

Also, in one warm process: a call of a batch size that was not seen before; and two functions whose
artifacts have machine code, loaded up to the first result and called, in both forms.
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import ingot
import ingot_runtime

ROUNDS = 7
LAYERS = (784, 512, 256, 10)
BATCH = 64

RNG = np.random.default_rng(0)
WEIGHTS = [
    (RNG.normal(size=(a, b)).astype(np.float32) / np.float32(a**0.5), np.zeros(b, np.float32))
    for a, b in itertools.pairwise(LAYERS)
]

SCRIPTS = {
    "ingot": """
import sys, numpy as np, ingot_runtime
x = np.load(sys.argv[1] + "/x.npy")
print(float(ingot_runtime.load(sys.argv[1] + "/open.ingot")(x).sum()))
""",
    "ingot_native": """
import sys, numpy as np, ingot_runtime
x = np.load(sys.argv[1] + "/x.npy")
print(float(ingot_runtime.load(sys.argv[1] + "/native.ingot", native=True)(x).sum()))
""",
    "jax_export": """
import sys, numpy as np, jax
from jax import export
x = np.load(sys.argv[1] + "/x.npy")
with open(sys.argv[1] + "/network.jax", "rb") as file:
    loaded = export.deserialize(bytearray(file.read()))
print(float(np.asarray(loaded.call(x)).sum()))
""",
    "onnxruntime": """
import sys, numpy as np, onnxruntime
x = np.load(sys.argv[1] + "/x.npy")
session = onnxruntime.InferenceSession(sys.argv[1] + "/network.onnx")
print(float(session.run(None, {"x": x})[0].sum()))
""",
}


def network(x):
    for i, (w, b) in enumerate(WEIGHTS):
        x = x @ w + b
        if i < len(WEIGHTS) - 1:
            x = np.maximum(x, 0)
    return x


def write(folder: Path, x: np.ndarray) -> None:
    np.save(folder / "x.npy", x)
    ingot.export(network, ingot.spec(f"n,{LAYERS[0]}", "float32")).save(folder / "open.ingot")
    ingot.export(network, x, native=True).save(folder / "native.ingot")
    write_jax(folder / "network.jax", x)
    write_onnx(folder / "network.onnx")


def write_jax(path: Path, x: np.ndarray) -> None:
    import jax
    from jax import export

    def theirs(x: Any) -> Any:
        for i, (w, b) in enumerate(WEIGHTS):
            x = x @ w + b
            if i < len(WEIGHTS) - 1:
                x = jax.numpy.maximum(x, 0)
        return x

    path.write_bytes(export.export(jax.jit(theirs))(x).serialize())


def write_onnx(path: Path) -> None:
    from onnx import TensorProto, helper, numpy_helper, save

    nodes, stored, value = [], [], "x"
    for i, (w, b) in enumerate(WEIGHTS):
        stored += [numpy_helper.from_array(w, f"w{i}"), numpy_helper.from_array(b, f"b{i}")]
        last = i == len(WEIGHTS) - 1
        nodes.append(
            helper.make_node("Gemm", [value, f"w{i}", f"b{i}"], ["y" if last else f"a{i}"])
        )
        if not last:
            nodes.append(helper.make_node("Relu", [f"a{i}"], [f"h{i}"]))
        value = f"h{i}"
    shapes = {"x": ["n", LAYERS[0]], "y": ["n", LAYERS[-1]]}
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in shapes.items())
    graph = helper.make_graph(nodes, "network", [x], [y], stored)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def run(script: str, folder: Path, environment: Mapping[str, str]) -> tuple[float, float]:
    """The seconds that a process takes, and its output.

    Bytecode is kept from one process to the next, as installed packages have it: else Ingot's
    modules would be compiled in each process where JAX's are not.
    """
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)], check=True, capture_output=True, text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment},
    )  # fmt: skip
    return time.perf_counter() - start, float(done.stdout)


def jax_cache(folder: Path) -> dict[str, str]:
    """The environment in which JAX caches all compiled programs in the folder."""
    return {
        "JAX_COMPILATION_CACHE_DIR": str(folder),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


def cold(folder: Path, expected: float) -> None:
    cache = {"INGOT_CACHE_DIR": str(folder / "cache")}
    cases = {
        "ingot": (SCRIPTS["ingot"], cache),
        "ingot_no_cache": (SCRIPTS["ingot"], {"INGOT_CACHE_DIR": ""}),
        "ingot_native": (SCRIPTS["ingot_native"], {"INGOT_CACHE_DIR": ""}),
        "jax_export": (SCRIPTS["jax_export"], {}),
        "jax_export_cached": (SCRIPTS["jax_export"], jax_cache(folder / "jax-cache")),
        "onnxruntime": (SCRIPTS["onnxruntime"], {}),
    }
    times: dict[str, list[float]] = {name: [] for name in cases}
    for i in range(ROUNDS + 1):
        for name, (script, environment) in cases.items():
            seconds, result = run(script, folder, environment)
            assert abs(result - expected) < 1e-2 * abs(expected) + 1e-2, (name, result, expected)
            # The first round warms caches, of files and of code.
            times[name] += [seconds] if i else []
    medians = {name: statistics.median(each) for name, each in times.items()}
    row = {
        "benchmark": "cold_process_to_first_result",
        **{f"{name}_ms": round(value * 1e3, 1) for name, value in medians.items()},
        "times_faster_than_jax_export": round(medians["jax_export"] / medians["ingot"], 2),
        "times_faster_than_onnxruntime": round(medians["onnxruntime"] / medians["ingot"], 2),
    }
    print(json.dumps(row))


def new_sizes(folder: Path) -> None:
    loaded = ingot_runtime.load(folder / "open.ingot", buckets={"n": [1, 2, 4, 8, 16, 32, 64]})
    loaded.warmup()
    times = []
    for n in RNG.permutation(np.arange(1, 64)):
        x = RNG.normal(size=(n, LAYERS[0])).astype(np.float32)
        start = time.perf_counter()
        loaded(x)
        times.append(time.perf_counter() - start)
    row = {
        "benchmark": "new_batch_size",
        "median_ms": round(statistics.median(times) * 1e3, 3),
        "worst_ms": round(max(times) * 1e3, 3),
    }
    print(json.dumps(row))


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def cholesky(a):
    """Loops of scalars, with a check."""
    for i in range(len(a)):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
        for k in range(i):
            a[i, i] -= a[i, k] * a[i, k]
        if a[i, i] <= 0:
            raise ValueError("the matrix is not positive definite")
        a[i, i] = np.sqrt(a[i, i])
    return a


#: The functions and their arguments.
COMPUTED = {
    "softmax": (softmax, RNG.normal(size=(64, 1000)).astype(np.float32)),
    "cholesky": (cholesky, np.eye(100) * 100 + 1),
}


def machine_code(folder: Path) -> None:
    os.environ["INGOT_CACHE_DIR"] = ""
    row: dict[str, Any] = {"benchmark": "machine_code"}
    for name, (function, *arguments) in COMPUTED.items():
        ingot.export(function, *arguments, native=True).save(folder / "computed.ingot")
        firsts: dict[str, list[float]] = {"portable": [], "native": []}
        calls: dict[str, list[float]] = {"portable": [], "native": []}
        for _ in range(ROUNDS):
            for kind, seconds in firsts.items():
                start = time.perf_counter()
                loaded = ingot_runtime.load(folder / "computed.ingot", native=kind == "native")
                loaded(*(np.copy(each) for each in arguments))
                seconds.append(time.perf_counter() - start)
                copies = [[np.copy(each) for each in arguments] for _ in range(20)]
                start = time.perf_counter()
                for each in copies:
                    loaded(*each)
                calls[kind].append((time.perf_counter() - start) / len(copies))
        for kind in firsts:
            row[f"{name}_{kind}_first_ms"] = round(statistics.median(firsts[kind]) * 1e3, 2)
            row[f"{name}_{kind}_call_ms"] = round(statistics.median(calls[kind]) * 1e3, 3)
    print(json.dumps(row))


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        x = RNG.normal(size=(BATCH, LAYERS[0])).astype(np.float32)
        write(folder, x)
        cold(folder, float(network(x).sum()))
        new_sizes(folder)
        machine_code(folder)


if __name__ == "__main__":
    main()
