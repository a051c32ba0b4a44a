"""Derivatives: each rule forward against differences of NumPy's values, backward against forward."""

import dataclasses
from typing import Any

import numpy as np
import pytest

import ingot
from level import sample
from oracle import central

RNG = np.random.default_rng(0)
X = RNG.uniform(0.2, 0.8, (3, 4))
Y = RNG.uniform(1.1, 1.9, (3, 4))
ROW = RNG.uniform(0.5, 1.5, 4)
SQUARE = RNG.normal(size=(4, 4))
INDEX = np.array([2, 0, 2])
MASK = RNG.random((3, 4)) > 0.5


def negative(x):
    return -x


def exp(x):
    return np.exp(x)


def expm1(x):
    return np.expm1(x)


def log(x):
    return np.log(x)


def log1p(x):
    return np.log1p(x)


def sqrt(x):
    return np.sqrt(x)


def cbrt(x):
    return np.cbrt(x)


def sin(x):
    return np.sin(x)


def cos(x):
    return np.cos(x)


def tan(x):
    return np.tan(x)


def arcsin(x):
    return np.arcsin(x)


def arccos(x):
    return np.arccos(x)


def arctan(x):
    return np.arctan(x)


def sinh(x):
    return np.sinh(x)


def cosh(x):
    return np.cosh(x)


def tanh(x):
    return np.tanh(x)


def arcsinh(x):
    return np.arcsinh(x)


def arccosh(x):
    return np.arccosh(x + 1)


def arctanh(x):
    return np.arctanh(x)


def floor(x):
    return np.floor(x * 3) * x


def ceil(x):
    return np.ceil(x * 3) * x


def rint(x):
    return np.rint(x * 3) * x


def sign(x):
    return np.sign(x - 0.5) * x


def absolute(x):
    return np.abs(x - 0.5)


def to_int(x):
    return (x * 10).astype(int) * x


def add(x, y):
    return x + y


def subtract(x, y):
    return x - y


def multiply(x, y):
    return x * y


def divide(x, y):
    return x / y


def power(x, y):
    return x**y


def square(x):
    return x**2


def by_number(x, k):
    return x * k + k


def remainder(x, y):
    return (5 * x) % y


def fmod(x, y):
    return np.fmod(5 * x, y)


def floor_divide(x, y):
    return (5 * x) // y * x


def maximum(x, y):
    return np.maximum(x, y - 1)


def minimum(x, y):
    return np.minimum(x, y - 1)


def arctan2(x, y):
    return np.arctan2(x, y)


def hypot(x, y):
    return np.hypot(x, y)


def logaddexp(x, y):
    return np.logaddexp(x, y)


def broadcast(x, r):
    return x * r + r


def column(x, r):
    return x + r[:3, None] * 2


def where(x, y):
    return np.where(MASK, x * y, y)


def clip(x):
    return np.clip(x, 0.3, 0.6)


def compare(x, y):
    return np.where(x < 0.5, x, y)


def reshape(x):
    return x.reshape(2, 6) ** 2


def transpose(x):
    return x.T * np.arange(12.0).reshape(4, 3)


def moveaxis(x):
    return np.swapaxes(x.reshape(3, 2, 2), 0, 2) ** 2


def broadcast_to(x):
    return np.broadcast_to(x, (2, 3, 4)) * np.arange(24.0).reshape(2, 3, 4)


def flip(x):
    return np.flip(x, 1) * x


def concatenate(x, y):
    return np.concatenate([x, y * 2, x], axis=1)


def stack(x, y):
    return np.stack([x, y]) ** 2


def pad(x):
    return np.pad(x, ((1, 0), (2, 1))) ** 2


def slices(x):
    return x[::2, 1:3] * 3


def item(x):
    return x[1, 2] * x[0]


def row(x, i):
    return x[i] * 2


def assigned(x, y):
    out = np.zeros((3, 4))
    out[1] = x[0]
    out[:, 2] += y[:, 1]
    out[0, 0] = 5
    return out * x


def in_place(x, y):
    x = x.copy()
    x *= y
    x[1:] -= y[:-1]
    return x


def gather(x):
    return x[INDEX] * np.arange(12.0).reshape(3, 4)


def scatter(x, y):
    out = y.copy()
    out[INDEX[:2]] = x[:2]
    return out * y


def add_at(x, y):
    out = y.copy()
    np.add.at(out, INDEX, x)
    return out


def masked(x, y):
    x = x.copy()
    x[MASK] = y[MASK] * 2
    return x


