"""Training a classifier by the gradient of its NumPy source: one step is one compiled function."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

import ingot
from mlp import forward

Weights = list[tuple[np.ndarray, np.ndarray]]


def loss(weights, images, labels):
    """Mean cross entropy, with a little weight decay.

    Args:
        weights: a (matrix, bias) pair for each layer.
        images: (n, pixels) in [0, 1].
        labels: (n,) class numbers.
    """
    chosen = forward(images, weights)[np.arange(labels.shape[0]), labels]
    decay = 0.0
    for w, _ in weights:
        decay = decay + np.sum(w * w)
    return -np.mean(np.log(chosen + 1e-12)) + 1e-4 * decay


@ingot.jit
def step(weights, first, second, count, images, labels):
    """A step of Adam: new weights and moments, and the loss before."""
    value, slopes = ingot.value_and_grad(loss)(weights, images, labels)
    updated, firsts, seconds = [], [], []
    for layer, slope, m, v in zip(weights, slopes, first, second, strict=True):
        made = [adam(*each, count) for each in zip(layer, slope, m, v, strict=True)]
        updated.append((made[0][0], made[1][0]))
        firsts.append((made[0][1], made[1][1]))
        seconds.append((made[0][2], made[1][2]))
    return updated, firsts, seconds, value


def adam(w, slope, m, v, count):
    m = 0.9 * m + 0.1 * slope
    v = 0.999 * v + 0.001 * slope * slope
    size = 0.003 * (m / (1 - 0.9**count)) / (np.sqrt(v / (1 - 0.999**count)) + 1e-8)
    return w - size, m, v


def initial(sizes: list[int], seed: int = 0) -> Weights:
    rng = np.random.default_rng(seed)
    return [
        (rng.normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)) for n, m in itertools.pairwise(sizes)
    ]


def train(
    images: np.ndarray, labels: np.ndarray, epochs: int = 40, batch: int = 60
) -> Iterator[tuple[float, Weights]]:
    """Train a network of one hidden layer; gives the mean loss and the weights of each epoch."""
    weights = initial([images.shape[1], 128, int(labels.max()) + 1])
    first: Any = [(np.zeros_like(w), np.zeros_like(b)) for w, b in weights]
    second = first
    rng = np.random.default_rng(1)
    count = 0.0
    for _ in range(epochs):
        losses = []
        order = rng.permutation(len(images))
        for start in range(0, len(order) - batch + 1, batch):
            chosen = order[start : start + batch]
            count += 1
            weights, first, second, value = step(
                weights, first, second, count, images[chosen], labels[chosen]
            )
            losses.append(float(value))
        yield float(np.mean(losses)), weights


def plot(losses: list[float], accuracies: list[float], path: Any) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    left = figure.subplots()
    left.plot(losses, color="tab:red")
    left.set(xlabel="epoch", ylabel="loss", yscale="log")
    right = left.twinx()
    right.plot(accuracies, color="tab:blue")
    right.set_ylabel("accuracy on the held-out third")
    figure.savefig(path)
