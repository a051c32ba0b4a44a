"""A classifier as an artifact: loaded without the compiler, served, and queried by its clients."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import ingot
from mlp import forward

#: Run by a process of its own; it says what it has imported.
LOADER = """
import sys, time
start = time.perf_counter()
import numpy as np
import ingot_runtime
model = ingot_runtime.load(sys.argv[1])
answers = model(np.load(sys.argv[2])).argmax(axis=1)
seconds = time.perf_counter() - start
assert not {"ingot", "jax", "sklearn"} & set(sys.modules)
np.save(sys.argv[3], answers)
print(seconds)
"""


def export(weights: list[tuple[np.ndarray, np.ndarray]], path: Path) -> None:
    """Compile the classifier for any number of images; its weights go into the file."""

    def predict(images):
        return forward(images, weights)

    pixels = weights[0][0].shape[0]
    ingot.export(predict, ingot.spec(f"n,{pixels}")).save(path)


def loaded_elsewhere(path: Path, images: np.ndarray) -> tuple[float, np.ndarray]:
    """The seconds that a fresh process takes to its answers, and these."""
    given, answers = path.with_suffix(".images.npy"), path.with_suffix(".answers.npy")
    np.save(given, images)
    command = [sys.executable, "-c", LOADER, str(path), str(given), str(answers)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout), np.load(answers)


@contextmanager
def served(models: Path) -> Iterator[dict[str, int]]:
    """`ingot serve` in a process of its own; gives the ports by protocol."""
    command = [sys.executable, "-m", "ingot", "serve", str(models), "--json",
               "--http-port", "0", "--grpc-port", "0", "--log-level", "warning"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        finally:
            process.terminate()


def asked(ports: dict[str, int], model: str, images: np.ndarray) -> tuple[np.ndarray, int]:
    """What tritonclient is answered, over HTTP and gRPC in turn, and the number of requests."""
    import tritonclient.grpc as rpc
    import tritonclient.http as http

    answers, start = [], 0
    modules: list[tuple[Any, int]] = [(http, ports["http"]), (rpc, ports["grpc"])]
    clients = [module.InferenceServerClient(f"localhost:{port}") for module, port in modules]
    while start < len(images):
        number = len(answers)
        (module, _), client = modules[number % 2], clients[number % 2]
        part = images[start : start + 1 + number % 40]
        tensor = module.InferInput("images", list(part.shape), "FP64")
        tensor.set_data_from_numpy(part)
        answers.append(client.infer(model, [tensor]).as_numpy("output").argmax(axis=1))
        start += len(part)
    for client in clients:
        client.close()
    return np.concatenate(answers), len(answers)
