"""Training loops as the READMEs of JAX, Autograd and SymJAX write them, with np; the plain run is the truth."""

import copy
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
from plain import Programs, same, same_for

import ingot

programs = Programs()
rng = np.random.default_rng(7)
INPUTS = rng.normal(size=(32, 3))
TARGETS = (INPUTS @ np.array([1.0, -2.0, 0.5]) > 0.1) * 1.0
Y = np.sin(INPUTS).sum(axis=1, keepdims=True)


def dense(n, m):
    return rng.normal(size=(n, m)) / np.sqrt(n), np.zeros(m)


LAYERS = [dense(3, 8), dense(8, 8), dense(8, 1)]
PARAMS = {"w": np.zeros(3), "b": 0.0}


# In the manner of JAX: a multilayer perceptron, a list of pairs.


def predict(params, inputs):
    for w, b in params:
        outputs = np.dot(inputs, w) + b
        inputs = np.tanh(outputs)
    return outputs


def loss(params, inputs, targets):
    return np.mean((predict(params, inputs) - targets) ** 2)


def update(params, inputs, targets, step_size):
    grads = ingot.grad(loss)(params, inputs, targets)
    return [(w - step_size * dw, b - step_size * db) for (w, b), (dw, db) in zip(params, grads)]


def test_a_step_of_sgd():
    same(update, LAYERS, INPUTS, Y, 0.1, rtol=1e-9)


@programs((LAYERS, INPUTS, Y, 120), (LAYERS, INPUTS, Y, 1))
def mlp(params, inputs, targets, n):
    for _ in range(n):
        params = update(params, inputs, targets, 0.1)
    return params


@programs((LAYERS, INPUTS, Y, 120))
def mlp_with_batches(params, inputs, targets, n):
    total = 0.0
    for i in range(n):
        start = i % 4 * 8
        x, y = inputs[start : start + 8], targets[start : start + 8]
        value, grads = ingot.value_and_grad(loss)(params, x, y)
        params = [(w - 0.05 * dw, b - 0.05 * db) for (w, b), (dw, db) in zip(params, grads)]
        total = 0.9 * total + 0.1 * value
    return total, params


@programs(([list(layer) for layer in LAYERS], INPUTS, Y, 100))
def mlp_in_place(params, inputs, targets, n):
    for _ in range(n):
        grads = ingot.grad(loss)(params, inputs, targets)
        for layer, grad in zip(params, grads):
            for i in range(len(layer)):
                layer[i] -= 0.1 * grad[i]


@programs((LAYERS, INPUTS, Y, 100))
def losses_kept(params, inputs, targets, n):
    history = []
    for _ in range(n):
        value, grads = ingot.value_and_grad(loss)(params, inputs, targets)
        params = [
            tuple(p - 0.1 * g for p, g in zip(layer, grad)) for layer, grad in zip(params, grads)
        ]
        history.append(value)
    return np.array(history), history[-1] < history[0]


# In the manner of Autograd: logistic regression, gradients by name.


def sigmoid(x):
    return 0.5 * (np.tanh(x / 2.0) + 1)


def logistic_loss(params, inputs, targets):
    predictions = sigmoid(np.dot(inputs, params["w"]) + params["b"])
    label_probabilities = predictions * targets + (1 - predictions) * (1 - targets)
    return -np.sum(np.log(label_probabilities))


def logistic_gradient(params, inputs, targets):
    error = sigmoid(np.dot(inputs, params["w"]) + params["b"]) - targets
    return {"w": inputs.T @ error, "b": error.sum()}


@programs((PARAMS, INPUTS, TARGETS, 100), (PARAMS, INPUTS, TARGETS, 1))
def logistic_by_hand(params, inputs, targets, n):
    for _ in range(n):
        g = logistic_gradient(params, inputs, targets)
        for k in params:
            params[k] = params[k] - 0.01 * g[k]
    return params


