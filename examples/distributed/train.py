"""Data-parallel training: each device has a part of the examples, and all have the parameters.

    python examples/distributed/train.py
    ingot launch -n 2 --devices 2 examples/distributed/train.py --checkpoint checkpoint

Both print the same losses, up to rounding. A training that was killed goes on from its checkpoint.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

import numpy as np

import ingot

RATE = 0.5

Parameters = dict[str, Any]


def examples(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points of a plane, and whether each is inside of a ring."""
    points = np.random.default_rng(0).uniform(-1, 1, (count, 2))
    radius = np.hypot(points[:, 0], points[:, 1])
    return points, ((radius > 0.4) & (radius < 0.8)).astype(float)


def initial(width: int) -> Parameters:
    rng = np.random.default_rng(1)
    return {
        "hidden": rng.normal(size=(2, width)), "bias": rng.normal(size=width),
        "out": rng.normal(size=width) / np.sqrt(width),
    }  # fmt: skip


def loss(parameters: Parameters, points: np.ndarray, inside: np.ndarray) -> float:
    hidden = np.tanh(points @ parameters["hidden"] + parameters["bias"])
    scores = hidden @ parameters["out"]
    return np.mean(np.logaddexp(0.0, scores) - inside * scores)


def step(parameters: Parameters, points: np.ndarray, inside: np.ndarray) -> tuple[float, Any]:
    value, gradient = ingot.value_and_grad(loss)(parameters, points, inside)
    return value, ingot.tree.map(lambda p, g: p - RATE * g, parameters, gradient)


def train(steps: int, checkpoint: str | None, every: int) -> None:
    mesh = ingot.mesh(data=ingot.distributed.size() * len(ingot.devices()))
    divided, copied = ingot.P("data"), ingot.P()
    advance = ingot.jit(step, mesh=mesh, in_shardings=(copied, divided, divided))
    state = {"done": 0, "parameters": initial(32)}
    if checkpoint and os.path.exists(os.path.join(checkpoint, "manifest.json")):
        state = ingot.restore(checkpoint, like=state)
    points, inside = examples(1024)
    for done in range(state["done"] + 1, steps + 1):
        value, parameters = advance(state["parameters"], points, inside)
        state = {"done": done, "parameters": parameters}
        if ingot.distributed.rank() == 0:
            print(f"step {done} loss {value:.12f}", flush=True)
        if checkpoint and done % every == 0:
            ingot.save(checkpoint, state)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--checkpoint", help="the folder to save to, and to go on from")
    parser.add_argument("--every", type=int, default=10, help="the steps between two saves")
    options = parser.parse_args()
    if "INGOT_COORDINATOR" in os.environ:
        ingot.distributed.init()
    train(options.steps, options.checkpoint, options.every)
