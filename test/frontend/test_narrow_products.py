"""Products of arrays that repeat, with and without kernels: values, infinities, and gradients."""

import copy

import numpy as np
import pytest

import ingot
from oracle import leaves_of
from sources import namespace_of

RNG = np.random.default_rng(0)
VALUES = [
    "np.ones((3, 4)) @ a", "a @ np.full((5, 2), 2.0)", "np.broadcast_to(v, (3, 4)) @ a",
    "a.T @ np.broadcast_to(v, (6, 4)).T", "np.broadcast_to(v[:, None], (4, 5)).T @ a",
    "np.einsum('bij,jk->bik', np.broadcast_to(a, (2, 4, 5)), w)", "np.dot(np.ones(4), a)",
    "(np.broadcast_to(v, (3, 4)) * 2 - 1) @ a @ w", "np.full((4, 4), np.inf) @ a",
    "np.zeros((3, 4)) @ a", "np.outer(np.ones(3), v) @ a", "np.ones((2, 3, 4)) @ a",
    "np.tensordot(np.ones((3, 4, 5)), a, 2)", "np.ones((3, 4), dtype=int) @ (a > 0).astype(int)",
    "np.ones((1, 4)) @ a", "np.ones((3, 4)) * 1j @ a",
]  # fmt: skip
LOSSES = [
    "(a @ w).sum()", "(a @ w).mean()", "(a @ w @ w.T).sum()", "(v @ a @ w).sum()",
    "((a @ w).mean(axis=0) ** 2).sum()", "(3 * (a @ w) + v[:, None]).mean()",
    "np.einsum('ij,jk->', a, w)", "(a.reshape(2, 2, 1, 5) @ w).sum()", "(a.T @ np.ones(4)).sum()",
]  # fmt: skip


def arguments(dtype):
    a, w, v = RNG.normal(size=(4, 5)), RNG.normal(size=(5, 3)), RNG.normal(size=4)
    return tuple(each.astype(dtype) for each in (a, w, v))


def function_of(expression, folder):
    return namespace_of(f"def f(a, w, v):\n    return {expression}\n", folder)["f"]


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("expression", VALUES)
def test_values(expression, native, tmp_path):
    function = function_of(expression, tmp_path)
    compiled = ingot.jit(function, native=native)
    for special in (None, np.inf, -np.inf, np.nan):
        args = arguments(np.float64)
        if special is not None:
            args[0][1, 2] = args[2][3] = special
        with np.errstate(all="ignore"):
            expected = function(*copy.deepcopy(args))
        found = compiled(*args)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("expression", LOSSES)
def test_gradients(expression, native, tmp_path):
    function = function_of(expression, tmp_path)
    args = arguments(np.float64)
    value, grads = ingot.jit(ingot.value_and_grad(function, (0, 1, 2)), native=native)(*args)
    np.testing.assert_allclose(value, function(*args), rtol=1e-12)
    for i, grad in enumerate(leaves_of(grads)):
        direction = RNG.normal(size=grad.shape)
        ahead, behind = (
            function(*args[:i], args[i] + step * direction, *args[i + 1 :])
            for step in (1e-6, -1e-6)
        )
        np.testing.assert_allclose(
            (grad * direction).sum(), (ahead - behind) / 2e-6, rtol=1e-6, atol=1e-7
        )


def test_gradients_of_sums_have_no_products_of_matrices(tmp_path):
    function = function_of("(a @ w @ w.T @ w).sum()", tmp_path)
    lowered = ingot.jit(ingot.grad(function), native=False).lower(*arguments(np.float64))
    shapes = [
        line.split(" : ")[-1]
        for line in lowered.ir(after="narrow-products").splitlines()
        if "dot_general" in line
    ]
    assert shapes and all("(tensor<1x" in shape or ", tensor<1x" in shape for shape in shapes)
