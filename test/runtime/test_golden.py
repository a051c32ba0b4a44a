"""Artifacts of each format load for ever, and give what they gave."""

import re
from pathlib import Path

import numpy as np
import pytest

import ingot
from golden import make
from ingot_runtime.container import FORMAT

GOLDEN = sorted((Path(__file__).parent / "golden").glob("format-*.ingot"))
RNG = np.random.default_rng(0)


def test_each_format_has_one():
    assert [int(re.search(r"\d+", path.name)[0]) for path in GOLDEN] == list(range(1, FORMAT + 1))


@pytest.fixture(params=GOLDEN, ids=lambda path: path.stem)
def loaded(request):
    return ingot.load(request.param)


def test_network(loaded):
    for n in (1, 3, 64):
        x = RNG.normal(size=(n, 4)).astype(np.float32)
        found = loaded.entry("network")(x, 3)
        np.testing.assert_allclose(found, make.network(x, 3), rtol=1e-5, atol=1e-6)
        assert found.dtype == np.float32
    with pytest.raises(AssertionError) as caught:
        loaded.entry("network")(x, 0)
    assert caught.value.args == ("k is too small",)
    assert caught.value.__notes__[0].startswith("  at make.py:22:5\n")
    with pytest.raises(ValueError, match="n is 65, but must be at most 64"):
        loaded.entry("network")(np.zeros((65, 4), np.float32), 1)
    assert loaded.entry("network").batch == "n"


def test_tree(loaded):
    p = np.array([1 + 2j, -3j]), np.int16(4)
    found = loaded.entry("tree")(p, {"shift": 0.5}, mode="both")
    expected = make.tree(p, {"shift": 0.5}, mode="both")
    assert found.keys() == expected.keys()
    np.testing.assert_allclose(found["rotated"]["z"], expected["rotated"]["z"])
    np.testing.assert_allclose(found["rotated"]["real"], expected["rotated"]["real"])
    assert (found["sum"], found["mode"], found["none"]) == (4.5, "both", None)


def test_bump(loaded):
    a = np.array([1, 2, 3])
    assert loaded.entry("bump")(a, -1) == 2.0
    np.testing.assert_array_equal(a, [1, 2, 4])
    with pytest.raises(IndexError):
        loaded.entry("bump")(a, 3)


def test_solved(loaded):
    root = RNG.normal(size=(3, 3))
    a, b = root @ root.T + np.eye(3), RNG.normal(size=(3, 2))
    for found, expected in zip(loaded.entry("solved")(a, b), make.solved(a, b)):
        np.testing.assert_allclose(found, expected, rtol=1e-9)
    with pytest.raises(np.linalg.LinAlgError):
        loaded.entry("solved")(np.ones((3, 3)), b)


def test_selected(loaded):
    if loaded.manifest["format"] < 3:
        assert "selected" not in loaded.entry_points
        return
    for n in (1, 4, 9):
        x, w = np.arange(n) * 5 % 7, np.array([1.0, -1.0, 0.5])
        for found, expected in zip(loaded.entry("selected")(x, w), make.selected(x, w)):
            np.testing.assert_array_equal(found, expected, strict=True)
    assert repr(loaded.entry("selected")).endswith("n0 <= n, n1 <= n, n2 <= 3)")


def test_normalised(loaded):
    if loaded.manifest["format"] < 4:
        assert "normalised" not in loaded.entry_points
        return
    x = RNG.normal(size=(8, 4))
    made, largest = loaded.entry("normalised")(x)
    assert isinstance(made, ingot.ShardedArray) and made.sharding.spec == ingot.P("i")
    np.testing.assert_allclose(made, make.normalised(x)[0], rtol=1e-12)
    assert largest == x.max()


def test_raising(loaded):
    if loaded.manifest["format"] < 5:
        assert "raising" not in loaded.entry_points
        return
    assert loaded.entry("raising")(2.0, 3) == 6.0
    for args in ((-1.0, 3), (1.5, 10)):
        found = []
        for call in (make.raising, loaded.entry("raising")):
            with pytest.raises(ValueError) as caught:
                call(*args)
            error = caught.value
            found.append((error.args, repr(error.__cause__), error.__suppress_context__))
        assert found[0] == found[1]


def test_pairs(loaded):
    x, y = RNG.normal(size=(5, 2)), RNG.normal(size=(10, 2))
    total, count = loaded.entry("pairs")(x, y)
    np.testing.assert_allclose(total, make.pairs(x, y)[0])
    assert (count, type(count)) == (5, int)
