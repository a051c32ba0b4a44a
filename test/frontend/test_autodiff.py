"""Derivatives: higher orders, trees of arguments, training loops, errors."""

import dataclasses
from typing import Any

import numpy as np
import pytest

import ingot
from oracle import central, directions

RNG = np.random.default_rng(0)
X = RNG.uniform(0.2, 0.8, (3, 4))
Y = RNG.uniform(1.1, 1.9, (3, 4))
ROW = RNG.uniform(0.5, 1.5, 4)
SQUARE = RNG.normal(size=(4, 4))


def cube(x):
    return x * x * x


def wave(x, y):
    return np.sum(np.sin(x) * y**3)


def test_higher_orders():
    second = ingot.grad(ingot.grad(cube))
    assert ingot.grad(cube)(3.0) == 27 and second(3.0) == 18 and ingot.grad(second)(3.0) == 6
    assert type(second(3.0)) is float
    assert ingot.jvp(ingot.grad(cube), (3.0,), (1.0,)) == (27, 18)
    # A product of the Hessian with a vector, forward over backward and backward over backward.
    t = directions((X,))[0]
    slope = ingot.jvp(ingot.grad(wave), (X, Y), (t, np.zeros_like(Y)))[1]
    np.testing.assert_allclose(slope, -np.sin(X) * Y**3 * t, rtol=1e-12)
    mixed = ingot.grad(ingot.grad(inner_slope))(2.0, X, Y)
    np.testing.assert_allclose(mixed, np.sum(-np.sin(2 * X) * X**2 * Y**3), rtol=1e-12)


def inner_slope(k, x, y):
    return np.sum(np.sin(k * x) * y**3)


def power_series(x, n):
    total, term = np.zeros_like(x), np.ones_like(x)
    for i in range(1, n):
        total += term
        term = term * x / i
    return total


def until(x):
    steps = 0
    while x.sum() < 100:
        x = x * 1.5
        x[0] += x[1] * 0.1
        steps += 1
    return x, steps


def test_forward_through_loops():
    t = directions((X,))[0]
    value, slope = ingot.jvp(power_series, (X, 25), (t, 0))
    np.testing.assert_allclose(value, np.exp(X), rtol=1e-9)
    np.testing.assert_allclose(slope, np.exp(X) * t, rtol=1e-9)
    (value, steps), (slope, no_slope) = ingot.jvp(until, (X,), (t,))
    expected, count = until(X.copy())
    assert (steps, no_slope) == (count, 0)
    np.testing.assert_allclose(value, expected)
    numeric = central(lambda x: until(x)[0], (X,), (t,))
    np.testing.assert_allclose(slope, numeric, rtol=1e-6)


def test_safe_gradients():
    def masked_root(x):
        return np.sum(np.where(x > 0, np.sqrt(x), 0))

    def masked_log(x):
        return np.sum(np.where(x > 0, np.log(x), 0))

    def masked_ratio(x, y):
        return np.sum(np.where(y != 0, x / y, 0))

    def entropy(x):
        return np.sum(np.where(x > 0, x * np.log(x), 0))

    def norm(x):
        return np.sqrt(np.sum(x * x))

    def zeroth(x):
        return np.sum(x**0.0)

    def of_exponent(y):
        return np.sum(np.array([0.0, 2.0]) ** y)

    x = np.array([-1.0, 0.0, 4.0])
    np.testing.assert_array_equal(ingot.grad(masked_root)(x), [0, 0, 0.25])
    np.testing.assert_array_equal(ingot.grad(masked_log)(x), [0, 0, 0.25])
    np.testing.assert_array_equal(ingot.grad(entropy)(x), [0, 0, np.log(4.0) + 1])
    gradients = ingot.grad(masked_ratio, (0, 1))(x, np.array([0.0, 2.0, 0.0]))
    np.testing.assert_array_equal(gradients, [[0, 0.5, 0], [0, 0, 0]])
    np.testing.assert_array_equal(ingot.grad(norm)(np.zeros(3)), np.zeros(3))
    np.testing.assert_array_equal(ingot.grad(zeroth)(np.zeros(2)), np.zeros(2))
    np.testing.assert_allclose(ingot.grad(of_exponent)(np.ones(2)), [0, 2 * np.log(2)])