def sum_all(x):
    return np.sum(x * x)


def sum_axis(x):
    return np.sum(x * x, axis=1)


def mean(x):
    return x.mean(axis=0, keepdims=True) * x


def var(x):
    return x.var(axis=1)


def prod(x):
    return np.prod(x, axis=0)


def prod_all(x):
    return np.prod(x)


def largest(x):
    return x.max(axis=1)


def smallest(x):
    return x.min()


def cumsum(x):
    return np.cumsum(x, axis=1) ** 2


def diff(x):
    return np.diff(x, axis=0)


def sort(x):
    return np.sort(x, axis=1) * np.arange(4.0)


def argmax(x):
    return x[0, np.argmax(x[0])] * x


def logsumexp(x):
    top = x.max()
    return top + np.log(np.sum(np.exp(x - top)))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def matmul(x, y):
    return x @ y.T


def matvec(x, r):
    return x @ r


def inner(r, s):
    return r @ s


def einsum(x, y):
    return np.einsum("ij,kj->ik", x, y)


def batched(x, y):
    return np.einsum("bi,bj->bij", x, y)


def outer(r, s):
    return np.outer(r, s)


def quadratic(r):
    return r @ SQUARE @ r


def branch(x):
    if x.sum() > 1:
        y = x * x
    else:
        y = np.exp(x)
    return y + x


def nested_branch(x, k):
    y = x * 2
    if k > 1:
        if x[0, 0] > 5:
            y = np.sin(x) * y
        else:
            y = y * y * k
    return y


def call(x, y):
    return multiply(x, y) + square(y)


def real_part(x, y):
    return ((x + 1j * y) ** 2).real


def imag_part(x, y):
    return (np.exp(x + 1j * y) * np.conj(x - 1j * y)).imag


def modulus(x, y):
    return np.abs(x * (1 + 2j) + 1j * y)


def fft(x):
    return np.abs(np.fft.fft(x, axis=1)) ** 2


TWO = (X, Y)
CASES = [
    *[(f, (X,)) for f in (
        negative, exp, expm1, log, log1p, sqrt, cbrt, sin, cos, tan, arcsin, arccos, arctan, sinh,
        cosh, tanh, arcsinh, arccosh, arctanh, floor, ceil, rint, sign, absolute, to_int,
        square, clip, reshape, transpose, moveaxis, broadcast_to, flip, pad, slices, item, gather,
        sum_all, sum_axis, mean, var, prod, prod_all, largest, smallest, cumsum, diff, sort, argmax,
        logsumexp, softmax, branch, fft,
    )],
    *[(f, TWO) for f in (
        add, subtract, multiply, divide, power, remainder, fmod, floor_divide, maximum, minimum,
        arctan2, hypot, logaddexp, where, compare, concatenate, stack, assigned, in_place, scatter,
        add_at, masked, matmul, einsum, batched, call, real_part, imag_part, modulus,
    )],
    (by_number, (X, 2.5)), (broadcast, (X, ROW)), (column, (X, ROW)), (row, (X, 1)),
    (matvec, (X, ROW)), (inner, (ROW, ROW + 1)), (outer, (ROW, ROW * 2)), (quadratic, (ROW,)),
    (nested_branch, (X, 2.0)),
]  # fmt: skip


def directions(args, seed=1):
    random = np.random.default_rng(seed)
    return tuple(
        random.normal(size=np.shape(a)) if isinstance(a, np.ndarray)
        else float(random.normal()) if isinstance(a, float) else 0
        for a in args
    )  # fmt: skip


