"""Functions exported with a named dimension give for every size what NumPy gives, or are refused."""

import numpy as np
import pytest

import ingot
from expressions import function_cases, functions_of
from oracle import assert_same, outcome

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


@pytest.mark.floor(0.83)
@pytest.mark.parametrize("case", function_cases(25))
def test_any_size(case, tmp_path, sweep):
    (f,) = functions_of([case], tmp_path)
    try:
        artifact = ingot.export(f, *SPECS)
    except ingot.CompileError:
        sweep.refused()
        return
    artifact.save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    for n in (3, 1, 6):
        plain, mine = outcome(f, *arguments(n)), outcome(loaded, *arguments(n))
        if isinstance(plain, Exception):
            assert isinstance(mine, Exception) and not isinstance(mine, ingot.IngotError)
        else:
            assert_same(mine, plain, 1e-9)
    sweep.agreed()