def test_second_derivatives_where_the_first_seed_is_zero():
    def residual(x):
        return np.sum((np.exp(x) - 1) ** 2)

    def ratio(x, y):
        return np.sum((x / y) ** 2)

    np.testing.assert_allclose(ingot.hessian(residual)(np.zeros(2)), 2 * np.eye(2))
    second = ingot.hessian(ratio, (0, 1))(np.zeros(1), np.array([4.0]))
    np.testing.assert_allclose(np.squeeze(second), [[2 / 16, 0], [0, 0]])
    ingot.check_grads(residual, (np.zeros(2),), order=2)


def test_ties_share():
    x = np.array([1.0, 3.0, 3.0])
    np.testing.assert_array_equal(ingot.grad(lambda x: x.max())(x), [0, 0.5, 0.5])
    both = ingot.grad(lambda x, y: np.sum(np.maximum(x, y)), (0, 1))(x, np.array([2.0, 3.0, 1.0]))
    np.testing.assert_array_equal(both, [[0, 0.5, 1], [1, 0.5, 0]])


def test_trees_and_numbers():
    def model(weights, x):
        for w, b in weights["layers"]:
            x = np.tanh(x @ w + b)
        return np.sum(x) * weights["scale"]

    weights = {"layers": [(SQUARE, ROW), (SQUARE.T, ROW)], "scale": 2.0}
    found = ingot.grad(model)(weights, X)
    assert found.keys() == weights.keys() and type(found["layers"][1]) is tuple
    np.testing.assert_allclose(found["scale"], model(weights, X) / 2)
    step, direction = 1e-6, RNG.normal(size=(4, 4))
    moved = [{**weights, "layers": [(SQUARE + s * direction, ROW), weights["layers"][1]]}
             for s in (step, -step)]  # fmt: skip
    numeric = (model(moved[0], X) - model(moved[1], X)) / (2 * step)
    np.testing.assert_allclose(np.sum(found["layers"][0][0] * direction), numeric, rtol=1e-6)
    assert type(ingot.grad(cube)(np.float32(2))) is np.float32


@dataclasses.dataclass
class Layer:
    w: Any
    b: Any

    def __call__(self, x):
        return np.tanh(x @ self.w + self.b)


class Momentum:
    def __init__(self, rate):
        self.rate, self.steps, self.m = rate, 0, None

    def step(self, params, gradient):
        self.steps += 1
        if self.m is None:
            self.m = {k: np.zeros_like(params[k]) for k in params}
        for k in params:
            self.m[k] = 0.9 * self.m[k] + gradient[k]
            params[k] = params[k] - self.rate * self.m[k]


def loss_of(p, x):
    return np.sum(np.tanh(x @ p["w"] + p["b"]) ** 2)


def test_containers_and_instances():
    w, b = SQUARE, ROW
    dw, db = ingot.grad(lambda w, b: loss_of({"w": w, "b": b}, X), (0, 1))(w, b)
    gradient = ingot.grad(loss_of)({"w": w, "b": b}, X)
    assert list(gradient) == ["w", "b"]
    np.testing.assert_allclose(gradient["w"], dw)
    np.testing.assert_allclose(gradient["b"], db)

    def of_layers(p):
        return np.sum(p["layers"][0](X) ** 2) * p["scale"]

    gradient = ingot.grad(of_layers)({"layers": [Layer(w, b)], "scale": 2.0})
    (layer,) = gradient["layers"]
    assert type(layer) is Layer
    np.testing.assert_allclose(layer.w, 2 * dw)
    np.testing.assert_allclose(layer.b, 2 * db)
    np.testing.assert_allclose(gradient["scale"], loss_of({"w": w, "b": b}, X))


