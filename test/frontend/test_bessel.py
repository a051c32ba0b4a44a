"""Bessel functions over the whole real range, against SciPy, and their derivatives."""

import numpy as np
import pytest
from scipy import special

import ingot
from level import sample
from oracle import quiet

POSITIVE = np.concatenate([np.linspace(0, 30, 601), np.geomspace(1e-12, 700, 300)])
X = np.concatenate([POSITIVE, -POSITIVE, [1e3, 1e5, -1e5, np.nan]])
#: Where derivatives are compared with differences.
POINTS = np.array([0.3, 1.7, 4.2, 9.5, 33.0])
ORDERS = {
    "jv": (0, 1, 2, 7, 30, -3), "yn": (0, 1, 2, 5, -3), "iv": (0, 1, 2, 7, 30, -3),
    "ive": (0, 1, 3, 20), "kn": (0, 1, 2, 7), "kve": (0, 1, 3), "spherical_jn": (0, 1, 2, 7, 30),
}  # fmt: skip
SINGLE = ("j0", "j1", "y0", "y1", "i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e")
CASES = [(name, ()) for name in SINGLE] + [(name, (n,)) for name in ORDERS for n in ORDERS[name]]


def function_of(name, order):
    function = getattr(special, name)
    return lambda x: function(*order, x)


@pytest.mark.parametrize(("name", "order"), CASES)
def test_values(name, order):
    function = function_of(name, order)
    found = ingot.jit(function)(X)
    with quiet():
        expected = function(X)
    # Those that oscillate have an error relative to the size of the waves; SciPy's own, of j0, y0,
    # j1 and y1, grows with x.
    waves = 1 / np.sqrt(np.maximum(np.abs(X), 1)) if name[0] in "jys" else 0 * X
    is_small = np.abs(expected) < 1e-290
    bound = 1e-12 * np.abs(expected) + (1e-14 + 2e-16 * np.abs(X)) * waves + 1e-290 * is_small
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    is_finite = np.isfinite(expected)
    np.testing.assert_array_equal(found[~is_finite], expected[~is_finite])
    with quiet():
        assert np.all((np.abs(found - expected) <= bound)[is_finite])


@pytest.mark.parametrize(("name", "order"), sample(CASES, 13))
def test_derivatives(name, order):
    function = function_of(name, order)
    points = POINTS if name[0] in "yk" else np.concatenate([POINTS, -POINTS, [0.0]])
    h = 1e-4
    with quiet():
        near, far = (function(points + d) - function(points - d) for d in (h, 2 * h))
    expected = (8 * near - far) / (12 * h)
    if name in ("i0e", "i1e", "ive"):
        # exp(-|x|) has a kink.
        points, expected = points[points != 0], expected[points != 0]
    _, forward = ingot.jvp(function, (points,), (np.ones_like(points),))
    backward = ingot.grad(lambda x: np.sum(function(x)))(points)
    size = np.abs(expected) + 1e-3
    assert np.max(np.abs(forward - expected) / size) < 1e-8
    np.testing.assert_allclose(backward, forward, rtol=1e-13)


def test_derivatives_follow_the_relations_near_zeros():
    """The derivative is a Bessel function, not that of an approximation."""
    zeros = special.jn_zeros(0, 20)
    np.testing.assert_allclose(
        ingot.vmap(ingot.grad(special.j0))(zeros), -special.j1(zeros), rtol=1e-13
    )
    assert ingot.grad(special.j1)(0.0) == pytest.approx(0.5, abs=1e-15)
    assert ingot.grad(lambda x: special.spherical_jn(1, x))(0.0) == pytest.approx(1 / 3, abs=1e-15)


def test_second_derivatives_solve_the_differential_equation():
    """DLMF 10.2.1."""
    first = ingot.grad(lambda x: special.jv(3, x))
    second = ingot.grad(first)
    for x in (0.5, 4.0, 20.0):
        rest = x * x * second(x) + x * first(x) + (x * x - 9) * special.jv(3, x)
        assert abs(rest) < 1e-11


def test_waves_far_out_have_the_right_phase():
    x = 1e8
    expected = np.sqrt(1 / (np.pi * x)) * (np.cos(x) + np.sin(x))
    assert ingot.jit(special.j0)(x) == pytest.approx(expected, rel=1e-7)
    assert ingot.jit(lambda x: special.spherical_jn(2, x))(np.inf) == 0


@pytest.mark.parametrize(
    ("f", "said"),
    [
        (lambda x: special.jv(x, 1.0), "known at compile time"),
        (lambda x: special.jv(0.5, x), "fractional order"),
        (lambda x: special.iv([1, 2], x), "known at compile time"),
        (lambda x: special.jv(1, x + 1j), "complex"),
    ],
)
def test_what_is_refused(f, said):
    with pytest.raises(ingot.CompileError, match=said):
        ingot.jit(f)(1.5)
