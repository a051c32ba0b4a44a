"""Functions exported with a named dimension give for every size what NumPy gives, or are refused."""

import numpy as np
import pytest
import scipy.linalg

import ingot
from expressions import function_cases, functions_of
from oracle import assert_same, outcome
from sources import namespace_of
from sweeps import REFUSALS

SPECS = (
    ingot.spec("2,n,4"),
    ingot.spec("n,4"),
    ingot.spec("n,4", "int64"),
    ingot.spec("4"),
    ingot.spec("n,4", "complex128"),
    ingot.spec("n,4", "bool"),
)


SIZES = (3, 1, 6)


def arguments(n):
    m = np.arange(n * 4.0).reshape(n, 4) % 5 - 1.5
    ints = np.arange(n * 4).reshape(n, 4) % 7 - 2
    v = np.array([3.0, -1.0, 2.5, 0.5])
    return np.arange(8.0 * n).reshape(2, n, 4) - 7.5, m, ints, v, m + 1j * m[::-1], ints > 0


@pytest.mark.floor(0.83)
@pytest.mark.parametrize("case", function_cases(13))
def test_any_size(case, tmp_path, sweep):
    (f,) = functions_of([case], tmp_path)
    try:
        artifact = ingot.export(f, *SPECS)
    except ingot.CompileError as error:
        raises = any(isinstance(outcome(f, *arguments(n)), Exception) for n in SIZES)
        if raises and not isinstance(error, REFUSALS):
            # For other sizes than that of the case NumPy raises, and so does the export.
            sweep.skipped()
            return
        sweep.refused(error)
        return
    artifact.save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    for n in SIZES:
        plain, mine = outcome(f, *arguments(n)), outcome(loaded, *arguments(n))
        if isinstance(mine, NotImplementedError) and "reaches outside" in str(mine):
            # NumPy reads what lies behind the array.
            continue
        if isinstance(plain, Exception):
            assert isinstance(mine, Exception) and not isinstance(mine, ingot.IngotError)
        else:
            assert_same(mine, plain, 1e-9)
    sweep.agreed()


def test_a_norm_whose_type_depends_on_a_size():
    def f(m):
        return scipy.linalg.norm(m, 1)

    with pytest.raises(ingot.UnsupportedError, match="where open sizes are 1"):
        ingot.export(f, ingot.spec("n,4", "float64"))
    ingot.export(f, ingot.spec("3,4", "float64"))


#: Functions in C read the digits of an int; what they give is not the same for all sizes.
DIGITS = [
    "math.log(n)", "math.log(n, 2)", "math.isqrt(n)", "math.gcd(n, 4)", "math.lcm(n, 4)",
    "math.comb(n, 2)", "math.perm(n, 2)", "hash(n)", "n.to_bytes(8, 'little')[0]", "n.bit_length()",
    "n.conjugate()", "n.real", "math.floor(n)", "np.gcd(n, 4)",
    "math.factorial(n)", "math.ldexp(1.0, n)", "x.sum() * math.gcd(n, 4)",
]  # fmt: skip


@pytest.mark.once
@pytest.mark.parametrize("expression", DIGITS)
def test_digits_of_a_size(expression, tmp_path):
    text = f"import math\nimport numpy as np\ndef f(x):\n    n = len(x)\n    return {expression}\n"
    f = namespace_of(text, tmp_path)["f"]
    try:
        artifact = ingot.export(f, ingot.spec(("n",), "float64"))
    except ingot.UnsupportedError as error:
        assert "n" in str(error) and "__init__" not in str(error)
        return
    artifact.save(tmp_path / "digits.ingot")
    loaded = ingot.load(tmp_path / "digits.ingot")
    for n in (6, 4, 1):
        np.testing.assert_allclose(loaded(np.ones(n)), f(np.ones(n)), rtol=1e-12)


def joined(m):
    return np.concatenate([m, m], out=np.zeros((6, 4)))


def summed(m):
    return np.sum(m, axis=1, out=np.zeros(3))


def taken(m):
    return np.take(m, [0], 1, out=np.zeros((3, 1)))


def number(m):
    return m[:, 0].item()


@pytest.mark.parametrize("f", [joined, summed, taken, number])
def test_sizes_that_only_a_call_decides(f):
    """Some sizes fit, others raise an exception: a program for all of them is refused."""
    with pytest.raises(ingot.UnsupportedError, match="which is left open"):
        ingot.export(f, ingot.spec("n, 4"))
