"""Functions of arrays, and points at which their derivatives are tried: ties, zeros and poles.

Each is the text of a number as a function of the array `x`. `same` is another one for it, of what NumPy and
SciPy don't compute with more digits than a float has.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg, special, stats

INF = np.inf
NAMES = {"np": np, "math": math, "special": special, "stats": stats, "linalg": linalg, "inf": INF}
PLAIN = [[1.5, -0.5, 2.0]]
TIES = [[2.0, 1.0, 2.0], [1.0, 1.0, 1.0], [0.0, 0.0, -1.0], [1.0, 2.0, 2.0]]
EVEN = [[1.0, 2.0, 2.0, 3.0], [1.0, 1.0, 2.0, 2.0], [3.0, 1.0, 3.0, 1.0]]
ZERO = [[0.0, 0.0, 0.0]]
ZEROS = [[0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0], [2.0, 0.0, 3.0]]
LARGE = [[1000.0, 1000.0, 999.0], [-1000.0, 1000.0, 0.0], [-1000.0, -1000.0, -1001.0]]
EQUAL = [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
SINGULAR = [[[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]]]
SINGULAR3 = [
    np.diag([1.0, 2.0, 0.0]).tolist(),
    np.diag([1.0, 0.0, 0.0]).tolist(),
    [[1.0, 2, 3], [4, 5, 6], [7, 8, 9]],
]
REGULAR = [[[2.0, 1.0], [0.5, 3.0]], [[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]
SQUARES = [*REGULAR, *SINGULAR]

LOGSUMEXP = "np.log(np.sum(np.exp(x - np.max(x)))) + np.max(x)"
SOFTMAX = "np.exp(x - np.max(x)) / np.sum(np.exp(x - np.max(x)))"
DET = "(x[0, 0] * x[1, 1] - x[0, 1] * x[1, 0])"
ADJUGATE = "np.array([[x[1, 1], -x[0, 1]], [-x[1, 0], x[0, 0]]])"
DET3 = "np.dot(x[0], np.cross(x[1], x[2]))"


@dataclass(frozen=True)
class Case:
    """A function as text, one of many digits, and its points."""

    text: str
    points: list
    same: str = ""

    @property
    def function(self) -> Callable:
        return eval(f"lambda x: {self.text}", dict(NAMES))

    @property
    def reference(self) -> Callable:
        return eval(f"lambda x: {self.same or self.text}", dict(NAMES))


CASES = [
    Case("np.max(x)", [*TIES, *PLAIN, [INF, 1.0, INF]]), Case("np.min(x)", [*TIES, [-INF, 1.0, -INF]]), Case("np.ptp(x)", TIES),
    Case("np.nanmax(x)", TIES), Case("np.nanmin(x)", TIES), Case("np.amax(x)", TIES),
    Case("np.maximum.reduce(x)", TIES), Case("np.fmin.reduce(x)", TIES),
    Case("np.maximum.accumulate(x)[2]", TIES), Case("np.minimum.accumulate(x)[2]", TIES),
    Case("np.sort(x)[0]", TIES), Case("np.sort(x)[1]", TIES), Case("np.sort(x)[2]", TIES), Case("np.sum(np.sort(x))", TIES),
    Case("np.partition(x, 1)[1]", TIES), Case("np.sum(np.partition(x, 1))", TIES),
    Case("np.median(x)", [*TIES, *EVEN]), Case("np.nanmedian(x)", [*TIES, *EVEN]), Case("np.percentile(x, 50)", [*TIES, *EVEN]),
    Case("np.quantile(x, 0.5)", TIES), Case("np.quantile(x, 0.25)", [*TIES, *EVEN, [0.0, 1.0, 2.0, 3.0, 4.0]]), Case("np.nanquantile(x, 0.5)", [*TIES, *EVEN]),
    Case("np.var(x)", EQUAL), Case("np.std(x)", EQUAL), Case("np.nanstd(x)", EQUAL), Case("np.nanvar(x, ddof=1)", EQUAL),
    Case("np.std(x, ddof=1)", EQUAL), Case("stats.sem(x)", EQUAL, "np.std(x, ddof=1) / np.sqrt(np.longdouble(3))"),
    Case("stats.skew(x)", [*EQUAL, *PLAIN], "np.mean((x - x.mean()) ** 3) / np.mean((x - x.mean()) ** 2) ** np.longdouble(1.5)"),
    Case("stats.kurtosis(x)", [*EQUAL, *PLAIN], "np.mean((x - x.mean()) ** 4) / np.mean((x - x.mean()) ** 2) ** 2 - 3"),
    Case("stats.zscore(x)[0]", [*EQUAL, *PLAIN], "(x[0] - np.mean(x)) / np.std(x)"),
    Case("stats.gmean(x)", [*ZEROS, [1.0, 2.0, 3.0]], "np.exp(np.mean(np.log(x)))"),
    Case("stats.hmean(x)", [*ZEROS, [1.0, 2.0, 3.0]], "3 / np.sum(1 / np.where(x < 0, np.nan, x))"),
    Case("stats.entropy(x)", [*ZEROS, [1.0, 2.0, 3.0]], "-np.sum(x / np.sum(x) * np.log(x / np.sum(x)))"),
    Case("np.prod(x)", [*ZEROS, *PLAIN]), Case("np.nanprod(x)", ZEROS), Case("np.multiply.reduce(x)", ZEROS),
    Case("np.cumprod(x)[2]", ZEROS), Case("np.sum(np.cumprod(x))", [*ZEROS, *PLAIN]), Case("np.sum(np.nancumprod(x))", ZEROS),
    Case("np.sum(np.multiply.accumulate(x))", ZEROS), Case("np.sum(np.cumsum(x))", ZEROS),
    Case("np.linalg.norm(x)", [*ZERO, *ZEROS]), Case("np.linalg.norm(x) ** 2", ZERO), Case("np.linalg.norm(x, 1)", [*ZEROS, *PLAIN]),
    Case("np.linalg.norm(x, inf)", [*TIES, *ZEROS, [1.0, -1.0, 0.0]]), Case("np.linalg.norm(x, -inf)", [*TIES, *ZEROS]),
    Case("np.linalg.norm(x, 3)", [*ZEROS, *PLAIN]), Case("np.linalg.norm(x, 0.5)", [*ZEROS, [1.0, 2.0, 3.0]]),
    Case("np.linalg.vector_norm(x)", ZEROS), Case("np.linalg.norm(x)", SQUARES),
    Case("np.sqrt(np.sum(x * x))", ZERO), Case("np.hypot.reduce(x)", ZEROS), Case("np.logaddexp.reduce(x)", [*LARGE, *EQUAL], LOGSUMEXP),
    Case("np.clip(x, -1, 1)[0]", [[1.0], [-1.0], [0.0], [3.0]]), Case("np.clip(x[0], x[1], x[2])", [[1.0, 1.0, 2.0], [2.0, 1.0, 2.0], [1.0, 1.0, 1.0], [0.0, 1.0, 2.0]]),
    Case("np.interp(x[0], np.array([0.0, 1.0, 3.0]), np.array([0.0, 2.0, 3.0]))", [[1.0], [0.0], [3.0], [0.5], [-1.0], [4.0]],
         "np.where(x[0] < 0, 0, np.where(x[0] < 1, 2 * x[0], np.where(x[0] < 3, 2 + (x[0] - 1) / 2, 3)))"),
    Case("special.logsumexp(x)", [*LARGE, *EQUAL], LOGSUMEXP), Case("special.softmax(x)[0]", [*LARGE, *EQUAL], f"({SOFTMAX})[0]"),
    Case("special.log_softmax(x)[0]", [*LARGE, *EQUAL], f"x[0] - ({LOGSUMEXP})"),
    Case("np.log(1 + np.exp(x[0]))", [[1000.0], [-1000.0], [0.0]], "np.maximum(x[0], 0) + np.log1p(np.exp(-np.abs(x[0])))"),
    Case("np.log1p(np.exp(x[0]))", [[1000.0], [-1000.0], [0.0]], "np.maximum(x[0], 0) + np.log1p(np.exp(-np.abs(x[0])))"),
    Case("special.expit(x[0])", [[1000.0], [-1000.0], [0.0]], "1 / (1 + np.exp(-x[0]))"),
    Case("np.log(np.sum(np.exp(x)))", LARGE, LOGSUMEXP), Case(LOGSUMEXP, [*LARGE, *EQUAL]), Case(f"({SOFTMAX})[0]", [*LARGE, *EQUAL]),
    Case("np.corrcoef(x, x[::-1])[0, 1]", [*EQUAL, [1.0, 2.0, 4.0]], "np.mean((x - x.mean()) * (x[::-1] - x.mean())) / np.mean((x - x.mean()) ** 2)"),
    Case("np.abs(x[0] + 1j * x[1])", [[0.0, 0.0], [3.0, 4.0]], "np.sqrt(x[0] ** 2 + x[1] ** 2)"),
    Case("np.abs(x[0] + 1j * x[1]) ** 2", [[0.0, 0.0], [3.0, 4.0]], "x[0] ** 2 + x[1] ** 2"),
    Case("np.angle(x[0] + 1j * x[1])", [[0.0, 0.0], [3.0, 4.0]], "np.arctan2(x[1], x[0])"),
    Case("np.linalg.norm(x[:2] + 1j * x[1:])", ZERO, "np.sqrt(np.sum(x[:2] ** 2 + x[1:] ** 2))"),
    Case("np.sqrt(x[0] + 0j).real", [[0.0], [1.0]], "np.sqrt(x[0])"), Case("np.log(x[0] + 0j).real", [[0.0], [1.0], [-1.0]], "np.log(np.abs(x[0]))"),
    Case("np.linalg.det(x)", SQUARES, DET), Case("np.linalg.det(x)", SINGULAR3, DET3), Case("linalg.det(x)", SQUARES, DET),
    Case("np.linalg.slogdet(x)[1]", SQUARES, f"np.log(np.abs({DET}))"), Case("np.linalg.slogdet(x)[0]", SQUARES, f"np.sign({DET})"),
    Case("np.sum(np.linalg.inv(x) * np.array([[1.0, 2.0], [3.0, 4.0]]))", REGULAR, f"np.sum({ADJUGATE} * np.array([[1.0, 2.0], [3.0, 4.0]])) / {DET}"),
    Case("np.sum(np.linalg.solve(x, np.array([1.0, 2.0])))", REGULAR, f"np.sum({ADJUGATE} @ np.array([1.0, 2.0])) / {DET}"),
    Case("np.sum(np.linalg.matrix_power(x, 3))", SQUARES, "np.sum(x @ x @ x)"), Case("np.sum(np.linalg.matrix_power(x, -1))", REGULAR, f"np.sum({ADJUGATE}) / {DET}"),
    Case("np.sum(np.linalg.cholesky(x))", [[[4.0, 0.0], [2.0, 3.0]], [[1.0, 0.0], [1.0, 1.0]]],
         "np.sqrt(x[0, 0]) + x[1, 0] / np.sqrt(x[0, 0]) + np.sqrt(x[1, 1] - x[1, 0] ** 2 / x[0, 0])"),
    Case("np.sum(np.linalg.pinv(x))", REGULAR, f"np.sum({ADJUGATE}) / {DET}"), Case("np.sum(linalg.expm(x))", [[[0.0, 0.0], [0.0, 0.0]]],
         "np.sum(np.eye(2) + x + x @ x / 2 + x @ x @ x / 6 + x @ x @ x @ x / 24)"),
    Case("np.sum(np.tril(x) @ np.triu(x))", SINGULAR), Case("np.trace(x)", SINGULAR), Case("np.sum(np.cross(x, x[::-1]))", ZERO),
    Case("np.sum(np.linalg.eigvalsh(x))", SQUARES, "x[0, 0] + x[1, 1]"),
    Case("np.hypot(x[0], x[1]) ** 2", [[0.0, 0.0], [0.0, 3.0]]),
    Case("math.hypot(x[0], x[1], x[2])", [[0.0, 2.0, 3.0], [2.0, 0.0, 3.0]], "np.sqrt(x[0] ** 2 + x[1] ** 2 + x[2] ** 2)"),
    Case("x[0] ** 2", [[0.0]]), Case("x[0] ** 0.5", [[0.0]]), Case("x[0] ** 1.5", [[0.0], [4.0]]), Case("np.cbrt(x[0])", [[0.0], [8.0]]), Case("np.abs(x[0]) ** 1.5", [[0.0]]), Case("x[0] ** 1.0", [[0.0]]),
    Case("x[0] ** 3", [[0.0]]), Case("x[0] ** 0", [[0.0]]), Case("x[0] ** -1.0", [[0.0], [2.0]]), Case("np.abs(x[0]) ** 3", [[0.0]]),
    Case("np.divmod(x[0], 2.0)[1]", [[4.0], [1.0]]), Case("np.modf(x[0])[0]", [[2.0], [1.5]]), Case("np.round(x[0], 1)", [[0.25], [0.3]]),
    Case("np.unwrap(x)[2]", [[0.0, np.pi, 0.0], [0.0, 1.0, 2.0]]), Case("np.sum(np.gradient(x))", TIES), Case("np.trapezoid(x)", TIES),
    Case("np.where(x[0] > 0, np.sqrt(np.abs(x[0])), 0.0)", [[0.0], [4.0]]), Case("np.sqrt(np.where(x[0] > 0, x[0], 0.0))", [[4.0]]),
]  # fmt: skip