@pytest.mark.parametrize("f, args", sample(CASES, 3), ids=lambda v: getattr(v, "__name__", ""))
def test_forward(f, args):
    tangents = directions(args)
    value, slope = ingot.jvp(f, args, tangents)
    np.testing.assert_allclose(value, f(*args), rtol=1e-12)
    np.testing.assert_allclose(slope, central(f, args, tangents), rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize("f, args", CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_backward(f, args):
    """The gradient of a weighted sum, in a direction, is the weighted sum of the slopes."""
    tangents = directions(args)
    weights = np.random.default_rng(2).normal(size=np.shape(f(*args)))

    def loss(*args):
        return np.sum(f(*args) * weights)

    argnums = [i for i, a in enumerate(args) if not isinstance(a, int)]
    value, gradients = ingot.value_and_grad(loss, argnums)(*args)
    np.testing.assert_allclose(value, loss(*args), rtol=1e-12)
    found = sum(np.sum(g * tangents[i]) for i, g in zip(argnums, gradients))
    np.testing.assert_allclose(found, np.sum(ingot.jvp(f, args, tangents)[1] * weights), rtol=1e-9)
    for i, gradient in zip(argnums, gradients):
        assert np.shape(gradient) == np.shape(args[i]) and type(gradient) is type(args[i])


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
        (lambda: ingot.grad(vector)(X), ingot.UnsupportedError, r"gives float64\[3, 4\]"),
        (lambda: ingot.grad(loop, 1)(X, 3), ingot.DTypeError, r"no gradient by `n`, .* int64"),
        (lambda: ingot.grad(cube)(3), ingot.DTypeError, r"no gradient by `x`"),
        (lambda: ingot.grad(cube)(True), ingot.DTypeError, r"no gradient by `x`, .* bool"),
        (lambda: ingot.grad(cube, 1)(3.0), ingot.UnsupportedError, r"no positional argument 1"),
        (lambda: ingot.grad(cube, has_aux=True)(3.0), ingot.UnsupportedError, r"gives a pair"),
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


# Reverse through counted loops.


def recurrence(x, n):
    y = x
    for _ in range(n):
        y = np.cos(y) * x + 0.1
    return y.sum()


def seidel(x, n):
    a = x.copy()
    for _ in range(n):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = (a[i - 1, j] + a[i, j - 1] * a[i, j] + np.sin(a[i, j + 1])) / 3
    return np.sum(a * a)


def downwards(x, n):
    total, scale = 0.0, 1.0
    for i in range(n, 0, -2):
        if x[i % 3, 0] > 0.5:
            total += scale * x[i % 3, 1] * i
        else:
            scale = scale * 1.1 + x[0, 0]
        scale = scale * x[1, 2]
    return total * scale


def weights_in_loop(x, n):
    y = x
    for i in range(n):
        y = np.tanh(y @ SQUARE) * ROW[i % 4]
    return np.sum(y)


def counts(x, n):
    k, flag, y = 0, False, x
    for i in range(n):
        flag = not flag
        k += i
        if flag:
            y = y * (1 + 0.1 * k)
    return np.sum(y * y)


def prefix_sums(x, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i % 3, i % 4]
        if i > 0:
            out[i] += out[i - 1] * 0.5
    return np.sum(out**2)


def no_rounds(x, n):
    for _ in range(n - n):
        x = x * x
    return np.sum(x * 3)


def of_rows(x, n):
    total = 0.0
    for row in x:
        for value in row:
            total = total * 0.5 + np.sin(value * n)
    return total


def ode(x, n):
    position, speed = x[0], x[1]
    for _ in range(n):
        force = -np.sin(position)
        speed = speed + 0.05 * force
        position = position + 0.05 * speed
    return np.sum(position**2) + speed[0]


LOOPS = [recurrence, seidel, downwards, weights_in_loop, counts, prefix_sums, no_rounds, 
         of_rows, ode]  # fmt: skip


@pytest.mark.parametrize("f", LOOPS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [1, 13])
def test_backward_through_loops(f, n):
    t = directions((X,))[0]
    value, gradient = ingot.value_and_grad(f)(X, n)
    np.testing.assert_allclose(value, f(X.copy(), n), rtol=1e-12)
    slope = ingot.jvp(f, (X, n), (t, 0))[1]
    np.testing.assert_allclose(np.sum(gradient * t), slope, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(slope, central(f, (X, n), (t, 0)), rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize("f", [recurrence, seidel, ode], ids=lambda f: f.__name__)
def test_second_order_through_loops(f):
    first = ingot.grad(f)
    t = directions((X,), 5)[0]
    forward_over_backward = ingot.jvp(first, (X, 3), (t, 0))[1]
    numeric = central(first, (X, 3), (t, 0), 1e-5)
    np.testing.assert_allclose(forward_over_backward, numeric, rtol=1e-5, atol=1e-7)


def test_counts_are_compiled_for_each_value_and_others_are_not(compilations):
    by_count = ingot.grad(recurrence)
    for n, times in [(30, 1), (30, 1), (31, 2), (30, 2)]:
        by_count(X, n)
        assert len(compilations) == times
    compilations.clear()

    def scaled(x, k):
        return np.sum(x * x) * k

    by_number = ingot.grad(scaled)
    for k in (2, 3, 4):
        np.testing.assert_allclose(by_number(X, k), 2 * X * k)
    assert len(compilations) == 1


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
