"""Derivatives of every kind, called from Python and from compiled code, and users' rules."""

import numpy as np
import pytest

import ingot
from oracle import central

RNG = np.random.default_rng(5)
V = np.array([1.0, 2.0, 3.0])
W = RNG.normal(size=(3,))
X, Y = RNG.normal(size=(5, 3)), RNG.normal(size=5)


def vector(x):
    return np.array([x[0] * x[1], np.sin(x[2]), x[0] ** 2, np.sum(x)])


JACOBIAN = np.array([[2, 1, 0], [0, 0, np.cos(3)], [2, 0, 0], [1, 1, 1]])


def cubes(x):
    return np.sum(x**3) + x[0] * x[1]


def loss(w, x, y):
    return np.mean((np.tanh(x @ w) - y) ** 2)


def test_jacobians():
    np.testing.assert_allclose(ingot.jacfwd(vector)(V), JACOBIAN)
    np.testing.assert_allclose(ingot.jacrev(vector)(V), JACOBIAN)
    np.testing.assert_allclose(ingot.jacfwd(cubes)(V), ingot.grad(cubes)(V))


def test_jacobians_of_trees():
    def f(a, b):
        return {"x": a[0] * b, "y": (b * b).sum()}

    matrix = RNG.normal(size=(2, 2))
    for way in (ingot.jacfwd, ingot.jacrev):
        found = way(f, (0, 1))((2.0, V), matrix)
        (by_number, by_array), by_matrix = found["x"]
        np.testing.assert_allclose(by_number, matrix)
        assert by_array.shape == (2, 2, 3) and not by_array.any()
        np.testing.assert_allclose(by_matrix, 2 * np.eye(4).reshape(2, 2, 2, 2))
        np.testing.assert_allclose(found["y"][1], 2 * matrix)


def test_hessians():
    expected = np.diag(6 * V)
    expected[0, 1] = expected[1, 0] = 1
    np.testing.assert_allclose(ingot.hessian(cubes)(V), expected)
    second = ingot.hessian(loss)(W, X, Y)
    np.testing.assert_allclose(second, second.T, rtol=1e-10)
    for i in range(3):
        slope = central(ingot.grad(loss), (W, X, Y), (np.eye(3)[i], 0, 0))
        np.testing.assert_allclose(second[i], slope, rtol=1e-6, atol=1e-9)


def test_vjp():
    result, pull = ingot.vjp(vector, V)
    np.testing.assert_allclose(result, vector(V))
    for i in range(4):
        np.testing.assert_allclose(pull(np.eye(4)[i])[0], JACOBIAN[i], atol=1e-15)

    def tree(x, n):
        return {"a": x * n, "n": n}

    def stores(x):
        x[0] = 7.0
        return np.sum(x * x)

    x = V.copy()
    assert ingot.vjp(stores, x)[0] == 62
    np.testing.assert_array_equal(x, V)
    _, pull = ingot.vjp(cubes, x)
    x[:] = 0
    np.testing.assert_allclose(pull(1.0)[0], ingot.grad(cubes)(V))

    result, pull = ingot.vjp(tree, V, 3)
    cotangents = pull({"a": np.ones(3), "n": 0})
    np.testing.assert_allclose(cotangents[0], [3, 3, 3])
    assert cotangents[1] == 0


# In compiled code.


@ingot.jit
def descend(w, x, y, steps):
    for _ in range(steps):
        w = w - 0.1 * ingot.grad(loss)(w, x, y)
    return w


def test_gradients_in_a_compiled_loop():
    w = W
    for _ in range(10):
        w = w - 0.1 * ingot.grad(loss)(w, X, Y)
    np.testing.assert_allclose(descend(W, X, Y, 10), w, rtol=1e-12)


def test_gradient_through_a_loop_of_gradients():
    def outer(w):
        return np.sum(descend(w, X, Y, 3) ** 2)

    ingot.check_grads(outer, (W,), order=1)


@ingot.jit
def root(a, x):
    def f(x):
        return x * x * x - a

    for _ in range(20):
        x = x - f(x) / ingot.grad(f)(x)
    return x


def test_closures_over_runtime_values():
    np.testing.assert_allclose(root(5.0, 2.0), 5 ** (1 / 3))
    np.testing.assert_allclose(ingot.grad(root)(5.0, 2.0), 5 ** (-2 / 3) / 3)


def every_kind(x):
    result, pull = ingot.vjp(vector, x)
    value, slope = ingot.jvp(cubes, (x,), (np.ones(3),))
    both = ingot.value_and_grad(cubes)(x)
    return (result, pull(np.ones(4)), value, slope, both, ingot.hessian(cubes)(x),
            ingot.jacrev(vector)(x), ingot.jacfwd(ingot.grad(cubes))(x))  # fmt: skip


