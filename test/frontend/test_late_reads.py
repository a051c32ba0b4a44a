"""Stores that NumPy makes in turn: what they read of the array that they store to."""

import numpy as np
import pytest

import ingot
from sources import namespace_of

READ_BEFORE = [
    "a.flat = a", "a.flat[:3] = a[1]", "a.flat[:-1] = a.ravel()[1:]", "a.flat = a.astype(np.float32)",
    "a.flat = a[::-1].copy()", "a.flat[[0, 1]] = a.flat[[1, 0]]", "a[:, :2].flat = a[2]",
    "np.concatenate([a[1:], a[:1]], out=a)", "np.concatenate([a[:, 2:], a[:, :2]], axis=1, out=a)",
    "np.stack([a[1], a[2], a[0]], out=a)", "np.stack([a[1], a[0], a[2]], axis=-1, out=a)",
    "np.concatenate([a[0], a[2]], out=a.reshape(-1)[2:8])", "np.concatenate([a.T[:2], a[:1]], out=a)",
    "np.fill_diagonal(a, a[0])", "np.fill_diagonal(a, a[:, ::-1].diagonal())", "np.fill_diagonal(a, a.T[0])",
]  # fmt: skip
READ_LATE = [
    "a.flat = a[::-1]", "a.T.flat = a", "a.flat = a.ravel()[1:]", "a.flat[2:] = a.ravel()[:-2]",
    "a.flat[[0, 1]] = a[0, 1::-1]", "np.fill_diagonal(a, a.diagonal()[::-1])",
]  # fmt: skip


def program(statement, folder):
    return namespace_of(f"def f(a):\n    {statement}\n    return a\n", folder)["f"]


def table(dtype):
    return np.arange(1, 10).reshape(3, 3).astype(dtype)


@pytest.mark.parametrize("dtype", [complex, np.int8])
@pytest.mark.parametrize("statement", READ_BEFORE)
def test_read_before_they_are_stored_to(check, statement, dtype, tmp_path):
    check(program(statement, tmp_path), table(dtype))


@pytest.mark.parametrize("statement", READ_LATE)
def test_read_after_they_are_stored_to(statement, tmp_path):
    with pytest.raises(ingot.UnsupportedError, match="after it has stored to them"):
        ingot.jit(program(statement, tmp_path))(table(float))


def test_flat_parts_of_an_array_are_not_joined_into_it(tmp_path):
    join = program("np.concatenate([a[1:], a[:1]], axis=None, out=a.reshape(-1))", tmp_path)
    with pytest.raises(ingot.UnsupportedError, match="shares memory with an array that is joined"):
        ingot.jit(join)(table(float))
