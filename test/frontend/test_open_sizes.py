"""Functions exported with a named dimension give for every size what NumPy gives, or are refused.

`INGOT_OPEN_CASES=1` takes every case of the function tests; the default is every fourth.
"""

import warnings

import numpy as np
import pytest
from expressions import compiled_from_a_file, function_cases

import ingot
from oracle import assert_same

CASES = function_cases("INGOT_OPEN_CASES")
SPECS = (
    ingot.spec("2,n,4"),
    ingot.spec("n,4"),
    ingot.spec("n,4", "int64"),
    ingot.spec("4"),
    ingot.spec("n,4", "complex128"),
    ingot.spec("n,4", "bool"),
)


def arguments(n):
    m = np.arange(n * 4.0).reshape(n, 4) % 5 - 1.5
    ints = np.arange(n * 4).reshape(n, 4) % 7 - 2
    v = np.array([3.0, -1.0, 2.5, 0.5])
    return np.arange(8.0 * n).reshape(2, n, 4) - 7.5, m, ints, v, m + 1j * m[::-1], ints > 0


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    return compiled_from_a_file(CASES, tmp_path_factory)


def outcome(f, *args):
    """The result, or the exception in its place."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return f(*args)
    except Exception as error:
        return error


@pytest.mark.parametrize("number", range(len(CASES)), ids=CASES)
def test_any_size(number, functions, tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", "")
    f = functions[f"f{number}"]
    try:
        artifact = ingot.export(f, *SPECS)
    except ingot.CompileError:
        return
    artifact.save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    for n in (3, 1, 6):
        plain, mine = outcome(f, *arguments(n)), outcome(loaded, *arguments(n))
        if isinstance(plain, Exception):
            assert isinstance(mine, Exception) and not isinstance(mine, ingot.IngotError)
        else:
            assert_same(mine, plain, 1e-9)


def test_most_cases_are_not_refused(functions):
    refused = 0
    for number in range(len(CASES)):
        try:
            ingot.export(functions[f"f{number}"], *SPECS)
        except ingot.CompileError:
            refused += 1
    assert refused < len(CASES) / 6