@programs((PARAMS, INPUTS, TARGETS, 100), (PARAMS, INPUTS, TARGETS, 1))
def logistic_in_place(params, inputs, targets, n):
    training_gradient = ingot.grad(logistic_loss)
    for _ in range(n):
        g = training_gradient(params, inputs, targets)
        for k in params:
            params[k] -= 0.01 * g[k]
    return logistic_loss(params, inputs, targets)


@programs((PARAMS, INPUTS, TARGETS, 100), (PARAMS, INPUTS, TARGETS, 1))
def logistic_anew(params, inputs, targets, n):
    for _ in range(n):
        grads = ingot.grad(logistic_loss)(params, inputs, targets)
        params = {k: v - 0.01 * grads[k] for k, v in params.items()}
    return params


def test_the_gradient_is_the_one_by_hand():
    by_hand, by_ingot = copy.deepcopy(PARAMS), copy.deepcopy(PARAMS)
    ingot.jit(logistic_by_hand)(by_hand, INPUTS, TARGETS, 100)
    ingot.jit(logistic_in_place)(by_ingot, INPUTS, TARGETS, 100)
    for k in PARAMS:
        np.testing.assert_allclose(by_hand[k], by_ingot[k], rtol=1e-9)
    assert logistic_loss(by_hand, INPUTS, TARGETS) < logistic_loss(PARAMS, INPUTS, TARGETS) / 2


@programs((np.zeros(3), INPUTS, TARGETS, 100))
def weights_as_in_the_readme(weights, inputs, targets, n):
    def training_loss(w):
        preds = sigmoid(np.dot(inputs, w))
        return -np.sum(np.log(preds * targets + (1 - preds) * (1 - targets)))

    training_gradient_fun = ingot.grad(training_loss)
    for i in range(n):
        weights -= training_gradient_fun(weights) * 0.01
    return training_loss(weights)


# Optimisers: momentum and Adam, in dicts, closures, classes and dataclasses.


@programs((PARAMS, INPUTS, TARGETS, 100))
def momentum_in_dicts(params, inputs, targets, n):
    velocity = {k: 0.0 * v for k, v in params.items()}
    for _ in range(n):
        g = logistic_gradient(params, inputs, targets)
        for k in params:
            velocity[k] = 0.9 * velocity[k] + g[k]
            params[k] -= 0.005 * velocity[k]
    return velocity


class SGD:
    def __init__(self, params, rate, mass=0.0):
        self.params, self.rate, self.mass = params, rate, mass
        self.velocity = {k: np.zeros_like(v) for k, v in params.items()}

    def step(self, grads):
        for name, g in grads.items():
            self.velocity[name] = self.mass * self.velocity[name] + g
            self.params[name] = self.params[name] - self.rate * self.velocity[name]


@programs((PARAMS, INPUTS, TARGETS, 100))
def an_optimiser_that_holds_the_parameters(params, inputs, targets, n):
    opt = SGD(params, 0.01, mass=0.5)
    for _ in range(n):
        opt.step(ingot.grad(logistic_loss)(opt.params, inputs, targets))
    return opt.params is params, opt.velocity


class Adam:
    def __init__(self, params, lr=0.05, b1=0.9, b2=0.999, eps=1e-8):
        self.lr, self.b1, self.b2, self.eps, self.t = lr, b1, b2, eps, 0
        self.m = {k: np.zeros_like(p) for k, p in params.items()}
        self.v = {k: np.zeros_like(p) for k, p in params.items()}

    def update(self, params, grads):
        self.t += 1
        for k in params:
            self.m[k] = self.b1 * self.m[k] + (1 - self.b1) * grads[k]
            self.v[k] = self.b2 * self.v[k] + (1 - self.b2) * grads[k] ** 2
            mhat = self.m[k] / (1 - self.b1**self.t)
            vhat = self.v[k] / (1 - self.b2**self.t)
            params[k] = params[k] - self.lr * mhat / (np.sqrt(vhat) + self.eps)
        return params


