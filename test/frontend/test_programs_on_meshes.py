"""Twenty programs on four devices compute what they compute on one; their messages are as many as
theory says."""

import numpy as np
import pytest

import ingot
from ingot import P

pytestmark = pytest.mark.once

RNG = np.random.default_rng(2)


def normal(*shape):
    return RNG.standard_normal(shape)


def loss(w, x, y):
    return np.mean((np.tanh(x @ w) - y) ** 2)


def training_step(w, x, y):
    value, gradient = ingot.value_and_grad(loss)(w, x, y)
    return value, w - 0.1 * gradient


def cross_entropy(params, x, labels):
    for w, b in params[:-1]:
        x = np.maximum(x @ w + b, 0)
    logits = x @ params[-1][0] + params[-1][1]
    logits = logits - logits.max(axis=1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return -np.mean(np.sum(logs * labels, axis=1))


def classifier_step(params, x, labels):
    value, gradient = ingot.value_and_grad(cross_entropy)(params, x, labels)
    stepped = [(w - 0.1 * dw, b - 0.1 * db) for (w, b), (dw, db) in zip(params, gradient)]
    return value, stepped


def picked_step(w, x, labels):
    def loss(w):
        logits = x @ w
        logits = logits - logits.max(axis=1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return -np.mean(logs[np.arange(len(labels)), labels])

    value, gradient = ingot.value_and_grad(loss)(w)
    return value, w - 0.1 * gradient


def picks(x, labels):
    rows = np.arange(len(labels))
    gradient = ingot.grad(lambda x: np.sum(x[rows, labels] ** 2))(x)
    along = np.take_along_axis(x, labels[:, None], 1)
    return x[rows, labels], gradient, along, ingot.vmap(lambda row, label: row[label])(x, labels)


def stores(x, labels):
    added, put = x.copy(), x.copy()
    rows = np.arange(len(labels))
    x[rows, labels] = 7
    np.add.at(added, (rows, labels), 2.0)
    np.put_along_axis(put, labels[:, None], 1.0, 1)
    return added, put


def orders(x):
    order = np.argsort(x, axis=1)
    gradient = ingot.grad(lambda x: np.sum(np.sort(x, axis=1)[:, :2]) + np.sum(np.max(x, axis=1)))
    largest = x[np.arange(len(x)), np.argmax(x, axis=1)]
    return np.take_along_axis(x, order, 1), gradient(x), largest


def training_loop(w, x, y):
    for _ in range(10):
        w = w - 0.1 * ingot.grad(loss)(w, x, y)
    return w


def heat(u):
    for _ in range(20):
        u = u + 0.1 * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
    return u


def heat_2d(u):
    for _ in range(5):
        inner = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += 0.1 * inner
    return u.copy()


def solves(a, b):
    return np.linalg.solve(a, b)


def inverses(a, b):
    solved = ingot.vmap(lambda a, b: np.linalg.solve(a, b[:, 0]))(a, b)
    gradient = ingot.grad(lambda a: np.sum(np.linalg.solve(a, b) ** 2))(a)
    return solved, gradient, np.linalg.inv(a), np.linalg.det(a), np.linalg.slogdet(a)


def singular_values(a):
    norms = np.linalg.svd(a, compute_uv=False)
    return norms, np.abs(np.linalg.svd(a)[0]), np.linalg.pinv(a), np.linalg.matrix_rank(a)


def factors(a):
    q, r = np.linalg.qr(a)
    return np.abs(r), np.linalg.eigvalsh(a + a.swapaxes(-1, -2)), q @ r


def spd(a):
    return np.linalg.cholesky(a @ a.swapaxes(-1, -2) + 8 * np.eye(a.shape[-1]))


def sorts(x):
    return np.sort(x), np.argsort(x), np.sort(x.reshape(8, -1), axis=1)


def reductions(x):
    return x.sum(), x.mean(0), x.max(1), x.std(), np.argmax(x, axis=0), np.cumsum(x, axis=0)


def normalised(x):
    return (x - x.mean(0)) / x.std(0)


def distances(x):
    return np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1) + 1e-9)


def attention(q, k, v):
    scores = q @ k.T / np.sqrt(q.shape[1])
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True) @ v


def power_iteration(a):
    x = np.ones(len(a))
    for _ in range(30):
        x = a @ x
        x /= np.linalg.norm(x)
    return x @ a @ x


def newton(a):
    x = a + 1.0
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def per_example(w, x, y):
    return ingot.vmap(ingot.grad(lambda w, x, y: np.sum((np.tanh(x @ w) - y) ** 2)), (None, 0, 0))(
        w, x, y
    )


def hessian(w, x, y):
    return ingot.hessian(lambda w: loss(w, x, y))(w)


def jacobian(x):
    return ingot.jacfwd(lambda x: np.sin(x) * np.roll(x, 1))(x)


def histogram(x):
    return np.bincount(np.floor(np.abs(x) * 3).astype(int), minlength=16)


