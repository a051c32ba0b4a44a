"""The classifier of handwritten digits, trained on the devices of several processes.

    python examples/distributed/digits.py
    ingot launch -n 2 --devices 2 examples/distributed/digits.py

Each prints the loss of each step, and both print the same losses, up to rounding. Each process
draws the same batches, and keeps the rows that are for its devices.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1]))

import data_parallel

import ingot


def losses(images: np.ndarray, labels: np.ndarray, steps: int) -> list[float]:
    """The loss of each step, in which all devices of all processes take part."""
    if "INGOT_COORDINATOR" in os.environ:
        ingot.distributed.init()
    mesh = ingot.mesh(data=ingot.distributed.size() * len(ingot.devices()))
    return data_parallel.train(images, labels, mesh, steps)[0]


def main() -> None:
    found = losses(*data_parallel.digits(), steps=60)
    if ingot.distributed.rank() == 0:
        for step, loss in enumerate(found, 1):
            print(f"step {step} loss {loss:.12f}", flush=True)


if __name__ == "__main__":
    main()
