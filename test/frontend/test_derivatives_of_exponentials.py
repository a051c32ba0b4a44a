"""Derivatives of first to third order, in each order of the modes, of what divides by exponentials or takes their
logarithm where these are infinite or zero, against numbers with many digits."""

import functools
import itertools

import numpy as np
import pytest
from mpmath import mp

import ingot

FUNCTIONS = [
    "1 / (1 + exp(-x))",
    "1 / (exp(x) + 1)",
    "2 / (1 + exp(-2 * x)) - 1",
    "exp(-x) / (1 + exp(-x))",
    "exp(x) / (exp(x) + 3)",
    "(1 + exp(-x)) ** -1",
    "(1 + exp(x)) ** -2.5",
    "1 / (1 + exp(x)) ** 2",
    "1 / (0.5 + 2 * exp(-x))",
    "1 / (1 + exp(-x / 3))",
    "1 / ((1 + exp(x)) * (1 + exp(x)))",
    "exp(x) / (1 + exp(x)) ** 2",
    "1 / sqrt(1 + exp(x))",
    "log(1 / (1 + exp(-x)))",
    "-log(1 + exp(-x))",
    "log1p(exp(x))",
    "log1p(2 * exp(-x))",
    "log(1 + exp(x))",
    "log(1 + exp(x)) / log(2.0)",
    "x * (1 / (1 + exp(-x)))",
    "x / (1 + exp(-x))",
    "log(cosh(x))",
    "1 / cosh(x)",
    "1 / cosh(x) ** 2",
    "cosh(x) ** -3.0",
    "log(1 + cosh(x))",
    "1 / (1 + cosh(x))",
    "1 / (exp(x) + exp(-x))",
    "log(exp(x) + exp(-x))",
    "log(exp(x) + exp(-x) + 1)",
    "2 / (exp(x) - exp(-x))",
    "1 / exp(x)",
    "x / exp(x)",
    "log(exp(x))",
    "1 / (exp(x) - 1)",
    "x / (exp(x) - 1)",
]
#: Of what is no exponential, the first derivatives are known.
MIXED = ["1 / (x + exp(-x))", "log(x * x + 1 + exp(x))", "x * x / (1 + x * x + exp(-x))"]  # fmt: skip
POINTS = np.array([-800.0, -710.0, -40.0, -2.0, 0.5, 3.0, 40.0, 709.9, 800.0])
NAMES = ("exp", "log", "log1p", "cosh", "sqrt")
MODES = {"f": ingot.jacfwd, "r": ingot.jacrev}
ORDERS = {
    **{order: list(itertools.product(MODES, repeat=order)) for order in (1, 2)}, 3: ["fff", "rrr", "frf"]
}  # fmt: skip


@functools.cache
def true_slope(text: str, x: float, order: int) -> mp.mpf:
    function = eval(f"lambda x: {text}", {name: getattr(mp, name) for name in NAMES})
    with mp.workdps(60):
        return mp.diff(function, mp.mpf(x), order)


@pytest.mark.parametrize(
    ("text", "order"), [*itertools.product(FUNCTIONS, ORDERS), *itertools.product(MIXED, [1])]
)
def test_derivatives(text, order):
    f = eval(f"lambda x: {text}", {name: getattr(np, name) for name in NAMES})
    with np.errstate(all="ignore"):
        for modes in ORDERS[order]:
            g = f
            for mode in reversed(modes):
                g = MODES[mode](g)
            found = ingot.jit(lambda x, g=g: np.array([g(each) for each in x]))(POINTS)
            for x, slope in zip(POINTS, found, strict=True):
                if np.isnan(f(x)):
                    # No slope says anything of a number that is none.
                    continue
                true = float(true_slope(text, x, order))
                np.testing.assert_allclose(
                    slope, true, rtol=1e-9, atol=1e-13, err_msg=f"{modes} at {x}"
                )
