"""Parameters found by gradients: of an equation of motion, and of a logistic regression."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

import ingot


def pendulum(parameters, start, steps, width):
    """Angles of a damped pendulum, integrated by the classical Runge-Kutta method.

    Args:
        parameters: (2,) the squared frequency and the damping, per second.
        start: (2,) angle and speed.
        steps: how many.
        width: of a step, in seconds.
    """
    angles = np.zeros(steps)
    state = start.copy()
    for i in range(steps):
        a = slope(state, parameters)
        b = slope(state + width / 2 * a, parameters)
        c = slope(state + width / 2 * b, parameters)
        d = slope(state + width * c, parameters)
        state = state + width / 6 * (a + 2 * b + 2 * c + d)
        angles[i] = state[0]
    return angles


def slope(state, parameters):
    return np.array([state[1], -parameters[0] * np.sin(state[0]) - parameters[1] * state[1]])


def misfit(parameters, start, measured, width):
    return np.mean((pendulum(parameters, start, measured.shape[0], width) - measured) ** 2)


def logistic(w, x, y):
    """The regularised negative log likelihood of labels -1 and 1."""
    return np.sum(np.log1p(np.exp(-y * (x @ w)))) + 0.5 * np.sum(w * w)


def fit_pendulum() -> tuple[np.ndarray, np.ndarray, int]:
    """The parameters by our gradient, those that scipy finds by differences, and the steps."""
    start, true, width = np.array([1.2, 0.0]), np.array([4.0, 0.15]), 0.02
    noise = np.random.default_rng(0).normal(0, 0.01, 400)
    measured = pendulum(true, start, 400, width) + noise
    guess, rest = np.array([3.4, 0.3]), (start, measured, width)
    gradient = ingot.value_and_grad(misfit)
    ours = minimize(gradient, guess, rest, method="BFGS", jac=True, options={"gtol": 1e-10})
    plain = minimize(
        misfit, guess, rest, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-14}
    )
    return ours.x, plain.x, ours.nit


def fit_logistic() -> tuple[np.ndarray, np.ndarray, int]:
    """The weights by Newton's method with our Hessian, those of scipy, and the steps."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 6))
    y = np.sign(x @ np.array([1.0, -2.0, 0.5, 0.0, 3.0, -1.0]) + rng.normal(size=300))
    gradient, hessian = ingot.grad(logistic), ingot.hessian(logistic)
    w, steps = np.zeros(6), 0
    while np.max(np.abs(slope := gradient(w, x, y))) > 1e-10:
        w = w - np.linalg.solve(hessian(w, x, y), slope)
        steps += 1
    plain = minimize(logistic, np.zeros(6), (x, y), method="BFGS", options={"gtol": 1e-9})
    return w, plain.x, steps


if __name__ == "__main__":
    for fit in (fit_pendulum, fit_logistic):
        ours, scipys, steps = fit()
        print(f"{fit.__name__}: {ours} in {steps} steps; scipy: {scipys}")
