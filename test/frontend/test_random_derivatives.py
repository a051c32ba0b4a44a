"""Gradients of random programs of slices, views, updates, loops and branches."""

import numpy as np
import pytest

import ingot
from level import pick
from oracle import central, moved, quiet
from programs import assert_may_be_refused, for_programs, function_of, loss_of

STEP = 1e-6
RNG = np.random.default_rng(0)
#: Not where branches and rounding change.
ARGUMENTS = (
    np.arange(12.0).reshape(3, 4) % 5 - 1.5 + RNG.uniform(0.05, 0.2, (3, 4)),
    np.array([0.5, -2.0, 3.0, 1.0]) + RNG.uniform(0.05, 0.2, 4),
    np.arange(6) - 2,
)
TANGENTS = RNG.normal(size=(3, 4)), RNG.normal(size=4), np.zeros(6, int)


@pytest.mark.slow
@pytest.mark.floor(0.9)
def test_random_gradient(tmp_path, sweep):
    def fresh():
        return moved(ARGUMENTS, TANGENTS, 0)

    def run(program):
        source = loss_of(program)
        f = function_of(source, tmp_path)
        with quiet():
            expected, finer = (central(f, ARGUMENTS, TANGENTS, s) for s in (STEP, STEP / 4))
        try:
            gradients = ingot.grad(f, (0, 1))(*fresh())
            slope = ingot.jvp(f, tuple(fresh()), TANGENTS)[1]
        except ingot.CompileError as error:
            assert_may_be_refused(error, source)
            sweep.refused(error)
            return
        found = sum(np.sum(g * t) for g, t in zip(gradients, TANGENTS))
        np.testing.assert_allclose(found, slope, rtol=1e-7, atol=1e-9, err_msg=source)
        if np.isclose(expected, finer, rtol=1e-4, atol=1e-4):
            np.testing.assert_allclose(slope, expected, rtol=1e-4, atol=1e-4, err_msg=source)
            sweep.agreed("with differences")
        else:
            sweep.skipped("with differences")
        sweep.agreed()

    for_programs(pick(10, 40, 2000), run)