@programs((PARAMS, INPUTS, TARGETS, 100), (PARAMS, INPUTS, TARGETS, 1))
def adam(params, inputs, targets, n):
    opt = Adam(params)
    for _ in range(n):
        grads = ingot.grad(logistic_loss)(params, inputs, targets)
        params = opt.update(params, grads)
    return params, opt


@programs((PARAMS, Adam(PARAMS), INPUTS, TARGETS, 100))
def adam_as_argument(params, opt, inputs, targets, n):
    for _ in range(n):
        opt.update(params, logistic_gradient(params, inputs, targets))
    return opt.t


def adam_of_triples(step_size):
    """As jax.example_libraries.optimizers: three functions that share a closure."""

    def init(x0):
        return x0, np.zeros_like(x0), np.zeros_like(x0)

    def update(i, g, state):
        x, m, v = state
        m = 0.1 * g + 0.9 * m
        v = 0.001 * g**2 + 0.999 * v
        mhat, vhat = m / (1 - 0.9 ** (i + 1)), v / (1 - 0.999 ** (i + 1))
        return x - step_size * mhat / (np.sqrt(vhat) + 1e-8), m, v

    def get_params(state):
        return state[0]

    return init, update, get_params


@programs((np.zeros(3), INPUTS, TARGETS, 100))
def optimiser_of_three_functions(w, inputs, targets, n):
    opt_init, opt_update, get_params = adam_of_triples(0.05)
    state = opt_init(w)
    for i in range(n):
        error = sigmoid(inputs @ get_params(state)) - targets
        state = opt_update(i, inputs.T @ error, state)
    return get_params(state)


@dataclass
class TrainState:
    params: dict
    momentum: dict
    step: int = 0
    loss: float = np.inf

    def apply(self, grads, rate):
        for k, g in grads.items():
            self.momentum[k] = 0.9 * self.momentum[k] + g
            self.params[k] -= rate * self.momentum[k]
        self.step += 1


STATE = TrainState({"w": np.zeros(3), "b": np.zeros(1)}, {"w": np.zeros(3), "b": np.zeros(1)})


@programs((STATE, INPUTS, TARGETS, 100), (STATE, INPUTS, TARGETS, 0))
def a_train_state(state, inputs, targets, n):
    for _ in range(n):
        value, grads = ingot.value_and_grad(logistic_loss)(state.params, inputs, targets)
        state.apply(grads, 0.005)
        state.loss = float(value)
    return state


# In the manner of SymJAX and of objects: models with methods, early stopping, evaluation.


class Linear:
    def __init__(self, n):
        self.w, self.b = np.zeros(n), 0.0

    def __call__(self, x):
        return x @ self.w + self.b

    def step(self, x, y, rate):
        error = self(x) - y
        self.w -= rate * 2 * x.T @ error / len(y)
        self.b -= rate * 2 * error.mean()
        return (error**2).mean()


@programs((Linear(3), INPUTS, Y[:, 0], 100), (Linear(3), INPUTS, Y[:, 0], 1))
def a_model_with_a_step(model, x, y, n):
    value = 0.0 * x[0, 0]
    for _ in range(n):
        value = model.step(x, y, 0.1)
    return value


@programs((Linear(3), INPUTS, Y[:, 0], 1e-3), (Linear(3), INPUTS, Y[:, 0], 1e-12))
def early_stopping(model, x, y, tolerance):
    best, bad, steps = np.inf, 0, 0
    while bad < 3 and steps < 200:
        steps += 1
        value = float(model.step(x, y, 0.1))
        if value < best - tolerance:
            best, bad = value, 0
        else:
            bad += 1
    return best, steps


