"""NumPy is the oracle: `check` compares a compiled function with the undecorated one."""

import copy
import os
from typing import Any

os.environ["INGOT_PLATFORM"] = "cpu"
# Tests compile what they test; those of the cache have folders of their own.
os.environ["INGOT_CACHE_DIR"] = ""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import ingot
from oracle import assert_same

settings.register_profile(
    "ingot",
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ingot")


@pytest.fixture
def check():
    """check(f, *args): the compiled function gives and changes what the plain one does."""

    def run(f: Any, *args: Any, rtol: float = 1e-12, **options: Any) -> Any:
        plain, compiled = copy.deepcopy(args), copy.deepcopy(args)
        with np.errstate(all="ignore"):
            expected = f(*plain)
        actual = ingot.jit(f, **options)(*compiled)
        assert_same(actual, expected, rtol)
        assert_same(compiled, plain, rtol)
        return actual

    return run
