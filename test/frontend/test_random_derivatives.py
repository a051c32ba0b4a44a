"""Gradients of random programs of slices, views, updates, loops and branches.

INGOT_PROGRAMS says how many: 200 by default, 2,000 in `make nightly`.
"""

import os

import hypothesis.strategies as st
import numpy as np
from hypothesis import HealthCheck, given, settings
from programs import Writer, function_of, loss_of

import ingot

PROGRAMS = int(os.environ.get("INGOT_PROGRAMS", "200"))
STEP = 1e-6
RNG = np.random.default_rng(0)
#: Not where branches and rounding change.
A = np.arange(12.0).reshape(3, 4) % 5 - 1.5 + RNG.uniform(0.05, 0.2, (3, 4))
B = np.array([0.5, -2.0, 3.0, 1.0]) + RNG.uniform(0.05, 0.2, 4)
K = np.arange(6) - 2
TANGENTS = RNG.normal(size=A.shape), RNG.normal(size=B.shape), np.zeros_like(K)
#: What may be refused, and no more.
REFUSED = ("shares its memory", "which shares memory", "can't cast the result", "broadcast")


def moved(step):
    return [A + step * TANGENTS[0], B + step * TANGENTS[1], K.copy()]


def numeric(f, step):
    return (f(*moved(step)) - f(*moved(-step))) / (2 * step)


@settings(
    max_examples=PROGRAMS, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
@given(st.data())
def test_random_gradient(tmp_path_factory, data):
    source = loss_of(Writer(data.draw).program())
    f = function_of(source, tmp_path_factory.getbasetemp())
    with np.errstate(all="ignore"):
        expected, finer = numeric(f, STEP), numeric(f, STEP / 4)
    try:
        gradients = ingot.grad(f, (0, 1))(*moved(0))
        slope = ingot.jvp(f, tuple(moved(0)), TANGENTS)[1]
    except ingot.CompileError as error:
        assert any(text in str(error) for text in REFUSED), f"{source}\n{error}"
        return
    found = sum(np.sum(g * t) for g, t in zip(gradients, TANGENTS))
    np.testing.assert_allclose(found, slope, rtol=1e-7, atol=1e-9, err_msg=source)
    if np.isclose(expected, finer, rtol=1e-4, atol=1e-4):
        np.testing.assert_allclose(slope, expected, rtol=1e-4, atol=1e-4, err_msg=source)
