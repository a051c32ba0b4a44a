"""Derivatives of every function of SciPy's in the tables, with respect to every float argument."""

import zlib

import numpy as np
import pytest
from scipy import special, stats

import ingot
from ingot.numpy import scipy_stats, scipy_table
from level import sample

P = np.array([0.3, 0.7])
STEP = 1e-4
BESSEL = ("jv", "jn", "yn", "yv", "iv", "ive", "kn", "kv", "kve", "spherical_jn", "polygamma")
#: Where the arguments are not floats in (0, 2): what comes first and has no derivative, and points.
POINTS = {
    **{name: ((2,), (P,)) for name in BESSEL},
    "bdtr": ((1.0, 5), (P,)), "bdtrc": ((1.0, 5), (P,)),
    "pdtr": ((2.0,), (P,)), "pdtrc": ((2.0,), (P,)),
    "gammainc": ((), (P + 1, P * 4)), "gammaincc": ((), (P + 1, P * 4)),
    "stdtr": ((), (P * 5, P - 0.5)),
    **{name: ((), (P + 1, P + 0.5, P)) for name in ("betainc", "betaincc", "betaincinv", "betainccinv")},
}  # fmt: skip
SHAPES = {"a": 2.5, "b": 3.2, "df": 3.3, "s": 0.8, "c": 1.6, "mu": 1.9, "p": 0.4, "n": 5}


def special_case(name):
    function = getattr(special, name)
    if name == "multigammaln":
        return (lambda a: function(a, 2)), (P + 2,)
    is_ufunc = isinstance(function, np.ufunc)
    count = function.nin if is_ufunc else 1
    front, points = POINTS.get(name, ((), tuple(P + 0.2 * i for i in range(count))))
    return (lambda *args: function(*front, *args)), points


def distribution_case(name, method):
    function = getattr(getattr(stats, name), method)
    is_discrete = name in scipy_stats.DISCRETE
    shapes, _ = (scipy_stats.DISCRETE if is_discrete else scipy_stats.CONTINUOUS)[name]
    values = tuple(SHAPES[each] for each in shapes)
    if method in scipy_stats.MOMENTS:
        return function, (*values, *((0.1,) if is_discrete else (0.1, 1.5)))
    if name == "binom":
        return (lambda p: function(np.array([1.0, 3.0]), 5, p)), values[1:]
    if is_discrete:
        # Beyond 0 the logarithm of bernoulli's sf is -inf, of which there are no differences.
        k = np.array([0.0, 1.0 * (method != "logsf")]) if name == "bernoulli" else [1.0, 3.0]
        return (lambda *args: function(np.array(k), *args)), values
    x = P + 2.5 if name == "pareto" and method not in ("ppf", "isf") else P
    return function, (x, *values, 0.1, 1.5)


def joint_case(name, method):
    function = getattr(getattr(stats, name), method)
    if name == "dirichlet":
        return (lambda alpha: function(np.array([0.2, 0.3, 0.5]), alpha)), (P.sum() + np.ones(3),)
    return function, (P, P[::-1].copy(), np.array([[2.0, 0.3], [0.3, 1.5]]))


def all_cases():
    found = list(scipy_table.functions()["scipy.special"])
    methods = [".".join(each) for each in scipy_stats.handlers()]
    # The moments of cauchy are NaN, and n of binom counts.
    left_out = [f"{name}.{each}" for name in ("cauchy", "binom") for each in scipy_stats.MOMENTS]
    return found + [each for each in methods if each not in left_out]


def case_of(name):
    if "." not in name:
        return special_case(name)
    distribution, method = name.split(".")
    return (joint_case if distribution in scipy_stats.JOINT else distribution_case)(
        distribution, method
    )


@pytest.mark.parametrize("name", sample(all_cases(), 24))
def test_derivative(name):
    function, points = case_of(name)
    random = np.random.default_rng(zlib.crc32(name.encode()))
    points = tuple(np.asarray(each, float) for each in points)
    tangents = tuple(random.normal(size=each.shape) for each in points)
    if name.startswith("multivariate_normal"):
        tangents = (*tangents[:2], tangents[2] + tangents[2].T)

    def moved(step):
        return function(*[x + step * t for x, t in zip(points, tangents)])

    near, far = (moved(h) - moved(-h) for h in (STEP, 2 * STEP))
    expected = (8 * near - far) / (12 * STEP)
    value, forward = ingot.jvp(function, points, tangents)
    np.testing.assert_allclose(value, function(*points), rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(forward, expected, rtol=1e-7, atol=1e-9)
    weights = random.normal(size=np.shape(value))
    argnums = tuple(range(len(points)))
    gradients = ingot.grad(lambda *args: np.sum(function(*args) * weights), argnums)(*points)
    found = sum(np.sum(g * t) for g, t in zip(gradients, tangents))
    np.testing.assert_allclose(found, np.sum(forward * weights), rtol=1e-9, atol=1e-12)
