"""examples/data_parallel.py: four devices have the losses of one."""

import sys
from pathlib import Path

import numpy as np
import pytest

import ingot

sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))

import data_parallel

pytestmark = pytest.mark.once


def test_training():
    rng = np.random.default_rng(0)
    images, labels = rng.random((90, 16)), rng.integers(0, 4, 90)
    one, weights = data_parallel.train(images, labels, steps=8)
    four, others = data_parallel.train(images, labels, ingot.mesh(data=4), steps=8)
    assert one[-1] < one[0]
    np.testing.assert_allclose(four, one, rtol=1e-12)
    for a, b in zip(ingot.tree.leaves(weights), ingot.tree.leaves(others), strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("shape", [(8, 6), (16, 16)])
def test_the_stencil(shape):
    plate = np.random.default_rng(1).random(shape)
    f = ingot.jit(
        data_parallel.diffuse, mesh=ingot.mesh(data=4), in_shardings=(ingot.P("data"), None),
        static="steps",
    )  # fmt: skip
    np.testing.assert_allclose(f(plate, 20), data_parallel.diffuse(plate, 20), rtol=1e-12)
    assert f.lower(plate, 20).compile().collectives() == {"collective-permute": 2}