def mandelbrot(c):
    z = np.zeros_like(c)
    n = np.zeros(c.shape, int)
    for _ in range(30):
        z = np.where(np.abs(z) < 2, z * z + c, z)
        n += np.abs(z) < 2
    return n


def convolution(x, k):
    return np.array([np.sum(x[i : i + len(k)] * k) for i in range(4)]), np.convolve(x, k, "same")


def selection(x):
    return x[x > 0], np.flatnonzero(x > 1), np.where(x > 0, x, 0).sum()


def classifier():
    sizes = [64, 32, 10]
    params = [(normal(m, n) * 0.1, normal(n)) for m, n in zip(sizes, sizes[1:], strict=False)]
    return params, normal(128, 64), np.eye(10)[RNG.integers(0, 10, 128)]


BATCH = (P(), P("i"), P("i"))
LABELS = RNG.integers(-10, 10, 64)
MATRICES = normal(8, 5, 5) + 5 * np.eye(5)
#: A function, its arguments, their shardings, and the messages that theory says, where it does. That
#: all matrices of a batch have a factorisation, and all indices are in range, is a check, whose
#: status is an all-reduce.
PROGRAMS = {
    "training step": (training_step, (normal(16, 8), normal(64, 16), normal(64, 8)), BATCH,
                      {"all-reduce": 1}),
    "classifier step": (classifier_step, classifier(), BATCH, {"all-reduce": 1}),
    "step with labels": (picked_step, (normal(6, 10), normal(64, 6), LABELS), BATCH,
                         {"all-reduce": 2}),
    "elements of rows": (picks, (normal(64, 10), LABELS), P("i"), {"all-reduce": 1}),
    "stores to rows": (stores, (normal(64, 10), LABELS), P("i"), {"all-reduce": 1}),
    "orders of rows": (orders, (normal(16, 6),), P("i"), {}),
    "training loop": (training_loop, (normal(16, 8), normal(64, 16), normal(64, 8)), BATCH,
                      {"all-reduce": 1}),
    "stencil": (heat, (normal(64),), P("i"), {"collective-permute": 2}),
    "stencil in place": (heat_2d, (normal(32, 16),), P("i"), None),
    "batched solve": (solves, (MATRICES, normal(8, 5, 2)), P("i"), {"all-reduce": 1}),
    "batched solve of large systems": (solves, (normal(8, 40, 40) + 40 * np.eye(40),
                                                normal(8, 40, 3)), P("i"), {"all-reduce": 1}),
    "batch of two axes": (solves, (MATRICES.reshape(2, 4, 5, 5), normal(2, 4, 5, 2)), P(None, "i"),
                          {"all-reduce": 1}),
    "batched inverses": (inverses, (MATRICES, normal(8, 5, 2)), P("i"), {"all-reduce": 1}),
    "batched singular values": (singular_values, (normal(8, 5, 3),), P("i"), {"all-reduce": 1}),
    "batched factors": (factors, (normal(8, 4, 4),), P("i"), {"all-reduce": 1}),
    "batched cholesky": (spd, (normal(8, 4, 4),), P("i"), {"all-reduce": 1}),
    "sort": (sorts, (normal(64),), P("i"), None),
    "reductions": (reductions, (normal(16, 12),), P("i"), None),
    "columns": (normalised, (normal(64, 6),), P("i"), None),
    "distances": (distances, (normal(16, 3),), P("i"), None),
    "attention": (attention, (normal(16, 8), normal(24, 8), normal(24, 4)), (P("i"), P(), P()), {}),
    "power iteration": (power_iteration, (normal(16, 16),), P("i"), None),
    "vmap of a while loop": (ingot.vmap(newton), (RNG.uniform(1, 100, 16),), P("i"),
                             {"all-reduce": 1}),
    "gradients of each example": (per_example, (normal(8, 3), normal(16, 8), normal(16, 3)), BATCH,
                                  {}),
    "hessian": (hessian, (normal(4, 2), normal(16, 4), normal(16, 2)), BATCH, None),
    "jacobian": (jacobian, (normal(8),), P("i"), None),
    "histogram": (histogram, (normal(64),), P("i"), None),
    "mandelbrot": (mandelbrot, (normal(16, 8) + 1j * normal(16, 8),), P("i"), {}),
    "convolution": (convolution, (normal(32), normal(5)), (P("i"), P()), None),
    "selection": (selection, (normal(32),), P("i"), None),
}  # fmt: skip


def copied(args):
    return ingot.tree.map(lambda x: x.copy() if isinstance(x, np.ndarray) else x, args)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_on_four_devices(name):
    f, args, shardings, messages = PROGRAMS[name]
    on_one, on_four = copied(args), copied(args)
    expected = ingot.jit(f)(*on_one)
    g = ingot.jit(f, mesh=ingot.mesh(i=4), in_shardings=shardings)
    pairs = zip(*(ingot.tree.leaves(each) for each in ((g(*on_four), on_four), (expected, on_one))),
                strict=True)  # fmt: skip
    for got, wanted in pairs:
        assert type(got) is type(wanted) and np.asarray(got).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-9)
    if messages is not None:
        assert g.lower(*copied(args)).compile().collectives() == messages