def test_all_kinds_in_compiled_code():
    result, (back,), value, slope, both, hessian, jacobian, again = ingot.jit(every_kind)(V)
    np.testing.assert_allclose(result, vector(V))
    np.testing.assert_allclose(back, JACOBIAN.sum(axis=0))
    np.testing.assert_allclose([value, slope], [cubes(V), ingot.grad(cubes)(V).sum()])
    np.testing.assert_allclose(both[1], ingot.grad(cubes)(V))
    np.testing.assert_allclose(hessian, ingot.hessian(cubes)(V))
    np.testing.assert_allclose(again, hessian)
    np.testing.assert_allclose(jacobian, JACOBIAN)


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half * x if n % 2 else half * half


def test_recursion_of_static_depth():
    def f(x):
        return np.sum(power(x, 5))

    np.testing.assert_allclose(ingot.grad(f)(V), 5 * V**4)
    np.testing.assert_allclose(np.diag(ingot.hessian(f)(V)), 20 * V**3)


outside = ingot.grad(cubes)


def test_a_gradient_made_outside():
    def f(x):
        return x - 0.1 * outside(x)

    np.testing.assert_allclose(ingot.jit(f)(V), V - 0.1 * outside(V))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_any_order(n):
    f = third = lambda x: x**5 + np.sin(x)  # noqa: E731
    expected = [
        lambda x: 5 * x**4 + np.cos(x), lambda x: 20 * x**3 - np.sin(x),
        lambda x: 60 * x**2 - np.cos(x), lambda x: 120 * x + np.sin(x), lambda x: 120 + np.cos(x),
    ][n - 1]  # fmt: skip
    for _ in range(n):
        f = ingot.grad(f)
    for i in range(n):
        third = ingot.jacfwd(third) if i % 2 else ingot.jacrev(third)
    np.testing.assert_allclose(f(0.7), expected(0.7), rtol=1e-12)
    np.testing.assert_allclose(third(0.7), expected(0.7), rtol=1e-12)


def test_stop_gradient():
    def f(x):
        return np.sum(x * ingot.stop_gradient(x) + ingot.stop_gradient({"a": x})["a"])

    assert f(V) == 20
    np.testing.assert_array_equal(ingot.grad(f)(V), V)
    assert ingot.jvp(f, (V,), (V,))[1] == V @ V


# Rules.


@ingot.custom_jvp
def log_sigmoid(x):
    return np.log(1 / (1 + np.exp(-x)))


@log_sigmoid.defjvp
def log_sigmoid_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return log_sigmoid(x), t / (1 + np.exp(x))


@ingot.custom_vjp
def scaled(x, k):
    return x * k


def scaled_forward(x, k):
    return scaled(x, k), (x, k)


def scaled_backward(kept, g):
    _, k = kept
    return np.clip(g * k, -1, 1), None


scaled.defvjp(scaled_forward, scaled_backward)


@pytest.mark.parametrize("kind", [ingot.custom_jvp, ingot.custom_vjp])
def test_functions_with_rules_take_positional_arguments(kind):
    f = kind(lambda x, k=2.0: x * k)
    with pytest.raises(TypeError, match="positional|unexpected keyword argument 'k'"):
        f(1.0, k=3.0)
    with pytest.raises(ingot.DTypeError, match="takes positional arguments"):
        ingot.jit(lambda x: f(x, k=3.0))(1.0)


def test_custom_jvp():
    def f(x):
        return np.sum(log_sigmoid(x) ** 2)

    def g(x):
        return np.sum(log_sigmoid(x))

    ingot.check_grads(f, (V,))
    # The function itself would give NaN here.
    with np.errstate(over="ignore"):
        assert ingot.grad(g)(np.array([-800.0])) == 1


def test_custom_vjp():
    def f(x):
        return np.sum(scaled(x, 3.0) ** 2)

    assert f(V) == 126
    np.testing.assert_array_equal(ingot.grad(f)(np.array([0.01, -1, 2])), [0.18, -1, 1])
    with pytest.raises(ingot.CompileError, match="has no forward derivative; use custom_jvp"):
        ingot.jvp(f, (V,), (V,))


def test_rules_in_loops():
    def f(x):
        for _ in range(30):
            x = log_sigmoid(x) * 0.5 + scaled(x, 0.1)
        return np.sum(x)

    def plain(x):
        for _ in range(30):
            x = -np.log1p(np.exp(-x)) * 0.5 + x * 0.1
        return np.sum(x)

    np.testing.assert_allclose(ingot.grad(f)(V), ingot.grad(plain)(V), rtol=1e-12)


@ingot.custom_jvp
def unruled(x):
    return x


@ingot.custom_jvp
def half_ruled(x):
    return x


half_ruled.defjvp(lambda primals, tangents: tangents[0])


def test_rule_errors():
    def captures(x):
        @ingot.jit
        def inner(y):
            return y

        return inner(x)

    for f, message in [(unruled, "has no rule"), (half_ruled, "gives a pair")]:
        with pytest.raises(ingot.CompileError, match=message):
            ingot.grad(f)(2.0)
    assert captures(1.0) == 1


# Checkpoints.


def block(h, w):
    return np.tanh(np.sin(h @ w) * np.cos(h)) @ w


def plain(w, h):
    for _ in (1, 2, 3, 4, 5, 6):
        h = block(h, w)
    return np.sum(h)


