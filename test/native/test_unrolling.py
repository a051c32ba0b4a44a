"""Which loops of kernels are unrolled in full, on a processor that is the same on all machines."""

import re

import numpy as np
import pytest

import ingot
from targets import FIXED


def long_rows(x, y):
    return x * y[:, None]


def numbered_rows(x, y):
    return x * np.sin(np.mgrid[: x.shape[0], : x.shape[1]][0])


def short_rows(x, y):
    return x[:, :4] * y[:, None]


@pytest.mark.parametrize(
    ("function", "loops"), [(long_rows, 1), (numbered_rows, 4), (short_rows, 0)]
)
def test_loops_around_long_ones_are_kept(function, loops):
    """Unless their iterations compute with their number."""
    x, y = np.random.default_rng(0).normal(size=(4, 1000)), np.arange(4.0)
    compiled = ingot.jit(function, native=True)
    np.testing.assert_allclose(compiled(x, y), function(x, y), rtol=1e-14)
    # How LLVM forms loops depends on the processor.
    (kernel,) = compiled.lower(x, y).native(processor=FIXED).values()
    assert len(re.findall("^vector.body", kernel["llvm"], re.M)) == loops
