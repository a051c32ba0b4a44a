"""Training on the rows of a batch on four devices, and a stencil whose array lies on them.

`python examples/data_parallel.py` takes four CPU devices of one process.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

# Before the first use of a device.
os.environ.setdefault("INGOT_CPU_DEVICES", "4")

import training

import ingot
from ingot import P


def train(
    images: np.ndarray, labels: np.ndarray, mesh: Any = None, steps: int = 60, batch: int = 60
) -> tuple[list[float], Any]:
    """Train the classifier of `training`; its step follows its arguments to the mesh.

    Returns:
        the loss of each step, and the weights.
    """

    def put(x: Any, spec: Any) -> Any:
        return x if mesh is None else ingot.tree.map(lambda x: ingot.shard(x, spec, mesh=mesh), x)

    weights = put(training.initial([images.shape[1], 128, int(labels.max()) + 1]), P())
    first: Any = ingot.tree.map(lambda x: 0 * np.asarray(x), weights)
    first = second = put(first, P())
    rng = np.random.default_rng(1)
    losses = []
    for count in range(1, steps + 1):
        chosen = rng.integers(len(images), size=batch)
        rows, numbers = put(images[chosen], P("data")), put(labels[chosen], P("data"))
        weights, first, second, value = training.step(
            weights, first, second, float(count), rows, numbers
        )
        losses.append(float(value))
    return losses, ingot.tree.map(np.asarray, weights)


def digits() -> tuple[np.ndarray, np.ndarray]:
    """The images of scikit-learn's digits, of 64 numbers from 0 to 1, and their labels."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    return images / 16, labels


def diffuse(u, steps):
    """Heat in a plate whose edges wrap around."""
    for _ in range(steps):
        around = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
        u = u + 0.1 * (around - 4 * u)
    return u


def main() -> tuple[float, float, dict[str, int]]:
    """Compare four devices with one.

    Returns:
        the last loss, the largest relative difference of a loss, and the messages of the stencil.
    """
    images, labels = digits()
    mesh = ingot.mesh(data=4)
    (one, _), (four, _) = (train(images, labels, where) for where in (None, mesh))
    difference = float(np.max(np.abs(np.divide(four, one) - 1)))
    assert difference < 1e-9, "four devices have other losses than one"

    plate = np.random.default_rng(0).random((256, 256))
    on_mesh = ingot.jit(diffuse, mesh=mesh, in_shardings=(P("data"), None), static="steps")
    assert np.allclose(on_mesh(plate, 100), diffuse(plate, 100), rtol=1e-12)
    return four[-1], difference, on_mesh.lower(plate, 100).compile().collectives()


if __name__ == "__main__":
    loss, difference, messages = main()
    print(f"loss {loss:.4f} after 60 steps; on one device it differs by at most {difference:.1e}")
    print(f"100 steps of a stencil equal NumPy's; messages in its loop: {messages}")