def test_containers_are_not_changed():
    def changes(p, x):
        p["w"] = 2 * p["w"]
        p["c"] = np.sum(p["w"])
        return np.sum(p["w"] * x) * p["c"]

    p, x = {"w": np.ones(2)}, np.ones(2)
    for call in (ingot.grad(changes), ingot.jit(lambda p, x: ingot.grad(changes)(p, x))):
        np.testing.assert_array_equal(call(p, x)["w"], [16.0, 16.0])
        np.testing.assert_array_equal(p["w"], np.ones(2))
        assert list(p) == ["w"]

    seen = []

    def appends(x):
        seen.append(1.0)
        return np.sum(x)

    with pytest.raises(ingot.UnsupportedError) as caught:
        ingot.grad(appends)(x)
    assert "differentiated changes a list from outside" in str(caught.value)
    assert seen == []


def test_training_loops():
    def train(p, n):
        optimiser = Momentum(0.01)
        for _ in range(n):
            optimiser.step(p, ingot.grad(loss_of)(p, X))
        return loss_of(p, X), optimiser.steps

    given = [{"w": SQUARE.copy(), "b": ROW.copy()} for _ in range(2)]
    found = ingot.jit(train, static="n")(given[0], 12)
    expected = train(given[1], 12)
    np.testing.assert_allclose(found, expected)
    for key in given[1]:
        np.testing.assert_allclose(given[0][key], given[1][key])


def test_auxiliary_results_and_captured_arrays():
    def loss(w, x):
        y = (x * w) @ SQUARE
        return np.sum(y * y), {"y": y, "name": "mine"}

    gradient, aux = ingot.grad(loss, has_aux=True)(ROW, X)
    (value, again), same = ingot.value_and_grad(loss, has_aux=True)(ROW, X)
    y = (X * ROW) @ SQUARE
    np.testing.assert_allclose(value, np.sum(y * y))
    np.testing.assert_allclose(aux["y"], y)
    np.testing.assert_allclose(again["y"], y)
    assert aux["name"] == again["name"] == "mine"
    np.testing.assert_allclose(gradient, np.sum(2 * (y @ SQUARE.T) * X, axis=0))
    np.testing.assert_allclose(same, gradient)


def stores(x):
    x[0] = x[1] * 2
    return np.sum(x * x)


def test_arguments_are_not_changed():
    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(ingot.grad(stores)(x), [0, 20, 6])
    np.testing.assert_array_equal(x, [1, 2, 3])


def test_checks_and_statics():
    def checked(x, i, how):
        assert x[i] > 0, "negative"
        return x[i] ** 2 if how == "square" else x[i]

    np.testing.assert_array_equal(ingot.grad(checked)(np.array([1.0, 3.0]), 1, "square"), [0, 6])
    with pytest.raises(AssertionError, match="negative"):
        ingot.grad(checked)(np.array([-1.0]), 0, "square")
    with pytest.raises(IndexError):
        ingot.grad(checked)(np.array([1.0]), 3, "square")


def loop(x, n):
    for _ in range(n):
        x = x * x
    return x.sum()


