"""Products in loops become one product for all iterations, before or after the loop."""

import numpy as np
import pytest

import ingot
from oracle import assert_same

rng = np.random.default_rng(3)


def recurrent(w, u, xs, h):
    for x in xs:
        h = np.tanh(w @ h + u @ x)
    return (h * h).sum()


def backwards(w, u, xs, h):
    for i in range(len(xs) - 1, -1, -2):
        h = np.tanh(h @ w + u @ xs[i])
    return (h * h).sum()


def covariance(w, u, xs, h):
    made = np.zeros((w.shape[1], w.shape[1]))
    for i in range(w.shape[1]):
        made[i:, i] = w[:, i] @ w[:, i:] / len(w)
        made[i, i:] = made[i:, i]
    return (made * made).sum()


def summed(w, u, xs, h):
    total = np.zeros((w.shape[0], xs.shape[1]))
    for i in range(len(xs)):
        total += np.outer(w[i], xs[i])
        total[i] += xs[i] * 2
        total[:, 1:2] += h[:, np.newaxis]
    return (total * total).sum()


def used_twice(w, u, xs, h):
    # The gradient by `u` is the sum of two products in each iteration.
    for i in range(len(xs)):
        h = np.tanh(u @ xs[i] + h) + w @ (u @ xs[len(xs) - 1 - i])
    return (h * h).sum()


def batches(w, u, xs, h):
    total = 0.0
    for i in range(3):
        both = np.stack([xs, xs * 2 + 1])
        total = total + np.tanh(both[:, i] @ u.T @ w).sum()
    return total


def changed_between(w, u, xs, h):
    # The rows that products read are those of before the loop only in part.
    xs = xs.copy()
    for i in range(1, len(xs)):
        h = np.tanh(u @ xs[i] + h)
        xs[i] = xs[i - 1] * 0.5 + (h @ u) * 0.1
    return (h * xs.sum()).sum()


def rows_to_columns(w, u, xs, h):
    made = u.T * 1.0
    for i in range(len(xs)):
        made[:, len(xs) - 1 - i] += xs[i]
        made[:, i + 2] += xs[i]
    ends = np.zeros((len(xs), 36))
    for i in range(len(xs) - 2):
        ends[i + 1] += xs[i]
    return np.sin(made).sum() + (ends * ends).sum() * h.sum()


def added_where_read(w, u, xs, h):
    # What is read of an array is not only what is added to.
    made = w * 1.0
    for i in range(1, len(xs)):
        made[i, :36] += xs[i]
        h = h * made[:, i]
    columns = np.zeros((36, 40))
    for i in range(len(xs)):
        columns[:, i % 3] += xs[i]
    return (h * made).sum() + np.cos(columns).sum()


FUNCTIONS = [
    recurrent, backwards, covariance, summed, used_twice, batches, changed_between, rows_to_columns,
    added_where_read,
]  # fmt: skip
ARGUMENTS = (
    rng.standard_normal((40, 40)) / 8,
    rng.standard_normal((40, 36)) / 8,
    rng.standard_normal((12, 36)),
    rng.standard_normal(40),
)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_values(f, native):
    assert_same(ingot.jit(f, native=native)(*ARGUMENTS), f(*ARGUMENTS), rtol=1e-11)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_gradients(f, native):
    gradients = ingot.jit(ingot.grad(f, argnums=(0, 1, 2, 3)), native=native)(*ARGUMENTS)
    for i, gradient in enumerate(gradients):
        direction, step = rng.standard_normal(ARGUMENTS[i].shape), 1e-6

        def moved(by, i=i, direction=direction):
            return f(*ARGUMENTS[:i], ARGUMENTS[i] + by * direction, *ARGUMENTS[i + 1 :])

        expected = (moved(step) - moved(-step)) / (2 * step)
        np.testing.assert_allclose((gradient * direction).sum(), expected, rtol=1e-6, atol=1e-7)


def dotted(f):
    """The text of a program on which the passes on products have run."""
    return ingot.jit(f).lower(*ARGUMENTS).ir(after="raise-products")


@pytest.mark.parametrize("f", [recurrent, covariance, summed])
def test_products_leave_loops(f):
    text = dotted(ingot.grad(f))
    loops = [part.split("\n    }")[0] for part in text.split("ingot.for")[1:]]
    # One recurrence remains in each direction.
    allowed = 1 if f is recurrent else 0
    assert all(loop.count("ingot.dot_general") <= allowed for loop in loops), text


def last(lowered, name):
    """The text after the last run of a pass."""
    return [text for each, text in lowered.passes() if each == name][-1]


def test_rows_are_added_without_loops():
    assert "ingot.for" not in last(ingot.jit(rows_to_columns).lower(*ARGUMENTS), "prune-carried")


def test_a_gradient_of_rows_takes_one_product():
    lowered = ingot.jit(ingot.grad(covariance)).lower(*ARGUMENTS)
    # Besides, there is one for the value, which the derivative of the square needs.
    assert last(lowered, "prune-carried").count("ingot.dot_general") == 3
    assert last(lowered, "factor-products").count("ingot.dot_general") == 2


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_zeros_rule_over_infinities(bad, native):
    """A cotangent of zero adds nothing, whatever it is multiplied by."""

    def f(a, x):
        made = np.zeros(a.shape[0])
        for i in range(3):
            product = a @ x
            made += np.where(np.isfinite(product), product, 0.0)
        return made.sum()

    a, x = rng.standard_normal((40, 50)), rng.standard_normal(50)
    a[3, 4] = a[20, 30] = bad
    found = ingot.jit(ingot.grad(f, argnums=(0, 1)), native=native)(a, x)
    live = np.isfinite(a).all(axis=1)
    assert_same(found[0], np.where(live[:, np.newaxis], 3 * x, 0.0), rtol=1e-12)
    assert_same(found[1], 3 * a[live].sum(axis=0), rtol=1e-12)
