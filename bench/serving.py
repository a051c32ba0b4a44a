"""Requests per second of `ingot serve` with and without joining requests.

A perceptron whose weights (48 MiB) make a call cost about the same for 1 image as for 16; 32
requests of one image each are under way at any time, over gRPC. The two servers are alternated.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import tritonclient.grpc.aio as rpc
from tritonclient.grpc import InferInput

import ingot

sys.path.insert(0, str(Path(__file__).parent.parent / "test" / "support"))
from server import Server

WIDTH, LAYERS, CONCURRENT, SECONDS, ROUNDS = 2048, 3, 32, 4.0, 3

RNG = np.random.default_rng(0)
WEIGHTS = [RNG.normal(size=(WIDTH, WIDTH), scale=0.02).astype(np.float32) for _ in range(LAYERS)]


def network(x):
    for w in WEIGHTS:
        x = np.maximum(x @ w, 0)
    return x


async def load(address: str) -> list[float]:
    """The latencies of the requests that were answered, in seconds."""
    x = RNG.normal(size=(1, WIDTH)).astype(np.float32)
    tensor = InferInput("x", list(x.shape), "FP32")
    tensor.set_data_from_numpy(x)
    end = time.monotonic() + SECONDS
    latencies = []

    async def client() -> None:
        while time.monotonic() < end:
            start = time.monotonic()
            await connection.infer("network", [tensor])
            latencies.append(time.monotonic() - start)

    async with rpc.InferenceServerClient(address) as connection:
        await asyncio.gather(*(client() for _ in range(CONCURRENT)))
    return latencies


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "models").mkdir()
        made = ingot.export(network, ingot.spec(f"n,{WIDTH}", "float32"))
        made.save(work / "models" / "network.ingot")
        rates: dict[str, list[float]] = {"1": [], "64": []}
        middle: dict[str, list[float]] = {"1": [], "64": []}
        for _ in range(ROUNDS):
            for largest in rates:
                options = ("--max-batch", largest, "--no-http", "--log-level", "warning")
                with Server(work / "models", work, *options) as server:
                    latencies = asyncio.run(load(server.grpc))
                rates[largest].append(len(latencies) / SECONDS)
                middle[largest].append(statistics.median(latencies) * 1e3)
        alone, joined = (statistics.median(rates[largest]) for largest in rates)
        row = {
            "benchmark": "serving",
            "requests_per_second_alone": round(alone, 1),
            "requests_per_second_joined": round(joined, 1),
            "latency_alone_ms": round(statistics.median(middle["1"]), 1),
            "latency_joined_ms": round(statistics.median(middle["64"]), 1),
            "times_more": round(joined / alone, 2),
        }
        print(json.dumps(row))


if __name__ == "__main__":
    main()