@programs((PARAMS, INPUTS, TARGETS, 100))
def evaluated_now_and_then(params, inputs, targets, n):
    log = {"loss": 0.0, "at": 0}
    for i in range(n):
        g = logistic_gradient(params, inputs, targets)
        params = {k: params[k] - 0.01 * g[k] for k in params}
        if i % 10 == 0:
            log["loss"] = logistic_loss(params, inputs, targets)
            log["at"] = i
            print(f"step {i}: {log['at']}")
    return log["at"], log["loss"] * 1.0


@programs((INPUTS, Y, 100))
def initialised_inside(inputs, targets, n):
    sizes = [3, 5, 1]
    params = [{"W": np.full((m, k), 0.1), "b": np.zeros(k)} for m, k in zip(sizes[:-1], sizes[1:])]
    for _ in range(n):
        h = inputs
        activations = [h]
        for layer in params:
            h = np.tanh(h @ layer["W"] + layer["b"])
            activations.append(h)
        delta = 2 * (h - targets) / targets.size
        for layer, a, out in reversed(list(zip(params, activations, activations[1:]))):
            delta = delta * (1 - out**2)
            back = delta @ layer["W"].T
            layer["W"] -= 0.5 * a.T @ delta
            layer["b"] -= 0.5 * delta.sum(axis=0)
            delta = back
    return params


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases, rtol=1e-8)


# From Python: a compiled step, called many times.


def train_dict(step, n):
    params = {k: v * 1.0 for k, v in PARAMS.items()}
    for _ in range(n):
        step(params, INPUTS, TARGETS)
    return params


def dict_step(params, inputs, targets):
    grads = logistic_gradient(params, inputs, targets)
    for k in params:
        params[k] -= 0.01 * grads[k]


def test_a_compiled_step_called_from_python():
    expected, actual = train_dict(dict_step, 100), train_dict(ingot.jit(dict_step), 100)
    for k in expected:
        assert type(actual[k]) is type(expected[k])
        np.testing.assert_allclose(actual[k], expected[k], rtol=1e-9)


def test_the_gradient_from_python():
    params = {k: v * 1.0 for k, v in PARAMS.items()}
    gradient = ingot.grad(logistic_loss)
    for _ in range(100):
        g = gradient(params, INPUTS, TARGETS)
        for k in params:
            params[k] -= 0.01 * g[k]
    expected = train_dict(dict_step, 100)
    for k in expected:
        np.testing.assert_allclose(params[k], expected[k], rtol=1e-9)


def test_a_compiled_method_called_from_python():
    plain, compiled = Linear(3), Linear(3)
    step = ingot.jit(compiled.step)
    for _ in range(50):
        np.testing.assert_allclose(
            step(INPUTS, Y[:, 0], 0.1), plain.step(INPUTS, Y[:, 0], 0.1), rtol=1e-9
        )
    np.testing.assert_allclose(compiled.w, plain.w, rtol=1e-9)
    np.testing.assert_allclose(compiled.b, plain.b, rtol=1e-9)


def test_a_decorated_step_as_in_jax():
    @partial(ingot.jit)
    def step(params, x, y):
        return update(params, x, y, 0.1)

    params = plain = LAYERS
    for _ in range(20):
        params, plain = step(params, INPUTS, Y), update(plain, INPUTS, Y, 0.1)
    for (w, b), (v, c) in zip(params, plain):
        np.testing.assert_allclose(w, v, rtol=1e-8)
        np.testing.assert_allclose(b, c, rtol=1e-8)


def test_a_training_loop_has_a_gradient():
    """By the rate of learning, through the loop over a dict."""

    def trained(rate):
        params = {"w": np.zeros(3), "b": 0.0}
        for _ in range(30):
            g = logistic_gradient(params, INPUTS, TARGETS)
            params = {k: params[k] - rate * g[k] for k in params}
        return logistic_loss(params, INPUTS, TARGETS)

    h = 1e-6
    expected = (trained(0.01 + h) - trained(0.01 - h)) / (2 * h)
    np.testing.assert_allclose(ingot.grad(trained)(0.01), expected, rtol=1e-5)
