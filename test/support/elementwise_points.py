"""All elementwise functions of the tables, the points at which their derivatives are tried, and the functions
with many digits that say what is right there."""

from collections.abc import Callable
from dataclasses import dataclass

import many_digits
import numpy as np
from scipy import special, stats

from ingot.numpy import scipy_stats, scipy_table, ufuncs

INF = np.inf
LINE = np.array([0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, 8.0, 10.0, 30.0, 800.0, -800.0, np.pi / 2, INF, -INF])  # fmt: skip
PAIRS = np.array([(0, 0), (1, 1), (-1, -1), (0, 1), (1, 0), (-1, 1), (0.5, 0.5), (2, 2), (2, 3), (0, -2), (10, 10), (0, 0.5), (0, 1.5),
                  (1000, 1000), (-1000, 1000), (1000, -1000), (INF, 1), (1, INF), (INF, INF), (-INF, INF)], float).T  # fmt: skip
TRIPLES = np.array([(1, 1, 0.5), (2, 2, 0.5), (1, 1, 0), (1, 1, 1), (2, 3, 0.5), (0.5, 0.5, 0.5), (3, 1, 0.25), (2, 2, 0)], float).T  # fmt: skip
POSITIVE = np.array([0.0, 0.25, 0.5, 1.0, 2.0, 8.0])
SHAPES = np.array([(1, 1), (2, 2), (1, 0), (2, 0.5), (0.5, 0.5), (3, 4), (1, 2)], float).T
OPEN = np.array([(1, 0.5), (2, 0.5), (2, 0), (1, 1), (0.5, 0.25)], float).T
#: Their first argument, of which there is no derivative: whole numbers.
FRONT = {**{name: (1.0,) for name in ("iv", "ive", "jn", "jv", "kn", "kv", "kve", "spherical_jn", "yn", "yv", "polygamma",
                                      "pdtr", "pdtrc")}, "bdtr": (1.0, 3.0), "bdtrc": (1.0, 3.0)}  # fmt: skip
POINTS = {
    "gammainc": SHAPES, "gammaincc": SHAPES, "chdtr": SHAPES, "chdtrc": SHAPES, "stdtr": SHAPES,
    "gammaincinv": OPEN, "gammainccinv": OPEN, "chdtri": OPEN, "stdtrit": OPEN, "betainc": TRIPLES, "betaincc": TRIPLES,
    "betaincinv": TRIPLES, "betainccinv": TRIPLES, "multigammaln": POSITIVE[None] + 1.0,
    "pdtr": POSITIVE[None], "pdtrc": POSITIVE[None], "bdtr": np.array([[0.0, 0.5, 1.0]]), "bdtrc": np.array([[0.0, 0.5, 1.0]]),
}  # fmt: skip
#: Functions of whole arrays, and of integers.
LEFT_OUT = {"log_softmax", "softmax", "logsumexp", "comb", "factorial"}
DISTRIBUTIONS = ("norm", "laplace", "logistic", "cauchy", "gumbel_r", "uniform", "expon", "pareto")
METHODS = ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf")


@dataclass(frozen=True)
class Case:
    """An elementwise function, the points at which it is tried, a row for each argument, and the function
    of numbers with many digits that gives the same."""

    function: Callable
    points: np.ndarray
    reference: Callable

    @property
    def directions(self) -> np.ndarray:
        """Along each argument, and a mixture."""
        count = len(self.points)
        units = np.eye(count)
        return units if count == 1 else np.vstack([units, np.linspace(1.0, 0.5, count)])


def _ufunc(name: str) -> Case:
    function, reference = getattr(np, name), many_digits.UFUNCS[name]
    has_one = not isinstance(function, np.ufunc) or function.nin == 1
    return Case(function, LINE[None] if has_one else PAIRS, reference)


def _special(name: str) -> Case:
    function, reference = getattr(special, name), many_digits.SPECIAL[name]
    if name == "multigammaln":
        return Case(lambda x: function(x, 2), POINTS[name], reference)
    front = FRONT.get(name, ())
    points = POINTS.get(name)
    if points is None:
        nin = function.nin if isinstance(function, np.ufunc) else len(front) + 1
        points = LINE[None] if nin == len(front) + 1 else PAIRS
    return Case(
        lambda *x: function(*(int(f) for f in front), *x), points, lambda *x: reference(*front, *x)
    )


def _density(name: str, method: str) -> Case:
    function = getattr(getattr(stats, name), method)
    shapes, _ = scipy_stats.CONTINUOUS[name]
    x = np.array([0.0, 0.5, 1.0, -1.0, 2.0])
    rows = [np.repeat(x, 2), *(np.tile([1.0, 2.0], len(x)) for _ in shapes)]
    if not shapes:
        rows = [x]
    return Case(function, np.array(rows), many_digits.of_distribution(name, method))


def cases() -> dict[str, Callable[[], Case]]:
    """By name what makes a case."""
    names = [u.__name__ for u in (*ufuncs.OPERATIONS, *ufuncs.COMPOSED)]
    names = [n for n in names if {"d->d", "dd->d"} & set(getattr(np, n).types)]
    found = {f"np.{n}": lambda n=n: _ufunc(n) for n in (*names, "sinc", "i0", "nan_to_num")}
    for name in scipy_table.functions()["scipy.special"]:
        if name not in LEFT_OUT:
            found[f"special.{name}"] = lambda n=name: _special(n)
    for name in DISTRIBUTIONS:
        for method in METHODS:
            found[f"stats.{name}.{method}"] = lambda n=name, m=method: _density(n, m)
    return found
