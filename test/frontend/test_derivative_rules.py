"""Derivatives: each rule forward against differences of NumPy's values, backward against forward."""

import numpy as np
import pytest

import ingot
from level import sample
from oracle import central, directions

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


def test_a_rule_that_returns_the_call_of_another_function_with_a_rule():
    @ingot.custom_jvp
    def both(x, t):
        return np.cbrt(x), np.cbrt(x) * t

    @both.defjvp
    def rule_of_both(primals, tangents):
        x, t = primals
        return (np.cbrt(x), np.cbrt(x) * t), (x, t)

    @ingot.custom_jvp
    def root(x):
        return np.cbrt(x)

    @root.defjvp
    def rule(primals, tangents):
        return both(primals[0], tangents[0])

    x = np.linspace(1, 2, 3)
    value, tangent = ingot.jvp(root, (x,), (x,))
    np.testing.assert_allclose(value, np.cbrt(x))
    np.testing.assert_allclose(tangent, np.cbrt(x) * x)
    # The derivative of that is what the rule of `both` says, whatever the direction.
    second = ingot.jvp(lambda x: ingot.jvp(root, (x,), (x,))[1], (x,), (np.ones(3),))[1]
    np.testing.assert_allclose(second, x)
