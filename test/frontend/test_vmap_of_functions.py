"""NumPy's functions for the items of a batch: what a loop over them and np.stack give."""

import numpy as np
import pytest

import ingot
from expressions import function_cases, functions_of
from level import sample
from oracle import leaves_of, quiet

CASES = function_cases(1)

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
    with quiet():
        try:
            for lane in range(SIZE):
                value = f(*[item(a, axis, lane) for a, axis in zip(args, axes)])
                results.append(leaves_of(value))
            return [np.stack([np.asarray(x) for x in leaf]) for leaf in zip(*results)]
        except Exception:
            return None


@pytest.mark.floor(0.95)
@pytest.mark.parametrize("number", sample(range(len(CASES)), 16), ids=lambda number: CASES[number])
def test_items(number, tmp_path, sweep):
    (f,) = functions_of([CASES[number]], tmp_path)
    args, axes = batch(number)
    expected = plain(f, args, axes)
    # NumPy's items are copies here, of which the elements lie elsewhere.
    if expected is None or ".strides" in CASES[number] or "as_strided" in CASES[number]:
        sweep.skipped()
        return
    try:
        ingot.jit(f).lower(*[item(a, axis, 0) for a, axis in zip(args, axes)])
    except ingot.CompileError as error:
        sweep.refused(error)
        return
    found = leaves_of(ingot.vmap(f, axes)(*args))
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected):
        if theirs.dtype.kind in "OUS":
            # What is no number, such as None, is the same for all.
            assert all(x == mine for x in theirs.tolist())
            continue
        assert isinstance(mine, np.ndarray)
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
        # Narrow floats round as they can.
        eps = np.finfo(theirs.dtype).eps if theirs.dtype.kind in "fc" else 0
        rtol, atol = max(1e-10, 100 * eps), max(1e-12, eps)
        np.testing.assert_allclose(mine, theirs, rtol=rtol, atol=atol)
    sweep.agreed()