def straight(w, h):
    for _ in (1, 2, 3, 4, 5, 6):
        h = ingot.checkpoint(block)(h, w)
    return np.sum(h)


def looped(w, h):
    for _ in range(40):
        h = ingot.checkpoint(block)(h, w)
    return np.sum(h)


def inner_loop(w, h):
    def steps(h, w):
        for _ in range(20):
            h = np.tanh(h @ w)
        return h

    return np.sum(ingot.checkpoint(steps)(h, w) ** 2)


@pytest.mark.parametrize("f", [straight, looped, inner_loop])
def test_checkpoints(f):
    w, h = RNG.normal(size=(4, 4)) * 0.4, RNG.normal(size=(3, 4))
    ingot.check_grads(f, (w, h), rtol=1e-4)


def test_checkpoints_keep_less():
    w, h = RNG.normal(size=(32, 32)) * 0.2, RNG.normal(size=(2048, 32))
    np.testing.assert_allclose(ingot.grad(straight)(w, h), ingot.grad(plain)(w, h), rtol=1e-9)
    less = ingot.grad(straight).lower(w, h).memory()
    more = ingot.grad(plain).lower(w, h).memory()
    assert less.arguments == more.arguments == w.nbytes + h.nbytes
    assert less.results == w.nbytes
    assert less.temporary < 0.8 * more.temporary


def elementwise_chain(x):
    total = 0.0
    for i in range(100):
        y = np.exp(np.sin(np.cos(x * i))) * np.tanh(x)
        x = x + 0.01 * np.sqrt(np.abs(y) + 1)
        total += np.sum(y * y)
    return total


def test_what_is_cheap_is_computed_again():
    """A loop keeps one array for each iteration: the state, of which the rest follows."""
    x = RNG.normal(size=10_000)
    memory = ingot.grad(elementwise_chain).lower(x).memory()
    assert memory.temporary < 1.1 * 100 * x.nbytes
    ingot.check_grads(elementwise_chain, (x[:5],), order=1)


def updates(x):
    a = x.copy()
    for i in range(1, 5_000):
        k = i % 90
        a[k] = np.sin(a[k + 1]) * a[k]
    return np.sum(a)


def test_updates_keep_elements():
    """Of 5,000 updates of an array of 100,000, the elements: two for each."""
    x = RNG.normal(size=100_000)
    assert ingot.grad(updates).lower(x).memory().temporary < 3 * x.nbytes + 3 * 8 * 5_000


# Errors.


def counts(n):
    return n * 2.0


def outer_store(x):
    kept = np.zeros(3)

    def inner(y):
        kept[0] = y
        return y * y

    return ingot.grad(inner)(x) + kept[0]


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda: ingot.grad(cubes, (0, 0))(V), ingot.UnsupportedError, "an argument twice"),
        (lambda: ingot.jacrev(counts)(3), ingot.DTypeError, "no gradient with respect to `n`"),
        (
            lambda: ingot.jacfwd(vector)(V * 1j),
            ingot.DTypeError,
            "jacobians with respect to complex",
        ),
        (lambda: ingot.vjp(vector, V)[1](V), ingot.DTypeError, r"a tangent is float64\[3\]"),
        (lambda: ingot.jit(outer_store)(2.0), ingot.UnsupportedError, "stores to an array from"),
        (lambda: ingot.grad(vector)(V), ingot.UnsupportedError, "needs one real number"),
    ],
)
def test_errors(call, kind, message):
    with pytest.raises(kind, match=message) as caught:
        call()
    assert "test_transformations.py:" in str(caught.value)


@ingot.custom_jvp
def pair(x, t):
    return np.cbrt(x), np.cbrt(x) * t


@pair.defjvp
def pair_jvp(primals, tangents):
    x, t = primals
    return pair(x, t), tangents


@ingot.custom_jvp
def by_pair(x):
    return np.cbrt(x)


@by_pair.defjvp
def by_pair_jvp(primals, tangents):
    return pair(primals[0], tangents[0])


def test_a_rule_that_calls_a_function_with_a_rule():
    value, slope = ingot.jvp(by_pair, (V,), (V,))
    np.testing.assert_allclose(value, np.cbrt(V))
    np.testing.assert_allclose(slope, np.cbrt(V) * V)
    # Of the function's second result its rule gives the direction alone.
    second = ingot.jacfwd(lambda x: ingot.jvp(by_pair, (x,), (np.ones_like(x),))[1])(V)
    np.testing.assert_allclose(second, np.zeros((V.size, V.size)))
    rows = ingot.vmap(lambda x: ingot.jvp(by_pair, (x,), (2.0,))[1])(V)
    np.testing.assert_allclose(rows, 2 * np.cbrt(V))


def test_check_grads_finds_wrong_rules():
    @ingot.custom_jvp
    def wrong(x):
        return x * x

    wrong.defjvp(lambda primals, tangents: (primals[0] ** 2, tangents[0] * primals[0]))

    def f(x):
        return np.sum(wrong(x))

    with pytest.raises(AssertionError, match="forward mode"):
        ingot.check_grads(f, (V,))
    ingot.check_grads(cubes, (V,), order=3)