def vector(x):
    return x * 2


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda: ingot.grad(vector)(X), ingot.UnsupportedError, r"returns float64\[3, 4\]"),
        (lambda: ingot.grad(loop, 1)(X, 3), ingot.DTypeError, r"no gradient with respect to `n`, .* int64"),
        (lambda: ingot.grad(cube)(3), ingot.DTypeError, r"no gradient with respect to `x`"),
        (lambda: ingot.grad(cube)(True), ingot.DTypeError, r"no gradient with respect to `x`, .* bool"),
        (lambda: ingot.grad(cube, 1)(3.0), ingot.UnsupportedError, r"no positional argument 1"),
        (lambda: ingot.grad(cube, has_aux=True)(3.0), ingot.UnsupportedError, r"must return a pair"),
        (lambda: ingot.grad(lambda x: (x.sum(), 1))(X), ingot.UnsupportedError, r"not a tuple"),
        (lambda: ingot.grad(lambda z: z * z)(1j), ingot.UnsupportedError, r"gives complex128"),
        (lambda: ingot.jvp(cube, (X,), (X[0],)), ingot.DTypeError, r"a tangent is float64\[4\]"),
        (lambda: ingot.jvp(cube, (X,), (X, X)), ingot.UnsupportedError, r"structured differently"),
    ],
)  # fmt: skip
def test_errors(call, kind, message):
    with pytest.raises(kind, match=message) as caught:
        call()
    if "inv" not in str(caught.value):
        assert (
            "test_autodiff.py:" in str(caught.value)
            and "hint" in str(caught.value)
            or (kind is ingot.CompileError)
        )


def test_against_jax():
    jax = pytest.importorskip("jax", reason="Ingot runs without jax")
    jax.config.update("jax_enable_x64", True)
    z = RNG.normal(size=5) + 1j * RNG.normal(size=5)

    def ours(z):
        return np.sum(np.abs(np.exp(z) * z**2) + (z * np.conj(z)).real * z.imag)

    def theirs(z):
        return jax.numpy.sum(
            jax.numpy.abs(jax.numpy.exp(z) * z**2) + (z * jax.numpy.conj(z)).real * z.imag
        )

    np.testing.assert_allclose(ingot.grad(ours)(z), jax.grad(theirs)(z), rtol=1e-9)


def test_results_that_are_arguments_have_their_tangents():
    def same(x, k):
        return x, [x * 2, k]

    (x, (double, k)), (t, (slope, no_slope)) = ingot.jvp(same, (X, 3), (Y, 0))
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(t, Y)
    assert (k, no_slope) == (3, 0)
    np.testing.assert_array_equal(slope, 2 * Y)


def test_bits_of_floats_have_no_derivative():
    def neighbour(x):
        return np.nextafter(x, 2.0).sum()

    def signs(x):
        return np.sum(np.where(np.signbit(x - 0.5), -x, x))

    for call in (lambda: ingot.grad(neighbour)(X), lambda: ingot.jvp(neighbour, (X,), (X,))):
        with pytest.raises(ingot.CompileError, match="`bitcast` has no derivative"):
            call()
    np.testing.assert_array_equal(ingot.grad(signs)(X), np.sign(X - 0.5))


def test_other_functions_of_functions(tmp_path):
    assert ingot.grad(ingot.jit(cube))(2.0) == ingot.jit(ingot.grad(cube))(2.0) == 12
    ingot.export(ingot.grad(wave), ingot.spec("n"), ingot.spec("n")).save(tmp_path / "g.ingot")
    loaded = ingot.load(tmp_path / "g.ingot")
    for n in (1, 5):
        x, y = RNG.normal(size=(2, n))
        np.testing.assert_allclose(loaded(x, y), np.cos(x) * y**3, rtol=1e-12)
    assert loaded.entry("wave").batch == "n"


def unsigned(x, n):
    k, y = np.zeros(4, np.uint8), x
    for _ in range(n):
        k = k + np.uint8(3)
        y = y * np.where(k > 9, x, 2.0) / k
    return y.sum()


def test_tapes_of_integers():
    t = directions((ROW,))[0]
    slope = np.sum(ingot.grad(unsigned)(ROW, 12) * t)
    np.testing.assert_allclose(slope, central(unsigned, (ROW, 12), (t, 0)), rtol=1e-6)


def test_asked_for_again_it_is_not_compiled_again(compilations):
    def loss(x):
        return np.sum(x**3)

    x = np.arange(3.0)
    for _ in range(4):
        x = x - 0.01 * ingot.grad(loss)(x)
        ingot.jvp(loss, (x,), (x,))
    assert len(compilations) == 2
    ingot.grad(loss, (0,))(x)
    assert len(compilations) == 3
