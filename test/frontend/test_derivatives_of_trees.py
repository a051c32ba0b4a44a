"""Gradients by trees some of whose leaves have none, and of results that depend on nothing."""

import numpy as np
import pytest

import ingot
from oracle import assert_same

W = np.array([0.5, 1.0, 2.0])


def loss(p):
    return (p["w"] ** p["n"]).sum() * p["scales"][0]


def parameters():
    return {"w": W, "n": 3, "scales": [2.0, True], "kind": "cubic", "places": np.arange(3)}


def test_only_floats_have_gradients():
    expected = {"w": 6 * W**2, "n": None, "scales": [9.125, None], "kind": None, "places": None}
    found = ingot.grad(loss)(parameters())
    assert found["scales"] == [9.125, None]
    assert_same(found | {"scales": None}, expected | {"scales": None})
    value, by_tuple = ingot.value_and_grad(loss, (0,))(parameters())
    assert value == 18.25
    assert by_tuple[0]["n"] is None
    np.testing.assert_allclose(by_tuple[0]["w"], 6 * W**2)


@pytest.mark.parametrize("way", [ingot.jacfwd, ingot.jacrev])
def test_only_floats_have_columns(way):
    found = way(loss)({"w": W, "n": 3, "scales": [2.0]})
    assert found["n"] is None
    np.testing.assert_allclose(found["w"], 6 * W**2)


def test_second_derivatives_by_trees():
    def cubes(p):
        return (p["w"] ** p["n"]).sum()

    found = ingot.hessian(cubes)({"w": W, "n": 3})
    assert found["n"] is None
    assert found["w"]["n"] is None
    np.testing.assert_allclose(found["w"]["w"], np.diag(6 * W))


def test_a_step_in_compiled_code():
    @ingot.jit
    def step(p):
        slopes = ingot.grad(loss)(p)
        return {k: p[k] if slopes[k] is None else p[k] - slopes[k] for k in ("w", "n")}

    found = step({"w": W, "n": 3, "scales": [2.0]})
    assert found["n"] == 3
    np.testing.assert_allclose(found["w"], W - 6 * W**2)


def test_arguments_without_floats_are_refused():
    for given in (3, [1, 2], np.arange(3), {"n": 1}):
        with pytest.raises(ingot.DTypeError, match="no gradient with respect to `x`"):
            ingot.grad(lambda x: 1.0)(given)


CONSTANTS = {
    "float": lambda x: 1.0,
    "int": lambda x: 0,
    "NumPy's": lambda x: np.float64(2.0),
    "array": lambda x: np.ones(()),
    "of a shape": lambda x: x.shape[0],
    "of stopped": lambda x: ingot.stop_gradient(x).sum(),
    "sum of nothing": lambda x: sum([]),
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_constant_has_the_gradient_zero(name):
    f = CONSTANTS[name]
    assert_same(ingot.grad(f)(W), np.zeros(3))
    value, slope = ingot.value_and_grad(f)(W)
    assert value == f(W)
    assert_same(slope, np.zeros(3))
    slope, other = ingot.grad(lambda x: (f(x), x), has_aux=True)(W)
    assert_same(slope, np.zeros(3))
    assert_same(other, W)
    np.testing.assert_array_equal(ingot.vmap(ingot.grad(f))(np.ones((2, 3))), np.zeros((2, 3)))


@pytest.mark.parametrize("way", [ingot.jacfwd, ingot.jacrev])
def test_a_constant_has_a_jacobian(way):
    assert_same(way(lambda x: 1.0)(W), np.zeros(3))
    pair = way(lambda x: (x * 2, 1.0))(W)
    np.testing.assert_array_equal(pair[0], 2 * np.eye(3))
    np.testing.assert_array_equal(pair[1], np.zeros(3))
    np.testing.assert_array_equal(ingot.hessian(lambda x: 1.0)(W), np.zeros((3, 3)))


def test_what_is_no_number_is_refused():
    for result in (None, True, "text", (1.0, 2.0)):
        with pytest.raises(ingot.CompileError, match="grad needs one number, not"):
            ingot.grad(lambda x, result=result: result)(W)


POINTS = [(1.3, 1.3), (-1.3, 1.3), (0.5, 2.0), (2.0, -0.5)]


@pytest.mark.parametrize("f", [np.hypot, np.logaddexp, np.logaddexp2], ids=lambda f: f.__name__)
@pytest.mark.parametrize("point", POINTS)
def test_second_derivatives_where_arguments_are_equal(f, point):
    step = 1e-4
    units = step * np.eye(2)

    def mixed(i, j):
        a, b = units[i], units[j]
        corners = f(*(point + a + b)) - f(*(point + a - b)) - f(*(point - a + b))
        return (corners + f(*(point - a - b))) / (4 * step**2)

    expected = [[mixed(i, j) for j in (0, 1)] for i in (0, 1)]
    for outer in (ingot.jacfwd, ingot.jacrev):
        for inner in (ingot.jacfwd, ingot.jacrev):
            found = outer(inner(f, (0, 1)), (0, 1))(*point)
            np.testing.assert_allclose(found, expected, atol=1e-6)
