"""NumPy's functions for the items of a batch: what a loop over them and np.stack give.

`INGOT_VMAP_CASES=4` takes every fourth case of the function tests; the default is all.
"""

import os
import warnings

import numpy as np
import pytest
from expressions import compiled_from_a_file, function_cases

import ingot
from ingot_runtime.trees import flatten

os.environ.setdefault("INGOT_VMAP_CASES", "1")
#: They give what lies in memory, or look at it.
CASES = [case for case in function_cases("INGOT_VMAP_CASES") if "empty" not in case]

SIZE = 3
RNG = np.random.default_rng(0)
NAMES = "AMNVCB"
M = np.arange(12.0).reshape(3, 4) % 5 - 1.5
ITEMS = {
    "A": [RNG.permutation(24).reshape(2, 3, 4) - 7.5 for _ in range(SIZE)],
    "M": [RNG.permuted(M) for _ in range(SIZE)],
    "N": [RNG.integers(-2, 5, (3, 4)) for _ in range(SIZE)],
    "V": [RNG.permuted([3.0, -1.0, 2.5, 0.5]) for _ in range(SIZE)],
    "C": [RNG.permuted(M) + 1j * RNG.permuted(M) for _ in range(SIZE)],
    "B": [RNG.random((3, 4)) > 0.4 for _ in range(SIZE)],
}


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    return compiled_from_a_file(CASES, tmp_path_factory)


def batch(number):
    """Arguments with the items along other axes in each case, some without."""
    args, axes = [], []
    for i, name in enumerate(NAMES):
        items = ITEMS[name]
        axis = [0, 1, -1, None][(number + 2 * i) % 4]
        if name in CASES[number] and axis is None and number % 3:
            axis = 0
        args.append(items[0] if axis is None else np.stack(items, axis))
        axes.append(axis)
    if all(axis is None for axis in axes):
        args[0], axes[0] = np.stack(ITEMS["A"]), 0
    return args, tuple(axes)


def item(arg, axis, lane):
    return arg.copy() if axis is None else np.take(arg, lane, axis).copy()


def plain(f, args, axes):
    """The leaves of NumPy's results, stacked; or None where it raises, or they don't stack."""
    results = []
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for lane in range(SIZE):
                leaves = []
                value = f(*[item(a, axis, lane) for a, axis in zip(args, axes)])
                flatten(value, leaves)
                results.append(leaves)
            return [np.stack([np.asarray(x) for x in leaf]) for leaf in zip(*results)]
        except Exception:
            return None


@pytest.mark.parametrize("number", range(len(CASES)), ids=CASES)
def test_items(number, functions):
    f = functions[f"f{number}"]
    args, axes = batch(number)
    expected = plain(f, args, axes)
    if expected is None:
        return
    try:
        ingot.jit(f).lower(*[item(a, axis, 0) for a, axis in zip(args, axes)])
    except ingot.CompileError:
        return
    result = ingot.vmap(f, axes)(*args)
    found = []
    flatten(result, found)
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected):
        if theirs.dtype.kind in "OUS":
            # What is no number, such as None, is the same for all.
            assert all(x == mine for x in theirs.tolist())
            continue
        assert isinstance(mine, np.ndarray)
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(mine, theirs, rtol=1e-10, atol=1e-12)
